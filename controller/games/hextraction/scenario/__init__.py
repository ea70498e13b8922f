"""The scenario language: positions and moves of Hextraction as text, with the expected results.

``phrases`` is the single table of sentences; ``language`` reads files, ``position`` sets up the table,
``doing`` makes moves, ``expect`` checks, ``runner`` runs a file. ``docs/scenarios.md`` is for authors.
"""

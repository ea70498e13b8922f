"""The scenario language: positions and moves of Hextraction written down as text, and what must come of them.

``phrases`` is the one table of sentences; ``language`` reads files, ``position`` lays the table, ``doing``
moves, ``expect`` looks, ``runner`` runs a file. ``docs/scenarios.md`` is for its authors.
"""

"""Circuit boards, made from tables: ``boards.toml`` says outlines and connectors, each board's own table its parts and nets.

The generator writes KiCad's text files by itself, the same bytes each time, and needs no KiCad; KiCad is the
witness that judges them (:mod:`hardware.kicad`). ``make hardware`` runs both.
"""

"""Printable models of tiles, read and rolled over in three dimensions.

:mod:`.mesh` reads a file, :mod:`.space` says how far a ball is from the plastic, :mod:`.anatomy` finds
mouths, channels, notches and holes, :mod:`.rolling` rolls balls, :mod:`.tabling` counts them into a route
table and :mod:`.study` does all of it for one tile. Coordinates are those of the board: millimetres around
the middle of the tile, x to the right, y downhill, z up, with z = 0 at the underside of the tile's body.

Needs the extra ``models``. Nothing here is used while a board plays.
"""

__all__: list[str] = []

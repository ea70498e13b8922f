"""The tray of a column board: its plugs hold a gram each, so its cables are tied down before they reach it.

Of its own because somebody looks for it by its name.
"""

from collections.abc import Iterator
from typing import Any

from hextraction.board.design import load_design

from .shapes import bore, box

__all__ = ["column_tray"]

_FLOOR_MM = 2.4
_POST_WIDE_MM = 5.2
_TIE_MM = (4.0, 2.0)
"""A slot for a cable tie, along the edge and across it."""
_WINDOW_MM = (40.0, 16.0)
"""Half of what the floor leaves out below the board: nothing lies there."""
_TIES = 6
"""So many pairs of slots along each long edge."""


def column_tray() -> Any:
    """Draw it as it is printed and as it lies: posts for the board, slots for ties, two holes for wood screws."""
    shape = load_design().printed.column
    half_wide, half_deep = (side / 2 for side in shape.board_mm)
    out, top = half_wide + shape.ear_mm, _FLOOR_MM + shape.post_mm
    body = box((-out, out), (-half_deep - shape.rim_mm, half_deep + shape.rim_mm), (0, _FLOOR_MM))
    body -= box((-_WINDOW_MM[0], _WINDOW_MM[0]), (-_WINDOW_MM[1], _WINDOW_MM[1]), (-1, _FLOOR_MM + 1))
    for x, y in shape.holes_mm:
        body += bore(_POST_WIDE_MM, (x, y, _FLOOR_MM - 1), (x, y, top))
        body -= bore(2.2, (x, y, 0.8), (x, y, top + 1))
    for x, y in _ties(half_wide, half_deep + shape.rim_mm / 2):
        along, across = (side / 2 for side in _TIE_MM)
        body -= box((x - along, x + along), (y - across, y + across), (-1, _FLOOR_MM + 1))
    for x in (-1, 1):
        middle = x * (half_wide + shape.ear_mm / 2)
        body -= bore(3.4, (middle, 0, -1), (middle, 0, _FLOOR_MM + 1))
    return body


def _ties(half_wide: float, beside: float) -> Iterator[tuple[float, float]]:
    """Yield the middles of all slots: between two of a pair a tie goes around a cable."""
    pitch = 2 * half_wide / _TIES
    for number in range(_TIES):
        for x in (-3.0, 3.0):
            yield -half_wide + (number + 0.5) * pitch + x, -beside
            yield -half_wide + (number + 0.5) * pitch + x, beside

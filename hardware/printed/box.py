"""The box for the Pi and the hub board beside it, and its lid.

Of its own because somebody looks for it by its name.
"""

from collections.abc import Iterator
from typing import Any

from hextraction.board.design import load_design

from .shapes import bore, box

__all__ = ["hub_box", "hub_lid"]

_FLOOR_MM = 2.0
_WALL_MM = 2.0
_BESIDE_MM = 4.0
"""Around and between the boards."""
_POST_MM = 6.4


def hub_box() -> Any:
    """Draw the box open above, as it is printed: posts for both boards, ways for cables in its long sides."""
    prints = load_design().printed
    wide, deep = _inside()
    high = _FLOOR_MM + prints.box.high_mm
    body = box((-_WALL_MM, wide + _WALL_MM), (-_WALL_MM, deep + _WALL_MM), (0, high))
    body -= box((0, wide), (0, deep), (_FLOOR_MM, high + 1))
    top = _FLOOR_MM + prints.box.post_mm
    for x, y in _posts():
        body += bore(_POST_MM, (x, y, _FLOOR_MM - 1), (x, y, top))
        body -= bore(2.2, (x, y, _FLOOR_MM - 0.6), (x, y, top + 1))
    for x in _corners(wide):
        for y in _corners(deep):
            body += box((x - 4, x + 4), (y - 4, y + 4), (0, high))
            body -= bore(2.5, (x, y, high - 12), (x, y, high + 1))
    # A Pi's power, picture and sound leave in front, card and header to the left; the hub's ribbons behind.
    pi_wide = prints.box.pi_mm[0]
    body -= box((_BESIDE_MM + 4, _BESIDE_MM + pi_wide - 8), (-5, 1), (top - 1, high + 1))
    body -= box((-5, 1), (12, deep - 30), (top - 4, high + 1))
    body -= box((_BESIDE_MM + pi_wide + 16, wide - 16), (deep - 1, deep + 5), (top + 1, high + 1))
    body -= box((wide - 1, wide + 5), (24, deep - 24), (top + 1, high + 1))
    return body


def hub_lid() -> Any:
    """Draw the lid with its screws' holes and slots for air, as it is printed."""
    wide, deep = _inside()
    body = box((-_WALL_MM, wide + _WALL_MM), (-_WALL_MM, deep + _WALL_MM), (0, 2.4))
    for x in _corners(wide):
        for y in _corners(deep):
            body -= bore(3.3, (x, y, -1), (x, y, 3))
    for number in range(int((wide - 40) / 8)):
        x = 20 + 8 * number
        body -= box((x, x + 3), (22, deep - 22), (-1, 3))
    return body


def _inside() -> tuple[float, float]:
    measures = load_design().printed.box
    wide = measures.pi_mm[0] + measures.hub_mm[0] + 3 * _BESIDE_MM + 8
    return wide, max(measures.pi_mm[1], measures.hub_mm[1]) + 2 * _BESIDE_MM + 8


def _corners(long_mm: float) -> tuple[float, float]:
    return 3.0, long_mm - 3.0


def _posts() -> Iterator[tuple[float, float]]:
    """Yield where screws hold the Pi and the hub board."""
    measures = load_design().printed.box
    left, low = _BESIDE_MM + 4 + measures.pi_hole_in_mm, _BESIDE_MM + measures.pi_hole_in_mm
    for x in (left, left + measures.pi_holes_mm[0]):
        for y in (low, low + measures.pi_holes_mm[1]):
            yield x, y
    across = (
        measures.hub_mm[0] - 2 * measures.hub_hole_in_mm,
        measures.hub_mm[1] - 2 * measures.hub_hole_in_mm,
    )
    left = 2 * _BESIDE_MM + 4 + measures.pi_mm[0] + measures.hub_hole_in_mm
    for x in (left, left + across[0]):
        for y in (
            _BESIDE_MM + 4 + measures.hub_hole_in_mm,
            _BESIDE_MM + 4 + measures.hub_hole_in_mm + across[1],
        ):
            yield x, y

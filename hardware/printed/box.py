"""The box for the Pi, the hub board beside it and the converter behind it, and its lid.

Of its own because somebody looks for it by its name.
"""

from collections.abc import Iterator
from typing import Any

from hextraction.board.design import load_design

from .shapes import bore, box

__all__ = ["hub_box", "hub_corner", "hub_lid"]

_FLOOR_MM = 2.0
_WALL_MM = 2.0
_BESIDE_MM = 4.0
"""Around and between the boards."""
_POST_MM = 6.4
_BOARD_MM = 1.6
_GUIDE_MM = 2.0
"""How thick the guides around the hub board are; they end below its parts."""


def hub_box() -> Any:
    """Draw the box open above, as it is printed: posts and guides for boards, ways for cables in all sides."""
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
    for ends in _guides():
        body += box(*ends, (_FLOOR_MM - 1, top + _BOARD_MM))
    # A Pi's power, picture and sound leave in front, card and header to the left. Of the hub board ribbons and the
    # Pico's USB leave behind, coils to the right, brick, e-stop, converter's and Pi's supply in front.
    pi_wide, (left, low) = prints.box.pi_mm[0], hub_corner()
    hub_wide, hub_deep = prints.box.hub_mm
    body -= box((_BESIDE_MM + 4, _BESIDE_MM + pi_wide - 8), (-5, 1), (top - 1, high + 1))
    body -= box((-5, 1), (12, deep - 30), (top - 4, high + 1))
    body -= box((left + 7, left + hub_wide - 9), (deep - 1, deep + 5), (top + 1, high + 1))
    body -= box((left + 7, left + hub_wide - 14), (-5, 1), (top + 1, high + 1))
    body -= box((wide - 1, wide + 5), (low + 24, low + hub_deep - 8), (top + 1, high + 1))
    for x, y in _ties():
        body -= box((x - 2, x + 2), (y - 1, y + 1), (-1, _FLOOR_MM + 1))
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
    (left, low), inset = hub_corner(), measures.hub_hole_in_mm
    for x in (left + inset, left + measures.hub_mm[0] - inset):
        for y in (low + inset, low + measures.hub_mm[1] - inset):
            yield x, y


def hub_corner() -> tuple[float, float]:
    """Return where the hub board's left front corner lies; its own y points to the front."""
    return 2 * _BESIDE_MM + 4 + load_design().printed.box.pi_mm[0], _BESIDE_MM + 4


def _guides() -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Yield two guides at each edge of the hub board, as x and y from end to end."""
    prints = load_design().printed
    (left, low), (wide, deep) = hub_corner(), prints.box.hub_mm
    near, far = prints.fit_mm, prints.fit_mm + _GUIDE_MM
    for along in (12.0, wide - 22.0):
        x, y = (left + along, left + along + 10), (low + along, low + along + 10)
        yield (left - far, left - near), y
        yield (left + wide + near, left + wide + far), y
        yield x, (low - far, low - near)
        yield x, (low + deep + near, low + deep + far)


def _ties() -> Iterator[tuple[float, float]]:
    """Yield where cable ties go through the floor, around the converter behind the Pi."""
    behind = _BESIDE_MM + load_design().printed.box.pi_mm[1] + 10
    for x in (30.0, 62.0):
        yield x, behind
        yield x, behind + 34

"""The hexagon of 19 cells: names, neighbours, straight lines, and the twelve ways to turn and mirror it.

Cells are named by column, ``a`` to ``e``, and counted from the top: a1 a2 a3, b1 … b4, c1 … c5, d1 … d4,
e1 e2 e3, with c3 in the middle. They are flat-top hexagons, edges numbered clockwise from 1 at the top.
Coordinates are axial: a step over edge 3 is one more to the right, over edge 4 one more down.
"""

from collections.abc import Mapping
from typing import Final

from hextraction.board.grid import EDGES

__all__ = ["AROUND", "AT", "AXIAL", "CELLS", "INSIDE", "MIDDLE", "RIM", "STEP", "SYMMETRIES", "line", "step"]

STEP: Final[Mapping[int, tuple[int, int]]] = {
    1: (0, -1),
    2: (1, -1),
    3: (1, 0),
    4: (0, 1),
    5: (-1, 1),
    6: (-1, 0),
}
"""What a step over each edge adds to the axial coordinates."""
_RADIUS: Final = 2
MIDDLE: Final = "c3"


def _named() -> dict[str, tuple[int, int]]:
    found = {}
    for across in range(-_RADIUS, _RADIUS + 1):
        top = max(-_RADIUS, -_RADIUS - across)
        height = 2 * _RADIUS + 1 - abs(across)
        for row in range(height):
            found[f"{'abcde'[across + _RADIUS]}{row + 1}"] = (across, top + row)
    return found


AXIAL: Final[Mapping[str, tuple[int, int]]] = _named()
"""The coordinates of each cell; the middle is (0, 0)."""
AT: Final[Mapping[tuple[int, int], str]] = {at: cell for cell, at in AXIAL.items()}
CELLS: Final = tuple(AXIAL)
"""All cells in reading order."""


def step(cell: str, edge: int) -> str | None:
    """Return the cell over an edge (1..6), or None at the rim.

    >>> step("c3", 1), step("a1", 1)
    ('c2', None)
    """
    across, down = AXIAL[cell]
    more_across, more_down = STEP[edge]
    return AT.get((across + more_across, down + more_down))


def line(cell: str, edge: int) -> tuple[str, ...]:
    """Return the cells from a cell straight on over an edge, nearest first.

    >>> line("e1", 5)
    ('d2', 'c3', 'b3', 'a3')
    """
    found, here = [], step(cell, edge)
    while here is not None:
        found.append(here)
        here = step(here, edge)
    return tuple(found)


AROUND: Final[Mapping[str, tuple[str, ...]]] = {
    cell: tuple(near for edge in EDGES if (near := step(cell, edge)) is not None) for cell in CELLS
}
"""The neighbours of each cell, clockwise from the top."""
RIM: Final = tuple(cell for cell in CELLS if len(AROUND[cell]) < len(EDGES))
"""The twelve cells round the outside."""
INSIDE: Final = tuple(cell for cell in CELLS if cell not in RIM)
"""The seven others."""


def _turned(at: tuple[int, int], sixths: int) -> tuple[int, int]:
    across, down = at
    for _sixth in range(sixths):
        across, down = -down, across + down
    return across, down


def _symmetries() -> tuple[Mapping[str, str], ...]:
    found = []
    for mirrored in (False, True):
        for sixths in range(6):
            moved = {}
            for cell, (across, down) in AXIAL.items():
                moved[cell] = AT[_turned((down, across) if mirrored else (across, down), sixths)]
            found.append(moved)
    return tuple(found)


SYMMETRIES: Final[tuple[Mapping[str, str], ...]] = _symmetries()
"""Where each cell comes to lie: six turns, and the same of its mirror image. The first changes nothing."""

"""The net of the map: 54 intersections where hexes meet, 72 edges between them, by name and by number.

An intersection is named by a cell and the two edges between which it lies: ``c3.12`` is where c3, c2 and d2
meet, ``c3.61`` lies between edges 6 and 1. An edge is named by a cell and its number, ``c3:2``. Places with
several names go by the one whose cell comes first; every name is understood. Numbers are those of 1.1.
"""

from collections.abc import Mapping
from typing import Final

from hextraction.board.grid import EDGES
from hextraction.controller.games.hexagon.cells import AXIAL, CELLS, STEP

__all__ = [
    "CELL_CORNERS",
    "CORNERS",
    "CORNER_CELLS",
    "CORNER_EDGES",
    "CORNER_NAMES",
    "EDGE_CELLS",
    "EDGE_ENDS",
    "EDGE_NAMES",
    "NEAR",
    "ROADS",
    "corner_place",
    "edge_place",
]


def _next(edge: int) -> int:
    return edge % len(EDGES) + 1


def _over(cell: str, edge: int) -> tuple[int, int]:
    across, down = AXIAL[cell]
    return across + STEP[edge][0], down + STEP[edge][1]


def _corners() -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the intersections, and every name of each with its number."""
    numbers: dict[frozenset[tuple[int, int]], int] = {}
    canonical: list[str] = []
    names = {}
    for cell in CELLS:
        for edge in EDGES:
            meet = frozenset({AXIAL[cell], _over(cell, edge), _over(cell, _next(edge))})
            if meet not in numbers:
                numbers[meet] = len(numbers)
                canonical.append(f"{cell}.{edge}{_next(edge)}")
            names[f"{cell}.{edge}{_next(edge)}"] = names[f"{cell}.{_next(edge)}{edge}"] = numbers[meet]
    return tuple(canonical), names


def _edges() -> tuple[tuple[str, ...], dict[str, int]]:
    numbers: dict[frozenset[tuple[int, int]], int] = {}
    canonical: list[str] = []
    names = {}
    for cell in CELLS:
        for edge in EDGES:
            between = frozenset({AXIAL[cell], _over(cell, edge)})
            if between not in numbers:
                numbers[between] = len(numbers)
                canonical.append(f"{cell}:{edge}")
            names[f"{cell}:{edge}"] = numbers[between]
    return tuple(canonical), names


_FOUND_CORNERS: Final = _corners()
_FOUND_EDGES: Final = _edges()
CORNERS: Final = _FOUND_CORNERS[0]
"""The name of each intersection."""
CORNER_NAMES: Final[Mapping[str, int]] = _FOUND_CORNERS[1]
"""The number of an intersection by any of its names."""
ROADS: Final = _FOUND_EDGES[0]
"""The name of each edge."""
EDGE_NAMES: Final[Mapping[str, int]] = _FOUND_EDGES[1]
"""The number of an edge by either of its names."""


def _ends(name: str) -> tuple[int, int]:
    cell, _colon, text = name.partition(":")
    edge = int(text)
    before = (edge + 4) % len(EDGES) + 1
    return CORNER_NAMES[f"{cell}.{before}{edge}"], CORNER_NAMES[f"{cell}.{edge}{_next(edge)}"]


EDGE_ENDS: Final = tuple(_ends(name) for name in ROADS)
"""The two intersections that each edge joins."""
CORNER_EDGES: Final = tuple(
    tuple(edge for edge, ends in enumerate(EDGE_ENDS) if corner in ends) for corner in range(len(CORNERS))
)
"""The two or three edges at each intersection."""
NEAR: Final = tuple(
    tuple((edge, next(end for end in EDGE_ENDS[edge] if end != corner)) for edge in edges)
    for corner, edges in enumerate(CORNER_EDGES)
)
"""For each intersection what is one edge away, as (edge, intersection)."""
CELL_CORNERS: Final = tuple(
    tuple(CORNER_NAMES[f"{cell}.{edge}{_next(edge)}"] for edge in EDGES) for cell in CELLS
)
"""The six intersections of each cell, by the cell's number."""
CORNER_CELLS: Final = tuple(
    tuple(cell for cell, around in enumerate(CELL_CORNERS) if corner in around)
    for corner in range(len(CORNERS))
)
"""The one to three cells at each intersection, by their numbers."""
EDGE_CELLS: Final = tuple(
    tuple(cell for cell in CORNER_CELLS[one] if cell in CORNER_CELLS[other]) for one, other in EDGE_ENDS
)
"""The one or two cells at each edge, by their numbers."""


def corner_place(corner: int, slots: Mapping[str, str]) -> str:
    """Return the place of an intersection in a scene, as ``corner.C3.1``."""
    name = CORNERS[corner]
    return f"corner.{slots[name[:2]]}.{name[3]}"


def edge_place(edge: int, slots: Mapping[str, str]) -> str:
    """Return the place of an edge in a scene, as ``edge.C3.2``."""
    name = ROADS[edge]
    return f"edge.{slots[name[:2]]}.{name[3]}"

"""The hex grid: edges, directions and positions.

A slot is a flat-top hexagon. Edge 1 is its top (uphill) side and numbering goes clockwise (rule 3.Edge):
1 top, 2 upper right, 3 lower right, 4 bottom, 5 lower left, 6 upper left. Turns are sixths of a full turn,
clockwise. Coordinates are in millimetres, x to the right and y downhill.
"""

import math
from typing import Final

__all__ = ["EDGES", "EDGE_NAMES", "edge_middle_mm", "opposite", "step_mm", "turned"]

EDGES: Final = (1, 2, 3, 4, 5, 6)
EDGE_NAMES: Final = {
    1: "top",
    2: "upper right",
    3: "lower right",
    4: "bottom",
    5: "lower left",
    6: "upper left",
}
_DIRECTIONS: Final = {
    edge: (math.sin(math.radians(60 * (edge - 1))), -math.cos(math.radians(60 * (edge - 1))))
    for edge in EDGES
}


def opposite(edge: int) -> int:
    """Return the opposite edge of the slot, which is also the neighbour's number for this edge.

    >>> [opposite(edge) for edge in EDGES]
    [4, 5, 6, 1, 2, 3]
    """
    return (edge + 2) % 6 + 1


def turned(edge: int, turns: int) -> int:
    """Return where an edge of a tile points after ``turns`` sixths of a clockwise turn.

    >>> turned(1, 2), turned(6, 1), turned(1, -1)
    (3, 1, 6)
    """
    return (edge - 1 + turns) % 6 + 1


def step_mm(edge: int, pitch_mm: float) -> tuple[float, float]:
    """Return the vector from a slot's middle to that of its neighbour over ``edge``."""
    across, down = _DIRECTIONS[edge]
    return across * pitch_mm, down * pitch_mm


def edge_middle_mm(edge: int, pitch_mm: float) -> tuple[float, float]:
    """Return the middle of an edge, relative to the slot's middle."""
    across, down = step_mm(edge, pitch_mm)
    return across / 2, down / 2

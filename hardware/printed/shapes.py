"""Small words for drawing: polygons that are raised, holes along an axis, a slot's hexagon."""

import math
from collections.abc import Sequence
from typing import Any

from build123d import Cylinder, Plane, Pos, Rot, Solid, Vector, Wire, extrude, make_face
from build123d import Polyline as Line

__all__ = ["Flat", "bore", "box", "cut_hexagon", "hexagon", "mirrored", "prism", "ruled"]

Flat = Sequence[tuple[float, float]]
"""A polygon, mm."""


def prism(points: Flat, low_mm: float, high_mm: float) -> Any:
    """Return a polygon raised from one height to another."""
    face = make_face(Line(*[(x, y, low_mm) for x, y in points], close=True))
    return extrude(face, amount=high_mm - low_mm, dir=(0, 0, 1))


def box(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Any:
    """Return a box by its ends."""
    return prism([(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])], *z)


def bore(wide_mm: float, start: tuple[float, float, float], end: tuple[float, float, float]) -> Any:
    """Return a round rod along one axis, to be added or taken away."""
    long_mm = math.dist(start, end)
    middle = [(one + other) / 2 for one, other in zip(start, end, strict=True)]
    along = max(range(3), key=lambda axis: abs(end[axis] - start[axis]))
    turn = (Rot(0, 90, 0), Rot(90, 0, 0), Rot(0, 0, 0))[along]
    return Pos(*middle) * turn * Cylinder(wide_mm / 2, long_mm)


def hexagon(across_mm: float) -> list[tuple[float, float]]:
    """Return a slot's hexagon by its width from flat to flat."""
    far = across_mm / math.sqrt(3)
    return [(far * math.cos(math.radians(60 * n)), far * math.sin(math.radians(60 * n))) for n in range(6)]


def cut_hexagon(across_mm: float, long_mm: float) -> list[tuple[float, float]]:
    """Return a hexagon whose left and right corners are cut so that it is so long, as a slot's hole is."""
    half, corner = long_mm / 2, across_mm / math.sqrt(3)
    quarter = [(half, (corner - half) * math.sqrt(3)), (corner / 2, across_mm / 2)]
    upper = [*quarter, *[(-x, y) for x, y in reversed(quarter)]]
    return [*upper, *[(-x, -y) for x, y in upper]]


def ruled(low: Flat, low_mm: float, high: Flat, high_mm: float) -> Any:
    """Return the body between two polygons of as many corners, which are joined in their order."""
    wires = [
        Wire.make_polygon([Vector(x, y, z) for x, y in points], close=True)
        for points, z in ((low, low_mm), (high, high_mm))
    ]
    return Solid.make_loft(wires, ruled=True)


def mirrored(part: Any) -> Any:
    """Return a part as its left hand."""
    return part.mirror(Plane.YZ)

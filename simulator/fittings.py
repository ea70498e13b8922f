"""What tiles have besides channels: pockets that hold a ball, pegs that scatter it, flappers.

Everything is in millimetres around the middle of an upright tile.
"""

import math
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Final

from hextraction.board.grid import edge_middle_mm
from shapely import LineString

__all__ = ["Wall", "flapper", "peg_walls", "pockets"]

Wall = tuple[float, float, float, float]
"""A straight piece of wall: x and y of both ends."""

_HALF_CHANNEL_MM: Final = 5.5
_POCKET_DEG: Final = 30.0
_POCKET_MM: Final = 12.0
_SLOPE_MM: Final = 14.0
_PEG_RING_MM: Final = 9.1
_PEG_MM: Final = 1.0
_FLAPPER_MM: Final = 4.0

_Points = list[tuple[float, float]]


def pockets(runs: Sequence[Sequence[_Points]], holds: int) -> list[_Points]:
    """Return the floors of ``holds`` pockets, distributed over channels; a channel is a list of stretches.

    A pocket branches off the lower side of its channel at a slant, and is deep enough that the next ball
    passes over the one inside. Its floor is a triangle; a ball's centre comes to rest at its last corner.
    """
    stretches = [stretch for run in runs for stretch in _downhill(run)]
    counts = [len(range(index, holds, len(stretches))) for index in range(len(stretches))]
    return [
        _pocket(stretch, (number + 1) / (count + 1), side)
        for stretch, count in zip(stretches, counts, strict=True)
        for number, side in zip(range(count), islice(cycle((1, -1)), count), strict=True)
    ]


def _downhill(run: Sequence[_Points]) -> list[_Points]:
    """Return the stretches that lead down, each oriented downhill, slanting ones first; if none do, all."""
    if len(run) == 1:
        return [run[0] if run[0][0][1] <= run[0][-1][1] else run[0][::-1]]
    down = [stretch for stretch in run if stretch[-1][1] > stretch[0][1]] or list(run)
    return sorted(down, key=lambda stretch: abs(stretch[-1][0] - stretch[0][0]) < 1.0)


def _pocket(stretch: _Points, share: float, side: int) -> _Points:
    line = LineString(stretch)
    middle = line.interpolate(share, normalized=True)
    ahead = line.interpolate(min(share + 0.02, 1.0), normalized=True)
    forward = math.atan2(ahead.y - middle.y, ahead.x - middle.x)
    lower = (
        math.copysign(math.pi / 2, math.cos(forward)) if abs(math.cos(forward)) > 1e-6 else side * math.pi / 2
    )
    angle = forward + lower - math.copysign(math.radians(_POCKET_DEG), lower)
    behind = line.interpolate(max(0.0, line.length * share - _SLOPE_MM))
    bottom = middle.x + _POCKET_MM * math.cos(angle), middle.y + _POCKET_MM * math.sin(angle)
    return [(behind.x, behind.y), (middle.x, middle.y), bottom]


def peg_walls(pitch_mm: float) -> tuple[Wall, ...]:
    """Return four pegs, far enough from each other and the rim that a ball fits everywhere."""
    ring_mm = _PEG_RING_MM * pitch_mm / 50
    middles = [(0.0, -ring_mm), (ring_mm, 0.0), (0.0, ring_mm), (-ring_mm, 0.0)]
    corners = [(0.0, -_PEG_MM), (_PEG_MM, 0.0), (0.0, _PEG_MM), (-_PEG_MM, 0.0)]
    return tuple(
        (x + ax, y + ay, x + bx, y + by)
        for x, y in middles
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True)
    )


def flapper(joined: tuple[int, ...], alternates: tuple[int, ...], open_exit: int) -> tuple[Wall, ...]:
    """Return a wall across each closed exit, from the wedge beside it to its far side."""
    return tuple(
        _across(joined, closed, open_exit)
        for closed in alternates
        if closed != open_exit and closed in joined
    )


def _across(joined: tuple[int, ...], closed: int, open_exit: int) -> Wall:
    clockwise = (open_exit - closed) % 6 < 3
    ring = sorted(joined)
    place = ring.index(closed)
    toward = ring[(place + (1 if clockwise else -1)) % len(ring)]
    away = ring[(place + (-1 if clockwise else 1)) % len(ring)]
    wedge = _junction(closed, toward)
    far = _junction(closed, away)
    across, down = edge_middle_mm(closed, 2.0)
    return (*wedge, far[0] + _FLAPPER_MM * across, far[1] + _FLAPPER_MM * down)


def _junction(first: int, second: int) -> tuple[float, float]:
    """Return the corner of plastic between two channels that meet in the middle of the tile."""
    (ax, ay), (bx, by) = edge_middle_mm(first, 2.0), edge_middle_mm(second, 2.0)
    if math.hypot(ax + bx, ay + by) < 0.1:
        return -ay * _HALF_CHANNEL_MM, ax * _HALF_CHANNEL_MM
    half = math.acos(max(-1.0, min(1.0, ax * bx + ay * by))) / 2
    scale = _HALF_CHANNEL_MM / math.sin(half) / math.hypot(ax + bx, ay + by)
    return (ax + bx) * scale, (ay + by) * scale

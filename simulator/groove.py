"""The round bottom of channels, where walls do not hold a ball on its line: at crossings, junctions, pockets.

A channel is the lower half of a tube, so that a ball in it is on its line anyway. Where channels meet, walls
stand back, but the round bottoms go on: a ball must climb a little to get from one into another. In two
dimensions that is a height, that of a ball's centre at each place, and a ball is pushed down its slope.
"""

import functools
import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import shapely
from hextraction.simulator.channels import Shape, dips, hollow
from numpy.typing import NDArray
from shapely.affinity import rotate

__all__ = ["CELL_MM", "Groove", "groove_of"]

CELL_MM: Final = 0.25
_BALL_MM: Final = 5.0
_WIDE_MM: Final = 0.1
"""A place is wide if a disc this much wider than a channel fits."""
_BESIDE_MM: Final = 4.0
_OUTSIDE_MM: Final = 0.3
_STEEPEST: Final = 1.5
_KEPT: Final = 256
"""How many grooves are kept, a megabyte each: every world draws its tiles anew, so all would fill memory."""

Groove = Mapping[tuple[int, int], tuple[float, float]]
"""Slope to the right and downhill, rise by run, by cell: x and y around the middle in CELL_MM, rounded."""

_Grid = NDArray[np.float64]


@functools.lru_cache(maxsize=_KEPT)
def groove_of(shape: Shape) -> Groove:
    """Return how the floor of a tile slopes, as it lies, wherever its walls leave a ball free."""
    lowest = dips(shape)
    if lowest is None or lowest.is_empty:
        return {}
    # shapely counts angles anticlockwise with y up; with y down that is clockwise.
    lowest, room = (rotate(part, 60 * shape.turns, origin=(0, 0)) for part in (lowest, hollow(shape)))
    wide = room.buffer(-shape.half_mm - _WIDE_MM)
    free = wide.buffer(_BESIDE_MM + shape.half_mm).intersection(room.buffer(-_BALL_MM + _OUTSIDE_MM))
    if wide.is_empty or free.is_empty:
        return {}
    columns, rows = _cells(free.bounds)
    x_mm, y_mm = np.meshgrid(columns * CELL_MM, rows * CELL_MM)
    heights = _heights(lowest, shape.half_mm, x_mm, y_mm)
    across, down = (np.asarray(np.gradient(-heights, CELL_MM, axis=axis)) for axis in (1, 0))
    steep = np.hypot(across, down)
    scale = np.minimum(1.0, _STEEPEST / np.maximum(steep, 1e-9)) / (1 + np.minimum(steep, _STEEPEST) ** 2)
    inside = shapely.contains_xy(free, x_mm, y_mm)
    return {
        (int(columns[column]), int(rows[row])): (
            float(across[row, column] * scale[row, column]),
            float(down[row, column] * scale[row, column]),
        )
        for row, column in zip(*np.nonzero(inside), strict=True)
    }


def _cells(bounds: tuple[float, float, float, float]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    left, top, right, bottom = (math.floor(mm / CELL_MM) for mm in bounds)
    return np.arange(left - 1, right + 3), np.arange(top - 1, bottom + 3)


def _heights(lowest: Any, tube_mm: float, x_mm: _Grid, y_mm: _Grid) -> _Grid:
    """Return how high a ball stands at each place: as high as the highest floor under it pushes it."""
    reach = math.ceil(_BALL_MM / CELL_MM)
    wide = [np.pad(grid, reach, mode="reflect", reflect_type="odd") for grid in (x_mm, y_mm)]
    away = np.minimum(shapely.distance(lowest, shapely.points(*wide)), tube_mm)
    floor = tube_mm - np.sqrt(tube_mm**2 - away**2)
    heights = np.full(x_mm.shape, -np.inf)
    rows, columns = x_mm.shape
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            under = _BALL_MM**2 - (dx * dx + dy * dy) * CELL_MM**2
            if under >= 0:
                part = floor[reach + dy : reach + dy + rows, reach + dx : reach + dx + columns]
                np.maximum(heights, part + math.sqrt(under) - _BALL_MM, out=heights)
    return heights

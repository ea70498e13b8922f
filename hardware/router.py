"""Finds the tracks of a two-layer board: A* on a grid; a net may push others out of its way, which are tried anew.

Pads, edges and holes are walls; copper of other nets only costs, and the more the oftener it was fought for there.
What is found depends on the table alone, so it is the same each time.
"""

import heapq
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.table import BoardTable, Pad

__all__ = ["CLEARANCE_MM", "VIA_DRILL_MM", "VIA_MM", "Route", "Track", "Via", "routed", "width_mm"]

CLEARANCE_MM: Final = 0.2
VIA_MM: Final = 0.6
VIA_DRILL_MM: Final = 0.3
_EDGE_MM: Final = 0.35
_HOLE_MM: Final = 0.3
_GRID_MM: Final = 0.1
_VIA_COST: Final = 25.0
_PUSH_COST: Final = 8.0
_FOUGHT_COST: Final = 6.0
_TURNS: Final = 1_500
_SIGNAL_MM, _POWER_MM = 0.2, 0.35
_STEPS: Final = tuple((dx, dy, math.hypot(dx, dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)

Mask = NDArray[np.bool_]
Costs = NDArray[np.float64]
Cell = tuple[int, int, int]
"""Layer (0: F, 1: B), row, column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """A straight piece of copper."""

    net: str
    layer: str
    start_mm: tuple[float, float]
    end_mm: tuple[float, float]
    width_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Via:
    """A hole that joins both layers."""

    net: str
    at_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Route:
    """All copper of a board beside its pads."""

    tracks: tuple[Track, ...]
    vias: tuple[Via, ...]


@dataclass(slots=True)
class _Copper:
    """What a net has so far, on the grid."""

    paths: list[list[Cell]] = field(default_factory=list)
    width_mm: float = _SIGNAL_MM

    @property
    def vias(self) -> Iterator[tuple[int, int]]:
        for path in self.paths:
            for one, other in itertools.pairwise(path):
                if one[0] != other[0]:
                    yield one[1], one[2]


def width_mm(table: BoardTable, net: str) -> float:
    """Return the width of a net's tracks: wide where its table names a current."""
    return _POWER_MM if net in table.current_ma else _SIGNAL_MM


class _Grid:
    """The board's cells."""

    def __init__(self, table: BoardTable) -> None:
        xs, ys = zip(*table.outline_mm, strict=True)
        self.left, self.top = min(xs), min(ys)
        self.shape = (
            round((max(ys) - min(ys)) / _GRID_MM) + 1,
            round((max(xs) - min(xs)) / _GRID_MM) + 1,
        )
        self.table = table
        self.pads = tuple(table.pads())
        self._outside: dict[float, Mask] = {}

    def middle(self, row: int, column: int) -> tuple[float, float]:
        """Return a cell's place in mm."""
        return round(self.left + column * _GRID_MM, 4), round(self.top + row * _GRID_MM, 4)

    def paint(self, mask: Mask, box: tuple[float, float, float, float]) -> None:
        """Mark the cells whose middles lie strictly in a box (left, top, right, bottom)."""
        tiny = 1e-6
        first = (
            math.floor((box[1] - self.top) / _GRID_MM + tiny) + 1,
            math.floor((box[0] - self.left) / _GRID_MM + tiny) + 1,
        )
        last = (
            math.ceil((box[3] - self.top) / _GRID_MM - tiny),
            math.ceil((box[2] - self.left) / _GRID_MM - tiny),
        )
        mask[max(first[0], 0) : max(last[0], 0), max(first[1], 0) : max(last[1], 0)] = True

    def outside(self, keep_mm: float) -> Mask:
        """Return the cells that are nearer than this to the board's edge, or beyond it."""
        if keep_mm not in self._outside:
            rows, columns = np.indices(self.shape)
            x, y = self.left + columns * _GRID_MM, self.top + rows * _GRID_MM
            inside = np.zeros(self.shape, dtype=bool)
            near = np.full(self.shape, np.inf)
            outline = self.table.outline_mm
            for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
                along = np.clip(
                    ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1
                )
                near = np.minimum(near, np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)))
                if ay != by:
                    inside ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
            for hole_x, hole_y, wide in self.table.holes_mm:
                near = np.minimum(near, np.hypot(x - hole_x, y - hole_y) - wide / 2)
            mask = ~inside | (near < keep_mm)
            for left, top, right, bottom in self.table.windows():
                self.paint(mask, (left - keep_mm, top - keep_mm, right + keep_mm, bottom + keep_mm))
            self._outside[keep_mm] = mask
        return self._outside[keep_mm]


def routed(table: BoardTable) -> Route:
    """Return the tracks that join every net of a board.

    Raises:
        RuntimeError: some net finds no way; it is named.
    """
    grid = _Grid(table)
    waiting = sorted(table.nets, key=lambda net: (len(table.nets[net]), net))
    done: dict[str, _Copper] = {}
    fought = np.zeros((2, *grid.shape))
    for _turn in range(_TURNS):
        if not waiting:
            return Route(tuple(_tracks(grid, done)), tuple(_vias(grid, done)))
        net = waiting.pop(0)
        done[net] = _route_net(grid, net, done, fought)
        for other in _pushed(grid, net, done, fought):
            del done[other]
            waiting.append(other)
    raise RuntimeError(f"{table.name}: no way for {', '.join(waiting)}; move parts")


def _route_net(grid: _Grid, net: str, done: Mapping[str, _Copper], fought: Costs) -> _Copper:
    """Join the pads of one net, nearest first, over other nets' copper where there is no better way."""
    copper = _Copper(width_mm=width_mm(grid.table, net))
    pads = [pad for pad in grid.pads if pad.net == net]
    free, via_free = _walls(grid, net, copper.width_mm / 2)
    taken = _taken(grid, net, copper.width_mm / 2, done)
    price = 1.0 + np.where(taken, _PUSH_COST + fought, 0.0)
    via_taken = _taken(grid, net, VIA_MM / 2, done)
    via_price = _VIA_COST + np.where(via_taken[0] | via_taken[1], _PUSH_COST + fought.max(axis=0), 0.0)
    joined = _cells(grid, pads[0])
    rest = {index: _cells(grid, pad) for index, pad in enumerate(pads) if index}
    while rest:
        path = _path((free, via_free), (price, via_price), joined, set().union(*rest.values()))
        copper.paths.append(path)
        joined |= set(path)
        for key, cells in list(rest.items()):
            if cells & joined:
                joined |= rest.pop(key)
    return copper


def _pushed(grid: _Grid, net: str, done: Mapping[str, _Copper], fought: Costs) -> list[str]:
    """Return the nets that stand in the way of what a net has now, and remember where."""
    found = []
    for other, copper in done.items():
        if other == net:
            continue
        near = _taken(grid, other, copper.width_mm / 2, {net: done[net]})
        near_vias = _taken(grid, other, VIA_MM / 2, {net: done[net]})
        hits = [cell for path in copper.paths for cell in path if near[cell]]
        hits += [(0, *via) for via in copper.vias if near_vias[0][via] or near_vias[1][via]]
        if hits:
            found.append(other)
        for cell in hits:
            fought[cell] += _FOUGHT_COST
    return found


def _cells(grid: _Grid, pad: Pad) -> set[Cell]:
    """Return the cells well within a pad."""
    mask = np.zeros(grid.shape, dtype=bool)
    half_x, half_y = max(pad.half_x_mm - 0.1, 0.06), max(pad.half_y_mm - 0.1, 0.06)
    grid.paint(mask, (pad.x_mm - half_x, pad.y_mm - half_y, pad.x_mm + half_x, pad.y_mm + half_y))
    return {
        ("FB".index(layer), int(row), int(column))
        for layer in pad.layers
        for row, column in np.argwhere(mask)
    }


def _walls(grid: _Grid, net: str, half_mm: float) -> tuple[Mask, Mask]:
    """Return where the middle of a track of a net may be, by layer, and of a via: clear of pads, edges and holes."""
    blocked = np.stack([grid.outside(_EDGE_MM + half_mm)] * 2)
    vias = np.stack([grid.outside(_EDGE_MM + VIA_MM / 2)] * 2)
    for pad in grid.pads:
        if pad.net != net:
            _block_pad(grid, blocked, pad, half_mm + CLEARANCE_MM)
        _block_pad(grid, vias, pad, VIA_MM / 2 + CLEARANCE_MM)
    return ~blocked, ~(vias[0] | vias[1])


def _taken(grid: _Grid, net: str, half_mm: float, done: Mapping[str, _Copper]) -> Mask:
    """Return where copper of this half width would be too near to that of other nets."""
    mask = np.zeros((2, *grid.shape), dtype=bool)
    for other, copper in done.items():
        if other == net:
            continue
        reach = half_mm + CLEARANCE_MM + copper.width_mm / 2
        for layer, row, column in {cell for path in copper.paths for cell in path}:
            _square(grid, mask[layer], (row, column), reach)
        for via in copper.vias:
            for layer in (0, 1):
                _square(
                    grid, mask[layer], via, max(half_mm + CLEARANCE_MM + VIA_MM / 2, VIA_DRILL_MM + _HOLE_MM)
                )
    return mask


def _square(grid: _Grid, mask: Mask, cell: tuple[int, int], reach_mm: float) -> None:
    x_mm, y_mm = grid.middle(*cell)
    grid.paint(mask, (x_mm - reach_mm, y_mm - reach_mm, x_mm + reach_mm, y_mm + reach_mm))


def _block_pad(grid: _Grid, blocked: Mask, pad: Pad, keep_mm: float) -> None:
    for layer in pad.layers:
        grid.paint(
            blocked["FB".index(layer)],
            (
                pad.x_mm - pad.half_x_mm - keep_mm,
                pad.y_mm - pad.half_y_mm - keep_mm,
                pad.x_mm + pad.half_x_mm + keep_mm,
                pad.y_mm + pad.half_y_mm + keep_mm,
            ),
        )


def _path(
    walls: tuple[Mask, Mask], prices: tuple[Costs, Costs], starts: set[Cell], goals: set[Cell]
) -> list[Cell]:
    """Return the cheapest way from any start to any goal.

    Raises:
        RuntimeError: walls shut the goals off.
    """
    (free, via_free), (price, via_price) = walls, prices
    rows, columns = [cell[1] for cell in goals], [cell[2] for cell in goals]
    box = min(rows), max(rows), min(columns), max(columns)
    height, width = via_free.shape

    def guess(row: int, column: int) -> float:
        down = max(box[0] - row, 0, row - box[1])
        across = max(box[2] - column, 0, column - box[3])
        return max(down, across) + 0.414 * min(down, across)

    cost: dict[Cell, float] = dict.fromkeys(starts, 0.0)
    came: dict[Cell, Cell] = {}
    heap = [(guess(cell[1], cell[2]), cell) for cell in sorted(starts)]
    heapq.heapify(heap)
    closed: set[Cell] = set()
    while heap:
        _total, cell = heapq.heappop(heap)
        if cell in closed:
            continue
        closed.add(cell)
        if cell in goals:
            return _back(came, cell)
        layer, row, column = cell
        so_far = cost[cell]
        steps: list[tuple[Cell, float]] = []
        for dx, dy, long in _STEPS:
            down, across = row + dy, column + dx
            if 0 <= down < height and 0 <= across < width and free[layer, down, across]:
                steps.append(((layer, down, across), long * price[layer, down, across]))
        if via_free[row, column]:
            steps.append(((1 - layer, row, column), via_price[row, column]))
        for step, dear in steps:
            total = so_far + dear
            if step not in closed and total < cost.get(step, math.inf):
                cost[step] = total
                came[step] = cell
                heapq.heappush(heap, (total + guess(step[1], step[2]), step))
    raise RuntimeError("walls shut a pad off")


def _back(came: Mapping[Cell, Cell], cell: Cell) -> list[Cell]:
    path = [cell]
    while cell in came:
        cell = came[cell]
        path.append(cell)
    return path[::-1]


def _tracks(grid: _Grid, done: Mapping[str, _Copper]) -> Iterator[Track]:
    """Yield straight pieces: cells in one direction are one track."""
    for net, copper in done.items():
        for path in copper.paths:
            for run in _runs(path):
                yield Track(
                    net=net,
                    layer="FB"[run[0][0]],
                    start_mm=grid.middle(run[0][1], run[0][2]),
                    end_mm=grid.middle(run[1][1], run[1][2]),
                    width_mm=copper.width_mm,
                )


def _runs(path: Iterable[Cell]) -> Iterator[tuple[Cell, Cell]]:
    first = last = None
    step: tuple[int, int, int] | None = None
    for cell in path:
        if first is None or last is None:
            first = last = cell
            continue
        move = cell[0] - last[0], cell[1] - last[1], cell[2] - last[2]
        if move != step:
            if first != last and step is not None and step[0] == 0:
                yield first, last
            first, step = last, move
        last = cell
    if first is not None and last is not None and first != last and step is not None and step[0] == 0:
        yield first, last


def _vias(grid: _Grid, done: Mapping[str, _Copper]) -> Iterator[Via]:
    for net, copper in done.items():
        for row, column in copper.vias:
            yield Via(net=net, at_mm=grid.middle(row, column))

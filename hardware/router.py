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
_VIA_COST: Final = 25.0
_PUSH_COST: Final = 8.0
_FOUGHT_COST: Final = 6.0
_SHUN: Final = 0.1
"""This share of what a place was fought for is paid there even when it is free, so that a quarrel does not go on."""
_TURNS: Final = 1_500
_EAGER: Final = 1.3
_FINE_MM: Final = 0.1
"""On so fine a grid a board is small, and its layers have no ways of their own."""
_SIGNAL_MM, _POWER_MM, _LARGE_MM = 0.2, 0.35, 0.5
_LARGE_MA: Final = 500.0
_AGAINST: Final = 0.4
"""What a step costs more that does not run along its layer's way: up and down on F, across on B."""

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
    near: dict[float, Mask] = field(default_factory=dict)

    @property
    def vias(self) -> Iterator[tuple[int, int]]:
        for path in self.paths:
            for one, other in itertools.pairwise(path):
                if one[0] != other[0]:
                    yield one[1], one[2]


def width_mm(table: BoardTable, net: str) -> float:
    """Return the width of a net's tracks: wide where its table names a current, wider where that is large."""
    most_ma = table.current_ma.get(net, 0.0)
    return _SIGNAL_MM if not most_ma else _POWER_MM if most_ma < _LARGE_MA else _LARGE_MM


class _Grid:
    """The board's cells."""

    def __init__(self, table: BoardTable) -> None:
        self.step_mm = table.grid_mm
        xs, ys = zip(*table.outline_mm, strict=True)
        self.left, self.top = min(xs), min(ys)
        self.shape = (
            round((max(ys) - min(ys)) / self.step_mm) + 1,
            round((max(xs) - min(xs)) / self.step_mm) + 1,
        )
        self.table = table
        self.pads = tuple(table.pads())
        self._outside: dict[float, Mask] = {}

    def middle(self, row: int, column: int) -> tuple[float, float]:
        """Return a cell's place in mm."""
        return round(self.left + column * self.step_mm, 4), round(self.top + row * self.step_mm, 4)

    def paint(self, mask: Mask, box: tuple[float, float, float, float]) -> None:
        """Mark the cells whose middles lie strictly in a box (left, top, right, bottom)."""
        tiny = 1e-6
        first = (
            math.floor((box[1] - self.top) / self.step_mm + tiny) + 1,
            math.floor((box[0] - self.left) / self.step_mm + tiny) + 1,
        )
        last = (
            math.ceil((box[3] - self.top) / self.step_mm - tiny),
            math.ceil((box[2] - self.left) / self.step_mm - tiny),
        )
        mask[max(first[0], 0) : max(last[0], 0), max(first[1], 0) : max(last[1], 0)] = True

    def outside(self, keep_mm: float) -> Mask:
        """Return the cells that are nearer than this to the board's edge, or beyond it."""
        if keep_mm not in self._outside:
            rows, columns = np.indices(self.shape)
            x, y = self.left + columns * self.step_mm, self.top + rows * self.step_mm
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
    taken, via_taken = (_taken(grid, net, half_mm, done) for half_mm in (copper.width_mm / 2, VIA_MM / 2))
    price = np.where(free, 1.0 + fought * _SHUN + np.where(taken, _PUSH_COST + fought, 0.0), np.inf)
    pushed = np.where(via_taken[0] | via_taken[1], _PUSH_COST + fought.max(axis=0), 0.0)
    via_price = np.where(via_free, _VIA_COST + pushed, np.inf)
    ways = _Ways(price, via_price, by_layer=grid.table.grid_mm > _FINE_MM)
    joined = _cells(grid, pads[0])
    rest = {index: _cells(grid, pad) for index, pad in enumerate(pads) if index}
    while rest:
        path = ways.cheapest(joined, set().union(*rest.values()))
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
        near = _near(grid, done[net], copper.width_mm / 2)
        near_vias = _near(grid, done[net], VIA_MM / 2)
        hits = [cell for path in copper.paths for cell in path if near[cell]]
        hits += [(0, *via) for via in copper.vias if near_vias[0][via] or near_vias[1][via]]
        if hits:
            found.append(other)
        for cell in hits:
            fought[cell] += _FOUGHT_COST
    return found


def _cells(grid: _Grid, pad: Pad) -> set[Cell]:
    """Return the cells well within a pad; one with a drill is round."""
    mask = np.zeros(grid.shape, dtype=bool)
    least = grid.step_mm * 0.6
    inner = 0.7 if pad.drill_mm else 1.0
    half_x, half_y = (max(half * inner - 0.1, least) for half in (pad.half_x_mm, pad.half_y_mm))
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
        if other != net:
            mask |= _near(grid, copper, half_mm)
    return mask


def _near(grid: _Grid, copper: _Copper, half_mm: float) -> Mask:
    """Return where other copper of this half width would be too near to a net; calculated once."""
    if half_mm not in copper.near:
        mask = np.zeros((2, *grid.shape), dtype=bool)
        reach = half_mm + CLEARANCE_MM + copper.width_mm / 2
        for layer, row, column in {cell for path in copper.paths for cell in path}:
            _square(grid, mask[layer], (row, column), reach)
        for via in copper.vias:
            for layer in (0, 1):
                _square(
                    grid, mask[layer], via, max(half_mm + CLEARANCE_MM + VIA_MM / 2, VIA_DRILL_MM + _HOLE_MM)
                )
        copper.near[half_mm] = mask
    return copper.near[half_mm]


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


class _Ways:
    """What it costs to go from cell to cell, in flat lists with a wall around: A* looks at each of them often."""

    def __init__(self, price: Costs, via_price: Costs, *, by_layer: bool) -> None:
        around = ((0, 0), (1, 1), (1, 1))
        walled = np.pad(price, around, constant_values=np.inf)
        self._rows, self._width = walled.shape[1:]
        self._layer = self._rows * self._width
        self._price: list[float] = walled.ravel().tolist()
        self._via: list[float] = (
            np.pad(np.stack([via_price] * 2), around, constant_values=np.inf).ravel().tolist()
        )
        self._steps = tuple(
            tuple(
                (
                    dy * self._width + dx,
                    math.hypot(dx, dy) + (_AGAINST if by_layer and (dx if layer == 0 else dy) else 0.0),
                )
                for dx in (-1, 0, 1)
                for dy in (-1, 0, 1)
                if dx or dy
            )
            for layer in (0, 1)
        )

    def _flat(self, cell: Cell) -> int:
        return cell[0] * self._layer + (cell[1] + 1) * self._width + cell[2] + 1

    def _cell(self, flat: int) -> Cell:
        layer, rest = divmod(flat, self._layer)
        row, column = divmod(rest, self._width)
        return layer, row - 1, column - 1

    def cheapest(self, starts: set[Cell], goals: set[Cell]) -> list[Cell]:
        """Return the cheapest way from any start to any goal.

        Raises:
            RuntimeError: walls shut the goals off.
        """
        guess = self._guesses(goals)
        price, via, layer_size = self._price, self._via, self._layer
        cost = [math.inf] * len(price)
        came: dict[int, int] = {}
        ends = set(map(self._flat, goals))
        begins = sorted(map(self._flat, starts))
        for flat in begins:
            cost[flat] = 0.0
        heap = [(guess[flat % layer_size], flat) for flat in begins]
        heapq.heapify(heap)
        closed = bytearray(len(price))
        while heap:
            _total, flat = heapq.heappop(heap)
            if closed[flat]:
                continue
            closed[flat] = 1
            if flat in ends:
                return self._back(came, flat)
            so_far, layer = cost[flat], flat >= layer_size
            other = flat - layer_size if layer else flat + layer_size
            steps = [(flat + by, so_far + long * price[flat + by]) for by, long in self._steps[layer]]
            steps.append((other, so_far + via[flat]))
            for step, total in steps:
                if total < cost[step] and not closed[step]:
                    cost[step] = total
                    came[step] = flat
                    heapq.heappush(heap, (total + guess[step % layer_size], step))
        raise RuntimeError("walls shut a pad off")

    def _guesses(self, goals: set[Cell]) -> list[float]:
        """Return for each place about what is left to the goals' box: a little more finds a way much sooner."""
        rows, columns = [cell[1] + 1 for cell in goals], [cell[2] + 1 for cell in goals]
        at_row, at_column = np.arange(self._rows)[:, None], np.arange(self._width)[None, :]
        down = np.maximum(np.maximum(min(rows) - at_row, at_row - max(rows)), 0)
        across = np.maximum(np.maximum(min(columns) - at_column, at_column - max(columns)), 0)
        least = np.maximum(down, across) + 0.414 * np.minimum(down, across)
        found: list[float] = (least * _EAGER).ravel().tolist()
        return found

    def _back(self, came: Mapping[int, int], flat: int) -> list[Cell]:
        path = [self._cell(flat)]
        while flat in came:
            flat = came[flat]
            path.append(self._cell(flat))
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

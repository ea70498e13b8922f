"""Finds the tracks of a two-layer board: A* on a grid; a net may push others' tracks out of its way, which are tried anew.

Pads, edges and holes are walls; copper of other nets only costs, and the more the oftener it was fought for there.
What is found depends on the table alone, so it is the same each time.
"""

import heapq
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.table import BoardTable, Pad

__all__ = [
    "CLEARANCE_MM",
    "VIA_DRILL_MM",
    "VIA_MM",
    "Route",
    "Track",
    "Via",
    "is_carried_by_areas",
    "routed",
    "width_mm",
]

CLEARANCE_MM: Final = 0.2
VIA_MM: Final = 0.6
VIA_DRILL_MM: Final = 0.3
_EDGE_MM: Final = 0.35
_HOLE_MM: Final = 0.3
_VIA_COST: Final = 25.0
_PUSH_COST: Final = 8.0
_TIRED: Final = 0.1
"""To push costs more with each turn, so that nets rather go around."""
_FOUGHT_COST: Final = 6.0
_SHUN: Final = 0.1
"""This share of what a place was fought for is paid there even when it is free, so that a quarrel does not go on."""
_TURNS: Final = 1_500
_EAGER: Final = 1.3
_FINE_MM: Final = 0.1
"""On so fine a grid a board is small, and its layers have no ways of their own."""
_SIGNAL_MM: Final = 0.2
_POWER_MM: Final = ((500.0, 0.35), (1_900.0, 0.5), (3_200.0, 1.0), (4_300.0, 1.5))
"""Up to which current (mA) a track may be how wide: by IPC-2221 none of them is 20 K warmer."""
_AREAS_MA: Final = 1_900.0
"""A poured net with more than that has it in its areas."""
_ONE_SIDE_MM: Final = 1.0
"""So wide a track stays on its side: a via would be its narrowest place. Legs of parts lead to the other."""
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
            yield from _vias_of(path)


def _vias_of(path: Sequence[Cell]) -> Iterator[tuple[int, int]]:
    for one, other in itertools.pairwise(path):
        if one[0] != other[0]:
            yield one[1], one[2]


def is_carried_by_areas(table: BoardTable) -> bool:
    """Whether the poured net carries so much that its areas must do it, not its tracks."""
    return table.current_ma.get(table.poured, 0.0) >= _AREAS_MA


def width_mm(table: BoardTable, net: str) -> float:
    """Return the width of a net's tracks: wide where its table names a current, wider where that is large.

    Where areas carry the poured net's current, its tracks only lead small parts to them: 0.5 mm.

    Raises:
        ValueError: no track is wide enough.
    """
    most_ma = table.current_ma.get(net, 0.0)
    if not most_ma:
        return _SIGNAL_MM
    if net == table.poured and is_carried_by_areas(table):
        most_ma = _AREAS_MA - 1
    fitting = [wide for limit_ma, wide in _POWER_MM if most_ma < limit_ma]
    if not fitting:
        raise ValueError(f"{table.name}: no track carries the {most_ma:g} mA of {net}; split it")
    return fitting[0]


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
    done = {net: _Copper(width_mm=width_mm(table, net)) for net in waiting}
    fought = np.zeros((2, *grid.shape))
    for turn in range(_TURNS):
        if not waiting:
            for net, copper in done.items():
                _trim(copper, set().union(*(_cells(grid, pad) for pad in grid.pads if pad.net == net)))
            return Route(tuple(_tracks(grid, done)), tuple(_vias(grid, done)))
        net = waiting.pop(0)
        _route_net(grid, net, done, fought, push=_PUSH_COST + turn * _TIRED)
        waiting += [other for other in _pushed(grid, net, done, fought) if other not in waiting]
    raise RuntimeError(f"{table.name}: no way for {', '.join(waiting)}; move parts")


def _route_net(grid: _Grid, net: str, done: Mapping[str, _Copper], fought: Costs, *, push: float) -> None:
    """Join what is apart of one net, over other nets' copper where there is no better way."""
    copper = done[net]
    free, via_free = _walls(grid, net, copper.width_mm / 2)
    taken, via_taken = (_taken(grid, net, half_mm, done) for half_mm in (copper.width_mm / 2, VIA_MM / 2))
    price = np.where(free, 1.0 + fought * _SHUN + np.where(taken, push + fought, 0.0), np.inf)
    pushed = np.where(via_taken[0] | via_taken[1], push + fought.max(axis=0), 0.0)
    if copper.width_mm >= _ONE_SIDE_MM:
        via_free = np.zeros_like(via_free)
    via_price = np.where(via_free, _VIA_COST + pushed, np.inf)
    ways = _Ways(price, via_price, by_layer=grid.step_mm > _FINE_MM)
    copper.paths += ways.joined(_groups(grid, net, copper))
    copper.near.clear()


def _groups(grid: _Grid, net: str, copper: _Copper) -> list[set[Cell]]:
    """Return the cells of a net's pads and tracks, those that touch each other together."""
    groups: list[set[Cell]] = []
    pieces = [_cells(grid, pad) for pad in grid.pads if pad.net == net]
    for piece in [*pieces, *map(set, copper.paths)]:
        touching = [group for group in groups if not group.isdisjoint(piece)]
        groups = [group for group in groups if group.isdisjoint(piece)]
        groups.append(piece.union(*touching))
    return groups


def _pushed(grid: _Grid, net: str, done: Mapping[str, _Copper], fought: Costs) -> list[str]:
    """Take away what stands in the way of a net now, remember where, and return whose it was."""
    found = []
    for other, copper in done.items():
        if other == net or not copper.paths:
            continue
        near = _near(grid, done[net], copper.width_mm / 2)
        near_vias = _near(grid, done[net], VIA_MM / 2)
        kept = []
        for path in copper.paths:
            hits = [cell for cell in path if near[cell]]
            hits += [(0, *via) for via in _vias_of(path) if near_vias[0][via] or near_vias[1][via]]
            for cell in hits:
                fought[cell] += _FOUGHT_COST
            if not hits:
                kept.append(path)
        if len(kept) < len(copper.paths):
            found.append(other)
            copper.paths = kept
            copper.near.clear()
    return found


def _trim(copper: _Copper, pads: set[Cell]) -> None:
    """Cut off ends that lead nowhere since what they led to was pushed away."""
    is_cut = True
    while is_cut:
        is_cut = False
        for index, path in enumerate(copper.paths):
            others = pads.union(*(one for at, one in enumerate(copper.paths) if at != index))
            kept = [at for at, cell in enumerate(path) if cell in others]
            short = path[kept[0] : kept[-1] + 1] if kept else []
            is_cut = is_cut or len(short) < len(path)
            copper.paths[index] = short
        copper.paths = [path for path in copper.paths if len(path) > 1]


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
        self._rows, self._width = int(walled.shape[1]), int(walled.shape[2])
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
        return layer, rest // self._width - 1, rest % self._width - 1

    def joined(self, pads: list[set[Cell]]) -> list[list[Cell]]:
        """Return ways that join all pads to the first: one after the other, the cheapest from what is joined.

        Raises:
            RuntimeError: walls shut a pad off.
        """
        groups = [sorted(map(self._flat, pad)) for pad in pads]
        whose = {flat: number for number, group in enumerate(groups) for flat in group}
        waiting = set(range(1, len(groups)))
        guess = self._guesses(pads[1]) if len(pads) == 2 else [0.0] * self._layer
        cost, came, paths = [math.inf] * len(self._price), dict[int, int](), list[list[Cell]]()
        heap: list[tuple[float, float, int]] = []

        def begin(flats: Iterable[int]) -> None:
            for flat in flats:
                cost[flat] = 0.0
                came.pop(flat, None)
                heapq.heappush(heap, (guess[flat % self._layer], 0.0, flat))

        begin(groups[0])
        while waiting and heap:
            _total, so_far, flat = heapq.heappop(heap)
            if so_far > cost[flat]:
                continue
            number = whose.get(flat, 0)
            if number in waiting:
                way = self._back(came, flat)
                paths.append([self._cell(one) for one in way])
                found = {number, *(whose[one] for one in way if one in whose)}
                waiting -= found
                begin([*way, *(one for each in sorted(found) for one in groups[each])])
                continue
            for step, total in self._onward(flat, so_far):
                if total < cost[step]:
                    cost[step] = total
                    came[step] = flat
                    heapq.heappush(heap, (total + guess[step % self._layer], total, step))
        if waiting:
            raise RuntimeError("walls shut a pad off")
        return paths

    def _onward(self, flat: int, so_far: float) -> list[tuple[int, float]]:
        """Return the cells around a cell and the one on the other layer, and what it costs to be there."""
        layer, price = flat >= self._layer, self._price
        steps = [(flat + by, so_far + long * price[flat + by]) for by, long in self._steps[layer]]
        steps.append((flat - self._layer if layer else flat + self._layer, so_far + self._via[flat]))
        return steps

    def _guesses(self, goals: set[Cell]) -> list[float]:
        """Return for each place about what is left to the goals' box: a little more finds a way much sooner."""
        rows, columns = [cell[1] + 1 for cell in goals], [cell[2] + 1 for cell in goals]
        at_row, at_column = np.arange(self._rows)[:, None], np.arange(self._width)[None, :]
        down = np.maximum(np.maximum(min(rows) - at_row, at_row - max(rows)), 0)
        across = np.maximum(np.maximum(min(columns) - at_column, at_column - max(columns)), 0)
        least = np.maximum(down, across) + 0.414 * np.minimum(down, across)
        found: list[float] = (least * _EAGER).ravel().tolist()
        return found

    def _back(self, came: Mapping[int, int], flat: int) -> list[int]:
        way = [flat]
        while flat in came:
            flat = came[flat]
            way.append(flat)
        return way[::-1]


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

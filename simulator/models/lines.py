"""Finds centre lines for a tile entry, where a model's channels do not run as they usually do."""

from collections.abc import Iterable
from math import hypot
from typing import Final

import numpy as np
from hextraction.board.grid import edge_middle_mm, turned
from hextraction.board.routes import Ending, RouteTable
from hextraction.board.tiles import Line, TileShape
from hextraction.simulator.channels import Shape, centre_lines, shape_of
from hextraction.simulator.models.anatomy import Anatomy
from hextraction.simulator.models.space import CELL_MM, PITCH_MM, Space
from numpy.typing import NDArray
from scipy import ndimage, sparse
from scipy.sparse.csgraph import dijkstra
from shapely import LineString
from shapely.ops import substring

__all__ = ["lines_of"]

_NEAR_MM: Final = 0.75
_SAMPLE_MM: Final = 0.5
_OUTER_MM: Final = 23.5
_DEAD_END_MM: Final = 18.5
_ROUGH_MM: Final = 0.35
_STRAIGHT_MM: Final = 3.5
_ASIDE_MM: Final = 1.0
_SQUEEZED_MM: Final = 0.2
_SPARE_MM: Final = 0.5
"""By how much a channel is wider than a ball, on each side: a line ends so much before the ball does."""

_Point = tuple[float, float]


def lines_of(anatomy: Anatomy, space: Space, table: RouteTable) -> tuple[Line, ...]:
    """Return the centre lines of the channels that do not run as usual."""
    free = ndimage.binary_dilation(anatomy.free, iterations=round(_NEAR_MM / CELL_MM))
    depth = {end.edge: end.middle_mm for end in anatomy.dead_ends}
    lines: list[Line] = []
    for group in anatomy.joins:
        if len(group) == 1:
            edge = group[0]
            if edge in depth and (line := _ended(anatomy.free, free, space, edge, depth[edge])):
                lines.append(line)
        elif not _fit(free, space, centre_lines(group, _shape((group,)))):
            lines += _own(free, space, group, table)
    return tuple(lines)


def _shape(channels: tuple[tuple[int, ...], ...]) -> Shape:
    return shape_of(TileShape(name="draft", title="Draft", channels=channels), 0, PITCH_MM)


def _fit(free: NDArray[np.bool_], space: Space, lines: list[list[_Point]]) -> bool:
    """Whether a ball's centre can be everywhere on some lines."""
    for line in lines:
        way = LineString(line)
        for far in np.arange(0.0, way.length, _SAMPLE_MM):
            point = way.interpolate(far)
            if hypot(point.x, point.y) < _OUTER_MM and not _is_free(free, space, (point.x, point.y)):
                return False
    return True


def _is_free(free: NDArray[np.bool_], space: Space, place: _Point) -> bool:
    column, row = (round((place[axis] - space.low[axis]) / CELL_MM) for axis in (0, 1))
    return bool(free[column, row])


def _own(free: NDArray[np.bool_], space: Space, group: tuple[int, ...], table: RouteTable) -> list[Line]:
    """Return lines between the mouths that balls from above run between."""
    pairs = {_pair(group, edge, table) for edge in group}
    return [
        pair if _fit(free, space, centre_lines(pair, _shape((pair,)))) else _traced(free, space, pair)
        for pair in sorted(pairs)
    ]


def _pair(group: tuple[int, ...], edge: int, table: RouteTable) -> tuple[int, int]:
    """Return an edge and that by which most balls leave that come over it when it is on top."""
    row = table.row((1 - edge) % 6, edge)
    others = [other for other in group if other != edge]
    best = max(others, key=lambda other: (row.share(Ending.OUT, other), (turned(other, -edge) - 3) ** 2 * -1))
    return min(edge, best), max(edge, best)


def _ended(
    bare: NDArray[np.bool_], free: NDArray[np.bool_], space: Space, edge: int, deep_mm: float
) -> Line | None:
    """Return the line of a dead end, until so far as its ball fills it; None if it is as usual."""
    cells, graph = _graph(free)
    here = _cell_before(cells, space, edge)
    far, before = dijkstra(graph, directed=False, indices=here, return_predecessors=True)
    places = space.low[:2] + CELL_MM * cells
    reached = np.isfinite(far) & bare[cells[:, 0], cells[:, 1]]
    last = int(np.where(reached, far, -1.0).argmax())
    across, down = edge_middle_mm(edge, 2.0)
    x, y = places[last].tolist()
    ahead, aside = across * x + down * y, across * y - down * x
    if abs(aside) < _ASIDE_MM:
        stop = deep_mm if ahead > 0 else ahead + _SQUEEZED_MM
        if abs(stop - _DEAD_END_MM) <= 1.0:
            return None
        return edge, *_rounded([(across * (stop + _SPARE_MM), down * (stop + _SPARE_MM))])
    way = LineString(_smooth(space, cells, _way(before, here, last)))
    end = way.interpolate(max(way.length - _SQUEEZED_MM - _SPARE_MM, _STRAIGHT_MM))
    inner = substring(way, 0.0, way.project(end)).simplify(_ROUGH_MM)
    begin, *rest = inner.coords
    return edge, *_rounded(p for p in rest if hypot(p[0] - begin[0], p[1] - begin[1]) > _STRAIGHT_MM)


def _traced(free: NDArray[np.bool_], space: Space, pair: tuple[int, int]) -> Line:
    """Return the shortest way between two mouths that keeps to the middle of the channel."""
    cells, graph = _graph(free)
    here, there = (_cell_before(cells, space, edge) for edge in pair)
    _, before = dijkstra(graph, directed=False, indices=here, return_predecessors=True)
    return (pair[0], *_few(_smooth(space, cells, _way(before, here, there))), pair[1])


def _graph(free: NDArray[np.bool_]) -> tuple[NDArray[np.int64], sparse.csr_array]:
    """Return the free cells, and how far it is between those side by side: farther near the walls."""
    deep = ndimage.distance_transform_edt(free)
    number = np.full(free.shape, -1)
    number[free] = np.arange(int(free.sum()))
    begins, ends, costs = [], [], []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        one = number[: -dx or None, max(0, -dy) : -dy if dy > 0 else None]
        other = number[dx:, max(0, dy) : dy if dy < 0 else None]
        depth = deep[dx:, max(0, dy) : dy if dy < 0 else None]
        both = (one >= 0) & (other >= 0)
        begins.append(one[both])
        ends.append(other[both])
        costs.append(hypot(dx, dy) * (1 + 3 / depth[both]))
    many = int(free.sum())
    graph = sparse.coo_array(
        (np.concatenate(costs), (np.concatenate(begins), np.concatenate(ends))), shape=(many, many)
    ).tocsr()
    return np.argwhere(free), graph


def _way(before: NDArray[np.int32], here: int, there: int) -> list[int]:
    way = [there]
    while way[-1] != here:
        way.append(int(before[way[-1]]))
    return way[::-1]


def _smooth(space: Space, cells: NDArray[np.int64], way: list[int]) -> NDArray[np.float64]:
    places = space.low[:2] + CELL_MM * cells[way]
    return np.asarray(ndimage.gaussian_filter1d(places, 4, axis=0, mode="nearest"))


def _cell_before(cells: NDArray[np.int64], space: Space, edge: int) -> int:
    x, y = edge_middle_mm(edge, 2 * _OUTER_MM)
    return int(np.hypot(*(space.low[:2] + CELL_MM * cells - [x, y]).T).argmin())


def _few(smooth: NDArray[np.float64]) -> list[_Point]:
    """Return few points that say the same, without those so near the edges that the way is straight there."""
    found = list(LineString(smooth).simplify(_ROUGH_MM).coords)
    ends = found[0], found[-1]
    return _rounded(p for p in found[1:-1] if all(hypot(p[0] - x, p[1] - y) > _STRAIGHT_MM for x, y in ends))


def _rounded(points: Iterable[tuple[float, ...]]) -> list[_Point]:
    return [(round(x, 1) + 0.0, round(y, 1) + 0.0) for x, y, *_ in points]

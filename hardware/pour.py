"""Fills what tracks leave of a board with one net's copper, on both sides; of its own because only it needs polygons.

Pads of that net are left free as others are: their tracks are the bridges that a soldering iron can still warm. Where
the net carries more than a track does, legs that go through the board get four wide bridges on both sides besides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import shapely
from shapely.geometry import LineString, Point, Polygon, box

from hardware.router import VIA_MM, Route, is_carried_by_areas
from hardware.table import BoardTable, Pad

__all__ = ["Fill", "poured"]

_KEEP_MM: Final = 0.25
_EDGE_MM: Final = 0.45
_THIN_MM: Final = 0.25
"""Copper that would be narrower is left away."""
_BRIDGE_MM: Final = 1.0
_ROUND: Final = 4
_FINE_MM: Final = 0.001

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """One piece of poured copper: its edge in mm, which also runs around the holes in it."""

    net: str
    layer: str
    edge_mm: tuple[Spot, ...]


def poured(table: BoardTable, route: Route) -> tuple[Fill, ...]:
    """Return the pieces of the poured net that hang on a track or via of it; none if nothing is poured."""
    if not table.poured:
        return ()
    return tuple(
        Fill(net=table.poured, layer=layer, edge_mm=tuple(_one_edge(piece)))
        for layer in "FB"
        for piece in _pieces(table, route, layer)
    )


def _pieces(table: BoardTable, route: Route, layer: str) -> list[Polygon]:
    area = Polygon(table.outline_mm).buffer(-_EDGE_MM, join_style="mitre")
    bridges = shapely.union_all(list(_bridges(table, layer)))
    others = list(_kept_free(table, route, layer))
    own_pads = [pad.difference(bridges) for pad in _around_pads(table, layer, own=True)]
    area = area.difference(shapely.union_all([*others, *own_pads]))
    area = area.buffer(-_THIN_MM / 2, quad_segs=_ROUND).buffer(_THIN_MM / 2 - 0.01, quad_segs=_ROUND)
    area = shapely.set_precision(area.simplify(0.005), _FINE_MM)
    own = shapely.union_all(
        [
            LineString([one.start_mm, one.end_mm])
            for one in route.tracks
            if (one.net, one.layer) == (table.poured, layer)
        ]
        + [Point(one.at_mm) for one in route.vias if one.net == table.poured]
        + [bridges]
    )
    pieces = [one for one in shapely.get_parts(area) if isinstance(one, Polygon) and one.intersects(own)]
    return sorted(pieces, key=lambda one: one.bounds)


def _kept_free(table: BoardTable, route: Route, layer: str) -> Iterator[shapely.Geometry]:
    """Yield what poured copper must not touch: the edge's holes, and copper of other nets."""
    for x_mm, y_mm, wide_mm in table.holes_mm:
        yield Point(x_mm, y_mm).buffer(wide_mm / 2 + _EDGE_MM)
    for left, top, right, bottom in table.windows():
        yield box(left - _EDGE_MM, top - _EDGE_MM, right + _EDGE_MM, bottom + _EDGE_MM)
    yield from _around_pads(table, layer, own=False)
    for one in route.tracks:
        if one.layer == layer and one.net != table.poured:
            line = LineString([one.start_mm, one.end_mm])
            yield line.buffer(one.width_mm / 2 + _KEEP_MM, quad_segs=_ROUND)
    for via in route.vias:
        if via.net != table.poured:
            yield Point(via.at_mm).buffer(VIA_MM / 2 + _KEEP_MM, quad_segs=_ROUND)


def _around_pads(table: BoardTable, layer: str, *, own: bool) -> Iterator[Polygon]:
    """Yield the pads of the poured net, or all others, with what is kept free around them."""
    for pad in table.pads():
        if layer in pad.layers and (pad.net == table.poured) == own:
            half_x, half_y = pad.half_x_mm + _KEEP_MM, pad.half_y_mm + _KEEP_MM
            yield box(pad.x_mm - half_x, pad.y_mm - half_y, pad.x_mm + half_x, pad.y_mm + half_y)


def _bridges(table: BoardTable, layer: str) -> Iterator[shapely.Geometry]:
    """Yield a cross over each leg of the poured net, if its areas carry what tracks cannot."""
    if not is_carried_by_areas(table):
        return
    for pad in table.pads():
        if pad.drill_mm and layer in pad.layers and pad.net == table.poured:
            yield _bar(pad, pad.half_x_mm + _KEEP_MM, _BRIDGE_MM / 2)
            yield _bar(pad, _BRIDGE_MM / 2, pad.half_y_mm + _KEEP_MM)


def _bar(pad: Pad, half_x: float, half_y: float) -> Polygon:
    return box(pad.x_mm - half_x, pad.y_mm - half_y, pad.x_mm + half_x, pad.y_mm + half_y)


def _one_edge(piece: Polygon) -> list[Spot]:
    """Return one edge around a piece and its holes: from each hole's left end a slit goes left to what is there."""
    edge = _spots(piece.exterior.coords)
    holes = [_spots(ring.coords) for ring in piece.interiors]
    for hole in sorted(holes, key=min):
        first = hole.index(min(hole))
        at, x_mm = _left_of(edge, hole[first])
        slit = (round(x_mm, 4), hole[first][1])
        edge = [*edge[: at + 1], slit, *hole[first:], *hole[: first + 1], slit, *edge[at + 1 :]]
    return edge


def _spots(coordinates: Sequence[tuple[float, ...]]) -> list[Spot]:
    return [(round(spot[0], 4), round(spot[1], 4)) for spot in coordinates][:-1]


def _left_of(edge: Sequence[Spot], spot: Spot) -> tuple[int, float]:
    """Return after which corner the edge is straight left of a spot, and where."""
    found = (-1, float("-inf"))
    for at, ((ax, ay), (bx, by)) in enumerate(zip(edge, (*edge[1:], edge[0]), strict=True)):
        if (ay <= spot[1]) != (by <= spot[1]):
            x_mm = ax + (bx - ax) * (spot[1] - ay) / (by - ay)
            if found[1] < x_mm <= spot[0]:
                found = at, x_mm
    return found

"""The walls that a ball meets on a laid tile.

A tile is a hexagon of plastic minus its channels. Channels are 11 mm wide; two edges are joined by a curve
that leaves both at right angles, three or more meet in the middle, a single one ends there. A tile with
unpublished channels is an open dish with a mouth in each edge. Dimensions follow measured tiles.
"""

import functools
import itertools
import math
from dataclasses import dataclass
from typing import Final

from hextraction.board.grid import EDGES, edge_middle_mm, turned
from hextraction.board.tiles import TileShape
from hextraction.simulator.fittings import Wall, flapper, peg_walls, pockets
from shapely import LineString, Point, Polygon, union_all
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

__all__ = [
    "HALF_CHANNEL_MM",
    "RAMP_MM",
    "Shape",
    "Wall",
    "mouths",
    "places",
    "ramp_walls",
    "shape_of",
    "tile_walls",
]

HALF_CHANNEL_MM: Final = 5.5
RAMP_MM: Final = 20.5
_DISH_MM: Final = 21.0
_BEYOND_MM: Final = 8.0
_ARC_POINTS: Final = 12
_SMOOTH_MM: Final = 0.03
_PLAY_MM: Final = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The part of a laid tile that affects a ball. ``open_exit`` is where a flip-flop points, else 0.

    ``half_mm`` is half a channel's width. ``lean``: two joined edges are drawn as two straight pieces, whose
    joint lies between the middle of the tile (0) and halfway between the edges (1); ``None``: as an arc.
    """

    channels: tuple[tuple[int, ...], ...] | None
    turns: int
    pitch_mm: float
    holds: int = 0
    scatters: bool = False
    alternates: tuple[int, ...] = ()
    open_exit: int = 0
    half_mm: float = HALF_CHANNEL_MM
    lean: float | None = None


def shape_of(tile: TileShape, turns: int, pitch_mm: float, passed: int = 0) -> Shape:
    """Return the shape of a tile; a flip-flop has flipped ``passed`` times."""
    return Shape(
        channels=tile.channels,
        turns=turns % 6,
        pitch_mm=pitch_mm,
        holds=tile.holds,
        scatters=tile.scatters,
        alternates=tile.alternates,
        open_exit=tile.alternates[passed % len(tile.alternates)] if tile.alternates else 0,
    )


@functools.cache
def tile_walls(shape: Shape) -> tuple[Wall, ...]:
    """Return the walls around the middle of the slot, with the tile turned as it lies."""
    solid = _hexagon(shape.pitch_mm).difference(_hollow(shape))
    walls = _outline(solid) + (peg_walls(shape.pitch_mm) if shape.scatters else ())
    if shape.open_exit:
        joined = next((edges for edges in shape.channels or () if shape.open_exit in edges), EDGES)
        walls += flapper(joined, shape.alternates, shape.open_exit)
    return tuple(_turned(wall, shape.turns) for wall in walls)


@functools.cache
def places(shape: Shape) -> tuple[tuple[float, float], ...]:
    """Return where a hand would put a ball on the tile: into its pockets first, then near its middle."""
    free = _hollow(shape).buffer(-HALF_CHANNEL_MM + _PLAY_MM)
    within = free.intersection(_hexagon(shape.pitch_mm - 2 * HALF_CHANNEL_MM))
    near = [] if within.is_empty else [nearest_points(within, Point(0, 0))[0]]
    points = [floor[-1] for floor in _pocket_floors(shape)] + [(point.x, point.y) for point in near]
    return tuple(_turned((*point, *point), shape.turns)[:2] for point in points) or ((0.0, 0.0),)


def mouths(shape: Shape) -> tuple[int, ...]:
    """Return the edges (as the tile lies) in which a channel opens."""
    return tuple(sorted(turned(edge, shape.turns) for group in _groups(shape) for edge in group))


def ramp_walls(edge: int, pitch_mm: float) -> tuple[Wall, ...]:
    """Return the guide above an inlet: two sides and an end, around the middle of the slot."""
    across, down = edge_middle_mm(edge, 2.0)
    near, far = pitch_mm / 2, pitch_mm / 2 + RAMP_MM
    left, right = (
        [(across * way - side * down, down * way + side * across) for way in (near, far)]
        for side in (-HALF_CHANNEL_MM, HALF_CHANNEL_MM)
    )
    return ((*left[0], *left[1]), (*left[1], *right[1]), (*right[0], *right[1]))


def _hexagon(pitch_mm: float) -> Polygon:
    corner_mm = pitch_mm / math.sqrt(3)
    angles = [math.radians(60 * index) for index in range(6)]
    return Polygon([(corner_mm * math.cos(angle), corner_mm * math.sin(angle)) for angle in angles])


def _hollow(shape: Shape) -> BaseGeometry:
    groups = _groups(shape)
    lines = [line for group in groups for line in _lines(group, shape.pitch_mm, shape.lean)]
    parts: list[BaseGeometry] = [LineString(line).buffer(shape.half_mm) for line in lines]
    if shape.channels is None or shape.scatters:
        parts.append(Point(0, 0).buffer(_DISH_MM))
    elif shape.holds:
        parts += [Polygon(floor).buffer(HALF_CHANNEL_MM) for floor in _pocket_floors(shape)]
    return union_all(parts)


def _pocket_floors(shape: Shape) -> list[list[tuple[float, float]]]:
    if shape.channels is None or not shape.holds:
        return []
    return pockets([_run(group, shape.pitch_mm) for group in shape.channels], shape.holds)


def _groups(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """Return the channels; a dish has all six mouths, but not the lowest one if it holds balls."""
    if shape.channels is not None:
        return shape.channels
    return ((1, 2, 3, 5, 6),) if shape.holds else (EDGES,)


def _lines(
    group: tuple[int, ...], pitch_mm: float, lean: float | None = None
) -> list[list[tuple[float, float]]]:
    """Return the centre lines of a channel, each extending a little beyond its edges."""
    if len(group) == 2 and lean is not None:
        ends = [edge_middle_mm(edge, pitch_mm) for edge in group]
        joint = tuple(lean * (one + two) / 2 for one, two in zip(*ends, strict=True))
        mouths = [_mouth(edge, pitch_mm) for edge in group]
        return [[mouths[0], ends[0], (joint[0], joint[1]), ends[1], mouths[1]]]
    if len(group) == 2:
        return [_curve(group[0], group[1], pitch_mm)]
    return [[_mouth(edge, pitch_mm), (0.0, 0.0)] for edge in group]


def _run(group: tuple[int, ...], pitch_mm: float) -> list[list[tuple[float, float]]]:
    """Return the stretches of a channel, clipped to the tile, that can have a pocket beside them."""
    if len(group) == 2:
        return [_curve(group[0], group[1], pitch_mm)[1:-1]]
    return [[(0.0, 0.0), edge_middle_mm(edge, pitch_mm)] for edge in group]


def _mouth(edge: int, pitch_mm: float) -> tuple[float, float]:
    return edge_middle_mm(edge, pitch_mm + 2 * _BEYOND_MM)


def _curve(first: int, second: int, pitch_mm: float) -> list[tuple[float, float]]:
    """Return the path between two edges: straight, or an arc about the point where their lines meet."""
    ends = edge_middle_mm(first, pitch_mm), edge_middle_mm(second, pitch_mm)
    way = [_mouth(first, pitch_mm), *ends, _mouth(second, pitch_mm)]
    apart = (second - first) % 6
    if apart != 3:
        way[1:3] = _arc(*ends, apart if apart < 3 else apart - 6)
    return way


def _arc(begin: tuple[float, float], end: tuple[float, float], sixths: int) -> list[tuple[float, float]]:
    # The lines of the two edges meet on the bisector, equally far from both edges' middles.
    middle = (begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2
    stretch = 1 / math.cos(math.radians(30 * sixths)) ** 2
    about = middle[0] * stretch, middle[1] * stretch
    radius = math.dist(about, begin)
    start = math.atan2(begin[1] - about[1], begin[0] - about[0])
    swing = -math.copysign(math.pi, sixths) + math.radians(60 * sixths)
    steps = [start + swing * index / _ARC_POINTS for index in range(_ARC_POINTS + 1)]
    return [(about[0] + radius * math.cos(angle), about[1] + radius * math.sin(angle)) for angle in steps]


def _outline(solid: BaseGeometry) -> tuple[Wall, ...]:
    walls: list[Wall] = []
    for part in getattr(solid, "geoms", [solid]):
        if isinstance(part, Polygon) and not part.is_empty:
            smooth = part.simplify(_SMOOTH_MM)
            for ring in (smooth.exterior, *smooth.interiors):
                points = list(ring.coords)
                walls += [(*a, *b) for a, b in itertools.pairwise(points)]
    return tuple(walls)


def _turned(wall: Wall, turns: int) -> Wall:
    cos, sin = math.cos(math.radians(60 * turns)), math.sin(math.radians(60 * turns))
    ax, ay, bx, by = wall
    return ax * cos - ay * sin, ax * sin + ay * cos, bx * cos - by * sin, bx * sin + by * cos

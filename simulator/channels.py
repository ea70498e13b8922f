"""The walls that a ball meets on a laid tile.

A tile is a hexagon of plastic minus its channels. Channels are 11 mm wide and run along the centre lines of
the tile, if it has any; else two edges are joined by a curve that leaves both at right angles, three or more
meet in the middle, and a single one ends soon after its mouth. A tile with unpublished channels is an open
dish with a mouth in each edge. Dimensions follow measured tiles.
"""

import functools
import itertools
import math
from dataclasses import dataclass
from typing import Final

from hextraction.board.grid import EDGES, edge_middle_mm, turned
from hextraction.board.tiles import Line, TileShape
from hextraction.simulator.fittings import Wall, flapper, peg_walls, pockets
from shapely import LineString, Point, Polygon, union_all
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

__all__ = [
    "HALF_CHANNEL_MM",
    "RAMP_MM",
    "Shape",
    "Wall",
    "centre_lines",
    "dips",
    "hollow",
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
_DEAD_END_MM: Final = 19.0
"""How far from the middle a dead end's centre line ends; a ball's centre comes half a millimetre further."""
_BENDS: Final = 8
"""Into how many pieces a line is cut between two of its points."""


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
    lines: tuple[Line, ...] = ()


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
        lines=tile.lines,
    )


@functools.cache
def tile_walls(shape: Shape) -> tuple[Wall, ...]:
    """Return the walls around the middle of the slot, with the tile turned as it lies."""
    solid = _hexagon(shape.pitch_mm).difference(hollow(shape))
    walls = _outline(solid) + (peg_walls(shape.pitch_mm) if shape.scatters else ())
    if shape.open_exit:
        joined = next((edges for edges in shape.channels or () if shape.open_exit in edges), EDGES)
        walls += flapper(joined, shape.alternates, shape.open_exit)
    return tuple(_turned(wall, shape.turns) for wall in walls)


@functools.cache
def places(shape: Shape) -> tuple[tuple[float, float], ...]:
    """Return where a hand would put a ball on the tile: into its pockets first, then near its middle."""
    free = hollow(shape).buffer(-HALF_CHANNEL_MM + _PLAY_MM)
    within = free.intersection(_hexagon(shape.pitch_mm - 2 * HALF_CHANNEL_MM))
    near = [] if within.is_empty else [nearest_points(within, Point(0, 0))[0]]
    points = [floor[-1] for floor in _pocket_floors(shape)] + [(point.x, point.y) for point in near]
    return tuple(_turned((*point, *point), shape.turns)[:2] for point in points) or ((0.0, 0.0),)


def dips(shape: Shape) -> BaseGeometry | None:
    """Return where the round bottom of the channels is deepest, the tile upright; None for a dish."""
    if shape.channels is None or shape.scatters:
        return None
    runs: list[BaseGeometry] = [
        LineString(line) for group in shape.channels for line in centre_lines(group, shape)
    ]
    return union_all(runs + [Polygon(floor) for floor in _pocket_floors(shape)])


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


def hollow(shape: Shape) -> BaseGeometry:
    """Return where the tile, upright, is open from above: channels, dish and pockets."""
    groups = _groups(shape)
    lines = [line for group in groups for line in centre_lines(group, shape)]
    parts: list[BaseGeometry] = [LineString(line).buffer(shape.half_mm) for line in lines]
    if shape.channels is None or shape.scatters:
        parts.append(Point(0, 0).buffer(_DISH_MM))
    elif shape.holds:
        parts += [Polygon(floor).buffer(HALF_CHANNEL_MM) for floor in _pocket_floors(shape)]
    return union_all(parts)


def _pocket_floors(shape: Shape) -> list[list[tuple[float, float]]]:
    if shape.channels is None or not shape.holds:
        return []
    return pockets([_run(group, shape) for group in shape.channels], shape.holds)


def _groups(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """Return the channels; a dish has all six mouths, but not the lowest one if it holds balls."""
    if shape.channels is not None:
        return shape.channels
    return ((1, 2, 3, 5, 6),) if shape.holds else (EDGES,)


def centre_lines(group: tuple[int, ...], shape: Shape) -> list[list[tuple[float, float]]]:
    """Return the centre lines of a channel, each extending a little beyond its edges."""
    pitch_mm = shape.pitch_mm
    own = [line for line in shape.lines if any(point in group for point in line)]
    if own:
        return [_drawn(line, pitch_mm) for line in own]
    if len(group) == 2 and shape.lean is not None:
        ends = [edge_middle_mm(edge, pitch_mm) for edge in group]
        joint = tuple(shape.lean * (one + two) / 2 for one, two in zip(*ends, strict=True))
        mouths = [_mouth(edge, pitch_mm) for edge in group]
        return [[mouths[0], ends[0], (joint[0], joint[1]), ends[1], mouths[1]]]
    if len(group) == 2:
        return [_curve(group[0], group[1], pitch_mm)]
    if len(group) == 1 and not shape.holds:
        return [[_mouth(group[0], pitch_mm), edge_middle_mm(group[0], 2 * _DEAD_END_MM * pitch_mm / 50)]]
    return [[_mouth(edge, pitch_mm), (0.0, 0.0)] for edge in group]


def _run(group: tuple[int, ...], shape: Shape) -> list[list[tuple[float, float]]]:
    """Return the stretches of a channel, clipped to the tile, that can have a pocket beside them."""
    if len(group) == 2:
        return [centre_lines(group, shape)[0][1:-1]]
    return [[(0.0, 0.0), edge_middle_mm(edge, shape.pitch_mm)] for edge in group]


def _mouth(edge: int, pitch_mm: float) -> tuple[float, float]:
    return edge_middle_mm(edge, pitch_mm + 2 * _BEYOND_MM)


def _drawn(line: Line, pitch_mm: float) -> list[tuple[float, float]]:
    """Return a centre line that a tile gives; two edges alone are joined as usual."""
    ends = tuple(point for point in line if isinstance(point, int))
    if len(line) == len(ends) == 2:
        return _curve(ends[0], ends[1], pitch_mm)
    scale = pitch_mm / 50
    through: list[tuple[float, float]] = []
    for place, point in enumerate(line):
        if isinstance(point, int):
            # The first and the last piece of a channel are straight, at right angles to the edge.
            both = [edge_middle_mm(point, pitch_mm), edge_middle_mm(point, pitch_mm - 2.0)]
            through += both if place == 0 else both[::-1]
        else:
            through.append((point[0] * scale, point[1] * scale))
    way = _smooth(through)
    if isinstance(line[0], int):
        way.insert(0, _mouth(line[0], pitch_mm))
    if isinstance(line[-1], int):
        way.append(_mouth(line[-1], pitch_mm))
    return way


def _smooth(through: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return a smooth curve through points: cubic pieces whose directions follow from the points beside."""
    guides = [_mirror(through[1], through[0]), *through, _mirror(through[-2], through[-1])]
    way = [through[0]]
    for before, begin, end, after in zip(guides, guides[1:], guides[2:], guides[3:], strict=False):
        length = math.dist(begin, end)
        leaving, arriving = _heading(before, begin, end, length), _heading(begin, end, after, length)
        for step in range(1, _BENDS + 1):
            t = step / _BENDS
            shares = (2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t, 3 * t**2 - 2 * t**3, t**3 - t**2)
            parts = zip(begin, leaving, end, arriving, strict=True)
            x_mm, y_mm = (sum(s * p for s, p in zip(shares, part, strict=True)) for part in parts)
            way.append((x_mm, y_mm))
    return way


def _mirror(point: tuple[float, float], about: tuple[float, float]) -> tuple[float, float]:
    return 2 * about[0] - point[0], 2 * about[1] - point[1]


def _heading(
    before: tuple[float, float], here: tuple[float, float], after: tuple[float, float], length: float
) -> tuple[float, float]:
    """Return the direction of a curve in one of its points, as long as the piece it is for."""
    came, goes = math.dist(before, here), math.dist(here, after)
    # The nearer neighbour counts for more, so that a short piece beside a long one makes no loop.
    x = (here[0] - before[0]) / came * goes + (after[0] - here[0]) / goes * came
    y = (here[1] - before[1]) / came * goes + (after[1] - here[1]) / goes * came
    scale = length / (math.hypot(x, y) or 1.0)
    return x * scale, y * scale


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

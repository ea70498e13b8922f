"""Rails: the lines on which balls roll in the second physics (:mod:`hextraction.simulator.rail_world`).

A tile is drawn by rules of its own here, from its channels alone: two joined edges by a curve that leans more
or less towards the middle, three or more by arms that meet in a knot near the middle. Nothing comes from the
walls of the other physics.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from hextraction.board.grid import edge_middle_mm

__all__ = ["BALL_MM", "Rail", "RailPhysics", "draw_rails", "stub"]

BALL_MM: Final = 5.0
"""A ball's radius: how near its centre comes to a wall."""
_POINTS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class RailPhysics:
    """The numbers of a world of rails. Losses are shares of the speed; speeds in millimetres a second.

    ``turn_loss`` is per radian, ``joint_loss`` for each step from tile to tile; it stops balls slower than
    ``lip_mm_s``. ``keeps_line`` and ``falls`` say how much a ball in a knot goes on as it came, and downhill.
    ``bow``: how far curves lean towards the middle, 0..1; ``knot_mm``: how far knots lie beside it.
    ``pocket``: how likely an empty pocket catches a ball.
    """

    resistance: float
    turn_loss: float
    joint_loss: float
    lip_mm_s: float
    wall_bounce: float
    ball_bounce: float
    keeps_line: float
    falls: float
    bow: float
    knot_mm: float
    pocket: float


@dataclass(slots=True, eq=False)
class Rail:
    """A line with a ball's positions at equal steps, in millimetres on the board.

    ``edges`` are the edges of its slot at which it begins and ends, 0 for a knot or a dead end. ``least`` and
    ``most`` bound where a ball's centre may be: walls keep it a radius away.
    """

    slot: str
    group: int
    edges: tuple[int, int]
    points: tuple[tuple[float, float], ...]
    step_mm: float = 0.0
    length_mm: float = 0.0
    slopes: tuple[float, ...] = ()
    bends: tuple[float, ...] = ()
    least_mm: float = 0.0
    most_mm: float = 0.0
    dead: bool = False
    seen_by: list[tuple[str, float, float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Measure the line."""
        self.points, self.step_mm = _evenly(self.points)
        self.length_mm = self.step_mm * (len(self.points) - 1)
        ways = [math.atan2(b[1] - a[1], b[0] - a[0]) for a, b in pairwise(self.points)]
        self.slopes = tuple(math.sin(way) for way in ways)
        turns = [abs(_angle(b - a)) for a, b in pairwise(ways)] or [0.0]
        self.bends = tuple(turn / self.step_mm for turn in (*turns, turns[-1]))[: len(ways)]
        self.least_mm, self.most_mm = 0.0, self.length_mm

    def index(self, at_mm: float) -> int:
        """Return the stretch in which a place on the line is."""
        return min(max(int(at_mm / self.step_mm), 0), len(self.slopes) - 1)

    def place(self, at_mm: float) -> tuple[float, float, float, float]:
        """Return x and y of a place on the line, and the line's direction there."""
        number = self.index(at_mm)
        (ax, ay), (bx, by) = self.points[number], self.points[number + 1]
        share = at_mm / self.step_mm - number
        across, down = (bx - ax) / self.step_mm, (by - ay) / self.step_mm
        return ax + (bx - ax) * share, ay + (by - ay) * share, across, down


def draw_rails(
    slot: str, middle_mm: tuple[float, float], pitch_mm: float, groups: tuple[tuple[int, ...], ...],
    *, physics: RailPhysics, rng: random.Random,
) -> Iterator[Rail]:  # fmt: skip
    """Yield the rails of a tile whose channels are ``groups``, edges as it lies."""
    x_mm, y_mm = middle_mm
    for number, group in enumerate(groups):
        knot = rng.uniform(-1, 1) * physics.knot_mm, rng.uniform(-1, 1) * physics.knot_mm
        mouths = [(edge, edge_middle_mm(edge, pitch_mm)) for edge in group]
        if len(group) == 2:
            (first, begin), (last, end) = mouths
            points = [(x_mm + x, y_mm + y) for x, y in _bow(begin, end, knot, 0.5 * (1 - physics.bow))]
            yield Rail(slot=slot, group=number, edges=(first, last), points=tuple(points))
        else:
            for edge, mouth in mouths:
                line = ((x_mm + mouth[0], y_mm + mouth[1]), (x_mm + knot[0], y_mm + knot[1]))
                rail = Rail(slot=slot, group=number, edges=(edge, 0), points=line)
                rail.dead = len(group) == 1
                yield rail


def stub(slot: str, middle_mm: tuple[float, float], edge: int, *, pitch_mm: float, length_mm: float) -> Rail:
    """Return the straight line that leads from an edge of a slot outward."""
    x_mm, y_mm = middle_mm
    across, down = edge_middle_mm(edge, 2.0)
    near, far = pitch_mm / 2, pitch_mm / 2 + length_mm
    points = tuple((x_mm + across * way, y_mm + down * way) for way in (near, far))
    return Rail(slot=slot, group=-1, edges=(edge, 0), points=points)


def _bow(
    begin: tuple[float, float], end: tuple[float, float], knot: tuple[float, float], out: float
) -> Iterator[tuple[float, float]]:
    """Yield points on a curve whose pull lies between the middle and halfway between the ends."""
    pull_x = knot[0] + out * (begin[0] + end[0]) / 2
    pull_y = knot[1] + out * (begin[1] + end[1]) / 2
    for index in range(_POINTS + 1):
        t = index / _POINTS
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        yield a * begin[0] + b * pull_x + c * end[0], a * begin[1] + b * pull_y + c * end[1]


def _evenly(points: tuple[tuple[float, float], ...]) -> tuple[tuple[tuple[float, float], ...], float]:
    """Return points along the same line at equal steps, and the step."""
    lengths = [0.0]
    for (ax, ay), (bx, by) in pairwise(points):
        lengths.append(lengths[-1] + math.hypot(bx - ax, by - ay))
    step = lengths[-1] / _POINTS
    found, at = [], 0
    for number in range(_POINTS + 1):
        want = min(step * number, lengths[-1])
        while at < len(points) - 2 and lengths[at + 1] < want:
            at += 1
        share = (want - lengths[at]) / (lengths[at + 1] - lengths[at])
        (ax, ay), (bx, by) = points[at], points[at + 1]
        found.append((ax + (bx - ax) * share, ay + (by - ay) * share))
    return tuple(found), step


def _angle(turn: float) -> float:
    return (turn + math.pi) % (2 * math.pi) - math.pi

"""Rolls many balls over a single tile: where they go, how long they take, and what the ball Hall sees.

The tile's six mouths lead into straight channels, as if every neighbour continued them; a mouth with a wall
beyond it is a start of its own (``TURNED``), so that a path over a board is a chain of rows. Balls vary in
speed, place and direction, and the tilt and the bounce of the walls vary a little, because nobody knows those
of a real board exactly. All chance is drawn from a seed that names the row.
"""

import random
from dataclasses import dataclass
from math import cos, hypot, radians, sin, sqrt
from typing import Final

from hextraction.board.grid import edge_middle_mm
from hextraction.board.routes import IN_THE_DARK, OVER_HALL, Ending, Start
from hextraction.simulator.cells import AXES, HALL_MM, REACH_MM
from hextraction.simulator.channels import RAMP_MM, Shape, Wall, places, ramp_walls, tile_walls
from hextraction.simulator.groove import groove_of
from hextraction.simulator.physics import Physics
from hextraction.simulator.table import STILL_MM_S, Ball, Table

__all__ = ["PITCH_MM", "SPREAD", "Holes", "Spread", "Transit", "lying_at", "nearest_edge", "roll_over"]

PITCH_MM: Final = 50.0
_INSIDE_MM: Final = 2.5
_MOUTH_MM: Final = 6.0
_WATCH_MS: Final = 2
_RESIST_MS: Final = 16
_LIMIT_MS: Final = 4_000
_SETTLE_MS: Final = 1_500
_SIN60: Final = sqrt(3) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The ranges in which the balls of one row vary; drawn uniformly, speeds in millimetres a second."""

    tilt_deg: tuple[float, float] = (-1.5, 1.5)
    """Beside the tilt that a table is for."""
    wall_restitution: tuple[float, float] = (0.5, 0.7)
    resistance: tuple[float, float] = (0.003, 0.01)
    downhill_mm_s: tuple[float, float] = (80.0, 750.0)
    """For a ball that comes over edge 6, 1 or 2."""
    uphill_mm_s: tuple[float, float] = (30.0, 400.0)
    """For a ball that comes over edge 3, 4 or 5."""
    turned_mm_s: tuple[float, float] = (5.0, 90.0)
    knocked_mm_s: tuple[float, float] = (40.0, 250.0)
    aside_mm: tuple[float, float] = (-0.4, 0.4)
    aslant_deg: tuple[float, float] = (-12.0, 12.0)
    worlds: int = 4
    """Over how many worlds with different bounce the balls of a row are spread."""


SPREAD: Final = Spread()

Holes = tuple[tuple[float, float, float], ...]
"""x, y and radius in mm of each, as the tile lies."""


@dataclass(frozen=True, slots=True)
class Transit:
    """One ball's stay: how it ended, the edge it left over (as the tile lies) or 0, its time, and the Hall.

    ``lies`` is where it rests, as in :class:`hextraction.board.routes.Passage`.
    """

    ending: Ending
    edge: int
    took_ms: int
    near: bool
    lies: int = IN_THE_DARK


def roll_over(
    shape: Shape,
    start: Start,
    edge: int,
    *,
    balls: int,
    resting: int = 0,
    holes: Holes = (),
    seed: str,
    tilt_deg: float = 15.0,
    round_bottom: bool = True,
) -> list[Transit]:
    """Roll balls over a tile, one after the other, each on the tile in its initial state.

    ``edge`` and ``holes`` are as the tile lies; ``resting`` balls lie in its pockets before each roll.
    """
    rng = random.Random(seed)  # noqa: S311 - a game of marbles
    transits = []
    for world in range(min(SPREAD.worlds, balls)):
        physics = Physics(
            wall_restitution=rng.uniform(*SPREAD.wall_restitution),
            resistance=rng.uniform(*SPREAD.resistance),
            round_bottom=round_bottom,
        )
        alone = _Alone(shape, (start, edge), rng, physics=physics, holes=holes, tilt_deg=tilt_deg)
        if resting:
            alone.fill(resting)
        transits += [alone.roll() for _ball in range(world, balls, SPREAD.worlds)]
    return transits


class _Alone:
    """A tile alone on a table; ``pockets`` is where balls rest in it before each roll."""

    def __init__(
        self,
        shape: Shape,
        beginning: tuple[Start, int],
        rng: random.Random,
        *,
        physics: Physics,
        holes: Holes,
        tilt_deg: float,
    ) -> None:
        self._shape, self._rng, self._holes, self._tilt_deg = shape, rng, holes, tilt_deg
        self._start, self._edge = start, edge = beginning
        self._pockets: list[tuple[float, float]] = []
        self._table = Table(tilt_deg, physics)
        self._table.set_walls("tile", tile_walls(shape), 0.0, 0.0)
        self._table.set_groove("tile", groove_of(shape), 0.0, 0.0)
        for mouth in range(1, 7):
            shut = start is Start.TURNED and mouth == edge
            self._table.set_walls(f"mouth.{mouth}", _beyond(mouth, shut=shut), 0.0, 0.0)

    def fill(self, resting: int) -> None:
        """Put balls into the pockets and record where they come to rest."""
        balls = [self._table.add_ball(*place) for place in places(self._shape)[:resting]]
        self._table.step(_SETTLE_MS)
        found = [ball.place() for ball in balls]
        self._pockets = [place for place in found if nearest_edge(*place)[0] < PITCH_MM / 2]
        for ball in balls:
            self._table.take_ball(ball)

    def roll(self) -> Transit:
        """Roll one ball."""
        self._table.tilt(self._tilt_deg + self._rng.uniform(*SPREAD.tilt_deg))
        there = [self._table.add_ball(*place) for place in self._pockets]
        ball = self._knock(there) if self._start is Start.KNOCKED else self._begin()
        transit = self._watch(ball)
        if transit.ending is Ending.RESTS:
            transit = self._instead(there, transit)
        for each in dict.fromkeys([*there, ball]):
            self._table.take_ball(each)
        return transit

    def _instead(self, there: list[Ball], transit: Transit) -> Transit:
        """Return the outcome, given that balls look alike: one that stayed in place of another has left."""
        for ball in there:
            towards, edge = nearest_edge(*ball.place())
            if towards > PITCH_MM / 2 + _INSIDE_MM:
                return Transit(Ending.OUT, edge, _LIMIT_MS, transit.near)
        return transit

    def _knock(self, there: list[Ball]) -> Ball:
        speed, way = self._rng.uniform(*SPREAD.knocked_mm_s), radians(self._rng.uniform(0, 360))
        ball = self._rng.choice(there) if there else self._table.add_ball(*places(self._shape)[0])
        ball.push(speed * cos(way), speed * sin(way))
        return ball

    def _begin(self) -> Ball:
        across, down = AXES[self._edge - 1]
        aside = self._rng.uniform(*SPREAD.aside_mm)
        out_mm = PITCH_MM / 2 + (_INSIDE_MM if self._start is Start.ROLLED_IN else -_MOUTH_MM)
        way = radians(self._rng.uniform(*SPREAD.aslant_deg))
        vx, vy = -across * cos(way) + down * sin(way), -down * cos(way) - across * sin(way)
        speed = self._speed()
        x_mm, y_mm = across * out_mm - down * aside, down * out_mm + across * aside
        return self._table.add_ball(x_mm, y_mm, vx * speed, vy * speed)

    def _speed(self) -> float:
        if self._start is Start.TURNED:
            return self._rng.uniform(*SPREAD.turned_mm_s)
        return self._rng.uniform(*(SPREAD.downhill_mm_s if self._edge in {6, 1, 2} else SPREAD.uphill_mm_s))

    def _watch(self, ball: Ball) -> Transit:
        """Follow a ball until its stay ends."""
        inside, near, loss = self._start is not Start.ROLLED_IN, False, self._table.resistance(_RESIST_MS)
        for now_ms in range(_WATCH_MS, _LIMIT_MS, _WATCH_MS):
            self._table.step(_WATCH_MS)
            x_mm, y_mm = ball.place()
            towards, edge = nearest_edge(x_mm, y_mm)
            middle_mm = hypot(x_mm, y_mm)
            near = near or middle_mm < HALL_MM
            inside = inside or towards < PITCH_MM / 2 - _INSIDE_MM
            if self._holes and any(hypot(x_mm - x, y_mm - y) < radius for x, y, radius in self._holes):
                return Transit(Ending.FELL, 0, now_ms, near)
            if towards > PITCH_MM / 2 + _INSIDE_MM:
                return Transit(Ending.OUT, edge, now_ms, near) if inside else Transit(Ending.SHUT, 0, 0, near)
            if now_ms % _RESIST_MS == 0 and not ball.resist(loss, STILL_MM_S) and ball.sleeping:
                break
        return Transit(Ending.RESTS if inside else Ending.SHUT, 0, 0, near, lying_at(*ball.place()))


def nearest_edge(x_mm: float, y_mm: float) -> tuple[float, int]:
    """Return how far from the middle a point is, and towards which edge."""
    half, along = y_mm * 0.5, x_mm * _SIN60
    ways = (-y_mm, along - half, along + half, y_mm, half - along, -along - half)
    towards = max(ways)
    return towards, ways.index(towards) + 1


def lying_at(x_mm: float, y_mm: float) -> int:
    """Return where a ball at rest lies, by the sensor that sees it."""
    if hypot(x_mm, y_mm) < HALL_MM:
        return OVER_HALL
    towards, edge = nearest_edge(x_mm, y_mm)
    return edge if abs(towards - PITCH_MM / 2) < REACH_MM else IN_THE_DARK


def _beyond(edge: int, *, shut: bool) -> tuple[Wall, ...]:
    """Return a straight channel that continues beyond a mouth, or a wall across it."""
    if not shut:
        return ramp_walls(edge, PITCH_MM)[:1] + ramp_walls(edge, PITCH_MM)[2:]
    (x_mm, y_mm), (across, down) = edge_middle_mm(edge, PITCH_MM), AXES[edge - 1]
    side = RAMP_MM / 2
    return ((x_mm - side * down, y_mm + side * across, x_mm + side * down, y_mm - side * across),)

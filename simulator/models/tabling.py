"""Counts balls that roll over a model into a route table, of the form of those made from the catalogue."""

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from hextraction.board.grid import EDGES, edge_middle_mm, turned
from hextraction.board.routes import Ending, RouteRow, RouteTable, RowKey, Start
from hextraction.simulator.cells import HALL_MM
from hextraction.simulator.models.anatomy import Anatomy
from hextraction.simulator.models.rolling import Balls, roll
from hextraction.simulator.models.space import BALL_MM, CELL_MM, FLOOR_MM, PITCH_MM, Space
from hextraction.simulator.physics import GRAVITY_MM_S2
from hextraction.simulator.routing import row_of
from hextraction.simulator.table import STILL_MM_S
from hextraction.simulator.transits import SPREAD, Transit, lying_at
from numpy.typing import NDArray

__all__ = ["BALLS", "Ways", "make_table"]

BALLS: Final = 240
"""How many balls roll over each mouth in each turn; a third as many from a standstill."""
_MORE: Final = 3
"""Where balls from above do not nearly all end alike, so many times as many again: if half go either way, 240
balls of one seed and of another differ by 0.036 by chance alone, four times as many by half of that."""
_CLEAR: Final = 0.9
_ABOVE: Final = frozenset({6, 1, 2})
_FRICTION: Final = (0.15, 0.3)
"""Steel on printed plastic, guessed."""
_INSIDE_MM: Final = 2.5
_MOUTH_MM: Final = 6.0
_BEFORE_STEP_MM: Final = 5.5
"""Where a ball begins that would lie in a step of the mouth otherwise."""
_LIMIT_MS: Final = 4_000
_STILL_MS: Final = 250
_FALLEN_MM: Final = 1.0
_LEVEL: Final = FLOOR_MM + BALL_MM
_AXES: Final = np.array([edge_middle_mm(edge, 2.0) for edge in EDGES])
_DRAWN: Final = 6
_VARIES: Final = 7
"""Tilt, speed, direction, place, restitution, friction, resistance."""

Floats = NDArray[np.float64]
Beginning = tuple[int, Start, int]
"""Turns, start, and the edge of the upright tile (0 for a ball that is knocked)."""


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """A route table, and some of the ways the balls took: by beginning, points of the upright tile in mm."""

    table: RouteTable
    drawn: dict[Beginning, list[list[tuple[float, float]]]]


def make_table(
    space: Space,
    anatomy: Anatomy,
    *,
    name: str,
    digest: str,
    tilt_deg: float,
    balls: int = BALLS,
    seed: int = 0,
) -> Ways:
    """Roll balls over a model in every turn and from every mouth."""
    rng = np.random.default_rng([seed, int(digest, 16)])
    first = list(_beginnings(anatomy, balls))
    found, drawn = _rolled(first, space, anatomy, tilt_deg, rng)
    split = [(begin, _MORE * balls) for begin, _many in first if _is_split(begin, found[begin])]
    more, _drawn_again = _rolled(split, space, anatomy, tilt_deg, rng)
    rows: dict[RowKey, RouteRow] = {
        (turns, 0, start, edge): row_of([*stays, *more.get((turns, start, edge), [])])
        for (turns, start, edge), stays in found.items()
    }
    table = RouteTable(tile=name, digest=digest, walls=digest, states=1, rows=rows)
    return Ways(table, drawn)


def _rolled(
    beginnings: list[tuple[Beginning, int]],
    space: Space,
    anatomy: Anatomy,
    tilt_deg: float,
    rng: np.random.Generator,
) -> tuple[dict[Beginning, list[Transit]], dict[Beginning, list[list[tuple[float, float]]]]]:
    """Return how so many balls of each beginning ended, and some of their ways."""
    if not beginnings:
        return {}, {}
    each = [begin for begin, many in beginnings for _ in range(many)]
    made = _balls(each, anatomy, space, tilt_deg, rng)
    watch = _Watch(made, each)
    roll(space, made.only(np.ones(len(each), bool)), watch, _LIMIT_MS)
    found: dict[Beginning, list[Transit]] = {}
    for number, begin in enumerate(each):
        found.setdefault(begin, []).append(watch.transit(number))
    return found, watch.drawn


def _is_split(begin: Beginning, stays: list[Transit]) -> bool:
    """Whether balls from above end in different ways, so that their shares depend on who rolls."""
    turns, start, edge = begin
    if start is not Start.ROLLED_IN or turned(edge, turns) not in _ABOVE:
        return False
    ends = Counter((stay.ending, stay.edge) for stay in stays)
    return max(ends.values()) < _CLEAR * len(stays)


def _beginnings(anatomy: Anatomy, balls: int) -> Iterator[tuple[Beginning, int]]:
    """Yield each way to begin, and how many balls do."""
    few = max(1, balls // 3)
    for turns in range(6):
        for edge in anatomy.mouths:
            yield (turns, Start.ROLLED_IN, edge), balls
        for edge in anatomy.mouths:
            yield (turns, Start.TURNED, edge), few
        yield (turns, Start.KNOCKED, 0), few


def _balls(
    beginnings: list[Beginning], anatomy: Anatomy, space: Space, tilt_deg: float, rng: np.random.Generator
) -> Balls:
    many = len(beginnings)
    turns = np.array([begin[0] for begin in beginnings])
    drawn = _drawn(beginnings, rng)
    tilt = np.radians(tilt_deg + _between(SPREAD.tilt_deg, drawn[:, 0]))
    # Turning the tile clockwise turns the pull anticlockwise, seen from the tile.
    angle = np.radians(60.0 * turns)
    pull = GRAVITY_MM_S2 * np.stack(
        [np.sin(tilt) * np.sin(angle), np.sin(tilt) * np.cos(angle), -np.cos(tilt)], axis=1
    )
    place, speed, walls = np.zeros((many, 3)), np.zeros((many, 3)), np.zeros((many, 3))
    walls[:, 2] = np.inf
    middle = _lying_place(anatomy, space)
    for number, (laid, start, edge) in enumerate(beginnings):
        fast_share, way_share, aside_share = drawn[number, 1:4]
        if start is Start.KNOCKED:
            way, fast = 2 * np.pi * way_share, _between(SPREAD.knocked_mm_s, fast_share)
            place[number] = middle
            speed[number, :2] = fast * np.cos(way), fast * np.sin(way)
            continue
        axis = _AXES[edge - 1]
        across = np.array([-axis[1], axis[0]])
        far = PITCH_MM / 2 + (_INSIDE_MM if start is Start.ROLLED_IN else -_MOUTH_MM)
        if start is Start.ROLLED_IN and edge in anatomy.steps:
            far = PITCH_MM / 2 + _BEFORE_STEP_MM
        place[number, :2] = axis * far + across * _between(SPREAD.aside_mm, aside_share)
        place[number, 2] = (_LEVEL if start is Start.ROLLED_IN else anatomy.floors_mm[edge] + BALL_MM) + 0.1
        aslant = np.radians(_between(SPREAD.aslant_deg, way_share))
        ahead = -axis * np.cos(aslant) + across * np.sin(aslant)
        speed[number, :2] = ahead * _between(_speeds(start, turned(edge, laid)), fast_share)
        if start is Start.TURNED:
            walls[number] = (*axis, PITCH_MM / 2 - BALL_MM)
    spin = np.zeros((many, 3))
    spin[:, 0], spin[:, 1] = -speed[:, 1] / BALL_MM, speed[:, 0] / BALL_MM
    return Balls(
        number=np.arange(many), place=place, speed=speed, spin=spin, pull=pull,
        restitution=_between(SPREAD.wall_restitution, drawn[:, 4]), friction=_between(_FRICTION, drawn[:, 5]),
        resistance=_between(SPREAD.resistance, drawn[:, 6]), walls=walls,
    )  # fmt: skip


def _drawn(beginnings: list[Beginning], rng: np.random.Generator) -> Floats:
    """Return numbers from 0 to 1 for each ball, by what varies, spread evenly over the balls of a row.

    Each of n balls has an n-th of every range to itself, in an order of its own: rows of other seeds differ
    less than if each ball were drawn alone.
    """
    drawn = np.empty((len(beginnings), _VARIES))
    first = 0
    for _, row in itertools.groupby(beginnings):
        many = len(list(row))
        order = rng.permuted(np.tile(np.arange(many)[:, None], _VARIES), axis=0)
        drawn[first : first + many] = (order + rng.random(order.shape)) / many
        first += many
    return drawn


def _between(limits: tuple[float, float], share: Any) -> Any:
    low, high = limits
    return low + (high - low) * share


def _speeds(start: Start, edge: int) -> tuple[float, float]:
    if start is Start.TURNED:
        return SPREAD.turned_mm_s
    return SPREAD.downhill_mm_s if edge in _ABOVE else SPREAD.uphill_mm_s


def _lying_place(anatomy: Anatomy, space: Space) -> Floats:
    """Return where a hand would put a ball: near the middle, where there is room."""
    columns, rows = np.nonzero(anatomy.free)
    x, y = space.low[0] + CELL_MM * columns, space.low[1] + CELL_MM * rows
    heights = space.low[2] + CELL_MM * np.arange(space.cells.shape[2])
    for best in np.argsort(np.hypot(x, y)):
        room = (space.cells[columns[best], rows[best], :, 0] >= BALL_MM) & (heights > _FALLEN_MM + 1)
        if room.any():
            return np.array([x[best], y[best], heights[room].min()])
    return np.array([0.0, 0.0, _LEVEL])


class _Watch:
    """Sees where balls go, and which of them are done."""

    def __init__(self, balls: Balls, beginnings: list[Beginning]) -> None:
        many = len(beginnings)
        self._inside = np.array([start is not Start.ROLLED_IN for _, start, _ in beginnings])
        self._turns = np.array([turns for turns, _, _ in beginnings])
        self._near = np.zeros(many, bool)
        self._still_ms = np.zeros(many, int)
        self._ending = np.full(many, "", dtype=object)
        self._edge, self._took_ms = np.zeros(many, int), np.zeros(many, int)
        self._last = balls.place[:, :2].copy()
        self.drawn: dict[Beginning, list[list[tuple[float, float]]]] = {}
        self._lines: dict[int, list[tuple[float, float]]] = {}
        seen: dict[Beginning, int] = {}
        for number, begin in enumerate(beginnings):
            seen[begin] = seen.get(begin, 0) + 1
            if begin[1] is Start.ROLLED_IN and seen[begin] <= _DRAWN:
                self._lines[number] = []
                self.drawn.setdefault(begin, []).append(self._lines[number])
        self._followed = np.array(list(self._lines), dtype=int)

    def __call__(self, balls: Balls, now_ms: int) -> NDArray[np.bool_]:
        who, place = balls.number, balls.place
        ways = place[:, :2] @ _AXES.T
        towards, edge = ways.max(axis=1), ways.argmax(axis=1) + 1
        middle = np.hypot(place[:, 0], place[:, 1])
        self._near[who] |= middle < HALL_MM
        self._inside[who] |= towards < PITCH_MM / 2 - _INSIDE_MM
        speed = np.sqrt(np.einsum("ij,ij->i", balls.speed, balls.speed))
        self._still_ms[who] = np.where(speed < STILL_MM_S, self._still_ms[who] + 2, 0)
        self._last[who] = place[:, :2]
        inside = self._inside[who]
        fell = place[:, 2] < _FALLEN_MM
        leaves = np.einsum("ij,ij->i", balls.speed[:, :2], _AXES[edge - 1]) > 0
        out = ~fell & leaves & (towards > PITCH_MM / 2 + _INSIDE_MM)
        rests = ~fell & ~out & (self._still_ms[who] >= _STILL_MS)
        self._end(who[fell], Ending.FELL, now_ms)
        self._end(who[out & inside], Ending.OUT, now_ms, edge[out & inside])
        self._end(who[(out | rests) & ~inside], Ending.SHUT)
        self._end(who[rests & inside], Ending.RESTS)
        if now_ms % 8 == 0:
            for number in who[np.isin(who, self._followed)]:
                self._lines[int(number)].append((float(self._last[number, 0]), float(self._last[number, 1])))
        return np.asarray(~(fell | out | rests))

    def _end(
        self, who: NDArray[np.int64], ending: Ending, took_ms: int = 0, edges: NDArray[np.int64] | None = None
    ) -> None:
        self._ending[who] = ending
        self._took_ms[who] = took_ms
        if edges is not None:
            self._edge[who] = edges

    def transit(self, number: int) -> Transit:
        """Return how a ball's stay ended, edges as on the upright tile."""
        ending = self._ending[number] or (Ending.RESTS if self._inside[number] else Ending.SHUT)
        x_mm, y_mm = self._last[number]
        return Transit(
            ending,
            int(self._edge[number]),
            int(self._took_ms[number]),
            bool(self._near[number]) if ending is not Ending.SHUT else False,
            lying_at(float(x_mm), float(y_mm)),
        )

"""Stories: whole accounts of a roll, grown pulse by pulse, the best few of them kept.

A story says of each pulse which ball caused it, or that none did. Balls are alike, so two stories that differ
only in which ball is which are one story; their weights are added. Every ball of a story is always in exactly
one place: conservation holds by construction.
"""

from collections.abc import Iterable
from math import exp, inf, log
from typing import Final, NamedTuple

from hextraction.controller.tracking.costs import (
    BELOW_BEST,
    CROSSING,
    GATED,
    KNOCKED,
    OVERLAP,
    OVERLAP_SHARED,
    RAMP_GHOST,
    REAL,
    TANDEM,
    UNEXPECTED,
    ghost_cost,
    length_cost,
    release_cost,
    retrigger_cost,
    rocking_cost,
    time_cost,
)
from hextraction.controller.tracking.graph import NONE, Graph
from hextraction.controller.tracking.paths import Act, Path
from hextraction.controller.tracking.routes import Routes

__all__ = ["RESTING", "Ball", "Pulse", "Story", "Teller", "Turn", "best_of", "since"]

RESTING: Final = -2
"""``Ball.sensor`` of a ball that has not moved in this roll."""


STILL_ON: Final = 1 << 62
"""``Ball.until_us`` of a ball that the sensor which saw it last sees still."""
_AT_ONCE_US: Final = 4_000
_LONGEST_US: Final = 200_000
_HOPELESS: Final = BELOW_BEST + 1.0
"""What costs so much more than the best is not even looked at: all of it together would weigh nothing."""
_SLOW_HALF_TILE_US: Final = 100_000


class Pulse(NamedTuple):
    """One sensor's on and off; ``off_us`` is None while it is on. ``real``: it is surely no ghost."""

    sensor: int
    on_us: int
    off_us: int | None
    real: bool = False


class Ball(NamedTuple):
    """A ball of a story: where it is, and which sensor saw it last and until when.

    ``way`` is how it met that sensor: ball that has only looked into its mouth rolls back from there.
    """

    place: int
    sensor: int
    at_us: int
    until_us: int
    number: int
    way: int = CROSSING


class Turn(NamedTuple):
    """One page of a story. ``released`` is a ramp, or NONE for a ball that was there already."""

    before: "Turn | None"
    ball: int
    from_us: int
    to_us: int
    acts: tuple[Act, ...]
    released: int = NONE


class Story(NamedTuple):
    """One account so far. ``touched`` counts, per slot; ``waiting``: releases announced, not yet seen."""

    cost: float
    balls: tuple[Ball, ...]
    touched: int
    waiting: tuple[tuple[int, int], ...]
    last: Turn | None
    next_number: int

    def alike(self) -> tuple[object, ...]:
        """Return what two stories must share to be the same story with the balls' names changed."""
        return tuple(sorted([ball[:3] for ball in self.balls])), self.touched, self.waiting


def best_of(stories: Iterable[Story], keep: int) -> list[Story]:
    """Add up like stories and return the ``keep`` likeliest, best first."""
    found: dict[tuple[object, ...], Story] = {}
    for story in stories:
        key = story.alike()
        other = found.get(key)
        found[key] = story if other is None else _together(story, other)
    ranked = sorted(found.values(), key=lambda story: story.cost)[:keep]
    return [story for story in ranked if story.cost <= ranked[0].cost + BELOW_BEST]


def _together(one: Story, other: Story) -> Story:
    better, worse = (one, other) if one.cost <= other.cost else (other, one)
    return better._replace(cost=better.cost - log(1 + exp(better.cost - worse.cost)))


class Teller:
    """Continues stories over a graph with certain tiles."""

    def __init__(self, graph: Graph, routes: Routes, *, leave_us: int, gated: bool = False) -> None:
        self._graph = graph
        self._routes = routes
        self._leave_us = leave_us
        self._gated = gated

    def tell(self, stories: list[Story], pulse: Pulse, keep: int) -> list[Story]:
        """Continue each story by a pulse in every way, and keep the best."""
        grown: list[Story] = []
        ghost = REAL if pulse.real else ghost_cost(_length(pulse))
        if pulse.sensor in self._graph.ramp_of:
            ghost += RAMP_GHOST
        unseen = self._unseen(pulse)
        most = inf
        for story in stories:
            moves = self._moves(story, pulse)
            most = min(most, story.cost + min([ghost, *[move[1] for move in moves]]) + _HOPELESS)
            grown.append(story._replace(cost=story.cost + ghost))
            grown += [_moved(story, [move], pulse) for move in moves if story.cost + move[1] <= most]
            grown += self._tandems(story, moves, pulse)
            grown += _releases(story, unseen, pulse, most, UNEXPECTED + (GATED if self._gated else 0.0))
            if pulse.sensor in self._graph.ramp_of:
                grown += self._released(story, self._graph.ramp_of[pulse.sensor], pulse)
        return best_of(grown, keep)

    def _moves(self, story: Story, pulse: Pulse) -> list[tuple[int, float, Path]]:
        """Return every way in which one ball of a story causes a pulse: (index, cost, path)."""
        moves = []
        beam = self._graph.is_edge[pulse.sensor]
        for index, ball in enumerate(story.balls):
            soon = ball.sensor == pulse.sensor and 0 <= pulse.on_us - ball.until_us < self._leave_us
            if soon:
                again = retrigger_cost(pulse.on_us - ball.until_us)
                moves.append((index, again, Path(again, 0.0, (), ball.place)))
            for path in self._routes.far(ball.place).to(pulse.sensor):
                if soon and path.acts and not (ball.way != CROSSING and path.way == CROSSING):
                    continue  # no second touch so soon (ruling R-13)
                cost = path.cost + _when(ball, path, pulse.on_us)
                if path.halves and ball.sensor != pulse.sensor and ball.until_us > pulse.on_us + _AT_ONCE_US:
                    cost += self._elsewhere(story, index)
                if beam and path.halves:
                    cost += _meeting(ball, pulse, path)
                moves.append((index, cost, path))
        return moves

    def _elsewhere(self, story: Story, index: int) -> float:
        """A ball is before the next sensor while the last one is still covered: another one covers that."""
        graph, ball = self._graph, story.balls[index]
        slot = graph.slot_of(ball.place)
        shared = any(
            graph.slot_of(other.place) == slot
            for at, other in enumerate(story.balls)
            if at != index and slot != NONE
        )
        return OVERLAP_SHARED if shared else OVERLAP

    def _tandems(self, story: Story, moves: list[tuple[int, float, Path]], pulse: Pulse) -> list[Story]:
        """Two balls in one pulse."""
        real = [move for move in moves if move[2].acts]
        pairs = [(one, two) for at, one in enumerate(real) for two in real[at + 1 :] if one[0] != two[0]]
        return [_moved(story, list(pair), pulse, TANDEM) for pair in pairs[:4]]

    def _released(self, story: Story, ramp: int, pulse: Pulse) -> list[Story]:
        """A new ball passes its ramp's beam, and gets into the slot or not."""
        waiting, announced = _without(story.waiting, ramp, pulse.on_us)
        number = story.next_number
        again = any(
            ball.sensor == pulse.sensor and pulse.on_us - ball.until_us < self._leave_us
            for ball in story.balls
        )
        haunted = any(ball.sensor == pulse.sensor for ball in story.balls)
        busy = any(ball.sensor != RESTING for ball in story.balls)
        released = story._replace(
            cost=story.cost
            + release_cost(announced=announced, busy=busy, again=again, haunted=haunted, gated=self._gated),
            waiting=waiting,
            last=Turn(story.last, number, pulse.on_us, pulse.on_us, (), ramp),
            next_number=number + 1,
        )
        until_us = _until(pulse)
        return [
            released._replace(
                cost=released.cost + path.cost + length_cost(_length(pulse), path.way, path.climb),
                balls=(*story.balls, Ball(path.end, pulse.sensor, pulse.on_us, until_us, number, path.way)),
                touched=story.touched + path.touched,
                last=Turn(
                    released.last, number, pulse.on_us, min(until_us, pulse.on_us + _LONGEST_US), path.acts
                ),
            )
            for path in self._routes.far(self._graph.first_ramp + ramp).to(pulse.sensor)
        ]

    def _unseen(self, pulse: Pulse) -> list[tuple[int, Path]]:
        """Return ramps from which a ball may have come that no ramp beam saw, and its way."""
        found = []
        for ramp, beam in enumerate(self._graph.ramp_beam):
            paths = self._routes.far(self._graph.first_ramp + ramp).to(pulse.sensor)
            if paths and beam != pulse.sensor:
                found.append((ramp, paths[0]))
        return found


def _releases(
    story: Story, unseen: list[tuple[int, Path]], pulse: Pulse, most: float, unexpected: float
) -> list[Story]:
    """A ball comes from a ramp whose beam missed it, or has none, if that costs ``most`` at most."""
    found = []
    for ramp, path in unseen:
        waiting, announced = _without(story.waiting, ramp, pulse.on_us)
        cost = story.cost + (0.0 if announced else unexpected) + path.cost
        if cost <= most:
            found.append(_came_unseen(story._replace(cost=cost, waiting=waiting), ramp, path, pulse))
    return found


def _came_unseen(story: Story, ramp: int, path: Path, pulse: Pulse) -> Story:
    number = story.next_number
    from_us = since(0, path.halves, pulse.on_us)
    turn = Turn(story.last, number, from_us, from_us, (), ramp)
    return story._replace(
        balls=(*story.balls, Ball(path.end, pulse.sensor, pulse.on_us, _until(pulse), number)),
        touched=story.touched + path.touched,
        last=Turn(turn, number, from_us, pulse.on_us, path.acts),
        next_number=number + 1,
    )


def _moved(story: Story, moves: list[tuple[int, float, Path]], pulse: Pulse, extra: float = 0.0) -> Story:
    balls, cost, touched, last = list(story.balls), story.cost + extra, story.touched, story.last
    for index, more, path in moves:
        ball = balls[index]
        cost += more
        touched += path.touched
        stays = ball.sensor == RESTING and not path.acts
        seen = RESTING if stays else pulse.sensor
        balls[index] = Ball(path.end, seen, pulse.on_us, _until(pulse), ball.number, path.way)
        if path.acts:
            last = Turn(
                last, ball.number, since(ball.at_us, path.halves, pulse.on_us), pulse.on_us, path.acts
            )
    return Story(cost, tuple(balls), touched, story.waiting, last, story.next_number)


def since(at_us: int, halves: float, now_us: int) -> int:
    """Return when a ball seen at ``at_us`` set out, if it is ``halves`` half tiles further now."""
    return min(max(at_us, now_us - round(_SLOW_HALF_TILE_US * halves)), now_us)


def _meeting(ball: Ball, pulse: Pulse, path: Path) -> float:
    """Return how unlikely it is that a pulse of a beam is that long, if the ball meets it that way.

    A ball that met the same beam just before rocks over it, and loses height each time.
    """
    length = _length(pulse)
    if ball.sensor != pulse.sensor or ball.until_us <= ball.at_us or length is None:
        return length_cost(length, path.way, path.climb)
    return rocking_cost(length, path.way, path.climb, ball.until_us - ball.at_us, ball.way)


def _when(ball: Ball, path: Path, on_us: int) -> float:
    if not path.halves:
        return 0.0
    if ball.sensor == RESTING:
        return KNOCKED
    return time_cost(on_us - ball.at_us, path.halves)


def _length(pulse: Pulse) -> int | None:
    return None if pulse.off_us is None else pulse.off_us - pulse.on_us


def _until(pulse: Pulse) -> int:
    return STILL_ON if pulse.off_us is None else pulse.off_us


def _without(
    waiting: tuple[tuple[int, int], ...], ramp: int, at_us: int
) -> tuple[tuple[tuple[int, int], ...], bool]:
    """Take the first announced release of a ramp off the list; say whether there was one."""
    for index, (announced, since_us) in enumerate(waiting):
        if announced == ramp and since_us <= at_us:
            return waiting[:index] + waiting[index + 1 :], True
    return waiting, False

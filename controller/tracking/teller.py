"""The teller: extends stories pulse by pulse, in every way that is not hopeless, and keeps the best."""

from collections.abc import Iterable
from math import log
from typing import Final

from hextraction.board.grid import opposite
from hextraction.controller.tracking.costs import (
    BELOW_BEST,
    BLOCKED,
    CROSSING,
    DIP,
    GATED,
    GLANCE,
    KNOCKED,
    OVERLAP,
    OVERLAP_SHARED,
    RAMP_BLOCKED,
    RAMP_COVERED,
    RAMP_GHOST,
    REAL,
    SPLINTER_US,
    TANDEM,
    UNEXPECTED,
    bumped_cost,
    ghost_cost,
    length_cost,
    passing_cost,
    release_cost,
    release_time_cost,
    retrigger_cost,
    rocking_cost,
    time_cost,
)
from hextraction.controller.tracking.covered import Covered
from hextraction.controller.tracking.graph import MOUTHS, NONE, PLACES, Graph
from hextraction.controller.tracking.paths import Path
from hextraction.controller.tracking.routes import Routes
from hextraction.controller.tracking.stories import (
    RESTING,
    Ball,
    Move,
    Page,
    Pulse,
    Story,
    best_of,
    came_unseen,
    moved,
    without,
)

__all__ = ["Teller"]

_AT_ONCE_US: Final = 4_000
_TWINS_FROM_US: Final = 40_000
"""Two balls that touch cover a ramp's beam for at least this long."""
_LONGEST_US: Final = 200_000
_WAYS_UNSEEN: Final = 2
"""A ball that its ramp's beam missed has crossed the first beam that sees it, or leans on it: two ways."""
_MOST_ROLLING: Final = 12
"""Once so many balls roll, none comes that nobody let go and no ramp saw: else one that rattles for minutes
between two sensors becomes a hundred balls, each a little likelier than one more climb."""
_HOPELESS: Final = BELOW_BEST + 1.0
"""Anything this much costlier than the best is skipped: even all of it together would weigh nothing."""
_PASSING_US: Final = 30_000
"""How long a ball that rolls on covers a sensor; one that covered it for longer sets off at the end."""
_USUAL_US: Final = 28_000
_SWIFTEST: Final = 0.5
_TARDIEST: Final = 4.0
_KEEPS: Final = 0.56
"""A ball that covered its last sensor for long is slow, and stays slow: by this power of the time."""

_Way = tuple[float, Path, bool, tuple[int, float] | None]
"""A ball's way: cost, path, whether its last sensor is still on; a slot and the cost if others lie there."""


class Teller:
    """Extends stories over a graph with certain tiles."""

    def __init__(self, graph: Graph, routes: Routes, covered: Covered, *, leave_us: int) -> None:
        self._graph = graph
        self._covered = covered
        self._routes = routes
        self._leave_us = leave_us
        self._gated = False

    def tell(self, stories: list[Story], pulse: Pulse, keep: int, *, gated: bool = False) -> list[Story]:
        """Extend each story by a pulse in every way, and keep the best; ``gated``: gates announce balls."""
        self._gated = gated
        grown: list[Story] = []
        ghost = REAL if pulse.real else ghost_cost(pulse.length_us)
        if pulse.sensor in self._graph.ramp_of:
            ghost += RAMP_GHOST
        unseen = self._unseen(pulse)
        known: dict[Ball, list[_Way]] = {}
        ways = [(story, self._moves(story, pulse, known)) for story in stories]
        best = min([story.cost + min([ghost, *[move[1] for move in moves]]) for story, moves in ways])
        most = best + _HOPELESS
        for story, moves in ways:
            grown.append(story._replace(cost=story.cost + ghost))
            grown += [moved(story, [move], pulse) for move in moves if story.cost + move[1] <= most]
            grown += self._tandems(story, moves, pulse)
            grown += _releases(story, unseen, pulse, most, UNEXPECTED + (GATED if self._gated else 0.0))
            if pulse.sensor in self._graph.ramp_of:
                grown += self._released(story, self._graph.ramp_of[pulse.sensor], pulse)
        return best_of(grown, keep)

    def _moves(self, story: Story, pulse: Pulse, known: dict[Ball, list[_Way]]) -> list[Move]:
        """Return every way in which one ball of a story causes a pulse: (index, cost, path).

        ``known`` caches what depends on one ball alone, because most stories share most balls.
        """
        moves: list[Move] = []
        again: dict[int, tuple[int, int]] = {}
        for index, ball in enumerate(story.balls):
            ways = known.get(ball)
            if ways is None:
                ways = known[ball] = self._ways(ball, pulse)
            for cost, path, overlaps, against in ways:
                if not path.halves:  # seen again in the same place: it is the ball that was last seen there
                    seen_us, at = again.setdefault(path.end, (ball.at_us, len(moves)))
                    if at < len(moves):
                        if ball.at_us > seen_us:
                            again[path.end] = (ball.at_us, at)
                            moves[at] = (index, cost, path)
                        continue
                if self._full(story, index, path):
                    continue
                least = cost - self._turned_away(story, index, path)
                if against is not None and self._lies_another(story, index, against[0]):
                    least = min(least, against[1])
                moves.append((index, least + (self._elsewhere(story, index) if overlaps else 0.0), path))
        return moves

    def _ways(self, ball: Ball, pulse: Pulse) -> list[_Way]:
        """Return every way in which a ball causes a pulse, as far as that depends on no other ball."""
        ways: list[_Way] = []
        soon = ball.sensor == pulse.sensor and 0 <= pulse.on_us - ball.until_us < self._leave_us
        if soon:
            again = retrigger_cost(pulse.on_us - ball.until_us, whole=self._whole(ball, pulse))
            ways.append((again, Path(again, 0.0, (), ball.place), False, None))
        for path in self._routes.far(ball.place).to(pulse.sensor):
            over = path.way == CROSSING and (ball.way != CROSSING or self._was_away(ball, pulse))
            if soon and path.acts and not (over or (path.way == DIP and self._lasts(pulse))):
                continue  # no second touch so soon (ruling R-13)
            cost = path.cost + _when(ball, path, pulse.on_us)
            if path.unheard and ball.sensor != RESTING:
                cost -= self._covered.excuses(path.unheard, ball, pulse.on_us)
            overlaps = ball.sensor != pulse.sensor and ball.until_us > pulse.on_us + _AT_ONCE_US
            ways.append(self._met(cost, ball, pulse, path, overlaps=bool(path.halves) and overlaps))
        return ways

    def _whole(self, ball: Ball, pulse: Pulse) -> bool:
        """Whether a beam's pulse and the one before it are both as long as those of passing balls."""
        length = pulse.length_us
        long = length is None or length > SPLINTER_US
        return long and self._graph.is_edge[pulse.sensor] and ball.until_us - ball.at_us > SPLINTER_US

    def _was_away(self, ball: Ball, pulse: Pulse) -> bool:
        """Whether a ball that crossed a beam and crosses it again had left for long enough (ruling R-13).

        In the middle of each pulse it is over the edge, so it is away for longer than the beam is free.
        """
        if not self._graph.is_edge[pulse.sensor]:
            return False
        back_us = pulse.on_us + (pulse.length_us or 0) // 2
        return back_us - (ball.at_us + ball.until_us) // 2 >= self._leave_us

    def _lasts(self, pulse: Pulse) -> bool:
        """Whether a pulse is long enough for a ball to really leave and come back within it (ruling R-13)."""
        length = pulse.length_us
        return length is not None and length >= 2 * self._leave_us

    def _met(self, cost: float, ball: Ball, pulse: Pulse, path: Path, *, overlaps: bool) -> _Way:
        """Add how unlikely a beam pulse of this length is, if the ball meets it that way.

        A ball that met the same beam just before rocks over it, and loses height each time. One that meets
        another behind the beam bounces back, or leans on it: that has a different cost.
        """
        if not (path.halves and self._graph.is_edge[pulse.sensor]):
            return cost, path, overlaps, None
        length = pulse.length_us
        if length is not None and ball.sensor == pulse.sensor and ball.until_us > ball.at_us:
            before_us = ball.until_us - ball.at_us
            cost += rocking_cost(length, path.way, path.climb, before_us, ball.way)
            return cost, path, overlaps, None
        beyond = path.against if path.way != CROSSING else self._graph.slot_of(path.end)
        alone = length_cost(length, path.way, path.climb)
        if beyond == NONE:
            return cost + alone, path, overlaps, None
        bumped = min(alone - (0.0 if path.way == CROSSING else BLOCKED), bumped_cost(length, path.way))
        return cost + alone, path, overlaps, (beyond, cost + bumped)

    def _full(self, story: Story, index: int, path: Path) -> bool:
        """Whether a path leads into a dead end in which another ball is: there is room for one."""
        graph = self._graph
        mouth = graph.mouth_of(path.end)
        if path.way == DIP and path.against != NONE:
            mouth = graph.mouth_of(graph.in_slot(path.against, opposite(mouth % MOUTHS)))
        elif path.way != CROSSING:
            return False
        return mouth in self._routes.odds.dead_ends and self._holds_another(story, index, mouth)

    def _turned_away(self, story: Story, index: int, path: Path) -> float:
        """Return how much likelier a ball turns back because the dead end beyond is full: that is a wall."""
        graph, odds = self._graph, self._routes.odds
        mouth = graph.mouth_of(path.end)
        if path.way != GLANCE or path.against == NONE or mouth % MOUTHS == 0:
            return 0.0
        behind = graph.mouth_of(graph.in_slot(path.against, opposite(mouth % MOUTHS)))
        if behind not in odds.dead_ends or not self._holds_another(story, index, behind):
            return 0.0
        return -log(odds.back(mouth // MOUTHS, mouth % MOUTHS))

    def _holds_another(self, story: Story, index: int, mouth: int) -> bool:
        """Whether another ball has come to where it is over a mouth."""
        others = (one for at, one in enumerate(story.balls) if at != index)
        return any(self._graph.mouth_of(one.place) == mouth for one in others)

    def _is_dead_end(self, place: int) -> bool:
        return self._graph.mouth_of(place) in self._routes.odds.dead_ends

    def _lies_another(self, story: Story, index: int, slot: int) -> bool:
        """Whether another ball is in a slot."""
        first = slot * PLACES
        return any(
            first <= other.place < first + PLACES for at, other in enumerate(story.balls) if at != index
        )

    def _elsewhere(self, story: Story, index: int) -> float:
        """Return the cost of a ball being at the next sensor while another covers its last one."""
        slot = self._graph.slot_of(story.balls[index].place)
        return OVERLAP_SHARED if self._lies_another(story, index, slot) else OVERLAP

    def _tandems(self, story: Story, moves: list[Move], pulse: Pulse) -> list[Story]:
        """Return stories in which two balls share one pulse."""
        real = [move for move in moves if move[2].acts]
        pairs = [
            (one, two)
            for at, one in enumerate(real)
            for two in real[at + 1 :]
            if one[0] != two[0] and not (one[2].end == two[2].end and self._is_dead_end(one[2].end))
        ]
        return [moved(story, list(pair), pulse, TANDEM) for pair in pairs[:4]]

    def _released(self, story: Story, ramp: int, pulse: Pulse) -> list[Story]:
        """Return stories in which a new ball passes its ramp's beam, and gets into the slot or not."""
        waiting, announced_us = without(story.waiting, ramp, pulse.on_us)
        announced = announced_us is not None
        number = story.next_number
        again = any(
            ball.sensor == pulse.sensor and pulse.on_us - ball.until_us < self._leave_us
            for ball in story.balls
        )
        haunted = any(ball.sensor == pulse.sensor for ball in story.balls)
        busy = any(ball.sensor != RESTING for ball in story.balls)
        released = story._replace(
            cost=story.cost
            + (0.0 if announced_us is None else release_time_cost(pulse.on_us - announced_us))
            + release_cost(announced=announced, busy=busy, again=again, haunted=haunted, gated=self._gated),
            waiting=waiting,
            last=Page(story.last, number, pulse.on_us, pulse.on_us, (), ramp),
            next_number=number + 1,
        )
        until_us = pulse.until_us
        paths = self._routes.far(self._graph.first_ramp + ramp).to(pulse.sensor)
        return self._twins(released, ramp, pulse, paths) + [
            released._replace(
                cost=released.cost + path.cost + self._at_ramp(story, ramp, pulse, path),
                balls=(*story.balls, Ball(path.end, pulse.sensor, pulse.on_us, until_us, number, path.way)),
                touched=story.touched + path.touched,
                last=Page(
                    released.last, number, pulse.on_us, min(until_us, pulse.on_us + _LONGEST_US), path.acts
                ),
            )
            for path in paths
            if not self._full(story, NONE, path)
        ]

    def _twins(self, story: Story, ramp: int, pulse: Pulse, paths: Iterable[Path]) -> list[Story]:
        """Return stories in which two balls come down a ramp so close together that they make one pulse.

        ``story`` is the one in which the first has been released, but is nowhere yet.
        """
        length = pulse.length_us
        if length is None or length < _TWINS_FROM_US:
            return []
        waiting, announced_us = without(story.waiting, ramp, pulse.on_us)
        sudden = release_cost(announced=announced_us is not None, busy=True, again=False, gated=self._gated)
        price = sudden + passing_cost(length, twins=True)
        first = story.next_number - 1
        found = []
        for path in paths:
            if path.way != CROSSING or self._is_dead_end(path.end):
                continue
            balls = [
                Ball(path.end, pulse.sensor, pulse.on_us, pulse.until_us, number, path.way)
                for number in (first, first + 1)
            ]
            to_us = min(pulse.until_us, pulse.on_us + _LONGEST_US)
            last = Page(story.last, first, pulse.on_us, to_us, path.acts)
            last = Page(last, first + 1, pulse.on_us, pulse.on_us, (), ramp)
            last = Page(last, first + 1, pulse.on_us, to_us, path.acts)
            found.append(
                story._replace(
                    cost=story.cost + price + 2 * path.cost,
                    balls=(*story.balls, *balls),
                    touched=story.touched + 2 * path.touched,
                    waiting=waiting,
                    last=last,
                    next_number=first + 2,
                )
            )
        return found

    def _at_ramp(self, story: Story, ramp: int, pulse: Pulse, path: Path) -> float:
        """Return the cost of a ramp's pulse for a ball that gets into the slot, or stays outside.

        In the slot it no longer covers the beam; it is more likely to stay outside if others lie inside.
        """
        length, slot = pulse.length_us, self._graph.mouths[ramp][0]
        if path.way == CROSSING:
            return passing_cost(length) + (RAMP_COVERED if length is None else 0.0)
        cost = length_cost(length, path.way, path.climb)
        return cost - (RAMP_BLOCKED if self._lies_another(story, NONE, slot) else 0.0)

    def _unseen(self, pulse: Pulse) -> list[tuple[int, float, Path]]:
        """Return ramps from which a ball may have come unseen by a ramp beam, and its path with its cost."""
        found = []
        beam_seen = self._graph.is_edge[pulse.sensor]
        for ramp, beam in enumerate(self._graph.ramp_beam):
            paths = self._routes.far(self._graph.first_ramp + ramp).to(pulse.sensor)
            if beam == pulse.sensor:
                continue
            for path in paths[:_WAYS_UNSEEN]:
                long = length_cost(pulse.length_us, path.way, path.climb) if beam_seen else 0.0
                found.append((ramp, path.cost + long, path))
        return found


def _releases(
    story: Story, unseen: list[tuple[int, float, Path]], pulse: Pulse, most: float, unexpected: float
) -> list[Story]:
    """Return stories with a ball from a ramp whose beam missed it, or has none, costing ``most`` at most."""
    found = []
    crowded = sum(ball.sensor != RESTING for ball in story.balls) >= _MOST_ROLLING
    for ramp, far, path in unseen:
        waiting, announced = without(story.waiting, ramp, pulse.on_us)
        if crowded and announced is None:
            continue
        late = unexpected if announced is None else release_time_cost(pulse.on_us - announced)
        cost = story.cost + late + far
        if cost <= most:
            found.append(came_unseen(story._replace(cost=cost, waiting=waiting), ramp, path, pulse))
    return found


def _when(ball: Ball, path: Path, on_us: int) -> float:
    if not path.halves:
        return 0.0
    if ball.sensor == RESTING:
        return KNOCKED
    until_us = min(ball.until_us, on_us)
    since_us = max(ball.at_us, until_us - _PASSING_US)
    slow = min(max((until_us - ball.at_us) / _USUAL_US, _SWIFTEST), _TARDIEST) ** _KEEPS
    return time_cost(on_us - since_us, path.halves * slow)

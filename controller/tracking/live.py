"""The live estimate of where the balls are: each edge moves the most plausible one, at once.

Phones and lights follow it during a roll. It never revises the past; the settled account does.
"""

from collections.abc import Mapping
from math import inf
from typing import Final

from hextraction.board.facts import BallEntered, BallReleased, Fact
from hextraction.controller.tracking.costs import (
    AT_ONCE,
    GATED,
    GHOST_AT_ONCE,
    KNOCKED,
    UNEXPECTED,
    least_time_cost,
    release_cost,
    retrigger_cost,
    time_cost,
)
from hextraction.controller.tracking.facts import facts_at
from hextraction.controller.tracking.graph import NONE, Graph
from hextraction.controller.tracking.paths import Path
from hextraction.controller.tracking.routes import Routes

__all__ = ["Live", "LiveBall"]


_SWIFT_US: Final = 150_000
_ROUSED: Final = KNOCKED + AT_ONCE
"""The minimum cost of moving a resting ball."""


class LiveBall:
    """A ball now: where it is, and when and by which sensor it was last seen.

    ``pending`` is the ramp of a ball that has passed the ramp's beam but is not yet counted in its slot.
    """

    __slots__ = ("at_us", "number", "pending", "place", "resting", "sensor")

    def __init__(self, number: int, place: int, sensor: int, at_us: int, *, resting: bool) -> None:
        self.number = number
        self.place = place
        self.sensor = sensor
        self.at_us = at_us
        self.resting = resting
        self.pending = NONE


class Live:
    """The current estimate: balls, and releases that were announced but not yet seen.

    ``foretold``: a ball of this roll came after its announcement. ``gates_only``: balls come through gates
    only, each of which is announced; where this roll's were, a ramp's pulse is rarely one more.
    """

    def __init__(self, graph: Graph, *, leave_us: int) -> None:
        self._graph = graph
        self._leave_us = leave_us
        self._off_us = [NONE] * len(graph.names)
        self.gates_only = False
        self.restart({}, 1)

    def restart(self, places: Mapping[int, int], next_number: int) -> None:
        """Start again with balls at rest."""
        self.balls = [LiveBall(ball, place, NONE, 0, resting=True) for ball, place in places.items()]
        self.waiting: list[tuple[int, int]] = []
        self.unannounced: dict[int, int] = {}
        self.foretold = False
        self.next_number = next_number

    def off(self, sensor: int, at_us: int, routes: Routes) -> tuple[Fact, ...]:
        """Handle a sensor going off: a ball quickly past a ramp's beam is in the slot, if it can get in."""
        self._off_us[sensor] = at_us
        ramp = self._graph.ramp_of.get(sensor)
        if ramp is None or not routes.odds.lets_in(*self._graph.mouths[ramp]):
            return ()
        for ball in self.balls:
            if ball.pending == ramp and at_us - ball.at_us < _SWIFT_US:
                return self.arrive(ball, at_us, routes)
        return ()

    def on(
        self, sensor: int, at_us: int, routes: Routes, ghost: float = GHOST_AT_ONCE
    ) -> tuple[Fact, ...] | None:
        """Explain a sensor going on by the most plausible ball, and return what it did; None: no ball fits.

        ``ghost`` is how unlikely it is that the sensor is wrong.
        """
        best, mover, chosen = self._likeliest(sensor, at_us, routes, ghost)
        ramp = self._graph.ramp_of.get(sensor)
        if ramp is not None and self._release_cost(ramp, sensor, at_us) < best:
            return self._release(ramp, sensor, at_us, routes)
        if mover is None:
            return self._unseen_release(sensor, at_us, routes)
        mover.at_us = at_us
        if chosen is None or (mover.pending != NONE and ramp is not None):
            return ()
        return self._move(mover, chosen, sensor, routes)

    @property
    def moving(self) -> bool:
        """Whether any ball has set off."""
        return any(not ball.resting for ball in self.balls)

    def look_ahead(self, routes: Routes) -> None:
        """Find the near paths of moving balls in advance, while no edge is waiting."""
        for ball in self.balls:
            if not ball.resting:
                routes.near(ball.place)

    def _move(self, mover: LiveBall, chosen: Path, sensor: int, routes: Routes) -> tuple[Fact, ...]:
        first = self.arrive(mover, mover.at_us, routes) if mover.pending != NONE else ()
        moves = bool(chosen.acts) or self._graph.slot_of(chosen.end) != self._graph.slot_of(mover.place)
        mover.place = chosen.end
        if moves or not mover.resting:  # over an open slot it moves without a fact
            mover.resting = False
            mover.sensor = sensor
        if not chosen.acts:
            return first
        if self._graph.gone(chosen.end):
            self.balls.remove(mover)
        return first + facts_at(chosen.acts, mover.number, mover.at_us)

    def arrive(self, ball: LiveBall, at_us: int, routes: Routes) -> tuple[Fact, ...]:
        """Put a ball that had passed its ramp's beam into the slot."""
        slot = self._graph.mouths[ball.pending][0]
        ball.pending = NONE
        if routes.odds.is_open(slot):
            return ()
        return (BallEntered(at_us=at_us, ball=ball.number, slot=self._graph.slots[slot]),)

    def _likeliest(
        self, sensor: int, at_us: int, routes: Routes, ghost: float
    ) -> tuple[float, LiveBall | None, Path | None]:
        """Return the likeliest ball and path; far paths are searched only if one could be likelier."""
        best, mover, chosen, beyond = ghost, None, None, inf
        for ball in sorted(self.balls, key=_is_resting):
            if best < _ROUSED and self._sleeps_elsewhere(ball, sensor):
                continue
            found = routes.near(ball.place)
            cost, path = self._best_path(ball, found.to(sensor), sensor, at_us)
            if cost < best:
                best, mover, chosen = cost, ball, path
            beyond = min(beyond, found.beyond + _least_cost(ball, at_us))
        if best < beyond:
            return best, mover, chosen
        return self._likeliest_of_all(sensor, at_us, routes, ghost)

    def _sleeps_elsewhere(self, ball: LiveBall, sensor: int) -> bool:
        """Whether a ball must start moving to trip a sensor: it rests in a slot, away from the sensor."""
        if not ball.resting:
            return False
        return self._graph.slot_of(ball.place) not in {NONE, self._graph.where[sensor]}

    def _likeliest_of_all(
        self, sensor: int, at_us: int, routes: Routes, ghost: float
    ) -> tuple[float, LiveBall | None, Path | None]:
        best, mover, chosen = ghost, None, None
        for ball in sorted(self.balls, key=_is_resting):
            cost, path = self._best_path(ball, routes.far(ball.place).to(sensor), sensor, at_us)
            if cost < best:
                best, mover, chosen = cost, ball, path
        return best, mover, chosen

    def _best_path(
        self, ball: LiveBall, paths: tuple[Path, ...], sensor: int, at_us: int
    ) -> tuple[float, Path | None]:
        """Return the likeliest way for a ball to cause a pulse; no path: it is the same contact again."""
        best, chosen = inf, None
        soon = ball.sensor == sensor and at_us - self._off_us[sensor] < self._leave_us
        if soon:
            best = retrigger_cost(at_us - self._off_us[sensor])
        for path in paths:
            if soon and path.acts:
                continue  # no second touch so soon (ruling R-13)
            cost = path.cost
            if path.halves:
                cost += _ROUSED if ball.resting else time_cost(at_us - ball.at_us, path.halves)
            if cost < best:
                best, chosen = cost, path
        return best, chosen

    def _release_cost(self, ramp: int, sensor: int, at_us: int) -> float:
        announced = any(waiting == ramp for waiting, _since_us in self.waiting)
        last_us = self._off_us[sensor]
        again = last_us != NONE and at_us - last_us < self._leave_us
        gated = self.gates_only and self.foretold
        return release_cost(announced=announced, busy=self.moving, again=again, gated=gated)

    def _release(self, ramp: int, sensor: int, at_us: int, routes: Routes) -> tuple[Fact, ...]:
        self._count_off(ramp, at_us)
        graph, mouth = self._graph, self._graph.mouths[ramp]
        place = graph.in_slot(*mouth) if routes.odds.opens(*mouth) else graph.first_stuck + ramp
        number = self._new_ball(place, sensor, at_us)
        self.balls[-1].pending = ramp
        return (BallReleased(at_us=at_us, ball=number, ramp=self._graph.ramps[ramp]),)

    def _count_off(self, ramp: int, at_us: int) -> None:
        for index, (announced, _since_us) in enumerate(self.waiting):
            if announced == ramp:
                del self.waiting[index]
                self.foretold = True
                return
        self.unannounced[ramp] = at_us

    def _new_ball(self, place: int, sensor: int, at_us: int) -> int:
        number = self.next_number
        self.next_number += 1
        if not self._graph.gone(place):
            self.balls.append(LiveBall(number, place, sensor, at_us, resting=False))
        return number

    def _unseen_release(self, sensor: int, at_us: int, routes: Routes) -> tuple[Fact, ...] | None:
        """Assume a ball from a ramp whose beam missed it, if it was announced or the beam does not work."""
        graph = self._graph
        announced = {ramp for ramp, _since_us in self.waiting}
        sudden = UNEXPECTED + (GATED if announced or self.foretold else 0.0)
        best, found = GHOST_AT_ONCE - AT_ONCE, None
        for ramp, beam in enumerate(graph.ramp_beam):
            blind = graph.believed(beam) == NONE
            if ramp not in announced and not blind:
                continue
            price = 0.0 if ramp in announced else sudden
            for path in routes.far(graph.first_ramp + ramp).to(sensor):
                if path.cost + price < best:
                    best, found = path.cost + price, (ramp, path)
        if found is None:
            return None
        ramp, path = found
        self._count_off(ramp, at_us)
        number = self._new_ball(path.end, sensor, at_us)
        released = BallReleased(at_us=at_us, ball=number, ramp=graph.ramps[ramp])
        return released, *facts_at(path.acts, number, at_us)


def _is_resting(ball: LiveBall) -> bool:
    return ball.resting


def _least_cost(ball: LiveBall, at_us: int) -> float:
    """Return the least that moving at this time can cost a ball, however far it went."""
    return _ROUSED if ball.resting else least_time_cost(at_us - ball.at_us)

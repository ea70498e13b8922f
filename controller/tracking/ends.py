"""The ways a ball may come to rest, weighed by what the sensors show at rest: costs in nats.

A ball lies somewhere on its tile: over the Hall in the middle, before a beam, or where nothing sees it. The
route tables say how likely each is (:class:`.Stay`); a sensor that should see it but does not is evidence
against that way, and one that saw it last and still does is evidence for it. Balls already at rest catch
others, or are in their way.
"""

from collections.abc import Collection
from math import log
from typing import Final, NamedTuple

from hextraction.board.routes import OVER_HALL
from hextraction.controller.tracking.costs import MISS
from hextraction.controller.tracking.covered import Covered
from hextraction.controller.tracking.graph import MOUTHS, NONE, Graph
from hextraction.controller.tracking.paths import FELL, Act, Against, End
from hextraction.controller.tracking.routes import Routes
from hextraction.controller.tracking.stories import RESTING, Ball, Story

__all__ = ["Beside", "Ends", "Evidence", "beside"]

_HALL_SAYS_SO: Final = -3.8
"""A ball Hall is on, and a ball that may lie there explains it."""
_UNSEEN: Final = 0.62
_SHOWN: Final = -0.44
"""A ball rests where no sensor is on, or beside one that is: in the worlds drawn for tuning fewer rest in the
dark than the tables say, which know no sensors that see farther."""
_SAID: Final = 1.0
"""It is already on for another ball; but a ball in the middle holds others up."""
_SHIFTED: Final = 3.0
_NUDGED: Final = 1.0
_STUCK: Final = 6.0
_PILED: Final = -1.1
"""A ball is more likely to stay where another already lies."""
_BLOCKS: Final = 1.2
"""How much a ball on the next tile makes another rest before it, if the beam between is on: so many times the
odds that it would have left there. In the worlds drawn for tuning every other ball that leans on one does."""
_STUCK_BESIDE_BEAM: Final = 3.0
"""A ball on its ramp before a closed mouth covers the beam, which does not see it."""
_STUCK_AT_A_MOUTH: Final = 6.0
"""A ball past a ramp's beam stays outside a tile that is known to let it in: it is more likely inside."""
_STUCK_IN_BEAM: Final = 0.91
_UPHILL: Final = 4.5
"""A ball stays above a ramp's beam although it had passed it."""
_ZONE_SILENT: Final = 2.0
"""A ball lies in an end zone, but the Hall there does not see it."""
_SEEN_THERE: Final = 4.2
"""A ball has left although the sensor that saw it is still covered."""
_LAST_HALF_US: Final = 60_000

_BEAM_SILENT: Final = 0.062
_HALL_SILENT: Final = 0.081
"""A ball lies where a sensor should just see it, but the sensor is off: half a millimetre decides."""
_ANOTHERS: Final = 0.41
"""The sensor is on, but something else may cover it."""
_ELSEWHERE: Final = 0.043
"""Another sensor of the tile sees the ball than the one where such balls lie."""
_LEAST: Final = 0.02
_PUSHED: Final = 0.5
"""Next to others a ball lies anywhere as often as where lone balls lie."""


class Evidence(NamedTuple):
    """The sensors at rest: those that are on, and slots a sensor of which went off that a ball had covered.

    ``announced``: gates, or people, said when they let balls go.
    """

    at_us: int
    began_us: int
    active: Collection[int]
    dropped: Collection[int]
    covered: Covered
    announced: bool = False


class Beside(NamedTuple):
    """Slots whose Hall sees a ball that has not moved, all slots with other balls, and their mouths."""

    taken: Collection[int]
    others: Collection[int]
    mouths: Collection[int] = ()


def beside(story: Story, ball: Ball, graph: Graph, evidence: Evidence) -> Beside:
    """Return what lies around a ball of a story."""
    lying = {graph.slot_of(other.place) for other in story.balls if other.sensor == RESTING}
    others = [other.place for other in story.balls if other is not ball]
    return Beside(
        taken=lying.difference(evidence.dropped),
        others={graph.slot_of(place) for place in others},
        mouths={graph.mouth_of(place) for place in others},
    )


class Ends:
    """The ways to come to rest on a graph with certain tiles, given what the sensors show."""

    def __init__(self, graph: Graph, routes: Routes, evidence: Evidence) -> None:
        self._graph = graph
        self._routes = routes
        self._evidence = evidence

    def of(self, ball: Ball, about: Beside) -> list[End]:
        """Return the ways in which a ball may have ended; ``about`` is what lies around it."""
        graph, evidence = self._graph, self._evidence
        if graph.gone(ball.place):
            return [_stays(ball.place, 0.0)]
        slot, ramp = graph.slot_of(ball.place), graph.on_ramp(ball.place)
        if ball.sensor == RESTING and slot != NONE and self._routes.odds.is_open(slot):
            return [self._falls(slot)]
        if ball.sensor == RESTING and slot not in evidence.dropped:
            return [_stays(self._plain(ball.place), 0.0)]
        ends = [
            self._weighed(end, ball, about)
            for end in self._routes.ends(ball.place)
            if not (end.touched and self._is_full(end.end, about))
        ]
        if ball.sensor == RESTING:
            away = [end._replace(cost=end.cost + _NUDGED) for end in ends if end.rested != slot]
            return [_stays(self._plain(ball.place), _SHIFTED), *away]
        if ramp != NONE:
            ends = [_stays(graph.first_stuck + ramp, self._stuck_cost(ball, ramp)), *ends]
        if ball.sensor in evidence.active:
            ends = [end._replace(cost=end.cost + (_SEEN_THERE if end.acts else 0.0)) for end in ends]
        if (zone := graph.in_zone(ball.place)) != NONE and graph.is_edge[ball.sensor]:
            unheard = self._unheard_in(zone)
            ends = [end if end.acts else end._replace(cost=end.cost + unheard) for end in ends]
        return ends

    def _unheard_in(self, zone: int) -> float:
        """Return the cost of a ball in a zone of which only the beam at its mouth has said so."""
        graph, active = self._graph, self._evidence.active
        beam, hall = graph.believed(graph.zone_beam[zone]), graph.believed(graph.zone_rest[zone])
        silent = _ZONE_SILENT if hall != NONE and hall not in active else 0.0
        return silent + (MISS if beam != NONE else 0.0)

    def _stuck_cost(self, ball: Ball, ramp: int) -> float:
        graph = self._graph
        if ball.sensor == NONE:
            return _STUCK
        if ball.place < graph.first_stuck:
            return _UPHILL
        if graph.ramp_beam[ramp] in self._evidence.active:
            return _STUCK_IN_BEAM
        return _STUCK_AT_A_MOUTH if self._routes.odds.lets_in(*graph.mouths[ramp]) else _STUCK_BESIDE_BEAM

    def _falls(self, slot: int) -> End:
        """Return a fall: no ball lies where there is no tile, so the tile was lifted from under it."""
        fell = (Act(FELL, self._graph.slots[slot], 1.0),)
        return End(0.0, fell, self._graph.first_fallen + slot, 0, NONE)

    def _plain(self, place: int) -> int:
        """Return where a ball rests: in which slot, and in which of its dead ends: each has room for one."""
        graph = self._graph
        slot, mouth = graph.slot_of(place), graph.mouth_of(place)
        if slot == NONE:
            return place
        return graph.in_slot(slot, mouth % MOUTHS if mouth in self._routes.odds.dead_ends else 0, 1)

    def _is_full(self, place: int, about: Beside) -> bool:
        """Whether a place is in a dead end in which another ball is: there is room for one."""
        mouth = self._graph.mouth_of(place)
        return mouth in about.mouths and mouth in self._routes.odds.dead_ends

    def _weighed(self, end: End, ball: Ball, about: Beside) -> End:
        """Add the evidence for and against an end."""
        cost = end.cost
        if end.unheard and ball.sensor != RESTING:
            until_us = ball.until_us + round(_LAST_HALF_US * (end.halves + 1))
            cost -= self._evidence.covered.excuses(end.unheard, ball, until_us)
        if end.rested != NONE:
            mouth = self._graph.mouth_of(end.end)
            if mouth in self._routes.odds.dead_ends and mouth not in about.mouths:
                about = about._replace(others=set(about.others) - {end.rested})  # they are in other dead ends
            cost += self._shown(end, ball, about)
            cost += _PILED if end.rested in about.others else 0.0
            cost -= self._blocked(end.against, about)
        return end._replace(cost=cost, end=self._plain(end.end))

    def _shown(self, end: End, ball: Ball, about: Beside) -> float:
        """Return the cost of a ball resting in a slot, given the sensors there.

        A Hall over a ball that has not moved is no evidence about another.
        """
        graph, active = self._graph, self._evidence.active
        hall = NONE if end.rested in about.taken else graph.believed(graph.hall[end.rested])
        beams = [graph.believed(beam) for beam in graph.edge[end.rested][1:]]
        sensors = (hall, *beams, NONE)
        last = ball.sensor if ball.sensor in active and ball.sensor in sensors else NONE
        share = sum(
            part * _sees(sensor, at, last, active)
            for at, (sensor, part) in enumerate(zip(sensors, end.lies, strict=True))
        )
        if end.rested in about.others:
            share = (1.0 - _PUSHED) * share + _PUSHED * _ANOTHERS
        says_so = _HALL_SAYS_SO if hall != NONE and hall in active else 0.0
        lit = any(sensor != NONE and sensor in active for sensor in sensors)
        return says_so - log(max(share, _LEAST)) + (_SHOWN if lit else _UNSEEN)

    def told_of(self, end: End, ended: Collection[Ball]) -> float:
        """Return the extra cost of an end if a ball that has ended already explains the slot's Hall."""
        if end.rested == NONE or self._graph.hall[end.rested] not in self._evidence.active:
            return 0.0
        there = any(
            ball.sensor != RESTING and self._graph.slot_of(ball.place) == end.rested for ball in ended
        )
        return _SAID if there else 0.0

    def _blocked(self, against: tuple[Against, ...], about: Beside) -> float:
        """Return how much likelier a ball is to stay because others block its way."""
        factor = 1.0
        for slot, beam, odds in against:
            if slot in about.others and beam in self._evidence.active:
                factor += odds * _BLOCKS
        return log(factor)


def _sees(sensor: int, at: int, last: int, active: Collection[int]) -> float:
    """Return how likely a sensor's level is if a ball lies there; ``last``: the sensor that sees the ball."""
    if last != NONE:
        return 1.0 if sensor == last else _ELSEWHERE
    if sensor == NONE:
        return 1.0
    if sensor in active:
        return _ANOTHERS
    return _HALL_SILENT if at == OVER_HALL else _BEAM_SILENT


def _stays(place: int, cost: float) -> End:
    return End(cost, (), place, 0, NONE)

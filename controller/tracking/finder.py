"""Searches for paths from one place, depth first, as long as they are likely enough.

It may run while an edge waits, so unfinished paths are plain tuples.
"""

from math import inf
from typing import Final, NamedTuple

from hextraction.controller.tracking.costs import CROSSING, DIP, FLAT, GLANCE, LIMIT, MISS
from hextraction.controller.tracking.found import Acts, Found, Step, Stop
from hextraction.controller.tracking.graph import NONE, OFF, RAMP, SLOT, ZONE, Graph
from hextraction.controller.tracking.odds import SEEN, UNSEEN, UNWATCHED, UPHILL, Odds, Rest
from hextraction.controller.tracking.paths import (
    ENTERED,
    FELL,
    IN_ZONE,
    LEFT,
    LEFT_ZONE,
    OFF_BOARD,
    TOUCH_BITS,
    Unheard,
)

__all__ = ["DEEPEST", "Finder"]

DEEPEST: Final = 2
"""How many slots a ball may enter on one path without any sensor seeing it."""
_OUT_OF_A_ZONE: Final = 8.5
"""A zone lies lower than its mouths: what comes back was pushed. Nothing did in 5,000 simulated rolls."""
_BETWEEN: Final = (1.3, 1.2, 1.75, 2.0, 1.75, 1.2)
"""Half tiles from one edge's middle to the edge this many sixths further; back to itself takes a while."""
_WAITS: Final = FLAT + 0.59
_NO_CLIMB: Final = 1e5


class _Walk(NamedTuple):
    """An unfinished path: its acts carry half tiles instead of shares until it is done."""

    cost: float
    halves: float
    acts: Acts = ()
    touched: int = 0
    depth: int = 0
    unheard: Unheard = ()


class Finder:
    """One search; follows paths into up to ``deepest`` slots without a sighting, or to :data:`LIMIT`."""

    def __init__(self, graph: Graph, odds: Odds, deepest: int) -> None:
        self._graph = graph
        self._odds = odds
        self._deepest = deepest
        self.steps: dict[int, list[Step]] = {}
        self.stops: list[Stop] = []
        self.beyond = inf
        self.reach = 0

    def found(self) -> Found:
        """Return what has been found."""
        return Found(self.steps, self.stops, self.beyond, self.reach)

    def from_slot(self, slot: int, edge: int, seen: int, turned: int) -> None:
        """Search from a slot, entered over ``edge``; ``seen``: by its Hall; ``turned``: it turned there."""
        graph = self._graph
        hall = graph.believed(graph.hall[slot])
        if seen and hall != NONE:
            again = graph.in_slot(slot, edge, seen, turned)
            self._add(hall, (FLAT, 0.0, (), again, 0, CROSSING, _NO_CLIMB, (), NONE))
        self._visit(_Walk(0.0, 0.0), slot, edge, seen=seen, turned=turned)

    def from_ramp(self, ramp: int) -> None:
        """Search from above a ramp's beam."""
        graph = self._graph
        slot, edge = graph.mouths[ramp]
        beam, place = graph.believed(graph.ramp_beam[ramp]), graph.first_stuck + ramp
        into, outside = self._odds.mouth_costs(slot, edge)
        acts, touched = self._over((), 0, 1.0, SLOT, slot)
        if beam != NONE:
            self._found(beam, _Walk(into, 1.0, acts, touched), graph.in_slot(slot, edge))
            self._add(beam, (outside, 1.0, (), place, 0, GLANCE, _NO_CLIMB, (), NONE))
            into += MISS
        if into >= LIMIT:
            self.reach |= graph.around[slot]
            return
        self._visit(_Walk(into, 1.0, acts, touched, 0, _and((), beam, MISS)), slot, edge)

    def from_mouth(self, ramp: int) -> None:
        """Search from a ramp's mouth, in which a ball is stuck."""
        graph = self._graph
        slot, edge = graph.mouths[ramp]
        beam = graph.believed(graph.ramp_beam[ramp])
        if beam != NONE:
            self._add(beam, (_WAITS, 0.0, (), graph.first_stuck + ramp, 0, CROSSING, _NO_CLIMB, (), NONE))
        self.reach |= graph.around[slot]
        if self._odds.opens(slot, edge):
            acts, touched = self._over((), 0, 0.5, SLOT, slot)
            self._visit(_Walk(0.0, 0.5, acts, touched), slot, edge)

    def from_zone(self, zone: int) -> None:
        """Search from an end zone."""
        graph = self._graph
        place = graph.first_zone + zone
        for sensor in (graph.zone_beam[zone], graph.zone_rest[zone]):
            if graph.believed(sensor) != NONE:
                self._add(sensor, (0.5, 0.0, (), place, 0, CROSSING, _NO_CLIMB, (), NONE))
        self.stops.append((0.0, 0.0, (), place, 0, NONE, (), (), ()))
        leaving = _Walk(_OUT_OF_A_ZONE, 1.0, ((LEFT_ZONE, graph.zones[zone], 1.0),))
        for slot, edge in graph.outlets[zone]:
            self.reach |= 1 << slot
            if self._odds.opens(slot, edge):
                self._cross(leaving, graph.edge[slot][edge], SLOT, slot, edge)

    def _beam(self, slot: int, edge: int) -> int:
        sort, beyond = self._graph.beyond[slot][edge]
        return self._graph.believed(
            self._graph.ramp_beam[beyond] if sort == RAMP else self._graph.edge[slot][edge]
        )

    def _look_out(self, beam: int, slot: int, out: int, walk: _Walk, end: int) -> None:
        """Add that a ball peeks over an edge and returns, or gets over and rolls back, all in one pulse."""
        graph = self._graph
        sort, beyond = graph.beyond[slot][out]
        cost, halves, acts, touched, _depth, unheard = walk
        if cost >= LIMIT:
            return
        climb = graph.climbs[sort == RAMP][out]
        against = beyond if sort == SLOT else NONE
        self._add(beam, (cost, halves, acts, end, touched, GLANCE, climb, unheard, against))
        over = sort in {SLOT, RAMP} or (sort == OFF and out in UPHILL)
        if sort == SLOT and out not in UPHILL and self._odds.is_open(beyond):
            over = False  # what is over that brink falls
        if not over or self._odds.is_open(slot) or not self._odds.passes(slot, out):
            return
        acts = (*acts, (LEFT, graph.slots[slot], halves))
        if sort == SLOT and not self._odds.is_open(beyond):
            acts, touched = self._over(acts, touched, halves, SLOT, beyond)
            acts = (*acts, (LEFT, graph.slots[beyond], halves))
        acts, touched = self._over(acts, touched, halves, SLOT, slot)
        self._add(beam, (cost + 0.55, halves, acts, end, touched, DIP, climb, unheard, against))

    def _hall_told(self, slot: int, seen: int) -> int:
        if self._graph.believed(self._graph.hall[slot]) == NONE:
            return UNWATCHED
        return SEEN if seen else UNSEEN

    def _visit(self, walk: _Walk, slot: int, edge: int, *, seen: int = 0, turned: int = 0) -> None:
        """Continue a path in a slot: which sensors may see the ball there, and where it goes next."""
        graph, odds = self._graph, self._odds
        cost, halves, acts, touched, depth, unheard = walk
        self.reach |= graph.around[slot]
        told = self._hall_told(slot, seen)
        hall = graph.believed(graph.hall[slot])
        if odds.is_open(slot):
            self._falls_unseen(walk, slot)
        else:
            self._may_rest(walk, slot, edge, turned, odds.rest(slot, edge, told, turned))
            if odds.drops(slot):
                self._falls_unseen(walk._replace(cost=cost + odds.fall_cost(slot)), slot)
        if hall != NONE and not seen:
            cost_over = cost + odds.hall_cost(slot, edge, turned)
            over_hall = _Walk(cost_over, halves + 1.0, acts, touched, 0, unheard)
            self._found(hall, over_hall, graph.in_slot(slot, edge, 1, turned))
        self._may_fall(walk, slot)
        for out, more, turn, worth in odds.exits(slot, edge, told, turned):
            there = cost + more
            further = halves + (1.0 if seen else _between(edge, out))
            passed = _and(unheard, hall, worth)
            beam = self._beam(slot, out)
            if beam != NONE:
                looks = _Walk(cost + turn, further, acts, touched, depth, passed)
                self._look_out(beam, slot, out, looks, graph.in_slot(slot, out, seen, 1))
            if there < LIMIT:
                self._leave(_Walk(there, further, acts, touched, depth, passed), slot, out)

    def _falls_unseen(self, walk: _Walk, slot: int) -> None:
        graph = self._graph
        cost, halves, acts, touched, _depth, unheard = walk
        acts = (*acts, (FELL, graph.slots[slot], halves))
        drain = graph.believed(graph.drain[slot])
        cost += MISS if drain != NONE else 0.0
        gone, unheard = graph.first_fallen + slot, _and(unheard, drain, MISS)
        self.stops.append((cost, halves, acts, gone, touched, NONE, unheard, (), ()))

    def _may_rest(self, walk: _Walk, slot: int, edge: int, turned: int, rest: Rest) -> None:
        graph = self._graph
        cost, halves, acts, touched, _depth, unheard = walk
        unheard = _and(unheard, graph.believed(graph.hall[slot]), rest.worth)
        against = self._odds.against(slot, edge, turned)
        stays = graph.in_slot(slot, edge)
        self.stops.append((cost + rest.cost, halves, acts, stays, touched, slot, unheard, against, rest.lies))

    def _may_fall(self, walk: _Walk, slot: int) -> None:
        graph = self._graph
        drain = graph.believed(graph.drain[slot])
        if drain != NONE:
            cost, halves = walk.cost + self._odds.fall_cost(slot), walk.halves + 1.0
            acts = (*walk.acts, (FELL, graph.slots[slot], halves))
            self._found(drain, walk._replace(cost=cost, halves=halves, acts=acts), graph.first_fallen + slot)

    def _leave(self, walk: _Walk, slot: int, out: int) -> None:
        graph = self._graph
        cost, halves, acts, touched, depth, unheard = walk
        sort, beyond = graph.beyond[slot][out]
        if not self._odds.is_open(slot):
            acts = (*acts, (LEFT, graph.slots[slot], halves))
        if sort == RAMP:
            beam = graph.believed(graph.ramp_beam[beyond])
            if beam != NONE:
                self._found(beam, walk._replace(acts=acts), graph.first_ramp + beyond)
            return
        if sort == OFF:
            beyond = slot
        leaving = _Walk(cost, halves, acts, touched, depth, unheard)
        self._cross(leaving, graph.edge[slot][out], sort, beyond, (out + 2) % 6 + 1)

    def _cross(self, walk: _Walk, sensor: int, sort: int, beyond: int, edge: int) -> None:
        """Cross an edge that may have a sensor, into whatever is beyond."""
        graph = self._graph
        cost, halves, acts, touched, depth, unheard = walk
        sensor = graph.believed(sensor)
        if sensor != NONE:
            over, more = self._over(acts, touched, halves, sort, beyond)
            self._found(sensor, _Walk(cost, halves, over, more, 0, unheard), self._place(sort, beyond, edge))
            cost += MISS
            unheard = _and(unheard, sensor, MISS)
        if cost >= LIMIT or depth >= DEEPEST:
            return
        if sort == SLOT and depth >= self._deepest:
            self.beyond = min(self.beyond, cost)
        elif sort == SLOT:
            acts, touched = self._over(acts, touched, halves, SLOT, beyond)
            self._visit(_Walk(cost, halves, acts, touched, depth + 1, unheard), beyond, edge)
        elif sort == ZONE:
            self._into_zone(_Walk(cost, halves, acts, touched, 0, unheard), beyond)
        else:
            if acts and acts[-1][0] == LEFT:  # nobody saw it leave: that is the doubt
                acts = acts[:-1]
            self.stops.append(
                (cost, halves, acts, graph.first_missing + beyond, touched, NONE, unheard, (), ())
            )

    def _over(self, acts: Acts, touched: int, halves: float, sort: int, beyond: int) -> tuple[Acts, int]:
        graph = self._graph
        if sort == ZONE:
            return (*acts, (IN_ZONE, graph.zones[beyond], halves)), touched
        if sort == OFF:
            return (*acts, (OFF_BOARD, graph.slots[beyond], halves)), touched
        if self._odds.is_open(beyond):
            return acts, touched
        return (*acts, (ENTERED, graph.slots[beyond], halves)), touched + (1 << TOUCH_BITS * beyond)

    def _place(self, sort: int, beyond: int, edge: int) -> int:
        graph = self._graph
        if sort == SLOT:
            return graph.in_slot(beyond, edge)
        return (graph.first_zone if sort == ZONE else graph.first_lost) + beyond

    def _into_zone(self, walk: _Walk, zone: int) -> None:
        graph = self._graph
        cost, halves, touched, unheard = walk.cost, walk.halves + 1.0, walk.touched, walk.unheard
        acts = (*walk.acts, (IN_ZONE, graph.zones[zone], halves))
        place = graph.first_zone + zone
        beam, rest = graph.believed(graph.zone_beam[zone]), graph.believed(graph.zone_rest[zone])
        if beam != NONE:
            self._found(beam, _Walk(cost, halves, acts, touched, 0, unheard), place)
            cost += MISS
            unheard = _and(unheard, beam, MISS)
        if rest != NONE:
            self._found(rest, _Walk(cost, halves + 1.0, acts, touched, 0, unheard), place)
            cost += MISS
            unheard = _and(unheard, rest, MISS)
        self.stops.append((cost, halves, acts, place, touched, NONE, unheard, (), ()))

    def _found(self, sensor: int, walk: _Walk, place: int) -> None:
        cost, halves, acts, touched, _depth, unheard = walk
        if cost < LIMIT:
            self._add(sensor, (cost, halves, acts, place, touched, CROSSING, _NO_CLIMB, unheard, NONE))

    def _add(self, sensor: int, step: Step) -> None:
        self.steps.setdefault(sensor, []).append(step)


def _between(edge: int, out: int) -> float:
    return 1.0 if edge == 0 else _BETWEEN[(out - edge) % 6]


def _and(unheard: Unheard, sensor: int, worth: float) -> Unheard:
    """Add a sensor that should have seen the ball but was silent; costs ``worth`` unless it was covered."""
    return unheard if sensor == NONE or worth <= 0.0 else (*unheard, (sensor, worth))

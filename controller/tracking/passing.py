"""What the silence of a sensor is worth after a roll in which balls passed it."""

from collections.abc import Collection, Iterable, Sequence
from math import log
from typing import Final

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallReleased,
    Fact,
)
from hextraction.board.grid import EDGES, opposite
from hextraction.controller.tracking.costs import MISS
from hextraction.controller.tracking.graph import NONE, OFF, RAMP, SLOT, ZONE, Graph
from hextraction.controller.tracking.odds import Odds

__all__ = ["passed_by"]

_SURELY: Final = 0.95
_HALL_HEARS: Final = 0.97

Passed = tuple[int, float]
"""A sensor and what its silence is worth, in nats."""


def passed_by(facts: Iterable[Fact], graph: Graph, odds: Odds) -> dict[int, float]:
    """Return what it is worth, in nats, if each believed sensor said nothing while certain facts happened.

    A beam sees every ball, a Hall as often as balls come over the middle on that way. No sensor's silence is
    worth more than one miss a roll: misses come in spells.
    """
    facts = tuple(facts)
    passing = _Passing(graph, odds, {fact.ball for fact in facts if isinstance(fact, BallLeftZone)})
    found: dict[int, float] = {}
    for fact in facts:
        for sensor, worth in passing.of(fact):
            found[sensor] = min(MISS, found.get(sensor, 0.0) + worth)
    for sensor, worth in passing.resting():
        found[sensor] = min(MISS, found.get(sensor, 0.0) + worth)
    return {sensor: worth for sensor, worth in found.items() if graph.believed(sensor) != NONE}


class _Passing:
    """Follows balls from edge to edge."""

    def __init__(self, graph: Graph, odds: Odds, back: Collection[int]) -> None:
        self._graph = graph
        self._back = back
        self._odds = odds
        self._left: dict[int, int] = {}
        self._ramps: dict[int, int] = {}
        self._came: dict[int, int] = {}
        self._inside: dict[int, int] = {}

    def of(self, fact: Fact) -> Iterable[Passed]:
        """Return the sensors that a ball passed according to one fact, if any."""
        graph = self._graph
        if isinstance(fact, BallReleased):
            self._ramps[fact.ball] = graph.ramp_number[fact.ramp]
            return ((graph.ramp_beam[graph.ramp_number[fact.ramp]], MISS),)
        if isinstance(fact, BallFell):
            self._inside.pop(fact.ball, None)
            slot = graph.slot_number[fact.slot]
            return ((graph.drain[slot], MISS), *self._crossed(fact.ball, slot))
        if isinstance(fact, BallInZone):
            return self._into_zone(fact.ball, graph.zone_number[fact.zone])
        if isinstance(fact, BallLeft):
            self._left[fact.ball] = graph.slot_number[fact.slot]
            self._inside.pop(fact.ball, None)
        elif isinstance(fact, BallEntered):
            slot = self._inside[fact.ball] = graph.slot_number[fact.slot]
            return self._crossed(fact.ball, slot)
        elif isinstance(fact, BallOffBoard):
            return self._over_the_side(fact.ball)
        return ()

    def resting(self) -> Iterable[Passed]:
        """Return the Halls over which the balls may have come that have stayed where they came in."""
        for ball, slot in self._inside.items():
            yield from self._over_hall(slot, self._came.get(ball, NONE), (0,))

    def _crossed(self, ball: int, slot: int) -> Iterable[Passed]:
        """Return what a ball passed on entering a slot: the last slot's Hall, and the edge."""
        before = self._left.pop(ball, NONE)
        came = self._came.pop(ball, NONE)
        if before == NONE:
            ramp = self._ramps.pop(ball, NONE)
            self._came[ball] = next((e for e in EDGES if self._graph.beyond[slot][e] == (RAMP, ramp)), NONE)
            return ()
        edge = next((e for e in EDGES if self._graph.beyond[before][e] == (SLOT, slot)), NONE)
        if edge == NONE:
            return ()
        self._came[ball] = opposite(edge)
        return ((self._graph.edge[before][edge], MISS), *self._over_hall(before, came, (edge,)))

    def _into_zone(self, ball: int, zone: int) -> Iterable[Passed]:
        """Return what a ball passed into an end zone; its last edge is known if no other was likely."""
        graph = self._graph
        slot, came = self._left.pop(ball, NONE), self._came.pop(ball, NONE)
        there = [(graph.zone_beam[zone], MISS)]
        if ball not in self._back:
            there.append((graph.zone_rest[zone], MISS))
        ways = [e for e in EDGES if slot != NONE and graph.beyond[slot][e] == (ZONE, zone)]
        return [*there, *self._over_one_of(slot, came, ways)]

    def _surely(self, slot: int, came: int, ways: Sequence[int]) -> int:
        """Return the edge over which a ball must have left, given the edge it came over, or :data:`NONE`."""
        stay = None if came == NONE or not ways else self._odds.stay(slot, came, 0)
        if stay is None:
            return ways[0] if len(ways) == 1 else NONE
        likeliest = max(ways, key=lambda edge: stay.outs[edge])
        return likeliest if stay.outs[likeliest] >= _SURELY * sum(stay.outs[e] for e in ways) else NONE

    def _over_hall(self, slot: int, came: int, outs: Sequence[int]) -> Iterable[Passed]:
        """Return the Hall of a slot that a ball came into over an edge and left over one of some (0: stayed).

        Only known channels say how near balls come to it.
        """
        if (
            came == NONE
            or not outs
            or not all(self._odds.lets_in(slot, edge) for edge in (came, *outs) if edge)
        ):
            return ()
        stay = self._odds.stay(slot, came, 0)
        if stay is None:
            return ()
        return ((self._graph.hall[slot], -log(1.0 - _HALL_HEARS * min(stay.near[out] for out in outs))),)

    def _over_the_side(self, ball: int) -> Iterable[Passed]:
        """Return what a ball passed off the board; the edge is known only if just one mouth leads off it."""
        slot, came = self._left.pop(ball, NONE), self._came.pop(ball, NONE)
        ways = [e for e in EDGES if slot != NONE and self._graph.beyond[slot][e][0] == OFF]
        return self._over_one_of(slot, came, ways)

    def _over_one_of(self, slot: int, came: int, ways: Iterable[int]) -> Iterable[Passed]:
        """Return what a ball passed out of a slot over one of some edges; the beam if it is clear which."""
        ways = [edge for edge in ways if self._odds.opens(slot, edge)]
        over = self._surely(slot, came, ways)
        hall = self._over_hall(slot, came, ways if over == NONE else (over,))
        return hall if over == NONE else ((self._graph.edge[slot][over], MISS), *hall)

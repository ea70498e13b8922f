"""Finds the sensors that balls must have passed in an account: a working sensor would have seen them."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
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
from hextraction.controller.tracking.graph import NONE, OFF, RAMP, SLOT, ZONE, Graph
from hextraction.controller.tracking.odds import Odds

__all__ = ["passed_by"]

_SURELY: Final = 0.95


def passed_by(facts: Iterable[Fact], graph: Graph, odds: Odds) -> Counter[int]:
    """Return which believed sensors balls passed according to some facts, and how often.

    A slot's Hall only counts for balls that went straight through known channels: others pass beside it.
    """
    facts = tuple(facts)
    passing = _Passing(graph, odds, {fact.ball for fact in facts if isinstance(fact, BallLeftZone)})
    passed = Counter(sensor for fact in facts for sensor in passing.of(fact))
    return Counter({sensor: many for sensor, many in passed.items() if graph.believed(sensor) != NONE})


class _Passing:
    """Follows balls from edge to edge."""

    def __init__(self, graph: Graph, odds: Odds, back: Collection[int]) -> None:
        self._graph = graph
        self._back = back
        self._odds = odds
        self._left: dict[int, int] = {}
        self._ramps: dict[int, int] = {}
        self._came: dict[int, int] = {}

    def of(self, fact: Fact) -> Iterable[int]:
        """Return the sensors that a ball passed according to one fact, if any."""
        graph = self._graph
        if isinstance(fact, BallReleased):
            self._ramps[fact.ball] = graph.ramp_number[fact.ramp]
            return (graph.ramp_beam[graph.ramp_number[fact.ramp]],)
        if isinstance(fact, BallFell):
            return (graph.drain[graph.slot_number[fact.slot]],)
        if isinstance(fact, BallInZone):
            return self._into_zone(fact.ball, graph.zone_number[fact.zone])
        if isinstance(fact, BallLeft):
            self._left[fact.ball] = graph.slot_number[fact.slot]
        elif isinstance(fact, BallEntered):
            return self._crossed(fact.ball, graph.slot_number[fact.slot])
        elif isinstance(fact, BallOffBoard):
            return self._over_the_side(fact.ball)
        return ()

    def _crossed(self, ball: int, slot: int) -> Iterable[int]:
        """Return what a ball passed on entering a slot: the edge, and the last slot's Hall if straight."""
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
        over = self._graph.edge[before][edge]
        return (over, self._graph.hall[before]) if self._straight(before, came, edge) else (over,)

    def _into_zone(self, ball: int, zone: int) -> Iterable[int]:
        """Return what a ball passed into an end zone; its last edge is known if no other was likely."""
        graph = self._graph
        slot, came = self._left.pop(ball, NONE), self._came.pop(ball, NONE)
        there = [graph.zone_beam[zone]]
        if ball not in self._back:
            there.append(graph.zone_rest[zone])
        ways = [e for e in EDGES if slot != NONE and graph.beyond[slot][e] == (ZONE, zone)]
        over = self._surely(slot, came, [edge for edge in ways if self._odds.opens(slot, edge)])
        if over == NONE:
            return there
        hall = [graph.hall[slot]] if self._straight(slot, came, over) else []
        return [*there, graph.edge[slot][over], *hall]

    def _surely(self, slot: int, came: int, ways: Sequence[int]) -> int:
        """Return the edge over which a ball must have left, given the edge it came over, or :data:`NONE`."""
        stay = None if came == NONE or not ways else self._odds.stay(slot, came, 0)
        if stay is None:
            return ways[0] if len(ways) == 1 else NONE
        likeliest = max(ways, key=lambda edge: stay.outs[edge])
        return likeliest if stay.outs[likeliest] >= _SURELY * sum(stay.outs[e] for e in ways) else NONE

    def _straight(self, slot: int, came: int, edge: int) -> bool:
        if came == NONE or came != opposite(edge):
            return False
        return self._odds.lets_in(slot, came) and self._odds.lets_in(slot, edge)

    def _over_the_side(self, ball: int) -> Iterable[int]:
        """Return what a ball passed off the board; the edge is known only if just one mouth leads off it."""
        slot = self._left.pop(ball, NONE)
        if slot == NONE:
            return ()
        graph = self._graph
        ways = [e for e in EDGES if graph.beyond[slot][e][0] == OFF and self._odds.opens(slot, e)]
        return (graph.edge[slot][ways[0]],) if len(ways) == 1 else ()

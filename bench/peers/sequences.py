"""From "these pulses belong to this ball" to facts: what the peers, who know only places, have to say.

A ball is on the slot whose Hall it covers; over a beam between two slots it goes from one to the other; over
one at the rim it leaves; under a hole it fell.
"""

from typing import Any

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallOffBoard,
    BallReleased,
    Fact,
)
from hextraction.board.instruments import Kind, find_instrument


def sensor_places(board: Any, sensors: Any) -> Any:
    """Return where each sensor is, in millimetres, and each slot's middle under ``slot NAME``."""
    places = {f"slot {slot.name}": (slot.x_mm, slot.y_mm) for slot in board.slots}
    for name in sensors:
        found = find_instrument(board, name)
        if found.kind is Kind.RAMP:
            ramp = board.ramp_by_name[found.place]
            places[name] = _edge(board, ramp.slot, ramp.edge)
        elif found.kind is Kind.EDGE:
            places[name] = _edge(board, found.place, found.edge)
        elif found.kind in {Kind.ZONE, Kind.REST}:
            outlets = next(zone.outlets for zone in board.zones if zone.name == found.place)
            ends = [_edge(board, slot, edge) for slot, edge in outlets]
            places[name] = tuple(sum(axis) / len(ends) for axis in zip(*ends, strict=True))
        else:
            places[name] = places[f"slot {found.place}"]
    return places


def _edge(board: Any, slot: Any, edge: Any) -> Any:
    from hextraction.board.grid import edge_middle_mm

    place = board.by_name[slot]
    across, down = edge_middle_mm(edge, board.pitch_mm)
    return place.x_mm + across, place.y_mm + down


class _Walk:
    """One ball."""

    def __init__(self, board: Any, ball: Any, slot: Any) -> None:
        self._board, self._ball = board, ball
        self._slot = slot
        self._due: str | None = None
        self._gone = self._zone = False
        self.facts: list[Fact] = []

    def take(self, sensor: Any, at_us: Any) -> None:
        """Take one pulse."""
        found = find_instrument(self._board, sensor)
        if self._gone:
            return
        if found.kind is Kind.RAMP:
            self._released(found.place, at_us)
        elif found.kind is Kind.BALL:
            self._to(found.place, at_us)
        elif found.kind is Kind.DRAIN:
            self._to(found.place, at_us)
            self._end(BallFell(at_us=at_us, ball=self._ball, slot=found.place))
        elif found.kind is Kind.EDGE:
            self._over(found.place, found.edge, at_us)
        elif not self._zone:
            self._leave(at_us)
            self._zone = True
            self._end(BallInZone(at_us=at_us, ball=self._ball, zone=found.place))

    def finish(self, at_us: Any) -> None:
        """No more pulses: a ball that came down a ramp is on the slot below it at least."""
        if self._due is not None and not self._gone:
            self._to(self._due, at_us)

    def _released(self, ramp: Any, at_us: Any) -> None:
        if self._slot is None and self._due is None:
            self.facts.append(BallReleased(at_us=at_us, ball=self._ball, ramp=ramp))
            self._due = self._board.ramp_by_name[ramp].slot

    def _to(self, slot: Any, at_us: Any) -> None:
        self._arrive(at_us)
        if slot != self._slot:
            self._leave(at_us)
            self._slot = slot
            self.facts.append(BallEntered(at_us=at_us, ball=self._ball, slot=slot))

    def _arrive(self, at_us: Any) -> None:
        due, self._due = self._due, None
        if due is not None:
            self._slot = due
            self.facts.append(BallEntered(at_us=at_us, ball=self._ball, slot=due))

    def _leave(self, at_us: Any) -> None:
        self._arrive(at_us)
        if self._slot is not None:
            self.facts.append(BallLeft(at_us=at_us, ball=self._ball, slot=self._slot))
            self._slot = None

    def _over(self, slot: Any, edge: Any, at_us: Any) -> None:
        self._arrive(at_us)
        beyond = self._board.beyond(slot, edge)
        if beyond.slot is None:
            if self._slot != slot:
                self._to(slot, at_us)
            self._leave(at_us)
            if beyond.zone is None:
                self._end(BallOffBoard(at_us=at_us, ball=self._ball, slot=slot))
            else:
                self._zone = True
                self._end(BallInZone(at_us=at_us, ball=self._ball, zone=beyond.zone))
        elif self._slot == slot:
            self._to(beyond.slot, at_us)
        else:
            self._to(slot, at_us)

    def _end(self, fact: Any) -> None:
        self._slot = None
        self._gone = True
        self.facts.append(fact)


def facts_of_ways(board: Any, balls: Any, pulses: Any, ways: Any) -> Any:
    """Return the facts of all balls, in order of time."""
    facts = []
    last_us = max((pulse[1] for pulse in pulses), default=0)
    for ball, own in ways.items():
        walk = _Walk(board, ball, balls.get(ball))
        for index in sorted(own):
            walk.take(pulses[index][0], pulses[index][1])
        walk.finish(last_us)
        facts += walk.facts
    return sorted(facts, key=lambda fact: fact.at_us)

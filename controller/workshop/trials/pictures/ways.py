"""The ways of balls over a board, from facts: where each came from, which slots it crossed, where it ended.

A step is sure if a sensor at that place was on at about that time. The others were inferred.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Fact,
)
from hextraction.board.grid import EDGES, opposite
from hextraction.board.instruments import Kind, find_instrument
from hextraction.board.layout import Beyond
from hextraction.board.profile import Board
from hextraction.controller.tracking.trace import TraceEdge

__all__ = ["Pulse", "Step", "Way", "pulses_of", "ways_of"]

_NEAR_US: Final = 150_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    """A time span in which a sensor was on; ``slots`` are those that it is in or between."""

    sensor: str
    on_us: int
    off_us: int
    slots: frozenset[str]

    def near(self, at_us: int) -> bool:
        """Whether the sensor was on at about that time."""
        return self.on_us - _NEAR_US <= at_us <= self.off_us + _NEAR_US


@dataclass(slots=True, kw_only=True)
class Step:
    """A ball on a slot: the edges over which it came and left (0: rested), when, and if a sensor saw it."""

    slot: str
    at_us: int
    seen: bool
    came: int = 0
    went: int = 0


@dataclass(slots=True, kw_only=True)
class Way:
    """A ball's way. ``end`` is ``rest``, ``fell``, ``off``, ``zone`` or ``stuck``."""

    ball: int
    ramp: str = ""
    steps: list[Step] = field(default_factory=list)
    end: str = "rest"
    end_seen: bool = True


def pulses_of(edges: Sequence[TraceEdge], board: Board) -> list[Pulse]:
    """Return the pulses of all sensors in order; one still on ends with the last edge."""
    on: dict[str, int] = {}
    found = []
    for edge in edges:
        if edge.active:
            on.setdefault(edge.sensor, edge.at_us)
        elif edge.sensor in on:
            found.append(_pulse(board, edge.sensor, on.pop(edge.sensor), edge.at_us))
    last_us = edges[-1].at_us if edges else 0
    found += [_pulse(board, sensor, since_us, last_us) for sensor, since_us in on.items()]
    return sorted(found, key=lambda pulse: pulse.on_us)


def _pulse(board: Board, sensor: str, on_us: int, off_us: int) -> Pulse:
    try:
        found = find_instrument(board, sensor)
    except ValueError:
        return Pulse(sensor=sensor, on_us=on_us, off_us=off_us, slots=frozenset())
    slots = {found.place}
    if found.kind is Kind.RAMP:
        slots = {board.ramp_by_name[found.place].slot}
    elif found.kind is Kind.EDGE and (over := board.neighbour(found.place, found.edge)) is not None:
        slots.add(over)
    elif found.kind in {Kind.ZONE, Kind.REST}:
        slots = {slot for zone in board.zones if zone.name == found.place for slot, _edge in zone.outlets}
    return Pulse(sensor=sensor, on_us=on_us, off_us=off_us, slots=frozenset(slots))


def ways_of(
    facts: Sequence[Fact], balls: Mapping[int, str], pulses: Sequence[Pulse], board: Board
) -> Iterator[Way]:
    """Return the way of each ball that moved, in order of ball number."""
    told: dict[int, list[Fact]] = {}
    for fact in facts:
        told.setdefault(fact.ball, []).append(fact)
    for ball in sorted(told):
        yield _Walker(board, pulses, ball, balls.get(ball)).walk(told[ball])


class _Walker:
    """Reads the facts of one ball."""

    def __init__(self, board: Board, pulses: Sequence[Pulse], ball: int, rested: str | None) -> None:
        self._board = board
        self._pulses = pulses
        self._way = Way(ball=ball)
        if rested is not None:
            self._way.steps.append(Step(slot=rested, at_us=0, seen=True))

    def walk(self, facts: Sequence[Fact]) -> Way:
        for fact in facts:
            if isinstance(fact, BallReleased):
                self._way.ramp = fact.ramp
            elif isinstance(fact, BallEntered):
                self._enter(fact)
            elif isinstance(fact, BallFell):
                self._end("fell", fact.slot, fact.at_us)
            elif isinstance(fact, BallOffBoard):
                self._leave("off", fact.slot, fact.at_us, lambda beyond: beyond.off_board)
            elif isinstance(fact, BallInZone):
                last = self._way.steps[-1].slot if self._way.steps else None
                self._leave("zone", last, fact.at_us, _into(fact.zone))
            elif isinstance(fact, BallStuckOnRamp):
                self._way.end = "stuck"
        return self._way

    def _enter(self, fact: BallEntered) -> None:
        steps, came = self._way.steps, 0
        if steps:
            came = self._edge_to(fact.slot, steps[-1].slot)
            steps[-1].went = self._edge_to(steps[-1].slot, fact.slot)
        elif self._way.ramp:
            came = self._board.ramp_by_name[self._way.ramp].edge
        seen = self._told(fact.slot, fact.at_us)
        steps.append(Step(slot=fact.slot, at_us=fact.at_us, seen=seen, came=came))

    def _edge_to(self, slot: str, other: str) -> int:
        return next((edge for edge in EDGES if self._board.neighbour(slot, edge) == other), 0)

    def _end(self, how: str, slot: str, at_us: int) -> None:
        if not self._way.steps or self._way.steps[-1].slot != slot:
            self._enter(BallEntered(at_us=at_us, ball=self._way.ball, slot=slot))
        self._way.end, self._way.end_seen = how, self._told(slot, at_us)

    def _leave(self, how: str, slot: str | None, at_us: int, leads: Callable[[Beyond], bool]) -> None:
        self._way.end = how
        if slot is None or not self._way.steps:
            return
        came = self._way.steps[-1].came
        ahead = opposite(came) if came else 0
        outs = [edge for edge in EDGES if leads(self._board.beyond(slot, edge))]
        outs.sort(key=lambda edge: edge != ahead)  # where no beam decides, straight on
        told = [edge for edge in outs if self._beam_told(slot, edge, at_us)]
        self._way.end_seen = bool(told)
        self._way.steps[-1].went = (told or outs or [0])[0]

    def _beam_told(self, slot: str, edge: int, at_us: int) -> bool:
        name = f"edge.{slot}.{edge}"
        return any(pulse.sensor == name and pulse.near(at_us) for pulse in self._pulses)

    def _told(self, slot: str, at_us: int) -> bool:
        return any(slot in pulse.slots and pulse.near(at_us) for pulse in self._pulses)


def _into(zone: str) -> Callable[[Beyond], bool]:
    return lambda beyond: beyond.zone == zone

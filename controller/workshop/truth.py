"""What people say really happened in a roll, one line a ball, as the facts of a labelled roll.

A line is a ball's way in words: where it came from (a ramp, or the slot in which it lay), each slot that it
entered, and how it ended: nothing if it rests in the last slot, ``off`` over the side, ``fell`` through the
last slot, ``stuck`` on its ramp, or the name of an end zone. Times are spread evenly: nobody sees them; no
verdict depends on them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec
from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Fact,
)
from hextraction.board.grid import EDGES
from hextraction.board.profile import Board, Ramp
from hextraction.controller.tracking.trace import HeaderReader, Trace, TraceEdge
from hextraction.controller.workshop.trials.labelled import labelled_lines
from hextraction.hal.ports import Edge

__all__ = ["TruthRecorder", "WatchedRoll", "WayError", "ask_ways", "ramp_words"]

_LEAD_US = 1_000_000


def ramp_words(board: Board) -> dict[str, Ramp]:
    """Return what each ramp is called in a way: its name, or ``ramp.C1`` where a slot is called so, too."""
    return {f"ramp.{ramp.name}" if ramp.name in board.by_name else ramp.name: ramp for ramp in board.ramps}


class WayError(ValueError):
    """A ball's way cannot be; the message says why."""


@dataclass(slots=True, kw_only=True)
class WatchedRoll:
    """The truth of one roll as it is told. ``balls`` are those at rest, by number, kept up to date."""

    board: Board
    tiled: frozenset[str]
    balls: dict[int, str]
    next_number: int
    facts: list[Fact] = field(default_factory=list)
    _moved: set[int] = field(default_factory=set)

    def take(self, line: str) -> None:
        """Add a ball's way.

        Raises:
            WayError: a place does not exist, two places are not neighbours, or no ball lies where one begins.
        """
        words = line.split()
        where, told = self._begin(words[0])
        number = told[0].ball if told else self._lying(where)
        inside = None if told else where
        last_tile = inside
        end = ""
        for at, word in enumerate(words[1:], 1):
            if end:
                raise WayError(f"{word}: want nothing after {end}")
            if word in self.board.by_name:
                self._neighbours(where, word)
                if inside is not None:
                    told.append(BallLeft(at_us=0, ball=number, slot=inside))
                inside = word if word in self.tiled else None
                if inside is not None:
                    told.append(BallEntered(at_us=0, ball=number, slot=inside))
                    last_tile = inside
                where = word
            else:
                end = word
                told += self._end(word, number, where, inside, last_tile, first=at == 1)
        if not end and inside is None:
            raise WayError(f"{where}: want off, fell, stuck or an end zone there, where no tile lies")
        self._moved.add(number)
        self.balls.pop(number, None)
        if not end and inside is not None:
            self.balls[number] = inside
        self.next_number = max(self.next_number, number + 1)
        self.facts += told

    def next_words(self, words: Sequence[str]) -> frozenset[str]:
        """Return the words that may follow the first ones of a ball's way; none after its end."""
        if not words:
            lying = [slot for number, slot in self.balls.items() if number not in self._moved]
            return frozenset([*ramp_words(self.board), *lying])
        where = words[-1]
        if (ramp := ramp_words(self.board).get(where)) is not None:
            return frozenset({ramp.slot, "stuck", "off"})
        if where not in self.board.by_name:
            return frozenset()
        beyond = self.board.by_name[where].edges
        around = [name for edge in beyond for name in (edge.slot, edge.zone) if name is not None]
        return frozenset({*around, "off", "fell"})

    def timed(self, from_us: int, until_us: int) -> tuple[Fact, ...]:
        """Return the facts, spread evenly over a time."""
        step = (until_us - from_us) // (len(self.facts) + 1)
        return tuple(
            msgspec.structs.replace(fact, at_us=from_us + step * number)
            for number, fact in enumerate(self.facts, 1)
        )

    def _begin(self, word: str) -> tuple[str, list[Fact]]:
        ramps = ramp_words(self.board)
        if word in ramps:
            return word, [BallReleased(at_us=0, ball=self.next_number, ramp=ramps[word].name)]
        if word in self.board.by_name:
            return word, []
        raise WayError(f"{word}: want a ramp ({', '.join(ramps)}) or a slot")

    def _lying(self, slot: str) -> int:
        for number, lies in self.balls.items():
            if lies == slot and number not in self._moved:
                return number
        raise WayError(f"{slot}: no ball lay there")

    def _neighbours(self, where: str, slot: str) -> None:
        ramp = ramp_words(self.board).get(where)
        around = [] if ramp is not None else [self.board.neighbour(where, edge) for edge in EDGES]
        if slot not in (around if ramp is None else (ramp.slot,)):
            raise WayError(f"{slot}: is not beside {where}")

    def _end(
        self, word: str, ball: int, where: str, inside: str | None, last_tile: str | None, *, first: bool
    ) -> list[Fact]:
        left: list[Fact] = [] if inside is None else [BallLeft(at_us=0, ball=ball, slot=inside)]
        if word == "off":
            return [*left, BallOffBoard(at_us=0, ball=ball, slot=last_tile)]
        if word == "fell" and where in self.board.by_name:
            return [BallFell(at_us=0, ball=ball, slot=where)]
        ramp = ramp_words(self.board).get(where)
        if word == "stuck" and first and ramp is not None:
            return [BallStuckOnRamp(at_us=0, ball=ball, ramp=ramp.name)]
        if word in {zone.name for zone in self.board.zones}:
            return [*left, BallInZone(at_us=0, ball=ball, zone=word)]
        zones = ", ".join(zone.name for zone in self.board.zones)
        raise WayError(f"{word}: want a slot, off, fell, an end zone ({zones}), or stuck after a ramp")


def ask_ways(told: WatchedRoll, ask: Callable[[str], str], say: Callable[[str], None]) -> None:
    """Ask for each ball's way until an empty line; a line that cannot be is said and asked for again."""
    while line := ask("A ball's way, as `L2 B1 B2 off`; empty: that was all > ").strip():
        try:
            told.take(line)
        except WayError as error:
            say(f"  {error}")


class TruthRecorder:
    """Makes labelled rolls of edges and what people say of them; balls stay where they were told to be."""

    def __init__(self, head: HeaderReader, sensors: Sequence[str]) -> None:
        if head.board is None:
            raise ValueError("want the first line of a trace with a board")
        self.board = head.board
        self._sensors = tuple(sensors)
        self._tiles = dict(head.tiles)
        self._balls = dict(head.balls)
        self._on: set[str] = set()

    def told(self) -> WatchedRoll:
        """Return an empty account of the next roll."""
        number = max(self._balls, default=0) + 1
        return WatchedRoll(
            board=self.board, tiled=frozenset(self._tiles), balls=dict(self._balls), next_number=number
        )

    def roll(self, edges: Sequence[Edge], told: WatchedRoll) -> list[str]:
        """Return a roll as lines: its trace, a second of lead before the first edge, and its truth."""
        edges = [edge for edge in edges if edge.sensor in self._sensors]
        shift_us = _LEAD_US - (edges[0].at_us if edges else 0)
        on = [TraceEdge(at_us=0, sensor=name, active=True) for name in sorted(self._on)]
        later = [
            TraceEdge(at_us=edge.at_us + shift_us, sensor=edge.sensor, active=edge.active) for edge in edges
        ]
        trace = Trace(
            board=self.board,
            sensors=self._sensors,
            tiles=self._tiles,
            balls=self._balls,
            edges=(*on, *later),
        )
        until_us = later[-1].at_us if later else 2 * _LEAD_US
        lines = list(labelled_lines(trace, told.timed(_LEAD_US, until_us), self._tiles))
        for edge in edges:
            (self._on.add if edge.active else self._on.discard)(edge.sensor)
        self._balls = dict(told.balls)
        return lines

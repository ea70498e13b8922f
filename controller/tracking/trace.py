"""Traces: sensor edges as JSON Lines, read, written and tracked. The format is described in docs/trace.md."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from hextraction.board.facts import Fact, RollSettled
from hextraction.board.instruments import SETS, find_instrument, instruments
from hextraction.board.profile import Board, load_board
from hextraction.board.tiles import UNKNOWN, Catalogue
from hextraction.controller.tracking.graph import Laid
from hextraction.controller.tracking.tracker import Facts, Settings, Tracker

__all__ = [
    "Trace",
    "TraceEdge",
    "TraceError",
    "TraceRelease",
    "facts_of",
    "read_trace",
    "split_traces",
    "take",
    "write_trace",
]

_VERSION: Final = 1
_FIRST_LINE: Final = re.compile(r'\s*\{\s*"trace"')
_TRUTH: Final = re.compile(r'\s*\{\s*"truth"')
_HEADER_KEYS: Final = {"trace", "board", "instruments", "tiles", "balls"}


class TraceError(ValueError):
    """A trace is wrong. ``problems`` has every mistake, each as ``line N: what was expected``."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class TraceEdge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One edge: microseconds, the sensor's name, and whether it went on (true) or off."""

    at_us: int
    sensor: str
    active: bool


class TraceRelease(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Word of a release: then, in microseconds, a gate let a ball off a ramp, or people said so."""

    at_us: int
    release: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A whole trace: the board as it was at the start, which sensors it has, and their edges in order.

    ``which`` is the name of the instrument set, or empty when the sensors were listed one by one.
    ``releases`` were announced; a board without gates announces none.
    """

    board: Board
    sensors: tuple[str, ...]
    which: str = ""
    tiles: Mapping[str, Laid]
    balls: Mapping[int, str]
    edges: tuple[TraceEdge, ...]
    releases: tuple[TraceRelease, ...] = ()

    @property
    def steps(self) -> tuple[TraceEdge | TraceRelease, ...]:
        """Edges and announced releases in order of time; of the same moment the releases come first."""
        return tuple(sorted((*self.releases, *self.edges), key=lambda step: step.at_us))


def split_traces(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Cut a file of several traces at their first lines; return each with the number of its first line."""
    part: list[str] = []
    first = 1
    for number, line in enumerate(lines, 1):
        if part and _FIRST_LINE.match(line):
            yield first, part
            part, first = [], number
        part.append(line)
    if any(line.strip() for line in part):
        yield first, part


def read_trace(lines: Iterable[str], catalogue: Catalogue, *, first: int = 1) -> Trace:
    """Read a trace; empty lines and lines of truth are skipped. ``first`` is the number of its first line.

    Raises:
        TraceError: with every mistake in it.
    """
    problems: list[str] = []
    numbered = [
        (number, line) for number, line in enumerate(lines, first) if line.strip() and not _TRUTH.match(line)
    ]
    if not numbered:
        raise TraceError([f"line {first}: want a header, found nothing"])
    head = _Header(*numbered[0], catalogue, problems)
    steps = tuple(_steps(numbered[1:], head.board, problems))
    if problems or head.board is None:
        raise TraceError(problems)
    return Trace(
        board=head.board,
        sensors=head.sensors,
        which=head.which,
        tiles=head.tiles,
        balls=head.balls,
        edges=tuple(step for step in steps if isinstance(step, TraceEdge)),
        releases=tuple(step for step in steps if isinstance(step, TraceRelease)),
    )


def write_trace(trace: Trace) -> Iterator[str]:
    """Write a trace as lines without line ends; :func:`read_trace` gives the same trace back."""
    header = {
        "trace": _VERSION,
        "board": trace.board.name,
        "instruments": trace.which or list(trace.sensors),
        "tiles": {slot: [laid.tile.name, laid.turns] for slot, laid in trace.tiles.items()},
        "balls": {str(ball): slot for ball, slot in trace.balls.items()},
    }
    yield json.dumps(header, separators=(",", ":"))
    for step in trace.steps:
        yield msgspec.json.encode(step).decode()


def facts_of(trace: Trace, settings: Settings | None = None) -> Iterator[Fact | RollSettled]:
    """Track a trace to its last quiet and return what the tracker makes known, in order."""
    tracker = Tracker(trace.board, trace.sensors, settings)
    tracker.lay(trace.tiles)
    tracker.put_balls(trace.balls)
    for step in trace.steps:
        yield from _advance(tracker, step.at_us)
        yield from take(tracker, step)
    yield from _advance(tracker, None)


def take(tracker: Tracker, step: TraceEdge | TraceRelease) -> Facts:
    """Let a tracker hear one step of a trace; return the facts that it makes known."""
    if isinstance(step, TraceRelease):
        tracker.expect(step.release, step.at_us)
        return ()
    if step.at_us == 0 and step.active and tracker.cover(step.sensor):
        return ()
    return tracker.feed(step.sensor, step.active, step.at_us)


def _advance(tracker: Tracker, until_us: int | None) -> Iterator[Fact | RollSettled]:
    while (wake_us := tracker.wake_at_us) is not None and (until_us is None or wake_us < until_us):
        yield from tracker.advance(wake_us)


def _steps(
    numbered: list[tuple[int, str]], board: Board | None, problems: list[str]
) -> Iterator[TraceEdge | TraceRelease]:
    before_us = 0
    for number, line in numbered:
        try:
            step = _step(line)
        except msgspec.DecodeError as error:
            problems.append(f"line {number}: {error}")
            continue
        if step.at_us < before_us:
            problems.append(f"line {number}: at_us goes back from {before_us} to {step.at_us}")
        if isinstance(step, TraceRelease) and board is not None and step.release not in board.ramp_by_name:
            ramps = ", ".join(board.ramp_by_name)
            problems.append(f"line {number}: release: want one of {ramps}, found {step.release!r}")
        before_us = max(before_us, step.at_us)
        yield step


def _step(line: str) -> TraceEdge | TraceRelease:
    if '"release"' in line:
        return msgspec.json.decode(line, type=TraceRelease)
    return msgspec.json.decode(line, type=TraceEdge)


class _Header:
    """Reads the first line; complaints go to ``problems``."""

    def __init__(self, number: int, line: str, catalogue: Catalogue, problems: list[str]) -> None:
        self._number = number
        self._problems = problems
        self.board: Board | None = None
        self.sensors: tuple[str, ...] = ()
        self.which = ""
        self.tiles: dict[str, Laid] = {}
        self.balls: dict[int, str] = {}
        head = self._object(line)
        if head is None:
            return
        for key in sorted(head.keys() - _HEADER_KEYS):
            self._complain(f"{key}: unknown key")
        if head.get("trace") != _VERSION:
            self._complain(f"trace: want {_VERSION}, found {head.get('trace')!r}")
        self.board = self._read_board(head.get("board"))
        if self.board is not None:
            self._read_instruments(self.board, head.get("instruments", "rich"))
            self._read_tiles(self.board, head.get("tiles", {}), catalogue)
            self._read_balls(self.board, head.get("balls", {}))

    def _complain(self, what: str) -> None:
        self._problems.append(f"line {self._number}: {what}")

    def _object(self, line: str) -> dict[str, Any] | None:
        try:
            return msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.DecodeError as error:
            self._complain(f"want the header as a JSON object: {error}")
            return None

    def _read_board(self, name: object) -> Board | None:
        try:
            return load_board(str(name))
        except KeyError:
            self._complain(f"board: no board is called {name!r}")
            return None

    def _read_instruments(self, board: Board, found: object) -> None:
        if isinstance(found, str) and found in SETS:
            self.which = found
            self.sensors = tuple(instrument.name for instrument in instruments(board, found))
        elif isinstance(found, list):
            self.sensors = tuple(str(name) for name in found)
            for name in self.sensors:
                self._check_sensor(board, name)
        else:
            self._complain(f"instruments: want {', '.join(SETS)} or a list of sensors, found {found!r}")

    def _check_sensor(self, board: Board, name: str) -> None:
        try:
            find_instrument(board, name)
        except ValueError as error:
            self._complain(f"instruments: {error}")

    def _read_tiles(self, board: Board, found: object, catalogue: Catalogue) -> None:
        if not isinstance(found, dict):
            self._complain(f"tiles: want an object, found {found!r}")
            return
        for slot, laid in found.items():
            match laid:
                case [str(name), int(turns)] if slot in board.by_name and turns in range(6):
                    if name in catalogue or name == UNKNOWN.name:
                        self.tiles[slot] = Laid(catalogue.get(name, UNKNOWN), turns)
                    else:
                        self._complain(f"tiles.{slot}: no tile is called {name!r}")
                case _:
                    self._complain(f"tiles.{slot}: want a slot: [tile, turns 0..5], found {laid!r}")

    def _read_balls(self, board: Board, found: object) -> None:
        if not isinstance(found, dict):
            self._complain(f"balls: want an object, found {found!r}")
            return
        for ball, slot in found.items():
            if ball.isdecimal() and int(ball) > 0 and slot in board.by_name:
                self.balls[int(ball)] = slot
            else:
                self._complain(f"balls.{ball}: want a number from 1 and a slot, found {slot!r}")

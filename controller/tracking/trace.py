"""Traces: sensor edges as JSON Lines, read, written and tracked. The format is described in docs/trace.md."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from reprlib import repr as brief
from typing import Annotated, Any, Final, TypeVar

import msgspec
from hextraction.board.facts import Fact, RollSettled
from hextraction.board.instruments import SETS, find_instrument, instruments
from hextraction.board.profile import Board, load_board
from hextraction.board.tiles import UNKNOWN_SHAPE, Shapes
from hextraction.controller.tracking.graph import Graph, Laid
from hextraction.controller.tracking.layout import sees
from hextraction.controller.tracking.tracker import Facts, Settings, Tracker

__all__ = [
    "LATEST_US",
    "VERSION",
    "HeaderReader",
    "LineError",
    "Trace",
    "TraceEdge",
    "TraceError",
    "TraceRelease",
    "begins_trace",
    "facts_of",
    "is_release",
    "is_truth",
    "limits_of",
    "read_line",
    "read_trace",
    "split_traces",
    "take",
    "write_trace",
]

# --- A line: a JSON object without duplicate keys ---

T = TypeVar("T")


class LineError(ValueError):
    """A line is invalid; the message says why."""


def read_line(line: str, kind: type[T]) -> T:
    """Read a line as an object of type ``kind``.

    Raises:
        LineError: it is not such an object, or has a duplicate key.
    """
    try:
        found = msgspec.json.decode(line, type=kind)
        # msgspec silently takes the last of two equal keys.
        json.loads(line, object_pairs_hook=_once)
    except RecursionError:
        raise LineError("brackets are nested too deeply") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise LineError(str(error)) from None
    return found


def begins_trace(line: str) -> bool:
    """Whether a line is the header of a trace."""
    return _has(line, "trace")


def is_truth(line: str) -> bool:
    """Whether a line says what really happened."""
    return _has(line, "truth") and not begins_trace(line)


def is_release(line: str) -> bool:
    """Whether a line announces a release."""
    return _has(line, "release")


def _has(line: str, key: str) -> bool:
    """Whether a line has this key. A line that begins with it counts, even if the rest is malformed."""
    if f'"{key}"' not in line:
        return False
    if re.match(rf'\s*\{{\s*"{key}"\s*:', line):
        return True
    try:
        return key in msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return False


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _value in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise LineError(f"want each key once, found {twice!r} twice")
    return found


# --- The header: the state of the board before the first edge ---

VERSION: Final = 1
_KEYS: Final = {"trace", "board", "instruments", "tiles", "balls"}
_BALL: Final = re.compile(r"[1-9][0-9]{0,8}")
"""Only one way to write each number, and none too large for the facts."""
_LONGEST_NAME: Final = 30


class HeaderReader:
    """Reads the header; mistakes go to ``problems``, and ``board`` is None if it is unknown."""

    def __init__(self, number: int, line: str, catalogue: Shapes, problems: list[str]) -> None:
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
        for key in sorted(head.keys() - _KEYS):
            self._complain(f"{_name(key)}: unknown key")
        version = head.get("trace")
        if isinstance(version, bool) or version != VERSION:
            self._complain(f"trace: want {VERSION}, found {brief(version)}")
        self.board = self._read_board(head.get("board"))
        if self.board is not None:
            self._read_instruments(self.board, head.get("instruments", "rich"))
            self._read_tiles(self.board, head.get("tiles", {}), catalogue)
            self._read_balls(self.board, head.get("balls", {}), head.get("tiles", {}))

    def _complain(self, what: str) -> None:
        self._problems.append(f"line {self._number}: {what}")

    def _object(self, line: str) -> dict[str, Any] | None:
        try:
            return read_line(line, dict[str, Any])
        except LineError as error:
            self._complain(f"want the header as a JSON object: {error}")
            return None

    def _read_board(self, name: object) -> Board | None:
        try:
            return load_board(name if isinstance(name, str) else "")
        except KeyError:
            self._complain(f"board: no board is called {brief(name)}")
            return None

    def _read_instruments(self, board: Board, found: object) -> None:
        if isinstance(found, str) and found in SETS:
            self.which = found
            self.sensors = tuple(instrument.name for instrument in instruments(board, found))
        elif isinstance(found, list):
            self.sensors = tuple(name for name in found if self._is_sensor(board, name))
            for name in sorted({name for name in self.sensors if self.sensors.count(name) > 1}):
                self._complain(f"instruments: want each sensor once, found {name!r} more often")
        else:
            self._complain(f"instruments: want {', '.join(SETS)} or a list of sensors, found {brief(found)}")

    def _is_sensor(self, board: Board, name: object) -> bool:
        if not isinstance(name, str):
            self._complain(f"instruments: want names of sensors, found {brief(name)}")
            return False
        try:
            find_instrument(board, name)
        except ValueError as error:
            self._complain(f"instruments: {error}")
            return False
        return True

    def _read_tiles(self, board: Board, found: object, catalogue: Shapes) -> None:
        if not isinstance(found, dict):
            self._complain(f"tiles: want an object, found {brief(found)}")
            return
        for slot, laid in found.items():
            match laid:
                case [str(name), int(turns)] if slot in board.by_name and _is_turns(turns):
                    if name in catalogue or name == UNKNOWN_SHAPE.name:
                        self.tiles[slot] = Laid(catalogue.get(name, UNKNOWN_SHAPE), turns)
                    else:
                        self._complain(f"tiles.{slot}: no tile is called {brief(name)}")
                case _:
                    want = "want a slot: [tile, turns 0..5]"
                    self._complain(f"tiles.{_name(slot)}: {want}, found {brief(laid)}")

    def _read_balls(self, board: Board, found: object, tiles: object) -> None:
        if not isinstance(found, dict):
            self._complain(f"balls: want an object, found {brief(found)}")
            return
        for ball, slot in found.items():
            if not (_BALL.fullmatch(ball) and isinstance(slot, str) and slot in board.by_name):
                want = "want a number from 1 to 999999999 and a slot"
                self._complain(f"balls.{_name(ball)}: {want}, found {brief(slot)}")
            elif isinstance(tiles, dict) and slot not in tiles:
                self._complain(f"balls.{ball}: want a slot with a tile, found {slot}, which is open")
            else:
                self.balls[int(ball)] = slot


def _is_turns(found: int) -> bool:
    return found in range(6) and not isinstance(found, bool)


def _name(key: str) -> str:
    """Return a key in a form that fits on one line of a message."""
    return key if len(key) <= _LONGEST_NAME and key.isprintable() else brief(key)


# --- Traces ---


class TraceError(ValueError):
    """A trace is wrong. ``problems`` has every mistake, each as ``line N: what was expected``.

    >>> from hextraction.api import TraceError, read_trace
    >>> try:
    ...     read_trace(["{}"], {})
    ... except TraceError as error:
    ...     print(error.problems[0])
    line 1: trace: want 1, found None
    """

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        # The only argument must suffice to rebuild it: it is pickled when it comes from other processes.
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(self.problems)


LATEST_US: Final = 2**53
"""The latest time that every reader of JSON can hold exactly: 285 years."""
AtUs = Annotated[int, msgspec.Meta(ge=0, le=LATEST_US)]
"""Microseconds since the trace began."""


class TraceEdge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One edge: microseconds, the sensor's name, and whether it went on (true) or off.

    >>> from hextraction.api import TraceEdge
    >>> TraceEdge(at_us=1_000_000, sensor="ramp.L2", active=True).sensor
    'ramp.L2'
    """

    at_us: AtUs
    sensor: str
    active: bool


class TraceRelease(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An announced release: when, in microseconds, a gate let a ball off a ramp, or people said so."""

    at_us: AtUs
    release: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A whole trace: the board at the start, its sensors, and their edges in order.

    ``which`` is the name of the instrument set, or empty when the sensors were listed one by one.
    ``releases`` were announced; a board without gates announces none.

    >>> from hextraction.api import load_board, simulate_roll
    >>> trace = simulate_roll(load_board(), {}, "L1", seed=1).trace
    >>> trace.board.name, trace.which
    ('standard-22', 'rich')
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
        """Edges and announced releases in order of time; at the same time, releases come first."""
        return tuple(sorted((*self.releases, *self.edges), key=lambda step: step.at_us))


def split_traces(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Split a file of several traces at their headers; return each with the number of its first line."""
    part: list[str] = []
    first = 1
    for number, line in enumerate(lines, 1):
        if begins_trace(line) and any(map(str.strip, part)):
            yield first, part
            part, first = [], number
        part.append(line)
    if any(line.strip() for line in part):
        yield first, part


def read_trace(lines: Iterable[str], catalogue: Shapes, *, first: int = 1) -> Trace:
    """Read a trace; empty lines and truth lines are skipped. ``first`` is the number of its first line.

    Raises:
        TraceError: with every mistake in it.

    >>> from hextraction.api import read_trace
    >>> trace = read_trace(['{"trace":1,"board":"standard-22","instruments":"lean"}'], {})
    >>> trace.board.title, len(trace.sensors), trace.edges
    ('Standard board, 22 slots', 104, ())
    """
    problems: list[str] = []
    numbered = [
        (number, line) for number, line in enumerate(lines, first) if line.strip() and not is_truth(line)
    ]
    if not numbered:
        raise TraceError([f"line {first}: want a header, found nothing"])
    head = HeaderReader(*numbered[0], catalogue, problems)
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
    """Write a trace as lines without line ends; :func:`read_trace` restores it.

    >>> from hextraction.api import read_trace, write_trace
    >>> lines = [
    ...     '{"trace":1,"board":"standard-22","instruments":"lean","tiles":{},"balls":{}}',
    ...     '{"at_us":5,"sensor":"ramp.L1","active":true}',
    ... ]
    >>> list(write_trace(read_trace(lines, {}))) == lines
    True
    """
    header = {
        "trace": VERSION,
        "board": trace.board.name,
        "instruments": trace.which or list(trace.sensors),
        "tiles": {slot: [laid.tile.name, laid.turns] for slot, laid in trace.tiles.items()},
        "balls": {str(ball): slot for ball, slot in trace.balls.items()},
    }
    yield json.dumps(header, separators=(",", ":"))
    for step in trace.steps:
        yield msgspec.json.encode(step).decode()


def facts_of(trace: Trace, settings: Settings | None = None) -> Iterator[Fact | RollSettled]:
    """Track a trace until its last roll settles and return the tracker's facts in order."""
    tracker = Tracker(trace.board, trace.sensors, settings)
    tracker.lay(trace.tiles)
    tracker.put_balls(trace.balls)
    for step in trace.steps:
        yield from _advance(tracker, step.at_us)
        yield from take(tracker, step)
    yield from _advance(tracker, None)


def limits_of(trace: Trace) -> tuple[str, ...]:
    """Describe what the sensors of a trace cannot see."""
    return sees(Graph(trace.board, trace.sensors)).limits


def take(tracker: Tracker, step: TraceEdge | TraceRelease) -> Facts:
    """Feed one step of a trace to a tracker and return the resulting facts."""
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
        except LineError as error:
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
    return read_line(line, TraceRelease) if is_release(line) else read_line(line, TraceEdge)

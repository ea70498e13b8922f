"""Traces: sensor edges as JSON Lines, read, written and tracked. The format is described in docs/trace.md."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import msgspec
from hextraction.board.facts import Fact, RollSettled
from hextraction.board.profile import Board
from hextraction.board.tiles import Catalogue
from hextraction.controller.tracking.graph import Graph, Laid
from hextraction.controller.tracking.layout import sees
from hextraction.controller.tracking.trace_header import VERSION, HeaderReader
from hextraction.controller.tracking.trace_lines import (
    LineError,
    begins_trace,
    is_release,
    is_truth,
    read_line,
)
from hextraction.controller.tracking.tracker import Facts, Settings, Tracker

__all__ = [
    "Trace",
    "TraceEdge",
    "TraceError",
    "TraceRelease",
    "facts_of",
    "limits_of",
    "read_trace",
    "split_traces",
    "take",
    "write_trace",
]


class TraceError(ValueError):
    """A trace is wrong. ``problems`` has every mistake, each as ``line N: what was expected``."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        # The only argument is what is needed to make it again: it comes back from other processes.
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(self.problems)


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
        if begins_trace(line) and any(map(str.strip, part)):
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
    """Write a trace as lines without line ends; :func:`read_trace` gives the same trace back."""
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
    """Track a trace to its last quiet and return what the tracker makes known, in order."""
    tracker = Tracker(trace.board, trace.sensors, settings)
    tracker.lay(trace.tiles)
    tracker.put_balls(trace.balls)
    for step in trace.steps:
        yield from _advance(tracker, step.at_us)
        yield from take(tracker, step)
    yield from _advance(tracker, None)


def limits_of(trace: Trace) -> tuple[str, ...]:
    """Return in words what the sensors of a trace cannot tell."""
    return sees(Graph(trace.board, trace.sensors)).limits


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

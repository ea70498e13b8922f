"""``hextraction calibrate``: better debounce times and thresholds for a wiring, from sensor recordings."""

import argparse
import codecs
import contextlib
import difflib
import os
import struct
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import msgspec
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.rig import BUTTONS
from hextraction.controller.tracking.trace import TraceEdge, TraceError, read_trace, split_traces
from hextraction.controller.workshop.bring_up.calibrating.calibration import (
    AnyWire,
    Excursion,
    Measured,
    Proposal,
    RawRecord,
    measure,
    propose_debounces,
    propose_thresholds,
    speeds,
    take_values,
)
from hextraction.controller.workshop.bring_up.calibrating.wiring_edit import NotEditedError, with_proposals
from hextraction.controller.workshop.checking import first_problems, text_lines
from hextraction.controller.workshop.documents import Calibrated, Proposed, Speeds
from hextraction.controller.workshop.terminal import progress, tell, working
from hextraction.hal.clock import MonotonicClock
from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.wiring.file import read_wiring
from hextraction.hal.wiring.wires import HubLinear, HubWire, Wiring
from hextraction.settings.plain import UNREADABLE

__all__ = ["Asks", "read_values", "record_raw", "run", "watch"]

# --- Raw values of linear Halls, from the hub ---

_MOST: Final = 60
"""How many values fit into one answer of the hub."""


class Asks(Protocol):
    """Something that can query the hub."""

    def ask(self, letter: str, body: bytes, answer: str) -> bytes | None:
        """Send a query and return the answer's body; ``None`` if there was no answer."""
        ...


class Serves(Asks, Protocol):
    """A hub that has a table of its own: it is started, asked and closed."""

    @property
    def ready(self) -> bool:
        """Whether it serves."""
        ...

    def start(self) -> None:
        """Begin to talk to it."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


def _open_hub(wire: HubWire) -> Serves:
    from hextraction.hal.hub.backend import SensorHub  # noqa: PLC0415 - pyserial

    return SensorHub(wire, clock=MonotonicClock())


def record_raw(
    wiring: Wiring,
    *,
    quiet_s: float = 5.0,
    each_s: float = 4.0,
    opened: Callable[[HubWire], Serves] = _open_hub,
) -> RawRecord:
    """Record raw values from a wiring's hubs, asking people to clear the board and to lay balls on it.

    It watches for ``quiet_s`` without balls, then for ``each_s`` per Hall.

    Raises:
        BackendUnavailable: the wiring has no linear Halls, or a hub with some does not serve.
    """
    wires = [wire for wire in wiring.hubs if wire.linears]
    if not wires:
        raise BackendUnavailable(
            f"{wiring.source}: want a [hub] with sensors that say linear = …, found none"
        )
    with contextlib.ExitStack() as closing:
        asked = [(_serving(wire, opened, closing), wire.linears) for wire in wires]
        many = sum(len(linears) for _hub, linears in asked)
        input("Take all balls off the board, then press Enter. ")
        for hub, _linears in asked:
            hub.ask("Z", struct.pack("<BB", 0, 128), "z")
        time.sleep(0.2)
        with _until(quiet_s) as goes_on:
            quiet = watch(asked, goes_on)
        input(f"Now lay a ball on each of {many} Halls in turn, a second each; Enter starts. ")
        with _until(each_s * many) as goes_on:
            ball = watch(asked, goes_on)
    return RawRecord(quiet=quiet, ball=ball)


def _serving(wire: HubWire, opened: Callable[[HubWire], Serves], closing: contextlib.ExitStack) -> Serves:
    hub = opened(wire)
    closing.callback(hub.close)
    hub.start()
    if not hub.ready:
        raise BackendUnavailable(f"{wire.title} does not answer: is it plugged in? see hextraction doctor")
    return hub


@contextlib.contextmanager
def _until(seconds: float) -> Iterator[Callable[[], bool]]:
    """Give what says whether it still goes on; a bar shows how long it will."""
    shown_s = begun_s = time.monotonic()

    with working(seconds, "s") as done:

        def goes_on() -> bool:
            nonlocal shown_s
            now_s = time.monotonic()
            done(now_s - shown_s)
            shown_s = now_s
            return now_s < begun_s + seconds

        yield goes_on


def watch(
    asked: Sequence[tuple[Asks, Sequence[HubLinear]]], goes_on: Callable[[], bool]
) -> dict[str, Excursion]:
    """Watch the Halls of some hubs for as long as ``goes_on`` is true.

    Return how far each value strayed from its baseline.
    """
    found: dict[str, Excursion] = {}
    while goes_on():
        for hub, linears in asked:
            found = take_values(found, read_values(hub, linears))
    return found


def read_values(hub: Asks, linears: Sequence[HubLinear]) -> Iterator[tuple[str, int, int]]:
    """Yield (name, newest value, baseline) of each Hall for which the hub answers."""
    names = {each.number: each.name for each in linears}
    for first in range(0, max(names, default=-1) + 1, _MOST):
        count = min(_MOST, max(names) + 1 - first)
        body = hub.ask("R", struct.pack("<BB", first, count), "r")
        if body is None or len(body) != 6 + 4 * count:
            continue
        for offset, (value, baseline) in enumerate(struct.iter_unpack("<HH", body[6:])):
            if first + offset in names:
                yield names[first + offset], value, baseline


# --- The command ---

_RAW_KEPT: Final = Path("raw-values.json")


def run(options: argparse.Namespace) -> int:
    """Print measurements and proposed changes; write them if asked to. Return the exit status."""
    wiring = read_wiring(options.wiring)
    try:
        recordings = {path: tuple(_edges(path)) for path in progress(options.traces, "traces")}
        record = _record(options, wiring)
    except TraceError as error:
        print("\n".join(error.problems), file=sys.stderr)
        return 2
    measured = measure(edges for found in recordings.values() for edges in found)
    proposals = list(propose_debounces(_wires(wiring), measured))
    more, problems = propose_thresholds(wiring.hub_linears, record) if record is not None else ((), ())
    found = _Found(wiring, measured, (*proposals, *more), (*_useless(wiring, recordings), *problems))
    if not options.json:
        _tell(found)
    changed = _change(options, found)
    return 0 if changed and not found.problems else 1


class _Found(NamedTuple):
    """What recordings say about a wiring."""

    wiring: Wiring
    measured: Mapping[str, Measured]
    proposals: tuple[Proposal, ...]
    problems: tuple[str, ...]

    @property
    def pulses(self) -> int:
        return sum(len(each.pulses_us) for each in self.measured.values())

    @property
    def silent(self) -> tuple[str, ...]:
        """The sensors that said nothing; a button has nothing to say of balls."""
        names = self.wiring.sensor_names
        return tuple(name for name in names if name not in self.measured and name not in BUTTONS)

    def document(self, diff: str, *, written: bool) -> Calibrated:
        """Return all of it for programs."""
        found = speeds(self.measured.values())
        return Calibrated(
            pulses=self.pulses,
            sensors=len(self.measured),
            silent=self.silent,
            speeds=None
            if found is None
            else Speeds(
                middle_mm_s=found.middle_mm_s,
                slow_mm_s=found.slow_mm_s,
                quick_mm_s=found.quick_mm_s,
                pulses=found.pulses,
            ),
            problems=self.problems,
            proposals=tuple(
                Proposed(sensor=one.sensor, key=one.key, value=one.value, why=one.why)
                for one in self.proposals
            ),
            diff=diff,
            written=written,
        )


def _wires(wiring: Wiring) -> Iterable[AnyWire]:
    yield from wiring.sensors
    yield from wiring.hub_inputs
    yield from wiring.hub_linears
    if wiring.expander is not None:
        yield from wiring.expander.inputs


def _edges(path: Path) -> Iterable[tuple[TraceEdge, ...]]:
    """Read a recording.

    Raises:
        TraceError: with every mistake in it, each with the file's name.
    """
    tiles = load_tiles()
    try:
        for first, part in split_traces(text_lines(path)):
            yield read_trace(part, tiles, first=first).edges
    except TraceError as error:
        raise TraceError(first_problems(path, error.problems)) from None


def _useless(wiring: Wiring, recordings: Mapping[Path, tuple[tuple[TraceEdge, ...], ...]]) -> Iterator[str]:
    """Report recordings, and sensors in them, that do not belong to this wiring."""
    known = frozenset(wiring.sensor_names)
    for path, found in recordings.items():
        measured = measure(found)
        strangers = sorted(measured.keys() - known)
        if strangers:
            yield f"{path}: {wiring.source} has no sensor that is named {', '.join(strangers)}"
        if not any(measured[name].pulses_us for name in measured.keys() & known):
            yield f"{path}: no sensor of this wiring saw anything in it: roll balls while it is recorded"


def _record(options: argparse.Namespace, wiring: Wiring) -> RawRecord | None:
    """Return raw values from a file, or from the hub (then they are saved to a file)."""
    if options.live:
        record = record_raw(wiring)
        kept = options.raw or _RAW_KEPT
        kept.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n")
        print(f"The raw values are in {kept}.", file=sys.stderr if options.json else sys.stdout)
        return record
    if options.raw is None:
        return None
    try:
        return msgspec.json.decode(options.raw.read_bytes(), type=RawRecord)
    except UNREADABLE as error:
        raise TraceError([f"{options.raw}: want raw values as --live keeps them: {error}"]) from None


def _tell(all_of_it: _Found) -> None:
    measured = all_of_it.measured
    if measured:
        silent = len(all_of_it.silent)
        print(f"{all_of_it.pulses} pulses of {len(measured)} sensors; {silent} sensors said nothing.")
    found = speeds(measured.values())
    if found is not None:
        print(
            f"Balls pass beams at {found.middle_mm_s / 1000:.2f} m/s; nine of ten at "
            f"{found.slow_mm_s / 1000:.2f} to {found.quick_mm_s / 1000:.2f} m/s ({found.pulses} pulses)."
        )
    for problem in all_of_it.problems:
        print(f"problem  {problem}")
    for each in all_of_it.proposals:
        print(f"{each.sensor}: {each.key} = {each.value:g}: {each.why}")


def _replace(path: Path, content: bytes) -> None:
    """Put a file in another's place at once: with half a wiring, after a power cut, no table would open."""
    fresh, as_before = path.with_name(f".{path.name}.new"), path.stat()
    try:
        fresh.write_bytes(content)
        fresh.chmod(as_before.st_mode)
        with contextlib.suppress(PermissionError):  # the service reads it by its group
            os.chown(fresh, as_before.st_uid, as_before.st_gid)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _change(options: argparse.Namespace, found: _Found) -> bool:
    """Show the changes, and write them if asked to; return whether that succeeded."""
    if not found.proposals:
        if options.json:
            tell(found.document("", written=False))
        else:
            well = not found.problems
            print("Nothing to change." if well else "Nothing is changed: no better value is known.")
        return True
    name, bytes_before = str(options.wiring), options.wiring.read_bytes()
    # Some editors write a byte-order mark and expect to find it again.
    mark = codecs.BOM_UTF8 if bytes_before.startswith(codecs.BOM_UTF8) else b""
    before = bytes_before.decode("utf-8-sig")
    try:
        after = with_proposals(before, list(found.proposals), name)
    except NotEditedError as error:
        if options.json:
            more = found._replace(problems=(*found.problems, *error.problems))
            tell(more.document("", written=False))
        else:
            print("\n".join(error.problems), "Nothing is written.", sep="\n")
        return False
    changes = difflib.unified_diff(before.splitlines(), after.splitlines(), name, name, lineterm="", n=1)
    diff = "\n".join(changes)
    if options.write:
        _replace(options.wiring.resolve(), mark + after.encode())
    if options.json:
        tell(found.document(diff, written=options.write))
        return True
    print(diff)
    print(f"{options.wiring} is written." if options.write else "Nothing is written: add --write to do so.")
    return True

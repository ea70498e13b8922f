"""What recorded rolls tell about sensors: how long pulses last, whether they chatter, how fast balls roll.

Pure: edges go in, measurements and proposals for the wiring file come out. No proposal makes a sensor so slow
that it would miss its shortest pulses: the limit is half of the shortest (ignoring one in twenty as a ghost).
"""

import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Protocol

import msgspec
from hextraction.hal.wiring.wires import ExpanderInput, HubInput, HubLinear, SensorWire

__all__ = [
    "AnyWire",
    "Excursion",
    "Measured",
    "Proposal",
    "RawRecord",
    "Speeds",
    "measure",
    "propose_debounces",
    "propose_thresholds",
    "speeds",
    "take_values",
]

AnyWire = SensorWire | HubInput | HubLinear | ExpanderInput

_CHATTER_US: Final[Mapping[str, int]] = {"tile": 100_000, "ball": 5_000, "rest": 20_000}
_CHATTER_BEAM_US: Final = 2_000
"""Two touching balls leave a gap of 3 mm in an off-centre beam: 2 ms at 1.5 m/s. Less is chatter."""
_ROOM: Final = 1.5
_CHORD_MM: Final = 9.0
_QUICKEST_US: Final = 2_000
_RESTS_US: Final = 500_000
_FEWEST: Final = 3
_MANY: Final = 20
_BEAMS: Final = frozenset({"ramp", "zone", "edge"})


class _Edge(Protocol):
    @property
    def sensor(self) -> str: ...
    @property
    def active(self) -> bool: ...
    @property
    def at_us(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Measurements of one sensor: pulse lengths, and gaps too short to be real, in microseconds."""

    sensor: str
    pulses_us: tuple[int, ...]
    chatter_us: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A better value for a key of a sensor's table in the wiring file; ``why`` is for people."""

    sensor: str
    key: str
    value: float
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Speeds:
    """How fast balls passed beams, mm per second: the 5th percentile, the median, the 95th percentile."""

    slow_mm_s: float
    middle_mm_s: float
    quick_mm_s: float
    pulses: int


class _Seen:
    """Joins pulses split by chatter: a pulse continues if the gap was too short to be real."""

    def __init__(self, sensor: str) -> None:
        self._gap_us = _CHATTER_US.get(sensor.partition(".")[0], _CHATTER_BEAM_US)
        self._began_us: int | None = None
        self._ended_us: int | None = None
        self.pulses_us: list[int] = []
        self.chatter_us: list[int] = []

    def edge(self, active: bool, at_us: int) -> None:  # noqa: FBT001 - an edge's own words
        if not active:
            self._ended_us = at_us
        elif self._ended_us is None or self._began_us is None:
            self._began_us = at_us if self._began_us is None else self._began_us
        elif at_us - self._ended_us < self._gap_us:
            self.chatter_us.append(at_us - self._ended_us)
            self._ended_us = None
        else:
            self.finish()
            self._began_us = at_us

    def finish(self) -> None:
        if self._began_us is not None and self._ended_us is not None:
            self.pulses_us.append(self._ended_us - self._began_us)
        self._began_us = self._ended_us = None


def measure(traces: Iterable[Iterable[_Edge]]) -> Mapping[str, Measured]:
    """Return the measurements of each sensor in some recordings, by name; unfinished pulses do not count."""
    pulses: dict[str, list[int]] = {}
    chatter: dict[str, list[int]] = {}
    for trace in traces:
        seen: dict[str, _Seen] = {}
        for edge in trace:
            seen.setdefault(edge.sensor, _Seen(edge.sensor)).edge(edge.active, edge.at_us)
        for sensor, each in seen.items():
            each.finish()
            pulses.setdefault(sensor, []).extend(each.pulses_us)
            chatter.setdefault(sensor, []).extend(each.chatter_us)
    return {
        sensor: Measured(sensor=sensor, pulses_us=tuple(found), chatter_us=tuple(chatter[sensor]))
        for sensor, found in pulses.items()
    }


def speeds(measured: Iterable[Measured]) -> Speeds | None:
    """Return how fast balls were, from how long they covered the beams of ramps, edges and end zones.

    A 10 mm ball covers a beam slightly off its centre for about as long as it takes to roll 9 mm, so speeds
    are right within a tenth. ``None`` if there are fewer than three pulses.
    """
    beams = [one for one in measured if one.sensor.partition(".")[0] in _BEAMS]
    found = [
        _CHORD_MM * 1e6 / pulse
        for one in beams
        for pulse in one.pulses_us
        if _QUICKEST_US < pulse < _RESTS_US
    ]
    if len(found) < _FEWEST:
        return None
    cuts = statistics.quantiles(found, n=20, method="inclusive")
    return Speeds(slow_mm_s=cuts[0], middle_mm_s=cuts[9], quick_mm_s=cuts[18], pulses=len(found))


def propose_debounces(wires: Iterable[AnyWire], measured: Mapping[str, Measured]) -> tuple[Proposal, ...]:
    """Return longer debounce times for sensors that chatter, shorter ones where pulses are too short."""
    found = (_proposal(wire, measured[wire.name]) for wire in wires if wire.name in measured)
    return tuple(each for each in found if each is not None)


def _proposal(wire: AnyWire, measured: Measured) -> Proposal | None:
    if not measured.pulses_us:
        return None
    now_us, step_us, most_us = _debounce(wire)
    shortest_us = sorted(measured.pulses_us)[len(measured.pulses_us) // _MANY]
    worst_us = max(measured.chatter_us, default=0)
    wanted_us = max(now_us, worst_us * _ROOM)
    allowed_us = max(step_us, shortest_us / 2)
    best_us = _on_grid(min(wanted_us, allowed_us, most_us), step_us)
    few = len(measured.pulses_us) < _MANY
    if best_us == now_us or (few and best_us < now_us):
        return None
    return Proposal(
        sensor=wire.name, key="debounce_ms", value=best_us / 1_000, why=_why(measured, worst_us, shortest_us)
    )


def _on_grid(us: float, step_us: int) -> int:
    """Return the nearest whole number of steps, at least one."""
    return max(step_us, round(us / step_us) * step_us)


def _why(measured: Measured, worst_us: int, shortest_us: int) -> str:
    quick = f"of {len(measured.pulses_us)} pulses the quick ones took {shortest_us / 1_000:g} ms"
    if not measured.chatter_us:
        return quick
    return f"{len(measured.chatter_us)} gaps of up to {worst_us / 1_000:g} ms; {quick}"


def _debounce(wire: AnyWire) -> tuple[int, int, int]:
    """Return a wire's debounce time, its step and its maximum, in microseconds."""
    if isinstance(wire, HubInput):
        return wire.debounce_scans * 500, 500, 7_500
    if isinstance(wire, HubLinear):
        return wire.debounce_ms * 1_000, 1_000, 255_000
    return wire.debounce_us, 1_000, 1_000_000


# --- Linear Halls: evaluating their raw values ---
#
# Values are the hub's 12-bit counts over 3.3 V, each with the baseline that the hub held then.

_MOST_COUNTS: Final = 4_095
_MV_PER_COUNT: Final = 3_300 / 4_096
_NOISES: Final = 3.0
"""The threshold is at least this many times the drift at rest."""
_SHARE: Final = 0.45
_BACK: Final = 0.4
_CLEAR: Final = 6.0
"""A ball must move the value at least this many times the drift at rest."""
_LEAST_MV: Final = 5.0


class Excursion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far a value strayed from its baseline, in 12-bit counts: the lowest and the highest."""

    low: Annotated[int, msgspec.Meta(ge=-_MOST_COUNTS, le=0)] = 0
    high: Annotated[int, msgspec.Meta(ge=0, le=_MOST_COUNTS)] = 0

    def with_value(self, value: int, baseline: int) -> "Excursion":
        """Return this excursion widened by one more value."""
        away = value - baseline
        return Excursion(low=min(self.low, away), high=max(self.high, away))

    @property
    def most(self) -> int:
        """The larger of the two distances."""
        return max(-self.low, self.high)


class RawRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Excursions of linear Halls by name: with no ball on the board, and with a ball laid on each."""

    quiet: dict[str, Excursion]
    ball: dict[str, Excursion]


def take_values(
    so_far: Mapping[str, Excursion], values: Iterable[tuple[str, int, int]]
) -> dict[str, Excursion]:
    """Return excursions widened by (name, newest value, baseline)."""
    found = dict(so_far)
    for name, value, baseline in values:
        found[name] = found.get(name, Excursion()).with_value(value, baseline)
    return found


def propose_thresholds(
    linears: Iterable[HubLinear], record: RawRecord
) -> tuple[tuple[Proposal, ...], tuple[str, ...]]:
    """Return better thresholds, and problems: sensors for which none works, gaps in the record."""
    proposals: list[Proposal] = []
    wires = tuple(linears)
    problems = _strangers(wires, record)
    for wire in wires:
        quiet, ball = record.quiet.get(wire.name), record.ball.get(wire.name)
        if quiet is None or ball is None:
            when = " and ".join(
                word
                for word, found in (("with no ball", quiet), ("with a ball on it", ball))
                if found is None
            )
            problems.append(f"{wire.name}: there are no raw values of it {when}: record them with --live")
        elif ball.most < _CLEAR * max(1, quiet.most):
            problems.append(_too_weak(wire.name, quiet, ball))
        else:
            proposals += _thresholds(wire, quiet, ball)
    return tuple(proposals), tuple(problems)


def _strangers(wires: Iterable[HubLinear], record: RawRecord) -> list[str]:
    """Report names in the record that are not linear Halls of the wiring."""
    names = {wire.name for wire in wires}
    unknown = sorted((record.quiet.keys() | record.ball.keys()) - names)
    found = [
        f"{name}: there are raw values of it, but the wiring has no such linear Hall" for name in unknown
    ]
    return found if names else [*found, "the wiring has no linear Halls: raw values are of no use to it"]


def _too_weak(name: str, quiet: Excursion, ball: Excursion) -> str:
    return (
        f"{name}: a ball moves it by {_mv(ball.most):.0f} mV, alone it wanders by {_mv(quiet.most):.0f} mV: "
        "no threshold is safe. Look at its magnet (10 mm from the ball's middle), its wire, its supply."
    )


def _thresholds(wire: HubLinear, quiet: Excursion, ball: Excursion) -> list[Proposal]:
    threshold_mv = round(max(_LEAST_MV, _NOISES * _mv(quiet.most), _SHARE * _mv(ball.most)))
    hysteresis_mv = max(1, round(_BACK * threshold_mv))
    why = f"a ball moves it by {_mv(ball.most):.0f} mV, alone it wanders by {_mv(quiet.most):.0f} mV"
    found = []
    # Within a tenth is good enough: nobody reads a file that changes at every calibration.
    if abs(threshold_mv - wire.threshold_mv) > wire.threshold_mv / 10:
        found = [
            Proposal(sensor=wire.name, key="threshold_mv", value=threshold_mv, why=why),
            Proposal(sensor=wire.name, key="hysteresis_mv", value=hysteresis_mv, why=why),
        ]
    return found


def _mv(counts: int) -> float:
    return counts * _MV_PER_COUNT

"""Health: how each sensor is behaving, and what the controller does about it. It never touches the game.

Sans-I/O: edges and times come in, conditions go out. What only the tracker can know (balls that passed a
sensor unseen, pulses that no ball explains) comes in as :class:`Doubted`. The rules:

=============  ================================================================================
state          a sensor is in this state
=============  ================================================================================
broken         while people say so
lost           while its device does not answer
muted          while it changes without end: the hal does not hear it until it is quiet
noisy          while the tracker says so; or from 200 edges above ten a second on, until a quiet minute
stuck          while the tracker says so; or while a beam has been on for more than a minute
silent         while the tracker believes that balls pass it unseen
implausible    while half of its last eight pulses are shorter than any ball makes them, or unexplained
ok             otherwise
=============  ================================================================================

Earlier rows take precedence. Halls may stay on for ever: balls and tiles rest there.
"""

import enum
import logging
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hextraction.controller.payloads.health import SensorTrouble
from hextraction.controller.table.host import Host
from hextraction.hal.ports import Inputs

__all__ = [
    "Condition",
    "Doubted",
    "Health",
    "State",
    "doubted_at",
    "health_lines",
    "in_short",
    "tell_health",
    "troubles",
]

_STUCK_US: Final = 60_000_000
_LEAK_US: Final = 100_000
"""One edge per tenth of a second is forgiven."""
_NOISY: Final = 200
_NOISIEST: Final = 600
"""The cap on remembered edges, so that noise is forgiven after a minute at the latest."""
_SHORTEST_US: Final = 2_000
"""A ball at 3 m/s that breaks a beam off-centre: 2.3 ms."""
_SHORTEST_TILE_US: Final = 50_000
_FEW: Final = 4
_PULSES: Final = 8
_ODD: Final = 4
_BEAMS: Final = frozenset({"drain", "ramp", "edge", "zone"})


class State(enum.Enum):
    """The state of a sensor."""

    OK = "ok"
    SILENT = "silent"
    STUCK = "stuck"
    NOISY = "noisy"
    IMPLAUSIBLE = "implausible"
    MUTED = "muted"
    LOST = "lost"
    BROKEN = "broken"

    @property
    def does(self) -> str:
        """What the controller does about it, as a sentence."""
        return _DOES[self]


_DOES: Final[Mapping[State, str]] = {
    State.OK: "",
    State.SILENT: "The other sensors follow the balls. It counts again as soon as it reports something.",
    State.STUCK: "It counts again once it turns off.",
    State.NOISY: "Its pulses count again once somebody taps “It works”.",
    State.IMPLAUSIBLE: "Its pulses count only where other sensors agree.",
    State.MUTED: "The game goes on without it and asks you. It counts again once it has been quiet "
    "for a while.",
    State.LOST: "The game goes on without it and asks you. It counts again when it answers.",
    State.BROKEN: "It counts again once somebody taps “It works”.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """The condition of one sensor: ``why`` says what was observed, for people."""

    sensor: str
    state: State
    why: str = ""

    @property
    def line(self) -> str:
        """The condition as one line of text."""
        if self.state is State.OK:
            return f"ok       {self.sensor}"
        return f"problem  {self.sensor}: {self.state.value}: {self.why}. {self.state.does}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubted:
    """What the tracker and people think of the sensors.

    The tracker distrusts ``suspects``, each as ``stuck``, ``noisy`` or ``silent``; ``ignored`` counts pulses
    that no ball explained; ``broken`` were declared broken; ``lost`` do not answer, ``muted`` do without end.
    ``misdated`` says by how many us the clock of a sensor's device is ahead, if that cannot be true.
    """

    suspects: Mapping[str, str] = field(default_factory=dict)
    ignored: Mapping[str, int] = field(default_factory=dict)
    broken: Iterable[str] = ()
    lost: Iterable[str] = ()
    muted: Iterable[str] = ()
    misdated: Mapping[str, int] = field(default_factory=dict)


class _Watched:
    """The record of one sensor."""

    __slots__ = ("active_since_us", "edges", "level", "level_us", "short", "shortest_us")

    def __init__(self, sensor: str) -> None:
        self.edges = 0
        self.active_since_us: int | None = None
        self.level = 0.0
        self.level_us = 0
        self.short: deque[bool] = deque(maxlen=_PULSES)
        self.shortest_us = _SHORTEST_TILE_US if sensor.startswith("tile.") else _SHORTEST_US

    def edge(self, active: bool, at_us: int) -> None:  # noqa: FBT001 - as the hal says it
        self.edges += 1
        self.level = min(self.noise(at_us) + 1, _NOISIEST)
        self.level_us = max(self.level_us, at_us)
        if active:
            self.active_since_us = at_us if self.active_since_us is None else self.active_since_us
        elif self.active_since_us is not None:
            self.short.append(at_us - self.active_since_us < self.shortest_us)
            self.active_since_us = None

    def noise(self, now_us: int) -> float:
        """Edges above ten a second that are not yet forgiven."""
        return max(0.0, self.level - max(0, now_us - self.level_us) / _LEAK_US)


class Health:
    """Watches the sensors of one board."""

    def __init__(self, sensors: Iterable[str]) -> None:
        self._watched = {name: _Watched(name) for name in sensors}
        self._noisy: set[str] = set()
        self._lost: dict[str, str] = {}
        self._unknown: Counter[str] = Counter()

    def edge(self, sensor: str, active: bool, at_us: int) -> None:  # noqa: FBT001 - as the hal says it
        """Note a change of a sensor."""
        watched = self._watched.get(sensor)
        if watched is None:
            self._unknown[sensor] += 1
            return
        watched.edge(active, at_us)
        if watched.level > _NOISY:
            self._noisy.add(sensor)

    def lost(self, device: str, reason: str) -> None:
        """Note a device that stopped answering."""
        self._lost[device] = reason

    def found(self, device: str) -> None:
        """Note that a device answers again."""
        self._lost.pop(device, None)

    def conditions(self, now_us: int, doubted: Doubted | None = None) -> tuple[Condition, ...]:
        """Return the condition of every sensor, in the order given at the start."""
        judge = _Judge(now_us, doubted or Doubted(), self._noisy)
        found = tuple(judge.condition(name, watched) for name, watched in self._watched.items())
        self._noisy -= judge.calm
        return found

    def report(self, now_us: int, doubted: Doubted | None = None) -> dict[str, Any]:
        """Return the current health: names by state, and counts."""
        found = self.conditions(now_us, doubted)
        names = {
            state.value: sorted(each.sensor for each in found if each.state is state)
            for state in State
            if state is not State.OK and state is not State.LOST
        }
        return {
            "sensors": len(self._watched),
            "edges": sum(watched.edges for watched in self._watched.values()),
            **names,
            "unheard": sorted(name for name, watched in self._watched.items() if not watched.edges),
            "unknown": dict(self._unknown),
            "lost": self._lost_now(),
        }

    def _lost_now(self) -> list[str]:
        """Return what does not answer now, one line for each reason: a hub that is away has 150 sensors."""
        by_reason: dict[str, list[str]] = {}
        for device, reason in self._lost.items():
            by_reason.setdefault(reason, []).append(device)
        return [f"{in_short(devices)}: {reason}" for reason, devices in by_reason.items()]


class _Judge:
    """Judges sensors one by one; ``calm`` collects those that are no longer noisy."""

    def __init__(self, now_us: int, doubted: Doubted, noisy: set[str]) -> None:
        self._now_us = now_us
        self._broken, self._lost = frozenset(doubted.broken), frozenset(doubted.lost)
        self._muted, self._misdated = frozenset(doubted.muted), doubted.misdated
        self._suspects, self._ignored = doubted.suspects, doubted.ignored
        self._noisy = noisy
        self.calm: set[str] = set()

    def condition(self, name: str, watched: _Watched) -> Condition:
        state, why = self._state(name, watched)
        return Condition(sensor=name, state=state, why=why)

    def _state(self, name: str, watched: _Watched) -> tuple[State, str]:
        if name in self._broken:
            return State.BROKEN, "somebody said so"
        if name in self._muted:
            return State.MUTED, "it changes far too often"
        if name in self._lost:
            return State.LOST, "its device does not answer"
        return (
            self._noise(name, watched)
            or self._stuck(name, watched)
            or self._silence(name)
            or self._misdating(name)
            or self._odd(name, watched)
        )

    def _noise(self, name: str, watched: _Watched) -> tuple[State, str] | None:
        hasty = name in self._noisy and watched.noise(self._now_us) > 0
        if name in self._noisy and not hasty:
            self.calm.add(name)
        if self._suspects.get(name) == State.NOISY.value:
            return State.NOISY, "it pulses too often for the balls that roll"
        return (State.NOISY, "more than ten changes a second") if hasty else None

    def _stuck(self, name: str, watched: _Watched) -> tuple[State, str] | None:
        since_us = watched.active_since_us
        beam = name.partition(".")[0] in _BEAMS
        if beam and since_us is not None and self._now_us - since_us > _STUCK_US:
            return State.STUCK, f"it has been on for {(self._now_us - since_us) // 1_000_000} s"
        stuck = self._suspects.get(name) == State.STUCK.value
        return (State.STUCK, "it is on with no ball near") if stuck else None

    def _silence(self, name: str) -> tuple[State, str] | None:
        silent = self._suspects.get(name) == State.SILENT.value
        return (State.SILENT, "balls passed it and it said nothing") if silent else None

    def _misdating(self, name: str) -> tuple[State, str] | None:
        off_us = self._misdated.get(name)
        if off_us is None:
            return None
        return State.IMPLAUSIBLE, f"the clock of its device is wrong by {abs(off_us) // 1_000_000} s"

    def _odd(self, name: str, watched: _Watched) -> tuple[State, str]:
        if sum(watched.short) >= _ODD:
            few_ms = watched.shortest_us // 1_000
            return State.IMPLAUSIBLE, f"{sum(watched.short)} of its last pulses were shorter than {few_ms} ms"
        pulses = (watched.edges + 1) // 2  # the last one may still be on
        strays = min(self._ignored.get(name, 0), pulses)
        if pulses >= _PULSES and strays * 2 >= pulses:
            return State.IMPLAUSIBLE, f"{strays} of its {pulses} pulses came without a ball"
        return State.OK, ""


def health_lines(conditions: Iterable[Condition]) -> tuple[str, ...]:
    """Return text for a terminal: one line per problem; who says nothing odd may not have been tried yet."""
    return tuple(each.line for each in conditions if each.state is not State.OK)


# --- Reporting: the table's payload, the diagnosis, and the log ---

_log = logging.getLogger(__name__)


def doubted_at(host: Host) -> Doubted:
    """Return what the game's tracker and the people at the table think of the sensors."""
    runtime = host.runtime
    if runtime is None:
        return Doubted(broken=host.broken)
    tracker = runtime.referee.tracker
    return Doubted(suspects=tracker.doubted, ignored=tracker.ignored, broken=host.broken)


def troubles(conditions: Iterable[Condition]) -> tuple[SensorTrouble, ...]:
    """Return the conditions that are not ok, as phones see them."""
    return tuple(
        SensorTrouble(sensor=each.sensor, state=each.state.value, why=each.why, does=each.state.does)
        for each in conditions
        if each.state is not State.OK
    )


def tell_health(
    host: Host,
    health: Health,
    now_us: int,
    inputs: Inputs | None = None,
    more: tuple[SensorTrouble, ...] = (),
    *,
    muted: Iterable[str] = (),
    misdated: Mapping[str, int] | None = None,
) -> None:
    """Tell operators everything, and the table what has changed since the last report.

    A sensor of ``inputs`` without a level does not answer, unless it is ``muted``. ``more`` are troubles of
    other devices; ``misdated`` are sensors of devices with wrong clocks.
    """
    answering = {} if inputs is None else inputs.levels()
    lost = () if inputs is None else tuple(name for name in inputs.names if name not in answering)
    doubted = replace(doubted_at(host), lost=lost, muted=muted, misdated=misdated or {})
    conditions = health.conditions(now_us, doubted)
    host.diagnose(health.report(now_us, doubted), now_us)
    _log_haste(host)
    shown = (*troubles(conditions), *more)
    known = host.notices.health
    if [(one.sensor, one.state) for one in shown] == [(one.sensor, one.state) for one in known]:
        return
    _log_changes({one.sensor: one.state for one in known}, conditions)
    host.notify(health=shown)


def _log_haste(host: Host) -> None:
    """Log when the tracker had to keep fewer accounts of a roll because too many pulses were queued."""
    narrowed = 0 if host.runtime is None else host.runtime.referee.tracker.narrowed
    if narrowed > host.narrowed:
        _log.warning(
            "the tracker fell behind: of %d pulses it kept fewer accounts, and is less sure of that roll",
            narrowed - host.narrowed,
        )
    host.narrowed = narrowed


def _log_changes(before: dict[str, str], conditions: Iterable[Condition]) -> None:
    """Log what has changed, in one line for all sensors to which the same has happened: a hub has 150."""
    changed: dict[tuple[State, str], list[str]] = {}
    for each in conditions:
        if before.get(each.sensor, State.OK.value) != each.state.value:
            changed.setdefault((each.state, each.why), []).append(each.sensor)
    for (state, why), sensors in changed.items():
        told = f"sensor {sensors[0]} is" if len(sensors) == 1 else f"{len(sensors)} sensors are"
        which = "" if len(sensors) == 1 else f" ({in_short(sensors)})"
        if state is State.OK:
            _log.info("%s well again%s", told, which)
        else:
            _log.warning("%s %s: %s%s. %s", told, state.value, why, which, state.does)


def in_short(names: Sequence[str]) -> str:
    """Return the first few names, and how many more there are."""
    few, more = ", ".join(names[:_FEW]), len(names) - _FEW
    return f"{few} and {more} more" if more > 0 else few

"""The walk through a board, step by step: sans-I/O.

:func:`begin`, :func:`heard`, :func:`said` and :func:`advance` each return the new state of the walk and the
actions that follow: light a lamp, fire a coil, go dark. Each call passes the time, in microseconds. The
rules:

- a sensor passes when it went on and off again (or off and on, if a tile already lies there) and then was
  quiet for :data:`CALM_US`; one that changes a dozen times at a touch fails;
- a coil is judged only after somebody said ``fire``: a gate passes when exactly one ball crossed its ramp's
  beam and no other followed within :data:`LATER_US`, or people said yes; with more than one ball it fails;
- a measurement is made by people with instruments: it waits as long as they need, and they say yes or no;
- any other sensor that responds meanwhile is remembered: if the awaited sensor stays silent and another one
  answered, their wires are likely swapped, and the report says so;
- after :data:`PATIENCE_US` without an answer a step fails, and the walk goes on;
- any step may be skipped, repeated, or gone back to; a coil fires only when somebody says ``fire``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from hextraction.board.grid import EDGE_NAMES
from hextraction.board.instruments import Kind, find_instrument
from hextraction.board.profile import Board

__all__ = [
    "CALM_US",
    "LATER_US",
    "PATIENCE_US",
    "SPARE",
    "Finding",
    "FireCoil",
    "GoDark",
    "LightLamp",
    "Outcome",
    "Step",
    "Walk",
    "advance",
    "begin",
    "heard",
    "not_fired",
    "said",
    "steps_of",
]

# --- Steps: what to do at each sensor, lamp and coil, in an order that suits a hand ---
#
# Steps are derived from names (:mod:`hextraction.board.instruments`), so every wiring has a walk.


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing to test.

    ``name`` is a sensor's or button's name, or ``lamp:NAME``, ``coil:NAME`` or ``measure:NAME``; ``kind`` is
    ``sensor`` (a button is one), ``lamp``, ``coil`` or ``measure``. ``sensor`` is the sensor that answers:
    the sensor itself, or for a gate the beam of its ramp; if it is empty, people say what they see. ``place``
    is where it is on the board: ``slot.A1``, ``edge.B1.4``, ``ramp.L1`` or ``zone.L``; empty if unknown.
    """

    name: str
    kind: str
    device: str
    ask: str
    sensor: str = ""
    place: str = ""


_ASK: Final = {
    Kind.TILE: "Lay a tile in slot {place} and lift it again.",
    Kind.DRAIN: "Drop a ball through the hole of the empty slot {place}.",
    Kind.BALL: "Roll a ball over the middle of slot {place}, or hold one there and take it away.",
    Kind.RAMP: "Let a ball roll off ramp {place}.",
    Kind.ZONE: "Roll a ball into end zone {place}.",
    Kind.REST: "Lay a ball down in end zone {place} and take it away.",
}
_FIRST: Final = (Kind.RAMP, Kind.ZONE, Kind.REST)
_IN_A_SLOT: Final = (Kind.TILE, Kind.DRAIN, Kind.BALL, Kind.EDGE)
_WHERE: Final = {Kind.RAMP: "ramp", Kind.ZONE: "zone", Kind.REST: "zone"}
_SPELLED: Final = {"slot": "slot", "ramp": "ramp", "zone": "zone", "gate": "ramp", "kicker": "slot"}
"""What kind of place each kind of lamp and coil has."""


def steps_of(
    board: Board,
    sensors: Iterable[str],
    lamps: Iterable[str] = (),
    coils: Iterable[str] = (),
    buttons: Iterable[str] = (),
) -> tuple[Step, ...]:
    """Return the steps: ramps and end zones, then slot by slot, then buttons, all lamps, and all coils."""
    wired = set(sensors)
    order = {slot: number for number, slot in enumerate(board.slot_names)}
    found = sorted((find_instrument(board, name) for name in wired), key=lambda one: one.name)
    found.sort(key=lambda one: (one.kind not in _FIRST, order.get(one.place, 0), _rank(one.kind)))
    return (
        *(_sensor_step(board, one.name) for one in found),
        *(_button_step(name) for name in buttons),
        *(_lamp_step(board, name) for name in lamps),
        *(_coil_step(board, name, wired) for name in coils),
    )


def _rank(kind: Kind) -> int:
    return (*_FIRST, *_IN_A_SLOT).index(kind)


def _sensor_step(board: Board, name: str) -> Step:
    one = find_instrument(board, name)
    ask = _edge_ask(board, one.place, one.edge) if one.kind is Kind.EDGE else _ASK[one.kind]
    where = one.name if one.kind is Kind.EDGE else f"{_WHERE.get(one.kind, 'slot')}.{one.place}"
    return Step(
        name=name, kind="sensor", device=name, ask=ask.format(place=one.place), sensor=name, place=where
    )


def _edge_ask(board: Board, slot: str, edge: int) -> str:
    beyond = board.by_name[slot].beyond(edge)
    if beyond.slot is not None:
        return f"Roll a ball across the wall between {slot} and {beyond.slot}."
    where = "into the end zone" if beyond.zone is not None else "off the board"
    return f"Roll a ball from slot {slot} {where} over its {EDGE_NAMES[edge]} edge."


def _button_step(name: str) -> Step:
    ask = f"Press the button {name.partition('.')[2]!r} and let it go."
    return Step(name=name, kind="sensor", device=name, ask=ask, sensor=name)


def _lamp_step(board: Board, name: str) -> Step:
    kind, _dot, place = name.partition(".")
    words = {"slot": "slot", "ramp": "ramp", "zone": "end zone"}
    where = f"{words[kind]} {place}" if kind in words else name
    ask = f"The lamps of {where} shine red, then green, then blue. Do they, and no others?"
    return Step(name=f"lamp:{name}", kind="lamp", device=name, ask=ask, place=_place(board, kind, place))


def _coil_step(board: Board, name: str, wired: set[str]) -> Step:
    kind, _dot, place = name.partition(".")
    sensor = f"ramp.{place}" if kind == "gate" and f"ramp.{place}" in wired else ""
    if kind == "gate":
        ask = f"Put two balls on ramp {place} and choose Fire: its gate lets one go. Does exactly one come?"
    else:
        ask = f"Hands off slot {place}, then choose Fire: its kicker knocks. Do you hear it?"
    return Step(
        name=f"coil:{name}",
        kind="coil",
        device=name,
        ask=ask,
        sensor=sensor,
        place=_place(board, kind, place),
    )


def _place(board: Board, kind: str, place: str) -> str:
    """Return where a lamp or coil is, if it is named as an instrument of this board."""
    where = _SPELLED.get(kind, "")
    known = {
        "slot": board.slot_names,
        "ramp": tuple(board.ramp_by_name),
        "zone": tuple(zone.name for zone in board.zones),
    }
    return f"{where}.{place}" if place in known.get(where, ()) else ""


# --- The walk ---

PATIENCE_US: Final = 60_000_000
CALM_US: Final = 300_000
LATER_US: Final = 1_000_000
"""A gate that releases a second ball does so within this time, as both lay behind it."""
_HINT_US: Final = 15_000_000
_CHATTER: Final = 12
"""This many changes of one sensor within a step are not made by a hand."""
_OK, _FAILED, _SKIPPED = "ok", "failed", "skipped"
SPARE: Final = "spare"
"""Names of inputs that nothing should hang on begin so: ``spare.66``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LightLamp:
    """Light only this lamp, alternating red, green and blue."""

    lamp: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FireCoil:
    """Pulse this coil once."""

    coil: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoDark:
    """Turn all lamps off."""


Deed = LightLamp | FireCoil | GoDark


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The outcome of a step: ``result`` is ``ok``, ``failed`` or ``skipped``; ``why`` is for people.

    ``heard`` counts the changes of every sensor during the step; ``on`` says whether the awaited one was on
    at its end. ``waited``: an answer was waited for so long that silence means something.
    """

    name: str
    result: str
    why: str = ""
    heard: Mapping[str, int] = field(default_factory=dict)
    on: bool = False
    waited: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The state of a walk.

    ``at`` is the index of the current step, or the number of steps. ``levels`` are sensors that are on.
    ``changes`` counts the changes of each sensor during this step; ``passed_us`` is when the awaited one had
    done all it should, if it has. ``fired``: the current step's coil has been fired; ``refused`` says why it
    was not, although somebody asked for it.
    """

    steps: tuple[Step, ...]
    at: int = 0
    since_us: int = 0
    now_us: int = 0
    levels: frozenset[str] = frozenset()
    changes: Mapping[str, int]
    findings: Mapping[str, Finding]
    passed_us: int | None = None
    fired: bool = False
    refused: str = ""
    stopped: bool = False

    @property
    def over(self) -> bool:
        """Whether all steps are done."""
        return self.stopped or self.at >= len(self.steps)

    @property
    def step(self) -> Step | None:
        """The current step."""
        return None if self.over else self.steps[self.at]

    @property
    def wake_at_us(self) -> int | None:
        """When :func:`advance` is due next, if nothing happens before."""
        if self.over:
            return None
        if self.passed_us is not None:
            return self.passed_us + self.calm_us
        if self.steps[self.at].kind == "measure":
            return None
        hint_us = self.since_us + _HINT_US
        return hint_us if self.now_us < hint_us else self.since_us + PATIENCE_US

    @property
    def says(self) -> tuple[str, ...]:
        """What people may say now."""
        if self.over:
            return ()
        judged = ("fire", "yes", "no") if self.fired else ("fire",)
        first = {"sensor": ("again",), "lamp": ("yes", "no"), "measure": ("yes", "no"), "coil": judged}
        return (*first[self.steps[self.at].kind], "back", "skip", "stop")

    @property
    def balls(self) -> int:
        """How many balls reached the awaited sensor during this step: how often it went on."""
        sensor = self.steps[self.at].sensor
        return (self.changes.get(sensor, 0) + (sensor in self.levels)) // 2

    @property
    def calm_us(self) -> int:
        """How long nothing more may happen before the current step passes."""
        return LATER_US if self.fired else CALM_US

    @property
    def hint(self) -> str:
        """What was noticed during this step; empty if nothing yet."""
        step = self.step
        if step is None:
            return ""
        if self.refused:
            return f"It did not fire: {self.refused}. Wait some seconds and try again."
        if step.kind == "sensor" and self.changes.get(step.sensor, 0) % 2 == 1:
            return "Seen. Now the way back."
        others = _others(self, step)
        if others:
            return f"{_listed(others)} answered instead: are the wires swapped?"
        if self.now_us >= self.since_us + _HINT_US and step.sensor:
            return "Nothing yet. Try again, or skip it and check its wire."
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The walk after an input, and the actions to take."""

    walk: Walk
    deeds: tuple[Deed, ...] = ()


def begin(
    steps: Iterable[Step], now_us: int, levels: Iterable[str] = (), known: Mapping[str, Finding] | None = None
) -> Outcome:
    """Start a walk, passing over steps that are ok in ``known``. ``levels`` are sensors that are on."""
    walk = Walk(
        steps=tuple(steps),
        at=-1,
        now_us=now_us,
        levels=frozenset(levels),
        changes={},
        findings=dict(known or {}),
    )
    return _next(walk, now_us)


def heard(walk: Walk, sensor: str, active: bool, at_us: int) -> Outcome:  # noqa: FBT001 - an edge's own words
    """Handle a sensor change."""
    step, now_us = walk.step, max(walk.now_us, at_us)
    levels = walk.levels | {sensor} if active else walk.levels - {sensor}
    if step is not None and step.kind == "coil" and not walk.fired:
        return Outcome(walk=replace(walk, levels=levels, now_us=now_us))
    changes = {**walk.changes, sensor: walk.changes.get(sensor, 0) + 1}
    walk = replace(walk, levels=levels, changes=changes, now_us=now_us)
    if step is None or sensor != step.sensor:
        return Outcome(walk=walk)
    if changes[sensor] >= _CHATTER:
        return _found(walk, _FAILED, f"it chatters: {changes[sensor]} changes at one touch", now_us)
    back = changes[sensor] % 2 == 0 if step.kind == "sensor" else not active and walk.balls > 0
    return Outcome(walk=replace(walk, passed_us=now_us if back else None))


def said(walk: Walk, word: str, at_us: int) -> Outcome:
    """Handle a word from a person; one that is not in :attr:`Walk.says` does nothing."""
    now_us = max(walk.now_us, at_us)
    if word not in walk.says:
        return Outcome(walk=replace(walk, now_us=now_us))
    if word == "yes":
        return _found(walk, _OK, "", now_us)
    if word == "no":
        return _found(walk, _FAILED, "somebody saw that it does not work as it should", now_us)
    if word == "skip":
        return _found(walk, _SKIPPED, _silence(walk), now_us)
    if word == "again":
        return _enter(walk, walk.at, now_us)
    if word == "fire":
        fire = FireCoil(coil=walk.steps[walk.at].device)
        return Outcome(walk=replace(_enter(walk, walk.at, now_us).walk, fired=True), deeds=(fire,))
    if word == "back":
        return _enter(walk, max(0, walk.at - 1), now_us)
    return Outcome(walk=replace(walk, stopped=True, now_us=now_us), deeds=(GoDark(),))


def not_fired(walk: Walk, why: str) -> Walk:
    """Return the walk after its :class:`FireCoil` was refused: nothing fired, so nothing can be judged."""
    return replace(walk, fired=False, refused=why)


def advance(walk: Walk, now_us: int) -> Outcome:
    """Let time pass: a step without an answer fails."""
    now_us = max(walk.now_us, now_us)
    if walk.passed_us is not None and not walk.over and now_us >= walk.passed_us + walk.calm_us:
        if walk.fired and walk.balls != 1:
            return _found(walk, _FAILED, f"{walk.balls} balls came at one fire", now_us)
        return _found(walk, _OK, "", now_us)
    waits = walk.step is not None and walk.step.kind == "measure"
    if walk.over or waits or now_us < walk.since_us + PATIENCE_US:
        return Outcome(walk=replace(walk, now_us=now_us))
    return _found(walk, _FAILED, _silence(walk), now_us)


def _silence(walk: Walk) -> str:
    """Describe what happened in a step without an answer."""
    step = walk.steps[walk.at]
    if step.kind == "coil" and not walk.fired:
        return f"it did not fire: {walk.refused}" if walk.refused else "nobody chose Fire"
    if not step.sensor:
        return "nobody said what they saw"
    who = "it" if step.kind == "sensor" else step.sensor
    if walk.changes.get(step.sensor):
        way = "on" if step.sensor in walk.levels else "off"
        return f"{who} went {way} and stayed {way}"
    others = _others(walk, step)
    if others:
        return f"{who} said nothing, but {_listed(others)} did: are the wires swapped?"
    return f"{who} said nothing and is {'on' if step.sensor in walk.levels else 'off'}"


def _others(walk: Walk, step: Step) -> tuple[str, ...]:
    """Return sensors of the same kind, and empty inputs, that responded instead of the awaited one."""
    if not step.sensor or walk.changes.get(step.sensor):
        return ()
    kinds = {step.sensor.partition(".")[0], SPARE}
    return tuple(sorted(name for name in walk.changes if name.partition(".")[0] in kinds))


def _listed(names: Iterable[str]) -> str:
    """Write names for people: an empty input is none that they have read anywhere."""
    return ", ".join(
        f"input {name.removeprefix(f'{SPARE}.')}, which should be empty," if name.startswith(SPARE) else name
        for name in names
    )


def _found(walk: Walk, result: str, why: str, now_us: int) -> Outcome:
    step = walk.steps[walk.at]
    finding = Finding(
        name=step.name,
        result=result,
        why=why,
        heard=dict(walk.changes),
        on=step.sensor in walk.levels,
        waited=now_us >= walk.since_us + _HINT_US,
    )
    findings = {**walk.findings, step.name: finding}
    return _next(replace(walk, findings=findings), now_us)


def _next(walk: Walk, now_us: int) -> Outcome:
    """Go to the next step that is not known to be ok."""
    at = walk.at + 1
    while at < len(walk.steps) and _well(walk, walk.steps[at]):
        at += 1
    return _enter(walk, at, now_us)


def _well(walk: Walk, step: Step) -> bool:
    known = walk.findings.get(step.name)
    return known is not None and known.result == _OK


def _enter(walk: Walk, at: int, now_us: int) -> Outcome:
    walk = replace(
        walk, at=at, since_us=now_us, now_us=now_us, changes={}, passed_us=None, fired=False, refused=""
    )
    step = walk.step
    if step is None or step.kind != "lamp":
        return Outcome(walk=walk, deeds=(GoDark(),))
    return Outcome(walk=walk, deeds=(LightLamp(lamp=step.device),))

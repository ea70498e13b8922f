"""The walk through a board, one step after the other: sans-I/O.

:func:`begin`, :func:`heard`, :func:`said` and :func:`advance` each return the walk as it is then and the
deeds that follow: light a lamp, fire a coil, go dark. Time comes with each call, in microseconds. The rules:

- a sensor has passed when it went on and off again (a tile may lie there before: off and on is as good) and
  was quiet for :data:`CALM_US` then; one that changes a dozen times at a touch has failed;
- a coil is judged only after somebody said ``fire``: a gate has passed when exactly one ball crossed its
  ramp's beam and :data:`LATER_US` brought no other, or people said yes; more balls than one have failed;
- whatever else speaks meanwhile is remembered: if the awaited sensor stays silent and another one answered,
  their wires are likely swapped, and the report says so;
- after :data:`PATIENCE_US` without an answer a step has failed, and the walk goes on;
- any step may be skipped, done again, or gone back to; a coil fires only when somebody says ``fire``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from hextraction.controller.check_steps import Step

__all__ = [
    "CALM_US",
    "LATER_US",
    "PATIENCE_US",
    "Finding",
    "FireCoil",
    "GoDark",
    "LightLamp",
    "Outcome",
    "Walk",
    "advance",
    "begin",
    "heard",
    "not_fired",
    "said",
]

PATIENCE_US: Final = 60_000_000
CALM_US: Final = 300_000
LATER_US: Final = 1_000_000
"""A gate that lets a second ball go does so within this time: both lay behind it."""
_HINT_US: Final = 15_000_000
_CHATTER: Final = 12
"""So many changes of one sensor within a step are no hand."""
_OK, _FAILED, _SKIPPED = "ok", "failed", "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class LightLamp:
    """Show this lamp in red, green and blue by turns, and no other."""

    lamp: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FireCoil:
    """Pulse this coil once."""

    coil: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoDark:
    """All lamps off."""


Deed = LightLamp | FireCoil | GoDark


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What came of a step: ``result`` is ``ok``, ``failed`` or ``skipped``; ``why`` is for people."""

    name: str
    result: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """A walk as it stands.

    ``at`` is the index of the step under way, or the number of steps. ``levels`` are sensors that are on.
    ``changes`` counts, for each sensor that spoke during this step, how often; ``passed_us`` is when the
    awaited one had been seen to do all it should, if it has. ``fired``: the coil under way was, once;
    ``refused`` says why it was not when somebody asked for it.
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
        """Whether nothing is left to do."""
        return self.stopped or self.at >= len(self.steps)

    @property
    def step(self) -> Step | None:
        """The step under way."""
        return None if self.over else self.steps[self.at]

    @property
    def wake_at_us(self) -> int | None:
        """When :func:`advance` is wanted, if nothing happens before."""
        if self.over:
            return None
        if self.passed_us is not None:
            return self.passed_us + self.calm_us
        hint_us = self.since_us + _HINT_US
        return hint_us if self.now_us < hint_us else self.since_us + PATIENCE_US

    @property
    def says(self) -> tuple[str, ...]:
        """What people may say now."""
        if self.over:
            return ()
        judged = ("fire", "yes", "no") if self.fired else ("fire",)
        first = {"sensor": ("again",), "lamp": ("yes", "no"), "coil": judged}
        return (*first[self.steps[self.at].kind], "back", "skip", "stop")

    @property
    def balls(self) -> int:
        """How many balls came to the awaited sensor during this step: how often it went on."""
        sensor = self.steps[self.at].sensor
        return (self.changes.get(sensor, 0) + (sensor in self.levels)) // 2

    @property
    def calm_us(self) -> int:
        """How long nothing else may come before the step under way has passed."""
        return LATER_US if self.fired else CALM_US

    @property
    def hint(self) -> str:
        """What was noticed during this step; empty: nothing yet."""
        step = self.step
        if step is None:
            return ""
        if self.refused:
            return f"It was not fired: {self.refused}. Wait some seconds and try again."
        if step.kind == "sensor" and self.changes.get(step.sensor, 0) % 2 == 1:
            return "Seen. Now the way back."
        others = _others(self, step)
        if others:
            return f"{', '.join(others)} answered instead: are the wires swapped?"
        if self.now_us >= self.since_us + _HINT_US and step.sensor:
            return "Nothing yet. Try again, or skip it and look at its wire."
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The walk after something happened, and what is to be done now."""

    walk: Walk
    deeds: tuple[Deed, ...] = ()


def begin(
    steps: Iterable[Step], now_us: int, levels: Iterable[str] = (), known: Mapping[str, Finding] | None = None
) -> Outcome:
    """Start a walk; steps of which ``known`` says ok are passed over. ``levels`` are sensors that are on."""
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
    """A sensor changed."""
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
    """Somebody said a word; one that is not among :attr:`Walk.says` does nothing."""
    now_us = max(walk.now_us, at_us)
    if word not in walk.says:
        return Outcome(walk=replace(walk, now_us=now_us))
    if word == "yes":
        return _found(walk, _OK, "", now_us)
    if word == "no":
        return _found(walk, _FAILED, "somebody saw that it does not do what it should", now_us)
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
    """Return the walk after its :class:`FireCoil` was refused: nothing was fired, and nobody can judge it."""
    return replace(walk, fired=False, refused=why)


def advance(walk: Walk, now_us: int) -> Outcome:
    """Let time pass: a step that nobody answers has failed."""
    now_us = max(walk.now_us, now_us)
    if walk.passed_us is not None and not walk.over and now_us >= walk.passed_us + walk.calm_us:
        if walk.fired and walk.balls != 1:
            return _found(walk, _FAILED, f"{walk.balls} balls came at one fire", now_us)
        return _found(walk, _OK, "", now_us)
    if walk.over or now_us < walk.since_us + PATIENCE_US:
        return Outcome(walk=replace(walk, now_us=now_us))
    return _found(walk, _FAILED, _silence(walk), now_us)


def _silence(walk: Walk) -> str:
    """Say what a step without an answer looked like."""
    step = walk.steps[walk.at]
    if step.kind == "coil" and not walk.fired:
        return f"it was not fired: {walk.refused}" if walk.refused else "nobody said fire"
    if not step.sensor:
        return "nobody said what they saw"
    who = "it" if step.kind == "sensor" else step.sensor
    if walk.changes.get(step.sensor):
        return f"{who} went {'on' if step.sensor in walk.levels else 'off'} and stayed so"
    others = _others(walk, step)
    if others:
        return f"{who} said nothing, but {', '.join(others)} did: are the wires swapped?"
    return f"{who} said nothing and is {'on' if step.sensor in walk.levels else 'off'}"


def _others(walk: Walk, step: Step) -> tuple[str, ...]:
    """Return sensors of the same kind that spoke in place of the awaited one."""
    if not step.sensor or walk.changes.get(step.sensor):
        return ()
    kind = step.sensor.partition(".")[0]
    return tuple(sorted(name for name in walk.changes if name.partition(".")[0] == kind))


def _found(walk: Walk, result: str, why: str, now_us: int) -> Outcome:
    name = walk.steps[walk.at].name
    findings = {**walk.findings, name: Finding(name=name, result=result, why=why)}
    return _next(replace(walk, findings=findings), now_us)


def _next(walk: Walk, now_us: int) -> Outcome:
    """Go to the next step that is not known to be well."""
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

"""What the gates must do, by the mechanics that the simulator uses."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Final

import msgspec
from hextraction.board.design import Design
from hextraction.board.escapement import Conditions, least_pulse_ms, try_gate
from hextraction.hal.wiring.coil_limits import CEILING_MEAN_W, CEILING_PULSE_J, CEILING_PULSE_MS

from bench.hardware.claim import Chapter, Claim

__all__ = ["gate_claims"]

_FRICTION_N, _MORE_G = 0.3, 4.0
"""Of two printed forks that slide in their guides: what they rub, and weigh more than a rocker alone."""

_claim: Final = Chapter("Gates", "board/escapement.py").claim
_SLOPES: Final = (8.0, 10.0, 15.0, 20.0, 30.0)
_PULL_IN_MS: Final = 60
_HOLD_PERCENT: Final = 50
"""What the wiring's page recommends to whoever holds gates."""
_COIL_K_PER_W: Final = 30.0
"""Of a small open-frame coil that is screwed to plastic; touch allows some 40 K above a room."""


def gate_claims(design: Design) -> Iterator[Claim]:
    """Yield what gates must do."""
    coil, rail, gate = design.gate.coil, design.coil_supply, design.gate
    cold = Conditions(tilt_deg=15, volts=rail.volts[1], balls=gate.queue)
    hard = replace(cold, volts=rail.volts[0], warmer_k=coil.warm_k, series_ohm=rail.series_ohm)
    for tilt_deg in _SLOPES:
        least = least_pulse_ms(replace(hard, tilt_deg=tilt_deg)) or CEILING_PULSE_MS
        yield _claim(f"shortest pulse that lets a ball go at {tilt_deg:g}°, 10.8 V, warm", least, 150, "ms")
        done = try_gate(400, replace(hard, tilt_deg=tilt_deg))
        passed_ms = (done.passed_us or 1e6) / 1e3
        yield _claim(f"the ball is past the fork at {tilt_deg:g}°", passed_ms, coil.pulse_ms, "ms")
    trials = [
        try_gate(pulse_ms, replace(supply, tilt_deg=tilt_deg))
        for pulse_ms, tilt_deg, supply in product((60, 150, CEILING_PULSE_MS), _SLOPES, (cold, hard))
    ]
    yield _claim("balls released by any pulse up to the ceiling", max(t.released for t in trials), 1, "balls")
    short = [try_gate(30, Conditions(tilt_deg=15, volts=volts)).released for volts in (10.8, 12, 12.6)]
    yield _claim("balls released by 30 ms at 15°", max(short), 0, "balls")
    yield from _sliding_claims(design, hard)
    longest = try_gate(coil.max_pulse_ms, cold)
    yield _claim("energy of the longest pulse", longest.joules, CEILING_PULSE_J, "J")
    held = {"pull_in_ms": _PULL_IN_MS, "hold_percent": _HOLD_PERCENT}
    kept = [
        try_gate(coil.pulse_ms, replace(supply, tilt_deg=tilt_deg, **held)).released
        for tilt_deg, supply in product(_SLOPES, (cold, hard))
    ]
    so_held = f"held with {_HOLD_PERCENT} % after {_PULL_IN_MS} ms"
    yield _claim(f"balls released by the usual pulse, {so_held}", min(kept), 1, "balls", at_least=True)
    saved = try_gate(coil.max_pulse_ms, replace(cold, **held))
    yield _claim(f"energy of the longest pulse, {so_held}", saved.joules, CEILING_PULSE_J / 2, "J")
    kelvin = CEILING_MEAN_W * _COIL_K_PER_W
    yield _claim("a coil at its mean power is warmer than the room by", kelvin, 40, "K")
    stuck_a = rail.volts[0] / (coil.ohms(80) + rail.series_ohm)
    yield _claim(
        "a stuck coil, hot, at 10.8 V draws (a PPTC of 300 mA trips at 600)", stuck_a, 0.6, "A", at_least=True
    )


def _sliding_claims(design: Design, hard: Conditions) -> Iterator[Claim]:
    """Forks that slide: friction works against the coil while it pulls, against the spring afterwards."""
    told = f"forks that rub with {_FRICTION_N:g} N"
    pulled, sprung = (_rubbing(design, force) for force in (_FRICTION_N, -_FRICTION_N))
    pulse_ms = design.gate.coil.pulse_ms
    tries = [try_gate(pulse_ms, replace(hard, tilt_deg=tilt_deg), pulled) for tilt_deg in _SLOPES]
    latest_ms = max((one.passed_us or 1e6) / 1e3 for one in tries)
    yield _claim(f"the ball is past the fork on any slope, {told}", latest_ms, pulse_ms, "ms")
    back = [try_gate(pulse_ms, replace(hard, tilt_deg=tilt_deg), sprung) for tilt_deg in _SLOPES]
    yield _claim(f"balls released by the usual pulse, {told}", max(one.released for one in back), 1, "balls")
    up_ms = max((one.up_us or 1e6) / 1e3 for one in back) - pulse_ms
    yield _claim(f"the lower fork is up again after the pulse, {told}", up_ms, 100, "ms")


def _rubbing(design: Design, more_n: float) -> Design:
    """Return a design whose spring is so much stronger, and what moves heavier."""
    coil = design.gate.coil
    coil = msgspec.structs.replace(coil, spring_n=coil.spring_n + more_n, moved_g=coil.moved_g + _MORE_G)
    return msgspec.structs.replace(design, gate=msgspec.structs.replace(design.gate, coil=coil))

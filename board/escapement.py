"""The mechanics of a ramp's gate: what a pulse of its coil does to a queue of balls.

From formulas alone: the coil's current and force, the plunger that moves the rocker against its spring, and
balls that roll along the ramp until a fork holds them. Steps of 50 us; the same question has the same answer.

* A ball that rolls speeds up by 5/7 g (sin tilt - rolling resistance).
* A pin that stands ``h`` above the floor holds a ball of radius ``r`` off by its own radius and the ball's
  half-width at that height, which is ``sqrt(2 r h - h^2)`` up to the middle.
* Force of the plunger: ``K I^2 / 2 (gap + residual)^2``; the same K makes its inductance, so that movement
  brakes the current as it does in a real coil. When the coil is switched off, its current flows on through
  the diode.

Places are millimetres along the ramp, downhill, from the lower fork.
"""

import functools
import math
from dataclasses import dataclass
from typing import Final

from hextraction.board.design import Design, load_design

__all__ = ["FOR_EVER_MS", "GRAVITY_MM_S2", "ROLLING", "Conditions", "GateTry", "least_pulse_ms", "try_gate"]

GRAVITY_MM_S2: Final = 9_810.0
ROLLING: Final = 5 / 7
"""A ball that rolls speeds up by this share of what slides: it must be set spinning, too."""
FOR_EVER_MS: Final = 400
"""A pulse that no ball outlasts."""
_STEP_S: Final = 50e-6
_SCAN_S: Final = 500e-6
"""A hold is made of whole scans of the hub (hal/firmware/src/coils.c)."""
_AFTER_S: Final = 0.12
"""No fork takes longer to come back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What a gate has to work with: the ramp's tilt, the supply, how warm its coil is, and waiting balls.

    ``series_ohm`` is what stands in the coil's way: fuse, transistor, wire. ``slow_mm`` is by how much
    the forks stand further from the first ball than drawn. After ``pull_in_ms`` the hub holds the coil with
    ``hold_percent`` of its current (25, 50, 75; 100: it does not).
    """

    tilt_deg: float
    volts: float = 12.0
    warmer_k: float = 0.0
    balls: int = 3
    series_ohm: float = 0.0
    slow_mm: float = 0.0
    pull_in_ms: int = 0
    hold_percent: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class GateTry:
    """What a pulse did. Times are microseconds from its beginning; ``None`` if that did not happen.

    ``released`` balls went through; the first passed the lower fork at ``passed_us`` with ``speed_mm_s``.
    ``down_us`` is when the lower fork was all the way down, ``up_us`` when it was up again. ``pushed_mm`` is
    how far a fork pushed a ball downhill, ``joules`` what the coil and its circuit took from the supply.
    """

    released: int
    passed_us: int | None
    speed_mm_s: float
    down_us: int | None
    up_us: int | None
    pushed_mm: float
    joules: float


def least_pulse_ms(conditions: Conditions) -> int | None:
    """Return the shortest pulse, in whole milliseconds, that lets a ball go; ``None`` if none does."""
    if not try_gate(FOR_EVER_MS, conditions).released:
        return None
    low, high = 0, FOR_EVER_MS
    while high - low > 1:
        middle = (low + high) // 2
        if try_gate(middle, conditions).released:
            high = middle
        else:
            low = middle
    return high


@functools.lru_cache(maxsize=512)
def try_gate(pulse_ms: float, conditions: Conditions, design: Design | None = None) -> GateTry:
    """Calculate what a pulse does to the balls that wait at a gate; by default at the shipped one."""
    rocker = _Rocker(conditions, design or load_design())
    queue = _Queue(conditions, rocker.design)
    down_us = up_us = None
    at_s, pulse_s, joules = 0.0, pulse_ms / 1_000, 0.0
    while at_s < pulse_s + _AFTER_S and not (at_s >= pulse_s and up_us is not None):
        is_on = at_s < pulse_s
        joules += rocker.step(is_on=is_on and _is_driven(at_s, conditions)) * _STEP_S
        at_s += _STEP_S
        queue.step(at_s, rocker.lower_mm, rocker.upper_mm)
        if rocker.gap_mm <= 0 and down_us is None:
            down_us = round(at_s * 1e6)
        if not is_on and rocker.gap_mm >= rocker.design.gate.travel_mm:
            up_us = round(at_s * 1e6)
    return GateTry(
        released=queue.released,
        passed_us=None if queue.passed_s is None else round(queue.passed_s * 1e6),
        speed_mm_s=queue.speed_mm_s,
        down_us=down_us,
        up_us=up_us,
        pushed_mm=queue.pushed_mm,
        joules=joules,
    )


def _is_driven(at_s: float, conditions: Conditions) -> bool:
    """Whether the transistor conducts: always, or after the pull-in in some of the scans, spread evenly."""
    held_s = at_s - conditions.pull_in_ms / 1_000
    if conditions.hold_percent == 100 or held_s < 0:
        return True
    scan, quarters = int(held_s / _SCAN_S), conditions.hold_percent // 25
    return (scan + 1) * quarters // 4 > scan * quarters // 4


class _Rocker:
    """Coil, plunger and forks. ``gap_mm`` is the plunger's: the whole travel at rest, none when pulled in."""

    def __init__(self, conditions: Conditions, design: Design) -> None:
        self.design = design
        self._coil = coil = design.gate.coil
        self._volts = conditions.volts
        self._ohms = coil.ohms(conditions.warmer_k) + conditions.series_ohm
        self._pull = coil.pull_h_mm * 1e-3
        self._amps = 0.0
        self._flux = 0.0
        self._speed_mm_s = 0.0
        self.gap_mm = design.gate.travel_mm

    @property
    def lower_mm(self) -> float:
        """How high the lower fork stands above the floor."""
        return self.gap_mm - self.design.gate.down_mm

    @property
    def upper_mm(self) -> float:
        """How high the upper fork stands above the floor."""
        return self.design.gate.up_mm - self.gap_mm

    def step(self, *, is_on: bool) -> float:
        """Let one step pass; return the power that the supply gives, W."""
        coil, travel_mm = self._coil, self.design.gate.travel_mm
        reach_m = (self.gap_mm + coil.residual_mm) * 1e-3
        henry = coil.stray_mh * 1e-3 + self._pull / reach_m
        volts = self._volts if is_on else -coil.diode_v if self._amps > 0 else 0.0
        self._flux = max(0.0, self._flux + (volts - self._ohms * self._amps) * _STEP_S)
        self._amps = self._flux / henry
        pulled_n = min(coil.most_force_n, 0.5 * self._pull * (self._amps / reach_m) ** 2)
        spring_n = coil.spring_n + coil.spring_n_per_mm * (travel_mm - self.gap_mm)
        self._speed_mm_s += (spring_n - pulled_n) / (coil.moved_g * 1e-3) * 1e3 * _STEP_S
        self.gap_mm += self._speed_mm_s * _STEP_S
        if not 0 < self.gap_mm < travel_mm:  # at a stop
            self.gap_mm = min(max(self.gap_mm, 0.0), travel_mm)
            self._speed_mm_s = 0.0
        return volts * self._amps if is_on else 0.0


class _Queue:
    """The balls on the ramp, the first one first."""

    def __init__(self, conditions: Conditions, design: Design) -> None:
        self._gate = gate = design.gate
        self._radius_mm = design.ball.diameter_mm / 2
        slope = math.sin(math.radians(conditions.tilt_deg)) - design.ball.rolling_resistance
        self._pull_mm_s2 = max(0.0, ROLLING * GRAVITY_MM_S2 * slope)
        self._lower_at_mm, self._upper_at_mm = 0.0, -gate.apart_mm
        first_mm = -self._reach_mm(gate.up_mm) - conditions.slow_mm
        self._places_mm = [first_mm - number * 2 * self._radius_mm for number in range(conditions.balls)]
        self._speeds_mm_s = [0.0] * conditions.balls
        self._through = [False] * conditions.balls
        self.passed_s: float | None = None
        self.speed_mm_s = 0.0
        self.pushed_mm = 0.0

    @property
    def released(self) -> int:
        """How many balls have passed the lower fork."""
        return sum(self._through)

    def step(self, at_s: float, lower_mm: float, upper_mm: float) -> None:
        """Let one step pass with the forks at these heights."""
        forks = (
            (self._lower_at_mm, self._reach_mm(lower_mm)),
            (self._upper_at_mm, self._reach_mm(upper_mm)),
        )
        limit_mm = math.inf
        for number, before_mm in enumerate(self._places_mm):
            speed = self._speeds_mm_s[number] + self._pull_mm_s2 * _STEP_S
            to_mm = before_mm + speed * _STEP_S
            for fork_mm, reach_mm in forks:
                to_mm = self._held(before_mm, to_mm, fork_mm, reach_mm)
            to_mm = min(to_mm, limit_mm)
            self._places_mm[number] = to_mm
            self._speeds_mm_s[number] = max(0.0, min(speed, (to_mm - before_mm) / _STEP_S))
            limit_mm = to_mm - 2 * self._radius_mm
            if not self._through[number] and to_mm > self._lower_at_mm:
                self._through[number] = True
                if self.passed_s is None:
                    self.passed_s, self.speed_mm_s = at_s, self._speeds_mm_s[number]

    def _held(self, before_mm: float, to_mm: float, fork_mm: float, reach_mm: float) -> float:
        """Return where a fork lets a ball be: uphill of it, or downhill, but not on it."""
        if reach_mm <= 0 or abs(to_mm - fork_mm) >= reach_mm:
            return to_mm
        if before_mm <= fork_mm:
            return fork_mm - reach_mm
        self.pushed_mm = max(self.pushed_mm, fork_mm + reach_mm - to_mm)
        return fork_mm + reach_mm

    def _reach_mm(self, height_mm: float) -> float:
        """Return how near a ball's middle can come to a fork that stands so high; 0 if it rolls over it."""
        gate, radius_mm = self._gate, self._radius_mm
        if height_mm <= 0:
            return 0.0
        high_mm = min(height_mm, radius_mm)
        half_mm = math.sqrt(radius_mm**2 - (radius_mm - high_mm) ** 2)
        far_mm = half_mm + gate.pin_mm / 2
        return math.sqrt(far_mm**2 - gate.aside_mm**2) if far_mm > gate.aside_mm else 0.0

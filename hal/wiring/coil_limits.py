"""Hard limits for driving coils. The ceilings are fixed here; settings can only lower them.

Why so strict: a 6 W gate coil that stays on warms up by 0.7 K a second, and a stuck one can burn you within
minutes; a 30 ms pulse warms it by a fiftieth of a kelvin. :mod:`hextraction.hal.guard` keeps them at every
pulse; the sensor hub keeps its own, which are the same numbers (``hal/firmware/src/hub.h``).
"""

import math
from dataclasses import dataclass
from typing import Final

__all__ = [
    "CEILING_PULSE_MS",
    "DEFAULT_MAX_PULSE_MS",
    "DEFAULT_PULSE_MS",
    "DUTY_PERCENT",
    "DUTY_WINDOW_US",
    "GAP_US",
    "MIN_OFF_MS",
    "REST_FACTOR",
    "SAFE_VOLTS",
    "CoilLimits",
]

CEILING_PULSE_MS: Final = 200
"""The longest possible pulse."""
DEFAULT_MAX_PULSE_MS: Final = 50
"""The cap of a coil whose wiring does not say otherwise."""
DEFAULT_PULSE_MS: Final = 30
MIN_OFF_MS: Final = 250
"""The shortest rest between two pulses of a coil."""
REST_FACTOR: Final = 4
"""A coil rests at least this many times as long as its pulse was."""
DUTY_PERCENT: Final = 10.0
DUTY_WINDOW_US: Final = 10_000_000
GAP_US: Final = 10_000
"""Gap between two pulses of different coils, in which the supply's capacitor recovers."""
SAFE_VOLTS: Final = 5.0
"""A coil on a higher voltage needs a supply that can be disarmed (see :mod:`hextraction.hal.power`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoilLimits:
    """The limits of one coil. Values beyond the ceilings raise ``ValueError``."""

    max_pulse_ms: int = DEFAULT_MAX_PULSE_MS
    min_off_ms: int = MIN_OFF_MS
    duty_percent: float = DUTY_PERCENT

    def __post_init__(self) -> None:
        if not 1 <= self.max_pulse_ms <= CEILING_PULSE_MS:
            raise ValueError(f"max_pulse_ms: want 1..{CEILING_PULSE_MS}, found {self.max_pulse_ms}")
        if not MIN_OFF_MS <= self.min_off_ms < math.inf:
            raise ValueError(f"min_off_ms: want {MIN_OFF_MS} or more, found {self.min_off_ms}")
        if not 0 < self.duty_percent <= DUTY_PERCENT:
            raise ValueError(f"duty_percent: want 0..{DUTY_PERCENT:g} and not 0, found {self.duty_percent}")

    @property
    def duty_us(self) -> int:
        """How long the coil may be on in any window of :data:`DUTY_WINDOW_US`."""
        return int(DUTY_WINDOW_US * self.duty_percent / 100)

    def rest_us(self, pulse_us: int) -> int:
        """Return how long the coil must rest after a pulse of ``pulse_us``."""
        return max(self.min_off_ms * 1_000, REST_FACTOR * pulse_us)

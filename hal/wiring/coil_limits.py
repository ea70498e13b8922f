"""Hard limits for driving coils. The ceilings are fixed here; settings can only lower them.

Why so strict: a 12 W gate coil that stays on warms up by more than a kelvin a second, and a stuck one can
burn you within minutes; a pulse of 150 ms warms it by a fifth of a kelvin. What heats is power, not voltage:
5 V at 1 A are as hot as 12 V at 0.4 A. :mod:`hextraction.hal.guard` keeps the times at every pulse, and the
sensor hub its own, which are the same numbers (``hal/firmware/src/hub.h``); the wiring file is refused if a
pulse could carry too much energy, a coil too much power in the mean, or if nothing would end a current that
got stuck.
"""

import math
from dataclasses import dataclass
from typing import Final

__all__ = [
    "CEILING_MEAN_W",
    "CEILING_PULSE_J",
    "CEILING_PULSE_MS",
    "DEFAULT_MAX_PULSE_MS",
    "DEFAULT_PULSE_MS",
    "DISARMED_ABOVE_W",
    "DUTY_PERCENT",
    "DUTY_WINDOW_US",
    "GAP_US",
    "MIN_OFF_MS",
    "REST_FACTOR",
    "CoilLimits",
    "fuse_range_ma",
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
CEILING_PULSE_J: Final = 2.5
"""The most that one pulse may take: 12 V, 1 A, 200 ms, which warm a small coil by a third of a kelvin."""
CEILING_MEAN_W: Final = 1.2
"""The most that a coil may take in the mean, and that it can bear for ever: some 35 K above the room."""
DISARMED_ABOVE_W: Final = 6.0
"""A coil of more than this needs a supply that can be disarmed (see :mod:`hextraction.hal.power`)."""
_TRIPS_AT: Final = 2.0
"""A PPTC surely trips at twice the current that it surely holds."""
_WEAKEST: Final = 0.62
"""What a hot coil draws at the lowest voltage, as a share: 0.9 of the volts through 1.45 of the ohms."""


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


def fuse_range_ma(current_ma: int, duty_percent: float) -> tuple[int, int]:
    """Return the least and the most that a PPTC in series with a coil may hold.

    It must bear what the coil may draw in the mean (its heat follows the square), and trip at what a coil
    draws that is stuck on: at low voltage and hot.
    """
    least_ma = math.ceil(current_ma * math.sqrt(duty_percent / 100))
    return least_ma, math.floor(current_ma * _WEAKEST / _TRIPS_AT)

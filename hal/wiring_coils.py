"""Reading ``[[solenoid]]``: a coil on a pin of the Pi, or on one of the hub's outputs."""

from typing import Final

from hextraction.hal.claims import PinBook
from hextraction.hal.limits import (
    CEILING_PULSE_MS,
    DEFAULT_MAX_PULSE_MS,
    DEFAULT_PULSE_MS,
    DUTY_PERCENT,
    MIN_OFF_MS,
    CoilLimits,
)
from hextraction.hal.wires import CoilWire, HubCoil
from hextraction.hal.wiring_sensors import Places
from hextraction.settings import Section

__all__ = ["HUB_MAX_PULSE_MS", "read_coil"]

HUB_MAX_PULSE_MS: Final = 50
"""The cap that is built into the hub's firmware."""


def read_coil(section: Section, name: str, book: PinBook, places: Places) -> CoilWire | HubCoil:
    """Read one solenoid; exactly one of ``pin`` and ``hub`` says where it hangs."""
    owner, on_hub = f"solenoid {name!r}", "hub" in section
    if on_hub and "pin" in section:
        section.raw("pin")
        section.complain("pin", "want one of pin and hub, found both")
    limits = _limits(section, HUB_MAX_PULSE_MS if on_hub else CEILING_PULSE_MS)
    pulse_ms = _pulse_ms(section, limits)
    current_ma = section.integer("current_ma", 10, 20_000, 1_000)
    if on_hub:
        number = places.coil(section, owner)
        return HubCoil(name=name, number=number, pulse_ms=pulse_ms, limits=limits, current_ma=current_ma)
    pin = book.coil(section, "pin", owner)
    return CoilWire(name=name, pin=pin, pulse_ms=pulse_ms, limits=limits, current_ma=current_ma)


def _limits(section: Section, ceiling_ms: int) -> CoilLimits:
    return CoilLimits(
        max_pulse_ms=section.integer("max_pulse_ms", 1, ceiling_ms, min(DEFAULT_MAX_PULSE_MS, ceiling_ms)),
        min_off_ms=section.integer("min_off_ms", MIN_OFF_MS, 60_000, MIN_OFF_MS),
        duty_percent=section.number("duty_percent", 0.1, DUTY_PERCENT, DUTY_PERCENT),
    )


def _pulse_ms(section: Section, limits: CoilLimits) -> int:
    most = limits.max_pulse_ms
    pulse_ms = section.integer("pulse_ms", 1, CEILING_PULSE_MS, min(DEFAULT_PULSE_MS, most))
    if pulse_ms > most:
        section.complain("pulse_ms", f"want at most max_pulse_ms ({most}), found {pulse_ms}")
    return pulse_ms

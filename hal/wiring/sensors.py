"""Reads ``[[sensor]]``: where each is connected, on the Pi's header, on a hub, or on an expander.

Each sensor has exactly one of ``pin``, ``hub``, ``linear`` and ``expander``.
"""

from typing import Final

from hextraction.hal.wiring.claims import PinBook
from hextraction.hal.wiring.places import HubPlace, Places
from hextraction.hal.wiring.wires import ExpanderInput, HubInput, HubLinear, SensorWire
from hextraction.settings import Section

__all__ = ["SCAN_US", "read_pin_input", "read_sensor"]

SCAN_US: Final = 500
"""The hub's scan period: how often it reads every input."""
_SIDES: Final = ("above", "below", "either")

AnySensor = SensorWire | HubInput | HubLinear | ExpanderInput


def read_sensor(section: Section, name: str, book: PinBook, places: Places) -> AnySensor:
    """Read one sensor, wherever it is connected."""
    owner = f"sensor {name!r}"
    said = [key for key in ("pin", "hub", "linear", "expander") if key in section]
    if len(said) > 1:
        section.complain(said[1], f"want one of pin, hub, linear and expander, found {' and '.join(said)}")
        for key in said:
            section.raw(key)
    where = said[-1] if said else "nowhere"
    if where == "hub":
        return _hub_input(section, name, places.input(section, owner))
    if where == "linear":
        return _hub_linear(section, name, places.linear(section, owner))
    if where == "expander":
        return _expander_input(section, name, places.expanded(section, owner))
    if where == "nowhere":
        section.complain(
            None, f"{owner} is not connected: want one of pin, hub, linear and expander, found none"
        )
        return _unplaced(section, name)
    return read_pin_input(section, name, book, owner=owner)


def _unplaced(section: Section, name: str) -> SensorWire:
    """Read what we can of a sensor that does not say where it is connected."""
    pull = section.choice("pull", ("up", "down", "none"), "up")
    for key in ("threshold_mv", "hysteresis_mv", "side"):
        section.raw(key)
    return SensorWire(
        name=name,
        pin=-1,
        active_high=_active_high(section),
        pull=pull,
        debounce_us=_debounce_us(section),
        part=_part(section),
    )


def read_pin_input(section: Section, name: str, book: PinBook, *, owner: str) -> SensorWire:
    """Read an input on the Pi's header."""
    pull = section.choice("pull", ("up", "down", "none"), "up")
    return SensorWire(
        name=name,
        pin=book.sensor(section, "pin", owner, pull),
        active_high=_active_high(section),
        pull=pull,
        debounce_us=_debounce_us(section),
        part=_part(section),
    )


def _hub_input(section: Section, name: str, place: HubPlace) -> HubInput:
    debounce_ms = section.number("debounce_ms", 0.5, 7.5, 1.0)
    return HubInput(
        name=name,
        number=place.number,
        hub=place.hub,
        active_high=_active_high(section),
        debounce_scans=round(debounce_ms * 1_000 / SCAN_US),
        part=_part(section),
    )


def _hub_linear(section: Section, name: str, place: HubPlace) -> HubLinear:
    threshold_mv = section.number("threshold_mv", 2, 1_650, 18.0)
    hysteresis_mv = section.number("hysteresis_mv", 0, 1_650, min(10.0, 0.4 * threshold_mv))
    if hysteresis_mv >= threshold_mv:
        section.complain(
            "hysteresis_mv", f"want less than threshold_mv ({threshold_mv:g}), found {hysteresis_mv:g}"
        )
    return HubLinear(
        name=name,
        number=place.number,
        hub=place.hub,
        side=section.choice("side", _SIDES, "either"),
        threshold_mv=threshold_mv,
        hysteresis_mv=hysteresis_mv,
        debounce_ms=section.integer("debounce_ms", 1, 255, 2),
    )


def _expander_input(section: Section, name: str, place: tuple[int, int]) -> ExpanderInput:
    address, bit = place
    return ExpanderInput(
        name=name,
        address=address,
        bit=bit,
        active_high=_active_high(section),
        pull_up=section.choice("pull", ("up", "none"), "up") == "up",
        debounce_us=_debounce_us(section),
        part=_part(section),
    )


def _active_high(section: Section) -> bool:
    return section.choice("active", ("high", "low"), "low") == "high"


def _part(section: Section) -> str:
    return section.choice("part", ("beam", "hall", "button"), "")


def _debounce_us(section: Section) -> int:
    return round(section.number("debounce_ms", 0, 1_000, 1.0) * 1_000)

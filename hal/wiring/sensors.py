"""Reads ``[[sensor]]``: where each is connected, on the Pi's header, on the hub, or on an expander.

Each sensor has exactly one of ``pin``, ``hub``, ``linear`` and ``expander``.
"""

import re
from typing import Final

from hextraction.hal.wiring.claims import PinBook
from hextraction.hal.wiring.wires import ExpanderInput, HubInput, HubLinear, SensorWire
from hextraction.settings import Section

__all__ = ["Places", "read_pin_input", "read_sensor"]

SCAN_US: Final = 500
"""The hub's scan period: how often it reads every input."""
_PARTS: Final = {"hub": ("chips", 24, 8), "linear": ("multiplexers", 8, 16)}
"""For each kind of place: the key in ``[hub]`` of its chips, their maximum, and the places on each."""
_EXPANDER_PIN: Final = re.compile(r"0x2([0-7])\.([AB])([0-7])")
_NO_INPUT: Final = "the last pin of a port of an MCP23017 is an output only (data sheet, revision D)"
_SIDES: Final = ("above", "below", "either")

AnySensor = SensorWire | HubInput | HubLinear | ExpanderInput


class Places:
    """The places that hub and expanders offer, and what has claimed each; one wire per place."""

    def __init__(self, *, hub: Section | None, expander: Section | None) -> None:
        self.hub = hub
        self.expander = expander
        self.chips = 0 if hub is None else hub.integer("chips", 0, _PARTS["hub"][1], 0)
        self.multiplexers = 0 if hub is None else hub.integer("multiplexers", 0, _PARTS["linear"][1], 0)
        self._taken: dict[tuple[str, int], tuple[str, int]] = {}
        self._is_wanted = False

    def input(self, section: Section, owner: str) -> int:
        """Claim a place on the shift registers."""
        return self._claim(section, "hub", owner, self.chips)

    def linear(self, section: Section, owner: str) -> int:
        """Claim a channel on the multiplexers."""
        return self._claim(section, "linear", owner, self.multiplexers)

    def coil(self, section: Section, owner: str) -> int:
        """Claim one of the hub's eight coil outputs."""
        self._is_wanted = True
        number = section.integer("hub", 0, 7)
        if self.hub is None:
            section.complain("hub", "want a table [hub] for it, found none")
        self._take(section, "hub", ("coil", number), f"coil output {number}", owner)
        return number

    def expanded(self, section: Section, owner: str) -> tuple[int, int]:
        """Claim a pin of an expander; return its address and bit."""
        written = section.text("expander", pattern=_EXPANDER_PIN.pattern, like="a place such as '0x20.A0'")
        found = _EXPANDER_PIN.fullmatch(written)
        if found is None:
            return 0x20, 0
        if self.expander is None:
            section.complain("expander", "want a table [expander] for it, found none")
        if found[3] == "7":
            section.complain("expander", f"want A0..A6 or B0..B6, found {found[2]}7: {_NO_INPUT}")
        address, bit = 0x20 + int(found[1]), int(found[3]) + (8 if found[2] == "B" else 0)
        self._take(section, "expander", ("expander", address * 16 + bit), written, owner)
        return address, bit

    def finish(self) -> None:
        """Record a mistake for every soldered-in place of the hub without a wire, unless listed as spare."""
        if self.hub is None:
            return
        self._check_spare(self.hub, "hub", "spare", self.chips)
        self._check_spare(self.hub, "linear", "spare_linears", self.multiplexers)
        if not self._is_wanted:
            self.hub.complain(None, "want sensors or solenoids with hub = NUMBER, found none")

    def _claim(self, section: Section, kind: str, owner: str, count: int) -> int:
        """Read the number of a place; if the count is unknown, allow the maximum."""
        self._is_wanted = True
        parts, most, each = _PARTS[kind]
        if self.hub is None:
            section.complain(kind, "want a table [hub] for it, found none")
        elif self.hub.raw(parts, 0) == 0:  # an invalid count must not produce a mistake for every sensor
            section.complain(kind, f"want hub.{parts} of 1 or more for it, found 0")
        number = section.integer(kind, 0, (count or most) * each - 1)
        self._take(section, kind, (kind, number), f"{kind} {number}", owner)
        return number

    def _take(self, section: Section, key: str, place: tuple[str, int], spelled: str, owner: str) -> None:
        written = section.raw(key)
        if key != "expander" and (type(written) is not int or written != place[1]):
            return  # already reported
        if place in self._taken:
            taker, line = self._taken[place]
            section.complain(key, f"{spelled} is already taken by {taker} (line {line}); move one of the two")
        else:
            self._taken[place] = (owner, section.document.line_of((*section.path, key)))

    def _check_spare(self, hub: Section, kind: str, key: str, count: int) -> None:
        parts, most, each = _PARTS[kind]
        nameable = count if count or hub.raw(parts, 0) == 0 else most
        spare = hub.integers(key, 0, max(nameable * each - 1, 0), ())
        for number in sorted({number for number in spare if spare.count(number) > 1}):
            hub.complain(key, f"{number} is written twice; take one of them off this list")
        used = {number for taken, number in self._taken if taken == kind}
        idle = sorted(set(range(count * each)) - used - set(spare))
        if idle:
            hub.complain(
                key, f"want a sensor on every input, or its number here; without either: {_ranges(idle)}"
            )
        for number in sorted(used & set(spare)):
            taker, line = self._taken[kind, number]
            hub.complain(key, f"{number} is not spare: {taker} (line {line}) uses it")


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


def _hub_input(section: Section, name: str, number: int) -> HubInput:
    debounce_ms = section.number("debounce_ms", 0.5, 7.5, 1.0)
    return HubInput(
        name=name,
        number=number,
        active_high=_active_high(section),
        debounce_scans=round(debounce_ms * 1_000 / SCAN_US),
        part=_part(section),
    )


def _hub_linear(section: Section, name: str, number: int) -> HubLinear:
    threshold_mv = section.number("threshold_mv", 2, 1_650, 18.0)
    hysteresis_mv = section.number("hysteresis_mv", 0, 1_650, min(10.0, 0.4 * threshold_mv))
    if hysteresis_mv >= threshold_mv:
        section.complain(
            "hysteresis_mv", f"want less than threshold_mv ({threshold_mv:g}), found {hysteresis_mv:g}"
        )
    return HubLinear(
        name=name,
        number=number,
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


def _ranges(numbers: list[int]) -> str:
    """Write 1, 2, 3, 7 as ``1..3, 7``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}..{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)

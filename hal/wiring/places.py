"""The places that hubs and expanders offer, and what has claimed each; one wire per place.

With one hub (``[hub]``) a place is a number, as in ``hub = 3``. Several (``[[hub]]``) have names, which stand
before it: ``hub = "left.3"``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hextraction.settings import Section

__all__ = ["HubPlace", "Places"]

_PARTS: Final = {"hub": ("chips", 24, 8, "spare"), "linear": ("multiplexers", 8, 16, "spare_linears")}
"""By kind of place: the key of its chips in ``[hub]``, their maximum, places on each, key of idle ones."""
_COILS: Final = 8
_SPELLED: Final = {"coil": "coil output"}
_EXPANDER_PIN: Final = re.compile(r"0x2([0-7])\.([AB])([0-7])")
_NO_INPUT: Final = "the last pin of a port of an MCP23017 is an output only (data sheet, revision D)"


@dataclass(frozen=True, slots=True)
class HubPlace:
    """A numbered place on the hub with this name."""

    hub: str
    number: int


class _Hub:
    """What one hub offers."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.counts = {
            "hub": section.integer("chips", 0, _PARTS["hub"][1], 0),
            "linear": section.integer("multiplexers", 0, _PARTS["linear"][1], 0),
        }
        self.is_wanted = False

    def places(self, kind: str) -> int:
        """Return how many places of a kind there are; if the count of chips is not known, the most."""
        _parts, most, each, _key = _PARTS[kind]
        return (self.counts[kind] or most) * each

    def has_none(self, kind: str) -> bool:
        """Whether there is no chip of this kind; one whose count is wrong has some."""
        return bool(self.section.raw(_PARTS[kind][0], 0) == 0)


class Places:
    """The places of a wiring. ``hubs`` are their tables by name; the only hub, in ``[hub]``, is called ""."""

    def __init__(self, *, hubs: Mapping[str, Section], expander: Section | None) -> None:
        self.expander = expander
        self._hubs = {name: _Hub(section) for name, section in hubs.items()}
        self._named = bool(hubs) and "" not in hubs
        self._taken: dict[tuple[str, str, int], tuple[str, int]] = {}

    def count(self, hub: str, kind: str) -> int:
        """Return how many chips (``hub``) or multiplexers (``linear``) a hub has."""
        return self._hubs[hub].counts[kind]

    def input(self, section: Section, owner: str) -> HubPlace:
        """Claim a place on the shift registers."""
        return self._claim_part(section, "hub", owner)

    def linear(self, section: Section, owner: str) -> HubPlace:
        """Claim a channel on the multiplexers."""
        return self._claim_part(section, "linear", owner)

    def coil(self, section: Section, owner: str) -> HubPlace:
        """Claim one of a hub's eight coil outputs."""
        hub = self._hub_of(section, "hub")
        number = self._number(section, "hub", hub, _COILS)
        return self._take(section, "hub", "coil", HubPlace(hub, number), owner)

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
        self._note(section, "expander", ("expander", "", address * 16 + bit), written, owner)
        return address, bit

    def finish(self) -> None:
        """Record a mistake for every soldered-in place of a hub without a wire, unless listed as spare."""
        for name, hub in self._hubs.items():
            for kind in _PARTS:
                self._check_spare(name, hub, kind)
            if not hub.is_wanted:
                wanted = f'hub = "{name}.NUMBER"' if name else "hub = NUMBER"
                hub.section.complain(None, f"want sensors or solenoids with {wanted}, found none")

    # --- reading a place ---

    def _claim_part(self, section: Section, kind: str, owner: str) -> HubPlace:
        name = self._hub_of(section, kind)
        parts, most, each, _key = _PARTS[kind]
        hub = self._hubs.get(name)
        if hub is not None and hub.has_none(kind):
            # an invalid count must not produce a mistake for every sensor
            section.complain(kind, f"want hub.{parts} of 1 or more for it, found 0")
        number = self._number(section, kind, name, most * each if hub is None else hub.places(kind))
        return self._take(section, kind, kind, HubPlace(name, number), owner)

    def _hub_of(self, section: Section, key: str) -> str:
        """Return the name of the hub that a place is on; a name that no hub has is a mistake."""
        written = section.raw(key)
        name = written.partition(".")[0] if self._named and isinstance(written, str) else ""
        if name in self._hubs:
            self._hubs[name].is_wanted = True
        elif not self._hubs:
            section.complain(key, "want a table [hub] for it, found none")
        return name

    def _number(self, section: Section, key: str, hub: str, places: int) -> int:
        if not self._named:
            return section.integer(key, 0, places - 1)
        written = section.raw(key)
        found = re.fullmatch(r"([^.]+)\.(\d{1,4})", written) if isinstance(written, str) else None
        if hub not in self._hubs:
            wanted = f"want a text HUB.NUMBER with a hub of {', '.join(self._hubs)}"
            section.complain(key, f"{wanted}, found {written!r}")
            return -1
        if found is None or int(found[2]) >= places:
            section.complain(key, f"want '{hub}.0'..'{hub}.{places - 1}', found {written!r}")
            return -1
        return int(found[2])

    def _take(self, section: Section, key: str, kind: str, place: HubPlace, owner: str) -> HubPlace:
        """Note who has a place, unless its number is a mistake that is already reported."""
        written = section.raw(key)
        spelled = f"{_SPELLED.get(kind, kind)} {place.number}"
        if self._named:
            is_good, spelled = place.number >= 0, f"{spelled} of hub {place.hub}"
        else:
            is_good = type(written) is int and written == place.number
        if is_good:
            self._note(section, key, (kind, place.hub, place.number), spelled, owner)
        return HubPlace(place.hub, max(place.number, 0))

    def _note(
        self, section: Section, key: str, place: tuple[str, str, int], spelled: str, owner: str
    ) -> None:
        if place in self._taken:
            taker, line = self._taken[place]
            section.complain(key, f"{spelled} is already taken by {taker} (line {line}); move one of the two")
        else:
            self._taken[place] = (owner, section.document.line_of((*section.path, key)))

    # --- what is left over ---

    def _check_spare(self, name: str, hub: _Hub, kind: str) -> None:
        _parts, _most, each, key = _PARTS[kind]
        count, section = hub.counts[kind], hub.section
        nameable = 0 if hub.has_none(kind) else hub.places(kind)
        spare = section.integers(key, 0, max(nameable - 1, 0), ())
        for number in sorted({number for number in spare if spare.count(number) > 1}):
            section.complain(key, f"{number} is written twice; take one of them off this list")
        used = {number for taken, on, number in self._taken if (taken, on) == (kind, name)}
        idle = sorted(set(range(count * each)) - used - set(spare))
        if idle:
            section.complain(
                key, f"want a sensor on every input, or its number here; without either: {_ranges(idle)}"
            )
        for number in sorted(used & set(spare)):
            taker, line = self._taken[kind, name, number]
            section.complain(key, f"{number} is not spare: {taker} (line {line}) uses it")


def _ranges(numbers: list[int]) -> str:
    """Write 1, 2, 3, 7 as ``1..3, 7``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}..{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)

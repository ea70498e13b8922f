"""The evidence about a board's assembly: what a look at rest and a walk say of each sensor. Pure.

A module of its own, though only ``causes.py`` asks it, because here stands what a level or an answer means,
and there what follows from many of them.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from hextraction.controller.workshop.bring_up.deducing.assembly import Assembly
from hextraction.controller.workshop.bring_up.walk import Finding
from hextraction.hal.hub.look import HubLook
from hextraction.hal.wiring.wires import HubInput

__all__ = ["Evidence"]

_LOW_RAIL_MV: Final = 150.0
_HIGH_RAIL_MV: Final = 3_150.0
_MIDDLE_MV: Final = 1_650.0
_NO_MAGNET_MV: Final = 250.0
"""A Hall without its magnet gives half of its supply, within so much; with it at least twice as far off."""


class Evidence:
    """A look at each hub, the findings of a walk, and which sensors and steps are explained so far."""

    def __init__(
        self, assembly: Assembly, looks: Mapping[str, HubLook], findings: Mapping[str, Finding]
    ) -> None:
        self.assembly, self.looks, self.findings = assembly, looks, findings
        self.explained: frozenset[str] = frozenset()

    # --- one sensor in the walk ---

    def heard(self, asked: str) -> Mapping[str, int]:
        """Return what changed while this sensor was asked for."""
        return self.findings[asked].heard if asked in self.findings else {}

    def is_right(self, sensor: str) -> bool:
        """Whether it did what it should when it was asked for."""
        return sensor in self.findings and self.findings[sensor].result == "ok"

    def is_silent(self, sensor: str) -> bool:
        """Whether it was asked for, for long enough or with another's answer, and said nothing."""
        found = self.findings.get(sensor)
        if found is None or found.result == "ok" or found.heard.get(sensor):
            return False
        return found.waited or bool(found.heard)

    def is_open(self, sensor: str) -> bool:
        """Whether nothing explains yet what is wrong with it."""
        return sensor not in self.explained

    # --- one sensor at rest ---

    def millivolts(self, sensor: str) -> float | None:
        """Return what a linear Hall gives at rest."""
        spot = self.assembly.spot(sensor)
        look = self.looks.get(spot.hub)
        return look.millivolts.get(spot.number) if look is not None and spot.is_linear else None

    def rests_active(self, sensor: str) -> bool:
        """Whether a binary sensor is active while nobody touches anything."""
        wire, look = self.assembly.wires[sensor], self.looks.get(self.assembly.spot(sensor).hub)
        if look is None or look.chain_open or not isinstance(wire, HubInput):
            return False
        return (wire.number in look.high) == wire.active_high

    def reads_low(self, sensor: str) -> bool:
        """Whether a binary sensor's level is low, as far as anything is known of it."""
        wire, found = self.assembly.wires[sensor], self.findings.get(sensor)
        if not isinstance(wire, HubInput) or not self.is_known(sensor):
            return True
        on = self.rests_active(sensor) if found is None or self.is_untried(sensor) else found.on
        return on is not wire.active_high

    def is_restless(self, sensor: str) -> bool:
        """Whether a binary sensor changed while nobody touched anything."""
        spot = self.assembly.spot(sensor)
        look = self.looks.get(spot.hub)
        return (
            look is not None and not look.chain_open and not spot.is_linear and spot.number in look.restless
        )

    def is_at_rail(self, sensor: str) -> bool:
        """Whether a linear Hall gives what none does that has power."""
        found = self.millivolts(sensor)
        return found is not None and not _LOW_RAIL_MV < found < _HIGH_RAIL_MV

    def is_centred(self, sensor: str) -> bool:
        """Whether a linear Hall gives what one gives without a field."""
        found = self.millivolts(sensor)
        return found is not None and abs(found - _MIDDLE_MV) < _NO_MAGNET_MV

    # --- both ---

    def is_lost(self, sensor: str) -> bool:
        """Whether it gives no sign of life: silent in the walk, or before it dark or at a rail."""
        if sensor in self.findings and not self.is_untried(sensor):
            return self.is_silent(sensor)
        if self.assembly.spot(sensor).is_linear:
            return self.is_at_rail(sensor)
        return self.assembly.is_beam(sensor) and self.rests_active(sensor)

    def is_fine(self, sensor: str) -> bool:
        """Whether it answered, or before the walk looks as it should."""
        looked = self.assembly.spot(sensor).hub in self.looks
        return self.is_right(sensor) or (looked and self.is_untried(sensor) and not self.is_lost(sensor))

    def any_fine_beam(self, sensors: Iterable[str]) -> bool:
        """Whether one of the beams among these answered, or lets light through at rest."""
        return any(self.assembly.is_beam(name) and self.is_fine(name) for name in sensors)

    def is_untried(self, sensor: str) -> bool:
        """Whether the walk says nothing about it."""
        found = self.findings.get(sensor)
        return found is None or (found.result == "skipped" and not found.waited and not found.heard)

    def is_known(self, sensor: str) -> bool:
        """Whether the walk tried it, or a look shows that it is lost."""
        return not self.is_untried(sensor) or self.is_lost(sensor)

    def all_lost(self, sensors: Iterable[str], least: int) -> bool:
        """Whether all sensors of which anything is known are lost, and at least so many."""
        known = [each for each in sensors if self.is_known(each)]
        return len(known) >= least and all(self.is_open(each) and self.is_lost(each) for each in known)

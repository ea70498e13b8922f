"""Reading ``[current]``: the INA219 that measures what the coils draw."""

from collections.abc import Sequence
from typing import Final

from hextraction.hal.claims import PinBook
from hextraction.hal.ina219 import calibration_of
from hextraction.hal.wires import CoilWire, CurrentWire, HubCoil
from hextraction.settings import Section

__all__ = ["read_current"]

_ADDRESS: Final = r"0x4[0-9a-fA-F]"


def read_current(root: Section, book: PinBook, coils: Sequence[CoilWire | HubCoil]) -> CurrentWire | None:
    """Read the table, if there is one, after all that may share its bus."""
    if "current" not in root:
        return None
    section, usual = root.table("current"), CurrentWire()
    bus = section.integer("bus", 0, 20, usual.bus)
    book.bus(section, bus, "the current meter's")
    wire = CurrentWire(
        bus=bus,
        address=_address(section),
        shunt_ohm=section.number("shunt_ohm", 0.001, 10, usual.shunt_ohm),
        max_ma=section.integer("max_ma", 20, 20_000, usual.max_ma),
    )
    _check(section, wire, coils)
    return wire


def _address(section: Section) -> int:
    """The chip's seven-bit address: two pins choose one of sixteen."""
    written = section.text("address", "0x40", pattern=_ADDRESS, like="an address 0x40..0x4f")
    return int(written, 16) if written else CurrentWire().address


def _check(section: Section, wire: CurrentWire, coils: Sequence[CoilWire | HubCoil]) -> None:
    try:
        calibration_of(wire.shunt_ohm, wire.max_ma)
    except ValueError as error:
        section.complain("shunt_ohm", f"{error}: a smaller shunt, or less max_ma")
    if not coils:
        section.complain(None, "want solenoids whose current it measures, found none")
    strongest = max((coil.current_ma for coil in coils), default=0)
    if strongest > wire.max_ma:
        section.complain("max_ma", f"want at least the strongest coil's {strongest}, found {wire.max_ma}")

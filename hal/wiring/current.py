"""Reads ``[current]``: the INA219 that measures what the coils draw.

Its settings for a shunt follow the data sheet SBOS448, 8.5: see :mod:`hextraction.hal.ina219`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from hextraction.hal.wiring.claims import PinBook
from hextraction.hal.wiring.wires import CoilWire, CurrentWire, HubCoil
from hextraction.settings import Section

__all__ = ["Calibration", "calibration_of", "read_current"]

_ADDRESS: Final = r"0x4[0-9a-fA-F]"
_RANGES_MV: Final = (40, 80, 160, 320)
"""Ranges of the shunt's voltage, indexed by the two PG bits."""
_ROOM: Final = 1.1
"""Headroom: an excessive current must still fit in the range."""
_BUS_32_V, _ONE_CONVERSION, _EIGHT_CONVERSIONS, _BOTH_FOR_EVER = 1 << 13, 0b0011, 0b1011, 0b111
_SHUNT_UV: Final = 10
_END_SHARE: Final = 0.99
"""Share of the range above which the true value may be anything."""
_STEPS_UA: Final = tuple(step * 10**power for power, step in product(range(6), (1, 2, 5)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The chip's settings for a shunt: configuration and calibration, and the current per count, uA.

    From ``end_counts`` on the current is more than it can measure.
    """

    configuration: int
    calibration: int
    count_ua: int
    end_counts: int


def calibration_of(shunt_ohm: float, max_ma: int) -> Calibration:
    """Calculate the settings for a shunt, so that a little more than ``max_ma`` can still be measured.

    Raises:
        ValueError: the shunt is too large for that current.
    """
    drop_mv = max_ma * shunt_ohm
    fitting = [index for index, most_mv in enumerate(_RANGES_MV) if drop_mv * _ROOM <= most_mv]
    if not fitting:
        raise ValueError(
            f"want at most {_RANGES_MV[-1] / _ROOM:.0f} mV across the shunt, found {drop_mv:g} mV"
        )
    gain = fitting[0]
    least_ua = _RANGES_MV[gain] / shunt_ohm * 1_000 / 2**15
    count_ua = next(step for step in _STEPS_UA if step >= least_ua)
    calibration = int(0.04096 / (count_ua * 1e-6 * shunt_ohm)) & 0xFFFE
    range_counts = _RANGES_MV[gain] * 1_000 // _SHUNT_UV * calibration // 4096
    return Calibration(
        configuration=_BUS_32_V
        | gain << 11
        | _ONE_CONVERSION << 7
        | _EIGHT_CONVERSIONS << 3
        | _BOTH_FOR_EVER,
        calibration=calibration,
        count_ua=count_ua,
        end_counts=int(_END_SHARE * range_counts),
    )


def read_current(root: Section, book: PinBook, coils: Sequence[CoilWire | HubCoil]) -> CurrentWire | None:
    """Read the table, if there is one, after everything that may share its bus."""
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
    """Return the chip's seven-bit address: two pins select one of sixteen."""
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

"""What each pin of the Raspberry Pi's header can be used for, and who has taken it. BCM numbers throughout.

Facts of the Pi: 28 pins reach the header; 0 and 1 read the identity chip of an add-on board; 2 and 3 have
1.8 kilo-ohm pull-ups soldered on; at power-on 0 to 8 are pulled up, 14 and 15 belong to the serial console
and go high during boot, all others are pulled down. The installer enables the SPI bus, whose driver then
holds 7 and 8, and assigns 26 to the power button.
"""

from typing import Final

from hextraction.settings import Section

__all__ = ["HEADER", "HIGHEST_PIN", "SPI_DATA", "PinBook"]

HIGHEST_PIN: Final = 27

_NOT_FREE: Final = {
    **dict.fromkeys((0, 1), "is reserved for an add-on board's identity"),
    **dict.fromkeys((7, 8), "is a chip select of the SPI bus, which the installer turns on"),
    **dict.fromkeys((14, 15), "belongs to the serial console"),
    26: "belongs to the power button",
}
_I2C_BUS: Final = 1
_I2C_PINS: Final = ((2, "SDA"), (3, "SCL"))
_FIXED_PULL_UP: Final = frozenset({2, 3})
_HIGH_AT_BOOT: Final = frozenset(range(2, 7))
SPI_DATA: Final = 10
_SPI_OTHERS: Final = frozenset({9, 11})

HEADER: Final = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21,
    25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37,
    20: 38, 21: 40,
}  # fmt: skip
"""The place on the 40-pin header of each BCM number."""


class PinBook:
    """Reads pin numbers and records a mistake for each that is unsuitable or taken."""

    def __init__(self) -> None:
        self._taken: dict[int, tuple[str, int]] = {}
        self._spi_taken_by: str | None = None
        self._has_bus = False

    def sensor(self, section: Section, key: str, owner: str, pull: str) -> int:
        """Claim an input with the pull resistor ``up``, ``down`` or ``none``."""
        pin = self._claim(section, key, owner)
        if pin in _FIXED_PULL_UP and pull != "up":
            section.complain("pull", f"want 'up' (GPIO{pin} has a pull-up soldered on), found {pull!r}")
        return pin

    def coil(self, section: Section, key: str, owner: str) -> int:
        """Claim an output that must be low from power-on."""
        pin = self._claim(section, key, owner)
        if pin in _HIGH_AT_BOOT:
            wanted = "want a pin that is low while the Pi boots (9..13, 16..25, 27)"
            section.complain(key, f"{wanted}, found GPIO{pin}, which is high")
        return pin

    def lamps(self, section: Section, key: str, owner: str) -> int:
        """Claim the data pin of the lamp chain; on GPIO10 it needs the whole SPI bus."""
        pin = self._claim(section, key, owner)
        if pin == SPI_DATA:
            self._spi_taken_by = owner
            for other in sorted(_SPI_OTHERS & self._taken.keys()):
                taker, line = self._taken[other]
                section.complain(key, f"{_spi(other, owner)}, but {taker} (line {line}) uses it: move that")
        return pin

    def bus(self, section: Section, bus: int, owner: str) -> None:
        """Claim the pins of the I2C bus, which devices may share; only bus 1 is the same on every Pi."""
        if bus != _I2C_BUS:
            section.complain("bus", f"want {_I2C_BUS}, the bus on GPIO2 and GPIO3, found {bus}")
        elif not self._has_bus:
            self._has_bus = True
            for pin, role in _I2C_PINS:
                self._reserve(section, pin, f"{owner} {role}")

    def _reserve(self, section: Section, pin: int, owner: str) -> None:
        """Claim a pin that the section uses implicitly."""
        if pin in self._taken:
            taker, line = self._taken[pin]
            section.complain(
                None, f"GPIO{pin} is wanted as {owner}, but {taker} (line {line}) uses it: move that"
            )
        else:
            self._taken[pin] = (owner, section.line)

    def _claim(self, section: Section, key: str, owner: str) -> int:
        """Read a pin; return -1 if it is missing or not a pin number."""
        pin = section.integer(key, 0, HIGHEST_PIN)
        raw = section.raw(key)
        if isinstance(raw, bool) or raw != pin:
            return -1
        if pin in _NOT_FREE:
            wanted = "want a free pin (2..6, 9..13, 16..25, 27)"
            section.complain(key, f"{wanted}, found GPIO{pin}, which {_NOT_FREE[pin]}")
        elif pin in self._taken:
            taker, line = self._taken[pin]
            section.complain(key, f"GPIO{pin} is already taken by {taker} (line {line}); move one of the two")
        elif pin in _SPI_OTHERS and self._spi_taken_by is not None:
            section.complain(key, _spi(pin, self._spi_taken_by))
        else:
            self._taken[pin] = (owner, section.document.line_of((*section.path, key)))
        return pin


def _spi(pin: int, owner: str) -> str:
    return f"GPIO{pin} belongs to the SPI bus, which {owner} on GPIO{SPI_DATA} need for themselves"

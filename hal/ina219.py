"""The INA219 in the coils' supply: its registers and scaling (data sheet SBOS448, 8.5).

1. It measures the voltage across a shunt (10 uV per count, up to 40, 80, 160 or 320 mV) and that of the
   supply behind it (4 mV per count); the current register is shunt counts x calibration / 4096.
2. Calibration = 0.04096 / (current per count x shunt), truncated to an integer; its lowest bit is not stored.
   The current per count is at least the largest current / 2^15, rounded up to 1, 2 or 5 times a power of ten.
3. Each value is the average of eight conversions, 4.3 ms; a cycle with the supply's voltage takes 4.8 ms.
4. Its words are big-endian, SMBus words little-endian.
5. A chip that lost its power comes back without calibration and then reports no current: the calibration
   is read back each time.
6. After setting it up, readings are ignored until the chip reports a finished conversion (bit CNVR, which
   reading the power register clears): until then it reads no current, and after power-on no supply either.
7. A shunt voltage out of range reads as the end of the range. OVF only signals arithmetic overflow, not that.
8. The settings are read back. An INA226, which has the same address and registers with other units, keeps
   its bit 14 set; a disturbed bus reads ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from hextraction.hal.i2c import Bus
from hextraction.hal.wiring.current import calibration_of
from hextraction.hal.wiring.wires import CurrentWire

__all__ = ["Ina219", "Meter", "Reading"]

_CONFIGURATION, _BUS_VOLTAGE, _POWER, _CURRENT, _CALIBRATION = 0x00, 0x02, 0x03, 0x04, 0x05
_OVERFLOW: Final = 0x01
_READY: Final = 0x02
_READY_TRIES: Final = 200
"""How often we poll for its first conversion: 45 bits each time, so for 9 ms even at 1 MHz."""
_BUS_MV: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One reading: the current, whichever way it flows, and the voltage of the supply.

    With ``overflow`` the current is more than the chip can measure.
    """

    current_ma: int
    supply_mv: int
    overflow: bool = False


class Meter(Protocol):
    """Anything that measures the coils' supply."""

    def read(self) -> Reading:
        """Measure.

        Raises:
            OSError: it does not answer.
            BackendUnavailable: there is no bus for it.
        """
        ...

    def close(self) -> None:
        """Close it. May be called twice."""
        ...


class Ina219:
    """One INA219. The bus is opened at the first reading, and reopened after each failure."""

    def __init__(self, wire: CurrentWire, open_bus: Callable[[], Bus]) -> None:
        self._address = wire.address
        self._told = calibration_of(wire.shunt_ohm, wire.max_ma)
        self._open_bus = open_bus
        self._bus: Bus | None = None

    def read(self) -> Reading:
        """Measure; set the chip up first if it is new or has lost its settings.

        Raises:
            OSError: it does not answer.
            BackendUnavailable: the bus cannot be opened.
        """
        try:
            bus = self._bus = self._bus or self._open_bus()
            if self._read(bus, _CALIBRATION) != self._told.calibration:
                self._set_up(bus)
            return self._reading(bus)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Close the bus. May be called twice."""
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.close()

    def _set_up(self, bus: Bus) -> None:
        for register, value in (
            (_CONFIGURATION, self._told.configuration),
            (_CALIBRATION, self._told.calibration),
        ):
            self._write(bus, register, value)
            found = self._read(bus, register)
            if found != value:
                raise OSError(f"not like an INA219: want {value:#06x} in {register}, found {found:#06x}")
        self._read(bus, _POWER)
        if not any(self._read(bus, _BUS_VOLTAGE) & _READY for _try in range(_READY_TRIES)):
            raise OSError("not like an INA219: its first conversion never ends")

    def _reading(self, bus: Bus) -> Reading:
        supply = self._read(bus, _BUS_VOLTAGE)
        counts = self._read(bus, _CURRENT)
        counts -= (counts & 0x8000) << 1
        return Reading(
            current_ma=round(abs(counts) * self._told.count_ua / 1_000),
            supply_mv=(supply >> 3) * _BUS_MV,
            overflow=bool(supply & _OVERFLOW) or abs(counts) >= self._told.end_counts,
        )

    def _read(self, bus: Bus, register: int) -> int:
        return _swapped(bus.read_word_data(self._address, register))

    def _write(self, bus: Bus, register: int, value: int) -> None:
        bus.write_word_data(self._address, register, _swapped(value))


def _swapped(word: int) -> int:
    return (word & 0xFF) << 8 | word >> 8

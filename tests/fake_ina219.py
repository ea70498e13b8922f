"""An INA219 on a bus, register by register and with the arithmetic that its data sheet (SBOS448) gives."""

from collections.abc import Callable

__all__ = ["FakeIna219", "FakeMeterBus"]

CONFIGURATION, SHUNT, BUS, POWER, CURRENT, CALIBRATION = range(6)
RESET, DEFAULT = 0x8000, 0x399F


class FakeIna219:
    """One chip with a shunt of ``shunt_ohm``, through which ``amps()`` flow out of a supply of ``volts()``.

    It converts as often as it is asked; ``set_ups`` counts the configurations that were written.
    """

    def __init__(self, shunt_ohm: float, amps: Callable[[], float], volts: Callable[[], float]) -> None:
        self.shunt_ohm, self.amps, self.volts = shunt_ohm, amps, volts
        self.set_ups = 0
        self.power_on()

    def power_on(self) -> None:
        """All registers at their defaults: 32 V, 320 mV, no calibration."""
        self.configuration, self.calibration = DEFAULT, 0

    @property
    def range_uv(self) -> int:
        """The most that the shunt may drop, in microvolts."""
        return 40_000 << (self.configuration >> 11 & 0b11)

    def read(self, register: int) -> int:
        """Read one register of sixteen bits."""
        shunt = self._shunt_counts()
        current = int(shunt * self.calibration / 4096)
        overflow = not -0x8000 <= current <= 0x7FFF or abs(self._shunt_uv()) > self.range_uv
        most_v = 32 if self.configuration & 0x2000 else 16
        bus = int(min(self.volts(), most_v) / 0.004)
        return {
            CONFIGURATION: self.configuration,
            SHUNT: shunt & 0xFFFF,
            BUS: bus << 3 | 0b10 | overflow,
            POWER: abs(current) * bus // 5000 & 0xFFFF,
            CURRENT: current & 0xFFFF,
            CALIBRATION: self.calibration,
        }[register]

    def write(self, register: int, value: int) -> None:
        """Write one register; the others cannot be written."""
        if register == CONFIGURATION:
            self.set_ups += 1
            if value & RESET:
                self.power_on()
            else:
                self.configuration = value
        elif register == CALIBRATION:
            self.calibration = value & 0xFFFE

    def _shunt_uv(self) -> float:
        return self.amps() * self.shunt_ohm * 1e6

    def _shunt_counts(self) -> int:
        return int(max(-self.range_uv, min(self.range_uv, self._shunt_uv())) / 10)


class FakeMeterBus:
    """An ``smbus2.SMBus`` with the chip on it; SMBus words have their low byte first."""

    def __init__(self, address: int, chip: FakeIna219) -> None:
        self.address, self.chip = address, chip
        self.gone = False
        self.reads = 0
        self.closed = 0

    def read_word_data(self, i2c_addr: int, register: int) -> int:
        """Read one of the chip's registers."""
        self._need(i2c_addr)
        self.reads += 1
        return int.from_bytes(self.chip.read(register).to_bytes(2, "big"), "little")

    def write_word_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write one of the chip's registers."""
        self._need(i2c_addr)
        self.chip.write(register, int.from_bytes(value.to_bytes(2, "little"), "big"))

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """The chip has no registers of one byte."""
        raise AssertionError((i2c_addr, register, value))

    def close(self) -> None:
        """Let go."""
        self.closed += 1

    def _need(self, address: int) -> None:
        if self.gone or address != self.address:
            raise OSError(121, "Remote I/O error")

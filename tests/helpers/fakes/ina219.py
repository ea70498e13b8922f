"""An INA219 on a bus, register by register and with the arithmetic that its data sheet (SBOS448) gives."""

from collections.abc import Callable

__all__ = ["FakeIna219", "FakeMeterBus"]

CONFIGURATION, SHUNT, BUS, POWER, CURRENT, CALIBRATION = range(6)
RESET, DEFAULT = 0x8000, 0x399F


class FakeIna219:
    """One chip with a shunt of ``shunt_ohm``, through which ``amps()`` flow out of a supply of ``volts()``.

    A conversion lasts until its voltage was asked for ``conversion_reads`` times; before the first one is done,
    its data registers are empty. ``set_ups`` counts the configurations that were written; ``stuck`` bits of
    what is written to the configuration stay set.
    """

    def __init__(
        self,
        shunt_ohm: float,
        amps: Callable[[], float],
        volts: Callable[[], float],
        *,
        conversion_reads: int = 4,
    ) -> None:
        self.shunt_ohm, self.amps, self.volts = shunt_ohm, amps, volts
        self.conversion_reads = conversion_reads
        self.set_ups = 0
        self.stuck = 0
        self.power_on()

    def power_on(self) -> None:
        """All registers at their defaults: 32 V, 320 mV, no calibration."""
        self.configuration, self.calibration = DEFAULT, 0
        self._empty, self._reads_left = True, self.conversion_reads

    @property
    def range_uv(self) -> int:
        """The most that the shunt may drop, in microvolts."""
        return 40_000 << (self.configuration >> 11 & 0b11)

    def read(self, register: int) -> int:
        """Read one register of sixteen bits."""
        shunt = self._shunt_counts()
        current = int(shunt * self.calibration / 4096)
        overflow = not -0x8000 <= current <= 0x7FFF
        most_v = 32 if self.configuration & 0x2000 else 16
        bus = int(min(self.volts(), most_v) / 0.004)
        self._go_on(register)
        data = {
            SHUNT: shunt & 0xFFFF,
            BUS: bus << 3 | (self._reads_left == 0) << 1 | overflow,
            POWER: abs(current) * bus // 5000 & 0xFFFF,
            CURRENT: current & 0xFFFF,
        }
        if register in data:
            return 0 if self._empty else data[register]
        return {CONFIGURATION: self.configuration, CALIBRATION: self.calibration}[register]

    def write(self, register: int, value: int) -> None:
        """Write one register; the others cannot be written."""
        if register == CONFIGURATION:
            self.set_ups += 1
            if value & RESET:
                self.power_on()
            else:
                self.configuration = value | self.stuck
                self._reads_left = self.conversion_reads
        elif register == CALIBRATION:
            self.calibration = value & 0xFFFE

    def _go_on(self, register: int) -> None:
        """Let a conversion go on while its voltage is asked for; reading the power makes the next one new."""
        if register == POWER:
            self._reads_left = self.conversion_reads
        elif register == BUS and self._reads_left:
            self._reads_left -= 1
            self._empty = self._empty and self._reads_left > 0

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

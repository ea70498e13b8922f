"""MCP23017 expanders on a bus, register by register as the data sheet has them (BANK = 0)."""

from collections.abc import Callable, Iterable

__all__ = ["FakeBus"]

IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, INTF, INTCAP, GPIO, OLAT = range(0, 22, 2)
MIRROR, OPEN_DRAIN = 0x40, 0x04


class FakeChip:
    """One chip: pins driven from outside, interrupts on change, captured until read."""

    def __init__(self) -> None:
        self.pins = 0xFFFF
        self.written: list[tuple[int, int]] = []
        self.power_on()

    def power_on(self) -> None:
        """All registers at their defaults."""
        self.registers = bytearray(22)
        self.registers[IODIR] = self.registers[IODIR + 1] = 0xFF
        self.before = self.pins

    def drive(self, bit: int, high: bool) -> None:
        """Let a pin change from outside."""
        self.pins = self.pins | 1 << bit if high else self.pins & ~(1 << bit)
        for port in (0, 1):
            self._notice(port)

    def read(self, register: int) -> int:
        """Read one register; reading GPIO or INTCAP clears the port's interrupt."""
        port = register & 1
        value = self.registers[register]
        if register & ~1 == GPIO:
            value = self._port(self.pins, port) ^ self.registers[IPOL + port]
        if register & ~1 in {GPIO, INTCAP}:
            self.registers[INTF + port] = 0
            self.before = (
                self.before & (0xFF00 if port == 0 else 0x00FF) | self._port(self.pins, port) << 8 * port
            )
        return value

    def write(self, register: int, value: int) -> None:
        """Write one register; both IOCON are the same one."""
        self.written.append((register, value))
        if register & ~1 == IOCON:
            self.registers[IOCON] = self.registers[IOCON + 1] = value
        elif register & ~1 not in {INTF, INTCAP}:
            self.registers[register] = value
        self.before = self.pins

    @property
    def pulls_low(self) -> bool:
        """Whether its INT pins pull the joined line."""
        return bool(self.registers[IOCON] & OPEN_DRAIN and (self.registers[INTF] or self.registers[INTF + 1]))

    def _notice(self, port: int) -> None:
        now = self._port(self.pins, port)
        changed = (now ^ self._port(self.before, port)) & self.registers[GPINTEN + port]
        if changed and not self.registers[INTF + port]:
            self.registers[INTF + port] = changed
            self.registers[INTCAP + port] = now
        # Without a pending interrupt each change is compared with the last value; with one, it is kept back.
        if not self.registers[INTF + port]:
            self.before = self.before & (0xFF00 if port == 0 else 0x00FF) | now << 8 * port

    @staticmethod
    def _port(word: int, port: int) -> int:
        return word >> 8 * port & 0xFF


class FakeBus:
    """An ``smbus2.SMBus`` with chips on it; ``set_int`` moves the joined INT line."""

    def __init__(self, places: Iterable[tuple[int, int]], set_int: Callable[[bool], None]) -> None:
        self.chips = {address: FakeChip() for address, _bit in places}
        self.set_int = set_int
        self.gone: set[int] = set()
        """Chips that do not answer."""
        self.reads: list[tuple[int, int]] = []
        self.between: list[Callable[[], None]] = []
        """What happens in the outside world after each of the next reads."""
        self.closed = False
        self._low = False

    def drive(self, address: int, bit: int, high: bool) -> None:
        """Let a pin change from outside."""
        self.chips[address].drive(bit, high)
        self._settle()

    def read_word_data(self, i2c_addr: int, register: int) -> int:
        """Read two neighbouring registers, the first as the low byte."""
        chip = self._chip(i2c_addr)
        self.reads.append((i2c_addr, register))
        value = chip.read(register) | chip.read(register + 1) << 8
        if self.between:
            self.between.pop(0)()
        self._settle()
        return value

    def write_word_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write two neighbouring registers."""
        chip = self._chip(i2c_addr)
        chip.write(register, value & 0xFF)
        chip.write(register + 1, value >> 8)
        self._settle()

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write one register."""
        self._chip(i2c_addr).write(register, value)
        self._settle()

    def close(self) -> None:
        """Let go."""
        self.closed = True

    def _chip(self, address: int) -> FakeChip:
        if address in self.gone or address not in self.chips:
            raise OSError(121, "Remote I/O error")
        return self.chips[address]

    def _settle(self) -> None:
        low = any(chip.pulls_low for address, chip in self.chips.items() if address not in self.gone)
        if low != self._low:
            self._low = low
            self.set_int(low)

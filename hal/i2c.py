"""An I2C bus of the Pi. Only this module uses smbus2, imported late; only bytes and words are used."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.header import header_bus

__all__ = ["Bus", "LateBus", "open_bus"]


class Bus(Protocol):
    """The part of ``smbus2.SMBus`` that we use. Every method may raise ``OSError``."""

    def read_word_data(self, i2c_addr: int, register: int) -> int:
        """Read a register and the one after it; the first is the low byte."""
        ...

    def write_word_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write a register and the one after it."""
        ...

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write one register."""
        ...

    def close(self) -> None:
        """Close the bus."""
        ...


def open_bus(wanted: int, root: Path = Path("/")) -> Bus:
    """Open the I2C bus that Raspberry Pis call ``wanted``, whichever number the kernel gave it.

    Raises:
        BackendUnavailable: smbus2 is missing, there is no such bus, or we lack permission.
    """
    try:
        smbus2 = importlib.import_module("smbus2")
    except ImportError as error:
        raise BackendUnavailable(
            f"the library for I2C is missing ({error}): install hextraction[pi]"
        ) from error
    number = header_bus(wanted, root)
    try:
        bus: Bus = smbus2.SMBus(number)
    except OSError as error:
        raise BackendUnavailable(
            f"/dev/i2c-{number} cannot be opened ({error.strerror or error}): enable I2C with raspi-config, "
            "and add the user to the group i2c"
        ) from error
    return bus


class LateBus:
    """A bus that is opened on first use, and retried on each further use until it opens.

    Without the bus the board still opens; only the devices on the bus are missing.
    """

    def __init__(self, open_bus: Callable[[], Bus]) -> None:
        self._open_bus = open_bus
        self._bus: Bus | None = None
        self._closed = False

    def read_word_data(self, i2c_addr: int, register: int) -> int:
        """Read a word. A bus that cannot be opened raises ``OSError``, like a chip that does not answer."""
        return self._opened().read_word_data(i2c_addr, register)

    def write_word_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write two registers."""
        self._opened().write_word_data(i2c_addr, register, value)

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write one register."""
        self._opened().write_byte_data(i2c_addr, register, value)

    def close(self) -> None:
        """Close the bus for good. May be called twice."""
        self._closed = True
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.close()

    def _opened(self) -> Bus:
        if self._closed:
            raise OSError("the bus is closed")
        if self._bus is None:
            try:
                self._bus = self._open_bus()
            except BackendUnavailable as error:
                raise OSError(str(error)) from error
        return self._bus

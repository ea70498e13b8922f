"""An I2C bus of the Pi. smbus2 is named here alone and imported late; only bytes and words are used."""

import importlib
from typing import Protocol

from hextraction.hal.errors import BackendUnavailable

__all__ = ["Bus", "open_bus"]


class Bus(Protocol):
    """What is used of an ``smbus2.SMBus``. Every method may raise ``OSError``."""

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
        """Let go of the bus."""
        ...


def open_bus(number: int) -> Bus:
    """Open an I2C bus.

    Raises:
        BackendUnavailable: smbus2 is missing, or there is no such bus, or it may not be used.
    """
    try:
        smbus2 = importlib.import_module("smbus2")
    except ImportError as error:
        raise BackendUnavailable(
            f"the library for I2C is missing ({error}): install hextraction[pi]"
        ) from error
    try:
        bus: Bus = smbus2.SMBus(number)
    except OSError as error:
        raise BackendUnavailable(
            f"/dev/i2c-{number} cannot be opened ({error.strerror or error}): enable I2C with raspi-config, "
            "and add the user to the group i2c"
        ) from error
    return bus

"""What is wired to the 40-pin header, found by what it is: kernels number chips and buses as they like.

The header of a Raspberry Pi 5 was gpiochip4 first, then gpiochip0, and is one of gpiochip11 to 15 with newer
kernels; the other numbers are chips of the board's own, which nobody may drive. What a chip or a bus is
stands in the device tree, which the kernel shows beside it in ``/sys``; else the chip's own label says it.
"""

import fcntl
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hextraction.hal.errors import BackendUnavailable

__all__ = [
    "Chip",
    "find_chips",
    "header_bus",
    "header_chip",
    "header_serial",
    "header_spi",
    "is_own_serial",
]

_DRIVERS: Final = frozenset({"bcm2835-gpio", "bcm2711-gpio", "rp1-gpio"})
"""What a header's chip is compatible with, after its maker's name: Pi Zero to 3, Pi 4, Pi 5."""
_LABELS: Final = frozenset({"pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"})
_CHIP_INFO: Final = 0x8044_B401
"""The kernel's GPIO_GET_CHIPINFO_IOCTL: name, label, number of lines."""
_CHIP_ANSWER: Final = struct.Struct("=32s32sI")
_OWN_SERIAL: Final = re.compile(r"serial\d+|ttyAMA\d+|ttyS\d+")
"""What a kernel calls them, and Raspberry Pi OS the links to them."""
_TREES: Final = ("sys/firmware/devicetree/base", "proc/device-tree")


@dataclass(frozen=True, slots=True, order=True)
class Chip:
    """A chip with pins: the kernel's number of it, and what it is (empty if nothing tells)."""

    number: int
    what: str
    is_header: bool

    @property
    def path(self) -> str:
        """Its device."""
        return f"/dev/gpiochip{self.number}"

    def __str__(self) -> str:
        return f"{self.path} ({self.what or 'unknown'})"


def header_chip(root: Path = Path("/")) -> Chip | None:
    """Return the chip of the header; None if the machine below ``root`` shows no chip at all.

    Raises:
        BackendUnavailable: it shows others only; they are named, and left alone.
    """
    chips = find_chips(root)
    found = next((chip for chip in chips if chip.is_header), None)
    if chips and found is None:
        raise BackendUnavailable(
            f"want the GPIO chip of a Raspberry Pi's header ({', '.join(sorted(_DRIVERS))}), "
            f"found: {', '.join(map(str, chips))}"
        )
    return found


def find_chips(root: Path = Path("/")) -> tuple[Chip, ...]:
    """Return all chips with pins of the machine below ``root``, by number."""
    known = {
        number: _names(path / "of_node" / "compatible")
        for number, path in _numbered(root / "sys/bus/gpio/devices", "gpiochip")
    }
    # A link in /dev is an older number, kept for programs that insist on it.
    devices = {number: path for number, path in _numbered(root / "dev", "gpiochip") if not path.is_symlink()}
    return tuple(
        _chip(number, known.get(number, ()), devices.get(number)) for number in sorted({*known, *devices})
    )


def header_bus(number: int, root: Path = Path("/")) -> int:
    """Return the kernel's number of the I2C bus that Raspberry Pis call ``number``; 1 is on GPIO2 and GPIO3.

    Where the device tree does not tell, that number itself.
    """
    by_name = ("__symbols__/i2c_arm",) if number == 1 else ()
    return _bus(root, "sys/bus/i2c/devices", "i2c-", (f"aliases/i2c{number}", *by_name), number)


def header_spi(root: Path = Path("/")) -> str:
    """Return the device of the header's first SPI bus and chip select: GPIO7 to GPIO11."""
    number = _bus(root, "sys/class/spi_master", "spi", ("aliases/spi0", "__symbols__/spi0"), 0)
    return f"/dev/spidev{number}.0"


def header_serial(root: Path = Path("/")) -> str | None:
    """Return the device of the serial port on GPIO14 and GPIO15; None if it is switched off.

    Up to the Pi 4 it is the one that the device tree calls ``serial0``, whichever of the two that is; on a Pi
    5 ``serial0`` is the plug between the HDMI sockets, and the header's belongs to the chip of the pins.
    """
    ports = {_node_of(path / "device"): path.name for path in (root / "sys/class/tty").glob("tty*")}
    for tree in (root / each for each in _TREES):
        for entry in ("__symbols__/rp1_uart0", "aliases/serial0"):
            for name in _names(tree / entry):
                found = ports.get((tree / name.lstrip("/")).resolve())
                return f"/dev/{found}" if found else None
    return None


def is_own_serial(device: str, root: Path = Path("/")) -> bool:
    """Whether a device, or what it links to, is a serial port of the computer's own, and not one on USB."""
    return bool(_OWN_SERIAL.fullmatch((root / device.lstrip("/")).resolve().name))


def _node_of(device: Path) -> Path | None:
    """Return a device's node in the device tree: newer kernels show it at what the device belongs to."""
    place = device.resolve()
    nodes = (each / "of_node" for each in (place, *place.parents))
    return next((node.resolve() for node in nodes if node.exists()), None)


def _chip(number: int, compatible: tuple[str, ...], device: Path | None) -> Chip:
    for name in compatible:
        if name.rpartition(",")[2] in _DRIVERS:
            return Chip(number, name, is_header=True)
    label = "" if device is None else _label(device)
    if label in _LABELS:
        return Chip(number, label, is_header=True)
    return Chip(number, next(iter(compatible), label), is_header=False)


def _label(device: Path) -> str:
    """Ask a chip for its label; empty if it is no chip."""
    try:
        with device.open("rb", buffering=0) as chip:
            answer = fcntl.ioctl(chip, _CHIP_INFO, bytes(_CHIP_ANSWER.size))
    except PermissionError:
        return "may not be asked: is this user in the group gpio?"
    except OSError:
        return ""
    return bytes(_CHIP_ANSWER.unpack(answer)[1]).partition(b"\0")[0].decode("ascii", "replace")


def _bus(root: Path, controllers: str, prefix: str, entries: tuple[str, ...], number: int) -> int:
    """Return the number of the bus whose controller the device tree names in one of these entries."""
    there = {(path / "of_node").resolve(): found for found, path in _numbered(root / controllers, prefix)}
    for tree in (root / each for each in _TREES):
        for name in (name for entry in entries for name in _names(tree / entry)):
            node = (tree / name.lstrip("/")).resolve()
            if node in there:
                return there[node]
    return number


def _numbered(folder: Path, prefix: str) -> Iterator[tuple[int, Path]]:
    for path in sorted(folder.glob(f"{prefix}*")):
        if (number := path.name.removeprefix(prefix)).isdecimal():
            yield int(number), path


def _names(path: Path) -> tuple[str, ...]:
    """Return the texts of a device tree's property, which a null ends each; none if it is not there."""
    try:
        return tuple(filter(None, path.read_text(encoding="utf-8", errors="replace").split("\0")))
    except OSError:
        return ()

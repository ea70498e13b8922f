"""Finds the sensor hub among the serial ports and opens it.

Rules of this room:

1. Only this module uses pyserial, and it imports it late.
2. Any problem with a port is an ``OSError``; pyserial's own error is one.
3. DTR is set when the port is opened (the hub only talks then), and falls when it is closed.
4. A write succeeds once the kernel has taken the data, however late this process is scheduled. pyserial's own
   write timeout is not used: it fails a completed write if the process was stalled meanwhile.
"""

import errno
import importlib
import select
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

from hextraction.hal.errors import HalError

__all__ = [
    "HubNotFound",
    "HubPort",
    "OpenPort",
    "PortBusy",
    "find_hubs",
    "find_port",
    "is_counted",
    "open_serial",
]

_VENDOR, _PRODUCT = 0x2E8A, 0x000A
_BY_ID: Final = Path("/dev/serial/by-id")
_COUNTED: Final = ("/dev/ttyACM", "/dev/ttyUSB")
_READ_S: Final = 0.02
_WRITE_S: Final = 0.2
_GONE: Final = "it was unplugged, or has restarted"


class HubNotFound(HalError, OSError):  # noqa: N818 - the fact is the name
    """There is no hub, or more than one; the message says what to do."""


class PortBusy(HalError, OSError):  # noqa: N818 - the fact is the name
    """Another program has the port open, most likely the service."""


class HubPort(Protocol):
    """An open port. Every method may raise ``OSError`` when the hub is gone."""

    def read(self) -> bytes:
        """Return the received bytes; empty if nothing comes for a while."""
        ...

    def write(self, data: bytes) -> None:
        """Send all of it."""
        ...

    def close(self) -> None:
        """Close the port. May be called twice."""
        ...


OpenPort = Callable[[], HubPort]


def _hubs() -> list[Any]:
    """Return what the machine knows of the hubs that are plugged in."""
    list_ports = importlib.import_module("serial.tools.list_ports")
    found = [port for port in list_ports.comports() if (port.vid, port.pid) == (_VENDOR, _PRODUCT)]
    return [port for port in found if port.product == "Sensor Hub"] or found


def find_hubs() -> tuple[str, ...]:
    """Return the ports of all hubs that are plugged in, by their stable names where they exist."""
    return tuple(sorted(_lasting(Path(port.device)) for port in _hubs()))


def is_counted(path: str) -> bool:
    """Whether a port is named by a number that Linux gives in the order of plugging in."""
    return path.startswith(_COUNTED)


def _named(serial: str) -> str:
    """Return the port of the hub with a serial number."""
    hubs = {str(port.serial_number or "").upper(): _lasting(Path(port.device)) for port in _hubs()}
    if serial.upper() not in hubs:
        there = ", ".join(sorted(name for name in hubs if name)) or "none"
        raise HubNotFound(f"want the hub with the serial number {serial.upper()}, found: {there}")
    return hubs[serial.upper()]


def find_port(wanted: str = "auto") -> str:
    """Return the port for a wiring's ``port`` setting.

    A numbered one (``/dev/ttyACM0``) means the only hub that is plugged in, whichever number it has today.

    Raises:
        HubNotFound: it says ``auto``, and there is no hub or more than one; or no hub has that serial number.
    """
    if wanted.startswith("/") and not is_counted(wanted):
        return wanted
    if not wanted.startswith("/") and wanted != "auto":
        return _named(wanted)
    hubs = find_hubs()
    if wanted != "auto":
        return hubs[0] if len(hubs) == 1 else wanted
    if not hubs:
        raise HubNotFound(
            "no sensor hub found: want a Pico with the hub's firmware on USB (2e8a:000a); is the cable one "
            "for data? A new Pico needs its firmware first: hextraction hub flash"
        )
    if len(hubs) > 1:
        name = "name one as hub.port in the wiring, or with hextraction hub … --port"
        raise HubNotFound(f"want one sensor hub, found {len(hubs)}: {name}: {', '.join(hubs)}")
    return hubs[0]


def open_serial(wanted: str) -> HubPort:
    """Open a port exclusively; ``auto`` looks for the one hub.

    Raises:
        OSError: it does not exist, is in use, or we lack permission; the message says which.
    """
    path = find_port(wanted)
    serial = importlib.import_module("serial")
    try:
        return _SerialPort(serial.Serial(path, exclusive=True, timeout=_READ_S, write_timeout=0))
    except (OSError, termios.error) as error:
        raise _plainly(path, error) from error


def _plainly(path: str, error: Exception) -> OSError:
    """Return an error that says plainly what is wrong with a port and, if known, what to do."""
    text, number = str(error), getattr(error, "errno", None)
    if "exclusively lock" in text or number == errno.EBUSY:
        return PortBusy(f"{path}: another program is using it (is the service running?)")
    if number in {errno.EACCES, errno.EPERM}:
        text = "no permission: add the user to the group dialout, or install the udev rule"
    elif number in {errno.ENOENT, errno.ENXIO, errno.ENODEV}:
        text = "there is no such device"
    elif number == errno.EISDIR or "configure port" in text:
        text = "this is no serial port"
    return OSError(f"{path}: {text}")


def _lasting(device: Path) -> str:
    """Return the name below ``by-id`` that links to a device, or the device's own."""
    links = sorted(_BY_ID.iterdir()) if _BY_ID.is_dir() else []
    return str(next((link for link in links if link.resolve() == device.resolve()), device))


class _SerialPort:
    """pyserial's port as a :class:`HubPort`."""

    def __init__(self, port: Any) -> None:
        self._port = port

    def read(self) -> bytes:
        """Wait for the first byte, then return everything available."""
        try:
            first = self._port.read(1)
            return bytes(first + self._port.read(self._port.in_waiting)) if first else b""
        except OSError as error:
            raise OSError(_GONE) from error

    def write(self, data: bytes) -> None:
        """Send all of it, or fail if the hub accepts nothing for 0.2 s."""
        while data:
            try:
                takes = select.select([], [self._port.fileno()], [], _WRITE_S)[1]
                sent = self._port.write(data) if takes else 0
            except (OSError, ValueError) as error:
                raise OSError(_GONE) from error
            if not sent:
                raise OSError("it accepts no more data")
            data = data[sent:]

    def close(self) -> None:
        """Close the port; DTR falls."""
        self._port.close()

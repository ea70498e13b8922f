"""An open build: all its devices, closed in a safe order, coils first."""

import contextlib
import logging
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import Final, Protocol, Self

from hextraction.hal.hub.backend import SensorHub
from hextraction.hal.lost import LostDevices
from hextraction.hal.ports import Clock, Inputs, Pixels, Power, Solenoids

__all__ = ["Closable", "Devices", "Threaded", "close_quietly"]

_log = logging.getLogger(__name__)


class Closable(Protocol):
    """Anything that can be closed."""

    def close(self) -> None:
        """Close it."""
        ...


class Threaded(Protocol):
    """Anything with a thread of its own."""

    @property
    def late_us(self) -> int:
        """For how long the thread has been busy with one thing."""
        ...


HUNG_US: Final = 3_000_000
"""No turn of a device's thread takes that long, however slow its bus, its port or the machine."""


class Devices:
    """An open build. Use it as a context manager, or call :meth:`close`.

    Attributes:
        lamps: the pixels of each lamp, by name.
        lamps_ma: the most that all of them together may draw, if the wiring has any.
        lost: the devices that stopped answering.
        hubs: the sensor hubs, in the wiring's order.

    ``threads`` are those of the devices, by what they do, so that a hung one is noticed.
    ``closing`` runs the closing steps; without it the ports are closed, coils first.
    """

    def __init__(
        self,
        *,
        inputs: Inputs,
        pixels: Pixels,
        solenoids: Solenoids,
        power: Power,
        clock: Clock,
        lamps: Mapping[str, range],
        lamps_ma: int | None = None,
        lost: LostDevices | None = None,
        closing: contextlib.ExitStack | None = None,
        hubs: Sequence[SensorHub] = (),
        threads: Mapping[str, Threaded] | None = None,
    ) -> None:
        self._threads = dict(threads or {})
        self.hubs = tuple(hubs)
        self.inputs = inputs
        self.pixels = pixels
        self.solenoids = solenoids
        self.power = power
        self.clock = clock
        self.lamps = MappingProxyType(dict(lamps))
        self.lamps_ma = lamps_ma
        self.lost = lost or LostDevices()
        self._closing = closing or _closing_order(power, pixels, inputs, solenoids)

    def resync(self) -> None:
        """Read all sensors again where the backend can; a missed change is then reported as an edge."""
        resync = getattr(self.inputs, "resync", None)
        if resync is not None:
            resync()

    @property
    def misdated(self) -> Mapping[str, int]:
        """Sensors of devices whose clocks cannot be true, with how many us they are ahead."""
        found: Mapping[str, int] = getattr(self.inputs, "misdated", {})
        return found

    def disturbs(self, halls: Mapping[str, Collection[str]]) -> None:
        """Say which linear Halls a sensor's part shifts, whichever hubs they are on."""
        for hub in self.hubs:
            hub.disturbs(halls)

    @property
    def hung(self) -> tuple[str, ...]:
        """What has not come back for three seconds: nothing is heard from it, and nothing done by it."""
        return tuple(name for name, thread in self._threads.items() if thread.late_us > HUNG_US)

    def close(self) -> None:
        """Switch coils off, disarm the supply, darken the lamps, free the pins; failures are logged."""
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _closing_order(*devices: Closable) -> contextlib.ExitStack:
    """Return a stack that closes the devices, last one first."""
    stack = contextlib.ExitStack()
    for device in devices:
        stack.callback(close_quietly, device)
    return stack


def close_quietly(device: Closable) -> None:
    """Close a device; log a failure, so that the others are closed as well."""
    try:
        device.close()
    except Exception:  # noqa: BLE001 - logged whole, so that the others are closed
        _log.exception("%s did not close cleanly", type(device).__name__)

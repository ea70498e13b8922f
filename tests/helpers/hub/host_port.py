"""The firmware's logic, compiled for this machine, behind a serial port that exists only in a manual clock."""

import ctypes
from collections.abc import Callable

from helpers.hub.host import HostHub
from hextraction.hal.ports import Clock

__all__ = ["HostPort"]

SCAN_US = 500


class HostPort:
    """A hub on a line that can be cut, corrupted and plugged in again. Time is the clock's.

    ``open`` is what the hub's backend opens; each opening is a new session. ``spoil`` may change what the hub
    says on its way.
    """

    def __init__(self, library: ctypes.CDLL, clock: Clock) -> None:
        self._library, self._clock = library, clock
        self.spoil: Callable[[bytes], bytes] = lambda data: data
        self.is_plugged = True
        self.is_deaf = False
        """While true, what is sent waits on the way."""
        self.gates: list[tuple[int, int]] = []
        """Every change of the gates: when, and all eight of them."""
        self._start()

    def open(self) -> "HostPort":
        """Open the port: DTR rises."""
        if not self.is_plugged:
            raise OSError("no such device")
        self._waiting.clear()
        self.hub.take()
        return self

    def read(self) -> bytes:
        """Let the hub catch up with the clock; return what it has said."""
        self._need()
        self.catch_up()
        return self.spoil(self.hub.take())

    def write(self, data: bytes) -> None:
        """Send; the hub reads it with its next scans."""
        self._need()
        self._waiting += data

    def close(self) -> None:
        """Close the port; what was sent before still arrives."""
        while self._waiting and self.is_plugged and not self.is_deaf:
            self._scan()
        self._scan()
        self.hub.take()

    def catch_up(self) -> None:
        """Let scans pass up to the clock's time; what was sent is read between them."""
        while self.is_plugged and self._clock.now_us() - self._began_us >= self._scanned_us + SCAN_US:
            self._scan()

    def unplug(self) -> None:
        """Pull the cable: the hub has no power, its coils have none either."""
        self.catch_up()
        self.is_plugged = False
        self._note(0, self._clock.now_us())

    def plug(self) -> None:
        """Put the cable in again: the hub starts anew."""
        self._start()
        self.is_plugged = True

    def set_input(self, number: int, high: bool) -> None:
        """Set an input's electrical level."""
        self.catch_up()
        self.hub.set_input(number, high)

    def is_on(self, coil: int) -> bool:
        """Whether a gate is on now."""
        self.catch_up()
        return bool(self.gates and self.gates[-1][1] >> coil & 1)

    def _scan(self) -> None:
        if self.is_plugged:
            self._feed()
            self._scanned_us += SCAN_US
            self._note(self.hub.scan_late(SCAN_US), self._began_us + self._scanned_us)

    def _note(self, gates: int, at_us: int) -> None:
        if gates != (self.gates[-1][1] if self.gates else 0):
            self.gates.append((at_us, gates))

    def _start(self) -> None:
        self.hub = HostHub(self._library)
        self._began_us, self._scanned_us = self._clock.now_us(), 0
        self._waiting = bytearray()
        self.hub.take()

    def _need(self) -> None:
        if not self.is_plugged:
            raise OSError("the cable is out")

    def _feed(self) -> None:
        if self._waiting and not self.is_deaf:
            del self._waiting[: self.hub.feed(bytes(self._waiting))]

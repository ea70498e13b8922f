"""Keeps track of devices that stop answering, and of those that come back."""

import logging
import threading
from collections import deque
from typing import Final

from hextraction.hal.errors import DeviceLost
from hextraction.hal.intake import OnFound, OnLost

__all__ = ["LostDevices"]

_log = logging.getLogger(__name__)

_REMEMBERED: Final = 1_000


class LostDevices:
    """Records lost devices and notifies one listener of each loss and return; thread-safe."""

    def __init__(self) -> None:
        self._all: deque[DeviceLost] = deque(maxlen=_REMEMBERED)
        self._now: dict[str, DeviceLost] = {}
        self._reason = ""
        self._on_lost: OnLost | None = None
        self._on_found: OnFound | None = None
        self._lock = threading.Lock()

    @property
    def all(self) -> tuple[DeviceLost, ...]:
        """The last thousand losses, oldest first, including devices that have come back."""
        return tuple(self._all)

    @property
    def now(self) -> tuple[DeviceLost, ...]:
        """The devices that are lost now."""
        with self._lock:
            return tuple(self._now.values())

    def report(self, lost: DeviceLost) -> None:
        """Record a loss. A reason that many devices share is logged as a warning only once."""
        what = "muted" if lost.muted else "lost"
        _log.log(logging.INFO if lost.reason == self._reason else logging.WARNING, "%s %s", what, lost)
        with self._lock:
            self._reason = lost.reason
            self._all.append(lost)
            self._now[lost.device] = lost
        if self._on_lost is not None:
            self._on_lost(lost)

    def found(self, device: str) -> None:
        """Record that a device is back."""
        with self._lock:
            was_lost = self._now.pop(device, None) is not None
            self._reason = ""
        if was_lost:
            _log.info("%s answers again", device)
            if self._on_found is not None:
                self._on_found(device)

    def listen(self, on_lost: OnLost, on_found: OnFound | None = None) -> None:
        """Call these for each loss and return from now on, from any thread; they must not block."""
        self._on_lost, self._on_found = on_lost, on_found

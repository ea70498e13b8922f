"""The clock of a real table: the machine's own, carried over restarts by the journal."""

import time

from hextraction.hal.clock import MonotonicClock

__all__ = ["TableClock"]


class TableClock:
    """The real clock, never behind the journal: after another boot it goes on from the last entry."""

    def __init__(self) -> None:
        self._clock = MonotonicClock()
        self._offset_us = 0
        self.boot = self._clock.boot_id or f"started-{time.time_ns()}"

    def now_us(self) -> int:
        """Return monotonic microseconds that go on where the journal ends."""
        return self._clock.now_us() + self._offset_us

    def stay_ahead_of(self, at_us: int) -> None:
        """From now on return times after ``at_us``, the journal's last."""
        self._offset_us = max(0, at_us + 1 - self._clock.now_us())

    def of_device(self, at_us: int) -> int:
        """Return a device's time on this clock."""
        return at_us + self._offset_us

"""The real clock: microseconds since boot, and which boot that was."""

import time
from pathlib import Path

__all__ = ["MonotonicClock"]

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class MonotonicClock:
    """The kernel's monotonic clock.

    It keeps running when a process dies and restarts, so times from before a crash stay comparable as long as
    :attr:`boot_id` is the same; the kernel stamps GPIO edges with the same clock.
    """

    def __init__(self) -> None:
        self.boot_id = _read_boot_id()

    def now_us(self) -> int:
        """Return microseconds since boot."""
        return time.monotonic_ns() // 1_000


def _read_boot_id() -> str:
    """Return the kernel's id of this boot; empty where there is none (not Linux)."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""

"""Not too often: the newest value now or after a pause, and never lose the last one."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["Pace"]

T = TypeVar("T")


class Pace(Generic[T]):
    """Hands values on, at most one in ``every_s``; of those that come meanwhile only the newest."""

    def __init__(self, every_s: float, send: Callable[[T], None]) -> None:
        self._every_s = every_s
        self._send = send
        self._free_s = 0.0
        self._newest: T | None = None
        self._timer: asyncio.TimerHandle | None = None

    def offer(self, value: T) -> None:
        """Send this now, or as soon as the pause is over if nothing newer comes."""
        self._newest = value
        if self._timer is not None:
            return
        loop = asyncio.get_running_loop()
        if loop.time() >= self._free_s:
            self._go()
        else:
            self._timer = loop.call_at(self._free_s, self._go)

    def flush(self) -> None:
        """Send what waits, now."""
        if self._timer is not None:
            self._timer.cancel()
            self._go()

    def _go(self) -> None:
        value, self._newest, self._timer = self._newest, None, None
        self._free_s = asyncio.get_running_loop().time() + self._every_s
        if value is not None:
            self._send(value)

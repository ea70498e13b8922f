"""Schedulers that call back at a given time: a thread in real use, the manual clock in tests.

Everything in this room that must happen later (a filter that settles, a coil that must go off, the next frame
of lamps) uses a :class:`Scheduler`. None of it depends on the event loop of the program above.
"""

import heapq
import logging
import threading
from collections.abc import Callable
from typing import Protocol

from hextraction.hal.ports import Clock

__all__ = ["Scheduler", "ThreadScheduler"]

_log = logging.getLogger(__name__)

_JOIN_S = 1.0


class Scheduler(Protocol):
    """Anything that can call back at a given time of the clock."""

    def call_at(self, at_us: int, callback: Callable[[], None]) -> None:
        """Call ``callback`` once, as soon as possible after ``at_us``; equal times keep their order."""
        ...

    def close(self) -> None:
        """Drop all pending callbacks. May be called twice."""
        ...


class ThreadScheduler:
    """One daemon thread that sleeps until the next callback is due.

    A callback that raises is logged and does not stop the others.
    """

    def __init__(self, clock: Clock, name: str) -> None:
        self._clock = clock
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._asked = 0
        self._closed = False
        self._began_us: int | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def call_at(self, at_us: int, callback: Callable[[], None]) -> None:
        """Call ``callback`` on the thread as soon as possible after ``at_us``."""
        with self._changed:
            heapq.heappush(self._due, (at_us, self._asked, callback))
            self._asked += 1
            self._changed.notify()

    @property
    def late_us(self) -> int:
        """For how long the callback that runs now has been running; 0 between callbacks."""
        began_us = self._began_us
        return 0 if began_us is None else self._clock.now_us() - began_us

    def close(self) -> None:
        """End the thread, waiting for a callback that is running."""
        with self._changed:
            self._closed = True
            self._due.clear()
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join(_JOIN_S)

    def _run(self) -> None:
        while (callback := self._next()) is not None:
            self._began_us = self._clock.now_us()
            try:
                callback()
            except Exception:  # noqa: BLE001 - logged whole; the other callbacks still count
                _log.exception("a scheduled call failed in %s", self._thread.name)
            finally:
                self._began_us = None

    def _next(self) -> Callable[[], None] | None:
        """Wait for the next due callback; ``None`` when the scheduler is closed."""
        with self._changed:
            while not self._closed:
                wait_us = self._due[0][0] - self._clock.now_us() if self._due else None
                if wait_us is not None and wait_us <= 0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(None if wait_us is None else wait_us / 1e6)
        return None

"""Changes on their way from the devices' threads to the loop, and never more than a few of each sensor.

A file of its own because two threads meet in it. While the loop is busy, changes wait here; of a sensor that
has too many waiting, two that cancel each other are left out, so that its level is right whatever happens.
The loop is given some at a time: phones and everything else come in between.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

from hextraction.hal.ports import Edge

__all__ = ["Handover"]

_EACH: Final = 16
_TURN_S: Final = 0.02
"""After so long the loop sees to others first: an edge takes a millisecond, and a table has few at once."""


class Handover:
    """Hands edges on in the order in which they came. :meth:`put` is for any thread, the rest for the loop's.

    Args:
        deliver: gets each edge, on the loop's thread.
        posting: makes of a function one that any thread may call: the loop calls the first soon.
    """

    def __init__(
        self,
        deliver: Callable[[Edge], None],
        posting: Callable[[Callable[[], None]], Callable[[], None]],
    ) -> None:
        self.left_out = 0
        """How many edges were left out because too many of their sensor were waiting."""
        self._deliver = deliver
        self._soon = posting(self._turn)
        self._waiting: dict[int, Edge] = {}
        self._of: dict[str, list[int]] = {}
        self._number = 0
        self._called = False
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many edges wait."""
        return len(self._waiting)

    def put(self, edge: Edge) -> None:
        """Queue an edge."""
        with self._lock:
            mine = self._of.setdefault(edge.sensor, [])
            if len(mine) >= _EACH and self._waiting[mine[-1]].active is not edge.active:
                del self._waiting[mine.pop()]
                self.left_out += 2
                return
            if len(mine) >= _EACH:
                self.left_out += 1
                return
            self._waiting[self._number] = edge
            mine.append(self._number)
            self._number += 1
            called, self._called = self._called, True
        if not called:
            self._soon()

    def calm(self, sensor: str) -> None:
        """Leave out what waits of a sensor that has been muted, but for what sets its level right."""
        with self._lock:
            mine = self._of.get(sensor, [])
            kept = mine[-1:] if len(mine) % 2 else []
            for number in mine[: len(mine) - len(kept)]:
                del self._waiting[number]
            self.left_out += len(mine) - len(kept)
            self._of[sensor] = kept

    def _turn(self) -> None:
        """Deliver for a while; what is left comes in the loop's next turn."""
        until_s = time.monotonic() + _TURN_S
        while (edge := self._take()) is not None:
            try:
                self._deliver(edge)
            except BaseException:
                self._soon()  # the one that failed is told by the loop; the others still count
                raise
            if time.monotonic() > until_s:
                self._soon()
                return

    def _take(self) -> Edge | None:
        with self._lock:
            if not self._waiting:
                self._called = False
                return None
            edge = self._waiting.pop(next(iter(self._waiting)))
            self._of[edge.sensor].pop(0)
            return edge

"""Merges edge streams of different latency into one in order of time. Pure.

A pin reports in a millisecond, an expander in three, a slow filter in thirty. Edges wait here until no
source can still report an earlier one, but never longer than the hold-back window; an edge that comes even
later gets the time of the newest edge already delivered, and is marked as late.
"""

import heapq
from dataclasses import dataclass, replace

from hextraction.hal.ports import Edge

__all__ = ["Merge", "Ordered"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """An edge in its place. ``late_us`` is how much was added to its time; 0 if it came in time."""

    edge: Edge
    late_us: int = 0


class Merge:
    """Holds edges back for at most ``hold_back_us`` and returns them in order of time.

    Edges of equal time keep the order in which they came.
    """

    def __init__(self, *, hold_back_us: int) -> None:
        if hold_back_us < 0:
            raise ValueError(f"want a hold-back of 0 us or more, found {hold_back_us}")
        self.hold_back_us = hold_back_us
        self.late = 0
        """How many edges came too late for their place."""
        self._waiting: list[tuple[int, int, Ordered]] = []
        self._fed = 0
        self._released_us: int | None = None

    @property
    def oldest_us(self) -> int | None:
        """The time of the oldest waiting edge; ``None`` if none waits."""
        return self._waiting[0][0] if self._waiting else None

    @property
    def wake_at_us(self) -> int | None:
        """When the oldest edge has waited long enough; ``None`` if none waits."""
        oldest_us = self.oldest_us
        return None if oldest_us is None else oldest_us + self.hold_back_us

    def feed(self, edge: Edge) -> None:
        """Add one edge of any stream."""
        late_us = 0 if self._released_us is None else max(0, self._released_us - edge.at_us)
        if late_us:
            self.late += 1
            edge = replace(edge, at_us=edge.at_us + late_us)
        heapq.heappush(self._waiting, (edge.at_us, self._fed, Ordered(edge=edge, late_us=late_us)))
        self._fed += 1

    def advance(self, now_us: int, *, settled_us: int | None = None) -> tuple[Ordered, ...]:
        """Return the edges whose turn has come, in order.

        ``settled_us`` promises that no source will report anything earlier: edges up to that time need
        not wait for the window.
        """
        until_us = now_us - self.hold_back_us
        return self._release(until_us if settled_us is None else max(until_us, settled_us))

    def drain(self) -> tuple[Ordered, ...]:
        """Return all waiting edges, in order: the streams have ended."""
        return self._release(None)

    def _release(self, until_us: int | None) -> tuple[Ordered, ...]:
        released: list[Ordered] = []
        while self._waiting and (until_us is None or self._waiting[0][0] <= until_us):
            at_us, _fed, ordered = heapq.heappop(self._waiting)
            self._released_us = at_us
            released.append(ordered)
        return tuple(released)

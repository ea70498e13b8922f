"""Combines the sensors of several backends into one stream, in order of time.

Each part debounces its own edges and delivers them at once; they are put in order here and nowhere else, so
that none is held back twice. An edge waits until every part promises that it will report nothing earlier.
"""

import contextlib
import threading
from collections import deque
from collections.abc import Mapping, Sequence

from hextraction.hal.intake import FedInputs, Promise
from hextraction.hal.merge import Merge
from hextraction.hal.ports import Clock, Edge, OnEdge
from hextraction.hal.schedule import Scheduler

__all__ = ["MixedInputs"]


class MixedInputs:
    """All sensors of all ``parts``, in order of parts; the parts do no ordering themselves."""

    def __init__(self, parts: Sequence[FedInputs], *, clock: Clock, scheduler: Scheduler) -> None:
        self._parts = tuple(parts)
        self._clock, self._scheduler = clock, scheduler
        self._apart = frozenset().union(*(part.apart for part in self._parts))
        self._latency_us = max(part.latency_us for part in self._parts)
        self._merge = Merge(hold_back_us=max(part.window_us for part in self._parts))
        self._arrivals: deque[Edge] = deque()
        self._outbox: deque[Edge] = deque()
        self._on_edge: OnEdge | None = None
        self._closed = False
        self._running = threading.RLock()
        for part in self._parts:
            part.listen(self._hear)

    @property
    def names(self) -> tuple[str, ...]:
        """The sensors' names."""
        return tuple(name for part in self._parts for name in part.names)

    @property
    def late(self) -> int:
        """How many edges came too late for their place and got a later time."""
        return self._merge.late

    def listen(self, on_edge: OnEdge) -> None:
        """Call ``on_edge`` for each change from now on."""
        self._on_edge = on_edge

    def levels(self) -> Mapping[str, bool]:
        """Return the level of every sensor that answers."""
        return {name: active for part in self._parts for name, active in part.levels().items()}

    @property
    def misdated(self) -> Mapping[str, int]:
        """By how many us the clock of each sensor's device is ahead, where that cannot be true."""
        return {name: off_us for part in self._parts for name, off_us in part.misdated.items()}

    def resync(self) -> None:
        """Read all sensors again, in the parts that can."""
        for part in self._parts:
            resync = getattr(part, "resync", None)
            if resync is not None:
                resync()

    def close(self) -> None:
        """Close every part. May be called twice."""
        self._closed = True
        self._on_edge = None
        with contextlib.ExitStack() as closing:
            for part in self._parts:
                closing.callback(part.close)

    def _hear(self, edge: Edge) -> None:
        """Queue an edge, on the part's own thread."""
        self._arrivals.append(edge)
        self._scheduler.call_at(edge.at_us, self._run)

    def _run(self) -> None:
        """Order the queued edges, and deliver those that no part can precede any more."""
        with self._running:
            if self._closed:
                return
            now_us = self._clock.now_us()
            # The promises first: whatever a part reported before its promise is then already queued.
            promises = [part.promise() for part in self._parts]
            while self._arrivals:
                edge = self._arrivals.popleft()
                if edge.sensor in self._apart:
                    self._outbox.append(edge)
                else:
                    self._merge.feed(edge)
            settled_us = min(promise.settled_us for promise in promises)
            ready = self._merge.advance(now_us, settled_us=settled_us)
            self._outbox.extend(ordered.edge for ordered in ready)
            self._arm(now_us, promises)
            self._deliver()

    def _arm(self, now_us: int, promises: Sequence[Promise]) -> None:
        oldest_us, latest_us = self._merge.oldest_us, self._merge.wake_at_us
        if oldest_us is None or latest_us is None:
            return
        wakes = [promise.wake_at_us for promise in promises if promise.wake_at_us is not None]
        later = [at_us for at_us in (*wakes, oldest_us + self._latency_us, latest_us) if at_us > now_us]
        if later:
            self._scheduler.call_at(min(later), self._run)

    def _deliver(self) -> None:
        while self._outbox:
            edge = self._outbox.popleft()
            if self._on_edge is not None:
                self._on_edge(edge)

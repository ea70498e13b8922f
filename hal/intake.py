"""From raw samples of many sensors to one listener: debounce, mute what chatters, merge, deliver.

Every backend that has pins posts its samples here. :meth:`Intake.post` may be called from any thread and only
queues; the scheduler's thread does the work, one run at a time, and calls the listener. No device's clock is
believed farther than it can be true: a time that is yet to come, or long gone, is taken to be now, and told.
"""

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hextraction.hal.chatter import WHY, Chatter
from hextraction.hal.errors import DeviceLost
from hextraction.hal.merge import Merge
from hextraction.hal.ports import Clock, Edge, OnEdge
from hextraction.hal.schedule import Scheduler

__all__ = ["HOLD_BACK_US", "Debounce", "Intake", "OnFound", "OnLost", "Promise", "SensorLine"]

HOLD_BACK_US = 5_000
"""How long a fast sensor's edge may wait for a slow filter before it is delivered anyway."""

AHEAD_US = 100_000
BEHIND_US = 60_000_000
"""How far a device's time may be from ours: no clock of a good one runs ahead, no report takes a minute."""
_TOLD_FOR_US = 60_000_000

OnLost = Callable[[DeviceLost], None]
"""Called when a device stops answering, possibly on another thread; it must not block or raise."""
OnFound = Callable[[str], None]
"""Called when a lost device answers again; same rules as :data:`OnLost`."""


# --- One sensor: a change counts once it has lasted, with the time of its first sample ---
#
# Both directions are treated alike. Nothing in the filter looks at a clock: whoever feeds samples also calls
# ``advance``. The hub's firmware does the same in C, and both pass the same tests.


class Debounce:
    """The debounce filter of one sensor.

    ``debounce_us`` is how long a new level must last (0: every change counts at once); ``active`` is the
    level at the start, for which no edge is reported. Times that go backwards are replaced by the newest one.
    """

    def __init__(self, sensor: str, *, debounce_us: int, active: bool = False) -> None:
        if debounce_us < 0:
            raise ValueError(f"want a debounce time of 0 us or more, found {debounce_us}")
        self.sensor = sensor
        self.debounce_us = debounce_us
        self.level = active
        self.glitches = 0
        """How many changes reverted before they had lasted long enough."""
        self.seen_us = 0
        """The newest time that it knows of."""
        self._since_us: int | None = None

    @property
    def pending_since_us(self) -> int | None:
        """When the pending change began; ``None`` if there is none."""
        return self._since_us

    @property
    def wake_at_us(self) -> int | None:
        """When :meth:`advance` is due next; ``None`` if nothing is pending."""
        return None if self._since_us is None else self._since_us + self.debounce_us

    def feed(self, level: bool, at_us: int) -> Edge | None:  # noqa: FBT001 - a sample is a level and a time
        """Process one sample and return the change that is certain by now, if any."""
        settled = self.advance(at_us)
        if level == self.level:
            self.glitches += self._since_us is not None
            self._since_us = None
        elif self._since_us is None:
            self._since_us = self.seen_us
        return settled or self.advance(at_us)

    def advance(self, now_us: int) -> Edge | None:
        """Let time pass without a sample and return the change that has now lasted long enough, if any."""
        self.seen_us = max(self.seen_us, now_us)
        began_us = self._since_us
        if began_us is None or self.seen_us < began_us + self.debounce_us:
            return None
        self._since_us = None
        self.level = not self.level
        return Edge(self.sensor, self.level, began_us)


# --- All sensors of a backend ---


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorLine:
    """One sensor as the intake sees it: its name, its debounce time and its initial level.

    If it does not answer yet (``answers``), its first sample is taken as that level, without an edge. If it
    is ``apart`` (a button), its edges are not ordered among the others and never wait.
    """

    name: str
    debounce_us: int = 0
    active: bool = False
    answers: bool = True
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Promise:
    """Nothing before ``settled_us`` will be reported any more; ask again at ``wake_at_us``, if it is set."""

    settled_us: int
    wake_at_us: int | None


class Intake:
    """The shared lower half of every :class:`~hextraction.hal.ports.Inputs`.

    ``latency_us`` is how late a sample may be posted after its own time (lgpio sorts its reports for half a
    millisecond): no filter may settle before that has passed. Unless ``ordered``, it delivers edges as soon
    as they are debounced: ordering is left to :mod:`hextraction.hal.opening.mixed`.
    """

    def __init__(
        self,
        lines: Sequence[SensorLine],
        *,
        clock: Clock,
        scheduler: Scheduler,
        latency_us: int = 0,
        ordered: bool = True,
        on_lost: OnLost | None = None,
        on_found: OnFound | None = None,
    ) -> None:
        self.names = tuple(line.name for line in lines)
        self.apart = frozenset(line.name for line in lines if line.apart)
        self.window_us = latency_us + (HOLD_BACK_US if any(line.debounce_us for line in lines) else 0)
        """How long an edge may have to wait for other sensors."""
        self._ordered = ordered
        self._clock = clock
        self._scheduler = scheduler
        self.latency_us = latency_us
        self._on_lost = on_lost
        self._on_found = on_found
        self._filters = {
            line.name: Debounce(line.name, debounce_us=line.debounce_us, active=line.active) for line in lines
        }
        self._pending: dict[str, Debounce] = {}
        self._merge = Merge(hold_back_us=HOLD_BACK_US + latency_us)
        self._arrivals: deque[tuple[str, bool, int]] = deque()
        self._outbox: deque[Edge] = deque()
        self._on_edge: OnEdge | None = None
        self._lost: set[str] = set()
        self._chatter = Chatter()
        self._misdated: dict[str, tuple[int, int]] = {}
        self._unheard = {line.name for line in lines if not line.answers}
        self._closed = False
        self._armed_us = 0
        """When the scheduler was last asked to call."""
        self._running = threading.RLock()

    @property
    def late(self) -> int:
        """How many edges had to get a later time to keep the order."""
        return self._merge.late

    @property
    def muted(self) -> frozenset[str]:
        """The sensors that are not heard because they change without end."""
        return self._chatter.muted

    @property
    def misdated(self) -> Mapping[str, int]:
        """By how many us the clock of each sensor's device is ahead, if its last minute could not be true."""
        now_us = self._clock.now_us()
        found = tuple(self._misdated.items())
        return {name: off_us for name, (off_us, at_us) in found if now_us - at_us < _TOLD_FOR_US}

    def post(self, sensor: str, active: bool, at_us: int) -> None:  # noqa: FBT001 - a sample
        """Queue one sample, from any thread. A sample from a lost sensor marks it as found."""
        now_us = self._clock.now_us()
        if not now_us - BEHIND_US <= at_us <= now_us + AHEAD_US:
            self._misdated[sensor] = at_us - now_us, now_us
            at_us = now_us
        if self._chatter.heard(sensor, active, now_us):
            return
        if sensor in self._unheard:
            self._filters[sensor].level = active
            self._unheard.discard(sensor)
            return
        self._arrivals.append((sensor, active, at_us))
        self._scheduler.call_at(at_us, self.run)
        if sensor in self._lost:
            self._lost.discard(sensor)
            if self._on_found is not None:
                self._on_found(sensor)

    def lose(self, sensor: str, reason: str) -> None:
        """Mark a sensor as lost; it is reported once until it answers again."""
        if sensor in self._lost:
            return
        self._lost.add(sensor)
        self._chatter.forget(sensor)
        self._unheard.discard(sensor)
        if self._on_lost is not None:
            self._on_lost(DeviceLost(sensor, reason))

    def listen(self, on_edge: OnEdge) -> None:
        """Deliver to ``on_edge`` from now on, and to nobody else."""
        self._on_edge = on_edge

    def levels(self) -> Mapping[str, bool]:
        """Return the debounced level of every sensor that is heard."""
        silent = self._lost | self._unheard | self._chatter.muted
        return {name: each.level for name, each in self._filters.items() if name not in silent}

    def close(self) -> None:
        """Stop delivering edges."""
        self._closed = True
        self._on_edge = None

    def promise(self) -> Promise:
        """Do what is due, and return up to when no more edges can appear."""
        with self._running:
            self.run()
            now_us = self._clock.now_us()
            settling = (each.wake_at_us for each in self._pending.values())
            wakes = (at_us + self.latency_us for at_us in settling if at_us is not None)
            return Promise(self._settled_us(now_us), min(wakes, default=None))

    def run(self) -> None:
        """Do what is due: debounce the queued samples, order the edges, deliver them."""
        with self._running:
            if self._closed:
                return
            now_us = self._clock.now_us()
            self._hear_again(now_us)
            self._filter(now_us - self.latency_us)
            ready = self._merge.advance(now_us, settled_us=self._settled_us(now_us))
            self._outbox.extend(ordered.edge for ordered in ready)
            self._arm(now_us)
            self._deliver()

    def _filter(self, settled_us: int) -> None:
        while self._arrivals:
            sensor, active, at_us = self._arrivals.popleft()
            if self._chatter.heard(sensor, active, at_us):
                continue
            self._take(self._filters[sensor], self._filters[sensor].feed(active, at_us))
        for each in tuple(self._pending.values()):
            self._take(each, each.advance(settled_us))

    def _take(self, each: Debounce, edge: Edge | None) -> None:
        if edge is not None and self._ordered and edge.sensor not in self.apart:
            self._merge.feed(edge)
        elif edge is not None:
            self._outbox.append(edge)
        if edge is not None and self._chatter.changed(edge.sensor, edge.active, edge.at_us):
            self._mute(each)
        if each.pending_since_us is None:
            self._pending.pop(each.sensor, None)
        else:
            self._pending[each.sensor] = each

    def _mute(self, each: Debounce) -> None:
        """Hear a sensor no more, until it is quiet; to the table it is as good as lost."""
        each.feed(each.level, each.seen_us)  # what it had begun to say is dropped
        if self._on_lost is not None:
            self._on_lost(DeviceLost(each.sensor, WHY, muted=True))

    def _hear_again(self, now_us: int) -> None:
        """Hear those again that have been quiet; what they say now is taken as a change of now."""
        for sensor, active in self._chatter.quiet(now_us):
            self._arrivals.append((sensor, active, now_us))
            if self._on_found is not None:
                self._on_found(sensor)

    def _settled_us(self, now_us: int) -> int:
        """Return the time before which no new edge can appear."""
        begun = [each.pending_since_us for each in self._pending.values()]
        return min((now_us - self.latency_us, *(at_us for at_us in begun if at_us is not None)))

    def _arm(self, now_us: int) -> None:
        settling = [each.wake_at_us for each in self._pending.values()]
        wakes = [at_us + self.latency_us for at_us in (*settling, self._merge.oldest_us) if at_us is not None]
        wakes += [at_us for at_us in (self._merge.wake_at_us, self._chatter.wake_at_us) if at_us is not None]
        later = [at_us for at_us in wakes if at_us > now_us]
        if later and not now_us < self._armed_us <= min(later):  # once is enough: this may be minutes ahead
            self._armed_us = min(later)
            self._scheduler.call_at(self._armed_us, self.run)

    def _deliver(self) -> None:
        while self._outbox:
            edge = self._outbox.popleft()
            if self._on_edge is not None:
                self._on_edge(edge)


class FedInputs:
    """Base of each backend's :class:`~hextraction.hal.ports.Inputs`: delegates to its intake."""

    _intake: Intake

    @property
    def apart(self) -> frozenset[str]:
        """The sensors whose edges are not ordered among the others'."""
        return self._intake.apart

    @property
    def latency_us(self) -> int:
        """How late a sample may arrive after its timestamp."""
        return self._intake.latency_us

    @property
    def window_us(self) -> int:
        """How long an edge may have to wait for other sensors."""
        return self._intake.window_us

    def promise(self) -> Promise:
        """Deliver what is due, and return up to when no more edges can appear."""
        return self._intake.promise()

    @property
    def misdated(self) -> Mapping[str, int]:
        """By how many us the clock of each sensor's device is ahead, where that cannot be true."""
        return self._intake.misdated

    @property
    def names(self) -> tuple[str, ...]:
        """The sensors' names, in wiring order."""
        return self._intake.names

    @property
    def late(self) -> int:
        """How many edges came too late for their place and got a later time."""
        return self._intake.late

    def listen(self, on_edge: OnEdge) -> None:
        """Call ``on_edge`` for each change from now on, from the scheduler's thread."""
        self._intake.listen(on_edge)

    def levels(self) -> Mapping[str, bool]:
        """Return the debounced level of every sensor that answers."""
        return self._intake.levels()

    def close(self) -> None:
        """Stop delivering edges. May be called twice."""
        self._intake.close()

"""The record of a roll: its pulses in order, and the stories built from those that are over.

Pulses wait until they and all before them are over, so that their lengths are known; then they are ready, and
processed when there is time, at the latest when the roll settles. Accounts depend on the edges alone, not
on when that is: what may vary with time (what was announced, how many pulses wait behind one that stays on)
is noted when a pulse becomes ready. Fewer stories are kept of pulses with many waiting behind them;
``narrowed`` counts those, ``pulses`` all of each sensor.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from math import inf
from typing import Final

from hextraction.controller.tracking.costs import SPLINTER_US
from hextraction.controller.tracking.covered import Covered
from hextraction.controller.tracking.graph import NONE, Graph
from hextraction.controller.tracking.routes import Routes
from hextraction.controller.tracking.settle import Account, Evidence, settle
from hextraction.controller.tracking.stories import RESTING, Ball, Pulse, Story
from hextraction.controller.tracking.teller import Teller

__all__ = ["PulseRecord"]

_KEEP: Final = 24
_KEEP_WHEN_LATE: Final = 6
_LATE: Final = 100
"""With this many pulses waiting behind one there will be no time to consider each of them at length."""
_LONGEST: Final = 600
"""With more waiting, they are processed at once: memory is finite."""
_FORGET_US: Final = 1_500_000
_SPLIT_US: Final = 6_000
"""A pulse that returns this soon was never over: the sensor flickers, no ball follows another so closely."""


class PulseRecord:
    """One roll, from first motion to quiet; before it begins it holds the last stray pulses."""

    def __init__(
        self,
        graph: Graph,
        places: Mapping[int, int],
        next_number: int,
        covered: Iterable[int],
        *,
        leave_us: int,
    ) -> None:
        self._graph = graph
        self._leave_us = leave_us
        balls = tuple(Ball(place, RESTING, 0, 0, number) for number, place in places.items())
        self._stories = [Story(0.0, balls, 0, (), None, next_number)]
        self._pulses: list[list[int]] = []
        self._ready: deque[tuple[Pulse, int, bool]] = deque()
        self._open: dict[int, list[int]] = {}
        self._last: dict[int, list[int]] = {}
        self._dropped: set[int] = set()
        self._covered = Covered(covered, graph.hall)
        self.narrowed = 0
        self.pulses: Counter[int] = Counter()
        self._gated_us: float = inf
        self._gated = False
        self._announced_us: dict[int, int] = {}
        self.begun = False
        self.began_us = 0
        self.after_gap = False

    def begin(self, at_us: int) -> None:
        """Begin the roll: something moves; the strays just before belong to it."""
        if not self.begun:
            self.begun = True
            self.began_us = min([at_us, *(pulse[1] for pulse in self._pulses)])

    def announce(self, ramp: int, at_us: int) -> None:
        """Record that a ball is expected from a ramp."""
        waits = (ramp, at_us)
        self._gated_us = min(self._gated_us, at_us)
        self._announced_us[self._graph.ramp_beam[ramp]] = at_us
        self._stories = [story._replace(waiting=(*story.waiting, waits)) for story in self._stories]

    def through_gates(self, *, only: bool) -> None:
        """Set whether from now on balls come through gates only, and so are announced."""
        self._gated = only

    def on(self, sensor: int, at_us: int, *, real: bool = False) -> None:
        """Record that a sensor went on; ``real``: it is certainly not a ghost."""
        if not self.begun:
            self._forget(at_us)
        else:
            self._ripen(at_us - _SPLIT_US)
        before = self._last.get(sensor)
        if before is not None and self._flickers(before, at_us):
            before[2] = NONE
            self._open[sensor] = before
            return
        self.pulses[sensor] += 1
        pulse = self._last[sensor] = [sensor, at_us, NONE, int(real)]
        index = len(self._pulses)
        while index and self._pulses[index - 1][1] == at_us and self._pulses[index - 1][0] > sensor:
            index -= 1
        self._pulses.insert(index, pulse)
        self._open[sensor] = pulse
        self._covered.add(pulse)

    def _flickers(self, before: list[int], at_us: int) -> bool:
        """Whether the last pulse was not over after all; at a ramp, a gate opened since means a new ball."""
        sensor, on_us, off_us, _real = before
        if off_us == NONE or not 0 <= at_us - off_us < _SPLIT_US:
            return False
        if self._graph.is_edge[sensor] and off_us - on_us > SPLINTER_US:
            return False  # it was as long as that of a passing ball: another may follow closely
        return self._announced_us.get(sensor, NONE) < on_us

    def cover(self, sensor: int) -> None:
        """Record that a ball at rest covers a sensor."""
        self._covered.from_start(sensor)

    def off(self, sensor: int, at_us: int) -> None:
        """Record that a sensor went off."""
        if self.begun:
            self._ripen(at_us - _SPLIT_US)
        pulse = self._open.pop(sensor, None)
        if pulse is not None:
            pulse[2] = at_us
        else:
            self._dropped.add(sensor)
            self._covered.bare(sensor, at_us)

    def close(self, sensor: int, at_us: int) -> None:
        """Stop listening to a sensor: its pulse, if any, ends here."""
        if sensor in self._open:
            self.off(sensor, at_us)

    def strays(self) -> int:
        """Return how many different sensors were on recently."""
        return len({pulse[0] for pulse in self._pulses})

    def is_long(self) -> bool:
        """Whether it is time to process the oldest pulses."""
        return max(len(self._pulses), len(self._ready)) > _LONGEST

    def tell(self, routes: Routes) -> None:
        """Process the recorded pulses, up to the first that is still on (unless very many wait behind it)."""
        if self._pulses and self._first_on() == 0 and len(self._pulses) > _LONGEST:
            self._ripe(len(self._pulses))
        self._ripen(inf)
        self._tell(routes, len(self._ready))

    def tell_over(self, routes: Routes, now_us: int, most: int) -> bool:
        """Process the first few pulses that cannot change any more; return whether there were any."""
        self._ripen(now_us - _SPLIT_US)
        many = min(len(self._ready), most)
        self._tell(routes, many)
        return many > 0

    def _ripen(self, until_us: float) -> None:
        """Make the pulses ready that precede the first that is still on, or was on at ``until_us``."""
        self._ripe(self._first_on(until_us))

    def _first_on(self, until_us: float = inf) -> int:
        """Return how many pulses precede the first that is still on, or was on at ``until_us``."""
        for index, pulse in enumerate(self._pulses):
            if pulse[2] == NONE or pulse[2] > until_us:
                return index
        return len(self._pulses)

    def _ripe(self, many: int) -> None:
        """Make the first few pulses ready, as they are now."""
        behind = len(self._pulses)
        for told in self._pulses[:many]:
            behind -= 1
            sensor, on_us, off_us, real = told
            pulse = Pulse(sensor, on_us, None if off_us == NONE else off_us, bool(real))
            keep = _KEEP if behind < _LATE else _KEEP_WHEN_LATE
            self._ready.append((pulse, keep, self._gated or on_us >= self._gated_us))
            self.narrowed += keep != _KEEP
            if self._last.get(sensor) is told:
                del self._last[sensor]
        del self._pulses[:many]

    def _tell(self, routes: Routes, many: int) -> None:
        teller = Teller(self._graph, routes, self._covered, leave_us=self._leave_us)
        for _pulse in range(many):
            pulse, keep, gated = self._ready.popleft()
            self._stories = teller.tell(self._stories, pulse, keep, gated=gated)

    def settle(self, routes: Routes, active: frozenset[int], at_us: int, ask_below: float) -> Account:
        """Return the likeliest account of the whole roll."""
        self._ripe(len(self._pulses))
        self._tell(routes, len(self._ready))
        bared = {slot for sensor in self._dropped - active for slot in self._graph.slots_at(sensor)}
        announced = self._gated_us < inf
        evidence = Evidence(at_us, self.began_us, active, bared, self._covered, announced)
        return settle(self._stories, self._graph, routes, evidence, ask_below)

    def _forget(self, at_us: int) -> None:
        self._pulses = [pulse for pulse in self._pulses if pulse[1] > at_us - _FORGET_US]

"""Sensors that do not behave: stuck on with no ball near, chattering, or silent when balls pass."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

__all__ = ["Doubts"]

_STUCK_US: Final = 5_000_000
_STRAYS: Final = 25
_SAME: Final = 40
_UNSEEN: Final = 3
"""Balls that passed a sensor without a pulse in so many rolls on end: a working one misses 3 % or so."""


class Doubts:
    """Keeps watch over sensors by number. A stuck one is cleared when it goes off, a chatterer by people."""

    def __init__(self) -> None:
        self._unexplained: dict[int, int] = {}
        self._strays: dict[int, int] = {}
        self._last = -1
        self._same = 0
        self.stuck: set[int] = set()
        self.noisy: set[int] = set()
        self.silent: set[int] = set()
        self._unseen: Counter[int] = Counter()

    def explained(self, sensor: int) -> None:
        """A ball explains this pulse; but a ball that pulses one sensor for ever is none."""
        if sensor != self._last:
            self._last, self._same = sensor, 0
        self._same += 1
        if self._same > _SAME:
            self.noisy.add(sensor)

    def unexplained(self, sensor: int, at_us: int) -> None:
        """No ball explains this pulse."""
        self._unexplained[sensor] = at_us
        self._strays[sensor] = self._strays.get(sensor, 0) + 1
        if self._strays[sensor] >= _STRAYS:
            self.noisy.add(sensor)

    def left_on(self, sensor: int, at_us: int) -> None:
        """A roll is over, no ball lies there, and it is on."""
        self._unexplained.setdefault(sensor, at_us)

    def passed(self, expected: Iterable[int], pulses: Mapping[int, int]) -> None:
        """A roll is over: balls passed these sensors, and some of them had so many pulses."""
        for sensor in expected:
            if pulses.get(sensor):
                self._unseen.pop(sensor, None)
            else:
                self._unseen[sensor] += 1
        self.silent.update(sensor for sensor, rolls in self._unseen.items() if rolls >= _UNSEEN)

    def heard(self, sensor: int) -> None:
        """A silent sensor has told of something after all."""
        self.silent.discard(sensor)
        self._unseen.pop(sensor, None)

    def off(self, sensor: int) -> None:
        """It went off, so it is not stuck."""
        self._unexplained.pop(sensor, None)
        self.stuck.discard(sensor)

    def quiet(self) -> None:
        """A roll is over: count strays afresh."""
        self._strays.clear()
        self._same = 0

    def forgive(self, sensor: int) -> None:
        """People say that it works."""
        self.off(sensor)
        self.noisy.discard(sensor)
        self.heard(sensor)
        self._strays.pop(sensor, None)
        self._same = 0

    def look(self, now_us: int) -> None:
        """Find those that have been on for five seconds for no reason."""
        late = [sensor for sensor, since_us in self._unexplained.items() if now_us - since_us >= _STUCK_US]
        for sensor in late:
            del self._unexplained[sensor]
            self.stuck.add(sensor)

    @property
    def wake_at_us(self) -> int | None:
        """When to look next."""
        return min(self._unexplained.values()) + _STUCK_US if self._unexplained else None

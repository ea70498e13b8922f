"""Finds faulty sensors: stuck on with no ball near, noisy, or silent when balls pass."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

__all__ = ["Doubts"]

_STUCK_US: Final = 5_000_000
_ROLLS: Final = 3
"""What a sensor does in this many rolls in a row is not chance: a working one misses about 3 %."""
_SILENT: Final = 7.5
"""A sensor is silent once what it did not say is worth as much, in nats: three balls over a beam, or close
over a Hall, or more that passed farther away. How often a sound sensor comes as far is measured
(``python -m bench.silent``)."""
_OFTEN: Final = 4
_OFTEN_A_BALL: Final = 2
"""This many pulses in a roll, plus this many per ball, are many: a ball may rock, but not in every roll."""
_BURST: Final = (25, 333_000)
_STRAYS: Final = (25, 5_000_000)
"""Limits of two leaky buckets: the number of pulses that is too many, and how often, in us, one is forgiven.
A ball that rocks for six seconds makes two dozen; strays, which no ball explains, are a few a minute."""


class Doubts:
    """Monitors sensors by number. A stuck one is cleared when it goes off, a noisy one only by people."""

    def __init__(self) -> None:
        self._unexplained: dict[int, int] = {}
        self._bursts = _Leaking(*_BURST)
        self._strays = _Leaking(*_STRAYS)
        self._often: Counter[int] = Counter()
        self._unseen: dict[int, float] = {}
        self.stuck: set[int] = set()
        self.noisy: set[int] = set()
        self.silent: set[int] = set()

    def pulsed(self, sensor: int, at_us: int) -> None:
        """Record that a sensor went on, whether a ball explains it or not."""
        if self._bursts.add(sensor, at_us):
            self.noisy.add(sensor)

    def unexplained(self, sensor: int, at_us: int) -> None:
        """Record a pulse that no ball explains."""
        self._unexplained[sensor] = at_us
        if self._strays.add(sensor, at_us):
            self.noisy.add(sensor)

    def rolled(self, pulses: Mapping[int, int], balls: int) -> None:
        """Record a finished roll with its pulses and balls, to find sensors with too many in every roll."""
        many = _OFTEN + _OFTEN_A_BALL * max(1, balls)
        often = (sensor for sensor, count in pulses.items() if count >= many)
        self._often = Counter({sensor: self._often[sensor] + 1 for sensor in often})
        self.noisy.update(sensor for sensor, rolls in self._often.items() if rolls >= _ROLLS)

    def left_on(self, sensor: int, at_us: int) -> None:
        """Record a sensor that is still on after a roll though no ball lies there."""
        self._unexplained.setdefault(sensor, at_us)

    def covered(self, sensors: Iterable[int]) -> None:
        """Record sensors that balls cover after a roll: unexplained pulses of theirs are now explained."""
        for sensor in sensors:
            self._unexplained.pop(sensor, None)

    def passed(self, expected: Mapping[int, float], pulses: Mapping[int, int]) -> None:
        """Record what each sensor's silence in a finished roll is worth, and the pulses that were seen."""
        for sensor, worth in expected.items():
            if pulses.get(sensor):
                self._unseen.pop(sensor, None)
            else:
                self._unseen[sensor] = self._unseen.get(sensor, 0.0) + worth
        self.silent.update(sensor for sensor, worth in self._unseen.items() if worth >= _SILENT)

    def heard(self, sensor: int) -> None:
        """Record that a silent sensor has reported something after all."""
        self.silent.discard(sensor)
        self._unseen.pop(sensor, None)

    def off(self, sensor: int) -> None:
        """Record that a sensor went off, so it is not stuck."""
        self._unexplained.pop(sensor, None)
        self.stuck.discard(sensor)

    def forgive(self, sensor: int) -> None:
        """Clear a sensor that people declare working."""
        self.off(sensor)
        self.noisy.discard(sensor)
        self.heard(sensor)
        self._bursts.forget(sensor)
        self._strays.forget(sensor)
        self._often.pop(sensor, None)

    def look(self, now_us: int) -> None:
        """Find sensors that have been on for five seconds without a reason."""
        late = [sensor for sensor, since_us in self._unexplained.items() if now_us - since_us >= _STUCK_US]
        for sensor in late:
            del self._unexplained[sensor]
            self.stuck.add(sensor)

    @property
    def wake_at_us(self) -> int | None:
        """When to look next."""
        return min(self._unexplained.values()) + _STUCK_US if self._unexplained else None


class _Leaking:
    """A leaky bucket per sensor: one count drains every ``leak_us``; more than ``full`` is too many."""

    def __init__(self, full: int, leak_us: int) -> None:
        self._full, self._leak_us = full, leak_us
        self._levels: dict[int, tuple[float, int]] = {}

    def add(self, sensor: int, at_us: int) -> bool:
        """Add one; return whether the bucket overflows."""
        level, since_us = self._levels.get(sensor, (0.0, at_us))
        level = max(0.0, level - (at_us - since_us) / self._leak_us) + 1.0
        self._levels[sensor] = level, at_us
        return level > self._full

    def forget(self, sensor: int) -> None:
        """Empty a sensor's bucket."""
        self._levels.pop(sensor, None)

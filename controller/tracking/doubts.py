"""Sensors that do not behave: stuck on with no ball near, chattering, or silent when balls pass."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

__all__ = ["Doubts"]

_STUCK_US: Final = 5_000_000
_ROLLS: Final = 3
"""What a sensor does in so many rolls on end is no chance: a working one misses 3 % or so."""
_OFTEN: Final = 4
_OFTEN_A_BALL: Final = 2
"""So many pulses in a roll, and for each ball of it, are many: a ball may rock, but not in each roll."""
_BURST: Final = (25, 333_000)
_STRAYS: Final = (25, 5_000_000)
"""So many pulses are too many, one forgiven for each time in us. A ball that rocks for six seconds makes two
dozen; strays, which no ball explains, are a few a minute."""


class Doubts:
    """Keeps watch over sensors by number. A stuck one is cleared when it goes off, a chatterer by people."""

    def __init__(self) -> None:
        self._unexplained: dict[int, int] = {}
        self._bursts = _Leaking(*_BURST)
        self._strays = _Leaking(*_STRAYS)
        self._often: Counter[int] = Counter()
        self._unseen: Counter[int] = Counter()
        self.stuck: set[int] = set()
        self.noisy: set[int] = set()
        self.silent: set[int] = set()

    def pulsed(self, sensor: int, at_us: int) -> None:
        """It went on, whether a ball explains that or not."""
        if self._bursts.add(sensor, at_us):
            self.noisy.add(sensor)

    def unexplained(self, sensor: int, at_us: int) -> None:
        """No ball explains this pulse."""
        self._unexplained[sensor] = at_us
        if self._strays.add(sensor, at_us):
            self.noisy.add(sensor)

    def rolled(self, pulses: Mapping[int, int], balls: int) -> None:
        """A roll of so many balls is over, with so many pulses of sensors: some may have many in each."""
        many = _OFTEN + _OFTEN_A_BALL * max(1, balls)
        often = (sensor for sensor, count in pulses.items() if count >= many)
        self._often = Counter({sensor: self._often[sensor] + 1 for sensor in often})
        self.noisy.update(sensor for sensor, rolls in self._often.items() if rolls >= _ROLLS)

    def left_on(self, sensor: int, at_us: int) -> None:
        """A roll is over, no ball lies there, and it is on."""
        self._unexplained.setdefault(sensor, at_us)

    def covered(self, sensors: Iterable[int]) -> None:
        """A roll is over, and balls lie before these: what puzzled while they rolled is explained."""
        for sensor in sensors:
            self._unexplained.pop(sensor, None)

    def passed(self, expected: Iterable[int], pulses: Mapping[int, int]) -> None:
        """A roll is over: balls passed these sensors, and some of them had so many pulses."""
        for sensor in expected:
            if pulses.get(sensor):
                self._unseen.pop(sensor, None)
            else:
                self._unseen[sensor] += 1
        self.silent.update(sensor for sensor, rolls in self._unseen.items() if rolls >= _ROLLS)

    def heard(self, sensor: int) -> None:
        """A silent sensor has told of something after all."""
        self.silent.discard(sensor)
        self._unseen.pop(sensor, None)

    def off(self, sensor: int) -> None:
        """It went off, so it is not stuck."""
        self._unexplained.pop(sensor, None)
        self.stuck.discard(sensor)

    def forgive(self, sensor: int) -> None:
        """People say that it works."""
        self.off(sensor)
        self.noisy.discard(sensor)
        self.heard(sensor)
        self._bursts.forget(sensor)
        self._strays.forget(sensor)
        self._often.pop(sensor, None)

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


class _Leaking:
    """Counts for each sensor what is forgiven in time, one in every ``leak_us``; ``full`` are too many."""

    def __init__(self, full: int, leak_us: int) -> None:
        self._full, self._leak_us = full, leak_us
        self._levels: dict[int, tuple[float, int]] = {}

    def add(self, sensor: int, at_us: int) -> bool:
        """Count one more; return whether that is one too many."""
        level, since_us = self._levels.get(sensor, (0.0, at_us))
        level = max(0.0, level - (at_us - since_us) / self._leak_us) + 1.0
        self._levels[sensor] = level, at_us
        return level > self._full

    def forget(self, sensor: int) -> None:
        """Begin afresh."""
        self._levels.pop(sensor, None)

"""Sensor noise: misses, ghosts, bounce, jitter, and stuck sensors.

Everything is drawn from a seed: distortions in the order of the pulses, ghosts from a separate generator. A
noisy edge is delivered :data:`LAG_US` after its time, when no earlier one can follow any more, so delivery
does not depend on the size of time steps either.
"""

import heapq
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from hextraction.hal.ports import Edge

__all__ = ["LAG_US", "Noise", "NoisySensors"]

LAG_US: Final = 25_000
_SPLIT_US: Final = (1_500, 5_000)
_GAP_US: Final = (500, 2_500)
_BURST_US: Final = 700
_GHOST_US: Final = (8_000, 40_000)
_WORST: Final = 0.5
"""No sensor misses more than this: people would have replaced it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """How bad the sensors are; the default is perfect.

    Raises:
        ValueError: a probability is outside 0..1, or a rate or time is negative.
    """

    miss: float = 0.0
    """Probability that a pulse is missed entirely."""
    miss_again: float | None = None
    """Probability that the pulse after a missed one of the same sensor is missed too, at the same overall
    rate of misses: above ``miss`` they come in runs. ``None``: each pulse is independent."""
    bounce: float = 0.0
    """Probability that a pulse is split in two soon after it begins."""
    ghosts_per_s: float = 0.0
    """Number of ghost pulses per simulated second, over all sensors."""
    burst: int = 1
    """Ghosts come in bursts of up to this many, on sensors with neighbouring names, at the same rate."""
    lag_us: int = 0
    """How late each pulse ends."""
    unlike: float = 0.0
    """How unlike the sensors are: the spread (of the logarithm) of their rates of misses, whose mean is
    ``miss``; 0: all are alike."""
    jitter_us: int = 0
    """How late each edge may come at most."""
    stuck_on: frozenset[str] = frozenset()
    """Sensors that always see something."""
    stuck_dead: frozenset[str] = frozenset()
    """Sensors that never see anything."""

    def __post_init__(self) -> None:
        for name in ("miss", "bounce"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}: want a probability 0..1, found {getattr(self, name)}")
        if self.miss_again is not None and not 0 <= self.miss_again < 1:
            raise ValueError(f"miss_again: want a probability 0..1, below 1, found {self.miss_again}")
        if self.burst < 1:
            raise ValueError(f"burst: want 1 or more, found {self.burst}")
        for name in ("ghosts_per_s", "jitter_us", "unlike"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}: want 0 or more, found {getattr(self, name)}")
        if not 0 <= self.lag_us <= LAG_US // 2:
            raise ValueError(f"lag_us: want 0..{LAG_US // 2}, found {self.lag_us}")

    def of_one(self, rng: random.Random) -> "Noise":
        """Return the noise of one sensor, drawn from those that are unlike each other."""
        if not self.unlike:
            return self
        factor = rng.lognormvariate(-self.unlike * self.unlike / 2, self.unlike)
        return replace(self, miss=min(_WORST, self.miss * factor))

    def miss_after(self, missed: bool) -> float:  # noqa: FBT001 - what became of the pulse before
        """Return the probability of a miss, given whether the sensor's previous pulse was missed."""
        if self.miss_again is None or self.miss in {0, 1}:
            return self.miss
        if missed:
            return self.miss_again
        return min(1.0, self.miss * (1 - self.miss_again) / (1 - self.miss))


class NoisySensors:
    """Turns clean edges into what a board with this noise would report."""

    def __init__(self, noise: Noise, levels: Mapping[str, bool], seed: int) -> None:
        unknown = sorted((noise.stuck_on | noise.stuck_dead) - set(levels))
        if unknown:
            raise ValueError(f"this board has no sensor {', '.join(unknown)}")
        self._noise = noise
        self._pulses = random.Random(f"pulses {seed}")  # noqa: S311 - a game of marbles
        self._ghosts = random.Random(f"ghosts {seed}")  # noqa: S311
        self._each = {
            name: noise.of_one(random.Random(f"unlike {seed} {name}"))  # noqa: S311
            for name in levels
        }
        self._count = {name: int(seen) for name, seen in levels.items()}
        self._stuck = {name: name in noise.stuck_on for name in noise.stuck_on | noise.stuck_dead}
        self._missed: set[str] = set()
        self._spell: set[str] = set()
        self._settled_us: dict[str, int] = {}
        self._waiting: list[tuple[int, str, int]] = []
        self._ghost_us = self._next_ghost(0)

    @property
    def levels(self) -> Mapping[str, bool]:
        """What every sensor reports."""
        return {name: self._stuck.get(name, count > 0) for name, count in self._count.items()}

    @property
    def due_us(self) -> int | None:
        """When the next edge is to be delivered or the next ghost generated; ``None``: never."""
        times = [self._waiting[0][0] + LAG_US] if self._waiting else []
        return min([*times, self._ghost_us] if self._ghost_us is not None else times, default=None)

    def take(self, edge: Edge) -> None:
        """Distort one clean edge."""
        if edge.active and self._misses(edge.sensor):
            self._missed.add(edge.sensor)
        elif not edge.active and edge.sensor in self._missed:
            self._missed.discard(edge.sensor)
        else:
            late_us = self._pulses.randint(0, self._noise.jitter_us)
            late_us += 0 if edge.active else self._noise.lag_us
            self._book(edge.sensor, edge.at_us + late_us, edge.active)
            if edge.active and self._pulses.random() < self._noise.bounce:
                self._split(edge.sensor)

    def _misses(self, sensor: str) -> bool:
        missed = self._pulses.random() < self._each[sensor].miss_after(sensor in self._spell)
        if missed:
            self._spell.add(sensor)
        else:
            self._spell.discard(sensor)
        return missed

    def due(self, now_us: int) -> Iterator[Edge]:
        """Return the edges that are due for delivery, in order of time."""
        while self._ghost_us is not None and self._ghost_us <= now_us:
            self._haunt(self._ghost_us)
        while self._waiting and self._waiting[0][0] + LAG_US <= now_us:
            at_us, sensor, change = heapq.heappop(self._waiting)
            was = self._count[sensor]
            self._count[sensor] = now = was + change
            if (was > 0) != (now > 0) and sensor not in self._stuck:
                yield Edge(sensor, now > 0, at_us)

    def _book(self, sensor: str, at_us: int, active: bool) -> None:  # noqa: FBT001 - as in Edge
        # Never before an edge already booked for this sensor, or the pulse would be inverted.
        at_us = max(at_us, self._settled_us.get(sensor, -1) + 1)
        self._settled_us[sensor] = at_us
        heapq.heappush(self._waiting, (at_us, sensor, 1 if active else -1))

    def _split(self, sensor: str) -> None:
        self._book(sensor, self._settled_us[sensor] + self._pulses.randint(*_SPLIT_US), active=False)
        self._book(sensor, self._settled_us[sensor] + self._pulses.randint(*_GAP_US), active=True)

    def _haunt(self, at_us: int) -> None:
        names = list(self._count)
        first = names.index(self._ghosts.choice(names))
        many = self._ghosts.randint(1, self._noise.burst) if self._noise.burst > 1 else 1
        for number in range(many):
            sensor = names[(first + number) % len(names)]
            begin_us = at_us + number * _BURST_US
            heapq.heappush(self._waiting, (begin_us, sensor, 1))
            heapq.heappush(self._waiting, (begin_us + self._ghosts.randint(*_GHOST_US), sensor, -1))
        self._ghost_us = self._next_ghost(at_us)

    def _next_ghost(self, after_us: int) -> int | None:
        if self._noise.ghosts_per_s == 0:
            return None
        bursts_per_s = self._noise.ghosts_per_s * 2 / (self._noise.burst + 1)
        return after_us + 1 + round(self._ghosts.expovariate(bursts_per_s) * 1e6)

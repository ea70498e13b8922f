"""What sensors said of a roll, and how well another world's truth would explain it.

No two worlds are the same to the millisecond, so a world stands for all that are close to it: its pulses may
come a little sooner or later and be a little longer or shorter, by as much as a tolerance says. Beyond that
a pulse of the world that was not seen was missed, and one that was seen and is not in the world is a ghost;
how often that happens is known exactly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, log, pi, sqrt
from typing import Final, NamedTuple

from hextraction.controller.tracking.trace import Trace

__all__ = ["Chances", "Evidence", "Pulse", "evidence_of", "fit", "unexplained"]

_SPLIT_US: Final = 6_000
_NEVER: Final = -14.0
_SQRT_TAU: Final = sqrt(2 * pi)
_SURE_US: Final = 10_000
_DRIFT: Final = 0.08
_LENGTH: Final = 0.15
_JITTER_US: Final = 1_000.0
_GHOST_US: Final = (6_000, 45_000)


class Pulse(NamedTuple):
    """A sensor went on and off again; ``off_us`` is None if it is on at the end."""

    on_us: int
    off_us: int | None


Evidence = Mapping[str, tuple[Pulse, ...]]
"""Sensor -> its pulses, in order; one that is on at the start has a pulse from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """The noise: how often a pulse is missed, and how many come from nowhere in ``span_s`` on all sensors."""

    miss: float
    ghosts: float
    sensors: int
    span_s: float = 3.0

    @property
    def missed(self) -> float:
        """The logarithm of the probability of a miss; never quite none."""
        return log(max(self.miss, 1e-4))

    @property
    def invented(self) -> float:
        """The logarithm of the rate of ghosts of one sensor in a second; never quite none."""
        return log(max(self.ghosts, 1e-4) / (self.sensors * self.span_s))


def evidence_of(trace: Trace) -> Evidence:
    """Return the pulses of a trace; one that comes back at once was never over."""
    found: dict[str, list[Pulse]] = {}
    for edge in trace.edges:
        pulses = found.setdefault(edge.sensor, [])
        if not edge.active:
            pulses[-1] = pulses[-1]._replace(off_us=edge.at_us)
        elif pulses and pulses[-1].off_us is not None and edge.at_us - pulses[-1].off_us < _SPLIT_US:
            pulses[-1] = pulses[-1]._replace(off_us=None)
        else:
            pulses.append(Pulse(edge.at_us, None))
    return {sensor: tuple(pulses) for sensor, pulses in found.items()}


def unexplained(observed: Evidence, candidate: Evidence, chances: Chances) -> float:
    """Return what the mere numbers of pulses cost at the least: misses and ghosts, in nats."""
    cost = 0.0
    for sensor in observed.keys() | candidate.keys():
        more = len(observed.get(sensor, ())) - len(candidate.get(sensor, ()))
        cost += more * (3.0 - chances.invented) if more > 0 else more * chances.missed
    return cost


def fit(
    observed: Evidence, candidate: Evidence, chances: Chances, *, tolerance: float, from_us: int
) -> float:
    """Return the logarithm of how likely a world's pulses look like those observed.

    ``from_us`` is when the first ball was let go: the later a pulse, the farther worlds have drifted apart.
    """
    return sum(
        _aligned(observed.get(sensor, ()), candidate.get(sensor, ()), chances, tolerance, from_us)
        for sensor in observed.keys() | candidate.keys()
    )


def _aligned(
    seen: Sequence[Pulse], true: Sequence[Pulse], chances: Chances, tolerance: float, from_us: int
) -> float:
    """Return the best way to take the pulses of one sensor for each other, in order."""
    row = [number * chances.missed for number in range(len(true) + 1)]
    for pulse in seen:
        ghost = _ghost(pulse, chances)
        above, row = row, [row[0] + ghost]
        for number, other in enumerate(true):
            row.append(
                max(
                    above[number + 1] + ghost,
                    row[number] + chances.missed,
                    above[number] + _same(pulse, other, tolerance, from_us),
                )
            )
    return row[-1]


def _ghost(pulse: Pulse, chances: Chances) -> float:
    length_us = None if pulse.off_us is None else pulse.off_us - pulse.on_us
    if length_us is None or not _GHOST_US[0] <= length_us <= _GHOST_US[1]:
        return chances.invented + _NEVER
    return chances.invented + log(length_us / (_GHOST_US[1] - _GHOST_US[0]))


def _same(seen: Pulse, true: Pulse, tolerance: float, from_us: int) -> float:
    """Return the density of a pulse being where it is, if it is that of the world."""
    if (seen.off_us is None) != (true.off_us is None):
        return _NEVER
    spread_us = tolerance * (_SURE_US + _DRIFT * max(0, true.on_us - from_us))
    found = _normal(seen.on_us - true.on_us, spread_us) + log(1e6)
    if seen.off_us is None or true.off_us is None:
        return found
    length, own = max(seen.off_us - seen.on_us, 1_000), max(true.off_us - true.on_us, 1_000)
    return found + _normal(log(length / own), hypot(tolerance * _LENGTH, _JITTER_US / own))


def _normal(off: float, spread: float) -> float:
    return -0.5 * (off / spread) ** 2 - log(spread * _SQRT_TAU)

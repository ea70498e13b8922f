"""Remembers when each sensor was covered: a ball that passes a covered sensor makes no pulse of its own."""

from collections import deque
from collections.abc import Collection, Iterable
from itertools import islice
from math import exp, log
from typing import Final

from hextraction.controller.tracking.graph import NONE
from hextraction.controller.tracking.paths import Unheard
from hextraction.controller.tracking.stories import Ball

__all__ = ["Covered"]

_LATEST: Final = 8
"""Number of pulses of a sensor that matter; this is enough for any ball that is still on its way."""
_REMEMBERED: Final = 700
"""Number of pulses remembered per sensor: as many as may wait, so that it does not matter how long."""
_PASSING_US: Final = 25_000
"""How long a passing ball covers a sensor itself."""
_LIES_US: Final = 400_000
"""A ball that covers a beam for longer than this lies there, and is not passing."""


class Covered:
    """The latest pulses of each sensor, as lists [sensor, on, off or NONE, ...] that others may still end."""

    def __init__(self, sensors: Iterable[int], halls: Collection[int]) -> None:
        self._halls = halls
        self._pulses: dict[int, deque[list[int]]] = {}
        for sensor in sensors:
            self.from_start(sensor)

    def from_start(self, sensor: int) -> None:
        """Record that a sensor was on before anything moved."""
        self.add([sensor, -_PASSING_US, NONE])

    def add(self, pulse: list[int]) -> None:
        """Record that a sensor went on."""
        self._pulses.setdefault(pulse[0], deque(maxlen=_REMEMBERED)).append(pulse)

    def bare(self, sensor: int, at_us: int) -> None:
        """Record that a sensor that was on from the start went off."""
        for pulse in self._pulses.get(sensor, ()):
            if pulse[2] == NONE:
                pulse[2] = at_us

    def excuses(self, unheard: Unheard, ball: Ball, until_us: int) -> float:
        """Return how much of the cost of silent sensors is waived, as they may have been covered then.

        The ball passed them between when it was last seen and ``until_us``; its own pulse excuses nothing.
        """
        excused = 0.0
        for sensor, worth in unheard:
            pulses = self._pulses.get(sensor)
            if pulses is not None:
                open_to_others = [p for p in _latest(pulses, until_us) if sensor in self._halls or _passed(p)]
                share = _share(open_to_others, min(ball.until_us, until_us), until_us)
                if share:
                    heard = 1.0 - exp(-worth)
                    excused += worth + log(1.0 - heard + heard * share)
        return excused


def _latest(pulses: deque[list[int]], until_us: int) -> list[list[int]]:
    """Return the last few pulses that began before a moment, the latest first."""
    return list(islice((pulse for pulse in reversed(pulses) if pulse[1] < until_us), _LATEST))


def _passed(pulse: list[int]) -> bool:
    """Whether a beam pulse is from a passing ball; a ball that lies in the beam lets none through."""
    return pulse[2] != NONE and pulse[2] - pulse[1] < _LIES_US


def _share(pulses: list[list[int]], from_us: int, until_us: int) -> float:
    """Return the share of a period in which a sensor was covered, from a passing ball's view: 0..1."""
    covered = 0
    for _sensor, on_us, off_us, *_more in pulses:
        end_us = until_us if off_us == NONE else min(off_us, until_us)
        if on_us < until_us and end_us > from_us:
            covered += end_us - max(on_us, from_us) + _PASSING_US
    return min(1.0, covered / (until_us - from_us + _PASSING_US))

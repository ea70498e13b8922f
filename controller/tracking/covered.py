"""When each sensor was covered: who passes a covered sensor makes no pulse of its own."""

from collections import deque
from collections.abc import Collection, Iterable
from math import exp, log
from typing import Final

from hextraction.controller.tracking.graph import NONE
from hextraction.controller.tracking.paths import Unheard
from hextraction.controller.tracking.stories import Ball

__all__ = ["Covered"]

_LATEST: Final = 8
"""So many pulses of each sensor are remembered; a ball that needs longer has other troubles."""
_PASSING_US: Final = 25_000
"""So long a passing ball covers a sensor itself."""
_LIES_US: Final = 400_000
"""Who is before a beam for longer than that does not pass, but lies there."""


class Covered:
    """The latest pulses of each sensor, as lists [sensor, on, off or NONE, ...] that others may still end."""

    def __init__(self, sensors: Iterable[int], halls: Collection[int]) -> None:
        self._halls = halls
        self._pulses: dict[int, deque[list[int]]] = {}
        for sensor in sensors:
            self.from_start(sensor)

    def from_start(self, sensor: int) -> None:
        """A sensor was on before anything moved."""
        self.add([sensor, -_PASSING_US, NONE])

    def add(self, pulse: list[int]) -> None:
        """A sensor went on."""
        self._pulses.setdefault(pulse[0], deque(maxlen=_LATEST)).append(pulse)

    def bare(self, sensor: int, at_us: int) -> None:
        """A sensor that was on from the start went off."""
        for pulse in self._pulses.get(sensor, ()):
            if pulse[2] == NONE:
                pulse[2] = at_us

    def excuses(self, unheard: Unheard, ball: Ball, until_us: int) -> float:
        """Return how much of the silence of sensors costs nothing, as they may have been covered then.

        The ball passed them until ``until_us``, after it was seen last: its own pulse excuses nothing.
        """
        excused = 0.0
        for sensor, worth in unheard:
            pulses = self._pulses.get(sensor)
            if pulses is not None:
                open_to_others = [p for p in pulses if sensor in self._halls or _passed(p)]
                share = _share(open_to_others, min(ball.until_us, until_us), until_us)
                if share:
                    heard = 1.0 - exp(-worth)
                    excused += worth + log(1.0 - heard + heard * share)
        return excused


def _passed(pulse: list[int]) -> bool:
    """Whether a pulse of a beam is of a ball that passed; one that lies before it lets nobody through."""
    return pulse[2] != NONE and pulse[2] - pulse[1] < _LIES_US


def _share(pulses: list[list[int]], from_us: int, until_us: int) -> float:
    """Return for which share of a time a sensor was covered, as far as a passing ball can tell: 0..1."""
    covered = 0
    for _sensor, on_us, off_us, *_more in pulses:
        end_us = until_us if off_us == NONE else min(off_us, until_us)
        if on_us < until_us and end_us > from_us:
            covered += end_us - max(on_us, from_us) + _PASSING_US
    return min(1.0, covered / (until_us - from_us + _PASSING_US))

"""Costs: how unlikely events are, in nats (the log of one over a probability, or over a rate per second).

The figures began as round numbers for a 10 mm ball on 50 mm tiles at 15 degrees. They were then fitted all at
once to what really happened in worlds of many tilts and frictions (:mod:`bench.fit_costs`), and rounded. Each
alone changes few accounts. They only rank explanations; they never forbid one.
"""

from math import log, radians, sin, sqrt, tau
from typing import Final

__all__ = [
    "AT_ONCE",
    "BELOW_BEST",
    "BLOCKED",
    "CROSSING",
    "DIP",
    "FLAT",
    "GAIN",
    "GATED",
    "GHOST",
    "GHOST_AT_ONCE",
    "GLANCE",
    "HALL_SEES",
    "KNOCKED",
    "LIMIT",
    "MISS",
    "OVERLAP",
    "OVERLAP_SHARED",
    "RAMP_BLOCKED",
    "RAMP_COVERED",
    "RAMP_GHOST",
    "REAL",
    "RETRIGGER_US",
    "SPLINTER_US",
    "SPLIT",
    "TANDEM",
    "UNEXPECTED",
    "bumped_cost",
    "climb_us",
    "ghost_cost",
    "least_time_cost",
    "length_cost",
    "passing_cost",
    "release_cost",
    "release_time_cost",
    "retrigger_cost",
    "rocking_cost",
    "time_cost",
]

MISS: Final = 3.5
"""A working sensor misses a ball: 3 %."""
GAIN: Final = 3.0
"""A rocking ball gains height."""
RAMP_GHOST: Final = 1.5
"""Extra for a ghost at a ramp's beam: balls do come from there, and one too few is worse than a question."""
RAMP_COVERED: Final = 4.5
"""The beam of a ramp is still covered by a ball that is in the slot below."""
RAMP_BLOCKED: Final = 1.7
"""A ball does not get off its ramp because others lie on the tile below."""
HALL_SEES: Final = 0.32
"""The ball Hall of a slot about whose tile nothing is known, or that is open, sees three balls in four."""
GHOST: Final = 5.5
"""One given sensor invents a pulse: a few in a thousand seconds."""
AT_ONCE: Final = 2.0
"""Extra cost of calling a resting ball a moving one before the pulse has ended."""
GHOST_AT_ONCE: Final = 8.0
"""Cost of a ghost before the pulse has ended: what is shown at once errs on the side of showing a ball."""
REAL: Final = 14.0
"""Cost of a ghost for a level read after a gap: what happened meanwhile is unseen, but the level is real."""
OVERLAP: Final = 6.0
OVERLAP_SHARED: Final = 0.77
"""A ball is in two places: the last sensor is still covered, and no other ball (or one) is near it."""
KNOCKED: Final = 4.0
"""A ball at rest starts to move."""
GATED: Final = 8.0
"""A ball comes unannounced on a board whose gates announce them."""
UNEXPECTED: Final = 2.3
"""Somebody releases a ball unannounced, and no ramp beam sees it."""
BLOCKED: Final = 1.2
"""Another ball lies behind the mouth at which a ball turns back or stops."""
FLAT: Final = 1.9
"""A ball is seen again in the same place, at any time."""
TANDEM: Final = 5.0
"""Two balls pass in one pulse."""
SPLIT: Final = -0.19
"""A pulse breaks in two within 20 ms: 3 %, so 1.5 a second in that window."""
RETRIGGER_US: Final = 20_000
SPLINTER_US: Final = 12_000
"""A pulse that breaks in two leaves a part no longer than this."""
_WHOLE_AGAIN: Final = 4.2
LIMIT: Final = 10.5
"""Paths that cost more are not explored: this still allows three misses in a row."""
BELOW_BEST: Final = 12.0
"""Accounts this much worse than the best one are dropped."""

_HALF_TILE_US: Final = 60_000.0
_NARROW: Final = 0.38
_WIDE: Final = 1.0
_NARROW_AREA: Final = 0.17 + log(_NARROW * sqrt(tau))
_WIDE_AREA: Final = 1.2 + log(_WIDE * sqrt(tau))
_SLOWEST: Final = 5.5
_FASTEST: Final = 14.0
_SHORTEST_US: Final = 500
_GLITCH_US: Final = 40_000


def time_cost(elapsed_us: int, halves: float) -> float:
    """Return how unlikely it is that ``halves`` half tiles take this long.

    Most balls take about 60 ms for half a tile; some linger; none flies.
    """
    elapsed = max(elapsed_us, _SHORTEST_US)
    ahead = log(elapsed / (_HALF_TILE_US * halves))
    per_second = log(elapsed * 1e-6)
    narrow = _NARROW_AREA + per_second + ahead * ahead / (2 * _NARROW * _NARROW)
    if ahead < 0:
        return min(narrow, _FASTEST)
    return min(narrow, _WIDE_AREA + per_second + ahead * ahead / (2 * _WIDE * _WIDE), _SLOWEST)


def least_time_cost(elapsed_us: int) -> float:
    """Return the minimum of :func:`time_cost` over distances of at least half a half tile."""
    return time_cost(elapsed_us, max(elapsed_us / _HALF_TILE_US, 0.5))


CROSSING: Final = 0
GLANCE: Final = 1
DIP: Final = 2
"""How a ball meets a beam: crosses it; comes near and turns back; just gets over the edge and rolls back."""

_LENGTHS: Final = {
    CROSSING: ((0.0, 27_000.0, 0.6), (1.3, 90_000.0, 0.38), (3.0, 300_000.0, 0.7)),
    GLANCE: ((0.78, 14_000.0, 0.8), (0.3, 0.67, 0.45)),
    DIP: ((0.65, 1.07, 0.17), (0.93, 1.0, 0.36)),
}
"""Cost, median and spread of pulse lengths: in microseconds, or below 10 in units of the mouth's climb."""
_STILL_COVERED: Final = {CROSSING: 3.8, GLANCE: -0.5, DIP: 5.6}
_BUMPED_STILL: Final = {CROSSING: 1.4, GLANCE: 0.7, DIP: 3.5}
_BUMPED: Final = {CROSSING: (1.5, 60_000.0, 0.6), GLANCE: (0.7, 40_000.0, 0.6), DIP: (0.7, 68_000.0, 0.5)}


def ghost_cost(length_us: int | None) -> float:
    """Return how unlikely it is that a pulse of this length is a ghost; most ghosts are short.

    ``None``: still on when all is quiet. A level that stays on is not chance: the sensor would be broken.
    """
    if length_us is None:
        return GHOST + 3.9
    return GHOST if length_us < _GLITCH_US else GHOST + 2.2


def climb_us(tilt_deg: float, edge: int, *, ramp: bool = False) -> float:
    """Return how long a ball covers a beam if its centre just gets 2.5 mm over the edge and rolls back.

    It then climbs 8 mm into the beam, or 6 mm at a ramp, whose beam is a little way up. The way over a side
    edge is half as steep as the board.
    """
    steep = 1.0 if edge in {1, 4} else 0.5
    pull = 5 / 7 * 9.81 * sin(radians(tilt_deg)) * steep
    return 2e6 * sqrt(2 * (0.006 if ramp else 0.008) / pull)


def length_cost(length_us: int | None, way: int, climb: float) -> float:
    """Return how unlikely a beam pulse of this length is for a way of meeting the beam.

    ``climb`` is :func:`climb_us` of that mouth. ``None`` is a beam that is still covered when all is quiet.
    """
    if length_us is None:
        return _STILL_COVERED[way]
    logarithm = log(max(length_us, _SHORTEST_US))
    costs = []
    for price, median, spread in _LENGTHS[way]:
        off = (logarithm - log(median if median > 10 else median * climb)) / spread
        costs.append(price + log(spread) + off * off / 2)
    return min(8.0, *costs)


def bumped_cost(length_us: int | None, way: int) -> float:
    """Return the same for a ball that meets another behind the beam: it bounces back, or leans on it."""
    if length_us is None:
        return _BUMPED_STILL[way]
    price, median, spread = _BUMPED[way]
    off = log(max(length_us, _SHORTEST_US) / median) / spread
    return price + log(spread) + off * off / 2


_GATE_US: Final = 80_000.0
_GATE_SPREAD: Final = 1.1
_GATE_MOST: Final = 4.0


def release_time_cost(elapsed_us: int) -> float:
    """Return how unlikely it is that a ball is first seen this long after its release was announced."""
    elapsed = max(elapsed_us, _SHORTEST_US)
    off = log(elapsed / _GATE_US) / _GATE_SPREAD
    return min(_GATE_MOST, log(elapsed * 1e-6 * _GATE_SPREAD * sqrt(tau)) + off * off / 2)


_SPREAD_ACROSS: Final = 0.45
_SLOWER: Final = 0.42
_SPREAD_BACK: Final = 0.21
_LOWER: Final = -0.2
_JUST_NOT: Final = 0.87
_MOST_ROCKING: Final = 5.0
_MOST_LONG: Final = 1.6
_LONG: Final = 8.0
_LONG_FROM: Final = 1.4
"""A ball that covers a beam for longer than rolling over the edge and back takes may have been over it."""


def rocking_cost(length_us: int, way: int, climb: float, before_us: int, before: int) -> float:
    """Return how unlikely a pulse of this length is from a ball that met the same beam just before.

    ``before`` is how it met it then, ``before_us`` for how long. Each time it is slower: while it still gets
    across it covers the beam for longer, the first time it fails it climbs nearly far enough, and from then
    on it reaches in less far, for a shorter time. Once it has failed it cannot cross again.
    """
    if way == DIP:
        return length_cost(length_us, DIP, climb) + (GAIN if before == GLANCE else 0.0)
    logarithm = log(max(length_us, _SHORTEST_US))
    if way == CROSSING:
        if before != CROSSING:
            return length_cost(length_us, CROSSING, climb) + (GAIN if before == GLANCE else 1.0)
        middle, spread = log(before_us) + _SLOWER, _SPREAD_ACROSS
    elif before == CROSSING:
        middle, spread = log(_JUST_NOT * climb), _SPREAD_BACK
    else:
        middle, spread = log(before_us) + _LOWER, _SPREAD_BACK
    off = (logarithm - middle) / spread
    if way == GLANCE and before != CROSSING:
        off = off if off > 0 else off / 2
    long = 0.0 if way != GLANCE else min(_MOST_LONG, max(0.0, _LONG * (logarithm - log(_LONG_FROM * climb))))
    return min(_MOST_ROCKING, log(spread) + off * off / 2 + long)


def retrigger_cost(gap_us: int, *, whole: bool = False) -> float:
    """Return how unlikely it is that the same ball covers the same beam again after ``gap_us``.

    ``whole``: both pulses are as long as that of a passing ball, so that neither is a splinter of the other.
    """
    if whole:
        return _WHOLE_AGAIN
    return SPLIT if gap_us < RETRIGGER_US else 2.5


_WHILE_BUSY: Final = 2.6
_AGAIN: Final = 2.0
_HAUNTED: Final = 0.8
_RELEASED: Final = ((0.085, 37_000.0, 0.28), (2.6, 85_000.0, 0.6), (4.0, 300_000.0, 0.8))
_TWINS: Final = (3.5, 64_000.0, 0.25)
"""Lengths of a ramp's pulse, as in :data:`_LENGTHS`: balls that are let go all pass its beam about as fast,
one alone, or two that touch."""


def passing_cost(length_us: int | None, *, twins: bool = False) -> float:
    """Return how unlikely a ramp's pulse of this length is for a ball that was let go, or for two at once."""
    if length_us is None:
        return _STILL_COVERED[CROSSING]
    logarithm = log(max(length_us, _SHORTEST_US))
    kinds = (_TWINS,) if twins else _RELEASED
    costs = [
        price + log(spread) + ((logarithm - log(median)) / spread) ** 2 / 2 for price, median, spread in kinds
    ]
    return min(8.0, *costs) if not twins else costs[0]


def release_cost(
    *, announced: bool, busy: bool, again: bool, haunted: bool = False, gated: bool = False
) -> float:
    """Return how unlikely it is that a ramp's pulse is a new ball.

    An ``announced`` one costs nothing here (only :func:`release_time_cost`), whatever the other arguments.
    ``busy``: another ball is already rolling. ``again``: that ramp had a pulse a moment ago. ``haunted``: a
    ball has not been seen since it was in that ramp's mouth. ``gated``: balls are announced on this board, so
    one that is not is rare.
    """
    if announced:
        return 0.0
    sudden = (_WHILE_BUSY if busy else 2.5) + (GATED if gated else 0.0)
    return sudden + (_AGAIN if again else _HAUNTED if haunted else 0.0)

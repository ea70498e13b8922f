"""How sure the tracker may say to be: how often a verdict with its share of the weight is right.

It is of its own because it is measured: ``python -m bench.calibrate`` prints both tables, from rolls in
worlds drawn for tuning to which no cost was fitted: where one was, the tracker is surer than it may be
elsewhere. They rise with the share, so the likeliest verdict stays the likeliest.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import exp, log, log2
from typing import Final

__all__ = ["SHARES", "as_right", "log_odds", "risen"]

SHARES: Final = (0.4, 0.55, 0.7, 0.85, 0.93, 0.98)
"""The shares of the weight for which the tables below say how often the verdict is right."""
_ANNOUNCED: Final = (0.41, 0.51, 0.59, 0.885, 0.935, 0.97)
_UNANNOUNCED: Final = (0.38, 0.52, 0.635, 0.885, 0.94, 0.975)
"""How often it is right when two balls moved, where releases are announced or not."""
_DOUBLING: Final = (-0.22, -0.02)
"""The log odds that each doubling of the balls adds, unannounced and announced: with many balls more can
happen than any account holds."""
_SURE: Final = 1e-4


def log_odds(share: float) -> float:
    """Return the log odds of a probability; none is nearer to 0 or 1 than one in ten thousand."""
    share = min(max(share, _SURE), 1.0 - _SURE)
    return log(share / (1.0 - share))


def risen(at: float, table: Sequence[tuple[float, float]]) -> float:
    """Return the value of a table at a place: in between by straight lines, beyond its ends as steep as 1."""
    (first, low), (last, high) = table[0], table[-1]
    if at <= first:
        return low + at - first
    for (left, below), (right, above) in pairwise(table):
        if at <= right:
            return below + (above - below) * (at - left) / (right - left)
    return high + at - last


_TABLES: Final = tuple(
    tuple((log_odds(share), log_odds(right)) for share, right in zip(SHARES, rights, strict=True))
    for rights in (_UNANNOUNCED, _ANNOUNCED)
)


def as_right(share: float, balls: int, *, announced: bool) -> float:
    """Return how often a verdict with this share of the weight is right if so many balls moved: 0..1."""
    told = risen(log_odds(share), _TABLES[announced]) + _DOUBLING[announced] * (log2(max(balls, 1)) - 1.0)
    return 1.0 / (1.0 + exp(-told))

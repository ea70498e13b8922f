"""How sure a share is: Wilson's interval, Brier's score, and the table of calibration."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

__all__ = ["Bin", "Share", "brier", "calibration", "quantile"]

_Z_95 = 1.959964
"""Standard deviations of a normal distribution between which 95 % lie."""
BINS = (0.0, 0.5, 0.7, 0.9, 0.95, 0.99, 1.0000001)


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with the 95 % interval that Wilson's formula gives; 0 of 0 says nothing."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """The share, 0..1; not a number if there was nothing to share."""
        return self.hits / self.of if self.of else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The lowest and highest share that would not surprise; 0 and 1 if nothing is known."""
        if not self.of:
            return 0.0, 1.0
        square = _Z_95 * _Z_95
        middle = (self.hits + square / 2) / (self.of + square)
        half = _Z_95 / (self.of + square) * sqrt(self.hits * (self.of - self.hits) / self.of + square / 4)
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        if not self.of:
            return "-"
        low, high = self.interval
        return f"{100 * self.value:.1f} [{100 * low:.1f}-{100 * high:.1f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Rolls with a probability of ``low`` to ``high``: the mean they claimed, and how many were right."""

    low: float
    high: float
    claimed: float
    right: Share


def brier(told: Iterable[tuple[float, bool]]) -> float:
    """Return the mean squared difference of probability and outcome: 0 is perfect, 0.25 a coin's."""
    squares = [(probability - right) ** 2 for probability, right in told]
    return sum(squares) / len(squares) if squares else float("nan")


def calibration(told: Sequence[tuple[float, bool]]) -> tuple[Bin, ...]:
    """Return how often the tracker was right, by how sure it said it was; empty bins are left out."""
    found = []
    for low, high in pairwise(BINS):
        some = [(probability, right) for probability, right in told if low <= probability < high]
        if some:
            claimed = sum(probability for probability, _right in some) / len(some)
            share = Share(sum(right for _probability, right in some), len(some))
            found.append(Bin(low=low, high=min(high, 1.0), claimed=claimed, right=share))
    return tuple(found)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` (0..1) of the values lie; not a number if there are none."""
    if not values:
        return float("nan")
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]

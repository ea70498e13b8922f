"""How sure a share is: Wilson's interval, Brier's score, and the table of calibration.

Rolls on one board are alike: eight of them say less than eight on eight boards. :func:`grouped` finds how
much less from how boards differ, and takes the sample for so much smaller (the design effect of surveys).
"""

import random
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt

__all__ = ["Bin", "Part", "Share", "brier", "calibration", "grouped", "quantile", "ratio_interval"]

_Z_95 = 1.959964
"""Standard deviations of a normal distribution between which 95 % lie."""
BINS = (0.0, 0.5, 0.7, 0.9, 0.95, 0.99, 1.0000001)


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with the 95 % interval that Wilson's formula gives; 0 of 0 says nothing.

    ``design``: so many of these are worth one that is independent of all others, 1 or more.
    """

    hits: int
    of: int
    design: float = 1.0

    @property
    def value(self) -> float:
        """The share, 0..1; not a number if there was nothing to share."""
        return self.hits / self.of if self.of else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The lowest and highest share that would not surprise; 0 and 1 if nothing is known."""
        if not self.of:
            return 0.0, 1.0
        square, many, value = _Z_95 * _Z_95, self.of / self.design, self.value
        middle = (value * many + square / 2) / (many + square)
        half = _Z_95 / (many + square) * sqrt(many * value * (1 - value) + square / 4)
        # the share is always within, but for the last bit of a sum
        return max(0.0, min(value, middle - half)), min(1.0, max(value, middle + half))

    def __str__(self) -> str:
        if not self.of:
            return "-"
        low, high = self.interval
        return f"{100 * self.value:.1f} [{100 * low:.1f}-{100 * high:.1f}]"


Part = tuple[Hashable, int, int]
"""The group that something belongs to, hits, and of how many."""


def grouped(parts: Iterable[Part]) -> Share:
    """Add parts up to a share whose interval allows for groups whose members are alike.

    The variance of a ratio over groups, beside that of independent members, is the design effect; less than
    one is taken for one. Without hits, or without misses, nothing is known of groups.
    """
    hits: Counter[Hashable] = Counter()
    sizes: Counter[Hashable] = Counter()
    for group, hit, of in parts:
        hits[group] += hit
        sizes[group] += of
    whole = Share(sum(hits.values()), sum(sizes.values()))
    if len(sizes) < 2 or whole.hits in {0, whole.of}:
        return whole
    value = whole.value
    apart = sum((hits[group] - value * size) ** 2 for group, size in sizes.items())
    among = apart * len(sizes) / (len(sizes) - 1)
    return replace(whole, design=max(1.0, among / (whole.of * value * (1 - value))))


def ratio_interval(
    pairs: Sequence[tuple[int, int]], *, seed: int = 0, draws: int = 2_000
) -> tuple[float, float]:
    """Return the 95 % interval of how many times the first of two counts is the second, over groups.

    ``pairs`` has both counts of each group. Groups are drawn anew with replacement (bootstrap); half a count
    is added on both sides, so that none is not infinitely better than one.
    """
    rng = random.Random(seed)  # noqa: S311 - seeded on purpose
    found = []
    for _draw in range(draws):
        drawn = rng.choices(pairs, k=len(pairs))
        found.append((sum(one for one, _other in drawn) + 0.5) / (sum(other for _one, other in drawn) + 0.5))
    return quantile(found, 0.025), quantile(found, 0.975)


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

"""Statistics of shares: Wilson's interval, the Brier score, and the calibration table.

Rolls on one board are alike: eight of them say less than eight on eight boards. :func:`grouped` estimates how
much less from how boards differ, and shrinks the sample size accordingly (the design effect of surveys).
"""

import random
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt

__all__ = ["Bin", "Part", "Share", "brier", "calibration", "grouped", "quantile", "ratio_interval"]

_Z_95 = 1.959964
"""95 % of a normal distribution lie within this many standard deviations."""
BINS = (0.0, 0.5, 0.7, 0.9, 0.95, 0.99, 1.0000001)


@dataclass(frozen=True, slots=True)
class Share:
    """Hits out of a total, with Wilson's 95 % interval; 0 of 0 says nothing.

    ``design`` is the design effect: this many count as one independent observation, 1 or more.
    """

    hits: int
    of: int
    design: float = 1.0

    @property
    def value(self) -> float:
        """The share, 0..1; NaN if the total is 0."""
        return self.hits / self.of if self.of else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The lowest and highest plausible share; 0 and 1 if nothing is known."""
        if not self.of:
            return 0.0, 1.0
        square, many, value = _Z_95 * _Z_95, self.of / self.design, self.value
        middle = (value * many + square / 2) / (many + square)
        half = _Z_95 / (many + square) * sqrt(many * value * (1 - value) + square / 4)
        # the share is always inside, except for rounding in the last bit
        return max(0.0, min(value, middle - half)), min(1.0, max(value, middle + half))

    def __str__(self) -> str:
        if not self.of:
            return "-"
        low, high = self.interval
        return f"{100 * self.value:.1f} [{100 * low:.1f}-{100 * high:.1f}]"


Part = tuple[Hashable, int, int]
"""A group, its hits, and its total."""


def grouped(parts: Iterable[Part]) -> Share:
    """Add parts up to a share whose interval allows for groups whose members are alike.

    The design effect is the variance of the ratio over groups, relative to that of independent members; less
    than one counts as one. Without any hits, or without any misses, it cannot be estimated.
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
    """Return the 95 % interval of the ratio of two counts, first over second, summed over groups.

    ``pairs`` has both counts of each group. Groups are resampled with replacement (bootstrap); half a count
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
    """Rolls with a probability of ``low`` to ``high``: the mean claimed, and how many were right."""

    low: float
    high: float
    claimed: float
    right: Share


def brier(told: Iterable[tuple[float, bool]]) -> float:
    """Return the mean squared difference of probability and outcome: 0 is perfect, 0.25 a coin toss."""
    squares = [(probability - right) ** 2 for probability, right in told]
    return sum(squares) / len(squares) if squares else float("nan")


def calibration(
    told: Sequence[tuple[float, bool]], alike: Sequence[Hashable] | None = None
) -> tuple[Bin, ...]:
    """Return how often the tracker was right, by its stated probability; empty bins are left out.

    ``alike``: the group of each roll, if rolls of one group are alike.
    """
    groups = range(len(told)) if alike is None else alike
    found = []
    for low, high in pairwise(BINS):
        some = [
            (group, probability, right)
            for group, (probability, right) in zip(groups, told, strict=True)
            if low <= probability < high
        ]
        if some:
            claimed = sum(probability for _group, probability, _right in some) / len(some)
            share = grouped((group, int(right), 1) for group, _probability, right in some)
            found.append(Bin(low=low, high=min(high, 1.0), claimed=claimed, right=share))
    return tuple(found)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` (0..1) of the values lie; NaN if there are none."""
    if not values:
        return float("nan")
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]

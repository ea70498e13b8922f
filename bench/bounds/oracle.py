"""Somebody who has seen the very same roll a thousand times: what can be known from the pulses at all.

The oracle knows the tiles, the releases, the noise, and of which worlds the board is one. It weighs every
other world by how well it explains the pulses; what it then believes is, but for its sample, the best that
anybody could. How often two worlds that fit the same pulses end differently bounds every method, also those
not thought of yet (Cover and Hart, 1967).
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Final, Generic, TypeVar

from hextraction.controller.evaluation.intervals import Share, grouped

__all__ = ["Belief", "Guess", "believe", "disagreement", "guessed", "least_error", "sharpest", "silent_right"]

V = TypeVar("V", bound=Hashable)

_ENOUGH: Final = 12.0
"""So many worlds must fit before a sharper look is taken for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief(Generic[V]):
    """What is believed of a roll: each verdict with its share, the likeliest first.

    ``worlds`` is how many worlds fit, as if all that fit did so equally well.
    """

    shares: tuple[tuple[V, float], ...]
    worlds: float

    @property
    def sure(self) -> float:
        """How sure the likeliest verdict is: a few worlds that agree are no proof (rule of succession)."""
        return self.shares[0][1] * self.worlds / (self.worlds + 1.0)

    def share_of(self, verdict: V) -> float:
        """Return how likely a verdict was thought to be."""
        return dict(self.shares).get(verdict, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """One roll guessed at: on which setup, how sure, and whether right.

    ``truth`` is how likely the truth was thought, ``worlds`` how many worlds fitted.
    """

    setup: int
    sure: float
    right: bool
    truth: float = 0.0
    worlds: float = 0.0


def believe(fits: Sequence[float], verdicts: Sequence[V]) -> Belief[V]:
    """Weigh worlds by the logarithms of how well they fit."""
    best = max(fits)
    weights = [exp(one - best) for one in fits]
    whole = sum(weights)
    shares: dict[V, float] = defaultdict(float)
    for verdict, weight in zip(verdicts, weights, strict=True):
        shares[verdict] += weight / whole
    ranked = tuple(sorted(shares.items(), key=lambda one: -one[1]))
    return Belief(shares=ranked, worlds=whole * whole / sum(weight * weight for weight in weights))


def sharpest(looks: Sequence[Callable[[], Belief[V]]]) -> Belief[V]:
    """Return the first belief that enough worlds share, looking sharply first; else the last."""
    for look in looks[:-1]:
        found = look()
        if found.worlds >= _ENOUGH:
            return found
    return looks[-1]()


def least_error(disagree: float) -> float:
    """Return the least share of errors that any method can have (Cover and Hart's inequality).

    ``disagree`` is how often two rolls that look the same have different verdicts, however many there are.
    """
    return 1 - sqrt(max(0.0, 1 - disagree))


def guessed(belief: Belief[V], truth: V, setup: int) -> Guess:
    """Compare a belief with the truth."""
    return Guess(
        setup=setup,
        sure=belief.sure,
        right=belief.shares[0][0] == truth,
        truth=belief.share_of(truth),
        worlds=belief.worlds,
    )


def disagreement(guesses: Sequence[Guess]) -> float:
    """Return how often a world that fits the pulses as well as the true one ends otherwise."""
    return max(0.0, 1 - sum(guess.truth for guess in guesses) / len(guesses))


def silent_right(guesses: Sequence[Guess], asked: float) -> Share:
    """Return how many are right when silent if the least sure share ``asked`` of all rolls is asked about."""
    ranked = sorted(guesses, key=lambda guess: -guess.sure)
    silent = ranked[: len(ranked) - round(asked * len(ranked))]
    return grouped((guess.setup, guess.right, 1) for guess in silent)

"""Fits how often the tracker is right to what its accounts weigh, in worlds drawn for tuning.

    python -m bench.calibrate [--rolls N] [--worlds NAME,...] [--jobs N]

Prints, for announced and unannounced rolls, how often it was right by what it said, and then the tables
that ``controller/tracking/sureness.py`` should have: how often a verdict with a share of the weight is right
when two balls move, and what each doubling of the balls adds to its log odds. They are fitted by logistic
regression, a little held to saying what the share is, and made to rise.
"""

import argparse
import sys
from collections.abc import Sequence
from math import exp, log2

from hextraction.controller.tracking.sureness import SHARES, as_right, log_odds, risen
from hextraction.controller.workshop.trials.judging.evaluate import Result
from hextraction.controller.workshop.trials.making.dataset import Condition

from bench.held_out import judged, reliability

__all__ = ["fitted", "main", "share_of"]

TUNING = tuple(f"drawn-{number}" for number in range(161, 201))
"""Worlds for tuning to which no cost was fitted: where one was, the tracker is right more often."""
_HALVES = 40
_MOST = 0.985
"""What is as sure as the tracker ever says is left out: it says no more, however right it is."""
_HOLDS = 1.0
"""Each figure of the table is held to its share as by so many rolls of even odds."""
_NEWTON_STEPS = 12

Row = tuple[float, int, bool]
"""The share of the weight, of how many balls, and whether the verdict was right."""


def share_of(said: float, balls: int, *, announced: bool) -> float:
    """Return the share of the weight with which the tracker says this : it rises."""
    low, high = 0.0, 1.0
    for _half in range(_HALVES):
        middle = (low + high) / 2
        low, high = (middle, high) if as_right(middle, balls, announced=announced) < said else (low, middle)
    return (low + high) / 2


def fitted(rows: Sequence[Row]) -> tuple[list[float], float]:
    """Return how often each of the shares is right when two balls move, and what a doubling adds."""
    knots = [log_odds(share) for share in SHARES]
    points = [
        ([*_hats(log_odds(share), knots), log2(balls) - 1.0], share, right) for share, balls, right in rows
    ]
    start = [*knots, 0.0]
    weights = list(start)
    many = len(weights)
    for _step in range(_NEWTON_STEPS):
        slope = [_HOLDS / 4 * (weight - held) for weight, held in zip(weights, start, strict=True)]
        bend = [[_HOLDS / 4 * (i == j) for j in range(many)] for i in range(many)]
        for point, share, right in points:
            beyond = _beyond(log_odds(share), knots)
            said = 1 / (1 + exp(-beyond - sum(w * x for w, x in zip(weights, point, strict=True))))
            for i in range(many):
                slope[i] += (said - right) * point[i]
                for j in range(many):
                    bend[i][j] += said * (1 - said) * point[i] * point[j]
        weights = [weight - step for weight, step in zip(weights, _solved(bend, slope), strict=True)]
    return [1 / (1 + exp(-weight)) for weight in _rising(weights[:-1])], weights[-1]


def _hats(at: float, knots: Sequence[float]) -> list[float]:
    """Return how much each knot of a table counts at a place; together 1."""
    inside = min(max(at, knots[0]), knots[-1])
    return [
        risen(inside, [(knot, float(number == other)) for other, knot in enumerate(knots)])
        for number in range(len(knots))
    ]


def _beyond(at: float, knots: Sequence[float]) -> float:
    """Return by how much a place is beyond the ends of a table, where it is as steep as 1."""
    return at - min(max(at, knots[0]), knots[-1])


def _rising(values: Sequence[float]) -> list[float]:
    """Return values that rise: neighbours that fall are replaced by their mean."""
    groups: list[list[float]] = []
    for value in values:
        groups.append([value])
        while len(groups) > 1 and _mean(groups[-2]) > _mean(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    return [_mean(group) for group in groups for _value in group]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a small system of linear equations (Gauss, the matrix positive definite)."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, row in enumerate(rows):
        for other in rows[i + 1 :]:
            factor = other[i] / row[i]
            other[i:] = [b - factor * a for a, b in zip(row[i:], other[i:], strict=True)]
    found = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        known = sum(rows[i][j] * found[j] for j in range(i + 1, len(rows)))
        found[i] = (rows[i][-1] - known) / rows[i][i]
    return found


def _rows(results: dict[Condition, Result], *, announced: bool) -> list[Row]:
    return [
        (share_of(max(roll.probability, 1e-3), one.balls, announced=announced), one.balls, roll.right)
        for one, result in results.items()
        for roll in result.rolls
        if one.announced is announced and roll.probability < _MOST
    ]


def main(arguments: list[str] | None = None) -> int:
    """Play, fit and print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rolls", type=int, default=40, metavar="N", help="rolls of each world and number")
    parser.add_argument("--worlds", default=",".join(TUNING), metavar="NAME,...")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args(arguments)
    found = [
        Condition(balls=balls, rolls=options.rolls, stay=4, announced=heard, variant=world, seed=options.seed)
        for heard in (True, False)
        for balls in (1, 2, 4)
        for world in options.worlds.split(",")
    ]
    results = judged(options, found)
    print("\n".join(reliability(results)))
    print(f"{'share of the weight':21}", *(f"{share:6.3f}" for share in SHARES), " a doubling adds")
    for announced in (True, False):
        rights, doubling = fitted(_rows(results, announced=announced))
        head = f"right, {'announced' if announced else 'unannounced'}"
        print(f"{head:21}", *(f"{right:6.3f}" for right in rights), f" {doubling:+.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Fits how often the tracker is right to what its accounts weigh, in worlds drawn for tuning.

    python -m bench.calibrate [--rolls N] [--worlds NAME,...] [--jobs N]

Prints, for announced and unannounced rolls, how often it was right by what it said, and the logistic
regression of being right on the log odds of what it said and on the number of balls. If what it says is as
sure as it is right, the constant and the weight of the balls are near 0 and that of its own log odds near 1.
``_RIGHT`` in ``controller/tracking/questions.py`` has the product of such fits.
"""

import argparse
import sys
from collections.abc import Sequence
from math import exp, log, log2

from hextraction.controller.app.trials.dataset import Condition
from hextraction.controller.app.trials.evaluate import Result

from bench.held_out import judged, reliability

__all__ = ["fitted", "main"]

TUNING = tuple(f"drawn-{number}" for number in range(1, 17))
_STEPS = 40
_MOST = 0.985
"""What is as sure as the tracker ever says is left out: it says no more, however right it is."""

Row = tuple[float, int, bool]
"""What was said, of how many balls, and whether it was right."""


def fitted(rows: Sequence[Row]) -> tuple[float, float, float]:
    """Return constant, weight of each doubling of the balls, and weight of the log odds (Newton's method)."""
    points = [((1.0, log2(balls), log(said / (1 - said))), right) for said, balls, right in rows]
    weights = [0.0, 0.0, 1.0]
    for _step in range(_STEPS):
        slope = [0.0] * 3
        bend = [[1e-6 * (i == j) for j in range(3)] for i in range(3)]
        for point, right in points:
            said = 1 / (1 + exp(-sum(weight * x for weight, x in zip(weights, point, strict=True))))
            for i in range(3):
                slope[i] += (said - right) * point[i]
                for j in range(3):
                    bend[i][j] += said * (1 - said) * point[i] * point[j]
        weights = [weight - step for weight, step in zip(weights, _solved(bend, slope), strict=True)]
    return weights[0], weights[1], weights[2]


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


def _rows(results: dict[Condition, Result]) -> list[Row]:
    return [
        (max(roll.probability, 1e-3), one.balls, roll.right)
        for one, result in results.items()
        for roll in result.rolls
        if roll.probability < _MOST
    ]


def main(arguments: list[str] | None = None) -> int:
    """Play, fit and print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rolls", type=int, default=60, metavar="N", help="rolls of each world and number")
    parser.add_argument("--worlds", default=",".join(TUNING), metavar="NAME,...")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=8)
    options = parser.parse_args(arguments)
    found = [
        Condition(balls=balls, rolls=options.rolls, stay=4, announced=heard, variant=world, seed=options.seed)
        for heard in (True, False)
        for balls in (1, 2, 4)
        for world in options.worlds.split(",")
    ]
    results = judged(options, found)
    print("\n".join(reliability(results)))
    constant, doubling, own = fitted(_rows(results))
    print(f"constant {constant:+.3f}, each doubling of the balls {doubling:+.3f}, log odds {own:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Fits the tracker's figures: what really happened is to be as likely as can be among its accounts.

    python -m bench.fit_costs --to FILE [--from FILE] [--worlds 1-40] [--rolls N] [--balls 2,4] [--hold 1]
                              [--unannounced] [--jobs N]

One step. Rolls are played in worlds drawn for tuning; each account knows how its cost changes with every
figure (:mod:`bench.slopes`). All figures then move together, none by more than about a step of its own size,
and each is held to what it was at first. Costs are not linear: from what one step wrote the next may begin.
How much of the gain is luck is told by fitting three quarters of the worlds and judging the fourth. People
put the result into the code: they round, keep what hardly moved, and keep what has to be alike on both sides.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from math import log
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from scipy.optimize import minimize

from bench.slopes import FIGURES, MOVED, Slope, exp, learn_slopes

__all__ = ["main", "step_of"]

_MOST: Final = 60
"""Verdicts of a roll that are kept, the likeliest."""
_FARTHEST: Final = 1.2
_LEAST: Final = 1e-4
"""What really happened is never less likely than this: it may not be among the accounts at all."""
_PARTS: Final = 4


class Seen(NamedTuple):
    """The verdicts of one roll: minus the log of the weight of each, its slopes, and whether it is right."""

    world: int
    costs: list[float]
    slopes: list[dict[str, float]]
    right: list[bool]


def step_of(name: str, value: float) -> float:
    """Return how far a figure may be moved to be about as much another one as any other figure."""
    size = abs(value)
    if size >= 1000:  # microseconds
        return 0.15 * size
    if name.startswith(("odds.", "stays.")) or size < 1.3:  # shares, spreads, small prices
        return 0.3 * size
    return 0.5


# --- Playing ---


def _seen(work: tuple[Any, int], announced: bool) -> list[Seen]:  # noqa: FBT001 - for a pool
    """Play a board and return what the tracker thought of each of its rolls."""
    from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
    from hextraction.controller.workshop.trials.judging.following import follow
    from hextraction.controller.workshop.trials.labelled import read_labelled
    from hextraction.controller.workshop.trials.making.dataset import one_board

    condition, number = work
    world = int(condition.variant.partition("-")[2])
    weighed = _listen()
    found = []
    for lines in one_board(condition, number):
        for roll in read_labelled(lines, load_tiles(), first=1):
            weighed.clear()
            if len(follow(roll, announced=announced).rolls) == 1 and weighed:
                found.append(_judged(world, weighed[-1], roll))
    return found


def _listen() -> list[list[tuple[Any, Slope]]]:
    """Return a list to which each settlement from now on adds its verdicts with their costs."""
    from hextraction.controller.tracking import questions, settle

    weighed: list[list[tuple[Any, Slope]]] = []

    def weigh(endings: Any, verdict_of: Any) -> Any:
        best = min(float(story.cost) for story in endings)
        weights: dict[Any, Any] = {}
        for story in endings:
            verdict = verdict_of(story)
            weights[verdict] = weights.get(verdict, 0.0) + exp((best - story.cost) / questions.DOUBT)
        likeliest = sorted(weights.items(), key=lambda one: -float(one[1]))[:_MOST]
        weighed.append([(verdict, Slope(float(weight), weight.by)) for verdict, weight in likeliest])
        plain = [story._replace(cost=float(story.cost)) for story in endings]
        return questions.weigh(plain, verdict_of)

    vars(settle)["weigh"] = weigh
    return weighed


def _judged(world: int, weighed: list[tuple[Any, Slope]], roll: Any) -> Seen:
    from hextraction.controller.evaluation.verdict import verdict_of

    truth, slots = verdict_of(roll.truth.facts, roll.ground), roll.trace.board.slot_names
    true = (
        truth.loops,
        dict(truth.triggers),
        dict(truth.balls),
        Counter(slot for slot in truth.lost if slot),
        truth.won,
    )
    costs, slopes, right = [], [], []
    for verdict, weight in weighed:
        told = (
            frozenset(slots[slot] for slot in verdict.loops),
            {slots[slot]: count for slot, count in verdict.rung},
            dict(Counter(slots[slot] for slot in verdict.at)),
            Counter(slots[slot] for slot in verdict.lost),
            bool(verdict.zones),
        )
        costs.append(-log(float(weight)))
        slopes.append({name: -slope / float(weight) for name, slope in weight.by.items()})
        right.append(told == true)
    return Seen(world, costs, slopes, right)


# --- Fitting ---


def _tells(roll: Seen) -> bool:
    """Whether a roll has an account of what happened, and another one."""
    return any(roll.right) and len(roll.right) > 1


class _Rolls:
    """The loss of some rolls, and its gradient, as all figures move by so many of their steps."""

    def __init__(self, rolls: Sequence[Seen], names: Sequence[str], steps: np.ndarray) -> None:
        kept = [roll for roll in rolls if _tells(roll)]
        at = {name: number for number, name in enumerate(names)}
        many = sum(len(roll.right) for roll in kept)
        self._slopes = np.zeros((many, len(names)), np.float32)
        row = 0
        for roll in kept:
            for slopes in roll.slopes:
                for name, slope in slopes.items():
                    self._slopes[row, at[name]] = slope * steps[at[name]]
                row += 1
        lengths = [len(roll.right) for roll in kept]
        self._first = (np.cumsum(lengths) - lengths).astype(int)
        self._roll = np.repeat(np.arange(len(kept)), lengths)
        self._costs = np.array([cost for roll in kept for cost in roll.costs])
        self._right = np.array([right for roll in kept for right in roll.right])
        self._slopes -= self._slopes[self._first][self._roll]  # of differences: what all pay moves nothing

    def loss(self, moved: np.ndarray) -> tuple[float, np.ndarray]:
        """Return minus the log likelihood of what really happened, and its gradient."""
        weights = -(self._costs + self._slopes @ moved)
        weights = np.exp(weights - np.maximum.reduceat(weights, self._first)[self._roll])
        right = np.where(self._right, weights, 0.0)
        whole, true = np.add.reduceat(weights, self._first), np.add.reduceat(right, self._first)
        share = true / whole
        pulls = weights / whole[self._roll] - right / np.maximum(true, 1e-300)[self._roll]
        pulls *= (share > _LEAST)[self._roll]
        return -np.log(np.maximum(share, _LEAST)).sum(), -(pulls @ self._slopes).astype(float)


def _moved(parts: Sequence[_Rolls], before: np.ndarray, hold: float) -> np.ndarray:
    """Return by how many steps each figure is moved: the least loss, held to where all began."""

    def loss(moved: np.ndarray) -> tuple[float, np.ndarray]:
        losses = [part.loss(moved) for part in parts]
        away = moved + before
        gradient = sum((gradient for _loss, gradient in losses), start=hold * away)
        return sum(one for one, _gradient in losses) + hold / 2 * float(away @ away), gradient

    limits = [(-_FARTHEST, _FARTHEST)] * len(before)
    start = np.zeros(len(before))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=limits, options={"maxiter": 100})
    return np.asarray(found.x)


def _fit(rolls: Sequence[Seen], hold: float) -> dict[str, float]:
    names = sorted({name for roll in rolls for slopes in roll.slopes for name in slopes})
    first = {name: FIGURES[name] - MOVED.get(name, 0.0) for name in names}
    steps = np.array([step_of(name, first[name]) for name in names])
    before = np.array([MOVED.get(name, 0.0) for name in names]) / steps
    worlds = (tuple(roll for roll in rolls if roll.world % _PARTS == part) for part in range(_PARTS))
    parts = [_Rolls(some, names, steps) for some in worlds if any(_tells(roll) for roll in some)]
    start = np.zeros(len(names))
    losses = [part.loss(start)[0] for part in parts]
    gained = 0.0
    for number, part in enumerate(parts):
        others = [other for other in parts if other is not part]
        gained += losses[number] - part.loss(_moved(others, before, hold))[0]
    moved = _moved(parts, before, hold)
    gain = sum(losses) - sum(part.loss(moved)[0] for part in parts)
    print(f"{len(rolls)} rolls, minus log likelihood {sum(losses):.1f}")
    print(f"expected gain {gain:.1f}; of worlds that were left out {gained:.1f}")
    for name, step, by in sorted(zip(names, steps, moved, strict=True), key=lambda one: -abs(one[2]))[:30]:
        print(f"  {name:32} {FIGURES[name]:10.4g} -> {FIGURES[name] + by * step:10.4g}")
    return {
        name: MOVED.get(name, 0.0) + float(by * step)
        for name, step, by in zip(names, steps, moved, strict=True)
    }


def main(arguments: list[str] | None = None) -> int:
    """Play, fit, print and write; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--to", type=Path, required=True, metavar="FILE", help="by how much figures moved")
    parser.add_argument("--from", dest="begun", type=Path, metavar="FILE", help="what a step before wrote")
    parser.add_argument("--worlds", default="1-40", metavar="A-B", help="numbers below 500")
    parser.add_argument("--rolls", type=int, default=40, metavar="N", help="rolls of each world and number")
    parser.add_argument("--balls", default="2,4", metavar="N,...")
    parser.add_argument("--hold", type=float, default=1.0, help="how firmly figures are held")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--unannounced", action="store_true")
    options = parser.parse_args(arguments)
    first, _, last = options.worlds.partition("-")
    if begun := options.begun:
        MOVED.update(json.loads(begun.read_text(encoding="utf-8")))
    learn_slopes()
    from hextraction.controller.workshop.trials.making.dataset import Condition, workers
    from hextraction.simulator.variant import FIRST_JUDGE

    numbers = range(int(first), int(last or first) + 1)
    if numbers.stop > FIRST_JUDGE:
        parser.error(f"--worlds: want numbers below {FIRST_JUDGE}, found {options.worlds}: those judge")
    stay = 4
    work = [
        (
            Condition(
                balls=int(balls), rolls=options.rolls, stay=stay, variant=f"drawn-{number}", seed=options.seed
            ),
            board,
        )
        for balls in options.balls.split(",")
        for number in numbers
        for board in range(-(-options.rolls // stay))
    ]
    play = partial(_seen, announced=not options.unannounced)
    with workers(options.jobs) as pool:
        found = map(play, work) if pool is None else pool.map(play, work, chunksize=2)
        rolls = [roll for board in found for roll in board]
    import hextraction.controller.tracking.tracker  # noqa: F401 - now the figures are known here, too

    options.to.write_text(json.dumps(_fit(rolls, options.hold), indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

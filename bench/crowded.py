"""What an edge and a settlement cost the tracker when many balls lie about.

    python -m bench.crowded [--lying 18] [--boards 6]

Balls are rolled over boards on which others lie anywhere. Measured is the time of this thread alone, so that
a busy machine hardly matters: of each edge until its provisional facts, of each edge with all accounts, of
settling.
"""

import argparse
import random
import sys
import time

from hextraction.controller.evaluation.intervals import quantile
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.tracking import Tracker
from hextraction.controller.tracking.trace import take
from hextraction.controller.workshop.trials.labelled import LabelledRoll, read_labelled
from hextraction.controller.workshop.trials.making.dataset import Condition, one_board

__all__ = ["main"]

_ROLLS = 3


def timed(roll: LabelledRoll, lying: int, rng: random.Random) -> tuple[list[float], list[float], list[float]]:
    """Return the milliseconds of each edge, of each edge with all accounts, and of each settlement."""
    trace, clock = roll.trace, time.thread_time_ns
    tracker = Tracker(trace.board, trace.sensors)
    tracker.lay(trace.tiles)
    tiles = sorted(trace.tiles)
    tracker.put_balls({number: rng.choice(tiles) for number in range(1, lying + 1)})
    while tracker.think_ahead():
        pass
    edges: list[float] = []
    accounts: list[float] = []
    settled: list[float] = []
    for step in trace.steps:
        while (wake_us := tracker.wake_at_us) is not None and wake_us < step.at_us:
            tracker.advance(wake_us)
        began = clock()
        take(tracker, step)
        told = clock()
        while tracker.think_ahead():
            pass
        edges.append((told - began) / 1e6)
        accounts.append((clock() - began) / 1e6)
    while (wake_us := tracker.wake_at_us) is not None:
        began = clock()
        tracker.advance(wake_us)
        settled.append((clock() - began) / 1e6)
    return edges, accounts, settled


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lying", type=int, default=18, metavar="N")
    parser.add_argument("--boards", type=int, default=6, metavar="N")
    options = parser.parse_args(arguments)
    catalogue = load_tiles()
    print("lying  rolled  edge p99  edge with all accounts, mean  settled p99   (milliseconds)")
    for lying, balls in ((0, 1), (options.lying, 1), (options.lying, 2), (options.lying, 4)):
        edges: list[float] = []
        accounts: list[float] = []
        settled: list[float] = []
        condition = Condition(balls=balls, stay=_ROLLS, seed=5, variant="drawn-3")
        for board in range(options.boards):
            rng = random.Random(board)
            rolls = (
                roll for lines in one_board(condition, board) for roll in read_labelled(lines, catalogue)
            )
            for roll in rolls:
                one, all_of_it, whole = timed(roll, lying, rng)
                edges += one
                accounts += all_of_it
                settled += whole
        mean = sum(accounts) / len(accounts)
        ends = f"{quantile(settled, 0.99):11.1f}"
        print(f"{lying:5}  {balls:6}  {quantile(edges, 0.99):8.3f}  {mean:28.3f}  {ends}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

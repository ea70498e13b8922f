"""Judges the tracker in worlds that nothing was tuned to: after asking, asked, and right in silence.

    python -m bench.held_out [--rolls N] [--worlds NAME,...] [--balls 1,2,4] [--layout rich] [--tune] [--each]

Each world is drawn by its number (docs/simulator.md): friction, restitution, tilt from 8 to 30 degrees, how
tiles are drawn and printed, where sensors sit, how far they see and what they miss. ``rails-N`` is another
physics, written from the formulas. Numbers from 500 on judge; ``--tune`` takes numbers below, for whoever
changes the tracker. ``--each`` prints every world for itself. Worlds differ more than boards do, so
intervals take the rolls of one world to be alike; those of a single world, the rolls of one board.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from hextraction.controller.evaluation.intervals import calibration, quantile
from hextraction.controller.evaluation.score import Judged, summary
from hextraction.controller.workshop.trials.judging.evaluate import Result, judge_board
from hextraction.controller.workshop.trials.making.dataset import Condition, workers
from hextraction.simulator.variant import FIRST_JUDGE, variant_named

JUDGES = tuple(f"{kind}-{number}" for kind in ("drawn", "rails") for number in range(501, 521))
TUNING = tuple(f"drawn-{number}" for number in range(1, 9))


def conditions(options: argparse.Namespace, worlds: Iterable[str]) -> list[Condition]:
    """Return what to judge: every world with so many balls, announced and unannounced."""
    return [
        Condition(
            layout=options.layout,
            balls=int(balls),
            rolls=options.rolls,
            announced=announced,
            variant=world,
            stay=4,
            seed=options.seed,
        )
        for announced in (True, False)
        for balls in options.balls.split(",")
        for world in worlds
    ]


def judged(options: argparse.Namespace, found: Sequence[Condition]) -> dict[Condition, Result]:
    """Play and judge, a board at a time."""
    results = {condition: Result(title=condition.title) for condition in found}
    work = [(one, board) for one in found for board in range(-(-one.rolls // one.stay))]
    with workers(options.jobs) as pool:
        play = partial(map) if pool is None else partial(pool.map, chunksize=4)
        for (condition, _board), part in zip(work, play(_judged, work), strict=True):
            results[condition].add(part)
    return results


def _judged(work: tuple[Condition, int]) -> Result:
    return judge_board(*work)


def table(results: dict[Condition, Result], *, each: bool) -> Iterable[str]:
    """Yield the table: one line for each number of balls, over all worlds, or for each world."""
    named = ("right after asking", "after one answer", "asked", "asked again", "right when silent")
    heads = "  ".join(f"{name:18}" for name in named) + "  edge p99"
    yield f"{'':28}  {'rolls':>5}  {heads}"
    groups: dict[tuple[bool, int, str], list[Result]] = {}
    for one, result in results.items():
        kind = one.variant if each else one.variant.partition("-")[0]
        groups.setdefault((not one.announced, one.balls, kind), []).append(result)
        if not each:
            groups.setdefault((not one.announced, one.balls, "all"), []).append(result)
    for (quietly, balls, kind), some in sorted(groups.items()):
        rolls = _by_world(some)
        told = summary(rolls)
        live = [us for result in some for us in result.times.live_us]
        title = f"{balls} ball{'s' * (balls > 1)}{', unannounced' * quietly}, {kind}"
        shares = (told.after_asking, told.after_one, told.asked, told.asked_again, told.when_silent)
        cells = "  ".join(f"{share!s:18}" for share in shares)
        yield f"{title:28}  {len(rolls):5}  {cells}  {quantile(live, 0.99) / 1e3:.2f} ms"


def _by_world(results: Sequence[Result]) -> list[Judged]:
    """Return the rolls of some results; if those are of several worlds, by world instead of by board."""
    if len(results) == 1:
        return results[0].rolls
    return [replace(roll, table=world) for world, result in enumerate(results) for roll in result.rolls]


def reliability(results: dict[Condition, Result]) -> Iterable[str]:
    """Yield how often the tracker was right, by what it said."""
    yield "Said, before asking     rolls  mean said  right               off by"
    for quietly in (False, True):
        some = [(one.variant, result) for one, result in results.items() if one.announced is not quietly]
        told = [(roll.probability, roll.right) for _world, result in some for roll in result.rolls]
        for part in calibration(told, [world for world, result in some for _roll in result.rolls]):
            off = 100 * (part.right.value - part.claimed)
            head = f"{'unannounced' if quietly else 'announced':11} {part.low:.2f}-{part.high:.2f}"
            yield f"{head}  {part.right.of:6}  {part.claimed:9.3f}  {part.right!s:18}  {off:+.1f}"


def _in_short(worlds: Sequence[str]) -> str:
    """Return the names of worlds; of those of one kind with numbers in a row, the first and the last."""
    found = []
    for kind, some in groupby(worlds, key=lambda world: world.partition("-")[0]):
        names = list(some)
        row = [f"{kind}-{number}" for number in range(_number(names[0]), _number(names[0]) + len(names))]
        found += [f"{names[0]} to {names[-1]}"] if len(names) > 2 and names == row else names
    return ", ".join(found)


def _number(world: str) -> int:
    return int(world.partition("-")[2] or 0)


def main(arguments: list[str] | None = None) -> int:
    """Judge and print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rolls", type=int, default=40, metavar="N", help="rolls of each world and number")
    parser.add_argument("--worlds", default="", metavar="NAME,...")
    parser.add_argument("--balls", default="1,2,4", metavar="N,...")
    parser.add_argument("--layout", default="rich")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tune", action="store_true", help=f"worlds below {FIRST_JUDGE}")
    parser.add_argument("--each", action="store_true", help="every world for itself")
    options = parser.parse_args(arguments)
    worlds = options.worlds.split(",") if options.worlds else TUNING if options.tune else JUDGES
    for world in worlds:
        variant_named(world)
    results = judged(options, conditions(options, worlds))
    print("\n".join([f"Worlds: {_in_short(worlds)}", "", *table(results, each=options.each), ""]))
    print("\n".join(reliability(results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

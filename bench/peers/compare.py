"""The tracker beside others on the same rolls: naive, Stone Soup (GNN and MHT), and an integer programme.

    python -m bench.peers.compare [--rolls N] [--mht-rolls N] [--balls 1,2,4] [--layout rich]
                                  [--worlds drawn-501,rails-501] [FILE ...]

Counted are rolls with a wrong verdict; nobody hears of gates. Peers do not ask, so all are counted three
times: before anybody is asked; in the rolls in which this tracker asks nothing (*silent*); and beside this
tracker once people have answered its questions, as a table meets it (*asked*). Few rolls share a board, so
that they say more; ratios come with an interval over boards. Stone Soup lives in the bench's own environment;
without it that row is left out. docs/evaluation-method.md says how each is set up.
"""

import argparse
import json
import random
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from hextraction.controller.evaluation.intervals import grouped, quantile, ratio_interval
from hextraction.controller.evaluation.score import TrackedRoll, judge, summary
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.tracking.trace import split_traces
from hextraction.controller.workshop.trials.judging.following import follow, told_of
from hextraction.controller.workshop.trials.labelled import read_labelled
from hextraction.controller.workshop.trials.making.dataset import Condition, labelled_rolls

from bench.peers import ilp, naive, sequences

ROOT = Path(__file__).parents[2]
_AIM = 10
"""So many times as often as ours, once it has asked, the nearest ball is to be wrong."""
BENCH_PYTHON = ROOT / ".bench-venv" / "bin" / "python"


def pulses_of(trace: Any) -> Any:
    """Return (sensor, on, off) of each pulse after the start, in order; what is on at the start is known."""
    on: dict[str, int] = {}
    found: list[list[Any]] = []
    for edge in trace.edges:
        if edge.active:
            on[edge.sensor] = len(found)
            found.append([edge.sensor, edge.at_us, None])
        elif edge.sensor in on:
            found[on.pop(edge.sensor)][2] = edge.at_us
    return [tuple(pulse) for pulse in found if pulse[1] > 0]


class Ours:
    """The tracker of this project."""

    name = "this tracker"

    def facts(self, roll: Any) -> Any:
        """Return its account and the milliseconds it took."""
        followed = follow(roll, announced=False)
        times = followed.times
        spent_us = sum(times.live_us) + sum(times.settle_us)
        return told_of(followed, roll), spent_us / 1e3


class Naive:
    """Nearest ball."""

    name = "nearest ball"

    def facts(self, roll: Any) -> Any:
        """Return its account and the milliseconds it took."""
        trace, pulses = roll.trace, pulses_of(roll.trace)
        places = sequences.sensor_places(trace.board, trace.sensors)
        balls = {ball: places[f"slot {slot}"] for ball, slot in trace.balls.items()}
        began = time.perf_counter()
        ways = naive.track(places, balls, pulses)
        facts = sequences.facts_of_ways(trace.board, trace.balls, pulses, ways)
        return TrackedRoll(facts=tuple(facts)), (time.perf_counter() - began) * 1e3


class Soup:
    """Stone Soup in its own environment, one roll a line."""

    def __init__(self, method: Any, title: Any) -> None:
        self.name = title
        self.failed = 0
        self._method = method
        self.most: int | None = None
        self._worker: subprocess.Popen[str] | None = None

    def facts(self, roll: Any) -> Any:
        """Return its account and the milliseconds it took."""
        trace, pulses = roll.trace, pulses_of(roll.trace)
        if self._worker is None:
            command = [str(BENCH_PYTHON), str(ROOT / "bench" / "peers" / "soup.py"), self._method]
            self._worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            _say(self._worker, sequences.sensor_places(trace.board, trace.sensors))
        _say(self._worker, {"balls": dict(trace.balls), "pulses": pulses})
        answer = json.loads(self._worker.stdout.readline() if self._worker.stdout is not None else "")
        self.failed += bool(answer["wrong"])
        if answer["wrong"] and self.failed == 1:
            print(f"{self.name}: {answer['wrong']}", file=sys.stderr)
        ways = {int(ball): own for ball, own in answer["ways"].items()}
        facts = sequences.facts_of_ways(trace.board, trace.balls, pulses, ways)
        return TrackedRoll(facts=tuple(facts)), answer["ms"]

    def close(self) -> None:
        """End its process."""
        if self._worker is not None:
            self._worker.communicate()


def _say(worker: "subprocess.Popen[str]", value: Any) -> None:
    if worker.stdin is not None:
        worker.stdin.write(json.dumps(value) + "\n")
        worker.stdin.flush()


class Programme:
    """The whole roll as one integer programme with the tracker's own costs."""

    name = "integer programme"

    def facts(self, roll: Any) -> Any:
        """Return its account and the milliseconds it took."""
        began = time.perf_counter()
        facts = ilp.track(roll.trace, pulses_of(roll.trace))
        return TrackedRoll(facts=tuple(facts)), (time.perf_counter() - began) * 1e3


def compare(title: Any, rolls: Any, sides: Any) -> None:
    """Judge every side on every roll, or the first few of them, and print a table."""
    judged: dict[str, list[Any]] = {side.name: [] for side in sides}
    took: dict[str, list[float]] = {side.name: [] for side in sides}
    for number, roll in enumerate(rolls, 1):
        for side in sides:
            if number > (getattr(side, "most", None) or len(rolls)):
                continue
            told, ms = side.facts(roll)
            judged[side.name].append(judge(told, roll.truth.facts, roll.ground, roll.truth.table))
            took[side.name].append(ms)
        if number % 50 == 0:
            print(f"  {title}: {number} rolls", file=sys.stderr, flush=True)
    ours = judged[sides[0].name]
    tables = len({one.table for one in ours})
    silent = sum(not one.asked for one in ours)
    print(f"\n{title}, {len(ours)} rolls on {tables} boards; wrong: rolls with a wrong verdict")
    print(f"silent: wrong in the {silent} rolls in which {sides[0].name} asks nothing\n")
    heads = (
        f"{'counts exact %':20}  {'wrong':5}  {'per cent':20}  {'x ours':16}  silent  {'x ours, asked':16}"
    )
    print(f"{'':22}  {'rolls':5}  {heads}  ms p50 / p99")
    for side in sides:
        print(_row(side.name, judged[side.name], ours, took[side.name]))
    print(f"{f'{sides[0].name}, asked':22}  {len(ours):5}  {'':20}  {sum(map(_wrong_after, ours)):5}")
    print(_aims(sides, judged))
    sys.stdout.flush()


def _wrong(roll: Any) -> bool:
    return not roll.right


def _wrong_after(roll: Any) -> bool:
    return bool(roll.wrong_after)


def _aims(sides: Any, judged: Any) -> str:
    """Return who is less often wrong on the same rolls, and how far behind the nearest ball is."""
    ours = judged[sides[0].name]
    said = []
    for where, kept in (("before asking", {False, True}), ("in silence", {False})):
        better = []
        for side in sides[1:]:
            pairs = [pair for pair in zip(judged[side.name], ours, strict=False) if pair[1].asked in kept]
            if sum(_wrong(their) for their, _our in pairs) < sum(_wrong(our) for _their, our in pairs):
                better.append(side.name)
        said.append(f"{where} {', '.join(better) or 'nobody'} less often wrong")
    naive_wrong = sum(map(_wrong, judged[Naive.name]))
    before = naive_wrong / max(1, sum(map(_wrong, ours)))
    after = naive_wrong / max(1, sum(map(_wrong_after, ours)))
    met = "met" if after >= _AIM else "not met"
    behind = f"the nearest ball {before:.1f} times as often before asking, {after:.1f} after ({met}: {_AIM})"
    return "; ".join([*said, behind])


def _row(name: Any, judged: Any, ours: Any, took: Any) -> str:
    one = summary(judged)
    wrong = sum(map(_wrong, judged))
    share = grouped((roll.table, not roll.right, 1) for roll in judged)
    same = ours[: len(judged)]
    ratio = "-" if judged is ours else _ratio(judged, same, _wrong)
    asked = _ratio(judged, same, _wrong_after)
    silent = sum(_wrong(their) for their, our in zip(judged, same, strict=True) if not our.asked)
    times = f"{quantile(took, 0.5):.1f} / {quantile(took, 0.99):.1f}"
    return (
        f"{name:22}  {len(judged):5}  {one.exact!s:20}  {wrong:5}  {share!s:20}  {ratio:16}  "
        f"{silent:6}  {asked:16}  {times}"
    )


def _ratio(theirs: Any, ours: Any, ours_wrong: Any) -> str:
    """Return how many times as many rolls they have wrong, with the interval over boards drawn anew."""
    pairs: dict[Any, list[int]] = {}
    for their, our in zip(theirs, ours, strict=True):
        pair = pairs.setdefault(their.table, [0, 0])
        pair[0] += _wrong(their)
        pair[1] += ours_wrong(our)
    them, us = (sum(pair[side] for pair in pairs.values()) for side in (0, 1))
    low, high = ratio_interval([(pair[0], pair[1]) for pair in pairs.values()])
    return f"{them / us:.1f} [{low:.1f}-{high:.1f}]" if us else f"{them} to 0 [{low:.1f}-{high:.1f}]"


def conditions(options: Any) -> Any:
    """Yield (title, rolls) of each condition or file."""
    tiles = load_tiles()
    for path in options.files:
        with path.open(encoding="utf-8") as file:
            parts = [part for _first, part in split_traces(file)]
        yield path.stem, [roll for part in parts for roll in read_labelled(part, tiles)]
    worlds = options.worlds.split(",")
    for balls in [] if options.files else [int(word) for word in options.balls.split(",")]:
        rolls = []
        for number, world in enumerate(worlds):
            one = Condition(
                layout=options.layout,
                noise=options.noise,
                balls=balls,
                rolls=-(-options.rolls // len(worlds)),
                seed=options.seed,
                stay=options.stay,
                announced=False,
                variant=world,
            )
            for lines in labelled_rolls(one):
                for roll in read_labelled(lines, tiles):
                    board = 100_000 * number + (roll.truth.table or 0)
                    rolls.append(replace(roll, truth=msgspec.structs.replace(roll.truth, table=board)))
        title = one.title if len(worlds) == 1 else f"{one.layout}, {balls} balls, {len(worlds)} worlds"
        random.Random(0).shuffle(rolls)  # MHT follows only the first: let them be of all worlds
        yield title, rolls


def main(arguments: list[str] | None = None) -> int:
    """Compare; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="labelled rolls instead of new ones"
    )
    parser.add_argument("--rolls", type=int, default=200, metavar="N")
    parser.add_argument("--balls", default="1,2,4", metavar="N,...")
    parser.add_argument("--layout", default="rich")
    parser.add_argument("--noise", default="standard")
    parser.add_argument("--worlds", default="standard", metavar="NAME,...", help="worlds of the physics")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stay", type=int, default=2, metavar="N", help="rolls on one board (default 2)")
    parser.add_argument(
        "--mht-rolls", type=int, default=60, metavar="N", help="MHT takes seconds: only so many rolls"
    )
    parser.add_argument("--without", default="", metavar="NAMES", help="leave out: soup, ilp")
    options = parser.parse_args(arguments)
    sides: list[Any] = [Ours(), Naive()]
    soups: list[Soup] = []
    if "soup" not in options.without:
        if BENCH_PYTHON.exists():
            soups = [Soup("gnn", "Stone Soup, GNN"), Soup("mht", "Stone Soup, MHT (MFA)")]
            soups[1].most = options.mht_rolls
        else:
            print("No .bench-venv: Stone Soup is left out (see `make bench`).", file=sys.stderr)
    sides += soups
    if "ilp" not in options.without:
        sides.append(Programme())
    for title, rolls in conditions(options):
        compare(title, rolls, sides)
    for soup in soups:
        soup.close()
        if soup.failed:
            print(f"{soup.name} failed on {soup.failed} rolls.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

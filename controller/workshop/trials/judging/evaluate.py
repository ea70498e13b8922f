"""``hextraction evaluate``: how accurate and how sure the tracker is, how often it asks, how long it takes.

It judges the given files, or else makes a smaller set of its own from a seed, with the conditions for which
we promise results first. docs/evaluation-method.md explains each column.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from hextraction.controller.evaluation.multi_object import Roll
from hextraction.controller.evaluation.score import Judged, judge
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.tracking.trace import TraceError, split_traces
from hextraction.controller.workshop.checking import first_problems, text_lines
from hextraction.controller.workshop.terminal import progress, remark, tell
from hextraction.controller.workshop.trials import ROLL_FILES
from hextraction.controller.workshop.trials.judging.following import Times, follow, told_of
from hextraction.controller.workshop.trials.judging.reporting import numbers, report_lines
from hextraction.controller.workshop.trials.labelled import read_labelled
from hextraction.controller.workshop.trials.making.dataset import Condition, one_board, workers

__all__ = ["OWN_SET", "Result", "judge_board", "judge_rolls", "run"]

T = TypeVar("T")

_CHUNK: Final = 25
_FRAMED: Final = 60
"""How many rolls of each condition are put into frames for the multi-object tracking metrics."""

OWN_SET: Final = (
    *(
        Condition(balls=balls, rolls=240, announced=announced)
        for announced in (True, False)
        for balls in (1, 2, 4)
    ),
    Condition(noise="none", rolls=160),
    Condition(noise="heavy", rolls=160),
    Condition(known=False, rolls=160),
    *(
        Condition(layout=layout, balls=balls, rolls=120)
        for layout in ("lean", "basic")
        for balls in (1, 2, 4)
    ),
    *(Condition(layout=layout, rolls=120) for layout in ("edges", "three-halls")),
)
"""The conditions judged if no files are named: about ten minutes on one core at most.

Gates announce each release unless the title says otherwise.
"""


@dataclass(slots=True, kw_only=True)
class Result:
    """The result of one condition; ``framed`` are some of its rolls for the multi-object tracking metrics."""

    title: str
    rolls: list[Judged] = field(default_factory=list)
    times: Times = field(default_factory=Times)
    framed: list[Roll] = field(default_factory=list)

    def add(self, other: "Result") -> None:
        """Add more rolls of the same condition."""
        self.rolls += other.rolls
        self.times.add(other.times)
        self.framed += other.framed[: max(0, _FRAMED - len(self.framed))]


def judge_rolls(title: str, rolls: Iterable[tuple[int, list[str]]], *, announced: bool = True) -> Result:
    """Judge rolls, each given as its first line number and the lines of its trace and truth.

    ``announced``: the tracker hears announced releases, if there are any.

    Raises:
        TraceError: a roll has a mistake.
    """
    found, catalogue = Result(title=title), load_tiles()
    for first, lines in rolls:
        for roll in read_labelled(lines, catalogue, first=first):
            followed = follow(roll, announced=announced)
            told = told_of(followed, roll)
            found.rolls.append(judge(told, roll.truth.facts, roll.ground, roll.truth.table))
            found.times.add(followed.times)
            found.framed.append((roll.truth.facts, told.facts, roll.ground.balls))
    return found


def judge_board(condition: Condition, number: int) -> Result:
    """Play one board of a condition and judge its rolls."""
    return judge_rolls(condition.title, ((1, lines) for lines in one_board(condition, number)))


def _of_condition(condition: Condition, pool: Executor | None) -> Result:
    boards = range(-(-condition.rolls // condition.stay))
    return _together(condition.title, _spread(pool, partial(judge_board, condition), boards))


def _of_file(path: Path, pool: Executor | None, *, announced: bool) -> Result:
    rolls = list(split_traces(text_lines(path)))
    if not rolls:
        raise TraceError([f"{path}: line 1: want labelled rolls (docs/trace.md), found nothing"])
    chunks = [rolls[first : first + _CHUNK] for first in range(0, len(rolls), _CHUNK)]
    title = path.name.removesuffix(".xz").removesuffix(".jsonl") + ("" if announced else "-unannounced")
    try:
        return _together(title, _spread(pool, partial(judge_rolls, title, announced=announced), chunks))
    except TraceError as error:
        raise TraceError(first_problems(path, error.problems)) from None


def _spread(pool: Executor | None, work: Callable[[T], Result], items: Iterable[T]) -> Iterator[Result]:
    return map(work, items) if pool is None else pool.map(work, items)


def _together(title: str, parts: Iterable[Result]) -> Result:
    found = Result(title=title)
    for part in parts:
        found.add(part)
    return found


def run(options: argparse.Namespace) -> int:
    """Evaluate; return the exit status."""
    try:
        with workers(options.jobs) as pool:
            results = list(_results(options, pool))
    except TraceError as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        tell(numbers(results))
    else:
        print("\n".join(report_lines(results)))
    if options.plot is not None:
        from hextraction.controller.workshop.trials.judging.charts import draw_results  # noqa: PLC0415 - matplotlib is heavy

        draw_results(results, options.plot)
        print(f"{options.plot}: drawn", file=sys.stderr)
    return 0


def _results(options: argparse.Namespace, pool: Executor | None) -> Iterator[Result]:
    """Judge file by file or condition by condition; report progress on standard error."""
    files = [path for named in options.files for path in _files_in(named)]
    heard = not options.unannounced
    own = [] if options.files else [_scaled(condition, options) for condition in _own(options)]
    jobs: list[Callable[[], Result]] = [partial(_of_file, path, pool, announced=heard) for path in files]
    jobs += [partial(_of_condition, condition, pool) for condition in own]
    began = time.monotonic()
    for number, job in enumerate(progress(jobs, "conditions"), 1):
        found = job()
        took_s = time.monotonic() - began
        right = sum(roll.right for roll in found.rolls)
        remark(f"[{number}/{len(jobs)}, {took_s:.0f} s] {found.title}: {right} of {len(found.rolls)} right")
        yield found


def _own(options: argparse.Namespace) -> Iterable[Condition]:
    """Return the requested conditions of its own set, each once."""
    if options.unannounced:
        return dict.fromkeys(replace(condition, announced=False) for condition in OWN_SET)
    return [condition for condition in OWN_SET if condition.announced or not options.announced]


def _scaled(condition: Condition, options: argparse.Namespace) -> Condition:
    return replace(condition, seed=options.seed, rolls=max(1, round(condition.rolls * options.scale)))


def _files_in(named: Path) -> list[Path]:
    return sorted(path for kind in ROLL_FILES for path in named.glob(kind)) if named.is_dir() else [named]

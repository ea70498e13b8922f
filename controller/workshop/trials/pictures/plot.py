"""``hextraction plot``: draw each roll of a trace as the tracker understands it.

Above, the board with each ball's way over the tiles and how often each tile was touched; below, when each
sensor was on. A dashed part was seen by no sensor: the tracker inferred it.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence

from hextraction.board.facts import RollSettled
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.tracking import Tracker
from hextraction.controller.tracking.trace import Trace, TraceEdge, TraceError, read_trace, split_traces, take
from hextraction.controller.workshop.checking import first_problems, text_lines
from hextraction.controller.workshop.terminal import progress
from hextraction.controller.workshop.trials.pictures.roll_picture import roll_picture

__all__ = ["Rolled", "rolls_of", "run"]


def run(options: argparse.Namespace) -> int:
    """Draw; return the exit status."""
    try:
        catalogue = load_catalogue(options.own_tiles)
        parts = list(split_traces(text_lines(options.trace))) or [(1, [])]
        traces = [read_trace(part, catalogue, first=first) for first, part in parts]
    except TraceError as error:
        print("\n".join(first_problems(options.trace, error.problems)), file=sys.stderr)
        return 2
    output = options.output or options.trace.with_suffix(".svg")
    drawn = 0
    for number, (trace, settled, edges, balls) in enumerate(progress(_all(traces), "rolls"), 1):
        if options.roll in {None, number}:
            path = output if drawn == 0 else output.with_stem(f"{output.stem}-{number}")
            path.write_text(roll_picture(trace, settled, edges, balls, f"roll {number}"), encoding="utf-8")
            print(path)
            drawn += 1
    if not drawn:
        wanted = "rolls" if options.roll is None else f"roll {options.roll}"
        print(f"hextraction plot: no {wanted} in {options.trace}", file=sys.stderr)
    return 0 if drawn else 2


Rolled = tuple[Trace, RollSettled, Sequence[TraceEdge], Mapping[int, str]]
"""The trace, the settlement, the edges of that roll, and the balls at rest before it."""


def _all(traces: Sequence[Trace]) -> Iterator[Rolled]:
    for trace in traces:
        yield from rolls_of(trace)


def rolls_of(trace: Trace) -> Iterator[Rolled]:
    """Track a trace and return its rolls."""
    tracker = Tracker(trace.board, trace.sensors)
    tracker.lay(trace.tiles)
    tracker.put_balls(trace.balls)
    heard: list[TraceEdge] = []
    resting = dict(trace.balls)
    for step in (*trace.steps, None):
        while (wake_us := tracker.wake_at_us) is not None and (step is None or wake_us < step.at_us):
            for fact in tracker.advance(wake_us):
                if isinstance(fact, RollSettled):
                    yield trace, fact, tuple(heard), resting
                    heard, resting = [], dict(tracker.resting)
        if step is not None:
            take(tracker, step)
        if isinstance(step, TraceEdge):
            heard.append(step)

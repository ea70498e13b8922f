"""How often a sensor that has gone silent is found within an evening, and how often a sound one is blamed.

    python -m bench.silent [--evenings N] [--worlds NAME,...] [--rolls 6] [--balls 1]

An evening is six rolls on one board of a drawn world (docs/simulator.md) with its noise, followed by one
tracker. The sensor that reported in most of its rolls, in three at least, reports nothing: once it is a ball
Hall, once a beam between slots.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence

from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.tracking import Tracker
from hextraction.controller.tracking.trace import TraceEdge, TraceRelease
from hextraction.controller.workshop.trials.labelled import LabelledRoll, read_labelled
from hextraction.controller.workshop.trials.making.dataset import Condition, one_board

__all__ = ["evening", "main", "most_heard"]

JUDGES = ("drawn-501", "drawn-502", "drawn-503", "drawn-504")
_BETWEEN_US = 60_000_000
_OFTEN = 3


def most_heard(rolls: Iterable[LabelledRoll], kind: str) -> str | None:
    """Return the sensor of a kind (``ball.``, ``edge.``) that reported in most rolls, three at least."""
    heard = Counter(
        sensor
        for roll in rolls
        for sensor in sorted({edge.sensor for edge in roll.trace.edges if edge.active and edge.at_us})
        if sensor.startswith(kind)
    )
    sensor, often = max(heard.items(), key=lambda found: found[1], default=("", 0))
    return sensor if often >= _OFTEN else None


def evening(rolls: Sequence[LabelledRoll], dead: str) -> list[frozenset[str]]:
    """Let one tracker follow rolls in which a sensor reports nothing; return who is silent after each."""
    board, names = rolls[0].trace.board, rolls[0].trace.sensors
    tracker, on, found = Tracker(board, names), set[str](), list[frozenset[str]]()
    for number, roll in enumerate(rolls, 1):
        from_us = number * _BETWEEN_US
        for sensor in sorted(on):
            tracker.feed(sensor, active=False, at_us=from_us)
        on.clear()
        tracker.lay(roll.trace.tiles)
        tracker.put_balls(roll.trace.balls)
        for step in roll.trace.steps:
            at_us = from_us + step.at_us
            _wait(tracker, at_us)
            if isinstance(step, TraceRelease):
                tracker.expect(step.release, at_us)
            elif isinstance(step, TraceEdge) and step.sensor != dead:
                (on.add if step.active else on.discard)(step.sensor)
                if not (step.active and not step.at_us and tracker.cover(step.sensor)):
                    tracker.feed(step.sensor, step.active, at_us)
        _wait(tracker, None)
        found.append(frozenset(name for name, why in tracker.doubted.items() if why == "silent"))
    return found


def _wait(tracker: Tracker, until_us: int | None) -> None:
    while (wake_us := tracker.wake_at_us) is not None and (until_us is None or wake_us < until_us):
        tracker.advance(wake_us)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--evenings", type=int, default=10, metavar="N", help="of each world")
    parser.add_argument("--worlds", default=",".join(JUDGES), metavar="NAME,...")
    parser.add_argument("--rolls", type=int, default=6, metavar="N")
    parser.add_argument("--balls", type=int, default=1, metavar="N")
    options = parser.parse_args(arguments)
    catalogue, rolls_in_all = load_tiles(), 0
    dead, found, blamed = Counter[str](), Counter[str](), 0
    for world in options.worlds.split(","):
        condition = Condition(balls=options.balls, stay=options.rolls, variant=world, seed=6)
        for board in range(options.evenings):
            rolls = [one for lines in one_board(condition, board) for one in read_labelled(lines, catalogue)]
            for kind in ("ball.", "edge."):
                sensor = most_heard(rolls, kind)
                if sensor is None:
                    continue
                silent = evening(rolls, sensor)
                dead[kind] += 1
                found[kind] += sensor in silent[-1]
                blamed += len(frozenset().union(*silent) - {sensor})
                rolls_in_all += len(rolls)
    print(f"Evenings of {options.rolls} rolls of {options.balls} in {options.worlds}")
    for kind, name in (("ball.", "ball Halls"), ("edge.", "beams")):
        print(f"silent {name:10}  found in {found[kind]} of {dead[kind]} evenings")
    print(f"sound sensors blamed: {blamed} in {rolls_in_all} rolls")
    return 0


if __name__ == "__main__":
    sys.exit(main())

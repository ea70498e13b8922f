"""The two pictures of docs/evaluation-method.md that compare layouts and show how time grows.

    python bench/tracking_plots.py [--rolls N] [--folder docs/images]

``tracking-sensors.svg``: sensors against verdicts right, for each layout and one, two and four balls.
``tracking-growth.svg``: the time that a settled roll takes against balls, sensors and pulses in the roll.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from hextraction.board.profile import load_board
from hextraction.controller.evaluation.intervals import quantile
from hextraction.controller.evaluation.score import summary
from hextraction.controller.workshop.trials.judging.charts import draw_growth, draw_sensors
from hextraction.controller.workshop.trials.judging.evaluate import Result, judge_board
from hextraction.controller.workshop.trials.making.dataset import Condition
from hextraction.controller.workshop.trials.making.layouts import LAYOUTS, part_count

BALLS = (1, 2, 4)
MORE_BALLS = (1, 2, 3, 4, 6, 8)


def judged(condition: Condition) -> Result:
    """Play and judge the boards of a condition."""
    found = Result(title=condition.title)
    for number in range(-(-condition.rolls // condition.stay)):
        found.add(judge_board(condition, number))
    print(f"{condition.title}: {len(found.rolls)} rolls", file=sys.stderr, flush=True)
    return found


def settle_ms(result: Result) -> list[float]:
    """Return the times of all settlements."""
    return [one / 1e3 for one in result.times.settle_us]


def both(times: list[float]) -> tuple[float, float]:
    """Return median and 99th percentile."""
    return quantile(times, 0.5), quantile(times, 0.99)


def growth(results: dict[Any, Result], rolls: int) -> dict[str, list[tuple[float, float, float]]]:
    """Return the points of the three panels."""
    board = load_board()
    by_balls = [
        (float(balls), *both(settle_ms(judged(Condition(balls=balls, rolls=rolls))))) for balls in MORE_BALLS
    ]
    by_sensors = sorted(
        (float(part_count(layout, board)), *both(settle_ms(results[layout, 2]))) for layout in LAYOUTS
    )
    long = [one for balls in BALLS for one in results["rich", balls].times.by_pulses]
    steps = [(low, low + 15) for low in range(0, 150, 15)]
    by_length = []
    for low, high in steps:
        some = [ms for pulses, ms in long if low <= pulses < high]
        if len(some) >= 5:
            by_length.append((low + 7.5, *both(some)))
    return {"balls let go": by_balls, "sensors (2 balls)": by_sensors, "pulses in the roll": by_length}


def main(arguments: list[str] | None = None) -> int:
    """Measure and draw; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rolls", type=int, default=160, metavar="N", help="rolls of each condition")
    parser.add_argument("--folder", type=Path, default=Path("docs/images"))
    options = parser.parse_args(arguments)
    board = load_board()
    results = {
        (layout, balls): judged(Condition(layout=layout, balls=balls, rolls=options.rolls))
        for layout in LAYOUTS
        for balls in BALLS
    }
    points = [
        (
            layout,
            part_count(layout, board),
            {balls: summary(results[layout, balls].rolls).verdicts for balls in BALLS},
        )
        for layout in LAYOUTS
    ]
    draw_sensors(points, options.folder / "tracking-sensors.svg")
    draw_growth(growth(results, options.rolls), options.folder / "tracking-growth.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())

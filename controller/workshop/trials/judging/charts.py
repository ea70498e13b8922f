"""Charts of evaluation results (matplotlib, imported nowhere else in the room)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hextraction.controller.evaluation.intervals import Share, calibration
from hextraction.controller.evaluation.score import summary
from hextraction.controller.workshop.trials.judging.reporting import Judgement

__all__ = ["GrowthPoint", "SensorPoint", "draw_growth", "draw_results", "draw_sensors"]

COLOURS: Final = ("#2f6fb7", "#c98a16", "#c8452f", "#8a4fa3", "#2f8f7a", "#6b5b4b")

SensorPoint = tuple[str, int, Mapping[int, Share]]
"""A layout, its number of sensors, and per number of balls the share of rolls with all verdicts right."""
GrowthPoint = tuple[float, float, float]
"""The varied quantity, and the median and 99th percentile of the time, in milliseconds."""


def draw_results(results: Sequence[Judgement], path: Path) -> None:
    """Draw per condition the verdicts right before and after asking, rolls with a question; calibration."""
    figure, (left, right) = _sheet(2, width=12.5, height=0.42 * len(results) + 2.2, ratios=(2.2, 1))
    rows = list(range(len(results)))[::-1]
    sums = [summary(result.rolls) for result in results]
    _dots(left, rows, [one.verdicts for one in sums], "right before asking", COLOURS[1])
    _dots(
        left,
        [row - 0.16 for row in rows],
        [one.after_asking for one in sums],
        "right after one question",
        COLOURS[0],
    )
    _dots(left, [row - 0.32 for row in rows], [one.asked for one in sums], "rolls with a question", "#a39b8a")
    left.set_yticks(rows, [result.title for result in results])
    left.set_xlabel("per cent of rolls, with 95 % interval")
    left.set_xlim(0, 101)
    left.grid(axis="x", color="#e4ddcc")
    left.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, frameon=False, fontsize=8)
    _calibrated(right, [(roll.probability, roll.right) for result in results for roll in result.rolls])
    _save(figure, path)


_ASIDE: Final = 0.7


def draw_sensors(points: Sequence[SensorPoint], path: Path) -> None:
    """Draw the share of right verdicts against sensors: one line per number of balls, one mark per layout."""
    figure, (plot,) = _sheet(1, width=7.6, height=4.8)
    balls = sorted({many for _layout, _count, shares in points for many in shares})
    ranked = sorted(points, key=lambda point: point[1])
    for colour, many in zip(COLOURS, balls, strict=False):
        found = [(count, shares[many]) for _layout, count, shares in ranked if many in shares]
        values = [100 * share.value for _count, share in found]
        errors = [[100 * (share.value - share.interval[0]) for _count, share in found],
                  [100 * (share.interval[1] - share.value) for _count, share in found]]  # fmt: skip
        name = f"{many} ball{'s' if many > 1 else ''}"
        aside = _ASIDE * (balls.index(many) - (len(balls) - 1) / 2)  # otherwise one bar hides the other
        counts = [count + aside for count, _share in found]
        plot.errorbar(counts, values, yerr=errors, marker="o", capsize=3, color=colour, label=name)
    low, high = plot.get_ylim()
    for layout, count, _shares in ranked:
        plot.axvline(count, color="#e4ddcc", zorder=0)
        plot.text(
            count,
            low + 0.01 * (high - low),
            f" {layout}",
            rotation=90,
            va="bottom",
            fontsize=9,
            color="#8d8574",
        )
    plot.set_ylim(low, min(101, high))
    plot.set_xlabel("sensors that hear balls (standard board)")
    plot.set_ylabel("every verdict right before asking, %")
    plot.legend(frameon=False)
    _save(figure, path)


def draw_growth(series: Mapping[str, Sequence[GrowthPoint]], path: Path) -> None:
    """Draw how the time to settle a roll grows with balls, sensors and pulses: one panel each."""
    figure, panels = _sheet(len(series), width=4.1 * len(series), height=3.9)
    for plot, (name, points) in zip(panels, series.items(), strict=True):
        across = [point[0] for point in points]
        plot.plot(across, [point[1] for point in points], marker="o", color=COLOURS[0], label="median")
        plot.plot(
            across, [point[2] for point in points], marker="o", color=COLOURS[2], label="99 of 100 below"
        )
        plot.set_xlabel(name)
        plot.set_ylim(bottom=0)
        plot.grid(color="#eee8da")
    panels[0].set_ylabel("settling a roll, ms")
    panels[0].legend(frameon=False)
    _save(figure, path)


def _sheet(
    panels: int, *, width: float, height: float, ratios: Sequence[float] | None = None
) -> tuple[Any, list[Any]]:
    import matplotlib as mpl  # noqa: PLC0415 - heavy, only for pictures

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "hextraction"  # the same numbers give the same file
    import matplotlib.pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(
        1,
        panels,
        figsize=(width, height),
        squeeze=False,
        layout="constrained",
        gridspec_kw={"width_ratios": ratios},
    )
    for plot in axes[0]:
        plot.spines[["top", "right"]].set_visible(False)
    return figure, list(axes[0])


def _save(figure: Any, path: Path) -> None:
    import matplotlib.pyplot as plt  # noqa: PLC0415

    metadata = {"Date": None} if path.suffix.lower() == ".svg" else None
    figure.savefig(path, dpi=140, metadata=metadata)
    plt.close(figure)


def _dots(plot: Any, rows: Sequence[float], shares: Sequence[Share], name: str, colour: str) -> None:
    values = [100 * share.value for share in shares]
    errors = [[100 * (share.value - share.interval[0]) for share in shares],
              [100 * (share.interval[1] - share.value) for share in shares]]  # fmt: skip
    plot.errorbar(values, rows, xerr=errors, fmt="o", markersize=5, color=colour, label=name, elinewidth=1.2)


def _calibrated(plot: Any, told: Sequence[tuple[float, bool]]) -> None:
    bins = calibration(told)
    plot.plot([0, 1], [0, 1], color="#ddd5c3", zorder=0)
    for one in bins:
        low, high = one.right.interval
        plot.plot([one.claimed, one.claimed], [low, high], color=COLOURS[0], linewidth=1.2)
        plot.plot(
            one.claimed, one.right.value, "o", color=COLOURS[0], markersize=3 + min(9, one.right.of**0.5 / 4)
        )
    plot.set_xlabel("how sure the tracker said it was")
    plot.set_ylabel("share of rolls right")
    plot.set_aspect("equal")

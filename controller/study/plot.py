"""Plots of a study: lengths, endings, and wins by place in turn order.

A file of its own because it alone needs matplotlib, which is imported late and may be missing.
"""

from pathlib import Path
from typing import Any

from hextraction.controller.study.report import Report
from hextraction.controller.version import how_to_install

__all__ = ["MissingPlotError", "draw_report"]


class MissingPlotError(Exception):
    """The plotting library is not installed; the message says what to do."""


def draw_report(report: Report, path: Path) -> None:
    """Plot a report to a file; the suffix (.png, .svg) sets the format.

    Raises:
        MissingPlotError: matplotlib is not installed.
        OSError: the file cannot be written.
    """
    try:
        from matplotlib import rc_context  # noqa: PLC0415 - large, and only plots want it
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        raise MissingPlotError(f"--plot needs matplotlib: {how_to_install('study')}") from None
    with rc_context({"svg.hashsalt": "hextraction", "font.size": 9}):
        figure = Figure(figsize=(11, 7), layout="constrained")
        axes = figure.subplot_mosaic([["turns", "endings"], ["shares", "shares"]])
        _draw_turns(axes["turns"], report)
        _draw_endings(axes["endings"], report)
        _draw_shares(axes["shares"], report)
        figure.suptitle(f"{report.games} games, seed {report.settings.seed}")
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _draw_turns(axes: Any, report: Report) -> None:
    axes.hist(report.turns, bins=40, color="#4477aa")
    axes.set_xlabel("turns")
    axes.set_ylabel("games")
    axes.set_title("How long games are")


def _draw_endings(axes: Any, report: Report) -> None:
    words = list(reversed(report.endings))
    axes.barh(words, [report.endings[word] for word in words], color="#228833")
    axes.set_xlabel("games")
    axes.set_title("Why games end")


def _draw_shares(axes: Any, report: Report) -> None:
    shares = report.shares
    places = range(len(shares))
    below = [one.share - one.low for one in shares]
    above = [one.high - one.share for one in shares]
    axes.errorbar(places, [one.share for one in shares], yerr=[below, above], fmt="o", color="#4477aa",
                  capsize=3, label="share of games won, 95 %")  # fmt: skip
    axes.plot(places, [1 / one.players for one in shares], "_", color="#ee6677", markersize=14, label="even")
    axes.set_xticks(list(places), [f"{one.place} of {one.players}" for one in shares], rotation=45)
    axes.set_ylim(bottom=0)
    axes.set_title("Wins by place in turn order")
    axes.legend()

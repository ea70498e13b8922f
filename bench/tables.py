"""What every benchmark shares: percentiles, tables, and the words under them.

Percentiles are of all samples of all passes together; ratios are medians of the passes' own ratios, since
two passes that ran one after the other met the same neighbours on a busy machine.
"""

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from os import cpu_count, getloadavg
from statistics import median

__all__ = ["Spread", "machine", "per_pass_ratio", "percentile", "ratio", "show"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Median and 99th percentile of some samples, in the samples' unit."""

    p50: float
    p99: float

    @classmethod
    def of(cls, samples: Sequence[float]) -> "Spread":
        """Take both from the samples; there must be one at least."""
        return cls(p50=percentile(samples, 50), p99=percentile(samples, 99))


def percentile(samples: Sequence[float], percent: float) -> float:
    """Return the nearest-rank percentile (0..100)."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def per_pass_ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the median of what ours is of theirs, pass by pass."""
    return median(mine / other for mine, other in zip(ours, theirs, strict=True))


def ratio(value: float | None) -> str:
    """Write a ratio for a table; None is a dash."""
    return "-" if value is None else f"{value:.2f}"


def machine() -> str:
    """Say in one line what this ran on; the load is of the last minute."""
    return (
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, "
        f"{cpu_count()} cores, load {getloadavg()[0]:.1f}"
    )


def show(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]], *notes: str) -> None:
    """Print a table: the first column to the left, numbers to the right, notes below."""
    widths = [max(len(row[column]) for row in (headings, *rows)) for column in range(len(headings))]
    print(f"\n{title}")
    for row in (headings, tuple("-" * width for width in widths), *rows):
        cells = [
            row[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
        ]
        print("  " + "  ".join(cells))
    for note in notes:
        print(f"  {note}")
    print(flush=True)

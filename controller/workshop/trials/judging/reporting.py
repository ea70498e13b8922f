"""What ``hextraction evaluate`` found: tables for people, numbers for programs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Protocol

from hextraction.controller.evaluation.intervals import Share, calibration, quantile
from hextraction.controller.evaluation.multi_object import Roll, multi_object
from hextraction.controller.evaluation.score import Judged, Summary, summary
from hextraction.controller.workshop.documents import ConditionNumbers, ShareOf
from hextraction.controller.workshop.trials.judging.following import Times

__all__ = ["Judgement", "numbers", "report_lines"]

_PARTS: Final = {
    "loops": "loop",
    "lost": "lost tile",
    "triggers": "trigger",
    "won": "win",
    "balls": "balls per tile",
}


class Judgement(Protocol):
    """The reported results of one condition."""

    title: str
    rolls: list[Judged]
    times: Times
    framed: list[Roll]


def report_lines(results: Sequence[Judgement]) -> Iterator[str]:
    """Yield the tables as text, shares in per cent with their 95 % intervals."""
    sums = {result.title: summary(result.rolls) for result in results}
    yield from _table(
        "Verdicts (per cent of rolls, 95 % interval by board; releases announced unless it says otherwise)",
        _verdicts(sums),
    )
    yield from _table("Each verdict right, before asking", _parts(sums))
    yield from _table("Time", (_times(result) for result in results))
    yield from _table("How sure, and how right (before asking)", _calibration(results))
    yield from _table("Multi-object metrics over frames of 50 ms", _multi_object(results))


def numbers(results: Sequence[Judgement]) -> dict[str, ConditionNumbers]:
    """Return everything for programs, by condition."""
    return {result.title: _numbers(result) for result in results}


Row = Mapping[str, str]


def _table(title: str, rows: Iterator[Row]) -> Iterator[str]:
    found = list(rows)
    if not found:
        return
    columns = list(found[0])
    widths = [max(len(name), *(len(row.get(name, "")) for row in found)) for name in columns]
    yield f"\n{title}"
    for row in ({name: name for name in columns}, *found):
        cells = [row.get(name, "").ljust(width) for name, width in zip(columns, widths, strict=True)]
        yield "  ".join(cells).rstrip()


def _verdicts(sums: Mapping[str, Summary]) -> Iterator[Row]:
    for title, one in sums.items():
        yield {
            "condition": title,
            "rolls": str(one.rolls),
            "counts exact": str(one.exact),
            "tiles wrong": str(one.tile_errors),
            "verdicts right": str(one.verdicts),
            "asked": str(one.asked),
            "asked again": str(one.asked_again),
            "after one answer": str(one.after_one),
            "right after asking": str(one.after_asking),
            "right when silent": str(one.when_silent),
            "Brier": f"{one.brier:.3f}",
        }


def _parts(sums: Mapping[str, Summary]) -> Iterator[Row]:
    for title, one in sums.items():
        yield {"condition": title, **{name: str(one.parts[part]) for part, name in _PARTS.items()}}


def _times(result: Judgement) -> Row:
    times = result.times
    edges = len(times.live_us)
    settled_ms = [one / 1e3 for one in times.settle_us]
    per_edge_ms = (sum(times.between_us) + sum(times.settle_us)) / 1e3 / edges if edges else float("nan")
    return {
        "condition": result.title,
        "edges a roll": f"{edges / max(1, len(result.rolls)):.1f}",
        "edge p50": f"{quantile(times.live_us, 0.5):.0f} us",
        "edge p99": f"{quantile(times.live_us, 0.99):.0f} us",
        "k-best an edge": f"{per_edge_ms:.2f} ms",
        "settled p50": f"{quantile(settled_ms, 0.5):.1f} ms",
        "settled p99": f"{quantile(settled_ms, 0.99):.1f} ms",
    }


def _calibration(results: Sequence[Judgement]) -> Iterator[Row]:
    """Pool all conditions, as a single one has too few doubtful rolls."""
    told = [(roll.probability, roll.right) for result in results for roll in result.rolls]
    for one in calibration(told):
        yield {
            "said": f"{one.low:.2f}-{one.high:.2f}",
            "rolls": str(one.right.of),
            "mean said": f"{one.claimed:.3f}",
            "right": str(one.right),
        }


def _multi_object(results: Sequence[Judgement]) -> Iterator[Row]:
    for result in results:
        try:
            found = multi_object(result.framed)
        except ImportError:
            return
        if found:
            switches = f"{found['num_switches'] / max(1, len(result.framed)):.2f}"
            yield {
                "condition": result.title,
                "rolls": str(len(result.framed)),
                "IDF1": f"{found['idf1']:.3f}",
                "MOTA": f"{found['mota']:.3f}",
                "switches a roll": switches,
            }


def _numbers(result: Judgement) -> ConditionNumbers:
    one = summary(result.rolls)
    shares = {
        "exact": one.exact,
        "tiles_wrong": one.tile_errors,
        "verdicts": one.verdicts,
        "asked": one.asked,
        "asked_again": one.asked_again,
        "after_one": one.after_one,
        "after_asking": one.after_asking,
        "when_silent": one.when_silent,
        **one.parts,
    }
    times = result.times
    return ConditionNumbers(
        rolls=one.rolls,
        **{name: _share(share) for name, share in shares.items()},
        brier=one.brier,
        edges=len(times.live_us),
        edge_us_p99=quantile(times.live_us, 0.99),
        edge_us_mean=sum(times.live_us) / max(1, len(times.live_us)),
        settle_us_p50=quantile(times.settle_us, 0.5),
        settle_us_p99=quantile(times.settle_us, 0.99),
        settle_us_total=sum(times.settle_us),
    )


def _share(share: Share) -> ShareOf:
    low, high = share.interval
    return ShareOf(hits=share.hits, of=share.of, low=low, high=high)

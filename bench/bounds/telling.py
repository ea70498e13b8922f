"""The tables of ``bench.bounds.measure``."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from hextraction.controller.evaluation.intervals import quantile

from bench.bounds.confusion import SORTS
from bench.bounds.looking import SURE
from bench.bounds.oracle import Guess, disagreement, least_error, silent_right
from bench.bounds.records import Record, share

__all__ = ["oracle_tables", "sensor_tables"]

MAY_ASK: Final = {1: 0.06, 2: 0.10, 4: 0.18}
"""Of so many rolls the tracker may ask, by balls let go; in between the next smaller number's."""

Row = dict[str, str]


def oracle_tables(records: Sequence[Record]) -> Iterator[str]:
    """Return what the oracle knew, what the tracker made of the same rolls, and where they part."""
    heard = [record for record in records if record.oracle is not None]
    by_look = _grouped(heard)
    yield from _table("What can be known from the pulses (per cent of rolls, 95 % interval by board)",
                      [_known(some) for some in by_look])  # fmt: skip
    yield from _table("What the oracle was wrong in, or could not tell (rolls)", _doubts(by_look))
    both = [some for some in by_look if some[0].tracker is not None]
    yield from _table("The tracker on the same rolls", [_tracker_beside(some) for some in both])
    for some in both:
        title = f"Asked or wrong, {some[0].balls} balls, {some[0].manner} worlds ({len(some)} rolls)"
        yield from _table(title, _sorts(some))


def sensor_tables(records: Sequence[Record]) -> Iterator[str]:
    """Return what the tracker made of the same rolls through other sensors."""
    some = _grouped([record for record in records if record.oracle is None])
    yield from _table("The tracker through other sensors (per cent of rolls, 95 % interval by board)",
                      [_sensed(part) for part in some])  # fmt: skip
    for part in some:
        if part[0].sensors == "rich":
            yield from _table(
                f"Asked or wrong, {part[0].balls} balls, rich ({len(part)} rolls)", _sorts(part)
            )


def _grouped(records: Sequence[Record]) -> list[list[Record]]:
    """Gather records by balls, manner and sensors, sensors in the order in which they came."""
    order = {name: number for number, name in enumerate(dict.fromkeys(one.sensors for one in records))}

    def key(one: Record) -> tuple[int, str, int]:
        return one.balls, one.manner, order[one.sensors]

    return [list(some) for _key, some in groupby(sorted(records, key=key), key)]


def _may_ask(balls: int) -> float:
    return MAY_ASK[max(number for number in MAY_ASK if number <= balls)]


def _known(some: Sequence[Record]) -> Row:
    guesses, fewer = _guesses(some), [one.fewer for one in some if one.fewer is not None]
    apart, apart_fewer = disagreement(guesses), disagreement(fewer)
    may = _may_ask(some[0].balls)
    return {
        **_of(some),
        "rolls": str(len(some)),
        "fit": f"{quantile([one.worlds for one in guesses], 0.5):.0f}",
        "oracle wrong": str(share(some, lambda one: one.oracle is not None and not one.oracle.right)),
        "look-alikes differ": f"{100 * apart_fewer:.1f} -> {100 * apart:.1f}",
        "least error": f"{100 * least_error(apart):.1f}",
        "would ask": str(share(some, lambda one: one.oracle is not None and one.oracle.sure < SURE)),
        "may ask": _asking(may),
        "right when silent": str(silent_right(guesses, may)),
    }


def _asking(may: float) -> str:
    return f"{100 * may:.0f} %"


def _guesses(some: Sequence[Record]) -> list[Guess]:
    return [one.oracle for one in some if one.oracle is not None]


def _tracker_beside(some: Sequence[Record]) -> Row:
    may = _may_ask(some[0].balls)
    tracker = [one.tracker for one in some if one.tracker is not None]
    return {
        "balls": str(some[0].balls),
        "worlds": some[0].manner,
        "rolls": str(len(some)),
        **_as_it_asks(some),
        "may ask": _asking(may),
        "tracker silent right": str(silent_right(tracker, may)),
        "oracle silent right": str(silent_right(_guesses(some), may)),
    }


def _as_it_asks(some: Sequence[Record]) -> Row:
    return {
        "right": str(share(some, _right)),
        "right after asking": str(share(some, lambda one: one.after)),
        "asked": str(share(some, lambda one: one.asked)),
        "right when silent": str(share(some, _right, lambda one: not one.asked)),
    }


def _right(one: Record) -> bool:
    return one.tracker is not None and one.tracker.right


def _sensed(some: Sequence[Record]) -> Row:
    return {
        "balls": str(some[0].balls),
        "sensors": some[0].sensors,
        "rolls": str(len(some)),
        **_as_it_asks(some),
    }


def _doubts(by_look: Sequence[Sequence[Record]]) -> list[Row]:
    """Count what the oracle doubted, through each set of sensors."""
    rows = []
    for some in by_look:
        found = Counter(one.doubt for one in some if one.doubt)
        wrong = Counter(one.doubt for one in some if one.oracle is not None and not one.oracle.right)
        named = {sort: f"{found[sort]} ({wrong[sort]} wrong)" for sort in SORTS if found[sort]}
        said = "; ".join(f"{sort}: {many}" for sort, many in named.items())
        rows.append({**_of(some), "rolls": str(len(some)), "in doubt": said or "-"})
    return rows


def _of(some: Sequence[Record]) -> Row:
    return {"balls": str(some[0].balls), "worlds": some[0].manner, "sensors": some[0].sensors}


def _sorts(some: Sequence[Record]) -> list[Row]:
    """Count rolls that were asked about or wrong by what was in doubt."""
    wrong_silent = [one for one in some if not one.asked and not _right(one)]
    counts = [
        ("asked, was right", Counter(one.sort for one in some if one.asked and _right(one))),
        ("asked, was wrong", Counter(one.sort for one in some if one.asked and not _right(one))),
        ("wrong in silence", Counter(one.sort for one in wrong_silent)),
        ("of these a question helps", Counter(one.sort for one in wrong_silent if one.helped)),
    ]
    if some[0].oracle is not None:
        told = Counter(one.sort for one in some if one.sort and _oracle_tells(one))
        counts.append(("the oracle tells", told))
    return [
        {"in doubt": sort, **{name: str(count[sort]) for name, count in counts}}
        for sort in SORTS
        if any(count[sort] for _name, count in counts)
    ]


def _oracle_tells(one: Record) -> bool:
    return one.oracle is not None and one.oracle.right and one.oracle.sure >= SURE


def _table(title: str, rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        return
    columns = list(rows[0])
    widths = [max(len(name), *(len(row[name]) for row in rows)) for name in columns]
    yield f"\n{title}"
    for row in ({name: name for name in columns}, *rows):
        yield "  ".join(row[name].ljust(width) for name, width in zip(columns, widths, strict=True)).rstrip()

"""The usual multi-object tracking metrics (IDF1, MOTA), from py-motmetrics, so that others can compare.

Frames are fifty milliseconds apart; an object is a ball on a slot, in an end zone or on a ramp. A ball and a
track match only if they are in the same place. The rules do not care which ball is which, so these numbers
are secondary (docs/evaluation-method.md); what counts are the verdicts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Fact,
)

__all__ = ["Roll", "frames", "multi_object"]

_FRAME_US: Final = 50_000

Roll = tuple[Sequence[Fact], Sequence[Fact], Mapping[int, str]]
"""True facts, reported facts, and the balls at rest before them."""
Frame = dict[int, str]
"""Ball -> where it is."""


def frames(facts: Iterable[Fact], balls: Mapping[int, str], times: Iterable[int]) -> Iterator[Frame]:
    """Yield where every ball is at each of the given times, in order."""
    waiting = sorted(facts, key=lambda fact: fact.at_us)
    where: Frame = dict(balls)
    done = 0
    for at_us in times:
        while done < len(waiting) and waiting[done].at_us <= at_us:
            _follow(where, waiting[done])
            done += 1
        yield dict(where)


def multi_object(rolls: Iterable[Roll]) -> dict[str, float]:
    """Return ``idf1``, ``mota`` and ``num_switches`` over all rolls; empty without any roll.

    Raises:
        ImportError: py-motmetrics is not installed (it comes with the extra ``study``).
    """
    import motmetrics  # noqa: PLC0415 - heavy, and only evaluation needs it

    books = [_book(motmetrics, *roll) for roll in rolls]
    if not books:
        return {}
    names = ["idf1", "mota", "num_switches"]
    table = motmetrics.metrics.create().compute_many(books, metrics=names, generate_overall=True)
    return {name: float(table.loc["OVERALL", name]) for name in names}


def _book(motmetrics: Any, truth: Sequence[Fact], told: Sequence[Fact], balls: Mapping[int, str]) -> Any:
    ends = [fact.at_us for fact in (*truth, *told)] or [0]
    times = range(min(ends), max(ends) + _FRAME_US, _FRAME_US)
    book = motmetrics.MOTAccumulator(auto_id=True)
    nowhere = float("nan")
    for here, there in zip(frames(truth, balls, times), frames(told, balls, times), strict=True):
        apart = [[0.0 if place == other else nowhere for other in there.values()] for place in here.values()]
        book.update(list(here), list(there), apart)
    return book


def _follow(where: Frame, fact: Fact) -> None:
    if isinstance(fact, BallEntered):
        where[fact.ball] = fact.slot
    elif isinstance(fact, BallInZone):
        where[fact.ball] = f"zone {fact.zone}"
    elif isinstance(fact, BallReleased | BallStuckOnRamp):
        where[fact.ball] = f"ramp {fact.ramp}"
    elif isinstance(fact, BallFell | BallOffBoard):
        where.pop(fact.ball, None)

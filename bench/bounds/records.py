"""Rolls guessed at and judged, kept as JSON Lines, so that several short runs make one table."""

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
from hextraction.controller.evaluation.intervals import Share, grouped
from hextraction.controller.workshop.trials.labelled import LabelledRoll

from bench.bounds.oracle import Guess
from bench.bounds.tracked import tracked

__all__ = ["Record", "append", "read", "share", "with_tracker"]


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One roll through one set of sensors.

    ``manner``: of which worlds the oracle knew that the board is one. ``setup``: which board it was played
    on. ``fewer``: what somebody thought who had seen a quarter of the worlds. ``asked``, ``after`` (right
    after one question), ``sort`` and ``helped`` (:mod:`.tracked`) are the tracker's. ``doubt`` is the sort of
    what the oracle was wrong in, or what it could not tell apart.
    """

    balls: int
    sensors: str
    manner: str = ""
    setup: int
    oracle: Guess | None = None
    doubt: str = ""
    fewer: Guess | None = None
    tracker: Guess | None = None
    asked: bool = False
    after: bool = False
    sort: str = ""
    helped: bool = True


def with_tracker(record: Record, roll: LabelledRoll) -> Record:
    """Add what the tracker makes of a roll."""
    found = tracked(roll)
    judged = found.judged
    return msgspec.structs.replace(
        record,
        tracker=Guess(setup=record.setup, sure=judged.probability, right=judged.right),
        asked=judged.asked,
        after=not judged.wrong_after,
        sort=found.sort,
        helped=found.helped,
    )


def append(path: Path, records: Iterable[Record]) -> None:
    """Add records to a file."""
    with path.open("ab") as file:
        file.writelines(msgspec.json.encode(record) + b"\n" for record in records)


def read(path: Path) -> list[Record]:
    """Read all records of a file; none if there is no such file."""
    if not path.exists():
        return []
    return [msgspec.json.decode(line, type=Record) for line in path.read_bytes().splitlines()]


def share(
    records: Iterable[Record], hit: Callable[[Record], bool], of: Callable[[Record], bool] = lambda _one: True
) -> Share:
    """Return how many of some records are a hit, with an interval that allows for boards."""
    return grouped((record.setup, int(hit(record)), 1) for record in records if of(record))

"""Labelled rolls: traces with the truth behind them, as JSON Lines (docs/trace.md, docs/evaluation.md).

A file is any number of traces one after another, each with its own first line, its edges, and one line
``{"truth": …}``. Plain tracking skips the truth.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import msgspec
from hextraction.board.facts import Fact
from hextraction.board.profile import Board
from hextraction.controller.evaluation.verdict import Ground
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN, Catalogue
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.trace import (
    LATEST_US,
    LineError,
    Trace,
    TraceError,
    is_truth,
    read_line,
    read_trace,
    split_traces,
    write_trace,
)

__all__ = ["LabelledRoll", "Truth", "labelled_lines", "read_labelled"]

Tiles = dict[str, tuple[str, int]]
"""Slot -> tile and turns, as in the first line of a trace."""


class Truth(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What really happened: facts in order, and the tiles that really lay there.

    ``table`` is the number of the board on which it happened, if several rolls share a board.
    """

    facts: tuple[Fact, ...]
    tiles: Tiles
    table: int | None = None


class _Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    truth: Truth


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRoll:
    """One roll: the sensors' edges and the layout, beside what really happened."""

    trace: Trace
    truth: Truth
    ground: Ground


def labelled_lines(
    trace: Trace, facts: Iterable[Fact], tiles: Mapping[str, Laid], table: int | None = None
) -> Iterator[str]:
    """Return one labelled roll as lines without line ends; ``tiles`` are those that really lie there."""
    yield from write_trace(trace)
    named = {slot: (laid.tile.name, laid.turns) for slot, laid in tiles.items()}
    yield msgspec.json.encode(_Line(truth=Truth(facts=tuple(facts), tiles=named, table=table))).decode()


def read_labelled(lines: Iterable[str], catalogue: Catalogue, *, first: int = 1) -> Iterator[LabelledRoll]:
    """Yield labelled rolls, one at a time; ``first`` is the number of the first line.

    Raises:
        TraceError: a roll has a mistake or no truth.
    """
    for begin, part in split_traces(lines):
        yield _read_roll(part, catalogue, begin + first - 1)


def _read_roll(part: list[str], catalogue: Catalogue, first: int) -> LabelledRoll:
    trace = read_trace(part, catalogue, first=first)
    written = [(number, line) for number, line in enumerate(part, first) if is_truth(line)]
    if len(written) != 1:
        raise TraceError([f"line {first}: want one line of truth in each roll, found {len(written)}"])
    number, line = written[0]
    try:
        truth = read_line(line, _Line).truth
    except LineError as error:
        raise TraceError([f"line {number}: {error}"]) from None
    problems = list(_problems(truth, trace.board, catalogue))
    if problems:
        raise TraceError(f"line {number}: {problem}" for problem in problems)
    return LabelledRoll(trace=trace, truth=truth, ground=_ground(trace, truth, catalogue))


def _problems(truth: Truth, board: Board, catalogue: Catalogue) -> Iterator[str]:
    """Report what in the truth is not on this board or in no catalogue."""
    for slot, (name, turns) in truth.tiles.items():
        if slot not in board.by_name or turns not in range(6):
            yield f"truth.tiles: want a slot: [tile, turns 0..5], found {slot!r}: {[name, turns]}"
        if name not in catalogue and name != UNKNOWN.name:
            yield f"truth.tiles: no tile is called {name!r}"
    places = {
        "slot": {*board.by_name},
        "ramp": {*board.ramp_by_name},
        "zone": {zone.name for zone in board.zones},
    }
    for at_us in sorted({fact.at_us for fact in truth.facts if not 0 <= fact.at_us <= LATEST_US}):
        yield f"truth.facts: want at_us 0..2^53, found {at_us}"
    named = {(sort, getattr(fact, sort, None)) for fact in truth.facts for sort in places}
    for sort, place in sorted(named, key=repr):
        if place is not None and place not in places[sort]:
            yield f"truth.facts: {board.name} has no {sort} {place!r}"


def _ground(trace: Trace, truth: Truth, catalogue: Catalogue) -> Ground:
    rings = {
        slot for slot, (name, _turns) in truth.tiles.items() if name in catalogue and catalogue[name].sets_off
    }
    return Ground(tiled=frozenset(truth.tiles), triggers=frozenset(rings), balls=trace.balls)

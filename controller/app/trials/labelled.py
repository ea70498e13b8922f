"""Labelled rolls: traces with the truth behind them, as JSON Lines (docs/trace.md, docs/evaluation.md).

A file is any number of traces one after another, each with its own first line, its edges, and one line
``{"truth": …}``. Whoever only tracks passes over the truth.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
from hextraction.board.facts import Fact
from hextraction.board.tiles import UNKNOWN, Catalogue, Trigger
from hextraction.controller.evaluation.verdict import Ground
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.trace import Trace, TraceError, read_trace, split_traces, write_trace

__all__ = ["LabelledRoll", "Truth", "labelled_lines", "read_labelled", "read_labelled_file"]

Tiles = dict[str, tuple[str, int]]
"""Slot -> tile and turns, as in the first line of a trace."""


class Truth(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What truly happened: facts in order, and the tiles that really lay there.

    ``table`` is the number of the board on which it happened, where several rolls share one.
    """

    facts: tuple[Fact, ...]
    tiles: Tiles
    table: int | None = None


class _Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    truth: Truth


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRoll:
    """One roll: what the sensors said and how the board stood, beside what happened."""

    trace: Trace
    truth: Truth
    ground: Ground


def labelled_lines(
    trace: Trace, facts: Iterable[Fact], tiles: Mapping[str, Laid], table: int | None = None
) -> Iterator[str]:
    """Write one labelled roll as lines without line ends; ``tiles`` are those that really lie there."""
    yield from write_trace(trace)
    named = {slot: (laid.tile.name, laid.turns) for slot, laid in tiles.items()}
    yield msgspec.json.encode(_Line(truth=Truth(facts=tuple(facts), tiles=named, table=table))).decode()


def read_labelled(lines: Iterable[str], catalogue: Catalogue) -> Iterator[LabelledRoll]:
    """Read labelled rolls, one at a time.

    Raises:
        TraceError: a roll has a mistake or no truth.
    """
    for first, part in split_traces(lines):
        written = [(number, line) for number, line in enumerate(part, first) if _is_truth(line)]
        if len(written) != 1:
            raise TraceError([f"line {first}: want one line of truth in each roll, found {len(written)}"])
        number, line = written[0]
        try:
            truth = msgspec.json.decode(line, type=_Line).truth
        except msgspec.DecodeError as error:
            raise TraceError([f"line {number}: {error}"]) from None
        trace = read_trace(part, catalogue, first=first)
        yield LabelledRoll(trace=trace, truth=truth, ground=_ground(trace, truth, catalogue, number))


def _is_truth(line: str) -> bool:
    return '"truth"' in line and "truth" in json.loads(line)


def _ground(trace: Trace, truth: Truth, catalogue: Catalogue, number: int) -> Ground:
    strange = sorted({name for name, _turns in truth.tiles.values()} - set(catalogue) - {UNKNOWN.name})
    if strange:
        raise TraceError([f"line {number}: no tile is called {', '.join(strange)}"])
    rings = {
        slot
        for slot, (name, _turns) in truth.tiles.items()
        if name in catalogue and catalogue[name].trigger is not Trigger.NONE
    }
    return Ground(tiled=frozenset(truth.tiles), triggers=frozenset(rings), balls=trace.balls)


def read_labelled_file(path: Path, catalogue: Catalogue) -> list[LabelledRoll]:
    """Read all labelled rolls of a file.

    Raises:
        TraceError: a roll has a mistake or no truth.
        OSError: the file cannot be read.
    """
    with path.open(encoding="utf-8") as lines:
        return list(read_labelled(lines, catalogue))

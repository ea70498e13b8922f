"""A game as JSON Lines: the header, then one line per entry. People attach it to bug reports; it replays.

``{"seq": 7, "event": "Edge", "at_us": …}``; a skipped entry carries ``"failed"`` with the evidence.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from hextraction.controller.play.journal import (
    Entry,
    Header,
    Journal,
    JournalError,
    decode_values,
    encode,
    read_header,
)
from hextraction.settings.plain import UNREADABLE

__all__ = ["export_lines", "game_lines", "load_lines"]

_MOST_TOLD: Final = 20


class _Numbered(msgspec.Struct, frozen=True):
    """The fields that every line has besides its event."""

    seq: int
    failed: str | None = None


def export_lines(journal: Journal, game: str) -> Iterator[str]:
    """Export a game as JSON Lines.

    Raises:
        JournalError: there is no such game, or it cannot be read.
    """
    yield from game_lines(journal.header(game), journal.entries(game))


def game_lines(header: Header, entries: Iterable[Entry]) -> Iterator[str]:
    """Yield a game as JSON Lines: its header, then its entries."""
    yield msgspec.json.encode(header).decode()
    for entry in entries:
        line: dict[str, Any] = {"seq": entry.seq}
        if entry.failed is not None:
            line["failed"] = entry.failed
        yield msgspec.json.encode(line | msgspec.json.decode(encode(entry.what))).decode()


def load_lines(lines: Sequence[str], source: str) -> tuple[Header, list[Entry]]:
    """Read what :func:`export_lines` wrote.

    Raises:
        JournalError: with every bad line (the first twenty), each as ``source: line N: …``.
    """
    if not lines:
        raise JournalError(f"{source}: the file is empty, want the header of a game on line 1")
    problems: list[str] = []
    header: Header | None = None
    try:
        header = read_header(lines[0], source)
    except JournalError as error:
        problems.append(str(error))
    entries = _read_entries(lines, source, problems)
    if problems or header is None:
        more = [f"… and {len(problems) - _MOST_TOLD} more"] if len(problems) > _MOST_TOLD else []
        raise JournalError("\n".join(problems[:_MOST_TOLD] + more))
    return header, entries


def _read_entries(lines: Sequence[str], source: str, problems: list[str]) -> list[Entry]:
    entries: list[Entry] = []
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        try:
            entry = _read_line(line)
        except UNREADABLE as error:
            problems.append(f"{source}: line {number}: want an entry of a journal: {error}")
            continue
        due = entries[-1].seq + 1 if entries else 1
        if entry.seq != due:
            problems.append(f"{source}: line {number}: want entry {due}, found entry {entry.seq}")
        entries.append(entry)
    return entries


def _read_line(line: str) -> Entry:
    values = msgspec.json.decode(line, type=dict[str, Any])
    known = msgspec.convert(values, _Numbered)
    return Entry(seq=known.seq, what=decode_values(values), failed=known.failed)

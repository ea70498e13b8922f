"""The journal is the game: everything accepted is in it before it is acted on.

One SQLite file holds all games of a board. A game is a header (what it started from) and numbered entries. An
entry is what came in (``edge``: a clean sensor change) or what the game was told (``event``); an event that made
a rule fail is marked and skipped from then on. ``export`` writes the same as JSON Lines, ``load`` reads it.

Write-ahead logging with ``synchronous=NORMAL``: a killed process loses nothing that was appended; a cut of the
mains may lose what came after the last :meth:`Journal.sync`, which the runtime does at each turn.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
from hextraction.board.facts import Fact, RollSettled
from hextraction.controller.games.hextraction import Setup
from hextraction.controller.games.protocol import Acted, PowerSet, TileSeen, Woke, WorldEvent
from hextraction.hal.ports import Edge

__all__ = ["Entry", "Header", "Journal", "JournalError", "Recorded", "export_lines", "load_lines"]

FORMAT: Final = 1

_SCHEMA = """
CREATE TABLE IF NOT EXISTS game (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL, header TEXT NOT NULL, outcome TEXT
);
CREATE TABLE IF NOT EXISTS entry (
    game TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, failed TEXT,
    PRIMARY KEY (game, seq)
) WITHOUT ROWID;
"""


class JournalError(Exception):
    """The journal cannot be opened, or what should be one is not; the message says which and why."""


class Boot(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Boot"):
    """The controller started again on this game, and read its sensors.

    ``same`` if the machine has been up since the entry before; ``levels`` is what each sensor says now.
    """

    at_us: int
    same: bool
    boot: str = ""
    levels: dict[str, bool] = {}


class Broken(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Broken"):
    """A sensor was declared broken, or working again."""

    at_us: int
    sensor: str
    broken: bool


class EdgeEntry(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Edge", gc=False):
    """A clean change of a sensor, as the hal reported it."""

    at_us: int
    sensor: str
    active: bool


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What a game started from. ``boot`` and ``wall`` tell when, and are all that differs between equal games."""

    game: str
    boot: str
    wall: str
    software: str
    setup: Setup
    sensors: tuple[str, ...]
    journal: int = FORMAT


# Facts are tagged by "fact", the rest by "event": two unions, tried by which key is there.
_Happened = Acted | TileSeen | PowerSet | Woke | Boot | Broken | EdgeEntry
Recorded = WorldEvent | Boot | Broken | EdgeEntry
_encode = msgspec.json.Encoder().encode
_decode_happened = msgspec.json.Decoder(_Happened).decode
_decode_fact = msgspec.json.Decoder(Fact | RollSettled).decode


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One numbered line of the journal."""

    seq: int
    what: Recorded
    failed: str | None = None


def encode(what: Recorded) -> str:
    """Return the JSON of an entry."""
    return _encode(what).decode()


def decode(body: str | bytes) -> Recorded:
    """Read an entry back.

    Raises:
        msgspec.ValidationError: it is none of ours.
    """
    text = body.encode() if isinstance(body, str) else body
    return _decode_fact(text) if b'"fact":' in text[:12] else _decode_happened(text)


class Journal:
    """One file with all games of a board. Not thread-safe: its one user is the runtime's task."""

    def __init__(self, path: Path | str) -> None:
        self.path = str(path)
        try:
            if self.path != ":memory:":
                Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(_SCHEMA)
        except (sqlite3.Error, OSError) as error:
            raise JournalError(f"{self.path}: cannot be used as a journal: {error}") from error
        self._seq: dict[str, int] = {}
        self._write = self._db.cursor()

    def begin(self, header: Header) -> None:
        """Open a new game."""
        self._write.execute(
            "INSERT INTO game SELECT ?, 1 + COALESCE(MAX(number), 0), ?, NULL FROM game",
            (header.game, _encode(header).decode()),
        )
        self._seq[header.game] = 0

    def append(self, game: str, entries: Sequence[Recorded]) -> int:
        """Commit entries together: all of them, or none. Return the last one's number."""
        seq = self._seq[game] if game in self._seq else self._last(game)
        rows = []
        for what in entries:
            seq += 1
            rows.append((game, seq, type(what).__name__, _encode(what).decode()))
        if len(rows) == 1:
            self._write.execute(_INSERT, rows[0])
        else:
            self._write.execute("BEGIN")
            self._write.executemany(_INSERT, rows)
            self._write.execute("COMMIT")
        self._seq[game] = seq
        return seq

    def sync(self) -> None:
        """Put everything so far onto the disk itself, so that a cut of the mains cannot take it back."""
        self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def mark_failed(self, game: str, seq: int, evidence: str) -> None:
        """Note that an event made a rule fail; replays skip it."""
        self._write.execute("UPDATE entry SET failed = ? WHERE game = ? AND seq = ?", (evidence, game, seq))

    def finish(self, game: str, outcome: str) -> None:
        """Note how a game ended."""
        self._write.execute("UPDATE game SET outcome = ? WHERE id = ?", (outcome, game))

    def header(self, game: str) -> Header:
        """Return what a game started from.

        Raises:
            JournalError: there is no such game, or it was written by another version.
        """
        row = self._db.execute("SELECT header FROM game WHERE id = ?", (game,)).fetchone()
        if row is None:
            raise JournalError(f"{self.path}: holds no game {game!r}")
        return read_header(row[0], self.path)

    def entries(self, game: str) -> Iterator[Entry]:
        """Walk over a game's entries in order."""
        query = "SELECT seq, body, failed FROM entry WHERE game = ? ORDER BY seq"
        with closing(self._db.cursor()) as cursor:
            for seq, body, failed in cursor.execute(query, (game,)):
                yield Entry(seq=seq, what=decode(body), failed=failed)

    def games(self) -> list[tuple[str, str | None]]:
        """Return all games, oldest first, each with its outcome (None if it is still open)."""
        return list(self._db.execute("SELECT id, outcome FROM game ORDER BY number"))

    def open_game(self) -> str | None:
        """Return the latest game if it is unfinished."""
        games = self.games()
        return games[-1][0] if games and games[-1][1] is None else None

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._db.close()

    def _last(self, game: str) -> int:
        row = self._db.execute("SELECT MAX(seq) FROM entry WHERE game = ?", (game,)).fetchone()
        return int(row[0] or 0)


_INSERT: Final = "INSERT INTO entry (game, seq, kind, body) VALUES (?, ?, ?, ?)"


def read_header(text: str | bytes, source: str) -> Header:
    """Decode a header.

    Raises:
        JournalError: it is not one, or of another version.
    """
    try:
        header = msgspec.json.decode(text, type=Header)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise JournalError(f"{source}: line 1: want the header of a game: {error}") from None
    if header.journal != FORMAT:
        raise JournalError(
            f"{source}: line 1: written in format {header.journal}, this reads format {FORMAT}"
        )
    return header


def export_lines(journal: Journal, game: str) -> Iterator[str]:
    """Write a game as JSON Lines: the header, then one line per entry."""
    yield _encode(journal.header(game)).decode()
    for entry in journal.entries(game):
        line: dict[str, Any] = {"seq": entry.seq}
        if entry.failed is not None:
            line["failed"] = entry.failed
        yield _encode({**line, **msgspec.to_builtins(entry.what)}).decode()


def load_lines(lines: Sequence[str], source: str) -> tuple[Header, list[Entry]]:
    """Read what :func:`export_lines` wrote.

    Raises:
        JournalError: with every bad line (the first twenty), each as ``source: line N: …``.
    """
    if not lines:
        raise JournalError(f"{source}: the file is empty, want the header of a game on line 1")
    header = read_header(lines[0], source)
    entries: list[Entry] = []
    problems: list[str] = []
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        try:
            entries.append(_read_line(line))
        except (msgspec.ValidationError, msgspec.DecodeError, TypeError, KeyError) as error:
            problems.append(f"{source}: line {number}: want an entry of a journal: {error}")
    if problems:
        more = [f"… and {len(problems) - 20} more"] if len(problems) > 20 else []
        raise JournalError("\n".join(problems[:20] + more))
    return header, entries


def _read_line(line: str) -> Entry:
    values = msgspec.json.decode(line, type=dict[str, Any])
    seq, failed = values.pop("seq"), values.pop("failed", None)
    kind: Any = (Fact | RollSettled) if "fact" in values else _Happened
    return Entry(seq=int(seq), what=msgspec.convert(values, kind), failed=failed)


def edge_entry(edge: Edge) -> EdgeEntry:
    """Return the journal's form of a hal edge."""
    return EdgeEntry(at_us=edge.at_us, sensor=edge.sensor, active=edge.active)

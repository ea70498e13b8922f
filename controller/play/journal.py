"""The journal is the game: everything accepted is written to it before it is acted on.

One SQLite file holds all games of a board. A game is a header (what it started from) and numbered entries. An
entry is an input (``edge``: a clean sensor change) or what the game was told (``event``); an event that
made a rule fail is marked and skipped from then on. :mod:`.journal_lines` writes the same as JSON Lines.

Write-ahead logging with ``synchronous=NORMAL``: a killed process loses nothing that was appended; a power
cut may lose what came after the last :meth:`Journal.sync`, which the runtime calls at each turn.
"""

import errno
import fcntl
import functools
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, Final, TextIO

import msgspec
from hextraction.board.facts import Fact, RollSettled
from hextraction.controller.games.protocol import (
    Acted,
    Blinded,
    Paused,
    PowerSet,
    Renamed,
    TileSeen,
    Woke,
    WorldEvent,
)
from hextraction.controller.games.registry import UnknownGameError, read_setup

__all__ = [
    "Boot",
    "Broken",
    "CoilsHeld",
    "EdgeEntry",
    "Entry",
    "Header",
    "Journal",
    "JournalAwayError",
    "JournalError",
    "JournalLostError",
    "Recorded",
    "TakenError",
    "claim",
]

# --- One process per journal: two tables writing to the same one would mix their games ---


class TakenError(Exception):
    """Another process holds the claim."""


def claim(path: str) -> TextIO:
    """Lock a file until the returned one is closed or the process ends, however it ends.

    Raises:
        TakenError: another process holds it.
    """
    held = Path(f"{path}.lock").open("w", encoding="ascii")  # noqa: SIM115 - held until the caller closes it
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise TakenError(f"{path}: another table plays on this journal") from None
    return held


# --- Entries that come from devices ---


class Boot(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Boot"):
    """The controller restarted in the middle of this game and read its sensors.

    ``same``: the machine has stayed up since the previous entry; ``levels``: what each sensor reads now.
    """

    at_us: int
    same: bool
    boot: str = ""
    levels: dict[str, bool] = {}


class Broken(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Broken"):
    """A sensor was declared broken, or working again; ``lost``: because its device went away, or is back."""

    at_us: int
    sensor: str
    broken: bool
    lost: bool = False


class CoilsHeld(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="CoilsHeld"):
    """Coils are held off from here on (``why``), or may fire again.

    They may once somebody has confirmed that all hands are clear: ``seat``, or the table's button if empty.
    """

    at_us: int
    held: bool
    why: str = ""
    seat: str = ""


class EdgeEntry(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Edge", gc=False):
    """A clean change of a sensor, as the hal reported it."""

    at_us: int
    sensor: str
    active: bool


FORMAT: Final = 1
_DAMAGED: Final = (
    "the file is damaged: keep a copy, move it away to begin a new one; sqlite3's .recover may save the rest"
)
_PASSING: Final = frozenset({errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS})

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
    """The journal cannot be opened, or the file is not a journal; the message says which and why."""


class JournalAwayError(JournalError):
    """The journal cannot be opened now, but perhaps later: its disk fails or is full, or it is locked."""


class JournalLostError(JournalError):
    """The journal can no longer be written: nothing may be acted on, so the game has to stop."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What a game started from. Equal games differ only in ``game``, ``boot`` and ``wall``.

    ``kind`` says which game it is, and so what ``setup`` is; journals without it hold Hextraction.
    """

    game: str
    boot: str
    wall: str
    software: str
    setup: Any
    sensors: tuple[str, ...]
    kind: str = "hextraction"
    journal: int = FORMAT


class _RawHeader(Header, frozen=True, kw_only=True):
    """A header whose set-up has not been read: the game has to."""

    setup: msgspec.Raw


# Facts are tagged by "fact", the rest by "event": two unions, chosen by which key is present.
_Device = Boot | Broken | CoilsHeld | EdgeEntry
_Happened = Acted | TileSeen | PowerSet | Paused | Renamed | Blinded | Woke | _Device
Recorded = WorldEvent | _Device
_encode = msgspec.json.Encoder().encode
_decode_happened: Callable[[bytes], Recorded] = msgspec.json.Decoder(_Happened).decode
_decode_fact: Callable[[bytes], Recorded] = msgspec.json.Decoder(Fact | RollSettled).decode


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One numbered line of the journal."""

    seq: int
    what: Recorded
    failed: str | None = None


def encode(what: Recorded) -> str:
    """Encode an entry as JSON."""
    return _encode(what).decode()


def decode(body: str | bytes) -> Recorded:
    """Decode an entry.

    Raises:
        msgspec.ValidationError: it is not a journal entry.
    """
    text = body.encode() if isinstance(body, str) else body
    return _decode_fact(text) if b'"fact":' in text[:12] else _decode_happened(text)


def decode_values(values: dict[str, Any]) -> Recorded:
    """Build an entry from decoded JSON, with keys in any order; unknown keys are ignored.

    Raises:
        msgspec.ValidationError: it is not a journal entry.
    """
    kind: Any = Fact | RollSettled if "fact" in values else _Happened
    what: Recorded = msgspec.convert(values, kind)
    return what


class Journal:
    """One file with all games of a board. Not thread-safe: only the runtime's task uses it."""

    def __init__(self, path: Path | str, *, alone: bool = False) -> None:
        """Open the file; ``alone`` locks it for playing: two tables on one journal would mix their games.

        Raises:
            JournalError: it is not a journal, cannot be opened, or another table is playing on it.
            JournalAwayError: its disk fails, is full or read-only, or somebody has locked it.
        """
        self.path = str(path)
        with ExitStack() as held:
            self._db = _opened(self.path, held, alone=alone)
            self._held = held.pop_all()
        self._seq: dict[str, int] = {}
        self._write = self._db.cursor()

    def begin(self, header: Header) -> None:
        """Start a new game.

        Raises:
            JournalLostError: it cannot be written.
        """
        with self._writing():
            self._write.execute(_BEGIN_GAME, (header.game, _encode(header).decode()))
        self._seq[header.game] = 0

    def append(self, game: str, entries: Sequence[Recorded]) -> int:
        """Commit entries together, all or none. Return the number of the last one.

        Raises:
            JournalLostError: it cannot be written; none of these may be acted on.
        """
        first = 1 + (self._seq[game] if game in self._seq else self._last(game))
        values: list[str | int] = []
        for seq, what in enumerate(entries, start=first):
            values += (game, seq, type(what).__name__, _encode(what).decode())
        with self._writing():
            # One statement is one transaction: takes half the time of BEGIN, rows and COMMIT.
            self._write.execute(_insert(len(entries)), values)
        self._seq[game] = first + len(entries) - 1
        return first + len(entries) - 1

    def sync(self) -> None:
        """Flush everything so far to disk, so that it survives a power cut, whoever reads the journal.

        Raises:
            JournalLostError: the disk refuses.
        """
        with self._writing():
            _busy, written, copied = self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if copied < written:  # somebody reads what is older, so SQLite has copied and synced nothing new
                _sync_file(f"{self.path}-wal")

    def mark_failed(self, game: str, seq: int, evidence: str) -> None:
        """Mark an event that made a rule fail; replays skip it."""
        with self._writing():
            self._write.execute(_MARK_FAILED, (evidence, game, seq))

    def finish(self, game: str, outcome: str) -> None:
        """Record how a game ended."""
        with self._writing():
            self._write.execute("UPDATE game SET outcome = ? WHERE id = ?", (outcome, game))

    def header(self, game: str) -> Header:
        """Return what a game started from.

        Raises:
            JournalError: there is no such game, or another version wrote it.
        """
        row = next(self._rows("SELECT CAST(header AS TEXT) FROM game WHERE id = ?", game), None)
        if row is None:
            raise JournalError(f"{self.path}: holds no game {game!r}")
        return read_header(row[0], self.path)

    def entries(self, game: str) -> Iterator[Entry]:
        """Iterate over a game's entries in order.

        Raises:
            JournalError: an entry is missing or cannot be read; the message says which.
        """
        query = "SELECT seq, CAST(body AS TEXT), failed FROM entry WHERE game = ? ORDER BY seq"
        for due, (seq, body, failed) in enumerate(self._rows(query, game), start=1):
            if seq != due:
                raise JournalError(f"{self.path}: game {game}: entry {due} is missing; {_DAMAGED}")
            try:
                yield Entry(seq=seq, what=decode(body), failed=failed)
            except (msgspec.ValidationError, msgspec.DecodeError) as error:
                raise JournalError(f"{self.path}: game {game}, entry {seq}: {error}; {_DAMAGED}") from None

    def games(self) -> list[tuple[str, str | None]]:
        """Return all games, oldest first, each with its outcome (None if unfinished).

        Raises:
            JournalError: the file is damaged.
        """
        return list(self._rows("SELECT id, outcome FROM game ORDER BY number"))

    def open_game(self) -> str | None:
        """Return the newest unfinished game."""
        return next((game for game, outcome in reversed(self.games()) if outcome is None), None)

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._held.close()

    def _rows(self, query: str, *values: str) -> Iterator[tuple[Any, ...]]:
        try:
            with closing(self._db.cursor()) as cursor:
                yield from cursor.execute(query, values)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise JournalError(f"{self.path}: cannot be read: {error}; {_DAMAGED}") from error

    def _writing(self) -> "_Writing":
        return _Writing(self._db, self.path)

    def _last(self, game: str) -> int:
        row = self._db.execute("SELECT MAX(seq) FROM entry WHERE game = ?", (game,)).fetchone()
        return int(row[0] or 0)


def _opened(path: str, held: ExitStack, *, alone: bool) -> sqlite3.Connection:
    """Open a journal's file, to be closed by ``held``; raises as :class:`Journal` does."""
    try:
        if path != ":memory:":
            _make_room(Path(path))
            if alone:
                held.enter_context(claim(os.path.realpath(path)))  # a link leads to the same games
        db = held.enter_context(closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)))
        if alone:
            _check_whole(db, path)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.executescript(_SCHEMA)
    except TakenError as error:
        raise JournalError(f"{error}; name another one with --journal") from None
    except sqlite3.OperationalError as error:
        raise JournalAwayError(f"{path}: cannot be used as a journal: {error}") from error
    except UnicodeDecodeError:  # Python cannot read what SQLite says about a damaged schema
        raise JournalError(f"{path}: cannot be used as a journal; {_DAMAGED}") from None
    except (sqlite3.Error, OSError) as error:
        passing = isinstance(error, OSError) and error.errno in _PASSING
        kind = JournalAwayError if passing else JournalError
        damaged = f"; {_DAMAGED}" if "malformed" in str(error) else ""
        raise kind(f"{path}: cannot be used as a journal: {error}{damaged}") from error
    return db


def _make_room(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not path.exists():
        path.touch(mode=0o640)  # hands are in it


def _check_whole(db: sqlite3.Connection, path: str) -> None:
    """Raise ``JournalError`` if the file is damaged, before anything is written to it."""
    (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        what = " ".join(found.replace("*** in database main ***", "").split())
        raise JournalError(f"{path}: cannot be used as a journal: {what}; {_DAMAGED}")


def _sync_file(path: str) -> None:
    """Flush a file to disk; SQLite holds no lock on a write-ahead log that closing it could lose."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


class _Writing:
    """A write that is rolled back if it fails. A plain class rather than a generator, for the hot path."""

    __slots__ = ("_db", "_path")

    def __init__(self, db: sqlite3.Connection, path: str) -> None:
        self._db = db
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, sqlite3.Error | OSError):
            with suppress(sqlite3.Error):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            raise JournalLostError(f"{self._path}: cannot be written any more: {error}") from error


_BEGIN_GAME: Final = "INSERT INTO game SELECT ?, 1 + COALESCE(MAX(number), 0), ?, NULL FROM game"
_MARK_FAILED: Final = "UPDATE entry SET failed = ? WHERE game = ? AND seq = ?"


@functools.cache
def _insert(count: int) -> str:
    """Return the statement that inserts ``count`` entries."""
    rows = ", ".join(["(?, ?, ?, ?)"] * count)
    return f"INSERT INTO entry (game, seq, kind, body) VALUES {rows}"  # noqa: S608 - question marks only


def read_header(text: str | bytes, source: str) -> Header:
    """Decode a header.

    Raises:
        JournalError: it is not a header, or another version wrote it.
    """
    try:
        raw = msgspec.json.decode(text, type=_RawHeader)
        if raw.journal != FORMAT:
            raise JournalError(
                f"{source}: line 1: written in format {raw.journal}, this reads format {FORMAT}"
            )
        setup = read_setup(raw.kind, raw.setup)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise JournalError(f"{source}: line 1: want the header of a game: {error}") from None
    except UnknownGameError as error:
        raise JournalError(f"{source}: line 1: {error}") from None
    return Header(**{**msgspec.structs.asdict(raw), "setup": setup})

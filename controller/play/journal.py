"""The journal is the game: everything accepted is written to it before it is acted on.

One SQLite file holds all games of a board. A game is a header (what it started from) and numbered entries. An
entry is an input (``edge``: a clean sensor change) or what the game was told (``event``); an event that
made a rule fail is marked and skipped from then on. :mod:`.journal_lines` writes the same as JSON Lines.

Write-ahead logging with ``synchronous=NORMAL``: a killed process loses nothing that was appended; a power
cut may lose what came after the last :meth:`Journal.sync`, which the runtime calls at each turn. What is
lost or changed otherwise is noticed: entries are numbered, their times rise, each carries a checksum over all
before it, and a file beside the journal (``.last``) says how far it had been synced.
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
from zlib import crc32

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
_EMPTIED: Final = (
    "put a copy of it back (the .kept one is from the last start), or move it away to begin a new one"
)
_BACK_US: Final = 60_000_000
"""By how much an entry may be before an earlier one: clocks of devices lag, but not by a minute."""
_LAST: Final = ".last"
_KEPT: Final = ".kept"
_MOST_KEPT: Final = 64 * 1024 * 1024
_PASSING: Final = frozenset({errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS})

_SCHEMA = """
CREATE TABLE IF NOT EXISTS game (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL, header TEXT NOT NULL, outcome TEXT
);
CREATE TABLE IF NOT EXISTS entry (
    game TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, failed TEXT,
    sum INTEGER, PRIMARY KEY (game, seq)
) WITHOUT ROWID;
"""
_COLUMNS: Final = {
    "game": {"id", "number", "header", "outcome"},
    "entry": {"game", "seq", "kind", "body", "failed"},
}
"""What a journal has at least; those of before have no ``sum``."""


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
        self._alone = alone and self.path != ":memory:"
        with ExitStack() as held:
            self._db = _opened(self.path, held, alone=alone)
            if self._alone:
                self._check_begun()
            self._held = held.pop_all()
        self._ends: dict[str, tuple[int, int]] = {}
        """The number of each game's last entry, and the checksum of all up to it."""
        self._playing = ""
        self._write = self._db.cursor()

    def begin(self, header: Header) -> None:
        """Start a new game.

        Raises:
            JournalLostError: it cannot be written.
        """
        text = _encode(header)
        with self._writing():
            self._write.execute(_BEGIN_GAME, (header.game, text.decode()))
        self._ends[header.game] = (0, crc32(text))

    def append(self, game: str, entries: Sequence[Recorded]) -> int:
        """Commit entries together, all or none. Return the number of the last one.

        Raises:
            JournalLostError: it cannot be written; none of these may be acted on.
        """
        seq, checksum = self._ends[game] if game in self._ends else self._end(game)
        values: list[str | int] = []
        for what in entries:
            seq += 1
            body = _encode(what)
            checksum = crc32(body, checksum)
            values += (game, seq, type(what).__name__, body.decode(), checksum)
        with self._writing():
            # One statement is one transaction: takes half the time of BEGIN, rows and COMMIT.
            self._write.execute(_insert(len(entries)), values)
        self._ends[game] = (seq, checksum)
        self._playing = game
        return seq

    def sync(self) -> None:
        """Flush everything so far to disk, so that it survives a power cut, whoever reads the journal.

        Raises:
            JournalLostError: the disk refuses.
        """
        with self._writing():
            _busy, written, copied = self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if copied < written:  # somebody reads what is older, so SQLite has copied and synced nothing new
                _sync_file(f"{self.path}-wal")
            if self._alone and self._playing:
                _note_synced(self.path, self._playing, self._ends[self._playing][0])

    def mark_failed(self, game: str, seq: int, evidence: str) -> None:
        """Mark an event that made a rule fail; replays skip it."""
        with self._writing():
            self._write.execute(_MARK_FAILED, (evidence, game, seq))

    def finish(self, game: str, outcome: str) -> None:
        """Record how a game ended."""
        with self._writing():
            self._write.execute("UPDATE game SET outcome = ? WHERE id = ?", (outcome, game))
            if self._alone:
                Path(f"{self.path}{_LAST}").unlink(missing_ok=True)

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
            JournalError: an entry is missing, changed, out of its time, or cannot be read; the message says
                which.
        """
        synced = self._synced(game)  # first: whoever plays on meanwhile puts more onto the disk
        seq, checksum, latest_us = 0, self._header_sum(game), 0
        for seq, (number, text, failed, written) in enumerate(self._rows(self._every_entry, game), start=1):
            where = f"{self.path}: game {game}, entry {seq}"
            if number != seq:
                raise JournalError(f"{where}: it is missing; {_DAMAGED}")
            checksum = crc32(text.encode(), checksum)
            if written is not None and written != checksum:
                raise JournalError(f"{where}: it or one before it has been changed; {_DAMAGED}")
            try:
                what = decode(text)
            except (msgspec.ValidationError, msgspec.DecodeError) as error:
                raise JournalError(f"{where}: {error}; {_DAMAGED}") from None
            if what.at_us < latest_us - _BACK_US:
                raise JournalError(f"{where}: it is from long before entry {seq - 1}; {_DAMAGED}")
            latest_us = max(latest_us, what.at_us)
            yield Entry(seq=seq, what=what, failed=failed)
        self._ends[game] = (seq, checksum)
        if seq < synced:
            gone = f"entries {seq + 1} to {synced} are missing"
            raise JournalError(f"{self.path}: game {game}: {gone}; {_DAMAGED}")

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

    @functools.cached_property
    def _every_entry(self) -> str:
        """The query for a game's entries; journals of before have no checksums."""
        names = {name for _number, name, *_more in self._rows("PRAGMA table_info(entry)")}
        written = "sum" if "sum" in names else "NULL"
        what = f"seq, CAST(body AS TEXT), failed, {written}"
        return f"SELECT {what} FROM entry WHERE game = ? ORDER BY seq"  # noqa: S608 - our own words

    def _header_sum(self, game: str) -> int:
        """Return the checksum of a game's header, with which that of its entries begins."""
        row = next(self._rows("SELECT CAST(header AS TEXT) FROM game WHERE id = ?", game), None)
        return crc32(row[0].encode()) if row is not None else 0

    def _end(self, game: str) -> tuple[int, int]:
        """Return the number of a game's last entry and the checksum of all, by reading them."""
        for _entry in self.entries(game):
            pass
        return self._ends[game]

    def _check_begun(self) -> None:
        """Raise ``JournalError`` if the game that was synced last is not in the file any more."""
        game, seq = _last_synced(self.path)
        if game and game not in dict(self.games()):
            gone = f"game {game} with its {seq} entries is gone"
            raise JournalError(f"{self.path}: {gone}; {_DAMAGED}")

    def _synced(self, game: str) -> int:
        """Return how many entries of a game had been put onto the disk, as is noted beside the file."""
        synced, last = _last_synced(self.path) if self.path != ":memory:" else ("", 0)
        return last if synced == game else 0


def _opened(path: str, held: ExitStack, *, alone: bool) -> sqlite3.Connection:
    """Open a journal's file, to be closed by ``held``; raises as :class:`Journal` does."""
    try:
        if path != ":memory:":
            real = Path(os.path.realpath(path))  # a link leads to the same games
            real.parent.mkdir(parents=True, exist_ok=True)
            if alone:
                held.enter_context(claim(str(real)))
            _make(real)
        db = held.enter_context(closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)))
        if alone:
            _check_whole(db, path)
        _check_ours(db, path)
        if alone:
            _keep_copy(db, path)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.executescript(_SCHEMA)
        columns = {name for _number, name, *_more in db.execute("PRAGMA table_info(entry)")}
        if alone and "sum" not in columns:  # a journal of before
            db.execute("ALTER TABLE entry ADD COLUMN sum INTEGER")
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


def _make(path: Path) -> None:
    """Make a new journal where there is no file; one that is there and empty was no empty one before.

    The new file comes whole, so that nobody who dies meanwhile leaves an empty one.
    """
    if path.is_dir() or path.is_symlink():  # a link that is still one leads to itself
        number = errno.EISDIR if path.is_dir() else errno.ELOOP
        raise OSError(number, os.strerror(number))
    if path.exists():
        traces = [name for name in (_LAST, _KEPT) if Path(f"{path}{name}").exists()]
        if traces and not path.stat().st_size:
            told = f"{path.name}{traces[0]} beside it says that games were in it"
            raise JournalError(f"{path}: is empty, but {told}; {_EMPTIED}")
        return
    Path(f"{path}{_LAST}").unlink(missing_ok=True)  # of a journal that was moved away
    new = Path(f"{path}.new")
    new.unlink(missing_ok=True)
    new.touch(mode=0o640)  # hands are in it
    with closing(sqlite3.connect(new, isolation_level=None)) as db:
        db.executescript(_SCHEMA)
    new.replace(path)


def _check_ours(db: sqlite3.Connection, path: str) -> None:
    """Raise ``JournalError`` if the file holds something else, before anything is written to it."""
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table, columns in _COLUMNS.items() if tables else ():
        found = {name for _number, name, *_more in db.execute(f"PRAGMA table_info({table})")}
        lacking = ", ".join(sorted(columns - found))
        if lacking:
            what = f"its table {table} has no {lacking}" if found else f"it has no table {table}"
            raise JournalError(f"{path}: is no journal of games: {what}; name another file with --journal")


def _check_whole(db: sqlite3.Connection, path: str) -> None:
    """Raise ``JournalError`` if the file is damaged, before anything is written to it."""
    (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        what = " ".join(found.replace("*** in database main ***", "").split())
        raise JournalError(f"{path}: cannot be used as a journal: {what}; {_DAMAGED}")


def _keep_copy(db: sqlite3.Connection, path: str) -> None:
    """Copy the file as it was found (``.kept``) before anything is written; a full disk stops nothing."""
    found = Path(path)
    if path == ":memory:" or not 0 < found.stat().st_size <= _MOST_KEPT:
        return
    new = Path(f"{path}{_KEPT}.new")
    with suppress(OSError, sqlite3.Error):
        new.unlink(missing_ok=True)
        new.touch(mode=0o640)
        with closing(sqlite3.connect(new)) as copy:
            db.backup(copy)
        new.replace(f"{path}{_KEPT}")


def _note_synced(path: str, game: str, seq: int) -> None:
    """Note beside the journal how far it is on the disk."""
    new = Path(f"{path}{_LAST}.new")
    new.write_text(f"{seq} {game}\n", encoding="utf-8")
    new.replace(f"{path}{_LAST}")


def _last_synced(path: str) -> tuple[str, int]:
    """Return the game that was synced last, and how many of its entries; empty if nobody noted it."""
    try:
        seq, _space, game = Path(f"{path}{_LAST}").read_text(encoding="utf-8").strip().partition(" ")
        return game, int(seq)
    except (OSError, ValueError):
        return "", 0


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
    rows = ", ".join(["(?, ?, ?, ?, ?)"] * count)
    return f"INSERT INTO entry (game, seq, kind, body, sum) VALUES {rows}"  # noqa: S608 - question marks only


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

"""The journal is the game: everything accepted is written to it before it is acted on.

One SQLite file holds all games of a board. A game is a header (what it started from) and numbered entries. An
entry is an input (``edge``: a clean sensor change) or what the game was told (``event``); an event that
made a rule fail is marked and skipped from then on. :mod:`.journal_lines` writes the same as JSON Lines.

Write-ahead logging with ``synchronous=NORMAL``: a killed process loses nothing that was appended; a power
cut may lose what came after the last :meth:`Journal.sync`, which the runtime calls at each turn. What is
lost or changed otherwise is noticed: entries are numbered, their times rise, each carries a checksum over all
before it, and a file beside the journal (``.last``) says how far it had been synced.
"""

import functools
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, Final
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
from hextraction.controller.play.journal_file import (
    DAMAGED,
    LAST,
    JournalAwayError,
    JournalError,
    JournalLostError,
    Work,
    last_synced,
    note_synced,
    open_to_play,
    open_to_read,
)
from hextraction.settings.plain import UNREADABLE

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
]

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
_BACK_US: Final = 60_000_000
"""By how much an entry may be before an earlier one: clocks of devices lag, but not by a minute."""


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

    def __init__(self, path: Path | str, *, alone: bool = False, reading: bool = False) -> None:
        """Open the file; ``alone`` locks it for playing: two tables on one journal would mix their games.

        With ``reading`` nothing is written, made or locked, and the journal has to be there.

        Raises:
            JournalError: it is not a journal, cannot be opened, or another table is playing on it.
            JournalAwayError: its disk fails, is full or read-only, or somebody has locked it.
        """
        self.path = str(path)
        self._alone = alone and self.path != ":memory:"
        with ExitStack() as held:
            self._db = (
                open_to_read(self.path, held) if reading else open_to_play(self.path, held, alone=alone)
            )
            if self._alone:
                self._check_begun()
            self._held = held.pop_all()
        self.on_commit: Callable[[float], None] | None = None
        """Called with how long each commit of entries took, in seconds; nobody measures them by default."""
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
        begun_s = time.perf_counter() if self.on_commit is not None else 0.0
        with self._writing():
            # One statement is one transaction: takes half the time of BEGIN, rows and COMMIT.
            self._write.execute(_insert(len(entries)), values)
        if self.on_commit is not None:
            self.on_commit(time.perf_counter() - begun_s)
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
                note_synced(self.path, self._playing, self._ends[self._playing][0])

    def mark_failed(self, game: str, seq: int, evidence: str) -> None:
        """Mark an event that made a rule fail; replays skip it."""
        with self._writing():
            self._write.execute(_MARK_FAILED, (evidence, game, seq))

    def finish(self, game: str, outcome: str) -> None:
        """Record how a game ended."""
        with self._writing():
            self._write.execute("UPDATE game SET outcome = ? WHERE id = ?", (outcome, game))
            if self._alone:
                Path(f"{self.path}{LAST}").unlink(missing_ok=True)

    def header(self, game: str) -> Header:
        """Return what a game started from.

        Raises:
            JournalError: there is no such game, or another version wrote it.
        """
        row = next(self._rows(_ITS_HEADER, game), None)
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
                raise JournalError(f"{where}: it is missing; {DAMAGED}")
            checksum = crc32(text.encode(), checksum)
            if written is not None and written != checksum:
                raise JournalError(f"{where}: it or one before it has been changed; {DAMAGED}")
            try:
                what = decode(text)
            except UNREADABLE as error:
                raise JournalError(f"{where}: {error}; {DAMAGED}") from None
            if what.at_us < latest_us - _BACK_US:
                raise JournalError(f"{where}: it is from long before entry {seq - 1}; {DAMAGED}")
            latest_us = max(latest_us, what.at_us)
            yield Entry(seq=seq, what=what, failed=failed)
        self._ends[game] = (seq, checksum)
        if seq < synced:
            gone = f"entries {seq + 1} to {synced} are missing"
            raise JournalError(f"{self.path}: game {game}: {gone}; {DAMAGED}")

    def games(self) -> list[tuple[str, str | None]]:
        """Return all games, oldest first, each with its outcome (None if unfinished).

        Raises:
            JournalError: the file is damaged.
        """
        rows = self._rows("SELECT CAST(id AS TEXT), CAST(outcome AS TEXT) FROM game ORDER BY number")
        return [(game or "", outcome) for game, outcome in rows]

    def is_over(self, game: str) -> bool:
        """Return whether a game has ended; one that is not there has not.

        Raises:
            JournalError: the file is damaged.
        """
        return (
            next(self._rows("SELECT 1 FROM game WHERE id = ? AND outcome IS NOT NULL", game), None)
            is not None
        )

    def before(self, game: str, most: int) -> list[str]:
        """Return the games before this one, at most so many and the oldest first.

        Raises:
            JournalError: the file is damaged.
        """
        rows = self._rows(_BEFORE, game, most)
        return [name for (name,) in rows if name is not None][::-1]

    def open_game(self) -> str | None:
        """Return the newest unfinished game."""
        return next((game for game, outcome in reversed(self.games()) if outcome is None), None)

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._held.close()

    def _rows(self, query: str, *values: str | int) -> Iterator[tuple[Any, ...]]:
        left = False
        try:
            with closing(self._db.cursor()) as cursor, Work(self._db, self.path):
                try:
                    for row in cursor.execute(query, values):  # noqa: UP028 - that would close the cursor of a closed file
                        yield row
                except GeneratorExit:
                    left = True
                    raise
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if left:
                return  # nobody reads on, and the file has been closed meanwhile
            raise JournalError(f"{self.path}: cannot be read: {error}; {DAMAGED}") from error

    def _writing(self) -> "_Writing":
        return _Writing(self._db, self.path)

    @functools.cached_property
    def _every_entry(self) -> str:
        """The query for a game's entries; journals of before have no checksums."""
        names = {name for _number, name, *_more in self._rows("PRAGMA table_info(entry)")}
        written = "sum" if "sum" in names else "NULL"
        what = f"seq, CAST(COALESCE(body, '') AS TEXT), CAST(failed AS TEXT), {written}"
        return f"SELECT {what} FROM entry WHERE game = ? ORDER BY seq"  # noqa: S608 - our own words

    def _header_sum(self, game: str) -> int:
        """Return the checksum of a game's header, with which that of its entries begins."""
        row = next(self._rows(_ITS_HEADER, game), None)
        return crc32(row[0].encode()) if row is not None else 0

    def _end(self, game: str) -> tuple[int, int]:
        """Return the number of a game's last entry and the checksum of all, by reading them."""
        for _entry in self.entries(game):
            pass
        return self._ends[game]

    def _check_begun(self) -> None:
        """Raise ``JournalError`` if the game that was synced last is not in the file any more."""
        game, seq = last_synced(self.path)
        if game and game not in dict(self.games()):
            gone = f"game {game} with its {seq} entries is gone"
            raise JournalError(f"{self.path}: {gone}; {DAMAGED}")

    def _synced(self, game: str) -> int:
        """Return how many entries of a game had been put onto the disk, as is noted beside the file."""
        synced, last = last_synced(self.path) if self.path != ":memory:" else ("", 0)
        return last if synced == game else 0


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


_ITS_HEADER: Final = "SELECT CAST(COALESCE(header, '') AS TEXT) FROM game WHERE id = ?"
_BEFORE: Final = (
    "SELECT CAST(id AS TEXT) FROM game WHERE rowid < (SELECT rowid FROM game WHERE id = ?) "
    "ORDER BY rowid DESC LIMIT ?"
)
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
    except UNREADABLE as error:
        raise JournalError(f"{source}: line 1: want the header of a game: {error}") from None
    except UnknownGameError as error:
        raise JournalError(f"{source}: line 1: {error}") from None
    return Header(**{**msgspec.structs.asdict(raw), "setup": setup})

"""The file of a journal: opened to play on, or only to be read; not believed before it is looked at.

Who plays on it locks it and may write. Who only reads opens it so that nothing is written, made or locked: a
card may be read-only, a member of the group may read and not write. Either way the file and those that SQLite
keeps beside it have to be plain files, its schema the one that we write (nothing in it runs for us), and what
a query may cost is bounded by the size of the file, whatever its pages say.
"""

import errno
import fcntl
import grp
import os
import pwd
import sqlite3
import stat
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final, TextIO

from hextraction.settings.plain import (
    NotPlainError,
    check_plain,
    open_plain,
    read_plain,
    replace_plain,
)

__all__ = [
    "DAMAGED",
    "LAST",
    "JournalAwayError",
    "JournalError",
    "JournalLostError",
    "TakenError",
    "Work",
    "claim",
    "last_synced",
    "note_synced",
    "open_to_play",
    "open_to_read",
]


class JournalError(Exception):
    """The journal cannot be opened, or the file is not a journal; the message says which and why.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from hextraction.api import JournalError, read_games
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "poem.jsonl"
    ...     lines = path.write_text("Roses are red")
    ...     try:
    ...         list(read_games(path))
    ...     except JournalError as error:
    ...         print(str(error).removeprefix(folder)[:37])
    /poem.jsonl: line 1: want the header
    """


class JournalAwayError(JournalError):
    """The journal cannot be opened now, but perhaps later: its disk fails or is full, or it is locked."""


class JournalLostError(JournalError):
    """The journal can no longer be written: nothing may be acted on, so the game has to stop."""


class TakenError(JournalError):
    """Another process plays on this journal."""


DAMAGED: Final = (
    "the file is damaged: keep a copy, move it away to begin a new one; sqlite3's .recover may save the rest"
)
_EMPTIED: Final = (
    "put a copy of it back (the .kept one is from the last start), or move it away to begin a new one"
)
LAST: Final = ".last"
_KEPT: Final = ".kept"
_MOST_KEPT: Final = 64 * 1024 * 1024
_MOST_NOTED: Final = 4096
_PASSING: Final = frozenset({errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS})
_BESIDE: Final = ("-wal", "-shm", "-journal", LAST)
"""What SQLite and we keep beside a journal, and read."""
_LONGEST: Final = 16 * 1024 * 1024
"""No header and no entry is longer, in bytes."""

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


# --- One process per journal: two tables writing to the same one would mix their games ---


def claim(path: str) -> TextIO:
    """Lock a file until the returned one is closed or the process ends, however it ends.

    Raises:
        TakenError: another process holds it.
        NotPlainError: what is there is no plain file.
    """
    held = os.fdopen(open_plain(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o644), "w", encoding="ascii")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise TakenError(f"{path}: another table plays on this journal") from None
    return held


# --- Opening ---


def open_to_play(path: str, held: ExitStack, *, alone: bool) -> sqlite3.Connection:
    """Open a journal's file to write to it, to be closed by ``held``; ``alone`` locks it.

    Raises:
        JournalError: it is not a journal, cannot be opened, or another table is playing on it.
        JournalAwayError: its disk fails, is full or read-only, or somebody has locked it.
    """
    try:
        if path != ":memory:":
            real = Path(os.path.realpath(path))  # a link leads to the same games
            real.parent.mkdir(parents=True, exist_ok=True)
            _check_beside(path, real)
            if alone:
                held.enter_context(claim(str(real)))
            _make(real)
        db = held.enter_context(closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)))
        with Work(_wary(db), path):
            _check_ours(db, path)
            if alone:
                _check_whole(db, path)
        if alone:
            _keep_copy(db, path)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.executescript(_SCHEMA)
        columns = {name for _number, name, *_more in db.execute("PRAGMA table_info(entry)")}
        if alone and "sum" not in columns:  # a journal of before
            db.execute("ALTER TABLE entry ADD COLUMN sum INTEGER")
    except (TakenError, sqlite3.Error, UnicodeDecodeError, OSError) as error:
        raise _told(path, error) from error
    return db


def open_to_read(path: str, held: ExitStack) -> sqlite3.Connection:
    """Open a journal's file only to read it, to be closed by ``held``: nothing is written, made or locked.

    Raises:
        JournalError: it is no journal, is not there, or we lack the rights that the message names.
        JournalAwayError: its disk fails.
    """
    real = Path(os.path.realpath(path))
    try:
        _check_beside(path, real)
        os.close(open_plain(real))
        log = Path(f"{real}-wal")
        logged = log.exists()
        if logged:
            os.close(open_plain(log))
        # Without a log nobody has it open, and all is in the file: so nothing has to be made beside it.
        how = "mode=ro" if logged else "mode=ro&immutable=1"
        db = held.enter_context(closing(sqlite3.connect(
            f"{real.as_uri()}?{how}", uri=True, isolation_level=None, check_same_thread=False,
        )))  # fmt: skip
        with Work(_wary(db), path):
            _check_ours(db, path)
            if not db.execute("SELECT 1 FROM sqlite_master").fetchall():
                raise JournalError(f"{path}: no game was ever played on it")
    except FileNotFoundError:
        raise JournalError(f"no journal {path}") from None
    except PermissionError:
        raise JournalError(f"{path}: cannot be used as a journal: {_lacking(real)}") from None
    except sqlite3.OperationalError as error:
        if log.exists() and not Path(f"{real}-shm").exists() and "unable to open" in str(error):
            raise JournalError(
                f"{path}: its newest entries are still in {log.name}, and to read them a file has to be made "
                f"beside it; copy {real.name} and {log.name} into a folder of your own, and name the copy "
                "with --journal"
            ) from None
        raise _told(path, error) from error
    except (sqlite3.Error, UnicodeDecodeError, OSError) as error:
        raise _told(path, error) from error
    return db


def _told(path: str, error: Exception) -> JournalError:
    """Return what to say of something that happened while a journal was opened."""
    if isinstance(error, TakenError):
        return TakenError(f"{error}; name another one with --journal")
    if isinstance(error, NotPlainError):
        found = Path(str(error.filename))
        where = f"{found.name} beside it " if found.name != Path(os.path.realpath(path)).name else ""
        return JournalError(f"{path}: cannot be used as a journal: {where}{error.strerror}")
    if isinstance(error, sqlite3.OperationalError) and "interrupted" in str(error):
        return JournalError(f"{path}: cannot be used as a journal: its pages lead in a circle; {DAMAGED}")
    if isinstance(error, sqlite3.OperationalError):
        return JournalAwayError(f"{path}: cannot be used as a journal: {error}")
    if isinstance(error, UnicodeDecodeError):  # Python cannot read what SQLite says about a damaged schema
        return JournalError(f"{path}: cannot be used as a journal; {DAMAGED}")
    passing = isinstance(error, OSError) and error.errno in _PASSING
    kind = JournalAwayError if passing else JournalError
    damaged = f"; {DAMAGED}" if "malformed" in str(error) else ""
    what = error.strerror if isinstance(error, OSError) and error.strerror else error
    where = f"{error.filename}: " if isinstance(error, OSError) and error.filename not in {None, path} else ""
    return kind(f"{path}: cannot be used as a journal: {where}{what}{damaged}")


def _lacking(path: Path) -> str:
    """Say what somebody lacks who may not read a file: whose it is, and who may."""
    blamed = next((one for one in [*reversed(path.parents), path] if not _may_read(one)), path)
    with suppress(OSError, KeyError):
        status = blamed.stat()
        group, wanted = grp.getgrgid(status.st_gid).gr_name, stat.S_IXGRP if blamed != path else stat.S_IRGRP
        whose = f"you may not read {blamed}, it belongs to {pwd.getpwuid(status.st_uid).pw_name}"
        if status.st_mode & wanted and status.st_gid not in {os.getegid(), *os.getgroups()}:
            return f"{whose} and the group {group}; ask with sudo, or join it: sudo adduser $USER {group}"
        return f"{whose}; ask with sudo"
    return "you may not read it; ask with sudo"


def _may_read(path: Path) -> bool:
    """Whether we may read a file, or pass through a folder."""
    return os.access(path, os.X_OK if path.is_dir() else os.R_OK)


# --- What is looked at before it is believed ---


def _wary(db: sqlite3.Connection) -> sqlite3.Connection:
    """Let a connection trust neither the schema nor the pages of its file, and read no endless text."""
    db.execute("PRAGMA trusted_schema=OFF")
    db.execute("PRAGMA cell_size_check=ON")
    db.execute("PRAGMA temp_store=MEMORY")
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    return db


class Work:
    """While the block runs, a connection does no more work than its file is large.

    A crafted file can lead a query round and round through the same few pages.
    """

    __slots__ = ("_db", "_left")

    _EACH: Final = 100_000
    _LEAST: Final = 10_000_000

    def __init__(self, db: sqlite3.Connection, path: str) -> None:
        self._db = db
        size = 0
        with suppress(OSError):
            size = sum(
                Path(f"{path}{end}").stat().st_size for end in ("", "-wal") if Path(f"{path}{end}").exists()
            )
        # A row takes some ten bytes at least, and its reading some dozens of steps.
        self._left = (self._LEAST + 8 * size) // self._EACH

    def __enter__(self) -> None:
        self._db.set_progress_handler(self._count, self._EACH)

    def __exit__(self, *_error: object) -> None:
        with suppress(sqlite3.ProgrammingError):  # closed meanwhile: somebody has stopped reading half-way
            self._db.set_progress_handler(None, 0)

    def _count(self) -> bool:
        self._left -= 1
        return self._left < 0


def _check_beside(path: str, real: Path) -> None:
    """Raise ``NotPlainError`` if the journal or what lies beside it would be waited for, or never end."""
    check_plain(real)
    for end in _BESIDE:
        check_plain(f"{path if end == LAST else real}{end}")


def _make(path: Path) -> None:
    """Make a new journal where there is no file; one that is there and empty was no empty one before.

    The new file comes whole, so that nobody who dies meanwhile leaves an empty one.
    """
    if path.is_symlink():  # a link that is still one leads to itself
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if path.exists():
        traces = [name for name in (LAST, _KEPT) if Path(f"{path}{name}").exists()]
        if traces and not path.stat().st_size:
            told = f"{path.name}{traces[0]} beside it says that games were in it"
            raise JournalError(f"{path}: is empty, but {told}; {_EMPTIED}")
        return
    Path(f"{path}{LAST}").unlink(missing_ok=True)  # of a journal that was moved away
    new = Path(f"{path}.new")
    new.unlink(missing_ok=True)
    new.touch(mode=0o640)  # hands are in it
    with closing(sqlite3.connect(new, isolation_level=None)) as db:
        db.executescript(_SCHEMA)
    new.replace(path)


def _check_ours(db: sqlite3.Connection, path: str) -> None:
    """Raise ``JournalError`` if the file holds something else, before anything is written to it or read.

    What else somebody keeps in tables there is theirs; what SQLite would run for us is not let in.
    """
    found = {name: (kind, sql) for kind, name, sql in db.execute("SELECT type, name, sql FROM sqlite_master")}
    if not found:
        return
    tables = {name for name, (kind, _sql) in found.items() if kind in {"table", "view"}}
    for table, columns in _COLUMNS.items():
        there = (
            {name for _number, name, *_more in db.execute(f"PRAGMA table_info({table})")}
            if table in tables
            else set()
        )
        lacking = ", ".join(sorted(columns - there))
        if lacking:
            what = f"its table {table} has no {lacking}" if there else f"it has no table {table}"
            raise JournalError(f"{path}: is no journal of games: {what}; name another file with --journal")
    for name, (kind, sql) in found.items():
        ours = kind == "table" and (name not in _COLUMNS or _plainly(sql) in _OURS)
        if not ours and not (kind == "index" and sql is None):
            raise JournalError(
                f"{path}: is no journal as this program makes it: its {kind} {name} was put there by "
                "somebody else; keep a copy, and move it away to begin a new one"
            )


def _plainly(sql: str | None) -> str:
    """Return the text of a schema so that two that mean the same are equal."""
    return "".join((sql or "").replace("IF NOT EXISTS", "").replace('"', "").split()).casefold()


_GAME, _ENTRY = (_plainly(one) for one in _SCHEMA.split(";")[:2])
_OURS: Final = frozenset(
    {_GAME, _ENTRY} | {_ENTRY.replace("suminteger,", "")}  # of before
)


def _check_whole(db: sqlite3.Connection, path: str) -> None:
    """Raise ``JournalError`` if the file is damaged, before anything is written to it."""
    (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        what = " ".join(found.replace("*** in database main ***", "").split())
        raise JournalError(f"{path}: cannot be used as a journal: {what}; {DAMAGED}")


# --- What is kept beside it ---


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


def note_synced(path: str, game: str, seq: int) -> None:
    """Note beside the journal how far it is on the disk.

    Raises:
        OSError: the disk refuses.
    """
    replace_plain(Path(f"{path}{LAST}"), f"{seq} {game}\n".encode())


def last_synced(path: str) -> tuple[str, int]:
    """Return the game that was synced last, and how many of its entries; empty if nobody noted it."""
    try:
        seq, _space, game = read_plain(f"{path}{LAST}", _MOST_NOTED).decode().strip().partition(" ")
        return game, int(seq)
    except (OSError, ValueError):
        return "", 0

"""``hextraction backup`` and ``restore``: a board's games, settings, own tiles and keys as one file.

The file is a tar.gz: ``board.json``, ``journals/`` (each journal, and beside it what phones made and the
finished games as they were told) and ``settings/`` (a configuration and the files that it names). A board may
play on while it is copied. What a restored file says is checked before anything is replaced.
"""

import argparse
import gzip
import io
import os
import shutil
import sqlite3
import sys
import tarfile
import tempfile
import time
import tomllib
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Final

import msgspec
from hextraction.controller.config import default_state_folder, read_config
from hextraction.controller.play.journal import Journal
from hextraction.controller.play.journal_file import TakenError, claim, open_to_read
from hextraction.controller.version import software
from hextraction.controller.workshop.documents import BackedUp, Restored
from hextraction.controller.workshop.terminal import tell, working
from hextraction.settings.plain import UNREADABLE, replace_plain

__all__ = [
    "INSTALLED",
    "MOST_BYTES",
    "BackupError",
    "Contents",
    "back_up",
    "restore",
    "run_backup",
    "run_restore",
]

INSTALLED: Final = Path("/etc/hextraction/hextraction.toml")
_FORMAT: Final = 1
_CONTENTS: Final = "board.json"
_FEW: Final = 5
_PIECE: Final = 1024 * 1024
_TOLD: Final = ".history"
_BESIDE: Final = (_TOLD, ".seats", ".tiles")
"""Finished games as they were told, which a later version may not be able to tell again from the journal
alone; and what phones made: the keys of their seats, and tiles that people described."""
MOST_BYTES: Final = 2 * 1024**3
"""What a backup holds at most, unpacked: a stranger's file shall not fill the disk."""
_STALE: Final = ("-wal", "-shm", "-journal", ".last", ".kept")
"""What stands beside a journal and speaks of it: of the one that is replaced none may stay."""
_FILES: Final = frozenset({"wiring", "own_tiles"})
"""Keys of a configuration that name a file or a folder; so do all that end with ``_file``."""


class BackupError(Exception):
    """It cannot be backed up or restored; the message says why and what to do."""


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup says of itself: the names of its journals, and of its configuration if it has one."""

    format: int = _FORMAT
    software: str
    made: str
    journals: tuple[str, ...]
    config: str = ""
    installed: bool = False


def run_backup(options: argparse.Namespace) -> int:
    """Write a board into a file; return the exit status."""
    config = options.config or (INSTALLED if options.journal is None and INSTALLED.exists() else None)
    output = options.output or Path(f"hextraction-{time.strftime('%Y-%m-%d')}.tar.gz")
    if output.exists() and not options.force:
        print(f"hextraction backup: {output}: there already; want --force, or another --output",
              file=sys.stderr)  # fmt: skip
        return 2
    try:
        kept, left_out = back_up(output, config, options.journal)
    except BackupError as error:
        print(f"hextraction backup: {error}", file=sys.stderr)
        return 2
    for path in left_out:
        print(f"hextraction backup: {path} is hidden or lies outside of the configuration's folder, "
              "and was left out", file=sys.stderr)  # fmt: skip
    if options.json:
        outside = tuple(map(str, left_out))
        tell(BackedUp(file=str(output), journals=kept.journals, config=kept.config, left_out=outside))
    else:
        print(f"{output}: {len(kept.journals)} journals, {'settings' if kept.config else 'no settings'}. "
              "Keep it as safe as a key: passwords may be in it")  # fmt: skip
    return 0


def run_restore(options: argparse.Namespace) -> int:
    """Put a board's files where this machine wants them; return the exit status."""
    try:
        put = restore(options.file, options.config, options.journal, force=options.force)
    except BackupError as error:
        print(f"hextraction restore: {error}", file=sys.stderr)
        return 2
    if options.json:
        tell(Restored(files=tuple(map(str, put))))
    else:
        print(
            "\n".join(
                dict.fromkeys(str(path.parent if path.parent.suffix == _TOLD else path) for path in put)
            )
        )
    return 0


# --- backing up ---


def back_up(output: Path, config: Path | None, journal: Path | None) -> tuple[Contents, list[Path]]:
    """Write a board into ``output``: its journals and the settings that ``config`` is the first of.

    Without both names, all journals of this user. Returns what is in it, and the files that it leaves out.

    Raises:
        BackupError: there is no journal, one or the configuration is a hidden file, or all is too large.
        JournalError: one cannot be read.
        SettingsError: the configuration is wrong.
    """
    journals = _journals(config, journal)
    settings, left_out = _settings(config) if config is not None else ({}, [])
    size = _size(*journals, *settings.values())
    contents = Contents(
        software=software(), made=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        journals=tuple(path.name for path in journals), config=config.name if config is not None else "",
        installed=config == INSTALLED,
    )  # fmt: skip
    fresh = output.with_name(f".{output.name}.new")
    made = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with (
            os.fdopen(made, "wb") as file,
            tarfile.open(fileobj=file, mode="w:gz") as packed,
            working(size, "B") as done,
        ):
            _add(packed, _CONTENTS, msgspec.json.encode(contents))
            for path in journals:
                _add_journal(packed, path, done)
            for name, path in settings.items():
                _add_file(packed, f"settings/{name}", path, done)
        fresh.replace(output)
    finally:
        fresh.unlink(missing_ok=True)
    return contents, left_out


def _size(*paths: Path) -> int:
    """Return how many bytes these files have, all of which can be restored.

    Raises:
        BackupError: they cannot.
    """
    for path in paths:
        if _hides(path.name):
            raise BackupError(f"{path}: want a file that is not hidden: give it a name without the first dot")
    size = sum(path.stat().st_size for path in paths)
    if size > MOST_BYTES:
        raise BackupError(f"want at most {MOST_BYTES // 1024**3} GiB, found {size / 1024**3:.1f} GiB")
    return size


def _journals(config: Path | None, journal: Path | None) -> list[Path]:
    if journal is not None or config is not None:
        found = [journal or Path(read_config(config or INSTALLED).journal)]
    else:
        found = sorted(default_state_folder().glob("*.db"))
    there = [path for path in found if path.is_file()]
    if not there:
        looked = found[0] if found else default_state_folder()
        raise BackupError(
            f"no journal at {looked}: play a game first, or name one with --journal or --config"
        )
    return there


def _settings(config: Path) -> tuple[dict[str, Path], list[Path]]:
    """Return a configuration's files by their names in its folder, and those that are hidden or elsewhere."""
    folder = config.parent.resolve()
    inside, left_out = {config.name: config}, []
    for path in (folder / name for name in _named(tomllib.loads(config.read_text(encoding="utf-8")))):
        whole = path.resolve()
        if not whole.is_relative_to(folder) or whole == folder:
            left_out.append(path)
            continue
        for one in _files(whole) if whole.is_dir() else [whole]:
            name = str(one.relative_to(folder))
            if _hides(name):
                left_out.append(one)
            else:
                inside[name] = one
    return inside, left_out


def _named(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _named(value)
        elif isinstance(value, str) and (key in _FILES or key.endswith("_file")):
            yield value


def _add_journal(packed: tarfile.TarFile, path: Path, done: Callable[[float], Any]) -> None:
    """Add a journal as it is at one moment, also while a table plays, and before it what lies beside it.

    A game that ends meanwhile is in the journal and not yet told, never the other way round.
    """
    for beside in (path.with_suffix(ending) for ending in _BESIDE):
        for one in sorted(beside.rglob("*")) if beside.is_dir() else [beside]:
            if one.is_file():
                packed.add(one, f"journals/{one.relative_to(path.parent)}")
    with ExitStack() as held, tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        with closing(sqlite3.connect(copy)) as target:
            open_to_read(str(path), held).backup(target)
            (whole,) = target.execute("PRAGMA quick_check(1)").fetchone()
        if whole != "ok":
            raise BackupError(f"{path}: the journal is damaged: {whole}")
        _add_file(packed, f"journals/{path.name}", copy, done)


def _add_file(packed: tarfile.TarFile, name: str, path: Path, done: Callable[[float], Any]) -> None:
    """Add a file, and say how many bytes of it are packed as they are."""
    with path.open("rb") as file:
        packed.addfile(packed.gettarinfo(arcname=name, fileobj=file), _Counted(file, done))


class _Counted(io.RawIOBase):
    """A file that is read, and says how much of it was."""

    def __init__(self, file: BinaryIO, done: Callable[[float], Any]) -> None:
        self._file = file
        self._done = done

    def read(self, size: int = -1) -> bytes:
        found = self._file.read(size)
        self._done(len(found))
        return found


def _add(packed: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    packed.addfile(member, io.BytesIO(content))


# --- restoring ---


def restore(file: Path, config: Path | None, journal: Path | None, *, force: bool) -> list[Path]:
    """Put a backup's files in their places; return them.

    Settings go beside ``config`` (an installed board's to /etc/hextraction); games to ``journal``, or to
    where the settings say, or to this user's folder for games.

    Raises:
        BackupError: it is no backup, something would be overwritten (without ``force``), or a table plays.
        JournalError: a journal in it is none.
        SettingsError: its configuration is wrong here.
    """
    if not file.exists():
        raise BackupError(f"{file}: there is no such file")
    with tempfile.TemporaryDirectory() as folder:
        unpacked = Path(folder)
        contents = _unpack(file, unpacked)
        places = dict(_places(contents, unpacked, config, journal))
        for name in contents.journals:
            Journal(unpacked / "journals" / name, reading=True).close()
        there = sorted(
            (path for path in places.values() if path.exists()), key=lambda path: path.parent.suffix == _TOLD
        )
        if there and not force:
            games = [places[unpacked / "journals" / name] for name in contents.journals]
            one = len(games) == 1 and games[0] in there
            beside = ", or --journal FILE to have its games beside today's" if one else ""
            raise BackupError(f"there already: {_shortly(there)}; want --force to overwrite{beside}")
        with ExitStack() as held:
            for name in contents.journals:
                _take_over(held, places[unpacked / "journals" / name])
            for source, target in places.items():
                _put(source, target)
    return list(places.values())


def _shortly(paths: list[Path]) -> str:
    """Return the first few of these paths, and how many more there are."""
    more = f" and {len(paths) - _FEW} more" if len(paths) > _FEW else ""
    return f"{', '.join(map(str, paths[:_FEW]))}{more}"


def _unpack(file: Path, folder: Path) -> Contents:
    """Unpack plain files of the two known folders, and nothing else."""
    try:
        with gzip.open(file) as unzipped, tempfile.TemporaryFile(dir=folder) as plain:
            _copy(unzipped, plain, file)  # that it is whole is said at its very end
            plain.seek(0)
            with tarfile.open(fileobj=plain, mode="r:") as packed:
                for member in packed:
                    _unpack_member(packed, member, folder, file)
                plain.seek(packed.offset)
            _check_end(plain)
        contents = msgspec.json.decode((folder / _CONTENTS).read_bytes(), type=Contents)
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise BackupError(f"{file}: this is no backup of a board, or damaged: {error}") from None
    except (FileNotFoundError, *UNREADABLE) as error:
        raise BackupError(f"{file}: this is no backup of a board: {error}") from None
    names = [*contents.journals, *([contents.config] if contents.config else [])]
    if contents.format != _FORMAT:
        raise BackupError(f"{file}: want format {_FORMAT}, found {contents.format}: use a newer version")
    if any(PurePosixPath(name).name != name or "\0" in name for name in names):
        raise BackupError(f"{file}: this is no backup of a board: want plain names, found {', '.join(names)}")
    return contents


def _copy(unzipped: gzip.GzipFile, plain: BinaryIO, file: Path) -> None:
    """Unzip up to the most that a backup holds.

    Raises:
        BackupError: there is more.
    """
    long = 0
    while piece := unzipped.read(_PIECE):
        long += len(piece)
        if long > MOST_BYTES:
            raise BackupError(f"{file}: want at most {MOST_BYTES // 1024**3} GiB unpacked, found more")
        plain.write(piece)


def _check_end(plain: BinaryIO) -> None:
    """Check that what tarfile took for the end of an archive is one: a damaged head looks like it.

    Raises:
        TarError: it is none; what comes after it would be missed.
    """
    long = 0
    while piece := plain.read(_PIECE):
        long += len(piece)
        if piece.strip(b"\0"):
            raise tarfile.ReadError("what is in it is damaged")
    if long < 2 * tarfile.BLOCKSIZE:
        raise tarfile.ReadError("its end is missing")


def _unpack_member(packed: tarfile.TarFile, member: tarfile.TarInfo, folder: Path, file: Path) -> None:
    parts = PurePosixPath(member.name).parts
    fits = member.name == _CONTENTS or (len(parts) > 1 and parts[0] in {"journals", "settings"})
    content = packed.extractfile(member) if member.isreg() and not member.issparse() else None
    if content is None or not fits or _hides(member.name) or "\0" in member.name:
        raise BackupError(f"{file}: this is no backup of a board: {member.name!r} is in it")
    (folder / member.name).parent.mkdir(parents=True, exist_ok=True)
    with (folder / member.name).open("wb") as out:
        shutil.copyfileobj(content, out)


def _hides(name: str) -> bool:
    """Whether a path leads up, or to a hidden file: none of ours is, and what a shell reads at first is."""
    return any(part.startswith(".") for part in PurePosixPath(name).parts)


def _places(
    contents: Contents, unpacked: Path, config: Path | None, journal: Path | None
) -> Iterator[tuple[Path, Path]]:
    """Yield each unpacked file with its place on this machine."""
    if config is not None and config.is_dir():
        raise BackupError(
            f"--config {config}: want a file, such as {config / INSTALLED.name}, found a folder"
        )
    if journal is not None and len(contents.journals) != 1:
        raise BackupError(
            f"--journal {journal}: want a backup of one journal, found {len(contents.journals)}"
        )
    games = default_state_folder()
    wanted: dict[str, Path] = {}
    if contents.config:
        if config is None and not contents.installed:
            raise BackupError("want --config FILE: where its configuration and what belongs to it shall go")
        place = config or INSTALLED
        said = Path(read_config(unpacked / "settings" / contents.config).journal)
        inside = said.is_relative_to(unpacked / "settings")
        is_installed = contents.installed and config is None
        if journal is None and not inside and said.parent != games and not is_installed:
            raise BackupError(
                f"its games were at {said}, outside of their configuration's folder: want --journal FILE, "
                "that place or another"
            )
        target = place.parent / said.relative_to(unpacked / "settings") if inside else said
        wanted = dict.fromkeys(contents.journals, target)
        for source in _files(unpacked / "settings"):
            own = source.relative_to(unpacked / "settings")
            yield source, place if str(own) == contents.config else place.parent / own
    if journal is not None:
        wanted = dict.fromkeys(contents.journals, journal)
    for source in _files(unpacked / "journals"):
        own = source.relative_to(unpacked / "journals")
        stem = next((one for one in contents.journals if Path(one).stem == Path(own.parts[0]).stem), "")
        if not stem or not _belongs(own, contents.journals):
            raise BackupError(f"this is no backup of a board: {own} belongs to none of its journals")
        base = wanted.get(stem, games / stem)
        is_journal = str(own) in contents.journals
        yield (
            source,
            base if is_journal else base.with_suffix(Path(own.parts[0]).suffix).joinpath(*own.parts[1:]),
        )


def _belongs(own: Path, journals: tuple[str, ...]) -> bool:
    """Whether a file is a journal or what stands beside one: nothing else may come along under its name."""
    return str(own) in journals or Path(own.parts[0]).suffix in _BESIDE


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _take_over(held: ExitStack, journal: Path) -> None:
    """Keep tables away from a journal while it is replaced, and remove what speaks of the one before."""
    journal.parent.mkdir(parents=True, exist_ok=True)
    try:
        held.enter_context(claim(str(journal)))
    except TakenError:
        raise BackupError(
            f"{journal}: a table plays on it; end it first (systemctl stop hextraction)"
        ) from None
    for ending in _STALE:
        Path(f"{journal}{ending}").unlink(missing_ok=True)
    shutil.rmtree(journal.with_suffix(_TOLD), ignore_errors=True)  # what is not restored is told again


def _put(source: Path, target: Path) -> None:
    """Put a file in its place, in one step; it belongs to whoever has the folder, and so do new folders."""
    fresh = [folder for folder in reversed(target.parents) if not folder.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    replace_plain(target, source.read_bytes())
    if os.geteuid() == 0:
        for path in (*fresh, target):
            owner = path.parent.stat()
            os.chown(path, owner.st_uid, owner.st_gid)

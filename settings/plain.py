"""Reads what somebody else may have put there: plain files only, and no more of them than was said.

What lies beside a journal, in a folder of tiles or in a package's page is input. Whoever opens a pipe waits
for ever, a device never ends, a small packed file may hold gigabytes.
"""

import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

__all__ = [
    "UNREADABLE",
    "NotPlainError",
    "check_packed",
    "check_plain",
    "open_plain",
    "read_packed",
    "read_plain",
    "replace_plain",
]

UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What reading somebody else's bytes as JSON may raise; text that is not UTF-8 is no ``DecodeError``."""
_PIECE: Final = 1024 * 1024
_GZIP: Final = 31
"""For zlib: with a gzip header, and the largest window."""


class NotPlainError(OSError):
    """What is there is no plain file, or holds more than is read; ``filename`` and ``strerror`` say so."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(0, why, str(path))


def check_plain(path: Path | str) -> bool:
    """Return whether there is a plain file, or a link to one.

    Raises:
        NotPlainError: something else is there.
        OSError: nobody can tell, say for want of rights.
    """
    try:
        _refuse_other(Path(path).stat().st_mode, path)
    except FileNotFoundError:
        if Path(path).is_symlink():
            raise NotPlainError(path, "is a link that leads nowhere; remove it") from None
        return False
    return True


def open_plain(path: Path | str, flags: int = os.O_RDONLY, mode: int = 0o640) -> int:
    """Open a plain file and return its descriptor; what is written is never a link's other end.

    Raises:
        NotPlainError: something else is there.
        OSError: it cannot be opened.
    """
    kept = os.O_NOFOLLOW if flags & (os.O_WRONLY | os.O_RDWR) else 0
    if kept and Path(path).is_symlink():
        raise NotPlainError(path, "is a link; want a plain file, remove it")
    check_plain(path)  # what cannot be opened at all is named, too
    # A pipe opened for reading would wait for its writer.
    found = os.open(path, flags | kept | os.O_NONBLOCK | os.O_CLOEXEC, mode)
    try:
        _refuse_other(os.fstat(found).st_mode, path)
    except NotPlainError:
        os.close(found)
        raise
    return found


def read_plain(path: Path | str, most: int) -> bytes:
    """Return what a file holds, if that is at most so many bytes.

    Raises:
        NotPlainError: it is no plain file, or larger.
        OSError: it cannot be read.
    """
    with open(open_plain(path), "rb") as file:
        data = b"" if os.fstat(file.fileno()).st_size > most else file.read(most + 1)
        if len(data) > most or os.fstat(file.fileno()).st_size > most:
            raise NotPlainError(path, f"holds more than {most / 1e6:g} MB, which is not read")
    return data


def read_packed(path: Path | str, most_packed: int, most: int) -> bytes:
    """Return what a file packed by gzip holds, if that is at most so many bytes, packed and unpacked.

    Raises:
        NotPlainError: it is no plain file, larger, or not packed by gzip.
        OSError: it cannot be read.
    """
    return b"".join(_unpacked(read_plain(path, most_packed), most, path))


def check_packed(packed: bytes, most: int, path: Path | str) -> None:
    """Unpack what was packed by gzip, in pieces that nobody keeps.

    Raises:
        NotPlainError: it unpacks to more than so many bytes, or was not packed by gzip.
    """
    for _piece in _unpacked(packed, most, path):
        pass


def _unpacked(packed: bytes, most: int, path: Path | str) -> Iterator[bytes]:
    """Yield what was packed, piece by piece, and no more than so many bytes in all."""
    unpacking = zlib.decompressobj(_GZIP)
    room = most
    while not unpacking.eof:
        try:
            piece = unpacking.decompress(packed, _PIECE)
        except zlib.error:
            raise NotPlainError(path, "is damaged, or not packed by gzip") from None
        packed = unpacking.unconsumed_tail
        room -= len(piece)
        if room < 0:
            raise NotPlainError(path, f"holds more than {most / 1e6:g} MB unpacked, which is not read")
        if not piece and not packed and not unpacking.eof:
            raise NotPlainError(path, "is cut off")
        yield piece


def replace_plain(path: Path, data: bytes, mode: int = 0o640) -> None:
    """Write a file so that it is whole or not there, whatever lies in the place of its draft (``.new``).

    Raises:
        OSError: it cannot be written.
    """
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with open(open_plain(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
    new.replace(path)


def _refuse_other(mode: int, path: Path | str) -> None:
    """Raise ``NotPlainError`` unless the mode is that of a plain file."""
    kinds = (
        (stat.S_ISDIR, "a directory"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    )
    if not stat.S_ISREG(mode):
        kind = next((name for is_it, name in kinds if is_it(mode)), "something else")
        raise NotPlainError(path, f"is {kind}; want a plain file, move it away")

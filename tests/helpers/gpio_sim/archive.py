"""Archives that a kernel unpacks as its first root file system: "newc" cpio, and tar turned into it.

Archives may simply be put one behind the other; a later one adds to an earlier one.
"""

import stat
import tarfile
from pathlib import Path
from typing import BinaryIO, Self

KINDS = {
    tarfile.REGTYPE: stat.S_IFREG,
    tarfile.LNKTYPE: stat.S_IFREG,
    tarfile.SYMTYPE: stat.S_IFLNK,
    tarfile.DIRTYPE: stat.S_IFDIR,
    tarfile.CHRTYPE: stat.S_IFCHR,
    tarfile.BLKTYPE: stat.S_IFBLK,
}
END = "TRAILER!!!"


class Archive:
    """One archive that is being written; use it as a context manager."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._members = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._add(END, 0)

    def file(self, name: str, data: bytes, mode: int = 0o644) -> None:
        """Add a file; its folders must be there."""
        self._add(name, stat.S_IFREG | mode, data)

    def folder(self, name: str) -> None:
        """Add a folder; one that is there already stays as it is."""
        self._add(name, stat.S_IFDIR | 0o755)

    def tar(self, path: Path) -> None:
        """Add all members of a tar file, devices included; all belongs to root."""
        with tarfile.open(path) as members:
            for member in members:
                name = member.name.removeprefix("./").strip("/")
                if name not in {"", "."} and member.type in KINDS:
                    data = _content(members, member)
                    numbers = (member.devmajor, member.devminor)
                    self._add(name, KINDS[member.type] | member.mode, data, numbers)

    def _add(self, name: str, mode: int, data: bytes = b"", device: tuple[int, int] = (0, 0)) -> None:
        self._members += 1
        path = name.encode() + b"\0"
        fields = (self._members, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(path), 0)
        for part in (b"070701" + b"".join(b"%08X" % field for field in fields) + path, data):
            self._out.write(part + b"\0" * (-len(part) % 4))


def _content(members: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    if member.issym():
        return member.linkname.encode()
    content = members.extractfile(member) if member.isfile() or member.islnk() else None
    return b"" if content is None else content.read()

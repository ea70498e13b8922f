"""Flashes firmware to the hub: the shipped image, the disk it goes to, and whether it arrived.

An RP2040 that starts with BOOTSEL held, or on request, appears as a small USB disk; it writes a UF2 file that
is copied there to its flash, and restarts.
"""

import errno
import json
import os
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hextraction.hal.errors import HalError

__all__ = [
    "IMAGE",
    "FirmwareError",
    "copy_image",
    "find_disks",
    "read_image",
    "shipped_sources",
    "shows_disk",
]

IMAGE: Final = Path(__file__).parents[1] / "firmware" / "release" / "hub.uf2"
"""The image that came with this release."""

_MOUNTS: Final = ("/media/*", "/media/*/*", "/run/media/*/*", "/mnt/*", "/mnt")
_DEVICE: Final = Path("/dev/disk/by-label/RPI-RP2")
_FACTS: Final = "INFO_UF2.TXT"
_BLOCK: Final = 512
_HEADER: Final = struct.Struct("<8I")
_BEGINS, _ENDS = (0x0A324655, 0x9E5D5157), struct.pack("<I", 0x0AB16F30)
_HAS_FAMILY: Final = 0x2000
_RP2040: Final = 0xE48BFF56
_GONE: Final = frozenset({errno.EIO, errno.ENODEV, errno.ENXIO})


class FirmwareError(HalError, ValueError):
    """An image or disk is unsuitable; the message says what is needed."""


def shipped_sources(image: Path = IMAGE) -> str | None:
    """Return the digest of the sources that the image beside ``release.json`` was built from: 16 digits."""
    facts = image.with_name("release.json")
    if image != IMAGE or not facts.is_file():
        return None
    return str(json.loads(facts.read_text(encoding="utf-8"))["sources"])[:16]


def find_disks(patterns: Iterable[str] = _MOUNTS) -> tuple[Path, ...]:
    """Return where RP2040 boot disks are mounted."""
    found = [path for pattern in patterns for path in Path("/").glob(pattern.lstrip("/"))]
    return tuple(sorted({path for path in found if _is_boot_disk(path)}))


def shows_disk(device: Path = _DEVICE) -> bool:
    """Whether an RP2040 appears as a disk, mounted or not."""
    return device.exists()


def read_image(image: Path) -> bytes:
    """Read an image and check every block of it.

    Raises:
        FirmwareError: it is not a complete image for an RP2040.
        OSError: it cannot be read.
    """
    data = image.read_bytes()
    blocks = [data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK)]
    if not blocks or not all(map(_is_block, blocks)):
        raise FirmwareError(f"{image}: want a UF2 image, found something else")
    heads = [_HEADER.unpack_from(block) for block in blocks]
    if not all(
        flags & _HAS_FAMILY and family == _RP2040 for *_, flags, _at, _size, _n, _all, family in heads
    ):
        raise FirmwareError(f"{image}: want an image for an RP2040 (a Pico), found one for another chip")
    if [head[5] for head in heads] != list(range(heads[0][6])):
        raise FirmwareError(f"{image}: want {heads[0][6]} blocks, found {len(heads)}: it is not whole")
    return data


def copy_image(data: bytes, disk: Path) -> None:
    """Copy an image to a boot disk. The Pico restarts after the last block, and the disk may disappear.

    Raises:
        FirmwareError: it is not a boot disk.
        OSError: it cannot be written.
    """
    if not _is_boot_disk(disk):
        raise FirmwareError(f"{disk}: want the disk RPI-RP2 of a Pico ({_FACTS} on it), found something else")
    with (disk / "HUB.UF2").open("wb") as out:
        out.write(data)
        out.flush()
        _settle(out.fileno())


def _settle(file: int) -> None:
    """Wait until everything is written, or the disk has disappeared because it was."""
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno not in _GONE:
            raise


def _is_block(block: bytes) -> bool:
    if len(block) != _BLOCK or not block.endswith(_ENDS):
        return False
    return _HEADER.unpack_from(block)[:2] == _BEGINS


def _is_boot_disk(path: Path) -> bool:
    try:
        return "RPI-RP2" in (path / _FACTS).read_text(encoding="ascii", errors="replace")
    except OSError:
        return False

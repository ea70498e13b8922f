"""New firmware for the hub: the shipped image, the disk it goes to, and whether it arrived.

An RP2040 that starts with BOOTSEL held, or is asked to, shows itself as a small USB disk; a UF2 file that is
copied there is written to its flash, and it starts.
"""

import json
import os
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hextraction.hal.errors import HalError

__all__ = ["IMAGE", "FirmwareError", "copy_image", "find_disks", "shipped_sources"]

IMAGE: Final = Path(__file__).parent / "firmware" / "release" / "hub.uf2"
"""The image that came with this release."""

_MOUNTS: Final = ("/media/*", "/media/*/*", "/run/media/*/*", "/mnt/*", "/mnt")
_FACTS: Final = "INFO_UF2.TXT"
_MAGIC: Final = struct.pack("<2I", 0x0A324655, 0x9E5D5157)
_BLOCK: Final = 512
_FAMILY_AT: Final = 28
_RP2040: Final = struct.pack("<I", 0xE48BFF56)


class FirmwareError(HalError, ValueError):
    """An image or disk is not what is needed; the message says what is."""


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


def copy_image(image: Path, disk: Path) -> int:
    """Copy an image to a boot disk; return its length in bytes.

    Raises:
        FirmwareError: that is no image for an RP2040, or no boot disk.
        OSError: it cannot be read or written.
    """
    data = image.read_bytes()
    if not data or len(data) % _BLOCK or not data.startswith(_MAGIC):
        raise FirmwareError(f"{image}: want a UF2 image, found something else")
    if data[_FAMILY_AT : _FAMILY_AT + 4] != _RP2040:
        raise FirmwareError(f"{image}: want an image for an RP2040, found one for another chip")
    if not _is_boot_disk(disk):
        raise FirmwareError(f"{disk}: want the disk RPI-RP2 of a Pico ({_FACTS} on it), found something else")
    with (disk / "HUB.UF2").open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    return len(data)


def _is_boot_disk(path: Path) -> bool:
    try:
        return "RPI-RP2" in (path / _FACTS).read_text(encoding="ascii", errors="replace")
    except OSError:
        return False

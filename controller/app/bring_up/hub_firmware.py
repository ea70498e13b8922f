"""``hextraction hub flash``: explains how firmware gets onto the hub, or puts it there.

The hub is asked to restart as a USB disk, the image is copied, the hub starts anew and is greeted.
"""

import argparse
import errno
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from hextraction.hal.hub.flash import (
    IMAGE,
    FirmwareError,
    copy_image,
    find_disks,
    read_image,
    shipped_sources,
    shows_disk,
)
from hextraction.hal.hub.port import HubNotFound, find_hubs, find_port, open_serial
from hextraction.hal.hub.question import HubQuestion
from hextraction.hal.hub.words import Greeting

__all__ = ["flash"]

_DISK_S: Final = 20.0
_MOUNT_S: Final = 3.0
_START_S: Final = 15.0
_LOOK_S: Final = 0.25
_BY_HAND: Final = """Bring the Pico up as a disk by hand: unplug it, hold BOOTSEL, plug it in, let go.
Its disk is called RPI-RP2. Then run this again, or copy the image yourself:
  cp {image} FOLDER/OF/RPI-RP2/"""
_UNMOUNTED: Final = """The Pico shows itself as a disk, but nobody has mounted it. Do so, and run this again:
  sudo mount -o uid=$(id -u) /dev/disk/by-label/RPI-RP2 /mnt
When the hub runs again: sudo umount /mnt"""

_Found = TypeVar("_Found")


def flash(options: argparse.Namespace) -> int:
    """Put an image on the hub; return the exit status.

    Raises:
        FirmwareError: image or disk is not what is needed.
        OSError: a port or a file may not be used.
    """
    image = options.file or IMAGE
    data = _checked(image)
    disk = options.disk or _disk(options.port, image)
    if disk is None:
        return 1
    _copy(data, image, disk)
    print(f"Copied {len(data)} bytes to {disk}. The hub starts anew…", flush=True)
    return _verify(options.port, image)


def _checked(image: Path) -> bytes:
    if not image.is_file():
        raise FirmwareError(f"{image}: there is no such image; `make firmware` builds one")
    return read_image(image)


def _copy(data: bytes, image: Path, disk: Path) -> None:
    try:
        copy_image(data, disk)
    except OSError as error:
        what = f"{disk}: {error.strerror or error}"
        if error.errno == errno.ENOSPC:
            what = f"{disk} is full: {image.name} needs {len(data)} bytes; unplug the Pico, and begin anew"
        elif error.errno in {errno.EACCES, errno.EPERM}:
            what = f"{disk} may not be written to: try it with sudo, or mount it as your own"
        raise FirmwareError(what) from error


# --- the disk ---


def _disk(port: str, image: Path) -> Path | None:
    """Return the boot disk that is there, or the one that the hub becomes; ``None`` when people must help."""
    if not find_disks() and not shows_disk() and not _restarts_as_disk(port):
        print(_BY_HAND.format(image=image), file=sys.stderr)
        return None
    _wait(lambda: find_disks() or shows_disk(), _DISK_S)
    disks = _wait(find_disks, _MOUNT_S)
    if len(disks) > 1:
        found = ", ".join(map(str, disks))
        raise FirmwareError(f"want one Pico as a disk, found {found}: say which with --disk")
    if not disks:
        print(_UNMOUNTED if shows_disk() else _BY_HAND.format(image=image), file=sys.stderr)
    return disks[0] if disks else None


def _restarts_as_disk(port: str) -> bool:
    if port == "auto" and not find_hubs():
        print("No hub and no Pico that waits for firmware is plugged in.", file=sys.stderr)
        return False
    path = find_port(port)
    print(f"Asking the hub at {path} to start as a disk…", flush=True)
    with HubQuestion(open_serial(path)) as hub:
        if hub.greet() is None:
            print(f"What is at {path} does not answer: other firmware may be on it.", file=sys.stderr)
            return False
        if not hub.boot():
            print("It does not want to: no restart within two seconds.", file=sys.stderr)
            return False
    return True


# --- whether it arrived ---


def _verify(port: str, image: Path) -> int:
    """Greet the hub that has started anew; its port may take a moment to be there, and to be ours."""
    why: list[str] = ["its port has not come back"]
    greeting = _wait(lambda: _greeting(port, why), _START_S)
    if greeting is None:
        print(
            f"The image was copied, but the hub does not answer ({why[-1]}).\n"
            "Unplug it, plug it in, and see: hextraction hub info",
            file=sys.stderr,
        )
        return 1
    wanted = shipped_sources(image)
    if wanted is not None and wanted != greeting.sources:
        print(
            f"The hub runs firmware of the sources {greeting.sources}, want {wanted}: "
            "the image has not arrived, or it went to another Pico.",
            file=sys.stderr,
        )
        return 1
    print(f"The hub {greeting.unique_id} runs firmware {'.'.join(map(str, greeting.firmware))}.")
    return 0


def _greeting(port: str, why: list[str]) -> Greeting | None:
    try:
        with HubQuestion(open_serial(port)) as hub:
            greeting = hub.greet()
            why.append("it says nothing")
            return greeting
    except HubNotFound as error:
        if find_hubs():
            raise
        why.append(str(error))
    except OSError as error:
        why.append(str(error))
    return None


def _wait(look: Callable[[], _Found], for_s: float) -> _Found:
    """Look again and again until something is there, or the time is over."""
    until_s = time.monotonic() + for_s
    while not (found := look()) and time.monotonic() < until_s:
        time.sleep(_LOOK_S)
    return found

"""``hextraction hub``: what the sensor hub says of itself, and new firmware for it."""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hextraction.hal.hub_flash import IMAGE, FirmwareError, copy_image, find_disks, shipped_sources
from hextraction.hal.hub_port import find_hubs, open_serial
from hextraction.hal.hub_question import HubQuestion
from hextraction.hal.hub_words import BOOT_REASONS, LINEAR, Greeting, State, read_edges

__all__ = ["run"]

_DISK_S: Final = 20.0
_START_S: Final = 15.0
_LOOK_S: Final = 0.25
_BY_HAND: Final = """Bring the Pico up as a disk by hand: unplug it, hold BOOTSEL, plug it in, let go.
The disk is called RPI-RP2. If it does not show up by itself:
  udisksctl mount -b /dev/disk/by-label/RPI-RP2
Then run this again, or copy the image yourself:
  cp {image} PATH/OF/RPI-RP2/"""


def run(options: argparse.Namespace) -> int:
    """Do what is asked; return the exit status."""
    try:
        doing: Callable[[argparse.Namespace], int] = {"info": _info, "log": _log, "flash": _flash}[
            options.doing
        ]
        return doing(options)
    except KeyboardInterrupt:
        return 0
    except (OSError, FirmwareError) as error:
        print(f"hextraction hub {options.doing}: {_sentence(error)}", file=sys.stderr)
        return 2


def _sentence(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


# --- asking ---


def _info(options: argparse.Namespace) -> int:
    with HubQuestion(open_serial(options.port)) as hub:
        greeting = hub.greet()
        if greeting is None:
            return _mute(options)
        _introduce(greeting, hub.state())
        for name, count in hub.diagnosis().items():
            print(f"  {name.replace('_', ' '):28}{count:12}")
    return 0


def _mute(options: argparse.Namespace) -> int:
    print(
        f"hextraction hub {options.doing}: no hub answers at {options.port}: "
        "other firmware may be on it; hextraction hub flash puts ours there",
        file=sys.stderr,
    )
    return 1


def _introduce(greeting: Greeting, state: State | None) -> None:
    shipped = shipped_sources()
    same = (
        "" if shipped is None else ", as shipped" if shipped == greeting.sources else ", not the one shipped"
    )
    version = ".".join(map(str, greeting.firmware))
    reason = BOOT_REASONS[greeting.boot_reason] if greeting.boot_reason < len(BOOT_REASONS) else "unknown"
    print(f"Sensor hub {greeting.unique_id}")
    print(f"  firmware {version} ({greeting.sources}{same}), protocol {greeting.major}.{greeting.minor}")
    serves = f"{greeting.inputs} inputs, {greeting.linears} linears, {greeting.coils} coils"
    print(f"  {serves}; {greeting.scan_us} us a scan")
    print(f"  last start: {reason}; {greeting.bites} watchdog restarts since it has power")
    if state is not None:
        estop = "good" if state.flags.estop_good else "pressed, or no 12 V"
        print(f"  configuration {state.config_crc:08x}; e-stop {estop}; coils: {state.reason}")


def _log(options: argparse.Namespace) -> int:
    with HubQuestion(open_serial(options.port)) as hub:
        if hub.greet() is None:
            return _mute(options)
        for frame in hub.listen(options.seconds):
            for edge in read_edges(frame.body) if frame.type == "e" else ():
                kind = f"linear {edge.number - LINEAR}" if edge.number >= LINEAR else f"input {edge.number}"
                print(
                    f"{edge.low_us / 1e6:12.6f} s  {kind:10} {'active' if edge.active else 'idle'}",
                    flush=True,
                )
            if frame.type in {"w", "t"}:
                print(f"{'':14} {'warning' if frame.type == 'w' else 'state'} {frame.body.hex()}", flush=True)
    return 0


# --- new firmware ---


def _flash(options: argparse.Namespace) -> int:
    options.file = options.file or IMAGE
    if not options.file.is_file():
        raise FirmwareError(f"{options.file}: there is no such image; `make firmware` builds one")
    disk = options.disk or _disk(options)
    if disk is None:
        print(_BY_HAND.format(image=options.file), file=sys.stderr)
        return 1
    length = copy_image(options.file, disk)
    print(f"Copied {length} bytes to {disk}. The hub starts anew…", flush=True)
    return _verify(options)


def _disk(options: argparse.Namespace) -> Path | None:
    """Return the boot disk that is there, or the one that the hub becomes when it is asked."""
    disks = find_disks()
    if not disks and (options.port != "auto" or find_hubs()):
        print("Asking the hub to start as a disk…", flush=True)
        with HubQuestion(open_serial(options.port)) as hub:
            if hub.greet() is not None:
                hub.boot()
        disks = _wait(find_disks, _DISK_S)
    if len(disks) > 1:
        raise FirmwareError(f"want one Pico as a disk, found {len(disks)}: say which with --disk")
    return disks[0] if disks else None


def _verify(options: argparse.Namespace) -> int:
    if options.port == "auto" and not _wait(find_hubs, _START_S):
        print(
            "The hub has not come back: unplug it, plug it in, and see: hextraction hub info", file=sys.stderr
        )
        return 1
    with HubQuestion(open_serial(options.port)) as hub:
        greeting = hub.greet()
    if greeting is None:
        return _mute(options)
    wanted = shipped_sources(options.file)
    if wanted is not None and wanted != greeting.sources:
        print(f"The hub runs {greeting.sources}, want {wanted}: was it another Pico?", file=sys.stderr)
        return 1
    print(f"The hub runs firmware {'.'.join(map(str, greeting.firmware))}.")
    return 0


def _wait(look: Callable[[], tuple[object, ...]], for_s: float) -> tuple[Path, ...]:
    """Look again and again until something is there."""
    until_s = time.monotonic() + for_s
    while not (found := look()) and time.monotonic() < until_s:
        time.sleep(_LOOK_S)
    return tuple(Path(str(each)) for each in found)

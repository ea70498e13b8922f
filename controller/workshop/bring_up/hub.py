"""``hextraction hub``: show the sensor hub's status, or flash new firmware."""

import argparse
import errno
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from hextraction.controller.workshop.documents import HubFacts, Hubs
from hextraction.controller.workshop.terminal import tell, working
from hextraction.hal.hub.flash import (
    IMAGE,
    FirmwareError,
    copy_image,
    find_disks,
    read_image,
    shipped_sources,
    shows_disk,
)
from hextraction.hal.hub.framing import Frame
from hextraction.hal.hub.port import HubNotFound, PortBusy, find_hubs, find_port, open_serial
from hextraction.hal.hub.question import HubQuestion
from hextraction.hal.hub.words import BOOT_REASONS, LINEAR, MAJOR, Greeting, State, read_edges, read_warning
from msgspec.structs import replace

__all__ = ["FlashHost", "flash", "run"]

# --- Firmware ---
#
# The hub is asked to restart as a USB disk, the image is copied, the hub restarts and is greeted.

_BY_HAND: Final = """Bring the Pico up as a disk by hand: unplug it, hold BOOTSEL, plug it in, let go.
Its disk is called RPI-RP2. Then run this again, or copy the image yourself:
  cp {image} FOLDER/OF/RPI-RP2/"""
_UNMOUNTED: Final = """The Pico shows itself as a disk, but nobody has mounted it. Do so, and run this again:
  sudo mount -o uid=$(id -u) /dev/disk/by-label/RPI-RP2 /mnt
When the hub runs again: sudo umount /mnt"""

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class FlashHost:
    """The machine that a Pico is plugged into: its disks, and how long each step may take on it, in seconds.

    ``disk_s``: until the hub is a disk; ``mount_s``: until that is mounted; ``start_s``: until the hub runs
    again. It looks every ``look_s``.
    """

    disks: Callable[[], tuple[Path, ...]] = find_disks
    shows_disk: Callable[[], bool] = shows_disk
    copy: Callable[[bytes, Path], None] = copy_image
    sleep: Callable[[float], None] = time.sleep
    disk_s: float = 20.0
    mount_s: float = 3.0
    start_s: float = 15.0
    look_s: float = 0.25

    def wait(self, look: Callable[[], _Found], for_s: float) -> _Found:
        """Poll until something is there or time runs out."""
        until_s = time.monotonic() + for_s
        with working(for_s, "s at most") as done:
            while not (found := look()) and time.monotonic() < until_s:
                self.sleep(self.look_s)
                done(self.look_s)
        return found


def flash(options: argparse.Namespace, host: FlashHost) -> int:
    """Flash an image to the hub; return the exit status.

    Raises:
        FirmwareError: image or disk is not the right kind.
        OSError: a port or a file cannot be used.
    """
    image = options.file or IMAGE
    data = _checked(image)
    disk = options.disk or _disk(options.port, image, host)
    if disk is None:
        return 1
    _copy(data, image, disk, host)
    print(f"Copied {len(data)} bytes to {disk}. The hub is restarting…", flush=True)
    return _verify(options.port, image, host)


def _checked(image: Path) -> bytes:
    if not image.is_file():
        raise FirmwareError(f"{image}: there is no such image; `make firmware` builds one")
    return read_image(image)


def _copy(data: bytes, image: Path, disk: Path, host: FlashHost) -> None:
    try:
        host.copy(data, disk)
    except OSError as error:
        what = f"{disk}: {error.strerror or error}"
        if error.errno == errno.ENOSPC:
            what = f"{disk} is full: {image.name} needs {len(data)} bytes; unplug the Pico, and start again"
        elif error.errno in {errno.EACCES, errno.EPERM}:
            what = f"{disk} may not be written to: try it with sudo, or mount it as your own"
        raise FirmwareError(what) from error


# --- the disk ---


def _disk(port: str, image: Path, host: FlashHost) -> Path | None:
    """Return the existing boot disk, or the one that the hub becomes; ``None`` if people must help."""
    if not host.disks() and not host.shows_disk() and not _restarts_as_disk(port):
        print(_BY_HAND.format(image=image), file=sys.stderr)
        return None
    host.wait(lambda: host.disks() or host.shows_disk(), host.disk_s)
    disks = host.wait(host.disks, host.mount_s)
    if len(disks) > 1:
        found = ", ".join(map(str, disks))
        raise FirmwareError(f"want one Pico as a disk, found {found}: say which with --disk")
    if not disks:
        print(_UNMOUNTED if host.shows_disk() else _BY_HAND.format(image=image), file=sys.stderr)
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
            print("It did not restart within two seconds.", file=sys.stderr)
            return False
    return True


# --- checking the result ---


def _verify(port: str, image: Path, host: FlashHost) -> int:
    """Greet the restarted hub; its port may take a moment to appear, and to be accessible."""
    why: list[str] = ["its port has not come back"]
    greeting = host.wait(lambda: _greeting(port, why), host.start_s)
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
        if port == "auto" and len(find_hubs()) > 1:
            raise  # none of them is meant more than another; a single one has come since we looked
        why.append(str(error))
    except OSError as error:
        why.append(str(error))
    return None


# --- The command ---

_STOPPED: Final = 130
_SERVICE: Final = """If it is the service, let it rest meanwhile:
  sudo systemctl stop hextraction
  sudo systemctl start hextraction"""


def run(options: argparse.Namespace, *, host: FlashHost | None = None) -> int:
    """Run the command; return the exit status. ``host`` is this machine by default."""
    try:
        if options.doing == "flash":
            return flash(options, host or FlashHost())
        return _info(options) if options.doing == "info" else _log(options)
    except KeyboardInterrupt:
        return 0 if options.doing == "log" else _STOPPED
    except BrokenPipeError:
        raise
    except (OSError, FirmwareError) as error:
        print(f"hextraction hub {options.doing}: {_sentence(error)}", file=sys.stderr)
        if isinstance(error, PortBusy):
            print(_SERVICE, file=sys.stderr)
        return 2


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _mute(port: str) -> str:
    return (
        f"what is at {port} does not answer as our hub: "
        "other firmware may be on it; hextraction hub flash puts ours there"
    )


def _refused(port: str, greeting: Greeting) -> str:
    """Describe a hub with another protocol: only its version is understood, and a table refuses it."""
    return (
        f"the hub at {port} speaks protocol {greeting.major}.{greeting.minor}, want {MAJOR}; "
        "hextraction hub flash puts the firmware there that speaks it"
    )


def _failed(options: argparse.Namespace, why: str) -> int:
    print(f"hextraction hub {options.doing}: {why}", file=sys.stderr)
    return 1


# --- status ---


def _info(options: argparse.Namespace) -> int:
    """Describe the hub, or all of them if there are several and none is named."""
    hubs = find_hubs() if options.port == "auto" else []
    several = len(hubs) > 1
    found = []
    for port in hubs if several else [find_port(options.port)]:
        try:
            found.append(_asked(port))
        except OSError as error:
            if not several:
                raise
            found.append(HubFacts(port=port, problem=_sentence(error)))
    if options.json:
        tell(Hubs(hubs=tuple(found)))
    for number, facts in enumerate(found if not options.json else ()):
        if number:
            print()
        if facts.unique_id is not None:
            print("\n".join(_described(facts)))
        if facts.problem:
            _failed(options, facts.problem)
    return 1 if any(facts.problem for facts in found) else 0


def _asked(port: str) -> HubFacts:
    """Ask the hub at a port everything; what is wrong with it is in the facts."""
    with HubQuestion(open_serial(port)) as hub:
        greeting = hub.greet()
        if greeting is None:
            return HubFacts(port=port, problem=_mute(port))
        if greeting.major != MAJOR:
            return HubFacts(port=port, problem=_refused(port, greeting))
        state = hub.state()
        counts = {} if state is None else hub.diagnosis()
    found = _introduced(port, greeting)
    if state is not None:
        estop, armed = state.flags.estop_good, state.flags.armed
        found = replace(
            found, config_crc=state.config_crc, estop_good=estop, armed=armed,
            reason="" if armed else str(state.reason),
        )  # fmt: skip
    if not counts:
        return replace(
            found,
            problem=f"the hub at {port} said who it is, and then nothing more: unplug it, plug it in; "
            "if that is no better: hextraction hub flash",
        )
    return replace(found, counts=dict(counts))


def _introduced(port: str, greeting: Greeting) -> HubFacts:
    reason = BOOT_REASONS[greeting.boot_reason] if greeting.boot_reason < len(BOOT_REASONS) else "unknown"
    shipped = shipped_sources()
    return HubFacts(
        port=port,
        unique_id=greeting.unique_id,
        firmware=".".join(map(str, greeting.firmware)),
        sources=greeting.sources,
        shipped=None if shipped is None else shipped == greeting.sources,
        protocol=f"{greeting.major}.{greeting.minor}",
        inputs=greeting.inputs,
        linears=greeting.linears,
        coils=greeting.coils,
        scan_us=greeting.scan_us,
        last_start=reason,
        watchdog_restarts=greeting.bites,
    )


_WHOSE: Final = {
    None: "",
    True: ", as shipped",
    False: ", not the one shipped; hextraction hub flash puts that there",
}


def _described(facts: HubFacts) -> Iterator[str]:
    """Yield what a hub said, for people."""
    yield f"Sensor hub {facts.unique_id} at {facts.port}"
    serves = f"{facts.inputs} inputs, {facts.linears} linear Halls, {facts.coils} coils"
    yield _line("firmware", f"{facts.firmware}, sources {facts.sources}{_WHOSE[facts.shipped]}")
    yield _line("protocol", f"{facts.protocol}")
    yield _line("serves", f"{serves}; looks every {facts.scan_us} us")
    restarts = f"restarts by its watchdog since it has power: {facts.watchdog_restarts}"
    yield _line("last start", f"{facts.last_start}; {restarts}")
    if facts.config_crc is not None:
        loaded = f"{facts.config_crc:08x}" if facts.config_crc else "none yet: the controller loads it"
        yield _line("configuration", loaded)
        yield _line("e-stop", "released, and 12 V there" if facts.estop_good else "pressed, or no 12 V")
        yield _line("coils", "armed" if facts.armed else f"not armed: {facts.reason}")
    counts = dict(facts.counts or {})
    if "celsius_100" in counts:
        warm, busy = counts.pop("celsius_100") / 100, counts.pop("load_permille") / 10
        yield _line("chip", f"{warm:.0f} °C; its scan takes {busy:.0f} % of the time")
    if counts:
        yield "Since it started, or (times) since it was last asked:"
    for name, count in counts.items():
        yield f"  {name.replace('_us', ', us').replace('_', ' '):28}{count:12}"


def _line(what: str, says: str) -> str:
    return f"  {what:14}{says}"


# --- reports ---


def _log(options: argparse.Namespace) -> int:
    port = find_port(options.port)
    with HubQuestion(open_serial(port)) as hub:
        greeting = hub.greet()
        if greeting is None:
            return _failed(options, _mute(port))
        if greeting.major != MAJOR:
            return _failed(options, _refused(port, greeting))
        if not greeting.config_crc:
            print(
                "The hub has no configuration, so it reports no sensor. It gets one when a table opens: "
                "start hextraction run or check-board once, then come back.",
                file=sys.stderr,
            )
        print(f"Listening for {options.seconds:g} s; Ctrl-C ends it.", flush=True)
        for frame in hub.listen(options.seconds):
            _show(frame)
    return 0


def _show(frame: Frame) -> None:
    for edge in read_edges(frame.body) if frame.type == "e" else ():
        kind = f"linear {edge.number - LINEAR}" if edge.number >= LINEAR else f"input {edge.number}"
        print(f"{edge.low_us / 1e6:12.6f} s  {kind:10} {'active' if edge.active else 'idle'}", flush=True)
    state = State.read(frame.body) if frame.type == "t" else None
    if state is not None:
        print(f"{state.low_us / 1e6:12.6f} s  {_changed(state)}", flush=True)
    elif frame.type == "w":
        print(f"{'':14}  warning: {read_warning(frame.body)}", flush=True)


def _changed(state: State) -> str:
    estop = "e-stop released" if state.flags.estop_good else "e-stop pressed, or no 12 V"
    return f"{estop}; coils {'armed' if state.flags.armed else 'not armed'}"

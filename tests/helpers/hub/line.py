"""A sensor hub that any program can open: the firmware's logic on this machine, behind a pseudo-terminal.

It lives by the wall clock, a scan every 500 us. Asked to, it goes away and comes as a boot disk (a folder);
when a whole image lies on that, the disk goes and the hub comes back with the firmware that was put there.
"""

import contextlib
import ctypes
import json
import os
import queue
import re
import select
import struct
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Self

from hextraction.hal.hub.flash import IMAGE
from hextraction.hal.hub.framing import Deframer

__all__ = ["OLD_SOURCES", "SHIPPED_SOURCES", "HubOnLine", "boot_disk"]

SCAN_US = 500
STOOD_STILL_SCANS = 800
"""A thread that is so far behind was not let run; a real hub would have listened meanwhile, and not called it silence."""
STARTING_SCANS = 50
"""Before anybody can open a real one it has lived longer than this."""
BOARD_ID = bytes.fromhex("e661000000000001")
OLD_SOURCES = "00000000000000aa"
SHIPPED_SOURCES = json.loads(IMAGE.with_name("release.json").read_text())["sources"][:16]
VENDOR, PRODUCT = 0x2E8A, 0x000A


def boot_disk(folder: Path) -> Path:
    """Make a folder look like the disk of a Pico that waits for firmware."""
    folder.mkdir(parents=True)
    (folder / "INFO_UF2.TXT").write_text(
        "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n"
    )
    return folder


class HubOnLine:
    """Runs until it is closed; use it with ``with``. :attr:`path` is there while the hub is plugged in.

    ``image`` is what was last put on it; ``takes`` are the firmware's sources that it runs afterwards.
    """

    def __init__(
        self, library: ctypes.CDLL, folder: Path, *, sources: str = OLD_SOURCES, board_id: bytes = BOARD_ID
    ) -> None:
        self._library, self.board_id = library, board_id
        self.path, self.disk = folder / "hub", folder / "media" / "RPI-RP2"
        self.sources, self.takes = sources, SHIPPED_SOURCES
        self.image: bytes | None = None
        self.is_mute = False
        """While true it takes what is said and answers nothing, as other firmware would."""
        self.mounts = True
        """Whether somebody mounts its disk."""
        self.on_heard: Callable[[str], None] = lambda _letter: None
        """Called in the hub's own thread with the letter of every frame that came."""
        self._deframer = Deframer()
        self._hub: ctypes.c_void_p | None = None
        self._master, self._was_open, self._lived_until_s = -1, False, 0.0
        self._wishes: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hub on a line", daemon=True)

    def __enter__(self) -> Self:
        self.plug()
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._ended.set()
        self._thread.join(timeout=10)
        self._go()

    def comports(self) -> list[SimpleNamespace]:
        """Return what the machine's list of serial ports says of it."""
        port = SimpleNamespace(
            vid=VENDOR,
            pid=PRODUCT,
            product="Sensor Hub",
            device=str(self.path),
            serial_number=self.board_id.hex().upper(),
        )
        return [port] if self.path.is_symlink() else []

    def plug(self) -> None:
        """Let it start: power comes, and its port."""
        self._hub = ctypes.c_void_p(self._library.host_new())
        self._library.host_identify(self._hub, self.board_id, bytes.fromhex(self.sources))
        self._library.host_port(self._hub, False)
        for _ in range(STARTING_SCANS):
            self._library.host_scan(self._hub, SCAN_US)
        self._was_open, self._lived_until_s = False, time.monotonic()
        self._master, slave = os.openpty()
        os.set_blocking(self._master, False)
        tty.setraw(slave)
        self.path.symlink_to(os.ttyname(slave))
        os.close(slave)

    def unplug(self) -> None:
        """Pull the cable."""
        self._go()

    def unplug_now(self) -> None:
        """Pull the cable, in the hub's own thread; return when it is out."""
        self._wait_for(self.unplug)

    def plug_now(self) -> None:
        """Put the cable in, in the hub's own thread; return when the hub has its port again."""
        self._wait_for(self.plug)

    def _wait_for(self, act: Callable[[], None]) -> None:
        done = threading.Event()
        self.do(lambda: (act(), done.set()))
        assert done.wait(10), "the hub's thread has ended"

    def set_input(self, number: int, high: bool) -> None:
        """Set an input's electrical level; only in the hub's own thread."""
        self._library.host_set_input(self._hub, number, high)

    def set_estop(self, good: bool) -> None:
        """Close or break the e-stop loop; only in the hub's own thread."""
        self._library.host_set_estop(self._hub, good)

    def scan_late(self, period_us: int) -> None:
        """Let a scan come late; only in the hub's own thread."""
        self._library.host_scan(self._hub, period_us)

    # --- the thread ---

    def _run(self) -> None:
        while not self._ended.is_set():
            while not self._wishes.empty():
                self._wishes.get()()
            if self._hub is None:
                self._look_for_image()
            else:
                self._live()

    def do(self, act: Callable[[], None]) -> None:
        """Let something be done in the hub's own thread, a millisecond from now at most."""
        self._wishes.put(act)

    def _live(self) -> None:
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        events = dict(poll.poll(1)).get(self._master, 0)
        is_open = not events & select.POLLHUP
        if is_open != self._was_open:
            self._was_open = is_open
            self._library.host_port(self._hub, is_open)
        with contextlib.suppress(OSError):
            data = os.read(self._master, 4096) if events & select.POLLIN else b""
            self._catch_up(data)
            self._tell()
            for frame in self._deframer.feed(data):
                self.on_heard(frame.type)
        if self._hub is None:
            return
        if self._library.host_boot_wanted(self._hub):
            self._become_a_disk()
        elif not is_open:
            self._ended.wait(0.001)

    def _catch_up(self, data: bytes) -> None:
        """Live until now, then hear what has come; after standing still frame by frame, as they would have come."""
        behind = self._scans_behind()
        frames = re.findall(rb"[^\0]*\0|[^\0]+", data) if behind > STOOD_STILL_SCANS else []
        for part in frames or [data]:
            self._live_for(behind // max(1, len(frames)))
            self._hear(part)

    def _hear(self, data: bytes) -> None:
        while data:
            data = data[self._library.host_feed(self._hub, data, len(data)) :]
            self._live_for(1)

    def _tell(self) -> None:
        said = ctypes.create_string_buffer(4096)
        count = self._library.host_take(self._hub, said, 4096)
        if count and self._was_open and not self.is_mute:
            os.write(self._master, said.raw[:count])

    def _scans_behind(self) -> int:
        """Return how many scans its time is behind that of the wall."""
        return int((time.monotonic() - self._lived_until_s) * 1e6 / SCAN_US)

    def _live_for(self, scans: int) -> None:
        for _ in range(scans):
            self._library.host_scan(self._hub, SCAN_US)
        self._lived_until_s += scans * SCAN_US / 1e6

    def _become_a_disk(self) -> None:
        self._go()
        if self.mounts:
            boot_disk(self.disk)

    def _look_for_image(self) -> None:
        self._ended.wait(0.002)
        with contextlib.suppress(OSError):
            image = (self.disk / "HUB.UF2").read_bytes()
            if image and len(image) == 512 * struct.unpack_from("<I", image, 24)[0]:
                self._start_anew(image)

    def _start_anew(self, image: bytes) -> None:
        self.image, self.sources = image, self.takes
        for file in self.disk.iterdir():
            file.unlink()
        self.disk.rmdir()
        self.plug()

    def _go(self) -> None:
        """Let port and hub go away."""
        self.path.unlink(missing_ok=True)
        if self._hub is not None:
            os.close(self._master)
            self._library.host_free(self._hub)
            self._hub = None

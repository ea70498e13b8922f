"""The firmware's logic compiled for this machine, in a time that only goes on by scans."""

import ctypes
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from helpers.hub.talk import blob_of, held_blob_of
from helpers.places import ROOT
from hextraction.hal.hub.framing import Deframer, Frame, encode
from hextraction.hal.hub.words import Flags

__all__ = ["FIRMWARE", "SOURCES", "HostHub", "compile_host_hub"]

FIRMWARE = ROOT / "hal" / "firmware"
SOURCES = sorted(
    path for path in (FIRMWARE / "src").glob("*.c") if path.name not in {"main.c", "strip.c", "usb.c"}
)
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror")


_compiled: list[ctypes.CDLL] = []


def compile_host_hub(folder: Path) -> ctypes.CDLL:
    """Compile the firmware's logic, once, for this machine; skip where there is no C compiler."""
    if not _compiled:
        _compiled.append(_compile(folder))
    return _compiled[0]


def _compile(folder: Path) -> ctypes.CDLL:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip(
            "no C compiler (cc) is installed, so the firmware's logic cannot be tried on this machine"
        )
    library = folder / "hub.so"
    sources = [FIRMWARE / "host" / "hub.c", *SOURCES]
    subprocess.run(
        [compiler, *STRICT, "-O1", "-shared", "-fPIC", "-I", FIRMWARE / "src", *sources, "-o", library],
        check=True,
    )
    loaded = ctypes.CDLL(str(library))
    loaded.host_new.restype = ctypes.c_void_p
    loaded.host_now_us.restype = ctypes.c_uint64
    loaded.host_feed.restype = loaded.host_take.restype = ctypes.c_size_t
    loaded.host_pump.restype = loaded.host_boot_wanted.restype = ctypes.c_bool
    loaded.host_scan.restype = ctypes.c_uint8
    return loaded


class HostHub:
    """One hub without hardware; a scan is 500 us unless said otherwise."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._hub = ctypes.c_void_p(library.host_new())
        self._deframer = Deframer()
        self._seq = 0
        self.crc = 0
        self.gates = bytearray()
        """The gates after each scan."""
        self.run(50)
        self.say("H", b"\x01\x00")

    def __del__(self) -> None:
        self._library.host_free(self._hub)

    def run(self, scans: int, *, alive: bool = True) -> None:
        """Let scans pass, with a sign of life every 100 ms if the host is alive."""
        while scans > 0:
            part = min(scans, 200)
            if alive:
                self._library.host_seen(self._hub)
            gates = ctypes.create_string_buffer(part)
            self._library.host_run(self._hub, part, gates)
            self.gates += gates.raw
            scans -= part

    def scan_late(self, period_us: int) -> int:
        """Let one scan come after another period; return the gates."""
        return self._library.host_scan(self._hub, period_us)

    def say(self, letter: str, body: bytes = b"") -> list[Frame]:
        """Say something, let two scans pass and return all that was answered since the last time."""
        data = encode(Frame(type=letter, seq=self._seq, body=body))
        self._seq = (self._seq + 1) % 256
        while data:
            data = data[self.feed(data) :]
            self.run(2, alive=False)
        return self.heard()

    def heard(self) -> list[Frame]:
        """Return what the hub has said."""
        return self.hear(self.take())

    def hear(self, data: bytes) -> list[Frame]:
        """Return the frames that end in these bytes of the hub."""
        return list(self._deframer.feed(data))

    def take(self, most: int = 8192) -> bytes:
        """Take the next bytes off the line, as many as there are."""
        said = ctypes.create_string_buffer(most)
        count = self._library.host_take(self._hub, said, most)
        return said.raw[:count]

    def feed(self, data: bytes) -> int:
        """Put bytes on the line to the hub; return how many it had room for."""
        return self._library.host_feed(self._hub, data, len(data))

    def load(self, *, held: bool = False, **configuration) -> None:
        """Load a configuration."""
        blob = held_blob_of(**configuration) if held else blob_of(**configuration)
        self.say("C", struct.pack("<BH", 0, len(blob)))
        for at in range(0, len(blob), 240):
            self.say("C", struct.pack("<BH", 1, at) + blob[at : at + 240])
        (answer,) = self.say("C", struct.pack("<BI", 2, zlib.crc32(blob)))
        assert answer.body[1] == 0
        self.crc = zlib.crc32(blob)

    def arm(self) -> bool:
        """Ask for arming; return whether it was done."""
        *_, answer = self.say("A", struct.pack("<BI", 1, self.crc))
        return answer.body[1] == 8

    def pulse(self, coil: int, pulse_ms: int) -> int:
        """Ask for a pulse; return the result."""
        answers = self.say("S", struct.pack("<HBH", 1, coil, pulse_ms))
        return next(frame.body[3] for frame in answers if frame.type == "f")

    def set_input(self, number: int, high: bool) -> None:
        """Set an input's electrical level."""
        self._library.host_set_input(self._hub, number, high)

    def set_estop(self, good: bool) -> None:
        """Close or break the e-stop loop."""
        self._library.host_set_estop(self._hub, good)

    def set_chain(self, open_: bool) -> None:
        """Cut the chain of shift registers, or mend it."""
        self._library.host_set_chain(self._hub, open_)

    def set_temperature(self, counts: int) -> None:
        """Let the chip's own temperature sensor give so many counts."""
        self._library.host_set_temperature(self._hub, counts)

    def lamps(self) -> bytes | None:
        """Return what the lamps are to show since the last time; None if that is nothing new."""
        colours = ctypes.create_string_buffer(3 * 340)
        count = self._library.host_lamps(self._hub, colours)
        return colours.raw[: 3 * count] if count else None

    def linear(self, channel: int, counts: int) -> None:
        """Give a linear one conversion."""
        self._library.host_linear(self._hub, channel, counts)

    @property
    def flags(self) -> Flags:
        """The state flags, as the hub says them when asked."""
        *_, answer = self.say("T")
        return Flags(answer.body[0])

    @property
    def pump(self) -> bool:
        """The level of the charge pump's pin."""
        return self._library.host_pump(self._hub)

    @property
    def now_us(self) -> int:
        """The time of the last scan."""
        return self._library.host_now_us(self._hub)

    def edges(self) -> list[tuple[int, bool, int]]:
        """Take the edges reported so far: number, active, at_us."""
        bodies = [frame.body for frame in self.heard() if frame.type == "e"]
        pairs = [pair for body in bodies for pair in struct.iter_unpack("<HI", body)]
        return [(what & 0x7FFF, bool(what & 0x8000), at_us) for what, at_us in pairs]

"""A host that speaks to the emulated hub frame by frame, with bodies packed by hand from the document."""

import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hextraction.hal.hub.framing import Deframer, Frame, SequenceWatch, encode

if TYPE_CHECKING:
    from helpers.hub.emulator import HubEmulator  # who only packs bodies needs no emulator

__all__ = [
    "COIL",
    "FALLING",
    "INPUT",
    "INPUT_LOW",
    "LINEAR",
    "Seen",
    "Talk",
    "blob_of",
    "held_blob_of",
    "is_armed",
]

INPUT = 0x82
INPUT_LOW = 0xC2
LINEAR = (0x80, 2, 31, 12)
FALLING = (0x81, 2, 31, 12)
COIL = (50, 250, 100)


@dataclass(frozen=True, slots=True)
class Seen:
    """An edge as the hub reported it."""

    number: int
    active: bool
    at_us: int


def blob_of(*, inputs=(), linears=(), coils=(COIL,) * 8):
    """Return a configuration as it goes over the wire."""
    return (
        struct.pack("<BBHH", 1, 0, len(inputs), len(linears))
        + bytes(inputs)
        + b"".join(struct.pack("<BBHH", *each) for each in linears)
        + b"".join(struct.pack("<HHH", *each) for each in coils)
    )


def held_blob_of(*, inputs=(), linears=(), coils=((*COIL, 0, 0),) * 8, loop=False):
    """Return a configuration of layout 2: the chain's loop, and pull-in and hold for each coil."""
    return (
        struct.pack("<BBHH", 2, loop, len(inputs), len(linears))
        + bytes(inputs)
        + b"".join(struct.pack("<BBHH", *each) for each in linears)
        + b"".join(struct.pack("<HHHBB", *each) for each in coils)
    )


class Talk:
    """One session; frames that nobody asked for are kept in ``frames``."""

    def __init__(self, hub: "HubEmulator") -> None:
        self.hub = hub
        self.frames: list[Frame] = []
        self.deframer = Deframer()
        self.watch = SequenceWatch()
        self.seq = 0
        self.crc = 0

    def say(self, letter: str, body: bytes = b"") -> None:
        """Send one frame; nothing happens until time passes."""
        self.hub.send(encode(Frame(type=letter, seq=self.seq, body=body)))
        self.seq = (self.seq + 1) % 256

    def listen(self, duration_us: float) -> None:
        """Let time pass and keep what the hub says."""
        self.hub.run_us(duration_us)
        for frame in self.deframer.feed(self.hub.take()):
            if frame.type == "h":
                self.watch.restart(0)
            self.watch.follows(frame.seq)
            self.frames.append(frame)

    def live(self, duration_us: float) -> None:
        """Let a longer time pass, pinging every 100 ms as a good host does."""
        for _ in range(int(duration_us // 100_000)):
            self.say("P", bytes(4))
            self.listen(100_000)
        self.listen(duration_us % 100_000 + 1)

    def wait(self, letter: str, *, limit_us: float = 20_000) -> Frame:
        """Let time pass until a frame of a type has come; take it out."""
        for _ in range(int(limit_us / 250)):
            for frame in self.frames:
                if frame.type == letter:
                    self.frames.remove(frame)
                    return frame
            self.listen(250)
        raise AssertionError(f"no {letter!r} within {limit_us} us; heard {self.frames}")

    def ask(self, letter: str, body: bytes, answer: str) -> bytes:
        """Say something and return the body of the answer; older frames of that type are forgotten."""
        self.frames = [frame for frame in self.frames if frame.type != answer]
        self.say(letter, body)
        return self.wait(answer).body

    def bodies(self, letter: str) -> list[bytes]:
        """Take out all frames of a type that have come so far, and return their bodies."""
        found = [frame.body for frame in self.frames if frame.type == letter]
        self.frames = [frame for frame in self.frames if frame.type != letter]
        return found

    def edges(self) -> list[Seen]:
        """Take out the edges that have come so far."""
        pairs = [pair for body in self.bodies("e") for pair in struct.iter_unpack("<HI", body)]
        return [Seen(what & 0x7FFF, bool(what & 0x8000), at_us) for what, at_us in pairs]

    # --- what every session does ---

    def hello(self) -> bytes:
        """Begin a session and return the greeting."""
        return self.ask("H", b"\x01\x00", "h")

    def load(self, blob: bytes) -> tuple[int, int]:
        """Load a configuration; return the last status and the value that came with it."""
        self.ask("C", struct.pack("<BH", 0, len(blob)), "c")
        for at in range(0, len(blob), 240):
            self.ask("C", struct.pack("<BH", 1, at) + blob[at : at + 240], "c")
        part, status, value = struct.unpack(
            "<BBI", self.ask("C", struct.pack("<BI", 2, zlib.crc32(blob)), "c")
        )
        assert part == 2
        self.crc = value if status == 0 else self.crc
        return status, value

    def begin(self, *, held: bool = False, **configuration) -> None:
        """Say hello and load a configuration; e-stop has been good for long enough afterwards."""
        self.hello()
        blob = held_blob_of(**configuration) if held else blob_of(**configuration)
        assert self.load(blob)[0] == 0
        self.listen(70_000 if configuration.get("linears") else 21_000)
        self.frames.clear()

    def arm(self) -> tuple[int, int]:
        """Arm; return flags and cause."""
        return tuple(self.ask("A", struct.pack("<BI", 1, self.crc), "t")[:2])

    def pulse(self, coil: int, pulse_ms: int, *, request: int = 1) -> tuple[int, int, int]:
        """Ask for a pulse; return result, granted_ms and starts_at_us."""
        told = struct.unpack("<HBBHI", self.ask("S", struct.pack("<HBH", request, coil, pulse_ms), "f"))
        assert told[:2] == (request, coil)
        return told[2:]

    def diagnosis(self) -> dict[str, int]:
        """Ask for the counters."""
        names = [
            "scans",
            "shortest_us",
            "longest_us",
            "longest_scan_us",
            "edges",
            "lost",
            "glitches",
            "good",
            "bad",
            "gaps",
            "fired",
            "refused",
            "load_permille",
            "celsius_100",
            "chain_faults",
        ]
        return dict(zip(names, struct.unpack("<13IiI", self.ask("D", b"", "d")), strict=True))


def is_armed(flags: int) -> bool:
    """Whether the state flags say armed."""
    return bool(flags & 1)

"""Reads and writes the frame bodies of the hub protocol. Pure (``docs/hub-protocol.md``).

A malformed body reads as ``None``; nothing here raises on incoming data.
"""

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Self

from hextraction.hal.wiring.wires import HubInput, HubLinear

__all__ = [
    "BOOT_REASONS",
    "BOOT_WORD",
    "CAUSES",
    "DIAGNOSIS",
    "LINEAR",
    "MAJOR",
    "Flags",
    "Greeting",
    "HubEdge",
    "Off",
    "Pong",
    "Snapshot",
    "State",
    "Verdict",
    "numbers",
    "read_diagnosis",
    "read_edges",
    "read_warning",
]

MAJOR: Final = 1
"""The version of the protocol (docs/hub-protocol.md): a hub with another one is refused."""
LINEAR: Final = 256
"""Linear sensors are numbered from here on the wire."""
BOOT_WORD: Final = struct.pack("<I", 0x544F4F42)
CAUSES: Final = (
    "never asked since the start",
    "the controller asked",
    "the controller was silent for 500 ms",
    "e-stop pressed, or the 12 V supply is gone",
    "no configuration",
    "another configuration is in use",
    "a new session",
    "the port was closed",
    "armed",
    "its scan stalled",
)
"""Why the hub is not armed, by cause number."""
BOOT_REASONS: Final = ("unknown", "power or brown-out", "reset pin", "watchdog", "asked for", "debugger")
DIAGNOSIS: Final = (
    "scans", "shortest_period_us", "longest_period_us", "longest_scan_us", "edges", "edges_lost", "glitches",
    "good_frames", "broken_frames", "gaps", "pulses", "pulses_refused_or_clamped",
    "load_permille", "celsius_100", "chain_faults",
)  # fmt: skip
"""Names of what a diagnosis says; firmware 1.0 says the first twelve."""
_DIAGNOSES: Final = ("<13IiI", "<12I")

_WARNINGS: Final = {
    1: "a broken frame arrived, {value} so far",
    2: "frames from the host are missing",
    3: "unknown frame {about!r}",
    4: "malformed frame {about!r}",
    5: "edges were lost, because nobody read them",
    6: "scans came late, up to {value} us apart",
    7: "the chain of shift registers is open: {value} scans without its mark",
}
_ARMED, _ESTOP_GOOD, _CONFIGURED, _EDGES_LOST, _ESTOP_SEEN, _WAS_ARMED, _CHAIN_OPEN = 1, 2, 4, 8, 16, 32, 64
_ACTIVE: Final = 0x8000


def _unpacked(form: str, body: bytes) -> tuple[Any, ...] | None:
    return struct.unpack(form, body) if len(body) == struct.calcsize(form) else None


@dataclass(frozen=True, slots=True)
class Flags:
    """The hub's state flags."""

    bits: int

    @property
    def armed(self) -> bool:
        """Whether pulses can be fired."""
        return bool(self.bits & _ARMED)

    @property
    def estop_good(self) -> bool:
        """Whether the e-stop is released and the 12 V supply is there."""
        return bool(self.bits & _ESTOP_GOOD)

    @property
    def configured(self) -> bool:
        """Whether a configuration is in use."""
        return bool(self.bits & _CONFIGURED)

    @property
    def edges_lost(self) -> bool:
        """Whether edges were lost since the last snapshot."""
        return bool(self.bits & _EDGES_LOST)

    @property
    def estop_seen(self) -> bool:
        """Whether the e-stop was pressed, or the 12 V gone, since the coils were last armed."""
        return bool(self.bits & _ESTOP_SEEN)

    @property
    def was_armed(self) -> bool:
        """Whether the coils were armed at some time since the hub started."""
        return bool(self.bits & _WAS_ARMED)

    @property
    def chain_open(self) -> bool:
        """Whether what the hub sends to the far end of its shift registers does not come back."""
        return bool(self.bits & _CHAIN_OPEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """How a hub identifies itself. ``unique_id`` and ``sources`` are hexadecimal."""

    major: int
    minor: int
    firmware: tuple[int, int, int]
    boot_reason: int
    flags: Flags
    cause: int
    inputs: int
    linears: int
    scan_us: int
    coils: int
    config_crc: int
    low_us: int
    unique_id: str
    sources: str
    bites: int

    @classmethod
    def read(cls, body: bytes) -> Self | None:
        """Read the body of ``h``; with another major version only the version fields are valid."""
        said = _unpacked("<BBBBBBBBHHHHBBHHHHII8s8sI", body)
        if said is None:
            return None
        return cls(
            major=said[0], minor=said[1], firmware=said[2:5], boot_reason=said[5], flags=Flags(said[6]),
            cause=said[7], inputs=said[9], linears=said[10], scan_us=said[11], coils=said[12],
            config_crc=said[18], low_us=said[19], unique_id=said[20].hex(), sources=said[21].hex(),
            bites=said[22],
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class HubEdge:
    """A change of an input (0..191) or linear (256..383); ``low_us`` is the low half of its time."""

    number: int
    active: bool
    low_us: int


def read_edges(body: bytes) -> tuple[HubEdge, ...]:
    """Read the body of ``e``; empty if it is malformed."""
    if len(body) % 6:
        return ()
    return tuple(HubEdge(n & ~_ACTIVE, bool(n & _ACTIVE), at) for n, at in struct.iter_unpack("<HI", body))


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The levels of everything at one moment."""

    low_us: int
    active: frozenset[int]

    @classmethod
    def read(cls, body: bytes) -> Self | None:
        """Read the body of ``s``."""
        if len(body) < 8:
            return None
        low_us, inputs, linears = struct.unpack_from("<IHH", body)
        split = 8 + (inputs + 7) // 8
        if len(body) != split + (linears + 7) // 8:
            return None
        active = {*_bits(body[8:split], inputs), *(LINEAR + n for n in _bits(body[split:], linears))}
        return cls(low_us=low_us, active=frozenset(active))


def _bits(levels: bytes, count: int) -> Iterator[int]:
    return (n for n in range(count) if levels[n // 8] >> n % 8 & 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pong:
    """The answer to a ping: the hub's full time."""

    token: int
    at_us: int
    flags: Flags

    @classmethod
    def read(cls, body: bytes) -> Self | None:
        """Read the body of ``p``."""
        said = _unpacked("<IQB", body)
        return None if said is None else cls(token=said[0], at_us=said[1], flags=Flags(said[2]))


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The hub's state. ``coil`` is the one that is on, or ``None``."""

    flags: Flags
    cause: int
    coil: int | None
    queued: int
    low_us: int
    config_crc: int

    @classmethod
    def read(cls, body: bytes) -> Self | None:
        """Read the body of ``t``."""
        said = _unpacked("<BBBBIII", body)
        if said is None:
            return None
        coil = None if said[2] == 255 else said[2]
        return cls(
            flags=Flags(said[0]), cause=said[1], coil=coil, queued=said[3], low_us=said[4], config_crc=said[5]
        )

    @property
    def reason(self) -> str:
        """Why it is not armed, in words."""
        return CAUSES[self.cause] if self.cause < len(CAUSES) else f"cause {self.cause}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The hub's answer to a pulse request; only results 0 (done) and 1 (clamped) fire."""

    request: int
    coil: int
    result: int
    granted_ms: int

    @classmethod
    def read(cls, body: bytes) -> Self | None:
        """Read the body of ``f``."""
        said = _unpacked("<HBBHI", body)
        if said is None:
            return None
        return cls(request=said[0], coil=said[1], result=said[2], granted_ms=said[3])

    @property
    def fired(self) -> bool:
        """Whether the coil moves."""
        return self.result in {0, 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Off:
    """A pulse has ended, ``on_us`` after it began."""

    request: int
    coil: int
    on_us: int

    @classmethod
    def read(cls, body: bytes) -> Self | None:
        """Read the body of ``o``."""
        said = _unpacked("<HBBII", body)
        return None if said is None else cls(request=said[0], coil=said[1], on_us=said[4])


def read_warning(body: bytes) -> str:
    """Read the body of ``w``: the hub's warning, in words."""
    said = _unpacked("<BBI", body)
    if said is None:
        return f"something unknown: {body.hex()}"
    code, about, value = said
    return _WARNINGS.get(code, f"number {code}").format(about=chr(about), value=value)


def read_diagnosis(body: bytes) -> dict[str, int]:
    """Read the body of ``d`` under the names of :data:`DIAGNOSIS`; empty if it is malformed."""
    read = (_unpacked(form, body) for form in _DIAGNOSES)
    said = next((found for found in read if found is not None), ())
    return dict(zip(DIAGNOSIS, said, strict=False))


def numbers(wires: Iterable[HubInput | HubLinear]) -> dict[int, str]:
    """Return sensor names by their number on the wire."""
    return {each.number + (LINEAR if isinstance(each, HubLinear) else 0): each.name for each in wires}

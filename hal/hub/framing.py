"""Frames between host and sensor hub: COBS, a sequence number, a CRC. Pure (``docs/hub-protocol.md``).

Rules of this room:

1. A corrupt frame is dropped and counted; nothing here raises on incoming data.
2. After any garbage the next zero byte starts afresh.
3. This module does not interpret bodies.
"""

from binascii import crc_hqx
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cobs import cobs  # type: ignore[import-untyped]

__all__ = ["MAX_BODY", "Deframer", "Frame", "SequenceWatch", "encode"]

MAX_BODY: Final = 250
"""Length of the longest body in bytes: with type, seq and crc it is one COBS block."""

_END: Final = b"\x00"
_MAX_ENCODED: Final = MAX_BODY + 5
_MIN_DECODED: Final = 4
_CRC_START: Final = 0xFFFF


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One frame: ``type`` is one ASCII letter, ``seq`` 0..255, ``body`` at most :data:`MAX_BODY` bytes."""

    type: str
    seq: int
    body: bytes = b""


def encode(frame: Frame) -> bytes:
    """Return the bytes of a frame, including its end marker.

    Raises:
        ValueError: type, seq or the body's length cannot be sent.
    """
    if len(frame.type) != 1 or not frame.type.isascii() or not frame.type.isalpha():
        raise ValueError(f"type: want one ASCII letter, found {frame.type!r}")
    if not 0 <= frame.seq <= 255:
        raise ValueError(f"seq: want 0..255, found {frame.seq}")
    if len(frame.body) > MAX_BODY:
        raise ValueError(f"body: want at most {MAX_BODY} bytes, found {len(frame.body)}")
    plain = bytes((ord(frame.type), frame.seq)) + frame.body
    checked = plain + crc_hqx(plain, _CRC_START).to_bytes(2, "big")
    return bytes(cobs.encode(checked)) + _END


class Deframer:
    """Turns a stream of bytes, split anywhere, into frames."""

    def __init__(self) -> None:
        self.bad = 0
        """How many pieces between two end markers were not valid frames."""
        self._begun = bytearray()
        self._too_long = False

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Process bytes and yield the frames they complete; exhaust the iterator."""
        *ended, rest = data.split(_END)
        for piece in ended:
            self._extend(piece)
            frame = self._finish()
            if frame is not None:
                yield frame
        self._extend(rest)

    def reset(self) -> None:
        """Drop a partial frame (the port was reopened)."""
        self._begun.clear()
        self._too_long = False

    def _extend(self, piece: bytes) -> None:
        self._too_long = self._too_long or len(self._begun) + len(piece) > _MAX_ENCODED
        if not self._too_long:
            self._begun += piece

    def _finish(self) -> Frame | None:
        encoded, too_long = bytes(self._begun), self._too_long
        self.reset()
        if not encoded and not too_long:
            return None
        frame = None if too_long else _decode(encoded)
        self.bad += frame is None
        return frame


class SequenceWatch:
    """Detects frames that are missing from a stream."""

    def __init__(self) -> None:
        self.gaps = 0
        """How often the next frame was not the expected one."""
        self._next: int | None = None

    def restart(self, expected: int | None = None) -> None:
        """Start again: with ``expected``, or (``None``) with whatever comes first."""
        self._next = expected

    def follows(self, seq: int) -> bool:
        """Record the seq of a frame and return whether it follows the last one."""
        good = self._next is None or seq == self._next
        self._next = (seq + 1) % 256
        self.gaps += not good
        return good


def _decode(encoded: bytes) -> Frame | None:
    try:
        plain = bytes(cobs.decode(encoded))
    except cobs.DecodeError:
        return None
    if len(plain) < _MIN_DECODED or crc_hqx(plain, _CRC_START) != 0:
        return None
    letter = chr(plain[0])
    if not (letter.isascii() and letter.isalpha()):
        return None
    return Frame(type=letter, seq=plain[1], body=plain[2:-2])

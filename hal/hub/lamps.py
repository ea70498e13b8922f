"""The lamps on sensor hubs: frames of colours as bytes on their way to its chain of WS2812.

The hub makes the bits itself, so that neither the Pi's SPI clock nor its model matters. A frame is sent in
pieces of whole lamps, the last of which shows it; only the newest is sent, at most sixty times a second.
"""

import struct
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, Protocol

from hextraction.hal.pixels import check_frame
from hextraction.hal.ports import Colour
from hextraction.hal.wiring.wires import PixelWire

__all__ = ["HubPixels", "LampFrames", "TakesLamps"]

_FRAME_US: Final = 16_667
_PIECE_LAMPS: Final = 82
_RGB: Final = "RGB"


class LampFrames:
    """What the lamps shall be, on its way to the hub. Pure."""

    def __init__(self) -> None:
        self._newest: bytes | None = None
        self._is_due = False
        self._free_at_us = 0

    def show(self, colours: bytes) -> None:
        """Have these colours shown next: three bytes a lamp, in the order of the wire."""
        self._newest, self._is_due = colours, True

    def again(self) -> None:
        """Have the newest frame sent again: the hub has forgotten it."""
        self._is_due = self._newest is not None

    @property
    def wake_at_us(self) -> int | None:
        """When a frame may be sent; ``None`` if none waits."""
        return self._free_at_us if self._is_due else None

    def due(self, now_us: int) -> Iterator[bytes]:
        """Yield the bodies of the frames to send now."""
        if self._newest is None or not self._is_due or now_us < self._free_at_us:
            return
        self._is_due, self._free_at_us = False, now_us + _FRAME_US
        size = 3 * _PIECE_LAMPS
        for at in range(0, len(self._newest), size):
            is_last = at + size >= len(self._newest)
            yield struct.pack("<HB", at // 3, is_last) + self._newest[at : at + size]


class TakesLamps(Protocol):
    """The part of a hub that lamps need."""

    def light(self, colours: bytes) -> None:
        """Show these colours, as soon as possible."""
        ...


class HubPixels:
    """The chains of some hubs, each with its count of them, one after the other as the board's lamps."""

    def __init__(self, chains: Sequence[tuple[TakesLamps, int]], wire: PixelWire) -> None:
        self._chains, self._count = tuple(chains), wire.count
        self._order = [_RGB.index(letter) for letter in wire.order]
        self._dimmed = bytes(int(value * wire.brightness) for value in range(256))

    @property
    def count(self) -> int:
        """How many lamps there are."""
        return self._count

    def show(self, frame: Sequence[Colour]) -> None:
        """Show a frame as soon as the line is free; returns at once."""
        plain = bytes(chain.from_iterable(check_frame(frame, self._count)))
        ordered = bytearray(len(plain))
        for place, channel in enumerate(self._order):
            ordered[place::3] = plain[channel::3]
        self._light(bytes(ordered).translate(self._dimmed))

    def close(self) -> None:
        """Turn all lamps off. May be called twice."""
        self._light(bytes(3 * self._count))

    def _light(self, colours: bytes) -> None:
        first = 0
        for hub, count in self._chains:
            hub.light(colours[3 * first : 3 * (first + count)])
            first += count

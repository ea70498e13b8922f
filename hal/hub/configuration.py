"""The hub's configuration: a wiring encoded as one blob and in parts. Pure."""

import struct
import zlib
from typing import Final

from hextraction.hal.wiring.wires import HubCoil, HubInput, HubLinear, HubWire

__all__ = ["Configuration"]

_MOST_COUNTS: Final = 4095
_COUNTS_PER_MV: Final = 4096 / 3300
_SIDES: Final = {"above": 0, "below": 1, "either": 2}
_PIECE: Final = 240
_COILS: Final = 8
_NO_LINEAR: Final = struct.pack("<BBHH", 0, 1, 1, 0)
_NO_COIL: Final = struct.pack("<HHH", 0, 250, 0)
_PLAIN, _HELD = 1, 2
_NO_HOLD: Final = bytes(2)
_QUARTER: Final = 25


class Configuration:
    """A wiring encoded for the hub, as sent to it."""

    def __init__(self, wire: HubWire) -> None:
        # With a loop every chip is read, used or not: the mark of the far end comes after the last one.
        chained = 8 * wire.chips if wire.loop else None
        inputs = _row({each.number: _input(each) for each in wire.inputs}, bytes(1), chained)
        linears = _row({each.number: _linear(each) for each in wire.linears}, _NO_LINEAR)
        self.is_plain = not wire.loop and all(each.hold_percent == 100 for each in wire.coils)
        """Whether a hub with protocol 1.0 understands it."""
        hold = b"" if self.is_plain else _NO_HOLD
        coils = _row(
            {each.number: _coil(each) + (_hold(each) if hold else b"") for each in wire.coils},
            _NO_COIL + hold,
            _COILS,
        )
        head = struct.pack("<BBHH", _PLAIN if self.is_plain else _HELD, wire.loop, len(inputs), len(linears))
        self.blob = head + b"".join((*inputs, *linears, *coils))
        self.crc = zlib.crc32(self.blob)
        self.settle_us = 75_000 if linears else 8_000
        """How long after the commit the levels become valid."""

    @property
    def parts(self) -> tuple[bytes, ...]:
        """The bodies of the ``C`` frames, in order."""
        blob = self.blob
        pieces = (blob[at : at + _PIECE] for at in range(0, len(blob), _PIECE))
        return (
            struct.pack("<BH", 0, len(blob)),
            *(struct.pack("<BH", 1, n * _PIECE) + piece for n, piece in enumerate(pieces)),
            struct.pack("<BI", 2, self.crc),
        )


def _row(found: dict[int, bytes], idle: bytes, length: int | None = None) -> list[bytes]:
    return [found.get(n, idle) for n in range(max(found, default=-1) + 1 if length is None else length)]


def _input(wire: HubInput) -> bytes:
    return bytes([0x80 | (0 if wire.active_high else 0x40) | wire.debounce_scans])


def _linear(wire: HubLinear) -> bytes:
    threshold = min(max(1, round(wire.threshold_mv * _COUNTS_PER_MV)), _MOST_COUNTS)
    hysteresis = min(round(wire.hysteresis_mv * _COUNTS_PER_MV), threshold - 1)
    return struct.pack("<BBHH", 0x80 | _SIDES[wire.side], wire.debounce_ms, threshold, hysteresis)


def _coil(wire: HubCoil) -> bytes:
    limits = wire.limits
    return struct.pack("<HHH", limits.max_pulse_ms, limits.min_off_ms, int(limits.duty_percent * 10))


def _hold(wire: HubCoil) -> bytes:
    quarters = wire.hold_percent // _QUARTER % 4
    return struct.pack("<BB", wire.pull_in_ms, quarters) if quarters else _NO_HOLD

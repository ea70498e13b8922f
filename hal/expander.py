"""Sensors on MCP23017 port expanders: up to sixteen each, with their INT lines joined on one pin of the Pi.

How the chip behaves, and what follows from it (data sheet DS20001952, 3.5.9 and 3.6):

1. INTCAP keeps the pins as they were at the *first* change, until it or GPIO is read. So INTCAP is read first
   and then GPIO: a pin that differs between them has changed twice, and no short pulse is lost.
2. INTCAP is valid only for a port (A, B) that has a flag in INTF.
3. INT is open drain and stays low until all chips were read; only its falling edge is an event, so its level
   is checked again after each read.
4. A chip that lost its power comes back with its registers at their defaults: they are checked periodically.
5. GPA7 and GPB7 are outputs only since revision D: as inputs they can disturb SDA. They are driven low.

Only SMBus byte and word operations are used. Polarity is handled here, not by IPOL: the data sheet does
not say whether INTCAP obeys it.
"""

import logging
from collections.abc import Iterable
from typing import Final

from hextraction.hal.gpio import IntPin
from hextraction.hal.i2c import Bus
from hextraction.hal.intake import FedInputs, Intake, OnFound, OnLost, SensorLine
from hextraction.hal.ports import Clock
from hextraction.hal.schedule import Scheduler
from hextraction.hal.wiring.wires import BUTTON, ExpanderInput, ExpanderWire

__all__ = ["ExpanderInputs", "RestingBus"]

_log = logging.getLogger(__name__)

_IODIR, _IPOL, _GPINTEN, _INTCON, _IOCON, _GPPU = 0x00, 0x02, 0x04, 0x08, 0x0A, 0x0C
_INTF, _INTCAP, _GPIO, _OLAT = 0x0E, 0x10, 0x12, 0x14
_MIRROR_OPEN_DRAIN: Final = 0x44
"""Each INT pin signals both ports, and is open drain."""
_INPUTS: Final = 0x7F7F
"""All pins of both ports except the last of each."""
_LOOK_US: Final = 250_000
_LONGEST_WAIT_US: Final = 5_000_000
_MOST_ROUNDS: Final = 8
LATENCY_US: Final = 3_000
"""From a change to its sample: INT to Python, and reading a few chips."""


class ExpanderInputs(FedInputs):
    """All sensors on the expanders of one bus.

    A chip that does not answer is lost, with its sensors, and retried after
    a quarter of a second, then with growing delays, up to 5 s.
    """

    def __init__(
        self,
        wire: ExpanderWire,
        bus: Bus,
        line: IntPin,
        *,
        clock: Clock,
        scheduler: Scheduler,
        ordered: bool = True,
        on_lost: OnLost | None = None,
        on_found: OnFound | None = None,
    ) -> None:
        self._bus, self._clock, self._scheduler = bus, clock, scheduler
        self._closed = False
        self._intake = Intake(
            [
                SensorLine(
                    name=each.name, debounce_us=each.debounce_us, answers=False, apart=each.part == BUTTON
                )
                for each in wire.inputs
            ],
            clock=clock,
            scheduler=scheduler,
            latency_us=LATENCY_US,
            ordered=ordered,
            on_lost=on_lost,
            on_found=on_found,
        )
        self._chips = [
            _Chip(address, [each for each in wire.inputs if each.address == address], bus, self._intake)
            for address in wire.addresses
        ]
        self._line = line
        line.watch(self._interrupted)
        self._look()

    def resync(self) -> None:
        """Read every chip again; a change that was missed is reported now."""
        self._scheduler.call_at(self._clock.now_us(), self._read_all)

    def close(self) -> None:
        """Close the bus. May be called twice."""
        if not self._closed:
            self._closed = True
            self._intake.close()
            self._line.close()
            self._bus.close()

    def _interrupted(self) -> None:
        at_us = self._clock.now_us()
        self._scheduler.call_at(at_us, lambda: self._serve(at_us))

    def _serve(self, at_us: int) -> None:
        """Read all chips until INT is high again: another chip may have pulled it low meanwhile."""
        for _round in range(_MOST_ROUNDS):
            if self._closed:
                return
            for chip in self._chips:
                chip.serve(at_us, self._clock)
            if not self._line.is_low:
                return
            at_us = self._clock.now_us()

    def _read_all(self) -> None:
        for chip in () if self._closed else self._chips:
            chip.resync(self._clock.now_us())

    def _look(self) -> None:
        """Check every chip four times a second: does it answer, is it set up, was a change missed?"""
        if self._closed:
            return
        for chip in self._chips:
            chip.look(self._clock.now_us())
        self._scheduler.call_at(self._clock.now_us() + _LOOK_US, self._look)


class _Chip:
    """One MCP23017."""

    def __init__(self, address: int, wires: Iterable[ExpanderInput], bus: Bus, intake: Intake) -> None:
        self._address, self._bus, self._intake = address, bus, intake
        self._wires = tuple(wires)
        self._watched = sum(1 << wire.bit for wire in self._wires)
        self._pull_up = sum(1 << wire.bit for wire in self._wires if wire.pull_up)
        self._last: int | None = None
        self._wait_us, self._look_at_us = _LOOK_US, 0

    def serve(self, at_us: int, clock: Clock) -> None:
        """Handle INT falling at ``at_us``: report what changed, what changed back, and the levels now."""
        if self._last is None:
            return
        try:
            flags = self._read(_INTF)
            if flags & self._watched:
                first = self._read(_INTCAP)
                told = (0x00FF if flags & 0x00FF else 0) | (0xFF00 if flags & 0xFF00 else 0)
                self._post((self._last & ~told) | (first & told), at_us)
                self._post(self._read(_GPIO), clock.now_us())
        except OSError as error:
            self._lose(error, clock.now_us())

    def look(self, now_us: int) -> None:
        """Set the chip up if it is new or has lost its settings, and read it."""
        if now_us < self._look_at_us:
            return
        try:
            if self._last is None or not self._is_set_up():
                self._set_up()
        except OSError as error:
            self._lose(error, now_us)
        else:
            self.read(now_us)

    def resync(self, now_us: int) -> None:
        """Read the pins, if the chip answers."""
        if self._last is not None:
            self.read(now_us)

    def read(self, now_us: int) -> None:
        """Read the pins as they are now."""
        try:
            level = self._read(_GPIO)
        except OSError as error:
            self._lose(error, now_us)
            return
        is_new = self._last is None
        self._wait_us = _LOOK_US
        self._post(level, now_us, everything=is_new)

    def _is_set_up(self) -> bool:
        wanted = {_IODIR: _INPUTS, _GPINTEN: self._watched, _GPPU: self._pull_up}
        return all(self._read(register) == value for register, value in wanted.items())

    def _set_up(self) -> None:
        self._bus.write_byte_data(self._address, _IOCON, _MIRROR_OPEN_DRAIN)
        for register, value in (
            (_OLAT, 0),
            (_IODIR, _INPUTS),
            (_IPOL, 0),
            (_GPPU, self._pull_up),
            (_INTCON, 0),
            (_GPINTEN, self._watched),
        ):
            self._bus.write_word_data(self._address, register, value)

    def _read(self, register: int) -> int:
        return self._bus.read_word_data(self._address, register)

    def _post(self, level: int, at_us: int, *, everything: bool = False) -> None:
        changed = self._watched if everything or self._last is None else (self._last ^ level) & self._watched
        self._last = level
        for wire in self._wires:
            if changed >> wire.bit & 1:
                self._intake.post(wire.name, bool(level >> wire.bit & 1) is wire.active_high, at_us)

    def _lose(self, error: OSError, now_us: int) -> None:
        reason = f"the expander at 0x{self._address:02x} does not answer: {error.strerror or error}"
        if self._last is not None:
            _log.warning("%s", reason)
        self._last = None
        self._look_at_us = now_us + self._wait_us
        self._wait_us = min(2 * self._wait_us, _LONGEST_WAIT_US)
        for wire in self._wires:
            self._intake.lose(wire.name, reason)


class RestingBus:
    """A fake bus for trying out a build: none of its sensors sees anything."""

    def __init__(self, wire: ExpanderWire) -> None:
        self._levels = {
            address: sum(
                1 << each.bit for each in wire.inputs if each.address == address and not each.active_high
            )
            for address in wire.addresses
        }
        self._written: dict[tuple[int, int], int] = {}

    def read_word_data(self, i2c_addr: int, register: int) -> int:
        """Return the idle level of every sensor, or what was written."""
        return self._levels[i2c_addr] if register == _GPIO else self._written.get((i2c_addr, register), 0)

    def write_word_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Store the value."""
        self._written[i2c_addr, register] = value

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Store the value."""
        self._written[i2c_addr, register] = value

    def close(self) -> None:
        """Do nothing."""

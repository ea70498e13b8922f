"""The released firmware on an emulated RP2040: what it sends to a chain of WS2812, bit by bit."""

import struct
from itertools import pairwise

import pytest

pytest.importorskip(
    "rp2040py", reason="rp2040py is not installed, so the firmware cannot be run: pip install rp2040py==0.3.6"
)

from helpers.hub.emulator import HubEmulator
from helpers.hub.talk import INPUT, LINEAR, Talk
from rp2040py.gpio_pin import GPIOPinState

pytestmark = [pytest.mark.slow, pytest.mark.firmware]

LAMPS_PIN = 20
ZERO_STEPS = 3


class Chain:
    """A chain of so many WS2812 on the hub's pin: what it was told, and how long the line was high.

    Times within a bit are those of the state machine, in steps of 125 ns. The emulator counts the pause behind an
    instruction before its edge: a 0 falls with an instruction as long as that with which it rose, so it is 3; the
    6 of a 1 read as 7, or before the next lamp as 4. How long the line rests between frames it does not show.
    """

    def __init__(self, hub, lamps):
        self._machine, self._bits = hub.chip.pio[0].machines[0], 24 * lamps
        self._rose = None
        self.frames = [[]]
        self.highs, self.periods = set(), set()
        hub.chip.gpio[LAMPS_PIN].add_listener(self._changed)

    def _changed(self, new, old):
        is_high, was_high = new == GPIOPinState.HIGH, old == GPIOPinState.HIGH
        if is_high == was_high:
            return
        now = self._machine.cycles
        if not is_high:
            self.highs.add(now - self._rose)
            self.frames[-1].append(now - self._rose != ZERO_STEPS)
            return
        if len(self.frames[-1]) == self._bits:
            self.frames.append([])
        elif self.frames[-1]:
            self.periods.add(now - self._rose)
        self._rose = now

    @property
    def shown(self):
        """The bytes of each frame."""
        return [
            bytes(
                sum(bit << 7 - n for n, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8)
            )
            for bits in self.frames
            if bits
        ]


@pytest.fixture
def hub():
    """Return a hub that has just been plugged in, its port open."""
    emulator = HubEmulator()
    emulator.plug_in()
    return emulator


@pytest.fixture
def talk(hub):
    """Return a host whose session has begun."""
    session = Talk(hub)
    session.begin(inputs=[INPUT] * 80, linears=[LINEAR] * 24)
    return session


def light(talk, first, colours, *, show=True):
    """Say what lamps from ``first`` on shall be."""
    talk.say("L", struct.pack("<HB", first, show) + bytes(colours))


def test_lamps_get_the_bytes_that_the_host_sent(hub, talk):
    """Each bit as long as a WS2812 wants it: 375 or 750 ns of 1.25 us; a piece changes only what it names."""
    chain = Chain(hub, 3)
    light(talk, 0, range(1, 10))
    talk.listen(2_000)
    light(talk, 1, (255, 0, 170))
    light(talk, 1, (0, 128, 7))
    talk.listen(3_000)

    assert chain.shown == [
        bytes(range(1, 10)),
        bytes((1, 2, 3, 255, 0, 170, 7, 8, 9)),
        bytes((1, 2, 3, 0, 128, 7, 7, 8, 9)),
    ]
    assert chain.highs == {3, 7, 4}
    assert chain.periods == {10, 12, 13}, "up to 0.375 us more between lamps"


def test_a_hundred_lamps_come_in_two_pieces_and_are_shown_at_once(hub, talk):
    """Nothing is shown before the piece that says so; meanwhile no scan comes late."""
    chain = Chain(hub, 100)
    colours = bytes(n % 256 for n in range(300))
    talk.diagnosis()
    light(talk, 0, colours[:246], show=False)
    talk.listen(3_000)
    assert chain.shown == []
    light(talk, 82, colours[246:])
    first = len(hub.scans_us)
    talk.listen(20_000)

    assert chain.shown == [colours]
    periods = [after - before for before, after in pairwise(hub.scans_us[first:])]
    assert max(periods) <= 502


def test_lamps_go_out_when_nobody_says_what_they_should_be(hub, talk):
    """A program that dies leaves no lamp on: its port closes, and the chain is told to be dark."""
    light(talk, 0, [9] * 6)
    talk.listen(2_000)
    chain = Chain(hub, 2)
    hub.set_dtr(False)
    talk.listen(3_000)

    assert chain.shown == [bytes(6)]


@pytest.mark.parametrize("body", [struct.pack("<HB", 0, 1) + bytes(4), struct.pack("<HB", 340, 1) + bytes(3)])
def test_half_a_lamp_and_one_too_many_are_refused(hub, talk, body):
    """Nothing is shown, and the hub says which frame it did not like."""
    chain = Chain(hub, 1)
    talk.say("L", body)
    talk.listen(2_000)

    assert [warning[:2] for warning in talk.bodies("w")] == [b"\x04L"]
    assert chain.shown == []

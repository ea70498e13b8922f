"""A real program holds a coil of the real firmware on, through ``hal.hub``, and is gone in the middle of a pulse.

The program is a process of its own on a pseudo-terminal, the firmware runs on an emulated RP2040, and times are
the emulated hub's.
"""

import contextlib
import os
import signal
import struct
import subprocess
import sys
import time

import pytest
from helpers.places import TESTS

pytest.importorskip(
    "rp2040py", reason="rp2040py is not installed, so the firmware cannot be run: pip install rp2040py==0.3.6"
)

from helpers.hub.pseudo_terminal import HubOnPty
from hextraction.hal.hub.framing import Deframer, Frame, encode

pytestmark = [pytest.mark.slow, pytest.mark.firmware]

TIMEOUT_US = 500_000
SCAN_US = 500
HOLDER = TESTS / "helpers" / "hub" / "holder.py"
PATIENCE_S = 120


class Held:
    """An emulated hub, and a program that fires its coils."""

    def __init__(self, port):
        self.port, self.hub = port, port.hub
        self.said = []
        """What the hub has said, frame by frame, whether anybody read it or not."""
        self.told = []
        """What the program has said, letters and the emulated time; last that its port was closed."""
        self._listen()
        self.program = subprocess.Popen([sys.executable, HOLDER, port.path], stdin=subprocess.DEVNULL)

    def _listen(self):
        from_hub, from_host = Deframer(), Deframer()
        pass_on, send, set_dtr = self.hub.cdc.on_serial_data, self.hub.send, self.hub.set_dtr

        def overhear(data):
            self.said.extend(from_hub.feed(bytes(data)))
            pass_on(data)

        def sent(data):
            self.told.extend((frame.type, self.hub.total_us) for frame in from_host.feed(data))
            send(data)

        def opened(is_open):
            self.told.append(("opened" if is_open else "closed", self.hub.total_us))
            set_dtr(is_open)

        self.hub.cdc.on_serial_data, self.hub.send, self.hub.set_dtr = overhear, sent, opened

    def when(self, holds, act=lambda: None):
        """Between two steps in which something holds, act; return what that returns."""
        until_s = time.monotonic() + PATIENCE_S

        def tried():
            return (act(),) if holds() else None

        while (done := self.port.do(tried)) is None:
            assert time.monotonic() < until_s, "the emulated hub takes too long"
            assert self.program.poll() is None or self.program.returncode < 0, "the program has failed"
        return done[0]

    def in_the_middle(self):
        """Whether a coil has been on for 10 to 30 of its 50 ms."""
        return bool(self.hub.gates_on) and 10_000 <= self.hub.total_us - self.hub.gates[-1].at_us <= 30_000

    def goes(self, how):
        """Let something happen to the program, or its cable, in the middle of a pulse; return when."""

        def act():
            how()
            return self.hub.total_us

        return self.when(self.in_the_middle, act)

    def wait_us(self, duration_us):
        """Let emulated time pass."""
        until_us = self.port.clock.now_us() + duration_us
        self.when(lambda: self.hub.total_us >= until_us)

    @property
    def last_word_us(self):
        """When the hub was told something for the last time."""
        return self.told[-1][1]

    def kill(self, number):
        """Send the program a signal."""
        os.kill(self.program.pid, number)

    def end(self):
        """Take the program away."""
        with contextlib.suppress(ProcessLookupError):
            self.program.kill()
        self.program.wait(10)

    def assert_off_within(self, limit_us):
        """No coil is on or moves any more, and the 12 V pump stands still, since so long after the last word."""
        assert self.hub.gates_on == frozenset()
        assert self.hub.gates[-1].at_us - self.last_word_us <= limit_us
        assert self.hub.pump_us[-1] - self.last_word_us <= limit_us
        assert self.hub.total_us - self.last_word_us > limit_us + SCAN_US, "that is too early to say"

    def asked_to_fire(self):
        """Ask for a pulse over the open port, without arming; return the hub's verdict."""
        self.said.clear()
        self.port.do(
            lambda: self.hub.send(encode(Frame(type="S", seq=0, body=struct.pack("<HBH", 7, 7, 30))))
        )
        self.when(lambda: any(frame.type == "f" for frame in self.said))
        return next(frame.body[3] for frame in self.said if frame.type == "f")


@pytest.fixture
def held(tmp_path):
    """A program that fires the coils of an emulated hub."""
    with HubOnPty(tmp_path) as port:
        table = Held(port)
        yield table
        table.end()
    assert port.failure is None


def test_a_stopped_program_leaves_no_coil_on(held):
    """SIGSTOP: off within the hub's 500 ms, a pulse is refused as not armed; going on, it has to arm first."""
    went_us = held.goes(lambda: held.kill(signal.SIGSTOP))
    held.wait_us(TIMEOUT_US + 50_000)

    held.assert_off_within(TIMEOUT_US + SCAN_US)
    assert held.last_word_us - went_us <= 2_000, "it was not stopped in the middle of the pulse"
    assert [frame.body[1] for frame in held.said if frame.type == "t"][-1] == 2
    assert held.asked_to_fire() == 3

    fired, spoken = len(held.hub.gates), len(held.told)
    held.kill(signal.SIGCONT)
    held.when(lambda: len(held.hub.gates) > fired)
    letters = [letter for letter, _at_us in held.told[spoken:]]
    assert "A" in letters[: letters.index("S")] or "H" in letters


def test_a_killed_program_leaves_no_coil_on(held):
    """SIGKILL: the kernel closes the port, and with the next scans the coils are off, for good."""
    held.goes(lambda: held.kill(signal.SIGKILL))
    held.wait_us(TIMEOUT_US + 50_000)

    assert held.told[-1][0] == "closed"
    held.assert_off_within(2_000)


def test_a_cable_that_is_pulled_leaves_no_coil_on(held):
    """The host is gone, the hub still has power from the table: off within its 500 ms."""
    held.goes(held.port.pull)
    held.wait_us(TIMEOUT_US + 50_000)

    held.assert_off_within(TIMEOUT_US + SCAN_US)
    assert held.hub.starts == 1
    assert held.program.poll() is None, "the program outlives its hub"

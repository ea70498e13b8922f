"""The emulated hub as a serial port that any program can open, lose and find again."""

import time

import pytest
import serial

pytest.importorskip(
    "rp2040py", reason="rp2040py is not installed, so the firmware cannot be run: pip install rp2040py==0.3.6"
)

from helpers.hub.pseudo_terminal import HubOnPty
from hextraction.hal.hub.framing import Deframer, Frame, encode

pytestmark = [pytest.mark.slow, pytest.mark.firmware]

HELLO = encode(Frame(type="H", seq=0, body=b"\x01\x00"))


@pytest.fixture
def port(tmp_path):
    """Return an emulated hub behind a pseudo-terminal, running."""
    with HubOnPty(tmp_path) as running:
        yield running


def opened(port):
    """Open the port as the controller does."""
    return serial.Serial(str(port.path), exclusive=True, timeout=0.05)


def read_frame(line, letter, *, limit_s=20):
    """Read until a frame of a type comes, however slow the emulation is."""
    deframer = Deframer()
    deadline_s = time.monotonic() + limit_s
    while time.monotonic() < deadline_s:
        for frame in deframer.feed(line.read(256)):
            if frame.type == letter:
                return frame
    raise AssertionError(f"no {letter!r} in {limit_s} s")


def test_pyserial_opens_the_hub(port):
    """A hello through a real terminal is greeted; a second program is kept out."""
    with opened(port) as line:
        line.write(HELLO)
        assert read_frame(line, "h").seq == 0
        with pytest.raises(serial.SerialException):
            opened(port)


def test_a_closed_port_lets_dtr_fall(port):
    """Who opens the port again finds no words of the old session, and must say hello."""
    with opened(port) as line:
        line.write(HELLO)
        read_frame(line, "h")
    was_us = port.clock.now_us()
    while port.do(lambda: port.hub.cdc.dtr):
        assert port.clock.now_us() - was_us < 100_000
    with opened(port) as line:
        line.write(encode(Frame(type="T", seq=1)) + HELLO)
        assert read_frame(line, "h").body[7] == 6
    assert port.failure is None


def test_an_unplugged_hub_comes_back_as_another_terminal(port):
    """The link is gone while the cable is out; plugged in again the hub has started anew."""
    port.unplug()
    assert not port.path.is_symlink()
    port.plug()

    with opened(port) as line:
        line.write(HELLO)
        assert read_frame(line, "h").body[5] == 1
    assert port.do(lambda: port.hub.starts) == 2


def test_a_hub_bitten_by_its_watchdog_comes_back(port):
    """When the scan hangs the port goes away by itself and comes again."""
    with opened(port) as line:
        line.write(HELLO)
        read_frame(line, "h")
        port.do(port.hub.hang_scan)
        deadline_s = time.monotonic() + 20
        while port.do(lambda: port.hub.starts) == 1:
            assert time.monotonic() < deadline_s
    with opened(port) as line:
        line.write(HELLO)
        assert read_frame(line, "h").body[5] == 3

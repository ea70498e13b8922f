"""The chain of lamps: newest frame only, sixty a second, and Adafruit's real library below."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.places import ROOT
from hextraction.hal.errors import BackendUnavailable, DeviceLost
from hextraction.hal.mock import ManualClock
from hextraction.hal.pixels import NeoPixelChain, open_neopixels
from hextraction.hal.wiring.wires import PixelWire

CHECKOUT = ROOT
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


class Strip:
    """Records what was sent and when."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self.sent: list[tuple[int, list]] = []
        self.broken = False
        self.let_go = 0
        self._colours: list = []

    def __setitem__(self, index: slice, colours: tuple) -> None:
        self._colours[index] = colours

    def show(self) -> None:
        if self.broken:
            raise OSError("no DMA")
        self.sent.append((self.clock.now_us(), list(self._colours)))

    def deinit(self) -> None:
        self.let_go += 1


@pytest.fixture
def clock() -> ManualClock:
    """Time stands still."""
    return ManualClock()


def test_only_the_newest_frame_is_sent(clock: ManualClock) -> None:
    """Three frames before the wire is free are one transfer, of the last."""
    strip = Strip(clock)
    chain = NeoPixelChain(strip, 1, clock=clock, scheduler=clock)
    for colour in (RED, GREEN, BLUE):
        chain.show([colour])
    assert strip.sent == []
    clock.advance()
    assert strip.sent == [(0, [BLUE])]


def test_at_most_sixty_frames_a_second(clock: ManualClock) -> None:
    """A frame each millisecond for a second sends sixty, evenly spaced."""
    strip = Strip(clock)
    chain = NeoPixelChain(strip, 1, clock=clock, scheduler=clock)
    for shade in range(1_000):
        chain.show([(shade % 256, 0, 0)])
        clock.advance(1_000)
    times = [at_us for at_us, _colours in strip.sent]
    assert 58 <= len(times) <= 60
    assert min(after - before for before, after in itertools.pairwise(times)) >= 16_667


def test_a_broken_strip_is_reported_once_and_tried_again_with_each_frame(clock: ManualClock) -> None:
    """The loss is data; when the strip works again the lamps do too, and the next loss is reported."""
    strip, lost = Strip(clock), []
    chain = NeoPixelChain(strip, 1, clock=clock, scheduler=clock, on_lost=lost.append)
    for is_broken in (True, True, False, True):
        strip.broken = is_broken
        chain.show([RED])
        clock.advance(20_000)
    assert [str(each) for each in lost] == ["pixels: no DMA", "pixels: no DMA"]
    assert all(isinstance(each, DeviceLost) for each in lost)
    assert len(strip.sent) == 1


def test_lamps_that_work_again_are_told_and_show_what_they_should(clock: ManualClock) -> None:
    """Nothing has to change on the board: the frame that failed is tried again every second."""
    strip, found = Strip(clock), []
    chain = NeoPixelChain(strip, 1, clock=clock, scheduler=clock, on_found=found.append)
    strip.broken = True
    chain.show([RED])
    clock.advance(2_500_000)
    assert (strip.sent, found) == ([], [])
    strip.broken = False
    clock.advance(1_000_000)
    assert [colours for _at_us, colours in strip.sent] == [[RED]]
    assert found == ["pixels"]
    clock.advance(5_000_000)
    assert len(strip.sent) == 1


def test_nothing_is_sent_after_close(clock: ManualClock) -> None:
    """Closing turns the strip off once; a frame that comes later is dropped."""
    strip = Strip(clock)
    chain = NeoPixelChain(strip, 1, clock=clock, scheduler=clock)
    chain.show([RED])
    chain.close()
    chain.close()
    chain.show([RED])
    clock.advance(100_000)
    assert (strip.sent, strip.let_go) == ([], 1)


REAL = """
import json, sys
import board, neopixel
board.D10 = board.NEOPIXEL
sent = []
neopixel.neopixel_write = lambda pin, data: sent.append(list(data))
from hextraction.hal.mock import ManualClock
from hextraction.hal.pixels import open_neopixels
from hextraction.hal.wiring.wires import PixelWire
clock = ManualClock()
wire = PixelWire(count=2, pin=10, order=sys.argv[1], brightness=float(sys.argv[2]), budget_ma=500)
chain = open_neopixels(wire, clock=clock, scheduler=clock)
chain.show([(255, 100, 10), (0, 0, 200)])
clock.advance(20_000)
chain.close()
print(json.dumps([sent, board.__file__]))
"""


def run_python(code: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program in the checkout's folder, its modules importable as they are for a developer."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=CHECKOUT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("order", "brightness", "first", "second"),
    [("GRB", "1.0", [100, 255, 10], [0, 0, 200]), ("RGB", "0.5", [127, 50, 5], [0, 0, 100])],
)
def test_the_real_library_sends_the_bytes_in_the_strips_order(
    order: str, brightness: str, first: list[int], second: list[int]
) -> None:
    """Dark at the start and the end, in between green-red-blue (or as wired), dimmed as wired."""
    done = run_python(REAL, order, brightness, BLINKA_OS_AGNOSTIC="1")
    assert done.returncode == 0, done.stderr
    sent, _board = json.loads(done.stdout)
    assert sent == [[0] * 6, first + second, [0] * 6]


def test_import_board_finds_blinka_with_the_checkout_on_the_path() -> None:
    """Our folder ``board/`` must never hide the module ``board`` that NeoPixel's library imports."""
    done = run_python(
        "import board; print(board.__blinka__, board.__file__)", BLINKA_OS_AGNOSTIC="1", PYTHONPATH="."
    )
    assert done.returncode == 0, done.stderr
    is_blinka, _space, where = done.stdout.strip().partition(" ")
    assert is_blinka == "True"
    assert Path(where).name == "board.py"
    assert not Path(where).is_relative_to(CHECKOUT / "board")


WIRE = PixelWire(count=2, pin=10, order="GRB", brightness=1.0, budget_ma=500)


def test_a_missing_library_says_what_to_install(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extras."""
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    monkeypatch.setitem(sys.modules, "board", None)
    with pytest.raises(BackendUnavailable, match=r"install hextraction\[pi\]"):
        open_neopixels(WIRE, clock=clock, scheduler=clock)


def test_a_machine_without_such_pins_is_explained(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module ``board`` without the pin is no reason for a bare AttributeError."""
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    monkeypatch.setitem(sys.modules, "board", object())
    monkeypatch.setitem(sys.modules, "neopixel", object())
    with pytest.raises(BackendUnavailable, match="does not work on GPIO10 here"):
        open_neopixels(WIRE, clock=clock, scheduler=clock)

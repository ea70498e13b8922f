"""Lamps on the sensor hub: the newest frame reaches the firmware's own logic, and comes back with the hub."""

import pytest
from helpers.hub.host import compile_host_hub
from helpers.hub.host_port import HostPort
from hextraction.hal.hub.backend import SensorHub
from hextraction.hal.hub.lamps import HubPixels
from hextraction.hal.mock import ManualClock
from hextraction.hal.wiring.wires import HubInput, HubWire, PixelWire

WIRE = HubWire(
    port="auto",
    chips=1,
    multiplexers=0,
    inputs=(HubInput(name="beam", number=0, active_high=True, debounce_scans=2),),
    lamps=100,
)


def pixels(count=100, *, order="GRB", brightness=1.0):
    """Return the lamps of a wiring."""
    return PixelWire(
        count=count, pin=-1, order=order, brightness=brightness, budget_ma=2_000, hubs=(("", count),)
    )


class Table:
    """A hub with lamps, a line and a clock."""

    def __init__(self, library):
        self.clock = ManualClock(5_000_000)
        self.port = HostPort(library, self.clock)
        self.lost, self.found = [], []
        self.hub = SensorHub(
            WIRE, clock=self.clock, open_port=self.port.open,
            on_lost=lambda lost: self.lost.append(lost.device), on_found=self.found.append,
        )  # fmt: skip
        self.lamps = HubPixels([(self.hub, pixels().count)], pixels())
        self.run(200_000)
        assert self.hub.ready

    def run(self, for_us):
        """Let time pass."""
        for _ in range(for_us // 500):
            self.clock.advance(500)
            self.hub.poll()


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The firmware's logic for this machine."""
    return compile_host_hub(tmp_path_factory.mktemp("hub"))


@pytest.fixture
def table(library):
    """Return a table whose hub serves."""
    return Table(library)


def test_a_frame_reaches_the_chain_in_the_order_of_its_wire(table):
    """A hundred lamps in two pieces, green first, shown at once when the second one is there."""
    frame = [(number, 2 * number, 255 - number) for number in range(100)]
    table.lamps.show(frame)
    table.run(5_000)

    assert table.port.hub.lamps() == b"".join(bytes((green, red, blue)) for red, green, blue in frame)


@pytest.mark.parametrize(
    ("order", "brightness", "wanted"), [("RGB", 1.0, (10, 200, 31)), ("BGR", 0.5, (15, 100, 5))]
)
def test_order_and_brightness_are_those_of_the_wiring(order, brightness, wanted):
    """As the library for the Pi's own pins does it: channels by order, each times the brightness, cut off."""
    told = []

    class Hub:
        light = staticmethod(told.append)

    HubPixels([(Hub(), 1)], pixels(1, order=order, brightness=brightness)).show([(10, 200, 31)])

    assert told == [bytes(wanted)]


def test_only_the_newest_of_many_frames_is_sent(table):
    """A hundred frames in 50 ms are four on the wire, the last of them the newest."""
    shown = []
    for level in range(100):
        table.lamps.show([(level, 0, 0)] * 100)
        table.run(500)
        shown += [colours[1] for colours in [table.port.hub.lamps()] if colours]
    table.run(20_000)
    shown += [colours[1] for colours in [table.port.hub.lamps()] if colours]

    assert 3 <= len(shown) <= 5
    assert shown[-1] == 99


def test_a_hub_that_comes_back_is_lit_again(table):
    """Unplugged, its lamps are lost with it; plugged in, it is told the newest frame, which came meanwhile."""
    table.lamps.show([(1, 1, 1)] * 100)
    table.port.unplug()
    table.run(10_000)
    assert table.lost == ["pixels"]
    table.lamps.show([(7, 8, 9)] * 100)
    table.run(1_000_000)
    table.port.plug()
    table.run(2_000_000)

    assert table.found == ["pixels"]
    assert table.port.hub.lamps() == bytes((8, 7, 9)) * 100


def test_lamps_that_are_closed_are_dark(table):
    """Closing turns them off, and may be done twice."""
    table.lamps.show([(5, 5, 5)] * 100)
    table.run(40_000)
    table.port.hub.lamps()
    table.lamps.close()
    table.lamps.close()
    table.run(40_000)

    assert table.port.hub.lamps() == bytes(300)

"""Raw values come from the firmware's own logic, over the protocol, and make a threshold that sees a ball."""

import struct

import pytest
from helpers.hub.host import compile_host_hub
from helpers.hub.host_port import HostPort
from hextraction.controller.workshop.bring_up.calibrating.calibrate import read_values, watch
from hextraction.controller.workshop.bring_up.calibrating.calibration import RawRecord, propose_thresholds
from hextraction.hal.hub.link import HubLink
from hextraction.hal.mock import ManualClock
from hextraction.hal.wiring.wires import HubLinear, HubWire

LINEARS = tuple(
    HubLinear(name=f"ball.A{n}", number=n, side="either", threshold_mv=25, hysteresis_mv=10, debounce_ms=2)
    for n in range(3)
)


class Line:
    """A hub with three linear Halls at rest at 2048 counts; it asks as people's commands do."""

    def __init__(self, library):
        self.clock = ManualClock(5_000_000)
        self.port = HostPort(library, self.clock)
        self.link = HubLink(HubWire(port="auto", chips=0, multiplexers=1, linears=LINEARS))
        self.values = [2_048] * 3
        self.port.open()
        self.link.opened(self.clock.now_us())
        self.run(400_000)
        assert self.link.ready

    def run(self, for_us):
        """Let time pass on both ends."""
        for scan in range(for_us // 500):
            self.clock.advance(500)
            if scan % 2:  # the hub converts each linear once a millisecond
                for number, value in enumerate(self.values):
                    self.port.hub.linear(number, value)
            self.link.advance(self.clock.now_us())
            self.port.write(self.link.take_out())
            self.link.receive(self.port.read(), self.clock.now_us())

    def ask(self, letter, body, answer):
        """Ask, and return the answer's body."""
        self.link.answers.clear()
        self.link.say(letter, body)
        self.run(10_000)
        return next((frame.body for frame in self.link.answers if frame.type == answer), None)

    def times(self, count):
        """Return a question that says yes so often."""
        rounds = iter([True] * count + [False])
        return lambda: next(rounds)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The firmware's logic for this machine."""
    return compile_host_hub(tmp_path_factory.mktemp("hub"))


def test_a_ball_on_a_hall_is_seen_in_raw_values_and_makes_its_threshold(library):
    """A ball that pulls one value down by 60 counts (48 mV): its threshold is 22 mV, and nothing else changes."""
    line = Line(library)
    assert line.ask("Z", struct.pack("<BB", 0, 128), "z") is not None
    line.run(100_000)
    quiet = watch([(line, LINEARS)], line.times(3))
    assert {name: each.most for name, each in quiet.items()} == {"ball.A0": 0, "ball.A1": 0, "ball.A2": 0}
    line.values[1] -= 60
    line.run(20_000)
    ball = watch([(line, LINEARS)], line.times(3))
    assert ball["ball.A1"].low == -60
    proposals, problems = propose_thresholds(LINEARS, RawRecord(quiet=quiet, ball=ball))
    assert {(each.sensor, each.key): each.value for each in proposals} == {
        ("ball.A1", "threshold_mv"): 22,
        ("ball.A1", "hysteresis_mv"): 9,
    }
    assert [problem.partition(":")[0] for problem in problems] == ["ball.A0", "ball.A2"]


def test_a_silent_hub_gives_no_values(library):
    """If the cable is out there are no values, and no exception."""
    line = Line(library)
    line.link.closed(line.clock.now_us(), "unplugged")
    assert list(read_values(_Nobody(), LINEARS)) == []


class _Nobody:
    """A hub that is not there."""

    def ask(self, _letter, _body, _answer):
        """Answer nothing."""

"""MCP23017 expanders on a fake bus that behaves as the data sheet says."""

import sys

import pytest
from helpers.fakes.mcp23017 import FakeBus
from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.expander import ExpanderInputs
from hextraction.hal.i2c import LateBus, open_bus
from hextraction.hal.mock import ManualClock
from hextraction.hal.ports import Edge
from hextraction.hal.wiring.wires import ExpanderInput, ExpanderWire


def sensor(name, address, bit, *, debounce_us=0):
    """Return a sensor that is active when its pin is low."""
    return ExpanderInput(
        name=name, address=address, bit=bit, active_high=False, pull_up=True, debounce_us=debounce_us
    )


WIRE = ExpanderWire(
    bus=1, int_pin=4, inputs=(sensor("a", 0x20, 0), sensor("b", 0x20, 13), sensor("c", 0x23, 6))
)
PLACES = {each.name: (each.address, each.bit) for each in WIRE.inputs}


class Line:
    """The joined INT lines."""

    def __init__(self):
        self.is_low = False
        self.is_cut = False
        self._fell = None
        self.closed = False

    def watch(self, fell):
        """Tell of each falling."""
        self._fell = fell

    def close(self):
        """Let go."""
        self.closed = True

    def move(self, low):
        """Let the chips pull it, or let it go."""
        fell = low and not self.is_low
        self.is_low = low
        if fell and self._fell is not None and not self.is_cut:
            self._fell()


class Bench:
    """Two chips, their line, and what became of their sensors."""

    def __init__(self):
        self.clock, self.line = ManualClock(1_000_000), Line()
        self.bus = FakeBus(PLACES.values(), self.line.move)
        self.lost, self.found, self.edges = [], [], []
        self.inputs = ExpanderInputs(
            WIRE,
            self.bus,
            self.line,
            clock=self.clock,
            scheduler=self.clock,
            on_lost=self.lost.append,
            on_found=self.found.append,
        )
        self.inputs.listen(self.edges.append)

    def see(self, name, active, *, for_us=0):
        """Let a sensor see something, or nothing."""
        self.bus.drive(*PLACES[name], not active)
        self.clock.advance(for_us)

    def changes(self):
        """Return what was reported, without times."""
        self.clock.advance(10_000)
        return [(edge.sensor, edge.active) for edge in self.edges]


@pytest.fixture
def bench():
    """Return expanders that work."""
    return Bench()


def test_a_chip_is_set_up_for_its_sensors_alone(bench):
    """Inputs, interrupts and pull-ups where there are sensors; both ports on an open-drain INT."""
    registers = bench.bus.chips[0x20].registers
    assert registers[0x04:0x06] == bytes([0x01, 0x20])
    assert registers[0x0C:0x0E] == bytes([0x01, 0x20])
    assert registers[0x0A] == 0x44
    assert registers[0x02:0x04] == b"\0\0"


def test_the_last_pin_of_each_port_is_an_output_and_low(bench):
    """GPA7 and GPB7 are outputs only; their latch is cleared before they drive anything, and again if forgotten."""
    for _power_up in range(2):
        for chip in bench.bus.chips.values():
            assert chip.registers[0x00:0x02] == b"\x7f\x7f"
            assert chip.registers[0x14:0x16] == b"\0\0"
            assert chip.written.index((0x14, 0)) < chip.written.index((0x00, 0x7F))
            assert chip.written.index((0x15, 0)) < chip.written.index((0x01, 0x7F))
            chip.power_on()
            chip.registers[0x14:0x16] = b"\x80\x80"
            chip.written.clear()
        bench.clock.advance(300_000)


def test_a_direction_that_was_lost_alone_is_set_again(bench):
    """A disturbed IODIR would let the last pins float, though everything else is as it should be."""
    bench.bus.chips[0x20].registers[0x00:0x02] = b"\xff\xff"
    bench.clock.advance(300_000)
    assert bench.bus.chips[0x20].registers[0x00:0x02] == b"\x7f\x7f"


def test_a_pulse_that_is_over_before_anybody_reads_is_two_edges(bench):
    """INTCAP has its beginning, GPIO its end; the beginning has the time of the interrupt."""
    at_us = bench.clock.now_us()
    bench.see("a", True)
    bench.see("a", False)
    assert bench.changes() == [("a", True), ("a", False)]
    assert bench.edges[0] == Edge("a", True, at_us)


def test_a_second_change_hidden_behind_the_first_is_found(bench):
    """Only the first change is captured; the other pin is told by GPIO."""
    bench.see("a", True)
    bench.see("b", True)
    assert sorted(bench.changes()) == [("a", True), ("b", True)]


def test_a_change_between_two_reads_is_not_lost(bench):
    """A pin that moves after INTCAP was read is in GPIO, or pulls INT again."""
    bench.bus.between = [lambda: None, lambda: bench.bus.drive(*PLACES["b"], False)]
    bench.see("a", True)
    assert sorted(bench.changes()) == [("a", True), ("b", True)]


def test_a_change_after_the_last_read_is_served_though_the_line_never_rose(bench):
    """Another chip pulls the line while it is still low: there is no falling, and it is read all the same."""
    bench.bus.between = [lambda: None] * 2 + [lambda: bench.bus.drive(*PLACES["c"], False)]
    bench.see("a", True)
    assert sorted(bench.changes()) == [("a", True), ("c", True)]


def test_an_interrupt_that_nobody_heard_is_made_good_within_a_quarter_of_a_second(bench):
    """All chips are read four times a second."""
    bench.line.is_cut = True
    bench.see("b", True, for_us=300_000)
    assert bench.changes() == [("b", True)]


def test_a_chip_that_is_gone_takes_its_own_sensors_and_brings_them_back(bench):
    """Lost with the chip's address; found again, set up again, its change told."""
    bench.bus.gone.add(0x20)
    bench.clock.advance(300_000)
    assert [lost.device for lost in bench.lost] == ["a", "b"]
    assert "0x20" in bench.lost[0].reason
    assert bench.inputs.levels() == {"c": False}
    bench.bus.chips[0x20].power_on()
    bench.bus.chips[0x20].drive(0, False)
    bench.bus.gone.clear()
    bench.clock.advance(6_000_000)
    assert bench.found == ["a", "b"]
    assert bench.changes() == [("a", True)]
    assert bench.inputs.levels() == {"a": True, "b": False, "c": False}


def test_a_chip_that_lost_its_power_for_a_moment_is_set_up_again(bench):
    """Its registers are compared with what they should be."""
    bench.bus.chips[0x23].power_on()
    bench.clock.advance(300_000)
    bench.see("c", True)
    assert bench.changes() == [("c", True)]


def test_a_chip_that_is_absent_at_the_start_is_lost_not_fatal():
    """The other one works."""
    line, clock = Line(), ManualClock()
    bus = FakeBus(PLACES.values(), line.move)
    bus.gone.add(0x23)
    lost = []
    inputs = ExpanderInputs(WIRE, bus, line, clock=clock, scheduler=clock, on_lost=lost.append)
    assert [each.device for each in lost] == ["c"]
    assert inputs.levels() == {"a": False, "b": False}


def test_closing_lets_go_of_bus_and_line(bench):
    """Twice is harmless; nothing is read afterwards."""
    bench.inputs.close()
    bench.inputs.close()
    read = len(bench.bus.reads)
    bench.clock.advance(1_000_000)
    assert bench.bus.closed
    assert bench.line.closed
    assert len(bench.bus.reads) == read


def test_a_missing_bus_says_what_to_do():
    """raspi-config, and the group."""
    with pytest.raises(BackendUnavailable, match=r"/dev/i2c-19 .*raspi-config.*group i2c"):
        open_bus(19)


def test_a_missing_library_says_what_to_install(monkeypatch):
    """The extra that brings smbus2."""
    monkeypatch.setitem(sys.modules, "smbus2", None)
    with pytest.raises(BackendUnavailable, match=r"install hextraction\[pi\]"):
        open_bus(1)


def test_a_bus_that_is_not_there_is_waited_for():
    """Its sensors are lost with what to do about it, and found when the bus has come."""
    line, clock, lost, found, there = Line(), ManualClock(), [], [], []

    def opened():
        if not there:
            raise BackendUnavailable("/dev/i2c-1 cannot be opened: enable I2C")
        return there[0]

    inputs = ExpanderInputs(
        WIRE,
        LateBus(opened),
        line,
        clock=clock,
        scheduler=clock,
        on_lost=lost.append,
        on_found=found.append,
    )
    clock.advance(1_000_000)
    assert [each.device for each in lost] == ["a", "b", "c"]
    assert "/dev/i2c-1 cannot be opened: enable I2C" in lost[0].reason
    there.append(FakeBus(PLACES.values(), line.move))
    clock.advance(6_000_000)
    assert found == ["a", "b", "c"]
    assert inputs.levels() == {"a": False, "b": False, "c": False}
    inputs.close()
    assert there[0].closed


def test_a_closed_bus_is_not_opened_again():
    """A reading that comes late finds no bus, as if its chip did not answer."""
    bus = LateBus(lambda: pytest.fail("it was opened"))
    bus.close()
    with pytest.raises(OSError, match="closed"):
        bus.read_word_data(0x20, 0)

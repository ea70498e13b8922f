"""Sensors of several backends as one stream: in order, and held back once."""

import pytest
from gpiozero.pins.mock import MockFactory
from helpers.fakes.mcp23017 import FakeBus
from helpers.hub.host import compile_host_hub
from helpers.hub.host_port import HostPort
from hextraction.hal.mock import ManualClock
from hextraction.hal.opening.factory import open_devices
from hextraction.hal.wiring.file import wiring_from_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

HEAD = '[board]\nprofile = "p"\ninstruments = "partial"\n[gpio]\nfactory = "mock"\n'
ON_PINS = """
[[sensor]]
name = "ramp"
pin = 17
[[sensor]]
name = "lid"
pin = 22
debounce_ms = 20
[[sensor]]
name = "button"
pin = 12
part = "button"
"""
EXPANDED = """
[expander]
int_pin = 4
[[sensor]]
name = "drain"
expander = "0x20.A0"
[[sensor]]
name = "tile"
expander = "0x20.A1"
debounce_ms = 20
[[sensor]]
name = "bell"
expander = "0x20.A2"
part = "button"
"""
ON_HUB = """
[hub]
chips = 1
spare = [2, 3, 4, 5, 6, 7]
[[sensor]]
name = "edge"
hub = 0
[[sensor]]
name = "slow"
hub = 1
debounce_ms = 5
"""
PINS = {"ramp": 17, "lid": 22, "button": 12}
BITS = {"drain": 0, "tile": 1, "bell": 2}
INPUTS = {"edge": 0, "slow": 1}


class Bench:
    """Sensors on the header, an expander and (with a library) a hub, and when each edge was delivered."""

    def __init__(self, library=None):
        self.clock, self.factory = ManualClock(1_000_000), MockFactory()
        self.bus = FakeBus([(0x20, bit) for bit in BITS.values()], self._int)
        self.port = None if library is None else HostPort(library, self.clock)
        for bit in BITS.values():
            self.bus.drive(0x20, bit, True)
        for number in INPUTS.values() if self.port else ():
            self.port.set_input(number, True)
        self.devices = open_devices(
            wiring_from_text(HEAD + ON_PINS + EXPANDED + (ON_HUB if library else ""), "mixed.toml"),
            clock=self.clock,
            scheduler=lambda _name: self.clock,
            pin_factory=self.factory,
            bus=self.bus,
            hub_ports=None if self.port is None else {"": self.port.open},
        )
        self.clock.advance(400_000)
        self.told = []
        self.devices.inputs.listen(lambda edge: self.told.append((edge, self.clock.now_us())))

    def _int(self, low):
        pin = self.factory.pin(4)
        (pin.drive_low if low else pin.drive_high)()

    def see(self, name, *, for_us=0, active=True):
        """Let a sensor see something, or nothing; return when it began."""
        at_us = self.clock.now_us()
        if name in PINS:
            pin = self.factory.pin(PINS[name])
            (pin.drive_low if active else pin.drive_high)()
        elif name in BITS:
            self.bus.drive(0x20, BITS[name], not active)
        else:
            self.port.set_input(INPUTS[name], not active)
        self.clock.advance(for_us)
        return at_us

    def delays(self):
        """Return by how much each edge came after its time, by sensor, when all is quiet again."""
        self.clock.advance(200_000)
        return {edge.sensor: at_us - edge.at_us for edge, at_us in self.told}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The firmware's logic for this machine."""
    return compile_host_hub(tmp_path_factory.mktemp("hub"))


@pytest.mark.parametrize(("name", "delay_us"), [("ramp", 3_000), ("drain", 4_000)])
def test_on_a_quiet_board_an_edge_waits_for_the_slowest_way_alone(name, delay_us):
    """Three milliseconds for an expander to be read; its own edge also for its filter. Nothing else."""
    bench = Bench()
    bench.see(name)
    assert bench.delays() == {name: delay_us}


@pytest.mark.parametrize("name", ["ramp", "drain", "edge", "slow"])
def test_with_a_hub_an_edge_waits_as_long_as_the_hub_may_filter(library, name):
    """Seven milliseconds: its slowest quick filter of five, and two for the way."""
    bench = Bench(library)
    bench.see(name)
    assert bench.delays() == {name: 7_000}


@pytest.mark.parametrize("pending", ["lid", "tile"])
@pytest.mark.parametrize("name", ["ramp", "drain", "edge"])
def test_a_slow_filter_holds_the_others_back_once(library, name, pending):
    """Five milliseconds beyond the way, wherever the slow sensor and the quick one hang; then it is moved up."""
    bench = Bench(library)
    bench.see(pending, for_us=300)
    bench.see(name)
    assert bench.delays()[name] == 8_000
    assert bench.devices.inputs.late == 1


@pytest.mark.parametrize(("name", "delay_us"), [("button", 1_000), ("bell", 4_000)])
@pytest.mark.parametrize("pending", ["ramp", "lid", "tile"])
def test_a_button_waits_for_nobody(library, name, delay_us, pending):
    """Its own filter and its own way: no ball hangs on its order."""
    bench = Bench(library)
    bench.see(pending, for_us=300)
    bench.see(name)
    assert bench.delays()[name] == delay_us


def test_an_earlier_edge_of_a_slower_way_comes_first_with_its_own_time():
    """The expander's is read three milliseconds later, and keeps its place; nothing is moved up."""
    bench = Bench()
    drained_us = bench.see("drain", for_us=500)
    ramped_us = bench.see("ramp")
    bench.delays()
    assert [(edge.sensor, edge.at_us) for edge, _told_us in bench.told] == [
        ("drain", drained_us),
        ("ramp", ramped_us),
    ]
    assert bench.devices.inputs.late == 0


@pytest.mark.slow
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    acts=st.lists(
        st.tuples(st.sampled_from(["ramp", "drain", "edge", "lid", "tile"]), st.integers(0, 6_000)),
        max_size=12,
    )
)
def test_whatever_happens_all_come_in_order_and_none_waits_longer(library, acts):
    """Each lasting change once, in order of time; a quick sensor's within eight milliseconds."""
    bench = Bench(library)
    level = dict.fromkeys((*PINS, *BITS, *INPUTS), False)
    for name, for_us in acts:
        level[name] = not level[name]
        bench.see(name, active=level[name], for_us=for_us)
    bench.delays()
    times = [edge.at_us for edge, _told_us in bench.told]
    assert times == sorted(times)
    last = {edge.sensor: edge.active for edge, _told_us in bench.told}
    assert {name for name, active in last.items() if active} == {name for name in level if level[name]}
    quick = [told_us - edge.at_us for edge, told_us in bench.told if edge.sensor in {"ramp", "drain", "edge"}]
    assert max(quick, default=0) <= 8_000
    bench.devices.close()


def test_closing_twice_is_harmless_and_nothing_comes_afterwards():
    """Not even what was waiting for its place."""
    bench = Bench()
    bench.see("ramp", for_us=1_500)
    bench.devices.inputs.close()
    bench.devices.inputs.close()
    assert bench.delays() == {}

"""Coils on the hub and on pins of the Pi behind one guard: whoever asks for what, nothing gets hot."""

from itertools import pairwise

import pytest
from helpers.hub.host import compile_host_hub
from helpers.hub.host_port import HostPort
from helpers.tiers import nightly
from hextraction.hal.guard import SolenoidGuard
from hextraction.hal.hub.backend import SensorHub
from hextraction.hal.mock import ManualClock, MockSolenoidDriver
from hextraction.hal.ports import PulseResult
from hextraction.hal.wiring.coil_limits import CoilLimits
from hextraction.hal.wiring.wires import HubCoil, HubWire
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

LIMITS = {
    "hub.0": CoilLimits(),
    "hub.5": CoilLimits(max_pulse_ms=20, duty_percent=2),
    "pin.a": CoilLimits(),
    "pin.b": CoilLimits(max_pulse_ms=200),
}
ON_HUB = {"hub.0": 0, "hub.5": 5}
WIRE = HubWire(
    port="auto",
    chips=0,
    multiplexers=0,
    coils=tuple(
        HubCoil(name=name, number=number, pulse_ms=20, limits=LIMITS[name]) for name, number in ON_HUB.items()
    ),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The firmware's logic for this machine."""
    return compile_host_hub(tmp_path_factory.mktemp("hub"))


class Bench:
    """A guard over two pins and a hub with two coils."""

    def __init__(self, library):
        self.clock = ManualClock(1_000_000)
        self.port = HostPort(library, self.clock)
        self.driver = MockSolenoidDriver(self.clock)
        self.hub = SensorHub(WIRE, clock=self.clock, open_port=self.port.open)
        self.guard = SolenoidGuard(
            self.driver, LIMITS, clock=self.clock, scheduler=self.clock, timed=self.hub
        )
        self.hub.armed = lambda: self.guard.armed
        self.is_hung = False
        self._poll()

    def _poll(self):
        if not self.is_hung:
            self.hub.poll()
        self.port.catch_up()
        self.clock.call_at(self.clock.now_us() + 500, self._poll)

    def begin(self):
        """Wait for the hub's coils."""
        self.clock.advance(300_000)
        assert self.hub.coils_ready
        return self

    def pulses(self):
        """Return every time a coil was on, as (name, began_us, ended_us), in order."""
        changes = [(at_us, name, on) for at_us, name, on in self.driver.log]
        before = 0
        for at_us, gates in self.port.gates:
            changes += [
                (at_us, name, bool(gates >> number & 1))
                for name, number in ON_HUB.items()
                if (gates ^ before) >> number & 1
            ]
            before = gates
        begun, found = {}, []
        for at_us, name, on in sorted(changes, key=lambda change: change[0]):
            if on:
                begun[name] = at_us
            else:
                found.append((name, begun.pop(name), at_us))
        assert not begun
        return sorted(found, key=lambda pulse: pulse[1])


@pytest.fixture
def bench(library):
    """Return a guard whose hub is armed."""
    made = Bench(library).begin()
    yield made
    made.guard.close()


@pytest.mark.slow
def test_a_pulse_of_the_hub_keeps_the_pins_off_until_it_says_that_it_is_over(bench):
    """Busy while it may be on; free ten milliseconds after it was certainly off."""
    assert bench.guard.pulse("hub.0", 30) is PulseResult.DONE
    bench.clock.advance(30_500)
    assert bench.guard.pulse("pin.a", 30) is PulseResult.REFUSED_BUSY
    bench.clock.advance(15_000)
    assert bench.guard.pulse("pin.a", 30) is PulseResult.DONE
    assert bench.guard.pulse("hub.5", 10) is PulseResult.REFUSED_BUSY


@pytest.mark.slow
def test_off_ends_a_pulse_of_the_hub(bench):
    """Within a few milliseconds, and the coil rests all the same."""
    bench.guard.pulse("hub.0", 50)
    bench.clock.advance(10_000)
    bench.guard.off()
    bench.clock.advance(5_000)
    ((_name, began_us, ended_us),) = bench.pulses()
    assert ended_us - began_us < 15_000
    assert bench.guard.pulse("hub.0", 50) is PulseResult.REFUSED_DUTY


@pytest.mark.slow
def test_a_hub_that_is_away_refuses_and_the_pins_work_on(bench):
    """Refused as switched off; nothing is distrusted for good."""
    bench.port.unplug()
    bench.clock.advance(1_000_000)
    assert bench.guard.pulse("hub.0", 30) is PulseResult.REFUSED_OFF
    assert bench.guard.pulse("pin.a", 30) is PulseResult.DONE
    bench.port.plug()
    bench.clock.advance(6_000_000)
    assert bench.guard.pulse("hub.0", 30) is PulseResult.DONE


def test_a_hung_host_leaves_no_coil_on(bench):
    """The hub ends the pulse in its time, and disarms after half a second of silence."""
    bench.guard.pulse("hub.0", 50)
    bench.clock.advance(1_000)
    bench.is_hung = True
    bench.clock.advance(600_000)
    ((_name, began_us, ended_us),) = bench.pulses()
    assert ended_us - began_us <= 50_000
    bench.is_hung = False
    bench.clock.advance(1_500_000)
    assert bench.hub.coils_ready


def test_what_the_hub_thinks_of_a_request_is_counted(bench):
    """The guard is at least as strict, so the hub agrees."""
    for _pulse in range(5):
        bench.guard.pulse("hub.0", 40)
        bench.clock.advance(320_000)
    assert bench.hub.health["refusals"] == {"done": 5}


ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("pulse"), st.sampled_from([*LIMITS, "nobody"]), st.integers(1, 400)),
        st.tuples(
            st.just("wait"), st.sampled_from([100, 3_000, 11_000, 60_000, 260_000, 900_000]), st.none()
        ),
        st.tuples(st.just("off"), st.none(), st.none()),
        st.tuples(st.just("estop"), st.booleans(), st.none()),
        st.tuples(st.just("mute"), st.sampled_from([2_000, 40_000, 700_000]), st.none()),
        st.tuples(st.just("deaf"), st.sampled_from([2_000, 40_000, 700_000]), st.none()),
        st.tuples(st.just("hang"), st.sampled_from([30_000, 800_000]), st.none()),
        st.tuples(st.just("cable"), st.sampled_from([1_000, 900_000]), st.none()),
    ),
    max_size=40,
)


def act_on(bench, kind, what, value):
    """Do one thing, whatever it is."""
    if kind == "pulse":
        bench.guard.pulse(what, value)
    elif kind == "wait":
        bench.clock.advance(what)
    elif kind == "off":
        bench.guard.off()
    elif kind == "estop":
        bench.port.hub.set_estop(what)
    elif kind == "hang":
        bench.is_hung = True
        bench.clock.advance(what)
        bench.is_hung = False
    elif kind == "cable":
        bench.port.unplug()
        bench.clock.advance(what)
        bench.port.plug()
    elif kind == "mute":
        bench.port.spoil = lambda _data: b""
        bench.clock.advance(what)
        bench.port.spoil = lambda data: data
    else:
        bench.port.is_deaf = True
        bench.clock.advance(what)
        bench.port.is_deaf = False


@pytest.mark.slow
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=ACTS)
def test_no_sequence_of_commands_keeps_a_coil_on_or_two_at_once(library, acts):
    """Caps and duty hold for every coil, one is on in all, whatever is asked, cut, hung or pressed."""
    hold_the_limits(library, acts)


@nightly(
    "two hundred sequences",
    meanwhile="test_no_sequence_of_commands_keeps_a_coil_on_or_two_at_once",
)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=ACTS)
def test_many_sequences_of_commands_keep_the_limits(library, acts):
    """The same, twenty times as often."""
    hold_the_limits(library, acts)


def hold_the_limits(library, acts):
    """Do it all and look at every pulse of every coil."""
    bench = Bench(library).begin()
    for act in acts:
        act_on(bench, *act)
    bench.clock.advance(2_000_000)
    bench.guard.close()
    pulses = bench.pulses()
    for name, began_us, ended_us in pulses:
        assert ended_us - began_us <= min(LIMITS[name].max_pulse_ms, 50 if name in ON_HUB else 200) * 1_000
    for (_one, _began_us, ended_us), (_other, began_us, _ended_us) in pairwise(pulses):
        assert began_us >= ended_us
    for name, limits in LIMITS.items():
        spans = [(began_us, ended_us) for one, began_us, ended_us in pulses if one == name]
        for _began_us, until_us in spans:
            window = [max(0, min(e, until_us) - max(b, until_us - 10_000_000)) for b, e in spans]
            assert sum(window) <= limits.duty_us

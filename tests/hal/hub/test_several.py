"""Two hubs on one table: one stream of edges, one set of coils, and each one's absence its own."""

import pytest
from helpers.hub.host import compile_host_hub
from helpers.hub.host_port import HostPort
from hextraction.hal.hub.framing import Deframer
from hextraction.hal.mock import ManualClock
from hextraction.hal.opening.factory import open_devices
from hextraction.hal.ports import PulseResult
from hextraction.hal.wiring.file import wiring_from_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SPARE = "spare = [2, 3, 4, 5, 6, 7]\n"
HALLS = "multiplexers = 1\nspare_linears = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]\n"
WIRING = f"""
sensor = [
  {{ name = "a", hub = "left.0", active = "high" }},
  {{ name = "b", hub = "left.1", active = "high", debounce_ms = 5 }},
  {{ name = "c", hub = "right.0", active = "high" }},
  {{ name = "d", hub = "right.1", active = "high" }},
  {{ name = "ball", linear = "right.0" }},
]
solenoid = [
  {{ name = "gate.left", hub = "left.3", pulse_ms = 40 }},
  {{ name = "gate.right", hub = "right.5", pulse_ms = 40 }},
]
lamp = [{{ name = "all", first = 0, count = 3 }}]
[board]
profile = "p"
instruments = "partial"
[gpio]
factory = "mock"
[pixels]
count = 3
hub = {{ left = 2, right = 1 }}
brightness = 1.0
[[hub]]
name = "left"
port = "E661410403112233"
chips = 1
{SPARE}
[[hub]]
name = "right"
port = "E6614104031122FF"
chips = 1
{SPARE}{HALLS}
"""
PLACES = {"a": ("left", 0), "b": ("left", 1), "c": ("right", 0), "d": ("right", 1)}
COILS = {"gate.left": ("left", 3), "gate.right": ("right", 5)}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The firmware's logic for this machine."""
    return compile_host_hub(tmp_path_factory.mktemp("hub"))


class Table:
    """Both hubs, with the time in which one of them has lived longer than the other."""

    def __init__(self, library):
        self.clock = ManualClock(1_000_000)
        self.ports = {"left": HostPort(library, self.clock)}
        self.clock.advance(1_234_567)
        self.ports["right"] = HostPort(library, self.clock)
        self.devices = open_devices(
            wiring_from_text(WIRING, "two.toml"),
            clock=self.clock,
            scheduler=lambda _name: self.clock,
            hub_ports={name: port.open for name, port in self.ports.items()},
        )
        self.told = []
        self.devices.inputs.listen(self.told.append)
        self.clock.advance(500_000)

    def see(self, sensor, *, active=True):
        """Let a sensor see something, or nothing any more; return when."""
        hub, number = PLACES[sensor]
        self.ports[hub].set_input(number, active)
        return self.clock.now_us()

    def fire(self, coil):
        """Request a pulse."""
        return self.devices.solenoids.pulse(coil)

    def both(self):
        """Return what a pulse of each coil would come to, one after the other."""
        found = []
        for coil in COILS:
            found.append(self.fire(coil))
            self.clock.advance(500_000)
        return found

    def is_on(self, coil):
        """Whether a coil is on now."""
        hub, number = COILS[coil]
        return self.ports[hub].is_on(number)

    @property
    def lost(self):
        """What is lost now."""
        return {each.device for each in self.devices.lost.now}


@pytest.fixture
def table(library):
    """Return a table with two hubs that serve and are armed."""
    made = Table(library)
    assert not made.lost
    yield made
    made.devices.close()


def test_edges_of_both_hubs_come_in_the_order_in_which_they_happened(table):
    """Each hub's clock began at another time; the host's time of an edge is off by less than half a millisecond."""
    wanted = [(name, table.see(name), table.clock.advance(1_500))[:2] for name in ("c", "a", "d")]
    table.clock.advance(50_000)
    assert [edge.sensor for edge in table.told] == ["c", "a", "d"]
    for edge, (_name, at_us) in zip(table.told, wanted, strict=True):
        assert edge.at_us == pytest.approx(at_us, abs=1_000)
    assert table.devices.inputs.late == 0


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.sampled_from("acd"), st.integers(2_000, 9_000)), max_size=8, unique_by=lambda e: e[0]
    )
)
def test_whatever_happens_on_two_hubs_is_told_in_order(table, seen):
    """Two milliseconds apart is far enough for any order of hubs."""
    table.told.clear()
    for name, wait_us in seen:
        table.see(name)
        table.clock.advance(wait_us)
    table.clock.advance(50_000)
    assert [edge.sensor for edge in table.told] == [name for name, _wait in seen]
    for name, _wait in seen:
        table.see(name, active=False)
    table.clock.advance(50_000)


def test_one_hub_that_is_unplugged_loses_its_own_things_only(table):
    """Its sensors, coil and lamps; the other hub goes on seeing, opening and lighting."""
    table.ports["right"].unplug()
    table.clock.advance(800_000)
    assert table.lost == {"c", "d", "ball", "gate.right", "pixels.right"}
    assert table.devices.inputs.levels().keys() == {"a", "b"}
    table.see("a")
    table.clock.advance(50_000)
    assert [edge.sensor for edge in table.told] == ["a"]
    assert table.both() == [PulseResult.DONE, PulseResult.REFUSED_OFF]


@pytest.mark.slow
def test_a_hub_that_is_plugged_in_again_serves_when_a_person_says_that_hands_are_clear(table):
    """Its sensors at once. It was without power, and so may have missed a press: its coils and all others wait."""
    table.ports["right"].unplug()
    table.clock.advance(800_000)
    table.ports["right"].plug()
    table.clock.advance(6_000_000)
    assert table.lost == {"gate.right"}
    assert table.both() == [PulseResult.REFUSED_OFF] * 2
    assert table.devices.power.supply.confirm()
    table.clock.advance(500_000)
    assert not table.lost
    assert table.both() == [PulseResult.DONE] * 2


@pytest.mark.slow
@pytest.mark.parametrize("pressed", ["left", "right"])
def test_an_estop_that_one_hub_sees_disarms_all_coils_on_all_hubs(table, pressed):
    """Also where only one sees it, as with a broken wire; nobody's coil is armed until a person has confirmed."""
    table.ports[pressed].hub.set_estop(False)
    table.clock.advance(300_000)
    assert table.both() == [PulseResult.REFUSED_OFF] * 2
    assert not any(hub.coils_armed for hub in table.devices.hubs)
    assert not table.devices.power.supply.confirm()
    table.ports[pressed].hub.set_estop(True)
    table.clock.advance(300_000)
    assert table.both() == [PulseResult.REFUSED_OFF] * 2
    assert table.devices.power.supply.confirm()
    table.clock.advance(500_000)
    assert table.both() == [PulseResult.DONE] * 2


def test_what_a_hub_said_of_the_estop_counts_no_more_when_it_is_away(table):
    """A pressed e-stop stays pressed for the others, which see it themselves; a dead hub does not lock them for ever."""
    table.ports["left"].hub.set_estop(False)
    table.clock.advance(300_000)
    table.ports["left"].unplug()
    table.clock.advance(800_000)
    assert table.devices.power.supply.confirm()
    table.clock.advance(500_000)
    assert table.both() == [PulseResult.REFUSED_OFF, PulseResult.DONE]


def test_a_hub_that_disarms_by_itself_disarms_the_other_first(table):
    """Its scan has stalled, say: both are disarmed before either is armed again, and that goes by itself."""
    left, right = table.devices.hubs
    seen = []
    table.ports["left"].hub.scan_late(40_000)
    for _ in range(100):
        table.clock.advance(500)
        seen.append((left.coils_armed, right.coils_armed))
    assert (False, False) in seen
    assert seen.index((False, False)) < len(seen) - 1 - seen[::-1].index((True, True))
    table.clock.advance(500_000)
    assert table.both() == [PulseResult.DONE] * 2


def test_one_coil_at_a_time_on_all_hubs_together(table):
    """While one may be on, the other hub's is busy."""
    assert table.fire("gate.left") is PulseResult.DONE
    table.clock.advance(10_000)
    assert table.is_on("gate.left")
    assert table.fire("gate.right") is PulseResult.REFUSED_BUSY
    table.clock.advance(300_000)
    assert table.fire("gate.right") is PulseResult.DONE
    table.clock.advance(10_000)
    assert table.is_on("gate.right")
    table.devices.solenoids.off()
    table.clock.advance(10_000)
    assert not table.is_on("gate.right")


def test_a_hub_that_goes_in_a_pulse_keeps_the_others_coils_off_until_its_own_is_surely_off(table):
    """It switches off by itself half a second after it hears nothing; only then another coil may be on."""
    assert table.fire("gate.left") is PulseResult.DONE
    table.clock.advance(10_000)
    table.ports["left"].unplug()
    table.clock.advance(100_000)
    assert table.fire("gate.right") is PulseResult.REFUSED_BUSY
    table.clock.advance(900_000)
    assert table.fire("gate.right") is PulseResult.DONE


def test_each_hub_shows_its_share_of_the_lamps(table):
    """The first two on the left hub's chain, the third on the right one's, in the strips' order of colours."""
    table.devices.pixels.show([(1, 2, 3), (4, 5, 6), (7, 8, 9)])
    table.clock.advance(100_000)
    assert table.ports["left"].hub.lamps() == bytes((2, 1, 3, 5, 4, 6))
    assert table.ports["right"].hub.lamps() == bytes((8, 7, 9))


def test_a_tile_that_one_hub_sees_zeroes_the_halls_that_another_reads(table):
    """A tile's magnets shift its neighbours' Halls, whichever hub they hang on."""
    said = []
    table.devices.disturbs({"a": ("ball",)})
    port = table.ports["right"]
    write = port.write
    port.write = lambda data: (said.append(bytes(data)), write(data))[1]
    table.see("a")
    table.clock.advance(600_000)
    zeroed = [frame.body for frame in Deframer().feed(b"".join(said)) if frame.type == "Z"]
    assert zeroed == [bytes((0, 1))]

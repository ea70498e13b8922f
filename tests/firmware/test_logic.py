"""The firmware's logic, compiled for this machine: what it decides, over any input and over long times."""

import ctypes
import shutil
import struct
import subprocess
import zlib
from itertools import accumulate, groupby, pairwise

import pytest
from helpers.hub.host import FIRMWARE, SOURCES, HostHub, compile_host_hub
from helpers.hub.talk import blob_of, held_blob_of
from hextraction.hal.hub.framing import Frame, encode
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = [pytest.mark.slow, pytest.mark.firmware]

INPUT = 0x82
LINEAR = (0x80, 2, 31, 12)
WINDOW = 20_000
"""Scans in ten seconds."""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Return the compiled logic."""
    return compile_host_hub(tmp_path_factory.mktemp("hub"))


@pytest.fixture
def hub(library):
    """Return a hub that was greeted."""
    return HostHub(library)


def armed(library, **configuration):
    """Return a hub that is armed."""
    hub = HostHub(library)
    hub.load(**configuration)
    assert hub.arm()
    hub.gates.clear()
    return hub


def spells(gates):
    """Return (gates, first scan, scans) of every stretch in which something was on."""
    found, at = [], 0
    for value, group in groupby(gates):
        length = sum(1 for _ in group)
        if value:
            found.append((value, at, length))
        at += length
    return found


def busiest(gates, coil):
    """Return for how many scans a coil was on in the worst window of ten seconds."""
    sums = [0, *accumulate(value >> coil & 1 for value in gates)]
    return max(sums[min(at + WINDOW, len(gates))] - sums[at] for at in range(len(gates)))


# --- coils ---


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 700), st.integers(0, 8), st.integers(0, 70)), max_size=120))
def test_no_requests_break_a_limit(library, requests):
    """Whatever is asked for over up to forty seconds: cap, rest, gap, one at a time and 10 % of 10 s hold."""
    hub = armed(library)
    for pause, coil, pulse_ms in requests:
        hub.run(pause)
        hub.pulse(coil, pulse_ms)
    hub.run(1_000)

    found = spells(hub.gates)
    assert all(value & (value - 1) == 0 for value, _at, _scans in found)
    assert all(scans <= 100 for _value, _at, scans in found)
    for (_v, at, scans), (_w, next_at, _s) in pairwise(found):
        assert next_at - (at + scans) >= 20
    for coil in range(8):
        own = [(at, scans) for value, at, scans in found if value == 1 << coil]
        for (at, scans), (next_at, _s) in pairwise(own):
            assert next_at - (at + scans) >= max(500, 4 * scans)
        assert busiest(hub.gates, coil) <= WINDOW // 10


def test_a_coil_that_is_asked_all_the_time_works_a_tenth_of_it(library):
    """Half a minute of requests for one coil gives 10 % of the time in each window, and no more."""
    hub = armed(library)
    for _ in range(3_000):
        hub.pulse(0, 50)
        hub.run(18)

    assert 1_900 <= busiest(hub.gates, 0) <= 2_000


def test_requests_cannot_starve_the_watch_over_the_host(library):
    """A host that falls silent loses its coils 500 ms later, to the scan, and what waits never fires."""
    hub = armed(library)
    for coil in range(5):
        assert hub.pulse(coil, 50) == 0
    hub.run(200, alive=True)
    hub.gates.clear()
    hub.run(3_000, alive=False)

    (_value, _at, scans), *_rest = spells(hub.gates)
    assert scans <= 100
    assert not hub.pump
    last = max(n for n, value in enumerate(hub.gates) if value)
    assert last <= 1_000
    assert hub.pulse(6, 30) == 3


def test_there_is_a_gap_even_when_nobody_waits(library):
    """A request that comes 2 ms after a pulse has ended still waits for the rest of the 10 ms."""
    hub = armed(library)
    hub.pulse(0, 5)
    hub.run(14)
    assert hub.pulse(1, 5) == 0
    hub.run(60)

    (_first, at, scans), (_second, next_at, _scans) = spells(hub.gates)
    assert next_at - (at + scans) == 20


def test_four_wait_and_the_fifth_is_refused(library):
    """One is on, four wait, and no more."""
    hub = armed(library)

    assert [hub.pulse(coil, 50) for coil in range(6)] == [0, 0, 0, 0, 0, 6]


def test_a_late_scan_ends_everything(library):
    """If the scan itself stood still for more than 5 ms nothing is trusted: coils off, disarmed, told why."""
    hub = armed(library)
    hub.pulse(0, 50)
    hub.run(4)
    assert hub.gates[-1] == 1
    assert hub.scan_late(5_500) == 0

    states = [frame.body for frame in hub.heard() if frame.type == "t"]
    assert states[-1][0] & 1 == 0
    assert states[-1][1] == 9


def test_a_pulse_whose_last_scan_was_skipped_counts_as_what_it_was(library):
    """Its gate was shut when it ended; the scan that comes half a millisecond later counts no more than that."""
    hub = armed(library)
    hub.pulse(0, 10)
    while hub.gates[-1] != 1:
        hub.run(1)
    hub.run(18)
    assert hub.scan_late(1_000) == 0

    (off,) = [frame.body for frame in hub.heard() if frame.type == "o"]
    assert struct.unpack("<HBBII", off)[4] == 10_000


@pytest.mark.parametrize("period_us", [1_000, 999, 1_500])
def test_one_skipped_scan_is_warned_about(library, period_us):
    """A scan that comes a period late is said, with the period; scans in time are not."""
    hub = armed(library)
    hub.run(100)
    hub.scan_late(501)
    assert [frame for frame in hub.heard() if frame.type == "w"] == []
    hub.scan_late(period_us)

    (warning,) = [frame.body for frame in hub.heard() if frame.type == "w"]
    assert struct.unpack("<BBI", warning) == (6, 0, period_us)


@pytest.mark.parametrize(("quarters", "of_eight"), [(1, 2), (2, 4), (3, 6)])
def test_a_held_coil_gets_its_quarters(library, quarters, of_eight):
    """After the pull-in the gate is high in one, two or three of four scans; the pulse ends when it was to."""
    hub = armed(library, held=True, coils=((200, 250, 100, 5, quarters), *[(50, 250, 100, 0, 0)] * 7))
    hub.pulse(0, 25)
    while not hub.gates[-1]:
        hub.run(1)
    hub.run(120)
    first = hub.gates.index(1)

    assert bytes(hub.gates[first : first + 10]) == b"\x01" * 10
    for at in range(first + 10, first + 42, 8):
        assert sum(hub.gates[at : at + 8]) == of_eight
    assert not any(hub.gates[first + 50 :])


def test_a_pulse_that_begins_late_is_not_cut(library):
    """A pulse that begins late is as long as granted."""
    hub = armed(library)
    for coil in range(3):
        hub.pulse(coil, 10)
    while hub.gates[-1] != 2:
        hub.run(1)
    hub.run(20 + 18)
    hub.gates.clear()
    hub.gates.append(hub.scan_late(4_000))
    hub.run(100)

    found = spells(hub.gates)
    assert [(value, scans) for value, _at, scans in found] == [(4, 20)]
    assert found[0][1] == 0


def test_limits_outlive_configurations_and_sessions(library):
    """Neither a new hello nor a new configuration lets a coil fire before it has rested."""
    hub = armed(library)
    assert hub.pulse(0, 50) == 0
    hub.run(110)
    hub.say("H", b"\x01\x00")
    hub.load(inputs=[INPUT])
    assert hub.arm()

    assert hub.pulse(0, 50) == 4


def test_a_configuration_can_only_be_stricter(library):
    """A smaller cap clamps, a longer rest refuses, a cap of 0 switches a coil off."""
    hub = armed(library, coils=((5, 1_000, 100), (0, 250, 100), *[(50, 250, 100)] * 6))

    assert hub.pulse(0, 20) == 1
    assert hub.pulse(1, 20) == 2
    hub.run(900)
    assert hub.pulse(0, 5) == 4
    assert [scans for _value, _at, scans in spells(hub.gates)] == [10]


def test_one_bad_sample_of_the_emergency_stop_is_a_glitch(library):
    """Glitches of 20 us meet a sample now and then, but hardly two of four."""
    hub = armed(library)
    for _ in range(50):
        hub.set_estop(False)
        hub.run(1)
        hub.set_estop(True)
        hub.run(4)

    assert hub.flags.armed
    assert not hub.flags.estop_seen


@pytest.mark.parametrize("good_between", [0, 1, 2])
def test_two_bad_samples_of_four_are_a_press(library, good_between):
    """A contact that bounces while it opens is believed, too."""
    hub = armed(library)
    hub.set_estop(False)
    hub.run(1)
    hub.set_estop(True)
    hub.run(good_between)
    hub.set_estop(False)
    hub.run(1)

    assert not hub.flags.armed


def test_the_emergency_stop_is_believed_at_once_and_forgiven_slowly(library):
    """Two bad samples disarm; arming is possible again when the line was good for 20 ms."""
    hub = armed(library)
    hub.set_estop(False)
    hub.run(2)
    hub.set_estop(True)
    hub.run(30)
    assert not hub.arm()
    hub.run(10)

    assert hub.arm()


def test_a_press_is_remembered_until_the_coils_are_armed_again(library):
    """A host that was away hears of it; the time before the first good sample is no press."""
    hub = armed(library)
    assert (hub.flags.estop_seen, hub.flags.was_armed) == (False, True)
    hub.set_estop(False)
    hub.run(2)
    hub.set_estop(True)
    hub.run(100)
    assert (hub.flags.estop_seen, hub.flags.was_armed) == (True, True)
    assert hub.arm()
    assert not hub.flags.estop_seen


# --- sessions ---


def test_a_greeting_is_heard_after_half_a_frame(library):
    """If a host greets in the middle of a frame, what is left of it does not spoil the greeting."""
    hub = HostHub(library)
    hub.load(inputs=[INPUT] * 192)
    for number in range(192):
        hub.set_input(number, True)
    hub.run(4)
    half = hub.take(100)
    assert len(half) == 100
    hub.hear(half)

    assert next(frame.type for frame in hub.say("H", b"\x01\x00")) == "h"


def test_new_firmware_is_not_loaded_under_armed_coils(library):
    """The way to the USB disk is closed while armed, and to who does not know the word."""
    hub = armed(library)
    (warning,) = hub.say("B", b"BOOT")
    assert warning.body[:2] == b"\x04B"
    hub.say("A", bytes(5))
    hub.run(100)

    (warning,) = hub.say("B", b"boot")
    assert warning.body[:2] == b"\x04B"


# --- configurations ---


@pytest.mark.parametrize(
    ("blob", "status"),
    [
        (struct.pack("<BBHH", 1, 0, 193, 0) + bytes(193 + 48), 5),
        (struct.pack("<BBHH", 1, 0, 0, 129) + bytes(6 * 129 + 48), 5),
        (struct.pack("<BBHH", 2, 0, 0, 0) + bytes(48), 5),
        (blob_of(inputs=[0x80]), 6),
        (blob_of(inputs=[0x92]), 6),
        (blob_of(linears=[(0x80, 2, 12, 12)]), 6),
        (blob_of(linears=[(0x83, 2, 31, 12)]), 6),
        (blob_of(linears=[(0x80, 0, 31, 12)]), 6),
        (blob_of(coils=[(201, 250, 100)] * 8), 6),
        (blob_of(coils=[(50, 249, 100)] * 8), 6),
        (blob_of(coils=[(50, 250, 101)] * 8), 6),
        (held_blob_of(coils=[(50, 250, 100, 10, 4)] * 8), 6),
        (held_blob_of(coils=[(50, 250, 100, 10, 0)] * 8), 6),
        (held_blob_of(coils=[(50, 250, 100, 0, 2)] * 8), 6),
        (b"\x02\x02" + held_blob_of()[2:], 5),
        (b"\x01\x01" + blob_of()[2:], 5),
        (held_blob_of()[:-1], 5),
    ],
)
def test_a_configuration_out_of_range_is_refused(hub, blob, status):
    """Too many sensors, values that make no sense, limits milder than the built-in ones: nothing is changed."""
    hub.say("C", struct.pack("<BH", 0, len(blob)))
    for at in range(0, len(blob), 240):
        hub.say("C", struct.pack("<BH", 1, at) + blob[at : at + 240])
    (answer,) = hub.say("C", struct.pack("<BI", 2, zlib.crc32(blob)))

    assert answer.body[1] == status
    assert not hub.arm()


def test_more_than_was_announced_is_refused(hub):
    """A piece that would run over the announced length is out of order, and the memory behind it untouched."""
    hub.say("C", struct.pack("<BH", 0, 100))
    hub.say("C", struct.pack("<BH", 1, 0) + bytes(90))
    (answer,) = hub.say("C", struct.pack("<BH", 1, 90) + bytes(11))

    assert answer.body[:2] == b"\x01\x02"


# --- inputs ---


@settings(max_examples=60, deadline=None)
@given(
    levels=st.lists(st.booleans(), min_size=1, max_size=80),
    debounce=st.integers(1, 15),
    low=st.booleans(),
    number=st.integers(0, 191),
)
def test_debouncing_is_what_the_document_says(library, levels, debounce, low, number):
    """An edge for every level that lasts, at its first sample: the same as a naive reading of the samples."""
    hub = HostHub(library)
    for other in range(192):
        hub.set_input(other, low)
    hub.load(inputs=[0x80 | (0x40 if low else 0) | debounce] * 192)
    hub.run(1)
    hub.edges()
    expected, level, run_start, run = [], False, 0, 0
    for sample in levels:
        hub.set_input(number, sample != low)
        hub.run(1)
        run_start, run = (run_start, 0) if sample == level else (run_start if run else hub.now_us, run + 1)
        if run >= debounce:
            level, run = sample, 0
            expected.append((number, level, run_start))

    assert hub.edges() == expected


def test_nothing_is_an_edge_at_the_start(library):
    """What is active when a configuration is put to use is known by snapshot, not told as an edge."""
    hub = HostHub(library)
    hub.set_input(3, True)
    hub.load(inputs=[INPUT] * 8)
    hub.run(20)

    assert hub.edges() == []
    (snapshot,) = hub.say("Q")
    assert snapshot.body[8:] == b"\x08"


def test_a_scan_whose_mark_does_not_come_back_counts_for_nothing(library):
    """A short fault leaves no edge; from the fourth scan on the chain is open, 20 ms after it was mended no more."""
    hub = HostHub(library)
    hub.load(held=True, inputs=[INPUT] * 8, loop=True)
    hub.run(10)
    hub.set_input(3, True)
    hub.set_chain(True)
    hub.run(3)
    hub.set_chain(False)
    hub.set_input(3, False)
    hub.run(5)
    assert hub.edges() == []
    assert not hub.flags.chain_open
    hub.set_chain(True)
    hub.run(4)
    assert hub.flags.chain_open
    hub.set_chain(False)
    hub.run(30)
    assert hub.flags.chain_open
    hub.run(15)
    assert not hub.flags.chain_open


def test_a_host_that_comes_back_late_is_told_a_snapshot(library):
    """What changed while nobody listened is not told edge by edge: a snapshot is, and then what changes after it."""
    hub = HostHub(library)
    hub.load(inputs=[INPUT] * 192)
    hub.run(4)
    for flip in range(40):
        for number in range(192):
            hub.set_input(number, flip % 2 == 0)
        hub.run(50)
    told = hub.heard()
    for _ in range(20):
        hub.run(4)
        told += hub.heard()

    letters = "".join(frame.type for frame in told)
    assert letters.count("e") < 8, "40 x 192 edges are 192 frames"
    assert letters.count("s") == 1
    assert "e" not in letters[letters.index("s") :]
    assert next(frame.body for frame in told if frame.type == "s")[8:] == bytes(24)
    hub.set_input(9, True)
    hub.run(4)
    assert [number for number, _active, _at_us in hub.edges()] == [9]


def test_a_host_that_is_a_little_late_misses_nothing(library):
    """A third of a second without reading is a busy machine: every edge is told, in order, and no snapshot."""
    hub = HostHub(library)
    hub.load(inputs=[INPUT] * 192)
    hub.run(4)
    for flip in range(4):
        for number in range(192):
            hub.set_input(number, flip % 2 == 0)
        hub.run(150)
    told = hub.heard()
    for _ in range(40):
        hub.run(4)
        told += hub.heard()

    assert sum(len(frame.body) // 6 for frame in told if frame.type == "e") == 4 * 192
    assert [frame.type for frame in told if frame.type in "sw"] == []


# --- linears ---


def test_the_baseline_is_the_mean_and_follows_in_seconds(library):
    """64 samples give the start; after a step below the threshold 63 % are followed in 4.1 s."""
    hub = HostHub(library)
    hub.load(linears=[(0x80, 2, 1_000, 12)])
    for n in range(64):
        hub.linear(0, 2_000 + n % 2 * 10)
    assert baseline(hub) == 2_005
    for _ in range(4_096):
        hub.linear(0, 2_905)

    assert baseline(hub) == pytest.approx(2_005 + 900 * 0.632, abs=4)


def baseline(hub):
    """Ask for the baseline of linear 0."""
    (answer,) = hub.say("R", b"\x00\x01")
    return struct.unpack_from("<HH", answer.body, 6)[1]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 4_095), min_size=1, max_size=60), st.sampled_from([0, 1, 2]))
def test_linear_edges_alternate(library, samples, side):
    """Whatever is measured, a linear reports active and inactive in turn, beginning with active."""
    hub = HostHub(library)
    hub.load(linears=[(0x80 | side, 1, 31, 12)])
    for _ in range(64):
        hub.linear(0, 2_048)
    for counts in samples:
        hub.linear(0, counts)
        hub.run(1)

    told = [active for _number, active, _at in hub.edges()]
    assert told == [n % 2 == 0 for n in range(len(told))]


# --- frames ---


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(st.binary(max_size=40), st.binary(min_size=1, max_size=4)), max_size=12))
def test_any_bytes_are_survived(library, pieces):
    """After any bytes and a zero, a ping is answered as if nothing had been."""
    hub = HostHub(library)
    for piece in pieces:
        while piece:
            piece = piece[hub.feed(piece) :]  # noqa: PLW2901 - what is left of it
            hub.run(1)
    hub.feed(b"\0")
    hub.run(4)
    hub.heard()

    answers = [frame for frame in hub.say("P", b"life") if frame.type == "p"]
    assert [frame.body[:4] for frame in answers] == [b"life"]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 250), st.randoms(use_true_random=False))
def test_both_sides_frame_alike(library, length, chance):
    """What Python frames the firmware reads, and the other way round: every length, zeros and all."""
    body = bytes(chance.choice((0, 1, 254, 255)) for _ in range(length))
    wire = encode(Frame(type="e", seq=9, body=body))
    written = framed_by_firmware(library, body)

    assert written == wire


class Read(ctypes.Structure):
    """The firmware's frame_t."""

    _fields_ = (
        ("type", ctypes.c_char),
        ("seq", ctypes.c_uint8),
        ("length", ctypes.c_uint8),
        ("body", ctypes.POINTER(ctypes.c_uint8)),
    )


def read_by_firmware(library, wire):
    """Let the firmware read bytes; return the bodies of the good frames, and None for each bad one."""
    reader, frame, found = ctypes.create_string_buffer(512), Read(), []
    for byte in wire:
        result = library.frame_read(reader, ctypes.c_uint8(byte), ctypes.byref(frame))
        if result:
            found.append(bytes(frame.body[: frame.length]) if result == 1 else None)
    return found


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=250), st.data())
def test_the_firmware_reads_what_python_frames(library, body, data):
    """Every body is read as it was, and with one byte changed it is not read at all."""
    wire = bytearray(encode(Frame(type="C", seq=1, body=body)))
    assert read_by_firmware(library, wire) == [body]

    wire[data.draw(st.integers(0, len(wire) - 2))] ^= data.draw(st.integers(1, 255))
    assert body not in read_by_firmware(library, bytes(wire) + b"\0")


@pytest.mark.parametrize("length", [0, 1, 249, 250])
def test_the_longest_frames_are_read(library, length):
    """At the ends of the range nothing is cut, whether the body is all zeros or has none."""
    for filling in (b"\0", b"\xff"):
        body = filling * length
        assert read_by_firmware(library, encode(Frame(type="C", seq=1, body=body))) == [body]


def framed_by_firmware(library, body):
    """Let the firmware write a frame."""
    wire = ctypes.create_string_buffer(300)
    library.frame_write.restype = ctypes.c_size_t
    count = library.frame_write(wire, ctypes.c_char(b"e"), ctypes.c_uint8(9), body, ctypes.c_uint8(len(body)))
    return wire.raw[:count]


def test_the_fuzzer_finds_nothing(tmp_path):
    """Ten seconds of libFuzzer with address and undefined-behaviour checks over parser, session and core."""
    clang = shutil.which("clang")
    if clang is None:
        pytest.skip(
            "clang is not installed, so the frame parser is not fuzzed: apt-get install clang libclang-rt-dev"
        )
    fuzzer = tmp_path / "fuzz"
    checks = ["-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all"]
    sources = [FIRMWARE / "host" / "fuzz.c", *SOURCES]
    built = subprocess.run(
        [clang, "-g", "-O1", "-std=c11", *checks, "-I", FIRMWARE / "src", *sources, "-o", fuzzer],
        capture_output=True,
        text=True,
        check=False,
    )
    if "libclang_rt" in built.stderr:
        pytest.skip("clang has no libFuzzer here: apt-get install libclang-rt-dev")
    assert built.returncode == 0, built.stderr

    words = [fuzzer, "-max_total_time=10", "-max_len=1024", "-seed=1", f"-artifact_prefix={tmp_path}/"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)

    assert ran.returncode == 0, ran.stderr[-3_000:]

"""Calibration proposes debounce times and thresholds from what sensors really say, and edits wiring files."""

import struct
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from hextraction.controller.app.command_line import main
from hextraction.controller.workshop.bring_up.calibrating.calibrate import read_values, record_raw, watch
from hextraction.controller.workshop.bring_up.calibrating.calibration import (
    Excursion,
    Proposal,
    RawRecord,
    measure,
    propose_debounces,
    propose_thresholds,
    speeds,
    take_values,
)
from hextraction.controller.workshop.bring_up.calibrating.wiring_edit import NotEditedError, with_proposals
from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.wiring.file import wiring_from_text
from hextraction.hal.wiring.wires import HubInput, HubLinear, SensorWire
from hypothesis import given
from hypothesis import strategies as st

WIRING = """# Den's board.
sensor = [
  { name = "ramp.L1", hub = 0 },                     # upper left
  { name = "tile.A1", hub = 1, debounce_ms = 5 },    # felt below
  { name = "ball.A1", linear = 0, threshold_mv = 25, hysteresis_mv = 10 },  # weak magnet
]

[[solenoid]]
name = "gate.L1"
hub = 0
pulse_ms = 150
max_pulse_ms = 200
duty_percent = 5
pptc_ma = 300

[board]
profile = "standard-22"
instruments = "partial"

[hub]
chips = 1               # one is enough
spare = [2, 3, 4, 5, 6, 7]
multiplexers = 1
spare_linears = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
"""


def edge(sensor, active, at_us):
    """Return an edge."""
    return SimpleNamespace(sensor=sensor, active=active, at_us=at_us)


def pulses(sensor, *on_off):
    """Return edges of a sensor that is on and off for these microseconds by turns."""
    at_us, active, found = 0, True, []
    for length_us in (0, *on_off):
        at_us += length_us
        found.append(edge(sensor, active, at_us))
        active = not active
    return found


def beam(scans=2):
    """Return a beam on the hub."""
    return HubInput(name="ramp.L1", number=0, active_high=False, debounce_scans=scans)


def hall(threshold_mv=25.0):
    """Return a linear Hall on the hub."""
    return HubLinear(
        name="ball.A1", number=0, side="either", threshold_mv=threshold_mv, hysteresis_mv=10.0, debounce_ms=2
    )


def test_chatter_is_told_from_balls():
    """A gap of 1 ms in a beam is chatter and joins its pulses; 3 ms is the gap between two balls."""
    found = measure([pulses("ramp.L1", 8_000, 1_000, 9_000, 3_000, 20_000)])["ramp.L1"]
    assert found.pulses_us == (18_000, 20_000)
    assert found.chatter_us == (1_000,)


def test_a_tile_may_bounce_for_longer():
    """Nobody lifts a tile for a twentieth of a second."""
    found = measure([pulses("tile.A1", 30_000, 50_000, 900_000)])["tile.A1"]
    assert found.pulses_us == (980_000,)


def test_a_chattering_beam_gets_a_longer_debounce():
    """1.8 ms of chatter ask for 2.5 ms, in whole scans, if pulses are long enough for it."""
    measured = measure([pulses("ramp.L1", 8_000, 1_800, 9_000)])
    (proposal,) = propose_debounces([beam()], measured)
    assert (proposal.sensor, proposal.key, proposal.value) == ("ramp.L1", "debounce_ms", 2.5)
    assert proposal.why == "1 gaps of up to 1.8 ms; of 1 pulses the quick ones took 18.8 ms"


def test_no_debounce_hides_quick_balls():
    """Pulses of 3 ms leave room for 1.5 ms at most, however much the sensor chatters."""
    quick = [pulses("ramp.L1", 3_000) for _ball in range(40)]
    measured = measure([*quick, pulses("ramp.L1", 8_000, 1_900, 9_000)])
    (proposal,) = propose_debounces([beam()], measured)
    assert proposal.value == 1.5


def test_a_debounce_that_is_too_long_for_the_balls_is_shortened():
    """Twenty pulses of 3 ms and a debounce of 5 ms: it would miss them. A few pulses prove nothing."""
    measured = measure([pulses("ramp.L1", 3_000) for _ball in range(20)])
    assert [each.value for each in propose_debounces([beam(10)], measured)] == [1.5]
    measured = measure([pulses("ramp.L1", 3_000) for _ball in range(19)])
    assert propose_debounces([beam(10)], measured) == ()


def test_sensors_that_behave_stay_as_they_are():
    """No chatter, long pulses: nothing is proposed."""
    assert propose_debounces([beam()], measure([pulses("ramp.L1", 20_000)])) == ()


@given(
    st.lists(st.integers(100, 2_000_000), min_size=1, max_size=60),
    st.integers(1, 15),
    st.booleans(),
)
def test_proposals_are_always_legal(lengths, scans, on_hub):
    """Whatever was recorded, a proposed time can be written into the file: within the range of its kind."""
    wire = beam(scans) if on_hub else SensorWire(
        name="ramp.L1", pin=4, active_high=False, pull="up", debounce_us=scans * 1_000
    )  # fmt: skip
    for each in propose_debounces([wire], measure([pulses("ramp.L1", *lengths)])):
        assert 0.5 <= each.value <= (7.5 if on_hub else 1_000)
        assert (each.value * 2) == int(each.value * 2)


def test_speeds_come_from_how_long_beams_are_covered():
    """A ball of 10 mm covers a beam for 9 ms at 1 m/s; balls that rest in a beam do not count."""
    found = speeds(
        measure(
            [pulses("edge.A1.1", 9_000), pulses("zone.L", 18_000), pulses("ramp.L1", 9_000, 90_000, 600_000)]
        ).values()
    )
    assert found is not None
    assert (found.pulses, round(found.quick_mm_s), round(found.slow_mm_s)) == (3, 1_000, 550)
    assert speeds(measure([pulses("ramp.L1", 9_000)]).values()) is None


def test_a_threshold_lies_between_noise_and_ball():
    """A ball that moves the value by 100 counts (81 mV) over 5 counts of noise: 36 mV, 14 mV back."""
    record = RawRecord(quiet={"ball.A1": Excursion(low=-5, high=4)}, ball={"ball.A1": Excursion(low=-100)})
    proposals, problems = propose_thresholds([hall()], record)
    assert {each.key: each.value for each in proposals} == {"threshold_mv": 36, "hysteresis_mv": 14}
    assert problems == ()
    assert propose_thresholds([hall(36.0)], record) == ((), ())


def test_a_ball_that_hardly_shows_is_a_problem():
    """If a ball moves the value less than six times what it wanders alone, no threshold is safe."""
    record = RawRecord(quiet={"ball.A1": Excursion(high=10)}, ball={"ball.A1": Excursion(high=59)})
    proposals, problems = propose_thresholds([hall()], record)
    assert proposals == ()
    assert problems[0].startswith("ball.A1: a ball moves it by 48 mV, alone it wanders by 8 mV")


@given(st.integers(0, 60), st.integers(1, 4_000))
def test_thresholds_are_always_legal(noise, ball):
    """Hysteresis is below the threshold, the threshold above the noise and below the ball."""
    record = RawRecord(quiet={"ball.A1": Excursion(high=noise)}, ball={"ball.A1": Excursion(high=ball)})
    found = {each.key: each.value for each in propose_thresholds([hall()], record)[0]}
    if found:
        assert 1 <= found["hysteresis_mv"] < found["threshold_mv"]
        assert noise * 3_300 / 4_096 < found["threshold_mv"] <= max(5, ball * 3_300 / 4_096)


def test_excursions_grow_to_both_sides():
    """The farthest of each side from the baseline of its own moment counts."""
    found = take_values({}, [("ball.A1", 2_000, 2_010), ("ball.A1", 2_050, 2_020), ("ball.A1", 2_000, 2_000)])
    assert found == {"ball.A1": Excursion(low=-10, high=30)}


def test_the_edit_changes_values_and_nothing_else():
    """Comments, order and spaces stay; a key that was not there is put at the end of its sensor's table."""
    after = with_proposals(
        WIRING,
        [
            Proposal(sensor="ramp.L1", key="debounce_ms", value=1.5, why=""),
            Proposal(sensor="tile.A1", key="debounce_ms", value=7.0, why=""),
            Proposal(sensor="ball.A1", key="threshold_mv", value=36, why=""),
        ],
        "den.toml",
    )
    changed = [line for line in after.splitlines() if line not in WIRING.splitlines()]
    assert changed == [
        '  { name = "ramp.L1", hub = 0, debounce_ms = 1.5 },                     # upper left',
        '  { name = "tile.A1", hub = 1, debounce_ms = 7 },    # felt below',
        '  { name = "ball.A1", linear = 0, threshold_mv = 36, hysteresis_mv = 10 },  # weak magnet',
    ]
    assert wiring_from_text(after, "den.toml").hub_inputs[1].debounce_scans == 14


def test_long_tables_are_edited_too():
    """A sensor that is written as [[sensor]] keeps its shape; the new key follows its name."""
    text = (
        '[board]\nprofile = "standard-22"\ninstruments = "partial"\n'
        '[[sensor]]\nname = "ramp.L1"  # left\npin = 17\n[[sensor]]\nname = "ramp.L2"\npin = 27\ndebounce_ms = 3\n'
    )
    after = with_proposals(
        text,
        [
            Proposal(sensor="ramp.L1", key="debounce_ms", value=2, why=""),
            Proposal(sensor="ramp.L2", key="debounce_ms", value=4, why=""),
        ],
        "den.toml",
    )
    assert 'name = "ramp.L1"  # left\ndebounce_ms = 2\npin = 17' in after
    assert 'name = "ramp.L2"\npin = 27\ndebounce_ms = 4' in after


BOARD = """
[board]
profile = "standard-22"
instruments = "partial"
[hub]
multiplexers = 1
spare_linears = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
"""
WEAK = (
    Proposal(sensor="ball.A1", key="threshold_mv", value=22, why=""),
    Proposal(sensor="ball.A1", key="hysteresis_mv", value=9, why=""),
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            (
                'sensor = [{ linear = 0, threshold_mv = 25, hysteresis_mv = 10, name = "ball.A1" }, '
                '{ name = "ball.A2", linear = 1, threshold_mv = 33, hysteresis_mv = 11 }]'
            ),
            (
                'sensor = [{ linear = 0, threshold_mv = 22, hysteresis_mv = 9, name = "ball.A1" }, '
                '{ name = "ball.A2", linear = 1, threshold_mv = 33, hysteresis_mv = 11 }]'
            ),
        ),
        (
            'sensor = [{ name = "ball.A2", linear = 1 }, { linear = 0, name = "ball.A1" }] # ball.A1 }',
            (
                'sensor = [{ name = "ball.A2", linear = 1 }, '
                '{ linear = 0, name = "ball.A1", threshold_mv = 22, hysteresis_mv = 9 }] # ball.A1 }'
            ),
        ),
        (
            (
                "[[sensor]]\nname = 'ball.A2'\nlinear = 1\n"
                '[[sensor]]\nlinear = 0\n"threshold_mv" = 25 # {threshold_mv = 3}\nname = "ball.A1" # ball.A1 {a}\n'
            ),
            (
                "[[sensor]]\nname = 'ball.A2'\nlinear = 1\n"
                '[[sensor]]\nlinear = 0\n"threshold_mv" = 22 # {threshold_mv = 3}\nname = "ball.A1" # ball.A1 {a}\n'
                "hysteresis_mv = 9\n"
            ),
        ),
    ],
)
def test_the_right_table_is_edited_however_it_is_written(before, after):
    """Keys before the name, two tables on one line, quoted keys, braces in comments: one sensor changes."""
    assert with_proposals(before + BOARD, WEAK, "den.toml") == after + BOARD


def test_what_cannot_be_edited_safely_is_left_to_people():
    """A key with an escape in it is found by no edit: the lines to write by hand are told, each with its place."""
    text = (
        '[[sensor]]\nlinear = 0\n"threshold\\u005fmv" = 25\nname = "ball.A1"\n'
        '[[sensor]]\nlinear = 1\nname = "ball.A2"\n' + BOARD
    )
    with pytest.raises(NotEditedError) as error:
        with_proposals(text, WEAK, "den.toml")
    assert error.value.problems == (
        "den.toml: this file is written in a way that cannot be edited safely. By hand, please:",
        "den.toml:3: of ball.A1: threshold_mv = 22",
        "den.toml:4: of ball.A1: hysteresis_mv = 9",
    )


def test_a_value_that_the_wiring_refuses_is_told_and_not_edited_in():
    """The text before was good, so it is the proposal that is named."""
    with pytest.raises(NotEditedError, match=r"with these values: den\.toml:3: .*found 5000"):
        with_proposals(
            WIRING, [Proposal(sensor="ramp.L1", key="debounce_ms", value=5_000, why="")], "den.toml"
        )


@pytest.fixture
def files(tmp_path):
    """Return a wiring file and a trace in which ramp L1 chatters."""
    wiring, trace = tmp_path / "den.toml", tmp_path / "rolls.jsonl"
    wiring.write_text(WIRING)
    lines = ['{"trace": 1, "board": "standard-22", "instruments": ["ramp.L1", "tile.A1", "ball.A1"]}']
    for at_us, active in ((1_000, True), (9_000, False), (10_800, True), (30_000, False)):
        lines.append(msgspec.json.encode({"at_us": at_us, "sensor": "ramp.L1", "active": active}).decode())
    trace.write_text("\n".join(lines) + "\n")
    return wiring, trace


def test_a_disk_that_fills_up_in_the_middle_leaves_the_wiring_whole(files, monkeypatch):
    """The new file takes the old one's place at once, or not at all; its rights stay."""
    wiring, trace = files
    wiring.chmod(0o640)
    before, write = wiring.read_text(), Path.write_bytes

    def half(path, content):
        write(path, content[: len(content) // 2])
        raise OSError(28, "No space left on device", str(path))

    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", half)
        assert main(["calibrate", str(wiring), str(trace), "--write"]) == 75
    assert wiring.read_text() == before
    assert main(["calibrate", str(wiring), str(trace), "--write"]) == 0
    assert wiring.read_text() != before
    assert wiring.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in wiring.parent.iterdir()) == sorted({wiring.name, trace.name})


def test_the_command_shows_a_diff_and_writes_only_when_told(files, capsys):
    """Without --write the file stays; with it the proposed line is in it, comment and all."""
    wiring, trace = files
    assert main(["calibrate", str(wiring), str(trace)]) == 0
    out = capsys.readouterr().out
    assert '+  { name = "ramp.L1", hub = 0, debounce_ms = 2.5 },' in out
    assert "1 pulses of 1 sensors; 2 sensors said nothing." in out
    assert wiring.read_text() == WIRING
    assert main(["calibrate", str(wiring), str(trace), "--write"]) == 0
    assert "debounce_ms = 2.5 },                     # upper left" in wiring.read_text()
    capsys.readouterr()
    assert main(["calibrate", str(wiring), str(trace)]) == 0
    assert "Nothing to change." in capsys.readouterr().out


def test_kept_raw_values_are_enough(files, tmp_path, capsys):
    """Thresholds come from a file of raw values; a Hall that hardly sees a ball makes status 1."""
    wiring, _trace = files
    raw = tmp_path / "raw.json"
    raw.write_bytes(
        msgspec.json.encode(
            RawRecord(quiet={"ball.A1": Excursion(high=3)}, ball={"ball.A1": Excursion(high=200)})
        )
    )
    assert main(["calibrate", str(wiring), "--raw", str(raw)]) == 0
    assert "threshold_mv = 73" in capsys.readouterr().out
    raw.write_bytes(
        msgspec.json.encode(
            RawRecord(quiet={"ball.A1": Excursion(high=30)}, ball={"ball.A1": Excursion(high=40)})
        )
    )
    assert main(["calibrate", str(wiring), "--raw", str(raw)]) == 1
    assert "no threshold is safe" in capsys.readouterr().out


def test_a_file_that_cannot_be_edited_stays_and_makes_status_1(files, capsys):
    """The lines to write by hand are printed, and the file is as it was, even with --write."""
    wiring, trace = files
    escaped = WIRING.replace("hub = 0 }", 'hub = 0, "debounce\\u005fms" = 1 }')
    wiring.write_text(escaped)
    assert main(["calibrate", str(wiring), str(trace), "--write"]) == 1
    out = capsys.readouterr().out
    assert f"{wiring}:3: of ramp.L1: debounce_ms = 2.5\nNothing is written." in out
    assert wiring.read_text() == escaped


def test_a_byte_order_mark_and_line_ends_stay(files):
    """A file from an editor of Windows is calibrated like any other, and keeps its mark and its line ends."""
    wiring, trace = files
    wiring.write_bytes(b"\xef\xbb\xbf" + WIRING.replace("\n", "\r\n").encode())
    assert main(["calibrate", str(wiring), str(trace), "--write"]) == 0
    after = wiring.read_bytes()
    assert after.startswith(b"\xef\xbb\xbf# Den's board.\r\n")
    assert b"debounce_ms = 2.5 }" in after
    assert after.count(b"\n") == after.count(b"\r\n")


@pytest.mark.parametrize(
    ("quiet", "ball", "says"),
    [
        ({}, {}, "ball.A1: there are no raw values of it with no ball and with a ball on it"),
        ({"ball.A1": {}}, {}, "ball.A1: there are no raw values of it with a ball on it"),
        (
            {"ball.A1": {}, "ball.Z9": {}},
            {"ball.A1": {"high": 40}},
            "ball.Z9: there are raw values of it, but the wiring has no such linear Hall",
        ),
    ],
)
def test_raw_values_with_gaps_are_no_success(files, tmp_path, capsys, quiet, ball, says):
    """A Hall without values, and values of no Hall, are named, and the status is 1."""
    wiring, _trace = files
    raw = tmp_path / "raw.json"
    raw.write_bytes(msgspec.json.encode({"quiet": quiet, "ball": ball}))
    assert main(["calibrate", str(wiring), "--raw", str(raw)]) == 1
    out = capsys.readouterr().out
    assert f"problem  {says}" in out
    assert "Nothing to change." not in out


def test_raw_values_that_no_hub_can_measure_are_refused(files, tmp_path, capsys):
    """Twelve bits end at 4095."""
    wiring, _trace = files
    raw = tmp_path / "raw.json"
    raw.write_bytes(b'{"quiet": {"ball.A1": {}}, "ball": {"ball.A1": {"low": -4096}}}')
    assert main(["calibrate", str(wiring), "--raw", str(raw)]) == 2
    assert "want raw values as --live keeps them: Expected `int` >= -4095" in capsys.readouterr().err
    raw.write_bytes(b'{"quiet": {"\xff": {}}}')
    assert main(["calibrate", str(wiring), "--raw", str(raw)]) == 2
    assert "want raw values as --live keeps them: 'utf-8' codec" in capsys.readouterr().err


def test_raw_values_for_a_wiring_without_linear_halls_are_a_problem():
    """There is nothing that they could be used for."""
    assert propose_thresholds([], RawRecord(quiet={}, ball={})) == (
        (),
        ("the wiring has no linear Halls: raw values are of no use to it",),
    )


def test_a_recording_in_which_nothing_happens_is_no_success(files, capsys):
    """A recording of no edges, or of sensors that the wiring does not have, is named, and the status is 1."""
    wiring, trace = files
    lines = trace.read_text().splitlines()
    trace.write_text(lines[0] + "\n")
    assert main(["calibrate", str(wiring), str(trace)]) == 1
    nothing = f"problem  {trace}: no sensor of this wiring saw anything in it"
    assert nothing in capsys.readouterr().out
    trace.write_text("\n".join(lines).replace("ramp.L1", "ramp.L2") + "\n")
    assert main(["calibrate", str(wiring), str(trace)]) == 1
    out = capsys.readouterr().out
    assert nothing in out
    assert f"problem  {trace}: {wiring} has no sensor that is named ramp.L2" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["{wiring}"], "there is nothing to learn from"),
        (["{wiring}", "{wiring}"], "den.toml"),
        (["{wiring}", "--raw", "{wiring}"], "want raw values as --live keeps them"),
        (["none.toml", "{trace}"], "none.toml:1: cannot read this file"),
    ],
)
def test_mistakes_are_told(files, words, says, capsys):
    """A user's mistake is a sentence and status 2."""
    wiring, trace = files
    assert main(["calibrate", *(word.format(wiring=wiring, trace=trace) for word in words)]) == 2
    assert says in capsys.readouterr().err


class Hub:
    """A hub that answers R with a rising value over a baseline of 2000."""

    def __init__(self):
        self.asked = []
        self.dumb = False

    def ask(self, letter, body, answer):
        """Answer."""
        self.asked.append((letter, body, answer))
        if self.dumb:
            return None
        first, count = struct.unpack("<BB", body)
        values = [word for number in range(first, first + count) for word in (2_000 + number, 2_000)]
        return struct.pack(f"<BBI{2 * count}H", first, count, 7, *values)


def test_raw_values_are_asked_for_in_pieces():
    """At most sixty values fit into an answer; only wired ones are passed on; no answer gives none."""
    wires = [
        HubLinear(name=f"ball.{n}", number=n, side="either", threshold_mv=25, hysteresis_mv=10, debounce_ms=2)
        for n in (1, 70)
    ]
    hub = Hub()
    assert list(read_values(hub, wires)) == [("ball.1", 2_001, 2_000), ("ball.70", 2_070, 2_000)]
    assert [body for _letter, body, _answer in hub.asked] == [bytes((0, 60)), bytes((60, 11))]
    rounds = iter([True, True, False])
    assert watch([(hub, wires)], lambda: next(rounds)) == {
        "ball.1": Excursion(high=1),
        "ball.70": Excursion(high=70),
    }
    hub.dumb = True
    assert list(read_values(hub, wires)) == []


def test_a_wiring_without_linear_halls_has_no_raw_values():
    """The message says what the wiring would need."""
    text = (
        '[board]\nprofile = "standard-22"\ninstruments = "partial"\n[[sensor]]\nname = "ramp.L1"\npin = 17\n'
    )
    with pytest.raises(BackendUnavailable, match=r"den\.toml: want a \[hub\] with sensors that say linear"):
        record_raw(wiring_from_text(text, "den.toml"))


class ServingHub(Hub):
    """A hub as the backend shows it; ``ready`` says whether it serves."""

    def __init__(self, *, ready):
        super().__init__()
        self.ready, self.closed = ready, False

    def start(self):
        """Begin to talk."""

    def ask(self, letter, body, answer):
        """Answer R; zeroing has an answer of its own."""
        return b"" if letter == "Z" else super().ask(letter, body, answer)

    def close(self):
        """End."""
        self.closed = True


@pytest.fixture
def asked(monkeypatch):
    """What somebody is asked who presses Enter."""
    words = []
    monkeypatch.setattr("builtins.input", lambda asks: words.append(asks) or "")
    return words


def test_raw_values_are_recorded_without_and_with_balls(asked):
    """People are asked to clear the board and then to lay balls; the hub's baselines are found anew before."""
    hub = ServingHub(ready=True)
    wiring = wiring_from_text(WIRING, "den.toml")
    record = record_raw(wiring, quiet_s=0.02, each_s=0.02, opened=lambda _wire: hub)
    assert record == RawRecord(quiet={"ball.A1": Excursion()}, ball={"ball.A1": Excursion()})
    assert [words.split(",")[0] for words in asked] == [
        "Take all balls off the board",
        "Now lay a ball on each of 1 Halls in turn",
    ]
    assert hub.closed


def test_a_hub_that_does_not_serve_is_named(asked):
    """The message says what to look at, nobody is asked anything, and the port is let go."""
    hub = ServingHub(ready=False)
    with pytest.raises(BackendUnavailable, match="the sensor hub does not answer"):
        record_raw(wiring_from_text(WIRING, "den.toml"), opened=lambda _wire: hub)
    assert asked == []
    assert hub.closed

"""A guided walk tries every sensor, lamp and coil of a board once, and says what it found."""

import json

import pytest
from hextraction.board.instruments import coils, instruments, lamps
from hextraction.board.profile import load_board
from hextraction.controller.workshop.bring_up.report import (
    ReportError,
    check_view,
    read_findings,
    report_json,
    report_lines,
)
from hextraction.controller.workshop.bring_up.walk import (
    Finding,
    FireCoil,
    GoDark,
    LightLamp,
    advance,
    begin,
    heard,
    said,
    steps_of,
)
from hypothesis import given
from hypothesis import strategies as st

BOARD = load_board()
MINUTE_US = 60_000_000


class Hand:
    """Somebody who walks through a board of a few devices."""

    def __init__(self, sensors=("tile.A1", "tile.A2"), lamps=(), coils=(), **more):
        self.steps = steps_of(BOARD, sensors, lamps, coils)
        self.deeds = []
        self.now_us = 0
        self.takes(begin(self.steps, 0, **more))

    def takes(self, outcome):
        """Go on from an outcome."""
        self.walk = outcome.walk
        self.deeds += outcome.deeds

    def moves(self, sensor, *levels):
        """Let a sensor take these levels, a second apart, and half a second pass then."""
        for level in levels or (True, False):
            self.now_us += 1_000_000
            self.takes(heard(self.walk, sensor, level, self.now_us))
        return self.waits(500_000)

    def says(self, *words):
        """Say something."""
        for word in words:
            self.takes(said(self.walk, word, self.now_us))
        return self

    def waits(self, us):
        """Let time pass."""
        self.now_us += us
        self.takes(advance(self.walk, self.now_us))
        return self

    @property
    def results(self):
        """What came of the steps so far."""
        return {name: (each.result, each.why) for name, each in self.walk.findings.items()}


def test_a_sensor_that_goes_on_and_off_is_well():
    """Laying and lifting a tile is all it takes; the walk goes on by itself."""
    hand = Hand().moves("tile.A1")
    assert hand.results == {"tile.A1": ("ok", "")}
    assert hand.walk.step.name == "tile.A2"


def test_a_tile_that_lies_there_already_may_be_lifted_first():
    """Off and on again is as good as on and off."""
    assert Hand(levels=["tile.A1"]).moves("tile.A1", False, True).results == {"tile.A1": ("ok", "")}


def test_half_the_way_is_told():
    """After the first change the hint asks for the way back; a sensor that stays on has failed after a minute."""
    hand = Hand().moves("tile.A1", True)
    assert hand.walk.hint == "Seen. Now the way back."
    assert hand.waits(MINUTE_US).results == {"tile.A1": ("failed", "it went on and stayed on")}


def test_swapped_wires_are_noticed():
    """If the neighbour answers in place of the awaited sensor, hint and report name it."""
    hand = Hand().moves("tile.A2")
    assert hand.walk.hint == "tile.A2 answered instead: are the wires swapped?"
    hand.says("skip")
    why = "it said nothing, but tile.A2 did: are the wires swapped?"
    assert hand.results["tile.A1"] == ("skipped", why)


def test_an_input_that_should_be_empty_is_named_as_one():
    """A plug in an empty connector answers there; people read that, and no name that stands nowhere."""
    hand = Hand().moves("spare.66")
    assert hand.walk.hint == "input 66, which should be empty, answered instead: are the wires swapped?"


def test_a_finding_keeps_what_else_was_heard():
    """Whoever looks for the cause of several findings needs all answers, and whether anybody waited for them."""
    hand = Hand().moves("tile.A2").says("skip").says("skip")
    first, second = hand.walk.findings.values()
    assert (first.heard, first.on, first.waited) == ({"tile.A2": 2}, False, False)
    assert (second.heard, second.waited) == ({}, False)
    (late,) = Hand(["tile.A1"]).waits(MINUTE_US).walk.findings.values()
    assert late.waited


def test_a_ball_may_pass_other_sensors_on_its_way():
    """Other kinds of sensors, and the same kind once the awaited one has answered, are no reason for a hint."""
    hand = Hand(["ramp.L1", "drain.B1", "ramp.L2"]).moves("drain.B1")
    assert hand.walk.step.name == "ramp.L1"
    assert hand.walk.hint == ""


def test_a_chattering_sensor_fails():
    """A dozen changes at one touch are no hand; four are, if the sensor is quiet then for 0.3 s."""
    hand = Hand()
    for number in range(12):
        hand.takes(heard(hand.walk, "tile.A1", number % 2 == 0, number * 1_000))
    assert hand.results == {"tile.A1": ("failed", "it chatters: 12 changes at one touch")}
    hand.moves("tile.A2", True, False, True, False)
    assert hand.results["tile.A2"] == ("ok", "")


def test_a_sensor_must_be_quiet_before_it_has_passed():
    """The walk waits 0.3 s for chatter after the last change."""
    hand = Hand()
    hand.takes(heard(hand.walk, "tile.A1", True, 1_000_000))
    hand.takes(heard(hand.walk, "tile.A1", False, 2_000_000))
    assert hand.walk.wake_at_us == 2_300_000
    hand.takes(advance(hand.walk, 2_299_999))
    assert hand.results == {}
    hand.takes(advance(hand.walk, 2_300_000))
    assert hand.results == {"tile.A1": ("ok", "")}


def test_silence_is_hinted_at_and_then_fails():
    """After 15 s the hint says so, after a minute the step has failed and the walk goes on."""
    hand = Hand()
    assert hand.walk.wake_at_us == 15_000_000
    assert hand.waits(15_000_000).walk.hint.startswith("Nothing yet.")
    assert hand.walk.wake_at_us == 60_000_000
    hand.waits(45_000_000)
    assert hand.results == {"tile.A1": ("failed", "it said nothing and is off")}
    assert hand.walk.step.name == "tile.A2"


def test_lamps_are_shown_and_judged_by_eye():
    """A lamp shines until somebody says yes or no."""
    hand = Hand([], lamps=["slot.A1", "zone.L"])
    assert hand.deeds == [LightLamp(lamp="slot.A1")]
    hand.says("yes", "no")
    assert [result for result, _why in hand.results.values()] == ["ok", "failed"]
    assert hand.deeds[1:] == [LightLamp(lamp="zone.L"), GoDark()]


def test_a_gate_fires_on_demand_and_its_ramp_answers():
    """One ball at the ramp's beam and a second without another: nobody needs to press yes."""
    hand = Hand([], coils=["gate.L1", "kicker.C3"])
    assert hand.deeds == [GoDark()]
    assert hand.says("fire").deeds == [GoDark(), FireCoil(coil="gate.L1")]
    hand = Hand(["ramp.L1"], coils=["gate.L1"]).moves("ramp.L1").says("fire").moves("ramp.L1")
    assert hand.walk.wake_at_us == hand.now_us + 500_000
    assert hand.waits(500_000).results == {"ramp.L1": ("ok", ""), "coil:gate.L1": ("ok", "")}
    assert hand.deeds.count(FireCoil(coil="gate.L1")) == 1


@pytest.mark.parametrize(("balls", "result"), [(1, "ok"), (2, "failed"), (3, "failed")])
def test_a_gate_lets_exactly_one_ball_go(balls, result):
    """Of two balls behind it one may come, 70 ms apart or 600; how many came is told."""
    for apart_us in (70_000, 600_000):
        hand = Hand(["ramp.L1"], coils=["gate.L1"]).moves("ramp.L1").says("fire")
        for number in range(balls):
            for at_us in (0, 30_000):
                edge_us = hand.now_us + 50_000 + number * apart_us + at_us
                hand.takes(heard(hand.walk, "ramp.L1", at_us == 0, edge_us))
        hand.now_us = edge_us
        why = f"{balls} balls came at one fire" if result == "failed" else ""
        assert hand.waits(1_000_000).results["coil:gate.L1"] == (result, why)


def test_a_gate_that_never_fired_is_not_judged():
    """A ball that rolls by before anybody said fire counts for nothing, nor can anybody say yes to it."""
    hand = Hand(["ramp.L1"], coils=["gate.L1"]).moves("ramp.L1").moves("ramp.L1").waits(2_000_000)
    assert hand.walk.says == ("fire", "back", "skip", "stop")
    assert hand.says("yes").walk.step.name == "coil:gate.L1"
    hand.waits(MINUTE_US)
    assert hand.results["coil:gate.L1"] == ("failed", "nobody chose Fire")


def test_a_ball_that_lay_in_the_beam_is_none_that_the_gate_let_go():
    """The beam is on when the gate fires: its going off is no ball, its next going on is one."""
    hand = Hand(["ramp.L1"], coils=["gate.L1"], known={"ramp.L1": Finding(name="ramp.L1", result="ok")})
    hand.moves("ramp.L1", True).says("fire").moves("ramp.L1", False).waits(2_000_000)
    assert hand.walk.step.name == "coil:gate.L1"
    assert hand.moves("ramp.L1").waits(500_000).results["coil:gate.L1"] == ("ok", "")


def test_swapped_gates_are_noticed():
    """If a ball comes at another ramp, the report names it."""
    beams = {name: Finding(name=name, result="ok") for name in ("ramp.L1", "ramp.L2")}
    hand = Hand(tuple(beams), coils=["gate.L1"], known=beams).says("fire").moves("ramp.L2").waits(MINUTE_US)
    why = "ramp.L1 said nothing, but ramp.L2 did: are the wires swapped?"
    assert hand.results["coil:gate.L1"] == ("failed", why)


def test_player_buttons_are_pressed():
    """They come after the sensors, are no place of the board, and pass as a sensor does."""
    steps = steps_of(BOARD, ["tile.A1"], ["slot.A1"], (), ["button.yes", "button.no"])
    assert [step.name for step in steps] == ["tile.A1", "button.yes", "button.no", "lamp:slot.A1"]
    assert steps[1].ask == "Press the button 'yes' and let it go."
    hand = Hand()
    hand.takes(begin(steps[1:3], 0))
    assert hand.moves("button.yes").results == {"button.yes": ("ok", "")}


def test_no_coil_fires_by_itself():
    """Coming to a coil, waiting, going back and on again fire nothing; each `fire` fires once."""
    hand = Hand([], lamps=["slot.A1"], coils=["kicker.C3"]).says("fire", "yes", "back", "yes")
    assert FireCoil(coil="kicker.C3") not in hand.waits(5_000_000).deeds
    assert hand.says("fire", "fire").deeds.count(FireCoil(coil="kicker.C3")) == 2


def test_one_can_go_back_and_stop():
    """Back is the step before, stop ends it all and leaves the rest untried."""
    hand = Hand().moves("tile.A1").says("back")
    assert hand.walk.step.name == "tile.A1"
    hand.says("stop")
    assert hand.walk.over
    assert hand.walk.says == ()
    assert hand.walk.wake_at_us is None


def test_a_walk_goes_on_where_it_was_well():
    """What an earlier report calls ok is passed over; what failed is tried again."""
    first = Hand().moves("tile.A1").says("skip")
    again = Hand(known=first.walk.findings)
    assert again.walk.step.name == "tile.A2"


def test_every_instrument_of_the_rich_board_has_a_step():
    """Sensors in the order of a hand: ramps, end zones, then slot by slot; all asked for in words."""
    sensors = [one.name for one in instruments(BOARD, "rich")]
    steps = steps_of(BOARD, sensors, [name for name, _count in lamps(BOARD)], coils(BOARD, ("C3",)))
    assert {step.name for step in steps if step.kind == "sensor"} == set(sensors)
    assert [step.name for step in steps[:11]] == [
        "ramp.L1", "ramp.L2", "ramp.L3", "ramp.R1", "ramp.R2", "ramp.R3",
        "zone.L", "zone.R", "rest.L", "rest.R", "tile.A1",
    ]  # fmt: skip
    assert all(step.ask.endswith((".", "?")) for step in steps)
    asked = {step.name: step.ask for step in steps}
    assert asked["edge.A1.1"] == "Roll a ball from slot A1 off the board over its top edge."
    assert asked["edge.B5.4"] == "Roll a ball from slot B5 into the end zone over its bottom edge."
    assert asked["edge.A1.4"] == "Roll a ball across the wall between A1 and A2."


def test_the_report_names_what_failed_first():
    """Failures with their reasons, then what was skipped, then what was not tried, and how many are well."""
    hand = Hand(["tile.A1", "tile.A2", "tile.A3", "tile.A4"])
    hand.moves("tile.A1").says("skip").waits(MINUTE_US).says("stop")
    assert report_lines(hand.walk, "den") == (
        "den: 1 of 4 well.",
        "failed     tile.A3: it said nothing and is off",
        "skipped    tile.A2: it said nothing and is off",
        "not tried  tile.A4",
    )


def test_the_report_is_kept_and_read_again(tmp_path):
    """The JSON file holds every step; it is refused for another board, and if it is none."""
    hand = Hand().moves("tile.A1").says("stop")
    path = tmp_path / "report.json"
    about = {"board": "standard-22", "wiring": "den.toml", "wall": "2026-11-22T10:00:00"}
    path.write_text(report_json(hand.steps, hand.walk.findings, **about))
    assert json.loads(path.read_text())["complete"] is False
    assert set(read_findings(path, "standard-22", "den.toml")) == {"tile.A1"}
    with pytest.raises(ReportError, match="want a report of small-18, found one of standard-22"):
        read_findings(path, "small-18", "den.toml")
    with pytest.raises(ReportError, match=r"want a report of simulated, found one of den\.toml"):
        read_findings(path, "standard-22", "simulated")
    heard = Finding(name="tile.A1", result="failed", heard={"tile.A2": 2}, on=True, waited=True)
    path.write_text(report_json(hand.steps, {"tile.A1": heard}, **about))
    assert read_findings(path, "standard-22", "den.toml") == {"tile.A1": heard}
    for nonsense in (b"[]", b'{"board": "\xff"}', b'{"x": ' + b"[" * 2000):
        path.write_bytes(nonsense)
        with pytest.raises(ReportError, match="no report of a checked board"):
            read_findings(path, "standard-22", "den.toml")
    with pytest.raises(ReportError, match="cannot read this report"):
        read_findings(tmp_path / "none.json", "standard-22", "den.toml")


def test_every_step_knows_where_on_the_board_it_is():
    """Slot, edge, ramp or end zone, for each sensor, lamp and coil of the largest set."""
    sensors = [one.name for one in instruments(BOARD, "rich")]
    steps = steps_of(BOARD, sensors, [name for name, _count in lamps(BOARD)], coils(BOARD, ("C3",)))
    places = {step.name: step.place for step in steps}
    wanted = {
        "tile.A1": "slot.A1",
        "drain.B2": "slot.B2",
        "ball.C3": "slot.C3",
        "edge.B1.4": "edge.B1.4",
        "ramp.L1": "ramp.L1",
        "zone.L": "zone.L",
        "rest.R": "zone.R",
        "lamp:slot.A1": "slot.A1",
        "lamp:ramp.R3": "ramp.R3",
        "lamp:zone.L": "zone.L",
        "coil:gate.L1": "ramp.L1",
        "coil:kicker.C3": "slot.C3",
    }
    assert {name: places[name] for name in wanted} == wanted
    assert [name for name, place in places.items() if not place] == []
    assert [step.place for step in steps_of(BOARD, (), ("porch",), ())] == [""]


def test_phones_see_the_step_and_what_came_of_the_last():
    """The view names the step, what may be said, and at the end the report."""
    hand = Hand().moves("tile.A1")
    view = check_view(hand.walk, "den")
    assert (view.number, view.steps, view.name, view.place) == (1, 2, "tile.A2", "slot.A2")
    assert view.last == "tile.A1: ok"
    assert view.says == ("again", "back", "skip", "stop")
    hand.moves("tile.A2")
    view = check_view(hand.walk, "den")
    assert (view.number, view.says, view.report) == (2, (), ("den: 2 of 2 well.",))


SENSORS = ("tile.A1", "drain.A1", "ramp.L1", "edge.A1.1")
acts = st.lists(
    st.one_of(
        st.tuples(st.just("edge"), st.sampled_from([*SENSORS, "nobody"]), st.booleans()),
        st.tuples(
            st.just("say"), st.sampled_from(["yes", "no", "skip", "again", "fire", "back", "stop", "dance"])
        ),
        st.tuples(st.just("wait"), st.integers(0, 40_000_000)),
    ),
    max_size=60,
)


@pytest.mark.slow
@given(acts)
def test_whatever_happens_the_walk_stays_whole(acts):
    """Any order of edges, words and waits: no exception, a step or the end, and coils fire one at a time."""
    hand = Hand(SENSORS, lamps=["slot.A1"], coils=["gate.L1"])
    for act, *rest in acts:
        before = len(hand.deeds)
        {"edge": hand.moves, "say": hand.says, "wait": hand.waits}[act](*rest)
        assert sum(isinstance(deed, FireCoil) for deed in hand.deeds[before:]) <= 1
        assert hand.walk.over is (hand.walk.step is None)
        assert set(hand.walk.findings) <= {step.name for step in hand.steps}
        assert (hand.walk.wake_at_us is None) is hand.walk.over


@pytest.mark.slow
@given(acts)
def test_a_walk_always_comes_to_its_end(acts):
    """If nobody does anything any more, patience ends every walk."""
    hand = Hand(SENSORS, lamps=["slot.A1"], coils=["gate.L1"])
    for act, *rest in acts:
        {"edge": hand.moves, "say": hand.says, "wait": hand.waits}[act](*rest)
    for _step in hand.steps:
        hand.waits(MINUTE_US)
    assert hand.walk.over

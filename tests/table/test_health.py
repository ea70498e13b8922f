"""Health tells which sensors are not well, why, and what the controller does about it."""

import string

import pytest
from hextraction.board.profile import load_board
from hextraction.controller.table.health import Doubted, Health, State, health_lines
from hextraction.controller.tracking.tracker import Tracker
from hypothesis import given
from hypothesis import strategies as st

MINUTE_US = 60_000_000
NAMES = ("tile.A1", "drain.A1", "ball.A1", "ramp.L1", "zone.L", "rest.L", "edge.A1.1")


def watch(*names):
    """Return the health of a board with these sensors."""
    return Health(names or NAMES)


def pulses(health, sensor, *, count, on_us, every_us=1_000_000, start_us=0):
    """Let a sensor see something ``count`` times for so long; return when the last pulse ended."""
    for number in range(count):
        health.edge(sensor, True, start_us + number * every_us)
        health.edge(sensor, False, start_us + number * every_us + on_us)
    return start_us + (count - 1) * every_us + on_us


def state_of(health, sensor, now_us, **doubted):
    """Return the state of one sensor."""
    found = {each.sensor: each for each in health.conditions(now_us, Doubted(**doubted))}
    return found[sensor].state


def test_a_beam_that_is_active_for_more_than_a_minute_is_stuck():
    """A drain, ramp, edge or zone beam is stuck after a minute; a ball or tile Hall may well stay active."""
    health = watch("drain.A1", "tile.A1", "ball.A1")
    for name in ("drain.A1", "tile.A1", "ball.A1"):
        health.edge(name, True, 0)
    assert health.report(MINUTE_US)["stuck"] == []
    assert health.report(MINUTE_US + 1)["stuck"] == ["drain.A1"]
    health.edge("drain.A1", False, MINUTE_US + 2)
    assert health.report(2 * MINUTE_US)["stuck"] == []


def test_a_burst_of_changes_is_noise_until_a_quiet_minute():
    """Three hundred changes within a second are noise; a minute without any later it is forgiven."""
    health = watch("ramp.L1")
    end_us = pulses(health, "ramp.L1", count=150, on_us=3_000, every_us=6_000)
    assert health.report(end_us)["noisy"] == ["ramp.L1"]
    assert health.report(end_us + 20_000_000)["noisy"] == ["ramp.L1"]
    assert health.report(end_us + MINUTE_US)["noisy"] == []


def test_a_hundred_balls_in_a_minute_are_no_noise():
    """A busy game is no fault: two changes a second for minutes stay well."""
    health = watch("ramp.L1")
    end_us = pulses(health, "ramp.L1", count=600, on_us=20_000, every_us=600_000)
    assert state_of(health, "ramp.L1", end_us) is State.OK


def test_pulses_too_short_for_a_ball_are_implausible():
    """A beam that sees things for 1 ms sees no balls (a quick one takes 2.3 ms); four of eight is too many."""
    health = watch("edge.A1.1")
    pulses(health, "edge.A1.1", count=3, on_us=1_000)
    assert state_of(health, "edge.A1.1", 10_000_000) is State.OK
    pulses(health, "edge.A1.1", count=1, on_us=1_000, start_us=11_000_000)
    assert state_of(health, "edge.A1.1", 12_000_000) is State.IMPLAUSIBLE
    pulses(health, "edge.A1.1", count=8, on_us=9_000, start_us=13_000_000)
    assert state_of(health, "edge.A1.1", 30_000_000) is State.OK


def test_a_tile_that_comes_and_goes_within_moments_is_implausible():
    """Nobody lays and lifts a tile within 20 ms; a ball may well pass a beam in that time."""
    health = watch("tile.A1", "drain.A1")
    for name in ("tile.A1", "drain.A1"):
        pulses(health, name, count=4, on_us=20_000)
    assert state_of(health, "tile.A1", 9_000_000) is State.IMPLAUSIBLE
    assert state_of(health, "drain.A1", 9_000_000) is State.OK


def test_what_the_tracker_distrusts_is_called_as_the_tracker_calls_it():
    """A stuck, a noisy and a silent suspect are told apart, whether or not any is on or had strays."""
    health = watch("drain.A1", "ramp.L1", "zone.L")
    health.edge("ramp.L1", True, 0)
    suspects = {"drain.A1": "stuck", "ramp.L1": "noisy", "zone.L": "silent"}
    found = [state_of(health, name, 9, suspects=suspects, ignored={"zone.L": 25}) for name in suspects]
    assert found == [State.STUCK, State.NOISY, State.SILENT]
    late = [state_of(health, name, 2 * MINUTE_US, suspects=suspects) for name in suspects]
    assert late == [State.STUCK, State.NOISY, State.SILENT]


def test_a_chatterer_is_noisy_until_people_say_that_it_works():
    """Forty-one pulses of one announced ball at a ramp are chatter, not silence; two quiet minutes change nothing."""
    tracker, health, at_us = Tracker(load_board(), ["ramp.L1", "drain.A1"]), watch("ramp.L1"), 1_000_000
    tracker.expect("L1", at_us)
    for level in (True, False) * 41:
        at_us += 40_000
        health.edge("ramp.L1", level, at_us)
        tracker.feed("ramp.L1", level, at_us)
    doubted = Doubted(suspects=tracker.doubted)
    (found,) = health.conditions(at_us + 2 * MINUTE_US, doubted)
    assert (found.state, found.why) == (State.NOISY, "it pulses too often for the balls that roll")
    tracker.declare_working("ramp.L1")
    assert state_of(health, "ramp.L1", at_us + 2 * MINUTE_US, suspects=tracker.doubted) is State.OK


def test_pulses_that_no_ball_explains_are_implausible():
    """Ten pulses of which the tracker could explain four: something else moves there."""
    health = watch("zone.L")
    end_us = pulses(health, "zone.L", count=10, on_us=30_000)
    assert state_of(health, "zone.L", end_us, ignored={"zone.L": 4}) is State.OK
    assert state_of(health, "zone.L", end_us, ignored={"zone.L": 6}) is State.IMPLAUSIBLE


def test_no_more_pulses_are_unexplained_than_there_were():
    """The tracker may count one that has only begun, or that came before anybody watched."""
    health = watch("zone.L")
    end_us = pulses(health, "zone.L", count=10, on_us=30_000)
    health.edge("zone.L", True, end_us + 1)
    (found,) = health.conditions(end_us + 2, Doubted(ignored={"zone.L": 12}))
    assert found.why == "11 of its 11 pulses came without a ball"


def test_what_people_say_comes_before_all_else():
    """A sensor that was declared broken is broken, whatever it does; a lost one is lost."""
    health = watch("zone.L")
    pulses(health, "zone.L", count=300, on_us=1_000, every_us=2_000)
    assert state_of(health, "zone.L", 1_000_000, broken=("zone.L",), lost=("zone.L",)) is State.BROKEN
    assert state_of(health, "zone.L", 1_000_000, lost=("zone.L",)) is State.LOST


def test_a_hundred_outages_are_no_longer_than_one():
    """What is lost now is shown, one line for all of one reason, and nothing once all is back."""
    names = tuple(f"drain.A{number}" for number in range(104))
    health, sizes = watch(*names), set()
    for _outage in range(100):
        for name in names:
            health.lost(name, "the hub is away: it has stopped answering")
        told = health.report(0)["lost"]
        assert told == [
            "drain.A0, drain.A1, drain.A2, drain.A3 and 100 more: the hub is away: it has stopped answering"
        ]
        sizes.add(len(str(health.report(0))))
        for name in names:
            health.found(name)
        assert health.report(0)["lost"] == []
    assert len(sizes) == 1


def test_what_the_hal_mutes_is_muted_whatever_else_it_is():
    """It is not lost, though it has no level; people's word that it is broken comes first."""
    health = watch("zone.L")
    assert state_of(health, "zone.L", 0, muted=("zone.L",), lost=("zone.L",)) is State.MUTED
    assert state_of(health, "zone.L", 0, muted=("zone.L",), broken=("zone.L",)) is State.BROKEN


def test_a_device_whose_clock_cannot_be_right_is_named():
    """By how much it is wrong stands in the line that people read."""
    health = watch("zone.L")
    (told,) = health.conditions(0, Doubted(misdated={"zone.L": -3_600_000_000}))
    assert (told.state, told.why) == (State.IMPLAUSIBLE, "the clock of its device is wrong by 3600 s")


def test_unheard_unknown_and_lost_are_named():
    """A sensor that never spoke, a name that is none, and a device that went away are each told."""
    health = watch("ramp.L1", "ramp.L2")
    health.edge("ramp.L1", True, 5)
    health.edge("sneeze", True, 6)
    health.edge("sneeze", False, 7)
    health.lost("strip", "unplugged")
    report = health.report(10)
    assert (report["unheard"], report["unknown"], report["lost"]) == (
        ["ramp.L2"],
        {"sneeze": 2},
        ["strip: unplugged"],
    )
    assert (report["sensors"], report["edges"]) == (2, 1)


def test_every_problem_says_what_is_done_about_it():
    """Each state but ok has a whole sentence about what the controller does."""
    for state in State:
        assert state.does.endswith(".") is (state is not State.OK)


def test_the_text_has_a_line_for_each_problem_and_none_for_the_rest():
    """Who says nothing odd may not have been tried: that is no news."""
    health = watch("ramp.L1", "ramp.L2", "drain.A1")
    lines = health_lines(health.conditions(0, Doubted(broken=("ramp.L2",))))
    assert lines == (
        "problem  ramp.L2: broken: somebody said so. It counts again once somebody taps “It works”.",
    )


edges = st.lists(
    st.tuples(
        st.sampled_from([*NAMES, "nobody"]), st.booleans(), st.integers(min_value=0, max_value=5_000_000)
    ),
    max_size=120,
)


doubts = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["stuck", "noisy", "silent"]), max_size=4)


@pytest.mark.slow
@given(edges=edges, doubts=doubts, wait_us=st.integers(0, 10**9))
def test_every_sensor_is_in_exactly_one_state(edges, doubts, wait_us):
    """Whatever happens, each sensor has one condition, in the order of the wiring, and asking is harmless."""
    health, now_us = watch(), 0
    for sensor, active, gap_us in edges:
        now_us += gap_us
        health.edge(sensor, active, now_us)
    doubted = Doubted(suspects=doubts)
    conditions = health.conditions(now_us + wait_us, doubted)
    assert [each.sensor for each in conditions] == list(NAMES)
    assert health.conditions(now_us + wait_us, doubted) == conditions
    assert all((each.state is State.OK) is (not each.why) for each in conditions)


@pytest.mark.slow
@given(edges=edges)
def test_rest_heals_noise(edges):
    """After a minute without a change no sensor is noisy, whatever it did before."""
    health, now_us = watch(), 0
    for sensor, active, gap_us in edges:
        now_us += gap_us // 1_000
        health.edge(sensor, active, now_us)
    assert health.report(now_us + MINUTE_US)["noisy"] == []


@given(st.lists(st.integers(min_value=600_000, max_value=9_000_000), max_size=60), st.sampled_from(NAMES))
def test_ordinary_play_is_never_a_problem(gaps, sensor):
    """Pulses of 60 ms with pauses, as balls and hands make them, leave every sensor well."""
    health, now_us = watch(), 0
    for gap_us in gaps:
        now_us += gap_us
        health.edge(sensor, True, now_us)
        health.edge(sensor, False, now_us + 60_000)
    assert all(each.state is State.OK for each in health.conditions(now_us + 60_000))


@given(st.text(alphabet=string.ascii_letters + ".", max_size=12))
def test_names_that_are_none_never_trouble_anybody(name):
    """An unknown name is counted and makes no condition."""
    health = watch("ramp.L1")
    health.edge(name + "?", True, 1)
    assert [each.sensor for each in health.conditions(2)] == ["ramp.L1"]

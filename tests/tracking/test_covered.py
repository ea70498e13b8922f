"""Sensors that balls cover: at the start, beside a resting ball, and before a ball that comes behind another."""

import pytest
from helpers.trackbench import ALL_UNKNOWN, BOARD, STRAIGHT, Bench, touches, way
from hextraction.board.instruments import instruments
from hextraction.controller.tracking import Laid, Tracker
from hextraction.controller.tracking.covered import Covered
from hextraction.controller.tracking.stories import Ball
from hextraction.controller.tracking.trace import Trace, TraceEdge, facts_of

MS = 1000
BEAM, HALL, OTHER = 3, 5, 7
WIDE = [f"ball.{slot}{suffix}" for slot in BOARD.slot_names for suffix in (".2", ".3")]


@pytest.mark.parametrize("sensor", ["edge.B2.4", "edge.B1.4", "ball.B2"])
def test_a_sensor_on_at_the_start_beside_a_resting_ball_moves_nobody(sensor):
    """It is that ball: no roll begins; in the next one it has not moved, touched nothing, and still lies there."""
    bench = Bench(balls={1: "B2"})

    assert bench.tracker.resync({sensor: True}, 0) == ()
    assert not bench.tracker.moving
    assert bench.quiet() is None
    bench.pulses(("ramp.R2", 9000), ("ball.D1", 9085), ("edge.D1.4", 9150), ("ball.D2", 9215))
    settled = bench.quiet()
    assert way(settled.facts) == ["released R2", "entered D1", "left D1", "entered D2"]
    assert dict(bench.tracker.resting) == {1: "B2", 2: "D2"}
    assert bench.tracker.suspects == ()


def test_a_trace_may_begin_with_levels():
    """What is on at the moment nought beside a resting ball is that ball; any later it is a pulse."""
    trace = Trace(
        board=BOARD,
        sensors=tuple(one.name for one in instruments(BOARD)),
        tiles=ALL_UNKNOWN,
        balls={1: "B2"},
        edges=(TraceEdge(at_us=0, sensor="edge.B2.4", active=True),),
        releases=(),
    )

    assert list(facts_of(trace)) == []


def test_a_covered_sensor_that_goes_off_tells_that_the_ball_has_gone():
    """The ball over the Hall leaves it and is seen below: it left, and was not counted as coming."""
    bench = Bench(balls={1: "B2"})
    assert bench.tracker.cover("ball.B2")
    bench.off("ball.B2", 5000)
    bench.pulses(("edge.B2.4", 5080), ("ball.B3", 5150))

    assert way(bench.quiet().facts) == ["left B2", "entered B3"]
    assert dict(bench.tracker.resting) == {1: "B3"}


def test_a_level_at_the_start_far_from_any_ball_is_found_stuck():
    """After five seconds, as if it had gone on just then; beside a resting ball it is not."""
    bench = Bench(balls={1: "B2"})
    bench.tracker.resync({"ball.E2": True, "edge.B2.4": True}, 1_000_000)
    bench.tracker.advance(5_999_999)
    assert bench.tracker.suspects == ()
    bench.tracker.advance(6_000_000)

    assert bench.tracker.suspects == ("ball.E2",)


@pytest.mark.parametrize("sensor", ["nonsense", "tile.B2", "edge.B4.4", "ball.A1"])
def test_only_a_sensor_that_a_resting_ball_may_cover_is_covered(sensor):
    """Not a name that means nothing, nor a sensor elsewhere."""
    assert not Bench(balls={1: "B2"}).tracker.cover(sensor)


def test_nothing_is_covered_at_the_start_of_what_has_begun():
    """While balls roll a level is news; and a broken sensor covers nothing."""
    bench = Bench(balls={1: "B2"})
    bench.tracker.declare_broken("edge.B2.4")
    assert not bench.tracker.cover("edge.B2.4")
    bench.pulse("ramp.R2", 1000)

    assert not bench.tracker.cover("ball.B2")


def wide(broken=()):
    """Return a bench with three Halls a slot, some parts broken, and a ball at rest on B1."""
    found = Bench("lean")
    found.tracker = Tracker(BOARD, [*(one.name for one in instruments(BOARD, "lean")), *WIDE])
    found.tracker.lay({slot: Laid(STRAIGHT, 0) for slot in BOARD.slot_names})
    found.tracker.put_balls({1: "B1"})
    for part in broken:
        found.tracker.declare_broken(part)
    return found


def test_parts_of_a_hall_are_covered_at_the_start_by_one_ball():
    """Two of three: nobody moves; the Hall is off when both are, and on again with any of them."""
    bench = wide()
    assert bench.tracker.cover("ball.B1.2")
    assert bench.tracker.cover("ball.B1.3")
    assert not bench.tracker.cover("ball.C2.2")
    bench.off("ball.B1.3", 1000)
    bench.on("ball.B1.3", 1500)
    bench.off("ball.B1.3", 2000)
    assert not bench.tracker.moving
    bench.off("ball.B1.2", 3000)
    bench.on("ball.B2.2", 3120)

    assert way(bench.quiet().facts) == ["left B1", "entered B2"]


def test_a_broken_part_covers_nothing_at_the_start():
    """It says nothing, then or later; the part beside it does."""
    bench = wide(broken=["ball.B1.2"])

    assert not bench.tracker.cover("ball.B1.2")
    assert bench.tracker.cover("ball.B1.3")
    assert bench.live == []


def excused(pulses, *, ball, until_ms, sensor=BEAM, worth=3.5, from_start=()):
    """Return what the silence of a sensor is excused by, given pulses [sensor, on, off] in milliseconds."""
    covered = Covered(from_start, {HALL})
    for which, on_ms, off_ms in pulses:
        covered.add([which, on_ms * MS, -1 if off_ms is None else off_ms * MS])
    return covered.excuses(((sensor, worth),), ball, until_ms * MS)


def seen(sensor, on_ms, off_ms):
    """Return a ball that a sensor saw last."""
    return Ball(0, sensor, on_ms * MS, off_ms * MS, 1)


def test_a_ball_behind_another_in_one_pulse_is_not_held_to_have_been_missed():
    """All of the silence is excused if the sensor was covered all the time, some if for a part, else none."""
    ball = seen(OTHER, 980, 1000)

    assert excused([(BEAM, 990, 1210)], ball=ball, until_ms=1200) == pytest.approx(3.5)
    part = excused([(BEAM, 1080, 1120)], ball=ball, until_ms=1200)
    # 40 ms and 25 more hide a ball in 65 of 225 ms; one in 33 is missed anyhow: 3.5 nats are 1.17
    assert part == pytest.approx(2.33, abs=0.01)
    assert part < excused([(BEAM, 1060, 1140)], ball=ball, until_ms=1200) < 3.5
    assert excused([(BEAM, 900, 990)], ball=ball, until_ms=1200) == 0.0
    assert excused([(BEAM, 1200, 1290)], ball=ball, until_ms=1200) == 0.0
    assert excused([(OTHER, 990, 1210)], ball=ball, until_ms=1200) == 0.0


def test_the_longer_a_sensor_was_covered_the_more_is_excused():
    """Two pulses of 20 ms add up, each with 25 ms; in a longer time the same is less; little worth, little excuse."""
    ball = seen(OTHER, 980, 1000)
    both = [(BEAM, 1060, 1080), (BEAM, 1120, 1140)]
    one = [(BEAM, 600, 800)]

    assert excused(both, ball=ball, until_ms=1200) == pytest.approx(3.5 - 0.87, abs=0.01)  # 90 of 225 ms
    assert excused(one, ball=seen(OTHER, 280, 300), until_ms=1200) == pytest.approx(2.18, abs=0.01)
    assert excused([(BEAM, 1080, 1120)], ball=ball, until_ms=1200, worth=0.5) == pytest.approx(0.17, abs=0.01)


def test_the_pulse_of_the_ball_itself_excuses_nothing():
    """It was before the sensor then; the pulse of another over the same sensor does."""
    ball = seen(BEAM, 1000, 1060)

    assert excused([(BEAM, 1000, 1060)], ball=ball, until_ms=1200) == 0.0
    assert excused([(BEAM, 1000, 1060), (BEAM, 1090, 1150)], ball=ball, until_ms=1200) > 2.0


@pytest.mark.parametrize("pulse", [(300, 1200), (800, 1200), (990, None)])
def test_a_beam_that_a_resting_ball_blocks_excuses_nothing_but_a_hall_does(pulse):
    """Who lies before a beam, for 400 ms or still, lets nobody through; a ball rolls past who lies over a Hall."""
    ball = seen(OTHER, 980, 1000)

    assert excused([(BEAM, *pulse)], ball=ball, until_ms=1200) == 0.0
    assert excused([(HALL, *pulse)], ball=ball, until_ms=1200, sensor=HALL) == pytest.approx(3.5)


def test_a_hall_that_was_on_from_the_start_excuses_silence_until_it_goes_off():
    """Of a ball that passes before then, not of one that passes later."""
    covered = Covered([HALL], {HALL})
    unheard = ((HALL, 2.0),)
    assert covered.excuses(unheard, seen(OTHER, 0, 20), 500 * MS) == pytest.approx(2.0)
    covered.bare(HALL, 600 * MS)

    assert covered.excuses(unheard, seen(OTHER, 0, 20), 500 * MS) == pytest.approx(2.0)
    assert covered.excuses(unheard, seen(OTHER, 700, 720), 900 * MS) == 0.0


def test_a_ball_that_covers_a_hall_from_the_start_hides_who_comes_by():
    """Its slot's Hall is on already when the first roll begins: who is seen below passed it, else stayed above."""
    beneath = {}
    for covered in (True, False):
        bench = Bench(balls={1: "B2"})
        if covered:
            assert bench.tracker.cover("ball.B2")
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B2.4", 1280))
        beneath[covered] = touches(bench.quiet().facts)["B3"]

    assert beneath == {True: 1, False: 0}


def test_two_balls_before_one_beam_are_told_by_what_sees_them_apart():
    """The second one is behind the first where they cross, and is seen by itself before and after."""
    bench = Bench(tiles={slot: Laid(STRAIGHT, 0) for slot in BOARD.slot_names})
    for at_ms in (920, 990):
        bench.tracker.expect("L2", at_ms * MS)
    bench.pulses(("ramp.L2", 1000), ("ramp.L2", 1060), ("ball.B1", 1085), ("ball.B1", 1140))
    bench.pulse("edge.B1.4", 1155, 75)
    bench.pulses(("ball.B2", 1230), ("ball.B2", 1285), ("edge.B2.4", 1300), ("edge.B2.4", 1350))
    settled = bench.quiet()

    assert touches(settled.facts) == {"B1": 2, "B2": 2, "B3": 2}

"""Corners of following balls: strays of one moment and of two, edges at once, numbers, and nudged balls."""

from itertools import permutations

import pytest
from helpers.trackbench import STRAIGHT, Bench, touches, way
from hextraction.board.facts import BallInZone
from hextraction.controller.tracking import Laid
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(("apart_ms", "together"), [(150, True), (9_000, False)])
def test_two_strays_are_a_ball_only_if_they_come_together(apart_ms, together):
    """A pulse that nobody can explain is forgotten after a while: another one then is a stray of its own."""
    bench = Bench()
    bench.pulse("ball.D3", 1000)
    assert not bench.tracker.moving
    bench.pulse("ball.D4", 1000 + apart_ms)

    assert bench.tracker.moving is together


@pytest.mark.parametrize("order", list(permutations(("ball.B2", "ball.D3", "ramp.R1"))))
def test_sensors_that_go_on_at_the_same_moment_may_be_told_in_any_order(order):
    """What comes of a roll does not depend on which of several edges of one moment is read first."""
    bench = Bench()
    bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))
    for sensor in order:
        bench.on(sensor, 1210)
    for sensor in sorted(order):
        bench.off(sensor, 1232)

    settled = bench.quiet()
    in_order = Bench()
    in_order.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))
    for sensor in sorted(order):
        in_order.on(sensor, 1210)
    for sensor in sorted(order):
        in_order.off(sensor, 1232)
    assert sorted(way(settled.facts)) == sorted(way(in_order.quiet().facts))


@pytest.mark.slow
@pytest.mark.mutants
@given(st.sets(st.integers(1, 12), max_size=4))
def test_a_new_ball_has_a_number_that_none_has_had(numbers):
    """Above those that lie, and above those that once lay; telling it twice gives the same number."""
    bench = Bench(balls=dict(zip(sorted(numbers), ("A1", "C1", "D1", "E1"), strict=False)))
    bench.tracker.put_balls({})
    bench.tracker.put_balls({})
    bench.pulse("ramp.L2", 1000)

    assert [fact.ball for fact in bench.live] == [max(numbers, default=0) + 1]


@pytest.mark.parametrize("which", ["basic", "lean", "rich"])
def test_a_ball_whose_sensor_flickers_while_another_one_rolls_lies_where_it_lay(which):
    """Off once is no departure: nothing else has seen that ball."""
    bench = Bench(which, balls={4: "B1"})
    bench.on("ball.B1", 1)
    bench.pulse("ramp.R1", 1000)
    bench.off("ball.B1", 1100)
    settled = bench.quiet()

    assert [fact for fact in settled.facts if fact.ball == 4] == []
    assert bench.tracker.resting[4] == "B1"


def test_three_sensors_in_a_row_may_miss_a_ball():
    """Six others tell of its way into the end zone: they are no ghosts."""
    column = {slot: Laid(STRAIGHT, 0) for slot in ("D1", "D2", "D3", "D4", "D5")}
    bench = Bench(tiles=column)
    bench.tracker.expect("R2", 920_000)
    bench.pulses(
        ("ramp.R2", 1000), ("ball.D1", 1085), ("ball.D3", 1330), ("edge.D3.4", 1390), ("ball.D4", 1450)
    )
    bench.pulses(("edge.D4.4", 1510), ("ball.D5", 1570), ("edge.D5.4", 1630), ("zone.R", 1680))
    bench.on("rest.R", 1750)
    settled = bench.quiet()
    assert touches(settled.facts) == dict.fromkeys(column, 1)
    assert isinstance(settled.facts[-1], BallInZone)
    assert settled.probability > 0.9


def test_a_beam_that_stays_on_at_rest_has_a_ball_before_it():
    """The ramp's beam missed the ball that was let go: on which side of the next beam it lies is asked.

    Of 329 balls that came to rest in such a beam in the worlds drawn for tuning 323 lay above it.
    """
    bench = Bench()
    bench.tracker.expect("L2", 920_000)
    bench.on("edge.B1.4", 1_300)
    settled = bench.quiet()
    assert settled.question is not None
    assert set(settled.question.slots) == {"B1", "B2"}
    likely = {answer.counts: answer.likelihood for answer in settled.question.answers}
    assert 0.02 < likely[0, 1] < 0.2 < likely[1, 0]

"""Where only ramps and end zones are seen, each beam says one thing."""

from helpers.simulated import BOARD
from hextraction.board.facts import BallInZone, BallReleased
from hextraction.board.instruments import instruments
from hextraction.controller.tracking import BeamsAlone, only_ends

STARTER = [each.name for each in instruments(BOARD, "starter")]
MS = 1_000


def pulse(tracker, sensor, at_ms, for_ms=20):
    """Break a beam for a while; return what followed."""
    return tracker.feed(sensor, True, at_ms * MS) + tracker.feed(sensor, False, (at_ms + for_ms) * MS)


def test_the_starter_sees_the_ends_of_a_balls_way_and_nothing_between():
    """Six ramps and two end zones are told from every set that sees slots, and from no sensors at all."""
    assert (len(STARTER), only_ends(STARTER)) == (8, True)
    assert not any(only_ends(each.name for each in instruments(BOARD, which)) for which in ("basic", "lean"))
    assert not only_ends([])


def test_a_ball_that_leaves_its_ramp_and_wins_is_one_ball():
    """Ramp and end zone each tell one fact, of the same ball, at the beam's own time; nothing else follows."""
    tracker = BeamsAlone(BOARD, STARTER)
    assert pulse(tracker, "ramp.L2", 1_000) == (BallReleased(at_us=1_000 * MS, ball=1, ramp="L2"),)
    assert pulse(tracker, "zone.L", 3_000) == (BallInZone(at_us=3_000 * MS, ball=1, zone="L"),)
    assert (tracker.wake_at_us, tracker.moving, tracker.advance(60_000 * MS)) == (None, False, ())


def test_a_ball_that_flickers_in_a_beam_is_told_once():
    """A gap of 40 ms is the same ball (R-13); a second later it is the next one."""
    tracker = BeamsAlone(BOARD, STARTER)
    told = [fact for at_ms in (1_000, 1_060, 1_120, 2_500) for fact in pulse(tracker, "ramp.R1", at_ms)]
    assert [(fact.ball, fact.at_us // MS) for fact in told] == [(1, 1_000), (2, 2_500)]


def test_a_beam_that_people_call_broken_is_not_believed_until_it_works():
    """What it says meanwhile is nothing; the others are heard."""
    tracker = BeamsAlone(BOARD, STARTER)
    tracker.declare_broken("zone.R")
    assert pulse(tracker, "zone.R", 1_000) == ()
    assert len(pulse(tracker, "zone.L", 1_000)) == 1
    tracker.declare_working("zone.R")
    assert len(pulse(tracker, "zone.R", 9_000)) == 1

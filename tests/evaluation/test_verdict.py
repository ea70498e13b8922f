"""What a verdict is, and how rolls are judged by it."""

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Doubt,
)
from hextraction.controller.evaluation.score import TrackedRoll, judge, summary
from hextraction.controller.evaluation.verdict import Ground, places_after, touches_of, verdict_of

GROUND = Ground(tiled=frozenset({"B1", "B2", "C2"}), triggers=frozenset({"C2"}), balls={7: "B2"})


def entered(slot, ball=1, at_us=0):
    """Return that a ball came onto a slot."""
    return BallEntered(at_us=at_us, ball=ball, slot=slot)


def left(slot, ball=1):
    """Return that a ball went from a slot."""
    return BallLeft(at_us=0, ball=ball, slot=slot)


def test_three_touches_by_all_balls_together_are_a_loop():
    """Touches are summed over balls, and two are not enough."""
    two = [entered("B1"), entered("B1", ball=2)]

    assert verdict_of(two, GROUND).loops == frozenset()
    assert verdict_of([*two, entered("B1", ball=3)], GROUND).loops == {"B1"}


def test_open_slots_are_not_touched():
    """A ball that comes into an open slot touches no tile."""
    assert touches_of([entered("A4"), entered("B1")], GROUND) == {"B1": 1}


def test_a_lost_ball_costs_the_tile_it_met_last():
    """Also over an open slot, and for a ball that had rested there and touched nothing."""
    away = BallOffBoard(at_us=9, ball=1, slot="A4")

    assert verdict_of([entered("B1"), left("B1"), entered("A4"), away], GROUND).lost == ("B1",)
    assert verdict_of([BallOffBoard(at_us=9, ball=7, slot="B2")], GROUND).lost == ("B2",)
    assert verdict_of([BallOffBoard(at_us=9, ball=1)], GROUND).lost == ("",)


def test_a_missing_ball_counts_as_lost_until_somebody_says_otherwise():
    """A doubt about ball 7 is judged as if it had left from where it was."""
    assert verdict_of([], GROUND, [Doubt(ball=7, slot="B2")]).lost == ("B2",)


def test_a_ball_that_drops_through_an_open_slot_is_not_lost_but_one_through_a_tile_is():
    """Falling through a slot is free, through a tile's hole it is not."""
    assert verdict_of([entered("B1"), BallFell(at_us=5, ball=1, slot="A4")], GROUND).lost == ()
    assert verdict_of([entered("B1"), BallFell(at_us=5, ball=1, slot="B1")], GROUND).lost == ("B1",)


def test_each_arrival_on_a_trigger_tile_rings():
    """Triggers are counted by arrivals, and only where there is a trigger."""
    assert verdict_of([entered("C2"), entered("B1"), entered("C2")], GROUND).triggers == (("C2", 2),)


def test_a_win_needs_a_ball_that_stays_in_the_zone():
    """A ball that came out of the end zone again has not won."""
    into = BallInZone(at_us=1, ball=1, zone="L")

    assert verdict_of([into], GROUND).won
    assert not verdict_of([into, BallLeftZone(at_us=2, ball=1, zone="L")], GROUND).won


def test_balls_lie_where_they_were_last():
    """Moved balls and balls that never moved are counted on their tiles, stuck and open ones are not."""
    facts = [entered("B2"), entered("A4", ball=2), BallReleased(at_us=0, ball=3, ramp="L1")]

    assert verdict_of([*facts, BallStuckOnRamp(at_us=9, ball=3, ramp="L1")], GROUND).balls == (("B2", 2),)
    assert places_after(facts, GROUND) == {7: "B2", 1: "B2", 2: "A4"}


def test_names_of_balls_do_not_matter():
    """The same doings under other numbers are the same verdict."""
    one = [entered("B1"), entered("C2", ball=2), BallOffBoard(at_us=9, ball=2, slot="C2")]
    other = [entered("B1", ball=5), entered("C2", ball=4), BallOffBoard(at_us=9, ball=4, slot="C2")]

    assert verdict_of(one, GROUND) == verdict_of(other, GROUND)


def test_a_wrong_count_that_changes_no_ruling_is_not_exact_but_right():
    """Two touches told as one: the counts are wrong, every verdict is right."""
    truth = (entered("B1"), entered("C2"), entered("B1"))
    told = TrackedRoll(facts=(entered("C2"), entered("B1")))

    judged = judge(told, truth, GROUND)

    assert (judged.exact, judged.tiles, judged.tiles_wrong) == (False, 2, 1)
    assert judged.right


def test_asking_can_turn_a_wrong_verdict_into_a_right_one():
    """Before asking the lost ball is wrong; the answer's account is right."""
    truth = (entered("B1"), BallOffBoard(at_us=9, ball=1, slot="B1"))
    told = TrackedRoll(facts=(entered("B1"),), probability=0.6, asked=True, after=truth)

    judged = judge(told, truth, GROUND)

    assert judged.wrong == {"lost", "balls"}
    assert judged.wrong_after == frozenset()


def test_a_summary_counts_shares():
    """One right silent roll and one wrong asked one: half right, half asked, all right when silent."""
    truth = (entered("B1"),)
    fine = judge(TrackedRoll(facts=truth, probability=1.0), truth, GROUND)
    asked = judge(TrackedRoll(facts=(), probability=0.5, asked=True, after=truth), truth, GROUND)

    found = summary([fine, asked])

    assert (found.verdicts.hits, found.asked.hits, found.after_asking.hits) == (1, 1, 2)
    assert (found.when_silent.hits, found.when_silent.of) == (1, 1)
    assert found.parts["balls"].hits == 1
    assert found.parts["won"].hits == 2
    assert found.brier == 0.125

"""The record of a roll: what one ball does concerns no other, and names and numbers mean nothing."""

import msgspec
import pytest
from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
)
from hextraction.controller.games.hextraction.state import record
from hextraction.controller.games.hextraction.state.record import EMPTY, Arrival
from hypothesis import given
from hypothesis import strategies as st

SLOTS = ("A1", "A2", "B1", "B2", "C1")
LAID = {"A1": 3, "A2": 3, "B1": 7, "B2": 5}
"""A tile of two slots, two of one, and an open slot."""
BALLS = (1, 2, 3, 4)


def facts():
    """Anything that one of four balls may do on a few slots, likely or not."""
    common = {"at_us": st.just(0), "ball": st.sampled_from(BALLS)}
    slot, ramp, zone = st.sampled_from(SLOTS), st.sampled_from("ab"), st.sampled_from(["Z1", "Z2"])
    return st.one_of(
        st.builds(BallEntered, slot=slot, **common),
        st.builds(BallLeft, slot=slot, **common),
        st.builds(BallFell, slot=slot, **common),
        st.builds(BallInZone, zone=zone, **common),
        st.builds(BallLeftZone, zone=zone, **common),
        st.builds(BallOffBoard, slot=st.none() | slot, **common),
        st.builds(BallReleased, ramp=ramp, **common),
        st.builds(BallStuckOnRamp, ramp=ramp, **common),
    )


SOME = st.lists(facts(), max_size=12).map(tuple)


def told(facts, laid=None, *, fresh=True):
    """Return what a roll of these facts comes to."""
    return record.fold(EMPTY, facts, ((0, dict(LAID if laid is None else laid)),), fresh=fresh)


def about(now, ball):
    """Return everything that is known of one ball."""
    by_ball = (now.on, now.ramps, now.zones, now.last, now.still, now.trails, now.left, now.holes)
    return (
        *(known.get(ball) for known in by_ball),
        now.fell.count(ball),
        now.entered_zone.count(ball),
        [copy for other, copy in now.lost if other == ball],
        [ramp for other, ramp in now.stuck if other == ball],
        [arrival for arrival in now.arrivals if arrival.ball == ball],
    )


@pytest.mark.slow
@pytest.mark.mutants
@given(SOME, facts())
def test_what_one_ball_does_concerns_no_other(before, fact):
    """Everything known of the other balls stays as it was, and no touch is taken away."""
    now = told(before)
    then = record.add(now, fact, LAID)

    for ball in set(BALLS) - {fact.ball}:
        assert about(then, ball) == about(now, ball)
    assert all(then.touches[copy] >= count for copy, count in now.touches.items())


@pytest.mark.slow
@pytest.mark.mutants
@given(SOME, st.sampled_from(BALLS))
def test_a_ball_taken_off_by_hand_is_nowhere_and_the_others_stay(before, ball):
    """Only where that ball lay is forgotten; what it did in the roll stands."""
    now = told(before)
    then = record.forget_ball(now, ball)

    assert about(then, ball)[:3] == (None, None, None)
    assert then.arrivals == now.arrivals
    assert then.touches == now.touches
    assert all(about(then, other) == about(now, other) for other in set(BALLS) - {ball})


@pytest.mark.slow
@pytest.mark.mutants
@given(SOME, facts())
def test_a_disputed_ball_is_in_one_place_and_the_others_stay(before, fate):
    """What the table agrees on replaces what was known of the end of that ball, of no other (R-14)."""
    now = told(before)
    if isinstance(fate, (BallLeft, BallReleased)):
        return
    then = record.relocated(now, fate, LAID)

    assert all(about(then, other) == about(now, other) for other in set(BALLS) - {fate.ball})
    ends = [fate.ball in places for places in (then.on, then.ramps, then.zones)]
    gone = [*then.fell, *(ball for ball, _copy in then.lost)].count(fate.ball)
    assert sum(ends) + gone == (0 if isinstance(fate, BallLeftZone) else 1)
    if isinstance(fate, BallEntered):
        assert then.on[fate.ball] == (fate.slot,)
        assert (then.touches, then.arrivals) == (now.touches, now.arrivals)


@pytest.mark.slow
@pytest.mark.mutants
@given(SOME)
def test_a_ball_is_on_tiles_on_a_ramp_or_in_a_zone_never_in_two(before):
    """Wherever the last fact put a ball, it is nowhere else."""
    now = told(before)

    places = [*now.on, *now.ramps, *now.zones]
    assert len(places) == len(set(places))
    assert all(len(set(slots)) == len(slots) > 0 for slots in now.on.values())


def swapped(now, balls, copies):
    """Return a record with other numbers of balls and of copies."""
    ball_keys = ("on", "ramps", "zones", "last", "still", "trails", "left", "holes")
    fields = {key: {balls[ball]: what for ball, what in getattr(now, key).items()} for key in ball_keys}
    fields["last"] = {ball: copies[copy] for ball, copy in fields["last"].items()}
    fields["holes"] = {ball: copies[copy] for ball, copy in fields["holes"].items()}
    fields["still"] = {ball: tuple(copies[copy] for copy in there) for ball, there in fields["still"].items()}
    return msgspec.structs.replace(
        now,
        **fields,
        touches={copies[copy]: count for copy, count in now.touches.items()},
        arrivals=tuple(
            Arrival(balls[one.ball], copies[one.copy], one.slot, copies.get(one.before, 0))
            for one in now.arrivals
        ),
        fell=tuple(balls[ball] for ball in now.fell),
        lost=tuple((balls[ball], None if copy is None else copies[copy]) for ball, copy in now.lost),
        entered_zone=tuple(balls[ball] for ball in now.entered_zone),
        stuck=tuple((balls[ball], ramp) for ball, ramp in now.stuck),
    )


@pytest.mark.slow
@pytest.mark.mutants
@given(SOME, st.permutations(BALLS), st.permutations((3, 5, 7)))
def test_numbers_of_balls_and_copies_mean_nothing(before, balls, copies):
    """The same roll with other numbers comes to the same account with other numbers."""
    ball_of = dict(zip(BALLS, balls, strict=True))
    copy_of = dict(zip((3, 5, 7), copies, strict=True))
    other = tuple(msgspec.structs.replace(fact, ball=ball_of[fact.ball]) for fact in before)
    laid = {slot: copy_of[copy] for slot, copy in LAID.items()}

    assert told(other, laid) == swapped(told(before), ball_of, copy_of)


def runs(ball, *slots):
    """Let a ball leave each slot as it enters the next."""
    found = []
    for before, slot in zip((None, *slots), slots, strict=False):
        found += [BallLeft(at_us=0, ball=ball, slot=before)] if before else []
        found.append(BallEntered(at_us=0, ball=ball, slot=slot))
    return tuple(found)


def test_a_larger_tile_is_touched_once_however_many_of_its_slots_a_ball_crosses():
    """From slot to slot of the same tile is no new arrival, back from elsewhere is one (R-13)."""
    assert told(runs(1, "A1", "A2")).touches == {3: 1}
    assert told(runs(1, "A1", "B1", "A2")).touches == {3: 2, 7: 1}
    assert told(runs(1, "A1", "C1", "A2")).touches == {3: 2}


def test_two_balls_on_one_tile_touch_it_twice():
    """A touch is of one ball: what another one does on the tile is its own (3.Touch)."""
    assert told((*runs(1, "A1"), *runs(2, "A1"))).touches == {3: 2}
    assert told((*runs(2, "A1"), *runs(1, "A2"))).touches == {3: 2}


def lying(*slots):
    """Return the record of one ball that rests in these slots as a roll of another begins."""
    rest = record.resting(told(tuple(BallEntered(at_us=0, ball=1, slot=slot) for slot in slots)))
    return record.fold(
        rest, (BallReleased(at_us=0, ball=2, ramp="a"),), ((0, dict(LAID)),), fresh=True
    )  # fmt: skip


def test_a_ball_that_lies_still_touches_again_only_after_it_has_left():
    """In contact as the roll began: nudged it is no touch, gone and back it is one (3.Touch.B)."""
    now = lying("B1")
    nudged = record.add(now, BallEntered(at_us=0, ball=1, slot="B1"), LAID)
    back = record.add(
        record.add(now, BallLeft(at_us=0, ball=1, slot="B1"), LAID),
        BallEntered(at_us=0, ball=1, slot="B1"),
        LAID,
    )

    assert nudged.touches == {}
    assert back.touches == {7: 1}


def test_leaving_one_of_two_tiles_says_nothing_about_the_other():
    """A ball that lay between two tiles and left one still lies on the other (3.Touch.B)."""
    now = record.add(lying("B1", "B2"), BallLeft(at_us=0, ball=1, slot="B1"), LAID)

    assert now.on == {1: ("B2",)}
    assert now.still[1] == (5,)
    assert record.add(now, BallEntered(at_us=0, ball=1, slot="B1"), LAID).touches == {7: 1}


def test_leaving_one_slot_of_a_larger_tile_is_not_leaving_the_tile():
    """The ball is still in contact with the tile in its other slot."""
    now = record.add(lying("A1", "A2"), BallLeft(at_us=0, ball=1, slot="A1"), LAID)

    assert now.still[1] == (3, 3)
    assert record.add(now, BallEntered(at_us=0, ball=1, slot="A1"), LAID).touches == {}


def test_a_lost_ball_is_charged_to_the_tile_it_was_last_in_contact_with():
    """Not to the one that was touched last of all: each ball has its own (R-33)."""
    now = told((*runs(2, "B1", "B2"), *runs(1, "A1"), BallOffBoard(at_us=0, ball=2, slot=None)))

    assert now.lost == ((2, 5),)
    assert now.on == {1: ("A1",)}


def test_a_settlement_is_judged_by_what_lay_there_at_the_time():
    """A touch before a tile went counts for it, one at the moment it changed for the new one (R-30)."""
    layouts = ((0, {"B1": 7}), (100, {"B1": 8}), (200, {}))
    entered = tuple(
        BallEntered(at_us=at_us, ball=ball, slot="B1") for ball, at_us in enumerate((99, 100, 199, 200))
    )

    assert record.fold(EMPTY, entered, layouts, fresh=True).touches == {7: 1, 8: 2}


def test_a_release_inside_a_roll_restarts_counters_and_keeps_what_happened():
    """The first release of a roll wipes the slate, a later one only the touches (R-12)."""
    first = (BallReleased(at_us=0, ball=1, ramp="a"), *runs(1, "B1"))
    more = (BallReleased(at_us=0, ball=2, ramp="b"), *runs(2, "B2"))
    both = told((*first, *more))

    assert both.touches == {5: 1}
    assert [(one.ball, one.copy) for one in both.arrivals] == [(1, 7), (2, 5)]
    anew = record.fold(told(first), more, ((0, dict(LAID)),), fresh=True)
    assert [(one.ball, one.copy) for one in anew.arrivals] == [(2, 5)]


def test_a_tile_that_leaves_takes_its_counter_and_its_own_balls_along():
    """A ball that also lies on another tile stays there (R-36)."""
    one, other, between = runs(1, "B1"), runs(2, "B2"), runs(3, "B1")
    now = told((*one, *other, *between, BallEntered(at_us=0, ball=3, slot="B2")))
    gone = record.forget_tile(now, 7, ("B1",), balls_go=True)
    stay = record.forget_tile(now, 7, ("B1",), balls_go=False)

    assert now.touches == {7: 2, 5: 2}
    assert gone.touches == stay.touches == {5: 2}
    assert gone.on == {2: ("B2",), 3: ("B2",)}
    assert stay.on == now.on


def test_agreed_touches_never_fall_below_none():
    """A count may be corrected by more than it holds, and of a tile that nobody touched (R-14)."""
    now = told((*runs(1, "B1"), *runs(2, "B1")))

    assert record.adjust(now, {7: -5, 5: 1}).touches == {7: 0, 5: 1}
    assert record.adjust(now, {7: -1}).touches == {7: 1}
    assert record.adjust(now, {}) == now


def test_a_ball_moved_by_hand_only_changes_where_balls_are():
    """Between rolls nothing is a touch, and nothing is charged (2.11.1, R-22)."""
    now = told((*runs(1, "B1"), *runs(2, "B2")))
    moved = record.moved_by_hand(now, BallInZone(at_us=0, ball=1, zone="Z1"))

    assert (moved.on, moved.zones) == ({2: ("B2",)}, {1: "Z1"})
    assert moved.entered_zone == ()
    assert moved.trails == now.trails

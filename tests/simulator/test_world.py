"""Balls on the simulated board do what a person expects of steel balls on tiles."""

import itertools
import math
import random

import pytest
from helpers.simtable import (
    ASTERISK,
    BOARD,
    DIC,
    FLIP_FLOP,
    TRAP,
    VOID,
    J,
    X,
    kind,
    lay,
    mixed,
    roll,
    settle,
    way,
    world,
)
from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
)
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.simulator.table import Table, stepper
from hypothesis import given, settings
from hypothesis import strategies as st

CATALOGUE = load_catalogue()
STRAIGHT = kind("straight", ((1, 4),))


class TestRolling:
    """Speed and way."""

    @pytest.mark.parametrize("tilt_deg", [8, 15, 30])
    def test_a_straight_run_takes_the_analytic_time_within_one_percent(self, tilt_deg):
        """A ball that rolls 200 mm from rest needs sqrt(2 s / a), a = 5/7 g (sin tilt - 0.005)."""
        table = Table(tilt_deg)
        ball = table.add_ball(0.0, 0.0)
        steps = 0
        while ball.place()[1] < 200.0:
            table.step(1)
            steps += 1
            if steps % 16 == 0:
                ball.resist(5 / 7 * 9810 * 0.005 * 0.016, 12.0)
        acceleration = 5 / 7 * 9.81 * (math.sin(math.radians(tilt_deg)) - 0.005)
        assert steps / 1000 == pytest.approx(math.sqrt(0.4 / acceleration), rel=0.01)

    def test_the_world_rolls_a_straight_column_in_the_analytic_time(self):
        """From entering B1 to entering B5, 200 mm on: v t + a t^2 / 2 with the speed measured at the top."""
        made = world(dict.fromkeys(("B1", "B2", "B3", "B4", "B5"), STRAIGHT))
        facts = roll(made, "L2")
        entered = [fact.at_us / 1e6 for fact in facts if isinstance(fact, BallEntered)]
        left = next(fact.at_us / 1e6 for fact in facts if isinstance(fact, BallLeft))
        acceleration = 5 / 7 * 9810 * (math.sin(math.radians(15)) - 0.005)
        first_s, all_s = left - entered[0], entered[4] - entered[0]
        speed = (50.0 - acceleration * first_s**2 / 2) / first_s
        expected_s = (-speed + math.sqrt(speed**2 + 2 * acceleration * 200.0)) / acceleration
        assert all_s == pytest.approx(expected_s, rel=0.01)

    def test_a_ball_gets_faster_on_its_way_down(self):
        """It takes less time on each tile than on the one above."""
        facts = roll(world(dict.fromkeys(("B1", "B2", "B3", "B4", "B5"), STRAIGHT)), "L2")
        times = [fact.at_us for fact in facts if isinstance(fact, BallEntered)]
        stays = [after - before for before, after in itertools.pairwise(times)]
        assert len(stays) == 4
        assert stays == sorted(stays, reverse=True)

    def test_a_ball_follows_the_channels(self):
        """A J at the top sends it to the right, the next one turned leads it straight on."""
        made = world({"B1": J, "C1": (J, 5), "B2": J, "C2": X})
        assert way(roll(made, "L2"))[:2] == ["B1", "C1"]

    def test_facts_of_one_roll_in_order(self):
        """Released, entered and left slot by slot, in the end zone: times never go back."""
        facts = roll(world(dict.fromkeys(("B1", "B2", "B3", "B4", "B5"), STRAIGHT)), "L2")
        slots = ("B1", "B2", "B3", "B4", "B5")
        expected = [BallReleased, *([BallEntered, BallLeft] * 5), BallInZone]
        assert [type(fact) for fact in facts] in (expected, _swapped(expected))
        assert way(facts) == list(slots)
        assert [fact.at_us for fact in facts] == sorted(fact.at_us for fact in facts)

    def test_games_differ_by_the_seed(self):
        """Two seeds give two times for the same roll."""
        tiles = dict.fromkeys(("B1", "B2", "B3", "B4", "B5"), STRAIGHT)
        assert roll(world(tiles, seed=1), "L2")[-1].at_us != roll(world(tiles, seed=2), "L2")[-1].at_us


def _swapped(kinds):
    """Return the same facts where a ball enters the next slot in the moment of leaving the last."""
    return [kinds[0], kinds[1], *([BallEntered, BallLeft] * 4), BallLeft, BallInZone]


class TestEnds:
    """Where a ball may end."""

    def test_a_ball_falls_through_an_open_slot(self):
        """It enters the pocket, falls, and is gone."""
        made = world({"B1": X})
        facts = roll(made, "L2")
        assert way(facts) == ["B1", "B2"]
        assert isinstance(facts[-1], BallFell)
        assert facts[-1].slot == "B2"
        assert made.positions() == ()

    def test_a_ball_falls_through_a_hole_in_a_tile(self):
        """A tile with a hole takes balls that come over its middle."""
        facts = roll(world({"B1": VOID}), "L2")
        assert isinstance(facts[-1], BallFell)
        assert facts[-1].slot == "B1"

    def test_a_ball_leaves_over_the_side(self):
        """Over an edge that leads off the board it is gone, and the fact names the slot it was on."""
        made = world({"B1": kind("side", ((1, 5),)), "A1": kind("out", ((2, 5),))})
        facts = roll(made, "L2")
        assert way(facts) == ["B1", "A1"]
        assert facts[-1] == BallOffBoard(at_us=facts[-1].at_us, ball=1, slot="A1")
        assert made.positions() == ()

    def test_a_ball_in_an_end_zone_stays_there(self):
        """It counts to the zone's contents and lies below the outlet until a hand takes it."""
        made = world(dict.fromkeys(("B1", "B2", "B3", "B4", "B5"), STRAIGHT))
        facts = roll(made, "L2")
        assert facts[-1] == BallInZone(at_us=facts[-1].at_us, ball=1, zone="L")
        assert dict(made.contents.zones) == {"L": (1,)}
        assert made.positions()[0][2] > BOARD.by_name["B5"].y_mm + 25
        made.take_ball(1)
        assert dict(made.contents.zones) == {}

    def test_a_ball_rests_in_a_mouth_that_leads_nowhere(self):
        """Where the next tile is closed the ball lies against it, on the slot it is on."""
        made = world({"B1": X, "B2": kind("closed", ((2, 5),))})
        facts = roll(made, "L2")
        assert way(facts) == ["B1"]
        assert dict(made.contents.slots) == {"B1": (1,)}
        assert not made.moving

    def test_a_ball_whose_inlet_is_closed_stays_on_the_ramp(self):
        """The truth says so, and the ramp keeps it; a second one has to wait for the gate to be clear."""
        made = world({"B1": kind("closed", ((3, 5),))})
        facts = roll(made, "L2")
        assert facts[-1] == BallStuckOnRamp(at_us=facts[-1].at_us, ball=1, ramp="L2")
        assert dict(made.contents.ramps) == {"L2": (1,)}
        roll(made, "L2")
        assert not made.ramp_clear("L2")
        with pytest.raises(ValueError, match="ramp L2 is blocked"):
            made.release("L2")

    def test_a_ball_runs_through_an_asterisk(self):
        """An all-edges tile holds no ball: each of ten goes on."""
        for seed in range(10):
            made = world({"B1": ASTERISK}, seed=seed)
            roll(made, "L1")
            assert made.positions() == ()


class TestTiles:
    """Tiles with something in them."""

    def test_a_trap_keeps_the_first_ball_and_lets_the_second_pass(self):
        """A pocket for one, in nearly every game of ten."""
        kept = []
        for seed in range(10):
            made = world({"B1": TRAP}, seed=seed)
            roll(made, "L2")
            first = made.contents.slots.get("B1", ())
            roll(made, "L2")
            kept.append((len(first), len(made.contents.slots.get("B1", ()))))
        assert kept.count((1, 1)) >= 8

    def test_a_flip_flop_sends_balls_left_and_right_in_turn(self):
        """Three, five, three, five: one exit after the other, turned with the tile."""
        made = world({"B1": FLIP_FLOP})
        assert [way(roll(made, "L2"))[1] for _ball in range(4)] == ["C1", "A1", "C1", "A1"]

    def test_a_resting_ball_is_knocked_loose_by_another(self):
        """A ball asleep in a valley is woken and pushed aside by one that comes down on it."""
        made = world({"B1": kind("valley", ((2, 6),))})
        resting = made.put_ball("B1")
        settle(made)
        assert not made.moving
        before = {ball: (x, y) for ball, x, y in made.positions()}[resting]
        roll(made, "L1")
        after = {ball: (x, y) for ball, x, y in made.positions()}[resting]
        assert math.dist(before, after) > 2.0

    def test_a_kick_sets_the_balls_on_a_slot_moving(self):
        """Balls that lie on the slot move; others do not."""
        made = world({"B1": X, "B2": kind("closed", ((2, 5),)), "D1": X, "D2": kind("closed", ((2, 5),))})
        roll(made, "L2")
        roll(made, "R2")
        still = made.positions()[1]
        assert made.kick("B1") == (1,)
        made.advance(made.now_us + 50_000)
        assert made.moving
        assert made.positions()[0][2] < BOARD.by_name["B1"].y_mm + 18
        assert made.positions()[1] == still

    def test_a_large_tile_closes_the_other_slots_it_covers(self):
        """The slot over its edge is no longer open."""
        made = world()
        made.lay("B2", kind("large", ((1, 4),), covers=(4,)))
        assert set(made.tiles) == {"B2", "B3"}


class TestHands:
    """What people do to the board."""

    def test_lifting_a_tile_takes_its_balls_along(self):
        """And the slot is open again."""
        made = world({"B1": X, "B2": kind("closed", ((2, 5),))})
        roll(made, "L2")
        assert made.lift("B1") == (1,)
        assert made.positions() == ()
        assert isinstance(roll(made, "L2")[-1], BallFell)

    def test_a_tile_turned_where_it_lies_is_seen_all_the_while(self):
        """Its tile Hall notices the laying and the lifting, and nothing between; balls on it come off."""
        made = world()
        made.lay("B1", TRAP)
        made.put_ball("B1")
        made.turn("B1", 2)
        made.lift("B1")
        made.advance(made.now_us + 1_000_000)
        assert [one.active for one in made.covers() if one.sensor == "tile.B1"] == [True, False]
        assert made.positions() == ()

    def test_a_ball_put_on_a_slot_has_not_entered_it(self):
        """A hand's doing is no touch; when the ball leaves that is told."""
        made = world({"B1": X})
        made.put_ball("B1")
        facts = settle(made)
        assert [type(fact) for fact in facts] == [BallLeft, BallEntered, BallFell]

    def test_a_ball_put_on_a_trap_lies_in_its_pocket(self):
        """It rests where it was put, however the trap is used later."""
        made = world({"B1": TRAP})
        made.put_ball("B1")
        assert settle(made) == ()
        assert dict(made.contents.slots) == {"B1": (1,)}

    def test_taking_a_ball_that_is_not_there_is_an_error(self):
        """As it would be on a table."""
        with pytest.raises(KeyError):
            world().take_ball(7)

    def test_time_does_not_go_back(self):
        """A world cannot be advanced into the past."""
        made = world()
        made.advance(5_000)
        with pytest.raises(ValueError, match="backwards"):
            made.advance(4_999)

    def test_a_sleeping_board_costs_no_steps(self):
        """An hour passes at once when nothing moves."""
        made = world(mixed(random.Random(3)))
        roll(made, "L2")
        made.advance(made.now_us + 3_600_000_000)
        assert not made.moving
        assert made.facts() == ()


CUTS = st.lists(st.integers(1, 400_000), min_size=1, max_size=25)


class TestSameAgain:
    """The same seed and calls give the same world."""

    @pytest.mark.slow
    @settings(max_examples=12, deadline=None)
    @given(seed=st.integers(0, 1_000), cuts=CUTS)
    def test_the_cutting_up_of_time_makes_no_difference(self, seed, cuts):
        """Three balls, a lift and a kick: positions and facts agree to the last bit."""

        def play(steps):
            made = world(mixed(random.Random(seed), empty=1), seed=seed)
            told = []

            def until(to_us):
                for step in steps:
                    if made.now_us + step < to_us:
                        made.advance(made.now_us + step)
                        told.extend(made.facts())
                made.advance(to_us)
                told.extend(made.facts())

            made.release("L2")
            until(150_250)
            made.release("R1")
            until(700_001)
            made.kick("B1")
            made.lift("B3")
            until(900_000)
            made.release("L3")
            until(6_000_000)
            return told, made.positions(), made.contents

        assert play(cuts) == play([])


@pytest.mark.slow
def test_no_ball_rests_in_the_middle_of_nowhere():
    """On 60 boards of straight and curved paths a ball rests only in a mouth, in a valley or on another ball."""
    odd = []
    for seed in range(60):
        rng = random.Random(seed)
        tiles = {slot: (rng.choice((X, DIC)), rng.choice((0, 3))) for slot in BOARD.slot_names}
        made = world(tiles, seed=seed)
        facts = roll(made, rng.choice(BOARD.ramps).name)
        if made.positions() and not isinstance(facts[-1], (BallInZone, BallStuckOnRamp)):
            _ball, x_mm, y_mm = made.positions()[0]
            near = min(math.dist((x_mm, y_mm), (s.x_mm, s.y_mm)) for s in BOARD.slots)
            odd += [] if near > 18.0 else [(seed, near)]
    assert odd == []


def test_lay_replaces_what_was_there():
    """A tile laid on a slot takes the place of the one before."""
    made = world({"B1": J})
    lay(made, {"B1": X})
    assert made.tiles["B1"] == (X, 0)


class TestStepping:
    """The short cut into pymunk's C functions."""

    def test_the_short_cut_gives_the_same_way_as_pymunk(self):
        """Three thousand steps either way end in the same place to the last bit."""

        def fallen(*, wrapped):
            table = Table(15.0)
            table.set_walls("bowl", [(-60, 0, 0, 50), (0, 50, 60, 10), (-20, -40, 5, -30)], 0.0, 0.0)
            balls = [table.add_ball(-15.0, -60.0), table.add_ball(10.0, -20.0, 50.0, 0.0)]
            step = stepper(table.space, 0.001, wrapped=wrapped)
            step(3_000)
            return [tuple(ball.body.position) for ball in balls], [ball.place() for ball in balls]

        assert fallen(wrapped=True) == fallen(wrapped=False)
        places, read = fallen(wrapped=False)
        assert places == read


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_every_tile_of_the_catalogue_can_be_rolled_over(name):
    """In each of its turns, with two balls: facts come in order and something becomes of every ball."""
    tile = CATALOGUE[name]
    for turns in tile.turns:
        made = world({"C2": (tile, turns)} if tile.covers else {"B1": (tile, turns)})
        facts = roll(made, "L2") + roll(made, "L1")
        assert [fact.at_us for fact in facts] == sorted(fact.at_us for fact in facts)
        assert not made.moving


class TestFloors:
    """What the floor of a tile does besides leading down."""

    def test_a_hole_beside_the_middle_drops_a_ball(self):
        """10 mm below the middle of a straight channel, or above it if the tile lies the other way round."""
        shaft = kind("shaft", ((1, 4),), holes=((0.0, 10.0, 6.25),))
        took_us = {}
        for turns in (0, 3):
            facts = roll(world({"B1": (shaft, turns)}), "L2")
            assert isinstance(facts[-1], BallFell)
            took_us[turns] = facts[-1].at_us - facts[0].at_us
        assert took_us[3] < took_us[0]

    def test_a_ball_lies_still_where_three_channels_meet(self):
        """In the round bottom of a basin it comes to rest, wakes when the tile is lifted, and falls."""
        basin = kind("basin", ((1, 2, 6),))
        made = world({"B1": basin})
        roll(made, "L2")
        assert not made.moving
        (ball,) = made.contents.slots["B1"]
        cell = made.cells["B1"]
        where = {number: (x, y) for number, x, y in made.positions()}
        assert cell.middle_mm(*where[ball]) < 1.5
        other = made.release("L1")
        settle(made)
        assert set(made.contents.slots["B1"]) == {ball, other}
        assert set(made.lift("B1")) == {ball, other}

"""Insight follows the ways that a ball may take over tiles that everybody sees."""

import pytest
from helpers.simulated import BOARD, TILES
from hextraction.board.tiles import UNKNOWN_SHAPE
from hextraction.controller.games.hextraction.shown.insight import Insight

INSIGHT = Insight(BOARD)
FULL = dict.fromkeys(BOARD.slot_names, (TILES["asterisk"], 0))


def test_an_empty_board_is_worth_nothing_but_its_first_slots():
    """A ball falls through the first open slot: nothing is gained."""
    assert INSIGHT.worth({}) < INSIGHT.worth(FULL)


def test_a_way_into_an_end_zone_is_worth_more_than_one_over_the_side():
    """A board on which every way is open reaches end zones and has a worth above a single tile's."""
    ramp = BOARD.ramps[0]
    one = {ramp.slot: (TILES["asterisk"], 0)}
    assert INSIGHT.worth(FULL, [ramp.name]) > INSIGHT.worth(one, [ramp.name]) > INSIGHT.worth({}, [ramp.name])


def test_the_open_slots_are_those_without_a_tile():
    """A tile takes its slot."""
    some = {"A1": (TILES["x"], 0)}
    assert "A1" not in INSIGHT.open_slots(some)
    assert len(INSIGHT.open_slots(some)) == 21


def test_the_best_place_is_the_one_after_which_the_board_is_worth_most():
    """Of all places none makes a better board than the one chosen."""
    some = {slot: laid for slot, laid in FULL.items() if slot not in {"B2", "C3"}}
    tile = TILES["x"]
    places = [(slot, turns) for slot in ("B2", "C3") for turns in tile.turns]
    best = max(INSIGHT.worth({**some, where: (TILES["x"], way)}) for where, way in places)
    for offered in (places, places[::-1]):
        worth, slot, turns = INSIGHT.best_place(some, tile, offered)
        assert (slot, turns) in places
        assert worth == best


def test_no_place_is_no_best_place():
    """A tile that fits nowhere gets no advice."""
    assert INSIGHT.best_place(FULL, TILES["x"], []) is None


def test_a_tile_that_nobody_knows_lets_balls_out_downhill():
    """An unseen tile is thought to lead down every way."""
    ramp = BOARD.ramps[0]
    assert INSIGHT.worth({ramp.slot: (UNKNOWN_SHAPE, 0)}, [ramp.name]) != INSIGHT.worth({}, [ramp.name])


def test_a_ball_with_three_ways_brings_the_mean_of_what_they_bring():
    """Below one open tile at B1 lie slots 0.75, 1.5 and 0.75 deep, and nothing catches the ball there."""
    assert BOARD.ramps[0].slot == "B1"
    assert INSIGHT.worth({"B1": (TILES["asterisk"], 0)}, [BOARD.ramps[0].name]) == pytest.approx(1.0)

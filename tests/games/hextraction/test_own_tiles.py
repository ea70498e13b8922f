"""Tiles of a kind that is rare or not printed yet: several Limits, three parts, more than one slot."""

from pathlib import Path

import pytest
from helpers.tabletop import Table, setup
from hextraction.board.facts import BallEntered, BallReleased
from hextraction.controller.games.hextraction import Hextraction
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue, load_tiles
from hextraction.controller.games.hextraction.scenario.language import speaking

SCENARIO_TILES = Path(__file__).parents[2] / "scenarios" / "tiles.toml"

TRIO = """
[[tile]]
name = "trio"
title = "TRIO"
channels = [[1, 4]]
keywords = ["combo"]
parts = ["trio-a", "trio-b", "trio-c"]

[[tile]]
name = "trio-a"
title = "TRIO-A"
channels = [[1, 4]]

[[tile]]
name = "trio-b"
title = "TRIO-B"
channels = [[1, 4]]

[[tile.effect]]
when = "limit"
deed = "only_bottom_row"
text = "Only in the bottom row."

[[tile]]
name = "trio-c"
title = "TRIO-C"
channels = [[1, 4]]
"""
SHY = """
[[tile]]
name = "shy"
title = "SHY"
channels = [[1, 4]]

[[tile.effect]]
when = "limit"
deed = "only_highest_open"
text = "Only in the highest open slot."

[[tile.effect]]
when = "limit"
deed = "only_bottom_row"
text = "Only in the bottom row."
"""
BENCH = """
[[tile]]
name = "bench"
title = "BENCH"
covers = [2]
channels = [[1, 2, 3, 4, 5, 6]]

[[tile.effect]]
when = "ongoing"
deed = "no_draw"
text = "Nobody draws."
"""
PISTOL = """
[[tile]]
name = "pistol"
title = "PISTOL"
channels = [[1, 2, 3, 4, 5, 6]]
captive = 1

[[tile.effect]]
when = "ongoing"
deed = "supply"
text = "Use the ball of this tile."
"""
PLEDGE = """
[[tile]]
name = "pledge"
title = "PLEDGE"
channels = [[1, 2, 3, 4, 5, 6]]

[[tile.effect]]
when = "on_play"
deed = "extra_play"
forbidden = true
text = "Whoever played this plays one tile more this turn."

[[tile.effect]]
when = "on_play"
deed = "chime"
text = "The chime rings once."
"""


@pytest.fixture
def table_with(tmp_path):
    """Return a function that starts a game in which such tiles exist."""

    def begin(tiles, wanted):
        (tmp_path / "own.toml").write_text(tiles, encoding="utf-8")
        table = Table(setup(tiles=("plain",), count=30))
        table.game = Hextraction(table.board, {**load_tiles(), **load_catalogue(tmp_path)})
        table.state = table.game.start(wanted)
        return table

    return begin


@pytest.fixture
def played(tmp_path):
    """Return a function that plays a scenario in which such tiles exist, and tells what did not come true."""

    def play(tiles, script):
        (tmp_path / "own.toml").write_text(tiles, encoding="utf-8")
        language = speaking({**load_catalogue(SCENARIO_TILES), **load_catalogue(tmp_path)})
        (case,) = language.read(script, "own.scenario")
        return language.play(case)

    return play


def places(table):
    """Return the slots in which the tile in play may be laid."""
    return {act["slot"] for _seat, act in table.offers() if act["do"] == "place"}


def test_the_first_of_three_parts_leaves_the_second_its_only_slot(table_with):
    """Where a part has a Limit of its own, each part before it lies elsewhere (2.2.1.1, 3.Limit)."""
    laid = [(slot, "plain", 0) for slot in ("A3", "B4", "D4", "E3")]
    table = table_with(TRIO, setup(tiles=("trio",), count=12, laid=laid))

    assert table.act("red", {"do": "play", "tile": table.state.players[0].hand[0]}) is None
    assert places(table) == {*table.board.slot_names} - {*table.board.bottom_row}


def test_of_two_limits_that_leave_no_slot_either_may_be_ignored(table_with):
    """One open slot is the highest, the other in the bottom row: each is against one of the two (2.2.2.3, R-38)."""
    board = Table(setup(tiles=("plain",), count=30)).board
    laid = [(slot, "plain", 0) for slot in board.slot_names if slot not in {"C2", "C5"}]
    table = table_with(SHY, setup(tiles=("shy",), count=12, laid=laid))

    assert table.act("red", {"do": "play", "tile": table.state.players[0].hand[0]}) is None
    assert places(table) == {"C2", "C5"}


def test_a_larger_tile_is_pointed_at_by_its_first_slot(table_with):
    """Whatever may be done with it is offered where it was laid, not where it reaches to (R-43)."""
    table = table_with(BENCH, setup(tiles=("plain",), count=30, laid=[("C3", "bench", 0)]))
    offered = [option for option in table.view("blue").options if option.slot in {"C3", "D2"}]

    assert {option.group for option in offered} == {"flag", "rules", "vote"}
    assert {option.slot for option in offered} == {"C3"}


@pytest.mark.parametrize(
    "kind", ["battleship", "fortune-cookie", "gear", "hammer", "recall", "sniper", "turner"]
)
def test_an_effect_that_asks_for_a_tile_names_a_larger_one_by_its_first_slot(kind):
    """The tile at C2 reaches to D1; both lie beside the one that asks (R-14)."""
    wanted = setup(laid=[("C1", kind, 0), ("C2", "wide", 0)])
    table = Table()
    table.game = Hextraction(table.board, {**load_tiles(), **load_catalogue(SCENARIO_TILES)})
    table.state = table.game.start(wanted)
    table.act("red", {"do": "roll", "ramp": "c"})
    way = (
        BallReleased(at_us=table.later(), ball=1, ramp="c"),
        BallEntered(at_us=table.later(), ball=1, slot="C1"),
    )
    for fact in way:
        table.feed(fact)
    table.quiet(*way)
    (ask,) = table.state.asks
    while ask.choices[0][0] in {"yes", "1"}:  # whether it is used at all, or what its slip says
        assert table.act(ask.seat, {"do": "answer", "prompt": ask.id, "choice": ask.choices[0][0]}) is None
        (ask,) = table.state.asks

    assert {word[:2] for word, _label in ask.choices} & {"C2", "D1"} == {"C2"}


def test_a_tile_with_one_ball_of_its_own_has_none_left_for_the_next_ball_of_the_roll(played):
    """People are asked to take a ball out of it once (2.6.3)."""
    script = """
SCENARIO 2.6.3: one ball of its own
slot c1 VOLLEY
slot e3 PISTOL
DO Red picks ramp c
EXPECT said "PISTOL at E3: Use the ball of this tile."
DO ball 1 released on c; ball 1 enters c1; quiet; Red picks ramp a
EXPECT not said "PISTOL at E3: Use the ball of this tile."
"""
    assert played(PISTOL, script) is None


def test_a_play_that_a_forbidden_effect_has_given_stays_when_another_of_the_tile_is_struck(played):
    """To speak about the meta rules is what a Forbidden effect is for (0.1.3, 0.4.2)."""
    script = """
SCENARIO 0.1.3 0.4.2: one of two effects is struck
hand Red PLEDGE, 2 PLAIN
DO Red plays PLEDGE; Red votes enable; Blue votes enable; Green votes enable; Red places it at c1; Red lets go
DO Red answers PLEDGE; commit
EXPECT plays owed 1
DO Blue flags c1 as meta; Red answers Agreed; commit
EXPECT plays owed 1; said clause 0.1.3
"""
    assert played(PLEDGE, script) is None

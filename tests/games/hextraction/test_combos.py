"""A Combo that is laid in parts, and loses one before the last is laid: every tile is in one place (2.4.6)."""

import pytest
from helpers.tabletop import Table, boxed, setup
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.protocol import TileSeen
from hypothesis import given, settings
from hypothesis import strategies as st

COMBOS = ("pair", "vduo")


def half_laid(parts, seed, combos=COMBOS):
    """Return a table at which the first player has laid so many parts of a Combo, and the next is in play."""
    table = Table(setup(tiles=combos, count=12, seed=seed, laid=[("C3", "vmate", 0), ("E1", "plain", 0)]))
    seat = table.state.active
    copy = table.state.players[0].hand[0]
    assert table.act(seat, {"do": "play", "tile": copy}) is None
    for _part in range(parts):
        if table.state.play.seated:
            break  # PAIR has but two
        lay(table, seat)
    return table


def lay(table, seat, *, let_go=True):
    """Lay the part in play into its first legal slot."""
    offers = [act for who, act in table.offers() if who == seat and act["do"] == "place"]
    assert table.act(seat, offers[0]) is None
    if let_go:
        assert table.act(seat, {"do": "seated"}) is None


def falls_out(table, slot):
    """A tile has left its slot, and whoever is asked says that it fell."""
    table.feed(TileSeen(at_us=table.later(), slot=slot, present=False))
    (ask,) = (ask for ask in table.state.asks if ask.kind == "lifted")
    assert table.act(ask.seat, {"do": "answer", "prompt": ask.id, "choice": "fell"}) is None


@settings(max_examples=30)
@given(parts=st.integers(1, 3), which=st.integers(0, 4), placed=st.booleans(), seed=st.integers(0, 99))
def test_whichever_tile_falls_out_every_tile_is_in_one_place(parts, which, placed, seed):
    """Before, while and after the next part is laid: no tile is twice in the game, and none is lost."""
    table = half_laid(parts, seed)
    before = boxed(table.state)
    if placed and table.state.phase is Phase.PLACING:
        lay(table, table.state.active, let_go=False)

    falls_out(table, table.state.laid[which % len(table.state.laid)].slots[0])

    assert boxed(table.state) == before


@settings(max_examples=30)
@given(parts=st.integers(1, 2), seed=st.integers(0, 99))
def test_after_a_part_fell_out_the_player_plays_another_tile(parts, seed):
    """The hand is full again, one play is owed, and no part of the first tile is left on the board."""
    table = half_laid(parts, seed, combos=("vduo",))
    part = table.state.play.done[-1]

    falls_out(table, table.state.laid[-1].slots[0])
    table.wakes()

    assert len(table.state.players[0].hand) == 3
    assert table.state.plays_owed == 1
    assert table.state.play is None
    assert part not in [laid.copy for laid in table.state.laid]
    assert any(act["do"] == "play" for _seat, act in table.offers())


@pytest.mark.parametrize("parts", [1, 2])
def test_a_mate_that_lay_there_before_stays(parts):
    """Only the counterpart that came with the Combo goes back with it, though it has not lain yet (3.Combo.5)."""
    table = half_laid(parts, seed=1, combos=("vduo",))
    own = table.state.play.pieces[-1] if table.state.play.pieces else table.state.play.copy

    falls_out(table, table.state.laid[-1].slots[0])

    assert own in table.state.virtual
    assert table.state.laid[0].slots == ("C3",)

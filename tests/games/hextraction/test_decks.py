"""The tiles that are in the box when nobody brought any."""

import random
from collections import Counter
from pathlib import Path

import pytest
from hextraction.board.outlook import outlook
from hextraction.board.profile import load_board
from hextraction.board.routes import load_routes
from hextraction.controller.games.hextraction import Config
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.setup.decks import demo_setup, playable, quick_start, upper_half
from hextraction.controller.games.hextraction.setup.house import box_tiles, demo_house
from hextraction.controller.table.lobby import Chair

CHAIRS = (Chair(seat="red", kind="bot", name="Rosa"), Chair(seat="blue", kind="bot", name="Blaise"))


def test_no_test_tile_is_in_a_real_bag():
    """The fixture tiles of the scenarios exist nowhere, so nobody can have drawn one."""
    names = set(box_tiles(None))

    assert {"bell", "crown", "skull"} & names == set()
    assert {"dic", "asterisk", "seek"} <= names


def test_a_players_own_tile_is_in_the_bag_also_without_a_creator(tmp_path: Path):
    """A tile of one's own needs no designer's name to be played."""
    (tmp_path / "mine.toml").write_text(
        '[[tile]]\nname = "mine"\ntitle = "Mine"\nchannels = [[1, 4]]\n', encoding="utf-8"
    )

    assert "mine" in box_tiles(tmp_path)


def test_a_demo_deck_needs_no_hands():
    """Nothing in a demo's box asks people to do what a simulated table cannot."""
    tiles = load_tiles()
    laid = quick_start(load_board(), tiles, 12, random.Random(1))
    setup = demo_setup(tiles, "standard-22", CHAIRS, laid=laid, config=Config(), chance=5, at_us=0)
    effects = [effect for share in setup.pool for effect in tiles[share.name].effects]

    assert len({slot for slot, _name, _turns in setup.laid}) == 12
    assert sum(share.count for share in setup.pool) >= 22 - 12 + 6
    assert "attested" not in {effect.deed.word for effect in effects}
    assert not playable(tiles["gear"])


@pytest.mark.parametrize("name", ["standard-22", "small-18", "large-32"])
def test_where_the_upper_half_is_laid_a_first_ball_runs_and_does_not_win_yet(name: str):
    """Of a hundred balls fewer than fifteen get no further than the first tile; laid by chance it is a third or more."""
    board, tiles = load_board(name), load_tiles()
    routes, first = load_routes(board.tilt_deg), {ramp.slot for ramp in board.ramps}
    short, count = 0.0, 0
    for seed in range(10):
        laid = upper_half(board, tiles, random.Random(seed))
        for one in outlook(board, {slot: (tiles[tile], turns) for slot, tile, turns in laid}, routes):
            stays = {f"{kind}.{slot}" for kind in ("hole", "slot") for slot in first} | {f"ramp.{one.ramp}"}
            short += sum(share for end, share in one.ends.items() if end in stays)
            count += 1
            assert one.zone == 0
    assert short / count < 0.15


def test_a_demo_deck_has_no_tile_that_exists_nowhere():
    """The fixture tiles of the scenarios, which have no designer, stay out of it; printed ones are in."""
    setup = demo_setup(load_tiles(), "standard-22", CHAIRS, laid=(), config=Config(), chance=5, at_us=0)
    names = {share.name for share in setup.pool}

    assert {"bell", "crown", "skull"} & names == set()
    assert {"dic", "flip-flop", "double-trap"} <= names


@pytest.mark.parametrize("creator", ["", 'creator = "Ada"\n'], ids=["nobody's name", "a creator"])
def test_a_demo_deck_has_tiles_of_ones_own(tmp_path: Path, creator: str):
    """As often as paths, so that they are seen: with or without a creator or a card, also in place of a test tile."""
    (tmp_path / "tiles.toml").write_text(
        f'[[tile]]\nname = "mine"\ntitle = "Mine"\n{creator}channels = [[1, 4]]\n'
        f'[[tile]]\nname = "bell"\ntitle = "My Bell"\n{creator}channels = [[1, 4]]\n'
        f'[[tile]]\nname = "dc"\ntitle = "My DC"\n{creator}channels = [[1, 4]]\n',
        encoding="utf-8",
    )
    tiles = demo_house(0, tmp_path).tiles()
    setup = demo_setup(tiles, "standard-22", CHAIRS, laid=(), config=Config(), chance=5, at_us=0)
    shares = Counter({share.name: 0 for share in setup.pool})
    for share in setup.pool:
        shares[share.name] += share.count

    assert (shares["mine"], shares["bell"], shares["dc"]) == (4, 4, 4)
    assert {"crown", "skull"} & shares.keys() == set()


def test_the_deck_of_a_demo_without_own_tiles_is_that_of_the_shipped_ones():
    """That phones are told titles as names makes no tile one of somebody's own."""
    said = (demo_house(0).tiles(), load_tiles())
    decks = [
        demo_setup(tiles, "standard-22", CHAIRS, laid=(), config=Config(), chance=5, at_us=0).pool
        for tiles in said
    ]

    assert decks[0] == decks[1]
    assert {share.count for share in decks[0]} == {2, 4}

"""The tiles that are in the box when nobody brought any."""

import random
from pathlib import Path

from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Config
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.setup.decks import demo_setup, playable, quick_start
from hextraction.controller.games.hextraction.setup.house import box_tiles
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


def test_a_demo_deck_has_no_tile_that_exists_nowhere():
    """The fixture tiles of the scenarios, which have no designer, stay out of it; printed ones are in."""
    setup = demo_setup(load_tiles(), "standard-22", CHAIRS, laid=(), config=Config(), chance=5, at_us=0)
    names = {share.name for share in setup.pool}

    assert {"bell", "crown", "skull"} & names == set()
    assert {"dic", "flip-flop", "double-trap"} <= names

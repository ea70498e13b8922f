"""Another effect of somebody else's: it asks two people, and moves tiles from hand to hand."""

import random

import pytest
from helpers.installed_example import example_is_installed
from helpers.places import ROOT
from helpers.tabletop import Table, boxed, play_a_bit, setup
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.scenario.language import run_file

ROOM = ROOT / "examples" / "tribute"
TILES = ROOM / "tiles"
LAID = (("C2", "tax-collector", 0), ("C3", "bell", 2), ("D2", "skull", 0), ("E1", "plain", 0))


@pytest.fixture(autouse=True, scope="module")
def installed(tmp_path_factory):
    """Let the example be installed."""
    with example_is_installed(tmp_path_factory.mktemp("installed"), ROOM):
        yield


def test_its_scenarios_come_true():
    """Named, given, voted off, disputed, taken back, asked anew, and left."""
    true, failures = run_file(TILES / "tribute.scenario")
    assert true > 15
    assert failures == []


@pytest.mark.parametrize("seed", range(4))
def test_games_with_it_lose_no_tile_and_replay(seed):
    """Whatever is offered is accepted, every tile is somewhere, and the events alone lead to the same game."""
    chance = random.Random(seed)
    wanted = setup(
        tiles=("tax-collector", "emperor", "congress", "plain", "hammer"), laid=LAID, seed=seed, grace_us=0
    )
    table = Table(wanted, load_catalogue(TILES))
    box = boxed(table.state)
    for _step in range(150):
        if table.state.phase is Phase.OVER:
            break
        assert play_a_bit(table, chance)
        assert boxed(table.state) == box
    assert table.replayed() == table.state

"""An effect of somebody else's: a word in a package of its own plays as ours do, and a broken one stops nothing."""

import random
import re

import pytest
from helpers.installed_example import example_is_installed, lay_out
from helpers.places import ROOT
from helpers.tabletop import Table, boxed, play_a_bit, setup
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue, load_tiles, read_tiles
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY
from hextraction.controller.games.hextraction.scenario.language import run_file
from hextraction.controller.workshop.bring_up.checkup.computer import games
from hextraction.controller.workshop.bring_up.checkup.machine import Case, Machine
from hextraction.settings import SettingsError

ROOM = ROOT / "examples" / "swap_neighbours"
TILES = ROOM / "tiles"
LAID = (("C2", "trading-places", 0), ("C3", "bell", 2), ("D2", "skull", 0), ("E1", "plain", 0))
TILE = """
[[tile]]
name = "odd"
title = "Odd"
channels = [[1, 4]]
[[tile.effect]]
when = "on_play"
deed = "{word}"
text = "Something odd happens."
"""
BROKEN = {
    "raises": ("1 / 0", "it cannot be imported: ZeroDivisionError"),
    "leaves": ("import sys; sys.exit(3)", "it cannot be imported: SystemExit"),
    "no word": ("ODD = 7", "want a Deed or an Acting, found 7"),
    "another word": (
        "from hextraction.controller.games.hextraction.effects import Deed\nODD = Deed(word='even', meaning='Even.')",
        "its object is spelled 'even', the entry point 'odd_{}'",
    ),
}


@pytest.fixture(autouse=True, scope="module")
def installed(tmp_path_factory):
    """Let the example be installed."""
    with example_is_installed(tmp_path_factory.mktemp("installed"), ROOM):
        yield


@pytest.fixture(params=BROKEN)
def broken(request, tmp_path, monkeypatch):
    """Let a package be installed that adds a broken word; return the word and what is wrong with it."""
    code, wrong = BROKEN[request.param]
    word = f"odd_{request.param.replace(' ', '_')}"
    (tmp_path / f"{word}_package.py").write_text(code, encoding="utf-8")
    lay_out(tmp_path, "somebodys-word", "0.1", {"hextraction.effects": {word: f"{word}_package:ODD"}})
    monkeypatch.syspath_prepend(tmp_path)
    return word, wrong.format(request.param.replace(" ", "_"))


def hit(table):
    """Let a ball hit the tile at C2 and lie still; return whose roll it is."""
    seat = table.state.active
    table.act(seat, {"do": "roll", "ramp": "c"})
    table.releases("c")
    table.enters("C2")
    table.quiet(*table.events[-2:])
    return seat


def test_its_scenarios_come_true():
    """Swapped, voted off, disputed, taken back, asked anew, and left alone."""
    true, failures = run_file(TILES / "swap_neighbours.scenario")
    assert true > 5
    assert failures == []


def test_a_phone_offers_its_choices_like_any_others():
    """The options of the question are all that somebody needs to swap two tiles."""
    table = Table(setup(laid=LAID), load_catalogue(TILES))
    seat = hit(table)
    (first,) = table.view(seat).prompts
    assert [option.label for option in first.options] == ["SKULL at D2", "BELL at C3"]
    assert table.act(seat, first.options[0].act) is None
    (second,) = table.view(seat).prompts
    assert [option.label for option in second.options] == ["BELL at C3"]
    assert table.act(seat, second.options[0].act) is None

    lying = {laid.slot: table.state.copies[laid.copy].name for laid in table.state.laid}
    assert (lying["C3"], lying["D2"]) == ("skull", "bell")
    assert table.replayed() == table.state


@pytest.mark.parametrize("seed", range(4))
def test_games_with_it_lose_no_tile_and_replay(seed):
    """Whatever is offered is accepted, every tile is somewhere, and the events alone lead to the same game."""
    chance = random.Random(seed)
    wanted = setup(tiles=("trading-places", "plain", "wide", "hammer"), laid=LAID, seed=seed, grace_us=0)
    table = Table(wanted, load_catalogue(TILES))
    box = boxed(table.state)
    hit(table)
    assert any("swap which tile" in ask.text for ask in table.state.asks)
    for _step in range(80):
        if table.state.phase is Phase.OVER:
            break
        assert play_a_bit(table, chance)
        assert boxed(table.state) == box
    assert table.replayed() == table.state


def test_a_tile_with_a_broken_word_is_told_with_its_package_and_reason(broken, tmp_path):
    """It stands at its key in the tile file, as any other mistake."""
    word, wrong = broken
    path = tmp_path / "odd.toml"
    path.write_text(TILE.format(word=word), encoding="utf-8")
    told = re.escape(f"the word '{word}' of somebodys-word 0.1 cannot be used: {wrong}")
    with pytest.raises(SettingsError, match=rf"odd.toml:8: .*deed: {told}"):
        read_tiles([path], load_tiles())


def test_a_broken_word_stops_no_table(broken):
    """No package is imported for tiles that do without it; the doctor says what is wrong with it."""
    word, wrong = broken
    assert load_catalogue(TILES)["trading-places"].effects[0].deed.word == "swap_neighbours"
    assert word in VOCABULARY.added()
    finding = games(Case(machine=Machine()))
    assert finding.state == "problem"
    assert wrong in finding.says


def test_a_word_that_nobody_has_is_refused_with_those_there_are(tmp_path):
    """Whoever wrote it is told the nearest one, also if a package brings that."""
    path = tmp_path / "odd.toml"
    path.write_text(TILE.format(word="swap_neighbour"), encoding="utf-8")
    with pytest.raises(SettingsError, match="did you mean 'swap_neighbours'"):
        read_tiles([path], load_tiles())

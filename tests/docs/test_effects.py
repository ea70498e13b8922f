"""The page about the vocabulary of effects: every word has its meaning, and every example can be read."""

import re
from dataclasses import fields

import pytest
from helpers.places import ROOT
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles, read_tiles
from hextraction.controller.games.hextraction.cards.tiles import Effect, Keyword, Tile, Trigger, When, Who
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY

from docs.effects_page import effects_page, meanings

PAGE = (ROOT / "docs" / "effects.md").read_text(encoding="utf-8")
OWN_TILE = (ROOT / "docs" / "your-own-tile.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"### `(\w+)`\n.*?```toml\n(.*?)```", PAGE, re.DOTALL)
PICKED = '\n[[tile.effect]]\nwhen = "picked"\ndeed = "nothing"\ntext = "Nothing."\n'
PICKING = '\n[[tile.effect]]\nwhen = "on_play"\ndeed = "pick"\ntext = "Look at the coin."\n'


@pytest.mark.slow
def test_the_page_says_what_the_vocabulary_is_today():
    """A word that is new, or means something else, is noticed: `make docs` writes the page anew."""
    assert effects_page() == PAGE


@pytest.mark.parametrize("words", [When, Who, Trigger, Keyword])
def test_every_word_has_its_meaning(words):
    """Below each word of the vocabulary the code says what it means."""
    assert list(meanings(words)) == [word.value for word in words]
    assert all(meaning.endswith(".") for meaning in meanings(words).values())


def test_every_deed_has_its_meaning():
    """It is a sentence, and names the keys that the deed has of its own."""
    for deed in VOCABULARY:
        assert deed.meaning.endswith(".")
        named = set(re.findall(r"`(\w+)`", deed.meaning))
        assert named & {"amount", "who", "ramps", "tile", "edge", "eats"} <= {*deed.needs, *deed.keys}, deed


def test_every_key_of_an_effect_is_explained():
    """The table of keys has each of them once, in the order in which they are read."""
    told = re.findall(r"^\| `(\w+)` \|", PAGE.split("## The keys")[1].split("##")[0], re.MULTILINE)
    assert told == [one.name for one in fields(Effect)]


def test_every_key_of_a_tile_is_explained():
    """The table on the page about a tile of one's own has what a tile is made of; notches are turns told otherwise."""
    told = re.findall(r"^\| `(\w+)` \|", OWN_TILE.split("## All keys")[1], re.MULTILINE)
    assert {*told} == {*(one.name for one in fields(Tile)), "effect", "notches"} - {"effects"}
    assert len(told) == len({*told})


@pytest.mark.parametrize(("deed", "example"), EXAMPLES, ids=[deed for deed, _example in EXAMPLES])
def test_the_example_of_a_deed_can_be_read(deed, example, tmp_path):
    """Put below a tile of its own it is a tile file without any mistake."""
    more = "hole = true\n" if deed == "hole_costs_tile" else ""
    more += 'trigger = "whole"\n' if 'when = "trigger"' in example else ""
    also = PICKED if 'deed = "pick"' in example else PICKING if 'when = "picked"' in example else ""
    path = tmp_path / "own.toml"
    head = f'[[tile]]\nname = "own"\ntitle = "Own"\nchannels = [[1, 2, 3, 4, 5, 6]]\n{more}\n'
    path.write_text(head + example + also, encoding="utf-8")
    (tile,) = [one for one in read_tiles([path], load_tiles()).values() if one.name == "own"]
    assert tile.effects[0].deed.word == deed


def test_there_is_an_example_of_every_deed():
    """None is left out."""
    assert [deed for deed, _example in EXAMPLES] == list(VOCABULARY.words())

"""A question may spell its choices as it likes: what it is about says whether it tells a hand (1.2.1)."""

import pytest
from helpers.installed_example import lay_out
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.scenario.language import speaking

WORD = """
from hextraction.controller.games.hextraction.effects import Acting, OfEffect


class Confession(OfEffect, frozen=True, kw_only=True):
    about_hand = {declared}


def ask(move, doing):
    kinds = {{move.state.copies[copy].name: move.title(copy) for copy in move.player(doing.seat).hand}}
    doing.ask(move, "show which kind?", "1.2.1", list(kinds.items()), doing.about(Confession))


CONFESS = Acting(word="{word}", meaning="It asks for a kind in the hand.", do=ask)
"""
TILE = """
[[tile]]
name = "confessor"
title = "CONFESSOR"
creator = "a test"
channels = [[1, 4]]
[[tile.effect]]
when = "on_play"
deed = "{word}"
text = "Show which kind?"
"""
CASE = """
SCENARIO 1.2.1: a hand in words
hand Red CONFESSOR, BELL, SKULL
DO Red plays CONFESSOR at c1
EXPECT prompt Red effect: BELL, SKULL
EXPECT hands secret
"""


@pytest.fixture(params=[True, False], ids=["declared", "undeclared"])
def played(request, tmp_path, monkeypatch):
    """Play a tile whose word spells its choices by kind; return whether it says so, its driver and failure."""
    declared = request.param
    word = f"confess_{declared}".lower()
    (tmp_path / f"{word}_package.py").write_text(WORD.format(word=word, declared=declared), encoding="utf-8")
    lay_out(tmp_path, "somebodys-word", "0.1", {"hextraction.effects": {word: f"{word}_package:CONFESS"}})
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "tiles.toml").write_text(TILE.format(word=word), encoding="utf-8")
    tiles = load_catalogue(tmp_path / "tiles.toml")
    language = speaking(tiles)
    (script,) = language.read(CASE, "hands.scenario")
    return declared, *language.played(script)


def test_who_else_sees_a_question_is_declared(played):
    """Only a question that is declared to be about a hand is kept from the others."""
    declared, driver, _failure = played
    others = driver.game.private(driver.state, "blue").others
    assert [[option.label for option in prompt.options] for prompt in others] == (
        [] if declared else [["BELL", "SKULL"]]
    )


def test_a_scenario_says_whose_hand_a_question_tells(played):
    """`hands secret` reads what open questions say; it need not know the word."""
    declared, _driver, failure = played
    assert (failure is None) is declared
    assert declared or "red's hand shows: CONFESSOR at C1: show which kind?" in str(failure)

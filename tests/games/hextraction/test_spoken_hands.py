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
active {who}
hand {who} CONFESSOR, BELL, SKULL
DO {who} plays CONFESSOR at c1
EXPECT prompt {who} effect: BELL, SKULL
EXPECT hands secret
"""


@pytest.fixture(params=[True, False], ids=["declared", "undeclared"])
def played(request, tmp_path, monkeypatch):
    """Return whether a tile's word says that it spells its choices by kind, and how somebody's play of it goes."""
    declared = request.param
    word = f"confess_{declared}".lower()
    (tmp_path / f"{word}_package.py").write_text(WORD.format(word=word, declared=declared), encoding="utf-8")
    lay_out(tmp_path, "somebodys-word", "0.1", {"hextraction.effects": {word: f"{word}_package:CONFESS"}})
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "tiles.toml").write_text(TILE.format(word=word), encoding="utf-8")
    tiles = load_catalogue(tmp_path / "tiles.toml")
    language = speaking(tiles)
    return declared, lambda who: language.played(*language.read(CASE.format(who=who), "hands.scenario"))


def test_who_else_sees_a_question_is_declared(played):
    """Only a question that is declared to be about a hand is kept from the others."""
    declared, play = played
    driver, _failure = play("Red")
    others = driver.game.private(driver.state, "blue").others
    assert [[option.label for option in prompt.options] for prompt in others] == (
        [] if declared else [["BELL", "SKULL"]]
    )


@pytest.mark.parametrize("who", ["Red", "Blue", "Green"])
def test_a_scenario_says_whose_hand_a_question_tells(played, who):
    """`hands secret` reads what open questions say, to everybody else; it need not know the word."""
    declared, play = played
    _driver, failure = play(who)
    assert (failure is None) is declared
    assert declared or f"{who.lower()}'s hand shows: CONFESSOR at C1: show which kind?" in str(failure)

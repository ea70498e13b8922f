"""Every scenario of Hex'el comes true, and the language says what is wrong with a file that cannot be read."""

import re

import pytest
from helpers.hexagon.stories import Stories
from hextraction.controller.games.hexel.scenario import LANGUAGE
from hextraction.controller.games.scenarios import ScenarioError

STORIES = Stories("hexel", LANGUAGE)


@pytest.mark.parametrize("case", STORIES.cases, ids=STORIES.ids)
def test_scenario(case):
    """A scenario comes true line by line."""
    assert LANGUAGE.play(case) is None


def test_every_id_of_the_specification_has_a_scenario():
    """X-01 to X-20 are all there."""
    assert STORIES.named(r"X-\d\d") == {f"X-{number:02}" for number in range(1, 21)}


def test_every_sentence_is_used_by_a_scenario():
    """No sentence of the language is only written down."""
    assert STORIES.unused() == []


LINE = "line BBRRBR RBBRBB RRYRYY\nhand of Red BBBRBR RRRRRR\nhand of Blue BBBBBB\n"


def failure(text):
    """Play a file with one scenario; return what did not come true."""
    return STORIES.failure(f"{LINE}{text}")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("EXPECT d2 shows RRRRRR", "found None"),
        ("EXPECT cards on c2", "found {"),
        ("EXPECT matched 2", "found 0"),
        ("EXPECT stock of Red 1", "found 30"),
        ("EXPECT hedge of Red 1", "found 0"),
        ("EXPECT chips in all 1", "found 60"),
        ("EXPECT hand of Red BBBBBB", "found ['"),
        ("EXPECT Red holds 3 cards", "found 2"),
        ("EXPECT deck of 1", "found 40"),
        ("EXPECT thrown away 1", "found 0"),
        ("EXPECT turn of Blue", "found red"),
        ("EXPECT phase hedge", "found place"),
        ("EXPECT round 2", "found 1"),
        ("EXPECT winner Red", "found ()"),
        ("EXPECT nobody wins", "found (False, ())"),
        ("EXPECT Red is out", "found False"),
        ("EXPECT RRRRRR goes on a1", "found {"),
        ("EXPECT lamps glow on a1", "found set()"),
        ("EXPECT Hoxla of R on a1", "found ('', set())"),
        ("EXPECT line BBRRBR RBBRBB RRYRYY is not sound", "found True"),
        ("EXPECT line BBRRRB RRBRBB RRYRYY is sound", "found False"),
        ("EXPECT deck d46 of 46 cards is refused", "found it is read"),
        ("EXPECT Red is asked", "found []"),
        ("EXPECT to put c1", "found set()"),
        ("EXPECT to lift c1", "found set()"),
        ('EXPECT said "Hoxla"', "found nothing"),
        ('EXPECT Red is told "win"', "found Your turn"),
        ("EXPECT turn of Green", "found red"),
        ("EXPECT stock of Green 3", "found Green does not play"),
        ("DO Red leaves\nEXPECT game goes on", "found Blue wins"),
        ("DO Red lays RRRRRR on d2", "found refused: Edges that touch must show the same symbol. On D2"),
        ("DO Red answers back", "found refused: Nobody asks that now"),
        ("REFUSED 3.4.4: Red lays BBBRBR on d2", "found it is legal"),
        ("EXPECT not turn of Red", "found red"),
        ("REFUSED 9.9: Red lays BBBRBR on a1", "found refused by 3.4.4"),
    ],
)
def test_every_expectation_can_fail(line, found):
    """What is not so is reported with what was found."""
    assert found in failure(line)


def test_a_secret_that_is_public_is_found():
    """With an announced card everybody sees something of a hand, and the sentence about secrets says so."""
    told = failure("EXPECT nothing hidden is public\nDO Red shows RRRRRR\nEXPECT nothing hidden is public")
    assert told is not None
    assert "x.scenario:7" in told


def test_all_mistakes_are_told_at_once():
    """Unknown sentences and boards, each with its line."""
    with pytest.raises(ScenarioError) as caught:
        LANGUAGE.read(
            "game hexel\nboard none\nline RRRRRR\nDO Red jumps\nEXPECT wimmer Red\nREFUSED Red passes\nstake 2\n",
            "x",
        )
    told = list(caught.value.problems)
    assert [line.split(":")[1] for line in told] == ["2", "3", "4", "5", "6", "7"]
    assert "there is no board 'none'" in told[0]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("line RRRRRR RRRRRR RRRRRR", "d46 has no card RRRRRR left; say `extra RRRRRR`"),
        ("dealer Green", "dealer: Green does not play"),
        ("stock of White 3", "White does not play"),
        ("line BBRRBR RBBRBB RRYRYY\n3,-3 shows RRRRRR", "there is no cell '3,-3' on this field"),
    ],
)
def test_a_case_that_cannot_be_is_a_mistake(text, wanted):
    """It is told with the line at which the case begins."""
    with pytest.raises(ScenarioError, match=re.escape(wanted)):
        LANGUAGE.read(f"game hexel\nSCENARIO x\n{text}\n", "x")


def test_an_empty_file_is_a_mistake():
    """It is told like any other."""
    with pytest.raises(ScenarioError, match="at least one scenario"):
        LANGUAGE.read("game hexel\n", "x")


def test_a_file_is_played_by_the_game_that_it_names():
    """The same command plays the files of every game."""
    passed, failed = STORIES.played_by_command()
    assert passed >= 10
    assert failed == []


def test_the_document_explains_every_sentence():
    """docs/hexel.md lists each sentence with its meaning, as the code has them."""
    assert STORIES.unexplained() == []

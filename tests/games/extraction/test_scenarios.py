"""Every scenario of Extraction comes true, and the language says what is wrong with a file that cannot be read."""

import pytest
from helpers.hexagon.stories import Stories
from hextraction.controller.games.extraction.scenario.language import LANGUAGE
from hextraction.controller.games.scenarios import ScenarioError

STORIES = Stories("extraction", LANGUAGE)


@pytest.mark.parametrize("case", STORIES.cases, ids=STORIES.ids)
def test_scenario(case):
    """A scenario comes true line by line."""
    assert LANGUAGE.play(case) is None


def test_every_id_of_the_specification_has_a_scenario():
    """E-01 to E-26 are all there."""
    assert STORIES.named(r"\bE-\d\d") == {f"E-{number:02}" for number in range(1, 27)}


def test_every_sentence_is_used_by_a_scenario():
    """No sentence of the language is only written down."""
    assert STORIES.unused() == []


MIDDLE = "hex c3 ore 8 5\nsettlement Red c3.12\nroads Red c3:2\nhand Red 1 wood\n"


def failure(text):
    """Play a file with one scenario; return what did not come true."""
    return STORIES.failure(f"{MIDDLE}{text}")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("EXPECT hand of Red 2 wood", "found (1, 0, 0, 0, 0)"),
        ("EXPECT cards of Red knight", "found []"),
        ("EXPECT bank 19 wood", "found {'wood': 18}"),
        ("EXPECT deck of 1", "found 25"),
        ("EXPECT c3 has 4 tokens", "found 5"),
        ("EXPECT c3 has disc 9", "found 8"),
        ("EXPECT c3 is used up", "found (False, 8)"),
        ("EXPECT supply 12", "found ()"),
        ("EXPECT 58 tokens", "found 5"),
        ("EXPECT 18 discs", "found 1"),
        ("EXPECT c3.12 is a city of Red", "found a settlement of Red"),
        ("EXPECT c3.23 is a city of Red", "found a settlement of nobody"),
        ("EXPECT c3.12 is empty", "found 0"),
        ("EXPECT c3:2 is a road of Blue", "found 0"),
        ("EXPECT stock of Red 5 4 15", "found (4, 4, 14)"),
        ("EXPECT points of Red 2", "found 1"),
        ("EXPECT longest route Red", "found -1"),
        ("EXPECT route of Red 2", "found 1"),
        ("EXPECT largest army Blue", "found -1"),
        ("EXPECT knights of Red 1", "found 0"),
        ("EXPECT turn of Blue", "found red"),
        ("EXPECT phase swap", "found act"),
        ("EXPECT Red is out", "found in"),
        ("EXPECT winners Red", "found set()"),
        ("EXPECT ended idle", "found "),
        ("EXPECT Red is offered attack", "found only end, offer"),
        ("EXPECT Red is not offered end", "found End your turn"),
        ("EXPECT road places of Red: c3:3", "found set()"),
        ("EXPECT Blue is asked offer", "found []"),
        ("EXPECT Blue may answer no", "found set()"),
        ("EXPECT to turn over c3", "found set()"),
        ('EXPECT said "five"', "found nothing"),
        ('EXPECT said 2 times "five"', "found 0"),
        ('EXPECT nobody else sees "Red"', "found it in Scene"),
        ("DO Blue leaves; Green leaves\nEXPECT game goes on", "found Nobody else is left"),
        ("DO Red offers 1 wood for 1 ore\nEXPECT nobody is asked", "found ['Red gives you"),
        ("DO Red builds a road at c3:3", "found refused: That costs 1 wood and 1 brick"),
        ("DO Red answers yes", "found refused: Nobody asks you that now"),
        ("REFUSED 1.4: Red ends the turn", "found it is legal"),
        ("EXPECT not turn of Red", "found red"),
        ("REFUSED 9.9: Red builds a road at c3:3", "found refused by 1.4"),
    ],
)
def test_every_expectation_can_fail(line, found):
    """What is not so is reported with what was found."""
    assert found in failure(line)


def test_all_mistakes_are_told_at_once():
    """Unknown sentences, places, boards and settings, each with its line."""
    with pytest.raises(ScenarioError) as caught:
        LANGUAGE.read(
            "game extraction\nboard none\nsetting attack fists\nsetting speed 3\nsetting still_rounds x\n"
            "hex c3 ore 8 5\nsettlement Red c3.12 c3.21\nhex a4 ore 8 5\nhex a1 ore 13 2\nDO Red jumps\n"
            "REFUSED Red throws 8\nhand Red 2 wood\n",
            "x",
        )
    told = list(caught.value.problems)
    assert [line.split(":")[1] for line in told] == ["2", "3", "4", "5", "7", "8", "9", "10", "11", "12"]
    assert "there is no board 'none'" in told[0]


def test_a_position_that_cannot_be_is_told():
    """Seats that do not play, too many cards, hexes that are not 19."""
    with pytest.raises(ScenarioError) as caught:
        LANGUAGE.read(
            "game extraction\nplayers Red Blue\nhand Red 20 wood\ncity Green c3.12\nnew game\n"
            "terrain wood wood wood wood wood wood wood wood wood wood wood wood wood wood wood wood wood wood ore\n",
            "x",
        )
    told = "\n".join(caught.value.problems)
    assert all(
        words in told for words in ("three or four", "19 wood at most", "Green does not play", "terrain:")
    )


def test_a_file_is_played_by_the_game_that_it_names():
    """The same command plays the files of every game."""
    passed, failed = STORIES.played_by_command()
    assert passed >= 10
    assert failed == []


def test_the_document_explains_every_sentence():
    """docs/extraction.md lists each sentence with its meaning, as the code has them."""
    assert STORIES.unexplained() == []

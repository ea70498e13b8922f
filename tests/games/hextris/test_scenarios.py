"""Every scenario of Hextris comes true, and the language says what is wrong with a file that cannot be read."""

import pytest
from helpers.hexagon.stories import Stories
from helpers.places import TESTS
from hextraction.controller.app.tools import play_scenarios
from hextraction.controller.games.hextris.scenario import LANGUAGE
from hextraction.controller.games.scenarios import ScenarioError

STORIES = Stories("hextris", LANGUAGE)


@pytest.mark.parametrize("case", STORIES.cases, ids=STORIES.ids)
def test_scenario(case):
    """A scenario comes true line by line."""
    assert LANGUAGE.play(case) is None


def test_every_id_of_the_specification_has_a_scenario():
    """T-01 to T-18 are all there."""
    assert STORIES.named(r"T-\d\d") == {f"T-{number:02}" for number in range(1, 19)}


def test_every_sentence_is_used_by_a_scenario():
    """No sentence of the language is only written down."""
    assert STORIES.unused() == []


def failure(text):
    """Play a file with one scenario; return what did not come true."""
    return STORIES.failure(text)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("EXPECT 35 plies", "found 36"),
        ("EXPECT 1 slides", "found 0"),
        ("EXPECT slides of c3: c2", "found set()"),
        ("EXPECT swaps: c1-c2", "found set()"),
        ("EXPECT perft 2: 7", "found 1188"),
        ("EXPECT pieces on c1", "found set()"),
        ("EXPECT c1 is Red S", "found None"),
        ("EXPECT groups of Red 1", "found 0"),
        ("EXPECT hand of Red 5 5 4", "found [5, 5, 5]"),
        ("EXPECT turn of Blue", "found red"),
        ("EXPECT winner Red", "found ()"),
        ("EXPECT draw", "found (False, ())"),
        ("EXPECT Red is asked draw", "found []"),
        ("EXPECT answers of Red: yes", "found set()"),
        ("EXPECT to lift c1", "found set()"),
        ("EXPECT to put c1", "found set()"),
        ('EXPECT said "five"', "found nothing"),
        ("DO Red leaves\nEXPECT game goes on", "found Blue wins"),
        ("DO Red offers a draw\nEXPECT nobody is asked", "found ['Red offers a draw.']"),
        ("DO Red slides c1 to c2", "found refused: There is no piece on C1. (2.2)"),
        ("DO Red answers yes", "found refused: Nobody asks that now"),
        ("REFUSED 2.2: Red drops S on c1", "found it is legal"),
        ("EXPECT not turn of Red", "found red"),
        ("REFUSED 9.9: Red drops S on c3", "found refused by 2.2"),
    ],
)
def test_every_expectation_can_fail(line, found):
    """What is not so on an empty board is reported with what was found."""
    assert found in failure(line)


def test_all_mistakes_are_told_at_once():
    """Unknown sentences, cells and boards, and positions that cannot be, each with its line."""
    with pytest.raises(ScenarioError) as caught:
        LANGUAGE.read(
            "game hextris\nboard none\npieces Red Sa1 Sa1\nDO Red jumps\nEXPECT wimmer Red\nREFUSED Red passes\n"
            "EXPECT a4 is Red S\nreading R1\nSCENARIO two\npieces Red Sc1 Sc2 Sc3 Sc4 Sc5\n",
            "x",
        )
    told = list(caught.value.problems)
    assert [line.split(":")[1] for line in told] == ["2", "4", "5", "6", "7", "8", "9"]
    assert "there is no board 'none'" in told[0]
    assert "5 connected pieces" in told[-1]


def test_an_empty_file_and_one_of_an_unknown_game_are_mistakes(tmp_path):
    """Both are told like any other."""
    with pytest.raises(ScenarioError, match="at least one scenario"):
        LANGUAGE.read("game hextris\n", "x")
    path = tmp_path / "chess.scenario"
    path.write_text("game chess\nDO e4\n")
    with pytest.raises(ScenarioError, match="no game 'chess' has scenarios"):
        play_scenarios(path)


def test_a_file_is_played_by_the_game_that_it_names():
    """The same command plays the files of every game."""
    passed, failed = STORIES.played_by_command()
    assert passed >= 10
    assert failed == []
    assert play_scenarios(TESTS / "scenarios" / "turns.scenario")[1] == []


def test_the_document_explains_every_sentence():
    """docs/hextris.md lists each sentence with its meaning, as the code has them."""
    assert STORIES.unexplained() == []

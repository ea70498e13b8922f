"""Facts about the clauses of the rules: each is told, each is kept somewhere and proved, none is made up."""

import json
import re
import subprocess
import sys

import pytest
from helpers.places import ROOT
from hextraction.controller.clauses import Enforced, gist, load_clauses, read_clauses
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.settings import SettingsError

from docs import citations, generate, phone_reference

UNPROVED: dict[str, str] = {}
"""Clauses and rulings without a scenario, since when and why. It may only shrink."""


@pytest.fixture(scope="module")
def made():
    """Return the modules that make the generated pages, by name."""
    return {"citations": citations, "phone_reference": phone_reference, "generate": generate}


def known(clause):
    """Tell whether this is a clause, a ruling, or the number of a chapter that has clauses."""
    return clause in load_clauses() or any(one.startswith(f"{clause}.") for one in load_clauses())


# --- the file of clauses -----------------------------------------------------------------------------------------


def test_every_clause_and_every_ruling_is_there():
    """There are 218 clauses and 74 rulings, numbered R-01 to R-74."""
    ids = list(load_clauses())

    assert len([one for one in ids if not one.startswith("R-")]) == 218
    assert [one for one in ids if one.startswith("R-")] == [f"R-{number:02}" for number in range(1, 75)]


def test_clauses_are_told_in_a_few_words():
    """A title has one to five words, that of a ruling at least two, a gist is at most 160 characters long."""
    for clause in load_clauses().values():
        assert 1 <= len(clause.title.split()) <= 5
        assert len(clause.title.split()) > 1 or not clause.is_ruling
        assert 10 <= len(clause.gist) <= 160


def test_no_two_clauses_say_the_same():
    """Each gist is written once."""
    gists = [clause.gist for clause in load_clauses().values()]

    assert sorted(gists) == sorted(set(gists))


def test_a_gist_is_found_by_its_number():
    """The rule of the tie in words of our own."""
    assert gist("0.5.4") == "The tile stays only if more want to keep it than to destroy it."
    assert load_clauses()["0.3.1.4"].enforced is Enforced.ATTESTED
    assert load_clauses()["R-16"].setting == "trigger_once_per_roll"


def test_a_setting_of_a_ruling_is_one_of_the_configuration():
    """What a ruling names as its setting stands in the page of settings, beside the ruling."""
    config = (ROOT / "docs" / "config.md").read_text(encoding="utf-8")
    named = {clause.id: clause.setting for clause in load_clauses().values() if clause.setting}

    assert named
    for ruling, setting in named.items():
        assert re.search(rf"^\| `{setting}` .*{ruling}", config, re.MULTILINE)


def test_a_wrong_file_is_told_with_its_lines(tmp_path):
    """A number given twice, a clause that is not there and a misspelt key are all told at once."""
    path = tmp_path / "own.toml"
    path.write_text(
        '[[clause]]\nid = "2.0.2"\ntitle = "One roll"\ngist = "You roll once."\nenforced = "adjudicated"\n'
        '[[clause]]\nid = "2.0.2"\ntitle = "Again"\ngist = "You roll again."\nenforced = "ajudicated"\n'
        '[[ruling]]\nid = "R-40"\ntitle = "Quotas"\ngist = "What a turn asks of you."\nenforced = "advisory"\n'
        'clauses = ["2.0.2", "2.0.9"]\nseting = "x"\n'
    )

    with pytest.raises(SettingsError) as caught:
        read_clauses(path)
    told = [str(problem).removeprefix(f"{path}:") for problem in caught.value.problems]

    assert [one.split(":")[0] for one in told] == ["7", "10", "16", "17"]
    assert "2.0.2 is here twice" in told[0]
    assert "did you mean 'adjudicated'?" in told[1]
    assert "there is no clause 2.0.9" in told[2]
    assert "did you mean 'setting'?" in told[3]


@pytest.mark.slow
def test_playing_a_game_does_not_read_the_clauses():
    """The rules cite clauses by number: importing them does not import the texts."""
    code = "import sys, hextraction.controller.games.hextraction.game as game; print('hextraction.controller.clauses' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"


# --- who cites what ----------------------------------------------------------------------------------------------


def test_numbers_of_clauses_are_found_in_texts(made):
    """Clauses, terms and ranges of rulings are found; versions, measures and sentence ends are not part of them."""
    ids_in = made["citations"].ids_in

    assert ids_in("see 2.1.5.3. (R-33)") == ("2.1.5.3", "R-33")
    assert ids_in("3.Touch.A and 3.VirtualPool.2, 3.Create.") == ("3.Touch.A", "3.VirtualPool.2", "3.Create")
    assert ids_in("R-11 … R-13") == ("R-11", "R-12", "R-13")
    assert ids_in("0.1 s, 2.5 mm, v1.0.2, 10.0.1") == ()
    assert ids_in("0.1 ohm, 0.2 mA, 0.3 mV, 0.5 %, and 0.5% of it") == ()


@pytest.mark.slow
@pytest.mark.mutants
def test_every_clause_that_the_game_cites_exists(made):
    """A number in a text of the game is a clause, a ruling or a chapter."""
    cited = made["citations"].cited_in_code()

    assert [one for one in cited if not known(one.clause)] == []
    assert len(cited) > 200


def test_every_clause_that_a_scenario_cites_exists(made):
    """So is a number above a scenario, and one that a refusal cites."""
    cited = made["citations"].cited_in_scenarios()

    assert [one for one in cited if not known(one.clause)] == []
    assert len(cited) > 3000


def test_every_clause_is_proved(made):
    """Each clause and ruling has a scenario, but for those that the list gives a reason for."""
    proved = {one.clause for one in made["citations"].cited_in_scenarios()}

    assert {clause for clause in load_clauses() if clause not in proved} - set(UNPROVED) == set()


def test_the_list_of_what_is_not_proved_only_shrinks(made):
    """Whoever proves a clause takes it off the list, and each entry has a date and a reason."""
    proved = {one.clause for one in made["citations"].cited_in_scenarios()}

    assert set(UNPROVED) & proved == set()
    assert set(UNPROVED) - set(load_clauses()) == set()
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d: .{15,}", reason) for reason in UNPROVED.values())


# --- what is generated -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_generated_files_are_up_to_date(made):
    """`make docs` has been run since code, scenarios, clauses or tiles were changed."""
    old = [
        path for path, text in made["generate"].texts().items() if path.read_text(encoding="utf-8") != text
    ]

    assert old == [], "run `make docs`"


def test_a_clause_is_told_with_what_keeps_and_proves_it(made):
    """Its title and gist, the code that cites it, the two scenarios most about it, and how many others there are."""
    told = made["citations"].kept_and_proved(["R-33"]).splitlines()
    proofs = {one.place for one in made["citations"].cited_in_scenarios() if one.clause == "R-33"}

    assert told[0] == f"R-33 {load_clauses()['R-33'].title} ({load_clauses()['R-33'].enforced.value})"
    assert told[1].strip() == gist("R-33")
    assert told[2].startswith("    code: ")
    assert {line.removeprefix("    proof: ") for line in told[3:5]} < proofs
    assert told[5:] == [f"    and {len(proofs) - 2} more"]


def test_whoever_asks_for_no_clause_gets_all_and_a_wrong_one_is_named(made, capsys):
    """Each clause has a heading of its own, in the order of the rules."""
    assert made["citations"].main([]) == 0
    headings = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line[0] != " "]
    assert headings == list(load_clauses())

    assert made["citations"].main(["R-16", "9.9"]) == 1
    assert capsys.readouterr().err == "There is no clause 9.9.\n"


def test_what_is_no_number_is_looked_for_in_the_gists(made, capsys):
    """Words find the clauses that have most of them; words that none has are told."""
    assert made["citations"].main(["bottoms out"]) == 0
    found = [line for line in capsys.readouterr().out.splitlines() if line[0] != " "]
    gists = [gist(line.split()[0]).casefold() + line.casefold() for line in found]
    assert gists
    assert all("out" in one for one in gists)
    assert made["citations"].main(["xyzzy"]) == 1
    assert capsys.readouterr().err == "No clause has the words xyzzy.\n"


def test_the_phone_gets_every_clause_and_every_tile(made):
    """The file for the phones has all clauses and shipped tiles and stays small."""
    text = made["phone_reference"].reference()
    found = json.loads(text)

    assert [one["id"] for one in found["clauses"]] == list(load_clauses())
    assert [one["name"] for one in found["tiles"]] == list(load_tiles())
    assert len(text.encode()) < 120_000


def test_a_card_on_the_phone_says_what_the_catalogue_says(made):
    """Title, creator, what each effect does and when; unknown channels are told apart from none."""
    cards = {one["name"]: one for one in json.loads(made["phone_reference"].reference())["tiles"]}

    assert cards["dc"]["title"] == "DC"
    assert cards["dc"]["creator"] == "ZackFreedman"
    assert cards["dc"]["channels"] == [[1, 3], [4, 6]]
    assert "effects" not in cards["dc"]
    assert all(card["channels"] is None or isinstance(card["channels"], list) for card in cards.values())
    for card in cards.values():
        texts = [effect.text for effect in load_tiles()[card["name"]].effects]
        assert [effect["text"] for effect in card.get("effects", [])] == texts

"""Every scenario file comes true, and the language says what is wrong with a file that cannot be read.

Golden scenarios: an EXPECT looks at one thing only, so all that the table is shown and told meanwhile is kept as
short numbers, too. They say that something differs, not that it is wrong. Who writes a scenario, or changes what
is shown, reads what differs; then ``pytest --update-golden``.
"""

import functools
import re
from dataclasses import replace

import pytest
from helpers.places import ROOT, TESTS
from helpers.renumbered import CountingDown, numbers_balls, renamed, renumbered
from helpers.shown import difference, looks, text_number
from helpers.tiers import nightly
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.scenario.driver import Driver
from hextraction.controller.games.hextraction.scenario.language import run_file, speaking
from hextraction.controller.games.hextraction.scenario.position import lay_table
from hextraction.controller.games.hextraction.talk.asking import QUESTIONS
from hextraction.controller.games.scenarios import ScenarioError

from docs.game_pages import sentences_table

FILES = sorted((TESTS / "scenarios").glob("*.scenario"))
DOCS = ROOT / "docs" / "scenarios.md"
TILES = load_catalogue(TESTS / "scenarios" / "tiles.toml")
LANGUAGE = speaking(TILES)
NAMES = [path.stem for path in FILES]
CLAUSE = re.compile(r"(?:\d+(?:\.\w+)+|3\.\w+|R-\d\d)")
GOLDEN = TESTS / "golden" / "scenarios"


def kept(name):
    """Return what the scenarios of a file have shown, each by the number of its text."""
    path = GOLDEN / f"{name}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else ()
    return {line.split()[0]: line.split()[1:] for line in lines}


@functools.cache
def scenarios(name):
    """Return the scenarios of a file."""
    return LANGUAGE.read_file(TESTS / "scenarios" / f"{name}.scenario")


def clauses(case):
    """Return the clauses that a case says it is about."""
    return CLAUSE.findall(case.name.split(":")[0])


@pytest.mark.parametrize("name", NAMES)
def test_scenarios_come_true(name):
    """Each scenario of a file comes true line by line; all that do not are named."""
    failures = [LANGUAGE.play(case) for case in scenarios(name)]
    assert [failure for failure in failures if failure is not None] == []


@pytest.mark.slow
@pytest.mark.mutants
@pytest.mark.parametrize("name", NAMES)
def test_scenarios_show_and_tell_what_they_did(name):
    """In each scenario whose text is as it was, all are shown and told what they were."""
    differing = []
    shown = kept(name)
    for case in scenarios(name):
        was = shown.get(text_number(case))
        events = LANGUAGE.played(case)[0].events
        if was is not None and (differs := difference(events, was, looks(case, events))):
            differing.append(f"{case.source}:{case.line}: {case.name}: {differs}")
    assert differing == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_scenarios_come_true_however_all_are_numbered_and_called(name):
    """With other numbers of tiles and balls, other names, and alike halves exchanged, each scenario comes true."""
    text = (TESTS / "scenarios" / f"{name}.scenario").read_text("utf-8")
    others = LANGUAGE.read(renamed(text), name)
    assert len(others) == len(scenarios(name))

    def table(script):
        by_game = numbers_balls(script)
        laid = lay_table(script.case)
        laid = replace(laid, state=renumbered(laid.state, balls=not by_game))
        return (Driver if by_game else CountingDown)(script.case, laid)

    played = [replace(LANGUAGE, table=lambda _case, one=one: table(one)).play(one) for one in others]
    assert [failure for failure in played if failure is not None] == []


@pytest.mark.parametrize("name", NAMES)
def test_what_every_scenario_shows_is_kept(name, update_golden):
    """Of each scenario, and of no other, it is known what it shows."""
    cases = scenarios(name)
    if update_golden:
        played = {text_number(case): looks(case, LANGUAGE.played(case)[0].events) for case in cases}
        lines = [" ".join([number, *found]) for number, found in played.items()]
        (GOLDEN / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    texts = {text_number(case) for case in cases}
    assert texts == kept(name).keys(), "pytest --update-golden keeps what new scenarios show"


def test_every_scenario_names_its_clause():
    """Each case says which clause or ruling it is about."""
    bare = [f"{name}:{case.line}" for name in NAMES for case in scenarios(name) if not clauses(case)]
    assert bare == []


def test_every_sentence_is_used_by_a_scenario():
    """No sentence of the language is only written down: some scenario uses each."""
    cases = [case for name in NAMES for case in scenarios(name)]
    used = {id(line.sentence) for case in cases for line in (*case.set_up, *case.steps)}
    known = [one for sentences in LANGUAGE.sentences.values() for one in sentences]
    assert [one.template for one in known if id(one) not in used] == []


def failures(text, language=None, source="x.scenario"):
    """Run scenarios given as text; return their failures."""
    language = language or speaking()
    played = [language.play(one) for one in language.read(text, source)]
    return [failure for failure in played if failure is not None]


def problems(text):
    """Read a scenario given as text; return what is wrong with it."""
    with pytest.raises(ScenarioError) as caught:
        speaking().read(text, "x.scenario")
    return list(caught.value.problems)


def test_a_failed_expectation_names_line_expected_and_found():
    """The message of a failure has file, line, what was expected and what was found."""
    found = failures(
        "SCENARIO 3.Touch: one\nslot c1 BELL\nDO Red rolls on c; ball enters c1\nEXPECT touches c1 2\n"
    )
    assert found == ["x.scenario:4: 3.Touch: one: expected touches c1 2; found 1"]


def test_a_negated_expectation_can_fail():
    """``not`` turns an expectation round."""
    assert failures("EXPECT not chime 1") == []
    assert failures("EXPECT not chime 0") == ["x.scenario:1: x.scenario: expected not chime 0; found 0"]


def test_an_action_that_is_refused_fails():
    """A DO line must be legal."""
    (found,) = failures("DO Blue rolls on a")
    assert found.startswith("x.scenario:1: x.scenario: expected this to be legal (Blue rolls on a); ")
    assert found.endswith("found refused: It is Red's turn to roll. (2.1.1)")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("REFUSED 2.1.1: Red rolls on a", "it is legal"),
        ("REFUSED 2.9.9: Blue rolls on a", "refused by 2.1.1: It is Red's turn to roll."),
        ("DO Red rolls on a; commit", "phase rolling"),
    ],
)
def test_a_refusal_must_come_with_its_clause(line, found):
    """REFUSED fails if the action is legal or refused by another clause; a commit needs something to commit."""
    assert failures(line)[0].endswith(f"found {found}")


@pytest.mark.parametrize(
    "line",
    [
        "EXPECT winner Red", "EXPECT loser Red", "EXPECT draw", "EXPECT destroyed PLAIN", "EXPECT slot c1 BELL",
        "EXPECT slot c2 open", "EXPECT touches c1 1", "EXPECT chime 1", "EXPECT hand Red 2", "EXPECT hand Red BELL",
        "EXPECT pool 1", "EXPECT virtual 1", "EXPECT virtual VSEED", "EXPECT offline on", "EXPECT overdrive on",
        "EXPECT rolls owed 2", "EXPECT plays owed 0", "EXPECT waiting BELL", "EXPECT prompt Red",
        "EXPECT prompt Red: a, b", "EXPECT prompt Red pile: a", "EXPECT option Red end", "EXPECT options Red end",
        "EXPECT ramps Red a", "EXPECT slots Red c1", "EXPECT tiles Red BELL", "EXPECT effects Red DUTY",
        "EXPECT phase over", "EXPECT active Blue", "EXPECT roller Red", 'EXPECT said "x"', "EXPECT said clause 1.1",
        "EXPECT gate a opens", "EXPECT kicker c1 fires", "EXPECT balls c1 1", "EXPECT vote Red", "EXPECT lift c1",
        "EXPECT start refused 1.1", "EXPECT not no prompt", "EXPECT not no vote", "EXPECT not hands secret",
        "EXPECT not game goes on", "EXPECT not nobody rolls", "EXPECT not no winner", "EXPECT not no loser",
        "EXPECT not nothing destroyed", "EXPECT not nothing waiting", "EXPECT not no prompt Red",
        "EXPECT prompt Red pile", "EXPECT said in order 2.1.1", "EXPECT ball 1 at c1", "EXPECT not winner none",
        "EXPECT not loser none", "EXPECT not balls Z1 0", "EXPECT lifts c1", "EXPECT ball to take from c1",
        "EXPECT lamp c2 red", "EXPECT not no deadline", "EXPECT deadline 5 s", "EXPECT prompt Red area within 5 s",
    ],
)  # fmt: skip
def test_every_expectation_can_fail(line):
    """What is not so on a fresh board is reported, whichever sentence says it."""
    assert len(failures(f"slot c2 PLAIN\nvirtual 2 VMATE\n{line}\n")) == 1


def test_a_commit_where_all_is_committed_does_nothing():
    """Who commits after a vote that kept its tile, or after the end, waits for nothing and is not told off."""
    assert not failures("DO commit\nDO Red concedes; Blue concedes\nDO commit\nEXPECT winner Green\n")


def test_a_tile_that_does_not_fit_as_printed_is_laid_as_it_fits():
    """Without a turn a larger tile takes the first orientation that its slot allows; with one it is held to it."""
    setup = "hand Red 3 WIDE\nDO Red plays WIDE\n"
    assert not failures(setup + "DO Red places it at e1; Red lets go\nEXPECT slot e1 WIDE\n")
    assert "only if you turn it" in failures(setup + "DO Red places it at e1 turn 0\n")[0]


def test_all_mistakes_are_told_at_once():
    """Unknown sentences, players, slots, ramps and tiles are all reported, each with its line."""
    found = problems(
        "slot z9 PLAIN\nslot c1 BELLL\nDO Purple rolls on x\nDO jump\nEXPECT wimmer Red\nREFUSED Red ends\n"
    )
    assert [line.split(":")[1] for line in found] == ["1", "2", "3", "3", "4", "5", "6"]
    assert "did you mean 'bell'" in found[1]
    assert "want one of red, blue, green" in found[2]
    assert "'winner|winners PLAYERS'" in found[5]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("EXPECT not phase roling", "there is no phase 'roling', want one of choosing, "),
        ("EXPECT not option Red rol", "there is no option 'rol', want one of activate, "),
        ("EXPECT not options Red rol", "there is no option 'rol'"),
        ("EXPECT not prompt Red pill", "there is no kind of question 'pill', want one of area, "),
        ("EXPECT not prompt Red pill: a", "there is no kind of question 'pill'"),
        ("EXPECT not prompt Red pill within 3 s", "there is no kind of question 'pill'"),
        ("EXPECT not card BELL is stared", "there is no badge 'stared'"),
        ("EXPECT not lamp c1 pink", "there is no lamp 'pink', want one of dark, "),
        ("EXPECT not said clause 2-1", "'2-1' is no clause or ruling"),
        ("EXPECT not said in order 2.1, first", "'first' is no clause or ruling"),
        ("EXPECT not destroyed BELLL", "no tile is called 'BELLL'; did you mean 'bell'?"),
        ("EXPECT not winner Purple", "there is no player 'Purple'"),
        ("mark BELL harmful", "there is no word of the checklist 'harmful'"),
        ("DO Red flags c1 as harmful", "there is no word of the checklist 'harmful'"),
        ("hand Red BELL owner Purple", "there is no player 'purple'"),
        ("slot c1 BAN(x)", "there is no ramp 'x', want one of a, b, c, d, e"),
        ("rest PLAIN except z9", "there is no slot 'z9'"),
        ("balls c1, q4", "there is no place 'q4', want one of a1, "),
        ("players Red, red", "the player 'red' is listed twice"),
        ("slot c1 PAIR", "PAIR lies on the board in parts, want PAIR-L or PAIR-R"),
        ("slot c1 BELL turn 9", "nothing is turned by 9 sixths, want 0 to 5"),
        ("slot c1 BELL turn 1.5", "'1.5' is no whole number"),
        ("slot c1 STEAK turn 3", "STEAK cannot be turned by 3 sixths, want one of 0"),
        ("slot e3 WIDE turn 0", "WIDE does not fit on the board at e3, turned by 0"),
        ("DO", "want a sentence after DO"),
        ("EXPECT ;", "want a sentence after EXPECT"),
        ("EXPECT not slot c1 BELL turn 9", "nothing is turned by 9 sixths"),
        ("EXPECT not part c1 8", "nothing is turned by 8 sixths"),
        ("EXPECT not chime 1.5", "'1.5' is no whole number"),
        ("REFUSED 9.9: Blue rolls on a", "'9.9' is no clause or ruling"),
        ("DO ball 1 on one of q1, c2", "there is no slot 'q1'"),
    ],
)
def test_a_word_that_means_nothing_is_a_mistake(line, wanted):
    """A misspelt word would make ``EXPECT not`` come true whatever happens, so it is told as the file is read."""
    (found,) = problems(f"{line}\n")
    assert found.startswith("x.scenario:1: ")
    assert wanted in found


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        ("hand Red BELL", "hand red none", "the hand of Red"),
        ("slot c1 BELL", "slot C1 PLAIN", "slot c1"),
        ("slot c1 BELL", "slot c1 open", "slot c1"),
        ("rest BELL", "rest PLAIN", "rest"),
        ("pool 3 BELL", "pool none", "pool"),
        ("virtual VSEED", "virtual 2 VSEED", "virtual"),
        ("balls c1", "balls c2", "balls"),
        ("setting grace 3 s", "setting grace 4 s", "setting grace"),
        ("setting wins joint", "setting wins roller", "setting wins"),
        ("setting kickers c1", "setting kickers c2", "setting kickers"),
        ("power off", "power on", "power"),
        ("rolled", "rolled", "rolled"),
        ("board owner Red", "board owner Blue", "board owner"),
        ("Red brings 3 balls", "Red brings 4 balls", "how many balls Red brings"),
        ("magnetic on", "magnetic off", "magnetic"),
        ("boards offered by Red", "boards offered by Blue", "boards offered"),
    ],
)
def test_what_is_said_twice_is_a_mistake(first, second, what):
    """A second line for the same hand or slot would silently replace the first."""
    assert problems(f"{first}\n{second}\n") == [
        f"x.scenario:2: {what} has been said in line 1 already, want one line for it"
    ]
    assert failures(f"SCENARIO 2.0: one\n{first}\nSCENARIO 2.0: two\n{second}\n") == []


def test_what_was_said_is_what_the_last_do_line_brought_about():
    """A DO line counts as a whole, and a refused attempt after it takes nothing away; the next DO begins anew."""
    told = "slot c1 BELL\nDO Red rolls on c; ball enters c1; quiet\nREFUSED 2.3.2: Blue rolls on a\n"
    assert not failures(told + 'EXPECT said "Red rolls from ramp c"; said "chime"\n')
    assert failures(told + 'DO commit\nEXPECT said "chime"\n')


@nightly("all scenarios, step by step", meanwhile="test_scenarios_show_and_tell_what_they_did")
@pytest.mark.slow
def test_every_answer_that_a_question_offers_is_listed():
    """All choices in all scenarios are words of their question's row, and no word of a row is made up."""
    spare = {(kind.word, answer) for kind in QUESTIONS.values() for answer in kind.answers}
    wrong = set()
    for name in NAMES:
        for case in scenarios(name):
            found, names = asked(case)
            for ask in found:
                for word, _label in ask.choices:
                    row = [answer for answer in QUESTIONS[ask.kind].answers if means(answer, word, names)]
                    spare -= {(ask.kind, answer) for answer in row}
                    if not row:
                        wrong.add((ask.kind, word))
    assert wrong == set()
    assert {kind for kind, _answer in spare} <= {"blocked", "witness"}  # a gate's and a tracker's own


def asked(case):
    """Play a case; return every question that was asked in it, and what slots, ramps … its answers may name."""
    driver, _failure = LANGUAGE.played(case)
    board, state = case.case.board, lay_table(case.case).state
    slots, zones = [slot.name for slot in board.slots], [one.name for one in board.zones]
    names = {
        "SLOT": slots,
        "RAMP": [one.name for one in board.ramps],
        "ZONE": zones,
        "PLACE": [*slots, *zones],
        "KIND": sorted({*TILES, *(one.name for one in state.copies.values())}),
    }
    found = {}
    for event in driver.events:
        state = driver.game.step(state, event).state
        found |= {ask.id: ask for ask in state.asks}
    return found.values(), tuple(
        (capital, "|".join(map(re.escape, known))) for capital, known in names.items()
    )


def means(answer, word, names):
    """Whether a word is what a row calls it: the word itself, or names and numbers in place of capitals."""
    return word == answer or pattern(answer, names).fullmatch(word) is not None


@functools.cache
def pattern(answer, names):
    """Return what an answer of a row looks like, where capitals stand for these names."""
    text = re.escape(answer)
    for capital, known in names:
        text = text.replace(capital, f"(?:{known})")
    text = re.sub(r"\bN\b", r"-?\\d+", text)
    return re.compile(re.sub(r"^(.+?)(,|\\\+)…$", r"\1(?:\2\1)+", text))


def test_set_up_comes_first():
    """A set-up line after the first DO is a mistake."""
    assert problems("DO quiet\nslot c1 BELL\n")[0].startswith(
        "x.scenario:2: want DO, EXPECT, REFUSED, SHOW or SCENARIO"
    )


def test_an_empty_file_holds_no_scenario():
    """A file with comments only is a mistake."""
    assert problems("# nothing\n") == ["x.scenario:1: want at least one scenario"]


def test_a_missing_file_is_a_scenario_error(tmp_path):
    """A file that is not there is reported like any other mistake."""
    with pytest.raises(ScenarioError, match="cannot be read"):
        run_file(tmp_path / "none.scenario")


# --- the document -------------------------------------------------------------------------------------------


def test_the_document_explains_every_sentence():
    """docs/scenarios.md lists each sentence with its meaning, as the code has them."""
    text = DOCS.read_text(encoding="utf-8")
    rows = [row for some in LANGUAGE.sentences.values() for row in sentences_table(some).splitlines()]
    assert [row for row in rows if row not in text] == []


def test_the_examples_of_the_document_come_true():
    """Each example in docs/scenarios.md runs."""
    examples = re.findall(r"```scenario\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) >= 4
    for example in examples:
        assert failures(example, source="docs") == []


@pytest.mark.parametrize(
    ("tried", "stated", "beside"),
    [
        ("Red ends the turn", ("2.0.2", "2.0.3", "2.0.1.1"), ("2.0", "2.0.1", "2.7.4.4", "R-40")),
        ("Blue rolls on a", ("2.1.1",), ("2.0.1", "2.1", "2.1.1.2")),
        ("Blue ends the turn", ("2.0.1",), ("2.0.1.1", "2.0")),
        ("Red votes yea", ("0.5.1",), ("0.5", "0.5.2", "R-05")),
        ("Blue breaks the loop", ("2.1.4.3",), ("2.1.4", "2.1.4.4", "R-30")),
    ],
)
def test_a_refusal_is_expected_by_the_clause_that_it_states(tried, stated, beside):
    """What the refusal cites comes true; the clause above it, the next one or a ruling on it does not."""

    def failing(clause):
        return failures(f"SCENARIO {clause}: x\nREFUSED {clause}: {tried}\n", LANGUAGE)

    assert [clause for clause in stated if failing(clause)] == []
    assert [clause for clause in beside if not failing(clause)] == []


def test_show_tells_the_log_the_questions_and_what_everybody_may_do(tmp_path):
    """SHOW shows what the last DO line led to, changes nothing, and is no set-up line."""
    path = tmp_path / "x.scenario"
    path.write_text(
        "SCENARIO 2.6: x\nslot c1 HAMMER\nslot d1 BELL\nDO Red rolls on c; ball enters c1; quiet\nSHOW\nEXPECT prompt Red\n"
    )
    shown = []
    assert run_file(path, shown.append) == (1, [])
    told = "\n".join(shown)
    assert told.startswith(f"{path}:5: 2.6: x")
    assert "phase resolving, red's turn" in told
    assert "told: HAMMER at C1: touch 1." in told
    assert "red is asked effect: HAMMER at C1: Which tile do you destroy? D1 (BELL at D1) (2.6.4)" in told
    assert "blue may: Vote on HAMMER at C1" in told
    with pytest.raises(ScenarioError, match="want SHOW alone on its line"):
        speaking().read("SCENARIO 2.6: x\nSHOW Red\n", "x.scenario")

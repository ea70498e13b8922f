"""What people bring to a table and say at it, beyond what a scenario shows: helpers, words, exact options."""

import msgspec
import pytest
from helpers.tabletop import Table, setup, survives_json
from hextraction.board.facts import Answer, BallEntered, BallReleased, Question, RollSettled
from hextraction.board.profile import load_board
from hextraction.controller.clauses import gist, load_clauses
from hextraction.controller.games.hextraction import Hextraction
from hextraction.controller.games.hextraction.cards.checklist import CHECKLIST
from hextraction.controller.games.hextraction.cards.glossary import GLOSSARY, term
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.state.agreeing import Proposal
from hextraction.controller.games.hextraction.state.state import Depth, Phase, Seat
from hextraction.controller.games.protocol import Blinded, TileSeen

GAME = Hextraction(load_board("fx-19"), load_tiles())


def rolled_onto_c1(table):
    """Let ball 1 be seen on ramp c and on the tile at C1, and return the facts told."""
    facts = (
        BallReleased(at_us=table.later(), ball=1, ramp="c"),
        BallEntered(at_us=table.later(), ball=1, slot="C1"),
    )
    for fact in facts:
        table.feed(fact)
    return facts


def test_a_quick_start_has_advice_but_no_problem():
    """What nobody has said is filled in; the tips are there all the same."""
    wanted = setup()

    assert GAME.problems(wanted) == []
    assert {"1.0.8", "1.1.3", "1.2.4", "0.2"} <= {clause for _text, clause in GAME.advice(wanted)}


def test_a_board_owner_must_sit_at_the_table():
    """An owner who does not play cannot be asked for anything (1.0.1)."""
    wanted = msgspec.structs.replace(setup(), board_owner="nobody")

    assert "1.0.1" in [clause for _what, clause in GAME.problems(wanted)]


def test_a_missing_tile_is_told_with_how_many_are_short():
    """The shortfall is in the words: 19 slots and nine drawn tiles want 28 (1.0.4)."""
    wanted = setup(tiles=("plain",), count=25)

    (what,) = [what for what, clause in GAME.problems(wanted) if clause == "1.0.4"]
    assert "25" in what
    assert "28" in what
    assert "3 too few" in what


def test_every_word_of_the_glossary_is_found_as_people_write_it():
    """Words are read in any case, and each has its clause."""
    assert term(" main pool ").clause == "3.MainPool"
    assert term("quack") is None
    assert all(gist(one.clause) for one in GLOSSARY.values())
    assert all(gist(clause) for one in GLOSSARY.values() for clause in one.see if clause in load_clauses())


def test_findings_that_strike_or_exclude_are_told_at_set_up():
    """No effect is struck and no tile kept out without a warning."""
    assert [
        word for word, item in CHECKLIST.items() if (item.strikes or item.excludes) and not item.warns
    ] == []


@pytest.mark.parametrize("word", [word for word, item in CHECKLIST.items() if item.warns])
def test_every_finding_gives_advice_under_its_clause(word):
    """A mark on BELL is told before the game, with the clause."""
    advice = GAME.advice(setup(marks=((word, "bell"),)))

    assert any("BELL" in text and clause == CHECKLIST[word].clause for text, clause in advice)


def test_leaving_everything_comes_first_among_what_a_loser_may_do():
    """The well-mannered choice is the first one on the page (2.8.4.1)."""
    table = Table()
    table.act("blue", {"do": "concede"})

    options = table.game.private(table.state, "blue").options
    assert options[0].act == {"do": "reclaim", "what": "leave"}
    assert options[0].clause == "2.8.4.1"


def test_a_game_with_something_to_undo_survives_being_written_down():
    """The state before an action is a part of the state, once and not again inside itself."""
    table = Table()
    offers = [act for seat, act in table.offers() if seat == "red" and act["do"] == "play"]
    table.act("red", offers[0])
    table.act("red", next(act for seat, act in table.offers() if act["do"] == "place"))

    assert table.state.last is not None
    assert table.state.last.last is None
    assert survives_json(table.state)


def test_numbers_of_undone_questions_are_not_given_again():
    """A late answer to a question that was undone can never meet another question."""
    table = Table(setup(players=2))
    table.act("red", {"do": "roll", "ramp": "a"})
    table.act("red", {"do": "undo"})
    first = table.state.asks[0].id
    table.act("blue", {"do": "answer", "prompt": first, "choice": "yes"})
    table.act("red", {"do": "roll", "ramp": "b"})
    table.act("red", {"do": "undo"})

    assert table.state.asks[0].id != first


def test_balls_brought_are_only_numbers():
    """Balls are not marked: who brought how many is all that is known (1.1.3)."""
    wanted = msgspec.structs.replace(
        setup(), seats=(Seat(seat="red", name="Red", balls=2), *setup().seats[1:])
    )

    assert [player.balls for player in GAME.start(wanted).players] == [2, 3, 3]


def test_what_lies_in_the_virtual_pool_is_no_secret():
    """Everybody sees the names there, and of the Main Pool only the number (3.VirtualPool, 3.MainPool)."""
    table = Table()

    view = table.game.scene(table.state).detail
    assert view.virtual_tiles == ("VMATE",) * 3 + ("VSEED",) * 3
    assert view.virtual_pool == 6
    assert view.pool == len(table.state.pool)


def agreed(table):
    """Let everybody who is asked agree, until nobody is asked any more."""
    while proposed := [ask for ask in table.state.asks if isinstance(ask.about, Proposal)]:
        ask = proposed[-1]
        assert table.act(ask.seat, {"do": "answer", "prompt": ask.id, "choice": "yes"}) is None


def undone(table, seat="red"):
    """Take the last action back, by consent."""
    assert table.act(seat, {"do": "undo"}) is None
    agreed(table)


def test_an_undone_action_does_not_bring_back_sensors_that_are_no_longer_believed():
    """What is undone is an action of the players; people go on telling what balls do (0.0, R-50)."""
    table = Table()
    assert table.act("red", {"do": "roll", "ramp": "a"}) is None
    table.feed(Blinded(at_us=table.later()))
    undone(table)
    assert not table.state.config.sensors
    assert table.act("red", {"do": "roll", "ramp": "a"}) is None

    assert {act["do"] for _seat, act in table.offers_to("red")} & {"attest"}


def test_who_keeps_only_the_score_tells_a_roll_to_its_end_that_the_board_saw_begin():
    """Where the sensors fail amid a roll, it is over when somebody says that all lies still (R-50)."""
    table = Table(setup(laid=[("C1", "plain", 0)], depth=Depth.SCORE))
    assert table.act("red", {"do": "roll", "ramp": "c"}) is None
    rolled_onto_c1(table)
    table.feed(Blinded(at_us=table.later()))
    assert table.act("red", {"do": "attest", "saw": "fell", "place": "C2"}) is None
    assert table.state.phase is Phase.ROLLING

    assert table.act("red", {"do": "attest", "saw": "still"}) is None
    assert table.state.phase is not Phase.ROLLING


def test_a_tile_that_was_flagged_since_stays_flagged_when_an_action_is_undone():
    """The table has struck the effects of a kind of tile for the whole game (0.2, R-43)."""
    table = Table(setup(laid=[("C3", "bell", 0)]))
    assert table.act("red", {"do": "roll", "ramp": "a"}) is None
    assert table.act("blue", {"do": "flag", "slot": "C3", "item": "harms"}) is None
    agreed(table)
    marks = table.state.marks
    assert marks
    undone(table)

    assert table.state.marks == marks
    assert [effect for effect in table.effects if getattr(effect, "kind", "") == "flag"] == []


def test_touches_that_were_corrected_since_stay_corrected_when_an_action_is_undone():
    """A count that the table agreed upon holds until the commit, whatever else is undone (R-14)."""
    table = Table(setup(laid=[("C1", "hammer", 0), ("C3", "plain", 0)]))
    table.act("red", {"do": "roll", "ramp": "c"})
    table.quiet(*rolled_onto_c1(table))
    (choice,) = table.state.asks
    assert (
        table.act(choice.seat, {"do": "answer", "prompt": choice.id, "choice": choice.choices[0][0]}) is None
    )
    assert table.state.last is not None
    copy = table.state.laid[0].copy
    assert table.act("blue", {"do": "correct", "slot": "C1", "touches": 2}) is None
    agreed(table)
    undone(table)

    assert table.state.roll.record.touches[copy] == 2


def test_a_proposal_that_is_open_stays_open_when_an_action_is_undone():
    """One proposal does not sweep another one off the table."""
    table = Table(setup(laid=[("C3", "bell", 0)]))
    table.act("red", {"do": "roll", "ramp": "a"})
    table.act("blue", {"do": "flag", "slot": "C3", "item": "harms"})
    table.act("red", {"do": "undo"})
    (undo,) = [ask for ask in table.state.asks if ask.kind == "undo"]
    table.act(undo.seat, {"do": "answer", "prompt": undo.id, "choice": "yes"})

    assert [ask.kind for ask in table.state.asks] == ["flag"]


@pytest.mark.parametrize(
    ("kind", "slots", "counts", "choices"),
    [
        ("third", ("C1",), ((1,), (0,)), [("yes", "Yes"), ("no", "No")]),
        (
            "touches",
            ("C1",),
            ((0,), (1,), (3,)),
            [("0", "Never"), ("1", "Once"), ("3", "3 times")],
        ),
        (
            "rests",
            ("C1", "C2"),
            ((1, 1), (0, 1), (0, 0)),
            [("C1+C2", "C1 and C2"), ("C2", "C2"), ("none", "None of these")],
        ),
    ],
)
def test_answers_to_a_doubt_of_the_tracker_are_in_the_words_of_its_question(kind, slots, counts, choices):
    """Whether it was three times is Yes or No, how often is a number, and where is a place or several (R-14)."""
    table = Table(setup(laid=[("C1", "plain", 0), ("C2", "plain", 0)]))
    table.act("red", {"do": "roll", "ramp": "c"})
    facts = rolled_onto_c1(table)
    answers = tuple(Answer(counts=each, facts=facts, likelihood=0.3, probability=0.9) for each in counts)
    question = Question(kind=kind, slots=slots, answers=answers)
    table.feed(RollSettled(at_us=table.later(), facts=facts, probability=0.3, question=question))
    (prompt,) = table.view("red").prompts

    assert [(option.act["choice"], option.label) for option in prompt.options] == choices


def test_a_doubt_about_an_end_zone_names_it_as_people_do():
    """The board's word for a zone is not what anybody at the table says (R-14)."""
    table = Table(setup(laid=[("C1", "plain", 0)]))
    table.act("red", {"do": "roll", "ramp": "c"})
    facts = rolled_onto_c1(table)
    answers = tuple(Answer(counts=(count,), facts=facts, likelihood=0.3, probability=0.9) for count in (1, 0))
    question = Question(kind="zone", slots=("Z1",), answers=answers)
    table.feed(RollSettled(at_us=table.later(), facts=facts, probability=0.3, question=question))
    (prompt,) = table.view("red").prompts

    assert prompt.text == "Does a ball that rolled lie in the left end zone?"


def told(*laid, **wanted):
    """Return a table without sensors at which a ball was told to have left ramp c."""
    table = Table(setup(laid=[(slot, name, 0) for slot, name in laid], sensors=False, **wanted))
    assert table.act("red", {"do": "attest", "saw": "released", "place": "c"}) is None
    return table


def test_people_tell_that_a_ball_touched_a_tile_or_fell_through_an_open_slot():
    """What is offered to tap fits what lies there, and each ramp's ball may have stuck on that ramp (R-50)."""
    table = told(("C1", "plain"))
    taps = {
        option.act.get("place"): option for option in table.view("red").options if option.group == "attest"
    }

    assert (taps["C1"].act["saw"], taps["C1"].label) == ("touched", "It touched C1")
    assert (taps["C2"].act["saw"], taps["C2"].label) == ("fell", "It fell through C2")
    assert (taps["c"].act["saw"], taps["c"].label) == ("stuck", "It sticks on ramp c")


def test_an_end_zone_that_the_board_does_not_have_cannot_be_told():
    """A ball in a place that nobody knows would win by a slip of the tongue (R-70)."""
    table = told()

    assert table.act("red", {"do": "attest", "saw": "zone", "place": "Z9"}).clause == "R-70"
    assert table.act("red", {"do": "attest", "saw": "zone", "place": "Z1"}) is None


def test_a_ball_is_disputed_only_to_a_place_that_the_board_has():
    """A slip of the tongue is no ball over the side, which would cost a tile (R-14, R-70)."""
    table = told(("C1", "plain"))
    table.act("red", {"do": "attest", "saw": "touched", "place": "C1"})
    table.act("red", {"do": "attest", "saw": "still"})

    assert table.act("blue", {"do": "contend", "ball": 1, "place": "under the sofa"}).clause == "R-70"
    assert table.act("blue", {"do": "contend", "ball": 1, "place": "off"}) is None


def test_only_the_owner_of_the_board_is_offered_to_call_the_draw():
    """Others who have lost take back what is theirs, and that is not the board (2.8.3.1)."""
    table = Table(msgspec.structs.replace(setup(players=4), board_owner="blue"))
    seats = ("blue", table.seats[-1])
    for seat in seats:
        table.act(seat, {"do": "concede"})
    whats = [
        [act["what"] for _seat, act in table.offers_to(seat, parting=True) if act["do"] == "reclaim"]
        for seat in seats
    ]

    assert [("draw" in offered, "leave" in offered) for offered in whats] == [(True, True), (False, True)]


def test_a_larger_tile_that_has_left_the_board_is_told_by_its_first_slot():
    """There it was drawn, and by that slot everybody calls it (R-14)."""
    table = Table(setup(laid=[("B2", "wide", 0)]))
    assert table.act("red", {"do": "arrange", "tiles": {}, "gone": {"B2": "pool"}}) is None

    assert table.state.asks[0].text == "Red tells the board: WIDE at B2 is in its pool. Agreed?"


def test_the_first_effect_of_a_tile_is_meant_unless_another_is_named():
    """A tile with one effect needs no number (2.7)."""
    table = Table(setup(laid=[("C1", "duty", 0)]))
    (duty,) = [laid.copy for laid in table.state.laid]

    assert table.act("red", {"do": "activate", "tile": duty}) is None
    assert table.state.used == ((duty, 0),)


def test_an_effect_that_takes_place_in_a_moment_is_told_at_its_slot():
    """The page points at the tile whose card may be asked for (2.5.1)."""
    table = Table(setup(laid=[("C1", "bell", 0)], moment_us=2_000_000))
    table.act("red", {"do": "roll", "ramp": "c"})
    table.quiet(*rolled_onto_c1(table))

    assert [said.slot for said in table.effects if getattr(said, "kind", "") == "waits"] == ["C1"]


def fell_out(table):
    """Let the only tile, at B1, fall out of the board, and return how it lay."""
    (lies,) = table.state.laid
    table.feed(TileSeen(at_us=table.later(), slot="B1", present=False))
    (ask,) = table.state.asks
    assert table.act(ask.seat, {"do": "answer", "prompt": ask.id, "choice": "fell"}) is None
    return lies


def test_a_tile_comes_back_only_to_a_place_that_the_board_has():
    """A made-up slot is refused, and the tile stays out of the game (0.0, 3.Legal)."""
    table = Table(setup(laid=(("B1", "bell", 0),)))
    lies = fell_out(table)
    assert lies.copy in table.state.destroyed

    for to in ("Q9", "nowhere", ""):
        said = table.act("blue", {"do": "overrule", "tile": lies.copy, "to": to, "turns": 0})
        assert said.clause == "3.Legal"
    assert not table.state.laid
    assert lies.copy in table.state.destroyed


def test_a_tile_comes_back_unturned_if_nobody_says_how():
    """Only its place is needed (0.0)."""
    table = Table(setup(laid=(("B1", "bell", 2),)))
    lies = fell_out(table)

    assert table.act("blue", {"do": "overrule", "tile": lies.copy, "to": "D1"}) is None
    agreed(table)
    assert [(laid.slots, laid.turns) for laid in table.state.laid] == [(("D1",), 0)]

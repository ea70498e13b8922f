"""The last roll as any phone can replay it: stops and their times, touches, fates, and what is unsure."""

import pytest
from helpers.places import TESTS
from helpers.simulated import begin, play, replayed
from helpers.tabletop import Table, setup
from hextraction.board.facts import (
    Answer,
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallReleased,
    Doubt,
    Question,
    RollSettled,
)
from hextraction.controller.games.hextraction import Hextraction
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.roll.replay import RollKeeper, doubts_of
from hextraction.controller.games.hextraction.state.state import Depth
from msgspec.json import encode
from msgspec.structs import replace

MS = 1_000


def crossed(start_us, *slots, ball=1, ramp="L2"):
    """Return what a ball does that crosses these slots, 100 ms each, and stays on the last."""
    facts = [BallReleased(at_us=start_us, ball=ball, ramp=ramp)] if ramp else []
    for at, slot in enumerate(slots, start=1):
        if at > 1:
            facts.append(BallLeft(at_us=start_us + at * 100 * MS - 1, ball=ball, slot=slots[at - 2]))
        facts.append(BallEntered(at_us=start_us + at * 100 * MS, ball=ball, slot=slot))
    return tuple(facts)


class Watched(Table):
    """A table whose rolls are kept."""

    def __init__(self, wanted=None):
        self.keeper = RollKeeper()
        super().__init__(wanted or setup())

    def feed(self, event):
        before = self.state
        done = super().feed(event)
        self.keeper.follow(before, event, self.state)
        return done

    @property
    def last(self):
        return self.keeper.last

    def rolls(self, *slots):
        """Let the active player roll; return when, and what the ball does on the way."""
        self.act(self.state.active, {"do": "roll", "ramp": "L2"})
        self.releases("L2")
        began_us = self.state.at_us
        for here, after in zip(slots, (*slots[1:], None), strict=True):
            self.enters(here)
            if after:
                self.leaves(here)
        return began_us

    def settles(self, facts, **more):
        self.feed(RollSettled(at_us=self.later(3_000 * MS), facts=facts, **more))


def plays_first(table):
    """Let the active player lay the first tile that they may, where they first may."""
    for do in ("play", "place"):
        act = next(act for seat, act in table.offers() if (seat, act["do"]) == (table.state.active, do))
        assert table.act(table.state.active, act) is None


def legs(ball):
    """Return the stops of a ball with those that are unsure marked."""
    return [f"{stop.slot}?" if stop.unsure else stop.slot for stop in ball.stops]


def test_before_the_first_roll_there_is_none():
    """A new game has no last roll, and a roll on its way is not yet over."""
    table = Watched()
    assert table.last is None
    table.rolls("B1")
    assert table.last is None


def test_a_roll_is_kept_with_its_ramp_times_and_fate():
    """Times count from the release, in milliseconds; the settlement's account replaces what was seen."""
    table = Watched()
    began_us = table.rolls("B1", "C1")
    table.settles(crossed(began_us, "B1", "B2"), probability=0.97)
    (ball,) = table.last.balls

    assert (ball.ball, ball.ramp, ball.fate) == (1, "L2", "slot.B2")
    assert [(stop.slot, stop.at_ms) for stop in ball.stops] == [("B1", 100), ("B2", 200)]
    assert (table.last.number, table.last.probability, table.last.told) == (1, 0.97, False)
    assert legs(ball) == ["B1", "B2"]


def test_touches_count_up_at_the_stops_and_stand_by_slot():
    """Only an arrival on a tile counts; the roll's touches are those of the rules."""
    table = Watched(setup(laid=(("C3", "plain", 0),)))
    began_us = table.rolls("B1")
    table.settles(crossed(began_us, "B1", "C3", "B3", "C3"))

    assert [stop.touch for stop in table.last.balls[0].stops] == [0, 1, 0, 2]
    assert table.last.touches == {"C3": 2}


def test_touches_of_a_tile_that_covers_two_slots_stand_by_its_first():
    """Whichever of them the ball enters."""
    table = Watched(setup(laid=(("B2", "wide", 0),)))
    table.settles(crossed(table.rolls("C2"), "C2"))
    assert table.last.touches == {"B2": 1}


def test_a_roll_less_sure_than_nine_in_ten_is_unsure_in_all_its_parts():
    """Without a question there is no telling which part is wrong."""
    table = Watched()
    began_us = table.rolls("B1")
    table.settles(crossed(began_us, "B1", "B2"), probability=0.89)
    (ball,) = table.last.balls
    assert legs(ball) == ["B1?", "B2?"]
    assert ball.unsure


def doubtful(began_us, left=0.99):
    """Return a question whether the ball lies on B2 or went on to C2."""
    short, long = crossed(began_us, "B1", "B2"), crossed(began_us, "B1", "B2", "C2")
    answers = (
        Answer(counts=(0, 1), facts=long, likelihood=0.6, probability=left),
        Answer(counts=(1, 0), facts=short, likelihood=0.4, probability=left),
    )
    return Question(kind="rests", slots=("B2", "C2"), answers=answers)


def asked(left=0.99):
    """Return a table that was just asked where the ball lies."""
    table = Watched()
    began_us = table.rolls("B1", "B2")
    question = doubtful(began_us, left)
    table.settles(question.answers[0].facts, probability=0.6, question=question)
    return table


def test_while_a_question_is_open_only_the_legs_in_which_accounts_differ_are_unsure():
    """The way to B2 is the same in both; the leg to C2 and the end are not."""
    table = asked()
    (ball,) = table.last.balls
    assert legs(ball) == ["B1", "B2", "C2?"]
    assert (ball.unsure, ball.fate, table.last.asked) == (True, "slot.C2", ("B2", "C2"))


def test_what_is_unsure_is_the_same_in_whatever_order_the_accounts_are_told():
    """No account counts for more than another: a leg is sure only if all of them have it."""
    accounts = [answer.facts for answer in doubtful(0).answers]
    assert doubts_of(accounts[0], accounts[::-1]) == doubts_of(accounts[0], accounts)
    assert doubts_of(accounts[0], accounts[::-1])[1] == ((False, False, True), True)


def test_a_leg_that_all_accounts_have_twice_is_sure_both_times():
    """Only what goes beyond the fewest of all accounts is unsure."""
    twice = crossed(0, "B1", "B2", "B1", "B2")
    assert doubts_of(twice, [twice, (*twice, *crossed(9, "C2"))])[1][0] == (False,) * 4


def test_what_people_answered_is_sure():
    """The account of their answer is the roll, and nothing in it is dashed."""
    table = asked()
    (ask,) = table.state.asks
    table.act(table.seats[-1], {"do": "answer", "prompt": ask.id, "choice": "B2"})
    (ball,) = table.last.balls
    assert legs(ball) == ["B1", "B2"]
    assert (ball.fate, ball.unsure, table.last.told, table.last.asked) == ("slot.B2", False, True, ())


def test_without_an_answer_the_doubtful_leg_stays_unsure():
    """The likeliest account holds, but nobody has confirmed it."""
    table = asked()
    table.wakes()
    (ball,) = table.last.balls
    assert legs(ball) == ["B1", "B2", "C2?"]
    assert (table.last.told, table.last.asked, table.last.probability) == (False, (), 0.6)


def test_a_corrected_count_of_touches_makes_no_place_surer():
    """Nobody has said where the ball lies; that stays as unsure as before (R-14)."""
    table = Watched(setup(laid=(("B1", "plain", 0),)))
    table.settles(crossed(table.rolls("B1"), "B1", "B2"), probability=0.89)
    assert table.act("red", {"do": "correct", "slot": "B1", "touches": 2}) is None
    (ask,) = table.state.asks
    assert table.act(ask.seat, {"do": "answer", "prompt": ask.id, "choice": "yes"}) is None
    (ball,) = table.last.balls
    assert (table.last.touches, ball.fate, ball.unsure) == ({"B1": 2}, "slot.B2", True)


def test_a_corrected_count_leaves_the_touches_of_a_tile_that_is_gone():
    """What the roll touched stays touched for those who look back, though the tile was destroyed (R-14)."""
    laid = (("B1", "hammer", 0), ("B2", "bell", 0), ("C1", "plain", 0))
    table = Watched(setup(laid=laid))
    table.settles(crossed(table.rolls("B1", "B2"), "B1", "B2"))
    hammer = next(option for option in table.view("red").prompts[0].options if "HAMMER" in option.label)
    assert table.act("red", hammer.act) is None
    (ask,) = table.state.asks
    assert table.act("red", {"do": "answer", "prompt": ask.id, "choice": "B2"}) is None
    assert table.act("red", {"do": "correct", "slot": "C1", "touches": 1}) is None
    (ask,) = table.state.asks
    assert table.act(ask.seat, {"do": "answer", "prompt": ask.id, "choice": "yes"}) is None

    assert [laid.slots for laid in table.state.laid] == [("B1",), ("C1",)]
    assert table.last.touches == {"B1": 1, "B2": 1, "C1": 1}


def test_a_larger_tile_that_was_not_touched_after_all_is_shown_untouched():
    """A count that people correct to none leaves no touch of a tile of two slots behind (R-14)."""
    table = Watched(setup(laid=(("B1", "wide", 0),)))
    table.settles(crossed(table.rolls("B1"), "B1"))
    assert table.last.touches == {"B1": 1}
    assert table.act("red", {"do": "correct", "slot": "B1", "touches": 0}) is None
    (ask,) = table.state.asks
    assert table.act(ask.seat, {"do": "answer", "prompt": ask.id, "choice": "yes"}) is None
    assert table.last.touches == {}


def test_a_ball_on_a_tile_that_a_void_roll_puts_back_is_shown_where_it_lies_now():
    """The tile goes back from E1 to C1 while the ball is back on it: there the ball's way ends (0.5.8)."""
    table = Watched(setup(laid=(("A1", "plain", 0), ("C1", "hopper", 0), ("D1", "plain", 0))))
    table.game = Hextraction(table.board, load_catalogue(TESTS / "scenarios" / "tiles.toml"))
    table.state = table.game.start(table.setup)
    table.act("red", {"do": "roll", "ramp": "c"})
    table.releases("c")
    table.settles(crossed(table.state.at_us, "C1", ramp="c"))
    (ask,) = table.state.asks
    assert table.act(ask.seat, {"do": "answer", "prompt": ask.id, "choice": "E1"}) is None
    table.leaves("E1")
    way = crossed(table.state.at_us, "D1", "E1", ramp=None)
    for fact in way:
        table.at_us = fact.at_us
        table.feed(fact)
    assert table.act("blue", {"do": "vote", "slot": "A1"}) is None
    for seat in ("blue", "green", "red"):
        assert table.act(seat, {"do": "ballot", "yea": False}) is None
    assert [one.slots for one in table.state.laid] == [("C1",), ("D1",)]
    table.settles((BallLeft(at_us=way[0].at_us - 1, ball=1, slot="E1"), *way))
    assert [ball.fate for ball in table.last.balls] == ["slot.C1"]


def test_a_question_that_nobody_answers_leaves_the_likeliest_answer_as_sure_as_that_one_is():
    """How sure the other answers would have been does not matter."""
    table = Watched()
    question = doubtful(table.rolls("B1", "B2"))
    likeliest, other = question.answers
    question = replace(question, answers=(likeliest, replace(other, probability=0.5)))
    table.settles(likeliest.facts, probability=0.6, question=question)
    table.wakes()

    assert legs(table.last.balls[0]) == ["B1", "B2", "C2?"]


def test_an_answer_that_leaves_much_open_leaves_all_unsure():
    """If the account of the answer is less sure than nine in ten, all of it is dashed."""
    table = asked(left=0.7)
    (ask,) = table.state.asks
    table.act(table.seats[-1], {"do": "answer", "prompt": ask.id, "choice": "B2"})
    assert legs(table.last.balls[0]) == ["B1?", "B2?"]


def test_an_answer_after_which_another_question_is_open_shows_what_that_one_doubts():
    """What the first answer has settled is no longer unsure, and the second question's legs are (R-14)."""
    table = Watched(setup(laid=(("C1", "plain", 0),)))
    began_us = table.rolls("B1", "B2")
    ends = [(crossed(began_us, "B1", "B2", slot), count) for slot, count in (("B3", (1, 0)), ("C3", (0, 1)))]
    answers = tuple(
        Answer(counts=count, facts=facts, likelihood=0.5, probability=0.95) for facts, count in ends
    )
    then = Question(kind="rests", slots=("B3", "C3"), answers=answers)
    short = crossed(began_us, "B1", "C1")
    first = (
        Answer(counts=(1, 0), facts=short, likelihood=0.6, probability=0.95),
        Answer(counts=(0, 1), facts=ends[0][0], likelihood=0.4, probability=0.8, question=then),
    )
    question = Question(kind="rests", slots=("C1", "B2"), answers=first)
    table.settles(short, probability=0.6, question=question)
    assert (legs(table.last.balls[0]), table.last.asked) == (["B1", "C1?"], ("C1", "B2"))

    (ask,) = table.state.asks
    table.act(table.seats[-1], {"do": "answer", "prompt": ask.id, "choice": "B2"})
    (ball,) = table.last.balls
    assert (legs(ball), table.last.asked) == (["B1", "B2", "B3?"], ("B3", "C3"))
    assert (ball.fate, ball.unsure, table.last.told, table.last.probability) == ("slot.B3", True, False, 0.8)

    (ask,) = table.state.asks
    table.act(table.seats[-1], {"do": "answer", "prompt": ask.id, "choice": "C3"})
    (ball,) = table.last.balls
    assert (legs(ball), ball.fate, ball.unsure) == (["B1", "B2", "C3"], "slot.C3", False)
    assert (table.last.told, table.last.asked, table.last.number) == (True, (), 1)


def test_fates_of_balls_that_are_gone():
    """An end zone, a hole, and a ball that nobody has an idea of."""
    table = Watched()
    began_us = table.rolls("B1")
    end_us = began_us + 900 * MS
    facts = (
        *crossed(began_us, "B1", "D1"),
        *crossed(began_us + 1, "B1", "C1", ball=2),
        *crossed(began_us + 2, "B1", ball=3),
        BallLeft(at_us=end_us, ball=1, slot="D1"),
        BallInZone(at_us=end_us, ball=1, zone=table.board.zones[0].name),
        BallLeft(at_us=end_us, ball=2, slot="C1"),
        BallFell(at_us=end_us, ball=2, slot="C1"),
        BallLeft(at_us=end_us, ball=3, slot="B1"),
    )
    table.settles(facts, missing=(Doubt(ball=3, slot="B1"),))
    fates = [ball.fate for ball in table.last.balls]
    assert fates == [f"zone.{table.board.zones[0].name}", "hole.C1", None]
    assert [ball.end_ms for ball in table.last.balls] == [900, 900, 900]


def test_where_people_say_a_missing_ball_went_is_its_fate():
    """The answer to ruling R-34's question stands in the roll."""
    table = Watched()
    began_us = table.rolls("B1")
    facts = (*crossed(began_us, "B1"), BallLeft(at_us=began_us + 200 * MS, ball=1, slot="B1"))
    table.settles(facts, missing=(Doubt(ball=1, slot="B1"),))
    (ask,) = [ask for ask in table.state.asks if ask.kind == "missing"]
    table.act(table.seats[0], {"do": "answer", "prompt": ask.id, "choice": "off"})
    assert table.last.balls[0].fate == "side.B1"


def test_a_ball_that_one_lying_there_sets_going_has_no_ramp():
    """Its first stop is the first slot that it came onto."""
    table = Watched()
    began_us = table.rolls("B1")
    table.settles((*crossed(began_us, "B1"), *crossed(began_us, "C2", "C3", ball=7, ramp=None)))
    (_one, other) = table.last.balls
    assert (other.ball, other.ramp, legs(other)) == (7, None, ["C2", "C3"])


def test_a_roll_that_people_told_is_kept_with_its_ramp_and_its_ways():
    """Without sensors a roll is what was tapped, whichever ramp the ball was let go on."""
    table = Watched(setup(laid=(("C3", "plain", 0),), sensors=False))
    for saw, place in (("released", "b"), ("touched", "C3"), ("still", "")):
        assert table.act("red", {"do": "attest", "saw": saw, "place": place}) is None
    (ball,) = table.last.balls

    assert (ball.ramp, legs(ball), ball.fate, table.last.told) == ("b", ["C3"], "slot.C3", True)


@pytest.mark.parametrize(
    ("saw", "place", "fate"),
    [
        ("fell", "C2", "hole.C2"),
        ("rests", "C3", "slot.C3"),
        ("off", "C3", "side.C3"),
        ("zone", "Z2", "zone.Z2"),
    ],
)
@pytest.mark.parametrize("first", ["roll", "tile"])
def test_where_only_results_are_told_the_last_tap_is_the_balls_end(saw, place, fate, first):
    """Whether the tap ends the roll alone or the turn with it."""
    table = Watched(setup(laid=(("C3", "plain", 0),), sensors=False, tile_sensors=False, depth=Depth.LIGHT))
    if first == "tile":
        plays_first(table)
    assert table.act("red", {"do": "roll", "ramp": "b"}) is None
    assert table.act("red", {"do": "attest", "saw": saw, "place": place}) is None
    (ball,) = table.last.balls
    assert (ball.ramp, ball.fate, table.last.told) == ("b", fate, True)


def light():
    """Return a watched table where only results are told."""
    return Watched(setup(laid=(("C3", "plain", 0),), sensors=False, tile_sensors=False, depth=Depth.LIGHT))


def attests(table, seat, saw, place):
    """Let a seat tell what a ball did."""
    assert table.act(seat, {"do": "attest", "saw": saw, "place": place}) is None


def test_a_roll_is_told_by_whoever_said_where_the_ball_ended():
    """Not by who rolled it: one phone may tell for a whole family; what a sensor tells nobody has told."""
    table = light()
    assert table.act("red", {"do": "roll", "ramp": "b"}) is None
    attests(table, "blue", "fell", "C2")
    assert (table.last.roller, table.last.teller) == ("red", "blue")

    seen = Watched()
    seen.settles(crossed(seen.rolls("B1"), "B1"))
    assert (seen.last.told, seen.last.teller) == (False, "")


def test_a_roll_whose_end_is_taken_back_is_not_over():
    """The roll before it is the last one again, until it is told anew; and it is still the same roll."""
    table = light()
    assert table.act("red", {"do": "roll", "ramp": "b"}) is None
    attests(table, "red", "fell", "C2")
    plays_first(table)
    first = table.last
    assert table.act("blue", {"do": "roll", "ramp": "b"}) is None
    attests(table, "blue", "fell", "C2")
    assert table.last.number == 2

    assert table.act("blue", {"do": "undo"}) is None
    assert table.last == first
    attests(table, "blue", "rests", "C3")
    assert (table.last.number, table.last.balls[0].fate) == (2, "slot.C3")

    for seat in ("blue", "blue", "red", "red", "red"):
        assert table.act(seat, {"do": "undo"}) is None
    assert table.last is None


def test_a_release_that_is_taken_back_was_no_roll():
    """A slip on a ramp leaves no ball stuck there, and the next roll has its number."""
    table = light()
    assert table.act("red", {"do": "roll", "ramp": "b"}) is None
    assert table.act("red", {"do": "undo"}) is None
    assert table.last is None

    assert table.act("red", {"do": "roll", "ramp": "a"}) is None
    attests(table, "red", "fell", "C2")
    (ball,) = table.last.balls
    assert (table.last.number, ball.ramp, ball.fate) == (1, "a", "hole.C2")


@pytest.mark.slow
@pytest.mark.mutants
def test_journal_and_game_show_the_same_last_roll():
    """Replaying a whole game's entries gives the very last roll that was shown."""
    table = begin(9)
    assert play(table)
    kept = table.host.runtime.referee.rolls.last
    assert kept is not None
    assert encode(replayed(table).rolls.last) == encode(kept)
    assert table.host.runtime.scene().last_roll == kept


def test_a_ball_from_another_launcher_rolls_from_where_balls_lay():
    """Nobody saw it leave a ramp; one that lay on a tile before has not touched it in this roll (2.1.1.3, R-12)."""
    wanted = replace(setup(laid=(("B2", "plain", 0), ("C3", "plain", 0)), launcher=True), balls={1: "B2"})
    table = Watched(wanted)
    table.enters("C3", ball=5)
    (ask,) = table.state.asks
    assert table.act(ask.seat, {"do": "answer", "prompt": ask.id, "choice": "yes"}) is None
    table.settles((BallEntered(at_us=table.state.at_us, ball=5, slot="C3"),))
    (ball,) = table.last.balls

    assert (ball.ball, ball.ramp, legs(ball)) == (5, None, ["C3"])
    assert table.last.touches == {"C3": 1}

"""Every time of the rulings, to the microsecond: not a moment too early, not a moment too late."""

import msgspec
import pytest
from helpers.tabletop import Table, setup
from hextraction.board.facts import Answer, Question, RollSettled
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.state.state import Config
from hextraction.controller.games.protocol import KickBalls, Paused, TileSeen, Woke

SECOND_US = 1_000_000
START_US = 7_000_000_123
"""Games do not begin at nought: what adds and what multiplies times differs only then."""


def table(*laid, **config):
    """Return a table that has been running for a while; Red is the first to move."""
    found = Table(setup(laid=tuple((slot, name, 0) for slot, name in laid), **config))
    found.at_us = START_US
    return found


def rolled_over_spike(one):
    """Let a ball touch the tile at C1, and all lie still."""
    one.act("red", {"do": "roll", "ramp": "c"})
    one.releases("c")
    one.enters("C1")
    one.quiet(*one.events[-2:])


def tile_falls_out_in_a_roll(one):
    """Let a tile leave its slot while Red rolls."""
    one.act("red", {"do": "roll", "ramp": "c"})
    one.releases("c")
    one.feed(TileSeen(at_us=one.later(), slot="C1", present=False))


def card_asked(one):
    """Let Red ask for Blue's card of the tile at C1."""
    copy = one.state.laid[0].copy
    copies = {**one.state.copies, copy: _owned(one.state.copies[copy], "blue")}
    one.state = _replaced(one.state, copies=copies)
    assert one.act("red", {"do": "rules", "tile": copy}) is None


def card_not_shown(one):
    """Let Blue have none."""
    card_asked(one)
    answer(one, "none")


def card_shown_at_the_last_moment(one):
    """Let Blue show the card when a second of the time is left."""
    card_asked(one)
    one.at_us += 59 * SECOND_US
    answer(one, "shown")


def card_shown_at_once(one):
    """Let Blue show the card."""
    card_asked(one)
    answer(one, "shown")


def _owned(copy, seat):
    return _replaced(copy, owner=seat)


def _replaced(what, **changes):
    return msgspec.structs.replace(what, **changes)


def roll_in_doubt(one):
    """Let the tracker be unsure whether the ball touched C1 once or twice."""
    one.act("red", {"do": "roll", "ramp": "c"})
    one.releases("c")
    one.enters("C1")
    facts = tuple(one.events[-2:])
    answers = tuple(Answer(counts=(many,), facts=facts, likelihood=0.5, probability=0.9) for many in (1, 2))
    question = Question(kind="touches", slots=("C1",), answers=answers)
    one.feed(RollSettled(at_us=one.later(), facts=facts, probability=0.5, question=question))


def roll_in_two_doubts(one):
    """Let the tracker be unsure how often the ball touched C1, and after any answer whether it lies there."""
    one.act("red", {"do": "roll", "ramp": "c"})
    one.releases("c")
    one.enters("C1")
    facts = tuple(one.events[-2:])
    lies = tuple(Answer(counts=(many,), facts=facts, likelihood=0.5, probability=0.9) for many in (1, 0))
    then = Question(kind="rests", slots=("C1",), answers=lies)
    answers = tuple(
        Answer(counts=(many,), facts=facts, likelihood=0.5, probability=0.6, question=then) for many in (1, 2)
    )
    question = Question(kind="touches", slots=("C1",), answers=answers)
    one.feed(RollSettled(at_us=one.later(), facts=facts, probability=0.5, question=question))


def answer(one, choice):
    """Let whoever is asked answer."""
    ask = one.state.asks[0]
    assert one.act(ask.seat, {"do": "answer", "prompt": ask.id, "choice": choice}) is None


QUESTIONS = [
    ("area", rolled_over_spike, 10 * SECOND_US),
    ("lifted", tile_falls_out_in_a_roll, 10 * SECOND_US),
    ("witness", roll_in_doubt, 10 * SECOND_US),
    ("show", card_asked, 60 * SECOND_US),
    ("uncarded", card_not_shown, 60 * SECOND_US),
    ("card", card_shown_at_once, 60 * SECOND_US - 10_000),
    ("card", card_shown_at_the_last_moment, 10 * SECOND_US),
]


@pytest.mark.parametrize(("kind", "ask", "within_us"), QUESTIONS)
def test_a_question_waits_for_exactly_its_time(kind, ask, within_us):
    """The first answer is given when the time is over; a microsecond before nobody has answered."""
    one = table(("C1", "spike"))
    ask(one)
    asked = one.state.asks[0]
    late_us = one.at_us + within_us

    assert asked.kind == kind
    assert asked.deadline_us == late_us == one.game.wake_at_us(one.state)
    one.feed(Woke(at_us=late_us - 1))
    assert asked in one.state.asks
    one.feed(Woke(at_us=late_us))
    assert asked not in one.state.asks


@pytest.mark.parametrize("late_us", [0, 1, 300_000])
def test_where_nobody_answered_the_tracker_nobody_is_asked_what_that_leaves_open(late_us):
    """The table is looking elsewhere, however late the clock rings: the likeliest account holds (R-14)."""
    one = table(("C1", "plain"))
    roll_in_two_doubts(one)
    one.feed(Woke(at_us=one.at_us + 10 * SECOND_US + late_us))

    assert one.state.asks == ()
    assert one.state.phase is Phase.SETTLING


def test_who_answers_the_tracker_is_asked_what_that_leaves_open():
    """In good time it is somebody who has watched, and who is asked the rest, too (R-14)."""
    one = table(("C1", "plain"))
    roll_in_two_doubts(one)
    one.at_us += 9 * SECOND_US
    answer(one, "1")

    assert [ask.text for ask in one.state.asks] == ["Where does a ball lie: C1?"]


@pytest.mark.parametrize(("kind", "ask", "within_us"), QUESTIONS)
def test_a_break_puts_a_question_off_by_exactly_its_length(kind, ask, within_us):
    """For the game no time passes in a break, whatever is asked."""
    one = table(("C1", "spike"))
    ask(one)
    late_us = one.at_us + within_us
    one.feed(Paused(at_us=one.at_us + 1_000, on=True))
    one.feed(Woke(at_us=late_us + 99))
    assert one.game.wake_at_us(one.state) is None
    one.feed(Paused(at_us=one.at_us + 1_000 + 77 * SECOND_US, on=False))

    assert one.state.asks[0].kind == kind
    assert one.game.wake_at_us(one.state) == late_us + 77 * SECOND_US


def test_the_grace_lasts_five_seconds_to_the_microsecond():
    """A settled roll commits by itself when everybody has had five seconds to object (R-20)."""
    one = table()
    one.act("red", {"do": "roll", "ramp": "c"})
    one.releases("c")
    one.enters("C1")
    one.quiet(*one.events[-2:])

    assert one.state.phase is Phase.SETTLING
    late_us = one.at_us + 5 * SECOND_US
    assert one.game.scene(one.state).deadline_us == late_us == one.game.wake_at_us(one.state)
    one.feed(Woke(at_us=late_us - 1))
    assert one.state.phase is Phase.SETTLING
    one.feed(Woke(at_us=late_us))
    assert one.state.phase is Phase.CHOOSING


def test_while_a_vote_is_open_no_grace_runs_out_and_after_it_a_new_one_begins():
    """However long a vote takes, there are five seconds left to object to what it brought (0.5.1, R-20)."""
    one = table(("C3", "bell"))
    one.act("red", {"do": "roll", "ramp": "c"})
    one.releases("c")
    one.enters("C1")
    one.quiet(*one.events[-2:])
    one.act("blue", {"do": "vote", "slot": "C3"})
    one.at_us += 100 * SECOND_US
    one.feed(Woke(at_us=one.at_us))

    assert one.state.phase is Phase.SETTLING
    assert one.game.wake_at_us(one.state) is None
    for seat in ("blue", "green", "red"):
        one.act(seat, {"do": "ballot", "yea": True})
    assert one.game.wake_at_us(one.state) == one.at_us + 5 * SECOND_US


def test_a_break_puts_the_grace_off_and_nothing_is_committed_in_it():
    """A clock that rings in a break is not heard (R-20)."""
    one = table()
    one.act("red", {"do": "roll", "ramp": "c"})
    one.releases("c")
    one.enters("C1")
    one.quiet(*one.events[-2:])
    late_us = one.at_us + 5 * SECOND_US
    one.feed(Paused(at_us=one.at_us + SECOND_US, on=True))
    one.feed(Woke(at_us=late_us + SECOND_US))

    assert one.state.phase is Phase.SETTLING
    one.feed(Paused(at_us=one.at_us + 31 * SECOND_US, on=False))
    assert one.game.wake_at_us(one.state) == late_us + 30 * SECOND_US


def test_a_break_while_a_card_is_looked_for_puts_off_the_time_to_look_at_it_too():
    """The minute for the card goes on after the break, also for the one who checks it (R-64)."""
    one = table(("C1", "spike"))
    card_asked(one)
    late_us = one.state.asks[0].deadline_us
    one.feed(Paused(at_us=one.at_us + SECOND_US, on=True))
    one.feed(Paused(at_us=one.at_us + 31 * SECOND_US, on=False))
    one.at_us += 31 * SECOND_US
    answer(one, "shown")

    assert one.state.asks[0].kind == "card"
    assert one.game.wake_at_us(one.state) == late_us + 30 * SECOND_US


def laying(one):
    """Let Red play a tile that fits anywhere, up to where it lies in its slot."""
    offers = [act for seat, act in one.offers() if seat == "red" and act["do"] == "play"]
    one.act("red", offers[0])
    place = next(act for seat, act in one.offers() if act["do"] == "place")
    one.act("red", place)
    one.feed(TileSeen(at_us=one.later(), slot=place["slot"], present=True))
    return place["slot"]


def test_a_tile_is_let_go_after_one_and_a_half_seconds_to_the_microsecond():
    """Who says nothing has let go of a tile once it has lain still for so long (2.2.5)."""
    one = Table(setup(tiles=("plain",), count=40))
    one.at_us = START_US
    slot = laying(one)
    late_us = one.at_us + 1_500_000

    assert one.game.wake_at_us(one.state) == late_us
    one.feed(Woke(at_us=late_us - 1))
    assert one.state.laid == ()
    one.feed(Woke(at_us=late_us))
    assert [laid.slots for laid in one.state.laid] == [(slot,)]


def test_without_a_time_to_let_go_a_tile_is_installed_as_it_is_seen():
    """The setting may be nought: then a tile counts at once."""
    one = Table(setup(tiles=("plain",), count=40, let_go_us=0))
    slot = laying(one)

    assert [laid.slots for laid in one.state.laid] == [(slot,)]


def test_balls_that_move_for_twenty_seconds_are_asked_about_and_again_after_twenty_more():
    """The time runs from the release, and anew when the table would rather wait (R-31)."""
    one = table()
    one.act("red", {"do": "roll", "ramp": "c"})
    one.releases("c")
    began_us = one.at_us
    one.enters("C1")

    assert one.game.wake_at_us(one.state) == began_us + 20 * SECOND_US
    one.feed(Woke(at_us=began_us + 20 * SECOND_US - 1))
    assert one.state.asks == ()
    one.at_us = began_us + 20 * SECOND_US
    one.feed(Woke(at_us=one.at_us))
    assert [ask.kind for ask in one.state.asks] == ["loop"]
    answer(one, "wait")
    assert one.game.wake_at_us(one.state) == one.at_us + 20 * SECOND_US


def test_a_break_puts_a_long_roll_off_by_exactly_its_length():
    """Twenty seconds of rolling are not counted while the table has a break (R-31)."""
    one = table()
    one.act("red", {"do": "roll", "ramp": "c"})
    one.releases("c")
    began_us = one.at_us
    one.feed(Paused(at_us=began_us + 5, on=True))
    one.feed(Paused(at_us=began_us + 5 + 11 * SECOND_US, on=False))

    assert one.game.wake_at_us(one.state) == began_us + 31 * SECOND_US


def test_a_tile_can_be_voted_on_again_at_the_very_moment_its_rest_is_over():
    """A minute after the last vote on it, and not a microsecond before (R-10)."""
    one = table(("C3", "bell"), vote_cooldown_us=60 * SECOND_US)
    one.act("red", {"do": "vote", "slot": "C3"})
    called_us = one.at_us
    for seat in ("red", "blue", "green"):
        one.act(seat, {"do": "ballot", "yea": True})

    one.at_us = called_us + 60 * SECOND_US - 10_001
    assert one.act("blue", {"do": "vote", "slot": "C3"}).clause == "0.5.5"
    one.at_us = called_us + 60 * SECOND_US - 10_000
    assert one.act("blue", {"do": "vote", "slot": "C3"}) is None


def test_a_lone_effect_waits_exactly_its_moment():
    """The bell rings two seconds after the ball lies still, and not a microsecond before (0.5.1, 2.5.1)."""
    one = table(("C1", "bell"), moment_us=2 * SECOND_US)
    rolled_over_spike(one)
    still_us = one.at_us

    assert one.game.wake_at_us(one.state) == still_us + 2 * SECOND_US
    one.feed(Woke(at_us=still_us + 2 * SECOND_US - 1))
    assert one.state.chime == 0
    one.feed(Woke(at_us=still_us + 2 * SECOND_US))
    assert (one.state.chime, one.state.phase) == (1, Phase.SETTLING)


def test_a_vote_in_the_moment_of_a_lone_effect_puts_it_off_by_its_length():
    """A vote that lasts a minute and keeps the tile leaves the rest of the moment as it was (R-05)."""
    one = table(("C1", "bell"), moment_us=2 * SECOND_US)
    rolled_over_spike(one)
    late_us = one.state.deadline_us
    one.act("red", {"do": "vote", "slot": "C1"})
    called_us = one.at_us
    one.at_us += 60 * SECOND_US
    for seat in ("red", "blue", "green"):
        one.act(seat, {"do": "ballot", "yea": True})

    assert one.state.chime == 0
    assert one.state.deadline_us == late_us + one.at_us - called_us


def test_a_kicker_fires_when_the_hand_has_had_time_to_be_away():
    """A second and a half after the last destroyed tile is seen to be out, no coil moves before (2.4.1)."""
    one = table(("C1", "hammer"), ("C2", "kick"), ("D3", "plain"), kickers=("C2",))
    one.act("red", {"do": "roll", "ramp": "c"})
    one.releases("c")
    one.enters("C1")
    one.leaves("C1")
    one.enters("C2")
    one.quiet(*one.events[-4:])
    hammer = next(word for word, label in one.state.asks[0].choices if label.startswith("HAMMER"))
    answer(one, hammer)
    answer(one, "D3")
    one.feed(TileSeen(at_us=one.later(), slot="D3", present=False))
    out_us = one.at_us

    assert not _kicked(one.feed(Woke(at_us=out_us + 1_499_999)))
    assert _kicked(one.feed(Woke(at_us=out_us + 1_500_000)))


def _kicked(effects):
    return any(isinstance(effect, KickBalls) for effect in effects)


def test_an_accident_that_no_sensor_sees_end_is_over_after_twenty_seconds():
    """Then the table may go on, and not a microsecond before (2.3.1, R-62)."""
    one = table(("C3", "plain"))
    one.enters("C3")
    began_us = one.at_us

    assert one.game.wake_at_us(one.state) == began_us + 20 * SECOND_US
    one.feed(Woke(at_us=began_us + 20 * SECOND_US - 1))
    assert one.state.adrift
    one.feed(Woke(at_us=began_us + 20 * SECOND_US))
    assert not one.state.adrift


def test_the_settings_are_those_of_the_rulings_unless_said():
    """Times in microseconds: the grace, letting go, attesting, a loop, a card, leaving a slot, a vote."""
    wanted = Config()

    times_us = (
        wanted.grace_us, wanted.let_go_us, wanted.attest_us, wanted.loop_us, wanted.card_us, wanted.leave_us,
        wanted.vote_cooldown_us,
    )  # fmt: skip
    assert times_us == (5_000_000, 1_500_000, 10_000_000, 20_000_000, 60_000_000, 80_000, 0)
    assert (wanted.joint_wins, wanted.trigger_once_per_roll, wanted.launcher) == (True, False, False)
    assert (wanted.sensors, wanted.tile_sensors, wanted.gates, wanted.kickers) == (True, True, True, ())

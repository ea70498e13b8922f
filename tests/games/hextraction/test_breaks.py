"""Breaks, open votes, names and objections: what the clock and the seats of a running game do."""

import pytest
from helpers.tabletop import Table, setup
from hextraction.controller.games.hextraction import Phase, Seat, Setup, Share
from hextraction.controller.games.protocol import Ignored, Paused, Renamed, Said
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

MINUTE_US = 60_000_000


def at(table, seconds):
    """Let time pass without anything happening."""
    table.at_us += int(seconds * 1_000_000)


def settling(**config):
    """Return a table at which a roll has come to rest."""
    table = Table(setup(**config))
    table.act("red", {"do": "roll", "ramp": "a"})
    table.releases("a")
    table.quiet()
    for ask in table.state.asks:
        table.act("red", {"do": "answer", "prompt": ask.id, "choice": ask.choices[0][0]})
    assert table.state.phase is Phase.SETTLING
    return table


def break_of(table, seconds):
    """Let the table have a break."""
    table.feed(Paused(at_us=table.later(), on=True))
    at(table, seconds)
    table.feed(Paused(at_us=table.at_us, on=False))


@settings(deadline=None, max_examples=30)
@given(seconds=st.lists(st.integers(0, 3600), max_size=4))
def test_whatever_the_breaks_as_much_time_is_left_as_before(seconds):
    """The grace is five seconds without the breaks in it."""
    table = settling()
    left_us = table.state.deadline_us - table.at_us
    for each in seconds:
        break_of(table, each)
    assert table.state.deadline_us - table.at_us == left_us - 10_000 * len(seconds)


def test_in_a_break_the_game_asks_for_no_moment_and_hears_nobody():
    """No wake-up is wanted, no option is left but leaving, and all else is refused as paused."""
    table = settling()
    table.feed(Paused(at_us=table.later(), on=True))
    assert table.game.wake_at_us(table.state) is None
    assert {act["do"] for _seat, act in table.offers(parting=True)} == {"concede"}
    assert table.act("red", {"do": "agree"}).clause == "0.0"


def test_how_the_game_stands_says_whether_there_is_a_break():
    """Whoever asks from outside the rules, such as the one who keeps the time, sees the break begin and end."""
    table = settling()
    paused = []
    for on in (True, False):
        paused.append(table.game.standing(table.state).paused)
        table.feed(Paused(at_us=table.later(), on=on))
    assert [*paused, table.game.standing(table.state).paused] == [False, True, False]


@pytest.mark.parametrize("on", [True, False])
def test_a_break_twice_is_one(on):
    """Beginning a break in a break, or ending none, changes nothing."""
    table = settling()
    if on:
        table.feed(Paused(at_us=table.later(), on=True))
    before = table.state
    effects = table.feed(Paused(at_us=table.at_us, on=on))
    assert effects == (Ignored(reason="settling/Paused"),)
    assert replace(table.state, at_us=before.at_us) == before


def test_the_time_for_a_card_goes_on_after_a_break_where_it_stopped():
    """The minute for finding a rules card is handed on with each of its questions (2.5.3)."""
    table = Table(setup(laid=(("C3", "bell", 0),)))
    copy = table.state.laid[0].copy
    assert table.act("red", {"do": "rules", "tile": copy}) is None
    break_of(table, 600)
    (ask,) = table.state.asks
    assert ask.deadline_us > table.at_us
    assert ask.about.until_us > table.at_us + 50_000_000


def test_what_is_taken_back_after_a_long_time_leaves_its_questions_their_time():
    """An undone answer to a question with a deadline is not answered by its default at once."""
    table = Table(setup(laid=(("C3", "spike", 0),)))
    table.act("red", {"do": "roll", "ramp": "c"})
    before = table.state
    at(table, 120)
    assert table.act("red", {"do": "undo"}) is None
    (ask,) = table.state.asks
    assert table.act(ask.seat, {"do": "answer", "prompt": ask.id, "choice": "yes"}) is None
    assert table.state.phase is Phase.CHOOSING
    assert before.phase is Phase.RELEASING


def test_a_new_name_is_told_once_and_shown():
    """Renaming to the same name, or an unknown seat, means nothing."""
    table = Table(setup())
    effects = table.feed(Renamed(at_us=table.later(), seat="blue", name="Zoe"))
    assert [effect.text for effect in effects if isinstance(effect, Said)] == ["Zoe plays on for Blue."]
    assert table.game.scene(table.state).seats[1].name == "Zoe"
    for seat, name in (("blue", "Zoe"), ("pink", "Ann")):
        assert table.feed(Renamed(at_us=table.later(), seat=seat, name=name)) == (
            Ignored(reason="choosing/Renamed"),
        )


def test_objecting_takes_every_agreement_back():
    """A dispute in the grace changes what the others agreed to."""
    table = settling()
    table.act("blue", {"do": "agree"})
    assert table.state.agreed == ("blue",)
    assert table.act("green", {"do": "flick"}) is None
    assert table.state.agreed == ()


def test_every_shortfall_is_told_with_its_number():
    """Board, pool and hands are all told at once, each with what is missing and its clause."""
    seats = (Seat(seat="red", name="Red", hand=("bell", "bell")), Seat(seat="blue", name="Blue"))
    table = Table(setup())
    wanted = Setup(board="fx-19", seats=seats, pool=(Share(name="plain", count=20),), quick=False)
    told = {clause: text for text, clause in table.game.problems(wanted)}
    assert "nobody is named as the owner" in told["1.0.1"]
    assert told["1.0.4"].endswith("2 too few")
    assert "holds 2 tiles, not three" in told["1.0.6"]


@pytest.mark.parametrize("name", ["Ann", "Blue the Second", "Zoe"])
def test_any_other_name_is_a_new_one(name):
    """Before or after the old one in the alphabet."""
    table = Table(setup())
    table.feed(Renamed(at_us=table.later(), seat="blue", name=name))
    assert table.game.scene(table.state).seats[1].name == name

"""What the house may ask of a table does what a button there would, and what it asks in vain changes nothing."""

from helpers.audience import Phones
from helpers.simulated import begin, entries, now_us, replayed, state, table
from hextraction.controller.payloads.house import Brightness, Pause, Start
from hextraction.controller.payloads.messages import Command

START, PAUSE = Start(do="start"), Pause(do="pause")


def seated(players=2):
    """Return a table at which people sit and no game is on, with its phones and what a house is told."""
    made = table(9, players=players, people=True)
    made.host.audience = Phones()
    news = []
    made.host.on_news = news.append
    return made, news


def test_a_start_begins_the_game_that_a_phone_would_have_begun():
    """Whoever sits there plays, and the house is told so at once."""
    made, news = seated()
    answer = made.host.order(START, 5)

    assert answer.ok
    assert made.host.lobby.phase == "playing"
    assert [player.seat for player in made.host.runtime.standing.players] == ["red", "blue"]
    assert [(one.event_type, one.game) for one in news] == [("start", made.host.runtime.game)]


def test_a_second_start_is_in_vain():
    """The game that is on goes on."""
    made, _news = seated()
    made.host.order(START, 5)
    game = made.host.runtime.game
    answer = made.host.order(START, 6)

    assert (answer.ok, answer.reason) == (False, "A game is on already.")
    assert made.host.runtime.game == game


def test_nobody_starts_a_game_for_an_empty_table():
    """Where bots do not fill seats, a game needs people."""
    made, _news = seated()
    made.host.lobby.bots_fill = False
    for chair in made.host.lobby.chairs:
        made.host.lobby.left(chair.seat)

    assert not made.host.order(START, 5).ok
    assert made.host.runtime is None


def test_a_pause_is_journalled_as_a_phones_is_and_ends_by_either():
    """The same event as from a phone; whoever sits there may end the break that the house began."""
    made, _news = seated()
    made.host.order(START, 5)
    made.host.order(PAUSE, now_us(made))
    assert made.host.runtime.standing.paused
    assert made.host.lobby.say == "The house paused the game."
    made.host.command("red", Command(id="a", table={"do": "resume"}), now_us(made))
    assert not made.host.lobby.paused
    made.host.order(PAUSE, now_us(made))
    made.host.order(PAUSE, now_us(made))

    assert not made.host.lobby.paused
    assert [entry.what.on for entry in entries(made) if type(entry.what).__name__ == "Paused"] == [
        True, False, True, False,
    ]  # fmt: skip
    assert replayed(made).state == state(made)


def test_an_automation_may_ask_twice_for_the_same():
    """A break that is on stays on, and a game that goes on goes on: nothing is turned over by a second order."""
    made, _news = seated()
    made.host.order(START, 5)
    asked = [Pause(do="pause", on=on) for on in (True, True, False, False)]
    answers = [made.host.order(one, now_us(made)) for one in asked]

    assert [answer.ok for answer in answers] == [True, False, True, False]
    assert [answer.reason for answer in answers[1::2]] == [
        "The game is paused already.",
        "The game is not paused.",
    ]
    assert not made.host.lobby.paused


def test_a_pause_without_a_game_is_in_vain():
    """There is nothing to pause."""
    made, _news = seated()

    assert made.host.order(PAUSE, 5).reason == "No game is on."


def test_dimmed_lamps_stay_within_their_supply_and_everybody_is_told():
    """The next frame is darker; what the lamps together may draw is the same, however bright they should be."""
    made = begin(9)
    made.host.audience = phones = Phones()
    made.host.refresh(now_us(made))
    before = len(entries(made))
    bright = made.devices.pixels.frame
    made.host.order(Brightness(percent=5), now_us(made))
    made.host.refresh(now_us(made))
    dim = made.devices.pixels.frame
    made.host.order(Brightness(percent=100), now_us(made))
    made.host.refresh(now_us(made))
    full = made.devices.pixels.frame

    assert 0 < sum(map(sum, dim)) < sum(map(sum, bright)) / 2
    assert sum(map(sum, full)) * 20 / 255 <= 2000
    assert [shown.brightness for shown in phones.tables] == [5, 100]
    assert len(entries(made)) == before

"""The evening at a table, for late-comers and the big screen: the last events, and who won which game."""

import pytest
from helpers.audience import Phones
from helpers.simulated import begin, play, table
from hextraction.controller.games.protocol import Said
from hextraction.controller.payloads.messages import PlayedGame
from hextraction.controller.play.journal import Journal
from hextraction.controller.table.evening import Remembered, told
from msgspec.structs import replace


@pytest.mark.slow
def test_the_last_twenty_events_are_remembered_and_games_with_how_they_ended():
    """With nobody there to hear them; the evening grows by the game that has just ended."""
    made = begin(9)
    assert made.host.evening.games == ()
    assert play(made)
    made.host.refresh(made.devices.clock.now_us())

    evening = made.host.evening
    outcome = made.host.runtime.standing.outcome
    assert len(evening.events) == 20
    assert evening.events[-1].text.strip(".!") in outcome or outcome in {e.text for e in evening.events}
    assert [(game.title, game.outcome) for game in evening.games] == [("Hextraction", outcome)]
    assert set(evening.games[0].players) == {chair.name for chair in made.host.lobby.players}

    again = table(9, journal=made.host.journal)
    assert again.host.evening.games == evening.games


def test_what_happened_survives_a_restart():
    """The replay of an interrupted game tells its last events again."""
    made = begin(9)
    made.host.audience = Phones()
    while len(made.host.evening.events) < 20:
        made.step()
    game, before = made.host.runtime.game, made.host.evening.events

    again = table(9, journal=made.host.journal)
    assert again.host.evening.events == ()
    again.host.recall(game)
    kept = [event.text for event in before if event.kind != "start"]
    assert [event.text for event in again.host.evening.events][-len(kept) :] == kept
    assert all(event.game == game and event.seq for event in again.host.evening.events)


def test_what_was_told_before_a_start_is_remembered_until_something_is_told():
    """After a restart between two games the last one is told again; a game that goes on has its own events."""
    made = begin(9)
    said = Said(kind="win", text="Ada wins.")
    remembered = Remembered(made.host.journal)
    remembered.before([told(said, game="g0", seq=7, at_us=9)])
    assert [event.text for event in remembered.evening.events] == ["Ada wins."]

    before = made.host.evening.events
    assert before
    made.host.remember([told(said, game="g0", seq=7, at_us=9)])
    assert made.host.evening.events == before


def test_games_of_another_evening_are_not_shown():
    """Eighteen hours before the newest game another evening ended."""
    remembered = Remembered(begin(9).host.journal)
    assert remembered.evening.games == ()

    def game(name, wall):
        return PlayedGame(
            game=name, kind="hextris", title="Hextris", wall=wall, players=(), outcome="Ada won."
        )

    walls = (
        "2026-11-21T20:00:00+0100",
        "2026-11-22T21:00:00+0100",
        "2026-11-23T00:10:00+0100",
        "nobody knows",
    )
    for number, wall in enumerate(walls):
        remembered._games.append(game(f"g{number}", wall))
    assert [one.game for one in remembered.evening.games] == ["g1", "g2", "g3"]


def test_an_event_is_told_as_it_is_remembered():
    """What the log on phones shows has all that was said."""
    said = Said(kind="fell", text="The ball fell through C4.", seat="red", slot="C4", ball=2, clause="2.5.1")
    event = told(said, game="g", seq=7, at_us=9)

    assert (event.text, event.slot, event.clause, event.seq) == (said.text, "C4", "2.5.1", 7)


@pytest.mark.parametrize("unset", ["1970-01-01T00:01:00+0000", "2026-11-01T09:00:00+0100"])
def test_an_evening_without_a_set_clock_is_shown_alone_and_undated(unset):
    """Last week's games are not of this evening because its clock stands in another year, or before them."""
    made = begin(9)
    header = made.host.runtime.referee.header
    remembered = Remembered(Journal(":memory:"))
    evenings = (
        ("a", "2026-11-21T20:00:00+0100"),
        ("b", unset),
        ("b", unset),
        ("b", "2026-11-28T21:00:00+0100"),
    )
    for number, (boot, wall) in enumerate(evenings):
        remembered.over(replace(header, game=f"g{number}", boot=boot, wall=wall), "Ada won.")
        if number == 2:
            assert [(one.game, one.wall) for one in remembered.evening.games] == [("g1", ""), ("g2", "")]
    shown = [(one.game, one.wall) for one in remembered.evening.games]
    assert shown == [("g1", ""), ("g2", ""), ("g3", "2026-11-28T21:00:00+0100")]

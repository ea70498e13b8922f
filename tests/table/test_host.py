"""The host answers every phone, shows each only what it may see, and lets bots play only for a bot's seat."""

import asyncio
from dataclasses import replace

import pytest
from helpers.audience import Phones
from helpers.simulated import BOARD, OWN_TILES, TILES, begin, entries, now_us, play, replayed, state, table
from hextraction.board.profile import load_board
from hextraction.controller.app.simulation import Simulation, SimulationSettings
from hextraction.controller.games.extraction import Extraction
from hextraction.controller.games.hextraction import Hextraction, Phase
from hextraction.controller.games.marked_names import marked, plain
from hextraction.controller.games.strategy import Sight
from hextraction.controller.payloads.messages import Command
from hextraction.controller.play.journal import Broken, Journal, JournalError
from hextraction.controller.table.lobby import SEATS, Chair, Lobby
from hextraction.hal.ports import Edge


def seated(seed=9):
    """Return a table at which a person plays red against two bots, and the phones."""
    made = table(seed)
    made.host.lobby.join("Ann", "red", {})
    phones = made.host.audience = Phones()
    assert made.begin() == []
    made.show()
    return made, phones


def says(made, seat="red", **words):
    """Let a seat's phone ask for something; return the answer."""
    game = made.host.runtime.game if made.host.runtime is not None else ""
    command = Command(**{"id": f"c{len(made.host.audience.replies)}", "game": game, **words})
    made.host.command(seat, command, now_us(made))
    return made.host.audience.replies[-1][1]


def test_only_people_are_shown_a_view_and_only_their_own():
    """The bots' seats get nothing, and red's view is red's."""
    made, phones = seated()
    play(made, steps=300, until=lambda _runtime: False, show_every=5)
    assert {seat for seat, _view in phones.views} == {"red"}
    assert {view.view.seat for _seat, view in phones.views} == {"red"}


def test_bots_do_not_play_for_a_person():
    """However long it takes, nothing is done for red but by red."""
    made, _phones = seated()
    play(made, steps=4_000, until=lambda _runtime: False)
    acted = {entry.what.seat for entry in entries(made) if type(entry.what).__name__ == "Acted"}
    assert "red" not in acted


def between_throws(*, person, hurries=False):
    """Return the seconds between two bots' throws for the first turn of Extraction."""
    lobby = Lobby(SEATS[:3], bots_fill=True, wanted=3)
    settings = SimulationSettings(seed=3, speed=0)
    made = Simulation(Extraction(load_board("large-27")), Journal(":memory:"), lobby, settings)
    if person:
        lobby.join("Ann", "red", {})
    lobby.fill()
    made.host.audience = Phones()
    assert made.begin() == []
    if person:
        assert play(made, until=lambda _runtime: says(made, act={"do": "roll"}).ok)
    if hurries:
        assert says(made, table={"do": "hurry"}).ok

    def thrown():
        return [one.what.at_us for one in entries(made) if type(one.what).__name__ == "Acted"]

    play(made, until=lambda _runtime: len(thrown()) == 3)
    return (thrown()[2] - thrown()[1]) / 1_000_000


@pytest.mark.slow
def test_people_see_what_a_bot_did_before_another_one_acts():
    """A throw is looked at for two seconds; nobody waits for that if nobody plays, or if somebody wants it faster."""
    assert between_throws(person=True) > 2
    assert between_throws(person=True, hurries=True) < 1
    assert between_throws(person=False) < 1


def quiet_s(made, most_s):
    """Return for how many seconds nothing happens at a table, at most so many."""
    begun_us, said = now_us(made), len(entries(made))
    while now_us(made) - begun_us < most_s * 1_000_000 and len(entries(made)) == said:
        made.step()
    return (now_us(made) - begun_us) / 1_000_000


@pytest.mark.slow
def test_an_offer_is_a_persons_before_another_bot_takes_it():
    """While Ann is asked no bot does anything for eight seconds; once she has answered they go on at once."""
    lobby = Lobby(SEATS[:3], bots_fill=True, wanted=3)
    settings = SimulationSettings(seed=3, speed=0)
    made = Simulation(Extraction(load_board("large-27")), Journal(":memory:"), lobby, settings)
    lobby.join("Ann", "red", {})
    lobby.fill()
    made.host.audience = Phones()
    assert made.begin() == []
    ann = made.host.plan.bot("red")

    def seen():
        return made.host.runtime.referee.game.private(state(made), "red")

    def offered():
        return next((one for one in seen().prompts if one.kind == "offer"), None)

    def plays_till_an_offer():
        def done(runtime):
            if offered() is not None:
                return True
            act = ann.think(seen(), Sight(dict, runtime.scene), now_us(made))
            if act is not None:
                says(made, act=act)
            return False

        assert play(made, until=done)

    plays_till_an_offer()
    assert 8 <= quiet_s(made, 20) < 9.5
    assert offered() is None  # another bot has taken it, or the one that made it has taken it back
    plays_till_an_offer()
    assert quiet_s(made, 3) == 3
    says(made, act=next(one.act for one in offered().options if one.act["choice"] == "no"))
    assert quiet_s(made, 20) < 1


def test_every_command_is_answered():
    """Hello, a good act, a bad one, a stale game and nothing at all each get one reply."""
    made, phones = seated()
    assert says(made, hello=True).ok
    assert says(made, act={"do": "sneeze"}).code == "refused"
    assert says(made, act={"do": "end"}, game="yesterday").code == "stale"
    assert says(made).code == "invalid"
    assert says(made, table={"do": "sneeze"}).code == "refused"
    assert says(made, table={"do": []}).code == "refused"
    assert says(made, table={"do": {"do": "start"}}).code == "refused"
    assert len(phones.replies) == 7


def test_an_unchanged_view_is_not_sent_again_but_for_a_hello():
    """A phone gets its view when it changes, and when it asks."""
    made, phones = seated()
    count = len(phones.views)
    made.host.runtime.changed = True
    made.host.refresh(now_us(made))
    assert len(phones.views) == count
    says(made, hello=True)
    assert len(phones.views) == count + 1


def test_a_paused_game_refuses_acts_and_still_hears_its_sensors():
    """People pause; balls do not."""
    made, _phones = seated()
    assert says(made, table={"do": "pause"}).ok
    assert says(made, act={"do": "end"}).reason.startswith("The game is paused")
    count = len(entries(made))
    made.host.edge(Edge("drain.A1", True, 9_000_000))
    assert len(entries(made)) > count
    assert says(made, table={"do": "resume"}).ok


def test_a_seat_may_declare_a_sensor_broken():
    """A tap says that a sensor is broken, or works again; an unknown one is refused."""
    made, _phones = seated()
    assert says(made, table={"do": "broken", "sensor": "drain.A1"}).ok
    assert says(made, table={"do": "working", "sensor": "drain.A1"}).ok
    assert not says(made, table={"do": "broken", "sensor": "drain.Z9"}).ok
    assert not says(made, table={"do": "broken", "sensor": 7}).ok
    assert sum(isinstance(entry.what, Broken) for entry in entries(made)) == 2


class Unseen(Hextraction):
    """Rules of which no view can be made."""

    def scene(self, state):
        return 1 / 0

    def private(self, state, seat):
        return 1 / 0


def test_a_view_that_cannot_be_made_is_logged_and_the_game_goes_on(caplog):
    """A bug in a view costs the view: the one before stays, and bots and rules play on."""
    made, phones = seated()
    shown = len(phones.states)
    referee = made.host.runtime.referee
    good, referee.game = referee.game, Unseen(BOARD, TILES)
    made.host.power(False, 5_000)
    made.host.refresh(now_us(made))
    made.host.bots_act(now_us(made))
    referee.game = good
    assert "the scene cannot be made" in caplog.text
    assert "the view of seat blue cannot be made" in caplog.text
    assert phones.states[shown:][0].view == phones.states[shown - 1].view
    made.host.power(True, 6_000)
    made.host.refresh(now_us(made))
    assert phones.states[-1].view.power


@pytest.mark.slow
def test_the_end_is_told_to_the_lobby_once():
    """When the game is over the table says how it ended and offers a rematch."""
    made = begin(9)
    phones = made.host.audience = Phones()
    assert play(made)
    made.show()
    made.host.refresh(now_us(made))
    assert made.host.lobby.phase == "over"
    assert [shown.say for shown in phones.tables].count(state(made).outcome) == 1


def test_a_start_that_the_rules_forbid_is_refused_with_its_clause():
    """The phone is told what speaks against the game, and no journal is opened."""
    made = table(1)
    made.host.audience = Phones()
    made.host.lobby.join("Ann", "red", {})
    assert says(made, table={"do": "setup", "set": {"virtual": [{"name": "dc", "seat": "blue"}]}}).ok
    assert says(made, table={"do": "hand", "tiles": ["dc", "peace", "s"]}).ok
    reply = says(made, table={"do": "start"})
    why = f"{marked('Ann')} brought no tiles to the Main Pool and draws three at random"
    assert (reply.ok, reply.reason) == (False, f"The game cannot start: {why} (1.0.7).")
    assert reply.clause == "1.0.7"
    assert made.host.journal.games() == []


def test_a_game_of_another_board_cannot_be_recalled():
    """A journal of a smaller board is refused by name, not misread."""
    made = begin(9)
    other = table(1, journal=made.host.journal, board=load_board("fx-19"))
    with pytest.raises(JournalError, match="is played on standard-22, this is fx-19"):
        other.host.recall(made.host.runtime.game)


@pytest.mark.slow
def test_an_interrupted_game_goes_on_with_the_tiles_that_it_was_begun_with(tmp_path):
    """Their file is gone meanwhile: the board shows them as before, and bots play it to its end."""
    own = tmp_path / "own.toml"
    own.write_text(OWN_TILES, "utf-8")
    made = begin(9, own=own)
    assert play(made, until=lambda runtime: runtime.referee.state.turn > 1)
    assert {"Mine dc", "Mine s"} <= set(on_board(made.host.runtime))
    own.unlink()
    again = table(1, journal=made.host.journal)
    again.resume(made.host.runtime.game)
    assert on_board(again.host.runtime) == on_board(made.host.runtime)
    assert play(again)


def on_board(runtime):
    """Return what lies on the board of a game, as phones are told."""
    scene = runtime.referee.game.scene(runtime.referee.state)
    return [plain(one.piece.title) for one in scene.places if one.piece is not None]


def test_another_boot_asks_what_happened_in_the_dark(tmp_path):
    """R-49: after a dark spell in the middle of a roll the roller is asked, and the same boot asks nothing."""
    made = begin(9, journal=Journal(tmp_path / "games.db"))
    assert play(made, until=lambda runtime: runtime.referee.state.phase is Phase.ROLLING)
    game = made.host.runtime.game
    for boot, kinds in (("simulated", []), ("another", ["interrupted"]), ("another", ["interrupted"])):
        again = table(1, journal=made.host.journal)
        again.host.lobby = Lobby(SEATS[:3], bots_fill=True, wanted=3)
        again.host.recall(game)
        levels = dict(again.host.runtime.referee.levels)
        again.host.resume(levels, now_us(again), boot=boot)
        assert [ask.kind for ask in state(again).asks if ask.kind == "interrupted"] == kinds
        assert [chair.kind for chair in again.host.lobby.players] == ["bot"] * 3
        assert replayed(again).state == state(again)
    made.host.journal.close()


@pytest.mark.slow
def test_a_rule_that_fails_only_on_replay_is_marked_and_skipped(monkeypatch):
    """A restart with a bug in a rule neither crashes nor meets the same bug again."""
    made = begin(1)
    assert play(made, until=lambda runtime: runtime.referee.state.turn > 1)
    step, left = Hextraction.step, [1]

    def wrong(game, now, event):
        if type(event).__name__ == "BallReleased" and left[0]:
            left[0] -= 1
            raise ArithmeticError("a new bug")
        return step(game, now, event)

    monkeypatch.setattr(Hextraction, "step", wrong)
    again = table(1, journal=made.host.journal)
    again.host.recall(made.host.runtime.game)
    (failed,) = [entry for entry in entries(again) if entry.failed is not None]
    assert "a new bug" in failed.failed
    assert replayed(again).state == state(again)


def test_operators_are_told_of_failures_and_ignored_edges():
    """The diagnosis counts what was ignored and what failed."""
    made, phones = seated()
    made.host.edge(Edge("sneeze", True, 5))
    made.host.diagnose({"stuck": []}, now_us(made))
    values = phones.diags[-1].values
    assert values["ignored"] == {"sneeze": 1}
    assert (values["failures"], values["blind"], values["stuck"]) == (0, False, [])
    made.host.runtime.referee.tracker.narrowed = 101
    made.host.diagnose({}, now_us(made))
    assert (values["narrowed"], phones.diags[-1].values["narrowed"]) == (0, 101)


def test_a_break_puts_off_what_the_game_waits_for():
    """However long the break, the time left for objections is what it was; and the lobby says so after a crash."""
    made = begin(9, config={"grace_us": 1_500_000})
    assert play(made, until=lambda runtime: runtime.referee.state.phase is Phase.SETTLING)
    made.host.lobby.join("Ann", "red", {})
    made.host.audience = Phones()
    left_us = state(made).deadline_us - now_us(made)
    assert says(made, table={"do": "pause"}).ok
    paused_us = now_us(made)
    made.host.advance(paused_us + 600_000_000)
    assert state(made).phase is Phase.SETTLING
    made.host.recall(made.host.runtime.game)
    assert made.host.lobby.paused
    assert says(made, table={"do": "resume"}).ok
    assert state(made).deadline_us - now_us(made) == left_us
    assert replayed(made).state == state(made)


def test_nobody_is_kept_in_a_game_by_a_break():
    """Conceding is heard in a break too (2.8.4)."""
    made, _phones = seated()
    says(made, table={"do": "pause"})
    assert says(made, act={"do": "concede"}).ok
    assert state(made).players[0].conceded


def test_a_person_who_takes_over_a_bot_gives_the_seat_their_name():
    """Everybody sees the new name from then on, and the journal knows it."""
    made, phones = seated()
    assert made.host.lobby.join("Zoe", "green", phones.here).seat == "green"
    made.host.seats_changed(now_us(made))
    assert [plain(player.name) for player in state(made).players] == ["Ann", "Blaise", "Zoe"]
    made.host.refresh(now_us(made))
    seats = phones.states[-1].view.seats
    assert [seat.name for seat in seats] == [marked(name) for name in ("Ann", "Blaise", "Zoe")]
    assert replayed(made).state == state(made)


@pytest.mark.slow
def test_a_newcomer_may_begin_anew_against_easy_bots():
    """The game of bots that was on is over in the journal; the new one has its tiles laid out and is played to its end."""
    made, _phones = seated()
    before, easy = made.host.runtime.game, []
    plan = made.host.plan
    made.host.plan = replace(plan, easy_bot=lambda seat: easy.append(seat) or plan.bot(seat))

    assert says(made, table={"do": "fresh"}).ok
    assert made.host.runtime.game != before
    assert dict(made.host.journal.games())[before] == "A new game has started instead."
    assert easy == ["blue", "green"]
    assert says(made, table={"do": "leave"}).ok
    assert easy == ["blue", "green", "red"]
    asyncio.run(made.until(asyncio.Event()))
    assert made.host.runtime.over
    assert replayed(made).state == state(made)


@pytest.mark.slow
def test_a_rematch_waits_until_somebody_starts_it():
    """The table asks who plays; whoever starts it begins a game of everybody who still sits there."""
    made, phones = seated()
    assert says(made, table={"do": "leave"}).ok
    assert play(made)
    made.show()
    made.host.lobby.join("Ann", "red", {})
    assert says(made, table={"do": "rematch"}).ok
    assert (phones.tables[-1].phase, phones.tables[-1].say) == (
        "lobby",
        f"{marked('Ann')} wants a rematch. Who plays?",
    )
    assert made.host.playing is None
    assert says(made, table={"do": "start"}).ok
    assert made.host.playing is not None


def test_who_came_too_late_sees_no_hand():
    """A seat that is not in the game has no view, and can do nothing in it."""
    made, phones = seated()
    made.host.lobby.chairs = (*made.host.lobby.chairs, Chair(seat="violet", kind="person", name="Vi"))
    made.host.seats_changed(now_us(made))
    made.host.refresh(now_us(made))
    refused = says(made, "violet", act={"do": "end"})
    assert (refused.code, refused.clause) == ("refused", "2.0.1")
    assert not [seat for seat, _view in phones.views if seat == "violet"]


# --- nobody speaks for a seat whose phone is there ---


def settling(seed=9):
    """Return a table of two people at which a roll of the first is settling, the phones, and both seats."""
    made = table(seed, config={"grace_us": 1_500_000})
    for name, seat in (("Ann", "red"), ("Bob", "blue")):
        made.host.lobby.join(name, seat, {})
    phones = made.host.audience = Phones()
    assert made.begin() == []
    play(made, until=lambda _runtime: state(made).active in {"red", "blue"} and not state(made).asks)
    active = state(made).active
    view = made.host.game.private(state(made), active)
    roll = next(option for option in view.options if option.group == "roll")
    assert says(made, active, act=roll.act).ok
    play(made, until=lambda _runtime: state(made).phase is Phase.SETTLING)
    return made, phones, active, "blue" if active == "red" else "red"


def name_of(made, seat):
    """Return the name of whoever plays a seat."""
    return next(one.name for one in made.host.runtime.standing.players if one.seat == seat)


def seen(made, phones, seat):
    """Return the view that a seat was shown last, after showing everything anew."""
    made.host.seats_changed(now_us(made))
    made.host.refresh(now_us(made) + 200_000)
    return [view.view for to, view in phones.views if to == seat][-1]


def test_nobody_answers_for_a_player_whose_phone_is_there():
    """It is not offered, and refused if a phone sends it all the same."""
    made, phones, active, other = settling()
    assert [one for one in seen(made, phones, active).options if one.speaks_for] == []
    reply = says(made, active, act={"do": "agree", "seat": other})
    name = name_of(made, other)
    assert (reply.ok, reply.reason) == (
        False,
        f"{name}'s phone is here: you cannot answer for {name}.",
    )


def test_a_player_whose_phone_is_away_is_answered_for_and_all_are_told():
    """Not at once, but after the time of the setting; whoever did it is named."""
    made, phones, active, other = settling()
    phones.goes(other, 19.9)
    assert [one for one in seen(made, phones, active).options if one.speaks_for] == []
    phones.goes(other, 20.0)
    (offered,) = [one for one in seen(made, phones, active).options if one.speaks_for]
    assert offered.speaks_for == other
    assert says(made, active, act=offered.act).ok
    made.host.refresh(now_us(made) + 400_000)
    told = [event.text for event in phones.events if event.kind == "proxy"]
    assert told == [f"{name_of(made, active)} answers for {name_of(made, other)}: {offered.label}."]

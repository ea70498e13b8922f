"""Facts about the lobby: seats, names, starting, pausing and leaving."""

import itertools

import pytest
from hextraction.controller.games.marked_names import marked, plain
from hextraction.controller.table.lobby import SEATS, Chair, Lobby, NotGranted, SeatTaken, Wish
from hypothesis import given
from hypothesis import strategies as st

NOBODY = {}


def table_of(*names: str, **how) -> Lobby:
    """Seat these people."""
    lobby = Lobby(**how)
    for name in names:
        assert isinstance(lobby.join(name, None, NOBODY), SeatTaken)
    return lobby


def say(lobby: Lobby, speaker: str, do: str, /, **more):
    """Let a seat say a word."""
    return lobby.hear(speaker, {"do": do, **more})


def names(lobby: Lobby) -> dict[str, str]:
    """Return who sits where."""
    return {chair.seat: chair.name for chair in lobby.players}


def test_the_first_open_seat_is_given():
    """Who names no seat gets the first open one in playing order."""
    assert names(table_of("Anna", "Ben")) == {"red": "Anna", "blue": "Ben"}


def test_a_wanted_seat_is_given():
    """Who names an open seat gets it."""
    lobby = Lobby()

    assert lobby.join("Cleo", "violet", NOBODY) == SeatTaken(seat="violet")


def test_a_seat_that_does_not_exist_is_refused():
    """A colour that no seat has is refused in words."""
    assert isinstance(Lobby().join("Cleo", "pink", NOBODY), NotGranted)


def test_a_seat_whose_phone_is_there_is_kept():
    """Nobody takes a seat from a person whose phone is connected."""
    lobby = table_of("Anna")

    assert isinstance(lobby.join("Mallory", "red", {"red": 0.0}), NotGranted)
    assert names(lobby) == {"red": "Anna"}


def test_a_seat_whose_phones_are_gone_can_be_taken_again():
    """The name stays, the table is told."""
    lobby = table_of("Anna")

    assert lobby.join("x", "red", {"red": 301.0}) == SeatTaken(seat="red", again=True)
    assert names(lobby) == {"red": "Anna"}
    assert "Anna" in lobby.say


def test_a_full_table_is_full():
    """With six seats the seventh person is refused."""
    lobby = table_of("a", "b", "c", "d", "e", "f")

    assert isinstance(lobby.join("g", None, NOBODY), NotGranted)


def test_who_comes_during_a_game_plays_the_next():
    """A new player gets a seat that is not in the game; an old one may come back."""
    lobby = table_of("Anna", "Ben")
    lobby.began("g1")

    assert lobby.join("Cleo", None, NOBODY) == SeatTaken(seat="green")
    assert [seat.joins_next for seat in lobby.table({}).seats[:3]] == [False, False, True]
    assert lobby.join("", "blue", NOBODY) == SeatTaken(seat="blue", again=True)
    assert isinstance(say(lobby, "green", "pause"), NotGranted)
    lobby.ended("Anna wins.")
    assert say(lobby, "green", "rematch") == Wish(do="changed", seat="green")
    lobby.began("g2")
    assert not any(seat.joins_next for seat in lobby.table({}).seats)


def seated(*names, **how):
    """Return a lobby at which these people sit, in the order of the seats."""
    lobby = Lobby(bots=False, **how)
    for name in names:
        lobby.join(name, None, NOBODY)
    return lobby


def test_a_phone_that_only_sleeps_keeps_its_seat_for_some_minutes():
    """A display that goes dark is no farewell; the refusal says when the seat is free."""
    lobby = seated("Anna", "Ben", grace_s=300)
    said = lobby.join("Mallory", "red", {"red": 30.0})
    assert isinstance(said, NotGranted)
    assert "free in 4 minutes" in said.reason
    assert lobby.join("Anna", "red", {"red": 300.0}) == SeatTaken(seat="red", again=True)


def test_somebody_at_the_table_may_free_a_seat_at_once():
    """Anna's battery is empty and she has another phone: Ben says so, and she need not wait. Once."""
    lobby = seated("Anna", "Ben")
    assert isinstance(lobby.hear("blue", {"do": "free", "seat": "red"}), Wish)
    assert lobby.join("Anna", "red", {"red": 1.0}) == SeatTaken(seat="red", again=True)
    assert isinstance(lobby.join("Mallory", "red", {"red": 1.0}), NotGranted)


@pytest.mark.parametrize("seat", ["blue", "green", "pink", None])
def test_only_a_seat_of_somebody_else_can_be_freed_or_removed(seat):
    """Not one's own, not an open one, not one that is not there."""
    lobby = seated("Anna", "Ben")
    for word in ("free", "remove"):
        assert isinstance(lobby.hear("blue", {"do": word, "seat": seat}), NotGranted)


def test_the_table_can_make_a_player_leave_but_one_alone_cannot():
    """Of three others two are needed; the votes are told; at a table of two nobody can be removed."""
    lobby = seated("Anna", "Ben", "Cleo", "Dora")
    wanted = {"do": "remove", "seat": "red"}
    for _time in range(2):
        assert lobby.hear("blue", wanted) == Wish(do="changed", seat="blue")
    assert "1 of 2" in lobby.say
    assert lobby.hear("green", wanted) == Wish(do="removed", seat="red")
    assert [chair.name for chair in lobby.players] == ["Ben", "Cleo", "Dora"]
    two = seated("Anna", "Ben")
    two.hear("blue", wanted)
    assert len(two.players) == 2


def test_one_may_let_a_bot_go_on_for_somebody_whose_phone_is_away_in_their_turn():
    """Not while the phone is here, not while the game waits for somebody else, not where bots have no hands."""
    wanted = {"do": "remove", "seat": "red"}
    for here, turn, bots in itertools.product([True, False], ["red", "blue"], [True, False]):
        lobby = Lobby(SEATS, wanted=3, bots=bots, bots_fill=bots)
        for name in ("Anna", "Ben"):
            lobby.join(name, None, {})
        lobby.began("g")
        lobby.whose_turn = lambda turn=turn: turn
        lobby.note_phones({"red": here, "blue": True}, {"red": 5.0})
        heard, anna = lobby.hear("blue", wanted), lobby.chairs[0]
        if bots and turn == "red" and not here:
            assert (heard, anna.kind) == (Wish(do="removed", seat="red"), "bot")
            assert plain(lobby.say) == "A bot plays for Anna until somebody takes over from it."
        else:
            assert (heard, anna.kind) == (Wish(do="changed", seat="blue"), "person")


def test_who_came_too_late_for_a_game_votes_nobody_out_of_it():
    """Nor does a vote stay with a seat when somebody else sits down there."""
    lobby = Lobby(SEATS, wanted=3)
    for name in ("Anna", "Ben", "Mallory"):
        lobby.join(name, None, {})
    lobby.began("g")
    for name in ("Zed", "Zoe"):
        lobby.join(name, None, {})
    assert lobby.hear("green", {"do": "remove", "seat": "red"}) == Wish(do="changed", seat="green")
    for seat in ("yellow", "violet"):
        late = lobby.hear(seat, {"do": "remove", "seat": "red"})
        assert late == NotGranted(reason="You play from the next game on.")
    lobby.ended("g")
    lobby.left("green")
    lobby.join("Cleo", "green", {})
    assert lobby.hear("blue", {"do": "remove", "seat": "red"}) == Wish(do="changed", seat="blue")


def test_in_a_running_game_who_is_removed_leaves_the_game_first():
    """Their tiles go by the rules of leaving; the seat is free afterwards."""
    lobby = seated("Anna", "Ben", "Cleo")
    lobby.began("g1")
    lobby.hear("blue", {"do": "remove", "seat": "red"})
    assert lobby.hear("green", {"do": "remove", "seat": "red"}) == Wish(do="leave", seat="red")
    lobby.left("red")
    assert [chair.name for chair in lobby.players] == ["Ben", "Cleo"]


def test_who_hosts_the_table_can_remove_a_player_alone():
    """At the terminal nobody else has to agree; an empty seat cannot be removed."""
    lobby = seated("Anna", "Ben")
    assert lobby.remove("red") == Wish(do="removed", seat="red")
    assert isinstance(lobby.remove("red"), NotGranted)


def test_who_came_too_late_may_leave_again():
    """Nobody concedes a game that they are not in."""
    lobby = table_of("Anna", "Ben")
    lobby.began("g1")
    lobby.join("Cleo", None, NOBODY)

    assert say(lobby, "green", "leave") == Wish(do="changed", seat="green")
    assert names(lobby) == {"red": "Anna", "blue": "Ben"}


def test_the_seat_of_a_leaver_is_kept_until_the_game_is_over():
    """Whoever sat down there would see the leaver's hand."""
    lobby = table_of("Anna", "Ben")
    lobby.began("g1")
    lobby.left("blue")

    assert isinstance(lobby.join("Cleo", "blue", NOBODY), NotGranted)
    assert lobby.join("Cleo", None, NOBODY) == SeatTaken(seat="green")
    lobby.ended("Anna wins.")
    assert lobby.join("Dora", "blue", NOBODY) == SeatTaken(seat="blue")


def test_two_people_of_one_name_are_told_apart():
    """The second Anna gets her colour behind the name."""
    assert names(table_of("Anna", "anna")) == {"red": "Anna", "blue": "anna (blue)"}


@pytest.mark.parametrize(
    "like_it",
    [
        "\u0391nna",
        "Ann\u0430",
        "An\u200dna",
        "\uff21nna",
        "An na",
        "Anna\u3164",
        "Anna\ufe0f",
        "\U0001d400nna",
    ],
)
def test_nobody_takes_a_name_that_looks_like_anothers(like_it):
    """Letters of other scripts, fillers, joiners: refused in words, or told apart by the colour; joining and later."""
    lobby = table_of("Anna", "Ben")
    joined = lobby.join(like_it, "green", NOBODY)
    if isinstance(joined, NotGranted):
        assert f"looks like {marked('Anna')}" in joined.reason
    else:
        assert names(lobby)["green"] == "Anna (green)"
    renamed = say(lobby, "blue", "name", name=like_it)
    assert isinstance(renamed, NotGranted) or names(lobby)["blue"] == "Anna (blue)"


def test_nobody_is_called_like_an_empty_seat():
    """Blue is who sits at blue, named or not."""
    lobby = table_of("Blue")

    assert names(lobby) == {"red": "Blue (red)"}
    assert isinstance(lobby.join("B\u04cfue", "green", NOBODY), SeatTaken)
    assert isinstance(lobby.join("BIue", "yellow", NOBODY), NotGranted)


@pytest.mark.parametrize(
    "empty", ["\u3164", "\u2800", "\u115f\u1160", "\uffa0", "\u200b", "\ufe0f", "\u0301", "\U000e0041"]
)
def test_a_name_that_nobody_sees_is_none(empty):
    """Whoever joins with it is called by the colour, whoever wants to be renamed is refused."""
    assert names(table_of(empty)) == {"red": "Red"}
    assert isinstance(say(table_of("Anna"), "red", "name", name=empty), NotGranted)


def test_two_players_may_start():
    """Any seated person starts, with two players at least."""
    lobby = table_of("Anna")

    assert isinstance(say(lobby, "red", "start"), NotGranted)
    say(lobby, "red", "bot", seat="blue")
    assert say(lobby, "red", "start") == Wish(do="start", seat="red")


def test_who_does_not_sit_may_say_nothing():
    """A word from an open seat or a bot's seat is refused."""
    lobby = table_of("Anna")
    say(lobby, "red", "bot", seat="blue")

    assert isinstance(say(lobby, "green", "start"), NotGranted)
    assert isinstance(say(lobby, "blue", "start"), NotGranted)


def test_bots_fill_the_demo():
    """In the demo one person may start, and bots take seats until three play."""
    lobby = table_of("Anna", bots_fill=True)

    assert say(lobby, "red", "start") == Wish(do="start", seat="red")
    assert [chair.kind for chair in lobby.chairs] == ["person", "bot", "bot", "open", "open", "open"]


def test_in_the_demo_a_person_takes_over_a_bot():
    """Where bots only fill seats, a person may take one at any time, also in a game that is on."""
    lobby = Lobby(bots_fill=True)
    lobby.fill()
    lobby.began("g1")

    assert lobby.join("Anna", None, NOBODY) == SeatTaken(seat="red")
    assert lobby.join("Ben", "green", NOBODY) == SeatTaken(seat="green")
    assert [chair.kind for chair in lobby.chairs[:3]] == ["person", "bot", "person"]
    assert lobby.join("Cleo", "yellow", NOBODY) == SeatTaken(seat="yellow")
    assert lobby.table({}).seats[3].joins_next


def test_in_the_demo_a_person_takes_over_a_bot_between_two_games_too():
    """Whoever names no seat gets a bot's, also while the last winner is shown."""
    lobby = Lobby(SEATS[:3], bots_fill=True)
    lobby.fill()
    lobby.began("g1")
    lobby.ended("Green wins.")

    assert lobby.join("Anna", None, NOBODY) == SeatTaken(seat="red")


def test_a_bot_that_was_seated_by_people_is_not_pushed_out():
    """At an ordinary table a bot's seat has to be opened first."""
    lobby = table_of("Anna")
    say(lobby, "red", "bot", seat="blue")

    assert isinstance(lobby.join("Ben", "blue", NOBODY), NotGranted)


def test_a_bots_seat_can_be_opened_and_only_that():
    """``open`` sends a bot away; it never sends a person away."""
    lobby = table_of("Anna", "Ben")
    say(lobby, "red", "bot", seat="green")

    assert say(lobby, "red", "open", seat="green") == Wish(do="changed", seat="red")
    assert isinstance(say(lobby, "red", "open", seat="blue"), NotGranted)


def test_after_a_game_a_rematch_asks_who_plays():
    """Nothing starts by itself: the table is a lobby again with everybody seated, and somebody starts the game."""
    lobby = table_of("Anna", "Ben")
    assert isinstance(say(lobby, "red", "rematch"), NotGranted)
    lobby.began("g1")

    assert isinstance(say(lobby, "red", "rematch"), NotGranted)
    lobby.ended("Ben won.")
    assert say(lobby, "blue", "rematch") == Wish(do="changed", seat="blue")
    assert lobby.phase == "lobby"
    assert lobby.say == f"{marked('Ben', 'blue')} wants a rematch. Who plays?"
    assert {"red", "blue"} <= set(names(lobby))
    assert say(lobby, "red", "start") == Wish(do="start", seat="red")


def test_a_newcomer_gets_the_bot_whose_turn_is_next():
    """Nobody is thrown into the middle of somebody else's turn; they may ask for that seat all the same."""
    lobby = Lobby(("red", "blue", "green"), bots_fill=True)
    lobby.fill()
    lobby.began("g1")
    lobby.whose_turn = lambda: "blue"

    assert lobby.join("Anna", None, NOBODY) == SeatTaken(seat="green")
    assert lobby.join("Ben", None, NOBODY) == SeatTaken(seat="red")
    assert lobby.join("Cleo", None, NOBODY) == SeatTaken(seat="blue")
    assert isinstance(lobby.join("Dan", None, NOBODY), NotGranted)


def test_who_comes_back_in_a_break_gets_the_turn_that_waits():
    """Nobody plays meanwhile, so the seat whose turn it is comes first: after a crash a new phone goes on there."""
    lobby = Lobby(("red", "blue", "green"), bots_fill=True)
    lobby.fill()
    lobby.began("g1")
    lobby.whose_turn = lambda: "blue"
    lobby.paused = True

    assert lobby.join("Anna", None, NOBODY) == SeatTaken(seat="blue")
    assert lobby.join("Ben", None, NOBODY) == SeatTaken(seat="green")


def test_who_plays_with_bots_alone_may_begin_anew_against_easy_ones():
    """In the demo only, and only while nobody else plays in that game."""
    lobby = Lobby(("red", "blue", "green"), bots_fill=True)
    lobby.join("Anna", "red", NOBODY)
    assert isinstance(say(lobby, "red", "fresh"), NotGranted)
    lobby.fill()
    lobby.began("g1")
    assert say(lobby, "red", "fresh") == Wish(do="fresh", seat="red")
    lobby.join("Ben", "blue", NOBODY)
    assert isinstance(say(lobby, "red", "fresh"), NotGranted)

    real = table_of("Anna", "Ben")
    real.began("g1")
    assert isinstance(say(real, "red", "fresh"), NotGranted)


def test_pause_and_resume_take_turns():
    """A paused game cannot be paused, a running one cannot be resumed, a lobby neither."""
    lobby = table_of("Anna", "Ben")

    assert isinstance(say(lobby, "red", "pause"), NotGranted)
    lobby.began("g1")
    assert say(lobby, "red", "pause") == Wish(do="pause", seat="red")
    assert isinstance(say(lobby, "blue", "pause"), NotGranted)
    assert say(lobby, "blue", "resume") == Wish(do="resume", seat="blue")
    assert isinstance(say(lobby, "blue", "resume"), NotGranted)


def test_leaving_opens_the_seat_between_games_only():
    """During a game leaving is the game's business first."""
    lobby = table_of("Anna", "Ben")
    lobby.began("g1")

    assert say(lobby, "blue", "leave") == Wish(do="leave", seat="blue")
    assert "blue" in names(lobby)
    lobby.ended("over")
    say(lobby, "blue", "leave")
    assert names(lobby) == {"red": "Anna"}


def test_a_name_can_be_changed_between_games():
    """The new name is cleaned like the first; an empty one is refused."""
    lobby = table_of("Anna")

    assert say(lobby, "red", "name", name=" Bea ") == Wish(do="changed", seat="red")
    assert names(lobby) == {"red": "Bea"}
    assert isinstance(say(lobby, "red", "name", name="\u200b"), NotGranted)
    assert isinstance(say(lobby, "red", "name"), NotGranted)


@pytest.mark.slow
@given(
    st.dictionaries(
        st.sampled_from(["do", "seat", "name"]), st.none() | st.integers() | st.text() | st.lists(st.text())
    )
)
def test_any_words_are_answered(words):
    """Whatever a phone says, the lobby answers with a wish or a refusal."""
    assert isinstance(table_of("Anna").hear("red", words), Wish | NotGranted)


def test_the_table_shows_who_is_there():
    """Bots are always there, people if their phone is, open seats never."""
    lobby = table_of("Anna", "Ben")
    say(lobby, "red", "bot", seat="green")
    seats = {seat.seat: seat for seat in lobby.table({"red": True, "yellow": True}).seats}

    assert [seats[seat].here for seat in ("red", "blue", "green", "yellow")] == [True, False, True, False]
    assert seats["yellow"].kind == "open"
    assert lobby.table(NOBODY).can_start


def test_a_restored_lobby_is_playing():
    """After a restart the journal's players sit where they sat."""
    lobby = Lobby()
    lobby.restore([Chair(seat="blue", kind="person", name="Ben")], "g7")

    assert names(lobby) == {"blue": "Ben"}
    assert (lobby.phase, lobby.game) == ("playing", "g7")
    lobby.left("blue")
    assert names(lobby) == {}


def test_at_a_real_board_no_bot_can_be_seated():
    """A bot has no hands, so where tiles are real it is refused with that reason."""
    lobby = Lobby(bots=False)
    lobby.join("Anna", None, NOBODY)

    refused = say(lobby, "red", "bot", seat="blue")

    assert isinstance(refused, NotGranted)
    assert "hands" in refused.reason


def test_in_the_demo_a_bot_takes_over_from_who_leaves():
    """Where bots fill seats, leaving a game that is on hands the seat back to a bot and ends nothing."""
    lobby = Lobby(bots_fill=True)
    lobby.fill()
    lobby.began("g1")
    lobby.join("Anna", "blue", NOBODY)

    assert say(lobby, "blue", "leave") == Wish(do="changed", seat="blue")
    assert [chair.kind for chair in lobby.chairs[:3]] == ["bot", "bot", "bot"]

"""Recorded games through the library: from a table's journal, from an export, and what is said of mistakes."""

import functools

import pytest
from helpers.places import ROOT
from helpers.simulated import begin, play, table
from hextraction.api import (
    JournalError,
    Laid,
    RecordedGame,
    RecordedPlayer,
    load_board,
    load_tiles,
    outlook,
    play_game,
    read_board,
    read_games,
    simulate_roll,
    track,
)
from hextraction.controller.games.marked_names import plain
from hextraction.controller.play.journal import Journal


@functools.cache
def game_of_bots(kind):
    """Return one game of a kind, played once for all who only read it."""
    return play_game(kind, seed=7)


@pytest.mark.slow
def test_the_games_of_a_tables_journal_are_read_while_it_plays(tmp_path):
    """All of them in order, with what was told; the journal is only read."""
    path = tmp_path / "games.db"
    made = begin(7, journal=Journal(path))
    assert play(made, until=lambda runtime: runtime.standing.turn >= 2)

    (game,) = read_games(path)

    assert game.kind == "hextraction"
    assert game.replay() == made.host.runtime.referee.state
    assert game.standing().turn == 2
    assert game.story()
    assert [at_s for at_s, _text in game.story()] == sorted(at_s for at_s, _text in game.story())


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hextraction", "hexel", "extraction"])
def test_a_game_that_bots_played_is_written_and_read_again(tmp_path, kind):
    """It is over, tells how, and leads to the same state."""
    played = game_of_bots(kind)
    path = tmp_path / "game.jsonl"
    path.write_text("".join(f"{line}\n" for line in played.lines()), "utf-8")

    (game,) = read_games(path)

    assert game.kind == kind
    assert game.replay() == played.replay()
    assert game.standing().over
    assert game.story() == played.story()
    assert len(game.events) == len(list(game.lines())) - 1


@pytest.mark.slow
def test_names_that_people_gave_themselves_are_read_as_they_typed_them(tmp_path):
    """Without the marks that phones find them by, which nobody sees and no comparison survives."""
    path = tmp_path / "games.db"
    made = table(7, journal=Journal(path))
    made.host.lobby.join("Ada", "red", {})
    assert made.begin() == []
    assert made.host.runtime.standing.players[0].name == "\u2068Ada\u2069"

    (game,) = read_games(path)

    assert game.players()[0] == RecordedPlayer(seat="red", name="Ada", won=False)
    assert game.standing().players == game.players()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hextraction", "hexel", "extraction"])
def test_who_has_won_is_told_by_seat_and_name(kind):
    """Names and outcome are what people read: without the marks between which phones find a name."""
    game = game_of_bots(kind)
    winners = [one for one in game.players() if one.won]
    outcome = game.standing().outcome
    assert {one.seat for one in winners} == set(game.rules.scene(game.replay()).winners)
    assert [one.name for one in winners if one.name not in outcome] == []
    assert plain(outcome) == outcome


@pytest.mark.slow
def test_a_path_may_be_a_text(tmp_path):
    """As `open` takes it: a game, a board and tiles of one's own are read by the name of their file."""
    path, own = tmp_path / "game.jsonl", tmp_path / "own.toml"
    path.write_text("\n".join(game_of_bots("hextraction").lines()), "utf-8")
    own.write_text('[[tile]]\nname = "mine"\ntitle = "Mine"\nchannels = [[1, 2]]\n', "utf-8")

    (game,) = read_games(str(path), own_tiles=str(own))
    assert game.standing().over
    assert load_tiles(str(own))["mine"].title == "Mine"
    assert read_board(str(ROOT / "board" / "profiles" / "large-27.toml")) == load_board("large-27")


@pytest.mark.slow
def test_bots_play_the_same_game_for_the_same_seed():
    """And another one for another."""
    first, again, other = game_of_bots("hextraction"), play_game(seed=7), play_game(seed=8)
    assert isinstance(first, RecordedGame)
    assert list(first.lines()) == list(again.lines())
    assert list(first.lines()) != list(other.lines())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"# A heading\n", "game.jsonl: line 1: want the header of a game"),
        (b"\xff\xfe\x00", "game.jsonl: want a journal or a game as JSON Lines"),
        (b"SQLite format 3\x00 and nothing more", "game.jsonl: "),
    ],
    ids=["Markdown", "no text", "no journal"],
)
def test_a_file_that_holds_no_game_is_told_in_words(tmp_path, content, said):
    """With its name, and what was expected."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    with pytest.raises(JournalError, match=said):
        list(read_games(path))


@pytest.mark.slow
def test_a_simulated_roll_is_followed_to_where_it_ended():
    """What the tracker settles on is what happened, with a sensor on every edge; and the odds thought it likely."""
    board, tiles = load_board(), load_tiles()
    laid = {slot: Laid(tiles["asterisk"], 0) for slot in board.slot_names}
    odds = {one.ramp: one.ends for one in outlook(board, laid)}
    for ramp in board.ramp_by_name:
        roll = simulate_roll(board, laid, ramp, seed=3)
        *_before, settled = track(roll.trace)
        assert (type(settled.facts[-1]), settled.facts[-1].slot if roll.end == "side" else roll.end) == (
            type(roll.facts[-1]),
            roll.facts[-1].slot if roll.end == "side" else roll.end,
        )
        assert odds[ramp].get(roll.end, 0) > 0


def test_a_ramp_that_is_not_there_is_no_roll():
    """It is the caller's mistake, with the name."""
    with pytest.raises(KeyError, match="L9"):
        simulate_roll(load_board(), {}, "L9")


def test_a_ball_on_an_open_board_falls_at_once():
    """Into the hole under its ramp."""
    assert simulate_roll(load_board(), {}, "L1").end == "hole.B1"

"""Recorded games through the library: from a table's journal, from an export, and what is said of mistakes."""

import pytest
from helpers.simulated import begin, play
from hextraction.api import (
    JournalError,
    Laid,
    RecordedGame,
    load_board,
    load_tiles,
    outlook,
    play_game,
    read_games,
    simulate_roll,
    track,
)
from hextraction.controller.play.journal import Journal


def test_the_games_of_a_tables_journal_are_read_while_it_plays(tmp_path):
    """All of them in order, with what was told; the journal is only read."""
    path = tmp_path / "games.db"
    table = begin(7, journal=Journal(path))
    assert play(table, until=lambda runtime: runtime.standing.turn >= 2)

    (game,) = read_games(path)

    assert game.kind == "hextraction"
    assert game.replay() == table.host.runtime.referee.state
    assert game.standing().turn == 2
    assert game.story()
    assert [at_s for at_s, _text in game.story()] == sorted(at_s for at_s, _text in game.story())


@pytest.mark.parametrize("kind", ["hextraction", "hexel", "extraction"])
def test_a_game_that_bots_played_is_written_and_read_again(tmp_path, kind):
    """It is over, tells how, and leads to the same state."""
    played = play_game(kind, seed=7)
    path = tmp_path / "game.jsonl"
    path.write_text("".join(f"{line}\n" for line in played.lines()), "utf-8")

    (game,) = read_games(path)

    assert game.kind == kind
    assert game.replay() == played.replay()
    assert game.standing().over
    assert game.story() == played.story()
    assert len(game.events) == len(list(game.lines())) - 1


def test_bots_play_the_same_game_for_the_same_seed():
    """And another one for another."""
    first, again, other = play_game(seed=7), play_game(seed=7), play_game(seed=8)
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

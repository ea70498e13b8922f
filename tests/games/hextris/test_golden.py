"""Golden games of Hextris: recorded events must go on leading to the same words and the same end.

``pytest --update-golden`` writes them anew; read the difference before committing it.
"""

import random

import msgspec
import pytest
from helpers.hexagon.golden import differences, lines_of, played
from hextraction.board.profile import load_board
from hextraction.controller.games.hextris import Hextris
from hextraction.controller.games.hextris.state import Setup
from hextraction.controller.games.protocol import Seated
from hextraction.controller.study.table import StudyTable

GAMES = {
    "hextris_two_players": ("large-27", 2, True, 1),
    "hextris_three_players": ("standard-22", 3, False, 6),
}


def new_game(board, players, sees, seed):
    """Let bots play a whole game and return its lines."""
    seats = tuple(Seated(seat, seat.title()) for seat in ("red", "blue", "green")[:players])
    wanted = Setup(board=board, seats=seats, sees=sees)
    return played(StudyTable(Hextris(load_board(board)), wanted, random.Random(seed), ("weak",)))


def open_game(line):
    """Return a recorded set-up and its game."""
    wanted = msgspec.json.decode(line, type=Setup)
    return wanted, Hextris(load_board(wanted.board))


def end_of(state):
    """Return what is kept of how a game ended."""
    return {
        "winners": state.winners,
        "outcome": state.outcome,
        "turn": state.turn,
        "position": state.position,
    }


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_goes_as_it_went(name, update_golden):
    """Each event of the recorded game leads to the same words, and the game ends with the same position."""
    anew = (lambda: new_game(*GAMES[name])) if update_golden else None
    assert differences(name, open_game, end_of, anew) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_worth_keeping(name):
    """A recorded game is a whole one: drops, slides, a five, and a winner."""
    text, end = lines_of(name)
    assert end["winners"]
    assert all(word in text for word in ("drops a", "slides a", "group 1 of 3", "group 3 of 3"))

"""Golden games of Hex'el: recorded events must go on leading to the same words and the same end.

``pytest --update-golden`` writes them anew; read the difference before committing it.
"""

import random

import msgspec
import pytest
from helpers.hexagon.golden import differences, lines_of, played
from hextraction.board.profile import load_board
from hextraction.controller.games.hexel import Hexel
from hextraction.controller.games.hexel.cards import deck_named
from hextraction.controller.games.hexel.state import Setup
from hextraction.controller.games.protocol import Seated
from hextraction.controller.study.table import StudyTable

GAMES = {
    "hexel_two_players": ("large-27", 2, "slots19", True, 12),
    "hexel_five_players": ("standard-22", 5, "open", False, 42),
}


def new_game(board, players, field, sees, seed):
    """Let bots play a whole game and return its lines."""
    seats = tuple(
        Seated(seat, seat.title()) for seat in ("red", "blue", "green", "yellow", "violet")[:players]
    )
    wanted = Setup(
        board=board, seats=seats, deck=deck_named("d46"), stocks=(30,) * players, field=field, sees=sees
    )
    return played(StudyTable(Hexel(load_board(board)), wanted, random.Random(seed), ("weak",)))


def open_game(line):
    """Return a recorded set-up and its game."""
    wanted = msgspec.json.decode(line, type=Setup)
    return wanted, Hexel(load_board(wanted.board))


def end_of(state):
    """Return what is kept of how a game ended."""
    return {"outcome": state.outcome, "position": msgspec.structs.replace(state.position, faces=())}


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_goes_as_it_went(name, update_golden):
    """Each event of the recorded game leads to the same words, and the game ends with the same position."""
    anew = (lambda: new_game(*GAMES[name])) if update_golden else None
    assert differences(name, open_game, end_of, anew) == []


def test_the_golden_games_are_worth_keeping():
    """Between them they have rounds, hedges, payments, every call up to three, and a Hoxla."""
    text = "".join(lines_of(name)[0] for name in GAMES)
    for words in ("Round 2", "into the hedge", " pays ", ": Hexba", ": Hexel", ": Hexla", "Hoxla!", "wins"):
        assert words in text, words

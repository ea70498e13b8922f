"""Golden games of Extraction: recorded events must go on leading to the same words and the same end.

``pytest --update-golden`` writes them anew; read the difference before committing it.
"""

import random

import msgspec
import pytest
from helpers.hexagon.golden import differences, lines_of, played
from hextraction.board.profile import load_board
from hextraction.controller.games.extraction import Extraction
from hextraction.controller.games.extraction.land.house import HouseRules, set_up
from hextraction.controller.games.extraction.land.state import Setup
from hextraction.controller.games.protocol import Seated
from hextraction.controller.games.strategy import Temper
from hextraction.controller.study.table import StudyTable

GAMES = {
    "extraction_three_players": ("large-27", 3, True, 1, HouseRules(most_tokens=2)),
    "extraction_four_players": (
        "standard-22",
        4,
        False,
        6,
        HouseRules(real_dice=True, attack="stake_bonus", disc_order="snake", overtake=True, keep_in=True),
    ),
}


def new_game(board, players, sees, seed, house):
    """Let bots play a whole game and return its lines."""
    seats = tuple(Seated(seat, seat.title()) for seat in ("red", "blue", "green", "yellow")[:players])
    luck = random.Random(seed)
    wanted = set_up(house, board, seats, luck, sees=sees)
    return played(
        StudyTable(
            Extraction(load_board(board), house), wanted, luck, ("weak",), Temper(whim=0.02, kindness=0.9)
        )
    )


def open_game(line):
    """Return a recorded set-up and its game."""
    wanted = msgspec.json.decode(line, type=Setup)
    return wanted, Extraction(load_board(wanted.board))


def end_of(state):
    """Return what is kept of how a game ended."""
    return {
        "winners": state.winners,
        "outcome": state.outcome,
        "turn": state.turn,
        "bank": state.bank,
        "hands": [one.hand for one in state.players],
        "buildings": state.buildings,
        "roads": state.roads,
        "hexes": state.hexes,
    }


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_goes_as_it_went(name, update_golden):
    """Each event of the recorded game leads to the same words, and the game ends with the same position."""
    anew = (lambda: new_game(*GAMES[name])) if update_golden else None
    assert differences(name, open_game, end_of, anew) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_worth_keeping(name):
    """A recorded game is a whole one: settling, discs, production, a seven, building, and a winner."""
    text, end = lines_of(name)
    assert end["winners"]
    words = (
        "settles at",
        "lays the",
        " gives ",
        "swaps the",
        "builds a settlement",
        "that was the last",
        "takes the offer",
        "plays Knight",
    )
    assert [word for word in words if word not in text] == []

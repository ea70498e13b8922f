"""Golden games of Extraction: recorded events must go on leading to the same words and the same end.

``pytest --update-golden`` writes them anew; read the difference before committing it.
"""

import random

import msgspec
import pytest
from helpers.places import TESTS
from hextraction.board.profile import load_board
from hextraction.controller.games.extraction import Extraction
from hextraction.controller.games.extraction.house import HouseRules, set_up
from hextraction.controller.games.extraction.state import Setup
from hextraction.controller.games.protocol import (
    Acted,
    Paused,
    PowerSet,
    Refused,
    Said,
    Seated,
    TileSeen,
    Woke,
)
from hextraction.controller.games.strategy import Temper
from hextraction.controller.study.table import StudyTable

GOLDEN = TESTS / "golden"
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
EVENTS = Acted | TileSeen | PowerSet | Paused | Woke


def new_game(board, players, sees, seed, house):
    """Let bots play a whole game and return it as lines: the set-up, then each event with what it led to."""
    seats = tuple(Seated(seat, seat.title()) for seat in ("red", "blue", "green", "yellow")[:players])
    luck = random.Random(seed)
    wanted = set_up(house, board, seats, luck, sees=sees)
    table = StudyTable(
        Extraction(load_board(board), house), wanted, luck, ("weak",), Temper(whim=0.02, kindness=0.9)
    )
    while not table.over:
        assert table.go_on()
    return replay(
        [msgspec.json.encode(wanted), *(msgspec.json.encode({"event": one}) for one in table.events)]
    )


def replay(lines):
    """Feed the events of recorded lines to a fresh game; return the lines with what they lead to now."""
    wanted = msgspec.json.decode(lines[0], type=Setup)
    game = Extraction(load_board(wanted.board))
    state, found = game.start(wanted), [msgspec.json.encode(wanted)]
    for line in lines[1:]:
        event = msgspec.convert(msgspec.json.decode(line)["event"], EVENTS)
        step = game.step(state, event)
        state = step.state
        told = [one.text for one in step.effects if isinstance(one, Said)]
        told += [f"refused {one.clause}" for one in step.effects if isinstance(one, Refused)]
        found.append(msgspec.json.encode({"event": event, "told": told}))
    end = {
        "winners": state.winners,
        "outcome": state.outcome,
        "turn": state.turn,
        "bank": state.bank,
        "hands": [one.hand for one in state.players],
        "buildings": state.buildings,
        "roads": state.roads,
        "hexes": state.hexes,
    }
    return [*found, msgspec.json.encode(end)]


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_goes_as_it_went(name, update_golden):
    """Each event of the recorded game leads to the same words, and the game ends with the same position."""
    path = GOLDEN / f"{name}.jsonl"
    if update_golden:
        path.write_bytes(b"\n".join(new_game(*GAMES[name])) + b"\n")
    lines = path.read_bytes().splitlines()
    for number, (was, now) in enumerate(zip(lines, replay(lines[:-1]), strict=True), start=1):
        assert now == was, f"{path.name}:{number}"


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_worth_keeping(name):
    """A recorded game is a whole one: settling, discs, production, a seven, building, and a winner."""
    text = (GOLDEN / f"{name}.jsonl").read_text()
    end = msgspec.json.decode(text.splitlines()[-1])
    assert end["winners"]
    words = (
        "settles at",
        "lays the",
        " gives ",
        "swaps the",
        "builds a settlement",
        "that was the last",
        "trade ",
        "plays Knight",
    )
    assert [word for word in words if word not in text] == []

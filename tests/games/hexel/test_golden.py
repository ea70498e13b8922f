"""Golden games of Hex'el: recorded events must go on leading to the same words and the same end.

``pytest --update-golden`` writes them anew; read the difference before committing it.
"""

import random

import msgspec
import pytest
from helpers.places import TESTS
from hextraction.board.profile import load_board
from hextraction.controller.games.hexel import Hexel
from hextraction.controller.games.hexel.cards import deck_named
from hextraction.controller.games.hexel.state import Setup
from hextraction.controller.games.protocol import Acted, Paused, PowerSet, Refused, Said, Seated, TileSeen
from hextraction.controller.study.table import StudyTable

GOLDEN = TESTS / "golden"
GAMES = {
    "hexel_two_players": ("large-27", 2, "slots19", True, 12),
    "hexel_five_players": ("standard-22", 5, "open", False, 42),
}
EVENTS = Acted | TileSeen | PowerSet | Paused


def new_game(board, players, field, sees, seed):
    """Let bots play a whole game and return it as lines: the set-up, then each event with what it led to."""
    seats = tuple(
        Seated(seat, seat.title()) for seat in ("red", "blue", "green", "yellow", "violet")[:players]
    )
    wanted = Setup(
        board=board, seats=seats, deck=deck_named("d46"), stocks=(30,) * players, field=field, sees=sees
    )
    table = StudyTable(Hexel(load_board(board)), wanted, random.Random(seed), ("weak",))
    while not table.over:
        assert table.go_on()
    return replay(
        [msgspec.json.encode(wanted), *(msgspec.json.encode({"event": one}) for one in table.events)]
    )


def replay(lines):
    """Feed the events of recorded lines to a fresh game; return the lines with what they lead to now."""
    wanted = msgspec.json.decode(lines[0], type=Setup)
    game = Hexel(load_board(wanted.board))
    state, found = game.start(wanted), [msgspec.json.encode(wanted)]
    for line in lines[1:]:
        event = msgspec.convert(msgspec.json.decode(line)["event"], EVENTS)
        step = game.step(state, event)
        state = step.state
        told = [one.text for one in step.effects if isinstance(one, Said)]
        told += [f"refused {one.clause}" for one in step.effects if isinstance(one, Refused)]
        found.append(msgspec.json.encode({"event": event, "told": told}))
    end = {"outcome": state.outcome, "position": msgspec.structs.replace(state.position, faces=())}
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


def test_the_golden_games_are_worth_keeping():
    """Between them they have rounds, hedges, payments, every call up to three, and a Hoxla."""
    text = "".join((GOLDEN / f"{name}.jsonl").read_text() for name in GAMES)
    for words in ("Round 2", "into the hedge", " pays ", ": Hexba", ": Hexel", ": Hexla", "Hoxla!", "wins"):
        assert words in text, words

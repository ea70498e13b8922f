"""Golden games: recorded events must go on leading to the same words and the same end.

``pytest --update-golden`` writes them anew; read the difference before committing it.
"""

import random

import msgspec
import pytest
from helpers.places import TESTS
from helpers.tabletop import Table, play_a_bit, setup, told
from hextraction.board.facts import Fact, RollSettled
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Hextraction, Phase, Setup
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.protocol import Acted, PowerSet, TileSeen, Woke

GOLDEN = TESTS / "golden"
GAMES = {"hextraction_three_players": ("fx-19", 3, 23), "hextraction_standard_board": ("standard-22", 2, 2)}
FACTS = Fact | RollSettled
EVENTS = Acted | TileSeen | PowerSet | Woke


def new_game(board, players, seed):
    """Play a whole game at random and return it as lines: the set-up, then each event with what it led to."""
    chance = random.Random(seed)
    tiles = [
        "dc",
        "dic",
        "j",
        "x",
        "asterisk",
        "bell",
        "hammer",
        "encore",
        "gift",
        "star",
        "vseed",
        "maker",
        "duty",
    ]
    known = [name for name in tiles if name in load_tiles()]
    table = Table(setup(board=board, players=players, seed=seed, tiles=known, count=6))
    lines = [msgspec.json.encode(table.setup)]
    while table.state.phase is not Phase.OVER and len(lines) < 600:
        count = len(table.events)
        assert play_a_bit(table, chance)
        lines += [msgspec.json.encode({"event": event}) for event in table.events[count:]]
    return replay(lines)


def replay(lines):
    """Feed the events of recorded lines to a fresh game; return the lines with what they lead to now."""
    wanted = msgspec.json.decode(lines[0], type=Setup)
    game = Hextraction(load_board(wanted.board), load_tiles())
    state = game.start(wanted)
    found = [msgspec.json.encode(wanted)]
    for line in lines[1:]:
        raw = msgspec.json.decode(line)["event"]
        event = msgspec.convert(raw, FACTS if "fact" in raw else EVENTS)
        step = game.step(state, event)
        state = step.state
        found.append(
            msgspec.json.encode({"event": event, "phase": state.phase.value, "told": told(step.effects)})
        )
    end = {"winners": state.winners, "outcome": state.outcome, "turn": state.turn}
    return [*found, msgspec.json.encode(end)]


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_goes_as_it_went(name, update_golden):
    """Each event of the recorded game leads to the same phase and the same words, and the game ends the same."""
    path = GOLDEN / f"{name}.jsonl"
    if update_golden:
        path.write_bytes(b"\n".join(new_game(*GAMES[name])) + b"\n")
    lines = path.read_bytes().splitlines()
    found = replay(lines[:-1])
    for number, (was, now) in enumerate(zip(lines, found, strict=True), start=1):
        assert now == was, f"{path.name}:{number}"


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_worth_keeping(name):
    """A recorded game is a whole one: it has rolls, plays and an end."""
    lines = (GOLDEN / f"{name}.jsonl").read_text().splitlines()
    end = msgspec.json.decode(lines[-1])
    assert end["outcome"]
    assert any("rolls from ramp" in line for line in lines)
    assert any("plays" in line for line in lines)

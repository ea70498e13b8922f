"""Golden evenings: what chance once did with any tiles on any board goes on leading to the same words and views.

They notice what no scenario speaks about. That what they keep is right is for the scenarios to say: when the rules
change, read what differs; ``pytest --update-golden`` keeps the events and writes what they lead to now. An evening
whose file is gone is played anew, with the tiles of today.
"""

import lzma
from itertools import zip_longest
from typing import get_args

import msgspec
import pytest
from helpers.evenings import evening, known_in
from helpers.places import TESTS
from helpers.shown import digest
from helpers.tabletop import told
from hextraction.board.facts import Fact, RollSettled
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Hextraction, Setup
from hextraction.controller.games.hextraction.game import ACTIONS
from hextraction.controller.games.protocol import (
    Acted,
    Blinded,
    Paused,
    PowerSet,
    Renamed,
    TileSeen,
    Woke,
)

FOLDER = TESTS / "golden" / "evenings"
FACTS = Fact | RollSettled
EVENTS = Acted | Blinded | Paused | PowerSet | Renamed | TileSeen | Woke
CHOSEN = (
    0, 5, 13, 28, 72, 96, 104, 137, 138, 144, 197, 201, 236, 244, 248, 255, 293, 300, 350, 368,
    394, 396, 409, 410, 413, 426, 453, 464, 474, 481, 491, 494, 498, 501, 509, 539, 553, 583, 586, 589,
)  # fmt: skip
"""Of 600 evenings those that together run most of what all of them run (``python tests/choose_evenings.py``)."""


def shown(game, state, came):
    """Return a short number for what came of a step, and for what everybody and one seat in turn are shown after it."""
    seat = state.players[state.next_id % len(state.players)].seat
    return digest(game, state, game.private(state, seat), came)


def follow(wanted, events):
    """Feed events to a fresh game; return a line for the set-up and one for each of them."""
    game = Hextraction(load_board(wanted.board), known_in(wanted))
    state, rolls = game.start(wanted), game.roll_watcher()
    lines = [{"setup": wanted, "shown": shown(game, state, ())}]
    for event in events:
        before, step = state, game.step(state, event)
        state = step.state
        rolls.follow(before, event, state)
        found = {"event": event, "phase": state.phase.value, "told": told(step.effects)}
        lines.append({**found, "shown": shown(game, state, [step.effects, rolls.last])})
    return [msgspec.json.encode(line) for line in lines]


def kept(path):
    """Return the lines of a recorded evening."""
    return lzma.decompress(path.read_bytes()).splitlines()


def recorded(lines):
    """Return the set-up and the events that recorded lines hold."""
    first, *rest = [msgspec.json.decode(line) for line in lines]
    raw = [line["event"] for line in rest]
    events = [msgspec.convert(one, FACTS if "fact" in one else EVENTS) for one in raw]
    return msgspec.convert(first["setup"], Setup), events


@pytest.mark.slow
@pytest.mark.mutants
@pytest.mark.parametrize("number", CHOSEN)
def test_a_golden_evening_goes_as_it_went(number, update_golden):
    """Each recorded event leads to the same phase, the same words, and the same views."""
    path = FOLDER / f"{number}.jsonl.xz"
    if update_golden:
        played = recorded(kept(path)) if path.exists() else evening(number)
        path.write_bytes(lzma.compress(b"\n".join(follow(*played))))
    was = kept(path)
    now = follow(*recorded(was))
    different = [
        f"line {line} was {one.decode()}, is {other.decode()}"
        for line, (one, other) in enumerate(zip_longest(was, now, fillvalue=b""), start=1)
        if one != other
    ]
    assert not different, "\n".join([f"{len(different)} lines of {path.name} differ:", *different[:3]])


def test_golden_evenings_are_worth_keeping():
    """Together they hold nearly all that people can do and all that can happen to them."""
    kinds = set()
    for number in CHOSEN:
        for event in recorded(kept(FOLDER / f"{number}.jsonl.xz"))[1]:
            kinds.add(event.act["do"] if isinstance(event, Acted) else type(event).__name__)
    possible = {str(action.__struct_config__.tag) for action in ACTIONS}
    possible |= {event.__name__ for event in get_args(FACTS | EVENTS) if event is not Acted}
    assert len(kinds & possible) >= 0.9 * len(possible), possible - kinds

"""Golden games of the hexagon: recorded events must go on leading to the same words and the same end.

A recorded game is lines of JSON: the set-up, each event with what it led to, and how it ended.
"""

import msgspec
from helpers.places import TESTS
from hextraction.controller.games.protocol import Acted, Paused, PowerSet, Refused, Said, TileSeen, Woke

__all__ = ["differences", "lines_of", "played"]

GOLDEN = TESTS / "golden"
EVENTS = Acted | TileSeen | PowerSet | Paused | Woke


def played(table):
    """Let bots play a study's table to its end; return the lines of that game before anything is led to."""
    while not table.over:
        assert table.go_on()
    return [
        msgspec.json.encode(table.setup),
        *(msgspec.json.encode({"event": one}) for one in table.events),
    ]


def replayed(lines, open_game, end_of):
    """Feed the events of recorded lines to a fresh game; return the lines with what they lead to now."""
    wanted, game = open_game(lines[0])
    state, found = game.start(wanted), [msgspec.json.encode(wanted)]
    for line in lines[1:]:
        event = msgspec.convert(msgspec.json.decode(line)["event"], EVENTS)
        step = game.step(state, event)
        state = step.state
        told = [one.text for one in step.effects if isinstance(one, Said)]
        told += [f"refused {one.clause}" for one in step.effects if isinstance(one, Refused)]
        found.append(msgspec.json.encode({"event": event, "told": told}))
    return [*found, msgspec.json.encode(end_of(state))]


def differences(name, open_game, end_of, new_game=None):
    """Return where a recorded game goes otherwise now, as file and line; ``new_game`` writes it anew first.

    ``open_game`` reads a set-up and returns it with its game, ``end_of`` says what is kept of the last state.
    """
    path = GOLDEN / f"{name}.jsonl"
    if new_game is not None:
        path.write_bytes(b"\n".join(replayed(new_game(), open_game, end_of)) + b"\n")
    was = path.read_bytes().splitlines()
    now = replayed(was[:-1], open_game, end_of)
    both = enumerate(zip(was, now, strict=True), start=1)
    return [f"{path.name}:{number}" for number, (one, other) in both if one != other]


def lines_of(name):
    """Return the text of a recorded game and how it ended."""
    text = (GOLDEN / f"{name}.jsonl").read_text()
    return text, msgspec.json.decode(text.splitlines()[-1])

"""All that a table of Hextraction is shown, as short numbers: they tell that something differs, not what."""

from itertools import zip_longest
from zlib import crc32

import msgspec
from hextraction.controller.games.hextraction.scenario.position import lay_table
from hextraction.controller.games.protocol import Acted

__all__ = ["difference", "digest", "looks", "text_number"]


def digest(game, state, private, came):
    """Return a short number for what everybody is shown, these private views, and what came of it all."""
    scene, lies, awaited = game.scene(state), game.physical(state), game.awaited(state)
    tiles = {slot: (shape.name, turns) for slot, (shape, turns) in lies.tiles.items()}
    lay = awaited.lay and (awaited.lay.slot, awaited.lay.shape.name, awaited.lay.turns)
    told_to_others = [
        _said(
            lies._replace(
                tiles=tiles,
                resting=sorted(lies.resting.items()),
                stuck=sorted(lies.stuck.items()),
                let_go=sorted(lies.let_go.items()),
            )
        ),
        _said(awaited._replace(lay=lay)),
        game.wake_at_us(state),
        game.standing(state),
        game.lamps(scene),
    ]
    return crc32(msgspec.json.encode([came, scene, private, told_to_others], order="deterministic"))


def _said(told):
    """Return a tuple without what a card has hands do, where it has them do nothing."""
    return tuple(value for name, value in told._asdict().items() if value or name not in {"let_go", "stir"})


def looks(script, events):
    """Return what all are shown and told before each act of a scenario and at its end, a short number for each time."""
    table = lay_table(script.case)
    game, state, rolls = table.game, table.state, table.game.roll_watcher()
    found, came = [], [table.problems, table.advice]
    for event in (*events, None):
        if event is None or isinstance(event, Acted):
            private = [game.private(state, player.seat) for player in state.players]
            found.append(f"{digest(game, state, private, came) & 0xFFFF:04x}")
            came = []
        if event is not None:
            read = msgspec.json.decode(msgspec.json.encode(event), type=type(event))  # as from a journal
            before, step = state, game.step(state, read)
            state = step.state
            rolls.follow(before, read, state)
            came += [step.effects, rolls.last]
    return found


def difference(events, was, now):
    """Say before which act of a scenario something else is shown than was; nothing, if all is the same."""
    acts = [f"before {event.seat} does {event.act}" for event in events if isinstance(event, Acted)]
    pairs = zip_longest([*acts, "at the end"], was, now, fillvalue="afterwards")
    return next(
        (f"something else is shown or told {place}" for place, one, other in pairs if one != other), ""
    )


def text_number(script):
    """Return a short number for the text of a scenario: one that is written anew is none that differs."""
    lines = [script.name, *(one.text for one in (*script.set_up, *script.steps))]
    return f"{crc32(chr(10).join(lines).encode()):08x}"

"""Evenings of Hextraction that chance plays: any board, any tiles, balls that mostly roll as balls do, and talk.

The same number gives the same evening, as long as the game offers the same.
"""

import random

from helpers.places import TESTS
from helpers.tabletop import TALK, Table, random_fact, setup
from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallStuckOnRamp,
    Doubt,
)
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.hextraction import Hextraction, Phase
from hextraction.controller.games.hextraction.tilebook import load_catalogue
from hextraction.controller.games.protocol import Blinded, Paused, PowerSet, Renamed, TileSeen

__all__ = ["evening", "known_in"]

TILES = load_catalogue(TESTS / "scenarios" / "tiles.toml")
SINGLE = sorted(name for name, tile in TILES.items() if not tile.covers and not tile.parts)

MARKS = ("harms", "hurts", "items", "meta", "no_draw", "no_seat", "printed")
WEIGHTS = {"concede": 0.04, "vote": 0.4, "no_fit": 0.2, "reclaim": 2, "adjust": 2, "attest": 0.5}


def known_in(wanted):
    """Return the tiles that a set-up names and those that come with them: an evening knows no later ones."""
    names = {share.name for share in (*wanted.pool, *wanted.virtual)} | {
        name for _slot, name, _turns in wanted.laid
    }
    new = names & set(TILES)
    known = {}
    while new:
        known |= {name: TILES[name] for name in sorted(new)}
        with_them = [
            (*one.parts, *one.counterparts, *(effect.tile for effect in one.effects))
            for one in known.values()
        ]
        new = (set().union(*with_them) & set(TILES)) - set(known)
    return known


def evening(seed, length=200):
    """Return a table at which a game was played to its end, or so many events of it."""
    chance = random.Random(seed)
    table = Table(_set_up(chance))
    table.game = Hextraction(table.board, known_in(table.setup))
    table.state = table.game.start(table.setup)
    while table.state.phase is not Phase.OVER and len(table.events) < length:
        _go_on(table, chance)
    return table


def _set_up(chance):
    kinds = chance.sample(sorted(TILES), 12)
    board = chance.choice(board_names())
    laid = [
        (slot, chance.choice(SINGLE), chance.randrange(6))
        for slot in load_board(board).slot_names
        if chance.random() < chance.choice((0.5, 0.9, 1))
    ]
    config = {
        "sensors": chance.random() < 0.92,
        "launcher": chance.random() < 0.1,
        "grace_us": chance.choice((0, 5_000_000)),
        "joint_wins": chance.random() < 0.5,
        "trigger_once_per_roll": chance.random() < 0.2,
        "moment_us": chance.choice((0, 2_000_000)),
        "gates": chance.random() < 0.7,
        "kickers": tuple(slot for slot in load_board(board).slot_names if chance.random() < 0.2),
    }
    marks = [(word, chance.choice(kinds)) for word in MARKS if chance.random() < 0.1]
    return setup(
        board=board,
        players=chance.randrange(2, 7),
        tiles=kinds,
        count=chance.choice((2, 6)),
        laid=laid,
        seed=chance.getrandbits(32),
        unseen=chance.random() < 0.2,
        marks=marks,
        **config,
    )


def _go_on(table, chance):
    """Let something happen, mostly something likely."""
    phase, dice = table.state.phase, chance.random()
    if dice < 0.04:
        _disturb(table, chance)
    elif dice < 0.1:
        _somebody_acts(table, chance, [one for one in table.offers(parting=True) if one[1]["do"] in TALK])
    elif phase is Phase.ROLLING and table.state.config.sensors and dice < 0.85:
        _balls_go_on(table, chance)
    elif phase is Phase.RELEASING and table.state.intent and table.state.intent[1] and dice < 0.9:
        _somebody_lets_go(table, chance)
    elif not _somebody_acts(table, chance, table.offers()) and not table.wakes():
        table.quiet()


def _somebody_acts(table, chance, offers):
    """Let one of these acts happen, each kind as likely as another; return whether there was any."""
    if not offers:
        return False
    words = sorted({act["do"] for _seat, act in offers})
    word = chance.choices(words, [WEIGHTS.get(one, 1) for one in words])[0]
    seat, act = chance.choice([one for one in offers if one[1]["do"] == word])
    table.act(seat, act, chance=chance.getrandbits(64))
    return True


def _somebody_lets_go(table, chance):
    ramp = table.state.intent[1]
    known = _balls(table)
    ball = 1 + max(known, default=0) if chance.random() < 0.9 else chance.randrange(1, 4)
    table.releases(ramp, ball=ball)
    if chance.random() < 0.05:
        table.feed(BallStuckOnRamp(at_us=table.later(), ball=ball, ramp=ramp))
        return
    below = next(one.slot for one in table.board.ramps if one.name == ramp)
    _arrives(table, ball, below)


def _arrives(table, ball, slot):
    laid = any(slot in one.slots for one in table.state.laid)
    kind = BallEntered if laid else BallFell
    table.feed(kind(at_us=table.later(), ball=ball, slot=slot))


def _balls(table):
    now = table.state.rest if table.state.roll is None else table.state.roll.record
    return {*now.on, *now.ramps, *now.zones}


def _balls_go_on(table, chance):
    state = table.state
    now = state.rest if state.roll is None else state.roll.record
    if not now.on or chance.random() < 0.25:
        gone = (Doubt(ball=max(now.on, default=1), slot=None),) if chance.random() < 0.05 else ()
        table.quiet(missing=gone)
    elif chance.random() < 0.03:
        table.feed(random_fact(chance, table.board, table.later()))
    else:
        balls = [*sorted(now.on), *sorted(now.zones)[:1]]
        _moves(table, chance, balls[-1] if chance.random() < 0.5 else chance.choice(balls), now)


def _moves(table, chance, ball, now):
    slots = table.board.slot_names
    if ball in now.zones:
        table.feed(BallLeftZone(at_us=table.later(), ball=ball, zone=now.zones[ball]))
    for slot in now.on.get(ball, ()):
        table.feed(BallLeft(at_us=table.later(), ball=ball, slot=slot))
    match chance.choices(("slot", "back", "off", "zone"), (8, 2, 1, 0.5))[0]:
        case "off":
            table.feed(BallOffBoard(at_us=table.later(), ball=ball, slot=None))
        case "zone":
            zone = chance.choice(table.board.zones).name
            table.feed(BallInZone(at_us=table.later(), ball=ball, zone=zone))
        case "back" if now.on.get(ball):
            _arrives(table, ball, now.on[ball][0])
        case _:
            _arrives(table, ball, chance.choice(slots))


def _disturb(table, chance):
    """Let something happen that nobody asked for."""
    match chance.choices(
        ("switch", "tile", "break", "name", "fact", "blind", "count"), (2, 3, 1, 0.3, 2, 0.1, 0.5)
    )[0]:
        case "switch":
            table.feed(PowerSet(at_us=table.later(), on=False, lost=chance.random() < 0.5))
            for _act in range(chance.randrange(4)):
                _somebody_acts(table, chance, table.offers())
            table.feed(PowerSet(at_us=table.later(), on=True, lost=False))
        case "tile":
            laid = [slot for one in table.state.laid for slot in one.slots]
            slot = chance.choice(laid if laid and chance.random() < 0.7 else list(table.board.slot_names))
            table.feed(TileSeen(at_us=table.later(), slot=slot, present=chance.random() < 0.4))
        case "break":
            table.feed(Paused(at_us=table.later(3_000_000), on=True))
            table.feed(Paused(at_us=table.later(3_000_000), on=False))
        case "count" if table.state.laid:
            slot = chance.choice(table.state.laid).slots[0]
            table.act(
                chance.choice(table.seats), {"do": "correct", "slot": slot, "touches": chance.randrange(4)}
            )
        case "blind":
            table.feed(Blinded(at_us=table.later()))
        case "name":
            seat = chance.choice(table.seats)
            table.feed(Renamed(at_us=table.later(), seat=seat, name=f"Guest {chance.randrange(7)}"))
        case _:
            table.feed(random_fact(chance, table.board, table.later()))

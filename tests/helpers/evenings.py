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
    BallReleased,
    BallStuckOnRamp,
    Doubt,
)
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.hextraction import Hextraction, Phase
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.protocol import Blinded, Paused, PowerSet, Renamed, TileSeen

__all__ = ["evening", "known_in"]

TILES = load_catalogue(TESTS / "scenarios" / "tiles.toml")
SINGLE = sorted(name for name, tile in TILES.items() if not tile.covers and not tile.parts)

MARKS = ("harms", "hurts", "items", "meta", "no_draw", "no_seat", "printed")
WEIGHTS = {"concede": 0.04, "vote": 0.4, "no_fit": 0.2, "reclaim": 2, "adjust": 2, "attest": 0.2}


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


class Evening:
    """A table at which chance plays: people and, with their facts told again as they come to rest, balls."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.table = Table(self.set_up())
        self.table.game = Hextraction(self.table.board, known_in(self.table.setup))
        self.table.state = self.table.game.start(self.table.setup)
        self.facts, self.next_ball = [], 1

    def set_up(self):
        chance = self.chance
        kinds = chance.sample(sorted(TILES), chance.choice((4, 8, 12)))
        board = chance.choice(board_names())
        slots = load_board(board).slot_names
        full, strange = chance.choice((0.5, 0.9, 1)), chance.choice((0.1, 0.5))
        single = [name for name in kinds if name in SINGLE] or SINGLE
        laid = [
            (slot, chance.choice(SINGLE if chance.random() < strange else single), chance.randrange(6))
            for slot in slots
            if chance.random() < full
        ]
        return setup(
            board=board,
            players=chance.randrange(2, 7),
            tiles=kinds,
            count=chance.choice((2, 6, 10)),
            laid=laid,
            seed=chance.getrandbits(32),
            unseen=chance.random() < 0.2,
            marks=[(word, chance.choice(kinds)) for word in MARKS if chance.random() < 0.1],
            sensors=chance.random() < 0.92,
            launcher=chance.random() < 0.1,
            grace_us=chance.choice((0, 5_000_000)),
            joint_wins=chance.random() < 0.5,
            trigger_once_per_roll=chance.random() < 0.2,
            moment_us=chance.choice((0, 2_000_000)),
            gates=chance.random() < 0.7,
            kickers=tuple(slot for slot in slots if chance.random() < 0.2),
        )

    def goes_on(self):
        """Let something happen, mostly something likely."""
        table, phase, dice = self.table, self.table.state.phase, self.chance.random()
        if dice < 0.03:
            self.is_disturbed()
        elif dice < 0.07:
            self.somebody_acts([one for one in table.offers(parting=True) if one[1]["do"] in TALK])
        elif phase is Phase.ROLLING and table.state.config.sensors and dice < 0.9:
            self.balls_go_on()
        elif phase is Phase.RELEASING and table.state.intent and table.state.intent[1] and dice < 0.95:
            self.somebody_lets_go(table.state.intent[1])
        elif not self.somebody_acts(table.offers()) and not table.wakes():
            self.all_is_quiet()

    def somebody_acts(self, offers):
        """Let one of these acts happen, each kind as likely as another; return whether there was any."""
        if not offers:
            return False
        words = sorted({act["do"] for _seat, act in offers})
        word = self.chance.choices(words, [WEIGHTS.get(one, 1) for one in words])[0]
        seat, act = self.chance.choice([one for one in offers if one[1]["do"] == word])
        self.table.act(seat, act, chance=self.chance.getrandbits(64))
        return True

    # What balls do.

    def happens(self, kind, **fields):
        fact = kind(at_us=self.table.later(), **fields)
        self.facts.append(fact)
        self.table.feed(fact)

    def somebody_lets_go(self, ramp):
        ball = self.next_ball
        self.next_ball += 1
        self.happens(BallReleased, ball=ball, ramp=ramp)
        if self.chance.random() < 0.05:
            self.happens(BallStuckOnRamp, ball=ball, ramp=ramp)
        else:
            self.arrives(ball, next(one.slot for one in self.table.board.ramps if one.name == ramp))

    def arrives(self, ball, slot):
        laid = any(slot in one.slots for one in self.table.state.laid)
        self.happens(BallEntered if laid else BallFell, ball=ball, slot=slot)

    def balls_go_on(self):
        chance, now = self.chance, self.now()
        if not now.on or chance.random() < 0.2:
            gone = (Doubt(ball=max(now.on, default=1), slot=None),) if chance.random() < 0.05 else ()
            self.all_is_quiet(gone)
            return
        newest = self.next_ball - 1
        balls = [*sorted(now.on), *sorted(now.zones)[:1]]
        self.moves(newest if newest in balls and chance.random() < 0.7 else chance.choice(balls), now)

    def now(self):
        state = self.table.state
        return state.rest if state.roll is None else state.roll.record

    def all_is_quiet(self, missing=()):
        facts, self.facts = self.facts, []
        self.table.quiet(*facts, missing=missing)

    def moves(self, ball, now):
        chance, was = self.chance, now.on.get(ball, ())
        if ball in now.zones:
            self.happens(BallLeftZone, ball=ball, zone=now.zones[ball])
        for slot in was:
            self.happens(BallLeft, ball=ball, slot=slot)
        match chance.choices(("slot", "back", "off", "zone"), (8, 3, 1, 0.4))[0]:
            case "off":
                self.happens(BallOffBoard, ball=ball, slot=None)
            case "zone":
                self.happens(BallInZone, ball=ball, zone=chance.choice(self.table.board.zones).name)
            case "back" if was:
                self.arrives(ball, was[0])
            case _:
                self.arrives(ball, chance.choice(self.table.board.slot_names))

    # What nobody asked for.

    def is_disturbed(self):
        table, chance = self.table, self.chance
        kinds = {"switch": 2, "tile": 3, "break": 1, "name": 0.3, "fact": 1, "blind": 0.1, "count": 0.5}
        match chance.choices([*kinds], [*kinds.values()])[0]:
            case "switch":
                table.feed(PowerSet(at_us=table.later(), on=False, lost=chance.random() < 0.5))
                for _act in range(chance.randrange(4)):
                    self.somebody_acts(table.offers())
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
                    chance.choice(table.seats),
                    {"do": "correct", "slot": slot, "touches": chance.randrange(4)},
                )
            case "blind":
                table.feed(Blinded(at_us=table.later()))
            case "name":
                seat = chance.choice(table.seats)
                table.feed(Renamed(at_us=table.later(), seat=seat, name=f"Guest {chance.randrange(7)}"))
            case _:
                table.feed(random_fact(chance, table.board, table.later()))


def evening(seed, length=200):
    """Play a game to its end, or for so many events; return its set-up and the events."""
    played = Evening(seed)
    while played.table.state.phase is not Phase.OVER and len(played.table.events) < length:
        played.goes_on()
    return played.table.setup, played.table.events

"""A table of Hextraction for tests, in the words of the game: people act, balls run, time passes.

Nothing here knows the rules; it only feeds events with growing times to ``step``.
"""

import random

import msgspec
from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallOffBoard,
    BallReleased,
    Doubt,
    RollSettled,
)
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Config, Hextraction, Phase, Seat, Setup, Share
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.state.state import Matter, State
from hextraction.controller.games.protocol import Acted, Refused, Said, TileSeen, Woke
from hextraction.controller.games.scene import acts_of
from msgspec.structs import replace

NAMES = ("Red", "Blue", "Green", "Yellow", "White", "Black")
MIXED = (
    "plain", "bell", "spike", "hammer", "skull", "crown", "encore", "kick", "odbell", "offbell", "gift", "taboo",
    "fence", "star", "vseed", "maker", "pair", "vduo", "wide", "duty", "trade", "drip", "guest", "fuse", "wake",
    "ban-a-b", "ban-c-d-e",
)  # fmt: skip


def setup(
    board="fx-19", players=3, tiles=MIXED, count=4, laid=(), seed=1, *, unseen=False, marks=(), **config
):
    """Return a set-up: everybody draws blindly from a pool of some copies of each kind of tile."""
    seats = tuple(Seat(seat=name.lower(), name=name, balls=3) for name in NAMES[:players])
    return Setup(
        board=board,
        seats=seats,
        pool=tuple(Share(name=name, count=count, owner=NAMES[i % 2].lower()) for i, name in enumerate(tiles))
        + ((Share(name="", count=10),) if unseen else ()),
        virtual=(Share(name="vseed", count=3), Share(name="vmate", count=3)),
        laid=tuple(laid),
        board_owner="blue",
        marks=tuple(marks),
        config=Config(**config),
        chance=seed,
    )


TALK = {
    "adjust", "arrange", "concede", "contend", "correct", "fallen", "flag", "flick", "jammed", "overrule", "reclaim", "rules",
    "undo", "vote",
}  # fmt: skip
"""What people may say at any time, and what would end or hold up a game played at random."""


class Table:
    """A running game."""

    def __init__(self, wanted=None, tiles=None):
        wanted = wanted or setup()
        self.board = load_board(wanted.board)
        self.setup = wanted
        self.game = Hextraction(self.board, tiles or load_tiles())
        self.state = self.game.start(wanted)
        self.events = []
        self.at_us = 0
        self.effects = ()
        self._drawn = (self.state, {})

    @property
    def seats(self):
        return [player.seat for player in self.state.players]

    def feed(self, event):
        """Give an event to the game; return what it asks of the world."""
        step = self.game.step(self.state, event)
        self.events.append(event)
        self.state = step.state
        self.effects = step.effects
        return step.effects

    def view(self, seat=None):
        """Return what a seat is shown now, or everybody; a state that was looked at before is not drawn again."""
        if self._drawn[0] is not self.state:
            self._drawn = (self.state, {})
        views = self._drawn[1]
        if seat not in views:
            views[seat] = self.game.scene(self.state) if seat is None else self.game.private(self.state, seat)
        return views[seat]

    def later(self, by_us=10_000):
        self.at_us += by_us
        return self.at_us

    def act(self, seat, act, chance=0):
        """Let a person do something; return the refusal or None."""
        effects = self.feed(Acted(at_us=self.later(), seat=seat, act=act, chance=chance))
        return next((effect for effect in effects if isinstance(effect, Refused)), None)

    def releases(self, ramp, ball=1):
        self.feed(BallReleased(at_us=self.later(), ball=ball, ramp=ramp))

    def enters(self, slot, ball=1):
        self.feed(BallEntered(at_us=self.later(), ball=ball, slot=slot))

    def leaves(self, slot, ball=1):
        self.feed(BallLeft(at_us=self.later(), ball=ball, slot=slot))

    def quiet(self, *facts, missing=()):
        self.feed(RollSettled(at_us=self.later(), facts=tuple(facts), missing=tuple(missing)))

    def wakes(self):
        """Let the time come that the game asked for."""
        wake = self.game.wake_at_us(self.state)
        if wake is not None:
            self.at_us = max(self.at_us, wake)
            self.feed(Woke(at_us=self.at_us))
        return wake is not None

    def offers(self, *, parting=False):
        """Return everything that step must accept now, as (seat, act)."""
        return [offer for seat in self.seats for offer in self.offers_to(seat, parting=parting)]

    def offers_to(self, seat, *, parting=False):
        """Return what step must accept from one seat now, as (seat, act)."""
        view = self.view(seat)
        options = [*view.options, *(option for prompt in view.prompts for option in prompt.options)]
        wanted = [option for option in options if parting or option.group not in TALK]
        return [(seat, act) for option in wanted for act in ways_to(option)]

    def awaits_world(self):
        """Whether a ball, a tile or the clock can bring the game on."""
        rolling = self.state.phase in {Phase.ROLLING, Phase.RELEASING} and self.state.config.sensors
        return rolling or self.game.wake_at_us(self.state) is not None

    def replayed(self):
        """Return the state that the events alone lead to."""
        state = self.game.start(self.setup)
        for event in self.events:
            state = self.game.step(state, event).state
        return state


def told(effects):
    """Return what an event led to, in words."""
    said = [effect.text for effect in effects if isinstance(effect, Said)]
    return said + [f"refused {effect.clause}" for effect in effects if isinstance(effect, Refused)]


def ways_to(option):
    """Return an option's exact acts: one for each of its turns."""
    return list(acts_of(option))


def random_fact(chance: random.Random, board, at_us):
    """Return something that a ball may do, likely or not."""
    ball, slot = chance.randrange(1, 4), chance.choice(board.slot_names)
    kind = chance.choice(("enter", "enter", "enter", "leave", "fall", "zone", "off", "release"))
    match kind:
        case "enter":
            return BallEntered(at_us=at_us, ball=ball, slot=slot)
        case "leave":
            return BallLeft(at_us=at_us, ball=ball, slot=slot)
        case "fall":
            return BallFell(at_us=at_us, ball=ball, slot=slot)
        case "zone":
            return BallInZone(at_us=at_us, ball=ball, zone=chance.choice(board.zones).name)
        case "off":
            return BallOffBoard(at_us=at_us, ball=ball, slot=None)
        case _:
            return BallReleased(at_us=at_us, ball=ball, ramp=chance.choice(board.ramps).name)


def play_a_bit(table: Table, chance: random.Random):
    """Let something legal or likely happen; return False if nothing can."""
    if table.state.phase is Phase.ROLLING and chance.random() < 0.8:
        if chance.random() < 0.25:
            gone = (Doubt(ball=1, slot=None),) if chance.random() < 0.1 else ()
            table.quiet(missing=gone)
        else:
            seen = random_fact(chance, table.board, table.later())
            if not isinstance(seen, BallInZone) or chance.random() < 0.1:
                table.feed(seen)
        return True
    if table.state.phase is Phase.RELEASING and table.state.intent and table.state.intent[1]:
        table.releases(table.state.intent[1], ball=chance.randrange(1, 4))
        return True
    offers = table.offers()
    if offers and chance.random() < 0.9:
        seat, act = chance.choice(offers)
        refused = table.act(seat, act, chance=chance.getrandbits(64))
        assert refused is None, (refused, act, table.state.phase)
        return True
    if table.state.phase is Phase.SEATING and chance.random() < 0.3:
        play = table.state.play
        table.feed(TileSeen(at_us=table.later(), slot=play.slots[0], present=chance.random() < 0.8))
        return True
    return table.wakes() or bool(offers) or table.awaits_world()


def boxed(state):
    """Return every tile of the box where it is, parts of a split Combo counted as their whole."""
    found = [*state.pool, *state.virtual, *state.destroyed, *state.taken]
    for player in state.players:
        found += player.hand
    out = [laid.copy for laid in state.laid]
    if state.play is not None and not state.play.seated:
        out += [copy for copy in (state.play.copy, *state.play.pieces) if copy not in found]
    found += dict.fromkeys(state.copies[copy].whole or copy for copy in out)
    return sorted(found)


def survives_json(state):
    """Whether a state goes through JSON unharmed; what a question is about is shown there, but not read back."""
    return msgspec.json.decode(msgspec.json.encode(state), type=State) == _without_matters(state)


def _without_matters(state):
    asks = tuple(replace(ask, about=Matter()) for ask in state.asks)
    roll = state.roll
    if roll is not None and roll.before is not None:
        roll = replace(roll, before=_without_matters(roll.before))
    last, tap = (_without_matters(one) if one else None for one in (state.last, state.tap))
    return replace(state, asks=asks, roll=roll, last=last, tap=tap)

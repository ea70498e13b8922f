"""Words for tests that play with the simulated board."""

from hextraction.board.facts import BallEntered
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction.cards.tiles import Tile
from hextraction.simulator.world import World

BOARD = load_board("standard-22")


def kind(name, channels, **what):
    """Return a kind of tile."""
    return Tile(name=name, title=name, channels=channels, **what)


X = kind("x", ((1, 4), (2, 5)))
J = kind("j", ((1, 3),))
DC = kind("dc", ((1, 3), (4, 6)), turns=(0, 1, 3, 4))
DIC = kind("dic", ((1, 4), (2, 3), (5, 6)), turns=(0, 3))
PEACE = kind("peace", ((1, 2, 4, 6),), turns=(0, 1, 3, 5))
ASTERISK = kind("asterisk", ((1, 2, 3, 4, 5, 6),))
Z = kind("z", ((2, 3, 5, 6),))
TRAP = kind("trap", ((1, 3),), holds=1)
FLIP_FLOP = kind("flip-flop", ((1, 3, 5),), alternates=(3, 5))
PACHINKO = kind("pachinko", ((1, 2, 3, 4, 5, 6),), scatters=True)
VOID = kind("void", None, hole=True)
BASIC = (X, J, DC, DIC, PEACE, ASTERISK, Z, TRAP, FLIP_FLOP, PACHINKO)


def world(tiles=(), *, seed=0, tilt_deg=None):
    """Return a world with tiles laid: slot names to a tile, or to a tile and its turns."""
    made = World(BOARD, seed=seed, tilt_deg=tilt_deg)
    lay(made, tiles)
    return made


def lay(made, tiles):
    """Lay tiles by slot."""
    for slot, laid in dict(tiles).items():
        made.lay(slot, *(laid if isinstance(laid, tuple) else (laid,)))


def mixed(rng, *, empty=0):
    """Return a board full of basic tiles, with some slots left open that no ramp leads to."""
    open_slots = set(rng.sample([slot for slot in BOARD.slot_names if slot not in {"B1", "D1"}], empty))
    chosen = {slot: rng.choice(BASIC) for slot in BOARD.slot_names if slot not in open_slots}
    return {slot: (tile, rng.choice(tile.turns)) for slot, tile in chosen.items()}


def settle(made, limit_us=20_000_000):
    """Let time pass until nothing moves, in frames of 10 ms; return the facts."""
    until_us = made.now_us + limit_us
    made.advance(made.now_us)
    while made.moving and made.now_us < until_us:
        made.advance(made.now_us + 10_000)
    return made.facts()


def roll(made, ramp):
    """Release a ball and wait for quiet; return the facts."""
    made.facts()
    made.release(ramp)
    return settle(made)


def way(facts):
    """Return the slots entered, in order."""
    return [fact.slot for fact in facts if isinstance(fact, BallEntered)]

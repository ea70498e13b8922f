"""Draw the random set-up of each game of a study: board, seats, bag, hands, what the board sees."""

import random
from typing import Final

from hextraction.board.profile import Board, load_board
from hextraction.controller.games.hextraction import Config, Seat, Setup, Share
from hextraction.controller.games.hextraction.tilebook import load_tiles, shipped_files
from hextraction.controller.games.hextraction.tiles import Keyword
from hextraction.controller.study.settings import StudySettings
from hextraction.controller.table.lobby import SEATS

__all__ = ["draw_setup"]

_COPIES_A_SLOT: Final = 4
_BLIND, _HIDDEN, _PICKED, _DARK, _GATED = 0.15, 0.1, 0.3, 0.1, 0.5
"""How often a table has no electronics, an unseen bag, picked hands, no power at first, or gates."""


def draw_setup(settings: StudySettings, rng: random.Random) -> Setup:
    """Draw the set-up of one game."""
    board = load_board(rng.choice(settings.boards))
    names = SEATS[: rng.randint(*settings.players)]
    kinds = [name for file in settings.catalogues for name in shipped_files()[file]]
    sensors, hidden = rng.random() >= _BLIND, rng.random() < _HIDDEN
    tiles = len(board.slots) * _COPIES_A_SLOT
    return Setup(
        board=board.name,
        seats=_seats(names, kinds, rng, picked=not hidden and rng.random() < _PICKED),
        pool=(Share(name="", count=tiles),) if hidden else _bag(names, kinds, tiles, rng),
        virtual=_virtual(names, kinds),
        laid=_laid(board, kinds, settings.laid, rng),
        board_owner=rng.choice(names),
        first=rng.choice(names),
        power=rng.random() >= _DARK,
        config=_config(board, rng, sensors=sensors),
        chance=rng.getrandbits(64),
    )


def _config(board: Board, rng: random.Random, *, sensors: bool) -> Config:
    return Config(
        grace_us=rng.choice((0, 1_500_000, 5_000_000)),
        joint_wins=rng.random() < 0.5,
        trigger_once_per_roll=rng.random() < 0.5,
        sensors=sensors,
        tile_sensors=sensors,
        gates=sensors and rng.random() < _GATED,
        kickers=tuple(rng.sample(board.slot_names, 2)) if sensors else (),
    )


def _seats(names: tuple[str, ...], kinds: list[str], rng: random.Random, *, picked: bool) -> tuple[Seat, ...]:
    """Seat everybody; a picked hand is three different tiles of the player's own (1.0.6)."""
    tiles = load_tiles()
    own = [name for name in kinds if Keyword.VIRTUAL not in tiles[name].keywords]
    return tuple(
        Seat(
            seat=name,
            name=name.title(),
            colour=name,
            hand=tuple(rng.sample(own, 3)) if picked else (),
            balls=3,
        )
        for name in names
    )


def _bag(names: tuple[str, ...], kinds: list[str], tiles: int, rng: random.Random) -> tuple[Share, ...]:
    plain = [name for name in kinds if Keyword.VIRTUAL not in load_tiles()[name].keywords]
    drawn = [rng.choice(plain) for _tile in range(tiles)]
    return tuple(Share(name=name, owner=names[at % len(names)]) for at, name in enumerate(drawn))


def _virtual(names: tuple[str, ...], kinds: list[str]) -> tuple[Share, ...]:
    found = [name for name in kinds if Keyword.VIRTUAL in load_tiles()[name].keywords]
    return tuple(Share(name=name, owner=names[0], count=3) for name in found)


def _laid(board: Board, kinds: list[str], count: int, rng: random.Random) -> tuple[tuple[str, str, int], ...]:
    """Lay random one-slot tiles, so that balls have somewhere to run."""
    tiles = load_tiles()
    single = [name for name in kinds if not (tiles[name].covers or tiles[name].parts or tiles[name].keywords)]
    slots = rng.sample(board.slot_names, min(count, len(board.slots)))
    return tuple(
        (slot, name, rng.choice(tiles[name].turns)) for slot in slots for name in [rng.choice(single)]
    )

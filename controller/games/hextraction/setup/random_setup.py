"""Draw the random set-up of each game of a study: board, seats, bag, hands, what the board sees."""

from collections.abc import Sequence
from typing import Final

from hextraction.board.profile import Board
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles, shipped_files
from hextraction.controller.games.hextraction.state.state import Config, Seat, Setup, Share
from hextraction.controller.games.protocol import Player
from hextraction.controller.games.strategy import Luck

__all__ = ["draw_setup"]

_COPIES_A_SLOT: Final = 4
_BLIND, _HIDDEN, _PICKED, _DARK, _GATED = 0.15, 0.1, 0.3, 0.1, 0.5
"""How often a table has no electronics, an unseen bag, picked hands, no power at first, or gates."""


def draw_setup(board: Board, seated: Sequence[Player], luck: Luck, files: Sequence[str], laid: int) -> Setup:
    """Draw the set-up of one game with tiles from these files of the catalogue, all if there are none."""
    names = tuple(one.seat for one in seated)
    kinds = [name for file in files or tuple(shipped_files()) for name in shipped_files()[file]]
    sensors, hidden = luck.random() >= _BLIND, luck.random() < _HIDDEN
    tiles = len(board.slots) * _COPIES_A_SLOT
    return Setup(
        board=board.name,
        seats=_seats(names, kinds, luck, picked=not hidden and luck.random() < _PICKED),
        pool=(Share(name="", count=tiles),) if hidden else _bag(names, kinds, tiles, luck),
        virtual=_virtual(names, kinds),
        laid=_laid(board, kinds, laid, luck),
        board_owner=luck.choice(names),
        first=luck.choice(names),
        power=luck.random() >= _DARK,
        config=_config(board, luck, sensors=sensors),
        chance=luck.getrandbits(64),
    )


def _config(board: Board, luck: Luck, *, sensors: bool) -> Config:
    return Config(
        grace_us=luck.choice((0, 1_500_000, 5_000_000)),
        joint_wins=luck.random() < 0.5,
        trigger_once_per_roll=luck.random() < 0.5,
        sensors=sensors,
        tile_sensors=sensors,
        gates=sensors and luck.random() < _GATED,
        kickers=tuple(luck.sample(board.slot_names, 2)) if sensors else (),
    )


def _seats(names: tuple[str, ...], kinds: list[str], luck: Luck, *, picked: bool) -> tuple[Seat, ...]:
    """Seat everybody; a picked hand is three different tiles of the player's own (1.0.6)."""
    tiles = load_tiles()
    own = [name for name in kinds if not tiles[name].virtual]
    return tuple(
        Seat(
            seat=name,
            name=name.title(),
            colour=name,
            hand=tuple(luck.sample(own, 3)) if picked else (),
            balls=3,
        )
        for name in names
    )


def _bag(names: tuple[str, ...], kinds: list[str], tiles: int, luck: Luck) -> tuple[Share, ...]:
    plain = [name for name in kinds if not load_tiles()[name].virtual]
    drawn = [luck.choice(plain) for _tile in range(tiles)]
    return tuple(Share(name=name, owner=names[at % len(names)]) for at, name in enumerate(drawn))


def _virtual(names: tuple[str, ...], kinds: list[str]) -> tuple[Share, ...]:
    found = [name for name in kinds if load_tiles()[name].virtual]
    return tuple(Share(name=name, owner=names[0], count=3) for name in found)


def _laid(board: Board, kinds: list[str], count: int, luck: Luck) -> tuple[tuple[str, str, int], ...]:
    """Lay random one-slot tiles, so that balls have somewhere to run."""
    tiles = load_tiles()
    single = [name for name in kinds if not (tiles[name].covers or tiles[name].parts or tiles[name].keywords)]
    slots = luck.sample(board.slot_names, min(count, len(board.slots)))
    return tuple(
        (slot, name, luck.choice(tiles[name].turns)) for slot in slots for name in [luck.choice(single)]
    )

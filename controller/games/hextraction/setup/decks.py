"""Set-ups for a quick start: a deck of the shipped catalogue that the board knows, or real tiles in a bag."""

from collections.abc import Sequence
from dataclasses import replace

from hextraction.board.profile import Board, Slot
from hextraction.board.tiles import DOWNHILL
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.cards.tiles import Catalogue, Tile
from hextraction.controller.games.hextraction.state.state import Config, Seat, Setup, Share
from hextraction.controller.games.marked_names import plain
from hextraction.controller.games.protocol import Player
from hextraction.controller.games.strategy import Luck

__all__ = ["demo_setup", "hidden_setup", "playable", "quick_start", "upper_half"]

_PATHS = ("dc", "dic", "j", "x", "asterisk", "peace", "s", "z", "xc", "flip-flop", "pachinko")
_TRAPS = ("double-trap", "triple-trap")
_UPHILL = (6, 1, 2)
_DRAWN = 3
_UPPER = 0.6
"""So much of the board is laid for a demonstration, so that a ball runs a good way,"""
_SHAFT = 3
"""but so many slots straight above an end zone are open: one tile more must not be enough for a goal."""


def playable(tile: Tile) -> bool:
    """Whether a board can play a tile by itself: known channels, no effects that need people's hands."""
    return bool(tile.effects) and _needs_no_hands(tile)


def _needs_no_hands(tile: Tile) -> bool:
    return (
        tile.channels is not None
        and not tile.parts
        and not tile.virtual
        and not tile.combo
        and not tile.covers
        and not any(effect.deed.in_words or effect.deed.creates for effect in tile.effects)
    )


def _is_own(tile: Tile) -> bool:
    """Whether somebody wrote this tile, in a folder of their own; it may have the name of one that ships."""
    shipped = load_tiles().get(tile.name)
    return shipped is None or replace(tile, title=plain(tile.title)) != shipped


def _deck(tiles: Catalogue) -> tuple[Share, ...]:
    """Return the tiles in the box of a demonstration; those of one's own as often as paths, to be seen.

    A shipped tile without a creator was made up for the scenarios, and is printed nowhere.
    """
    own = {name for name, tile in tiles.items() if name not in _PATHS and _is_own(tile)}
    shares = [Share(name=name, count=4) for name in _PATHS if name in tiles]
    shares += [Share(name=name, count=2) for name in _TRAPS if name in tiles and name not in own]
    shares += [
        Share(name=name, count=2)
        for name, tile in sorted(tiles.items())
        if playable(tile) and tile.creator and name not in own and name not in _PATHS
    ]
    shares += [Share(name=name, count=4) for name in sorted(own) if _needs_no_hands(tiles[name])]
    return tuple(shares)


def quick_start(board: Board, tiles: Catalogue, count: int, luck: Luck) -> tuple[tuple[str, str, int], ...]:
    """Lay some random path tiles, as (slot, name, turns), so that balls have somewhere to run."""
    names = [name for name in _PATHS if name in tiles]
    slots = luck.sample(board.slot_names, min(count, len(board.slots)))
    drawn = [(slot, luck.choice(names)) for slot in slots]
    return tuple((slot, name, luck.choice(tiles[name].turns)) for slot, name in drawn)


def upper_half(board: Board, tiles: Catalogue, luck: Luck) -> tuple[tuple[str, str, int], ...]:
    """Lay the upper half of the board with path tiles, as (slot, name, turns), so that balls run down it.

    Of some tiles that chance draws for a slot that one lies there, so turned, which leads balls on downhill
    over the board from the most of its upper edges.
    """
    names = [name for name in _PATHS if name in tiles]
    count = round(len(board.slots) * _UPPER)
    closed = [slot for slot in board.slots if slot.name not in _above_zones(board)]
    slots = sorted(closed, key=lambda slot: (slot.y_mm, slot.name))[:count]
    return tuple(
        _leading_on(slot, [tiles[luck.choice(names)] for _tile in range(_DRAWN)], luck) for slot in slots
    )


def _above_zones(board: Board) -> set[str]:
    """Return the slots in which a ball would come into an end zone, and those straight above them."""
    found: set[str] = set()
    over = {slot.name for slot in board.slots if any(slot.beyond(edge).zone for edge in DOWNHILL)}
    for _slot in range(_SHAFT):
        found |= over
        over = {above for name in over if (above := board.by_name[name].beyond(1).slot) is not None}
    return found


def _leading_on(slot: Slot, drawn: Sequence[Tile], luck: Luck) -> tuple[str, str, int]:
    on = {edge for edge in DOWNHILL if slot.beyond(edge).slot is not None}
    above = [edge for edge in _UPHILL if slot.beyond(edge).slot or slot.beyond(edge).ramp]
    ways = {
        (tile.name, turns): sum(not on.isdisjoint(tile.exits(turns, edge)) for edge in above)
        for tile in drawn
        for turns in tile.turns
    }
    most = max(ways.values())
    name, turns = luck.choice([one for one, count in ways.items() if count == most])
    return slot.name, name, turns


def demo_setup(
    tiles: Catalogue,
    board: str,
    chairs: Sequence[Player],
    *,
    laid: tuple[tuple[str, str, int], ...],
    config: Config,
    chance: int,
    at_us: int,
) -> Setup:
    """Set up a game whose tiles the board knows: everybody draws three blindly (1.0.7)."""
    return Setup(
        board=board,
        seats=tuple(Seat(seat=chair.seat, name=chair.name, colour=chair.seat) for chair in chairs),
        pool=_deck(tiles),
        laid=laid,
        config=config,
        chance=chance,
        at_us=at_us,
        first=chairs[chance % len(chairs)].seat if chairs else None,
    )


def hidden_setup(
    board: str, chairs: Sequence[Player], *, tiles_in_box: int, config: Config, chance: int, at_us: int
) -> Setup:
    """Set up a game with real tiles in a bag: the board knows only how many are in each hand and pool."""
    return Setup(
        board=board,
        seats=tuple(Seat(seat=chair.seat, name=chair.name, colour=chair.seat) for chair in chairs),
        pool=(Share(name="", count=tiles_in_box),),
        config=config,
        chance=chance,
        at_us=at_us,
    )

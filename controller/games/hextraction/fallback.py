"""When no tile in the hand is legal to play (2.2.2, R-38, R-39, R-42)."""

from itertools import combinations

import msgspec
from hextraction.board.tiles import UNKNOWN, Keyword, Tile, When
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.slots import Ignored, limited, limits, places
from hextraction.controller.games.hextraction.state import Laid

__all__ = ["Way", "can_play", "nameable", "ways"]

_MOST_TO_CLEAR = 3


class Way(msgspec.Struct, frozen=True):
    """How a tile can be played: ``legal``, ``overwrite``, ``ignore`` or ``clear`` (which sets of tiles)."""

    kind: str
    clearings: tuple[tuple[int, ...], ...] = ()
    ignores: Ignored = ()


_LEGAL = Way("legal")
_OVERWRITE = Way("overwrite")


def ways(move: Move, seat: str) -> dict[int, Way]:
    """Return the tiles of a hand that may be revealed now, each with its way; hidden tiles are not judged."""
    hand = [copy for copy in move.player(seat).hand if move.state.copies[copy].name]
    legal = [copy for copy in hand if places(move, copy)]
    if legal:
        return dict.fromkeys(legal, _LEGAL)
    if move.is_full():
        return _clearings(move, hand) or _clearings(move, hand, ignoring=True)
    over = [copy for copy in hand if limited(move, copy) and places(move, copy, overwrites=True)]
    return dict.fromkeys(over, _OVERWRITE) or _ignoring(move, hand) or _clearings(move, hand)


def _ignoring(move: Move, hand: list[int]) -> dict[int, Way]:
    """Ignore the fewest effects that make some tile of the hand legal (2.2.2.3, R-38)."""
    most = max((len(limits(move, copy)) for copy in hand), default=0)
    for size in range(1, most + 1):
        found = {copy: sets for copy in hand if (sets := _freeing(move, copy, size))}
        if found:
            return {copy: Way("ignore", ignores=sets) for copy, sets in found.items()}
    return {}


def _freeing(move: Move, copy: int, size: int) -> Ignored:
    """Return the sets of that many of a tile's own effects without which it has a legal slot."""
    sets = combinations(limits(move, copy), size)
    return tuple(chosen for chosen in sets if places(move, copy, ignoring=(chosen,)))


def _clearings(move: Move, hand: list[int], *, ignoring: bool = False) -> dict[int, Way]:
    """Find the fewest tiles whose destruction lets some tile of the hand be played.

    ``ignoring``: not even that helps unless the tile's own Limits are ignored as well.
    """
    for size in range(1, _MOST_TO_CLEAR + 1):
        found = {
            copy: (clear, ignored)
            for copy in hand
            for ignored in ((limits(move, copy),) if ignoring else (),)
            if (clear := _clearings_for(move, copy, size, ignored))
        }
        if found:
            return {copy: Way("clear", clear, ignored) for copy, (clear, ignored) in found.items()}
    return {}


def _clearings_for(move: Move, copy: int, size: int, ignored: Ignored) -> tuple[tuple[int, ...], ...]:
    tile = move.tile(copy)
    if size == 1 and _goes_anywhere(tile):
        return tuple((laid.copy,) for laid in move.state.laid)
    if size > 1 and not tile.covers and not tile.parts:
        return ()  # it needs a single slot: what no tile makes room for by leaving, no more tiles do
    return tuple(
        tuple(laid.copy for laid in gone)
        for gone in combinations(move.state.laid, size)
        if _near(move, gone) and _room_without(move, copy, gone, ignored)
    )


def _goes_anywhere(tile: Tile) -> bool:
    """Whether one open slot, whichever, is all that a kind of tile needs."""
    return not tile.covers and not tile.parts and not tile.effects_when(When.LIMIT)


def nameable(move: Move, seat: str) -> list[Tile]:
    """Return what an unseen tile of a hand may turn out to be: every kind that could be played now."""
    hand = move.player(seat).hand
    hidden = next((copy for copy in hand if not move.state.copies[copy].name), None)
    if hidden is None:
        return []
    known_legal = any(move.state.copies[copy].name and places(move, copy) for copy in hand)
    simple = not move.is_full() or not known_legal
    kinds = [*sorted(move.rules.tiles.values(), key=lambda tile: tile.title), UNKNOWN]
    return [tile for tile in kinds if _could_be(move, seat, hidden, tile, simple=simple)]


def _could_be(move: Move, seat: str, hidden: int, tile: Tile, *, simple: bool) -> bool:
    if _goes_anywhere(tile) and Keyword.UNIQUE not in tile.keywords:
        return simple
    trial = Move(move.rules, move.state)
    named = msgspec.structs.replace(move.state.copies[hidden], name=tile.name)
    trial.set(copies={**move.state.copies, hidden: named})
    return hidden in ways(trial, seat)


def can_play(move: Move, seat: str) -> bool:
    """Whether any tile of a hand can be played in some way; hidden tiles are thought to be playable."""
    hand = move.player(seat).hand
    if any(not move.state.copies[copy].name or _goes_anywhere(move.tile(copy)) for copy in hand):
        return True
    return bool(hand) and bool(ways(move, seat))


def _near(move: Move, gone: tuple[Laid, ...]) -> bool:
    """Tiles that are cleared together for one tile lie next to each other, or need not be tried."""
    slots = [slot for laid in gone for slot in laid.slots]
    return len(gone) == 1 or all(
        any(other in slots for other in move.board.neighbours(slot)) for slot in slots
    )


def _room_without(move: Move, copy: int, gone: tuple[Laid, ...], ignored: Ignored) -> bool:
    left = tuple([laid for laid in move.state.laid if laid not in gone])
    trial = Move(move.rules, msgspec.structs.replace(move.state, roll=None, laid=left))
    return bool(places(trial, copy, ignoring=ignored))

"""What to do when no tile of a hand has a legal slot (2.2.2, R-38, R-39, R-42).

On a full board the fewest tiles make room; otherwise a Limit tile may overwrite, or the fewest Limits are
ignored.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN, Tile, When
from hextraction.controller.games.hextraction.lay.legal_slots import (
    Ignored,
    covered,
    fit_in_turn,
    in_pieces,
    is_fixed,
    limited,
    limits,
    needs_of,
    pieces_of,
    places,
    usable_slots,
)
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Laid

__all__ = ["Way", "can_play", "every_kind", "nameable", "ways"]

_MOST_TO_CLEAR = 3


class Way(msgspec.Struct, frozen=True):
    """How a tile can be played: ``legal``, ``overwrite``, ``ignore`` or ``clear`` (which sets of tiles)."""

    kind: str
    clearings: tuple[tuple[int, ...], ...] = ()
    ignores: Ignored = ()


_LEGAL = Way("legal")
_OVERWRITE = Way("overwrite")


def ways(move: Move, seat: str) -> dict[int, Way]:
    """Return the tiles of a hand that may be revealed now, each with its way, except hidden tiles."""
    hand = [copy for copy in move.player(seat).hand if move.state.copies[copy].name]
    legal = dict.fromkeys([copy for copy in hand if places(move, copy)], _LEGAL)
    barred = {*move.state.barred}
    if not legal or not barred.issuperset(legal):
        return legal or _fallbacks(move, hand)
    others = _fallbacks(move, [copy for copy in hand if copy not in barred])
    if others:
        return {**legal, **others}
    alone = [*legal]
    if not move.is_full():
        return _fallbacks(move, alone)
    return _clearings(move, {copy: (limits(move, copy),) for copy in alone})


def _fallbacks(move: Move, hand: list[int]) -> dict[int, Way]:
    """Return the ways of tiles none of which has a legal slot (2.2.2, R-39)."""
    nothing = dict.fromkeys(hand, ())
    if move.is_full():
        return _clearings(move, nothing) or _ignoring(move, hand) or _both(move, hand)
    over = [copy for copy in hand if limited(move, copy) and places(move, copy, overwrites=True)]
    if over:
        return dict.fromkeys(over, _OVERWRITE)
    return _ignoring(move, hand) or _clearings(move, nothing) or _both(move, hand)


def _ignoring(move: Move, hand: list[int]) -> dict[int, Way]:
    """Ignore the fewest effects that make some tile of the hand legal (2.2.2.3, R-38)."""
    for sets_of in _sets_of_limits(move, hand):
        found = {copy: sets for copy in sets_of if (sets := _freeing(move, copy, sets_of[copy]))}
        if found:
            return {copy: Way("ignore", ignores=sets) for copy, sets in found.items()}
    return {}


def _freeing(move: Move, copy: int, sets: Ignored) -> Ignored:
    """Return those sets of a tile's own effects without which it has a legal slot."""
    return tuple(chosen for chosen in sets if places(move, copy, ignoring=(chosen,)))


def _both(move: Move, hand: list[int]) -> dict[int, Way]:
    """Ignore the fewest effects with which no tile finds room, whatever goes; then the fewest tiles go."""
    return next((found for sets in _sets_of_limits(move, hand) if (found := _clearings(move, sets))), {})


def _sets_of_limits(move: Move, hand: list[int]) -> Iterator[dict[int, Ignored]]:
    """Yield the sets of one of its own effects that each tile of a hand may ignore, of two, and so on."""
    names = {copy: limits(move, copy) for copy in hand}
    for size in range(1, max(map(len, names.values()), default=0) + 1):
        yield {copy: tuple(combinations(own, size)) for copy, own in names.items() if len(own) >= size}


def _clearings(move: Move, hand: Mapping[int, Ignored]) -> dict[int, Way]:
    """Find the fewest tiles whose destruction lets some tile of a hand be played.

    ``hand``: of each tile the sets of its own effects, any one of which it may ignore.
    """
    for size in range(1, _MOST_TO_CLEAR + 1):
        found = {
            copy: (clear, ignored)
            for copy, ignored in hand.items()
            if (clear := _clearings_for(move, copy, size, ignored))
        }
        if found:
            return {copy: Way("clear", clear, ignored) for copy, (clear, ignored) in found.items()}
    return {}


def _clearings_for(move: Move, copy: int, size: int, ignored: Ignored) -> tuple[tuple[int, ...], ...]:
    found = _sets_that_make_room(move, copy, size, ignored)
    if not any(move.state.copies[laid.copy].whole for laid in move.state.laid):
        return found
    destroyed = [_how_many_go(move, gone) for gone in found]
    fewest = min(destroyed, default=0)
    return tuple(gone for gone, count in zip(found, destroyed, strict=True) if count == fewest)


def _how_many_go(move: Move, gone: tuple[int, ...]) -> int:
    """Return how many tiles are destroyed with these: enough parts of an owner to make whole Combos (2.4.6).

    Alike parts are as good as one another (R-55), so two halves of different Combos may be one whole. With a
    Virtual Combo its counterparts go (3.Combo.5).
    """
    copies, parts = move.state.copies, dict[tuple[str | None, str], Counter[str]]()
    single = Counter(copies[copy].name for copy in gone if not copies[copy].whole)
    for part in (copies[copy] for copy in gone if copies[copy].whole):
        whole = copies[part.whole]
        parts.setdefault((whole.owner, whole.name), Counter())[part.name] += 1
    count = single.total()
    for (_owner, name), halves in parts.items():
        kind, wholes = move.rules.named(name), max(halves.values())
        count += wholes * len(kind.parts)
        for mate in kind.counterparts if kind.virtual else ():
            lie = sum(copies[laid.copy].name == mate for laid in move.state.laid)
            count += max(0, min(wholes, lie) - single[mate])
    return count


def _sets_that_make_room(move: Move, copy: int, size: int, ignored: Ignored) -> tuple[tuple[int, ...], ...]:
    """Return the sets of so many tiles without which the copy has a legal place."""
    tile = move.tile(copy)
    if size == 1 and _goes_anywhere(tile):
        return tuple((laid.copy,) for laid in move.state.laid)
    if tile.covers:
        sets = _under_placements(move, tile, size)
        if limits(move, copy) in {(), *ignored}:
            return tuple(tuple(laid.copy for laid in gone) for gone in sets)
    elif tile.parts:
        sets = _large_enough(move, pieces_of(tile) - len(usable_slots(move)), size)
        trial, play = in_pieces(move, copy)
        needs = needs_of(trial, (play.copy, *play.pieces), ignored or ((),))
        if needs is not None:
            usable = frozenset(usable_slots(move))
            return tuple(
                tuple(laid.copy for laid in gone)
                for gone in sets
                if any(fit_in_turn(move, each, usable | _slots_of(gone), math.inf) for each in needs)
            )
    elif size > 1:
        return ()  # it needs a single slot: if no single tile makes room by leaving, several do not either
    elif _fixed(move, copy):
        return _clearings_by_slot(move, copy, ignored)
    else:
        sets = tuple((laid,) for laid in move.state.laid)
    rules = move.rules.apart()
    return tuple(
        tuple(laid.copy for laid in gone)
        for gone in sets
        if _room_without(Move(rules, move.state), copy, gone, ignored)
    )


def _slots_of(gone: tuple[Laid, ...]) -> frozenset[str]:
    return frozenset(slot for laid in gone for slot in laid.slots)


def _under_placements(move: Move, tile: Tile, size: int) -> tuple[tuple[Laid, ...], ...]:
    """Return the sets of so many tiles that lie where a larger tile might."""
    layout, blocked, found = move.layout(), {*move.state.blocked}, set()
    for slot in move.board.slot_names:
        for turns in tile.turns:
            slots = covered(move, tile, slot, turns)
            if slots is not None and blocked.isdisjoint(slots):
                found.add(frozenset(layout[each] for each in slots if each in layout))
    sets = (tuple(laid for laid in move.state.laid if laid.copy in gone) for gone in found)
    return tuple(
        sorted((gone for gone in sets if len(gone) == size), key=lambda gone: [one.copy for one in gone])
    )


def _large_enough(move: Move, missing: int, size: int) -> tuple[tuple[Laid, ...], ...]:
    """Return all sets of so many tiles, wherever they lie, that cover enough slots together (2.2.2.1)."""
    if size * max((len(laid.slots) for laid in move.state.laid), default=0) < missing:
        return ()
    sets = combinations(move.state.laid, size)
    return tuple(gone for gone in sets if sum(len(laid.slots) for laid in gone) >= missing)


def _fixed(move: Move, copy: int) -> bool:
    """Whether what else lies on the board makes no difference to where a copy may lie."""
    play = move.state.play
    return (play is None or copy != play.copy) and all(map(is_fixed, limits(move, copy)))


def _clearings_by_slot(move: Move, copy: int, ignored: Ignored) -> tuple[tuple[int, ...], ...]:
    """Return the tiles that lie where a copy for a single slot may, so that any one of them makes room."""
    emptied = Move(move.rules.apart(), move.state)
    emptied.set(roll=None, laid=())
    legal = {slot for slot, _turns in places(emptied, copy, ignoring=ignored)}
    if not legal.isdisjoint(move.installed.opened):
        return tuple((laid.copy,) for laid in move.state.laid)
    return tuple((laid.copy,) for laid in move.state.laid if not legal.isdisjoint(laid.slots))


def _goes_anywhere(tile: Tile) -> bool:
    """Whether any open slot will do for a kind of tile."""
    return not tile.covers and not tile.parts and not tile.effects_when(When.LIMIT)


def every_kind(move: Move) -> list[Tile]:
    """Return all kinds of tiles by their titles, and last the one that stays unknown."""
    return [*sorted(move.rules.tiles.values(), key=lambda tile: tile.title), UNKNOWN]


def nameable(move: Move, seat: str) -> list[Tile]:
    """Return the kinds that an unseen tile of a hand may turn out to be: all that could be played now."""
    hand = move.player(seat).hand
    hidden = next((copy for copy in hand if not move.state.copies[copy].name), None)
    if hidden is None:
        return []
    known = [copy for copy in hand if move.state.copies[copy].name and copy not in move.state.barred]
    known_legal = any(places(move, copy) for copy in known)
    simple = not move.is_full() or not known_legal
    return [tile for tile in every_kind(move) if _could_be(move, seat, hidden, tile, simple=simple)]


def _could_be(move: Move, seat: str, hidden: int, tile: Tile, *, simple: bool) -> bool:
    if _goes_anywhere(tile) and not tile.unique:
        return simple
    trial = Move(move.rules, move.state)
    named = msgspec.structs.replace(move.state.copies[hidden], name=tile.name)
    trial.set(copies={**move.state.copies, hidden: named})
    return hidden in ways(trial, seat)


def can_play(move: Move, seat: str) -> bool:
    """Whether any tile of a hand can be played in some way; hidden tiles are assumed to be playable."""
    hand = move.player(seat).hand
    if any(not move.state.copies[copy].name or _goes_anywhere(move.tile(copy)) for copy in hand):
        return True
    return bool(hand) and bool(ways(move, seat))


def _room_without(trial: Move, copy: int, gone: tuple[Laid, ...], ignored: Ignored) -> bool:
    trial.set(roll=None, laid=tuple([laid for laid in trial.state.laid if laid not in gone]))
    return bool(places(trial, copy, ignoring=ignored))

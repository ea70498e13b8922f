"""Where a tile may be laid, and what to do when no slot is legal (2.2.1, 2.2.2, 3.Legal, 3.Limit, R-39)."""

import math
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Final

import msgspec
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Laid, Play
from hextraction.controller.games.hextraction.tiles import UNKNOWN, Deed, Keyword, Tile, When

__all__ = [
    "Ignored",
    "Places",
    "Way",
    "can_play",
    "covered",
    "limited",
    "limits",
    "nameable",
    "places",
    "retries",
    "ways",
]

# --- Legal slots ---

Places = tuple[tuple[str, tuple[int, ...]], ...]
"""Legal places: each slot (the first one of a larger tile) with the turns in which the tile fits there."""

Ignored = tuple[tuple[str, ...], ...]
"""Sets of a tile's own effects, by name; any one set may be ignored for a play (R-38)."""

UNIQUE_DUTY: Final = "unique"
"""The name of the Limit that every Unique tile has (3.Unique.1)."""


def places(move: Move, copy: int, *, overwrites: bool = False, ignoring: Ignored = ()) -> Places:
    """Return the legal places for a copy: open slots, or what it must or may overwrite.

    ``overwrites``: a revealed Limit tile may lie on anything (2.2.2.2); ``ignoring``: sets of its own
    effects, any one of which is ignored for this play (2.2.2.3, R-38).
    """
    tile, play = move.tile(copy), move.state.play
    if tile.parts:
        return _places_of_combo(move, tile)
    found = _any_of(move, copy, ignoring or ((),), overwrites=overwrites)
    if play is None or copy != play.copy:
        return found
    if not found and (play.done or play.pieces):  # the rest of a Combo must go somewhere (2.2.2.3)
        found = _any_of(move, copy, (limits(move, copy),), overwrites=overwrites)
    if not play.only:
        return found
    free = _any_of(move, copy, (limits(move, copy),), overwrites=overwrites)
    return _within(found, play) or _within(free, play)  # an effect that says where outweighs Limits (2.2.2.3)


def _within(found: Places, play: Play) -> Places:
    """Return the places that remain if an effect says where its tile goes."""
    only = dict(play.only)
    within = [(slot, tuple(t for t in turned if t in only[slot])) for slot, turned in found if slot in only]
    return tuple((slot, turned) for slot, turned in within if turned)


def _any_of(move: Move, copy: int, ignoring: Ignored, *, overwrites: bool) -> Places:
    if len(ignoring) == 1:
        return _places(move, copy, ignoring[0], overwrites=overwrites)
    found: dict[str, tuple[int, ...]] = {}
    for ignored in ignoring:
        found.update(_places(move, copy, ignored, overwrites=overwrites))
    return tuple((slot, found[slot]) for slot in move.board.slot_names if slot in found)


def _places(move: Move, copy: int, ignored: tuple[str, ...], *, overwrites: bool) -> Places:
    tile, kept = move.tile(copy), [name for name in limits(move, copy) if name not in ignored]
    flat = _flat(move, copy)
    overwrites = overwrites and not flat
    if not kept and not tile.covers and not overwrites:  # by far the most plays
        return tuple([(slot, tile.turns) for slot in usable_slots(move)])
    deeds = frozenset(_DEEDS[name] for name in kept if name != UNIQUE_DUTY)
    if Deed.NOT_AFTER_ROLL in deeds and _has_rolled(move):
        return ()
    allowed = allowed_slots(move, deeds)
    twin = _twin(move, copy) if UNIQUE_DUTY in kept and not flat else None
    if twin is not None and twin.slots[0] in allowed:
        over_twin = _turns_at(move, tile, twin.slots[0], over=True)
        if over_twin:
            return ((twin.slots[0], over_twin),)
    must = Deed.MUST_OVERWRITE in deeds or Deed.NEAR_ZONE in deeds
    if must and flat:
        return ()
    if not tile.covers and not overwrites and not must:
        return tuple([(slot, tile.turns) for slot in usable_slots(move) if slot in allowed])
    layout, blocked = move.layout(), move.state.blocked
    usable = [slot for slot in allowed if slot in layout or not must]
    if not tile.covers:
        return tuple((slot, tile.turns) for slot in usable if slot not in blocked)
    found = [(slot, _turns_at(move, tile, slot, over=overwrites or must)) for slot in usable]
    return tuple((slot, turned) for slot, turned in found if turned)


def _flat(move: Move, copy: int) -> bool:
    """Whether an effect keeps this tile of the hand from overwriting."""
    play = move.state.play
    return move.state.flat and (play is None or play.from_hand or play.copy != copy)


def usable_slots(move: Move) -> tuple[str, ...]:
    """Return the open slots in which no destroyed tile is stuck."""
    opened, blocked = move.open_slots(), move.state.blocked
    return tuple(slot for slot in opened if slot not in blocked) if blocked else opened


_DEEDS: Final = {deed.value: deed for deed in Deed}


def _has_rolled(move: Move) -> bool:
    """Whether the active player has rolled this turn, even if more rolls are owed."""
    roll = move.state.roll
    return move.state.rolls_owed == 0 or move.state.rolled or (roll is not None and not roll.dead)


def _places_of_combo(move: Move, tile: Tile) -> Places:
    """Return a Combo's places: each part and counterpart, laid singly, needs an open slot (2.2.1.1)."""
    opened = usable_slots(move)
    if len(opened) < _pieces(tile):
        return ()
    pieces = [move.rules.named(name) for name in (*tile.parts, *tile.counterparts)]
    fitting = sorted(len({*opened} & {*allowed_slots(move, _deeds(piece))}) for piece in pieces)
    if any(count <= index for index, count in enumerate(fitting)):
        return ()
    return tuple((slot, move.rules.named(tile.parts[0]).turns) for slot in opened)


def _pieces(tile: Tile) -> int:
    """Return how many single tiles a kind of tile is laid as."""
    return len(tile.parts) + len(tile.counterparts)


def _deeds(tile: Tile) -> frozenset[Deed]:
    return frozenset(effect.deed for effect in tile.effects if effect.when is When.LIMIT)


def limits(move: Move, copy: int) -> tuple[str, ...]:
    """Return what limits a copy: its Limits by name, and that of a Unique tile (3.Unique.1, 3.TileKeyword).

    Omits those that a ballot has disabled (R-09), that people have struck, or that a switch has silenced.
    """
    if move.state.silencers:
        return ()
    tile, silenced = move.tile(copy), _silenced(move, copy)
    if not tile.effects and not tile.keywords:
        return ()
    found = [
        effect.deed.value
        for effect in tile.effects
        if effect.when is When.LIMIT
        and effect.deed is not Deed.ATTESTED
        and not (silenced and effect.forbidden)
        and not (move.state.marks and move.struck(effect, copy))
    ]
    if Keyword.UNIQUE in tile.keywords and not move.keyword_struck(copy):
        found.append(UNIQUE_DUTY)
    return tuple(dict.fromkeys(found))


def _silenced(move: Move, copy: int) -> bool:
    play = move.state.play
    return play is not None and play.silenced and copy == play.copy


def limited(move: Move, copy: int) -> bool:
    """Whether a copy is a Limit tile (2.2.2.2); what Unique implies is a Limit too."""
    return bool(limits(move, copy))


def allowed_slots(move: Move, deeds: frozenset[Deed]) -> tuple[str, ...]:
    """Return the slots that Limits allow, open or not."""
    slots = move.board.slot_names
    for deed in deeds:
        allowed = _ALLOWED.get(deed)
        if allowed is not None:
            legal = allowed(move)
            slots = tuple(slot for slot in slots if slot in legal)
    return slots


def _highest_open(move: Move) -> tuple[str, ...]:
    opened = usable_slots(move)
    top_mm = min((move.board.by_name[slot].y_mm for slot in opened), default=0.0)
    return tuple(slot for slot in opened if move.board.by_name[slot].y_mm < top_mm + 1)


def _near_zone(move: Move) -> tuple[str, ...]:
    """Return the occupied slots nearest to an end zone, measured from the slots that lead into one."""
    outlets = [move.board.by_name[slot] for zone in move.board.zones for slot, _edge in zone.outlets]
    away = {
        slot: min(math.dist((here.x_mm, here.y_mm), (out.x_mm, out.y_mm)) for out in outlets)
        for slot in move.layout()
        for here in (move.board.by_name[slot],)
    }
    layout = move.layout()
    nearest = {layout[slot] for slot, way_mm in away.items() if way_mm < min(away.values()) + 1}
    return tuple(slot for slot, copy in layout.items() if copy in nearest)


def _not_below(move: Move) -> tuple[str, ...]:
    """Return the slots no lower than any part of the same Combo laid before."""
    done = move.state.play.done if move.state.play is not None else ()
    lowest_mm = min((move.board.by_name[laid.slots[0]].y_mm for copy in done
                     if (laid := move.laid_copy(copy)) is not None), default=math.inf)  # fmt: skip
    return tuple(slot.name for slot in move.board.slots if slot.y_mm < lowest_mm + 1)


_ALLOWED: Final[Mapping[Deed, Callable[[Move], tuple[str, ...]]]] = {
    Deed.ONLY_BOTTOM_ROW: lambda move: move.board.bottom_row,
    Deed.NOT_TOP_ROW: lambda move: tuple(
        slot for slot in move.board.slot_names if slot not in move.board.top_row
    ),
    Deed.ONLY_HIGHEST_OPEN: _highest_open,
    Deed.ONLY_RIM: lambda move: move.board.rim,
    Deed.NEAR_ZONE: _near_zone,
    Deed.NOT_BELOW: _not_below,
}


def covered(move: Move, tile: Tile, slot: str, turns: int) -> tuple[str, ...] | None:
    """Return all slots that a tile laid there would cover, or None if some are not on the board."""
    found = [slot]
    for edge in tile.covers:
        over = move.board.neighbour(slot, (edge - 1 + turns) % 6 + 1)
        if over is None:
            return None
        found.append(over)
    return tuple(found)


def _turns_at(move: Move, tile: Tile, slot: str, *, over: bool) -> tuple[int, ...]:
    layout, blocked = move.layout(), move.state.blocked
    if not tile.covers:
        return tile.turns if slot not in blocked and (over or slot not in layout) else ()
    return tuple(
        turns
        for turns in tile.turns
        if (lying := covered(move, tile, slot, turns)) is not None
        and (over or not any(one in layout for one in lying))
        and not any(one in blocked for one in lying)
    )


def _twin(move: Move, copy: int) -> Laid | None:
    """Return the installed tile of the same name, if both are Unique (R-52)."""
    tile = move.tile(copy)
    if Keyword.UNIQUE not in tile.keywords:
        return None
    return next((laid for laid in move.state.laid if move.tile(laid.copy) is tile), None)


def retries(move: Move, play: Play) -> Places:
    """Return what remains once a slot is chosen: the same slot, in any orientation that fits (2.2.4.2)."""
    turned = _turns_at(move, move.tile(play.copy), play.slots[0], over=False)
    return ((play.slots[0], turned),) if turned else ()


# --- When no tile in the hand is legal to play (2.2.2, R-38, R-39, R-42) ---

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
    """Return the sets of ``size`` of a tile's own effects without which it has a legal slot."""
    sets = combinations(limits(move, copy), size)
    return tuple(chosen for chosen in sets if places(move, copy, ignoring=(chosen,)))


def _clearings(move: Move, hand: list[int], *, ignoring: bool = False) -> dict[int, Way]:
    """Find the fewest tiles whose destruction lets some tile of the hand be played.

    ``ignoring``: that alone does not help unless the tile's own Limits are ignored as well.
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
        return ()  # it needs a single slot: if no single tile makes room by leaving, several do not either
    if not tile.covers and not tile.parts and _fixed(move, copy):
        return _clearings_by_slot(move, copy, ignored)
    missing = _pieces(tile) - len(move.installed.opened)
    if size == 1 and missing > max((len(laid.slots) for laid in move.state.laid), default=0):
        return ()
    rules = move.rules.apart()
    return tuple(
        tuple(laid.copy for laid in gone)
        for gone in combinations(move.state.laid, size)
        if sum(len(laid.slots) for laid in gone) >= missing
        and _near(move, gone)
        and _room_without(Move(rules, move.state), copy, gone, ignored)
    )


_OF_THE_BOARD: Final = frozenset({
    Deed.ONLY_BOTTOM_ROW.value, Deed.NOT_TOP_ROW.value, Deed.ONLY_RIM.value, Deed.NOT_AFTER_ROLL.value,
})  # fmt: skip
"""Limits that ask nothing of the other tiles."""


def _fixed(move: Move, copy: int) -> bool:
    """Whether what else lies on the board makes no difference to where a copy may lie."""
    play = move.state.play
    return (play is None or copy != play.copy) and _OF_THE_BOARD.issuperset(limits(move, copy))


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


def nameable(move: Move, seat: str) -> list[Tile]:
    """Return the kinds that an unseen tile of a hand may turn out to be: all that could be played now."""
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
    """Whether any tile of a hand can be played in some way; hidden tiles are assumed to be playable."""
    hand = move.player(seat).hand
    if any(not move.state.copies[copy].name or _goes_anywhere(move.tile(copy)) for copy in hand):
        return True
    return bool(hand) and bool(ways(move, seat))


def _near(move: Move, gone: tuple[Laid, ...]) -> bool:
    """Whether tiles cleared together for one tile are next to each other; other sets need not be tried."""
    slots = [slot for laid in gone for slot in laid.slots]
    return len(gone) == 1 or all(
        any(other in slots for other in move.board.neighbours(slot)) for slot in slots
    )


def _room_without(trial: Move, copy: int, gone: tuple[Laid, ...], ignored: Ignored) -> bool:
    trial.set(roll=None, laid=tuple([laid for laid in trial.state.laid if laid not in gone]))
    return bool(places(trial, copy, ignoring=ignored))

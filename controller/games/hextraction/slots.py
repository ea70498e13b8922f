"""Where a tile may be laid (2.2.1, 3.Legal, 3.Limit, 3.Overwrite, 3.Unique.1, R-45, R-52)."""

import math
from collections.abc import Callable, Mapping
from typing import Final

from hextraction.board.tiles import Deed, Keyword, Tile, When
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Laid, Play

__all__ = ["Ignored", "Places", "covered", "limited", "limits", "places", "retries"]

Places = tuple[tuple[str, tuple[int, ...]], ...]
"""Legal places: each slot (the first one of a larger tile) with the turns in which the tile goes there."""

Ignored = tuple[tuple[str, ...], ...]
"""Sets of a tile's own effects, by name, each of which may be ignored for a play (R-38)."""

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
    """Return what an effect leaves of some places by saying where its tile goes."""
    only = dict(play.only)
    within = [(slot, tuple(t for t in turned if t in only[slot])) for slot, turned in found if slot in only]
    return tuple((slot, turned) for slot, turned in within if turned)


def _any_of(move: Move, copy: int, ignoring: Ignored, *, overwrites: bool) -> Places:
    if len(ignoring) == 1:
        return _places(move, copy, frozenset(ignoring[0]), overwrites=overwrites)
    found: dict[str, tuple[int, ...]] = {}
    for ignored in ignoring:
        found.update(_places(move, copy, frozenset(ignored), overwrites=overwrites))
    return tuple((slot, found[slot]) for slot in move.board.slot_names if slot in found)


def _places(move: Move, copy: int, ignored: frozenset[str], *, overwrites: bool) -> Places:
    tile, kept = move.tile(copy), [name for name in limits(move, copy) if name not in ignored]
    deeds = frozenset(_DEEDS[name] for name in kept if name != UNIQUE_DUTY)
    if Deed.NOT_AFTER_ROLL in deeds and _has_rolled(move):
        return ()
    allowed = allowed_slots(move, deeds)
    twin = _twin(move, copy) if UNIQUE_DUTY in kept else None
    if twin is not None and twin.slots[0] in allowed:
        over_twin = _turns_at(move, tile, twin.slots[0], over=True)
        if over_twin:
            return ((twin.slots[0], over_twin),)
    must, layout = Deed.MUST_OVERWRITE in deeds or Deed.NEAR_ZONE in deeds, move.layout()
    usable = [slot for slot in allowed if slot in layout or not must]
    if not tile.covers:  # by far the most tiles
        over, blocked = overwrites or must, move.state.blocked
        return tuple(
            (slot, tile.turns) for slot in usable if slot not in blocked and (over or slot not in layout)
        )
    found = [(slot, _turns_at(move, tile, slot, over=overwrites or must)) for slot in usable]
    return tuple((slot, turned) for slot, turned in found if turned)


_DEEDS: Final = {deed.value: deed for deed in Deed}


def _has_rolled(move: Move) -> bool:
    """Whether the player whose turn it is has rolled, be it that more rolls are owed."""
    roll = move.state.roll
    return move.state.rolls_owed == 0 or move.state.rolled or (roll is not None and not roll.dead)


def _places_of_combo(move: Move, tile: Tile) -> Places:
    """A Combo needs an open slot for each part and counterpart (2.2.1.1); each piece is laid by itself."""
    opened = [slot for slot in move.open_slots() if slot not in move.state.blocked]
    pieces = [move.rules.named(name) for name in (*tile.parts, *tile.counterparts)]
    fitting = sorted(len({*opened} & {*allowed_slots(move, _deeds(piece))}) for piece in pieces)
    if any(count <= index for index, count in enumerate(fitting)):
        return ()
    return tuple((slot, move.rules.named(tile.parts[0]).turns) for slot in opened)


def _deeds(tile: Tile) -> frozenset[Deed]:
    return frozenset(effect.deed for effect in tile.effects if effect.when is When.LIMIT)


def limits(move: Move, copy: int) -> tuple[str, ...]:
    """Return what limits a copy: its Limits by name, and a Unique one's duty (3.Unique.1, 3.TileKeyword).

    Not those that a ballot has disabled (R-09), that people have struck, or that a switch has silenced.
    """
    if move.state.silencers:
        return ()
    tile, silenced = move.tile(copy), _silenced(move, copy)
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
    """Whether it is a Limit tile (2.2.2.2); what Unique implies is a Limit too."""
    return bool(limits(move, copy))


def allowed_slots(move: Move, deeds: frozenset[Deed]) -> tuple[str, ...]:
    """Return the slots that Limits leave, open or not."""
    slots = move.board.slot_names
    for deed in deeds:
        allowed = _ALLOWED.get(deed)
        if allowed is not None:
            legal = allowed(move)
            slots = tuple(slot for slot in slots if slot in legal)
    return slots


def _highest_open(move: Move) -> tuple[str, ...]:
    opened = [slot for slot in move.open_slots() if slot not in move.state.blocked]
    top_mm = min((move.board.by_name[slot].y_mm for slot in opened), default=0.0)
    return tuple(slot for slot in opened if move.board.by_name[slot].y_mm < top_mm + 1)


def _near_zone(move: Move) -> tuple[str, ...]:
    """The tiles nearest to an end zone, measured from the slots that lead into one."""
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
    """A part may not lie lower than any part of its Combo that has been laid before it."""
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
    """Return what is left once a slot is chosen: the same slot, any way round that fits (2.2.4.2)."""
    turned = _turns_at(move, move.tile(play.copy), play.slots[0], over=False)
    return ((play.slots[0], turned),) if turned else ()

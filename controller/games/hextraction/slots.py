"""Where a tile may be laid (2.2.1, 3.Legal, 3.Limit, 3.Overwrite, 3.Unique.1, R-45, R-52)."""

from hextraction.board.tiles import Deed, Keyword, Tile, When
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Laid, Play

__all__ = ["Places", "covered", "limited", "places", "retries"]

Places = tuple[tuple[str, tuple[int, ...]], ...]
"""Legal places: each slot (the first one of a larger tile) with the turns in which the tile goes there."""


def places(move: Move, copy: int, *, overwrites: bool = False, unlimited: bool = False) -> Places:
    """Return the legal places for a copy: open slots, or what it must or may overwrite.

    ``overwrites``: a revealed Limit tile may lie on anything (2.2.2.2); ``unlimited``: its Limits are ignored
    for this play (2.2.2.3).
    """
    tile = move.tile(copy)
    if tile.parts:
        return _places_of_combo(move, tile)
    twin = _twin(move, copy)
    if twin is not None:
        over_twin = _turns_at(move, tile, twin.slots[0], over=True)
        if over_twin and (unlimited or _within_limits(move, limits(tile), twin.slots[0])):
            return ((twin.slots[0], over_twin),)
    silenced = _silenced(move, copy)
    deeds = frozenset() if unlimited else limits(tile, silenced=silenced)
    if Deed.NOT_AFTER_ROLL in deeds and move.state.rolls_owed == 0:
        return ()
    must = Deed.MUST_OVERWRITE in deeds
    layout = move.layout()
    found = []
    for slot in move.board.slot_names:
        if (must and slot not in layout) or not _within_limits(move, deeds, slot):
            continue
        turned = _turns_at(move, tile, slot, over=overwrites or must)
        if turned:
            found.append((slot, turned))
    return tuple(found)


def _places_of_combo(move: Move, tile: Tile) -> Places:
    """A Combo needs an open slot for each part and counterpart (2.2.1.1); each piece is laid by itself."""
    opened = [slot for slot in move.open_slots() if slot not in move.state.blocked]
    if len(opened) < len(tile.parts) + len(tile.counterparts):
        return ()
    return tuple((slot, move.rules.named(tile.parts[0]).turns) for slot in opened)


def limits(tile: Tile, *, silenced: bool = False) -> frozenset[Deed]:
    """Return the Limits on a card; ``silenced``: without those that a ballot has disabled (R-09)."""
    return frozenset(
        effect.deed
        for effect in tile.effects
        if effect.when is When.LIMIT and not (silenced and effect.forbidden)
    )


def _silenced(move: Move, copy: int) -> bool:
    play = move.state.play
    return play is not None and play.silenced and copy == play.copy


def limited(tile: Tile) -> bool:
    """Whether it is a Limit tile (2.2.2.2)."""
    return bool(limits(tile))


def _within_limits(move: Move, deeds: frozenset[Deed], slot: str) -> bool:
    return not (Deed.ONLY_BOTTOM_ROW in deeds and slot not in move.board.bottom_row) and not (
        Deed.NOT_TOP_ROW in deeds and slot in move.board.top_row
    )


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

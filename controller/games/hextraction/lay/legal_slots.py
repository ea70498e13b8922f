"""Where a tile may be laid: open slots, Limits, and all pieces of a Combo (2.2.1, 3.Legal, 3.Limit)."""

import math
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import Final

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import Effect, Tile
from hextraction.controller.games.hextraction.cards.vocabulary import Limit, deed_named
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Copy, Laid, Play

__all__ = [
    "UNIQUE_DUTY",
    "Ignored",
    "Needs",
    "Places",
    "covered",
    "covering",
    "fit_in_turn",
    "in_pieces",
    "is_fixed",
    "limited",
    "limits",
    "needs_of",
    "pieces_of",
    "places",
    "refuses",
    "rest_fits",
    "retries",
    "usable_slots",
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
    effects, any one of which is ignored for this play (2.2.2.3, R-38). A Combo may be begun, and gone on
    with, only where its other pieces can lie as well (2.2.1.1).
    """
    play, ignored = move.state.play, ignoring or ((),)
    if move.tile(copy).parts:
        return _places_of_combo(move, copy, ignored, overwrites=overwrites)
    found = _any_of(move, copy, ignored, overwrites=overwrites)
    if play is None or copy != play.copy:
        return found
    if play.pieces or play.done:
        found = _besides(move, play, found)
        found = _where_the_rest_fits(move, play, found, ignored) or found
        # If the board has changed meanwhile, so that the rest fits nowhere, it still has to go somewhere.
        found = found or _any_of(move, copy, (limits(move, copy),), overwrites=overwrites)
    if not play.directed:
        return found
    free = _any_of(move, copy, (limits(move, copy),), overwrites=overwrites)
    # An effect that says where outweighs Limits (2.2.2.3).
    return _directed(move, found, play) or _directed(move, free, play)


def _directed(move: Move, found: Places, play: Play) -> Places:
    """Return the places that remain if an effect says where its tile goes."""
    if play.covers:
        found = covering(move, play.copy, found, frozenset(play.covers), frozenset(play.spares))
    if not play.only:
        return found
    only = dict(play.only)
    within = [(slot, tuple(t for t in turned if t in only[slot])) for slot, turned in found if slot in only]
    return tuple((slot, turned) for slot, turned in within if turned)


def covering(
    move: Move, copy: int, found: Places, wanted: AbstractSet[str], without: AbstractSet[str]
) -> Places:
    """Return those places at which a tile covers one of some slots, and none of some others."""
    tile, left = move.tile(copy), []
    for slot, turned in found:
        lying = {turns: {*(covered(move, tile, slot, turns) or (slot,))} for turns in turned}
        fitting = tuple(turns for turns in turned if lying[turns] & wanted and not lying[turns] & without)
        if fitting:
            left.append((slot, fitting))
    return tuple(left)


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
    limiting = [_limit(name) for name in kept if name != UNIQUE_DUTY]
    must = any(limit.covers for limit in limiting)
    if (must and flat) or (any(limit.before_roll for limit in limiting) and _has_rolled(move)):
        return ()
    allowed = allowed_slots(move, limiting)
    if UNIQUE_DUTY in kept and not flat:
        over_twins = _over(move, tile, allowed, _twins(move, copy))
        if over_twins:
            return over_twins
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


def _limit(name: str) -> Limit:
    """Return the Limit of a name."""
    limit = deed_named(name).limit
    return limit if limit is not None else _NO_LIMIT


_NO_LIMIT: Final = Limit()


def _has_rolled(move: Move) -> bool:
    """Whether the active player has rolled this turn, even if more rolls are owed."""
    roll = move.state.roll
    return move.state.rolls_owed == 0 or move.state.rolled or (roll is not None and not roll.dead)


# --- Combos: a piece may be laid only where all that follow it can be laid, too (2.2.1.1, 3.Combo.1) ---


def _places_of_combo(move: Move, copy: int, ignoring: Ignored, *, overwrites: bool) -> Places:
    """Return where the first piece of a Combo may be laid, so that all others can follow it."""
    trial, play = in_pieces(move, copy, overwrites=overwrites)
    found = _any_of(trial, play.copy, ignoring, overwrites=overwrites)
    return _where_the_rest_fits(trial, play, found, ignoring)


def in_pieces(move: Move, copy: int, *, overwrites: bool = False) -> tuple[Move, Play]:
    """Return the game as it would be if a Combo were broken apart, and the play of its first piece."""
    trial = Move(move.rules.apart(), move.state)
    tile, owner = move.tile(copy), move.state.copies[copy].owner
    wholes = (*(copy for _part in tile.parts), *(0 for _counterpart in tile.counterparts))
    names = (*tile.parts, *tile.counterparts)
    pieces = {-number: Copy(id=-number, name=name, owner=owner, whole=whole)
              for number, (name, whole) in enumerate(zip(names, wholes, strict=True), start=1)}  # fmt: skip
    first, *rest = pieces
    silenced = move.state.play is not None and move.state.play.silenced
    play = Play(seat="", copy=first, pieces=tuple(rest), overwrites=overwrites, silenced=silenced)
    trial.set(copies={**move.state.copies, **pieces}, play=play)
    return trial, play


def rest_fits(move: Move, play: Play) -> bool:
    """Whether the pieces after this one find places with it lying where it has been put (2.2.1.1)."""
    here = ((play.slot, (play.turns,)),)
    return bool(_where_the_rest_fits(move, play, here, play.ignores or ((),)))


def _where_the_rest_fits(move: Move, play: Play, found: Places, ignoring: Ignored) -> Places:
    """Return those places of a piece at which the pieces after it still have legal ones."""
    if not play.pieces:
        return found
    needs = None if play.overwrites else needs_of(move, play.pieces, ignoring)
    if needs is not None:
        usable, top_mm = frozenset(usable_slots(move)), _highest_piece_mm(move)
        slots = move.board.by_name
        return tuple(
            (slot, turned)
            for slot, turned in found
            if any(fit_in_turn(move, each, usable - {slot}, min(top_mm, slots[slot].y_mm)) for each in needs)
        )
    legal = []
    for slot, turned in found:
        fitting = tuple(turns for turns in turned if _rest_fits(move, play, slot, turns, ignoring))
        if fitting:
            legal.append((slot, fitting))
    return tuple(legal)


Needs = tuple[frozenset[str], ...]
"""What limits each of several pieces."""


def needs_of(move: Move, pieces: tuple[int, ...], ignoring: Ignored) -> list[Needs] | None:
    """Return what limits each piece, for each set that may be ignored; None if it is not that simple."""
    if any(move.tile(piece).covers for piece in pieces):
        return None
    found = [tuple(frozenset(limits(move, piece)) - {*ignored} for piece in pieces) for ignored in ignoring]
    simple = all(of_open_slots(name) for each in found for names in each for name in names)
    return found if simple else None


def fit_in_turn(move: Move, needs: Needs, opened: frozenset[str], top_mm: float) -> bool:
    """Whether pieces can be laid into open slots one after the other, ``top_mm`` being the highest so far."""
    if len(opened) < len(needs) or not any(needs):
        return len(opened) >= len(needs)
    slots, (first, *rest) = move.board.by_name, needs
    candidates = _fitting(move, first, opened, top_mm)
    if not rest:
        return bool(candidates)
    left = tuple(rest)
    return any(fit_in_turn(move, left, opened - {one}, min(top_mm, slots[one].y_mm)) for one in candidates)


def _fitting(move: Move, names: frozenset[str], opened: frozenset[str], top_mm: float) -> list[str]:
    """Return the open slots that these Limits allow."""
    limiting = [_limit(name) for name in names]
    if any(limit.before_roll for limit in limiting) and _has_rolled(move):
        return []
    found = opened
    for limit in limiting:
        if limit.slots is not None:
            found = found.intersection(limit.slots(move.board, opened, top_mm))
    return sorted(found)


def _highest_piece_mm(move: Move) -> float:
    """Return how high the highest piece of the current play lies, downwards from the top of the board."""
    done = move.state.play.done if move.state.play is not None else ()
    lying = [laid for copy in done if (laid := move.laid_copy(copy)) is not None]
    return min((move.board.by_name[laid.slot].y_mm for laid in lying), default=math.inf)


def _rest_fits(move: Move, play: Play, slot: str, turns: int, ignoring: Ignored) -> bool:
    """Whether the pieces left have legal places once this one is laid there."""
    trial = Move(move.rules.apart(), move.state)
    slots = covered(move, move.tile(play.copy), slot, turns) or (slot,)
    under = {move.layout()[each] for each in slots if each in move.layout()}
    wholes = {move.state.copies[copy].whole for copy in under} - {0}
    stay = [one for one in move.state.laid if one.copy not in under
            and move.state.copies[one.copy].whole not in wholes]  # fmt: skip
    following = msgspec.structs.replace(
        play, copy=play.pieces[0], pieces=play.pieces[1:], done=(*play.done, play.copy), only=(), covers=()
    )
    trial.set(play=following)
    trial.set_laid((*stay, Laid(copy=play.copy, slots=slots, turns=turns)))
    found = _any_of(trial, following.copy, ignoring, overwrites=play.overwrites)
    found = _besides(trial, following, found)
    return bool(_where_the_rest_fits(trial, following, found, ignoring))


def _besides(move: Move, play: Play, found: Places) -> Places:
    """Return the places that are not on a piece of the same Combo: each has a slot of its own (2.2.1.1)."""
    taken = {slot for laid in move.state.laid if laid.copy in play.done for slot in laid.slots}
    return tuple((slot, turned) for slot, turned in found if slot not in taken)


def pieces_of(tile: Tile) -> int:
    """Return how many single tiles a kind of tile is laid as."""
    return len(tile.parts) + len(tile.counterparts)


def limits(move: Move, copy: int) -> tuple[str, ...]:
    """Return what limits a copy: its Limits by name, and that of a Unique tile (3.Unique.1, 3.TileKeyword).

    The Limits of a Combo are those of each of its parts, too, and theirs are its own (3.Limit). Omits those
    that a ballot has disabled (R-09), that people have struck, or that a switch has silenced, and Limits of
    Offline or Overdrive while that is off (R-46, R-48).
    """
    if move.silencers:
        return ()
    tile, whole = move.tile(copy), move.state.copies[copy].whole
    if not (tile.effects or tile.keywords or tile.parts or whole):
        return ()
    silenced = _silenced(move, copy)
    found = _own_limits(move, copy, silenced=silenced)
    if whole:
        found += _own_limits(move, whole, silenced=silenced)
    for name in tile.parts:
        found += [
            effect.deed.word
            for effect in move.rules.named(name).effects
            if _is_limit(move, effect) and not (silenced and effect.forbidden)
        ]
    return tuple(dict.fromkeys(found))


def _is_limit(move: Move, effect: Effect) -> bool:
    """Whether an effect limits where a tile may lie now; a Limit in other words only people can judge."""
    return effect.deed.limit is not None and move.enabled(effect)


def _own_limits(move: Move, copy: int, *, silenced: bool) -> list[str]:
    tile = move.tile(copy)
    found = [
        effect.deed.word
        for effect in tile.effects
        if _is_limit(move, effect)
        and not (silenced and effect.forbidden)
        and not (move.state.marks and move.struck(effect, copy))
    ]
    if tile.unique and not move.keyword_struck(copy):
        found.append(UNIQUE_DUTY)
    return found


def _silenced(move: Move, copy: int) -> bool:
    """Whether a ballot has disabled the Forbidden effects of a tile being played, or of one laid with it."""
    play = move.state.play
    return play is not None and play.silenced and copy in (play.copy, *play.pieces, *play.done)


def limited(move: Move, copy: int) -> bool:
    """Whether a copy is a Limit tile (2.2.2.2); what Unique implies is a Limit too."""
    return bool(limits(move, copy))


def allowed_slots(move: Move, limiting: Collection[Limit]) -> tuple[str, ...]:
    """Return the slots that Limits allow, open or not."""
    board, opened, top_mm = move.board, usable_slots(move), _highest_piece_mm(move)
    legal = [limit.slots(board, opened, top_mm) for limit in limiting if limit.slots is not None]
    legal += [limit.covered(board, move.layout()) for limit in limiting if limit.covered is not None]
    return tuple(slot for slot in move.board.slot_names if all(slot in one for one in legal))


def refuses(move: Move, copy: int, name: str, slot: str) -> bool:
    """Whether a Limit of a tile, by its name, keeps it from a slot."""
    if name == UNIQUE_DUTY:
        return bool(_twins(move, copy)) and slot not in _twins(move, copy)
    limit = _limit(name)
    if limit.before_roll and _has_rolled(move):
        return True
    if limit.on_top and slot not in move.layout():
        return True
    return slot not in allowed_slots(move, (limit,))


def of_open_slots(name: str) -> bool:
    """Whether a Limit can be judged from the open slots and the pieces of the same Combo laid before."""
    return name != UNIQUE_DUTY and _limit(name).of_open_slots


def is_fixed(name: str) -> bool:
    """Whether a Limit asks nothing of the other tiles."""
    return name != UNIQUE_DUTY and _limit(name).fixed


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


def _over(move: Move, tile: Tile, allowed: tuple[str, ...], under: frozenset[str]) -> Places:
    """Return where a tile would lie on at least one of some slots: that overwrites what lies there (R-45)."""
    if not under:
        return ()
    found = []
    for slot in allowed:
        turned = _turns_at(move, tile, slot, over=True)
        on_it = tuple(turns for turns in turned if under.intersection(covered(move, tile, slot, turns) or ()))
        if on_it:
            found.append((slot, on_it))
    return tuple(found)


def _twins(move: Move, copy: int) -> frozenset[str]:
    """Return where installed tiles of the same name lie, if all are Unique; a Limit may have kept two (R-52).

    Of an installed Unique Combo that is its first part, for the first part of another.
    """
    tile, whole = move.tile(copy), move.state.copies[copy].whole
    if tile.unique:
        twins = [laid for laid in move.state.laid if move.tile(laid.copy) is tile]
    elif not whole or not move.tile(whole).unique or _begun(move, whole):
        twins = []
    else:
        kind, copies = move.tile(whole), move.state.copies
        first = {copies[laid.copy].whole: laid for laid in reversed(move.state.laid)}
        twins = [laid for other, laid in first.items() if other and move.tile(other) is kind]
    return frozenset(slot for laid in twins for slot in laid.slots)


def _begun(move: Move, whole: int) -> bool:
    return any(move.state.copies[laid.copy].whole == whole for laid in move.state.laid)


def retries(move: Move, play: Play) -> Places:
    """Return what remains once a slot is chosen: the same slot, in any orientation that fits (2.2.4.2)."""
    turned = _turns_at(move, move.tile(play.copy), play.slot, over=False)
    return ((play.slot, turned),) if turned else ()

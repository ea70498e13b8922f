"""Re-entering the whole position, after the table has played on without power (R-49).

Everybody must confirm it. No tile comes from outside and no destroyed one comes back (0.1.7, 0.1.8, 2.4.4):
what lies on the board now is taken from where it lay, from hands and from pools. What no longer lies there
was destroyed meanwhile. Hands are filled up to three, and the named seat's turn begins. This counts as a
commit without power.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN, Tile
from hextraction.controller.games.hextraction.lay.legal_slots import covered
from hextraction.controller.games.hextraction.roll import commit
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.agreeing import agreement, propose
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.record import Record
from hextraction.controller.games.hextraction.state.state import Ask, Copy, Laid, Matter, Phase
from hextraction.controller.games.hextraction.talk.powering import CONFIRM
from hextraction.controller.games.hextraction.turn import destroying, playing, turns
from hextraction.controller.games.hextraction.turn.combos import wholes

__all__ = [
    "REENTER",
    "as_known_to",
    "balls_as_told",
    "believed",
    "check_balls",
    "lacking",
    "loose_copy",
    "reenter",
    "tiles_as_told",
    "unseen_copy",
]

_HAND = 3
"""Tiles in a hand after a turn (1.2.2)."""
_FEWEST = 2
"""The players needed: one who enters the position and one who confirms it (R-49)."""


def believed(move: Move) -> act.Reenter | None:
    """Return the position as far as it is known, to start from; None while none may be entered.

    Tiles without a known name are left out. If the known position is impossible, everything is.
    """
    shut = move.state.phase in {Phase.TIDYING, Phase.OVER} or len(move.playing()) < _FEWEST
    asked = CONFIRM.is_open(move) or REENTER.is_open(move)
    if not move.state.spell or shut or asked:
        return None
    now, names = move.record(), {one.copy: move.state.copies[one.copy].name for one in move.state.laid}
    tiles = {one.slot: (names[one.copy], one.turns) for one in move.state.laid
             if move.rules.named(names[one.copy] or UNKNOWN.name) is not UNKNOWN}  # fmt: skip
    balls = (*(slots[0] for slots in now.on.values() if slots), *now.zones.values())
    whole = act.Reenter(tiles=tiles, balls=balls, active=move.state.active)
    return whole if _possible(move, whole) else act.Reenter(tiles={}, active=move.state.active)


def _possible(move: Move, action: act.Reenter) -> bool:
    try:
        _stopped(move, action)
        check_balls(move, action.balls)
    except Refusal:
        return False
    return True


def reenter(move: Move, seat: str, action: act.Reenter) -> None:
    """Propose what lies where now, and whose turn it is.

    Raises:
        Refusal: there was no power cut, or the position is impossible.
    """
    if not move.state.spell:
        raise Refusal("You can enter the whole board again only after a power cut.", "R-49")
    if CONFIRM.is_open(move):
        raise Refusal("The table is already asked what happened while the power was off.", "R-49")
    if action.active not in move.playing():
        raise Refusal("Nobody who plays sits there.", "R-72")
    _stopped(as_known_to(move, seat), action)
    check_balls(move, action.balls)
    text = (
        f"{move.name(seat)} has entered the whole board again. It is "
        f"{move.name(action.active)}'s turn. Agreed?"
    )
    others = tuple(other for other in move.playing() if other != seat)
    propose(move, REENTER, seat, text, "R-49", matter=Position(entered=action), judges=others, need="all")


class Position(Matter, frozen=True, kw_only=True):
    """What lies where now, and whose turn it is, as somebody entered it."""

    entered: act.Reenter


def _reentered(move: Move, _ask: Ask, position: Position, agreed: bool) -> None:  # noqa: FBT001 - an outcome
    """Adopt the position, if all have confirmed it and it is still possible."""
    action = position.entered
    if not agreed or action.active not in move.playing():
        return
    try:
        trial, laid = _stopped(move, action)
    except Refusal as refusal:
        move.say("correct", refusal.reason, clause=refusal.clause)
        return
    gone = tuple(one.copy for one in move.state.laid if one.copy not in {now.copy for now in laid})
    rest = balls_as_told(move, action.balls, laid)
    move.state = trial.state
    move.set_laid(laid)
    # A switch stands as it was left; what does not lie there any more silences nothing.
    move.set(silencers=tuple(copy for copy in move.state.silencers if copy not in gone))
    destroying.set_aside(move, gone)
    move.set(rest=rest)
    _fill_hands(move)
    turns.begin_turn(move, action.active)
    move.say("power", "The game goes on from there.", clause="R-49")
    move.set(dark=True, spell=False)
    commit.commit(move)


def _stopped(move: Move, action: act.Reenter) -> tuple[Move, tuple[Laid, ...]]:
    """Return the game as it would be, and how its tiles lie."""
    trial = Move(move.rules, move.state)
    _stop(trial)
    return trial, tiles_as_told(trial, action.tiles)


def _stop(move: Move) -> None:
    """End whatever was under way when the power went; a tile being played goes back to its hand."""
    if move.state.play is not None:
        playing.abandon(move)
    move.forget_demand()
    move.set(
        ended_us=move.state.at_us,
        roll=None, play=None, waiting=(), adrift=(), poised=None, parting=(), asks=(), tidy=(), piles=(),
        intent=None, deadline_us=None, attesting=False, to_lift=(), blocked=(),
        phase=Phase.CHOOSING,
    )  # fmt: skip


def _fill_hands(move: Move) -> None:
    """Fill hands up to three, as people drew at the end of their turns (1.2.2), while there are tiles."""
    for seat in move.playing():
        while len(move.player(seat).hand) < _HAND and (pool := move.state.pool):
            drawn = pool[move.luck(len(pool))]
            move.take(seat, drawn)
            move.set_player(seat, hand=(*move.player(seat).hand, drawn))


# --- tiles --------------------------------------------------------------------------------------------------


def tiles_as_told(move: Move, told: Mapping[str, tuple[str, int]]) -> tuple[Laid, ...]:
    """Return how the tiles lie, taking each copy from where it is; what lies as before is not judged.

    Raises:
        Refusal: a tile cannot lie there, or there is none.
    """
    found: list[Laid] = []
    stay = {
        slot: here.copy for slot, (name, _turned) in told.items() if (here := _same_kind(move, slot, name))
    }
    for slot, (name, turned) in told.items():
        tile = move.rules.named(name)
        same = _unchanged(move, slot, name, turned)
        if same is not None:
            found.append(same)
            continue
        if slot not in move.board.by_name:
            raise Refusal(f"This board has no slot {slot}.", "R-70")
        slots = covered(move, tile, slot, turned) if turned in tile.turns and not tile.parts else None
        busy = {other for one in found for other in one.slots}
        if tile is UNKNOWN or slots is None or busy & set(slots):
            raise Refusal(f"{tile.title} cannot lie at {slot} like that.", "3.Legal")
        copy = stay.get(slot) or _take(move, tile, slot, {*stay.values(), *(one.copy for one in found)})
        before = move.laid_copy(copy) or Laid(copy=copy, slots=slots)
        found.append(msgspec.structs.replace(before, slots=slots, turns=turned))  # moved, it is as it was
    twice = [
        slot for slot, count in Counter(slot for one in found for slot in one.slots).items() if count > 1
    ]
    if twice:
        raise Refusal(f"Two tiles cannot lie at {twice[0]}.", "3.Legal")
    _check_combos(move, found)
    return tuple(found)


def _unchanged(move: Move, slot: str, name: str, turned: int) -> Laid | None:
    """Return the tile that lies there, if it is that tile, turned like that."""
    lies = move.laid_at(slot)
    if lies is None or lies.slot != slot or lies.turns != turned:
        return None
    return lies if move.state.copies[lies.copy].name == name else None


def _same_kind(move: Move, slot: str, name: str) -> Laid | None:
    """Return the tile that lies there, if it is of that kind: however turned, it is that one and no other."""
    lies = move.laid_at(slot)
    if lies is None or lies.slot != slot:
        return None
    kind = move.rules.named(move.state.copies[lies.copy].name)
    return lies if kind is move.rules.named(name) else None


def _take(move: Move, tile: Tile, slot: str, used: set[int]) -> int:
    """Take a copy of a kind of tile that lies elsewhere on the board, or from a hand or a pool."""
    for copy in [one.copy for one in move.state.laid]:
        if copy not in used and move.rules.named(move.state.copies[copy].name) is tile:
            return copy
    found = loose_copy(move, tile, used)
    if found:
        return found
    made = [copy.id for copy in move.state.copies.values() if copy.whole and copy.name == tile.name]
    for copy in made:
        if copy not in used and _in_parts(move, copy):
            return copy
    found = unseen_copy(move, tile, used)
    if found:
        return found
    raise lacking(move, tile, f"There is no {tile.title} left that could lie at {slot}.")


def as_known_to(move: Move, seat: str) -> Move:
    """Return the game as a seat knows it, in which no refusal can depend on what another hand holds (1.2.1).

    Where tiles are drawn that nobody has shown the board, any of them may be of any kind: there a tile that
    the board knows to be in another hand has no name either. Where the board knows its whole bag, what is in
    hands and pool together is no secret. Once all have agreed, what was said is tried on what there is.
    """
    state = move.state
    shown = () if state.play is None else (state.play.copy, *state.play.pieces)
    others = {copy for player in state.players if player.seat != seat for copy in player.hand} - {*shown}
    known = Move(move.rules, state)
    if any(not state.copies[copy].name for copy in (*others, *state.pool)):
        nameless = {copy: msgspec.structs.replace(state.copies[copy], name="") for copy in others}
        known.set(copies={**state.copies, **nameless})
    return known


def unseen_copy(move: Move, tile: Tile, used: Collection[int]) -> int:
    """Take a copy that nobody has named out of a hand or a pool: it is of this kind; 0 if there is none."""
    for copy in _loose(move):
        if copy not in used and not move.state.copies[copy].name:
            named = msgspec.structs.replace(move.state.copies[copy], name=tile.name)
            move.set(copies={**move.state.copies, copy: named})
            return _out(move, copy)
    return 0


def lacking(move: Move, tile: Tile, otherwise: str) -> Refusal:
    """Return why there is no such tile: one is destroyed for good (2.4.4), or none has been in the game."""
    for copy in move.state.destroyed:
        kind = move.rules.named(move.state.copies[copy].name)
        if kind is tile or tile.name in kind.parts:
            said = f"{tile.title} is destroyed, and no other one is left."
            return Refusal(said, "2.4.4")
    return Refusal(otherwise, "0.1.7")


def loose_copy(move: Move, tile: Tile, used: Collection[int]) -> int:
    """Take a copy that everybody knows out of a hand or a pool, or a part of a Combo; 0 if there is none."""
    for copy in _loose(move):
        if copy in used or not move.state.copies[copy].name:
            continue
        if move.tile(copy) is tile:
            return _out(move, copy)
        if tile.name in move.tile(copy).parts:
            return _part(move, _out(move, copy), tile.name)
    return 0


def _loose(move: Move) -> Iterator[int]:
    for player in move.state.players:
        yield from player.hand
    yield from move.state.virtual
    yield from move.state.pool


def _out(move: Move, copy: int) -> int:
    for player in move.state.players:
        move.take(player.seat, copy)
    return copy


def _part(move: Move, whole: int, name: str) -> int:
    """Break apart a Combo that was played without power; return one of its parts (3.Combo.1)."""
    owner = move.state.copies[whole].owner
    parts = {number: Copy(id=number, name=part, owner=owner, whole=whole)
             for part in move.tile(whole).parts for number in (move.new_id(),)}  # fmt: skip
    move.set(copies={**move.state.copies, **parts})
    return next(number for number, part in parts.items() if part.name == name)


def _in_parts(move: Move, part: int) -> bool:
    """Whether the whole of a part lies nowhere, as it has been broken up."""
    whole = move.state.copies[part].whole
    away = {*_loose(move), *move.state.destroyed, *move.state.taken}
    return whole not in away


def _check_combos(move: Move, found: list[Laid]) -> None:
    """Refuse a Combo that is only partly on the board (2.4.6)."""
    there = {one.copy for one in found}
    for whole in wholes(move, tuple(there)):
        names = list(move.tile(whole).parts)
        laid = [move.state.copies[copy].name for copy in there if move.state.copies[copy].whole == whole]
        if names and len(laid) != len(names):
            raise Refusal(f"{move.title(whole)} lies there completely or not at all.", "2.4.6")


# --- balls --------------------------------------------------------------------------------------------------


def check_balls(move: Move, places: tuple[str, ...]) -> None:
    """Refuse balls in places that the board does not have, and more balls than were brought (1.0.3)."""
    zones = {zone.name for zone in move.board.zones}
    for place in places:
        if place not in move.board.by_name and place not in zones:
            raise Refusal(f"This board has no place {place!r}.", "R-70")
    brought = sum(player.balls for player in move.state.players)
    if brought and len(places) > brought:
        raise Refusal(f"There are only {brought} balls.", "1.0.3")


def balls_as_told(move: Move, places: tuple[str, ...], laid: tuple[Laid, ...]) -> Record:
    """Return the record of where balls lie; a ball that has not moved keeps its number."""
    now, layout = move.record(), {slot: one.copy for one in laid for slot in one.slots}
    lay = [(ball, slot) for ball, slots in now.on.items() for slot in slots] + list(now.zones.items())
    on: dict[int, tuple[str, ...]] = {}
    zones: dict[int, str] = {}
    number = max([0, *now.on, *now.zones, *now.ramps])
    for place in places:
        same = (ball for ball, where in lay if where == place and ball not in on and ball not in zones)
        ball = next(same, 0)
        number += not ball
        if place in move.board.by_name:
            on[ball or number] = (place,)
        else:
            zones[ball or number] = place
    last = {ball: layout[slots[0]] for ball, slots in on.items() if slots[0] in layout}
    return Record(on=on, zones=zones, last=last)


REENTER = agreement("reenter", Position, _reentered, lasts=False)

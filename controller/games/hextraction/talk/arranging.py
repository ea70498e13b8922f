"""Telling the board what lies where, after people have done what a card says (0.0, 2.6.3, R-14).

Some cards move tiles in ways that only people can carry out: Matrix lays whole hands, Shahrazad needs a
second board, Secret Trigger swaps the board with a hand. Afterwards anybody enters what lies where now, and
all others confirm. The turn goes on as it was; nothing is triggered, and last acts do not happen.
"""

from collections.abc import Sequence

import msgspec
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.agreeing import agreement, propose
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.record import Record
from hextraction.controller.games.hextraction.state.state import Ask, Laid, Matter, Phase
from hextraction.controller.games.hextraction.talk.whole_position import (
    as_known_to,
    balls_as_told,
    check_balls,
    lacking,
    loose_copy,
    tiles_as_told,
    unseen_copy,
)
from hextraction.controller.games.hextraction.turn import destroying, turns
from hextraction.controller.games.hextraction.turn.combos import wholes
from hextraction.controller.games.hextraction.turn.seating import LIFTED

__all__ = ["ARRANGE", "arrange", "as_it_lies"]

_STILL = frozenset({Phase.CHOOSING, Phase.RESOLVING, Phase.SETTLING})
_FEWEST = 2
"""The players needed: one who tells and one who confirms it."""
_PLACES = ("destroyed", "pool", "away")


def as_it_lies(move: Move) -> act.Arrange | None:
    """Return what lies where by the rules, to start from; None while nothing can be told.

    So it is while the rest of a Combo has still to leave: the board itself knows that it lies there in part.
    """
    state = move.state
    if state.phase not in _STILL or state.spell or len(move.playing()) < _FEWEST:
        return None
    if ARRANGE.is_open(move) or state.parting:
        return None
    now, names = move.record(), state.copies
    tiles = {one.slot: (names[one.copy].name, one.turns) for one in state.laid}
    return act.Arrange(tiles=tiles, balls=(*(on[0] for on in now.on.values() if on), *now.zones.values()))


def arrange(move: Move, seat: str, action: act.Arrange) -> None:
    """Propose what lies where now.

    Raises:
        Refusal: something moves, or the position is impossible.
    """
    if move.state.spell:
        raise Refusal("After a power cut, enter the whole board again.", "R-49")
    trial, laid = _planned(as_known_to(move, seat), action)
    changes = _changes(move, trial, laid, action)
    if not changes:
        move.say(
            "correct", f"{move.name(seat)} has looked: the board is right about everything.", clause="R-14"
        )
        return
    text = f"{move.name(seat)} tells the board: {'; '.join(changes)}. Agreed?"
    others = tuple(other for other in move.playing() if other != seat)
    propose(move, ARRANGE, seat, text, "R-14", matter=Arrangement(told=action), judges=others, need="all")


class Arrangement(Matter, frozen=True, kw_only=True):
    """What lies where now, as somebody has told it."""

    told: act.Arrange


def _arranged(move: Move, _ask: Ask, matter: Arrangement, agreed: bool) -> None:  # noqa: FBT001 - an outcome
    """Adopt the position, if all have confirmed it and it is still possible."""
    action = matter.told
    if not agreed:
        return
    try:
        trial, laid = _planned(move, action)
    except Refusal as refusal:
        move.say("correct", refusal.reason, clause=refusal.clause)
        return
    record, lift = _balls(move, action.balls, laid), move.state.to_lift
    gone = _gone(move, laid)
    move.state = trial.state
    for one in gone:
        destroying.remove_laid(move, one)
    _put_away(move, gone, action)
    move.set_laid(laid)
    move.set(to_lift=tuple(slot for slot in lift if slot not in move.layout()), last=None, last_seat="")
    move.set_record(record)
    if move.state.roll is not None:
        move.set_roll(base=record)
    LIFTED.drop(move)  # the table has said where that tile is
    move.say("correct", "The board knows now what lies where.", clause="R-14")
    if action.draw:
        turns.draw_to_three(move)
    if move.state.phase in {Phase.CHOOSING, Phase.SETTLING}:
        move.set(phase=Phase.RESOLVING, deadline_us=None)  # it settles again: Overdrive is read anew


ARRANGE = agreement("arrange", Arrangement, _arranged, lasts=False)


def _planned(move: Move, action: act.Arrange) -> tuple[Move, tuple[Laid, ...]]:
    """Return the game with its copies taken from hands and pools, and how its tiles would lie."""
    if move.state.phase not in _STILL:
        raise Refusal("Wait until nothing moves and nobody lays a tile.", "2.3.2")
    check_balls(move, action.balls)
    trial = Move(move.rules, move.state)
    laid = tiles_as_told(trial, action.tiles)
    lying = {one.slot for one in _gone(move, laid)}
    hands = {f"hand.{seat}" for seat in move.playing()}
    for slot, where in action.gone.items():
        if slot not in lying:
            raise Refusal(f"No tile has gone from {slot}.", "R-14")
        if where not in {*_PLACES, *hands}:
            raise Refusal(f"A tile cannot go to {where!r}.", "R-14")
    used = {one.copy for one in laid}
    for name in action.away:
        kind = trial.rules.named(name)
        copy = loose_copy(trial, kind, used) or unseen_copy(trial, kind, used)
        if not copy:
            raise lacking(trial, kind, f"There is no {kind.title} in a hand or pool.")
        trial.set(taken=(*trial.state.taken, copy))
    return trial, laid


def _gone(move: Move, laid: Sequence[Laid]) -> list[Laid]:
    there = {one.copy for one in laid}
    return [one for one in move.state.laid if one.copy not in there]


def _put_away(move: Move, gone: list[Laid], action: act.Arrange) -> None:
    """Send what no longer lies on the board to where people say; it is destroyed unless they say."""
    for where in dict.fromkeys(action.gone.get(one.slot, "destroyed") for one in gone):
        copies = [one.copy for one in gone if action.gone.get(one.slot, "destroyed") == where]
        if where == "destroyed":
            destroying.set_aside(move, tuple(copies))
            continue
        for copy in wholes(move, tuple(copies)):
            turns.unmask(move, copy)
            if where == "pool" or (move.tile(copy).virtual and where != "away"):
                turns.to_pool(move, copy)
            elif where == "away":
                move.set(taken=(*move.state.taken, copy))
            else:
                seat = where.removeprefix("hand.")
                move.set_player(seat, hand=(*move.player(seat).hand, copy))


def _balls(move: Move, places: tuple[str, ...], laid: tuple[Laid, ...]) -> Record:
    """Return the record with the balls where people say; those that have not moved keep all contacts."""
    told, now = balls_as_told(move, places, laid), move.record()
    on = {
        ball: now.on[ball] if slots[0] in now.on.get(ball, ()) else slots for ball, slots in told.on.items()
    }
    return msgspec.structs.replace(now, on=on, zones=told.zones, last={**now.last, **told.last})


def _changes(move: Move, trial: Move, laid: tuple[Laid, ...], action: act.Arrange) -> list[str]:
    """Return in words what is different from what the board believes."""
    before = {one.copy: one for one in move.state.laid}
    found = []
    for one in laid:
        was, title, slot = before.get(one.copy), trial.title(one.copy), one.slot
        if was is None:
            found.append(f"{title} lies at {slot}")
        elif was.slot != slot:
            found.append(f"{title} has moved from {was.slot} to {slot}")
        elif was.turns != one.turns:
            found.append(f"{title} at {slot} is turned")
    for one in _gone(move, laid):
        where = action.gone.get(one.slot, "destroyed")
        found.append(_went(move, f"{move.title(one.copy)} at {one.slot}", where))
    found += [f"{trial.rules.named(name).title} lies on another board" for name in action.away]
    known = as_it_lies(move)
    if known is not None and sorted(known.balls) != sorted(action.balls):
        found.append(f"balls lie at {', '.join(action.balls) or 'no place'}")
    return [*found, "all draw up to three"] if action.draw else found


def _went(move: Move, tile: str, where: str) -> str:
    if where.startswith("hand."):
        return f"{tile} is in the hand of {move.name(where.removeprefix('hand.'))}"
    return {"pool": f"{tile} is in its pool", "away": f"{tile} lies on another board"}.get(
        where, f"{tile} is destroyed"
    )

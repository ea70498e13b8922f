"""The table overrules the game (0.0): a destroyed tile comes back, or the last action is undone.

Both need the active player and one other. They are ordinary events, so the journal keeps them.
"""

import msgspec
from hextraction.controller.games.hextraction.lay.legal_slots import covered, places, rest_fits
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state import fates
from hextraction.controller.games.hextraction.state.agreeing import Proposal, agree_again, agreement, propose
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import Undo, kind_of
from hextraction.controller.games.hextraction.state.state import Ask, Laid, Matter, Phase, State
from hextraction.controller.games.hextraction.turn import destroying, pausing, seating

__all__ = ["OVERRULE", "UNDO", "drop_stale", "forget", "overrule", "remember", "restorable", "undo"]


def remember(move: Move, before: State, seat: str, action: act.Action, undo: Undo) -> None:
    """Keep the state before what can be taken back, as the row of the action or of its question says."""
    if isinstance(action, act.Answer):
        for ask in before.asks:
            if ask.id == action.prompt:
                undo = kind_of(ask).undo
    if undo is Undo.POSSIBLE:
        last = before
        if before.last is not None or before.agreed_since:
            last = msgspec.structs.replace(before, last=None, agreed_since=())
        move.set(last=last, last_seat=seat, last_what=_what(move, before, action), agreed_since=())
    elif undo is Undo.OVER or (undo is Undo.OVER_IF_TILES_GO and _tiles(before) != _tiles(move.state)):
        forget(move)


def _tiles(state: State) -> tuple[object, ...]:
    return state.laid, state.destroyed, state.pool, state.virtual, [player.hand for player in state.players]


def _what(move: Move, before: State, action: act.Action) -> str:
    """Say in words what an action was, without naming a tile that only its holder has seen."""
    play = move.state.play or before.play
    title = move.title(play.copy) if play is not None else "a tile"
    if isinstance(action, act.Play):
        return f"showing {title}"
    if isinstance(action, act.LetGo):
        return f"letting go of {title}"
    if isinstance(action, act.Answer):
        asked = next((ask.text for ask in before.asks if ask.id == action.prompt), "a question")
        return f"the answer to “{asked}”"
    if isinstance(action, act.ChooseRamp):
        return f"the choice of ramp {action.ramp}"
    if isinstance(action, act.Place):
        return f"the choice of {action.slot} for {title}"
    if isinstance(action, act.Activate):
        used = move.rules.named(action.name or "").title
        if action.tile is not None:
            used = Move(move.rules, before).called(action.tile)
        return f"the use of {used}"
    if isinstance(action, act.NoFit):
        return f"giving up {title}"
    if isinstance(action, act.BreakLoop):
        return "breaking the loop"
    raise KeyError(type(action))  # an act that may be taken back, and has no words yet


def forget(move: Move) -> None:
    """Allow no undo from now on: a ball has moved, or the game is stable."""
    if move.state.last is not None:
        move.set(last=None, last_seat="", agreed_since=())


def undo(move: Move, seat: str, _action: act.Undo) -> None:
    """Propose to undo one's own last action."""
    if move.state.last is None or seat != move.state.last_seat:
        raise Refusal("There is nothing that you can still take back.", "0.0")
    text = f"{move.name(seat)} wants to take back {move.state.last_what}. Agreed?"
    propose(move, UNDO, seat, text, "0.0", matter=Undoing(before_us=move.state.last.at_us))


class Undoing(Matter, frozen=True, kw_only=True):
    """Which action is to be undone: the one that the game heard next after that time."""

    before_us: int


def drop_stale(move: Move) -> None:
    """Withdraw the question about undoing an action once another one has followed, or none can be undone."""
    last = move.state.last
    for ask in move.state.asks:
        asked = ask.about.matter if isinstance(ask.about, Proposal) else ask.about
        if isinstance(asked, Undoing) and (last is None or last.at_us != asked.before_us):
            UNDO.drop(move)
            move.say("undo", "That cannot be taken back: something else has happened since.", clause="0.0")


def _undone(move: Move, _ask: Ask, _about: Undoing, agreed: bool) -> None:  # noqa: FBT001 - an outcome
    """Restore the state before the action, except for what world and hands did and the table agreed since.

    Numbers given since are not reused, and open proposals stay open.
    """
    now, last = move.state, move.state.last
    if not agreed or last is None:
        return
    asks = (ask for ask in last.asks if not isinstance(ask.about, Proposal))
    still = (ask for ask in now.asks if isinstance(ask.about, Proposal))
    move.state = msgspec.structs.replace(
        last,
        at_us=now.at_us,
        chance=now.chance,
        next_id=max(now.next_id, last.next_id),
        power=now.power,
        config=now.config,
        asks=(*asks, *still),
    )
    pausing.shift(move, now.at_us - last.at_us)
    seating.hands_stay(move, now)
    agree_again(move, now.agreed_since)
    move.say("undo", f"The table takes back {now.last_what}.", clause="0.0")


UNDO = agreement("undo", Undoing, _undone, lasts=False, ended_by=("attest", "fallen", "lifted"))


def overrule(move: Move, seat: str, action: act.Overrule) -> None:
    """Propose that a destroyed tile goes somewhere instead of out of the game."""
    if action.tile not in move.state.copies:
        raise Refusal("No tile comes into the game from outside.", "0.1.7")
    where = _where(move, action.tile, action.to, action.turns)
    text = f"{move.name(seat)} wants {move.title(action.tile)} back {where}. Does the table decide so?"
    matter = TileBack(copy=action.tile, to=action.to, turns=action.turns)
    propose(move, OVERRULE, seat, text, "0.0", matter=matter)


class TileBack(Matter, frozen=True, kw_only=True):
    """A destroyed tile, and where the table wants it: a slot, ``pool`` or ``hand.SEAT``."""

    copy: int
    to: str
    turns: int


def _overruled(move: Move, _ask: Ask, back: TileBack, agreed: bool) -> None:  # noqa: FBT001
    """Put the tile where the table wants it, if that is still possible."""
    copy, to, turns = back.copy, back.to, back.turns
    if not agreed:
        return
    try:
        where = _where(move, copy, to, turns)
    except Refusal as refusal:
        move.say("overrule", refusal.reason, clause=refusal.clause)
        return
    laid = _laid(move, copy, to, turns)
    whole = move.state.copies[copy].whole or copy
    destroying.bring_back(move, whole)
    if to == "pool":
        move.set(pool=(*move.state.pool, whole))
    elif to.startswith("hand."):
        seat = to.removeprefix("hand.")
        move.set_player(seat, hand=(*move.player(seat).hand, whole))
    else:
        slots = {slot for one in laid for slot in one.slots}
        move.set(to_lift=tuple(slot for slot in move.state.to_lift if slot not in slots))
        move.set_laid((*move.state.laid, *laid))
        off = tuple(one.copy for one in laid if one.part and move.has_switch(one.copy))
        move.set(silencers=(*move.state.silencers, *off))  # its switch stands as it stood
    fates.came_back(move, whole)
    gone = (copy, whole, *(one.copy for one in laid))
    move.set(waiting=tuple(one for one in move.state.waiting if one.copy not in gone))
    move.say("overrule", f"The table decides otherwise: {move.title(copy)} is back {where}.", clause="0.0")


OVERRULE = agreement("overrule", TileBack, _overruled)


def restorable(move: Move) -> tuple[Laid, ...]:
    """Return the tiles destroyed this turn that can go back to where they lay."""
    return tuple(grave for grave in move.state.graves if _fits(move, _group(move, grave)))


def _where(move: Move, copy: int, to: str, turns: int) -> str:
    """Describe where a destroyed tile would go.

    Raises:
        Refusal: it is not destroyed, or cannot go there.
    """
    whole = move.state.copies[copy].whole or copy
    virtual = whole in move.state.virtual and any(_whole(move, grave) == whole for grave in _graves(move))
    if whole not in move.state.destroyed and not virtual:
        raise Refusal("Only a destroyed tile can be brought back.", "0.0")
    if to == "pool":
        return "in the Main Pool"
    if to.startswith("hand."):
        seat = to.removeprefix("hand.")
        if seat not in move.staying():
            raise Refusal("Nobody who plays sits there.", "0.0")
        return f"in {move.name(seat)}'s hand"
    laid = _laid(move, copy, to, turns)
    others = [f"{move.title(one.copy)} at {one.slot}" for one in laid if one.copy != copy]
    if not _fits(move, laid):
        what = move.title(copy)
        if others:
            raise Refusal(f"{what} cannot lie at {to}, with {' and '.join(others)}.", "3.Legal")
        raise Refusal(f"{what} cannot lie at {to}.", "3.Legal")
    return " and ".join([f"at {to}", *others])


def _laid(move: Move, copy: int, to: str, turns: int) -> tuple[Laid, ...]:
    """Return how the tile would lie: as before, with the rest of its Combo, or in a new place."""
    grave = next((one for one in _graves(move) if one.copy == copy and to in one.slots), None)
    if grave is not None:
        return _group(move, grave)
    tile = move.tile(copy)
    if to not in move.board.by_name or turns not in tile.turns or tile.parts or move.state.copies[copy].whole:
        return ()
    slots = covered(move, tile, to, turns)
    return (Laid(copy=copy, slots=slots, turns=turns),) if slots else ()


def _group(move: Move, grave: Laid) -> tuple[Laid, ...]:
    """Return a destroyed tile with the other parts of its Combo; nothing if not all were laid (2.4.6)."""
    whole = _whole(move, grave)
    found = tuple(one for one in _graves(move) if _whole(move, one) == whole)
    return found if len(found) >= len(move.tile(whole).parts) else ()


def _graves(move: Move) -> tuple[Laid, ...]:
    """Return how the tiles lay that have been destroyed in this game, each the last time."""
    last = {grave.copy: grave for grave in (*move.state.old_graves, *move.state.graves)}
    return tuple(last.values())


def _whole(move: Move, laid: Laid) -> int:
    return move.state.copies[laid.copy].whole or laid.copy


def _fits(move: Move, laid: tuple[Laid, ...]) -> bool:
    play = move.state.play
    busy = {*move.layout(), *(play.slots if play is not None and not play.seated else ())}
    return (
        bool(laid)
        and not any(slot in busy for one in laid for slot in one.slots)
        and _leaves_room(move, laid)
    )


def _leaves_room(move: Move, laid: tuple[Laid, ...]) -> bool:
    """Whether a tile being played still finds a slot; otherwise its play could not go on (2.2.2.1)."""
    play, phase = move.state.play, move.state.phase
    if play is None or phase not in {Phase.PLACING, Phase.SEATING}:
        return True
    trial = Move(move.rules, msgspec.structs.replace(move.state, roll=None))
    trial.set(laid=(*move.state.laid, *laid))
    if phase is Phase.SEATING:  # this piece has its slot, but there may be more of a Combo
        return rest_fits(trial, play)
    return bool(places(trial, play.copy, overwrites=play.overwrites, ignoring=play.ignores))

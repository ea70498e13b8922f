"""What tile Halls see: tiles laid, lifted, fallen out, or in the wrong slot (2.2.4, 2.2.5, 2.4.3, R-43)."""

import msgspec
from hextraction.controller.games.hextraction.lay.legal_slots import places
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.deeds import OfEffect
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import (
    Heir,
    QuestionKind,
    Stands,
    TileOut,
    Undo,
)
from hextraction.controller.games.hextraction.state.record import carry
from hextraction.controller.games.hextraction.state.state import Ask, Laid, Matter, Phase, Play, State
from hextraction.controller.games.hextraction.turn import destroying, playing

__all__ = [
    "LIFTED",
    "MISMATCH",
    "TileOut",
    "fallen",
    "hands_stay",
    "let_go",
    "lifted",
    "miss",
    "place",
    "relocate",
    "tile_seen",
]


def tile_seen(move: Move, slot: str, *, present: bool) -> None:
    """Handle a change of a slot's tile Hall."""
    if slot not in move.board.by_name:
        move.ignore(f"{move.state.phase.value}/TileSeen")
    elif present:
        _tile_came(move, slot)
    else:
        _tile_went(move, slot)


def _tile_came(move: Move, slot: str) -> None:
    state, play = move.state, move.state.play
    if state.in_hand:
        move.set(in_hand=tuple(one for one in state.in_hand if one[1] != slot))
    last = state.last
    if last is not None and (filled := _filled(last, slot)) is not last:
        move.set(last=filled)
    if _asks_about(move, slot):
        LIFTED.drop(move, lambda out: slot in out.slots)
    elif state.phase is Phase.SEATING and play is not None and slot == play.slot:
        MISMATCH.drop(move)  # a hand has moved it there without an answer
        _bottoms_out(move, play)
    elif state.phase is Phase.SEATING and play is not None and slot not in (*play.slots, *move.layout()):
        _ask_mismatch(move, play, slot)
    elif state.phase is Phase.PLACING and play is not None and slot not in move.layout():
        move.set(play=msgspec.structs.replace(play, seen=slot))
    else:
        move.ignore(f"{state.phase.value}/TileSeen")


def _filled(last: State, slot: str) -> State:
    """Return the state to which the game may go back, with nothing missing in this slot any more."""
    in_hand = tuple(one for one in last.in_hand if one[1] != slot)
    asks = tuple(ask for ask in last.asks if not (isinstance(ask.about, TileOut) and slot in ask.about.slots))
    if (in_hand, asks) == (last.in_hand, last.asks):
        return last
    return msgspec.structs.replace(last, in_hand=in_hand, asks=asks)


def place(move: Move, seat: str, action: act.Place) -> None:
    """Choose slot and orientation; a tile that its Hall has seen already need not be laid again (2.2.4)."""
    playing.place(move, seat, action)
    play = move.state.play
    if play is None or not play.seen or move.state.phase is not Phase.SEATING:
        return
    if play.seen == play.slot:
        _bottoms_out(move, play)
    elif play.seen not in play.slots:
        _ask_mismatch(move, play, play.seen)


def _bottoms_out(move: Move, play: Play) -> None:
    """Note that the tile is in its slot; unless somebody says more, it is let go after a moment (2.2.5)."""
    let_go_us = move.state.config.let_go_us
    move.set(play=msgspec.structs.replace(play, bottomed=True), deadline_us=move.state.at_us + let_go_us)
    if let_go_us <= 0:
        playing.install(move)


def let_go(move: Move) -> None:
    """Install the tile, as nobody has touched it for a while."""
    play = move.state.play
    if play is not None and play.bottomed:
        playing.install(move)


def _tile_went(move: Move, slot: str) -> None:
    state, play = move.state, move.state.play
    _out_of(move, slot)
    if state.poised is not None and not move.state.to_lift:
        move.set(deadline_us=state.at_us + state.config.let_go_us)  # the hand is still above the slot
    laid = move.laid_at(slot)
    if play is not None and play.seen == slot:
        play = msgspec.structs.replace(play, seen="")
        move.set(play=play)
    if state.phase is Phase.SEATING and play is not None and slot in play.slots:
        move.set(play=msgspec.structs.replace(play, bottomed=False), deadline_us=None)
    elif laid is not None and not _asks_about(move, slot):
        if _is_being_moved(move, laid.copy):
            move.set(in_hand=(*state.in_hand, (laid.copy, slot)))
        else:
            _ask_why(move, laid, slot)
    elif slot not in state.to_lift and play is state.play:
        move.ignore(f"{state.phase.value}/TileSeen")


def _ask_why(move: Move, laid: Laid, slot: str) -> None:
    """Ask why a tile has left its slot: only people know whether it fell, or whether a hand lifted it."""
    state = move.state
    text = f"{move.title(laid.copy)} has left {slot}. What happened?"
    choices = [("fell", "It fell out"), ("hand", "Somebody lifted it, and puts it back")]
    out, late_us = TileOut(copy=laid.copy, slots=laid.slots), state.at_us + state.config.attest_us
    deadline_us = late_us if state.roll is not None else None
    seat = state.active if state.roll is None else state.roll.roller
    LIFTED.ask(move, seat, text, "2.4.3", choices, out, slots=laid.slots, deadline_us=deadline_us)


def _is_being_moved(move: Move, copy: int) -> bool:
    """Whether an effect asks where this tile goes, so that a hand has reason to lift it (R-43)."""
    effects = move.tile(copy).effects
    return any(
        isinstance(ask.about, OfEffect)
        and ask.about.copy == copy
        and effects[ask.about.effect].deed.moves_itself
        for ask in move.state.asks
    )


def miss(move: Move) -> None:
    """Ask about tiles that are still gone, though no effect asks any more where they go (2.4.3, R-43)."""
    for copy, slot in move.state.in_hand:
        if _is_being_moved(move, copy):
            continue
        move.set(in_hand=tuple(one for one in move.state.in_hand if one != (copy, slot)))
        laid = move.laid_at(slot)
        if laid is not None and laid.copy == copy and not _asks_about(move, slot):
            _ask_why(move, laid, slot)


def _asks_about(move: Move, slot: str) -> bool:
    return any(isinstance(ask.about, TileOut) and slot in ask.slots for ask in move.state.asks)


def _answer_lifted(move: Move, ask: Ask, out: TileOut, choice: str) -> None:
    """Act on the table's answer about why a tile left its slot."""
    laid = move.laid_copy(out.copy)
    if choice == "fell" and laid is not None:
        destroying.destroy(move, laid.copy, clause="2.4.3")
        move.set(to_lift=tuple(slot for slot in move.state.to_lift if slot not in laid.slots))
        if move.state.phase in {Phase.CHOOSING, Phase.SETTLING}:
            move.set(phase=Phase.RESOLVING, deadline_us=None)  # it settles again, with what that set off
    elif laid is not None and not out.held and move.sees_tiles():
        # While a tile is in a hand nothing is stable: all wait until its Hall sees it again (2.3.1, R-20).
        text = f"Put {move.title(laid.copy)} back into {laid.slot}."
        choices = [("fell", "It fell out"), ("hand", "It is back")]
        held = TileOut(copy=laid.copy, slots=laid.slots, held=True)
        LIFTED.ask(move, ask.seat, text, "2.3.1", choices, held, slots=laid.slots)


LIFTED = QuestionKind(
    word="lifted",
    about=TileOut,
    hear=_answer_lifted,
    stands=Stands.ANYHOW,
    undo=Undo.OVER_IF_TILES_GO,
    heir=Heir.ANYBODY,
    default=0,
    answers=("fell", "hand"),
)


def _ask_mismatch(move: Move, play: Play, slot: str) -> None:
    """Ask about a tile seen in another slot than chosen; nothing is installed until that is settled."""
    if MISMATCH.is_open(move):
        return
    choices = [("chosen", f"It moves to {play.slot}")]
    here = dict(places(move, play.copy, overwrites=play.overwrites, ignoring=play.ignores))
    if play.turns in here.get(slot, ()) and not move.tile(play.copy).covers:
        choices.append(("here", f"{slot} was meant"))
    title = move.title(play.copy)
    text = f"{title} belongs at {play.slot}, but lies at {slot}."
    MISMATCH.ask(move, play.seat, text, "2.2.4", choices, Matter(), slots=(slot,))


def _answer_mismatch(move: Move, ask: Ask, _about: Matter, choice: str) -> None:
    """Act on the player's answer about which slot was meant."""
    play = move.state.play
    if choice == "here" and play is not None and move.state.phase is Phase.SEATING:
        move.set(play=msgspec.structs.replace(play, slots=(ask.slots[0],)))
        _bottoms_out(move, msgspec.structs.replace(play, slots=(ask.slots[0],)))


MISMATCH = QuestionKind(
    word="mismatch",
    about=Matter,
    hear=_answer_mismatch,
    stands=Stands.WHILE_IT_COUNTS,
    undo=Undo.POSSIBLE,
    of_play=True,
    answers=("chosen", "here"),
    absent=0,
)


def lifted(move: Move, _seat: str, action: act.Lifted) -> None:
    """Note that a destroyed tile was taken out of its slot (2.4.1)."""
    _out_of(move, action.slot)


def fallen(move: Move, _seat: str, action: act.Fallen) -> None:
    """Note that an installed tile is out of its slot, where no tile Hall sees it (2.4.3, R-43)."""
    if move.sees_tiles():
        raise Refusal("The board can see which tiles lie on it.", "R-43")
    laid = move.laid_at(action.slot)
    if laid is None:
        raise Refusal(f"No tile lies at {action.slot}.", "2.4.3")
    if _asks_about(move, action.slot):
        raise Refusal(f"Somebody is already asked what happened at {action.slot}.", "2.4.3")
    _ask_why(move, laid, action.slot)


def _out_of(move: Move, slot: str) -> None:
    """Make slots usable again, as the destroyed tile that covered them is out (0.1.9)."""
    slots = move.under_grave(slot) if slot in move.state.blocked else (slot,)
    move.set(
        to_lift=tuple(other for other in move.state.to_lift if other not in slots),
        blocked=tuple(other for other in move.state.blocked if other not in slots),
    )


def hands_stay(move: Move, now: State) -> None:
    """Keep what hands have done to tiles since, as the game goes back to an earlier state (0.0, 2.4.1, R-43).

    What has left its slot is missing, what is back in it is not, and a destroyed tile that is out stays out.
    Of what was moved or destroyed since, the earlier state knows: it lies there again, or is missing still.
    """
    then, there = move.state, Move(move.rules, now)
    asks = [ask for ask in then.asks if not _settled_since(there, ask)]
    asks += [
        ask
        for ask in now.asks
        if isinstance(ask.about, TileOut) and _lies(move, ask.about.copy, ask.about.slots[0])
    ]
    in_hand = [one for one in then.in_hand if not _lies(there, *one)]
    in_hand += [one for one in now.in_hand if _lies(move, *one)]
    move.set(
        asks=tuple(asks),
        in_hand=tuple(in_hand),
        to_lift=tuple(slot for slot in then.to_lift if slot in now.to_lift),
        blocked=tuple(slot for slot in then.blocked if slot in now.blocked),
    )


def _settled_since(there: Move, ask: Ask) -> bool:
    """Whether a question about a tile out of its slot has ended or changed since: the tile lies there."""
    return isinstance(ask.about, TileOut) and _lies(there, ask.about.copy, ask.about.slots[0])


def _lies(move: Move, copy: int, slot: str) -> bool:
    laid = move.laid_at(slot)
    return laid is not None and laid.copy == copy


def relocate(move: Move, after: tuple[Laid, ...]) -> None:
    """Move tiles simultaneously: ``after`` says how each of them lies from now on."""
    now = {one.copy: one for one in after}
    over = {
        old: new
        for laid in move.state.laid
        if laid.copy in now
        for old, new in zip(laid.slots, now[laid.copy].slots, strict=True)
    }
    roll = move.state.roll
    if roll is not None and roll.astir:  # what balls did before this, in the account, was at the old slots
        move.set_roll(carried=(*roll.carried, (move.state.at_us, over)))
    elif roll is not None:
        move.set_roll(base=carry(roll.base, over, move.layout()))
    move.set_record(carry(move.record(), over, move.layout()))
    taken = {slot for one in after for slot in one.slots}
    lift = tuple(slot for slot in move.state.to_lift if slot not in taken)
    move.set(to_lift=lift)
    LIFTED.drop(move, lambda out: out.copy in now)
    if move.state.in_hand:
        move.set(
            in_hand=tuple(
                one for one in move.state.in_hand if one[0] not in now or one[1] in now[one[0]].slots
            )
        )
    move.set_laid(tuple(now.get(one.copy, one) for one in move.state.laid))

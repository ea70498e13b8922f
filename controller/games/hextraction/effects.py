"""What each deed of the vocabulary does (2.6, 2.7, R-18, R-32). One small function per deed, one table.

A deed that needs a choice puts a question and goes on in :func:`answer_effect`.
"""

from collections.abc import Callable
from typing import Final

import msgspec
from hextraction.board.tiles import Deed, Effect, When, Who
from hextraction.controller.games.hextraction import ball_deeds, destroying, play_deeds, tile_deeds, turns
from hextraction.controller.games.hextraction.checklist import has_mark
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Ask, Laid, Phase, Waiting

__all__ = ["answer_effect", "answer_order", "concerned", "do_effect", "resolve_next"]

# --- The table of deeds ---

_Deed = Callable[[Move, Effect, Waiting, str], None]
_Answer = Callable[[Move, Effect, Waiting, Ask, str], None]


def do_effect(move: Move, waiting: Waiting) -> None:
    """Do one effect to everybody it concerns."""
    effect = move.tile(waiting.copy).effects[waiting.effect]
    for seat in concerned(move, effect, waiting.seat):
        if move.state.phase is not Phase.OVER:
            _DEEDS[effect.deed](move, effect, waiting, seat)


def concerned(move: Move, effect: Effect, seat: str) -> tuple[str, ...]:
    """Return the seats an effect is about."""
    playing = move.playing()
    match effect.who:
        case Who.SELF:
            return (seat,)
        case Who.NEXT:
            return (move.next_seat(seat),)
        case Who.OTHERS:
            return tuple(other for other in playing if other != seat)
        case Who.ALL:
            return playing


def _attested(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    move.ask_effect(waiting, seat, effect.text, "2.6.3", [("done", "Done")])


def _chime(move: Move, effect: Effect, waiting: Waiting, _seat: str) -> None:
    move.set(chime=move.state.chime + effect.amount)
    move.say("chime", f"Chime! That makes {move.state.chime}.", slot=waiting.slot or None)


def _destroy_other(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    others = [laid for laid in move.state.laid if laid.copy != waiting.copy]
    if others:
        choices = [(laid.slots[0], f"{move.title(laid.copy)} at {laid.slots[0]}") for laid in others]
        move.ask_effect(waiting, seat, "Destroy which tile?", "2.6.4", choices)


def _destroy_this(move: Move, _effect: Effect, waiting: Waiting, _seat: str) -> None:
    if move.laid_copy(waiting.copy) is not None:
        destroying.destroy(move, waiting.copy)


def _destroy_neighbours(move: Move, _effect: Effect, waiting: Waiting, _seat: str) -> None:
    if not waiting.slot:
        return
    layout = move.layout()
    around = dict.fromkeys(layout[slot] for slot in move.board.neighbours(waiting.slot) if slot in layout)
    destroying.destroy_all(move, tuple(copy for copy in around if copy != waiting.copy))


def _destroy_under_balls(move: Move, _effect: Effect, _waiting: Waiting, _seat: str) -> None:
    layout = move.layout()
    slots = [slot for on in move.record().on.values() for slot in on]
    destroying.destroy_all(move, tuple(dict.fromkeys(layout[slot] for slot in slots if slot in layout)))


def _lose(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    move.set_player(seat, losing=True)
    said = f"{move.name(seat)} loses when this settles."
    move.say("lose", said, seat=seat, slot=waiting.slot or None, clause="2.8.1.1")


def _win(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    move.set_player(seat, winning=True)
    said = f"{move.name(seat)} wins when this settles."
    move.say("effect", said, seat=seat, slot=waiting.slot or None, clause="2.9.1.2")


def _no_win(move: Move, _effect: Effect, _waiting: Waiting, seat: str) -> None:
    move.set_player(seat, cannot_win=True)


def _roll_now(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    move.demand(seat, effect.amount, effect.ramps, by=waiting.copy)


def _roll_again_here(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    ramp = move.state.roll.ramp if move.state.roll is not None else ""
    move.demand(seat, effect.amount, (ramp,) if ramp else (), by=waiting.copy)


def _extra_roll(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    if seat == move.state.active:
        grants = (*move.state.grants, *(waiting.copy,) * effect.amount)
        move.set(rolls_owed=move.state.rolls_owed + effect.amount, grants=grants)


def _extra_play(move: Move, effect: Effect, _waiting: Waiting, seat: str) -> None:
    if seat == move.state.active:
        move.set(plays_owed=move.state.plays_owed + effect.amount)


def _extra_turn(move: Move, effect: Effect, _waiting: Waiting, seat: str) -> None:
    move.set_player(seat, extra_turns=move.player(seat).extra_turns + effect.amount)


def _skip_turn(move: Move, _effect: Effect, _waiting: Waiting, seat: str) -> None:
    move.set_player(seat, skips=1)


def _draw(move: Move, effect: Effect, _waiting: Waiting, seat: str) -> None:
    turns.draw(move, seat, effect.amount)


def _discard(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    _ask_discard(move, waiting, seat, effect.amount)


def _ask_discard(move: Move, waiting: Waiting, seat: str, left: int) -> None:
    hand = move.player(seat).hand
    if hand and left > 0:
        move.ask_effect(waiting, seat, "discard a tile.", "3.Discard", move.hand_choices(seat), left)


def _discard_hand(move: Move, _effect: Effect, _waiting: Waiting, seat: str) -> None:
    for copy in move.player(seat).hand:
        turns.discard_copy(move, seat, copy)


def _nothing(_move: Move, _effect: Effect, _waiting: Waiting, _seat: str) -> None:
    """Ongoing effects and Limits are read where they matter; they do nothing by themselves."""


def _pick(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    """Offer the effects of the same tile that are there to be picked."""
    effects = move.tile(waiting.copy).effects
    choices = [(str(index), one.text) for index, one in enumerate(effects) if one.when is When.PICKED]
    move.ask_effect(waiting, seat, effect.text, "2.6.3", choices)


def _picked(move: Move, _effect: Effect, waiting: Waiting, ask: Ask, choice: str) -> None:
    do_effect(move, msgspec.structs.replace(waiting, effect=int(choice), seat=ask.seat))


_DEEDS: Final[dict[Deed, _Deed]] = {
    **dict.fromkeys(Deed, _nothing),
    Deed.ATTESTED: _attested,
    Deed.BORROW_EFFECTS: tile_deeds.borrow,
    Deed.CHIME: _chime,
    Deed.CREATE: play_deeds.create,
    Deed.DESTROY_CHOSEN: tile_deeds.ask_chosen,
    Deed.DESTROY_NEIGHBOUR: tile_deeds.ask_neighbour,
    Deed.DESTROY_NEIGHBOURS: _destroy_neighbours,
    Deed.DESTROY_OTHER: _destroy_other,
    Deed.DESTROY_THIS: _destroy_this,
    Deed.DESTROY_UNDER_BALLS: _destroy_under_balls,
    Deed.DISCARD: _discard,
    Deed.DISCARD_HAND: _discard_hand,
    Deed.DISCARD_OTHER: tile_deeds.ask_discard_other,
    Deed.DRAW: _draw,
    Deed.EXTRA_PLAY: _extra_play,
    Deed.EXTRA_ROLL: _extra_roll,
    Deed.EXTRA_TURN: _extra_turn,
    Deed.FLIP_SWITCH: tile_deeds.ask_switch,
    Deed.HAUNT: tile_deeds.ask_step,
    Deed.INFECT: tile_deeds.infect,
    Deed.KICK: ball_deeds.kick,
    Deed.LOSE: _lose,
    Deed.LOWER_NEIGHBOUR: tile_deeds.ask_lower,
    Deed.NO_WIN: _no_win,
    Deed.PICK: _pick,
    Deed.PLAY_HAND: play_deeds.play_hand,
    Deed.PLAY_NEXT_TO: play_deeds.play_next_to,
    Deed.PLAY_WHERE_FELL: play_deeds.play_where_fell,
    Deed.PUT_ANYWHERE: tile_deeds.ask_put,
    Deed.RELEASE_AT_EACH: ball_deeds.release_at_each,
    Deed.RELEASE_HERE: ball_deeds.release_here,
    Deed.REPLAY_OTHER: play_deeds.replay_other,
    Deed.ROLL_AGAIN_HERE: _roll_again_here,
    Deed.ROLL_NOW: _roll_now,
    Deed.SEEK: tile_deeds.seek,
    Deed.SEND_BALLS: ball_deeds.send_balls,
    Deed.SEND_OR_CREATE: ball_deeds.send_or_create,
    Deed.SEND_TO_HIGHEST: ball_deeds.send_balls,
    Deed.SHIFT_ALL: tile_deeds.shift_all,
    Deed.SHIFT_THIS: tile_deeds.shift_this,
    Deed.SKIP_TURN: _skip_turn,
    Deed.STEP: tile_deeds.ask_step,
    Deed.SUMMON: play_deeds.summon,
    Deed.TAKE_BALLS: ball_deeds.take_balls,
    Deed.TURN_NEIGHBOUR: tile_deeds.ask_turn,
    Deed.TURN_PART: tile_deeds.ask_part,
    Deed.WIN: _win,
}


def _destroyed(move: Move, _effect: Effect, _waiting: Waiting, _ask: Ask, choice: str) -> None:
    laid: Laid | None = move.laid_at(choice)
    if laid is not None:
        destroying.destroy(move, laid.copy)


def _discarded(move: Move, _effect: Effect, waiting: Waiting, ask: Ask, choice: str) -> None:
    turns.discard_copy(move, ask.seat, int(choice))
    _ask_discard(move, waiting, ask.seat, int(ask.args[3]) - 1)


def _turned(move: Move, _effect: Effect, _waiting: Waiting, _ask: Ask, choice: str) -> None:
    tile_deeds.answer_turn(move, choice)


def _kicked(move: Move, _effect: Effect, _waiting: Waiting, _ask: Ask, _choice: str) -> None:
    ball_deeds.kicked(move)


def _created(move: Move, effect: Effect, _waiting: Waiting, ask: Ask, choice: str) -> None:
    play_deeds.create_from(move, ask.seat, effect.tile, choice)


def _sent_or_created(move: Move, effect: Effect, waiting: Waiting, ask: Ask, choice: str) -> None:
    if choice == "done":
        ball_deeds.answer_release(move, effect, waiting, ask, choice)
    else:
        play_deeds.create_from(move, ask.seat, effect.tile, choice)


_ANSWERS: Final[dict[Deed, _Answer]] = {
    Deed.BORROW_EFFECTS: tile_deeds.answer_borrow,
    Deed.CREATE: _created,
    Deed.DESTROY_CHOSEN: tile_deeds.answer_chosen,
    Deed.DESTROY_NEIGHBOUR: tile_deeds.answer_neighbour,
    Deed.DESTROY_OTHER: _destroyed,
    Deed.DISCARD: _discarded,
    Deed.DISCARD_OTHER: tile_deeds.answer_discard_other,
    Deed.FLIP_SWITCH: tile_deeds.answer_switch,
    Deed.HAUNT: tile_deeds.answer_step,
    Deed.KICK: _kicked,
    Deed.LOWER_NEIGHBOUR: tile_deeds.answer_lower,
    Deed.PICK: _picked,
    Deed.PLAY_NEXT_TO: play_deeds.answer_next_to,
    Deed.PLAY_WHERE_FELL: play_deeds.answer_where_fell,
    Deed.PUT_ANYWHERE: tile_deeds.answer_put,
    Deed.RELEASE_AT_EACH: ball_deeds.answer_release,
    Deed.RELEASE_HERE: ball_deeds.answer_release,
    Deed.REPLAY_OTHER: play_deeds.answer_replay,
    Deed.SEEK: tile_deeds.answer_seek,
    Deed.SEND_BALLS: ball_deeds.answer_send,
    Deed.SEND_OR_CREATE: _sent_or_created,
    Deed.SEND_TO_HIGHEST: ball_deeds.answer_send,
    Deed.SHIFT_THIS: tile_deeds.answer_shift,
    Deed.STEP: tile_deeds.answer_step,
    Deed.TURN_NEIGHBOUR: _turned,
    Deed.TURN_PART: tile_deeds.answer_part,
}


def answer_effect(move: Move, ask: Ask, choice: str) -> None:
    """Go on with an effect whose choice has been made."""
    copy, index, slot = int(ask.args[0]), int(ask.args[1]), str(ask.args[2])
    effect = move.tile(copy).effects[index]
    going_on = _ANSWERS.get(effect.deed)
    if going_on is not None:
        waiting = Waiting(id=0, copy=copy, slot=slot, effect=index, seat=ask.seat)
        going_on(move, effect, waiting, ask, choice)


# --- Resolving one effect at a time (2.1.4.2, 2.6.4, R-17) ---
#
# Nothing resolves while a ball moves. A single effect needs no picking.


def resolve_next(move: Move) -> bool:
    """Resolve a single waiting effect, or ask which of several is next; return whether any was waiting."""
    waiting = move.state.waiting
    if not waiting:
        return False
    if len({(one.copy, one.effect) for one in waiting}) == 1:
        _resolve(move, waiting[0])
        return True
    choices = [(str(one.id), f"{move.title(one.copy)} at {one.slot}: {_text(move, one)}") for one in waiting]
    clause = "2.6.4" if move.state.roll is not None else "2.2.5.1"
    slots = tuple(one.slot for one in waiting)
    move.ask(
        "order", waiting[0].seat, "Several effects wait. Which one is next?", clause, choices, slots=slots
    )
    return True


def answer_order(move: Move, _ask: Ask, choice: str) -> None:
    """The one who decides has picked the next effect."""
    for waiting in move.state.waiting:
        if str(waiting.id) == choice:
            _resolve(move, waiting)
            return


def _text(move: Move, waiting: Waiting) -> str:
    return move.tile(waiting.copy).effects[waiting.effect].text


def answer_item(move: Move, ask: Ask, choice: str) -> None:
    """The owner has brought what the effect needs, or it does nothing (2.5.4)."""
    copy = int(ask.args[0])
    if choice == "here":
        move.set(supplied=(*move.state.supplied, copy))
        return
    move.set(waiting=tuple(one for one in move.state.waiting if one.copy != copy))
    move.say("effect", f"{move.title(copy)} lacks what it needs and does nothing.", clause="2.5.4")


def _needs_item(move: Move, waiting: Waiting) -> bool:
    """Ask the owner, and nobody else, for what an effect needs (0.1.6, 2.5.4)."""
    copy = waiting.copy
    owner = move.state.copies[copy].owner
    needed = has_mark(move.state.marks, "items", move.tile(copy).name) and copy not in move.state.supplied
    if not needed or owner not in move.playing():
        return False
    choices = [("here", "Here it is"), ("none", "I have none")]
    text = f"{move.title(copy)} needs an item: {_text(move, waiting)}"
    move.ask("item", owner, text, "2.5.4", choices, args=(copy,))
    return True


def _resolve(move: Move, waiting: Waiting) -> None:
    if _needs_item(move, waiting):
        return
    move.set(waiting=tuple(other for other in move.state.waiting if other.id != waiting.id))
    said = f"{move.title(waiting.copy)}: {_text(move, waiting)}"
    move.say("effect", said, slot=waiting.slot or None, seat=waiting.seat, ball=waiting.ball)
    do_effect(move, waiting)

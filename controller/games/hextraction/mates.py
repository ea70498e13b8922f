"""Which part of a Combo goes along, if several of one owner would do (R-55).

The one of the same whole has left already. Parts of one kind and owner are alike, so another choice changes
places: the chosen one is gone, and the first lies where it lay, with its touches and its balls.
"""

import msgspec
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.record import Record, forget_tile
from hextraction.controller.games.hextraction.state import Ask, Laid

__all__ = ["answer_mates", "ask_mates"]


def ask_mates(move: Move, before: Record, chosen: tuple[int, ...], gone: list[Laid]) -> None:
    """Ask whoever caused it about each part that was dragged along and has a double on the board.

    ``before`` is what balls did before the parts left; ``chosen`` are those that were meant to leave.
    """
    for laid in gone:
        others = [] if laid.copy in chosen else _doubles(move, laid)
        if not others:
            continue
        slot = laid.slots[0]
        title = move.title(laid.copy)
        choices = [(one.slots[0], f"{title} at {one.slots[0]}") for one in (laid, *others)]
        touches = before.touches.get(laid.copy, 0)
        balls = ",".join(str(ball) for ball, on in before.on.items() if slot in on)
        args = (laid.copy, slot, laid.turns, touches, balls)
        slots = tuple(word for word, _label in choices)
        move.ask(
            "mates", _causer(move), f"Which {title} goes along?", "R-55", choices, slots=slots, args=args
        )


def _doubles(move: Move, laid: Laid) -> list[Laid]:
    """Return installed parts of the same kind and owner that belong to another whole.

    A counterpart has no whole; any other of its kind would do, whoever owns it (3.Combo.5).
    """
    own = move.state.copies[laid.copy]
    if not own.whole:
        kind = move.tile(laid.copy)
        return [one for one in move.state.laid if move.tile(one.copy) is kind]
    return [
        one
        for one in move.state.laid
        if (other := move.state.copies[one.copy]).whole
        and (other.name, other.owner) == (own.name, own.owner)
        and other.whole != own.whole
    ]


def _causer(move: Move) -> str:
    if move.state.play is not None:
        return move.state.play.seat
    return move.state.roll.roller if move.state.roll is not None else move.state.active


def answer_mates(move: Move, ask: Ask, choice: str) -> None:
    """The first one stays after all, and the chosen one is gone."""
    copy, slot, turns = int(ask.args[0]), str(ask.args[1]), int(ask.args[2])
    double = next((one for one in move.state.laid if choice in one.slots), None)
    if choice == slot or double is None or slot in move.layout():
        return
    stays = double.copy if move.state.copies[copy].whole else copy  # counterparts may have other owners
    _swap_record(move, ask, double, stays)
    back = msgspec.structs.replace(double, copy=stays, slots=(slot,), turns=turns)
    virtual = tuple(double.copy if one == stays else one for one in move.state.virtual)
    lift = tuple(double.slots[0] if other == slot else other for other in move.state.to_lift)
    graves = tuple(
        msgspec.structs.replace(double, copy=copy if stays == double.copy else double.copy)
        if one.copy == copy
        else one
        for one in move.state.graves
    )
    waiting = tuple(one for one in move.state.waiting if one.copy != double.copy)
    move.set(to_lift=lift, graves=graves, waiting=waiting, virtual=virtual)
    move.set_laid(tuple(back if one is double else one for one in move.state.laid))
    said = f"{move.title(copy)} at {double.slots[0]} goes along, not the one at {slot}."
    move.say("destroy", said, slot=double.slots[0], clause="R-55")


def _swap_record(move: Move, ask: Ask, double: Laid, stays: int) -> None:
    """Balls leave with the chosen part; touches and balls of the one that stays are back."""
    slot, touches, balls = str(ask.args[1]), int(ask.args[3]), str(ask.args[4])
    now = forget_tile(move.record(), double.copy, double.slots, balls_go=True)
    on = {**now.on, **{int(ball): (slot,) for ball in balls.split(",") if ball and int(ball) not in now.on}}
    counted = {**now.touches, stays: touches} if touches else now.touches
    now = msgspec.structs.replace(now, on=on, touches=counted)
    move.set_record(now)
    move.set_roll(base=now)

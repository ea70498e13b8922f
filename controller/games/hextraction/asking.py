"""Answering questions: one table from the kind of a question to the rule that waits for it."""

from collections.abc import Callable

import msgspec

from hextraction.controller.games.hextraction import actions as act
from hextraction.controller.games.hextraction import commit, effects, playing, powering, rolling, turns
from hextraction.controller.games.hextraction.move import Move, Refusal
from hextraction.controller.games.hextraction.state import Ask

__all__ = ["ANSWERS", "answer", "answer_defaults"]


def _discard(move: Move, ask: Ask, choice: str) -> None:
    turns.discard_copy(move, ask.seat, int(choice))
    turns.discard_to(move, ask.seat)


def _correct(move: Move, ask: Ask, choice: str) -> None:
    copy, touches, seat = int(ask.args[0]), int(ask.args[1]), str(ask.args[2])
    if choice != "yes" or move.state.roll is None:
        move.say("correct", f"{move.name(ask.seat)} does not agree with {move.name(seat)}.", clause="R-14")
        return
    now = move.record()
    move.set_record(msgspec.structs.replace(now, touches={**now.touches, copy: touches}))
    move.set_roll(base=msgspec.structs.replace(move.state.roll.base, touches=move.record().touches))
    move.say("correct", f"{move.title(copy)} stands at {touches} touches by agreement.", clause="R-14")


ANSWERS: dict[str, Callable[[Move, Ask, str], None]] = {
    "area": effects.answer_area,
    "ban": rolling.answer_ban,
    "correct": _correct,
    "discard": _discard,
    "effect": effects.answer_effect,
    "interrupted": powering.answer_interrupted,
    "lifted": playing.lifted,
    "loop": rolling.answer_loop,
    "missing": rolling.answer_missing,
    "order": effects.answer_order,
    "pile": commit.answer_pile,
    "room": playing.answer_room,
    "stuck": rolling.answer_stuck,
}


def answer(move: Move, _seat: str, action: act.Answer) -> None:
    """Answer an open question from any phone ("pass the phone")."""
    ask = next((ask for ask in move.state.asks if ask.id == action.prompt), None)
    if ask is None:
        raise Refusal("That question is no longer open.", "2.3.2")
    if action.choice not in dict(ask.choices):
        raise Refusal(f"{action.choice!r} is not one of the choices.", ask.clause)
    _give(move, ask, action.choice)


def _give(move: Move, ask: Ask, choice: str) -> None:
    move.set(asks=tuple(other for other in move.state.asks if other.id != ask.id))
    ANSWERS[ask.kind](move, ask, choice)


def answer_defaults(move: Move) -> None:
    """Give the default answer to every question whose time is over, and any answer for those who have left."""
    for ask in move.state.asks:
        late = ask.deadline_us is not None and ask.deadline_us <= move.state.at_us and ask.default is not None
        gone = move.player(ask.seat).conceded or move.player(ask.seat).out
        if late or gone:
            _give(move, ask, ask.choices[ask.default or 0][0])
            return

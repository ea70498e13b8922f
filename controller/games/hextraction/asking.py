"""Answering questions: one table from the kind of a question to the rule that waits for it."""

from collections.abc import Callable
from typing import Final

import msgspec
from hextraction.controller.games.hextraction import actions as act
from hextraction.controller.games.hextraction import (
    agreeing,
    cards,
    combos,
    commit,
    correcting,
    effects,
    flagging,
    looping,
    lost_balls,
    overruling,
    playing,
    powering,
    preparing,
    reentry,
    rolling,
    seating,
    triggers,
    turns,
)
from hextraction.controller.games.hextraction.move import Move, Refusal
from hextraction.controller.games.hextraction.state import Ask

__all__ = ["ANSWERS", "answer", "answer_defaults"]


def _discard(move: Move, ask: Ask, choice: str) -> None:
    turns.discard_copy(move, ask.seat, int(choice))
    turns.discard_to(move, ask.seat)


ANSWERS: Final[dict[str, Callable[[Move, Ask, str], None]]] = {
    "area": triggers.answer_area,
    "ban": rolling.answer_ban,
    "card": cards.answer_card,
    "confirm": agreeing.settled_by(powering.confirmed),
    "contend": agreeing.settled_by(correcting.contended),
    "correct": agreeing.settled_by(correcting.corrected),
    "discard": _discard,
    "effect": effects.answer_effect,
    "flag": agreeing.settled_by(flagging.flagged),
    "flick": agreeing.settled_by(correcting.flicked),
    "interrupted": powering.answer_interrupted,
    "item": effects.answer_item,
    "jammed": agreeing.settled_by(flagging.jammed_by_all),
    "launched": rolling.answer_launched,
    "lifted": seating.answer_lifted,
    "loop": looping.answer_loop,
    "mates": combos.answer_mates,
    "mismatch": seating.answer_mismatch,
    "missing": lost_balls.answer_missing,
    "order": effects.answer_order,
    "overrule": agreeing.settled_by(overruling.overruled),
    "pile": commit.answer_pile,
    "reenter": agreeing.settled_by(reentry.reentered),
    "room": playing.answer_room,
    "setup": preparing.answer_setup,
    "show": cards.answer_show,
    "stuck": lost_balls.answer_stuck,
    "blocked": lost_balls.answer_blocked,
    "uncarded": cards.answer_uncarded,
    "undo": agreeing.settled_by(overruling.undone),
    "witness": rolling.answer_witness,
}

_AGREEMENTS: Final = {
    "confirm",
    "contend",
    "correct",
    "flag",
    "flick",
    "jammed",
    "overrule",
    "reenter",
    "undo",
}
_WHAT_EVERYBODY_SAW: Final = {
    "area",
    "blocked",
    "interrupted",
    "launched",
    "lifted",
    "loop",
    "missing",
    "stuck",
    "witness",
}
"""Questions that anybody can answer: they are passed on when the one who was asked leaves."""


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
    """Give the default answer to a question whose time is over; what a leaver was asked goes to another."""
    for ask in move.state.asks:
        if _too_late(move, ask) and ask.default is not None:
            _give(move, ask, ask.choices[ask.default][0])
            return
        if move.player(ask.seat).conceded or move.player(ask.seat).out:
            _pass_on(move, ask)
            return


def _too_late(move: Move, ask: Ask) -> bool:
    """Whether the time for an answer is over; in a break none passes."""
    late_us = ask.deadline_us
    return late_us is not None and late_us <= move.state.at_us and move.state.paused_us is None


def _pass_on(move: Move, ask: Ask) -> None:
    staying = [player.seat for player in move.state.players if not player.out and not player.conceded]
    if ask.kind in _AGREEMENTS:
        _judge_without(move, ask, staying)
    elif staying and ask.kind in _WHAT_EVERYBODY_SAW:
        passed = msgspec.structs.replace(ask, seat=staying[0])
        move.set(asks=tuple(passed if other.id == ask.id else other for other in move.state.asks))
    else:
        _give(move, ask, ask.choices[ask.default or 0][0])


def _judge_without(move: Move, ask: Ask, staying: list[str]) -> None:
    """A judge leaves: the next one is asked, or else anybody but the proposer; a leaver stops nothing."""
    need, proposer, left = (str(arg) for arg in ask.args[:3])
    judges = [judge for judge in left.split(",") if judge in staying]
    others = [] if need == "all" else [seat for seat in staying if seat != proposer]
    heirs = judges or others
    if not heirs:
        _give(move, ask, "yes" if need == "all" else "no")
        return
    args = (need, proposer, ",".join(judges[1:]), *ask.args[3:])
    passed = msgspec.structs.replace(ask, seat=heirs[0], args=args)
    move.set(asks=tuple(passed if other.id == ask.id else other for other in move.state.asks))

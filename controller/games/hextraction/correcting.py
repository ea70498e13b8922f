"""Disputing what the board counted, until the commit (R-14)."""

from hextraction.controller.games.hextraction import actions as act
from hextraction.controller.games.hextraction.move import Move, Refusal
from hextraction.controller.games.hextraction.record import adjust
from hextraction.controller.games.hextraction.state import Ask

__all__ = ["answer_correct", "correct"]


def correct(move: Move, seat: str, action: act.Correct) -> None:
    """Propose another count of touches; the active player and one other must agree."""
    laid = move.laid_at(action.slot)
    if move.state.roll is None or laid is None:
        raise Refusal("There is no roll in which that tile could have been touched.", "R-14")
    if not 0 <= action.touches <= 99:
        raise Refusal("Touches are counted from 0 to 99.", "R-14")
    others = [other for other in move.playing() if other != seat]
    judge = move.state.active if seat != move.state.active else (others or [seat])[0]
    tile = f"{move.title(laid.copy)} at {action.slot}"
    text = f"{move.name(seat)} says {tile} was touched {action.touches} times. Agreed?"
    move.ask(
        "correct",
        judge,
        text,
        "R-14",
        [("yes", "Agreed"), ("no", "No")],
        slots=(action.slot,),
        args=(laid.copy, action.touches, seat),
    )


def answer_correct(move: Move, ask: Ask, choice: str) -> None:
    """The other player has agreed or not. A settlement that comes later keeps what was agreed."""
    copy, touches, seat = int(ask.args[0]), int(ask.args[1]), str(ask.args[2])
    roll = move.state.roll
    if choice != "yes" or roll is None:
        move.say("correct", f"{move.name(ask.seat)} does not agree with {move.name(seat)}.", clause="R-14")
        return
    more = touches - roll.record.touches.get(copy, 0)
    adjusted = {**roll.adjusted, copy: roll.adjusted.get(copy, 0) + more}
    move.set_roll(record=adjust(roll.record, {copy: more}), adjusted=adjusted)
    move.say("correct", f"{move.title(copy)} stands at {touches} touches by agreement.", clause="R-14")

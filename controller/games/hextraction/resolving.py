"""Resolving what waits, one effect at a time, in the order of the one who decides (2.1.4.2, 2.6.4, R-17).

Nothing resolves while a ball moves. A single effect needs no picking.
"""

from hextraction.controller.games.hextraction.deeds import do_effect
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Ask, Waiting

__all__ = ["answer_order", "resolve_next"]


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


def _resolve(move: Move, waiting: Waiting) -> None:
    move.set(waiting=tuple(other for other in move.state.waiting if other.id != waiting.id))
    said = f"{move.title(waiting.copy)}: {_text(move, waiting)}"
    move.say("effect", said, slot=waiting.slot or None, seat=waiting.seat, ball=waiting.ball)
    do_effect(move, waiting)

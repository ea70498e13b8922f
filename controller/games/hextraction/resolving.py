"""Resolving what waits, one effect at a time, in the order of the one who decides (2.1.4.2, 2.6.4, R-17).

Nothing resolves while a ball moves. A single effect needs no picking.
"""

from hextraction.controller.games.hextraction.checklist import has_mark
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

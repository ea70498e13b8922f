"""Resolving what waits, one effect at a time (2.1.4.2, 2.6.4, R-17).

Nothing resolves while a ball moves. A single effect needs no picking, nor do several that are all alike.
"""

from hextraction.controller.games.hextraction.cards.checklist import has_mark
from hextraction.controller.games.hextraction.cards.tiles import Effect, When
from hextraction.controller.games.hextraction.effects import effects
from hextraction.controller.games.hextraction.effects.ball_deeds import hands_away
from hextraction.controller.games.hextraction.state.deeds import acting
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import OfTile, QuestionKind, Stands, Undo
from hextraction.controller.games.hextraction.state.state import Ask, Matter, Waiting

__all__ = ["ITEM", "ORDER", "resolve_next"]


def resolve_next(move: Move) -> bool:
    """Resolve a single waiting effect, or ask which of several is next; return whether any was waiting."""
    waiting, poised = move.state.waiting, move.state.poised
    if poised is not None:
        if hands_away(move):
            move.set(poised=None, deadline_us=None)
            effects.do_effect(move, poised)
        return True
    if not waiting:
        return False
    if len({_deed_of(move, one) for one in waiting}) == 1:
        if _had_its_moment(move, waiting[0]):
            _resolve(move, waiting[0])
        return True
    move.set(shown=tuple(one.id for one in waiting))
    choices = [(str(one.id), _choice(move, one)) for one in waiting]
    clause = "2.6.4" if move.state.roll is not None else "2.2.5.1"
    slots = tuple(one.slot for one in waiting)
    text = "Several effects wait. Which one is next?"
    ORDER.ask(move, _who_orders(move), text, clause, choices, Matter(), slots=slots)
    return True


def _deed_of(move: Move, waiting: Waiting) -> tuple[object, ...]:
    """Return all that decides what an effect will do: the order of effects that agree in it is none."""
    whole = (waiting.copy, waiting.effect, waiting.slot, waiting.seat)
    return (*whole, _where_its_ball_was(move, waiting))


def _where_its_ball_was(move: Move, waiting: Waiting) -> str:
    """Return the slot of its ball's way that an effect looks at; empty if it looks at none."""
    way = acting(_effect(move, waiting)).way
    return "" if way is None else way(move, waiting)


def _choice(move: Move, waiting: Waiting) -> str:
    title, text, slot = move.title(waiting.copy), _text(move, waiting), waiting.slot
    was, by_way = _where_its_ball_was(move, waiting), acting(_effect(move, waiting)).by_way
    if not was or by_way is None:
        return f"{title} at {slot}: {text}"
    return by_way(title, slot, was, text)


def _who_orders(move: Move) -> str:
    """Return who says which effect is next: who rolls (2.6.4, R-17), or who plays what they are of."""
    roll, waiting = move.state.roll, move.state.waiting
    triggered = all(move.tile(one.copy).effects[one.effect].when is When.TRIGGER for one in waiting)
    if roll is not None and triggered and roll.roller in move.staying():
        return roll.roller
    return waiting[0].seat


def _had_its_moment(move: Move, lone: Waiting) -> bool:
    """Whether the table has had a moment to ask for the card of a lone effect or to vote (0.5.1, 2.5.1)."""
    state = move.state
    if state.config.moment_us <= 0 or acting(_effect(move, lone)).asks_first(move, lone):
        return True
    if lone.id not in state.shown:
        late_us = state.at_us + state.config.moment_us
        move.set(shown=tuple(one.id for one in state.waiting), deadline_us=late_us)
        said = f"{move.called(lone.copy, lone.slot)} takes effect in a moment: {_text(move, lone)}"
        move.say("waits", said, slot=lone.slot or None, seat=lone.seat, clause="2.5.1")
    return move.state.deadline_us is None or move.state.at_us >= move.state.deadline_us


def _answer_order(move: Move, _ask: Ask, _about: Matter, choice: str) -> None:
    """Resolve the effect that was picked as the next."""
    for waiting in move.state.waiting:
        if str(waiting.id) == choice:
            _resolve(move, waiting)
            return


ORDER = QuestionKind(
    word="order",
    about=Matter,
    hear=_answer_order,
    stands=Stands.WHILE_IT_COUNTS,
    undo=Undo.POSSIBLE,
    of_waiting=True,
    answers=("N",),
    ended_by=("break_loop",),
)


def _effect(move: Move, waiting: Waiting) -> Effect:
    return move.tile(waiting.copy).effects[waiting.effect]


def _text(move: Move, waiting: Waiting) -> str:
    return _effect(move, waiting).text


def _answer_item(move: Move, _ask: Ask, about: OfTile, choice: str) -> None:
    """Continue if the owner has brought what the effect needs; otherwise it does nothing (2.5.4)."""
    copy = about.copy
    if choice == "here":
        move.set(supplied=(*move.state.supplied, copy))
        return
    move.set(waiting=tuple(one for one in move.state.waiting if one.copy != copy))
    move.say("effect", f"{move.called(copy)} does not get what it needs, so it does nothing.", clause="2.5.4")


ITEM = QuestionKind(
    word="item",
    about=OfTile,
    hear=_answer_item,
    stands=Stands.WHILE_IT_COUNTS,
    undo=Undo.AS_BEFORE,
    answers=("here", "none"),
    absent=1,
)


def _needs_item(move: Move, waiting: Waiting) -> bool:
    """Ask the owner, and nobody else, for the item that an effect needs (0.1.6, 2.5.4)."""
    copy = waiting.copy
    owner = move.state.copies[copy].owner
    needed = has_mark(move.state.marks, "items", move.tile(copy).name) and copy not in move.state.supplied
    if not needed or owner not in move.playing():
        return False
    choices = [("here", "Here it is"), ("none", "I have none")]
    text = f"{move.called(copy)} needs an item: {_text(move, waiting)}"
    ITEM.ask(move, owner, text, "2.5.4", choices, OfTile(copy=copy))
    return True


def _resolve(move: Move, waiting: Waiting) -> None:
    if _needs_item(move, waiting):
        return
    left = tuple(other for other in move.state.waiting if other.id != waiting.id)
    move.set(waiting=left, deadline_us=None)
    said = f"{move.called(waiting.copy, waiting.slot)}: {_text(move, waiting)}"
    move.say("effect", said, slot=waiting.slot or None, seat=waiting.seat, ball=waiting.ball)
    effects.do_effect(move, waiting)

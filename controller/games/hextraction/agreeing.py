"""Agreement: what the table settles by the word of several players (0.0, R-14, R-49).

The arguments of such a question begin with how many must agree (``any`` of the judges, or ``all``), who
proposed it, and which judges are still to be asked; then comes what it is about.
"""

from collections.abc import Callable

from hextraction.controller.games.hextraction.move import Move, Refusal
from hextraction.controller.games.hextraction.state import Ask

__all__ = ["about", "judges_for", "propose", "settled_by"]

_YES_OR_NO = [("yes", "Agreed"), ("no", "No")]

Settle = Callable[[Move, Ask, bool], None]


def judges_for(move: Move, seat: str) -> tuple[str, ...]:
    """Return who can agree to what a seat proposes: it takes the active player and one other (R-14)."""
    others = tuple(other for other in move.playing() if other != seat)
    active = move.state.active
    return (active,) if active in others else others


def propose(
    move: Move,
    kind: str,
    seat: str,
    text: str,
    clause: str,
    *,
    matter: tuple[int | str, ...] = (),
    judges: tuple[str, ...] = (),
    need: str = "any",
    slots: tuple[str, ...] = (),
) -> None:
    """Put a proposal to the first of its judges."""
    order = judges or judges_for(move, seat)
    if not order:
        raise Refusal("There is nobody to agree with.", clause)
    if any(ask.kind == kind for ask in move.state.asks):
        raise Refusal("The table is already being asked that.", clause)
    args = (need, seat, ",".join(order[1:]), *matter)
    move.ask(kind, order[0], text, clause, _YES_OR_NO, slots=slots, args=args)


def about(ask: Ask) -> tuple[int | str, ...]:
    """Return what an agreement is about."""
    return ask.args[3:]


def settled_by(settle: Settle) -> Callable[[Move, Ask, str], None]:
    """Return the rule that hears an answer and, once it is decided, lets ``settle`` act on it."""

    def hear(move: Move, ask: Ask, choice: str) -> None:
        need, seat, left = (str(arg) for arg in ask.args[:3])
        agreed = choice == "yes"
        order = [judge for judge in left.split(",") if judge in move.playing()]
        if order and agreed == (need == "all"):
            args = (need, seat, ",".join(order[1:]), *about(ask))
            choices = list(ask.choices)
            move.ask(ask.kind, order[0], ask.text, ask.clause, choices, slots=ask.slots, args=args)
            return
        if not agreed:
            said = f"{move.name(ask.seat)} does not agree with {move.name(seat)}."
            move.say("correct", said, clause=ask.clause)
        settle(move, ask, agreed)

    return hear

"""Words that move installed tiles (2.6.4, 2.7, 3.Installed, 3.Overwrite).

A moved tile stays the same tile: it is neither played nor destroyed, it keeps its touches, and the balls on
it move along. Nothing moves into a slot that cannot be used.
"""

from typing import ClassVar

import msgspec
from hextraction.board.grid import turned
from hextraction.controller.games.hextraction.cards.tiles import Effect
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY
from hextraction.controller.games.hextraction.effects.ball_deeds import kicked
from hextraction.controller.games.hextraction.lay.legal_slots import covered, usable_slots
from hextraction.controller.games.hextraction.lay.reasons import sixths
from hextraction.controller.games.hextraction.state import fates
from hextraction.controller.games.hextraction.state.deeds import Acting, Doing, OfEffect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Laid, Waiting
from hextraction.controller.games.hextraction.turn import destroying
from hextraction.controller.games.hextraction.turn.seating import relocate

__all__ = ["room_at"]


# --- Moving installed tiles, with what lies on them (3.Installed, 2.7, 3.Overwrite) ---


def _say(move: Move, laid: Laid, slot: str) -> None:
    title = move.title(laid.copy)
    said = f"{title} moves from {laid.slot} to {slot}."
    if slot == laid.slot:
        said = f"{title} stays at {slot}."
    move.say("moved", said, slot=slot, clause="3.Installed")


def _ask_step(move: Move, doing: Doing, *, must_eat: bool = False) -> None:
    """Offer the open neighbouring slots, and the neighbours that it eats."""
    laid = move.laid_copy(doing.copy)
    if laid is None:
        return
    around, usable = dict.fromkeys(move.board.neighbours(laid.slot)), usable_slots(move)
    steps = [(slot, f"To {slot}") for slot in around if slot in usable]
    prey = [
        (slot, f"Onto {move.title(found.copy)} at {slot}")
        for slot in around
        if (found := move.laid_at(slot)) is not None and move.tile(found.copy).name in doing.effect.eats
    ]
    choices = prey if prey and must_eat else [*prey, *steps]
    if choices:
        doing.ask(move, "where do you move it?", "2.6.4", choices)
    else:
        doing.come_to_nothing(move, "there is no slot beside it where it may go")


def _answer_step(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Step there, destroying what lies there and may be eaten."""
    prey = move.laid_at(choice)
    if prey is not None:
        destroying.destroy(move, prey.copy, clause="3.Overwrite.1", seat=doing.seat)
    laid = move.laid_copy(doing.copy)
    if laid is not None and choice in usable_slots(move):
        _say(move, laid, choice)
        relocate(move, (_stepped(laid, choice, (laid.turns + doing.effect.turn) % 6),))


def _ask_haunt(move: Move, doing: Doing) -> None:
    _ask_step(move, doing, must_eat=True)


def _answer_haunt(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    """Step there; what it eats costs a turn."""
    prey = move.laid_at(choice)
    _answer_step(move, doing, about, choice)
    if prey is not None:
        fates.decree(move, doing.seat, "skips", doing.copy, prey.copy)


def _spare_haunted(move: Move, one: Waiting, _effect: Effect, still: int) -> None:
    fates.withdraw_haunting(move, one.seat, one.copy, still)


def _stepped(laid: Laid, slot: str, turns: int) -> Laid:
    return msgspec.structs.replace(laid, slots=(slot,), turns=turns)


def _shift_this(move: Move, doing: Doing) -> None:
    """Move along the arrow onto what lies there, or stay at the edge of the board; then turn."""
    laid = move.laid_copy(doing.copy)
    if laid is None:
        return
    there = move.board.neighbour(laid.slot, turned(doing.effect.edge, laid.turns))
    if there is not None and there not in move.state.blocked:
        under = move.laid_at(there)
        if under is not None:
            destroying.destroy(move, under.copy, clause="3.Overwrite.1", seat=doing.seat)
        if move.laid_copy(laid.copy) is None or there not in usable_slots(move):
            return
        _say(move, laid, there)
        relocate(move, (_stepped(laid, there, laid.turns),))
    _ask_turn(move, doing, otherwise=True)


class HowTurned(OfEffect, frozen=True, kw_only=True):
    """The question of how to turn a tile that already has its slot."""

    about_board: ClassVar[bool] = False


def _ask_turn(move: Move, doing: Doing, *, otherwise: bool = False) -> bool:
    """Ask how the tile is turned, if there are several ways; ``otherwise``: not as it lies."""
    laid, legal = move.laid_copy(doing.copy), move.tile(doing.copy).turns
    turnable = laid is not None and len(legal) > 1
    if laid is not None and turnable:
        open_to = [turns for turns in legal if not (otherwise and turns == laid.turns)]
        choices = [(str(turns), sixths(turns)) for turns in open_to]
        doing.ask(
            move,
            "how do you turn it? Counted from the right way up.",
            "3.Orientation",
            choices,
            doing.about(HowTurned),
        )
    return turnable


def _answer_shift(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Turn the tile as its mover wants it."""
    laid = move.laid_copy(doing.copy)
    if laid is not None:
        _turn(move, laid, int(choice))


def _turn(move: Move, laid: Laid, turns: int) -> None:
    relocate(move, (msgspec.structs.replace(laid, turns=turns),))
    if turns != laid.turns:
        said = f"{move.called(laid.copy)} is turned: {sixths(turns)}."
        move.say("turned", said, slot=laid.slot, clause="3.Orientation")


def _ask_put(move: Move, doing: Doing) -> None:
    """Offer every open slot, and the one where it lies."""
    laid = move.laid_copy(doing.copy)
    if laid is not None:
        slots = (laid.slot, *usable_slots(move))
        choices = [(slot, f"At {slot}") for slot in slots]
        doing.ask(move, "where do you put it?", "2.6.4", choices)


def _answer_put(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    """Set first the slot, then the turn; then release the balls on it, whatever else is being asked."""
    laid, held = move.laid_copy(doing.copy), False
    if laid is None:
        return
    if isinstance(about, HowTurned):
        _turn(move, laid, int(choice))
    elif choice == laid.slot or choice in usable_slots(move):
        _say(move, laid, choice)
        relocate(move, (_stepped(laid, choice, laid.turns),))
        held = _ask_turn(move, doing)
    moved = move.laid_copy(doing.copy)
    carried = moved is not None and any(moved.slot in on for on in move.record().on.values())
    if carried and not held:
        kicked(move)


def _ask_lower(move: Move, doing: Doing) -> None:
    """Offer the open slots that lie lower than the neighbour does."""
    above = move.board.neighbour(doing.slot, doing.effect.edge) if doing.slot else None
    laid = move.laid_at(above) if above is not None else None
    if laid is None:
        doing.come_to_nothing(move, "there is no tile where its arrow points")
        return
    height = move.board.by_name[laid.slot].y_mm
    lower = [slot for slot in move.board.slot_names if move.board.by_name[slot].y_mm > height + 1]
    choices = [(slot, f"To {slot}") for slot in lower if room_at(move, laid, slot, laid.turns)]
    if choices:
        text = f"where do you move {move.called(laid.copy)}?"
        doing.ask(move, text, "2.2.5.1", choices, doing.about(Lowering, moved=laid.copy))
    else:
        doing.come_to_nothing(move, f"{move.called(laid.copy)} fits in no lower slot")


class Lowering(OfEffect, frozen=True, kw_only=True):
    """The neighbouring tile that is moved."""

    moved: int


def _answer_lower(move: Move, _doing: Doing, about: OfEffect, choice: str) -> None:
    """Move the neighbour to the lower slot, turned as before."""
    laid = move.laid_copy(about.moved) if isinstance(about, Lowering) else None
    slots = room_at(move, laid, choice, laid.turns) if laid is not None else ()
    if laid is not None and slots:
        _say(move, laid, choice)
        relocate(move, (msgspec.structs.replace(laid, slots=slots),))


def room_at(move: Move, laid: Laid, slot: str, turns: int) -> tuple[str, ...]:
    """Return the slots that an installed tile would cover there, if all are open or its own; else none."""
    free = {*usable_slots(move), *laid.slots}
    slots = covered(move, move.tile(laid.copy), slot, turns)
    return slots if slots is not None and free.issuperset(slots) else ()


def _shift_all(move: Move, doing: Doing) -> None:
    """Move all tiles one slot along the arrow at once; those that would leave the board are destroyed."""
    laid = move.laid_copy(doing.copy)
    if laid is None:
        return
    edge = turned(doing.effect.edge, laid.turns)
    leaving = [one.copy for one in move.state.laid if _beyond(move, one, edge) is None]
    lying = bool(move.record().on)
    move.say("moved", "All tiles move one slot along the arrow.", slot=doing.slot, clause="3.Installed")
    destroying.destroy_all(move, tuple(leaving), seat=doing.seat)
    after = [(one, _beyond(move, one, edge)) for one in move.state.laid]
    relocate(move, tuple(msgspec.structs.replace(one, slots=slots) for one, slots in after if slots))
    if move.state.roll is None and lying:  # a ball on a tile that left may roll on as well
        move.set(loose=doing.seat)
        said = f"A ball that gets loose now counts as rolled by {move.name(doing.seat)}."
        move.say("moved", said, seat=doing.seat, slot=doing.slot or None, clause="2.1.4.1")


def _beyond(move: Move, laid: Laid, edge: int) -> tuple[str, ...] | None:
    slots = [move.board.neighbour(slot, edge) for slot in laid.slots]
    inside = tuple(slot for slot in slots if slot is not None and slot not in move.state.blocked)
    return inside if len(inside) == len(slots) else None


def _infect(move: Move, doing: Doing) -> None:
    """Overwrite the tile that the ball was in contact with before this one, or end in the top row.

    It is that very tile, wherever it lies by now; if it is gone, nothing is overwritten.
    """
    laid, before = move.laid_copy(doing.copy), move.laid_copy(doing.waiting.before)
    if laid is None or before is None:
        return
    slot = _slot_crossed(move, doing.waiting, before)
    destroying.destroy(move, before.copy, clause="3.Overwrite.1", seat=doing.seat)
    if move.laid_copy(laid.copy) is None or slot not in usable_slots(move):
        return
    _say(move, laid, slot)
    relocate(move, (_stepped(laid, slot, laid.turns),))
    if slot in move.board.top_row:
        destroying.destroy(move, laid.copy, seat=doing.seat)


def _slot_crossed(move: Move, waiting: Waiting, before: Laid) -> str:
    """Return the slot of a larger tile that the ball came from; else the first, which may be the only one."""
    trail = move.record().trails.get(waiting.ball or 0, ())
    last = max((index for index, slot in enumerate(trail) if slot == waiting.slot), default=len(trail))
    return next((slot for slot in reversed(trail[:last]) if slot in before.slots), before.slot)


def _came_from(move: Move, waiting: Waiting) -> str:
    before = move.laid_copy(waiting.before)
    return "" if before is None else _slot_crossed(move, waiting, before)


def _by_origin(title: str, slot: str, was: str, text: str) -> str:
    return f"{title} at {slot}, for the ball that came from {was}: {text}"


# --- The words ---

VOCABULARY.enrol(
    Acting(
        word="step",
        meaning=(
            "`who` moves this tile with its balls to an open slot next to it, or onto a neighbour it `eats`."
        ),
        keys=("who", "turn", "eats"),
        do=_ask_step,
        answered=_answer_step,
        moves_itself=True,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="haunt",
        meaning="As `step`, but it must eat if it can, and then `who` skips a turn.",
        keys=("who", "turn", "eats"),
        do=_ask_haunt,
        answered=_answer_haunt,
        moves_itself=True,
        take_back=_spare_haunted,
        asks_about_board=True,
        decrees_later=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="shift_this",
        meaning="This tile moves along `edge`, overwriting what lies there, and is turned by `who`.",
        keys=("who",),
        needs=("edge",),
        do=_shift_this,
        answered=_answer_shift,
        moves_itself=True,
        acts_before_asking=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="shift_all",
        meaning="All tiles move one slot along `edge`; those that leave the board are destroyed.",
        needs=("edge",),
        do=_shift_all,
    )
)
VOCABULARY.enrol(
    Acting(
        word="put_anywhere",
        meaning="`who` puts this tile with its balls into any open slot, in any orientation.",
        keys=("who",),
        do=_ask_put,
        answered=_answer_put,
        moves_itself=True,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="lower_neighbour",
        meaning="`who` moves the neighbour at `edge` to an open slot that lies lower.",
        keys=("who",),
        needs=("edge",),
        do=_ask_lower,
        answered=_answer_lower,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="infect",
        meaning="This tile overwrites the one that the ball touched before; in the top row it is destroyed.",
        do=_infect,
        way=_came_from,
        by_way=_by_origin,
    )
)

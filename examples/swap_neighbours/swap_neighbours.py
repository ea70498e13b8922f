"""A tile that swaps two of its neighbours: one word for the vocabulary of Hextraction's effects.

The word asks for the first tile, then for the second, and lets both change places with the balls on them.
Everything else that a table does with it (votes, disputes, the journal, phones) it does by itself.
"""

from collections.abc import Iterator

from hextraction.api.effects import (
    Acting,
    Doing,
    Laid,
    Move,
    OfEffect,
    covered,
    relocate,
    usable_slots,
)
from msgspec.structs import replace

__all__ = ["SWAP_NEIGHBOURS"]

_CLAUSE = "3.Installed"


class Second(OfEffect, frozen=True, kw_only=True):
    """What the second question is about: the first tile, by its copy, has been named."""

    first: int


def _neighbours(move: Move, doing: Doing) -> list[Laid]:
    """Return the tiles next to this one; none if it has left the board."""
    this = move.laid_copy(doing.copy)
    around = move.board.neighbours(this.slot) if this is not None else ()
    return list(dict.fromkeys(laid for slot in around if (laid := move.laid_at(slot)) is not None))


def _partners(move: Move, doing: Doing, first: Laid) -> Iterator[Laid]:
    """Yield the neighbours with which a tile can change places."""
    return (other for other in _neighbours(move, doing) if _swapped(move, first, other))


def _swapped(move: Move, one: Laid, other: Laid) -> tuple[Laid, ...]:
    """Return two tiles as they lie once each is where the other was; none if one of them fits not."""
    there = covered(move, move.tile(one.copy), other.slot, one.turns)
    here = covered(move, move.tile(other.copy), one.slot, other.turns)
    free = {*usable_slots(move), *one.slots, *other.slots}
    if one == other or there is None or here is None:
        return ()
    fits = free.issuperset((*there, *here)) and not {*there} & {*here}
    return (replace(one, slots=there), replace(other, slots=here)) if fits else ()


def _ask_first(move: Move, doing: Doing) -> None:
    found = [one for one in _neighbours(move, doing) if any(_partners(move, doing, one))]
    if found:
        doing.ask(move, "swap which tile?", _CLAUSE, [(one.slot, move.called(one.copy)) for one in found])
    else:
        doing.come_to_nothing(move, "no two tiles next to it can change places")


def _answered(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    named = move.laid_at(choice)
    if named is None:
        return
    first = move.laid_copy(about.first) if isinstance(about, Second) else None
    if first is None:
        choices = [(one.slot, move.called(one.copy)) for one in _partners(move, doing, named)]
        doing.ask(move, "for which one?", _CLAUSE, choices, doing.about(Second, first=named.copy))
    elif after := _swapped(move, first, named):
        titles = f"{move.called(first.copy)} and {move.called(named.copy)}"
        relocate(move, after)
        move.say("moved", f"{titles} change places.", seat=doing.seat, slot=doing.slot, clause=_CLAUSE)


SWAP_NEIGHBOURS = Acting(
    word="swap_neighbours",
    meaning="`who` lets two tiles next to this one change places, with the balls on them.",
    keys=("who",),
    do=_ask_first,
    answered=_answered,
    asks_about_board=True,
)

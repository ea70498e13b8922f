"""A tile that exacts a tribute: one word for the vocabulary of Hextraction's effects.

The word asks whom it concerns to name another player, and then asks that player which tiles of the own hand
change hands. So it asks two people one after the other, and the second about what nobody else may see.
"""

from typing import ClassVar

from hextraction.api.effects import Acting, Doing, Move, OfEffect, Waiting

__all__ = ["TRIBUTE"]

_CLAUSE = "2.6.3"


class Giving(OfEffect, frozen=True, kw_only=True):
    """What the second question is about: a hand, and how many tiles of it are still to be given."""

    about_hand: ClassVar[bool] = True
    left: int


def _givers(move: Move, doing: Doing) -> list[str]:
    """Return all but who is given something that are still in the game and hold a tile."""
    return [seat for seat in move.staying() if seat != doing.seat and move.player(seat).hand]


def _name_giver(move: Move, doing: Doing) -> None:
    """Ask who is to give: a choice ``seat.NAME`` is withdrawn by itself as that player leaves."""
    found = _givers(move, doing)
    if found:
        doing.ask(move, "who gives you a tile?", _CLAUSE, [(f"seat.{one}", move.name(one)) for one in found])
    else:
        doing.come_to_nothing(move, "nobody else holds a tile")


def _ask_giver(move: Move, doing: Doing, giver: str, left: int) -> None:
    """Ask who gives; the words of the question are for all to read, its choices are not."""
    if left > 0 and move.player(giver).hand:
        text, about = f"give a tile to {move.name(doing.seat)}.", doing.about(Giving, left=left)
        doing.ask(move, text, _CLAUSE, move.hand_choices(giver), about, seat=giver)


def _answered(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    if isinstance(about, Giving):
        _give(move, doing, about, int(choice))
        return
    giver = choice.removeprefix("seat.")
    if giver in _givers(move, doing):
        _ask_giver(move, doing, giver, doing.effect.amount)
    else:
        _name_giver(move, doing)  # who was named has nothing to give any more


def _give(move: Move, doing: Doing, about: Giving, copy: int) -> None:
    """Let one tile change hands, and ask for the next."""
    giver, getter = doing.asked, doing.seat
    move.take(giver, copy)
    move.set_player(getter, hand=(*move.player(getter).hand, copy))
    said = f"{move.name(giver)} gives {move.name(getter)} a tile."
    move.say("effect", said, seat=giver, slot=doing.slot or None, clause=_CLAUSE)
    _ask_giver(move, doing, giver, about.left - 1)


def _ask_anew(move: Move, doing: Doing, about: OfEffect) -> None:
    """Ask the same question again: who gives, or for what is in that hand by now."""
    if isinstance(about, Giving):
        _ask_giver(move, doing, doing.asked, about.left)
    else:
        _name_giver(move, doing)


def _moot(move: Move, waiting: Waiting, _about: OfEffect | None) -> str:
    """Nothing is given to whoever has left the game, so neither question is asked any more."""
    return "" if waiting.seat in move.staying() else f"{move.name(waiting.seat)} has left the game"


TRIBUTE = Acting(
    word="tribute",
    meaning="`who` names another player, who gives `amount` tiles of choice into the hand of `who`.",
    keys=("amount", "who"),
    do=_name_giver,
    answered=_answered,
    again=_ask_anew,
    moot=_moot,
)

"""Deeds that act: one effect carried out for one seat. All share one signature, and ask in the effect's name.

The files of ``effects/`` say what each does. A package of anybody's own may bring more of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import Effect
from hextraction.controller.games.hextraction.cards.vocabulary import Deed
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import OfTile, QuestionKind
from hextraction.controller.games.hextraction.state.state import Laid, Waiting

__all__ = ["Acting", "Answered", "Do", "Doing", "OfEffect", "acting"]


class OfEffect(OfTile, frozen=True, kw_only=True):
    """A question that an effect asks: its number on its tile, where it happens, and the ball that hit it.

    ``seat`` is whom the effect concerns, if somebody else answers: because the effect asks that one
    (``asked``), or because whom it concerns leaves; else empty.
    Hands are to set the balls on the slots of ``stir`` moving, or to let balls go: which, and in which slots.
    """

    about_board: ClassVar[bool] = True
    """Whether the question is about what lies on the board, of a deed that asks about that."""
    about_hand: ClassVar[bool] = False
    """Whether it offers tiles of a hand: nobody else sees it, and it is asked anew as that hand changes."""

    effect: int
    slot: str
    ball: int | None = None
    seat: str = ""
    asked: str = ""
    stir: tuple[str, ...] = ()
    let_go: dict[int, str] = msgspec.field(default_factory=dict)


E = TypeVar("E", bound=OfEffect)


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """An effect being carried out: the effect, what set it off, and the seat that it concerns."""

    effect: Effect
    waiting: Waiting
    seat: str
    question: QuestionKind[OfEffect]
    asked: str = ""
    """The seat that a question was put to, once it is answered, if it was somebody else's; else empty."""

    @property
    def copy(self) -> int:
        """The copy whose effect it is."""
        return self.waiting.copy

    @property
    def slot(self) -> str:
        """The slot where it happens; empty if it is not on the board."""
        return self.waiting.slot

    def about(self, kind: type[E], **more: Any) -> E:
        """Return what a question is about: the effect, and whatever else its answer needs."""
        waiting = self.waiting
        return kind(copy=waiting.copy, effect=waiting.effect, slot=waiting.slot, ball=waiting.ball, **more)

    def ask(
        self,
        move: Move,
        text: str,
        clause: str,
        choices: Sequence[tuple[str, str]],
        about: OfEffect | None = None,
        *,
        seat: str = "",
    ) -> None:
        """Ask a question on behalf of the effect; its answer continues the effect.

        Somebody else is asked if ``seat`` names one: the effect goes on to concern ``self.seat``, and in the
        answer ``asked`` is who gave it. A choice ``seat.NAME`` is withdrawn as that player leaves.
        """
        matter = self.about(OfEffect) if about is None else about
        if seat and seat != self.seat:
            matter = msgspec.structs.replace(matter, seat=self.seat, asked=seat)
        self.question.ask(
            move,
            seat or self.seat,
            f"{move.called(self.copy, self.slot)}: {text}",
            clause,
            choices,
            matter,
            slots=(self.slot,) if self.slot else (),
        )

    def come_to_nothing(self, move: Move, why: str) -> None:
        """Say that the effect has nothing to do, and why."""
        said = f"{move.called(self.copy, self.slot)} does nothing: {why}."
        move.say("effect", said, seat=self.seat, slot=self.slot or None, clause="2.6.3")


Do = Callable[[Move, Doing], None]
"""Carries out an effect for one seat."""
Answered = Callable[[Move, Doing, OfEffect, str], None]
"""Continues an effect once its question is answered."""


def _nothing(*_anything: object) -> None:
    """Do nothing: what only lasts, and Limits, are read where they matter."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Acting(Deed):
    """A word of the vocabulary that does something."""

    do: Do = _nothing
    """Carries it out."""
    answered: Answered | None = None
    """Continues it once its question is answered; None if the answer is only that it is done."""
    again: Callable[[Move, Doing, OfEffect], None] | None = None
    """Asks the open question anew as the board or a hand has changed; without it ``do`` is run again."""
    first_asks: Callable[[Move, Waiting], bool] | None = None
    """Whether ``do`` asks first, if that depends on the game; else ``acts_before_asking`` says it."""
    way: Callable[[Move, Waiting], str] | None = None
    """The slot of its ball's way that it looks at, empty for none; None if it never looks at one."""
    by_way: Callable[[str, str, str, str], str] | None = None
    """Names it by that slot where it is asked which effect is next, given title, slot, that slot and text."""
    moot: Callable[[Move, Waiting, OfEffect | None], str] | None = None
    """Why what it asks or orders comes to nothing after all: its ball did something else, say, or somebody
    has left; empty if it goes on. Given what its question is about, None for an ordered play."""
    take_back: Callable[[Move, Waiting, Effect, int], None] = _nothing
    """Gives back what it has brought a player, as a touch was none: so many of its tile's still count."""
    watch: Callable[[Move, Laid, int], None] | None = None
    """Answers the destruction of a copy of its ``tile`` elsewhere, while its own tile lies (R-73)."""

    def asks_first(self, move: Move, waiting: Waiting) -> bool:
        """Whether it asks its player something before it does anything."""
        if self.first_asks is not None:
            return self.first_asks(move, waiting)
        return self.in_words or (self.answered is not None and not self.acts_before_asking)


_IDLE: Final = Acting(word="", meaning="It lasts or limits, and does nothing by itself.")


def acting(effect: Effect) -> Acting:
    """Return what an effect does; nothing at all, if it only lasts or limits."""
    deed = effect.deed
    return deed if isinstance(deed, Acting) else _IDLE

"""A deed: one effect carried out for one seat. All deeds share one signature, and ask in the effect's name.

``effects`` holds the table of them; ``tile_deeds``, ``ball_deeds`` and ``play_deeds`` say what each does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import Effect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import OfTile, QuestionKind
from hextraction.controller.games.hextraction.state.state import Waiting

__all__ = ["Answered", "Do", "Doing", "OfEffect"]


class OfEffect(OfTile, frozen=True, kw_only=True):
    """A question that an effect asks: its number on its tile, where it happens, and the ball that hit it.

    ``seat`` is whom the effect concerns, if somebody else answers because that one leaves; else empty.
    Hands are to set the balls on the slots of ``stir`` moving, or to let balls go: which, and in which slots.
    """

    effect: int
    slot: str
    ball: int | None = None
    seat: str = ""
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
    ) -> None:
        """Ask a question on behalf of the effect; its answer continues the effect."""
        self.question.ask(
            move,
            self.seat,
            f"{move.called(self.copy, self.slot)}: {text}",
            clause,
            choices,
            self.about(OfEffect) if about is None else about,
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

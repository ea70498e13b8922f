"""Questions to a seat: one row per kind says what it is about, who handles the answer, and who inherits it.

A row stands beside its rule and asks; :mod:`.asking` gathers the rows and gives each answer to the right one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Ask, Matter
from msgspec.structs import replace

__all__ = ["Heir", "OfTile", "QuestionKind"]

M = TypeVar("M", bound=Matter)


class Heir(Enum):
    """Who answers if the seat that was asked leaves the game."""

    NOBODY = "chance chooses, unless one answer goes without saying"
    """Only that player could choose."""
    ANYBODY = "anybody who plays"
    """Everybody saw it."""
    ANYBODY_IF_SEEN = "anybody who plays, if all can see it on the tile; else as if nobody could answer"
    """What a tile shows everybody sees; what to make of it only that player could choose."""
    JUDGE = "the next judge"
    """It needs somebody's consent (:mod:`.agreeing`)."""


class OfTile(Matter, frozen=True, kw_only=True):
    """A question about one tile."""

    copy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionKind(Generic[M]):
    """One kind of question: its word, the type of its matter, and the rule that handles the answer.

    ``default`` is the number of the choice that holds when the time for an answer is up. ``answers`` are the
    words of all choices that it may ever offer; capitals stand for a name or number (``slot.SLOT``), ``…``
    for more of the same. ``absent`` is the number of the choice that goes without
    saying once nobody is left to answer. ``ended_by`` are the words of acts that leave nothing to ask:
    whoever is asked may do them instead of answering, and the question is withdrawn. ``watched`` is a
    question to which whoever watched the board knows the answer: it is about what balls did, not about what
    somebody wants.
    """

    word: str
    about: type[M]
    hear: Callable[[Move, Ask, M, str], None]
    heir: Heir = Heir.NOBODY
    default: int | None = None
    answers: tuple[str, ...] = ()
    absent: int | None = None
    ended_by: tuple[str, ...] = ()
    watched: bool = False

    def ask(  # noqa: PLR0917 - whom, what, why, the choices, and what it is about
        self,
        move: Move,
        seat: str,
        text: str,
        clause: str,
        choices: Sequence[tuple[str, str]],
        about: M,
        *,
        slots: tuple[str, ...] = (),
        deadline_us: int | None = None,
    ) -> None:
        """Ask a seat. A choice is (word, label); without a deadline there is no default answer."""
        number = move.state.next_id
        ask = Ask(
            id=f"q{number}",
            seat=seat,
            kind=self.word,
            text=text,
            clause=clause,
            choices=tuple(choices),
            slots=slots,
            default=self.default if deadline_us is not None else None,
            deadline_us=deadline_us,
            about=about,
        )
        move.set(next_id=number + 1, asks=(*move.state.asks, ask))

    def is_open(self, move: Move) -> bool:
        """Whether a question of this kind is open."""
        return any(ask.kind == self.word for ask in move.state.asks)

    def drop(self, move: Move, concerned: Callable[[M], bool] = lambda _about: True) -> None:
        """Withdraw the questions of this kind that are ``concerned``."""
        asks = move.state.asks
        kept = tuple([ask for ask in asks if ask.kind != self.word or not concerned(self.matter(ask))])
        if len(kept) != len(asks):
            move.set(asks=kept)

    def answered(self, move: Move, ask: Ask, choice: str) -> None:
        """Pass an answer to the rule."""
        self.hear(move, ask, self.matter(ask), choice)

    def matter(self, ask: Ask) -> M:
        """Return what a question of this kind is about."""
        if not isinstance(ask.about, self.about):
            raise TypeError(f"a question {self.word} is about {self.about.__name__}, found {ask.about!r}")
        return ask.about


def pass_to(move: Move, ask: Ask, seat: str, about: Matter | None = None) -> None:
    """Let another seat answer an open question."""
    passed = replace(ask, seat=seat, about=ask.about if about is None else about)
    move.set(asks=tuple(passed if other.id == ask.id else other for other in move.state.asks))

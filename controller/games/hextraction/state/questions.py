"""Questions to a seat: one row per kind says what it is about, who handles the answer, and who inherits it.

A row stands beside its rule, asks, and says in its columns what other rules have to know of its questions;
:data:`QUESTIONS` holds all of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final, Generic, TypeVar

from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Ask, Matter
from msgspec.structs import replace

__all__ = ["QUESTIONS", "Heir", "OfTile", "QuestionKind", "Stands", "TileGone", "TileOut", "Undo", "kind_of"]

M = TypeVar("M", bound=Matter)


class Heir(Enum):
    """Who answers if the seat that was asked leaves the game."""

    NOBODY = "chance decides, unless there is only one sensible answer"
    """Only that player could choose."""
    ANYBODY = "anybody who plays"
    """Everybody saw it."""
    ANYBODY_IF_SEEN = "anybody who plays, if all can see it on the tile; else as if nobody could answer"
    """What a tile shows everybody sees; what to make of it only that player could choose."""
    JUDGE = "the next judge"
    """It needs somebody's consent (:mod:`.agreeing`)."""


class Stands(Enum):
    """Through what a question stands, as far as a roll is concerned."""

    ANYHOW = auto()
    """It is about the table, a hand, or a tile."""
    WHILE_A_ROLL = auto()
    """It is about what balls did, void or not, and moot only if nobody has rolled (2.1.1.3)."""
    WHILE_IT_COUNTS = auto()
    """The balls and effects of a roll ask it, so that a void roll withdraws it (0.5.8)."""


class Undo(Enum):
    """What becomes of taking back, once an action or an answer has been heard (0.0)."""

    POSSIBLE = auto()
    """It can itself be taken back."""
    AS_BEFORE = auto()
    """It is table talk, which does not count: what could be taken back still can."""
    OVER_IF_TILES_GO = auto()
    """As before, unless a tile goes by it that the last action had nothing to do with (2.4.3, 2.5.3)."""
    OVER = auto()
    """Nothing can be taken back any more."""


class TileGone(Enum):
    """What becomes of a question that is about no one tile, as one leaves the board."""

    STAYS = auto()
    ANEW = auto()
    """Its choices are tiles: if one of these has left, it is asked again without it."""
    MOOT = auto()
    """It arises from how the board is: the player tries again (2.1.2, 2.2.2)."""


class OfTile(Matter, frozen=True, kw_only=True):
    """A question about one tile: it is withdrawn if that leaves the board."""

    copy: int


class TileOut(OfTile, frozen=True, kw_only=True):
    """An installed tile that has left its slots; ``held``: a hand has it, and is to put it back."""

    slots: tuple[str, ...]
    held: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionKind(Generic[M]):
    """One kind of question: its word, the type of its matter, and the rule that handles the answer.

    ``default`` is the number of the choice that holds when the time for an answer is up. ``answers`` are the
    words of all choices that it may ever offer; capitals stand for a name or number (``slot.SLOT``), ``…``
    for more of the same. ``absent`` is the number of the choice that goes without
    saying once nobody is left to answer. ``ended_by`` are the words of acts that leave nothing to ask:
    whoever is asked may do them instead of answering, and the question is withdrawn. ``watched`` is a
    question to which whoever stands at the board knows the answer: it is about what balls did, or whether
    hands have done something there, not about what somebody wants. ``claim``: it asks whether what another
    player claims about balls is true (R-14).
    ``of_hand``: its words and choices tell of a hand. ``of_play`` is a question about the tile being laid,
    which ends with its play. ``of_waiting``: it offers the effects that wait. ``again`` applies what was
    agreed once more after an action has been undone.
    """

    word: str
    about: type[M]
    hear: Callable[[Move, Ask, M, str], None]
    stands: Stands
    undo: Undo
    tile_gone: TileGone = TileGone.STAYS
    heir: Heir = Heir.NOBODY
    default: int | None = None
    answers: tuple[str, ...] = ()
    absent: int | None = None
    ended_by: tuple[str, ...] = ()
    watched: bool = False
    claim: bool = False
    of_hand: bool = False
    of_play: bool = False
    of_waiting: bool = False
    again: Callable[[Move, Ask, M], None] | None = None

    def __post_init__(self) -> None:
        if self.word in QUESTIONS:
            raise ValueError(f"two kinds of questions are called {self.word}")
        QUESTIONS[self.word] = self

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


QUESTIONS: Final[dict[str, QuestionKind[Any]]] = {}
"""All kinds by their word; each row enters itself."""


def kind_of(ask: Ask) -> QuestionKind[Any]:
    """Return the row of an open question."""
    return QUESTIONS[ask.kind]


def pass_to(move: Move, ask: Ask, seat: str, about: Matter | None = None) -> None:
    """Let another seat answer an open question."""
    passed = replace(ask, seat=seat, about=ask.about if about is None else about)
    move.set(asks=tuple(passed if other.id == ask.id else other for other in move.state.asks))

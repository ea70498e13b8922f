"""Words that destroy or discard installed tiles, or save their own (2.4, 2.6.4, 3.Discard, R-57)."""

from hextraction.controller.games.hextraction.cards.tiles import When
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY, Deed
from hextraction.controller.games.hextraction.state.deeds import Acting, Doing, OfEffect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Laid
from hextraction.controller.games.hextraction.turn import destroying


def _destroy_other(move: Move, doing: Doing) -> None:
    _ask_which(move, doing, [laid for laid in move.state.laid if laid.copy != doing.copy])


def _destroy_one(move: Move, doing: Doing) -> None:
    _ask_which(move, doing, list(move.state.laid))


def _ask_which(move: Move, doing: Doing, others: list[Laid]) -> None:
    if others:
        choices = [(laid.slot, f"{move.title(laid.copy)} at {laid.slot}") for laid in others]
        doing.ask(move, "Which tile do you destroy?", "2.6.4", choices)
    else:
        doing.come_to_nothing(move, "there is no other tile")


def _destroy_this(move: Move, doing: Doing) -> None:
    if move.laid_copy(doing.copy) is not None:
        destroying.destroy(move, doing.copy, seat=doing.seat)


def _destroy_neighbours(move: Move, doing: Doing) -> None:
    if not doing.slot:
        return
    layout = move.layout()
    around = dict.fromkeys(layout[slot] for slot in move.board.neighbours(doing.slot) if slot in layout)
    destroying.destroy_all(move, tuple(copy for copy in around if copy != doing.copy), seat=doing.seat)


def _destroy_under_balls(move: Move, doing: Doing) -> None:
    layout = move.layout()
    slots = [slot for on in move.record().on.values() for slot in on]
    touched = [layout[slot] for slot in slots if slot in layout]
    captive = [laid.copy for laid in move.state.laid if move.captive(laid)]
    destroying.destroy_all(move, tuple(dict.fromkeys((*touched, *captive))), seat=doing.seat)


def _where(move: Move, slots: list[str]) -> list[tuple[str, str]]:
    tiles = dict.fromkeys(laid for slot in slots if (laid := move.laid_at(slot)) is not None)
    return [(laid.slot, move.called(laid.copy)) for laid in tiles]


def _ask_neighbour(move: Move, doing: Doing) -> None:
    """Ask which neighbouring tile is destroyed; it is this one if it has no neighbour."""
    laid = move.laid_copy(doing.copy)
    if laid is None:
        return
    choices = _where(move, list(dict.fromkeys(move.board.neighbours(laid.slot))))
    if choices:
        doing.ask(move, "which neighbour do you destroy?", "2.6.4", choices)
    else:
        destroying.destroy(move, doing.copy, seat=doing.seat)


def _answer_destroyed(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Destroy the tile that was chosen."""
    laid = move.laid_at(choice)
    if laid is not None:
        destroying.destroy(move, laid.copy, seat=doing.seat)


def _ask_chosen(move: Move, doing: Doing) -> None:
    """Ask for the tiles one after another; all are destroyed together once named."""
    _ask_more(move, doing, ())


class NamedSoFar(OfEffect, frozen=True, kw_only=True):
    """The slots of the tiles that have been named."""

    named: tuple[str, ...]


def _ask_more(move: Move, doing: Doing, named: tuple[str, ...]) -> None:
    """Ask for one more tile, or whether those in the named slots are all."""
    slots = [laid.slot for laid in move.state.laid if laid.slot not in named]
    choices = [("none", "No more" if named else "None"), *_where(move, slots)]
    doing.ask(move, "which tiles do you destroy?", "2.6.4", choices, doing.about(NamedSoFar, named=named))


def _answer_chosen(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    """Add one more tile, or destroy all named ones at once."""
    named = about.named if isinstance(about, NamedSoFar) else ()
    if choice != "none":
        _ask_more(move, doing, (*named, choice))
        return
    hit = [laid.copy for slot in named if (laid := move.laid_at(slot)) is not None]
    destroying.destroy_all(move, tuple(hit), seat=doing.seat)


def _ask_discard_other(move: Move, doing: Doing) -> None:
    """Ask which other installed tile goes back to its pool."""
    choices = _where(move, [laid.slot for laid in move.state.laid if laid.copy != doing.copy])
    if choices:
        doing.ask(move, "which tile do you discard?", "3.Discard", choices)
    else:
        doing.come_to_nothing(move, "there is no other tile")


def _answer_discard_other(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Discard it, with the rest of its Combo (2.4.7)."""
    laid = move.laid_at(choice)
    if laid is not None:
        destroying.discard_laid(move, laid.copy, seat=doing.seat)


def _ask_chosen_anew(move: Move, doing: Doing, about: OfEffect) -> None:
    named = about.named if isinstance(about, NamedSoFar) else ()
    _ask_more(move, doing, tuple(slot for slot in named if move.laid_at(slot) is not None))


# --- The words ---

VOCABULARY.enrol(
    Acting(
        word="destroy_other",
        meaning="`who` destroys one other installed tile of choice.",
        keys=("who",),
        do=_destroy_other,
        answered=_answer_destroyed,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="destroy_one",
        meaning="As `destroy_other`, and it may be this tile.",
        do=_destroy_one,
        answered=_answer_destroyed,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="destroy_this",
        meaning="This tile is destroyed.",
        do=_destroy_this,
    )
)
VOCABULARY.enrol(
    Acting(
        word="destroy_neighbour",
        meaning="`who` destroys one neighbouring tile of choice, or this tile if there is no neighbour.",
        keys=("who",),
        do=_ask_neighbour,
        answered=_answer_destroyed,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="destroy_neighbours",
        meaning="All tiles in neighbouring slots, at once.",
        do=_destroy_neighbours,
    )
)
VOCABULARY.enrol(
    Acting(
        word="destroy_under_balls",
        meaning="Every tile that touches at least one ball, at once.",
        do=_destroy_under_balls,
    )
)
VOCABULARY.enrol(
    Acting(
        word="destroy_chosen",
        meaning="`who` names any number of installed tiles; they are destroyed at once.",
        keys=("who",),
        do=_ask_chosen,
        answered=_answer_chosen,
        again=_ask_chosen_anew,
        asks_about_board=True,
        all_can_see=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="discard_other",
        meaning="`who` discards one other installed tile of choice to its pool.",
        keys=("who",),
        do=_ask_discard_other,
        answered=_answer_discard_other,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Deed(
        word="instead_to_hand",
        meaning="When destroyed: goes to the hand of whoever caused it instead.",
        only=When.ON_DESTROY,
        instead="hand",
    )
)
VOCABULARY.enrol(
    Deed(
        word="instead_to_pool",
        meaning="When destroyed: goes to its pool instead.",
        only=When.ON_DESTROY,
        instead="pool",
    )
)

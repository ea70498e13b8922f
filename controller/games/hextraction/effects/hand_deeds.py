"""Words about hands: drawing, discarding, and what counts in a hand (1.2, 3.Discard, 3.MainPool)."""

from typing import ClassVar

from hextraction.controller.games.hextraction.cards.tiles import When
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY, Deed
from hextraction.controller.games.hextraction.state.deeds import Acting, Doing, OfEffect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.turn import destroying, turns


def _draw(move: Move, doing: Doing) -> None:
    turns.draw(move, doing.seat, doing.effect.amount)


def _discard(move: Move, doing: Doing) -> None:
    _ask_discard(move, doing, doing.effect.amount)


class Discarding(OfEffect, frozen=True, kw_only=True):
    """How many tiles are still to be discarded."""

    about_hand: ClassVar[bool] = True
    left: int


def _ask_discard(move: Move, doing: Doing, left: int) -> None:
    """Ask which tile of the hand is discarded next, while some are left to discard and to hold."""
    if move.player(doing.seat).hand and left > 0:
        choices = move.hand_choices(doing.seat)
        doing.ask(move, "discard a tile.", "3.Discard", choices, doing.about(Discarding, left=left))


def _discarded(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    turns.discard_copy(move, doing.seat, int(choice))
    _ask_discard(move, doing, about.left - 1 if isinstance(about, Discarding) else 0)


def _discard_anew(move: Move, doing: Doing, about: OfEffect) -> None:
    _ask_discard(move, doing, about.left if isinstance(about, Discarding) else 0)


def _discard_hand(move: Move, doing: Doing) -> None:
    for copy in move.player(doing.seat).hand:
        turns.discard_copy(move, doing.seat, copy)


def _seek(move: Move, doing: Doing) -> None:
    """Destroy this tile; then exchange one tile of the hand for any one of the pool."""
    if move.laid_copy(doing.copy) is not None:
        destroying.destroy(move, doing.copy, seat=doing.seat)
    _ask_giving(move, doing)


def _ask_giving(move: Move, doing: Doing) -> None:
    """Ask for the tile of the hand; who has none only takes one."""
    if move.player(doing.seat).hand:
        giving = doing.about(Giving)
        doing.ask(move, "discard a tile.", "3.Discard", move.hand_choices(doing.seat), giving)
    else:
        _ask_pool(move, doing)


class Giving(OfEffect, frozen=True, kw_only=True):
    """The first step of the exchange, giving a tile of the hand; the second takes one from the pool."""

    about_hand: ClassVar[bool] = True


def _ask_pool(move: Move, doing: Doing) -> None:
    kinds = {move.state.copies[copy].name: copy for copy in reversed(move.state.pool)}
    if not kinds:
        turns.draw(move, doing.seat)  # an empty pool ends the game (2.10.1)
        return
    choices = [(str(copy), move.title(copy) if name else "a tile") for name, copy in kinds.items()]
    text = "which tile do you take from the pool? Everybody sees it."
    doing.ask(move, text, "3.MainPool", sorted(choices, key=lambda pair: pair[1]))


def _answer_seek(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    """Handle first the discard, then the tile from the pool, which is shown."""
    copy = int(choice)
    if isinstance(about, Giving):
        turns.discard_copy(move, doing.seat, copy)
        _ask_pool(move, doing)
    elif copy in move.state.pool:
        move.set(pool=tuple(other for other in move.state.pool if other != copy))
        move.set_player(doing.seat, hand=(*move.player(doing.seat).hand, copy))
        said = f"{move.name(doing.seat)} takes {move.title(copy)} from the pool."
        move.say("draw", said, seat=doing.seat, clause="3.MainPool")


def _give_anew(move: Move, doing: Doing, _about: OfEffect) -> None:
    _ask_giving(move, doing)


# --- The words ---

VOCABULARY.enrol(
    Acting(
        word="draw",
        meaning="`who` draws `amount` tiles.",
        keys=("amount", "who"),
        do=_draw,
    )
)
VOCABULARY.enrol(
    Acting(
        word="discard",
        meaning="`who` discards `amount` tiles of choice.",
        keys=("amount", "who"),
        do=_discard,
        answered=_discarded,
        again=_discard_anew,
    )
)
VOCABULARY.enrol(
    Acting(
        word="discard_hand",
        meaning="`who` discards the whole hand.",
        keys=("who",),
        do=_discard_hand,
    )
)
VOCABULARY.enrol(
    Acting(
        word="seek",
        meaning=(
            "This tile is destroyed; `who` discards a tile and takes any one from the pool, for all to see."
        ),
        keys=("who",),
        do=_seek,
        answered=_answer_seek,
        again=_give_anew,
        acts_before_asking=True,
    )
)
VOCABULARY.enrol(
    Deed(
        word="uncounted",
        meaning="Ongoing: in a hand this tile does not count (1.2.2, 1.2.3).",
        only=When.ONGOING,
        counts_in_hand=False,
    )
)
VOCABULARY.enrol(
    Deed(
        word="no_draw",
        meaning="Ongoing: nobody draws after a turn. Only an enabled Forbidden effect can do that (0.1.10).",
        only=When.ONGOING,
        stops_drawing=True,
    )
)

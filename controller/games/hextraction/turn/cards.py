"""Rules cards (2.5, 0.3, R-64): anybody may ask for one; without a proper one the tile may be destroyed.

Balls keep rolling meanwhile; the commit waits. The text on a phone is not a rules card (0.3.1.4).
"""

from collections.abc import Sequence

from hextraction.controller.games.hextraction.cards.checklist import has_mark
from hextraction.controller.games.hextraction.cards.tiles import When
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import OfTile, QuestionKind, Stands, Undo
from hextraction.controller.games.hextraction.state.state import Ask, Phase
from hextraction.controller.games.hextraction.turn import destroying, turns

__all__ = ["CARD", "SHOW", "UNCARDED", "CardWanted", "ask_rules", "can_ask"]

_SHOW = [("shown", "I show the card"), ("none", "I have no card")]
_CHECKS = [
    ("ok", "A real card with a clear picture, the name and readable text"),
    ("picture", "The picture is not clear"),
    ("name", "The name is missing"),
    ("text", "I cannot read what it says"),
    ("screen", "It is no real card, only a screen or a photo"),
]
_NOBODY = ("none", "Nobody has it")
_FAULTS = {"picture": "0.3.1.1", "name": "0.3.1.2", "text": "0.3.1.3", "none": "2.5.3"}


def can_ask(move: Move, seat: str, copy: int) -> tuple[str, str] | None:
    """Return why a seat cannot ask for the card of a tile, with the clause; None if it can."""
    state = move.state
    play, own = state.play, copy in move.player(seat).hand
    if play is not None and not play.seated and copy in {play.copy, *play.pieces}:
        return "Somebody plays that tile now. Ask once it lies on the board.", "2.5.1"
    if not (own and state.copies[copy].name) and move.laid_copy(copy) is None:
        return "Ask about a tile on the board or in your own hand.", "2.5.1"
    tile = move.tile(copy)
    if not tile.starred:
        return f"{tile.title} has no effect, so it needs no rules card.", "2.5.1"
    if has_mark(state.marks, "printed", tile.name):
        return f"The rules of {tile.title} are printed on it, so it needs no card.", "2.5.1"
    if state.copies[copy].owner == seat:
        return "It is your own tile: you hold its card.", "2.5.2"
    if any(isinstance(ask.about, CardWanted) for ask in state.asks):
        return "One card at a time.", "2.5.2"
    return None


def ask_rules(move: Move, seat: str, action: act.Rules) -> None:
    """Ask the owner for the card; the time starts now."""
    if action.tile not in move.state.copies:
        raise Refusal("Ask about a tile on the board or in your own hand.", "2.5.1")
    why = can_ask(move, seat, action.tile)
    if why is not None:
        raise Refusal(*why)
    until_us = move.state.at_us + move.state.config.card_us
    laid = move.laid_copy(action.tile)
    what = f"{move.title(action.tile)} at {laid.slot}" if laid is not None else "a tile in the hand"
    move.say("card", f"{move.name(seat)} asks for the card of {what}.", seat=seat, clause="2.5.1")
    _ask_owner(move, action.tile, seat, until_us)


def _ask_owner(move: Move, copy: int, seat: str, until_us: int) -> None:
    """Ask the owner to show the card; if there is none, or who was it has left, everybody looks together."""
    owner = move.state.copies[copy].owner
    if owner not in move.playing():
        _ask_requester(move, copy, seat, until_us, [_NOBODY, *_CHECKS])
        return
    text = f"{move.name(seat)} asks for your rules card of {move.called(copy)}."
    clause = "2.2.3.4" if move.tile(copy).effects_when(When.SETUP) else "2.5.2"
    wanted = CardWanted(copy=copy, seat=seat, until_us=until_us)
    SHOW.ask(move, owner, text, clause, _SHOW, wanted, deadline_us=until_us)


class CardWanted(OfTile, frozen=True, kw_only=True):
    """The card of a tile, who asked for it, and until when it may be found."""

    seat: str
    until_us: int


def _answer_show(move: Move, ask: Ask, wanted: CardWanted, choice: str) -> None:
    """Continue after the owner has shown a card, or has found none in time."""
    copy, seat, until_us = wanted.copy, wanted.seat, wanted.until_us
    if choice == "shown":
        _ask_requester(move, copy, seat, until_us)
    else:
        _ask_what_follows(move, copy, seat, ask.clause if ask.clause == "2.2.3.4" else "2.5.3")


SHOW = QuestionKind(
    word="show",
    about=CardWanted,
    hear=_answer_show,
    stands=Stands.ANYHOW,
    undo=Undo.AS_BEFORE,
    default=1,
    answers=("shown", "none"),
)


def _ask_requester(
    move: Move, copy: int, seat: str, until_us: int, answers: Sequence[tuple[str, str]] = _CHECKS
) -> None:
    """Ask the player who requested the card, not its owner, to check it (0.3.1).

    The first of the answers holds without one: a card that its owner has shown is right, but of one that
    nobody has shown in a reasonable time nobody has any (2.5.3).
    """
    text = f"Is this a proper card of {move.called(copy)}? Whoever plays now may ask to hear it."
    late_us = max(until_us, move.state.at_us + move.state.config.attest_us)
    wanted = CardWanted(copy=copy, seat=seat, until_us=until_us)
    CARD.ask(move, seat, text, "0.3.1", answers, wanted, deadline_us=late_us)


def _answer_card(move: Move, _ask: Ask, wanted: CardWanted, choice: str) -> None:
    """Continue after the card was found right, wrong or not at all, or was no card: then the time runs on."""
    copy, seat, until_us = wanted.copy, wanted.seat, wanted.until_us
    if choice == "ok":
        owner = move.state.copies[copy].owner
        whose = f"{move.name(owner)}'s" if owner in move.playing() else "nobody's"
        said = f"It counts for every {move.title(copy)} of {whose}, and for no other."
        move.say("card", "The card is right.", clause="2.5.2")
        move.say("card", said, clause="0.3.2")
    elif choice == "screen" and move.state.copies[copy].owner in move.playing():
        move.say("card", "A screen is not a rules card: the clock keeps running.", clause="0.3.1.4")
        _ask_owner(move, copy, seat, until_us)
    else:
        _ask_what_follows(move, copy, seat, _FAULTS.get(choice, "0.3.1.4"))


CARD = QuestionKind(
    word="card",
    about=CardWanted,
    hear=_answer_card,
    stands=Stands.ANYHOW,
    undo=Undo.AS_BEFORE,
    default=0,
    answers=("ok", "picture", "name", "text", "screen", "none"),
)


def _ask_what_follows(move: Move, copy: int, seat: str, clause: str) -> None:
    choices = [("keep", "Let it be"), ("destroy", "Destroy it")]
    text = f"There is no proper card of {move.called(copy)}. Destroy the tile?"
    until_us = move.state.at_us + move.state.config.card_us
    wanted = CardWanted(copy=copy, seat=seat, until_us=until_us)
    UNCARDED.ask(move, seat, text, clause, choices, wanted, deadline_us=until_us)


def _answer_uncarded(move: Move, _ask: Ask, wanted: CardWanted, choice: str) -> None:
    """Destroy the tile without a vote: a running roll goes on; one from the hand is redrawn (2.5.3)."""
    copy, seat = wanted.copy, wanted.seat
    hand = move.player(seat).hand
    if choice != "destroy":
        return
    if move.laid_copy(copy) is not None:
        destroying.destroy(move, copy, by_vote=True, clause="2.5.3", seat=seat)
    elif copy in hand:
        move.set_player(seat, hand=tuple(other for other in hand if other != copy))
        destroying.destroy_unlaid(move, (copy,))
        move.say("card", f"{move.name(seat)} destroys a tile of the hand.", seat=seat, clause="2.5.3")
        turns.draw(move, seat)
    if move.state.phase is Phase.CHOOSING:
        move.set(phase=Phase.RESOLVING)


UNCARDED = QuestionKind(
    word="uncarded",
    about=CardWanted,
    hear=_answer_uncarded,
    stands=Stands.ANYHOW,
    undo=Undo.OVER_IF_TILES_GO,
    default=0,
    answers=("keep", "destroy"),
)

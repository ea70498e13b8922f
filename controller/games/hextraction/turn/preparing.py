"""Moving parts and set-up instructions of a tile being played (2.2.3, 3.SetupInstructions)."""

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import Tile, When
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import OfTile, QuestionKind, Stands, Undo
from hextraction.controller.games.hextraction.state.state import Ask, Laid, Phase

__all__ = ["SETUP", "adjust", "ask_setup", "can_adjust", "tell_setup"]


def _instructions(move: Move, copy: int) -> list[str]:
    effects = move.tile(copy).effects_when(When.SETUP)
    return [effect.text for effect in effects if move.struck(effect, copy) is None]


def tell_setup(move: Move, seat: str, copy: int) -> None:
    """List a tile's set-up steps when it is revealed; without any, its parts may be in any position."""
    for text in _instructions(move, copy):
        move.say("setup", f"Set-up of {move.title(copy)}: {text}", seat=seat, clause="3.SetupInstructions")
    if _moves(move.tile(copy)) and not _instructions(move, copy):
        said = f"Set the moving parts of {move.title(copy)} as you like."
        move.say("setup", said, seat=seat, clause="2.2.3.1")


def _moves(tile: Tile) -> bool:
    """Whether a kind of tile has moving parts: alternating exits, or instructions about them."""
    return bool(tile.alternates) or bool(tile.effects_when(When.SETUP))


def ask_setup(move: Move, seat: str, laid: Laid) -> None:
    """Ask for the instructions to be followed right after placing, the last chance to do so (2.2.3.2)."""
    steps = _instructions(move, laid.copy)
    if steps:
        text = f"{move.called(laid.copy)}: {' '.join(steps)}"
        choices = [("done", "Done: hands off from now on")]
        SETUP.ask(move, seat, text, "2.2.3.2", choices, OfTile(copy=laid.copy), slots=laid.slots[:1])


def _answer_setup(move: Move, ask: Ask, about: OfTile, _choice: str) -> None:
    """Note that the instructions have been followed: the parts are left alone from now on (2.2.3.3)."""
    copy = about.copy
    laid = tuple(
        msgspec.structs.replace(one, locked=True) if one.copy == copy else one for one in move.state.laid
    )
    move.set_laid(laid)
    move.say("setup", f"{move.called(copy)} is set up.", slot=ask.slots[0], clause="2.2.3.3")


SETUP = QuestionKind(
    word="setup",
    about=OfTile,
    hear=_answer_setup,
    stands=Stands.WHILE_IT_COUNTS,
    undo=Undo.AS_BEFORE,
    answers=("done",),
    watched=True,
)


def can_adjust(move: Move, seat: str) -> tuple[str, str] | None:
    """Return why a seat cannot set moving parts now, with the clause; None if it can."""
    play = move.state.play
    if play is None or play.seat != seat or move.state.phase is Phase.TIDYING:
        return "Set moving parts right before or right after you lay the tile.", "2.2.3"
    if not _moves(move.tile(play.copy)):
        return f"{move.title(play.copy)} has no moving parts.", "2.2.3"
    laid = move.laid_copy(play.copy)
    if laid is not None and laid.locked:
        return "Its set-up is done: leave the parts alone.", "2.2.3.3"
    return None


def adjust(move: Move, seat: str, _action: act.Adjust) -> None:
    """Set the moving parts of the tile being played."""
    why = can_adjust(move, seat)
    if why is not None:
        raise Refusal(*why)
    move.say("setup", f"{move.name(seat)} sets the moving parts.", seat=seat, clause="2.2.3")

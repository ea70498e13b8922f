"""Revealing a tile from the hand, also one that has no legal slot (2.2.1, 2.2.2, R-39)."""

from hextraction.controller.games.hextraction import actions as act
from hextraction.controller.games.hextraction import destroying, playing
from hextraction.controller.games.hextraction.fallback import Way, ways
from hextraction.controller.games.hextraction.move import Move, Refusal
from hextraction.controller.games.hextraction.slots import places
from hextraction.controller.games.hextraction.state import Ask, Copy

__all__ = ["answer_room", "reveal"]

_LONGEST_NAME = 60


def reveal(move: Move, seat: str, action: act.Play) -> None:
    """The active player reveals a tile from the hand."""
    if seat != move.state.active:
        raise Refusal(f"It is {move.name(move.state.active)}'s turn.", "2.2.1", "2.0.1")
    if move.state.plays_owed < 1:
        raise Refusal("No play is left this turn.", "2.0.3", "R-40")
    copy = _turn_up(move, seat, action)
    if places(move, copy):
        playing.start_play(move, seat, copy)
    else:
        _play_without_slot(move, seat, copy)


def _turn_up(move: Move, seat: str, action: act.Play) -> int:
    """Find the copy in the hand; a tile that only its holder had seen gets its name now."""
    hand = move.player(seat).hand
    if action.tile is not None and action.tile in hand and move.state.copies[action.tile].name:
        return action.tile
    hidden = [copy for copy in hand if not move.state.copies[copy].name]
    if action.tile in hidden:
        hidden = [action.tile]
    if not action.name or len(action.name) > _LONGEST_NAME or not hidden:
        raise Refusal("That tile is not in your hand.", "2.2.1")
    found = hidden[0]
    owner = move.state.copies[found].owner
    move.set(copies={**move.state.copies, found: Copy(id=found, name=action.name, owner=owner)})
    return found


def _play_without_slot(move: Move, seat: str, copy: int) -> None:
    """Start the play of a tile that has no legal slot by the fallback that applies."""
    possible = ways(move, seat)
    way = possible.get(copy)
    title = move.title(copy)
    if way is None and possible:
        raise Refusal(f"{title} has no legal slot; another tile in your hand goes first.", "2.2.2")
    if way is None:
        raise Refusal(f"{title} fits nowhere.", "2.2.2.1")
    if way.kind == "clear":
        _ask_room(move, seat, copy, way)
        return
    playing.start_play(move, seat, copy, overwrites=way.kind == "overwrite", ignores=way.ignores)


def _ask_room(move: Move, seat: str, copy: int, way: Way) -> None:
    choices = []
    for gone in way.clearings:
        laid = [one for removed in gone if (one := move.laid_copy(removed)) is not None]
        word = ",".join(one.slots[0] for one in laid)
        choices.append((word, " and ".join(f"{move.title(one.copy)} at {one.slots[0]}" for one in laid)))
    slots = tuple(dict.fromkeys(slot for word, _label in choices for slot in word.split(",")))
    text = f"No slot is legal for {move.title(copy)}. Destroy which tile to make room?"
    move.ask(
        "room", seat, text, "2.2.2.1", choices, slots=slots, args=(copy, ";".join(map(",".join, way.ignores)))
    )


def answer_room(move: Move, ask: Ask, choice: str) -> None:
    """The player has chosen what makes room; then the play begins (2.2.2.1)."""
    laid = [found for slot in choice.split(",") if (found := move.laid_at(slot)) is not None]
    destroying.destroy_all(move, tuple(one.copy for one in laid), clause="2.2.2.1")
    copy, written = int(ask.args[0]), str(ask.args[1])
    ignores = tuple(tuple(one.split(",")) for one in written.split(";")) if written else ()
    if places(move, copy, ignoring=ignores):
        playing.start_play(move, ask.seat, copy, ignores=ignores)

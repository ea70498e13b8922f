"""Why a tile may not lie somewhere, as a person would say it (2.2.1, 2.2.4.1, 3.Legal, 3.Limit, 3.Unique)."""

from collections.abc import Iterable

from hextraction.controller.games.hextraction.cards.tiles import Effect, Tile
from hextraction.controller.games.hextraction.lay.legal_slots import (
    UNIQUE_DUTY,
    limits,
    pieces_of,
    places,
    refuses,
)
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Play

__all__ = ["sixths", "which_way", "why_not_there", "why_nowhere"]

_COUNTED = {2: "two", 3: "three", 4: "four"}


def why_not_there(move: Move, play: Play, slot: str) -> tuple[str, str]:
    """Return why a tile being played may not lie in a slot, as a sentence, and the clause that says so."""
    tile, under = move.tile(play.copy), move.laid_at(slot)
    if slot not in move.board.by_name:
        return "The board has no such slot.", "R-70"
    if slot in move.state.blocked:
        return "A destroyed tile is stuck there.", "0.1.9"
    if play.directed:
        return "An effect says where it goes.", "3.Playing.B"
    limit = _limit_against(move, play, slot)
    if limit is not None:
        return limit
    if under is not None:
        return f"{move.title(under.copy)} lies there.", "2.2.1"
    if tile.covers:
        return _room_for(tile), "2.2.1"
    return "There would be no slot for the rest of it.", "2.2.1.1"


def _limit_against(move: Move, play: Play, slot: str) -> tuple[str, str] | None:
    """Return the Limit, in its own words, that keeps a tile from a slot; None if none does."""
    ignored = {name for names in play.ignores for name in names}
    names = [name for name in limits(move, play.copy) if name not in ignored]
    against = [name for name in names if refuses(move, play.copy, name, slot)]
    return _said_by(move, play.copy, against)


def _said_by(move: Move, copy: int, names: list[str]) -> tuple[str, str] | None:
    if UNIQUE_DUTY in names:
        return "It must go on top of the Unique tile with the same name.", "3.Unique.1"
    texts = {effect.deed.word: effect.text for effect in _effects_of(move, copy)}
    return next(((texts[name], "3.Limit") for name in names if name in texts), None)


def _effects_of(move: Move, copy: int) -> Iterable[Effect]:
    """Yield the effects of a tile, of the Combo that it is a part of, and of its parts."""
    tile, whole = move.tile(copy), move.state.copies[copy].whole
    for one in (tile, *((move.tile(whole),) if whole else ()), *map(move.rules.named, tile.parts)):
        yield from one.effects


def why_nowhere(move: Move, copy: int) -> tuple[str, str]:
    """Return why a tile has no legal slot at all, as a sentence, and the clause that says so."""
    tile, names = move.tile(copy), limits(move, copy)
    keeping = [name for name in names if places(move, copy, ignoring=((name,),))]
    if not keeping and names and places(move, copy, ignoring=(names,)):
        keeping = list(names)
    limit = _said_by(move, copy, keeping)
    if limit is not None:
        return limit
    if tile.covers or tile.parts:
        return _room_for(tile), "2.2.1.1" if tile.parts else "2.2.1"
    return "No slot is open.", "2.2.1"


def _room_for(tile: Tile) -> str:
    """Say how much room a tile needs."""
    number = pieces_of(tile) or 1 + len(tile.covers)
    count = _COUNTED.get(number, str(number))
    return (
        f"It needs {count} open slots." if tile.parts else f"It needs {count} open slots beside each other."
    )


def which_way(title: str, slot: str, turns: tuple[int, ...]) -> str:
    """Say in which orientations a tile bottoms out in a slot."""
    turned = " or ".join(str(each) for each in turns if each)
    if not turned:
        return f"{title} lies flat at {slot} only the right way up."
    if 0 in turns:
        return f"{title} lies flat at {slot} only the right way up, or turned {turned} sixths clockwise."
    return f"{title} lies flat at {slot} only if you turn it {turned} sixths clockwise."


def sixths(turns: int) -> str:
    """Say how a tile is turned, by how many sixths."""
    if not turns:
        return "the right way up"
    return f"{turns} sixth{'' if turns == 1 else 's'} clockwise"

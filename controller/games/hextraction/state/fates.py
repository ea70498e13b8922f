"""Who is to lose, win, go on or miss a turn, and because of which tile (2.8, 2.9, R-19).

Until it has come about a fate can be taken back: if the table strikes the effect (0.1) or undoes the
destruction that set it off (0.0); a loss or a win also by voting off the tile that brings it (2.8.2, 2.9.2).
"""

from collections.abc import Callable
from typing import Final, Literal

from hextraction.controller.games.hextraction.cards.tiles import Effect
from hextraction.controller.games.hextraction.cards.vocabulary import Deed
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Fate
from msgspec.structs import replace

__all__ = [
    "came_back",
    "decree",
    "fewer_plays",
    "fewer_rolls",
    "loses",
    "struck",
    "voted_off",
    "withdraw",
    "withdraw_haunting",
]

_Kind = Literal["losing", "winning", "cannot_win", "extra_turns", "skips"]
_AT_COMMIT: Final = ("losing", "winning", "cannot_win")


def decree(move: Move, seat: str, kind: _Kind, tile: int, gone: int) -> None:
    """Let a player lose, win, or not win when the game is stable, or have one turn more or less.

    ``gone`` is the tile whose destruction set it off; 0 if it was nothing of that kind.
    """
    now: tuple[Fate, ...] = getattr(move.player(seat), kind)
    move.set_player(seat, **{kind: (*now, Fate(tile, gone))})


def loses(move: Move, seat: str, tile: int, gone: int, *, slot: str | None, watcher: str = "") -> None:
    """Let a player lose when the game is stable, and tell it, unless this one is out already (R-72).

    ``watcher`` is what the tile is called that watched for it, unless its effect has just been told.
    """
    decree(move, seat, "losing", tile, gone)
    if not move.player(seat).out:
        name = move.name(seat)
        told = f"{name} loses as soon as all is quiet."
        said = f"{watcher}: {name} loses as soon as all is quiet." if watcher else told
        move.say("lose", said, seat=seat, slot=slot, clause="2.8.1.1")


def voted_off(move: Move, whole: int) -> None:
    """Take back what an effect of a tile that has been voted off would bring about (0.5.6, 2.8.2, 2.9.2)."""
    _take_back(move, lambda fate: _whole(move, fate.tile) == whole, "2.8.2", _AT_COMMIT)


def struck(move: Move, clause: str) -> None:
    """Take back what effects would bring about that the table has struck: they do nothing (0.1)."""
    _take_back(
        move,
        lambda fate: _is_struck(move, fate.tile, lambda deed: deed.decrees or deed.decrees_later),
        clause,
    )
    before = move.state
    rolls = [copy for copy in before.grants if _is_struck(move, copy, lambda deed: deed.gives == "rolls")]
    for copy in rolls:
        fewer_rolls(move, copy, 1)
    plays = [
        copy for copy in before.given_plays if _is_struck(move, copy, lambda deed: deed.gives == "plays")
    ]
    for copy in plays:
        fewer_plays(move, copy, 1)
    if any(_is_struck(move, copy, lambda deed: deed.lays_flat) for copy in plays):
        move.set(flat=any(_lays_flat(move, copy) for copy in move.state.given_plays))
    if (before.rolls_owed, before.plays_owed) != (move.state.rolls_owed, move.state.plays_owed):
        said = f"{move.name(before.active)} has nothing more to roll or play for that."
        move.say("lose", said, seat=before.active, clause=clause)


def fewer_rolls(move: Move, copy: int, count: int) -> None:
    """Owe fewer rolls by an effect that gave them: none, if a loop had been broken by then (R-32)."""
    grants, fewer = _without(move.state.grants, copy, count)
    move.set(rolls_owed=max(0, move.state.rolls_owed - fewer), grants=grants)


def fewer_plays(move: Move, copy: int, count: int) -> None:
    """Owe fewer plays by an effect that gave them, unless they have been used."""
    given, fewer = _without(move.state.given_plays, copy, count)
    move.set(plays_owed=max(0, move.state.plays_owed - fewer), given_plays=given)


def _without(given: tuple[int, ...], copy: int, count: int) -> tuple[tuple[int, ...], int]:
    """Return who gave something without so many gifts of a copy, and how many it had given of them."""
    own = given.count(copy)
    fewer = min(own, count)
    return (*(other for other in given if other != copy), *(copy,) * (own - fewer)), fewer


def _lays_flat(move: Move, copy: int) -> bool:
    return any(effect.deed.lays_flat for effect in move.tile(copy).effects)


def _is_struck(move: Move, copy: int, which: Callable[[Deed], object]) -> bool:
    effects = (effect for effect in move.tile(copy).effects if which(effect.deed))
    return any(move.struck(effect, copy) is not None for effect in effects)


def withdraw(move: Move, seat: str, effect: Effect, tile: int) -> None:
    """Take back what an effect has decreed at once for a player, as its touch was none (R-14)."""
    kind, by = effect.deed.decrees, Fate(tile)
    due: tuple[Fate, ...] = getattr(move.player(seat), kind)
    often = effect.amount if kind in {"extra_turns", "skips"} else 1
    others = tuple(fate for fate in due if fate != by)
    move.set_player(seat, **{kind: (*others, *(by,) * (due.count(by) - often))})


def withdraw_haunting(move: Move, seat: str, tile: int, still: int) -> None:
    """Take back turns that a haunting tile costs: ``still`` of its touches count, for one each (R-14)."""
    due = move.player(seat).skips
    haunted = [fate for fate in due if fate.tile == tile and fate.gone]
    spared = haunted[still:]
    move.set_player(seat, skips=tuple(fate for fate in due if fate not in spared))


def came_back(move: Move, whole: int) -> None:
    """Take back what the destruction of a tile set off, as the table has undone it (0.0).

    Who has lost by nothing else, and has taken nothing away, is back in the game.
    """
    _take_back(move, lambda fate: _whole(move, fate.gone) == whole, "0.0")
    for player in move.state.players:
        if player.out and player.lost_by and not player.conceded and not player.reclaimed:
            left = tuple(fate for fate in player.lost_by if _whole(move, fate.gone) != whole)
            move.set_player(player.seat, lost_by=left, out=bool(left))
            if not left:
                move.say("lose", f"{player.name} is back in the game.", seat=player.seat, clause="0.0")


def _take_back(
    move: Move,
    concerns: Callable[[Fate], bool],
    clause: str,
    kinds: tuple[_Kind, ...] = (*_AT_COMMIT, "extra_turns", "skips"),
) -> None:
    for player in move.state.players:
        left = {kind: tuple(fate for fate in getattr(player, kind) if not concerns(fate)) for kind in kinds}
        now = replace(player, **left)
        if now == player:
            continue
        move.set_player(player.seat, **left)
        if player.losing and not now.losing:
            move.say("lose", f"{player.name} does not lose after all.", seat=player.seat, clause=clause)
        if player.winning and not now.winning:
            move.say("lose", f"{player.name} does not win by that.", seat=player.seat, clause=clause)
        if player.extra_turns != now.extra_turns:
            move.say("lose", f"{player.name} has no extra turn by that.", seat=player.seat, clause=clause)
        if player.skips != now.skips:
            move.say("lose", f"{player.name} skips no turn for that.", seat=player.seat, clause=clause)


def _whole(move: Move, copy: int) -> int:
    return (move.state.copies[copy].whole or copy) if copy else 0

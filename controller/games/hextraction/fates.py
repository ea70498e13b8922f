"""What waits for the commit: who loses, wins or cannot win, and because of which tile (2.8, 2.9, R-19).

Until the commit a fate can be taken back: by voting off the tile whose effect it is (2.8.2, 2.9.2), or if the
table undoes the destruction that set it off (0.0).
"""

from collections.abc import Callable
from typing import Literal

from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Fate, Player
from msgspec.structs import replace

__all__ = ["came_back", "decree", "loses", "voted_off"]

_Kind = Literal["losing", "winning", "cannot_win"]


def decree(move: Move, seat: str, kind: _Kind, tile: int, gone: int) -> None:
    """Let a player lose, win, or not win when the game is stable.

    ``gone`` is the tile whose destruction set it off; 0 if it was nothing of that kind.
    """
    now: tuple[Fate, ...] = getattr(move.player(seat), kind)
    move.set_player(seat, **{kind: (*now, Fate(tile, gone))})


def loses(move: Move, seat: str, tile: int, gone: int, *, slot: str | None, watcher: str = "") -> None:
    """Let a player lose when the game is stable, and tell it, unless this one is out already (R-72).

    Args:
        watcher: what the tile is called that watched for it, where that is not the tile whose effect is told.
    """
    decree(move, seat, "losing", tile, gone)
    if not move.player(seat).out:
        name = move.name(seat)
        said = f"{watcher}: {name} loses when this settles." if watcher else f"{name} loses when this settles."
        move.say("lose", said, seat=seat, slot=slot, clause="2.8.1.1")


def voted_off(move: Move, whole: int) -> None:
    """Take back what an effect of a tile that has been voted off would bring about (0.5.6, 2.8.2, 2.9.2)."""
    _take_back(move, lambda fate: _whole(move, fate.tile) == whole, "2.8.2")


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


def _take_back(move: Move, concerns: Callable[[Fate], bool], clause: str) -> None:
    for player in move.state.players:
        now = _without(player, concerns)
        if now == player:
            continue
        move.set_player(player.seat, losing=now.losing, winning=now.winning, cannot_win=now.cannot_win)
        if player.losing and not now.losing:
            move.say("lose", f"{player.name} does not lose after all.", seat=player.seat, clause=clause)
        if player.winning and not now.winning:
            move.say("lose", f"{player.name} does not win by that.", seat=player.seat, clause=clause)


def _without(player: Player, concerns: Callable[[Fate], bool]) -> Player:
    return replace(
        player,
        losing=tuple(fate for fate in player.losing if not concerns(fate)),
        winning=tuple(fate for fate in player.winning if not concerns(fate)),
        cannot_win=tuple(fate for fate in player.cannot_win if not concerns(fate)),
    )


def _whole(move: Move, copy: int) -> int:
    return (move.state.copies[copy].whole or copy) if copy else 0

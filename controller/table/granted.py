"""What the lobby has granted, done in a running game: new names, a break, somebody leaving.

A module of its own because the host only asks for it, and is long enough.
"""

from typing import Final

from hextraction.controller.games.protocol import Acted
from hextraction.controller.play.runtime import Runtime
from hextraction.controller.table.lobby import Lobby, Wish

__all__ = ["GOES", "fulfil", "gone", "rename"]

GOES: Final = frozenset({"leave", "removed"})
"""What the lobby grants when somebody goes."""


def gone(wish: Wish) -> Wish:
    """Return the wish of somebody who leaves: even where nobody plays on for them, their phone goes."""
    return wish if wish.do == "leave" else Wish(do="removed", seat=wish.seat)


def rename(runtime: Runtime, lobby: Lobby, at_us: int) -> None:
    """Rename the game's seats after whoever plays them now."""
    names = {chair.seat: chair.name for chair in lobby.players}
    for player in runtime.standing.players:
        name = names.get(player.seat, player.name)
        if name != player.name:
            runtime.rename(player.seat, name, at_us)


def fulfil(runtime: Runtime, wish: Wish, at_us: int, chance: int) -> None:
    """Apply to the game what the lobby has granted: a break, its end, or a player leaving."""
    if wish.do == "leave":
        act = dict(runtime.referee.game.leaving)
        runtime.act(Acted(at_us=at_us, seat=wish.seat, act=act, chance=chance))
    elif wish.do in {"pause", "resume"}:
        runtime.pause(at_us, on=wish.do == "pause")

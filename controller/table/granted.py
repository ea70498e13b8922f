"""What the lobby has granted, done in a running game: new names, a break, somebody leaving; how often.

A module of its own because the host only asks for it, and is long enough.
"""

from collections import deque
from typing import Final

from hextraction.controller.games.protocol import Acted
from hextraction.controller.play.runtime import Runtime
from hextraction.controller.table.lobby import Lobby, Wish

__all__ = ["GOES", "STARTS", "Starts", "fulfil", "gone", "rename"]

GOES: Final = frozenset({"leave", "removed"})
"""What the lobby grants when somebody goes."""


STARTS: Final = frozenset({"start", "fresh"})
"""Words of a phone by which a game begins."""
_MOST, _WITHIN_US = 10, 300_000_000


class Starts:
    """How often phones may begin a game: each takes room on the disk and a line in the table's history."""

    def __init__(self) -> None:
        self._at_us: deque[int] = deque(maxlen=_MOST)

    def too_many(self, at_us: int) -> str:
        """Return why no game may begin now, empty if one may."""
        if len(self._at_us) == _MOST and 0 <= at_us - self._at_us[0] < _WITHIN_US:
            return "Ten games have begun in five minutes. Wait a little before the next one."
        return ""

    def note(self, at_us: int) -> None:
        """Note that a phone has begun a game."""
        self._at_us.append(at_us)


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

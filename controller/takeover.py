"""Who plays a seat of a game that is on: somebody takes it over, leaves it, or comes back after a crash."""

from collections.abc import Iterable
from typing import Literal

from hextraction.controller.games.hextraction import State
from hextraction.controller.games.protocol import Acted, Paused, Renamed
from hextraction.controller.lobby import Chair, Wish
from hextraction.controller.play.runtime import Runtime

__all__ = ["chairs_of", "fulfil", "rename"]


def chairs_of(state: State, kind: Literal["bot", "person"]) -> list[Chair]:
    """Return who sat where when a game was interrupted."""
    return [Chair(seat=player.seat, kind=kind, name=player.name) for player in state.players]


def rename(runtime: Runtime, chairs: Iterable[Chair], at_us: int) -> None:
    """Whoever plays a seat now gives it their name."""
    names = {chair.seat: chair.name for chair in chairs}
    for player in runtime.referee.state.players:
        name = names.get(player.seat, player.name)
        if name != player.name:
            runtime.handle(Renamed(at_us=max(at_us, runtime.referee.at_us), seat=player.seat, name=name))


def fulfil(runtime: Runtime, wish: Wish, at_us: int, chance: int) -> None:
    """Do to the game what the lobby has granted: a break, its end, or that somebody leaves."""
    if wish.do == "leave":
        runtime.act(Acted(at_us=at_us, seat=wish.seat, act={"do": "concede"}, chance=chance))
    elif wish.do in {"pause", "resume"}:
        runtime.advance(at_us)
        runtime.handle(Paused(at_us=max(at_us, runtime.referee.at_us), on=wish.do == "pause"))

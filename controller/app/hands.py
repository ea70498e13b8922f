"""The hands at a simulated table: what people would do with real tiles and balls.

They lay a tile in the slot that was chosen, lift destroyed tiles, take balls out of an end zone after the
roll, and know where a ball went when somebody is asked. They see what the game waits for and what lies on
the simulated board, never a hand of tiles.
"""

from typing import Any, Final

from hextraction.controller.games.protocol import Awaited, Game, Physical
from hextraction.controller.games.scene import Prompt
from hextraction.controller.play.referee import Referee
from hextraction.simulator.world import World

__all__ = ["Hands"]

_REACH_US: Final = 600_000
"""How long laying or lifting a tile takes."""


class Hands:
    """People's hands over a simulated world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._due_us: dict[str, int] = {}
        self._lies = Physical()

    def prepare(self, referee: Referee) -> None:
        """Lay out the board to match a game, before its first turn or after an interruption."""
        game: Game[Any, Any] = referee.game
        self._lies = referee.lies
        drawn = {one.place for one in game.scene(referee.state).places if one.piece is not None}
        for slot, tile in referee.lies.tiles.items():
            if f"slot.{slot}" in drawn:  # a larger tile is laid once, where it is drawn
                self._world.lay(slot, *tile)
        for slot in referee.lies.resting.values():
            self._world.put_ball(slot)

    def work(self, referee: Referee, now_us: int) -> None:
        """Do whatever the game waits for, after the time a hand takes."""
        self._lies = referee.lies
        awaited = referee.game.awaited(referee.state)
        wanted = self._wanted(awaited)
        self._due_us = {what: self._due_us.get(what, now_us + _REACH_US) for what in wanted}
        for what, due_us in tuple(self._due_us.items()):
            if due_us <= now_us:
                del self._due_us[what]
                self._do(awaited, what)

    def _wanted(self, awaited: Awaited) -> list[str]:
        wanted = [f"lift {slot}" for slot in awaited.lift]
        if awaited.lay is not None:
            wanted.append(f"lay {awaited.lay.slot}")
        if awaited.tidy:
            wanted += [f"take {zone}" for zone in self._world.contents.zones]
        if awaited.release is not None and not awaited.gates:
            wanted.append(f"release {awaited.release[1]}")
        return wanted

    def _do(self, awaited: Awaited, what: str) -> None:
        word, _space, place = what.partition(" ")
        match word:
            case "lift":
                self._world.lift(place)
            case "take":
                for ball in self._world.contents.zones.get(place, ()):
                    self._world.take_ball(ball)
            case "release" if place and self._world.ramp_clear(place):
                self._world.release(place)
            case "lay" if awaited.lay is not None:
                self._world.lay(*awaited.lay)

    def knows(self, prompt: Prompt) -> str | None:
        """Say, like a person who watched, where a ball went that no sensor saw."""
        if prompt.ball is None:
            return None
        known = list(self._lies.resting.values())
        for slot, balls in self._world.contents.slots.items():
            if len(balls) > known.count(slot):
                return f"slot.{slot}"
        return "off"

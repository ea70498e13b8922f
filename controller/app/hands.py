"""The hands at a simulated table: what people would do with real tiles and balls.

They lay a tile in the slot that was chosen, lift destroyed tiles, take balls out of an end zone after the
roll, and know where a ball went when somebody is asked. They see the public state of the game and the
simulated board, never a hand of tiles.
"""

from typing import Final

from hextraction.controller.games.hextraction import Phase, State
from hextraction.controller.games.hextraction.tiles import UNKNOWN, Catalogue
from hextraction.controller.games.hextraction.views import layout_of, resting_of
from hextraction.controller.games.protocol import Prompt
from hextraction.simulator.world import World

__all__ = ["Hands"]

_REACH_US: Final = 600_000
"""How long laying or lifting a tile takes."""


class Hands:
    """People's hands over a simulated world."""

    def __init__(self, world: World, tiles: Catalogue) -> None:
        self._world = world
        self._tiles = tiles
        self._due_us: dict[str, int] = {}
        self.state: State | None = None

    def prepare(self, state: State) -> None:
        """Lay out the board to match a game, before its first turn or after an interruption."""
        for slot, (name, turns) in layout_of(state).items():
            if any(laid.slots[0] == slot for laid in state.laid):
                self._world.lay(slot, self._tiles.get(name, UNKNOWN), turns)
        for slot in resting_of(state).values():
            self._world.put_ball(slot)

    def work(self, state: State, now_us: int) -> None:
        """Do whatever the game waits for, after the time a hand takes."""
        self.state = state
        wanted = self._wanted(state)
        self._due_us = {what: self._due_us.get(what, now_us + _REACH_US) for what in wanted}
        for what, due_us in tuple(self._due_us.items()):
            if due_us <= now_us:
                del self._due_us[what]
                self._do(state, what)

    def _wanted(self, state: State) -> list[str]:
        wanted = [f"lift {slot}" for slot in state.to_lift]
        play = state.play
        if state.phase is Phase.SEATING and play is not None and play.slots and not play.bottomed:
            wanted.append(f"lay {play.slots[0]}")
        if state.phase is Phase.CHOOSING:
            wanted += [f"take {zone}" for zone in self._world.contents.zones]
        if state.phase is Phase.RELEASING and state.intent is not None and not state.config.gates:
            wanted.append(f"release {state.intent[1]}")
        return wanted

    def _do(self, state: State, what: str) -> None:
        word, _space, place = what.partition(" ")
        match word:
            case "lift":
                self._world.lift(place)
            case "take":
                for ball in self._world.contents.zones.get(place, ()):
                    self._world.take_ball(ball)
            case "release" if place and self._world.ramp_clear(place):
                self._world.release(place)
            case "lay" if state.play is not None:
                name = state.copies[state.play.copy].name
                self._world.lay(place, self._tiles.get(name, UNKNOWN), state.play.turns)

    def knows(self, prompt: Prompt) -> str | None:
        """Say, like a person who watched, where a ball went that no sensor saw."""
        if prompt.kind != "missing" or self.state is None:
            return None
        known = list(resting_of(self.state).values())
        for slot, balls in self._world.contents.slots.items():
            if len(balls) > known.count(slot):
                return f"slot.{slot}"
        return "off"

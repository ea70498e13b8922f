"""The hands at a simulated table: what people would do with real tiles and balls.

They lay a tile in the slot that was chosen, lift destroyed tiles, take balls out of an end zone after the
roll, and know where a ball went when somebody is asked. They see what the game waits for and what lies on
the simulated board, never a hand of tiles.

They take their time, but they keep up with what people say: as soon as the game counts something as done (a
quick thumb said so, an effect turned a tile, the table agreed on it), it is done. So outside the slots where
hands are at work, the simulated board always looks as the game has it.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from hextraction.board.grid import turned
from hextraction.board.tiles import UNKNOWN_SHAPE, TileShape
from hextraction.controller.games.protocol import Awaited, Game, Physical
from hextraction.controller.games.scene import Prompt
from hextraction.controller.play.referee import Referee
from hextraction.simulator.world import World

__all__ = ["Hands"]

_REACH_US: Final = 300_000
"""How long laying or lifting a tile takes."""


class Hands:
    """People's hands over a simulated world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._due_us: dict[str, int] = {}
        self._lies = Physical()
        self._kept_up: tuple[object, ...] = ()
        self._stir: tuple[str, ...] = ()
        self._let_go: Mapping[int, str] = {}

    def prepare(self, referee: Referee) -> None:
        """Lay out the board to match a game, before its first turn or after an interruption."""
        self._lies = referee.lies
        for slot, tile in _drawn(referee):
            self._world.lay(slot, *tile)
        for slot in referee.lies.resting.values():
            self._world.put_ball(slot)

    def work(self, referee: Referee, now_us: int) -> None:
        """Do whatever the game waits for, after the time a hand takes, and what it counts as done at once."""
        self._lies = referee.lies
        awaited = referee.game.awaited(referee.state)
        self._keep_up(referee, awaited)
        self._do_as_told(awaited)
        wanted = self._wanted(awaited)
        self._due_us = {what: self._due_us.get(what, now_us + _REACH_US) for what in wanted}
        for what, due_us in tuple(self._due_us.items()):
            if due_us <= now_us:
                del self._due_us[what]
                self._do(awaited, what)

    def _do_as_told(self, awaited: Awaited) -> None:
        """Set balls moving, or let them go, as a card says, once its player says that it is done."""
        stir, let_go = self._stir, self._let_go
        self._stir, self._let_go = awaited.stir, self._lies.let_go
        if self._stir or self._let_go or not awaited.balls:
            return
        for slot in stir:
            self._world.kick(slot)
        for slot in let_go.values():
            self._world.put_ball(slot)

    def _keep_up(self, referee: Referee, awaited: Awaited) -> None:
        """Make the board look as the game has it, but for the slots where hands are at work."""
        now = (referee.lies.tiles, awaited.in_hands)
        if self._kept_up and now[0] is self._kept_up[0] and now[1] == self._kept_up[1]:
            return
        self._kept_up = now
        drawn = dict(_drawn(referee))
        whole = dict(drawn)
        for slot, (tile, turns) in drawn.items():
            whole |= dict.fromkeys(self._under(slot, tile, turns), (UNKNOWN_SHAPE, turns))
        there = self._world.tiles
        wrong = {slot for slot in self._world.board.slot_names if whole.get(slot) != there.get(slot)}
        wrong.difference_update(awaited.in_hands)
        for slot in sorted(wrong.difference(whole)):
            self._world.lift(slot)
        for slot, (tile, turns) in drawn.items():
            if slot in wrong and not tile.covers and there.get(slot, (None, 0))[0] == tile:
                self._world.turn(slot, turns)
            elif not wrong.isdisjoint((slot, *self._under(slot, tile, turns))):
                self._world.lay(slot, tile, turns)

    def _under(self, slot: str, tile: TileShape, turns: int) -> list[str]:
        """Return the other slots that a larger tile covers."""
        over = (self._world.board.neighbour(slot, turned(edge, turns)) for edge in tile.covers)
        return [slot for slot in over if slot is not None]

    def _wanted(self, awaited: Awaited) -> list[str]:
        wanted = [f"lift {slot}" for slot in awaited.lift]
        if awaited.lay is not None:
            wanted.append(f"lay {awaited.lay.slot}")
        if awaited.tidy:
            wanted += [f"take {zone}" for zone in self._world.contents.zones]
            wanted += [f"tidy {slot}" for slot in self._untidy()] if self._is_quiet(awaited) else []
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
            case "tidy":
                self._tidy(place)
            case "release" if place and self._world.ramp_clear(place):
                self._world.release(place)
            case "lay" if awaited.lay is not None:
                self._world.lay(*awaited.lay)

    def _is_quiet(self, awaited: Awaited) -> bool:
        return not (awaited.decision or awaited.in_hands or self._lies.told or self._world.moving)

    def _untidy(self) -> dict[str, int]:
        """Return the places where other balls lie than everybody believes, and how many should (R-14).

        Where a tile does not hold a ball none is put back: it would roll.
        """
        lie = Counter(self._lies.resting.values()) + Counter(self._lies.stuck.values())
        there, tiles = self._balls(), self._world.tiles
        goals = {}
        for place in {*lie, *there}:
            held = tiles[place][0].holds if place in tiles else 0
            goals[place] = min(lie[place], max(held, len(there.get(place, ()))))
        return {place: goals[place] for place in sorted(goals) if goals[place] != len(there.get(place, ()))}

    def _balls(self) -> dict[str, tuple[int, ...]]:
        contents = self._world.contents
        return {**contents.slots, **contents.ramps}

    def _tidy(self, place: str) -> None:
        """Take balls away that count as gone, and put back those that count as there."""
        there = self._balls().get(place, ())
        wanted = self._untidy().get(place, len(there))
        for ball in there[wanted:]:
            self._world.take_ball(ball)
        for _ball in range(wanted - len(there)):
            self._world.put_ball(place)

    def knows(self, prompt: Prompt) -> str | None:
        """Say, like a person who watched, where a ball went that no sensor saw."""
        if prompt.ball is None:
            return None
        known = list(self._lies.resting.values())
        for slot, balls in self._world.contents.slots.items():
            if len(balls) > known.count(slot):
                return f"slot.{slot}"
        return "off"


def _drawn(referee: Referee) -> list[tuple[str, tuple[TileShape, int]]]:
    """Return the tiles that should lie; a larger one once, where it is drawn."""
    game: Game[Any, Any] = referee.game
    drawn = {one.place for one in game.scene(referee.state).places if one.piece is not None}
    return [(slot, tile) for slot, tile in referee.lies.tiles.items() if f"slot.{slot}" in drawn]

"""Who was likely to win when: from how the tiles lay, for games in which a ball in an end zone wins.

A file of its own because it is a reckoning and no telling. It takes the board as it lies to stay so, and each
player to take the best ramp that is open, one roll a turn: with the chance p of one roll, a player who is
next but k of n wins with p (1 - p)^k / (1 - (1 - p)^n). What tiles do when they are touched, and what people
lay, is left out, as in ``board.outlook``; so it is a look at the board, not a prophecy.
"""

from collections.abc import Sequence
from typing import Any, Final

from hextraction.board.outlook import outlook
from hextraction.board.routes import load_routes
from hextraction.controller.games.protocol import Game, NoRolls, Physical
from hextraction.controller.games.scene import Scene

__all__ = ["Chances"]

_DIGITS: Final = 3


class Chances:
    """Reckons for one game; what lies there is looked at once for each change."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self._balls = not isinstance(game.roll_watcher(), NoRolls)
        self._seen: Physical | None = None
        self._ramps: dict[str, float] = {}

    def of(self, state: Any, scene: Scene) -> tuple[dict[str, float], float] | None:
        """Return each seat's chance to win, and that of the next ball; None while balls roll, or without any.

        At the end those who won share it all. Nothing is reckoned where nobody has told how the tiles lie.
        """
        lies = self._game.physical(state)
        if not (self._balls and lies.turned):
            return None
        if scene.winners:
            share = 1 / len(scene.winners)
            return {one.seat: share if one.seat in scene.winners else 0.0 for one in scene.seats}, 1.0
        if lies.rolling:
            return None
        self._look(lies)
        shut = {place.place for place in scene.places if place.shut}
        next_ball = max((p for ramp, p in self._ramps.items() if f"ramp.{ramp}" not in shut), default=0.0)
        return _shares(_order(scene), next_ball), round(next_ball, _DIGITS)

    def _look(self, lies: Physical) -> None:
        seen = self._seen
        if seen is not None and lies.tiles is seen.tiles and lies.resting is seen.resting:
            return
        board = self._game.board
        found = outlook(board, lies.tiles, load_routes(board.tilt_deg), set(lies.resting.values()))
        self._seen, self._ramps = lies, {one.ramp: float(one.zone) for one in found}


def _order(scene: Scene) -> Sequence[str]:
    """Return who rolls after whom from now on; whoever has rolled in this turn is the last."""
    seats = [one.seat for one in scene.seats if not one.out]
    if scene.active not in seats:
        return seats
    last = scene.last_roll
    rolled = last is not None and (last.turn, last.roller) == (scene.turn, scene.active)
    first = seats.index(scene.active) + (1 if rolled else 0)
    return [*seats[first:], *seats[:first]]


def _shares(order: Sequence[str], p: float) -> dict[str, float]:
    if not order:
        return {}
    weights = [(1 - p) ** later for later in range(len(order))] if p < 1 else [1.0, *[0.0] * (len(order) - 1)]
    return {seat: round(weight / sum(weights), _DIGITS) for seat, weight in zip(order, weights, strict=True)}

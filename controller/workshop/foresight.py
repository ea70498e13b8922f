"""Foresight: tells watchers the odds of the board as it lies.

A file of its own because it works beside the game. Nothing waits for it: it looks a few times a second
whether tiles or balls lie differently, and reckons in a thread of its own, never while balls run.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from hextraction.board.outlook import Outlook, outlook
from hextraction.board.routes import load_routes
from hextraction.controller.games.protocol import NoRolls, Physical
from hextraction.controller.payloads.messages import Odds, RampOdds
from hextraction.controller.table.host import Host

__all__ = ["Foresight"]

_EVERY_S: Final = 0.25
_ENDS: Final = 4
"""How many ends of each ramp are told."""


class Foresight:
    """What was told last. ``when`` is ``before`` a roll, while it is ``rolling``, or ``off``."""

    def __init__(self, host: Host, publish: Callable[[Odds], None], when: str) -> None:
        self._host = host
        self._publish = publish
        self._when = when
        self._seen: tuple[str, object, object] = ("", None, None)
        self._made: tuple[RampOdds, ...] = ()
        self._told: Odds | None = None

    async def run(self) -> None:
        """Look again and again."""
        while self._when != "off":
            await self.look()
            await asyncio.sleep(_EVERY_S)

    async def look(self) -> None:
        """Tell the odds if they are others than before, and may be told now."""
        runtime = self._host.playing
        if runtime is None or isinstance(runtime.referee.rolls, NoRolls):
            return self._tell(Odds(game=""))
        lies, game = runtime.referee.lies, runtime.game
        if not lies.turned:
            return self._tell(Odds(game=game))
        seen = (game, lies.tiles, lies.resting)
        if not lies.rolling and any(new is not old for new, old in zip(seen, self._seen, strict=True)):
            self._made = await asyncio.to_thread(_reckon, self._host, lies)
            self._seen = seen
        may = self._when == "before" or lies.rolling
        return self._tell(Odds(game=game, ramps=self._made if may else ()))

    def _tell(self, odds: Odds) -> None:
        if odds != self._told and (self._told is not None or odds.ramps):
            self._told = odds
            self._publish(odds)


def _reckon(host: Host, lies: Physical) -> tuple[RampOdds, ...]:
    board = host.game.board
    found = outlook(board, lies.tiles, load_routes(board.tilt_deg), set(lies.resting.values()))
    return tuple(_as_told(one) for one in found)


def _as_told(one: Outlook) -> RampOdds:
    ends = {end: round(share, 3) for end, share in list(one.ends.items())[:_ENDS]}
    return RampOdds(ramp=one.ramp, zone=round(one.zone, 3), ends=ends, guessed=bool(one.guessed))

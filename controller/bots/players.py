"""Bots: players who choose among the same options that a person would be shown, and see no more.

A bot thinks for a while (in simulated time), then picks as its game's strategy says. Its
:class:`~hextraction.controller.games.strategy.Temper` says how often it does something else.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

from hextraction.board.tiles import Layout
from hextraction.controller.games.scene import Option, PrivateView
from hextraction.controller.games.strategy import USUAL, Knows, Strategy, Temper

__all__ = ["Bot"]

_THINK_US: Final = (700_000, 1_500_000)
Lies = Callable[[], Layout]
"""Tells which tiles lie on the board, when it matters."""


class Bot:
    """One simulated player. The same seat and seed choose the same."""

    def __init__(
        self,
        seat: str,
        seed: int | str,
        *,
        strategy: Strategy,
        knows: Knows | None = None,
        temper: Temper = USUAL,
    ) -> None:
        self.seat = seat
        self._temper = temper
        self._rng = random.Random(f"{seed}/{seat}")  # noqa: S311 - a game of marbles
        self._strategy = strategy
        self._knows = knows
        self._ready_us: int | None = None
        self._seen: tuple[object, ...] = ()
        self._view: PrivateView | None = None
        self._open: Sequence[Option] = ()

    def think(self, view: PrivateView, lies: Lies, now_us: int) -> dict[str, Any] | None:
        """Return what the bot does now, if it has thought long enough."""
        if view is not self._view or view.prompts:
            self._view, self._open = view, self._strategy.choices(view, self._knows)
        choices = self._open
        if not choices:
            self._ready_us = None
            return None
        wanted = (len(choices), view.prompts[:1], choices[0].label)
        if self._ready_us is None or wanted != self._seen:
            self._seen = wanted
            self._ready_us = now_us + self._rng.randint(*_THINK_US)
        if now_us < self._ready_us:
            return None
        self._ready_us = None
        return self._pick(view, choices, lies)

    def choose(self, view: PrivateView, lies: Lies) -> dict[str, Any] | None:
        """Return what the bot does, without time to think; None if it has nothing to do."""
        if self._temper.talk and self._rng.random() < self._temper.talk:
            said = self.talk(view)
            if said is not None:
                return said
        return self.move(view, lies)

    def move(self, view: PrivateView, lies: Lies) -> dict[str, Any] | None:
        """Return what the bot does to move the game forward; None if it has nothing to do."""
        choices = self._strategy.choices(view, self._knows)
        return self._pick(view, choices, lies) if choices else None

    def talk(self, view: PrivateView) -> dict[str, Any] | None:
        """Return something to say out of turn, if the bot may say anything."""
        return self._strategy.talk(view, self._rng)

    def _pick(self, view: PrivateView, choices: Sequence[Option], lies: Lies) -> dict[str, Any]:
        return self._strategy.pick(view, choices, lies, self._rng, self._temper)

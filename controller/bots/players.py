"""Bots: players who choose among the same options that a person would be shown, and see no more.

A bot thinks for a while (in simulated time), then picks as its game's strategy says. Its
:class:`~hextraction.controller.games.strategy.Temper` says how often it does something else.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from hextraction.controller.games.scene import Option, PrivateView
from hextraction.controller.games.strategy import USUAL, Knows, Paced, Sight, Strategy, Temper

__all__ = ["Bot", "Following"]

_THINK_US: Final = (500_000, 900_000)
"""How long a bot thinks when it is asked for something."""
_GO_ON_US: Final = (100_000, 250_000)
_ONE_GO_US: Final = 4_000_000
"""What else it does so soon after it did something has been thought about already; the same again has not."""


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
        self._acted_us = -_ONE_GO_US
        self._did: object = None
        self._seen: tuple[object, ...] = ()
        self._view: PrivateView | None = None
        self._open: Sequence[Option] = ()
        self._pondering: Iterator[dict[str, Any] | None] | None = None
        self.offered = 0
        """Among how many things it could choose when it last moved."""

    def think(self, view: PrivateView, sight: Sight, now_us: int) -> dict[str, Any] | None:
        """Return what the bot does now, if it has thought long enough.

        It ponders a few milliseconds at a time, so that the table need not wait for it.
        """
        if view is not self._view:
            self._pondering = None
        if view is not self._view or view.prompts:
            self._view, self._open = view, self._strategy.choices(view, self._knows)
        choices = self._open
        if not choices:
            self._ready_us = None
            return None
        wanted = (len(choices), view.prompts[:1], choices[0].label)
        if self._ready_us is None or wanted != self._seen:
            self._seen, self._pondering = wanted, None
            going_on = now_us - self._acted_us < _ONE_GO_US and choices[0].act["do"] != self._did
            self._ready_us = now_us + self._rng.randint(*(_GO_ON_US if going_on else _THINK_US))
        if now_us < self._ready_us:
            return None
        if self._pondering is None:
            self._pondering = self._strategy.ponder(view, choices, sight, self._rng, self._temper)
        act = next(self._pondering)
        if act is not None:
            self._ready_us = self._pondering = None
            self._acted_us, self._did = now_us, act["do"]
        return act

    def seen_us(self, act: Mapping[str, Any], *, asks: bool) -> int:
        """Return for how long people look at what an act of this bot did, in microseconds; usually 0.

        ``asks`` says that people are asked something now: the host waits no longer than for their answers.
        """
        return self._strategy.seen_us(act, asks=asks) if isinstance(self._strategy, Paced) else 0

    def choose(self, view: PrivateView, sight: Sight) -> dict[str, Any] | None:
        """Return what the bot does, without time to think; None if it has nothing to do."""
        if self._temper.talk and self._rng.random() < self._temper.talk:
            said = self.talk(view)
            if said is not None:
                return said
        return self.move(view, sight)

    def move(self, view: PrivateView, sight: Sight) -> dict[str, Any] | None:
        """Return what the bot does to move the game forward; None if it has nothing to do."""
        choices = self._strategy.choices(view, self._knows)
        self.offered = len(choices)
        if not choices:
            return None
        pondering = self._strategy.ponder(view, choices, sight, self._rng, self._temper)
        return next(act for act in pondering if act is not None)

    def talk(self, view: PrivateView) -> dict[str, Any] | None:
        """Return something to say out of turn, if the bot may say anything."""
        return self._strategy.talk(view, self._rng)


class Following:
    """Whether people at a table still look at what a bot did last: until then no bot goes on."""

    def __init__(self) -> None:
        self._until_us = 0
        self._asks = False

    def look(self, now_us: int, seen_us: int, *, asks: bool) -> bool:
        """Let people look for so long, if it ``asks`` them something at most until they have answered.

        Return whether anything else waits for that.
        """
        self._until_us, self._asks = now_us + seen_us, asks
        return now_us < self._until_us

    def still(self, now_us: int, asked: Callable[[], object]) -> bool:
        """Return whether they look on; ``asked`` says what any of them is asked."""
        return now_us < self._until_us and not (self._asks and not asked())

"""Bots: players who choose among the very options that a person would be shown. They see nothing else.

A bot thinks for a while (of simulated time), then picks: it lays tiles where balls may come, rolls when it can,
answers what it is asked, and never calls a vote or leaves. Chance comes from a seed of its own.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

from hextraction.controller.games.protocol import Option, PrivateView, Prompt

__all__ = ["Bot"]

_THINK_US: Final = (700_000, 1_500_000)
_ORDER: Final = ("ballot", "place", "activate", "play", "roll", "end")
"""What a bot does first when several things are possible; before its roll it mostly lays its tile."""

Knowing = Callable[[Prompt], str | None]
"""Somebody who saw what happened may know the answer to a question about balls."""


class Bot:
    """One simulated player."""

    def __init__(self, seat: str, seed: int, *, knows: Knowing | None = None, pace: float = 1.0) -> None:
        self.seat = seat
        self._rng = random.Random(f"{seed}/{seat}")  # noqa: S311 - a game of marbles
        self._knows = knows
        self._pace = pace
        self._ready_us: int | None = None
        self._seen: tuple[object, ...] = ()

    def think(self, view: PrivateView, now_us: int) -> dict[str, Any] | None:
        """Return what the bot does now, if it has thought long enough."""
        choices = self._choices(view)
        wanted = (len(choices), view.prompts[:1], tuple(option.label for option in choices[:1]))
        if not choices:
            self._ready_us = None
            return None
        if self._ready_us is None or wanted != self._seen:
            self._seen = wanted
            self._ready_us = now_us + int(self._rng.randint(*_THINK_US) * self._pace)
        if now_us < self._ready_us:
            return None
        self._ready_us = None
        return self._act(self._rng.choice(choices))

    def _choices(self, view: PrivateView) -> Sequence[Option]:
        if view.prompts:
            prompt = view.prompts[0]
            known = self._knows(prompt) if self._knows is not None else None
            told = [option for option in prompt.options if option.act.get("choice") == known]
            if told:
                return told
            return prompt.options if prompt.default is None else [prompt.options[prompt.default]]
        by_group: dict[str, list[Option]] = {}
        for option in view.options:
            by_group.setdefault(option.group, []).append(option)
        ballots = [option for option in by_group.get("ballot", []) if "seat" not in option.act]
        if ballots:
            return ballots
        return next((by_group[group] for group in _ORDER if group in by_group and group != "ballot"), ())

    def _act(self, option: Option) -> dict[str, Any]:
        return {**option.act, "turns": self._rng.choice(option.turns)} if option.turns else dict(option.act)

"""Bots: players who choose among the same options that a person would be shown, and see no more.

A bot thinks for a while (in simulated time), then picks: it lays its tile where balls then run best, rolls
where they run furthest and answers what it is asked. Now and then, by its own seed, it does something else,
as people do. Its :class:`Temper` says how often, and whether it ever calls a vote or leaves.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hextraction.board.tiles import Shapes
from hextraction.controller.bots.insight import Insight, Layout
from hextraction.controller.games.protocol import Option, PrivateView, Prompt

__all__ = ["Bot", "Knowing", "Temper"]

_THINK_US: Final = (700_000, 1_500_000)
_ORDER: Final = ("place", "activate", "play", "roll", "end")
"""The order in which a bot prefers actions: it mostly lays its tile before it rolls."""
_TALK: Final[Mapping[str, float]] = {
    "adjust": 1.0, "break_loop": 30.0, "concede": 0.01, "contend": 0.5, "flag": 0.2, "flick": 0.5,
    "jammed": 1.0, "overrule": 1.0, "reclaim": 30.0, "rules": 1.0, "undo": 0.5, "vote": 1.0,
}  # fmt: skip
"""What a bot may say out of turn, with relative weights."""

Knowing = Callable[[Prompt], str | None]
"""Answers a question about balls for somebody who saw what happened, or None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Temper:
    """How a bot plays; each value is a probability, 0 to 1.

    ``whim``: it makes a random move instead of the best. ``talk``: it says something out of turn (a vote, a
    dispute, Break the Loop, leaving) when :meth:`Bot.choose` asks. ``kindness``: it votes yea. ``looks_at``
    is not a probability but the most places for a tile that it compares, 0 for all.
    """

    whim: float = 0.12
    talk: float = 0.0
    kindness: float = 0.5
    looks_at: int = 0


class Bot:
    """One simulated player."""

    def __init__(
        self,
        seat: str,
        seed: int | str,
        *,
        insight: Insight,
        tiles: Shapes,
        knows: Knowing | None = None,
        temper: Temper = Temper(),
    ) -> None:
        self.seat = seat
        self._temper = temper
        self._rng = random.Random(f"{seed}/{seat}")  # noqa: S311 - a game of marbles
        self._insight = insight
        self._tiles = tiles
        self._knows = knows
        self._ready_us: int | None = None
        self._seen: tuple[object, ...] = ()
        self._view: PrivateView | None = None
        self._open: Sequence[Option] = ()

    def think(self, view: PrivateView, layout: Callable[[], Layout], now_us: int) -> dict[str, Any] | None:
        """Return what the bot does now, if it has thought long enough; ``layout`` returns the tiles laid."""
        if view is not self._view or view.prompts:
            self._view, self._open = view, self._choices(view)
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
        return self._pick(view, choices, layout())

    def choose(self, view: PrivateView, layout: Callable[[], Layout]) -> dict[str, Any] | None:
        """Return what the bot does, without time to think; None if it has nothing to do."""
        if self._temper.talk and self._rng.random() < self._temper.talk:
            said = self.talk(view)
            if said is not None:
                return said
        return self.move(view, layout)

    def move(self, view: PrivateView, layout: Callable[[], Layout]) -> dict[str, Any] | None:
        """Return what the bot does to move the game forward; None if it has nothing to do."""
        choices = self._choices(view)
        return self._pick(view, choices, layout()) if choices else None

    def talk(self, view: PrivateView) -> dict[str, Any] | None:
        """Return something to say out of turn, if the bot may say anything."""
        by_group: dict[str, list[Option]] = {}
        for option in view.options:
            if option.group in _TALK:
                by_group.setdefault(option.group, []).append(option)
        if not by_group:
            return None
        words = list(by_group)
        word = self._rng.choices(words, [_TALK[word] for word in words])[0]
        return dict(self._rng.choice(by_group[word]).act)

    def _choices(self, view: PrivateView) -> Sequence[Option]:
        if view.prompts:
            return self._answers(view.prompts[0])
        by_group: dict[str, list[Option]] = {}
        for option in view.options:
            by_group.setdefault(option.group, []).append(option)
        if "seated" in by_group:
            return []  # the tile is on its way into the slot; the hands lay it
        ballots = [option for option in by_group.get("ballot", []) if "seat" not in option.act]
        return ballots or next((by_group[group] for group in _ORDER if group in by_group), [])

    def _answers(self, prompt: Prompt) -> Sequence[Option]:
        known = self._knows(prompt) if self._knows is not None else None
        told = [option for option in prompt.options if option.act.get("choice") == known]
        if told:
            return told
        return prompt.options if prompt.default is None else [prompt.options[prompt.default]]

    def _pick(self, view: PrivateView, choices: Sequence[Option], layout: Layout) -> dict[str, Any]:
        group = choices[0].group
        if group == "ballot" and self._rng.random() < self._temper.kindness * 2 - 1:
            return dict(choices[0].act)
        if self._rng.random() >= self._temper.whim:
            if group == "play":
                return dict(max(choices, key=lambda option: self._worth_playing(view, option, layout)).act)
            if group == "place":
                return self._best_place(view, choices, layout)
            if group == "roll":
                return dict(max(choices, key=lambda option: self._worth_rolling(option, layout)).act)
        option = self._rng.choice(choices)
        return {**option.act, "turns": self._rng.choice(option.turns)} if option.turns else dict(option.act)

    def _worth_playing(self, view: PrivateView, option: Option, layout: Layout) -> float:
        """Rate the best layout with this tile of the hand in an open slot."""
        name = next((tile.name for tile in view.hand if tile.id == option.tile), "")
        tile = self._tiles.get(name)
        if tile is None:
            return 0.0
        places = [(slot, turns) for slot in self._insight.open_slots(layout) for turns in tile.turns]
        best = self._insight.best_place(layout, tile, self._some(places))
        return (best[0] if best is not None else 0.0) + self._rng.random() * 0.1

    def _best_place(self, view: PrivateView, choices: Sequence[Option], layout: Layout) -> dict[str, Any]:
        name = next((tile.name for tile in view.hand if tile.id == choices[0].tile), "")
        tile = self._tiles.get(name)
        places = [
            (option.slot, turns) for option in choices for turns in option.turns if option.slot is not None
        ]
        best = self._insight.best_place(layout, tile, self._some(places)) if tile is not None else None
        if best is None:
            option = self._rng.choice(choices)
            return {**option.act, "turns": option.turns[0]}
        chosen = next(option for option in choices if option.slot == best[1])
        return {**chosen.act, "turns": best[2]}

    def _some(self, places: list[tuple[str, int]]) -> list[tuple[str, int]]:
        most = self._temper.looks_at
        return self._rng.sample(places, most) if 0 < most < len(places) else places

    def _worth_rolling(self, option: Option, layout: Layout) -> float:
        ramps = [option.ramp] if option.ramp is not None else None
        return self._insight.worth(layout, ramps) + self._rng.random() * 0.1

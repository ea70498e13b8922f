"""How bots play Hextraction: they lay a tile where balls then run best, and roll where they run furthest.

Now and then, by the temper of the bot, they do something else, as people do.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from hextraction.board.profile import Board
from hextraction.board.tiles import Layout, Shapes
from hextraction.controller.games.hextraction.shown.insight import Insight
from hextraction.controller.games.scene import Option, PrivateView
from hextraction.controller.games.strategy import Knows, Luck, Sight, Temper, answers_to

__all__ = ["HexStrategy"]

_ORDER: Final = ("place", "activate", "play", "roll", "end")
"""The order in which a bot prefers actions: it mostly lays its tile before it rolls."""
_TALK: Final[Mapping[str, float]] = {
    "adjust": 1.0, "break_loop": 30.0, "concede": 0.01, "contend": 0.5, "fallen": 0.2, "flag": 0.2,
    "flick": 0.5, "jammed": 1.0, "overrule": 1.0, "reclaim": 30.0, "rules": 1.0, "undo": 0.5, "vote": 1.0,
}  # fmt: skip
"""What a bot may say out of turn, with relative weights."""


class HexStrategy:
    """Chooses among the options that a person would be shown. ``tiles`` are the shapes by name."""

    def __init__(self, board: Board, tiles: Shapes) -> None:
        self._board = board
        self._tiles = tiles
        self._insight = Insight(board)

    def choices(self, view: PrivateView, knows: Knows | None) -> Sequence[Option]:
        """Return the options that move the game forward now."""
        if view.prompts:
            return answers_to(view.prompts[0], knows)
        by_group: dict[str, list[Option]] = {}
        for option in view.options:
            by_group.setdefault(option.group, []).append(option)
        if "seated" in by_group:
            return []  # the tile is on its way into the slot; the hands lay it
        ballots = [option for option in by_group.get("ballot", []) if "seat" not in option.act]
        return ballots or next((by_group[group] for group in _ORDER if group in by_group), [])

    def talk(self, view: PrivateView, luck: Luck) -> dict[str, Any] | None:
        """Return something to say out of turn (a vote, a dispute, Break the Loop, leaving), or None."""
        by_group: dict[str, list[Option]] = {}
        for option in view.options:
            if option.group in _TALK:
                by_group.setdefault(option.group, []).append(option)
        if not by_group:
            return None
        words = list(by_group)
        word = luck.choices(words, [_TALK[word] for word in words])[0]
        return dict(luck.choice(by_group[word]).act)

    def pick(
        self,
        view: PrivateView,
        choices: Sequence[Option],
        lies: Callable[[], Layout],
        luck: Luck,
        temper: Temper,
    ) -> dict[str, Any]:
        """Return the act of the best of these choices, or of any if the bot is in the mood."""
        group = choices[0].group
        if group == "ballot" and luck.random() < temper.kindness * 2 - 1:
            return dict(choices[0].act)
        layout = lies()
        if luck.random() >= temper.whim:
            judge = _Judge(self._insight, self._tiles, layout, luck, temper.looks_at)
            if group == "play":
                return dict(max(choices, key=lambda option: judge.worth_playing(view, option)).act)
            if group == "place":
                return judge.best_place(view, choices)
            if group == "roll":
                return dict(max(choices, key=judge.worth_rolling).act)
        option = luck.choice(choices)
        return {**option.act, "turns": luck.choice(option.turns)} if option.turns else dict(option.act)

    def ponder(
        self, view: PrivateView, choices: Sequence[Option], sight: Sight, luck: Luck, temper: Temper
    ) -> Iterator[dict[str, Any] | None]:
        """Pick at once."""
        yield self.pick(view, choices, sight.lies, luck, temper)


class _Judge:
    """Rates options over one layout."""

    def __init__(self, insight: Insight, tiles: Shapes, layout: Layout, luck: Luck, most: int) -> None:
        self._insight, self._tiles, self._layout, self._luck, self._most = insight, tiles, layout, luck, most

    def worth_playing(self, view: PrivateView, option: Option) -> float:
        """Rate the best layout with this tile of the hand in an open slot."""
        name = next((tile.name for tile in view.hand if tile.id == option.tile), "")
        tile = self._tiles.get(name)
        if tile is None:
            return 0.0
        places = [(slot, turns) for slot in self._insight.open_slots(self._layout) for turns in tile.turns]
        best = self._insight.best_place(self._layout, tile, self._some(places))
        return (best[0] if best is not None else 0.0) + self._luck.random() * 0.1

    def best_place(self, view: PrivateView, choices: Sequence[Option]) -> dict[str, Any]:
        """Return the act that lays the tile where balls then run best."""
        name = next((tile.name for tile in view.hand if tile.id == choices[0].tile), "")
        tile = self._tiles.get(name)
        places = [
            (option.slot, turns) for option in choices for turns in option.turns if option.slot is not None
        ]
        best = self._insight.best_place(self._layout, tile, self._some(places)) if tile is not None else None
        if best is None:
            option = self._luck.choice(choices)
            return {**option.act, "turns": option.turns[0]}
        chosen = next(option for option in choices if option.slot == best[1])
        return {**chosen.act, "turns": best[2]}

    def _some(self, places: list[tuple[str, int]]) -> list[tuple[str, int]]:
        return self._luck.sample(places, self._most) if 0 < self._most < len(places) else places

    def worth_rolling(self, option: Option) -> float:
        """Rate how far balls run from a ramp."""
        ramps = [option.ramp] if option.ramp is not None else None
        return self._insight.worth(self._layout, ramps) + self._luck.random() * 0.1

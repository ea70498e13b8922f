"""How bots play Hextris. Strong ones search; weak ones look one ply ahead, and now and then do anything."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, Final

from hextraction.board.tiles import Layout
from hextraction.controller.games.hextris.position import Ply, Position, named
from hextraction.controller.games.hextris.search import BUDGET, best, worth
from hextraction.controller.games.hextris.views import Detail
from hextraction.controller.games.hextris.written import position_from
from hextraction.controller.games.scene import Option, PrivateView
from hextraction.controller.games.strategy import Knows, Luck, Sight, Strength, Temper

__all__ = ["Player"]

_PLIES: Final = frozenset({"drop", "slide", "swap"})
_TALK: Final = {"draw": 0.05, "take_back": 1.0}
"""How likely a bot is to ask this of the others, when it might."""
_DEEPEST: Final = 6
_CARELESS: Final = 0.2
"""How often a weak bot makes any ply."""


class Player:
    """The strategy of one strength."""

    def __init__(self, strength: Strength = "strong", budget: int = BUDGET) -> None:
        self._weak = strength == "weak"
        self._budget = budget

    def choices(self, view: PrivateView, knows: Knows | None) -> Sequence[Option]:  # noqa: ARG002
        """Return the answers to a question, else the legal plies."""
        if view.prompts:
            return view.prompts[0].options
        return [option for option in view.options if option.group in _PLIES]

    def pick(
        self,
        view: PrivateView,
        choices: Sequence[Option],
        lies: Callable[[], Layout],  # noqa: ARG002 - as the protocol says
        luck: Luck,
        temper: Temper,
    ) -> dict[str, Any]:
        """Return an answer, or any of the plies."""
        if not view.prompts:
            return dict(luck.choice(choices).act)
        prompt = view.prompts[0]
        if prompt.kind == "board":
            wanted = "back"
        elif prompt.kind == "repeated":
            wanted = "yes"
        else:
            wanted = "yes" if luck.random() < temper.kindness else "no"
        return dict(next(one for one in prompt.options if one.act["choice"] == wanted).act)

    def ponder(
        self, view: PrivateView, choices: Sequence[Option], sight: Sight, luck: Luck, temper: Temper
    ) -> Iterator[dict[str, Any] | None]:
        """Search for the best ply, a slice at a time. A draw is agreed to by whoever stands worse."""
        detail = sight.scene().detail
        if view.prompts and view.prompts[0].kind == "draw" and isinstance(detail, Detail):
            worse = worth(_position(detail), detail.seats.index(view.seat)) < 0
            yield dict(view.prompts[0].options[0 if worse else 1].act)
            return
        careless = luck.random() < max(temper.whim, _CARELESS if self._weak else 0.0)
        if view.prompts or careless or not isinstance(detail, Detail):
            yield self.pick(view, choices, sight.lies, luck, temper)
            return
        position = _position(detail)
        ply = yield from self._searched(position, detail.reading, luck)
        yield next((dict(one.act) for one in choices if _declares(one.act, ply)), dict(choices[0].act))

    def _searched(self, position: Position, reading: str, luck: Luck) -> Generator[None, None, Ply]:
        budget, deepest = (1, 1) if self._weak else (self._budget, _DEEPEST)
        found = yield from best(position, reading, budget=budget, deepest=deepest)
        equal = [move for rated, move in found if rated == found[0][0]]
        return named(luck.choice(equal))

    def talk(self, view: PrivateView, luck: Luck) -> dict[str, Any] | None:
        """Return something to ask of the others, or None."""
        words = [one for one in view.options if luck.random() < _TALK.get(one.group, 0.0)]
        return dict(luck.choice(words).act) if words else None


def _position(detail: Detail) -> Position:
    """Return the position that everybody sees."""
    shown = detail.position
    pieces = {cell: (int(what[0]), what[1]) for cell, what in shown.pieces.items()}
    return position_from(pieces, shown.players, shown.mover, shown.hands, shown.home)


def _declares(act: Mapping[str, Any], ply: Ply) -> bool:
    return (act["do"], act.get("to", ""), act.get("at", ""), act.get("size", "")) == (*ply,)

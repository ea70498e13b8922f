"""How bots play Hex'el. Strong ones try what may come of a card, weak ones count edges."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from hextraction.board.tiles import Layout
from hextraction.controller.games.hexel import position as game
from hextraction.controller.games.hexel.cards import turned
from hextraction.controller.games.hexel.mosaic import name_of
from hextraction.controller.games.hexel.position import Choice, Position
from hextraction.controller.games.hexel.sampling import TRIES, best, seen
from hextraction.controller.games.hexel.views import Detail
from hextraction.controller.games.scene import Option, PrivateView, acts_of
from hextraction.controller.games.strategy import Knows, Luck, Sight, Strength, Temper, act_by

__all__ = ["Player"]

_MOVES: Final = frozenset({"shuffle", "deal", "stake", "hedge", "place", "discard"})
_CARELESS: Final = 0.2
"""How often a weak bot lays any card."""
_HEDGED: Final = 4
"""For how many missing edges a strong bot puts chips aside."""
_LIKELY: Final = (1, 2, 3, 5, 10)
"""Stakes that a weak dealer sets."""
_STAKES: Final = 10
"""How many stakes a strong dealer wants its stock to be."""


class Player:
    """The strategy of one strength."""

    def __init__(self, strength: Strength = "strong", tries: int = TRIES) -> None:
        self._weak = strength == "weak"
        self._tries = tries

    def choices(self, view: PrivateView, knows: Knows | None) -> Sequence[Option]:  # noqa: ARG002
        """Return the answers to a question, else whatever moves the game forward."""
        if view.prompts:
            return view.prompts[0].options
        return [option for option in view.options if option.group in _MOVES]

    def pick(
        self,
        view: PrivateView,
        choices: Sequence[Option],
        lies: Callable[[], Layout],  # noqa: ARG002 - as the protocol says
        luck: Luck,
        temper: Temper,  # noqa: ARG002
    ) -> dict[str, Any]:
        """Return an answer, or any of the choices."""
        if view.prompts:
            return dict(next(one for one in choices if one.act["choice"] == "back").act)
        if choices[0].amounts:
            return _any_chips(choices[0], luck)
        return act_by(luck.choice(choices), luck)

    def ponder(
        self, view: PrivateView, choices: Sequence[Option], sight: Sight, luck: Luck, temper: Temper
    ) -> Iterator[dict[str, Any] | None]:
        """Think about which card to lay, a slice at a time; everything else is decided at once."""
        scene = sight.scene()
        careless = luck.random() < max(temper.whim, _CARELESS if self._weak else 0.0)
        detail = scene.detail
        if view.prompts or not isinstance(detail, Detail):
            yield self.pick(view, choices, sight.lies, luck, temper)
        elif choices[0].group in {"stake", "hedge"} and not self._weak:
            stocks = [one.counters[0].count for one in scene.seats]
            yield _chips(view, choices[0], detail, stocks)
        elif choices[0].group != "place" or careless:
            yield self.pick(view, choices, sight.lies, luck, temper)
        else:
            here = seen(view, scene, detail)
            offered = game.affordable(here.position)
            if self._weak:
                choice = _most_edges(offered, luck)
            else:
                found = yield from best(here, offered, luck, self._tries)
                choice = found[0][1]
            yield _act_for(choices, here.position, choice, {one.id: one.name for one in view.hand})

    def talk(self, view: PrivateView, luck: Luck) -> dict[str, Any] | None:  # noqa: ARG002
        """Say nothing out of turn."""
        return None


def _most_edges(choices: Sequence[Choice], luck: Luck) -> Choice:
    """Return a Hoxla, else one of the placements that match most edges."""
    most = max((one.fit.hoxla, one.fit.matched) for one in choices)
    return luck.choice([one for one in choices if (one.fit.hoxla, one.fit.matched) == most])


def _any_chips(option: Option, luck: Luck) -> dict[str, Any]:
    """Return a stake or a hedge as people at a table might have it, or all that there is."""
    (chips,) = option.amounts
    if option.group == "stake":
        likely = list(_LIKELY)
    else:
        likely = sorted({*(chips.step * times for times in range(_HEDGED + 1)), chips.most})
    return acts_of(option, [luck.choice([number for number in likely if number <= chips.most])])[0]


def _chips(view: PrivateView, option: Option, detail: Detail, stocks: Sequence[int]) -> dict[str, Any]:
    """Return a stake that is a small part of the stocks, or a hedge that lasts for some edges."""
    (chips,) = option.amounts
    if option.group == "stake":
        wanted = min(stocks) // _STAKES
    else:
        wanted = _HEDGED * detail.stake - detail.hedges.get(view.seat, 0)
    number = max(chips.least, min(chips.most, wanted))
    return acts_of(option, [number - number % chips.step])[0]


def _act_for(
    options: Sequence[Option], position: Position, choice: Choice, hand: dict[int, str]
) -> dict[str, Any]:
    """Return the act that lays a card as it was thought of: the same symbols in the same cell."""
    wanted = turned(position.faces[choice.card - 1], choice.fit.turns)
    for option in options:
        if option.group == "place" and option.act["to"] == name_of(choice.fit.cell):
            for turns in option.turns:
                if turned(hand[option.act["card"]], turns) == wanted:
                    return {**option.act, "turns": turns}
    return {**options[0].act, "turns": options[0].turns[0]}

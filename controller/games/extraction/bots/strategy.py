"""How bots play Extraction: weak ones by plain sense, and carelessly; strong ones imagine what may come."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from hextraction.board.tiles import Layout
from hextraction.controller.games.extraction.bots import policy
from hextraction.controller.games.extraction.bots.search import SAMPLES, Steps, best, imagined
from hextraction.controller.games.extraction.land.goods import RESOURCES, Bundle, covers, one
from hextraction.controller.games.extraction.land.standing import in_game
from hextraction.controller.games.extraction.land.state import State
from hextraction.controller.games.extraction.shown.views import Detail, Proposal
from hextraction.controller.games.scene import Option, PrivateView, Prompt, Scene
from hextraction.controller.games.strategy import Knows, Luck, Sight, Strength, Temper, act_by

__all__ = ["Player"]

_TALK: Final = frozenset({"offer", "withdraw", "deal", "by_chance"})
"""What moves no game forward."""
_CARELESS: Final = 0.2
"""How often a weak bot does anything that is offered."""
_MOST: Final = 9
"""How many acts a strong bot compares."""
_OFFERS: Final = 0.6
"""How often a bot offers a trade before it goes to the bank or ends its turn."""
_MOST_OFFERS: Final = 2
"""So many times in a turn: people are asked each time."""
_WORLDS: Final = 4
"""In how many imagined worlds it is looked whether anybody would take an offer."""
_GAIN: Final = 0.03
"""What a trade must be worth at least, as a part of a point."""

_SEEN_MS: Final = {
    "roll": 2_200,
    "play": 1_600,
    "attack": 1_600,
    "swap": 1_500,
    "settlement": 1_300,
    "city": 1_300,
    "road": 1_100,
    "buy": 1_100,
    "bank": 1_100,
    "offer": 800,
    "answer": 500,
    "collect": 800,
    "disc": 500,
    "end": 300,
}
"""How long people look at what a bot did: the dice and who got what for longest, the end of a turn hardly."""
_OFFERED_MS: Final = 8_000
"""So long people who are asked have an offer for themselves, before another bot takes it."""


class Player:
    """The strategy of one strength; ``steps`` are the rules, for what a strong bot imagines."""

    def __init__(self, steps: Steps, strength: Strength = "strong") -> None:
        self._steps = steps
        self._weak = strength == "weak"

    def choices(self, view: PrivateView, knows: Knows | None) -> Sequence[Option]:  # noqa: ARG002
        """Return the answers to a question, else what is offered; while an own offer is open, wait."""
        if view.prompts:
            return view.prompts[0].options
        if any(one.group == "withdraw" for one in view.options):
            return ()
        return [one for one in view.options if not one.tells and one.group not in _TALK]

    def pick(
        self,
        view: PrivateView,
        choices: Sequence[Option],
        lies: Callable[[], Layout],  # noqa: ARG002 - as the protocol says
        luck: Luck,
        temper: Temper,
    ) -> dict[str, Any]:
        """Return any answer that is polite, or any act; real dice are thrown as dice are."""
        if view.prompts:
            return _answer(view.prompts[0], luck.random() < temper.kindness)
        totals = [one for one in choices if one.group == "total"]
        if totals:
            return _thrown(totals, luck)
        return act_by(luck.choice(choices), luck)

    def ponder(
        self, view: PrivateView, choices: Sequence[Option], sight: Sight, luck: Luck, temper: Temper
    ) -> Iterator[dict[str, Any] | None]:
        """Yield None while it thinks, then an act."""
        shown = sight.scene()
        if view.prompts:
            yield self._answered(view, shown, luck, temper)
            return
        totals = [one for one in choices if one.group == "total"]
        state = imagined(shown, view, luck)
        careless = luck.random() < max(temper.whim, _CARELESS if self._weak else 0.0)
        if state is None or totals or careless or len(choices) == 1:
            yield self.pick(view, choices, sight.lies, luck, temper)
            return
        plain = policy.next_act(state, luck)
        if plain["do"] in {"end", "bank"}:
            offer = _offer(view, shown, luck)
            if offer is not None:
                yield offer
                return
        if self._weak or state.phase not in {"act", "before", "swap"}:
            yield plain
            return
        most, samples = (temper.looks_at, 2) if temper.looks_at else (_MOST, SAMPLES)
        acts = _worth_a_look(choices, plain, luck, most)
        yield from self._best(view, shown, acts, samples, luck)

    def _best(
        self,
        view: PrivateView,
        shown: Scene,
        acts: Sequence[dict[str, Any]],
        samples: int,
        luck: Luck,
    ) -> Iterator[dict[str, Any] | None]:
        """Compare some acts in some imagined worlds."""
        worlds: list[State] = []
        for _sample in range(samples):
            state = imagined(shown, view, luck)
            worlds += [] if state is None else [state]
            yield None
        if len(acts) == 1:
            yield acts[0]
            return
        act = yield from best(self._steps, worlds, view.seat, acts, luck)
        yield act

    def _answered(self, view: PrivateView, shown: Scene, luck: Luck, temper: Temper) -> dict[str, Any]:
        """Answer a question: a trade is taken if it helps, and does not help the leader.

        Who would yet do something does not want the game to end.
        """
        prompt, detail = view.prompts[0], shown.detail
        if prompt.kind == "end":
            now = imagined(shown, view, luck)
            return _answer(
                prompt, kind=now is None or not policy.wants_more(now, now.number(view.seat), luck)
            )
        if prompt.kind == "deal":
            return _answer(prompt, kind=True)
        if prompt.kind != "offer" or not isinstance(detail, Detail):
            return _answer(prompt, luck.random() < temper.kindness)
        number = int(prompt.id.partition("-")[2])
        offer = next((one for one in detail.offers if one.number == number), None)
        if offer is None or len(prompt.options) == 1:
            return _answer(prompt, kind=False)
        state = imagined(shown, view, luck)
        return _answer(prompt, kind=state is not None and _takes(state, detail, view.seat, offer, luck))

    def seen_us(self, act: Mapping[str, Any], *, asks: bool) -> int:
        """Return for how long people look at what an act did, in microseconds; an offer waits for theirs."""
        return 1000 * (_OFFERED_MS if asks and act["do"] == "offer" else _SEEN_MS.get(str(act["do"]), 0))

    def talk(self, view: PrivateView, luck: Luck) -> dict[str, Any] | None:
        """Take an offer back, now and then, that nobody answers."""
        words = [one for one in view.options if one.group == "withdraw"]
        return dict(luck.choice(words).act) if words else None


def _answer(prompt: Prompt, kind: bool) -> dict[str, Any]:  # noqa: FBT001 - it is what is answered
    wanted = "back" if prompt.kind == "board" else "yes" if kind else "no"
    found = [one for one in prompt.options if one.act["choice"] == wanted]
    return dict((found or prompt.options)[0].act)


def _thrown(totals: Sequence[Option], luck: Luck) -> dict[str, Any]:
    dice = 1 if totals[0].act["total"] == 1 else 2
    wanted = policy.thrown_total(dice, luck)
    return dict(next(one for one in totals if one.act["total"] == wanted).act)


def _takes(state: State, detail: Detail, seat: str, offer: Proposal, luck: Luck) -> bool:
    who = state.number(seat)
    gain = policy.helps(state.players[who].hand, offer.want, offer.give)
    theirs = detail.holdings[detail.seats.index(offer.by)].points
    ahead = theirs - detail.holdings[who].points
    return gain > _GAIN * (1 + max(0, ahead)) * luck.random()


def _offer(view: PrivateView, shown: Scene, luck: Luck) -> dict[str, Any] | None:
    """Return the offer that promises most, now and then: what it is worth, if anybody is likely to take it.

    The second one in a turn is the second best: the first was not taken.
    """
    detail = shown.detail
    if not any(one.group == "offer" for one in view.options) or not isinstance(detail, Detail):
        return None
    worlds = [state for _world in range(_WORLDS) if (state := imagined(shown, view, luck)) is not None]
    who = detail.seats.index(view.seat)
    made = detail.offers_made[who]
    if not worlds or made >= _MOST_OFFERS or luck.random() > _OFFERS:
        return None
    rated = []
    for give, want in _swaps(worlds[0].players[who].hand):
        gain = policy.helps(worlds[0].players[who].hand, give, want)
        if gain > _GAIN:
            likely = sum(_anybody_takes(state, who, give, want) for state in worlds) / len(worlds)
            rated.append((gain * likely, give, want))
    promising = sorted((one for one in rated if one[0] > 0), reverse=True)
    if made >= len(promising):
        return None
    _promise, give, want = promising[made]
    return {"do": "offer", "give": _named(give), "want": _named(want)}


def _swaps(hand: Bundle) -> Iterator[tuple[Bundle, Bundle]]:
    """Yield one or two cards of a kind for one of another."""
    for at, held in enumerate(hand):
        for count in range(1, min(held, 2) + 1):
            for other in RESOURCES:
                if other != RESOURCES[at]:
                    yield one(RESOURCES[at], count), one(other)


def _anybody_takes(state: State, who: int, give: Bundle, want: Bundle) -> bool:
    """Whether somebody who may be asked could give that, and would gain by it."""
    to = [number for number in in_game(state) if number != who and state.mover in {who, number}]
    hands = (state.players[number].hand for number in to)
    return any(covers(hand, want) and policy.helps(hand, want, give) > _GAIN for hand in hands)


def _named(cards: Bundle) -> dict[str, int]:
    return {name: count for name, count in zip(RESOURCES, cards, strict=True) if count}


def _worth_a_look(
    choices: Sequence[Option], plain: dict[str, Any], luck: Luck, most: int
) -> list[dict[str, Any]]:
    """Return the acts to compare: what plain sense would do, and some of each kind of the others."""
    acts = [plain]
    kinds: dict[str, list[Option]] = {}
    for offered in choices:
        if offered.group not in {"pick", "unpick", "supply"}:
            kinds.setdefault(offered.group, []).append(offered)
    while len(acts) < most and any(kinds.values()):
        for group in list(kinds):
            if kinds[group] and len(acts) < most:
                act = act_by(kinds[group].pop(luck.randrange(len(kinds[group]))), luck)
                if act not in acts:
                    acts.append(act)
    return acts

"""Finds the question that settles most, among those that people can answer from what they see or saw.

We only ask what affects a verdict. An answer keeps the accounts that agree with it; the best question is the
one after which the likeliest verdict is expected to be surest. What those accounts still differ in may be
asked in turn.
"""

from collections.abc import Callable, Iterable, Sequence
from math import exp
from typing import Final, NamedTuple

from hextraction.controller.tracking.graph import Graph
from hextraction.controller.tracking.stories import Story
from hextraction.controller.tracking.verdicts import Verdict

__all__ = ["DOUBT", "Asked", "Option", "Weighed", "choose", "weigh"]

_GAIN: Final = 0.05
"""A question that adds less certainty to the verdict than this is not worth a player's time."""
_EASE: Final = {"rests": 0.0, "zone": 0.005, "lost": 0.01, "third": 0.02, "touches": 0.03}
"""Handicap per kind of question: we prefer to ask what people can still see, not what they must remember."""
_MOST_SLOTS: Final = 4
DOUBT: Final = 1.3
"""The costs are a model, and the world is another: by this factor what they say counts for less. Fitted
on worlds drawn for tuning, so that of what is said with 0.8 eight in ten are right."""
_MOST_ANSWERS: Final = 8


class Weighed(NamedTuple):
    """A verdict, its share of the total weight, and its likeliest story."""

    verdict: Verdict
    share: float
    story: Story


class Option(NamedTuple):
    """One answer: the counts it states, how likely it is, and the verdicts that agree with it.

    The likeliest verdict is the first; their shares add up to 1.
    """

    counts: tuple[int, ...]
    likelihood: float
    told: tuple[Weighed, ...]

    @property
    def best(self) -> Weighed:
        """The likeliest verdict if this answer is true."""
        return self.told[0]


class Asked(NamedTuple):
    """A question and its answers, the likeliest first."""

    kind: str
    slots: tuple[str, ...]
    options: tuple[Option, ...]


def weigh(endings: Sequence[Story], verdict_of: Callable[[Story], Verdict]) -> list[Weighed]:
    """Group stories by verdict, the likeliest verdict first; the shares add up to 1."""
    best = min(story.cost for story in endings)
    shares: dict[Verdict, float] = {}
    exact: dict[Verdict, dict[int, float]] = {}
    tellers: dict[tuple[Verdict, int], Story] = {}
    for story in sorted(endings, key=lambda ending: ending.cost):
        verdict, weight = verdict_of(story), exp((best - story.cost) / DOUBT)
        shares[verdict] = shares.get(verdict, 0.0) + weight
        counts = exact.setdefault(verdict, {})
        counts[story.touched] = counts.get(story.touched, 0.0) + weight
        tellers.setdefault((verdict, story.touched), story)
    whole = sum(shares.values())
    told = [
        Weighed(verdict, share / whole, tellers[verdict, max(exact[verdict], key=exact[verdict].__getitem__)])
        for verdict, share in shares.items()
    ]
    told.sort(key=lambda one: -one.share)
    return told


def choose(told: Sequence[Weighed], graph: Graph) -> Asked | None:
    """Return the question that settles most, or None if none settles anything."""
    best: Asked | None = None
    most = told[0].share + _GAIN
    for kind, places, names, counts in _features(told, graph):
        options = _options(told, counts)
        expected = sum(option.likelihood * option.best.share for option in options) - _EASE[kind]
        if expected > most:
            slots = tuple(names[place] for place in places)
            best, most = Asked(kind, slots, tuple(options[:_MOST_ANSWERS])), expected
    return best


Counter = Callable[[Verdict], tuple[int, ...]]


def _features(
    told: Sequence[Weighed], graph: Graph
) -> Iterable[tuple[str, tuple[int, ...], Sequence[str], Counter]]:
    """Return what may be asked: kind, places, their names, and what a verdict says about them."""
    for kind, listed, names in _PLACES:
        places = _differing(told, listed)[:_MOST_SLOTS]
        if places:
            yield kind, places, names(graph), _counter(listed, places)
    for place in _differing(told, _loops):
        yield "third", (place,), graph.slots, _counter(_loops, (place,))
    for place in sorted({slot for one in told for slot, _count in one.verdict.rung}):
        yield "touches", (place,), graph.slots, _ringing(place)


Listed = Callable[[Verdict], tuple[int, ...]]
"""A list of places in a verdict, with a place once for each ball there."""

_PLACES: Final[tuple[tuple[str, Listed, Callable[[Graph], Sequence[str]]], ...]] = (
    ("rests", lambda verdict: verdict.at, lambda graph: graph.slots),
    ("lost", lambda verdict: verdict.lost, lambda graph: graph.slots),
    ("zone", lambda verdict: verdict.zones, lambda graph: graph.zones),
)
"""What may be asked of balls: its kind, the places that it is about, and their names."""


def _loops(verdict: Verdict) -> tuple[int, ...]:
    return verdict.loops


def _differing(told: Sequence[Weighed], listed: Listed) -> tuple[int, ...]:
    """Return the places on which verdicts differ, the most doubtful first."""
    means: dict[int, float] = {}
    squares: dict[int, float] = {}
    for one in told:
        places = listed(one.verdict)
        for place in set(places):
            count = places.count(place)
            means[place] = means.get(place, 0.0) + one.share * count
            squares[place] = squares.get(place, 0.0) + one.share * count * count
    spread = {place: squares[place] - means[place] * means[place] for place in means}
    return tuple(sorted((place for place in spread if spread[place] > 1e-3), key=lambda p: (-spread[p], p)))


def _counter(listed: Listed, places: tuple[int, ...]) -> Counter:
    def counts(verdict: Verdict) -> tuple[int, ...]:
        found = listed(verdict)
        return tuple([found.count(place) for place in places])

    return counts


def _ringing(place: int) -> Counter:
    def counts(verdict: Verdict) -> tuple[int, ...]:
        return (dict(verdict.rung).get(place, 0),)

    return counts


def _options(told: Sequence[Weighed], counts: Counter) -> list[Option]:
    """Return the answers, the likeliest first; ``told`` has the likeliest verdict first, too."""
    found: dict[tuple[int, ...], list[Weighed]] = {}
    for one in told:
        found.setdefault(counts(one.verdict), []).append(one)
    options = []
    for said, some in found.items():
        likelihood = sum(one.share for one in some)
        agreeing = tuple([one._replace(share=one.share / likelihood) for one in some])
        options.append(Option(said, likelihood, agreeing))
    options.sort(key=lambda option: -option.likelihood)
    return options

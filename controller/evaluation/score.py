"""One roll judged, and many rolls added up: the numbers that ``hextraction evaluate`` prints."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hextraction.board.facts import Doubt, Fact
from hextraction.controller.evaluation.intervals import Share, brier, quantile
from hextraction.controller.evaluation.verdict import PARTS, Ground, touches_of, verdict_of

__all__ = ["Judged", "Summary", "Told", "judge", "summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a tracker made of a roll.

    ``asked``: it had a question; ``after`` and ``after_missing`` are its account once that one question was
    answered with the truth (the same account if it had none).
    """

    facts: tuple[Fact, ...]
    missing: tuple[Doubt, ...] = ()
    probability: float = 1.0
    asked: bool = False
    after: tuple[Fact, ...] = ()
    after_missing: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One roll: whether every count was exact, on how many tiles it was not, which verdicts were wrong."""

    exact: bool
    tiles: int
    tiles_wrong: int
    wrong: frozenset[str]
    wrong_after: frozenset[str]
    asked: bool
    probability: float

    @property
    def right(self) -> bool:
        """Whether every verdict was right before anybody was asked."""
        return not self.wrong


def judge(told: Told, truth: Iterable[Fact], ground: Ground) -> Judged:
    """Compare an account with what happened."""
    truth = tuple(truth)
    true_touches, touches = touches_of(truth, ground), touches_of(told.facts, ground)
    met = set(true_touches) | set(touches)
    wrong_tiles = sum(true_touches[slot] != touches[slot] for slot in met)
    right = verdict_of(truth, ground)
    wrong = right.differences(verdict_of(told.facts, ground, told.missing))
    after = wrong
    if told.asked:
        after = right.differences(verdict_of(told.after, ground, told.after_missing))
    return Judged(
        exact=not wrong_tiles,
        tiles=len(met),
        tiles_wrong=wrong_tiles,
        wrong=wrong,
        wrong_after=after,
        asked=told.asked,
        probability=told.probability,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Many rolls added up. ``parts`` has, for each part of a verdict, the rolls in which it was right."""

    rolls: int
    exact: Share
    tile_errors: Share
    parts: dict[str, Share]
    verdicts: Share
    asked: Share
    after_asking: Share
    when_silent: Share
    brier: float
    confidence: float


def summary(rolls: Sequence[Judged]) -> Summary:
    """Add rolls up."""
    many = len(rolls)
    wrong = Counter(part for roll in rolls for part in roll.wrong)
    silent = [roll for roll in rolls if not roll.asked]
    return Summary(
        rolls=many,
        exact=Share(sum(roll.exact for roll in rolls), many),
        tile_errors=Share(sum(roll.tiles_wrong for roll in rolls), sum(roll.tiles for roll in rolls)),
        parts={part: Share(many - wrong[part], many) for part in PARTS},
        verdicts=Share(sum(roll.right for roll in rolls), many),
        asked=Share(sum(roll.asked for roll in rolls), many),
        after_asking=Share(sum(not roll.wrong_after for roll in rolls), many),
        when_silent=Share(sum(roll.right for roll in silent), len(silent)),
        brier=brier((roll.probability, roll.right) for roll in rolls),
        confidence=quantile([roll.probability for roll in rolls], 0.5),
    )

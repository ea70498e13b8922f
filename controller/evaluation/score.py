"""Judges single rolls and sums up many: the numbers that ``hextraction evaluate`` prints."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hextraction.board.facts import Doubt, Fact
from hextraction.controller.evaluation.intervals import Share, brier, grouped, quantile
from hextraction.controller.evaluation.verdict import PARTS, Ground, touches_of, verdict_of

__all__ = ["Judged", "Summary", "TrackedRoll", "judge", "summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedRoll:
    """A tracker's account of a roll.

    ``asked``: it had a question; ``asked_again``: the true answer to it left something open, so that there
    was a second one. ``after_one`` is its account once the first was answered truthfully, ``after`` and
    ``after_missing`` once all were.
    """

    facts: tuple[Fact, ...]
    missing: tuple[Doubt, ...] = ()
    probability: float = 1.0
    asked: bool = False
    asked_again: bool = False
    after_one: tuple[Fact, ...] = ()
    after: tuple[Fact, ...] = ()
    after_missing: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One roll: whether every count was exact, on how many tiles it was not, which verdict parts were wrong.

    ``table`` is the board it was played on, if known: rolls of one board are alike.
    """

    exact: bool
    tiles: int
    tiles_wrong: int
    wrong: frozenset[str]
    wrong_after_one: frozenset[str]
    wrong_after: frozenset[str]
    asked: bool
    asked_again: bool
    probability: float
    table: int | None = None

    @property
    def right(self) -> bool:
        """Whether the whole verdict was right before anybody was asked."""
        return not self.wrong


def judge(told: TrackedRoll, truth: Iterable[Fact], ground: Ground, table: int | None = None) -> Judged:
    """Compare an account with what happened."""
    truth = tuple(truth)
    true_touches, touches = touches_of(truth, ground), touches_of(told.facts, ground)
    met = set(true_touches) | set(touches)
    wrong_tiles = sum(true_touches[slot] != touches[slot] for slot in met)
    right = verdict_of(truth, ground)
    wrong = right.differences(verdict_of(told.facts, ground, told.missing))
    after_one = after = wrong
    if told.asked:
        after_one, after = (
            right.differences(verdict_of(facts, ground, told.after_missing))
            for facts in (told.after_one, told.after)
        )
    return Judged(
        exact=not wrong_tiles,
        tiles=len(met),
        tiles_wrong=wrong_tiles,
        wrong=wrong,
        wrong_after_one=after_one,
        wrong_after=after,
        asked=told.asked,
        asked_again=told.asked_again,
        probability=told.probability,
        table=table,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Totals over many rolls. ``parts`` has, for each part of a verdict, the rolls in which it was right."""

    rolls: int
    exact: Share
    tile_errors: Share
    parts: dict[str, Share]
    verdicts: Share
    asked: Share
    asked_again: Share
    after_one: Share
    after_asking: Share
    when_silent: Share
    brier: float
    confidence: float


def summary(rolls: Sequence[Judged]) -> Summary:
    """Sum up rolls."""
    tables = _tables(rolls)

    def share(right: Callable[[Judged], int], of: Callable[[Judged], int] = _one) -> Share:
        return grouped((table, right(roll), of(roll)) for table, roll in zip(tables, rolls, strict=True))

    return Summary(
        rolls=len(rolls),
        exact=share(lambda roll: roll.exact),
        tile_errors=share(lambda roll: roll.tiles_wrong, lambda roll: roll.tiles),
        parts={part: share(_right_in(part)) for part in PARTS},
        verdicts=share(lambda roll: roll.right),
        asked=share(lambda roll: roll.asked),
        asked_again=share(lambda roll: roll.asked_again),
        after_one=share(lambda roll: not roll.wrong_after_one),
        after_asking=share(lambda roll: not roll.wrong_after),
        when_silent=share(lambda roll: roll.right and not roll.asked, lambda roll: not roll.asked),
        brier=brier((roll.probability, roll.right) for roll in rolls),
        confidence=quantile([roll.probability for roll in rolls], 0.5),
    )


def _right_in(part: str) -> Callable[[Judged], int]:
    return lambda roll: part not in roll.wrong


def _one(_roll: Judged) -> int:
    return 1


def _tables(rolls: Sequence[Judged]) -> list[tuple[bool, int]]:
    """Return the group of each roll: its board, or the roll itself if the board is unknown."""
    return [
        (False, number) if roll.table is None else (True, roll.table) for number, roll in enumerate(rolls)
    ]

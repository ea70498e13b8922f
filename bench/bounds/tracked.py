"""The tracker on one roll: what it said, what else it thought of, and whether asking would have helped."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hextraction.board.facts import BallReleased, Fact, RollSettled
from hextraction.controller.app.trials.following import Followed, Times, follow, told_of
from hextraction.controller.app.trials.labelled import LabelledRoll, labelled_lines, read_labelled
from hextraction.controller.app.trials.rolls import TrueRoll
from hextraction.controller.evaluation.score import Judged, TrackedRoll, judge
from hextraction.controller.evaluation.verdict import verdict_of
from hextraction.controller.games.hextraction.cards.tiles import Catalogue
from hextraction.controller.tracking import Settings
from hextraction.controller.tracking.trace import Trace, facts_of

from bench.bounds.confusion import INVENTED, sort_of

__all__ = ["Tracked", "covered_at_the_end", "labelled", "sort_of_roll", "tracked"]

_ALWAYS_ASK = Settings(ask_below=2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """One roll judged; ``sort`` says in what the likeliest account differs from the truth, or from its rival.

    It is empty for a roll that was right in silence. ``helped``: had the tracker asked its best question, it
    would have been right.
    """

    judged: Judged
    sort: str = ""
    helped: bool = True


def labelled(trace: Trace, roll: TrueRoll, catalogue: Catalogue, table: int) -> LabelledRoll:
    """Return a trace with the truth behind it."""
    return next(read_labelled(labelled_lines(trace, roll.facts, roll.tiles, table), catalogue))


def tracked(roll: LabelledRoll) -> Tracked:
    """Let the tracker follow a roll and judge it."""
    followed = follow(roll)
    told = told_of(followed, roll)
    judged = judge(told, roll.truth.facts, roll.ground, roll.truth.table)
    if judged.right and not judged.asked:
        return Tracked(judged=judged)
    other = roll.truth.facts if not judged.right else _rival(followed, roll, told.facts)
    return Tracked(
        judged=judged,
        sort=sort_of_roll(roll, told, other),
        helped=_helped(roll) if not judged.right else True,
    )


def covered_at_the_end(trace: Trace) -> frozenset[frozenset[str]]:
    """Return the two slots of each beam between slots that is on when all is quiet."""
    on = {edge.sensor: edge.active for edge in trace.edges}
    found = set()
    for sensor in (name for name, active in on.items() if active and name.startswith("edge.")):
        _edge, slot, number = sensor.split(".")
        other = trace.board.neighbour(slot, int(number))
        if other is not None:
            found.add(frozenset({slot, other}))
    return frozenset(found)


def sort_of_roll(roll: LabelledRoll, told: TrackedRoll, other: Sequence[Fact]) -> str:
    """Return in what an account and another one differ."""
    announced = len(roll.trace.releases)
    if announced and any(_let_go(facts) > announced for facts in (told.facts, other)):
        return INVENTED
    best = verdict_of(told.facts, roll.ground, told.missing)
    return sort_of(best, verdict_of(other, roll.ground), covered_at_the_end(roll.trace))


def _let_go(facts: Iterable[Fact]) -> int:
    return sum(isinstance(fact, BallReleased) for fact in facts)


def _rival(followed: Followed, roll: LabelledRoll, told: Sequence[Fact]) -> Sequence[Fact]:
    """Return the account of the first answer that says something else than the one that holds."""
    best = verdict_of(told, roll.ground)
    for number, settled in enumerate(followed.rolls):
        for answer in settled.question.answers if settled.question else ():
            facts = _with(followed.rolls, number, answer.facts)
            if verdict_of(facts, roll.ground) != best:
                return facts
    return told


def _with(rolls: Iterable[RollSettled], number: int, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    parts = [facts if index == number else settled.facts for index, settled in enumerate(rolls)]
    return tuple(fact for part in parts for fact in part)


def _helped(roll: LabelledRoll) -> bool:
    """Whether a roll would be right, had its best question been asked and answered with the truth."""
    said = facts_of(roll.trace, _ALWAYS_ASK)
    rolls = tuple(fact for fact in said if isinstance(fact, RollSettled))
    told = told_of(Followed(live=(), rolls=rolls, times=Times()), roll)
    return not judge(told, roll.truth.facts, roll.ground).wrong_after

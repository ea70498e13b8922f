"""The tracker on one roll: what it said, what else it thought of, and whether asking would have helped."""

from collections.abc import Iterable
from dataclasses import dataclass

from hextraction.board.facts import Fact, RollSettled
from hextraction.board.tiles import Catalogue
from hextraction.controller.app.trials.following import Followed, Times, follow, told_of
from hextraction.controller.app.trials.labelled import LabelledRoll, labelled_lines, read_labelled
from hextraction.controller.app.trials.rolls import TrueRoll
from hextraction.controller.evaluation.score import Judged, judge
from hextraction.controller.evaluation.verdict import Verdict, verdict_of
from hextraction.controller.tracking import Settings
from hextraction.controller.tracking.trace import Trace, facts_of

from bounds.confusion import sort_of

__all__ = ["Tracked", "covered_at_the_end", "labelled", "tracked"]

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
    best = verdict_of(told.facts, roll.ground, told.missing)
    truth = verdict_of(roll.truth.facts, roll.ground)
    other = truth if not judged.right else _rival(followed, roll, best)
    return Tracked(
        judged=judged,
        sort=sort_of(best, other, covered_at_the_end(roll.trace)),
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


def _rival(followed: Followed, roll: LabelledRoll, best: Verdict) -> Verdict:
    """Return the verdict of the first answer that says something else than the account that holds."""
    for number, settled in enumerate(followed.rolls):
        for answer in settled.question.answers if settled.question else ():
            facts = _with(followed.rolls, number, answer.facts)
            verdict = verdict_of(facts, roll.ground)
            if verdict != best:
                return verdict
    return best


def _with(rolls: Iterable[RollSettled], number: int, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    parts = [facts if index == number else settled.facts for index, settled in enumerate(rolls)]
    return tuple(fact for part in parts for fact in part)


def _helped(roll: LabelledRoll) -> bool:
    """Whether a roll would be right, had its best question been asked and answered with the truth."""
    said = facts_of(roll.trace, _ALWAYS_ASK)
    rolls = tuple(fact for fact in said if isinstance(fact, RollSettled))
    told = told_of(Followed(live=(), rolls=rolls, times=Times()), roll)
    return not judge(told, roll.truth.facts, roll.ground).wrong_after

"""What people who saw everything would answer to a question about a roll."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from hextraction.board.facts import BallInZone, BallLeftZone, Fact
from hextraction.controller.evaluation.verdict import Ground, Verdict, touches_of, verdict_of

__all__ = ["Asked", "Reply", "true_answer", "true_counts"]


class Reply(Protocol):
    """One answer that is offered: a number for each slot of the question, and the account that holds then."""

    @property
    def counts(self) -> tuple[int, ...]:
        """How many, for each slot asked about."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What happened, if that is so."""


class Asked(Protocol):
    """A question: what its counts count, and where (board.facts.Question)."""

    @property
    def kind(self) -> str:
        """Third, touches, rests, lost or zone."""

    @property
    def slots(self) -> tuple[str, ...]:
        """Slots, or end zones."""

    @property
    def answers(self) -> Sequence[Reply]:
        """What may be said."""


def true_answer(question: Asked, truth: Sequence[Fact], ground: Ground) -> Reply | None:
    """Return the answer that is true; none if it is not among those offered."""
    counts = true_counts(question.kind, question.slots, truth, ground)
    return next((answer for answer in question.answers if answer.counts == counts), None)


def true_counts(kind: str, slots: Sequence[str], truth: Sequence[Fact], ground: Ground) -> tuple[int, ...]:
    """Return what the counts of an answer of a kind are in truth.

    Raises:
        ValueError: there is no such kind of question.
    """
    if kind == "zone":
        return tuple(_in_zones(truth)[slot] for slot in slots)
    touches, verdict = touches_of(truth, ground), verdict_of(truth, ground)
    if kind == "third":
        return tuple(int(touches[slot] >= 3) for slot in slots)
    return tuple(_counted(kind, touches, verdict)[slot] for slot in slots)


def _counted(kind: str, touches: Counter[str], verdict: Verdict) -> Counter[str]:
    if kind == "touches":
        return touches
    if kind == "rests":
        return Counter(dict(verdict.balls))
    if kind == "lost":
        return Counter(verdict.lost)
    raise ValueError(f"kind: want third, touches, rests, lost or zone, found {kind!r}")


def _in_zones(truth: Sequence[Fact]) -> Counter[str]:
    where: dict[int, str] = {}
    for fact in truth:
        if isinstance(fact, BallInZone):
            where[fact.ball] = fact.zone
        elif isinstance(fact, BallLeftZone):
            where.pop(fact.ball, None)
    return Counter(where.values())

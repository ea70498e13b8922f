"""Verdicts: what the rules act on after a roll, and so the only thing a tracker must get right.

A verdict (issue: the tracker's "every verdict right") has five parts: tiles at three touches (2.9, Break the
Loop), the last tile of each lost ball (2.3), triggers set off (2.6, R-16: by each arrival), a win (2.5),
and how many balls lie on each tile (2.9). It does not matter which ball is which.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

from hextraction.board.facts import (
    Answer,
    BallEntered,
    BallFell,
    BallInZone,
    BallLeftZone,
    BallOffBoard,
    BallStuckOnRamp,
    Doubt,
    Fact,
    Question,
)

__all__ = [
    "PARTS",
    "Ground",
    "Verdict",
    "places_after",
    "touches_of",
    "true_answer",
    "true_counts",
    "verdict_of",
]

# --- The verdict ---

Counts = tuple[tuple[str, int], ...]
"""Places and their counts, sorted by place; places with none are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the rules act on. ``lost`` has the slot of each lost ball's last tile, empty if there is none."""

    loops: frozenset[str]
    lost: tuple[str, ...]
    triggers: Counts
    won: bool
    balls: Counts

    def differences(self, other: "Verdict") -> frozenset[str]:
        """Return the names of the parts that differ between two verdicts."""
        return frozenset(part for part in PARTS if getattr(self, part) != getattr(other, part))


PARTS = tuple(field.name for field in fields(Verdict))
"""The five parts of a verdict, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """The board at the start of a roll: slots with a tile, those whose tile has a trigger, balls at rest."""

    tiled: frozenset[str]
    triggers: frozenset[str]
    balls: Mapping[int, str]


def touches_of(facts: Iterable[Fact], ground: Ground) -> Counter[str]:
    """Return how often each tile was touched; open slots have no touches (ruling R-11: only arrivals)."""
    return Counter(fact.slot for fact in facts if isinstance(fact, BallEntered) and fact.slot in ground.tiled)


def verdict_of(facts: Iterable[Fact], ground: Ground, missing: Iterable[Doubt] = ()) -> Verdict:
    """Return what the rules would act on; a missing ball counts as lost from where it was last."""
    facts = tuple(facts)
    touches = touches_of(facts, ground)
    ends = _Ends(ground)
    for fact in facts:
        ends.follow(fact)
    for doubt in missing:
        ends.lose(doubt.ball)
    return Verdict(
        loops=frozenset(slot for slot, count in touches.items() if count >= 3),
        lost=tuple(sorted(ends.lost)),
        triggers=_counts({slot: count for slot, count in touches.items() if slot in ground.triggers}),
        won=bool(ends.in_zones),
        balls=_counts(Counter(slot for slot in ends.where.values() if slot in ground.tiled)),
    )


def places_after(facts: Iterable[Fact], ground: Ground) -> dict[int, str]:
    """Return the slot in which each ball lies after some facts, or was last."""
    ends = _Ends(ground)
    for fact in facts:
        ends.follow(fact)
    return ends.where


def _counts(found: Mapping[str, int]) -> Counts:
    return tuple(sorted((place, count) for place, count in found.items() if count))


class _Ends:
    """Follows every ball to its end. ``where``: the slot that a ball is on, or was on last."""

    def __init__(self, ground: Ground) -> None:
        self._tiled = ground.tiled
        self.where = dict(ground.balls)
        self._last_tile = {ball: slot for ball, slot in ground.balls.items() if slot in ground.tiled}
        self.lost: list[str] = []
        self.in_zones: set[int] = set()

    def follow(self, fact: Fact) -> None:
        """Process one fact."""
        if isinstance(fact, BallEntered):
            self.where[fact.ball] = fact.slot
            if fact.slot in self._tiled:
                self._last_tile[fact.ball] = fact.slot
        elif isinstance(fact, BallOffBoard) or (isinstance(fact, BallFell) and fact.slot in self._tiled):
            self.lose(fact.ball)
        elif isinstance(fact, BallInZone):
            self.where.pop(fact.ball, None)
            self.in_zones.add(fact.ball)
        elif isinstance(fact, BallLeftZone):
            self.in_zones.discard(fact.ball)
        elif isinstance(fact, BallFell | BallStuckOnRamp):
            self.where.pop(fact.ball, None)

    def lose(self, ball: int) -> None:
        """Record that a ball left the board, charged to the last tile it touched."""
        self.where.pop(ball, None)
        self.lost.append(self._last_tile.get(ball, ""))


# --- The true answer to a question about a roll ---


def true_answer(question: Question, truth: Sequence[Fact], ground: Ground) -> Answer | None:
    """Return the true answer; None if it is not among those offered."""
    counts = true_counts(question.kind, question.slots, truth, ground)
    return next((answer for answer in question.answers if answer.counts == counts), None)


def true_counts(kind: str, slots: Sequence[str], truth: Sequence[Fact], ground: Ground) -> tuple[int, ...]:
    """Return the true counts for a kind of question.

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

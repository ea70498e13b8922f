"""Which legs of a roll are unsure: those that another account which may be true does not have.

Balls are all alike, so accounts are compared by what happened, not by which ball it happened to.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Fact,
)

__all__ = ["doubts_of"]

Leg = tuple[str, str]
K = TypeVar("K")


def doubts_of(
    facts: Sequence[Fact], others: Sequence[Sequence[Fact]]
) -> dict[int, tuple[tuple[bool, ...], bool]]:
    """Return for each ball which of its arrivals are unsure, and whether its end is.

    ``others`` are the accounts that may be true instead, perhaps with this one among them. The n-th leg from
    one slot to the next is sure if every account has at least n of them.
    """
    legs, ends = _legs(facts)
    made = [_legs(other) for other in others]
    fewest = _fewest([Counter(leg for some in legs_of.values() for leg in some) for legs_of, _ends in made])
    rests = _fewest([Counter(ends_of.values()) for _legs_of, ends_of in made])
    found: dict[int, tuple[tuple[bool, ...], bool]] = {}
    crossed: Counter[Leg] = Counter()
    came: Counter[str] = Counter()
    for ball, some in legs.items():
        unsure = []
        for leg in some:
            crossed[leg] += 1
            unsure.append(bool(others) and crossed[leg] > fewest[leg])
        came[ends[ball]] += 1
        found[ball] = (tuple(unsure), bool(others) and came[ends[ball]] > rests[ends[ball]])
    return found


def _fewest(counts: Sequence[Counter[K]]) -> Counter[K]:
    found: Counter[K] = Counter(counts[0]) if counts else Counter()
    for other in counts[1:]:
        found &= other
    return found


def _legs(facts: Sequence[Fact]) -> tuple[dict[int, list[Leg]], dict[int, str]]:
    """Return each ball's legs, as from where to where, and its end."""
    legs: dict[int, list[Leg]] = {}
    at: dict[int, str] = {}
    for fact in facts:
        some = legs.setdefault(fact.ball, [])
        if isinstance(fact, BallEntered):
            some.append((at.get(fact.ball, ""), fact.slot))
        at[fact.ball] = _place(fact, at.get(fact.ball, ""))
    return legs, at


def _place(fact: Fact, before: str) -> str:
    match fact:
        case BallReleased() | BallStuckOnRamp():
            return f"ramp.{fact.ramp}"
        case BallEntered():
            return fact.slot
        case BallLeft():
            return before or fact.slot
        case BallFell():
            return f"hole.{fact.slot}"
        case BallInZone():
            return f"zone.{fact.zone}"
        case BallLeftZone():
            return before
        case BallOffBoard():
            return f"side.{fact.slot}"

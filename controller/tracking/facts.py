"""Turns the acts of a path into the facts of the board."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    Fact,
)
from hextraction.controller.tracking.paths import ENTERED, FELL, IN_ZONE, LEFT, LEFT_ZONE, OFF_BOARD, Act

__all__ = ["facts_along", "facts_at", "leaving_first"]

_MAKERS: Final[dict[int, Callable[[int, int, str], Fact]]] = {
    ENTERED: lambda at_us, ball, name: BallEntered(at_us=at_us, ball=ball, slot=name),
    LEFT: lambda at_us, ball, name: BallLeft(at_us=at_us, ball=ball, slot=name),
    FELL: lambda at_us, ball, name: BallFell(at_us=at_us, ball=ball, slot=name),
    IN_ZONE: lambda at_us, ball, name: BallInZone(at_us=at_us, ball=ball, zone=name),
    LEFT_ZONE: lambda at_us, ball, name: BallLeftZone(at_us=at_us, ball=ball, zone=name),
    OFF_BOARD: lambda at_us, ball, name: BallOffBoard(at_us=at_us, ball=ball, slot=name),
}


def facts_at(acts: tuple[Act, ...], ball: int, at_us: int) -> tuple[Fact, ...]:
    """Return the facts of a path, all at the time it became known."""
    return tuple([_MAKERS[kind](at_us, ball, name) for kind, name, _share in acts])


def facts_along(acts: tuple[Act, ...], ball: int, from_us: int, to_us: int) -> list[Fact]:
    """Return the facts of a path, spread over the time it took."""
    span = to_us - from_us
    return [_MAKERS[kind](from_us + round(span * share), ball, name) for kind, name, share in acts]


def leaving_first(facts: Iterable[Fact], lying: Mapping[int, str]) -> tuple[Fact, ...]:
    """Add to the facts that balls which lay in an open slot left it, before any other fact about them.

    A path over a slot without a tile does not mention that slot, since a ball that gets there just falls.

    Args:
        facts: the facts about all balls, in order of time.
        lying: the slot of each ball that lay where there is no tile, by ball.
    """
    left = dict(lying)
    told: list[Fact] = []
    for fact in facts:
        slot = left.pop(fact.ball, None)
        stays = isinstance(fact, (BallLeft, BallFell)) and fact.slot == slot
        if slot is not None and not stays:
            told.append(BallLeft(at_us=fact.at_us, ball=fact.ball, slot=slot))
        told.append(fact)
    return tuple(told)

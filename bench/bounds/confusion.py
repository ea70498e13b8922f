"""In what two accounts of a roll differ, in words that say what sensor would tell them apart."""

from collections import Counter
from collections.abc import Collection
from typing import Final

from hextraction.controller.evaluation.verdict import Counts, Verdict

__all__ = ["INVENTED", "SORTS", "sort_of"]

INVENTED: Final = "a ball that nobody let go"
"""Of accounts, not of verdicts: one of two has more balls from ramps than gates were opened."""
SORTS: Final = (
    INVENTED,
    "which side of a covered beam",
    "which of two slots, no beam on between them",
    "rests, or was lost",
    "over which tile a ball left",
    "one ball more or fewer on tiles",
    "a third touch",
    "how often a trigger rang",
    "a win",
    "nothing",
)
_SIDE, _SLOTS, _LOST, _TILE, _MORE, _THIRD, _RANG, _WON, _SAME = SORTS[1:]


def sort_of(one: Verdict, other: Verdict, covered: Collection[frozenset[str]] = ()) -> str:
    """Return in which of :data:`SORTS` two verdicts differ; where balls ended comes first.

    ``covered`` has the two slots of each beam that is on at the end.
    """
    here, there = _surplus(one.balls, other.balls), _surplus(other.balls, one.balls)
    if len(one.lost) != len(other.lost):
        return _LOST
    if one.lost != other.lost:
        return _TILE
    if here.total() != there.total():
        return _MORE
    if here:
        beside = any(frozenset({slot, far}) in covered for slot in here for far in there)
        return _SIDE if beside else _SLOTS
    if one.loops != other.loops:
        return _THIRD
    if one.triggers != other.triggers:
        return _RANG
    return _WON if one.won != other.won else _SAME


def _surplus(one: Counts, other: Counts) -> Counter[str]:
    """Return how many more balls each slot has in the first."""
    return Counter(dict(one)) - Counter(dict(other))

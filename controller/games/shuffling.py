"""Cards in the order that a chance makes: the same number shuffles the same cards alike, for ever.

A module of its own because it alone may know `random`, and knows no generator but the one it seeds itself:
rules never draw, they get their chance with an event.
"""

import random
from collections.abc import Iterable
from typing import TypeVar

__all__ = ["shuffled"]

T = TypeVar("T")


def shuffled(cards: Iterable[T], chance: int) -> tuple[T, ...]:
    """Return these cards, shuffled.

    >>> shuffled("abcd", 1) == shuffled("abcd", 1)
    True
    >>> sorted(shuffled("abcd", 1))
    ['a', 'b', 'c', 'd']
    """
    order = list(cards)
    random.Random(chance).shuffle(order)  # noqa: S311 - the chance itself is drawn by the runtime
    return tuple(order)

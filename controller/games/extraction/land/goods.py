"""What there is to have: resources, what things cost, pieces, number discs, the development deck (1.1).

A bundle is how many cards there are of each resource, in the order of :data:`RESOURCES`.
"""

from collections.abc import Iterable, Mapping
from typing import Final

__all__ = [
    "CARDS",
    "CITIES",
    "CITY",
    "COSTS",
    "DECK",
    "DESERT",
    "DISCS",
    "EACH",
    "NOBODY",
    "NOTHING",
    "RESOURCES",
    "ROADS_EACH",
    "SETTLEMENTS",
    "TERRAIN",
    "Bundle",
    "affordable",
    "bundle",
    "covers",
    "dots",
    "is_city",
    "less",
    "more",
    "one",
    "owner",
    "total",
    "words",
]

Bundle = tuple[int, ...]
RESOURCES: Final = ("wood", "brick", "wool", "grain", "ore")
DESERT: Final = "desert"
NOTHING: Final[Bundle] = (0, 0, 0, 0, 0)
EACH: Final = 19
"""Cards of each resource."""
TERRAIN: Final[Mapping[str, int]] = {"wood": 4, "grain": 4, "wool": 4, "brick": 3, "ore": 3, DESERT: 1}
SETTLEMENTS: Final = 5
CITIES: Final = 4
ROADS_EACH: Final = 15
NOBODY: Final = -1
"""Where there is no building, no road, or no holder."""
CITY: Final = 8
"""A building is the number of its player, and so much more if it is a city."""
COSTS: Final[Mapping[str, Bundle]] = {
    "road": (1, 1, 0, 0, 0),
    "settlement": (1, 1, 1, 1, 0),
    "city": (0, 0, 0, 2, 3),
    "card": (0, 0, 1, 1, 1),
}
DECK: Final[Mapping[str, int]] = {"knight": 14, "point": 5, "roads": 2, "plenty": 2, "monopoly": 2}
CARDS: Final[Mapping[str, str]] = {
    "knight": "Knight",
    "point": "Victory point",
    "roads": "Road building",
    "plenty": "Plenty",
    "monopoly": "Monopoly",
}
DISCS: Final[Mapping[str, tuple[int, ...]]] = {
    "nineteen": (2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9, 10, 10, 11, 11, 12),
    "catan18": (2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9, 10, 10, 11, 11, 12),
}
"""Nineteen with a single 12 (X-E-2), or eighteen with a single 2 and a single 12."""


def dots(disc: int) -> int:
    """Return how many of the 36 throws of two dice show that number.

    >>> [dots(disc) for disc in (2, 6, 8, 12)]
    [1, 5, 5, 1]
    """
    return 6 - abs(7 - disc)


def one(resource: str, count: int = 1) -> Bundle:
    """Return a bundle of one resource."""
    return tuple(count if name == resource else 0 for name in RESOURCES)


def bundle(counts: Mapping[str, int]) -> Bundle:
    """Return a bundle from counts by resource.

    Raises:
        ValueError: there is no such resource, or nobody can have so many.
    """
    for name, count in counts.items():
        if name not in RESOURCES:
            raise ValueError(f"there is no resource {name!r}; want one of {', '.join(RESOURCES)}")
        if not 0 <= count <= EACH:
            raise ValueError(f"{name}: want 0 to {EACH} cards, found {count}")
    return tuple(counts.get(name, 0) for name in RESOURCES)


def more(first: Bundle, second: Bundle) -> Bundle:
    """Return both together."""
    return tuple(a + b for a, b in zip(first, second, strict=True))


def less(first: Bundle, second: Bundle) -> Bundle:
    """Return the first without the second."""
    return tuple(a - b for a, b in zip(first, second, strict=True))


def covers(hand: Bundle, cost: Bundle) -> bool:
    """Whether somebody with that hand can pay that."""
    return all(a >= b for a, b in zip(hand, cost, strict=True))


def total(cards: Iterable[int]) -> int:
    """Return how many cards these are."""
    return sum(cards)


def affordable(hand: Bundle, bank: Bundle, cost: Bundle) -> bool:
    """Whether that can be paid after any sequence of trades of three cards for one of the bank (1.6).

    What is missing must be in the bank; trading on what was traded for never helps.
    """
    missing = surplus = 0
    for held, stock, price in zip(hand, bank, cost, strict=True):
        if held >= price:
            surplus += (held - price) // 3
        elif stock < price - held:
            return False
        else:
            missing += price - held
    return missing <= surplus


def words(cards: Bundle) -> str:
    """Return a bundle in words.

    >>> words((2, 0, 0, 1, 1))
    '2 wood, 1 grain and 1 ore'
    """
    parts = [f"{count} {name}" for name, count in zip(RESOURCES, cards, strict=True) if count]
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]])) or "nothing"


# --- pieces on the map ---


def owner(building: int) -> int:
    """Return whose building that is; :data:`NOBODY` if there is none."""
    return building % CITY if building >= 0 else NOBODY


def is_city(building: int) -> bool:
    """Whether that is a city."""
    return building >= CITY

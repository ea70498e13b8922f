"""Cards and decks: six symbols round each card, R, B or Y, clockwise from edge 1; decks are files (3.2)."""

import functools
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby, pairwise, permutations, product
from pathlib import Path
from typing import Final

import msgspec
from hextraction.settings import Document

__all__ = [
    "DECKS",
    "SYMBOLS",
    "USUAL_DECK",
    "Deck",
    "can_begin",
    "deck_from",
    "deck_named",
    "distinct_turns",
    "in_words",
    "least",
    "lines",
    "read_deck",
    "runs",
    "same_turns",
    "turned",
]

SYMBOLS: Final = {"R": "red", "B": "blue", "Y": "yellow"}
DECKS: Final = ("d46", "d45", "d39", "d36")
"""The decks that come with the game."""
USUAL_DECK: Final = "d46"
_FOLDER: Final = Path(__file__).parent / "decks"
_EDGES: Final = 6
_SINGLES: Final = 3
"""How many cards of a deck bear one symbol only; all others bear two."""
_LEAST, _MOST = 9, 200


class Deck(msgspec.Struct, frozen=True, kw_only=True):
    """A deck: card number n, from 1, has the face ``faces[n - 1]``."""

    name: str
    faces: tuple[str, ...]


@functools.cache
def turned(face: str, turns: int) -> str:
    """Return the symbols of a card that lies turned by so many sixths clockwise.

    >>> turned("RBBBBB", 1), turned("RBYYYY", 5)
    ('BRBBBB', 'BYYYYR')
    """
    turns %= _EDGES
    return face[_EDGES - turns :] + face[: _EDGES - turns]


@functools.cache
def distinct_turns(face: str) -> tuple[int, ...]:
    """Return the turns by which a card looks different.

    >>> distinct_turns("RRRRRR"), distinct_turns("RBRBRB")
    ((0,), (0, 1))
    """
    seen = [turned(face, turns) for turns in range(_EDGES)]
    return tuple(turns for turns in range(_EDGES) if seen.index(seen[turns]) == turns)


def same_turns(face: str, turns: int) -> int:
    """Return the least turns by which a card looks as it does at these.

    >>> same_turns("RBRBRB", 3), same_turns("RBBBBB", -1)
    (1, 5)
    """
    return next(one for one in distinct_turns(face) if turned(face, one) == turned(face, turns))


@functools.cache
def least(face: str) -> str:
    """Return how a face is written for comparison: cards that are equal up to a turn have the same.

    >>> least("RRBRBB") == least("BBRRBR")
    True
    """
    return min(turned(face, turns) for turns in range(_EDGES))


def runs(face: str) -> str:
    """Return a card in few words, clockwise: how many edges of one symbol follow on each other.

    >>> runs("RRRRYY"), runs("RYYYYR"), runs("RBRBRB"), runs("BBBBBB")
    ('4 red, 2 yellow', '4 yellow, 2 red', '1 red, 1 blue, 1 red, 1 blue, 1 red, 1 blue', '6 blue')
    """
    begin = next((at for at in range(_EDGES) if face[at] != face[at - 1]), 0)
    return ", ".join(
        f"{len(list(some))} {SYMBOLS[one]}" for one, some in groupby(face[begin:] + face[:begin])
    )


def in_words(symbols: str) -> str:
    """Return the symbols in words.

    >>> in_words("RRBRBB")
    'red, red, blue, red, blue, blue'
    """
    return ", ".join(SYMBOLS[one] for one in symbols)


def lines(faces: Sequence[str]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the ways to lay three faces in a straight line, as (which of them, turns) from the top (3.3).

    Touching symbols are equal, and at no corner of two cards could a third make a Hoxla. The order in which
    they are searched is fixed: the drawn order first, turns as few as possible.
    """
    tops = [[(turns, turned(face, turns)) for turns in distinct_turns(face)] for face in faces]
    seen = set()
    for order in permutations(range(len(faces))):
        for way in product(*(tops[which] for which in order)):
            laid = tuple(symbols for _turns, symbols in way)
            if laid not in seen and all(_joins(*pair) for pair in pairwise(laid)):
                seen.add(laid)
                yield tuple((which, turns) for which, (turns, _face) in zip(order, way, strict=True))


def _joins(upper: str, lower: str) -> bool:
    """Whether two cards may lie one above the other without opening the way to a Hoxla."""
    shared = upper[3]
    if shared != lower[0]:
        return False
    right, left = (upper[2], lower[1]), (upper[4], lower[5])
    return right != (shared, shared) and left != (shared, shared)


# --- files ---


def read_deck(path: Path) -> Deck:
    """Read a deck from its file.

    Raises:
        SettingsError: with every mistake in it.
    """
    return deck_from(Document.from_path(path), path.stem)


def deck_from(document: Document, usual: str) -> Deck:
    """Return the deck of a document; its name is the usual one unless it says another.

    Raises:
        SettingsError: with every mistake in it.
    """
    section = document.root.table("deck", required=True)
    name = section.text("name", usual)
    wanted = section.integer("cards", _LEAST, _MOST, default=_LEAST)
    faces = section.texts("faces", ())
    for complaint in _complaints(name, wanted, faces):
        section.complain("faces", complaint)
    document.finish()
    return Deck(name=name, faces=tuple(faces))


def _complaints(name: str, wanted: int, faces: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with the cards of a deck: how many, and what is on them (X-19)."""
    said = re.fullmatch(r"d(\d+)", name)
    counts = {"the line `cards`": wanted, **({f"the name {name!r}": int(said[1])} if said else {})}
    for where, count in counts.items():
        if count != len(faces):
            yield f"want {count} cards, as {where} says, found {len(faces)}"
    whole = True
    for number, face in enumerate(faces, start=1):
        if re.fullmatch(f"[{''.join(SYMBOLS)}]{{{_EDGES}}}", face) is None:
            whole = False
            yield f"card {number}: want six of R, B and Y, clockwise from edge 1, found {face!r}"
        elif len(set(face)) == len(SYMBOLS):
            yield f"card {number}: want one symbol or two on a card, found three: {face}"
    singles = sum(len(set(face)) == 1 for face in faces)
    if singles != _SINGLES:
        yield f"want exactly {_SINGLES} cards of a single symbol, found {singles}"
    if whole and len(faces) >= _LEAST and not can_begin(tuple(faces)):
        yield "want three cards that can be laid as the opening line, found none"


@functools.lru_cache(maxsize=64)
def can_begin(faces: tuple[str, ...]) -> bool:
    """Return whether some three of these cards make an opening line; the first three of most decks do."""
    kinds = [least(face) for face in faces]
    few = [kind for at, kind in enumerate(kinds) if kinds[:at].count(kind) < 3]
    return any(next(lines(three), None) is not None for three in combinations(few, 3))


@functools.cache
def deck_named(name: str) -> Deck:
    """Return a deck that comes with the game.

    Raises:
        SettingsError: there is none of that name.
    """
    return read_deck(_FOLDER / f"{name}.toml")

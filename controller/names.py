"""Names as people type them, made fit to be shown: nothing invisible, nothing that defaces other lines."""

import unicodedata
from typing import Final

__all__ = ["MOST_LETTERS", "clean_name"]

MOST_LETTERS: Final = 24


def clean_name(text: str, *, otherwise: str = "") -> str:
    """Return a name as it may be shown: nothing invisible, single spaces, at most 24 letters.

    Marks above and below letters stay, at most two on a letter: many scripts need them, and piles of them
    deface the lines around.
    """
    kept: list[str] = []
    for letter in unicodedata.normalize("NFC", text[:200]):
        kind = _kind(letter)
        piled = kind == "M" and [_kind(mark) for mark in kept[-2:]] == ["M", "M"]
        if letter.isspace():
            kept.append(" ")
        elif kind not in "CZ" and not piled:
            kept.append(letter)
    return " ".join("".join(kept).split())[:MOST_LETTERS].strip() or otherwise


def _kind(letter: str) -> str:
    """Return the Unicode category's first letter: C is unseen, M stands on a letter, Z is a space."""
    return unicodedata.category(letter)[0]

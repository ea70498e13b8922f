"""Compare what was found with what a scenario expects: helpers for the EXPECT sentences.

It is of its own because both ``expect`` and ``offers`` compare.
"""

from collections import Counter
from collections.abc import Iterable

from hextraction.controller.games.sentences import Found

__all__ = ["alike", "switch"]


def alike(found: Iterable[str], wanted: Iterable[str]) -> Found:
    """Compare two lists whose order does not matter."""
    have = sorted(found)
    return Counter(have) == Counter(wanted), ", ".join(have) or "none"


def switch(found: bool, word: str) -> Found:  # noqa: FBT001 - the state of a switch
    """Compare a switch with ``on`` or ``off``."""
    return found == (word == "on"), "on" if found else "off"

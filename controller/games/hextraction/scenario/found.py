"""Compare what was found with what a scenario expects: helpers for the EXPECT sentences."""

from collections import Counter
from collections.abc import Iterable

from hextraction.controller.games.hextraction.scenario.driver import Driver
from hextraction.controller.games.hextraction.scenario.language import counted

__all__ = ["Fields", "Found", "named", "number", "same", "switch", "tiles"]

Found = tuple[bool, str]
"""Whether it is as expected, and what was found."""
Fields = dict[str, str]


def named(driver: Driver, copies: Iterable[int]) -> list[str]:
    """Return the names of the copies' kinds of tile."""
    return [driver.game.rules.tile(driver.state.copies[copy]).name for copy in copies]


def tiles(driver: Driver, text: str) -> list[str]:
    """Return the kinds of tile that a list names; ``none`` is an empty list."""
    return (
        []
        if text.strip().lower() == "none"
        else [driver.game.rules.named(name).name for name in counted(text)]
    )


def same(found: Iterable[str], wanted: Iterable[str]) -> Found:
    """Compare two lists whose order does not matter."""
    have = sorted(found)
    return Counter(have) == Counter(wanted), ", ".join(have) or "none"


def number(found: int, fields: Fields) -> Found:
    """Compare a number with ``N``."""
    return found == int(fields["N"]), str(found)


def switch(found: bool, fields: Fields) -> Found:  # noqa: FBT001 - the state of a switch
    """Compare a switch with ``on|off``."""
    return found == (fields["word"].lower() == "on"), "on" if found else "off"

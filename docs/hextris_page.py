"""The tables of docs/hextris.md: where each section of the rules is in code and tests, and the words."""

from typing import Final

from hextraction.controller.games.hextris.house import TELLS
from hextraction.controller.games.hextris.rules import ACTS, rules_table
from hextraction.controller.games.hextris.scenario import LANGUAGE

from docs.game_pages import GamePage, words_table

__all__ = ["parts"]

PAGE: Final = GamePage(
    "hextris",
    {
        "2.1": ("Board, pieces, leaving", (), ()),
        "2.2": (
            "Drops, slides, fives and sixes, skipping",
            ("T-01", "T-02", "T-03", "T-05", "T-08", "T-09", "T-10", "T-14", "T-15"),
            (),
        ),
        "2.3": ("Swaps and their readings", ("T-04", "T-06", "T-07", "T-11", "T-17"), ()),
        "2.4": ("The end, ties, draws", ("T-12", "T-13", "T-16", "X-T-3"), ()),
        "2.5": ("Counts of plies", (), ("test_perft.py",)),
        "2.6": ("Sensors, lamps, phones, taking back", ("T-18",), ()),
    },
)


def readings_table() -> str:
    """Return the readings of the swap rule."""
    rows = ["| Reading | Who may swap |\n", "|---|---|\n"]
    return "".join([*rows, *(f"| {reading} | {told} |\n" for reading, told in TELLS.items())])


def parts() -> tuple[str, ...]:
    """Return the generated parts of the page, in their order."""
    return readings_table(), PAGE.sections_table(ACTS), rules_table(), words_table(LANGUAGE)

"""The tables of docs/extraction.md: attacks, where each section is in code and tests, acts, and the words."""

from typing import Final

from hextraction.controller.games.extraction.fighting import TOLD
from hextraction.controller.games.extraction.rules import ACTS, rules_table
from hextraction.controller.games.extraction.scenario import SENTENCES

from docs.game_pages import GamePage, meanings_table, words_table

__all__ = ["parts"]

PAGE: Final = GamePage(
    "extraction",
    {
        "1.1": ("Hexes, cards, pieces, names of places", (), ("test_map.py",)),
        "1.2": ("What counts", (), ("test_machine.py",)),
        "1.3": ("Setting up", ("E-01", "E-21"), ()),
        "1.4": (
            "Throws, the seven, building, cards, trades, bonus tiles",
            (
                *(f"E-{number:02}" for number in range(2, 15)),
                "E-22",
                "E-23",
                "E-26",
                "X-E-4",
                "X-E-5",
                "X-E-6",
                "X-E-7",
            ),
            ("test_map.py",),
        ),
        "1.5": ("Attacks", ("E-15", "E-16", "E-17", "E-18", "E-19", "E-20"), ("test_map.py",)),
        "1.6": ("Who is out, the end", ("E-24", "E-25", "X-E-8"), ()),
        "1.8": ("Sensors, lamps, phones, secrets", (), ("test_views.py",)),
    },
)


def parts() -> tuple[str, ...]:
    """Return the generated parts of the page, in their order."""
    return (
        meanings_table("Setting `attack`", TOLD),
        PAGE.sections_table(ACTS),
        rules_table(),
        words_table(SENTENCES),
    )

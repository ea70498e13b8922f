"""The tables of docs/hexel.md: decks, fields, where each section is in code and tests, and the words."""

from typing import Final

from hextraction.controller.games.hexel.house import TELLS_DECK, TELLS_FIELD
from hextraction.controller.games.hexel.rules import ACTS, rules_table
from hextraction.controller.games.hexel.scenario import LANGUAGE

from docs.game_pages import GamePage, meanings_table, words_table

__all__ = ["parts"]

PAGE: Final = GamePage(
    "hexel",
    {
        "3.1": ("Cards, chips, leaving", (), ("test_machine.py",)),
        "3.2": ("Decks", ("X-19",), ("test_cards.py",)),
        "3.3": ("The opening line", ("X-01", "X-02", "X-H-2"), ("test_cards.py",)),
        "3.4.1": ("Dealing", (), ()),
        "3.4.2": ("The stake", (), ()),
        "3.4.3": ("Hedging", ("X-20",), ()),
        "3.4.4": ("Laying a card", ("X-03", "X-04", "X-05", "X-06"), ()),
        "3.4.5": ("Hoxla", ("X-11",), ()),
        "3.4.6": ("Insurance", ("X-07", "X-08", "X-09"), ()),
        "3.4.7": ("Going out, throwing a card away", ("X-12", "X-13", "X-14", "X-15", "X-H-8"), ()),
        "3.4.8": ("The next round", ("X-10",), ("test_rounds.py",)),
        "3.5": ("The end, fields, alone", ("X-16", "X-17", "X-H-10", "X-H-11"), ()),
        "3.6": ("Sensors, lamps, phones, secrets", ("X-18",), ("test_views.py",)),
    },
)


def parts() -> tuple[str, ...]:
    """Return the generated parts of the page, in their order."""
    return (
        meanings_table("Deck", TELLS_DECK, "Its cards"),
        meanings_table("Field", TELLS_FIELD, "How far it goes"),
        PAGE.sections_table(ACTS),
        rules_table(),
        words_table(LANGUAGE),
    )

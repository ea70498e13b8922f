"""The tables of docs/extraction.md: attacks, sections and cases with their code and tests, acts, words."""

import re
from importlib import import_module
from pathlib import Path
from typing import Final

from hextraction.controller.games.extraction.land.wagers import TOLD
from hextraction.controller.games.extraction.scenario.language import LANGUAGE
from hextraction.controller.games.extraction.turn.rules import ACTS, rules_table

from docs.game_pages import GamePage, meanings_table, words_table

__all__ = ["parts"]

PAGE: Final = GamePage(
    "extraction",
    {
        "1.1": ("Hexes, cards, pieces, names of places", (), ("test_map.py",)),
        "1.2": ("What counts", (), ("test_machine.py",)),
        "1.3": ("Setting up", ("E-01", "E-21", "X-E-2", "X-E-3"), ()),
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
                "X-E-9",
            ),
            ("test_map.py",),
        ),
        "1.5": ("Attacks", ("E-15", "E-16", "E-17", "E-18", "E-19", "E-20"), ("test_map.py",)),
        "1.6": ("Who is out, the end", ("E-24", "E-25", "X-E-8"), ()),
        "1.8": ("Sensors, lamps, phones, secrets", (), ("test_views.py",)),
    },
)


ROOM: Final = "hextraction.controller.games.extraction"
SCENARIOS: Final = Path(__file__).parents[1] / "tests" / "scenarios" / "extraction"
CASES: Final = {
    "E-01": "turn.setting_up.lay_disc",
    "E-02": "turn.yields.harvest",
    "E-03": "turn.yields.harvest",
    "E-04": "turn.yields.harvest",
    "E-05": "turn.yields.harvest",
    "E-06": "turn.yields.harvest",
    "E-07": "turn.yields.harvest",
    "E-08": "turn.turning.swap",
    "E-09": "turn.turning.swap",
    "E-10": "land.possible.swap_possible",
    "E-11": "turn.turning.swap",
    "E-12": "turn.turning.play",
    "E-13": "land.places.stock",
    "E-14": "turn.flow.settle_route",
    "E-15": "turn.flow.settle_route",
    "E-16": "turn.fighting.throw",
    "E-17": "land.wagers.succeeds",
    "E-18": "land.places.why_no_attack",
    "E-19": "land.places.fitting",
    "E-20": "turn.fighting.attack",
    "E-21": "land.possible.starting_cards",
    "E-22": "turn.trading.with_bank",
    "E-23": "turn.trading.offer",
    "E-24": "land.possible.has_move",
    "E-25": "turn.flow.finish",
    "E-26": "land.places.why_no_settlement",
    "X-E-2": "turn.setting_up.lay_disc",
    "X-E-3": "turn.setting_up.lay_disc",
    "X-E-4": "turn.yields.harvest",
    "X-E-5": "land.possible.swap_possible",
    "X-E-6": "land.places.why_no_settlement",
    "X-E-7": "turn.flow.settle_route",
    "X-E-8": "land.possible.has_move",
    "X-E-9": "turn.flow.settle_army",
}
"""The function that decides each case of our reading."""


def cases_table() -> str:
    """Return each case with the function that decides it and its scenarios.

    Raises:
        AttributeError: there is no such function any more.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(SCENARIOS.glob("*.scenario")):
        for name in re.findall(r"^SCENARIO (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE):
            case, _colon, words = name.partition(": ")
            found.setdefault(case, []).append((words, path.name))
    rows = ["| Case | Situation | Code | Scenario |\n", "|---|---|---|---|\n"]
    for case, where in CASES.items():
        module, _dot, function = where.rpartition(".")
        getattr(import_module(f"{ROOM}.{module}"), function)
        words = "; ".join(told for told, _path in found[case])
        files = ", ".join(f"`{path}`" for path in dict.fromkeys(path for _told, path in found[case]))
        rows.append(f"| {case} | {words} | `{where}` | {files} |\n")
    return "".join(rows)


def parts() -> tuple[str, ...]:
    """Return the generated parts of the page, in their order."""
    return (
        meanings_table("Setting `attack`", TOLD),
        PAGE.sections_table(ACTS),
        cases_table(),
        rules_table(),
        words_table(LANGUAGE),
    )

"""The tables of docs/hextris.md: where each section of the rules is in code and tests, and the words."""

import ast
import re
from pathlib import Path
from typing import Final

from hextraction.controller.games.hextris.house import TELLS
from hextraction.controller.games.hextris.rules import ACTS, rules_table
from hextraction.controller.games.hextris.scenario import SENTENCES

__all__ = ["parts"]

ROOT: Final = Path(__file__).parents[1]
ROOM: Final = ROOT / "controller" / "games" / "hextris"
SCENARIOS: Final = ROOT / "tests" / "scenarios" / "hextris"
SECTIONS: Final = {
    "2.1": ("Board, pieces, leaving", ()),
    "2.2": (
        "Drops, slides, fives and sixes, skipping",
        ("T-01", "T-02", "T-03", "T-05", "T-08", "T-09", "T-10", "T-14", "T-15"),
    ),
    "2.3": ("Swaps and their readings", ("T-04", "T-06", "T-07", "T-11", "T-17")),
    "2.4": ("The end, ties, draws", ("T-12", "T-13", "T-16", "X-T-3")),
    "2.5": ("Counts of plies", ()),
    "2.6": ("Sensors, lamps, phones, taking back", ("T-18",)),
}


def sections_table() -> str:
    """Return each section with the functions that speak of it, its acts, and its scenarios."""
    rows = ["| Section | What | Code | Acts | Tests |\n", "|---|---|---|---|---|\n"]
    for section, (title, ids) in SECTIONS.items():
        acts = ", ".join(f"`{act}`" for act, rule in ACTS.items() if rule.section == section)
        code, tests = ", ".join(_code(section)), ", ".join(_tests(section, ids))
        rows.append(f"| {section} | {title} | {code} | {acts} | {tests} |\n")
    return "".join(rows)


def _code(section: str) -> list[str]:
    """Return the functions and values of the room whose docstrings name a section."""
    found = []
    for path in sorted(ROOM.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            told = ast.get_docstring(node) if isinstance(node, ast.FunctionDef | ast.ClassDef) else None
            if (
                told
                and isinstance(node, ast.FunctionDef | ast.ClassDef)
                and re.search(rf"\b{section}\b", told)
            ):
                found.append(f"`{path.stem}.{node.name}`")
    return found


def _tests(section: str, ids: tuple[str, ...]) -> list[str]:
    found = []
    for path in sorted(SCENARIOS.glob("*.scenario")):
        names = re.findall(r"^SCENARIO ([^:]+):", path.read_text(encoding="utf-8"), re.MULTILINE)
        count = sum(name.strip() in {section, *ids} for name in names)
        found += [f"`{path.name}` ({count})"] if count else []
    return found + (["`test_perft.py`"] if section == "2.5" else [])


def words_table() -> str:
    """Return the sentences of the scenario language."""
    rows = ["| Sentence | Means |\n", "|---|---|\n"]
    for word in ("", "DO", "EXPECT"):
        rows.append(f"| **{word or 'Set-up'}** | |\n")
        rows += [f"| `{one.template}` | {one.meaning} |\n" for one in SENTENCES if one.word == word]
    return "".join(rows)


def readings_table() -> str:
    """Return the readings of the swap rule."""
    rows = ["| Reading | Who may swap |\n", "|---|---|\n"]
    return "".join([*rows, *(f"| {reading} | {told} |\n" for reading, told in TELLS.items())])


def parts() -> tuple[str, ...]:
    """Return the generated parts of the page, in their order."""
    return readings_table(), sections_table(), rules_table(), words_table()

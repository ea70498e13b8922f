"""What the published facts of executed tiles say, in our own words, and the scenarios that check them.

The facts are in ``tile_checks.toml``; each scenario of the five files below was written from them before it
was run, and is about the card whose title it begins with.
"""

import re
import tomllib
from pathlib import Path
from typing import Final

from hextraction.controller.games.hextraction.cards.tilebook import Doer, doer
from hextraction.controller.games.hextraction.cards.tiles import Catalogue, Tile

__all__ = ["checks_section", "to_check"]

_FILES: Final = tuple(f"{name}.scenario" for name in ("cards", "facts", "last_acts", "moving", "silenced"))
_TITLED: Final = re.compile(r"SCENARIO [^:]+: (?P<card>[^:]+): (?P<says>.+)")

_PATHS_OF: Final = ("skybridge-", "sushi-")
"""How the names of tiles begin that are one of the paths of another, with its card."""
_FACTS: Final = Path(__file__).with_suffix(".toml")


def to_check(tiles: Catalogue) -> list[Tile]:
    """Return the real tiles that the rules execute, without parts and paths of others."""
    parts = {part for tile in tiles.values() for part in tile.parts} | {"backrooms-exit"}
    executed = (Doer.RULES, Doer.BOTH)
    return [
        tile
        for tile in sorted(tiles.values(), key=lambda one: one.title.lower())
        if tile.creator
        and tile.name not in parts
        and doer(tile) in executed
        and not tile.name.startswith(_PATHS_OF)
    ]


def checks_section(tiles: Catalogue, folder: Path) -> str:
    """Return the list of checks as Markdown, with the scenarios in ``folder``."""
    lines = [line for name in _FILES for line in (folder / name).read_text(encoding="utf-8").splitlines()]
    found = [match for line in lines if (match := _TITLED.fullmatch(line))]
    facts = tomllib.loads(_FACTS.read_text(encoding="utf-8"))
    rows = []
    for tile in to_check(tiles):
        fact, wrong = facts[tile.name]["fact"], facts[tile.name].get("mended", "")
        says = "; ".join(match["says"] for match in found if match["card"] == tile.title)
        rows.append(f"| {tile.title} | {fact} | {says} | {f'mended: {wrong}' if wrong else 'held'} |\n")
    return _INTRODUCTION + "".join(rows)


_INTRODUCTION: Final = """
## Checked against their facts

Each card that the rules execute was read again from its published fact: what it must do beside other tiles
was written down as scenarios (in `tests/scenarios`: `facts`, `cards`, `last_acts`, `moving`, `silenced`) and
then run. All of them hold now; *mended* says what did not at first (2026-11-22 and 23).

| Card | Fact in our words | Scenarios | Result |
|---|---|---|---|
"""

"""The tables of docs/config.md: every key of a configuration, from the types that it is read into."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hextraction.controller import config
from hextraction.controller.games.extraction.land.house import Written as Extraction
from hextraction.controller.games.hexel.house import Written as Hexel
from hextraction.controller.games.hextraction.setup.house import Written as Hextraction
from hextraction.controller.games.hextris.house import Written as Hextris
from hextraction.controller.games.registry import kinds, must_be_allowed
from hextraction.settings import Entry, entries

__all__ = ["GAMES", "parts"]

GAMES: Final[Mapping[str, type]] = {
    "game": Hextraction,
    "hextris": Hextris,
    "extraction": Extraction,
    "hexel": Hexel,
}
"""The tables of the games that come with the board, each with the type of its keys."""
_UNITS: Final = {"s": "seconds", "ms": "milliseconds", "ma": "mA"}
_HEAD: Final = "| Key | What may stand there | Without it | What it is |\n|---|---|---|---|\n"


def keys_table(table: type) -> str:
    """Return the keys of a table in Markdown."""
    return _HEAD + "".join(map(_row, entries(table)))


def allowed_table() -> str:
    """Return the games that a table has to allow."""
    asking = {kind: must_be_allowed(kind) for kind in kinds()}
    return _HEAD + "".join(
        f"| `{kind}` | true or false | `false` | {_sentence(f'whether this table offers it: {why}')} |\n"
        for kind, why in asking.items()
        if why
    )


def parts() -> tuple[str, ...]:
    """Return the generated parts of the page, in their order: the board's tables, then those of the games."""
    return (*map(keys_table, config.TABLES.values()), allowed_table(), *map(keys_table, GAMES.values()))


def _row(entry: Entry) -> str:
    usual = "has to be there" if entry.key.must else _value(entry.usual)
    return f"| `{entry.name}` | {_wants(entry)} | {usual} | {_sentence(entry.key.told)} |\n"


def _wants(entry: Entry) -> str:
    """Return what may stand at a key, with its unit."""
    if entry.key.names:
        return f"the name of a {entry.key.names}"
    if entry.words:
        words = ", ".join(f"`{word}`" for word in entry.words)
        return f"some of {words}" if isinstance(entry.usual, tuple) else f"one of {words}"
    if entry.type in (int, float):
        unit = _UNITS.get(entry.name.rpartition("_")[2], "")
        whole = "a whole number" if entry.type is int else "a number"
        return f"{whole}{f' of {unit}' if unit else ''}, {entry.key.low:,.10g} to {entry.key.high:,.10g}"
    shapes = {bool: "true or false", str: entry.key.like, Path: "the name of a file"}
    return shapes.get(entry.type, "a list of texts")


def _value(usual: Any) -> str:
    """Return a default as it would be written."""
    if isinstance(usual, bool):
        return f"`{str(usual).lower()}`"
    if isinstance(usual, Path):
        return f'`"~/{usual.relative_to(Path.home())}"`'
    if isinstance(usual, tuple) and usual:
        return f"`{json.dumps(usual)}`"
    if isinstance(usual, float | int):
        return f"`{usual:.10g}`"
    return f'`"{usual}"`' if usual else "nothing"


def _sentence(told: str) -> str:
    """Return what a key is as a sentence, with links to the pages that it names."""
    linked = re.sub(r"\bdocs/([\w-]+\.md)", r"[\1](\1)", told)
    return f"{linked[0].upper()}{linked[1:]}."

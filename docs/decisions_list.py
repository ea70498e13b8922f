"""The list of decisions by room, made from the headings of the pages in ``docs/decisions``."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["ROOMS", "decisions_list"]

_FOLDER: Final = Path(__file__).parent / "decisions"
ROOMS: Final = (
    "house",
    "rulebook-turns",
    "rulebook-rolls",
    "other-games",
    "table",
    "phones",
    "tracking",
    "simulator",
    "devices",
    "install",
)
"""The pages, in the order of the list."""
_HEADING: Final = re.compile(r"^## (.+)$", re.MULTILINE)


def decisions_list() -> str:
    """Return the first line of every decision in Markdown, by room."""
    return "\n".join(_room(name) for name in ROOMS)


def _room(name: str) -> str:
    text = (_FOLDER / f"{name}.md").read_text(encoding="utf-8")
    title = text.partition("\n")[0].removeprefix("# ")
    return f"## [{title}](decisions/{name}.md)\n\n" + "".join(_lines(text))


def _lines(text: str) -> Iterator[str]:
    return (f"- {heading}\n" for heading in _HEADING.findall(text))

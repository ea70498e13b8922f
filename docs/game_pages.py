"""Tables that the pages of several games have: where each section is in code and tests, and the words."""

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from hextraction.controller.games.sentences import Language, Sentence

__all__ = ["GamePage", "meanings_table", "sentences_table", "words_table"]

_PIPE: Final = "\\|"
"""A bar inside a table of Markdown."""
ROOT: Final = Path(__file__).parents[1]


class GamePage(NamedTuple):
    """What the page of a game is about.

    ``sections`` are the sections of its rules, each with its title, the ids of scenarios that belong to it
    besides those that bear its own number, and test files by name.
    """

    kind: str
    sections: Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]]

    def sections_table(self, acts: Mapping[str, Any]) -> str:
        """Return each section with the functions that speak of it, its acts, and its scenarios."""
        rows = ["| Section | What | Code | Acts | Tests |\n", "|---|---|---|---|---|\n"]
        for section, (title, ids, files) in self.sections.items():
            heard = ", ".join(f"`{act}`" for act, rule in acts.items() if rule.section == section)
            tests = ", ".join([*self._scenarios(section, ids), *(f"`{name}`" for name in files)])
            rows.append(f"| {section} | {title} | {', '.join(self._code(section))} | {heard} | {tests} |\n")
        return "".join(rows)

    def _code(self, section: str) -> list[str]:
        """Return the functions and classes of the room whose docstrings name a section."""
        found = []
        for path in sorted((ROOT / "controller" / "games" / self.kind).rglob("*.py")):
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            parts = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)]
            found += [f"`{path.stem}.{part.name}`" for part in parts if _speaks_of(part, section)]
        return found

    def _scenarios(self, section: str, ids: tuple[str, ...]) -> list[str]:
        found = []
        for path in sorted((ROOT / "tests" / "scenarios" / self.kind).glob("*.scenario")):
            names = re.findall(r"^SCENARIO ([^:]+):", path.read_text(encoding="utf-8"), re.MULTILINE)
            count = sum(name.strip() in {section, *ids} for name in names)
            found += [f"`{path.name}` ({count})"] if count else []
        return found


def _speaks_of(part: ast.FunctionDef | ast.ClassDef, section: str) -> bool:
    """Whether the docstring of a part of the code names a section: 3.4 is not in 3.4.1."""
    told = ast.get_docstring(part) or ""
    return re.search(rf"(?<![\d.]){re.escape(section)}(?!\.?\d)", told) is not None


def sentences_table(sentences: Iterable[Sentence]) -> str:
    """Return sentences of a scenario language with their meanings."""
    rows = [f"| `{one.template.replace('|', _PIPE)}` | {one.meaning} |\n" for one in sentences]
    return "".join(["| Sentence | Meaning |\n", "|---|---|\n", *rows])


def words_table(language: Language[Any]) -> str:
    """Return all sentences of a scenario language."""
    rows = ["| Sentence | Means |\n", "|---|---|\n"]
    for word, sentences in language.sentences.items():
        rows.append(f"| **{word}** | |\n")
        rows += [f"| `{one.template.replace('|', _PIPE)}` | {one.meaning} |\n" for one in sentences]
    return "".join(rows)


def meanings_table(what: str, meanings: Mapping[str, str], heading: str = "What it means") -> str:
    """Return the values of a setting with what each means."""
    rows = [f"| {what} | {heading} |\n", "|---|---|\n"]
    return "".join([*rows, *(f"| `{value}` | {told} |\n" for value, told in meanings.items())])

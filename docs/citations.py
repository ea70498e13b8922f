"""Who cites which clause of the rules: the code by its texts, the scenarios by their headings.

    make clauses ARGS="[2.1.5 R-33 …]"

tells of each clause who sees to it, what code keeps it and which scenarios prove it; of all of them if none
is named. What is no id is looked for in their titles and gists: ARGS="empty pool".

Only texts count, never comments: a clause that code cites reaches a person or a reader of the
documentation.
"""

import ast
import functools
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hextraction.controller.clauses import load_clauses

__all__ = ["Citation", "cited_in_code", "cited_in_scenarios", "ids_in", "kept_and_proved"]

ROOT = Path(__file__).parents[1]
_GAME = ROOT / "controller" / "games" / "hextraction"
_SCENARIOS = ROOT / "tests" / "scenarios"
_ID = re.compile(
    r"(?<![\w.\-])(R-\d\d|[0-3]\.(?:[A-Z][A-Za-z]+|\d{1,2})(?:\.(?:\d{1,2}|[AB])(?![A-Za-z]))*)"
    r"(?!\w)(?!\.\d)(?! ?(?:(?:s|ms|us|mm|m?V|mA|ohm)\b|%))"
)
_RANGE = re.compile(r"R-(\d\d) … R-(\d\d)")
_CASE = re.compile(r"SCENARIO ([^:]*): (.*)")
_REFUSED = re.compile(r"REFUSED ([^:]*): ")
_SHOWN = 2
"""How many scenarios are named of those that prove a clause."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Citation:
    """Something that cites a clause, in a file with a name in it, and how many others it cites beside it."""

    clause: str
    place: str
    beside: int = 0


def ids_in(text: str) -> tuple[str, ...]:
    """Return the ids of clauses and rulings in a text; ranges of rulings are spelled out."""
    spelled = _RANGE.sub(lambda ends: _span(int(ends[1]), int(ends[2])), text)
    return tuple(_ID.findall(spelled))


def _span(first: int, last: int) -> str:
    return " ".join(f"R-{number:02}" for number in range(first, last + 1))


@functools.cache
def cited_in_code(folder: Path = _GAME) -> tuple[Citation, ...]:
    """Return what the modules of a game cite in their texts, each with the module and function that does."""
    modules = (path for path in sorted(folder.rglob("*.py")) if path.parent.name != "scenario")
    return tuple(found for path in modules for found in _in_module(path, path.stem))


@functools.cache
def cited_in_scenarios(folder: Path = _SCENARIOS) -> tuple[Citation, ...]:
    """Return what scenarios are about: headings, and the clauses that refusals cite."""
    return tuple(found for path in sorted(folder.glob("*.scenario")) for found in _in_scenarios(path))


def _in_module(path: Path, place: str) -> Iterator[Citation]:
    yield from _in_node(ast.parse(path.read_text(encoding="utf-8")), place)


def _in_node(node: ast.AST, place: str) -> Iterator[Citation]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield from _cite(child.value, place)
        inside = f"{place}.{child.name}" if isinstance(child, ast.FunctionDef | ast.ClassDef) else place
        yield from _in_node(child, inside)


def _cite(text: str, place: str) -> Iterator[Citation]:
    clauses = ids_in(text)
    return (Citation(clause=clause, place=place, beside=len(clauses) - 1) for clause in clauses)


def _in_scenarios(path: Path) -> Iterator[Citation]:
    place = path.stem
    for line in path.read_text(encoding="utf-8").splitlines():
        case = _CASE.match(line)
        refused = _REFUSED.match(line)
        if case:
            place = f"{path.stem}: {case[2]}"
            yield from _cite(case[1], place)
        elif refused:
            yield from _cite(refused[1], place)


def kept_and_proved(clauses: Iterable[str]) -> str:
    """Return of each clause who sees to it, what code cites it, and the scenarios that are most about it.

    Raises:
        KeyError: there is no such clause.
    """
    code, proofs = _places(cited_in_code()), _places(cited_in_scenarios())
    return "".join(_told(clause, code.get(clause, []), proofs.get(clause, [])) for clause in clauses)


def _places(citations: Iterable[Citation]) -> Mapping[str, list[str]]:
    """Return the places that cite each clause once; what cites few others comes first."""
    found: dict[str, dict[str, None]] = {}
    for one in sorted(citations, key=lambda one: one.beside):
        found.setdefault(one.clause, {})[one.place] = None
    return {clause: list(places) for clause, places in found.items()}


def _told(name: str, code: list[str], proofs: list[str]) -> str:
    clause = load_clauses()[name]
    lines = [f"{name} {clause.title} ({clause.enforced.value})", f"    {clause.gist}"]
    lines += [f"    code: {' '.join(code)}"] if code else []
    lines += [f"    proof: {proof}" for proof in proofs[:_SHOWN]]
    lines += [f"    and {len(proofs) - _SHOWN} more"] if len(proofs) > _SHOWN else []
    return "\n".join(lines) + "\n"


def _about(words: Iterable[str]) -> list[str]:
    """Return the clauses whose title and gist have the most of these words, in any order and case."""
    wanted = [word.casefold() for word in words]
    told = {name: f"{one.title} {one.gist}".casefold() for name, one in load_clauses().items()}
    found = {name: sum(word in text for word in wanted) for name, text in told.items()}
    most = max(found.values())
    return [name for name, number in found.items() if number == most > 0]


def main(asked: list[str]) -> int:
    """Print what is asked for, by ids or by words of the gists; return the exit status."""
    words = " ".join(asked).split()
    unknown = [word for word in words if word not in load_clauses()]
    if any(ids_in(word) for word in words) and unknown:
        print(f"There is no clause {', '.join(unknown)}.", file=sys.stderr)
        return 1
    found = _about(words) if unknown else words
    if words and not found:
        print(f"No clause has the words {' '.join(words)}.", file=sys.stderr)
        return 1
    print(kept_and_proved(found or load_clauses()), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

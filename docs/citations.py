"""Who cites which clause of the rules: the code by its texts, the scenarios and tests by their headings.

Only texts count, never comments: a clause that code cites reaches a person or a reader of the documentation.
"""

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hextraction.controller.clauses import Clause, load_clauses

__all__ = ["Citation", "cited_in_code", "cited_in_tests", "clauses_page", "ids_in"]

ROOT = Path(__file__).parents[1]
_GAME = ROOT / "controller" / "games" / "hextraction"
_TESTS = ROOT / "tests"
_ID = re.compile(
    r"(?<![\w.\-])(R-\d\d|[0-3]\.(?:[A-Z][A-Za-z]+|\d{1,2})(?:\.(?:\d{1,2}|[AB])(?![A-Za-z]))*)"
    r"(?!\w)(?!\.\d)(?! ?(?:(?:s|ms|us|mm|m?V|mA|ohm)\b|%))"
)
_RANGE = re.compile(r"R-(\d\d) … R-(\d\d)")
_CASE = re.compile(r"SCENARIO ([^:]*): (.*)")
_REFUSED = re.compile(r"REFUSED ([^:]*): ")
_HEAD = """# Every clause, and where it is kept

Written by `make docs`; a test notices when it was not. *Kept* says who sees to a clause: the board by itself
(adjudicated), by its sensors or by what people tell in their place (sensed), by asking people (attested), or
nobody, it is only told (advisory). *Code* lists what in `controller/games/hextraction` cites the clause;
*Proof* lists the scenarios (in `tests/scenarios`) and tests that do. What a clause says stands in
`controller/clauses.toml`, in words of our own, and on the phone under Reference.

"""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Citation:
    """Something that cites a clause: ``place`` is a file with or without a name in it."""

    clause: str
    place: str


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
def cited_in_tests(folder: Path = _TESTS) -> tuple[Citation, ...]:
    """Return what scenarios and tests are about: headings, refusals, and docstrings of tests."""
    scenarios = (one for path in sorted(folder.glob("scenarios/*.scenario")) for one in _in_scenarios(path))
    tests = (one for path in sorted(folder.glob("test_*.py")) for one in _in_tests(path))
    return (*scenarios, *tests)


def _in_module(path: Path, place: str) -> Iterator[Citation]:
    yield from _in_node(ast.parse(path.read_text(encoding="utf-8")), place)


def _in_node(node: ast.AST, place: str) -> Iterator[Citation]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield from _cite(child.value, place)
        inside = f"{place}.{child.name}" if isinstance(child, ast.FunctionDef | ast.ClassDef) else place
        yield from _in_node(child, inside)


def _cite(text: str, place: str) -> Iterator[Citation]:
    return (Citation(clause=clause, place=place) for clause in ids_in(text))


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


def _in_tests(path: Path) -> Iterator[Citation]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield from _cite(ast.get_docstring(node) or "", f"{path.stem}: {node.name}")


def clauses_page() -> str:
    """Return the Markdown page of all clauses and rulings."""
    code, proof = _by_clause(cited_in_code()), _by_clause(cited_in_tests())
    known = load_clauses().values()
    tables = (
        ("Clauses", [clause for clause in known if not clause.is_ruling]),
        ("Rulings", [clause for clause in known if clause.is_ruling]),
    )
    body = (f"## {title}\n\n{_table(rows, code, proof)}" for title, rows in tables)
    return _HEAD + "\n".join(body)


def _by_clause(citations: Iterable[Citation]) -> Mapping[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for one in citations:
        found.setdefault(one.clause, {})[one.place] = None
    return {clause: list(places) for clause, places in found.items()}


def _table(rows: Iterable[Clause], code: Mapping[str, list[str]], proof: Mapping[str, list[str]]) -> str:
    head = "| Clause | Title | Kept | Code | Proof |\n|---|---|---|---|---|\n"
    return head + "".join(_row(one, code.get(one.id, []), proof.get(one.id, [])) for one in rows)


def _row(clause: Clause, code: list[str], proof: list[str]) -> str:
    shown = " ".join(f"`{place}`" for place in code)
    proved = "; ".join(place.replace("|", "\\|") for place in proof)
    return f"| {clause.id} | {clause.title} | {clause.enforced.value} | {shown} | {proved} |\n"

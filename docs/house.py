"""The house: which room holds what, and which way imports point, read from the imports themselves.

A room is a folder at the top or a folder of ``controller/``. The modules that stand in ``controller/`` itself
are one room. A room stands above all that it imports.
"""

import ast
import functools
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from hextraction.controller.workshop import drawing
from hextraction.controller.workshop.drawing import FAINT, INK, STEEL, TILE

__all__ = [
    "CHAPTERS",
    "PAGE",
    "PAGE_FLOORS",
    "PICTURE",
    "ROOMS",
    "RULEBOOK",
    "arrows",
    "chapter_of",
    "circles",
    "firmware",
    "floors",
    "inside",
    "modules",
    "page",
    "page_arrows",
    "page_picture",
    "page_upwards",
    "picture",
    "room_of",
    "rulebook",
    "rulebook_picture",
]

ROOT: Final = Path(__file__).parents[1]
PICTURE: Final = ROOT / "docs" / "images" / "rooms.svg"
RULEBOOK: Final = ROOT / "docs" / "images" / "rulebook.svg"
PAGE: Final = ROOT / "docs" / "images" / "page-rooms.svg"
_TOP: Final = ("api", "board", "controller", "hal", "settings", "simulator", "testing")
_RULES: Final = "hextraction.controller.games.hextraction."
_INCLUDE: Final = re.compile(r'^#include "(\w+)\.h"', re.MULTILINE)

ROOMS: Final[Mapping[str, str]] = {
    "app": "composition root, command line",
    "api": "the public library",
    "workshop": "what builds and judges boards",
    "phones": "gate, broker, link to phones",
    "study": "many games at once",
    "testing": "what every game promises",
    "history": "games told again, ladder",
    "table": "seats, lobby, consent",
    "play": "journal, one running game",
    "payloads": "what phones are sent",
    "bots": "players that are programs",
    "controller": "configuration, rig, logs",
    "games": "what a game is; its rules",
    "tracking": "edges to ball facts",
    "evaluation": "how right the tracker is",
    "simulator": "marbles, sensors, noise",
    "board": "grid, slots, tiles' shapes",
    "hal": "devices: ports, hub, wiring",
    "settings": "TOML with file and line",
    "page": "the phone page",
}


CHAPTERS: Final[Mapping[str, str]] = {
    "scenario": "the rules as text to try",
    "game": "the door: what is possible when",
    "setup": "before the first turn",
    "shown": "views, options, lamps, odds",
    "talk": "answers, votes, corrections",
    "roll": "from the ramp to the commit",
    "effects": "what cards do",
    "turn": "playing, destroying, turns",
    "lay": "where a tile may lie",
    "state": "what a game is now",
    "cards": "tiles and their files",
}
"""The chapters of Hextraction's rulebook, and its door."""

PAGE_FLOORS: Final[Sequence[Mapping[str, str]]] = (
    {"page": "what each HTML file begins with"},
    {"games": "each game's own file", "replay": "what was played"},
    {
        "board": "the drawing, and it as text",
        "tray": "what is asked and may be done",
        "seats": "who plays, the lobby",
        "shell": "the page around the game",
    },
    {"scene": "what the table tells"},
    {"elements": "elements, sheets, shapes", "link": "the way to the table"},
    {"words": "the language of the phone", "vendored": "files of others"},
)
"""The rooms of the phone page, from the top down: a room imports from lower floors only."""
_SCRIPTS: Final = ROOT / "controller" / "page"
_SCRIPT_IMPORT: Final = re.compile(r'(?:\bfrom\s*|\bimport\s*\(?\s*)["\'](\.[^"\']+)["\']')


@functools.cache
def modules() -> Mapping[str, Path]:
    """Return every module of the program by its dotted name, the firmware's tools left out."""
    found = {}
    for top in _TOP:
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(("hextraction", *(part for part in parts if part != "__init__")))] = path
    return found


def room_of(path: Path) -> str:
    """Return the room of a file of the program."""
    first, *rest = path.relative_to(ROOT).parts
    return first if first != "controller" or len(rest) == 1 else rest[0]


@functools.cache
def arrows() -> Mapping[str, frozenset[str]]:
    """Return what each module imports of the program, also inside functions."""
    return {name: frozenset(_imports(path)) - {name} for name, path in modules().items()}


def _imports(path: Path) -> Iterator[str]:
    known = modules()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in known:
                    yield inner
                elif node.module in known:
                    yield node.module


def inside(room: str) -> Mapping[str, frozenset[str]]:
    """Return which modules of a room, a game or a chapter, by its dotted name, lean on which of it."""
    within = {name for name in arrows() if name == room or name.startswith(f"{room}.")}
    return {name: arrows()[name] & within for name in within}


@functools.cache
def _between() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {room: set() for room in ROOMS}
    for name, imported in arrows().items():
        here = room_of(modules()[name])
        found[here] |= {room_of(modules()[other]) for other in imported} - {here}
    return {room: frozenset(others) for room, others in found.items()}


def chapter_of(name: str) -> str:
    """Return the chapter of the rulebook that a module belongs to; empty for what is none of it."""
    inside = name.removeprefix(_RULES).split(".") if name.startswith(_RULES) else [""]
    return inside[0] if inside[0] in CHAPTERS else ""


def rulebook() -> Mapping[str, frozenset[str]]:
    """Return which chapters of the rulebook lean on which."""
    found: dict[str, set[str]] = {chapter: set() for chapter in CHAPTERS}
    for name, imported in arrows().items():
        here = chapter_of(name)
        if here:
            found[here] |= {other for one in imported if (other := chapter_of(one)) and other != here}
    return {chapter: frozenset(others) for chapter, others in found.items()}


def page_arrows(folder: Path = _SCRIPTS) -> Mapping[str, frozenset[str]]:
    """Return what each module of the page imports, at once, when first needed, or for a type."""
    scripts = [path.relative_to(folder) for path in sorted(folder.rglob("*.js"))]
    found = {}
    for script in scripts:
        if script.parts[0] not in {"built", "vendored"}:
            imported = _SCRIPT_IMPORT.findall((folder / script).read_text(encoding="utf-8"))
            found[script.as_posix()] = frozenset(
                posixpath.normpath(f"{script.parent.as_posix()}/{one}") for one in imported
            )
    return found


def page_upwards(arrows_of_page: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the imports of the page that lead to another room which does not lie lower."""
    floor_of = {room: number for number, floor in enumerate(reversed(PAGE_FLOORS), 1) for room in floor}
    return [
        f"{name} -> {other}"
        for name, imported in sorted(arrows_of_page.items())
        for other in sorted(imported)
        if _page_room(name) != _page_room(other) and floor_of[_page_room(other)] >= floor_of[_page_room(name)]
    ]


def page() -> Mapping[str, frozenset[str]]:
    """Return which rooms of the page lean on which."""
    found: dict[str, set[str]] = {room: set() for floor in PAGE_FLOORS for room in floor}
    for name, imported in page_arrows().items():
        here = _page_room(name)
        found[here] |= {_page_room(other) for other in imported} - {here}
    return {room: frozenset(others) for room, others in found.items()}


def _page_room(script: str) -> str:
    return script.partition("/")[0] if "/" in script else "page"


def floors(between: Mapping[str, frozenset[str]] | None = None) -> Mapping[str, int]:
    """Return the floor of each room, or of each node of another graph without circles; 1 for the ground.

    What is leant on and stands nowhere in the graph, as files of others do, is the ground.
    """
    graph = _between() if between is None else between

    @functools.cache
    def floor(room: str) -> int:
        return 1 + max((floor(other) for other in graph.get(room, ())), default=0)

    return {room: floor(room) for room in graph}


def circles(graph: Mapping[str, frozenset[str]]) -> list[list[str]]:
    """Return one walk in a circle for each place where a graph has any."""
    found: list[list[str]] = []
    done: set[str] = set()

    def walk(node: str, way: list[str]) -> None:
        if node in way:
            found.append([*way[way.index(node) :], node])
        elif node not in done:
            for other in sorted(graph.get(node, ())):
                walk(other, [*way, node])
            done.add(node)

    for start in sorted(graph):
        walk(start, [])
    return found


def firmware() -> Mapping[str, frozenset[str]]:
    """Return which parts of the firmware lean on which: includes, and calls to what another part defines."""
    folder = ROOT / "hal" / "firmware" / "src"
    texts: dict[str, str] = defaultdict(str)
    for path in sorted(folder.glob("*.[ch]")):
        texts[path.stem] += path.read_text(encoding="utf-8")
    return {
        part: frozenset(other for other in _INCLUDE.findall(text) if other != part and other in texts)
        for part, text in texts.items()
    }


# --- the picture --------------------------------------------------------------------------------------------

_WIDE, _TALL, _GAP, _FLOOR = 180.0, 46.0, 22.0, 92.0


def picture() -> str:
    """Return the picture of the program's rooms."""
    return _drawn("The rooms of the program and what they import", ROOMS, _between())


def rulebook_picture() -> str:
    """Return the picture of the rulebook's chapters."""
    return _drawn("The chapters of the rulebook and what they import", CHAPTERS, rulebook())


def page_picture() -> str:
    """Return the picture of the page's rooms."""
    rooms = {room: told for floor in PAGE_FLOORS for room, told in floor.items()}
    return _drawn("The rooms of the phone page and what they import", rooms, page())


def _drawn(title: str, rooms: Mapping[str, str], between: Mapping[str, frozenset[str]]) -> str:
    """Return a picture of rooms: floors from the top down, an arrow for what a room imports.

    An arrow that another way of arrows already tells is left out.
    """
    level = floors(between)
    rows: dict[int, list[str]] = defaultdict(list)
    for room in rooms:
        rows[level[room]].append(room)
    width = max(len(row) for row in rows.values()) * (_WIDE + _GAP) + 60
    height = len(rows) * _FLOOR + 30
    places = {}
    for number, row in rows.items():
        left = (width - len(row) * (_WIDE + _GAP) + _GAP) / 2
        for index, room in enumerate(row):
            places[room] = (left + index * (_WIDE + _GAP), height - number * _FLOOR)
    body = [each for room in rooms for each in _arrows_of(room, places, between)]
    body += [each for room in rooms for each in _room(room, rooms[room], places[room])]
    body += [
        drawing.text((12, height - number * _FLOOR + 27), str(number), size=13, colour=FAINT)
        for number in rows
    ]
    return drawing.svg((0, 0, width, height), body, size=(width, height), title=title)


def _room(room: str, told: str, at: drawing.Point) -> Iterator[str]:
    x, y = at
    yield drawing.rect(at, _WIDE, _TALL, corner=5, fill=TILE, stroke=INK, stroke_width=1.2)
    yield drawing.text((x + _WIDE / 2, y + 19), room, size=14, anchor="middle", bold=True)
    yield drawing.text((x + _WIDE / 2, y + 36), told, size=10, anchor="middle")


def _arrows_of(
    room: str, places: Mapping[str, drawing.Point], between: Mapping[str, frozenset[str]]
) -> Iterator[str]:
    level = floors(between)
    for other in sorted(between[room]):
        if any(other in _all_below(middle, between) for middle in between[room] if middle != other):
            continue
        (x, y), (to_x, to_y) = places[room], places[other]
        start, end = (x + _WIDE / 2, y + _TALL), (to_x + _WIDE / 2, to_y)
        bend = (start[1] + end[1]) / 2
        way = f"M{_xy(start)}C{_xy((start[0], bend))} {_xy((end[0], bend))} {_xy((end[0], end[1] - 5))}"
        width = 1.4 if level[room] - level[other] == 1 else 1
        yield drawing.path(way, fill="none", stroke=STEEL, stroke_width=width)
        yield drawing.polygon([(end[0] - 4, end[1] - 7), end, (end[0] + 4, end[1] - 7)], fill=STEEL)


def _xy(at: drawing.Point) -> str:
    return f"{at[0]:.0f} {at[1]:.0f}"


def _all_below(room: str, between: Mapping[str, frozenset[str]]) -> frozenset[str]:
    direct = between[room]
    return direct.union(*(_all_below(other, between) for other in direct))

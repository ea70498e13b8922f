"""The house keeps its shape: few rooms, no circles, contracts that name every room, files by meaning."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from helpers.places import ROOT

from docs import house

TRACKED = [
    path
    for path in ROOT.rglob("*.py")
    if not {".venv", ".bench-venv", "build", "typing_root", "node_modules"} & set(path.parts)
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CONTRACTS = PROJECT["tool"]["importlinter"]["contracts"]
SMALL_LINES = 80


def importers():
    """Return how many modules of the program import each."""
    return Counter(other for imported in house.arrows().values() for other in imported)


@pytest.mark.slow
def test_the_house_has_few_rooms_and_floors():
    """Somebody can hold the whole of it in mind: at most 25 rooms on 8 floors, and each has a word."""
    rooms = {house.room_of(path) for path in house.modules().values()}

    assert rooms == set(house.ROOMS)
    assert len(rooms) <= 25
    assert max(house.floors().values()) <= 8


@pytest.mark.slow
def test_nothing_runs_in_a_circle():
    """No module imports what imports it, by however many steps; the firmware's files neither."""
    assert house.circles(house.arrows()) == []
    assert house.circles(house.firmware()) == []


def test_a_circle_would_be_found():
    """The look for circles is no empty gesture."""
    graph = {"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("a"), "d": frozenset("a")}

    assert house.circles(graph) == [["a", "b", "c", "a"]]


def test_the_picture_of_the_rooms_is_the_one_of_today():
    """`make docs` has been run since imports changed between rooms."""
    assert house.PICTURE.read_text("utf-8") == house.picture(), "run `make docs`"
    assert house.PAGE.read_text("utf-8") == house.page_picture(), "run `make docs`"


def test_the_page_has_few_rooms_and_floors_and_no_circle():
    """The phone page is at most twelve rooms of at most twelve modules on seven floors, and nothing runs back up."""
    arrows = house.page_arrows()
    sizes = Counter(
        name.partition("/")[0] for name in arrows if "/" in name and not name.startswith("games/")
    )

    assert house.page_upwards(arrows) == []
    assert house.circles(arrows) == []
    assert len(house.PAGE_FLOORS) <= 7
    assert max(house.floors(house.page()).values()) <= 7
    assert len(house.page()) <= 12
    assert max(sizes.values()) <= 12


def test_the_modules_of_the_page_stand_on_few_floors():
    """From what each HTML file begins with down to the words it is at most seven modules, late imports counted."""
    assert max(house.floors(house.page_arrows()).values()) <= 7


@pytest.mark.parametrize(
    ("module", "planted"),
    [
        ("board/pointer.js", 'import { spotModels } from "./spots.js";'),
        ("tray/options.js", 'import { drawPrompt } from "./prompts.js";'),
        ("elements/dom.js", 'import { language } from "../words/words.js";'),
        ("games/hextraction/groups.js", 'import { chips } from "./setup.js";'),
        ("scene/games.js", 'const late = () => import("../elements/dom.js");'),
    ],
)
def test_an_eighth_floor_of_the_page_would_be_found(tmp_path, module, planted):
    """An import that is allowed by the rooms may still put a module upon one that was its equal."""
    copy = tmp_path / "page"
    shutil.copytree(ROOT / "controller" / "page", copy, ignore=shutil.ignore_patterns("built", "*.po"))
    file = copy / module
    file.write_text(f"{planted}\n{file.read_text('utf-8')}", "utf-8")
    arrows = house.page_arrows(copy)

    assert house.page_upwards(arrows) == []
    assert max(house.floors(arrows).values()) > 7


@pytest.mark.parametrize(
    ("module", "planted"),
    [
        ("board/hands.js", 'import { toast } from "../shell/shell.js";'),
        ("seats/lobby.js", 'import { hush } from "../shell/shell.js";'),
        ("words/words.js", 'export { h } from "../elements/dom.js";'),
        ("board/board.js", 'import "../start.js";'),
        ("scene/games.js", 'const late = () => import("../replay/viewer.js");'),
        ("tray/hand.js", '/** @type {import("../seats/seats.js").Seats} */'),
    ],
)
def test_an_import_upwards_in_the_page_would_be_found(tmp_path, module, planted):
    """However a module of the page looks up or beside: at once, late, or for a type."""
    copy = tmp_path / "page"
    shutil.copytree(ROOT / "controller" / "page", copy, ignore=shutil.ignore_patterns("built", "*.po"))
    file = copy / module
    file.write_text(f"{planted}\n{file.read_text('utf-8')}", "utf-8")

    (found,) = house.page_upwards(house.page_arrows(copy))
    assert found.startswith(f"{module} -> ")


def test_a_circle_within_a_room_of_the_page_would_be_found(tmp_path):
    """Modules of one room may not import each other in a circle either."""
    copy = tmp_path / "page"
    shutil.copytree(ROOT / "controller" / "page", copy, ignore=shutil.ignore_patterns("built", "*.po"))
    file = copy / "board" / "spots.js"
    file.write_text(f'import {{ createBoard }} from "./board.js";\n{file.read_text("utf-8")}', "utf-8")

    assert house.circles(house.page_arrows(copy)) == [["board/board.js", "board/spots.js", "board/board.js"]]


def test_the_controller_itself_holds_few_modules():
    """What stands beside the folders of controller/ is what several of them need: at most eight modules."""
    assert len(list((ROOT / "controller").glob("*.py"))) <= 8


def test_no_three_siblings_share_a_prefix():
    """Three files of one folder that begin with the same word are a folder of their own."""
    found = Counter(
        (path.parent, path.stem.split("_")[0])
        for path in TRACKED
        if "_" in path.stem.strip("_") and not path.stem.startswith("test_")
    )
    tests = Counter(
        (path.parent, path.stem.split("_")[1]) for path in TRACKED if re.match(r"test_[a-z0-9]+_", path.stem)
    )

    assert [place for place, many in (found + tests).items() if many >= 3] == []


def test_a_small_module_with_one_importer_says_why_it_is_alone():
    """A module under 80 lines that one other imports lives there, or its header says why not."""
    count = importers()
    unsaid = [
        name
        for name, path in house.modules().items()
        if path.name != "__init__.py"
        and count[name] == 1
        and len(path.read_text("utf-8").splitlines()) < SMALL_LINES
        and "of its own because"
        not in " ".join((ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split())
    ]

    assert unsaid == []


def test_a_file_of_more_than_600_lines_says_why():
    """Files are cut by meaning; a very long one has its reason in its header."""
    long = [path for path in house.modules().values() if len(path.read_text("utf-8").splitlines()) > 600]

    assert long == []


UPWARDS = [
    ("settings/plain", "hextraction.board.grid"),
    ("hal/intake", "hextraction.simulator.world"),
    ("controller/games/hextraction/cards/tiles", "hextraction.controller.games.hextraction.state.record"),
    ("controller/games/hextraction/state/record", "hextraction.controller.games.hextraction.shown.lamps"),
    ("controller/games/extraction/turn/flow", "hextraction.controller.games.extraction.shown.views"),
    ("controller/play/performer", "hextraction.controller.table.lobby"),
    ("controller/table/lobby", "hextraction.controller.phones.gate"),
    ("controller/payloads/sizes", "hextraction.controller.table.lobby"),
]


def refused(tmp_path, planted):
    """Return what import-linter says after imports were planted in a copy of the program, each in its module."""
    for top in ("api", "board", "controller", "hal", "settings", "simulator", "testing"):
        shutil.copytree(
            ROOT / top,
            tmp_path / "hextraction" / top,
            ignore=shutil.ignore_patterns("*.js", "*.po", "*.json", "*.toml", "__pycache__"),
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module, imports in planted.items():
        file = tmp_path / "hextraction" / f"{module}.py"
        file.write_text(f"{file.read_text('utf-8')}\nimport {imports}\n", "utf-8")
    linted = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--no-cache",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return linted.stdout if linted.returncode else ""


@pytest.mark.slow
def test_chance_and_clocks_in_any_module_of_any_game_are_refused(tmp_path):
    """Rules, board and tracker draw no chance and look at no clock: `make lint` names every module that does."""
    games = [path.parent for path in (ROOT / "controller" / "games").glob("*/__init__.py")]
    modules = [
        path.relative_to(ROOT).with_suffix("").as_posix()
        for room in (*games, ROOT / "controller" / "tracking", ROOT / "board")
        for path in room.rglob("*.py")
    ]
    told = refused(tmp_path, dict.fromkeys(modules, "random, time"))
    named = {
        forbidden: set(re.findall(rf"(hextraction\.[\w.]+) -> {forbidden}\b", told))
        for forbidden in ("random", "time")
    }
    planted = {f"hextraction.{name.removesuffix('/__init__').replace('/', '.')}" for name in modules}

    assert {game.name for game in games} >= {"hextraction", "hextris", "extraction", "hexel"}
    assert named == {"random": planted, "time": planted}


@pytest.mark.slow
@pytest.mark.parametrize(("module", "above"), UPWARDS)
def test_an_import_upwards_is_refused(tmp_path, module, above):
    """No room and no chapter looks up: `make lint` says where one does."""
    assert "BROKEN" in refused(tmp_path, {module: above})


def test_every_module_stands_under_an_import_contract():
    """The contracts about floors are exhaustive, so a new room or chapter has to find its place."""
    layered = {
        inside: one["layers"]
        for one in CONTRACTS
        if one["type"] == "layers" and one["exhaustive"]
        for inside in one["containers"]
    }
    assert set(layered) == {
        "hextraction",
        "hextraction.controller",
        "hextraction.controller.games.hextraction",
        "hextraction.controller.games.extraction",
    }


RULEBOOK = "hextraction.controller.games.hextraction"
EXTRACTION = "hextraction.controller.games.extraction"


def test_the_rulebook_has_few_chapters_of_few_modules():
    """At most ten chapters on eight floors, no module beside their door; at most twelve in a chapter, on six."""
    room = ROOT / "controller" / "games" / "hextraction"
    chapters = [path for path in room.iterdir() if (path / "__init__.py").exists()]
    sizes = {
        path.name: len([one for one in path.glob("*.py") if one.name != "__init__.py"]) for path in chapters
    }
    assert {path.stem for path in room.glob("*.py")} == {"__init__", "game"}
    assert len(sizes) <= 10
    assert max(sizes.values()) <= 12
    assert house.circles(house.rulebook()) == []
    assert max(house.floors(house.rulebook()).values()) <= 8
    assert {
        chapter: floors
        for chapter in sizes
        if max((floors := house.floors(house.inside(f"{RULEBOOK}.{chapter}"))).values()) > 6
    } == {}


def test_extraction_has_few_chapters_on_few_floors():
    """At most eight chapters, no module beside their door; at most twelve modules in each, and eight floors in all."""
    room = ROOT / "controller" / "games" / "extraction"
    chapters = {path.parent.name for path in room.glob("*/__init__.py")}
    sizes = {
        chapter: len([one for one in (room / chapter).glob("*.py") if one.name != "__init__.py"])
        for chapter in chapters
    }
    assert {path.stem for path in room.glob("*.py")} == {"__init__", "game"}
    assert len(chapters) <= 8
    assert max(sizes.values()) <= 12
    assert max(house.floors(house.inside(EXTRACTION)).values()) <= 8


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("bots.search", "turn.rules"),
        ("shown.options", "turn.turning"),
        ("turn.fighting", "turn.turning"),
        ("scenario.case", "game"),
        ("land.places", "land.state"),
    ],
)
def test_a_floor_more_in_extraction_would_be_found(module, imported):
    """The rules are given to bots and scenarios, and rules do not call each other: one import more is a floor more."""
    graph = dict(house.inside(EXTRACTION))
    graph[f"{EXTRACTION}.{module}"] |= {f"{EXTRACTION}.{imported}"}

    assert max(house.floors(graph).values()) > 8


def test_the_workshop_has_few_modules_in_each_folder():
    """At most twelve modules in each folder of the workshop; what is more becomes chapters by meaning."""
    room = ROOT / "controller" / "workshop"
    sizes = Counter(path.parent for path in room.rglob("*.py") if path.name != "__init__.py")

    assert len(sizes) > 4
    assert {str(folder): size for folder, size in sizes.items() if size > 12} == {}


def test_every_package_is_in_the_wheel():
    """A folder that is forgotten in pyproject.toml works here and is silently absent from the wheel."""
    folders = {
        name.rpartition(".")[0] for name, path in house.modules().items() if path.name != "__init__.py"
    }
    folders |= {name for name, path in house.modules().items() if path.name == "__init__.py"}
    left_out = {"hextraction.hal.firmware"}  # tools that run in a checkout

    assert folders - left_out <= set(PROJECT["tool"]["setuptools"]["packages"])


def test_the_page_of_the_architecture_has_a_row_for_each_room():
    """Who reads the page finds every room, and none that is no more."""
    page = Path(ROOT / "docs" / "architecture.md").read_text("utf-8")
    told = re.findall(r"^\| `([\w/]+)/?` \|", page, re.MULTILINE)

    assert {row.rstrip("/").removeprefix("controller/").removeprefix("phones/") for row in told} >= set(
        house.ROOMS
    ) - {"controller"}


GAME_WORDS = re.compile(
    r"\b(choosing|releasing|resolving|placing|seating|settling|tidying|discarding|overdrive|offline|chime|ballots?|votes?"
    r"|virtual|combos?|forbidden|triggers?|concede|attest|break_loop|reclaim|overrule)\b",
    re.IGNORECASE,
)
ELSEWHERE = {
    "phones/link.py": "offline",  # the link itself
    "phones/companion.py": "offline",  # the status of the controller
    "phones/home_assistant.py": "offline",  # the same
    "payloads/messages.py": "offline",
    "phones/gate.py": "FORBIDDEN",  # HTTP
    "phones/badges.py": "FORBIDDEN",
    "table/lobby.py": "votes",  # of a table of any game: who shall leave
}
"""Words of Hextraction that mean something else in these files."""


@pytest.mark.parametrize("room", ["play", "table", "phones", "bots", "study"])
def test_no_word_of_one_game_is_in_a_room_that_serves_them_all(room):
    """No phase, card or act of Hextraction is named there; the page has a test of its own for this."""
    found = {}
    for path in sorted((ROOT / "controller" / room).rglob("*.py")):
        name = str(path.relative_to(ROOT / "controller"))
        words = set(GAME_WORDS.findall(path.read_text("utf-8"))) - {ELSEWHERE.get(name, "")}
        if words:
            found[name] = words
    assert found == {}


THEIR_WORDS = re.compile(
    r"(?<!\w)(hextris|hexel|hex'el|extraction|hoxla|hexven|pyramids?|knights?|insurance|longest route|largest army)\b",
    re.IGNORECASE,
)
THEIRS = ("games/hextris", "games/hexel", "games/extraction", "games/registry.py", "page/built")


@pytest.mark.slow
def test_no_word_of_the_games_on_the_hexagon_is_outside_of_their_rooms():
    """Nothing but a game's own folder, its page file and the registry speaks of it, in code or to people."""
    program = [ROOT / room for room in ("settings", "board", "hal", "simulator", "controller")]
    files = [
        path for room in program for kind in ("py", "js", "css", "html") for path in room.rglob(f"*.{kind}")
    ]
    found = {
        str(path.relative_to(ROOT)): words
        for path in files
        if not any(theirs in path.as_posix() for theirs in THEIRS)
        and (words := set(THEIR_WORDS.findall(path.read_text("utf-8"))))
    }
    assert len(files) > 300
    assert found == {}

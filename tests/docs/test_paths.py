"""docs/architecture.md follows one edge and one command through real files, and leaves none of them out."""

import ast
import re
import sys

import pytest
from helpers.audience import Phones
from helpers.places import ROOT
from helpers.simulated import begin, now_us, play
from hextraction.controller.games.protocol import Acted
from hextraction.controller.payloads.messages import Command
from hextraction.controller.play.journal import EdgeEntry
from hextraction.hal.ports import Edge

PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
STEP = re.compile(r"^\d+\. `([\w/]+\.py): ([\w.]+)`", re.MULTILINE)
MOST = {"edge": 15, "command": 12}
DOORS = ("controller/tracking/", "controller/games/")
"""Rooms that the page shows by their door only."""
BESIDE = {
    "controller/table/evening.py",
    "controller/table/health.py",
    "controller/table/lobby.py",
    "hal/ports.py",
}
"""What is touched on the side: what late-comers are told, the list of ailing sensors, who sits there, plain types."""
ROOMS = ("controller", "hal")


def path(name):
    """Return the steps that the page tells of, as (file, what in it)."""
    return STEP.findall(PAGE.split(f"<!-- path: {name} -->")[1].split("<!-- path:")[0])


def names_in(file):
    """Return the classes, methods and functions of a file, as the page spells them."""
    found = set()
    for node in ast.parse((ROOT / file).read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{one.name}" for one in node.body if isinstance(one, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
    return found


class Crossed:
    """The files of ours that were entered while it was open."""

    def __init__(self):
        self.files = set()

    def __enter__(self):
        self.before = sys.getprofile()
        sys.setprofile(self._called)
        return self

    def __exit__(self, *_error):
        sys.setprofile(self.before)

    def _called(self, frame, event, _value):
        name = frame.f_code.co_filename
        if event == "call" and str(ROOT) in name:
            name = name.split(str(ROOT))[1].strip("/").removeprefix("tests/typing_root/hextraction/")
            if name.startswith(ROOMS) and not name.startswith(DOORS) and name not in BESIDE:
                self.files.add(name)


@pytest.fixture(scope="module")
def table():
    """A simulated table in the middle of a game, whose edges are kept, and phones that look on."""
    made = begin(7)
    made.host.audience = Phones()
    assert play(made, until=lambda runtime: runtime.referee.lies.rolling)
    return made


@pytest.mark.parametrize("name", MOST)
def test_the_path_is_short_and_each_step_is_a_real_place(name):
    """At most fifteen files for an edge and twelve for a command; each names something that is there."""
    steps = path(name)
    assert 8 <= len(steps) <= MOST[name]
    assert len({file for file, _what in steps}) == len(steps)
    for file, what in steps:
        assert what in names_in(file), f"{file} has no {what}"


@pytest.mark.slow
def test_an_edge_enters_no_file_that_the_page_leaves_out(table):
    """While edges are heard and what follows is shown, no file of ours is entered that is not on the path."""
    told = {file for file, _what in path("edge")}
    sensor = next(name for name in table.rig.sensors if name.startswith("ball."))
    level = not table.host.runtime.referee.levels.get(sensor, False)
    with Crossed() as crossed:
        for active in (level, not level):
            table.host.edge(Edge(sensor, active, now_us(table)))
        table.host.refresh(now_us(table))
    assert EdgeEntry in {type(entry.what) for entry in table.host.journal.entries(table.host.runtime.game)}
    assert {"controller/play/runtime.py", "controller/play/journal.py"} <= crossed.files
    assert crossed.files - told - {"hal/mock.py"} == set()


def test_a_command_enters_no_file_that_the_page_leaves_out(table):
    """Nor does an act from a phone, with all that follows from it."""
    told = {file for file, _what in path("command")} | {file for file, _what in path("edge")}
    runtime = table.host.runtime
    seat = runtime.standing.active
    option = runtime.referee.game.private(runtime.referee.state, seat).options[0]
    with Crossed() as crossed:
        table.host.command(seat, Command(id="c1", game=runtime.game, act=dict(option.act)), now_us(table))
        table.host.refresh(now_us(table))
    assert Acted in {type(entry.what) for entry in table.host.journal.entries(runtime.game)}
    assert crossed.files - told - {"hal/mock.py", "hal/guard.py"} == set()


PAGES = sorted((ROOT / "docs").glob("*.md"))
"""The pages that say how things are; the folder of decisions says how they were."""


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_every_python_file_that_a_page_names_is_there(page):
    """Who looks for it finds it, by its path or at least by the end of it."""
    named = set(re.findall(r"`([\w/]+\.py)`", page.read_text("utf-8")))
    rooms = (
        "api",
        "bench",
        "board",
        "controller",
        "docs",
        "examples",
        "hal",
        "settings",
        "simulator",
        "systemd",
        "testing",
        "tests",
    )
    files = [f"/{file.relative_to(ROOT)}" for room in rooms for file in (ROOT / room).rglob("*.py")]
    missing = [name for name in sorted(named) if not any(file.endswith(f"/{name}") for file in files)]
    assert not missing

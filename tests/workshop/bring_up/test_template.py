"""The drilling template: every instrument has its holes, nothing overlaps, and a printed millimetre is one."""

import itertools
import math
import re
import xml.etree.ElementTree as ET

import pytest
from helpers.places import ROOT
from hextraction.board.instruments import SETS, coils, instruments, lamps, middle_slots
from hextraction.board.profile import board_names, load_board
from hextraction.controller.app.command_line import main
from hextraction.controller.workshop.bring_up.template import draw_pages, draw_sheet
from hextraction.controller.workshop.bring_up.template_holes import FITTINGS, edge_frame, holes, ramp_frame
from shapely import LineString, MultiPoint, Polygon

BOARD = load_board()
PRINTED = [name for name in board_names() if name != "fx-19"]
"""The boards whose end zones lie below one slot each."""


def parsed(text):
    """Return a drawing of ours as a tree."""
    return ET.fromstring(text)  # noqa: S314 - our own drawing


def drawn(name="standard-22", which="rich"):
    """Return the holes of a board."""
    board = load_board(name)
    return holes(board, which, middle_slots(board))


def corners(hole):
    """Return a hole's outline as points."""
    fitting = FITTINGS[hole.fitting]
    if fitting.round:
        radius = fitting.width_mm / 2
        return [
            (hole.x_mm + radius * math.cos(t / 4), hole.y_mm + radius * math.sin(t / 4)) for t in range(26)
        ]
    turn = math.radians(hole.turned_deg)
    half_x, half_y = fitting.width_mm / 2, fitting.height_mm / 2
    spots = [(sx * half_x, sy * half_y) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return [
        (
            hole.x_mm + x * math.cos(turn) - y * math.sin(turn),
            hole.y_mm + x * math.sin(turn) + y * math.cos(turn),
        )
        for x, y in spots
    ]


@pytest.mark.parametrize("name", board_names())
@pytest.mark.parametrize("which", SETS)
def test_every_instrument_coil_and_lamp_has_its_place(name, which):
    """No sensor, gate or pixel of a set is forgotten, and nothing else is drawn."""
    board = load_board(name)
    kickers = middle_slots(board)
    made = drawn(name, which)
    sensors = {
        hole.owner for hole in made if hole.fitting in {"tile", "hall", "beam", "magnet", "wall magnet"}
    }
    assert sensors == {one.name for one in instruments(board, which)}
    assert {hole.owner for hole in made if hole.fitting in {"gate", "kicker"}} == set(coils(board, kickers))
    pixels = dict.fromkeys((name for name, _count in lamps(board)), 0)
    for hole in made:
        if hole.fitting == "lamp":
            pixels[hole.owner] += 1
    assert pixels == dict(lamps(board))


@pytest.mark.parametrize("name", PRINTED)
def test_no_two_holes_overlap(name):
    """Between the outlines of any two holes or marks of the richest set there is material left."""
    outlines = [(hole, Polygon(corners(hole))) for hole in drawn(name)]
    close = [
        (one.owner, other.owner)
        for (one, first), (other, second) in itertools.combinations(outlines, 2)
        if abs(one.x_mm - other.x_mm) < 12
        and abs(one.y_mm - other.y_mm) < 12
        and first.distance(second) < 0.3
    ]
    assert close == []


@pytest.mark.slow
@pytest.mark.parametrize("name", PRINTED)
def test_no_owners_body_stands_in_anothers(name):
    """A gate's rocker fills the place between its pins, a beam the way between its ends: nobody else is there."""
    groups = {}
    for hole in drawn(name):
        groups.setdefault((hole.owner, hole.fitting), []).extend(corners(hole))
    bodies = [(owner, MultiPoint(points).convex_hull) for (owner, _fitting), points in groups.items()]
    close = {
        (one, other)
        for (one, first), (other, second) in itertools.combinations(bodies, 2)
        if one != other and first.distance(second) < 0.5
    }
    assert close == set()


@pytest.mark.parametrize("name", PRINTED)
def test_no_ramp_runs_into_another(name):
    """Balls of 10 mm wait on each: channels of 11 mm stay apart, also where ramps come from both sides of a column."""
    board = load_board(name)
    ways = [
        LineString([ramp_frame(board, ramp.name, out_mm)[:2] for out_mm in (0, 5, 15, 80)]).buffer(5.5)
        for ramp in board.ramps
    ]
    assert min(one.distance(other) for one, other in itertools.combinations(ways, 2)) > 3


def test_halls_of_shared_edges_fit_into_the_wall():
    """The wall between two pockets is 3.5 mm: 1.8 mm of sensor and 3.1 mm of magnet stay within it."""
    for hole in drawn():
        if not hole.owner.startswith("edge.") or hole.fitting == "beam":
            continue
        _edge, slot, number = hole.owner.split(".")
        x, y, across, down = edge_frame(BOARD, slot, int(number))
        off = [abs((px - x) * across + (py - y) * down) for px, py in corners(hole)]
        assert max(off) <= 3.5 / 2
        assert (hole.x_mm - x) * across + (hole.y_mm - y) * down == pytest.approx(0, abs=1e-9)


def test_tile_halls_lie_in_the_ledge_beside_the_key():
    """The ledge at the lower side runs from 20.9 to 23.25 mm, the key is 5.85 mm wide to each side."""
    for hole in drawn():
        if hole.fitting == "tile":
            slot = BOARD.by_name[hole.owner.partition(".")[2]]
            xs, ys = zip(*corners(hole), strict=True)
            assert min(ys) - slot.y_mm >= 20.9
            assert max(ys) - slot.y_mm <= 23.25
            assert min(xs) - slot.x_mm > 5.85


def test_beams_leave_a_ball_its_way():
    """Diode and transistor of a beam are farther apart than a channel of 11 mm is wide."""
    pairs = {}
    for hole in drawn():
        if hole.fitting == "beam":
            pairs.setdefault(hole.owner, []).append(hole)
    assert {len(pair) for pair in pairs.values()} == {2}
    for one, other in pairs.values():
        apart = math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
        assert apart - FITTINGS["beam"].width_mm >= 10


def test_a_printed_millimetre_is_one():
    """Width and height in millimetres are those of the view box, and the ruler is 100 mm long."""
    root = parsed(draw_sheet(BOARD, "lean"))
    _left, _top, width, height = map(float, root.get("viewBox").split())
    assert (root.get("width"), root.get("height")) == (f"{width:g}mm", f"{height:g}mm")
    rulers = [path for path in root.iterfind(".//{*}path") if "h100M" in path.get("d")]
    assert len(rulers) == 1
    ticks = [float(x) for x in re.findall(r"M(-?[\d.]+) ", rulers[0].get("d"))][1:]
    assert len(ticks) == 11
    assert ticks[-1] - ticks[0] == pytest.approx(100, abs=0.02)


def test_every_sensor_is_named_once_on_the_sheet():
    """Each instrument and coil has one label with its name."""
    texts = [node.text for node in parsed(draw_sheet(BOARD, "lean")).iterfind(".//{*}text")]
    for name in [one.name for one in instruments(BOARD, "lean")] + list(coils(BOARD)):
        assert texts.count(name) == 1


def test_pages_cover_the_sheet_and_overlap():
    """Each point of the sheet is on a page; neighbours share 10 mm; each page has a ruler of its own."""
    sheet = parsed(draw_sheet(BOARD, "lean"))
    left, top, width, height = map(float, sheet.get("viewBox").split())
    pages = [parsed(text) for text in draw_pages(BOARD, "lean").values()]
    shown = []
    for page in pages:
        assert (page.get("width"), page.get("height")) == ("210mm", "297mm")
        clip = page.find(".//{*}clipPath/{*}rect")
        shown.append([float(clip.get(key)) for key in ("x", "y", "width", "height")])
        assert sum("h100M" in path.get("d") for path in page.iterfind(".//{*}path")) == 2
    for x, y in itertools.product(
        (left, left + width / 2, left + width), (top, top + height / 2, top + height)
    ):
        assert any(
            px - 0.02 <= x <= px + pw + 0.02 and py - 0.02 <= y <= py + ph + 0.02 for px, py, pw, ph in shown
        )
    lefts = sorted({x for x, _y, _w, _h in shown})
    assert all(second - first == pytest.approx(180, abs=0.02) for first, second in itertools.pairwise(lefts))


def test_the_template_is_always_the_same():
    """Two drawings of a board are equal to the letter."""
    assert draw_sheet(BOARD, "rich") == draw_sheet(BOARD, "rich")


def test_the_command_writes_a_sheet_or_pages(tmp_path, capsys):
    """--out is a file, or with --a4 a folder; without it the sheet goes to standard output."""
    assert main(["template", "small-18", "--sensors", "basic", "--out", str(tmp_path / "sheet.svg")]) == 0
    assert parsed((tmp_path / "sheet.svg").read_text()).tag.endswith("svg")
    assert main(["template", "--a4", "--out", str(tmp_path / "pages")]) == 0
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == [
        f"standard-22-{row}-{column}.svg" for row in (1, 2) for column in (1, 2)
    ]
    capsys.readouterr()
    assert main(["template"]) == 0
    assert capsys.readouterr().out == draw_sheet(BOARD, "lean")


@pytest.mark.parametrize(
    ("words", "says"), [(["moon"], "want a board of"), (["--a4"], "--a4: want --out FOLDER for the pages")]
)
def test_mistakes_are_told(words, says, capsys):
    """A user's mistake is a sentence and status 2."""
    assert main(["template", *words]) == 2
    assert says in capsys.readouterr().err


def test_the_line_of_the_documentation_draws_the_pages(tmp_path, monkeypatch, capsys):
    """Who copies it gets the pages in a folder, not a complaint."""
    readme = (ROOT / "docs" / "building.md").read_text("utf-8")
    line = re.search(r"`hextraction (template [^`]*)`", readme)[1]
    monkeypatch.chdir(tmp_path)
    assert main(line.split()) == 0
    assert capsys.readouterr().out.startswith("pages: ")
    assert list((tmp_path / "pages").glob("*.svg"))

"""The circuit boards' files as they are committed: read here by a few lines of their own, not by what wrote them."""

import csv
import io
import re
import tomllib
import zipfile
from collections import defaultdict
from xml.etree import ElementTree as ET

import pytest
from helpers.places import ROOT

HARDWARE = ROOT / "hardware"
MADE = [
    name for name, one in tomllib.loads((HARDWARE / "boards.toml").read_text("utf-8")).items() if one["made"]
]
PLACED = re.compile(
    r'\(footprint "[^"]+"\s+\(layer "(?P<layer>[FB])\.Cu"\)\s+\(uuid "[^"]+"\)\s+'
    r'\(at (?P<x>[-\d.]+) (?P<y>[-\d.]+)(?: (?P<turned>[-\d.]+))?\)\s+\(property "Reference" "(?P<ref>\w+)"'
)
PAD = re.compile(r'\(pad "(\w+)"(?:(?!\(pad ).)*?\(net \d+ "([^"]+)"\)', re.DOTALL)
SEGMENT = re.compile(r"\(segment\s.*?\(width ([\d.]+)\)\s+\(layer [^)]+\)\s+\(net (\d+)\)", re.DOTALL)
MIDDLE_MM = 100.0
"""Where a board's middle lies on KiCad's sheet, both ways."""


def table(name):
    """Return what a board's own table says."""
    return tomllib.loads((HARDWARE / f"{name}.toml").read_text("utf-8"))


def board(name):
    """Return the text of a board's KiCad file."""
    return (HARDWARE / "boards" / name / f"{name}.kicad_pcb").read_text("utf-8")


def rows(name, which):
    """Return the lines of a board's list."""
    text = (HARDWARE / "boards" / name / f"{which}.csv").read_text("utf-8")
    return list(csv.DictReader(io.StringIO(text)))


def joined(text):
    """Return which pins each net of a KiCad board joins."""
    nets = defaultdict(set)
    begins = [*PLACED.finditer(text)]
    for at, end in zip(begins, [*(one.start() for one in begins[1:]), len(text)], strict=True):
        for number, net in PAD.findall(text, at.start(), end):
            nets[net].add(f"{at['ref']}.{number}")
    return {net: pins for net, pins in nets.items() if not net.startswith("unconnected-(")}


def carries_ma(width_mm, warmer_k=20.0, copper_um=35.0):
    """Return what a track on an outer layer carries by IPC-2221, in mA."""
    area = width_mm / 0.0254 * copper_um / 25.4
    return 1000 * 0.048 * warmer_k**0.44 * area**0.725


@pytest.mark.parametrize("name", MADE)
def test_the_board_joins_what_its_table_joins(name):
    """Every pin of every net, and no other; two nets that are swapped are seen."""
    wanted = {net: set(pins) for net, pins in table(name)["nets"].items()}
    text = board(name)
    assert joined(text) == wanted
    one, other = list(wanted)[:2]
    head, pins = text[: text.index("(footprint")], text[text.index("(footprint") :]
    assert joined(head + pins.replace(f' "{one}")', f' "{other}")', 1)) != wanted


@pytest.mark.parametrize("name", MADE)
def test_placement_and_parts_list_are_those_of_the_board(name):
    """Each part once in each, at the same place, on the same side; every part has a maker's number and a second source."""
    on_board = {
        one["ref"]: (
            float(one["x"]) - MIDDLE_MM,
            MIDDLE_MM - float(one["y"]),
            float(one["turned"] or 0) % 360,
            {"F": "top", "B": "bottom"}[one["layer"]],
        )
        for one in PLACED.finditer(board(name))
    }
    placed = {
        row["Designator"]: (float(row["Mid X"]), float(row["Mid Y"]), float(row["Rotation"]), row["Layer"])
        for row in rows(name, "placement")
    }
    assert set(on_board) == set(placed)
    for ref, (x_mm, y_mm, turned, side) in placed.items():
        assert on_board[ref][:3] == pytest.approx((x_mm, y_mm, turned), abs=1e-3), ref
        assert on_board[ref][3] == side
    bill = rows(name, "bom")
    assert sorted(ref for row in bill for ref in row["Designator"].split(",")) == sorted(placed)
    assert all(int(row["Quantity"]) == len(row["Designator"].split(",")) for row in bill)
    wanted = ("Footprint", "Manufacturer", "Manufacturer Part Number", "Second source")
    assert all(row[what] for row in bill for what in wanted)


@pytest.mark.parametrize("name", MADE)
def test_connectors_and_thickness_are_where_everybody_is_told(name):
    """What printed parts and wiring read in `boards.toml` is what the board has."""
    told = tomllib.loads((HARDWARE / "boards.toml").read_text("utf-8"))[name]
    assert f"(thickness {told['thick_mm']:g})" in board(name)
    places = {
        row["Designator"]: (float(row["Mid X"]), -float(row["Mid Y"])) for row in rows(name, "placement")
    }
    for ref, connector in told["connectors"].items():
        if "at_mm" in connector:
            assert places[ref] == pytest.approx(connector["at_mm"], abs=0.01), ref


@pytest.mark.parametrize("name", MADE)
def test_the_drawing_for_who_fits_it_names_every_part(name):
    """Each once, with its maker's number; all lies on the sheet."""
    drawn = ET.fromstring((HARDWARE / "boards" / name / "placement.svg").read_text("utf-8"))  # noqa: S314 - our own file
    numbers = {
        ref: row["Manufacturer Part Number"]
        for row in rows(name, "bom")
        for ref in row["Designator"].split(",")
    }
    named = {}
    for part in drawn.findall(".//{*}g"):
        ref, title = part.find("{*}text").text, part.find("{*}title").text
        assert ref not in named
        named[ref] = title
    assert set(named) == set(numbers)
    assert all(title.endswith(numbers[ref]) for ref, title in named.items())
    left, top, wide, high = map(float, drawn.get("viewBox").split())
    for box in drawn.findall(".//{*}rect"):
        x, y, w, h = (float(box.get(key)) for key in ("x", "y", "width", "height"))
        assert left <= x <= x + w <= left + wide
        assert top <= y <= y + h <= top + high


@pytest.mark.parametrize("name", MADE)
def test_every_track_carries_its_branch(name):
    """At most 20 K warmer, by the formula of IPC-2221, at the narrowest place of each net."""
    text = board(name)
    nets = {int(number): net for number, net in re.findall(r'^\s\(net (\d+) "([^"]*)"\)', text, re.MULTILINE)}
    narrowest = {}
    for width, number in SEGMENT.findall(text):
        net = nets[int(number)]
        narrowest[net] = min(float(width), narrowest.get(net, 9.0))
    for net, most_ma in table(name)["current_ma"].items():
        if (name, net) == ("hub_board", "GND"):
            continue  # in its areas: test_ground.py
        assert carries_ma(narrowest[net]) >= most_ma, net


@pytest.mark.parametrize("name", MADE)
def test_what_is_sent_to_the_house_has_the_outline_asked_for(name):
    """The edge that KiCad has plotted goes through every corner of the outline, and is as large."""
    outline = tomllib.loads((HARDWARE / "boards.toml").read_text("utf-8"))[name]["outline_mm"]
    with zipfile.ZipFile(HARDWARE / "boards" / name / f"{name}-gerbers.zip") as sent:
        names = sent.namelist()
        edge = sent.read(f"{name}-Edge_Cuts.gbr").decode()
    assert {f"{name}-{layer}.gbr" for layer in ("F_Cu", "B_Cu", "F_Mask", "B_Mask")} <= set(names)
    assert f"{name}.drl" in names
    assert "%MOMM*%" in edge
    ends = re.findall(r"^X(-?\d+)Y(-?\d+)D0", edge, re.MULTILINE)
    drawn = {(round(int(x) / 1e6 - MIDDLE_MM, 3), round(-int(y) / 1e6 - MIDDLE_MM, 3)) for x, y in ends}
    corners = set(map(tuple, outline))
    assert corners <= drawn  # windows for lamps are cut as well
    for axis in (0, 1):
        assert {min(one[axis] for one in drawn), max(one[axis] for one in drawn)} == {
            min(one[axis] for one in corners),
            max(one[axis] for one in corners),
        }

"""What a page to fit parts by shows of a board is what was drawn, and what the list orders."""

import csv
import subprocess
import sys
from importlib.util import find_spec
from itertools import chain

import pytest
from helpers.places import ROOT

from hardware.assembly import board_data, main
from hardware.table import all_boards, load_board

BOARDS = ROOT / "hardware" / "boards"


@pytest.mark.parametrize("name", all_boards())
def test_every_part_that_is_ordered_stands_on_the_page_once(name):
    """With its maker's number beside it, as the parts list has them."""
    rows = csv.DictReader((BOARDS / name / "bom.csv").read_text("utf-8").splitlines())
    number = next(
        column for column in rows.fieldnames if "number" in column.lower() and "second" not in column.lower()
    )
    ordered = {ref: row[number] for row in rows for ref in row["Designator"].split(",")}
    data = board_data(load_board(name))
    shown = {one["ref"]: one["extra_fields"]["Maker's number"] for one in data["components"]}
    assert shown.keys() == ordered.keys()
    assert [ref for ref, told in shown.items() if ordered[ref] not in told] == []
    assert [one["ref"] for one in data["pcbdata"]["footprints"]] == [one["ref"] for one in data["components"]]


@pytest.mark.parametrize("name", all_boards())
def test_pads_lie_where_assembly_houses_are_told_that_their_part_sits(name):
    """All on the board, and around the middle that the placement list gives of their part."""
    data = board_data(load_board(name))["pcbdata"]
    edges = data["edges_bbox"]
    told = {
        row["Designator"]: (float(row["Mid X"]), -float(row["Mid Y"]))
        for row in csv.DictReader((BOARDS / name / "placement.csv").read_text("utf-8").splitlines())
    }
    for one in data["footprints"]:
        places = [pad["pos"] for pad in one["pads"]]
        far = max(map(abs, chain.from_iterable(pad["size"] for pad in one["pads"]))) + max(
            one["bbox"]["size"]
        )
        for x, y in places:
            assert edges["minx"] <= x <= edges["maxx"]
            assert edges["miny"] <= y <= edges["maxy"]
            assert abs(x - told[one["ref"]][0]) < far
            assert abs(y - told[one["ref"]][1]) < far


def test_without_the_program_it_is_said_how_to_get_it():
    """No traceback, and the exit status of a failure."""
    blocked = "import sys; sys.modules['InteractiveHtmlBom'] = None; from hardware.assembly import main; sys.exit(main([]))"
    done = subprocess.run(
        [sys.executable, "-c", blocked], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "make assembly" in done.stderr


def test_the_program_makes_a_page_of_each_board(tmp_path):
    """Where `make assembly` has installed it: four pages that name their board."""
    if find_spec("InteractiveHtmlBom") is None:
        pytest.skip("InteractiveHtmlBom is not here: make assembly")
    assert main(["--out", str(tmp_path)]) == 0
    assert {path.stem for path in tmp_path.glob("*.html")} == set(all_boards())

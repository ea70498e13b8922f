"""The tray of a column board: it is drawn for the board that is made, and holds it by its four screws."""

import math
import tomllib

import pytest
import trimesh
from helpers.places import ROOT
from helpers.prints import shared_mm3
from helpers.standing import mesh
from helpers.tiers import nightly
from hextraction.board.design import load_design
from hextraction.board.profile import load_board

NIGHT = nightly(
    "drawing takes build123d, a gigabyte that CI installs by night only",
    meanwhile="test_the_tray_is_drawn_for_the_column_board_that_is_made",
)
COLUMN = tomllib.loads((ROOT / "hardware" / "boards.toml").read_text("utf-8"))["column_board"]
RISES_MM, SHORT_MM, LONG_MM = 90.0, 300.0, 400.0
"""From the table into a carrier, and the two cables that the guide orders."""
SIDE_MM, ROW_MM, ALONG_MM = 152.0, 62.0, 62.0
"""Where the guide lays trays: so far from the board's middle, a second row behind the first, in front and behind."""
TRAYS = {
    "A": (-SIDE_MM, ALONG_MM),
    "B": (-SIDE_MM, -ALONG_MM),
    "C": (-SIDE_MM - ROW_MM, 0.0),
    "D": (SIDE_MM, -ALONG_MM),
    "E": (SIDE_MM, ALONG_MM),
}


def test_the_tray_is_drawn_for_the_column_board_that_is_made():
    """Its size and its holes are those of `boards.toml`."""
    shape = load_design().printed.column
    assert [2 * max(ends) for ends in zip(*COLUMN["outline_mm"], strict=True)] == list(shape.board_mm)
    assert {(x, y) for x, y, _wide in COLUMN["holes_mm"]} == set(shape.holes_mm)


def test_the_cables_that_the_guide_orders_reach_every_bar():
    """As the crow flies and up into the carrier: 30 cm, but 40 for column C and the end zones."""
    board, zone_mm = load_board("standard-22"), load_design().beam_places.rest_down_mm
    bars = {(slot.name, slot.name[0]): (slot.x_mm, slot.y_mm) for slot in board.slots}
    for zone, slot in (("zone L", "B5"), ("zone R", "D5")):
        bars[zone, slot[0]] = (board.by_name[slot].x_mm, board.by_name[slot].y_mm + zone_mm)
    far = {name: math.dist(place, TRAYS[column]) + RISES_MM for (name, column), place in bars.items()}
    assert max(far.values()) < LONG_MM
    assert {name for name, mm in far.items() if mm > SHORT_MM} == {"C1", "C2", "C3", "C4", "zone L", "zone R"}


@NIGHT
def test_the_board_lies_on_four_posts_and_its_screws_go_into_them():
    """A board of its thickness lies on the tray and in nothing; below each of its holes there is a post around a bore."""
    tray = mesh("column-tray")[0]
    (wide, deep), top = load_design().printed.column.board_mm, tray.bounds[1][2]
    low, high = (-wide / 2, -deep / 2, top + 0.01), (wide / 2, deep / 2, top + COLUMN["thick_mm"])
    assert shared_mm3(tray, trimesh.creation.box(bounds=(low, high))) < 0.01
    for x, y, hole_mm in COLUMN["holes_mm"]:
        ring = trimesh.creation.annulus(r_min=hole_mm / 2, r_max=2.4, height=1.0)
        ring.apply_translation((x, y, top - 0.6))
        assert shared_mm3(tray, ring) > 0.9 * ring.volume
        screw = trimesh.creation.cylinder(radius=1.0, height=5.0)
        screw.apply_translation((x, y, top - 2.6))
        assert shared_mm3(tray, screw) == pytest.approx(0, abs=0.05)

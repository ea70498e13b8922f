"""Printed parts: the table by itself, and, where build123d is installed, their meshes judged by trimesh and manifold3d."""

import itertools
import math

import pytest
import trimesh
from helpers.prints import overhang_mm2, shared_mm3, thin_walls_mm, upright
from helpers.tiers import nightly
from hextraction.board.design import load_design
from hextraction.board.profile import load_board

from hardware.printed.table import PARTS, counts, foot_heights_mm

BOARDS = ("standard-22", "small-18", "large-27", "large-32")
NIGHT = nightly(
    "drawing takes build123d, a gigabyte that CI installs by night only",
    meanwhile="test_every_slot_ramp_zone_and_outer_edge_gets_its_parts",
)
BY_NAME = {part.name: part for part in PARTS}


def mesh(name, folder):
    """Draw a part, write it as STL and read it as another program would; return it and build123d's volume."""
    build123d = pytest.importorskip(
        "build123d", reason="printed parts are drawn by build123d: the extra `parts`"
    )
    values = {"foot": (15.0, 100.0), "leg": (15.0, 100.0)}.get(name, ())
    solid = BY_NAME[name].drawn(*values, **({"left": True} if name == "foot" else {}))
    path = folder / f"{name}.stl"
    build123d.export_stl(solid, str(path), tolerance=0.05, angular_tolerance=0.3)
    return trimesh.load(path), solid.volume


@pytest.mark.parametrize("name", BOARDS)
def test_every_slot_ramp_zone_and_outer_edge_gets_its_parts(name):
    """The table counts what the profile has, and knows each part that it counts."""
    board = load_board(name)
    many = counts(board)
    assert set(many) == set(BY_NAME)
    assert many["carrier"] == many["funnel"] == len(board.slot_names)
    assert many["rim-cup"] == board.edge_counts()["off_board"]
    assert many["gate-fork"] == 2 * many["gate-rocker"] == 2 * len(board.ramps)


@pytest.mark.parametrize("name", BOARDS)
def test_feet_make_the_tilt(name):
    """Rear feet are higher than front ones by what the profile's tilt makes of the way between them."""
    board = load_board(name)
    front, rear = foot_heights_mm(board)
    ys = [slot.y_mm for slot in board.slots if slot.column == 0]
    assert math.degrees(math.asin((rear - front) / (max(ys) - min(ys)))) == pytest.approx(board.tilt_deg)


def test_every_ball_that_falls_through_a_throat_crosses_its_beam():
    """However far a ball of 9.525 or 10 mm is to the side in the throat, the beam is covered a millimetre deep, or more."""
    slot, beam = load_design().printed.slot, load_design().beam_places
    for wide in (9.525, 10.0):
        loose = (slot.throat_mm[1] - wide) / 2
        off = abs(slot.throat_down_mm - beam.drain_down_mm)
        assert off + loose <= wide / 2 - 1.0
        assert 2 * math.sqrt((wide / 2) ** 2 - (off + loose) ** 2) > 5


@NIGHT
@pytest.mark.parametrize("name", BY_NAME)
def test_a_part_can_be_printed(name, tmp_path):
    """It is watertight, as large as drawn, leans nowhere over 50 degrees but over bores, and its walls are 1.2 mm.

    Rays from 1,500 points of the surface measure walls; three in a thousand may end in the tip of a wedge.
    """
    made, volume = mesh(name, tmp_path)
    assert made.is_watertight
    assert made.volume == pytest.approx(volume, rel=0.005)
    lying = upright(made, BY_NAME[name].lies)
    assert overhang_mm2(lying, load_design().printed.overhang_deg) <= (100 if BY_NAME[name].supports else 1)
    walls = thin_walls_mm(lying, 1_500)
    assert (walls < 1.19).mean() <= 0.003


def _placed(part, x_mm, y_mm, clockwise_deg=0.0):
    moved = part.copy()
    moved.apply_transform(trimesh.transformations.rotation_matrix(-math.radians(clockwise_deg), (0, 0, 1)))
    moved.apply_translation((x_mm, y_mm, 0))
    return moved


def _standing(board, drawn):
    """Yield every part of a board where it stands, x to the right and y uphill."""
    for slot in board.slots:
        for name in ("carrier", "funnel"):
            yield f"{name} {slot.name}", _placed(drawn[name], slot.x_mm, -slot.y_mm)
    for name, edge, beyond in board.edges():
        slot, turn = board.by_name[name], math.radians(60 * (edge - 1))
        if beyond.off_board:
            x, y = slot.x_mm + 25 * math.sin(turn), -slot.y_mm + 25 * math.cos(turn)
            yield f"cup {name}.{edge}", _placed(drawn["rim-cup"], x, y, 60 * (edge - 1))
    for name in sorted({ramp.slot for ramp in board.ramps}):
        yield (
            f"block {name}",
            _placed(drawn["ramp-block"], board.by_name[name].x_mm, -board.by_name[name].y_mm),
        )
    for ramp in board.ramps:
        slot, turn = board.by_name[ramp.slot], math.radians(60 * (ramp.edge - 1))
        x, y = slot.x_mm + 30 * math.sin(turn), -slot.y_mm + 30 * math.cos(turn) + 10
        yield f"gate {ramp.name}", _placed(drawn["gate-housing"], x, y)
    for zone in board.zones:
        slot = board.by_name[zone.outlets[0][0]]
        yield f"zone {zone.name}", _placed(drawn["zone-gutter"], slot.x_mm, -slot.y_mm)


@NIGHT
def test_no_part_stands_in_another(tmp_path):
    """On every profile no two carriers, funnels, cups, ramps, gates or end zones claim the same room."""
    names = ("carrier", "funnel", "rim-cup", "ramp-block", "gate-housing", "zone-gutter")
    drawn = {name: mesh(name, tmp_path)[0] for name in names}
    for name in BOARDS:
        parts = list(_standing(load_board(name), drawn))
        assert [
            (one, other)
            for (one, first), (other, second) in itertools.combinations(parts, 2)
            if shared_mm3(first, second) > 0.05
        ] == []

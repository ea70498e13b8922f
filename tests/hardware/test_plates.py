"""Printer's plates: every part is on one, none on another, all on the bed; 3MF files say so to another program."""

import itertools
from collections import Counter

import numpy as np
import pytest
import trimesh
from helpers.tiers import nightly
from hextraction.board.design import load_design
from hextraction.board.profile import load_board
from hypothesis import given
from hypothesis import strategies as st

from hardware.printed.__main__ import main
from hardware.printed.plates import GAP_MM, Laid, Rectangle, Solid, laid_out, write_3mf
from hardware.printed.table import pieces

BED_MM = (220.0, 220.0)
SIZES = st.floats(1, 212)
RECTANGLES = st.lists(st.tuples(SIZES, SIZES, st.integers(1, 9)), min_size=1, max_size=12).map(
    lambda parts: [Rectangle(f"part {n}", *part) for n, part in enumerate(parts)]
)


@pytest.mark.slow
@given(RECTANGLES)
def test_all_parts_lie_apart_on_a_bed(parts):
    """Whatever is to be printed: each part as often as wanted, inside the edge, and a gap between any two."""
    size = {part.name: (part.wide_mm, part.deep_mm) for part in parts}
    plates = laid_out(parts, BED_MM)
    assert Counter(laid.name for plate in plates for laid in plate) == {
        part.name: part.many for part in parts
    }
    for plate in plates:
        for laid in plate:
            wide, deep = size[laid.name]
            assert laid.x_mm >= GAP_MM
            assert laid.y_mm >= GAP_MM
            assert laid.x_mm + wide + GAP_MM <= BED_MM[0] + 1e-9
            assert laid.y_mm + deep + GAP_MM <= BED_MM[1] + 1e-9
        for one, other in itertools.combinations(plate, 2):
            assert any(
                near + size[first.name][axis] + GAP_MM <= far + 1e-9
                for first, second in ((one, other), (other, one))
                for axis, (near, far) in enumerate(((first.x_mm, second.x_mm), (first.y_mm, second.y_mm)))
            ), (one, other)


def test_a_part_that_no_bed_takes_is_named():
    """Whoever has a smaller printer hears which part is too large, and what would do."""
    with pytest.raises(ValueError, match=r"lid: 200 x 110 mm .* bed of 180 x 180 mm; want a larger one"):
        laid_out([Rectangle("lid", 200, 110, 1)], (180.0, 180.0))


def test_a_build_by_hand_prints_what_stands_for_circuit_boards():
    """Yokes for beam boards, a pocket and a cap for an end zone's Hall; a kit has seats for bars; only the starter beam holders."""
    board = load_board("standard-22")
    kit, by_hand, starter = (
        {piece.name: piece.many for piece in pieces(board, where)} for where in ("kit", "hand", "starter")
    )
    shared = kit.keys() & by_hand.keys()
    assert {name: kit[name] for name in kit.keys() - shared} == {
        "zone-gutter": 2,
        "zone-seat": 2,
        "ramp-seat": 2,
        "column-tray": 5,
    }
    assert {name: by_hand[name] for name in by_hand.keys() - shared} == {
        "zone-gutter-by-hand": 2,
        "magnet-cap": 2,
        "beam-yoke": 22 + 6 + 28,
    }
    assert all(kit[name] == by_hand[name] for name in shared)
    assert "beam-holder" not in shared
    assert starter == {"beam-holder": 12}


def test_another_program_reads_a_plate(tmp_path):
    """A box and a wedge, laid three and two times: trimesh finds five closed bodies where they were laid."""
    pytest.importorskip(
        "lib3mf", reason="3MF is written by lib3mf, which comes with build123d: the extra `parts`"
    )
    made = {"box": trimesh.creation.box((10, 20, 5)), "wedge": trimesh.creation.cone(radius=6, height=8)}
    for one in made.values():
        one.apply_translation(-one.bounds[0])
    solids = {name: Solid(one.vertices.tolist(), one.faces.tolist()) for name, one in made.items()}
    plate = [
        Laid("box", 4, 4),
        Laid("box", 18, 4),
        Laid("wedge", 50, 60),
        Laid("box", 4, 120),
        Laid("wedge", 90, 9),
    ]
    write_3mf(tmp_path / "plate.3mf", solids, plate)
    found = _read(tmp_path / "plate.3mf")
    assert all(one.is_watertight for one in found)
    wanted = sorted(
        (laid.x_mm, laid.y_mm, 0.0, *(np.array((laid.x_mm, laid.y_mm, 0)) + made[laid.name].bounds[1]))
        for laid in plate
    )
    assert sorted(tuple(one.bounds.ravel()) for one in found) == [
        pytest.approx(one, abs=1e-3) for one in wanted
    ]


def _read(path):
    """Return every body of a 3MF file where it lies."""
    return trimesh.load(path).dump()


@nightly(
    "drawing takes build123d, a gigabyte that CI installs by night only",
    meanwhile="test_another_program_reads_a_plate",
)
def test_the_plates_of_a_board_hold_all_its_parts(tmp_path, capsys):
    """What `python -m hardware.printed` writes: as many closed bodies as the list says, on the bed, none in another."""
    pytest.importorskip("build123d", reason="printed parts are drawn by build123d: the extra `parts`")
    assert main(["small-18", "--out", str(tmp_path)]) == 0
    bodies = [_read(path) for path in sorted(tmp_path.glob("plate-*.3mf"))]
    told = capsys.readouterr().out
    assert f"together {len(bodies)} plates" in told
    assert sum(map(len, bodies)) == sum(piece.many for piece in pieces(load_board("small-18")))
    for plate in bodies:
        bounds = np.array([one.bounds for one in plate])
        assert all(one.is_watertight for one in plate)
        assert bounds[:, 0].min() >= -1e-3
        assert (bounds[:, 1, :2].max(axis=0) <= load_design().printed.bed_mm).all()
        assert bounds[:, 0, 2] == pytest.approx(0, abs=1e-3)
        for one, other in itertools.combinations(bounds, 2):
            assert (one[1, :2] < other[0, :2]).any() or (other[1, :2] < one[0, :2]).any()

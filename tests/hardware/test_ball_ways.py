"""No printed part, beam board or tile stands in the way of a ball, at any slope that a board may have."""

import functools

import pytest
from helpers.ball_ways import ways
from helpers.standing import Solids, standing
from helpers.tiers import nightly
from hextraction.board.design import load_design
from hextraction.board.profile import load_board

BOARDS = ("standard-22", "small-18", "large-27", "large-32")
TILTS_DEG = (8.0, 15.0, 22.0, 30.0)
NIGHT = nightly(
    "drawing takes build123d, a gigabyte that CI installs by night only",
    meanwhile="test_every_edge_has_its_way",
)


@functools.cache
def _parts(name):
    return dict(standing(load_board(name)))


def _in_the_way(name, tilt_deg, diameter_mm, parts):
    """Return (way, part) wherever a ball would go through something."""
    solids = Solids.of(parts.items())
    return [
        (way.name, part)
        for way in ways(load_board(name), tilt_deg, diameter_mm)
        for part in sorted(solids.hit(way.points, diameter_mm) - {f"tile {slot}" for slot in way.over})
    ]


@pytest.mark.parametrize("name", BOARDS)
def test_every_edge_has_its_way(name):
    """The ways that are tried leave every slot over all six edges and through its hole; every ramp and outlet is one."""
    board = load_board(name)
    names = [way.name for way in ways(board, board.tilt_deg, 10.0)]
    assert len({way for way in names if way.startswith("ramp")}) == len(board.ramps)
    assert sum(way.startswith("into") for way in names) == sum(len(zone.outlets) for zone in board.zones)
    assert sum(way.startswith("off") for way in names) == 3 * board.edge_counts()["off_board"]
    assert sum(way.startswith("down") for way in names) == 8 * len(board.slots)


def test_the_slopes_that_are_tried_are_those_that_gates_work_on():
    """From the least to the steepest of the table, and every profile's own lies between."""
    least, most = load_design().gate.tilt_deg
    assert (TILTS_DEG[0], TILTS_DEG[-1]) == (least, most)
    assert all(least <= load_board(name).tilt_deg <= most for name in BOARDS)


@NIGHT
@pytest.mark.parametrize(
    ("name", "tilt_deg", "diameter_mm"),
    [("standard-22", tilt, wide) for tilt in TILTS_DEG for wide in (9.525, 10.0)]
    + [(name, 15.0, 10.0) for name in BOARDS[1:]],
)
def test_nothing_stands_in_a_balls_way(name, tilt_deg, diameter_mm):
    """Over every edge, off the board at 0.2 to 0.8 m/s (0.4 on the steepest), down every slot, along ramps, into end zones."""
    assert _in_the_way(name, tilt_deg, diameter_mm, _parts(name)) == []


@NIGHT
@pytest.mark.parametrize(
    ("part", "moved_mm"),
    [
        ("beam board rim A1.6", (0, 0, -6)),
        ("beam board ramp 1 B1", (0, 0, -6)),
        ("beam board drain C2", (3, 0, 0)),
        ("funnel C2", (0, 4, 0)),
        ("beam board outlet 4 B5", (0, 0, -6)),
        ("zone-gutter B5", (0, 3, 0)),
    ],
)
def test_what_stands_in_the_way_is_found(part, moved_mm):
    """A part out of its place by some millimetres is named."""
    parts = _parts("standard-22")
    astray = parts[part].copy()
    astray.apply_translation(moved_mm)
    assert part in {other for _way, other in _in_the_way("standard-22", 15.0, 10.0, {part: astray})}

"""Printed parts: the table by itself, and, where build123d is installed, their meshes judged by trimesh and manifold3d."""

import dataclasses
import functools
import itertools
import math
import re
from collections import Counter

import numpy as np
import pytest
import trimesh
from helpers.ball_ways import ways
from helpers.prints import covered_share, overhang_mm2, shared_mm3, thin_walls_mm, upright
from helpers.standing import (
    BY_NAME,
    bar_magnet,
    bar_places,
    beam_board,
    beam_places,
    lamp_places,
    mesh,
    seat_of,
    slot_bar,
    standing,
    turned_to,
)
from helpers.tiers import nightly
from hextraction.board.design import load_design
from hextraction.board.profile import load_board
from hextraction.controller.workshop.plans.kit import load_kit

from hardware.printed.table import counts, foot_heights_mm, leg_height_mm

BOARDS = ("standard-22", "small-18", "large-27", "large-32")
NIGHT = nightly(
    "drawing takes build123d, a gigabyte that CI installs by night only",
    meanwhile="test_every_slot_ramp_zone_and_outer_edge_gets_its_parts",
)
TILTS_DEG = (8.0, 22.0, 30.0)
FIT_MM = (0.2, 0.4)
"""So much room an ordered board has at least and at most, to each side that its seat has."""


@pytest.mark.parametrize("name", BOARDS)
def test_every_slot_ramp_zone_and_outer_edge_gets_its_parts(name):
    """The table counts what the profile has, and knows each part that it counts."""
    board = load_board(name)
    many = counts(board)
    assert set(many) == set(BY_NAME)
    assert many["carrier"] == many["funnel"] == len(board.slot_names)
    assert many["rim-cup"] == board.edge_counts()["off_board"]
    assert many["gate-fork"] == 2 * many["gate-rocker"] == 2 * len(board.ramps)


def test_the_kits_list_has_the_screws_that_its_printed_parts_need():
    """Each length as often as the parts of the 22-slot board say together, M2 and no other."""
    many, needed = counts(load_board("standard-22")), Counter()
    for part in BY_NAME.values():
        if part.where in {"", "kit"}:
            for count, length_mm in re.findall(r"(\d+) M2 x (\d+)", part.needs):
                needed[int(length_mm)] += int(count) * many[part.name]
    told = re.findall(r"(\d+) x (\d+)", load_kit().bought["screws"].what)
    assert {int(length_mm): int(count) for count, length_mm in told} == needed


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
def test_a_part_can_be_printed(name):
    """It is watertight, as large as drawn, leans nowhere over 50 degrees but over bores, and its walls are 1.2 mm.

    Rays from 1,500 points of the surface measure walls; three in a thousand may end in the tip of a wedge.
    """
    made, volume = mesh(name)
    assert made.is_watertight
    assert made.volume == pytest.approx(volume, rel=0.005)
    lying = upright(made, BY_NAME[name].lies)
    assert overhang_mm2(lying, load_design().printed.overhang_deg) <= (120 if BY_NAME[name].supports else 1)
    walls = thin_walls_mm(lying, 1_500)
    assert (walls < 1.19).mean() <= 0.003


@NIGHT
@pytest.mark.parametrize("place", beam_places())
def test_a_beam_board_fits_its_seat(place):
    """With its beam where the ball's middle passes it lies on its seat, with 0.2 to 0.4 mm beside it; its plug is free.

    Where the beam must be is told by board and ball, the board's shape by its own tables: neither by the drawing.
    """
    name, turn, at = beam_places()[place]
    part, (least, most) = mesh(name)[0], FIT_MM
    onto = 1 if place.startswith(("rim", "outlet")) else -1

    def meets(*moved_mm):
        return shared_mm3(part, turned_to(beam_board(), turn, at + turn @ np.array(moved_mm))) > 0.05

    assert not meets(0, 0, 0)
    assert meets(0, 0, onto * 0.1), "it hangs in the air"
    assert not meets(0, 0, -onto * 20), "it cannot be put in"
    for way in ((1, 0, 0), (-1, 0, 0), (0, 1, 0)):
        assert not meets(*(least * one for one in way)), way
        assert meets(*((most + 0.05) * one for one in way)), way


@NIGHT
@pytest.mark.parametrize("place", bar_places())
def test_a_slot_bar_fits_its_seat(place):
    """It lies on both tables where its Hall belongs, has 0.1 mm beside its pegs, and can be lifted off.

    Where the Hall must be follows from a ball's place, the bar's shape from its own tables; neither from the drawing.
    """
    part, (_name, turn, at) = seat_of(place), bar_places()[place]

    def meets(*moved_mm):
        return shared_mm3(part, turned_to(slot_bar(), turn, at + np.array(moved_mm))) > 0.05

    assert not meets(0, 0, 0)
    assert meets(0, 0, -0.1), "it hangs in the air"
    assert not any(meets(0, 0, up) for up in np.arange(0.5, 12, 0.5)), "it cannot be put in"
    for way in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
        assert not meets(*(0.07 * one for one in way)), way
        assert meets(*(0.3 * one for one in way)), way


@NIGHT
@pytest.mark.parametrize("place", ["slot", "end zone"])
def test_a_bars_magnet_stands_at_its_depth(place):
    """5 x 8 mm, 6 mm beside the Hall and 6.5 mm deeper: there is room for it, and it stands on the post's floor."""
    part, (_name, turn, at) = seat_of(place), bar_places()[place]
    for moved, meets in (((0, 0, 0), False), ((0, 0, -0.2), True), ((0.3, 0, 0), True), ((0, 0, 9), False)):
        magnet = turned_to(bar_magnet(), turn, at + np.array(moved))
        assert (shared_mm3(part, magnet) > 0.05) is meets, moved


@NIGHT
@pytest.mark.parametrize(
    ("place", "above", "way_begins", "open_share"),
    [("end zone", "zone-gutter", "into", 0.7), ("start zone", "ramp-block", "ramp", 1.0)],
)
def test_lamps_of_zones_shine_up_beside_balls(place, above, way_begins, open_share):
    """Seen from above, nothing covers a lamp in a start zone, and the gutter's wall at most 0.3 of one in an end zone.

    No ball rolls nearer than 3.5 mm to a lamp's middle. The openings are those of the bar itself, 3.2 mm of each at most.
    """
    board, lamps = load_board("standard-22"), lamp_places(place)
    for lamp in lamps:
        light = trimesh.creation.box((3.2, 3.2, 30.0))
        light.apply_translation(lamp + np.array((0, 0, 15)))
        assert 1 - covered_share(light, mesh(above)[0]) >= open_share - 1e-3, lamp
    found = [way for way in ways(board, board.tilt_deg, 10.0) if way.name.startswith(way_begins)]
    assert found
    for way in found:
        slot = board.by_name[way.over[0]]
        points = way.points - np.array((slot.x_mm, -slot.y_mm, 0))
        assert min(_nearest_mm(points[:, :2], lamp[:2]) for lamp in lamps) > 3.5, way.name


def _nearest_mm(points, place):
    """Return how near a way of straight pieces comes to a place."""
    steps = np.linspace(0, 1, 50)[:, None]
    return min(
        np.hypot(*(one + steps * (other - one) - place).T).min() for one, other in itertools.pairwise(points)
    )


@functools.cache
def _whole(name, tilt_deg=15.0):
    return tuple(standing(dataclasses.replace(load_board(name), tilt_deg=tilt_deg), feet=True))


def _meeting(parts):
    return [
        (one, other)
        for (one, first), (other, second) in itertools.combinations(parts, 2)
        if shared_mm3(first, second) > 0.05
    ]


@NIGHT
@pytest.mark.parametrize(
    ("name", "tilt_deg"),
    [*((name, 15.0) for name in BOARDS), *(("standard-22", tilt) for tilt in TILTS_DEG)],
)
def test_no_part_stands_in_another(name, tilt_deg):
    """No two of all printed parts, beam boards with their plugs, tiles, feet and legs claim the same room."""
    assert _meeting(_whole(name, tilt_deg)) == []


@NIGHT
@pytest.mark.parametrize("name", ["foot", "leg"])
@pytest.mark.parametrize("tilt_deg", TILTS_DEG)
def test_feet_and_legs_of_every_slope_can_be_printed(tilt_deg, name):
    """From 8 to 30 degrees, as high as the 22-slot board wants them, they are watertight, stand, and lean nowhere too far."""
    board = dataclasses.replace(load_board("standard-22"), tilt_deg=tilt_deg)
    for high in foot_heights_mm(board) if name == "foot" else (leg_height_mm(board),):
        made = mesh(name, tilt_deg, round(high, 3))[0]
        assert made.is_watertight
        assert len(made.split()) == 1
        assert overhang_mm2(upright(made, "up"), load_design().printed.overhang_deg) <= 20


@NIGHT
def test_two_parts_in_one_place_are_found():
    """A cup that stands 3 mm aside meets its neighbour, its beam board or the board next to it."""
    parts = dict(_whole("standard-22"))
    cup = parts["rim-cup A2.6"].copy()
    cup.apply_translation((0, 3, 0))
    assert any("rim-cup A2.6" in pair for pair in _meeting([*(parts | {"rim-cup A2.6": cup}).items()]))


@NIGHT
def test_a_beam_yoke_is_a_beam_board_for_hands():
    """What replaces the board in hand-wired builds is as wide and as long, and open where its legs go through."""
    yoke, board = mesh("beam-yoke")[0], beam_board().bounds
    assert yoke.bounds[:, 0] == pytest.approx(board[:, 0], abs=0.01)
    assert yoke.bounds[1][1] == pytest.approx(13.8, abs=0.01)
    assert not yoke.contains([(x, y, -0.8) for x in (-8.55, 8.55) for y in (-1.27, 1.27)]).any()
    assert yoke.contains([(x, 0, -0.8) for x in (-8.55, 8.55)]).all()

"""The box of the hub board, where build123d is installed: the board lies in it with little room, and its plugs come out."""

import tomllib

import pytest
import trimesh
from helpers.places import ROOT
from helpers.prints import shared_mm3
from helpers.tiers import nightly
from hextraction.board.design import load_design

NIGHT = nightly(
    "drawing takes build123d, a gigabyte that CI installs by night only",
    meanwhile="test_the_box_is_drawn_for_the_hub_board_that_is_made",
)
HUB = tomllib.loads((ROOT / "hardware" / "boards.toml").read_text("utf-8"))["hub_board"]
FLOOR_MM, LEAST_MM, MOST_MM = 2.0, 0.2, 0.4
RIBBON_HALF_MM, PLUG_HALF_MM, USB_MM = 13.0, 5.5, (12.0, 8.0)


def test_the_box_is_drawn_for_the_hub_board_that_is_made():
    """Its size and its holes are those of `boards.toml`, and its tallest part fits below the lid."""
    box = load_design().printed.box
    half = [max(ends) for ends in zip(*HUB["outline_mm"], strict=True)]
    assert [2 * each for each in half] == list(box.hub_mm)
    assert {(abs(x), abs(y)) for x, y, _wide in HUB["holes_mm"]} == {
        (half[0] - box.hub_hole_in_mm, half[1] - box.hub_hole_in_mm)
    }
    assert box.post_mm + HUB["thick_mm"] + HUB["highest_part_mm"] < box.high_mm


def block(low, high):
    """Return a block by two of its corners."""
    return trimesh.creation.box(bounds=(low, high))


def on_board(x, y, z=0.0):
    """Return where a place of the board, z above its underside, lies in the box."""
    from hardware.printed.box import hub_corner  # noqa: PLC0415 - needs build123d

    left, low = hub_corner()
    return left + 50 + x, low + 50 - y, FLOOR_MM + load_design().printed.box.post_mm + z


def plate(beyond_mm):
    """Return the board, larger by this at each edge; it starts a little above its posts."""
    (left, low, under), (right, high, top) = (
        on_board(-50 - beyond_mm, 50 + beyond_mm, 0.05),
        on_board(50 + beyond_mm, -50 - beyond_mm, HUB["thick_mm"]),
    )
    return block((left, low, under), (right, high, top))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """The box as another program reads it."""
    build123d = pytest.importorskip(
        "build123d", reason="printed parts are drawn by build123d: the extra `parts`"
    )
    from hardware.printed.box import hub_box  # noqa: PLC0415 - needs build123d

    path = tmp_path_factory.mktemp("box") / "box.stl"
    build123d.export_stl(hub_box(), str(path), tolerance=0.05, angular_tolerance=0.3)
    return trimesh.load(path)


@NIGHT
def test_the_board_fits_with_little_room(drawn):
    """0.2 mm more at each edge still go in, 0.4 do not; its holes lie over posts."""
    assert shared_mm3(drawn, plate(LEAST_MM)) < 0.01
    assert shared_mm3(drawn, plate(MOST_MM)) > 0.5
    for x, y, wide in HUB["holes_mm"]:
        middle = on_board(x, y, -1.0)
        ring = trimesh.creation.annulus(r_min=wide / 2 - 0.2, r_max=wide / 2 + 1.0, height=1.0)
        ring.apply_translation(middle)
        assert shared_mm3(drawn, ring) > 0.9 * ring.volume


@NIGHT
def test_every_plug_comes_out(drawn):
    """Ribbons and the Pico's USB behind, coils to the right, brick and other screws in front: nothing is in their way."""
    at = {ref: connector["at_mm"] for ref, connector in HUB["connectors"].items()}
    top = HUB["thick_mm"]
    ways = []
    for ref in ("J1", "J2", "J3", "J4", "J5"):
        middle = at[ref][0] + 9 * 2.54 / 2
        ways.append(((middle - RIBBON_HALF_MM, -75, top + 9), (middle + RIBBON_HALF_MM, -45, top + 16)))
    left, _top, right, _bottom = HUB["pico"]["outline_mm"]
    middle = (left + right) / 2
    usb = HUB["pico"]["underside_mm"] + top
    ways.append(((middle - USB_MM[0] / 2, -75, usb), (middle + USB_MM[0] / 2, -51, usb + USB_MM[1])))
    ways.append(((at["J6"][0] - PLUG_HALF_MM, 51, top + 1), (at["J6"][0] + PLUG_HALF_MM, 75, top + 12)))
    for number in range(7, 12):
        x = at[f"J{number}"][0]
        ways.append(((x - 2.5, 51, top + 2), (x + 7.5, 75, top + 8)))
    for number in range(12, 18):
        y = at[f"J{number}"][1]
        ways.append(((51, y - 7.5, top + 2), (75, y + 2.5, top + 8)))
    for (x, y, low), (other_x, other_y, high) in ways:
        one, other = on_board(x, y, low), on_board(other_x, other_y, high)
        way = block(*zip(*(sorted(ends) for ends in zip(one, other, strict=True)), strict=True))
        assert shared_mm3(drawn, way) < 0.01, (x, y)

"""The guide for makers: its drawings are up to date, its builds have their pages, its numbers are those of the table."""

import re

import pytest
from helpers.places import ROOT
from hextraction.board.design import load_design
from hextraction.controller.table.health import State
from hextraction.controller.workshop.plans.build import read_build
from hextraction.controller.workshop.plans.parts import price_of

from docs import drawings
from docs.builds import BUILDS

GUIDE = ROOT / "docs" / "build.md"


def test_the_drawings_are_what_the_millimetres_say():
    """Whoever changes a drawing writes it anew: make docs."""
    made = drawings.drawings()
    assert {path: path.read_text() for path in made} == dict(made)
    assert {path.name for path in (ROOT / "docs" / "build").iterdir()} == {path.name for path in made}


@pytest.mark.parametrize("build", [build.name for build in BUILDS])
def test_each_build_has_a_page_of_its_own(build):
    """What is linked there exists; price, hours and pulse are those of its wiring; photos are said to be missing."""
    page = GUIDE.parent / "builds" / f"{build}.md"
    text, wiring = page.read_text(), read_build(ROOT / "wiring" / f"{build}.toml")[0]
    assert f"€ {price_of(wiring):.0f}" in text
    assert (f"BUILD={build}" in text) != wiring.supply.from_usb
    assert text.count("**Photo missing**") == 3
    gates = {coil.pulse_ms for coil in wiring.all_coils if coil.name.startswith("gate.")}
    assert all(f"get {pulse_ms} ms" in text for pulse_ms in gates)
    assert f"(builds/{build}.md)" in GUIDE.read_text()


def test_there_is_one_way_onto_a_pi():
    """Guide and build pages install by make alone; no page starts the table beside the service."""
    pages = [GUIDE, *sorted((GUIDE.parent / "builds").glob("*.md"))]
    told = "\n".join(page.read_text() for page in pages)

    assert set(re.findall(r"sudo (make install \S+)", told)) == {
        f"make install BUILD={build.name}" for build in BUILDS if build.name != "starter"
    }  # which hangs on a laptop
    assert "kitchen.toml" not in told
    assert "hextraction run --config" not in told


def test_every_drawing_is_in_the_guide():
    """No drawing is made for nobody."""
    text = GUIDE.read_text()
    assert [path.name for path in drawings.drawings() if f"build/{path.name}" not in text] == []


def test_the_trouble_table_has_every_state():
    """Each state of a sensor that is not well has a row for makers."""
    text = GUIDE.read_text()
    assert [
        state.value for state in State if state is not State.OK and f"| *{state.value}* |" not in text
    ] == []


def test_the_guide_says_the_measures_of_the_table():
    """Gate, forks, pulse and magnets in the text are those that the template drills and the models calculate."""
    text, design = GUIDE.read_text(), load_design()
    gate, slot, wall, tile = design.gate, design.hall.slot, design.hall.wall, design.tile_magnet
    for words in (
        f"gate {gate.out_mm:g} mm before it",
        f"a pulse of {gate.coil.pulse_ms} ms",
        f"forks {gate.apart_mm:g} mm apart",
        f"for ball Halls {slot.wide_mm:g} x {slot.thick_mm:g} mm {slot.grade}",
        f"in walls {wall.wide_mm:g} x {wall.thick_mm:g} mm {wall.grade}",
        f"for tiles {tile.wide_mm:g} x {tile.thick_mm:g} mm {tile.grade}",
        f"{slot.aside_mm:g} mm beside the chip and {slot.deep_mm:g} mm deeper",
        f"the threshold is {slot.threshold_mv:g} mV",
        f"threshold {wall.threshold_mv:g})",
    ):
        assert words in text, words

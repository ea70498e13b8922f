"""What no model can show: ten measurements, asked of the builds that they are about."""

import pytest
from helpers.places import ROOT
from hextraction.controller.workshop.bring_up.measurements import bring_up_page, measurements, steps_for
from hextraction.controller.workshop.bring_up.walk import PATIENCE_US, advance, begin, said
from hextraction.hal.wiring.file import read_wiring


def test_there_are_ten_and_each_says_what_to_expect_and_what_else_to_do():
    """Name, how, value expected, remedy: nothing is left to guess."""
    found = measurements()

    assert len(found) == len({each.name for each in found}) == 10
    assert all(each.how and each.expect and each.otherwise for each in found)


@pytest.mark.parametrize(
    ("build", "many"), [("hub-lean", 10), ("hub-rich", 10), ("pi-only", 8), ("bench-demo", 6)]
)
def test_a_build_is_asked_for_what_it_has(build, many):
    """Without Halls nobody weighs a ball's signal, without a charge pump nobody presses its e-stop."""
    assert len(steps_for(read_wiring(ROOT / "wiring" / f"{build}.toml"))) == many


def test_the_page_is_the_one_of_today():
    """`make docs` has been run since a measure changed, and the page has all ten."""
    assert (ROOT / "docs" / "bring-up.md").read_text("utf-8") == bring_up_page()
    assert bring_up_page().count("**Expected**") == 10


def test_a_measurement_waits_for_people_as_long_as_they_need():
    """No step of a meter fails by itself; people say yes or no, and a no is in the findings."""
    steps = steps_for(read_wiring(ROOT / "wiring" / "hub-lean.toml"))
    walk = begin(steps, 0).walk
    walk = advance(walk, 20 * PATIENCE_US).walk
    assert (walk.at, walk.wake_at_us) == (0, None)
    walk = said(walk, "no", 20 * PATIENCE_US).walk
    assert walk.at == 1
    assert walk.findings[steps[0].name].result == "failed"

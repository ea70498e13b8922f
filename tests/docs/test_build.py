"""The guide for makers: its drawings are up to date, its links lead somewhere, its commands exist."""

import re

import pytest
from helpers.places import ROOT
from hextraction.board.design import load_design
from hextraction.controller.app.command_line import main
from hextraction.controller.table.health import State

from docs import drawings

GUIDE = ROOT / "docs" / "build.md"


def test_the_drawings_are_what_the_millimetres_say():
    """Whoever changes a drawing writes it anew: make docs."""
    made = drawings.drawings()
    assert {path: path.read_text() for path in made} == dict(made)
    assert {path.name for path in (ROOT / "docs" / "build").iterdir()} == {path.name for path in made}


def test_every_link_of_the_guide_leads_somewhere():
    """Pictures and pages that the guide names are in the repository."""
    links = re.findall(r"\]\(([^)#]+)\)", GUIDE.read_text())
    assert len(links) > 15
    assert [link for link in links if not (GUIDE.parent / link).exists()] == []


def test_every_drawing_is_in_the_guide():
    """No drawing is made for nobody."""
    text = GUIDE.read_text()
    assert [path.name for path in drawings.drawings() if f"build/{path.name}" not in text] == []


def test_every_command_of_the_guide_exists(capsys):
    """Each `hextraction COMMAND` that makers are told to type has a help text."""
    commands = set(re.findall(r"hextraction ([a-z-]+)", GUIDE.read_text()))
    assert {"template", "check-board", "calibrate", "doctor"} <= commands
    for command in sorted(commands):
        with pytest.raises(SystemExit) as ended:
            main([command, "--help"])
        assert ended.value.code == 0
    assert "usage" in capsys.readouterr().out


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

"""The guide for makers: its drawings are up to date, its links lead somewhere, its commands exist."""

import re

import pytest
from helpers.places import ROOT
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

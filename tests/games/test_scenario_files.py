"""Scenario files of any game: what nobody has written is refused before anybody reads it word for word."""

import os

import pytest
from hextraction.controller.app import main
from hextraction.controller.games.scenarios import ScenarioError, text_of


@pytest.mark.parametrize("command", ["check", "scenario"])
def test_an_endless_line_or_file_or_a_pipe_is_refused_at_once(tmp_path, capsys, command):
    """With the line, and how long it may be."""
    wide, long, pipe = (tmp_path / f"{name}.scenario" for name in ("wide", "long", "pipe"))
    wide.write_text("# a comment\n" + "roll " * 180_000)
    long.write_text("# a comment\n" * 2_000_000)
    os.mkfifo(pipe)
    assert main([command, str(wide), str(long)]) != 0
    told = "".join(capsys.readouterr())
    assert f"{wide}:2: this line has 900000 characters, want at most 1000" in told
    assert "holds more than 1 MB" in told
    with pytest.raises(ScenarioError, match="is a pipe"):
        text_of(pipe)

"""The page about a game of one's own is true: its code is a package that plays, and keeps the promises of a game."""

import os
import re
import subprocess
import sys

import pytest
from helpers.places import ROOT
from helpers.tiers import nightly

PAGE = (ROOT / "docs" / "your-own-game.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"```(?:python|toml)\n# (\S+)\n(.*?)```", PAGE, flags=re.DOTALL))


@pytest.fixture
def installed(tmp_path):
    """Write the files of the page, and let Python find them as an installed package; return the environment."""
    for name, code in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
    said = tmp_path / "nim_game-0.1.0.dist-info"
    said.mkdir()
    (said / "METADATA").write_text("Metadata-Version: 2.1\nName: nim-game\nVersion: 0.1.0\n")
    (said / "entry_points.txt").write_text("[hextraction.games]\nnim = nim:Nim\n")
    return tmp_path, {**os.environ, "PYTHONPATH": str(tmp_path)}


def run(installed, *words):
    """Run a command in the folder; return what it prints."""
    folder, environment = installed
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


HEXTRACTION = ("-c", "import sys; from hextraction.controller.app import main; sys.exit(main())")


def test_the_page_has_every_file_of_a_package():
    """What the text speaks of is there, and the entry point names the class."""
    assert set(FILES) == {
        "pyproject.toml",
        "nim/__init__.py",
        "nim/state.py",
        "nim/rules.py",
        "nim/game.py",
        "tests/test_nim.py",
    }
    assert 'nim = "nim:Nim"' in FILES["pyproject.toml"]


@pytest.mark.slow
def test_the_game_of_the_page_is_listed_and_studied(installed):
    """It stands among the games with its package, and two hundred games by bots all end."""
    assert re.search(
        r"^nim +Nim +2 to 4 players .* nim-game 0\.1\.0$", run(installed, *HEXTRACTION, "games"), re.MULTILINE
    )
    told = run(installed, *HEXTRACTION, "study", "--game", "nim", "--games", "200", "--players", "2-4")
    assert "200 of 200 games" in told
    assert "refused: 0   failed: 0   stuck: 0" in told


@nightly("the contract of games, once more", meanwhile="test_the_game_of_the_page_is_listed_and_studied")
@pytest.mark.slow
def test_the_game_of_the_page_keeps_the_promises_of_a_game(installed):
    """By the three lines of its own test file."""
    told = run(installed, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "tests")
    assert re.search(r"^\d+ passed", told, re.MULTILINE), told

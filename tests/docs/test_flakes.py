"""What only passes alone is told as a flake, and fails where that is asked for."""

import subprocess
import sys

import pytest
from helpers.places import ROOT

pytestmark = pytest.mark.slow

FLAKY = """
from pathlib import Path

def test_beside_others():
    seen = Path("seen")
    first = not seen.exists()
    seen.touch()
    assert not first

def test_well():
    pass
"""
BROKEN = "def test_never():\n    assert False\n"


def tried(folder, *words):
    """Run the tests of a folder, and what failed once more; return status and output."""
    subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=folder, check=False, capture_output=True)
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "flakes.py"), *words, "-q"],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


def test_a_flake_is_named_and_fails_only_where_it_should(tmp_path):
    """Status 0 with the word FLAKE; with --strict status 1."""
    for words, wanted in (((), 0), (("--strict",), 1)):
        folder = tmp_path / f"status{wanted}"
        folder.mkdir()
        (folder / "test_some.py").write_text(FLAKY)
        status, out = tried(folder, *words)
        assert status == wanted
        assert "FLAKE   test_some.py::test_beside_others" in out
        assert "test_well" not in out


def test_what_fails_alone_too_is_no_flake(tmp_path):
    """It fails either way."""
    (tmp_path / "test_some.py").write_text(BROKEN)
    status, out = tried(tmp_path)

    assert status == 1
    assert "FAILED  test_some.py::test_never" in out
    assert "FLAKE" not in out

"""The container for developers: an oldest Debian with an oldest Python, and commands that there are."""

import json
import re
import shlex
import subprocess

import pytest
from helpers.places import ROOT

from release.deb import SUITES

CONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))


def commands(text):
    """The commands of a line, word by word, without what is set for them alone."""
    words = [shlex.split(command) for command in text.split("&&")]
    return [[word for word in command if not re.match(r"[A-Z_]+=", word)] for command in words]


def test_it_has_the_oldest_python_that_we_support():
    """What runs there runs everywhere; its Debian is one that a package is made for."""
    asked = re.search(r'^requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)

    assert CONTAINER["image"] == f"debian:{SUITES[asked[1]]}"


def test_the_bare_image_gets_what_make_itself_needs():
    """Python with its environments, make, git for the tests, certificates; make installs all else."""
    update, install = commands(CONTAINER["onCreateCommand"])
    packages = [word for word in install[install.index("install") + 1 :] if not word.startswith("-")]

    assert update[:2] == ["apt-get", "update"]
    assert packages == ["ca-certificates", "git", "make", "python3", "python3-venv"]


def test_every_target_that_it_makes_is_in_the_makefile():
    """A target that nobody knows would leave the container half made."""
    ((program, *targets),) = commands(CONTAINER["postCreateCommand"])

    assert (program, planned(*targets)) == ("make", 0)
    assert planned(*targets, "no-such-target") == 2


def planned(*targets):
    """Return what make ends with when it only says what it would do."""
    done = subprocess.run(
        ["make", "--dry-run", *targets], cwd=ROOT, capture_output=True, check=False, timeout=60
    )
    return done.returncode


@pytest.mark.parametrize("program", ["mosquitto", "chromium", "node"])
def test_what_the_tests_drive_is_installed_by_one_of_its_targets(program):
    """Broker, browser and the page's own language."""
    ((_make, *targets),) = commands(CONTAINER["postCreateCommand"])
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipes = [re.search(rf"(?m)^{re.escape(target)}:.*\n(?:\t.*\n)*", makefile) for target in targets]

    assert any(found and f"command -v {program}" in found[0] for found in recipes)

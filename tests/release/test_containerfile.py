"""The recipe of an image: it takes all that the program is built from, and starts what the program knows.

That it builds and plays is seen by `make container-check`.
"""

import json
import re
import tomllib

from helpers.places import ROOT
from hextraction.controller.app.command_line import command_parser

RECIPE = (ROOT / "Containerfile").read_text()
TAKEN = {line[1:] for line in (ROOT / ".containerignore").read_text().splitlines() if line.startswith("!")}


def test_the_image_is_built_from_every_room_and_nothing_else():
    """The folders of the packages, and the files beside them that a build reads."""
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    rooms = {folder.split("/")[0] for folder in setuptools["package-dir"].values()}
    folders = {name for name in TAKEN if (ROOT / name).is_dir()}
    assert folders == rooms
    assert TAKEN - folders == {"pyproject.toml", "MANIFEST.in", "README.md", "CHANGELOG.md", "LICENSE"}
    assert all((ROOT / name).exists() for name in TAKEN)


def test_the_files_that_it_names_are_among_them():
    """The lock by whose hashes packages come."""
    named = re.findall(r"/source/(\S+)", RECIPE)
    assert named
    assert all((ROOT / name).is_file() and name.split("/")[0] in TAKEN for name in named)


def test_it_starts_a_table_without_electronics():
    """Entry point and command are words that the program takes; games go where the volume is."""
    words = [*told("ENTRYPOINT"), *told("CMD")]
    options = command_parser()[0].parse_args(words[1:])
    assert words[0] == "hextraction"
    assert (options.command, options.no_electronics) == ("run", True)
    assert str(options.journal.parent) == re.search(r"^VOLUME (\S+)$", RECIPE, re.MULTILINE)[1]


def told(what):
    """Return the words of a line that is a list."""
    return json.loads(re.search(rf"^{what} (.+)$", RECIPE, re.MULTILINE)[1])

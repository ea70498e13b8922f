"""What is installed is pinned: each lock file holds what its extra asks for, and a hash for every file."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires

import pytest
from helpers.places import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKS = ("table", "sim", "models", "pi", "pi5", "dev")


def pins(name):
    """Return the pins of a lock file, each with the number of its hashes."""
    text = (ROOT / "requirements" / f"{name}.lock").read_text()
    blocks = re.split(r"\n(?=\S)", text.strip())
    return [(Requirement(block.split("\\")[0].strip()), block.count("--hash=sha256:")) for block in blocks]


def needs(pin):
    """Return what a pinned package needs here, by its own word; nothing if it is not installed."""
    try:
        wanted = [Requirement(line) for line in requires(pin.name) or ()]
    except PackageNotFoundError:
        return []
    extras = [*pin.extras, ""]
    return [
        one
        for one in wanted
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in extras)
    ]


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_what_its_extra_asks_for(name):
    """Each requirement has a pin within its range, and the builder of our own package is there, too."""
    extra = [] if name == "table" else PROJECT["optional-dependencies"][name]
    found = pins(name)
    for wanted in map(Requirement, [*PROJECT["dependencies"], *extra, "setuptools>=77"]):
        versions = [
            next(iter(pin.specifier)).version
            for pin, _hashes in found
            if canonicalize_name(pin.name) == canonicalize_name(wanted.name)
        ]
        assert versions, wanted
        assert all(wanted.specifier.contains(version, prereleases=True) for version in versions), wanted


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_has_hashes(name):
    """Without one pip would refuse the whole file."""
    assert all(hashes for _pin, hashes in pins(name))


@pytest.mark.parametrize("name", LOCKS)
def test_a_pin_has_the_extras_that_other_pins_ask_for(name):
    """Pip before 23.3 takes `coverage` and `coverage[toml]` for two packages, and finds no hash for the newest of the second."""
    found = {canonicalize_name(pin.name): pin for pin, _hashes in pins(name)}
    for pin in found.values():
        for wanted in needs(pin):
            if wanted.extras and (pinned := found.get(canonicalize_name(wanted.name))):
                assert wanted.extras <= pinned.extras, f"{pin} needs {wanted}"


def test_no_lock_names_where_packages_come_from():
    """Everybody's pip knows its own index."""
    assert not [name for name in LOCKS if "://" in (ROOT / "requirements" / f"{name}.lock").read_text()]

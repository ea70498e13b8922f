"""What is published: the same bytes each time, whole, and with hashes that fit."""

import hashlib
import json
import tarfile
import tomllib
import zipfile

import pytest
from helpers.places import ROOT
from helpers.tiers import nightly
from hextraction.controller.version import VERSION

from release import dist

BUILD = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """One release, built from the checkout."""
    out = tmp_path_factory.mktemp("dist")
    dist.build(out)
    return out


@BUILD
def test_a_release_is_a_wheel_an_sdist_a_bill_and_their_hashes(made):
    """Four files of this version; each hash is that of its file."""
    names = {path.name for path in made.iterdir()}
    assert names == {
        f"hextraction-{VERSION}-py3-none-any.whl",
        f"hextraction-{VERSION}.tar.gz",
        f"hextraction-{VERSION}.cdx.json",
        "SHA256SUMS",
    }
    for line in (made / "SHA256SUMS").read_text().splitlines():
        told, name = line.split("  ")
        assert hashlib.sha256((made / name).read_bytes()).hexdigest() == told
        names.remove(name)
    assert names == {"SHA256SUMS"}


@BUILD
def test_the_wheel_brings_wirings_locks_and_installer(made):
    """All that `hextraction install` and `wiring` read is in it, the starter's wiring too, which is a link here."""
    names = set(zipfile.ZipFile(made / f"hextraction-{VERSION}-py3-none-any.whl").namelist())
    wirings = {f"hextraction/wiring/{path.name}" for path in (ROOT / "wiring").glob("*.toml")}
    assert wirings
    assert wirings <= names
    assert {f"hextraction/requirements/{name}.lock" for name in ("table", "pi", "pi5", "sim")} <= names
    kept = {path.name for path in (ROOT / "systemd").iterdir() if path.is_file() and path.suffix != ".md"}
    assert {f"hextraction/systemd/{name}" for name in kept} <= names


@BUILD
def test_nothing_in_the_sdist_tells_of_the_machine_that_built_it(made):
    """One time, no owner, two kinds of rights; and every file that the packages need to be built again."""
    with tarfile.open(made / f"hextraction-{VERSION}.tar.gz") as packed:
        members = packed.getmembers()
    assert {(member.mtime, member.uid, member.gid, member.uname) for member in members} == {
        (dist.epoch(), 0, 0, "")
    }
    assert {member.mode for member in members} <= {0o755, 0o644}
    assert f"hextraction-{VERSION}/CHANGELOG.md" in {member.name for member in members}


@BUILD
def test_the_bill_names_each_package_that_a_table_gets(made):
    """With the version that the lock pins."""
    bill = json.loads((made / f"hextraction-{VERSION}.cdx.json").read_text())
    lock = (ROOT / "requirements" / "table.lock").read_text().splitlines()
    pins = [line.split(" ")[0] for line in lock if line[:1].isalpha()]
    assert sorted(f"{one['name']}=={one['version']}" for one in bill["components"]) == sorted(pins)
    assert (bill["metadata"]["component"]["name"], bill["metadata"]["component"]["version"]) == (
        "hextraction", VERSION,
    )  # fmt: skip


@nightly(
    "that nothing tells of the machine is seen by day; the whole is built a second time here",
    meanwhile="test_nothing_in_the_sdist_tells_of_the_machine_that_built_it",
)
def test_the_same_commit_gives_the_same_bytes(made, tmp_path):
    """Who builds it again can compare the hashes."""
    dist.build(tmp_path)
    assert (tmp_path / "SHA256SUMS").read_text() == (made / "SHA256SUMS").read_text()


def test_a_folder_with_something_in_it_is_refused(capsys, tmp_path):
    """What lies in it would be published."""
    (tmp_path / "old.whl").touch()
    assert dist.main(["--out", str(tmp_path)]) == 2
    assert "want an empty folder" in capsys.readouterr().err


def test_the_changelog_has_this_version():
    """Its section is dated, stands first below Unreleased, and the packages say the same number."""
    sections = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert sections[0] == "## [Unreleased]"
    assert sections[1].startswith(f"## [{VERSION}] - 20")
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION

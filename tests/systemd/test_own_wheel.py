"""Whoever has the program from a wheel installs the service from it, without a checkout."""

import zipfile
from importlib.metadata import PathDistribution

import pytest
from hextraction.controller.app import main

from systemd.hand import InstallError
from systemd.own_wheel import own_wheel

RECORD = """../../../bin/hextraction,sha256=x,1
hextraction/board/slots.py,sha256=y,2
hextraction/board/__pycache__/slots.cpython-311.pyc,,
hextraction/wiring/starter.toml,sha256=z,3
hextraction-1.0.0.dist-info/METADATA,sha256=v,4
hextraction-1.0.0.dist-info/INSTALLER,sha256=w,5
hextraction-1.0.0.dist-info/direct_url.json,sha256=u,6
hextraction-1.0.0.dist-info/RECORD,,
"""


def installed(site):
    """A folder of packages in which pip has put the program, with what it notes about that."""
    for line in RECORD.splitlines():
        path = site / line.split(",")[0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"content of {path.name}")
    said = site / "hextraction-1.0.0.dist-info"
    (said / "METADATA").write_text("Metadata-Version: 2.1\nName: hextraction\nVersion: 1.0.0\n")
    (said / "RECORD").write_text(RECORD)
    return PathDistribution(said)


def test_the_installed_program_becomes_a_wheel_again(tmp_path):
    """It holds what a wheel holds: not the command in bin, nothing compiled, nothing that pip noted."""
    found = installed(tmp_path / "lib" / "python3" / "site-packages")
    wheel = own_wheel(tmp_path, found)

    assert wheel.name == "hextraction-1.0.0-py3-none-any.whl"
    packed = zipfile.ZipFile(wheel)
    assert packed.namelist() == [
        "hextraction/board/slots.py",
        "hextraction/wiring/starter.toml",
        "hextraction-1.0.0.dist-info/METADATA",
        "hextraction-1.0.0.dist-info/RECORD",
    ]
    assert packed.read("hextraction/board/slots.py") == b"content of slots.py"
    noted = [
        line.split(",")[0] for line in packed.read("hextraction-1.0.0.dist-info/RECORD").decode().split()
    ]
    assert noted == packed.namelist()


def test_a_program_with_a_hole_is_not_installed(tmp_path):
    """What has lost a file would be a service that does not start: the file is named, and what to do."""
    site = tmp_path / "lib" / "python3" / "site-packages"
    found = installed(site)
    (site / "hextraction" / "wiring" / "starter.toml").unlink()
    with pytest.raises(InstallError, match=r"1 are missing, such as .*starter\.toml: .*pipx reinstall"):
        own_wheel(tmp_path, found)


def test_the_command_line_says_every_step_and_does_none(capsys, tmp_path):
    """``hextraction uninstall --dry-run`` of an image: the steps are those of ``make uninstall``."""
    (tmp_path / "opt" / "hextraction").mkdir(parents=True)
    assert main(["uninstall", "--dry-run", "--root", str(tmp_path)]) == 0
    assert "would do: removing: /opt/hextraction" in capsys.readouterr().out
    assert (tmp_path / "opt" / "hextraction").is_dir()


def test_installing_into_a_folder_that_is_no_system_is_refused(capsys, tmp_path):
    """Status 2 and a sentence, and the folder is as it was."""
    assert main(["install", "--build", "nonsense", "--root", str(tmp_path)]) == 2
    assert "BUILD: you can choose bench-demo, hub-lean" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())

"""A Debian package has the same bytes whoever builds it."""

import os
import shutil
import subprocess

import pytest

from release import deb

FILES = {
    "DEBIAN/control": "Package: oven\nVersion: 1\nArchitecture: all\nMaintainer: We <we@example>\nDescription: x\n",
    "DEBIAN/postinst": "#!/bin/sh\nexit 0\n",
    "usr/bin/oven": "#!/bin/sh\necho warm\n",
    "usr/share/oven/heat.txt": "warm\n",
}
NEEDS_DPKG = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="want dpkg-deb: Debian has it")


def packed(folder, names, umask):
    """Lay the files in an order under a umask, and pack them; return the package."""
    before = os.umask(umask)
    try:
        for name in names:
            path = folder / "root" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(FILES[name])
        (folder / "root" / "usr/share/oven/link").symlink_to("heat.txt")
        deb.pack(folder / "root", folder / "oven.deb")
    finally:
        os.umask(before)
    return folder / "oven.deb"


@NEEDS_DPKG
def test_order_umask_and_time_of_a_build_are_not_in_a_package(tmp_path):
    """Two people lay the same files on other days, in another order and with other habits."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = packed(tmp_path / "a", FILES, 0o022)
    other = packed(tmp_path / "b", reversed(FILES), 0o077)

    assert one.read_bytes() == other.read_bytes()


@NEEDS_DPKG
def test_only_commands_and_scripts_of_a_package_can_be_run(tmp_path):
    """Everybody may read the rest, and all of it belongs to root."""
    package = packed(tmp_path, FILES, 0o077)
    listed = subprocess.run(["dpkg-deb", "--contents", package], capture_output=True, text=True, check=True)
    rows = [line.split() for line in listed.stdout.splitlines()]

    assert {row[5]: row[0] for row in rows if not row[5].endswith("/")} == {
        "./usr/bin/oven": "-rwxr-xr-x",
        "./usr/share/oven/heat.txt": "-rw-r--r--",
        "./usr/share/oven/link": "lrwxrwxrwx",
    }
    assert {row[0] for row in rows if row[5].endswith("/")} == {"drwxr-xr-x"}
    assert {row[1] for row in rows} == {"root/root"}


def test_a_second_build_that_differs_is_told(tmp_path, monkeypatch):
    """Then nobody could build a published file and compare."""
    built = iter((b"one", b"other"))

    def build(_architecture, _wheel, out):
        (out / "oven.deb").write_bytes(next(built))
        return out / "oven.deb"

    monkeypatch.setattr(deb, "build", build)
    with pytest.raises(SystemExit, match="built twice, and the second has other bytes"):
        deb.build_twice(deb.ARCHITECTURES["amd64"], tmp_path / "oven.whl", tmp_path)

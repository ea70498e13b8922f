"""The machine with simulated pins, without starting it: what it is made of and what it says when it cannot be."""

import io
import tarfile
from pathlib import Path

import pytest
from helpers.gpio_sim import machine, packages
from helpers.gpio_sim.archive import Archive


def test_what_is_missing_is_said_with_its_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without QEMU nothing is fetched; the message can be typed."""
    monkeypatch.setattr(packages.shutil, "which", lambda tool: None if "qemu" in tool else tool)
    with pytest.raises(machine.MachineError, match=r"apt-get install qemu-system-x86$"):
        machine.made(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "sources.list",
            "deb http://mirror.test/debian sane main contrib\ndeb http://other.test/d sane-updates main\n",
        ),
        ("sources.list.d/extra.list", "deb [trusted=yes] http://mirror.test/debian sane main\n"),
        (
            "sources.list.d/debian.sources",
            """Types: deb
URIs: http://mirror.test/debian
Suites: sane sane-updates
Components: main

Types: deb
URIs: http://security.test/debian
Suites: sane-security
Components: main
""",
        ),
    ],
)
def test_sources_are_this_machines_own_with_another_release(tmp_path: Path, name: str, text: str) -> None:
    """Both ways of writing them are read; those of updates and security have no such release."""
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "os-release").write_text('ID=debian\nVERSION_CODENAME="sane"\n', encoding="utf-8")
    (tmp_path / name).write_text(text, encoding="utf-8")
    (line,) = packages.sources("next", tmp_path, tmp_path / "os-release").splitlines()
    assert line.split()[-3:] == ["http://mirror.test/debian", "next", "main"]


def test_another_system_is_refused(tmp_path: Path) -> None:
    """Its packages have other names."""
    (tmp_path / "os-release").write_text("ID=other\nVERSION_CODENAME=sane\n", encoding="utf-8")
    with pytest.raises(RuntimeError, match="want a Debian"):
        packages.sources("next", tmp_path, tmp_path / "os-release")


def test_an_archive_is_what_cpio_calls_newc(tmp_path: Path) -> None:
    """Header of 110 characters, name and content padded to four bytes, and an end."""
    written = io.BytesIO()
    with Archive(written) as archive:
        archive.folder("srv")
        archive.file("srv/note", b"roll!", 0o755)
    raw = written.getvalue()
    assert raw[:6] == b"070701"
    second = 110 + len("srv\0") + 2
    fields = [int(raw[second + 6 + 8 * each : second + 14 + 8 * each], 16) for each in range(13)]
    assert (oct(fields[1]), fields[6], fields[11]) == ("0o100755", 5, 9)
    assert raw[second + 110 : second + 118] == b"srv/note"
    assert raw[second + 120 : second + 128] == b"roll!\0\0\0"
    assert b"TRAILER!!!" in raw
    assert len(raw) % 4 == 0


def test_a_tar_becomes_an_archive(tmp_path: Path) -> None:
    """Links keep their target, devices their numbers; the top folder itself is left out."""
    with tarfile.open(tmp_path / "root.tar", "w") as tar:
        for name, kind, target, numbers in (
            (".", tarfile.DIRTYPE, "", (0, 0)),
            ("./bin", tarfile.SYMTYPE, "usr/bin", (0, 0)),
            ("./console", tarfile.CHRTYPE, "", (5, 1)),
        ):
            member = tarfile.TarInfo(name)
            member.type, member.linkname, (member.devmajor, member.devminor) = kind, target, numbers
            tar.addfile(member)
    written = io.BytesIO()
    with Archive(written) as archive:
        archive.tar(tmp_path / "root.tar")
    raw = written.getvalue()
    assert raw.startswith(b"070701")
    assert raw[110:124] == b"bin\0\0\0usr/bin\0"
    console = raw.index(b"console\0") - 110
    assert raw[console + 6 + 9 * 8 : console + 6 + 11 * 8] == b"0000000500000001"
    assert raw.count(b"070701") == 3


REPORT = """<testsuites><testsuite name="pytest">
<testcase name="passes" time="0.1"/>
<testcase name="fails"><failure message="no">level is False</failure></testcase>
<testcase name="breaks"><error message="no">no such line</error></testcase>
</testsuite></testsuites>"""


def test_a_report_says_what_is_wrong_with_each_test() -> None:
    """Failures and errors alike; a machine that wrote nothing has run nothing."""
    assert machine.results(REPORT) == {"passes": "", "fails": "level is False", "breaks": "no such line"}
    assert machine.results("\r\n") == {}

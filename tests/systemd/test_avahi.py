"""The record by which phones and computers find the table in their network."""

import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from helpers.places import ROOT

from systemd.hand import Hand
from systemd.install import main
from systemd.steps import fit
from systemd.undo import unfit

RECORD = "etc/avahi/services/hextraction.service"
GRAMMAR = Path("/usr/share/avahi/avahi-service.dtd")


def machine(tmp_path, settings=""):
    """A machine with Avahi, and with these settings."""
    (tmp_path / "etc/avahi/services").mkdir(parents=True)
    (tmp_path / "etc/hextraction").mkdir()
    (tmp_path / "etc/hextraction/hextraction.toml").write_text(settings)
    return Hand(root=tmp_path, run=lambda _command: (0, ""), say=lambda _line: None)


def record(tmp_path):
    """The record as Avahi reads it: its name and its services."""
    return ET.fromstring((tmp_path / RECORD).read_text())  # noqa: S314 - our own file


def test_the_table_is_announced_with_its_name_and_port(tmp_path):
    """What the settings say, not what is usual."""
    fit(machine(tmp_path, '[table]\nid = "kitchen"\n[page]\nport = 80\n'))

    told = record(tmp_path)
    assert told.findtext("name") == "Hextraction, kitchen on %h"
    assert told.find("name").get("replace-wildcards") == "yes"
    assert told.findtext("service/type") == "_http._tcp"
    assert told.findtext("service/port") == "80"


def test_with_the_first_settings_it_is_the_usual_port(tmp_path):
    """Those that every installation starts with."""
    fit(machine(tmp_path, (ROOT / "systemd/hextraction.toml").read_text()))

    assert record(tmp_path).findtext("service/port") == "8080"


def test_a_table_that_has_another_name_now_is_announced_by_it_at_its_next_start(tmp_path):
    """The first page, or somebody's editor, has changed the settings; the unit asks for this before it starts."""
    hand = machine(tmp_path)
    fit(hand)
    (tmp_path / "etc/hextraction/hextraction.toml").write_text('[table]\nid = "den"\n[page]\nport = 81\n')
    main(["announce", "--root", str(tmp_path)])

    assert (record(tmp_path).findtext("name"), record(tmp_path).findtext("service/port")) == (
        "Hextraction, den on %h",
        "81",
    )


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ("no TOML", "Hextraction, table on %h"),
        ('table = "kitchen"\n', "Hextraction, table on %h"),
        ('[table]\nid = "</name><port>1</port>"\n', "Hextraction, </name><port>1</port> on %h"),
    ],
    ids=["no TOML", "no table", "a name of another tongue"],
)
def test_wrong_settings_make_no_wrong_record(tmp_path, settings, name):
    """The table tells what is wrong with them; whoever announces it does not fall over them."""
    machine(tmp_path, settings)

    assert main(["announce", "--root", str(tmp_path)]) == 0
    assert record(tmp_path).findtext("name") == name


def test_a_start_of_the_table_takes_nothing_from_a_folder_that_its_user_may_write():
    """It announces the table as root, while the working folder belongs to the service's user."""
    text = (ROOT / "systemd/hextraction.service").read_text()

    (line,) = re.findall(r"(?m)^ExecStartPre=(.*)$", text)
    assert line.split() == [
        "-+/opt/hextraction/venv/bin/python3", "-I", "-m", "hextraction.systemd.install", "announce",
    ]  # fmt: skip


def test_where_avahi_is_not_nothing_is_written_and_the_record_goes_with_the_program(tmp_path):
    """No folder of a program that nobody has; and none of our records is left."""
    hand = machine(tmp_path)
    fit(hand)
    unfit(hand)
    assert list((tmp_path / "etc/avahi/services").iterdir()) == []

    (tmp_path / "etc/avahi/services").rmdir()
    (tmp_path / "etc/avahi").rmdir()
    fit(hand)
    assert not (tmp_path / "etc/avahi").exists()


@pytest.mark.skipif(
    shutil.which("xmllint") is None or not GRAMMAR.exists(), reason="needs xmllint and avahi-daemon's grammar"
)
def test_avahis_own_grammar_takes_it(tmp_path):
    """By xmllint; the same without a type is refused."""
    fit(machine(tmp_path, '[table]\nid = "kitchen"\n'))
    good, bad = tmp_path / RECORD, tmp_path / "bad.service"
    bad.write_text(good.read_text().replace("<type>_http._tcp</type>", ""))

    assert judged(good) == 0
    assert judged(bad) != 0


def judged(file):
    """Return what xmllint ends with."""
    command = ["xmllint", "--noout", "--dtdvalid", str(GRAMMAR), str(file)]
    return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode

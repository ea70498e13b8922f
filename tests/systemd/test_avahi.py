"""The record by which phones and computers find the table in their network."""

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from helpers.places import ROOT

from systemd.hand import Hand
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

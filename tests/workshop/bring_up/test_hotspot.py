"""The Pi as its own Wi-Fi: what NetworkManager is asked, and that no password shows in a command."""

import argparse
import configparser
import re

import pytest
from helpers import documents
from hextraction.controller.app.command_line import main
from hextraction.controller.app.options.bring_up import _ssid
from hextraction.controller.workshop.bring_up.hotspot import (
    Hotspot,
    HotspotError,
    Network,
    connection_text,
    default_name,
    join_text,
    new_password,
)

WISHED = Hotspot(ssid="hextraction-table", password="")


class Nmcli:
    """NetworkManager with one Wi-Fi device, as far as its command line shows."""

    def __init__(
        self, devices="eth0:ethernet:connected\nwlan0:wifi:connected\np2p-dev-wlan0:wifi-p2p:disconnected"
    ):
        self.devices = devices
        self.active = ["home"]
        self.seen = []
        self.fails = ""

    def __call__(self, command):
        self.seen.append(list(command))
        words = " ".join(command[1:])
        if self.fails and self.fails in words:
            return 4, "Error: it did not work."
        if words.endswith("device"):
            return 0, self.devices
        if words.endswith("--active"):
            return 0, "\n".join(self.active)
        if words.startswith("connection up"):
            self.active = [command[-1]]
        if words.startswith("connection down"):
            self.active = ["home"]
        return 0, ""


@pytest.fixture
def nmcli():
    """NetworkManager on a Pi that is in the home's Wi-Fi."""
    return Nmcli()


def file_of(tmp_path):
    """Return where the connection is written."""
    return tmp_path / "hextraction-hotspot.nmconnection"


def test_on_opens_a_network_with_a_password_that_no_command_shows(tmp_path, nmcli):
    """The connection is a file that only root reads; nmcli loads it and brings it up on the Wi-Fi device."""
    hotspot = Network(nmcli, tmp_path).up(WISHED)
    written = configparser.ConfigParser()
    written.read(file_of(tmp_path))

    assert nmcli.active == ["hextraction-hotspot"]
    assert len(hotspot.password) == 12
    assert hotspot.password not in str(nmcli.seen)
    assert file_of(tmp_path).stat().st_mode & 0o777 == 0o600
    assert written["wifi-security"]["psk"] == hotspot.password
    assert (written["wifi-security"]["key-mgmt"], written["wifi"]["mode"]) == ("wpa-psk", "ap")
    assert (written["connection"]["interface-name"], written["ipv4"]["method"]) == ("wlan0", "shared")


def test_off_goes_back(tmp_path, nmcli):
    """The hotspot closes, does not come up at boot any more, and the home's Wi-Fi is joined."""
    network = Network(nmcli, tmp_path)
    network.up(Hotspot(ssid="den", password="", always=True))
    assert "autoconnect=true" in file_of(tmp_path).read_text()

    assert network.down()
    assert nmcli.active == ["home"]
    assert "autoconnect=false" in file_of(tmp_path).read_text()
    assert file_of(tmp_path).stat().st_mode & 0o777 == 0o600
    assert not network.down()


def test_phones_keep_knowing_it(tmp_path, nmcli):
    """Opened a second time it has the password of the first."""
    first = Network(nmcli, tmp_path).up(WISHED)
    Network(nmcli, tmp_path).down()
    second = Network(nmcli, tmp_path).up(Hotspot(ssid="another name", password=""))
    assert second.password == first.password
    assert Network(nmcli, tmp_path).known() == second


def test_status_says_whether_it_is_open(tmp_path, nmcli):
    """It is what NetworkManager says, not what was asked last."""
    network = Network(nmcli, tmp_path)
    assert (network.is_open(), network.known()) == (False, None)
    network.up(WISHED)
    assert network.is_open()


@pytest.mark.parametrize("devices", ["eth0:ethernet:connected", "wlan0:wifi:unmanaged", ""])
def test_without_wifi_it_says_what_to_do(tmp_path, devices):
    """Nothing is written, and the sentence names the country setting, the usual cause."""
    with pytest.raises(HotspotError, match="raspi-config"):
        Network(Nmcli(devices), tmp_path).up(WISHED)
    assert not file_of(tmp_path).exists()


def test_a_failure_of_networkmanager_is_quoted(tmp_path, nmcli):
    """Which command, which status, and its words; never the password."""
    nmcli.fails = "connection up"
    with pytest.raises(
        HotspotError, match=r"nmcli connection up hextraction-hotspot ended with 4: Error: it did"
    ):
        Network(nmcli, tmp_path).up(WISHED)


@pytest.mark.parametrize("fails", ["connection load", "connection up"])
def test_one_that_does_not_open_leaves_the_earlier_one_as_it_was(tmp_path, nmcli, fails):
    """At the next start NetworkManager would try the broken one; without an earlier one there is none."""
    nmcli.fails = fails
    with pytest.raises(HotspotError):
        Network(nmcli, tmp_path).up(WISHED)
    assert not file_of(tmp_path).exists()
    nmcli.fails = ""
    Network(nmcli, tmp_path).up(WISHED)
    before = file_of(tmp_path).read_text()
    nmcli.fails = fails
    with pytest.raises(HotspotError):
        Network(nmcli, tmp_path).up(Hotspot(ssid="another", password="another-one", always=True))
    assert file_of(tmp_path).read_text() == before
    assert file_of(tmp_path).stat().st_mode & 0o777 == 0o600
    assert nmcli.seen[-1] == ["nmcli", "connection", "reload"]


def test_both_squares_are_shown_with_their_words():
    """Wi-Fi first, then the page at the Pi's own address."""
    shown = join_text(Hotspot(ssid="den", password="abcdefgh2345"), 8080)
    assert re.search(r"1\. Wi-Fi  den +password  abcdefgh2345", shown)
    assert "2. Page   http://10.42.0.1:8080/" in shown


def test_a_password_is_long_and_plain():
    """Twelve letters, none of which is mistaken for another; two are never the same."""
    made = {new_password() for _ in range(50)}
    assert len(made) == 50
    assert all(re.fullmatch("[abcdefghjkmnpqrstuvwxyz2-9]{12}", each) for each in made)


def test_the_file_is_one_that_networkmanager_reads():
    """Sections and keys of its keyfile format, on WPA2 alone."""
    text = connection_text(Hotspot(ssid="a b", password="x" * 12), "wlan1")
    written = configparser.ConfigParser()
    written.read_string(text)
    assert set(written.sections()) == {"connection", "wifi", "wifi-security", "ipv4", "ipv6"}
    assert written["wifi"]["ssid"] == "a b"
    assert written["wifi-security"]["proto"] == "rsn"
    assert written["ipv4"]["address1"] == "10.42.0.1/24"


@pytest.mark.parametrize("name", ["", "x" * 33, "a;b", "line\nbreak", " begins", "ends "])
def test_a_name_that_no_file_could_hold_is_refused(name):
    """Names are plain: the file's format gives other signs a meaning of their own."""
    with pytest.raises(argparse.ArgumentTypeError, match="want 1 to 32"):
        _ssid(name)


def test_the_wifi_of_a_table_with_a_long_id_has_a_name_that_wifi_allows():
    """32 bytes at most, which a table's id may have alone."""
    assert default_name("den") == "hextraction-den"
    assert len(default_name("x" * 32)) == 32


@pytest.mark.parametrize("active", ["home", "hextraction-hotspot"])
def test_programs_are_told_whether_it_is_open(tmp_path, monkeypatch, capsys, active):
    """As one document; how to join is not in it for whoever may not read that."""
    (tmp_path / "nmcli").write_text(f"#!/bin/sh\necho {active}\n")
    (tmp_path / "nmcli").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["hotspot", "status", "--json"]) == 0

    now = documents.read("hotspot", capsys.readouterr().out)
    assert (now.open, now.password) == (active != "home", "")


def test_without_networkmanager_the_command_ends_with_status_two(monkeypatch, capsys):
    """One sentence and no traceback."""
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["hotspot", "status"]) == 2
    assert "NetworkManager is missing" in capsys.readouterr().err

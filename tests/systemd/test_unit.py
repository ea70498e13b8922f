"""The service unit: systemd's own verdict, and the traps it must avoid."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.places import ROOT

from systemd.hand import Hand
from systemd.steps import Wishes, install

FOLDER = ROOT / "systemd"

UNIT = FOLDER / "hextraction.service"
PROGRAM = "/opt/hextraction/venv/bin/hextraction"


class Repeatable(dict):
    """Keeps all values of a key that is written several times, one a line."""

    def __setitem__(self, key: str, value: object) -> None:
        if isinstance(value, list) and key in self:
            value = self[key] + value
        super().__setitem__(key, value)


@pytest.fixture(scope="module")
def unit() -> configparser.ConfigParser:
    """The unit as systemd reads it."""
    parser = configparser.ConfigParser(dict_type=Repeatable, strict=False, interpolation=None, delimiters="=")
    parser.optionxform = str
    parser.read(UNIT)
    return parser


def systemd_version() -> int:
    """Ask this system's systemd."""
    said = subprocess.run(
        ["systemd-analyze", "--version"], capture_output=True, text=True, check=True, timeout=60
    )
    return int(said.stdout.split()[1])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_finds_nothing_to_complain_about(tmp_path: Path) -> None:
    """``systemd-analyze verify`` is silent on the unit with what this system's version gets beside it.

    Only the program's paths are exchanged for some that exist here.
    """
    systemd = tmp_path / "usr/lib/systemd"
    systemd.mkdir(parents=True)
    (systemd / f"libsystemd-shared-{systemd_version()}.so").touch()
    install(
        Hand(root=tmp_path, run=lambda _command: (0, "3.13"), say=lambda _line: None), Wishes(build="pi-only")
    )
    copy = tmp_path / "etc/systemd/system" / UNIT.name
    text = copy.read_text()
    assert text.count(PROGRAM) == 1
    copy.write_text(text.replace(PROGRAM, "/bin/true").replace("/opt/hextraction/venv", "/usr"))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(copy)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    complaints = [line for line in (done.stdout + done.stderr).splitlines() if UNIT.name in line]
    assert complaints == []
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_would_have_complained(tmp_path: Path) -> None:
    """The same call does find a misspelt key: the verdict above means something."""
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace(PROGRAM, "/bin/true").replace("RestartSec=", "RestartSeconds="))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(copy)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert "RestartSeconds" in done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_little_is_left_to_an_intruder(tmp_path: Path) -> None:
    """``systemd-analyze security`` rates the exposure below 3.0 of 10, and rates the bare service far worse."""
    hardened = exposure(tmp_path, UNIT.read_text())
    bare = "\n".join(
        line for line in UNIT.read_text().splitlines() if not line.startswith(("Protect", "Restrict", "Cap"))
    )
    assert hardened < 3.0 < exposure(tmp_path, bare)


def exposure(tmp_path: Path, text: str) -> float:
    """Return systemd's figure for a unit."""
    (tmp_path / UNIT.name).write_text(text)
    command = ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(tmp_path / UNIT.name)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return float(re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)[1])


def test_it_is_supervised(unit: configparser.ConfigParser) -> None:
    """Systemd is told when the table is open and that the loop turns, and has time for a long journal."""
    service = unit["Service"]
    assert service["Type"] == "notify"
    assert service["NotifyAccess"] == "main"
    assert 5 <= int(service["WatchdogSec"]) <= 30
    assert service["TimeoutStartSec"] == "2min"
    assert service["KillSignal"] == "SIGTERM"
    assert (service["StandardOutput"], service["StandardError"]) == ("journal", "journal")


def test_the_libraries_traps_are_disarmed(unit: configparser.ConfigParser) -> None:
    """The pin library gets a folder that the unit itself makes writable, Blinka asks nothing, gpiozero does not guess."""
    environment = unit["Service"]["Environment"].splitlines()
    assert "LG_WD=/run/hextraction" in environment
    assert "BLINKA_SKIP_DEPENDENCY_CHECK=1" in environment
    assert "GPIOZERO_PIN_FACTORY=lgpio" in environment
    assert unit["Service"]["RuntimeDirectory"] == "hextraction"


def test_it_runs_the_installed_program_with_its_configuration(unit: configparser.ConfigParser) -> None:
    """The command of the documentation, with absolute paths only."""
    command = unit["Service"]["ExecStart"]
    assert command == f"{PROGRAM} run --config /etc/hextraction/hextraction.toml"


def test_it_comes_back_after_a_crash_but_not_after_a_wrong_configuration(
    unit: configparser.ConfigParser,
) -> None:
    """Exit status 2 is final; the attempts are spaced and limited."""
    service = unit["Service"]
    assert service["Restart"] == "on-failure"
    assert service["RestartPreventExitStatus"] == "2"
    assert int(service["RestartSec"]) >= 1
    assert int(unit["Unit"]["StartLimitBurst"]) > 0
    back_off = (FOLDER / "hextraction.service.d" / "10-back-off.conf").read_text()
    assert "RestartMaxDelaySec=1min" in back_off


def test_no_hardening_hides_the_pins(unit: configparser.ConfigParser) -> None:
    """Options that take the device files away must not creep in; the groups that open them must stay."""
    service = unit["Service"]
    hiding = {
        "PrivateDevices",
        "ProtectClock",
        "DevicePolicy",
        "DeviceAllow",
        "ProtectKernelTunables",
        "MemoryDenyWriteExecute",
    }
    assert not hiding & set(service)
    assert set(service["SupplementaryGroups"].split()) == {"gpio", "spi", "i2c", "dialout"}
    assert service["NoNewPrivileges"] == "yes"
    assert service["CapabilityBoundingSet"] == ""


def test_the_broker_can_be_started(unit: configparser.ConfigParser) -> None:
    """Its starter, setpriv, sets its empty capabilities anew: allowed again after what is forbidden."""
    filters = unit["Service"]["SystemCallFilter"].splitlines()
    assert "capset" in filters[-1].split()
    assert unit["Service"]["CapabilityBoundingSet"] == ""


def test_the_hub_has_a_name_of_its_own() -> None:
    """The udev rule names the Pico's serial port, opens it to the service and keeps ModemManager off it."""
    rules = [
        line
        for line in (FOLDER / "60-hextraction.rules").read_text().splitlines()
        if not line.startswith("#")
    ]
    hub = next(line for line in rules if "2e8a" in line)
    words = [word.strip() for word in hub.split(",")]
    assert {'ATTRS{idVendor}=="2e8a"', 'ATTRS{idProduct}=="000a"', 'SYMLINK+="hextraction-hub"'} <= set(words)
    assert {'ENV{ID_MM_DEVICE_IGNORE}="1"', 'GROUP="dialout"', 'TAG+="systemd"'} <= set(words)
    assert all(
        re.fullmatch(r'[A-Z]+(\{\w+\})?(==|=|\+=)"[^"]*"', word)
        for line in rules
        for word in line.split(", ")
    )


@pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="systemd-sysusers is not installed")
def test_the_user_gets_its_groups(tmp_path: Path) -> None:
    """On an empty system systemd-sysusers makes the user without a shell and puts it into the devices' groups."""
    (tmp_path / "etc").mkdir()
    rules = tmp_path / "hextraction.conf"
    rules.write_text((FOLDER / "hextraction.sysusers").read_text())
    command = ["systemd-sysusers", f"--root={tmp_path}", str(rules)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 0, done.stderr
    passwd, group = ((tmp_path / "etc" / name).read_text() for name in ("passwd", "group"))
    assert re.search(
        r"^hextraction:x:\d+:\d+:[^:]*:/var/lib/hextraction:/usr/sbin/nologin$", passwd, re.MULTILINE
    )
    members = {line.split(":")[0] for line in group.splitlines() if line.endswith(":hextraction")}
    assert members == {"gpio", "spi", "i2c", "dialout"}

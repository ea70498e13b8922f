"""The service of a Debian package: what its scripts do on a machine, and what `hextraction install` does then."""

import subprocess

import pytest
from helpers.places import ROOT

from release.deb import ARCHITECTURES, scripts
from systemd import install as program
from systemd.hand import Hand, InstallError
from systemd.places import AVAHI, BY_MACHINE, FILES, PACKAGE, PACKAGED_COMMAND, PACKAGED_GROUPS, of_package
from systemd.steps import Wishes, fit, install, set_up
from systemd.undo import unfit

PI4 = "Raspberry Pi 4 Model B Rev 1.4"
SETTINGS = "etc/hextraction/hextraction.toml"


@pytest.fixture
def packaged(monkeypatch):
    """The program as one that came as a package; we are root."""
    monkeypatch.setattr("systemd.steps.PACKAGE", str(ROOT))
    monkeypatch.setattr("os.geteuid", lambda: 0)


def machine(tmp_path, model=PI4, systemd=257):
    """A machine after dpkg has unpacked the package, as far as the scripts look."""
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text(f"{model}\0")
    (tmp_path / "boot/firmware").mkdir(parents=True)
    (tmp_path / "boot/firmware/config.txt").write_text("dtparam=audio=on\n")
    libraries = tmp_path / "usr/lib/aarch64-linux-gnu/systemd"
    libraries.mkdir(parents=True)
    (libraries / f"libsystemd-shared-{systemd}.so").touch()
    (tmp_path / SETTINGS).parent.mkdir(parents=True)
    (tmp_path / SETTINGS).write_text((ROOT / "systemd/hextraction.toml").read_text())
    return tmp_path


def contents(root):
    """Every file, with what is in it."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def hand(root, commands, answer=(0, "3.13")):
    """Return a hand on a machine whose commands are written down."""

    def run(command):
        commands.append(" ".join(command))
        return answer

    return Hand(root=root, run=run, say=lambda _line: None)


def test_a_pi_gets_what_a_package_cannot_carry(tmp_path):
    """Boot lines, power key, lamps and pauses; the unit, the user and the rules are dpkg's and stay out of /etc."""
    root = machine(tmp_path)
    before = contents(root)

    assert fit(hand(root, []))

    added = contents(root).keys() - before.keys()
    here = {FILES[name].lstrip("/") for name in BY_MACHINE - {AVAHI}}
    assert added == here | {PACKAGED_GROUPS.lstrip("/")}
    assert b"dtparam=spi=on" in contents(root)["boot/firmware/config.txt"]
    assert not fit(hand(root, []))


def test_elsewhere_it_touches_nothing_but_user_and_settings(tmp_path):
    """A laptop keeps its power key and its Wi-Fi; systemd 252 gets no keys that it does not know."""
    root = machine(tmp_path, model="Some laptop", systemd=252)
    before = contents(root)
    commands = []

    assert not fit(hand(root, commands))

    assert contents(root).keys() - before.keys() == {PACKAGED_GROUPS.lstrip("/")}
    assert any("systemd-sysusers hextraction.conf" in command for command in commands)


def test_what_the_package_did_to_a_machine_goes_with_it(tmp_path):
    """Removing leaves every file as it was but the note of groups, which a purge reads."""
    root = machine(tmp_path)
    before = contents(root)
    fit(hand(root, []))

    unfit(hand(root, []))

    after = contents(root)
    assert after.pop(PACKAGED_GROUPS.lstrip("/"))
    assert after == before
    assert not (root / "etc/systemd/system/hextraction.service.d").exists()


def test_a_build_is_chosen_without_building_anything(tmp_path, packaged):
    """`hextraction install --build` writes the wiring, lets the packaged program read it, and starts the service."""
    root, commands = machine(tmp_path), []

    set_up(hand(root, commands), Wishes(build="hub-lean"))

    wiring = (root / "etc/hextraction/wiring.toml").read_text()
    assert wiring == (ROOT / "wiring/hub-lean.toml").read_text()
    assert any(f"{PACKAGED_COMMAND} check /etc/hextraction/hextraction.toml" in line for line in commands)
    assert not any("-m venv" in line or "-m pip" in line or "apt-get" in line for line in commands)


def test_without_a_build_the_first_page_asks(tmp_path, packaged):
    """The package brings no settings; as long as there are none, both services are on and the page stands in."""
    root, commands = machine(tmp_path), []
    (root / SETTINGS).unlink()

    set_up(hand(root, commands), Wishes())

    assert not (root / SETTINGS).exists()
    assert any("enable hextraction.service hextraction-setup.service" in line for line in commands)


def test_what_is_apts_is_left_to_apt(packaged, capsys):
    """`rollback` and `uninstall` name the commands of apt, and do nothing."""
    assert program.main(["uninstall"]) == 2
    assert "sudo apt remove hextraction" in capsys.readouterr().err


def test_two_installations_do_not_get_into_each_others_way(tmp_path, monkeypatch):
    """By hand over a package is refused, before anything is done."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    root = machine(tmp_path)
    (root / PACKAGE.lstrip("/")).mkdir(parents=True)
    (root / PACKAGE.lstrip("/") / "pyvenv.cfg").touch()

    with pytest.raises(InstallError, match="sudo apt-get remove hextraction"):
        install(hand(root, []), Wishes(build="hub-lean"))


@pytest.mark.parametrize("name", ["preinst", "postinst", "prerm", "postrm"])
def test_each_script_is_one_that_a_shell_reads(name):
    """By `sh -n`, with all that is filled in when a package is built."""
    text = scripts(ARCHITECTURES["arm64"], "1.2.3", kilobytes=1)[name]
    assert "@" not in text.replace("@lib", "")
    done = subprocess.run(["sh", "-n"], input=text, text=True, capture_output=True, check=False, timeout=60)
    assert done.stderr == ""


def test_a_units_place_follows_from_that_of_the_installer():
    """What an administrator has in /etc, a package has in /usr/lib."""
    assert of_package(FILES["hextraction.service"]) == "/usr/lib/systemd/system/hextraction.service"
    assert of_package(FILES["hextraction.sysusers"]) == "/usr/lib/sysusers.d/hextraction.conf"

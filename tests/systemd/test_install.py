"""Installing, upgrading and uninstalling, on folders that stand for machines and with commands that are written down."""

import json
import shutil
import subprocess
import sys

import pytest
from helpers.places import ROOT

from systemd import install as program
from systemd import places
from systemd.hand import Hand, InstallError
from systemd.machine import Machine, boot_text, pin_library_faults, read_machine
from systemd.steps import Wishes, builds, install, rollback
from systemd.undo import uninstall

PROJECT = ROOT

PI4 = "Raspberry Pi 4 Model B Rev 1.4"
PI5 = "Raspberry Pi 5 Model B Rev 1.0"
BOOT = "# my own\ndtparam=audio=on\n[pi4]\narm_boost=1\n"


class Commands:
    """Stands for the shell: notes each command and answers some."""

    def __init__(self, **answers):
        self.seen = []
        self.answers = {"import sys; print": (0, "3.13"), **answers}

    def __call__(self, command):
        line = " ".join(command)
        if "import sys; print" not in line:
            self.seen.append(line)
        return next((answer for part, answer in self.answers.items() if part in line), (0, ""))

    def with_word(self, word):
        return [command for command in self.seen if word in command]


@pytest.fixture(autouse=True)
def as_root(monkeypatch):
    """The installer asks for root before anything else."""
    monkeypatch.setattr("os.geteuid", lambda: 0)


@pytest.fixture(autouse=True)
def small_project(monkeypatch, tmp_path):
    """What the installer reads of the project; copying the whole of it each time takes a second."""
    project = tmp_path / "project"
    project.mkdir()
    for name in ("systemd", "wiring", "requirements", "controller", "pyproject.toml"):
        (project / name).symlink_to(PROJECT / name)
    monkeypatch.setattr("systemd.steps.PROJECT", project)


def image(tmp_path, model=PI4):
    """An image of a Raspberry Pi's system, as far as the installer looks."""
    root = tmp_path / "image"
    (root / "proc/device-tree").mkdir(parents=True)
    (root / "proc/device-tree/model").write_text(f"{model}\0")
    (root / "boot/firmware").mkdir(parents=True)
    (root / "boot/firmware/config.txt").write_text(BOOT)
    return root


def give_systemd(root, version):
    """Let an image have a systemd of that version, and no other."""
    folder = root / "usr/lib/aarch64-linux-gnu/systemd"
    folder.mkdir(parents=True, exist_ok=True)
    for other in folder.iterdir():
        other.unlink()
    (folder / f"libsystemd-shared-{version}.so").touch()


def contents(root):
    """Every file of an image, with what is in it."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def besides_versions(root):
    """Every file of an image but those of the program, which each installation builds anew."""
    return {
        path: content
        for path, content in contents(root).items()
        if not path.startswith("opt/hextraction/versions/")
    }


def hand(root, commands, said=None):
    """Return an installer's hand on an image; ``said`` collects its words."""
    return Hand(root=root, run=commands, say=(said if said is not None else []).append)


@pytest.mark.parametrize(
    ("model", "extra"),
    [
        (PI4, "pi"),
        ("Raspberry Pi Zero 2 W Rev 1.0", "pi"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "pi"),
        (PI5, "pi5"),
        ("Raspberry Pi 500 Rev 1.0", "pi5"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", "pi5"),
        ("Some Other Board", ""),
    ],
)
def test_each_model_gets_its_extra(tmp_path, model, extra):
    """The model decides which packages drive pins and lamps; on anything else there are none."""
    assert read_machine(image(tmp_path, model)).extra == extra


def test_the_boot_configuration_keeps_what_was_there():
    """Ours stands between two marks, is made once however often, and goes without a trace."""
    machine = Machine(model=PI4, boot_file="/boot/firmware/config.txt")
    once = boot_text(BOOT, machine)

    assert once.startswith(BOOT)
    assert "[all]\ndtparam=spi=on\ndtparam=i2c_arm=on\ndtparam=strict_gpiod\ncore_freq_min=500\n" in once
    assert "dtoverlay=gpio-shutdown,gpio_pin=26" in once
    assert boot_text(once, machine) == once
    assert boot_text(once, None) == BOOT


@pytest.mark.parametrize(
    ("model", "line"),
    [
        ("Raspberry Pi 3 Model B", "core_freq=250"),
        ("Raspberry Pi Zero 2 W Rev 1.0", "core_freq=250"),
        ("Raspberry Pi 400 Rev 1.0", "core_freq_min=500"),
        ("Raspberry Pi Compute Module 4 Rev 1.0", "core_freq_min=500"),
        (PI5, None),
    ],
)
def test_the_lamps_clock_follows_the_model(model, line):
    """SPI hangs on the core's clock up to model 4; on a Pi 5 nothing needs to be fixed."""
    text = boot_text("", Machine(model=model, boot_file=None))
    assert [word for word in text.splitlines() if word.startswith("core_freq")] == ([line] if line else [])


@pytest.mark.parametrize(
    ("installed", "faults"),
    [
        ({"lgpio": "0.2.2.0", "rpi-lgpio": "0.6"}, ()),
        ({"lgpio": "0.0.0.2"}, ("lgpio",)),
        ({"rpi.gpio": "0.7.1", "rpi-lgpio": "0.6"}, ("RPi.GPIO",)),
        ({"rpi.gpio": "0.7.1"}, ()),
        ({"lgpio": "0.0.0.2", "rpi.gpio": "0.7.1", "rpi-lgpio": "0.5"}, ("lgpio", "RPi.GPIO")),
    ],
)
def test_pin_libraries_that_hide_others_must_go(installed, faults):
    """The empty lgpio of Python 3.13 goes, and RPi.GPIO never stays beside rpi-lgpio: both are the same module."""
    assert pin_library_faults(installed) == faults


def test_an_image_gets_everything_and_a_second_time_changes_nothing(tmp_path):
    """Unit, rules, user, settings, boot lines; installing again leaves every byte as it was."""
    root, commands = image(tmp_path), Commands()
    give_systemd(root, 257)
    anew = install(hand(root, commands), Wishes(build="bench-demo"))
    first = besides_versions(root)

    assert anew
    assert {
        "etc/systemd/system/hextraction.service",
        "etc/systemd/system/hextraction.service.d/10-back-off.conf",
        "etc/sysusers.d/hextraction.conf",
        "etc/udev/rules.d/60-hextraction.rules",
        "etc/systemd/logind.conf.d/hextraction.conf",
        "etc/modprobe.d/hextraction.conf",
        "etc/hextraction/hextraction.toml",
        "etc/hextraction/wiring.toml",
    } <= set(first)
    assert (root / "etc/hextraction/wiring.toml").stat().st_mode & 0o777 == 0o640
    inside = f"systemd-nspawn --quiet --pipe --register=no --keep-unit --directory={root}"
    assert all(command.startswith(f"{inside} ") for command in commands.seen)
    assert commands.with_word("enable") == [
        f"{inside} systemctl enable hextraction.service hextraction-setup.service"
    ]
    assert commands.with_word("chown") == [f"{inside} chown -R root:hextraction /etc/hextraction"]
    assert commands.with_word("pip install")[0].endswith(
        " --require-hashes --requirement /opt/hextraction/source/requirements/pi.lock"
    )
    assert not commands.with_word("restart")

    assert not install(hand(root, Commands()), Wishes())
    assert besides_versions(root) == first


def test_an_image_is_told_its_model(tmp_path):
    """A folder has no device tree: the model that was named decides packages and boot lines."""
    root, commands = image(tmp_path), Commands()
    shutil.rmtree(root / "proc")
    assert install(hand(root, commands), Wishes(build="bench-demo", model="Raspberry Pi 5"))
    assert commands.with_word("pip install")[0].endswith(" /opt/hextraction/source/requirements/pi5.lock")
    assert "dtparam=spi=on" in (root / "boot/firmware/config.txt").read_text()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((127, "systemd-nspawn is not installed"), "apt-get install systemd-container"),
        ((1, "Failed to execute: Exec format error"), r"Exec format error; .* needs qemu-user-static"),
        ((0, ""), "programs can run here"),
        ((0, "3.9"), r"Python 3.11 or newer is needed, found 3\.9"),
    ],
)
def test_an_image_whose_programs_cannot_run_here_is_refused_untouched(tmp_path, answer, words):
    """No nspawn, another processor, an empty folder, an old system: a sentence, and nothing is written."""
    root = image(tmp_path)
    before = contents(root)
    with pytest.raises(InstallError, match=words):
        install(hand(root, Commands(**{"import sys; print": answer})), Wishes(build="bench-demo"))
    assert contents(root) == before


def test_an_older_systemd_gets_no_keys_that_it_does_not_know(tmp_path):
    """The growing pauses are for 254 and newer; on Bookworm's 252 an earlier installation's go."""
    root = image(tmp_path)
    drop_in = root / "etc/systemd/system/hextraction.service.d/10-back-off.conf"
    there = []
    for version in (252, 254, 252):
        give_systemd(root, version)
        install(hand(root, Commands()), Wishes(build="bench-demo"))
        there.append(drop_in.exists())
    assert there == [False, True, False]


def test_a_dry_run_on_a_fresh_machine_tells_every_step(tmp_path):
    """Without a build it ends with where the first page is."""
    root, said = image(tmp_path), []
    install(Hand(root=root, dry=True, run=Commands(), say=said.append), Wishes())

    assert "the board is not set up yet: open http://THIS-MACHINE:8080" in said[-1]
    assert any("starting at each boot" in line for line in said)


def test_without_a_build_the_first_page_asks(tmp_path):
    """No settings are made up; both services start at boot, and as long as there are no settings the page stands in."""
    root, commands = image(tmp_path), Commands()
    install(hand(root, commands), Wishes())

    assert not (root / "etc/hextraction/hextraction.toml").exists()
    assert "hextraction check" not in " ".join(commands.seen)
    assert commands.with_word("enable") == [
        line for line in commands.seen if "hextraction.service hextraction-setup.service" in line
    ]
    units = root / "etc/systemd/system"
    settings = "ConditionPathExists={}/etc/hextraction/hextraction.toml\n"
    assert settings.format("") in (units / "hextraction.service").read_text()
    assert settings.format("!") in (units / "hextraction-setup.service").read_text()


def test_settings_of_the_first_page_stay_at_an_upgrade(tmp_path):
    """Also those of a board without any wiring."""
    root = image(tmp_path)
    (root / "etc/hextraction").mkdir(parents=True)
    (root / "etc/hextraction/hextraction.toml").write_text("[table]\n")
    install(hand(root, Commands()), Wishes())
    assert contents(root)["etc/hextraction/hextraction.toml"] == b"[table]\n"
    assert not (root / "etc/hextraction/wiring.toml").exists()


def test_uninstalling_removes_the_groups_that_came_with_it(tmp_path):
    """Not those that were there before, nor one that somebody else has joined since."""
    root = image(tmp_path)
    (root / "etc").mkdir()
    (root / "etc/group").write_text("root:x:0:\ndialout:x:20:pi\ngpio:x:21:\n")
    install(hand(root, Commands()), Wishes(build="bench-demo"))
    (root / "etc/group").write_text(
        "root:x:0:\ndialout:x:20:pi,hextraction\ngpio:x:21:hextraction\n"
        "spi:x:998:hextraction\ni2c:x:997:pi,hextraction\nhextraction:x:996:\n"
    )
    install(hand(root, Commands()), Wishes())
    commands = Commands()
    uninstall(hand(root, commands), purge=True)

    assert [line.split()[-1] for line in commands.with_word("groupdel")] == ["hextraction", "spi"]


def test_what_a_person_wrote_is_kept(tmp_path):
    """An upgrade, even with another build named, touches neither settings nor games, and says how to change."""
    root, said = image(tmp_path), []
    install(hand(root, Commands()), Wishes(build="bench-demo"))
    mine = {"hextraction.toml": "[table]\nid = 'mine'\n", "wiring.toml": "# mine\n"}
    for name, text in mine.items():
        (root / "etc/hextraction" / name).write_text(text)
    (root / "var/lib/hextraction").mkdir(parents=True)
    (root / "var/lib/hextraction/games.db").write_bytes(b"games")
    (root / "etc/systemd/system/hextraction.service").write_text("an older unit")

    install(hand(root, Commands(), said), Wishes(build="hub-rich"))

    assert {name: (root / "etc/hextraction" / name).read_text() for name in mine} == mine
    assert (root / "var/lib/hextraction/games.db").read_bytes() == b"games"
    assert "Type=notify" in (root / "etc/systemd/system/hextraction.service").read_text()
    assert any("kept: /etc/hextraction/wiring.toml" in line for line in said)


def test_uninstalling_with_purge_leaves_nothing(tmp_path):
    """The image is, byte for byte, what it was before."""
    root = image(tmp_path)
    before = contents(root)
    install(hand(root, Commands()), Wishes(build="bench-demo"))
    (root / "opt/hextraction/versions/1/pyvenv.cfg").write_text("version = 3.11.2\n")
    (root / "var/lib/hextraction").mkdir(parents=True)
    (root / "var/lib/hextraction/games.db").write_bytes(b"games")
    (root / "etc/passwd").write_text(
        "root:x:0:0::/root:/bin/sh\nhextraction:x:998:998::/var/lib/hextraction:/bin/false\n"
    )
    commands = Commands()

    uninstall(hand(root, commands), purge=True)

    assert set(contents(root)) - {"etc/passwd"} == set(before)
    assert contents(root)["boot/firmware/config.txt"].decode() == BOOT
    assert commands.with_word("userdel")[0].endswith(f"--directory={root} userdel hextraction")


def test_uninstalling_keeps_games_unless_told(tmp_path):
    """Without purge the games and settings stay, as root's, and it says where."""
    root, said, commands = image(tmp_path), [], Commands()
    install(hand(root, Commands()), Wishes(build="bench-demo"))
    (root / "var/lib/hextraction").mkdir(parents=True)

    uninstall(hand(root, commands, said), purge=False)

    assert (root / "var/lib/hextraction").is_dir()
    assert (root / "etc/hextraction/hextraction.toml").is_file()
    assert any(line.endswith(" chown -R root:root /var/lib/hextraction") for line in commands.seen)
    assert any("PURGE=1" in line for line in said)
    assert not (root / "etc/systemd/system/hextraction.service").exists()


def test_a_dry_run_changes_nothing(tmp_path):
    """It says each step, asks at most, and leaves every byte."""
    root, said, commands = image(tmp_path), [], Commands()
    before = contents(root)
    install(Hand(root=root, dry=True, run=commands, say=said.append), Wishes(build="bench-demo"))

    assert contents(root) == before
    assert not {
        line
        for line in commands.seen
        if not any(word in line for word in ("dpkg-query", "apt-cache", "-c import"))
    }
    assert said[1:]
    assert all(line.startswith("would do: ") for line in said[1:])


def test_the_first_settings_are_right(tmp_path):
    """What the installer writes passes the program's own check, with every build that comes along."""
    from hextraction.controller.config import read_config  # noqa: PLC0415
    from hextraction.hal.wiring.file import read_wiring  # noqa: PLC0415

    assert {"bench-demo"} <= set(builds())
    root = image(tmp_path)
    install(hand(root, Commands()), Wishes(build="bench-demo"))
    config = read_config(root / "etc/hextraction/hextraction.toml")
    assert str(config.journal) == "/var/lib/hextraction/games.db"
    assert read_wiring(config.wiring).gpio_factory == "lgpio"


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        (Wishes(build="hub-richer"), "BUILD: you can choose bench-demo"),
        (
            Wishes(build="bench-demo", model="Pi 4"),
            "--model: want a name such as 'Raspberry Pi 4', found 'Pi 4'",
        ),
    ],
)
def test_what_is_in_the_way_is_said_before_anything_is_done(tmp_path, wishes, words):
    """An unknown build ends it with a sentence, and nothing was touched."""
    root, commands = image(tmp_path), Commands()
    before = contents(root)
    with pytest.raises(InstallError, match=words):
        install(hand(root, commands), wishes)
    assert contents(root) == before
    assert commands.seen == []


def test_the_command_line_ends_with_status_two(tmp_path, capsys):
    """No traceback: a line that says what, and what to do."""
    assert program.main(["install", "--root", str(image(tmp_path)), "--build", "nonsense"]) == 2
    err = capsys.readouterr().err
    assert all(line.startswith("install: ") for line in err.splitlines())
    assert "install: BUILD: you can choose " in err
    assert "Traceback" not in err


def test_a_command_that_fails_is_quoted(tmp_path):
    """Which step, which command, what it said."""
    commands = Commands(**{"systemd-sysusers": (1, "no space left")})
    with pytest.raises(
        InstallError, match=r"user and groups: systemd-sysusers hextraction.conf ended with 1:\nno space left"
    ):
        install(hand(image(tmp_path), commands), Wishes(build="bench-demo"))


class HandHere(Hand):
    """A hand that believes to be on the machine itself, though its folder is another."""

    here = running = True


def on_this_machine(tmp_path, commands, model=PI4):
    """The hand of an administrator on the machine itself."""
    return HandHere(root=image(tmp_path, model), run=commands, say=[].append)


def test_a_pi_gets_packages_environment_and_program(tmp_path):
    """Only packages that are missing and that the archive has; the environment sees the system's lgpio; then it runs."""
    commands = Commands(
        **{
            "dpkg-query --show --showformat=${Status} mosquitto": (0, "install ok installed"),
            "dpkg-query": (1, ""),
            "apt-cache show --no-all-versions python3-spidev": (0, "Package: python3-spidev"),
            "apt-cache": (100, ""),
            "-c import importlib": (
                0,
                json.dumps({"lgpio": "0.0.0.2", "rpi-lgpio": "0.6", "rpi.gpio": "0.7.1"}),
            ),
        }
    )
    target = on_this_machine(tmp_path, commands)
    install(target, Wishes(build="bench-demo"))

    install_line = commands.with_word("apt-get install")[0]
    assert {"python3-venv", "python3-spidev"} <= set(install_line.split())
    assert not {"mosquitto", "python3-lgpio"} & set(install_line.split())
    assert commands.with_word("-m venv")[0].endswith("--system-site-packages /opt/hextraction/versions/1")
    assert commands.with_word("pip install")[0].endswith(
        " --require-hashes --requirement /opt/hextraction/source/requirements/pi.lock"
    )
    assert [line.split()[-1] for line in commands.with_word("pip uninstall")] == ["lgpio", "RPi.GPIO"]
    assert commands.seen[-1] == "systemctl restart hextraction.service"
    assert commands.with_word("hextraction check") == [
        "/opt/hextraction/versions/1/bin/hextraction check /etc/hextraction/hextraction.toml"
    ]
    assert "python3-spidev" in (target.at("/opt/hextraction/packages")).read_text()


class Building(Commands):
    """Commands that also make an environment where one is asked for, as ``python -m venv`` does."""

    root = None

    def __call__(self, command):
        if "venv" in command:
            (self.root / command[-1].lstrip("/") / PACKAGES).mkdir(parents=True)
        return super().__call__(command)


SCRIPTS = "hextraction/controller/app/completions"
PACKAGES = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"


class Service:
    """A machine on which one version after the other is installed, each with a unit that says which it is."""

    def __init__(self, tmp_path):
        self.root = image(tmp_path)
        self.number = 0

    def upgrade(self, **answers):
        """Install a new version; what it does is in ``commands``."""
        commands = self.commands(**answers)
        install(HandHere(root=self.root, run=commands, say=[].append), Wishes(build="bench-demo"))
        self.number += 1
        (self.root / f"opt/hextraction/versions/{self.number}/systemd/hextraction.service").write_text(
            f"unit {self.number}"
        )
        self.brings(f"completes {self.number}")

    def brings(self, text):
        """Let the version that is used have scripts with this text, which complete its command."""
        scripts = self.root / f"opt/hextraction/versions/{self.number}" / PACKAGES / SCRIPTS
        scripts.mkdir(parents=True)
        for shell in ("bash", "zsh", "fish"):
            (scripts / f"hextraction.{shell}").write_text(text)

    def rollback(self, **answers):
        """Go back to the version before."""
        rollback(HandHere(root=self.root, run=self.commands(**answers), say=[].append))

    def commands(self, **answers):
        self.did = Building(**answers)
        self.did.root = self.root
        return self.did

    @property
    def used(self):
        return str((self.root / "opt/hextraction/venv").readlink()).removeprefix("/opt/hextraction/versions/")

    @property
    def kept(self):
        return sorted(path.name for path in (self.root / "opt/hextraction/versions").iterdir())

    @property
    def completions(self):
        """What each shell completes the command by."""
        files = [self.root / path.lstrip("/") for path in places.COMPLETIONS.values()]
        return [file.read_text() for file in files if file.exists()]

    @property
    def unit(self):
        return (self.root / "etc/systemd/system/hextraction.service").read_text()


@pytest.fixture
def service(tmp_path):
    """A machine without the program."""
    return Service(tmp_path)


@pytest.mark.parametrize(
    "wrong",
    [
        {"hextraction check": (2, "wiring.toml:3: want a pin")},
        {"-m pip install": (1, "no space left on device")},
    ],
    ids=["settings", "packages"],
)
def test_a_version_that_does_not_fit_changes_nothing(service, wrong):
    """It is checked before anything is replaced: program, unit and running table stay, and the reason is told."""
    service.upgrade()
    before = contents(service.root)
    with pytest.raises(InstallError, match=next(iter(wrong.values()))[1]):
        service.upgrade(**wrong)
    assert (service.used, contents(service.root)) == ("1", before)
    assert not service.did.with_word("systemctl")


def test_the_version_before_is_kept_and_no_other(service):
    """Two are there after each upgrade; the newer one is used."""
    seen = []
    for _upgrade in range(3):
        service.upgrade()
        seen.append((service.used, service.kept))
    assert seen == [("1", ["1"]), ("2", ["1", "2"]), ("3", ["2", "3"])]


def test_a_rollback_brings_back_program_and_unit_and_another_one_returns(service):
    """The version is asked about the settings, its unit is written, and the table opens anew."""
    service.upgrade()
    service.upgrade()
    for wanted in ("1", "2", "1"):
        service.rollback()
        assert (service.used, service.unit, service.kept) == (wanted, f"unit {wanted}", ["1", "2"])
        assert service.completions == [f"completes {wanted}"] * 3
        checked, *_then, opened = service.did.seen
        assert checked.startswith(f"/opt/hextraction/versions/{wanted}/bin/hextraction check ")
        assert opened == "systemctl restart hextraction.service"
    service.upgrade()
    assert (service.used, service.kept) == ("3", ["1", "3"])


def test_a_version_that_completes_nothing_takes_the_newer_scripts_away(service):
    """The Tab key would offer commands that it does not have."""
    service.upgrade()
    service.upgrade()
    shutil.rmtree(service.root / "opt/hextraction/versions/1" / PACKAGES / SCRIPTS)
    service.rollback()

    assert service.completions == []


def test_a_rollback_to_what_cannot_be_is_refused(service, capsys):
    """Settings that the older version does not know, or no older version: a sentence, and nothing is changed."""
    service.upgrade()
    with pytest.raises(InstallError, match="found none: there has been no upgrade"):
        service.rollback()
    service.upgrade()
    before = contents(service.root)
    with pytest.raises(InstallError, match="unknown key"):
        service.rollback(**{"hextraction check": (2, "unknown key")})
    assert (service.used, contents(service.root)) == ("2", before)
    assert program.main(["rollback", "--root", str(service.root / "nothing")]) == 2
    assert "install: want a version before this one" in capsys.readouterr().err


def test_what_a_killed_installer_left_is_no_way_back(service):
    """A half-built version is never used, and the next upgrade takes it away."""
    service.upgrade()
    (service.root / "opt/hextraction/versions/2/bin").mkdir(parents=True)
    with pytest.raises(InstallError, match="found none"):
        service.rollback()
    service.number = 2
    service.upgrade()
    assert (service.used, service.kept) == ("3", ["1", "3"])


def test_an_environment_of_an_earlier_installer_becomes_the_version_before(service):
    """It was a folder where the link is now; what somebody added to it is taken over."""
    old = service.root / "opt/hextraction/venv" / PACKAGES
    old.mkdir(parents=True)
    service.upgrade()
    assert (service.used, service.kept) == ("1", ["1", "2"])
    assert service.did.with_word("cp -a") == [
        f"cp -a /opt/hextraction/venv/{PACKAGES}/. /opt/hextraction/versions/1/{PACKAGES}"
    ]
    service.rollback()
    assert service.used == "2"
    assert (service.root / "opt/hextraction/venv").is_symlink()


def test_an_environment_of_another_python_is_built_anew(service):
    """After an upgrade of the system from Bookworm to Trixie nothing of the old one can be used."""
    (service.root / "opt/hextraction/venv/lib/python3.9/site-packages").mkdir(parents=True)
    service.upgrade()
    assert not service.did.with_word("cp -a")


def test_a_table_that_does_not_open_says_how_to_go_back(service):
    """The service manager waits until the table is open; if it is not, the words name the way back."""
    service.upgrade()
    with pytest.raises(InstallError, match="sudo make rollback takes the version before"):
        service.upgrade(**{"systemctl restart hextraction": (1, "failed")})


@pytest.mark.slow
@pytest.mark.broker
@pytest.mark.skipif(shutil.which("mosquitto", path="/usr/sbin:/usr/bin") is None, reason="no mosquitto")
def test_the_clubs_broker_knows_its_administrator_and_nobody_else(tmp_path):
    """A real Mosquitto with the installed configuration: the written password opens it, no other does."""
    import paho.mqtt.client as mqtt  # noqa: PLC0415
    from hextraction.controller.phones.broker import _free_port, find_plugin  # noqa: PLC0415
    from hextraction.controller.workshop.bring_up.club import write_security  # noqa: PLC0415

    port = _free_port()
    write_security(tmp_path / "security.json", tmp_path / "broker.secret")
    text = (PROJECT / "systemd/hextraction-broker.conf").read_text().replace("@PLUGIN@", str(find_plugin()))
    text = text.replace("listener 1883", f"listener {port} 127.0.0.1")
    text = text.replace("/var/lib/mosquitto/hextraction-security.json", str(tmp_path / "security.json"))
    (tmp_path / "mosquitto.conf").write_text(f"{text}user root\nlog_dest stderr\n")
    broker = subprocess.Popen(
        [shutil.which("mosquitto", path="/usr/sbin:/usr/bin"), "-c", tmp_path / "mosquitto.conf"],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for line in broker.stderr:
            if line.strip().endswith(" running"):
                break
        secret = (tmp_path / "broker.secret").read_text().strip()
        assert [answer(mqtt, port, password) for password in (secret, "guessed", None)] == [0, 135, 135]
    finally:
        broker.terminate()
        broker.communicate(timeout=90)
    assert (tmp_path / "broker.secret").stat().st_mode & 0o777 == 0o640


def answer(mqtt, port, password):
    """Return the reason code with which the broker answers a connection."""
    codes = []
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.on_connect = lambda _client, _data, _flags, code, _properties: codes.append(code.value)
    if password is not None:
        client.username_pw_set("controller", password)
    client.connect("127.0.0.1", port)
    while not codes:
        client.loop(0.1)
    client.disconnect()
    return codes[0]


def test_a_wheel_s_program_is_installed_from_itself(tmp_path, monkeypatch):
    """Without a checkout the locks come from the wheel, and what pip is given is the program as a wheel again."""
    site = tmp_path / "site" / "hextraction"
    for name in ("systemd", "wiring", "requirements", "controller"):
        (site / name).parent.mkdir(exist_ok=True, parents=True)
        (site / name).symlink_to(PROJECT / name)
    monkeypatch.setattr("systemd.steps.PROJECT", site)
    monkeypatch.setattr(
        "systemd.steps.own_wheel", lambda folder: folder / "hextraction-1.0.0-py3-none-any.whl"
    )
    root, commands, said = image(tmp_path), Commands(), []
    install(hand(root, commands, said), Wishes(build="hub-lean"))

    first, second = commands.with_word("pip install")
    assert first.endswith(" --require-hashes --requirement /opt/hextraction/source/requirements/pi.lock")
    assert second.endswith(
        " --no-deps --no-build-isolation /opt/hextraction/source/hextraction-1.0.0-py3-none-any.whl"
    )
    assert (root / "etc/hextraction/wiring.toml").read_text() == (
        PROJECT / "wiring/hub-lean.toml"
    ).read_text()
    bash = root / "usr/local/share/bash-completion/completions/hextraction"
    assert "complete -o bashdefault -F _shtab_hextraction hextraction" in bash.read_text()

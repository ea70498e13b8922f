"""The installation steps, in order. Repeating a step changes nothing."""

import json
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from .hand import NOT_INSTALLED, Hand, InstallError
from .machine import Machine, pin_library_faults, read_machine
from .own_wheel import own_wheel
from .places import (
    AVAHI,
    BACK_OFF,
    BY_MACHINE,
    CLUB,
    COMMAND,
    COMPLETIONS,
    CONFIGURATION,
    FILES,
    GROUPS,
    ON_A_PI,
    PACKAGE,
    PACKAGED_COMMAND,
    PACKAGED_GROUPS,
    PACKAGES,
    PROGRAM,
    PROJECT,
    SETTINGS,
    SOURCE,
    UNITS,
    VENV,
)
from .undo import groups, wanted_groups, write_boot
from .versions import last, new, take, used

__all__ = ["Wishes", "announce", "builds", "fit", "install", "is_packaged", "rollback", "set_up"]

_NOT_COPIED: Final = shutil.ignore_patterns(
    ".*", "build", "dist", "*.egg-info", "__pycache__", "tests", "bench"
)
_FIRST_PAGE: Final = (
    "open http://THIS-MACHINE:8080 on your phone (journalctl -u hextraction-setup says where)"
)
_SCRIPTS: Final = "controller/app/completions"
_INTERPRETER: Final = "/usr/bin/python3"
_LIST: Final = (
    "import importlib.metadata as m, json; "
    "print(json.dumps({d.metadata['Name'].lower(): d.version for d in m.distributions()}))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The user's choices: which wiring, and whether this machine is also a club's broker.

    ``model`` is the Raspberry Pi that an image is for, such as ``Raspberry Pi 4``; a machine says it itself.
    """

    build: str = ""
    club: bool = False
    model: str = ""


def builds() -> tuple[str, ...]:
    """Return the names of the wirings that ship with the project."""
    return tuple(sorted(path.stem for path in (PROJECT / "wiring").glob("*.toml")))


def is_packaged() -> bool:
    """Whether this program came as a Debian package: then apt installs, upgrades and removes it."""
    return PROJECT.is_relative_to(PACKAGE)


def set_up(hand: Hand, wishes: Wishes) -> bool:
    """Make the Debian package's service that of a build; return whether the machine must be rebooted.

    Raises:
        InstallError: with every problem found; nothing was changed, but a first wiring is there.
    """
    _check(hand, wishes)
    _first_settings(hand, wishes)
    _check_settings(hand, PACKAGED_COMMAND)
    changed = fit(hand)
    if wishes.club:
        _club(hand, PACKAGE)
    _start(hand, asks=_asks(hand, wishes))
    return changed


def fit(hand: Hand) -> bool:
    """Do what a Debian package cannot carry, as it depends on the machine; return whether to reboot.

    It may be done again at any time, and starts nothing.
    """
    machine = read_machine(hand.root)
    _service_files(hand, machine, PROJECT, packaged=True)
    _own_settings(hand)
    return write_boot(hand, machine)


def announce(hand: Hand) -> None:
    """Let the record that tells the network of the table say what its settings say now."""
    text = _text_of(hand, read_machine(hand.root), PROJECT / "systemd" / AVAHI)
    if text is not None:
        hand.put(FILES[AVAHI], text, why="announcing the table")


def install(hand: Hand, wishes: Wishes) -> bool:
    """Install, repair or upgrade; return whether the machine must be rebooted.

    A new version stands beside the one that is used until it has read the settings; nothing else is changed
    before.

    Raises:
        InstallError: with every problem found.
    """
    machine = read_machine(hand.root, wishes.model)
    python = _check(hand, wishes)
    hand.say(
        f"machine: {machine.model or 'no Raspberry Pi'}; Python {python}; extra: {machine.extra or 'none'}"
    )
    _packages(hand, machine)
    _first_settings(hand, wishes)
    version = new(hand)
    try:
        _program(hand, machine, python, version)
        _check_settings(hand, f"{version}/bin/hextraction")
    except BaseException:
        hand.remove(version)
        raise
    take(hand, version)
    hand.link(COMMAND, PROGRAM, why="linking the command")
    _service_files(hand, machine, PROJECT)
    _completions(hand, PROJECT / _SCRIPTS)
    _own_settings(hand)
    changed = write_boot(hand, machine)
    if wishes.club:
        _club(hand, VENV)
    _start(hand, asks=_asks(hand, wishes))
    return changed


def rollback(hand: Hand) -> None:
    """Use the version before this one again, with its service; another rollback comes back.

    Raises:
        InstallError: there is none, or the settings are wrong for it; nothing was changed.
    """
    machine = read_machine(hand.root)
    if hand.here and not hand.dry and os.geteuid() != 0:
        raise InstallError(f"want root, found another user: {_command('rollback')}")
    version = last(hand)
    _check_settings(hand, f"{version}/bin/hextraction")
    take(hand, version)
    _service_files(hand, machine, hand.at(version))
    ours = f"lib/python3.*/site-packages/hextraction/{_SCRIPTS}"
    _completions(hand, next(iter(hand.at(version).glob(ours)), None))
    _start(hand)


# --- steps --------------------------------------------------------------------------------------------------


def _python(hand: Hand) -> str:
    """Return the version of the target's Python, such as ``3.13``.

    Raises:
        InstallError: an image has none, or one that cannot run on this machine.
    """
    # From a checkout the system's Python runs us; a wheel's program may have come with another.
    if hand.here and (_is_checkout() or not Path(_INTERPRETER).exists()):
        return f"{sys.version_info.major}.{sys.version_info.minor}"
    status, said = hand.ask(_INTERPRETER, "-c", "import sys; print(*sys.version_info[:2], sep='.')")
    if status == NOT_INSTALLED:
        raise InstallError(f"{said}; it runs programs inside an image: apt-get install systemd-container")
    version = said.strip()
    if status or not re.fullmatch(r"\d+\.\d+", version):
        raise InstallError(
            f"{hand.root}: want a Debian or Raspberry Pi OS with python3 whose programs can run here, found: "
            f"{said.strip() or f'status {status}'}; an image of another processor needs qemu-user-static"
        )
    return version


def _check(hand: Hand, wishes: Wishes) -> str:
    """Return the version of the target's Python, if nothing is in the way; else raise with every problem."""
    known = builds()
    problems, python = [], ""
    try:
        python = _python(hand)
    except InstallError as error:
        problems.append(str(error))
    if python and tuple(map(int, python.split("."))) < (3, 11):
        problems.append(
            f"Python 3.11 or newer is needed, found {python}: use Raspberry Pi OS Bookworm or newer"
        )
    if hand.here and not hand.dry and os.geteuid() != 0:
        problems.append(f"want root, found another user: {_command('install')}")
    if not is_packaged() and hand.at(f"{PACKAGE}/pyvenv.cfg").exists():
        problems.append(
            "want no Debian package hextraction, found it installed: sudo apt-get remove hextraction, "
            "or leave this to it: sudo /usr/bin/hextraction install"
        )
    if wishes.model and not wishes.model.startswith("Raspberry Pi"):
        problems.append(f"--model: want a name such as 'Raspberry Pi 4', found {wishes.model!r}")
    if wishes.build and wishes.build not in known:
        problems.append(f"BUILD: you can choose {', '.join(known)}, not {wishes.build}")
    if problems:
        raise InstallError("\n".join(problems))
    return python


def _packages(hand: Hand, machine: Machine) -> None:
    wanted = [name for name in machine.packages if not _is_installed(hand, name)]
    wished = [name for name in machine.wished_packages if not _is_installed(hand, name)]
    if not wanted and not wished:
        return
    apt = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get")
    hand.do(*apt, "update", "-qq", why="updating the package lists")
    there = [name for name in wished if _is_offered(hand, name)]
    hand.do(
        *apt, "install", "-y", "-qq", "--no-install-recommends", *wanted, *there, why="installing packages"
    )
    _note(hand, PACKAGES, {*wanted, *there}, why="noting packages")


def _is_installed(hand: Hand, package: str) -> bool:
    status, said = hand.ask("dpkg-query", "--show", "--showformat=${Status}", package)
    return status == 0 and said.strip() == "install ok installed"


def _is_offered(hand: Hand, package: str) -> bool:
    status, said = hand.ask("apt-cache", "show", "--no-all-versions", package)
    return status == 0 and bool(said.strip())


def _program(hand: Hand, machine: Machine, python: str, version: str) -> None:
    """Build a version's environment: what the one before has of the same Python, brought up to date.

    So nothing is compiled twice, and a game that somebody added stays.
    """
    interpreter = _INTERPRETER if hand.at(_INTERPRETER).exists() else sys.executable
    hand.do(interpreter, "-m", "venv", "--system-site-packages", version, why="building the venv")
    before, packages = used(hand), f"lib/python{python}/site-packages"
    if before and hand.at(f"{before}/{packages}").is_dir():
        hand.do(
            "cp", "-a", f"{before}/{packages}/.", f"{version}/{packages}", why="taking over what is there"
        )
    source, ours = hand.at(SOURCE), SOURCE
    try:
        if not hand.dry:
            shutil.rmtree(source, ignore_errors=True)
            ours = _source(source)
            # For the way back: the service as it belongs to this version.
            shutil.copytree(PROJECT / "systemd", hand.at(f"{version}/systemd"), ignore=_NOT_COPIED)
        pip = (*_pip(version), "install", "--quiet", "--disable-pip-version-check", "--no-input", "--upgrade")
        lock = f"{SOURCE}/requirements/{machine.extra or 'table'}.lock"
        hand.do(*pip, "--require-hashes", "--requirement", lock, why="installing what it needs")
        # The packages of the version before were taken over, but not its commands: ours must be made anew.
        again = ("--force-reinstall", "--no-deps", "--no-build-isolation")
        hand.do(*pip, *again, ours, why="installing the program")
    finally:
        if not hand.dry:
            shutil.rmtree(source, ignore_errors=True)
    _mend_pin_libraries(hand, machine, version)


def _source(folder: Path) -> str:
    """Bring what is installed from into a folder of the target; return its path there.

    A checkout is copied: building as root in it would leave root's files there, and pick up old ones. A
    program that came as a wheel is made a wheel again.
    """
    if _is_checkout():
        shutil.copytree(PROJECT, folder, ignore=_NOT_COPIED, symlinks=True)
        return SOURCE
    shutil.copytree(PROJECT / "requirements", folder / "requirements", ignore=_NOT_COPIED)
    return f"{SOURCE}/{own_wheel(folder).name}"


def _is_checkout() -> bool:
    return (PROJECT / "pyproject.toml").is_file()


def _command(what: str) -> str:
    """Return how to do it where we came from: ``make install BUILD=`` or ``hextraction install``."""
    if is_packaged():
        return f"sudo hextraction {what.replace('BUILD=', '--build NAME')}"
    if _is_checkout():
        return f"sudo make {what}"
    return f'sudo "$(command -v hextraction)" {what.replace("BUILD=", "--build ")}'


def _pip(version: str) -> tuple[str, str, str]:
    return f"{version}/bin/python", "-m", "pip"


def _mend_pin_libraries(hand: Hand, machine: Machine, version: str) -> None:
    for package in pin_library_faults(_installed(hand, version)):
        hand.do(
            *_pip(version), "uninstall", "--yes", "--quiet", package,
            why=f"removing {package}, which hides a pin library that works", may_fail=True,
        )  # fmt: skip
    left = _installed(hand, version)
    if machine.extra and not hand.dry and ("lgpio" not in left or pin_library_faults(left)):
        hand.say("attention: no working lgpio, so the Pi's own pins cannot be used; see `hextraction doctor`")


def _installed(hand: Hand, version: str) -> Mapping[str, str]:
    status, said = hand.ask(f"{version}/bin/python", "-c", _LIST)
    return json.loads(said) if status == 0 and said.startswith("{") else {}


def _service_files(hand: Hand, machine: Machine, project: Path, *, packaged: bool = False) -> None:
    """Write the service's files as a version has them; one of an earlier installer has none.

    ``packaged``: only those that depend on the machine; a Debian package has brought the others.
    """
    if not (project / "systemd").is_dir():
        return
    for name, path in FILES.items():
        text = _text_of(hand, machine, project / "systemd" / name)
        if name in BY_MACHINE and text is None:
            hand.remove(path)
        elif text is not None and (name in BY_MACHINE or not packaged):
            hand.put(path, text, why="writing")
    missing = wanted_groups() - groups(hand).keys()
    hand.do("systemd-sysusers", "hextraction.conf", why="the service's user and groups")
    _note(hand, PACKAGED_GROUPS if packaged else GROUPS, missing, why="noting groups")


def _text_of(hand: Hand, machine: Machine, source: Path) -> str | None:
    """Return what a file of the service has to hold on this machine; None: it shall not be there."""
    name = source.name if source.parent.name == "systemd" else f"{source.parent.name}/{source.name}"
    if not source.is_file() or (name in ON_A_PI and not machine.model):
        return None
    if name == BACK_OFF and not machine.backs_off:
        return None
    text = source.read_text(encoding="utf-8")
    if name != AVAHI:
        return text
    return _announced(hand, text) if hand.at("/etc/avahi").is_dir() else None


def _announced(hand: Hand, text: str) -> str:
    """Fill in table and port by the settings, whose mistakes the table tells when it opens."""
    try:
        told = tomllib.loads(hand.at(CONFIGURATION).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # not set up yet, or no TOML: the usual
        told = {}
    for mark, table, key, usual in (("@TABLE@", "table", "id", "table"), ("@PORT@", "page", "port", 8080)):
        keys = told.get(table)
        value = keys.get(key, usual) if isinstance(keys, dict) else usual
        text = text.replace(mark, escape(str(value)))
    return text


def _completions(hand: Hand, scripts: Path | None) -> None:
    """Let the Tab key complete the command in shells that look where programs of /usr/local put this.

    ``scripts`` are those of the version that is used from now on; None: it has none.
    """
    for shell, path in COMPLETIONS.items():
        if scripts is None:
            hand.remove(path)
        else:
            text = (scripts / f"hextraction.{shell}").read_text(encoding="utf-8")
            hand.put(path, text, why=f"completing the command in {shell}")


def _note(hand: Hand, path: str, names: set[str], *, why: str) -> None:
    """Add to the record of what we installed, for uninstalling."""
    noted = hand.at(path)
    earlier = noted.read_text(encoding="utf-8").split() if noted.is_file() else []
    if names:
        hand.put(path, "".join(f"{name}\n" for name in sorted({*earlier, *names})), why=why)


def _first_settings(hand: Hand, wishes: Wishes) -> None:
    """Write the settings of a build; existing ones stay, and without a build the first page asks for one."""
    if not wishes.build:
        return
    first = {
        CONFIGURATION: PROJECT / "systemd" / "hextraction.toml",
        f"{SETTINGS}/wiring.toml": PROJECT / "wiring" / f"{wishes.build}.toml",
    }
    for path, example in first.items():
        text = example.read_text(encoding="utf-8")
        if not hand.at(path).exists():
            hand.put(path, text, mode=0o640, why="writing the first settings")
        elif path.endswith("wiring.toml") and hand.at(path).read_text(encoding="utf-8") != text:
            hand.say(f"kept: {path}; to take {wishes.build} instead, move it away and install again")


def _check_settings(hand: Hand, program: str) -> None:
    """Let the program of a version that is not used yet read the settings.

    Raises:
        InstallError: they are wrong for it.
    """
    command = (program, "check", CONFIGURATION)
    unasked = hand.dry or not hand.at(CONFIGURATION).exists()
    status, said = (0, "") if unasked else hand.ask(*command)
    if status:
        raise InstallError(
            f"the settings are wrong for this version, so that the one before stays in use:\n{said.strip()}"
        )


def _own_settings(hand: Hand) -> None:
    if not hand.dry:
        hand.at(SETTINGS).mkdir(parents=True, exist_ok=True)
    hand.do("chown", "-R", "root:hextraction", SETTINGS, why="settings: only root may write them")
    hand.do("chmod", "0750", SETTINGS, why="settings: the service may read them")


def _club(hand: Hand, environment: str) -> None:
    """Set up the system's Mosquitto with dynamic security; the service gets the admin's password."""
    if hand.at(CLUB[1]).exists():
        return
    plugin = next(iter(sorted(hand.at("/usr/lib").glob("**/mosquitto_dynamic_security.so"))), None)
    if plugin is None and not hand.dry:
        raise InstallError(
            "want Mosquitto's dynamic-security plugin below /usr/lib, found none: reinstall mosquitto"
        )
    rules = (PROJECT / "systemd" / "hextraction-broker.conf").read_text(encoding="utf-8")
    where = "" if plugin is None else f"/{plugin.relative_to(hand.root)}"
    hand.put(CLUB[0], rules.replace("@PLUGIN@", where), why="the club's broker")
    secret = f"{SETTINGS}/broker.secret"
    make = (
        f"{environment}/bin/python3",
        "-m",
        "hextraction.controller.workshop.bring_up.club",
        CLUB[1],
        secret,
    )
    hand.do(*make, why="its administrator")
    hand.do("chown", "mosquitto:mosquitto", CLUB[1], why="the broker may change its users")
    hand.do("chgrp", "hextraction", secret, why="the table logs in with it")
    if hand.running:
        hand.do("systemctl", "restart", "mosquitto.service", why="restarting the broker")
    hand.say(f'now set in {SETTINGS}/hextraction.toml: [broker] host = "127.0.0.1", user = "controller", '
             'password_file = "broker.secret"')  # fmt: skip


def _asks(hand: Hand, wishes: Wishes) -> bool:
    """Whether the first page has to ask what was built."""
    return not wishes.build and not hand.at(CONFIGURATION).exists()


def _start(hand: Hand, *, asks: bool = False) -> None:
    """Let the table start now and at each boot; ``asks``: the first page comes before."""
    if hand.running:
        hand.do("systemctl", "daemon-reload", why="systemd reads the unit")
        hand.do("udevadm", "control", "--reload", why="udev reads the rules", may_fail=True)
        hand.do("udevadm", "trigger", "--subsystem-match=tty", why="a hub that is plugged in", may_fail=True)
    hand.do("systemctl", "enable", *UNITS, why="starting at each boot")
    if asks:
        if hand.running:
            hand.do("systemctl", "restart", UNITS[1], why="opening the first page")
        hand.say(f"the board is not set up yet: {_FIRST_PAGE}")
        return
    if hand.running and not hand.do(
        "systemctl", "restart", "hextraction.service", why="opening the table", may_fail=True
    ):
        raise InstallError(
            "the table did not open: journalctl -u hextraction -n 20 says why; "
            f"{_command('rollback')} takes the version before, if there is one"
        )

"""What the doctor asks of the computer: model, system, Python, program, games, user, time, disk, power."""

import re
import time

from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY
from hextraction.controller.games.registry import SHIPPED, broken_games, comes_from, kinds
from hextraction.controller.version import software
from hextraction.controller.workshop.bring_up.checkup.machine import Case, Finding, absent, ok, problem

__all__ = ["clock", "disk", "games", "model", "program", "python", "supply", "system", "user"]

_GROUPS = ("gpio", "spi", "i2c", "dialout")
_OLDEST_DEBIAN = 12
_ENOUGH_MB = 200
_NO_CLOCK_BEFORE = 2024
_THROTTLED = "/sys/devices/platform/soc/soc:firmware/get_throttled"
_SINCE_BOOT = 16
_FAULTS = {0: "the voltage is too low", 1: "the processor is slowed", 2: "throttled", 3: "it is hot"}


def model(case: Case) -> Finding:
    """Report the Raspberry Pi model, if it is one."""
    named = case.machine.model
    return ok(named) if named else absent("no Raspberry Pi: it has no pins; simulator, hub and phones work")


def system(case: Case) -> Finding:
    """Report the operating system."""
    words = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', case.machine.text("/etc/os-release"), re.MULTILINE))
    name, version = words.get("PRETTY_NAME", "unknown system"), words.get("VERSION_ID", "")
    is_debian = words.get("ID") in {"debian", "raspbian"}
    if is_debian and version.isdecimal() and int(version) < _OLDEST_DEBIAN:
        return problem(f"{name} is too old", "install Raspberry Pi OS Bookworm or Trixie")
    return ok(name)


def python(case: Case) -> Finding:
    """Report the Python version."""
    major, minor = case.machine.python
    if (major, minor) < (3, 11):
        return problem(f"Python {major}.{minor} is too old", "want 3.11: Raspberry Pi OS Bookworm or newer")
    return ok(f"Python {major}.{minor}")


def program(_case: Case) -> Finding:
    """Report our own version."""
    return ok(software())


def games(_case: Case) -> Finding:
    """Check whether the games, and the words for effects, that other packages add can be used."""
    broken = {**broken_games(), **VOCABULARY.broken()}
    if broken:
        what = "; ".join(broken.values())
        return problem(what, "fix or remove that package; the rest is not affected")
    added = [f", {kind} ({origin})" for kind in kinds() if (origin := comes_from(kind))]
    added += [f", the effect {word} ({origin})" for word, origin in VOCABULARY.added().items()]
    return ok(f"the {len(SHIPPED)} that come with the board{''.join(added)}")


def user(case: Case) -> Finding:
    """Check whether the service's user may open the board's devices."""
    machine = case.machine
    if not re.search(r"^hextraction:", machine.text("/etc/passwd"), re.MULTILINE):
        return absent("not installed as a service: there is no user hextraction")
    groups = dict(re.findall(r"^(\w+):[^:]*:\d*:(.*)$", machine.text("/etc/group"), re.MULTILINE))
    missing = [name for name in _GROUPS if "hextraction" not in groups.get(name, "").split(",")]
    if missing:
        return problem(
            f"user hextraction is not in {', '.join(missing)}",
            f"sudo usermod --append --groups {','.join(missing)} hextraction",
        )
    return ok(f"user hextraction is in {', '.join(_GROUPS)}")


def clock(case: Case) -> Finding:
    """Check whether the wall clock can be trusted; games themselves do not need it."""
    machine = case.machine
    status, said = machine.run(("timedatectl", "show", "--property=NTPSynchronized", "--value"))
    is_set = machine.at("/run/systemd/timesync/synchronized").exists() or (status == 0 and said == "yes")
    if is_set:
        return ok("set by the network")
    if time.gmtime().tm_year < _NO_CLOCK_BEFORE:
        return problem(
            "the clock is years behind", "connect to the network once, or: sudo timedatectl set-time"
        )
    return absent("not set by the network; games do not need it, only dates in logs and journal may be off")


def disk(case: Case) -> Finding:
    """Check whether there is disk space for games."""
    folder = case.config.journal.absolute().parent
    while not case.machine.at(str(folder)).is_dir() and folder != folder.parent:
        folder = folder.parent
    free_mb = case.machine.free_bytes(case.machine.at(str(folder))) // 1_000_000
    if free_mb < _ENOUGH_MB:
        return problem(
            f"{free_mb} MB free in {folder}", f"free {_ENOUGH_MB} MB: sudo apt-get clean, old files"
        )
    return ok(f"{free_mb} MB free in {folder}")


def supply(case: Case) -> Finding:
    """Check whether the Pi's own supply is strong enough, now and since it was switched on."""
    said = case.machine.text(_THROTTLED) or _firmware_says(case)
    if not re.fullmatch(r"(0x)?[0-9a-f]+", said):
        return absent("this computer does not tell")
    bits = int(said, 16)
    now = [words for bit, words in _FAULTS.items() if bits >> bit & 1]
    before = [words for bit, words in _FAULTS.items() if bits >> bit + _SINCE_BOOT & 1]
    if now:
        return problem(f"now: {', '.join(now)}", _power_remedy(bits))
    if before:
        return problem(f"since it was switched on: {', '.join(before)}", _power_remedy(bits >> _SINCE_BOOT))
    return ok("strong and cool enough")


def _firmware_says(case: Case) -> str:
    status, said = case.machine.run(("vcgencmd", "get_throttled"))
    return said.removeprefix("throttled=") if status == 0 else ""


def _power_remedy(bits: int) -> str:
    if bits & 1:
        return (
            "use the supply made for this model and a short thick cable; feed lamps and coils from their own"
        )
    return "give it air, or a heat sink"

"""What the installer knows about the machine, and what follows from it. Pure, apart from reading files."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["MARK_BEGIN", "MARK_END", "Machine", "boot_text", "pin_library_faults", "read_machine"]

MARK_BEGIN = "# hextraction begin: made by `make install`, removed by `make uninstall`"
MARK_END = "# hextraction end"
_FIVES = ("Raspberry Pi 5", "Raspberry Pi 500", "Raspberry Pi Compute Module 5")
_SYSTEMD = ("usr/lib/*/systemd", "usr/lib/systemd")
_BACK_OFF_SINCE = 254
_BOOT_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
_SPI_CLOCKS = {
    "Raspberry Pi Zero": "core_freq=250",
    "Raspberry Pi 3": "core_freq=250",
    "Raspberry Pi Compute Module 3": "core_freq=250",
    "Raspberry Pi 4": "core_freq_min=500",
    "Raspberry Pi Compute Module 4": "core_freq_min=500",
}
"""The clock of SPI follows that of the core, which a Pi changes as it likes: lamps on SPI flicker then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The target: ``model`` is empty except on a Raspberry Pi; ``boot_file`` is its config.txt, if any.

    ``systemd`` is the version of its systemd, 0 if unknown.
    """

    model: str
    boot_file: str | None
    systemd: int = 0

    @property
    def backs_off(self) -> bool:
        """Whether its systemd supports a growing restart delay; an older one complains about the keys."""
        return self.systemd >= _BACK_OFF_SINCE

    @property
    def extra(self) -> str:
        """The package extra for this model: ``pi``, ``pi5``, or none."""
        if not self.model:
            return ""
        return "pi5" if self.model.startswith(_FIVES) else "pi"

    @property
    def packages(self) -> tuple[str, ...]:
        """The Debian packages that are required."""
        tools = ("gcc", "libc6-dev", "python3-dev") if self.extra else ()
        return ("python3-venv", "mosquitto", *tools)

    @property
    def wished_packages(self) -> tuple[str, ...]:
        """Optional packages, not in every archive: lgpio is in Raspberry Pi's own, not in Debian's."""
        return ("avahi-daemon", "python3-lgpio", "python3-spidev") if self.extra else ()


def read_machine(root: Path, model: str = "") -> Machine:
    """Inspect a machine, or a folder that will become one: that cannot say its model, so it is given."""
    named = root / "proc/device-tree/model"
    if not model and named.is_file():
        model = named.read_text(encoding="utf-8", errors="replace").strip("\0 \n")
    boot_file = next((path for path in _BOOT_FILES if (root / path.lstrip("/")).is_file()), None)
    return Machine(
        model=model if model.startswith("Raspberry Pi") else "",
        boot_file=boot_file,
        systemd=_systemd_of(root),
    )


def _systemd_of(root: Path) -> int:
    """Read the version from a library's file name: an image's systemd cannot be run."""
    found = [path.name for folder in _SYSTEMD for path in root.glob(f"{folder}/libsystemd-shared-*.so")]
    versions = [re.match(r"libsystemd-shared-(\d+)", name) for name in found]
    return max((int(version[1]) for version in versions if version), default=0)


def boot_text(before: str, machine: Machine | None) -> str:
    """Return config.txt with our lines for this machine replacing earlier ones; None: without our lines."""
    kept, ours = [], False
    for line in before.splitlines():
        if line == MARK_BEGIN:
            ours = True
        elif line == MARK_END and ours:
            ours = False
        elif not ours:
            kept.append(line)
    while kept and not kept[-1].strip():
        kept.pop()
    if machine is None:
        return "".join(f"{line}\n" for line in kept)
    return "".join(f"{line}\n" for line in (*kept, "", MARK_BEGIN, *_boot_lines(machine), MARK_END))


def _boot_lines(machine: Machine) -> tuple[str, ...]:
    """Return lines for SPI (lamps), I2C (expanders), the shutdown button; ``[all]`` ends earlier sections.

    ``strict_gpiod`` makes a pin an input again when its process ends, so that a killed one drives no coil.
    """
    clock = tuple(line for model, line in _SPI_CLOCKS.items() if machine.model.startswith(model))
    strict = () if machine.model.startswith(_FIVES) else ("dtparam=strict_gpiod",)
    button = "dtoverlay=gpio-shutdown,gpio_pin=26,active_low=1,gpio_pull=up,debounce=100"
    return ("[all]", "dtparam=spi=on", "dtparam=i2c_arm=on", *strict, *clock, button)


def pin_library_faults(installed: Mapping[str, str]) -> tuple[str, ...]:
    """Return the packages to remove from the environment; ``installed`` has versions by lower-case name.

    lgpio 0.0 is an empty package that pip installs on Python 3.13, and hides the system's real one.
    RPi.GPIO and rpi-lgpio both provide the module ``RPi``: the latter works on every model, so it stays.
    """
    stub = ("lgpio",) if installed.get("lgpio", "").startswith("0.0.") else ()
    both = ("RPi.GPIO",) if {"rpi.gpio", "rpi-lgpio"} <= set(installed) else ()
    return (*stub, *both)

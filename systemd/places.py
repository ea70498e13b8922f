"""Where everything goes on the machine: the list that installing and uninstalling share."""

from pathlib import Path
from typing import Final

__all__ = [
    "AVAHI", "BACK_OFF", "BY_MACHINE", "CLUB", "COMMAND", "COMPLETIONS", "CONFIGURATION", "FILES", "GAMES",
    "GROUPS", "HOME", "HOTSPOT", "ON_A_PI", "PACKAGE", "PACKAGED_COMMAND", "PACKAGED_GROUPS", "PACKAGES",
    "PROGRAM", "PROJECT", "SETTINGS", "SOURCE", "UNITS", "VENV", "of_package",
]  # fmt: skip

PROJECT: Final = Path(__file__).resolve().parent.parent
HOME: Final = "/opt/hextraction"
VENV: Final = f"{HOME}/venv"
SOURCE: Final = f"{HOME}/source"
PROGRAM: Final = f"{VENV}/bin/hextraction"
COMMAND: Final = "/usr/local/bin/hextraction"
PACKAGES: Final = f"{HOME}/packages"
GROUPS: Final = f"{HOME}/groups"
SETTINGS: Final = "/etc/hextraction"
CONFIGURATION: Final = f"{SETTINGS}/hextraction.toml"
"""With it the board is set up; without it the first page asks."""
GAMES: Final = "/var/lib/hextraction"
CLUB: Final = ("/etc/mosquitto/conf.d/hextraction.conf", "/var/lib/mosquitto/hextraction-security.json")
HOTSPOT: Final = "/etc/NetworkManager/system-connections/hextraction-hotspot.nmconnection"
PACKAGE: Final = "/usr/lib/hextraction"
PACKAGED_COMMAND: Final = "/usr/bin/hextraction"
PACKAGED_GROUPS: Final = "/var/lib/misc/hextraction.groups"
"""Where the Debian package has its environment, its command, and which groups came with it."""
AVAHI: Final = "hextraction.avahi"
BACK_OFF: Final = "hextraction.service.d/10-back-off.conf"
FILES: Final = {
    "hextraction.service": "/etc/systemd/system/hextraction.service",
    "hextraction-setup.service": "/etc/systemd/system/hextraction-setup.service",
    BACK_OFF: "/etc/systemd/system/hextraction.service.d/10-back-off.conf",
    "hextraction.sysusers": "/etc/sysusers.d/hextraction.conf",
    "60-hextraction.rules": "/etc/udev/rules.d/60-hextraction.rules",
    AVAHI: "/etc/avahi/services/hextraction.service",
    "hextraction-logind.conf": "/etc/systemd/logind.conf.d/hextraction.conf",
    "hextraction-spidev.conf": "/etc/modprobe.d/hextraction.conf",
    "hextraction-wifi.conf": "/etc/NetworkManager/conf.d/hextraction.conf",
}
UNITS: Final = ("hextraction.service", "hextraction-setup.service")
"""The table, and what stands in for it until the board is set up."""
COMPLETIONS: Final = {
    "bash": "/usr/local/share/bash-completion/completions/hextraction",
    "zsh": "/usr/local/share/zsh/site-functions/_hextraction",
    "fish": "/etc/fish/completions/hextraction.fish",
}
"""Where shells look for what completes a command of /usr/local; `hextraction completion` prints it."""
ON_A_PI: Final = frozenset({"hextraction-logind.conf", "hextraction-spidev.conf", "hextraction-wifi.conf"})
BY_MACHINE: Final = ON_A_PI | {AVAHI, BACK_OFF}
"""Which of them there are, or what is in them, depends on the machine: no package can carry them."""


def of_package(path: str) -> str:
    """Return where a package has a file that an installation by hand puts into ``/etc``."""
    return path.replace("/etc/", "/usr/lib/", 1)

"""Where everything goes on the machine: the list that installing and uninstalling share."""

from pathlib import Path
from typing import Final

__all__ = [
    "BACK_OFF", "CLUB", "COMMAND", "COMPLETIONS", "CONFIGURATION", "FILES", "GAMES", "GROUPS", "HOME",
    "HOTSPOT", "ON_A_PI", "PACKAGES", "PROGRAM", "PROJECT", "SETTINGS", "SOURCE", "UNITS", "VENV",
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
BACK_OFF: Final = "hextraction.service.d/10-back-off.conf"
FILES: Final = {
    "hextraction.service": "/etc/systemd/system/hextraction.service",
    "hextraction-setup.service": "/etc/systemd/system/hextraction-setup.service",
    BACK_OFF: "/etc/systemd/system/hextraction.service.d/10-back-off.conf",
    "hextraction.sysusers": "/etc/sysusers.d/hextraction.conf",
    "60-hextraction.rules": "/etc/udev/rules.d/60-hextraction.rules",
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

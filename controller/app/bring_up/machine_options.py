"""The options of the commands that look after the machine below a board: ``doctor`` and ``hotspot``."""

import argparse
import re
from pathlib import Path

__all__ = ["add_commands"]


def add_commands(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> dict[str, argparse.ArgumentParser]:
    """Add both commands; return their parsers by name."""
    doctor = commands.add_parser(
        "doctor",
        help="look at everything a board needs, and say what to do",
        description="One line each: ok, a PROBLEM and what to do, or - for what is not there. "
        "Status 1: there is a problem.",
    )
    _add_config(doctor)
    doctor.add_argument("--json", action="store_true", help="for programs")
    hotspot = commands.add_parser(
        "hotspot",
        help="make the Pi its own Wi-Fi, and back",
        description="Away from home: phones join the Pi itself. Needs root and NetworkManager "
        "(docs/install.md).",
    )
    hotspot.add_argument("what", choices=("on", "off", "status"))
    hotspot.add_argument(
        "--name", type=_ssid, default=None, metavar="SSID", help="default: hextraction-TABLE"
    )
    hotspot.add_argument("--always", action="store_true", help="also at boot, where no known network is")
    _add_config(hotspot)
    return {"doctor": doctor, "hotspot": hotspot}


def _add_config(parser: argparse.ArgumentParser) -> None:
    told = "default: that of the installed service"
    parser.add_argument("--config", type=Path, default=None, metavar="FILE", help=told)


def _ssid(text: str) -> str:
    """Return a network's name that people and NetworkManager's files can hold."""
    if not re.fullmatch(r"[A-Za-z0-9._-][A-Za-z0-9 ._-]{0,31}", text):
        raise argparse.ArgumentTypeError(f"want 1 to 32 of letters, digits, space and . _ -, found {text!r}")
    return text

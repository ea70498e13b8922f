"""``make install``, ``upgrade``, ``rollback``, ``uninstall``: the board as a service of Raspberry Pi OS.

Needs only the system's own Python. ``--dry-run`` prints what would be done; ``--root FOLDER`` prepares an
image instead of this machine. Exit status 2: there were problems, and all of them are printed.
"""
# ruff: noqa: T201 - a program for the terminal

import argparse
import sys
from pathlib import Path
from typing import Final

from .hand import Hand, InstallError
from .steps import Wishes, announce, fit, install, is_packaged, rollback, set_up
from .undo import unfit, uninstall

__all__ = ["main", "run"]

_INSTALLED: Final = (
    "installed. Look: hextraction doctor; systemctl status hextraction; journalctl -u hextraction -f\n"
)
_REBOOT: Final = "the boot configuration has changed: sudo reboot\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    return run(_parser().parse_args(arguments))


def run(options: argparse.Namespace) -> int:
    """Do what the options say (``what``, ``build``, ``club``, …); return the exit status."""
    hand = Hand(root=options.root.absolute(), dry=options.dry_run)
    try:
        told = _do(hand, options)
    except InstallError as error:
        for line in str(error).splitlines():
            print(f"install: {line}", file=sys.stderr)
        return 2
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(
            f"install: {where}{error.strerror or error}; want a folder that can be written, as root",
            file=sys.stderr,
        )
        return 2
    if options.dry_run and options.what != "uninstall":
        print("nothing was changed")
    else:
        print(told, end="")
    return 0


def _do(hand: Hand, options: argparse.Namespace) -> str:
    """Do what is asked for; return what to say of it."""
    if options.what == "fit":
        return _REBOOT if fit(hand) else ""
    if options.what == "announce":
        announce(hand)
        return ""
    if options.what == "unfit":
        unfit(hand)
        return ""
    if is_packaged() and options.what != "install":
        raise InstallError(
            "this program came as a Debian package: apt upgrades it (sudo apt install ./FILE.deb) and takes "
            "it away (sudo apt remove hextraction; purge: games and settings, too)"
        )
    if options.what == "uninstall":
        uninstall(hand, purge=options.purge or _asked_to_purge(options))
        return ""
    if options.what == "rollback":
        rollback(hand)
        return "the version before is in use; another rollback comes back\n"
    wishes = Wishes(build=options.build, club=options.club, model=options.model)
    anew = set_up(hand, wishes) if is_packaged() else install(hand, wishes)
    if not hand.here:
        return "the image is prepared: the table, or without a build the first page, opens when it boots\n"
    return _INSTALLED + (_REBOOT if anew else "")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Installs the board's controller as a service.")
    parser.add_argument(
        "what",
        choices=("install", "upgrade", "rollback", "uninstall", "fit", "unfit", "announce"),
        help="fit and unfit: for the scripts of the Debian package; announce: for each start of the table",
    )
    parser.add_argument(
        "--build",
        default="",
        metavar="NAME",
        help="the wiring that was built (wiring/NAME.toml); without it the first page asks",
    )
    parser.add_argument("--club", action="store_true", help="also set up Mosquitto as a club's broker")
    parser.add_argument("--purge", action="store_true", help="when uninstalling: games and settings, too")
    parser.add_argument("--root", type=Path, default=Path("/"), metavar="FOLDER", help="prepare an image")
    parser.add_argument(
        "--model",
        default="",
        metavar="NAME",
        help="the Raspberry Pi that the image is for, such as 'Raspberry Pi 4'",
    )
    parser.add_argument("--dry-run", action="store_true", help="print what would be done, but change nothing")
    return parser


def _asked_to_purge(options: argparse.Namespace) -> bool:
    """Ask before deleting games; if nobody can answer, keep them."""
    if options.dry_run or not sys.stdin.isatty():
        return False
    return input("Remove all games and settings, too? Type yes: ").strip() == "yes"


if __name__ == "__main__":
    sys.exit(main())

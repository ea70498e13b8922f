"""What ``hextraction hub`` can be told."""

import argparse
from pathlib import Path

__all__ = ["add_commands"]


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> argparse.ArgumentParser:
    """Add ``hub`` to the command line; ``hub.run`` does it."""
    parser = commands.add_parser("hub", help="ask the sensor hub how it is, or give it new firmware")
    doing = parser.add_subparsers(dest="doing", metavar="WHAT", required=True)
    info = doing.add_parser("info", help="its version, its state and its counters")
    log = doing.add_parser("log", help="show what it reports, as it comes")
    log.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for how long (default 60)")
    flash = doing.add_parser("flash", help="put firmware on it: the one of this release, or another")
    flash.add_argument("file", nargs="?", type=Path, default=None, metavar="FILE", help="a .uf2 image")
    flash.add_argument("--disk", type=Path, default=None, metavar="DIR", help="where RPI-RP2 is mounted")
    for each in (info, log, flash):
        each.add_argument("--port", default="auto", metavar="PORT", help="default: the only hub there is")
    return parser

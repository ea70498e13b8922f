"""Command-line options of the commands that bring up a board: template, check-board, calibrate."""

import argparse
import re
from pathlib import Path

from hextraction.controller.app.options.commands import Commands, add_json
from hextraction.controller.app.options.play import port_problems

__all__ = ["add_commands", "add_hub", "add_machine", "add_service", "add_setup"]

_SETS = ("starter", "basic", "lean", "rich")


def add_commands(
    commands: Commands,
) -> dict[str, argparse.ArgumentParser]:
    """Add the commands; return their parsers by the module that runs each."""
    return {
        "template": _template(commands),
        "check_board": _check_board(commands),
        "calibrating.calibrate": _calibrate(commands),
    }


def _template(commands: Commands) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "template",
        help="draw a drilling and mounting template of a board, full size",
        description="Writes an SVG in millimetres, to be printed at 100 % (docs/build.md).",
    )
    parser.add_argument("board", nargs="?", default="standard-22", metavar="BOARD", help="board profile")
    parser.add_argument("--sensors", choices=_SETS, default="lean", help="which sensors (default lean)")
    parser.add_argument(
        "--out", type=Path, default=None, metavar="FILE", help="default: standard output; with --a4 a folder"
    )
    parser.add_argument("--a4", action="store_true", help="cut into A4 pages that are glued together")
    parser.set_defaults(problems=_template_problems)
    return parser


def _template_problems(options: argparse.Namespace) -> list[str]:
    found = _board_problems(options)
    if options.a4 and options.out is None:
        found.append("--a4: want --out FOLDER for the pages")
    return found


def _check_board(commands: Commands) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "check-board",
        help="walk through a board: try every sensor, lamp and coil",
        description="A guided walk on terminal and phones that ends with a report (docs/build.md).",
    )
    parser.add_argument("--config", type=Path, default=None, metavar="FILE", help="the board's configuration")
    parser.add_argument("--starter", action="store_true", help="the starter, on this computer's USB")
    parser.add_argument("--simulated", action="store_true", help="try the walk without hardware")
    parser.add_argument(
        "--build",
        default="",
        metavar="BUILD",
        help="with --simulated: this build's wiring: kit-lean, or a file",
    )
    parser.add_argument("--board", default="standard-22", metavar="NAME", help="with --simulated: its board")
    parser.add_argument("--sensors", choices=_SETS, default="lean", help="with --simulated: its sensors")
    parser.add_argument(
        "--dead",
        action="append",
        default=[],
        metavar="NAME",
        help="with --simulated: this sensor or lamp, or with --build this circuit board, does not work",
    )
    parser.add_argument("--pace", type=float, default=1.0, metavar="S",
                        help="with --simulated: seconds before each step (default 1)")  # fmt: skip
    parser.add_argument(
        "--only", action="append", default=[], metavar="WORD", help="only names that begin so: tile, coil:"
    )
    parser.add_argument(
        "--report", type=Path, default=Path("board-check.json"), metavar="FILE", help="where it is kept"
    )
    parser.add_argument("--resume", action="store_true", help="pass over what the report calls ok")
    parser.add_argument("--no-page", action="store_true", help="on the terminal only")
    parser.add_argument("--port", type=int, default=None, help="port of the page (default 8080)")
    parser.set_defaults(problems=_check_problems)
    return parser


def _check_problems(options: argparse.Namespace) -> list[str]:
    found = _board_problems(options)
    if sum((options.simulated, options.starter, options.config is not None)) != 1:
        found.append("want one of --config FILE, --starter and --simulated")
    if not 0 <= options.pace <= 60:
        found.append(f"--pace: want 0 to 60, found {options.pace:g}")
    return found + _build_problems(options) + port_problems(options)


def _build_problems(options: argparse.Namespace) -> list[str]:
    from hextraction.controller.workshop.plans.build import SHIPPED, build_file  # noqa: PLC0415 - big

    if not options.build:
        return []
    if not options.simulated:
        return ["--build: want it beside --simulated; a real board is named by --config"]
    if build_file(options.build).is_file():
        return []
    names = ", ".join(sorted(path.stem for path in SHIPPED.glob("*.toml")))
    return [f"--build: want one of {names}, or a wiring file, found {options.build!r}"]


def _calibrate(commands: Commands) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "calibrate",
        help="propose debounce times and thresholds from what sensors really say",
        description="Reads traces (hextraction record) and, with --live, raw values of the hub; "
        "prints a diff of the wiring file, and writes it only with --write (docs/build.md).",
    )
    parser.add_argument("wiring", type=Path, metavar="WIRING", help="the wiring file to improve")
    parser.add_argument("traces", nargs="*", type=Path, metavar="TRACE", help="rolls that were recorded")
    parser.add_argument(
        "--raw", type=Path, default=None, metavar="FILE", help="raw values, as --live kept them"
    )
    parser.add_argument("--live", action="store_true", help="ask the hub for raw values of its linear Halls")
    parser.add_argument("--write", action="store_true", help="change the file (its comments stay)")
    add_json(parser)
    parser.set_defaults(problems=_calibrate_problems)
    return parser


def _calibrate_problems(options: argparse.Namespace) -> list[str]:
    if options.traces or options.live or options.raw is not None:
        return []
    return ["want a TRACE, --raw FILE or --live: there is nothing to learn from"]


def _board_problems(options: argparse.Namespace) -> list[str]:
    from hextraction.board.profile import board_names  # noqa: PLC0415 - not for --help

    known = board_names()
    return [] if options.board in known else [f"want a board of {', '.join(known)}, found {options.board}"]


# --- hub ---


def add_hub(commands: Commands) -> argparse.ArgumentParser:
    """Add ``hub`` to the command line; ``hub.run`` runs it."""
    parser = commands.add_parser("hub", help="ask the sensor hub how it is, or give it new firmware")
    doing = parser.add_subparsers(dest="doing", metavar="WHAT", required=True, help="what to do with it")
    info = doing.add_parser("info", help="its version, its state and its counters")
    log = doing.add_parser("log", help="show what it reports, as it comes")
    log.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for how long (default 60)")
    flash = doing.add_parser("flash", help="put firmware on it: the one of this release, or another")
    flash.add_argument("file", nargs="?", type=Path, default=None, metavar="FILE", help="a .uf2 image")
    flash.add_argument("--disk", type=Path, default=None, metavar="DIR", help="where RPI-RP2 is mounted")
    add_json(info)
    for each in (info, log, flash):
        each.add_argument(
            "--port",
            default="auto",
            metavar="PORT",
            help="a device, or a serial number; default: the only hub there is, and for info every one",
        )
    return parser


# --- doctor, hotspot and service ---


def add_machine(
    commands: Commands,
) -> dict[str, argparse.ArgumentParser]:
    """Add both commands; return their parsers by the module that runs each."""
    doctor = commands.add_parser(
        "doctor",
        help="look at everything a board needs, and say what to do",
        description="One line each: ok, a PROBLEM and what to do, or - for what is not there. "
        "Status 1: there is a problem.",
    )
    _add_config(doctor)
    add_json(doctor)
    hotspot = commands.add_parser(
        "hotspot",
        help="make the Pi its own Wi-Fi, and back",
        description="Away from home: phones join the Pi itself. Needs root and NetworkManager "
        "(docs/install.md).",
    )
    hotspot.add_argument(
        "what", choices=("on", "off", "status"), help="make it, take it down, or say which it is"
    )
    hotspot.add_argument(
        "--name", type=_ssid, default=None, metavar="SSID", help="default: hextraction-TABLE"
    )
    hotspot.add_argument("--always", action="store_true", help="also at boot, where no known network is")
    _add_config(hotspot)
    add_json(hotspot)
    return {"checkup.doctor": doctor, "hotspot": hotspot}


def add_setup(commands: Commands) -> argparse.ArgumentParser:
    """Add ``setup``: the first page."""
    parser = commands.add_parser(
        "setup",
        help="say on your phone what you built, and have the settings written",
        description="Serves a page on which people choose build, name and code, and writes the settings "
        "(docs/install.md).",
    )
    parser.add_argument(
        "--folder", type=Path, default=None, metavar="FOLDER", help="for the settings (default: here)"
    )
    parser.add_argument("--port", type=int, default=8080, help="port of the page, and later of the table")
    parser.add_argument(
        "--service", action="store_true", help="on a Pi's first start: as root, into /etc/hextraction"
    )
    parser.set_defaults(problems=port_problems)
    return parser


def add_service(commands: Commands) -> tuple[argparse.ArgumentParser, ...]:
    """Add ``install``, ``rollback`` and ``uninstall``: the installer, for whoever has the wheel."""
    install = commands.add_parser(
        "install",
        help="run the board as a service of this machine; again: upgrade it",
        description="Makes this version the service of this machine, which opens the table at each start; "
        "the one before is kept. Needs root and Debian 12 or newer (docs/install.md).",
    )
    rollback = commands.add_parser("rollback", help="let the service use the version before again")
    uninstall = commands.add_parser(
        "uninstall", help="take the service away; games and settings stay unless --purge"
    )
    install.add_argument(
        "--build", default="", metavar="NAME",
        help="the wiring that was built: hub-lean, …; without it the board asks on its first page",
    )  # fmt: skip
    install.add_argument("--club", action="store_true", help="also set up Mosquitto as a club's broker")
    install.add_argument("--model", default="", metavar="NAME", help="of an image: such as 'Raspberry Pi 4'")
    uninstall.add_argument("--purge", action="store_true", help="games and settings, too")
    for what, parser in (("install", install), ("rollback", rollback), ("uninstall", uninstall)):
        parser.add_argument(
            "--root", type=Path, default=Path("/"), metavar="FOLDER", help="an image instead of this machine"
        )
        parser.add_argument("--dry-run", action="store_true", help="say every step, and do none")
        parser.set_defaults(what=what)
    return install, rollback, uninstall


def _add_config(parser: argparse.ArgumentParser) -> None:
    told = "default: that of the installed service"
    parser.add_argument("--config", type=Path, default=None, metavar="FILE", help=told)


def _ssid(text: str) -> str:
    """Return a network name that is safe for people and for NetworkManager's files."""
    if not re.fullmatch(r"[A-Za-z0-9._-](?:[A-Za-z0-9 ._-]{0,30}[A-Za-z0-9._-])?", text):
        raise argparse.ArgumentTypeError(
            f"want 1 to 32 of letters, digits, . _ - and space between them, found {text!r}"
        )
    return text

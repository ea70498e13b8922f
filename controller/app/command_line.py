"""The command line: ``hextraction COMMAND``. A user's mistake ends with status 2 and a sentence.

A device that is missing ends with status 1 and a sentence; what may pass by itself (a port that is taken, an
address that is not there yet, a full or failing disk) with 75, EX_TEMPFAIL of ``sysexits.h``. The service is
started again after all but 2.
"""

import argparse
import contextlib
import errno
import functools
import gc
import importlib.util
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from hextraction.controller.app.options.commands import Commands, Parser, add_json, meant, named, unknown
from hextraction.controller.app.options.wrong_files import (
    ARCHIVE,
    GAME,
    JOURNAL,
    SCENARIO,
    TOML,
    TRACE,
    add_force,
    in_the_way,
    wrong_files,
)

__all__ = ["command_parser", "main"]

_EXTRAS = {
    "numpy": "sim",
    "pymunk": "sim",
    "shapely": "sim",
    "matplotlib": "study",
    "prometheus_client": "metrics",
    "motmetrics": "study",
    "scipy": "models",
    "trimesh": "models",
}
"""Which extra brings a module that not every installation needs."""
_MAY_PASS = 75
_INTERRUPTED = 130
_PASSING = frozenset(
    {
        errno.EADDRINUSE,
        errno.EADDRNOTAVAIL,
        errno.EDQUOT,
        errno.EIO,
        errno.EMFILE,
        errno.ENOMEM,
        errno.ENOSPC,
        errno.EROFS,
    }
)

_DESCRIPTION = (
    "Runs a powered Hextraction board: sensors, lamps and gates, the rules, and the players' phones."
)
_NO_UNIX = (
    "this program needs Linux or macOS. On Windows, install WSL2 (`wsl --install` in PowerShell) and do in "
    "it what the guide says for Linux: demo, run --no-electronics and all that needs no Raspberry Pi work"
)
_EPILOG = """try it without any hardware:
  hextraction demo                          three bots play; watch or join on any phone
  hextraction run --no-electronics          host an ordinary, unpowered board
"""


def main(arguments: Sequence[str] | None = None, **parts: object) -> int:
    """Run a command; return its exit status.

    ``parts`` are handed to the command as they are: what it shall use in the place of the machine it runs on.
    """
    if "JOURNAL_STREAM" in os.environ:
        from hextraction.controller.logs import mark_errors  # noqa: PLC0415 - for a service only

        mark_errors()
    try:
        return _main(arguments, parts)
    except KeyboardInterrupt:
        return _INTERRUPTED


def _main(arguments: Sequence[str] | None, parts: Mapping[str, object]) -> int:
    with _interrupts_end_at_once():
        parser, commands = command_parser()
        words = sys.argv[1:] if arguments is None else list(arguments)
        if words and not words[0].startswith("-") and words[0] not in commands.parsers:
            told = meant(words[0], commands.parsers) or "; `hextraction --help` lists them"
            parser.error(f"there is no command {words[0]}{told}")
        options, left = parser.parse_known_args(words)
        if left:
            asked = named(parser, words)
            asked.error(unknown(asked, left))
        if options.command is None:
            parser.print_help()
            return 2
        if importlib.util.find_spec("fcntl") is None:
            _complain(options, _NO_UNIX)
            return 2
        problems = _problems(options)
    for problem in problems:
        _complain(options, problem)
    if problems:
        return 2
    return _run(options, parts)


def _problems(options: argparse.Namespace) -> list[str]:
    """Return what is plainly wrong with what was asked, before anything is done."""
    try:
        asked = options.problems(options) if options.problems is not None else []
        return [*wrong_files(options), *in_the_way(options), *asked]
    except OSError as error:  # a name that is none, such as a whole text
        return [f"{error.filename}: {error.strerror}"]


def _run(options: argparse.Namespace, parts: Mapping[str, object]) -> int:
    with _interrupts_end_at_once():
        from hextraction.controller.games.registry import UnknownGameError  # noqa: PLC0415 - as above
        from hextraction.controller.play.journal import (  # noqa: PLC0415 - not for --help
            JournalAwayError,
            JournalError,
            JournalLostError,
        )
        from hextraction.hal.errors import HalError  # noqa: PLC0415
        from hextraction.settings import SettingsError  # noqa: PLC0415

    try:
        return int(options.run(options, **parts))
    except SettingsError as error:
        count = f"{len(error.problems)} problem{'s' if len(error.problems) != 1 else ''}"
        print(error, file=sys.stderr)
        _complain(options, f"{count}; fix the above and try again")
    except (JournalLostError, HalError) as error:
        # Not a user's mistake: the service is restarted, and the device may be there by then.
        _complain(options, error)
        return 1
    except JournalAwayError as error:
        _complain(options, error)
        return _MAY_PASS
    except (JournalError, UnknownGameError) as error:
        _complain(options, error)
    except BrokenPipeError:
        return _without_reader()
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise  # a module of ours, or of somebody's game: a bug, and it shall look like one
        from hextraction.controller.version import how_to_install  # noqa: PLC0415 - only here

        told = f"this needs {error.name}, which is not installed: {how_to_install(extra)}"
        _complain(options, told)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _complain(options, f"{where}{error.strerror or error}")
        return _MAY_PASS if error.errno in _PASSING else 2
    return 2


def _complain(options: argparse.Namespace, why: object) -> None:
    """Say on standard error which command is not content, and why."""
    from hextraction.controller.workshop.terminal import Ink  # noqa: PLC0415 - not for --help

    print(f"{Ink(options, sys.stderr).bad(f'hextraction {options.command}')}: {why}", file=sys.stderr)


@contextlib.contextmanager
def _interrupts_end_at_once() -> Iterator[None]:
    """Let Ctrl-C end the process as it ends any program: there is nothing to put away while modules load.

    A ``KeyboardInterrupt`` in the middle of an import ends in a traceback, or in an error of that module.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _nothing_collected() -> Iterator[None]:
    """Let the garbage collector rest while modules load: what they make stays, and a round takes long."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _without_reader() -> int:
    """The reader of our output has gone (``| head``): end quietly, without flushing at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _lazy(module: str, function: str) -> Callable[..., int]:
    """Import a command only when it runs, so that ``--help`` and small commands stay fast."""

    def run(options: argparse.Namespace, **parts: object) -> int:
        with _interrupts_end_at_once(), _nothing_collected():
            command: Callable[..., int] = getattr(importlib.import_module(module), function)
        return command(options, **parts)

    return run


@functools.cache
def command_parser() -> tuple[argparse.ArgumentParser, Commands]:
    """Return the parser of the whole command line, and its commands: built once, as that takes a while."""
    parser = Parser(
        prog="hextraction", description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action=_Version, help="show the program's version and exit")
    parser.set_defaults(problems=None, wants={"config": TOML, "journal": JOURNAL}, writes="")
    commands = Commands(parser)
    _add_tables(commands)
    _add_study(commands)
    _add_perft(commands)
    _add_files(commands)
    _add_past_games(commands)
    _add_keeping(commands)
    _add_lookups(commands)
    _add_completion(commands)
    _add_evaluation(commands)
    _add_bring_up(commands)
    parser.epilog = f"{commands.listed}\n{_EPILOG}"
    return parser, commands


class _Version(argparse.Action):
    """Looks up the version only on request: that takes longer than all the rest of ``--help``."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:  # noqa: A002
        super().__init__(option_strings, dest=dest, nargs=0, help=help)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        _namespace: argparse.Namespace,
        _values: object,
        _option: str | None = None,
    ) -> None:
        from hextraction.controller.version import software  # noqa: PLC0415 - only here

        print(software())
        parser.exit()


_APP = "hextraction.controller.app"
_WORKSHOP = "hextraction.controller.workshop"


def _add_tables(commands: Commands) -> None:
    from hextraction.controller.app.options import play  # noqa: PLC0415 - argument tables only

    demo = commands.add_parser(
        "demo",
        help="play on a simulated board, with bots",
        description="Bots play on a simulated board; anybody on your network can watch or take a seat.",
    )
    play.demo(demo)
    demo.set_defaults(run=_lazy(f"{_APP}.demo", "run"), problems=play.demo_problems)
    live = commands.add_parser(
        "run",
        help="host a real table",
        description="Hosts a real table: with the electronics of a wiring file, or an ordinary board with "
        "--no-electronics.",
    )
    play.live(live)
    live.set_defaults(run=_lazy(f"{_APP}.live", "run"), problems=play.live_problems)
    host = commands.add_parser(
        "host",
        help="see who plays at an open table, make somebody leave, change its code",
        description="For whoever hosts a table that `hextraction run` keeps open on this machine.",
    )
    play.host(host)
    add_json(host)
    host.set_defaults(run=_lazy(f"{_APP}.hosting", "run"), problems=play.host_problems)
    poster = commands.add_parser(
        "poster",
        help="draw a poster with the QR code and the code to join by (SVG or PDF)",
        description="Draws a page to hang beside the table; its code is the configured one ([page] code).",
    )
    play.poster(poster)
    add_force(poster)
    poster.set_defaults(run=_lazy(f"{_APP}.poster", "run"), problems=play.poster_problems)
    record = commands.add_parser(
        "record",
        help="record sensor edges as a trace",
        description="Writes sensor edges of a real board (--config) or of simulated rolls as JSON Lines.",
    )
    play.record(record)
    add_force(record)
    record.set_defaults(run=_lazy(f"{_APP}.recording", "run"), problems=play.record_problems)


def _add_study(commands: Commands) -> None:
    from hextraction.controller.app.options import play  # noqa: PLC0415 - argument tables only

    study = commands.add_parser(
        "study",
        help="let bots play many games, and report",
        description="Bots play many games by the full rules, with balls by chance (docs/study.md).",
    )
    play.study(study)
    study.set_defaults(run=_lazy(f"{_WORKSHOP}.study", "run"), problems=play.study_problems)


def _add_perft(commands: Commands) -> None:
    from hextraction.controller.app.options import play  # noqa: PLC0415 - argument tables only

    perft = commands.add_parser(
        "perft",
        help="count the lines of plies of a game, to compare its rules",
        description="Counts how many lines of plies there are, from one ply on, one count a line.",
    )
    play.perft(perft)
    add_json(perft)
    perft.set_defaults(run=_lazy(f"{_WORKSHOP}.perft", "run"), problems=play.perft_problems)


def _add_files(commands: Commands) -> None:
    tools = f"{_APP}.tools"
    check = commands.add_parser(
        "check", help="check configurations, wirings, profiles, tiles, traces, scenarios"
    )
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="what is to be checked")
    add_json(check)
    check.set_defaults(run=_lazy(f"{_WORKSHOP}.checking", "check"))
    _add_wiring(commands)
    scenario = commands.add_parser("scenario", help="run text scenarios of the rules (docs/scenarios.md)")
    scenario.add_argument("files", nargs="+", type=Path, metavar="FILE", help="scenarios (.scenario)")
    add_json(scenario)
    scenario.set_defaults(run=_lazy(tools, "scenario"), wants={"files": SCENARIO})
    track = commands.add_parser("track", help="turn a trace of sensor edges into ball facts (docs/trace.md)")
    track.add_argument("trace", type=Path, metavar="TRACE", help="a trace, as `hextraction record` writes it")
    _own_tiles(track)
    add_json(track)
    track.set_defaults(run=_lazy(tools, "track"), wants={"trace": TRACE})
    replay = commands.add_parser("replay", help="play an exported game again and say how it stands")
    replay.add_argument("file", type=Path, metavar="FILE", help="a game, as `hextraction export` writes it")
    replay.add_argument("--events", action="store_true", help="tell the whole story in words")
    replay.add_argument("--state", action="store_true", help="print the whole state as JSON")
    _own_tiles(replay)
    add_json(replay)
    replay.set_defaults(run=_lazy(tools, "replay_game"), wants={"file": GAME})


def _own_tiles(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--own-tiles", type=Path, default=None, metavar="FOLDER", help="tiles of your own (TOML)"
    )


def _add_past_games(commands: Commands) -> None:
    export = commands.add_parser(
        "export", help="write a game of the journal as JSON Lines; without a name, list games"
    )
    export.add_argument("game", nargs="?", metavar="GAME", help="its name; without one all are listed")
    export.add_argument(
        "--journal", type=Path, default=None, metavar="FILE", help="default: the journal used last"
    )
    export.add_argument(
        "--html",
        action="store_true",
        help="one HTML file that anybody can watch the game in, without a network",
    )
    export.add_argument(
        "--language", default="en", metavar="CODE", help="of the HTML file, such as de; default: en"
    )
    export.add_argument("--output", type=Path, default=None, metavar="FILE", help="default: standard output")
    add_force(export)
    add_json(export)
    export.set_defaults(run=_export, problems=_export_problems)
    history = commands.add_parser(
        "history",
        help="list the games played here, the club's ladder, statistics of players and tiles",
        description="Brings the archive beside the journal up to date and prints what is in it.",
    )
    history.add_argument(
        "--config", type=Path, default=None, metavar="FILE", help="the table's configuration"
    )
    history.add_argument(
        "--journal", type=Path, default=None, metavar="FILE", help="default: the one used last"
    )
    add_json(history)
    history.set_defaults(run=_lazy(f"{_APP}.sharing", "run"))


def _add_keeping(commands: Commands) -> None:
    backup = commands.add_parser(
        "backup",
        help="write games, settings, own tiles and keys of a board into one file",
        description="Also while a table plays. Without a name: the installed board, or all of your journals.",
    )
    backup.add_argument("--config", type=Path, default=None, metavar="FILE", help="the table's configuration")
    backup.add_argument("--journal", type=Path, default=None, metavar="FILE", help="default: what that says")
    backup.add_argument(
        "--output", type=Path, default=None, metavar="FILE", help="default: hextraction-DATE.tar.gz"
    )
    backup.add_argument("--force", action="store_true", help="overwrite the file, if it is there already")
    add_json(backup)
    backup.set_defaults(run=_lazy(f"{_APP}.backup", "run_backup"))
    restore = commands.add_parser("restore", help="put back what `hextraction backup` has written")
    restore.add_argument("file", type=Path, metavar="FILE", help="a backup")
    restore.add_argument(
        "--config", type=Path, default=None, metavar="FILE", help="where its configuration shall go"
    )
    restore.add_argument(
        "--journal", type=Path, default=None, metavar="FILE",
        help="where its games shall go, if not to where a table with its configuration looks for them",
    )  # fmt: skip
    restore.add_argument("--force", action="store_true", help="overwrite what is there")
    add_json(restore)
    restore.set_defaults(run=_lazy(f"{_APP}.backup", "run_restore"), wants={"file": ARCHIVE})


def _export_problems(options: argparse.Namespace) -> list[str]:
    if options.json and options.game is not None:
        return ["--json: only without GAME, for the list of games: a game is JSON Lines as it is"]
    return []


def _export(options: argparse.Namespace) -> int:
    """Write a game as JSON Lines, or as a file to watch it in, named after it unless another is named."""
    module, function = (f"{_APP}.sharing", "share") if options.html else (f"{_APP}.tools", "export")
    return _lazy(module, function)(options)


def _add_wiring(commands: Commands) -> None:
    wiring = commands.add_parser(
        "wiring",
        help="write pin tables, harness drawing, parts and solder checklist of a wiring file",
        description="Writes what a maker solders by, from a wiring file; each build into its own folder.",
    )
    wiring.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="wiring files, or hub-lean, …: a shipped one, copied here",
    )
    wiring.add_argument("--out", type=Path, default=None, metavar="DIR", help="default: beside each file")
    wiring.add_argument("--check", action="store_true", help="only say which pages are missing or stale")
    add_json(wiring)
    wiring.set_defaults(run=_lazy(f"{_WORKSHOP}.plans.pages", "run"), wants={"files": TOML})


def _add_evaluation(commands: Commands) -> None:
    from hextraction.controller.app.options import trials  # noqa: PLC0415 - argument tables only

    for module, parser in trials.add_commands(commands).items():
        parser.set_defaults(run=_lazy(f"{_WORKSHOP}.trials.{module}", "run"))


def _add_bring_up(commands: Commands) -> None:
    from hextraction.controller.app.options import bring_up  # noqa: PLC0415 - argument tables only

    for module, parser in {**bring_up.add_commands(commands), **bring_up.add_machine(commands)}.items():
        room = _APP if module == "check_board" else f"{_WORKSHOP}.bring_up"
        parser.set_defaults(run=_lazy(f"{room}.{module}", "run"))
    bring_up.add_setup(commands).set_defaults(run=_lazy(f"{_WORKSHOP}.first_page.command", "run"))
    for parser in bring_up.add_service(commands):
        parser.set_defaults(run=_lazy("hextraction.systemd.install", "run"))
    bring_up.add_hub(commands).set_defaults(run=_lazy(f"{_WORKSHOP}.bring_up.hub", "run"))


def _add_lookups(commands: Commands) -> None:
    tools = f"{_APP}.tools"
    _add_routes(commands)
    boards = commands.add_parser("boards", help="list the board profiles, or draw one")
    boards.add_argument("name", nargs="?", metavar="NAME", help="the one to draw")
    add_json(boards)
    boards.set_defaults(run=_lazy(tools, "boards"))
    games = commands.add_parser("games", help="list the games that can be played, and where they come from")
    add_json(games)
    games.set_defaults(run=_lazy(tools, "games"))
    tiles = commands.add_parser("tiles", help="list the tiles, or show one card")
    tiles.add_argument("name", nargs="?", metavar="NAME", help="the one whose card to show")
    tiles.add_argument("--all", action="store_true", help="the test tiles too")
    _own_tiles(tiles)
    add_json(tiles)
    tiles.set_defaults(run=_lazy(tools, "tiles"))


def _add_completion(commands: Commands) -> None:
    completion = commands.add_parser(
        "completion",
        help="print what a shell needs to complete commands with the Tab key",
        description="Prints a script for a shell; where it belongs is in docs/commands.md.",
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help="which shell")
    completion.set_defaults(run=_lazy(f"{_APP}.completion", "run"))


def _add_routes(commands: Commands) -> None:
    routes = commands.add_parser(
        "routes",
        help="make the route tables of the tiles from the physics, or check them (docs/simulator.md)",
        description="Rolls many balls over every tile geometry of the catalogue and writes what they did.",
    )
    routes.add_argument("--check", action="store_true", help="only say which tables are missing or stale")
    routes.add_argument("--fresh", action="store_true", help="make all again, not only what is stale")
    routes.add_argument("--jobs", type=int, default=1, metavar="N", help="processes to use; default: 1")
    routes.add_argument(
        "--folder", type=Path, default=None, metavar="FOLDER", help="default: the shipped; --from: this one"
    )
    routes.add_argument(
        "--from", dest="model", type=Path, metavar="MODEL", help="study a model (STL, GLB) instead"
    )
    routes.add_argument(
        "--turned", type=int, default=0, metavar="N", help="turn the model by N sixths clockwise first"
    )
    routes.add_argument(
        "--part",
        action="append",
        default=[],
        metavar="FILE@Z",
        help="a part, Z mm above the model's underside",
    )
    routes.add_argument(
        "--tilt", type=float, default=15.0, metavar="DEGREES", help="of the board, for a model; default: 15"
    )
    add_json(routes)
    routes.set_defaults(run=_lazy(f"{_WORKSHOP}.routes", "run"))

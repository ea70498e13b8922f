"""Command-line options of demo, run, record and study, without importing them, so that ``--help`` is fast."""

import argparse
import os
from pathlib import Path

from hextraction.controller.app.options.commands import add_json

__all__ = [
    "demo",
    "demo_problems",
    "host",
    "host_problems",
    "live",
    "live_problems",
    "perft",
    "perft_problems",
    "port_problems",
    "poster",
    "poster_problems",
    "record",
    "record_problems",
    "study",
    "study_problems",
]

_SEATS = 6


def demo(parser: argparse.ArgumentParser) -> None:
    """Add the options of the demo command."""
    parser.add_argument(
        "--games", type=int, default=0, metavar="N", help="stop after N games (default 0: play on)"
    )
    parser.add_argument(
        "--speed",
        type=float,
        default=1.0,
        metavar="X",
        help="how much faster than real time; 0 is as fast as it goes (default 1)",
    )
    parser.add_argument(
        "--seed", type=int, default=None, help="the same seed gives the same game (default: by chance)"
    )
    _game(parser)
    parser.add_argument(
        "--board", default=None, metavar="NAME", help="board profile (default: the one the game is made for)"
    )
    parser.add_argument(
        "--sensors", choices=("basic", "lean", "rich"), default="rich", help="which sensors (default rich)"
    )
    parser.add_argument("--noise", type=float, default=0.0, metavar="P",
                        help="share of sensor pulses that are missed, 0 to 0.3 (default 0)")  # fmt: skip
    parser.add_argument(
        "--players",
        type=int,
        default=None,
        metavar="N",
        help="how many play (default 3, or as near as the game allows)",
    )
    parser.add_argument(
        "--bots",
        choices=("weak", "strong"),
        default="strong",
        help="how well bots play; in some games all are strong (default strong)",
    )
    parser.add_argument(
        "--laid",
        type=int,
        default=None,
        metavar="N",
        help="so many tiles, by chance, lie on the board at the start (default: its upper half is laid, "
        "so that balls run at once)",
    )
    parser.add_argument(
        "--own-tiles", type=Path, default=None, metavar="FOLDER", help="tiles of your own (TOML)"
    )
    parser.add_argument("--journal", type=Path, default=None, metavar="FILE", help="where games are kept")
    parser.add_argument("--resume", action="store_true", help="go on with the unfinished game in the journal")
    parser.add_argument("--host", default=None, help="address the page listens on (default: all)")
    parser.add_argument(
        "--port", type=int, default=None, help="port of the page (default 8080; 0: any free one)"
    )
    parser.add_argument("--no-page", action="store_true", help="play without a page for phones")
    parser.add_argument(
        "--config",
        type=Path,
        default=None,
        metavar="FILE",
        help="a configuration whose [house] and [webhook] hear of these games; of [table] the id is used, "
        "all else is for `run`",
    )


def poster(parser: argparse.ArgumentParser) -> None:
    """Add the options of the poster command."""
    parser.add_argument(
        "--config",
        type=Path,
        required=True,
        metavar="FILE",
        help="the table's configuration, with [page] code",
    )
    parser.add_argument(
        "--output", type=Path, default=Path("poster.svg"), metavar="FILE", help=".svg (default) or .pdf"
    )
    parser.add_argument(
        "--address", default=None, metavar="URL",
        help="of the page, if it is not the first of [page] names, or this machine's of today",
    )  # fmt: skip


def poster_problems(options: argparse.Namespace) -> list[str]:
    """Return what is wrong with the options of the poster command."""
    problems = []
    if options.output.suffix.lower() not in {".svg", ".pdf"}:
        problems.append(f"--output: want a file that ends in .svg or .pdf, found {options.output}")
    if options.address is not None and not options.address.startswith(("http://", "https://")):
        problems.append(f"--address: want http://… or https://…, found {options.address}")
    return problems


def host(parser: argparse.ArgumentParser) -> None:
    """Add the options of the host command."""
    parser.add_argument(
        "what",
        nargs="?",
        choices=("players", "remove", "new-code"),
        default="players",
        help="players (default): who is here; remove WHO: make somebody leave; new-code: a new "
        "code, the old one stops working",
    )
    parser.add_argument("who", nargs="*", metavar="WHO", help="with remove: a player's name or seat")
    parser.add_argument("--config", type=Path, default=None, metavar="FILE", help="the table's configuration")
    parser.add_argument("--journal", type=Path, default=None, metavar="FILE", help="the table's journal")


def host_problems(options: argparse.Namespace) -> list[str]:
    """Return what is wrong with the options of the host command."""
    if options.what == "remove" and not options.who:
        return ["remove: want a player's name or seat, found none; `hextraction host` lists them"]
    if options.what != "remove" and options.who:
        return [f"{options.what}: want nothing behind it, found {' '.join(options.who)}"]
    return []


def _game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game", default="hextraction", metavar="KIND", help="which game is played (default hextraction)"
    )


def port_problems(options: argparse.Namespace) -> list[str]:
    """Return what is wrong with the port of a page, if one is named."""
    wrong = options.port is not None and not 0 <= options.port <= 65535
    return [f"--port: want 0 to 65535, found {options.port}"] if wrong else []


def demo_problems(options: argparse.Namespace) -> list[str]:
    """Return everything that is wrong with the options."""
    from hextraction.board.profile import board_names  # noqa: PLC0415 - not for --help

    known = board_names()
    checks = [
        (
            options.board not in {None, *known},
            f"--board: want one of {', '.join(known)}, found {options.board}",
        ),
        (options.games < 0, f"--games: want 0 or more, found {options.games}"),
        (not 0 <= options.speed <= 10_000, f"--speed: want 0 to 10000, found {options.speed:g}"),
        (not 0 <= options.noise <= 0.3, f"--noise: want 0 to 0.3, found {options.noise:g}"),
        (not 0 <= (options.laid or 0) <= 32, f"--laid: want 0 to 32, found {options.laid}"),
        (
            options.own_tiles is not None and not options.own_tiles.is_dir(),
            f"--own-tiles: no folder {options.own_tiles}",
        ),
    ]
    wrong = [problem for wrong, problem in checks if wrong] + port_problems(options) + _game_problems(options)
    found = options.players
    return wrong if found is None else wrong + _players_problems(options, str(found), (found, found))


def _players_problems(options: argparse.Namespace, found: str, span: tuple[int, int]) -> list[str]:
    """Return why the game that is wanted is not played by so many, from the smaller number to the larger."""
    from hextraction.controller.games.registry import game_type, kinds  # noqa: PLC0415 - not for --help

    least, most, title = 1, _SEATS, ""
    if options.game in kinds():
        made = game_type(options.game)
        least, most, title = made.seats[0], min(made.seats[-1], _SEATS), f" for {made.title}"
    if least <= span[0] <= span[1] <= most:
        return []
    want = f"{least} to {most}" if least < most else str(least)
    order = ", the smaller first" if span[0] > span[1] else ""
    return [f"--players: want {want}{title}{order}, found {found}"]


def live(parser: argparse.ArgumentParser) -> None:
    """Add the options of the run command, for a real table."""
    parser.add_argument(
        "--config", type=Path, default=None, metavar="FILE", help="configuration (see docs/config.md)"
    )
    parser.add_argument("--no-electronics", action="store_true",
                        help="an ordinary, unpowered board: you tap everything in on phones")  # fmt: skip
    parser.add_argument("--starter", action="store_true",
                        help="the starter: find the Pico on this computer's USB and see releases and wins; "
                             "you tap in the rest (docs/builds/starter.md)")  # fmt: skip
    parser.add_argument(
        "--port", type=int, default=None, help="port of the page, instead of the configured one"
    )
    parser.add_argument(
        "--host", default=None, help="address the page listens on, instead of the configured one"
    )
    parser.add_argument("--journal", type=Path, default=None, metavar="FILE", help="where games are kept")
    parser.add_argument(
        "--no-page", action="store_true", help="no page for phones (to try sensors and lamps)"
    )
    parser.add_argument(
        "--exit-when-ready", action="store_true", help="stop as soon as everything runs (to measure)"
    )


def live_problems(options: argparse.Namespace) -> list[str]:
    """Return everything that is wrong with the options of a real table."""
    found = port_problems(options)
    if options.starter and options.no_electronics:
        found.append("want one of --starter and --no-electronics, found both")
    if options.starter and options.config is not None:
        found.append(
            "want one of --starter and --config, found both: --starter has its own wiring. To change it, "
            "copy wiring/starter.toml and name the copy as table.wiring in your configuration"
        )
    return found


def record(parser: argparse.ArgumentParser) -> None:
    """Add the options of the record command."""
    parser.add_argument("output", type=Path, help="the trace to write (JSON Lines)")
    parser.add_argument(
        "--config", type=Path, default=None, metavar="FILE", help="record the board of this configuration"
    )
    parser.add_argument("--truth", type=Path, default=None, metavar="HEADER",
                        help="with --config: ask after each roll what really happened, and write labelled "
                             "rolls; the first line of HEADER is that of a trace and says what lies where "
                             "(docs/evaluation.md)")  # fmt: skip
    parser.add_argument("--phone", type=int, default=None, metavar="PORT",
                        help="with --truth: a phone tells it, by taps on a page at this port, instead of the "
                             "terminal")  # fmt: skip
    parser.add_argument(
        "--rolls", type=int, default=1, metavar="N", help="simulated rolls to record (default 1)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the simulated rolls (default 0)")
    parser.add_argument("--board", default="standard-22", metavar="NAME", help="board of the simulated rolls")
    parser.add_argument("--sensors", choices=("basic", "lean", "rich"), default="rich", help="which sensors")


def record_problems(options: argparse.Namespace) -> list[str]:
    """Return everything that is wrong with the options of a recording."""
    from hextraction.board.profile import board_names  # noqa: PLC0415 - not for --help

    known = board_names()
    checks = [
        (not 1 <= options.rolls <= 10_000, f"--rolls: want 1 to 10000, found {options.rolls}"),
        (
            options.truth is not None and options.config is None,
            "--truth: only with --config, for a real board",
        ),
        (options.truth is not None and not options.truth.is_file(), f"--truth: no file {options.truth}"),
        (options.phone is not None and options.truth is None, "--phone: only with --truth"),
        (
            options.phone is not None and not 1 <= options.phone <= 65535,
            f"--phone: want a port from 1 to 65535, found {options.phone}",
        ),
        (options.board not in known, f"--board: want one of {', '.join(known)}, found {options.board}"),
    ]
    return [problem for wrong, problem in checks if wrong]


# --- perft ---


def perft(parser: argparse.ArgumentParser) -> None:
    """Add the options of the perft command."""
    parser.add_argument("game", metavar="KIND", help="which game, by the name that `hextraction games` lists")
    parser.add_argument("--players", type=int, default=2, metavar="N", help="2 or 3 (default 2)")
    parser.add_argument("--reading", default="R0", metavar="R", help="how its rules are read (default R0)")
    parser.add_argument("--depth", type=int, default=3, metavar="N", help="plies, 1 to 8 (default 3)")
    parser.add_argument("--fixture", default=None, metavar="NAME", help="from a known position, as F1")
    parser.add_argument("--position", type=Path, default=None, metavar="FILE", help="from a position as JSON")
    parser.add_argument("--speed", action="store_true", help="also say how fast, on standard error")


def perft_problems(options: argparse.Namespace) -> list[str]:
    """Return everything that is wrong with the options."""
    readings = ("R0", "R1", "R2", "R3", "R4")
    checks = [
        (not 2 <= options.players <= 3, f"--players: want 2 or 3, found {options.players}"),
        (options.reading not in readings, f"--reading: want {', '.join(readings)}, found {options.reading}"),
        (not 1 <= options.depth <= 8, f"--depth: want 1 to 8, found {options.depth}"),
        (
            options.fixture is not None and options.position is not None,
            "--position: want a position or a fixture, found both",
        ),
        (
            options.position is not None and not options.position.is_file(),
            f"--position: no file {options.position}",
        ),
    ]
    return [problem for wrong, problem in checks if wrong] + _game_problems(options)


# --- study ---


def study(parser: argparse.ArgumentParser) -> None:
    """Add the options of the study command."""
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="how many (default 1000)")
    parser.add_argument("--players", type=_span, default=None, metavar="A-B",
                        help="bots at a table, as 4 or 2-6 (default 2 to 6, if the game allows)")  # fmt: skip
    parser.add_argument(
        "--seed", type=int, default=0, help="game i depends on the seed and i alone (default 0)"
    )
    _game(parser)
    parser.add_argument("--tiles", type=_names, default=["basic", "official", "community"], metavar="NAMES",
                        help="catalogues, separated by commas, or all (default all real ones)")  # fmt: skip
    parser.add_argument("--board", type=_names, default=None, metavar="NAMES",
                        help="boards to draw from, or all (default: the game's usual one)")  # fmt: skip
    parser.add_argument("--bots", type=_names, default=["strong"], metavar="NAMES",
                        help="weak or strong, seat by seat, as strong,weak (default strong)")  # fmt: skip
    parser.add_argument("--whim", type=float, default=None, metavar="P",
                        help="how often a bot makes any move instead, 0 to 1 (default 0.3)")  # fmt: skip
    parser.add_argument("--looks-at", type=int, default=None, metavar="N",
                        help="among how many things bots choose with care (default few; 0: all)")  # fmt: skip
    parser.add_argument("--full", action="store_true",
                        help="whole games, where demonstrations of that game are shorter")  # fmt: skip
    parser.add_argument("--laid", type=int, default=12, metavar="N",
                        help="tiles that lie on the board at the start (default 12)")  # fmt: skip
    parser.add_argument("--most-events", type=int, default=50_000, metavar="N",
                        help="a game with more events counts as stuck (default 50000)")  # fmt: skip
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes to play on (default 1)")
    parser.add_argument(
        "--engine", choices=("local", "dask"), default="local", help="where to play (default local)"
    )
    parser.add_argument("--scheduler", default=None, metavar="ADDRESS",
                        help="dask scheduler, as tcp://host:8786 (default: a new one here)")  # fmt: skip
    add_json(parser)
    parser.add_argument("--plot", type=Path, default=None, metavar="FILE",
                        help="draw the report (.png or .svg); needs matplotlib")  # fmt: skip
    parser.add_argument("--games-folder", type=Path, default=None, metavar="FOLDER",
                        help="where games that went wrong are kept (default: this folder)")  # fmt: skip


def _span(text: str) -> tuple[int, int]:
    """Read ``4`` or ``2-6``."""
    least, _dash, most = text.partition("-")
    try:
        return int(least), int(most or least)
    except ValueError:
        message = f"want a number or two with a dash between, as 2-6, found {text!r}"
        raise argparse.ArgumentTypeError(message) from None


def _game_problems(options: argparse.Namespace) -> list[str]:
    from hextraction.controller.games.registry import (  # noqa: PLC0415 - not for --help
        UnknownGameError,
        game_type,
        kinds,
    )

    known = kinds()
    if options.game not in known:
        return [f"--game: want one of {', '.join(known)}, found {options.game}"]
    try:
        game_type(options.game)
    except UnknownGameError as error:
        return [f"--game: {error}"]
    return []


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def study_problems(options: argparse.Namespace) -> list[str]:
    """Return everything that is wrong with the options."""
    checks = [
        (not 1 <= options.games <= 1_000_000, f"--games: want 1 to 1000000, found {options.games}"),
        (not 0 <= options.laid <= 32, f"--laid: want 0 to 32, found {options.laid}"),
        (
            not options.bots or not {*options.bots} <= {"weak", "strong"},
            f"--bots: want weak or strong for each seat, found {','.join(options.bots) or 'nothing'}",
        ),
        (
            options.whim is not None and not 0 <= options.whim <= 1,
            f"--whim: want 0 to 1, found {options.whim}",
        ),
        (
            options.looks_at is not None and not 0 <= options.looks_at <= 1000,
            f"--looks-at: want 0 to 1000, found {options.looks_at}",
        ),
        (options.most_events < 1, f"--most-events: want 1 or more, found {options.most_events}"),
        (not 1 <= options.jobs <= 256, f"--jobs: want 1 to 256, found {options.jobs}"),
        (options.scheduler is not None and options.engine != "dask",
         "--scheduler: only --engine dask has one"),
        (options.engine == "dask" and options.jobs != 1, "--jobs: with --engine dask the cluster decides"),
    ]  # fmt: skip
    problems = [problem for wrong, problem in checks if wrong]
    if options.players is not None:
        problems += _players_problems(options, "-".join(map(str, options.players)), options.players)
    return problems + _name_problems(options) + _file_problems(options)


def _name_problems(options: argparse.Namespace) -> list[str]:
    from hextraction.board.profile import board_names  # noqa: PLC0415 - not for --help
    from hextraction.controller.games.registry import game_type  # noqa: PLC0415

    problems = _game_problems(options)
    if problems:
        return problems
    files = tuple(game_type(options.game).files())
    asked = [("--board", options.board, board_names())]
    for option, wanted, known in [("--tiles", options.tiles, files), *asked] if files else asked:
        if wanted not in (None, ["all"]):
            wrong = [name for name in wanted if name not in known] or ([] if wanted else ["nothing"])
            problems += [f"{option}: want some of {', '.join(known)}, or all; found {name}" for name in wrong]
    return problems


def _file_problems(options: argparse.Namespace) -> list[str]:
    """Check now whether the files can be written: after a long study it would be too late."""
    problems = []
    if options.plot is not None and options.plot.suffix not in {".png", ".svg"}:
        problems.append(f"--plot: want a file that ends with .png or .svg, found {options.plot}")
    if options.plot is not None and not os.access(options.plot.parent, os.W_OK):
        problems.append(f"--plot: cannot write to the folder {options.plot.parent}")
    if options.games_folder is not None and not options.games_folder.is_dir():
        problems.append(f"--games-folder: no folder {options.games_folder}")
    return problems

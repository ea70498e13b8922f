"""What each command can be told: argument tables without the commands' own imports, so that help is quick."""

import argparse
from pathlib import Path

__all__ = ["demo", "demo_problems", "live", "live_problems", "record", "record_problems"]

_SEATS = 6


def demo(parser: argparse.ArgumentParser) -> None:
    """Say what the demo can be told."""
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
    parser.add_argument(
        "--board", default="standard-22", metavar="NAME", help="board profile (see `hextraction boards`)"
    )
    parser.add_argument(
        "--sensors", choices=("basic", "lean", "rich"), default="rich", help="instrument set (default rich)"
    )
    parser.add_argument("--noise", type=float, default=0.0, metavar="P",
                        help="share of sensor pulses that are missed, 0 to 0.3 (default 0)")  # fmt: skip
    parser.add_argument(
        "--players", type=int, default=3, metavar="N", help="bots at the table, 2 to 6 (default 3)"
    )
    parser.add_argument(
        "--laid",
        type=int,
        default=12,
        metavar="N",
        help="tiles that lie on the board at the start, for a quick game (default 12)",
    )
    parser.add_argument(
        "--own-tiles", type=Path, default=None, metavar="FOLDER", help="tiles of your own (TOML)"
    )
    parser.add_argument("--journal", type=Path, default=None, metavar="FILE", help="where games are kept")
    parser.add_argument("--resume", action="store_true", help="go on with the unfinished game in the journal")
    parser.add_argument("--host", default="0.0.0.0", help="address the page listens on (default: all)")  # noqa: S104
    parser.add_argument(
        "--port", type=int, default=8080, help="port of the page (default 8080; 0: any free one)"
    )
    parser.add_argument("--no-page", action="store_true", help="play without page and broker")


def demo_problems(options: argparse.Namespace) -> list[str]:
    """Return everything that is wrong with the options."""
    from hextraction.board.profile import board_names  # noqa: PLC0415 - not for --help

    known = board_names()
    checks = [
        (options.board not in known, f"--board: want one of {', '.join(known)}, found {options.board}"),
        (options.games < 0, f"--games: want 0 or more, found {options.games}"),
        (not 0 <= options.speed <= 10_000, f"--speed: want 0 to 10000, found {options.speed:g}"),
        (not 0 <= options.noise <= 0.3, f"--noise: want 0 to 0.3, found {options.noise:g}"),
        (not 2 <= options.players <= _SEATS, f"--players: want 2 to {_SEATS}, found {options.players}"),
        (not 0 <= options.laid <= 32, f"--laid: want 0 to 32, found {options.laid}"),
        (not 0 <= options.port <= 65535, f"--port: want 0 to 65535, found {options.port}"),
        (
            options.own_tiles is not None and not options.own_tiles.is_dir(),
            f"--own-tiles: no folder {options.own_tiles}",
        ),
    ]
    return [problem for wrong, problem in checks if wrong]


def live(parser: argparse.ArgumentParser) -> None:
    """Say what a real table can be told."""
    parser.add_argument(
        "--config", type=Path, default=None, metavar="FILE", help="configuration (see docs/config.md)"
    )
    parser.add_argument("--no-electronics", action="store_true",
                        help="an ordinary, unpowered board: everything is tapped in on phones")  # fmt: skip
    parser.add_argument(
        "--port", type=int, default=None, help="port of the page, instead of the configured one"
    )
    parser.add_argument(
        "--host", default=None, help="address the page listens on, instead of the configured one"
    )
    parser.add_argument("--journal", type=Path, default=None, metavar="FILE", help="where games are kept")
    parser.add_argument(
        "--no-page", action="store_true", help="no page and no broker (to try sensors and lamps)"
    )
    parser.add_argument(
        "--exit-when-ready", action="store_true", help="stop as soon as everything is up (to measure)"
    )


def live_problems(options: argparse.Namespace) -> list[str]:
    """Return everything that is wrong with the options of a real table."""
    wrong = options.port is not None and not 0 <= options.port <= 65535
    return [f"--port: want 0 to 65535, found {options.port}"] if wrong else []


def record(parser: argparse.ArgumentParser) -> None:
    """Say what a recording can be told."""
    parser.add_argument("output", type=Path, help="the trace to write (JSON Lines)")
    parser.add_argument(
        "--config", type=Path, default=None, metavar="FILE", help="record the board of this configuration"
    )
    parser.add_argument(
        "--rolls", type=int, default=1, metavar="N", help="simulated rolls to record (default 1)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the simulated rolls (default 0)")
    parser.add_argument("--board", default="standard-22", metavar="NAME", help="board of the simulated rolls")
    parser.add_argument("--sensors", choices=("basic", "lean", "rich"), default="rich", help="instrument set")


def record_problems(options: argparse.Namespace) -> list[str]:
    """Return everything that is wrong with the options of a recording."""
    from hextraction.board.profile import board_names  # noqa: PLC0415 - not for --help

    known = board_names()
    checks = [
        (not 1 <= options.rolls <= 10_000, f"--rolls: want 1 to 10000, found {options.rolls}"),
        (options.board not in known, f"--board: want one of {', '.join(known)}, found {options.board}"),
    ]
    return [problem for wrong, problem in checks if wrong]

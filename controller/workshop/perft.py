"""``hextraction perft``: count the lines of plies of a game, to compare its rules with other programs.

A module of its own because it is a command.
"""

import argparse
import sys
import time

from hextraction.controller.games.registry import game_type
from hextraction.settings import SettingsError

__all__ = ["run"]


def run(options: argparse.Namespace) -> int:
    """Print the counts from depth 1 on, one a line; return the exit status."""
    count = getattr(game_type(options.game), "perft", None)
    if count is None:
        print(f"hextraction perft: {options.game}: nobody can count its plies", file=sys.stderr)
        return 2
    text = options.position.read_text(encoding="utf-8") if options.position is not None else None
    started, total = time.perf_counter(), 0
    try:
        for found in count(
            depth=options.depth,
            players=options.players,
            reading=options.reading,
            fixture=options.fixture,
            position=text,
        ):
            print(found, flush=True)
            total += found
    except ValueError as error:
        if isinstance(error, SettingsError):
            raise
        where = options.position or f"--fixture {options.fixture}"
        print(
            "\n".join(f"hextraction perft: {where}: {line}" for line in str(error).split("\n")),
            file=sys.stderr,
        )
        return 2
    if options.speed:
        seconds = time.perf_counter() - started
        print(f"{total / max(seconds, 1e-9):,.0f} positions a second", file=sys.stderr)
    return 0

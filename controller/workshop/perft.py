"""``hextraction perft``: count the lines of plies of a game, to compare its rules with other programs.

A module of its own because it is a command.
"""

import argparse
import sys
import time

from hextraction.controller.games.registry import game_type
from hextraction.controller.workshop.documents import Counted
from hextraction.controller.workshop.terminal import tell
from hextraction.settings import SettingsError

__all__ = ["run"]


def run(options: argparse.Namespace) -> int:
    """Print the counts from depth 1 on, one a line; return the exit status."""
    count = getattr(game_type(options.game), "perft", None)
    if count is None:
        print(f"hextraction perft: {options.game}: nobody can count its plies", file=sys.stderr)
        return 2
    text = options.position.read_text(encoding="utf-8") if options.position is not None else None
    started = time.perf_counter()
    counts: list[int] = []
    try:
        for found in count(
            depth=options.depth,
            players=options.players,
            reading=options.reading,
            fixture=options.fixture,
            position=text,
        ):
            counts.append(found)
            if not options.json:
                print(found, flush=True)
    except ValueError as error:
        if isinstance(error, SettingsError):
            raise
        where = options.position or f"--fixture {options.fixture}"
        print(
            "\n".join(f"hextraction perft: {where}: {line}" for line in str(error).split("\n")),
            file=sys.stderr,
        )
        return 2
    speed = sum(counts) / max(time.perf_counter() - started, 1e-9)
    if options.json:
        tell(Counted(counts=tuple(counts), positions_per_s=speed if options.speed else None))
    elif options.speed:
        print(f"{speed:,.0f} positions a second", file=sys.stderr)
    return 0

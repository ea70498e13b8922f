"""``hextraction study``: bots play many games under the full rules; results as tables or JSON, and a plot."""

import argparse
import sys
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

from hextraction.board.profile import board_names
from hextraction.controller.games.registry import game_type
from hextraction.controller.study.engines import (
    MissingEngineError,
    play_here,
    play_on_dask,
    play_on_processes,
)
from hextraction.controller.study.plot import MissingPlotError, draw_report
from hextraction.controller.study.report import make_report, report_text
from hextraction.controller.study.settings import GameResult, StudySettings
from hextraction.controller.table.lobby import SEATS
from hextraction.controller.workshop.terminal import progress, remark, tell

__all__ = ["Play", "run"]


Play = Callable[[StudySettings], Generator[GameResult, None, None]]
"""Plays the games of a study, one after the other."""


def run(options: argparse.Namespace, *, play: Play = play_here) -> int:
    """Run the study; return 0, 1 if a game went wrong, 2 for a user's mistake, 130 if it was interrupted.

    ``play`` is for games that this process plays itself.
    """
    settings = _settings(options)
    try:
        results, stopped = _played(_games(settings, options, play), settings.games, options.games_folder)
        report = make_report(settings, results)
        if options.json:
            tell(report)
        else:
            print(report_text(report), end="", flush=True)
        if options.plot is not None:
            draw_report(report, options.plot)
    except (MissingEngineError, MissingPlotError) as error:
        print(f"hextraction study: {error}", file=sys.stderr)
        return 2
    if stopped:
        return 130
    return 1 if report.wrong else 0


def _settings(options: argparse.Namespace) -> StudySettings:
    wanted_tiles, wanted_boards = options.tiles, options.board
    game = game_type(options.game)
    files = tuple(game.files())
    boards = (game.usual_board,) if wanted_boards is None else tuple(wanted_boards)
    return StudySettings(
        games=options.games,
        players=options.players or (2, len(SEATS)),
        seed=options.seed,
        files=files if wanted_tiles == ["all"] else tuple(name for name in wanted_tiles if name in files),
        game=options.game,
        boards=board_names() if wanted_boards == ["all"] else boards,
        laid=options.laid,
        most_events=options.most_events,
        bots=tuple(options.bots),
        whim=options.whim,
        full=options.full,
        looks_at=options.looks_at,
    )


def _games(
    settings: StudySettings, options: argparse.Namespace, play: Play
) -> Generator[GameResult, None, None]:
    if options.engine == "dask":
        return play_on_dask(settings, scheduler=options.scheduler)
    return play(settings) if options.jobs == 1 else play_on_processes(settings, options.jobs)


def _played(
    games: Generator[GameResult, None, None], wanted: int, folder: Path | None
) -> tuple[list[GameResult], bool]:
    """Collect results until all are in or Ctrl-C is pressed; return them and whether it was interrupted."""
    results: list[GameResult] = []
    try:
        with closing(games):
            for result in progress(games, "games", total=wanted):
                results.append(result)
                if result.problem:
                    _keep(result, folder)
    except KeyboardInterrupt:
        print("Interrupted: this is what there is.", file=sys.stderr)
        return results, True
    return results, False


def _keep(result: GameResult, folder: Path | None) -> None:
    """Write the journal of a game that went wrong, for `hextraction replay`."""
    path = (folder or Path()) / f"study-game-{result.number}.jsonl"
    path.write_text("".join(f"{line}\n" for line in result.journal), encoding="utf-8")
    remark(f"game {result.number}: {result.problem}\n  look at it: hextraction replay {path}")

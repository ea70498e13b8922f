"""``hextraction demo``: a whole table on the simulated board, with bots, for anybody to watch or join."""

import argparse
import asyncio
import contextlib
import os
import random
import shlex
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from hextraction.board.profile import Board, board_names, load_board
from hextraction.controller.app.process import as_called, board_info, stop_on_signals
from hextraction.controller.app.simulation import Simulation, SimulationSettings
from hextraction.controller.config import ControllerConfig, PageConfig, default_state_folder, read_config
from hextraction.controller.games.marked_names import plain
from hextraction.controller.games.protocol import Game
from hextraction.controller.games.registry import demo_game, game_type, kinds
from hextraction.controller.play.journal import Journal, JournalError, JournalLostError
from hextraction.controller.play.journal_file import TakenError
from hextraction.controller.table.hung_game import HungGame
from hextraction.controller.table.lobby import SEATS, Lobby
from hextraction.controller.version import software
from hextraction.settings import Document
from hextraction.simulator.noise import Noise

__all__ = ["run"]

_BREAK_S = 20
"""How long the winner is shown before bots begin the next game, in simulated seconds."""
_HEEDED = frozenset({"table", "house", "webhook"})
"""The tables of a configuration of which a demo takes something; of ``[table]`` the ``id`` alone."""
_PLAYERS = 3
"""How many play, unless that is told: or as near as the game allows."""


def run(options: argparse.Namespace) -> int:
    """Play; return the exit status."""
    return asyncio.run(_play(options))


@contextlib.contextmanager
def _journal(options: argparse.Namespace) -> Iterator[Journal]:
    """Open the journal that is asked for, or that of the demos.

    Beside a demo that plays on that already, one is made for this time only: nothing was asked to be kept.
    """
    path = options.journal or default_state_folder() / "demo.db"
    with contextlib.ExitStack() as held:
        try:
            journal = Journal(path, alone=True)
        except TakenError:
            if options.journal is not None or options.resume:
                raise
            folder = tempfile.TemporaryDirectory(prefix="hextraction-demo-", ignore_cleanup_errors=True)
            journal = Journal(Path(held.enter_context(folder)) / path.name, alone=True)
            print(f"Another demo plays on {path}: without --journal FILE this one's games end with it.")
        held.callback(journal.close)
        yield journal


async def _play(options: argparse.Namespace) -> int:
    with _journal(options) as journal:
        return await _play_on(journal, options)


async def _play_on(journal: Journal, options: argparse.Namespace) -> int:
    unfinished = journal.open_game() if options.resume else None
    if options.resume and unfinished is None:
        print(f"There is no unfinished game in {journal.path}: a new one begins.", flush=True)
    simulation = _simulation(options, journal, unfinished)
    done = asyncio.Event()
    stop_on_signals(done)
    hung_game = HungGame(simulation.host, partial(os._exit, 1))
    simulation.on_turn = hung_game.beat
    hung_game.start()
    lost: list[JournalLostError] = []

    def stop(error: JournalLostError) -> None:
        lost.append(error)
        done.set()

    try:
        async with _page(simulation, options, stop):
            seed, title = simulation.settings.seed, simulation.host.game.board.title
            print(f"Playing with seed {seed} on {title}. Ctrl-C stops.", flush=True)
            status = await _games(simulation, options, done, unfinished)
        if lost:
            raise lost[0]
        return status
    finally:
        hung_game.close()
        simulation.close()


def _simulation(options: argparse.Namespace, journal: Journal, unfinished: str | None) -> Simulation:
    """Set up the table; a resumed game brings its own board and number of seats."""
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    name, seats, kind = options.board, options.players or _PLAYERS, options.game
    if unfinished is not None:
        header = journal.header(unfinished)
        name, seats, kind = header.setup.board, len(header.setup.seats), header.kind
        if name not in board_names():
            raise JournalError(
                f"{journal.path}: game {unfinished}: no board {name!r}; there are {', '.join(board_names())}"
            )
    settings = SimulationSettings(
        seed=seed,
        speed=options.speed,
        which=options.sensors,
        noise=Noise(miss=options.noise, ghosts_per_s=options.noise * 5) if options.noise else None,
        software=software(),
        bots=options.bots,
    )
    game = game_type(kind)
    seats = min(max(seats, game.seats.start), game.seats.stop - 1)
    lobby = Lobby(SEATS[: max(seats, 3)], bots_fill=True, wanted=seats, least=game.seats.start)
    board = load_board(name or game.usual_board)
    games = {other: partial(_another, other, board, options) for other in kinds()}
    return Simulation(_another(kind, board, options), journal, lobby, settings, games)


def _another(kind: str, board: Board, options: argparse.Namespace) -> Game[Any, Any]:
    return demo_game(kind, board, options.laid, options.own_tiles)


@contextlib.asynccontextmanager
async def _page(
    simulation: Simulation, options: argparse.Namespace, lost: Callable[[JournalLostError], None]
) -> AsyncIterator[None]:
    if options.no_page:
        yield
        return
    # Imported only here: what the page needs takes time and memory.
    from hextraction.controller.app.page import open_page, welcome  # noqa: PLC0415

    game = simulation.host.game
    told = ControllerConfig(table="demo") if options.config is None else _heeded(options.config)
    async with open_page(
        simulation.host,
        PageConfig(show_code=True).at(options.host, options.port),
        board_id=told.table,
        info=board_info(
            game.board,
            drawn=game.drawn,
            electronics=True,
            simulated=True,
            sensors=simulation.rig.sensors,
            game=game.kind,
        ),
        house=told.house,
        webhook=told.webhook,
        now_us=simulation.devices.clock.now_us,
        lost=lost,
        open_odds=True,
    ) as companion:
        print(welcome(companion), flush=True)
        yield


def _heeded(path: Path) -> ControllerConfig:
    """Read a configuration, and say which of its tables a demo leaves out."""
    config = read_config(path)
    left_out = [f"[{name}]" for name in Document.from_path(path).root.keys if name not in _HEEDED]
    if left_out:
        verb, them = ("is", "it") if len(left_out) == 1 else ("are", "them")
        print(
            f"{path}: {', '.join(left_out)} {verb} for `hextraction run`; a demo leaves {them} out.",
            flush=True,
        )
    return config


async def _games(
    simulation: Simulation, options: argparse.Namespace, done: asyncio.Event, unfinished: str | None
) -> int:
    played = 0
    while not done.is_set() and (played < options.games or not options.games):
        if unfinished is not None:
            simulation.resume(unfinished)
            unfinished = None
        elif not _begin(simulation):
            return 2
        await simulation.until(done)
        if not _tell(simulation):
            break
        played += 1
        if played < options.games or not options.games:
            await simulation.rest(_BREAK_S, done)
    return 0


def _tell(simulation: Simulation) -> bool:
    """Print the state of the game; return whether it is over."""
    runtime, journal = simulation.host.runtime, simulation.host.journal.path
    if runtime is None:
        return False
    if not runtime.over:
        print(f"Stopped in the middle of game {runtime.game}; `--resume` goes on with it. Journal: {journal}")
        return False
    standing = runtime.standing
    began_us = simulation.host.journal.header(runtime.game).setup.at_us
    turns = f"{standing.turn} turn{'' if standing.turn == 1 else 's'}"
    watch = [as_called(sys.argv[0]), "export", runtime.game, "--html", "--journal", str(journal)]
    print(f"Game {runtime.game}: {plain(standing.outcome or '')}  ({turns}, "
          f"{(runtime.referee.at_us - began_us) / 1e6:.0f} s of play)\n  journal: {journal}\n"
          f"  watch it again, in one file: {shlex.join(watch)}", flush=True)  # fmt: skip
    return True


def _begin(simulation: Simulation) -> bool:
    """Begin a game, unless a phone has just done so; return whether one is on."""
    if simulation.host.playing is not None:
        return True
    simulation.host.lobby.fill()
    problems = simulation.begin()
    for what, clause in problems:
        print(f"hextraction: the game cannot start: {what} ({clause})", file=sys.stderr)
    return not problems

"""``hextraction demo``: a whole table on the simulated board, with bots, for anybody to watch or join."""

import argparse
import asyncio
import contextlib
import random
import sys
from collections.abc import AsyncIterator

from hextraction.board.profile import load_board
from hextraction.board.tilebook import load_catalogue
from hextraction.controller.app.simulation import Simulation, SimulationSettings
from hextraction.controller.app.table import board_info, open_page, software, stop_on_signals, welcome
from hextraction.controller.config import default_state_folder
from hextraction.controller.gate_desk import GateSettings
from hextraction.controller.journal import Journal
from hextraction.controller.lobby import SEATS, Lobby
from hextraction.simulator.noise import Noise

__all__ = ["run"]

_BREAK_S = 12.0
"""How long the winner is shown before the next game, in simulated seconds."""


def run(options: argparse.Namespace) -> int:
    """Play; return the exit status."""
    return asyncio.run(_play(options))


async def _play(options: argparse.Namespace) -> int:
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    board, tiles = load_board(options.board), load_catalogue(options.own_tiles)
    path = options.journal or default_state_folder() / "demo.db"
    journal = Journal(path)
    lobby = Lobby(SEATS[: max(options.players, 3)], bots_fill=True, wanted=options.players)
    settings = SimulationSettings(
        seed=seed,
        speed=options.speed,
        which=options.sensors,
        noise=Noise(miss=options.noise, ghosts_per_s=options.noise * 5) if options.noise else None,
        laid=options.laid,
        software=software(),
    )
    simulation = Simulation(board, tiles, journal, lobby, settings)
    done = asyncio.Event()
    stop_on_signals(done)
    try:
        async with _page(simulation, options):
            print(f"Playing with seed {seed} on {board.title}. Ctrl-C stops.", flush=True)
            await _games(simulation, options, done, str(path))
    finally:
        simulation.close()
        journal.close()
    return 0


@contextlib.asynccontextmanager
async def _page(simulation: Simulation, options: argparse.Namespace) -> AsyncIterator[None]:
    if options.no_page:
        yield
        return
    board = simulation.host.board
    async with open_page(
        simulation.host,
        board_id="demo",
        info=board_info(board, electronics=True, simulated=True),
        gate=GateSettings(host=options.host, port=options.port, show_code=True),
        broker=None,
        keep=None,
    ) as companion:
        print(welcome(companion), flush=True)
        yield


async def _games(
    simulation: Simulation, options: argparse.Namespace, done: asyncio.Event, journal: str
) -> None:
    host = simulation.host
    unfinished = host.journal.open_game() if options.resume else None
    played = 0
    while not done.is_set() and (played < options.games or not options.games):
        if unfinished is not None:
            simulation.resume(unfinished)
            unfinished = None
        elif not _begin(simulation):
            return
        await simulation.until(done)
        runtime = host.runtime
        if runtime is None or not runtime.over:
            if runtime is not None:
                print(
                    f"Stopped in the middle of game {runtime.game}; `--resume` goes on with it. Journal: {journal}"
                )
            return
        played += 1
        state = runtime.referee.state
        print(f"Game {runtime.game}: {state.outcome}  ({state.turn} turns, "
              f"{simulation.devices.clock.now_us() / 1e6:.0f} s of play)\n  journal: {journal}\n"
              f"  look at it: hextraction export {runtime.game} --journal {journal}", flush=True)  # fmt: skip
        if played < options.games or not options.games:
            await simulation.rest(_BREAK_S, done)


def _begin(simulation: Simulation) -> bool:
    simulation.host.lobby.fill()
    problems = simulation.begin()
    for what, clause in problems:
        print(f"hextraction: the game cannot start: {what} ({clause})", file=sys.stderr)
    return not problems

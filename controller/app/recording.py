"""``hextraction record``: record sensor edges to a trace file, from a real board or simulated rolls."""

import argparse
import asyncio
import random
import sys
from collections.abc import Callable, Mapping, Sequence

from hextraction.board.profile import Board, load_board
from hextraction.controller.app.process import stop_on_signals
from hextraction.controller.config import read_config
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN, Catalogue
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.trace import HeaderReader, Trace, TraceEdge, write_trace
from hextraction.controller.workshop.plans.build import read_build
from hextraction.controller.workshop.terminal import progress, remark
from hextraction.controller.workshop.truth import TruthRecorder, WatchedRoll, ask_ways
from hextraction.controller.workshop.truth_page import Telling, serving
from hextraction.hal.clock import MonotonicClock
from hextraction.hal.opening.factory import open_devices
from hextraction.hal.ports import Edge
from hextraction.simulator.backend import SimulatedBoard

__all__ = ["run", "trace_of"]

_BASIC = ("dc", "dic", "j", "x", "asterisk", "peace", "s", "z")


def run(options: argparse.Namespace) -> int:
    """Record; return the exit status."""
    if options.truth is not None:
        return asyncio.run(_with_truth(options))
    lines = asyncio.run(_live(options)) if options.config is not None else _simulated(options)
    if not lines:
        return 2
    options.output.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{options.output}: {len(lines) - 1} edges recorded")
    return 0


def _simulated(options: argparse.Namespace) -> list[str]:
    """Roll balls over a board of random basic tiles."""
    board, tiles = load_board(options.board), load_tiles()
    rng = random.Random(options.seed)  # noqa: S311 - seeded on purpose
    devices = SimulatedBoard(board, which=options.sensors, seed=options.seed)
    laid: dict[str, Laid] = {}
    for slot in board.slot_names:
        # Put an asterisk below each ramp: a tile turned the wrong way there would stop every ball at once.
        laid[slot] = _lay(devices, tiles, slot, rng, first=bool(board.ramps_to(slot)))
    devices.advance(10_000)
    edges: list[Edge] = []
    devices.inputs.listen(edges.append)
    for _roll in progress(range(options.rolls), "rolls"):
        clear = [ramp.name for ramp in board.ramps if devices.world.ramp_clear(ramp.name)]
        if not clear:
            remark("Balls stick on every ramp: no further roll is possible.")
            break
        devices.world.release(rng.choice(clear))
        devices.advance(devices.clock.now_us() + 10_000_000)
    devices.close()
    return list(write_trace(trace_of(board, devices.inputs.names, options.sensors, laid, edges)))


def trace_of(
    board: Board, sensors: Sequence[str], which: str, tiles: Mapping[str, Laid], edges: Sequence[Edge]
) -> Trace:
    """Return the sensors' edges, without those of players' buttons."""
    told = tuple(
        TraceEdge(at_us=edge.at_us, sensor=edge.sensor, active=edge.active)
        for edge in edges
        if edge.sensor in sensors
    )
    return Trace(board=board, sensors=tuple(sensors), which=which, tiles=tiles, balls={}, edges=told)


def _lay(devices: SimulatedBoard, tiles: Catalogue, slot: str, rng: random.Random, *, first: bool) -> Laid:
    name = "asterisk" if first else rng.choice(_BASIC)
    turns = rng.choice(tiles[name].turns)
    devices.world.lay(slot, tiles[name], turns)
    return Laid(tiles[name], turns)


async def _with_truth(options: argparse.Namespace) -> int:
    """Record rolls of a real board, and ask after each what really happened; an empty board's end is `q`."""
    config = read_config(options.config)
    if config.wiring is None:
        print(f"hextraction record: {options.config} names no wiring", file=sys.stderr)
        return 2
    wiring, board, rig = read_build(config.wiring, config.board)
    problems: list[str] = []
    header = options.truth.read_text(encoding="utf-8").partition("\n")[0]
    head = HeaderReader(1, header, {**load_tiles(), UNKNOWN.name: UNKNOWN}, problems)
    if head.board is not None and head.board.name != board.name:
        problems.append(f"line 1: board: want {board.name}, as the configuration says")
    if problems:
        print("\n".join(f"{options.truth}: {problem}" for problem in problems), file=sys.stderr)
        return 2
    recorder = TruthRecorder(head, rig.sensors)
    edges: list[Edge] = []
    rolls = 0
    with (
        open_devices(wiring, clock=MonotonicClock()) as devices,
        options.output.open("a", encoding="utf-8") as out,
    ):
        devices.inputs.listen(edges.append)

        def save(told: WatchedRoll) -> None:
            nonlocal rolls
            out.write("".join(f"{line}\n" for line in recorder.roll(tuple(edges), told)))
            out.flush()
            edges.clear()
            rolls += 1

        if options.phone is None:
            await _typed(recorder, save)
        else:
            try:
                await _tapped(Telling(recorder.told, save, lambda: len(edges)), options.phone)
            except OSError as error:
                print(f"hextraction record: --phone {options.phone}: {error.strerror}", file=sys.stderr)
                return 2
    print(f"{options.output}: {rolls} rolls with their truth")
    return 0


async def _typed(recorder: TruthRecorder, save: Callable[[WatchedRoll], None]) -> None:
    """Ask in the terminal after each roll, until somebody types `q`."""
    while (await asyncio.to_thread(input, "Roll. Enter when all lies still, q to end > ")).strip() != "q":
        told = recorder.told()
        await asyncio.to_thread(ask_ways, told, input, print)
        save(told)


async def _tapped(telling: Telling, port: int) -> None:
    """Let a phone tell, until it taps "end" or the program is stopped."""
    done = asyncio.Event()
    stop_on_signals(done)
    async with serving(telling, "0.0.0.0", port, done) as address:  # noqa: S104 - phones of the network
        print(f"Open {address} on a phone. Ctrl-C ends it, too.", flush=True)
        await done.wait()


async def _live(options: argparse.Namespace) -> list[str]:
    config = read_config(options.config)
    if config.wiring is None:
        print(f"hextraction record: {options.config} names no wiring", file=sys.stderr)
        return []
    wiring, board, rig = read_build(config.wiring, config.board)
    edges: list[Edge] = []
    done = asyncio.Event()
    stop_on_signals(done)
    with open_devices(wiring, clock=MonotonicClock()) as devices:
        devices.inputs.listen(edges.append)
        print("Recording. Ctrl-C ends it.", flush=True)
        await done.wait()
    return list(write_trace(trace_of(board, rig.sensors, "", {}, edges)))

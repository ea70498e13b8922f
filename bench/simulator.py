"""How fast the simulated board is beside bare pymunk.

Both step the same walls (a full standard board) in milliseconds with the same number of balls, which are
put back to the same places every 0.7 s. Bare pymunk only steps; the simulator also resists rolling, looks
at the balls, finds what they do and what the sensors see, and delivers the edges. They take turns within
one run, and the best pass of each counts, for the machine may be busy.

    python bench/simulator.py [--seconds 20]
"""

import argparse
import time
from importlib.metadata import version

import pymunk
from hextraction.board.profile import Board, load_board
from hextraction.controller.games.hextraction.cards.tiles import Tile
from hextraction.simulator.backend import SimulatedBoard
from hextraction.simulator.table import Table
from hextraction.simulator.world import World

from bench.tables import ratio, show

BALLS = (1, 3, 10)
ROUND_MS = 700
FRAME_MS = 20
PASSES = 7
AIM = 0.8
REAL_TIME_AIMS = {1: 50, 10: 10}
STARTS = ("B1", "D1", "A1", "C1", "E1", "B2", "D2", "A2", "C2", "E2")
TILES = (
    (Tile(name="dc", title="DC", channels=((1, 3), (4, 6))), 0),
    (Tile(name="asterisk", title="Asterisk", channels=((1, 2, 3, 4, 5, 6),)), 0),
    (Tile(name="x", title="X", channels=((1, 4), (2, 5))), 1),
    (Tile(name="pachinko", title="Pachinko", channels=((1, 2, 3, 4, 5, 6),), scatters=True), 0),
    (Tile(name="peace", title="Peace", channels=((1, 2, 4, 6),)), 0),
    (Tile(name="z", title="Z", channels=((2, 3, 5, 6),)), 0),
)


def lay_all(world: World, board: Board) -> None:
    """Cover the board with basic tiles through which balls find some way down."""
    for index, slot in enumerate(board.slot_names):
        world.lay(slot, *TILES[index % len(TILES)])


def simulated(balls: int, rounds: int) -> float:
    """Return microseconds of CPU a simulated millisecond."""
    board = load_board()
    sim = SimulatedBoard(board, seed=1)
    lay_all(sim.world, board)
    edges: list[object] = []
    sim.inputs.listen(edges.append)
    spent = 0.0
    for number in range(rounds):
        there = [sim.world.put_ball(slot) for slot in STARTS[:balls]]
        began = time.process_time()
        for _frame in range(ROUND_MS // FRAME_MS):
            sim.advance(sim.clock.now_us() + FRAME_MS * 1_000)
        spent += time.process_time() - began
        on_board = {ball for ball, _x, _y in sim.world.positions()}
        for ball in there:
            if ball in on_board:
                sim.world.take_ball(ball)
        sim.advance((number + 1) * (ROUND_MS + 500) * 1_000)
    sim.close()
    return spent / (rounds * ROUND_MS) * 1e6


def bare(balls: int, rounds: int) -> float:
    """The same of pymunk alone."""
    board = load_board()
    world = World(board)
    lay_all(world, board)
    space = world.table.space
    space.sleep_time_threshold = float("inf")
    bodies = [bare_ball(space) for _ball in range(balls)]
    spent = 0.0
    for _round in range(rounds):
        for body, slot in zip(bodies, STARTS, strict=False):
            body.position = board.by_name[slot].x_mm + 0.1, board.by_name[slot].y_mm
            body.velocity = 0, 0
        began = time.process_time()
        for _step in range(ROUND_MS):
            space.step(0.001)
        spent += time.process_time() - began
    return spent / (rounds * ROUND_MS) * 1e6


def bare_ball(space: pymunk.Space) -> pymunk.Body:
    """Add one ball of the same size and bounce, and nothing else."""
    model = Table(15.0).add_ball(0, 0).body
    body = pymunk.Body(model.mass, model.moment)
    circle = pymunk.Circle(body, 5.0)
    circle.elasticity = next(iter(model.shapes)).elasticity
    space.add(body, circle)
    return body


def run(*, seconds: float) -> None:
    """Measure and print; ``seconds`` are simulated, a cell."""
    rounds = max(1, round(seconds * 1000 / ROUND_MS / PASSES))
    rows = []
    for balls in BALLS:
        pairs = [(bare(balls, rounds), simulated(balls, rounds)) for _pass in range(PASSES)]
        plain, ours = (1_000 / min(times) for times in zip(*pairs, strict=True))
        rows.append((str(balls), f"{plain:.0f}", f"{ours:.0f}", verdict(balls, ours), ratio(ours / plain)))
    show(
        "5. The simulated board, times real time",
        ("balls", "pymunk", "simulator", "aim", "ratio"),
        rows,
        f"Aim: ratio >= {AIM}. Peer: pymunk {version('pymunk')} alone, same walls. Best of {PASSES} passes.",
    )


def verdict(balls: int, times_real: float) -> str:
    """Say what was aimed at for so many balls, and whether it was reached."""
    aim = REAL_TIME_AIMS.get(balls)
    return "" if aim is None else f">= {aim}: {'met' if times_real >= aim else 'MISSED'}"


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="simulated seconds a cell, default 20")
    run(seconds=parser.parse_args().seconds)


if __name__ == "__main__":
    main()

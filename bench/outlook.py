"""How right the outlook before a roll is: what spectators are told, beside what balls then do.

Boards are laid at random from the catalogue, one ball is let go on each ramp and taken off again. It is told
for three kinds of world: the one that the route tables were made in, worlds drawn by number, and a second
physics that shares no line with the first; numbers from 500 on, to which nothing was tuned.

    python -m bench.outlook [--boards 60]
"""

import argparse
import itertools
import random
import time
from collections.abc import Iterator
from typing import Final, NamedTuple

from hextraction.board.outlook import Outlook, outlook
from hextraction.board.profile import Board, load_board
from hextraction.board.routes import load_routes
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.cards.tiles import Tile
from hextraction.simulator.rail_world import RailWorld
from hextraction.simulator.variant import variant_named
from hextraction.simulator.world import World

from bench.tables import percentile, show

_OPEN: Final = 1
"""Slots of a board that have no tile: few, so that many balls get down."""
_LONGEST_US: Final = 20_000_000
_STEP_US: Final = 50_000
_BOUNDS: Final = (0.0, 0.02, 0.1, 0.3, 0.7, 0.9, 1.01)


class Ball(NamedTuple):
    """One ball: how likely an end zone was said to be, whether it came there, and its likeliest end."""

    told: float
    came: bool
    likeliest: float
    right: bool


def run(boards: int) -> None:
    """Measure and print."""
    took_ms: list[float] = []
    for title, prefix in (
        ("the tables' own world", "standard"),
        ("worlds drawn by number", "drawn"),
        ("a second physics (rails)", "rails"),
    ):
        balls = [
            ball
            for number in range(boards)
            for ball in _board(
                prefix if prefix == "standard" else f"{prefix}-{500 + number}", number, took_ms
            )
        ]
        _tell(title, balls)
    show(
        "Time for all ramps of a board",
        ("", "ms"),
        [("median", f"{percentile(took_ms, 50):.2f}"), ("slowest", f"{max(took_ms):.2f}")],
    )


def _board(variant: str, number: int, took_ms: list[float]) -> Iterator[Ball]:
    rng = random.Random(f"outlook {number}")
    board = load_board()
    world = (
        RailWorld(board, variant_named(variant), seed=number)
        if variant.startswith("rails")
        else World(board, seed=number, variant=variant)
    )
    for slot, (tile, turns) in _laid(board, rng).items():
        world.lay(slot, tile, turns)
    began = time.perf_counter()
    found = outlook(board, dict(world.tiles), load_routes(board.tilt_deg))
    took_ms.append((time.perf_counter() - began) * 1000)
    for one in found:
        yield _ball(world, one)


def _laid(board: Board, rng: random.Random) -> dict[str, tuple[Tile, int]]:
    tables = load_routes()
    tiles = [tile for tile in load_tiles().values() if tile.channels is not None and tables.of(tile)]
    known = [tile for tile in tiles if not tile.covers]
    slots = rng.sample(board.slot_names, len(board.slot_names) - _OPEN)
    picked = ((slot, rng.choice(known)) for slot in slots)
    return {slot: (tile, rng.choice(tuple(tile.turns))) for slot, tile in picked}


def _ball(world: World | RailWorld, told: Outlook) -> Ball:
    """Let a ball go, wait until nothing moves, and take it off."""
    ball = world.release(told.ramp)
    until_us = world.now_us + _LONGEST_US
    world.advance(world.now_us + _STEP_US)
    while world.now_us < until_us and world.moving:
        world.advance(world.now_us + _STEP_US)
    contents = world.contents
    places = {
        **{f"zone.{zone}": balls for zone, balls in contents.zones.items()},
        **{f"slot.{slot}": balls for slot, balls in contents.slots.items()},
        **{f"ramp.{ramp}": balls for ramp, balls in contents.ramps.items()},
    }
    end = next((place for place, balls in places.items() if ball in balls), "gone")
    if end != "gone":
        world.take_ball(ball)
    best, share = next(iter(told.ends.items()))
    right = end == best or (end == "gone" and best.startswith(("hole", "side")))
    return Ball(told.zone, end.startswith("zone."), share, right)


def _tell(title: str, balls: list[Ball]) -> None:
    rows = []
    for low, high in itertools.pairwise(_BOUNDS):
        some = [ball for ball in balls if low <= ball.told < high]
        if some:
            told = sum(ball.told for ball in some) / len(some)
            came = sum(ball.came for ball in some) / len(some)
            name = f"{low:.0%} to {min(high, 1):.0%}"
            rows.append((name, str(len(some)), f"{told:.1%}", f"{came:.1%}"))
    brier = sum((ball.told - ball.came) ** 2 for ball in balls) / len(balls)
    share = sum(ball.came for ball in balls) / len(balls)
    right = sum(ball.right for ball in balls) / len(balls)
    said = sum(ball.likeliest for ball in balls) / len(balls)
    show(
        f"An end zone, in {title}",
        ("told", "balls", "told on average", "came there"),
        rows,
        f"Brier score {brier:.4f}; always telling {share:.1%} would have {share * (1 - share):.4f}.",
        f"The likeliest end, told with {said:.1%} on average, came true for {right:.1%}.",
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=60)
    run(parser.parse_args().boards)

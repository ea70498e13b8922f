"""Counts accounts in which a ball crosses a closed wall: there must be none, whatever the sensors say.

    python -m bench.walls [--rolls N] [--balls N] [--farthest N] [--seed N] [--jobs N]

Boards are drawn from the whole catalogue, in any turn; balls wander over them as if there were no walls, seen
by sensors that miss and invent pulses. So nearly every roll tempts the tracker through a wall.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Fact,
    RollSettled,
)
from hextraction.board.grid import EDGES, opposite
from hextraction.board.instruments import instruments
from hextraction.board.profile import STANDARD, Board, load_board
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.tracking import Laid, Tracker
from hextraction.controller.workshop.trials.making.dataset import workers

__all__ = ["Wanderers", "main", "through_walls"]

Place = tuple[str, str]
"""Slot, ramp, zone or off, and its name."""

FARTHEST = 8
"""Over so many slots a ball wanders at most."""
_MOST_BALLS = 3
_ON_A_BOARD = 10
_OPEN_SLOTS = 0.1
_MISSES = 0.1


def opens(tiles: Mapping[str, Laid], slot: str, edge: int) -> bool:
    """Whether nothing is known that closes a slot at an edge."""
    laid = tiles.get(slot)
    mouths = None if laid is None else laid.tile.channels_at(laid.turns)
    return mouths is None or any(edge in channel for channel in mouths)


def through_walls(
    board: Board, tiles: Mapping[str, Laid], where: dict[int, Place], facts: Iterable[Fact]
) -> Iterator[str]:
    """Yield a sentence for each step of a ball that no pair of open mouths allows.

    ``where`` says where each ball was before, and is kept up to date. An open slot is not told of, so a ball
    may come over it.
    """
    for fact in facts:
        before = where.get(fact.ball, ("", ""))
        match fact:
            case BallReleased() | BallStuckOnRamp():
                where[fact.ball] = ("ramp", fact.ramp)
                continue
            case BallEntered():
                now = ("slot", fact.slot)
            case BallInZone():
                now = ("zone", fact.zone)
            case BallOffBoard():
                now = ("off", "")
            case BallFell() if fact.slot not in tiles:
                now = ("slot", fact.slot)
            case BallLeft() | BallLeftZone() | BallFell() | _:
                continue
        where[fact.ball] = now
        if before != now and not _may_pass(board, tiles, before, now):
            yield f"ball {fact.ball} goes from {' '.join(before)} to {' '.join(now)}"


def _may_pass(board: Board, tiles: Mapping[str, Laid], before: Place, now: Place) -> bool:
    """Whether a ball can get from one place to another over open edges, and open slots between them."""
    reached, waiting = {before}, [before]
    while waiting:
        for place in _beyond(board, tiles, *waiting.pop()):
            if place == now:
                return True
            if place not in reached and place[0] == "slot" and place[1] not in tiles:
                reached.add(place)
                waiting.append(place)
    return False


def _beyond(board: Board, tiles: Mapping[str, Laid], sort: str, name: str) -> Iterator[Place]:
    if sort == "ramp":
        ramp = board.ramp_by_name[name]
        doors = [(ramp.slot, ramp.edge)]
    elif sort == "zone":
        doors = [door for zone in board.zones if zone.name == name for door in zone.outlets]
    else:
        for edge in EDGES if sort == "slot" else ():
            if not opens(tiles, name, edge):
                continue
            beyond = board.by_name[name].beyond(edge)
            if beyond.slot is None:
                yield ("zone", beyond.zone) if beyond.zone else ("off", "")
            elif opens(tiles, beyond.slot, opposite(edge)):
                yield "slot", beyond.slot
        return
    for slot, edge in doors:
        if opens(tiles, slot, edge):
            yield "slot", slot


class Wanderers:
    """One board, and balls on it that heed no wall."""

    def __init__(self, seed: str, which: str = "rich") -> None:
        self._rng = random.Random(seed)
        self.board = load_board(STANDARD)
        self._names = [i.name for i in instruments(self.board, which) if not i.name.startswith("tile.")]
        kinds = sorted(
            (one for one in load_catalogue().values() if not one.covers and not one.parts),
            key=lambda one: one.name,
        )
        self.tiles = {
            slot: Laid(tile, self._rng.choice(tile.turns))
            for slot in self.board.slot_names
            if self._rng.random() >= _OPEN_SLOTS
            for tile in [self._rng.choice(kinds)]
        }
        lying = self._rng.sample(sorted(self.tiles), self._rng.randint(0, 4))
        self.where: dict[int, Place] = {ball: ("slot", slot) for ball, slot in enumerate(lying, 1)}
        self._tracker = Tracker(self.board, self._names)
        self._tracker.lay(self.tiles)
        self._tracker.put_balls(dict(enumerate(lying, 1)))
        self._at_us = 1_000_000

    def roll(self, balls: int, farthest: int = FARTHEST) -> Iterator[RollSettled]:
        """Let balls come from ramps, each over so many slots at most; yield what was settled."""
        steps = sorted(step for _ball in range(balls) for step in self._way(farthest))
        for at_us, sensor, active in steps:
            yield from self._until(at_us)
            self._tracker.feed(sensor, active, at_us)
        yield from self._until(None)
        self._at_us = max([self._at_us, *(step[0] for step in steps)]) + 20_000_000

    def _until(self, at_us: int | None) -> Iterator[RollSettled]:
        tracker = self._tracker
        while (wake_us := tracker.wake_at_us) is not None and (at_us is None or wake_us < at_us):
            yield from (fact for fact in tracker.advance(wake_us) if isinstance(fact, RollSettled))

    def _way(self, farthest: int) -> Iterator[tuple[int, str, bool]]:
        """Yield the edges of one ball, and now and then of a sensor that sees none."""
        rng = self._rng
        ramp = rng.choice(self.board.ramps)
        at_us, slot = self._at_us + rng.randint(0, 400_000), ramp.slot
        sensors = [f"ramp.{ramp.name}"]
        for _step in range(rng.randint(1, farthest)):
            edge = rng.choice((1, 2, 3, 3, 4, 4, 4, 5, 5, 6))
            beyond = self.board.by_name[slot].beyond(edge)
            sensors += [f"ball.{slot}", f"edge.{slot}.{edge}"]
            if beyond.slot is None:
                break
            sensors.append(f"edge.{beyond.slot}.{opposite(edge)}")
            slot = beyond.slot
        for sensor in sensors:
            at_us += round(rng.lognormvariate(11.0, 0.6))
            seen = rng.choice(self._names) if rng.random() < 0.03 else sensor
            if seen in self._names and rng.random() >= _MISSES:
                yield at_us, seen, True
                yield at_us + round(rng.lognormvariate(10.0, 0.6)), seen, False


def crossings(
    seed: int, rolls: int, *, most_balls: int = _MOST_BALLS, farthest: int = FARTHEST
) -> tuple[int, list[str]]:
    """Return how many rolls were settled, and every crossing of a wall, in at least ``rolls`` rolls."""
    settled, found, number = 0, [], 0
    while settled < rolls:
        wanderers = Wanderers(f"{seed} {number}", ("rich", "lean", "basic", "rich")[number % 4])
        number += 1
        for roll in range(min(_ON_A_BOARD, rolls - settled)):
            for told in wanderers.roll(1 + roll % most_balls, farthest):
                settled += 1
                answers = told.question.answers if told.question else ()
                for facts in (*(answer.facts for answer in answers), told.facts):
                    where = dict(wanderers.where)
                    steps = through_walls(wanderers.board, wanderers.tiles, where, facts)
                    found += [f"seed {seed}, board {number - 1}, roll {roll}: {step}" for step in steps]
                wanderers.where = where
    return settled, found


def main(arguments: list[str] | None = None) -> int:
    """Count; return the exit status: 1 if a ball has crossed a wall."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rolls", type=int, default=100_000, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--balls", type=int, default=_MOST_BALLS, metavar="N", help="at most, in one roll")
    parser.add_argument(
        "--farthest", type=int, default=FARTHEST, metavar="N", help="slots, at most, of a ball"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    options = parser.parse_args(arguments)
    some = partial(
        crossings,
        rolls=-(-options.rolls // options.jobs),
        most_balls=options.balls,
        farthest=options.farthest,
    )
    with workers(options.jobs) as pool:
        parts = list(
            (map if pool is None else pool.map)(some, range(options.seed, options.seed + options.jobs))
        )
    settled, found = sum(part[0] for part in parts), [step for part in parts for step in part[1]]
    print("\n".join([*found[:20], f"{settled} rolls settled, {len(found)} steps through a closed wall"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

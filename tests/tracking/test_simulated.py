"""The tracker against the truth of the simulated board: one ball, boards of known tiles."""

import random
from collections import Counter

import pytest
from helpers.tiers import first_by_day
from helpers.trackbench import BOARD, touches
from hextraction.board.facts import (
    BallFell,
    BallInZone,
    BallLeftZone,
    BallOffBoard,
    BallStuckOnRamp,
    RollSettled,
)
from hextraction.board.instruments import instruments
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.tracking import Laid, Tracker
from hextraction.simulator import World

ROLLS = 100


def seen(world, names, rng, miss):
    """Return edges ``(at_us, sensor, active)`` of what sensors saw, less the pulses that they missed."""
    covered, missed, edges = Counter(), set(), []
    for cover in world.covers():
        before = covered[cover.sensor]
        covered[cover.sensor] += 1 if cover.active else -1
        if cover.sensor not in names or bool(before) == bool(covered[cover.sensor]):
            continue
        if cover.active and rng.random() < miss:
            missed.add(cover.sensor)
        elif cover.active or cover.sensor not in missed:
            edges.append((cover.at_us, cover.sensor, cover.active))
        else:
            missed.discard(cover.sensor)
    return edges


def verdict(facts, laid, missing=()):
    """Return touches of tiles, and what became of balls; a missing ball counts as lost from its slot."""
    fates = Counter()
    for fact in facts:
        if isinstance(fact, BallFell | BallOffBoard | BallStuckOnRamp):
            fates[type(fact).__name__, getattr(fact, "slot", "ramp")] += 1
        elif isinstance(fact, BallInZone | BallLeftZone):
            fates["zone", fact.zone] += 1 if isinstance(fact, BallInZone) else -1
    fates.update(("BallOffBoard", doubt.slot) for doubt in missing)
    return {slot: many for slot, many in touches(facts).items() if slot in laid}, +fates


def right(which, seed, rng, miss):
    """Play one roll on a fresh board; return whether counts and fate are right, and how sure the tracker was."""
    names = [i.name for i in instruments(BOARD, which) if not i.name.startswith("tile.")]
    kinds = [t for t in load_catalogue().values() if t.channels and not t.covers and not t.parts]
    world, laid = World(BOARD, seed=seed), {}
    for slot in BOARD.slot_names:
        if rng.random() < 0.8:
            tile = rng.choice(kinds)
            laid[slot] = Laid(tile, rng.choice(tile.turns))
            world.lay(slot, *laid[slot])
    tracker = Tracker(BOARD, names)
    tracker.lay(laid)
    world.advance(1_000_000)
    world.release(rng.choice(BOARD.ramps).name)
    world.advance(21_000_000)
    got = []
    for at_us, sensor, active in seen(world, names, rng, miss):
        got += tracker.feed(sensor, active, at_us)
    while tracker.wake_at_us is not None:
        got += tracker.advance(tracker.wake_at_us)
    rolls = [fact for fact in got if isinstance(fact, RollSettled)]
    told = verdict([f for r in rolls for f in r.facts], laid, [d for r in rolls for d in r.missing])
    return told == verdict(world.facts(), laid), min((roll.probability for roll in rolls), default=0.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("which", "miss", "least"),
    first_by_day(
        [
            ("lean", 0.0, 0.80),
            ("rich", 0.0, 0.93),
            ("rich", 0.03, 0.86),
            ("basic", 0.0, 0.76),
            ("basic", 0.03, 0.66),
        ],
        "hundreds of simulated rolls each",
    ),
)
def test_most_simulated_rolls_are_told_exactly_and_the_others_are_doubted(which, miss, least):
    """Counts and fates are right in most rolls, and nearly always when the tracker says that it is sure."""
    rng = random.Random(f"{which} {miss}")
    rolls = [right(which, seed, rng, miss) for seed in range(ROLLS)]
    exact = sum(ok for ok, _sure in rolls) / ROLLS
    sure = [ok for ok, probability in rolls if probability >= 0.9]

    told = f"{which}, {miss:.0%} missed: exact {exact:.0%}, sure {len(sure)}, right when sure {sum(sure)}"
    assert exact >= least, told
    assert sum(sure) >= 0.93 * len(sure), told

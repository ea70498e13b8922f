"""A closed wall is closed: no account of a roll leads a ball through one."""

import pytest
from helpers.tiers import nightly
from helpers.trackbench import BOARD, STRAIGHT, Bench, way
from hextraction.board.facts import BallEntered, BallLeft, BallReleased
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.tracking import Laid

from bench.walls import crossings, through_walls

TILES = load_catalogue()
WALLED = {"A1": Laid(TILES["dic"], 0), "B1": Laid(TILES["dc"], 1), "B2": Laid(TILES["steak"], 0)}


def test_after_a_missed_beam_a_ball_that_looks_at_a_wall_stays_before_it():
    """It came over the edge that nobody saw it cross, and looked out of the next mouth, which is closed."""
    bench = Bench(tiles=WALLED)
    bench.tracker.expect("L2", 1_000_000)
    bench.pulses(("ramp.L2", 1080), ("ball.B1", 1200), ("edge.A1.3", 1320))
    settled = bench.quiet()

    assert way(settled.facts) == ["released L2", "entered B1", "left B1", "entered A1"]
    assert settled.probability > 0.8


@pytest.mark.slow
@pytest.mark.mutants
def test_no_account_leads_through_a_wall():
    """Nor does any answer: over any tiles, with balls that wander as if there were no walls."""
    rolls, found = crossings(0, 6)

    assert rolls >= 6
    assert found == []


@nightly("fifty boards each", meanwhile="test_no_account_leads_through_a_wall")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5))
def test_none_of_many_accounts_leads_through_a_wall(seed):
    """Over more boards, with every set of sensors; a hundred thousand rolls are ``python -m bench.walls``."""
    rolls, found = crossings(seed, 50)

    assert rolls >= 50
    assert found == []


def test_a_step_through_a_wall_is_found():
    """The measure itself tells a way through open mouths, or over an open slot, from one through a wall."""

    def told(*places):
        facts = [BallReleased(at_us=0, ball=1, ramp="L2")]
        for slot in places:
            facts += [BallEntered(at_us=0, ball=1, slot=slot), BallLeft(at_us=0, ball=1, slot=slot)]
        return list(through_walls(BOARD, WALLED, {}, facts))

    assert told("B1", "A1") == []
    assert told("B1", "C1") == ["ball 1 goes from slot B1 to slot C1"]
    assert told("A1") == ["ball 1 goes from ramp L2 to slot A1"]
    assert told("B1", "A1", "B3") == []  # by A2, where no tile lies


def test_a_ball_does_not_roll_out_of_its_own_tile_through_the_side():
    """A pulse of the beam beyond the wall is nobody's."""
    bench = Bench(tiles={"C3": Laid(STRAIGHT, 0)}, balls={1: "C3"})
    bench.pulses(("edge.C3.3", 1000), ("ball.D4", 1100))
    bench.quiet()

    assert dict(bench.tracker.resting) == {1: "C3"}

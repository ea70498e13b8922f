"""Worlds drawn by number: in pymunk, and on rails, the physics that knows no pymunk."""

import ast
import math
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from helpers.tiers import nightly
from hextraction.board.facts import BallEntered, BallFell, BallOffBoard, BallReleased
from hextraction.board.grid import EDGES, edge_middle_mm
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.workshop.trials.making.rolls import rolls_on
from hextraction.hal.ports import Edge
from hextraction.simulator import Noise
from hextraction.simulator.channels import shape_of, tile_walls
from hextraction.simulator.noise import NoisySensors
from hextraction.simulator.physics import GRAVITY_MM_S2, ROLLING
from hextraction.simulator.rail_world import RailWorld
from hextraction.simulator.rails import draw_rails
from hextraction.simulator.variant import variant_named
from shapely import LineString, Point

from bench.walls import through_walls

BOARD = load_board("standard-22")
TILES = load_tiles()
STRAIGHT = next(tile for tile in TILES.values() if tile.channels == ((1, 4),) and not tile.holds)


def also_slowly(*worlds):
    """Return worlds for the slow suite only."""
    return [pytest.param(world, marks=pytest.mark.slow) for world in worlds]


def by_night(*worlds):
    """Return worlds for the night only."""
    return [pytest.param(world, marks=nightly("more worlds of the same two kinds")) for world in worlds]


def played(world, seed="x", rolls=6, balls=2):
    """Return rolls in a world."""
    return list(rolls_on(BOARD, TILES, seed=seed, balls=balls, rolls=rolls, variant=world))


@pytest.mark.slow
@pytest.mark.parametrize("world", ["rails-1", *also_slowly("drawn-1"), *by_night("drawn-3", "rails-2")])
def test_the_same_number_and_seed_give_the_same_rolls(world):
    """Facts and covers come back to the last digit; another number is another world."""
    assert played(world) == played(world)
    assert played(world) != played(f"{world}0")


@pytest.mark.slow
@pytest.mark.parametrize(
    "world", ["rails-1", *also_slowly("drawn-1"), *by_night("drawn-2", "drawn-3", "rails-2", "rails-3")]
)
def test_what_happens_in_a_drawn_world_can_happen_on_a_board(world):
    """Balls come from ramps, go through open mouths only, and end in one place each; sensors go on and off."""
    ends = 0
    for seed in range(5):
        for roll in played(world, str(seed)):
            where = {ball: ("slot", slot) for ball, slot in roll.balls.items()}
            assert list(through_walls(BOARD, roll.tiles, where, roll.facts)) == []
            assert [fact.at_us for fact in roll.facts] == sorted(fact.at_us for fact in roll.facts)
            gone = [fact.ball for fact in roll.facts if isinstance(fact, BallFell | BallOffBoard)]
            released = {fact.ball for fact in roll.facts if isinstance(fact, BallReleased)}
            assert len(gone) == len(set(gone))
            assert len(released) == 2
            ends += len(set(gone) & released)
            levels = {}
            for cover in roll.covers:
                levels[cover.sensor] = levels.get(cover.sensor, 0) + (1 if cover.active else -1)
                assert cover.sensor.split(".")[0] in {"ball", "edge", "drain", "ramp", "zone", "rest", "tile"}
    assert ends > 5


def test_a_ball_on_a_straight_rail_takes_the_time_of_the_formula():
    """Down a column of straight tiles, without bends: acceleration is 5/7 g (sin tilt - resistance)."""
    world = RailWorld(BOARD, variant_named("rails-7"), seed=1)
    for slot in BOARD.slot_names:
        world.lay(slot, STRAIGHT, 0)
    world.release("L2")
    while world.moving and world.now_us < 10_000_000:
        world.advance(world.now_us + 10_000)
    entered = [(fact.at_us, fact.slot) for fact in world.facts() if isinstance(fact, BallEntered)]
    variant = world.variant
    pull = ROLLING * GRAVITY_MM_S2 * (math.sin(math.radians(variant.tilt_deg)) - variant.rails.resistance)

    assert [slot for _at_us, slot in entered] == ["B1", "B2", "B3", "B4", "B5"]
    times = [(later - sooner) / 1e6 for (sooner, _a), (later, _b) in pairwise(entered)]
    speed = 50.0 / times[0] + pull * times[0] / 2  # when it leaves the first 50 mm
    for took in times[1:]:
        loss = 1 - variant.rails.joint_loss
        fastest = (-speed + math.sqrt(speed * speed + 2 * pull * 50)) / pull
        assert fastest * 0.97 < took < fastest / (loss * 0.8) + 0.01
        speed = 50.0 / took + pull * took / 2
    assert times[0] > times[-1] or variant.rails.joint_loss > 0.05


def test_rails_lead_from_mouth_to_mouth_and_meet_in_a_knot():
    """Two edges are joined by one line, three by three arms; each begins at the middle of an edge."""
    physics = variant_named("rails-3").rails
    rails = list(draw_rails("C3", (0, 0), 50.0, ((1, 3), (2, 4, 6)), physics=physics, rng=random.Random(1)))

    assert [rail.edges for rail in rails] == [(1, 3), (2, 0), (4, 0), (6, 0)]
    for rail in rails:
        x, y, _across, _down = rail.place(0)
        assert math.dist((x, y), edge_middle_mm(rail.edges[0], 50.0)) < 0.01
    ends = {rail.place(rail.length_mm)[:2] for rail in rails[1:]}
    assert max(math.dist(a, b) for a in ends for b in ends) < 0.01


def test_the_same_board_of_rails_can_be_rolled_over_again_with_other_chance():
    """Copies of one board of one seed roll alike, those of another otherwise, and the board itself is untouched."""
    board = RailWorld(BOARD, variant_named("rails-7"), seed=1)
    crossing = next(tile for tile in TILES.values() if tile.channels == ((1, 2, 3, 4, 5, 6),))
    for slot in BOARD.slot_names:
        board.lay(slot, crossing, 0)

    def rolled(seed):
        world = board.another(seed)
        world.release("L2")
        while world.moving and world.now_us < 10_000_000:
            world.advance(world.now_us + 10_000)
        return world.facts()

    assert rolled(1) == rolled(1)
    assert len({rolled(seed) for seed in range(4)}) == 4
    assert (board.now_us, board.facts(), board.moving) == (0, (), False)


def test_the_second_physics_shares_nothing_with_the_first():
    """It imports neither pymunk nor shapely, nor a module that does, but for the numbers of a world."""
    import hextraction.simulator.rail_world as world  # noqa: PLC0415
    from hextraction.simulator import rails  # noqa: PLC0415

    names = set()
    for module in (rails, world):
        for node in ast.walk(ast.parse(Path(module.__file__).read_text())):
            if isinstance(node, ast.ImportFrom):
                names.add(node.module)
    assert not {"pymunk", "shapely", "hextraction.simulator.table", "hextraction.simulator.channels"} & names


def test_drawn_worlds_differ_in_all_that_nobody_has_measured():
    """Tilt from 8 to 30 degrees, friction from half to twice ours, sensors up to 2 mm beside their places."""
    worlds = [variant_named(f"drawn-{number}") for number in range(60)]

    tilts = [world.tilt_deg for world in worlds]
    assert min(tilts) >= 8
    assert max(tilts) <= 30
    assert max(tilts) - min(tilts) > 18
    rough = [world.physics.resistance for world in worlds]
    assert 0.0025 <= min(rough) < 0.0032
    assert 0.008 < max(rough) <= 0.01
    fit = worlds[1].fitted(5)
    fits = [fit(f"edge.C3.{edge}") for edge in EDGES]
    assert all(abs(one.x_mm) <= 2 and abs(one.y_mm) <= 2 for one in fits)
    assert len(set(fits)) == 6
    assert fits == [worlds[1].fitted(5)(f"edge.C3.{edge}") for edge in EDGES]


def test_sensors_that_are_unlike_miss_more_or_less_often():
    """Some miss three times as many pulses as others; all together miss as many as they should."""
    names = [f"s{number}" for number in range(60)]
    noisy = NoisySensors(Noise(miss=0.1, unlike=0.8), dict.fromkeys(names, False), seed=3)
    heard = dict.fromkeys(names, 0)
    for pulse in range(300):
        for name in names:
            noisy.take(Edge(name, True, 100_000 * pulse))
            noisy.take(Edge(name, False, 100_000 * pulse + 20_000))
    for edge in noisy.due(10**9):
        heard[edge.sensor] += edge.active
    missed = sorted(300 - many for many in heard.values())

    assert missed[50] > 3 * missed[10]
    assert 0.06 < sum(missed) / (300 * 60) < 0.14


def test_tiles_drawn_by_other_rules_meet_their_neighbours_mouth_to_mouth():
    """However a bend is drawn, a ball passes both its mouths in the middle of the edge."""
    for lean in (None, 0.0, 0.4, 0.8):
        shape = replace(shape_of(TILES["dic"], 0, 50.0), lean=lean, half_mm=5.4)
        for edge in EDGES:
            x_mm, y_mm = edge_middle_mm(edge, 50.0)
            nearest = min(
                LineString([wall[:2], wall[2:]]).distance(Point(x_mm, y_mm)) for wall in tile_walls(shape)
            )
            assert 5.2 < nearest < 5.6

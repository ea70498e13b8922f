"""Paths and ends: what a ball does on them and what is counted for it are one, wherever it starts."""

import random
from math import inf

import pytest
from helpers.trackbench import BOARD, STRAIGHT
from hextraction.board.facts import BallReleased
from hextraction.board.instruments import instruments
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN, Tile
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.costs import CROSSING, DIP, GLANCE, MISS
from hextraction.controller.tracking.found import Found
from hextraction.controller.tracking.graph import Graph
from hextraction.controller.tracking.live import Live
from hextraction.controller.tracking.paths import ENTERED, LEFT, LEFT_ZONE, TOUCH_BITS
from hextraction.controller.tracking.routes import Routes

TILES = [tile for tile in load_catalogue().values() if not tile.covers and not tile.parts]

CROSS = Tile(name="cross", title="Cross", channels=((1, 2, 3, 4, 5, 6),))
HOOK = Tile(name="hook", title="Hook", channels=((1, 2),))


def graph(which):
    """Return the graph of one of the sets of sensors."""
    return Graph(BOARD, [one.name for one in instruments(BOARD, which)])


def routes(board, seed, kind=Routes):
    """Return the routes over tiles of all kinds, some slots open."""
    rng = random.Random(seed)
    laid = {slot: rng.choice(TILES) for slot in BOARD.slot_names if rng.random() < 0.9}
    return kind(board, {slot: Laid(tile, rng.choice(tile.turns)) for slot, tile in laid.items()})


def places(board, seed):
    """Return all places on ramps and in zones, and some in slots."""
    inside = random.Random(seed).sample(range(board.first_ramp), 40)
    return [*inside, *range(board.first_ramp, board.first_fallen)]


def entered(board, acts):
    """Return what is counted for each slot that is entered."""
    slots = [board.slot_number[act.name] for act in acts if act.kind == ENTERED]
    return sum(1 << TOUCH_BITS * slot for slot in slots)


@pytest.mark.parametrize("which", ["basic", "rich"])
def test_touches_are_counted_where_a_ball_enters_and_nowhere_else(which):
    """On every path and every end from slots, ramps, mouths and zones."""
    board = graph(which)
    found = routes(board, 1)
    for place in places(board, 1):
        far = found.far(place)
        ways = [path for sensor in far.sensors for path in far.to(sensor)]
        assert ways
        for way in (*ways, *far.ends()):
            assert way.touched == entered(board, way.acts)


def test_a_ball_in_a_zone_stays_there_or_comes_out_as_it_says():
    """Seen again by the zone's sensors it has done nothing; anywhere else it has left the zone first."""
    board = graph("rich")
    found = routes(board, 2)
    for zone, name in enumerate(board.zones):
        place = board.first_zone + zone
        far = found.far(place)
        at_home = {board.zone_beam[zone], board.zone_rest[zone]}
        for sensor in far.sensors:
            for path in far.to(sensor):
                if sensor in at_home and not path.acts:
                    assert (path.halves, path.end) == (0.0, place)
                else:
                    assert path.acts[0][:2] == (LEFT_ZONE, name)
        assert [(end.cost, end.acts, end.end) for end in far.ends()[:1]] == [(0.0, (), place)]


@pytest.mark.parametrize("which", ["lean", "rich"])
@pytest.mark.parametrize("turns", range(6))
def test_a_ball_comes_out_of_a_zone_only_by_an_open_mouth(which, turns):
    """Whatever lay there when it was last asked: B5 has three mouths towards it, of which two, one or none are open."""
    board = graph(which)
    zone = board.first_zone + board.zone_number["L"]
    found = Routes(board, {"B5": Laid(HOOK, (turns + 1) % 6)})
    found.far(zone)
    found.lay({"B5": Laid(HOOK, turns)})
    far = found.far(zone)
    ways = [path for sensor in far.sensors for path in far.to(sensor)]

    came_out = {act.name for way in (*ways, *far.ends()) for act in way.acts if act.kind == ENTERED}
    opened = {edge for channel in HOOK.channels_at(turns) for edge in channel}
    shut = {board.edge[board.slot_number["B5"]][edge] for edge in {3, 4, 5} - opened} - {-1}
    assert ("B5" in came_out) == bool(opened & {3, 4, 5})
    assert shut.isdisjoint(far.sensors)


class Thorough(Routes):
    """Routes that are near to nothing: whoever asks has to look at all paths."""

    def near(self, place):
        return Found({}, [], -inf, 0)


def where(live):
    """Return what is believed of each ball."""
    return [(one.number, one.place, one.sensor, one.at_us, one.resting, one.pending) for one in live.balls]


@pytest.mark.slow
@pytest.mark.mutants
@pytest.mark.parametrize("seed", range(8))
def test_the_likeliest_ball_is_the_one_that_a_look_at_all_paths_finds(seed):
    """However near paths are looked at first: nothing that was not looked at would have been likelier."""
    board, rng = graph("rich"), random.Random(seed)
    found = routes(board, seed)
    all_paths = routes(board, seed, Thorough)
    quick, slow = Live(board, leave_us=80_000), Live(board, leave_us=80_000)
    at_us, seen = 1_000_000, 0
    for pulse in range(160):
        if pulse % 20 == 0:
            balls = {ball: board.at_rest(rng.randrange(len(board.slots))) for ball in range(1, 9)}
            quick.restart(balls, 9)
            slow.restart(balls, 9)
        at_us += rng.choice((20_000, 60_000, 120_000, 900_000))
        sensor = rng.choice([*found.far(rng.choice(quick.balls).place).sensors])
        facts = quick.on(sensor, at_us, routes(board, seed), 8.0)  # it knows no paths yet
        assert facts == slow.on(sensor, at_us, all_paths, 8.0)
        assert where(quick) == where(slow)
        seen += any(not isinstance(fact, BallReleased) for fact in facts or ())
        assert quick.off(sensor, at_us + 20_000, found) == slow.off(sensor, at_us + 20_000, found)
    assert seen > 10


def straights():
    """Return a column of straight tiles below each ramp of the standard board, and the graph of its sensors."""
    board = graph("rich")
    return board, Routes(board, {slot: Laid(STRAIGHT, 0) for slot in BOARD.slot_names})


def test_a_ball_that_is_quickly_past_its_ramps_beam_is_in_the_slot_below_that_ramp():
    """Of two that come at the same time the other one may be in its beam still."""
    board, found = straights()
    live = Live(board, leave_us=80_000)
    for ramp, at_us in (("R2", 1_000_000), ("L2", 1_010_000)):
        live.on(board.sensor_number[f"ramp.{ramp}"], at_us, found)
    (entered_slot,) = live.off(board.sensor_number["ramp.L2"], 1_040_000, found)

    below = next(ramp.slot for ramp in BOARD.ramps if ramp.name == "L2")
    assert (entered_slot.ball, entered_slot.slot) == (2, below)


@pytest.mark.parametrize(
    ("ramps", "sensor", "said"),
    [
        (("L2", "R2"), "ball.B1", ["L2", "B1"]),
        (("R2", "L2"), "ball.D1", ["R2", "D1"]),
        (("L1", "L2"), "ball.C1", ["L1", "C1"]),
        (("L2", "R2"), "ball.C1", None),
    ],
)
def test_a_ball_that_its_ramps_beam_missed_comes_from_the_ramp_from_which_it_may_have_come(
    ramps, sensor, said
):
    """Two are announced, and a Hall sees a ball first: near one of the ramps, on one's way, or too far from both."""
    board = graph("basic")
    found = Routes(board, {slot: Laid(CROSS, 0) for slot in BOARD.slot_names})
    live = Live(board, leave_us=80_000)
    live.waiting = [(board.ramp_number[ramp], 900_000) for ramp in ramps]
    facts = live.on(board.sensor_number[sensor], 1_000_000, found)

    assert facts is None if said is None else [facts[0].ramp, facts[-1].slot] == said


def test_a_fall_that_a_drain_would_have_seen_costs_a_missed_pulse_more():
    """Over an open slot without a drain sensor a ball falls unseen as a matter of course."""
    ramp = next(ramp for ramp in BOARD.ramps if ramp.name == "L2")
    names = [one.name for one in instruments(BOARD, "rich")]
    costs = []
    for sensors in (names, [name for name in names if name != f"drain.{ramp.slot}"]):
        board = Graph(BOARD, sensors)
        fallen = board.first_fallen + board.slot_number[ramp.slot]
        ends = Routes(board, {}).far(board.first_ramp + board.ramp_number["L2"]).ends()
        costs.append(min(end.cost for end in ends if end.end == fallen))

    assert costs[0] - costs[1] == pytest.approx(MISS)


def test_from_rest_it_is_half_a_tile_to_each_edge():
    """Whatever mouth it leaves by."""
    board = graph("rich")
    slot = board.slot_number["C3"]
    far = Routes(board, {slot: Laid(CROSS, 0) for slot in BOARD.slot_names}).far(board.at_rest(slot))

    assert [min(path.halves for path in far.to(board.edge[slot][edge])) for edge in range(1, 7)] == [1.0] * 6


@pytest.mark.parametrize("which", ["basic", "rich"])
def test_who_leaves_a_slot_was_in_it(which):
    """No path leaves a slot that it has not entered, but for the one in which it starts."""
    board = graph(which)
    found = routes(board, 3)
    for place in places(board, 3):
        start, far = board.slot_of(place), found.far(place)
        for way in (*far.ends(), *(path for sensor in far.sensors for path in far.to(sensor))):
            inside = board.slots[start] if start >= 0 else None
            for act in way.acts:
                if act.kind == ENTERED:
                    inside = act.name
                elif act.kind == LEFT:
                    assert act.name == inside
                    inside = None


@pytest.mark.parametrize(("slot", "edge", "back"), [("A4", 4, False), ("A4", 5, False), ("A1", 1, True)])
def test_only_over_an_uphill_rim_does_a_ball_come_back(slot, edge, back):
    """Who is over the edge downhill, where nothing lies beyond, falls."""
    board = graph("rich")
    number = board.slot_number[slot]
    far = Routes(board, {slot: Laid(UNKNOWN, 0)}).far(board.in_slot(number, 2))

    ways = {path.way for path in far.to(board.edge[number][edge])}
    assert {CROSSING, GLANCE} <= ways
    assert (DIP in ways) is back


def test_over_the_edge_of_an_open_slot_and_back_touches_nothing_there():
    """It left its own tile and came back; in between there was none that it could have left."""
    board = graph("rich")
    number = board.slot_number["C3"]
    far = Routes(board, {"C3": Laid(UNKNOWN, 0)}).far(board.in_slot(number, 4))
    (dip,) = [path for path in far.to(board.edge[number][1]) if path.way == DIP]

    assert [(act.kind, act.name) for act in dip.acts] == [(LEFT, "C3"), (ENTERED, "C3")]

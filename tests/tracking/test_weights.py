"""What the tracker weighs with: places, ways out of tiles, times and lengths of pulses, doubted sensors."""

from itertools import product
from math import exp, sin, sqrt

import pytest
from helpers.trackbench import BOARD, HOLE, STRAIGHT
from hextraction.board.instruments import instruments
from hextraction.board.profile import load_board
from hextraction.board.routes import Ending, load_routes
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN, Tile
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.costs import (
    CROSSING,
    DIP,
    GLANCE,
    climb_us,
    ghost_cost,
    least_time_cost,
    length_cost,
    release_cost,
    retrigger_cost,
    rocking_cost,
    time_cost,
)
from hextraction.controller.tracking.doubts import Doubts
from hextraction.controller.tracking.graph import Graph
from hextraction.controller.tracking.layout import sees
from hextraction.controller.tracking.odds import SEEN, UNSEEN, UNWATCHED, Odds
from hextraction.controller.tracking.routes import Routes
from hextraction.controller.tracking.stays import stay_on
from hypothesis import given
from hypothesis import strategies as st

NOWHERE = -1
EDGES = (1, 2, 3, 4, 5, 6)
MS = 1000


def graph(which="rich", board=BOARD):
    """Return the graph of a board with one of the sets of sensors."""
    return Graph(board, [instrument.name for instrument in instruments(board, which)])


@pytest.mark.parametrize("name", ["standard-22", "fx-19"])
def test_every_place_of_a_ball_has_its_own_number_and_is_told_by_it(name):
    """In a slot, on a ramp, stuck there, in a zone, fallen, lost or missing: never two at once."""
    board = load_board(name)
    one = graph(board=board)
    slots, ramps, zones = (range(len(some)) for some in (board.slots, board.ramps, board.zones))
    inside = {
        one.in_slot(slot, edge, seen, turned): slot
        for slot in slots
        for edge in range(7)
        for seen in (0, 1)
        for turned in (0, 1)
    }
    on_ramps = {first + ramp: ramp for first in (one.first_ramp, one.first_stuck) for ramp in ramps}
    in_zones = {one.first_zone + zone: zone for zone in zones}
    gone = {
        first + slot: slot
        for first in (one.first_fallen, one.first_lost, one.first_missing)
        for slot in slots
    }

    assert len(inside) == 28 * len(slots)
    assert len({*inside, *on_ramps, *in_zones, *gone}) == sum(map(len, (inside, on_ramps, in_zones, gone)))
    for place in (*inside, *on_ramps, *in_zones, *gone):
        assert one.slot_of(place) == inside.get(place, NOWHERE)
        assert one.on_ramp(place) == on_ramps.get(place, NOWHERE)
        assert one.in_zone(place) == in_zones.get(place, NOWHERE)
        assert one.gone(place) == (place in gone)
    assert {place: one.gone_from(place) for place in gone} == gone


def test_an_edge_between_two_slots_has_one_sensor_for_both():
    """Whichever side a ball comes from, it is the same beam; boards with few sensors have none."""
    rich, basic = graph("rich"), graph("basic")
    for slot, row in enumerate(rich.beyond):
        for edge in EDGES:
            sort, other = row[edge]
            opposite = {1: 4, 2: 5, 3: 6, 4: 1, 5: 2, 6: 3}[edge]
            if sort == rich.beyond[0][4][0]:  # another slot, as below A1
                assert rich.edge[slot][edge] == rich.edge[other][opposite] != NOWHERE
            assert basic.edge[slot][edge] == NOWHERE
    assert (rich.sees_crossings, rich.sees_exits) == (True, True)
    assert (graph("lean").sees_crossings, graph("lean").sees_exits) == (False, True)
    assert (basic.sees_crossings, basic.sees_exits) == (False, False)


def odds(**laid):
    """Return the odds on a board on which these tiles lie."""
    return Odds(graph(), {slot: Laid(tile, turns) for slot, (tile, turns) in laid.items()})


SLOT = {name: number for number, name in enumerate(slot.name for slot in BOARD.slots)}


@pytest.mark.parametrize("tile", [STRAIGHT, UNKNOWN, HOLE])
@pytest.mark.parametrize("turns", [0, 2])
@pytest.mark.parametrize("edge", range(7))
def test_nine_of_ten_balls_on_a_tile_go_out_or_turn_back_at_an_edge(tile, turns, edge):
    """Of those that do not stay; one in ten is left for what nobody thought of."""
    lying = odds(C3=(tile, turns))
    exits = lying.exits(SLOT["C3"], edge)
    go = 1 - exp(-lying.rest(SLOT["C3"], edge).cost)

    mouths = [out for out in EDGES if lying.opens(SLOT["C3"], out)]
    assert [out for out, *_costs in exits] == mouths
    assert sum(exp(-cross) + exp(-back) for _out, cross, back, _silence in exits) == pytest.approx(
        0.9 * go, abs=1e-4
    )


def crossing(odds_, slot, came, out):
    """Return how likely it is that a ball that came over an edge crosses another: never through a wall."""
    ways = {edge: exp(-cross) for edge, cross, _back, _silence in odds_.exits(SLOT[slot], came)}
    return ways.get(out, 0.0)


def turning_back(odds_, slot, came, out):
    """Return how large a part of those that reach an edge turn back there."""
    cross, back = next(
        (exp(-c), exp(-b)) for edge, c, b, _silence in odds_.exits(SLOT[slot], came) if edge == out
    )
    return back / (cross + back)


def test_a_channel_is_followed_and_downhill_rather_than_up():
    """A straight tile leads from above to below; turned, to where its channel leads then."""
    upright, turned = odds(C3=(STRAIGHT, 0)), odds(C3=(STRAIGHT, 1))

    assert crossing(upright, "C3", 1, 4) > 4 * crossing(upright, "C3", 1, 1) > 0
    assert not any(crossing(upright, "C3", 1, out) for out in (2, 3, 5, 6))
    assert crossing(turned, "C3", 2, 5) > 4 * crossing(turned, "C3", 2, 2) > 0
    assert not any(crossing(turned, "C3", 2, out) for out in (1, 3, 4, 6))
    unknown = odds(C3=(UNKNOWN, 0))
    ways = {out: crossing(unknown, "C3", 0, out) for out in EDGES}
    assert ways[4] > ways[3] == ways[5] > ways[2] == ways[6] > ways[1]


TILES = load_catalogue()


def test_route_tables_say_where_a_ball_goes_and_where_it_stays():
    """All balls roll through a decree; at the closed foot of a star they stay; in a cradle they are caught."""
    lying = odds(C3=(TILES["decree"], 0), B2=(TILES["xefros"], 0), D2=(TILES["newtons-cradle"], 0))

    assert crossing(lying, "C3", 2, 5) > 0.7
    assert exp(-lying.rest(SLOT["C3"], 2).cost) < 0.01
    assert exp(-lying.rest(SLOT["B2"], 4, turned=1).cost) > 0.9
    assert exp(-lying.rest(SLOT["D2"], 2).cost) > 5 * exp(-lying.rest(SLOT["C3"], 2).cost)


def test_the_hall_tells_by_which_way_a_ball_goes():
    """Seen over the middle of a star a ball went through it; one that was not seen is rarely through."""
    lying, slot = odds(C3=(TILES["xefros"], 0)), SLOT["C3"]
    seen, silent = (
        {out: exp(-cross) for out, cross, _back, _silence in lying.exits(slot, 1, hall)}
        for hall in (SEEN, UNSEEN)
    )

    assert seen[4] > 5 * silent[4]
    assert silent[4] > 0.1  # it may have seen another ball all the time
    assert exp(-lying.hall_cost(slot, 1, 0)) > 0.9


@pytest.mark.parametrize("tiles", [(STRAIGHT, UNKNOWN, HOLE), (STRAIGHT, TILES["asterisk"])])
def test_what_is_asked_of_one_slot_says_nothing_about_another(tiles):
    """However many slots and edges have been asked about, the answer is that of odds that nobody has asked."""
    lying = {slot: Laid(tiles[number % len(tiles)], number % 6) for slot, number in SLOT.items()}
    del lying["A2"], lying["D3"]
    board = graph()
    asked = Odds(board, lying)
    for slot in SLOT.values():
        for edge, hall, turned in product(range(7), (UNWATCHED, SEEN, UNSEEN), range(2)):
            fresh = Odds(board, lying)
            assert asked.exits(slot, edge, hall, turned) == fresh.exits(slot, edge, hall, turned)
            assert asked.rest(slot, edge, hall, turned) == fresh.rest(slot, edge, hall, turned)
            assert asked.against(slot, edge, turned) == fresh.against(slot, edge, turned)


@pytest.mark.parametrize(("before", "now"), [(1, 2), (2, 1), (None, 1), (1, None)])
def test_a_tile_that_is_turned_is_another_tile(before, now):
    """What is known of the slots around is found anew, whichever way it is turned, laid or taken."""
    laid = {"C2": Laid(STRAIGHT, 0), "C4": Laid(STRAIGHT, 0), "D3": Laid(STRAIGHT, 0)}
    board = graph()
    with_before, with_now = (
        laid | ({} if turns is None else {"C3": Laid(STRAIGHT, turns)}) for turns in (before, now)
    )
    routes = Routes(board, with_before)
    places = [board.in_slot(SLOT[slot], edge) for slot in (*laid, "C3") for edge in EDGES]
    for place in places:
        routes.far(place)
    routes.lay(with_now)

    for place in places:
        fresh = Routes(board, with_now).far(place)
        for sensor in range(len(board.names)):
            assert routes.far(place).to(sensor) == fresh.to(sensor)


@pytest.mark.parametrize(("before", "now"), [(0, 1), (1, 0)])
def test_a_tile_on_which_more_or_fewer_balls_lie_has_changed(before, now):
    """They fill its pockets or are in the way."""
    board, laid = graph(), {"C3": Laid(TILES["triple-trap"], 0)}
    lying = [{SLOT["C3"]: balls} if balls else {} for balls in (before, now)]

    assert Odds(board, laid, lying[1]).changed_since(Odds(board, laid, lying[0])) != 0
    assert Odds(board, laid, lying[1]).changed_since(Odds(board, laid, lying[1])) == 0


def test_a_ball_may_cover_the_sensors_of_its_slot_and_of_the_ramps_above():
    """What lies in B1 is before no beam of another slot."""
    board = graph()
    beside = {board.names[sensor] for sensor in board.beside(board.in_slot(SLOT["B1"])) if sensor != NOWHERE}

    assert {name.partition(".")[0] for name in beside} == {"ball", "drain", "edge", "ramp"}
    assert {name for name in beside if name.startswith("ramp.")} == {"ramp.L1", "ramp.L2", "ramp.L3"}
    assert "ball.B1" in beside
    below = board.beside(board.in_slot(SLOT["B2"]))
    assert not any(board.names[sensor].startswith("ramp.") for sensor in below if sensor != NOWHERE)


def test_a_ball_in_a_zone_or_on_a_ramp_may_cover_what_is_there():
    """Before the mouths of a zone it lies in the beams of the tiles above; who is lost covers nothing."""
    board = graph()

    def beside(place):
        return {board.names[sensor] for sensor in board.beside(place) if sensor != NOWHERE}

    zone = board.first_zone + board.zone_number["R"]
    assert beside(zone) == {"zone.R", "rest.R", "edge.D5.3", "edge.D5.4", "edge.D5.5"}
    for first in (board.first_ramp, board.first_stuck):
        assert beside(first + board.ramp_number["R2"]) == {"ramp.R2"}
    assert beside(board.first_lost) == beside(board.first_missing) == set()


def test_an_end_zone_without_a_sensor_is_not_seen():
    """A beam of its own sees it, or beams at all its mouths."""
    every = [one.name for one in instruments(BOARD)]
    bare = [name for name in every if not name.startswith(("zone.", "rest.", "edge."))]

    assert sees(Graph(BOARD, every)).zones == (len(BOARD.zones), len(BOARD.zones))
    assert sees(Graph(BOARD, bare)).zones == (0, len(BOARD.zones))
    assert sees(Graph(BOARD, [*bare, "zone.L"])).zones == (1, len(BOARD.zones))


def test_an_end_zone_is_seen_by_the_beams_at_its_mouths():
    """Without sensors of its own, if none of these beams is missing."""
    every = [one.name for one in instruments(BOARD) if not one.name.startswith(("zone.", "rest."))]
    one = graph()
    (slot, edge), *_more = one.outlets[0]
    mouth = one.names[one.edge[slot][edge]]

    assert sees(Graph(BOARD, every)).zones.all
    assert not sees(Graph(BOARD, [name for name in every if name != mouth])).zones.all


@pytest.mark.parametrize(
    ("sensor", "limit"),
    [
        ("edge.B1.4", "A ball can go round between slots"),
        ("edge.A4.4", "A ball can leave over the side unseen"),
        ("ball.B1", "A ball that lies in the middle of a slot is not seen"),
        ("drain.B1", "A ball that falls through a tile's hole is missed"),
        ("ramp.L2", "A release is only known if it is announced"),
    ],
)
def test_one_sensor_that_is_missing_or_broken_is_a_limit(sensor, limit):
    """Of a layout that has all others; only a ball beside a Hall is seen by the beams between slots, too."""
    every = [one.name for one in instruments(BOARD)]
    broken = Graph(BOARD, every)
    broken.working[broken.sensor_number[sensor]] = False

    assert sees(Graph(BOARD, every)).limits == ()
    for less in (broken, Graph(BOARD, [name for name in every if name != sensor])):
        said, *more = sees(less).limits
        assert said.startswith(limit)
        assert len(more) == (sensor == "edge.B1.4")


def test_a_slot_whose_three_halls_are_broken_is_not_seen_widely():
    """Nor one that has a single Hall."""
    three = ["ball.B1", "ball.B1.2", "ball.B1.3", "ball.B2"]
    wide = Graph(BOARD, three)
    assert sees(wide).wide == (1, len(BOARD.slots))
    wide.working[wide.sensor_number["ball.B1"]] = False

    assert sees(wide).wide == (0, len(BOARD.slots))


def test_the_way_into_an_end_zone_is_half_a_tile_and_to_its_floor_half_a_tile_more():
    """From the lowest beam of a column to the beam of the zone, and on to where balls lie."""
    board = graph()
    routes = Routes(board, {"B5": Laid(STRAIGHT, 0)})
    far = routes.far(board.in_slot(SLOT["B5"], 1))
    beam, zone, floor = (
        min(path.halves for path in far.to(board.sensor_number[sensor]))
        for sensor in ("edge.B5.4", "zone.L", "rest.L")
    )

    assert (zone - beam, floor - zone) == (1.0, 1.0)


def test_on_a_tile_without_mouths_every_ball_stays():
    """There is no way out of a lid, and no ball more than there are."""
    lid = Tile(name="lid", title="Lid", channels=())

    assert stay_on(lid, 0, 0, 0).rests == 1.0
    assert not any(stay_on(lid, 0, 0, 0).outs)


def test_a_tile_opens_where_its_channels_lead_as_it_lies():
    """Turned by one sixth the straight one opens at edges 2 and 5; an unknown or open slot everywhere."""
    lying = odds(B2=(STRAIGHT, 0), C3=(STRAIGHT, 1), D2=(UNKNOWN, 0))

    opened = {name: [edge for edge in EDGES if lying.opens(SLOT[name], edge)] for name in ("B2", "C3", "D2")}
    assert opened == {"B2": [1, 4], "C3": [2, 5], "D2": list(EDGES)}
    assert [lying.is_open(SLOT[name]) for name in ("B2", "E1")] == [False, True]


def test_balls_turn_back_at_walls_uphill_and_hardly_downhill():
    """A wall stops nearly all, a slope some, an open mouth below almost none."""
    walled = odds(C3=(UNKNOWN, 0), C4=(STRAIGHT, 2), C2=(UNKNOWN, 0), B3=(UNKNOWN, 0))

    assert turning_back(walled, "C3", 0, 4) > 0.9  # C4's channel does not open upwards
    assert 0.1 < turning_back(walled, "C3", 0, 1) < 0.5
    opened = odds(C3=(UNKNOWN, 0), C4=(STRAIGHT, 0))
    assert turning_back(opened, "C3", 0, 4) < 0.2


def test_what_has_changed_is_told_slot_by_slot():
    """A tile laid, lifted or turned has changed; one that lies as before has not."""
    before = odds(B2=(STRAIGHT, 0), C3=(STRAIGHT, 0), D2=(HOLE, 0))
    now = odds(B2=(STRAIGHT, 1), C3=(STRAIGHT, 0), E1=(HOLE, 0))

    changed = {name for name, slot in SLOT.items() if now.changed_since(before) >> slot & 1}
    assert changed == {"B2", "D2", "E1"}
    assert before.changed_since(before) == 0


@given(st.integers(1, 10**7), st.integers(1, 10**7), st.floats(0.5, 6))
def test_a_ball_that_is_too_quick_is_the_less_believed_the_quicker_it_is(one_us, other_us, halves):
    """None flies: below the usual time less time is never likelier; and nothing costs more than 14."""
    usual_us = 45_000 * halves
    quick, slow = sorted((min(one_us, usual_us), min(other_us, usual_us)))

    assert 14.0 >= time_cost(int(quick), halves) >= time_cost(int(slow), halves)


@given(st.integers(100_000, 10**9), st.integers(100_000, 10**9))
def test_a_ball_that_lingers_is_the_less_believed_the_longer_it_does_up_to_a_limit(one_us, other_us):
    """Some linger: more than 100 ms for half a tile costs more and more, but never above 5.5."""
    brief, long = sorted((one_us, other_us))

    assert time_cost(brief, 1.0) <= time_cost(long, 1.0) <= 5.5


@given(st.integers(1, 10**7), st.floats(0.5, 40))
def test_no_way_that_a_ball_may_have_gone_costs_less_than_the_least(elapsed_us, halves):
    """What is left out because even the least is too dear would have been too dear (no account is lost)."""
    assert least_time_cost(elapsed_us) <= time_cost(elapsed_us, halves) + 1e-9


def test_most_balls_need_60_ms_for_half_a_tile():
    """Half as long or twice as long is less likely, and so is the same time for twice the way."""
    usual = time_cost(60 * MS, 1.0)

    assert usual < time_cost(30 * MS, 1.0) < time_cost(15 * MS, 1.0)
    assert usual < time_cost(120 * MS, 1.0) < time_cost(600 * MS, 1.0)
    assert time_cost(60 * MS, 2.0) > time_cost(120 * MS, 2.0) - 0.1
    assert time_cost(0, 1.0) == time_cost(500, 1.0) > 10


@pytest.mark.parametrize(("edge", "ramp", "climb_mm", "steep"), [
    (1, False, 8, 1.0), (4, False, 8, 1.0), (2, False, 8, 0.5), (6, False, 8, 0.5), (1, True, 6, 1.0),
])  # fmt: skip
def test_a_ball_that_climbs_and_rolls_back_covers_a_beam_as_long_as_falling_it_twice(
    edge, ramp, climb_mm, steep
):
    """Rolling from rest for half of that time it comes just as far down the slope as it climbed."""
    for tilt_deg in (10.0, 15.0, 20.0):
        down_s = climb_us(tilt_deg, edge, ramp=ramp) / 2e6
        pull = 5 / 7 * 9.81 * sin(tilt_deg * 3.141592653589793 / 180) * steep

        assert pull * down_s * down_s / 2 * 1000 == pytest.approx(climb_mm)
        assert down_s == pytest.approx(sqrt(2 * climb_mm / 1000 / pull))


def test_a_pulse_is_a_crossing_a_glance_or_a_dip_by_its_length():
    """24 ms is a ball that goes over; with a climb of 200 ms, 120 ms is a glance and 214 ms a dip."""
    likeliest = {
        length_ms: min((CROSSING, GLANCE, DIP), key=lambda way: length_cost(length_ms * MS, way, 200.0 * MS))
        for length_ms in (24, 30, 120, 214)
    }

    assert likeliest == {24: CROSSING, 30: CROSSING, 120: GLANCE, 214: DIP}
    assert min(length_cost(None, way, 200.0 * MS) for way in (CROSSING, DIP)) > 2
    assert length_cost(None, GLANCE, 200.0 * MS) < 1


@given(st.integers(0, 10**9), st.sampled_from([CROSSING, GLANCE, DIP]))
def test_no_length_of_a_pulse_is_impossible(length_us, way):
    """A strange length costs at most 8; shorter than half a millisecond is as good as that."""
    assert length_cost(length_us, way, 200_000.0) <= 8.0
    assert length_cost(min(length_us, 500), way, 200_000.0) == length_cost(500, way, 200_000.0)


def test_a_ball_that_rocks_looks_in_for_a_shorter_time_each_time():
    """After a glance of 100 ms one of 80 ms is likelier than one of 140 ms, and a crossing unlikely."""
    climb = 200.0 * MS

    def cost(length_ms, way, before=GLANCE):
        return rocking_cost(length_ms * MS, way, climb, 100 * MS, before)

    assert cost(80, GLANCE) < cost(120, GLANCE) < cost(140, GLANCE)
    assert cost(55, GLANCE) < cost(123, GLANCE) - 0.3  # as much shorter as the other one is longer
    assert cost(80, GLANCE) < cost(24, CROSSING)
    assert cost(24, CROSSING, GLANCE) > cost(24, CROSSING, DIP)
    assert cost(214, DIP, GLANCE) > cost(214, DIP, CROSSING) == cost(214, DIP, DIP)


def test_a_glance_that_lasts_longer_than_over_the_edge_and_back_is_hardly_one():
    """400 ms after as many, where the whole climb takes 200 ms; where it takes 400 they are nothing strange."""
    short, high = (rocking_cost(400 * MS, GLANCE, climb * MS, 400 * MS, GLANCE) for climb in (200.0, 400.0))

    assert short > high + 1.0


def test_a_ball_that_came_back_at_one_edge_turns_back_at_another_as_any_ball():
    """Only over the edge at which it rocks does it look out again."""
    board = graph()
    odds = Odds(board, dict.fromkeys(SLOT, Laid(TILES["asterisk"], 0)))
    turned, fresh = (
        {out: exp(cross - turn) for out, cross, turn, _worth in odds.exits(SLOT["B2"], 2, UNWATCHED, rocks)}
        for rocks in (1, 0)
    )

    assert turned[1] == pytest.approx(fresh[1], rel=1e-3)
    assert turned[2] > 1.1 * fresh[2]


@pytest.mark.parametrize("edge", EDGES)
def test_no_ball_rolls_up_out_of_an_open_slot(edge):
    """It may fly on over the lower edges."""
    odds = Odds(graph(), {slot: Laid(STRAIGHT, 0) for slot in SLOT if slot != "C3"})

    assert {way[0] for way in odds.exits(SLOT["C3"], edge)} <= {3, 4, 5}


def test_a_halls_slot_is_one_and_a_beams_are_those_on_both_sides():
    """At the board's rim a beam has one side; a ramp's beam sees no ball that lies in a slot."""
    board = graph()
    slots = {
        name: {board.slots[slot] for slot in board.slots_at(board.sensor_number[name])}
        for name in ("ball.C3", "edge.B1.4", "edge.A1.2", "edge.B5.4", "ramp.L2", "drain.C3")
    }

    assert slots == {
        "ball.C3": {"C3"}, "edge.B1.4": {"B1", "B2"}, "edge.A1.2": {"A1", "B1"}, "edge.B5.4": {"B5"},
        "ramp.L2": set(), "drain.C3": set(),
    }  # fmt: skip


def test_a_ball_that_rocks_across_covers_the_beam_for_longer_each_time():
    """From one crossing of 100 ms to the next: 120 ms is likelier than 60 ms; then it fails near the top."""
    climb = 200.0 * MS

    def cost(length_ms, way):
        return rocking_cost(length_ms * MS, way, climb, 100 * MS, CROSSING)

    assert cost(120, CROSSING) < cost(60, CROSSING)
    assert cost(120, CROSSING) < cost(220, CROSSING)
    assert cost(160, GLANCE) < cost(100, GLANCE) <= 5.0
    assert cost(160, GLANCE) < -1.0  # longer than that only if it takes longer than over the edge and back
    assert cost(160, GLANCE) < cost(300, GLANCE)


def test_short_pulses_from_nowhere_are_likelier_than_long_ones_and_those_that_last():
    """A glitch is short: 40 ms and more cost extra. What stays on with no ball near is a broken sensor: rare."""
    assert ghost_cost(39_999) < ghost_cost(40_000) < ghost_cost(None)


def test_a_pulse_that_breaks_in_two_does_so_within_20_ms():
    """Sooner it is a gain, later a cost."""
    assert retrigger_cost(19_999) < 0 < retrigger_cost(20_000)


def test_a_release_is_believed_the_less_the_more_speaks_against_it():
    """Announced it is free, whatever speaks against it; else busy, gated, haunted or just told of costs more."""
    plain = release_cost(announced=False, busy=False, again=False)

    assert release_cost(announced=True, busy=True, again=False, gated=True) == 0
    assert plain < release_cost(announced=False, busy=True, again=False)
    assert plain < release_cost(announced=False, busy=False, again=False, gated=True)
    haunted = release_cost(announced=False, busy=False, again=False, haunted=True)
    again = release_cost(announced=False, busy=False, again=True)
    assert plain < haunted < again
    assert release_cost(announced=True, busy=False, again=True, haunted=True) == 0


def test_the_26th_stray_pulse_in_a_short_while_makes_a_sensor_noisy():
    """Not the 25th, and not those of another sensor."""
    doubts = Doubts()
    for _pulse in range(25):
        doubts.unexplained(3, 0)
        doubts.unexplained(4, 0)
    assert doubts.noisy == set()
    doubts.unexplained(4, 0)
    assert doubts.noisy == {4}


def test_strays_are_forgiven_one_in_five_seconds():
    """A few a minute are no fault however long it takes; one a second are."""
    doubts = Doubts()
    for pulse in range(200):
        doubts.unexplained(3, pulse * 6_000_000)
    assert doubts.noisy == set()
    for pulse in range(40):
        doubts.unexplained(4, pulse * 1_000_000)
    assert doubts.noisy == {4}


def test_a_burst_of_pulses_is_noise_even_if_balls_explain_each():
    """A ball that rocks for six seconds makes two dozen; twenty a second are none's."""
    doubts = Doubts()
    for pulse in range(24):
        doubts.pulsed(3, pulse * 250_000)
    for pulse in range(600):
        doubts.pulsed(5, pulse * 1_200_000)
    assert doubts.noisy == set()
    for pulse in range(30):
        doubts.pulsed(4, pulse * 50_000)
    assert doubts.noisy == {4}


def test_many_pulses_in_each_of_three_rolls_are_noise():
    """Six in a roll of one ball, twelve in one of four; a roll between without them begins anew."""
    doubts = Doubts()
    for pulses in ({3: 6, 4: 5}, {3: 6, 4: 5}, {4: 6}, {3: 6}, {3: 6}):
        doubts.rolled(pulses, 1)
    assert doubts.noisy == set()
    doubts.rolled({3: 6}, 1)
    assert doubts.noisy == {3}
    for _roll in range(3):
        doubts.rolled({5: 11, 6: 12}, 4)
    assert doubts.noisy == {3, 6}


def test_what_a_ball_covers_at_rest_is_not_stuck():
    """It puzzled while the ball was on its way, and no more."""
    doubts = Doubts()
    doubts.unexplained(3, 1_000_000)
    doubts.covered([3])
    doubts.look(60_000_000)
    assert doubts.stuck == set()


def test_a_sensor_on_for_five_seconds_without_a_ball_is_stuck_until_it_goes_off():
    """To the microsecond, and each by itself; who says that it works is believed."""
    doubts = Doubts()
    doubts.unexplained(3, 1_000_000)
    doubts.unexplained(4, 2_000_000)

    assert doubts.wake_at_us == 6_000_000
    doubts.look(5_999_999)
    assert doubts.stuck == set()
    doubts.look(6_000_000)
    assert doubts.stuck == {3}
    assert doubts.wake_at_us == 7_000_000
    doubts.look(7_000_000)
    assert doubts.wake_at_us is None
    doubts.off(3)
    assert doubts.stuck == {4}
    doubts.forgive(4)
    assert doubts.stuck == set()


class TestStays:
    """What a ball does on a tile: route tables of every tilt, mixed with channels."""

    @pytest.mark.parametrize("dish", ["pachinko", "blue-shell", "waffle"])
    def test_on_a_dish_some_balls_always_rest(self, dish):
        """Whatever the table says: how flat it came out of the printer is not known."""
        tile = load_catalogue()[dish]
        for edge in EDGES:
            stay = stay_on(tile, 0, edge, 0)
            assert stay.rests >= 0.02
            assert stay.rests + sum(stay.outs) == pytest.approx(1)

    @pytest.mark.parametrize("edge", [2, 3, 5, 6])
    def test_the_fuller_the_pockets_of_a_tile_the_fewer_balls_they_catch(self, edge):
        """Of four pockets one may be full: who comes next is caught in fewer cases, but more than in none."""
        trap = load_catalogue()["quad-trap"]
        empty, one, full = (stay_on(trap, 0, edge, 0, lying).rests for lying in (0, 1, trap.holds))

        assert empty > one + 0.05 > full + 0.1

    def test_the_tables_of_other_tilts_count_half(self):
        """In a piñata more balls rest the steeper the board; what is told of any tilt lies in between."""
        tile = load_catalogue()["pinata"]
        flat, steep = (stay_on(tile, 0, 2, 0, tilt_deg=tilt_deg).rests for tilt_deg in (10.0, 20.0))
        alone = [load_routes(tilt_deg).of(tile).laid(0, 2).share(Ending.RESTS) for tilt_deg in (10.0, 20.0)]

        assert alone[0] + 0.1 < flat < steep < alone[1] - 0.05

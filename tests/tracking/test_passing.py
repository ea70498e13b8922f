"""What the silence of a sensor is worth: certain ways of balls, and the sensors that should have seen them."""

import pytest
from helpers.trackbench import BOARD, STRAIGHT
from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallReleased,
)
from hextraction.board.instruments import instruments
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.costs import MISS
from hextraction.controller.tracking.doubts import Doubts
from hextraction.controller.tracking.graph import Graph
from hextraction.controller.tracking.odds import Odds
from hextraction.controller.tracking.passing import passed_by

TILES = load_catalogue()
GRAPH = Graph(BOARD, [one.name for one in instruments(BOARD) if not one.name.startswith("tile.")])


def worth(facts, **laid):
    """Return what silence is worth, by the names of the sensors, with certain tiles laid."""
    found = passed_by(facts, GRAPH, Odds(GRAPH, laid))
    return {GRAPH.names[sensor]: nats for sensor, nats in found.items()}


def came(*slots):
    """Return the facts of a ball that comes down L2 and rolls over some slots, resting in the last."""
    facts = [BallReleased(at_us=0, ball=1, ramp="L2")]
    for slot in slots:
        facts += [BallEntered(at_us=0, ball=1, slot=slot), BallLeft(at_us=0, ball=1, slot=slot)]
    return facts[:-1]


DIC = Laid(TILES["dic"], 0)


def test_a_beam_is_worth_a_miss_and_a_hall_as_much_as_balls_come_near():
    """Straight over the middle nearly a miss; around the bend of a tile less; nothing where it was not."""
    straight = worth(came("B1", "B2"), B1=Laid(TILES["dic"], 0), B2=DIC)
    bent = worth(came("B1", "C1"), B1=Laid(TILES["sushi-maki"], 2), C1=DIC)

    assert straight["ramp.L2"] == straight["edge.B1.4"] == MISS
    assert 2.5 < straight["ball.B1"] < MISS
    assert "ball.C1" not in straight
    assert 0 < bent.get("ball.B1", 0.1) < straight["ball.B1"]


def test_a_ball_that_falls_or_leaves_the_board_passed_its_last_tiles_hall():
    """Through an open slot below, or over the side, by whichever of its mouths."""
    fell = worth(
        [*came("B1"), BallLeft(at_us=0, ball=1, slot="B1"), BallFell(at_us=0, ball=1, slot="B2")], B1=DIC
    )
    assert {"drain.B2", "edge.B1.4", "ball.B1"} <= set(fell)

    down = came("B1", "A1")
    off = worth(
        [*down, BallLeft(at_us=0, ball=1, slot="A1"), BallOffBoard(at_us=0, ball=1, slot="A1")],
        B1=Laid(TILES["asterisk"], 0),
        A1=Laid(TILES["asterisk"], 0),
    )
    assert 0 < off["ball.A1"] < MISS
    assert off["edge.A1.5"] == MISS  # balls that leave this way do so downhill
    assert not {"edge.A1.1", "edge.A1.6"} & set(off)


def test_a_ball_in_a_zone_left_its_last_tile_by_the_mouth_that_leads_there():
    """Half of those that leave a King go back up; this one is in the zone, so it left by the one mouth below."""
    facts = [*came("B4", "B5"), BallLeft(at_us=0, ball=1, slot="B5"), BallInZone(at_us=0, ball=1, zone="L")]

    assert worth(facts, B4=DIC, B5=Laid(TILES["king"], 0))["edge.B5.4"] == MISS


@pytest.mark.parametrize(("ramp", "heard"), [("L1", False), ("L2", True), ("L3", False)])
def test_a_ball_comes_in_by_the_mouth_below_its_ramp(ramp, heard):
    """A straight channel leads one from the middle ramp over the Hall; those beside it end at a wall."""
    facts = [BallReleased(at_us=0, ball=1, ramp=ramp), *came("B1", "B2")[1:]]

    assert ("ball.B1" in worth(facts, B1=Laid(STRAIGHT, 0), B2=DIC)) is heard


@pytest.mark.parametrize(
    ("tile", "turns", "blamed"),
    [(STRAIGHT, 1, {"edge.A1.5"}), (TILES["asterisk"], 0, set())],
)
def test_the_beam_of_the_only_way_out_was_passed(tile, turns, blamed):
    """A ball that lay there was knocked over the side: by the one mouth there, or nobody knows by which."""
    off = worth(
        [BallLeft(at_us=0, ball=1, slot="A1"), BallOffBoard(at_us=0, ball=1, slot="A1")],
        A1=Laid(tile, turns),
    )
    assert {sensor for sensor in off if sensor.startswith("edge.")} == blamed


def test_a_hall_over_which_balls_come_to_lie_is_worth_no_more_than_a_miss():
    """In a trap nearly all lie over it; three of them are no more than one; one that left again says nothing."""
    trap = Laid(TILES["double-trap"], 0)
    lying = [
        fact
        for ball in (1, 2, 3)
        for fact in (BallReleased(at_us=0, ball=ball, ramp="L2"), BallEntered(at_us=0, ball=ball, slot="B1"))
    ]

    assert 2.0 < worth(lying[:2], B1=trap)["ball.B1"] < MISS
    assert worth(lying, B1=trap)["ball.B1"] == MISS
    assert "ball.B1" not in worth([*lying[:2], BallLeft(at_us=0, ball=1, slot="B1")], B1=trap)


def test_a_ball_that_came_out_of_an_end_zone_was_perhaps_never_on_its_floor():
    """It passed the beam of the zone; what sees the floor may have seen nothing."""
    inside = [*came("B1"), BallLeft(at_us=0, ball=1, slot="B1"), BallInZone(at_us=0, ball=1, zone="L")]
    out = BallLeftZone(at_us=0, ball=1, zone="L")

    assert {"zone.L", "rest.L"} <= set(worth(inside))
    assert worth([*inside, out])["zone.L"] == MISS
    assert "rest.L" not in worth([*inside, out])


def test_where_nobody_knows_by_which_mouth_a_ball_left_its_hall_may_be_blamed_but_no_beam():
    """On a dish balls leave anywhere, and most of them come over the middle."""
    off = worth(
        [
            *came("B1", "A1"),
            BallLeft(at_us=0, ball=1, slot="A1"),
            BallOffBoard(at_us=0, ball=1, slot="A1"),
        ],
        B1=Laid(TILES["asterisk"], 0),
        A1=Laid(TILES["pachinko"], 0),
    )

    assert 0 < off["ball.A1"] < MISS
    assert not {"edge.A1.1", "edge.A1.5", "edge.A1.6"} & set(off)


def test_a_hall_on_an_unknown_tile_is_not_blamed():
    """Nobody knows how near balls come there."""
    assert "ball.B1" not in worth(came("B1", "B2"), B1=Laid(UNKNOWN, 0), B2=DIC)


def test_in_one_roll_no_silence_is_worth_more_than_a_miss():
    """Misses come in spells: a ball that rocks over a beam ten times is one roll."""
    found = worth(came(*["B1", "B2"] * 10), B1=DIC, B2=DIC)

    assert found["edge.B1.4"] == found["ball.B1"] == MISS


@pytest.mark.parametrize(("nats", "rolls"), [(MISS, 3), (2.6, 3), (1.3, 6)])
def test_a_sensor_is_silent_after_as_many_rolls_as_its_silence_is_worth(nats, rolls):
    """And what it says in between takes all of it back."""
    doubts = Doubts()
    for _roll in range(rolls - 1):
        doubts.passed({7: nats}, {})
    assert doubts.silent == set()
    doubts.passed({7: nats}, {})
    assert doubts.silent == {7}

    doubts.heard(7)
    for _roll in range(4 * rolls):
        doubts.passed({7: nats}, {})
        if _roll % 2:
            doubts.passed({7: nats}, {7: 1})
    assert doubts.silent == set()

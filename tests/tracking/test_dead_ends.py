"""Dead ends, which have room for one ball, and balls that climb over an edge and are soon back."""

import pytest
from helpers.trackbench import ALL_UNKNOWN, BOARD, STRAIGHT, Bench, touches, way
from hextraction.board.facts import BallEntered
from hextraction.board.instruments import instruments
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.graph import Graph
from hextraction.controller.tracking.odds import Odds

TILES = load_tiles()
PINATA = Laid(TILES["pinata"], 0)
SHUT_ABOVE = Laid(TILES["x"], 1)
COLUMN = ALL_UNKNOWN | {"B1": Laid(STRAIGHT, 0), "B2": Laid(STRAIGHT, 0), "B3": PINATA}
GRAPH = Graph(BOARD, [one.name for one in instruments(BOARD)])


def lies(settled):
    """Return the last slot of each ball that came."""
    return sorted({fact.ball: fact.slot for fact in settled.facts if isinstance(fact, BallEntered)}.values())


def roll_one(bench, at_ms, beams=("edge.B1.4", "edge.B2.4")):
    """Let a ball roll down the column from L2, over these beams."""
    bench.tracker.expect("L2", at_ms * 1000)
    bench.pulse("ramp.L2", at_ms + 40, 36)
    bench.pulse("ball.B1", at_ms + 110, 36)
    for beam in beams:
        bench.pulse(beam, {"edge.B1.4": at_ms + 180, "edge.B2.4": at_ms + 280}[beam])
        if beam == "edge.B1.4":
            bench.pulse("ball.B2", at_ms + 225, 30)


def test_a_ball_that_leans_on_one_in_a_dead_end_is_still_on_the_tile_before():
    """The first lies 6.5 mm inside, so that the middle of the second cannot be inside at all."""
    bench = Bench(tiles=COLUMN)
    roll_one(bench, 1000)
    roll_one(bench, 1500, beams=["edge.B1.4"])
    bench.on("edge.B2.4", 1800)
    settled = bench.quiet()

    assert lies(settled) == ["B2", "B3"]
    assert settled.question is None
    assert touches(settled.facts)["B3"] == 1


def test_no_ball_gets_unseen_into_a_dead_end_that_is_full():
    """The beam before it may have missed the second ball: there is no room for it all the same."""
    bench = Bench(tiles=COLUMN)
    roll_one(bench, 1000)
    roll_one(bench, 1500, beams=["edge.B1.4"])
    settled = bench.quiet()

    answers = settled.question.answers if settled.question else (settled,)
    assert all(touches(answer.facts)["B3"] <= 1 for answer in answers)


def test_a_ball_that_dips_towards_a_full_dead_end_does_not_get_into_it():
    """It covers the beam for as long as over the edge and back would take, but leans on the one inside meanwhile."""
    bench = Bench(tiles=COLUMN)
    roll_one(bench, 1000)
    roll_one(bench, 1500, beams=["edge.B1.4"])
    bench.pulse("edge.B2.4", 1800, 200)
    bench.pulse("ball.B2", 2060, 60)

    assert touches(bench.quiet().facts)["B3"] == 1


def test_a_dead_end_that_is_full_is_a_wall_in_the_next_roll_too():
    """A ball that came into it in the roll before turns one away that looks in, and does not come out for it."""
    bench = Bench(tiles=COLUMN)
    roll_one(bench, 1000)
    assert lies(bench.quiet()) == ["B3"]
    roll_one(bench, 9000, beams=["edge.B1.4"])
    bench.pulse("edge.B2.4", 9300, 90)
    bench.pulse("ball.B2", 9450, 60)
    settled = bench.quiet()

    assert touches(settled.facts) == {"B1": 1, "B2": 1}
    assert settled.question is None


def test_a_ball_somewhere_else_fills_no_dead_end():
    """One lies on a tile that comes first on the board."""
    bench = Bench(tiles=COLUMN | {"A1": Laid(TILES["asterisk"], 0)}, balls={1: "A1"})
    roll_one(bench, 1000)
    settled = bench.quiet()

    assert lies(settled) == ["B3"]
    assert settled.probability > 0.98


def test_each_dead_end_of_a_tile_has_room_for_a_ball_of_its_own():
    """One comes from above, one from the side."""
    bench = Bench(tiles=COLUMN | {"C1": Laid(TILES["asterisk"], 0), "C2": Laid(TILES["asterisk"], 0)})
    roll_one(bench, 1000)
    bench.tracker.expect("R1", 1_500_000)
    bench.pulses(("ramp.R1", 1540), ("ball.D1", 1610), ("edge.C1.2", 1690), ("ball.C1", 1750))
    bench.pulses(("edge.C1.4", 1810), ("ball.C2", 1860), ("edge.B3.2", 1930))

    assert lies(bench.quiet()) == ["B3", "B3"]


def test_a_dead_end_is_a_channel_of_one_mouth_without_a_pocket_or_lines_of_its_own():
    """How much room there is where it has those is for the catalogue to say."""
    mouths = {
        name: {mouth % 7 for mouth in Odds(GRAPH, {"B1": Laid(TILES[name], 0)}).dead_ends}
        for name in ("pinata", "king", "cartoon-bomb", "steak", "asterisk")
    }

    assert mouths == {
        "pinata": {1, 2, 3, 4, 5, 6}, "king": {1, 4}, "cartoon-bomb": set(), "steak": set(), "asterisk": set(),
    }  # fmt: skip


def test_a_ball_that_climbs_over_an_edge_and_is_soon_back_has_been_there():
    """70 ms in the beam, 20 ms beyond it, 75 ms in it again: it was over the edge for longer than 80 (R-13)."""
    up = {"A1": Laid(TILES["bell"], 0), "A2": Laid(TILES["wurst"], 2), "B1": Laid(STRAIGHT, 0)}
    bench = Bench(tiles=ALL_UNKNOWN | up | {"B2": Laid(TILES["asterisk"], 0)})
    bench.tracker.expect("L2", 960_000)
    bench.pulse("ramp.L2", 1000, 36)
    bench.pulses(("ball.B1", 1065), ("edge.B1.4", 1130), ("ball.B2", 1180), ("edge.A2.2", 1250))
    bench.pulse("edge.A1.4", 1340, 70)
    bench.pulse("edge.A1.4", 1430, 75)
    bench.pulse("edge.A2.2", 1580, 34)
    bench.pulse("ball.B2", 1660, 90)
    bench.pulse("edge.B2.4", 1820, 40)
    bench.pulses(("ball.B3", 1890), ("edge.B3.4", 1960), ("ball.B4", 2020), ("edge.B4.4", 2080))
    bench.pulses(("ball.B5", 2130), ("edge.B5.4", 2190), ("zone.L", 2205))
    bench.on("rest.L", 2400)
    settled = bench.quiet()

    assert touches(settled.facts)["A1"] == 1
    assert touches(settled.facts)["A2"] == 2
    assert settled.question is None


@pytest.mark.parametrize(("gated", "told"), [(False, ["released L2", "stuck L2"]), (True, [])])
def test_a_hand_in_a_ramps_beam_is_a_ball_only_where_no_gate_lets_balls_off(gated, told):
    """Over a tile that is shut on that side a ball would stay on the ramp, which no other sensor could tell."""
    bench = Bench(tiles=COLUMN | {"B1": SHUT_ABOVE})
    bench.tracker.through_gates(only=gated)
    bench.pulse("ramp.L2", 1000, 15)

    assert way(bench.quiet().facts) == told


@pytest.mark.parametrize("gated", [False, True])
def test_a_ball_that_somebody_drops_beside_a_gate_is_seen_all_the_same(gated):
    """One beam may be a hand; one beam after another is a ball."""
    bench = Bench(tiles=COLUMN)
    bench.tracker.through_gates(only=gated)
    bench.pulses(("ramp.L2", 1000), ("ball.B1", 1070), ("edge.B1.4", 1140), ("ball.B2", 1185))
    bench.on("ball.B3", 1300)

    assert lies(bench.quiet()) == ["B3"]


def test_a_gate_that_opens_lets_a_ball_off_for_certain():
    """What is announced is expected, whether or not balls come through gates only."""
    bench = Bench(tiles=COLUMN | {"B1": SHUT_ABOVE})
    bench.tracker.through_gates(only=True)
    bench.tracker.expect("L2", 980_000)
    bench.pulse("ramp.L2", 1000, 15)

    assert way(bench.quiet().facts) == ["released L2", "stuck L2"]

"""Pictures of rolls: which parts are sure, and what is asked."""

from hextraction.board.facts import BallEntered, BallInZone, BallLeft, BallReleased, RollSettled
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.trace import Trace, TraceEdge
from hextraction.controller.workshop.trials.pictures.plot import rolls_of
from hextraction.controller.workshop.trials.pictures.roll_picture import roll_picture
from hextraction.controller.workshop.trials.pictures.ways import pulses_of, ways_of

BOARD = load_board("standard-22")


def pulse(sensor, at_ms, length_ms=20):
    """Return the two edges of a pulse."""
    return [
        TraceEdge(at_us=at_ms * 1000, sensor=sensor, active=True),
        TraceEdge(at_us=(at_ms + length_ms) * 1000, sensor=sensor, active=False),
    ]


FACTS = (
    BallReleased(at_us=1_000_000, ball=1, ramp="L2"),
    BallEntered(at_us=1_030_000, ball=1, slot="B1"),
    BallLeft(at_us=1_600_000, ball=1, slot="B1"),
    BallEntered(at_us=1_600_000, ball=1, slot="B2"),
)
EDGES = [*pulse("ramp.L2", 1000), *pulse("ball.B1", 1080)]


def trace(edges=EDGES):
    """Return a trace with two unknown tiles."""
    return Trace(
        board=BOARD,
        sensors=("ramp.L2", "ball.B1", "ball.B2"),
        tiles={"B1": Laid(UNKNOWN, 0), "B2": Laid(UNKNOWN, 0)},
        balls={},
        edges=tuple(edges),
    )


def test_a_step_that_no_sensor_told_is_not_sure():
    """B1's Hall told of the ball, nothing did of B2."""
    (way,) = ways_of(FACTS, {}, pulses_of(EDGES, BOARD), BOARD)

    assert [(step.slot, step.seen) for step in way.steps] == [("B1", True), ("B2", False)]
    assert (way.ramp, way.steps[0].came, way.steps[0].went, way.steps[1].came) == ("L2", 1, 4, 1)


def test_a_ball_leaves_where_its_way_leads():
    """With no beam to tell, a ball goes straight on into the end zone; with one, where the beam is."""
    facts = (
        BallEntered(at_us=0, ball=1, slot="B4"),
        BallEntered(at_us=100, ball=1, slot="B5"),
        BallInZone(at_us=200, ball=1, zone="L"),
    )
    (way,) = ways_of(facts, {}, [], BOARD)
    assert (way.end, way.end_seen, way.steps[-1].went) == ("zone", False, 4)

    beam = pulses_of(pulse("edge.B5.3", 0), BOARD)
    (way,) = ways_of(facts, {}, beam, BOARD)
    assert (way.end_seen, way.steps[-1].went) == (True, 3)


def test_a_picture_dashes_what_was_concluded():
    """One dashed stroke for the step that nobody saw, none if all was seen."""
    settled = RollSettled(at_us=3_600_000, facts=FACTS, probability=0.8)
    unsure = roll_picture(trace(), settled, EDGES, {}, "roll 1")
    edges = [*EDGES, *pulse("ball.B2", 1650)]
    sure = roll_picture(trace(edges), settled, edges, {}, "roll 1")

    assert 'stroke-dasharray="2.6 2.2"' in unsure
    assert "80 % sure" in unsure
    assert 'stroke-dasharray="2.6 2.2"' not in sure


def test_a_trace_is_cut_into_its_rolls():
    """Two balls with a quiet between them are two rolls, and the first ball rests in the second one."""
    later = [*pulse("ramp.L2", 20_000), *pulse("ball.B1", 20_080)]
    on = TraceEdge(at_us=1_300_000, sensor="ball.B2", active=True)
    rolls = list(rolls_of(trace([*EDGES, on, *later])))

    assert len(rolls) == 2
    assert list(rolls[1][3].values()) == ["B2"]

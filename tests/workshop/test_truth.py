"""What people say of a real roll becomes a labelled roll that `hextraction evaluate` judges by."""

import pytest
from hextraction.board.facts import BallEntered, BallReleased
from hextraction.board.profile import load_board
from hextraction.controller.evaluation.verdict import verdict_of
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.tracking.trace import HeaderReader
from hextraction.controller.workshop.trials.judging.evaluate import judge_rolls
from hextraction.controller.workshop.trials.labelled import read_labelled
from hextraction.controller.workshop.truth import TruthRecorder, WatchedRoll, WayError, ask_ways
from hextraction.hal.ports import Edge

HEADER = (
    '{"trace":1,"board":"standard-22","instruments":"rich",'
    '"tiles":{"B1":["dic",0],"B2":["dic",0],"B3":["asterisk",0]},"balls":{"4":"B3"}}'
)


def recorder():
    """Return a recorder of a board with three tiles, on one of which a ball lies."""
    problems = []
    head = HeaderReader(1, HEADER, load_tiles(), problems)
    assert problems == []
    return TruthRecorder(head, head.sensors)


def test_a_roll_that_is_told_is_read_back_and_judged():
    """Two balls: one comes to rest where another lay, which is pushed into an open slot."""
    recording = recorder()
    told = recording.told()
    answers = iter(["L2 B1 B2 B3", "B3 B4 fell", ""])
    ask_ways(told, lambda _prompt: next(answers), print)
    names = ("ramp.L2", "ball.B1", "edge.B1.4", "ball.B2", "edge.B2.4", "ball.B3")
    edges = [
        Edge(name, active, 70_000_000 + 80_000 * number + (0 if active else 25_000))
        for number, name in enumerate(names)
        for active in (True, False)
    ]
    lines = recording.roll(edges, told)
    (roll,) = read_labelled(lines, load_tiles())

    verdict = verdict_of(roll.truth.facts, roll.ground)
    assert verdict.balls == (("B3", 1),)
    assert [fact.at_us for fact in roll.truth.facts] == sorted(fact.at_us for fact in roll.truth.facts)
    assert len(judge_rolls("told", [(1, lines)]).rolls) == 1
    assert recording.told().balls == {5: "B3"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("X9", "X9: want a ramp"),
        ("B1 B2", "B1: no ball lay there"),
        ("L2 B2", "B2: is not beside L2"),
        ("L2 B1 B2 nowhere", "nowhere: want a slot, off"),
        ("L2 B1 off B2", "B2: want nothing after off"),
        ("L2 B1 A1", "A1: want off, fell"),
        ("L2 B1 stuck", "stuck: want a slot"),
    ],
)
def test_a_way_that_cannot_be_is_refused_in_a_sentence(line, why):
    """And nothing of it is kept."""
    told = recorder().told()
    with pytest.raises(WayError, match=why.split(":")[0]) as caught:
        told.take(line)

    assert str(caught.value).startswith(why)
    assert told.facts == []
    assert told.balls == {4: "B3"}


def test_balls_leave_get_stuck_and_win():
    """Each ends in one place; who loses a ball over the side is charged for its last tile."""
    told = recorder().told()
    for line in ("L2 B1 off", "R1 stuck", f"L1 B1 B2 B3 B4 B5 {told.board.zones[0].name}"):
        told.take(line)

    kinds = [type(fact).__name__ for fact in told.timed(0, 1_000_000)]
    assert kinds.count("BallOffBoard") == kinds.count("BallStuckOnRamp") == kinds.count("BallInZone") == 1
    assert told.balls == {4: "B3"}


def test_a_ramp_that_is_called_as_a_slot_is_told_apart():
    """On the smallest board ramp C1 is said as ramp.C1, and C1 is the slot where a ball lies."""
    told = WatchedRoll(
        board=load_board("small-18"), tiled=frozenset({"C1", "C2"}), balls={4: "C1"}, next_number=5
    )
    assert {"ramp.C1", "C1"} <= told.next_words([])
    told.take("C1 C2")
    told.take("ramp.C2 C1")
    assert told.balls == {4: "C2", 5: "C1"}
    assert told.facts[-2:] == [
        BallReleased(at_us=0, ball=5, ramp="C2"),
        BallEntered(at_us=0, ball=5, slot="C1"),
    ]

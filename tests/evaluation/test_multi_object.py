"""Rolls in frames, for the usual metrics."""

import pytest
from hextraction.board.facts import BallEntered, BallFell, BallInZone, BallReleased
from hextraction.controller.evaluation.multi_object import frames, multi_object

ROLL = (
    BallReleased(at_us=0, ball=1, ramp="L1"),
    BallEntered(at_us=100_000, ball=1, slot="B1"),
    BallEntered(at_us=200_000, ball=1, slot="B2"),
    BallFell(at_us=300_000, ball=1, slot="B2"),
)


def test_frames_say_where_each_ball_is():
    """On the ramp, on a slot, in a zone, gone; others stay where they rest."""
    seen = list(
        frames([*ROLL, BallInZone(at_us=310_000, ball=4, zone="L")], {4: "C3"}, range(0, 400_001, 100_000))
    )

    assert [frame.get(1) for frame in seen] == ["ramp L1", "B1", "B2", None, None]
    assert [frame[4] for frame in seen] == ["C3", "C3", "C3", "C3", "zone L"]


@pytest.mark.slow
def test_a_perfect_account_is_perfect_and_an_empty_one_is_nothing():
    """IDF1 and MOTA are 1 for the truth itself, whatever the ball is called, and 0 for silence."""
    renamed = tuple(
        type(fact)(**{**{name: getattr(fact, name) for name in fact.__struct_fields__}, "ball": 9})
        for fact in ROLL
    )

    assert multi_object([(ROLL, renamed, {})]) == {"idf1": 1.0, "mota": 1.0, "num_switches": 0.0}
    assert multi_object([(ROLL, (), {})])["mota"] == 0.0
    assert multi_object([]) == {}

"""Boards with another launcher: what becomes of balls when it was no roll."""

from helpers.tabletop import Table, setup
from hextraction.board.facts import BallReleased


def taken_back(*, on_ramps):
    """Return what is known of balls after some left ramps by accident, ball 1 came to C3, and it was no roll."""
    table = Table(setup(launcher=True, laid=(("C3", "bell", 0),)))
    table.quiet(*(BallReleased(at_us=0, ball=ball, ramp=ramp) for ball, ramp in on_ramps.items()))
    table.enters("C3")
    (ask,) = table.state.asks
    assert table.act("red", {"do": "answer", "prompt": ask.id, "choice": "no"}) is None
    return table.state.rest


def test_a_ball_that_has_left_its_ramp_lies_where_it_came_to_lie():
    """Ball 1 lies on C3, and no longer on the ramp where it was seen before."""
    rest = taken_back(on_ramps={1: "a"})

    assert (rest.on, rest.ramps) == ({1: ("C3",)}, {})


def test_a_ball_that_has_not_moved_is_on_its_ramp_still():
    """Only the ball that moved has left its ramp."""
    rest = taken_back(on_ramps={1: "a", 2: "b"})

    assert (rest.on, rest.ramps) == ({1: ("C3",)}, {2: "b"})

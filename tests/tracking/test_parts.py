"""Three ball Halls in a slot are one sensor to the tracker, and fail one by one."""

from helpers.trackbench import BOARD, STRAIGHT, Bench, way
from hextraction.board.instruments import find_instrument, instruments
from hextraction.controller.tracking import Laid, Tracker

HALLS = ("ball.B2", "ball.B2.2", "ball.B2.3")
WIDE = [f"ball.{slot}{suffix}" for slot in BOARD.slot_names for suffix in (".2", ".3")]


def bench():
    """Return a bench on the sensors of lean and three Halls in every slot, with a ball at rest on B1."""
    found = Bench("lean", balls={1: "B1"})
    found.tracker = Tracker(BOARD, [*(one.name for one in instruments(BOARD, "lean")), *WIDE])
    found.tracker.lay({slot: Laid(STRAIGHT, 0) for slot in BOARD.slot_names})
    found.tracker.put_balls({1: "B1"})
    return found


def test_the_grammar_knows_second_and_third_halls():
    """ball.B2.2 is in slot B2; there is no fourth."""
    found = find_instrument(BOARD, "ball.B2.2")

    assert (found.place, found.part, found.name, found.linear) == ("B2", 2, "ball.B2.2", True)


def test_any_of_the_three_sees_a_ball():
    """One after another they are one visit."""
    heard = bench()
    heard.tracker.put_balls({})
    heard.tracker.expect("L2", 780_000)
    heard.pulse("ramp.L2", 850)
    for part, at_ms in zip(HALLS, (1060, 1080, 1110), strict=True):
        heard.pulse(part, at_ms, 25)

    assert way(heard.quiet().facts) == ["released L2", "entered B1", "left B1", "entered B2"]


def test_a_broken_part_is_left_out_and_the_others_go_on():
    """A part that people declare broken says nothing; if all are, the slot has no Hall."""
    heard = bench()
    heard.tracker.declare_broken("ball.B2")
    heard.on("ball.B2", 500)
    assert heard.live == []
    heard.pulse("ball.B2.3", 1000)
    assert way(heard.live) == ["left B1", "entered B2"]
    for part in HALLS[1:]:
        heard.tracker.declare_broken(part)
    assert heard.tracker.sees.visits.have == len(BOARD.slots) - 1


def test_a_stuck_part_is_named_itself():
    """The suspect is the part that is on, not the slot."""
    heard = bench()
    heard.on("ball.E2.2", 1000)
    heard.tracker.advance(6_000_000)

    assert heard.tracker.suspects == ("ball.E2.2",)


def test_the_layout_says_that_it_sees_balls_beside_the_middle():
    """With three Halls a slot that limit is gone."""
    limit = "A ball that passes a slot's middle at some distance is not seen there."

    assert limit in Bench("lean").tracker.sees.limits
    assert limit not in bench().tracker.sees.limits
    assert bench().tracker.sees.wide.all

"""The rig says what a board can do by itself: what is wired, and what the rules may expect of it."""

import pytest
from helpers.simulated import BOARD
from hextraction.board.instruments import instruments
from hextraction.controller.rig import match_rig

RAMPS = [f"gate.{ramp.name}" for ramp in BOARD.ramps]


def names(which):
    """Return the sensors of a set."""
    return [one.name for one in instruments(BOARD, which)]


@pytest.mark.parametrize(("which", "count"), [("basic", 76), ("lean", 104), ("rich", 153)])
def test_a_whole_set_is_recognised(which, count):
    """All sensors of a set make that set: it sees balls and tiles, and nothing is missing."""
    rig, problems = match_rig(BOARD, names(which), RAMPS)
    assert (rig.which, len(rig.sensors), rig.missing, problems) == (which, count, (), {})
    assert rig.sees_balls
    assert rig.sees_tiles
    assert rig.opens_ramps


def test_one_missing_sensor_takes_the_set_away():
    """Without one drain beam the board no longer sees balls, and the rig says which beam is missing."""
    rig, _problems = match_rig(BOARD, [name for name in names("rich") if name != "drain.C2"], RAMPS)
    assert (rig.which, rig.missing) == ("partial", ("drain.C2",))
    assert not rig.sees_balls
    assert rig.sees_tiles


def test_the_starter_is_a_set_of_its_own_that_follows_no_ball():
    """Eight beams at ramps and end zones see neither tiles nor balls on slots; one more sensor, and it is partial."""
    rig, problems = match_rig(BOARD, names("starter"), ())
    assert (rig.which, len(rig.sensors), problems) == ("starter", 8, {})
    assert (rig.sees_balls, rig.sees_tiles, rig.opens_ramps) == (False, False, False)
    assert match_rig(BOARD, [*names("starter"), "drain.A1"], ())[0].which == "partial"


def test_nothing_wired_is_a_rig_too():
    """A table without electronics expects nothing of the board."""
    rig, problems = match_rig(BOARD, (), ())
    assert (rig.which, rig.sensors, problems) == ("none", (), {})
    assert (rig.sees_balls, rig.sees_tiles, rig.opens_ramps) == (False, False, False)


def test_ramps_open_by_themselves_only_if_all_have_gates():
    """Five gates of six leave the sixth ramp to a hand."""
    rig, _problems = match_rig(BOARD, (), [*RAMPS[1:], "kicker.C3"])
    assert not rig.opens_ramps
    assert rig.kickers == ("C3",)


def test_every_wrong_name_is_told():
    """Names of no instrument, sensor or coil, are each told with what was expected."""
    _rig, problems = match_rig(BOARD, ["drain.Z9", "ramp.L1", "sneeze"], ["gate.Z9", "kicker.Z9", "horn"])
    assert list(problems) == ["drain.Z9", "sneeze", "gate.Z9", "kicker.Z9", "horn"]
    assert "want gate.RAMP or kicker.SLOT" in problems["horn"]

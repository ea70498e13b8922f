"""House rules as people write them into a file: what holds unless they say otherwise, and how far they may go."""

from pathlib import Path

import pytest
from hextraction.controller.games.hextraction import Hextraction
from hextraction.controller.games.hextraction.state.state import Depth
from hextraction.settings import Document

TIMES_US = {
    "grace_s": ("grace_us", 0, 120, 1_000_000), "attest_s": ("attest_us", 1, 600, 1_000_000),
    "loop_s": ("loop_us", 5, 600, 1_000_000), "moment_s": ("moment_us", 0, 30, 1_000_000),
    "vote_cooldown_s": ("vote_cooldown_us", 0, 600, 1_000_000), "leave_ms": ("leave_us", 1, 1000, 1_000),
}  # fmt: skip
"""For each key of a time its name in the game, the least and the most, and its unit in microseconds."""


def written(text):
    """Read a table of house rules; return them, and the mistakes in it."""
    document = Document.from_text(text, "mine.toml")
    return Hextraction.read_rules(document.root, Path()), [problem.message for problem in document.problems]


def test_what_nobody_has_written_is_as_the_rulings_say():
    """Grace 5 s, attesting 10 s, a loop 20 s, a moment 2 s, no rest between votes, 80 ms for leaving a slot."""
    house, wrong = written("")
    times_us = {key: getattr(house.config, name) for key, (name, _least, _most, _unit) in TIMES_US.items()}

    assert times_us == {
        "grace_s": 5_000_000, "attest_s": 10_000_000, "loop_s": 20_000_000, "moment_s": 2_000_000,
        "vote_cooldown_s": 0, "leave_ms": 80_000,
    }  # fmt: skip
    assert (house.config.joint_wins, house.config.trigger_once_per_roll) == (True, False)
    assert (house.tiles_in_box, wrong) == (80, [])


@pytest.mark.parametrize("key", TIMES_US)
def test_a_time_goes_from_the_least_to_the_most_and_no_further(key):
    """Both ends are allowed, and the unit is that of the key; a tenth beyond either end is a mistake."""
    name, least, most, unit_us = TIMES_US[key]

    for value in (least, most):
        house, wrong = written(f"{key} = {value}")
        assert (getattr(house.config, name), wrong) == (value * unit_us, [])
    for value in (least - 0.1, most + 0.1):
        assert len(written(f"{key} = {value}")[1]) == 1


@pytest.mark.parametrize("text", ["", "grace_s = 1"])
def test_an_ordinary_board_is_followed_lightly_whatever_else_is_written(text):
    """Whoever writes how long people may object has not asked to tap every touch."""
    assert written(text)[0].config.depth is Depth.LIGHT

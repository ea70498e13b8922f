"""Dates of games: the journal's order is sure, what a wall clock said is believed if it can be true."""

from datetime import UTC, datetime

from hextraction.controller.play.dates import believed, believed_in_order
from hypothesis import given
from hypothesis import strategies as st

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def test_a_date_before_the_program_before_the_last_game_or_after_today_is_unknown():
    """Three ways in which a clock that nobody has set is found out."""
    walls = [
        "1970-01-01T00:01:00+0000",
        "2026-03-01T20:00:00+0100",
        "2024-10-22T03:00:00+0100",
        "2026-02-27T20:00:00+0100",
        "2099-01-01T00:00:00+0000",
        "2026-03-08T20:00:00+0100",
        "nobody knows",
    ]
    assert list(believed_in_order(walls, NOW)) == ["", walls[1], "", "", "", walls[5], ""]


def test_a_clock_that_is_not_set_while_we_look_hides_no_game():
    """Today is then no measure of anything."""
    assert believed("2026-03-01T20:00:00+0100", now=datetime(1970, 1, 1, tzinfo=UTC)) is not None


@given(st.lists(st.datetimes(datetime(1970, 1, 1), datetime(2026, 11, 30)).map(datetime.isoformat)))  # noqa: DTZ001
def test_dates_that_are_shown_never_go_back(walls):
    """Whatever clocks said, games are shown in the order in which they were played."""
    shown = [wall for wall in believed_in_order(walls, NOW) if wall]
    assert shown == sorted(shown)

"""How sure the tracker says to be rises with the share of the weight, and is what was measured."""

import pytest
from hextraction.controller.tracking.sureness import SHARES, as_right, log_odds, risen

from bench.calibrate import fitted, share_of

KINDS = [(balls, announced) for balls in (1, 2, 4, 12) for announced in (True, False)]


@pytest.mark.parametrize(("balls", "announced"), KINDS)
def test_it_rises_with_the_share(balls, announced):
    """The likeliest verdict stays the likeliest, also beyond the tables and at the ends."""
    said = [as_right(step / 500, balls, announced=announced) for step in range(501)]
    assert said == sorted(said)
    assert 0 < said[0] < 0.01
    assert 0.99 < said[-1] < 1


def test_many_balls_are_less_sure_and_unannounced_ones_too():
    """With many balls more can happen than any account holds; and who is not told may miss a whole ball."""
    for share in SHARES:
        assert as_right(share, 4, announced=True) < as_right(share, 1, announced=True)
        assert as_right(share, 2, announced=False) <= as_right(share, 2, announced=True) + 0.05
    assert as_right(0.9, 0, announced=True) == as_right(0.9, 1, announced=True)


def test_beyond_its_ends_a_table_is_as_steep_as_one():
    """And straight in between."""
    table = [(0.0, 1.0), (2.0, 5.0), (3.0, 5.5)]
    found = [risen(at, table) for at in (-1.0, 0.0, 1.0, 2.0, 2.5, 3.0, 5.0)]
    assert found == [0.0, 1.0, 3.0, 5.0, 5.25, 5.5, 7.5]


def test_log_odds_stay_finite():
    """Nothing is impossible, nothing certain."""
    assert log_odds(0.5) == 0
    assert log_odds(1.0) == pytest.approx(9.21, abs=0.01)
    assert log_odds(0.0) == pytest.approx(-9.21, abs=0.01)


@pytest.mark.parametrize(("balls", "announced"), KINDS)
def test_what_was_said_tells_the_share(balls, announced):
    """So the tables can be fitted to what the tracker says."""
    said = as_right(0.77, balls, announced=announced)
    assert share_of(said, balls, announced=announced) == pytest.approx(0.77, abs=1e-6)


def test_the_fit_finds_how_often_shares_are_right():
    """Here a share of 0.7 is right half of the time, and no number of balls matters."""
    shares = [0.3 + 0.69 * step / 39 for step in range(40)]
    rows = [
        (share, (1, 2, 4)[(at + step) % 3], at < round(15 * share * share))
        for step, share in enumerate(shares)
        for at in range(15)
    ]
    rights, doubling = fitted(rows)

    assert rights == sorted(rights)
    assert rights == pytest.approx([share * share for share in SHARES], abs=0.05)
    assert doubling == pytest.approx(0.0, abs=0.2)


def test_what_falls_by_chance_is_made_to_rise():
    """Two of ten are right where it says 0.85, and all where it says 0.55: both get what lies between."""
    rows = [(0.55, 2, True)] * 10 + [(0.85, 2, at < 2) for at in range(10)]
    rights, _doubling = fitted(rows)
    assert rights[1] == rights[2] == rights[3]

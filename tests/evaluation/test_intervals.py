"""Intervals, calibration and quantiles."""

import math

import pytest
from hextraction.controller.evaluation.intervals import (
    Share,
    brier,
    calibration,
    grouped,
    quantile,
    ratio_interval,
)
from hypothesis import given
from hypothesis import strategies as st


def test_the_interval_is_wilsons():
    """The published example: 5 of 10 is 24 to 76 per cent."""
    low, high = Share(5, 10).interval

    assert (round(low, 4), round(high, 4)) == (0.2366, 0.7634)
    assert str(Share(5, 10)) == "50.0 [23.7-76.3]"


@given(st.integers(1, 5000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_an_interval_holds_its_share(numbers):
    """The share itself never lies outside, and nothing lies outside 0..1."""
    share = Share(*numbers)
    low, high = share.interval

    assert 0.0 <= low <= share.value + 1e-12
    assert share.value - 1e-12 <= high <= 1.0


def test_all_of_them_is_not_more_than_the_interval_allows():
    """Down to the last bit, or a bar in a picture would have a length below nothing."""
    for of in range(1, 400):
        assert Share(of, of, design=1.3).interval[1] == 1.0
        assert Share(0, of, design=1.3).interval[0] == 0.0


def test_nothing_says_nothing():
    """No rolls: no number, and the widest interval."""
    assert math.isnan(Share(0, 0).value)
    assert Share(0, 0).interval == (0.0, 1.0)
    assert str(Share(0, 0)) == "-"
    assert math.isnan(brier([]))
    assert math.isnan(quantile([], 0.5))


def test_brier_is_the_mean_squared_error():
    """Half sure and right, surely wrong: (0.25 + 1) / 2."""
    assert brier([(0.5, True), (1.0, False)]) == 0.625


def test_calibration_tells_claims_from_outcomes():
    """Rolls are binned by what was claimed; a claim of exactly one has a bin too."""
    low, high = calibration([(0.6, True), (0.6, False), (1.0, True)])

    assert (low.low, low.high, low.right.hits, low.right.of) == (0.5, 0.7, 1, 2)
    assert low.claimed == pytest.approx(0.6)
    assert (high.high, high.right.of) == (1.0, 1)


def test_rolls_of_one_world_say_less_of_what_a_claim_is_worth():
    """A bin's interval is wider if all its rolls in one world were right, and all in the other wrong."""
    told = [(0.6, True)] * 10 + [(0.6, False)] * 10
    (apart,), (alike,) = calibration(told), calibration(told, [0] * 10 + [1] * 10)

    assert alike.right.interval[0] < apart.right.interval[0] < 0.5


def test_a_quantile_is_one_of_the_values():
    """Of the numbers 0 to 99, 99 of 100 lie below 99."""
    assert quantile(range(100), 0.99) == 99
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0


def test_groups_whose_members_are_alike_make_the_interval_wider():
    """Ten groups of eight that are right or wrong as a whole say as much as ten, not as eighty."""
    alike = grouped([(group, 8 * (group % 2), 8) for group in range(10)])
    mixed = grouped([(group, 4, 8) for group in range(10)])

    assert alike.value == mixed.value == 0.5
    assert alike.design > 8
    low, high = alike.interval
    assert low < Share(5, 10).interval[0] + 0.02
    assert high > Share(5, 10).interval[1] - 0.02
    assert mixed.interval == Share(40, 80).interval


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=40))
def test_groups_never_make_an_interval_narrower(members):
    """The design effect is one at least, and the share is what it was."""
    share = grouped((group, int(hit), 1) for group, hit in members)
    low, high = share.interval
    plain = Share(share.hits, share.of)

    assert share.hits == sum(hit for _group, hit in members)
    assert high - low >= plain.interval[1] - plain.interval[0] - 1e-9
    assert low - 1e-9 <= share.value <= high + 1e-9


def test_the_interval_of_a_ratio_holds_it_and_is_repeatable():
    """Six times as many in every group is about six times as many; the same seed gives the same interval."""
    low, high = ratio_interval([(6, 1)] * 20)
    wide = ratio_interval([(6, 0), (0, 1)] * 10)

    assert 5.8 < low <= high < 6.2
    assert wide[1] - wide[0] > 1
    assert wide == ratio_interval([(6, 0), (0, 1)] * 10)

"""Numbers that know how they change with the tracker's figures."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.slopes import FIGURES, Slope, exp, figure, learn_slopes, log, sqrt

pytestmark = pytest.mark.slow

NUMBERS = st.floats(0.2, 5.0)
FORMULAS = {
    "sum": lambda a, b: a + b + 2.0 + a,
    "difference": lambda a, b: 3.0 - a - (b - 1.0) - a,
    "product": lambda a, b: a * b * 0.5 * a,
    "quotient": lambda a, b: a / b + 1.0 / a + b / 3.0,
    "power": lambda a, b: a**b + 2.0**a + b**0.56,
    "sign": lambda a, b: -(a * b),
    "logarithm": lambda a, b: log(a * b + 1.0),
    "weight": lambda a, b: exp(-a / 1.3) + exp(b),
    "root": lambda a, b: sqrt(a + 2.0 * b),
    "choice": lambda a, b: min(a, 2.0 * b + 0.01, 4.0),
}


@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
@given(a=NUMBERS, b=NUMBERS)
def test_a_slope_is_what_a_small_change_makes(formula, a, b):
    """With both figures moved by a millionth the number changes by its slopes, and is the plain one itself."""
    found = formula(figure("odds.a#0", a), figure("odds.b#0", b))
    near = 1e-6
    by_a = (formula(a + near, b) - formula(a - near, b)) / (2 * near)
    by_b = (formula(a, b + near) - formula(a, b - near)) / (2 * near)
    kinks = [x for x in (a - 2.0 * b - 0.01, a - 4.0, 2.0 * b - 3.99) if abs(x) < 1e-4]

    assert float(found) == pytest.approx(formula(a, b))
    slopes = getattr(found, "by", {})
    if formula is not FORMULAS["choice"] or not kinks:
        assert slopes.get("odds.a#0", 0.0) == pytest.approx(by_a, rel=1e-4, abs=1e-5)
        assert slopes.get("odds.b#0", 0.0) == pytest.approx(by_b, rel=1e-4, abs=1e-5)


def test_a_figure_is_listed_with_its_value():
    """Whoever fits has to know where it stands."""
    assert figure("costs._SOME#2", 1.5) == 1.5
    assert FIGURES["costs._SOME#2"] == 1.5


def test_plain_numbers_stay_plain():
    """A number that depends on no figure costs no more than before."""
    assert not any(isinstance(made(2.0), Slope) for made in (log, exp, sqrt))
    assert (log(math.e), exp(0.0), sqrt(4.0)) == (1.0, 1.0, 2.0)


def test_slopes_are_learned_before_the_tracker_is_there():
    """Whoever imports it first gets plain figures; that is an error, not a fit of nothing."""
    import hextraction.controller.tracking.tracker  # noqa: F401, PLC0415 - it has to be there

    with pytest.raises(RuntimeError, match="before learn_slopes"):
        learn_slopes()

"""Which slow tests a change waits for, and which run by night only (``make nightly``)."""

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["first_by_day", "nightly"]


def nightly(why: str, *, meanwhile: str = "") -> pytest.MarkDecorator:
    """Mark what ``make test`` leaves to the night, say why, and which test of its file stands in for it by day."""
    return pytest.mark.nightly(why, meanwhile=meanwhile)


def first_by_day(cases: Iterable[Any], why: str, *, by_day: int = 1) -> list[Any]:
    """Return cases for ``parametrize``: the first ones run by day as well, the others by night only."""
    made = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [
        pytest.param(*case, marks=() if number < by_day else nightly(why)) for number, case in enumerate(made)
    ]

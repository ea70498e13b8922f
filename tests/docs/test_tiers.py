"""What is left to the night has somebody who stands in for it by day, and says why it waits."""

import json
import subprocess
import sys

import pytest
from helpers.places import ROOT

pytestmark = pytest.mark.slow

KINDS = {"broker", "browser", "faults", "firmware"}
COLLECT = """
import json, sys, pytest

class Told:
    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session):
        for item in session.items:
            night = item.get_closest_marker("nightly")
            said = [list(night.args), night.kwargs["meanwhile"]] if night else None
            name = item.nodeid.split("[")[0].removesuffix("::runTest")
            print("TEST", json.dumps([name, said, [mark.name for mark in item.iter_markers()]]))

sys.exit(pytest.main(["--collect-only", "-qq", "-p", "no:xdist", "tests"], plugins=[Told()]))
"""


@pytest.fixture(scope="module")
def collected():
    """Return every test, case by case: its name, what its mark for the night says, and all its marks."""
    done = subprocess.run(
        [sys.executable, "-c", COLLECT], cwd=ROOT, capture_output=True, text=True, check=True, timeout=600
    )
    return [json.loads(line[5:]) for line in done.stdout.splitlines() if line.startswith("TEST ")]


def test_whatever_waits_for_the_night_says_why_and_is_slow(collected):
    """A reason in words; and no test is fast and left to the night."""
    nightly = [(name, said, marks) for name, said, marks in collected if said]
    assert nightly
    assert [name for name, (why, _meanwhile), marks in nightly if not why or "slow" not in marks] == []


def test_whatever_waits_for_the_night_has_a_stand_in_by_day(collected):
    """Some cases of the same test, or the test that it names, of its own file or of another."""
    by_day = {name for name, said, _marks in collected if not said}
    alone = []
    for name, said, _marks in collected:
        if said and name not in by_day:
            meanwhile = said[1] if "::" in said[1] else f"{name.split('::')[0]}::{said[1]}"
            alone += [] if meanwhile in by_day else [f"{name}: {meanwhile}"]
    assert alone == []


def test_every_kind_of_test_that_runs_by_night_runs_by_day(collected):
    """In the browser, with a broker, with faults, with the firmware."""
    by_day = {mark for _name, said, marks in collected if not said for mark in marks}
    assert {mark for _name, said, marks in collected if said for mark in marks} & KINDS <= by_day

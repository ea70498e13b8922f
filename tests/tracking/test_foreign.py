"""The tracker on rolls of a physics that its authors did not write (``bench/foreign``, docs/evaluation.md)."""

import pytest
from helpers.places import ROOT
from helpers.tiers import first_by_day
from hextraction.controller.evaluation.score import summary
from hextraction.controller.tracking.trace import split_traces
from hextraction.controller.workshop.checking import text_lines
from hextraction.controller.workshop.trials.judging.evaluate import judge_rolls

pytestmark = pytest.mark.slow

AIMS = {
    ("one-ball", True): (0.993, 0.06, 0.996),
    ("two-balls", True): (0.983, 0.10, 0.992),
    ("four-balls", True): (0.965, 0.22, 0.985),
    ("one-ball", False): (0.99, 1.0, 0.99),
    ("two-balls", False): (0.96, 1.0, 0.96),
    ("four-balls", False): (0.90, 1.0, 0.90),
}
"""Right after asking at least, asked at most, right when silent at least; with and without announcements."""


@pytest.mark.parametrize(("name", "announced"), first_by_day(AIMS, "hundreds of rolls each"))
def test_rolls_that_others_made_are_told_as_well_as_we_aim_for(name, announced):
    """Boards, tiles' shapes, sensors and balls were drawn by somebody who had seen neither simulator nor tracker."""
    rolls = split_traces(text_lines(ROOT / "bench" / "foreign" / f"{name}.jsonl.xz"))
    told = summary(judge_rolls(name, rolls, announced=announced).rolls)
    after_asking, asked, when_silent = AIMS[name, announced]

    assert told.after_asking.value >= after_asking
    assert told.asked.value <= asked
    assert told.when_silent.value >= when_silent

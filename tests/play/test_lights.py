"""Frames of lamps: every place as it should shine, never more than the supply can give."""

import pytest
from helpers.lamps import COUNT, LAMPS
from hextraction.controller.games.scene import DARK, Glow
from hextraction.controller.play.performer import Lights, limit
from hypothesis import given, settings
from hypothesis import strategies as st

AMBER, WHITE = (255, 120, 0), (255, 255, 255)
BRIGHT = Lights(LAMPS, COUNT, brightness=1.0, budget_ma=1_000_000)
COLOURS = st.tuples(*[st.integers(0, 255)] * 3)
GLOWS = st.dictionaries(
    st.sampled_from(list(LAMPS)),
    st.builds(Glow, COLOURS, COLOURS, st.sampled_from([None, 0, 1, 2, 9]), st.booleans()),
    max_size=30,
)


def of(frame, place):
    """Return a place's colours in a frame."""
    return frame[LAMPS[place].start : LAMPS[place].stop]


def test_a_place_shows_its_colour_and_the_others_stay_dark():
    """Only the lamps of that place are lit."""
    frame = BRIGHT.frame({"slot.B2": Glow(AMBER)})
    assert set(of(frame, "slot.B2")) == {AMBER}
    assert sum(map(bool, map(sum, frame))) == len(LAMPS["slot.B2"])


def test_so_many_lamps_are_lit_and_the_others_rest():
    """One of three for one, all for any number above."""
    for lit, amber in ((0, 0), (1, 1), (2, 2), (3, 3), (7, 3)):
        colours = of(BRIGHT.frame({"slot.B2": Glow(AMBER, WHITE, lit=lit)}), "slot.B2")
        assert (colours.count(AMBER), colours.count(WHITE)) == (amber, 3 - amber)


def test_what_blinks_is_lit_in_one_half_second_and_rests_in_the_other():
    """Off means its other colour, which may be dark."""
    glow = {"slot.B2": Glow(AMBER, WHITE, blink=True)}
    assert set(of(BRIGHT.frame(glow, blink=True), "slot.B2")) == {AMBER}
    assert set(of(BRIGHT.frame(glow, blink=False), "slot.B2")) == {WHITE}


def test_a_place_without_lamps_is_left_out():
    """A game may speak of places that this build has no lamps for."""
    assert set(BRIGHT.frame({"corner.B2.1": Glow(AMBER)})) == {DARK}
    assert BRIGHT.with_place((DARK,) * COUNT, "corner.B2.1", Glow(AMBER)) is None


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(COLOURS, min_size=1, max_size=90).map(tuple), st.floats(0, 1), st.floats(0.1, 4000))
def test_no_frame_draws_more_than_the_budget(frame, brightness, budget_ma):
    """20 mA a channel at 255 (WS2812B): whatever is shown, the sum stays within the budget and is no brighter."""
    shown = limit(frame, brightness, budget_ma)
    assert sum(map(sum, shown)) * 20 / 255 <= budget_ma * (1 + 1e-9)
    assert all(
        now <= before
        for one, old in zip(shown, frame, strict=True)
        for now, before in zip(one, old, strict=True)
    )


def test_within_the_budget_the_brightness_alone_counts():
    """Half brightness halves each channel."""
    assert limit(((200, 100, 50),), 0.5, 1000) == ((100, 50, 25),)


@pytest.mark.slow
@settings(deadline=None)
@given(GLOWS, st.booleans(), st.floats(1, 2000))
def test_whatever_shines_every_frame_has_all_lamps_and_keeps_the_budget(glows, blink, budget_ma):
    """Any places in any colours, one changed after the other as well."""
    lights = Lights(LAMPS, COUNT, 1.0, budget_ma)
    frame = lights.frame(glows, blink=blink)
    for place, glow in glows.items():
        frame = lights.with_place(frame, place, glow)
    assert len(frame) == COUNT
    assert sum(map(sum, frame)) * 20 / 255 <= budget_ma * (1 + 1e-9)

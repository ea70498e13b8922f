"""Lamps say what the public view says: touches, triggers, tiles to lift, seats, the winner; never what is hidden."""

import pytest
from helpers.lamps import COUNT, LAMPS, TILE, view
from helpers.simulated import BOARD, begin, play, state
from hextraction.controller.games.protocol import RampView, SeatView, SlotView, ZoneView
from hextraction.controller.play.lights import COLOURS, Lights, limit, touch_colours
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

DARK = (0, 0, 0)
BRIGHT = Lights(LAMPS, COUNT, brightness=1.0, budget_ma=1_000_000)


def of(frame, lamp):
    """Return a lamp's colours in a frame."""
    return frame[LAMPS[lamp].start : LAMPS[lamp].stop]


def lit(slot="B2", **more):
    """Return the colours of a slot."""
    return of(BRIGHT.frame(view(SlotView(slot=slot, tile=TILE, **more))), f"slot.{slot}")


@pytest.mark.parametrize(("touches", "amber", "red"), [(0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 0, 3), (7, 0, 3)])
def test_touches_count_up_in_amber_and_turn_red_at_three(touches, amber, red):
    """One lamp for a touch, two for two; from three touches on all are red."""
    colours = lit(touches=touches)
    assert colours.count((255, 120, 0)) == amber
    assert colours.count((255, 0, 0)) == red


def test_an_empty_slot_is_dark_and_a_tile_is_dimly_white():
    """Nobody looks for a tile where there is none."""
    frame = BRIGHT.frame(view(SlotView(slot="B2", tile=TILE), SlotView(slot="B3")))
    assert set(of(frame, "slot.B3")) == {DARK}
    (colour,) = set(of(frame, "slot.B2"))
    assert 0 < max(colour) < 32


def test_a_waiting_effect_is_violet_whatever_was_touched():
    """A triggered effect that waits is told apart from touches."""
    (colour,) = set(lit(touches=2, waiting=1))
    red, green, blue = colour
    assert blue > red > green


def test_a_tile_to_lift_blinks_red_and_one_to_lay_blinks_white():
    """What hands have to do blinks: on in one half second and off in the other."""
    for word, colour in (("lift", (255, 0, 0)), ("put", (255, 255, 255))):
        seen = view(SlotView(slot="B2", tile=TILE, touches=3, **{word: True}))
        on, off = (set(of(BRIGHT.frame(seen, blink=blink), "slot.B2")) for blink in (True, False))
        assert on == {colour}
        assert on != off


def test_a_larger_tile_shows_the_touches_of_its_first_slot_everywhere():
    """Both slots of a tile that covers two count together."""
    both = view(SlotView(slot="B2", tile=TILE, touches=3), SlotView(slot="B3", part_of="B2"))
    assert set(of(BRIGHT.frame(both), "slot.B3")) == {(255, 0, 0)}


def test_the_seat_on_turn_colours_its_open_ramp_and_dims_the_others():
    """The chosen ramp shines in the seat's colour, the possible ones dimly, a banned one not at all."""
    ramps = (RampView(ramp="L1", slot="B1", open=True), RampView(ramp="L2", slot="B1", banned=True))
    ramps += (RampView(ramp="C1", slot="C1"),)
    frame = BRIGHT.frame(view(ramps=ramps, rolls_owed=1, active="blue"))
    assert set(of(frame, "ramp.L1")) == {COLOURS["blue"]}
    assert set(of(frame, "ramp.L2")) == {DARK}
    assert set(of(BRIGHT.frame(view(roller="red", active="blue", ramps=ramps)), "ramp.L1")) == {
        COLOURS["red"]
    }


def test_an_end_zone_with_a_ball_shines():
    """A ball in an end zone is brighter than none."""
    zones = (ZoneView(zone="L", title="Left", balls=1), ZoneView(zone="R", title="Right"))
    frame = BRIGHT.frame(view(zones=zones))
    assert max(max(of(frame, "zone.L"))) > max(max(of(frame, "zone.R"))) > 0


def test_the_winner_has_every_lamp():
    """When somebody has won, the whole board has the winner's colour."""
    assert set(BRIGHT.frame(view(SlotView(slot="B2", lift=True), winners=("blue",)))) == {COLOURS["blue"]}


def test_a_board_that_is_switched_off_is_dark():
    """R-50: not even a winner is shown without power."""
    assert set(
        BRIGHT.frame(view(SlotView(slot="B2", tile=TILE, lift=True), winners=("red",), power=False))
    ) == {DARK}


def test_a_seat_of_an_unknown_colour_is_white():
    """A colour that no lamp knows is still a light."""
    odd = (SeatView(seat="red", name="R", colour="ochre"),)
    assert set(BRIGHT.frame(view(seats=odd, winners=("red",)))) == {(220, 220, 220)}


colours = st.tuples(*[st.integers(0, 255)] * 3)


@settings(deadline=None)
@given(st.lists(colours, min_size=1, max_size=90).map(tuple), st.floats(0, 1), st.floats(0.1, 4000))
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


slot_views = st.builds(
    SlotView,
    slot=st.sampled_from(BOARD.slot_names),
    tile=st.sampled_from([None, TILE]),
    touches=st.integers(0, 5),
    waiting=st.integers(0, 2),
    lift=st.booleans(),
    put=st.booleans(),
)


@settings(deadline=None)
@given(st.lists(slot_views, max_size=22), st.booleans(), st.floats(1, 2000), st.sampled_from([(), ("red",)]))
def test_no_view_draws_more_than_the_budget(slots, blink, budget_ma, winners):
    """Every frame of every view has all lamps and stays within the budget."""
    frame = Lights(LAMPS, COUNT, 1.0, budget_ma).frame(view(*slots, winners=winners), blink=blink)
    assert len(frame) == COUNT
    assert sum(map(sum, frame)) * 20 / 255 <= budget_ma * (1 + 1e-9)


def test_touch_colours_fit_any_number_of_lamps():
    """A slot with one lamp shows one."""
    assert len(touch_colours(2, 1)) == 1
    assert touch_colours(3, 0) == ()


@settings(deadline=None, max_examples=40)
@given(st.randoms(use_true_random=False))
def test_what_is_in_hands_and_pool_changes_no_lamp_and_no_public_view(chance):
    """Shuffle which hidden tiles the players hold: the public view and every lamp stay the same (1.2.1)."""
    now = HIDDEN.state
    hidden = [copy for player in now.players for copy in player.hand] + list(now.pool)
    mixed = chance.sample(hidden, len(hidden))
    players = []
    for player in now.players:
        held, mixed = mixed[: len(player.hand)], mixed[len(player.hand) :]
        players.append(replace(player, hand=tuple(held)))
    other = replace(now, players=tuple(players), pool=tuple(mixed))
    seen, then = HIDDEN.game.public(now), HIDDEN.game.public(other)
    assert seen == then
    assert BRIGHT.frame(seen) == BRIGHT.frame(then)


class Hidden:
    """A game in the middle, with hidden tiles in hands and pool."""

    def __init__(self):
        table = begin(3)
        play(table, until=lambda runtime: runtime.referee.state.turn >= 3)
        self.state = state(table)
        self.game = table.host.runtime.referee.game


HIDDEN = Hidden()

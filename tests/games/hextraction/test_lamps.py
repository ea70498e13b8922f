"""Lamps say what the scene says: touches, triggers, tiles to lift, seats, the winner; never what is hidden."""

import pytest
from helpers.lamps import TILE, scene
from helpers.simulated import begin, play, state
from hextraction.controller.games.hextraction.shown.lamps import lamps
from hextraction.controller.games.hextraction.state.glow import touch_glow
from hextraction.controller.games.scene import DARK, SEAT_COLOURS, Glow, PlaceView, SeatView
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

AMBER, RED, WHITE = (255, 120, 0), (255, 0, 0), (255, 255, 255)


def slot(name="B2", **more):
    """Return a slot, with a tile unless told otherwise."""
    return PlaceView(place=f"slot.{name}", **{"piece": TILE, **more})


def lit(*places, at="slot.B2", **more):
    """Return how a place shines."""
    return lamps(scene(*(places or (slot(),)), **more))[at]


@pytest.mark.parametrize(("touches", "amber"), [(1, 1), (2, 2)])
def test_touches_count_up_in_amber(touches, amber):
    """One lamp for a touch, two for two."""
    glow = lit(slot(count=touches))
    assert (glow.colour, glow.lit) == (AMBER, amber)
    assert glow == touch_glow(touches)


@pytest.mark.parametrize("touches", [3, 7])
def test_from_three_touches_on_all_lamps_are_red(touches):
    """Three is enough to Break the Loop."""
    assert lit(slot(count=touches)) == Glow(RED)


def test_an_empty_slot_is_dark_and_a_tile_is_dimly_white():
    """Nobody looks for a tile where there is none."""
    assert lit(slot(piece=None)).colour == DARK
    assert 0 < max(lit().colour) < 32


def test_a_waiting_effect_is_violet_whatever_was_touched():
    """A triggered effect that waits is told apart from touches."""
    red, green, blue = lit(slot(count=2, badge="!")).colour
    assert blue > red > green


def test_a_tile_to_lift_blinks_red_and_one_to_lay_blinks_white():
    """What hands have to do blinks, whatever was touched there."""
    assert lit(slot(count=3, wants="lift")) == Glow(RED, DARK, blink=True)
    assert lit(slot(count=3, wants="put"))._replace(rest=DARK) == Glow(WHITE, DARK, blink=True)


@pytest.mark.parametrize(
    "seen", [{}, {"count": 1}, {"count": 3}, {"badge": "!"}, {"wants": "lift"}, {"wants": "put"}]
)
def test_lamps_are_asked_for_no_colour_that_they_do_not_have(seen):
    """Each part of a colour is a byte."""
    glow = lit(slot(**seen))
    assert set(range(256)).issuperset({*glow.colour, *glow.rest})


def test_a_larger_tile_shows_the_touches_of_its_first_slot_everywhere():
    """Both slots of a tile that covers two count together."""
    second = PlaceView(place="slot.B3", part_of="slot.B2")
    assert lit(slot(count=3), second, at="slot.B3") == Glow(RED)


def test_the_seat_that_acts_colours_its_open_ramp_and_dims_the_others():
    """The chosen ramp shines in the seat's colour, the possible ones dimly, a banned one not at all."""
    ramps = (PlaceView(place="ramp.L1", wants="release"), PlaceView(place="ramp.L2", shut=True))
    glows = lamps(scene(*ramps, rolls_owed=1, acting="blue"))
    assert glows["ramp.L1"] == Glow(SEAT_COLOURS["blue"])
    assert glows["ramp.L2"] == Glow(DARK)
    assert 0 < max(glows["ramp.R1"].colour) < max(SEAT_COLOURS["blue"])
    assert lit(*ramps, at="ramp.L1", active="blue", acting="red") == Glow(SEAT_COLOURS["red"])


def test_an_end_zone_with_a_ball_shines():
    """A ball in an end zone is brighter than none."""
    glows = lamps(scene(PlaceView(place="zone.L", balls=1)))
    assert max(glows["zone.L"].colour) > max(glows["zone.R"].colour) > 0


def test_the_winner_has_every_lamp():
    """When somebody has won, the whole board has the winner's colour."""
    glows = lamps(scene(slot(wants="lift"), winners=("blue",)))
    assert set(glows.values()) == {Glow(SEAT_COLOURS["blue"])}


def test_a_seat_of_an_unknown_colour_is_white():
    """A colour that no lamp knows is still a light."""
    odd = (SeatView(seat="red", name="R", colour="ochre"),)
    assert lit(seats=odd, winners=("red",)) == Glow((220, 220, 220))


@pytest.fixture(scope="module")
def midgame():
    """A game in the middle, with hidden tiles in hands and pool: its rules and its state."""
    table = begin(3)
    assert play(table, until=lambda runtime: runtime.referee.state.turn >= 3)
    return table.host.game, state(table)


@pytest.mark.slow
@pytest.mark.mutants
@settings(deadline=None, max_examples=40)
@given(chance=st.randoms(use_true_random=False))
def test_what_is_in_hands_and_pool_changes_no_scene_and_so_no_lamp(midgame, chance):
    """Shuffle which hidden tiles the players hold: what everybody sees stays the same (1.2.1)."""
    game, now = midgame
    hidden = [copy for player in now.players for copy in player.hand] + list(now.pool)
    mixed = chance.sample(hidden, len(hidden))
    players = []
    for player in now.players:
        held, mixed = mixed[: len(player.hand)], mixed[len(player.hand) :]
        players.append(replace(player, hand=tuple(held)))
    other = replace(now, players=tuple(players), pool=tuple(mixed))
    assert game.scene(now) == game.scene(other)


def test_dimmed_white_is_white():
    """A dim light has the hue of the bright one."""
    odd = (SeatView(seat="red", name="R", colour="ochre"),)
    glow = lamps(scene(seats=odd))["zone.L"]
    assert len(set(glow.colour)) == 1
    assert glow.colour != DARK

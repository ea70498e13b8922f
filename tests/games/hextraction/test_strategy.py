"""What a bot prefers: better ways for balls, far more than by chance; and what its kindness makes of a ballot."""

import random

import pytest
from helpers.simulated import BOARD, TILES
from hextraction.controller.games.hextraction.cards.face import TileView
from hextraction.controller.games.hextraction.shown.strategy import HexStrategy
from hextraction.controller.games.scene import Option, PrivateView
from hextraction.controller.games.strategy import Temper

STRATEGY = HexStrategy(BOARD, TILES)
MOODS = range(40)
STAR = (TILES["asterisk"], 0)


def view(*options, hand=()):
    """Return what the red seat may see."""
    return PrivateView(seat="red", hand=tuple(hand), options=tuple(options), prompts=())


def picks(choices, layout, temper, hand=()):
    """Return what comes of each of these choices in many moods."""
    seen = view(*choices, hand=hand)
    acts = [STRATEGY.pick(seen, choices, lambda: layout, random.Random(mood), temper) for mood in MOODS]
    return {act["word"] for act in acts}


def test_a_sure_bot_rolls_on_the_ramp_from_which_balls_run_furthest_however_small_the_difference():
    """A ball on the right goes one row deep for sure, one on the left now and then only half as far."""
    layout = {"B1": STAR, "D1": (TILES["peace"], 0)}
    choices = [Option(group="roll", label=ramp, act={"word": ramp}, ramp=ramp) for ramp in ("L1", "R1")]

    assert picks(choices, layout, Temper(whim=0.0)) == {"R1"}


@pytest.mark.slow
@pytest.mark.mutants
def test_a_sure_bot_plays_the_tile_that_leaves_the_better_board():
    """In a slot above an end zone a tile open to all sides goes before one that stops some balls, in every mood."""
    layout = {slot: STAR for slot in BOARD.slot_names if slot != "B5"}
    hand = [TileView(id=number, name=name, title=name) for number, name in enumerate(("j", "asterisk"), 1)]
    choices = [Option(group="play", label=one.name, act={"word": one.name}, tile=one.id) for one in hand]

    assert picks(choices, layout, Temper(whim=0.0), hand) == {"asterisk"}


def test_on_a_full_board_a_sure_bot_plays_a_tile_that_it_knows():
    """What nobody has seen may be anything: it comes after a tile that changes nothing."""
    layout = dict.fromkeys(BOARD.slot_names, STAR)
    hand = [TileView(id=1, name="", title="a tile"), TileView(id=2, name="asterisk", title="*")]
    choices = [Option(group="play", label=one.name, act={"word": one.name}, tile=one.id) for one in hand]

    assert picks(choices, layout, Temper(whim=0.0), hand) == {"asterisk"}


@pytest.mark.parametrize(("whim", "slots"), [(0.0, {"B5"}), (1.0, {"B5", "C4"})])
def test_a_sure_bot_lays_its_tile_where_balls_run_furthest_and_a_whimsical_one_anywhere(whim, slots):
    """Of two open slots one is just above an end zone; whim is how often a bot takes any of its choices."""
    layout = {slot: STAR for slot in BOARD.slot_names if slot not in {"B5", "C4"}}
    choices = [
        Option(group="place", label=slot, act={"word": slot}, slot=slot, tile=1, turns=(0,))
        for slot in ("B5", "C4")
    ]

    hand = [TileView(id=2, name="j", title="J"), TileView(id=1, name="asterisk", title="*")]

    assert picks(choices, layout, Temper(whim=whim), hand) == slots


@pytest.mark.parametrize(("kindness", "said"), [(1.0, {"yes"}), (0.0, {"yes", "no"})])
def test_a_bot_as_kind_as_can_be_votes_yes_and_any_other_as_it_likes(kindness, said):
    """Kindness is how surely it agrees with what others propose."""
    choices = [Option(group="ballot", label=word, act={"word": word}) for word in ("yes", "no")]

    assert picks(choices, {}, Temper(whim=0.0, kindness=kindness)) == said


@pytest.mark.parametrize("word", ["contend", "flag", "flick", "jammed", "undo", "vote"])
def test_each_dispute_may_be_what_a_bot_says_out_of_turn(word):
    """If it is the only thing to say, that is said."""
    seen = view(
        Option(group=word, label=word, act={"do": word}), Option(group="end", label="", act={"do": "end"})
    )

    assert STRATEGY.talk(seen, random.Random(1)) == {"do": word}

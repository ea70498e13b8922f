"""Whatever people tap, and however fast, the simulated board lies as the game has it."""

import random
from collections import Counter

import pytest
from helpers.simulated import begin, now_us, play, state, table
from helpers.tiers import first_by_day
from hextraction.board.grid import turned
from hextraction.board.tiles import UNKNOWN_SHAPE
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.protocol import Acted
from hextraction.controller.play.journal import Journal

SAID_BY_THE_TABLE = {"concede", "vote", "flag", "jammed"}
"""What would end the random game at once, or keep a tile in its slot for good."""
MOMENT_STEPS = 150
"""Longer than hands need for what they were asked to do."""
LOOKS = 0.02
"""How often people stop tapping and look, when nothing is going on."""


class FastThumbs:
    """People without bots, who tap anything that their phones offer, at any moment."""

    def __init__(self, seed, journal=None, **settings):
        self.chance = random.Random(seed)
        self.journal = journal or Journal(":memory:")
        self.settings = {"players": 2, "journal": self.journal, **settings}
        self.seed = seed
        self.at = begin(seed, **self.settings)
        self.at.host.bots.clear()
        self.looked = 0

    def tap(self, seat, act):
        """Let a phone send an act; return why it was refused, or nothing."""
        refused = self.at.host.runtime.act(
            Acted(at_us=now_us(self.at), seat=seat, act=act, chance=self.chance.getrandbits(64))
        )
        return refused and refused.reason

    def tap_anything(self):
        """Tap one of the things that a phone shows."""
        referee = self.at.host.runtime.referee
        seat = self.chance.choice([player.seat for player in self.at.host.runtime.standing.players])
        view = referee.game.private(referee.state, seat)
        shown = [(one.act, one.turns) for one in view.options if one.act["do"] not in SAID_BY_THE_TABLE]
        shown += [(one.act, ()) for prompt in view.prompts for one in prompt.options] * 3
        if shown:
            act, turns = self.chance.choice(shown)
            self.tap(seat, {**act, "turns": self.chance.choice(turns)} if turns else act)

    def take_a_break(self):
        """Let the table pause and go on."""
        for on in (True, False):
            self.at.host.runtime.pause(now_us(self.at), on=on)

    def pull_the_plug(self):
        """Start the whole table anew from its journal."""
        name = self.at.host.runtime.game
        self.at = table(self.seed, **self.settings)
        self.at.resume(name)
        self.at.host.bots.clear()

    def play(self, steps, *, hurry=0.05, breaks=0.0, cuts=0.0):
        """Tap for so many steps of simulated time, and look at the board whenever all is quiet."""
        for _step in range(steps):
            if self.at.host.runtime.over:
                return
            self.at.step()
            if self.chance.random() < hurry:
                self.tap_anything()
            if self.chance.random() < breaks:
                self.take_a_break()
            if self.chance.random() < cuts:
                self.pull_the_plug()
            if self.is_quiet() and self.chance.random() < LOOKS:
                self.look()

    def look(self):
        """Wait a moment; if all is still quiet, the board has to lie as the game has it."""
        for _step in range(MOMENT_STEPS):
            self.at.step()
        if self.is_quiet():
            self.looked += 1
            assert_that_the_board_lies_as_the_game_has_it(self.at)

    def is_quiet(self):
        """Whether nothing moves, is asked, or is in anybody's hands."""
        now, awaited = state(self.at), self.at.host.runtime.referee.game.awaited(state(self.at))
        waits = awaited.in_hands or awaited.decision
        return now.phase is Phase.CHOOSING and not waits and not self.at.devices.world.moving


def tiles_by_the_game(at):
    """Return the tiles that should lie on the board, as the world tells those that do."""
    runtime, board = at.host.runtime, at.host.game.board
    drawn = {one.place for one in runtime.scene().places if one.piece is not None}
    lie = {slot: tile for slot, tile in runtime.referee.lies.tiles.items() if f"slot.{slot}" in drawn}
    under = {
        board.neighbour(slot, turned(edge, turns)): (UNKNOWN_SHAPE, turns)
        for slot, (tile, turns) in lie.items()
        for edge in tile.covers
    }
    return {**lie, **under}


def assert_that_the_board_lies_as_the_game_has_it(at):
    """The tiles lie as they should; no ball lies where none counts, and where a tile holds them none is missing."""
    world, believed = at.devices.world, Counter(at.host.runtime.referee.lies.resting.values())
    assert world.tiles == tiles_by_the_game(at)
    seen = at.devices.inputs.levels()
    for slot in world.board.slot_names:
        assert seen[f"tile.{slot}"] is (slot in world.tiles)
        there = len(world.contents.slots.get(slot, ()))
        holds = world.tiles[slot][0].holds if slot in world.tiles else 0
        assert min(believed[slot], holds) <= there <= believed[slot], slot


def option(at, seat, **wanted):
    """Return what a phone sends for the option with these words, or None if it is not offered."""
    referee = at.host.runtime.referee
    acts = [one.act for one in referee.game.private(referee.state, seat).options]
    return next((act for act in acts if wanted.items() <= act.items()), None)


def lay(thumbs):
    """Play a tile of whose turn it is, and choose the first slot; return seat and slot."""
    seat = state(thumbs.at).active
    thumbs.tap(seat, option(thumbs.at, seat, do="play"))
    place = option(thumbs.at, seat, do="place")
    thumbs.tap(seat, {**place, "turns": 0})
    return seat, place["slot"]


def test_a_tile_that_was_let_go_at_once_lies_on_the_board():
    """“It sits flat” before the hands were there is as true as after it."""
    thumbs = FastThumbs(11, laid=0)
    seat, slot = lay(thumbs)
    assert thumbs.tap(seat, {"do": "seated"}) is None
    thumbs.at.step()
    assert slot in thumbs.at.devices.world.tiles
    assert_that_the_board_lies_as_the_game_has_it(thumbs.at)


def test_a_tile_that_was_told_to_be_out_at_once_is_out():
    """“Out of D1” before the hands were there leaves no ghost of it."""
    thumbs = FastThumbs(11, laid=0)
    seat, slot = lay(thumbs)
    assert play(thumbs.at, until=lambda _now: slot in thumbs.at.devices.world.tiles, steps=200)
    thumbs.tap(seat, {"do": "no_fit"})
    for _step in range(3):
        thumbs.at.step()
    thumbs.tap(seat, {"do": "lifted", "slot": slot})
    thumbs.at.step()
    assert slot not in thumbs.at.devices.world.tiles


def test_a_thumb_that_taps_a_gate_twice_gets_one_ball():
    """Neither the board nor the game knows of a second one."""
    thumbs = FastThumbs(11, laid=0)
    seat = state(thumbs.at).active
    roll = option(thumbs.at, seat, do="roll")
    assert [thumbs.tap(seat, roll) for _tap in range(3)] == [None] * 3
    assert play(thumbs.at, until=lambda _now: state(thumbs.at).phase is Phase.ROLLING, steps=200)
    assert play(thumbs.at, until=lambda _now: state(thumbs.at).phase is Phase.SETTLING, steps=4000)
    assert state(thumbs.at).strays + len(state(thumbs.at).roll.record.fell) == 1


def test_no_second_gate_opens_while_the_first_ones_ball_may_come():
    """Another ramp tapped too early is refused with what to do; a little later its gate opens."""
    thumbs = FastThumbs(11, laid=0)
    seat = state(thumbs.at).active
    thumbs.tap(seat, {"do": "roll", "ramp": "L1"})
    assert (
        thumbs.tap(seat, {"do": "roll", "ramp": "R1"})
        == "The gate of ramp L1 has just opened: watch its ball."
    )


@pytest.mark.parametrize("seed", first_by_day((11, *range(8)), "more orders of taps"))
def test_board_and_game_agree_after_any_order_of_taps(seed):
    """At each quiet, after taps, breaks and restarts at any moment."""
    thumbs = FastThumbs(seed)
    thumbs.play(4_000 if seed == 11 else 20_000, hurry=0.1, breaks=0.001, cuts=0.0005)
    assert thumbs.at.host.runtime.failures == 0
    assert thumbs.looked or thumbs.at.host.runtime.over

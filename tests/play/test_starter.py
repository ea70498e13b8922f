"""A starter's table: beams at ramps and end zones save the taps that say the same, and people tell the rest."""

import random

import pytest
from helpers.simulated import BOARD, TILES
from hextraction.board.instruments import instruments
from hextraction.controller.games.hextraction import Config, Hextraction, Phase
from hextraction.controller.games.hextraction.setup.decks import demo_setup, quick_start
from hextraction.controller.games.hextraction.state.state import Depth
from hextraction.controller.games.protocol import Acted, Ignored, Refused, Seated
from hextraction.controller.play.journal import EdgeEntry, Entry, Header
from hextraction.controller.play.referee import Referee, replay

STARTER = tuple(each.name for each in instruments(BOARD, "starter"))
S = 1_000_000


class StarterTable:
    """A full board of path tiles, two people, and eight beams."""

    def __init__(self, depth=Depth.LIGHT, grace_us=0):
        config = Config(sensors=False, tile_sensors=False, gates=False, depth=depth, grace_us=grace_us)
        laid = quick_start(BOARD, TILES, 22, random.Random(8))
        seats = (Seated("red", "Ada"), Seated("blue", "Bob"))
        setup = demo_setup(TILES, BOARD.name, seats, laid=laid, config=config, chance=1, at_us=0)
        header = Header(game="starter", boot="b", wall="", software="", setup=setup, sensors=STARTER)
        self.game = Hextraction(BOARD, TILES)
        self.referee, self.header, self.entries, self.at_us = Referee(self.game, header), header, [], 0

    @property
    def state(self):
        """The state of the game."""
        return self.referee.state

    def hear(self, what):
        """Let something happen; return what the game asks of the world for it."""
        effects = []
        for each in self.referee.hear(what):
            self.entries.append(Entry(seq=len(self.entries) + 1, what=each))
            effects += self.referee.apply(each)
        return effects

    def breaks(self, beam):
        """Let a ball pass a beam two seconds later."""
        self.at_us += 2 * S
        found = self.hear(EdgeEntry(at_us=self.at_us, sensor=beam, active=True))
        self.hear(EdgeEntry(at_us=self.at_us + 20_000, sensor=beam, active=False))
        return found

    def tap(self, seat, **act):
        """Let somebody tap; return the refusal, if any."""
        self.at_us += S
        effects = self.hear(Acted(at_us=self.at_us, seat=seat, act=act, chance=1))
        return next((each.reason for each in effects if isinstance(each, Refused)), None)


@pytest.fixture
def table():
    """A table that tells results (the light mode)."""
    return StarterTable()


def test_a_ball_that_rolls_from_its_ramp_into_an_end_zone_wins_without_a_tap(table):
    """The ramp's beam begins the roll, the end zone's ends it, and whoever was on turn has won."""
    roller = table.state.active
    table.breaks("ramp.R2")
    assert (table.state.phase, table.state.roll.ramp) == (Phase.ROLLING, "R2")
    table.breaks("zone.R")
    assert (table.state.phase, table.state.winners) == (Phase.OVER, (roller,))


def test_a_ramp_that_was_tapped_and_then_seen_is_one_roll_of_one_ball(table):
    """Whoever taps the ramp first and lets the ball go then has rolled once."""
    roller = table.state.active
    assert table.tap(roller, do="roll", ramp="R2") is None
    ignored = table.breaks("ramp.R2")
    assert any(isinstance(each, Ignored) for each in ignored)
    assert len(table.state.roll.record.ramps) == 1
    table.breaks("zone.R")
    assert table.state.winners == (roller,)


def test_where_the_ball_ended_is_told_with_one_tap_and_then_no_beam_begins_another_roll(table):
    """A ball that stays on a tile is told; the roll is over, and none is left of which a beam could speak."""
    first = table.state.active
    table.breaks("ramp.R2")
    assert table.tap(first, do="attest", saw="rests", place="D1") is None
    assert (table.state.roll, table.state.phase) == (None, Phase.CHOOSING)
    table.breaks("ramp.R1")
    assert (table.state.roll, table.state.phase, table.state.active) == (None, Phase.CHOOSING, first)


def test_a_hand_in_an_end_zone_wins_nothing_while_nobody_rolls(table):
    """A ball that is taken out for the next game breaks the beam, and nothing follows."""
    before = table.state.phase
    table.breaks("zone.L")
    assert (table.state.phase, table.state.winners, table.state.roll) == (before, (), None)


def test_a_goal_that_a_hand_made_is_taken_back_by_whoever_rolled():
    """With time for objections the roller takes the beam's goal back as if they had tapped it."""
    table = StarterTable(grace_us=10 * S)
    roller = table.state.active
    table.breaks("ramp.R2")
    table.breaks("zone.R")
    assert table.state.phase is Phase.SETTLING
    assert table.tap(roller, do="undo") is None
    assert (table.state.phase, table.state.winners) == (Phase.ROLLING, ())


def test_a_table_that_keeps_the_score_only_hears_goals():
    """Ramps say nothing there; an end zone's beam is the goal of whoever is on turn."""
    table = StarterTable(Depth.SCORE)
    roller = table.state.active
    table.breaks("ramp.L1")
    assert table.state.phase is Phase.CHOOSING
    table.breaks("zone.L")
    assert table.state.winners == (roller,)


def test_the_journal_of_a_starters_game_gives_the_same_game_again(table):
    """Edges and what followed replay to the very state that the table ended in."""
    table.breaks("ramp.R2")
    table.breaks("zone.R")
    assert replay(table.game, table.header, table.entries).state == table.state

"""The tracker's accounts of many made-up games: whoever changes them does it knowingly."""

import random
from hashlib import sha256

import pytest
from helpers.trackbench import BOARD
from hextraction.board.instruments import instruments
from hextraction.controller.games.hextraction.tilebook import load_catalogue
from hextraction.controller.tracking import Laid, Tracker

TILES = [tile for tile in load_catalogue().values() if not tile.covers and not tile.parts]
AS_BEFORE = {
    "rich": "99e0a07b333e7a3385376ef5ce105a20",
    "lean": "425f1a741c69cf4aeaa720c0699d1586",
    "basic": "16090dc23ef0acb4c026b910b35cb2bf",
}


class Game:
    """Balls that wander over tiles which come and go, seen by sensors that miss and invent pulses."""

    def __init__(self, which, seed):
        self.rng = random.Random(seed)
        self.names = [i.name for i in instruments(BOARD, which) if not i.name.startswith("tile.")]
        self.tracker = Tracker(BOARD, self.names)
        self.laid = {slot: self.tile() for slot in BOARD.slot_names if self.rng.random() < 0.9}
        self.tracker.lay(self.laid)
        self.told = []
        self.at_us = 1_000_000

    def tile(self):
        tile = self.rng.choice(TILES)
        return Laid(tile, self.rng.choice(tile.turns))

    def relay(self):
        """Lay or destroy a tile, in the middle of whatever happens."""
        slot = self.rng.choice(BOARD.slot_names)
        if self.rng.random() < 0.3:
            self.laid.pop(slot, None)
        else:
            self.laid[slot] = self.tile()
        self.tracker.lay(self.laid)

    def until(self, at_us):
        while (wake_at_us := self.tracker.wake_at_us) is not None and (at_us is None or wake_at_us <= at_us):
            self.told += self.tracker.advance(wake_at_us)

    def pulse(self, sensor):
        """Let a ball pass a sensor, which may miss it."""
        self.at_us += round(self.rng.lognormvariate(11.2, 0.6))
        if sensor not in self.names or self.rng.random() < 0.05:
            return
        self.edge(sensor, active=True)
        self.at_us += round(self.rng.lognormvariate(10.0, 0.6))
        self.edge(sensor, active=False)

    def edge(self, sensor, *, active):
        self.until(self.at_us)
        self.told += self.tracker.feed(sensor, active, self.at_us)

    def roll(self):
        """Let a ball come from a ramp and wander until it is lost or lies."""
        ramp = self.rng.choice(BOARD.ramps)
        if self.rng.random() < 0.6:
            self.tracker.expect(ramp.name, self.at_us)
        self.pulse(f"ramp.{ramp.name}")
        slot = ramp.slot
        while slot is not None and self.rng.random() < 0.92:
            slot = self.step(slot)
        self.at_us += self.rng.choice((300_000, 4_000_000))

    def step(self, slot):
        """Let a ball be seen in a slot, and roll into the next or out of sight."""
        chance = self.rng.random()
        if chance < 0.05:
            self.relay()
        elif chance < 0.1:
            self.pulse(self.rng.choice(self.names))
        self.pulse(f"ball.{slot}")
        if slot not in self.laid:
            self.pulse(f"drain.{slot}")
            return None
        edge = self.rng.choice((1, 2, 3, 3, 4, 4, 4, 5, 5, 6))
        beyond = BOARD.by_name[slot].beyond(edge)
        self.pulse(f"edge.{slot}.{edge}")
        if beyond.slot is not None:
            self.pulse(f"edge.{beyond.slot}.{(edge + 2) % 6 + 1}")
        if beyond.zone is not None:
            self.pulse(f"zone.{beyond.zone}")
        return beyond.slot


@pytest.mark.parametrize("which", AS_BEFORE)
def test_games_are_told_as_before(which):
    """Every fact, verdict and question of these games is the same, to the last digit."""
    digest = sha256()
    for seed in range(4):
        game = Game(which, seed)
        for _roll in range(10):
            game.roll()
            game.relay()
        game.until(None)
        digest.update(repr((game.told, sorted(game.tracker.ignored.items()))).encode())
    assert digest.hexdigest()[:32] == AS_BEFORE[which]

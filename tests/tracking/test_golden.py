"""The tracker's accounts of many made-up games: whoever changes them does it knowingly."""

import random
from hashlib import sha256

import pytest
from helpers.tiers import first_by_day
from helpers.trackbench import BOARD
from hextraction.board.instruments import instruments
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.tracking import Laid, Tracker

TILES = [tile for tile in load_catalogue().values() if not tile.covers and not tile.parts]
AS_BEFORE = {
    "rich": "7a4b95eef315703bfb280eee99953044",
    "lean": "91633c23d6e8ee242c5c2efc800cf17d",
    "basic": "6c02ba5cab0fce0010b5d84f9437644d",
}
AS_BEFORE_ROUGH = {
    "rich": "3eaee5e947ba9c42e06d7d7d8f3e515d",
    "lean": "37bd879132fff4d4fd62f89a4f5a2512",
    "basic": "eb1eb54c829b74161b2f5fb44cc175a3",
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

    def announce(self, ramp):
        self.tracker.expect(ramp, self.at_us)

    def roll(self):
        """Let a ball come from a ramp and wander until it is lost or lies."""
        ramp = self.rng.choice(BOARD.ramps)
        if self.rng.random() < 0.6:
            self.announce(ramp.name)
        self.pulse(f"ramp.{ramp.name}")
        self.wander(ramp.slot)

    def wander(self, slot):
        """Let a ball roll from slot to slot until it is lost or lies."""
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


class RoughGame(Game):
    """Balls that roll at once, rock over beams, lean on them and lie in dead ends, before broken sensors too."""

    def __init__(self, which, seed):
        super().__init__(which, seed)
        self.seen = []
        self.tracker.through_gates(only=bool(seed % 2))
        for sensor in self.rng.sample(self.names, 4):
            self.tracker.declare_broken(sensor)

    def tile(self):
        """Return a tile, of which every third ends somewhere."""
        blind = [tile for tile in TILES if any(len(channel) == 1 for channel in tile.channels or ())]
        tile = self.rng.choice(blind if self.rng.random() < 0.33 else TILES)
        return Laid(tile, self.rng.choice(tile.turns))

    def roll(self):
        """Let one to three balls come from ramps, or from where they lay, a moment apart."""
        begin_us, last_us = self.at_us, []
        for _ball in range(self.rng.choice((1, 1, 2, 3))):
            self.at_us = begin_us + round(self.rng.uniform(0, 600_000))
            lie = [slot for slot in self.tracker.resting.values() if slot in BOARD.by_name]
            if lie and self.rng.random() < 0.3:
                self.wander(self.rng.choice(lie))
            else:
                super().roll()
            last_us.append(self.at_us)
        for at_us, name, active in sorted(self.seen, key=lambda one: one[:2]):
            self.at_us = at_us
            if active is None:
                super().announce(name)
            else:
                super().edge(name, active=active)
        self.seen.clear()
        self.at_us = max(last_us)

    def announce(self, ramp):
        """Note a release: it is told in order of time."""
        self.seen.append((self.at_us, ramp, None))

    def edge(self, sensor, *, active):
        """Note an edge: those of all balls come in order of time."""
        self.seen.append((self.at_us, sensor, active))

    def pulse(self, sensor):
        """Let a ball pass a sensor, which it may rock over, and in whose sight it may come to rest."""
        super().pulse(sensor)
        while sensor in self.names and self.rng.random() < 0.3:
            self.at_us += round(
                self.rng.choice((4_000, 15_000, 60_000, 150_000)) * self.rng.uniform(0.7, 1.3)
            )
            self.edge(sensor, active=True)
            if self.rng.random() < 0.1:
                return
            self.at_us += round(
                self.rng.choice((3_000, 20_000, 80_000, 300_000)) * self.rng.uniform(0.7, 1.3)
            )
            self.edge(sensor, active=False)


@pytest.mark.slow
@pytest.mark.mutants
@pytest.mark.parametrize("which", AS_BEFORE)
def test_games_are_told_as_before(which):
    """Every fact, verdict and question of these games is the same, to the last digit."""
    assert told(Game, which, seeds=4) == AS_BEFORE[which]


@pytest.mark.slow
@pytest.mark.mutants
@pytest.mark.parametrize("which", first_by_day(AS_BEFORE_ROUGH, "games of broken sensors on every set"))
def test_games_with_rocking_balls_and_broken_sensors_are_told_as_before(which):
    """Every fact, verdict and question of these games is the same, to the last digit."""
    assert told(RoughGame, which, seeds=8) == AS_BEFORE_ROUGH[which]


def told(kind, which, seeds):
    """Return a short number for all that the tracker says in some games."""
    digest = sha256()
    for seed in range(seeds):
        game = kind(which, seed)
        for _roll in range(10):
            game.roll()
            game.relay()
        game.until(None)
        digest.update(repr((game.told, sorted(game.tracker.ignored.items()))).encode())
    return digest.hexdigest()[:32]

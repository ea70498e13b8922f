"""A bench for the tracker: says what sensors see in words of the game, and keeps the books on facts."""

from collections import Counter

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    RollSettled,
)
from hextraction.board.instruments import instruments
from hextraction.board.profile import load_board
from hextraction.board.routes import load_routes
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN, Tile
from hextraction.controller.tracking import Laid, Settings, Tracker

load_routes()  # read once: no test pays for it within its deadline
BOARD = load_board("standard-22")
HOLE = Tile(name="pit", title="Pit", channels=((1, 4),), hole=True)
STRAIGHT = Tile(name="straight", title="Straight", channels=((1, 4),))
ALL_UNKNOWN = {slot: Laid(UNKNOWN, 0) for slot in BOARD.slot_names}


class Bench:
    """A tracker on the standard board; times are milliseconds here. ``settings`` are the tracker's."""

    def __init__(self, which="rich", tiles=None, balls=None, **settings):
        self.sensors = [instrument.name for instrument in instruments(BOARD, which)]
        self.tracker = Tracker(BOARD, self.sensors, Settings(**settings))
        self.tracker.lay(ALL_UNKNOWN if tiles is None else tiles)
        self.tracker.put_balls(balls or {})
        self.live = []
        self.settled = []

    def take(self, facts):
        for fact in facts:
            (self.settled if isinstance(fact, RollSettled) else self.live).append(fact)
        return facts

    def on(self, sensor, at_ms):
        return self.take(self.tracker.feed(sensor, active=True, at_us=at_ms * 1000))

    def off(self, sensor, at_ms):
        return self.take(self.tracker.feed(sensor, active=False, at_us=at_ms * 1000))

    def pulse(self, sensor, at_ms, length_ms=22):
        return self.on(sensor, at_ms) + self.off(sensor, at_ms + length_ms)

    def pulses(self, *seen):
        for sensor, at_ms in seen:
            self.pulse(sensor, at_ms)

    def quiet(self):
        """Wait until nothing more is wanted; return the last roll settled."""
        while self.tracker.wake_at_us is not None:
            self.take(self.tracker.advance(self.tracker.wake_at_us))
        return self.settled[-1] if self.settled else None


def way(facts):
    """Return facts as short words: what and where, without times and numbers."""
    words = {
        BallReleased: "released",
        BallEntered: "entered",
        BallLeft: "left",
        BallFell: "fell",
        BallInZone: "in zone",
        BallLeftZone: "left zone",
        BallOffBoard: "off board",
        BallStuckOnRamp: "stuck",
    }
    return [
        f"{words[type(fact)]} {getattr(fact, 'slot', None) or getattr(fact, 'ramp', None) or getattr(fact, 'zone', None)}"
        for fact in facts
    ]


def touches(facts):
    """Return how often each slot was entered."""
    return Counter(fact.slot for fact in facts if isinstance(fact, BallEntered))


def check_books(facts, start):
    """Check that balls leave only where they were; return ball -> where it is at the end.

    ``start`` says where balls were: ("slot", "C3") and so on.
    """
    where = dict(start)
    before_us = 0
    for fact in facts:
        assert fact.at_us >= before_us
        before_us = fact.at_us
        ball = fact.ball
        if isinstance(fact, BallReleased):
            assert ball not in where
            where[ball] = ("ramp", fact.ramp)
        elif isinstance(fact, BallEntered):
            assert where[ball][0] in {"ramp", "air"}
            where[ball] = ("slot", fact.slot)
        elif isinstance(fact, BallLeft):
            assert where[ball] == ("slot", fact.slot)
            where[ball] = ("air", fact.slot)
        elif isinstance(fact, BallFell):
            assert where[ball][0] in {"ramp", "air"} or where[ball] == ("slot", fact.slot)
            where[ball] = ("gone", "fell")
        elif isinstance(fact, BallInZone):
            assert where[ball][0] in {"ramp", "air"}
            where[ball] = ("zone", fact.zone)
        elif isinstance(fact, BallLeftZone):
            assert where[ball] == ("zone", fact.zone)
            where[ball] = ("air", fact.zone)
        elif isinstance(fact, BallOffBoard):
            assert where[ball][0] in {"ramp", "air"}
            where[ball] = ("gone", "off")
        else:
            assert where[ball][0] in {"ramp", "air"}
            where[ball] = ("stuck", fact.ramp)
    return where

"""Random balls: where they run is drawn from the channels of the tiles, without any physics.

A ball is a generator of facts that looks at each tile only when it gets there: tiles may disappear while it
runs. What people would see of it is remembered, for when they are asked.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Doubt,
    Fact,
    RollSettled,
)
from hextraction.board.grid import opposite
from hextraction.board.profile import Board
from hextraction.board.tiles import DOWNHILL, Layout, TileShape

__all__ = ["Balls", "told_as"]

_STICKS: Final = 0.15
"""Share of balls that stay on a ramp whose tile is closed to them."""
_RESTS: Final = 0.4
"""Share of balls that stay on a tile with no way out for them; the others hop over its wall."""
_POCKETED: Final = 0.7
"""Share of balls that a tile with a free pocket keeps."""
_DROPS: Final = 0.5
"""Share of balls that fall into a tile's own hole."""
_KNOCKS: Final = 0.3
"""Share of resting balls that are knocked on by a ball coming onto their tile."""
_HIDES: Final = 0.03
"""Share of balls whose end no sensor sees (R-34)."""
_LAST: Final = (BallFell, BallInZone, BallOffBoard)
_LONGEST: Final = 60
"""The most slots that a ball crosses."""


class Balls:
    """The balls of one game."""

    def __init__(self, board: Board, rng: random.Random) -> None:
        self._board = board
        self._rng = rng
        self._running: list[Iterator[Fact]] = []
        self._seen: list[Fact] = []
        self._missing: list[Doubt] = []
        self._layout: Layout = {}
        self._resting: dict[int, str] = {}
        self._at_us = 0
        self.fates: dict[int, str] = {}
        """Where each ball of the roll went, as the answer to the question for it."""

    @property
    def moving(self) -> bool:
        """Whether any ball is running, or has run since the last account."""
        return bool(self._running or self._seen)

    def look(self, layout: Layout, resting: Mapping[int, str], at_us: int) -> None:
        """Update to the tiles that lie on the board now: balls on a removed tile leave with it."""
        self._layout, self._at_us = layout, at_us
        if not self._running:
            self._resting = dict(resting)
        self._resting = {ball: slot for ball, slot in self._resting.items() if slot in layout}

    def release(self, ball: int, ramp: str) -> BallReleased:
        """Release a ball from a ramp."""
        self._running.append(self._roll(ball, ramp))
        seen = BallReleased(at_us=self._at_us, ball=ball, ramp=ramp)
        self._seen.append(seen)
        return seen

    def stir(self, slot: str) -> None:
        """Start every ball on a slot moving."""
        for ball in [ball for ball, place in self._resting.items() if place == slot]:
            self._set_off(ball, slot)

    def step(self, *, hiding: bool) -> Fact | None:
        """Return the next fact about a ball, or None when all lie still.

        Args:
            hiding: whether a sensor may miss how a ball ends.
        """
        while self._running:
            ball = self._rng.choice(self._running)
            seen = next(ball, None)
            if seen is None:
                self._running.remove(ball)
            elif not (hiding and isinstance(seen, _LAST) and self._rng.random() < _HIDES):
                self._seen.append(seen)
                return seen
            else:
                slot = seen.slot if isinstance(seen, (BallFell, BallOffBoard)) else None
                self._missing.append(Doubt(ball=seen.ball, slot=slot))
        return None

    def settle(self) -> RollSettled:
        """Return the account of everything since the balls last lay still."""
        account = RollSettled(at_us=self._at_us, facts=tuple(self._seen), missing=tuple(self._missing))
        self._seen, self._missing = [], []
        return account

    # --- one ball ---

    def _roll(self, ball: int, ramp: str) -> Iterator[Fact]:
        start = self._board.ramp_by_name[ramp]
        shut = start.slot in self._layout and not self._ways(start.slot, start.edge)
        if shut and self._rng.random() < _STICKS:
            self.fates[ball] = f"ramp.{ramp}"
            yield BallStuckOnRamp(at_us=self._at_us, ball=ball, ramp=ramp)
            return
        yield from self._run(ball, start.slot, start.edge)

    def _set_off(self, ball: int, slot: str) -> None:
        del self._resting[ball]
        self._running.append(self._run_on(ball, slot))

    def _run(self, ball: int, slot: str, edge: int) -> Iterator[Fact]:
        """Enter a slot over an edge and run on from there."""
        yield BallEntered(at_us=self._at_us, ball=ball, slot=slot)
        self._knock(slot)
        yield from self._run_on(ball, slot, edge)

    def _knock(self, slot: str) -> None:
        """Push resting balls on, sometimes, when another ball arrives."""
        for other in [other for other, place in self._resting.items() if place == slot]:
            if self._rng.random() < _KNOCKS:
                self._set_off(other, slot)

    def _run_on(self, ball: int, slot: str, edge: int | None = None) -> Iterator[Fact]:
        for _slot in range(_LONGEST):
            if self._drops(slot):
                self.fates[ball] = "fell"
                yield BallFell(at_us=self._at_us, ball=ball, slot=slot)
                return
            leaving = self._leaves_by(slot, edge)
            if leaving is None:
                break
            beyond = self._board.beyond(slot, leaving)
            if beyond.slot is None:
                yield from self._end(ball, slot, beyond.zone)
                return
            yield BallEntered(at_us=self._at_us, ball=ball, slot=beyond.slot)
            yield BallLeft(at_us=self._at_us, ball=ball, slot=slot)
            self._knock(beyond.slot)
            slot, edge = beyond.slot, opposite(leaving)
        self.fates[ball] = f"slot.{slot}"
        self._resting[ball] = slot

    def _end(self, ball: int, slot: str, zone: str | None) -> Iterator[Fact]:
        if zone is None:
            self.fates[ball] = "off"
            yield BallOffBoard(at_us=self._at_us, ball=ball, slot=slot)
        else:
            self.fates[ball] = f"zone.{zone}"
            yield BallInZone(at_us=self._at_us, ball=ball, zone=zone)

    def _drops(self, slot: str) -> bool:
        if slot not in self._layout:
            return True
        return self._tile(slot).drops and self._rng.random() < _DROPS

    def _leaves_by(self, slot: str, edge: int | None) -> int | None:
        """Draw the edge by which a ball leaves; None if it stays."""
        lying = sum(place == slot for place in self._resting.values())
        if lying < self._tile(slot).holds and self._rng.random() < _POCKETED:
            return None
        ways = self._ways(slot, edge) if edge is not None else ()
        if not ways and edge is not None and self._rng.random() < _RESTS:
            return None
        return self._rng.choice(ways or DOWNHILL)

    def _ways(self, slot: str, edge: int) -> Sequence[int]:
        if slot not in self._layout:
            return ()
        shape, turns = self._layout[slot]
        return shape.exits(turns, edge)

    def _tile(self, slot: str) -> TileShape:
        return self._layout[slot][0]


def told_as(seen: Fact, layout: Layout) -> str:
    """Return how people would report this (:attr:`Option.tells`); empty if nobody would."""
    match seen:
        case BallEntered() if seen.slot in layout:
            return f"touched {seen.slot}"
        case BallFell():
            return f"fell {seen.slot}"
        case BallInZone():
            return f"zone {seen.zone}"
        case BallOffBoard():
            return "off"
        case BallStuckOnRamp():
            return f"stuck {seen.ramp}"
        case _:
            return ""

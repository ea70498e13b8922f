"""Moves balls through time, and decides when to look at which.

Rules of this module:

1. Internally time runs in whole milliseconds; every call acts on the last millisecond reached, and when a
   ball is looked at depends on the balls alone. That is why the size of time steps does not matter.
2. An event is reported once no earlier one can be found any more: up to 24 ms late while balls roll.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hextraction.simulator.sight import LOOK_MS, Happened, Sight, Track
from hextraction.simulator.story import Story
from hextraction.simulator.table import STEP_US, STILL_MM_S, Ball, Table

__all__ = ["Motion", "Rolling"]

_ROLL_CALL_MS: Final = 16
_TELL_MS: Final = 8


@dataclass(slots=True, eq=False)
class Rolling:
    """A ball on the table, and the millisecond at which to look at it next; none while it sleeps."""

    track: Track
    ball: Ball
    due_ms: int | None


class Motion:
    """All balls on the table.

    ``left(slot, edge)`` is called when a ball has left a slot over an edge, ``arrived(ball, zone)`` when one
    has gone into an end zone.
    """

    def __init__(
        self,
        table: Table,
        story: Story,
        *,
        left: Callable[[str, int], None],
        arrived: Callable[[int, str], None],
    ) -> None:
        self._table = table
        self._story = story
        self._left = left
        self._arrived = arrived
        self._sight = Sight(self._noted)
        self._gone: list[int] = []
        self._flips: list[tuple[str, int]] = []
        self._now_us = 0
        self._now_ms = 0
        self._called_ms = 0
        self._next_ms = LOOK_MS
        self._tell_ms = 0
        self._unresisted_ms = 0
        self.awake = False
        """Whether any ball is moving."""
        self.rolling: dict[int, Rolling] = {}
        """The balls on the table, in order of arrival."""

    @property
    def now_us(self) -> int:
        """The simulated time reached so far."""
        return self._now_us

    def add(self, track: Track, vx: float = 0.0, vy: float = 0.0) -> None:
        """Put a ball on the table where its track says, with a speed in millimetres a second."""
        ball = self._table.add_ball(track.x_mm, track.y_mm, vx, vy)
        if not self.awake:
            self._called_ms = self._now_ms
        self.rolling[track.ball] = Rolling(track, ball, self._soon_ms())
        self.awake = True
        self._next_ms = self._soon_ms()

    def remove(self, ball: int) -> None:
        """Take a ball off the table by hand; raises ``KeyError`` if it is not there."""
        rolling = self.rolling.pop(ball)
        self._sight.vanish(rolling.track, self._now_us)
        self._table.take_ball(rolling.ball)

    def touched(self) -> None:
        """Check all balls after the board was changed by hand: any of them may have woken."""
        self._roll_call()

    def advance_to_news(self, to_us: int) -> bool:
        """Let time pass until ``to_us`` or until there is something to report; return whether there is.

        Raises:
            ValueError: that is in the past.
        """
        if to_us < self._now_us:
            raise ValueError(f"time does not go backwards: from {self._now_us} to {to_us} us")
        if self._roll_to_news(to_us // STEP_US):
            return True
        told_us = self._story.next_us
        early = not self.awake and told_us is not None and told_us < to_us
        # The milliseconds may be ahead of the last reported moment, if the last ball has just come to rest.
        reached_us = max(self._now_us, self._now_ms * STEP_US)
        self._now_us = max(reached_us, told_us) if early and told_us is not None else to_us
        self._now_ms = self._now_us // STEP_US
        if not self.awake:
            self._story.tell(self._now_us)
        return early

    def _roll_to_news(self, until_ms: int) -> bool:
        while self.awake and self._now_ms < until_ms:
            stop_ms = min(until_ms, self._next_ms)
            self._table.step(stop_ms - self._now_ms)
            self._now_ms = stop_ms
            if stop_ms == self._next_ms:
                self._look()
                if stop_ms >= self._tell_ms and self._tell_rolling():
                    return True
        return False

    def _tell_rolling(self) -> bool:
        """Report what is certain while balls roll; return whether there was anything."""
        self._tell_ms = self._now_ms + _TELL_MS
        told_us = self._story.next_us
        if told_us is None or told_us > (horizon_us := self._horizon_us()):
            return False
        self._now_us = self._now_ms * STEP_US
        self._story.tell(horizon_us)
        return True

    def _horizon_us(self) -> int:
        """Return the time up to which nothing new can be found any more."""
        if not self.awake:
            return max(self._now_us, self._now_ms * STEP_US)
        called_us = self._called_ms * STEP_US
        return min(called_us if r.due_ms is None else r.track.at_us for r in self.rolling.values())

    def _look(self) -> None:
        now_ms, look = self._now_ms, self._sight.look
        next_ms = self._called_ms + _ROLL_CALL_MS
        for rolling in self.rolling.values():
            due_ms = rolling.due_ms
            if due_ms is None:
                continue
            if due_ms == now_ms:
                x_mm, y_mm = rolling.ball.place()
                rolling.due_ms = due_ms = now_ms + look(rolling.track, x_mm, y_mm, now_ms * STEP_US)
            if due_ms < next_ms:  # noqa: PLR1730 - half the price of min()
                next_ms = due_ms
        self._next_ms = next_ms
        if self._gone or self._flips:
            self._bury()
        if now_ms - self._called_ms >= _ROLL_CALL_MS:
            self._roll_call()

    def _roll_call(self) -> None:
        """Find the balls that have come to rest or woken since the last call."""
        before_ms, self._called_ms = self._called_ms, self._now_ms
        self._unresisted_ms += self._now_ms - before_ms
        loss = 0.0
        if self._unresisted_ms > _ROLL_CALL_MS:
            loss = self._table.resistance(self._unresisted_ms)
            self._unresisted_ms = 0
        next_ms = self._soon_ms() + _ROLL_CALL_MS
        awake = False
        for rolling in self.rolling.values():
            due_ms = rolling.due_ms
            if due_ms is None or (loss and not rolling.ball.resist(loss, STILL_MM_S)):
                due_ms = self._check_slow(rolling, before_ms)
            if due_ms is not None:
                awake = True
                next_ms = min(next_ms, due_ms)
        self.awake = awake
        self._next_ms = next_ms

    def _check_slow(self, rolling: Rolling, before_ms: int) -> int | None:
        """Check whether a slow ball has come to rest, or one at rest has woken."""
        if rolling.ball.sleeping:
            if rolling.due_ms is not None:
                self._rest(rolling)
        elif rolling.due_ms is None:
            rolling.track.at_us = max(before_ms * STEP_US, rolling.track.at_us)
            rolling.due_ms = self._soon_ms()
        return rolling.due_ms

    def _soon_ms(self) -> int:
        """Return the next millisecond at which balls are looked at."""
        return (self._now_ms // LOOK_MS + 1) * LOOK_MS

    def _rest(self, rolling: Rolling) -> None:
        x_mm, y_mm = rolling.ball.place()
        self._sight.look(rolling.track, x_mm, y_mm, self._now_ms * STEP_US)
        rolling.due_ms = None
        track = rolling.track
        if track.ramp is not None and not track.stuck:
            track.stuck = True
            self._story.stuck(track.at_us, track.ball, track.ramp)

    def _noted(self, track: Track, at_us: int, what: Happened, where: str) -> None:
        """Record what the sight found."""
        self._story.note(track.ball, track.last_slot, at_us, what, where)
        if what is Happened.LEFT:
            self._flips.append((where, track.over))
        elif what is Happened.FELL:
            self._gone.append(track.ball)
        elif what is Happened.GONE:
            self._gone.append(track.ball)
            if where:
                self._arrived(track.ball, where)

    def _bury(self) -> None:
        """Remove balls that have gone, and report the slots that were left."""
        for ball in self._gone:
            self._table.take_ball(self.rolling.pop(ball).ball)
        self._gone.clear()
        for slot, edge in self._flips:
            self._left(slot, edge)
        self._flips.clear()
        self.awake = bool(self.rolling)

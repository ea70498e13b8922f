"""Stories: whole accounts of a roll, extended pulse by pulse, of which the best few are kept.

A story says which ball caused each pulse, or that none did. Balls look alike, so two stories that differ only
in which ball is which are one story; their weights are added. Every ball of a story is always in exactly one
place: conservation holds by construction.
"""

from collections.abc import Iterable
from math import exp, log
from typing import Final, NamedTuple

from hextraction.controller.tracking.costs import BELOW_BEST, CROSSING
from hextraction.controller.tracking.graph import NONE
from hextraction.controller.tracking.paths import Act, Path

__all__ = [
    "RESTING",
    "STILL_ON",
    "Ball",
    "Move",
    "Page",
    "Pulse",
    "Story",
    "best_of",
    "came_unseen",
    "moved",
    "since",
    "without",
]

RESTING: Final = -2
"""``Ball.sensor`` of a ball that has not moved in this roll."""


STILL_ON: Final = 1 << 62
"""``Ball.until_us`` of a ball that its last sensor still sees."""
_SLOW_HALF_TILE_US: Final = 100_000


class Pulse(NamedTuple):
    """One sensor's on and off; ``off_us`` is None while it is on. ``real``: it is certainly not a ghost."""

    sensor: int
    on_us: int
    off_us: int | None
    real: bool = False

    @property
    def length_us(self) -> int | None:
        """How long it was on; None while it still is."""
        return None if self.off_us is None else self.off_us - self.on_us

    @property
    def until_us(self) -> int:
        """When it ended, or :data:`STILL_ON`."""
        return STILL_ON if self.off_us is None else self.off_us


class Ball(NamedTuple):
    """A ball of a story: where it is, and which sensor saw it last and until when.

    ``way`` is how it met that sensor: a ball that only peeked into a mouth rolls back from there.
    """

    place: int
    sensor: int
    at_us: int
    until_us: int
    number: int
    way: int = CROSSING


class Page(NamedTuple):
    """One page of a story. ``released`` is a ramp, or NONE for a ball that was already there."""

    before: "Page | None"
    ball: int
    from_us: int
    to_us: int
    acts: tuple[Act, ...]
    released: int = NONE


class Story(NamedTuple):
    """One account so far. ``touched``: touches per slot; ``waiting``: releases announced but not yet seen."""

    cost: float
    balls: tuple[Ball, ...]
    touched: int
    waiting: tuple[tuple[int, int], ...]
    last: Page | None
    next_number: int

    def alike(self) -> tuple[object, ...]:
        """Return a key that is equal for stories which differ only in which ball is which."""
        return tuple(sorted([ball[:3] for ball in self.balls])), self.touched, self.waiting


Move = tuple[int, float, Path]
"""What a ball may have done: its index in the story, the cost, the path."""


def best_of(stories: Iterable[Story], keep: int) -> list[Story]:
    """Merge stories that are alike and return the ``keep`` likeliest, best first."""
    found: dict[tuple[object, ...], Story] = {}
    for story in stories:
        key = story.alike()
        other = found.get(key)
        found[key] = story if other is None else _together(story, other)
    ranked = sorted(found.values(), key=lambda story: story.cost)[:keep]
    return [story for story in ranked if story.cost <= ranked[0].cost + BELOW_BEST]


def _together(one: Story, other: Story) -> Story:
    better, worse = (one, other) if one.cost <= other.cost else (other, one)
    return better._replace(cost=better.cost - log(1 + exp(better.cost - worse.cost)))


def since(at_us: int, halves: float, now_us: int) -> int:
    """Return when a ball seen at ``at_us`` set off, if it is now ``halves`` half tiles further."""
    return min(max(at_us, now_us - round(_SLOW_HALF_TILE_US * halves)), now_us)


def came_unseen(story: Story, ramp: int, path: Path, pulse: Pulse) -> Story:
    """Return the story with a pulse caused by a new ball that its ramp's beam missed."""
    number = story.next_number
    from_us = since(0, path.halves, pulse.on_us)
    page = Page(story.last, number, from_us, from_us, (), ramp)
    return story._replace(
        balls=(*story.balls, Ball(path.end, pulse.sensor, pulse.on_us, pulse.until_us, number, path.way)),
        touched=story.touched + path.touched,
        last=Page(page, number, from_us, pulse.on_us, path.acts),
        next_number=number + 1,
    )


def moved(story: Story, moves: list[Move], pulse: Pulse, extra: float = 0.0) -> Story:
    """Return the story with a pulse caused by some of its balls, each along its path."""
    balls, cost, touched, last = list(story.balls), story.cost + extra, story.touched, story.last
    for index, more, path in moves:
        ball = balls[index]
        cost += more
        touched += path.touched
        stays = ball.sensor == RESTING and not path.acts
        seen = RESTING if stays else pulse.sensor
        balls[index] = Ball(path.end, seen, pulse.on_us, pulse.until_us, ball.number, path.way)
        if path.acts:
            last = Page(
                last, ball.number, since(ball.at_us, path.halves, pulse.on_us), pulse.on_us, path.acts
            )
    return Story(cost, tuple(balls), touched, story.waiting, last, story.next_number)


def without(
    waiting: tuple[tuple[int, int], ...], ramp: int, at_us: int
) -> tuple[tuple[tuple[int, int], ...], int | None]:
    """Remove a ramp's first announced release from the list; also return its time, or None without one."""
    for index, (announced, since_us) in enumerate(waiting):
        if announced == ramp and since_us <= at_us:
            return waiting[:index] + waiting[index + 1 :], since_us
    return waiting, None

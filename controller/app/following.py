"""A tracker set on a labelled roll: what it said, and how long everything took."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from time import perf_counter_ns

from hextraction.board.facts import Doubt, Fact, RollSettled
from hextraction.controller.app.labelled import LabelledRoll
from hextraction.controller.evaluation.score import Told
from hextraction.controller.tracking import Tracker

__all__ = ["Followed", "Times", "follow", "told_of"]

ASK_BELOW = 0.9
"""A roll of which the tracker is less sure is asked about, if it names no question of its own."""


@dataclass(slots=True)
class Times:
    """Microseconds: for each edge until its provisional facts, for the work between edges, for settling."""

    live_us: list[float] = field(default_factory=list)
    between_us: list[float] = field(default_factory=list)
    settle_us: list[float] = field(default_factory=list)

    def add(self, other: "Times") -> None:
        """Take in the times of another roll."""
        self.live_us += other.live_us
        self.between_us += other.between_us
        self.settle_us += other.settle_us


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """One roll followed. ``live`` are the provisional facts; ``rolls`` what was settled, usually once."""

    live: tuple[Fact, ...]
    rolls: tuple[RollSettled, ...]
    times: Times


def follow(roll: LabelledRoll) -> Followed:
    """Let a tracker that knows nothing yet hear a whole roll, with as much idle time as it would have."""
    trace = roll.trace
    tracker = Tracker(trace.board, trace.sensors)
    tracker.lay(trace.tiles)
    tracker.put_balls(trace.balls)
    times, said = Times(), list[Fact | RollSettled]()
    for edge in trace.edges:
        said += _wait(tracker, edge.at_us, times)
        began = perf_counter_ns()
        said += tracker.feed(edge.sensor, edge.active, edge.at_us)
        fed = perf_counter_ns()
        while tracker.think_ahead():
            pass
        if edge.at_us:
            times.live_us.append((fed - began) / 1e3)
            times.between_us.append((perf_counter_ns() - fed) / 1e3)
    said += _wait(tracker, None, times)
    return Followed(
        live=tuple(fact for fact in said if not isinstance(fact, RollSettled)),
        rolls=tuple(fact for fact in said if isinstance(fact, RollSettled)),
        times=times,
    )


def _wait(tracker: Tracker, until_us: int | None, times: Times) -> Iterable[Fact | RollSettled]:
    found: list[Fact | RollSettled] = []
    while (wake_us := tracker.wake_at_us) is not None and (until_us is None or wake_us < until_us):
        began = perf_counter_ns()
        facts = tracker.advance(wake_us)
        if any(isinstance(fact, RollSettled) for fact in facts):
            times.settle_us.append((perf_counter_ns() - began) / 1e3)
        found += facts
    return found


def told_of(followed: Followed) -> Told:
    """Return the whole account of a roll; several settlements (a ball lay still for a while) are one."""
    rolls = followed.rolls
    facts = tuple(fact for roll in rolls for fact in roll.facts)
    missing: tuple[Doubt, ...] = tuple(doubt for roll in rolls for doubt in roll.missing)
    probability = min((roll.probability for roll in rolls), default=0.0)
    asked = bool(missing) or probability < ASK_BELOW
    return Told(
        facts=facts,
        missing=missing,
        probability=probability,
        asked=asked,
        after=facts,
        after_missing=missing,
    )

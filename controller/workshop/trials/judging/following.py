"""Run a tracker on a labelled roll: what it said, and how long everything took."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter_ns
from typing import Final

from hextraction.board.facts import Fact, RollSettled
from hextraction.controller.evaluation.score import TrackedRoll
from hextraction.controller.evaluation.verdict import Ground, places_after, true_answer
from hextraction.controller.tracking import Tracker
from hextraction.controller.tracking.trace import TraceEdge, take
from hextraction.controller.workshop.trials.labelled import LabelledRoll

__all__ = ["Followed", "Times", "follow", "told_of"]

_FOR_EVER_US: Final = 10**15


@dataclass(slots=True)
class Times:
    """Times in microseconds: from each edge to its provisional facts, of work between edges, of settling.

    ``by_pulses`` has (pulses, milliseconds of settling) for each roll.
    """

    live_us: list[float] = field(default_factory=list)
    between_us: list[float] = field(default_factory=list)
    settle_us: list[float] = field(default_factory=list)
    by_pulses: list[tuple[int, float]] = field(default_factory=list)

    def add(self, other: "Times") -> None:
        """Add the times of another roll."""
        self.live_us += other.live_us
        self.between_us += other.between_us
        self.settle_us += other.settle_us
        self.by_pulses += other.by_pulses


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """The tracker's output for one roll. ``live``: provisional facts; ``rolls``: settlements, usually one."""

    live: tuple[Fact, ...]
    rolls: tuple[RollSettled, ...]
    times: Times


def follow(roll: LabelledRoll, *, announced: bool = True) -> Followed:
    """Let a fresh tracker hear a whole roll, with as much idle time as it would really have.

    ``announced``: it also hears announced releases, if the trace has any.
    """
    trace = roll.trace
    tracker = Tracker(trace.board, trace.sensors)
    tracker.lay(trace.tiles)
    tracker.put_balls(trace.balls)
    times, said = Times(), list[Fact | RollSettled]()
    for step in trace.steps if announced else trace.edges:
        said += _wait(tracker, step.at_us, times)
        began = perf_counter_ns()
        said += take(tracker, step)
        fed = perf_counter_ns()
        while tracker.think_ahead():
            pass
        if step.at_us and isinstance(step, TraceEdge):
            times.live_us.append((fed - began) / 1e3)
            times.between_us.append((perf_counter_ns() - fed) / 1e3)
    said += _wait(tracker, None, times)
    pulses = sum(edge.active and edge.at_us > 0 for edge in trace.edges)
    times.by_pulses.append((pulses, sum(times.settle_us) / 1e3))
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


def told_of(followed: Followed, roll: LabelledRoll) -> TrackedRoll:
    """Return the whole account of a roll, merging several settlements (if a ball lay still for a while).

    Only the first of the settlements with a question is answered, with the truth; so is the second question
    that the answer may have.
    """
    rolls = followed.rolls
    missing = tuple(doubt for settled in rolls for doubt in settled.missing)
    probability = min((settled.probability for settled in rolls), default=0.0)
    first, after = ([settled.facts for settled in rolls] for _time in range(2))
    asked, again = bool(missing), False
    for number, settled in enumerate(rolls):
        if settled.question is not None:
            truth, ground = _share_of(number, rolls, roll.truth.facts), _ground(number, rolls, roll)
            answer = true_answer(settled.question, truth, ground)
            asked = True
            if answer is not None:
                first[number] = after[number] = answer.facts
                if answer.question is not None:
                    again = True
                    more = true_answer(answer.question, truth, ground)
                    after[number] = answer.facts if more is None else more.facts
            break
    return TrackedRoll(
        facts=_joined(settled.facts for settled in rolls),
        missing=missing,
        probability=probability,
        asked=asked,
        asked_again=again,
        after_one=_joined(first),
        after=_joined(after),
        after_missing=missing,
    )


def _joined(parts: Iterable[tuple[Fact, ...]]) -> tuple[Fact, ...]:
    return tuple(fact for part in parts for fact in part)


def _share_of(number: int, rolls: Sequence[RollSettled], truth: Sequence[Fact]) -> list[Fact]:
    """Return the true facts that belong to one of several settlements."""
    from_us = rolls[number - 1].at_us if number else -1
    until_us = rolls[number].at_us if number + 1 < len(rolls) else _FOR_EVER_US
    return [fact for fact in truth if from_us < fact.at_us <= until_us]


def _ground(number: int, rolls: Sequence[RollSettled], roll: LabelledRoll) -> Ground:
    """Return the board at the start of a settlement: balls lie where they came to rest before it."""
    if not number:
        return roll.ground
    before = [fact for fact in roll.truth.facts if fact.at_us <= rolls[number - 1].at_us]
    return replace(roll.ground, balls=places_after(before, roll.ground))

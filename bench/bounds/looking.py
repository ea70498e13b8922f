"""The oracle at work: every setup, every set of sensors, rolls heard through noise and guessed at."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from hextraction.board.profile import Board
from hextraction.controller.evaluation.verdict import Ground, Verdict, verdict_of
from hextraction.controller.tracking.trace import Trace
from hextraction.controller.workshop.trials.layouts import NOISES, layout_sensors
from hextraction.controller.workshop.trials.rolls import LEAD_US, TrueRoll
from hextraction.controller.workshop.trials.sensing import Sensed
from hextraction.simulator.variant import variant_named

from bench.bounds.confusion import sort_of
from bench.bounds.evidence import Chances, Evidence, evidence_of, fit, unexplained
from bench.bounds.oracle import Belief, believe, sharpest
from bench.bounds.tracked import covered_at_the_end
from bench.bounds.worlds import Setup

__all__ = ["Heard", "Look", "doubt_of", "ground_of", "guess", "looks", "trace_of"]

SURE: Final = 0.9
"""An oracle that is less sure than this would ask."""
_FEWER: Final = 4
_TOLERANCES: Final = (0.5, 1.0, 2.0, 4.0)
_MARGIN: Final = 16.0
"""Worlds whose mere numbers of pulses cost so many nats more than the best one's are not looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A set of sensors and how noisy they are."""

    title: str
    sensors: tuple[str, ...]
    noise: str = "standard"

    @property
    def chances(self) -> Chances:
        """What the noise does, as the oracle knows it."""
        level = NOISES[self.noise]
        return Chances(miss=level.noise.miss, ghosts=level.ghosts / 2, sensors=max(1, len(self.sensors)))


def looks(board: Board, *, further: bool) -> tuple[Look, ...]:
    """Return the sets of sensors that are compared; with ``further`` those that no board has yet."""
    rich = layout_sensors("rich", board)
    bare = tuple(name for name in rich if not name.startswith("ball."))
    slots = board.slot_names
    whole = tuple(f"whole.{slot}" for slot in slots)
    inner = tuple(f"inner.{slot}.{edge}" for slot in slots for edge in range(1, 7))
    three = tuple(f"three.{slot}.{part}" for slot in slots for part in (1, 2, 3))
    as_built = (
        Look(title="rich", sensors=rich),
        Look(title="rich, no misses, no ghosts", sensors=rich, noise="none"),
        Look(title="no sensor at all", sensors=(), noise="none"),
    )
    if not further:
        return as_built
    return (
        *as_built,
        Look(title="rich, a Hall sees the whole slot", sensors=(*bare, *whole)),
        Look(title="rich, three Halls a slot", sensors=(*bare, *three)),
        Look(title="rich, a second beam inside each edge", sensors=(*rich, *inner)),
        Look(title="second beams and whole Halls", sensors=(*bare, *whole, *inner)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One roll as the sensors told it, what was true, and what is believed of it.

    ``fewer`` is what is believed by somebody who has seen a quarter of the worlds.
    """

    trace: Trace
    roll: TrueRoll
    verdict: Verdict
    belief: Belief[Verdict]
    fewer: Belief[Verdict]


def ground_of(setup: Setup, roll: TrueRoll) -> Ground:
    """Return the board at the start of a roll."""
    rings = {slot for slot, laid in setup.tiles.items() if laid.tile.sets_off}
    return Ground(tiled=frozenset(setup.tiles), triggers=frozenset(rings), balls=roll.balls)


def guess(
    board: Board, look: Look, setup: Setup, true: Sequence[TrueRoll], worlds: Sequence[TrueRoll]
) -> Iterator[Heard]:
    """Hear rolls through noise and guess at each by all worlds but itself."""
    plain = replace(look, noise="none")
    clean = [evidence_of(_trace(board, plain, setup, roll, f"clean {setup.number}")) for roll in worlds]
    verdicts = [verdict_of(roll.facts, ground_of(setup, roll)) for roll in worlds]
    for number, roll in enumerate(true):
        trace = trace_of(board, look, setup, roll, number)
        observed = evidence_of(trace)
        others = [index for index, world in enumerate(worlds) if world is not roll]
        believed = partial(_belief, observed, clean, verdicts, chances=look.chances)
        yield Heard(
            trace=trace,
            roll=roll,
            verdict=verdict_of(roll.facts, ground_of(setup, roll)),
            belief=believed(others),
            fewer=believed(others[::_FEWER]),
        )


def doubt_of(heard: Heard) -> str:
    """Return in what the oracle was wrong or unsure, in words; nothing if it was right and sure."""
    shares = heard.belief.shares
    best = shares[0][0]
    if best == heard.verdict and (heard.belief.sure >= SURE or len(shares) == 1):
        return ""
    other = heard.verdict if best != heard.verdict else shares[1][0]
    return sort_of(best, other, covered_at_the_end(heard.trace))


def trace_of(board: Board, look: Look, setup: Setup, roll: TrueRoll, number: int) -> Trace:
    """Return what the sensors say of the roll of a number, noise and all."""
    return _trace(board, look, setup, roll, f"{setup.number} {number}")


def _trace(board: Board, look: Look, setup: Setup, roll: TrueRoll, seed: str) -> Trace:
    level = NOISES[look.noise]
    level = replace(level, noise=variant_named(setup.variant).noise(level.noise))
    return Sensed(board, look.sensors, level, seed=seed).hear(roll, known=True)


def _belief(
    observed: Evidence,
    clean: Sequence[Evidence],
    verdicts: Sequence[Verdict],
    others: Sequence[int],
    chances: Chances,
) -> Belief[Verdict]:
    """Weigh the worlds whose numbers of pulses come near, as sharply as their number allows."""
    costs = [unexplained(observed, clean[index], chances) for index in others]
    most = min(costs) + _MARGIN
    near = [index for index, cost in zip(others, costs, strict=True) if cost <= most]
    if len({verdicts[index] for index in near}) == 1:
        return Belief(shares=((verdicts[near[0]], 1.0),), worlds=float(len(near)))

    def look(tolerance: float) -> Belief[Verdict]:
        fits = [fit(observed, clean[index], chances, tolerance=tolerance, from_us=LEAD_US) for index in near]
        return believe(fits, [verdicts[index] for index in near])

    return sharpest([partial(look, tolerance) for tolerance in _TOLERANCES])

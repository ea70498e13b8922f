"""The tracker on the same rolls through better sensors, as far as a layout can describe them.

The simulator's balls are watched by parts that no board has (:mod:`.watch`) under names that the tracker
knows. It is told nothing else: it still takes a Hall for one that sees three balls in four.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hextraction.board.facts import BallEntered, BallLeft, Fact
from hextraction.board.profile import Board
from hextraction.controller.games.hextraction.cards.tiles import Catalogue
from hextraction.controller.tracking.trace import Trace
from hextraction.controller.workshop.trials.layouts import NOISES, NoiseLevel, layout_sensors
from hextraction.controller.workshop.trials.rolls import TrueRoll, rolls_on
from hextraction.controller.workshop.trials.sensing import Sensed
from hextraction.controller.workshop.trials.three_halls import further_halls
from hextraction.simulator.story import Cover

from bench.bounds.watch import Watch

_SAME_US: Final = 1_000

__all__ = ["LIFTS", "Ears", "Lift", "boards", "crossings", "without_looks"]

_STANDARD: Final = replace(NOISES["standard"], ghosts=1)
"""The beams have up to one ghost a roll, and all others together up to one."""
_QUIET: Final = replace(_STANDARD, ghosts=0)
_NO_MISSES: Final = replace(_STANDARD, noise=replace(_STANDARD.noise, miss=0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift:
    """A change of the sensors. ``halls`` are the parts of :mod:`.watch` that are heard as ball Halls.

    ``noise`` is that of all sensors but the beams, whose own is ``beams``. ``crosses``: a beam between two
    slots tells only of balls that truly got over, as a pair of beams with some logic would.
    """

    title: str
    halls: str = "near"
    noise: NoiseLevel = _STANDARD
    beams: NoiseLevel = _STANDARD
    crosses: bool = False


LIFTS: Final = (
    Lift(title="rich"),
    Lift(title="no ghosts", noise=_QUIET, beams=_QUIET),
    Lift(title="beams never miss", beams=_NO_MISSES),
    Lift(title="no misses, no ghosts", noise=NOISES["none"], beams=NOISES["none"]),
    Lift(title="Halls see the whole slot", halls="whole"),
    Lift(title="three Halls a slot", halls="three"),
    Lift(title="beams silent about mere looks", crosses=True),
    Lift(title="the same, and whole Halls", crosses=True, halls="whole"),
    Lift(title="the same, and beams never miss", crosses=True, beams=_NO_MISSES),
)


def boards(
    board: Board, catalogue: Catalogue, *, seed: int, balls: int, rolls: int, stay: int
) -> Iterator[tuple[int, list[TrueRoll]]]:
    """Play rolls as in the evaluation, watched by every part; yield each board's number and rolls."""
    for number in range(-(-rolls // stay)):
        play = f"lift {seed} {balls} {number}"
        # Whatever can look at a world may stand in for three Halls; covers of ball Halls are then its own.
        watch = Watch(board)
        yield number, list(rolls_on(board, catalogue, seed=play, balls=balls, rolls=stay, halls=watch))


class Ears:
    """Hears the rolls of one board, in order, through changed sensors."""

    def __init__(self, board: Board, lift: Lift, *, seed: str) -> None:
        self._board, self._lift = board, lift
        rich = layout_sensors("rich", board)
        self._names = (*rich, *further_halls(board)) if lift.halls == "three" else rich
        beams = [name for name in self._names if _is_beam(name)]
        others = [name for name in self._names if not _is_beam(name)]
        self._beams = Sensed(board, beams, lift.beams, seed=f"beams {seed}")
        self._others = Sensed(board, others, lift.noise, seed=f"others {seed}")
        self._over = _edge_between(board)

    def hear(self, roll: TrueRoll) -> Trace:
        """Return the trace of the next roll."""
        told = replace(roll, covers=tuple(self._covers(roll)))
        beams, others = self._beams.hear(told, known=True), self._others.hear(told, known=True)
        edges = sorted((*beams.edges, *others.edges), key=lambda edge: edge.at_us)
        which = "rich" if self._lift.halls != "three" else ""
        return replace(others, sensors=self._names, which=which, edges=tuple(edges))

    def _covers(self, roll: TrueRoll) -> Sequence[Cover]:
        found = [self._heard(cover) for cover in roll.covers]
        if self._lift.crosses:
            found = without_looks(found, self._over, roll.facts, roll.from_us)
        return sorted(found, key=lambda cover: cover.at_us)

    def _heard(self, cover: Cover) -> Cover:
        """Return a cover under the name by which the tracker knows the sensor."""
        kind, _dot, place = cover.sensor.partition(".")
        if kind == self._lift.halls:
            return cover._replace(sensor=f"ball.{place.removesuffix('.1')}")
        return cover


def without_looks(
    covers: Sequence[Cover], over: Mapping[frozenset[str], str], facts: Sequence[Fact], from_us: int
) -> list[Cover]:
    """Leave out what the beams of ``over`` tell of balls that only looked into a mouth and rolled back.

    ``over`` has the beam by its two slots; facts count from ``from_us``. What is on at the end stays.
    """
    crossed = crossings(facts, over, from_us)
    kept = [cover for cover in covers if cover.sensor not in over.values()]
    spans: dict[str, list[Cover]] = defaultdict(list)
    for cover in sorted(covers, key=lambda cover: cover.at_us):
        if cover.sensor in over.values():
            span = spans[cover.sensor]
            span.append(cover)
            if sum(1 if one.active else -1 for one in span) == 0:
                times = crossed.get(cover.sensor, ())
                kept += span if any(span[0].at_us <= at_us <= cover.at_us for at_us in times) else []
                span.clear()
    return kept + [cover for span in spans.values() for cover in span]


def crossings(
    facts: Sequence[Fact], over: Mapping[frozenset[str], str], from_us: int
) -> dict[str, list[int]]:
    """Return when balls got over the beams between slots, by beam.

    A crossing is told by two facts of the same moment, but for a rounding, in either order.
    """
    lefts = [fact for fact in facts if isinstance(fact, BallLeft)]
    found: dict[str, list[int]] = defaultdict(list)
    for fact in facts:
        if isinstance(fact, BallEntered):
            came = [left.slot for left in lefts
                    if left.ball == fact.ball and abs(left.at_us - fact.at_us) < _SAME_US]  # fmt: skip
            for beam in {over.get(frozenset({slot, fact.slot}), "") for slot in came} - {""}:
                found[beam].append(from_us + fact.at_us)
    return found


def _edge_between(board: Board) -> dict[frozenset[str], str]:
    return {
        frozenset({slot, beyond.slot}): f"edge.{slot}.{edge}"
        for slot, edge, beyond in board.edges()
        if beyond.slot is not None
    }


def _is_beam(name: str) -> bool:
    return name.startswith(("edge.", "ramp."))

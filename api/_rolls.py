"""Rolls for the library: odds before one, a simulated one, and what the tracker makes of it."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hextraction.board.facts import (
    BallFell,
    BallInZone,
    BallOffBoard,
    BallStuckOnRamp,
    Fact,
    RollSettled,
)
from hextraction.board.instruments import instruments
from hextraction.board.outlook import Outlook
from hextraction.board.outlook import outlook as reckoned
from hextraction.board.profile import Board
from hextraction.board.routes import load_routes
from hextraction.board.tiles import Layout, TileShape
from hextraction.controller.tracking.graph import Laid
from hextraction.controller.tracking.trace import Trace, TraceEdge, facts_of
from hextraction.controller.tracking.tracker import Settings as TrackerSettings
from hextraction.controller.version import how_to_install

if TYPE_CHECKING:
    from hextraction.simulator.recording import RecordedRoll

__all__ = ["SimulatedRoll", "outlook", "sensors_of", "simulate_roll", "track"]

_BEGINS_US: Final = 10_000
"""When a ball is let go: the sensors have had time to see what lies there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedRoll:
    """One ball let go on the simulated board: what the sensors reported, and what truly happened.

    ``end`` is where the ball ended, spelled as the ends of an :class:`Outlook`: ``zone.L``, ``hole.C3``,
    ``slot.C3``, ``side``, ``ramp.L1`` or ``lost``.

    >>> from hextraction.api import Laid, load_board, load_tiles, simulate_roll
    >>> board, tile = load_board(), load_tiles()["x"]
    >>> roll = simulate_roll(board, {slot: Laid(tile, 0) for slot in board.slot_names}, "L2", seed=1)
    >>> roll.end
    'zone.L'
    """

    trace: Trace
    facts: tuple[Fact, ...]
    end: str


def sensors_of(board: Board, which: str = "rich") -> tuple[str, ...]:
    """Return the names of a board's sensors in a set: ``starter``, ``basic``, ``lean`` or ``rich``.

    Raises:
        ValueError: there is no such set.

    >>> from hextraction.api import load_board, sensors_of
    >>> len(sensors_of(load_board(), "basic")), sensors_of(load_board(), "starter")[:2]
    (76, ('ramp.L1', 'ramp.L2'))
    """
    return tuple(one.name for one in instruments(board, which))


def outlook(board: Board, layout: Layout, resting: Collection[str] = ()) -> tuple[Outlook, ...]:
    """Return how likely a ball from each ramp ends where, as the tiles lie.

    Args:
        board: the board.
        layout: the tile and its sixths of a turn clockwise in each slot that is not open.
        resting: the slots in which balls lie.

    >>> from hextraction.api import Laid, load_board, load_tiles, outlook
    >>> board, tiles = load_board(), load_tiles()
    >>> first = outlook(board, {"B1": Laid(tiles["dc"], 0)})[0]
    >>> first.ramp, first.zone, dict(first.ends)
    ('L1', 0, {'hole.B2': 1.0})
    """
    return reckoned(board, layout, load_routes(board.tilt_deg), resting)


def simulate_roll(
    board: Board,
    layout: Mapping[str, tuple[TileShape, int]],
    ramp: str,
    *,
    sensors: str = "rich",
    seed: int = 0,
) -> SimulatedRoll:
    """Let a ball go on the simulated board and wait until it lies still. The same seed gives the same roll.

    Args:
        board: the board.
        layout: the tile and its sixths of a turn clockwise in each slot that is not open.
        ramp: the name of the ramp.
        sensors: the set of sensors that look on, as for :func:`sensors_of`.
        seed: where the ball begins, how it is let go and what chance does to it. The simulated board is so
            steady that from one ramp most seeds end in one place: for how often a ball ends where, ask
            :func:`outlook`.

    Raises:
        KeyError: the board has no such ramp or slot.
        ImportError: the physics is not installed (``pip install 'hextraction[sim]'``).

    >>> from hextraction.api import Laid, load_board, load_tiles, simulate_roll
    >>> board, tiles = load_board(), load_tiles()
    >>> laid = {slot: Laid(tiles["asterisk"], 0) for slot in board.slot_names}
    >>> roll = simulate_roll(board, laid, "L1", seed=7)
    >>> roll.end, type(roll.facts[0]).__name__, len(roll.trace.edges)
    ('side', 'BallReleased', 18)
    """
    board.ramp_by_name[ramp]
    recorded, names = _recorded(board, layout, ramp, sensors, seed)
    edges = tuple(TraceEdge(at_us=one.at_us, sensor=one.sensor, active=one.active) for one in recorded.edges)
    trace = Trace(
        board=board,
        sensors=names,
        which=sensors,
        tiles={slot: Laid(*laid) for slot, laid in layout.items()},
        balls={},
        edges=edges,
    )
    return SimulatedRoll(trace=trace, facts=recorded.facts, end=_end(recorded.facts))


def _recorded(
    board: Board, layout: Mapping[str, tuple[TileShape, int]], ramp: str, sensors: str, seed: int
) -> "tuple[RecordedRoll, tuple[str, ...]]":
    try:
        from hextraction.simulator import SimulatedBoard, record  # noqa: PLC0415 - large, and only here
    except ModuleNotFoundError as error:
        told = f"to simulate needs {error.name}, which is not installed: {how_to_install('sim')}"
        raise ImportError(told, name=error.name) from error
    devices = SimulatedBoard(board, which=sensors, seed=seed)
    try:
        for slot, (tile, turns) in layout.items():
            devices.world.lay(slot, tile, turns)
        devices.advance(_BEGINS_US)
        return record(devices, [ramp]), tuple(devices.inputs.names)
    finally:
        devices.close()


def _end(facts: tuple[Fact, ...]) -> str:
    """Return where the ball of a roll ended: what is told last of it, or the last slot that it came into."""
    for fact in reversed(facts):
        match fact:
            case BallInZone():
                return f"zone.{fact.zone}"
            case BallFell():
                return f"hole.{fact.slot}"
            case BallOffBoard():
                return "side"
            case BallStuckOnRamp():
                return f"ramp.{fact.ramp}"
            case _ if slot := getattr(fact, "slot", ""):
                return f"slot.{slot}"
    return "lost"


def track(trace: Trace, settings: TrackerSettings | None = None) -> Iterator[Fact | RollSettled]:
    """Follow the balls of a trace and yield what the tracker tells, until its last roll has settled.

    Facts are provisional until a :class:`RollSettled` replaces all those of its roll.

    >>> from hextraction.api import Laid, load_board, load_tiles, simulate_roll, track
    >>> board, tiles = load_board(), load_tiles()
    >>> laid = {slot: Laid(tiles["asterisk"], 0) for slot in board.slot_names}
    >>> roll = simulate_roll(board, laid, "L1", seed=7)
    >>> *_provisional, settled = track(roll.trace)
    >>> settled.facts[-1]
    BallOffBoard(at_us=531575, ball=1, slot='E2')
    """
    return facts_of(trace, settings)

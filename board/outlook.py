"""The outlook before a roll: where a ball that is let go on a ramp will end, and how likely each end is.

Exact for one ball on tiles that stay as they lie: the route tables say how often a ball leaves a tile over
each edge, so a ball's way is a Markov chain over (slot, edge, start), and its ends absorb. What the chain
leaves out: other balls (those at rest are hit or fill pockets), and what triggers do while the ball runs.
Real balls are not those of the tables: a tile's channels count as some further balls (``doubt``), as they do
for the tracker.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hextraction.board.grid import opposite
from hextraction.board.profile import Board
from hextraction.board.routes import Ending, RouteTable, RouteTables, Start
from hextraction.board.tiles import DOWNHILL, Layout, TileShape

__all__ = ["Outlook", "outlook"]

_DOUBT: Final = 12.0
_DOWNHILL: Final = {1: 0.2, 2: 0.45, 3: 2.2, 4: 5.0, 5: 2.2, 6: 0.45}
_BACK: Final = 0.35
_ENOUGH: Final = 1e-4
"""The share of balls that may still be under way when the chain is cut: they are told as ``lost``."""
_LONGEST: Final = 400

Standing = tuple[str, int, Start]
"""A ball about to begin its stay: the slot, the edge it came over, and how."""
Way = tuple[float, Standing | str]
"""How likely, and the next stay or the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """Where a ball from a ramp ends: the likelihood (0..1, together 1) of each end, the likeliest first.

    Ends are ``zone.L``, ``hole.C3`` (fell through a slot), ``slot.C3`` (lies there), ``side`` (left the
    board), ``ramp.L1`` (stuck on its ramp) and ``lost`` (still under way, or up another ramp).

    >>> from hextraction.api import Outlook
    >>> one = Outlook(ramp="L1", ends={"hole.B2": 0.75, "zone.L": 0.25})
    >>> one.zone, next(iter(one.ends))
    (0.25, 'hole.B2')
    """

    ramp: str
    ends: Mapping[str, float]
    guessed: tuple[str, ...] = ()
    """The slots on its ways whose tiles have no route table: there each way out counts the same."""

    @property
    def zone(self) -> float:
        """How likely the ball comes into any end zone."""
        return sum(share for end, share in self.ends.items() if end.startswith("zone."))


def outlook(
    board: Board,
    layout: Layout,
    routes: RouteTables,
    resting: Collection[str] = (),
    *,
    doubt: float = _DOUBT,
) -> tuple[Outlook, ...]:
    """Return the outlook from each ramp, as the tiles lie; ``resting`` are the slots where balls lie.

    ``doubt`` is for how many balls the channels of a tile count, next to the 120 of each row of its table.
    """
    chain = _Chain(board, layout, routes, frozenset(resting), doubt)
    return tuple(chain.from_ramp(ramp.name) for ramp in board.ramps)


class _Chain:
    """The Markov chain of one layout; each stay's ways are worked out once."""

    def __init__(
        self, board: Board, layout: Layout, routes: RouteTables, resting: frozenset[str], doubt: float
    ) -> None:
        self._board = board
        self._layout = layout
        self._routes = routes
        self._resting = resting
        self._doubt = doubt
        self._known: dict[Standing, tuple[Way, ...]] = {}

    def from_ramp(self, name: str) -> Outlook:
        ramp = self._board.ramp_by_name[name]
        ends: dict[str, float] = defaultdict(float)
        at: dict[Standing, float] = {}
        seen: set[str] = set()
        if ramp.slot in self._layout:
            at[ramp.slot, ramp.edge, Start.ROLLED_IN] = 1.0
        else:
            ends[f"hole.{ramp.slot}"] = 1.0
        for _stay in range(_LONGEST):
            if sum(at.values()) <= _ENOUGH:
                break
            seen.update(slot for slot, _edge, _start in at)
            at = self._on(at, ends)
        if at:
            ends["lost"] += sum(at.values())
        told = dict(sorted(ends.items(), key=lambda one: (-one[1], one[0])))
        guessed = tuple(sorted(slot for slot in seen if self._table(slot) is None))
        return Outlook(ramp=name, ends=told, guessed=guessed)

    def _on(self, at: Mapping[Standing, float], ends: dict[str, float]) -> dict[Standing, float]:
        """Let every ball leave its tile; add those that end to ``ends``."""
        after: dict[Standing, float] = defaultdict(float)
        for standing, mass in at.items():
            for share, to in self._ways(standing):
                if isinstance(to, str):
                    ends[to] += mass * share
                else:
                    after[to] += mass * share
        return after

    def _ways(self, standing: Standing) -> tuple[Way, ...]:
        if standing not in self._known:
            self._known[standing] = tuple(self._work_out(*standing))
        return self._known[standing]

    def _table(self, slot: str) -> RouteTable | None:
        shape: TileShape = self._layout[slot][0]
        return None if shape.channels is None else self._routes.of(shape)

    def _work_out(self, slot: str, edge: int, start: Start) -> Iterator[Way]:
        table = self._table(slot)
        if table is None:
            yield from self._guess(slot, edge)
            return
        states = self._states(slot, table)
        for state in states:
            row = table.laid(self._layout[slot][1], edge, start, state)
            shape, turns = self._layout[slot]
            ways = shape.exits(turns, edge) if start is Start.ROLLED_IN else ()
            doubt = self._doubt if ways else 0.0
            balls = (row.balls + doubt) * len(states)
            for passage in row.passages:
                yield passage.balls / balls, self._after(slot, edge, start, passage.ending, passage.edge)
            weights = {way: _DOWNHILL[way] * (_BACK if way == edge else 1) for way in ways}
            for way, weight in weights.items() if doubt else ():
                yield doubt * weight / sum(weights.values()) / balls, self._beyond(slot, way)

    def _states(self, slot: str, table: RouteTable) -> range:
        """Return the inner states that the tile may be in: of a flip-flop nobody knows, a pocket is seen."""
        if self._layout[slot][0].holds:
            taken = int(slot in self._resting)
            return range(taken, taken + 1)
        return range(table.states)

    def _after(self, slot: str, edge: int, start: Start, ending: Ending, leaving: int) -> Standing | str:
        match ending:
            case Ending.RESTS:
                return f"slot.{slot}"
            case Ending.FELL:
                return f"hole.{slot}"
            case Ending.SHUT:
                return self._back(slot, edge, start)
            case Ending.OUT:
                return self._beyond(slot, leaving)

    def _back(self, slot: str, edge: int, start: Start) -> Standing | str:
        """Where a ball goes that never got onto the tile: back over the edge it came from."""
        beyond = self._board.beyond(slot, edge)
        if beyond.ramp is not None:
            return f"ramp.{beyond.ramp}"
        if beyond.slot is None or beyond.slot not in self._layout or start is Start.TURNED:
            return f"slot.{slot}"
        return beyond.slot, opposite(edge), Start.TURNED

    def _beyond(self, slot: str, leaving: int) -> Standing | str:
        beyond = self._board.beyond(slot, leaving)
        if beyond.zone is not None:
            return f"zone.{beyond.zone}"
        if beyond.ramp is not None:
            return "lost"
        if beyond.slot is None:
            return "side"
        if beyond.slot not in self._layout:
            return f"hole.{beyond.slot}"
        return beyond.slot, opposite(leaving), Start.ROLLED_IN

    def _guess(self, slot: str, edge: int) -> Iterator[Way]:
        """Ways over a tile that has no table: every way out of its channels alike, or anywhere downhill."""
        shape, turns = self._layout[slot]
        ways = [way for way in shape.exits(turns, edge) if way != edge] if shape.channels is not None else []
        downhill = [way for way in ways if way in DOWNHILL] or ways or list(DOWNHILL)
        for way in downhill:
            yield 1 / len(downhill), self._beyond(slot, way)

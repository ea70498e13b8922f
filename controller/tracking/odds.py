"""How likely a ball is to cross, turn back, fall or stay in a slot, given the tile there.

A tile with known channels leads a ball from mouth to mouth, downhill rather than up; an unknown one lets it
go anywhere. All answers are costs in nats (:mod:`.costs`).
"""

from collections.abc import Mapping
from math import inf, log
from typing import Final, NamedTuple

from hextraction.board.grid import EDGES
from hextraction.board.routes import IN_THE_DARK, TILTS_DEG, load_routes
from hextraction.controller.tracking.costs import HALL_SEES
from hextraction.controller.tracking.graph import NONE, OFF, RAMP, SLOT, Graph, Laid
from hextraction.controller.tracking.paths import Against
from hextraction.controller.tracking.stays import Stay, make_stay, stay_on

__all__ = ["SEEN", "UNSEEN", "UNWATCHED", "UPHILL", "Odds", "Rest"]

UPHILL: Final = frozenset({1, 2, 6})
_DOWNHILL: Final = (3, 4, 5)
_TURNS: Final = 0.07
_TURNS_AT_OPEN: Final = 0.04
"""Rolling downhill, a ball stops before an open mouth only if others lie behind it."""
_STAYS_AT_OPEN: Final = 0.033
_TURNS_AT_RIM: Final = 0.01
"""Rolling downhill to the board's rim, hardly a ball stops: nothing lies behind."""
_TURNS_UPHILL: Final = 0.22
_OFF_UPHILL: Final = 0.12
_ROCKS: Final = 0.19
_AT_A_RAMP: Final = 0.55
_AT_A_HOLE: Final = 0.0095

_MISSED: Final = 0.055
_NEVER: Final = 1e-6
_RARELY: Final = 0.1
_WHOLE: Final = 0.9
_HALL_HEARS: Final = 0.97
_HALL_TELLS: Final = 0.88
"""A ball that the Hall did not report was missed, or came while it saw another one."""

Exits = tuple[tuple[int, float, float, float], ...]
_OPEN: Final = tuple((out, 5.0, 5.0, 0.0) for out in _DOWNHILL)
"""Over an open slot a ball may fly on; up out of it none rolls."""
UNWATCHED: Final = 0
SEEN: Final = 1
UNSEEN: Final = 2
"""What a slot's ball Hall has reported of a ball there: no Hall; it saw the ball; it did not."""


class Rest(NamedTuple):
    """A ball stays: the cost, how much of it is due to a silent Hall, and where it lies (:class:`.Stay`)."""

    cost: float
    worth: float
    lies: tuple[float, ...]


_NO_REST: Final = Rest(inf, 0.0, (0.0,) * 7 + (1.0,))
"""Without a tile a ball falls."""


class Odds:
    """What may happen in each slot of a graph with certain tiles laid.

    ``lying`` is how many balls have lain in a slot since before the roll, by slot number.
    """

    def __init__(
        self, graph: Graph, laid: Mapping[str, Laid], lying: Mapping[int, int] | None = None
    ) -> None:
        for tilt_deg in TILTS_DEG:
            load_routes(tilt_deg)  # loaded now, so that no edge has to wait for a file
        self._graph = graph
        self.laid = tuple(laid.get(name) for name in graph.slots)
        self.lying = dict(lying or {})
        self._mouths = tuple(
            None if found is None else found.tile.channels_at(found.turns) for found in self.laid
        )
        self.dead_ends = self._find_dead_ends()
        self._exits: dict[int, Exits] = {}
        self._rests: dict[int, Rest] = {}
        self._stays: dict[int, Stay | None] = {}
        self._backs: dict[int, float] = {}
        self._against: dict[int, tuple[Against, ...]] = {}

    def _find_dead_ends(self) -> frozenset[int]:
        """Return the mouths, as :meth:`.Graph.mouth_of` counts them, behind which there is room for one ball.

        A channel of a single mouth ends 6.5 mm behind it: who touches a ball in it is still outside the tile.
        """
        plain = [
            slot
            for slot, laid in enumerate(self.laid)
            if laid is not None and not laid.tile.holds and not laid.tile.lines
        ]
        return frozenset(
            self._graph.mouth_of(self._graph.in_slot(slot, channel[0]))
            for slot in plain
            for channel in self._mouths[slot] or ()
            if len(channel) == 1
        )

    def is_open(self, slot: int) -> bool:
        """Whether a slot has no tile."""
        return self.laid[slot] is None

    def changed_since(self, before: "Odds") -> int:
        """Return a bit for each slot whose contents have changed."""
        pairs = enumerate(zip(self.laid, before.laid, strict=True))
        return sum(
            1 << slot
            for slot, (now, then) in pairs
            if not _same(now, then) or self.lying.get(slot, 0) != before.lying.get(slot, 0)
        )

    def opens(self, slot: int, edge: int) -> bool:
        """Whether a ball can pass an edge of the tile in a slot, as far as known."""
        mouths = self._mouths[slot]
        return mouths is None or any(edge in channel for channel in mouths)

    def exits(self, slot: int, edge: int, hall: int = UNWATCHED, turned: int = 0) -> Exits:
        """Return (edge, cost to cross it, to turn back, of the Hall's silence) for a ball from ``edge``.

        Edges at which the tile has a wall are left out; a wall of the next tile cannot be crossed either.
        ``hall`` is what the ball Hall reported of it; ``turned``: it peeked out over ``edge`` and came back.
        """
        key = ((slot * 7 + edge) * 3 + hall) * 2 + turned
        found = self._exits.get(key)
        if found is None:
            found = self._exits[key] = self._weighed(slot, edge, hall, turned)
        return found

    def _weighed(self, slot: int, edge: int, hall: int, turned: int) -> Exits:
        stay = self.stay(slot, edge, turned)
        if stay is None:
            return tuple([way for way in _OPEN if not self._walled(slot, way[0])])
        found = []
        for out in EDGES:
            if not self.opens(slot, out):
                continue
            share = _WHOLE * stay.outs[out] * _told(hall, stay.near[out], stay.seen)
            back = self.back(slot, out)
            looks = share * back
            if turned and out == edge and self._mouths[slot] is not None:
                looks += _ROCKS * stay.rests * _told(hall, stay.near[0], stay.seen)
            worth = _worth(hall, stay.near[out])
            cross = inf if self._walled(slot, out) else -log(share * (1 - back) + _NEVER)
            found.append((out, cross, -log(looks + _NEVER), worth))
        return tuple(found)

    def stay(self, slot: int, edge: int, turned: int) -> Stay | None:
        """Return what a ball does in a slot; None without a tile."""
        key = (slot * 7 + edge) * 2 + turned
        if key not in self._stays:
            self._stays[key] = self._stay(slot, edge, turned)
        return self._stays[key]

    def _stay(self, slot: int, edge: int, turned: int) -> Stay | None:
        laid = self.laid[slot]
        if laid is None:
            return None
        stay = stay_on(
            laid.tile, laid.turns, edge, turned, self.lying.get(slot, 0), tilt_deg=self._graph.board.tilt_deg
        )
        return _running_out(stay, edge) if self.runs_out(slot, edge, turned) else stay

    def runs_out(self, slot: int, edge: int, turned: int) -> bool:
        """Whether a ball that turned at an edge will roll out there, unless others lie behind it.

        It came down to an open mouth, so it was no wall that stopped it.
        """
        return bool(turned) and edge in _DOWNHILL and self._joined(slot, edge)

    def against(self, slot: int, edge: int, turned: int) -> tuple[Against, ...]:
        """Return the mouths at which a ball would stop only because others lie behind them."""
        key = (slot * 7 + edge) * 2 + turned
        found = self._against.get(key)
        if found is None:
            found = self._against[key] = self._stopped(slot, edge, turned)
        return found

    def _stopped(self, slot: int, edge: int, turned: int) -> tuple[Against, ...]:
        stay = self.stay(slot, edge, turned)
        if stay is None:
            return ()
        rests = stay.rests + _NEVER
        return tuple(
            [
                (self._graph.beyond[slot][out][1], self._graph.edge[slot][out], stay.outs[out] / rests)
                for out in _DOWNHILL
                if stay.outs[out] > _RARELY and self._joined(slot, out)
            ]
        )

    def _joined(self, slot: int, edge: int) -> bool:
        """Whether two known tiles meet mouth to mouth at an edge."""
        sort, beyond = self._graph.beyond[slot][edge]
        if sort != SLOT or self._mouths[slot] is None or self._mouths[beyond] is None:
            return False
        return not self.is_open(beyond) and self.opens(slot, edge) and self.opens(beyond, (edge + 2) % 6 + 1)

    def passes(self, slot: int, edge: int) -> bool:
        """Whether a ball can cross an edge of a slot: neither tile there is known to have a wall."""
        return self.opens(slot, edge) and not self._walled(slot, edge)

    def _walled(self, slot: int, edge: int) -> bool:
        """Whether the tile beyond an edge is known to have no mouth there."""
        sort, beyond = self._graph.beyond[slot][edge]
        return sort == SLOT and not self.opens(beyond, (edge + 2) % 6 + 1)

    def hall_cost(self, slot: int, edge: int, turned: int) -> float:
        """Return how unlikely it is that the ball Hall of a slot sees a ball there."""
        stay = self.stay(slot, edge, turned)
        return HALL_SEES if stay is None else -log(stay.seen * _HALL_HEARS)

    def back(self, slot: int, edge: int) -> float:
        """Return how often a ball that reaches an edge turns back there: 0..1."""
        back = self._backs.get(slot * 7 + edge)
        if back is None:
            back = self._backs[slot * 7 + edge] = self._turned_back(slot, edge)
        return back

    def _turned_back(self, slot: int, edge: int) -> float:
        sort, beyond = self._graph.beyond[slot][edge]
        if self._walled(slot, edge):
            return 1.0
        if sort == SLOT and self.is_open(beyond) and edge not in UPHILL:
            return _AT_A_HOLE
        if sort == RAMP:
            return _AT_A_RAMP
        if edge in UPHILL:
            return _OFF_UPHILL if sort == OFF else _TURNS_UPHILL
        if sort == OFF:
            return _TURNS_AT_RIM
        return _TURNS_AT_OPEN if self._joined(slot, edge) else _TURNS

    def drops(self, slot: int) -> bool:
        """Whether the tile in a slot has a hole that balls can fall through."""
        laid = self.laid[slot]
        return laid is not None and laid.tile.drops

    def fall_cost(self, slot: int) -> float:
        """Return how unlikely it is that a ball in a slot falls through it."""
        laid = self.laid[slot]
        if laid is None:
            return 0.03
        return 0.17 if laid.tile.drops else 5.9

    def mouth_costs(self, slot: int, edge: int) -> tuple[float, float]:
        """Return how unlikely it is that a ball from a ramp gets into its slot, and that it stays outside.

        It never gets in through a wall.
        """
        if self._mouths[slot] is None:
            return 0.5, 0.9
        return (0.05, 4.0) if self.opens(slot, edge) else (inf, 0.15)

    def lets_in(self, slot: int, edge: int) -> bool:
        """Whether a tile is known to have a mouth at an edge."""
        return self._mouths[slot] is not None and self.opens(slot, edge)

    def rest(self, slot: int, edge: int, hall: int = UNWATCHED, turned: int = 0) -> Rest:
        """Return how unlikely it is that a ball that came over ``edge`` stays in a slot, and where.

        It may also stay before a wall, if the beam there missed it or there is none.
        """
        key = ((slot * 7 + edge) * 3 + hall) * 2 + turned
        found = self._rests.get(key)
        if found is None:
            found = self._rests[key] = self._rest(slot, edge, hall, turned)
        return found

    def _rest(self, slot: int, edge: int, hall: int, turned: int) -> Rest:
        stay = self.stay(slot, edge, turned)
        if stay is None:
            return _NO_REST
        parts = [stay.rests * _told(hall, stay.near[0], stay.seen) * part for part in stay.lies]
        for out in EDGES:
            if self._walled(slot, out):
                comes = stay.outs[out] * _told(hall, stay.near[out], stay.seen)
                watched = self._graph.believed(self._graph.edge[slot][out]) != NONE
                parts[IN_THE_DARK if watched else out] += comes * (_MISSED if watched else 1.0)
        whole = sum(parts) + _NEVER
        return Rest(-log(whole), _worth(hall, stay.near[0]), tuple([part / whole for part in parts]))


def _running_out(stay: Stay, edge: int) -> Stay:
    """Return the stay with nearly all balls that would rest leaving over the edge where they turned."""
    goes = stay.rests * (1.0 - _STAYS_AT_OPEN)
    outs = tuple([out + goes if at == edge else out for at, out in enumerate(stay.outs)])
    return make_stay(outs, stay.rests - goes, stay.near, stay.lies)


def _worth(hall: int, near: float) -> float:
    return -log(_told(UNSEEN, near, 1.0)) if hall == UNSEEN else 0.0


def _told(hall: int, near: float, seen: float) -> float:
    """Return how much likelier an ending gets because the ball Hall saw the ball, or did not."""
    if hall == UNWATCHED:
        return 1.0
    return near / seen if hall == SEEN else 1.0 - near * _HALL_TELLS


def _same(one: Laid | None, other: Laid | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.tile is other.tile and one.turns == other.turns

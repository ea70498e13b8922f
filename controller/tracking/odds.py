"""What a ball does on one slot, as far as the tile there tells: cross, turn back, fall, or stay.

A tile with known channels leads a ball from mouth to mouth, downhill rather than up; an unknown one lets it
go anywhere. All answers are costs in nats (:mod:`.costs`).
"""

from collections.abc import Mapping
from functools import lru_cache
from math import log
from typing import Final

from hextraction.board.grid import EDGES
from hextraction.controller.tracking.graph import OFF, RAMP, SLOT, Graph, Laid

__all__ = ["Odds"]

_DOWNHILL: Final = (1.0, 0.2, 0.45, 2.2, 5.0, 2.2, 0.45)
_BACK: Final = 0.35
_LEAST: Final = 0.15
"""Balls rock: whatever is joined happens now and then, even uphill."""
_LEAK: Final = 0.003
_UPHILL: Final = frozenset({1, 2, 6})
_TURNS: Final = 0.08
_TURNS_UPHILL: Final = 0.3
_OFF_UPHILL: Final = 0.8
_AT_A_RAMP: Final = 0.6
_AT_A_WALL: Final = 0.98

Exits = tuple[tuple[int, float, float], ...]
Channels = tuple[tuple[int, ...], ...]
_OPEN: Final = tuple((out, 5.0, 5.0) for out in EDGES)


class Odds:
    """What may happen on each slot of a graph with certain tiles laid."""

    def __init__(self, graph: Graph, laid: Mapping[str, Laid]) -> None:
        self._graph = graph
        self.laid = tuple(laid.get(name) for name in graph.slots)
        self._channels = tuple(_channels(found) for found in self.laid)
        self._exits: dict[int, Exits] = {}

    def is_open(self, slot: int) -> bool:
        """Whether no tile lies there."""
        return self.laid[slot] is None

    def changed_since(self, before: "Odds") -> int:
        """Return a bit for each slot in which something else lies now."""
        pairs = enumerate(zip(self.laid, before.laid, strict=True))
        return sum(1 << slot for slot, (now, then) in pairs if not _same(now, then))

    def opens(self, slot: int, edge: int) -> bool:
        """Whether a ball can pass an edge of what lies in a slot, as far as known."""
        channels = self._channels[slot]
        return channels is None or any(edge in channel for channel in channels)

    def exits(self, slot: int, edge: int) -> Exits:
        """Return (edge, cost to cross it, cost to turn back at it) for a ball that came over ``edge``."""
        found = self._exits.get(slot * 7 + edge)
        if found is None:
            backs = tuple([self._back(slot, out) for out in EDGES])
            found = _OPEN if self.is_open(slot) else _exits(self._channels[slot], edge, backs)
            self._exits[slot * 7 + edge] = found
        return found

    def _back(self, slot: int, edge: int) -> float:
        """Return how often a ball that has come to an edge turns back there: 0..1."""
        sort, beyond = self._graph.beyond[slot][edge]
        if sort == SLOT and not self.opens(beyond, (edge + 2) % 6 + 1):
            return _AT_A_WALL
        if sort == RAMP:
            return _AT_A_RAMP
        if edge in _UPHILL:
            return _OFF_UPHILL if sort == OFF else _TURNS_UPHILL
        return _TURNS

    def fall_cost(self, slot: int) -> float:
        """Return how unlikely it is that a ball in a slot falls through it."""
        laid = self.laid[slot]
        if laid is None:
            return 0.03
        return 0.7 if laid.tile.hole else 5.0

    def mouth_costs(self, slot: int, edge: int) -> tuple[float, float]:
        """Return how unlikely it is that a ball from a ramp gets into its slot, and that it stays outside."""
        if self._channels[slot] is None:
            return 1.3, 0.3
        return (0.05, 4.5) if self.opens(slot, edge) else (2.0, 0.15)

    def lets_in(self, slot: int, edge: int) -> bool:
        """Whether a tile is known to have a mouth at an edge."""
        return self._channels[slot] is not None and self.opens(slot, edge)

    def rest_cost(self, slot: int, edge: int) -> float:
        """Return how unlikely it is that a ball that came over ``edge`` stays in a slot."""
        laid, channels = self.laid[slot], self._channels[slot]
        if laid is None:
            return 6.0
        if channels is None or laid.tile.holds:
            return 1.5
        downhill = any(edge in channel and {3, 4, 5} & set(channel) - {edge} for channel in channels)
        return 3.0 if downhill else 0.7


@lru_cache(maxsize=8192)
def _exits(channels: Channels | None, edge: int, backs: tuple[float, ...]) -> Exits:
    """Weigh the ways out of a tile; ``backs`` says of each edge how often a ball turns back there."""
    weights = [_weight(channels, edge, out) for out in EDGES]
    whole = sum(weights) / 0.9
    found = []
    for out, weight, back in zip(EDGES, weights, backs, strict=True):
        found.append((out, -log(weight / whole * (1 - back)), -log(weight / whole * back)))
    return tuple(found)


def _weight(channels: Channels | None, edge: int, out: int) -> float:
    weight = max(_DOWNHILL[out] * (_BACK if out == edge else 1.0), _LEAST)
    if channels is None:
        return weight
    joined = any(out in channel and (edge in channel or edge == 0) for channel in channels)
    return weight if joined else weight * _LEAK


def _same(one: Laid | None, other: Laid | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.tile is other.tile and one.turns == other.turns


def _channels(laid: Laid | None) -> Channels | None:
    """Return a laid tile's channels; a tile that scatters balls has none to rely on."""
    if laid is None or laid.tile.scatters:
        return None
    return laid.tile.channels_at(laid.turns)

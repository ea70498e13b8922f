"""Insight: where a ball would run over the tiles that everybody can see. Bots judge by it; nobody else does.

By gravity alone a ball enters over edges 6, 1 and 2 and leaves over 5, 4 and 3. Chance, traps and other
balls are left out: this is what a player sees at a glance.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from hextraction.board.grid import opposite
from hextraction.board.profile import Board
from hextraction.board.tiles import UNKNOWN, Catalogue, Tile

__all__ = ["Insight", "Layout"]

Layout = Mapping[str, tuple[str, int]]
"""The kind of tile and its turns in each slot that is not open."""

_DOWNHILL: Final = frozenset({3, 4, 5})
_ZONE, _OFF, _DEPTH = 60.0, 4.0, 0.03


class Insight:
    """Judges boards of one profile."""

    def __init__(self, board: Board, tiles: Catalogue) -> None:
        self._board = board
        self._tiles = tiles
        self._lowest_mm = min(slot.y_mm for slot in board.slots)

    def worth(self, layout: Layout, ramps: Iterable[str] | None = None) -> float:
        """Return how good a board is for rolling: ways into end zones, depth, few ways over the side."""
        names = [ramp.name for ramp in self._board.ramps] if ramps is None else list(ramps)
        return sum(self._run(layout, name) for name in names) / max(1, len(names))

    def _run(self, layout: Layout, ramp: str) -> float:
        """Follow every way that a ball from one ramp may take."""
        start = self._board.ramp_by_name[ramp]
        waiting = [(start.slot, start.edge, 1.0)]
        seen: set[tuple[str, int]] = set()
        worth = 0.0
        while waiting:
            slot, edge, share = waiting.pop()
            if (slot, edge) in seen:
                continue
            seen.add((slot, edge))
            worth += share * _DEPTH * (self._board.by_name[slot].y_mm - self._lowest_mm)
            exits = self._exits(layout, slot, edge)
            for leaving in exits:
                beyond, part = self._board.beyond(slot, leaving), share / len(exits)
                if beyond.zone is not None:
                    worth += _ZONE * part
                elif beyond.off_board:
                    worth -= _OFF * part
                elif beyond.slot is not None:
                    waiting.append((beyond.slot, opposite(leaving), part))
        return worth

    def _exits(self, layout: Layout, slot: str, edge: int) -> list[int]:
        """Return the downhill edges a ball may leave by, having come over ``edge``."""
        if slot not in layout:
            return []
        name, turns = layout[slot]
        channels = self._tiles.get(name, UNKNOWN).channels_at(turns)
        if channels is None:
            return sorted(_DOWNHILL)
        return [leaving for group in channels if edge in group for leaving in group if leaving in _DOWNHILL]

    def open_slots(self, layout: Layout) -> list[str]:
        """Return the slots without a tile."""
        return [slot for slot in self._board.slot_names if slot not in layout]

    def best_place(
        self, layout: Layout, tile: Tile, places: Iterable[tuple[str, int]]
    ) -> tuple[float, str, int] | None:
        """Return the best of some (slot, turns) for a tile, with the worth of the board then."""
        found: tuple[float, str, int] | None = None
        for slot, turns in places:
            worth = self.worth({**layout, slot: (tile.name, turns)})
            if found is None or worth > found[0]:
                found = (worth, slot, turns)
        return found

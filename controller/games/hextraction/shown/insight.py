"""Insight: where a ball would run over the tiles that everybody can see. Only bots use it.

By gravity alone a ball enters over edges 6, 1 and 2 and leaves over 5, 4 and 3. Chance, traps and other balls
are ignored: this is what a player sees at a glance.
"""

from collections.abc import Iterable, Sequence

from hextraction.board.grid import opposite
from hextraction.board.profile import Board
from hextraction.board.tiles import DOWNHILL, Layout, TileShape

__all__ = ["Insight"]

_ZONE, _OFF, _DEPTH = 60.0, 4.0, 0.03


class Insight:
    """Rates layouts on boards of one profile."""

    def __init__(self, board: Board) -> None:
        self._board = board
        lowest_mm = min(slot.y_mm for slot in board.slots)
        self._depth = {slot.name: _DEPTH * (slot.y_mm - lowest_mm) for slot in board.slots}
        self._beyond = {(slot.name, edge): slot.beyond(edge) for slot in board.slots for edge in DOWNHILL}
        self._ways: dict[tuple[str, int, int], tuple[int, ...]] = {}

    def worth(self, layout: Layout, ramps: Iterable[str] | None = None) -> float:
        """Rate a layout for rolling: many ways into end zones, depth, few ways over the side."""
        names = [ramp.name for ramp in self._board.ramps] if ramps is None else list(ramps)
        return sum(self._run(layout, name)[0] for name in names) / max(1, len(names))

    def _run(self, layout: Layout, ramp: str) -> tuple[float, set[str]]:
        """Follow every way that a ball from one ramp may take; return their worth and the slots crossed."""
        start = self._board.ramp_by_name[ramp]
        waiting = [(start.slot, start.edge, 1.0)]
        seen: set[tuple[str, int]] = set()
        worth = 0.0
        while waiting:
            slot, edge, share = waiting.pop()
            if (slot, edge) in seen:
                continue
            seen.add((slot, edge))
            worth += share * self._depth[slot]
            exits = self.exits(layout, slot, edge)
            for leaving in exits:
                beyond, part = self._beyond[slot, leaving], share / len(exits)
                if beyond.zone is not None:
                    worth += _ZONE * part
                elif beyond.off_board:
                    worth -= _OFF * part
                elif beyond.slot is not None:
                    waiting.append((beyond.slot, opposite(leaving), part))
        return worth, {slot for slot, _edge in seen}

    def exits(self, layout: Layout, slot: str, edge: int) -> Sequence[int]:
        """Return the edges by which a ball that came in over ``edge`` may leave; none from an open slot."""
        if slot not in layout:
            return ()
        shape, turns = layout[slot]
        known = self._ways.get((shape.name, turns, edge))
        if known is None:
            known = self._ways[shape.name, turns, edge] = shape.exits(turns, edge)
        return known

    def open_slots(self, layout: Layout) -> list[str]:
        """Return the slots that have no tile."""
        return [slot for slot in self._board.slot_names if slot not in layout]

    def best_place(
        self, layout: Layout, tile: TileShape, places: Iterable[tuple[str, int]]
    ) -> tuple[float, str, int] | None:
        """Return the best of some (slot, turns) for a tile, and the worth of the resulting layout.

        A tile that lies on no way changes nothing, so only ways that cross its slot are followed again.
        """
        runs = {ramp.name: self._run(layout, ramp.name) for ramp in self._board.ramps}
        found: tuple[float, str, int] | None = None
        for slot, turns in places:
            with_tile = {**layout, slot: (tile, turns)}
            total = sum(
                self._run(with_tile, ramp)[0] if slot in way else worth for ramp, (worth, way) in runs.items()
            )
            worth = total / len(runs)
            if found is None or worth > found[0]:
                found = (worth, slot, turns)
        return found

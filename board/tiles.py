"""The shape of a tile as a ball meets it. What its card says belongs to the game.

A tile's *channels* are groups of edges (1..6, the tile upright) that are joined inside it; ``None`` means
that nobody has published them, so a ball may go anywhere. *Turns* are the sixths of a clockwise turn by which
a tile is turned when it bottoms out in a slot.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hextraction.board.grid import turned

__all__ = ["DOWNHILL", "UNKNOWN_SHAPE", "Layout", "Shapes", "TileShape"]

DOWNHILL: Final = (3, 4, 5)
"""The edges by which a ball leaves a slot by gravity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileShape:
    """A kind of tile. ``name`` is its key; ``title`` is what people call it.

    ``covers`` lists further slots of a tile larger than one, each by the edge that leads there from its first
    slot. ``holds`` is how many balls its pockets keep before later ones pass; ``alternates`` are exits taken
    in turn; ``scatters`` means that chance picks the exit, ``hole`` that a ball can drop through the tile.
    """

    name: str
    title: str
    channels: tuple[tuple[int, ...], ...] | None = None
    turns: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    holds: int = 0
    alternates: tuple[int, ...] = ()
    scatters: bool = False
    hole: bool = False
    covers: tuple[int, ...] = ()

    @property
    def sets_off(self) -> bool:
        """Whether the game cares that a ball comes here, even once."""
        return False

    def exits(self, turns: int, edge: int) -> tuple[int, ...]:
        """Return the edges by which a ball that came in over ``edge`` may leave downhill."""
        channels = self.channels_at(turns)
        if channels is None:
            return DOWNHILL
        return tuple(
            leaving for group in channels if edge in group for leaving in group if leaving in DOWNHILL
        )

    def channels_at(self, turns: int) -> tuple[tuple[int, ...], ...] | None:
        """Return the channels of a tile laid with ``turns`` sixths of a turn."""
        if self.channels is None:
            return None
        return tuple(tuple(sorted(turned(edge, turns) for edge in channel)) for channel in self.channels)


UNKNOWN_SHAPE: Final = TileShape(name="unknown", title="Unknown tile")

Shapes = Mapping[str, TileShape]
"""Shapes by name."""
Layout = Mapping[str, tuple[TileShape, int]]
"""The shape of the tile and its sixths of a turn in each slot that is not open."""

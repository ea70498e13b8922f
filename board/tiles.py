"""The shape of a tile as a ball meets it. What its card says belongs to the game.

A tile's *channels* are groups of edges (1..6, the tile upright) that are joined inside it; ``None`` means
that nobody has published them, so a ball may go anywhere. *Turns* are the sixths of a clockwise turn by which
a tile is turned when it bottoms out in a slot.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

from hextraction.board.grid import turned

__all__ = ["DOWNHILL", "UNKNOWN_SHAPE", "Layout", "Line", "Shapes", "TileShape"]

DOWNHILL: Final = (3, 4, 5)
"""The edges by which a ball leaves a slot by gravity."""

_HOLE_MM: Final = 7.0
"""The radius of a hole in the middle, for a ball's centre."""

Line = tuple[int | tuple[float, float], ...]
"""The way of a ball's centre: edges, and points in mm around the middle, x right and y down, upright."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileShape:
    """A kind of tile. ``name`` is its key; ``title`` is what people call it.

    ``covers`` lists further slots of a tile larger than one, each by the edge that leads there from its first
    slot. ``holds`` is how many balls its pockets keep before later ones pass; ``alternates`` are exits taken
    in turn; ``scatters`` means that chance picks the exit, ``hole`` that a ball can drop through the middle,
    and ``holes`` lists holes elsewhere: x, y and radius in mm, the tile upright.

    ``lines`` says how channels run where they do not run as usual, which is: two edges joined by the arc that
    meets both at right angles, more of them in the middle, a single one in a dead end soon after its mouth.
    A line runs from edge to edge, or from an edge to a point where it joins another or ends.
    """

    name: str
    title: str
    channels: tuple[tuple[int, ...], ...] | None = None
    turns: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    holds: int = 0
    alternates: tuple[int, ...] = ()
    scatters: bool = False
    hole: bool = False
    holes: tuple[tuple[float, float, float], ...] = ()
    lines: tuple[Line, ...] = ()
    covers: tuple[int, ...] = ()

    @property
    def drops(self) -> bool:
        """Whether a ball can drop through it."""
        return self.hole or bool(self.holes)

    def holes_at(self, turns: int, pitch_mm: float = 50.0) -> tuple[tuple[float, float, float], ...]:
        """Return x, y and radius of the holes of a tile as it lies, in mm around its middle.

        Within the radius a ball's centre drops.
        """
        middle = ((0.0, 0.0, _HOLE_MM),) if self.hole else ()
        scale, angle = pitch_mm / 50, radians(60 * turns)
        return tuple(
            (
                scale * (x * cos(angle) - y * sin(angle)),
                scale * (x * sin(angle) + y * cos(angle)),
                scale * radius,
            )
            for x, y, radius in middle + self.holes
        )

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

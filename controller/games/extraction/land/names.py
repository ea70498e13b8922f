"""What people call hexes, intersections and edges: by what meets there, as "wood 6, ore 8 and desert".

Nobody at a table says c3.12. Before the discs lie, and along the rim, two places may have one name: where
that counts, the place is marked on the drawing as well.
"""

from collections.abc import Sequence

from hextraction.controller.games.extraction.land.corners import CORNER_CELLS, EDGE_CELLS
from hextraction.controller.games.extraction.land.goods import DESERT
from hextraction.controller.games.extraction.land.state import Hex

__all__ = ["at_corner", "at_edge", "hex_name"]


def hex_name(ground: Hex) -> str:
    """Return what a hex is called; one that is used up lies with its desert side up.

    >>> hex_name(Hex("wood", 6, 4, 5)), hex_name(Hex("wood")), hex_name(Hex("wood", start=5))
    ('wood 6', 'wood', 'desert')
    """
    if ground.depleted:
        return DESERT
    return f"{ground.resource} {ground.disc}" if ground.disc else ground.resource


def at_corner(hexes: Sequence[Hex], corner: int) -> str:
    """Return where an intersection is, as a part of a sentence: "at wood 6, ore 8 and desert"."""
    first, *others = (hex_name(hexes[cell]) for cell in CORNER_CELLS[corner])
    if not others:
        return f"at {first} on the rim"
    second = others[0]
    if len(others) == 1:
        return f"at {first} and {second} on the rim"
    third = others[1]
    return f"at {first}, {second} and {third}"


def at_edge(hexes: Sequence[Hex], edge: int) -> str:
    """Return where an edge is, as a part of a sentence: "between wood 6 and ore 8"."""
    first, *others = (hex_name(hexes[cell]) for cell in EDGE_CELLS[edge])
    if not others:
        return f"at {first} on the rim"
    second = others[0]
    return f"between {first} and {second}"

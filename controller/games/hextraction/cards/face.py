"""What people see of a tile: the same in a hand, on the board and in the catalogue (1.2.1)."""

from hextraction.controller.games.hextraction.cards.tiles import Tile
from hextraction.controller.games.scene import Piece

__all__ = ["TileView", "card"]


class TileView(Piece, frozen=True, kw_only=True, omit_defaults=True):
    """A tile as people may see it. ``channels`` are those of the tile upright; ``turns`` is how it lies.

    ``trigger`` is ``whole`` or ``area``, empty if nothing on it triggers.
    """

    legal_turns: tuple[int, ...] = ()
    channels: tuple[tuple[int, ...], ...] | None = None
    trigger: str = ""
    keywords: tuple[str, ...] = ()
    starred: bool = False
    disabled: tuple[str, ...] = ()
    part: int = 0
    """How far an effect has turned its moving part, in sixths of a turn clockwise."""
    silenced: str = ""
    """Why its effects do nothing, in a few words; empty if they work."""


def card(tile: Tile) -> TileView:
    """Return the card of a kind of tile, which anybody may look up at any time."""
    badges = {keyword.value for keyword in tile.keywords} | ({"forbidden"} if tile.forbidden else set())
    return TileView(
        id=0,
        name=tile.name,
        title=tile.title,
        legal_turns=tile.turns,
        channels=tile.channels,
        trigger=tile.trigger.value if tile.sets_off else "",
        keywords=tuple(sorted(badges)),
        summary=" ".join([tile.summary, *(effect.text for effect in tile.effects)]).strip(),
        starred=tile.starred,
    )

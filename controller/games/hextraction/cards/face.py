"""What people see of a tile: the same in a hand, on the board and in the catalogue (1.2.1)."""

from typing import Final

from hextraction.board.tiles import TileShape
from hextraction.controller.games.hextraction.cards.tiles import Tile
from hextraction.controller.games.scene import Piece

__all__ = ["TileView", "card", "glance"]

_BENT: Final = {1: "corner", 2: "curve", 3: "straight"}
"""What two joined edges are called that lie so far apart."""


class TileView(Piece, frozen=True, kw_only=True, omit_defaults=True):
    """A tile as people may see it. ``channels`` are those of the tile upright; ``turns`` is how it lies.

    ``trigger`` is ``whole`` or ``area``, empty if nothing on it triggers. ``untold``: it lies on the
    board, and nobody has told how it is turned: it looks like this, but where its channels lead is not known.
    """

    legal_turns: tuple[int, ...] = ()
    channels: tuple[tuple[int, ...], ...] | None = None
    untold: bool = False
    trigger: str = ""
    keywords: tuple[str, ...] = ()
    starred: bool = False
    disabled: tuple[str, ...] = ()
    part: int = 0
    """How far an effect has turned its moving part, in sixths of a turn clockwise."""
    silenced: str = ""
    """Why its effects do nothing, in a few words; empty if they work."""
    glance: tuple[str, ...] = ()
    """What its shape looks like, on a card only: see :func:`glance`."""


def glance(shape: TileShape) -> tuple[str, ...]:
    """Return what one sees of a shape at a glance: its routes, and what keeps a ball or lets it drop.

    That is any of ``straight``, ``curve``, ``corner`` (two edges joined), ``fork`` (three), ``crossing``
    (more), ``trap`` (a pocket or a dead end) and ``hole``; nothing of a shape that nobody has published.
    """
    found = dict.fromkeys(_route(channel) for channel in shape.channels or ())
    found |= dict.fromkeys(("trap",) if shape.holds else ())
    return (*found, *(("hole",) if shape.drops else ()))


def _route(channel: tuple[int, ...]) -> str:
    if len(channel) == 2:
        apart = abs(channel[0] - channel[1])
        return _BENT[min(apart, 6 - apart)]
    return {1: "trap", 3: "fork"}.get(len(channel), "crossing")


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
        glance=glance(tile),
    )

"""The tiles of Hextraction: a shape, and what their cards say in the words of the :mod:`.vocabulary`."""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from hextraction.board.tiles import UNKNOWN_SHAPE, TileShape
from hextraction.controller.games.hextraction.cards.vocabulary import (
    VOCABULARY,
    Effect,
    Keyword,
    Trigger,
    When,
    Who,
)

__all__ = [
    "BAN_PREFIX", "UNKNOWN", "Catalogue", "Effect", "Keyword", "Tile", "Trigger", "When", "Who",
    "ban", "nearest", "tile_named",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile(TileShape):
    """A kind of tile and its card.

    ``parts`` and ``counterparts`` are names of a Combo's sub-tiles and its Virtual counterparts.

    >>> from hextraction.api import load_tiles
    >>> tile = load_tiles()["asterisk"]
    >>> tile.title, tile.channels, tile.official
    ('Asterisk', ((1, 2, 3, 4, 5, 6),), True)
    """

    creator: str = ""
    source: str = ""
    official: bool = False
    keywords: frozenset[Keyword] = frozenset()
    parts: tuple[str, ...] = ()
    counterparts: tuple[str, ...] = ()
    trigger: Trigger = Trigger.NONE
    captive: int = 0
    """Balls that belong to the tile: they touch it, but never leave it."""
    effects: tuple[Effect, ...] = ()
    summary: str = ""

    @property
    def sets_off(self) -> bool:
        """Whether a ball that comes here sets off effects."""
        return self.trigger is not Trigger.NONE

    @property
    def asks_area(self) -> bool:
        """Whether people say if a touch was one of its trigger area (R-15)."""
        return self.trigger is Trigger.AREA

    @property
    def unique(self) -> bool:
        """Whether only one of its name is on the board (3.Unique)."""
        return Keyword.UNIQUE in self.keywords

    @property
    def virtual(self) -> bool:
        """Whether it comes into play by Create (3.Virtual)."""
        return Keyword.VIRTUAL in self.keywords

    @property
    def combo(self) -> bool:
        """Whether it is laid as several tiles (3.Combo)."""
        return Keyword.COMBO in self.keywords

    def effects_when(self, when: When) -> tuple[Effect, ...]:
        """Return the effects of one occasion, in the order of the card."""
        return tuple([effect for effect in self.effects if effect.when is when])

    @property
    def forbidden(self) -> bool:
        """Whether playing it calls a Forbidden ballot (0.4.4)."""
        return any(effect.forbidden for effect in self.effects)

    @property
    def starred(self) -> bool:
        """Whether it has an effect and so must carry a star (0.2.3); keywords are effects."""
        return bool(self.effects or self.keywords)


UNKNOWN: Final = Tile(
    name=UNKNOWN_SHAPE.name,
    title=UNKNOWN_SHAPE.title,
    summary="A tile that is not in the catalogue: the board knows neither its channels nor its effects.",
)

Catalogue = Mapping[str, Tile]
"""Tiles by name."""

BAN_PREFIX: Final = "ban-"
"""The prefix of ramp-banning tiles' names; such tiles are made on demand and no file may use the prefix."""
_BAN: Final = re.compile(r"ban[-(](.*[^)])\)?", re.IGNORECASE)
_ALL_SIX: Final = ((1, 2, 3, 4, 5, 6),)


def ban(ramps: Iterable[str]) -> Tile:
    """Return the tile that bans these ramps.

    >>> ban(["a", "c"]).name
    'ban-a-c'
    """
    closed = tuple(ramps)
    text = f"Nobody may roll on {', '.join(closed)}."
    bans = next(deed for deed in VOCABULARY if deed.bans_ramps)
    effect = Effect(when=When.ONGOING, deed=bans, text=text, ramps=closed)
    name = BAN_PREFIX + "-".join(closed)
    return Tile(
        name=name, title=f"Ban {', '.join(closed)}", channels=_ALL_SIX, effects=(effect,), summary=text
    )


def tile_named(catalogue: Catalogue, name: str) -> Tile:
    """Look up a tile by its name as people write it: ``DC``, ``Tile With Nothing``, ``BAN(a,c)``.

    Ramps in the name of a ban keep their spelling. ``unknown`` is the tile that is in no catalogue.

    Raises:
        KeyError: there is no such tile; the message may name the nearest one.
    """
    key = re.sub(r"[\s_]+", "-", name.strip().lower())
    found = catalogue.get(name) or catalogue.get(key)
    if found is not None:
        return found
    banned = _BAN.fullmatch(name.strip())
    if banned:
        return ban(re.split(r"[-,\s]+", banned.group(1)))
    if key == UNKNOWN.name:
        return UNKNOWN
    raise KeyError(f"no tile is called {name!r}{nearest(key, catalogue)}")


def nearest(name: str, tiles: Catalogue) -> str:
    """Return a hint naming the tile that was probably meant; empty if no name is similar."""
    near = difflib.get_close_matches(name, tiles, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""

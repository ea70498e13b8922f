"""The house rules of a table: rulings that may be set, the tiles in the box, how a demonstration begins.

A module of its own, as only it and the tile book read what people wrote into files.
"""

from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue, load_tiles
from hextraction.controller.games.hextraction.cards.tiles import Catalogue, Tile
from hextraction.controller.games.hextraction.state.state import Config, Depth
from hextraction.controller.games.marked_names import marked
from hextraction.settings import Section

__all__ = ["HouseRules", "box_tiles", "demo_house", "read_house", "told"]

_DEMO_MOMENT_US: Final = 700_000


class HouseRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a table has decided. ``tiles_in_box`` is how many real tiles are in the bag, if nobody counts.

    With ``demo`` the board knows every tile of the pool, and ``laid`` path tiles lie on it already.
    """

    config: Config = Config(sensors=False, tile_sensors=False, gates=False, depth=Depth.LIGHT)
    own_tiles: Path | None = None
    tiles_in_box: int = 80
    demo: bool = False
    laid: int = 0

    def tiles(self) -> Catalogue:
        """Return the kinds of tiles in the box, each as a phone is :func:`told` of it.

        Raises:
            SettingsError: a file of people's own tiles has mistakes.
        """
        tiles = load_catalogue(self.own_tiles) if self.demo else box_tiles(self.own_tiles)
        return {name: told(tile) for name, tile in tiles.items()}


def told(tile: Tile) -> Tile:
    """Return a tile with its title marked as a name, for no title is translated.

    What else is written on a tile that does not come with the board is its maker's words, and marked, too.
    """
    if tile is load_tiles().get(tile.name):
        return replace(tile, title=marked(tile.title))
    effects = tuple(replace(effect, text=marked(effect.text)) for effect in tile.effects)
    return replace(tile, title=marked(tile.title), summary=marked(tile.summary), effects=effects)


def box_tiles(own: Path | None) -> Catalogue:
    """Return the tiles that can be in a real bag, without the scenarios' test tiles, which do not exist."""
    shipped, tiles = load_tiles(), load_catalogue(own)
    return {name: tile for name, tile in tiles.items() if tile.creator or tile is not shipped.get(name)}


def demo_house(laid: int, own_tiles: Path | None = None) -> HouseRules:
    """Return house rules for a demonstration: nobody waits for hands or doubts that a simulator has not."""
    return HouseRules(
        config=Config(grace_us=0, let_go_us=0, moment_us=_DEMO_MOMENT_US),
        own_tiles=own_tiles,
        demo=True,
        laid=laid,
    )


def read_house(section: Section, folder: Path) -> HouseRules:
    """Read the table ``[game]`` (or ``[hextraction]``) of a configuration; mistakes are noted in it."""
    config = Config(
        grace_us=int(section.number("grace_s", 0, 120, 5.0) * 1_000_000),
        attest_us=int(section.number("attest_s", 1, 600, 10.0) * 1_000_000),
        loop_us=int(section.number("loop_s", 5, 600, 20.0) * 1_000_000),
        joint_wins=section.boolean("joint_wins", True),  # noqa: FBT003 - a default
        trigger_once_per_roll=section.boolean("trigger_once_per_roll", False),  # noqa: FBT003 - a default
        moment_us=int(section.number("moment_s", 0, 30, 2.0) * 1_000_000),
        vote_cooldown_us=int(section.number("vote_cooldown_s", 0, 600, 0) * 1_000_000),
        leave_us=int(section.number("leave_ms", 1, 1000, 80) * 1_000),
        sensors=False,
        tile_sensors=False,
        gates=False,
        depth=Depth(section.choice("depth", tuple(Depth), Depth.LIGHT)),
    )
    return HouseRules(
        config=config,
        own_tiles=section.folder("own_tiles", folder),
        tiles_in_box=section.integer("tiles_in_box", 1, 2000, 80),
    )

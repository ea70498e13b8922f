"""The house rules of a table: rulings that may be set, the tiles in the box, how a demonstration begins.

A module of its own, as only it and the tile book read what people wrote into files.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

import msgspec
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue, load_tiles, tiles_of_text
from hextraction.controller.games.hextraction.cards.tilefile import tiles_text
from hextraction.controller.games.hextraction.cards.tiles import Catalogue, Tile
from hextraction.controller.games.hextraction.state.state import Config, Depth
from hextraction.controller.games.marked_names import marked, plain
from hextraction.settings import Key, Section, values_of

__all__ = ["HouseRules", "Written", "box_tiles", "demo_house", "own_of", "own_text", "read_house", "told"]

_MOMENT_US: Final = 2_000_000
_DEMO_MOMENT_US: Final = 700_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The table ``[game]`` of a configuration, as people write it."""

    grace_s: Annotated[
        float, Key("how long anybody may object before what a roll did is final (R-20)", high=120)
    ] = 5.0
    attest_s: Annotated[
        float,
        Key(
            "how long a question about a ball waits before its default answer is taken (R-15)",
            low=1,
            high=600,
        ),
    ] = 10.0
    loop_s: Annotated[
        float,
        Key(
            "how long a roll may move before people are asked whether it ever ends (R-31)",
            low=5,
            high=600,
        ),
    ] = 20.0
    joint_wins: Annotated[bool, Key("whether several winners at one commit share the game (R-26)")] = True
    trigger_once_per_roll: Annotated[
        bool, Key("whether a tile triggers once in a roll, however often it is touched (R-16)")
    ] = False
    moment_s: Annotated[
        float,
        Key("how long a lone effect waits, for a vote or a question about its card (0.5.1, 2.5.1)", high=30),
    ] = _MOMENT_US / 1_000_000
    vote_cooldown_s: Annotated[
        float, Key("how long the same tile cannot be put to the vote again (R-10)", high=600)
    ] = 0.0
    leave_ms: Annotated[
        float, Key("how long a ball is unseen before it has left its slot (R-13)", low=1, high=1000)
    ] = 80.0
    depth: Annotated[
        Depth, Key("what people tell at a board without sensors, unless the lobby says otherwise (R-50)")
    ] = Depth.LIGHT
    tiles_in_box: Annotated[int, Key("how many real tiles are in the bag", low=1, high=2000)] = 80
    own_tiles: Annotated[
        Path | None, Key("a folder of TOML files with tiles of your own", names="folder")
    ] = None


class HouseRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a table has decided. ``tiles_in_box`` is how many real tiles are in the bag, if nobody counts.

    With ``demo`` the board knows every tile of the pool, and ``laid`` path tiles lie on it already, or if
    that is None its upper half is laid.
    """

    config: Config = Config(
        sensors=False, tile_sensors=False, gates=False, moment_us=_MOMENT_US, depth=Depth.LIGHT
    )
    own_tiles: Path | None = None
    tiles_in_box: int = 80
    demo: bool = False
    laid: int | None = 0

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


def own_text(tiles: Catalogue) -> str:
    """Return, as a catalogue file, those of a game's tiles that do not come with the board; maybe empty."""
    shipped = load_tiles()
    return tiles_text(_bare(tile) for name, tile in tiles.items() if not _ships(tile, shipped.get(name)))


def own_of(text: str | msgspec.UnsetType) -> Catalogue:
    """Return the tiles that :func:`own_text` wrote, as phones are told of them; none if nobody wrote any.

    Raises:
        SettingsError: somebody has written something else there.
    """
    if text is msgspec.UNSET:
        return {}
    return {name: told(tile) for name, tile in tiles_of_text(text, "its own tiles", load_tiles()).items()}


def _ships(tile: Tile, shipped: Tile | None) -> bool:
    return shipped is not None and tile == told(shipped)


def _bare(tile: Tile) -> Tile:
    """Return a tile as its maker wrote it, without the marks of :func:`told`."""
    effects = tuple(replace(effect, text=plain(effect.text)) for effect in tile.effects)
    return replace(tile, title=plain(tile.title), summary=plain(tile.summary), effects=effects)


def box_tiles(own: Path | None) -> Catalogue:
    """Return the tiles that can be in a real bag, without the scenarios' test tiles, which do not exist."""
    shipped, tiles = load_tiles(), load_catalogue(own)
    return {name: tile for name, tile in tiles.items() if tile.creator or tile is not shipped.get(name)}


def demo_house(laid: int | None, own_tiles: Path | None = None) -> HouseRules:
    """Return house rules for a demonstration: nobody waits for hands or doubts that a simulator has not."""
    return HouseRules(
        config=Config(grace_us=0, let_go_us=0, moment_us=_DEMO_MOMENT_US),
        own_tiles=own_tiles,
        demo=True,
        laid=laid,
    )


def read_house(section: Section, folder: Path) -> HouseRules:
    """Read the table ``[game]`` (or ``[hextraction]``) of a configuration; mistakes are noted in it."""
    said = Written(**values_of(section, Written, folder))
    config = Config(
        grace_us=int(said.grace_s * 1_000_000),
        attest_us=int(said.attest_s * 1_000_000),
        loop_us=int(said.loop_s * 1_000_000),
        joint_wins=said.joint_wins,
        trigger_once_per_roll=said.trigger_once_per_roll,
        moment_us=int(said.moment_s * 1_000_000),
        vote_cooldown_us=int(said.vote_cooldown_s * 1_000_000),
        leave_us=int(said.leave_ms * 1_000),
        sensors=False,
        tile_sensors=False,
        gates=False,
        depth=said.depth,
    )
    return HouseRules(config=config, own_tiles=said.own_tiles, tiles_in_box=said.tiles_in_box)

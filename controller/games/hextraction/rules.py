"""What does not change during a game: the board and the kinds of tiles; and how a rule says no."""

import dataclasses
from collections.abc import Mapping

from hextraction.board.layout import Board
from hextraction.board.tilebook import tile_named
from hextraction.board.tiles import UNKNOWN, Catalogue, Tile
from hextraction.controller.games.hextraction.installed import Installed
from hextraction.controller.games.hextraction.state import Copy, Laid

__all__ = ["Refusal", "Rules"]


class Refusal(Exception):  # noqa: N818 - a person asked for something that is not legal; not an error of ours
    """Raised by a rule to refuse an action; the state stays as it was."""

    def __init__(self, reason: str, clause: str, *also: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.clause = clause
        self.also = also


class Rules:
    """The board and the kinds of tiles. Names are looked up as people write them (``BAN(a,c)``)."""

    def __init__(self, board: Board, tiles: Catalogue) -> None:
        self.board = board
        self.tiles = tiles
        self._installed = Installed((), {}, self.tile)
        self._known: dict[str, Tile] = dict(tiles)
        self._whole = {part: tile for tile in tiles.values() for part in tile.parts}

    def installed(self, laid: tuple[Laid, ...], copies: Mapping[int, Copy]) -> Installed:
        """Return these tiles on the board, seen from several sides."""
        found = self._installed
        if found.laid is not laid or found.copies is not copies:
            found = self._installed = Installed(laid, copies, self.tile)
        return found

    def tile(self, copy: Copy) -> Tile:
        """Return the kind of a copy; one that nobody has described is the unknown tile."""
        if copy.guise:
            return self._guised(copy)
        found = self._known.get(copy.name)
        return found if found is not None else self.named(copy.name)

    def _guised(self, copy: Copy) -> Tile:
        """Return a kind of tile with the effects and the trigger of another one."""
        key = f"{copy.name} as {copy.guise}"
        if key not in self._known:
            own, guise = self.named(copy.name), self.named(copy.guise)
            self._known[key] = dataclasses.replace(own, effects=guise.effects, trigger=guise.trigger)
        return self._known[key]

    def named(self, name: str) -> Tile:
        """Return the kind of tile that a name means, or the unknown tile."""
        found = self._known.get(name)
        if found is None:
            try:
                found = tile_named(self.tiles, name)
            except KeyError:
                found = UNKNOWN
            if len(self._known) < 10_000:  # names come from people: do not remember an endless number of them
                self._known[name] = found
        return found

    def whole_of(self, part: str) -> Tile | None:
        """Return the Combo that a kind of tile is a part of."""
        return self._whole.get(self.named(part).name)

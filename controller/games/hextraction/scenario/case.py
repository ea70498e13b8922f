"""What a scenario sets up: set-up lines fill a case, which knows its board and its tiles."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hextraction.board.layout import Board
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Share
from hextraction.controller.games.hextraction.cards.tiles import Catalogue, Tile, tile_named

__all__ = ["Case", "counted", "names_in", "owned"]


def names_in(text: str) -> list[str]:
    """Split a list of names: commas, or spaces, but not within parentheses; ``none`` is empty."""
    names = re.findall(r"[^\s,()]+(?:\([^)]*\))?", text.replace(" and ", " "))
    return [] if [name.lower() for name in names] == ["none"] else names


def counted(text: str) -> list[str]:
    """Split a list in which a number multiplies the name after it (``2 PLAIN, BELL``); ``none`` is empty."""
    found: list[str] = []
    count = 1
    for name in names_in(text):
        if name.isdigit():
            count = int(name)
        else:
            found += [name] * count
            count = 1
    return found


def owned(text: str) -> list[tuple[str, str]]:
    """Split a hand into (tile, owner or empty): ``2 PLAIN, BELL owner Blue``."""
    found = []
    for part in re.split(r",(?![^(]*\))", text):
        names, _owner, owner = re.sub(r"\s+owner\s+", " owner ", part).partition(" owner ")
        found += [(name, owner.strip().lower()) for name in counted(names)]
    return found


@dataclass(slots=True)
class Case:
    """What is set up: board, people and tiles, and what lies and is held where."""

    tiles: Catalogue
    board: Board = field(default_factory=lambda: load_board("fx-19"))
    players: tuple[str, ...] = ("Red", "Blue", "Green")
    laid: dict[str, tuple[str, int, str | None]] = field(default_factory=dict)
    """Name, turns, and whose it is, if that is said, by slot."""
    opened: set[str] = field(default_factory=set)
    rest: str = ""
    hands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    lent: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Whose each tile of a hand is, where that is said."""
    empty: set[str] = field(default_factory=set)
    drawn: set[str] = field(default_factory=set)
    pool: list[str] | None = None
    virtual: list[str] = field(default_factory=list)
    balls: dict[int, str] = field(default_factory=dict)
    zones: dict[int, str] = field(default_factory=dict)
    active: str | None = None
    owner: str | None = None
    power: bool = True
    done: set[str] = field(default_factory=set)
    config: dict[str, object] = field(default_factory=dict)
    quick: bool = True
    brought: list[Share] = field(default_factory=list)
    brought_virtual: list[Share] = field(default_factory=list)
    ball_count: dict[str, int] = field(default_factory=dict)
    boards: tuple[str, ...] = ()
    ball_size: str = "10 mm"
    magnetic: bool = True
    marks: list[tuple[str, str]] = field(default_factory=list)

    def slot(self, name: str) -> str:
        """Return a slot as the board spells it; the name itself, if there is no such slot."""
        return _spelt(name, self.board.slot_names)

    def tile(self, name: str) -> Tile:
        """Return a kind of tile.

        Raises:
            KeyError: there is none of that name.
        """
        return tile_named(self.tiles, name)

    def names(self, text: str) -> list[str]:
        """Return the names of the kinds of tile in a list."""
        return [self.tile(name).name for name in counted(text)]

    def covered(self, slot: str, covers: Sequence[int], turns: int) -> list[str]:
        """Return the slots that a larger tile covers beside its own, as far as the board has them."""
        over = [self.board.neighbour(slot, (edge - 1 + turns) % 6 + 1) for edge in covers]
        return [one for one in over if one is not None]


def _spelt(name: str, known: Iterable[str]) -> str:
    return next((one for one in known if one.lower() == name.lower()), name)

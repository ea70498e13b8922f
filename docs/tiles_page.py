"""The catalogue of tiles as a page: a picture of each, its ways and odds, and what its card does."""

from typing import Final

from hextraction.board.grid import EDGES
from hextraction.board.routes import Ending, RouteTable, load_routes
from hextraction.controller.games.hextraction.cards.tilebook import Doer, doer
from hextraction.controller.games.hextraction.cards.tiles import Catalogue, Tile

from docs.tile_pictures import picture_of

__all__ = ["odds", "tiles_page"]

_ABOVE: Final = (6, 1, 2)
_BELOW: Final = (3, 4, 5)
_HEAD: Final = """\
# Tiles

Made by `make docs`. Facts about real tiles in our own words; the tiles belong to their creators.

- **Pictures** show tiles upright: channels light, pockets as rings, holes black, notches as brown dots.
- **Ways** join edges, which are numbered clockwise from the top. *Not known* means that nobody has published
  the channels: a ball may then go anywhere. *Turns* are those in which the tile may lie, clockwise sixths.
- **Odds** are those of a ball that comes in from above, over all these turns, on a board tilted by 15°: it
  comes *through* to a slot below, comes *back* up, *stays*, or *falls* through a hole. They are simulated, a
  hundred balls for each turn and edge; nobody has measured them on printed tiles.
- Who does what the **card** says: *the board* by itself, or *people*, who are told what to do and say when it
  is done.

What a tile file says of effects is explained in [the vocabulary of effects](effects.md); a tile of your own
is made [from its model](tile-models.md).

"""
_TABLE: Final = "| Picture | Tile | Ways and odds | Its card |\n|---|---|---|---|\n"


def tiles_page(catalogue: Catalogue) -> str:
    """Return a Markdown page that lists a catalogue and counts how much of it the rules do by themselves."""
    rows = "".join(f"| {' | '.join(_row(tile))} |\n" for tile in catalogue.values())
    return _HEAD + _counts(catalogue) + _TABLE + rows


def _counts(catalogue: Catalogue) -> str:
    """Count real tiles, which have a creator, by who does what they say."""
    found = [doer(tile) for tile in catalogue.values() if tile.creator]
    rules, both, people, nobody = (found.count(one) for one in Doer)
    return (
        f"Of the {len(found)} real tiles listed here the rules execute {rules + both}, {both} of them with\n"
        f"a part that people do; for {people} people are told what to do and say when it is done;\n"
        f"{nobody} have no rule on their card and only lead or keep balls. Tiles without a creator\n"
        "are there for tests and scenarios.\n\n"
    )


def _row(tile: Tile) -> tuple[str, ...]:
    creator = f"[{tile.creator}]({tile.source})" if tile.creator and tile.source else tile.creator
    names = f"**{tile.title}**<br>`{tile.name}`" + (f"<br>by {creator}" if creator else "")
    channels = "not known"
    if tile.channels is not None:
        channels = " ".join("-".join(map(str, group)) for group in tile.channels) or "none"
    turns = "any turn" if len(tile.turns) == len(EDGES) else f"turns {' '.join(map(str, tile.turns))}"
    ways = [channels, turns, odds(tile)]
    return picture_of(tile), names, "<br>".join(filter(None, ways)), _card(tile)


def _card(tile: Tile) -> str:
    by = doer(tile)
    words = [
        f"**{by.value}**:" if by is not Doer.NOBODY else "",
        tile.summary,
        *(f"*{effect.when.value.replace('_', ' ')}*: {effect.text}" for effect in tile.effects),
    ]
    return " ".join(filter(None, words))


def odds(tile: Tile) -> str:
    """Return what becomes of balls that come in from above, over all turns; empty where nobody knows."""
    table = load_routes(15.0).of(tile)
    if table is None or tile.channels is None:
        return ""
    shares = {what: share for what, share in _shares(tile, table).items() if round(share * 100)}
    return ", ".join(f"{what} {share:.0%}" for what, share in shares.items())


def _shares(tile: Tile, table: RouteTable) -> dict[str, float]:
    rows = [table.laid(turns, edge) for turns in tile.turns for edge in _ABOVE]
    entered = [(row, 1 - row.share(Ending.SHUT)) for row in rows]
    whole = sum(share for _row, share in entered) or 1.0
    return {
        "through": sum(row.share(Ending.OUT, edge) for row in rows for edge in _BELOW) / whole,
        "back": sum(row.share(Ending.OUT, edge) for row in rows for edge in _ABOVE) / whole,
        "stays": sum(row.share(Ending.RESTS) for row in rows) / whole,
        "falls": sum(row.share(Ending.FELL) for row in rows) / whole,
    }

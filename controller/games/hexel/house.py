"""The house rules of Hex'el: ``[hexel]`` of a configuration, and what people choose on their phones.

A module of its own because the preparation and the game both rest on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from hextraction.controller.games.hexel.cards import DECKS, USUAL_DECK, Deck, deck_named, read_deck
from hextraction.controller.games.hexel.state import FIELDS, Setup, State
from hextraction.controller.games.protocol import Hears, Occasion, Told
from hextraction.settings import Key, Section, SettingsError, values_of
from msgspec.structs import replace

__all__ = [
    "MOST_CHIPS",
    "TELLS_DECK",
    "TELLS_FIELD",
    "HouseRules",
    "LobbyDetail",
    "Preparing",
    "Written",
    "read_house",
]

MOST_CHIPS: Final = 1_000
_USUAL_CHIPS: Final = 30
TELLS_DECK: Final = {
    "d46": "Every card once, and seven of them twice: 46 cards, each symbol equally often.",
    "d45": "Every card once, and those with five equal symbols twice: 45 cards.",
    "d39": "Every card once: 39 cards.",
    "d36": "Every card once, and of two that mirror each other only one: 36 cards.",
}
"""The decks, in a sentence each (3.2)."""
TELLS_FIELD: Final = {
    "slots19": "A hexagon of 19 cells. When it is full, the game ends.",
    "open": "Without end, on phones alone; lamps show the cells around the last card.",
}
"""The fields, in a sentence each (3.5)."""


class HouseRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a table has decided. ``lot`` says that the dealer is drawn; else the first seat deals.

    ``stock`` is what everybody has in chips, ``hint`` whether phones say what could be afforded at best.
    """

    deck: Deck = msgspec.field(default_factory=lambda: deck_named(USUAL_DECK))
    field: str = FIELDS[0]
    stock: int = _USUAL_CHIPS
    lot: bool = True
    hint: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The table ``[hexel]`` of a configuration, as people write it."""

    deck: Annotated[str, Key("the deck (3.2)", words=DECKS)] = USUAL_DECK
    deck_file: Annotated[Path | None, Key("a deck of your own, in the place of `deck`", names="file")] = None
    field: Annotated[str, Key("19 cells, or a field without end, on phones (3.5)", words=FIELDS)] = FIELDS[0]
    stock: Annotated[int, Key("what everybody has in chips", high=MOST_CHIPS)] = _USUAL_CHIPS
    dealer: Annotated[Literal["lot", "seat"], Key("who deals: by lot, or the first seat")] = "lot"
    hint: Annotated[bool, Key("whether phones tell their players what they could afford at best")] = True


def read_house(section: Section, folder: Path) -> HouseRules:
    """Read the table ``[hexel]``; mistakes are noted in it, those of an own deck's file as well."""
    said = Written(**values_of(section, Written, folder))
    deck = deck_named(said.deck)
    if said.deck_file is not None:
        if "deck" in section:
            section.complain("deck_file", "want either `deck` or `deck_file`, found both")
        try:
            deck = read_deck(said.deck_file)
        except SettingsError as error:
            for problem in error.problems:
                section.complain("deck_file", str(problem))
    return HouseRules(deck=deck, field=said.field, stock=said.stock, lot=said.dealer == "lot", hint=said.hint)


class LobbyDetail(msgspec.Struct, frozen=True, kw_only=True, tag_field="game", tag="hexel"):
    """What the lobby shows: deck, field, chips, what else there is to choose, and how this board is used.

    ``kept`` are the stocks that the last game left, if the next one goes on with them.
    """

    deck: str
    decks: dict[str, str]
    field: str
    fields: dict[str, str]
    stock: int
    kept: dict[str, int]
    note: str


class Preparing:
    """Hears people before a game: deck, field, chips, and whether stocks are kept from the last game."""

    def __init__(self, board: str, house: HouseRules, note: str) -> None:
        self._board = board
        self._house = house
        self._note = note
        self._own = house.deck
        self._kept: dict[str, int] = {}
        self.words: Mapping[str, Hears] = {
            "deck": self._deck,
            "field": self._field,
            "stock": self._stock,
            "stocks": self._stocks,
        }

    def _deck(self, told: Told) -> str:
        wanted = told.words.get("deck")
        if told.playing:
            return "Choose the deck before the game starts."
        if wanted == self._own.name:
            self._house = replace(self._house, deck=self._own)
        elif wanted in DECKS:
            self._house = replace(self._house, deck=deck_named(str(wanted)))
        else:
            return f"You can choose {', '.join(self._decks())}, not {wanted!r}."
        return ""

    def _decks(self) -> dict[str, str]:
        own = {self._own.name: f"The table's own deck: {len(self._own.faces)} cards."}
        return {**TELLS_DECK, **({} if self._own.name in TELLS_DECK else own)}

    def _field(self, told: Told) -> str:
        wanted = told.words.get("field")
        if told.playing:
            return "Choose the field before the game starts."
        if wanted not in FIELDS:
            return f"You can choose {', '.join(FIELDS)}, not {wanted!r}."
        self._house = replace(self._house, field=wanted)
        return ""

    def _stock(self, told: Told) -> str:
        wanted = told.words.get("stock")
        if told.playing:
            return "Hand out chips before the game starts."
        if not isinstance(wanted, int) or isinstance(wanted, bool) or not 0 <= wanted <= MOST_CHIPS:
            return f"You can hand out 0 to {MOST_CHIPS} chips, not {wanted!r}."
        self._house, self._kept = replace(self._house, stock=wanted), {}
        return ""

    def _stocks(self, told: Told) -> str:
        """Go on with the stocks that the last game left, or begin with new ones (3.5)."""
        if told.playing:
            return "Hand out chips before the game starts."
        if told.words.get("keep") is not True:
            self._kept = {}
            return ""
        if not isinstance(told.state, State) or len(told.state.players) == 1:
            return "There is no game before this one whose chips you could keep."
        stocks = told.state.position.stocks
        self._kept = {one.seat: chips for one, chips in zip(told.state.players, stocks, strict=True)}
        return ""

    def set_up(self, occasion: Occasion) -> Setup:
        """Return the game's set-up."""
        house, seats = self._house, occasion.seats
        return Setup(
            board=self._board,
            seats=seats,
            deck=house.deck,
            stocks=tuple(self._kept.get(one.seat, house.stock) for one in seats),
            at_us=occasion.at_us,
            field=house.field,
            dealer=occasion.luck.randrange(len(seats)) if house.lot and seats else 0,
            hint=house.hint,
            sees=occasion.senses.tiles,
        )

    def shown(self, occasion: Occasion | None) -> Any:
        """Return what the lobby shows of the next game; nothing while one is on."""
        if occasion is None:
            return None
        return LobbyDetail(
            deck=self._house.deck.name,
            decks=self._decks(),
            field=self._house.field,
            fields=dict(TELLS_FIELD),
            stock=self._house.stock,
            kept=dict(self._kept),
            note=self._note,
        )

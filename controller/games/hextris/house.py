"""The house rules of Hextris: ``[hextris]`` of a configuration, and what people choose on their phones.

A module of its own because the preparation and the game both rest on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from hextraction.controller.games.hextris.position import READINGS
from hextraction.controller.games.hextris.state import Setup
from hextraction.controller.games.protocol import Hears, Occasion, Told
from hextraction.settings import Key, Section, values_of
from msgspec.structs import replace

__all__ = ["TELLS", "HouseRules", "LobbyDetail", "Preparing", "Written", "read_house"]

TELLS: Final = {
    "R0": "One piece is yours, and its size decides: large with medium, medium with small, small with large.",
    "R1": "One piece is yours, and the sizes differ.",
    "R2": "Any two pieces beside each other, if their sizes differ.",
    "R3": "Both pieces are yours, and the sizes differ.",
    "R4": "Nothing is swapped.",
}
"""What each reading of the swap rule allows, in a sentence (2.3)."""


class HouseRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a table has decided. ``lot`` says that the first player is drawn; else the first seat begins."""

    reading: str = "R0"
    lot: bool = True
    offer_after: int = 3
    take_back: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The table ``[hextris]`` of a configuration, as people write it."""

    swap_reading: Annotated[str, Key("who may swap with whom (2.3)", words=READINGS)] = "R0"
    first: Annotated[Literal["lot", "seat"], Key("who begins: by lot, or the first seat")] = "lot"
    draw_offer_after: Annotated[
        int, Key("how often a position has been there when a draw is offered", low=2, high=20)
    ] = 3
    take_back: Annotated[bool, Key("whether a ply may be taken back by consent")] = True


def read_house(section: Section) -> HouseRules:
    """Read the table ``[hextris]``; mistakes are noted in it."""
    said = Written(**values_of(section, Written))
    return HouseRules(
        reading=said.swap_reading,
        lot=said.first == "lot",
        offer_after=said.draw_offer_after,
        take_back=said.take_back,
    )


class LobbyDetail(msgspec.Struct, frozen=True, kw_only=True, tag_field="game", tag="hextris"):
    """What the lobby shows: the reading of swaps, all readings in words, and how this board is used."""

    reading: str
    readings: dict[str, str]
    note: str


class Preparing:
    """Hears people before a game: which reading they play by."""

    def __init__(self, board: str, house: HouseRules, note: str) -> None:
        self._board = board
        self._house = house
        self._note = note
        self.words: Mapping[str, Hears] = {"reading": self._reading}

    def _reading(self, told: Told) -> str:
        if told.playing:
            return "Choose how swaps work before the game starts."
        wanted = told.words.get("reading")
        if wanted not in READINGS:
            return f"You can choose {', '.join(READINGS)}, not {wanted!r}."
        self._house = replace(self._house, reading=wanted)
        return ""

    def set_up(self, occasion: Occasion) -> Setup:
        """Return the game's set-up."""
        house = self._house
        return Setup(
            board=self._board,
            seats=occasion.seats,
            at_us=occasion.at_us,
            reading=house.reading,
            first=occasion.luck.randrange(len(occasion.seats)) if house.lot and occasion.seats else 0,
            offer_after=house.offer_after,
            take_back=house.take_back,
            sees=occasion.senses.tiles,
        )

    def shown(self, occasion: Occasion | None) -> Any:
        """Return what the lobby shows of the next game; nothing while one is on."""
        if occasion is None:
            return None
        return LobbyDetail(reading=self._house.reading, readings=dict(TELLS), note=self._note)

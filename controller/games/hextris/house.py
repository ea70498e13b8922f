"""The house rules of Hextris: ``[hextris]`` of a configuration, and what people choose on their phones.

A module of its own because the preparation and the game both rest on it.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from hextraction.controller.games.hextris.position import READINGS
from hextraction.controller.games.hextris.state import Setup
from hextraction.controller.games.protocol import Hears, Occasion, Told
from hextraction.settings import Section
from msgspec.structs import replace

__all__ = ["TELLS", "HouseRules", "LobbyDetail", "Preparing", "read_house"]

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


def read_house(section: Section) -> HouseRules:
    """Read the table ``[hextris]``; mistakes are noted in it."""
    return HouseRules(
        reading=section.choice("swap_reading", READINGS, "R0"),
        lot=section.choice("first", ("lot", "seat"), "lot") == "lot",
        offer_after=section.integer("draw_offer_after", 2, 20, 3),
        take_back=section.boolean("take_back", True),  # noqa: FBT003 - a default
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

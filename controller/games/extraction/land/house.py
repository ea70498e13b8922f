"""The house rules of Extraction: ``[extraction]`` of a configuration, and what people choose on their phones.

A module of its own because the preparation and the game both rest on it.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from hextraction.controller.games.extraction.land.goods import DECK, DISCS, TERRAIN
from hextraction.controller.games.extraction.land.state import ATTACKS, Setup
from hextraction.controller.games.extraction.land.wagers import TOLD
from hextraction.controller.games.protocol import Hears, Occasion, Seated, Told
from hextraction.controller.games.strategy import Luck
from hextraction.settings import Section
from msgspec.structs import replace

__all__ = ["CHOICES", "HouseRules", "LobbyDetail", "Preparing", "drawn", "read_house", "set_up"]


class HouseRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a table has decided; the names are those of the settings, see docs/extraction.md."""

    real_dice: bool = False
    roll_first: bool = True
    attack: str = "opposed_2d6"
    discs: str = "nineteen"
    leftover: str = "supply"
    disc_order: str = "clockwise"
    overtake: bool = False
    post_depletion_rounds: int = 5
    still_rounds: int = 20
    most_tokens: int = 5
    offers_a_turn: int | None = None
    offer_s: int = 60
    keep_in: bool = False


def read_house(section: Section) -> HouseRules:
    """Read the table ``[extraction]``; mistakes are noted in it."""
    return HouseRules(
        real_dice=section.choice("dice", ("phone", "table"), "phone") == "table",
        roll_first=section.choice("first", ("dice", "seat"), "dice") == "dice",
        attack=section.choice("attack", ATTACKS, "opposed_2d6"),
        discs=section.choice("discs", tuple(DISCS), "nineteen"),
        leftover=section.choice("leftover", ("supply", "box"), "supply"),
        disc_order=section.choice("disc_order", ("clockwise", "snake"), "clockwise"),
        overtake=section.boolean("overtake", False),  # noqa: FBT003 - a default
        post_depletion_rounds=section.integer("post_depletion_rounds", 1, 50, 5),
        still_rounds=section.integer("still_rounds", 2, 200, 20),
        most_tokens=section.integer("most_tokens", 1, 5, 5),
        offers_a_turn=section.integer("offers_a_turn", 0, 20) if "offers_a_turn" in section else None,
        offer_s=section.integer("offer_s", 5, 600, 60),
        keep_in=section.boolean("keep_in", False),  # noqa: FBT003
    )


def drawn(house: HouseRules, luck: Luck) -> HouseRules:
    """Return house rules as tables may have them, drawn at random: how long a game lasts stays as it is."""
    return replace(
        house,
        real_dice=luck.random() < 0.3,
        roll_first=luck.random() < 0.7,
        attack=luck.choice(ATTACKS),
        discs=luck.choice(tuple(DISCS)),
        leftover=luck.choice(("supply", "box")),
        disc_order=luck.choice(("clockwise", "snake")),
        overtake=luck.random() < 0.3,
        offers_a_turn=luck.choice((0, 2, None)),
        keep_in=luck.random() < 0.3,
    )


def set_up(house: HouseRules, board: str, seats: tuple[Seated, ...], luck: Luck, **known: Any) -> Setup:
    """Return a set-up: hexes and development cards are shuffled."""
    terrain = [name for name, count in TERRAIN.items() for _one in range(count)]
    deck = [name for name, count in DECK.items() for _one in range(count)]
    luck.shuffle(terrain)
    luck.shuffle(deck)
    told = msgspec.structs.asdict(house)
    return Setup(board=board, seats=seats, terrain=tuple(terrain), deck=tuple(deck), **told, **known)


# --- what people choose on their phones ---

CHOICES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "dice": ("Dice", {"phone": "thrown on the phones", "table": "real ones, told to the phones"}),
    "attack": ("Attacks", TOLD),
    "length": (
        "Length",
        {"5": "as long as the land lasts", "3": "three tokens a hex at most", "1": "one token a hex: short"},
    ),
    "trades": ("Trades among players", {"any": "by offers", "0": "none"}),
}
"""What the lobby asks, in words; all other settings are in the configuration."""
_READS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "dice": ("real_dice", {"phone": False, "table": True}),
    "attack": ("attack", {name: name for name in ATTACKS}),
    "length": ("most_tokens", {"5": 5, "3": 3, "1": 1}),
    "trades": ("offers_a_turn", {"any": None, "0": 0}),
}


class LobbyDetail(msgspec.Struct, frozen=True, kw_only=True, tag_field="game", tag="extraction"):
    """What the lobby shows: what is chosen, what may be, in words, and how this board is used."""

    chosen: dict[str, str]
    choices: dict[str, tuple[str, dict[str, str]]]
    note: str


class Preparing:
    """Hears people before a game: which dice, how attacks are decided, how long it should be."""

    def __init__(self, board: str, house: HouseRules, note: str) -> None:
        self._board = board
        self._house = house
        self._note = note
        self.words: Mapping[str, Hears] = {"extraction": self._choose}

    def _choose(self, told: Told) -> str:
        if told.playing:
            return "Choose the settings before the game starts."
        what, wanted = told.words.get("what"), told.words.get("choice")
        if not isinstance(what, str) or what not in _READS:
            return f"You can choose {', '.join(_READS)}, not {what!r}."
        setting, values = _READS[what]
        if not isinstance(wanted, str) or wanted not in values:
            return f"{what}: you can choose {', '.join(values)}, not {wanted!r}."
        self._house = replace(self._house, **{setting: values[wanted]})
        return ""

    def set_up(self, occasion: Occasion) -> Setup:
        """Return the game's set-up."""
        return set_up(
            self._house,
            self._board,
            occasion.seats,
            occasion.luck,
            at_us=occasion.at_us,
            sees=occasion.senses.tiles,
        )

    def shown(self, occasion: Occasion | None) -> Any:
        """Return what the lobby shows of the next game; nothing while one is on."""
        if occasion is None:
            return None
        return LobbyDetail(
            chosen={what: self._chosen(what) for what in CHOICES},
            choices={what: (title, dict(told)) for what, (title, told) in CHOICES.items()},
            note=self._note,
        )

    def _chosen(self, what: str) -> str:
        setting, values = _READS[what]
        now = getattr(self._house, setting)
        return next((name for name, value in values.items() if value == now), "")

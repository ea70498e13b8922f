"""The house rules of Extraction: ``[extraction]`` of a configuration, and what people choose on their phones.

A module of its own because the preparation and the game both rest on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from hextraction.controller.games.extraction.land.goods import DECK, DISCS, TERRAIN
from hextraction.controller.games.extraction.land.state import ATTACKS, Setup
from hextraction.controller.games.extraction.land.wagers import TOLD
from hextraction.controller.games.protocol import Hears, Occasion, Seated, Told
from hextraction.controller.games.strategy import Luck
from hextraction.settings import Key, Section, values_of
from msgspec.structs import replace

__all__ = ["CHOICES", "HouseRules", "LobbyDetail", "Preparing", "Written", "drawn", "read_house", "set_up"]


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
    offer_s: int = 30
    keep_in: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The table ``[extraction]`` of a configuration, as people write it."""

    dice: Annotated[
        Literal["phone", "table"], Key("where dice are thrown; real ones on the table are told to the phone")
    ] = "phone"
    first: Annotated[
        Literal["dice", "seat"], Key("who begins: the highest throw of the dice, or the first seat")
    ] = "dice"
    attack: Annotated[str, Key("how attacks are decided (docs/extraction.md)", words=ATTACKS)] = "opposed_2d6"
    discs: Annotated[str, Key("the discs; `catan18` has one 2 and one 12", words=tuple(DISCS))] = "nineteen"
    leftover: Annotated[Literal["supply", "box"], Key("where the disc goes that is left over")] = "supply"
    disc_order: Annotated[
        Literal["clockwise", "snake", "dealt"], Key("how discs are laid; `dealt`: all at once, by chance")
    ] = "clockwise"
    overtake: Annotated[bool, Key("whether a longer route takes the Longest Route")] = False
    most_tokens: Annotated[int, Key("the most tokens of a hex; fewer make a shorter game", low=1, high=5)] = 5
    offers_a_turn: Annotated[
        int | None,
        Key("how many trades a player may offer in a turn; without it nobody limits them", high=20),
    ] = None
    offer_s: Annotated[int, Key("how long an offer stays open", low=5, high=600)] = 30
    keep_in: Annotated[bool, Key("whether the others are asked before somebody is out")] = False
    post_depletion_rounds: Annotated[
        int, Key("the rounds without any hex that could give, until the end", low=1, high=50)
    ] = 5
    still_rounds: Annotated[
        int, Key("the rounds in which nothing at all happens, until the end", low=2, high=200)
    ] = 20


def read_house(section: Section) -> HouseRules:
    """Read the table ``[extraction]``; mistakes are noted in it."""
    said = dict(values_of(section, Written))
    return HouseRules(real_dice=said.pop("dice") == "table", roll_first=said.pop("first") == "dice", **said)


def drawn(house: HouseRules, luck: Luck) -> HouseRules:
    """Return house rules as tables may have them, drawn at random: how long a game lasts stays as it is."""
    return replace(
        house,
        real_dice=luck.random() < 0.3,
        roll_first=luck.random() < 0.7,
        attack=luck.choice(ATTACKS),
        discs=luck.choice(tuple(DISCS)),
        leftover=luck.choice(("supply", "box")),
        disc_order=luck.choice(("clockwise", "snake", "dealt")),
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
    "discs": (
        "Number discs",
        {"clockwise": "each lays one in turn", "dealt": "chance lays them all at once"},
    ),
    "trades": ("Trades among players", {"any": "by offers", "0": "none"}),
}
"""What the lobby asks, in words; all other settings are in the configuration."""
_READS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "dice": ("real_dice", {"phone": False, "table": True}),
    "attack": ("attack", {name: name for name in ATTACKS}),
    "length": ("most_tokens", {"5": 5, "3": 3, "1": 1}),
    "discs": ("disc_order", {"clockwise": "clockwise", "dealt": "dealt"}),
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

"""What scenarios of Extraction set up: a case as it is read, and a table on which it is played."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import msgspec
from hextraction.controller.games.extraction.land.corners import CORNER_NAMES, CORNERS, EDGE_NAMES, ROADS
from hextraction.controller.games.extraction.land.goods import (
    CITY,
    DECK,
    DESERT,
    EACH,
    NOBODY,
    NOTHING,
    RESOURCES,
    TERRAIN,
    Bundle,
    dots,
    more,
)
from hextraction.controller.games.extraction.land.house import HouseRules
from hextraction.controller.games.extraction.land.possible import dry
from hextraction.controller.games.extraction.land.standing import lies
from hextraction.controller.games.extraction.land.state import ATTACKS, Hex, Player, Setup, State
from hextraction.controller.games.extraction.turn import flow
from hextraction.controller.games.hexagon import sentences as shared
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.game import HexagonGame
from hextraction.controller.games.protocol import Refused, Seated
from hextraction.controller.games.scene import Option
from hextraction.controller.games.sentences import Sentence
from msgspec.structs import replace

__all__ = ["SET_UP", "Case", "Table", "bundle", "problems"]

_TURN: Final = 5
_USED_UP: Final = Hex("wood", start=1)
_SETTINGS: Final[dict[str, tuple[str, dict[str, Any] | None]]] = {
    "dice": ("real_dice", {"phone": False, "table": True}),
    "first": ("roll_first", {"dice": True, "seat": False}),
    "attack": ("attack", {name: name for name in ATTACKS}),
    "discs": ("discs", {"nineteen": "nineteen", "catan18": "catan18"}),
    "leftover": ("leftover", {"supply": "supply", "box": "box"}),
    "disc_order": ("disc_order", {"clockwise": "clockwise", "snake": "snake", "dealt": "dealt"}),
    "overtake": ("overtake", {"true": True, "false": False}),
    "keep_in": ("keep_in", {"true": True, "false": False}),
    "post_depletion_rounds": ("post_depletion_rounds", None),
    "still_rounds": ("still_rounds", None),
    "most_tokens": ("most_tokens", None),
    "offers_a_turn": ("offers_a_turn", None),
    "offer_s": ("offer_s", None),
}


@dataclass(slots=True)
class Case:
    """What is set up: a new game, or one in the middle."""

    board: str = "fx-19"
    seats: Sequence[str] = ("red", "blue", "green")
    house: HouseRules = field(default_factory=HouseRules)
    fresh: bool = False
    terrain: Sequence[str] = tuple(name for name, count in TERRAIN.items() for _one in range(count))
    hexes: dict[str, Hex] = field(default_factory=dict)
    buildings: dict[int, tuple[str, bool]] = field(default_factory=dict)
    roads: dict[int, str] = field(default_factory=dict)
    hands: dict[str, Bundle] = field(default_factory=dict)
    cards: dict[str, Sequence[str]] = field(default_factory=dict)
    knights: dict[str, int] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    bank: dict[str, int] = field(default_factory=dict)
    supply: Sequence[int] = ()
    deck: Sequence[str] = tuple(name for name, count in DECK.items() for _one in range(count))
    route: str = ""
    army: str = ""
    mover: str = ""
    thrown: bool = True
    begins: bool = False
    sees: bool = False

    def setup(self) -> Setup:
        """Return the set-up."""
        seats = tuple(Seated(seat, seat.capitalize()) for seat in self.seats)
        told = msgspec.structs.asdict(self.house)
        return Setup(
            board=self.board,
            seats=seats,
            terrain=tuple(self.terrain),
            deck=tuple(self.deck),
            sees=self.sees,
            **told,
        )

    def number(self, seat: str) -> int:
        """Return the number of a player; :data:`NOBODY` for no seat."""
        return self.seats.index(seat) if seat else NOBODY


def bundle(goods: Mapping[str, int]) -> Bundle:
    """Return cards in the order of resources."""
    return tuple(goods.get(name, 0) for name in RESOURCES)


def problems(case: Case) -> list[str]:
    """Return why this cannot be played."""
    found = []
    if not 3 <= len(case.seats) <= 4 or len(set(case.seats)) < len(case.seats):
        found.append("players: want three or four, each once")
    named = {*case.hands, *case.cards, *case.knights, *case.out, case.route, case.army, case.mover}
    named |= {who for who, _city in case.buildings.values()} | set(case.roads.values())
    away = sorted(named - {*case.seats, ""})
    found += [f"{seat.capitalize()} does not play" for seat in away]
    if case.fresh and {name: case.terrain.count(name) for name in {*TERRAIN, *case.terrain}} != TERRAIN:
        wanted = ", ".join(f"{count} {name}" for name, count in TERRAIN.items())
        found.append(f"terrain: want {wanted}")
    held = case.hands.values()
    for at, name in enumerate(RESOURCES):
        if sum(hand[at] for hand in held) > EACH:
            found.append(f"hands: there are {EACH} {name} at most")
    return found


class Table(shared.Table):
    """A table on which a case is played, by the game that it is given."""

    state: State

    def __init__(self, game: HexagonGame[Setup, State, HouseRules], case: Case) -> None:
        super().__init__()
        self.game = game
        state = game.start(case.setup())
        self.state = state if case.fresh else self._placed(case, state)
        lying = lies(game.field, self.state)
        self.state = replace(self.state, watch=replace(self.state.watch, taken=tuple(sorted(lying)), busy=()))

    def _placed(self, case: Case, state: State) -> State:
        buildings, roads = [NOBODY] * len(CORNERS), [NOBODY] * len(ROADS)
        for corner, (who, city) in case.buildings.items():
            buildings[corner] = case.number(who) + CITY * city
        for edge, who in case.roads.items():
            roads[edge] = case.number(who)
        players = tuple(
            replace(
                one,
                hand=case.hands.get(one.seat, NOTHING),
                cards=tuple((card, 0) for card in case.cards.get(one.seat, ())),
                knights=case.knights.get(one.seat, 0),
                out=one.seat in case.out,
            )
            for one in state.players
        )
        held = NOTHING
        for one in players:
            held = more(held, one.hand)
        bank = [EACH - count for count in held]
        for name, count in case.bank.items():
            bank[RESOURCES.index(name)] = count
        mover = max(0, case.number(case.mover))
        made = replace(
            state,
            hexes=tuple(case.hexes.get(cell, _USED_UP) for cell in CELLS),
            unplaced=(),
            rivals=(),
            buildings=tuple(buildings),
            roads=tuple(roads),
            players=players,
            bank=tuple(bank),
            supply=tuple(sorted(case.supply)),
            route=case.number(case.route),
            army=case.number(case.army),
            mover=mover,
            turn=_TURN,
            phase="act" if case.thrown else "before",
        )
        if not case.begins:
            return replace(made, began_dry=dry(made))
        return flow.begin_turn(made, self.effects)

    def act(self, seat: str, act: Mapping[str, Any], chance: int = 0) -> Refused | None:
        """Let a seat do something; the phone's dice show what a throw says."""
        if act["do"] == "roll" and not self.state.setup.real_dice:
            total = act["total"]
            act = {key: value for key, value in act.items() if key != "total"}
            chance = self._chance(total)
        return super().act(seat, act, chance)

    def _chance(self, wanted: int) -> int:
        """Return a chance with which the phone's dice show that."""
        if self.state.phase == "attack" and self.state.setup.attack == "opposed_1d6":
            return wanted - 1
        first = max(1, wanted - 6)
        return first - 1 + 6 * (wanted - first - 1)

    def player(self, seat: str) -> Player:
        """Return a player."""
        return self.state.players[self.state.number(seat)]

    def hex(self, cell: str) -> Hex:
        """Return a hex."""
        return self.state.hexes[CELLS.index(cell)]

    def options(self, seat: str) -> Sequence[Option]:
        """Return what a player is offered."""
        return self.game.private(self.state, seat).options


# --- set-up ---


def _setting(case: Case, name: str, value: str) -> None:
    if name not in _SETTINGS:
        raise ValueError(f"there is no setting {name!r}, want one of {', '.join(_SETTINGS)}")
    key, values = _SETTINGS[name]
    if values is None and not value.isdigit():
        raise ValueError(f"setting {name}: want a number, found {value!r}")
    if values is not None and value not in values:
        raise ValueError(f"setting {name}: want one of {', '.join(values)}, found {value!r}")
    case.house = replace(case.house, **{key: int(value) if values is None else values[value]})


def _ground(case: Case, cell: str, good: str, n: int, tokens: int) -> None:
    if not 2 <= n <= 12:
        raise ValueError(f"hex {cell}: want a disc of 2 to 12, found {n}")
    case.hexes[cell] = Hex(good, disc=n if tokens else 0, tokens=tokens, start=max(tokens, dots(n)))


def _built(case: Case, who: str, corners: list[str], *, city: bool) -> None:
    for name in corners:
        if name not in CORNER_NAMES:
            raise ValueError(f"there is no intersection {name!r}")
        if CORNER_NAMES[name] in case.buildings:
            raise ValueError(f"there are two buildings at {name}")
        case.buildings[CORNER_NAMES[name]] = (who, city)


def _roads(case: Case, who: str, edges: list[str]) -> None:
    for name in edges:
        if name not in EDGE_NAMES:
            raise ValueError(f"there is no edge {name!r}")
        if EDGE_NAMES[name] in case.roads:
            raise ValueError(f"there are two roads at {name}")
        case.roads[EDGE_NAMES[name]] = who


def _into(name: str, word: str) -> Callable[..., None]:
    """Return what sets one value of a case."""
    return lambda case, **said: setattr(case, name, said[word])


def _is(name: str, value: object) -> Callable[[Case], None]:
    return lambda case: setattr(case, name, value)


def _of(name: str, word: str) -> Callable[..., None]:
    """Return what sets a value of one player."""
    return lambda case, who, **said: getattr(case, name).__setitem__(who, said[word])


SET_UP: Final = (
    shared.BOARD,
    Sentence(
        "players PLAYERS",
        "three or four of Red, Blue, Green, Yellow, in this order",
        _into("seats", "players"),
    ),
    Sentence(
        "setting NAME VALUE", "a setting of `[extraction]` and its value (`attack stake_bonus`)", _setting
    ),
    Sentence(
        "new game",
        "it begins with the set-up; without it, after Red's throw of turn 5",
        _is("fresh", value=True),
    ),
    Sentence(
        "terrain TERRAIN",
        "all 19 hexes of a new game, from a1 on (`wood wool …`)",
        _into("terrain", "terrain"),
    ),
    Sentence(
        "hex CELL GOOD N TOKENS",
        "a hex, its disc and its tokens (`c3 ore 8 5`); hexes that are not named are used up",
        _ground,
    ),
    Sentence("hex CELL desert", "the desert", lambda case, cell: case.hexes.__setitem__(cell, Hex(DESERT))),
    Sentence(
        "settlement WHO CORNERS", "settlements on the board (`c3.12 c3.34`)", partial(_built, city=False)
    ),
    Sentence("city WHO CORNERS", "cities on the board", partial(_built, city=True)),
    Sentence("roads WHO EDGES", "roads on the board (`c3:1 c3:2`)", _roads),
    Sentence(
        "hand WHO GOODS",
        "resource cards (`2 wood 1 ore`)",
        lambda case, who, goods: case.hands.__setitem__(who, bundle(goods)),
    ),
    Sentence(
        "cards WHO CARDS",
        "development cards (`knight point`), bought in an earlier turn",
        _of("cards", "cards"),
    ),
    Sentence(
        "bank GOODS",
        "cards in the bank; else 19 less those in hands",
        lambda case, goods: case.bank.update(goods),
    ),
    Sentence("supply NUMBERS", "discs that lie face up (`12 4`)", _into("supply", "numbers")),
    Sentence("deck CARDS", "all that is in the deck, from the top, or none", _into("deck", "cards")),
    Sentence("knights WHO N", "knights played before", _of("knights", "n")),
    Sentence("route WHO", "who holds the Longest Route", _into("route", "who")),
    Sentence("army WHO", "who holds the Largest Army", _into("army", "who")),
    Sentence("out WHO", "who is out", lambda case, who: case.out.add(who)),
    Sentence("mover WHO", "whose turn it is; else Red's", _into("mover", "who")),
    Sentence("before the throw", "the dice of this turn are not thrown yet", _is("thrown", value=False)),
    Sentence("the turn begins", "it is looked first whether its player is out", _is("begins", value=True)),
    Sentence("sensors", "the board sees hexes, which lie as they should", _is("sees", value=True)),
)

"""What scenarios of Extraction set up: a case as it is read, and a table on which it is played."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.extraction.game import Extraction
from hextraction.controller.games.extraction.land.corners import (
    CORNER_NAMES,
    CORNERS,
    EDGE_NAMES,
    ROADS,
)
from hextraction.controller.games.extraction.land.goods import (
    DECK,
    DESERT,
    EACH,
    NOTHING,
    RESOURCES,
    TERRAIN,
    Bundle,
    dots,
    more,
)
from hextraction.controller.games.extraction.land.house import HouseRules
from hextraction.controller.games.extraction.land.state import ATTACKS, CITY, NOBODY, Hex, Setup, State
from hextraction.controller.games.extraction.turn import flow
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.protocol import Acted, Effect, Refused, Said, Seated, WorldEvent
from hextraction.controller.games.scene import Option
from msgspec.structs import replace

__all__ = ["Case", "Table", "counted", "problems"]

_TURN: Final = 5
_USED_UP: Final = Hex("wood", start=1)
_SETTINGS: Final[dict[str, tuple[str, dict[str, Any] | None]]] = {
    "dice": ("real_dice", {"phone": False, "table": True}),
    "first": ("roll_first", {"dice": True, "seat": False}),
    "attack": ("attack", {name: name for name in ATTACKS}),
    "discs": ("discs", {"nineteen": "nineteen", "catan18": "catan18"}),
    "leftover": ("leftover", {"supply": "supply", "box": "box"}),
    "disc_order": ("disc_order", {"clockwise": "clockwise", "snake": "snake"}),
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
    seats: tuple[str, ...] = ("red", "blue", "green")
    house: HouseRules = field(default_factory=HouseRules)
    fresh: bool = False
    terrain: tuple[str, ...] = tuple(name for name, count in TERRAIN.items() for _one in range(count))
    hexes: dict[str, Hex] = field(default_factory=dict)
    buildings: dict[int, tuple[str, bool]] = field(default_factory=dict)
    roads: dict[int, str] = field(default_factory=dict)
    hands: dict[str, Bundle] = field(default_factory=dict)
    cards: dict[str, tuple[str, ...]] = field(default_factory=dict)
    knights: dict[str, int] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    bank: dict[str, int] = field(default_factory=dict)
    supply: tuple[int, ...] = ()
    deck: tuple[str, ...] = tuple(name for name, count in DECK.items() for _one in range(count))
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
            board=self.board, seats=seats, terrain=self.terrain, deck=self.deck, sees=self.sees, **told
        )

    def number(self, seat: str) -> int:
        """Return the number of a player; :data:`NOBODY` for no seat."""
        return self.seats.index(seat) if seat else NOBODY


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


class Table:
    """A table on which a case is played."""

    def __init__(self, case: Case) -> None:
        self.game = Extraction(load_board(case.board))
        self.said: list[Said] = []
        self.at_us = 0
        state = self.game.start(case.setup())
        self.state: State = state if case.fresh else self._placed(case, state)
        self.state = self._laid(self.state)

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
            return replace(made, began_dry=flow.dry(made))
        said: list[Effect] = []
        begun = flow.begin_turn(made, said)
        self._hear(said)
        return begun

    def _laid(self, state: State) -> State:
        lying = flow.lies(self.game.field, state)
        return replace(state, watch=replace(state.watch, taken=tuple(sorted(lying)), busy=()))

    def later(self, us: int = 1_000) -> int:
        """Let time pass; return what time it is then."""
        self.at_us += us
        return self.at_us

    def slot(self, cell: str) -> str:
        """Return the slot of a cell."""
        return self.game.field.slots[cell]

    def act(self, seat: str, act: dict[str, Any]) -> Refused | None:
        """Let a seat do something; return the refusal, if it is refused."""
        chance = 0
        if act["do"] == "roll" and not self.state.setup.real_dice:
            act = dict(act)
            chance = self._chance(act.pop("total"))
        return self.step(Acted(at_us=self.later(), seat=seat, act=act, chance=chance))

    def _chance(self, wanted: int) -> int:
        """Return a chance with which the phone's dice show that."""
        if self.state.phase == "attack" and self.state.setup.attack == "opposed_1d6":
            return wanted - 1
        first = max(1, wanted - 6)
        return first - 1 + 6 * (wanted - first - 1)

    def step(self, event: WorldEvent) -> Refused | None:
        """Apply an event."""
        done = self.game.step(self.state, event)
        self.state = done.state
        self._hear(done.effects)
        return next((one for one in done.effects if isinstance(one, Refused)), None)

    def _hear(self, effects: Iterable[Effect]) -> None:
        self.said += [one for one in effects if isinstance(one, Said)]

    def who(self, name: str) -> int:
        """Return the number of a player by their name in a scenario."""
        return self.state.number(name.lower())

    def hex(self, cell: str) -> Hex:
        """Return a hex."""
        return self.state.hexes[CELLS.index(cell)]

    def options(self, name: str) -> list[Option]:
        """Return what a player is offered."""
        return list(self.game.private(self.state, name.lower()).options)


def counted(text: str) -> Bundle:
    """Return cards as a scenario writes them: ``2 wood 1 ore``."""
    found = {name: int(number) for number, name in re.findall(r"(\d+) (\w+)", text)}
    return tuple(found.get(name, 0) for name in RESOURCES)


# --- set-up ---


def board(case: Case, name: str) -> None:
    """Play on that board."""
    if name not in board_names():
        raise ValueError(f"there is no board {name!r}, want one of {', '.join(board_names())}")
    case.board = name


def players(case: Case, names: str) -> None:
    """Seat them."""
    case.seats = tuple(name.lower() for name in re.split(r"[ ,]+", names))


def setting(case: Case, name: str, value: str) -> None:
    """Play by that setting."""
    if name not in _SETTINGS:
        raise ValueError(f"there is no setting {name!r}, want one of {', '.join(_SETTINGS)}")
    key, values = _SETTINGS[name]
    if values is None and not value.isdigit():
        raise ValueError(f"setting {name}: want a number, found {value!r}")
    if values is not None and value not in values:
        raise ValueError(f"setting {name}: want one of {', '.join(values)}, found {value!r}")
    case.house = replace(case.house, **{key: int(value) if values is None else values[value]})


def new_game(case: Case) -> None:
    """Begin with the set-up."""
    case.fresh = True


def terrain(case: Case, names: str) -> None:
    """Lay these hexes."""
    case.terrain = tuple(names.split())


def ground(case: Case, cell: str, resource: str, disc_: str = "0", tokens_: str = "0") -> None:
    """Lay one hex."""
    if resource != DESERT and not 2 <= int(disc_) <= 12:
        raise ValueError(f"hex {cell}: want a disc of 2 to 12, found {disc_}")
    if resource == DESERT:
        case.hexes[cell] = Hex(DESERT)
        return
    count = int(tokens_)
    disc_number = int(disc_) if count else 0
    case.hexes[cell] = Hex(resource, disc=disc_number, tokens=count, start=max(count, dots(int(disc_))))


def settlements(case: Case, who: str, names: str) -> None:
    """Put settlements on the board."""
    _built(case, who, names, city=False)


def cities(case: Case, who: str, names: str) -> None:
    """Put cities on the board."""
    _built(case, who, names, city=True)


def _built(case: Case, who: str, names: str, *, city: bool) -> None:
    for name in names.split():
        if name not in CORNER_NAMES:
            raise ValueError(f"there is no intersection {name!r}")
        if CORNER_NAMES[name] in case.buildings:
            raise ValueError(f"there are two buildings at {name}")
        case.buildings[CORNER_NAMES[name]] = (who.lower(), city)


def roads(case: Case, who: str, names: str) -> None:
    """Put roads on the board."""
    for name in names.split():
        if name not in EDGE_NAMES:
            raise ValueError(f"there is no edge {name!r}")
        if EDGE_NAMES[name] in case.roads:
            raise ValueError(f"there are two roads at {name}")
        case.roads[EDGE_NAMES[name]] = who.lower()


def hand(case: Case, who: str, goods: str) -> None:
    """Deal resource cards."""
    case.hands[who.lower()] = counted(goods)


def cards(case: Case, who: str, names: str) -> None:
    """Deal development cards."""
    case.cards[who.lower()] = tuple(names.split())


def bank(case: Case, goods: str) -> None:
    """Leave so much in the bank."""
    case.bank.update({name: int(number) for number, name in re.findall(r"(\d+) (\w+)", goods)})


def supply(case: Case, discs_: str) -> None:
    """Lay discs into the supply."""
    case.supply = tuple(int(one) for one in discs_.split())


def deck(case: Case, names: str) -> None:
    """Stack the deck."""
    case.deck = () if names == "none" else tuple(names.split())


def knights(case: Case, who: str, count: str) -> None:
    """Have knights played before."""
    case.knights[who.lower()] = int(count)


def route(case: Case, who: str) -> None:
    """Hand out the Longest Route."""
    case.route = who.lower()


def army(case: Case, who: str) -> None:
    """Hand out the Largest Army."""
    case.army = who.lower()


def out(case: Case, who: str) -> None:
    """Have somebody out."""
    case.out.add(who.lower())


def mover(case: Case, who: str) -> None:
    """Make it somebody's turn."""
    case.mover = who.lower()


def before(case: Case) -> None:
    """Leave the dice to be thrown."""
    case.thrown = False


def begins(case: Case) -> None:
    """Begin the turn."""
    case.begins = True


def sensors(case: Case) -> None:
    """Let the board see."""
    case.sees = True

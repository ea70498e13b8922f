"""How strong bots think: they imagine what others may hold, and how the next rounds may go, many times.

What nobody shows is drawn at random, as far as counts allow: the hands of others, their development cards,
the deck. Each act that is worth a look is then tried in the same imagined worlds, with the same dice, and
everybody goes on by plain sense (:mod:`.policy`) for a while. The act after which things stand best on
average is chosen. The search yields after each slice of a few milliseconds.
"""

from collections.abc import Callable, Generator, Sequence
from math import sqrt
from typing import Any, Final, cast

from hextraction.controller.games.extraction.bots import policy
from hextraction.controller.games.extraction.land.corners import CORNER_NAMES, CORNERS, ROADS
from hextraction.controller.games.extraction.land.goods import (
    CARDS,
    CITY,
    DECK,
    EACH,
    NOBODY,
    RESOURCES,
    Bundle,
)
from hextraction.controller.games.extraction.land.standing import must_answer, table_question, thrower
from hextraction.controller.games.extraction.land.state import Attack, Hex, Phase, Player, Setup, State
from hextraction.controller.games.extraction.shown.options import Card
from hextraction.controller.games.extraction.shown.views import Detail
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.pieces import Watch
from hextraction.controller.games.protocol import Acted, Refused, Seated, Step
from hextraction.controller.games.scene import PrivateView, Scene
from hextraction.controller.games.strategy import Luck

__all__ = ["SAMPLES", "Steps", "best", "imagined", "played_on"]

Steps = Callable[[State, Acted], Step[State]]
"""The rules, as they are given to who thinks: what an act leads to."""

SAMPLES: Final = 12
"""In how many imagined worlds each act is tried."""
_ROUNDS: Final = 3
_FEW: Final = 3
"""After so many worlds an act may be given up."""
_DOUBT: Final = 0.7
_REFUSED: Final = -100.0
_MOST_ACTS: Final = 90
"""How many acts an imagined world goes on for at most."""
_SLICE: Final = 12
"""Acts between two pauses: a few milliseconds."""


# --- imagining ---


def imagined(shown: Scene, view: PrivateView, luck: Luck) -> State | None:
    """Return a whole state that agrees with what a seat sees; None if the scene is of no such game.

    Open offers and questions are left out.
    """
    detail = shown.detail
    if not isinstance(detail, Detail) or view.seat not in detail.seats or detail.phase == "over":
        return None
    mine = detail.seats.index(view.seat)
    hands, stake = _hands(detail, mine, _held(view), luck)
    cards, deck = _cards(detail, mine, view, shown.turn, luck)
    return State(
        setup=_setup(shown, detail),
        players=_players(shown, detail, hands, cards),
        hexes=tuple(Hex(*detail.hexes[cell]) for cell in CELLS),
        bank=detail.bank,
        deck=deck,
        unplaced=detail.unplaced,
        watch=Watch(),
        at_us=0,
        buildings=_buildings(detail),
        roads=tuple(detail.roads.get(name, NOBODY) for name in ROADS),
        phase=cast("Phase", detail.phase),
        mover=detail.seats.index(shown.active),
        first=detail.seats.index(detail.first),
        at=detail.at,
        turn=shown.turn,
        throws=detail.first_throws,
        rivals=detail.rivals,
        settled=CORNER_NAMES[detail.settled] if detail.settled else NOBODY,
        supply=detail.supply,
        spent=detail.spent,
        route=detail.seats.index(detail.route) if detail.route else NOBODY,
        army=detail.seats.index(detail.army) if detail.army else NOBODY,
        dice=detail.dice,
        back=cast("Phase", detail.back),
        free_roads=detail.free_roads,
        picked=detail.picked,
        card_played=detail.card_played,
        attacked=tuple(CORNER_NAMES[name] for name in detail.attacked),
        made=detail.offers_made,
        attack=_attack(detail, stake),
        began_dry=detail.began_dry,
        dry=detail.dry,
        idle=detail.idle,
        still=detail.still,
        plays_on=detail.plays_on,
        by_hand=detail.by_hand,
        by_chance=detail.by_chance,
    )


def _setup(shown: Scene, detail: Detail) -> Setup:
    told = {name: getattr(detail.house, name) for name in detail.house.__struct_fields__}
    told.update(keep_in=False, offers_a_turn=0)
    seats = tuple(Seated(one.seat, one.name) for one in shown.seats)
    return Setup(board="", seats=seats, terrain=(), deck=(), **told)


def _players(
    shown: Scene, detail: Detail, hands: Sequence[Bundle], cards: Sequence[tuple[tuple[str, int], ...]]
) -> tuple[Player, ...]:
    return tuple(
        Player(
            seat=seat,
            name=one.name,
            hand=hands[number],
            cards=cards[number],
            knights=detail.holdings[number].knights,
            out=bool(one.note) or one.out,
            left=one.out,
        )
        for number, (seat, one) in enumerate(zip(detail.seats, shown.seats, strict=True))
    )


def _attack(detail: Detail, stake: Bundle) -> Attack | None:
    fight = detail.fight
    if fight is None:
        return None
    return Attack(
        by=detail.seats.index(fight.by),
        at=CORNER_NAMES[fight.at],
        stake=stake,
        thrown=(fight.thrown,) if fight.thrown else (),
    )


def _buildings(detail: Detail) -> tuple[int, ...]:
    found = [NOBODY] * len(CORNERS)
    for name, what in detail.buildings.items():
        found[CORNER_NAMES[name]] = int(what[0]) + CITY * (what[1] == "C")
    return tuple(found)


def _held(view: PrivateView) -> Bundle:
    found = dict.fromkeys(RESOURCES, 0)
    for piece in view.hand:
        if isinstance(piece, Card) and piece.name in found:
            found[piece.name] = piece.count
    return tuple(found.values())


def _hands(detail: Detail, mine: int, held: Bundle, luck: Luck) -> tuple[list[Bundle], Bundle]:
    """Return a hand for everybody, and a stake, as the counts allow."""
    unseen = [
        at
        for at, (bank, own) in enumerate(zip(detail.bank, held, strict=True))
        for _card in range(EACH - bank - own)
    ]
    luck.shuffle(unseen)
    hands = []
    for number, one in enumerate(detail.holdings):
        if number == mine:
            hands.append(held)
            continue
        drawn = [unseen.pop() for _card in range(min(one.hand, len(unseen)))]
        hands.append(tuple(drawn.count(at) for at in range(len(RESOURCES))))
    staked = detail.fight.stake if detail.fight is not None else 0
    left = unseen[:staked]
    return hands, tuple(left.count(at) for at in range(len(RESOURCES)))


def _cards(
    detail: Detail, mine: int, view: PrivateView, turn: int, luck: Luck
) -> tuple[list[tuple[tuple[str, int], ...]], tuple[str, ...]]:
    """Return development cards for everybody, and a deck, as the counts allow."""
    own: list[tuple[str, int]] = []
    for piece in view.hand:
        if isinstance(piece, Card) and piece.name in CARDS:
            own += [(piece.name, turn)] * piece.fresh + [(piece.name, 0)] * (piece.count - piece.fresh)
    unseen: list[str] = []
    for name, count in DECK.items():
        seen = detail.spent.count(name) + sum(card == name for card, _turn in own)
        unseen += [name] * (count - seen)
    luck.shuffle(unseen)
    cards = []
    for number, one in enumerate(detail.holdings):
        drawn = own if number == mine else [(unseen.pop(), 0) for _card in range(min(one.cards, len(unseen)))]
        cards.append(tuple(drawn))
    return cards, tuple(unseen)


# --- trying ---


def played_on(
    steps: Steps, state: State, luck: Luck, dice: Sequence[int], acts: int = _MOST_ACTS
) -> Generator[None, None, State]:
    """Go on by plain sense for some rounds; yield now and then, return where it leads.

    ``dice`` are the chances of each turn from now on: whatever is tried, the same dice fall.
    """
    now = state.turn
    for number in range(acts):
        if state.over or state.turn >= now + len(dice):
            break
        if number % _SLICE == _SLICE - 1:
            yield None
        seat, act = _goes_on(state, luck)
        chance = dice[state.turn - now] if state.phase == "before" else luck.getrandbits(32)
        step = steps(state, Acted(at_us=0, seat=seat, act=act, chance=chance))
        if any(isinstance(one, Refused) for one in step.effects):
            break
        state = step.state
    return state


def _goes_on(state: State, luck: Luck) -> tuple[str, dict[str, Any]]:
    """Return who does what by plain sense; nobody in an imagined world objects to the end."""
    if state.ask is not None:
        answer = {"do": "answer", "prompt": table_question(state), "choice": "yes"}
        return state.players[must_answer(state)[0]].seat, answer
    throws = thrower(state)
    return state.players[throws if throws != NOBODY else state.mover].seat, policy.next_act(state, luck)


def best(
    steps: Steps, worlds: Sequence[State], seat: str, acts: Sequence[dict[str, Any]], luck: Luck
) -> Generator[None, None, dict[str, Any]]:
    """Yield now and then; return the act after which a seat stands best, over all these worlds.

    The first act is what plain sense says. Another one has to be better beyond doubt, that is by more than
    chance alone would make it; what is clearly worse after a few worlds is not tried again.
    """
    found = [_Tried(act) for act in acts]
    for state in worlds:
        who, chance = state.number(seat), luck.getrandbits(32)
        dice = [luck.getrandbits(32) for _turn in range(_ROUNDS * len(state.players))]
        plain = 0.0
        for at, one in enumerate(found):
            yield None
            act = {**one.act, "total": policy.thrown_total(2, luck)} if "total" in one.act else one.act
            step = steps(state, Acted(at_us=0, seat=seat, act=act, chance=chance))
            after = yield from played_on(steps, step.state, luck, dice)
            rated = policy.worth(after, who)
            if any(isinstance(effect, Refused) for effect in step.effects):
                rated = _REFUSED
            plain = rated if at == 0 else plain
            one.gains.append(rated - plain)
        found = [one for at, one in enumerate(found) if at == 0 or not one.hopeless]
        if len(found) == 1:
            break
    return max(found, key=lambda one: one.sure).act


class _Tried:
    """An act, and by how much more than plain sense it gained in each world."""

    def __init__(self, act: dict[str, Any]) -> None:
        self.act = act
        self.gains: list[float] = []

    @property
    def sure(self) -> float:
        """What it gains at least, as far as can be told."""
        return self._mean - _DOUBT * self._error

    @property
    def hopeless(self) -> bool:
        """Whether it is worse beyond doubt."""
        return len(self.gains) >= _FEW and self._mean + self._error < 0.0

    @property
    def _mean(self) -> float:
        return sum(self.gains) / len(self.gains)

    @property
    def _error(self) -> float:
        """The standard error of the mean."""
        count, mean = len(self.gains), self._mean
        return sqrt(sum((gain - mean) ** 2 for gain in self.gains) / count / max(1, count - 1))

"""How a game goes on: whose turn it is, who is out, who holds the bonus tiles, and the end that must come."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from hextraction.controller.games.extraction.land import places
from hextraction.controller.games.extraction.land.goods import (
    COSTS,
    DESERT,
    Bundle,
    affordable,
    covers,
    less,
    more,
    total,
    words,
)
from hextraction.controller.games.extraction.land.places import LONGEST, longest, reaches, stock
from hextraction.controller.games.extraction.land.state import CITY, NOBODY, Act, Ask, State
from hextraction.controller.games.extraction.land.wagers import least_stake
from hextraction.controller.games.hexagon.acts import Refusal
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.hexagon.pieces import declared
from hextraction.controller.games.hexagon.telling import listed
from hextraction.controller.games.protocol import Effect, Said
from msgspec.structs import replace

__all__ = [
    "ARMY",
    "BANK_RATE",
    "BONUS",
    "US",
    "Doing",
    "begin_turn",
    "buildings_points",
    "can_play",
    "dry",
    "ended_idle",
    "finish",
    "given",
    "goes_out",
    "has_move",
    "in_game",
    "lies",
    "next_turn",
    "paid",
    "play_on",
    "points",
    "relaid",
    "settle_army",
    "settle_route",
    "swap_possible",
    "tell",
    "thrower",
    "thrown",
    "with_player",
    "without_stale_offers",
    "without_turns_of",
]

US: Final = 1_000_000
"""Microseconds of a second."""
BANK_RATE: Final = 3
"""So many equal cards buy one of the bank."""
ARMY: Final = 3
"""So many knights are a Largest Army."""
BONUS: Final = 2
"""Points of each bonus tile."""


class Doing(NamedTuple):
    """What somebody does, for whoever carries it out.

    Attributes:
        field: where the hexes lie on the board.
        who: the player's number.
        act: what they do.
        chance: a random number from outside, for dice.
        said: what is told of it; it grows.
    """

    field: Field
    who: int
    act: Act
    chance: int
    said: list[Effect]


def tell(said: list[Effect], kind: str, text: str, section: str, **more_of_it: Any) -> None:
    """Tell everybody."""
    said.append(Said(kind=kind, text=text, clause=section, **more_of_it))


# --- players and cards ---


def with_player(state: State, number: int, **changed: Any) -> State:
    """Return the state with something about a player changed."""
    players = list(state.players)
    players[number] = replace(players[number], **changed)
    return replace(state, players=tuple(players))


def given(state: State, number: int, cards: Bundle) -> State:
    """Return the state after a player took these cards from the bank."""
    state = with_player(state, number, hand=more(state.players[number].hand, cards))
    return replace(state, bank=less(state.bank, cards))


def paid(state: State, number: int, cost: Bundle) -> State:
    """Return the state after a player gave these cards to the bank.

    Raises:
        Refusal: they do not have them.
    """
    hand = state.players[number].hand
    if not covers(hand, cost):
        raise Refusal(f"That costs {words(cost)}. You do not have that.", "1.4")
    state = with_player(state, number, hand=less(hand, cost))
    return replace(state, bank=more(state.bank, cost))


def in_game(state: State) -> list[int]:
    """Return the players who are not out."""
    return [number for number, one in enumerate(state.players) if not one.out]


def without_stale_offers(state: State) -> State:
    """Forget offers whose cards are gone, or to which everybody said no."""
    if not state.offers:
        return state
    kept = tuple(one for one in state.offers if one.waits and covers(state.players[one.by].hand, one.give))
    return state if kept == state.offers else replace(state, offers=kept)


# --- dice ---


def thrower(state: State) -> int:
    """Return who throws dice now, or :data:`NOBODY`. For a defender who has left the attacker throws."""
    match state.phase:
        case "first":
            return next((one for one in state.rivals if not state.throws[one]), NOBODY)
        case "before":
            return state.mover
        case "attack" if state.attack is not None:
            defender = places.owner(state.buildings[state.attack.at])
            thrown_already = bool(state.attack.thrown) and not state.players[defender].left
            return defender if thrown_already else state.attack.by
    return NOBODY


def thrown(state: State, doing: Doing, dice: int = 2) -> tuple[int, ...]:
    """Return a throw: of the phone's dice, by chance, or what real ones show in sum.

    Raises:
        Refusal: real dice cannot show that.
    """
    if not state.setup.real_dice:
        return tuple(1 + doing.chance // 6**die % 6 for die in range(dice))
    if not dice <= doing.act.total <= 6 * dice:
        raise Refusal(f"Say what the dice show together: {dice} to {6 * dice}.", "1.4")
    return (doing.act.total,)


# --- hexes as they lie on the board ---


def lies(field: Field, state: State) -> tuple[str, ...]:
    """Return the slots whose hexes lie with their resource up: a sensor sees these (1.8)."""
    return tuple(
        field.slots[cell]
        for cell, one in zip(CELLS, state.hexes, strict=True)
        if one.resource != DESERT and not one.depleted
    )


def relaid(field: Field, state: State, changed: Iterable[str]) -> State:
    """Return the state after hexes of these slots were declared to be turned over."""
    watch = declared(state.watch, lies(field, state), changed, on=state.power)
    return replace(state, watch=watch)


# --- bonus tiles and points ---


def settle_route(state: State, said: list[Effect]) -> State:
    """Give the Longest Route to whom it belongs after roads or buildings have changed (1.4)."""
    lengths = [
        0 if one.left else longest(state.buildings, state.roads, number)
        for number, one in enumerate(state.players)
    ]
    holder, best = state.route, max(lengths)
    if holder != NOBODY and lengths[holder] < LONGEST:
        tell(said, "route", f"{state.players[holder].name} gives the Longest Route back.", "1.4")
        holder = NOBODY
    asked = [(state.mover + step) % len(state.players) for step in range(len(state.players))]
    if holder == NOBODY and best >= LONGEST:
        holder = next(number for number in asked if lengths[number] >= LONGEST)
    if state.setup.overtake and holder != NOBODY and best > lengths[holder]:
        holder = next(number for number in asked if lengths[number] == best)
    if holder not in {state.route, NOBODY}:
        one = state.players[holder]
        text = f"{one.name} takes the Longest Route with {lengths[holder]} roads."
        tell(said, "route", text, "1.4", seat=one.seat)
    return replace(state, route=holder)


def settle_army(state: State, said: list[Effect]) -> State:
    """Give the Largest Army to who has played the most knights, three at least (1.4).

    Only more knights take it from somebody; if who had it has left, whoever alone has the most gets it.
    """
    knights = [0 if one.left else one.knights for one in state.players]
    most = max(knights)
    before = ARMY - 1 if state.army == NOBODY else knights[state.army]
    if most <= before or knights.count(most) > 1:
        return state
    holder = knights.index(most)
    one = state.players[holder]
    text = f"{one.name} takes the Largest Army with {most} knights."
    tell(said, "army", text, "1.4", seat=one.seat)
    return replace(state, army=holder)


def buildings_points(state: State, number: int) -> int:
    """Return the points that everybody sees: buildings and bonus tiles."""
    seen = state.buildings.count(number) + 2 * state.buildings.count(number + CITY)
    return seen + BONUS * ((state.route == number) + (state.army == number))


def points(state: State, number: int) -> int:
    """Return all points of a player, with those of cards that are only shown at the end (1.6)."""
    return buildings_points(state, number) + sum(
        card == "point" for card, _turn in state.players[number].cards
    )


# --- turns ---


def dry(state: State) -> bool:
    """Whether no hex can produce for anybody."""
    staying = [number for number, one in enumerate(state.players) if not one.left]
    return not reaches(state.hexes, state.buildings, staying)


def swap_possible(state: State) -> bool:
    """Whether there is a live hex, and a disc to swap its disc with (1.4)."""
    live = sum(one.live for one in state.hexes)
    return live > 1 or (live == 1 and bool(state.supply))


def can_play(state: State, number: int, card: str) -> bool:
    """Whether a development card would do anything now."""
    if card == "roads":
        left = stock(state.buildings, state.roads, number)[2]
        return left > 0 and bool(places.road_spots(state.buildings, state.roads, number))
    if card == "plenty":
        return total(state.bank) > 0
    return card in {"knight", "monopoly"}


def has_move(state: State, number: int) -> bool:
    """Whether a player is still in: at the start of their turn something could be done (1.6, X-E-8)."""
    one = state.players[number]
    return (
        reaches(state.hexes, state.buildings, [number])
        or _could_build(state, number)
        or (bool(state.deck) and affordable(one.hand, state.bank, COSTS["card"]))
        or any(can_play(state, number, card) for card, _turn in one.cards)
        or _could_attack(state, number)
        or _could_trade(state, number)
    )


def _could_attack(state: State, number: int) -> bool:
    enough = total(state.players[number].hand) >= least_stake(state.setup.attack)
    return enough and bool(places.attackable(state.buildings, state.roads, number))


def _could_trade(state: State, number: int) -> bool:
    """Whether the bank would trade: that is an action as any other, and comes to an end (1.6)."""
    return any(
        held >= BANK_RATE and any(stock for other, stock in enumerate(state.bank) if other != at)
        for at, held in enumerate(state.players[number].hand)
    )


def _could_build(state: State, number: int) -> bool:
    buildings, roads, hand = state.buildings, state.roads, state.players[number].hand
    settlements, cities, ways = stock(buildings, roads, number)
    there = {
        "road": ways and len(places.road_spots(buildings, roads, number)),
        "settlement": settlements and len(places.settlement_spots(buildings, roads, number)),
        "city": cities and len(places.upgradable(buildings, number)),
    }
    return any(count and affordable(hand, state.bank, COSTS[what]) for what, count in there.items())


def begin_turn(state: State, said: list[Effect]) -> State:
    """Begin the turn of whoever is next; who can do nothing any more is out (1.6)."""
    state = replace(
        state,
        phase="before",
        dice=(),
        free_roads=0,
        card_played=False,
        attacked=(),
        made=(0,) * len(state.players),
        active_turn=False,
        began_dry=dry(state),
        attack=None,
        offers=(),
        picked="",
    )
    if has_move(state, state.mover):
        return state
    others = [number for number in in_game(state) if number != state.mover]
    if state.setup.keep_in and others:
        number = state.asked + 1
        return replace(state, ask=Ask(number=number, about=state.mover), asked=number)
    return goes_out(state, said)


def goes_out(state: State, said: list[Effect]) -> State:
    """Take the player whose turn it is out of the game, for good; the next one's turn begins."""
    text = f"{state.active.name} has no moves left and is out. Buildings and points stay."
    tell(said, "out", text, "1.6", seat=state.active.seat)
    state = with_player(without_turns_of(state, state.mover), state.mover, out=True)
    return _to_next(replace(state, turn=max(1, state.turn - 1)), said)  # who is out had no turn


def without_turns_of(state: State, number: int) -> State:
    """Forget the turns of somebody who goes out or leaves, where turns on end are counted (1.6).

    A round is a turn of everybody who is in: without this, those who go would shorten it for the others.
    """
    seats = in_game(state)
    if number not in seats:
        return state
    back = (seats.index(state.mover) - seats.index(number)) % len(seats) or len(seats)

    def rest(turns: int) -> int:
        rounds, more_turns = divmod(turns, len(seats))
        return turns - rounds - (back <= more_turns)

    return replace(state, dry=rest(state.dry), idle=rest(state.idle), still=rest(state.still))


def _to_next(state: State, said: list[Effect]) -> State:
    if not in_game(state):
        return finish(state, "No moves are left.", "all out", said)
    mover = (state.mover + 1) % len(state.players)
    while state.players[mover].out:
        mover = (mover + 1) % len(state.players)
    return begin_turn(replace(state, mover=mover, turn=state.turn + 1), said)


def next_turn(state: State, said: list[Effect]) -> State:
    """End a turn: count how long nothing has happened, and end the game if that is long enough (1.6)."""
    barren = state.began_dry and dry(state)
    turn = 0 if state.active.out else 1  # that of somebody who has left in it is none of anybody's round
    state = replace(
        state,
        dry=state.dry + turn if barren else 0,
        idle=state.idle + turn if barren and not state.active_turn else 0,
        still=0 if state.active_turn else state.still + turn,
    )
    playing, setup = max(1, len(in_game(state))), state.setup
    if state.dry >= setup.post_depletion_rounds * playing:
        return finish(state, "The land has given nothing for too long.", "land is spent", said)
    if state.idle >= playing and not state.plays_on and in_game(state):
        return _ask_for_end(state)
    if state.still >= setup.still_rounds * playing:
        return finish(state, "Nothing has happened for too long.", "standstill", said)
    return _to_next(state, said)


def _ask_for_end(state: State) -> State:
    """Ask those who are in, once, whether the game is over: somebody may yet mean to do something (1.6)."""
    number = state.asked + 1
    until_us = state.at_us + state.setup.offer_s * US
    ask = Ask(number=number, about=state.mover, kind="end", until_us=until_us)
    return replace(state, ask=ask, asked=number, offers=())


def ended_idle(state: State, said: list[Effect]) -> State:
    """End the game after nobody has objected."""
    why = "The land is used up, and nobody did anything for a whole round."
    return finish(replace(state, ask=None), why, "idle", said)


def play_on(state: State, said: list[Effect]) -> State:
    """Go on after somebody has objected to the end: it is not asked again (1.6)."""
    tell(said, "kept", "The game goes on.", "1.6")
    return _to_next(replace(state, ask=None, idle=0, plays_on=True), said)


def finish(state: State, why: str, ended: str, said: list[Effect]) -> State:
    """End the game: most points win, and a tie is shared (1.6)."""
    staying = [number for number, one in enumerate(state.players) if not one.left]
    scores = {number: points(state, number) for number in staying}
    best = max(scores.values())
    won = [state.players[number] for number in staying if scores[number] == best]
    winners = listed([one.name for one in won])
    outcome = f"{why} {winners} {'win' if len(won) > 1 else 'wins'} with {best} points."
    all_of_them = ", ".join(f"{state.players[number].name} {scores[number]}" for number in staying)
    seat = won[0].seat if len(won) == 1 else None
    tell(said, "win", f"{outcome} ({all_of_them})", "1.6", seat=seat)
    return replace(
        state,
        winners=tuple(one.seat for one in won),
        outcome=outcome,
        ended=ended,
        offers=(),
        ask=None,
        picked="",
    )

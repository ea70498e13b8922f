"""What a player could do as the game stands, and what the land may still give (1.4, 1.6).

Whether it is their turn is for the rules to say: this only reads the state.
"""

from collections.abc import Sequence
from typing import Final

from hextraction.controller.games.extraction.land import places
from hextraction.controller.games.extraction.land.corners import CELL_CORNERS, CORNER_CELLS
from hextraction.controller.games.extraction.land.goods import (
    COSTS,
    DESERT,
    NOTHING,
    Bundle,
    affordable,
    more,
    one,
    owner,
    total,
)
from hextraction.controller.games.extraction.land.places import stock
from hextraction.controller.games.extraction.land.state import Hex, State
from hextraction.controller.games.extraction.land.wagers import least_stake

__all__ = [
    "BANK_RATE",
    "can_play",
    "dry",
    "has_move",
    "may_offer",
    "playable",
    "starting_cards",
    "swap_possible",
]

BANK_RATE: Final = 3
"""So many equal cards buy one of the bank."""
MOST_OPEN = 4
"""So many offers of one player may be open at once."""


# --- what the land may give ---


def starting_cards(state: State, corner: int) -> Bundle:
    """Return one card for each resource hex at an intersection; the desert gives none."""
    cards = NOTHING
    for cell in CORNER_CELLS[corner]:
        if state.hexes[cell].resource != DESERT:
            cards = more(cards, one(state.hexes[cell].resource))
    return cards


def dry(state: State) -> bool:
    """Whether no hex can produce for anybody."""
    staying = [number for number, one in enumerate(state.players) if not one.left]
    return not _reaches(state.hexes, state.buildings, staying)


def _reaches(hexes: Sequence[Hex], buildings: Sequence[int], players: Sequence[int]) -> bool:
    """Whether a building of one of these players touches a hex that can still produce (1.6)."""
    return any(
        owner(buildings[corner]) in players
        for cell, one in enumerate(hexes)
        if one.live
        for corner in CELL_CORNERS[cell]
    )


def swap_possible(state: State) -> bool:
    """Whether there is a live hex, and a disc to swap its disc with (1.4)."""
    live = sum(one.live for one in state.hexes)
    return live > 1 or (live == 1 and bool(state.supply))


# --- cards and trades ---


def can_play(state: State, number: int, card: str) -> bool:
    """Whether a development card would do anything now."""
    if card == "roads":
        left = stock(state.buildings, state.roads, number)[2]
        return left > 0 and bool(places.road_spots(state.buildings, state.roads, number))
    if card == "plenty":
        return total(state.bank) > 0
    return card in {"knight", "monopoly"}


def playable(state: State, who: int) -> Sequence[str]:
    """Return the development cards that a player may play now: one a turn, none bought in it."""
    if state.card_played:
        return ()
    mine = sorted({card for card, turn in state.players[who].cards if turn < state.turn and card != "point"})
    return [
        card for card in mine if can_play(state, who, card) and (state.phase == "act" or card == "knight")
    ]


def may_offer(state: State, who: int) -> str:
    """Return why somebody can make no further offer now, as a sentence; empty if they can."""
    most = state.setup.offers_a_turn
    if most == 0:
        return "At this table players do not trade with each other."
    if most is not None and state.made[who] >= most:
        return f"That is enough: {most} offers a turn."
    if sum(one_.by == who for one_ in state.offers) >= MOST_OPEN:
        return f"{MOST_OPEN} of your offers are open: take one back, or wait for an answer."
    return ""


# --- who is out ---


def has_move(state: State, number: int) -> bool:
    """Whether a player is still in: at the start of their turn something could be done (1.6, X-E-8)."""
    one = state.players[number]
    return (
        _reaches(state.hexes, state.buildings, [number])
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

"""What is done in a turn: throwing, swapping discs, building, development cards, and ending it (1.4)."""

from typing import Final

from hextraction.controller.games.extraction.land import places
from hextraction.controller.games.extraction.land.corners import corner_place, edge_place
from hextraction.controller.games.extraction.land.goods import (
    CARDS,
    CITY,
    COSTS,
    NOTHING,
    RESOURCES,
    more,
    one,
    total,
    words,
)
from hextraction.controller.games.extraction.land.names import at_corner, at_edge, hex_name
from hextraction.controller.games.extraction.land.possible import can_play, swap_possible
from hextraction.controller.games.extraction.land.state import State
from hextraction.controller.games.extraction.turn.doing import (
    Doing,
    a_cell,
    a_corner,
    an_edge,
    cards_of,
    given,
    paid,
    tell,
    thrown,
    with_player,
)
from hextraction.controller.games.extraction.turn.flow import next_turn, relaid, settle_army, settle_route
from hextraction.controller.games.extraction.turn.kinds import Kind
from hextraction.controller.games.extraction.turn.yields import harvest
from hextraction.controller.games.hexagon.acts import Refusal
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.protocol import Flash
from hextraction.controller.games.scene import Glow
from msgspec.structs import replace

__all__ = ["buy", "city", "done", "end", "pick", "play", "road", "settlement", "swap", "throw", "unpick"]

SEVEN: Final = 7
_PRODUCES: Final = Glow((255, 255, 255))


# --- throwing ---


def throw(state: State, doing: Doing) -> State:
    """Throw for production; a seven swaps two discs instead."""
    dice = thrown(state, doing)
    name, number = state.active.name, sum(dice)
    tell(doing.said, "throw", f"{name} throws {number}.", "1.4", seat=state.active.seat)
    state = replace(state, dice=dice)
    if number == SEVEN:
        return _swap_begins(replace(state, back="act"), doing)
    return _produced(replace(state, phase="act"), doing, number)


def _produced(state: State, doing: Doing, number: int) -> State:
    found = harvest(state, number)
    for resource in found.short:
        tell(doing.said, "short", f"The bank has too little {resource}: nobody gets any.", "1.4")
    for cell, who in found.by_hex.items():
        slot, ground = doing.field.slots[CELLS[cell]], found.hexes[cell]
        got = ", ".join(f"{state.players[player].name} {count}" for player, count in who.items() if count)
        left = f"{ground.tokens} left" if ground.tokens else "that was the last: the hex is used up"
        text = f"{hex_name(state.hexes[cell]).capitalize()} gives {got}; {left}."
        tell(doing.said, "produce" if ground.tokens else "depleted", text, "1.4", slot=slot)
        doing.said.append(Flash(place=f"slot.{slot}", glow=_PRODUCES))
    if not found.by_hex and not found.short:
        tell(doing.said, "nothing", "No hex gives anything.", "1.4")
    for player, cards in enumerate(found.cards):
        if total(cards):
            state = given(state, player, cards)
    spent = [
        doing.field.slots[CELLS[cell]]
        for cell, (was, now) in enumerate(zip(state.hexes, found.hexes, strict=True))
        if was.live and not now.live
    ]
    state = replace(
        state,
        hexes=found.hexes,
        gains=found.cards if any(map(total, found.cards)) else (),
        supply=tuple(sorted((*state.supply, *found.freed))),
        active_turn=state.active_turn or bool(found.by_hex),
    )
    return relaid(doing.field, state, spent) if spent else state


# --- swapping discs ---


def _swap_begins(state: State, doing: Doing) -> State:
    if swap_possible(state):
        return replace(state, phase="swap", picked="")
    tell(doing.said, "swap", "There are not two discs to swap.", "1.4")
    return replace(state, phase=state.back)


def pick(state: State, doing: Doing) -> State:
    """Choose a disc, or a hex whose disc is swapped, for all to see; then the lamps show where it may go."""
    if state.phase == "discs":
        if doing.act.disc not in state.unplaced:
            raise Refusal("There is no such disc left.", "1.3")
        return replace(state, picked=str(doing.act.disc))
    if not state.hexes[a_cell(doing.act.at)].live:
        raise Refusal("That hex has no disc.", "1.4")
    return replace(state, picked=doing.act.at)


def unpick(state: State, _doing: Doing) -> State:
    """Choose again."""
    return replace(state, picked="")


def swap(state: State, doing: Doing) -> State:
    """Swap the disc of a live hex with that of another one, or with one of the supply; tokens stay."""
    first = a_cell(doing.act.at or state.picked)
    ground = state.hexes[first]
    if not ground.live:
        raise Refusal("A hex that is used up has no disc to swap.", "1.4")
    slot = doing.field.slots[CELLS[first]]
    hexes, supply = list(state.hexes), list(state.supply)
    if doing.act.to:
        second = a_cell(doing.act.to)
        other = state.hexes[second]
        if second == first or not other.live:
            raise Refusal("Swap the disc with that of another hex that is not used up.", "1.4")
        hexes[first], hexes[second] = replace(ground, disc=other.disc), replace(other, disc=ground.disc)
        here, there = ground.resource, other.resource
        text = f"{state.active.name} swaps the {ground.disc} on {here} and the {other.disc} on {there}."
    else:
        if doing.act.disc not in supply:
            raise Refusal("There is no such disc in the supply.", "1.4")
        supply.remove(doing.act.disc)
        supply.append(ground.disc)
        hexes[first] = replace(ground, disc=doing.act.disc)
        name, here = state.active.name, ground.resource
        text = f"{name} puts the {doing.act.disc} on {here}, and the {ground.disc} into the supply."
    tell(doing.said, "swap", text, "1.4", seat=state.active.seat, slot=slot)
    return replace(state, hexes=tuple(hexes), supply=tuple(sorted(supply)), phase=state.back, picked="")


# --- building ---


def road(state: State, doing: Doing) -> State:
    """Build a road, at its cost or by a card."""
    edge = an_edge(doing.act.at)
    if places.stock(state.buildings, state.roads, doing.who)[2] < 1:
        raise Refusal("All your roads are on the board.", "1.4")
    why_not = places.why_no_road(state.buildings, state.roads, doing.who, edge)
    if why_not:
        raise Refusal(why_not, "1.4")
    free = state.phase == "roads"
    state = state if free else paid(state, doing.who, COSTS["road"])
    roads = list(state.roads)
    roads[edge] = doing.who
    slots, one_ = doing.field.slots, state.players[doing.who]
    text = f"{one_.name} builds a road {at_edge(state.hexes, edge)}."
    tell(doing.said, "road", text, "1.4", seat=one_.seat, slot=edge_place(edge, slots))
    state = settle_route(replace(state, roads=tuple(roads), active_turn=True), doing.said)
    if not free:
        return state
    state = replace(state, free_roads=state.free_roads - 1)
    more_of_them = state.free_roads > 0 and can_play(state, doing.who, "roads")
    return state if more_of_them else done(state, doing)


def done(state: State, _doing: Doing) -> State:
    """Build no more free roads."""
    return replace(state, phase="act", free_roads=0)


def settlement(state: State, doing: Doing) -> State:
    """Build a settlement."""
    corner = a_corner(doing.act.at)
    if places.stock(state.buildings, state.roads, doing.who)[0] < 1:
        raise Refusal("All your settlements are on the board: make one of them a city first.", "1.4")
    why_not = places.why_no_settlement(state.buildings, state.roads, doing.who, corner)
    if why_not:
        raise Refusal(why_not, "1.4")
    return _built(paid(state, doing.who, COSTS["settlement"]), doing, corner, doing.who)


def city(state: State, doing: Doing) -> State:
    """Make a settlement a city; the settlement goes back to the stock."""
    corner = a_corner(doing.act.at)
    if state.buildings[corner] != doing.who:
        raise Refusal("A city replaces one of your settlements.", "1.4")
    if places.stock(state.buildings, state.roads, doing.who)[1] < 1:
        raise Refusal("All your cities are on the board.", "1.4")
    return _built(paid(state, doing.who, COSTS["city"]), doing, corner, doing.who + CITY)


def _built(state: State, doing: Doing, corner: int, building: int) -> State:
    buildings = list(state.buildings)
    buildings[corner] = building
    one_, slots = state.players[doing.who], doing.field.slots
    what: Kind = "city" if building >= CITY else "settlement"
    text = f"{one_.name} builds a {what} {at_corner(state.hexes, corner)}."
    tell(doing.said, what, text, "1.4", seat=one_.seat, slot=corner_place(corner, slots))
    return settle_route(replace(state, buildings=tuple(buildings), active_turn=True), doing.said)


# --- development cards ---


def buy(state: State, doing: Doing) -> State:
    """Buy the top development card; only its owner sees which it is."""
    if not state.deck:
        raise Refusal("There are no development cards left.", "1.4")
    state = paid(state, doing.who, COSTS["card"])
    one_ = state.players[doing.who]
    tell(doing.said, "buy", f"{one_.name} buys a development card.", "1.4", seat=one_.seat)
    state = with_player(state, doing.who, cards=(*one_.cards, (state.deck[0], state.turn)))
    return replace(state, deck=state.deck[1:], active_turn=True)


def play(state: State, doing: Doing) -> State:
    """Play a development card."""
    card, one_ = doing.act.card, state.players[doing.who]
    if card not in CARDS:
        raise Refusal(f"There is no card {card!r}; want one of {', '.join(CARDS)}.", "1.4")
    if card == "point":
        raise Refusal("Victory points stay hidden; they count at the end.", "1.4")
    if not any(held == card for held, _turn in one_.cards):
        raise Refusal(f"You have no {CARDS[card]}.", "1.4")
    if state.card_played:
        raise Refusal("One development card a turn.", "1.4")
    if not any(held == card and turn < state.turn for held, turn in one_.cards):
        raise Refusal("A card cannot be played in the turn in which it was bought.", "1.4")
    if state.phase == "before" and card != "knight":
        raise Refusal("Before the throw only a knight may be played.", "1.4")
    if not can_play(state, doing.who, card):
        raise Refusal("That card would do nothing now.", "1.4")
    gone = next(held for held in one_.cards if held[0] == card and held[1] < state.turn)
    left = list(one_.cards)
    left.remove(gone)
    after = with_player(state, doing.who, cards=tuple(left))
    after = replace(after, spent=(*state.spent, card), card_played=True, active_turn=True)
    tell(doing.said, "play", f"{one_.name} plays {CARDS[card]}.", "1.4", seat=one_.seat)
    return _CARD[card](after, doing)


def _knight(state: State, doing: Doing) -> State:
    state = with_player(state, doing.who, knights=state.players[doing.who].knights + 1)
    state = settle_army(state, doing.said)
    return _swap_begins(replace(state, back=state.phase), doing)


def _free_roads(state: State, _doing: Doing) -> State:
    return replace(state, phase="roads", free_roads=2)


def _plenty(state: State, doing: Doing) -> State:
    take = cards_of(doing.act.take)
    wanted = min(2, total(state.bank))
    if total(take) != wanted or any(a > b for a, b in zip(take, state.bank, strict=True)):
        raise Refusal(f"Take {wanted} card{'' if wanted == 1 else 's'} that the bank has.", "1.4")
    tell(doing.said, "cards", f"{state.players[doing.who].name} takes {words(take)}.", "1.4")
    return given(state, doing.who, take)


def _monopoly(state: State, doing: Doing) -> State:
    if doing.act.resource not in RESOURCES:
        raise Refusal(f"Name a resource: {', '.join(RESOURCES)}.", "1.4")
    at = RESOURCES.index(doing.act.resource)
    taken = 0
    for number, other in enumerate(state.players):
        if number != doing.who and other.hand[at]:
            taken += other.hand[at]
            hand = tuple(0 if place == at else count for place, count in enumerate(other.hand))
            state = with_player(state, number, hand=hand)
    mine = more(state.players[doing.who].hand, one(doing.act.resource, taken) if taken else NOTHING)
    text = f"{state.players[doing.who].name} gets all {doing.act.resource} of the others: {taken}."
    tell(doing.said, "cards", text, "1.4")
    return with_player(state, doing.who, hand=mine)


_CARD: Final = {"knight": _knight, "roads": _free_roads, "plenty": _plenty, "monopoly": _monopoly}


def end(state: State, doing: Doing) -> State:
    """End the turn."""
    return next_turn(state, doing.said)

"""The set-up, in its odd order: who begins, settlements, starting cards, and number discs last (1.3)."""

from typing import Final

from hextraction.controller.games.extraction.land import places
from hextraction.controller.games.extraction.land.corners import (
    CORNER_EDGES,
    CORNERS,
    ROADS,
    corner_place,
    edge_place,
)
from hextraction.controller.games.extraction.land.discs import calm
from hextraction.controller.games.extraction.land.goods import (
    DESERT,
    DISCS,
    EACH,
    NOBODY,
    RESOURCES,
    dots,
    words,
)
from hextraction.controller.games.extraction.land.names import at_corner, at_edge
from hextraction.controller.games.extraction.land.possible import starting_cards
from hextraction.controller.games.extraction.land.standing import PLACING, must_answer
from hextraction.controller.games.extraction.land.state import Ask, Hex, Player, Setup, State
from hextraction.controller.games.extraction.turn.doing import (
    US,
    Doing,
    a_cell,
    a_corner,
    an_edge,
    given,
    tell,
    thrown,
)
from hextraction.controller.games.extraction.turn.flow import begin_turn, settle_route
from hextraction.controller.games.hexagon.acts import Refusal
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.hexagon.pieces import declared, watching
from hextraction.controller.games.protocol import Effect
from hextraction.controller.games.shuffling import shuffled
from msgspec.structs import replace

__all__ = [
    "ask_to_deal",
    "begin",
    "collect",
    "deal",
    "go_on",
    "lay_by_hand",
    "lay_disc",
    "left_while_setting_up",
    "road",
    "settle",
    "throw_for_first",
]

SETTING_UP: Final = PLACING | {"first"}
_TRIES: Final = 500
"""So often discs are dealt until no 6 or 8 lies beside another one: in about one deal of ten none does."""


def begin(field: Field, wanted: Setup) -> State:
    """Return the beginning: hexes laid, bank and deck full, nobody on the board."""
    players = tuple(Player(seat=one_.seat, name=one_.name) for one_ in wanted.seats)
    everybody = tuple(range(len(players)))
    hexes = tuple(Hex(resource) for resource in wanted.terrain)
    ground = [
        field.slots[cell] for cell, ground in zip(CELLS, wanted.terrain, strict=True) if ground != DESERT
    ]
    watch = watching(ground, sees=wanted.sees and field.on_board)
    return State(
        setup=wanted,
        players=players,
        hexes=hexes,
        bank=(EACH,) * len(RESOURCES),
        deck=wanted.deck,
        unplaced=DISCS[wanted.discs],
        watch=declared(watch, ground, ground, on=True),
        at_us=wanted.at_us,
        buildings=(NOBODY,) * len(CORNERS),
        roads=(NOBODY,) * len(ROADS),
        phase="first" if wanted.roll_first else "settlement",
        throws=(0,) * len(players),
        rivals=everybody if wanted.roll_first else (),
        made=(0,) * len(players),
    )


# --- who begins ---


def throw_for_first(state: State, doing: Doing) -> State:
    """Throw for the first turn; equal highest throws are thrown again."""
    throw = thrown(state, doing)
    throws = list(state.throws)
    throws[doing.who] = sum(throw)
    name = state.players[doing.who].name
    tell(doing.said, "throw", f"{name} throws {sum(throw)} to see who begins.", "1.3")
    return _first_found(replace(state, throws=tuple(throws), dice=throw), doing.said)


def _first_found(state: State, said: list[Effect]) -> State:
    if len(state.rivals) > 1 and any(not state.throws[rival] for rival in state.rivals):
        waits = next(rival for rival in state.rivals if not state.throws[rival])
        return replace(state, mover=waits)
    best = max(state.throws[rival] for rival in state.rivals)
    rivals = tuple(rival for rival in state.rivals if state.throws[rival] == best)
    if len(rivals) > 1:
        names = " and ".join(state.players[rival].name for rival in rivals)
        tell(said, "throw", f"{names} throw again.", "1.3")
        throws = tuple(0 if number in rivals else throw for number, throw in enumerate(state.throws))
        return replace(state, throws=throws, rivals=rivals, mover=rivals[0])
    first = rivals[0]
    tell(said, "first", f"{state.players[first].name} begins.", "1.3", seat=state.players[first].seat)
    return go_on(replace(state, phase="settlement", first=first, rivals=(), dice=(), at=0), said)


# --- settlements and roads ---


def _turn_of(state: State) -> int:
    """Return whose step of the set-up this is: in turn, and there and back where that is the rule."""
    count = len(state.players)
    step = state.at % (2 * count)
    snake = state.phase in {"settlement", "road"} or (
        state.phase == "discs" and state.setup.disc_order == "snake"
    )
    if snake and step >= count:
        step = 2 * count - 1 - step
    return (state.first + step) % count


def go_on(state: State, said: list[Effect]) -> State:
    """Find the next step of the set-up that somebody has to take, or begin the first turn."""
    while True:
        count = len(state.players)
        if state.phase == "settlement" and state.at >= 2 * count:
            state = replace(state, phase="collect", at=0)
        elif state.phase == "collect" and state.at >= count:
            tell(said, "discs", "Now the number discs, one each in turn.", "1.3")
            state = replace(state, phase="discs", at=0)
        elif state.phase == "discs" and not any(ground.bare for ground in state.hexes):
            return _begun(state, said)
        who = _turn_of(state)
        if state.players[who].left or (state.phase == "collect" and who not in state.buildings):
            state = replace(state, at=state.at + 1)
            continue
        return replace(state, mover=who)


def settle(state: State, doing: Doing) -> State:
    """Place a settlement of the set-up."""
    corner = a_corner(doing.act.at)
    why_not = places.why_no_settlement(state.buildings, state.roads, doing.who, corner, first=True)
    if why_not:
        raise Refusal(why_not, "1.3")
    buildings = list(state.buildings)
    buildings[corner] = doing.who
    slots, one_ = doing.field.slots, state.players[doing.who]
    text = f"{one_.name} settles {at_corner(state.hexes, corner)}."
    tell(doing.said, "settlement", text, "1.3", seat=one_.seat, slot=corner_place(corner, slots))
    return replace(state, buildings=tuple(buildings), settled=corner, phase="road")


def road(state: State, doing: Doing) -> State:
    """Place the road that belongs to the settlement placed last."""
    edge = an_edge(doing.act.at)
    if edge not in CORNER_EDGES[state.settled]:
        raise Refusal("The road goes next to the settlement that was just placed.", "1.3")
    if state.roads[edge] != NOBODY:
        raise Refusal("There is a road already.", "1.3")
    roads = list(state.roads)
    roads[edge] = doing.who
    slots, one_ = doing.field.slots, state.players[doing.who]
    text = f"{one_.name} places a road {at_edge(state.hexes, edge)}."
    tell(doing.said, "road", text, "1.3", seat=one_.seat, slot=edge_place(edge, slots))
    state = replace(state, roads=tuple(roads), phase="settlement", at=state.at + 1)
    return go_on(settle_route(state, doing.said), doing.said)


# --- starting cards ---


def collect(state: State, doing: Doing) -> State:
    """Take the starting cards of one of the two settlements."""
    corner = a_corner(doing.act.at)
    if state.buildings[corner] != doing.who:
        raise Refusal("Name one of your own settlements.", "1.3")
    cards = starting_cards(state, corner)
    one_ = state.players[doing.who]
    at = corner_place(corner, doing.field.slots)
    tell(doing.said, "cards", f"{one_.name} starts with {words(cards)}.", "1.3", seat=one_.seat, slot=at)
    state = given(state, doing.who, cards)
    return _dealt_if_so(go_on(replace(state, at=state.at + 1), doing.said), doing)


# --- number discs ---


def _dealt_if_so(state: State, doing: Doing) -> State:
    """Lay the discs at once at a table that wants it so."""
    at_once = state.phase == "discs" and state.setup.disc_order == "dealt"
    return deal(state, doing) if at_once else state


def ask_to_deal(state: State, doing: Doing) -> State:
    """Ask the others whether chance shall lay the discs that are left: everybody may lay theirs (1.3).

    After a no it is asked again only once another disc lies.
    """
    if state.by_hand:
        raise Refusal("The table lays the next disc by hand.", "1.3")
    number = state.asked + 1
    until_us = state.at_us + state.setup.offer_s * US
    ask = Ask(number=number, about=doing.who, kind="deal", until_us=until_us)
    state = replace(state, ask=ask, asked=number, picked="")
    return state if must_answer(state) else deal(state, doing)


def lay_by_hand(state: State, said: list[Effect]) -> State:
    """Go on after somebody would rather lay the discs, or has not said anything."""
    tell(said, "discs", "The discs are laid by hand.", "1.3")
    return replace(state, ask=None, by_hand=True)


def deal(state: State, doing: Doing) -> State:
    """Lay the discs that are left by chance, as maps are: no 6 or 8 beside another one if that can be."""
    lie = {cell: one.disc for cell, one in zip(CELLS, state.hexes, strict=True) if one.disc}
    bare = [cell for cell, ground in zip(CELLS, state.hexes, strict=True) if ground.bare]
    deals = (shuffled(state.unplaced, doing.chance + again) for again in range(_TRIES))
    laid = ({**lie, **dict(zip(bare, discs, strict=False))} for discs in deals)
    discs = next(one for again, one in enumerate(laid, start=1) if calm(one) or again == _TRIES)
    left_over = list(state.unplaced)
    for cell in bare:
        left_over.remove(discs[cell])
    hexes = [replace(one, disc=discs.get(cell, 0)) for cell, one in zip(CELLS, state.hexes, strict=True)]
    text = "Chance lays the other number discs." if lie else "Chance lays all number discs."
    tell(doing.said, "disc", text, "1.3")
    state = replace(state, hexes=tuple(hexes), unplaced=tuple(left_over), ask=None, picked="")
    return go_on(state, doing.said)


def lay_disc(state: State, doing: Doing) -> State:
    """Lay a number disc on a bare resource hex."""
    disc = doing.act.disc or (int(state.picked) if state.picked.isdigit() else 0)
    if disc not in state.unplaced:
        left = ", ".join(map(str, sorted(set(state.unplaced))))
        raise Refusal(f"There is no such disc left; there are {left}.", "1.3")
    cell = a_cell(doing.act.at)
    if not state.hexes[cell].bare:
        raise Refusal("A disc goes on a resource hex that has none.", "1.3")
    left_over = list(state.unplaced)
    left_over.remove(disc)
    hexes, one_ = list(state.hexes), state.players[doing.who]
    hexes[cell] = replace(hexes[cell], disc=disc)
    slot, ground = doing.field.slots[CELLS[cell]], hexes[cell].resource
    tell(doing.said, "disc", f"{one_.name} lays the {disc} on {ground}.", "1.3", seat=one_.seat, slot=slot)
    laid = replace(state, unplaced=tuple(left_over), hexes=tuple(hexes), picked="", by_hand=False)
    return go_on(replace(laid, at=state.at + 1), doing.said)


def _begun(state: State, said: list[Effect]) -> State:
    """Put tokens on all hexes, what is left over into the supply, and begin the first turn."""
    most = state.setup.most_tokens
    hexes = []
    for ground in state.hexes:
        tokens = min(most, dots(ground.disc)) if ground.disc else 0
        hexes.append(replace(ground, tokens=tokens, start=tokens))
    supply = state.unplaced if state.setup.leftover == "supply" else ()
    count = sum(ground.tokens for ground in hexes)
    tell(said, "tokens", f"All discs lie, and {count} tokens on the hexes.", "1.3")
    state = replace(state, hexes=tuple(hexes), supply=tuple(sorted(supply)), unplaced=(), mover=state.first)
    while state.players[state.mover].out:
        state = replace(state, mover=(state.mover + 1) % len(state.players))
    return begin_turn(state, said)


# --- leaving ---


def left_while_setting_up(state: State, doing: Doing) -> State:
    """Go on without a player who has left; what was asked about the discs may be asked again."""
    who, said, state = doing.who, doing.said, replace(state, ask=None)
    if state.phase == "first":
        rivals = tuple(rival for rival in state.rivals if rival != who)
        return _first_found(replace(state, rivals=rivals), said)
    if state.mover != who:
        return state
    phase = "settlement" if state.phase == "road" else state.phase
    return _dealt_if_so(go_on(replace(state, phase=phase, at=state.at + 1, picked=""), said), doing)

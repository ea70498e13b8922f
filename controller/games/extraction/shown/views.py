"""What everybody may see of a game of Extraction: the map, counts of cards, and what is going on.

Nothing here looks into a hand or at the order of the deck.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from hextraction.controller.games.extraction.land import discs
from hextraction.controller.games.extraction.land.corners import (
    CORNERS,
    ROADS,
    corner_place,
    edge_place,
)
from hextraction.controller.games.extraction.land.goods import (
    CITY,
    DESERT,
    NOBODY,
    Bundle,
    is_city,
    owner,
    total,
)
from hextraction.controller.games.extraction.land.house import HouseRules
from hextraction.controller.games.extraction.land.names import at_corner, at_edge
from hextraction.controller.games.extraction.land.places import longest, stock
from hextraction.controller.games.extraction.land.standing import (
    BONUS,
    board_question,
    buildings_points,
    hands_todo,
    lies,
    must_answer,
    points,
    thrower,
)
from hextraction.controller.games.extraction.land.state import Offer, State
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.scene import Counter, Piece, PlaceView, Scene, SeatView

__all__ = ["Detail", "Fight", "Hex", "Holding", "Proposal", "scene"]

_KIND: Final = "extraction"


class Hex(Piece, frozen=True, kw_only=True, omit_defaults=True):
    """A hex as it is drawn: its disc (0: none), the tokens on it, and whether it is used up."""

    disc: int = 0
    tokens: int = 0
    start: int = 0
    spent: bool = False


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody may know of a player: how many cards, never which.

    ``stock`` are settlements, cities and roads that are not on the board, ``route`` the length of the longest
    route, ``points`` those in sight, and at the end of the game all. ``sources`` is where these come from, in
    points: settlements, cities, Longest Route, Largest Army, cards.
    """

    hand: int
    cards: int
    knights: int
    points: int
    sources: tuple[int, int, int, int, int]
    stock: tuple[int, int, int]
    route: int


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """An open offer: seats, and cards in the order of resources; ``to`` are asked, ``no`` declined."""

    number: int
    by: str
    to: tuple[str, ...]
    give: Bundle
    want: Bundle
    no: tuple[str, ...] = ()


class Fight(msgspec.Struct, frozen=True, kw_only=True):
    """An attack: by whom, where, how many cards are staked, and what the attacker threw."""

    by: str
    at: str
    stake: int
    thrown: int = 0


class Detail(msgspec.Struct, frozen=True, kw_only=True, tag_field="game", tag="extraction"):
    """What only Extraction shows: the map, the bank, the discs, and what everybody knows of each player.

    ``throws`` is who throws dice now, ``first_throws`` those for the first turn so far, and ``rivals`` who
    may still have it; ``at`` counts the steps of the set-up, ``back`` is the phase after a swap.
    ``hexes`` are by cell: resource, disc, tokens, tokens at the start. ``buildings`` and ``roads`` are by
    place, with the number of their player, and ``S`` or ``C``. ``slots`` are the slots of cells. ``bank`` is
    in the order of resources; ``deck`` how many development cards are left, ``spent`` those that were played.
    ``gains`` is what seats got by the last throw, ``refused`` the last offer that everybody declined.
    ``picked`` is a disc or a cell that is chosen now. ``began_dry`` says that no hex could give when the turn
    began; ``dry``, ``idle`` and ``still`` count turns on end, see docs/extraction.md; ``by_hand`` says that
    the table did not want chance to lay the discs, ``by_chance`` for which players it sets up.
    """

    phase: str
    seats: tuple[str, ...]
    first: str
    throws: str
    first_throws: tuple[int, ...]
    rivals: tuple[int, ...]
    at: int
    back: str
    slots: dict[str, str]
    hexes: dict[str, tuple[str, int, int, int]]
    buildings: dict[str, str]
    roads: dict[str, int]
    holdings: tuple[Holding, ...]
    bank: Bundle
    deck: int
    spent: tuple[str, ...]
    supply: tuple[int, ...]
    unplaced: tuple[int, ...]
    route: str
    army: str
    dice: tuple[int, ...]
    gains: dict[str, Bundle]
    offers: tuple[Proposal, ...]
    refused: Proposal | None
    fight: Fight | None
    picked: str
    settled: str
    free_roads: int
    house: HouseRules
    offers_made: tuple[int, ...]
    attacked: tuple[str, ...]
    card_played: bool
    began_dry: bool
    dry: int
    idle: int
    still: int
    plays_on: bool
    by_hand: bool
    by_chance: tuple[int, ...]
    on_board: bool
    note: str


def scene(field: Field, state: State) -> Scene:
    """Return what everybody may see."""
    waits = must_answer(state)
    asked = [(state.players[number].seat, _asked(state)) for number in waits]
    if board_question(field, state):
        asked.append((state.active.seat, "What happens on the board?"))
    acting = waits[0] if waits else thrower(state)
    playing = not state.over and not state.paused
    return Scene(
        kind=_KIND,
        headline=state.outcome if state.outcome is not None else _awaits(state),
        hands=hands_todo(field, state) if state.outcome is None else "",
        turn=state.turn,
        active=state.active.seat,
        acting=state.players[acting if acting != NOBODY else state.mover].seat,
        seats=tuple(_seat(state, number) for number in range(len(state.players))),
        places=tuple(_places(field, state)),
        counters=_counters(state),
        asked=tuple(asked) if playing else (),
        power=state.power,
        paused=state.paused,
        winners=state.winners,
        losers=tuple(
            one.seat for one in state.players if (state.over or one.left) and one.seat not in state.winners
        ),
        outcome=state.outcome,
        detail=_detail(field, state),
    )


def _asked(state: State) -> str:
    if state.ask is not None and state.ask.kind == "end":
        return "Is the game over?"
    if state.ask is not None and state.ask.kind == "deal":
        return "Shall chance lay the discs?"
    if state.ask is not None:
        return f"Does {state.players[state.ask.about].name} stay in?"
    return "Accept the trade?"


def _awaits(state: State) -> str:
    """Return what the game waits for, as a sentence."""
    if state.ask is not None and state.ask.kind == "end":
        return "The land is used up, and nobody did anything for a round: is the game over?"
    if state.ask is not None and state.ask.kind == "deal":
        return discs.asks_for_chance(state, state.ask)
    if state.ask is not None:
        name = state.players[state.ask.about].name
        return f"{name} has no moves left: does {name} stay in?"
    throws, name = thrower(state), state.active.name
    if state.phase == "attack" and throws != NOBODY:
        side = "for the attack" if state.attack is not None and not state.attack.thrown else "for the defence"
        return f"{state.players[throws].name} throws {side}."
    return {
        "first": f"{name} throws to see who begins.",
        "settlement": f"{name} places a settlement.",
        "road": f"{name} places a road beside it.",
        "collect": f"{name} takes starting cards for one of the two settlements.",
        "discs": f"{name} lays a number disc.",
        "before": f"{name} throws the dice.",
        "swap": f"{name} swaps two number discs.",
        "roads": f"{name} builds {state.free_roads} free road{'' if state.free_roads == 1 else 's'}.",
        "act": f"{name} builds and trades.",
    }.get(state.phase, f"It is {name}'s turn.")


def _counters(state: State) -> tuple[Counter, ...]:
    tokens = sum(one.tokens for one in state.hexes)
    return (
        Counter(label="tokens left", one="token left", count=tokens),
        Counter(label="cards in the bank", one="card in the bank", count=total(state.bank)),
        Counter(label="development cards", one="development card", count=len(state.deck)),
    )


def _seat(state: State, number: int) -> SeatView:
    player = state.players[number]
    seen = points(state, number) if state.over else buildings_points(state, number)
    counters = (
        Counter(label="points", one="point", count=seen),
        Counter(label="cards", one="card", count=total(player.hand)),
        Counter(label="development cards", one="development card", count=len(player.cards)),
    )
    return SeatView(
        seat=player.seat,
        name=player.name,
        colour=player.seat,
        counters=counters,
        out=player.left,
        note="out" if player.out and not player.left else "",
    )


# --- places ---


def _places(field: Field, state: State) -> list[PlaceView]:
    found = [_hex(field, state, cell) for cell in range(len(CELLS))]
    for corner, building in enumerate(state.buildings):
        if building != NOBODY:
            player = state.players[owner(building)]
            name = player.name
            what = "city" if is_city(building) else "settlement"
            at = at_corner(state.hexes, corner)
            found.append(
                PlaceView(
                    place=corner_place(corner, field.slots),
                    owner=player.seat,
                    label="C" if is_city(building) else "S",
                    title=f"{name}'s city {at}" if what == "city" else f"{name}'s settlement {at}",
                    note=what,
                )
            )
    for edge, whose in enumerate(state.roads):
        if whose != NOBODY:
            player = state.players[whose]
            title = f"{player.name}'s road {at_edge(state.hexes, edge)}"
            found.append(PlaceView(place=edge_place(edge, field.slots), owner=player.seat, title=title))
    return found


def _hex(field: Field, state: State, cell: int) -> PlaceView:
    """Return how a hex looks, and what hands should do there."""
    ground, slot = state.hexes[cell], field.slots[CELLS[cell]]
    wants = state.watch.wants(lies(field, state), slot)
    title = "Used up" if ground.depleted else ground.resource.capitalize()
    if ground.resource == DESERT or ground.depleted:
        note = "gives nothing"
    elif not ground.disc:
        note = "no disc yet"
    elif not ground.start:
        note = f"disc {ground.disc}"
    else:
        note = f"disc {ground.disc}, {ground.tokens} of {ground.start} tokens"
    piece = Hex(
        id=1 + cell,
        name=DESERT if ground.depleted else ground.resource,
        title=title,
        disc=ground.disc,
        tokens=ground.tokens,
        start=ground.start,
        spent=ground.depleted,
    )
    return PlaceView(place=f"slot.{slot}", piece=piece, wants="" if state.over else wants, note=note)


def _detail(field: Field, state: State) -> Detail:
    seats = [one.seat for one in state.players]
    throws = thrower(state)
    spent = sorted(state.spent)
    return Detail(
        phase="over" if state.over else state.phase,
        seats=tuple(seats),
        first=seats[state.first],
        throws=seats[throws] if throws != NOBODY and not state.over else "",
        first_throws=state.throws,
        rivals=state.rivals,
        at=state.at,
        back=state.back,
        slots=dict(field.slots),
        hexes={
            cell: (one.resource, one.disc, one.tokens, one.start)
            for cell, one in zip(CELLS, state.hexes, strict=True)
        },
        buildings=_buildings(state),
        roads={ROADS[edge]: whose for edge, whose in enumerate(state.roads) if whose != NOBODY},
        holdings=tuple(_holding(state, number) for number in range(len(seats))),
        bank=state.bank,
        deck=len(state.deck),
        spent=tuple(spent),
        supply=state.supply,
        unplaced=state.unplaced,
        route=seats[state.route] if state.route != NOBODY else "",
        army=seats[state.army] if state.army != NOBODY else "",
        dice=state.dice,
        gains={seats[number]: cards for number, cards in enumerate(state.gains) if total(cards)},
        offers=tuple(_proposal(seats, one) for one in state.offers),
        refused=None if state.refused is None else _proposal(seats, state.refused),
        fight=_fight(state),
        picked=state.picked,
        settled=CORNERS[state.settled] if state.phase == "road" else "",
        free_roads=state.free_roads,
        house=HouseRules(**{name: getattr(state.setup, name) for name in HouseRules.__struct_fields__}),
        offers_made=state.made,
        attacked=tuple(CORNERS[corner] for corner in state.attacked),
        card_played=state.card_played,
        began_dry=state.began_dry,
        dry=state.dry,
        idle=state.idle,
        still=state.still,
        plays_on=state.plays_on,
        by_hand=state.by_hand,
        by_chance=state.by_chance,
        on_board=field.on_board,
        note=field.note,
    )


def _buildings(state: State) -> dict[str, str]:
    return {
        CORNERS[corner]: f"{owner(building)}{'C' if building >= CITY else 'S'}"
        for corner, building in enumerate(state.buildings)
        if building != NOBODY
    }


def _proposal(seats: Sequence[str], one: Offer) -> Proposal:
    return Proposal(
        number=one.number,
        by=seats[one.by],
        to=tuple(seats[number] for number in one.waits),
        give=one.give,
        want=one.want,
        no=tuple(seats[number] for number in one.no),
    )


def _holding(state: State, number: int) -> Holding:
    player = state.players[number]
    return Holding(
        hand=total(player.hand),
        cards=len(player.cards),
        knights=player.knights,
        points=points(state, number) if state.over else buildings_points(state, number),
        sources=_sources(state, number),
        stock=stock(state.buildings, state.roads, number),
        route=longest(state.buildings, state.roads, number),
    )


def _sources(state: State, number: int) -> tuple[int, int, int, int, int]:
    shown = points(state, number) - buildings_points(state, number) if state.over else 0
    return (
        state.buildings.count(number),
        2 * state.buildings.count(number + CITY),
        BONUS * (state.route == number),
        BONUS * (state.army == number),
        shown,
    )


def _fight(state: State) -> Fight | None:
    if state.attack is None:
        return None
    going = state.attack
    return Fight(
        by=state.players[going.by].seat,
        at=CORNERS[going.at],
        stake=total(going.stake),
        thrown=sum(going.thrown),
    )

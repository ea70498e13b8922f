"""What one seat may know and do: its own cards, every exact act that it is offered, and what it is asked."""

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

from hextraction.controller.games.extraction.land import discs, places
from hextraction.controller.games.extraction.land.corners import (
    CORNER_EDGES,
    CORNERS,
    ROADS,
    corner_place,
    edge_place,
)
from hextraction.controller.games.extraction.land.goods import (
    CARDS,
    COSTS,
    NOBODY,
    RESOURCES,
    covers,
    total,
    words,
)
from hextraction.controller.games.extraction.land.names import at_corner, at_edge
from hextraction.controller.games.extraction.land.possible import (
    BANK_RATE,
    may_offer,
    playable,
    starting_cards,
)
from hextraction.controller.games.extraction.land.standing import (
    PLACING,
    board_question,
    hands_todo,
    in_game,
    lies,
    must_answer,
    table_question,
    thrower,
)
from hextraction.controller.games.extraction.land.state import Ask, State
from hextraction.controller.games.extraction.land.wagers import dice_of, least_stake
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.hexagon.telling import answering, tellings
from hextraction.controller.games.scene import Amount, Option, Piece, PrivateView, Prompt

__all__ = ["Card", "private"]

_PLAYER: Final = 100
_DEVELOPMENT: Final = 10
_GISTS: Final = {
    "knight": "Swap two number discs; three knights may be the Largest Army.",
    "point": "One point at the end. It stays hidden.",
    "roads": "Build two roads for free.",
    "plenty": "Take two cards from the bank.",
    "monopoly": "Name a resource: everybody gives you all of theirs.",
}

_WAYS: Final = {
    "build": {"settlement", "city", "road", "buy"},
    "play a card": {"play_knight", "play_roads", "play_plenty", "play_monopoly"},
    "trade": {"bank", "offer"},
    "attack": {"attack"},
}
"""What a turn is for, and by which groups of options one does it."""


class _Kind(NamedTuple):
    """A kind of act at an intersection: group, name, words with ``{at}`` in them, section."""

    group: str
    do: str
    words: str
    section: str


class Card(Piece, frozen=True, kw_only=True, omit_defaults=True):
    """Cards of one kind in a hand: how many, and how many of them were bought in this turn."""

    count: int
    fresh: int = 0


def private(field: Field, state: State, seat: str) -> PrivateView:
    """Return what a seat may know, do now, and is asked."""
    who = state.number(seat)
    if who == NOBODY or state.players[who].left:
        return PrivateView(seat=seat, hand=(), options=(), prompts=())
    hand = tuple(_hand(state, who))
    if state.over or state.paused:
        return PrivateView(seat=seat, hand=hand, options=(), prompts=())
    prompts = tuple(_prompts(field, state, who))
    options = [*tellings(state.watch, lies(field, state), "The hex lies on {slot}", "{slot} is turned over")]
    if state.ask is None:
        todo = hands_todo(field, state)
        options += _own(field, state, who, waits=bool(todo))
        options += _offers_to_make(state, who) if not state.players[who].out else ()
        options += _withdrawals(state, who)
        options += _deals(state)
        options += _leaves_to_chance(state, who, waits=bool(todo))
    return PrivateView(
        seat=seat,
        hand=hand,
        options=tuple(options),
        prompts=prompts,
        headline=_headline(state, who, {one.group for one in options}),
    )


def _hand(state: State, who: int) -> Iterator[Card]:
    player, mine = state.players[who], _PLAYER * (who + 1)
    for at, (name, count) in enumerate(zip(RESOURCES, player.hand, strict=True)):
        if count:
            yield Card(id=mine + at, name=name, title=f"{count} {name}", owner=player.seat, count=count)
    for at, (name, title) in enumerate(CARDS.items()):
        held = [turn for card, turn in player.cards if card == name]
        if held:
            many = f"{len(held)} {title} cards" if len(held) > 1 else title
            yield Card(
                id=mine + _DEVELOPMENT + at,
                name=name,
                title=many,
                owner=player.seat,
                summary=_GISTS[name],
                count=len(held),
                fresh=held.count(state.turn),
            )


def card_id(who: int, card: str) -> int:
    """Return the number of a player's development cards of one kind."""
    return _PLAYER * (who + 1) + _DEVELOPMENT + list(CARDS).index(card)


def _headline(state: State, who: int, groups: AbstractSet[str]) -> str:
    if state.ask is not None:
        return ""
    throws = thrower(state)
    if who != (throws if throws != NOBODY else state.mover):
        return ""
    return {
        "first": "Throw the dice: the highest throw begins",
        "settlement": "Place a settlement: tap a bright corner",
        "road": "Place a road beside it: tap a bright edge",
        "collect": "For which settlement do you take starting cards?",
        "discs": "Choose a number disc, then its hex"
        if not state.picked
        else f"Where does the {state.picked} go? Tap a bright hex",
        "before": "Your turn: throw the dice",
        "swap": _swapping(state),
        "roads": "Build your free roads: tap a bright edge",
        "act": _in_the_turn(groups),
        "attack": "Throw for the attack" if who == state.mover else "Throw for the defence",
    }.get(state.phase, "")


def _swapping(state: State) -> str:
    if not state.picked:
        return "Swap two number discs: tap a hex"
    return "Now tap the other hex, or choose a disc below" if state.supply else "Now tap the other hex"


def _in_the_turn(groups: AbstractSet[str]) -> str:
    """Name what there is to do, and nothing else."""
    ways = [word for word, means in _WAYS.items() if means & groups]
    return f"Your turn: {', '.join(ways)}, or end it" if ways else "Nothing left to do: tap “End your turn”"


# --- what a player may do in each phase ---


def _own(field: Field, state: State, who: int, *, waits: bool) -> Iterator[Option]:
    """Yield what a player may do; ``waits`` says that hands have to do something first."""
    if who == thrower(state) and not waits:
        yield from _throws(state)
    if who == state.mover and state.phase == "act":
        yield from _acts(field, state, who, waits=waits)
    elif who == state.mover and state.phase in _STEPS and not (waits and state.phase == "settlement"):
        yield from _STEPS[state.phase](field, state, who)


def _throws(state: State) -> Iterator[Option]:
    if not state.setup.real_dice:
        yield Option(group="roll", label="Throw the dice", act={"do": "roll"}, clause="1.4", by_button=True)
        return
    dice = dice_of(state.setup.attack) if state.phase == "attack" else 2
    for total_ in range(dice, 6 * dice + 1):
        act = {"do": "roll", "total": total_}
        yield Option(group="total", label=f"The dice show {total_}", act=act, clause="1.4")


def _corner(field: Field, state: State, corner: int, kind: _Kind) -> Option:
    return Option(
        group=kind.group,
        label=kind.words.format(at=at_corner(state.hexes, corner)),
        act={"do": kind.do, "at": CORNERS[corner]},
        slot=corner_place(corner, field.slots),
        clause=kind.section,
    )


def _edge(field: Field, state: State, edge: int, group: str, section: str) -> Option:
    return Option(
        group=group,
        label=f"Road {at_edge(state.hexes, edge)}",
        act={"do": "road", "at": ROADS[edge]},
        slot=edge_place(edge, field.slots),
        clause=section,
    )


def _settles(field: Field, state: State, who: int) -> Iterator[Option]:
    kind = _Kind("settle", "settlement", "Settle {at}", "1.3")
    for corner in places.settlement_spots(state.buildings, state.roads, who, first=True):
        yield _corner(field, state, corner, kind)


def _joins(field: Field, state: State, _who: int) -> Iterator[Option]:
    for edge in CORNER_EDGES[state.settled]:
        if state.roads[edge] == NOBODY:
            yield _edge(field, state, edge, "place_road", "1.3")


def _free_roads(field: Field, state: State, who: int) -> Iterator[Option]:
    for edge in places.road_spots(state.buildings, state.roads, who):
        yield _edge(field, state, edge, "place_road", "1.4")
    yield Option(group="done", label="No more roads", act={"do": "done"}, clause="1.4")


def _collects(field: Field, state: State, who: int) -> Iterator[Option]:
    for corner in places.upgradable(state.buildings, who):
        cards = words(starting_cards(state, corner))
        yield _corner(field, state, corner, _Kind("collect", "collect", f"Take {cards}", "1.3"))


def _discs(field: Field, state: State, _who: int) -> Iterator[Option]:
    for disc in sorted(set(state.unplaced)):
        if str(disc) != state.picked:
            act: dict[str, Any] = {"do": "pick", "disc": disc}
            yield Option(group="number", label=f"Disc {disc}", act=act, clause="1.3")
    if state.picked:
        for cell, ground in enumerate(state.hexes):
            if ground.bare:
                slot = field.slots[CELLS[cell]]
                act = {"do": "disc", "disc": int(state.picked), "at": CELLS[cell]}
                label = f"The {state.picked} on {ground.resource}"
                yield Option(group="disc", label=label, act=act, slot=slot, clause="1.3")


def _swaps(field: Field, state: State, _who: int) -> Iterator[Option]:
    for cell, ground in enumerate(state.hexes):
        if not ground.live or CELLS[cell] == state.picked:
            continue
        slot = field.slots[CELLS[cell]]
        if state.picked:
            act: dict[str, Any] = {"do": "swap", "at": state.picked, "to": CELLS[cell]}
            label = f"Swap with the {ground.disc} on {ground.resource}"
            yield Option(group="swap", label=label, act=act, slot=slot, clause="1.4")
        else:
            act = {"do": "pick", "at": CELLS[cell]}
            label = f"Swap the {ground.disc} on {ground.resource}"
            yield Option(group="pick", label=label, act=act, slot=slot, clause="1.4")
    if state.picked:
        for disc in sorted(set(state.supply)):
            act = {"do": "swap", "at": state.picked, "disc": disc}
            yield Option(group="supply", label=f"Swap with the {disc} of the supply", act=act, clause="1.4")
        yield Option(group="unpick", label="Another hex", act={"do": "unpick"})


def _plays(_field: Field, state: State, who: int) -> Iterator[Option]:
    for card in playable(state, who):
        tile, title = card_id(who, card), CARDS[card]
        for label, more in _ways(state, card):
            act = {"do": "play", "card": card, **more}
            yield Option(group=f"play_{card}", label=f"{title}{label}", act=act, tile=tile, clause="1.4")


def _ways(state: State, card: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the ways in which a development card may be played."""
    if card == "plenty":
        for pair in combinations_with_replacement(RESOURCES, min(2, total(state.bank))):
            take = {name: pair.count(name) for name in dict.fromkeys(pair)}
            if covers(state.bank, tuple(take.get(name, 0) for name in RESOURCES)):
                yield f": {' and '.join(pair)}", {"take": take}
    elif card == "monopoly":
        for name in RESOURCES:
            yield f": all {name}", {"resource": name}
    else:
        yield "", {}


def _acts(field: Field, state: State, who: int, *, waits: bool) -> Iterator[Option]:
    hand, buildings, roads = state.players[who].hand, state.buildings, state.roads
    settlements, cities, ways = places.stock(buildings, roads, who)
    if ways and covers(hand, COSTS["road"]):
        for edge in places.road_spots(buildings, roads, who):
            yield _edge(field, state, edge, "road", "1.4")
    if settlements and covers(hand, COSTS["settlement"]) and not waits:
        for corner in places.settlement_spots(buildings, roads, who):
            yield _corner(field, state, corner, _Kind("settlement", "settlement", "Settlement {at}", "1.4"))
    if cities and covers(hand, COSTS["city"]):
        for corner in places.upgradable(buildings, who):
            yield _corner(field, state, corner, _Kind("city", "city", "City {at}", "1.4"))
    if state.deck and covers(hand, COSTS["card"]):
        yield Option(group="buy", label="Buy a development card", act={"do": "buy"}, clause="1.4")
    yield from _plays(field, state, who)
    yield from _attacks(field, state, who)
    yield from _bank_trades(state, who)
    yield Option(group="end", label="End your turn", act={"do": "end"}, clause="1.4", by_button=True)


_STEPS: Final = {
    "settlement": _settles,
    "road": _joins,
    "collect": _collects,
    "discs": _discs,
    "before": _plays,
    "swap": _swaps,
    "roads": _free_roads,
}
"""What the player whose turn it is may do in each phase but the main one."""


def _attacks(field: Field, state: State, who: int) -> Iterator[Option]:
    """Yield an attack on each building that can be attacked, with a stake of any cards in hand (1.5)."""
    hand, least = state.players[who].hand, least_stake(state.setup.attack)
    if total(hand) < least:
        return
    cards = tuple(
        Amount(into=f"stake.{name}", label=name, most=count, step=1)
        for name, count in zip(RESOURCES, hand, strict=True)
        if count
    )
    for corner in places.attackable(state.buildings, state.roads, who):
        if corner not in state.attacked:
            yield Option(
                group="attack",
                label="Attack with this stake",
                act={"do": "attack", "at": CORNERS[corner]},
                amounts=cards,
                fewest=least,
                slot=corner_place(corner, field.slots),
                clause="1.5",
            )


def _bank_trades(state: State, who: int) -> Iterator[Option]:
    for give, held in zip(RESOURCES, state.players[who].hand, strict=True):
        for want, stock in zip(RESOURCES, state.bank, strict=True):
            if give != want and held >= BANK_RATE and stock:
                act = {"do": "bank", "give": {give: BANK_RATE}, "want": {want: 1}}
                yield Option(group="bank", label=f"{BANK_RATE} {give} for 1 {want}", act=act, clause="1.4")


def _offers_to_make(state: State, who: int) -> Iterator[Option]:
    """Yield offers of one card for another: to everybody, or to the one whose turn it is."""
    others = [number for number in in_game(state) if number != who]
    if state.phase != "act" or not others or may_offer(state, who):
        return
    to = "" if who == state.mover else f" to {state.active.name}"
    for give, held in zip(RESOURCES, state.players[who].hand, strict=True):
        for want in RESOURCES:
            if held and give != want:
                act = {"do": "offer", "give": {give: 1}, "want": {want: 1}}
                label = f"Offer 1 {give} for 1 {want}{to}"
                yield Option(group="offer", label=label, act=act, clause="1.4")


def _withdrawals(state: State, who: int) -> Iterator[Option]:
    for one in state.offers:
        if one.by == who:
            label = f"Take back: {words(one.give)} for {words(one.want)}"
            yield Option(
                group="withdraw", label=label, act={"do": "withdraw", "offer": one.number}, clause="1.4"
            )


def _deals(state: State) -> Iterator[Option]:
    """Yield that chance lays the discs that do not lie yet (1.3)."""
    if state.phase == "discs" and not state.by_hand:
        label = "Let chance lay the other discs" if discs.some_lie(state) else "Let chance lay all discs"
        yield Option(group="deal", label=label, act={"do": "deal"}, clause="1.3")


def _leaves_to_chance(state: State, who: int, *, waits: bool) -> Iterator[Option]:
    """Yield that chance does a player's part of the set-up, until it is over (1.3)."""
    if state.phase in PLACING and who not in state.by_chance and not waits:
        label = "Let chance lay my discs" if state.phase == "discs" else "Let chance set up for me"
        yield Option(group="by_chance", label=label, act={"do": "by_chance"}, clause="1.3")


# --- what a player is asked ---


def _prompts(field: Field, state: State, who: int) -> Iterator[Prompt]:
    if state.ask is None:
        yield from _offers(state, who)
    elif who in must_answer(state):
        yield _QUESTIONS[state.ask.kind](state, state.ask, who)
    asked = board_question(field, state)
    if asked and who == state.mover:
        yield _found_on_the_board(field, state, asked)


def _over(state: State, ask: Ask, who: int) -> Prompt:
    prompt = table_question(state)
    return Prompt(
        id=prompt,
        seat=state.players[who].seat,
        kind="end",
        text="The land is used up, and nobody did anything for a whole round. Is the game over?",
        clause="1.6",
        options=(answering(prompt, "yes", "It is over"), answering(prompt, "no", "We play on")),
        default=0,
        deadline_us=ask.until_us,
    )


def _all_by_chance(state: State, ask: Ask, who: int) -> Prompt:
    prompt = table_question(state)
    return Prompt(
        id=prompt,
        seat=state.players[who].seat,
        kind="deal",
        text=discs.asks_for_chance(state, ask),
        clause="1.3",
        options=(answering(prompt, "yes", "Yes, by chance"), answering(prompt, "no", "No, by hand")),
        default=1,
        deadline_us=ask.until_us,
    )


def _stays(state: State, ask: Ask, who: int) -> Prompt:
    name, prompt = state.players[ask.about].name, table_question(state)
    return Prompt(
        id=prompt,
        seat=state.players[who].seat,
        kind="keep",
        text=f"{name} has no moves left. Does {name} stay in for this turn?",
        clause="1.6",
        options=(answering(prompt, "yes", "Stays in"), answering(prompt, "no", "Out")),
    )


_QUESTIONS: dict[str, Callable[[State, Ask, int], Prompt]] = {
    "end": _over,
    "deal": _all_by_chance,
    "keep": _stays,
}


def _found_on_the_board(field: Field, state: State, asked: str) -> Prompt:
    """Return the question that whoever is on turn gets about hexes that nobody said anything of (1.8)."""
    lifted, put = state.watch.undeclared(lies(field, state))
    parts = [f"turned over on {', '.join(lifted)}"] * bool(lifted)
    parts += [f"laid on {', '.join(put)}"] * bool(put)
    return Prompt(
        id=asked,
        seat=state.players[state.mover].seat,
        kind="board",
        text=f"A hex was {' and one '.join(parts)}. Nobody has said why.",
        clause="1.8",
        options=(
            answering(asked, "back", "It is right again"),
            answering(asked, "wrong", "The sensor is wrong"),
        ),
        slot=(*lifted, *put)[0],
    )


def _offers(state: State, who: int) -> Iterator[Prompt]:
    for one in state.offers:
        if who not in one.waits:
            continue
        prompt = f"offer-{one.number}"
        no = answering(prompt, "no", "No, thanks")
        yes = answering(prompt, "yes", f"Give {words(one.want)}")
        can = covers(state.players[who].hand, one.want)
        yield Prompt(
            id=prompt,
            seat=state.players[who].seat,
            kind="offer",
            text=f"{state.players[one.by].name} gives you {words(one.give)} for {words(one.want)}.",
            clause="1.4",
            options=(yes, no) if can else (no,),
            default=1 if can else 0,
            deadline_us=one.until_us,
        )

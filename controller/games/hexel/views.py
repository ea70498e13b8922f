"""What is shown of a game of Hex'el: the scene for everybody, what one seat may do, and the lamps.

Nothing in a scene depends on a hand or on the deck's order, except for a card that its player has announced.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from hextraction.controller.games.hexagon.cells import AT, AXIAL, CELLS
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.hexagon.telling import answering, listed, sentence, tellings
from hextraction.controller.games.hexel import position as game
from hextraction.controller.games.hexel import rules
from hextraction.controller.games.hexel.cards import SYMBOLS, in_words, runs, turned
from hextraction.controller.games.hexel.mosaic import Cell, Laid, name_of
from hextraction.controller.games.hexel.position import CALLS, NOBODY, Choice
from hextraction.controller.games.hexel.state import State
from hextraction.controller.games.scene import (
    DARK,
    Amount,
    Colour,
    Counter,
    Glow,
    Option,
    Piece,
    PlaceView,
    PrivateView,
    Prompt,
    Scene,
    SeatView,
)

__all__ = ["CardView", "Detail", "lamps", "private", "scene"]

_KIND: Final = "hexel"


class CardView(msgspec.Struct, frozen=True, kw_only=True):
    """A card that lies there: its cell, symbols clockwise from edge 1, by whom, how many edges matched."""

    cell: str
    symbols: str
    by: str = ""
    matched: int = 0


class Detail(msgspec.Struct, frozen=True, kw_only=True, tag_field="game", tag="hexel"):
    """What only Hex'el shows.

    ``cards`` lie on the table, the last one laid at the end. ``slots`` is the slot at which the drawing shows
    each cell; on an open field these are the 19 around the last card. ``phase`` is shuffle, line, stake,
    hedge, place or over; ``faces`` are all cards of the deck, ``hedges`` what each seat has put aside.
    ``last`` is how many edges the next card is compared with, -1 for none, and ``before`` who laid it.
    ``announced`` are the symbols of a card that its player has shown, ``targets`` the cells to which it may
    go. ``hoxla`` is the symbol that has won, ``meet`` the slots where it is. ``thrown`` are cards thrown away
    face up.
    """

    cards: tuple[CardView, ...]
    slots: dict[str, str]
    field: str
    deck: str
    left: int
    phase: str
    round: int
    stake: int
    dealer: str
    faces: tuple[str, ...]
    hedges: dict[str, int]
    on_board: bool
    note: str
    last: int = -1
    before: str = ""
    announced: str = ""
    targets: tuple[str, ...] = ()
    hoxla: str = ""
    meet: tuple[str, ...] = ()
    thrown: tuple[str, ...] = ()


def scene(field: Field, state: State) -> Scene:
    """Return what everybody may see."""
    position = state.position
    asked = rules.board_question(field, state)
    active = state.active.seat
    winner = state.players[position.winner].seat if position.winner != NOBODY else ""
    return Scene(
        kind=_KIND,
        headline=_headline(state),
        hands=_todo(field, state) if state.outcome is None else "",
        turn=state.turn,
        active=active,
        acting=active,
        seats=tuple(_seat(state, number) for number in range(len(state.players))),
        places=tuple(_place(field, state, cell) for cell in CELLS),
        counters=(Counter(label="cards in the deck", one="card in the deck", count=len(position.deck)),),
        asked=((active, "What happens on the board?"),) if asked is not None and not state.paused else (),
        power=state.power,
        paused=state.paused,
        winners=(winner,) if winner else (),
        losers=tuple(
            one.seat for one in state.players if (state.over or one.out or one.left) and one.seat != winner
        ),
        outcome=state.outcome,
        detail=_detail(field, state),
    )


def _window(state: State) -> Cell:
    """Return the cell that the drawing's middle shows: on an open field that of the last card (3.6)."""
    position = state.position
    return position.laid[-1].cell if position.laid and not position.bounded and position.round else (0, 0)


def _at(state: State, cell: str) -> Cell:
    """Return which cell of the field the drawing shows at a cell of the hexagon."""
    middle, here = _window(state), AXIAL[cell]
    return here[0] + middle[0], here[1] + middle[1]


def _slot_shown(field: Field, state: State, cell: Cell) -> str:
    """Return the slot at which a cell is drawn; outside of the drawing its name."""
    middle = _window(state)
    near = AT.get((cell[0] - middle[0], cell[1] - middle[1]))
    return field.slots[near] if near is not None else name_of(cell)


def _detail(field: Field, state: State) -> Detail:
    position = state.position
    symbol, meet = rules.hoxla_cells(position)
    there = game.symbols(position)
    last = position.last if position.phase == "place" else None
    return Detail(
        cards=tuple(
            CardView(
                cell=name_of(one.cell),
                symbols=there[one.cell],
                by=state.players[one.player].seat if one.player != NOBODY else "",
                matched=one.matched,
            )
            for one in position.laid
        ),
        slots={name_of(_at(state, cell)): field.slots[cell] for cell in CELLS},
        field=state.setup.field,
        deck=state.setup.deck.name,
        left=len(position.deck),
        phase=position.phase,
        round=position.round,
        stake=position.stake,
        dealer=state.players[position.dealer].seat,
        on_board=field.on_board,
        note=field.note,
        faces=position.faces,
        hedges={one.seat: chips for one, chips in zip(state.players, position.hedges, strict=True)},
        last=last.matched if last is not None else -1,
        before=state.players[last.player].seat if last is not None else "",
        announced=position.faces[state.announced - 1] if state.announced else "",
        targets=tuple(sorted({name_of(one.fit.cell) for one in _announced(state)})),
        hoxla=symbol,
        meet=tuple(_slot_shown(field, state, cell) for cell in meet),
        thrown=tuple(position.faces[card - 1] for card in position.face_up),
    )


def _announced(state: State) -> Iterator[Choice]:
    """Yield where the announced card may go; nothing before a card was announced (3.6)."""
    if state.announced:
        for choice in game.affordable(state.position):
            if choice.card == state.announced:
                yield choice


def _headline(state: State) -> str:
    if state.outcome is not None:
        return state.outcome
    name, position = state.active.name, state.position
    now = {
        "shuffle": f"{name} shuffles the cards.",
        "line": f"{name} lays the opening line, then deals.",
        "stake": f"{name} sets the stake.",
        "hedge": f"{name} puts chips into the hedge, or none.",
        "place": f"{name} lays a card.",
        "over": "",
    }[position.phase]
    if (
        position.phase == "place"
        and position.last is not None
        and position.last.matched
        and not position.solo
    ):
        now = f"{name} lays a card. To match: {_edges(position.last.matched)}."
    return now


def _edges(count: int) -> str:
    return f"{count} edge{'' if count == 1 else 's'}"


def _todo(field: Field, state: State) -> str:
    """Return what hands have to do before the next card, as a sentence."""
    lift, lay = state.watch.todo(rules.taken_slots(field, state))
    parts = [f"lift {listed(lift)}"] * bool(lift) + [f"lay the card on {listed(lay)}"] * bool(lay)
    return sentence(parts)


def _seat(state: State, number: int) -> SeatView:
    player, position = state.players[number], state.position
    chips = (
        Counter(label="in stock", count=position.stocks[number]),
        Counter(label="in the hedge", count=position.hedges[number]),
    )
    held = Counter(label="cards", one="card", count=len(position.hands[number]))
    return SeatView(
        seat=player.seat,
        name=player.name,
        colour=player.seat,
        counters=(held,) if position.solo else (*chips, held),
        out=player.out or player.left,
        note="deals" if number == position.dealer and not position.solo else "",
    )


def _place(field: Field, state: State, cell: str) -> PlaceView:
    """Return how a cell looks: its card, and what hands should do there."""
    slot, at = field.slots[cell], _at(state, cell)
    wants = "" if state.over else state.watch.wants(rules.taken_slots(field, state), slot)
    found = next((one for one in state.position.laid if one.cell == at), None)
    title = "" if state.position.bounded else name_of(at)
    if found is None:
        return PlaceView(place=f"slot.{slot}", wants=wants, title=title)
    return PlaceView(
        place=f"slot.{slot}",
        title=title,
        piece=_piece(state, found.card, found.turns),
        wants=wants,
        label=str(found.matched) if found == state.position.laid[-1] and found.player != NOBODY else "",
        note=_note(state, found),
    )


def _piece(state: State, card: int, turns: int = 0) -> Piece:
    face = state.position.faces[card - 1]
    return Piece(
        id=card,
        name=face,
        title=runs(face),
        turns=turns,
        summary=f"Clockwise from the top: {in_words(face)}.",
    )


def _note(state: State, one: Laid) -> str:
    """Return a card in words, from edge 1 on, and whether it is the last one."""
    symbols = game.symbols(state.position)[one.cell]
    if one.player == NOBODY:
        return f"edges: {in_words(symbols)}"
    last = "the last card, " if one == state.position.laid[-1] else ""
    return f"{last}{CALLS[one.matched]}, edges: {in_words(symbols)}"


# --- what one seat may do ---


def private(field: Field, state: State, seat: str) -> PrivateView:
    """Return a seat's hand and what it may do now."""
    number = state.number(seat)
    if number is None or state.players[number].left:
        return PrivateView(seat=seat, hand=(), options=(), prompts=())
    hand = tuple(_piece(state, card) for card in state.position.hands[number])
    if state.over or state.paused or state.position.out[number]:
        return PrivateView(seat=seat, hand=hand, options=(), prompts=())
    options = [
        *tellings(state.watch, rules.taken_slots(field, state), "The card is on {slot}", "{slot} is empty")
    ]
    ours = number == state.position.mover
    todo = _todo(field, state)
    if ours:
        options += _now(state, free=not todo) if state.position.phase != "place" else []
        options += _turn(field, state) if state.position.phase == "place" and not todo else []
    return PrivateView(
        seat=seat,
        hand=hand,
        options=tuple(options),
        prompts=tuple(_prompts(field, state)) if ours else (),
        headline=_hint(state) if ours else "",
    )


def _now(state: State, *, free: bool) -> Iterator[Option]:
    """Yield what the dealer does before a game, and what may be hedged; ``free`` if hands are done."""
    position = state.position
    match position.phase:
        case "shuffle" if free:
            yield Option(
                group="shuffle", label="Shuffle, and lay three cards", act={"do": "shuffle"}, clause="3.3"
            )
        case "line":
            if game.another_line(position).laid != position.laid:
                yield Option(
                    group="another", label="Lay them another way", act={"do": "another"}, clause="3.3"
                )
            yield Option(group="deal", label="Deal three cards each", act={"do": "deal"}, clause="3.4.1")
        case "stake":
            chips = Amount(into="chips", label="chips", least=1, most=rules.MOST_STAKE, step=1, usual=1)
            act = {"do": "stake"}
            yield Option(group="stake", label="Set the stake", act=act, amounts=(chips,), clause="3.4.2")
        case "hedge":
            stake, stock = position.stake, position.stocks[position.mover]
            most = stock - stock % stake
            chips = Amount(into="chips", label="chips", most=most, step=stake, usual=min(most, 2 * stake))
            act = {"do": "hedge"}
            yield Option(
                group="hedge", label="Put this many into the hedge", act=act, amounts=(chips,), clause="3.4.3"
            )
        case _:
            return


def _turn(field: Field, state: State) -> Iterator[Option]:
    """Yield every placement that can be afforded, and what else may be done with a card."""
    position = state.position
    turns: dict[tuple[int, Cell], list[Choice]] = {}
    for choice in game.affordable(position):
        turns.setdefault((choice.card, choice.fit.cell), []).append(choice)
    for (card, cell), found in turns.items():
        owes = max(one.owes if not one.fit.hoxla else 0 for one in found)
        where, call = _slot_shown(field, state, cell), CALLS[found[0].fit.matched]
        pays = f", pays {owes}" if owes else ""
        yield Option(
            group="place",
            label=f"Lay it on {where}: {call}{pays}",
            act={"do": "place", "card": card, "to": name_of(cell)},
            slot=where,
            tile=card,
            turns=tuple(one.fit.turns for one in found),
            clause="3.4.4",
        )
    for card in position.hands[position.mover]:
        if turns and card != state.announced:
            act = {"do": "announce", "card": card}
            yield Option(
                group="announce", label=f"Show {position.faces[card - 1]} to everybody", act=act, tile=card
            )
        if game.must_discard(position):
            yield Option(
                group="discard",
                label="Throw it away",
                act={"do": "discard", "card": card},
                tile=card,
                clause="3.4.7",
            )
    if state.announced:
        yield Option(group="keep", label="Another card after all", act={"do": "keep"})


def _hint(state: State) -> str:
    """Return what our seat should do, and what it could afford at best if the table has hints."""
    position = state.position
    if position.phase != "place":
        return {
            "shuffle": "Your turn: shuffle the cards",
            "line": "Your turn: deal, or lay the line in another way",
            "stake": "Your turn: set the stake",
            "hedge": "Your turn: put chips into your hedge",
        }.get(position.phase, "")
    if game.must_discard(position):
        costs = game.owed(position, 0)
        return f"Your turn: no card fits. Throw one away{f', and pay {costs}' if costs else ''}"
    if not state.setup.hint:
        return "Your turn: tap a card of your hand"
    best = max(game.affordable(position), key=lambda one: (one.fit.hoxla, one.fit.matched))
    if best.fit.hoxla:
        return "Your turn: you can win with one of your cards"
    pays = f", but costs {best.owes} chip{'' if best.owes == 1 else 's'}" if best.owes else ""
    return f"Your turn: tap a card. The best place matches {_edges(best.fit.matched)}{pays}"


def _prompts(field: Field, state: State) -> Iterator[Prompt]:
    """Ask what cards do that were lifted or laid without a word; the board cannot tell which they are."""
    asked = rules.board_question(field, state)
    if asked is None:
        return
    lifted, put = state.watch.undeclared(rules.taken_slots(field, state))
    parts = [f"lifted from {listed(lifted)}"] * bool(lifted) + [f"put on {listed(put)}"] * bool(put)
    answers = [
        answering(asked, rules.choice_of(one), _declares(state, one))
        for one in rules.explaining(field, state)
    ]
    yield Prompt(
        id=asked,
        seat=state.active.seat,
        kind="board",
        text=f"A card was {' and one '.join(parts)}. What are you doing?",
        clause="3.6",
        options=(
            *answers,
            answering(asked, "back", "Nothing: it goes back"),
            answering(asked, "wrong", "The sensor is wrong"),
        ),
        slot=(*lifted, *put)[0],
    )


def _declares(state: State, choice: Choice) -> str:
    face = state.position.faces[choice.card - 1]
    shown = turned(face, choice.fit.turns)
    return f"Lay {shown}, {SYMBOLS[shown[0]]} at the top"


# --- lamps ---

_CARD: Final[Colour] = (40, 40, 36)
_LAST: Final[Colour] = (200, 200, 190)
_TARGET: Final[Colour] = (20, 90, 70)
_WHITE: Final[Colour] = (255, 255, 255)
_SYMBOL: Final[Mapping[str, Colour]] = {"R": (255, 20, 20), "B": (30, 80, 255), "Y": (255, 190, 0)}


def lamps(field: Field, shown: Scene) -> Mapping[str, Glow]:
    """Return the lamps: a card is dim, the last one bright; where an announced card may go glows (3.6)."""
    if not field.on_board or not shown.power or not isinstance(shown.detail, Detail):
        return {}
    detail = shown.detail
    targets = {detail.slots[cell] for cell in detail.targets if cell in detail.slots}
    last = detail.slots.get(detail.cards[-1].cell, "") if detail.cards else ""
    return {one.place: _glow(detail, one, targets, last) for one in shown.places}


def _glow(detail: Detail, one: PlaceView, targets: set[str], last: str) -> Glow:
    slot = one.place.partition(".")[2]
    if slot in detail.meet:
        return Glow(_SYMBOL[detail.hoxla], blink=True)
    if one.wants:
        return Glow(_WHITE if one.wants == "put" else _SYMBOL["R"], blink=True)
    if one.piece is not None:
        return Glow(_LAST if slot == last and detail.cards[-1].by else _CARD)
    return Glow(_TARGET if slot in targets else DARK)

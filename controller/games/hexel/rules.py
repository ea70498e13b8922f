"""The rules of Hex'el as a function: :func:`step` makes the next state from an event.

A person's act is heard by the row of :data:`ACTS` that belongs to it. A card is declared on a phone and lies
at once; where the board sees pieces, its Halls then have to agree before the next one. What nobody declared
is asked. Section numbers are those of docs/hexel.md.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from hextraction.controller.games.hexagon.acts import Refusal, read_act
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.events import Events, stepped, with_player
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.hexagon.pieces import answered, attested, declared, watching
from hextraction.controller.games.hexagon.telling import disbelieved
from hextraction.controller.games.hexel import position as game
from hextraction.controller.games.hexel.cards import same_turns
from hextraction.controller.games.hexel.mosaic import AROUND, cell_named, corners_of_hoxla, name_of
from hextraction.controller.games.hexel.position import CALLS, NOBODY, Choice, Happened, Phase, Position
from hextraction.controller.games.hexel.state import Act, Player, Setup, State
from hextraction.controller.games.protocol import (
    Acted,
    Effect,
    Said,
    Step,
    WorldEvent,
)
from msgspec.structs import replace

__all__ = [
    "ACTS",
    "MOST_STAKE",
    "Rule",
    "board_question",
    "choice_of",
    "explaining",
    "hoxla_cells",
    "rules_table",
    "slot_of",
    "start",
    "step",
    "taken_slots",
]

MOST_STAKE: Final = 1_000


def start(field: Field, wanted: Setup) -> State:
    """Return the beginning: the deck is not shuffled yet."""
    players = tuple(Player(seat=one.seat, name=one.name) for one in wanted.seats)
    bounded = wanted.field != "open"
    return State(
        setup=wanted,
        players=players,
        position=game.new(
            wanted.deck.faces, wanted.stocks, bounded=bounded, dealer=wanted.dealer % len(players)
        ),
        watch=watching((), sees=wanted.sees and field.on_board and bounded),
        at_us=wanted.at_us,
    )


def slot_of(field: Field, state: State, cell: tuple[int, int]) -> str:
    """Return the slot of a cell, or its coordinates on an open field."""
    name = name_of(cell)
    return field.slots[name] if state.position.bounded else name


def taken_slots(field: Field, state: State) -> tuple[str, ...]:
    """Return the slots in which cards should lie; an open field has none."""
    if not state.position.bounded:
        return ()
    return tuple(field.slots[name_of(one.cell)] for one in state.position.laid)


# --- events ---


def step(field: Field, state: State, event: WorldEvent) -> Step[State]:
    """Apply one event. What a Hall sees never moves a card: what was not declared is asked (3.6)."""
    return stepped(field, state, event, _EVENTS)


def _person(field: Field, state: State, event: Acted, said: list[Effect]) -> State:
    return _hear(field, state, event, read_act(event.act, Act, "3.4"), said)


_EVENTS: Final = Events[State](
    hear=_person,
    lies=taken_slots,
    lifted="Somebody lifted a card from {slot} and has not said why.",
    put="Somebody put a card on {slot} and has not said why.",
    clause="3.6",
)


# --- what people do ---

Hear = Callable[[Field, State, Acted, Act, list[Effect]], State]


class Rule(NamedTuple):
    """Who hears an act, and when: in which phases, by whose turn, and while hands are still at work.

    ``phases`` are empty if it is heard at any time.
    """

    hear: Hear
    section: str
    phases: tuple[Phase, ...] = ()
    hands: bool = False


_NOW: Final[dict[Phase, str]] = {
    "shuffle": "first the dealer shuffles",
    "line": "the dealer is laying the opening line",
    "stake": "the dealer sets the stake",
    "hedge": "first everybody puts chips aside",
    "place": "cards are being laid",
    "over": "the game is over",
}


def _hear(field: Field, state: State, event: Acted, act: Act, said: list[Effect]) -> State:
    rule, number = ACTS[act.do], state.number(event.seat)
    if number is None or state.players[number].left:
        raise Refusal("You do not play in this game.", "3.1")
    if state.over:
        raise Refusal("The game is over.", "3.5")
    if act.do == "leave":
        return rule.hear(field, state, event, act, said)
    if state.paused:
        raise Refusal("The game is paused. Until it goes on, you can only leave.", "3.4")
    if state.position.out[number]:
        raise Refusal("You are out of this game.", "3.4.7")
    if rule.phases and state.position.phase not in rule.phases:
        raise Refusal(f"Not now: {_NOW[state.position.phase]}.", rule.section)
    if rule.phases and number != state.position.mover:
        raise Refusal(f"It is {state.active.name}'s turn.", rule.section)
    if not rule.hands:
        _hands_are_done(field, state)
    return rule.hear(field, state, event, act, said)


def _hands_are_done(field: Field, state: State) -> None:
    """The board must look as the last card left it, before the next one (3.6)."""
    lift, lay = state.watch.todo(taken_slots(field, state))
    if lift or lay:
        parts = [f"lift {', '.join(lift)}"] * bool(lift) + [f"lay a card on {', '.join(lay)}"] * bool(lay)
        raise Refusal(f"The board has to look right first: {' and '.join(parts)}.", "3.6")


def _shuffle(field: Field, state: State, event: Acted, _act: Act, said: list[Effect]) -> State:
    happened: list[Happened] = []
    if state.setup.order:
        ready = replace(state.position, deck=state.setup.order)
        after = game.opened(ready, happened)
    else:
        after = game.shuffled(state.position, event.chance, happened)
    return _moved(field, state, after, happened, said)


def _another(field: Field, state: State, _event: Acted, _act: Act, said: list[Effect]) -> State:
    after = game.another_line(state.position)
    if after.laid == state.position.laid:
        raise Refusal("These three cards fit in this way only.", "3.3")
    return _moved(field, state, after, [Happened("another", state.position.mover)], said)


def _deal(field: Field, state: State, _event: Acted, _act: Act, said: list[Effect]) -> State:
    happened: list[Happened] = []
    return _moved(field, state, game.dealt(state.position, happened), happened, said)


def _stake(field: Field, state: State, _event: Acted, act: Act, said: list[Effect]) -> State:
    if not 1 <= act.chips <= MOST_STAKE:
        raise Refusal(f"The stake is 1 to {MOST_STAKE} chips, not {act.chips}.", "3.4.2")
    happened: list[Happened] = []
    return _moved(field, state, game.staked(state.position, act.chips, happened), happened, said)


def _hedge(field: Field, state: State, _event: Acted, act: Act, said: list[Effect]) -> State:
    stake, stock = state.position.stake, state.position.stocks[state.position.mover]
    if act.chips < 0 or act.chips % stake:
        raise Refusal(f"A hedge is a multiple of the stake ({stake}), and {act.chips} is not.", "3.4.3")
    if act.chips > stock:
        raise Refusal(f"Your stock has {stock} chips, not {act.chips}.", "3.4.3")
    happened: list[Happened] = []
    return _moved(field, state, game.hedged(state.position, act.chips, happened), happened, said)


def _announce(_field: Field, state: State, _event: Acted, act: Act, said: list[Effect]) -> State:
    """Show everybody, and the lamps, where a card may go (3.6)."""
    if act.card not in state.position.hands[state.position.mover]:
        raise Refusal("That card is not in your hand.", "3.6")
    if act.card == state.announced:
        raise Refusal("You have shown that card already.", "3.6")
    face = state.position.faces[act.card - 1]
    text = f"{state.active.name} shows a card: {face}."
    said.append(Said(kind="announce", text=text, seat=state.active.seat, clause="3.6"))
    return replace(state, announced=act.card)


def _keep(_field: Field, state: State, _event: Acted, _act: Act, _said: list[Effect]) -> State:
    if not state.announced:
        raise Refusal("You have not shown a card.", "3.6")
    return replace(state, announced=0)


def _place(field: Field, state: State, _event: Acted, act: Act, said: list[Effect]) -> State:
    position = state.position
    held = act.card in position.hands[position.mover]
    turns = same_turns(position.faces[act.card - 1], act.turns) if held else 0
    for one in game.affordable(position):
        if (one.card, name_of(one.fit.cell), one.fit.turns) == (act.card, act.to, turns):
            return _chosen(field, state, one, said)
    reason, section = game.why_not(position, act.card, act.to, turns)
    cell = cell_named(act.to)
    where = slot_of(field, state, cell) if cell is not None and act.to in CELLS else act.to
    raise Refusal(reason.replace(act.to, where) if act.to else reason, section)


def _chosen(field: Field, state: State, choice: Choice, said: list[Effect]) -> State:
    happened: list[Happened] = []
    return _moved(field, state, game.placed(state.position, choice, happened), happened, said)


def _discard(field: Field, state: State, _event: Acted, act: Act, said: list[Effect]) -> State:
    if act.card not in state.position.hands[state.position.mover]:
        raise Refusal("That card is not in your hand.", "3.4.7")
    if not game.must_discard(state.position):
        raise Refusal("You can lay a card, so you must.", "3.4.4")
    happened: list[Happened] = []
    return _moved(field, state, game.discarded(state.position, act.card, happened), happened, said)


def _pay(_field: Field, _state: State, _event: Acted, _act: Act, _said: list[Effect]) -> State:
    raise Refusal("Your hedge pays the insurance by itself. Your stock never pays.", "3.4.7")


def _leave(field: Field, state: State, event: Acted, _act: Act, said: list[Effect]) -> State:
    """Who leaves throws the hand away; the hedge stays on the table for whoever wins (3.1)."""
    number = state.number(event.seat)
    if number is None:  # _hear has looked
        return state
    name = state.players[number].name
    said.append(
        Said(kind="left", text=f"{name} leaves. The hand is thrown away.", seat=event.seat, clause="3.1")
    )
    now = with_player(state, event.seat, left=True)
    if state.position.out[number]:
        return now
    happened: list[Happened] = []
    after = game.gone(state.position, number, happened)
    return _moved(field, now, after, happened, said)


# --- what comes of it ---


def _moved(
    field: Field, state: State, after: Position, happened: list[Happened], said: list[Effect]
) -> State:
    """Return the state with another position; tell what happened, and have hands lay what is new."""
    changed = (
        {one.cell for one in (*state.position.laid, *after.laid)} if after.laid != state.position.laid else ()
    )
    before = state.position
    if len(after.laid) == len(before.laid) + 1:
        changed = {after.laid[-1].cell}
    players = tuple(
        replace(one, out=out) if one.out is not out else one
        for one, out in zip(state.players, after.out, strict=True)
    )
    kept = state.announced if after.mover == before.mover and after.turn == before.turn else 0
    now = replace(state, position=after, players=players, announced=kept)
    if changed and after.bounded:
        slots = [field.slots[name_of(cell)] for cell in changed]
        watch = declared(now.watch, taken_slots(field, now), slots, on=now.power)
        now = replace(now, watch=watch)
    said += [_told(field, now, one) for one in happened]
    return _ended(now, said) if after.phase == "over" else now


def _told(field: Field, state: State, one: Happened) -> Said:
    """Return what happened in words; no hand and no deck is in them."""
    name = state.players[one.player].name if one.player != NOBODY else ""
    seat = state.players[one.player].seat if one.player != NOBODY else None
    text, section = _WORDS[one.what]
    words = text.format(
        name=name,
        count=one.number,
        chips=f"{one.number} chip{'' if one.number == 1 else 's'}",
        call=CALLS[min(one.number, len(CALLS) - 1)],
        face=state.position.faces[one.card - 1] if one.card else "",
        where=slot_of(field, state, one.cell) if one.cell is not None else "",
        to=state.players[one.to].name if one.to != NOBODY else "nobody",
    )
    slot = field.slots.get(name_of(one.cell)) if one.cell is not None and state.position.bounded else None
    return Said(kind=one.what, text=words, seat=seat, slot=slot, clause=section)


_WORDS: Final = {
    "redrawn": ("Those three cards could not be laid in a line, so others are drawn.", "3.3"),
    "shuffled": ("{name} shuffles and lays three cards in a line.", "3.3"),
    "another": ("{name} lays the three cards in another way.", "3.3"),
    "dealt": ("Round {count}: everybody gets three cards.", "3.4.1"),
    "stake": ("{name} sets the stake: {chips} an edge.", "3.4.2"),
    "hedge": ("{name} puts {chips} into the hedge.", "3.4.3"),
    "placed": ("{name} lays a card on {where}: {call}.", "3.4.4"),
    "hoxla": ("Hoxla! Three cards meet on {where} with the same symbol.", "3.4.5"),
    "paid": ("{name} pays {chips} to {to}.", "3.4.6"),
    "discarded": ("{name} cannot lay a card and throws away {face}.", "3.4.7"),
    "out": ("{name} can neither match nor pay, and is out. {to} gets {chips}.", "3.4.7"),
    "won": ("{name} takes all hedges: {chips}.", "3.5"),
    "over": ("The cards have run out. Cards laid: {count}.", "3.5"),
}


def _ended(state: State, said: list[Effect]) -> State:
    """Say how it ended, and who won (3.5)."""
    position = state.position
    winner = state.players[position.winner] if position.winner != NOBODY else None
    name = winner.name if winner is not None else ""
    laid = sum(one.player != NOBODY for one in position.laid)
    solo = f" with card {laid}" if position.solo else ""
    outcome = {
        "hoxla": f"{name} wins by a Hoxla{solo}.",
        "last one in": f"{name} wins: nobody else is left.",
        "deck out": f"The deck has run out: {name} laid the last card and wins.",
        "field full": f"The field is full: {name} laid the last card and wins.",
        "left": "Everybody has left.",
    }[position.ended]
    if winner is None and position.ended != "left":
        outcome = f"No Hoxla: {laid} card{'' if laid == 1 else 's'} laid, and nobody wins."
    seat = winner.seat if winner is not None else None
    said.append(Said(kind="win" if winner is not None else "over", text=outcome, seat=seat, clause="3.5"))
    return replace(state, outcome=outcome, announced=0)


def hoxla_cells(position: Position) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the symbol of the Hoxla with which the game ended, and the cells that meet there."""
    if position.ended != "hoxla":
        return "", ()
    there, last = game.symbols(position), position.laid[-1].cell
    others = {cell: symbols for cell, symbols in there.items() if cell != last}
    corners = corners_of_hoxla(others, last, there[last])
    cells = (last, *corners[0])
    across, down = cells[1][0] - last[0], cells[1][1] - last[1]
    edge = next(at for at, step_over in enumerate(AROUND) if step_over == (across, down))
    return there[last][edge], cells


# --- what nobody declared ---


def board_question(field: Field, state: State) -> str | None:
    """Return the name of the question about cards that were moved without a word; None if there is none."""
    if state.over or not state.power:
        return None
    return state.watch.question(taken_slots(field, state)) or None


def explaining(field: Field, state: State) -> Iterator[Choice]:
    """Yield the placements that hands may be about to make, by what was put without a word."""
    lies = taken_slots(field, state)
    lifted, put = state.watch.undeclared(lies)
    if state.position.phase != "place" or lifted or len(put) != 1 or any(state.watch.todo(lies)):
        return
    for choice in game.affordable(state.position):
        if slot_of(field, state, choice.fit.cell) == put[0]:
            yield choice


def choice_of(choice: Choice) -> str:
    """Return the answer that declares a placement."""
    return f"place {choice.card} {name_of(choice.fit.cell)} {choice.fit.turns}"


def _answer(field: Field, state: State, event: Acted, act: Act, said: list[Effect]) -> State:
    """Go by what the player says of cards that were moved without a word (3.6)."""
    asked = board_question(field, state)
    if asked is None or act.prompt != asked or event.seat != state.active.seat:
        raise Refusal("Nobody asks that now.", "3.6")
    answer = answered(state.watch, taken_slots(field, state), act.choice)
    if answer is not None:
        watch, wrong = answer
        if wrong:
            said.append(disbelieved(wrong, "3.6"))
        return replace(state, watch=watch)
    for choice in explaining(field, state):
        if act.choice == choice_of(choice):
            return _chosen(field, state, choice, said)
    raise Refusal("That is not one of the answers.", "3.6")


def _laid(field: Field, state: State, _event: Acted, act: Act, _said: list[Effect]) -> State:
    """Believe what people say where sensors say nothing (3.6)."""
    watch = attested(state.watch, taken_slots(field, state), act.slot, laid=act.do == "laid")
    if watch is None:
        raise Refusal("There is no card to lay or lift there.", "3.6")
    return replace(state, watch=watch)


# --- the table of acts ---

ACTS: Final[dict[str, Rule]] = {
    "shuffle": Rule(_shuffle, "3.3", ("shuffle",)),
    "another": Rule(_another, "3.3", ("line",), hands=True),
    "deal": Rule(_deal, "3.4.1", ("line",), hands=True),
    "stake": Rule(_stake, "3.4.2", ("stake",), hands=True),
    "hedge": Rule(_hedge, "3.4.3", ("hedge",), hands=True),
    "announce": Rule(_announce, "3.6", ("place",)),
    "keep": Rule(_keep, "3.6", ("place",), hands=True),
    "place": Rule(_place, "3.4.4", ("place",)),
    "discard": Rule(_discard, "3.4.7", ("place",)),
    "pay": Rule(_pay, "3.4.7", hands=True),
    "answer": Rule(_answer, "3.6", hands=True),
    "laid": Rule(_laid, "3.6", hands=True),
    "lifted": Rule(_laid, "3.6", hands=True),
    "leave": Rule(_leave, "3.1", hands=True),
}
"""Who hears each act, by which section, and when; with phases it has to be the player's turn, too."""


def rules_table() -> str:
    """Return the table of acts as Markdown: when each is heard, and what it waits for."""
    rows = [
        "| Act | Section | Heard on the own turn while | While hands are at work |\n",
        "|---|---|---|---|\n",
    ]
    for act, rule in ACTS.items():
        when = ", ".join(_NOW[phase] for phase in rule.phases) or "always, from anybody"
        rows.append(f"| `{act}` | {rule.section} | {when} | {'heard' if rule.hands else 'refused'} |\n")
    return "".join(rows)

"""The rules of Hextris as a function: :func:`step` makes the next state from an event.

A person's act is heard by the row of :data:`ACTS` that belongs to it. A ply is declared on a phone and
stands at once; where the board sees pieces, its Halls then have to agree before the next one. What nobody
declared is asked. Section numbers are those of docs/hextris.md.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from hextraction.controller.games.hexagon.acts import Refusal, read_act
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.events import Events, stepped, with_player
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.hexagon.pieces import answered, attested, declared, watching
from hextraction.controller.games.hexagon.telling import disbelieved
from hextraction.controller.games.hextris import position as board
from hextraction.controller.games.hextris.position import SIZES, Ply
from hextraction.controller.games.hextris.state import Act, Ask, Going, Past, Player, Setup, State
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
    "WORDS",
    "Rule",
    "board_question",
    "choice_of",
    "explaining",
    "go_on",
    "must_answer",
    "question_id",
    "repeated",
    "rules_table",
    "start",
    "step",
    "taken_slots",
]

WORDS: Final = {"S": "small", "M": "medium", "L": "large"}


def start(field: Field, wanted: Setup) -> State:
    """Return the beginning: an empty board, all pieces in hand."""
    players = tuple(Player(seat=one.seat, name=one.name) for one in wanted.seats)
    return State(
        setup=wanted,
        players=players,
        position=board.new(len(players), wanted.first % len(players)),
        watch=watching((), sees=wanted.sees and field.on_board),
        at_us=wanted.at_us,
    )


def taken_slots(field: Field, state: State) -> tuple[str, ...]:
    """Return the slots in which pieces should lie."""
    return tuple(field.slots[cell] for cell in board.cells_of(state.position.taken))


# --- events ---


def step(field: Field, state: State, event: WorldEvent) -> Step[State]:
    """Apply one event. What a Hall sees never moves a piece: what was not declared is asked (2.6)."""
    return stepped(field, state, event, _EVENTS)


def _person(field: Field, state: State, event: Acted, said: list[Effect]) -> State:
    return _hear(field, state, event.seat, _read(event.act), said)


def _read(words: dict[str, object]) -> Act:
    act = read_act(words, Act, "2.2")
    for cell in (act.at, act.to):
        if cell and cell not in CELLS:
            raise Refusal(f"There is no cell {cell!r}; they are a1 to e3.", "2.1")
    if act.size and act.size not in SIZES:
        raise Refusal(f"There is no size {act.size!r}; want S, M or L.", "2.1")
    return act


def _confirmed(field: Field, state: State) -> State:
    """Forget the pieces that go home once they are off the board."""
    lift = state.watch.lift(taken_slots(field, state))
    going = tuple(one for one in state.going if field.slots[one.cell] in lift)
    return state if going == state.going else replace(state, going=going)


_EVENTS: Final = Events[State](
    hear=_person,
    lies=taken_slots,
    lifted="Somebody lifted a piece from {slot} and has not said why.",
    put="Somebody put a piece on {slot} and has not said why.",
    clause="2.6",
    settled=_confirmed,
)


# --- what people do ---


class Rule(NamedTuple):
    """Who hears an act, and when: on the player's turn only, with open questions, while hands are at work."""

    hear: Callable[[Field, State, str, Act, list[Effect]], State]
    section: str
    turn: bool = False
    asked: bool = False
    hands: bool = False


def _hear(field: Field, state: State, seat: str, act: Act, said: list[Effect]) -> State:
    rule, player = ACTS[act.do], state.player(seat)
    if player is None or player.out:
        raise Refusal("You do not play in this game.", "2.1")
    if state.over:
        raise Refusal("The game is over.", "2.4")
    if state.paused and act.do != "leave":
        raise Refusal("The game is paused. Until it goes on, you can only leave.", "2.4")
    if rule.turn and seat != state.active.seat:
        raise Refusal(f"It is {state.active.name}'s turn.", "2.2")
    if state.ask is not None and not rule.asked:
        raise Refusal("A question is open: it comes first.", "2.4")
    if not rule.hands:
        _hands_are_done(field, state)
    return rule.hear(field, state, seat, act, said)


def _hands_are_done(field: Field, state: State) -> None:
    """The board must look as the last ply left it, before the next one (2.6)."""
    lift, lay = state.watch.todo(taken_slots(field, state))
    if lift or lay:
        parts = [f"lift {', '.join(lift)}"] * bool(lift) + [f"put a piece on {', '.join(lay)}"] * bool(lay)
        raise Refusal(f"The board has to look right first: {' and '.join(parts)}.", "2.6")


def _play(field: Field, state: State, _seat: str, act: Act, said: list[Effect]) -> State:
    ply = Ply("drop", act.to, size=act.size) if act.do == "drop" else Ply(act.do, act.to, act.at)
    if not ply.to or not (ply.size if act.do == "drop" else ply.at):
        raise Refusal("Say which piece, and where to.", "2.2")
    return _plied(field, state, _ordered(ply), said)


def _ordered(ply: Ply) -> Ply:
    """Return a swap as it is counted: an unordered pair."""
    if ply.kind != "swap":
        return ply
    first, second = sorted((ply.at, ply.to))
    return Ply("swap", second, first)


def _plied(field: Field, state: State, ply: Ply, said: list[Effect]) -> State:
    """Carry out a ply, if it is legal; then whoever cannot move is skipped."""
    why_not = board.why_not(state.position, ply, state.setup.reading)
    if why_not is not None:
        raise Refusal(*_with_slots(field, why_not))
    before, after = state.position, board.after(state.position, ply)
    gone = tuple(
        Going(cell, owner[0], owner[1])
        for cell in board.removed(before, ply)
        if (owner := _owner_after(state, ply, cell)) is not None
    )
    said.append(_told(field, state, ply))
    now = replace(
        state,
        position=after,
        past=(*state.past, Past(before, state.turn)),
        made=ply,
        going=gone,
        picked="",
    )
    changed = {cell for cell in (ply.at, ply.to) if cell} | {one.cell for one in gone}
    now = _declared(field, now, changed)
    _tell_fives(state, now, said)
    if after.winner is not None:
        return _won(now, after.winner, said)
    return go_on(replace(now, turn=state.turn + 1), said)


def _with_slots(field: Field, why_not: tuple[str, str]) -> tuple[str, str]:
    """Return a reason with the board's slots in the place of cells."""
    reason, section = why_not
    words = [field.slots.get(word.strip(".,;:"), "") for word in reason.split(" ")]
    named = [
        word.replace(word.strip(".,;:"), slot) if slot else word
        for word, slot in zip(reason.split(" "), words, strict=True)
    ]
    return " ".join(named), section


def _owner_after(state: State, ply: Ply, cell: str) -> tuple[int, str] | None:
    """Return whose piece lies in a cell once a ply has moved it, before fives leave."""
    if cell == ply.to:
        return (state.position.mover, ply.size) if ply.kind == "drop" else state.position.piece(ply.at)
    return state.position.piece(ply.to if ply.kind == "swap" and cell == ply.at else cell)


def _declared(field: Field, state: State, cells: set[str]) -> State:
    changed = [field.slots[cell] for cell in cells]
    watch = declared(state.watch, taken_slots(field, state), changed, on=state.power)
    return _confirmed(field, replace(state, watch=watch))


def _told(field: Field, state: State, ply: Ply) -> Said:
    name, to = state.active.name, field.slots[ply.to]
    if ply.kind == "drop":
        text = f"{name} drops a {WORDS[ply.size]} piece on {to}."
    else:
        piece = state.position.piece(ply.at)
        size = WORDS[piece[1]] if piece is not None else ""
        at = field.slots[ply.at]
        text = f"{name} slides a {size} piece from {at} to {to}."
        if ply.kind == "swap":
            text = f"{name} swaps the pieces on {at} and {to}."
    return Said(kind=ply.kind, text=text, seat=state.active.seat, slot=to, clause="2.2")


def _tell_fives(before: State, after: State, said: list[Effect]) -> None:
    for number, player in enumerate(after.players):
        home = after.position.home[number]
        if home > before.position.home[number]:
            stays = "" if after.position.winner is None else ", and it stays on the board"
            text = f"{player.name} has five connected: group {home} of {board.GROUPS_TO_WIN}{stays}."
            said.append(Said(kind="five", text=text, seat=player.seat, clause="2.2"))


def _won(state: State, winner: int, said: list[Effect]) -> State:
    player = state.players[winner]
    both = [one.name for one, home in zip(state.players, state.position.home, strict=True) if home >= 3]
    also = " as the one who moved" if len(both) > 1 and state.past[-1].position.mover == winner else ""
    outcome = f"{player.name} wins{also}: the third group of five is there."
    said.append(Said(kind="win", text=outcome, seat=player.seat, clause="2.4"))
    return replace(state, winners=(player.seat,), outcome=outcome, ended="third group")


def go_on(state: State, said: list[Effect]) -> State:
    """Skip whoever cannot move or has left; offer a draw if this position was here before (2.2, 2.4)."""
    skipped: list[Player] = []
    while not _can_move(state):
        if len(skipped) == len(state.players):
            played = max(1, state.turn - 1 - sum(not one.out for one in skipped))
            return _drawn(replace(state, turn=played), "Nobody can move: a draw.", "nobody can move", said)
        skipped.append(state.active)
        turn = state.turn + (not state.active.out)
        state = replace(state, position=board.skipped(state.position), turn=turn)
    for player in skipped:
        if not player.out:
            text = f"{player.name} cannot move and loses the turn."
            said.append(Said(kind="skip", text=text, seat=player.seat, clause="2.2"))
    if repeated(state) >= state.setup.offer_after:
        text = "This position was here before. You may agree to a draw."
        said.append(Said(kind="draw", text=text, clause="2.4"))
        return replace(state, ask=Ask(kind="draw", number=state.asked + 1), asked=state.asked + 1)
    return state


def _can_move(state: State) -> bool:
    return not state.active.out and bool(board.legal(state.position, state.setup.reading))


def repeated(state: State) -> int:
    """Return how often this position has been there, now included."""
    return 1 + sum(one.position == state.position for one in state.past)


def _drawn(state: State, outcome: str, ended: str, said: list[Effect]) -> State:
    said.append(Said(kind="over", text=outcome, clause="2.4"))
    return replace(state, outcome=outcome, ended=ended, ask=None, picked="")


def _pick(_field: Field, state: State, _seat: str, act: Act, _said: list[Effect]) -> State:
    """Show everybody, and the lamps, where a piece may go."""
    wanted = act.at or act.size
    plies = board.legal(state.position, state.setup.reading)
    if wanted not in {end for ply in plies for end in _ends(state, ply)}:
        raise Refusal("That piece cannot move.", "2.2")
    return replace(state, picked=wanted)


def _ends(state: State, ply: Ply) -> tuple[str, ...]:
    """Return what may be picked for a ply: a size of the hand, or an own piece."""
    if ply.kind == "drop":
        return (ply.size,)
    mine = state.position.own[state.position.mover]
    own = tuple(cell for cell in (ply.at, ply.to) if ply.kind == "swap" and mine & board.bit_of(cell))
    return own or (ply.at,)


def _unpick(_field: Field, state: State, _seat: str, _act: Act, _said: list[Effect]) -> State:
    return replace(state, picked="")


def _pass(_field: Field, _state: State, _seat: str, _act: Act, _said: list[Effect]) -> State:
    raise Refusal("You can move, so you must. You lose a turn only if you cannot.", "2.2")


def _offer(_field: Field, state: State, seat: str, _act: Act, said: list[Effect]) -> State:
    name = _named(state, seat)
    said.append(Said(kind="draw", text=f"{name} offers a draw.", seat=seat, clause="2.4"))
    number = state.asked + 1
    return _settled(replace(state, ask=Ask(kind="draw", number=number, by=seat), asked=number), said)


def _ask_back(field: Field, state: State, seat: str, _act: Act, said: list[Effect]) -> State:
    if not state.setup.take_back:
        raise Refusal("At this table you cannot take anything back.", "2.6")
    if not state.past:
        raise Refusal("Nobody has moved yet.", "2.6")
    if state.players[state.past[-1].position.mover].seat != seat:
        raise Refusal("Only the player who moved last can ask to take it back.", "2.6")
    said.append(
        Said(
            kind="take_back",
            text=f"{_named(state, seat)} wants to take the move back.",
            seat=seat,
            clause="2.6",
        )
    )
    number = state.asked + 1
    ask = Ask(kind="take_back", number=number, by=seat)
    return _answered(field, replace(state, ask=ask, asked=number), said)


def _answer(field: Field, state: State, seat: str, act: Act, said: list[Effect]) -> State:
    if state.ask is not None and act.prompt == question_id(state):
        if seat not in must_answer(state):
            raise Refusal("That question is not for you.", "2.4")
        if act.choice not in {"yes", "no"}:
            raise Refusal("Answer yes or no.", "2.4")
        if act.choice == "no":
            name, draw = _named(state, seat), state.ask.kind == "draw"
            text = f"{name} plays on." if draw else f"{name} says no: the move stands."
            said.append(Said(kind="declined", text=text, seat=seat, clause="2.4"))
            return replace(state, ask=None)
        ask = replace(state.ask, agreed=(*state.ask.agreed, seat))
        return _answered(field, replace(state, ask=ask), said)
    asked = board_question(field, state)
    if asked is None or act.prompt != asked or seat != state.active.seat:
        raise Refusal("Nobody asks that now.", "2.6" if act.prompt.startswith("board-") else "2.4")
    return _board_answered(field, state, act.choice, said)


def _board_answered(field: Field, state: State, choice: str, said: list[Effect]) -> State:
    """Go by what the player says of pieces that were moved without a word."""
    answer = answered(state.watch, taken_slots(field, state), choice)
    if answer is not None:
        watch, wrong = answer
        if wrong:
            said.append(disbelieved(wrong, "2.6"))
        return _confirmed(field, replace(state, watch=watch))
    for ply in explaining(field, state):
        if choice == choice_of(ply):
            return _plied(field, state, ply, said)
    raise Refusal("That is not one of the answers.", "2.6")


def _answered(field: Field, state: State, said: list[Effect]) -> State:
    """Do what was asked for, if nobody is left to agree."""
    if state.ask is None or must_answer(state):
        return state
    if state.ask.kind == "draw":
        return _settled(state, said)
    last = state.past[-1]
    said.append(Said(kind="take_back", text="The last move is taken back.", clause="2.6"))
    before = taken_slots(field, state)
    now = replace(
        state,
        position=last.position,
        past=state.past[:-1],
        made=None,
        going=(),
        turn=last.turn,
        ask=None,
        picked="",
    )
    changed = {field.cells[slot] for slot in {*before} ^ {*taken_slots(field, now)}}
    swapped = (
        {state.made.at, state.made.to} if state.made is not None and state.made.kind == "swap" else set()
    )
    return _declared(field, now, changed | swapped)


def _settled(state: State, said: list[Effect]) -> State:
    """End the game as a draw, if everybody has agreed."""
    if must_answer(state):
        return state
    return _drawn(state, "The players agree to a draw.", "draw agreed", said)


def must_answer(state: State) -> tuple[str, ...]:
    """Return the seats whose consent is still missing."""
    if state.ask is None:
        return ()
    said = {state.ask.by, *state.ask.agreed}
    return tuple(one.seat for one in state.players if not one.out and one.seat not in said)


def question_id(state: State) -> str:
    """Return the name of the open question to the players."""
    return f"{state.ask.kind}-{state.ask.number}" if state.ask is not None else ""


# --- what nobody declared ---


def board_question(field: Field, state: State) -> str | None:
    """Return the name of the question about pieces that were moved without a word; None if there is none."""
    if state.over or state.ask is not None or not state.power:
        return None
    return state.watch.question(taken_slots(field, state)) or None


def explaining(field: Field, state: State) -> tuple[Ply, ...]:
    """Return the legal plies that hands may be about to make, by what was lifted and put without a word."""
    lies = taken_slots(field, state)
    lifted, put = ({field.cells[slot] for slot in slots} for slots in state.watch.undeclared(lies))
    if any(state.watch.todo(lies)):
        return ()
    return tuple(
        ply for ply in board.legal(state.position, state.setup.reading) if _explains(ply, lifted, put)
    )


def _explains(ply: Ply, lifted: set[str], put: set[str]) -> bool:
    if ply.kind == "drop":
        return put == {ply.to} and not lifted
    if ply.kind == "slide":
        return lifted == {ply.at} and put <= {ply.to}
    return bool(lifted) and lifted <= {ply.at, ply.to} and not put


def choice_of(ply: Ply) -> str:
    """Return the answer that declares a ply."""
    return " ".join(filter(None, (ply.kind, ply.size, ply.at, ply.to)))


def _laid(field: Field, state: State, _seat: str, act: Act, _said: list[Effect]) -> State:
    """Believe what people say where sensors say nothing."""
    watch = attested(state.watch, taken_slots(field, state), act.slot, laid=act.do == "laid")
    if watch is None:
        raise Refusal("There is nothing to put or lift there.", "2.6")
    return _confirmed(field, replace(state, watch=watch))


# --- leaving ---


def _leave(field: Field, state: State, seat: str, _act: Act, said: list[Effect]) -> State:
    """Who leaves takes all their pieces along; the last one who stays wins."""
    name = _named(state, seat)
    said.append(Said(kind="left", text=f"{name} leaves and takes all pieces along.", seat=seat, clause="2.1"))
    number = next(at for at, one in enumerate(state.players) if one.seat == seat)
    before = state.position
    mine = board.cells_of(before.own[number])
    state = with_player(state, seat, out=True)
    left = [one for one in state.players if not one.out]
    now = replace(state, position=board.out_of_play(before, number), picked="", past=(), made=None, ask=None)
    now = _declared(field, now, set(mine))
    if len(left) == 1:
        outcome = f"{left[0].name} wins: nobody else is left."
        said.append(Said(kind="win", text=outcome, seat=left[0].seat, clause="2.4"))
        return replace(now, winners=(left[0].seat,), outcome=outcome, ended="left alone")
    return go_on(now, said)


def _named(state: State, seat: str) -> str:
    player = state.player(seat)
    return player.name if player is not None else seat


# --- the table of acts ---

ACTS: Final[dict[str, Rule]] = {
    "drop": Rule(_play, "2.2", turn=True),
    "slide": Rule(_play, "2.2", turn=True),
    "swap": Rule(_play, "2.3", turn=True),
    "pass": Rule(_pass, "2.2", turn=True),
    "pick": Rule(_pick, "2.6", turn=True),
    "unpick": Rule(_unpick, "2.6", turn=True, hands=True),
    "draw": Rule(_offer, "2.4", hands=True),
    "take_back": Rule(_ask_back, "2.6", hands=True),
    "answer": Rule(_answer, "2.4", asked=True, hands=True),
    "laid": Rule(_laid, "2.6", asked=True, hands=True),
    "lifted": Rule(_laid, "2.6", asked=True, hands=True),
    "leave": Rule(_leave, "2.1", asked=True, hands=True),
}
"""Who hears each act, by which section, and when."""


def rules_table() -> str:
    """Return the table of acts as Markdown: whose turn it must be, and what it waits for."""
    rows = ["| Act | Section | On the own turn only | While a question is open | While hands are at work |\n"]
    rows.append("|---|---|---|---|---|\n")
    for act, rule in ACTS.items():
        marks = (
            "yes" if rule.turn else "",
            *("heard" if one else "refused" for one in (rule.asked, rule.hands)),
        )
        rows.append(f"| `{act}` | {rule.section} | {' | '.join(marks)} |\n")
    return "".join(rows)

"""What is shown of a game of Hextris: the scene for everybody, what one seat may do, and the lamps."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.hexagon.telling import answering, listed, sentence, tellings
from hextraction.controller.games.hextris import position as board
from hextraction.controller.games.hextris import rules
from hextraction.controller.games.hextris.position import FIVE, SIZES, Ply
from hextraction.controller.games.hextris.rules import WORDS
from hextraction.controller.games.hextris.state import State
from hextraction.controller.games.hextris.written import Written, written
from hextraction.controller.games.scene import (
    Counter,
    Glow,
    Option,
    Piece,
    PlaceView,
    PrivateView,
    Prompt,
    Scene,
    SeatView,
    colour_of,
    sent,
)

__all__ = ["Detail", "Last", "Pyramid", "lamps", "private", "scene"]

_KIND: Final = "hextris"


class Pyramid(Piece, frozen=True, kw_only=True, omit_defaults=True):
    """A piece, and how many of its colour are connected with it, with itself; ``lit`` in a group of five."""

    group: int = sent(1)
    lit: bool = False


class Last(msgspec.Struct, frozen=True, kw_only=True):
    """The last ply: whose, what kind, and its slots; ``at`` is empty for a drop."""

    by: str
    kind: str
    to: str
    at: str = ""


class Detail(msgspec.Struct, frozen=True, kw_only=True, tag_field="game", tag="hextris"):
    """What only Hextris shows: the position, how swaps are read, and what has been picked.

    ``position`` is written as in docs/hextris.md, ``seats`` are its players by number, ``slots`` the slot of
    each cell. ``picked`` is a cell, or a size of the hand, and ``targets`` are the cells to which it may go.
    ``fives`` are the slots of the groups with which the game ended, and of those that go home now;
    ``last`` is the last ply. ``note`` says how this board is used,
    ``on_board`` whether it has the hexagon itself.
    """

    position: Written
    seats: tuple[str, ...]
    slots: dict[str, str]
    on_board: bool
    reading: str
    note: str
    picked: str = ""
    targets: tuple[str, ...] = ()
    fives: tuple[str, ...] = ()
    last: Last | None = None


def scene(field: Field, state: State) -> Scene:
    """Return what everybody may see, and that is everything."""
    waits = rules.must_answer(state)
    asked = [(seat, _question(state)) for seat in waits]
    if rules.board_question(field, state) is not None:
        asked.append((state.active.seat, "What happens on the board?"))
    return Scene(
        kind=_KIND,
        headline=_headline(state),
        hands=_todo(field, state) if state.outcome is None and state.ask is None else "",
        turn=state.turn,
        active=state.active.seat,
        acting=waits[0] if waits else state.active.seat,
        seats=tuple(_seat(state, number) for number in range(len(state.players))),
        places=tuple(_place(field, state, cell) for cell in CELLS),
        asked=tuple(asked) if not state.over and not state.paused else (),
        power=state.power,
        paused=state.paused,
        winners=state.winners,
        losers=tuple(
            one.seat for one in state.players if (state.winners or one.out) and one.seat not in state.winners
        ),
        outcome=state.outcome,
        detail=_detail(field, state),
    )


def _detail(field: Field, state: State) -> Detail:
    return Detail(
        position=written(state.position),
        seats=tuple(one.seat for one in state.players),
        slots=dict(field.slots),
        on_board=field.on_board,
        reading=state.setup.reading,
        note=field.note,
        picked=state.picked,
        targets=tuple(sorted({cell for cell, _ply in _targets(state)})),
        fives=tuple(field.slots[cell] for cell in _fives(state)),
        last=_last(field, state),
    )


def _fives(state: State) -> tuple[str, ...]:
    found = 0
    for own in state.position.own:
        found |= sum(group for group in board.groups(own) if group.bit_count() == FIVE)
    return (*board.cells_of(found), *(one.cell for one in state.going))


def _last(field: Field, state: State) -> Last | None:
    if state.made is None or not state.past:
        return None
    by, made = state.players[state.past[-1].position.mover].seat, state.made
    return Last(by=by, kind=made.kind, to=field.slots[made.to], at=field.slots[made.at] if made.at else "")


def _targets(state: State) -> Iterator[tuple[str, Ply]]:
    """Yield where the picked piece may go."""
    if not state.picked or state.over:
        return
    for ply in board.legal(state.position, state.setup.reading):
        if (ply.kind == "drop" and ply.size == state.picked) or (
            ply.kind == "slide" and ply.at == state.picked
        ):
            yield ply.to, ply
        elif ply.kind == "swap" and state.picked in {ply.at, ply.to}:
            yield (ply.to if ply.at == state.picked else ply.at), ply


def _headline(state: State) -> str:
    if state.outcome is not None:
        return state.outcome
    if state.ask is not None:
        return _question(state)
    return f"{state.active.name} drops, slides or swaps."


def _todo(field: Field, state: State) -> str:
    """Return what hands have to do before the next ply, as a sentence."""
    lift, lay = state.watch.todo(rules.taken_slots(field, state))
    parts = [f"lift {listed(lift)}"] * bool(lift) + [f"put the piece on {listed(lay)}"] * bool(lay)
    return sentence(parts)


def _question(state: State) -> str:
    if state.ask is None:
        return ""
    name = next((one.name for one in state.players if one.seat == state.ask.by), "")
    if state.ask.kind == "take_back":
        return f"{name} wants to take the last move back."
    return f"{name} offers a draw." if name else "This position was here before: a draw?"


def _seat(state: State, number: int) -> SeatView:
    player, held = state.players[number], state.position.hands[number]
    hand = tuple(Counter(label=size, count=count) for size, count in zip(SIZES, held, strict=True))
    home = Counter(label="groups", one="group", count=state.position.home[number])
    return SeatView(
        seat=player.seat, name=player.name, colour=player.seat, counters=(home, *hand), out=player.out
    )


def _place(field: Field, state: State, cell: str) -> PlaceView:
    """Return how a cell looks: its piece, and what hands should do there."""
    slot, laid = field.slots[cell], state.position.piece(cell)
    going = next((one for one in state.going if one.cell == cell), None)
    wants = "" if state.over else state.watch.wants(rules.taken_slots(field, state), slot)
    if going is not None and laid is None:
        laid = (going.player, going.size)
    if laid is None:
        return PlaceView(place=f"slot.{slot}", wants=wants)
    owner, size = state.players[laid[0]], laid[1]
    title = f"{owner.name}'s {WORDS[size]} piece"
    group = FIVE if going is not None else _group_of(state, laid[0], cell)
    piece = Pyramid(
        id=1 + CELLS.index(cell),
        name=WORDS[size],
        title=WORDS[size].capitalize(),
        owner=owner.seat,
        group=group,
        lit=group == FIVE,
    )
    together = f"{title}, {group} together" if group > 1 else title
    note = f"{title}, goes home" if going is not None else together
    number = str(laid[0] + 1)  # the number of the seat's mark, for whoever does not tell colours apart
    return PlaceView(
        place=f"slot.{slot}", piece=piece, owner=owner.seat, label=number, wants=wants, note=note
    )


def _group_of(state: State, player: int, cell: str) -> int:
    """Return how many pieces of a player are connected at a cell."""
    bit = board.bit_of(cell)
    return next(one.bit_count() for one in board.groups(state.position.own[player]) if one & bit)


# --- what one seat may do ---


def private(field: Field, state: State, seat: str) -> PrivateView:
    """Return what a seat may do now; nobody has anything to hide."""
    player = state.player(seat)
    if player is None or player.out or state.over or state.paused:
        return PrivateView(seat=seat, hand=(), options=(), prompts=())
    ours = seat == state.active.seat
    options = [
        *tellings(state.watch, rules.taken_slots(field, state), "The piece is on {slot}", "{slot} is empty")
    ]
    prompts = [*_prompts(field, state, seat)]
    todo = _todo(field, state)
    if state.ask is None:
        if ours and not todo:
            options += _plies(field, state)
        options += _words(state, seat)
    headline = "Your turn: drop, slide or swap" if ours and state.ask is None else ""
    return PrivateView(seat=seat, hand=(), options=tuple(options), prompts=tuple(prompts), headline=headline)


def _plies(field: Field, state: State) -> Iterator[Option]:
    """Yield every legal ply, and what may be picked to see on the board where it can go."""
    plies = board.legal(state.position, state.setup.reading)
    for ply in plies:
        yield _option(field, state, ply)
    mover, mine = state.position.mover, state.position.own[state.position.mover]
    for size, held in zip(SIZES, state.position.hands[mover], strict=True):
        if size != state.picked and any(ply.size == size for ply in plies):
            yield Option(
                group="hand",
                label=f"Drop a {WORDS[size]} piece ({held} left)",
                act={"do": "pick", "size": size},
            )
    movable = {
        cell for ply in plies if ply.kind != "drop" for cell in (ply.at, ply.to) if mine & board.bit_of(cell)
    }
    for cell in sorted(movable - {state.picked}):
        piece = state.position.piece(cell)
        size = WORDS[piece[1]] if piece is not None else ""
        yield Option(
            group="pick",
            label=f"Move the {size} piece on {field.slots[cell]}",
            act={"do": "pick", "at": cell},
            slot=field.slots[cell],
        )
    if state.picked:
        yield Option(group="unpick", label="Another piece", act={"do": "unpick"})


def _option(field: Field, state: State, ply: Ply) -> Option:
    to = field.slots[ply.to]
    if ply.kind == "drop":
        act = {"do": "drop", "size": ply.size, "to": ply.to}
        return Option(
            group="drop", label=f"Drop a {WORDS[ply.size]} piece on {to}", act=act, slot=to, clause="2.2"
        )
    at = field.slots[ply.at]
    act = {"do": ply.kind, "at": ply.at, "to": ply.to}
    if ply.kind == "slide":
        return Option(group="slide", label=f"Slide {at} to {to}", act=act, slot=to, clause="2.2")
    # Tapped at the piece that was not picked; without a pick at the second one.
    where = at if state.picked == ply.to else to
    return Option(group="swap", label=f"Swap {at} and {to}", act=act, slot=where, clause="2.3")


def _words(state: State, seat: str) -> Iterator[Option]:
    """Yield what may be asked of the others."""
    yield Option(group="draw", label="Offer a draw", act={"do": "draw"}, clause="2.4")
    last = state.past[-1].position.mover if state.past else None
    if state.setup.take_back and last is not None and state.players[last].seat == seat:
        yield Option(
            group="take_back", label="Ask to take your move back", act={"do": "take_back"}, clause="2.6"
        )


def _prompts(field: Field, state: State, seat: str) -> Iterator[Prompt]:
    if state.ask is not None and seat in rules.must_answer(state):
        prompt = rules.question_id(state)
        kind = state.ask.kind if state.ask.by else "repeated"
        yes, no = ("Agree", "Play on") if state.ask.kind == "draw" else ("Take it back", "The move stands")
        yield Prompt(
            id=prompt,
            seat=seat,
            kind=kind,
            text=_question(state),
            clause="2.4" if state.ask.kind == "draw" else "2.6",
            options=(answering(prompt, "yes", yes), answering(prompt, "no", no)),
        )
    asked = rules.board_question(field, state)
    if asked is not None and seat == state.active.seat:
        yield _board_prompt(field, state, asked)


def _board_prompt(field: Field, state: State, asked: str) -> Prompt:
    """Ask what pieces do that were lifted or put without a word; the board cannot tell which they are."""
    lifted, put = state.watch.undeclared(rules.taken_slots(field, state))
    parts = [f"lifted from {listed(lifted)}"] * bool(lifted) + [f"put on {listed(put)}"] * bool(put)
    plies = [
        answering(asked, rules.choice_of(ply), _option(field, state, ply).label)
        for ply in rules.explaining(field, state)
    ]
    back = answering(asked, "back", "Nothing: it goes back")
    wrong = answering(asked, "wrong", "The sensor is wrong")
    return Prompt(
        id=asked,
        seat=state.active.seat,
        kind="board",
        text=f"A piece was {' and one '.join(parts)}. What are you doing?",
        clause="2.6",
        options=(*plies, back, wrong),
        slot=(*lifted, *put)[0],
    )


# --- lamps ---

_BRIGHT: Final = {"small": 0.3, "medium": 0.6, "large": 1.0}
_FIELD: Final = (6, 6, 8)
"""An empty cell, so that the hexagon can be seen on a larger board."""
_TARGET: Final = (70, 70, 60)


def lamps(field: Field, shown: Scene) -> Mapping[str, Glow]:
    """Return the lamps: owners' colours, brighter for larger pieces; what hands should do blinks."""
    if not field.on_board or not shown.power:
        return {}
    detail = shown.detail
    targets = {field.slots[cell] for cell in detail.targets} if isinstance(detail, Detail) else set()
    fives = set(detail.fives) if isinstance(detail, Detail) else set()
    return {one.place: _glow(shown, one, targets, fives) for one in shown.places}


def _glow(shown: Scene, one: PlaceView, targets: set[str], fives: set[str]) -> Glow:
    slot = one.place.partition(".")[2]
    if one.piece is None:
        return (
            Glow((255, 255, 255), _FIELD, blink=True)
            if one.wants
            else Glow(_TARGET if slot in targets else _FIELD)
        )
    share = _BRIGHT[one.piece.name]
    red, green, blue = colour_of(shown, one.owner)
    colour = (round(red * share), round(green * share), round(blue * share))
    return Glow(
        colour,
        _TARGET if slot in targets else (0, 0, 0),
        blink=bool(one.wants) or slot in fives or slot in targets,
    )

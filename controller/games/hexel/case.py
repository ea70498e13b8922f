"""A case of a scenario of Hex'el, and the table on which it is played."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from hextraction.board.profile import load_board
from hextraction.controller.games.hexagon import sentences as shared
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.pieces import declared
from hextraction.controller.games.hexel.cards import (
    USUAL_DECK,
    Deck,
    deck_named,
    distinct_turns,
    least,
    turned,
)
from hextraction.controller.games.hexel.game import Hexel
from hextraction.controller.games.hexel.mosaic import Laid, cell_named
from hextraction.controller.games.hexel.position import Last
from hextraction.controller.games.hexel.rules import taken_slots
from hextraction.controller.games.hexel.state import Setup, State
from hextraction.controller.games.protocol import Seated
from msgspec.structs import replace

__all__ = ["Case", "Table", "problems"]


@dataclass(slots=True)
class Case:
    """What is set up: a game from its beginning, or in the middle if cards lie already."""

    board: str = "fx-19"
    players: list[str] = field(default_factory=lambda: ["red", "blue"])
    deck: str = USUAL_DECK
    extra: list[str] = field(default_factory=list)
    bounds: str = "slots19"
    dealer: str = "red"
    stocks: dict[str, int] = field(default_factory=dict)
    hedges: dict[str, int] = field(default_factory=dict)
    stake: int = 3
    laid: dict[str, str] = field(default_factory=dict)
    hands: dict[str, list[str]] = field(default_factory=dict)
    next: list[str] = field(default_factory=list)
    left: int | None = None
    last: tuple[str, int] | None = None
    mover: str = ""
    phase: str = "place"
    round: int = 1
    sensors: bool = False
    hint: bool = True

    @property
    def faces(self) -> tuple[str, ...]:
        """The cards: those of the deck, and the extra ones."""
        return (*deck_named(self.deck).faces, *self.extra)

    def numbers(self) -> Iterator[tuple[str, int]]:
        """Yield the number of each card that is named: those that lie, those in hands, those on top.

        Raises:
            ValueError: the deck has no such card left.
        """
        free = list(range(1, len(self.faces) + 1))
        for face in (*self.laid.values(), *(one for hand in self.hands.values() for one in hand), *self.next):
            found = next((card for card in free if least(self.faces[card - 1]) == least(face)), None)
            if found is None:
                raise ValueError(f"{self.deck} has no card {face} left; say `extra {face}`")
            free.remove(found)
            yield face, found


class Table(shared.Table):
    """A table on which a case is played."""

    state: State

    def __init__(self, case: Case) -> None:
        super().__init__()
        self.game = Hexel(load_board(case.board))
        seats = tuple(Seated(seat, seat.capitalize()) for seat in case.players)
        numbers = [card for _face, card in case.numbers()]
        top = numbers[len(numbers) - len(case.next) :]
        rest = [card for card in range(1, len(case.faces) + 1) if card not in numbers]
        setup = Setup(
            board=case.board,
            seats=seats,
            deck=Deck(name=case.deck, faces=case.faces),
            stocks=tuple(case.stocks.get(seat, 30) for seat in case.players),
            field=case.bounds,
            dealer=case.players.index(case.dealer),
            hint=case.hint,
            sees=case.sensors,
            order=() if case.laid else (*top, *rest),
        )
        state = self.game.start(setup)
        self.state = _set(self.game, state, case, numbers, (*top, *rest)) if case.laid else state


def _set(made: Hexel, state: State, case: Case, numbers: list[int], deck: tuple[int, ...]) -> State:
    """Return the state in the middle of a game, as a case says."""
    cards = iter(numbers)
    faces = state.position.faces
    laid = []
    for name, face in case.laid.items():
        card, cell = next(cards), cell_named(name)
        turns = next(one for one in distinct_turns(faces[card - 1]) if turned(faces[card - 1], one) == face)
        laid.append(Laid(cell or (0, 0), card, turns))
    hands = {seat: tuple(next(cards) for _face in hand) for seat, hand in case.hands.items()}
    position = replace(
        state.position,
        laid=tuple(laid),
        hands=tuple(hands.get(seat, ()) for seat in case.players),
        deck=deck if case.left is None else deck[: case.left],
        hedges=tuple(case.hedges.get(seat, 0) for seat in case.players),
        stake=case.stake,
        phase=case.phase,
        round=case.round,
        mover=case.players.index(case.mover or case.dealer),
        last=Last(case.players.index(case.last[0]), case.last[1]) if case.last else None,
    )
    now = replace(state, position=position)
    lies = taken_slots(made.field, now)
    return replace(now, watch=replace(declared(now.watch, lies, (), on=True), taken=tuple(sorted(lies))))


def problems(case: Case) -> Iterator[str]:
    """Yield what is wrong with a case."""
    try:
        list(case.numbers())
    except ValueError as error:
        yield str(error)
    for what, seats in (("dealer", [case.dealer]), ("mover", [case.mover or case.dealer])):
        if not set(seats) <= set(case.players):
            yield f"{what}: {seats[0].capitalize()} does not play"
    named = {*case.hands, *case.stocks, *case.hedges, *([case.last[0]] if case.last else [])}
    for seat in sorted(named - set(case.players)):
        yield f"{seat.capitalize()} does not play"
    for name in case.laid:
        if case.bounds == "slots19" and name not in CELLS:
            yield f"there is no cell {name!r} on this field"

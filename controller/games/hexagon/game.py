"""A game on the hexagon as a table asks for it, as far as all such games answer alike.

No ball rolls here: pieces are declared on phones, and hands lay them. What a game must say itself is what
lies where, what its rules are, and how it looks.
"""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from hextraction.board.profile import Board
from hextraction.board.tiles import TileShape
from hextraction.controller.games.hexagon.field import Field, field_on
from hextraction.controller.games.hexagon.pieces import Watch
from hextraction.controller.games.protocol import (
    Awaited,
    Game,
    Laying,
    NoRolls,
    Physical,
    Player,
    Standing,
)

__all__ = ["HexagonGame"]

_CONTACT_US: Final = 80_000


class Playing(Protocol):
    """What every state of a game on the hexagon knows.

    ``ended`` says in a word or two why the game is over, ``watch`` is what the board sees of its pieces.
    """

    @property
    def players(self) -> Sequence[Player]:
        """Who plays."""
        ...

    @property
    def active(self) -> Player:
        """Whose turn it is."""
        ...

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        ...

    @property
    def outcome(self) -> str | None:
        """How the game ended, for people."""
        ...

    @property
    def ended(self) -> str:
        """Why it is over."""
        ...

    @property
    def turn(self) -> int:
        """The number of the turn."""
        ...

    @property
    def power(self) -> bool:
        """Whether the board is on."""
        ...

    @property
    def paused(self) -> bool:
        """Whether there is a break."""
        ...

    @property
    def watch(self) -> Watch:
        """What the board sees."""
        ...


Setup = TypeVar("Setup")
State = TypeVar("State", bound=Playing)
House = TypeVar("House")


class HexagonGame(Game[Setup, State], Generic[Setup, State, House]):
    """A game on the hexagon of one board, by house rules of ``house_type``. Holds no state of a game.

    ``piece`` is what lies in a slot, for whoever draws it.
    """

    usual_board: ClassVar[str] = "large-27"
    leaving: ClassVar[Mapping[str, Any]] = {"do": "leave"}
    piece: ClassVar[TileShape]
    house_type: type[House]

    def __init__(self, board: Board, house: House | None = None) -> None:
        self.board = board
        self.house: House = house or self.house_type()
        self.field: Field = field_on(board)

    # --- what a game says itself ---

    def lies(self, state: State) -> tuple[str, ...]:
        """Return the slots in which a piece should lie, so that a sensor sees it."""
        raise NotImplementedError

    def decides(self, state: State) -> str:
        """Return the seat that has to do or to answer something: mostly the active one."""
        return state.active.seat

    def asks(self, state: State) -> bool:  # noqa: ARG002 - some games ask
        """Whether a question is open that hands wait for."""
        return False

    # --- before a game ---

    @property
    def drawn(self) -> Board:
        """The hexagon alone."""
        return self.field.drawn

    @classmethod
    def demo_rules(cls, laid: int | None, own: Path | None = None) -> House:  # noqa: ARG003
        """Return the usual rules: the board is empty at first, and there are no pieces of one's own."""
        return cls.house_type()

    @classmethod
    def on(cls, board: Board, rules: House | None = None) -> Self:
        """Return the game on a board."""
        return cls(board, rules)

    def contact_us(self, wanted: Setup) -> int:  # noqa: ARG002
        """Return the usual time; no ball rolls here."""
        return _CONTACT_US

    # --- a running game ---

    def wake_at_us(self, state: State) -> int | None:  # noqa: ARG002
        """Return None: nothing happens by itself."""
        return None

    def standing(self, state: State) -> Standing:
        """Return how the game stands."""
        return Standing(
            over=state.over,
            players=state.players,
            active=state.active.seat,
            outcome=state.outcome,
            turn=state.turn,
            power=state.power,
            paused=state.paused,
        )

    def physical(self, state: State) -> Physical:
        """Return the pieces that lie on the board."""
        return Physical(tiles=_lying(self.piece, self.lies(state) if self.field.on_board else ()))

    def awaited(self, state: State) -> Awaited:
        """Return who has to do something, and what hands should do."""
        if state.over or state.paused:
            return Awaited()
        lies = self.lies(state)
        put, lift = state.watch.put(lies), state.watch.lift(lies)
        return Awaited(
            seat=self.decides(state),
            lift=lift,
            lay=Laying(put[0], self.piece, 0) if put else None,
            tiles_seen=state.watch.sees and state.power,
            decision=self.asks(state),
            in_hands=(*put, *lift, *state.watch.wrong),
        )

    def roll_watcher(self) -> NoRolls:
        """Return nobody: no ball rolls here."""
        return NoRolls()

    # --- studies ---

    @classmethod
    def files(cls) -> Sequence[str]:
        """Return nothing: the pieces are always the same."""
        return ()

    def ending(self, state: State, clause: str) -> str:  # noqa: ARG002
        """Return how a game ended."""
        return state.ended


@functools.lru_cache(maxsize=64)
def _lying(piece: TileShape, slots: tuple[str, ...]) -> Mapping[str, tuple[TileShape, int]]:
    """Return pieces in these slots; the same object for the same slots, as tables want it."""
    return dict.fromkeys(slots, (piece, 0))

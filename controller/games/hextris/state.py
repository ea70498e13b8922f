"""What a game of Hextris is made of: its set-up, its whole state, and what people can do."""

from typing import Literal

import msgspec
from hextraction.controller.games.hexagon.pieces import Watch
from hextraction.controller.games.hextris.position import Ply, Position
from hextraction.controller.games.protocol import Seated

__all__ = ["Act", "Ask", "Going", "Past", "Player", "Setup", "State"]


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What a game starts from.

    ``reading`` is that of the swap rule (2.3), ``first`` the number of the player who begins. A draw is
    offered when a position is there for the ``offer_after``-th time. ``take_back`` allows asking for it, and
    ``sees`` says that the board sees pieces laid and lifted.
    """

    board: str
    seats: tuple[Seated, ...]
    at_us: int = 0
    reading: str = "R0"
    first: int = 0
    offer_after: int = 3
    take_back: bool = True
    sees: bool = False


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who plays; ``out`` if they have left."""

    seat: str
    name: str
    out: bool = False


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A question to everybody but ``by``: to agree to a ``draw``, or that a ply is taken back.

    ``by`` is empty if the table itself asks. ``agreed`` are the seats that have said yes.
    """

    kind: Literal["draw", "take_back"]
    number: int
    by: str = ""
    agreed: tuple[str, ...] = ()


class Past(msgspec.Struct, frozen=True):
    """A position before a ply, and which turn that was."""

    position: Position
    turn: int


class Going(msgspec.Struct, frozen=True):
    """A piece that a five has sent home: hands have still to take it from its cell."""

    cell: str
    player: int
    size: str


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The whole game at one moment.

    ``picked`` is the cell or the size that the player whose turn it is has picked on the phone. ``made`` is
    the last ply. ``asked`` counts questions to the players. ``ended`` says in a word or two why it is over.
    """

    setup: Setup
    players: tuple[Player, ...]
    position: Position
    watch: Watch
    at_us: int
    past: tuple[Past, ...] = ()
    made: Ply | None = None
    going: tuple[Going, ...] = ()
    turn: int = 1
    picked: str = ""
    ask: Ask | None = None
    asked: int = 0
    power: bool = True
    paused: bool = False
    winners: tuple[str, ...] = ()
    outcome: str | None = None
    ended: str = ""

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.outcome is not None

    @property
    def active(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.position.mover]

    def player(self, seat: str) -> Player | None:
        """Return who sits there."""
        return next((one for one in self.players if one.seat == seat), None)


class Act(msgspec.Struct, frozen=True):
    """What somebody does, as in ``{"do": "slide", "at": "c3", "to": "c5"}``; cells are a1 to e3.

    ``drop`` a ``size`` on ``to``, ``slide`` and ``swap`` from ``at``; ``pick`` a piece ``at`` a cell, or a
    ``size`` of the hand, and ``unpick`` it. Offer a ``draw``, ask to ``take_back`` the last ply, ``answer``
    the question ``prompt`` with a ``choice``. Tell that a piece was ``laid`` or ``lifted`` at a ``slot``.
    ``pass`` is only ever refused, as who can move must. ``leave`` for good.
    """

    do: Literal[
        "answer",
        "draw",
        "drop",
        "laid",
        "leave",
        "lifted",
        "pass",
        "pick",
        "slide",
        "swap",
        "take_back",
        "unpick",
    ]
    to: str = ""
    at: str = ""
    size: str = ""
    slot: str = ""
    prompt: str = ""
    choice: str = ""

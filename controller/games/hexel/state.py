"""What a game of Hex'el at a table is made of: its set-up, its whole state, and what people can do."""

from typing import Literal

import msgspec
from hextraction.controller.games.hexagon.pieces import Watch
from hextraction.controller.games.hexel.cards import Deck
from hextraction.controller.games.hexel.position import Position
from hextraction.controller.games.protocol import Seated

__all__ = ["FIELDS", "Act", "Player", "Setup", "State"]

FIELDS = ("slots19", "open")
"""The fields: 19 cells, or one without end."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What a game starts from.

    ``deck`` are its cards, ``field`` is one of :data:`FIELDS`, ``stocks`` what each player has in chips and
    ``dealer`` the number of the one who deals. ``hint`` tells everybody privately what they could afford at
    best, and ``sees`` says that the board sees pieces laid and lifted. ``order`` is the deck's order from the
    top, for games that are not to be shuffled.
    """

    board: str
    seats: tuple[Seated, ...]
    deck: Deck
    stocks: tuple[int, ...]
    at_us: int = 0
    field: str = FIELDS[0]
    dealer: int = 0
    hint: bool = True
    sees: bool = False
    order: tuple[int, ...] = ()


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who plays; ``left`` for good, or only ``out`` of this game."""

    seat: str
    name: str
    left: bool = False
    out: bool = False


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The whole game at one moment. ``announced`` is the card that the mover has shown to everybody."""

    setup: Setup
    players: tuple[Player, ...]
    position: Position
    watch: Watch
    at_us: int
    announced: int = 0
    power: bool = True
    paused: bool = False
    outcome: str | None = None

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.outcome is not None

    @property
    def active(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.position.mover]

    @property
    def turn(self) -> int:
        """The number of the turn; at the end, of the one in which the game ended."""
        return self.position.turn - (self.position.phase == "over" and self.position.turn > 1)

    @property
    def ended(self) -> str:
        """In a word or two, why it is over."""
        return self.position.ended

    def number(self, seat: str) -> int | None:
        """Return the number of who sits there."""
        return next((at for at, one in enumerate(self.players) if one.seat == seat), None)


class Act(msgspec.Struct, frozen=True):
    """What somebody does, as in ``{"do": "place", "card": 7, "to": "c3", "turns": 2}``.

    The dealer does ``shuffle``, asks for ``another`` line, does ``deal`` and sets the ``stake`` in ``chips``;
    everybody may ``hedge`` some ``chips``. ``announce`` a ``card`` of the hand, or ``keep`` it after all;
    ``place`` it, or ``discard`` it if nothing can be laid. ``answer`` the question ``prompt`` with a
    ``choice``. Tell that a card was ``laid`` or ``lifted`` at a ``slot``. ``pay`` is only ever refused, as
    hedges pay by themselves and stocks never do. ``leave`` for good.
    """

    do: Literal[
        "announce",
        "another",
        "answer",
        "deal",
        "discard",
        "hedge",
        "keep",
        "laid",
        "leave",
        "lifted",
        "pay",
        "place",
        "shuffle",
        "stake",
    ]
    card: int = 0
    to: str = ""
    turns: int = 0
    chips: int = 0
    slot: str = ""
    prompt: str = ""
    choice: str = ""

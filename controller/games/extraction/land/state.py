"""What a game of Extraction is made of: its set-up, its whole state, and what people can do."""

from typing import Literal

import msgspec
from hextraction.controller.games.extraction.land.goods import DESERT, NOBODY, NOTHING, Bundle
from hextraction.controller.games.hexagon.pieces import Watch
from hextraction.controller.games.protocol import Seated

__all__ = [
    "ATTACKS",
    "Act",
    "Ask",
    "Attack",
    "Hex",
    "Offer",
    "Phase",
    "Player",
    "Setup",
    "State",
]

ATTACKS = ("opposed_2d6", "two_more", "opposed_1d6", "two_tests", "stake_bonus")
Phase = Literal["first", "settlement", "road", "collect", "discs", "before", "swap", "roads", "act", "attack"]


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What a game starts from; the settings are those of ``[extraction]``, see docs/extraction.md.

    ``terrain`` is what each of the 19 cells is, ``deck`` the development cards from the top: nobody may see
    it. ``real_dice`` are thrown by hand and told to the phone. ``roll_first`` says that the highest throw
    begins; otherwise the first seat does. ``offers_a_turn`` is None where nobody limits them. ``sees`` says
    that the board sees which hexes were turned over.
    """

    board: str
    seats: tuple[Seated, ...]
    terrain: tuple[str, ...]
    deck: tuple[str, ...]
    at_us: int = 0
    real_dice: bool = False
    roll_first: bool = True
    attack: str = "opposed_2d6"
    discs: str = "nineteen"
    leftover: str = "supply"
    disc_order: str = "clockwise"
    overtake: bool = False
    post_depletion_rounds: int = 5
    still_rounds: int = 20
    most_tokens: int = 5
    offers_a_turn: int | None = None
    offer_s: int = 30
    keep_in: bool = False
    sees: bool = False


class Hex(msgspec.Struct, frozen=True):
    """A hex: its resource, its number disc (0: none), the tokens on it, and how many it began with."""

    resource: str
    disc: int = 0
    tokens: int = 0
    start: int = 0

    @property
    def live(self) -> bool:
        """Whether it can still produce."""
        return self.tokens > 0

    @property
    def bare(self) -> bool:
        """Whether it waits for its disc."""
        return self.resource != DESERT and not self.disc and not self.start

    @property
    def depleted(self) -> bool:
        """Whether it had resources, and has none any more."""
        return self.start > 0 and self.tokens == 0


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who plays.

    ``cards`` are development cards in hand, with the turn in which each was bought. ``out`` is out for good,
    ``left`` has gone away.
    """

    seat: str
    name: str
    hand: Bundle = NOTHING
    cards: tuple[tuple[str, int], ...] = ()
    knights: int = 0
    out: bool = False
    left: bool = False


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A trade that somebody proposes: what ``by`` gives and wants; ``to`` may accept it, ``no`` will not."""

    number: int
    by: int
    to: tuple[int, ...]
    give: Bundle
    want: Bundle
    until_us: int
    no: tuple[int, ...] = ()

    @property
    def waits(self) -> tuple[int, ...]:
        """Who has not answered."""
        return tuple(player for player in self.to if player not in self.no)


class Attack(msgspec.Struct, frozen=True, kw_only=True):
    """An attack on the building at an intersection; ``thrown`` is the attacker's throw, empty before it."""

    by: int
    at: int
    stake: Bundle
    thrown: tuple[int, ...] = ()


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """What the table is asked; ``agreed`` have said yes.

    ``keep``: is a player kept in who would be out; ``end``: is it over, as nobody did anything for a round;
    ``deal``: does chance lay the number discs. ``about`` is the player whose turn begins or has ended, or who
    wants it so; ``until_us`` when silence answers, 0 for never: it agrees to the end, and to nothing else.
    """

    number: int
    about: int
    kind: Literal["keep", "end", "deal"] = "keep"
    agreed: tuple[int, ...] = ()
    until_us: int = 0


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The whole game at one moment.

    Players go by number. ``hexes`` are in the order of cells; ``buildings`` and ``roads`` by intersection and
    edge (:data:`NOBODY` where there is none). ``unplaced`` are discs not yet on a hex, ``supply`` those that
    lie face up, ``spent`` development cards that were played. ``mover`` is whose turn it is, ``first`` who
    begins, ``at`` counts the steps of the set-up; ``throws`` are those for the first turn, and ``rivals`` who
    may still have it. ``back`` is the phase after a swap. ``dice`` were thrown last, and ``gains`` is what
    each player got by that throw; empty if nobody got anything. ``refused`` is the last offer of this turn
    that everybody declined, until another one is made. ``card_played``, ``attacked`` (intersections) and
    ``made`` (offers by player) are of this turn, as is ``active_turn``: whether somebody built, bought,
    attacked, traded or played a card, or a hex produced, and ``began_dry``: whether no hex could. ``dry``,
    ``idle`` and ``still`` count turns on end, of those who are in: in which no hex could produce for anybody;
    in which, besides, nothing of that was done; and in which nothing of that was done, whether a hex could
    produce or not. ``plays_on`` says that the table did not want the game to end, ``by_hand`` that it did not
    want chance to lay the discs, since the last one was laid; ``by_chance`` are players for whom chance sets
    up. ``picked`` is a cell or a disc that was chosen for all to see.
    """

    setup: Setup
    players: tuple[Player, ...]
    hexes: tuple[Hex, ...]
    bank: Bundle
    deck: tuple[str, ...]
    unplaced: tuple[int, ...]
    watch: Watch
    at_us: int
    buildings: tuple[int, ...]
    roads: tuple[int, ...]
    phase: Phase = "first"
    mover: int = 0
    first: int = 0
    at: int = 0
    turn: int = 1
    throws: tuple[int, ...] = ()
    rivals: tuple[int, ...] = ()
    settled: int = NOBODY
    supply: tuple[int, ...] = ()
    spent: tuple[str, ...] = ()
    route: int = NOBODY
    army: int = NOBODY
    dice: tuple[int, ...] = ()
    gains: tuple[Bundle, ...] = ()
    back: Phase = "act"
    free_roads: int = 0
    card_played: bool = False
    attacked: tuple[int, ...] = ()
    made: tuple[int, ...] = ()
    active_turn: bool = False
    began_dry: bool = False
    attack: Attack | None = None
    offers: tuple[Offer, ...] = ()
    refused: Offer | None = None
    ask: Ask | None = None
    asked: int = 0
    picked: str = ""
    dry: int = 0
    idle: int = 0
    still: int = 0
    plays_on: bool = False
    by_hand: bool = False
    by_chance: tuple[int, ...] = ()
    power: bool = True
    paused: bool = False
    paused_at_us: int = 0
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
        return self.players[self.mover]

    def number(self, seat: str) -> int:
        """Return the number of who sits there; :data:`NOBODY` if nobody does."""
        return next((at for at, one in enumerate(self.players) if one.seat == seat), NOBODY)


class Act(msgspec.Struct, frozen=True):
    """What somebody does, as in ``{"do": "road", "at": "c3:2"}``; docs/extraction.md lists all acts.

    ``at`` is an intersection, an edge or a cell, ``to`` a second cell or the seat to which an offer goes.
    ``give``, ``want``, ``stake`` and ``take`` are cards, as ``{"ore": 2}``. ``total`` is what real dice show.
    """

    do: Literal[
        "answer",
        "attack",
        "bank",
        "buy",
        "by_chance",
        "city",
        "collect",
        "deal",
        "disc",
        "done",
        "end",
        "laid",
        "leave",
        "lifted",
        "offer",
        "pick",
        "play",
        "road",
        "roll",
        "settlement",
        "swap",
        "unpick",
        "withdraw",
    ]
    at: str = ""
    to: str = ""
    disc: int = 0
    card: str = ""
    resource: str = ""
    give: dict[str, int] = {}
    want: dict[str, int] = {}
    stake: dict[str, int] = {}
    take: dict[str, int] = {}
    total: int = 0
    offer: int = 0
    slot: str = ""
    prompt: str = ""
    choice: str = ""

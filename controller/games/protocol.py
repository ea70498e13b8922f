"""What a game is, and how phones, lamps and bots see it.

A game is pure: ``start`` makes a state, ``step`` makes the next one from an event. It reads no clock and
rolls no dice: events carry their time and, if a person sent them, a random number drawn by the runtime
(``chance``), so that the journal alone is enough to replay the game.

Views are msgspec structs, sent to phones as JSON. A public view reveals nothing of a hand or a pool (rule
1.2.1); a private view is for one seat only.
"""

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec
from hextraction.board.facts import Fact, RollSettled
from hextraction.board.profile import Board
from hextraction.board.tiles import TileShape
from hextraction.controller.games.rolls import LastRoll

__all__ = [
    "Acted",
    "BallView",
    "Blinded",
    "Effect",
    "Flash",
    "Game",
    "Ignored",
    "KickBalls",
    "OpenGate",
    "Option",
    "Paused",
    "Physical",
    "PowerSet",
    "PrivateView",
    "Prompt",
    "PublicView",
    "RampView",
    "Refused",
    "Renamed",
    "RollWatcher",
    "Said",
    "SeatView",
    "SlotView",
    "Step",
    "TileSeen",
    "TileView",
    "VoteView",
    "WaitingView",
    "Woke",
    "WorldEvent",
    "ZoneView",
]

S = TypeVar("S")
Setup = TypeVar("Setup")


# --- events that every game may get -------------------------------------------------------------------------


class Acted(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Acted"):
    """A person in a seat did something. ``act`` is one of the game's own actions, as JSON.

    ``chance`` is a random number of 64 bits drawn by the runtime; rules that need luck use it.
    """

    at_us: int
    seat: str
    act: dict[str, Any]
    chance: int = 0


class TileSeen(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="TileSeen"):
    """A tile Hall changed: a tile was laid in a slot or lifted out of it."""

    at_us: int
    slot: str
    present: bool


class PowerSet(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="PowerSet"):
    """The board was switched on or off; ``lost`` if the controller itself lost power in between (R-49)."""

    at_us: int
    on: bool
    lost: bool = False


class Paused(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Paused"):
    """The table begins or ends a break, during which no game time passes."""

    at_us: int
    on: bool


class Renamed(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Renamed"):
    """Somebody else plays a seat from now on, say a person instead of a bot: the seat takes their name."""

    at_us: int
    seat: str
    name: str


class Blinded(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Blinded"):
    """From here on the game believes no ball sensors: people say what balls do."""

    at_us: int


class Woke(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Woke"):
    """The time that the game asked for has come."""

    at_us: int


WorldEvent = Fact | RollSettled | TileSeen | PowerSet | Paused | Renamed | Blinded | Woke | Acted


# --- effects ------------------------------------------------------------------------------------------------


class Said(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="Said"):
    """Something happened that everybody may know; ``text`` is for people, the rest for animation."""

    kind: str
    text: str
    seat: str | None = None
    slot: str | None = None
    ball: int | None = None
    clause: str | None = None


class Refused(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="Refused"):
    """A person requested something that is not legal now; ``clause`` is the rule or ruling that says so.

    ``also`` lists other clauses that say so too.
    """

    seat: str
    reason: str
    clause: str
    also: tuple[str, ...] = ()


class Ignored(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="Ignored"):
    """A world event that means nothing now, as ``phase/Event``."""

    reason: str


class OpenGate(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="OpenGate"):
    """Release one ball from a ramp."""

    ramp: str


class KickBalls(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="KickBalls"):
    """Fire the kicker of a slot."""

    slot: str


class Flash(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="Flash"):
    """Light a slot at once: a ball has touched its tile, for the ``touches``-th time in this roll (1 …)."""

    slot: str
    touches: int


Effect = Said | Refused | Ignored | OpenGate | KickBalls | Flash


class Step(msgspec.Struct, Generic[S], frozen=True):
    """The outcome of one event."""

    state: S
    effects: tuple[Effect, ...] = ()


# --- views --------------------------------------------------------------------------------------------------


class Option(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One exact thing that a person may do now: send ``act`` unchanged.

    ``group`` says which button or part of the page it belongs to (``roll``, ``play``, ``place``, ``end``,
    ``break_loop``, ``activate``, ``vote``, ``ballot``, ``attest``, ``concede``, ``answer``, ``rules``,
    ``undo``, ``overrule``, ``contend``, ``flick``, ``flag``, ``jammed``, ``adjust``, ``reclaim`` …);
    ``ramp``, ``slot``, ``tile`` place it on the drawing. Where ``turns`` is not empty the sender adds
    ``act["turns"]``, one of them.
    """

    group: str
    label: str
    act: dict[str, Any]
    ramp: str | None = None
    slot: str | None = None
    tile: int | None = None
    turns: tuple[int, ...] = ()
    clause: str | None = None


class Prompt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One question to a person: the exact legal answers, and what happens if nobody answers."""

    id: str
    seat: str
    kind: str
    text: str
    clause: str
    options: tuple[Option, ...]
    default: int | None = None
    deadline_us: int | None = None
    slot: str | None = None


class TileView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tile as people may see it. ``channels`` are those of the tile upright; ``turns`` is how it lies."""

    id: int
    name: str
    title: str
    owner: str | None = None
    turns: int = 0
    legal_turns: tuple[int, ...] = ()
    channels: tuple[tuple[int, ...], ...] | None = None
    trigger: str = "none"
    keywords: tuple[str, ...] = ()
    summary: str = ""
    starred: bool = False
    covers: tuple[str, ...] = ()
    disabled: tuple[str, ...] = ()
    part: int = 0
    """How far an effect has turned its moving part, in sixths of a turn clockwise."""
    silenced: str = ""
    """Why its effects do nothing, in a few words; empty if they work."""


class SlotView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A slot: its tile (or, for a larger tile, where it is drawn), touches this roll, balls on it."""

    slot: str
    tile: TileView | None = None
    part_of: str | None = None
    touches: int = 0
    balls: int = 0
    waiting: int = 0
    lift: bool = False
    put: bool = False


class RampView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A ramp: whether it is banned, and whether a release on it is awaited now."""

    ramp: str
    slot: str
    banned: bool = False
    open: bool = False
    stuck: int = 0


class ZoneView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An end zone and the balls in it that count."""

    zone: str
    title: str
    balls: int = 0


class BallView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A ball: where it is (``slot.B2``, ``ramp.L1``, ``zone.L``, ``gone``) and what it crossed this roll."""

    ball: int
    place: str
    trail: tuple[str, ...] = ()
    moving: bool = False


class SeatView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player as everybody sees them: only the number of tiles in the hand, never which."""

    seat: str
    name: str
    colour: str
    hand: int = 0
    out: bool = False
    leaving: bool = False


class WaitingView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A triggered or played effect waiting to be resolved."""

    id: int
    slot: str
    title: str
    text: str


class VoteView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An open vote or ballot: who has cast what, and who is next."""

    kind: str
    title: str
    slot: str | None = None
    ballots: dict[str, bool] = {}
    awaited: str | None = None


class PublicView(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that anybody at the table may know."""

    phase: str
    headline: str
    turn: int
    active: str
    seats: tuple[SeatView, ...]
    slots: tuple[SlotView, ...]
    ramps: tuple[RampView, ...]
    zones: tuple[ZoneView, ...]
    balls: tuple[BallView, ...]
    waiting: tuple[WaitingView, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()
    roller: str | None = None
    vote: VoteView | None = None
    power: bool = True
    offline: bool = False
    overdrive: bool = False
    pool: int = 0
    virtual_pool: int = 0
    destroyed: int = 0
    chime: int = 0
    rolls_owed: int = 0
    plays_owed: int = 0
    deadline_us: int | None = None
    winners: tuple[str, ...] = ()
    losers: tuple[str, ...] = ()
    outcome: str | None = None
    virtual_tiles: tuple[str, ...] = ()
    """The Virtual Pool's contents, by title: not a secret (3.VirtualPool)."""
    agreed: tuple[str, ...] = ()
    """Who has said, while the game settles, that they have no objection (R-20)."""
    paused: bool = False
    """Whether the table is on a break; then ``deadline_us`` and the deadlines of questions stand still."""
    last_roll: LastRoll | None = None
    """The last roll that came to rest, for replay; filled in by the host, not by the game."""


class PrivateView(msgspec.Struct, frozen=True, kw_only=True):
    """What only one seat may know: its hand, what it may do now, what it is asked."""

    seat: str
    hand: tuple[TileView, ...]
    options: tuple[Option, ...]
    prompts: tuple[Prompt, ...]
    owed: tuple[str, ...] = ()
    others: tuple[Prompt, ...] = ()
    """Questions to other seats that reveal no hand: they can be answered here too ("pass the phone")."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How a game stands, as far as a table must know: ``turn`` counts from 1, ``power`` is the switch."""

    over: bool
    outcome: str | None = None
    turn: int = 1
    power: bool = True


class Physical(NamedTuple):
    """What lies on the board by the rules, for whoever follows balls.

    Both mappings are the same objects as long as nothing in them has changed.

    Attributes:
        tiles: the shape and its sixths of a turn in each slot that is not open.
        resting: the slot in which each ball lies (the last one it came to, if it touches several).
        rolling: a roll is under way.
        asked: people are being asked what became of its balls.
        told: people tell what balls do, so that nobody may believe the sensors.
        senses: the board itself sees when a roll is over; if not, people say so.
    """

    tiles: Mapping[str, tuple[TileShape, int]]
    resting: Mapping[int, str]
    rolling: bool
    asked: bool
    told: bool
    senses: bool


class RollWatcher(Protocol):
    """Keeps what the last roll was, to be shown again. No game hangs on it."""

    last: LastRoll | None

    def follow(self, before: Any, what: object, after: Any) -> None:
        """Take one entry between the states before and after it."""
        ...


class Game(Protocol[Setup, S]):
    """A game that a board can host: pure functions of its states. Holds no state of a game itself.

    ``kind`` is its name in journals and in :mod:`.registry`; ``setup_type`` what it starts from, which has
    ``at_us``, the time of the start. It is made with the board and the kinds of pieces that are known.
    """

    kind: str
    setup_type: type[Setup]

    def __init__(self, board: Board, tiles: Any) -> None: ...

    def start(self, wanted: Setup) -> S:
        """Return the state of the first turn."""
        ...

    def contact_us(self, wanted: Setup) -> int:
        """Return within how long the same sensor again is still the same contact (R-13)."""
        ...

    def standing(self, state: S) -> Standing:
        """Return how the game stands."""
        ...

    def physical(self, state: S) -> Physical:
        """Return what lies on the board."""
        ...

    def roll_watcher(self) -> RollWatcher:
        """Return who keeps the last roll of one running game."""
        ...

    def step(self, state: S, event: WorldEvent) -> Step[S]:
        """Apply one event. Pure and total: never raises on any event in any phase."""
        ...

    def public(self, state: S) -> PublicView:
        """Return what everybody may see."""
        ...

    def private(self, state: S, seat: str) -> PrivateView:
        """Return what one seat may see and do."""
        ...

    def wake_at_us(self, state: S) -> int | None:
        """Return when the next :class:`Woke` is due, if nothing happens before."""
        ...

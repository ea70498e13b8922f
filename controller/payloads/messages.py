"""Every payload that goes over MQTT, in one room. JSON Schema and AsyncAPI are generated from these types.

Topics are ``hextraction/<board>/…``:

======================  =========  ====================================================================
topic                   payload    delivery
======================  =========  ====================================================================
``status``              Status     retained, last will: is the controller there
``info``                Info       retained: geometry of the board, seats, versions
``table``               Table      retained: the lobby: who sits where, is a game on
``state``               State      retained: the whole public snapshot, at most ten a second
``odds``                Odds       retained, for watchers, in a demo for all: where a ball from each ramp ends
``event``               Event      not retained: what just happened, for the list and for animation
``player/<seat>/view``  View       never retained: hand, options and prompts of one seat
``player/<seat>/cmd``   Command    from the seat; a retained one is dropped
``player/<seat>/reply`` Reply      the answer to a command
``player/<seat>/here``  Here       from the seat, may be retained, with last will: is a phone there
``diag``                Diag       retained: health of sensors, link and loop
======================  =========  ====================================================================

A seat is known by its topic, which only its own token may use, never by what a payload claims.
:class:`Topics` is the one place that spells topics; ``JoinRequest``, ``Joined``, ``SeatKey``, ``KeyState``,
``Session``, ``Evening`` and ``Declined`` are the bodies of the gate's few HTTP requests.
"""

import re
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from hextraction.controller.games.scene import PrivateView, Scene
from hextraction.controller.payloads.health import CheckView, CoilsView, GameChoice, SensorTrouble
from msgspec import Meta

__all__ = [
    "PUBLIC",
    "VERSION",
    "WATCHED",
    "Command",
    "Declined",
    "Diag",
    "EdgeShape",
    "Evening",
    "Event",
    "Here",
    "Info",
    "JoinRequest",
    "Joined",
    "KeyState",
    "Odds",
    "PlayedGame",
    "RampOdds",
    "Reply",
    "SeatKey",
    "Session",
    "SlotShape",
    "State",
    "Status",
    "Table",
    "TableSeat",
    "Topics",
    "View",
]

VERSION = 1

PUBLIC: Final = ("status", "info", "table", "state", "event", "diag")
WATCHED: Final = ("odds",)
"""Topics that only watchers may read, not the seats that play."""

_BOARD = re.compile(r"[a-z0-9-]{1,32}")
_SEAT = re.compile(r"[a-z0-9-]{1,16}")

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Key = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the controller is there. ``boot`` changes with each start.

    ``fault``: it is there, and something in it has failed.
    """

    state: Literal["online", "fault", "offline"]
    boot: str = ""
    software: str = ""
    v: int = VERSION


class EdgeShape(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What lies beyond an edge of a slot: one name, or none of them for off board."""

    slot: str | None = None
    ramp: str | None = None
    zone: str | None = None


class SlotShape(msgspec.Struct, frozen=True, kw_only=True):
    """Where a slot is on the board, in millimetres, y downhill, and its edges 1..6."""

    slot: str
    x_mm: float
    y_mm: float
    edges: tuple[EdgeShape, ...]


class Info(msgspec.Struct, frozen=True, kw_only=True):
    """What does not change while a kind of game is played.

    ``slots`` are those that phones draw; a game may be played on a part of the board.
    """

    board: str
    title: str
    pitch_mm: float
    slots: tuple[SlotShape, ...]
    electronics: bool
    simulated: bool
    game: str
    software: str
    sensors: tuple[str, ...] = ()
    v: int = VERSION


class TableSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat in the lobby, and who sits there."""

    seat: str
    name: str
    colour: str
    kind: Literal["open", "person", "bot"]
    here: bool = False
    joins_next: bool = False
    """Whether that person came while a game was on, and plays from the next one on."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The lobby. ``phase`` is ``lobby``, ``playing`` or ``over``; ``say`` tells people what is going on.

    ``kind`` is the game that is played here, ``games`` are those that the table may choose from,
    ``detail`` is what only this game shows before it begins, tagged by the game.
    ``broken`` are the sensors declared broken, ``health`` all sensors that are not well.
    ``coils`` is there while no coil may fire, ``check`` while the board is being checked.
    ``brightness`` is how bright the lamps may be, in percent; null if the board has none.
    ``next_s``: in so many seconds a demonstration begins its next game by itself; null if nothing does.
    """

    phase: Literal["lobby", "playing", "over"]
    seats: tuple[TableSeat, ...]
    game: str | None = None
    can_start: bool = False
    paused: bool = False
    say: str = ""
    kind: str = ""
    games: tuple[GameChoice, ...] = ()
    detail: Any = None
    broken: tuple[str, ...] = ()
    health: tuple[SensorTrouble, ...] = ()
    coils: CoilsView | None = None
    check: CheckView | None = None
    brightness: int | None = None
    next_s: int | None = None
    v: int = VERSION


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The public snapshot. ``seq`` counts journal entries; ``at_us`` is the time of the last event."""

    game: str
    seq: int
    at_us: int
    view: Scene
    v: int = VERSION


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that happened, in words, for the list and for animation.

    ``slot`` is a slot by its name, or an edge or corner by its place (``edge.C3.2``).
    """

    game: str
    seq: int
    at_us: int
    kind: str
    text: str
    seat: str | None = None
    slot: str | None = None
    ball: int | None = None
    clause: str | None = None
    v: int = VERSION


class RampOdds(msgspec.Struct, frozen=True, kw_only=True):
    """Where one ball let go on a ramp would end: how likely in any end zone (``zone``, 0..1), and elsewhere.

    ``ends`` are the likeliest, as the ``fate`` of a rolled ball, with their likelihood;
    ``lost``: nobody knows. ``guessed``: a tile on the way has no route table, so that its
    ways out were taken as alike.
    """

    ramp: str
    zone: float
    ends: dict[str, float]
    guessed: bool = False


class Odds(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of the board as it lies, for whoever only watches; no ``ramps``: nothing is told now."""

    game: str
    ramps: tuple[RampOdds, ...] = ()
    v: int = VERSION


class View(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's private view."""

    game: str
    seq: int
    view: PrivateView
    v: int = VERSION


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command from a seat. Exactly one of ``act`` (the game's), ``table`` (the lobby's) or ``hello``.

    ``id`` makes it idempotent: the same id again gets the first answer again. ``game`` names the game that
    the sender saw; a command for another game is refused as stale. ``table`` is ``{"do": word}``; lobby
    words: ``start``, ``rematch``, ``fresh``, ``leave``, ``name`` (with ``name``), ``bot`` and ``open``
    (with ``seat``), ``pause``, ``resume``, ``hurry`` (bots act at once), ``game`` (with ``kind``), ``phone``
    (the reply's ``reason`` is a code for one more phone of this seat); words about the game's things:
    ``broken`` and ``working`` (with ``sensor``), ``setup`` (with ``set``), ``hand`` (with ``tiles``),
    ``tile`` (with ``tile``), ``coils`` (with ``say``: ``clear``).
    """

    id: Key
    game: str = ""
    act: dict[str, Any] | None = None
    table: dict[str, Any] | None = None
    hello: bool = False
    v: int = VERSION


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer to a command.

    ``address`` is what one more phone of the seat opens, and ``picture`` its QR code as SVG.
    """

    id: str
    ok: bool
    code: Literal["ok", "refused", "stale", "invalid", "busy", "failed"]
    reason: str = ""
    clause: str | None = None
    address: str = ""
    picture: str = ""
    v: int = VERSION


class Here(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Presence of a seat's phone. ``phone`` tells two phones of one seat apart; it may be any short word."""

    here: bool
    phone: Annotated[str, Meta(max_length=64)] = ""
    v: int = VERSION


class Diag(msgspec.Struct, frozen=True, kw_only=True):
    """Health: counters and states by name, for operators."""

    values: dict[str, Any]
    v: int = VERSION


class JoinRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /join``: the code from the table (or from the seat's own phone), a name, a seat.

    ``phone`` is the word that the phone will have in :class:`Here`. Who asks again with it before they have
    come has not heard the answer, and is given it once more.
    """

    code: Annotated[str, Meta(max_length=32)]
    name: Annotated[str, Meta(max_length=128)] = ""
    seat: Annotated[str, Meta(max_length=16)] | None = None
    phone: Annotated[str, Meta(max_length=64)] = ""


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a good ``POST /join``: MQTT ``user`` and ``password`` (the token) of this phone."""

    seat: str
    user: str
    password: str
    prefix: str


class SeatKey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``POST /key`` and ``POST /take-back``: the key of a seat, as :class:`Joined` gave it to a phone."""

    user: Annotated[str, Meta(max_length=64)]
    password: Annotated[str, Meta(max_length=128)]


class KeyState(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to ``POST /key``: what a seat's key is worth now.

    ``yours``: it opens its seat; ``taken``: somebody else has the seat, and this phone may take it back;
    ``forgotten``: it opens nothing any more, and its phone has to join again.
    """

    state: Literal["yours", "taken", "forgotten"]


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """``GET /session``: what anybody may use to watch: the public topics below ``prefix``, nothing else."""

    board: str
    prefix: str
    user: str
    password: str


class Glance(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What everybody may see, as the gate puts it into the page's HTML: the newest payloads of public topics.

    With it a phone draws the board before it has any connection. ``session`` is what :class:`Session` tells
    a watcher; nothing is there while phones cannot come in.
    """

    session: Session | None = None
    status: Status | None = None
    info: Info | None = None
    table: Table | None = None
    state: State | None = None


class PlayedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was played here: who played, when it began, and how it ended.

    ``wall`` is ISO 8601, empty if the table's clock was not set.
    """

    game: str
    kind: str
    title: str
    wall: str
    players: tuple[str, ...]
    outcome: str


class Evening(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``GET /evening``: the last twenty events and the games of the evening, the oldest first.

    ``address`` is the page's; ``code`` is the join code if the table is declared open (``show_code``).
    """

    events: tuple[Event, ...]
    games: tuple[PlayedGame, ...]
    address: str = ""
    code: str = ""
    v: int = VERSION


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """Connections to the page by circle, and how many were slowed in the last minute."""

    strangers: int = 0
    watchers: int = 0
    seats: int = 0
    slowed: int = 0


class HealthReport(msgspec.Struct, frozen=True, kw_only=True):
    """``GET /health``: whether all is well, and if not why, in words for people.

    ``broker`` is ``online``, ``away``, or ``none`` where there is none; ``phones`` counts those connected.
    """

    ok: bool
    problems: tuple[str, ...] = ()
    broker: Literal["online", "away", "none"] = "none"
    phones: int = 0
    load: Load = Load()


class Declined(msgspec.Struct, frozen=True, kw_only=True):
    """Every HTTP answer of 4xx and 5xx: ``reason`` is a sentence for people."""

    reason: str


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one board.

    >>> Topics("den").seat("red", "view")
    'hextraction/den/player/red/view'

    Raises:
        ValueError: the board's id is not 1..32 of ``a-z``, ``0-9`` and ``-``: it would make a bad topic.
    """

    board: str

    def __post_init__(self) -> None:
        if not _BOARD.fullmatch(self.board):
            raise ValueError(f"a board's id is 1..32 of a-z, 0-9 and -, found {self.board!r}")

    @property
    def prefix(self) -> str:
        """What all topics of this board begin with, without the last slash."""
        return f"hextraction/{self.board}"

    def public(self, leaf: str) -> str:
        """Return the topic of one of :data:`PUBLIC`."""
        return f"{self.prefix}/{leaf}"

    def seat(self, seat: str, leaf: str) -> str:
        """Return one of a seat's own topics."""
        return f"{self.prefix}/player/{seat}/{leaf}"

    def read_seat(self, topic: str) -> tuple[str, str] | None:
        """Return seat and leaf of a seat's topic, or None if it is no such topic of this board."""
        seat, slash, leaf = topic.removeprefix(f"{self.prefix}/player/").partition("/")
        whole = slash and _SEAT.fullmatch(seat) and self.seat(seat, leaf) == topic
        return (seat, leaf) if whole else None

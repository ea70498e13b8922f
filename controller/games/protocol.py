"""What a game is: everything that a table, its journal, lamps, phones and bots ask of any game.

A game is pure: ``start`` makes a state, ``step`` makes the next one from an event. It reads no clock and
rolls no dice: events carry their time and, if a person sent them, a random number drawn by the runtime
(``chance``), so that the journal alone is enough to replay the game. :mod:`.scene` is what it shows,
:mod:`.strategy` how its bots choose, :mod:`.registry` where games are found.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import msgspec
from hextraction.board.facts import Fact, RollSettled
from hextraction.board.profile import STANDARD, Board
from hextraction.board.tiles import TileShape
from hextraction.controller.games.rolls import LastRoll
from hextraction.controller.games.scene import Glow, PrivateView, Scene
from hextraction.controller.games.strategy import Luck, Strategy, Strength
from hextraction.settings import Section

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "Acted",
    "Awaited",
    "Blinded",
    "Effect",
    "Flash",
    "Game",
    "Hears",
    "Ignored",
    "KickBalls",
    "Laying",
    "NoPreparation",
    "NoRolls",
    "Occasion",
    "OpenGate",
    "Paused",
    "Physical",
    "Player",
    "PowerSet",
    "Preparation",
    "Refused",
    "Renamed",
    "RollWatcher",
    "Said",
    "Seated",
    "Senses",
    "Standing",
    "Step",
    "TileSeen",
    "Told",
    "Woke",
    "WorldEvent",
]

S = TypeVar("S")
Setup = TypeVar("Setup")


# --- events that every game may get -------------------------------------------------------------------------


class Acted(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="Acted", omit_defaults=True):
    """A person in a seat did something. ``act`` is one of the game's own actions, as JSON.

    ``chance`` is a random number of 64 bits drawn by the runtime; rules that need luck use it. ``command`` is
    the name of the phone's command, if it was one: what comes again with it has been done. No rule looks at
    it.
    """

    at_us: int
    seat: str
    act: dict[str, Any]
    chance: int = 0
    command: str = ""


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
    """Somebody else plays a seat from now on, say a person instead of a bot: the seat takes their name.

    A table also sends it before the first move, with names that are marked for phones (``names.py``).
    """

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
    """Something happened that everybody may know; ``text`` is for people, the rest for animation.

    ``kind`` is a word for the log; a game's end is told as ``win`` or ``over``.
    ``slot`` is a slot by its name, or an edge or corner by its place (``edge.C3.2``).
    """

    kind: str
    text: str
    seat: str | None = None
    slot: str | None = None
    ball: int | None = None
    clause: str | None = None


class Meaning(NamedTuple):
    """Of a kind of :class:`Said`: when it is said, and an example of what it says."""

    when: str
    example: str


class Refused(msgspec.Struct, frozen=True, kw_only=True, tag_field="effect", tag="Refused"):
    """A person requested something that is not legal now; ``clause`` is the rule or ruling that says so.

    ``also`` lists the clauses of what else ``reason`` names: each would be enough by itself.
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
    """Light one place (``slot.B2``) at once, before anything else is shown."""

    place: str
    glow: Glow


Effect = Said | Refused | Ignored | OpenGate | KickBalls | Flash


class Step(msgspec.Struct, Generic[S], frozen=True):
    """The outcome of one event."""

    state: S
    effects: tuple[Effect, ...] = ()


# --- what a table asks of a game ---


class Player(Protocol):
    """Somebody in a game: the seat, known by its colour, and the name."""

    @property
    def seat(self) -> str:
        """The seat."""
        ...

    @property
    def name(self) -> str:
        """What people call the player."""
        ...


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How a game stands, as far as a table must know.

    Attributes:
        over: whether the game is over.
        players: who plays.
        active: the seat whose turn it is.
        outcome: how it ended, in a sentence.
        turn: the number of the turn, from 1.
        power: the board's switch.
        paused: whether the table is on a break.
    """

    over: bool
    players: Sequence[Player]
    active: str
    outcome: str | None = None
    turn: int = 1
    power: bool = True
    paused: bool = False


class Physical(NamedTuple):
    """What lies on the board by the rules, for whoever follows balls.

    All mappings are the same objects as long as nothing in them has changed.

    Attributes:
        tiles: the shape and its sixths of a turn in each slot that is not open.
        resting: the slot in which each ball lies (the last one it came to, if it touches several).
        stuck: the ramp on which each ball stands that did not come onto the board.
        rolling: a roll is under way.
        asked: people are being asked what became of its balls.
        told: people tell what balls do, so that nobody may believe the sensors.
        senses: the board itself sees when a roll is over; if not, people say so.
        gated: balls come onto the board only through gates that the game opens.
        let_go: the balls that hands are to let go on tiles, as a card says, and in which slots.
    """

    tiles: Mapping[str, tuple[TileShape, int]] = {}
    resting: Mapping[int, str] = {}
    stuck: Mapping[int, str] = {}
    rolling: bool = False
    asked: bool = False
    told: bool = False
    senses: bool = True
    gated: bool = False
    let_go: Mapping[int, str] = {}


class Laying(NamedTuple):
    """A tile that hands should lay: where, which shape, turned how far."""

    slot: str
    shape: TileShape
    turns: int


class Awaited(NamedTuple):
    """What a game waits for: a seat to decide something, hands, or balls.

    Attributes:
        seat: who has to act or to answer; empty if nobody in particular.
        lift: the slots out of which tiles should be lifted.
        lay: a tile that should be laid.
        release: the seat that should let a ball go, and the ramp.
        gates: whether a gate does that.
        balls: whether balls run now.
        tidy: whether hands may clear the end zones.
        tiles_seen: whether the board sees tiles laid and lifted; if not, people say so.
        decision: a question or a vote is open, before which hands do not lay or release anything.
        long_roll: who may put an end to a roll that goes on for long (an option that tells ``enough``).
        in_hands: the slots in which the board may differ from :class:`Physical` for now: a tile is being laid
            there, is to come out, is stuck, or is asked about.
        stir: the slots whose balls a card has hands set moving, while its player is asked whether it is done.
    """

    seat: str = ""
    lift: tuple[str, ...] = ()
    lay: Laying | None = None
    release: tuple[str, str] | None = None
    gates: bool = False
    balls: bool = False
    tidy: bool = False
    tiles_seen: bool = True
    decision: bool = False
    long_roll: str = ""
    in_hands: tuple[str, ...] = ()
    stir: tuple[str, ...] = ()


class RollWatcher(Protocol):
    """Keeps what the last roll was, to be shown again. No game hangs on it."""

    last: LastRoll | None

    def follow(self, before: Any, what: object, after: Any) -> None:
        """Take one entry between the states before and after it."""
        ...


class NoRolls:
    """The :class:`RollWatcher` of games without balls."""

    last: LastRoll | None = None

    def follow(self, before: Any, what: object, after: Any) -> None:
        """Keep nothing."""


# --- before a game ---


class Senses(NamedTuple):
    """What a board sees and does by itself: balls, tiles, opening ramps, the slots with a kicker."""

    balls: bool = False
    tiles: bool = False
    gates: bool = False
    kickers: tuple[str, ...] = ()


class Seated(NamedTuple):
    """Somebody who will play: the seat, known by its colour, and the name."""

    seat: str
    name: str


class Occasion(NamedTuple):
    """What a table knows when a game is to begin; ``luck`` draws what the set-up leaves to chance.

    ``state`` is that of the last game while it is still there.
    """

    seats: tuple[Seated, ...]
    senses: Senses
    luck: Luck
    at_us: int
    state: Any = None


class Told(NamedTuple):
    """What a seat says to the table: its words, who else sits there, and the game that is on, if any.

    ``state`` is that of the last game while it is still there; ``playing`` whether it is still on.
    """

    seat: str
    words: Mapping[str, Any]
    seats: tuple[str, ...]
    playing: bool = False
    state: Any = None


Hears = Callable[[Told], str]
"""Carries out what was said; returns why not, as a sentence for people, or an empty string."""


class Preparation(Protocol):
    """What people say at one table about the next game, in the game's own words. All of it is optional.

    ``words`` maps each ``{"do": word}`` to what hears it.
    """

    words: Mapping[str, Hears]

    def set_up(self, occasion: Occasion) -> Any:
        """Return the game's set-up with everything that was said."""
        ...

    def shown(self, occasion: Occasion | None) -> Any:
        """Return what the lobby shows of it, as a struct tagged by the game; None for nothing.

        There is no occasion while a game is on. Nothing secret may be in it.
        """
        ...


class NoPreparation:
    """The :class:`Preparation` of a game that asks nothing beforehand.

    ``make`` turns an occasion into a set-up.
    """

    def __init__(self, make: Callable[[Occasion], Any]) -> None:
        self.words: Mapping[str, Hears] = {}
        self._make = make

    def set_up(self, occasion: Occasion) -> Any:
        """Return the game's set-up."""
        return self._make(occasion)

    def shown(self, occasion: Occasion | None) -> Any:  # noqa: ARG002 - as the protocol says
        """Show nothing."""
        return None


# --- the game itself ---


class Game(Protocol[Setup, S]):
    """A game that a board can host: pure functions of its states. Holds no state of a game itself.

    ``kind`` is its name in journals and in :mod:`.registry`, ``title`` what people call it, ``seats`` how
    many may play. ``setup_type`` is what it starts from: a struct with ``at_us``, the time of the start,
    ``board``, the profile's name, and ``seats``, who plays. ``leaving`` is the act of a player who leaves for
    good. ``details`` are the structs that only this game shows, for the schemas. ``usual_board`` is the
    profile on which demonstrations and studies play unless they name another.

    >>> from hextraction.api import Game, load_board, open_game
    >>> game: Game = open_game("hextraction", load_board())
    >>> game.title, game.seats
    ('Hextraction', range(2, 7))
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    leaving: ClassVar[Mapping[str, Any]]
    details: ClassVar[Sequence[type[msgspec.Struct]]]
    usual_board: ClassVar[str] = STANDARD
    setup_type: type[Setup]
    board: Board

    @property
    def drawn(self) -> Board:
        """The board as phones draw it: mostly the whole one, but a game may be played on a part of it."""
        return self.board

    @classmethod
    def read_rules(cls, section: Section, folder: "Path") -> Any:
        """Return the house rules that a table of ``hextraction.toml`` holds; an empty table is the default.

        Mistakes are noted in the section. File names are relative to ``folder``.
        """
        ...

    @classmethod
    def demo_rules(cls, laid: int | None, own: "Path | None" = None) -> Any:
        """Return brisk rules for a demonstration: the board knows every piece, and ``laid`` lie on it.

        None are as many as make the first turns worth watching, where the game likes them.
        ``own`` is a folder with pieces of people's own, for games that can have them.
        """
        ...

    @classmethod
    def on(cls, board: Board, rules: Any = None) -> "Game[Setup, S]":
        """Return the game on a board, under rules from :meth:`read_rules`, or at the defaults."""
        ...

    # before the first turn

    def preparation(self, keep: "Path | None") -> Preparation:
        """Return what hears people before a game at one table; what they make is kept in that folder."""
        ...

    def problems(self, wanted: Setup) -> Sequence[tuple[str, str]]:
        """Return the objections to a set-up, as (text, clause)."""
        ...

    def unknown_tiles(self, wanted: Any) -> tuple[str, ...]:
        """Return the names in a set-up that are no tile here, once each; most games have no named tiles."""
        del wanted
        return ()

    def begun_with(self, wanted: Any) -> "Game[Setup, S]":
        """Return this game with the pieces that a recorded set-up brings along; most games' bring none.

        Raises:
            SettingsError: somebody has written there what is no piece.
        """
        del wanted
        return self

    def start(self, wanted: Setup) -> S:
        """Return the state of the first turn; the caller has heeded :meth:`problems`."""
        ...

    def contact_us(self, wanted: Setup) -> int:
        """Return within how long the same sensor again is still the same contact (R-13)."""
        ...

    # a running game

    def step(self, state: S, event: WorldEvent) -> Step[S]:
        """Apply one event. Pure and total: never raises on any event in any phase."""
        ...

    def wake_at_us(self, state: S) -> int | None:
        """Return when the next :class:`Woke` is due, if nothing happens before."""
        ...

    def standing(self, state: S) -> Standing:
        """Return how the game stands."""
        ...

    def physical(self, state: S) -> Physical:
        """Return what lies on the board."""
        ...

    def awaited(self, state: S) -> Awaited:
        """Return what the game waits for."""
        ...

    def roll_watcher(self) -> RollWatcher:
        """Return who keeps the last roll of one running game."""
        ...

    # what is shown

    def scene(self, state: S) -> Scene:
        """Return what everybody may see."""
        ...

    def private(self, state: S, seat: str) -> PrivateView:
        """Return what one seat may see and do."""
        ...

    def lamps(self, scene: Scene) -> Mapping[str, Glow]:
        """Return how the lamps of each place shine. Made from the scene, so that no lamp tells a secret."""
        ...

    # bots and studies

    @classmethod
    def files(cls) -> Sequence[str]:
        """Return the names of the files of pieces from which :meth:`draw` can draw; none for most games."""
        ...

    def draw(self, seats: Sequence[Seated], luck: Luck, files: Sequence[str], laid: int) -> Setup:
        """Return a set-up drawn at random, for studies.

        ``files`` name what pieces to draw from, all if empty; ``laid`` pieces lie on the board at first.
        """
        ...

    def strategy(self, strength: Strength = "strong") -> Strategy:
        """Return how the game's bots choose; weak ones if it has such."""
        ...

    def ending(self, state: S, clause: str) -> str:
        """Return in a word or two how a game ended, for statistics; ``clause`` is the one told last."""
        ...

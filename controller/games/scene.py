"""The scene: what any game shows, in words and marks that a table knows without knowing the game.

A scene is for everybody and reveals nothing of a hand or a pool (rule 1.2.1 of Hextraction, and of most
games); a private view is for one seat only. Both are msgspec structs, sent to phones as JSON. What only one
game has goes into ``detail``, a struct tagged by the game, and into pieces of the game's own type: nobody
reads these but the game's own page file. A game that ships no page file is playable from scene and options.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from hextraction.controller.games.rolls import LastRoll

__all__ = [
    "DARK",
    "SEAT_COLOURS",
    "Amount",
    "BallView",
    "Colour",
    "Counter",
    "Glow",
    "Option",
    "Piece",
    "PlaceView",
    "PrivateView",
    "Prompt",
    "Scene",
    "SeatView",
    "acts_of",
    "asks",
    "colour_of",
    "lamps_of",
    "sent",
]

T = TypeVar("T")


def sent(default: T) -> T:
    """Return the default of a field that is sent even where it has it.

    Payloads leave out what has its default (``omit_defaults``), and whoever reads them takes what is absent
    for nothing: 0, false, an empty text or list, null. So a default that is anything else has to be sent, or
    the two sides would not mean the same.
    """
    return msgspec.field(default_factory=lambda: default)


class Counter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is counted: ``label`` follows the number, as in ``3 tiles``; ``one`` if it is 1."""

    label: str
    count: int
    one: str = ""


class SeatView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player as everybody sees them; ``counters`` say how much they hold, never what.

    ``note`` says in a word what the player is doing now, if it is not simply their turn.
    """

    seat: str
    name: str
    colour: str
    counters: tuple[Counter, ...] = ()
    out: bool = False
    leaving: bool = False
    note: str = ""


class Piece(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tile, card or other piece. A game may add fields of its own, which its page file draws.

    ``turns`` is how it lies, in sixths of a turn clockwise; ``covers`` the places that a larger piece fills.
    """

    id: int
    name: str
    title: str
    owner: str | None = None
    turns: int = 0
    covers: tuple[str, ...] = ()
    summary: str = ""


class PlaceView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One place of the board: ``slot.B2``, ``ramp.L1``, ``zone.L``, ``edge.B2.4`` or ``corner.B2.4``.

    A piece that fills several places is drawn at the first, the others are ``part_of`` it. ``owner`` is the
    seat in whose colour the place is drawn; ``label`` a few letters on it; ``badge`` a sign at its rim;
    ``count`` a small number, drawn as dots up to three; ``balls`` how many lie there. ``wants`` is what hands
    should do there: ``lift``, ``put`` or ``release``. ``shut`` says that it cannot be used now. ``note`` says
    for people who cannot see the drawing what marks and numbers mean.
    """

    place: str
    title: str = ""
    piece: Piece | None = None
    part_of: str = ""
    owner: str = ""
    label: str = ""
    badge: str = ""
    count: int = 0
    balls: int = 0
    wants: str = ""
    shut: bool = False
    note: str = ""


class BallView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A ball: where it is (``slot.B2``, ``ramp.L1``, ``zone.L``, ``gone``) and what it crossed this roll."""

    ball: int
    place: str
    trail: tuple[str, ...] = ()
    moving: bool = False


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that anybody at the table may know.

    ``headline`` says what the game waits for, ``hands`` in a sentence what is to be laid or lifted at the
    board before that; it is left out where the table's own hands do it.
    ``active`` is the seat whose turn it is, ``acting`` the one that acts now, mostly the same. ``asked``
    holds open questions as (seat, text). ``counters`` are of the whole table. While ``paused``,
    ``deadline_us`` and the deadlines of questions stand still.
    """

    kind: str
    headline: str
    turn: int
    active: str
    acting: str
    seats: tuple[SeatView, ...]
    places: tuple[PlaceView, ...]
    balls: tuple[BallView, ...] = ()
    counters: tuple[Counter, ...] = ()
    hands: str = ""
    asked: tuple[tuple[str, str], ...] = ()
    power: bool = True
    paused: bool = False
    deadline_us: int | None = None
    winners: tuple[str, ...] = ()
    losers: tuple[str, ...] = ()
    outcome: str | None = None
    last_roll: LastRoll | None = None
    """The last roll that came to rest, to be watched again; filled in by the table, not by the game."""
    detail: Any = None


class Amount(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A number that whoever takes an :class:`Option` adds to its act.

    It is ``least`` to ``most``, by steps of ``step``, and stands in the act at ``into``: ``chips`` or, inside
    of something, ``stake.ore``. ``label`` says what is counted; a phone begins at ``usual``.
    """

    into: str
    label: str
    most: int
    step: int
    least: int = 0
    usual: int = 0


class Option(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One exact thing that a person may do now: send ``act`` unchanged.

    ``group`` says which button or part of the page it belongs to; ``ramp``, ``slot``, ``tile`` place it on
    the drawing. Where ``turns`` is not empty the sender adds ``act["turns"]``, one of them; where there are
    ``amounts``, a number for each, ``fewest`` in all of them together at least. ``tells`` marks
    what only reports what balls or hands did, in words that no game has for itself: ``released L1``,
    ``touched B2``, ``fell B2``, ``zone L``, ``off``, ``stuck L1``, ``still``; ``lifted B2``, ``laid``,
    ``unfit``; ``enough`` puts an end to a roll.
    """

    group: str
    label: str
    act: dict[str, Any]
    ramp: str | None = None
    slot: str | None = None
    tile: int | None = None
    turns: tuple[int, ...] = ()
    amounts: tuple[Amount, ...] = ()
    fewest: int = 0
    clause: str | None = None
    tells: str = ""
    by_button: bool = False
    """Whether the table's button *yes* does this when nothing is asked, for players without a phone."""
    speaks_for: str = ""
    """The other seat for which this speaks; it is offered only while no phone of that seat is there."""


_LAY: Final = frozenset({"lift", "put"})
_LAID: Final = frozenset({"lifted", "laid", "unfit"})


def by_hand(option: Option) -> bool:
    """Whether an option tells what hands did with a piece."""
    return option.tells.partition(" ")[0] in _LAID


def without_hands(scene: Scene) -> Scene:
    """Return a scene in which nobody is asked to lay or lift anything."""
    if not scene.hands and not any(one.wants in _LAY for one in scene.places):
        return scene
    places = (msgspec.structs.replace(one, wants="") if one.wants in _LAY else one for one in scene.places)
    return msgspec.structs.replace(scene, places=tuple(places), hands="")


def asks(scene: Scene) -> str:
    """Return what a scene asks for: what hands should do, then the headline."""
    return f"{scene.hands} Then: {scene.headline}" if scene.hands else scene.headline


def acts_of(option: Option, amounts: Sequence[int] | None = None) -> tuple[dict[str, Any], ...]:
    """Return the acts that an option stands for: one for each of its turns, with these amounts.

    Without ``amounts`` it is done with the usual ones, or as few more as have to be.
    """
    chosen = _usual(option) if amounts is None else amounts
    act: dict[str, Any] = {**option.act}
    for one, number in zip(option.amounts, chosen, strict=True):
        name, _dot, inner = one.into.partition(".")
        act[name] = {**act.get(name, {}), inner: number} if inner else number
    return tuple({**act, "turns": turns} for turns in option.turns) or (act,)


def _usual(option: Option) -> list[int]:
    """Return the usual amounts; the first that can grow do so until there are as many as have to be."""
    found = [one.usual for one in option.amounts]
    for at, one in enumerate(option.amounts):
        while sum(found) < option.fewest and found[at] + one.step <= one.most:
            found[at] += one.step
    return found


class Prompt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One question to a person: the exact legal answers, and what happens if nobody answers.

    Each answer's ``act["choice"]`` names it; the table's two buttons answer ``yes`` and ``no``.
    ``ball`` is the ball that it is about, if somebody who watched would know the answer; ``claim`` says that
    another player claims something that is to be confirmed. ``ended_by`` are words of acts (``act["do"]``)
    that leave nothing to ask: those among the seat's options stay in reach beside it. ``watched`` is asked of
    whoever stands at the board: what balls did, or whether hands have done something there. At a simulated
    one, the simulator answers.
    """

    id: str
    seat: str
    kind: str
    text: str
    clause: str
    options: tuple[Option, ...]
    default: int | None = None
    deadline_us: int | None = None
    slot: str | None = None
    ball: int | None = None
    claim: bool = False
    ended_by: tuple[str, ...] = ()
    watched: bool = False


class PrivateView(msgspec.Struct, frozen=True, kw_only=True):
    """What only one seat may know: its hand, what it may do now, what it is asked.

    ``owed`` says in a word each what it still has to do in this turn; ``headline``, if there is one, says to
    this player what everybody's headline says about them.
    """

    seat: str
    hand: tuple[Piece, ...]
    options: tuple[Option, ...]
    prompts: tuple[Prompt, ...]
    owed: tuple[str, ...] = ()
    others: tuple[Prompt, ...] = ()
    """Questions to other seats that reveal no hand: they can be answered here too while no phone of that seat
    is there ("pass the phone")."""
    headline: str = ""


# --- lamps ---

Colour = tuple[int, int, int]
"""Red, green, blue, each 0..255."""
DARK: Final[Colour] = (0, 0, 0)
SEAT_COLOURS: Final[Mapping[str, Colour]] = {
    "red": (255, 20, 20),
    "blue": (30, 80, 255),
    "green": (20, 220, 60),
    "yellow": (255, 190, 0),
    "violet": (170, 40, 255),
    "white": (220, 220, 220),
}
_PIECE: Final[Colour] = (18, 18, 16)
_RED: Final[Colour] = (255, 0, 0)
_WHITE: Final[Colour] = (255, 255, 255)


class Glow(NamedTuple):
    """How the lamps of one place shine.

    The first ``lit`` of them show ``colour`` (all, if it is None), the others ``rest``. With ``blink`` they
    all show ``rest`` every other half second.
    """

    colour: Colour
    rest: Colour = DARK
    lit: int | None = None
    blink: bool = False


def colour_of(scene: Scene, seat: str) -> Colour:
    """Return the colour of a seat's lamps; white if it has none of ours."""
    named = next((known.colour for known in scene.seats if known.seat == seat), "white")
    return SEAT_COLOURS.get(named, SEAT_COLOURS["white"])


def lamps_of(scene: Scene) -> dict[str, Glow]:
    """Return lamps for any scene, for games that have no lamps of their own in mind.

    The winner's colour everywhere; else what hands should do blinks, an owner's place has their colour, a
    counted place one white lamp each, a piece a dim one, and an open ramp is bright.
    """
    if scene.winners:
        return {one.place: Glow(colour_of(scene, scene.winners[0])) for one in scene.places}
    return {one.place: _glow(scene, one) for one in scene.places}


def _glow(scene: Scene, one: PlaceView) -> Glow:
    match one.wants:
        case "lift":
            return Glow(_RED, blink=True)
        case "put":
            return Glow(_WHITE, _PIECE, blink=True)
        case "release":
            return Glow(colour_of(scene, scene.acting))
        case _ if one.owner:
            return Glow(colour_of(scene, one.owner))
        case _ if one.count:
            return Glow(_WHITE, _PIECE, lit=one.count)
        case _:
            return Glow(_PIECE if one.piece is not None or one.part_of else DARK)

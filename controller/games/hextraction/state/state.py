"""The state of a game of Hextraction, and its set-up: plain, frozen, compared by value.

A tile in the box is a :class:`Copy` with a number; an installed one is a :class:`Laid`. A copy whose ``name``
is empty is a tile that only its holder has seen (a hand kept as real tiles).
"""

import enum
from typing import Annotated, Final, TypeVar, get_type_hints

import msgspec
from hextraction.board.facts import RollSettled
from hextraction.controller.games.hextraction.state.record import EMPTY, Record

__all__ = [
    "MOST_PLAYED",
    "Ask",
    "Config",
    "Copy",
    "Depth",
    "Fate",
    "Kept",
    "Laid",
    "Parting",
    "Phase",
    "Play",
    "Player",
    "Roll",
    "Seat",
    "Setup",
    "Share",
    "State",
    "Vote",
    "Waiting",
    "kept_fields",
]

MOST_PLAYED: Final = 24
"""How many kinds a table remembers of what people have played."""

# --- What a game starts from ---


class Depth(enum.StrEnum):
    """How closely a table without sensors follows the game: it is told everything, results, or the score."""

    FULL = "full"
    LIGHT = "light"
    SCORE = "score"


class Config(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The settings of rulings marked ``cfg:``, and what the board can do by itself."""

    grace_us: int = 5_000_000
    let_go_us: int = 1_500_000
    """How long a tile must lie still before it counts as let go, if nobody says so (2.2.5)."""
    attest_us: int = 10_000_000
    loop_us: int = 20_000_000
    joint_wins: bool = True
    trigger_once_per_roll: bool = False
    sensors: bool = True
    tile_sensors: bool = True
    gates: bool = True
    kickers: tuple[str, ...] = ()
    vote_cooldown_us: int = 0
    """How long after a vote the same tile cannot be put to the vote again; 0 for no wait (R-10)."""
    card_us: int = 60_000_000
    """How long the owner of a tile may look for its rules card (2.5.3, R-64)."""
    moment_us: int = 0
    """How long a lone effect waits, so that it can be voted on or its card be asked for (0.5.1, 2.5.1)."""
    leave_us: int = 80_000
    """For the tracker: how long a ball must be unseen in a slot before it counts as gone (R-13)."""
    launcher: bool = False
    """The board has a launcher other than ramps: it asks whether a ball that appears was a roll (2.1.1.3)."""
    depth: Depth = Depth.FULL
    """What people want to tell at a board without sensors (R-50)."""


class Seat(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A player at set-up.

    ``hand`` names the opening hand, picked from the player's own tiles (1.0.6); without one the player draws
    blindly from the pool (1.0.7). Empty names are tiles only the player has seen.
    """

    seat: str
    name: str
    colour: str = ""
    hand: tuple[str, ...] = ()
    balls: int = 0
    """How many balls the player brought; 0 if nobody has counted (1.0.3)."""


class Share(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Copies of a kind of tile that an owner puts into a pool; an empty name is an unseen tile."""

    name: str
    owner: str | None = None
    count: int = 1


class Setup(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Everything that a game starts from; it is in the journal's header.

    ``laid`` lists tiles already on the board as (slot, name, turns); ``balls`` those already lying on it.
    ``quick`` fills in what nobody has said, such as whose board it is. ``boards`` are the seats that offer a
    board (1.0.2). ``marks`` are findings about kinds of tiles, as (word of the checklist, name).
    """

    board: str
    seats: tuple[Seat, ...]
    pool: tuple[Share, ...]
    virtual: tuple[Share, ...] = ()
    laid: tuple[tuple[str, str, int], ...] = ()
    balls: dict[int, str] = {}
    first: str | None = None
    board_owner: str | None = None
    power: bool = True
    config: Config = Config()
    quick: bool = True
    boards: tuple[str, ...] = ()
    ball_size: str = "10 mm"
    magnetic: bool = True
    marks: tuple[tuple[str, str], ...] = ()
    played: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """The kinds that people have named at this table, in this game and before it, the last one first."""
    own: str | msgspec.UnsetType = msgspec.UNSET
    """The tiles of people's own that were known as it began, as a catalogue file: they may change later."""
    chance: int = 0
    at_us: int = 0


# --- The state ---

_T = TypeVar("_T")
_KEPT = "kept"
Kept = Annotated[_T, _KEPT]
"""A field that a void roll does not give back: it cannot un-happen, or it is no doing of the roll (0.5.8)."""


def kept_fields(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the names of the fields that are ``Kept``."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(name for name, hint in hints.items() if _KEPT in getattr(hint, "__metadata__", ()))


class Phase(enum.Enum):
    """What the game is waiting for, exactly one at a time; an open vote or question freezes it."""

    __hash__ = object.__hash__  # each member is one object, and every event looks up its phase

    CHOOSING = "choosing"
    """Stable: the active player rolls, plays, activates or ends (2.0.1)."""
    RELEASING = "releasing"
    """Somebody must let a ball go."""
    ROLLING = "rolling"
    """Balls are moving (2.1.4)."""
    RESOLVING = "resolving"
    """All balls rest; effects are resolved (2.1.4.2, 2.2.5)."""
    PLACING = "placing"
    """A tile is revealed; its slot is to be chosen (2.2.1)."""
    SEATING = "seating"
    """The slot is chosen; the tile must bottom out (2.2.4)."""
    SETTLING = "settling"
    """Stable but for the grace in which anybody may still object (R-20)."""
    TIDYING = "tidying"
    """The commit asks something, or what it destroyed has effects (R-21)."""
    DISCARDING = "discarding"
    """The turn is over except for discarding down to three (1.2.3)."""
    OVER = "over"


class Copy(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One tile in the box."""

    id: int
    name: str
    owner: str | None = None
    whole: int = 0
    """The number of the Combo that this copy is a part of, if any (3.Combo)."""
    guise: str = ""
    """The kind of tile whose effects it has taken over, if any."""


class Laid(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An installed tile: the slots it covers (the first is where it was laid) and how it is turned."""

    copy: int
    slots: tuple[str, ...]
    turns: int = 0
    silenced: bool = False
    """Its Forbidden effects were voted down for this installation (R-09)."""
    locked: bool = False
    """Its set-up instructions have been followed: nobody touches its moving parts any more (2.2.3.3)."""
    part: int = 0
    """How far an effect has turned its moving part, in sixths; 1 means off for a switch; balls used up."""
    by: str = ""
    """Who has laid it, if somebody has in this game."""

    @property
    def slot(self) -> str:
        """The slot in which it was laid, the first of those that it covers."""
        return self.slots[0]


class Fate(msgspec.Struct, frozen=True, gc=False):
    """Why a player is to lose, win, go on or miss a turn: by the effect of a tile, set off by another."""

    tile: int
    gone: int = 0
    """The copy whose destruction set it off; 0 if it was nothing of that kind."""


class Player(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A seat in the game."""

    seat: Kept[str]
    name: Kept[str]
    colour: Kept[str]
    hand: Kept[tuple[int, ...]] = ()
    out: Kept[bool] = False
    conceded: Kept[bool] = False
    losing: tuple[Fate, ...] = ()
    winning: tuple[Fate, ...] = ()
    cannot_win: tuple[Fate, ...] = ()
    lost_by: Kept[tuple[Fate, ...]] = ()
    """By what a player who is out has lost, if by effects."""
    skips: tuple[Fate, ...] = ()
    """By what it has lost a turn, for each that it has not yet missed."""
    skipped: bool = False
    extra_turns: tuple[Fate, ...] = ()
    """By what it has one more turn, for each that is still to come."""
    balls: Kept[int] = 0
    """How many balls the player brought (1.0.3); only a count, as balls are not marked (1.1.3)."""
    reclaimed: Kept[tuple[str, ...]] = ()
    """What the player has taken back after losing: ``leave``, ``tiles``, and a ``ball`` for each (2.8.3)."""


class Waiting(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An effect waiting to be resolved. ``effect`` is its index on the card; ``ball`` set it off.

    ``before`` is the tile that this ball touched before; 0: none, or no ball set the effect off.
    """

    id: int
    copy: int
    slot: str
    effect: int
    seat: str
    ball: int | None = None
    before: int = 0


class Stage(msgspec.Struct, frozen=True, gc=False):
    """What had come about in a roll as another player released the next ball in it (R-12)."""

    roller: str
    ramp: str
    entered_zone: tuple[int, ...]


class Roll(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A roll from its first release to its commit (R-12).

    ``base`` is the record when the balls last lay still, ``record`` the current one; ``layouts`` keeps since
    when which copy lay in which slot, so that a settlement can tell what a ball touched. ``roller`` is who
    released the last ball, ``stages`` what had come about while somebody else was.
    """

    roller: str
    ramp: str
    since_us: int
    base: Record
    record: Record
    layouts: tuple[tuple[int, dict[str, int]], ...]
    dead: bool = False
    locked: bool = False
    fresh: bool = True
    """Whether ``base`` is from before the first release."""
    due: bool = True
    """Whether it is one of the rolls that the turn owes, not one ordered on top of them (3.Rolling.2)."""
    by: int = 0
    """The copy whose effect ordered or granted it; 0 for the turn's own roll (R-08)."""
    ramps: tuple[str, ...] = ()
    """The ramps allowed by the effect that ordered it; empty for all."""
    loose: bool = False
    """Nobody released its balls: an effect set them loose, so that it is never rolled again."""
    told: bool = False
    """Whether people have said what balls did, so that a settlement has nothing to replace (R-50)."""
    account: bool = False
    """Its account is from the dark, and everybody must confirm it once it is told (R-49)."""
    tapped: tuple[str, ...] = ()
    """Who has said that a ball is in an end zone (R-14)."""
    about: int | None = None
    """The ball that people's reports are about, if they have said so; otherwise the one released last."""
    stuck: tuple[tuple[int, str], ...] = ()
    heard: int = 0
    """How many arrivals have already been checked for triggers."""
    fired: tuple[int, ...] = ()
    """Copies that have fired in it, if tiles fire once a roll (R-16)."""
    done: tuple[Waiting, ...] = ()
    """What its triggers have done since its last release, and to whom, as a touch may turn out to be none."""
    astir: bool = False
    """Whether balls have moved since they last lay still: ``record`` is provisional then."""
    adjusted: dict[int, int] = {}
    """By how much people have corrected the touches of each copy since the last quiet (R-14)."""
    denied: dict[int, int] = {}
    """Of how many touches since then, for each copy, people say that there were none (R-14)."""
    before: "State | None" = None
    """The game before its first release: what a void roll did is given back from it (0.5.8, R-06)."""
    carried: tuple[tuple[int, dict[str, str]], ...] = ()
    """Tiles that were moved while balls rolled: since when, and from which slot to which their balls went."""
    held: RollSettled | None = None
    """A settlement that waits for people's answer to the tracker's question."""
    stages: tuple[Stage, ...] = ()

    @property
    def began(self) -> str:
        """Whose roll it is: who released its first ball, though others may have rolled within it."""
        return self.stages[0].roller if self.stages else self.roller

    @property
    def rollers(self) -> tuple[str, ...]:
        """Who has released a ball in it, in order."""
        return tuple(dict.fromkeys((*(stage.roller for stage in self.stages), self.roller)))

    def roller_of(self, ball: int) -> str:
        """Return who was rolling when a ball last entered an end zone (R-12, R-25)."""
        times = self.record.entered_zone.count(ball)
        return next((one.roller for one in self.stages if one.entered_zone.count(ball) == times), self.roller)


class Play(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A tile being played, from reveal to commit (2.2.1.2)."""

    seat: str
    copy: int
    from_hand: bool = True
    silenced: bool = False
    overwrites: bool = False
    ignores: tuple[tuple[str, ...], ...] = ()
    """Minimal sets of its own effects, any one of which may be ignored for this play (2.2.2.3, R-38)."""
    only: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """The slots and turns to which the ordering effect restricts the play; empty for no restriction."""
    covers: tuple[str, ...] = ()
    """Slots of which the ordering effect wants the tile to cover one; empty if it may lie anywhere."""
    spares: tuple[str, ...] = ()
    """Slots that the ordering effect wants the tile not to cover."""
    lots: bool = False
    """Whether slot and turn are drawn by lot, once a ballot has said which are legal."""
    slots: tuple[str, ...] = ()
    turns: int = 0
    bottomed: bool = False
    """The tile Hall sees it in its slot, but fingers may still be on it (2.2.5)."""
    seen: str = ""
    """The slot in which a tile Hall saw it before a slot was chosen; empty if none did."""
    seated: bool = False
    pieces: tuple[int, ...] = ()
    """Copies still to be placed after this one: parts of a Combo and counterparts (3.Combo.1)."""
    done: tuple[int, ...] = ()
    """Copies of the same play that are already on the board."""
    held: tuple[int, ...] = ()
    """Counterparts that came out of the hand, and go back there if the play ends before they lie."""
    order: Waiting | None = None
    """The effect that ordered this play; None for a play of the turn."""
    home: str = "hand"
    """Where the tile goes if nobody lays it: to the ``hand`` or ``pool``, or it stays ``destroyed``."""
    within: "Play | None" = None
    """The play whose effect ordered this one: it also lasts until the commit (R-07)."""

    @property
    def slot(self) -> str:
        """The slot that was chosen, the first of those that the tile will cover."""
        return self.slots[0]

    @property
    def directed(self) -> bool:
        """Whether the ordering effect says where the tile goes."""
        return bool(self.only or self.covers)


class Parting(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A part or counterpart of a Combo that has lost another part: it, or one just like it, leaves as well.

    ``to`` says where: ``destroyed``, a ``pool``, or ``hand.SEAT`` (2.4.6, 2.4.7, R-55).
    """

    copy: int
    seat: str
    to: str
    clause: str
    by_vote: bool = False


class Vote(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An open vote (0.5) or Forbidden ballot (0.4)."""

    forbidden: bool
    copy: int
    slot: str
    order: tuple[str, ...]
    ballots: dict[str, bool] = {}
    away: tuple[str, ...] = ()
    """Who leaves: until the commit they may vote (2.8.1.2), but nobody waits for them (R-03)."""


class Matter(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a question is about: each kind has the fields that the rule handling the answer needs."""


class Ask(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A question to one seat: ``kind`` says which rule waits for it (:mod:`.questions`)."""

    id: str
    seat: str
    kind: str
    text: str
    clause: str
    choices: tuple[tuple[str, str], ...]
    slots: tuple[str, ...] = ()
    default: int | None = None
    deadline_us: int | None = None
    about: Matter = Matter()


class State(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A whole game. A void roll gives back each field that is not ``Kept``."""

    config: Kept[Config]
    copies: Kept[dict[int, Copy]]
    players: Kept[tuple[Player, ...]]
    pool: Kept[tuple[int, ...]]
    virtual: Kept[tuple[int, ...]]
    destroyed: Kept[tuple[int, ...]]
    laid: Kept[tuple[Laid, ...]]
    active: Kept[str]
    phase: Kept[Phase] = Phase.CHOOSING
    turn: Kept[int] = 1
    rolls_owed: int = 1
    plays_owed: int = 1
    flat: bool = False
    """An effect wants the tiles of this turn's hand laid without overwriting."""
    barred: tuple[int, ...] = ()
    """Tiles that a ballot of this turn left without a legal slot: they hold no other tile up (R-09)."""
    grants: tuple[int, ...] = ()
    """The copies that granted the last of the rolls owed, in rolling order (R-08)."""
    given_plays: tuple[int, ...] = ()
    """The copies that gave more plays of this turn; the turn's own play is used up first."""
    used: tuple[tuple[int, int], ...] = ()
    """Activated effects that have been used this turn, as (copy, effect)."""
    rolled: bool = False
    """Whether the active player has finished a roll that counted this turn."""
    rest: Record = EMPTY
    """Where balls lie while nobody rolls."""
    adrift: Kept[tuple[tuple[int, str], ...]] = ()
    """Balls that move by accident, and where each was before: until they lie still the game is unstable."""
    adrift_us: Kept[int] = 0
    """When one of them was last seen moving."""
    intent: tuple[str, str] | None = None
    """Who must release a ball, and on which ramp (empty until it is chosen)."""
    demanded: int = 0
    """Releases that effects have ordered inside the current roll or effect (3.Rolling.2)."""
    demanded_ramps: tuple[str, ...] = ()
    """The ramps on which they may be made; empty for all."""
    demanded_by: int = 0
    """The copy whose effect ordered them: if the copy leaves, the order ends (R-08)."""
    loose: str = ""
    """Whose roll it is if a ball moves before the commit, as an effect has moved the tiles under balls."""
    roll: Kept[Roll | None] = None
    ended_us: int = 0
    """When the last roll ended: what moved before counts in no other (R-12, R-20)."""
    play: Kept[Play | None] = None
    vote: Kept[Vote | None] = None
    votes: Kept[int] = 0
    """Votes called this turn (0.5.5)."""
    voted: Kept[tuple[tuple[int, int, int], ...]] = ()
    """What has been put to the vote, as (copy, how often, when last) (R-10)."""
    waiting: tuple[Waiting, ...] = ()
    shown: tuple[int, ...] = ()
    """Waiting effects that the table has had a moment to object to, by number (0.5.1, 2.5.1)."""
    poised: Waiting | None = None
    """A kick that waits until destroyed tiles are out and hands are away (2.4.1, R-17)."""
    parting: Kept[tuple[Parting, ...]] = ()
    """Parts of Combos that are still to leave, and for which it is asked which (R-55)."""
    asks: Kept[tuple[Ask, ...]] = ()
    in_hand: Kept[tuple[tuple[int, str], ...]] = ()
    """Tiles gone from the slot where they lie, as (copy, slot), while an effect asks where they go (R-43)."""
    to_lift: Kept[tuple[str, ...]] = ()
    """Slots out of which a destroyed tile is still to be taken (2.4.1)."""
    tidy: tuple[str, ...] = ()
    """The steps of the commit that are still to be taken (R-21)."""
    piles: tuple[int, ...] = ()
    """Copies on which three balls or more lie, and for which a tile is still to be destroyed (2.1.5.5)."""
    ignored_bans: tuple[int, ...] = ()
    """Copies whose bans of ramps are ignored for this roll (2.1.2, R-38)."""
    chime: Kept[int] = 0
    attesting: Kept[bool] = False
    """Until the commit people say what balls did, because the board was without power meanwhile (R-49)."""
    power: Kept[bool] = True
    dark: Kept[bool] = False
    """The game came to rest while the board had no power, so this commit counts as unpowered (R-49)."""
    spell: Kept[bool] = False
    """The board has been without any power since the last commit of a roll or a play (R-49).

    Turns may have been played: a vote, or somebody's leaving, tells nothing of what lies where.
    """
    offline: Kept[bool] = False
    overdrive: Kept[bool] = False
    at_us: Kept[int] = 0
    deadline_us: int | None = None
    next_id: Kept[int] = 1
    chance: Kept[int] = 0
    paused_us: Kept[int | None] = None
    """Since when the table has been on a break; None while it plays."""
    strays: Kept[int] = 0
    """Balls that have gone over the side in this game, and may have rolled under the sofa (1.1.3)."""
    taken_out: Kept[frozenset[int]] = frozenset()
    """Balls in end zones that people have been told to take out: nothing tells that they are gone (R-24)."""
    frozen_us: Kept[int | None] = None
    """Since when an open vote has frozen the questions (R-05)."""
    agreed: tuple[str, ...] = ()
    """Who has no objection, while the game settles (R-20)."""
    objected: tuple[str, ...] = ()
    """Who has said, while the game settles, that something is wrong (R-20)."""
    began_us: Kept[int] = 0
    """When the game began, later by each break."""
    turn_us: Kept[int] = 0
    """When the turn began, later by each break."""
    winners: tuple[str, ...] = ()
    outcome: str | None = None
    board_owner: Kept[str | None] = None
    marks: Kept[tuple[tuple[str, str], ...]] = ()
    """Findings about kinds of tiles, as (word of the checklist, name)."""
    graves: Kept[tuple[Laid, ...]] = ()
    """Tiles destroyed this turn, as they lay: the table may decide otherwise (0.0)."""
    old_graves: Kept[tuple[Laid, ...]] = ()
    """Those destroyed in earlier turns: asked for, they come back as they lay, too."""
    taken: Kept[tuple[int, ...]] = ()
    """Tiles that a loser has taken back, and those that never came into play (2.8.3.2, 0.1.5)."""
    blocked: Kept[tuple[str, ...]] = ()
    """Slots in which a destroyed tile is stuck (0.1.9)."""
    played: Kept[tuple[str, ...]] = ()
    """The kinds that people have named at this table, as in :class:`Setup`."""
    silencers: tuple[int, ...] = ()
    """Tiles whose switch is off: while there is one, the effects of all others do nothing."""
    supplied: Kept[tuple[int, ...]] = ()
    """Tiles whose owner has brought the item that their effect needs this turn (2.5.4)."""
    last: "State | None" = None
    """The game before the last action, until a ball moves or the commit: it can be undone (0.0)."""
    last_seat: str = ""
    last_what: str = ""
    """That action in words, so that the table knows what it takes back."""
    agreed_since: tuple[Ask, ...] = ()
    """What the table has agreed since that action: it is applied again if the action is undone."""

    tap: "State | None" = None
    """The game before the last tap, at a table of few taps: whoever tapped may take it back."""
    tap_seat: str = ""

    @property
    def tapped_us(self) -> int:
        """When the last tap was that may be taken back."""
        return self.tap.at_us if self.tap is not None else 0

    @property
    def depth(self) -> Depth:
        """How closely the table follows this game: a board that sees balls follows all of it."""
        return Depth.FULL if self.config.sensors else self.config.depth

    @property
    def people_tell(self) -> bool:
        """Whether people report what balls do, as no sensor sees all of it (R-49, R-50)."""
        return not (self.config.sensors and self.power) or self.attesting

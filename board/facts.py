"""Facts about balls: the vocabulary between tracker, simulator and games.

A fact says what a ball did, never what it means. ``ball`` numbers balls on the board; a number is unique as
long as its ball is on the board, and a settlement may give the same doings to another number. ``at_us`` is
microseconds since the controller's boot.

During a roll facts are provisional. When nothing moves any more one :class:`RollSettled` replaces all facts
of the roll. A ball has *entered* a slot when its centre has come at least 2.5 mm inside the tile.

The classes are msgspec structs (frozen, slotted, compared by value): they go through the journal as JSON, and
a tagged union is what msgspec reads and writes without code of ours.
"""

import msgspec

__all__ = [
    "Answer",
    "BallEntered",
    "BallFell",
    "BallInZone",
    "BallLeft",
    "BallLeftZone",
    "BallOffBoard",
    "BallReleased",
    "BallStuckOnRamp",
    "Doubt",
    "Fact",
    "Question",
    "RollSettled",
]


class _Fact(msgspec.Struct, frozen=True, kw_only=True, tag_field="fact", tag=True, gc=False):
    at_us: int


class BallReleased(_Fact, frozen=True, kw_only=True, gc=False):
    """A ball left its ramp's gate: it is being rolled."""

    ball: int
    ramp: str


class BallEntered(_Fact, frozen=True, kw_only=True, gc=False):
    """A ball came into contact with the tile (or the empty pocket) in a slot."""

    ball: int
    slot: str


class BallLeft(_Fact, frozen=True, kw_only=True, gc=False):
    """A ball really left a slot (ruling R-13: absent for a while, or seen elsewhere)."""

    ball: int
    slot: str


class BallFell(_Fact, frozen=True, kw_only=True, gc=False):
    """A ball dropped through an open slot or through a tile's own hole."""

    ball: int
    slot: str


class BallInZone(_Fact, frozen=True, kw_only=True, gc=False):
    """A ball went past an end zone's beam and stayed there for now."""

    ball: int
    zone: str


class BallLeftZone(_Fact, frozen=True, kw_only=True, gc=False):
    """A ball came back out of an end zone."""

    ball: int
    zone: str


class BallOffBoard(_Fact, frozen=True, kw_only=True, gc=False):
    """A ball left the board over its side; ``slot`` is the last slot it was on, if it was on any."""

    ball: int
    slot: str | None = None


class BallStuckOnRamp(_Fact, frozen=True, kw_only=True, gc=False):
    """A ball was released and never reached the slot below its ramp."""

    ball: int
    ramp: str


Fact = (
    BallReleased
    | BallEntered
    | BallLeft
    | BallFell
    | BallInZone
    | BallLeftZone
    | BallOffBoard
    | BallStuckOnRamp
)


class Doubt(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A ball whose fate the tracker could not tell: last surely seen on ``slot`` (or on the ramp)."""

    ball: int
    slot: str | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What people may say to a :class:`Question`, and the account of the roll that is true then.

    ``counts`` has one number for each of the question's ``slots``. ``likelihood`` is how likely this answer
    is, 0..1, and ``probability`` how sure the account is once it is given.
    """

    counts: tuple[int, ...]
    facts: tuple[Fact, ...]
    likelihood: float
    probability: float


class Question(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The one thing that people are asked about a roll, because a ruling depends on it.

    ``kind`` says what the counts of an answer count, for each of ``slots``:

    =========  ===============================================================================
    third      1 if balls touched the slot's tile three times or more, else 0
    touches    how often balls touched the slot's tile
    rests      how many balls lie on the slot's tile
    lost       how many balls left the board, or fell through a tile's hole, with this tile as the last one
    zone       how many balls that moved ended in an end zone; ``slots`` are the end zones then
    =========  ===============================================================================

    ``answers`` begin with the likeliest one.
    """

    kind: str
    slots: tuple[str, ...]
    answers: tuple[Answer, ...]


class RollSettled(_Fact, frozen=True, kw_only=True):
    """Nothing moves any more: these facts replace the provisional ones of the roll.

    ``missing`` lists balls that must have gone somewhere unseen (ruling R-34: the players are asked).
    ``probability`` is how sure the tracker is of what the rules act on, 0..1; exact counts that change no
    ruling may be less sure. If it is low, ``question`` is what settles most; the account of its first answer
    holds until people say otherwise.
    """

    facts: tuple[Fact, ...]
    missing: tuple[Doubt, ...] = ()
    probability: float = 1.0
    question: Question | None = None

"""Facts about balls: the vocabulary that tracker, simulator and games share.

A fact says what a ball did, never what it means. ``ball`` numbers balls on the board; a number is unique
while its ball is on the board, and a settlement may reassign what a ball did to another number. ``at_us`` is
microseconds since the controller's boot.

During a roll facts are provisional. Once nothing moves any more, one :class:`RollSettled` replaces all facts
of the roll. A ball has *entered* a slot when its centre has come at least 2.5 mm inside the tile.

The classes are msgspec structs (frozen, slotted, compared by value): the journal stores them as JSON, and
msgspec reads and writes a tagged union without any code of ours.
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
    """A ball left its ramp's gate: its roll has begun."""

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
    """A ball went past an end zone's beam and has not come back so far."""

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
    """A ball whose fate the tracker could not tell: last seen for certain on ``slot`` (or on the ramp)."""

    ball: int
    slot: str | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A possible answer to a :class:`Question`, and the account of the roll that then holds.

    ``counts`` has one number for each of the question's ``slots``. ``likelihood`` is how likely this answer
    is, 0..1, and ``probability`` how sure the account is once people have given it. ``question`` is what they
    are asked then, if a ruling still depends on something that this answer leaves open; none follows that.
    """

    counts: tuple[int, ...]
    facts: tuple[Fact, ...]
    likelihood: float
    probability: float
    question: "Question | None" = None


class Question(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The one thing that people are asked about a roll, because the rules depend on it.

    ``kind`` says what the counts of an answer count, for each of ``slots``:

    =========  ===============================================================================
    third      1 if balls touched the slot's tile three times or more, else 0
    touches    how often balls touched the slot's tile
    rests      how many balls lie on the slot's tile
    lost       how many balls left the board, or fell through a tile's hole, with this tile as the last one
    zone       how many balls that moved ended in an end zone; ``slots`` are the end zones then
    =========  ===============================================================================

    The likeliest of the ``answers`` comes first.
    """

    kind: str
    slots: tuple[str, ...]
    answers: tuple[Answer, ...]


class RollSettled(_Fact, frozen=True, kw_only=True):
    """The roll is over: these facts replace its provisional ones.

    ``missing`` lists balls that must have gone somewhere unseen (ruling R-34: the players are asked).
    ``probability`` is how sure the tracker is of what the rules act on, 0..1; it may be less sure of exact
    counts that change no ruling. If it is low, ``question`` is the one that settles most; the account of its
    first answer holds until people say otherwise.

    >>> from hextraction.api.facts import BallFell, RollSettled
    >>> settled = RollSettled(at_us=3_000_000, facts=(BallFell(at_us=900_000, ball=1, slot="C3"),))
    >>> [fact.slot for fact in settled.facts], settled.missing, settled.question
    (['C3'], (), None)
    """

    facts: tuple[Fact, ...]
    missing: tuple[Doubt, ...] = ()
    probability: float = 1.0
    question: Question | None = None

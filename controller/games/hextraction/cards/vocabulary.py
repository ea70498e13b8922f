"""The vocabulary that cards are written in: occasions, keywords, and what happens, each word one object.

What only people can do is said in the card's own words, which are then told to them.
"""

import enum
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from hextraction.board.profile import Board
from hextraction.controller.games.added import BrokenPackageError, imported, package_of, points

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "VOCABULARY", "BrokenWordError", "Deed", "Effect", "Keyword", "Limit", "Trigger", "Vocabulary", "When",
    "Who", "Word", "deed_named",
]  # fmt: skip


class Word(enum.Enum):
    """A word of the vocabulary. Hashed by identity, as each member is one object."""

    __hash__ = object.__hash__


class Keyword(Word):
    """Keywords of the tile itself (rule 3.TileKeyword)."""

    UNIQUE = "unique"
    """Only one of its name is on the board: it overwrites its twin (3.Unique)."""
    VIRTUAL = "virtual"
    """It comes into play by Create, and returns to a pool of its own (3.Virtual)."""
    COMBO = "combo"
    """It is laid as several tiles, its ``parts`` (3.Combo)."""


class Trigger(Word):
    """How much of a tile is its trigger area (ruling R-15)."""

    NONE = "none"
    """No ball sets anything off."""
    WHOLE = "whole"
    """Any touch of the tile sets its effects off."""
    AREA = "area"
    """A touch of a marked area does; whether it was one is asked."""


class When(Word):
    """The occasion of an effect."""

    TRIGGER = "trigger"
    """When a ball that rolls hits the trigger area (2.6)."""
    ON_PLAY = "on_play"
    """Once the tile is played and let go (2.2.5)."""
    ON_DESTROY = "on_destroy"
    """As its last act, when it is destroyed (R-73)."""
    ONGOING = "ongoing"
    """As long as it is installed."""
    ACTIVATED = "activated"
    """When the active player wants it (2.7)."""
    LIMIT = "limit"
    """It says where or when the tile may be played (3.Limit)."""
    SETUP = "setup"
    """People prepare its moving parts as it is laid (2.2.3)."""
    PLAYED = "played"
    """Whenever another tile is played (2.2.5.1)."""
    PICKED = "picked"
    """Only when a PICK of the same tile chooses it."""


class Who(Word):
    """Whom an effect concerns: who caused it, the next in turn order, all others, everybody, its owner.

    What is the owner's to do happens only if an opponent of theirs has set it off.
    """

    SELF = "self"
    """Who has caused it: who rolls, plays or activates."""
    NEXT = "next"
    """The next player in turn order."""
    OTHERS = "others"
    """All but who has caused it."""
    ALL = "all"
    """Everybody who plays."""
    OWNER = "owner"
    """The tile's owner, if somebody else has caused it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Where or when the tile of a Limit may be laid (3.Limit)."""

    slots: Callable[[Board, Collection[str], float], Collection[str]] | None = None
    """The slots that it allows, of a board, given its open slots and how high the highest piece of the same
    Combo laid before lies, in mm downwards from the top of the board."""
    covered: Callable[[Board, Mapping[str, int]], Collection[str]] | None = None
    """The slots that it allows of those in which tiles lie: the tile is played on top of one of them."""
    on_top: bool = False
    """The tile is played on top of another one, whichever."""
    before_roll: bool = False
    """The tile may not be played once its player has rolled this turn."""
    fixed: bool = False
    """It asks nothing of the other tiles."""

    @property
    def covers(self) -> bool:
        """Whether the tile has to overwrite another one."""
        return self.on_top or self.covered is not None

    @property
    def of_open_slots(self) -> bool:
        """Whether it can be judged from the open slots and the pieces of the same Combo laid before."""
        return not self.covers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Deed:
    """A word of the vocabulary of effects, and what the rules ask of it.

    The engine asks these questions and never for a name. What a word *does* is said by those that act
    (``state.deeds.Acting``); one that only lasts or limits says all here.
    """

    # --- in a tile file ---

    word: str
    """How a tile file spells it."""
    meaning: str
    """The sentence for people, with the names of the keys in backticks."""
    needs: tuple[str, ...] = ()
    """The keys that an effect must have besides ``when``, ``deed`` and ``text``: ``tile``, ``edge``."""
    keys: tuple[str, ...] = ()
    """The further keys that mean something to it."""
    only: When | None = None
    """The one occasion that it is for; None if it may happen on any but as a Limit."""

    # --- who does it ---

    in_words: bool = False
    """People do what the card's words say, and say when it is done."""
    may_limit: bool = False
    """As a Limit it is one that only people can judge."""
    picks: bool = False
    """It offers the ``picked`` effects of the same tile."""

    # --- while it lasts ---

    limit: Limit | None = None
    bans_ramps: bool = False
    """Nobody may roll on its ``ramps`` (2.1.1.2)."""
    stops_drawing: bool = False
    """Nobody draws after a turn (0.1.3)."""
    counts_in_hand: bool = True
    """Its tile counts in a hand (1.2.2, 1.2.3)."""
    pile: "Callable[[Effect], float] | None" = None
    """How many balls make a pile on its tile (2.1.5.5)."""
    collects: bool = False
    """People put balls that leave the board into its tile."""
    supplies: bool = False
    """Balls that are rolled are its tile's own, until none is left."""
    switches: bool = False
    """Its tile has a switch that silences all others."""
    hole_is_side: bool = False
    """A ball that drops through its tile's hole counts as gone over the side (R-74)."""
    instead: Literal["", "hand", "pool"] = ""
    """Where its tile goes instead of being destroyed: to the ``hand`` of who caused it, or the ``pool``."""

    # --- what it gives, orders or brings about ---

    creates: bool = False
    """Its ``tile`` is Virtual, and comes into play by it (3.Create)."""
    lets_balls_go: bool = False
    """Somebody puts a ball on a tile or ramp, which Break the Loop forbids (R-32)."""
    moves_balls: bool = False
    """It sets balls moving where they lie."""
    decrees: Literal["", "losing", "winning", "cannot_win", "extra_turns", "skips"] = ""
    """What it brings upon a player at once, who has to do nothing for it (R-60)."""
    decrees_later: bool = False
    """It brings something upon a player only if another tile is destroyed."""
    gives: Literal["", "rolls", "plays"] = ""
    """What a turn owes more by it."""
    lays_flat: bool = False
    """The tiles of the hand are laid without overwriting while it gives plays."""
    lays_from_hand: bool = False
    """Some tile of the hand is to be laid, whichever it is."""
    lays_another: bool = False
    """If the tile that it has somebody lay fits nowhere, it starts over with another one (2.2.4.3, R-09)."""
    given_back: bool = False
    """It changes only what is kept in mind, so that giving that back undoes all of it (0.5.8)."""

    # --- its question ---

    moves_itself: bool = False
    """It asks only where its own tile goes or how it is turned: a hand may have lifted it for that (R-43)."""

    acts_before_asking: bool = False
    """``do`` changes something before it asks, or instead of asking."""
    asks_about_board: bool = False
    """Its choices depend on what lies, and ``do`` only asks: when a tile comes or goes it asks anew."""
    all_can_see: bool = False
    """It asks what a tile shows, so anybody can answer for whoever leaves."""
    goes_without_saying: int | None = None
    """The number, from 0, of the choice that is taken for whoever has left; None lets chance choose."""
    needs_hands: bool = False
    """Somebody lays a tile or takes a new ball: chance cannot do that for whoever leaves (2.8.4)."""

    def __repr__(self) -> str:
        """Return the word, as a catalogue is printed."""
        return f"<{self.word}>"

    def __reduce__(self) -> "tuple[Callable[[str], Deed], tuple[str]]":
        """Let a catalogue be copied and sent to another process: a word is one object there, too."""
        return deed_named, (self.word,)

    @property
    def by_people(self) -> bool:
        """Whether people's hands do it."""
        return self.in_words or self.collects

    @property
    def leaps(self) -> bool:
        """Whether a ball may come by it to where no tiles lead."""
        return self.in_words or self.lets_balls_go or self.moves_balls

    @property
    def occasions(self) -> tuple[When, ...]:
        """When an effect with this word may happen."""
        if self.only is not None:
            return (self.only,)
        return tuple(when for when in When if when is not When.LIMIT or self.may_limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One effect of a tile.

    ``forbidden`` needs a unanimous ballot (0.4); ``offline`` and ``overdrive`` say when it is enabled (3);
    an activated effect may be ``mandatory``, limited to once a turn, usable ``from_hand`` or cost its own
    tile. ``edge`` is the arrow of the upright tile (1..6, 0 for none), ``turn`` by how many sixths it is
    turned afterwards, ``eats`` what it may step on.
    """

    when: When
    deed: Deed
    text: str
    amount: int = 1
    who: Who = Who.SELF
    ramps: tuple[str, ...] = ()
    tile: str = ""
    edge: int = 0
    turn: int = 0
    eats: tuple[str, ...] = ()
    forbidden: bool = False
    offline: bool = False
    overdrive: bool = False
    mandatory: bool = False
    once_per_turn: bool = False
    from_hand: bool = False
    discard_this: bool = False


GROUP: Final = "hextraction.effects"
"""The group of entry points by which packages of anybody's own add words: a word, and its object."""
_SPELLED: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")


class BrokenWordError(LookupError):
    """A package adds a word that cannot be used; the message names the package and says why."""


class Vocabulary:
    """The words that a tile file may use for what happens: ours, and those that other packages add.

    A package is looked for only when a tile has a word that is none of ours, so a broken one stops no table.
    """

    def __init__(self) -> None:
        self._own: dict[str, Deed] = {}
        self._added: dict[str, Deed] = {}

    def enrol(self, deed: Deed) -> None:
        """Add a word of our own."""
        if deed.word in self._own:
            raise ValueError(f"the word {deed.word!r} is there already")
        self._own[deed.word] = deed

    def __iter__(self) -> Iterator[Deed]:
        """Go through our own words, those of one file together."""
        return iter(self._own.values())

    def words(self) -> tuple[str, ...]:
        """Return our own words as a tile file spells them."""
        return tuple(self._own)

    def added(self) -> dict[str, str]:
        """Return the words that other packages add, each with its package; none of these is imported."""
        found = {point.name: package_of(point) for point in points(GROUP)}
        return {word: package for word, package in found.items() if word not in self._own}

    def named(self, word: str) -> Deed:
        """Return the object of a word.

        Raises:
            KeyError: there is no such word.
            BrokenWordError: a package adds it, and it cannot be used.
        """
        found = self._own.get(word) or self._added.get(word)
        if found is None:
            point = next((point for point in points(GROUP) if point.name == word), None)
            if point is None:
                raise KeyError(word)
            found = self._added[word] = _word_of(point)
        return found

    def broken(self) -> dict[str, str]:
        """Return why each added word that cannot be used cannot; imports all packages that add some."""
        taken = {point.name: package_of(point) for point in points(GROUP) if point.name in self._own}
        found = {word: f"{package}: the word {word!r} is one of ours" for word, package in taken.items()}
        for word in self.added():
            try:
                self.named(word)
            except BrokenWordError as error:
                found[word] = str(error)
        return found


def _word_of(point: "EntryPoint") -> Deed:
    """Import a word that a package adds."""
    try:
        found = imported(point)
    except BrokenPackageError as error:
        raise _broken(point, str(error)) from error
    if not isinstance(found, Deed):
        raise _broken(point, f"want a Deed or an Acting, found {found!r}")
    if found.word != point.name:
        raise _broken(point, f"its object is spelled {found.word!r}, the entry point {point.name!r}")
    if not _SPELLED.fullmatch(found.word):
        raise _broken(point, "want a word of a-z, 0-9 and _")
    return found


def _broken(point: "EntryPoint", why: str) -> BrokenWordError:
    return BrokenWordError(f"the word {point.name!r} of {package_of(point)} cannot be used: {why}")


VOCABULARY: Final = Vocabulary()
"""The one vocabulary: the files of ``effects/`` fill it as the game is imported."""


def deed_named(word: str) -> Deed:
    """Return the object of a word of the one vocabulary; raises as :meth:`Vocabulary.named`."""
    return VOCABULARY.named(word)

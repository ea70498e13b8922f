"""The tiles of Hextraction: a shape, and the card's effects in a small vocabulary that the rules execute.

What only people can do is ``attested`` (:class:`Deed`), described in our own words.
"""

import difflib
import enum
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from hextraction.board.tiles import UNKNOWN_SHAPE, TileShape

__all__ = [
    "BAN_PREFIX", "UNKNOWN", "Catalogue", "Deed", "Effect", "Keyword", "Tile", "Trigger", "When", "Who",
    "ban", "nearest", "tile_named",
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


class Deed(Word):
    """The vocabulary of effects.

    Each is followed by what ``amount``, ``who``, ``ramps`` and ``tile`` mean: docs/effects.md is made of it.
    """

    ATTESTED = "attested"
    """People do it; ``text`` tells them what."""
    PUT_BALLS = "put_balls"
    """As ATTESTED; as it puts balls on tiles or ramps it is not done after Break the Loop (R-32)."""
    CHIME = "chime"
    """The board's chime counter goes up by ``amount``."""
    DESTROY_OTHER = "destroy_other"
    """``who`` destroys one other installed tile of choice."""
    DESTROY_ONE = "destroy_one"
    """As DESTROY_OTHER, and it may be this tile."""
    DESTROY_THIS = "destroy_this"
    """This tile is destroyed."""
    DESTROY_NEIGHBOURS = "destroy_neighbours"
    """All tiles in neighbouring slots, at once."""
    DESTROY_UNDER_BALLS = "destroy_under_balls"
    """Every tile that touches at least one ball, at once."""
    LOSE = "lose"
    """``who`` loses the game when it settles."""
    WIN = "win"
    """``who`` wins the game when it settles."""
    NO_WIN = "no_win"
    """``who`` cannot win this turn."""
    ROLL_NOW = "roll_now"
    """``who`` must roll ``amount`` more balls inside this roll or effect; ``ramps`` may restrict where."""
    ROLL_AGAIN_HERE = "roll_again_here"
    """``who`` must roll one more ball on the ramp used for this roll."""
    EXTRA_ROLL = "extra_roll"
    """``who`` rolls ``amount`` balls more this turn."""
    EXTRA_PLAY = "extra_play"
    """``who`` plays ``amount`` tiles more this turn."""
    EXTRA_TURN = "extra_turn"
    """``who`` has ``amount`` turns more after this one."""
    SKIP_TURN = "skip_turn"
    """``who`` skips the next ``amount`` turns (at most one in a row, rule 0.1.11)."""
    DRAW = "draw"
    """``who`` draws ``amount`` tiles."""
    DISCARD = "discard"
    """``who`` discards ``amount`` tiles of choice."""
    DISCARD_HAND = "discard_hand"
    """``who`` discards the whole hand."""
    KICK = "kick"
    """The slot's kicker sets every ball in the trigger area moving."""
    BAN_RAMPS = "ban_ramps"
    """Ongoing: nobody may roll on ``ramps``."""
    DESTROY_NEIGHBOUR = "destroy_neighbour"
    """``who`` destroys one neighbouring tile of choice, or this tile if there is no neighbour."""
    DESTROY_CHOSEN = "destroy_chosen"
    """``who`` names any number of installed tiles; they are destroyed at once."""
    DISCARD_OTHER = "discard_other"
    """``who`` discards one other installed tile of choice to its pool."""
    INSTEAD_TO_HAND = "instead_to_hand"
    """When destroyed: goes to the hand of whoever caused it instead."""
    INSTEAD_TO_POOL = "instead_to_pool"
    """When destroyed: goes to its pool instead."""
    NO_DRAW = "no_draw"
    """Ongoing: nobody draws after a turn. Only an enabled Forbidden effect can do that (0.1.10)."""
    NOTHING = "nothing"
    """Nothing happens; a choice of a PICK."""
    PICK = "pick"
    """``who`` picks one of the ``picked`` effects of the same tile, or says what a die or coin picked."""
    SEEK = "seek"
    """This tile is destroyed; ``who`` discards a tile and takes any one from the pool, for all to see."""
    STEP = "step"
    """``who`` moves this tile with its balls to an open slot next to it, or onto a neighbour it ``eats``."""
    HAUNT = "haunt"
    """As STEP, but it must eat if it can, and then ``who`` skips a turn."""
    SHIFT_THIS = "shift_this"
    """This tile moves along ``edge``, overwriting what lies there, and is turned by ``who``."""
    SHIFT_ALL = "shift_all"
    """All tiles move one slot along ``edge``; those that leave the board are destroyed."""
    PUT_ANYWHERE = "put_anywhere"
    """``who`` puts this tile with its balls into any open slot, in any orientation."""
    LOWER_NEIGHBOUR = "lower_neighbour"
    """``who`` moves the neighbour at ``edge`` to an open slot that lies lower."""
    INFECT = "infect"
    """This tile overwrites the one that the ball touched before; in the top row it is destroyed."""
    TAKE_BALLS = "take_balls"
    """The balls on all tiles along ``edge`` are taken off the board."""
    SEND_BALLS = "send_balls"
    """The balls in the trigger area go onto the ramp of an installed ``tile`` that ``who`` chooses."""
    SEND_TO_HIGHEST = "send_to_highest"
    """The balls in the trigger area go onto the ramp of the highest installed ``tile``."""
    SEND_OR_CREATE = "send_or_create"
    """The ball that fell through the hole is released on an installed ``tile``; if none is, it is created."""
    RELEASE_HERE = "release_here"
    """``who`` releases ``amount`` more balls on the ramp of this tile."""
    RELEASE_AT_EACH = "release_at_each"
    """``who`` releases a ball at every installed ``tile``; if there is none, one more ball is rolled."""
    PLAY_NEXT_TO = "play_next_to"
    """``who`` plays one more tile from the hand next to this one, if necessary on top of another."""
    PLAY_WHERE_FELL = "play_where_fell"
    """If the ball dropped through an open slot, ``who`` may play one more tile there."""
    PLAY_HAND = "play_hand"
    """``who`` plays the whole hand this turn, and no tile of it on top of another."""
    SUMMON = "summon"
    """``who`` draws a tile and plays it in a random slot and turn."""
    REPLAY_OTHER = "replay_other"
    """``who`` destroys another tile, which is then played again in the same slot."""
    BORROW_EFFECTS = "borrow_effects"
    """This tile has the effects of a destroyed one from now on."""
    TURN_PART = "turn_part"
    """``who`` turns the moving part of this tile by up to ``amount`` notches either way."""
    FLIP_SWITCH = "flip_switch"
    """``who`` says whether its switch is on. Off silences all other tiles; two off destroy all tiles."""
    PILE_LIMIT = "pile_limit"
    """Ongoing: ``amount`` balls make a pile on this tile, not three (2.1.5.5)."""
    NO_PILE = "no_pile"
    """Ongoing: balls on this tile never make a pile (2.1.5.5)."""
    COLLECT = "collect"
    """Ongoing: people put balls that leave the board in here; they are told when one does."""
    SUPPLY = "supply"
    """Ongoing: balls that are rolled are taken from its own; when none is left it is destroyed."""
    UNCOUNTED = "uncounted"
    """Ongoing: in a hand this tile does not count (1.2.2, 1.2.3)."""
    TURN_NEIGHBOUR = "turn_neighbour"
    """``who`` turns one neighbouring tile one notch either way."""
    CREATE = "create"
    """Create the Virtual tile ``tile`` (rule 3.Create)."""
    LOSE_WHEN_DESTROYED = "lose_when_destroyed"
    """Ongoing: when a tile named ``tile`` is destroyed the active player loses."""
    ONLY_BOTTOM_ROW = "only_bottom_row"
    """Limit: only the lowest slot of a column is legal."""
    NOT_TOP_ROW = "not_top_row"
    """Limit: the highest slot of a column is not legal."""
    NOT_AFTER_ROLL = "not_after_roll"
    """Limit: may not be played once its player has rolled this turn."""
    MUST_OVERWRITE = "must_overwrite"
    """Limit: is played on top of another tile."""
    ONLY_HIGHEST_OPEN = "only_highest_open"
    """Limit: only the highest open slot is legal."""
    ONLY_RIM = "only_rim"
    """Limit: only slots at the side of the board are legal."""
    NEAR_ZONE = "near_zone"
    """Limit: only an occupied slot nearest to an end zone is legal."""
    NOT_BELOW = "not_below"
    """Limit: may not lie lower than the part named ``tile`` of the same Combo."""
    HOLE_COSTS_TILE = "hole_costs_tile"
    """A ball dropping through this tile's hole counts as gone over the side."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile(TileShape):
    """A kind of tile and its card.

    ``parts`` and ``counterparts`` are names of a Combo's sub-tiles and its Virtual counterparts.
    """

    creator: str = ""
    source: str = ""
    official: bool = False
    keywords: frozenset[Keyword] = frozenset()
    parts: tuple[str, ...] = ()
    counterparts: tuple[str, ...] = ()
    trigger: Trigger = Trigger.NONE
    captive: int = 0
    """Balls that belong to the tile: they touch it, but never leave it."""
    effects: tuple[Effect, ...] = ()
    summary: str = ""

    @property
    def sets_off(self) -> bool:
        """Whether a ball that comes here sets off effects."""
        return self.trigger is not Trigger.NONE

    def effects_when(self, when: When) -> tuple[Effect, ...]:
        """Return the effects of one occasion, in the order of the card."""
        return tuple([effect for effect in self.effects if effect.when is when])

    @property
    def forbidden(self) -> bool:
        """Whether playing it calls a Forbidden ballot (0.4.4)."""
        return any(effect.forbidden for effect in self.effects)

    @property
    def starred(self) -> bool:
        """Whether it has an effect and so must carry a star (0.2.3); keywords are effects."""
        return bool(self.effects or self.keywords)


UNKNOWN: Final = Tile(
    name=UNKNOWN_SHAPE.name,
    title=UNKNOWN_SHAPE.title,
    summary="A tile that is not in the catalogue: the board knows neither its channels nor its effects.",
)

Catalogue = Mapping[str, Tile]
"""Tiles by name."""

BAN_PREFIX: Final = "ban-"
"""The prefix of ramp-banning tiles' names; such tiles are made on demand and no file may use the prefix."""
_BAN: Final = re.compile(r"ban[-(](.*[^)])\)?", re.IGNORECASE)
_ALL_SIX: Final = ((1, 2, 3, 4, 5, 6),)


def ban(ramps: Iterable[str]) -> Tile:
    """Return the tile that bans these ramps.

    >>> ban(["a", "c"]).name
    'ban-a-c'
    """
    closed = tuple(ramps)
    text = f"Nobody may roll on {', '.join(closed)}."
    effect = Effect(when=When.ONGOING, deed=Deed.BAN_RAMPS, text=text, ramps=closed)
    name = BAN_PREFIX + "-".join(closed)
    return Tile(
        name=name, title=f"Ban {', '.join(closed)}", channels=_ALL_SIX, effects=(effect,), summary=text
    )


def tile_named(catalogue: Catalogue, name: str) -> Tile:
    """Look up a tile by its name as people write it: ``DC``, ``Tile With Nothing``, ``BAN(a,c)``.

    Ramps in the name of a ban keep their spelling. ``unknown`` is the tile that is in no catalogue.

    Raises:
        KeyError: there is no such tile; the message may name the nearest one.
    """
    key = re.sub(r"[\s_]+", "-", name.strip().lower())
    found = catalogue.get(name) or catalogue.get(key)
    if found is not None:
        return found
    banned = _BAN.fullmatch(name.strip())
    if banned:
        return ban(re.split(r"[-,\s]+", banned.group(1)))
    if key == UNKNOWN.name:
        return UNKNOWN
    raise KeyError(f"no tile is called {name!r}{nearest(key, catalogue)}")


def nearest(name: str, tiles: Catalogue) -> str:
    """Return a hint naming the tile that was probably meant; empty if no name is similar."""
    near = difflib.get_close_matches(name, tiles, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""

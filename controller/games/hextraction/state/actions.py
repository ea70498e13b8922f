"""The actions of a person: the ``act`` of a command, as JSON with the key ``do``.

Each is a button on the page; ``docs/scenarios.md`` shows each in use.
"""

from typing import Any, ClassVar, Final, get_args

import msgspec

__all__ = [
    "Action",
    "Activate",
    "Adjust",
    "Agree",
    "Answer",
    "Arrange",
    "Attest",
    "Ballot",
    "BreakLoop",
    "CallVote",
    "ChooseRamp",
    "Concede",
    "Contend",
    "Correct",
    "End",
    "Fallen",
    "Flag",
    "Flick",
    "Jammed",
    "LetGo",
    "Lifted",
    "NoFit",
    "Overrule",
    "Place",
    "Play",
    "Reclaim",
    "Reenter",
    "Rules",
    "Undo",
    "read_action",
]


class _Action(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """Base of all actions; one that ``tells`` how things lie leaves whoever said it without an objection."""

    tells: ClassVar[bool] = False


class ChooseRamp(_Action, frozen=True, kw_only=True, tag="roll"):
    """Choose a ramp; its gate opens, or the player releases the ball (2.1.1)."""

    ramp: str


class Play(_Action, frozen=True, kw_only=True, tag="play"):
    """Reveal a tile from the hand (2.2.1).

    ``tile`` is its number; for a hand that the board does not know, ``name`` says which tile was revealed.
    """

    tile: int | None = None
    name: str | None = None


class Place(_Action, frozen=True, kw_only=True, tag="place"):
    """Choose the slot (the first one of a larger tile) and the orientation (2.2.4)."""

    tells: ClassVar[bool] = True
    slot: str
    turns: int = 0


class LetGo(_Action, frozen=True, kw_only=True, tag="seated"):
    """Say that the tile bottoms out and nobody touches it any more (2.2.4.1, 2.2.5)."""

    tells: ClassVar[bool] = True


class NoFit(_Action, frozen=True, kw_only=True, tag="no_fit"):
    """Say that the tile bottoms out in no orientation (2.2.4.3)."""


class Activate(_Action, frozen=True, kw_only=True, tag="activate"):
    """Use an activated effect of an installed tile or of one in the hand (2.7).

    ``tile`` is its number; for a hand that the board does not know, ``name`` says which tile it is.
    """

    tile: int | None = None
    effect: int = 0
    name: str | None = None


class End(_Action, frozen=True, kw_only=True, tag="end"):
    """End the turn (2.0.1)."""


class BreakLoop(_Action, frozen=True, kw_only=True, tag="break_loop"):
    """Break the Loop before the game is stable (2.1.4.3)."""


class CallVote(_Action, frozen=True, kw_only=True, tag="vote"):
    """Put an installed tile, or the one being played, to the vote (0.5.1)."""

    slot: str = ""


class Ballot(_Action, frozen=True, kw_only=True, tag="ballot"):
    """Say yea or nay: keep the tile, or enable the Forbidden effect. ``seat`` is set by a proxy (R-03)."""

    yea: bool
    seat: str | None = None


class Concede(_Action, frozen=True, kw_only=True, tag="concede"):
    """Leave the game (2.8.1.2); possible at any moment (2.8.4)."""


class Answer(_Action, frozen=True, kw_only=True, tag="answer"):
    """Answer a prompt with one of its choices."""

    prompt: str
    choice: str


class Attest(_Action, frozen=True, kw_only=True, tag="attest"):
    """Report what everybody saw, where no electronics can (R-50).

    ``saw``: ``released`` (ramp), ``touched`` (slot), ``left`` (slot), ``fell`` (slot), ``zone`` (zone),
    ``off``, ``stuck`` (ramp), ``still`` (nothing moves any more). ``ball`` defaults to the one released last.
    Where taps are few also ``rests`` (slot), ``off`` with the slot it left, ``nothing`` (no goal was rolled).
    """

    tells: ClassVar[bool] = True
    saw: str
    place: str = ""
    ball: int | None = None


class Correct(_Action, frozen=True, kw_only=True, tag="correct"):
    """Propose that a tile had more or fewer touches than the board counted (R-14).

    ``tile`` is the copy, if another tile lies in its slot by now.
    """

    slot: str
    touches: int
    tile: int = 0


class Lifted(_Action, frozen=True, kw_only=True, tag="lifted"):
    """Say that the destroyed tile was taken out of its slot (2.4.1)."""

    slot: str


class Fallen(_Action, frozen=True, kw_only=True, tag="fallen"):
    """Say that an installed tile is out of its slot, where no tile Hall sees it (2.4.3, R-43)."""

    slot: str


class Contend(_Action, frozen=True, kw_only=True, tag="contend"):
    """Propose where a ball really is (R-14): a slot, an end zone, ``off`` the board, or ``fell`` through."""

    ball: int
    place: str


class Overrule(_Action, frozen=True, kw_only=True, tag="overrule"):
    """Propose that a destroyed tile goes back: to a slot, to ``hand.SEAT`` or the ``pool`` (0.0)."""

    tile: int
    to: str
    turns: int = 0


class Undo(_Action, frozen=True, kw_only=True, tag="undo"):
    """Propose to undo one's own last action, as long as nothing has rolled since (0.0)."""


class Flick(_Action, frozen=True, kw_only=True, tag="flick"):
    """Say that the ball was pushed rather than released (2.1.1.1)."""


class Flag(_Action, frozen=True, kw_only=True, tag="flag"):
    """Say that an installed tile has effects that no tile may have; ``item`` says why (0.1)."""

    slot: str
    item: str


class Jammed(_Action, frozen=True, kw_only=True, tag="jammed"):
    """Say that a destroyed tile does not come out of its slot (0.1.9)."""

    slot: str


class Rules(_Action, frozen=True, kw_only=True, tag="rules"):
    """Ask for the rules card of an installed tile or of one in one's own hand (2.5.1)."""

    tile: int


class Reclaim(_Action, frozen=True, kw_only=True, tag="reclaim"):
    """After losing: ``leave`` everything, take back ``tiles`` or a ``ball``, or call the ``draw`` (2.8.3)."""

    what: str
    slot: str = ""


class Reenter(_Action, frozen=True, kw_only=True, tag="reenter"):
    """After a power cut: say what lies where now, and whose turn it is (R-49).

    ``tiles``: the name and turns of the tile in each slot (the first one of a larger tile); ``balls``: the
    slot or end zone of each ball; ``active``: the seat whose turn begins.
    """

    tiles: dict[str, tuple[str, int]]
    balls: tuple[str, ...] = ()
    active: str


class Arrange(_Action, frozen=True, kw_only=True, tag="arrange"):
    """Say what lies where now, after people have done what a card says (R-14).

    ``tiles``: the name and turns of the tile in each slot (the first one of a larger tile); ``balls``: the
    slot or end zone of each ball; ``gone``: where each tile is that no longer lies on the board, by the slot
    that it left (``pool``, ``away`` for another board, ``hand.SEAT``; destroyed unless said); ``away``: names
    of tiles of hands or pools that lie on another board; ``draw``: whether all have drawn up to three.
    """

    tiles: dict[str, tuple[str, int]]
    balls: tuple[str, ...] = ()
    gone: dict[str, str] = {}
    away: tuple[str, ...] = ()
    draw: bool = False


class Adjust(_Action, frozen=True, kw_only=True, tag="adjust"):
    """Set the moving parts of the tile being played (2.2.3)."""


class Agree(_Action, frozen=True, kw_only=True, tag="agree"):
    """While the game settles: say that one has no objection (R-20). ``seat`` is set by a proxy (R-03)."""

    seat: str | None = None


class Object(_Action, frozen=True, kw_only=True, tag="object"):
    """While the game settles: say that something is wrong, and have time to say what (R-20)."""


Action = (
    Agree
    | Object
    | ChooseRamp
    | Play
    | Place
    | LetGo
    | NoFit
    | Activate
    | End
    | BreakLoop
    | CallVote
    | Ballot
    | Concede
    | Answer
    | Attest
    | Correct
    | Lifted
    | Fallen
    | Contend
    | Overrule
    | Undo
    | Flick
    | Flag
    | Jammed
    | Rules
    | Reclaim
    | Reenter
    | Arrange
    | Adjust
)


# Decoding one type is many times faster than decoding a union, which msgspec analyses anew each time.
_KINDS: Final[dict[str, Any]] = {kind.__struct_config__.tag: kind for kind in get_args(Action)}


def read_action(act: dict[str, object]) -> Action:
    """Decode the JSON of an action.

    Raises:
        msgspec.ValidationError: it is not a known action; the message says what was expected.
    """
    word = act.get("do")
    kind = _KINDS.get(word, Action) if isinstance(word, str) else Action
    action: Action = msgspec.convert(act, kind)
    return action

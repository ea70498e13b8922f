"""What only Hextraction shows: its part of a scene, and its tiles. Read by the game's own page file alone."""

from typing import Annotated

import msgspec
from hextraction.controller.games.hextraction.state.state import Depth
from hextraction.controller.games.scene import Piece, sent
from msgspec import Meta

__all__ = [
    "Detail",
    "LobbyDetail",
    "Remark",
    "TableSetup",
    "TileView",
    "VirtualShare",
    "VoteView",
    "WaitingView",
]

# --- in a running game ---


class TileView(Piece, frozen=True, kw_only=True, omit_defaults=True):
    """A tile as people may see it. ``channels`` are those of the tile upright; ``turns`` is how it lies.

    ``trigger`` is ``whole`` or ``area``, empty if nothing on it triggers.
    """

    legal_turns: tuple[int, ...] = ()
    channels: tuple[tuple[int, ...], ...] | None = None
    trigger: str = ""
    keywords: tuple[str, ...] = ()
    starred: bool = False
    disabled: tuple[str, ...] = ()
    part: int = 0
    """How far an effect has turned its moving part, in sixths of a turn clockwise."""
    silenced: str = ""
    """Why its effects do nothing, in a few words; empty if they work."""


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


class Detail(msgspec.Struct, frozen=True, kw_only=True, tag_field="game", tag="hextraction"):
    """The counters and states that only this game knows."""

    phase: str
    waiting: tuple[WaitingView, ...] = ()
    vote: VoteView | None = None
    offline: bool = False
    overdrive: bool = False
    pool: int = 0
    virtual_pool: int = 0
    destroyed: int = 0
    chime: int = 0
    rolls_owed: int = 0
    plays_owed: int = 0
    virtual_tiles: tuple[str, ...] = ()
    """The Virtual Pool's contents, by title: not a secret (3.VirtualPool)."""
    depth: Depth | msgspec.UnsetType = msgspec.UNSET
    """That the table wants few taps; left out if all of the game is followed."""
    agreed: tuple[str, ...] = ()
    """Who has said, while the game settles, that they have no objection (R-20)."""


# --- in the lobby ---


class Remark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something to know about a set-up, and the clause behind it; ``stops`` the start, or only a hint."""

    text: str
    clause: str
    stops: bool = False


class VirtualShare(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Some Virtual tiles of one kind for the Virtual Pool, and the seat that brought them."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    seat: str | None = None
    count: Annotated[int, Meta(ge=1, le=20)] = sent(1)


class TableSetup(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was told about the next game. Seats are known by their names; of hands only who ``picked`` one.

    ``balls`` and ``tiles`` are what each seat brought, ``box`` the tiles of nobody in a real bag.
    """

    first: str | None = None
    board_owner: str | None = None
    balls: dict[str, int] = {}
    tiles: dict[str, int] = {}
    box: int | None = None
    virtual: tuple[VirtualShare, ...] = ()
    ball_size: str = sent("10 mm")
    magnetic: bool = sent(True)  # noqa: FBT003 - a default
    picked: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    pool: int | None = None
    """How many tiles the Main Pool would hold, and ``hidden``: whether the board does not know them."""
    hidden: bool = False


class LobbyDetail(msgspec.Struct, frozen=True, kw_only=True, tag_field="game", tag="hextraction"):
    """What the lobby shows: the ``setup`` once somebody has asked for it, ``tiles`` described on phones.

    ``depth`` is how closely the next game will be followed; left out where the board sees balls.
    """

    setup: TableSetup | None = None
    tiles: tuple[TileView, ...] = ()
    depth: Depth | msgspec.UnsetType = msgspec.UNSET

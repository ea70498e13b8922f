"""What the lobby shows of the next game. Read by the game's own page file alone."""

from typing import Annotated

import msgspec
from hextraction.controller.games.hextraction.cards.face import TileView
from hextraction.controller.games.hextraction.state.state import Depth
from hextraction.controller.games.scene import sent
from msgspec import Meta

__all__ = ["LobbyDetail", "Remark", "TableSetup", "VirtualShare"]


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

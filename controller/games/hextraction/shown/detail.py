"""What only Hextraction shows: its part of a scene. Read by the game's own page file alone."""

import msgspec
from hextraction.controller.games.hextraction.state.state import Depth

__all__ = ["Detail", "VoteView", "WaitingView"]


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
    played: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """The kinds that people have named at this table, the last one first; left out while there are none."""
    depth: Depth | msgspec.UnsetType = msgspec.UNSET
    """That the table wants few taps; left out if all of the game is followed."""
    agreed: tuple[str, ...] = ()
    """Who has said, while the game settles, that they have no objection (R-20)."""
    objected: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """Who has said, while the game settles, that something is wrong (R-20); left out while nobody has."""
    began_us: int | msgspec.UnsetType = msgspec.UNSET
    """When the game began, on the table's clock; left out where the board shows more than the score."""
    turn_us: int | msgspec.UnsetType = msgspec.UNSET
    """When this turn began, likewise."""

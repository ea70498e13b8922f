"""What a game starts from: settings, seats, tiles brought to the table. It is the head of the journal."""

import msgspec

__all__ = ["Config", "Seat", "Setup", "Share"]


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of the rulings marked ``cfg:`` and what the board can do by itself."""

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


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A player at set-up. ``hand`` names the opening hand; empty names are tiles only the player has seen."""

    seat: str
    name: str
    colour: str = ""
    hand: tuple[str, ...] = ()


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """Some copies of a kind of tile that an owner puts into a pool; an empty name is an unseen tile."""

    name: str
    owner: str | None = None
    count: int = 1


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a game starts from; it is the head of the journal.

    ``laid`` lists tiles already on the board as (slot, name, turns); ``balls`` those already lying on it.
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
    chance: int = 0
    at_us: int = 0

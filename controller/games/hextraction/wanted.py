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
    vote_cooldown_us: int = 0
    """How long after a vote the same tile cannot be put to the vote again; 0 for at once (R-10)."""
    card_us: int = 60_000_000
    """How long the owner of a tile may look for its rules card (2.5.3, R-64)."""
    leave_us: int = 80_000
    """For the tracker: how long a ball must be unseen in a slot before it has left it (R-13)."""
    launcher: bool = False
    """The board has another launcher than ramps: it asks whether a ball that appears was a roll (2.1.1.3)."""


class Seat(msgspec.Struct, frozen=True, kw_only=True):
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


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """Some copies of a kind of tile that an owner puts into a pool; an empty name is an unseen tile."""

    name: str
    owner: str | None = None
    count: int = 1


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a game starts from; it is the head of the journal.

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
    chance: int = 0
    at_us: int = 0

"""What commands print with ``--json``: one document a run, its type and fields here, command by command.

A file of its own because it is what programs rely on; ``docs/commands.md`` shows it.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec
from hextraction.board.facts import Fact, RollSettled

__all__ = [
    "DOCUMENTS",
    "BackedUp",
    "BoardFacts",
    "Boards",
    "Calibrated",
    "Checked",
    "CheckedFile",
    "ConditionNumbers",
    "Counted",
    "Dataset",
    "Datasets",
    "EffectFacts",
    "GameFacts",
    "Games",
    "HotspotNow",
    "HubFacts",
    "Hubs",
    "Line",
    "ModelFacts",
    "PlayedGame",
    "PlayedGames",
    "Proposed",
    "RampFacts",
    "Replayed",
    "Restored",
    "RouteChecks",
    "RoutesAt",
    "ScenariosPlayed",
    "ShareOf",
    "Speeds",
    "TableNow",
    "TableSeat",
    "TileFacts",
    "Tiles",
    "Told",
    "Tracked",
    "Wired",
    "WiredBuild",
    "ZoneFacts",
]

DOCUMENTS: Final[Mapping[str, str]] = {
    "backup": "BackedUp",
    "boards": "Boards",
    "calibrate": "Calibrated",
    "check": "Checked",
    "dataset": "Datasets",
    "doctor": "Doctor",
    "evaluate": "Evaluated",
    "export": "PlayedGames",
    "games": "Games",
    "history": "hextraction.controller.history.archive:Index",
    "host": "TableNow",
    "hotspot": "HotspotNow",
    "hub info": "Hubs",
    "perft": "Counted",
    "replay": "Replayed",
    "restore": "Restored",
    "routes": "RouteChecks",
    "scenario": "ScenariosPlayed",
    "study": "hextraction.controller.study.report:Report",
    "tiles": "Tiles",
    "track": "Tracked",
    "wiring": "Wired",
}
"""The document of each command that prints facts: a type of this module, or another as ``module:Name``."""


class _Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A document, or a part of one."""


# --- what there is to play with ---


class RampFacts(_Document, frozen=True, kw_only=True):
    """A ramp, and the slot and edge that its balls come into."""

    name: str
    slot: str
    edge: int


class ZoneFacts(_Document, frozen=True, kw_only=True):
    """An end zone, and the slots and edges that lead into it."""

    name: str
    title: str
    outlets: tuple[tuple[str, int], ...]


class BoardFacts(_Document, frozen=True, kw_only=True):
    """A board; ``edges`` counts them by sort."""

    name: str
    title: str
    slots: tuple[str, ...]
    ramps: tuple[RampFacts, ...]
    zones: tuple[ZoneFacts, ...]
    edges: dict[str, int]


class Boards(_Document, frozen=True, kw_only=True):
    """All boards, or the one that is named."""

    boards: tuple[BoardFacts, ...]


class GameFacts(_Document, frozen=True, kw_only=True):
    """A game: how few and how many play it, on which board, and whose it is (empty: it comes with us)."""

    kind: str
    title: str
    least: int
    most: int
    board: str
    package: str
    must_be_allowed: bool


class Games(_Document, frozen=True, kw_only=True):
    """The games that can be played, and why those that cannot be do not load."""

    games: tuple[GameFacts, ...]
    broken: dict[str, str]


class EffectFacts(_Document, frozen=True, kw_only=True):
    """What a card says, and when."""

    when: str
    text: str


class TileFacts(_Document, frozen=True, kw_only=True):
    """A tile: ``channels`` are groups of joined edges, null where nobody has published them."""

    name: str
    title: str
    creator: str
    source: str
    summary: str
    channels: tuple[tuple[int, ...], ...] | None
    turns: tuple[int, ...]
    keywords: tuple[str, ...]
    effects: tuple[EffectFacts, ...]


class Tiles(_Document, frozen=True, kw_only=True):
    """All tiles, or those of the name that is asked for."""

    tiles: tuple[TileFacts, ...]


# --- games and traces ---


class PlayedGame(_Document, frozen=True, kw_only=True):
    """A game of a journal; its outcome is null while it is not over."""

    game: str
    outcome: str | None


class PlayedGames(_Document, frozen=True, kw_only=True):
    """The games of a journal, in order; one that is named is written as JSON Lines instead."""

    games: tuple[PlayedGame, ...]


class Told(_Document, frozen=True, kw_only=True):
    """A sentence of a game's story, in seconds since its start."""

    at_s: float
    text: str


class Replayed(_Document, frozen=True, kw_only=True):
    """How a game stands; ``failing`` are the entries that fail today. The story and state where asked for."""

    game: str
    wall: str
    software: str
    entries: int
    skipped: int
    failing: tuple[int, ...]
    turn: int
    headline: str
    outcome: str | None
    events: tuple[Told, ...] | None = None
    state: Any = None


class ScenariosPlayed(_Document, frozen=True, kw_only=True):
    """How many scenarios came true, what did not, which files could not be read, and what a SHOW showed."""

    passed: int
    failed: tuple[str, ...]
    unread: tuple[str, ...]
    shown: tuple[str, ...]


class Tracked(_Document, frozen=True, kw_only=True):
    """What the tracker makes of a trace, fact by fact; ``limits`` is what its sensors cannot tell."""

    facts: tuple[Fact | RollSettled, ...]
    limits: tuple[str, ...]


class Counted(_Document, frozen=True, kw_only=True):
    """How many lines of plies there are, from one ply on; with ``--speed`` how many were counted a second."""

    counts: tuple[int, ...]
    positions_per_s: float | None = None


# --- files and boards ---


class CheckedFile(_Document, frozen=True, kw_only=True):
    """What a file is, and what is wrong in it."""

    path: str
    kind: str
    problems: tuple[str, ...]


class Checked(_Document, frozen=True, kw_only=True):
    """Every file that was checked."""

    files: tuple[CheckedFile, ...]


class Line(_Document, frozen=True, kw_only=True):
    """A line of the doctor's report: what it looked at, how that is, and what to do."""

    what: str
    state: Literal["ok", "problem", "absent"]
    says: str
    remedy: str


Doctor = list[Line]


class WiredBuild(_Document, frozen=True, kw_only=True):
    """A build's pages; ``stale`` are those that ``--check`` finds missing or old."""

    wiring: str
    folder: str
    pages: tuple[str, ...]
    stale: tuple[str, ...]


class Wired(_Document, frozen=True, kw_only=True):
    """Every build whose pages were written, or checked."""

    builds: tuple[WiredBuild, ...]


class Proposed(_Document, frozen=True, kw_only=True):
    """A better value for a sensor of a wiring."""

    sensor: str
    key: str
    value: float
    why: str


class Speeds(_Document, frozen=True, kw_only=True):
    """How fast balls pass beams, in millimetres a second: the middle, and what nine of ten lie between."""

    middle_mm_s: float
    slow_mm_s: float
    quick_mm_s: float
    pulses: int


class Calibrated(_Document, frozen=True, kw_only=True):
    """What recordings say about a wiring. ``diff`` is what would be, or was, written."""

    pulses: int
    sensors: int
    silent: tuple[str, ...]
    speeds: Speeds | None
    problems: tuple[str, ...]
    proposals: tuple[Proposed, ...]
    diff: str
    written: bool


class HubFacts(_Document, frozen=True, kw_only=True):
    """A sensor hub. Where ``problem`` is not empty, what could not be asked is null.

    ``shipped``: whether its firmware is the one of this release. ``reason``: why its coils are not armed.
    ``counts`` as ``docs/hub-protocol.md`` has them.
    """

    port: str
    problem: str = ""
    unique_id: str | None = None
    firmware: str | None = None
    sources: str | None = None
    shipped: bool | None = None
    protocol: str | None = None
    inputs: int | None = None
    linears: int | None = None
    coils: int | None = None
    scan_us: int | None = None
    last_start: str | None = None
    watchdog_restarts: int | None = None
    config_crc: int | None = None
    estop_good: bool | None = None
    armed: bool | None = None
    reason: str | None = None
    counts: dict[str, int] | None = None


class Hubs(_Document, frozen=True, kw_only=True):
    """The hub that is named, or all that are plugged in."""

    hubs: tuple[HubFacts, ...]


class HotspotNow(_Document, frozen=True, kw_only=True):
    """Whether the Pi is its own Wi-Fi; how to join is empty where only root may read it."""

    open: bool
    ssid: str = ""
    password: str = ""
    page: str = ""


class TableSeat(_Document, frozen=True, kw_only=True):
    """A seat, who sits there, and whether they are here."""

    seat: str
    name: str
    presence: Literal["here", "away", "bot", "free"]


class TableNow(_Document, frozen=True, kw_only=True):
    """The table that is open: how to join, and who sits there. ``told`` is what was done."""

    url: str
    code: str
    seats: tuple[TableSeat, ...]
    told: tuple[str, ...] = ()


class BackedUp(_Document, frozen=True, kw_only=True):
    """What was written into a backup; ``left_out`` is hidden, or outside of the configuration's folder."""

    file: str
    journals: tuple[str, ...]
    config: str
    left_out: tuple[str, ...]


class Restored(_Document, frozen=True, kw_only=True):
    """The files that were put back."""

    files: tuple[str, ...]


# --- the tracker and the physics ---


class ShareOf(_Document, frozen=True, kw_only=True):
    """So many of so many, and the 95 % interval of that share."""

    hits: int
    of: int
    low: float
    high: float


class ConditionNumbers(_Document, frozen=True, kw_only=True):
    """How right the tracker is under one condition (``docs/evaluation-method.md``)."""

    rolls: int
    exact: ShareOf
    tiles_wrong: ShareOf
    verdicts: ShareOf
    asked: ShareOf
    asked_again: ShareOf
    after_one: ShareOf
    after_asking: ShareOf
    when_silent: ShareOf
    loops: ShareOf
    lost: ShareOf
    triggers: ShareOf
    won: ShareOf
    balls: ShareOf
    brier: float | None
    edges: int
    edge_us_p99: float | None
    edge_us_mean: float | None
    settle_us_p50: float | None
    settle_us_p99: float | None
    settle_us_total: float | None


Evaluated = dict[str, ConditionNumbers]


class Dataset(_Document, frozen=True, kw_only=True):
    """A file of labelled rolls; ``as_listed`` is null where no digest is listed for it."""

    path: str
    condition: str
    rolls: int
    sha256: str
    as_listed: bool | None = None


class Datasets(_Document, frozen=True, kw_only=True):
    """Every file that was made."""

    files: tuple[Dataset, ...]


class RoutesAt(_Document, frozen=True, kw_only=True):
    """The route tables of one tilt: how many there are, how many were made now, and what is wrong."""

    tilt_deg: float
    tables: int
    made: int
    problems: tuple[str, ...]


class ModelFacts(_Document, frozen=True, kw_only=True):
    """What was found in the model of a tile, and the files that were written (``docs/tile-models.md``)."""

    digest: str
    mouths: tuple[int, ...]
    joins: tuple[tuple[int, ...], ...]
    rows: int
    warnings: tuple[str, ...]
    written: tuple[str, ...]


class RouteChecks(_Document, frozen=True, kw_only=True):
    """The route tables of each tilt; with ``--from`` the model instead."""

    tilts: tuple[RoutesAt, ...] = ()
    model: ModelFacts | None = None

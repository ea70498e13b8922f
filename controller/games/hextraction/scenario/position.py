"""Setting up the table of a scenario: turns header sentences into a game and its first state.

Positions that no set-up can produce (an empty hand, a turn half over, owners of tiles on the board) are made
by changing the first state.
"""

from dataclasses import dataclass, field
from typing import Final

import msgspec
from hextraction.controller.games.hextraction import Config, Hextraction, Seat, Setup, Share, State
from hextraction.controller.games.hextraction.cards.tiles import Catalogue, tile_named
from hextraction.controller.games.hextraction.scenario.language import Case, counted, names_in, owned
from hextraction.controller.games.hextraction.scenario.phrases import Sentence
from hextraction.controller.games.hextraction.turn.combos import join
from hextraction.controller.games.scene import SEAT_COLOURS

__all__ = ["Table", "lay_table"]

_SECOND_US: Final = 1_000_000
_MOMENT_US: Final = 2_000_000
_TIMES: Final = {
    "grace": "grace_us",
    "attest": "attest_us",
    "loop": "loop_us",
    "release": "let_go_us",
    "card": "card_us",
    "vote": "vote_cooldown_us",
    "moment": "moment_us",
}


@dataclass(frozen=True, slots=True)
class Table:
    """A game ready to be played, its first state, and objections to starting it, as clauses."""

    game: Hextraction
    state: State
    problems: tuple[str, ...]
    advice: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Wishes:
    """What the header asks for, by name."""

    laid: dict[str, tuple[str, int, str | None]] = field(default_factory=dict)
    hands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    empty: set[str] = field(default_factory=set)
    drawn: set[str] = field(default_factory=set)
    pool: list[str] | None = None
    virtual: list[str] = field(default_factory=list)
    balls: dict[int, str] = field(default_factory=dict)
    zones: dict[int, str] = field(default_factory=dict)
    active: str | None = None
    owner: str | None = None
    rest: str = ""
    power: bool = True
    done: set[str] = field(default_factory=set)
    config: dict[str, object] = field(default_factory=dict)
    quick: bool = True
    brought: list[Share] = field(default_factory=list)
    brought_virtual: list[Share] = field(default_factory=list)
    ball_count: dict[str, int] = field(default_factory=dict)
    lent: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Whose each tile of a hand is, where that is said."""
    opened: set[str] = field(default_factory=set)
    boards: tuple[str, ...] = ()
    ball_size: str = "10 mm"
    magnetic: bool = True
    marks: list[tuple[str, str]] = field(default_factory=list)


def lay_table(case: Case, tiles: Catalogue) -> Table:
    """Set up the table as the header describes it."""
    wishes = _Wishes()
    for sentence in case.headers:
        _read(wishes, case, tiles, sentence)
    game = Hextraction(case.board, tiles)
    if wishes.rest:
        _fill(wishes, case, game)
    wanted = _setup(wishes, case)
    problems = tuple(clause for _what, clause in game.problems(wanted))
    state = game.start(_with_default_hands(wishes, wanted))
    return Table(game, _changed(wishes, game, state), problems, tuple(game.advice(wanted)))


def _read(wishes: _Wishes, case: Case, tiles: Catalogue, sentence: Sentence) -> None:
    fields, key = sentence.fields, sentence.phrase.key
    if key.startswith("setting"):
        _setting(wishes, case, key, fields)
    elif key.startswith("hand"):
        _hand(wishes, tiles, key, fields)
    elif key in {"slot", "slot_open"}:
        _lay(wishes, case, tiles, fields)
    elif key == "balls":
        _balls(wishes, case, fields["LIST"])
    elif key in {"pool", "virtual", "pool_none"}:
        names = [tile_named(tiles, name).name for name in counted(fields.get("LIST", ""))]
        setattr(wishes, key.removesuffix("_none"), names)
    elif key in {"active", "owner"}:
        setattr(wishes, key, fields["WHO"].lower())
    elif key == "rest":
        wishes.rest = tile_named(tiles, fields["TILE"]).name
        wishes.opened |= {_slot(case, slot) for slot in names_in(fields.get("LIST", ""))}
    elif key == "power":
        wishes.power = fields["word"].lower() == "on"
    elif key in {"rolled", "played"}:
        wishes.done.add(key)
    else:
        _bring(wishes, tiles, key, fields)


def _lay(wishes: _Wishes, case: Case, tiles: Catalogue, fields: dict[str, str]) -> None:
    """Read what lies in a slot, or that it is open."""
    slot, owner = _slot(case, fields["SLOT"]), fields["WHO"].lower() if "WHO" in fields else None
    if "TILE" in fields:
        wishes.laid[slot] = (tile_named(tiles, fields["TILE"]).name, int(fields.get("N", "0")), owner)
    else:
        wishes.opened.add(slot)


def _bring(wishes: _Wishes, tiles: Catalogue, key: str, fields: dict[str, str]) -> None:
    """Read what people brought to the table, and their findings about it."""
    who = fields.get("WHO", "").lower()
    match key:
        case "full":
            wishes.quick = False
        case "brings" | "brings_virtual":
            names = [tile_named(tiles, name).name for name in counted(fields["LIST"])]
            shares = wishes.brought if key == "brings" else wishes.brought_virtual
            shares += [Share(name=name, owner=who) for name in names]
        case "brings_balls":
            wishes.ball_count[who] = int(fields["N"])
        case "boards":
            wishes.boards = tuple(name.lower() for name in names_in(fields["LIST"]))
        case "ball_size":
            wishes.ball_size = fields["TEXT"].strip('"')
        case "magnetic":
            wishes.magnetic = fields["word"].lower() == "on"
        case "mark":
            wishes.marks.append((fields["WORD"].lower(), tile_named(tiles, fields["TILE"]).name))
        case _:
            pass


def _hand(wishes: _Wishes, tiles: Catalogue, key: str, fields: dict[str, str]) -> None:
    seat = fields["WHO"].lower()
    if key in {"hand", "hand_of"}:
        hand = owned(fields["LIST"])
        lender = fields.get("OTHER", "").lower()
        wishes.hands[seat] = tuple(tile_named(tiles, name).name for name, _owner in hand)
        wishes.lent[seat] = tuple(lender or owner for _name, owner in hand)
    elif key == "hand_unseen":
        wishes.hands[seat] = ("",) * int(fields["N"])
    elif key == "hand_none":
        wishes.empty.add(seat)
    else:
        wishes.drawn.add(seat)


def _balls(wishes: _Wishes, case: Case, text: str) -> None:
    zones = {zone.name.lower(): zone.name for zone in case.board.zones}
    for number, place in enumerate(names_in(text), start=1):
        if place.lower() in zones:
            wishes.zones[number] = zones[place.lower()]
        else:
            wishes.balls[number] = _slot(case, place)


def _setting(wishes: _Wishes, case: Case, key: str, fields: dict[str, str]) -> None:
    word = fields.get("word", "").lower()
    match key:
        case "setting_time":
            wishes.config[_TIMES[word]] = round(float(fields["N"]) * _SECOND_US)
        case "setting_wins":
            wishes.config["joint_wins"] = word == "joint"
        case "setting_once":
            wishes.config["trigger_once_per_roll"] = word == "once"
        case "setting_depth":
            wishes.config["depth"] = word
        case "setting_kickers":
            wishes.config["kickers"] = tuple(_slot(case, slot) for slot in names_in(fields["LIST"]))
        case _:
            name = {
                "setting_sensors": "sensors",
                "setting_tiles": "tile_sensors",
                "setting_gates": "gates",
                "setting_launcher": "launcher",
            }[key]
            wishes.config[name] = word == "on"


def _slot(case: Case, name: str) -> str:
    return next(slot for slot in case.board.slot_names if slot.lower() == name.lower())


def _fill(wishes: _Wishes, case: Case, game: Hextraction) -> None:
    """Lay the tile of ``rest`` in every slot that no named tile covers."""
    taken = set(wishes.laid) | wishes.opened
    for slot, (name, turns, _owner) in wishes.laid.items():
        for edge in game.rules.named(name).covers:
            over = case.board.neighbour(slot, (edge - 1 + turns) % 6 + 1)
            taken |= {over} if over is not None else set()
    for slot in case.board.slot_names:
        if slot not in taken:
            wishes.laid[slot] = (wishes.rest, 0, None)


def _setup(wishes: _Wishes, case: Case) -> Setup:
    default = [] if wishes.brought else ["plain"] * 30
    pool = default if wishes.pool is None else wishes.pool
    seats = tuple(
        Seat(
            seat=name.lower(),
            name=name,
            colour=name.lower() if name.lower() in SEAT_COLOURS else "",
            hand=wishes.hands.get(name.lower(), ()),
            balls=wishes.ball_count.get(name.lower(), 0),
        )
        for name in case.players
    )
    config: Config = msgspec.convert(
        {**msgspec.to_builtins(Config(moment_us=_MOMENT_US)), **wishes.config}, Config
    )
    return Setup(
        board=case.board.name,
        seats=seats,
        pool=(*wishes.brought, *(Share(name=name) for name in pool)),
        virtual=(*wishes.brought_virtual, *(Share(name=name) for name in wishes.virtual)),
        quick=wishes.quick,
        boards=wishes.boards,
        ball_size=wishes.ball_size,
        magnetic=wishes.magnetic,
        marks=tuple(wishes.marks),
        laid=tuple((slot, name, turns) for slot, (name, turns, _owner) in wishes.laid.items()),
        balls=wishes.balls,
        first=wishes.active,
        board_owner=wishes.owner,
        power=wishes.power,
        config=config,
        chance=1,
    )


def _with_default_hands(wishes: _Wishes, setup: Setup) -> Setup:
    """Give three PLAIN from outside the pool to everybody whose hand the header does not name."""
    seats = tuple(
        seat if seat.hand or seat.seat in wishes.drawn else msgspec.structs.replace(seat, hand=("plain",) * 3)
        for seat in setup.seats
    )
    return msgspec.structs.replace(setup, seats=seats)


def _changed(wishes: _Wishes, game: Hextraction, state: State) -> State:
    players = tuple(
        msgspec.structs.replace(player, hand=()) if player.seat in wishes.empty else player
        for player in state.players
    )
    owners = {slot: owner for slot, (_name, _turns, owner) in wishes.laid.items() if owner is not None}
    copies = {
        number: msgspec.structs.replace(copy, whole=0)
        for number, copy in state.copies.items()
        if number not in {part.whole for part in state.copies.values()}
    }
    for laid in state.laid:
        if laid.slot in owners:
            copies[laid.copy] = msgspec.structs.replace(copies[laid.copy], owner=owners[laid.slot])
    for player in state.players:
        for copy, owner in zip(player.hand, wishes.lent.get(player.seat, ()), strict=False):
            if owner:
                copies[copy] = msgspec.structs.replace(copies[copy], owner=owner)
    parts = {name: tile.parts for name, tile in game.rules.tiles.items() if tile.parts}
    copies = join(copies, state.laid, parts)
    return msgspec.structs.replace(
        state,
        players=players,
        copies=copies,
        next_id=max(copies, default=0) + 1,
        rest=msgspec.structs.replace(state.rest, zones=wishes.zones),
        rolls_owed=0 if "rolled" in wishes.done else 1,
        plays_owed=0 if "played" in wishes.done else 1,
    )

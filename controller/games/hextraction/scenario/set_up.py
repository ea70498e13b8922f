"""The sentences with which a scenario sets a table up. What is said once for all is returned by its name."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.hextraction import Share
from hextraction.controller.games.hextraction.scenario.case import Case
from hextraction.controller.games.hextraction.scenario.words import SIXTHS
from hextraction.controller.games.sentences import Sentence

__all__ = ["SET_UP"]

_SECOND_US: Final = 1_000_000
_TIMES: Final = {
    "grace": "grace_us",
    "attest": "attest_us",
    "loop": "loop_us",
    "release": "let_go_us",
    "card": "card_us",
    "vote": "vote_cooldown_us",
    "moment": "moment_us",
}
_Once = Iterable[str]


def _board(case: Case, board: str) -> _Once:
    if board not in board_names():
        raise ValueError(f"there is no board {board!r}, want one of {', '.join(board_names())}")
    case.board = load_board(board)
    return ["board"]


def _players(case: Case, names: list[str]) -> _Once:
    case.players = tuple(names)
    for name, count in Counter(map(str.lower, names)).items():
        if count > 1:
            raise ValueError(f"the player {name!r} is listed twice")
    return ["players"]


def _into(name: str, word: str, said: str = "") -> Callable[..., _Once]:
    """Return what sets one value of a case."""

    def put(case: Case, **fields: object) -> _Once:
        value = fields[word]
        setattr(case, name, value.lower() if word == "who" and isinstance(value, str) else value)
        return [said or name]

    return put


def _done(what: str) -> Callable[[Case], _Once]:
    def put(case: Case) -> _Once:
        case.done.add(what)
        return [what]

    return put


# --- the board ---


def _open(case: Case, slot: str) -> _Once:
    case.opened.add(case.slot(slot))
    return [f"slot {slot.lower()}"]


def _slot(case: Case, slot: str, tile: str, turn: int = 0, who: str | None = None) -> _Once:
    kind, at = case.tile(tile), case.slot(slot)
    over = case.covered(at, kind.covers, turn)
    if kind.parts:
        parts = " or ".join(part.upper() for part in kind.parts)
        raise ValueError(f"{tile} lies on the board in parts, want {parts}")
    if turn < SIXTHS and turn not in kind.turns:
        ways = ", ".join(map(str, kind.turns))
        raise ValueError(f"{tile} cannot be turned by {turn} sixths, want one of {ways}")
    if len(over) < len(kind.covers):
        raise ValueError(f"{tile} does not fit on the board at {slot}, turned by {turn}")
    case.laid[at] = (kind.name, turn, who.lower() if who is not None else None)
    return [f"slot {one.lower()}" for one in (slot, *over)]


def _rest(case: Case, tile: str, slots: Iterable[str] = ()) -> _Once:
    case.rest = case.tile(tile).name
    case.opened |= {case.slot(slot) for slot in slots}
    return ["rest"]


def _balls(case: Case, places: list[str]) -> _Once:
    zones = {zone.name.lower(): zone.name for zone in case.board.zones}
    for number, place in enumerate(places, start=1):
        if place.lower() in zones:
            case.zones[number] = zones[place.lower()]
        else:
            case.balls[number] = case.slot(place)
    return ["balls"]


# --- hands and pools ---


def _hand_none(case: Case, who: str) -> _Once:
    case.empty.add(who.lower())
    return [_hand_of(who)]


def _hand_drawn(case: Case, who: str) -> _Once:
    case.drawn.add(who.lower())
    return [_hand_of(who)]


def _hand_unseen(case: Case, who: str, n: int) -> _Once:
    case.hands[who.lower()] = ("",) * n
    return [_hand_of(who)]


def _hand(case: Case, who: str, hand: list[tuple[str, str]], other: str = "") -> _Once:
    case.hands[who.lower()] = tuple(case.tile(name).name for name, _owner in hand)
    case.lent[who.lower()] = tuple(other.lower() or owner for _name, owner in hand)
    return [_hand_of(who)]


def _hand_of(who: str) -> str:
    return f"the hand of {who.capitalize()}"


def _pool(case: Case, tiles: str = "none") -> _Once:
    case.pool = case.names(tiles)
    return ["pool"]


def _virtual(case: Case, tiles: str) -> _Once:
    case.virtual = case.names(tiles)
    return ["virtual"]


# --- what people brought, and found ---


def _full(case: Case) -> _Once:
    case.quick = False
    return ["full set-up"]


def _brings(case: Case, who: str, tiles: str) -> None:
    case.brought += [Share(name=name, owner=who.lower()) for name in case.names(tiles)]


def _brings_virtual(case: Case, who: str, tiles: str) -> None:
    case.brought_virtual += [Share(name=name, owner=who.lower()) for name in case.names(tiles)]


def _brings_balls(case: Case, who: str, n: int) -> _Once:
    case.ball_count[who.lower()] = n
    return [f"how many balls {who.capitalize()} brings"]


def _boards(case: Case, players: list[str]) -> _Once:
    case.boards = tuple(name.lower() for name in players)
    return ["boards offered"]


def _mark(case: Case, tile: str, finding: str) -> None:
    case.marks.append((finding, case.tile(tile).name))


def _switch(name: str) -> Callable[[Case, str], _Once]:
    def put(case: Case, word: str) -> _Once:
        setattr(case, name, word == "on")
        return [name]

    return put


# --- settings ---


def _time(case: Case, word: str, seconds: float) -> _Once:
    case.config[_TIMES[word]] = round(seconds * _SECOND_US)
    return [f"setting {word}"]


def _kickers(case: Case, slots: list[str]) -> _Once:
    case.config["kickers"] = tuple(case.slot(slot) for slot in slots)
    return ["setting kickers"]


def _setting(said: str, name: str, yes: str | None = "on") -> Callable[[Case, str], _Once]:
    """Return what sets a setting of the game: a switch, whose word for yes is given, or a choice."""

    def put(case: Case, word: str) -> _Once:
        case.config[name] = word if yes is None else word == yes
        return [f"setting {said}"]

    return put


SET_UP: Final = (
    Sentence("board BOARD", "The board profile; `fx-19` unless said.", _board),
    Sentence("players NAMES", "Who plays, clockwise; Red, Blue and Green unless said.", _players),
    Sentence("active WHO", "Whose turn it is; the first player unless said.", _into("active", "who")),
    Sentence("slot SLOT open", "No tile there, though others lie in the rest of the slots.", _open),
    Sentence(
        "slot SLOT TILE [turn TURN] [owner WHO]",
        "A tile on the board, turned by N sixths, and whose it is.",
        _slot,
    ),
    Sentence(
        "rest TILE [except SLOTS]",
        "What lies in every slot that has not been named, but for those listed; they are open unless said.",
        _rest,
    ),
    Sentence("hand WHO none", "An empty hand.", _hand_none),
    Sentence("hand WHO drawn", "Three tiles drawn blindly from the pool at the start.", _hand_drawn),
    Sentence("hand WHO unseen N", "N tiles that only their holder has seen.", _hand_unseen),
    Sentence("hand WHO HAND owned by OTHER", "The tiles of a hand that belong to somebody else.", _hand),
    Sentence(
        "hand WHO HAND",
        "The tiles of a hand (`2 PLAIN, BELL owner Blue`), the holder's own unless said; else three PLAIN.",
        _hand,
    ),
    Sentence("pool none", "An empty Main Pool.", _pool),
    Sentence("pool TILES", "The Main Pool (`20 PLAIN, BELL`); 30 PLAIN unless said.", _pool),
    Sentence("virtual TILES", "The Virtual Pool; empty unless said.", _virtual),
    Sentence("full set-up", "Nothing that nobody has said is filled in (1.0).", _full),
    Sentence("WHO brings N balls", "How many balls a player brought.", _brings_balls),
    Sentence("WHO brings virtual TILES", "Tiles that a player puts into the Virtual Pool.", _brings_virtual),
    Sentence(
        "WHO brings TILES", "Tiles that a player puts into the Main Pool, in place of the 30 PLAIN.", _brings
    ),
    Sentence("boards offered by PLAYERS", "Who brought a board.", _boards),
    Sentence(
        "ball size TEXT",
        'How large the balls are; "10 mm" unless said.',
        _into("ball_size", "text", "ball size"),
    ),
    Sentence("magnetic on|off", "Whether a magnet attracts the balls.", _switch("magnetic")),
    Sentence("mark TILE FINDING", "What people found about a kind of tile; see the checklist below.", _mark),
    Sentence("balls PLACES", "A ball lying in each slot or zone of the list, numbered 1, 2, 3 …", _balls),
    Sentence("power on|off", "Whether the board has power at the start.", _switch("power")),
    Sentence("rolled", "The active player has already made the roll of the turn.", _done("rolled")),
    Sentence("played", "The active player has already made the play of the turn.", _done("played")),
    Sentence("board owner WHO", "Whose board it is.", _into("owner", "who", "board owner")),
    Sentence(
        "setting grace|attest|loop|release|card|vote|moment SECONDS s",
        "A time of the rulings; `release` is 2.2.5's letting go, `vote` that of R-10.",
        _time,
    ),
    Sentence(
        "setting wins joint|roller", "Who wins if several do (R-26).", _setting("wins", "joint_wins", "joint")
    ),
    Sentence(
        "setting triggers each|once",
        "How often a tile fires in one roll (R-16).",
        _setting("once", "trigger_once_per_roll", "once"),
    ),
    Sentence(
        "setting sensors on|off", "Whether the board sees balls by itself.", _setting("sensors", "sensors")
    ),
    Sentence(
        "setting depth full|light|score",
        "How closely a table without sensors follows the game.",
        _setting("depth", "depth", None),
    ),
    Sentence(
        "setting tiles on|off", "Whether the board sees tiles by itself.", _setting("tiles", "tile_sensors")
    ),
    Sentence("setting gates on|off", "Whether ramps have gates.", _setting("gates", "gates")),
    Sentence(
        "setting launcher on|off",
        "Whether balls come from another launcher than ramps.",
        _setting("launcher", "launcher"),
    ),
    Sentence("setting kickers SLOTS", "Which slots have a kicker.", _kickers),
)

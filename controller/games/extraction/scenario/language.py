"""Text scenarios of Extraction: positions and acts as text, with what must come of them.

A file begins with ``game extraction``. It goes through the same ``step`` as a real game; the language is
described in docs/extraction.md, whose table is made from :data:`SENTENCES`.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from hextraction.controller.games.extraction.land.corners import CORNER_NAMES, EDGE_NAMES
from hextraction.controller.games.extraction.scenario import case, seen
from hextraction.controller.games.extraction.scenario.case import Case, Table
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.protocol import PowerSet, TileSeen, Woke
from hextraction.controller.games.sentences import Language, Sentence

__all__ = ["LANGUAGE", "SENTENCES", "count", "play", "read", "run_file"]


def _any_of(names: Iterable[str]) -> str:
    return f"(?:{'|'.join(re.escape(name) for name in names)})"


_CELL: Final = _any_of(CELLS)
_CORNER: Final = _any_of(CORNER_NAMES)
_EDGE: Final = _any_of(EDGE_NAMES)
_WHO: Final = r"(?:Red|Blue|Green|Yellow)"
_GOODS: Final = r"(?:wood|brick|wool|grain|ore)"
_BUNDLE: Final = rf"((?:\d+ {_GOODS} ?)+|nothing)"
_CARD: Final = r"(?:knight|point|roads|plenty|monopoly)"
_Act = tuple[str, dict[str, Any]]


# --- what is done ---


def _throws(_table: Table, who: str, number: str) -> _Act:
    return who.lower(), {"do": "roll", "total": int(number)}


def _at(do: str) -> Callable[[Table, str, str], _Act]:
    return lambda _table, who, at: (who.lower(), {"do": do, "at": at})


def _plain(do: str) -> Callable[[Table, str], _Act]:
    return lambda _table, who: (who.lower(), {"do": do})


def _goods(text: str) -> dict[str, int]:
    return {name: int(number) for number, name in re.findall(r"(\d+) (\w+)", text)}


def _plays(_table: Table, who: str, card: str, rest: str | None) -> _Act:
    act: dict[str, Any] = {"do": "play", "card": card}
    if card == "plenty" and rest:
        act["take"] = _goods(rest)
    elif rest:
        act["resource"] = rest.strip()
    return who.lower(), act


def _trade(do: str) -> Callable[..., _Act]:
    def made(_table: Table, who: str, give: str, want: str, to: str | None = None) -> _Act:
        act = {"do": do, "give": _goods(give), "want": _goods(want)}
        return who.lower(), {**act, "to": to.lower()} if to else act

    return made


def _says(table: Table, who: str, choice: str) -> _Act:
    prompts = table.game.private(table.state, who.lower()).prompts
    return who.lower(), {"do": "answer", "prompt": prompts[0].id if prompts else "", "choice": choice}


def _hall(*, present: bool) -> Callable[[Table, str], None]:
    def seen(table: Table, cell: str) -> None:
        table.step(TileSeen(at_us=table.later(), slot=table.slot(cell), present=present))

    return seen


def _switch(table: Table, how: str) -> None:
    table.step(PowerSet(at_us=table.later(), on=how == "on"))


def _pass(table: Table, seconds: str) -> None:
    table.step(Woke(at_us=table.later(int(seconds) * 1_000_000)))


_ACTS: Final = (
    Sentence("DO", "WHO throws 8", "the dice show that together", rf"({_WHO}) throws (\d+)", _throws),
    Sentence(
        "DO",
        "WHO settles at c3.12",
        "in the set-up or later",
        rf"({_WHO}) settles at ({_CORNER})",
        _at("settlement"),
    ),
    Sentence(
        "DO",
        "WHO builds a road at c3:2",
        "in the set-up, at its cost, or by a card",
        rf"({_WHO}) builds a road at ({_EDGE})",
        _at("road"),
    ),
    Sentence(
        "DO",
        "WHO builds a city at c3.12",
        "where a settlement is",
        rf"({_WHO}) builds a city at ({_CORNER})",
        _at("city"),
    ),
    Sentence(
        "DO",
        "WHO takes cards for c3.12",
        "the starting cards of a settlement",
        rf"({_WHO}) takes cards for ({_CORNER})",
        _at("collect"),
    ),
    Sentence(
        "DO",
        "WHO lays 8 on c3",
        "a number disc",
        rf"({_WHO}) lays (\d+) on ({_CELL})",
        lambda _table, who, disc, at: (who.lower(), {"do": "disc", "disc": int(disc), "at": at}),
    ),
    Sentence("DO", "WHO picks c3", "a hex whose disc is swapped", rf"({_WHO}) picks ({_CELL})", _at("pick")),
    Sentence(
        "DO",
        "WHO picks disc 8",
        "the disc to be laid next",
        rf"({_WHO}) picks disc (\d+)",
        lambda _table, who, disc: (who.lower(), {"do": "pick", "disc": int(disc)}),
    ),
    Sentence(
        "DO",
        "WHO swaps c3 and d2",
        "the discs of two hexes",
        rf"({_WHO}) swaps ({_CELL}) and ({_CELL})",
        lambda _table, who, at, to: (who.lower(), {"do": "swap", "at": at, "to": to}),
    ),
    Sentence(
        "DO",
        "WHO swaps c3 for 12",
        "its disc with one of the supply",
        rf"({_WHO}) swaps ({_CELL}) for (\d+)",
        lambda _table, who, at, disc: (who.lower(), {"do": "swap", "at": at, "disc": int(disc)}),
    ),
    Sentence("DO", "WHO buys a card", "the top one", rf"({_WHO}) buys a card", _plain("buy")),
    Sentence(
        "DO",
        "WHO plays knight",
        "knight, roads; `plenty for 1 ore 1 wool`, `monopoly on ore`",
        rf"({_WHO}) plays ({_CARD})(?: (?:for|on)((?: \d+)? [\w ]+))?",
        _plays,
    ),
    Sentence(
        "DO",
        "WHO builds no more roads",
        "of the two by a card",
        rf"({_WHO}) builds no more roads",
        _plain("done"),
    ),
    Sentence(
        "DO",
        "WHO gives the bank 3 wool for 1 brick",
        "a trade with the bank",
        rf"({_WHO}) gives the bank {_BUNDLE} for {_BUNDLE}",
        _trade("bank"),
    ),
    Sentence(
        "DO",
        "WHO offers 1 wool for 1 ore",
        "to all who may trade, or `to WHO`",
        rf"({_WHO}) offers {_BUNDLE}for {_BUNDLE}(?: ?to ({_WHO}))?",
        _trade("offer"),
    ),
    Sentence("DO", "WHO withdraws", "own offers", rf"({_WHO}) withdraws", _plain("withdraw")),
    Sentence(
        "DO",
        "WHO attacks c3.56 with 1 ore",
        "a building, and the stake",
        rf"({_WHO}) attacks ({_CORNER}) with {_BUNDLE}",
        lambda _table, who, at, stake: (who.lower(), {"do": "attack", "at": at, "stake": _goods(stake)}),
    ),
    Sentence("DO", "WHO ends the turn", "the next one's begins", rf"({_WHO}) ends the turn", _plain("end")),
    Sentence("DO", "WHO leaves", "for good", rf"({_WHO}) leaves", _plain("leave")),
    Sentence(
        "DO",
        "WHO answers yes",
        "what they are asked: yes, no, back, wrong",
        rf"({_WHO}) answers (yes|no|back|wrong)",
        _says,
    ),
)
_EVENTS: Final = (
    Sentence(
        "DO",
        "hand turns over c3",
        "the Hall of a cell says so",
        rf"hand turns over ({_CELL})",
        _hall(present=False),
    ),
    Sentence(
        "DO", "hand lays c3", "the Hall of a cell says so", rf"hand lays ({_CELL})", _hall(present=True)
    ),
    Sentence("DO", "board off", "the switch; `board on`", r"board (on|off)", _switch),
    Sentence("DO", "60 s pass", "without a word", r"(\d+) s pass", _pass),
)


# --- what is set up, and what is expected ---

_SETUP: Final = (
    Sentence("", "board NAME", "the board's profile; usually fx-19", r"board (\S+)", case.board),
    Sentence(
        "",
        "players NAMES",
        "three or four of Red, Blue, Green, Yellow, in this order",
        rf"players ({_WHO}(?:[ ,]+{_WHO})+)",
        case.players,
    ),
    Sentence(
        "",
        "setting attack stake_bonus",
        "a setting of `[extraction]` and its value",
        r"setting (\w+) (\w+)",
        case.setting,
    ),
    Sentence(
        "",
        "new game",
        "it begins with the set-up; without it, after Red's throw of turn 5",
        "new game",
        case.new_game,
    ),
    Sentence(
        "",
        "terrain wood wool …",
        "all 19 hexes of a new game, from a1 on",
        r"terrain ((?:\w+ ?){19})",
        case.terrain,
    ),
    Sentence(
        "",
        "hex c3 ore 8 5",
        "a hex, its disc and its tokens; hexes that are not named are used up",
        rf"hex ({_CELL}) ({_GOODS}) (\d+) (\d)",
        case.ground,
    ),
    Sentence("", "hex c3 desert", "the desert", rf"hex ({_CELL}) (desert)", case.ground),
    Sentence(
        "",
        "settlement WHO c3.12 c3.34",
        "settlements on the board",
        rf"settlement ({_WHO}) ((?:{_CORNER} ?)+)",
        case.settlements,
    ),
    Sentence("", "city WHO c3.12", "cities on the board", rf"city ({_WHO}) ((?:{_CORNER} ?)+)", case.cities),
    Sentence(
        "", "roads WHO c3:1 c3:2", "roads on the board", rf"roads ({_WHO}) ((?:{_EDGE} ?)+)", case.roads
    ),
    Sentence("", "hand WHO 2 wood 1 ore", "resource cards", rf"hand ({_WHO}) {_BUNDLE}", case.hand),
    Sentence(
        "",
        "cards WHO knight point",
        "development cards, bought in an earlier turn",
        rf"cards ({_WHO}) ((?:{_CARD} ?)+)",
        case.cards,
    ),
    Sentence(
        "",
        "bank 2 wood 0 ore",
        "cards in the bank; else 19 less those in hands",
        rf"bank {_BUNDLE}",
        case.bank,
    ),
    Sentence("", "supply 12 4", "discs that lie face up", r"supply ((?:\d+ ?)+)", case.supply),
    Sentence(
        "",
        "deck knight point",
        "all that is in the deck, from the top, or none",
        rf"deck (none|(?:{_CARD} ?)+)",
        case.deck,
    ),
    Sentence("", "knights WHO 2", "knights played before", rf"knights ({_WHO}) (\d+)", case.knights),
    Sentence("", "route WHO", "who holds the Longest Route", rf"route ({_WHO})", case.route),
    Sentence("", "army WHO", "who holds the Largest Army", rf"army ({_WHO})", case.army),
    Sentence("", "out WHO", "who is out", rf"out ({_WHO})", case.out),
    Sentence("", "mover WHO", "whose turn it is; else Red's", rf"mover ({_WHO})", case.mover),
    Sentence(
        "", "before the throw", "the dice of this turn are not thrown yet", "before the throw", case.before
    ),
    Sentence(
        "",
        "the turn begins",
        "it is looked first whether its player is out",
        "the turn begins",
        case.begins,
    ),
    Sentence("", "sensors", "the board sees hexes, which lie as they should", "sensors", case.sensors),
)
_EXPECTED: Final = (
    Sentence(
        "EXPECT", "hand of WHO 2 wood 1 ore", "exactly, or nothing", rf"hand of ({_WHO}) {_BUNDLE}", seen.has
    ),
    Sentence(
        "EXPECT",
        "cards of WHO knight",
        "development cards in hand, or none",
        rf"cards of ({_WHO}) ([\w ]+)",
        seen.holds,
    ),
    Sentence("EXPECT", "bank 15 ore", "so many of these are in the bank", rf"bank {_BUNDLE}", seen.bank_has),
    Sentence("EXPECT", "deck of 24", "so many development cards are left", r"deck of (\d+)", seen.deck_of),
    Sentence("EXPECT", "c3 has 4 tokens", "on a hex", rf"({_CELL}) has (\d+) tokens", seen.tokens),
    Sentence("EXPECT", "c3 has disc 8", "on a hex", rf"({_CELL}) has disc (\d+)", seen.disc),
    Sentence("EXPECT", "c3 is used up", "and has no disc", rf"({_CELL}) is used up", seen.used_up),
    Sentence("EXPECT", "supply 12", "exactly these discs, or none", r"supply ([\d ]+|none)", seen.supply_is),
    Sentence("EXPECT", "58 tokens", "on all hexes", r"(\d+) tokens", seen.all_tokens),
    Sentence("EXPECT", "18 discs", "on all hexes", r"(\d+) discs", seen.all_discs),
    Sentence(
        "EXPECT",
        "c3.12 is a city of WHO",
        "or a settlement",
        rf"({_CORNER}) is a (city|settlement) of ({_WHO})",
        seen.building,
    ),
    Sentence("EXPECT", "c3.12 is empty", "no building there", rf"({_CORNER}) is empty", seen.empty),
    Sentence("EXPECT", "c3:2 is a road of WHO", "", rf"({_EDGE}) is a road of ({_WHO})", seen.road),
    Sentence(
        "EXPECT",
        "stock of WHO 5 4 15",
        "settlements, cities, roads not on the board",
        rf"stock of ({_WHO}) (\d) (\d) (\d+)",
        seen.stock_is,
    ),
    Sentence(
        "EXPECT", "points of WHO 3", "with hidden points", rf"points of ({_WHO}) (\d+)", seen.points_are
    ),
    Sentence(
        "EXPECT",
        "longest route WHO",
        "who holds it, or nobody",
        rf"longest route ({_WHO}|nobody)",
        seen.holds_route,
    ),
    Sentence("EXPECT", "route of WHO 5", "how long it is", rf"route of ({_WHO}) (\d+)", seen.route_is),
    Sentence(
        "EXPECT",
        "largest army WHO",
        "who holds it, or nobody",
        rf"largest army ({_WHO}|nobody)",
        seen.holds_army,
    ),
    Sentence(
        "EXPECT", "knights of WHO 1", "that were played", rf"knights of ({_WHO}) (\d+)", seen.knights_are
    ),
    Sentence("EXPECT", "turn of WHO", "whose turn it is", rf"turn of ({_WHO})", seen.turn_of),
    Sentence(
        "EXPECT",
        "phase swap",
        "first, settlement, road, collect, discs, before, swap, roads, act, attack",
        r"phase (\w+)",
        seen.phase,
    ),
    Sentence("EXPECT", "WHO is out", "or `is in`", rf"({_WHO}) is (out|in)", seen.is_out),
    Sentence(
        "EXPECT", "winners WHO", "the game is over; one or several", rf"winners ((?:{_WHO} ?)+)", seen.winners
    ),
    Sentence("EXPECT", "ended all out", "why the game ended", r"ended ([\w ]+)", seen.ended),
    Sentence("EXPECT", "game goes on", "it is not over", "game goes on", seen.goes_on),
    Sentence(
        "EXPECT",
        "WHO is offered attack",
        "an act that is offered, as roll, settlement, road, city, buy, play, bank, offer, attack, end",
        rf"({_WHO}) is offered (\w+)",
        seen.offered,
    ),
    Sentence("EXPECT", "WHO is not offered attack", "", rf"({_WHO}) is not offered (\w+)", seen.not_offered),
    Sentence(
        "EXPECT",
        "attack places of WHO: c3.56",
        "exactly there it is offered, or none; also settlement, road, city, disc, swap",
        rf"(\w+) places of ({_WHO}): (.+)",
        seen.offered_at,
    ),
    Sentence("EXPECT", "WHO is asked offer", "offer, keep or board", rf"({_WHO}) is asked (\w+)", seen.asked),
    Sentence(
        "EXPECT", "WHO may answer yes no", "exactly these", rf"({_WHO}) may answer ([\w ]+)", seen.may_answer
    ),
    Sentence("EXPECT", "nobody is asked", "no question is open", "nobody is asked", seen.unasked),
    Sentence("EXPECT", "to turn over c3", "what hands should, or none", r"to turn over (.+)", seen.to_turn),
    Sentence("EXPECT", 'said "text"', "something with these words was told", r'said "(.+)"', seen.said),
    Sentence(
        "EXPECT", 'said 6 times "text"', "exactly so often", r'said (\d+) times "(.+)"', seen.said_times
    ),
    Sentence(
        "EXPECT",
        'nobody else sees "text"',
        "neither the scene nor the view of anybody but the mover has it",
        r'nobody else sees "(.+)"',
        seen.unseen,
    ),
)
LANGUAGE: Final = Language(
    case=Case,
    problems=case.problems,
    table=Table,
    set_up=_SETUP,
    acts=_ACTS,
    events=_EVENTS,
    expected=_EXPECTED,
)
SENTENCES: Final = LANGUAGE.sentences
read, play, count, run_file = LANGUAGE.read, LANGUAGE.play, LANGUAGE.count, LANGUAGE.run_file

"""Text scenarios of Extraction: positions and acts as text, with what must come of them.

A file begins with ``game extraction``. It goes through the same ``step`` as a real game; the language is
described in docs/extraction.md, whose table is made from :data:`SENTENCES`.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from hextraction.controller.games.extraction import seen, told
from hextraction.controller.games.extraction.told import Case, Table, Unmet
from hextraction.controller.games.protocol import PowerSet, TileSeen, Woke
from hextraction.controller.games.scenarios import ScenarioError, text_of

__all__ = ["SENTENCES", "Sentence", "count", "play", "read", "run_file"]

_CELL: Final = r"[a-e][1-5]"
_CORNER: Final = r"[a-e][1-5]\.[1-6][1-6]"
_EDGE: Final = r"[a-e][1-5]:[1-6]"
_WHO: Final = r"(?:Red|Blue|Green|Yellow)"
_GOODS: Final = r"(?:wood|brick|wool|grain|ore)"
_BUNDLE: Final = rf"((?:\d+ {_GOODS} ?)+|nothing)"
_CARD: Final = r"(?:knight|point|roads|plenty|monopoly)"
_Act = tuple[str, dict[str, Any]]


class Sentence(NamedTuple):
    """A sentence of the language: its word, how it is written, what it means, how it is read and played."""

    word: str
    template: str
    meaning: str
    pattern: str
    play: Callable[..., object]


def _seat(who: str) -> str:
    return who.lower()


# --- what is done ---


def _throws(who: str, number: str) -> _Act:
    return who, {"do": "roll", "total": int(number)}


def _at(do: str) -> Callable[[str, str], _Act]:
    return lambda who, at: (who, {"do": do, "at": at})


def _plain(do: str, **more: Any) -> Callable[[str], _Act]:
    return lambda who: (who, {"do": do, **more})


def _goods(text: str) -> dict[str, int]:
    return {name: int(number) for number, name in re.findall(r"(\d+) (\w+)", text)}


def _plays(who: str, card: str, rest: str) -> _Act:
    act: dict[str, Any] = {"do": "play", "card": card}
    if card == "plenty" and rest:
        act["take"] = _goods(rest)
    elif rest:
        act["resource"] = rest.strip()
    return who, act


def _trade(do: str) -> Callable[..., _Act]:
    def made(who: str, give: str, want: str, to: str | None = None) -> _Act:
        act = {"do": do, "give": _goods(give), "want": _goods(want)}
        return who, {**act, "to": _seat(to)} if to else act

    return made


def _says(table: Table, who: str, choice: str) -> None:
    prompts = table.game.private(table.state, _seat(who)).prompts
    if not prompts:
        raise Unmet(f"{who} is asked nothing")
    act = {"do": "answer", "prompt": prompts[0].id, "choice": choice}
    refused = table.act(_seat(who), act)
    if refused is not None:
        raise Unmet(f"refused: {refused.reason} ({refused.clause})")


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
        lambda who, disc, at: (who, {"do": "disc", "disc": int(disc), "at": at}),
    ),
    Sentence("DO", "WHO picks c3", "a hex whose disc is swapped", rf"({_WHO}) picks ({_CELL})", _at("pick")),
    Sentence(
        "DO",
        "WHO picks disc 8",
        "the disc to be laid next",
        rf"({_WHO}) picks disc (\d+)",
        lambda who, disc: (who, {"do": "pick", "disc": int(disc)}),
    ),
    Sentence(
        "DO",
        "WHO swaps c3 and d2",
        "the discs of two hexes",
        rf"({_WHO}) swaps ({_CELL}) and ({_CELL})",
        lambda who, at, to: (who, {"do": "swap", "at": at, "to": to}),
    ),
    Sentence(
        "DO",
        "WHO swaps c3 for 12",
        "its disc with one of the supply",
        rf"({_WHO}) swaps ({_CELL}) for (\d+)",
        lambda who, at, disc: (who, {"do": "swap", "at": at, "disc": int(disc)}),
    ),
    Sentence("DO", "WHO buys a card", "the top one", rf"({_WHO}) buys a card", _plain("buy")),
    Sentence(
        "DO",
        "WHO plays knight",
        "knight, roads; `plenty for 1 ore 1 wool`, `monopoly on ore`",
        rf"({_WHO}) plays ({_CARD})(?: (?:for|on)((?: \d+)? [\w ]+))?",
        lambda who, card, rest: _plays(who, card, rest or ""),
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
        lambda who, at, stake: (who, {"do": "attack", "at": at, "stake": _goods(stake)}),
    ),
    Sentence("DO", "WHO ends the turn", "the next one's begins", rf"({_WHO}) ends the turn", _plain("end")),
    Sentence("DO", "WHO leaves", "for good", rf"({_WHO}) leaves", _plain("leave")),
)
_EVENTS: Final = (
    Sentence(
        "DO",
        "WHO answers yes",
        "what they are asked: yes, no, back, wrong",
        rf"({_WHO}) answers (yes|no|back|wrong)",
        _says,
    ),
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


def _step(table: Table, word: str, section: str, text: str) -> None:
    acts = _found(_ACTS, text) if word != "EXPECT" else None
    if acts is None:
        found = _found((*_EVENTS, *_EXPECTED), text)
        if found is not None:
            found[0].play(table, *found[1])
        return
    who, act = cast("_Act", acts[0].play(*acts[1]))
    before = table.state
    refused = table.act(_seat(who), act)
    if word == "DO":
        if refused is not None:
            raise Unmet(f"refused: {refused.reason} ({refused.clause})")
        return
    if refused is None:
        raise Unmet("it is legal")
    if refused.clause != section:
        raise Unmet(f"refused by {refused.clause}: {refused.reason}")
    if table.state != before:
        raise Unmet("another state")


# --- what is set up, and what is expected ---

_SETUP: Final = (
    Sentence("", "board NAME", "the board's profile; usually fx-19", r"board (\S+)", told.board),
    Sentence(
        "",
        "players NAMES",
        "three or four of Red, Blue, Green, Yellow, in this order",
        rf"players ({_WHO}(?:[ ,]+{_WHO})+)",
        told.players,
    ),
    Sentence(
        "",
        "setting attack stake_bonus",
        "a setting of `[extraction]` and its value",
        r"setting (\w+) (\w+)",
        told.setting,
    ),
    Sentence(
        "",
        "new game",
        "it begins with the set-up; without it, after Red's throw of turn 5",
        "new game",
        told.new_game,
    ),
    Sentence(
        "",
        "terrain wood wool …",
        "all 19 hexes of a new game, from a1 on",
        r"terrain ((?:\w+ ?){19})",
        told.terrain,
    ),
    Sentence(
        "",
        "hex c3 ore 8 5",
        "a hex, its disc and its tokens; hexes that are not named are used up",
        rf"hex ({_CELL}) ({_GOODS}) (\d+) (\d)",
        told.ground,
    ),
    Sentence("", "hex c3 desert", "the desert", rf"hex ({_CELL}) (desert)", told.ground),
    Sentence(
        "",
        "settlement WHO c3.12 c3.34",
        "settlements on the board",
        rf"settlement ({_WHO}) ((?:{_CORNER} ?)+)",
        told.settlements,
    ),
    Sentence("", "city WHO c3.12", "cities on the board", rf"city ({_WHO}) ((?:{_CORNER} ?)+)", told.cities),
    Sentence(
        "", "roads WHO c3:1 c3:2", "roads on the board", rf"roads ({_WHO}) ((?:{_EDGE} ?)+)", told.roads
    ),
    Sentence("", "hand WHO 2 wood 1 ore", "resource cards", rf"hand ({_WHO}) {_BUNDLE}", told.hand),
    Sentence(
        "",
        "cards WHO knight point",
        "development cards, bought in an earlier turn",
        rf"cards ({_WHO}) ((?:{_CARD} ?)+)",
        told.cards,
    ),
    Sentence(
        "",
        "bank 2 wood 0 ore",
        "cards in the bank; else 19 less those in hands",
        rf"bank {_BUNDLE}",
        told.bank,
    ),
    Sentence("", "supply 12 4", "discs that lie face up", r"supply ((?:\d+ ?)+)", told.supply),
    Sentence(
        "", "deck knight point", "all that is in the deck, from the top", rf"deck ((?:{_CARD} ?)+)", told.deck
    ),
    Sentence("", "knights WHO 2", "knights played before", rf"knights ({_WHO}) (\d+)", told.knights),
    Sentence("", "route WHO", "who holds the Longest Route", rf"route ({_WHO})", told.route),
    Sentence("", "army WHO", "who holds the Largest Army", rf"army ({_WHO})", told.army),
    Sentence("", "out WHO", "who is out", rf"out ({_WHO})", told.out),
    Sentence("", "mover WHO", "whose turn it is; else Red's", rf"mover ({_WHO})", told.mover),
    Sentence(
        "", "before the throw", "the dice of this turn are not thrown yet", "before the throw", told.before
    ),
    Sentence(
        "",
        "the turn begins",
        "it is looked first whether its player is out",
        "the turn begins",
        told.begins,
    ),
    Sentence("", "sensors", "the board sees hexes, which lie as they should", "sensors", told.sensors),
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
SENTENCES: Final = (*_SETUP, *_ACTS, *_EVENTS, *_EXPECTED)


# --- reading and playing ---


def read(text: str, source: str) -> list[Case]:
    """Return the scenarios of a file.

    Raises:
        ScenarioError: with every mistake in it.
    """
    cases: list[Case] = []
    problems: list[str] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = re.sub(r"(^|\s)#.*", "", raw).strip()
        if line and not line.startswith("game "):
            problems += [f"{source}:{number}: {what}" for what in _line(cases, source, number, line)]
    for case in cases:
        problems += [f"{source}:{case.line}: {what}" for what in case.problems()]
    if not cases and not problems:
        problems.append(f"{source}:1: want at least one scenario")
    if problems:
        raise ScenarioError(problems)
    return cases


def _line(cases: list[Case], source: str, number: int, line: str) -> list[str]:
    """Take in one line; return what is wrong with it."""
    word, _space, rest = line.partition(" ")
    if word == "SCENARIO":
        cases.append(Case(name=rest.strip(), line=number))
        return []
    if not cases:
        cases.append(Case(name=source, line=number))
    case = cases[-1]
    if word == "REFUSED":
        section, colon, tried = rest.partition(": ")
        if not colon or _found(_ACTS, tried.strip()) is None:
            return [f"want REFUSED SECTION: what a player tries, found {line!r}"]
        case.steps.append((number, word, section.strip(), tried.strip()))
        return []
    if word in {"DO", "EXPECT"}:
        known = (*_ACTS, *_EVENTS) if word == "DO" else _EXPECTED
        wrong = []
        for part in (one.strip() for one in rest.split(";")):
            if _found(known, part) is None:
                wrong.append(f"cannot read {part!r}, want one of {_listed(known)}")
            case.steps.append((number, word, "", part))
        return wrong
    if case.steps:
        return [f"want DO, EXPECT, REFUSED or SCENARIO, found {word!r} (set-up comes first)"]
    return _set_up(case, line)


def _set_up(case: Case, line: str) -> list[str]:
    found = _found(_SETUP, line)
    if found is None:
        return [f"cannot read {line!r}, want one of {_listed(_SETUP)}"]
    sentence, fields = found
    try:
        sentence.play(case, *fields)
    except ValueError as error:
        return [str(error)]
    return []


def _listed(sentences: tuple[Sentence, ...]) -> str:
    return ", ".join(repr(one.template) for one in sentences)


def _found(sentences: tuple[Sentence, ...], text: str) -> tuple[Sentence, tuple[str, ...]] | None:
    for sentence in sentences:
        match = re.fullmatch(sentence.pattern, text)
        if match is not None and all(told.is_place(one) for one in match.groups() if one):
            return sentence, match.groups()
    return None


def play(case: Case, source: str) -> str | None:
    """Play a scenario; return its first line that does not come true, as a sentence."""
    table = Table(case)
    for line, word, section, text in case.steps:
        expected = f"{text!r} to be refused by {section}" if section else text
        try:
            _step(table, word, section, text)
        except Unmet as unmet:
            return f"{source}:{line}: {case.name}: expected {expected}; found {unmet}"
    return None


def count(path: Path) -> int:
    """Return how many scenarios a file holds.

    Raises:
        ScenarioError: with every mistake in the file.
    """
    return len(read(text_of(path), str(path)))


def run_file(path: Path) -> tuple[int, list[str]]:
    """Play all scenarios of a file; return how many came true, and what did not.

    Raises:
        ScenarioError: with every mistake in the file.
    """
    cases = read(text_of(path), str(path))
    failures = [found for case in cases if (found := play(case, str(path))) is not None]
    return len(cases) - len(failures), failures

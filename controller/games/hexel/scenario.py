"""Text scenarios of Hex'el: cards, chips and hands as text, with what must come of them.

A file begins with ``game hexel``. It goes through the same ``step`` as a real game; the language is described
in docs/hexel.md, whose table is made from :data:`SENTENCES`.
"""

from collections.abc import Callable
from typing import Any, Final

from hextraction.board.profile import board_names
from hextraction.controller.games.hexel import position as game
from hextraction.controller.games.hexel.cards import (
    DECKS,
    deck_from,
    deck_named,
    distinct_turns,
    least,
    lines,
    turned,
)
from hextraction.controller.games.hexel.case import Case, Table, problems
from hextraction.controller.games.hexel.mosaic import name_of
from hextraction.controller.games.hexel.position import DEALT
from hextraction.controller.games.hexel.rules import board_question, taken_slots
from hextraction.controller.games.hexel.views import Detail
from hextraction.controller.games.protocol import PowerSet, TileSeen
from hextraction.controller.games.sentences import Language, Sentence, Unmet, same
from hextraction.settings import Document, SettingsError
from msgspec.structs import replace

__all__ = ["LANGUAGE", "SENTENCES", "count", "play", "read", "run_file"]

# --- words that sentences share ---

_NAMES: Final = "Red|Blue|Green|Yellow|Violet|White"
_WHO: Final = rf"({_NAMES})"
_FACE: Final = r"([RBY]{6})"
_FACES: Final = r"([RBY]{6}(?:[ ,]+[RBY]{6})*)"
_CELL: Final = r"([a-e][1-5]|-?\d{1,2},-?\d{1,2})"
_CELLS: Final = r"(none|(?:[a-e][1-5]|-?\d{1,2},-?\d{1,2})(?: (?:[a-e][1-5]|-?\d{1,2},-?\d{1,2}))*)"


def _faces(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _cells(text: str) -> set[str]:
    return set() if text == "none" else set(text.split())


def _number(table: Table, who: str) -> int:
    found = table.state.number(who.lower())
    if found is None:
        raise Unmet(f"{who} does not play")
    return found


def _card(table: Table, who: str, face: str) -> tuple[int, int]:
    """Return the card of a hand that can show these symbols, and its turns then; 0 if there is none."""
    position = table.state.position
    for card in position.hands[_number(table, who)]:
        known = position.faces[card - 1]
        for turns in distinct_turns(known):
            if turned(known, turns) == face:
                return card, turns
    return 0, 0


def _hand_of(table: Table, who: str) -> list[str]:
    position = table.state.position
    return sorted(least(position.faces[card - 1]) for card in position.hands[_number(table, who)])


def _detail(table: Table) -> Detail:
    detail = table.game.scene(table.state).detail
    if not isinstance(detail, Detail):
        raise Unmet("no detail")
    return detail


# --- set-up ---


def _set_board(case: Case, name: str) -> None:
    if name not in board_names():
        raise ValueError(f"there is no board {name!r}, want one of {', '.join(board_names())}")
    case.board = name


def _put(name: str, kind: Callable[[str], Any] = str) -> Callable[[Case, str], None]:
    """Return what sets one value of a case."""
    return lambda case, value: setattr(case, name, kind(value))


def _of(name: str, kind: Callable[[str], Any]) -> Callable[[Case, str, str], None]:
    """Return what sets a value of one player."""
    return lambda case, who, value: getattr(case, name).__setitem__(who.lower(), kind(value))


def _all_stocks(case: Case, chips: str) -> None:
    case.stocks = dict.fromkeys(case.players, int(chips))


def _set_players(case: Case, names: str) -> None:
    case.players = [one.lower() for one in names.replace(",", " ").split()]


def _set_line(case: Case, faces: str) -> None:
    if len(_faces(faces)) != DEALT:
        raise ValueError(f"a line has {DEALT} cards, found {len(_faces(faces))}")
    case.laid |= dict(zip(("c2", "c3", "c4"), _faces(faces), strict=True))


def _set_card(case: Case, cell: str, face: str) -> None:
    case.laid[cell] = face


def _set_last(case: Case, who: str, matched: str) -> None:
    case.last = (who.lower(), int(matched))


# --- acts ---


def _word(word: str) -> Callable[[Table, str], tuple[str, dict[str, Any]]]:
    return lambda _table, who: (who.lower(), {"do": word})


def _chips(word: str) -> Callable[[Table, str, str], tuple[str, dict[str, Any]]]:
    return lambda _table, who, chips: (who.lower(), {"do": word, "chips": int(chips)})


def _lays(table: Table, who: str, face: str, cell: str) -> tuple[str, dict[str, Any]]:
    card, turns = _card(table, who, face)
    return who.lower(), {"do": "place", "card": card, "to": cell, "turns": turns}


def _with_card(word: str) -> Callable[[Table, str, str], tuple[str, dict[str, Any]]]:
    return lambda table, who, face: (who.lower(), {"do": word, "card": _card(table, who, face)[0]})


def _answers(table: Table, who: str, choice: str) -> tuple[str, dict[str, Any]]:
    asked = board_question(table.game.field, table.state)
    return who.lower(), {"do": "answer", "prompt": asked or "", "choice": choice}


def _answers_card(table: Table, who: str, face: str, cell: str) -> tuple[str, dict[str, Any]]:
    card, turns = _card(table, who, face)
    return _answers(table, who, f"place {card} {cell} {turns}")


# --- events ---


def _hall(*, present: bool) -> Callable[[Table, str], None]:
    def play_it(table: Table, cell: str) -> None:
        table.step(TileSeen(at_us=table.at_us + 1_000, slot=table.game.field.slots[cell], present=present))

    return play_it


def _switch(table: Table, how: str) -> None:
    table.step(PowerSet(at_us=table.at_us + 1_000, on=how == "on"))


# --- expectations ---


def _shows(table: Table, cell: str, face: str) -> None:
    there = {name_of(at): symbols for at, symbols in game.symbols(table.state.position).items()}
    same(there.get(cell), face)


def _lie(table: Table, cells: str) -> None:
    same({name_of(one.cell) for one in table.state.position.laid}, _cells(cells))


def _matched(table: Table, matched: str) -> None:
    same(table.state.position.laid[-1].matched, int(matched))


def _of_all(name: str) -> Callable[[Table, str, str], None]:
    def play_it(table: Table, who: str, chips: str) -> None:
        same(getattr(table.state.position, name)[_number(table, who)], int(chips))

    return play_it


def _all_chips(table: Table, chips: str) -> None:
    same(sum(table.state.position.stocks) + sum(table.state.position.hedges), int(chips))


def _holds(table: Table, who: str, faces: str) -> None:
    same(_hand_of(table, who), sorted(least(face) for face in _faces(faces)))


def _holds_so_many(table: Table, who: str, count: str) -> None:
    same(len(_hand_of(table, who)), int(count))


def _is_at(name: str, kind: Callable[[str], object]) -> Callable[[Table, str], None]:
    return lambda table, value: same(getattr(table.state.position, name), kind(value))


def _counts(name: str) -> Callable[[Table, str], None]:
    return lambda table, count: same(len(getattr(table.state.position, name)), int(count))


def _turn(table: Table, who: str) -> None:
    same(table.state.active.seat, who.lower())


def _winner(table: Table, who: str) -> None:
    same(table.game.scene(table.state).winners, (who.lower(),))


def _nobody_wins(table: Table) -> None:
    same((table.state.over, table.game.scene(table.state).winners), (True, ()))


def _goes_on(table: Table) -> None:
    if table.state.over:
        raise Unmet(str(table.state.outcome))


def _out(table: Table, who: str) -> None:
    same(table.state.players[_number(table, who)].out, bool(who))


def _fits_on(table: Table, face: str, cells: str) -> None:
    position = table.state.position
    found = [one for one in game.affordable(position) if least(position.faces[one.card - 1]) == least(face)]
    same({name_of(one.fit.cell) for one in found}, _cells(cells))


def _glow(table: Table, cells: str) -> None:
    same(set(_detail(table).targets), _cells(cells))


def _hoxla(table: Table, symbol: str, cells: str) -> None:
    detail = _detail(table)
    same((detail.hoxla, set(detail.meet)), (symbol, {table.game.field.slots[one] for one in _cells(cells)}))


def _line_is(sound: bool) -> Callable[[Table, str], None]:  # noqa: FBT001 - one of two sentences
    def play_it(_table: Table, faces: str) -> None:
        cards = _faces(faces)
        ways = lines(cards)
        found = any([turned(cards[which], turns) for which, turns in way] == cards for way in ways)
        same(found, sound)

    return play_it


def _refused_deck(_table: Table, name: str, count: str) -> None:
    known = deck_named(name).faces
    _deck_refused(name, [known[at % len(known)] for at in range(int(count))], f"want {len(known)} cards")


def _refused_card(_table: Table, name: str, face: str) -> None:
    _deck_refused(name, [*deck_named(name).faces[:-1], face], "found three")


def _refused_singles(_table: Table, name: str) -> None:
    _deck_refused(name, [*deck_named(name).faces[:-1], "RRRRRR"], "exactly 3 cards")


def _deck_refused(name: str, faces: list[str], wanted: str) -> None:
    values = {"deck": {"name": name, "cards": len(faces), "faces": faces}}
    try:
        deck_from(Document(values, f"{name}.toml"), name)
    except SettingsError as error:
        if wanted not in str(error):
            raise Unmet(str(error)) from None
    else:
        raise Unmet("it is read")


def _secret(table: Table) -> None:
    """Whatever is in hands and deck, everybody sees the same: it is tried with all of them changed."""
    position = table.state.position
    hidden = [*position.deck, *(card for hand in position.hands for card in hand)]
    hidden = hidden[7:] + hidden[:7]
    deck, rest = hidden[: len(position.deck)], iter(hidden[len(position.deck) :])
    hands = tuple(tuple(next(rest) for _card in hand) for hand in position.hands)
    other = replace(table.state, position=replace(position, deck=tuple(deck), hands=hands))
    if other == table.state:
        raise Unmet("nothing is hidden")
    same(table.game.scene(other), table.game.scene(table.state))
    same(table.game.lamps(table.game.scene(other)), table.game.lamps(table.game.scene(table.state)))


def _asked(table: Table, who: str) -> None:
    same([one.kind for one in table.game.private(table.state, who.lower()).prompts], ["board"])


def _unasked(table: Table) -> None:
    same([one.seat for one in table.state.players if table.game.private(table.state, one.seat).prompts], [])


def _to_put(table: Table, cells: str) -> None:
    put = table.state.watch.put(taken_slots(table.game.field, table.state))
    same({table.game.field.cells[slot] for slot in put}, _cells(cells))


def _to_lift(table: Table, cells: str) -> None:
    lift = table.game.awaited(table.state).lift
    same({table.game.field.cells[slot] for slot in lift}, _cells(cells))


def _told(table: Table, text: str) -> None:
    if not any(text in one for one in table.said):
        raise Unmet("; ".join(table.said) or "nothing")


def _hints(table: Table, who: str, text: str) -> None:
    headline = table.game.private(table.state, who.lower()).headline
    if text not in headline:
        raise Unmet(headline or "no hint")


_SETUP: Final = (
    Sentence("", "board NAME", "the board's profile; usually fx-19", r"board (\S+)", _set_board),
    Sentence(
        "",
        "players NAMES",
        "one to six of Red, Blue, Green, Yellow, Violet, White; usually Red Blue",
        rf"players ((?:{_NAMES})(?:[ ,]+(?:{_NAMES}))*)",
        _set_players,
    ),
    Sentence("", "deck d46", "which deck", rf"deck ({'|'.join(DECKS)})", _put("deck")),
    Sentence(
        "",
        "extra RRBRBB",
        "cards that this deck has besides",
        rf"extra {_FACES}",
        lambda case, faces: case.extra.extend(_faces(faces)),
    ),
    Sentence(
        "", "field open", "the setting `field`: slots19 or open", r"field (slots19|open)", _put("bounds")
    ),
    Sentence("", "dealer WHO", "who deals; else Red", rf"dealer {_WHO}", _put("dealer", str.lower)),
    Sentence("", "stocks 30", "what everybody has in chips", r"stocks (\d+)", _all_stocks),
    Sentence("", "stock of WHO 21", "what one has", rf"stock of {_WHO} (\d+)", _of("stocks", int)),
    Sentence("", "hedge of WHO 9", "what is in a hedge", rf"hedge of {_WHO} (\d+)", _of("hedges", int)),
    Sentence("", "stake 3", "the stake", r"stake (\d+)", _put("stake", int)),
    Sentence(
        "",
        "line BBRRBR RBBRBB RRYRYY",
        "the cards on c2, c3, c4, as they lie: the game is in the middle of a round",
        rf"line {_FACES}",
        _set_line,
    ),
    Sentence("", "d2 shows BBBRBR", "another card that lies", rf"{_CELL} shows {_FACE}", _set_card),
    Sentence("", "hand of WHO BBBRBR YBYBBY", "a hand", rf"hand of {_WHO} {_FACES}", _of("hands", _faces)),
    Sentence("", "next YBBYYY RRRRRR", "the top of the deck", rf"next {_FACES}", _put("next", _faces)),
    Sentence("", "deck left 7", "how many cards the deck has left", r"deck left (\d+)", _put("left", int)),
    Sentence("", "before: WHO 3", "who was before, and what matched", rf"before: {_WHO} (\d)", _set_last),
    Sentence(
        "", "mover WHO", "whose turn it is; else the dealer's", rf"mover {_WHO}", _put("mover", str.lower)
    ),
    Sentence(
        "",
        "phase hedge",
        "what is done now: line, stake, hedge, place; usually place",
        r"phase (line|stake|hedge|place)",
        _put("phase"),
    ),
    Sentence("", "sensors", "the board sees cards", "sensors", lambda case: setattr(case, "sensors", True)),
    Sentence(
        "", "no hints", "the setting `hint = false`", "no hints", lambda case: setattr(case, "hint", False)
    ),
)
_ACTS: Final = (
    Sentence("DO", "WHO shuffles", "and lays the line", rf"{_WHO} shuffles", _word("shuffle")),
    Sentence(
        "DO",
        "WHO lays the line in another way",
        "the next arrangement of the same cards",
        rf"{_WHO} lays the line in another way",
        _word("another"),
    ),
    Sentence("DO", "WHO deals", "three cards each", rf"{_WHO} deals", _word("deal")),
    Sentence("DO", "WHO stakes 3", "the stake of the game", rf"{_WHO} stakes (\d+)", _chips("stake")),
    Sentence("DO", "WHO hedges 9", "chips from stock to hedge", rf"{_WHO} hedges (\d+)", _chips("hedge")),
    Sentence(
        "DO",
        "WHO lays BBBRBR on d2",
        "a card of the hand, as it then lies",
        rf"{_WHO} lays {_FACE} on {_CELL}",
        _lays,
    ),
    Sentence("DO", "WHO shows BBBRBR", "announces a card", rf"{_WHO} shows {_FACE}", _with_card("announce")),
    Sentence("DO", "WHO keeps it", "the announced card, after all", rf"{_WHO} keeps it", _word("keep")),
    Sentence(
        "DO",
        "WHO throws BBBRBR away",
        "because no card fits",
        rf"{_WHO} throws {_FACE} away",
        _with_card("discard"),
    ),
    Sentence(
        "DO", "WHO pays from stock", "which is only ever refused", rf"{_WHO} pays from stock", _word("pay")
    ),
    Sentence("DO", "WHO leaves", "for good", rf"{_WHO} leaves", _word("leave")),
    Sentence(
        "DO",
        "WHO answers back",
        "back or wrong, when a card moved without a word",
        rf"{_WHO} answers (back|wrong)",
        _answers,
    ),
    Sentence(
        "DO",
        "WHO answers BBBRBR on d2",
        "that this card is being laid",
        rf"{_WHO} answers {_FACE} on {_CELL}",
        _answers_card,
    ),
)
_EVENTS: Final = (
    Sentence(
        "DO",
        "hand lifts c1",
        "the Hall of a cell says that it is empty",
        r"hand lifts ([a-e][1-5])",
        _hall(present=False),
    ),
    Sentence(
        "DO",
        "hand puts c1",
        "the Hall of a cell says that it is taken",
        r"hand puts ([a-e][1-5])",
        _hall(present=True),
    ),
    Sentence("DO", "board off", "the switch; `board on`", r"board (on|off)", _switch),
)
_EXPECTED: Final = (
    Sentence("EXPECT", "d2 shows BBBRBR", "a card as it lies", rf"{_CELL} shows {_FACE}", _shows),
    Sentence("EXPECT", "cards on c2 c3 c4", "exactly these cells are taken", rf"cards on {_CELLS}", _lie),
    Sentence("EXPECT", "matched 2", "edges of the last card", r"matched (\d)", _matched),
    Sentence("EXPECT", "stock of WHO 24", "chips", rf"stock of {_WHO} (\d+)", _of_all("stocks")),
    Sentence("EXPECT", "hedge of WHO 6", "chips", rf"hedge of {_WHO} (\d+)", _of_all("hedges")),
    Sentence("EXPECT", "chips in all 60", "stocks and hedges", r"chips in all (\d+)", _all_chips),
    Sentence(
        "EXPECT",
        "hand of WHO BBBRBR YBYBBY",
        "exactly these, however turned",
        rf"hand of {_WHO} {_FACES}",
        _holds,
    ),
    Sentence("EXPECT", "WHO holds 3 cards", "how many", rf"{_WHO} holds (\d) cards?", _holds_so_many),
    Sentence("EXPECT", "deck of 37", "cards left in the deck", r"deck of (\d+)", _counts("deck")),
    Sentence("EXPECT", "thrown away 3", "cards out of the game", r"thrown away (\d+)", _counts("discards")),
    Sentence("EXPECT", "turn of WHO", "whose turn it is", rf"turn of {_WHO}", _turn),
    Sentence("EXPECT", "phase place", "what is done now", r"phase (\w+)", _is_at("phase", str)),
    Sentence("EXPECT", "round 2", "which round it is", r"round (\d+)", _is_at("round", int)),
    Sentence("EXPECT", "winner WHO", "the game is over and won", rf"winner {_WHO}", _winner),
    Sentence("EXPECT", "nobody wins", "the game is over", "nobody wins", _nobody_wins),
    Sentence("EXPECT", "game goes on", "it is not over", "game goes on", _goes_on),
    Sentence("EXPECT", "WHO is out", "of this game", rf"{_WHO} is out", _out),
    Sentence(
        "EXPECT",
        "RRRRRR goes on b3 d3",
        "exactly the cells where the mover may lay a card, or none",
        rf"{_FACE} goes on {_CELLS}",
        _fits_on,
    ),
    Sentence(
        "EXPECT",
        "lamps glow on b3 d3",
        "cells of an announced card, or none",
        rf"lamps glow on {_CELLS}",
        _glow,
    ),
    Sentence(
        "EXPECT", "Hoxla of Y on a1 b1 b2", "symbol and cells", rf"Hoxla of ([RBY]) on {_CELLS}", _hoxla
    ),
    Sentence(
        "EXPECT",
        "line BBRRBR RBBRBB RRYRYY is sound",
        "it may be an opening line as it lies",
        rf"line {_FACES} is sound",
        _line_is(sound=True),
    ),
    Sentence(
        "EXPECT",
        "line BBRRRB RRBRBB RRYRYY is not sound",
        "it may not",
        rf"line {_FACES} is not sound",
        _line_is(sound=False),
    ),
    Sentence(
        "EXPECT",
        "deck d46 of 45 cards is refused",
        "a file with the cards of a deck, but so many",
        rf"deck ({'|'.join(DECKS)}) of (\d+) cards is refused",
        _refused_deck,
    ),
    Sentence(
        "EXPECT",
        "deck d46 with RBYRBY is refused",
        "in the place of its last card",
        rf"deck ({'|'.join(DECKS)}) with {_FACE} is refused",
        _refused_card,
    ),
    Sentence(
        "EXPECT",
        "deck d46 with a fourth single is refused",
        "in the place of its last card",
        rf"deck ({'|'.join(DECKS)}) with a fourth single is refused",
        _refused_singles,
    ),
    Sentence(
        "EXPECT",
        "nothing hidden is public",
        "with other cards in hands and deck everybody sees the same, lamps included",
        "nothing hidden is public",
        _secret,
    ),
    Sentence("EXPECT", "WHO is asked", "what happens on the board", rf"{_WHO} is asked", _asked),
    Sentence("EXPECT", "nobody is asked", "no question is open", "nobody is asked", _unasked),
    Sentence("EXPECT", "to put c3", "where hands should lay a card, or none", rf"to put {_CELLS}", _to_put),
    Sentence("EXPECT", "to lift c3", "what hands should take, or none", rf"to lift {_CELLS}", _to_lift),
    Sentence("EXPECT", 'said "text"', "something with these words was told", r'said "(.+)"', _told),
    Sentence(
        "EXPECT", 'WHO is told "text"', "privately, on top of the phone", rf'{_WHO} is told "(.+)"', _hints
    ),
)
LANGUAGE: Final = Language(
    case=Case,
    problems=problems,
    table=Table,
    set_up=_SETUP,
    acts=_ACTS,
    events=_EVENTS,
    expected=_EXPECTED,
)
SENTENCES: Final = LANGUAGE.sentences
read, play, count, run_file = LANGUAGE.read, LANGUAGE.play, LANGUAGE.count, LANGUAGE.run_file

"""Text scenarios of Hex'el: cards, chips and hands as text, with what must come of them.

A file begins with ``game hexel``. It goes through the same ``step`` as a real game; the language is described
in docs/hexel.md, whose table is made from :data:`LANGUAGE`.
"""

from collections.abc import Callable
from typing import Any, Final

from hextraction.controller.games.hexagon import sentences as shared
from hextraction.controller.games.hexagon.sentences import act, any_of, listed
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
from hextraction.controller.games.hexel.views import Detail
from hextraction.controller.games.sentences import Found, Language, Sentence, Unmet, Word, same
from hextraction.settings import Document, SettingsError
from msgspec.structs import replace

__all__ = ["LANGUAGE", "count", "run_file"]

# --- words ---

_FACE: Final = "[RBY]{6}"
_PLACE: Final = r"(?:[a-e][1-5]|-?\d{1,2},-?\d{1,2})"
_WORDS: Final = {
    **shared.WORDS,
    **shared.seats("Red", "Blue", "Green", "Yellow", "Violet", "White"),
    "PLACE": Word(_PLACE),
    "PLACES": Word(rf"none|{_PLACE}(?: {_PLACE})*", lambda text: set(text.split()) - {"none"}),
    "FACE": Word(_FACE),
    "FACES": Word(listed(_FACE), lambda text: text.replace(",", " ").split()),
    "DECK": Word(any_of(DECKS)),
    "SYMBOL": Word("[RBY]"),
}


def _number(table: Table, who: str) -> int:
    found = table.state.number(who)
    if found is None:
        raise Unmet(f"{who.capitalize()} does not play")
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


def _into(name: str, word: str) -> Callable[..., None]:
    """Return what sets one value of a case."""
    return lambda case, **said: setattr(case, name, said[word])


def _of(name: str, word: str) -> Callable[..., None]:
    """Return what sets a value of one player."""
    return lambda case, who, **said: getattr(case, name).__setitem__(who, said[word])


def _all_stocks(case: Case, n: int) -> None:
    case.stocks = dict.fromkeys(case.players, n)


def _set_line(case: Case, faces: list[str]) -> None:
    if len(faces) != DEALT:
        raise ValueError(f"a line has {DEALT} cards, found {len(faces)}")
    case.laid |= dict(zip(("c2", "c3", "c4"), faces, strict=True))


def _set_card(case: Case, place: str, face: str) -> None:
    case.laid[place] = face


_SETUP: Final = (
    shared.BOARD,
    Sentence(
        "players PLAYERS",
        "one to six of Red, Blue, Green, Yellow, Violet, White; usually Red Blue",
        _into("players", "players"),
    ),
    Sentence("deck left N", "how many cards the deck has left", _into("left", "n")),
    Sentence("deck DECK", "which deck", _into("deck", "deck")),
    Sentence("extra FACES", "cards that this deck has besides", lambda case, faces: case.extra.extend(faces)),
    Sentence("field slots19|open", "the setting `field`", _into("bounds", "word")),
    Sentence("dealer WHO", "who deals; else Red", _into("dealer", "who")),
    Sentence("stocks N", "what everybody has in chips", _all_stocks),
    Sentence("stock of WHO N", "what one has", _of("stocks", "n")),
    Sentence("hedge of WHO N", "what is in a hedge", _of("hedges", "n")),
    Sentence("stake N", "the stake", _into("stake", "n")),
    Sentence(
        "line FACES",
        "the cards on c2, c3, c4, as they lie (`BBRRBR RBBRBB RRYRYY`): the game is in the middle of a round",
        _set_line,
    ),
    Sentence("PLACE shows FACE", "another card that lies", _set_card),
    Sentence("hand of WHO FACES", "a hand", _of("hands", "faces")),
    Sentence("next FACES", "the top of the deck", _into("next", "faces")),
    Sentence(
        "before: WHO N",
        "who was before, and what matched",
        lambda case, who, n: setattr(case, "last", (who, n)),
    ),
    Sentence("mover WHO", "whose turn it is; else the dealer's", _into("mover", "who")),
    Sentence("phase line|stake|hedge|place", "what is done now; usually place", _into("phase", "word")),
    Sentence("sensors", "the board sees cards", lambda case: setattr(case, "sensors", True)),
    Sentence("no hints", "the setting `hint = false`", lambda case: setattr(case, "hint", False)),
)

# --- acts ---


def _lays(table: Table, who: str, face: str, place: str) -> dict[str, Any]:
    card, turns = _card(table, who, face)
    return {"do": "place", "card": card, "to": place, "turns": turns}


def _with_card(do: str) -> Callable[[Table, str, str], dict[str, Any]]:
    return lambda table, who, face: {"do": do, "card": _card(table, who, face)[0]}


def _answers_card(table: Table, who: str, face: str, place: str) -> dict[str, Any]:
    card, turns = _card(table, who, face)
    return shared.answer(table, who, f"place {card} {place} {turns}")


_ACTS: Final = (
    Sentence("WHO shuffles", "and lays the line", act("shuffle")),
    Sentence("WHO lays the line in another way", "the next arrangement of the same cards", act("another")),
    Sentence("WHO deals", "three cards each", act("deal")),
    Sentence("WHO stakes N", "the stake of the game", act("stake", chips="n")),
    Sentence("WHO hedges N", "chips from stock to hedge", act("hedge", chips="n")),
    Sentence("WHO lays FACE on PLACE", "a card of the hand, as it then lies", _lays),
    Sentence("WHO shows FACE", "announces a card", _with_card("announce")),
    Sentence("WHO keeps it", "the announced card, after all", act("keep")),
    Sentence("WHO throws FACE away", "because no card fits", _with_card("discard")),
    Sentence("WHO pays from stock", "which is only ever refused", act("pay")),
    Sentence("WHO leaves", "for good", act("leave")),
    Sentence(
        "WHO answers back|wrong",
        "when a card moved without a word",
        shared.answer,
    ),
    Sentence("WHO answers FACE on PLACE", "that this card is being laid", _answers_card),
)

# --- expectations ---


def _shows(table: Table, place: str, face: str) -> Found:
    there = {name_of(at): symbols for at, symbols in game.symbols(table.state.position).items()}
    return same(there.get(place), face)


def _lie(table: Table, places: set[str]) -> Found:
    return same({name_of(one.cell) for one in table.state.position.laid}, places)


def _of_all(name: str) -> Callable[[Table, str, int], Found]:
    return lambda table, who, n: same(getattr(table.state.position, name)[_number(table, who)], n)


def _all_chips(table: Table, n: int) -> Found:
    return same(sum(table.state.position.stocks) + sum(table.state.position.hedges), n)


def _holds(table: Table, who: str, faces: list[str]) -> Found:
    return same(_hand_of(table, who), sorted(least(face) for face in faces))


def _is_at(name: str, word: str) -> Callable[..., Found]:
    return lambda table, **said: same(getattr(table.state.position, name), said[word])


def _counts(name: str) -> Callable[[Table, int], Found]:
    return lambda table, n: same(len(getattr(table.state.position, name)), n)


def _out(table: Table, who: str) -> Found:
    out = table.state.players[_number(table, who)].out
    return out, str(out)


def _nobody_wins(table: Table) -> Found:
    return same((table.state.over, table.game.scene(table.state).winners), (True, ()))


def _fits_on(table: Table, face: str, places: set[str]) -> Found:
    position = table.state.position
    found = [one for one in game.affordable(position) if least(position.faces[one.card - 1]) == least(face)]
    return same({name_of(one.fit.cell) for one in found}, places)


def _hoxla(table: Table, symbol: str, places: set[str]) -> Found:
    detail = _detail(table)
    return same((detail.hoxla, set(detail.meet)), (symbol, {table.slot(one) for one in places}))


def _line_is(*, sound: bool) -> Callable[[Table, list[str]], Found]:
    def look(_table: Table, faces: list[str]) -> Found:
        ways = lines(faces)
        return same(
            any([turned(faces[which], turns) for which, turns in way] == faces for way in ways), sound
        )

    return look


def _refused_deck(_table: Table, deck: str, n: int) -> Found:
    known = deck_named(deck).faces
    return _deck_refused(deck, [known[at % len(known)] for at in range(n)], f"want {len(known)} cards")


def _refused_card(_table: Table, deck: str, face: str) -> Found:
    return _deck_refused(deck, [*deck_named(deck).faces[:-1], face], "found three")


def _refused_singles(_table: Table, deck: str) -> Found:
    return _deck_refused(deck, [*deck_named(deck).faces[:-1], "RRRRRR"], "exactly 3 cards")


def _deck_refused(name: str, faces: list[str], wanted: str) -> Found:
    values = {"deck": {"name": name, "cards": len(faces), "faces": faces}}
    try:
        deck_from(Document(values, f"{name}.toml"), name)
    except SettingsError as error:
        return wanted in str(error), str(error)
    return False, "it is read"


def _secret(table: Table) -> Found:
    """Whatever is in hands and deck, everybody sees the same: it is tried with all of them changed."""
    position = table.state.position
    hidden = [*position.deck, *(card for hand in position.hands for card in hand)]
    hidden = hidden[7:] + hidden[:7]
    deck, rest = hidden[: len(position.deck)], iter(hidden[len(position.deck) :])
    hands = tuple(tuple(next(rest) for _card in hand) for hand in position.hands)
    other = replace(table.state, position=replace(position, deck=tuple(deck), hands=hands))
    if other == table.state:
        raise Unmet("nothing is hidden")
    seen, instead = table.game.scene(table.state), table.game.scene(other)
    return same((instead, table.game.lamps(instead)), (seen, table.game.lamps(seen)))


def _hints(table: Table, who: str, text: str) -> Found:
    headline = table.game.private(table.state, who).headline
    return text in headline, headline or "no hint"


_EXPECTED: Final = (
    Sentence("PLACE shows FACE", "a card as it lies", _shows),
    Sentence("cards on PLACES", "exactly these cells are taken", _lie),
    Sentence(
        "matched N", "edges of the last card", lambda table, n: same(table.state.position.laid[-1].matched, n)
    ),
    Sentence("stock of WHO N", "chips", _of_all("stocks")),
    Sentence("hedge of WHO N", "chips", _of_all("hedges")),
    Sentence("chips in all N", "stocks and hedges", _all_chips),
    Sentence("hand of WHO FACES", "exactly these, however turned", _holds),
    Sentence("WHO holds N cards", "how many", lambda table, who, n: same(len(_hand_of(table, who)), n)),
    Sentence("deck of N", "cards left in the deck", _counts("deck")),
    Sentence("thrown away N", "cards out of the game", _counts("discards")),
    Sentence("phase KIND", "what is done now", _is_at("phase", "kind")),
    Sentence("round N", "which round it is", _is_at("round", "n")),
    Sentence(
        "winner WHO",
        "the game is over and won",
        lambda table, who: same(table.game.scene(table.state).winners, (who,)),
    ),
    Sentence("nobody wins", "the game is over", _nobody_wins),
    Sentence(
        "WHO is out",
        "of this game",
        _out,
    ),
    Sentence("FACE goes on PLACES", "exactly the cells where the mover may lay a card, or none", _fits_on),
    Sentence(
        "lamps glow on PLACES",
        "cells of an announced card, or none",
        lambda table, places: same(set(_detail(table).targets), places),
    ),
    Sentence("Hoxla of SYMBOL on PLACES", "symbol and cells", _hoxla),
    Sentence("line FACES is sound", "it may be an opening line as it lies", _line_is(sound=True)),
    Sentence("line FACES is not sound", "it may not", _line_is(sound=False)),
    Sentence(
        "deck DECK of N cards is refused", "a file with the cards of a deck, but so many", _refused_deck
    ),
    Sentence("deck DECK with FACE is refused", "in the place of its last card", _refused_card),
    Sentence("deck DECK with a fourth single is refused", "in the place of its last card", _refused_singles),
    Sentence(
        "nothing hidden is public",
        "with other cards in hands and deck everybody sees the same, lamps included",
        _secret,
    ),
    Sentence("WHO is told TEXT", "privately, on top of the phone", _hints),
    Sentence(
        "WHO is asked",
        "what happens on the board",
        lambda table, who: same([one.kind for one in table.prompts(who)], ["board"]),
    ),
    *shared.HANDS,
    *shared.EXPECTED,
)
LANGUAGE: Final = Language(
    words=_WORDS,
    case=Case,
    problems=problems,
    table=Table,
    set_up=_SETUP,
    acts=_ACTS,
    events=shared.EVENTS,
    expected=_EXPECTED,
)
count, run_file = LANGUAGE.count, LANGUAGE.run_file

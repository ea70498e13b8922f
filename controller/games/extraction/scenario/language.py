"""Text scenarios of Extraction: positions and acts as text, with what must come of them.

A file begins with ``game extraction``. It goes through the same ``step`` as a real game; the language is
described in docs/extraction.md, whose table is made from :data:`LANGUAGE`.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from hextraction.board.profile import load_board
from hextraction.controller.games.extraction.game import Extraction
from hextraction.controller.games.extraction.land.corners import CORNER_NAMES, EDGE_NAMES
from hextraction.controller.games.extraction.scenario.case import SET_UP, Case, Table, problems
from hextraction.controller.games.extraction.scenario.seen import EXPECTED
from hextraction.controller.games.hexagon import sentences as shared
from hextraction.controller.games.hexagon.sentences import act, any_of, hall, listed
from hextraction.controller.games.protocol import Woke
from hextraction.controller.games.sentences import Language, Sentence, Word

__all__ = ["LANGUAGE", "count", "run_file"]

# --- words ---

_GOOD: Final = "(?:wood|brick|wool|grain|ore)"
_BUNDLE: Final = "nothing|" + listed(rf"\d+ {_GOOD}")
_CARD: Final = "(?:knight|point|roads|plenty|monopoly)"


def _names(text: str) -> list[str]:
    return [] if text == "none" else text.split()


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(one) for one in _names(text))


def _counted(text: str) -> dict[str, int]:
    """Return cards as a scenario writes them: ``2 wood 1 ore``."""
    return {name: int(number) for number, name in re.findall(r"(\d+) (\w+)", text)}


_WORDS: Final = {
    **shared.WORDS,
    **shared.seats("Red", "Blue", "Green", "Yellow"),
    "OWNER": Word("Red|Blue|Green|Yellow|nobody", str.lower),
    "NAME": Word(r"\w+"),
    "VALUE": Word(r"\w+"),
    "TERRAIN": Word(r"\w+(?: \w+){18}", str.split),
    "TOKENS": Word(r"\d", int),
    "CORNER": Word(any_of(CORNER_NAMES)),
    "CORNERS": Word(listed(any_of(CORNER_NAMES)), str.split),
    "EDGE": Word(any_of(EDGE_NAMES)),
    "EDGES": Word(listed(any_of(EDGE_NAMES)), str.split),
    "GOOD": Word(_GOOD),
    "GOODS": Word(_BUNDLE, _counted),
    "PRICE": Word(_BUNDLE, _counted),
    "CARD": Word(_CARD),
    "CARDS": Word(rf"none|{listed(_CARD)}", lambda text: tuple(_names(text))),
    "NUMBERS": Word(r"none|\d+(?: \d+)*", _numbers),
    "STOCK": Word(r"\d \d \d+", _numbers),
    "WHY": Word(r"[\w ]+"),
    "WHERE": Word(".+", _names),
    "CHOICES": Word(r"[\w ]+", lambda text: set(text.split())),
}

# --- what is done ---


def _offers(do: str) -> Any:
    def made(
        _table: Table, goods: Mapping[str, int], price: Mapping[str, int], **said: str
    ) -> dict[str, Any]:
        to = {"to": said["other"]} if "other" in said else {}
        return {"do": do, "give": goods, "want": price, **to}

    return made


_ACTS: Final = (
    Sentence("WHO throws N", "the dice show that together", act("roll", total="n")),
    Sentence("WHO settles at CORNER", "in the set-up or later", act("settlement", at="corner")),
    Sentence("WHO builds a road at EDGE", "in the set-up, at its cost, or by a card", act("road", at="edge")),
    Sentence("WHO builds a city at CORNER", "where a settlement is", act("city", at="corner")),
    Sentence("WHO takes cards for CORNER", "the starting cards of a settlement", act("collect", at="corner")),
    Sentence("WHO lays N on CELL", "a number disc", act("disc", disc="n", at="cell")),
    Sentence("WHO wants the discs dealt", "by chance, if nobody objects", act("deal")),
    Sentence("WHO leaves the set-up to chance", "from now on", act("by_chance")),
    Sentence("WHO picks disc N", "the disc to be laid next", act("pick", disc="n")),
    Sentence("WHO picks CELL", "a hex whose disc is swapped", act("pick", at="cell")),
    Sentence("WHO swaps CELL and TO", "the discs of two hexes", act("swap", at="cell", to="to")),
    Sentence("WHO swaps CELL for N", "its disc with one of the supply", act("swap", at="cell", disc="n")),
    Sentence("WHO buys a card", "the top one", act("buy")),
    Sentence("WHO plays CARD for GOODS", "plenty, and what is taken", act("play", card="card", take="goods")),
    Sentence("WHO plays CARD on KIND", "monopoly, and on what", act("play", card="card", resource="kind")),
    Sentence("WHO plays CARD", "knight, roads", act("play", card="card")),
    Sentence("WHO builds no more roads", "of the two by a card", act("done")),
    Sentence("WHO gives the bank GOODS for PRICE", "a trade with the bank", _offers("bank")),
    Sentence(
        "WHO offers GOODS for PRICE [to OTHER]", "to all who may trade, or to one of them", _offers("offer")
    ),
    Sentence("WHO withdraws", "own offers", act("withdraw")),
    Sentence(
        "WHO attacks CORNER with GOODS",
        "a building, and the stake",
        act("attack", at="corner", stake="goods"),
    ),
    Sentence("WHO ends the turn", "the next one's begins", act("end")),
    Sentence("WHO leaves", "for good", act("leave")),
    Sentence(
        "WHO answers yes|no|back|wrong",
        "what they are asked",
        shared.answer,
    ),
)


def _pass(table: Table, n: int) -> None:
    table.step(Woke(at_us=table.later(n * 1_000_000)))


LANGUAGE: Final = Language(
    words=_WORDS,
    case=Case,
    problems=problems,
    table=lambda case: Table(Extraction(load_board(case.board)), case),
    set_up=SET_UP,
    acts=_ACTS,
    events=(
        Sentence("hand turns over CELL", "the Hall of a cell says so", hall(present=False)),
        Sentence("hand lays CELL", "the Hall of a cell says so", hall(present=True)),
        *shared.EVENTS[2:],
        Sentence("N s pass", "without a word", _pass),
    ),
    expected=EXPECTED,
)
count, run_file = LANGUAGE.count, LANGUAGE.run_file

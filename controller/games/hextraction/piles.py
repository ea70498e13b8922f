"""Tiles that three or more balls touch when the game is stable (2.1.5.5, R-35)."""

from hextraction.board.tiles import Deed
from hextraction.controller.games.hextraction import destroying
from hextraction.controller.games.hextraction.combos import with_mates
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Ask

__all__ = ["answer_pile", "ask_pile", "list_piles"]


def list_piles(move: Move) -> None:
    """List the tiles that make a pile, once in a commit."""
    layout = move.layout()
    counts: dict[int, int] = {}
    for on in move.record().on.values():
        for copy in {layout[slot] for slot in on if slot in layout}:
            counts[copy] = counts.get(copy, 0) + 1
    move.set(piles=tuple(copy for copy, count in counts.items() if count >= _pile_of(move, copy)))
    ask_pile(move)


def _pile_of(move: Move, copy: int) -> float:
    """Return how many balls make a pile on a tile: three, unless an effect of the tile says otherwise."""
    laid = move.laid_copy(copy)
    limits = [
        float("inf") if effect.deed is Deed.NO_PILE else effect.amount
        for effect in move.tile(copy).effects
        if effect.deed in {Deed.NO_PILE, Deed.PILE_LIMIT} and move.enabled(effect, laid)
    ]
    return max(limits, default=3)


def ask_pile(move: Move) -> None:
    """The roller must destroy one tile that balls of a pile touch, pile by pile in an order of choice.

    All that may go are offered at once, so that the choice of a tile is that of the order, too. A pile that
    is left no choice, and whose tile is no matter to another pile, costs that tile without a question.
    """
    while choices := _choices(move):
        move.set(piles=tuple(choices))
        pile = next((one for one in choices if _no_matter(move, one, choices)), None)
        if pile is None:
            _ask(move, choices)
            return
        _cost(move, pile, choices[pile][0])
    move.set(piles=())


def _choices(move: Move) -> dict[int, list[int]]:
    """Return the tiles that each listed pile may cost; a pile whose tile is gone is skipped."""
    layout = move.layout()
    found = {}
    for pile in move.state.piles:
        touched = [[layout[slot] for slot in on if slot in layout] for on in move.record().on.values()]
        copies = dict.fromkeys(copy for on in touched if pile in on for copy in on)
        if move.laid_copy(pile) is not None and copies:
            found[pile] = list(copies)
    return found


def _no_matter(move: Move, pile: int, choices: dict[int, list[int]]) -> bool:
    if len(choices[pile]) > 1:
        return False
    others = {copy for other, copies in choices.items() if other != pile for copy in copies}
    return others.isdisjoint(with_mates(move, tuple(choices[pile])))


def _ask(move: Move, choices: dict[int, list[int]]) -> None:
    roller = move.state.roll.roller if move.state.roll is not None else move.state.active
    copies = dict.fromkeys(copy for touched in choices.values() for copy in touched)
    places = [(laid.slots[0], laid.copy) for copy in copies if (laid := move.laid_copy(copy)) is not None]
    names = " and on ".join(move.title(pile) for pile in choices)
    move.ask("pile", roller, f"Three balls are on {names}. Destroy which tile?", "2.1.5.5",
             [(slot, f"{move.title(copy)} at {slot}") for slot, copy in places],
             slots=tuple(slot for slot, _copy in places))  # fmt: skip


def answer_pile(move: Move, _ask: Ask, choice: str) -> None:
    """The roller has chosen a tile: it settles a pile whose balls touch it.

    A tile that makes a pile itself settles another one first, for then its own is gone as well.
    """
    laid, choices = move.laid_at(choice), _choices(move)
    if laid is not None:
        settled = [pile for pile, copies in choices.items() if laid.copy in copies]
        settled.sort(key=lambda pile: pile == laid.copy)
        if settled:
            _cost(move, settled[0], laid.copy)
    ask_pile(move)


def _cost(move: Move, pile: int, copy: int) -> None:
    move.set(piles=tuple(other for other in move.state.piles if other != pile))
    destroying.destroy(move, copy, clause="2.1.5.5")

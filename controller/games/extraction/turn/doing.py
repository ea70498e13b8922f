"""What somebody does: which places and cards they name, what they throw and pay, and what is told of it."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from hextraction.controller.games.extraction.land.corners import CORNER_NAMES, EDGE_NAMES
from hextraction.controller.games.extraction.land.goods import Bundle, bundle, covers, less, more, words
from hextraction.controller.games.extraction.land.state import Act, State
from hextraction.controller.games.extraction.turn.kinds import Kind
from hextraction.controller.games.hexagon.acts import Refusal
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.protocol import Effect, Said
from msgspec.structs import replace

__all__ = [
    "US",
    "Doing",
    "a_cell",
    "a_corner",
    "an_edge",
    "cards_of",
    "given",
    "paid",
    "tell",
    "thrown",
    "with_player",
]

US: Final = 1_000_000
"""Microseconds of a second."""


class Doing(NamedTuple):
    """What somebody does, for whoever carries it out.

    Attributes:
        field: where the hexes lie on the board.
        who: the player's number.
        act: what they do.
        chance: a random number from outside, for dice.
        said: what is told of it; it grows.
    """

    field: Field
    who: int
    act: Act
    chance: int
    said: list[Effect]


def tell(said: list[Effect], kind: Kind, text: str, section: str, **more_of_it: Any) -> None:
    """Tell everybody."""
    said.append(Said(kind=kind, text=text, clause=section, **more_of_it))


def thrown(state: State, doing: Doing, dice: int = 2) -> tuple[int, ...]:
    """Return a throw: of the phone's dice, by chance, or what real ones show in sum.

    Raises:
        Refusal: real dice cannot show that.
    """
    if not state.setup.real_dice:
        return tuple(1 + doing.chance // 6**die % 6 for die in range(dice))
    if not dice <= doing.act.total <= 6 * dice:
        raise Refusal(f"Say what the dice show together: {dice} to {6 * dice}.", "1.4")
    return (doing.act.total,)


# --- what is named ---


def a_corner(name: str) -> int:
    """Return an intersection by any of its names; a Refusal if there is none of that name."""
    return _known(CORNER_NAMES, name, f"There is no intersection {name!r}; they are named as c3.12.")


def an_edge(name: str) -> int:
    """Return an edge by either of its names; a Refusal if there is none of that name."""
    return _known(EDGE_NAMES, name, f"There is no edge {name!r}; they are named as c3:2.")


def a_cell(name: str) -> int:
    """Return a cell by its name; a Refusal if there is none of that name."""
    return _known(_CELL_NAMES, name, f"There is no hex {name!r}; they are a1 to e3.")


_CELL_NAMES: Final = {cell: number for number, cell in enumerate(CELLS)}


def _known(numbers: Mapping[str, int], name: str, unknown: str) -> int:
    if name not in numbers:
        raise Refusal(unknown, "1.1")
    return numbers[name]


def cards_of(counts: dict[str, int]) -> Bundle:
    """Return a bundle that somebody named.

    Raises:
        Refusal: it cannot be.
    """
    try:
        return bundle(counts)
    except ValueError as error:
        raise Refusal(f"{str(error)[:1].upper()}{str(error)[1:]}.", "1.4") from None


# --- players and cards ---


def with_player(state: State, number: int, **changed: Any) -> State:
    """Return the state with something about a player changed."""
    players = list(state.players)
    players[number] = replace(players[number], **changed)
    return replace(state, players=tuple(players))


def given(state: State, number: int, cards: Bundle) -> State:
    """Return the state after a player took these cards from the bank."""
    state = with_player(state, number, hand=more(state.players[number].hand, cards))
    return replace(state, bank=less(state.bank, cards))


def paid(state: State, number: int, cost: Bundle) -> State:
    """Return the state after a player gave these cards to the bank.

    Raises:
        Refusal: they do not have them.
    """
    hand = state.players[number].hand
    if not covers(hand, cost):
        raise Refusal(f"That costs {words(cost)}. You do not have that.", "1.4")
    state = with_player(state, number, hand=less(hand, cost))
    return replace(state, bank=more(state.bank, cost))

"""How a game stands, read from its state alone: who is in, who throws, whom it waits for, and the points."""

from typing import Final

from hextraction.controller.games.extraction.land.goods import CITY, DESERT, NOBODY, owner
from hextraction.controller.games.extraction.land.state import State
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.hexagon.telling import sentence

__all__ = [
    "BONUS",
    "PLACING",
    "board_question",
    "buildings_points",
    "hands_todo",
    "in_game",
    "lies",
    "must_answer",
    "points",
    "table_question",
    "thrower",
]

BONUS: Final = 2
"""Points of each bonus tile."""
PLACING: Final = frozenset({"settlement", "road", "collect", "discs"})
"""The phases of the set-up in which players choose, so that chance may do it for them."""


# --- players and points ---


def in_game(state: State) -> list[int]:
    """Return the players who are not out."""
    return [number for number, one in enumerate(state.players) if not one.out]


def thrower(state: State) -> int:
    """Return who throws dice now, or :data:`NOBODY`. For a defender who has left the attacker throws."""
    match state.phase:
        case "first":
            return next((one for one in state.rivals if not state.throws[one]), NOBODY)
        case "before":
            return state.mover
        case "attack" if state.attack is not None:
            defender = owner(state.buildings[state.attack.at])
            thrown_already = bool(state.attack.thrown) and not state.players[defender].left
            return defender if thrown_already else state.attack.by
    return NOBODY


def buildings_points(state: State, number: int) -> int:
    """Return the points that everybody sees: buildings and bonus tiles."""
    seen = state.buildings.count(number) + 2 * state.buildings.count(number + CITY)
    return seen + BONUS * ((state.route == number) + (state.army == number))


def points(state: State, number: int) -> int:
    """Return all points of a player, with those of cards that are only shown at the end (1.6)."""
    return buildings_points(state, number) + sum(
        card == "point" for card, _turn in state.players[number].cards
    )


# --- hexes as they lie on the board ---


def lies(field: Field, state: State) -> tuple[str, ...]:
    """Return the slots whose hexes lie with their resource up: a sensor sees these (1.8)."""
    return tuple(
        field.slots[cell]
        for cell, one in zip(CELLS, state.hexes, strict=True)
        if one.resource != DESERT and not one.depleted
    )


def hands_todo(field: Field, state: State) -> str:
    """Return what hands have to do at the board before the game goes on, as a sentence (1.8)."""
    turn, lay = state.watch.todo(lies(field, state))
    parts = [f"turn over the hex on {', '.join(turn)}"] * bool(turn)
    if lay:
        parts.append(
            "lay the hexes as the phones show them" if len(lay) > 3 else f"lay the hex on {', '.join(lay)}"
        )
    return sentence(parts)


# --- questions ---


def table_question(state: State) -> str:
    """Return the name of the question that the table is asked (:class:`Ask`); empty if it is asked none."""
    return f"{state.ask.kind}-{state.ask.number}" if state.ask is not None else ""


def board_question(field: Field, state: State) -> str:
    """Return the name of the question about hexes that were moved without a word; empty if there is none."""
    if state.over or state.ask is not None or not state.power:
        return ""
    return state.watch.question(lies(field, state))


def must_answer(state: State) -> tuple[int, ...]:
    """Return the players whose answer is awaited: to what the table is asked, or to an offer.

    Who is kept in is for all the others to say; whether the game is over for those who are in; whether chance
    lays the discs for those who lay theirs themselves.
    """
    if state.ask is not None and state.ask.kind == "end":
        return tuple(number for number in in_game(state) if number not in state.ask.agreed)
    if state.ask is not None:
        said = {state.ask.about, *state.ask.agreed, *(state.by_chance if state.ask.kind == "deal" else ())}
        return tuple(
            number for number, one in enumerate(state.players) if not one.left and number not in said
        )
    return tuple(dict.fromkeys(player for one in state.offers for player in one.waits))

"""What scenarios of Extraction look at: each sentence compares a table with what it expects."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from hextraction.controller.games.extraction.land import places
from hextraction.controller.games.extraction.land.corners import (
    CORNER_NAMES,
    EDGE_NAMES,
    corner_place,
    edge_place,
)
from hextraction.controller.games.extraction.land.goods import CITY, NOBODY, RESOURCES, owner
from hextraction.controller.games.extraction.land.standing import points
from hextraction.controller.games.extraction.scenario.case import Table, bundle
from hextraction.controller.games.hexagon import sentences as shared
from hextraction.controller.games.sentences import Found, Sentence, same

__all__ = ["EXPECTED"]


def _holds(table: Table, who: str, cards: list[str]) -> Found:
    return same(sorted(card for card, _turn in table.player(who).cards), sorted(cards))


def _bank_has(table: Table, goods: Mapping[str, int]) -> Found:
    found = dict(zip(RESOURCES, table.state.bank, strict=True))
    return same({name: found[name] for name in goods}, dict(goods))


def _used_up(table: Table, cell: str) -> Found:
    found = table.hex(cell)
    return same((found.depleted, found.disc), (True, 0))


def _building(table: Table, corner: str, word: str, who: str) -> Found:
    found = table.state.buildings[CORNER_NAMES[corner]]
    name = table.state.players[owner(found)].name if found != NOBODY else "nobody"
    is_there = f"a {'city' if found >= CITY else 'settlement'} of {name}"
    return same(is_there, f"a {word} of {who.capitalize()}")


def _stock(table: Table, who: str, stock: tuple[int, ...]) -> Found:
    return same(places.stock(table.state.buildings, table.state.roads, table.state.number(who)), stock)


def _route(table: Table, who: str, n: int) -> Found:
    return same(places.longest(table.state.buildings, table.state.roads, table.state.number(who)), n)


def _offered(table: Table, who: str, kind: str) -> Found:
    found = sorted({str(one.act["do"]) for one in table.options(who)})
    return kind in found, f"only {', '.join(found) or 'nothing'}"


def _not_offered(table: Table, who: str, kind: str) -> Found:
    found = [one.label for one in table.options(who) if one.act["do"] == kind]
    return not found, "; ".join(found)


def _offered_at(table: Table, kind: str, who: str, where: list[str]) -> Found:
    found = {one.slot for one in table.options(who) if one.act["do"] == kind and one.slot}
    return same(found, {_place(table, name) for name in where})


def _place(table: Table, name: str) -> str:
    slots = table.game.field.slots
    if name in CORNER_NAMES:
        return corner_place(CORNER_NAMES[name], slots)
    return edge_place(EDGE_NAMES[name], slots) if name in EDGE_NAMES else slots.get(name, name)


def _may_answer(table: Table, who: str, choices: set[str]) -> Found:
    found = {str(one.act["choice"]) for prompt in table.prompts(who) for one in prompt.options}
    return same(found, choices)


def _unseen(table: Table, text: str) -> Found:
    others = [one.seat for one in table.state.players if one.seat != table.state.active.seat]
    shown = [table.game.scene(table.state), *(table.game.private(table.state, seat) for seat in others)]
    found = [type(one).__name__ for one in shown if text in msgspec.json.encode(one).decode()]
    return not found, f"it in {', '.join(found)}"


def _holder(name: str) -> Callable[[Table, str], Found]:
    """Return what looks who holds one of the two tiles."""
    return lambda table, owner: same(getattr(table.state, name), table.state.number(owner))


EXPECTED: Final = (
    Sentence(
        "hand of WHO GOODS",
        "exactly, or nothing",
        lambda table, who, goods: same(table.player(who).hand, bundle(goods)),
    ),
    Sentence("cards of WHO CARDS", "development cards in hand, or none", _holds),
    Sentence("bank GOODS", "so many of these are in the bank", _bank_has),
    Sentence(
        "deck of N",
        "so many development cards are left",
        lambda table, n: same(len(table.state.deck), n),
    ),
    Sentence("CELL has N tokens", "on a hex", lambda table, cell, n: same(table.hex(cell).tokens, n)),
    Sentence("CELL has disc N", "on a hex", lambda table, cell, n: same(table.hex(cell).disc, n)),
    Sentence("CELL is used up", "and has no disc", _used_up),
    Sentence(
        "supply NUMBERS",
        "exactly these discs, or none",
        lambda table, numbers: same(table.state.supply, tuple(sorted(numbers))),
    ),
    Sentence(
        "N tokens",
        "on all hexes",
        lambda table, n: same(sum(one.tokens for one in table.state.hexes), n),
    ),
    Sentence(
        "N discs",
        "on all hexes",
        lambda table, n: same(sum(one.disc > 0 for one in table.state.hexes), n),
    ),
    Sentence("CORNER is a city|settlement of WHO", "a building", _building),
    Sentence(
        "CORNER is empty",
        "no building there",
        lambda table, corner: same(table.state.buildings[CORNER_NAMES[corner]], NOBODY),
    ),
    Sentence(
        "EDGE is a road of WHO",
        "",
        lambda table, edge, who: same(table.state.roads[EDGE_NAMES[edge]], table.state.number(who)),
    ),
    Sentence("stock of WHO STOCK", "settlements, cities, roads not on the board (`5 4 15`)", _stock),
    Sentence(
        "points of WHO N",
        "with hidden points",
        lambda table, who, n: same(points(table.state, table.state.number(who)), n),
    ),
    Sentence("longest route OWNER", "who holds it, or nobody", _holder("route")),
    Sentence("route of WHO N", "how long it is", _route),
    Sentence("largest army OWNER", "who holds it, or nobody", _holder("army")),
    Sentence(
        "knights of WHO N", "that were played", lambda table, who, n: same(table.player(who).knights, n)
    ),
    Sentence(
        "phase KIND",
        "first, settlement, road, collect, discs, before, swap, roads, act, attack",
        lambda table, kind: same(table.state.phase, kind),
    ),
    Sentence(
        "WHO is out|in",
        "of this game",
        lambda table, who, word: same("out" if table.player(who).out else "in", word),
    ),
    Sentence(
        "winners PLAYERS",
        "the game is over; one or several",
        lambda table, players: same(set(table.state.winners), set(players)),
    ),
    Sentence("ended WHY", "why the game ended (`all out`)", lambda table, why: same(table.state.ended, why)),
    Sentence(
        "WHO is offered KIND",
        "an act that is offered, as roll, settlement, road, city, buy, play, bank, offer, attack, end",
        _offered,
    ),
    Sentence("WHO is not offered KIND", "", _not_offered),
    Sentence(
        "KIND places of WHO: WHERE",
        "exactly there attack is offered, or settlement, road, city, disc, swap; or none",
        _offered_at,
    ),
    shared.ASKED,
    Sentence("WHO may answer CHOICES", "exactly these (`yes no`)", _may_answer),
    Sentence(
        "to turn over CELLS",
        "what hands should, or none",
        lambda table, cells: same(table.cells(table.game.awaited(table.state).lift), cells),
    ),
    Sentence(
        "said N times TEXT",
        "exactly so often",
        lambda table, n, text: same(sum(text in one for one in table.said), n),
    ),
    Sentence(
        "nobody else sees TEXT",
        "neither the scene nor the view of anybody but the mover has it",
        _unseen,
    ),
    *shared.EXPECTED,
)

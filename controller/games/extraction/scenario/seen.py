"""What scenarios of Extraction look at: each function compares a table with what a sentence expects."""

import re

import msgspec
from hextraction.controller.games.extraction.land import places
from hextraction.controller.games.extraction.land.corners import (
    CORNER_NAMES,
    EDGE_NAMES,
    corner_place,
    edge_place,
)
from hextraction.controller.games.extraction.land.goods import RESOURCES
from hextraction.controller.games.extraction.land.state import CITY, NOBODY
from hextraction.controller.games.extraction.scenario.case import Table, counted
from hextraction.controller.games.extraction.turn import flow
from hextraction.controller.games.sentences import Unmet, same


def _words(text: str) -> list[str]:
    return [] if text == "none" else text.split()


def has(table: Table, who: str, goods: str) -> None:
    """Look at resource cards."""
    same(table.state.players[table.who(who)].hand, counted(goods))


def holds(table: Table, who: str, names: str) -> None:
    """Look at development cards."""
    same(sorted(card for card, _turn in table.state.players[table.who(who)].cards), sorted(_words(names)))


def bank_has(table: Table, goods: str) -> None:
    """Look into the bank."""
    named = {name: int(number) for number, name in re.findall(r"(\d+) (\w+)", goods)}
    found = dict(zip(RESOURCES, table.state.bank, strict=True))
    same({name: found[name] for name in named}, named)


def deck_of(table: Table, count: str) -> None:
    """Count the deck."""
    same(len(table.state.deck), int(count))


def tokens(table: Table, cell: str, count: str) -> None:
    """Count the tokens of a hex."""
    same(table.hex(cell).tokens, int(count))


def disc(table: Table, cell: str, number: str) -> None:
    """Look at the disc of a hex."""
    same(table.hex(cell).disc, int(number))


def used_up(table: Table, cell: str) -> None:
    """Look whether a hex is used up."""
    found = table.hex(cell)
    same((found.depleted, found.disc), (True, 0))


def supply_is(table: Table, discs_: str) -> None:
    """Look at the supply."""
    same(table.state.supply, tuple(sorted(int(one) for one in _words(discs_))))


def all_tokens(table: Table, count: str) -> None:
    """Count all tokens."""
    same(sum(one.tokens for one in table.state.hexes), int(count))


def all_discs(table: Table, count: str) -> None:
    """Count all discs on hexes."""
    same(sum(one.disc > 0 for one in table.state.hexes), int(count))


def building(table: Table, at: str, what: str, who: str) -> None:
    """Look at a building."""
    found = table.state.buildings[CORNER_NAMES[at]]
    name = table.state.players[places.owner(found)].name if found != NOBODY else "nobody"
    same(f"a {'city' if found >= CITY else 'settlement'} of {name}", f"a {what} of {who}")


def empty(table: Table, at: str) -> None:
    """Look whether there is no building."""
    same(table.state.buildings[CORNER_NAMES[at]], NOBODY)


def road(table: Table, at: str, who: str) -> None:
    """Look at a road."""
    same(table.state.roads[EDGE_NAMES[at]], table.who(who))


def stock_is(table: Table, who: str, *counts: str) -> None:
    """Look at the stock."""
    found = places.stock(table.state.buildings, table.state.roads, table.who(who))
    same(found, tuple(int(one) for one in counts))


def points_are(table: Table, who: str, count: str) -> None:
    """Count points."""
    same(flow.points(table.state, table.who(who)), int(count))


def holds_route(table: Table, who: str) -> None:
    """Look who has the Longest Route."""
    same(table.state.route, table.who(who))


def route_is(table: Table, who: str, length: str) -> None:
    """Measure a route."""
    same(places.longest(table.state.buildings, table.state.roads, table.who(who)), int(length))


def holds_army(table: Table, who: str) -> None:
    """Look who has the Largest Army."""
    same(table.state.army, table.who(who))


def knights_are(table: Table, who: str, count: str) -> None:
    """Count knights."""
    same(table.state.players[table.who(who)].knights, int(count))


def turn_of(table: Table, who: str) -> None:
    """Look whose turn it is."""
    same(table.state.active.seat, who.lower())


def phase(table: Table, name: str) -> None:
    """Look what the turn waits for."""
    same(table.state.phase, name)


def is_out(table: Table, who: str, how: str) -> None:
    """Look whether somebody is out."""
    same("out" if table.state.players[table.who(who)].out else "in", how)


def winners(table: Table, names: str) -> None:
    """Look who has won."""
    same(set(table.state.winners), {name.lower() for name in names.split()})


def ended(table: Table, why: str) -> None:
    """Look why it ended."""
    same(table.state.ended, why)


def goes_on(table: Table) -> None:
    """Look whether it goes on."""
    if table.state.over:
        raise Unmet(str(table.state.outcome))


def offered(table: Table, who: str, do: str) -> None:
    """Look whether an act is offered."""
    found = sorted({str(one.act["do"]) for one in table.options(who)})
    if do not in found:
        raise Unmet(f"only {', '.join(found) or 'nothing'}")


def not_offered(table: Table, who: str, do: str) -> None:
    """Look whether an act is not offered."""
    found = [one.label for one in table.options(who) if one.act["do"] == do]
    if found:
        raise Unmet("; ".join(found))


def offered_at(table: Table, do: str, who: str, where: str) -> None:
    """Look where an act is offered."""
    found = {one.slot for one in table.options(who) if one.act["do"] == do and one.slot}
    same(found, {_place(table, name) for name in _words(where)})


def _place(table: Table, name: str) -> str:
    slots = table.game.field.slots
    if name in CORNER_NAMES:
        return corner_place(CORNER_NAMES[name], slots)
    return edge_place(EDGE_NAMES[name], slots) if name in EDGE_NAMES else slots.get(name, name)


def asked(table: Table, who: str, kind: str) -> None:
    """Look what somebody is asked."""
    prompts = table.game.private(table.state, who.lower()).prompts
    same(list(dict.fromkeys(one.kind for one in prompts)), [kind])


def may_answer(table: Table, who: str, choices: str) -> None:
    """Look at the answers."""
    prompts = table.game.private(table.state, who.lower()).prompts
    same({str(one.act["choice"]) for prompt in prompts for one in prompt.options}, set(choices.split()))


def unasked(table: Table) -> None:
    """Look whether nobody is asked."""
    seats = [one.seat for one in table.state.players]
    same([one.text for seat in seats for one in table.game.private(table.state, seat).prompts], [])


def to_turn(table: Table, cells: str) -> None:
    """Look what hands should turn over."""
    lift = table.game.awaited(table.state).lift
    same({table.game.field.cells[slot] for slot in lift}, set(_words(cells)))


def said(table: Table, text: str) -> None:
    """Look what was told."""
    if not any(text in one.text for one in table.said):
        raise Unmet("; ".join(one.text for one in table.said) or "nothing")


def said_times(table: Table, count: str, text: str) -> None:
    """Count how often it was told."""
    same(sum(text in one.text for one in table.said), int(count))


def unseen(table: Table, text: str) -> None:
    """Look whether others can see it."""
    others = [one.seat for one in table.state.players if one.seat != table.state.active.seat]
    shown = [table.game.scene(table.state), *(table.game.private(table.state, seat) for seat in others)]
    for one in shown:
        if text in msgspec.json.encode(one).decode():
            raise Unmet(f"it in {type(one).__name__}")

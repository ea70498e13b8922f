"""Entering the board anew as an option: when it is listed, and from what it starts (R-49)."""

import json

from helpers.tabletop import Table, setup
from hextraction.controller.games.protocol import PowerSet
from msgspec.structs import replace


def offered(table, seat="red"):
    """Return the acts of the option to enter the board anew."""
    options = table.game.private(table.state, seat).options
    return [dict(option.act) for option in options if option.group == "reenter"]


def dark(table):
    """Take the table's power away."""
    table.feed(PowerSet(at_us=table.later(), on=False, lost=True))


def test_the_board_is_entered_anew_only_while_that_is_legal():
    """It is listed for every seat after a loss of power, and not while the table is being asked about it."""
    table = Table(setup(laid=(("C3", "plain", 2), ("A1", "bell", 0))))
    assert offered(table) == []
    dark(table)
    (start,) = offered(table)

    assert {slot: tuple(lies) for slot, lies in start["tiles"].items()} == {
        "C3": ("plain", 2),
        "A1": ("bell", 0),
    }
    assert (start["do"], start["active"], list(start["balls"])) == ("reenter", table.state.active, [])
    assert [offered(table, seat) for seat in table.seats] == [[start]] * len(table.seats)
    assert table.act("red", start) is None
    assert [ask.kind for ask in table.state.asks] == ["reenter"]
    assert offered(table) == []


def test_power_that_was_switched_off_is_no_dark_spell():
    """Who switches the board off goes on from what it knows."""
    table = Table()
    table.feed(PowerSet(at_us=table.later(), on=False, lost=False))

    assert offered(table) == []


def test_nobody_enters_a_board_while_a_vote_is_open():
    """The vote comes first (0.5.1)."""
    table = Table(setup(laid=(("C3", "plain", 0),)))
    dark(table)
    assert offered(table)
    table.act("red", {"do": "vote", "slot": "C3"})

    assert offered(table) == []


def test_a_tile_that_nobody_has_named_is_left_out_of_the_start():
    """What is offered is always legal, so an unknown tile has to be named by those who see it."""
    table = Table(setup(laid=(("C3", "unknown", 0), ("A1", "plain", 0))))
    dark(table)
    (start,) = offered(table)

    assert list(start["tiles"]) == ["A1"]
    assert table.act("red", start) is None


def test_a_tile_that_was_turned_in_the_dark_keeps_what_the_table_voted_on_it():
    """It lies where it was laid, so its Forbidden effect is disabled as before (R-09, R-49)."""
    table = Table(setup(laid=(("C3", "taboo", 0), ("A1", "taboo", 0))))
    table.state = replace(
        table.state, laid=tuple(replace(one, silenced=one.slots == ("C3",)) for one in table.state.laid)
    )
    dark(table)
    (start,) = offered(table)
    sent = json.loads(json.dumps({**start, "tiles": {"C3": ("taboo", 2), "A1": ("taboo", 1)}}))
    assert table.act("red", sent) is None
    while table.state.asks:
        (ask,) = table.state.asks
        assert table.act(ask.seat, {"do": "answer", "prompt": ask.id, "choice": "yes"}) is None

    assert {one.slots[0]: (one.turns, one.silenced) for one in table.state.laid} == {
        "C3": (2, True),
        "A1": (1, False),
    }

"""Pass the phone: what one seat is asked may be answered at another, unless it shows a hand."""

import random

from helpers.tabletop import Table, play_a_bit, setup
from hextraction.controller.games.hextraction.effects.effects import EFFECT
from hextraction.controller.games.hextraction.effects.hand_deeds import Giving
from hextraction.controller.games.hextraction.effects.resolving import ORDER
from hextraction.controller.games.hextraction.shown import options
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Matter
from hextraction.controller.games.hextraction.turn.playing import ROOM, RoomFor
from hextraction.controller.games.hextraction.turn.turns import DISCARD


def played(seed, steps=120):
    """Yield a table at each moment of a game at random."""
    table, chance = Table(setup(seed=seed)), random.Random(seed)
    for _step in range(steps):
        if not play_a_bit(table, chance):
            return
        yield table


def test_what_others_are_asked_is_accepted_from_any_seat():
    """Each answer that a phone shows for somebody else is legal there, and it closes that question."""
    answered = 0
    for table in (one for seed in range(6) for one in played(seed)):
        seat = table.seats[-1]
        for prompt in table.game.private(table.state, seat).others:
            assert prompt.seat != seat
            assert prompt.options
        offered = table.game.private(table.state, seat).others
        if offered:
            assert table.act(seat, offered[0].options[0].act) is None
            assert offered[0].id not in {ask.id for ask in table.state.asks}
            answered += 1
    assert answered >= 5


def test_no_question_that_shows_a_hand_is_passed_on():
    """A question that is declared to be about a hand stays on the phone of its seat, whatever kind it is (1.2.1)."""
    table = Table()
    asked = table.seats[0]
    hand = table.state.players[0].hand
    for kind, about, choices in (
        (EFFECT, Giving(copy=1, effect=0, slot=""), [(str(copy), "a tile") for copy in hand]),
        (DISCARD, Matter(), [("x", "a tile")]),
        (ROOM, RoomFor(copy=hand[0], ignores=()), [("A1", "a tile")]),
    ):
        move = Move(table.game.rules, table.state)
        kind.ask(move, asked, "Which tile?", "3.Discard", choices, about)
        views = {seat: options.private(move, seat) for seat in table.seats}

        assert [one.kind for one in views[asked].prompts] == [kind.word]
        assert [views[seat].others for seat in table.seats[1:]] == [(), ()]


def test_while_a_vote_is_open_nothing_is_passed_on():
    """A vote comes before all questions (0.5.1)."""
    table = Table(setup(laid=[("A1", "plain", 0)]))
    move = Move(table.game.rules, table.state)
    ORDER.ask(move, table.seats[0], "Which first?", "2.6.4", [("a", "A"), ("b", "B")], Matter())
    table.state = move.state
    assert table.game.private(table.state, table.seats[1]).others
    assert table.act(table.seats[2], {"do": "vote", "slot": "A1"}) is None
    assert table.game.private(table.state, table.seats[1]).others == ()

"""Dead ends that bots ran into: a tile that looks for its slot always has one."""

import msgspec
import pytest
from helpers.evenings import Evening
from helpers.tabletop import Table, setup
from hextraction.board.facts import BallReleased, BallStuckOnRamp
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.lay.legal_slots import places
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Laid, Play
from hextraction.controller.games.hextraction.talk.overruling import restorable
from hextraction.controller.games.hextraction.turn.playing import install
from hextraction.controller.games.protocol import PowerSet

SLOW = (pytest.mark.slow, pytest.mark.mutants)


def placing(laid=(), **play):
    """Return a move in the middle of a play of Void, which may not be played after a roll."""
    table = Table(setup(board="standard-22", tiles=("void", "plain"), count=40, laid=laid))
    copy = next(number for number, one in table.state.copies.items() if one.name == "void")
    state = msgspec.structs.replace(
        table.state, phase=Phase.PLACING, play=Play(seat="red", copy=copy, from_hand=False, **play)
    )
    return Move(table.game.rules, state), copy


def test_an_effect_that_says_where_a_tile_goes_outweighs_its_limits():
    """A tile that an effect plays again in its slot goes there, even after a roll (2.2.2.3)."""
    move, copy = placing(only=(("B2", (0, 3)),))
    move.set(rolls_owed=0)
    assert places(move, copy) == (("B2", (0, 3)),)


def test_a_destroyed_tile_does_not_come_back_into_the_last_slot_of_one_being_played():
    """Where room was made for a tile, the table cannot put back what made it while the tile is unplaced."""
    slots = Table(setup(board="standard-22")).board.slot_names
    for gap in (1, 2):
        move, _copy = placing(laid=tuple((slot, "plain", 0) for slot in slots[gap:]))
        grave = next(
            number for number, one in move.state.copies.items() if one.name == "plain" and number > 30
        )
        laid = Laid(copy=grave, slots=(slots[0],))
        move.set(destroyed=(grave,), graves=(laid,), pool=tuple(c for c in move.state.pool if c != grave))
        assert restorable(move) == ((laid,) if gap == 2 else ())


def test_where_an_effect_sends_a_combo_only_its_first_part_goes():
    """The other parts need slots of their own (2.2.1.1)."""
    move, copy = placing(only=(("B2", (0,)),), slots=("B2",), pieces=(2,))
    move.set(rolls_owed=1)
    install(move)
    assert move.state.play.copy == 2 != copy
    assert move.state.phase is Phase.PLACING
    assert "B2" not in dict(places(move, 2))
    assert places(move, 2)


@pytest.mark.parametrize(("choice", "phase"), [("ramp.L3", Phase.RELEASING), ("destroy", Phase.SETTLING)])
def test_a_ramp_whose_gate_opens_in_vain_is_given_up(choice, phase):
    """The stuck ball stands in the way of the next ramp, too: the table is asked, and the tile can go (2.1.3)."""
    table = Table(setup(board="standard-22", laid=(("B1", "plain", 0),), gates=True))
    table.act("red", {"do": "roll", "ramp": "L1"})
    table.releases("L1")
    released = BallReleased(at_us=table.at_us, ball=1, ramp="L1")
    table.quiet(released, BallStuckOnRamp(at_us=table.later(), ball=1, ramp="L1"))
    answer(table, "stuck", "ramp.L2")
    table.act("red", {"do": "roll", "ramp": "L2"})
    assert not table.state.asks
    table.act("red", {"do": "roll", "ramp": "L2"})
    answer(table, "blocked", choice)
    assert table.state.phase is phase
    assert bool(table.state.laid) is (choice == "ramp.L3")
    assert table.replayed() == table.state


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(seed, marks=SLOW) for seed in range(12, 40))])
def test_a_table_that_all_have_left_comes_to_its_end(seed, dark):
    """Whenever it is, the game waits for nobody who has gone, not even for the end of a roll (2.8.4, R-27)."""
    played, length = Evening(seed), 20 + 7 * seed % 100
    while played.table.state.phase is not Phase.OVER and len(played.table.events) < length:
        played.goes_on()
    table = played.table
    if dark:
        table.feed(PowerSet(at_us=table.later(), on=False, lost=False))
    for number, seat in enumerate(table.seats):
        player = table.state.players[number]
        if table.state.phase is not Phase.OVER and not (player.out or player.conceded):
            assert table.act(seat, {"do": "concede"}) is None
    for _wake in range(50):
        if not dark and table.state.phase is Phase.ROLLING:
            played.all_is_quiet()
        table.wakes()
    assert table.state.phase is Phase.OVER


def answer(table, kind, choice):
    """Let the roller answer the one open question."""
    (ask,) = table.state.asks
    assert ask.kind == kind
    assert table.act("red", {"do": "answer", "prompt": ask.id, "choice": choice}) is None

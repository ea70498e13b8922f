"""Bots of Hextris: the stronger wins, both answer what they are asked, and none lets the table wait."""

import random

import pytest
from helpers.tiers import nightly
from hextraction.board.profile import load_board
from hextraction.controller.games.hextris import Hextris
from hextraction.controller.games.hextris.position import carried_out, moves, new, skipped, stuck
from hextraction.controller.games.hextris.search import BUDGET, best, worth
from hextraction.controller.games.hextris.state import Setup
from hextraction.controller.games.hextris.strategy import Player
from hextraction.controller.games.hextris.written import fixture
from hextraction.controller.games.protocol import Acted, Seated, TileSeen
from hextraction.controller.games.strategy import Sight, Temper
from msgspec.structs import replace

CALM = Temper(whim=0.0, kindness=0.5)
LONGEST = 400


def chosen(position, budget=BUDGET):
    """Return the move that a search finds, and how many slices it took."""
    thinking, slices = best(position, "R0", budget=budget), 0
    while True:
        try:
            next(thinking)
        except StopIteration as done:
            return done.value, slices
        slices += 1


def strong(position, luck):
    """Play as a strong bot does, with a fifteenth of its time: the rest makes it better still."""
    found, _slices = chosen(position, BUDGET // 15)
    return luck.choice([move for rated, move in found if rated == found[0][0]])


def weak(position, luck):
    """Play as a weak bot does: one ply ahead, and anything every fifth time."""
    if luck.random() < 0.2:
        return anything(position, luck)
    found, _slices = chosen(position, 1)
    return luck.choice([move for rated, move in found if rated == found[0][0]])


def anything(position, luck):
    """Play any legal ply."""
    return luck.choice(moves(position, 0))


def winner_of(players, luck):
    """Play one game; return who won, or None for a draw."""
    position, seen = new(len(players)), {}
    for _ply in range(LONGEST):
        if position.winner is not None or stuck(position, "R0"):
            return position.winner
        if not moves(position, 0):
            position = skipped(position)
            continue
        position = carried_out(position, players[position.mover](position, luck))
        seen[position] = seen.get(position, 0) + 1
        if seen[position] == 3:
            return None
    return None


def wins(one, other, games):
    """Return how many games one of two players wins, both going first equally often."""
    found = 0
    for number in range(games):
        first = number % 2
        pair = [other, one] if first else [one, other]
        found += winner_of(pair, random.Random(number)) == first
    return found


@nightly("dozens of games", meanwhile="test_a_bot_takes_a_group_and_the_game")
@pytest.mark.slow
def test_the_better_bot_beats_the_weaker():
    """In four of five games at least."""
    assert wins(strong, weak, 100) >= 80


@nightly("hundreds of games", meanwhile="test_a_bot_takes_a_group_and_the_game")
def test_the_better_bot_beats_one_that_does_anything():
    """In 98 of a hundred at least."""
    assert wins(strong, anything, 200) >= 196


def test_a_bot_takes_a_group_and_the_game():
    """From F1 it makes its five at once, and with two at home that wins."""
    position = fixture("F1")
    found, slices = chosen(position)
    assert slices >= 1
    assert carried_out(position, found[0][1]).home[0] == 1
    winning = position._replace(home=(2, 0), hands=((0, 1, 0), position.hands[1]))
    assert worth(carried_out(winning, chosen(winning)[0][0][1]), 0) > 100_000


def test_a_bot_does_not_hand_the_game_to_somebody_else():
    """In F5 with one group at home a swap would let blue win: it does something else."""
    position = fixture("F5")._replace(home=(1, 2), hands=((1, 2, 2), (0, 0, 0)))
    best_now = carried_out(position, chosen(position)[0][0][1])
    assert best_now.winner is None


def test_a_bot_thinks_in_slices():
    """A ply in the middle of a game is thought over in many; how long they take `bench.thinking` measures."""
    position, luck = new(2), random.Random(3)
    for _ply in range(14):
        position = carried_out(position, weak(position, luck))
    assert sum(1 for _slice in best(position, "R0")) > 20


def table(seats=2):
    """Return a game and its first state."""
    game = Hextris(load_board("fx-19"))
    names = tuple(Seated(seat, seat.title()) for seat in ("red", "blue", "green")[:seats])
    return game, game.start(Setup(board="fx-19", seats=names))


def says(game, state, seat, temper=CALM, strength="strong"):
    """Return what a bot in a seat does."""
    player, view = Player(strength, 300), game.private(state, seat)
    sight = Sight(dict, lambda: game.scene(state))
    acts = player.ponder(view, player.choices(view, None), sight, random.Random(1), temper)
    return next(act for act in acts if act is not None)


def test_a_bot_plays_one_of_the_plies_that_it_is_offered():
    """Whatever its strength, and also when it is in the mood for anything."""
    game, state = table()
    offered = [one.act for one in game.private(state, "red").options if one.group == "drop"]
    for strength in ("strong", "weak"):
        for temper in (CALM, Temper(whim=1.0)):
            assert says(game, state, "red", temper, strength) in offered


def test_a_bot_that_stands_worse_agrees_to_a_draw():
    """Who leads plays on."""
    game, state = table()
    state = game.step(state, Acted(at_us=1, seat="red", act={"do": "draw"})).state
    assert says(game, state, "blue")["choice"] == "no"
    behind = state.position._replace(home=(1, 0))
    assert says(game, replace(state, position=behind), "blue")["choice"] == "yes"


def test_a_bot_has_a_moved_piece_put_back():
    """It answers for the board as a person would who did nothing."""
    game = Hextris(load_board("fx-19"))
    seats = (Seated("red", "Red"), Seated("blue", "Blue"))
    state = game.start(Setup(board="fx-19", seats=seats, sees=True))
    state = game.step(state, TileSeen(at_us=1, slot="C1", present=True)).state
    assert says(game, state, "red")["choice"] == "back"


def test_three_players_think_against_each_other():
    """With three the search still finds a group that is there to be made."""
    position = fixture("F1")
    three = position._replace(
        own=(*position.own, 0), hands=(*position.hands, (5, 5, 5)), home=(*position.home, 0)
    )
    found, _slices = chosen(three)
    assert carried_out(three, found[0][1]).home[0] == 1

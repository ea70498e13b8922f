"""Who was likely to win when: whoever rolls first on a good board, and nobody more than others on a hopeless one."""

from typing import ClassVar

import pytest
from helpers.simulated import begin, play
from hextraction.board.outlook import outlook
from hextraction.board.profile import STANDARD, load_board
from hextraction.board.routes import load_routes
from hextraction.controller.games.hextris.game import Hextris
from hextraction.controller.games.protocol import NoRolls, Physical
from hextraction.controller.games.rolls import LastRoll
from hextraction.controller.games.scene import PlaceView, Scene, SeatView
from hextraction.controller.history.chances import Chances

BOARD = load_board(STANDARD)


class Rolls:
    """A watcher of rolls."""

    last = None


class Lying:
    """A game of which only matters what lies on its board."""

    board = BOARD
    tiles: ClassVar = {}
    rolling = False

    def roll_watcher(self):
        """Return a watcher: there are balls."""
        return Rolls()

    def physical(self, _state):
        """Return what lies there."""
        return Physical(tiles=self.tiles, rolling=self.rolling)


def scene(active="red", **more):
    """Return a scene of three players."""
    seats = tuple(SeatView(seat=one, name=one, colour=one) for one in ("red", "blue", "green"))
    return Scene(
        **{
            "kind": "x",
            "headline": "",
            "turn": 4,
            "active": active,
            "acting": active,
            "seats": seats,
            "places": (),
            **more,
        }
    )


@pytest.fixture(scope="module")
def laid():
    """A game on whose board tiles lead into an end zone."""
    made = begin(9)
    assert play(made)
    game = Lying()
    game.tiles = made.host.runtime.referee.lies.tiles
    return game


def best_of(laid):
    """Return the best ramp's chance, and the ramp."""
    found = outlook(BOARD, laid.tiles, load_routes(BOARD.tilt_deg))
    return max((one.zone, one.ramp) for one in found)


@pytest.mark.slow
def test_whoever_rolls_next_is_likeliest_to_win(laid):
    """By the chance of the best ramp, then the next by what that leaves; together they are one."""
    p, _ramp = best_of(laid)
    shares, next_ball = Chances(laid).of(None, scene("blue"))

    assert next_ball == round(p, 3) > 0
    assert shares["blue"] == pytest.approx(p / (1 - (1 - p) ** 3), abs=0.001)
    assert shares["green"] == pytest.approx(shares["blue"] * (1 - p), abs=0.002)
    assert shares["red"] == pytest.approx(shares["green"] * (1 - p), abs=0.002)


def test_whoever_has_rolled_in_this_turn_waits_for_all_others(laid):
    """The same board, the same turn, another next roller."""
    last = LastRoll(number=4, roller="red", turn=4, probability=1.0, balls=())
    shares, _next = Chances(laid).of(None, scene("red", last_roll=last))

    assert max(shares, key=shares.get) == "blue"
    assert min(shares, key=shares.get) == "red"


def test_a_shut_ramp_and_a_player_who_is_out_do_not_count(laid):
    """The best ramp is shut: the next best tells. Who is out has no share."""
    p, ramp = best_of(laid)
    seats = scene().seats
    out = (seats[0], SeatView(seat="blue", name="blue", colour="blue", out=True), seats[2])
    shares, next_ball = Chances(laid).of(
        None, scene(seats=out, places=(PlaceView(place=f"ramp.{ramp}", shut=True),))
    )

    assert next_ball < p
    assert set(shares) == {"red", "green"}


def test_on_an_empty_board_nobody_is_likelier():
    """No ball gets anywhere, so all have the same."""
    shares, next_ball = Chances(Lying()).of(None, scene())

    assert next_ball == 0
    assert len(set(shares.values())) == 1


def test_at_the_end_those_who_won_have_it_all(laid):
    """Two winners share."""
    assert Chances(laid).of(None, scene(winners=("red", "green"))) == (
        {"red": 0.5, "blue": 0.0, "green": 0.5},
        1.0,
    )


def test_nothing_is_told_while_balls_roll_or_where_there_are_none(laid):
    """Nobody knows in between; and a game without balls has no such odds."""
    rolling = Lying()
    rolling.rolling = True
    assert Chances(rolling).of(None, scene()) is None
    assert isinstance(Hextris.on(BOARD).roll_watcher(), NoRolls)
    assert Chances(Hextris.on(BOARD)).of(None, scene()) is None

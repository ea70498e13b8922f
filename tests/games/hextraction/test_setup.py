"""Set-ups that may start, and those that may not: how many tiles are enough, and whose they are."""

import random
from collections import Counter

import msgspec
import pytest
from helpers.tabletop import setup
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Hextraction
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.state.state import Seat, Share
from hextraction.controller.games.protocol import Seated
from hextraction.controller.games.scene import SEAT_COLOURS

GAME = Hextraction(load_board("fx-19"), load_tiles())


def clauses(wanted):
    """Return the clauses that speak against a set-up."""
    return [clause for _what, clause in GAME.problems(wanted)]


def brought(count, *, laid=(), hands=(), owner="red"):
    """Return a set-up of three players with so many PLAIN, some of the hands picked."""
    picked = dict.fromkeys(hands, ("bell", "star", "spike"))
    seats = tuple(
        Seat(seat=seat, name=seat.title(), hand=picked.get(seat, ())) for seat in ("red", "blue", "green")
    )
    pool = (Share(name="plain", count=count, owner=owner),)
    return msgspec.structs.replace(setup(laid=laid), seats=seats, pool=pool)


def test_two_to_six_people_play():
    """One alone has nobody left to beat (2.9.1.3), and each seat has a colour of its own."""
    assert list(GAME.seats) == [2, 3, 4, 5, 6]
    assert len(SEAT_COLOURS) == 6


@pytest.mark.parametrize(
    ("enough", "laid", "hands"),
    [
        (28, (), ()),
        (25, (), ("red",)),
        (26, (("A1", "plain", 0), ("A2", "plain", 0)), ()),
        (23, (("A1", "plain", 0), ("A2", "plain", 0)), ("red",)),
    ],
)
def test_the_pool_fills_the_open_slots_and_the_hands_that_nobody_picked(enough, laid, hands):
    """19 slots without those that are laid, and three tiles for each blind hand; one tile less is too few."""
    assert clauses(brought(enough, laid=laid, hands=hands)) == []
    assert clauses(brought(enough - 1, laid=laid, hands=hands)) == ["1.0.4"]


def test_a_picked_hand_needs_tiles_of_its_own_only_if_somebody_owns_any():
    """Where nobody has said whose the pool is, nobody is told to have brought nothing (1.0.7)."""
    assert clauses(brought(40, hands=("blue",), owner=None)) == []
    assert clauses(brought(40, hands=("blue",), owner="red")) == ["1.0.7"]
    assert clauses(brought(40, hands=("blue",), owner="blue")) == []


def test_seats_are_at_least_two_and_different_and_the_first_is_one_of_them():
    """One player is no game, and a seat is taken once (1.0, 1.0.9, 2.9.1.3)."""
    wanted = brought(40)

    alone = msgspec.structs.replace(wanted, seats=wanted.seats[:1], board_owner="red")
    assert GAME.problems(alone) == [("a game needs two players, there is one", "2.9.1.3")]
    twice = (*wanted.seats, wanted.seats[0])
    assert clauses(msgspec.structs.replace(wanted, seats=twice)) == ["1.0"]
    assert clauses(msgspec.structs.replace(wanted, first="white")) == ["1.0.9"]
    assert clauses(msgspec.structs.replace(wanted, first="green")) == []


def test_advice_counts_balls_only_if_somebody_has():
    """Three a head: eight are too few for three players, none at all are uncounted (1.0.3)."""

    def advised(*balls):
        wanted = brought(40)
        seats = tuple(
            msgspec.structs.replace(seat, balls=number)
            for seat, number in zip(wanted.seats, balls, strict=True)
        )
        told = GAME.advice(msgspec.structs.replace(wanted, seats=seats))
        return [text for text, clause in told if clause == "1.0.3"]

    assert advised(0, 0, 0) == []
    assert advised(3, 3, 3) == []
    assert advised(8, 0, 0) == ["There are 8 balls; 3 players should have 9."]
    assert advised(0, 0, 1) == ["There are 1 balls; 3 players should have 9."]


def test_advice_tells_only_those_who_brought_tiles_and_picked_none():
    """Red has brought the pool: with a picked hand nobody is told to pick one (1.0.6)."""

    def told(wanted):
        return [text.split()[0] for text, clause in GAME.advice(wanted) if clause == "1.0.6"]

    assert told(brought(40)) == ["Red"]
    assert told(brought(40, hands=("red",))) == []
    assert told(brought(40, owner=None)) == []


def test_a_study_plays_at_tables_of_every_kind():
    """Some tables see no balls, some have an unseen bag, picked hands, no power or gates; most do not."""
    seats = [Seat(seat=name, name=name.title()) for name in ("red", "blue")]
    kinds = Counter()
    for seed in range(100):
        drawn = GAME.draw(seats, random.Random(seed), ("basic",), 5)
        kinds["blind"] += not drawn.config.sensors
        kinds["unseen"] += not drawn.pool[0].name
        kinds["picked"] += bool(drawn.seats[0].hand)
        kinds["dark"] += not drawn.power
        kinds["gated"] += drawn.config.gates

    assert sorted(kinds) == ["blind", "dark", "gated", "picked", "unseen"]
    assert all(3 <= kinds[kind] <= 60 for kind in kinds)


def test_a_drawn_bag_has_four_tiles_for_each_slot():
    """Whether people know what is in it or not: enough for a long game, and few enough to end."""
    game = Hextraction(load_board("standard-22"), load_tiles())
    seats = [Seated(seat=seat, name=seat.title()) for seat in ("red", "blue")]
    drawn = [game.draw(seats, random.Random(seed), (), 6) for seed in range(40)]
    assert {share.name == "" for one in drawn for share in one.pool} == {True, False}
    assert {sum(share.count for share in one.pool) for one in drawn} == {88}

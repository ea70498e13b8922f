"""Who saw everything answers a question with the true counts."""

from dataclasses import dataclass

import pytest
from hextraction.board.facts import BallEntered, BallInZone, BallLeftZone, BallOffBoard
from hextraction.controller.evaluation.verdict import Ground, true_answer, true_counts

GROUND = Ground(tiled=frozenset({"B1", "C2"}), triggers=frozenset(), balls={})


@dataclass
class Answer:
    counts: tuple
    facts: tuple = ()


@dataclass
class Question:
    kind: str
    slots: tuple
    answers: tuple


def entered(slot, ball=1):
    """Return that a ball came onto a slot."""
    return BallEntered(at_us=0, ball=ball, slot=slot)


TRUTH = [
    *(entered("B1") for _touch in range(3)),
    entered("C2", ball=2),
    entered("C2", ball=3),
    BallOffBoard(at_us=4, ball=1, slot="B1"),
    BallInZone(at_us=5, ball=3, zone="L"),
]


@pytest.mark.parametrize(
    ("kind", "slots", "counts"),
    [
        ("third", ("B1", "C2"), (1, 0)),
        ("touches", ("B1", "C2"), (3, 2)),
        ("rests", ("B1", "C2"), (0, 1)),
        ("lost", ("B1", "C2"), (1, 0)),
        ("zone", ("L", "R"), (1, 0)),
    ],
)
def test_each_kind_counts_its_own(kind, slots, counts):
    """Third touches, touches, balls at rest, lost balls and balls in zones."""
    assert true_counts(kind, slots, TRUTH, GROUND) == counts


def test_a_ball_that_left_a_zone_is_not_in_it():
    """Only balls that stayed count."""
    truth = [*TRUTH, BallLeftZone(at_us=6, ball=3, zone="L")]

    assert true_counts("zone", ("L",), truth, GROUND) == (0,)


def test_the_true_answer_is_picked_or_none():
    """If the truth is not among the answers, nobody can give it."""
    wrong, right = Answer((2,)), Answer((3,))

    assert true_answer(Question("touches", ("B1",), (wrong, right)), TRUTH, GROUND) is right
    assert true_answer(Question("touches", ("B1",), (wrong,)), TRUTH, GROUND) is None


def test_an_unknown_kind_is_an_error():
    """A new kind of question needs a new way to count."""
    with pytest.raises(ValueError, match="found 'colour'"):
        true_counts("colour", ("B1",), TRUTH, GROUND)

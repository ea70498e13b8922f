"""Who saw everything answers a question with the true counts."""

import pytest
from hextraction.board.facts import Answer, BallEntered, BallInZone, BallLeftZone, BallOffBoard, Question
from hextraction.controller.evaluation.verdict import Ground, true_answer, true_counts

GROUND = Ground(tiled=frozenset({"B1", "C2"}), triggers=frozenset(), balls={})


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


def asked(*answers):
    """Return the question how often B1 was touched."""
    return Question(kind="touches", slots=("B1",), answers=answers)


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
    wrong, right = (Answer(counts=(many,), facts=(), likelihood=0.5, probability=0.9) for many in (2, 3))

    assert true_answer(asked(wrong, right), TRUTH, GROUND) is right
    assert true_answer(asked(wrong), TRUTH, GROUND) is None


def test_an_unknown_kind_is_an_error():
    """A new kind of question needs a new way to count."""
    with pytest.raises(ValueError, match="found 'colour'"):
        true_counts("colour", ("B1",), TRUTH, GROUND)

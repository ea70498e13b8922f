"""What balls do, in facts: what the tracker tells, and what a game hears of it.

>>> from hextraction.api.facts import BallInZone
>>> BallInZone(at_us=1_500_000, ball=1, zone="L")
BallInZone(at_us=1500000, ball=1, zone='L')

Any of them is a ``Fact``:

>>> from hextraction.api import Fact
>>> isinstance(BallInZone(at_us=1_500_000, ball=1, zone="L"), Fact)
True
"""

from hextraction.board.facts import (
    Answer,
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Doubt,
    Fact,
    Question,
    RollSettled,
)

__all__ = [
    "Answer",
    "BallEntered",
    "BallFell",
    "BallInZone",
    "BallLeft",
    "BallLeftZone",
    "BallOffBoard",
    "BallReleased",
    "BallStuckOnRamp",
    "Doubt",
    "Fact",
    "Question",
    "RollSettled",
]

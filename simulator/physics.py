"""Physical assumptions about steel, plastic and slopes; a run may use others.

A ball is a disc in the plane of the board. Two corrections make it behave like a ball that rolls:

* * its inertia is 7/5 of its mass, so gravity along the board is 5/7 g sin(tilt) (:data:`ROLLING`);
* after a hit it still spins the old way and the floor slows the rebound, so that an impact with restitution
  e acts as (5 e - 2) / 7 (:func:`effective`).
"""

from dataclasses import dataclass
from typing import Final

from hextraction.board.escapement import GRAVITY_MM_S2, ROLLING

__all__ = ["GRAVITY_MM_S2", "ROLLING", "STANDARD", "Physics", "effective"]


def effective(restitution: float) -> float:
    """Return the share of its speed that a rolling ball keeps after a hit with a given restitution (0..1).

    >>> round(effective(0.6), 3), round(effective(0.9), 3), effective(0.3)
    (0.143, 0.357, 0.0)
    """
    return max(0.0, (5 * restitution - 2) / 7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Physics:
    """The numbers of one world; the default is steel balls on printed plastic.

    Raises:
        ValueError: a number is outside its range.
    """

    ball_restitution: float = 0.9
    """Steel on steel, 0.45..1: below that rolling balls would not separate at all."""
    wall_restitution: float = 0.6
    """Steel on plastic, 0..1."""
    resistance: float = 0.005
    """Rolling resistance: a slope whose sine is this just keeps a ball rolling; 0..0.1."""
    wall_friction: float = 0.0
    """Coulomb friction between ball and wall, 0..1. By default none: it is the floor that turns a ball."""
    round_bottom: bool = True
    """Whether channels have a round bottom, which holds a ball on its line, or a flat one."""
    substeps: int = 1
    """Number of steps per millisecond, 1..10."""

    def __post_init__(self) -> None:
        ranges = {
            "ball_restitution": (0.45, 1),
            "wall_restitution": (0, 1),
            "resistance": (0, 0.1),
            "wall_friction": (0, 1),
            "substeps": (1, 10),
        }
        for name, (least, most) in ranges.items():
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"{name}: want {least}..{most}, found {getattr(self, name)}")


STANDARD: Final = Physics()

"""A finished roll, as everybody may see it: what balls crossed, when, and which parts are unsure."""

import msgspec

__all__ = ["LastRoll", "RolledBall", "Stop"]


class Stop(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A ball came onto a slot, ``at_ms`` milliseconds after the roll began.

    ``touch`` is the touch count of the slot's tile then, 0 if this was no touch (R-11). ``unsure`` says that
    another plausible account of the roll lacks this leg.
    """

    slot: str
    at_ms: int = 0
    touch: int = 0
    unsure: bool = False


class RolledBall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A ball that moved: the ramp it came from if it was released in this roll, its stops, and its fate.

    ``fate`` is ``slot.C3`` or ``ramp.L1`` where it came to rest, ``zone.L``, ``hole.C3`` if it fell through a
    slot, ``side.C3`` if it left the board after that slot (``side`` if the slot is unknown), or None while
    unknown.
    """

    ball: int
    ramp: str | None = None
    stops: tuple[Stop, ...] = ()
    fate: str | None = None
    end_ms: int = 0
    unsure: bool = False


class LastRoll(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last roll that came to rest: its balls, touches by the first slot of each tile, and how sure it is.

    ``number`` counts the game's rolls from 1. ``probability`` is how sure the tracker is of what the rules
    act on, 0..1. ``asked`` are the places that people are being asked about; ``told`` says that people
    reported what the balls did, or answered what was unsure, and ``teller`` is the seat that had the last
    word.
    """

    number: int
    roller: str
    turn: int
    balls: tuple[RolledBall, ...]
    probability: float
    touches: dict[str, int] = {}
    asked: tuple[str, ...] = ()
    told: bool = False
    teller: str = ""

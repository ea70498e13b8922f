"""The record of what balls physically did: a pure fold over facts.

A *contact* is a ball on a tile; a *touch* is an arrival (3.Touch, R-11). The record identifies tiles by copy
number, so going from one slot to another of the same larger tile is not a touch (R-13). A ball that comes
from elsewhere touches (3.Touch.A); one that was there must have left before (3.Trigger.2). The record knows
nothing of turns or effects. ``fold`` is used twice: fact by fact during a roll, and over the facts of a
settlement.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

import msgspec
from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Fact,
)

__all__ = [
    "EMPTY",
    "Arrival",
    "Record",
    "add",
    "adjust",
    "begin",
    "fold",
    "forget_ball",
    "forget_tile",
    "moved_by_hand",
    "relocated",
    "resting",
]

V = TypeVar("V")


class Arrival(msgspec.Struct, frozen=True, gc=False):
    """A touch: which ball came onto which tile (by copy), in which slot."""

    ball: int
    copy: int
    slot: str


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Where every ball is and what it did since the roll began.

    ``on`` lists the slots each ball is in contact with; ``last`` the copy it was last in contact with;
    ``still`` the tiles a ball has been lying on since the roll began and has not left (3.Touch.B).
    """

    on: dict[int, tuple[str, ...]] = {}
    ramps: dict[int, str] = {}
    zones: dict[int, str] = {}
    last: dict[int, int] = {}
    still: dict[int, tuple[int, ...]] = {}
    touches: dict[int, int] = {}
    arrivals: tuple[Arrival, ...] = ()
    fell: tuple[int, ...] = ()
    lost: tuple[tuple[int, int | None], ...] = ()
    entered_zone: tuple[int, ...] = ()
    trails: dict[int, tuple[str, ...]] = {}
    stuck: tuple[tuple[int, str], ...] = ()


EMPTY: Final = Record()


def begin(record: Record, laid: Mapping[str, int], *, keep: bool = False) -> Record:
    """Take the contact snapshot and restart the counters when a ball is released (R-12).

    ``keep`` is for a release inside a roll: what balls did before still belongs to the roll.
    """
    still = {ball: tuple(laid[slot] for slot in slots if slot in laid) for ball, slots in record.on.items()}
    fresh = msgspec.structs.replace(record, still=still, touches={})
    if keep:
        return fresh
    last = {ball: copies[-1] for ball, copies in still.items() if copies}
    return msgspec.structs.replace(
        fresh, last=last, arrivals=(), fell=(), lost=(), entered_zone=(), trails={}, stuck=(), ramps={}
    )


def fold(
    record: Record, facts: Sequence[Fact], layouts: tuple[tuple[int, dict[str, int]], ...], *, fresh: bool
) -> Record:
    """Apply a settlement's facts in order.

    ``layouts`` says since when which copy lay in which slot. ``fresh`` says that the roll's first release is
    still to come; each later release only restarts the counters (R-12).
    """
    if fresh and not any(isinstance(fact, BallReleased) for fact in facts):
        record, fresh = begin(record, layouts[0][1]), False
    for fact in facts:
        laid = layouts[0][1]
        for since_us, layout in layouts[1:]:
            if fact.at_us >= since_us:
                laid = layout
        if isinstance(fact, BallReleased):
            record, fresh = begin(record, laid, keep=not fresh), False
        record = add(record, fact, laid)
    return record


def add(record: Record, fact: Fact, laid: Mapping[str, int]) -> Record:
    """Apply one fact. Total: a fact about an unknown ball adds that ball."""
    match fact:
        case BallEntered():
            return _entered(record, fact, laid)
        case BallLeft():
            return _left(record, fact, laid)
        case BallReleased():
            gone = _without(_live(record, fact.ball), fact.ball)
            return msgspec.structs.replace(gone, ramps={**record.ramps, fact.ball: fact.ramp})
        case BallFell():
            gone = _without(record, fact.ball)
            trail = _with_trail(record, fact.ball, fact.slot)
            return msgspec.structs.replace(gone, fell=(*record.fell, fact.ball), trails=trail)
        case BallOffBoard():
            gone = _without(record, fact.ball)
            return msgspec.structs.replace(gone, lost=(*record.lost, (fact.ball, record.last.get(fact.ball))))
        case BallInZone():
            gone = _without(record, fact.ball)
            zones = {**gone.zones, fact.ball: fact.zone}
            return msgspec.structs.replace(gone, zones=zones, entered_zone=(*record.entered_zone, fact.ball))
        case BallLeftZone():
            return _without(record, fact.ball)
        case BallStuckOnRamp():
            gone = _without(record, fact.ball)
            ramps = {**gone.ramps, fact.ball: fact.ramp}
            return msgspec.structs.replace(gone, ramps=ramps, stuck=(*record.stuck, (fact.ball, fact.ramp)))


def _entered(record: Record, fact: BallEntered, laid: Mapping[str, int]) -> Record:
    ball, slot = fact.ball, fact.slot
    record = _live(record, ball)
    on = record.on.get(ball, ())
    here = {
        "on": {**record.on, ball: on if slot in on else (*on, slot)},
        "ramps": _less(record.ramps, ball),
        "zones": _less(record.zones, ball),
        "trails": _with_trail(record, ball, slot),
    }
    copy = laid.get(slot)
    if copy is None:
        return msgspec.structs.replace(record, **here)
    already = (
        any(laid.get(other) == copy for other in on)
        or copy in record.still.get(ball, ())
        or _along_the_same_tile(record, ball, slot, copy, laid)
    )
    last = {**record.last, ball: copy}
    if already:
        return msgspec.structs.replace(record, **here, last=last)
    return msgspec.structs.replace(
        record,
        **here,
        last=last,
        touches={**record.touches, copy: record.touches.get(copy, 0) + 1},
        arrivals=(*record.arrivals, Arrival(ball, copy, slot)),
    )


def _live(record: Record, ball: int) -> Record:
    """Make a ball live again that fell through a slot and was put back on the board (R-23)."""
    if ball not in record.fell:
        return record
    return msgspec.structs.replace(record, fell=tuple(other for other in record.fell if other != ball))


def _along_the_same_tile(record: Record, ball: int, slot: str, copy: int, laid: Mapping[str, int]) -> bool:
    """Whether a ball only goes from one slot to another of the same larger tile: no new arrival (R-13)."""
    before = record.trails.get(ball, ())[-1:]
    return (
        record.last.get(ball) == copy and bool(before) and before[0] != slot and laid.get(before[0]) == copy
    )


def _left(record: Record, fact: BallLeft, laid: Mapping[str, int]) -> Record:
    slots = tuple(slot for slot in record.on.get(fact.ball, ()) if slot != fact.slot)
    on = _less(record.on, fact.ball)
    if slots:
        on = {**on, fact.ball: slots}
    copy = laid.get(fact.slot)
    still = record.still
    if copy is not None and not any(laid.get(slot) == copy for slot in slots):
        kept = tuple(other for other in still.get(fact.ball, ()) if other != copy)
        still = {**still, fact.ball: kept}
    return msgspec.structs.replace(record, on=on, still=still)


def _without(record: Record, ball: int) -> Record:
    """Take a ball away from wherever it is; it no longer lies on any tile."""
    return msgspec.structs.replace(
        record,
        on=_less(record.on, ball),
        ramps=_less(record.ramps, ball),
        zones=_less(record.zones, ball),
        still=_less(record.still, ball),
    )


def _less(known: dict[int, V], ball: int) -> dict[int, V]:
    """Return a mapping without one ball; the same object if the ball is not in it."""
    return {other: what for other, what in known.items() if other != ball} if ball in known else known


def _with_trail(record: Record, ball: int, slot: str) -> dict[int, tuple[str, ...]]:
    trail = record.trails.get(ball, ())
    return record.trails if trail[-1:] == (slot,) else {**record.trails, ball: (*trail, slot)}


def forget_tile(record: Record, copy: int, slots: tuple[str, ...], *, balls_go: bool) -> Record:
    """Forget a tile that left: its counter vanishes (R-30); balls on it leave too or roll on (R-36)."""
    touches = {other: count for other, count in record.touches.items() if other != copy}
    record = msgspec.structs.replace(record, touches=touches)
    if not balls_go:
        return record
    away = [ball for ball, on in record.on.items() if set(on) <= set(slots)]
    for ball in away:
        record = _without(record, ball)
    on = {ball: tuple(slot for slot in there if slot not in slots) for ball, there in record.on.items()}
    return msgspec.structs.replace(record, on=on)


def resting(record: Record) -> Record:
    """Return the record between rolls: only where balls lie. Balls on ramps and in zones stay listed."""
    return Record(on=record.on, zones=record.zones, ramps=record.ramps, last=record.last)


def adjust(record: Record, by: Mapping[int, int]) -> Record:
    """Correct the touches of some tiles, as agreed by the table (R-14)."""
    if not by:
        return record
    touches = dict(record.touches)
    for copy, more in by.items():
        touches[copy] = max(0, touches.get(copy, 0) + more)
    return msgspec.structs.replace(record, touches=touches)


def forget_ball(record: Record, ball: int) -> Record:
    """Forget a ball that was taken off the board by hand."""
    return _without(record, ball)


def relocated(record: Record, fact: Fact, laid: Mapping[str, int]) -> Record:
    """Replace a ball's fate (R-14): what was known of its end is forgotten; contact is not a touch."""
    ball = fact.ball
    clean = msgspec.structs.replace(
        _without(record, ball),
        fell=tuple(other for other in record.fell if other != ball),
        lost=tuple(pair for pair in record.lost if pair[0] != ball),
        entered_zone=tuple(other for other in record.entered_zone if other != ball),
    )
    if not isinstance(fact, BallEntered):
        return add(clean, fact, laid)
    last = {**clean.last, ball: laid[fact.slot]} if fact.slot in laid else clean.last
    return msgspec.structs.replace(clean, on={**clean.on, ball: (fact.slot,)}, last=last)


def moved_by_hand(record: Record, fact: Fact) -> Record:
    """Move a ball without any consequence for the roll: only its position changes (R-22)."""
    moved = add(record, fact, {})
    return msgspec.structs.replace(record, on=moved.on, zones=moved.zones, ramps=moved.ramps)

"""The record of what balls physically did: a pure fold over facts.

A *contact* is a ball on a tile; a *touch* is an arrival (3.Touch, R-11). The record identifies tiles by copy
number, so going from one slot to another of the same larger tile is not a touch (R-13). A ball that comes
from elsewhere touches (3.Touch.A); one that was there must have left before (3.Trigger.2). The record knows
nothing of turns or effects. ``fold`` is used twice: fact by fact during a roll, and over the facts of a
settlement.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, TypeVar

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
from msgspec.structs import replace

__all__ = [
    "EMPTY",
    "Arrival",
    "Record",
    "add",
    "adjust",
    "begin",
    "carry",
    "fold",
    "forget_ball",
    "forget_tile",
    "let_go_at",
    "moved_by_hand",
    "nowhere",
    "number_of_next",
    "off_ramps",
    "relocated",
    "resting",
]

V = TypeVar("V")


class Arrival(msgspec.Struct, frozen=True, gc=False):
    """A touch: which ball came onto which tile (by copy), in which slot.

    ``before`` is the tile that the ball was in contact with before this one; 0: it came from a ramp.
    """

    ball: int
    copy: int
    slot: str
    before: int = 0


class Record(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where every ball is and what it did since the roll began.

    ``on`` lists the slots each ball is in contact with; ``last`` the copy it was last in contact with;
    ``still`` the tiles a ball has been lying on since the roll began and has not left (3.Touch.B); ``holes``
    the tile through whose hole a ball fell, which may have moved since; other balls fell through open slots;
    ``left`` the slot that a ball left last which had lain there as the roll began, before it came anywhere,
    or the one on whose ramp it was let go;
    ``away`` the balls that hands have taken off the board, with the tile they lay on or alone (R-36).
    """

    on: dict[int, tuple[str, ...]] = {}
    ramps: dict[int, str] = {}
    zones: dict[int, str] = {}
    last: dict[int, int] = {}
    still: dict[int, tuple[int, ...]] = {}
    touches: dict[int, int] = {}
    arrivals: tuple[Arrival, ...] = ()
    fell: tuple[int, ...] = ()
    holes: dict[int, int] = {}
    lost: tuple[tuple[int, int | None], ...] = ()
    entered_zone: tuple[int, ...] = ()
    trails: dict[int, tuple[str, ...]] = {}
    left: dict[int, str] = {}
    stuck: tuple[tuple[int, str], ...] = ()
    away: tuple[int, ...] = ()


EMPTY: Final = Record()


def nowhere(record: Record) -> dict[int, str]:
    """Return the balls that have left a slot and of which nothing else is known, each with that slot."""
    lost = {ball for ball, _copy in record.lost}
    known = {*record.on, *record.ramps, *record.zones, *record.fell, *record.away, *lost}
    left = {**record.left, **{ball: trail[-1] for ball, trail in record.trails.items()}}
    return {ball: slot for ball, slot in left.items() if ball not in known}


def number_of_next(record: Record) -> int:
    """Return a number that no ball of the roll has had."""
    gone = [*record.fell, *record.away, *(ball for ball, _copy in record.lost)]
    known = [*record.on, *record.ramps, *record.zones, *record.trails, *record.left, *gone]
    return max(known, default=0) + 1


def let_go_at(record: Record, ball: int, slot: str, copy: int | None) -> Record:
    """Let a ball go on the ramp of the tile in a slot: a new one, or one that lay elsewhere (R-23, R-33).

    ``copy`` is that tile, if hands have put the ball there: then it was in contact with that last, and is
    live again if it had fallen. What it does is still to be seen, or told.
    """
    record = _live(_without(record, ball), ball)
    last = record.last if copy is None else {**record.last, ball: copy}
    if ball in record.trails:
        return replace(record, last=last, trails=_with_trail(record, ball, slot))
    return replace(record, last=last, left={**record.left, ball: slot})


def begin(record: Record, laid: Mapping[str, int], *, keep: bool = False) -> Record:
    """Take the contact snapshot and restart the counters when a ball is released (R-12).

    ``keep`` is for a release inside a roll: what balls did before still belongs to the roll. An old ball in
    an end zone may still go over the side, and costs the tile that it was on last, however long ago (R-33).
    """
    still = {ball: tuple([laid[slot] for slot in slots if slot in laid]) for ball, slots in record.on.items()}
    if keep:
        return replace(record, still=still, touches={})
    last = {ball: copy for ball, copy in record.last.items() if ball in record.zones}
    last.update({ball: copies[-1] for ball, copies in still.items() if copies})
    return Record(on=record.on, ramps=record.ramps, zones=record.zones, last=last, still=still)


def fold(
    record: Record,
    facts: Sequence[Fact],
    layouts: tuple[tuple[int, dict[str, int]], ...],
    *,
    fresh: bool,
    carried: tuple[tuple[int, dict[str, str]], ...] = (),
) -> Record:
    """Apply a settlement's facts in order.

    ``layouts`` says since when which copy lay in which slot. ``fresh`` says that the roll's first release is
    still to come; each later release only restarts the counters (R-12). ``carried`` says when tiles were
    moved meanwhile, with what lay on them.
    """
    first, later = layouts[0][1], layouts[1:]
    if fresh and not any(isinstance(fact, BallReleased) for fact in facts):
        record, fresh = begin(record, first), False
    for fact in facts:
        while carried and fact.at_us >= carried[0][0]:
            record, carried = _carried_at(record, *carried[0], layouts), carried[1:]
        laid, kind = first, type(fact)
        for since_us, layout in later:
            if fact.at_us >= since_us:
                laid = layout
        if kind is BallReleased:
            record, fresh = begin(record, laid, keep=not fresh), False
        record = _FOLDED[kind](record, fact, laid)
    for at_us, over in carried:
        record = _carried_at(record, at_us, over, layouts)
    return record


def _carried_at(
    record: Record, at_us: int, over: Mapping[str, str], layouts: tuple[tuple[int, dict[str, int]], ...]
) -> Record:
    """Move balls with their tiles at a time; until then the layout before that was valid."""
    before = [layout for since_us, layout in layouts if since_us < at_us]
    return carry(record, over, before[-1] if before else layouts[0][1])


def carry(record: Record, over: Mapping[str, str], laid: Mapping[str, int]) -> Record:
    """Move the balls that lie on tiles which are moved from some slots to others; ``laid`` is from before.

    A ball that leans on a neighbour goes along with a tile that is lifted, and is in contact with no other
    then; a tile that is only turned where it lies lifts no ball.
    """
    on, last, still = dict(record.on), dict(record.last), dict(record.still)
    for ball, slots in record.on.items():
        moved = [slot for slot in slots if over.get(slot, slot) != slot]
        along = moved or slots
        on[ball] = tuple([over.get(slot, slot) for slot in along])
        if len(along) < len(slots):
            copies = [laid[slot] for slot in along if slot in laid]
            if copies:
                last[ball] = copies[-1]
            still[ball] = tuple([copy for copy in still.get(ball, ()) if copy in copies])
    return replace(record, on=on, last=last, still=still)


def add(record: Record, fact: Fact, laid: Mapping[str, int]) -> Record:
    """Apply one fact. Total: a fact about an unknown ball adds that ball."""
    return _FOLDED[type(fact)](record, fact, laid)


def _released(record: Record, fact: BallReleased, _laid: Mapping[str, int]) -> Record:
    gone = _without(_live(record, fact.ball), fact.ball)
    return replace(gone, ramps={**record.ramps, fact.ball: fact.ramp})


def _fell(record: Record, fact: BallFell, laid: Mapping[str, int]) -> Record:
    ball, copy = fact.ball, laid.get(fact.slot)
    gone = _without(record, ball)
    holes = _less(record.holes, ball) if copy is None else {**record.holes, ball: copy}
    return replace(gone, fell=(*record.fell, ball), holes=holes, trails=_with_trail(record, ball, fact.slot))


def _off_board(record: Record, fact: BallOffBoard, _laid: Mapping[str, int]) -> Record:
    gone = _without(record, fact.ball)
    return replace(gone, lost=(*record.lost, (fact.ball, record.last.get(fact.ball))))


def _in_zone(record: Record, fact: BallInZone, _laid: Mapping[str, int]) -> Record:
    gone = _without(record, fact.ball)
    zones = {**gone.zones, fact.ball: fact.zone}
    return replace(gone, zones=zones, entered_zone=(*record.entered_zone, fact.ball))


def _left_zone(record: Record, fact: BallLeftZone, _laid: Mapping[str, int]) -> Record:
    return _without(record, fact.ball)


def _stuck(record: Record, fact: BallStuckOnRamp, _laid: Mapping[str, int]) -> Record:
    gone = _without(record, fact.ball)
    ramps = {**gone.ramps, fact.ball: fact.ramp}
    return replace(gone, ramps=ramps, stuck=(*record.stuck, (fact.ball, fact.ramp)))


def _entered(record: Record, fact: BallEntered, laid: Mapping[str, int]) -> Record:
    ball, slot = fact.ball, fact.slot
    if ball in record.fell or ball in record.away:
        record = _live(record, ball)
    on, copy = record.on.get(ball, ()), laid.get(slot)
    last, touches, arrivals = record.last, record.touches, record.arrivals
    if copy is not None:
        last = {**last, ball: copy}
        if not _already_there(record, ball, slot, copy, laid):
            touches = {**touches, copy: touches.get(copy, 0) + 1}
            arrivals = (*arrivals, Arrival(ball, copy, slot, _before(record, ball, copy)))
    return replace(
        record,
        on={**record.on, ball: on if slot in on else (*on, slot)},
        ramps=_less(record.ramps, ball) if ball in record.ramps else record.ramps,
        zones=_less(record.zones, ball) if ball in record.zones else record.zones,
        trails=_with_trail(record, ball, slot),
        last=last,
        touches=touches,
        arrivals=arrivals,
    )


def _before(record: Record, ball: int, copy: int) -> int:
    """Return the other tile that a ball was last in contact with; a return asks how it came at first."""
    last = record.last.get(ball, 0)
    if last != copy:
        return last
    own = (one.before for one in reversed(record.arrivals) if (one.ball, one.copy) == (ball, copy))
    return next(own, 0)


def _already_there(record: Record, ball: int, slot: str, copy: int, laid: Mapping[str, int]) -> bool:
    """Whether a ball that comes into a slot is on that tile already, so that it does not touch it."""
    if copy in record.still.get(ball, ()):
        return True
    for other in record.on.get(ball, ()):
        if laid.get(other) == copy:
            return True
    return _along_the_same_tile(record, ball, slot, copy, laid)


def _live(record: Record, ball: int) -> Record:
    """Make a ball live again that fell through a slot or was taken off, and was put back (R-23)."""
    if ball not in record.fell and ball not in record.away:
        return record
    fell = tuple(other for other in record.fell if other != ball)
    return replace(record, fell=fell, away=tuple(other for other in record.away if other != ball))


def _along_the_same_tile(record: Record, ball: int, slot: str, copy: int, laid: Mapping[str, int]) -> bool:
    """Whether a ball only goes from one slot to another of the same larger tile: no new arrival (R-13)."""
    if record.last.get(ball) != copy:
        return False
    trail = record.trails.get(ball)
    before = trail[-1] if trail else record.left.get(ball, slot)
    return before != slot and laid.get(before) == copy


def _left(record: Record, fact: BallLeft, laid: Mapping[str, int]) -> Record:
    ball, still, copy = fact.ball, record.still, laid.get(fact.slot)
    on, before = _less(record.on, ball), record.on.get(ball, ())
    slots = () if before == (fact.slot,) else tuple([slot for slot in before if slot != fact.slot])
    last = record.last
    if slots:
        on = {**on, ball: slots}
        touching = next((laid[slot] for slot in reversed(slots) if slot in laid), None)
        if touching is not None:  # it was in contact with that one longer
            last = {**last, ball: touching}
    if copy is not None and (not slots or copy not in [laid.get(slot) for slot in slots]):
        lain = still.get(ball, ())
        still = {**still, ball: tuple([other for other in lain if other != copy]) if lain else ()}
    if ball not in record.trails:
        return replace(record, on=on, still=still, last=last, left={**record.left, ball: fact.slot})
    return replace(record, on=on, still=still, last=last)


def _without(record: Record, ball: int) -> Record:
    """Take a ball away from wherever it is; it no longer lies on any tile."""
    return replace(
        record,
        on=_less(record.on, ball),
        ramps=_less(record.ramps, ball),
        zones=_less(record.zones, ball),
        still=_less(record.still, ball),
    )


def _less(known: dict[int, V], ball: int) -> dict[int, V]:
    """Return a mapping without one ball; the same object if the ball is not in it."""
    if ball not in known:
        return known
    left = dict(known)
    del left[ball]
    return left


def _with_trail(record: Record, ball: int, slot: str) -> dict[int, tuple[str, ...]]:
    trails = record.trails
    trail = trails.get(ball, ())
    return trails if trail and trail[-1] == slot else {**trails, ball: (*trail, slot)}


def forget_tile(record: Record, copy: int, slots: tuple[str, ...], *, balls_go: bool) -> Record:
    """Forget a tile that left: its counter vanishes (R-30); balls on it leave too or roll on (R-36)."""
    if copy in record.touches:
        record = replace(record, touches=_less(record.touches, copy))
    if not balls_go or not any(slot in slots for there in record.on.values() for slot in there):
        return record
    away = [ball for ball, on in record.on.items() if set(on) <= set(slots)]
    for ball in away:
        record = forget_ball(record, ball)
    on = {ball: tuple(slot for slot in there if slot not in slots) for ball, there in record.on.items()}
    return replace(record, on=on)


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
    return replace(record, touches=touches)


def forget_ball(record: Record, ball: int) -> Record:
    """Forget a ball that was taken off the board by hand."""
    return replace(_without(record, ball), away=(*record.away, ball))


def off_ramps(record: Record, balls: Collection[int]) -> Record:
    """Take balls off their ramps, by hand."""
    return replace(record, ramps={ball: ramp for ball, ramp in record.ramps.items() if ball not in balls})


def relocated(record: Record, fact: Fact, laid: Mapping[str, int]) -> Record:
    """Replace a ball's fate (R-14): what was known of its end is forgotten; contact is not a touch.

    In which end zone a ball lies that is known to lie in one does not let it roll in anew (R-24).
    """
    ball = fact.ball
    if isinstance(fact, BallInZone) and ball in record.zones and ball not in record.fell:
        return replace(record, zones={**record.zones, ball: fact.zone})
    clean = replace(
        _without(_live(record, ball), ball),
        lost=tuple(pair for pair in record.lost if pair[0] != ball),
        entered_zone=tuple(other for other in record.entered_zone if other != ball),
    )
    if not isinstance(fact, BallEntered):
        return add(clean, fact, laid)
    last = {**clean.last, ball: laid[fact.slot]} if fact.slot in laid else clean.last
    return replace(clean, on={**clean.on, ball: (fact.slot,)}, last=last)


def moved_by_hand(record: Record, fact: Fact) -> Record:
    """Move a ball without any consequence for the roll: only its position changes (R-22)."""
    moved = add(record, fact, {})
    return replace(record, on=moved.on, zones=moved.zones, ramps=moved.ramps)


_FOLDED: Final[dict[type[Fact], Callable[[Record, Any, Mapping[str, int]], Record]]] = {
    BallEntered: _entered,
    BallLeft: _left,
    BallReleased: _released,
    BallFell: _fell,
    BallOffBoard: _off_board,
    BallInZone: _in_zone,
    BallLeftZone: _left_zone,
    BallStuckOnRamp: _stuck,
}
"""What each kind of fact does to the record."""

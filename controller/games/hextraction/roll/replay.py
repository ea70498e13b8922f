"""The last roll, kept so that any phone can replay it; like the game, derived from the journal alone.

A settlement replaces what was seen on the way; where people say what balls do, there are only their taps. The
rules decide what is a touch: this only records when each happened.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

import msgspec
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
    Fact,
    RollSettled,
)
from hextraction.controller.games.hextraction.roll.lost_balls import witness_choices
from hextraction.controller.games.hextraction.roll.rolling import WITNESS
from hextraction.controller.games.hextraction.state.record import Record, begin, fold
from hextraction.controller.games.hextraction.state.state import Roll, State
from hextraction.controller.games.protocol import Acted
from hextraction.controller.games.rolls import LastRoll, RolledBall, Stop

__all__ = ["RollKeeper", "doubts_of"]

# --- What is unsure: the legs missing from another plausible account ---
#
# All balls are alike, so accounts are compared by what happened, not by which ball it happened to.

Leg = tuple[str, str]
K = TypeVar("K")


def doubts_of(
    facts: Sequence[Fact], others: Sequence[Sequence[Fact]]
) -> dict[int, tuple[tuple[bool, ...], bool]]:
    """Return for each ball which of its arrivals are unsure, and whether its end is unsure.

    ``others`` are the accounts that may be true instead, possibly including this one. The n-th leg from one
    slot to another is sure if every account has at least n of them.
    """
    legs, ends = _legs(facts)
    made = [_legs(other) for other in others]
    fewest = _fewest([Counter(leg for some in legs_of.values() for leg in some) for legs_of, _ends in made])
    rests = _fewest([Counter(ends_of.values()) for _legs_of, ends_of in made])
    found: dict[int, tuple[tuple[bool, ...], bool]] = {}
    crossed: Counter[Leg] = Counter()
    came: Counter[str] = Counter()
    for ball, some in legs.items():
        unsure = []
        for leg in some:
            crossed[leg] += 1
            unsure.append(bool(others) and crossed[leg] > fewest[leg])
        came[ends[ball]] += 1
        found[ball] = (tuple(unsure), bool(others) and came[ends[ball]] > rests[ends[ball]])
    return found


def _fewest(counts: Sequence[Counter[K]]) -> Counter[K]:
    found: Counter[K] = Counter(counts[0]) if counts else Counter()
    for other in counts[1:]:
        found &= other
    return found


def _legs(facts: Sequence[Fact]) -> tuple[dict[int, list[Leg]], dict[int, str]]:
    """Return each ball's legs, as (from, to), and its end."""
    legs: dict[int, list[Leg]] = {}
    at: dict[int, str] = {}
    for fact in facts:
        some = legs.setdefault(fact.ball, [])
        if isinstance(fact, BallEntered):
            some.append((at.get(fact.ball, ""), fact.slot))
        at[fact.ball] = _place(fact, at.get(fact.ball, ""))
    return legs, at


def _place(fact: Fact, before: str) -> str:
    match fact:
        case BallReleased() | BallStuckOnRamp():
            return f"ramp.{fact.ramp}"
        case BallEntered():
            return fact.slot
        case BallLeft():
            return before or fact.slot
        case BallFell():
            return f"hole.{fact.slot}"
        case BallInZone():
            return f"zone.{fact.zone}"
        case BallLeftZone():
            return before
        case BallOffBoard():
            return f"side.{fact.slot}"


# --- Keeping the last roll ---

_SURE: Final = 0.9
"""If a roll is less sure than this, all its parts are unsure."""

_MOST_EARLIER: Final = 5
"""How many rolls before the last one are kept, for who takes their taps back: each is several taps."""

_replace = msgspec.structs.replace


class RollKeeper:
    """Keeps :attr:`last`, the last roll that came to rest; must be told each entry applied to the game."""

    def __init__(self) -> None:
        self.last: LastRoll | None = None
        self._earlier: list[LastRoll] = []
        self._rolls = 0
        self._began_us = 0
        self._settled: dict[int, RolledBall] = {}
        self._seen: dict[int, RolledBall] = {}

    def follow(self, before: State, what: object, after: State) -> None:
        """Process an entry, given the states before and after it."""
        old, new = before.roll, after.roll
        if before.tap is not None and _is_undo(what):
            self._untapped(before, old, new)
        elif old is None:
            if new is not None:
                self._begin(new, before.at_us if new.told else new.since_us)
        else:
            self._go_on(before, old, what, after)

    def _go_on(self, before: State, old: Roll, what: object, after: State) -> None:
        """Process an entry while a roll is on, or that ends it."""
        new = after.roll
        if new is not None and new.record is not old.record and not isinstance(what, RollSettled):
            self._watch(old.record, new, after.at_us)
        if old.held is not None and (new is None or new.held is not old.held):
            if new is not None and new.held is not None:  # the answer left something open
                self._settle(before, old, new.held, waits=True)
            else:
                self._held_is_over(before, old, old.held, what)
        elif isinstance(what, RollSettled) and not old.told:
            self._settle(before, old, what, waits=new is not None and new.held is what)
        elif old.told and (new is None or not new.told):
            # Where only results are told, the tap that says where the ball went ends the roll, or the turn.
            end = "" if new is not None else _said_end(what)
            self._told(before, old if new is None else new, end, _teller(what))
        elif isinstance(what, Acted) and new is not None and new.record is not old.record and not new.told:
            self._corrected(new, after)

    def _untapped(self, before: State, old: Roll | None, new: Roll | None) -> None:
        """Forget what a tap told that was taken back: an ended roll goes on, or one has not begun."""
        if self.last is not None and self.last.number == self._rolls:
            self.last = self._earlier.pop() if self._earlier else None
        self._rolls -= old is not None or new is not None
        if new is not None:
            self._begin(new, before.at_us if new.told else new.since_us)

    # --- during the roll ------------------------------------------------------------------------------------

    def _begin(self, roll: Roll, at_us: int) -> None:
        self._rolls += 1
        self._began_us = min(at_us, roll.since_us)
        self._settled, self._seen = {}, {}
        self._watch(roll.base, roll, roll.since_us)

    def _ms(self, at_us: int) -> int:
        return max(0, (at_us - self._began_us) // 1000)

    def _watch(self, before: Record, roll: Roll, at_us: int) -> None:
        """Note what is new in a record; used only if people say what balls do."""
        now, at_ms = roll.record, self._ms(at_us)
        for ball, ramp in now.ramps.items():
            if before.ramps.get(ball) != ramp:
                self._seen[ball] = RolledBall(ball=ball, ramp=ramp)
        for ball, trail in now.trails.items():
            known = before.trails.get(ball, ())
            new = trail[len(known) :] if trail[: len(known)] == known else ()
            for slot in new:
                touch = _touch(before, now, slot, roll.layouts[-1][1])
                _add(self._seen, ball, Stop(slot=slot, at_ms=at_ms, touch=touch))

    # --- at rest --------------------------------------------------------------------------------------------

    def _settle(self, state: State, roll: Roll, seen: RollSettled, *, waits: bool) -> None:
        """Handle a settlement; while it waits for an answer, show its likeliest account with its doubts."""
        question = seen.question if waits else None
        answers = question.answers if question is not None else ()
        made = self._account(
            roll, seen.facts, answers, sure=question is not None or seen.probability >= _SURE
        )
        asked = question.slots if question is not None else ()
        self._show(state, roll, *made, probability=seen.probability, asked=asked)
        if not waits:
            self._settled, self._seen = made[0], {}

    def _held_is_over(self, state: State, roll: Roll, held: RollSettled, what: object) -> None:
        """Handle the table's answer to the tracker's doubt, or its leaving the likeliest answer in place."""
        answers = held.question.answers if held.question is not None else ()
        chosen = _chosen(state, held, what)
        facts, sure = held.facts, held.probability
        if chosen is not None:
            facts, sure, answers = answers[chosen].facts, answers[chosen].probability, ()
        left = answers[0].probability if answers else sure
        made = self._account(roll, facts, answers, sure=left >= _SURE)
        teller = _teller(what) if chosen is not None else ""
        self._show(state, roll, *made, probability=sure, told=chosen is not None, teller=teller)
        self._settled, self._seen = made[0], {}

    def _told(self, state: State, roll: Roll, end: str, teller: str) -> None:
        """Handle people's word that all balls lie still: what they tapped is the roll.

        ``end`` is where they last said that a ball ended, if the record no longer tells; ``teller`` who
        said so.
        """

        def fate(ball: int) -> str | None:
            return end if end and ball in roll.record.ramps else _fate(roll.record, ball)

        balls = {ball: _replace(one, fate=fate(ball)) for ball, one in self._settled.items()}
        for ball, one in self._seen.items():
            _join(balls, ball, _replace(one, fate=fate(ball)))
        self._show(state, roll, balls, roll.record, told=True, teller=teller)
        self._settled, self._seen = balls, {}

    def _account(
        self, roll: Roll, facts: Sequence[Fact], answers: Sequence[Answer], *, sure: bool
    ) -> tuple[dict[int, RolledBall], Record]:
        """Return the roll's balls with their stops, and the record resulting from these facts."""
        balls, now = self._stops(roll, facts)
        doubts = doubts_of(facts, [answer.facts for answer in answers])
        found = dict(self._settled)
        for ball, one in balls.items():
            legs, end = doubts[ball]
            stops = tuple(
                _replace(stop, unsure=not sure or doubtful)
                for stop, doubtful in zip(one.stops, legs, strict=True)
            )
            _join(found, ball, _replace(one, stops=stops, fate=_fate(now, ball), unsure=end or not sure))
        return found, now

    def _stops(self, roll: Roll, facts: Sequence[Fact]) -> tuple[dict[int, RolledBall], Record]:
        now, fresh = roll.base, roll.fresh
        if fresh and not any(isinstance(fact, BallReleased) for fact in facts):
            now, fresh = begin(now, roll.layouts[0][1]), False
        balls: dict[int, RolledBall] = {}
        carried = roll.carried
        for fact in facts:
            released = isinstance(fact, BallReleased)
            due = tuple([one for one in carried if one[0] <= fact.at_us])
            carried = carried[len(due) :]
            before, now = now, fold(now, (fact,), roll.layouts, fresh=fresh and released, carried=due)
            fresh = fresh and not released
            if isinstance(fact, BallReleased):
                balls[fact.ball] = RolledBall(ball=fact.ball, ramp=fact.ramp)
            if isinstance(fact, BallEntered):
                touch = _touch(before, now, fact.slot, _layout(roll, fact.at_us))
                _add(balls, fact.ball, Stop(slot=fact.slot, at_ms=self._ms(fact.at_us), touch=touch))
            one = balls.get(fact.ball, RolledBall(ball=fact.ball))
            balls[fact.ball] = _replace(one, end_ms=max(one.end_ms, self._ms(fact.at_us)))
        return balls, fold(now, (), roll.layouts, fresh=False, carried=carried)

    # --- what is shown --------------------------------------------------------------------------------------

    def _show(
        self,
        state: State,
        roll: Roll,
        balls: Mapping[int, RolledBall],
        now: Record,
        *,
        probability: float = 1.0,
        asked: tuple[str, ...] = (),
        told: bool = False,
        teller: str = "",
    ) -> None:
        if self.last is not None and self.last.number != self._rolls:
            self._earlier = [*self._earlier[-_MOST_EARLIER:], self.last]
        self.last = LastRoll(
            number=self._rolls,
            roller=roll.roller,
            turn=state.turn,
            balls=tuple(balls[ball] for ball in sorted(balls)),
            touches=_touches(state, now),
            probability=probability,
            asked=asked,
            told=told,
            teller=teller,
        )

    def _corrected(self, roll: Roll, state: State) -> None:
        """Apply people's correction of a count or a ball's place after the roll came to rest (R-14, R-34)."""
        if self.last is None or self.last.number != self._rolls:
            return
        balls = []
        for one in self.last.balls:
            fate = _fate(roll.record, one.ball)
            balls.append(one if fate == one.fate else _replace(one, fate=fate, unsure=False))
        gone = {slot for slot in self.last.touches if any(slot == laid.slot for laid in state.laid)}
        kept = {slot: count for slot, count in self.last.touches.items() if slot not in gone}
        touches = {**kept, **_touches(state, roll.record)}
        self.last = _replace(self.last, balls=tuple(balls), touches=touches)


_ENDS: Final = {"fell": "hole", "rests": "slot", "off": "side", "zone": "zone"}
"""What people may have seen of a ball's end, as a fate."""


def _said_end(what: object) -> str:
    """Return the end of a ball that a tap told, such as ``hole.C1``; empty if it told none."""
    if not isinstance(what, Acted) or what.act.get("do") != "attest":
        return ""
    kind, place = _ENDS.get(str(what.act.get("saw")), ""), str(what.act.get("place") or "")
    return f"{kind}.{place}" if kind and place else kind


def _is_undo(what: object) -> bool:
    """Whether somebody takes back their own last tap."""
    return isinstance(what, Acted) and what.act.get("do") == "undo"


def _teller(what: object) -> str:
    """Return the seat that told or answered something; empty if nobody did."""
    return what.seat if isinstance(what, Acted) else ""


def _add(balls: dict[int, RolledBall], ball: int, stop: Stop) -> None:
    one = balls.get(ball, RolledBall(ball=ball))
    balls[ball] = _replace(one, stops=(*one.stops, stop), end_ms=max(one.end_ms, stop.at_ms))


def _join(balls: dict[int, RolledBall], ball: int, later: RolledBall) -> None:
    """Append the stops of a ball that moves again in the same roll, starting from where it lay."""
    before = balls.get(ball)
    if before is None or later.ramp is not None:
        balls[ball] = later
    else:
        balls[ball] = _replace(later, ramp=before.ramp, stops=(*before.stops, *later.stops))


def _layout(roll: Roll, at_us: int) -> Mapping[str, int]:
    laid = roll.layouts[0][1]
    for since_us, layout in roll.layouts[1:]:
        if at_us >= since_us:
            laid = layout
    return laid


def _touch(before: Record, now: Record, slot: str, layout: Mapping[str, int]) -> int:
    copy = layout.get(slot, 0)
    count = now.touches.get(copy, 0)
    return count if count != before.touches.get(copy, 0) else 0


def _touches(state: State, now: Record) -> dict[str, int]:
    return {laid.slot: now.touches[laid.copy] for laid in state.laid if now.touches.get(laid.copy)}


def _fate(now: Record, ball: int) -> str | None:
    if ball in now.fell:
        return f"hole.{now.trails[ball][-1]}" if now.trails.get(ball) else "hole"
    if any(ball == other for other, _copy in now.lost):
        return f"side.{now.trails[ball][-1]}" if now.trails.get(ball) else "side"
    if ball in now.zones:
        return f"zone.{now.zones[ball]}"
    if ball in now.ramps:
        return f"ramp.{now.ramps[ball]}"
    return f"slot.{now.on[ball][-1]}" if now.on.get(ball) else None


def _chosen(state: State, held: RollSettled, what: object) -> int | None:
    """Return which answer people gave, or None if they gave none."""
    if held.question is None or not isinstance(what, Acted) or what.act.get("do") != "answer":
        return None
    if not any(ask.kind == WITNESS.word and ask.id == what.act.get("prompt") for ask in state.asks):
        return None
    words = [word for word, _label in witness_choices(held.question)]
    choice = str(what.act.get("choice"))
    return words.index(choice) if choice in words else None

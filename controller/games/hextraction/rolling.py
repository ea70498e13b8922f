"""Rolling: from the choice of a ramp to all balls at rest (2.1, R-11 … R-18, R-30 … R-34, R-37)."""

from itertools import combinations

import msgspec

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Doubt,
    Fact,
    RollSettled,
)
from hextraction.controller.games.hextraction import destroying, effects, record, turns
from hextraction.controller.games.hextraction import actions as act
from hextraction.controller.games.hextraction.move import Move, Refusal
from hextraction.controller.games.hextraction.state import Ask, Phase, Roll
from hextraction.controller.games.protocol import OpenGate

__all__ = [
    "accident",
    "accident_settled",
    "answer_ban",
    "answer_loop",
    "answer_missing",
    "answer_stuck",
    "attest",
    "break_loop",
    "break_the_loop",
    "choose_ramp",
    "fact",
    "loop_candidates",
    "loop_watch",
    "release",
    "settled",
]


def choose_ramp(move: Move, seat: str, action: act.Roll) -> None:
    """A player asks for a ramp: its gate opens if it has one (2.1.1)."""
    roller, clause = who_rolls(move)
    if seat != roller:
        raise Refusal(f"It is {move.name(roller)} who rolls.", clause)
    if move.state.demanded == 0 and move.state.rolls_owed < 1:
        raise Refusal("No roll is left this turn.", "2.0.2")
    if action.ramp not in move.board.ramp_by_name:
        raise Refusal(f"This board has no ramp {action.ramp}.", "2.1.1.2")
    wanted = move.state.demanded_ramps if move.state.demanded else ()
    if wanted and action.ramp not in wanted:
        raise Refusal(f"The effect allows only {', '.join(wanted)}.", "3.Rolling.2")
    if not turns.legal_ramps(move, wanted):
        _ask_bans(move, seat, action.ramp)
        return
    if action.ramp not in turns.legal_ramps(move, wanted):
        raise Refusal(f"An effect bans ramp {action.ramp}.", "2.1.2")
    move.set(intent=(seat, action.ramp), phase=Phase.RELEASING)
    move.say("ramp", f"{move.name(seat)} takes ramp {action.ramp}.", seat=seat)
    if move.state.config.gates and move.state.power:
        move.do(OpenGate(ramp=action.ramp))


def who_rolls(move: Move) -> tuple[str, str]:
    """Return who may release a ball now, and the clause that says so."""
    if move.state.demanded and move.state.intent is not None:
        return move.state.intent[0], "3.Rolling.2"
    return move.state.active, "2.1.1"


def _ask_bans(move: Move, seat: str, ramp: str) -> None:
    """Effects ban every ramp: ignore the fewest of them, of the player's choice (2.1.2, R-38)."""
    banning = [
        laid.copy
        for laid in move.state.laid
        if any(effect.deed.value == "ban_ramps" for effect in move.tile(laid.copy).effects)
    ]
    for size in range(1, len(banning) + 1):
        sets = [chosen for chosen in combinations(banning, size) if _frees_a_ramp(move, chosen)]
        if sets:
            move.ask(
                "ban",
                seat,
                "Effects ban every ramp. Ignore which for this roll?",
                "2.1.2",
                [
                    (",".join(map(str, chosen)), " and ".join(move.title(copy) for copy in chosen))
                    for chosen in sets
                ],
                args=(ramp,),
            )
            return


def _frees_a_ramp(move: Move, chosen: tuple[int, ...]) -> bool:
    trial = Move(move.rules, move.state)
    trial.set(ignored_bans=chosen)
    return bool(turns.legal_ramps(trial))


def answer_ban(move: Move, _ask: Ask, choice: str) -> None:
    """The player has chosen which bans to ignore for this roll."""
    move.set(ignored_bans=tuple(int(copy) for copy in choice.split(",")))


# --- facts --------------------------------------------------------------------------------------------------


def release(move: Move, fact_: BallReleased) -> None:
    """A ball left a ramp: the roll begins, or goes on with one more ball (R-12)."""
    state = move.state
    ordered = state.demanded > 0
    may_begin = ordered or (state.rolls_owed > 0 and state.phase in {Phase.CHOOSING, Phase.RELEASING})
    if state.roll is None and not may_begin:
        accident(move, fact_)
        return
    roller = who_rolls(move)[0] if state.roll is None or ordered else state.roll.roller
    snapshot = record.begin(move.record(), move.layout(), keep=state.roll is not None)
    now = record.add(snapshot, fact_, move.layout())
    if state.roll is None:
        roll = Roll(
            roller=roller,
            ramp=fact_.ramp,
            since_us=fact_.at_us,
            base=state.rest,
            record=now,
            layouts=((0, move.layout()),),
            due=not ordered,
        )
        move.set(roll=roll, rolls_owed=state.rolls_owed - (0 if ordered else 1))
    else:
        move.set_roll(record=now, since_us=fact_.at_us, roller=roller, ramp=fact_.ramp)
    demanded = max(0, state.demanded - 1)
    intent = (roller, "") if demanded else None
    move.set(phase=Phase.ROLLING, demanded=demanded, intent=intent, deadline_us=None)
    move.say("release", f"{move.name(roller)} rolls from ramp {fact_.ramp}.", seat=roller, ball=fact_.ball)


def fact(move: Move, fact_: Fact) -> None:
    """Something a ball did while somebody rolls: provisional until the balls lie still."""
    roll = move.state.roll
    if roll is None:
        accident(move, fact_)
        return
    if move.state.phase in {Phase.RESOLVING, Phase.SETTLING, Phase.RELEASING}:
        # A ball that moves during the roll makes the game unstable again, whatever set it off (2.1.4.1).
        move.set_roll(base=roll.record)
        move.set(phase=Phase.ROLLING, deadline_us=None)
    before = move.record()
    after = record.add(before, fact_, move.layout())
    move.set_roll(record=after)
    _tell(move, fact_, before.touches, after)


def _tell(move: Move, fact_: Fact, before: dict[int, int], after: record.Record) -> None:
    match fact_:
        case BallEntered():
            copy = move.layout().get(fact_.slot)
            count = after.touches.get(copy, 0) if copy is not None else 0
            if copy is not None and count != before.get(copy, 0):
                move.say("touch", f"{move.title(copy)} at {fact_.slot} is touched: {count}.",
                         slot=fact_.slot, ball=fact_.ball)  # fmt: skip
        case BallFell():
            move.say(
                "fell",
                f"The ball falls through {fact_.slot}.",
                slot=fact_.slot,
                ball=fact_.ball,
                clause="2.1.5.1",
            )
        case BallInZone():
            move.say("zone", f"A ball is in the {zone_title(move, fact_.zone)}.", ball=fact_.ball)
        case BallOffBoard():
            move.say("off", "A ball left over the side.", slot=fact_.slot, ball=fact_.ball, clause="2.1.5.3")
        case _:
            pass


def zone_title(move: Move, zone: str) -> str:
    """Return what people call an end zone."""
    return next((known.title for known in move.board.zones if known.name == zone), zone)


def settled(move: Move, fact_: RollSettled, *, attested: bool = False) -> None:
    """Nothing moves any more: the settlement replaces what was provisional, then effects are due (R-17).

    What people have attested was never provisional, so it stays as it is.
    """
    roll = move.state.roll
    if roll is None:
        accident_settled(move, fact_)
        return
    now = roll.record if attested else record.fold(roll.base, fact_.facts, roll.layouts, fresh=roll.fresh)
    stuck = tuple(pair for pair in now.stuck if pair not in roll.stuck)
    move.set_roll(record=now, base=now, stuck=now.stuck, fresh=False, heard=len(now.arrivals))
    move.set(phase=Phase.RESOLVING)
    move.say("still", "All balls are at rest.")
    for doubt in fact_.missing:
        _ask_missing(move, doubt)
    for ball, ramp in stuck:
        _stuck(move, ball, ramp)
    effects.queue_triggers(move, now.arrivals[roll.heard :])


def accident(move: Move, fact_: Fact) -> None:
    """A ball moves though nobody rolls: no touch, trigger, win or destruction (2.11.1, R-62)."""
    move.set(rest=record.resting(record.add(move.state.rest, fact_, {})))
    if isinstance(fact_, BallReleased):
        move.say("accident", f"A ball left ramp {fact_.ramp}, but nobody is rolling: it does not count.",
                 ball=fact_.ball, clause="2.11.1")  # fmt: skip


def accident_settled(move: Move, fact_: RollSettled) -> None:
    """After an accident balls stay where they lie (2.11.2)."""
    now = move.state.rest
    for known in fact_.facts:
        now = record.add(now, known, {})
    move.set(rest=record.resting(now))


# --- questions about balls ----------------------------------------------------------------------------------


def _ask_missing(move: Move, doubt: Doubt) -> None:
    """A ball that nobody saw leave is asked for (R-34)."""
    where = f"It was last seen on {doubt.slot}." if doubt.slot else "It was last seen on its ramp."
    choices = [("off", "Over the side"), ("fell", "Through a slot or under the board")]
    choices += [(f"zone.{zone.name}", f"In the {zone.title}") for zone in move.board.zones]
    choices += [(f"slot.{slot}", f"It lies on {slot}") for slot in move.board.slot_names]
    choices += [(f"ramp.{ramp.name}", f"Still on ramp {ramp.name}") for ramp in move.board.ramps]
    roller = move.state.roll.roller if move.state.roll is not None else move.state.active
    move.ask("missing", roller, f"Where did the ball go? {where}", "R-34", choices,
             slots=(doubt.slot,) if doubt.slot else (), args=(doubt.ball, doubt.slot or ""))  # fmt: skip


def answer_missing(move: Move, ask: Ask, choice: str) -> None:
    """The table has said where the ball went."""
    ball, slot, at_us = int(ask.args[0]), str(ask.args[1]), move.state.at_us
    kind, _dot, place = choice.partition(".")
    found: Fact
    match kind:
        case "off":
            found = BallOffBoard(at_us=at_us, ball=ball, slot=slot or None)
        case "fell":
            found = BallFell(at_us=at_us, ball=ball, slot=slot)
        case "zone":
            found = BallInZone(at_us=at_us, ball=ball, zone=place)
        case "ramp":
            found = BallStuckOnRamp(at_us=at_us, ball=ball, ramp=place)
        case _:
            found = BallEntered(at_us=at_us, ball=ball, slot=place)
    before = move.record()
    if kind == "slot" and before.on.get(ball) == (place,):
        return
    if kind == "slot":
        for old in before.on.get(ball, ()):
            move.set_record(
                record.add(move.record(), BallLeft(at_us=at_us, ball=ball, slot=old), move.layout())
            )
    now = record.add(move.record(), found, move.layout())
    move.set_record(now)
    if move.state.roll is not None:
        move.set_roll(base=now, heard=len(now.arrivals))
        effects.queue_triggers(move, now.arrivals[len(before.arrivals) :])
    if kind == "ramp":
        _stuck(move, ball, place)


def _stuck(move: Move, ball: int, ramp: str) -> None:
    """A ball did not leave its ramp: another free ramp to the same slot, or the tile below goes (2.1.3, R-37)."""
    slot = move.board.ramp_by_name[ramp].slot
    blocked = {other for _ball, other in move.record().stuck}
    others = [other.name for other in move.board.ramps_to(slot) if other.name not in blocked]
    seat = move.state.roll.roller if move.state.roll is not None else move.state.active
    choices = [(f"ramp.{name}", f"Roll another ball on ramp {name}") for name in others]
    if not choices:
        choices = [
            ("destroy", f"Lift the tile at {slot}")
            if slot in move.layout()
            else ("again", "Release it again")
        ]
    move.ask("stuck", seat, f"The ball is stuck on ramp {ramp}.", "2.1.3", choices, args=(ball, ramp, slot))


def answer_stuck(move: Move, ask: Ask, choice: str) -> None:
    """Go on after a ball stuck on its ramp; it is still the same one roll."""
    ball, _ramp, slot = ask.args
    if choice == "destroy":
        laid = move.laid_at(str(slot))
        if laid is not None:
            destroying.destroy(move, laid.copy, clause="2.1.3.2")
        fell = BallFell(at_us=move.state.at_us, ball=int(ball), slot=str(slot))
        move.set_record(record.add(move.record(), fell, move.layout()))
        move.set_roll(base=move.record())
        return
    ramps = (choice.removeprefix("ramp."),) if choice.startswith("ramp.") else ()
    if choice == "again":
        now = move.record()
        ramps_now = {other: name for other, name in now.ramps.items() if other != int(ball)}
        move.set_record(msgspec.structs.replace(now, ramps=ramps_now))
    move.set(demanded=move.state.demanded + 1, demanded_ramps=ramps, intent=(ask.seat, ""))


# --- Break the Loop -----------------------------------------------------------------------------------------


def loop_candidates(move: Move) -> tuple[int, ...]:
    """Return the tiles touched three or more times since the latest release (3.BreakTheLoop.1)."""
    return tuple(copy for copy, count in move.record().touches.items() if count >= 3 and move.laid_copy(copy))


def break_loop(move: Move, seat: str, _action: act.BreakLoop) -> None:
    """The roller breaks the loop early (2.1.4.3, R-30)."""
    roll = move.state.roll
    if roll is None or seat != roll.roller:
        raise Refusal("Only the one who is rolling can break the loop.", "2.1.4.3")
    if not loop_candidates(move):
        raise Refusal("No tile has been touched three times this roll.", "2.1.4.3")
    break_the_loop(move)


def break_the_loop(move: Move) -> None:
    """Destroy every tile at three touches at once and lock out new balls until the commit (R-32)."""
    doomed = loop_candidates(move)
    names = ", ".join(
        f"{move.title(copy)} at {laid.slots[0]}" for copy in doomed if (laid := move.laid_copy(copy))
    )
    move.say("loop", f"Break the Loop: {names or 'no tile is at three touches'}.", clause="3.BreakTheLoop.1")
    destroying.destroy_all(move, doomed, clause="3.BreakTheLoop.1")
    move.set_roll(locked=True)
    move.set(demanded=0, intent=None, demanded_ramps=())


def loop_watch(move: Move) -> None:
    """Balls have been moving for very long: ask whether they can settle at all (2.1.4.4, R-31)."""
    roll = move.state.roll
    if roll is not None and not any(ask.kind == "loop" for ask in move.state.asks):
        move.ask("loop", roll.roller, "The balls are still moving. Can this settle?", "2.1.4.4",
                 [("wait", "Wait"), ("endless", "It cannot settle")])  # fmt: skip


def answer_loop(move: Move, _ask: Ask, choice: str) -> None:
    """The table has said whether the roll can end by itself."""
    if choice == "wait" or move.state.roll is None:
        move.set_roll(since_us=move.state.at_us)
        return
    if loop_candidates(move):
        break_the_loop(move)
        move.set_roll(since_us=move.state.at_us)
        return
    now = move.record()
    for ball in [ball for ball in now.on if ball in now.trails]:
        now = record.add(
            now, BallOffBoard(at_us=move.state.at_us, ball=ball, slot=now.on[ball][-1]), move.layout()
        )
        move.say("loop", "Lift the ball out: it counts as gone over the side.", ball=ball, clause="R-31")
    move.set_roll(record=now, base=now)
    move.set(phase=Phase.RESOLVING)


# --- attestation --------------------------------------------------------------------------------------------


def attest(move: Move, seat: str, action: act.Attest) -> None:
    """A player says what everybody saw, where no electronics can (R-49, R-50)."""
    if move.state.config.sensors and move.state.power and not move.state.attesting:
        raise Refusal("The board sees this itself. Dispute it if it is wrong.", "R-14")
    seen = _attested(move, action)
    if isinstance(seen, BallReleased):
        if move.state.phase not in {Phase.CHOOSING, Phase.RELEASING, Phase.ROLLING, Phase.RESOLVING}:
            raise Refusal("Nobody can roll now.", "2.3.2")
        release(move, seen)
    elif isinstance(seen, RollSettled):
        settled(move, seen, attested=True)
    elif move.state.roll is None:
        raise Refusal("Nobody is rolling: what balls do now has no effect.", "2.11.1")
    else:
        if isinstance(seen, BallEntered):
            _leave_others(move, seen)
        fact(move, seen)
    _ = seat


def _leave_others(move: Move, seen: BallEntered) -> None:
    """A tap on the next tile also says that the ball is no longer on the one before."""
    for slot in move.record().on.get(seen.ball, ()):
        fact(move, BallLeft(at_us=seen.at_us, ball=seen.ball, slot=slot))


def _attested(move: Move, action: act.Attest) -> Fact | RollSettled:
    at_us, now = move.state.at_us, move.record()
    known = [*now.on, *now.ramps, *now.zones]
    latest = max(now.trails.keys() | now.ramps.keys(), default=max(known, default=0))
    ball = action.ball if action.ball is not None else latest
    place = action.place
    slots, ramps = move.board.by_name, move.board.ramp_by_name
    zones = {zone.name for zone in move.board.zones}
    match action.saw:
        case "released" if place in ramps:
            gone = [*now.fell, *(lost for lost, _copy in now.lost)]
            fresh = max([*known, *gone, *now.trails], default=0) + 1
            return BallReleased(
                at_us=at_us, ball=action.ball if action.ball is not None else fresh, ramp=place
            )
        case "touched" if place in slots:
            return BallEntered(at_us=at_us, ball=ball, slot=place)
        case "left" if place in slots:
            return BallLeft(at_us=at_us, ball=ball, slot=place)
        case "fell" if place in slots:
            return BallFell(at_us=at_us, ball=ball, slot=place)
        case "zone" if place in zones:
            return BallInZone(at_us=at_us, ball=ball, zone=place)
        case "off":
            return BallOffBoard(at_us=at_us, ball=ball, slot=now.on.get(ball, (None,))[-1])
        case "stuck" if place in ramps:
            return BallStuckOnRamp(at_us=at_us, ball=ball, ramp=place)
        case "still":
            return RollSettled(at_us=at_us, facts=())
    raise Refusal(f"This board has no place {place!r} for {action.saw!r}.", "R-70")

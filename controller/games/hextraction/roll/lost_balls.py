"""Balls whose fate only people know: missing, stuck on a ramp, or uncertain to the tracker.

Sources: 2.1.3, R-14, R-34, R-37.
"""

from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallOffBoard,
    BallStuckOnRamp,
    Doubt,
    Fact,
    Question,
)
from hextraction.controller.games.hextraction.lay import ramps
from hextraction.controller.games.hextraction.roll import ways
from hextraction.controller.games.hextraction.state import record
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import Heir, QuestionKind, Stands, Undo
from hextraction.controller.games.hextraction.state.state import Ask, Matter, Phase, Roll, State
from hextraction.controller.games.hextraction.turn import destroying
from hextraction.controller.games.hextraction.turn.ball_supply import release_anew
from hextraction.controller.games.hextraction.turn.triggers import queue_triggers

__all__ = [
    "BLOCKED",
    "MISSING",
    "STUCK",
    "BallMissing",
    "ask_anew",
    "ask_blocked",
    "ask_missing",
    "ask_stuck",
    "no_ball_came",
    "roller_of",
    "take_off_ramp",
    "tell_old",
    "witness_choices",
]


def roller_of(move: Move) -> str:
    """Return whose roll it is, or whose turn if nobody rolls."""
    return move.state.roll.roller if move.state.roll is not None else move.state.active


def ask_missing(move: Move, doubt: Doubt) -> None:
    """Ask about a ball that nobody saw leave; the commit waits for the answer (R-34)."""
    known = doubt.slot in move.board.by_name
    where = f"It was last seen on {doubt.slot}." if known else "It was last seen on its ramp."
    choices = [("off", "Over the side"), ("fell", "Through a slot or under the board")]
    choices += [(f"zone.{zone.name}", f"In the {zone.title}") for zone in move.board.zones]
    choices += [(f"slot.{slot}", f"It lies on {slot}") for slot in move.board.slot_names]
    choices += [(f"ramp.{ramp.name}", f"Still on ramp {ramp.name}") for ramp in move.board.ramps]
    slot = doubt.slot if doubt.slot is not None and known else ""
    MISSING.ask(
        move,
        roller_of(move),
        f"Where did the ball go? {where}",
        "R-34",
        choices,
        BallMissing(ball=doubt.ball, slot=slot),
        slots=(slot,) if slot else (),
    )


class BallMissing(Matter, frozen=True, kw_only=True):
    """A ball that nobody saw leave, and the slot on which it was last seen, if any."""

    ball: int
    slot: str


def witness_choices(question: Question) -> list[tuple[str, str]]:
    """Return the word and label of each answer to the tracker's question, in order."""
    return [_witness_choice(question, answer.counts) for answer in question.answers]


def _witness_choice(question: Question, counts: tuple[int, ...]) -> tuple[str, str]:
    if question.kind == "third":
        return ("yes", "Yes") if any(counts) else ("no", "No")
    if question.kind == "touches":
        many = counts[0]
        return str(many), "Never" if not many else "Once" if many == 1 else f"{many} times"
    places = [place for place, count in zip(question.slots, counts, strict=True) for _ball in range(count)]
    return ("+".join(places), " and ".join(places)) if places else ("none", "None of these")


def _answer_missing(move: Move, ask: Ask, lost: BallMissing, choice: str) -> None:
    """Act on the table's answer about where the ball went."""
    ball = lost.ball
    found = _found(move.state.at_us, ball, lost.slot, choice)
    before = move.record()
    if isinstance(found, BallEntered):
        if before.on.get(ball) == (found.slot,):
            return
        for old in before.on.get(ball, ()):
            left = BallLeft(at_us=move.state.at_us, ball=ball, slot=old)
            move.set_record(record.add(move.record(), left, move.layout()))
    now = record.add(move.record(), found, move.layout())
    move.set_record(now)
    if move.state.roll is not None:
        move.set_roll(base=now, heard=len(now.arrivals), stuck=now.stuck)
        queue_triggers(move, now.arrivals[len(before.arrivals) :])
        if isinstance(found, BallInZone) and move.people_tell():
            move.set_roll(tapped=(*move.state.roll.tapped, ask.seat))
            ways.ask_if_no_way(move, ask.seat, ball, before)
    if isinstance(found, BallStuckOnRamp):
        ask_stuck(move, ball, found.ramp)


MISSING = QuestionKind(
    word="missing",
    about=BallMissing,
    hear=_answer_missing,
    stands=Stands.WHILE_A_ROLL,
    undo=Undo.AS_BEFORE,
    heir=Heir.ANYBODY,
    answers=("off", "fell", "zone.ZONE", "slot.SLOT", "ramp.RAMP"),
    watched=True,
)


def _found(at_us: int, ball: int, slot: str, choice: str) -> Fact:
    kind, _dot, place = choice.partition(".")
    match kind:
        case "off":
            return BallOffBoard(at_us=at_us, ball=ball, slot=slot or None)
        case "fell":
            return BallFell(at_us=at_us, ball=ball, slot=slot)
        case "zone":
            return BallInZone(at_us=at_us, ball=ball, zone=place)
        case "ramp":
            return BallStuckOnRamp(at_us=at_us, ball=ball, ramp=place)
        case _:
            return BallEntered(at_us=at_us, ball=ball, slot=place)


def tell_old(move: Move) -> None:
    """Ask for balls to be taken out that lie in an end zone and can no longer win (R-24)."""
    if move.state.roll is None:
        return
    titles = {zone.name: zone.title for zone in move.board.zones}
    now, roll = move.record(), move.state.roll
    told: dict[str, int] = {}
    for ball, zone in move.in_zones().items():
        where, roller = titles.get(zone, zone), move.player(_whose(roll, ball))
        said = f"An old ball lies in the {where}: take it out. It cannot win."
        if ball in now.entered_zone and (roller.out or roller.conceded):
            said = f"{roller.name} is out of the game: take the ball out of the {where}. It wins nothing."
        elif ball in now.entered_zone and roller.cannot_win:
            said = f"{roller.name} cannot win this turn: take the ball out of the {where}."
        elif ball in now.entered_zone and roll.dead:
            said = f"The roll does not count: take its ball out of the {where}."
        told.setdefault(said, ball)
    for said, ball in told.items():
        move.say("zone", said, ball=ball, clause="R-24")


def _whose(roll: Roll, ball: int) -> str:
    """Return who was the roller when a ball came into an end zone."""
    stage = next((stage for stage in roll.stages if ball in stage.entered_zone), None)
    return roll.roller if stage is None else stage.roller


def ask_stuck(move: Move, ball: int, ramp: str) -> None:
    """Handle a ball stuck on its ramp: another free ramp to its slot (2.1.3.1), or the tile goes (R-37)."""
    if ramp not in move.board.ramp_by_name:
        return
    if move.state.roll is not None and move.state.roll.dead:
        take_off_ramp(move, ball, ramp)
        return
    stuck = BallStuck(ball=ball, slot=move.board.ramp_by_name[ramp].slot)
    choices = _after_stuck(move, ramp, stuck.slot)
    STUCK.ask(move, roller_of(move), f"The ball is stuck on ramp {ramp}.", "2.1.3", choices, stuck)


def _after_stuck(move: Move, ramp: str, slot: str) -> list[tuple[str, str]]:
    """Return what can be done; after Break the Loop no other ball is let go before the commit (R-32)."""
    locked = move.state.roll is not None and move.state.roll.locked
    others = [other for other in ramps.free_ramps_to(move, slot) if other != ramp]
    if others and not locked and move.spare_balls() >= 1:
        return [(f"ramp.{name}", f"Roll another ball on ramp {name}") for name in others]
    if slot in move.layout():
        return [("destroy", f"Lift the tile at {slot}")]
    return [("again", "Release it again")]


def ask_anew(move: Move, before: State) -> None:
    """Ask about stuck balls as the board is now: the tile below may be gone, or one that bans a ramp."""
    if move.state.laid is before.laid:
        return
    old, where = {ask.id for ask in before.asks}, move.record().ramps
    for ask in move.state.asks:
        about = ask.about
        if ask.id not in old or not isinstance(about, BallStuck) or about.ball not in where:
            continue
        ramp = where[about.ball]
        if _after_stuck(move, ramp, about.slot) != [*ask.choices]:
            move.set(asks=tuple(one for one in move.state.asks if one.id != ask.id))
            ask_stuck(move, about.ball, ramp)


def take_off_ramp(move: Move, ball: int, ramp: str) -> None:
    """Have a ball taken off its ramp that stuck in a void roll: it costs no tile, and all is rolled again."""
    _off_its_ramp(move, ball)
    if move.state.roll is not None:
        move.set_roll(stuck=(*move.state.roll.stuck, (ball, ramp)))
    said = f"Take the ball off ramp {ramp}. This roll does not count, so it costs no tile."
    move.say("stuck", said, ball=ball, clause="0.5.8")


def _off_its_ramp(move: Move, ball: int) -> None:
    move.set_record(record.off_ramps(move.record(), {ball}))
    move.set_roll(base=move.record())


class BallStuck(Matter, frozen=True, kw_only=True):
    """A ball that did not leave its ramp, and the slot to which the ramp leads."""

    ball: int
    slot: str


def _answer_stuck(move: Move, _ask: Ask, stuck: BallStuck, choice: str) -> None:
    """Go on after a ball stuck on its ramp; it is still the same roll."""
    ball, slot = stuck.ball, stuck.slot
    if choice == "destroy":
        _lift_below(move, ball, slot)
        return
    if choice == "again":
        _off_its_ramp(move, ball)
        release_anew(move)
    allowed = (choice.removeprefix("ramp."),) if choice.startswith("ramp.") else ()
    move.demand(roller_of(move), 1, allowed)  # whoever answered for a roller that has left does not roll


STUCK = QuestionKind(
    word="stuck",
    about=BallStuck,
    hear=_answer_stuck,
    stands=Stands.WHILE_IT_COUNTS,
    undo=Undo.AS_BEFORE,
    heir=Heir.ANYBODY,
    answers=("ramp.RAMP", "destroy", "again"),
    ended_by=("attest", "break_loop"),
    watched=True,
)


def no_ball_came(move: Move, ramp: str) -> bool:
    """Whether a gate opened in vain: requested again while a ball sticks on another ramp to the same slot."""
    state = move.state
    asked = state.phase is Phase.RELEASING and state.intent is not None and state.intent[1] == ramp
    return asked and state.config.gates and state.power and _stuck_beside(move, ramp) is not None


def ask_blocked(move: Move, seat: str, ramp: str) -> None:
    """Ask whether the stuck ball blocks other ramps too: only people can see that (2.1.3)."""
    slot = move.board.ramp_by_name[ramp].slot
    others = [other for other in ramps.free_ramps_to(move, slot) if other != ramp]
    choices = [(f"ramp.{name}", f"Roll on ramp {name}") for name in (ramp, *others)]
    if slot in move.layout():
        choices.append(("destroy", f"No ramp lets a ball go: lift the tile at {slot}"))
    shut = RampShut(ramp=ramp, slot=slot)
    BLOCKED.ask(move, seat, f"No ball came from ramp {ramp}.", "2.1.3", choices, shut)


class RampShut(Matter, frozen=True, kw_only=True):
    """A ramp from which no ball came, and the slot to which it leads."""

    ramp: str
    slot: str


def _answer_blocked(move: Move, ask: Ask, shut: RampShut, choice: str) -> None:
    """Try a ramp once more, or give up: then the tile below is destroyed, and that was the roll (R-37)."""
    ball = _stuck_beside(move, shut.ramp)
    if choice != "destroy" or ball is None:
        move.set(demanded_ramps=(choice.removeprefix("ramp."),), intent=(ask.seat, ""))
        return
    demanded = max(0, move.state.demanded - 1)
    phase = Phase.RELEASING if demanded else Phase.RESOLVING
    intent = (ask.seat, "") if demanded else None
    move.set(demanded=demanded, demanded_ramps=(), intent=intent, phase=phase)
    _lift_below(move, ball, shut.slot)


BLOCKED = QuestionKind(
    word="blocked",
    about=RampShut,
    hear=_answer_blocked,
    stands=Stands.WHILE_IT_COUNTS,
    undo=Undo.AS_BEFORE,
    heir=Heir.ANYBODY,
    answers=("ramp.RAMP", "destroy"),
    ended_by=("attest",),
)


def _stuck_beside(move: Move, ramp: str) -> int | None:
    """Return a ball that is stuck on another ramp to the same slot."""
    beside = {each.name for each in move.board.ramps_to(move.board.ramp_by_name[ramp].slot)} - {ramp}
    return next((ball for ball, where in move.record().ramps.items() if where in beside), None)


def _lift_below(move: Move, ball: int, slot: str) -> None:
    """Destroy the tile below a stuck ball, which then drops through the open slot without consequence."""
    laid = move.laid_at(slot)
    if laid is not None:
        destroying.destroy(move, laid.copy, clause="2.1.3.2")
    fell = BallFell(at_us=move.state.at_us, ball=ball, slot=slot)
    move.set_record(record.add(move.record(), fell, move.layout()))
    move.set_roll(base=move.record())

"""Balls whose fate only people know: missing ones, those stuck on a ramp, and what the tracker is unsure of.

Sources: 2.1.3, R-14, R-34, R-37.
"""

from collections.abc import Callable
from typing import Final

import msgspec
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
    RollSettled,
)
from hextraction.controller.games.hextraction import destroying, record
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Ask, Phase
from hextraction.controller.games.hextraction.triggers import queue_triggers

__all__ = [
    "answer_blocked",
    "answer_missing",
    "answer_stuck",
    "ask_blocked",
    "ask_missing",
    "ask_stuck",
    "ask_witness",
    "no_ball_came",
    "witness_choices",
]

_ASKING: Final[dict[str, Callable[[str], str]]] = {
    "third": lambda where: f"Was {where} touched three times or more?",
    "touches": lambda where: f"How often was {where} touched?",
    "rests": lambda where: f"Where does a ball lie: {where}?",
    "lost": lambda where: f"Over which tile did a ball leave: {where}?",
    "zone": lambda where: f"Does a ball that rolled lie in the {where}?",
}


def _roller(move: Move) -> str:
    return move.state.roll.roller if move.state.roll is not None else move.state.active


def ask_missing(move: Move, doubt: Doubt) -> None:
    """A ball that nobody saw leave is asked for; the commit waits for the answer (R-34)."""
    known = doubt.slot in move.board.by_name
    where = f"It was last seen on {doubt.slot}." if known else "It was last seen on its ramp."
    choices = [("off", "Over the side"), ("fell", "Through a slot or under the board")]
    choices += [(f"zone.{zone.name}", f"In the {zone.title}") for zone in move.board.zones]
    choices += [(f"slot.{slot}", f"It lies on {slot}") for slot in move.board.slot_names]
    choices += [(f"ramp.{ramp.name}", f"Still on ramp {ramp.name}") for ramp in move.board.ramps]
    slot = doubt.slot if doubt.slot is not None and known else ""
    move.ask(
        "missing",
        _roller(move),
        f"Where did the ball go? {where}",
        "R-34",
        choices,
        slots=(slot,) if slot else (),
        args=(doubt.ball, slot),
    )


def ask_witness(move: Move, seen: RollSettled, question: Question) -> None:
    """What a ruling depends on and the tracker is unsure of is asked; the settlement waits for it (R-14)."""
    move.set_roll(held=seen)
    choices = witness_choices(question)
    zones = {zone.name: zone.title for zone in move.board.zones} if question.kind == "zone" else {}
    move.ask(
        "witness",
        _roller(move),
        _ASKING[question.kind](" or ".join(zones.get(place, place) for place in question.slots)),
        "R-14",
        choices,
        slots=tuple(slot for slot in question.slots if slot in move.board.by_name),
        default=0,
        deadline_us=move.state.at_us + move.state.config.attest_us,
    )


def witness_choices(question: Question) -> list[tuple[str, str]]:
    """Return the word and the label of each answer to a tracker's question, in its order."""
    return [_witness_choice(question, answer.counts) for answer in question.answers]


def _witness_choice(question: Question, counts: tuple[int, ...]) -> tuple[str, str]:
    if question.kind == "third":
        return ("yes", "Yes") if any(counts) else ("no", "No")
    if question.kind == "touches":
        many = counts[0]
        return str(many), "Never" if not many else "Once" if many == 1 else f"{many} times"
    places = [place for place, count in zip(question.slots, counts, strict=True) for _ball in range(count)]
    return ("+".join(places), " and ".join(places)) if places else ("none", "None of these")


def answer_missing(move: Move, ask: Ask, choice: str) -> None:
    """The table has said where the ball went."""
    ball, slot = int(ask.args[0]), str(ask.args[1])
    found = _found(move.state.at_us, ball, slot, choice)
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
        move.set_roll(base=now, heard=len(now.arrivals))
        heard = len(before.arrivals)
        queue_triggers(move, now.arrivals[heard:], now.arrivals[:heard])
    if isinstance(found, BallStuckOnRamp):
        ask_stuck(move, ball, found.ramp)


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


def ask_stuck(move: Move, ball: int, ramp: str) -> None:
    """A ball did not leave its ramp: another free ramp to its slot (2.1.3.1), or the tile goes (R-37)."""
    if ramp not in move.board.ramp_by_name:
        return
    slot = move.board.ramp_by_name[ramp].slot
    blocked = set(move.record().ramps.values()) | {ramp}
    others = [other.name for other in move.board.ramps_to(slot) if other.name not in blocked]
    choices = [(f"ramp.{name}", f"Roll another ball on ramp {name}") for name in others]
    if not choices and slot in move.layout():
        choices = [("destroy", f"Lift the tile at {slot}")]
    if not choices:
        choices = [("again", "Release it again")]
    text = f"The ball is stuck on ramp {ramp}."
    move.ask("stuck", _roller(move), text, "2.1.3", choices, args=(ball, ramp, slot))


def answer_stuck(move: Move, ask: Ask, choice: str) -> None:
    """Go on after a ball stuck on its ramp; it is still the same one roll."""
    ball, slot = int(ask.args[0]), str(ask.args[2])
    if choice == "destroy":
        _lift_below(move, ball, slot)
        return
    if choice == "again":
        now = move.record()
        kept = {other: name for other, name in now.ramps.items() if other != ball}
        move.set_record(msgspec.structs.replace(now, ramps=kept))
        move.set_roll(base=move.record())
    ramps = (choice.removeprefix("ramp."),) if choice.startswith("ramp.") else ()
    move.demand(ask.seat, 1, ramps)


def no_ball_came(move: Move, ramp: str) -> bool:
    """Whether a gate opened in vain: asked for again while a ball sticks on another ramp to the same slot."""
    state = move.state
    asked = state.phase is Phase.RELEASING and state.intent is not None and state.intent[1] == ramp
    return asked and state.config.gates and state.power and _stuck_beside(move, ramp) is not None


def ask_blocked(move: Move, seat: str, ramp: str) -> None:
    """The stuck ball may stand in the way of other ramps, too: only people see that (2.1.3)."""
    slot = move.board.ramp_by_name[ramp].slot
    stuck = set(move.record().ramps.values())
    others = [each.name for each in move.board.ramps_to(slot) if each.name not in {*stuck, ramp}]
    choices = [(f"ramp.{name}", f"Roll on ramp {name}") for name in (ramp, *others)]
    if slot in move.layout():
        choices.append(("destroy", f"No ramp lets a ball go: lift the tile at {slot}"))
    move.ask("blocked", seat, f"No ball came from ramp {ramp}.", "2.1.3", choices, args=(ramp, slot))


def answer_blocked(move: Move, ask: Ask, choice: str) -> None:
    """Try a ramp once more, or do without: then the tile below goes, and that was the roll (R-37)."""
    ramp, slot = str(ask.args[0]), str(ask.args[1])
    ball = _stuck_beside(move, ramp)
    if choice != "destroy" or ball is None:
        move.set(demanded_ramps=(choice.removeprefix("ramp."),), intent=(ask.seat, ""))
        return
    demanded = max(0, move.state.demanded - 1)
    phase = Phase.RELEASING if demanded else Phase.RESOLVING
    intent = (ask.seat, "") if demanded else None
    move.set(demanded=demanded, demanded_ramps=(), intent=intent, phase=phase)
    _lift_below(move, ball, slot)


def _stuck_beside(move: Move, ramp: str) -> int | None:
    """Return a ball that sticks on another ramp to the slot of this one."""
    beside = {each.name for each in move.board.ramps_to(move.board.ramp_by_name[ramp].slot)} - {ramp}
    return next((ball for ball, where in move.record().ramps.items() if where in beside), None)


def _lift_below(move: Move, ball: int, slot: str) -> None:
    """Destroy the tile below a stuck ball, which then drops through the open slot and means nothing."""
    laid = move.laid_at(slot)
    if laid is not None:
        destroying.destroy(move, laid.copy, clause="2.1.3.2")
    fell = BallFell(at_us=move.state.at_us, ball=ball, slot=slot)
    move.set_record(record.add(move.record(), fell, move.layout()))
    move.set_roll(base=move.record())

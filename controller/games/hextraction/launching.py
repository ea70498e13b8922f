"""Boards with another launcher than ramps (2.1.1.3): a ball that appears may have been rolled."""

import msgspec
from hextraction.board.facts import BallEntered, BallReleased, Fact
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.record import Record, resting
from hextraction.controller.games.hextraction.state import Ask, Phase

__all__ = ["answer_launched", "ask_launched", "may_be_launched", "release_of"]


def may_be_launched(move: Move, seen: Fact) -> bool:
    """Whether a ball that nobody released may have come from the launcher."""
    state = move.state
    if not state.config.launcher:
        return False
    ready = state.phase is Phase.CHOOSING and state.rolls_owed > 0 and state.vote is None and not state.asks
    known = seen.ball in state.rest.on
    return ready and isinstance(seen, BallEntered) and not known


def release_of(seen: Fact) -> BallReleased:
    """Return the release that such a ball stands for."""
    return BallReleased(at_us=seen.at_us, ball=seen.ball, ramp="")


def ask_launched(move: Move) -> None:
    """The roll has begun; if it was none, it is taken back."""
    choices = [("yes", "Yes"), ("no", "No, it was an accident")]
    move.ask("launched", move.state.active, "Was that a roll?", "2.1.1.3", choices)


def answer_launched(move: Move, _ask: Ask, choice: str) -> None:
    """It was a roll and goes on, or it was an accident without any effect (2.11.1)."""
    roll = move.state.roll
    if choice == "yes" or roll is None:
        return
    asks = tuple(
        ask for ask in move.state.asks if ask.kind not in {"area", "missing", "stuck", "loop", "witness"}
    )
    move.owe_again(roll)
    rest = msgspec.structs.replace(resting(roll.record), ramps=_still_on_ramps(move, roll.record))
    move.set(roll=None, rest=rest, waiting=(), asks=asks, phase=Phase.CHOOSING)
    move.say("accident", "That ball does not count.", clause="2.11.1")


def _still_on_ramps(move: Move, record: Record) -> dict[int, str]:
    """Return the balls that were on ramps before and have not been seen anywhere else since."""
    gone = {*record.on, *record.zones, *record.trails, *record.fell, *(ball for ball, _copy in record.lost)}
    return {ball: ramp for ball, ramp in move.state.rest.ramps.items() if ball not in gone}

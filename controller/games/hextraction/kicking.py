"""Kicking the balls in a trigger area (2.6.5, 3.Trigger.3, R-18, R-51)."""

from hextraction.board.tiles import Effect
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Phase, Waiting
from hextraction.controller.games.protocol import KickBalls

__all__ = ["kick", "kicked"]


def kick(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    """Membership in the trigger area is read once, now (R-18); without a kicker people do it."""
    there = [ball for ball, on in move.record().on.items() if waiting.slot in on]
    if not there:
        move.say(
            "effect", "No ball is in the trigger area any more.", slot=waiting.slot or None, clause="2.6.5"
        )
    elif waiting.slot in move.state.config.kickers and move.state.power:
        move.do(KickBalls(slot=waiting.slot))
        kicked(move)
    else:
        move.ask_effect(
            waiting, seat, f"Set every ball on {waiting.slot} moving.", "R-18", [("done", "Done")]
        )


def kicked(move: Move) -> None:
    """The balls move: in a roll everything waits until they lie still again (R-17)."""
    if move.state.roll is not None and move.state.phase is Phase.RESOLVING:
        move.set_roll(base=move.state.roll.record, since_us=move.state.at_us)
        move.set(phase=Phase.ROLLING)

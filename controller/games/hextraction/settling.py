"""Ending the grace: once everybody has said that there is nothing to object, nobody waits (R-20)."""

from hextraction.controller.games.hextraction import actions as act
from hextraction.controller.games.hextraction import commit
from hextraction.controller.games.hextraction.move import Move, Refusal

__all__ = ["agree", "silent"]


def silent(move: Move) -> tuple[str, ...]:
    """Return who has not yet said that there is nothing to object; whoever leaves is not waited for."""
    state = move.state
    return tuple(
        player.seat
        for player in state.players
        if not player.out and not player.conceded and player.seat not in state.agreed
    )


def agree(move: Move, seat: str, action: act.Agree) -> None:
    """Say that there is nothing to object, perhaps for another player who passed the phone on (R-03)."""
    speaker = action.seat or seat
    if speaker not in silent(move):
        raise Refusal("That player has nothing left to say.", "R-20")
    move.set(agreed=(*move.state.agreed, speaker))
    if not silent(move):
        move.say("agreed", "Nobody objects.", clause="R-20")
        commit.commit(move)

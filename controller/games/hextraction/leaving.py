"""Leaving the game (2.8.1.2, 2.8.4, R-03, R-60): always possible, and nobody waits for the leaver."""

import msgspec
from hextraction.controller.games.hextraction import actions as act
from hextraction.controller.games.hextraction import playing, voting
from hextraction.controller.games.hextraction.move import Move, Refusal
from hextraction.controller.games.hextraction.state import Phase

__all__ = ["concede", "somebody_leaves"]


def concede(move: Move, seat: str, _action: act.Concede) -> None:
    """Leave: at once if the game is stable, else at the next commit."""
    if move.player(seat).conceded:
        raise Refusal("You have already conceded.", "2.8.4")
    move.set_player(seat, conceded=True)
    move.say("concede", f"{move.name(seat)} concedes.", seat=seat, clause="2.8.1.2")
    vote = move.state.vote
    if vote is not None and seat not in vote.ballots:
        order = tuple(other for other in vote.order if other != seat)
        move.set(vote=msgspec.structs.replace(vote, order=order))
        voting.close_vote_if_done(move)
    _drop_duties(move, seat)


def _drop_duties(move: Move, seat: str) -> None:
    """What only the leaver could do does not block the table."""
    state = move.state
    if state.demanded and state.intent is not None and state.intent[0] == seat:
        move.forget_demand()
        if state.phase is Phase.RELEASING:
            move.set(phase=Phase.RESOLVING)
    if state.phase in {Phase.PLACING, Phase.SEATING} and state.play is not None and state.play.seat == seat:
        playing.abandon(move)
        move.set(phase=Phase.RESOLVING, deadline_us=None)
        _drop_vote(move)


def _drop_vote(move: Move) -> None:
    """A tile that went back into a hand unplayed is no longer up for a vote or ballot (0.4.1, R-04)."""
    vote = move.state.vote
    if vote is not None and move.laid_copy(vote.copy) is None:
        move.set(vote=None)
        move.say("vote", "The tile is not played, so nobody votes on it.", clause="R-04")


def somebody_leaves(move: Move) -> bool:
    """Whether a player has conceded and is still in the game."""
    return any(player.conceded and not player.out for player in move.state.players)

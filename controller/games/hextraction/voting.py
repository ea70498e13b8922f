"""Votes to destroy a tile, Forbidden ballots, and leaving the game (0.4, 0.5, 2.8, R-01 … R-10, R-60).

In a vote yea keeps the tile and nay destroys it; a tie destroys. In a ballot yea enables the Forbidden effect
and a single nay disables it.
"""

import msgspec

from hextraction.controller.games.hextraction import actions as act
from hextraction.controller.games.hextraction import destroying, turns
from hextraction.controller.games.hextraction.move import Move, Refusal
from hextraction.controller.games.hextraction.state import Phase, Roll, Vote

__all__ = ["awaited", "call_vote", "cast", "close_vote_if_done", "concede", "correct", "kill_roll"]


def call_vote(move: Move, seat: str, action: act.CallVote) -> None:
    """Put a tile to the vote: installed, or being played (0.5.1, R-04)."""
    state = move.state
    if state.phase is Phase.OVER:
        raise Refusal("The game is over.", "2.9.1")
    if state.vote is not None:
        raise Refusal("Another vote is still open.", "0.5.1")
    if move.player(seat).out:
        raise Refusal("You have left the game.", "0.5.2")
    laid = move.laid_at(action.slot) if action.slot else None
    copy = laid.copy if laid is not None else state.play.copy if state.play is not None else None
    if copy is None:
        raise Refusal("Only an installed tile, or the one being played, can be voted on.", "0.5.1")
    order = move.playing()
    first = order.index(seat)
    slot = laid.slots[0] if laid is not None else ""
    move.set(
        vote=Vote(forbidden=False, copy=copy, slot=slot, order=order[first:] + order[:first]),
        votes=state.votes + 1,
    )
    move.say("vote", f"{move.name(seat)} calls a vote: does {move.title(copy)} stay?", seat=seat, slot=slot or None,
             clause="0.5.1")  # fmt: skip
    if state.votes >= 2:
        move.say("vote", "That is the third vote this turn: please do not filibuster.", clause="0.5.5")


def awaited(vote: Vote) -> str | None:
    """Return whose ballot is next; ballots are cast one at a time, in turn order (0.5.2)."""
    return next((seat for seat in vote.order if seat not in vote.ballots), None)


def cast(move: Move, seat: str, action: act.Ballot) -> None:
    """Cast a ballot; ``action.seat`` lets somebody whose phone is gone vote from another one (R-03)."""
    vote = move.state.vote
    if vote is None:
        raise Refusal("There is no vote.", "0.5.1")
    voter = action.seat or seat
    if voter != awaited(vote):
        raise Refusal(f"It is {move.name(awaited(vote) or voter)}'s turn to vote.", "0.5.2")
    proxy = "" if voter == seat else f" (from {move.name(seat)}'s phone)"
    word = (
        ("enable" if action.yea else "disable") if vote.forbidden else ("keep" if action.yea else "destroy")
    )
    move.set(vote=msgspec.structs.replace(vote, ballots={**vote.ballots, voter: action.yea}))
    move.say("ballot", f"{move.name(voter)} says {word}{proxy}.", seat=voter)
    close_vote_if_done(move)


def close_vote_if_done(move: Move) -> None:
    """Close the vote once everybody who must has cast (0.5.3)."""
    vote = move.state.vote
    if vote is None or awaited(vote) is not None:
        return
    nays = sum(not yea for yea in vote.ballots.values())
    yeas = len(vote.ballots) - nays
    move.set(vote=None)
    if vote.forbidden:
        _close_ballot(move, vote, enabled=nays == 0)
    elif nays >= yeas:
        move.say("vote", f"{nays} to {yeas}: {move.title(vote.copy)} is voted off.", clause="0.5.4")
        _voted_off(move, vote)
    else:
        move.say("vote", f"{yeas} to {nays}: {move.title(vote.copy)} stays.", clause="0.5.4")


def _close_ballot(move: Move, vote: Vote, *, enabled: bool) -> None:
    word = "enabled" if enabled else "disabled"
    move.say("ballot", f"The Forbidden effect of {move.title(vote.copy)} is {word}.", clause="0.4.2")
    if move.state.play is not None and not enabled:
        move.set(play=msgspec.structs.replace(move.state.play, silenced=True))


def _voted_off(move: Move, vote: Vote) -> None:
    state = move.state
    play = state.play
    if play is not None and play.copy == vote.copy:
        _voted_off_while_played(move, vote)
    elif move.laid_copy(vote.copy) is not None:
        destroying.destroy(move, vote.copy, by_vote=True, clause="0.5.4")
    if state.phase is Phase.CHOOSING:
        move.set(phase=Phase.RESOLVING)
    if state.roll is not None:
        kill_roll(move, state.roll)


def _voted_off_while_played(move: Move, vote: Vote) -> None:
    """The player draws a replacement at once and the play is still owed (0.5.7, R-07)."""
    play = move.state.play
    if play is None:
        return
    if play.seated:
        destroying.destroy(move, vote.copy, by_vote=True, clause="0.5.7")
        move.set(plays_owed=move.state.plays_owed + (1 if play.from_hand else 0))
    else:
        move.set_player(
            play.seat, hand=tuple(copy for copy in move.player(play.seat).hand if copy != vote.copy)
        )
        move.set(destroyed=(*move.state.destroyed, vote.copy))
        move.say("destroy", f"{move.title(vote.copy)} is destroyed.", clause="0.5.7")
    waiting = tuple(one for one in move.state.waiting if one.copy != vote.copy)
    move.set(play=None, waiting=waiting, phase=Phase.RESOLVING)
    if play.from_hand:
        turns.draw(move, play.seat)


def kill_roll(move: Move, roll: Roll) -> None:
    """From now until the commit the roll is dead: nothing it set off has any effect (0.5.8, R-06, R-08)."""
    move.set_roll(dead=True)
    move.set(
        waiting=(),
        asks=tuple(ask for ask in move.state.asks if ask.kind not in {"effect", "area", "order"}),
        demanded=0,
        intent=None,
    )
    for player in move.state.players:
        move.set_player(player.seat, losing=False, winning=False)
    again = f" {move.name(roll.roller)} rolls again." if roll.due else ""
    move.say("dead", f"This roll is void.{again}", seat=roll.roller, clause="0.5.8")


def concede(move: Move, seat: str, _action: act.Concede) -> None:
    """Leave the game: at once if it is stable, else at the next commit (2.8.1.2, 2.8.4, R-03, R-60)."""
    if move.player(seat).out or move.state.phase is Phase.OVER:
        raise Refusal("You have already left the game.", "2.8.4")
    move.set_player(seat, conceded=True)
    move.say("concede", f"{move.name(seat)} concedes.", seat=seat, clause="2.8.1.2")
    vote = move.state.vote
    if vote is not None and seat not in vote.ballots:
        move.set(
            vote=msgspec.structs.replace(vote, order=tuple(other for other in vote.order if other != seat))
        )
        close_vote_if_done(move)
    _drop_duties(move, seat)


def _drop_duties(move: Move, seat: str) -> None:
    """What only the leaver could answer must not block the table: the default, or the first choice, is taken."""
    state = move.state
    if state.demanded and state.intent is not None and state.intent[0] == seat:
        move.set(demanded=0, demanded_ramps=(), intent=None)
        if state.phase is Phase.RELEASING:
            move.set(phase=Phase.RESOLVING)
    elif state.phase is Phase.RELEASING and state.active == seat and state.roll is None:
        move.set(phase=Phase.CHOOSING, intent=None)
    if state.phase in {Phase.PLACING, Phase.SEATING} and state.play is not None and state.play.seat == seat:
        move.set(play=None, phase=Phase.CHOOSING if state.roll is None else Phase.RESOLVING)


def correct(move: Move, seat: str, action: act.Correct) -> None:
    """Propose another count of touches; another player must agree (R-14)."""
    laid = move.laid_at(action.slot)
    if move.state.roll is None or laid is None:
        raise Refusal("There is no roll in which that tile could have been touched.", "R-14")
    if not 0 <= action.touches <= 99:
        raise Refusal("Touches are counted from 0 to 99.", "R-14")
    others = [other for other in move.playing() if other != seat]
    judge = move.state.active if seat != move.state.active else (others or [seat])[0]
    move.ask("correct", judge, f"{move.name(seat)} says {move.title(laid.copy)} at {action.slot} was touched "
             f"{action.touches} times. Agreed?", "R-14", [("yes", "Agreed"), ("no", "No")], slots=(action.slot,),
             args=(laid.copy, action.touches, seat))  # fmt: skip

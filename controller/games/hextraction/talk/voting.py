"""Votes to destroy a tile, and Forbidden ballots (0.4, 0.5, R-01 … R-10).

A vote may be called for any motive, even to save a player from losing or to take a win away (2.8.2, 2.9.2,
R-29), and up to the commit: whichever comes first wins (R-71).

In a vote, yea keeps the tile and nay destroys it; a tie destroys it. In a ballot, yea enables the Forbidden
effect and a single nay disables it.
"""

import msgspec
from hextraction.controller.games.hextraction.effects import effects
from hextraction.controller.games.hextraction.roll.voiding import kill_roll
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state import fates
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.state import Phase, Play, Vote
from hextraction.controller.games.hextraction.turn import destroying, playing, turns
from hextraction.controller.games.hextraction.turn.combos import wholes

__all__ = ["awaited", "call_vote", "cast", "close_vote_if_done", "cooling", "may_vote"]


def call_vote(move: Move, seat: str, action: act.CallVote) -> None:
    """Put a tile to the vote: installed, or being played (0.5.1, R-04)."""
    state = move.state
    if state.vote is not None:
        raise Refusal("Another vote is still open.", "0.5.1")
    copy, slot = _put_up(move, action.slot)
    if cooling(move, copy):
        raise Refusal(f"You have only just voted on {move.called_whole(copy)}. Wait a little.", "0.5.5")
    order, away = move.electorate(seat)
    vote = Vote(forbidden=False, copy=copy, slot=slot, order=order, away=away)
    move.set(vote=vote, votes=state.votes + 1)
    said = f"{move.name(seat)} calls a vote: does {move.called_whole(copy)} stay?"
    move.say("vote", said, seat=seat, slot=slot or None, clause="0.5.1")
    _tell_manners(move)
    _count(move, copy)
    if state.votes >= 2:
        move.say(
            "vote", "That is not the first vote this turn. Please do not hold up the game.", clause="0.5.5"
        )


def cooling(move: Move, copy: int) -> bool:
    """Whether a tile was put to the vote so recently that it has to wait (R-10)."""
    last_us = next((when_us for voted, _often, when_us in move.state.voted if voted == copy), None)
    return last_us is not None and move.state.at_us < last_us + move.state.config.vote_cooldown_us


def _count(move: Move, copy: int) -> None:
    """Count the votes on a tile, for everybody to see (R-10)."""
    often = 1 + next((often for voted, often, _when_us in move.state.voted if voted == copy), 0)
    others = tuple(one for one in move.state.voted if one[0] != copy)
    move.set(voted=(*others, (copy, often, move.state.at_us)))
    if often > 1:
        move.say("vote", f"This is vote {often} on {move.called_whole(copy)}.", clause="0.5.5")


def _tell_manners(move: Move) -> None:
    """Remark that a vote to save somebody from losing, or to take a win away, is legal but unsporting."""
    state = move.state
    if any(player.losing and not player.out for player in state.players):
        move.say(
            "vote", "You may vote yourself out of a loss. Not everybody finds it sporting.", clause="2.8.2.1"
        )
    winning = any(player.winning for player in state.players)
    if winning or (state.roll is not None and state.roll.record.zones):
        move.say("vote", "You may vote against a win. Not everybody finds it sporting.", clause="2.9.2.1")


def _put_up(move: Move, slot: str) -> tuple[int, str]:
    """Return the copy that a vote is about, and its first slot."""
    play = move.state.play
    laid = move.laid_at(slot) if slot else None
    if laid is not None:
        return laid.copy, laid.slot
    if play is not None and not play.seated and (not slot or slot in play.slots):
        return play.copy, ""
    laid = move.laid_copy(play.copy) if play is not None and not slot else None
    if laid is not None:
        return laid.copy, laid.slot
    raise Refusal("You can vote only on a tile that lies on the board, or that somebody plays now.", "0.5.1")


def awaited(vote: Vote) -> str | None:
    """Return whose ballot is next; ballots are cast one at a time, in turn order (0.5.2)."""
    return next((seat for seat in vote.order if seat not in vote.ballots and seat not in vote.away), None)


def may_vote(vote: Vote, seat: str) -> bool:
    """Whether a seat can cast its ballot now: it is its turn, or it leaves and is not waited for (R-03)."""
    return seat == awaited(vote) or (seat in vote.away and seat not in vote.ballots)


def cast(move: Move, seat: str, action: act.Ballot) -> None:
    """Cast a ballot; ``action.seat`` lets who is awaited, and has no phone, vote from another one (R-03)."""
    vote = move.state.vote
    if vote is None:
        raise Refusal("There is no vote.", "0.5.1")
    voter = action.seat or seat
    if not may_vote(vote, voter) or (voter != seat and voter != awaited(vote)):
        raise Refusal(f"It is {move.name(awaited(vote) or voter)}'s turn to vote.", "0.5.2")
    proxy = "" if voter == seat else f" (from {move.name(seat)}'s phone)"
    word = (
        ("enable" if action.yea else "disable") if vote.forbidden else ("keep" if action.yea else "destroy")
    )
    move.set(vote=msgspec.structs.replace(vote, ballots={**vote.ballots, voter: action.yea}))
    move.say("ballot", f"{move.name(voter)} says {word}{proxy}.", seat=voter)
    close_vote_if_done(move)


def close_vote_if_done(move: Move) -> None:
    """Close the vote once everybody who must vote has done so (0.5.3)."""
    vote = move.state.vote
    if vote is None or awaited(vote) is not None:
        return
    if not vote.ballots:
        move.set(vote=None)
        move.say("vote", "Nobody is left to vote.", clause="0.5.3")
        playing.draw_lots(move)
        return
    nays = sum(not yea for yea in vote.ballots.values())
    yeas = len(vote.ballots) - nays
    move.set(vote=None)
    if vote.forbidden:
        _close_ballot(move, vote, enabled=nays == 0)
        playing.draw_lots(move)
    elif nays >= yeas:
        move.say("vote", f"{nays} to {yeas}: {move.called_whole(vote.copy)} is voted off.", clause="0.5.4")
        _voted_off(move, vote)
    else:
        move.say("vote", f"{yeas} to {nays}: {move.called_whole(vote.copy)} stays.", clause="0.5.4")
    if move.state.phase is Phase.SETTLING:
        move.set(deadline_us=move.state.at_us + move.state.config.grace_us)


def _close_ballot(move: Move, vote: Vote, *, enabled: bool) -> None:
    """Close the ballot: unless enabled, this installation's Forbidden effects alone are silenced (0.4.3)."""
    word = "enabled" if enabled else "disabled"
    title = playing.forbidden_titles(move, vote)
    move.say("ballot", f"The Forbidden effect of {title} is {word}.", clause="0.4.2")
    if enabled:
        return
    if move.laid_copy(vote.copy) is not None:  # it has taken a Forbidden effect on since it lies
        move.set_laid(tuple(
            msgspec.structs.replace(laid, silenced=True) if laid.copy == vote.copy else laid
            for laid in move.state.laid
        ))  # fmt: skip
    elif move.state.play is not None:
        play = msgspec.structs.replace(move.state.play, silenced=True)
        move.set(play=play)
        playing.take_back(move)
        if move.state.play is not play:
            effects.try_again(move, play)


def _voted_off(move: Move, vote: Vote) -> None:
    """Remove the tile; a running roll is dead, but no commit is re-opened (0.5.6 … 0.5.8, R-20).

    Who called the vote has caused it, and says which half of a Combo goes along, if several would do (R-55).
    """
    state = move.state
    if state.roll is not None and state.phase is not Phase.TIDYING:
        kill_roll(move, state.roll, vote.copy)
    play = _played(state.play, vote.copy)
    if play is not None:
        _voted_off_while_played(move, vote, play)
    elif move.laid_copy(vote.copy) is not None:
        destroying.destroy(move, vote.copy, by_vote=True, clause="0.5.4", seat=vote.order[0])
    fates.voted_off(move, state.copies[vote.copy].whole or vote.copy)
    if state.phase is Phase.CHOOSING:
        move.set(phase=Phase.RESOLVING)


def _played(play: Play | None, copy: int) -> Play | None:
    """Return the play that a tile belongs to: the current one, or one whose effect ordered it (R-07)."""
    while play is not None and copy not in (play.copy, *play.pieces, *play.done):
        play = play.within
    return play


def _voted_off_while_played(move: Move, vote: Vote, play: Play) -> None:
    """Let the player draw a replacement at once; the play is still owed (0.5.7, R-07).

    What was created to lie beside a Combo is not what was played from the hand: it is not replaced.
    """
    inner = play is not move.state.play
    replaced = play.from_hand and not (play.seated and _is_counterpart(move, play, vote.copy))
    if play.seated:
        destroying.destroy(move, vote.copy, by_vote=True, clause="0.5.7", seat=vote.order[0])
        move.set(plays_owed=move.state.plays_owed + (1 if replaced else 0))
    else:
        move.say("destroy", f"{move.called_whole(vote.copy)} is destroyed.", clause="0.5.7")
        playing.set_aside_unplaced(move, by_vote=True)
    now = move.state
    if inner and now.play is not None and not now.play.seated:
        playing.drop_orphan(move)
    else:
        rolling = now.phase in {Phase.ROLLING, Phase.RELEASING}
        phase = now.phase if rolling else Phase.RESOLVING
        move.set(play=play.within, phase=phase, deadline_us=None)
    if replaced:
        turns.draw(move, play.seat)


def _is_counterpart(move: Move, play: Play, copy: int) -> bool:
    """Whether a tile of a play is no part of the Combo whose parts were laid first (3.Combo.2)."""
    first = (*play.done, play.copy)[0]
    return wholes(move, (copy,)) != wholes(move, (first,))

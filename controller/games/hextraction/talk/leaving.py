"""Leaving the game, and taking back what one brought (2.8.1.2, 2.8.3, 2.8.4, R-03, R-60, R-61)."""

import msgspec
from hextraction.controller.games.hextraction.roll import commit
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.record import forget_ball
from hextraction.controller.games.hextraction.state.state import Phase
from hextraction.controller.games.hextraction.talk import voting
from hextraction.controller.games.hextraction.turn import combos, destroying, playing, turns

__all__ = ["balls_due", "can_reclaim", "concede", "owns_tiles", "reclaim", "somebody_leaves"]

# --- Leaving (2.8.1.2, 2.8.4, R-03, R-60) ---


def concede(move: Move, seat: str, _action: act.Concede) -> None:
    """Leave the game: at once if it is stable, otherwise at the next commit."""
    if move.player(seat).conceded:
        raise Refusal("You have already conceded.", "2.8.4")
    move.set_player(seat, conceded=True)
    move.say("concede", f"{move.name(seat)} concedes.", seat=seat, clause="2.8.1.2")
    vote = move.state.vote
    if vote is not None and seat not in vote.ballots:
        move.set(vote=msgspec.structs.replace(vote, away=(*vote.away, seat)))
        voting.close_vote_if_done(move)
    _drop_duties(move, seat)
    if move.state.phase is Phase.DISCARDING and len(move.staying()) == 1:
        turns.DISCARD.drop(move)  # nothing moves, resolves or waits: whoever stays has won
        commit.commit(move)


def _drop_duties(move: Move, seat: str) -> None:
    """Drop whatever only the leaving player could do, so that it does not block the table."""
    state = move.state
    if state.demanded and state.intent is not None and state.intent[0] == seat:
        move.forget_demand()
    if seat == state.active:
        playing.ROOM.drop(move)
    if state.phase in {Phase.PLACING, Phase.SEATING} and state.play is not None and state.play.seat == seat:
        playing.give_up(move)
        _drop_vote(move)


def _drop_vote(move: Move) -> None:
    """Drop the vote or ballot on a tile that went back into a hand unplayed (0.4.1, R-04)."""
    vote = move.state.vote
    if vote is not None and move.laid_copy(vote.copy) is None:
        move.set(vote=None)
        move.say("vote", f"{move.title(vote.copy)} is not played, so nobody votes on it.", clause="R-04")


def somebody_leaves(move: Move) -> bool:
    """Whether a player has conceded and is still in the game."""
    leaving = [player for player in move.state.players if player.conceded and not player.out]
    return bool(leaving)


# --- Taking back what one brought, after losing while the others play on (2.8.3, 2.8.4.1, R-61) ---

_LEAVE = "leave"


def can_reclaim(move: Move, seat: str) -> bool:
    """Whether a seat has lost, the game goes on and is stable, and the player has not left it all behind."""
    player = move.player(seat)
    return player.out and move.state.phase is Phase.CHOOSING and _LEAVE not in player.reclaimed


def reclaim(move: Move, seat: str, action: act.Reclaim) -> None:
    """Take back tiles or a ball, leave everything until the end, or call the draw."""
    if not move.player(seat).out:
        raise Refusal("Only a player who has lost can take things back before the end.", "2.8.3")
    if not can_reclaim(move, seat):
        raise Refusal("Your things stay until the end.", "2.8.4.1")
    match action.what:
        case "leave":
            move.say("reclaim", f"{move.name(seat)} leaves everything until the end.", clause="2.8.4.1")
        case "tiles":
            _take_tiles(move, seat)
        case "ball":
            _take_ball(move, seat, action.slot)
        case "draw":
            _call_draw(move, seat)
            return
        case _:
            raise Refusal("You can say leave, tiles, ball or draw.", "2.8.3")
    move.set_player(seat, reclaimed=(*move.player(seat).reclaimed, action.what))


def _call_draw(move: Move, seat: str) -> None:
    if move.state.board_owner != seat:
        raise Refusal("Only the owner of the board can end the game as a draw.", "2.8.3.1")
    turns.end_game(move, (), f"{move.name(seat)} takes the board home: the game is a draw.", "2.8.3.1")


def owns_tiles(move: Move, seat: str) -> bool:
    """Whether tiles of a seat are still in the game."""
    state = move.state
    inside = {*state.pool, *state.virtual, *(laid.copy for laid in state.laid)}
    inside |= {copy for player in state.players for copy in player.hand}
    return any(state.copies[copy].owner == seat for copy in inside)


def _take_tiles(move: Move, seat: str) -> None:
    """Remove a loser's tiles from pools, board and hands; hands redraw. Nothing is destroyed (2.8.3.2)."""
    if not owns_tiles(move, seat):
        raise Refusal("None of your tiles is in the game.", "2.8.3.2")
    said = f"{move.name(seat)} takes their tiles back."
    move.say("reclaim", said, seat=seat, clause="2.8.3.2")
    _to_pools_from_board(move, seat)  # whence all that are the loser's are taken
    loose = (*move.state.pool, *move.state.virtual)
    mine = {copy for copy in loose if move.state.copies[copy].owner == seat}
    move.set(
        pool=tuple(copy for copy in move.state.pool if copy not in mine),
        virtual=tuple(copy for copy in move.state.virtual if copy not in mine),
        taken=(*move.state.taken, *sorted(mine)),
    )
    if _redraw(move, seat):
        commit.commit(move)


def _to_pools_from_board(move: Move, seat: str) -> None:
    """Put a loser's tiles into their pools, with what leaves together with them."""
    own = tuple(laid.copy for laid in move.state.laid if move.state.copies[laid.copy].owner == seat)
    gone = [laid for copy in combos.with_mates(move, own) if (laid := move.laid_copy(copy)) is not None]
    for laid in gone:
        destroying.remove_laid(move, laid)
    for whole in combos.wholes(move, tuple(laid.copy for laid in gone)):
        turns.to_pool(move, whole)


def _redraw(move: Move, seat: str) -> bool:
    """Let everybody draw for the tiles that left their hand; return False if the pool is too small (R-59)."""
    missing: dict[str, int] = {}
    for player in move.state.players:
        mine = tuple(copy for copy in player.hand if move.state.copies[copy].owner == seat)
        kept = tuple(copy for copy in player.hand if copy not in mine)
        move.set_player(player.seat, hand=kept)
        move.set(taken=(*move.state.taken, *mine))
        if mine and not player.out:
            missing[player.seat] = len(mine)
    return all(turns.draw(move, holder, count) for holder, count in missing.items())


def balls_due(move: Move, seat: str) -> int:
    """Return how many balls a loser may still take off tiles: those missing from the supply (2.8.3.3)."""
    now, player = move.record(), move.player(seat)
    brought = sum(other.balls for other in move.state.players)
    took = sum(other.reclaimed.count("ball") for other in move.state.players)
    spare = brought - took - len({*now.on, *now.zones, *now.ramps})
    return max(0, player.balls - max(0, spare) - player.reclaimed.count("ball"))


def _take_ball(move: Move, seat: str, slot: str) -> None:
    now = move.record()
    ball = next((ball for ball, on in now.on.items() if slot in on), None)
    if ball is None:
        raise Refusal(f"No ball lies at {slot}.", "2.8.3.3")
    if not balls_due(move, seat):
        raise Refusal("You have as many balls as you brought.", "2.8.3.3")
    move.set_record(forget_ball(now, ball))
    move.say("reclaim", f"{move.name(seat)} takes back the ball at {slot}.", slot=slot, clause="2.8.3.3")

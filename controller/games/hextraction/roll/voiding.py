"""Void rolls: what a roll did is given back, from the game as it was before (0.5.8, 2.1.1.1, R-06, R-49).

:class:`Roll` keeps the whole state before its first release. When the roll becomes void, that state is the
game again, except for the fields that are marked as ``Kept``: what cannot un-happen (destroyed, drawn and
discarded tiles, where balls are), and what the table and the world did meanwhile. So what a new rule adds to
the state is given back by itself.
"""

from typing import Final

from hextraction.controller.games.hextraction.roll.lost_balls import take_off_ramp
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import Stands, kind_of
from hextraction.controller.games.hextraction.state.state import (
    Ask,
    Laid,
    Phase,
    Play,
    Player,
    Roll,
    State,
    Waiting,
    kept_fields,
)
from hextraction.controller.games.hextraction.turn import combos, destroying, turns
from hextraction.controller.games.hextraction.turn.seating import relocate
from msgspec.structs import replace

__all__ = ["give_back", "given_up", "kill_roll"]

_OF_THE_GAME: Final = kept_fields(State)
_OF_A_PLAYER: Final = kept_fields(Player)


def kill_roll(move: Move, roll: Roll, voted: int = 0) -> None:
    """Make the roll void until the commit: nothing it did or does has any effect (0.5.8, R-06, R-08).

    ``voted`` is the tile that is being voted off: a roll that only it ordered is not rolled again.
    """
    if roll.dead:
        return  # whatever has happened since is not of the roll
    move.set_roll(dead=True)
    kept = {roll.by} - {voted} if move.survives(roll.by) else set()
    due = roll.by in {0, *kept} and not roll.loose
    again = f" {move.name(roll.began)} rolls again." if due else ""
    move.say("dead", f"This roll does not count.{again}", seat=roll.roller, clause="0.5.8")
    undone = _undone(move, roll)
    if undone:
        move.say("dead", f"Undone: {'; '.join(undone)}.", seat=roll.roller, clause="0.5.8")
    give_back(move, roll, voted)
    for ball, ramp in dict.fromkeys(roll.record.stuck):  # one that was let go again may have stuck twice
        if roll.record.ramps.get(ball) == ramp:
            take_off_ramp(move, ball, ramp)
    phase, moving = move.state.phase, roll.astir and not roll.told
    if phase in {Phase.PLACING, Phase.SEATING} and moving:
        move.set(phase=Phase.ROLLING)
    elif phase is not Phase.ROLLING:
        move.set(phase=Phase.RESOLVING)


def _undone(move: Move, roll: Roll) -> list[str]:
    """Say what the roll did that a void roll does not do."""
    now, before = move.state, roll.before
    if before is None:
        return []
    found = given_up(now, before)
    if any(ball in roll.record.entered_zone for ball in roll.record.zones):
        found.append("the ball in the end zone does not win")
    waited = {one.id for one in before.waiting}
    dropped = {move.called(one.copy, one.slot): None for one in now.waiting if one.id not in waited}
    return found + [f"{title} does nothing" for title in dropped]


def given_up(now: State, after: State) -> list[str]:
    """Say what players were to have or to suffer by effects, and are not any more."""
    known, found = {player.seat: player for player in after.players}, []
    for player in now.players:
        left = known[player.seat]
        if player.losing and not left.losing:
            found.append(f"{player.name} does not lose")
        if player.winning and not left.winning:
            found.append(f"{player.name} does not win")
        found += _fewer_turns(player, left)
    if now.plays_owed > after.plays_owed or now.rolls_owed > after.rolls_owed:
        found.append("there is nothing more to roll or play for it")
    return found


def _fewer_turns(player: Player, left: Player) -> list[str]:
    """Say of how many turns more, and of how many to skip, a player has fewer now."""
    found = []
    if len(player.extra_turns) > len(left.extra_turns):
        has_some = f"{player.name} has fewer extra turns"
        found.append(has_some if left.extra_turns else f"{player.name} has no extra turn")
    if len(player.skips) > len(left.skips):
        found.append(f"{player.name} skips fewer turns" if left.skips else f"{player.name} skips no turn")
    return found


def give_back(move: Move, roll: Roll, voted: int = 0) -> None:
    """Let everything be as it was before the roll, except for what cannot un-happen.

    ``voted`` is a tile that leaves by vote at this moment: it is not sent back, nor taken out of its play.
    """
    now, before = move.state, roll.before
    if before is None:
        return
    spared = move.state.copies[voted].whole or voted if voted else 0
    if not _holds(move, now.play, spared) or _holds(move, before.play, spared):
        _end_plays(move, before, spared)
    play = now.play if _holds(move, now.play, spared) else before.play
    _take_up(move, before, spared)
    _lay_back(move, before)
    _as_voted_on(move, before)
    now = move.state
    known = {player.seat: player for player in before.players}
    move.state = replace(
        before,
        **{name: getattr(now, name) for name in _OF_THE_GAME},
    )
    move.set(
        players=tuple(_as_before(player, known[player.seat]) for player in now.players),
        play=play,
        asks=_asks_left(now, before),
        waiting=_waiting_left(move, now, before),
        silencers=tuple(copy for copy in before.silencers if move.laid_copy(copy) is not None),
        ignored_bans=(),
    )


def _as_before(player: Player, before: Player) -> Player:
    """Return a player with what effects of a roll have done to them given back."""
    return replace(before, **{name: getattr(player, name) for name in _OF_A_PLAYER})


def _asks_left(now: State, before: State) -> tuple[Ask, ...]:
    """Return the questions that are still open: what the table discusses, and what balls and hands do."""
    old = {ask.id for ask in before.asks}
    return tuple(
        ask for ask in now.asks if kind_of(ask).stands is not Stands.WHILE_IT_COUNTS or ask.id in old
    )


def _waiting_left(move: Move, now: State, before: State) -> tuple[Waiting, ...]:
    """Return what waited before the roll; what was resolved since waits again if it has been given back."""
    still, lay = {one.id for one in now.waiting}, {laid.copy for laid in before.laid}
    return tuple(
        one
        for one in before.waiting
        if (one.copy not in lay or move.laid_copy(one.copy) is not None)
        and (one.id in still or move.tile(one.copy).effects[one.effect].deed.given_back)
    )


# --- Tiles: those that the roll laid go back, those that it moved too ---


def _holds(move: Move, play: Play | None, whole: int) -> bool:
    """Whether a play is about a tile, whole or in parts."""
    copies = (play.copy, *play.pieces, *play.done) if play is not None else ()
    return bool(whole) and whole in combos.wholes(move, copies)


def _end_plays(move: Move, before: State, spared: int) -> None:
    """End the plays that the roll's effects ordered: what is not on the board goes back."""
    play, began = move.state.play, set()
    outer = before.play
    while outer is not None:
        began.add(outer.copy)
        outer = outer.within
    while play is not None and began.isdisjoint({play.copy, *play.done}):
        if not play.seated:
            for whole in combos.wholes(move, (play.copy, *play.pieces)):
                if whole != spared and not combos.installed_parts(move, whole):
                    _send_home(move, before, whole, play.seat)
        play = play.within
    move.set(play=play)


def _take_up(move: Move, before: State, spared: int) -> None:
    """Take tiles up that were laid during the roll, created ones included, and send them back."""
    lay = {move.state.copies[laid.copy].whole or laid.copy for laid in before.laid}
    back = {*before.destroyed, *before.taken, *(laid.copy for laid in before.graves)}
    wholes = combos.wholes(move, tuple(laid.copy for laid in move.state.laid))
    for whole in wholes:
        if whole in lay or whole in back or whole == spared:
            continue
        seat = ""
        for copy in combos.installed_parts(move, whole) or (whole,):
            laid = move.laid_copy(copy)
            if laid is not None:
                seat = laid.by
                destroying.remove_laid(move, laid)
        _send_home(move, before, whole, seat)


def _send_home(move: Move, before: State, whole: int, laid_by: str) -> None:
    """Put a tile where it was before the roll, if it is nowhere now; a drawn one stays with who laid it.

    Only a Virtual tile comes out of the Main Pool without being drawn: it is created (3.Create).
    """
    state = move.state
    held = {copy for player in state.players for copy in player.hand}
    if whole in {*held, *state.pool, *state.virtual, *state.destroyed, *state.taken}:
        return
    turns.unmask(move, whole)
    owner = next((player.seat for player in before.players if whole in player.hand), None)
    lay = [laid for laid in before.laid if laid.copy == whole]
    created = owner is None and move.tile(whole).virtual
    if lay and {*lay[0].slots}.isdisjoint(move.layout()):
        lift = tuple(slot for slot in state.to_lift if slot not in lay[0].slots)
        move.set(to_lift=lift)
        move.set_laid((*state.laid, lay[0]))
        where = f"to {lay[0].slot}"
    elif whole in before.virtual or (whole in before.pool and created and move.state.play is None):
        turns.to_pool(move, whole)
        where = "to its pool"
    else:
        seat = owner or laid_by or _roller(move)
        move.set_player(seat, hand=(*move.player(seat).hand, whole))
        where = f"to the hand of {move.name(seat)}"
    move.say("effect", f"{move.title(whole)} goes back {where}.", clause="0.5.8")


def _roller(move: Move) -> str:
    return move.state.roll.roller if move.state.roll is not None else move.state.active


def _lay_back(move: Move, before: State) -> None:
    """Move and turn tiles back, with what lies on them, where nothing else lies now; end borrowed effects.

    A ball that was let go is not back inside the tile that it came from: balls stay where they are (R-06).
    """
    was = {laid.copy: laid for laid in before.laid}
    copies = {
        copy: replace(known, guise=before.copies[copy].guise)
        for copy, known in move.state.copies.items()
        if copy in was and known.guise != before.copies[copy].guise
    }
    if copies:
        move.set(copies={**move.state.copies, **copies})
    was.update({laid.copy: replace(was[laid.copy], part=laid.part) for laid in move.state.laid
                if laid.copy in was and move.supplies(laid)})  # fmt: skip
    moved = [laid for laid in move.state.laid if laid.copy in was and _lies(laid) != _lies(was[laid.copy])]
    while moved:
        stay = {slot for laid in move.state.laid if laid not in moved for slot in laid.slots}
        free = [laid for laid in moved if stay.isdisjoint(was[laid.copy].slots)]
        if len(free) == len(moved):
            break
        moved = free
    after = tuple(_back(laid, was[laid.copy]) for laid in moved)
    if after:
        relocate(move, after)
    for laid, now in zip(moved, after, strict=True):
        turned = laid.slot == now.slot
        where = f"is turned back at {now.slot}" if turned else f"goes back to {now.slot}"
        move.say("moved", f"{move.title(now.copy)} {where}.", slot=now.slot, clause="0.5.8")


def _as_voted_on(move: Move, before: State) -> None:
    """Forget set-ups and ballots of tiles that the roll had played again: they lie as before (R-09)."""
    was = {laid.copy: laid for laid in before.laid}
    old = [was.get(laid.copy, laid) for laid in move.state.laid]
    after = tuple(
        replace(laid, silenced=one.silenced, locked=one.locked)
        for laid, one in zip(move.state.laid, old, strict=True)
    )
    for laid, now in zip(move.state.laid, after, strict=True):
        if laid.silenced != now.silenced:
            called = move.called(now.copy)
            off = f"The Forbidden effect of {called} is disabled again."
            said = off if now.silenced else f"The Forbidden effect of {called} is enabled again."
            move.say("effect", said, slot=now.slot, clause="0.5.8")
    if after != move.state.laid:
        move.set_laid(after)


def _lies(laid: Laid) -> tuple[tuple[str, ...], int, int]:
    return laid.slots, laid.turns, laid.part


def _back(laid: Laid, was: Laid) -> Laid:
    return replace(laid, slots=was.slots, turns=was.turns, part=was.part)

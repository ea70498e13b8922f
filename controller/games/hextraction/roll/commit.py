"""Becoming stable: the grace, piles of balls, and the commit in its fixed order (2.1.5, R-20 … R-28).

Order: forget fallen balls, losses, wins, off-board destructions, forced Break the Loop, piles of three; then
the roll is over. What that set off is resolved and committed separately; last come Offline and Overdrive.
"""

from collections.abc import Callable
from typing import Final

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import When
from hextraction.controller.games.hextraction.cards.vocabulary import Deed
from hextraction.controller.games.hextraction.roll import looping, lost_balls
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import QuestionKind, Stands, TileGone, Undo
from hextraction.controller.games.hextraction.state.record import resting
from hextraction.controller.games.hextraction.state.state import Ask, Depth, Laid, Matter, Phase, State
from hextraction.controller.games.hextraction.turn import destroying, turns
from hextraction.controller.games.hextraction.turn.ball_supply import locked
from hextraction.controller.games.hextraction.turn.combos import with_mates

__all__ = [
    "PILE",
    "agree",
    "ask_pile",
    "become_stable",
    "commit",
    "go_on",
    "list_piles",
    "losses",
    "may_object",
    "object_to",
    "silent",
    "wins",
]

# --- Tiles that three or more balls touch when the game is stable (2.1.5.5, R-35) ---


def list_piles(move: Move) -> None:
    """List the tiles with piles, once per commit."""
    layout = move.layout()
    counts = {laid.copy: captive for laid in move.state.laid if (captive := move.captive(laid))}
    for on in move.record().on.values():
        for copy in {layout[slot] for slot in on if slot in layout}:
            counts[copy] = counts.get(copy, 0) + 1
    piles = tuple(copy for copy, count in counts.items() if count >= _pile_of(move, copy))
    if piles or move.state.piles:
        move.set(piles=piles)
        ask_pile(move)


def _pile_of(move: Move, copy: int) -> float:
    """Return how many balls make a pile on a tile: three, unless an effect of the tile says otherwise."""
    limits = [
        effect.deed.pile(effect)
        for effect in move.tile(copy).effects
        if effect.deed.pile is not None and move.enabled(effect, move.laid_copy(copy))
    ]
    return max(limits, default=3)


def ask_pile(move: Move) -> None:
    """Make the roller destroy one tile touched by a pile's balls, pile by pile in any order.

    All candidates are offered at once, so that choosing a tile also chooses the order. If a pile leaves no
    choice, and its tile does not matter to another pile, the tile is destroyed without a question.
    """
    while not move.state.parting and (choices := _choices(move)):
        move.set(piles=tuple(choices))
        pile = next((one for one in choices if _no_matter(move, one, choices)), None)
        if pile is None:
            _ask(move, choices)
            return
        move.say("effect", f"Too many balls lie on {move.called(pile)}.", clause="2.1.5.5")
        _cost(move, pile, choices[pile][0])
    if not move.state.parting:
        move.set(piles=())


def _choices(move: Move) -> dict[int, list[int]]:
    """Return the tiles that may be destroyed for each listed pile; a pile whose tile is gone is skipped."""
    layout = move.layout()
    found = {}
    for pile in move.state.piles:
        touched = [[layout[slot] for slot in on if slot in layout] for on in move.record().on.values()]
        copies = dict.fromkeys(copy for on in touched if pile in on for copy in on)
        lying = move.laid_copy(pile)
        if lying is not None and move.captive(lying):
            copies.setdefault(pile)
        if move.laid_copy(pile) is not None and copies:
            found[pile] = list(copies)
    return found


def _no_matter(move: Move, pile: int, choices: dict[int, list[int]]) -> bool:
    if len(choices[pile]) > 1:
        return False
    others = {copy for other, copies in choices.items() if other != pile for copy in copies}
    return others.isdisjoint(with_mates(move, tuple(choices[pile])))


def _ask(move: Move, choices: dict[int, list[int]]) -> None:
    roller = move.state.roll.roller if move.state.roll is not None else move.state.active
    copies = dict.fromkeys(copy for touched in choices.values() for copy in touched)
    places = [(laid.slot, laid.copy) for copy in copies if (laid := move.laid_copy(copy)) is not None]
    names = " and on ".join(move.called(pile) for pile in choices)
    PILE.ask(move, roller, f"Three balls or more lie on {names}. Which tile do you destroy?", "2.1.5.5",
             [(slot, f"{move.title(copy)} at {slot}") for slot, copy in places], Matter(),
             slots=tuple(slot for slot, _copy in places))  # fmt: skip


def _answer_pile(move: Move, _ask: Ask, _about: Matter, choice: str) -> None:
    """Destroy the tile that the roller chose, which settles a pile whose balls touch it.

    A tile with a pile of its own settles another pile first, as its own is then gone as well.
    """
    laid, choices = move.laid_at(choice), _choices(move)
    if laid is not None:
        settled = [pile for pile, copies in choices.items() if laid.copy in copies]
        settled.sort(key=lambda pile: pile == laid.copy)
        if settled:
            _cost(move, settled[0], laid.copy)
    ask_pile(move)


PILE = QuestionKind(
    word="pile",
    about=Matter,
    hear=_answer_pile,
    stands=Stands.WHILE_IT_COUNTS,
    undo=Undo.POSSIBLE,
    tile_gone=TileGone.ANEW,
    answers=("SLOT",),
)


def _cost(move: Move, pile: int, copy: int) -> None:
    move.set(piles=tuple(other for other in move.state.piles if other != pile))
    destroying.destroy(move, copy, clause="2.1.5.5")


# --- The commit ---

_SCORE_GRACES = 3
"""So many times as long a goal can be said to be none where only the score is kept."""
_TIDYING = ("off_board", "loop", "piles", "close", "again", "keywords")


def become_stable(move: Move) -> None:
    """Start the grace, as nothing moves or waits any more (2.3.1): anybody may still object (R-20).

    Where taps are few their owners take them back, so that only what ends somebody's game waits. Where people
    tell everything, whoever tells of their own roll or tile is not asked about it, and what nobody could
    dispute waits for nobody. Where only the score is kept, one tap is all that a win rests on.
    """
    grace_us = move.state.config.grace_us * (_SCORE_GRACES if move.state.depth is Depth.SCORE else 1)
    decided = _is_decided(move)
    if not decided and not _by_ball(move):
        doubted = move.state.config.sensors or _is_in_doubt(move.state)
        grace_us = grace_us if move.state.depth is Depth.FULL and doubted else 0
    agreed = () if decided or move.state.config.sensors else _content(move)
    if not move.state.adrift and (grace_us <= 0 or not silent(move, agreed)):
        commit(move)
        return
    late_us = None if move.state.adrift else move.state.at_us + grace_us
    move.set(phase=Phase.SETTLING, deadline_us=late_us, agreed=agreed, objected=())


def _content(move: Move) -> tuple[str, ...]:
    """Return who has just told of their own roll or tile; another may keep a vote for the last second."""
    state = move.state
    doer = state.active
    if state.roll is not None:
        doer = state.roll.roller
    elif state.play is not None:
        doer = state.play.seat
    return (doer,) if move.teller == doer else ()


def _is_in_doubt(state: State) -> bool:
    """Whether anything can be disputed: a roll that counts, a tile just laid, an action to take back."""
    rolled = state.roll is not None and not state.roll.dead
    return rolled or state.play is not None or state.last is not None


def commit(move: Move) -> None:
    """Begin the commit: the game is stable, and what has been decided can no longer be re-opened."""
    move.set(deadline_us=None, phase=Phase.TIDYING, last=None, last_seat="", agreed=(), objected=())
    roll = move.state.roll
    if roll is not None or move.state.play is not None:
        move.set(spell=False)  # the table has gone on from the position that was known
    if roll is not None:
        if not roll.dead:  # of a void roll only what was ordered before it is left
            move.forget_demand()
        _forget_fallen(move)
    losses(move)
    if wins(move):
        return
    lost_balls.tell_old(move)
    if roll is not None and move.record().zones.keys() != move.state.taken_out:
        move.set(taken_out=frozenset(move.record().zones))
    alive = move.state.roll is not None and not move.state.roll.dead
    _tidy(move, _TIDYING if alive else _TIDYING[3:])


def go_on(move: Move) -> None:
    """Work through the rest of the commit."""
    _tidy(move, move.state.tidy)


def _tidy(move: Move, steps: tuple[str, ...]) -> None:
    """Take the steps that are left; a question or an effect interrupts them."""
    tidying, taken = Phase.TIDYING, 0
    if move.state.piles and not move.state.asks and not move.state.parting:
        ask_pile(move)  # a vote has removed a tile that could be chosen
    for step in steps:
        if move.state.asks or move.state.phase is not tidying:
            break
        _STEPS[step](move)
        taken += 1
    left, state = steps[taken:], move.state
    if state.phase is tidying and not left and not state.asks:
        _finish(move)
        return
    if state.phase is not tidying:
        left = ()  # effects are resolved first, or a loss settles, and then all is committed
    if left != state.tidy:
        move.set(tidy=left)


def _forget_fallen(move: Move) -> None:
    """Forget balls that fell through a slot, and ask for those in an end zone (2.1.5.1, R-21)."""
    now = move.record()
    if now.fell and not now.zones.keys().isdisjoint(now.fell):
        zones = {ball: zone for ball, zone in now.zones.items() if ball not in now.fell}
        gone = {zone for ball, zone in now.zones.items() if ball in now.fell}
        for where in [zone.title for zone in move.board.zones if zone.name in gone]:
            said = f"A ball that fell through a slot lies in the {where}: take it out. It does not count."
            move.say("zone", said, clause="2.1.5.1")
        move.set_record(msgspec.structs.replace(now, zones=zones))


def losses(move: Move) -> None:
    """Take out players who lose at this commit, before anybody can win (2.8.1, R-27)."""
    for player in move.state.players:
        if (player.losing or player.conceded) and not player.out:
            move.set_player(player.seat, out=True, losing=(), winning=(), lost_by=player.losing)
            why, clause = ("is out of the game", "2.8.1.2") if player.conceded else ("has lost", "2.8.1.1")
            move.say("lost", f"{player.name} {why}.", seat=player.seat, clause=clause)


def wins(move: Move) -> bool:
    """Decide whether the game is over (2.9, R-24 … R-28).

    All who win at one commit win together, or only who rolled, if the table has set it so (R-26): two
    people if both rolled in this roll.
    """
    left, winners = [], []
    for player in move.state.players:
        if not player.out:
            left.append(player)
            if player.winning and not player.cannot_win:
                winners.append(player.seat)
            elif player.winning:
                move.set_player(player.seat, winning=())  # not put off: the effect has been spent
    if not left:
        turns.end_game(move, (), "Everybody has lost: the game is a draw.", "R-27")
        return True
    by_ball = _by_ball(move)
    winners = [*by_ball, *(seat for seat in winners if seat not in by_ball)]
    roller = lost_balls.roller_of(move)
    if not move.state.config.joint_wins and (by_ball or roller in winners):
        winners = by_ball or [roller]
    if winners:
        _end_won(move, winners, by_ball=len(by_ball))
        return True
    if len(left) == 1 and len(move.state.players) > 1:
        turns.end_game(move, (left[0].seat,), f"{left[0].name} wins: everybody else has lost.", "2.9.1.3")
        return True
    return False


def _end_won(move: Move, winners: list[str], *, by_ball: int) -> None:
    """End the game, and say who has won how: the first ``by_ball`` of them by a ball."""
    names = [move.name(seat) for seat in winners]
    if not by_ball:
        said = f"{' and '.join(names)} win{'s' if len(names) == 1 else ''} by an effect!"
    elif len(names) == 1:
        said = f"{names[0]} wins with a ball in the end zone!"
    elif by_ball == 1:
        said = f"{names[0]} wins with a ball in the end zone, and {' and '.join(names[1:])} by an effect!"
    else:
        said = f"{' and '.join(names)} win together!"
    turns.end_game(move, tuple(winners), said, "2.9.1.1" if by_ball else "2.9.1.2")


def _by_ball(move: Move) -> list[str]:
    """Return who was rolling when a live ball entered the end zone it is in (2.1.5.2, R-12, R-25)."""
    roll = move.state.roll
    if roll is None or roll.dead or not roll.record.zones:
        return []
    now = roll.record
    live = [ball for ball in now.zones if ball in now.entered_zone and ball not in now.fell]
    seats = {roll.roller_of(ball) for ball in live}
    return [seat for seat in roll.rollers if seat in seats and _may_win(move, seat)]


def _may_win(move: Move, seat: str) -> bool:
    return not move.player(seat).out and not move.player(seat).cannot_win


def _off_board(move: Move) -> None:
    """For each ball lost in another way, destroy the tile it was last in contact with (2.1.5.3, R-33)."""
    now = move.record()
    _use_up(move)
    if not now.lost and not now.fell:
        return
    _tell_collectors(move, len({*now.fell, *(ball for ball, _copy in now.lost)}))
    lost = [*(copy for _ball, copy in now.lost), *_through_costly_holes(move)]
    doomed = tuple(copy for copy in lost if copy is not None and move.laid_copy(copy))
    if doomed:
        destroying.destroy_all(move, tuple(dict.fromkeys(doomed)), clause="2.1.5.3")


def _ongoing(move: Move, which: Callable[[Deed], bool]) -> list[Laid]:
    """Return the tiles with an effect of that kind that works now."""
    return [laid for laid, _index, effect in move.on_board(When.ONGOING)
            if which(effect.deed) and move.enabled(effect, laid)]  # fmt: skip


def _tell_collectors(move: Move, count: int) -> None:
    """Tell people to put the balls that have left the board into the tile that collects them."""
    collecting = _ongoing(move, lambda deed: deed.collects)[:1]
    for laid in collecting if collecting and not locked(move) else ():
        balls = "the ball" if count == 1 else f"the {count} balls"
        said = f"Put {balls} into {move.called(laid.copy)}."
        move.say("collect", said, slot=laid.slot, clause="2.6.3")


def _use_up(move: Move) -> None:
    """Destroy a tile whose own balls have all been rolled."""
    for laid in _ongoing(move, lambda deed: deed.supplies):
        if laid.part >= move.tile(laid.copy).captive:
            destroying.destroy(move, laid.copy, clause="2.6.3")


def _through_costly_holes(move: Move) -> list[int]:
    """Return tiles through whose hole a ball dropped, if they say it counts as gone over the side (R-74)."""
    now = move.record()
    through = [now.holes[ball] for ball in now.fell if ball in now.holes]
    laid = [found for copy in through if (found := move.laid_copy(copy)) is not None]
    return [
        one.copy
        for one in laid
        if any(
            effect.deed.hole_is_side and move.enabled(effect, one) for effect in move.tile(one.copy).effects
        )
    ]


def _forced_loop(move: Move) -> None:
    """Break the loop if the roller has not done so by now (2.1.5.4)."""
    if looping.loop_candidates(move):
        looping.break_the_loop(move)


def _close_roll(move: Move) -> None:
    """End the roll itself (R-21 step 7): what the commit set off is resolved outside of it."""
    roll = move.state.roll
    if roll is not None:
        rolled = move.state.rolled or (not roll.dead and move.state.active in roll.rollers)
        strays = move.state.strays + len(roll.record.lost)
        move.set(
            rest=resting(roll.record), roll=None, ended_us=move.state.at_us, rolled=rolled, strays=strays
        )
        if roll.dead and move.survives(roll.by):
            move.owe_again(roll)
    if move.state.waiting:
        move.set(phase=Phase.RESOLVING)


def is_unsettled(move: Move) -> bool:
    """Whether something has happened between actions that no commit has seen (2.8.1, 3.Overdrive.1).

    A tile can be voted off or fall out of its slot while somebody discards at the end of a turn, or has only
    chosen a ramp; and the table can put one back (0.0).
    """
    state = move.state
    return bool(state.waiting) or _is_decided(move) or state.overdrive != move.is_full()


def _is_decided(move: Move) -> bool:
    """Whether somebody loses or wins at the next commit, other than by leaving."""
    for player in move.state.players:  # a plain loop: this is looked at after every event
        if not player.out and (player.losing or (player.winning and not player.cannot_win)):
            return True
    return False


def _again(move: Move) -> None:
    """Settle anew if the commit itself makes somebody lose or win: a vote may still save them (2.8.2, R-20).

    Who leaves is taken out at once.
    """
    if _is_decided(move):
        become_stable(move)
    elif any(player.conceded and not player.out for player in move.state.players):
        losses(move)
        wins(move)


def _keywords(move: Move) -> None:
    """Read Offline and Overdrive from the board's current state (3.Offline.1, 3.Overdrive.1, R-46, R-48)."""
    state = move.state
    offline, overdrive = not state.power or state.dark, move.is_full()
    if offline != state.offline:
        move.say("offline", f"Offline effects are now {'on' if offline else 'off'}.", clause="3.Offline.1")
    if overdrive != state.overdrive:
        move.say("overdrive", f"Overdrive is now {'on' if overdrive else 'off'}.", clause="3.Overdrive.1")
    if state.dark or offline != state.offline or overdrive != state.overdrive:
        move.set(offline=offline, overdrive=overdrive, dark=False)


_STEPS = {
    "off_board": _off_board,
    "loop": _forced_loop,
    "piles": list_piles,
    "close": _close_roll,
    "again": _again,
    "keywords": _keywords,
}


def _finish(move: Move) -> None:
    """Clear counters and let the active player go on, or the next one if the active player is out."""
    demanded = move.awaits_release()
    move.set(
        phase=Phase.RELEASING if demanded else Phase.CHOOSING,
        intent=move.state.intent if demanded else None,
        play=None,
        tidy=(),
        ignored_bans=(),
        loose="",
        attesting=False,
    )
    if move.state.config.grace_us:  # else nobody has waited for that
        move.say("stable", "The last move counts now.")
    if move.player(move.state.active).out:
        move.forget_demand()
        turns.finish_turn(move)


# --- Ending the grace early: nobody objects (R-20) ---


OBJECT_US: Final = 60_000_000
"""How long whoever objects has to say what is wrong."""


def silent(move: Move, agreed: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """Return who is not among the ``agreed``, who have no objection; players who leave are not waited for."""
    content = move.state.agreed if agreed is None else agreed
    return tuple(
        [
            player.seat
            for player in move.state.players
            if not player.out and not player.conceded and player.seat not in content
        ]
    )


def may_object(state: State, seat: str) -> bool:
    """Whether a seat may say that something is wrong: once in each grace that ends by itself."""
    return state.deadline_us is not None and seat not in state.objected


def object_to(move: Move, seat: str, _action: act.Object) -> None:
    """Say that something is wrong: nothing is final until it is said what, or a minute has passed."""
    state = move.state
    if not may_object(state, seat):
        raise Refusal("You have said so already: now say what is wrong.", "R-20")
    late_us = max(state.deadline_us or 0, state.at_us + OBJECT_US)
    move.set(deadline_us=late_us, agreed=(), objected=(*state.objected, seat))
    move.say("object", f"{move.name(seat)} says: that is not right.", seat=seat, clause="R-20")


def agree(move: Move, seat: str, action: act.Agree) -> None:
    """Say that one has no objection, perhaps for another player who passed the phone on (R-03)."""
    speaker = action.seat or seat
    if speaker not in silent(move):
        raise Refusal("That player has answered already.", "R-20")
    move.set(agreed=(*move.state.agreed, speaker))
    if not silent(move):
        move.say("agreed", "Everybody agrees.", clause="R-20")
        commit(move)

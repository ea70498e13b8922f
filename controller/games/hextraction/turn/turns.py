"""Turns: what is owed, ending a turn, drawing and discarding to three, who is next (1.2, 2.0, R-40)."""

from collections.abc import Sequence

import msgspec
from hextraction.controller.games.hextraction.cards.checklist import has_mark
from hextraction.controller.games.hextraction.cards.tiles import Effect, When
from hextraction.controller.games.hextraction.lay.making_room import can_play
from hextraction.controller.games.hextraction.state.actions import End
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import QuestionKind, Stands, Undo
from hextraction.controller.games.hextraction.state.state import Ask, Laid, Matter, Phase, State

__all__ = [
    "ask_discard",
    "begin_turn",
    "discard_anew",
    "discard_copy",
    "discard_to",
    "draw",
    "draw_to_three",
    "end_game",
    "end_turn",
    "finish_turn",
    "is_used_from_hand",
    "joined",
    "mandatory_left",
    "owed",
    "quotas_met",
    "to_pool",
    "unmask",
    "waits_for",
]

_HAND = 3


def owed(move: Move) -> list[tuple[str, str]]:
    """Return what the active player must still do before ending the turn (2.0.1.1), in any order (2.0.5)."""
    state = move.state
    due = []
    if _can_roll(move):
        due.append((f"roll {_count(state.rolls_owed, 'ball')}", "2.0.2"))
    if _can_play(move):
        due.append((f"play {_count(state.plays_owed, 'tile')}", "2.0.3"))
    mandatory = [(f"activate {move.called(copy)}", "2.7.4.4") for copy, _effect in mandatory_left(move)]
    return due + mandatory


def waits_for(move: Move) -> str:
    """Say what the game waits for, so that nobody may do anything else (2.3.1, 2.3.2)."""
    state = move.state
    if state.phase is Phase.OVER:
        return "The game is over."
    if state.play is not None and not state.play.seated:
        return f"{move.name(state.play.seat)} is playing a tile: that comes first."
    if state.phase is Phase.ROLLING or state.adrift:
        return "A ball is moving. Wait until it lies still."
    if state.phase is Phase.RELEASING and state.intent is not None:
        return f"{move.name(state.intent[0])} has to let a ball go first."
    if state.phase is Phase.DISCARDING:
        return f"{move.name(state.active)} has to discard down to three first."
    if state.asks:
        return f"{move.name(state.asks[0].seat)} is asked something: the answer comes first."
    if state.waiting or state.phase is Phase.RESOLVING:
        return "An effect is waiting: it comes first."
    return "Not yet: somebody may still say that something is wrong."


def joined(words: Sequence[str]) -> str:
    """Return words as people list them: ``a``, ``a and b``, ``a, b and c``."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def quotas_met(move: Move) -> bool:
    """Whether nothing is left to roll or to play, so that mandatory effects are due (2.7.4.4)."""
    return not _can_roll(move) and not _can_play(move)


def _can_roll(move: Move) -> bool:
    """Whether a roll is owed and possible: if all balls lie on the board, it is waived (R-40)."""
    return move.state.rolls_owed > 0 and move.spare_balls() >= 1


def _can_play(move: Move) -> bool:
    """Whether a play is owed and possible: an empty hand, or one that fits nowhere, waives it."""
    return move.state.plays_owed > 0 and can_play(move, move.state.active)


def mandatory_left(move: Move) -> list[tuple[int, int]]:
    """Return the mandatory activated effects not yet used this turn, as (copy, effect index) (R-63).

    They are of tiles on the board and, if they are used from there, of the active player's hand as far as the
    board knows it.
    """
    state = move.state
    found = [
        (laid.copy, index)
        for laid, index, effect in move.on_board(When.ACTIVATED)
        if effect.mandatory and not effect.from_hand and move.enabled(effect, laid)
    ]
    found += [
        (copy, index)
        for copy in move.player(state.active).hand
        for index, effect in enumerate(move.tile(copy).effects)
        if effect.mandatory and is_used_from_hand(effect) and move.enabled_in_hand(effect, copy)
    ]
    return [one for one in found if one not in state.used]


def is_used_from_hand(effect: Effect) -> bool:
    """Whether an effect is activated while its tile is in a hand."""
    return effect.from_hand and effect.when is When.ACTIVATED


def end_turn(move: Move, seat: str, _action: End) -> None:
    """End the active player's turn, drawing or discarding to three (2.0.1, 1.2.2, R-68)."""
    if seat != move.state.active:
        raise Refusal(f"It is {move.name(move.state.active)}'s turn.", "2.0.1")
    due = owed(move)
    if due:
        clauses = [clause for _what, clause in due]
        what = joined([what for what, _clause in due])
        said = f"Before you end the turn: {what}."
        if len(due) > 1:
            said = f"Before you end the turn, in any order: {what}."
        raise Refusal(said, *clauses, "2.0.1.1")
    move.say("turn", f"{move.name(seat)} ends the turn.", seat=seat)
    missing = _HAND - len(_counted(move, seat))
    if missing > 0 and not _draw_is_forbidden(move) and not draw(move, seat, missing):
        return
    if missing < 0:
        move.set(phase=Phase.DISCARDING)
        ask_discard(move, seat)
        return
    finish_turn(move)


def _counted(move: Move, seat: str) -> list[int]:
    """Return the tiles of a hand, without those that do not count in one."""
    return [
        copy
        for copy in move.player(seat).hand
        if not any(
            not effect.deed.counts_in_hand and move.enabled_in_hand(effect, copy)
            for effect in move.tile(copy).effects
        )
    ]


def _draw_is_forbidden(move: Move) -> bool:
    """Whether drawing is off: only a Forbidden effect (0.1.10) that all enabled can do that (0.1.3)."""
    stopping = [one for one in move.on_board(When.ONGOING) if one[2].deed.stops_drawing]
    if not stopping and all(word != "no_draw" for word, _name in move.state.marks):
        return False
    for laid in move.state.laid:
        stops = [effect for stopper, _index, effect in stopping if stopper is laid]
        if any(effect.forbidden and move.enabled(effect, laid) for effect in stops):
            move.say("effect", f"{move.called(laid.copy)}: nobody draws.", slot=laid.slot, clause="0.1.3")
            return True
        if stops or has_mark(move.state.marks, "no_draw", move.tile(laid.copy).name):
            said = f"{move.called(laid.copy)} cannot keep anybody from drawing."
            move.say("flag", said, slot=laid.slot, clause="0.1.10")
    return False


def ask_discard(move: Move, seat: str) -> None:
    """Ask for one tile to discard, again and again until the hand has three (1.2.3)."""
    too_many = len(_counted(move, seat)) - _HAND
    DISCARD.ask(
        move,
        seat,
        f"Discard down to three: {_count(too_many, 'tile')} to go.",
        "1.2.3",
        move.hand_choices(seat),
        Matter(),
    )


def _answer_discard(move: Move, ask: Ask, _about: Matter, choice: str) -> None:
    discard_copy(move, ask.seat, int(choice))
    discard_to(move, ask.seat)


DISCARD = QuestionKind(
    word="discard",
    about=Matter,
    hear=_answer_discard,
    stands=Stands.ANYHOW,
    undo=Undo.AS_BEFORE,
    of_hand=True,
    answers=("N",),
)


def discard_anew(move: Move) -> None:
    """Ask again which tile to discard, as the hand is another one than when it was asked (2.4.4)."""
    ask = next(ask for ask in move.state.asks if ask.kind == DISCARD.word)
    DISCARD.drop(move)
    discard_to(move, ask.seat)


def discard_to(move: Move, seat: str) -> None:
    """Continue after a discard at the end of the turn."""
    if len(_counted(move, seat)) > _HAND:
        ask_discard(move, seat)
    else:
        finish_turn(move)


def finish_turn(move: Move) -> None:
    """Pass the turn to the next player; at most one turn in a row is skipped (0.1.11, R-41, R-72)."""
    _cancel_out(move)
    player = move.player(move.state.active)
    if player.extra_turns and not player.out:
        move.set_player(player.seat, extra_turns=player.extra_turns[1:])
        begin_turn(move, player.seat)
        return
    following = move.player(move.next_seat(player.seat))
    while following.skips and not following.skipped:
        move.set_player(following.seat, skips=following.skips[1:], skipped=True)
        move.say("turn", f"{following.name} skips a turn.", seat=following.seat, clause="0.1.11")
        following = move.player(move.next_seat(following.seat))
    begin_turn(move, following.seat)


def _cancel_out(move: Move) -> None:
    """Let each extra turn of a player make up for a lost one, so that nobody waits twice (0.1.11)."""
    for player in move.state.players:
        both = min(len(player.extra_turns), len(player.skips))
        if both and not player.out:
            move.set_player(player.seat, extra_turns=player.extra_turns[both:], skips=player.skips[both:])
            said = f"{player.name}: {_count(both, 'extra turn')} and {_count(both, 'lost turn')} cancel out."
            move.say("turn", said, seat=player.seat, clause="0.1.11")


def begin_turn(move: Move, seat: str) -> None:
    """Start a turn: one roll and one play are owed, more only if an effect grants them."""
    for player in move.state.players:
        if player.cannot_win:
            move.set_player(player.seat, cannot_win=())
    player = move.player(seat)
    if player.skips and player.skipped:
        move.say("turn", "A second skipped turn in a row does not count.", seat=seat, clause="0.1.11")
    if player.skips or player.skipped:
        move.set_player(seat, skipped=False, skips=())
    move.set(
        active=seat,
        turn=move.state.turn + 1,
        turn_us=move.state.at_us,
        phase=Phase.CHOOSING,
        rolls_owed=1,
        plays_owed=1,
        flat=False,
        barred=(),
        grants=(),
        given_plays=(),
        rolled=False,
        used=(),
        supplied=(),
        graves=(),
        old_graves=_old_graves(move.state),
        last=None,
        last_seat="",
        votes=0,
        ignored_bans=(),
        intent=None,
    )
    move.say("turn", f"{player.name}'s turn.", seat=seat)


def _old_graves(state: State) -> tuple[Laid, ...]:
    """Return how the tiles lay that are destroyed by now, each the last time."""
    gone = {*state.destroyed, *state.virtual}
    last = {grave.copy: grave for grave in (*state.old_graves, *state.graves)}
    return tuple(grave for grave in last.values() if (state.copies[grave.copy].whole or grave.copy) in gone)


def draw(move: Move, seat: str, count: int = 1) -> bool:
    """Draw tiles blindly (1.2.5) from "the pool": the Main Pool (3.Pool.2), without the destroyed (3.Pool.1).

    An empty pool ends the game in a draw at once (2.10.1, R-59); then return False.
    """
    player, pool = move.player(seat), move.state.pool
    hand = player.hand
    for _drawn in range(count):
        if not pool:
            break
        place = move.luck(len(pool))
        hand, pool = (*hand, pool[place]), pool[:place] + pool[place + 1 :]
    drawn = len(hand) - len(player.hand)
    if drawn:
        move.set(pool=pool)
        move.set_player(seat, hand=hand)
    if drawn < count:
        end_game(move, (), "The pool is empty: the game is a draw.", "2.10.1")
        return False
    if drawn:
        move.say("draw", f"{player.name} draws {_count(count, 'tile')}.", seat=seat)
    return True


def draw_to_three(move: Move) -> None:
    """Let all draw up to three, as a card may say; an empty pool ends the game (2.10.1)."""
    for seat in move.playing():
        missing = _HAND - len(_counted(move, seat))
        if missing > 0 and not draw(move, seat, missing):
            return


def discard_copy(move: Move, seat: str, copy: int) -> None:
    """Put a tile from a hand back into its pool (3.Discard)."""
    if copy not in move.player(seat).hand:
        return  # it has been destroyed meanwhile (2.4.4)
    move.set_player(seat, hand=tuple(other for other in move.player(seat).hand if other != copy))
    to_pool(move, copy)
    move.say("discard", f"{move.name(seat)} discards a tile.", seat=seat)


def unmask(move: Move, copy: int) -> None:
    """End the effects that a tile took over from another, as it leaves the board."""
    known = move.state.copies[copy]
    if known.guise:
        move.set(copies={**move.state.copies, copy: msgspec.structs.replace(known, guise="")})


def to_pool(move: Move, copy: int) -> None:
    """Return a copy to its pool, a Virtual one to its own (3.Discard.1, 3.Virtual.3, 3.VirtualPool.1)."""
    unmask(move, copy)
    if move.tile(copy).virtual:
        move.set(virtual=(*move.state.virtual, copy))
    else:
        move.set(pool=(*move.state.pool, copy))


def end_game(move: Move, winners: tuple[str, ...], text: str, clause: str) -> None:
    """End the game; the rest of the commit does not happen (R-28)."""
    move.set(
        phase=Phase.OVER,
        winners=winners,
        outcome=text,
        asks=(),
        vote=None,
        waiting=(),
        poised=None,
        parting=(),
        intent=None,
        deadline_us=None,
        demanded=0,
        last=None,
        last_seat="",
    )
    move.say("win" if winners else "over", text, seat=winners[0] if winners else None, clause=clause)
    _report_balls(move)


def _report_balls(move: Move) -> None:
    """Report the balls by count, as they are unmarked; one that rolled away costs nobody anything (1.1.3)."""
    roll = move.state.roll
    strays = move.state.strays + (len(roll.record.lost) if roll is not None else 0)
    if strays:
        said = f"{_count(strays, 'ball').capitalize()} left over the side: count them, and look around."
        move.say("balls", said, clause="1.1.3")


def _count(number: int, thing: str) -> str:
    words = {1: "one", 2: "two", 3: "three"}
    return f"{words.get(number, str(number))} {thing}{'' if number == 1 else 's'}"

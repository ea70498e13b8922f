"""What each deed of the vocabulary does (2.6, 2.7, R-18, R-32). One small function per deed, one table.

A deed that needs a choice asks a question; the table says how it continues.
"""

from typing import Final

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import Deed, Effect, When, Who
from hextraction.controller.games.hextraction.effects import ball_deeds, play_deeds, tile_deeds
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state import fates
from hextraction.controller.games.hextraction.state.deeds import Answered, Do, Doing, OfEffect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import Heir, QuestionKind, Stands, Undo
from hextraction.controller.games.hextraction.state.state import Ask, Laid, Phase, Play, Waiting
from hextraction.controller.games.hextraction.turn import destroying, playing, turns

__all__ = [
    "DEEDS",
    "EFFECT",
    "Discarding",
    "all_can_see",
    "ask_discard",
    "asked_by",
    "concerned",
    "do_effect",
    "goes_without_saying",
    "leaves",
    "no_fit",
    "ordered_deed",
    "reveal",
    "try_again",
]

# --- The table of deeds ---


def do_effect(move: Move, waiting: Waiting) -> None:
    """Carry out one effect for everybody it concerns."""
    effect = move.tile(waiting.copy).effects[waiting.effect]
    seats = concerned(move, effect, waiting)
    if not seats and effect.who is Who.OWNER:
        stays = move.state.copies[waiting.copy].owner in move.staying()
        why = "no opponent of its owner has set it off" if stays else "its owner has left the game"
        nobody = Doing(effect=effect, waiting=waiting, seat=waiting.seat, question=EFFECT)
        nobody.come_to_nothing(move, why)
    for seat in seats:
        doing = Doing(effect=effect, waiting=waiting, seat=seat, question=EFFECT)
        if move.state.phase is not Phase.OVER and not leaves(move, doing):
            _note(move, effect, msgspec.structs.replace(waiting, seat=seat))
            do, _answered = DEEDS[effect.deed]
            do(move, doing)


def _note(move: Move, effect: Effect, waiting: Waiting) -> None:
    """Note what a touch has set off, at once or by a choice, in case that it was none (R-14)."""
    roll = move.state.roll
    if roll is None or effect.when not in {When.TRIGGER, When.PICKED}:
        return
    number = waiting.id or max((one.id for one in roll.done if one.copy == waiting.copy), default=0)
    move.set_roll(done=(*roll.done, msgspec.structs.replace(waiting, id=number)))


_BY_HAND: Final = frozenset({
    Deed.CREATE, Deed.PLAY_NEXT_TO, Deed.PLAY_WHERE_FELL, Deed.RELEASE_AT_EACH, Deed.RELEASE_HERE,
    Deed.REPLAY_OTHER, Deed.SEND_OR_CREATE, Deed.SUMMON,
})  # fmt: skip
"""Deeds for which somebody lays a tile or takes a new ball: chance cannot do that for whoever leaves."""


def leaves(move: Move, doing: Doing) -> bool:
    """Whether an effect comes to nothing, as the one whose hands it needs leaves the game (2.8.4)."""
    if doing.effect.deed not in _BY_HAND or not move.player(doing.seat).conceded:
        return False
    said = f"{move.name(doing.seat)} leaves: {move.called(doing.copy, doing.slot)} does nothing."
    move.say("effect", said, seat=doing.seat, slot=doing.slot or None, clause="2.8.4")
    return True


_ALL_CAN_SEE: Final = frozenset({Deed.DESTROY_CHOSEN, Deed.FLIP_SWITCH, Deed.PICK})
"""Deeds that ask what a tile shows: how its switch stands, which slip was drawn, which ship is full."""


def all_can_see(move: Move, about: OfEffect) -> bool:
    """Whether anybody may answer a question for whoever leaves, as it is about what lies on the board."""
    return move.tile(about.copy).effects[about.effect].deed in _ALL_CAN_SEE


def goes_without_saying(move: Move, about: OfEffect) -> int | None:
    """Return the number of the choice that nobody has to carry out; None if somebody has to."""
    return 0 if move.tile(about.copy).effects[about.effect].deed is Deed.TURN_PART else None


_WITHOUT_HANDS: Final = frozenset({Deed.EXTRA_TURN, Deed.LOSE, Deed.NO_WIN, Deed.SKIP_TURN, Deed.WIN})
"""Deeds for which the next player has to do nothing: whoever leaves is still next until the commit (R-60)."""


def concerned(move: Move, effect: Effect, waiting: Waiting) -> tuple[str, ...]:
    """Return the seats that an effect concerns.

    What the next player has to do somebody else does if that one leaves; but nobody wins or loses in the
    place of a player who has conceded, as that one has not lost before the commit (2.8.1, R-60).
    """
    staying, seat = move.staying(), waiting.seat
    match effect.who:
        case Who.SELF:
            return (seat,)
        case Who.NEXT:
            return (move.next_seat(seat, staying=effect.deed not in _WITHOUT_HANDS),)
        case Who.OTHERS:
            return tuple(other for other in staying if other != seat)
        case Who.ALL:
            return staying
        case Who.OWNER:
            owner = move.state.copies[waiting.copy].owner
            return (owner,) if owner != seat and owner in staying else ()


def _attested(move: Move, doing: Doing) -> None:
    doing.ask(move, doing.effect.text, "2.6.3", [("done", "Done")])


def _chime(move: Move, doing: Doing) -> None:
    move.set(chime=move.state.chime + doing.effect.amount)
    move.say("chime", f"Chime! That makes {move.state.chime}.", slot=doing.slot or None)


def _destroy_other(move: Move, doing: Doing) -> None:
    _ask_which(move, doing, [laid for laid in move.state.laid if laid.copy != doing.copy])


def _destroy_one(move: Move, doing: Doing) -> None:
    _ask_which(move, doing, list(move.state.laid))


def _ask_which(move: Move, doing: Doing, others: list[Laid]) -> None:
    if others:
        choices = [(laid.slot, f"{move.title(laid.copy)} at {laid.slot}") for laid in others]
        doing.ask(move, "Destroy which tile?", "2.6.4", choices)
    else:
        doing.come_to_nothing(move, "there is no other tile")


def _destroy_this(move: Move, doing: Doing) -> None:
    if move.laid_copy(doing.copy) is not None:
        destroying.destroy(move, doing.copy, seat=doing.seat)


def _destroy_neighbours(move: Move, doing: Doing) -> None:
    if not doing.slot:
        return
    layout = move.layout()
    around = dict.fromkeys(layout[slot] for slot in move.board.neighbours(doing.slot) if slot in layout)
    destroying.destroy_all(move, tuple(copy for copy in around if copy != doing.copy), seat=doing.seat)


def _destroy_under_balls(move: Move, doing: Doing) -> None:
    layout = move.layout()
    slots = [slot for on in move.record().on.values() for slot in on]
    touched = [layout[slot] for slot in slots if slot in layout]
    captive = [laid.copy for laid in move.state.laid if move.captive(laid)]
    destroying.destroy_all(move, tuple(dict.fromkeys((*touched, *captive))), seat=doing.seat)


def _lose(move: Move, doing: Doing) -> None:
    fates.loses(move, doing.seat, doing.copy, _set_off_by(doing), slot=doing.slot or None)


def _win(move: Move, doing: Doing) -> None:
    fates.decree(move, doing.seat, "winning", doing.copy, _set_off_by(doing))
    said = f"{move.name(doing.seat)} wins when this settles."
    if move.player(doing.seat).cannot_win:
        said = f"{move.name(doing.seat)} would win when this settles, but cannot win this turn."
    move.say("effect", said, seat=doing.seat, slot=doing.slot or None, clause="2.9.1.2")


def _no_win(move: Move, doing: Doing) -> None:
    fates.decree(move, doing.seat, "cannot_win", doing.copy, _set_off_by(doing))


def _set_off_by(doing: Doing) -> int:
    """Return the tile whose destruction set an effect off: its own last act; 0 for any other effect."""
    return doing.copy if doing.effect.when is When.ON_DESTROY else 0


def _roll_now(move: Move, doing: Doing) -> None:
    move.demand(doing.seat, doing.effect.amount, doing.effect.ramps, by=doing.copy)


def _roll_again_here(move: Move, doing: Doing) -> None:
    """Order a roll on the ramp that the player has used last in this roll, or else the last one used."""
    roll, ramp = move.state.roll, ""
    if roll is not None:
        releases = [*((stage.roller, stage.ramp) for stage in roll.stages), (roll.roller, roll.ramp)]
        ramp = next((ramp for roller, ramp in reversed(releases) if roller == doing.seat), roll.ramp)
    move.demand(doing.seat, doing.effect.amount, (ramp,) if ramp else (), by=doing.copy)


def _extra_roll(move: Move, doing: Doing) -> None:
    """Owe one more roll of this turn; none if a loop has been broken, not even later (R-32)."""
    if not _in_own_turn(move, doing):
        return
    if not ball_deeds.locked(move):
        grants = (*move.state.grants, *(doing.copy,) * doing.effect.amount)
        move.set(rolls_owed=move.state.rolls_owed + doing.effect.amount, grants=grants)


def _extra_play(move: Move, doing: Doing) -> None:
    if _in_own_turn(move, doing):
        play_deeds.give_plays(move, doing, doing.effect.amount)


def _in_own_turn(move: Move, doing: Doing) -> bool:
    """Whether it is the turn of whoever an effect gives more of it; a guest has no turn to add to."""
    if doing.seat == move.state.active:
        return True
    doing.come_to_nothing(move, f"it is not {move.name(doing.seat)}'s turn")
    return False


def _extra_turn(move: Move, doing: Doing) -> None:
    for _turn in range(doing.effect.amount):
        fates.decree(move, doing.seat, "extra_turns", doing.copy, _set_off_by(doing))
    if doing.effect.when is When.ON_DESTROY:  # who has destroyed it does not go without saying
        said = f"{move.name(doing.seat)} will have an extra turn."
        move.say("effect", said, seat=doing.seat, slot=doing.slot or None, clause="2.4.4")


def _skip_turn(move: Move, doing: Doing) -> None:
    for _turn in range(doing.effect.amount):
        fates.decree(move, doing.seat, "skips", doing.copy, _set_off_by(doing))


def _draw(move: Move, doing: Doing) -> None:
    turns.draw(move, doing.seat, doing.effect.amount)


def _discard(move: Move, doing: Doing) -> None:
    ask_discard(move, doing, doing.effect.amount)


class Discarding(OfEffect, frozen=True, kw_only=True):
    """How many tiles are still to be discarded."""

    left: int


def ask_discard(move: Move, doing: Doing, left: int) -> None:
    """Ask which tile of the hand is discarded next, while some are left to discard and to hold."""
    if move.player(doing.seat).hand and left > 0:
        choices = move.hand_choices(doing.seat)
        doing.ask(move, "discard a tile.", "3.Discard", choices, doing.about(Discarding, left=left))


def _discard_hand(move: Move, doing: Doing) -> None:
    for copy in move.player(doing.seat).hand:
        turns.discard_copy(move, doing.seat, copy)


def _nothing(_move: Move, _doing: Doing) -> None:
    """Do nothing: ongoing effects and Limits are read where they matter."""


def _pick(move: Move, doing: Doing) -> None:
    """Offer the effects of the same tile that can be picked."""
    effects = move.tile(doing.copy).effects
    choices = [(str(index), one.text) for index, one in enumerate(effects) if one.when is When.PICKED]
    doing.ask(move, doing.effect.text, "2.6.3", choices)


def _picked(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Carry out what was picked; everybody else only hears of it."""
    said = f"{move.called(doing.copy, doing.slot)}: {move.tile(doing.copy).effects[int(choice)].text}"
    move.say("effect", said, slot=doing.slot or None, seat=doing.seat)
    do_effect(move, msgspec.structs.replace(doing.waiting, effect=int(choice), seat=doing.seat))


def _discarded(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    turns.discard_copy(move, doing.seat, int(choice))
    ask_discard(move, doing, about.left - 1 if isinstance(about, Discarding) else 0)


DEEDS: Final[dict[Deed, tuple[Do, Answered | None]]] = {
    **dict.fromkeys(Deed, (_nothing, None)),
    Deed.ATTESTED: (_attested, None),
    Deed.BORROW_EFFECTS: (tile_deeds.borrow, tile_deeds.answer_borrow),
    Deed.CHIME: (_chime, None),
    Deed.CREATE: (play_deeds.create, play_deeds.answer_create),
    Deed.DESTROY_CHOSEN: (tile_deeds.ask_chosen, tile_deeds.answer_chosen),
    Deed.DESTROY_NEIGHBOUR: (tile_deeds.ask_neighbour, tile_deeds.answer_destroyed),
    Deed.DESTROY_NEIGHBOURS: (_destroy_neighbours, None),
    Deed.DESTROY_ONE: (_destroy_one, tile_deeds.answer_destroyed),
    Deed.DESTROY_OTHER: (_destroy_other, tile_deeds.answer_destroyed),
    Deed.DESTROY_THIS: (_destroy_this, None),
    Deed.DESTROY_UNDER_BALLS: (_destroy_under_balls, None),
    Deed.DISCARD: (_discard, _discarded),
    Deed.DISCARD_HAND: (_discard_hand, None),
    Deed.DISCARD_OTHER: (tile_deeds.ask_discard_other, tile_deeds.answer_discard_other),
    Deed.DRAW: (_draw, None),
    Deed.EXTRA_PLAY: (_extra_play, None),
    Deed.EXTRA_ROLL: (_extra_roll, None),
    Deed.EXTRA_TURN: (_extra_turn, None),
    Deed.FLIP_SWITCH: (tile_deeds.ask_switch, tile_deeds.answer_switch),
    Deed.HAUNT: (tile_deeds.ask_step, tile_deeds.answer_step),
    Deed.INFECT: (tile_deeds.infect, None),
    Deed.KICK: (ball_deeds.kick, ball_deeds.answer_kick),
    Deed.LOSE: (_lose, None),
    Deed.LOWER_NEIGHBOUR: (tile_deeds.ask_lower, tile_deeds.answer_lower),
    Deed.NO_WIN: (_no_win, None),
    Deed.PICK: (_pick, _picked),
    Deed.PLAY_HAND: (play_deeds.play_hand, None),
    Deed.PLAY_NEXT_TO: (play_deeds.play_next_to, play_deeds.answer_next_to),
    Deed.PLAY_WHERE_FELL: (play_deeds.play_where_fell, play_deeds.answer_where_fell),
    Deed.PUT_ANYWHERE: (tile_deeds.ask_put, tile_deeds.answer_put),
    Deed.PUT_BALLS: (ball_deeds.put_balls, None),
    Deed.RELEASE_AT_EACH: (ball_deeds.release_at_each, ball_deeds.answer_release),
    Deed.RELEASE_HERE: (ball_deeds.release_here, ball_deeds.answer_release),
    Deed.REPLAY_OTHER: (play_deeds.replay_other, play_deeds.answer_replay),
    Deed.ROLL_AGAIN_HERE: (_roll_again_here, None),
    Deed.ROLL_NOW: (_roll_now, None),
    Deed.SEEK: (tile_deeds.seek, tile_deeds.answer_seek),
    Deed.SEND_BALLS: (ball_deeds.send_balls, ball_deeds.answer_send),
    Deed.SEND_OR_CREATE: (ball_deeds.send_or_create, ball_deeds.answer_send_or_create),
    Deed.SEND_TO_HIGHEST: (ball_deeds.send_balls, ball_deeds.answer_send),
    Deed.SHIFT_ALL: (tile_deeds.shift_all, None),
    Deed.SHIFT_THIS: (tile_deeds.shift_this, tile_deeds.answer_shift),
    Deed.SKIP_TURN: (_skip_turn, None),
    Deed.STEP: (tile_deeds.ask_step, tile_deeds.answer_step),
    Deed.SUMMON: (play_deeds.summon, None),
    Deed.TAKE_BALLS: (ball_deeds.take_balls, None),
    Deed.TURN_NEIGHBOUR: (tile_deeds.ask_turn, tile_deeds.answer_turn),
    Deed.TURN_PART: (tile_deeds.ask_part, tile_deeds.answer_part),
    Deed.WIN: (_win, None),
}
"""What each deed does, and how it continues once its question is answered."""


# --- Plays that effects order ---

_OUT_OF_THE_HAND: Final = frozenset({Deed.PLAY_NEXT_TO, Deed.PLAY_WHERE_FELL})
"""Deeds that want a tile of the hand laid, whichever it is."""
_ANOTHER: Final = _OUT_OF_THE_HAND | {Deed.SUMMON}
"""Deeds that want some tile laid; Summon draws it itself."""


def reveal(move: Move, seat: str, action: act.Play) -> None:
    """Reveal a tile; if it cannot lie where an effect wants it, another one of the hand is (3.Playing.B)."""
    play = move.state.play if move.is_nameless() else None
    playing.reveal(move, seat, action)
    if play is None or move.state.phase is not Phase.RESOLVING:
        return
    if ordered_deed(move, play) in _OUT_OF_THE_HAND:
        try_again(move, play)


def no_fit(move: Move, seat: str, action: act.NoFit) -> None:
    """Destroy a tile that bottoms out in no orientation; who plays it by an effect tries again (2.2.4.3)."""
    play = playing.own_play(move, seat)
    playing.no_fit(move, seat, action)
    whole = move.state.copies[play.copy].whole
    if ordered_deed(move, play) in _OUT_OF_THE_HAND and whole not in move.player(seat).hand:
        turns.draw(move, seat)
    try_again(move, play)


def ordered_deed(move: Move, play: Play) -> Deed | None:
    """Return the deed that has ordered a play."""
    order = play.order
    return move.tile(order.copy).effects[order.effect].deed if order is not None else None


def try_again(move: Move, play: Play) -> None:
    """Let an effect have another tile laid, as the one of this play cannot be (2.2.4.3, R-09)."""
    order = play.order
    if order is None or move.state.phase is Phase.OVER:
        return
    effect = move.tile(order.copy).effects[order.effect]
    if effect.deed in _ANOTHER:
        do, _answered = DEEDS[effect.deed]
        do(move, Doing(effect=effect, waiting=order, seat=play.seat, question=EFFECT))


# --- Answers ---


def _answer_effect(move: Move, ask: Ask, about: OfEffect, choice: str) -> None:
    """Continue an effect whose choice has been made."""
    doing = asked_by(move, ask, about)
    _do, answered = DEEDS[doing.effect.deed]
    if answered is not None and not leaves(move, doing):
        answered(move, doing, about, choice)


def asked_by(move: Move, ask: Ask, about: OfEffect) -> Doing:
    """Return the effect that has asked something, for the seat that it concerns."""
    effect, seat = move.tile(about.copy).effects[about.effect], about.seat or ask.seat
    waiting = Waiting(id=0, copy=about.copy, slot=about.slot, effect=about.effect, seat=seat, ball=about.ball)
    return Doing(effect=effect, waiting=waiting, seat=seat, question=EFFECT)


EFFECT = QuestionKind(
    word="effect",
    about=OfEffect,
    hear=_answer_effect,
    stands=Stands.WHILE_IT_COUNTS,
    undo=Undo.POSSIBLE,
    heir=Heir.ANYBODY_IF_SEEN,
    answers=(
        "done", "clear", "none", "on", "off", "hand", "pool", "virtual", "SLOT", "SLOT+", "SLOT-", "N",
        "KIND",
    ),
    ended_by=("break_loop",),
)  # fmt: skip

"""Words that change a turn, or end the game for somebody (2.0, 2.8, 2.9, 3.Rolling.2, R-19)."""

from hextraction.controller.games.hextraction.cards.tiles import Effect, When
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY
from hextraction.controller.games.hextraction.effects.play_deeds import give_plays
from hextraction.controller.games.hextraction.state import fates
from hextraction.controller.games.hextraction.state.deeds import Acting, Doing
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Laid, Waiting
from hextraction.controller.games.hextraction.turn.ball_supply import locked


def _lose(move: Move, doing: Doing) -> None:
    fates.loses(move, doing.seat, doing.copy, _set_off_by(doing), slot=doing.slot or None)


def _win(move: Move, doing: Doing) -> None:
    fates.decree(move, doing.seat, "winning", doing.copy, _set_off_by(doing))
    said = f"{move.name(doing.seat)} wins as soon as all is quiet."
    if move.player(doing.seat).cannot_win:
        said = f"{move.name(doing.seat)} would win now, but cannot win this turn."
    move.say("effect", said, seat=doing.seat, slot=doing.slot or None, clause="2.9.1.2")


def _no_win(move: Move, doing: Doing) -> None:
    fates.decree(move, doing.seat, "cannot_win", doing.copy, _set_off_by(doing))


def _set_off_by(doing: Doing) -> int:
    """Return the tile whose destruction set an effect off: its own last act; 0 for any other effect."""
    return doing.copy if doing.effect.when is When.ON_DESTROY else 0


def _withdraw(move: Move, one: Waiting, effect: Effect, _still: int) -> None:
    fates.withdraw(move, one.seat, effect, one.copy)


def _active_loses(move: Move, laid: Laid, gone: int) -> None:
    watcher = move.called(laid.copy)
    fates.loses(move, move.state.active, laid.copy, gone, slot=laid.slot, watcher=watcher)


def _extra_turn(move: Move, doing: Doing) -> None:
    for _turn in range(doing.effect.amount):
        fates.decree(move, doing.seat, "extra_turns", doing.copy, _set_off_by(doing))
    if doing.effect.when is When.ON_DESTROY:  # who has destroyed it does not go without saying
        said = f"{move.name(doing.seat)} will have an extra turn."
        move.say("effect", said, seat=doing.seat, slot=doing.slot or None, clause="2.4.4")


def _skip_turn(move: Move, doing: Doing) -> None:
    for _turn in range(doing.effect.amount):
        fates.decree(move, doing.seat, "skips", doing.copy, _set_off_by(doing))


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
    if not locked(move):
        grants = (*move.state.grants, *(doing.copy,) * doing.effect.amount)
        move.set(rolls_owed=move.state.rolls_owed + doing.effect.amount, grants=grants)


def _fewer_rolls(move: Move, one: Waiting, effect: Effect, _still: int) -> None:
    if one.seat == move.state.active:
        fates.fewer_rolls(move, one.copy, effect.amount)


def _extra_play(move: Move, doing: Doing) -> None:
    if _in_own_turn(move, doing):
        give_plays(move, doing, doing.effect.amount)


def _fewer_plays(move: Move, one: Waiting, effect: Effect, _still: int) -> None:
    if one.seat == move.state.active:
        fates.fewer_plays(move, one.copy, effect.amount)


def _in_own_turn(move: Move, doing: Doing) -> bool:
    """Whether it is the turn of whoever an effect gives more of it; a guest has no turn to add to."""
    if doing.seat == move.state.active:
        return True
    doing.come_to_nothing(move, f"it is not {move.name(doing.seat)}'s turn")
    return False


# --- The words ---

VOCABULARY.enrol(
    Acting(
        word="lose",
        meaning="`who` loses the game when it settles.",
        keys=("who",),
        do=_lose,
        take_back=_withdraw,
        decrees="losing",
        given_back=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="win",
        meaning="`who` wins the game when it settles.",
        keys=("who",),
        do=_win,
        take_back=_withdraw,
        decrees="winning",
        given_back=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="no_win",
        meaning="`who` cannot win this turn.",
        keys=("who",),
        do=_no_win,
        take_back=_withdraw,
        decrees="cannot_win",
        given_back=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="lose_when_destroyed",
        meaning="Ongoing: when a tile named `tile` is destroyed the active player loses.",
        watch=_active_loses,
        needs=("tile",),
        only=When.ONGOING,
        decrees_later=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="extra_turn",
        meaning="`who` has `amount` turns more after this one.",
        keys=("amount", "who"),
        do=_extra_turn,
        take_back=_withdraw,
        decrees="extra_turns",
        given_back=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="skip_turn",
        meaning="`who` skips the next `amount` turns (at most one in a row, rule 0.1.11).",
        keys=("amount", "who"),
        do=_skip_turn,
        take_back=_withdraw,
        decrees="skips",
        given_back=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="roll_now",
        meaning="`who` must roll `amount` more balls inside this roll or effect; `ramps` may restrict where.",
        keys=("amount", "who", "ramps"),
        do=_roll_now,
        given_back=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="roll_again_here",
        meaning="`who` must roll one more ball on the ramp used for this roll.",
        keys=("who",),
        do=_roll_again_here,
        given_back=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="extra_roll",
        meaning="`who` rolls `amount` balls more this turn.",
        keys=("amount", "who"),
        do=_extra_roll,
        take_back=_fewer_rolls,
        gives="rolls",
        given_back=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="extra_play",
        meaning="`who` plays `amount` tiles more this turn.",
        keys=("amount", "who"),
        do=_extra_play,
        take_back=_fewer_plays,
        gives="plays",
        given_back=True,
    )
)

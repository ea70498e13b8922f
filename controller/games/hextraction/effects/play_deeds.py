"""Words that make somebody play a tile: extra plays, and Create (3.Playing.B, R-69, 2.4.4, 3.Create)."""

from typing import ClassVar, Final

from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY
from hextraction.controller.games.hextraction.lay import legal_slots
from hextraction.controller.games.hextraction.lay.legal_slots import Places
from hextraction.controller.games.hextraction.state.deeds import Acting, Doing, OfEffect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Play, Waiting
from hextraction.controller.games.hextraction.turn import destroying, playing, turns
from msgspec.structs import replace

__all__ = ["answer_create", "create", "give_plays"]

# --- Extra plays (3.Playing.B, R-69, 2.4.4) ---


def _play_hand(move: Move, doing: Doing) -> None:
    """Owe the rest of the hand as plays of this turn, none of them on top of another tile.

    Plays that are owed already are plays of that hand: a second such tile, or the turn's play, adds nothing.
    """
    if doing.seat == move.state.active:
        give_plays(move, doing, max(0, len(move.player(doing.seat).hand) - move.state.plays_owed))
        move.set(flat=True)


def give_plays(move: Move, doing: Doing, more: int) -> None:
    """Owe more plays of this turn, and note whose effect gives them."""
    given = (*move.state.given_plays, *(doing.copy,) * more)
    move.set(plays_owed=move.state.plays_owed + more, given_plays=given)


def _play_next_to(move: Move, doing: Doing) -> None:
    """Offer the tiles of the hand that can go next to this one, if necessary on top of another."""
    held = move.player(doing.seat).hand
    over = not any(_next_to(move, doing.waiting, copy, over=False) for copy in held)
    hand = [copy for copy in held if _next_to(move, doing.waiting, copy, over=over)]
    choices = [pair for pair in move.hand_choices(doing.seat) if int(pair[0]) in hand]
    if choices:
        doing.ask(
            move, "which tile do you play next to it?", "3.Playing.B", choices, doing.about(NextTo, over=over)
        )
    else:
        doing.come_to_nothing(move, "no tile of the hand fits next to it")


class NextTo(OfEffect, frozen=True, kw_only=True):
    """Whether the tile may be laid over another."""

    about_hand: ClassVar[bool] = True
    over: bool


def _ordered(doing: Doing, copy: int) -> Play:
    """Return the play of a tile that an effect orders, to go anywhere."""
    return Play(seat=doing.seat, copy=copy, from_hand=False, order=doing.waiting)


def _answer_next_to(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    """Reveal the tile; it must lie next to this one."""
    copy, over = int(choice), isinstance(about, NextTo) and about.over
    only = _next_to(move, doing.waiting, copy, over=over)
    if not only or copy not in move.player(doing.seat).hand:
        _play_next_to(move, doing)  # the table has filled the slots, or taken the tile, meanwhile (0.0)
        return
    near, own = _neighbours(move, doing.waiting)
    playing.start_play(move, replace(_ordered(doing, copy), overwrites=over, covers=near, spares=own))


def _neighbours(move: Move, waiting: Waiting) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the slots next to the tile of an effect, and its own; none if it has left the board."""
    this = move.laid_copy(waiting.copy)
    return (move.board.neighbours(this.slot), this.slots) if this is not None else ((), ())


def _next_to(move: Move, waiting: Waiting, copy: int, *, over: bool) -> Places:
    """Return where a tile lies next to this one, and not on top of it, with whichever of its slots (R-45).

    None for one that a ballot has just left without a legal place: another is to be picked (R-09).
    """
    near, own = _neighbours(move, waiting)
    if copy in move.state.barred:
        return ()
    legal = legal_slots.places(move, copy, overwrites=over)
    return legal_slots.covering(move, copy, legal, {*near}, {*own})


def _at(move: Move, copy: int, slot: str) -> Places:
    """Return the legal places at which a tile covers a slot."""
    if copy in move.state.barred:
        return ()
    return legal_slots.covering(move, copy, legal_slots.places(move, copy), {slot}, set())


def _play_where_fell(move: Move, doing: Doing) -> None:
    """Let a tile be played in the open slot through which the ball dropped, if there is one."""
    slot = _fell_through(move, doing.waiting)
    if not slot:
        doing.come_to_nothing(move, _FELL_THROUGH_NONE)
        return
    fitting = [copy for copy in move.player(doing.seat).hand if _at(move, copy, slot)]
    choices = [pair for pair in move.hand_choices(doing.seat) if int(pair[0]) in fitting]
    if choices:
        text = f"do you lay a tile at {slot}?"
        doing.ask(
            move, text, "3.Playing.B", [("none", "No tile"), *choices], doing.about(WhereFell, hole=slot)
        )
    else:
        doing.come_to_nothing(move, f"no tile of the hand fits at {slot}")


def _fell_through(move: Move, waiting: Waiting) -> str:
    """Return the open slot through which the ball of an effect has dropped; empty if through none."""
    now, ball = move.record(), waiting.ball
    trail = now.trails.get(ball, ()) if ball in now.fell and ball not in now.holes else ()
    return trail[-1] if trail and trail[-1] in move.open_slots() else ""


_FELL_THROUGH_NONE: Final = "the ball has not dropped through an open slot"


def _never_fell(move: Move, waiting: Waiting, _about: OfEffect | None) -> str:
    return "" if _fell_through(move, waiting) else _FELL_THROUGH_NONE


class WhereFell(OfEffect, frozen=True, kw_only=True):
    """The open slot through which the ball fell."""

    about_hand: ClassVar[bool] = True
    hole: str


def _answer_where_fell(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    """Reveal the tile; it must cover the slot through which the ball fell."""
    if (
        not isinstance(about, WhereFell)
        or choice == "none"
        or int(choice) not in move.player(doing.seat).hand
    ):
        return
    copy, hole = int(choice), about.hole
    if _at(move, copy, hole):
        playing.start_play(move, replace(_ordered(doing, copy), covers=(hole,)))


def _summon(move: Move, doing: Doing) -> None:
    """Draw a tile and play it in a random legal slot and turn; without any it stays in the hand."""
    if not turns.draw(move, doing.seat):
        return
    copy = move.player(doing.seat).hand[-1]
    if not move.state.copies[copy].name or legal_slots.places(move, copy):
        playing.start_play(move, replace(_ordered(doing, copy), lots=True))
        return
    said = "There is no slot for it: it stays in the hand."
    move.say("effect", said, seat=doing.seat, clause="3.Legal")


def _replay_other(move: Move, doing: Doing) -> None:
    """Offer the other tiles, except parts of a Combo, which cannot be played again singly."""
    others = [laid for laid in move.state.laid
              if laid.copy != doing.copy and not move.state.copies[laid.copy].whole]  # fmt: skip
    if others:
        choices = [(laid.slot, f"{move.title(laid.copy)} at {laid.slot}") for laid in others]
        doing.ask(move, "which tile do you play again?", "2.4.4", choices)
    else:
        doing.come_to_nothing(move, "there is no other tile")


def _answer_replay(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Destroy the tile, then play it in its slot again instead of setting it aside for good."""
    laid = move.laid_at(choice)
    if laid is None:
        return
    copy = laid.copy
    destroying.destroy(move, copy, clause="2.4.4", seat=doing.seat, replayed=True)
    if copy not in (*move.state.destroyed, *move.state.virtual):
        return  # an effect of its own has sent it elsewhere
    destroying.bring_back(move, copy)
    _as_new(move, copy)
    if all(one.copy != copy for one in move.state.waiting):  # a borrowed last act still needs its words
        turns.unmask(move, copy)
    only = ((laid.slot, move.tile(copy).turns),)
    playing.start_play(move, replace(_ordered(doing, copy), only=only, home="destroyed"))


def _as_new(move: Move, copy: int) -> None:
    """Forget that a tile has been used this turn or has fired in this roll: its effects ended (2.4.5)."""
    move.set(used=tuple(one for one in move.state.used if one[0] != copy))
    roll = move.state.roll
    if roll is not None:
        done = tuple(one for one in roll.done if one.copy != copy)
        move.set_roll(fired=tuple(one for one in roll.fired if one != copy), done=done)


def _by_hole(title: str, slot: str, was: str, text: str) -> str:
    return f"{title} at {slot}, for the ball that fell through {was}: {text}"


# --- Create: a Virtual tile from the hand or a pool (3.Create, 3.Virtual.4, R-54, R-58) ---


def create(move: Move, doing: Doing) -> None:
    """Take the tile from where it is; if there are several sources, its creator chooses."""
    found = [
        (source, f"From {where}")
        for source, where in playing.SOURCES.items()
        if _search(move, doing.seat, doing.effect.tile, source)
    ]
    title = move.rules.named(doing.effect.tile).title
    if not found:
        move.say("effect", f"There is no {title} to create.", clause="3.Create")
    elif len(found) == 1:
        _create_from(move, doing, found[0][0])
    else:
        doing.ask(move, f"where do you create {title} from?", "3.Create", found)


def answer_create(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Take the tile from the source that its creator chose."""
    _create_from(move, doing, choice)


def _search(move: Move, seat: str, name: str, source: str) -> int:
    """Return a copy of that name, or 0; tiles leave the Virtual Pool in no other way (3.VirtualPool.2)."""
    wanted = move.rules.named(name).name
    return next((copy for copy in move.sources(seat)[source] if move.tile(copy).name == wanted), 0)


def _create_from(move: Move, doing: Doing, source: str) -> None:
    """Play the tile at once; its On Play comes after (3.Create.1). If no slot is legal, nothing happens."""
    seat = doing.seat
    copy = _search(move, seat, doing.effect.tile, source)
    if not copy:
        return
    if not legal_slots.places(move, copy):
        move.say("effect", f"There is no slot for {move.title(copy)}.", clause="3.Create")
        return
    if source != "hand":
        move.take(seat, copy)
    home = "hand" if source == "hand" else "pool"
    playing.start_play(move, replace(_ordered(doing, copy), home=home))


# --- The words ---

VOCABULARY.enrol(
    Acting(
        word="play_next_to",
        meaning="`who` plays one more tile from the hand next to this one, if necessary on top of another.",
        keys=("who",),
        do=_play_next_to,
        answered=_answer_next_to,
        lays_from_hand=True,
        lays_another=True,
        needs_hands=True,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="play_where_fell",
        meaning="If the ball dropped through an open slot, `who` may play one more tile there.",
        keys=("who",),
        do=_play_where_fell,
        answered=_answer_where_fell,
        way=_fell_through,
        by_way=_by_hole,
        moot=_never_fell,
        lays_from_hand=True,
        lays_another=True,
        needs_hands=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="play_hand",
        meaning="`who` plays the whole hand this turn, and no tile of it on top of another.",
        keys=("who",),
        do=_play_hand,
        gives="plays",
        lays_flat=True,
        given_back=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="summon",
        meaning="`who` draws a tile and plays it in a random slot and turn.",
        keys=("who",),
        do=_summon,
        lays_another=True,
        needs_hands=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="replay_other",
        meaning="`who` destroys another tile, which is then played again in the same slot.",
        keys=("who",),
        do=_replay_other,
        answered=_answer_replay,
        needs_hands=True,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="create",
        meaning="Create the Virtual tile `tile` (rule 3.Create).",
        needs=("tile",),
        do=create,
        answered=answer_create,
        creates=True,
        needs_hands=True,
        acts_before_asking=True,
    )
)

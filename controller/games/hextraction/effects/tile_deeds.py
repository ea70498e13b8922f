"""Words that change an installed tile where it lies: its effects, its part, its turn (3.OnPlay, 3.Notch)."""

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import When
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY
from hextraction.controller.games.hextraction.effects.ball_deeds import dropped_through
from hextraction.controller.games.hextraction.effects.moving_deeds import room_at
from hextraction.controller.games.hextraction.state.deeds import Acting, Doing, OfEffect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.state import Laid, Waiting
from hextraction.controller.games.hextraction.turn import destroying, playing
from hextraction.controller.games.hextraction.turn.seating import relocate


def _borrow(move: Move, doing: Doing) -> None:
    """Offer the destroyed kinds of tiles, with effects or without, but not this kind; of a Combo its parts.

    The whole of a Combo is one more choice only if it has effects that none of its parts has.
    """
    own = move.state.copies[doing.copy].name
    gone = [move.tile(copy) for copy in move.state.destroyed]
    kinds = {}
    for whole in gone:
        parts = [move.rules.named(name) for name in whole.parts]
        for tile in (whole, *parts) if whole.effects or not parts else parts:
            if tile.name != own and not tile.virtual:
                kinds[tile.name] = tile.title
    if kinds:
        doing.ask(move, "whose effects does it take over?", "2.4.4", sorted(kinds.items()))
    else:
        said = "No tile has been destroyed whose effects it could have."
        move.say("effect", said, slot=doing.slot, clause="2.4.4")


def _answer_borrow(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Give the tile the effects and trigger of the chosen kind from now on; a Forbidden one is voted on."""
    said = f"{move.called(doing.copy)} has the effects of {move.rules.named(choice).title} from now on."
    copy = msgspec.structs.replace(move.state.copies[doing.copy], guise=choice)
    move.set(copies={**move.state.copies, doing.copy: copy})
    move.say("effect", said, slot=doing.slot, clause="3.OnPlay")
    if any(one.forbidden and one.when not in _OVER_ONCE_IT_LIES for one in move.tile(doing.copy).effects):
        playing.open_ballot(move, doing.seat, doing.copy)


_OVER_ONCE_IT_LIES = frozenset({When.LIMIT, When.ON_PLAY, When.SETUP})


def _ask_part(move: Move, doing: Doing) -> None:
    """Ask by how many notches to turn the moving part, if at all; above a hole only for a ball that fell."""
    if move.tile(doing.copy).hole and not dropped_through(move, doing):
        return
    turned = [number for number in range(-doing.effect.amount, doing.effect.amount + 1) if number]
    labels = [(str(number), f"{abs(number)} {'' if number > 0 else 'anti'}clockwise") for number in turned]
    doing.ask(move, "how far do you turn its part?", "3.Notch", [("0", "Leave it"), *labels])


def _answer_part(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Set the part to its new position."""
    laid = move.laid_copy(doing.copy)
    if laid is not None:
        _set_part(move, doing.copy, (laid.part + int(choice)) % 6)
        way = f"turned {abs(int(choice))} {'anti' if int(choice) < 0 else ''}clockwise"
        said = f"The part of {move.called(laid.copy)} is {way if int(choice) else 'left as it is'}."
        move.say("turned", said, slot=laid.slot, clause="3.Notch")


def _set_part(move: Move, copy: int, part: int) -> None:
    move.set_laid(
        tuple(
            msgspec.structs.replace(laid, part=part) if laid.copy == copy else laid
            for laid in move.state.laid
        )
    )


def _ask_switch(move: Move, doing: Doing) -> None:
    """Ask people how the switch stands after the hit."""
    doing.ask(move, "is its switch on or off?", "2.6.3", [("on", "On"), ("off", "Off")])


def _answer_switch(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """If it is off, all other tiles have no effects. If two are off, every tile is destroyed."""
    laid = move.laid_copy(doing.copy)
    if laid is None:
        return
    _set_part(move, doing.copy, int(choice == "off"))
    others = tuple(copy for copy in move.state.silencers if copy != doing.copy)
    move.set(silencers=(*others, doing.copy) if choice == "off" else others)
    title, slot = move.title(laid.copy), laid.slot
    where = f"{title} at {slot} is {'off' if choice == 'off' else 'on'}"
    if len(move.state.silencers) > 1:
        said = f"{where}, and so is another one: every tile is destroyed."
        move.say("effect", said, slot=laid.slot, clause="3.Destroy")
        destroying.destroy_all(move, tuple(laid.copy for laid in move.state.laid), seat=doing.seat)
        return
    what = "no other tile has any effect" if move.state.silencers else "all tiles have their effects"
    move.say("effect", f"{where}: {what}.", slot=laid.slot, clause="2.6.3")
    _hush(move, where)


def _hush(move: Move, where: str) -> None:
    """Drop what waits, or is asked about a trigger, on tiles that have no effects any more."""
    hushed = [one for one in move.state.waiting if _is_hushed(move, one)]
    if not hushed:
        return
    unused = {(one.copy, one.effect) for one in hushed}  # so that they can be used later in the turn
    move.set(
        waiting=tuple(one for one in move.state.waiting if one not in hushed),
        used=tuple(one for one in move.state.used if one not in unused),
    )
    for one in hushed:
        title = f"{move.title(one.copy)} at {one.slot}" if one.slot else move.title(one.copy)
        move.say("effect", f"{title} does nothing: {where}.", slot=one.slot or None, clause="2.6.3")


def _is_hushed(move: Move, waiting: Waiting) -> bool:
    flips = move.tile(waiting.copy).effects[waiting.effect].deed.switches
    return move.hushed(waiting.copy) and not flips


# --- Turning an installed tile (3.Notch, 3.Orientation) ---


def _ask_turn(move: Move, doing: Doing) -> None:
    """Ask which neighbouring tile is turned, and which way; one that fits no other way stays (3.Notch)."""
    around = move.board.neighbours(doing.slot) if doing.slot else ()
    slots = dict.fromkeys(laid.slot for slot in around if (laid := move.laid_at(slot)) is not None)
    ways = (("+", "clockwise"), ("-", "anticlockwise"))
    choices = [(f"{slot}{sign}", f"{slot} {way}") for slot in slots for sign, way in ways]
    if choices:
        doing.ask(move, "turn a neighbouring tile one notch.", "3.Notch", choices)
    else:
        doing.come_to_nothing(move, "there is no tile next to it")


def _next_turns(move: Move, laid: Laid, direction: int) -> int:
    """Return how a tile is turned by its next notch, clockwise (1) or not (-1), if it fits another way."""
    legal, first = move.tile(laid.copy).turns, laid.slot
    candidates = [(laid.turns + direction * step) % 6 for step in range(1, 6)]
    fitting = (one for one in candidates if one in legal and room_at(move, laid, first, one))
    return next(fitting, laid.turns)


def _answer_turn(move: Move, _doing: Doing, _about: OfEffect, choice: str) -> None:
    """Turn the chosen tile to its next legal orientation."""
    slot, direction = choice[:-1], 1 if choice.endswith("+") else -1
    laid = move.laid_at(slot)
    if laid is None:
        return
    first, now = laid.slot, _next_turns(move, laid, direction)
    if now == laid.turns:
        move.say("turned", f"{move.called(laid.copy)} fits no other way.", slot=first, clause="3.Notch")
        return
    relocate(move, (msgspec.structs.replace(laid, turns=now, slots=room_at(move, laid, first, now)),))
    move.say("turned", f"{move.called(laid.copy)} is turned one notch.", slot=first, clause="3.Notch")


# --- The words ---

VOCABULARY.enrol(
    Acting(
        word="borrow_effects",
        meaning="This tile has the effects of a destroyed one from now on.",
        do=_borrow,
        answered=_answer_borrow,
        asks_about_board=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="turn_part",
        meaning="`who` turns the moving part of this tile by up to `amount` notches either way.",
        keys=("amount", "who"),
        do=_ask_part,
        answered=_answer_part,
        goes_without_saying=0,
    )
)
VOCABULARY.enrol(
    Acting(
        word="flip_switch",
        meaning=(
            "`who` says whether its switch is on. Off silences all other tiles; two off destroy all tiles."
        ),
        keys=("who",),
        do=_ask_switch,
        answered=_answer_switch,
        switches=True,
        all_can_see=True,
    )
)
VOCABULARY.enrol(
    Acting(
        word="turn_neighbour",
        meaning="`who` turns one neighbouring tile one notch either way.",
        keys=("who",),
        do=_ask_turn,
        answered=_answer_turn,
        asks_about_board=True,
    )
)

"""Deeds on installed tiles: moving, choosing and turning them (2.6.4, 3.Installed, 3.Notch, 3.Overwrite).

A moved tile stays the same tile: it is neither played nor destroyed, it keeps its touches, and the balls on
it move along. Nothing moves into a slot that cannot be used.
"""

import msgspec
from hextraction.board.grid import turned
from hextraction.controller.games.hextraction.cards.tiles import Deed, Keyword, When
from hextraction.controller.games.hextraction.effects.ball_deeds import dropped_through, kicked
from hextraction.controller.games.hextraction.lay.legal_slots import covered
from hextraction.controller.games.hextraction.lay.reasons import sixths
from hextraction.controller.games.hextraction.state import fates
from hextraction.controller.games.hextraction.state.deeds import Doing, OfEffect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.record import carry
from hextraction.controller.games.hextraction.state.state import Laid, Waiting
from hextraction.controller.games.hextraction.turn import destroying, playing, turns
from hextraction.controller.games.hextraction.turn.seating import LIFTED

__all__ = [
    "HowTurned",
    "NamedSoFar",
    "answer_borrow",
    "answer_chosen",
    "answer_destroyed",
    "answer_discard_other",
    "answer_lower",
    "answer_part",
    "answer_put",
    "answer_seek",
    "answer_shift",
    "answer_step",
    "answer_switch",
    "answer_turn",
    "ask_chosen",
    "ask_discard_other",
    "ask_lower",
    "ask_more",
    "ask_neighbour",
    "ask_part",
    "ask_put",
    "ask_step",
    "ask_switch",
    "ask_turn",
    "borrow",
    "infect",
    "seek",
    "shift_all",
    "shift_this",
    "slot_crossed",
]

# --- Moving installed tiles, with what lies on them (3.Installed, 2.7, 3.Overwrite) ---


def relocate(move: Move, after: tuple[Laid, ...]) -> None:
    """Move tiles simultaneously: ``after`` says how each of them lies from now on."""
    now = {one.copy: one for one in after}
    over = {
        old: new
        for laid in move.state.laid
        if laid.copy in now
        for old, new in zip(laid.slots, now[laid.copy].slots, strict=True)
    }
    roll = move.state.roll
    if roll is not None and roll.astir:  # what balls did before this, in the account, was at the old slots
        move.set_roll(carried=(*roll.carried, (move.state.at_us, over)))
    elif roll is not None:
        move.set_roll(base=carry(roll.base, over, move.layout()))
    move.set_record(carry(move.record(), over, move.layout()))
    taken = {slot for one in after for slot in one.slots}
    lift = tuple(slot for slot in move.state.to_lift if slot not in taken)
    move.set(to_lift=lift)
    LIFTED.drop(move, lambda out: out.copy in now)
    move.set_laid(tuple(now.get(one.copy, one) for one in move.state.laid))


def _say(move: Move, laid: Laid, slot: str) -> None:
    title = move.title(laid.copy)
    said = f"{title} moves from {laid.slot} to {slot}."
    if slot == laid.slot:
        said = f"{title} stays at {slot}."
    move.say("moved", said, slot=slot, clause="3.Installed")


def _open(move: Move) -> tuple[str, ...]:
    return tuple(slot for slot in move.open_slots() if slot not in move.state.blocked)


def ask_step(move: Move, doing: Doing) -> None:
    """Offer the open neighbouring slots, and the neighbours that it eats."""
    laid = move.laid_copy(doing.copy)
    if laid is None:
        return
    around, usable = dict.fromkeys(move.board.neighbours(laid.slot)), _open(move)
    steps = [(slot, f"To {slot}") for slot in around if slot in usable]
    prey = [
        (slot, f"Onto {move.title(found.copy)} at {slot}")
        for slot in around
        if (found := move.laid_at(slot)) is not None and move.tile(found.copy).name in doing.effect.eats
    ]
    choices = prey if prey and doing.effect.deed is Deed.HAUNT else [*prey, *steps]
    if choices:
        doing.ask(move, "move it where?", "2.6.4", choices)
    else:
        doing.come_to_nothing(move, "there is no slot next to it to which it may go")


def answer_step(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Step there, destroying what lies there and may be eaten, which may cost a turn."""
    prey = move.laid_at(choice)
    if prey is not None:
        destroying.destroy(move, prey.copy, clause="3.Overwrite.1", seat=doing.seat)
        if doing.effect.deed is Deed.HAUNT:
            fates.decree(move, doing.seat, "skips", doing.copy, prey.copy)
    laid = move.laid_copy(doing.copy)
    if laid is not None and choice in _open(move):
        _say(move, laid, choice)
        relocate(move, (_stepped(laid, choice, (laid.turns + doing.effect.turn) % 6),))


def _stepped(laid: Laid, slot: str, turns: int) -> Laid:
    return msgspec.structs.replace(laid, slots=(slot,), turns=turns)


def shift_this(move: Move, doing: Doing) -> None:
    """Move along the arrow onto what lies there, or stay at the edge of the board; then turn."""
    laid = move.laid_copy(doing.copy)
    if laid is None:
        return
    there = move.board.neighbour(laid.slot, turned(doing.effect.edge, laid.turns))
    if there is not None and there not in move.state.blocked:
        under = move.laid_at(there)
        if under is not None:
            destroying.destroy(move, under.copy, clause="3.Overwrite.1", seat=doing.seat)
        if move.laid_copy(laid.copy) is None or there not in _open(move):
            return
        _say(move, laid, there)
        relocate(move, (_stepped(laid, there, laid.turns),))
    _ask_turn(move, doing, otherwise=True)


class HowTurned(OfEffect, frozen=True, kw_only=True):
    """The question of how to turn a tile that already has its slot."""


def _ask_turn(move: Move, doing: Doing, *, otherwise: bool = False) -> bool:
    """Ask how the tile is turned, if there are several ways; ``otherwise``: not as it lies."""
    laid, legal = move.laid_copy(doing.copy), move.tile(doing.copy).turns
    turnable = laid is not None and len(legal) > 1
    if laid is not None and turnable:
        open_to = [turns for turns in legal if not (otherwise and turns == laid.turns)]
        choices = [(str(turns), sixths(turns)) for turns in open_to]
        doing.ask(
            move,
            "turn it how? Counted from the right way up.",
            "3.Orientation",
            choices,
            doing.about(HowTurned),
        )
    return turnable


def answer_shift(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Turn the tile as its mover wants it."""
    laid = move.laid_copy(doing.copy)
    if laid is not None:
        _turn(move, laid, int(choice))


def _turn(move: Move, laid: Laid, turns: int) -> None:
    relocate(move, (msgspec.structs.replace(laid, turns=turns),))
    if turns != laid.turns:
        said = f"{move.called(laid.copy)} is turned: {sixths(turns)}."
        move.say("turned", said, slot=laid.slot, clause="3.Orientation")


def ask_put(move: Move, doing: Doing) -> None:
    """Offer every open slot, and the one where it lies."""
    laid = move.laid_copy(doing.copy)
    if laid is not None:
        slots = (laid.slot, *_open(move))
        choices = [(slot, f"At {slot}") for slot in slots]
        doing.ask(move, "put it where?", "2.6.4", choices)


def answer_put(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    """Set first the slot, then the turn; then release the balls on it, whatever else is being asked."""
    laid, held = move.laid_copy(doing.copy), False
    if laid is None:
        return
    if isinstance(about, HowTurned):
        _turn(move, laid, int(choice))
    elif choice == laid.slot or choice in _open(move):
        _say(move, laid, choice)
        relocate(move, (_stepped(laid, choice, laid.turns),))
        held = _ask_turn(move, doing)
    moved = move.laid_copy(doing.copy)
    carried = moved is not None and any(moved.slot in on for on in move.record().on.values())
    if carried and not held:
        kicked(move)


def ask_lower(move: Move, doing: Doing) -> None:
    """Offer the open slots that lie lower than the neighbour does."""
    above = move.board.neighbour(doing.slot, doing.effect.edge) if doing.slot else None
    laid = move.laid_at(above) if above is not None else None
    if laid is None:
        doing.come_to_nothing(move, "there is no tile where its arrow points")
        return
    height = move.board.by_name[laid.slot].y_mm
    lower = [slot for slot in move.board.slot_names if move.board.by_name[slot].y_mm > height + 1]
    choices = [(slot, f"To {slot}") for slot in lower if _fitting(move, laid, slot, laid.turns)]
    if choices:
        text = f"move {move.called(laid.copy)} where?"
        doing.ask(move, text, "2.2.5.1", choices, doing.about(Lowering, moved=laid.copy))
    else:
        doing.come_to_nothing(move, f"{move.called(laid.copy)} fits in no lower slot")


class Lowering(OfEffect, frozen=True, kw_only=True):
    """The neighbouring tile that is moved."""

    moved: int


def answer_lower(move: Move, _doing: Doing, about: OfEffect, choice: str) -> None:
    """Move the neighbour to the lower slot, turned as before."""
    laid = move.laid_copy(about.moved) if isinstance(about, Lowering) else None
    slots = _fitting(move, laid, choice, laid.turns) if laid is not None else ()
    if laid is not None and slots:
        _say(move, laid, choice)
        relocate(move, (msgspec.structs.replace(laid, slots=slots),))


def _fitting(move: Move, laid: Laid, slot: str, turns: int) -> tuple[str, ...]:
    """Return the slots that an installed tile would cover there, if all are open or its own; else none."""
    free = {*_open(move), *laid.slots}
    slots = covered(move, move.tile(laid.copy), slot, turns)
    return slots if slots is not None and free.issuperset(slots) else ()


def shift_all(move: Move, doing: Doing) -> None:
    """Move all tiles one slot along the arrow at once; those that would leave the board are destroyed."""
    laid = move.laid_copy(doing.copy)
    if laid is None:
        return
    edge = turned(doing.effect.edge, laid.turns)
    leaving = [one.copy for one in move.state.laid if _beyond(move, one, edge) is None]
    lying = bool(move.record().on)
    move.say("moved", "All tiles move one slot along the arrow.", slot=doing.slot, clause="3.Installed")
    destroying.destroy_all(move, tuple(leaving), seat=doing.seat)
    after = [(one, _beyond(move, one, edge)) for one in move.state.laid]
    relocate(move, tuple(msgspec.structs.replace(one, slots=slots) for one, slots in after if slots))
    if move.state.roll is None and lying:  # a ball on a tile that left may roll on as well
        move.set(loose=doing.seat)
        said = f"A ball that gets loose now counts as rolled by {move.name(doing.seat)}."
        move.say("moved", said, seat=doing.seat, slot=doing.slot or None, clause="2.1.4.1")


def _beyond(move: Move, laid: Laid, edge: int) -> tuple[str, ...] | None:
    slots = [move.board.neighbour(slot, edge) for slot in laid.slots]
    inside = tuple(slot for slot in slots if slot is not None and slot not in move.state.blocked)
    return inside if len(inside) == len(slots) else None


def infect(move: Move, doing: Doing) -> None:
    """Overwrite the tile that the ball was in contact with before this one, or end in the top row.

    It is that very tile, wherever it lies by now; if it is gone, nothing is overwritten.
    """
    laid, before = move.laid_copy(doing.copy), move.laid_copy(doing.waiting.before)
    if laid is None or before is None:
        return
    slot = slot_crossed(move, doing.waiting, before)
    destroying.destroy(move, before.copy, clause="3.Overwrite.1", seat=doing.seat)
    if move.laid_copy(laid.copy) is None or slot not in _open(move):
        return
    _say(move, laid, slot)
    relocate(move, (_stepped(laid, slot, laid.turns),))
    if slot in move.board.top_row:
        destroying.destroy(move, laid.copy, seat=doing.seat)


def slot_crossed(move: Move, waiting: Waiting, before: Laid) -> str:
    """Return the slot of a larger tile that the ball came from; else the first, which may be the only one."""
    trail = move.record().trails.get(waiting.ball or 0, ())
    last = max((index for index, slot in enumerate(trail) if slot == waiting.slot), default=len(trail))
    return next((slot for slot in reversed(trail[:last]) if slot in before.slots), before.slot)


# --- Choosing tiles to destroy, discard or take, parts to turn (2.6.4, 3.Discard) ---


def _where(move: Move, slots: list[str]) -> list[tuple[str, str]]:
    tiles = dict.fromkeys(laid for slot in slots if (laid := move.laid_at(slot)) is not None)
    return [(laid.slot, move.called(laid.copy)) for laid in tiles]


def ask_neighbour(move: Move, doing: Doing) -> None:
    """Ask which neighbouring tile is destroyed; it is this one if it has no neighbour."""
    laid = move.laid_copy(doing.copy)
    if laid is None:
        return
    choices = _where(move, list(dict.fromkeys(move.board.neighbours(laid.slot))))
    if choices:
        doing.ask(move, "destroy which neighbour?", "2.6.4", choices)
    else:
        destroying.destroy(move, doing.copy, seat=doing.seat)


def answer_destroyed(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Destroy the tile that was chosen."""
    laid = move.laid_at(choice)
    if laid is not None:
        destroying.destroy(move, laid.copy, seat=doing.seat)


def ask_chosen(move: Move, doing: Doing) -> None:
    """Ask for the tiles one after another; all are destroyed together once named."""
    ask_more(move, doing, ())


class NamedSoFar(OfEffect, frozen=True, kw_only=True):
    """The slots of the tiles that have been named."""

    named: tuple[str, ...]


def ask_more(move: Move, doing: Doing, named: tuple[str, ...]) -> None:
    """Ask for one more tile, or whether those in the named slots are all."""
    slots = [laid.slot for laid in move.state.laid if laid.slot not in named]
    choices = [("none", "No more" if named else "None"), *_where(move, slots)]
    doing.ask(move, "which tiles are destroyed?", "2.6.4", choices, doing.about(NamedSoFar, named=named))


def answer_chosen(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    """Add one more tile, or destroy all named ones at once."""
    named = about.named if isinstance(about, NamedSoFar) else ()
    if choice != "none":
        ask_more(move, doing, (*named, choice))
        return
    hit = [laid.copy for slot in named if (laid := move.laid_at(slot)) is not None]
    destroying.destroy_all(move, tuple(hit), seat=doing.seat)


def ask_discard_other(move: Move, doing: Doing) -> None:
    """Ask which other installed tile goes back to its pool."""
    choices = _where(move, [laid.slot for laid in move.state.laid if laid.copy != doing.copy])
    if choices:
        doing.ask(move, "discard which tile?", "3.Discard", choices)
    else:
        doing.come_to_nothing(move, "there is no other tile")


def answer_discard_other(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Discard it, with the rest of its Combo (2.4.7)."""
    laid = move.laid_at(choice)
    if laid is not None:
        destroying.discard_laid(move, laid.copy, seat=doing.seat)


def seek(move: Move, doing: Doing) -> None:
    """Destroy this tile; then exchange one tile of the hand for any one of the pool."""
    if move.laid_copy(doing.copy) is not None:
        destroying.destroy(move, doing.copy, seat=doing.seat)
    ask_giving(move, doing)


def ask_giving(move: Move, doing: Doing) -> None:
    """Ask for the tile of the hand; who has none only takes one."""
    if move.player(doing.seat).hand:
        giving = doing.about(Giving)
        doing.ask(move, "discard a tile.", "3.Discard", move.hand_choices(doing.seat), giving)
    else:
        _ask_pool(move, doing)


class Giving(OfEffect, frozen=True, kw_only=True):
    """The first step of the exchange, giving a tile of the hand; the second takes one from the pool."""


def _ask_pool(move: Move, doing: Doing) -> None:
    kinds = {move.state.copies[copy].name: copy for copy in reversed(move.state.pool)}
    if not kinds:
        turns.draw(move, doing.seat)  # an empty pool ends the game (2.10.1)
        return
    choices = [(str(copy), move.title(copy) if name else "a tile") for name, copy in kinds.items()]
    text = "take which tile from the pool? Everybody sees it."
    doing.ask(move, text, "3.MainPool", sorted(choices, key=lambda pair: pair[1]))


def answer_seek(move: Move, doing: Doing, about: OfEffect, choice: str) -> None:
    """Handle first the discard, then the tile from the pool, which is shown."""
    copy = int(choice)
    if isinstance(about, Giving):
        turns.discard_copy(move, doing.seat, copy)
        _ask_pool(move, doing)
    elif copy in move.state.pool:
        move.set(pool=tuple(other for other in move.state.pool if other != copy))
        move.set_player(doing.seat, hand=(*move.player(doing.seat).hand, copy))
        said = f"{move.name(doing.seat)} takes {move.title(copy)} from the pool."
        move.say("draw", said, seat=doing.seat, clause="3.MainPool")


def borrow(move: Move, doing: Doing) -> None:
    """Offer the destroyed kinds of tiles, with effects or without, but not this kind; of a Combo its parts.

    The whole of a Combo is one more choice only if it has effects that none of its parts has.
    """
    own = move.state.copies[doing.copy].name
    gone = [move.tile(copy) for copy in move.state.destroyed]
    kinds = {}
    for whole in gone:
        parts = [move.rules.named(name) for name in whole.parts]
        for tile in (whole, *parts) if whole.effects or not parts else parts:
            if tile.name != own and Keyword.VIRTUAL not in tile.keywords:
                kinds[tile.name] = tile.title
    if kinds:
        doing.ask(move, "whose effects?", "2.4.4", sorted(kinds.items()))
    else:
        said = "No tile has been destroyed whose effects it could have."
        move.say("effect", said, slot=doing.slot, clause="2.4.4")


def answer_borrow(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
    """Give the tile the effects and trigger of the chosen kind from now on; a Forbidden one is voted on."""
    said = f"{move.called(doing.copy)} has the effects of {move.rules.named(choice).title} from now on."
    copy = msgspec.structs.replace(move.state.copies[doing.copy], guise=choice)
    move.set(copies={**move.state.copies, doing.copy: copy})
    move.say("effect", said, slot=doing.slot, clause="3.OnPlay")
    if any(one.forbidden and one.when not in _OVER_ONCE_IT_LIES for one in move.tile(doing.copy).effects):
        playing.open_ballot(move, doing.seat, doing.copy)


_OVER_ONCE_IT_LIES = frozenset({When.LIMIT, When.ON_PLAY, When.SETUP})


def ask_part(move: Move, doing: Doing) -> None:
    """Ask by how many notches to turn the moving part, if at all; above a hole only for a ball that fell."""
    if move.tile(doing.copy).hole and not dropped_through(move, doing):
        return
    turned = [number for number in range(-doing.effect.amount, doing.effect.amount + 1) if number]
    labels = [(str(number), f"{abs(number)} {'' if number > 0 else 'anti'}clockwise") for number in turned]
    doing.ask(move, "turn its part how far?", "3.Notch", [("0", "Leave it"), *labels])


def answer_part(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
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


def ask_switch(move: Move, doing: Doing) -> None:
    """Ask people how the switch stands after the hit."""
    doing.ask(move, "how does its switch stand?", "2.6.3", [("on", "On"), ("off", "Off")])


def answer_switch(move: Move, doing: Doing, _about: OfEffect, choice: str) -> None:
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
        said = f"{where}, as another one is: every tile is destroyed."
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
    flips = move.tile(waiting.copy).effects[waiting.effect].deed is Deed.FLIP_SWITCH
    return move.hushed(waiting.copy) and not flips


# --- Turning an installed tile (3.Notch, 3.Orientation) ---


def ask_turn(move: Move, doing: Doing) -> None:
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
    fitting = (one for one in candidates if one in legal and _fitting(move, laid, first, one))
    return next(fitting, laid.turns)


def answer_turn(move: Move, _doing: Doing, _about: OfEffect, choice: str) -> None:
    """Turn the chosen tile to its next legal orientation."""
    slot, direction = choice[:-1], 1 if choice.endswith("+") else -1
    laid = move.laid_at(slot)
    if laid is None:
        return
    first, now = laid.slot, _next_turns(move, laid, direction)
    if now == laid.turns:
        move.say("turned", f"{move.called(laid.copy)} fits no other way.", slot=first, clause="3.Notch")
        return
    relocate(move, (msgspec.structs.replace(laid, turns=now, slots=_fitting(move, laid, first, now)),))
    move.say("turned", f"{move.called(laid.copy)} is turned one notch.", slot=first, clause="3.Notch")

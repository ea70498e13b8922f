"""Installed tiles that effects move to other slots, with what lies on them (3.Installed, 2.7, 3.Overwrite).

A moved tile stays the same tile: it is neither played nor destroyed, its touches are kept, and the balls on
it go along. Nothing moves into a slot that cannot be used.
"""

from collections.abc import Mapping

import msgspec
from hextraction.board.grid import turned
from hextraction.board.tiles import Deed, Effect, Keyword
from hextraction.controller.games.hextraction import destroying, turns
from hextraction.controller.games.hextraction.ball_deeds import kicked
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.record import Record
from hextraction.controller.games.hextraction.state import Ask, Laid, Waiting

__all__ = [
    "answer_borrow",
    "answer_chosen",
    "answer_discard_other",
    "answer_lower",
    "answer_neighbour",
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
]

# --- Moving installed tiles, with what lies on them (3.Installed, 2.7, 3.Overwrite) ---


def relocate(move: Move, after: tuple[Laid, ...]) -> None:
    """Move tiles at once: ``after`` says how each of them lies from now on."""
    now = {one.copy: one for one in after}
    over = {
        old: new
        for laid in move.state.laid
        if laid.copy in now
        for old, new in zip(laid.slots, now[laid.copy].slots, strict=True)
    }
    roll = move.state.roll
    if roll is not None:
        move.set_roll(base=_carried(roll.base, over))
    move.set_record(_carried(move.record(), over))
    taken = {slot for one in after for slot in one.slots}
    lift = tuple(slot for slot in move.state.to_lift if slot not in taken)
    asks = tuple(ask for ask in move.state.asks if ask.kind != "lifted" or ask.args[:1][0] not in now)
    move.set(to_lift=lift, asks=asks)
    move.set_laid(tuple(now.get(one.copy, one) for one in move.state.laid))


def _carried(record: Record, over: Mapping[str, str]) -> Record:
    on = {ball: tuple(over.get(slot, slot) for slot in slots) for ball, slots in record.on.items()}
    return msgspec.structs.replace(record, on=on)


def _say(move: Move, laid: Laid, slot: str) -> None:
    said = f"{move.title(laid.copy)} moves from {laid.slots[0]} to {slot}."
    move.say("moved", said, slot=slot, clause="3.Installed")


def _open(move: Move) -> tuple[str, ...]:
    return tuple(slot for slot in move.open_slots() if slot not in move.state.blocked)


def ask_step(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    """Offer the open neighbouring slots, and the neighbours that it eats."""
    laid = move.laid_copy(waiting.copy)
    if laid is None:
        return
    usable = _open(move)
    choices = []
    for slot in dict.fromkeys(move.board.neighbours(laid.slots[0])):
        prey = move.laid_at(slot)
        if slot in usable:
            choices.append((slot, f"To {slot}"))
        elif prey is not None and move.tile(prey.copy).name in effect.eats:
            choices.append((slot, f"Onto {move.title(prey.copy)} at {slot}"))
    if choices:
        move.ask_effect(waiting, seat, "move it where?", "2.6.4", choices)


def answer_step(move: Move, effect: Effect, waiting: Waiting, ask: Ask, choice: str) -> None:
    """Step there; what lies there and may be eaten is destroyed, which may cost a turn."""
    prey = move.laid_at(choice)
    if prey is not None:
        destroying.destroy(move, prey.copy, clause="3.Overwrite.1")
        if effect.deed is Deed.HAUNT:
            move.set_player(ask.seat, skips=1)
    laid = move.laid_copy(waiting.copy)
    if laid is not None and choice in _open(move):
        _say(move, laid, choice)
        relocate(move, (_stepped(laid, choice, (laid.turns + effect.turn) % 6),))


def _stepped(laid: Laid, slot: str, turns: int) -> Laid:
    return msgspec.structs.replace(laid, slots=(slot,), turns=turns)


def shift_this(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    """Move along the arrow over what lies there; at the edge of the board it stays. Then it is turned."""
    laid = move.laid_copy(waiting.copy)
    if laid is None:
        return
    there = move.board.neighbour(laid.slots[0], turned(effect.edge, laid.turns))
    if there is not None and there not in move.state.blocked:
        under = move.laid_at(there)
        if under is not None:
            destroying.destroy(move, under.copy, clause="3.Overwrite.1")
        if move.laid_copy(laid.copy) is None or there not in _open(move):
            return
        _say(move, laid, there)
        relocate(move, (_stepped(laid, there, laid.turns),))
    _ask_turn(move, waiting, seat, there or laid.slots[0])


def _ask_turn(move: Move, waiting: Waiting, seat: str, slot: str) -> None:
    legal = move.tile(waiting.copy).turns
    if len(legal) > 1:
        choices = [(str(turns), f"{turns} sixths clockwise") for turns in legal]
        move.ask_effect(waiting, seat, "turn it how?", "3.Orientation", choices, slot)


def answer_shift(move: Move, _effect: Effect, waiting: Waiting, _ask: Ask, choice: str) -> None:
    """It lies as its mover wants it."""
    laid = move.laid_copy(waiting.copy)
    if laid is not None:
        relocate(move, (msgspec.structs.replace(laid, turns=int(choice)),))


def ask_put(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    """Offer every open slot, and the one where it lies."""
    laid = move.laid_copy(waiting.copy)
    if laid is not None:
        slots = (laid.slots[0], *_open(move))
        choices = [(slot, f"At {slot}") for slot in slots]
        move.ask_effect(waiting, seat, "put it where?", "2.6.4", choices)


def answer_put(move: Move, _effect: Effect, waiting: Waiting, ask: Ask, choice: str) -> None:
    """First the slot, then the turn; then what lies on it is let go."""
    laid = move.laid_copy(waiting.copy)
    if laid is None:
        return
    if len(ask.args) > len(_PLAIN_ARGS):
        relocate(move, (msgspec.structs.replace(laid, turns=int(choice)),))
    elif choice == laid.slots[0] or choice in _open(move):
        _say(move, laid, choice)
        relocate(move, (_stepped(laid, choice, laid.turns),))
        _ask_turn(move, waiting, ask.seat, choice)
    moved = move.laid_copy(waiting.copy)
    carried = moved is not None and any(moved.slots[0] in on for on in move.record().on.values())
    if carried and not move.state.asks:
        kicked(move)


_PLAIN_ARGS = ("copy", "effect", "slot")


def ask_lower(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    """Offer the open slots that lie lower than the neighbour does."""
    above = move.board.neighbour(waiting.slot, effect.edge) if waiting.slot else None
    laid = move.laid_at(above) if above is not None else None
    if laid is None or len(laid.slots) > 1:
        return
    height = move.board.by_name[laid.slots[0]].y_mm
    choices = [(slot, f"To {slot}") for slot in _open(move) if move.board.by_name[slot].y_mm > height + 1]
    if choices:
        text = f"move {move.title(laid.copy)} at {laid.slots[0]} where?"
        move.ask_effect(waiting, seat, text, "2.2.5.1", choices, laid.copy)


def answer_lower(move: Move, _effect: Effect, _waiting: Waiting, ask: Ask, choice: str) -> None:
    """The neighbour lies lower, turned as before."""
    laid = move.laid_copy(int(ask.args[3]))
    if laid is not None and choice in _open(move):
        _say(move, laid, choice)
        relocate(move, (_stepped(laid, choice, laid.turns),))


def shift_all(move: Move, effect: Effect, waiting: Waiting, _seat: str) -> None:
    """All tiles move one slot along the arrow at once; those that would leave the board are destroyed."""
    laid = move.laid_copy(waiting.copy)
    if laid is None:
        return
    edge = turned(effect.edge, laid.turns)
    leaving = [one.copy for one in move.state.laid if _beyond(move, one, edge) is None]
    move.say("moved", "All tiles move one slot along the arrow.", slot=waiting.slot, clause="3.Installed")
    destroying.destroy_all(move, tuple(leaving))
    after = [(one, _beyond(move, one, edge)) for one in move.state.laid]
    relocate(move, tuple(msgspec.structs.replace(one, slots=slots) for one, slots in after if slots))


def _beyond(move: Move, laid: Laid, edge: int) -> tuple[str, ...] | None:
    slots = [move.board.neighbour(slot, edge) for slot in laid.slots]
    inside = tuple(slot for slot in slots if slot is not None and slot not in move.state.blocked)
    return inside if len(inside) == len(slots) else None


def infect(move: Move, _effect: Effect, waiting: Waiting, _seat: str) -> None:
    """Overwrite the tile that the ball was in contact with before this one; the top row is its end."""
    laid = move.laid_copy(waiting.copy)
    if laid is None or waiting.ball is None:
        return
    slot = _slot_before(move, waiting.ball, laid)
    before = move.laid_at(slot) if slot else None
    if before is None or len(before.slots) > 1:
        return
    destroying.destroy(move, before.copy, clause="3.Overwrite.1")
    if move.laid_copy(laid.copy) is None or slot not in _open(move):
        return
    _say(move, laid, slot)
    relocate(move, (_stepped(laid, slot, laid.turns),))
    if slot in move.board.top_row:
        destroying.destroy(move, laid.copy)


def _slot_before(move: Move, ball: int, laid: Laid) -> str:
    """Return the slot of the last tile on the ball's way that is not this one, before it came here."""
    trail = move.record().trails.get(ball, ())
    own = [index for index, slot in enumerate(trail) if slot in laid.slots]
    if not own:
        return ""
    layout = move.layout()
    return next(
        (slot for slot in reversed(trail[: own[-1]]) if slot in layout and slot not in laid.slots), ""
    )


# --- Choosing tiles to destroy, discard or take, parts to turn (2.6.4, 3.Discard) ---


def _where(move: Move, slots: list[str]) -> list[tuple[str, str]]:
    return [(slot, f"{move.title(laid.copy)} at {slot}") for slot in slots
            if (laid := move.laid_at(slot)) is not None]  # fmt: skip


def ask_neighbour(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    """One of the neighbouring tiles goes, or this one if it stands alone."""
    laid = move.laid_copy(waiting.copy)
    if laid is None:
        return
    choices = _where(move, list(dict.fromkeys(move.board.neighbours(laid.slots[0]))))
    if choices:
        move.ask_effect(waiting, seat, "destroy which neighbour?", "2.6.4", choices)
    else:
        destroying.destroy(move, waiting.copy)


def answer_neighbour(move: Move, _effect: Effect, _waiting: Waiting, _ask: Ask, choice: str) -> None:
    """The chosen one is destroyed."""
    laid = move.laid_at(choice)
    if laid is not None:
        destroying.destroy(move, laid.copy)


def ask_chosen(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    """Name the tiles one after the other; they go together once all are named."""
    _ask_more(move, waiting, seat, "")


def _ask_more(move: Move, waiting: Waiting, seat: str, named: str) -> None:
    slots = [laid.slots[0] for laid in move.state.laid if laid.slots[0] not in named.split(",")]
    choices = [("none", "No more" if named else "None"), *_where(move, slots)]
    move.ask_effect(waiting, seat, "which tiles are hit?", "2.6.4", choices, named)


def answer_chosen(move: Move, _effect: Effect, waiting: Waiting, ask: Ask, choice: str) -> None:
    """One more is named, or all named ones are destroyed at once."""
    named = str(ask.args[3])
    if choice != "none":
        _ask_more(move, waiting, ask.seat, f"{named},{choice}")
        return
    hit = [laid.copy for slot in named.split(",") if slot and (laid := move.laid_at(slot)) is not None]
    destroying.destroy_all(move, tuple(hit))


def ask_discard_other(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    """One other installed tile goes back to its pool."""
    choices = _where(move, [laid.slots[0] for laid in move.state.laid if laid.copy != waiting.copy])
    if choices:
        move.ask_effect(waiting, seat, "discard which tile?", "3.Discard", choices)


def answer_discard_other(move: Move, _effect: Effect, _waiting: Waiting, _ask: Ask, choice: str) -> None:
    """It goes, with the rest of its Combo (2.4.7)."""
    laid = move.laid_at(choice)
    if laid is not None:
        destroying.discard_laid(move, laid.copy)


def seek(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    """The tile goes; then one tile of the hand for any one of the pool."""
    if move.laid_copy(waiting.copy) is not None:
        destroying.destroy(move, waiting.copy)
    if move.player(seat).hand:
        move.ask_effect(waiting, seat, "discard a tile.", "3.Discard", move.hand_choices(seat), "discard")
    else:
        _ask_pool(move, waiting, seat)


def _ask_pool(move: Move, waiting: Waiting, seat: str) -> None:
    kinds = {move.state.copies[copy].name: copy for copy in reversed(move.state.pool)}
    if not kinds:
        turns.draw(move, seat)  # an empty pool ends the game (2.10.1)
        return
    choices = [(str(copy), move.title(copy) if name else "a tile") for name, copy in kinds.items()]
    text = "take which tile from the pool? Everybody sees it."
    move.ask_effect(waiting, seat, text, "3.MainPool", sorted(choices, key=lambda pair: pair[1]), "take")


def answer_seek(move: Move, _effect: Effect, waiting: Waiting, ask: Ask, choice: str) -> None:
    """First the discard, then the tile from the pool, which is shown."""
    copy = int(choice)
    if ask.args[3] == "discard":
        turns.discard_copy(move, ask.seat, copy)
        _ask_pool(move, waiting, ask.seat)
    elif copy in move.state.pool:
        move.set(pool=tuple(other for other in move.state.pool if other != copy))
        move.set_player(ask.seat, hand=(*move.player(ask.seat).hand, copy))
        said = f"{move.name(ask.seat)} takes {move.title(copy)} from the pool."
        move.say("draw", said, seat=ask.seat, clause="3.MainPool")


def borrow(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    """Offer the kinds of tiles that were destroyed and have effects, but not another one of this kind."""
    own = move.state.copies[waiting.copy].name
    kinds = {}
    for copy in move.state.destroyed:
        tile = move.tile(copy)
        if tile.effects and tile.name != own and Keyword.VIRTUAL not in tile.keywords:
            kinds[tile.name] = tile.title
    if kinds:
        move.ask_effect(waiting, seat, "whose effects?", "2.4.4", sorted(kinds.items()))
    else:
        move.say("effect", "No destroyed tile has effects.", slot=waiting.slot, clause="2.4.4")


def answer_borrow(move: Move, _effect: Effect, waiting: Waiting, _ask: Ask, choice: str) -> None:
    """From now on the tile has these effects and that trigger."""
    said = f"{move.title(waiting.copy)} has the effects of {move.rules.named(choice).title} from now on."
    copy = msgspec.structs.replace(move.state.copies[waiting.copy], guise=choice)
    move.set(copies={**move.state.copies, waiting.copy: copy})
    move.say("effect", said, slot=waiting.slot, clause="3.OnPlay")


def ask_part(move: Move, effect: Effect, waiting: Waiting, seat: str) -> None:
    """Turn the moving part by some notches, or not at all."""
    turned = [number for number in range(-effect.amount, effect.amount + 1) if number]
    labels = [(str(number), f"{abs(number)} {'' if number > 0 else 'anti'}clockwise") for number in turned]
    move.ask_effect(waiting, seat, "turn its part how far?", "3.Notch", [("0", "Leave it"), *labels])


def answer_part(move: Move, _effect: Effect, waiting: Waiting, _ask: Ask, choice: str) -> None:
    """The part stands elsewhere."""
    laid = move.laid_copy(waiting.copy)
    if laid is not None:
        _set_part(move, waiting.copy, (laid.part + int(choice)) % 6)


def _set_part(move: Move, copy: int, part: int) -> None:
    move.set_laid(
        tuple(
            msgspec.structs.replace(laid, part=part) if laid.copy == copy else laid
            for laid in move.state.laid
        )
    )


def ask_switch(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    """People see how the switch stands after the hit."""
    move.ask_effect(waiting, seat, "how does its switch stand?", "2.6.3", [("on", "On"), ("off", "Off")])


def answer_switch(move: Move, _effect: Effect, waiting: Waiting, _ask: Ask, choice: str) -> None:
    """Off: all other tiles have no effects. Two that are off: every tile is destroyed."""
    if move.laid_copy(waiting.copy) is None:
        return
    _set_part(move, waiting.copy, int(choice == "off"))
    others = tuple(copy for copy in move.state.silencers if copy != waiting.copy)
    move.set(silencers=(*others, waiting.copy) if choice == "off" else others)
    if len(move.state.silencers) > 1:
        destroying.destroy_all(move, tuple(laid.copy for laid in move.state.laid))


# --- Turning an installed tile (3.Notch, 3.Orientation) ---


def ask_turn(move: Move, _effect: Effect, waiting: Waiting, seat: str) -> None:
    """Ask which neighbouring tile is turned, and which way; with a single orientation it stays as it is."""
    choices = [("none", "Turn nothing")]
    around = move.board.neighbours(waiting.slot) if waiting.slot else ()
    for slot in dict.fromkeys(around):
        if move.laid_at(slot) is not None:
            choices += [(f"{slot}+", f"{slot} clockwise"), (f"{slot}-", f"{slot} anticlockwise")]
    move.ask_effect(waiting, seat, "turn a neighbouring tile one notch.", "3.Notch", choices)


def answer_turn(move: Move, choice: str) -> None:
    """Turn the chosen tile to its next legal orientation."""
    slot, direction = choice[:-1], 1 if choice.endswith("+") else -1
    laid = move.laid_at(slot)
    if laid is None:
        return
    legal = move.tile(laid.copy).turns
    candidates = [(laid.turns + direction * step) % 6 for step in range(1, 7)]
    now = next((candidate for candidate in candidates if candidate in legal), laid.turns)
    turned = msgspec.structs.replace(laid, turns=now)
    move.set_laid(tuple(turned if other.copy == laid.copy else other for other in move.state.laid))
    move.say("turned", f"{move.title(laid.copy)} at {slot} is turned one notch.", slot=slot, clause="3.Notch")

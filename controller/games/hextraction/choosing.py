"""Effects that let somebody choose: tiles to destroy, discard or take, parts to turn (2.6.4, 3.Discard)."""

import msgspec
from hextraction.board.tiles import Effect, Keyword
from hextraction.controller.games.hextraction import destroying, turns
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Ask, Waiting

__all__ = ["answer_borrow", "answer_chosen", "answer_discard_other", "answer_neighbour", "answer_part",
           "answer_seek", "answer_switch", "ask_chosen", "ask_discard_other", "ask_neighbour", "ask_part",
           "ask_switch", "borrow", "seek"]  # fmt: skip


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

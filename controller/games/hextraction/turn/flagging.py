"""Tiles that break the meta rules, as the table finds: struck effects, and jammed tiles (0.1, R-43)."""

from hextraction.controller.games.hextraction.cards.checklist import (
    CHECKLIST,
    SIX_CHECKS,
    has_mark,
    striking_clause,
)
from hextraction.controller.games.hextraction.cards.tiles import Tile, When
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state import fates
from hextraction.controller.games.hextraction.state.agreeing import Proposal, agreement, propose
from hextraction.controller.games.hextraction.state.deeds import OfEffect
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import kind_of
from hextraction.controller.games.hextraction.state.state import Ask, Matter, Waiting

__all__ = ["FLAG", "JAMMED", "drop_freed", "flag", "jammed", "maybe_stuck", "tell_struck"]


def flag(move: Move, seat: str, action: act.Flag) -> None:
    """Propose that the effects of a kind of tile do nothing in this game."""
    laid, item = move.laid_at(action.slot), CHECKLIST.get(action.item)
    if laid is None:
        raise Refusal("No tile lies there.", "0.1")
    if item is None or not item.strikes:
        words = ", ".join(word for word, one in CHECKLIST.items() if one.strikes)
        raise Refusal(f"You can choose one of {words}.", "0.1")
    tile = move.tile(laid.copy)
    if not tile.effects or has_mark(move.state.marks, action.item, tile.name):
        raise Refusal(f"{move.title(laid.copy)} has no effect to switch off.", item.clause)
    asked = ((action.item, tile.name),)
    if all(striking_clause(asked, tile.name, effect) is None for effect in tile.effects):
        said = f"The effects of {move.title(laid.copy)} are Forbidden, so they may change the meta rules."
        raise Refusal(said, item.clause, "0.4.2")
    move.say("flag", SIX_CHECKS, slot=action.slot, clause="0.2")
    text = f"{move.name(seat)} says {move.called(laid.copy)} {item.text}. Switch off its effects?"
    others = tuple(other for other in move.playing() if other != seat)
    matter = Flagged(item=action.item, copy=laid.copy)
    propose(move, FLAG, seat, text, item.clause, matter=matter, judges=others, slots=(action.slot,))


class Flagged(Matter, frozen=True, kw_only=True):
    """A tile, and the item of the checklist that strikes its effects."""

    item: str
    copy: int


def _flagged(move: Move, ask: Ask, found: Flagged, agreed: bool) -> None:  # noqa: FBT001 - an outcome
    """Strike the effects of the tile for the rest of the game; those that wait or ask end at once."""
    word, copy = found.item, found.copy
    if not agreed:
        return
    kinds = _kinds(move, copy)
    names = [kind.name for kind in kinds]
    move.set(marks=(*move.state.marks, *((word, name) for name in names)))
    waiting = tuple(one for one in move.state.waiting if not _struck(move, one))
    asks = tuple(other for other in move.state.asks if not _concerns(move, other, names))
    move.set(waiting=waiting, asks=asks)
    if move.state.demanded_by and move.tile(move.state.demanded_by).name in names:
        move.forget_demand()
    effects = [(kind.name, effect) for kind in kinds for effect in kind.effects]
    title = kinds[0].title
    said = f"The effects of {title} are switched off: it {CHECKLIST[word].text}."
    if any(striking_clause(((word, name),), name, effect) is None for name, effect in effects):
        said = f"Of {title} only the Forbidden effects still work: it {CHECKLIST[word].text}."
    move.say("flag", said, slot=ask.slots[0], clause=ask.clause)
    fates.struck(move, ask.clause)


FLAG = agreement("flag", Flagged, _flagged)


def _kinds(move: Move, copy: int) -> tuple[Tile, ...]:
    """Return the kinds of tile that a finding is about: a Combo and all its parts are one tile (3.Combo)."""
    whole = move.tile(move.state.copies[copy].whole or copy)
    return (whole, *(move.rules.named(part) for part in whole.parts))


def _struck(move: Move, waiting: Waiting) -> bool:
    effect = move.tile(waiting.copy).effects[waiting.effect]
    return move.struck(effect, waiting.copy) is not None


def _concerns(move: Move, ask: Ask, names: list[str]) -> bool:
    """Whether a question is about an effect of these tiles; the order of what is left is asked again."""
    return kind_of(ask).of_waiting or (
        isinstance(ask.about, OfEffect) and move.tile(ask.about.copy).name in names
    )


def tell_struck(move: Move, copy: int, when: When, slot: str) -> None:
    """Tell the table that effects would have happened now, had they not been struck."""
    for effect in move.tile(copy).effects_when(when):
        clause = move.struck(effect, copy)
        if clause is not None:
            move.say("flag", f"{move.called(copy)}: this effect does not count.", slot=slot, clause=clause)


def maybe_stuck(move: Move) -> list[str]:
    """Return the open slots out of which destroyed tiles are still to be taken, as far as anybody knows.

    A board that has sensors, but none for tiles, does not know: there it is those of this turn (0.1.9).
    """
    state = move.state
    slots = state.to_lift
    if state.config.sensors and not state.config.tile_sensors:
        slots += tuple(slot for grave in state.graves for slot in grave.slots if slot not in move.layout())
    return [slot for slot in dict.fromkeys(slots) if slot not in state.blocked]


def jammed(move: Move, seat: str, action: act.Jammed) -> None:
    """Propose that a slot cannot be used because its destroyed tile is stuck (0.1.9)."""
    if action.slot not in maybe_stuck(move):
        raise Refusal("No tile is to be lifted there.", "0.1.9")
    text = f"{move.name(seat)} says the tile in {action.slot} does not come out. Agreed?"
    matter = SlotJammed(slot=action.slot)
    propose(move, JAMMED, seat, text, "0.1.9", matter=matter, slots=(action.slot,))


class SlotJammed(Matter, frozen=True, kw_only=True):
    """A slot in which a destroyed tile is stuck."""

    slot: str


def _jammed_by_all(move: Move, _ask: Ask, stuck: SlotJammed, agreed: bool) -> None:  # noqa: FBT001
    """Block the slot: it is open by the rules, but nothing can be laid there until the tile is out."""
    slot = stuck.slot
    if agreed and slot in maybe_stuck(move):
        slots = move.under_grave(slot)
        move.set(blocked=(*move.state.blocked, *slots))
        where = " and ".join(slots)
        said = f"{where} cannot be used until the tile is out."
        move.say("flag", said, slot=slot, clause="0.1.9")


JAMMED = agreement("jammed", SlotJammed, _jammed_by_all, ended_by=("lifted",))


def drop_freed(move: Move) -> None:
    """Withdraw the question about a stuck tile once that is out of its slot."""
    for ask in move.state.asks:
        stuck = ask.about.matter if isinstance(ask.about, Proposal) else ask.about
        if isinstance(stuck, SlotJammed) and stuck.slot not in maybe_stuck(move):
            JAMMED.drop(move)

"""Triggers, set off by balls, and activated effects, used by players (2.6, 2.7, R-15, R-16, R-53)."""

from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.cards.tiles import Effect, Tile, When
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import Heir, OfTile, QuestionKind, Stands, Undo
from hextraction.controller.games.hextraction.state.record import Arrival, Record
from hextraction.controller.games.hextraction.state.state import Ask, Depth, Laid, Phase, Roll, Waiting
from hextraction.controller.games.hextraction.turn import destroying, turns
from hextraction.controller.games.hextraction.turn.flagging import tell_struck

__all__ = [
    "activate",
    "available",
    "drop_triggers",
    "nameable_effects",
    "queue_effects",
    "queue_triggers",
    "times_set_off",
    "unheard",
]

# --- What waits to be resolved (2.6, R-15, R-16) ---


def queue_triggers(move: Move, arrivals: tuple[Arrival, ...]) -> None:
    """Queue the triggers of each arrival's tile (2.6.1, R-16); an area trigger asks first (R-15)."""
    roll = move.state.roll
    if roll is None or roll.dead:
        return
    lying = move.installed.by_copy
    for arrival in arrivals:
        laid = lying.get(arrival.copy)
        if laid is None or _has_fired(move, arrival.copy):
            continue
        tile = move.tile(arrival.copy)
        if not tile.effects:
            continue
        if tile.asks_area:
            _ask_area(move, laid, arrival, roll.roller)
        else:
            _queue_trigger(move, laid, roll.roller, arrival)


def _ask_area(move: Move, laid: Laid, arrival: Arrival, roller: str) -> None:
    triggers = [
        effect
        for index, effect in enumerate(move.tile(laid.copy).effects)
        if effect.when is When.TRIGGER and not _spent(move, effect, laid.copy, index)
    ]
    if any(move.enabled(effect, laid) for effect in triggers):
        AREA.ask(
            move,
            roller,
            f"Did the ball touch the trigger of {move.title(laid.copy)} at {arrival.slot}?",
            "R-15",
            [("yes", "Yes, it did"), ("no", "No")],
            AreaHit(copy=laid.copy, slot=arrival.slot, ball=arrival.ball, before=arrival.before),
            slots=(arrival.slot,),
            deadline_us=move.state.at_us + move.state.config.attest_us,
        )


class AreaHit(OfTile, frozen=True, kw_only=True):
    """A ball that may have hit the marked area of a tile."""

    slot: str
    ball: int
    before: int = 0


def _answer_area(move: Move, _ask: Ask, hit: AreaHit, choice: str) -> None:
    """Act on the table's answer whether the marked area was hit."""
    laid = move.laid_copy(hit.copy)
    roll = move.state.roll
    if choice == "yes" and laid is not None and roll is not None and not roll.dead:
        slot = hit.slot if hit.slot in laid.slots else laid.slot  # people may have moved it meanwhile
        _queue_trigger(move, laid, roll.roller, Arrival(hit.ball, hit.copy, slot, hit.before))


AREA = QuestionKind(
    word="area",
    about=AreaHit,
    hear=_answer_area,
    stands=Stands.WHILE_IT_COUNTS,
    undo=Undo.AS_BEFORE,
    heir=Heir.ANYBODY,
    default=0,
    answers=("yes", "no"),
    ended_by=("break_loop",),
)


def _has_fired(move: Move, copy: int) -> bool:
    """Whether a tile may not fire again in this roll (R-16)."""
    roll = move.state.roll
    return move.state.config.trigger_once_per_roll and roll is not None and copy in roll.fired


def _queue_trigger(move: Move, laid: Laid, seat: str, hit: Arrival) -> None:
    before = move.state.waiting
    queue_effects(move, laid, When.TRIGGER, seat, hit.slot, ball=hit.ball, before=hit.before)
    roll = move.state.roll
    if roll is None or move.state.waiting == before or not move.state.config.trigger_once_per_roll:
        return
    move.set_roll(fired=(*roll.fired, laid.copy))
    asks = move.state.asks
    move.set(asks=tuple(
        ask for ask in asks if not (isinstance(ask.about, AreaHit) and ask.about.copy == laid.copy)
    ))  # fmt: skip


def queue_effects(
    move: Move, laid: Laid, when: When, seat: str, slot: str, *, ball: int | None = None, before: int = 0
) -> None:
    """Queue a tile's effects of one occasion that are enabled now; none where tiles are not followed."""
    if move.state.depth is Depth.SCORE:
        return
    if move.state.marks:
        tell_struck(move, laid.copy, when, slot)
    again = any(one.copy == laid.copy for one in move.state.waiting)
    told = False
    for index, effect in enumerate(move.tile(laid.copy).effects):
        state = move.state
        spent = effect.once_per_turn and (laid.copy, index) in state.used
        if effect.when is when and not spent and move.enabled(effect, laid):
            if effect.once_per_turn:
                move.set(used=(*state.used, (laid.copy, index)))
            number = state.next_id
            waiting = Waiting(
                id=number, copy=laid.copy, slot=slot, effect=index, seat=seat, ball=ball, before=before
            )
            move.set(waiting=(*state.waiting, waiting), next_id=number + 1)
            if when is When.TRIGGER and not told:
                said = f"{move.title(laid.copy)} at {slot} is triggered{' once more' if again else ''}."
                move.say("trigger", said, slot=slot, seat=seat, ball=ball)
                told = True


def unheard(roll: Roll, now: Record) -> tuple[Arrival, ...]:
    """Return the touches since the last quiet, but for those that there were none of by agreement (R-14)."""
    denied, heard = dict(roll.denied), []
    for arrival in now.arrivals[roll.heard :]:
        if denied.get(arrival.copy, 0):
            denied[arrival.copy] -= 1
        else:
            heard.append(arrival)
    return tuple(heard)


def drop_triggers(move: Move, roll: Roll, copy: int, touches: int, fewer: int) -> tuple[int, ...]:
    """Let a tile be set off no more often than it was touched, as the table says (R-14): the last hits go.

    Those of balls that still move go first: they set nothing off as the balls come to rest.

    Returns:
        The numbers of those effects that no longer wait, but have been carried out, at least in part.
    """
    coming = sum(arrival.copy == copy for arrival in unheard(roll, roll.record))
    denied = min(fewer, coming)
    if denied:
        move.set_roll(denied={**roll.denied, copy: roll.denied.get(copy, 0) + denied})
    asked = [ask for ask in move.state.asks if isinstance(ask.about, AreaHit) and ask.about.copy == copy]
    effects = [index for index, one in enumerate(move.tile(copy).effects) if one.when is When.TRIGGER]
    hits = {index: (_waiting(move, copy, index), _carried_out(move, copy, index)) for index in effects}
    often = len(asked) + max((len(waiting) + len(done) for waiting, done in hits.values()), default=0)
    excess = max(0, min(fewer - denied, often - touches))
    gone = asked[max(0, len(asked) - excess) :]
    move.set(asks=tuple(ask for ask in move.state.asks if ask not in gone))
    excess -= len(gone)
    stop: list[int] = []
    for index, (waiting, done) in hits.items():
        if not excess or not (waiting or done):
            continue
        dropped = waiting[-excess:]
        left = tuple(one for one in move.state.waiting if one not in dropped)
        move.set(waiting=left, used=tuple(one for one in move.state.used if one != (copy, index)))
        stop += done[max(0, len(done) - excess + len(dropped)) :]
    if excess:
        move.set_roll(fired=tuple(one for one in roll.fired if one != copy))
    return tuple(stop)


def times_set_off(move: Move, copy: int) -> int:
    """Return how often a tile's triggers have been carried out since the last release, so that it counts."""
    roll = move.state.roll
    effects = range(len(move.tile(copy).effects)) if roll is not None and not roll.dead else ()
    triggers = [index for index in effects if move.tile(copy).effects[index].when is When.TRIGGER]
    return max((len(_carried_out(move, copy, index)) for index in triggers), default=0)


def _waiting(move: Move, copy: int, index: int) -> list[Waiting]:
    return [one for one in move.state.waiting if (one.copy, one.effect) == (copy, index)]


def _carried_out(move: Move, copy: int, index: int) -> list[int]:
    """Return the numbers of the times that a trigger has been carried out since the last release."""
    roll = move.state.roll
    done = () if roll is None else roll.done
    return list(dict.fromkeys(one.id for one in done if (one.copy, one.effect) == (copy, index)))


# --- Activated effects (2.7, R-53, R-63) ---
#
# The active player uses them at will (2.7.1), known by their prompt (2.7.2), on the usual terms (2.7.4): as
# often as wished (2.7.4.2), without a duty (2.0.4, 2.7.4.3), on the turn of playing (2.7.4.6), before and
# after rolling and playing (2.7.4.7).

_UNIQUE_DISCARD = 99
"""The number of the effect that every Unique tile has: discard it from the hand and draw (3.Unique.2)."""


def available(move: Move) -> list[tuple[int, int, str, str]]:
    """Return the active player's usable activated effects as (copy, effect, text, slot or empty)."""
    if move.state.phase is not Phase.CHOOSING:
        return []
    mandatory = set(turns.mandatory_left(move))
    found = [
        (laid.copy, index, effect.text, laid.slot)
        for laid, index, effect in move.on_board(When.ACTIVATED)
        if not effect.from_hand and not _spent(move, effect, laid.copy, index) and move.enabled(effect, laid)
    ]
    found += _from_hand(move)
    only_mandatory = bool(mandatory) and turns.quotas_met(move)
    return [one for one in found if one[:2] in mandatory] if only_mandatory else found


def _spent(move: Move, effect: Effect, copy: int, index: int) -> bool:
    """Whether an effect that can be used once a turn has been used."""
    return (effect.once_per_turn or effect.mandatory) and (copy, index) in move.state.used


def _from_hand(move: Move) -> list[tuple[int, int, str, str]]:
    """Return what the tiles of the active player's hand can do, those that the board knows."""
    found = []
    for copy in move.player(move.state.active).hand:
        tile = move.tile(copy)
        for index, effect in enumerate(tile.effects):
            usable = turns.is_used_from_hand(effect)
            if usable and not _spent(move, effect, copy, index) and move.enabled_in_hand(effect, copy):
                found.append((copy, index, effect.text, ""))
        if tile.unique and _installed_twin(move, copy):
            found.append((copy, _UNIQUE_DISCARD, "Discard this: draw a tile.", ""))
    return found


def nameable_effects(move: Move) -> list[tuple[Tile, int, str]]:
    """Return what an unseen tile of the active player's hand might do, as (kind, number, text).

    Only tiles that can be in a real bag: the rules that tell a game again know those of scenarios, too.
    """
    unseen = move.unseen_in_hand(move.state.active)
    if not unseen or move.state.phase is not Phase.CHOOSING:
        return []
    found = []
    for tile in move.rules.tiles.values():
        if not tile.creator and tile.name in load_tiles():
            continue
        if tile.unique or any(effect.from_hand for effect in tile.effects):
            trial = Move(move.rules, move.state)
            trial.call_unseen(unseen, tile.name)
            found += [(tile, index, text) for copy, index, text, _slot in available(trial) if copy == unseen]
    return found


def _installed_twin(move: Move, copy: int) -> bool:
    tile = move.tile(copy)
    if move.silencers or move.keyword_struck(copy):
        return False
    return any(move.tile(laid.copy) is tile for laid in move.state.laid)


def activate(move: Move, seat: str, action: act.Activate) -> None:
    """Pay the cost in full, then queue the effect (2.7.3)."""
    if seat != move.state.active:
        raise Refusal("Only the active player can activate effects.", "2.7.4.1")
    copy = action.tile if action.tile is not None else _revealed(move, seat, action.name or "")
    options = {(one, index): (text, slot) for one, index, text, slot in available(move)}
    if (copy, action.effect) not in options:
        raise _why_not(move, copy, action.effect)
    _text, slot = options[copy, action.effect]
    title = move.called(copy)
    used = (*move.state.used, (copy, action.effect))
    move.set(used=used, spell=False)  # the table goes on from the position that is known
    move.say("activate", f"{move.name(seat)} activates {title}.", seat=seat, slot=slot or None)
    if action.effect == _UNIQUE_DISCARD:
        turns.discard_copy(move, seat, copy)
        turns.draw(move, seat)
        return
    if move.tile(copy).effects[action.effect].discard_this:
        _pay(move, seat, copy)
    waiting = Waiting(id=move.new_id(), copy=copy, slot=slot, effect=action.effect, seat=seat)
    move.set(waiting=(*move.state.waiting, waiting), phase=Phase.RESOLVING)


def _revealed(move: Move, seat: str, name: str) -> int:
    """Return an unseen tile of a hand, which its holder has now called by its name."""
    unseen = move.unseen_in_hand(seat)
    if not unseen or move.rules.named(name).name != name:
        raise Refusal("That tile is not in your hand.", "2.7.1")
    move.call_unseen(unseen, name)
    return unseen


def _why_not(move: Move, copy: int, effect: int) -> Refusal:
    """Return why the active player cannot activate an effect, though the game is stable."""
    if turns.quotas_met(move) and turns.mandatory_left(move):
        return Refusal("A mandatory effect comes first.", "2.7.4.4")
    if effect == _UNIQUE_DISCARD:
        return Refusal("No Unique tile of that name lies on the board.", "3.Unique.2")
    if (copy, effect) in move.state.used:
        return Refusal("That effect has been used this turn.", "2.7.4.2")
    return Refusal("That is no effect you can activate.", "2.7.1")


def _pay(move: Move, seat: str, copy: int) -> None:
    """Discard the tile itself, from the hand or, with the rest of its Combo, from the board (2.4.7)."""
    if move.laid_copy(copy) is None:
        turns.discard_copy(move, seat, copy)
        return
    destroying.discard_laid(move, copy)

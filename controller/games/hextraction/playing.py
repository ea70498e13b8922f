"""Playing a tile: reveal, ballot, slot, bottoming out, On Play effects (2.2, 3.Unique, 3.Create, R-39 … R-47)."""

from hextraction.board.tiles import Deed, Effect, Keyword, Tile, When
from hextraction.controller.games.hextraction import actions as act
from hextraction.controller.games.hextraction import destroying, effects, turns
from hextraction.controller.games.hextraction.move import Move, Refusal
from hextraction.controller.games.hextraction.state import Ask, Copy, Laid, Phase, Play, Vote

__all__ = [
    "answer_room",
    "can_make_room",
    "create",
    "lifted",
    "no_fit",
    "place",
    "places",
    "reveal",
    "seated",
    "tile_seen",
]


def reveal(move: Move, seat: str, action: act.Play) -> None:
    """The active player reveals a tile from the hand (2.2.1)."""
    if seat != move.state.active:
        raise Refusal(f"It is {move.name(move.state.active)}'s turn.", "2.2.1")
    if move.state.plays_owed < 1:
        raise Refusal("No play is left this turn.", "2.0.3")
    copy = _turn_up(move, seat, action)
    if not places(move, copy):
        _make_room(move, seat, copy)
        return
    start_play(move, seat, copy)


def _turn_up(move: Move, seat: str, action: act.Play) -> int:
    """Find the copy in the hand; a tile that only its holder had seen gets its name now."""
    hand = move.player(seat).hand
    if action.tile is not None and action.tile in hand and move.state.copies[action.tile].name:
        return action.tile
    hidden = [copy for copy in hand if not move.state.copies[copy].name]
    if action.tile in hidden:
        hidden = [action.tile]
    if action.name is None or not hidden:
        raise Refusal("That tile is not in your hand.", "2.2.1")
    copies = {**move.state.copies, hidden[0]: Copy(id=hidden[0], name=action.name)}
    move.set(copies=copies)
    return hidden[0]


def start_play(move: Move, seat: str, copy: int, *, from_hand: bool = True, overwrites: bool = False) -> None:
    """Go on to the slot, by way of the ballot if the tile is Forbidden (0.4.1, R-09)."""
    tile = move.tile(copy)
    move.set(play=Play(seat=seat, copy=copy, from_hand=from_hand, overwrites=overwrites), phase=Phase.PLACING)
    move.say("reveal", f"{move.name(seat)} plays {move.title(copy)}.", seat=seat)
    if tile.forbidden:
        order = move.playing()
        first = order.index(seat)
        move.set(vote=Vote(forbidden=True, copy=copy, slot="", order=order[first:] + order[:first]))
        move.say("ballot", f"Enable the Forbidden effect of {move.title(copy)}? One nay disables it.",
                 seat=seat, clause="0.4.1")  # fmt: skip


# --- where a tile may go ------------------------------------------------------------------------------------


def places(move: Move, copy: int, *, overwrites: bool = False) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the legal (slot, turns) for a copy: open slots, or what it must or may overwrite.

    A Unique tile must overwrite its installed namesake (R-52); Limits narrow the slots (3.Limit).
    """
    tile = move.tile(copy)
    twin = _twin(move, copy)
    if twin is not None and _fits(move, tile, twin.slots[0], over=True):
        return ((twin.slots[0], tile.turns),)
    over = overwrites or any(_is(effect, Deed.MUST_OVERWRITE) for effect in tile.effects)
    if any(_is(effect, Deed.NOT_AFTER_ROLL) for effect in tile.effects) and move.state.rolls_owed == 0:
        return ()
    found = []
    for slot in move.board.slot_names:
        if (over or slot not in move.layout()) and _within_limits(move, tile, slot):
            turned = tuple(turns_ for turns_ in tile.turns if _fits(move, tile, slot, turns_, over=over))
            if turned and (not over or overwrites or slot in move.layout()):
                found.append((slot, turned))
    return tuple(found)


def _is(effect: Effect, deed: Deed) -> bool:
    return effect.when is When.LIMIT and effect.deed is deed


def _within_limits(move: Move, tile: Tile, slot: str) -> bool:
    limits = {effect.deed for effect in tile.effects_when(When.LIMIT)}
    return not (Deed.ONLY_BOTTOM_ROW in limits and slot not in move.board.bottom_row) and not (
        Deed.NOT_TOP_ROW in limits and slot in move.board.top_row
    )


def covered(move: Move, tile: Tile, slot: str, turns_: int) -> tuple[str, ...] | None:
    """Return all slots that a tile laid there would cover, or None if some are not on the board."""
    slots = [slot]
    for edge in tile.covers:
        over = move.board.neighbour(slot, (edge - 1 + turns_) % 6 + 1)
        if over is None:
            return None
        slots.append(over)
    return tuple(slots)


def _fits(move: Move, tile: Tile, slot: str, turns_: int = 0, *, over: bool) -> bool:
    slots = covered(move, tile, slot, turns_)
    if slots is None:
        return False
    layout = move.layout()
    return over or not any(covered_slot in layout for covered_slot in slots)


def _twin(move: Move, copy: int) -> Laid | None:
    if Keyword.UNIQUE not in move.tile(copy).keywords:
        return None
    name = move.state.copies[copy].name
    return next((laid for laid in move.state.laid if move.state.copies[laid.copy].name == name), None)


# --- nothing legal to play ----------------------------------------------------------------------------------


def _make_room(move: Move, seat: str, copy: int) -> None:
    """No legal place for this tile: another tile, or the fallbacks of 2.2.2 in their order (R-39)."""
    if any(places(move, other) for other in move.player(seat).hand if move.state.copies[other].name):
        raise Refusal(f"{move.title(copy)} has no legal slot; another tile in your hand has.", "2.2.2")
    if move.open_slots() and move.tile(copy).effects_when(When.LIMIT) and places(move, copy, overwrites=True):
        start_play(move, seat, copy, overwrites=True)
        return
    rooms = [laid for laid in move.state.laid if _room_without(move, copy, laid)]
    if not rooms:
        raise Refusal(f"{move.title(copy)} fits nowhere, even with one tile less.", "2.2.2.1")
    move.ask("room", seat, f"No slot is legal for {move.title(copy)}. Destroy which tile to make room?", "2.2.2.1",
             [(laid.slots[0], f"{move.title(laid.copy)} at {laid.slots[0]}") for laid in rooms],
             slots=tuple(laid.slots[0] for laid in rooms), args=(copy,))  # fmt: skip


def can_make_room(move: Move, copy: int) -> bool:
    """Whether revealing this tile leads somewhere although no slot is legal for it now (2.2.2)."""
    limited = bool(move.open_slots() and move.tile(copy).effects_when(When.LIMIT))
    if limited and places(move, copy, overwrites=True):
        return True
    return any(_room_without(move, copy, laid) for laid in move.state.laid)


def _room_without(move: Move, copy: int, gone: Laid) -> bool:
    trial = Move(move.rules, move.state)
    trial.set(laid=tuple(laid for laid in move.state.laid if laid.copy != gone.copy))
    return bool(places(trial, copy))


def answer_room(move: Move, ask: Ask, choice: str) -> None:
    """The player has chosen the tile that makes room; then the play begins (2.2.2.1)."""
    laid = move.laid_at(choice)
    if laid is not None:
        destroying.destroy(move, laid.copy, clause="2.2.2.1")
    start_play(move, ask.seat, int(ask.args[0]))


# --- placing ------------------------------------------------------------------------------------------------


def place(move: Move, seat: str, action: act.Place) -> None:
    """Choose slot and orientation; what lies there and may be overwritten is destroyed (3.Overwrite.1)."""
    play = _own_play(move, seat)
    legal = dict(places(move, play.copy, overwrites=play.overwrites))
    if action.slot not in legal:
        raise Refusal(f"{action.slot} is not legal for {move.title(play.copy)}.", "3.Legal")
    if action.turns not in legal[action.slot]:
        raise Refusal(f"{move.title(play.copy)} does not bottom out with {action.turns} turns.", "2.2.4.1")
    tile = move.tile(play.copy)
    slots = covered(move, tile, action.slot, action.turns) or (action.slot,)
    under = tuple(dict.fromkeys(copy for slot, copy in move.layout().items() if slot in slots))
    if under:
        destroying.destroy_all(move, under, clause="3.Overwrite.1")
    move.set(
        play=_placed(play, slots, action.turns, lifted=not under),
        phase=Phase.SEATING,
    )
    move.say(
        "place",
        f"{move.name(seat)} lays {move.title(play.copy)} at {action.slot}.",
        seat=seat,
        slot=action.slot,
    )


def _placed(play: Play, slots: tuple[str, ...], turns_: int, *, lifted: bool) -> Play:
    return Play(
        seat=play.seat,
        copy=play.copy,
        from_hand=play.from_hand,
        silenced=play.silenced,
        overwrites=play.overwrites,
        slots=slots,
        turns=turns_,
        lifted=lifted,
    )


def _own_play(move: Move, seat: str) -> Play:
    play = move.state.play
    if play is None or play.seat != seat:
        raise Refusal("You are not playing a tile.", "2.2.1")
    return play


def seated(move: Move, seat: str, _action: act.Seated) -> None:
    """A player says that the tile bottoms out and is let go (2.2.4.1, 2.2.5)."""
    _own_play(move, seat)
    _install(move)


def tile_seen(move: Move, slot: str, *, present: bool) -> None:
    """The tile Hall of a slot changed: a tile was laid, lifted, or fell out."""
    state = move.state
    if not present:
        move.set(to_lift=tuple(other for other in state.to_lift if other != slot))
        if state.play is not None and slot in state.play.slots:
            move.set(play=_placed(state.play, state.play.slots, state.play.turns, lifted=True))
        elif move.laid_at(slot) is not None:
            _ask_lift(move, slot)
        return
    if state.phase is Phase.SEATING and state.play is not None and slot == state.play.slots[0]:
        _install(move)
        return
    asked = tuple(ask for ask in state.asks if not (ask.kind == "lifted" and ask.slots == (slot,)))
    move.set(asks=asked)


def _ask_lift(move: Move, slot: str) -> None:
    """A tile left its slot unexpectedly (R-43); during a roll the default answer is that it fell out."""
    laid = move.laid_at(slot)
    if laid is None or any(ask.kind == "lifted" and ask.slots == (slot,) for ask in move.state.asks):
        return
    rolling = move.state.roll is not None
    move.ask("lifted", move.state.active, f"{move.title(laid.copy)} has left {slot}. What happened?", "2.4.3",
             [("fell", "It fell out"), ("hand", "A hand lifted it, and puts it back")], slots=(slot,),
             default=0 if rolling else None,
             deadline_us=move.state.at_us + move.state.config.attest_us if rolling else None)  # fmt: skip


def lifted(move: Move, ask: Ask, choice: str) -> None:
    """The table has said why a tile left its slot."""
    laid = move.laid_at(ask.slots[0])
    if choice == "fell" and laid is not None:
        destroying.destroy(move, laid.copy, clause="2.4.3")
        move.set(to_lift=tuple(slot for slot in move.state.to_lift if slot not in laid.slots))


def _install(move: Move) -> None:
    """The tile is on the board: its On Play effects wait to be resolved (2.2.5)."""
    play = move.state.play
    if play is None or play.seated:
        return
    laid = Laid(copy=play.copy, slots=play.slots, turns=play.turns, silenced=play.silenced)
    hand = tuple(copy for copy in move.player(play.seat).hand if copy != play.copy)
    move.set_player(play.seat, hand=hand)
    move.set(
        laid=(*move.state.laid, laid),
        plays_owed=move.state.plays_owed - (1 if play.from_hand else 0),
        phase=Phase.RESOLVING,
        play=Play(seat=play.seat, copy=play.copy, from_hand=play.from_hand, slots=play.slots, seated=True),
        to_lift=tuple(slot for slot in move.state.to_lift if slot not in play.slots),
    )
    move.say(
        "installed", f"{move.title(play.copy)} is on {play.slots[0]}.", slot=play.slots[0], seat=play.seat
    )
    effects.queue_effects(move, laid, When.ON_PLAY, play.seat, play.slots[0])


def no_fit(move: Move, seat: str, _action: act.NoFit) -> None:
    """No orientation bottoms out: destroy the tile, draw, and play again (2.2.4.3, R-44)."""
    play = _own_play(move, seat)
    move.set_player(seat, hand=tuple(copy for copy in move.player(seat).hand if copy != play.copy))
    move.set(destroyed=(*move.state.destroyed, play.copy), play=None, phase=Phase.CHOOSING)
    move.say(
        "destroy", f"{move.title(play.copy)} fits nowhere and is destroyed.", seat=seat, clause="2.2.4.3"
    )
    turns.draw(move, seat)


def create(move: Move, seat: str, name: str) -> None:
    """Search hand and pools for a Virtual tile and play it now (3.Create, R-58)."""
    sources = (*move.player(seat).hand, *move.state.pool, *move.state.virtual)
    copy = next((copy for copy in sources if move.state.copies[copy].name == name), None)
    if copy is None:
        move.say("effect", f"There is no {name} to create.", clause="3.Create")
        return
    move.set_player(seat, hand=tuple(other for other in move.player(seat).hand if other != copy))
    move.set(
        pool=tuple(other for other in move.state.pool if other != copy),
        virtual=tuple(other for other in move.state.virtual if other != copy),
    )
    if not places(move, copy):
        move.say("effect", f"There is no slot for {move.title(copy)}.", clause="3.Create")
        turns.to_pool(move, copy)
        return
    start_play(move, seat, copy, from_hand=False)

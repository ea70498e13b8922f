"""Destroying tiles, and its consequences (2.4, 3.Destroy, R-19, R-36, R-55, R-57, R-73)."""

from hextraction.controller.games.hextraction import combos, turns
from hextraction.controller.games.hextraction.combos import Broken, ask_mates, wholes, with_mates
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.questions import OfTile
from hextraction.controller.games.hextraction.record import forget_tile
from hextraction.controller.games.hextraction.state import Laid, Phase, Play, Waiting
from hextraction.controller.games.hextraction.tiles import Deed, Keyword, When

__all__ = ["destroy", "destroy_all", "discard_laid", "remove_laid", "set_aside"]


def destroy(move: Move, copy: int, *, by_vote: bool = False, clause: str = "3.Destroy") -> None:
    """Destroy one installed tile."""
    destroy_all(move, (copy,), by_vote=by_vote, clause=clause)


def destroy_all(
    move: Move,
    copies: tuple[int, ...],
    *,
    by_vote: bool = False,
    clause: str = "3.Destroy",
    ended: Play | None = None,
) -> None:
    """Destroy installed tiles simultaneously: all leave before any consequence takes place.

    ``by_vote``: their own "when destroyed" effects do not fire (R-73). ``ended``: the play that they were
    part of, if it has been ended already and its unlaid pieces put aside.
    """
    doomed = [laid for copy in with_mates(move, copies, ended) if (laid := move.laid_copy(copy)) is not None]
    before = move.record()
    for laid in doomed:
        remove_laid(move, laid)
    broken = combos.break_off(move, doomed)
    saved = () if by_vote else _saved(move, doomed)
    lost = [laid for laid in doomed if laid not in saved]
    for laid in lost:
        _tell(move, laid, clause)
    move.set(graves=(*move.state.graves, *lost))
    set_aside(move, tuple(laid.copy for laid in lost))
    _follow(move, broken, saved)
    for laid in lost:
        if not by_vote:
            _last_act(move, laid)
        _watch_destruction(move, laid.copy)
    ask_mates(move, before, copies, doomed)
    combos.owe_again(move, broken)


def _follow(move: Move, broken: Broken | None, saved: tuple[Laid, ...]) -> None:
    """Send unlaid pieces where their Combo went; if that was saved, counterparts go to their pool."""
    if broken is None:
        return
    if broken.whole not in wholes(move, tuple(laid.copy for laid in saved)):
        set_aside(move, broken.unlaid)
        return
    for copy in wholes(move, broken.unlaid):
        if copy != broken.whole:
            turns.to_pool(move, copy)


def remove_laid(move: Move, laid: Laid) -> None:
    """Take a tile off the board: its effects end, even waiting ones (2.4.5, 3.Destroy.2); balls leave it."""
    state, copy = move.state, laid.copy
    waiting = tuple([waiting for waiting in state.waiting if waiting.copy != copy])
    asks = tuple([ask for ask in state.asks if not isinstance(ask.about, OfTile) or ask.about.copy != copy])
    if waiting != state.waiting:
        asks = tuple(ask for ask in asks if ask.kind != "order")  # asked again without it
    asks = tuple(ask for ask in asks if ask.kind != "pile" or laid.slots[0] not in ask.slots)
    lift = state.to_lift
    if state.config.tile_sensors or not state.config.sensors:
        lift = (*lift, laid.slots[0])
    move.set(waiting=waiting, asks=asks, to_lift=lift)
    if state.demanded and state.demanded_by == copy:
        move.forget_demand()
        if state.phase is Phase.RELEASING:
            move.set(phase=Phase.RESOLVING)
    roll = state.roll
    if roll is None:
        move.set(rest=forget_tile(state.rest, copy, laid.slots, balls_go=True))
    else:
        go = state.phase is not Phase.ROLLING
        now = forget_tile(roll.record, copy, laid.slots, balls_go=go)
        move.set_roll(record=now, base=forget_tile(roll.base, copy, laid.slots, balls_go=go))
    if copy in state.silencers:
        move.set(silencers=tuple(other for other in state.silencers if other != copy))
    move.set_laid(tuple([other for other in state.laid if other.copy != copy]))


def discard_laid(move: Move, copy: int) -> None:
    """Discard an installed tile to its pool; a Combo leaves as a whole and returns whole (2.4.7, R-55)."""
    gone = [laid for mate in with_mates(move, (copy,)) if (laid := move.laid_copy(mate)) is not None]
    before = move.record()
    for laid in gone:
        remove_laid(move, laid)
        move.say("discard", f"{move.title(laid.copy)} at {laid.slots[0]} is discarded.", slot=laid.slots[0])
    broken = combos.break_off(move, gone)
    ask_mates(move, before, (copy,), gone)
    unlaid = () if broken is None else broken.unlaid
    for whole in wholes(move, (*(laid.copy for laid in gone), *unlaid)):
        turns.to_pool(move, whole)
    combos.owe_again(move, broken)


def _saved(move: Move, doomed: list[Laid]) -> tuple[Laid, ...]:
    """Send tiles where their own "instead" effect says; they are not destroyed (2.4.4, R-57)."""
    saved: list[Laid] = []
    for laid in doomed:
        where = next((effect.deed for effect in move.tile(laid.copy).effects
                      if effect.deed in _INSTEAD and move.enabled(effect, laid)), None)  # fmt: skip
        if where is not None and laid not in saved:
            mates = _counterparts(move, laid, [one for one in doomed if one not in saved])
            _send(move, laid, where, mates)
            saved += [laid, *mates, *(one for one in doomed if one is not laid and _same(move, one, laid))]
    return tuple(saved)


def _same(move: Move, one: Laid, other: Laid) -> bool:
    """Whether both are parts of the same Combo: the rest leaves the same way as the first part (R-55)."""
    whole = move.state.copies[other.copy].whole
    return bool(whole) and move.state.copies[one.copy].whole == whole


def _counterparts(move: Move, laid: Laid, doomed: list[Laid]) -> list[Laid]:
    """Return the counterparts that leave together with a part of a Virtual Combo (3.Combo.5)."""
    whole = move.state.copies[laid.copy].whole
    names = move.tile(whole).counterparts if whole else ()
    kinds = [move.rules.named(name) for name in names]
    return [one for one in doomed if move.tile(one.copy) in kinds]


def _send(move: Move, laid: Laid, where: Deed, mates: list[Laid]) -> None:
    """Send a tile to a hand or its pool, a Combo as a whole; counterparts always go to their pool."""
    copy = move.state.copies[laid.copy].whole or laid.copy
    seat = move.state.roll.roller if move.state.roll is not None else move.state.active
    if where is Deed.INSTEAD_TO_HAND:
        turns.unmask(move, copy)
        move.set_player(seat, hand=(*move.player(seat).hand, copy))
    else:
        turns.to_pool(move, copy)
    place = f"the hand of {move.name(seat)}" if where is Deed.INSTEAD_TO_HAND else "its pool"
    said = f"{move.title(copy)} goes to {place} instead."
    move.say("effect", said, seat=seat, slot=laid.slots[0], clause="2.4.4")
    for mate in mates:
        turns.to_pool(move, mate.copy)
        said = f"{move.title(mate.copy)} goes to its pool with it."
        move.say("effect", said, slot=mate.slots[0], clause="3.Combo.5")


_INSTEAD = frozenset({Deed.INSTEAD_TO_HAND, Deed.INSTEAD_TO_POOL})


def _tell(move: Move, laid: Laid, clause: str) -> None:
    title, slot = move.title(laid.copy), laid.slots[0]
    if Keyword.VIRTUAL in move.tile(laid.copy).keywords:
        said = f"{title} at {slot} is destroyed: back to the Virtual Pool."
        move.say("destroy", said, slot=slot, clause="3.Virtual.2")
    else:
        move.say("destroy", f"{title} at {slot} is destroyed.", slot=slot, clause=clause)


def set_aside(move: Move, copies: tuple[int, ...]) -> None:
    """Set destroyed copies aside for good (2.4.4, 3.Destroy.1), a Combo as a whole (R-57).

    Virtual ones go back into their pool (2.4.2, 3.Destroy.3).
    """
    for copy in wholes(move, copies):
        if copy in move.state.virtual or copy in move.state.destroyed:
            continue  # the whole has gone with another part
        if Keyword.VIRTUAL in move.tile(copy).keywords:
            move.set(virtual=(*move.state.virtual, copy))
        else:
            move.set(destroyed=(*move.state.destroyed, copy))


def _last_act(move: Move, laid: Laid) -> None:
    """Fire a "when this is destroyed" effect once, as the tile's last act (R-73)."""
    for index, effect in enumerate(move.tile(laid.copy).effects):
        if effect.when is When.ON_DESTROY and effect.deed not in _INSTEAD and move.enabled(effect, laid):
            seat = move.state.roll.roller if move.state.roll is not None else move.state.active
            waiting = Waiting(id=move.new_id(), copy=laid.copy, slot=laid.slots[0], effect=index, seat=seat)
            move.set(waiting=(*move.state.waiting, waiting))


def _watch_destruction(move: Move, copy: int) -> None:
    """Fire the effects of other tiles that watch for a destruction, always (R-73)."""
    name = move.tile(copy).name
    seat = move.state.active
    for laid, _index, effect in move.on_board(When.ONGOING):
        watches = effect.deed is Deed.LOSE_WHEN_DESTROYED and effect.tile == name
        if watches and move.enabled(effect, laid):
            move.set_player(seat, losing=True)
            said = f"{move.called(laid.copy)}: {move.name(seat)} loses when this settles."
            move.say("lose", said, seat=seat, slot=laid.slots[0], clause="2.8.1.1")

"""Destroying tiles and what that drags along (2.4, 3.Destroy, R-19, R-36, R-55, R-57, R-73)."""

from hextraction.board.tiles import Deed, Effect, Keyword, When
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.record import forget_tile
from hextraction.controller.games.hextraction.state import Laid, Phase, Waiting

__all__ = ["destroy", "destroy_all", "remove_laid", "watch_destruction"]


def destroy(move: Move, copy: int, *, by_vote: bool = False, clause: str = "3.Destroy") -> None:
    """Destroy one installed tile."""
    destroy_all(move, (copy,), by_vote=by_vote, clause=clause)


def destroy_all(
    move: Move, copies: tuple[int, ...], *, by_vote: bool = False, clause: str = "3.Destroy"
) -> None:
    """Destroy installed tiles simultaneously: all leave before anything that follows from it."""
    doomed = [laid for copy in _with_mates(move, copies) if (laid := move.laid_copy(copy)) is not None]
    for laid in doomed:
        remove_laid(move, laid)
        _set_aside(move, laid, clause)
    for laid in doomed:
        if not by_vote:
            _last_act(move, laid)
        watch_destruction(move, laid.copy)


def remove_laid(move: Move, laid: Laid) -> None:
    """Take a tile off the board: its effects end, its waiting activations are dropped, balls come away."""
    state = move.state
    in_roll = state.roll is not None and state.phase in {Phase.ROLLING, Phase.RESOLVING, Phase.RELEASING}
    move.set(
        laid=tuple(other for other in state.laid if other.copy != laid.copy),
        waiting=tuple(waiting for waiting in state.waiting if waiting.copy != laid.copy),
        asks=tuple(
            ask for ask in state.asks if ask.kind not in {"effect", "area"} or ask.args[:1] != (laid.copy,)
        ),
    )
    if state.config.tile_sensors or not state.config.sensors:
        move.set(to_lift=(*state.to_lift, laid.slots[0]))
    moving = in_roll and state.phase is Phase.ROLLING
    move.set_record(forget_tile(move.record(), laid.copy, laid.slots, balls_go=not moving))
    if state.roll is not None:
        layouts = (*state.roll.layouts, (state.at_us, move.layout()))
        base = forget_tile(state.roll.base, laid.copy, laid.slots, balls_go=not moving)
        move.set_roll(layouts=layouts, base=base)


def _set_aside(move: Move, laid: Laid, clause: str) -> None:
    title = move.title(laid.copy)
    if Keyword.VIRTUAL in move.tile(laid.copy).keywords:
        move.set(virtual=(*move.state.virtual, laid.copy))
        move.say("destroy", f"{title} at {laid.slots[0]} is destroyed: back to the Virtual Pool.",
                 slot=laid.slots[0], clause="3.Virtual.2")  # fmt: skip
        return
    move.set(destroyed=(*move.state.destroyed, laid.copy))
    move.say("destroy", f"{title} at {laid.slots[0]} is destroyed.", slot=laid.slots[0], clause=clause)


def _last_act(move: Move, laid: Laid) -> None:
    """A "when this is destroyed" effect fires once, as the tile's last act (R-73)."""
    for index, effect in enumerate(move.tile(laid.copy).effects):
        if effect.when is When.ON_DESTROY and move.enabled(effect, laid):
            waiting = Waiting(
                id=move.new_id(), copy=laid.copy, slot=laid.slots[0], effect=index, seat=_decider(move)
            )
            move.set(waiting=(*move.state.waiting, waiting))


def _decider(move: Move) -> str:
    return move.state.roll.roller if move.state.roll is not None else move.state.active


def watch_destruction(move: Move, copy: int) -> None:
    """Effects of other tiles that watch for a destruction always fire (R-73)."""
    name = move.state.copies[copy].name
    for laid in move.state.laid:
        for effect in move.tile(laid.copy).effects:
            if _watches(effect, name) and move.enabled(effect, laid):
                move.set_player(move.state.active, losing=True)
                move.say("lose", f"{move.title(laid.copy)}: {move.name(move.state.active)} loses when this settles.",
                         seat=move.state.active, slot=laid.slots[0], clause="2.8.1.1")  # fmt: skip


def _watches(effect: Effect, name: str) -> bool:
    return effect.when is When.ONGOING and effect.deed is Deed.LOSE_WHEN_DESTROYED and effect.tile == name


def _with_mates(move: Move, copies: tuple[int, ...]) -> tuple[int, ...]:
    """Add enough sub-tiles of the same owner to make each Combo whole again (2.4.6, R-55)."""
    found = list(dict.fromkeys(copies))
    for copy in copies:
        found += [mate for mate in combo_mates(move, copy, found) if mate not in found]
    return tuple(found)


def combo_mates(move: Move, copy: int, gone: list[int]) -> list[int]:
    """Return one installed copy of each other part of the Combo that a copy belongs to."""
    name, owner = move.state.copies[copy].name, move.state.copies[copy].owner
    whole = next((tile for tile in move.rules.tiles.values() if name in tile.parts), None)
    if whole is None:
        return []
    mates = []
    for part in whole.parts:
        candidates = [
            laid.copy
            for laid in move.state.laid
            if laid.copy not in gone
            and move.state.copies[laid.copy].name == part
            and move.state.copies[laid.copy].owner == owner
        ]
        if part != name and candidates:
            mates.append(candidates[0])
    return mates

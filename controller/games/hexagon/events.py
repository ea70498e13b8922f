"""What happens at a hexagon, in every game the same: people act, Halls see, the board is switched off.

A game says how it hears an act and in which words it tells what its Halls see; it never guesses from them.
"""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from hextraction.controller.games.hexagon.acts import heard
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.hexagon.game import Playing
from hextraction.controller.games.hexagon.pieces import declared, seen
from hextraction.controller.games.protocol import (
    Acted,
    Effect,
    Ignored,
    Paused,
    PowerSet,
    Renamed,
    Said,
    Step,
    TileSeen,
    Woke,
    WorldEvent,
)
from msgspec.structs import replace

__all__ = ["Events", "stepped", "with_player"]


class _Timed(Playing, Protocol):
    @property
    def at_us(self) -> int:
        """The time of the last event."""
        ...


S = TypeVar("S", bound=_Timed)


def _paused(state: Any, on: bool) -> Any:  # noqa: FBT001 - as the event has it
    return replace(state, paused=on)


class Events(NamedTuple, Generic[S]):
    """How a game takes part in what happens.

    ``hear`` takes an act and the list of what is told; ``lies`` are the slots where pieces should lie.
    ``lifted`` and ``put`` say what was done at a slot, under the section ``clause``. ``settled`` sees to what
    follows from a look at the board, ``phase`` names what the game waits for, ``woken`` is for games that
    asked to be woken.
    """

    hear: Callable[[Field, S, Acted, list[Effect]], S]
    lies: Callable[[Field, S], tuple[str, ...]]
    lifted: str
    put: str
    clause: str
    settled: Callable[[Field, S], S] = lambda _field, state: state
    pause: Callable[[S, bool], S] = _paused
    phase: Callable[[S], str] = lambda _state: "playing"
    woken: Callable[[S, list[Effect]], S | None] = lambda _state, _said: None


def stepped(field: Field, state: S, event: WorldEvent, game: Events[S]) -> Step[S]:
    """Apply one event."""
    kind = type(event).__name__
    if state.over and not isinstance(event, Acted):
        return Step(state, (Ignored(reason=f"over/{kind}"),))
    now = _with(state, at_us=max(state.at_us, event.at_us))
    if isinstance(event, Acted):
        return heard(state, event, lambda said: game.hear(field, now, event, said))
    said: list[Effect] = []
    after = _after(field, now, event, game, said)
    if after is None:
        return Step(state, (Ignored(reason=f"{game.phase(state)}/{kind}"),))
    return Step(after, tuple(said))


def _after(field: Field, now: S, event: WorldEvent, game: Events[S], said: list[Effect]) -> S | None:
    """Return the state after what the world did; None if it is of no account."""
    match event:
        case TileSeen(slot=slot, present=present) if slot in field.cells and now.watch.sees:
            watch, how = seen(now.watch, game.lies(field, now), slot, present=present)
            if how:
                text = (game.put if how == "put" else game.lifted).format(slot=slot)
                said.append(Said(kind="board", text=text, slot=slot, clause=game.clause))
            return game.settled(field, _with(now, watch=watch))
        case PowerSet(on=on) if on is not now.power:
            # A board that is off sees nothing; it is believed to look as declared.
            said.append(Said(kind="power", text=f"The board is {'on' if on else 'off'}.", clause=game.clause))
            watch = declared(now.watch, game.lies(field, now), (), on=on)
            return game.settled(field, _with(now, power=on, watch=watch))
        case Paused(on=on) if on is not now.paused:
            return game.pause(now, on)
        case Renamed(seat=seat, name=name) if any(one.seat == seat for one in now.players):
            return with_player(now, seat, name=name)
        case Woke():
            return game.woken(now, said)
    return None


def with_player(state: S, seat: str, **changed: Any) -> S:
    """Return the state with something about a player changed."""
    players = tuple(replace(one, **changed) if one.seat == seat else one for one in state.players)  # type: ignore[type-var]
    return _with(state, players=players)


def _with(state: S, **changed: Any) -> S:
    """Return a state with something changed. Every state is a struct, which a protocol cannot say."""
    return replace(state, **changed)  # type: ignore[type-var]

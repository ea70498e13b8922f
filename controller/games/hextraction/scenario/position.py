"""Setting up the table of a scenario: turns a case into a game and its first state.

Positions that no set-up can produce (an empty hand, a turn half over, owners of tiles on the board) are made
by changing the first state.
"""

from dataclasses import dataclass
from typing import Final

import msgspec
from hextraction.controller.games.hextraction import Config, Hextraction, Seat, Setup, Share, State
from hextraction.controller.games.hextraction.scenario.case import Case
from hextraction.controller.games.hextraction.turn.combos import join
from hextraction.controller.games.scene import SEAT_COLOURS

__all__ = ["Laid", "lay_table"]

_MOMENT_US: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class Laid:
    """A game ready to be played, its first state, and objections to starting it, as clauses."""

    game: Hextraction
    state: State
    problems: tuple[str, ...]
    advice: tuple[tuple[str, str], ...] = ()


def lay_table(case: Case) -> Laid:
    """Set up the table as the set-up lines describe it."""
    game = Hextraction(case.board, case.tiles)
    wanted = _setup(case)
    problems = tuple(clause for _what, clause in game.problems(wanted))
    state = game.start(_with_default_hands(case, wanted))
    return Laid(game, _changed(case, game, state), problems, tuple(game.advice(wanted)))


def _laid(case: Case) -> dict[str, tuple[str, int, str | None]]:
    """Return what lies on the board, with the tile of ``rest`` in every slot that no named tile covers."""
    if not case.rest:
        return case.laid
    taken = set(case.laid) | case.opened
    for slot, (name, turns, _owner) in case.laid.items():
        taken |= set(case.covered(slot, case.tile(name).covers, turns))
    return case.laid | {slot: (case.rest, 0, None) for slot in case.board.slot_names if slot not in taken}


def _setup(case: Case) -> Setup:
    default = [] if case.brought else ["plain"] * 30
    pool = default if case.pool is None else case.pool
    seats = tuple(
        Seat(
            seat=name.lower(),
            name=name,
            colour=name.lower() if name.lower() in SEAT_COLOURS else "",
            hand=case.hands.get(name.lower(), ()),
            balls=case.ball_count.get(name.lower(), 0),
        )
        for name in case.players
    )
    config: Config = msgspec.convert(
        {**msgspec.to_builtins(Config(moment_us=_MOMENT_US)), **case.config}, Config
    )
    return Setup(
        board=case.board.name,
        seats=seats,
        pool=(*case.brought, *(Share(name=name) for name in pool)),
        virtual=(*case.brought_virtual, *(Share(name=name) for name in case.virtual)),
        quick=case.quick,
        boards=case.boards,
        ball_size=case.ball_size,
        magnetic=case.magnetic,
        marks=tuple(case.marks),
        laid=tuple((slot, name, turns) for slot, (name, turns, _owner) in _laid(case).items()),
        balls=case.balls,
        first=case.active,
        board_owner=case.owner,
        power=case.power,
        config=config,
        chance=1,
    )


def _with_default_hands(case: Case, setup: Setup) -> Setup:
    """Give three PLAIN from outside the pool to everybody whose hand the header does not name."""
    seats = tuple(
        seat if seat.hand or seat.seat in case.drawn else msgspec.structs.replace(seat, hand=("plain",) * 3)
        for seat in setup.seats
    )
    return msgspec.structs.replace(setup, seats=seats)


def _changed(case: Case, game: Hextraction, state: State) -> State:
    players = tuple(
        msgspec.structs.replace(player, hand=()) if player.seat in case.empty else player
        for player in state.players
    )
    owners = {slot: owner for slot, (_name, _turns, owner) in case.laid.items() if owner is not None}
    copies = {
        number: msgspec.structs.replace(copy, whole=0)
        for number, copy in state.copies.items()
        if number not in {part.whole for part in state.copies.values()}
    }
    for laid in state.laid:
        if laid.slot in owners:
            copies[laid.copy] = msgspec.structs.replace(copies[laid.copy], owner=owners[laid.slot])
    for player in state.players:
        for copy, owner in zip(player.hand, case.lent.get(player.seat, ()), strict=False):
            if owner:
                copies[copy] = msgspec.structs.replace(copies[copy], owner=owner)
    parts = {name: tile.parts for name, tile in game.rules.tiles.items() if tile.parts}
    copies = join(copies, state.laid, parts)
    return msgspec.structs.replace(
        state,
        players=players,
        copies=copies,
        next_id=max(copies, default=0) + 1,
        rest=msgspec.structs.replace(state.rest, zones=case.zones),
        rolls_owed=0 if "rolled" in case.done else 1,
        plays_owed=0 if "played" in case.done else 1,
    )

"""The rig: which of a board's instruments the wiring really has, and what the rules may rely on.

To the hal, sensor names are opaque; only this module interprets them as instruments of a board.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from hextraction.board.instruments import SETS, STARTER, Kind, find_instrument, instruments, lamp_beside
from hextraction.board.profile import Board

__all__ = ["BUTTONS", "Rig", "match_rig", "reflexes"]

BUTTONS: Final = ("button.yes", "button.no")
"""Buttons for players without a phone; wired like sensors, but they sense nothing on the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rig:
    """What a board can sense and actuate by itself.

    ``sensors`` are the instruments present; ``which`` is the largest complete set among them (or
    ``partial``; ``starter`` if they are that and no more); ``missing`` what a complete *basic* set still
    needs. ``buttons`` are not sensors of the board.
    """

    sensors: tuple[str, ...]
    gates: tuple[str, ...]
    kickers: tuple[str, ...]
    which: str
    missing: tuple[str, ...]
    sees_balls: bool
    sees_tiles: bool
    opens_ramps: bool
    buttons: tuple[str, ...] = ()


def match_rig(board: Board, sensors: Iterable[str], coils: Iterable[str]) -> tuple[Rig, dict[str, str]]:
    """Match wiring to board. Return the rig, and for each bad name what is wrong with it, for people."""
    problems: dict[str, str] = {}
    present, buttons = [], []
    for name in sensors:
        if name in BUTTONS:
            buttons.append(name)
            continue
        try:
            find_instrument(board, name)
        except ValueError as error:
            problems[name] = str(error)
        else:
            present.append(name)
    gates, kickers = [], []
    for name in coils:
        kind, _dot, place = name.partition(".")
        if kind == "gate" and place in board.ramp_by_name:
            gates.append(place)
        elif kind == "kicker" and place in board.by_name:
            kickers.append(place)
        else:
            problems[name] = (
                f"want gate.RAMP or kicker.SLOT with a ramp or slot of {board.name}, found {name!r}"
            )
    return replace(_rig(board, present, tuple(gates), tuple(kickers)), buttons=tuple(buttons)), problems


def _rig(board: Board, present: list[str], gates: tuple[str, ...], kickers: tuple[str, ...]) -> Rig:
    have = frozenset(present)
    complete = [which for which in SETS if {one.name for one in instruments(board, which)} <= have]
    if have == {one.name for one in instruments(board, STARTER)}:
        complete = [STARTER]
    basic = instruments(board, "basic")
    return Rig(
        sensors=tuple(present),
        gates=gates,
        kickers=kickers,
        which=complete[-1] if complete else "partial" if present else "none",
        missing=tuple(one.name for one in basic if one.name not in have),
        sees_balls={one.name for one in basic if one.kind is not Kind.TILE} <= have,
        sees_tiles={one.name for one in basic if one.kind is Kind.TILE} <= have,
        opens_ramps=set(gates) == set(board.ramp_by_name),
    )


def reflexes(board: Board, sensors: Iterable[str]) -> dict[str, str]:
    """Return the lamp where a ball is that one of these sensors sees."""
    lamps = {name: lamp_beside(board, find_instrument(board, name)) for name in sensors}
    return {name: lamp for name, lamp in lamps.items() if lamp}

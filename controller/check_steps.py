"""The steps of a walk through a board: what to do at each sensor, lamp and coil, in an order for a hand.

Steps follow from names (:mod:`hextraction.board.instruments`), so any wiring has its walk.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hextraction.board.grid import EDGE_NAMES
from hextraction.board.instruments import Kind, find_instrument
from hextraction.board.profile import Board

__all__ = ["Step", "steps_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing to try.

    ``name`` is a sensor's or button's name, or ``lamp:NAME`` or ``coil:NAME``; ``kind`` is ``sensor`` (a
    button is one), ``lamp`` or ``coil``. ``sensor`` answers by itself: always for a sensor, for a gate the
    beam of its ramp, else it is empty and people say what they see. ``place`` is where it is on the board:
    ``slot.A1``, ``edge.B1.4``, ``ramp.L1`` or ``zone.L``; empty if nobody can say.
    """

    name: str
    kind: str
    device: str
    ask: str
    sensor: str = ""
    place: str = ""


_ASK: Final = {
    Kind.TILE: "Lay a tile in slot {place} and lift it again.",
    Kind.DRAIN: "Drop a ball through the hole of the empty slot {place}.",
    Kind.BALL: "Roll a ball over the middle of slot {place}, or hold one there and take it away.",
    Kind.RAMP: "Let a ball roll off ramp {place}.",
    Kind.ZONE: "Roll a ball into end zone {place}.",
    Kind.REST: "Lay a ball down in end zone {place} and take it away.",
}
_FIRST: Final = (Kind.RAMP, Kind.ZONE, Kind.REST)
_IN_A_SLOT: Final = (Kind.TILE, Kind.DRAIN, Kind.BALL, Kind.EDGE)
_WHERE: Final = {Kind.RAMP: "ramp", Kind.ZONE: "zone", Kind.REST: "zone"}
_SPELLED: Final = {"slot": "slot", "ramp": "ramp", "zone": "zone", "gate": "ramp", "kicker": "slot"}
"""Of lamps and coils: what their places are."""


def steps_of(
    board: Board,
    sensors: Iterable[str],
    lamps: Iterable[str] = (),
    coils: Iterable[str] = (),
    buttons: Iterable[str] = (),
) -> tuple[Step, ...]:
    """Return the walk: ramps and end zones, then slot by slot, then buttons, all lamps, and all coils."""
    wired = set(sensors)
    order = {slot: number for number, slot in enumerate(board.slot_names)}
    found = sorted((find_instrument(board, name) for name in wired), key=lambda one: one.name)
    found.sort(key=lambda one: (one.kind not in _FIRST, order.get(one.place, 0), _rank(one.kind)))
    return (
        *(_sensor_step(board, one.name) for one in found),
        *(_button_step(name) for name in buttons),
        *(_lamp_step(board, name) for name in lamps),
        *(_coil_step(board, name, wired) for name in coils),
    )


def _rank(kind: Kind) -> int:
    return (*_FIRST, *_IN_A_SLOT).index(kind)


def _sensor_step(board: Board, name: str) -> Step:
    one = find_instrument(board, name)
    ask = _edge_ask(board, one.place, one.edge) if one.kind is Kind.EDGE else _ASK[one.kind]
    where = one.name if one.kind is Kind.EDGE else f"{_WHERE.get(one.kind, 'slot')}.{one.place}"
    return Step(
        name=name, kind="sensor", device=name, ask=ask.format(place=one.place), sensor=name, place=where
    )


def _edge_ask(board: Board, slot: str, edge: int) -> str:
    beyond = board.by_name[slot].beyond(edge)
    if beyond.slot is not None:
        return f"Roll a ball across the wall between {slot} and {beyond.slot}."
    where = "into the end zone" if beyond.zone is not None else "off the board"
    return f"Roll a ball from slot {slot} {where} over its {EDGE_NAMES[edge]} edge."


def _button_step(name: str) -> Step:
    ask = f"Press the button {name.partition('.')[2]!r} and let it go."
    return Step(name=name, kind="sensor", device=name, ask=ask, sensor=name)


def _lamp_step(board: Board, name: str) -> Step:
    kind, _dot, place = name.partition(".")
    words = {"slot": "slot", "ramp": "ramp", "zone": "end zone"}
    where = f"{words[kind]} {place}" if kind in words else name
    ask = f"The lamps of {where} shine red, then green, then blue. Do they, and no others?"
    return Step(name=f"lamp:{name}", kind="lamp", device=name, ask=ask, place=_place(board, kind, place))


def _coil_step(board: Board, name: str, wired: set[str]) -> Step:
    kind, _dot, place = name.partition(".")
    sensor = f"ramp.{place}" if kind == "gate" and f"ramp.{place}" in wired else ""
    if kind == "gate":
        ask = f"Put two balls on ramp {place} and say fire: its gate lets one go. Does exactly one come?"
    else:
        ask = f"Hands off slot {place}, then say fire: its kicker knocks. Do you hear it?"
    return Step(
        name=f"coil:{name}",
        kind="coil",
        device=name,
        ask=ask,
        sensor=sensor,
        place=_place(board, kind, place),
    )


def _place(board: Board, kind: str, place: str) -> str:
    """Return where a lamp or coil is, if it is named as an instrument of this board."""
    where = _SPELLED.get(kind, "")
    known = {
        "slot": board.slot_names,
        "ramp": tuple(board.ramp_by_name),
        "zone": tuple(zone.name for zone in board.zones),
    }
    return f"{where}.{place}" if place in known.get(where, ()) else ""

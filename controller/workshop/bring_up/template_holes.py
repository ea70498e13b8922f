"""Positions of a board's sensors, magnets, gates and lamps, in millimetres, for the drilling template.

Coordinates are those of the board profile: x to the right, y downhill, seen from the players' side. The
dimensions are those of the usual printed board with a pitch of 50 mm (``docs/credits.md``): the through-hole
of a slot is 46.1 x 41.75 mm, its ledge 2.4 mm wide at the flat sides, the wall between two pockets 3.5 mm,
the key 11.7 mm wide at edge 4. Another pitch scales the positions, never the drill sizes.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hextraction.board.design import HallPlace, load_design
from hextraction.board.grid import edge_middle_mm
from hextraction.board.instruments import STARTER, Instrument, Kind, instruments
from hextraction.board.profile import Board, Zone

__all__ = ["FITTINGS", "Fitting", "Hole", "edge_frame", "holes", "ramp_frame"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """A kind of hole or mark: what goes in, and its size; ``deep`` says how deep, and from which side."""

    name: str
    width_mm: float
    height_mm: float
    round: bool
    what: str
    deep: str


_GATE: Final = load_design().gate
_HALL: Final = load_design().hall
_BEAMS: Final = load_design().beam_places
_TILE_MAGNET: Final = load_design().tile_magnet


def _bias(name: str, place: HallPlace, how: str) -> Fitting:
    """The hole for a bias magnet, with the room that a printed hole needs."""
    return Fitting(
        name=name,
        width_mm=place.wide_mm + 0.1,
        height_mm=place.wide_mm + 0.1,
        round=True,
        what=f"bias magnet {place.grade}, {place.wide_mm:g} x {place.thick_mm:g} mm",
        deep=f"{how}, its middle {place.deep_mm:g} mm below the chip's",
    )


FITTINGS: Final = {
    one.name: one
    for one in (
        Fitting(
            name="tile", width_mm=4.4, height_mm=1.8, round=False,
            what="digital Hall (DRV5032 or alike) in the ledge", deep="through the ledge",
        ),
        Fitting(
            name="hall", width_mm=4.4, height_mm=1.8, round=False,
            what="linear Hall (DRV5055A1 or alike)", deep="6 mm from below; on the bar: glued",
        ),
        _bias("magnet", _HALL.slot, "in the bar"),
        _bias("wall magnet", _HALL.wall, "from below"),
        Fitting(
            name="beam", width_mm=3.2, height_mm=3.2, round=True,
            what="IR diode or phototransistor, 3 mm", deep="through its bracket",
        ),
        Fitting(
            name="gate", width_mm=_GATE.pin_mm + 0.6, height_mm=_GATE.pin_mm + 0.6, round=True,
            what="pin of a gate's fork, two forks a gate", deep="through the ramp's floor",
        ),
        Fitting(
            name="kicker", width_mm=6.0, height_mm=6.0, round=True,
            what="plunger of a kicker, if there is one", deep="in the bar",
        ),
        Fitting(
            name="lamp", width_mm=5.0, height_mm=5.0, round=False,
            what="lamp (WS2812B), glued, shining up", deep="no hole",
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """One hole or mark: its centre, its rotation (degrees clockwise), and which instrument it is for."""

    owner: str
    fitting: str
    x_mm: float
    y_mm: float
    turned_deg: float = 0.0


_TILE: Final = (_TILE_MAGNET.along_mm, _TILE_MAGNET.out_mm)
"""In the ledge, beside the key: under a tile's magnet, which sits 9.5 mm beside each notch."""
_BAR_HALL_MM: Final = 0.0
_BAR_MAGNET_MM: Final = _HALL.slot.aside_mm
_WALL_MAGNET_MM: Final = _HALL.wall.aside_mm
_LAMPS: Final = ((0.0, -18.0), (-18.0, -8.5), (18.0, -8.5))
_ZONE_LAMPS: Final = (-15.0, -5.0, 5.0, 15.0)
_ZONE_LAMP_DOWN_MM: Final = 64.0
_RAMP_LAMP_OUT_MM: Final = 4.0
_NORMAL: Final = 50.0


def edge_frame(board: Board, slot: str, edge: int) -> tuple[float, float, float, float]:
    """Return the midpoint of a slot's edge and the unit vector out of the slot."""
    place = board.by_name[slot]
    across, down = edge_middle_mm(edge, 2.0)
    half = board.pitch_mm / 2
    return place.x_mm + across * half, place.y_mm + down * half, across, down


def ramp_frame(board: Board, name: str, out_mm: float) -> tuple[float, float, float, float]:
    """Return a point so far from its slot on the midline of a ramp, and the unit vector up the ramp there.

    Above its bend a ramp runs straight uphill: gates of ramps that come from both sides would meet otherwise.
    """
    ramp = board.ramp_by_name[name]
    x_mm, y_mm, across, down = edge_frame(board, ramp.slot, ramp.edge)
    first_mm = min(out_mm, _GATE.bend_mm)
    x_mm, y_mm = x_mm + across * first_mm, y_mm + down * first_mm
    if out_mm <= _GATE.bend_mm:
        return x_mm, y_mm, across, down
    return x_mm, y_mm - (out_mm - first_mm), 0.0, -1.0


def holes(board: Board, which: str, kickers: tuple[str, ...] = ()) -> tuple[Hole, ...]:
    """Return every hole and mark for a set of instruments, gates and lamps; ``kickers`` are slots.

    The starter has neither gates nor lamps.

    Raises:
        ValueError: there is no such set.
    """
    return tuple(_holes(board, which, kickers))


def _holes(board: Board, which: str, kickers: tuple[str, ...]) -> Iterator[Hole]:
    for one in instruments(board, which):
        yield from _of_instrument(board, one)
    if which == STARTER:
        return
    for ramp in board.ramps:
        yield from _gate(board, ramp.name)
        yield _on_ramp(board, ramp.name, f"ramp.{ramp.name}", "lamp", _RAMP_LAMP_OUT_MM)
    for slot in kickers:
        yield _in_slot(board, slot, f"kicker.{slot}", "kicker", -12.0, 0.0)
    for slot in board.slot_names:
        for across, down in _LAMPS:
            yield _in_slot(board, slot, f"slot.{slot}", "lamp", across, down)
    for zone in board.zones:
        for across in _ZONE_LAMPS:
            yield _in_zone(board, zone, f"zone.{zone.name}", "lamp", across, _ZONE_LAMP_DOWN_MM)


def _of_instrument(board: Board, one: Instrument) -> Iterator[Hole]:
    if one.kind is Kind.TILE:
        yield _in_slot(board, one.place, one.name, "tile", *_TILE)
    elif one.kind is Kind.BALL:
        yield _in_slot(board, one.place, one.name, "hall", _BAR_HALL_MM, 0.0)
        yield _in_slot(board, one.place, one.name, "magnet", _BAR_MAGNET_MM, 0.0)
    elif one.kind is Kind.DRAIN:
        for side in (-1, 1):
            yield _in_slot(
                board, one.place, one.name, "beam", side * _BEAMS.drain_aside_mm, _BEAMS.drain_down_mm
            )
    elif one.kind is Kind.RAMP:
        yield from _ramp_beam(board, one)
    elif one.kind is Kind.EDGE:
        yield from _edge_sensor(board, one)
    else:
        yield from _zone_sensor(board, one)


def _in_slot(  # noqa: PLR0917 - where, whose, what, and the two millimetres
    board: Board, slot: str, owner: str, fitting: str, across: float, down: float
) -> Hole:
    place, scale = board.by_name[slot], board.pitch_mm / _NORMAL
    return Hole(
        owner=owner, fitting=fitting, x_mm=place.x_mm + across * scale, y_mm=place.y_mm + down * scale
    )


def _at_edge(
    board: Board, place: tuple[str, int], owner: str, fitting: str, *, out_mm: float, along_mm: float
) -> Hole:
    return _in_frame(edge_frame(board, *place), owner, fitting, out_mm=out_mm, along_mm=along_mm)


def _in_frame(
    frame: tuple[float, float, float, float], owner: str, fitting: str, *, out_mm: float, along_mm: float
) -> Hole:
    x_mm, y_mm, across, down = frame
    return Hole(
        owner=owner,
        fitting=fitting,
        x_mm=x_mm + across * out_mm - down * along_mm,
        y_mm=y_mm + down * out_mm + across * along_mm,
        turned_deg=math.degrees(math.atan2(across, -down)) % 180,
    )


def _on_ramp(
    board: Board, name: str, owner: str, fitting: str, out_mm: float, *, along_mm: float = 0.0
) -> Hole:
    """Return a hole so far from the slot along a ramp, which turns straight uphill where it has to."""
    frame = ramp_frame(board, name, out_mm)
    return _in_frame(frame, owner, fitting, out_mm=0.0, along_mm=along_mm)


def _gate(board: Board, name: str) -> Iterator[Hole]:
    """The four pins of a gate: the lower fork, and the upper one behind it."""
    for out_mm in (_GATE.out_mm, _GATE.out_mm + _GATE.apart_mm):
        for side in (-1, 1):
            yield _on_ramp(board, name, f"gate.{name}", "gate", out_mm, along_mm=side * _GATE.aside_mm)


def _ramp_beam(board: Board, one: Instrument) -> Iterator[Hole]:
    for side in (-1, 1):
        along_mm = side * _BEAMS.ramp_aside_mm
        yield _on_ramp(board, one.place, one.name, "beam", _BEAMS.ramp_out_mm, along_mm=along_mm)


def _edge_sensor(board: Board, one: Instrument) -> Iterator[Hole]:
    """A shared edge has a linear Hall in its wall; an outer edge has a beam in the gutter beyond it."""
    place = one.place, one.edge
    if board.by_name[one.place].beyond(one.edge).slot is not None:
        yield _at_edge(board, place, one.name, "hall", out_mm=0.0, along_mm=0.0)
        yield _at_edge(board, place, one.name, "wall magnet", out_mm=0.0, along_mm=_WALL_MAGNET_MM)
        return
    for side in (-1, 1):
        yield _at_edge(
            board, place, one.name, "beam", out_mm=_BEAMS.rim_out_mm, along_mm=side * _BEAMS.rim_aside_mm
        )


def _zone_sensor(board: Board, one: Instrument) -> Iterator[Hole]:
    zone = next(each for each in board.zones if each.name == one.place)
    if one.kind is Kind.REST:
        yield _in_zone(board, zone, one.name, "hall", 0.0, _BEAMS.rest_down_mm)
        yield _in_zone(board, zone, one.name, "magnet", _BAR_MAGNET_MM, _BEAMS.rest_down_mm)
        return
    across = [board.by_name[slot].x_mm for slot, _edge in zone.outlets]
    apart_mm = (max(across) - min(across)) / 2 + _BEAMS.zone_aside_mm
    for side in (-1, 1):
        yield _in_zone(board, zone, one.name, "beam", side * apart_mm, _BEAMS.zone_down_mm)


def _in_zone(  # noqa: PLR0917 - as in a slot
    board: Board, zone: Zone, owner: str, fitting: str, across: float, down: float
) -> Hole:
    """Below the lowest of the zone's outlet slots."""
    slots = [board.by_name[slot] for slot, _edge in zone.outlets]
    lowest = max(slots, key=lambda slot: slot.y_mm)
    middle = (min(slot.x_mm for slot in slots) + max(slot.x_mm for slot in slots)) / 2
    return Hole(owner=owner, fitting=fitting, x_mm=middle + across, y_mm=lowest.y_mm + down)

"""Instruments: the grammar of sensor, coil and lamp names, and which of them a board has.

==============  =======================================================  =========
name            meaning                                                  sensor is
==============  =======================================================  =========
``tile.A1``     Hall under slot A1: a tile lies there                    digital
``drain.A1``    beam under slot A1's hole: a ball falls through          digital
``ball.A1``     Hall in the middle of slot A1: a ball is above it        linear
``ball.A1.2``   second of three Halls round that middle, ``.3`` third    linear
``ramp.L1``     beam at the end of ramp L1: a ball leaves it             digital
``zone.L``      beam across end zone L: a ball goes in                   digital
``rest.L``      Hall in end zone L: a ball lies there                    linear
``edge.B1.4``   edge sensor in the wall at that edge's middle            either
``gate.L1``     coil that lets one ball off ramp L1                      (coil)
``kicker.C3``   coil that knocks the balls on slot C3                    (coil)
``slot.A1``     lamps of slot A1; likewise ``ramp.L1``, ``zone.L``       (lamps)
==============  =======================================================  =========

A shared edge is named by the slot that comes first in the profile, so each physical edge has one name.
Where a slot has three ball Halls the first keeps its name; they sit around the middle, none in it.
The sets: *starter* sees ramps and end zones only, so that wins are seen and the rest is told by people;
*basic* sees slots, ramps and end zones; *lean* also every edge by which a ball can leave the board;
*rich* also every edge between slots.
"""

import enum
from dataclasses import dataclass
from typing import Final

from hextraction.board.profile import Board
from hextraction.board.tiles import DOWNHILL

__all__ = [
    "EVERY_SET",
    "LAMPS",
    "SETS",
    "STARTER",
    "Instrument",
    "Kind",
    "coils",
    "find_instrument",
    "halls_around",
    "instruments",
    "lamp_beside",
    "lamps",
    "middle_slots",
    "slot_of",
]

STARTER: Final = "starter"
SETS: Final = ("basic", "lean", "rich")
"""The sets by which balls are followed over the slots."""
EVERY_SET: Final = (STARTER, *SETS)


class Kind(enum.Enum):
    """What an instrument senses; the value is the first word of its name."""

    TILE = "tile"
    DRAIN = "drain"
    BALL = "ball"
    RAMP = "ramp"
    ZONE = "zone"
    REST = "rest"
    EDGE = "edge"


@dataclass(frozen=True, slots=True)
class Instrument:
    """One sensor of a board: what it is and where.

    ``edge`` is 1..6 for an edge sensor, else 0; ``part`` is 2 or 3 for an additional ball Hall, else 1.
    """

    kind: Kind
    place: str
    edge: int = 0
    part: int = 1

    @property
    def name(self) -> str:
        """Its name, as used in wiring files and traces."""
        suffix = f".{self.edge}" if self.kind is Kind.EDGE else f".{self.part}" if self.part > 1 else ""
        return f"{self.kind.value}.{self.place}{suffix}"

    @property
    def linear(self) -> bool:
        """Whether it needs an analogue channel by default (an edge sensor counts as digital here)."""
        return self.kind in {Kind.BALL, Kind.REST}


def instruments(board: Board, which: str = "rich") -> tuple[Instrument, ...]:
    """Return the instruments of a set.

    Raises:
        ValueError: ``which`` is not one of :data:`EVERY_SET`.
    """
    if which not in EVERY_SET:
        raise ValueError(f"want one of {', '.join(EVERY_SET)}, found {which!r}")
    if which == STARTER:
        ramps = [Instrument(Kind.RAMP, ramp.name) for ramp in board.ramps]
        return (*ramps, *(Instrument(Kind.ZONE, zone.name) for zone in board.zones))
    under_slots = (Kind.TILE, Kind.DRAIN, Kind.BALL)
    found = [Instrument(kind, slot) for kind in under_slots for slot in board.slot_names]
    found += [Instrument(Kind.RAMP, ramp.name) for ramp in board.ramps]
    found += [Instrument(kind, zone.name) for kind in (Kind.ZONE, Kind.REST) for zone in board.zones]
    for slot, edge, beyond in board.edges():
        leaves = beyond.zone is not None or beyond.off_board
        if (leaves and which != "basic") or (beyond.slot is not None and which == "rich"):
            found.append(Instrument(Kind.EDGE, slot, edge))
    return tuple(found)


def find_instrument(board: Board, name: str) -> Instrument:
    """Return the instrument with this name on a board.

    Raises:
        ValueError: the name does not follow the grammar, or the board has no such place.
    """
    kind_word, _dot, place = name.partition(".")
    if kind_word not in {kind.value for kind in Kind}:
        raise ValueError(f"{name!r}: want a name that begins with {', '.join(kind.value for kind in Kind)}")
    kind = Kind(kind_word)
    edge, part = 0, 1
    if kind is Kind.EDGE:
        place, _dot, written = place.rpartition(".")
        edge = int(written) if written in {"1", "2", "3", "4", "5", "6"} else 0
    elif kind is Kind.BALL and place.endswith((".2", ".3")):
        place, _dot, written = place.rpartition(".")
        part = int(written)
    _check_place(board, name, kind, place, edge)
    return Instrument(kind, place, edge, part)


def halls_around(board: Board, slot: str) -> tuple[str, ...]:
    """Return the sensors at a slot that may be linear Halls: in its middle, and in the walls around it.

    A tile's magnets shift what they measure.
    """
    found = [Instrument(Kind.BALL, slot, part=part).name for part in (1, 2, 3)]
    for edge in range(1, 7):
        beyond = board.beyond(slot, edge)
        if _has_a_sensor(board, slot, edge):
            found.append(Instrument(Kind.EDGE, slot, edge).name)
        elif beyond.slot is not None:
            found.append(Instrument(Kind.EDGE, beyond.slot, (edge + 2) % 6 + 1).name)
    return tuple(found)


def _check_place(board: Board, name: str, kind: Kind, place: str, edge: int) -> None:
    zones = tuple(zone.name for zone in board.zones)
    known = {Kind.RAMP: tuple(board.ramp_by_name), Kind.ZONE: zones, Kind.REST: zones}.get(
        kind, board.slot_names
    )
    if place not in known:
        raise ValueError(f"{name!r}: board {board.name} has no {place!r} there; it has {', '.join(known)}")
    if kind is not Kind.EDGE:
        return
    if not edge:
        raise ValueError(f"{name!r}: want edge.SLOT.N with an edge 1..6")
    if not _has_a_sensor(board, place, edge):
        raise ValueError(
            f"{name!r}: that edge is named by the slot before it, or is a ramp (sensor ramp.NAME)"
        )


def _has_a_sensor(board: Board, slot: str, edge: int) -> bool:
    """Whether a slot's edge has a sensor by this name: a shared one is named by the slot that comes first."""
    beyond = board.slots[board.slot_names.index(slot)].beyond(edge)
    if beyond.slot is None:
        return beyond.ramp is None
    return board.slot_names.index(slot) < board.slot_names.index(beyond.slot)


def coils(board: Board, kickers: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the coil names: a gate for each ramp and a kicker for each slot listed."""
    return tuple(f"gate.{ramp.name}" for ramp in board.ramps) + tuple(f"kicker.{slot}" for slot in kickers)


def middle_slots(board: Board) -> tuple[str, ...]:
    """Return the two slots nearest to the middle of the board: they have kickers, where a board has any."""
    x_mm = sum(slot.x_mm for slot in board.slots) / len(board.slots)
    y_mm = sum(slot.y_mm for slot in board.slots) / len(board.slots)
    near = sorted(board.slots, key=lambda slot: (slot.x_mm - x_mm) ** 2 + (slot.y_mm - y_mm) ** 2)
    return tuple(sorted(slot.name for slot in near[:2]))


LAMPS: Final = {"slot": 3, "ramp": 1, "zone": 4}
"""How many pixels each place has unless the wiring says otherwise."""


def lamps(board: Board) -> tuple[tuple[str, int], ...]:
    """Return lamp names with their number of pixels, in the order of the strip."""
    return (
        *((f"slot.{slot}", LAMPS["slot"]) for slot in board.slot_names),
        *((f"ramp.{ramp.name}", LAMPS["ramp"]) for ramp in board.ramps),
        *((f"zone.{zone.name}", LAMPS["zone"]) for zone in board.zones),
    )


def slot_of(board: Board, name: str) -> str:
    """Return the slot that an instrument is at; of a ramp the one that it feeds, of a zone one outlet.

    Raises:
        ValueError: as :func:`find_instrument`.
    """
    place = find_instrument(board, name).place
    if place in board.by_name:
        return place
    if place in board.ramp_by_name:
        return board.ramp_by_name[place].slot
    return next(zone for zone in board.zones if zone.name == place).outlets[0][0]


def lamp_beside(board: Board, instrument: Instrument) -> str:
    """Return the lamps where a ball is that this sensor sees; empty for a tile Hall.

    A ball on an edge is on its way downhill: into the lower slot, into an end zone, or off the board.
    """
    match instrument.kind:
        case Kind.TILE:
            return ""
        case Kind.RAMP:
            return f"ramp.{instrument.place}"
        case Kind.ZONE | Kind.REST:
            return f"zone.{instrument.place}"
        case Kind.EDGE:
            beyond = board.beyond(instrument.place, instrument.edge)
            if beyond.zone is not None:
                return f"zone.{beyond.zone}"
            lower = beyond.slot if instrument.edge in DOWNHILL and beyond.slot is not None else None
            return f"slot.{lower or instrument.place}"
        case _:
            return f"slot.{instrument.place}"

"""The board as the tracker sees it: numbered slots, sensors, and places where a ball can be.

Everything is a small integer, because a fact should follow its edge within microseconds. A *place* says where
a ball is: in a slot (and over which edge it came, and whether the ball Hall has seen it there), on a ramp, in
an end zone, or gone in some way from some slot.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from hextraction.board.grid import EDGES
from hextraction.board.instruments import Instrument, Kind, find_instrument
from hextraction.board.profile import Beyond, Board
from hextraction.board.tiles import TileShape
from hextraction.controller.tracking.costs import climb_us

__all__ = ["MOUTHS", "NONE", "OFF", "PLACES", "RAMP", "SLOT", "ZONE", "Graph", "Laid"]

NONE: Final = -1
"""No sensor there."""
MOUTHS: Final = 7
"""Mouths per slot over which a ball came: its six edges, and 0 where that is not known."""
_MANNERS: Final = 4
"""Per mouth: seen by the Hall or not, turned back or not."""
PLACES: Final = MOUTHS * _MANNERS
"""Places per slot."""
SLOT: Final = 0
RAMP: Final = 1
ZONE: Final = 2
OFF: Final = 3


class Laid(NamedTuple):
    """What lies in a slot: a kind of tile, and by how many sixths clockwise it is turned."""

    tile: TileShape
    turns: int


class Graph:
    """The numbered board. ``working`` says for each sensor whether it is believed; the rest never changes.

    ``around`` has, per slot, a bit for it and for each of its neighbours; ``climbs`` has, per edge, the
    result of :func:`.climb_us` without and with a ramp there.
    """

    def __init__(self, board: Board, sensors: Iterable[str]) -> None:
        self.board = board
        self.slots = board.slot_names
        self.ramps = tuple(ramp.name for ramp in board.ramps)
        self.zones = tuple(zone.name for zone in board.zones)
        self.slot_number = {name: number for number, name in enumerate(self.slots)}
        self.ramp_number = {name: number for number, name in enumerate(self.ramps)}
        self.zone_number = {name: number for number, name in enumerate(self.zones)}
        self._number_places()
        self.beyond = tuple(
            ((OFF, NONE), *(self._beyond(slot.beyond(edge)) for edge in EDGES)) for slot in board.slots
        )
        self.around = tuple(
            sum(1 << other for sort, other in row if sort == SLOT) | 1 << slot
            for slot, row in enumerate(self.beyond)
        )
        self.climbs = tuple(
            (0.0, *(climb_us(board.tilt_deg, edge, ramp=ramp) for edge in EDGES)) for ramp in (False, True)
        )
        self.mouths = tuple((self.slot_number[ramp.slot], ramp.edge) for ramp in board.ramps)
        self.outlets = tuple(
            tuple((self.slot_number[slot], edge) for slot, edge in zone.outlets) for zone in board.zones
        )
        self._number_sensors(sensors)

    def _number_places(self) -> None:
        many = len(self.slots)
        self.first_ramp = many * PLACES
        self.first_stuck = self.first_ramp + len(self.ramps)
        self.first_zone = self.first_stuck + len(self.ramps)
        self.first_fallen = self.first_zone + len(self.zones)
        self.first_lost = self.first_fallen + many
        self.first_missing = self.first_lost + many

    def _beyond(self, beyond: Beyond) -> tuple[int, int]:
        if beyond.slot is not None:
            return SLOT, self.slot_number[beyond.slot]
        if beyond.ramp is not None:
            return RAMP, self.ramp_number[beyond.ramp]
        if beyond.zone is not None:
            return ZONE, self.zone_number[beyond.zone]
        return OFF, NONE

    def _number_sensors(self, sensors: Iterable[str]) -> None:
        self.names: list[str] = []
        self.kinds: list[Kind] = []
        self.where: list[int] = []
        self.sensor_number: dict[str, int] = {}
        self.hall = [NONE] * len(self.slots)
        self.drain = [NONE] * len(self.slots)
        self.edge = [[NONE] * 7 for _slot in self.slots]
        self.ramp_beam = [NONE] * len(self.ramps)
        self.zone_beam = [NONE] * len(self.zones)
        self.zone_rest = [NONE] * len(self.zones)
        for name in dict.fromkeys(sensors):
            found = _instrument(self.board, name)
            if found is not None:
                self._add(name, found)
        self.working = [True] * len(self.names)
        self.is_edge = [kind is Kind.EDGE for kind in self.kinds]
        self.sees_crossings = all(
            self.edge[slot][edge] != NONE
            for slot, row in enumerate(self.beyond)
            for edge in EDGES
            if row[edge][0] == SLOT
        )
        self.sees_exits = all(
            self.edge[slot][edge] != NONE
            for slot, row in enumerate(self.beyond)
            for edge in EDGES
            if row[edge][0] == OFF
        )
        self.ramp_of = {beam: ramp for ramp, beam in enumerate(self.ramp_beam) if beam != NONE}

    def _add(self, name: str, found: Instrument) -> None:
        if found.kind is Kind.BALL and (other := self.hall[self.slot_number[found.place]]) != NONE:
            self.sensor_number[name] = other
            return
        number = len(self.names)
        self.names.append(name)
        self.kinds.append(found.kind)
        self.sensor_number[name] = number
        if found.kind is Kind.EDGE:
            self._add_edge(number, self.slot_number[found.place], found.edge)
            return
        numbers, row = {
            Kind.BALL: (self.slot_number, self.hall),
            Kind.DRAIN: (self.slot_number, self.drain),
            Kind.RAMP: (self.ramp_number, self.ramp_beam),
            Kind.ZONE: (self.zone_number, self.zone_beam),
            Kind.REST: (self.zone_number, self.zone_rest),
        }[found.kind]
        row[numbers[found.place]] = number
        self.where.append(numbers[found.place])

    def _add_edge(self, number: int, slot: int, edge: int) -> None:
        self.where.append(slot)
        self.edge[slot][edge] = number
        sort, other = self.beyond[slot][edge]
        if sort == SLOT:
            self.edge[other][(edge + 2) % 6 + 1] = number

    def slots_at(self, sensor: int) -> set[int]:
        """Return the slots in which a ball may lie that covers a Hall or a beam; an edge has two sides."""
        slot, kind = self.where[sensor], self.kinds[sensor]
        if kind is Kind.BALL:
            return {slot}
        if kind is not Kind.EDGE:
            return set()
        edge = self.edge[slot].index(sensor)
        sort, beyond = self.beyond[slot][edge]
        return {slot, beyond} if sort == SLOT else {slot}

    def beside(self, place: int) -> set[int]:
        """Return the sensors that a ball lying in a place may cover."""
        if (slot := self.slot_of(place)) != NONE:
            fed = [beam for (at, _edge), beam in zip(self.mouths, self.ramp_beam, strict=True) if at == slot]
            return {self.hall[slot], self.drain[slot], *self.edge[slot], *fed}
        if (ramp := self.on_ramp(place)) != NONE:
            return {self.ramp_beam[ramp]}
        if (zone := self.in_zone(place)) != NONE:
            outlets = [self.edge[slot][edge] for slot, edge in self.outlets[zone]]
            return {self.zone_beam[zone], self.zone_rest[zone], *outlets}
        return set()

    def believed(self, sensor: int) -> int:
        """Return the sensor, or :data:`NONE` if there is none or we do not believe it."""
        return sensor if sensor != NONE and self.working[sensor] else NONE

    def in_slot(self, slot: int, edge: int = 0, seen: int = 0, turned: int = 0) -> int:
        """Return the place of a ball in a slot that came over ``edge`` (0: unknown).

        ``turned``: it had been inside, peeked out over that edge and came back.
        """
        return ((slot * MOUTHS + edge) * 2 + seen) * 2 + turned

    def at_rest(self, slot: int) -> int:
        """Return the place of a ball at rest in a slot; its Hall would add no information."""
        return self.in_slot(slot, 0, 1)

    def slot_of(self, place: int) -> int:
        """Return the slot of a place, or :data:`NONE` for a place outside the slots."""
        return place // PLACES if place < self.first_ramp else NONE

    def mouth_of(self, place: int) -> int:
        """Return the number of the mouth over which a ball came to a place, :data:`MOUTHS` for each slot."""
        return place // _MANNERS

    def on_ramp(self, place: int) -> int:
        """Return the ramp of a place, or :data:`NONE`; a stuck ball is past its beam or in it."""
        return (
            (place - self.first_ramp) % len(self.ramps)
            if self.first_ramp <= place < self.first_zone
            else NONE
        )

    def in_zone(self, place: int) -> int:
        """Return the end zone of a place, or :data:`NONE`."""
        return place - self.first_zone if self.first_zone <= place < self.first_fallen else NONE

    def gone(self, place: int) -> bool:
        """Whether a ball in this place can never be seen again."""
        return place >= self.first_fallen

    def gone_from(self, place: int) -> int:
        """Return the last slot of a ball that can never be seen again."""
        return (place - self.first_fallen) % len(self.slots)


def _instrument(board: Board, name: str) -> Instrument | None:
    """Return the instrument with this name; ``None`` for tile Halls and unknown names."""
    try:
        found = find_instrument(board, name)
    except ValueError:
        return None
    return None if found.kind is Kind.TILE else found

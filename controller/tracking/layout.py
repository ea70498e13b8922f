"""What a sensor layout can see: the layout is data, and no sensor is taken for granted."""

from collections import Counter
from typing import NamedTuple

from hextraction.board.grid import EDGES
from hextraction.controller.tracking.graph import NONE, OFF, SLOT, ZONE, Graph

__all__ = ["Sees", "Share", "sees"]


class Share(NamedTuple):
    """How many of how many places have a sensor that is believed."""

    have: int
    of: int

    @property
    def all(self) -> bool:
        """Whether every place has one."""
        return self.have == self.of


class Sees(NamedTuple):
    """What is seen: balls over a slot's middle, between slots, leaving, in zones, falling, released.

    ``wide`` are the slots with several ball Halls, which also see balls that pass beside the middle.
    """

    visits: Share
    crossings: Share
    exits: Share
    zones: Share
    falls: Share
    releases: Share
    wide: Share

    @property
    def limits(self) -> tuple[str, ...]:
        """Describe what this layout cannot see."""
        found = []
        if not self.crossings.all:
            found.append("A ball can go round between slots and leave no trace: counts may be too low.")
        if not self.exits.all:
            found.append("A ball can leave over the side unseen: then people are asked where it went.")
        if not self.visits.all:
            found.append("A ball that lies in the middle of a slot is not seen there.")
        elif not (self.wide.all or self.crossings.all):
            found.append("A ball that passes a slot's middle at some distance is not seen there.")
        if not self.falls.all:
            found.append("A ball that falls through a tile's hole is missed.")
        if not self.releases.all:
            found.append("A release is only known if it is announced.")
        return tuple(found)


def sees(graph: Graph) -> Sees:
    """Return what the believed sensors of a board can see."""
    edges: dict[int, list[bool]] = {SLOT: [], OFF: [], ZONE: []}
    for slot, row in enumerate(graph.beyond):
        for edge in EDGES:
            sort, beyond = row[edge]
            if sort in edges and not (sort == SLOT and beyond < slot):
                edges[sort].append(graph.believed(graph.edge[slot][edge]) != NONE)
    beams = [
        graph.believed(beam) != NONE or (bool(edges[ZONE]) and all(edges[ZONE])) for beam in graph.zone_beam
    ]
    return Sees(
        visits=_believed(graph, graph.hall),
        crossings=Share(sum(edges[SLOT]), len(edges[SLOT])),
        exits=Share(sum(edges[OFF]), len(edges[OFF])),
        zones=Share(sum(beams), len(beams)),
        falls=_believed(graph, graph.drain),
        releases=_believed(graph, graph.ramp_beam),
        wide=_wide(graph),
    )


def _believed(graph: Graph, sensors: list[int]) -> Share:
    return Share(sum(graph.believed(sensor) != NONE for sensor in sensors), len(sensors))


def _wide(graph: Graph) -> Share:
    many = Counter(graph.sensor_number.values())
    return Share(sum(graph.believed(hall) != NONE and many[hall] > 1 for hall in graph.hall), len(graph.hall))

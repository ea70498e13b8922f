"""Where a ball can go from where it is, which sensor tells of it, and what that means in facts.

A path may pass sensors that miss it and slots that see nothing, at a price. Paths from a place
are worked out when a ball is first there and kept until the tiles or the sensors change.
"""

from collections.abc import Mapping
from typing import Final

from hextraction.controller.tracking.costs import (
    DIP,
    FLAT,
    GLANCE,
    HALL_MISSES,
    HALL_SEES,
    LIMIT,
    MISS,
    climb_us,
)
from hextraction.controller.tracking.graph import NONE, OFF, RAMP, SLOT, ZONE, Graph, Laid
from hextraction.controller.tracking.odds import Odds
from hextraction.controller.tracking.paths import (
    ENTERED,
    FELL,
    IN_ZONE,
    LEFT,
    LEFT_ZONE,
    OFF_BOARD,
    End,
    Path,
    Walk,
)

__all__ = ["Routes"]

_BETWEEN: Final = (1.4, 1.05, 1.75, 2.0, 1.75, 1.05)
"""Half tiles from one edge's middle to the one so many sixths further; back to itself takes a while."""
_DEEPEST: Final = 2
_BEST_FEW: Final = 3


class Routes:
    """All paths over a graph with certain tiles laid."""

    def __init__(self, graph: Graph, laid: Mapping[str, Laid]) -> None:
        self._graph = graph
        self.odds = Odds(graph, laid)
        self._paths: dict[int, dict[int, tuple[Path, ...]]] = {}
        self._ends: dict[int, tuple[End, ...]] = {}

    def to(self, place: int) -> dict[int, tuple[Path, ...]]:
        """Return the paths from a place by the sensor they end at, the likeliest first."""
        found = self._paths.get(place)
        if found is None:
            self._explore_from(place)
            found = self._paths[place]
        return found

    def knows(self, place: int) -> bool:
        """Whether the paths from a place have been found already."""
        return place in self._paths

    def ends(self, place: int) -> tuple[End, ...]:
        """Return how a ball last seen at a place may have ended, unseen."""
        if place not in self._ends:
            self._explore_from(place)
        return self._ends[place]

    def _explore_from(self, place: int) -> None:
        finder = _Finder(self._graph, self.odds)
        graph = self._graph
        if (slot := graph.slot_of(place)) != NONE:
            finder.from_slot(slot, place // 2 % 7, place % 2)
        elif (ramp := graph.on_ramp(place)) != NONE:
            (finder.from_ramp if place < graph.first_stuck else finder.from_mouth)(ramp)
        elif (zone := graph.in_zone(place)) != NONE:
            finder.from_zone(zone)
        self._paths[place] = {
            sensor: tuple(sorted(paths, key=_cost)[:_BEST_FEW]) for sensor, paths in finder.paths.items()
        }
        self._ends[place] = tuple(finder.ends)


class _Finder:
    """One search from one place, depth first, as far as :data:`LIMIT` allows."""

    def __init__(self, graph: Graph, odds: Odds) -> None:
        self._graph = graph
        self._odds = odds
        self.paths: dict[int, list[Path]] = {}
        self.ends: list[End] = []

    def from_slot(self, slot: int, edge: int, seen: int) -> None:
        graph = self._graph
        place = graph.in_slot(slot, edge, seen)
        hall = graph.believed(graph.hall[slot])
        if seen and hall != NONE:
            self.paths.setdefault(hall, []).append(Path(FLAT, 0.0, (), place))
        for out, _cross, turn in self._odds.exits(slot, edge):
            beam = self._beam(slot, out)
            if beam != NONE:
                halves = 1.0 if seen else _between(edge, out)
                climb = climb_us(graph.board.tilt_deg, out, ramp=graph.beyond[slot][out][0] == RAMP)
                back = Path(turn, halves, (), graph.in_slot(slot, out, seen), way=GLANCE, climb=climb)
                self.paths.setdefault(beam, []).append(back)
                self._dip(back, beam, slot, out)
        self._visit(Walk(), slot, edge, seen=seen)

    def _beam(self, slot: int, edge: int) -> int:
        sort, beyond = self._graph.beyond[slot][edge]
        return self._graph.believed(
            self._graph.ramp_beam[beyond] if sort == RAMP else self._graph.edge[slot][edge]
        )

    def _dip(self, back: Path, beam: int, slot: int, out: int) -> None:
        """A ball just gets over an edge and rolls back, all in one pulse."""
        sort, beyond = self._graph.beyond[slot][out]
        if sort in {SLOT, RAMP} and not self._odds.is_open(slot):
            going = Walk(halves=back.halves).doing(LEFT, self._graph.slots[slot])
            over = going if sort == RAMP else self._over(going, SLOT, beyond)
            if sort == SLOT and over is not going:
                over = over.doing(LEFT, self._graph.slots[beyond])
            home = self._over(over, SLOT, slot)
            dip = Path(back.cost + 0.7, back.halves, home.shares(), back.end, home.touched, DIP, back.climb)
            self.paths[beam].append(dip)

    def from_ramp(self, ramp: int) -> None:
        """A ball is above its ramp's beam."""
        graph = self._graph
        slot, edge = graph.mouths[ramp]
        beam, place = graph.believed(graph.ramp_beam[ramp]), graph.first_stuck + ramp
        into, outside = self._odds.mouth_costs(slot, edge)
        walk = Walk(cost=into, halves=1.0)
        if beam != NONE:
            self._found(beam, self._over(walk, SLOT, slot), graph.in_slot(slot, edge))
            self.paths[beam].append(Path(outside, 1.0, (), place, way=GLANCE))
            walk = walk.on(MISS)
        self._enter(walk, slot, edge)

    def from_mouth(self, ramp: int) -> None:
        """A ball is stuck in its ramp's mouth."""
        graph = self._graph
        slot, edge = graph.mouths[ramp]
        beam = graph.believed(graph.ramp_beam[ramp])
        if beam != NONE:
            again = FLAT + self._odds.mouth_costs(slot, edge)[1]
            self.paths.setdefault(beam, []).append(Path(again, 0.0, (), graph.first_stuck + ramp))
        self._enter(Walk(halves=0.5), slot, edge)

    def from_zone(self, zone: int) -> None:
        graph = self._graph
        place = graph.first_zone + zone
        for sensor in (graph.zone_beam[zone], graph.zone_rest[zone]):
            if graph.believed(sensor) != NONE:
                self.paths.setdefault(sensor, []).append(Path(0.5, 0.0, (), place))
        self.ends.append(End(0.0, (), place, 0, NONE))
        leaving = Walk(cost=3.0, halves=1.0).doing(LEFT_ZONE, graph.zones[zone])
        for slot, edge in graph.outlets[zone]:
            self._cross(leaving, graph.edge[slot][edge], SLOT, slot, edge)

    def _visit(self, walk: Walk, slot: int, edge: int, *, seen: int = 0) -> None:
        """A ball is in a slot: what may tell of it, and where next."""
        graph, odds = self._graph, self._odds
        self._may_end(walk, slot, edge)
        hall = graph.believed(graph.hall[slot])
        if hall != NONE and not seen:
            self._found(hall, walk.on(HALL_SEES, 1.0), graph.in_slot(slot, edge, 1))
        self._may_fall(walk, slot)
        unseen = HALL_MISSES if hall != NONE and not seen else 0.0
        for out, cost, _turn in odds.exits(slot, edge):
            going = walk.on(cost + (0.0 if out == edge else unseen), 1.0 if seen else _between(edge, out))
            if going.cost < LIMIT:
                self._leave(going, slot, out)

    def _may_end(self, walk: Walk, slot: int, edge: int) -> None:
        graph, odds = self._graph, self._odds
        if odds.is_open(slot):
            fell = walk.doing(FELL, graph.slots[slot])
            missed = MISS if graph.believed(graph.drain[slot]) != NONE else 0.0
            end = End(walk.cost + missed, fell.shares(), graph.first_fallen + slot, walk.touched, NONE)
        else:
            cost = walk.cost + odds.rest_cost(slot, edge)
            end = End(cost, walk.shares(), graph.in_slot(slot, edge), walk.touched, slot)
        self.ends.append(end)

    def _may_fall(self, walk: Walk, slot: int) -> None:
        graph = self._graph
        drain = graph.believed(graph.drain[slot])
        if drain != NONE:
            falling = walk.on(self._odds.fall_cost(slot), 1.0).doing(FELL, graph.slots[slot])
            self._found(drain, falling, graph.first_fallen + slot)

    def _leave(self, walk: Walk, slot: int, out: int) -> None:
        graph = self._graph
        sort, beyond = graph.beyond[slot][out]
        leaving = walk if self._odds.is_open(slot) else walk.doing(LEFT, graph.slots[slot])
        if sort == RAMP:
            beam = graph.believed(graph.ramp_beam[beyond])
            if beam != NONE:
                self._found(beam, leaving, graph.first_ramp + beyond)
            return
        if sort == OFF:
            beyond = slot
        self._cross(leaving, graph.edge[slot][out], sort, beyond, (out + 2) % 6 + 1)

    def _cross(self, walk: Walk, sensor: int, sort: int, beyond: int, edge: int) -> None:
        """Pass an edge that may have a sensor, into whatever lies there."""
        sensor = self._graph.believed(sensor)
        if sensor != NONE:
            over = self._over(walk, sort, beyond)
            self._found(sensor, over, self._place(sort, beyond, edge))
            walk = walk.on(MISS)
        if walk.cost >= LIMIT or walk.depth >= _DEEPEST:
            return
        if sort == SLOT:
            self._enter(walk._replace(depth=walk.depth + 1), beyond, edge)
        elif sort == ZONE:
            self._into_zone(walk, beyond)
        else:
            end = self._graph.first_missing + beyond
            acts = walk.shares()
            if acts and acts[-1].deed == LEFT:  # nobody saw it leave: that is the doubt
                acts = acts[:-1]
            self.ends.append(End(walk.cost, acts, end, walk.touched, NONE))

    def _over(self, walk: Walk, sort: int, beyond: int) -> Walk:
        graph = self._graph
        if sort == ZONE:
            return walk.doing(IN_ZONE, graph.zones[beyond])
        if sort == OFF:
            return walk.doing(OFF_BOARD, graph.slots[beyond])
        if self._odds.is_open(beyond):
            return walk
        entered = walk.doing(ENTERED, graph.slots[beyond])
        return entered._replace(touched=walk.touched + (1 << 8 * beyond))

    def _place(self, sort: int, beyond: int, edge: int) -> int:
        graph = self._graph
        if sort == SLOT:
            return graph.in_slot(beyond, edge)
        return (graph.first_zone if sort == ZONE else graph.first_lost) + beyond

    def _enter(self, walk: Walk, slot: int, edge: int) -> None:
        self._visit(self._over(walk, SLOT, slot), slot, edge)

    def _into_zone(self, walk: Walk, zone: int) -> None:
        graph = self._graph
        inside = walk.on(0.0, 0.8).doing(IN_ZONE, graph.zones[zone])
        place = graph.first_zone + zone
        beam, rest = graph.believed(graph.zone_beam[zone]), graph.believed(graph.zone_rest[zone])
        if beam != NONE:
            self._found(beam, inside, place)
            inside = inside.on(MISS)
        if rest != NONE:
            self._found(rest, inside.on(0.0, 1.0), place)
            inside = inside.on(MISS)
        self.ends.append(End(inside.cost, inside.shares(), place, inside.touched, NONE))

    def _found(self, sensor: int, walk: Walk, place: int) -> None:
        if walk.cost < LIMIT:
            path = Path(walk.cost, walk.halves, walk.shares(), place, walk.touched)
            self.paths.setdefault(sensor, []).append(path)


def _between(edge: int, out: int) -> float:
    return 1.0 if edge == 0 else _BETWEEN[(out - edge) % 6]


def _cost(path: Path) -> float:
    return path.cost

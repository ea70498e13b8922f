"""The whole roll as one integer programme: a flow of balls through pulses, solved by HiGHS (scipy's milp).

A node is a ball just after it caused a pulse, in one of the places where it may be then; an arc is its next
pulse, or its end. Each pulse is caused by one ball (two in tandem for a price) or is a ghost. The prices of
all of it are the tracker's own: its functions are called, so both minimise the same sum as far as a price
depends on one ball alone. What the programme cannot have is a probability, and what depends on other balls
(an unannounced release costs more while another ball rolls) it takes as if there were none.
"""

from typing import Any, NamedTuple

import numpy as np
from hextraction.controller.tracking import settle, stories
from hextraction.controller.tracking.costs import RAMP_GHOST, TANDEM, UNEXPECTED, ghost_cost
from hextraction.controller.tracking.covered import Covered
from hextraction.controller.tracking.ends import Evidence
from hextraction.controller.tracking.graph import NONE, Graph
from hextraction.controller.tracking.routes import Routes
from hextraction.controller.tracking.stories import RESTING, Ball, Pulse, Story
from hextraction.controller.tracking.teller import Teller

AHEAD = 14
"""A ball that rolls causes one of the next so many pulses, or none any more."""
DEAREST = 16.0
LIMIT_S = 10.0
LEAVE_US = 80_000
QUIET_US = 2_000_000


class Arc(NamedTuple):
    """From a node (or a source) to a node (or to the end): its price and the pages of the story it adds."""

    start: int
    end: int
    pulse: int
    cost: float
    pages: tuple[Any, ...]
    ball: int


class Programme:
    """One roll's nodes and arcs. Node 0 is where new balls come from; sources of resting balls follow."""

    def __init__(self, trace: Any, pulses: Any) -> None:
        self.graph = Graph(trace.board, trace.sensors)
        self.routes = Routes(self.graph, trace.tiles)
        self.covered = Covered((), self.graph.hall)
        self.teller = Teller(self.graph, self.routes, self.covered, leave_us=LEAVE_US)
        self.pulses = list(self._heard(trace, pulses))
        self.arcs: list[Arc] = []
        self.known: dict[Any, Any] = {}
        self.waiting: list[Any] = []
        self.balls = []
        self.evidence = self._evidence(trace)
        for slot in trace.balls.values():
            place = self.graph.at_rest(self.graph.slot_number[slot])
            self.balls.append(Ball(place, RESTING, 0, 0, 0))
        self.nodes = 1 + len(self.balls)

    def _heard(self, trace: Any, pulses: Any) -> Any:
        """Yield the pulses, but for those of balls at rest that cover a sensor from the start."""
        places = [self.graph.at_rest(self.graph.slot_number[slot]) for slot in trace.balls.values()]
        beside = {sensor for place in places for sensor in self.graph.beside(place)}
        for sensor, on_us, off_us in pulses:
            number = self.graph.sensor_number.get(sensor)
            if number is not None:
                self.covered.add([number, on_us, NONE if off_us is None else off_us])
                if on_us or number not in beside:
                    yield Pulse(number, on_us, off_us)

    def build(self) -> None:
        """Find every arc."""
        for source, ball in enumerate(self.balls, 1):
            self._grow(source, _alone(ball), -1, len(self.pulses))
        for number, pulse in enumerate(self.pulses):
            for story in self._releases(pulse):
                self._arc(0, number, story)
        while self.waiting:
            node, number, story = self.waiting.pop()
            self._grow(node, story, number, AHEAD)

    def _evidence(self, trace: Any) -> Any:
        active: set[int] = set()
        dropped: set[int] = set()
        first: set[int] = set()
        for edge in trace.edges:
            number = self.graph.sensor_number.get(edge.sensor)
            if number is None:
                continue
            (active.add if edge.active else active.discard)(number)
            if edge.active and not edge.at_us:
                first.add(number)
            elif not edge.active and number in first:
                dropped.add(number)
        slots = {self.graph.where[number] for number in dropped - active if number in self.graph.hall}
        began_us = self.pulses[0].on_us if self.pulses else 0
        until_us = max((edge.at_us for edge in trace.edges), default=0) + QUIET_US
        return Evidence(until_us, began_us, frozenset(active), slots, self.covered)

    def _releases(self, pulse: Any) -> Any:
        ramp = self.graph.ramp_of.get(pulse.sensor)
        empty = Story(0.0, (), 0, (), None, 1)
        found = [] if ramp is None else self.teller._released(empty, ramp, pulse)  # noqa: SLF001 - the same prices
        for other, far, path in self.teller._unseen(pulse):  # noqa: SLF001
            came = empty._replace(cost=UNEXPECTED + far)
            found.append(stories.came_unseen(came, other, path, pulse))
        return found

    def _grow(self, node: Any, story: Any, number: Any, ahead: Any) -> None:
        """Add the arcs that leave a node: to later pulses, and to the end."""
        for later in range(number + 1, min(len(self.pulses), number + 1 + ahead)):
            pulse = self.pulses[later]
            for move in self.teller._moves(story, pulse, {}):  # noqa: SLF001
                if move[1] <= DEAREST:
                    self._arc(node, later, stories.moved(story, [move], pulse))
        endings = settle._endings(story, self.graph, self.routes, self.evidence)  # noqa: SLF001
        best = min(endings, key=lambda ending: ending.cost)
        self.arcs.append(Arc(node, -1, -1, best.cost, _pages(best), best.balls[0].place))

    def _arc(self, node: Any, number: Any, story: Any) -> None:
        ball = story.balls[0]
        key = number, ball._replace(number=0)
        if key not in self.known:
            self.known[key] = self.nodes
            self.nodes += 1
            self.waiting.append((self.known[key], number, _alone(ball)))
        self.arcs.append(Arc(node, self.known[key], number, story.cost, _pages(story), ball.place))

    def solve(self) -> Any:
        """Return the arcs of the cheapest account."""
        arcs, many = self.arcs, len(self.pulses)
        ghosts = [
            ghost_cost(None if pulse.off_us is None else pulse.off_us - pulse.on_us)
            + (RAMP_GHOST if pulse.sensor in self.graph.ramp_of else 0.0)
            for pulse in self.pulses
        ]
        costs = np.array([arc.cost for arc in arcs] + ghosts + [TANDEM] * many)
        rows, columns, values = [], [], []

        def put(row: Any, column: Any, value: Any) -> None:
            rows.append(row)
            columns.append(column)
            values.append(value)

        for column, arc in enumerate(arcs):
            if arc.start > 0:
                put(arc.start - 1, column, -1)
            if arc.end > 0:
                put(arc.end - 1, column, 1)
                put(self.nodes - 1 + arc.pulse, column, 1)
        for pulse in range(many):
            put(self.nodes - 1 + pulse, len(arcs) + pulse, 1)
            put(self.nodes - 1 + pulse, len(arcs) + many + pulse, -1)
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import coo_array

        # Each resting ball leaves its source once; what flows into any other node flows out of it.
        flow = [-1.0] * len(self.balls) + [0.0] * (self.nodes - 1 - len(self.balls))
        right = np.array(flow + [1.0] * many)
        matrix = coo_array((values, (rows, columns)), shape=(len(right), len(costs))).tocsr()
        found = milp(
            costs,
            constraints=LinearConstraint(matrix, right, right),
            bounds=Bounds(0, 1),
            integrality=np.ones(len(costs)),
            options={"time_limit": LIMIT_S},
        )
        return (
            [] if found.x is None else [arc for arc, used in zip(arcs, found.x, strict=False) if used > 0.5]
        )


def track(trace: Any, pulses: Any) -> Any:
    """Return the facts of the cheapest account of a roll."""
    programme = Programme(trace, pulses)
    programme.build()
    used = programme.solve()
    leaving = {arc.start: arc for arc in used if arc.start > 0}
    facts = []
    starts = [arc for arc in used if arc.start == 0]
    chains = [(ball, leaving[source]) for source, ball in enumerate(trace.balls, 1) if source in leaving]
    first = max(trace.balls, default=0) + 1
    chains += list(enumerate(starts, first))
    for ball, arc in chains:
        last, at = None, arc
        while at is not None:
            for page in at.pages:
                last = page._replace(before=last, ball=ball)
            final = at
            at = leaving.get(at.end)
        facts += settle._facts(last, programme.graph, programme.evidence)  # noqa: SLF001
        facts += _end_facts(programme, ball, final.ball, last)
    return sorted(facts, key=lambda fact: fact.at_us)


def _end_facts(programme: Any, ball: Any, place: Any, last: Any) -> Any:
    from hextraction.board.facts import BallLeft, BallOffBoard, BallStuckOnRamp

    graph, at_us = programme.graph, programme.evidence.at_us
    if place >= graph.first_missing:
        slot = graph.slots[place - graph.first_missing]
        return [BallLeft(at_us=at_us, ball=ball, slot=slot), BallOffBoard(at_us=at_us, ball=ball, slot=slot)]
    ramp = graph.on_ramp(place)
    if ramp != NONE and last is not None:
        return [BallStuckOnRamp(at_us=at_us, ball=ball, ramp=graph.ramps[ramp])]
    return []


def _alone(ball: Any) -> Any:
    return Story(0.0, (ball,), 0, (), None, 1)


def _pages(story: Any) -> Any:
    """Return the pages of a story, the first one first."""
    found, page = [], story.last
    while page is not None:
        found.append(page)
        page = page.before
    return tuple(reversed(found))

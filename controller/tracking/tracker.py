"""The tracker: edges in, ball facts out; provisional at once, settled once all is quiet.

Sans-I/O and deterministic: time comes with each call, in microseconds since the controller's boot, and a time
before the last one counts as the last one. The caller checks :attr:`Tracker.wake_at_us` after every call and
calls :meth:`Tracker.advance` then. The journey of an edge: :mod:`.live` moves the most plausible ball,
:mod:`.pulses` records the pulse, and after the roll :mod:`.stories` and :mod:`.settle` find the best account.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hextraction.board.facts import Fact, Question, RollSettled
from hextraction.board.profile import Board
from hextraction.controller.tracking.costs import GHOST_AT_ONCE, MISS, REAL
from hextraction.controller.tracking.facts import leaving_first
from hextraction.controller.tracking.graph import NONE, Graph, Laid
from hextraction.controller.tracking.layout import Sees, sees
from hextraction.controller.tracking.live import Live
from hextraction.controller.tracking.pulses import PulseRecord
from hextraction.controller.tracking.routes import Routes
from hextraction.controller.tracking.trust import Trust
from msgspec.structs import replace

__all__ = ["Ahead", "Settings", "Tracker"]

# --- Paths found in advance, in idle time, so that no edge and no settling waits for them ---

_LIKELY = 1
"""How many of the paths to one sensor are followed in advance."""
_UNLIKELY = MISS + 0.5
"""Costlier paths are followed only when needed: few of so many unlikely places ever are."""


class Ahead:
    """Searches ahead from where balls are believed to be, and again when one of them has moved."""

    def __init__(self, graph: Graph, live: Live) -> None:
        self._graph = graph
        self._live = live
        self._looked_from: list[int] | None = None

    def again(self) -> None:
        """Start again after tiles or sensors have changed: cached paths may be gone."""
        self._looked_from = None

    def look(self, routes: Routes) -> bool:
        """Find the paths from one more place where a ball may be next; False: all are known."""
        balls = [ball.place for ball in self._live.balls]
        if balls == self._looked_from:
            return False
        for place in self._next_places(routes):
            if not routes.knows(place):
                routes.far(place)
                return True
        self._looked_from = balls
        return False

    def _next_places(self, routes: Routes) -> Iterator[int]:
        """Yield where balls are or may be seen next, the moving ones first; then the ramps."""
        graph = self._graph
        for ball in sorted(self._live.balls, key=lambda ball: ball.resting):
            yield ball.place
            found = routes.far(ball.place)
            for sensor in found.sensors:
                yield from (path.end for path in found.to(sensor)[:_LIKELY] if path.cost < _UNLIKELY)
        for ramp in range(len(graph.ramps)):
            yield graph.first_ramp + ramp
            yield graph.in_slot(*graph.mouths[ramp])


# --- The tracker's timing, and when it asks ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The tracker's settings; times in microseconds.

    ``leave_us``: the same sensor again within this is one contact (ruling R-13). ``quiet_us``: a roll settles
    when no edge came for this long. ``stuck_ramp_us``: how long a released ball may take to reach its slot
    (ruling R-37). ``ask_below``: people are asked when the tracker is less sure of a verdict than this, 0..1.

    >>> from hextraction.api import TrackerSettings
    >>> TrackerSettings(ask_below=0.95).quiet_us
    2000000
    """

    leave_us: int = 80_000
    quiet_us: int = 2_000_000
    stuck_ramp_us: int = 8_000_000
    ask_below: float = 0.88


# --- The tracker ---

_SLICE = 3
"""How many pulses are processed at once in idle time."""
_SURE_ENOUGH = 0.55
"""Accounts that are rather right than wrong say what was silent; it takes three rolls to blame a sensor."""

Facts = tuple[Fact | RollSettled, ...]


class Tracker:
    """Follows the balls of one board through the sensors it has.

    ``sensors`` are names of existing instruments; those that a tracker cannot use are left out. There are no
    tiles and no balls until :meth:`lay` and :meth:`put_balls` say so. ``ignored`` counts, by name, pulses
    that no ball explains and edges of sensors that are unknown, broken or distrusted. ``narrowed`` counts
    pulses for which fewer accounts were kept because too many pulses were waiting.

    >>> from hextraction.api import Tracker, load_board, sensors_of
    >>> tracker = Tracker(load_board(), sensors_of(load_board(), "basic"))
    >>> facts = tracker.feed("ramp.L1", True, 1_000_000)
    >>> tracker.wake_at_us is None
    False
    """

    def __init__(self, board: Board, sensors: Iterable[str], settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._graph = Graph(board, sensors)
        self._numbers = self._graph.sensor_number
        self._tiles: dict[str, Laid] = {}
        self._routes = Routes(self._graph, self._tiles)
        self._active = [False] * len(self._graph.names)
        self._live = Live(self._graph, leave_us=self._settings.leave_us)
        self._ahead = Ahead(self._graph, self._live)
        self._trust = Trust(self._graph)
        self._doubts = self._trust.doubts
        self._places: dict[int, int] = {}
        self._now_us = 0
        self._due_us: int | None = None
        self.narrowed = 0
        self._told_any = False
        self._after_gap = False
        self._gated = False
        self.ignored: Counter[str] = Counter()
        self._new_roll(1)

    def lay(self, tiles: Mapping[str, Laid]) -> None:
        """Set what lies in each slot now; a slot that is absent is open."""
        if dict(tiles) != self._tiles:
            self._roll.tell(self._routes)
            self._tiles = dict(tiles)
            self._routes.lay(self._tiles)
            self._ahead.again()

    def put_balls(self, balls: Mapping[int, str]) -> None:
        """Set which balls rest in which slots, with no others on the board; a roll under way is dropped.

        Raises:
            KeyError: the board has no such slot.
        """
        self._places = {
            ball: self._graph.at_rest(self._graph.slot_number[slot]) for ball, slot in balls.items()
        }
        self._due_us = None
        self._new_roll(max([self._live.next_number - 1, *balls]) + 1)

    def feed(self, sensor: str, active: bool, at_us: int) -> Facts:  # noqa: FBT001 - an edge's own words
        """Process one edge of a sensor and return the resulting facts."""
        number = self._numbers.get(sensor)
        if number is None:
            if not sensor.startswith("tile."):
                self.ignored[sensor] += 1
            return ()
        at_us = self._now_us = max(at_us, self._now_us)
        settled = self._settle_when_due(at_us)
        if number in self._trust.parts:
            active = self._trust.parts.level(number, sensor, active=active)
        if self._active[number] == active:
            return settled
        self._active[number] = active
        if not self._graph.working[number]:
            self._trust.hear(number, active=active)
            self._heed()
        if not self._graph.working[number]:
            self.ignored[sensor] += 1
            return settled
        return settled + (self._on(number, at_us) if active else self._off(number, at_us))

    def expect(self, ramp: str, at_us: int) -> None:
        """Announce a ball from this ramp: a gate was opened, or people say that they released one.

        An announcement after the ramp's beam has seen the ball does not mean a second ball, unless balls of
        this roll were announced before they came: then this one is still to come, and the beam saw another.

        Raises:
            KeyError: the board has no such ramp.
        """
        number = self._graph.ramp_number[ramp]
        at_us = max(at_us, self._now_us)
        since_us = self._live.unannounced.pop(number, None)
        recent = since_us is not None and at_us - since_us < self._settings.stuck_ramp_us
        if recent and not self._live.foretold:
            return
        self._live.waiting.append((number, at_us))
        self._roll.announce(number, at_us)
        self._roll.begin(at_us)
        self._reschedule(at_us)

    def lie_still(self, at_us: int) -> None:
        """Hear from whoever sees the board that no ball moves any more: the roll need not wait for quiet.

        It is told to be over even if no sensor has seen anything of it.
        """
        self._told_any = True
        self._due_us = max(at_us, self._now_us)

    def through_gates(self, *, only: bool) -> None:
        """Say whether balls come onto the board through gates only, each of which is told to :meth:`expect`.

        At first they do not. Where they do, what a hand does to a ramp's beam is rarely taken for a ball.
        """
        self._gated = self._live.gates_only = only
        self._roll.through_gates(only=only)

    def advance(self, now_us: int) -> Facts:
        """Let time pass until ``now_us`` and return what follows from it alone."""
        self._now_us = max(self._now_us, now_us)
        settled = self._settle_when_due(self._now_us)
        if not self.moving:  # a ball on its way may still explain a sensor that is on
            self._doubts.look(self._now_us)
            self._heed()
        return settled

    def think_ahead(self) -> bool:
        """Do a little of the pending work in idle time; False: there is nothing left.

        First the paths from one place where a ball may be next, then the accounts of a few pulses. This
        changes no result: the next edge and the end of the roll are only processed faster.
        """
        if self._ahead.look(self._routes):
            return True
        return self._roll.begun and self._roll.tell_over(self._routes, self._now_us, _SLICE)

    @property
    def wake_at_us(self) -> int | None:
        """When to call :meth:`advance` if nothing happens before; None: never."""
        return self._doubts.wake_at_us if self._due_us is None else self._due_us

    @property
    def resting(self) -> Mapping[int, str]:
        """Balls at rest in a slot, by number."""
        slots = {ball.number: self._graph.slot_of(ball.place) for ball in self._live.balls if ball.resting}
        return {number: self._graph.slots[slot] for number, slot in slots.items() if slot != NONE}

    @property
    def moving(self) -> bool:
        """Whether a roll, or an accident, has begun and not settled."""
        return self._due_us is not None

    @property
    def sees(self) -> Sees:
        """What this layout can and cannot see with the sensors that are believed now."""
        return sees(self._graph)

    @property
    def suspects(self) -> tuple[str, ...]:
        """Sensors that are on with no ball near, or noisy, or silent as balls passed in three rolls."""
        return tuple(sorted(self.doubted))

    @property
    def doubted(self) -> dict[str, str]:
        """Why each of the suspects is one: ``stuck``, ``noisy`` or ``silent``."""
        return self._trust.doubted

    def resync(self, levels: Mapping[str, bool], at_us: int) -> Facts:
        """Process sensor levels read again after a gap: those that differ count as changed just now."""
        found: Facts = ()
        self._after_gap = True
        for sensor in sorted(levels):
            if not (levels[sensor] and self.cover(sensor)):
                found += self.feed(sensor, levels[sensor], at_us)
        self._after_gap = False
        self._roll.after_gap = self._roll.begun
        return found

    def cover(self, sensor: str) -> bool:
        """Attribute a sensor that is on while nothing moves to a ball that lies beside it.

        Return whether there is such a ball; otherwise call :meth:`feed`.
        """
        number = self._numbers.get(sensor)
        if number is None or not self._graph.working[number] or self.moving:
            return False
        if not any(number in self._graph.beside(place) for place in self._places.values()):
            return False
        if number in self._trust.parts and not self._trust.parts.level(number, sensor, active=True):
            return False
        if not self._active[number]:
            self._active[number] = True
            self._roll.cover(number)
        return True

    def declare_broken(self, sensor: str) -> None:
        """Stop believing this sensor, and expect no ball to be seen by it."""
        self._trust.declare(sensor, working=False)
        self._heed()

    def declare_working(self, sensor: str) -> None:
        """Believe this sensor again."""
        self._trust.declare(sensor, working=True)
        self._heed()

    def _heed(self) -> None:
        """Rebuild the paths if the set of believed sensors has changed."""
        if self._trust.outdated():
            self._roll.tell(self._routes)
            for number in self._trust.tell():
                self._roll.close(number, self._now_us)
            self._routes = Routes(self._graph, self._tiles, self._routes.odds.lying)
            self._ahead.again()

    def _on(self, number: int, at_us: int) -> Facts:
        self._doubts.pulsed(number, at_us)
        self._roll.on(number, at_us, real=self._after_gap)
        facts = self._live.on(number, at_us, self._routes, REAL if self._after_gap else GHOST_AT_ONCE)
        if facts is None:
            self._stray(number, at_us)
            return ()
        if facts or self._roll.begun or self._live.moving:
            self._roll.begin(at_us)
            self._told_any = self._told_any or bool(facts)
            self._reschedule(at_us)
        self._heed()
        return facts

    def _stray(self, number: int, at_us: int) -> None:
        """Handle a pulse of no known ball: a ghost, unless a second one suggests that we missed a start."""
        self.ignored[self._graph.names[number]] += 1
        self._doubts.unexplained(number, at_us)
        if self._roll.begun or self._roll.strays() > 1:
            self._roll.begin(at_us)
            self._reschedule(at_us)
        self._heed()

    def _off(self, number: int, at_us: int) -> Facts:
        self._roll.off(number, at_us)
        facts = self._live.off(number, at_us, self._routes)
        self._live.look_ahead(self._routes)
        self._doubts.off(number)
        if self._due_us is not None:
            self._reschedule(at_us)
        return facts

    def _reschedule(self, at_us: int) -> None:
        """Schedule settling after quiet, but not while a ball may still be on its way down a ramp."""
        due_us = at_us + self._settings.quiet_us
        patience_us = self._settings.stuck_ramp_us
        for ball in self._live.balls:
            if ball.pending != NONE:
                due_us = max(due_us, ball.at_us + patience_us)
        for _ramp, since_us in self._live.waiting:
            due_us = max(due_us, since_us + patience_us)
        self._due_us = due_us
        if self._roll.is_long():
            self._roll.tell(self._routes)

    def _settle_when_due(self, now_us: int) -> Facts:
        if self._due_us is None or now_us < self._due_us:
            return ()
        due_us, self._due_us = self._due_us, None
        working = self._graph.working
        active = frozenset(number for number, on in enumerate(self._active) if on and working[number])
        account = self._roll.settle(self._routes, active, due_us, self._settings.ask_below)
        self._trust.rolled(account, self._roll.pulses)
        if account.probability >= _SURE_ENOUGH and not self._roll.after_gap:
            self._trust.compare(account, self._routes.odds, self._roll.pulses, active, due_us)
        self._heed()
        self.narrowed += self._roll.narrowed
        sure = account.probability * (0.5 if self._roll.after_gap else 1.0)
        silent = not (account.facts or account.missing or self._told_any)
        lying = self._lying_open()
        self._places = account.places
        self._new_roll(max(account.next_number, self._live.next_number))
        if silent:
            return ()
        return (
            RollSettled(
                at_us=due_us,
                facts=leaving_first(account.facts, lying),
                missing=account.missing,
                probability=sure,
                question=_with_all_told(account.question, lying),
            ),
        )

    def _lying_open(self) -> dict[int, str]:
        """Return balls that lay in an open slot when the roll began: the tile was lifted from under them."""
        graph, odds = self._graph, self._routes.odds
        slots = {ball: graph.slot_of(place) for ball, place in self._places.items()}
        return {
            ball: graph.slots[slot] for ball, slot in slots.items() if slot != NONE and odds.is_open(slot)
        }

    def _new_roll(self, next_number: int) -> None:
        self._live.restart(self._places, next_number)
        self._routes.crowd(Counter(self._graph.slot_of(place) for place in self._places.values()))
        self._ahead.again()
        on = [number for number, active in enumerate(self._active) if active]
        self._roll = PulseRecord(self._graph, self._places, next_number, on, leave_us=self._settings.leave_us)
        self._roll.through_gates(only=self._gated)
        self._told_any = False


def _with_all_told(question: Question | None, lying: Mapping[int, str]) -> Question | None:
    if question is None or not lying:
        return question
    answers = tuple(
        replace(
            answer,
            facts=leaving_first(answer.facts, lying),
            question=_with_all_told(answer.question, lying),
        )
        for answer in question.answers
    )
    return replace(question, answers=answers)

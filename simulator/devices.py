"""The simulated board's devices: the hal ports on top of a world instead of pins.

When the board is switched off they behave like real ones: sensors are silent and return no levels, lamps go
dark and stay dark until the next frame, the guard refuses coils.
"""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hextraction.board.escapement import FOR_EVER_MS, Conditions, try_gate
from hextraction.hal.mock import check_frame
from hextraction.hal.ports import Colour, Edge, OnEdge, OnPower
from hextraction.hal.supply import CoilSupply
from hextraction.simulator.world import World

__all__ = ["SimulatedClock", "SimulatedCoils", "SimulatedInputs", "SimulatedPixels", "SimulatedPower"]

_DARK: Final = (0, 0, 0)


class SimulatedClock:
    """The world's time; also the scheduler for it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._asked = 0

    def now_us(self) -> int:
        """Return simulated microseconds."""
        return self._world.now_us

    def call_at(self, at_us: int, callback: Callable[[], None]) -> None:
        """Call ``callback`` when the world is advanced to ``at_us``."""
        heapq.heappush(self._due, (at_us, self._asked, callback))
        self._asked += 1

    def close(self) -> None:
        """Forget all callbacks."""
        self._due.clear()

    @property
    def due_us(self) -> int | None:
        """When the next callback is due."""
        return self._due[0][0] if self._due else None

    def call_due(self) -> None:
        """Run the callbacks that are due."""
        while self._due and self._due[0][0] <= self._world.now_us:
            heapq.heappop(self._due)[2]()


class SimulatedInputs:
    """The sensors, as the controller hears them."""

    def __init__(self, levels: Mapping[str, bool], clock: SimulatedClock) -> None:
        self._clock = clock
        self._true = dict(levels)
        self._told = dict(levels)
        self._stuck: dict[str, bool] = {}
        self._powered = True
        self._on_edge: OnEdge | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The sensors' names, in the order of the instrument set."""
        return tuple(self._true)

    def listen(self, on_edge: OnEdge) -> None:
        """Call ``on_edge`` for each change from now on, during ``advance``."""
        self._on_edge = on_edge

    def levels(self) -> Mapping[str, bool]:
        """Return the level of every sensor; none while the board is off."""
        return dict(self._told) if self._powered else {}

    def close(self) -> None:
        """Stop notifying the listener."""
        self._on_edge = None

    def stick(self, name: str, level: bool | None) -> None:  # noqa: FBT001 - the level is the message
        """Make a sensor report ``level`` from now on, whatever it sees; ``None`` repairs it.

        Raises:
            KeyError: there is no such sensor.
        """
        true = self._true[name]
        if level is None:
            self._stuck.pop(name, None)
        else:
            self._stuck[name] = level
        self._tell(Edge(name, true if level is None else level, self._clock.now_us()))

    def deliver(self, edge: Edge) -> None:
        """Deliver a change from the world."""
        self._true[edge.sensor] = edge.active
        if edge.sensor not in self._stuck:
            self._tell(edge)

    def power(self, *, on: bool) -> None:
        """Go silent, or resume: then every sensor that changed meanwhile reports it."""
        self._powered = on
        for name, level in {**self._true, **self._stuck}.items():
            self._tell(Edge(name, level, self._clock.now_us()))

    def _tell(self, edge: Edge) -> None:
        if self._powered and self._told[edge.sensor] is not edge.active:
            self._told[edge.sensor] = edge.active
            if self._on_edge is not None:
                self._on_edge(edge)


class SimulatedPixels:
    """Lamps; :attr:`frame` is what they show."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._powered = True
        self._frame: tuple[Colour, ...] = (_DARK,) * count

    @property
    def count(self) -> int:
        """How many lamps there are."""
        return self._count

    @property
    def frame(self) -> tuple[Colour, ...]:
        """The colours shown now."""
        return self._frame

    def show(self, frame: Sequence[Colour]) -> None:
        """Show a whole frame; without power it is checked but not shown."""
        checked = check_frame(frame, self._count)
        if self._powered:
            self._frame = checked

    def close(self) -> None:
        """Turn all lamps off."""
        self._frame = (_DARK,) * self._count

    def power(self, *, on: bool) -> None:
        """Go dark with the board; come back dark."""
        self._powered = on
        self.close()


class SimulatedPower:
    """The board's switch, on at the start; operate it with :meth:`flip`."""

    def __init__(self, clock: SimulatedClock, changed: Callable[[bool], None]) -> None:
        self._clock = clock
        self._changed = changed
        self.supply = CoilSupply()
        self._on = True
        self._on_change: OnPower | None = None

    @property
    def on(self) -> bool:
        """Whether the board is switched on."""
        return self._on

    def flip(self, on: bool) -> None:  # noqa: FBT001 - flip(True) reads as it should
        """Switch the board on or off; no effect if it already is."""
        if on is self._on:
            return
        self._on = on
        if self._on_change is not None:
            self._on_change(on, self._clock.now_us())
        self._changed(on)

    def listen(self, on_change: OnPower) -> None:
        """Call ``on_change(on, at_us)`` when the switch is flipped."""
        self._on_change = on_change

    def close(self) -> None:
        """Stop notifying the listener."""
        self._on_change = None


class SimulatedCoils:
    """Raw coils for the guard: a gate lets a ball go as its mechanics do, a kicker knocks those on its slot.

    A gate releases its first ball when that has rolled past the lower fork, which takes about 80 ms of open
    gate at 15 degrees (:mod:`hextraction.board.escapement`); a shorter pulse releases nothing. ``volts``
    is what the coils' supply gives; a ramp always has ``queue`` balls waiting.
    """

    def __init__(self, world: World, *, volts: float = 12.0, queue: int = 3) -> None:
        self._world = world
        self._conditions = Conditions(tilt_deg=world.tilt_deg, volts=volts, balls=queue)
        self._opened: dict[str, _Opening] = {}
        self.on: set[str] = set()

    def energise(self, name: str) -> None:
        """Switch a coil on. A gate with a ball jammed below it releases none."""
        if name in self.on:
            return
        self.on.add(name)
        kind, _dot, place = name.partition(".")
        if kind == "kicker":
            self._world.kick(place)
            return
        opening = self._opened[name] = _Opening(place, self._world.now_us)
        self._plan(opening, FOR_EVER_MS)

    def release(self, name: str) -> None:
        """Switch a coil off. A ball that is not past its gate yet may still make it before the fork is up."""
        self.on.discard(name)
        opening = self._opened.pop(name, None)
        if opening is not None and not opening.done:
            opening.plan += 1
            self._plan(opening, (self._world.now_us - opening.began_us) / 1_000)

    def close(self) -> None:
        """Switch all coils off."""
        for name in tuple(self.on):
            self.release(name)

    def _plan(self, opening: "_Opening", pulse_ms: float) -> None:
        """Let the ball go when it passes, if the pulse stays as it is."""
        after_us = try_gate(pulse_ms, self._conditions).passed_us
        if after_us is not None:
            plan = opening.plan
            self._world.call_at(opening.began_us + after_us, lambda: self._passed(opening, plan))

    def _passed(self, opening: "_Opening", plan: int) -> None:
        if plan == opening.plan and not opening.done:
            opening.done = True
            if self._world.ramp_clear(opening.ramp):
                self._world.release(opening.ramp)


@dataclass(slots=True, eq=False)
class _Opening:
    """A gate that was opened; ``plan`` counts how often it became known how long for."""

    ramp: str
    began_us: int
    plan: int = 0
    done: bool = False

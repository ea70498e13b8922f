"""Mock devices: a manual clock, and the ports in plain memory.

They ship with the product: tests, examples and a table without electronics all use them. The manual clock is
also the scheduler, so that everything scheduled for later happens when somebody advances it.
"""

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from hextraction.hal.ina219 import Reading
from hextraction.hal.intake import Intake, OnFound, OnLost, SensorLine
from hextraction.hal.pixels import check_frame
from hextraction.hal.ports import Clock, Colour, OnEdge, OnPower
from hextraction.hal.supply import CoilSupply

__all__ = [
    "ManualClock",
    "MockInputs",
    "MockMeter",
    "MockPixels",
    "MockPower",
    "MockSolenoidDriver",
    "check_frame",
]

_FRAMES_KEPT = 1_000


class ManualClock:
    """A clock that stands still until it is advanced; also a :class:`~hextraction.hal.schedule.Scheduler`."""

    def __init__(self, now_us: int = 0) -> None:
        self._now_us = now_us
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._asked = 0

    def now_us(self) -> int:
        """Return the time that the clock was last advanced to."""
        return self._now_us

    def call_at(self, at_us: int, callback: Callable[[], None]) -> None:
        """Call ``callback`` during the :meth:`advance` that reaches ``at_us``."""
        heapq.heappush(self._due, (at_us, self._asked, callback))
        self._asked += 1

    def advance(self, by_us: int = 0) -> None:
        """Let ``by_us`` pass, stopping at each callback that falls due on the way, in order."""
        if by_us < 0:
            raise ValueError(f"time does not go backwards: {by_us} us")
        until_us = self._now_us + by_us
        while self._due and self._due[0][0] <= until_us:
            at_us, _asked, callback = heapq.heappop(self._due)
            self._now_us = max(self._now_us, at_us)
            callback()
        self._now_us = max(self._now_us, until_us)

    def close(self) -> None:
        """Forget all callbacks."""
        self._due.clear()


class MockInputs:
    """Sensors that are set by code. Without a debounce time :meth:`set` delivers the edge at once."""

    def __init__(
        self,
        names: Iterable[str],
        *,
        clock: ManualClock,
        debounce_us: int | Mapping[str, int] = 0,
        on_lost: OnLost | None = None,
        on_found: OnFound | None = None,
    ) -> None:
        self._clock = clock
        self._raw = dict.fromkeys(names, False)
        filters = dict.fromkeys(self._raw, debounce_us) if isinstance(debounce_us, int) else debounce_us
        lines = [SensorLine(name=name, debounce_us=filters[name]) for name in self._raw]
        self._intake = Intake(lines, clock=clock, scheduler=clock, on_lost=on_lost, on_found=on_found)

    @property
    def names(self) -> tuple[str, ...]:
        """The sensors' names, in the order given."""
        return self._intake.names

    def set(self, name: str, active: bool) -> None:  # noqa: FBT001 - reads as the sentence it is
        """Make the sensor see something, or nothing, from now on.

        Raises:
            KeyError: there is no such sensor.
        """
        if name not in self._raw:
            raise KeyError(name)
        self._raw[name] = active
        self._intake.post(name, active, self._clock.now_us())
        self._clock.advance()

    def lose(self, name: str) -> None:
        """Make the sensor stop answering until it is set again."""
        self._intake.lose(name, "unplugged")

    def resync(self) -> None:
        """Read every sensor again."""
        for name, active in self._raw.items():
            if name in self._intake.levels():
                self._intake.post(name, active, self._clock.now_us())
        self._clock.advance()

    def listen(self, on_edge: OnEdge) -> None:
        """Call ``on_edge`` for each change from now on."""
        self._intake.listen(on_edge)

    def levels(self) -> Mapping[str, bool]:
        """Return the debounced level of every sensor that is not lost."""
        return self._intake.levels()

    def close(self) -> None:
        """Stop delivering edges."""
        self._intake.close()


class MockPixels:
    """Lamps that keep the last thousand frames shown, oldest first, in :attr:`frames`."""

    def __init__(self, count: int) -> None:
        self._count = count
        self.frames: deque[tuple[Colour, ...]] = deque(maxlen=_FRAMES_KEPT)
        self.closed = False

    @property
    def count(self) -> int:
        """How many lamps there are."""
        return self._count

    def show(self, frame: Sequence[Colour]) -> None:
        """Record a frame; like every backend, raise ``ValueError`` if it is malformed."""
        self.frames.append(check_frame(frame, self._count))

    def close(self) -> None:
        """Record one final dark frame, the first time."""
        if not self.closed:
            self.closed = True
            self.frames.append(((0, 0, 0),) * self._count)


class MockSolenoidDriver:
    """Raw coils that record ``(at_us, name, on)`` for each change in :attr:`log`. For the guard only."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.log: list[tuple[int, str, bool]] = []
        self.on: set[str] = set()
        self.broken = False
        """While true, every call raises like an unplugged device."""
        self.closed = False

    def energise(self, name: str) -> None:
        """Switch one coil on."""
        self._write(name, on=True)

    def release(self, name: str) -> None:
        """Switch one coil off."""
        self._write(name, on=False)

    def close(self) -> None:
        """Close the outputs."""
        self.closed = True

    def _write(self, name: str, *, on: bool) -> None:
        if self.broken:
            raise OSError("unplugged")
        if (name in self.on) != on:
            self.log.append((self._clock.now_us(), name, on))
            (self.on.add if on else self.on.discard)(name)


class MockMeter:
    """A meter that reads what ``draws`` returns, the coils' current in mA, or raises its ``OSError``."""

    def __init__(self, draws: Callable[[], int], *, supply_mv: int = 12_000) -> None:
        self._draws = draws
        self.supply_mv = supply_mv

    def read(self) -> Reading:
        """Return the current now."""
        return Reading(current_ma=self._draws(), supply_mv=self.supply_mv)

    def close(self) -> None:
        """Do nothing."""


class MockPower:
    """A switch that is flipped by code; on at the start."""

    def __init__(self, clock: Clock, supply: CoilSupply | None = None) -> None:
        self.supply = supply or CoilSupply()
        self._clock = clock
        self._on = True
        self._on_change: OnPower | None = None

    @property
    def on(self) -> bool:
        """Whether the board is switched on."""
        return self._on

    def flip(self) -> None:
        """Flip the switch and tell the listener."""
        self._on = not self._on
        if self._on_change is not None:
            self._on_change(self._on, self._clock.now_us())

    def listen(self, on_change: OnPower) -> None:
        """Call ``on_change(on, at_us)`` when the switch is flipped."""
        self._on_change = on_change

    def close(self) -> None:
        """Stop notifying the listener."""
        self._on_change = None

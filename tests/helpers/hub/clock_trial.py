"""How wrong the times are that ``hal.hub`` gives to edges, on the emulated hub, where the truth is known.

The host has a clock of its own that runs off and away; frames take their time both ways, as over USB, and the
host looks at its port when it comes to it. All of it is drawn from a seed.
"""

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from helpers.hub.emulator import HubEmulator
from hextraction.hal.hub.backend import SensorHub
from hextraction.hal.hub.port import HubPort
from hextraction.hal.wiring.wires import HubInput, HubWire

__all__ = ["ClockTrial", "Stamp", "Way"]

BEAM = HubInput(name="beam", number=0, active_high=True, debounce_scans=2)
HEAD_START_US = 5_000_000_000
"""The host has been up for longer than the hub, and its clock is beyond 32 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How long a frame takes to the hub and back, and how long the host is busy with other things, us."""

    there_us: tuple[float, float] = (50, 1_000)
    back_us: tuple[float, float] = (50, 1_000)
    busy_us: tuple[float, float] = (100, 1_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """One edge in the host's time: what was told, when the firmware latched it, when the beam was broken."""

    told_us: float
    latched_us: float
    happened_us: float
    claimed_us: int
    """By how much the hub said that its stamps may be wrong."""

    @property
    def clock_error_us(self) -> float:
        """What the translation from the hub's time to the host's adds."""
        return self.told_us - self.latched_us

    @property
    def error_us(self) -> float:
        """How long after the true moment the stamp is, with the wait for the next scan."""
        return self.told_us - self.happened_us


class HostClock:
    """The host's clock beside the emulated time: ahead of it, and faster by ``ppm``."""

    def __init__(self, hub: HubEmulator, ppm: float) -> None:
        self._hub, self._rate = hub, 1 + ppm / 1e6

    def at(self, total_us: float) -> float:
        """Return what it shows at an emulated time."""
        return HEAD_START_US + total_us * self._rate

    def now_us(self) -> int:
        """Return what it shows now."""
        return int(self.at(self._hub.total_us))


class UsbPort(HubPort):
    """The emulated hub's port, with the time that frames take."""

    def __init__(self, hub: HubEmulator, way: Way, rng: random.Random) -> None:
        self._hub, self._way, self._rng = hub, way, rng
        self._coming: deque[tuple[float, bytes]] = deque()
        self._sent_us = self._back_us = 0.0
        hub.cdc.on_serial_data = self._said

    def read(self) -> bytes:
        """Return what has arrived by now."""
        found = b""
        while self._coming and self._coming[0][0] <= self._hub.total_us:
            found += self._coming.popleft()[1]
        return found

    def write(self, data: bytes) -> None:
        """Send; it arrives later, and in order."""
        self._sent_us = max(self._sent_us, self._hub.total_us + self._rng.uniform(*self._way.there_us))
        self._hub.after_us(self._sent_us - self._hub.total_us, partial(self._hub.send, data))

    def close(self) -> None:
        """Let go."""

    def _said(self, data: bytes) -> None:
        self._back_us = max(self._back_us, self._hub.total_us + self._rng.uniform(*self._way.back_us))
        self._coming.append((self._back_us, bytes(data)))


class ClockTrial:
    """A host whose crystal is off by ``ppm`` listens to an emulated hub for a while."""

    def __init__(self, *, ppm: float, seed: int, way: Way | None = None) -> None:
        self._rng, self._way = random.Random(seed), way or Way()
        self.emulator = HubEmulator()
        self.emulator.plug_in()
        self._clock = HostClock(self.emulator, ppm)
        port = UsbPort(self.emulator, self._way, self._rng)
        self.hub = SensorHub(
            HubWire(port="auto", chips=1, multiplexers=0, inputs=(BEAM,)),
            clock=self._clock,
            open_port=lambda: port,
        )
        self._told: list[int] = []
        self.hub.on_sample = lambda _sensor, _active, at_us: self._told.append(at_us)
        self._live_until(lambda: self.hub.ready)
        self._told.clear()

    def stamps(self, edges: int, *, every_us: float = 30_000) -> list[Stamp]:
        """Break or free the beam that often, at moments that no scan knows, and return what was told of it."""
        found = []
        for number in range(edges):
            until_us = self.emulator.total_us + self._rng.uniform(0.8, 1.2) * every_us
            self._live_until(lambda until_us=until_us: self.emulator.total_us >= until_us)
            happened_us = self.emulator.total_us + self._rng.uniform(0, 500)
            change = partial(self.emulator.set_input, BEAM.number, number % 2 == 0)
            self.emulator.after_us(happened_us - self.emulator.total_us, change)
            self._live_until(lambda: bool(self._told))
            found.append(self._stamp(happened_us))
        return found

    def _stamp(self, happened_us: float) -> Stamp:
        (told_us,) = self._told
        self._told.clear()
        latched_us = next(at_us for at_us in self.emulator.scans_us if at_us >= happened_us)
        claimed_us = self.hub.clock_error_us
        assert claimed_us is not None
        return Stamp(
            told_us=told_us,
            latched_us=self._clock.at(latched_us),
            happened_us=self._clock.at(happened_us),
            claimed_us=claimed_us,
        )

    def _live_until(self, holds: Callable[[], bool], *, limit_us: float = 500_000) -> None:
        until_us = self.emulator.total_us + limit_us
        while not holds():
            assert self.emulator.total_us < until_us, "the emulated hub says nothing"
            self.emulator.run_us(self._rng.uniform(*self._way.busy_us))
            self.hub.poll()

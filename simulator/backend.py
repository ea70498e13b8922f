"""The simulated board as a backend of the hal ports: the controller cannot tell it from a real one.

Time passes only in :meth:`SimulatedBoard.advance`. It stops at every moment at which there is something to
report or to switch off, and a listener that reacts at once reacts at that moment, so the steps in which time
advances make no difference to it either.
"""

from collections.abc import Iterable
from typing import Final

from hextraction.board.design import load_design
from hextraction.board.instruments import coils, lamps, middle_slots
from hextraction.board.profile import Board
from hextraction.hal.coil_watch import CoilCurrents, CoilWatch
from hextraction.hal.guard import SolenoidGuard
from hextraction.hal.ina219 import Reading
from hextraction.hal.lost import LostDevices
from hextraction.hal.wiring.coil_limits import CoilLimits
from hextraction.simulator.devices import (
    SimulatedClock,
    SimulatedCoils,
    SimulatedInputs,
    SimulatedPixels,
    SimulatedPower,
)
from hextraction.simulator.noise import Noise, NoisySensors
from hextraction.simulator.sensors import Sensors
from hextraction.simulator.world import World

__all__ = ["SimulatedBoard", "SimulatedCircuit"]

# --- The coils' supply: 12 V through an emergency stop and a meter, to coils of 1 A ---

_COIL_MA: Final = 1_000
_MOST_MA: Final = 2_500
_SUPPLY_MV: Final = 12_000


class SimulatedCircuit:
    """The coil current, as a :class:`~hextraction.hal.ina219.Meter` reads it.

    Attributes:
        unplugged: coils that draw nothing.
        leak_ma: current that flows past all coils while the supply is there: a stuck transistor.
        pressed: whether the emergency stop is pressed.
    """

    def __init__(self, coils: SimulatedCoils) -> None:
        self._coils = coils
        self.unplugged: set[str] = set()
        self.leak_ma = 0
        self.pressed = False

    def currents(self, names: Iterable[str]) -> CoilCurrents:
        """Return the expected currents."""
        return CoilCurrents(coils_ma=dict.fromkeys(names, _COIL_MA), max_ma=_MOST_MA, supply_mv=_SUPPLY_MV)

    def read(self) -> Reading:
        """Return the current now."""
        if self.pressed:
            return Reading(current_ma=0, supply_mv=0)
        drawn_ma = _COIL_MA * len(self._coils.on - self.unplugged)
        return Reading(current_ma=drawn_ma + self.leak_ma, supply_mv=_SUPPLY_MV)

    def close(self) -> None:
        """Do nothing."""


# --- The board ---


class SimulatedBoard:
    """A simulated board, with every port of a real one.

    ``which`` is the instrument set, unless ``sensors`` names all that a build has, with buttons; ``pixels``
    is how many a build has. ``kickers`` are the slots that have one, by default the two in the middle of the
    board. ``variant`` names another physics and kind of noise, if no ``world`` is passed in. A gate
    always has a ball to release. With ``measured`` a meter watches what the coils draw from :attr:`circuit`,
    and :attr:`lost` has its findings. Close the board when done: until then the guard stays alive.
    """

    def __init__(
        self,
        board: Board,
        *,
        which: str = "rich",
        seed: int = 0,
        noise: Noise | None = None,
        world: World | None = None,
        kickers: tuple[str, ...] | None = None,
        variant: str = "standard",
        measured: bool = False,
        sensors: Iterable[str] | None = None,
        pixels: int | None = None,
    ) -> None:
        self.world = World(board, seed=seed, variant=variant) if world is None else world
        self.clock = SimulatedClock(self.world)
        self._sensors = Sensors(board, which) if sensors is None else Sensors(board, None, sensors)
        if noise is not None:
            noise = self.world.variant.noise(noise)
        self._noisy = None if noise is None else NoisySensors(noise, self._sensors.levels, seed)
        levels = self._sensors.levels if self._noisy is None else self._noisy.levels
        self.inputs = SimulatedInputs(levels, self.clock)
        usual = sum(count for _name, count in lamps(board))
        self.pixels = SimulatedPixels(usual if pixels is None else pixels)
        self.power = SimulatedPower(self.clock, self._switched)
        names = coils(board, middle_slots(board) if kickers is None else kickers)
        driver = SimulatedCoils(self.world)
        self.solenoids = SolenoidGuard(
            driver,
            {name: _limits(name) for name in names},
            usual_ms={name: load_design().gate.coil.pulse_ms for name in names if name.startswith("gate.")},
            clock=self.clock,
            scheduler=self.clock,
            supply_on=lambda: self.power.on and self.power.supply.may_arm,
        )
        self.lost, self.circuit = LostDevices(), SimulatedCircuit(driver)
        if measured:
            self._watch_coils()

    def _watch_coils(self) -> None:
        guard, clock, lost = self.solenoids, self.clock, self.lost
        watch = CoilWatch(
            self.circuit,
            self.power.supply,
            self.circuit.currents(guard.names),
            firing=lambda: guard.firing,
            condemn=guard.condemn,
            clock=clock,
            scheduler=clock,
            on_lost=lost.report,
            on_found=lost.found,
        )
        guard.on_pulse = watch.pulsed

    def advance(self, to_us: int) -> None:
        """Let time pass until ``to_us``, notifying the listener of sensor edges on the way.

        Raises:
            ValueError: that is in the past.
        """
        news = True
        while news or self.world.now_us < to_us:
            news = self.world.advance_to_news(self._stop_us(to_us))
            self._deliver()
            self.clock.call_due()

    def close(self) -> None:
        """Switch everything off and close. May be called twice."""
        self.solenoids.close()
        self.clock.close()
        for device in (self.inputs, self.pixels, self.power):
            device.close()

    def _stop_us(self, to_us: int) -> int:
        """Return when to stop at the latest: at the end, or where something is due on the way."""
        noise_us = None if self._noisy is None else self._noisy.due_us
        times = [at_us for at_us in (self.clock.due_us, noise_us) if at_us is not None]
        return max(self.world.now_us, min([to_us, *times])) if times else to_us

    def _deliver(self) -> None:
        covers = self.world.covers()
        if self._noisy is None:
            if covers:
                for edge in self._sensors.hear(covers):
                    self.inputs.deliver(edge)
            return
        for edge in self._sensors.hear(covers):
            self._noisy.take(edge)
        for edge in self._noisy.due(self.world.now_us):
            self.inputs.deliver(edge)

    def _switched(self, on: bool) -> None:  # noqa: FBT001 - a callback
        self.inputs.power(on=on)
        self.pixels.power(on=on)
        if not on:
            self.solenoids.off()


def _limits(name: str) -> CoilLimits:
    """Return the limits that the shipped wiring files give to a gate or a kicker."""
    if name.startswith("gate."):
        return CoilLimits(max_pulse_ms=load_design().gate.coil.max_pulse_ms)
    return CoilLimits()

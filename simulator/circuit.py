"""The coils' supply of a simulated board: 12 V through an emergency stop and a meter, to coils of 1 A."""

from collections.abc import Iterable
from typing import Final

from hextraction.hal.coil_watch import CoilCurrents
from hextraction.hal.ina219 import Reading
from hextraction.simulator.devices import SimulatedCoils

__all__ = ["SimulatedCircuit"]

_COIL_MA: Final = 1_000
_MOST_MA: Final = 2_500
_SUPPLY_MV: Final = 12_000


class SimulatedCircuit:
    """What flows, as a :class:`~hextraction.hal.ina219.Meter` says it.

    Attributes:
        unplugged: coils that draw nothing.
        leak_ma: what flows past all coils as long as the supply is there: a transistor that is stuck.
        pressed: whether the emergency stop is pressed.
    """

    def __init__(self, coils: SimulatedCoils) -> None:
        self._coils = coils
        self.unplugged: set[str] = set()
        self.leak_ma = 0
        self.pressed = False

    def currents(self, names: Iterable[str]) -> CoilCurrents:
        """Return what is right in it."""
        return CoilCurrents(coils_ma=dict.fromkeys(names, _COIL_MA), max_ma=_MOST_MA, supply_mv=_SUPPLY_MV)

    def read(self) -> Reading:
        """Return what flows now."""
        if self.pressed:
            return Reading(current_ma=0, supply_mv=0)
        drawn_ma = _COIL_MA * len(self._coils.on - self.unplugged)
        return Reading(current_ma=drawn_ma + self.leak_ma, supply_mv=_SUPPLY_MV)

    def close(self) -> None:
        """Have nothing to let go of."""

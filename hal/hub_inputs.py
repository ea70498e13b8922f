"""The hub's sensors as :class:`~hextraction.hal.ports.Inputs`. Polarity and filters are the hub's own."""

from typing import Final

from hextraction.hal.hub import SensorHub
from hextraction.hal.intake import HOLD_BACK_US, FedInputs, Intake, OnFound, OnLost, SensorLine
from hextraction.hal.ports import Clock
from hextraction.hal.schedule import Scheduler
from hextraction.hal.wires import BUTTON, HubWire

__all__ = ["HubInputs", "hub_latency_us"]

_SCAN_US: Final = 500
_ROUND_US: Final = 1_000
_TRAVEL_US: Final = 2_000
"""From a scan to the listener: the hub's loop, USB, and our thread."""


def hub_latency_us(wire: HubWire) -> int:
    """Return how late an edge may come after its stamp: the slowest quick filter, and the way here."""
    filters = [each.debounce_scans * _SCAN_US for each in wire.inputs]
    filters += [each.debounce_ms * _ROUND_US for each in wire.linears]
    quick = [each for each in filters if each <= HOLD_BACK_US]
    return max(quick, default=0) + _TRAVEL_US


class HubInputs(FedInputs):
    """All sensors of one hub, which is closed by whoever opened it."""

    def __init__(
        self,
        hub: SensorHub,
        *,
        clock: Clock,
        scheduler: Scheduler,
        ordered: bool = True,
        on_lost: OnLost | None = None,
        on_found: OnFound | None = None,
    ) -> None:
        names = [*(wire.name for wire in hub.wire.inputs), *(wire.name for wire in hub.wire.linears)]
        buttons = {wire.name for wire in hub.wire.inputs if wire.part == BUTTON}
        self._intake = Intake(
            [SensorLine(name=name, answers=False, apart=name in buttons) for name in names],
            clock=clock,
            scheduler=scheduler,
            latency_us=hub_latency_us(hub.wire),
            ordered=ordered,
            on_lost=on_lost,
            on_found=on_found,
        )
        self._hub = hub
        hub.on_sample, hub.on_away = self._intake.post, self._away

    def resync(self) -> None:
        """Ask for all levels again; a change that was missed is reported as an edge."""
        self._hub.resync()

    def _away(self, reason: str) -> None:
        for name in self._intake.names:
            self._intake.lose(name, f"the sensor hub is away: {reason}")

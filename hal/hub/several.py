"""The coils of several hubs of one table, as those of one device: armed together, disarmed together.

A module of its own because it knows hubs only as wholes, and they nothing of each other. Each hub feeds the
charge pump of its own coils, and stops by itself when the e-stop is pressed, its scan stalls, or nobody talks
to it. Rules:

1. A hub that disarms by itself disarms all: none is armed again before every one that is there has disarmed.
2. A hub that is away has lost its own coils, and no others. The e-stop's wire goes to every hub with coils.
3. One coil at a time, whichever hub it is on: the guard asks whether any of them may still be on.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from hextraction.hal.hub.backend import SensorHub
from hextraction.hal.supply import CoilSupply

__all__ = ["HubCoils"]

_log = logging.getLogger(__name__)


class HubCoils:
    """The coils of ``hubs``, for one guard. Thread-safe, as the hubs are; see the rules of this room."""

    def __init__(self, hubs: Sequence[SensorHub]) -> None:
        self._with_coils: Final = tuple(hub for hub in hubs if hub.coils)
        self._hub_of = {name: hub for hub in self._with_coils for name in hub.coils}
        self._lock = threading.Lock()
        self._is_dropping = False

    def begin(self, armed: Callable[[], bool], supply: CoilSupply) -> None:
        """Let ``armed`` decide whether coils may be armed, and tell the supply what each hub sees of it.

        What one of several said last counts no more once it is away: the e-stop's wire goes to the others.
        """
        for hub in self._with_coils:
            hub.armed = lambda: self._may_arm() and armed()
            hub.on_estop = partial(_seen, supply, hub)
            hub.on_disarmed = partial(self._drop, hub)
            if len(self._with_coils) > 1:
                hub.on_gone = partial(_seen, supply, hub, None)

    @property
    def coils(self) -> tuple[str, ...]:
        """The names of all coils, hub by hub."""
        return tuple(self._hub_of)

    @property
    def is_on(self) -> bool:
        """Whether a coil of any hub may be on, or may still switch on."""
        return any(hub.is_on for hub in self._with_coils)

    def coil_ready(self, name: str) -> bool:
        """Whether a pulse of this coil would be fired now: its hub is armed, and so are all the others."""
        if self._is_dropping:
            return False
        others_armed = all(hub.coils_ready for hub in self._with_coils if hub.ready)
        return others_armed and self._hub_of[name].coils_ready

    def fire(self, name: str, pulse_us: int) -> bool:
        """Request a pulse; false if it will not happen."""
        return self.coil_ready(name) and self._hub_of[name].fire(name, pulse_us)

    def stop(self) -> None:
        """End a pulse early, on whichever hub it is."""
        for hub in self._with_coils:
            hub.stop()

    def _drop(self, hub: SensorHub, reason: str) -> None:
        """Disarm them all: one of them has disarmed by itself, and may know why."""
        with self._lock:
            if not self._is_dropping and len(self._with_coils) > 1:
                _log.warning("%s has disarmed its coils, so all are disarmed: %s", hub.wire.title, reason)
                self._is_dropping = True

    def _may_arm(self) -> bool:
        with self._lock:
            if self._is_dropping:
                self._is_dropping = any(hub.coils_armed for hub in self._with_coils)
            return not self._is_dropping


def _seen(supply: CoilSupply, hub: SensorHub, good: bool | None) -> None:  # noqa: FBT001 - what a hub sees
    supply.seen(hub.wire.title, good=good)

"""The state of the coils' supply, as far as it is measured: the e-stop's latch, the current, and the fault.

Measurements arrive through :meth:`CoilSupply.seen`, :meth:`~CoilSupply.measured` and
:meth:`~CoilSupply.failed`. When a supply returns after somebody pressed the emergency stop or pulled a plug,
coils are not re-armed automatically: a hand may still be in the board. A person has to confirm that none is.
"""

import logging
import threading
from dataclasses import replace

from hextraction.hal.ports import OnSupply, SupplyState

__all__ = ["CoilSupply"]

_log = logging.getLogger(__name__)


class CoilSupply:
    """The state of one supply. Implements :class:`~hextraction.hal.ports.Supply`. Safe from any thread."""

    def __init__(self) -> None:
        self._state = SupplyState()
        self._said: dict[str, bool] = {}
        self._on_change: OnSupply | None = None
        self._lock = threading.RLock()

    @property
    def state(self) -> SupplyState:
        """Its state now."""
        return self._state

    @property
    def may_arm(self) -> bool:
        """Whether coils may be armed, as far as the supply goes."""
        state = self._state
        return not state.waits and not state.fault

    def listen(self, on_change: OnSupply) -> None:
        """Call ``on_change(state)`` when anything but the current changes, on the reporting thread."""
        self._on_change = on_change

    def seen(self, by: str, *, good: bool | None) -> None:
        """Record what a sense line or meter sees: supply there, supply gone, or (``None``) unknown.

        The supply counts as there unless something reports it gone.
        """
        with self._lock:
            if good is None:
                self._said.pop(by, None)
            else:
                self._said[by] = good
            together = all(self._said.values()) if self._said else None
            waits = self._state.waits or together is False
            self._become(replace(self._state, good=together, waits=waits))

    def measured(self, current_ma: int | None) -> None:
        """Record the current that the coils draw."""
        with self._lock:
            self._become(replace(self._state, current_ma=current_ma))

    def failed(self, reason: str) -> None:
        """Record the reason why coils stay off until the next start; the first one counts."""
        with self._lock:
            self._become(replace(self._state, fault=self._state.fault or reason))

    def hold(self) -> None:
        """Arm no coil until a person has confirmed, whatever the supply does."""
        with self._lock:
            self._become(replace(self._state, waits=True))

    def confirm(self) -> bool:
        """Record that a person says all hands are clear; false while the supply is not there."""
        with self._lock:
            if self._state.good is False:
                return False
            if self._state.waits:
                _log.info("the coils may be armed again: a person confirmed that all hands are clear")
            self._become(replace(self._state, waits=False))
        return True

    def _become(self, state: SupplyState) -> None:
        before, self._state = self._state, state
        if before.good is not state.good and state.good is not None:
            _log.info("the coils' supply is %s", "there" if state.good else "gone, or the e-stop is pressed")
        if replace(before, current_ma=state.current_ma) != state and self._on_change is not None:
            self._on_change(state)

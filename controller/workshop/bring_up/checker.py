"""Connects a walk through a board to its devices, and people's words and sensor edges to the walk."""

import logging
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from hextraction.controller.payloads.health import CheckView
from hextraction.controller.workshop.bring_up.report import check_view
from hextraction.controller.workshop.bring_up.walk import (
    Deed,
    FireCoil,
    GoDark,
    LightLamp,
    Outcome,
    Walk,
    advance,
    heard,
    not_fired,
    said,
)
from hextraction.hal.ports import Clock, Colour, Edge, Inputs, Pixels, Power, Solenoids

__all__ = ["Checked", "Checker"]

_log = logging.getLogger(__name__)
_TURN_US: Final = 700_000
_COLOURS: Final[tuple[Colour, ...]] = ((90, 0, 0), (0, 90, 0), (0, 0, 90))
_DARK: Final[Colour] = (0, 0, 0)


class Checked(Protocol):
    """The devices of a board, real or simulated."""

    @property
    def inputs(self) -> Inputs: ...  # noqa: D102
    @property
    def pixels(self) -> Pixels: ...  # noqa: D102
    @property
    def solenoids(self) -> Solenoids: ...  # noqa: D102
    @property
    def power(self) -> Power: ...  # noqa: D102
    @property
    def clock(self) -> Clock: ...  # noqa: D102


class Checker:
    """One walk with its devices. ``show`` is called with whatever changed for the onlookers.

    ``judge`` says at the end what is likely wrong, line by line.

    Attributes:
        walk: the current state of the walk.
        lit: the lamp that is lit now.
    """

    def __init__(
        self,
        devices: Checked,
        lamps: Mapping[str, range],
        start: Outcome,
        *,
        title: str,
        show: Callable[[CheckView], None],
        judge: Callable[[Walk], tuple[str, ...]] = lambda _walk: (),
    ) -> None:
        self._devices, self._lamps, self._title, self._show = devices, lamps, title, show
        self._judge = judge
        self._shown: CheckView | None = None
        self._frame: tuple[Colour, ...] = ()
        self.lit: str | None = None
        self.walk: Walk = start.walk
        self._take(start)

    def edge(self, edge: Edge) -> None:
        """Handle a sensor change."""
        self._take(heard(self.walk, edge.sensor, edge.active, edge.at_us))

    def say(self, word: str) -> None:
        """Handle a word from a person."""
        self._take(said(self.walk, word, self._devices.clock.now_us()))

    def tick(self) -> None:
        """Let time pass; call this about twenty times a second."""
        self._take(advance(self.walk, self._devices.clock.now_us()))
        self._paint()

    def _take(self, outcome: Outcome) -> None:
        self.walk = outcome.walk
        for deed in outcome.deeds:
            self._do(deed)
        view = check_view(self.walk, self._title, self._judge(self.walk) if self.walk.over else ())
        if view != self._shown:
            self._shown = view
            self._show(view)

    def _do(self, deed: Deed) -> None:
        if isinstance(deed, LightLamp):
            self.lit = deed.lamp
        elif isinstance(deed, GoDark):
            self.lit = None
        elif isinstance(deed, FireCoil):
            result = self._devices.solenoids.pulse(deed.coil)
            if not result.fired:
                _log.warning("coil %s: %s", deed.coil, result.value)
                self.walk = not_fired(self.walk, result.value.removeprefix("refused: "))
        self._paint()

    def _paint(self) -> None:
        """Show the next colour on the lamp under test."""
        count = self._devices.pixels.count
        colour = _COLOURS[self._devices.clock.now_us() // _TURN_US % len(_COLOURS)]
        lit = self._lamps.get(self.lit or "", range(0))
        frame = tuple(colour if pixel in lit else _DARK for pixel in range(count))
        if frame != self._frame:
            self._frame = frame
            self._devices.pixels.show(frame)

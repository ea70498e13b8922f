"""Raw values of linear Halls from the sensor hub: first with no ball, then with a ball laid on each."""

import struct
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol

from hextraction.controller.calibration_raw import Excursion, RawRecord, take_values
from hextraction.hal.clock import MonotonicClock
from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.wiring.wires import HubLinear, Wiring

__all__ = ["Asks", "read_values", "record_raw", "watch"]

_MOST: Final = 60
"""So many values fit into one answer of the hub."""


class Asks(Protocol):
    """Whoever can ask the hub."""

    def ask(self, letter: str, body: bytes, answer: str) -> bytes | None:
        """Ask, and return the answer's body; ``None``: there was none."""
        ...


def record_raw(wiring: Wiring, *, quiet_s: float = 5.0, each_s: float = 4.0) -> RawRecord:
    """Ask the hub of a wiring, and people to clear the board and to lay balls on it.

    It watches for ``quiet_s`` without balls, and then for ``each_s`` for each Hall.

    Raises:
        BackendUnavailable: the wiring has no linear Halls, or the hub does not serve.
    """
    from hextraction.hal.hub.backend import SensorHub  # noqa: PLC0415 - pyserial

    wire = wiring.hub
    if wire is None or not wire.linears:
        raise BackendUnavailable(
            f"{wiring.source}: want a [hub] with sensors that say linear = …, found none"
        )
    hub = SensorHub(wire, clock=MonotonicClock())
    try:
        hub.start()
        if not hub.ready:
            raise BackendUnavailable(
                "the sensor hub does not answer: is it plugged in? see hextraction doctor"
            )
        input("Take all balls off the board, then press Enter. ")
        hub.ask("Z", struct.pack("<BB", 0, 128), "z")
        time.sleep(0.2)
        quiet = watch(hub, wire.linears, _until(quiet_s))
        input(f"Now lay a ball on each of {len(wire.linears)} Halls in turn, a second each; Enter starts. ")
        ball = watch(hub, wire.linears, _until(each_s * len(wire.linears)))
    finally:
        hub.close()
    return RawRecord(quiet=quiet, ball=ball)


def _until(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end


def watch(hub: Asks, linears: Sequence[HubLinear], goes_on: Callable[[], bool]) -> dict[str, Excursion]:
    """Return how far each value went from its baseline for as long as ``goes_on`` says."""
    found: dict[str, Excursion] = {}
    while goes_on():
        found = take_values(found, read_values(hub, linears))
    return found


def read_values(hub: Asks, linears: Sequence[HubLinear]) -> Iterator[tuple[str, int, int]]:
    """Return (name, newest value, baseline) of each, as far as the hub answers."""
    names = {each.number: each.name for each in linears}
    for first in range(0, max(names, default=-1) + 1, _MOST):
        count = min(_MOST, max(names) + 1 - first)
        body = hub.ask("R", struct.pack("<BB", first, count), "r")
        if body is None or len(body) != 6 + 4 * count:
            continue
        for offset, (value, baseline) in enumerate(struct.iter_unpack("<HH", body[6:])):
            if first + offset in names:
                yield names[first + offset], value, baseline

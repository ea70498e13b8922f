"""What a hub reads of every place it has while nobody touches the board: a look before anything is tried.

A table configures only the places that its wiring uses, and sees nothing while the chain is open. This look
watches all of them, with coils switched off and without the chain's mark, and then puts the wiring's own
configuration back.
"""

import logging
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from hextraction.hal.hub.configuration import Configuration
from hextraction.hal.hub.port import HubPort, open_serial
from hextraction.hal.hub.question import HubQuestion
from hextraction.hal.hub.words import LINEAR, MAJOR, Snapshot, read_edges
from hextraction.hal.wiring.wires import HubInput, HubLinear, HubWire

__all__ = ["HubLook", "look_at_hub", "look_at_hubs"]

_log = logging.getLogger(__name__)
_ON_A_CHIP: Final = 8
_ON_A_MULTIPLEXER: Final = 16
_MV_PER_COUNT: Final = 3_300 / 4_096
_MOST_RAW: Final = 60
_SETTLE_S: Final = 0.15
"""For the chain to be judged, and for baselines to be found."""
_WATCH_S: Final = 0.5
_QUICK, _SLOW = 1, 15


@dataclass(frozen=True, slots=True, kw_only=True)
class HubLook:
    """Electrical levels of a hub's places at rest.

    ``high`` are inputs whose level is high, ``restless`` those that changed while nobody touched anything.
    ``millivolts`` are those of each linear channel. ``chain_open``: what is sent to the far end of the shift
    registers does not come back; then inputs behind the break all read alike.
    """

    chain_open: bool
    estop_good: bool
    high: frozenset[int]
    restless: frozenset[int]
    millivolts: dict[int, float]


def look_at_hub(hub: HubQuestion, wire: HubWire) -> HubLook | None:
    """Look at a hub that nobody else is using; it takes about a second.

    Returns ``None`` if it does not answer as our hub, or takes no configuration.

    Raises:
        OSError: the port is gone.
    """
    greeting = hub.greet()
    own = Configuration(wire)
    if greeting is None or greeting.major != MAJOR or not hub.configure(own.parts):
        return None
    _pass(hub, _SETTLE_S)
    state = hub.state()
    if state is None or not hub.configure(Configuration(_watched(wire)).parts):
        return None
    _pass(hub, _SETTLE_S)
    body = hub.ask("Q", b"", "s")
    snapshot = None if body is None else Snapshot.read(body)
    restless = frozenset(_changes(hub))
    millivolts = dict(_millivolts(hub, wire.multiplexers * _ON_A_MULTIPLEXER))
    hub.configure(own.parts)
    if snapshot is None:
        return None
    return HubLook(
        chain_open=state.flags.chain_open,
        estop_good=state.flags.estop_good,
        high=frozenset(number for number in snapshot.active if number < LINEAR),
        restless=restless,
        millivolts=millivolts,
    )


def look_at_hubs(
    hubs: Iterable[HubWire], open_port: Callable[[str], HubPort] = open_serial
) -> dict[str, HubLook]:
    """Return a look at each hub, by name; without those that are away, busy or do not answer."""
    looks: dict[str, HubLook] = {}
    for wire in hubs:
        try:
            with HubQuestion(open_port(wire.port)) as hub:
                look = look_at_hub(hub, wire)
        except OSError as error:
            _log.info("%s cannot be looked at: %s", wire.title, error)
            continue
        if look is not None:
            looks[wire.name] = look
    return looks


def _watched(wire: HubWire) -> HubWire:
    """Return a wiring of the same hub that watches every place as it is, and drives nothing."""
    return HubWire(
        port=wire.port,
        chips=wire.chips,
        multiplexers=wire.multiplexers,
        inputs=tuple(
            HubInput(name="", number=number, active_high=True, debounce_scans=_QUICK)
            for number in range(wire.chips * _ON_A_CHIP)
        ),
        linears=tuple(
            HubLinear(
                name="", number=number, side="either", threshold_mv=1_650, hysteresis_mv=0, debounce_ms=_SLOW
            )
            for number in range(wire.multiplexers * _ON_A_MULTIPLEXER)
        ),
    )


def _pass(hub: HubQuestion, for_s: float) -> None:
    for _frame in hub.listen(for_s):
        pass


def _changes(hub: HubQuestion) -> Iterator[int]:
    for frame in hub.listen(_WATCH_S):
        if frame.type == "e":
            yield from (edge.number for edge in read_edges(frame.body) if edge.number < LINEAR)


def _millivolts(hub: HubQuestion, many: int) -> Iterator[tuple[int, float]]:
    for first in range(0, many, _MOST_RAW):
        count = min(_MOST_RAW, many - first)
        body = hub.ask("R", struct.pack("<BB", first, count), "r")
        if body is not None and len(body) == 6 + 4 * count:
            for offset, (value, _baseline) in enumerate(struct.iter_unpack("<HH", body[6:])):
                yield first + offset, value * _MV_PER_COUNT

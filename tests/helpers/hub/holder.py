"""A program that keeps coils of a hub busy through ``hal.hub``, until it is stopped: ``hub_holder.py PORT``.

Its clock goes eight times slower than the wall's, so that its pings suit an emulated hub, which is slow.
"""

import sys
import time

from hextraction.hal.hub.backend import SensorHub
from hextraction.hal.wiring.coil_limits import CoilLimits
from hextraction.hal.wiring.wires import HubCoil, HubWire

__all__ = ["COILS", "PULSE_US", "SLOWER"]

COILS = tuple(
    HubCoil(name=f"coil.{number}", number=number, pulse_ms=50, limits=CoilLimits()) for number in range(8)
)
PULSE_US = 50_000
SLOWER = 8


class SlowClock:
    """The host's time as an emulated hub may take it."""

    def now_us(self) -> int:
        """Return microseconds since some moment."""
        return time.monotonic_ns() // 1_000 // SLOWER


def main() -> None:
    """Fire one coil after another, as soon as each has ended."""
    hub = SensorHub(HubWire(port=sys.argv[1], chips=0, multiplexers=0, coils=COILS), clock=SlowClock())
    hub.armed = lambda: True
    hub.start()
    turn = 0
    while True:
        turn += hub.coils_ready and not hub.is_on and hub.fire(COILS[turn % len(COILS)].name, PULSE_US)
        time.sleep(0.002)


if __name__ == "__main__":
    main()

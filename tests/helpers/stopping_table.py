"""``hextraction`` with mock pins that write down each change: ``python stopping_table.py LOG COMMAND …``.

A thread fires the gate again and again, as the busiest game would, so that a signal can come in mid-pulse.
"""

import os
import sys
import threading
import time

from gpiozero.pins.mock import MockFactory, MockPin
from hextraction.controller.app import main
from hextraction.hal.opening import factory

log = os.open(sys.argv.pop(1), os.O_WRONLY | os.O_APPEND)
moved = threading.Event()
open_devices = factory.open_devices


class NotedPin(MockPin):
    """A pin that writes down each change as an output: its number, its level and when."""

    def _change_state(self, value):
        changed = super()._change_state(value)
        if changed and self.function == "output":
            moved.set()
            os.write(log, f"{self.info.name} {int(value)} {time.monotonic_ns()}\n".encode())
        return changed


def fire(devices):
    """Ask for more than the guard allows, until the process ends."""
    while True:
        moved.clear()
        devices.solenoids.pulse("gate.L1", 50)
        moved.wait(0.02)


def opened(*arguments, **options):
    """Open the build, with somebody at the gate."""
    devices = open_devices(*arguments, pin_factory=MockFactory(pin_class=NotedPin), **options)
    threading.Thread(target=fire, args=(devices,), daemon=True).start()
    return devices


factory.open_devices = opened
sys.exit(main())

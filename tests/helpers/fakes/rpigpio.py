"""A recorded fake of the module ``RPi.GPIO``, strict where the real one is, for gpiozero's real factory over it.

It keeps the rules that gpiozero meets: a channel must be set up before use, an input cannot be written, a
channel has at most one edge detection. ``drive`` moves a pin from outside and calls back at once.
"""

import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import gpiozero.pins.local

REVISION_PI_4B = 0xC03114
_MODULES = ("RPi", "RPi.GPIO", "gpiozero.pins.rpigpio")


class FakeRPiGPIO(types.ModuleType):
    """The module itself; ``calls`` records what was asked of it, in order."""

    BOARD, BCM = 10, 11
    OUT, IN = 0, 1
    LOW, HIGH = 0, 1
    PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
    RISING, FALLING, BOTH = 31, 32, 33
    SERIAL, SPI, I2C, HARD_PWM, UNKNOWN = 40, 41, 42, 43, -1

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        self.calls: list[tuple] = []
        self.levels: dict[int, int] = {}
        self.functions: dict[int, int] = {}
        self.detections: dict[int, tuple[int, Callable[[int], None]]] = {}
        self.broken: set[int] = set()
        self.PWM = None

    def setmode(self, mode: int) -> None:
        self.calls.append(("setmode", mode))

    def setwarnings(self, flag: bool) -> None:
        self.calls.append(("setwarnings", flag))

    def setup(
        self, channel: int, direction: int, pull_up_down: int = PUD_OFF, initial: int | None = None
    ) -> None:
        if direction == self.OUT and pull_up_down != self.PUD_OFF:
            raise ValueError("pull_up_down parameter is not valid for outputs")
        self.calls.append(("setup", channel, direction, pull_up_down, initial))
        self.functions[channel] = direction
        if direction == self.IN:
            self.levels[channel] = int(pull_up_down == self.PUD_UP)
        elif initial is not None:
            self.levels[channel] = int(initial)

    def gpio_function(self, channel: int) -> int:
        return self.functions.get(channel, self.IN)

    def input(self, channel: int) -> int:
        if channel not in self.functions or channel in self.broken:
            raise RuntimeError("You must setup() the GPIO channel first")
        return self.levels.get(channel, 0)

    def output(self, channel: int, value: int) -> None:
        if self.functions.get(channel) != self.OUT:
            raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
        self.calls.append(("output", channel, int(value)))
        self.levels[channel] = int(value)

    def add_event_detect(
        self, channel: int, edge: int, callback: Callable[[int], None], bouncetime: int = -666
    ) -> None:
        if channel in self.detections:
            raise RuntimeError("Conflicting edge detection already enabled for this GPIO channel")
        self.calls.append(("add_event_detect", channel, edge, bouncetime))
        self.detections[channel] = (edge, callback)

    def remove_event_detect(self, channel: int) -> None:
        self.detections.pop(channel, None)

    def cleanup(self, channel: int | None = None) -> None:
        self.calls.append(("cleanup", channel))
        for each in [*self.functions] if channel is None else [channel]:
            self.functions.pop(each, None)
            self.levels.pop(each, None)

    def drive(self, channel: int, level: bool) -> None:
        """Move an input from outside, as a sensor does."""
        if self.functions.get(channel) != self.IN:
            raise AssertionError(f"channel {channel} is no input")
        if self.levels[channel] == int(level):
            return
        self.levels[channel] = int(level)
        if channel in self.detections:
            edge, callback = self.detections[channel]
            if edge in {self.BOTH, self.RISING if level else self.FALLING}:
                callback(channel)


@contextmanager
def installed() -> Iterator[FakeRPiGPIO]:
    """Put the fake where ``RPi.GPIO`` is imported from, on a machine that says it is a Pi 4B."""
    fake, package = FakeRPiGPIO(), types.ModuleType("RPi")
    package.GPIO = fake
    before = {name: sys.modules.pop(name, None) for name in _MODULES}
    asked_revision = gpiozero.pins.local.get_pi_revision
    sys.modules.update({"RPi": package, "RPi.GPIO": fake})
    gpiozero.pins.local.get_pi_revision = lambda: REVISION_PI_4B
    try:
        yield fake
    finally:
        gpiozero.pins.local.get_pi_revision = asked_revision
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module

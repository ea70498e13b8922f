"""A recorded fake of the module ``lgpio`` over the chips that a folder's ``dev`` shows, for gpiozero's real factory.

It opens a chip by its number, as the real one does, and refuses a number without a device. Both generations of its
constants are there: lgpio 0.1.6, which Debian 12 had first, calls pulls BIAS.
"""

import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import gpiozero.pins.local

REVISION_PI_5B = 0xC04170
_MODULES = ("lgpio", "gpiozero.pins.lgpio")
_IS_OUT = 2


class LgpioError(Exception):
    """What lgpio raises: ``lgpio.error``."""


class FakeLgpio(types.ModuleType):
    """The module itself; ``opened`` and ``claimed`` record which chips, and which lines of which chip."""

    error = LgpioError
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3

    def __init__(self, root: Path, *, old: bool = False) -> None:
        super().__init__("lgpio")
        self.root = root
        self.opened: list[int] = []
        self.claimed: list[tuple[int, int, str]] = []
        self.levels: dict[tuple[int, int], int] = {}
        pulls = (
            "SET_BIAS_PULL_UP SET_BIAS_PULL_DOWN SET_BIAS_DISABLE"
            if old
            else "SET_PULL_UP SET_PULL_DOWN SET_PULL_NONE"
        )
        for name, value in zip(pulls.split(), (32, 64, 128), strict=True):
            setattr(self, name, value)

    def gpiochip_open(self, number: int) -> int:
        if not (self.root / f"dev/gpiochip{number}").exists():
            raise LgpioError("can not open gpiochip")
        self.opened.append(number)
        return number

    def gpiochip_close(self, handle: int) -> None:
        self.opened.remove(handle)

    def gpio_free(self, handle: int, line: int) -> None:
        self.levels.pop((handle, line), None)

    def gpio_claim_input(self, handle: int, line: int, flags: int = 0) -> int:
        self.claimed.append((handle, line, "input"))
        self.levels[handle, line] = int(flags == 32)
        return 0

    def gpio_claim_output(self, handle: int, line: int, level: int = 0, flags: int = 0) -> int:
        self.claimed.append((handle, line, "output"))
        self.levels[handle, line] = level
        return 0

    def gpio_claim_alert(self, handle: int, line: int, edges: int, flags: int = 0, notify: int = -1) -> int:
        self.claimed.append((handle, line, "alert"))
        return 0

    def gpio_get_mode(self, handle: int, line: int) -> int:
        ways = [way for chip, number, way in self.claimed if (chip, number) == (handle, line)]
        return _IS_OUT if ways and ways[-1] == "output" else 0

    def gpio_read(self, handle: int, line: int) -> int:
        return self.levels[handle, line]

    def gpio_write(self, handle: int, line: int, level: int) -> int:
        self.levels[handle, line] = int(level)
        return 0

    def gpio_set_debounce_micros(self, handle: int, line: int, micros: int) -> int:
        return 0

    def callback(self, handle: int, line: int, edges: int = 1, func: object = None) -> types.SimpleNamespace:
        return types.SimpleNamespace(cancel=lambda: None)


@contextmanager
def installed(root: Path, *, old: bool = False) -> Iterator[FakeLgpio]:
    """Put the fake where ``lgpio`` is imported from, on a machine that says it is a Pi 5."""
    fake = FakeLgpio(root, old=old)
    before = {name: sys.modules.pop(name, None) for name in _MODULES}
    asked_revision = gpiozero.pins.local.get_pi_revision
    sys.modules["lgpio"] = fake
    gpiozero.pins.local.get_pi_revision = lambda: REVISION_PI_5B
    try:
        yield fake
    finally:
        gpiozero.pins.local.get_pi_revision = asked_revision
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module

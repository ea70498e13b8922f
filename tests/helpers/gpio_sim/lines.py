"""The hands inside the simulated machine: they pull lines up and down and see what the kernel sees."""

import functools
import os
import re
from pathlib import Path

CHIP = Path("/sys/kernel/config/gpio-sim/header")
HELD = Path("/sys/kernel/debug/gpio")


@functools.cache
def _attribute(pin: int, name: str) -> int:
    """Return an open file: with it, a line moves in microseconds."""
    device = (CHIP / "dev_name").read_text("ascii").strip()
    chip = (CHIP / "bank" / "chip_name").read_text("ascii").strip()
    path = Path("/sys/devices/platform") / device / chip / f"sim_gpio{pin}" / name
    return os.open(path, os.O_RDWR)


def drive(pin: int, high: bool) -> None:
    """Pull a line, as a sensor does; an input follows at once, an output does not."""
    os.pwrite(_attribute(pin, "pull"), b"pull-up" if high else b"pull-down", 0)


def is_high(pin: int) -> bool:
    """Whether the line is high now, whoever makes it so."""
    return os.pread(_attribute(pin, "value"), 1, 0) == b"1"


def held() -> dict[int, str]:
    """Return ``input`` or ``output`` for each line that a program holds, as the kernel tells."""
    table = HELD.read_text("ascii")
    found = re.findall(r"^ gpio-(\d+)\s+\((?!<unused>)[^)]+\) (input|output)", table, re.MULTILINE)
    return {int(pin): way for pin, way in found}

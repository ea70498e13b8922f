"""A machine that fails as it is told: disk, clock and the process's own life, through a preloaded library.

``machine.c`` is the library; both sides have the same page of a file in memory, so that what fails can be changed
while the program runs.
"""

import ctypes
import errno
import mmap
import os
import shutil
import subprocess
from pathlib import Path

import pytest

__all__ = ["AFTER", "BEFORE", "HALF", "Machine"]

BEFORE, HALF, AFTER = range(3)
"""When a process dies that dies at a write: before it, with half of it done, or after it."""
_SOURCE = Path(__file__).with_name("machine.c")


class _Control(ctypes.Structure):
    _fields_ = (
        ("folder", ctypes.c_char * 512),
        ("calls", ctypes.c_uint64),
        ("die_at", ctypes.c_uint64),
        ("ahead_ns", ctypes.c_int64),
        ("how", ctypes.c_uint32),
        ("error", ctypes.c_int32),
        ("delay_us", ctypes.c_uint32),
        ("deaths", ctypes.c_uint32),
        ("at_ns", ctypes.c_uint64 * 256),
    )


class Machine:
    """What programs started with :attr:`env` meet: faults in one folder, and another clock on the wall.

    Args:
        tools: where library and control file are put; not the folder that fails.
        folder: whose files fail.
    """

    def __init__(self, tools: Path, folder: Path) -> None:
        tools.mkdir(parents=True, exist_ok=True)
        library, control = tools / "machine.so", tools / "machine.page"
        if not library.exists():
            _compile(library)
        control.write_bytes(bytes(mmap.PAGESIZE))
        with control.open("r+b") as file:
            self._control = _Control.from_buffer(mmap.mmap(file.fileno(), mmap.PAGESIZE))
        self._control.folder = os.fsencode(folder.resolve())
        self.env = {"LD_PRELOAD": str(library), "FAULTS": str(control)}

    @property
    def writes(self) -> int:
        """How many calls have changed files in the folder: writes, syncs, renames and so on."""
        return self._control.calls

    def write_began_ns(self, number: int) -> int:
        """Return when one of the last two hundred such calls began, by :func:`time.monotonic_ns`."""
        return self._control.at_ns[number % 256]

    @property
    def deaths(self) -> int:
        """How many processes have died at a write."""
        return self._control.deaths

    def die_at_write(self, number: int, how: int) -> None:
        """Let the process die at its n-th such call from now on, counted from 1; 0: not at all."""
        self._control.how = how
        self._control.die_at = self.writes + number if number else 0

    def fail(self, error: int = 0) -> None:
        """Let each such call fail with ``ENOSPC``, ``EROFS`` or ``EIO``, until this is called without one."""
        assert error in {0, errno.ENOSPC, errno.EROFS, errno.EIO}
        self._control.error = error

    def slow_down(self, delay_us: int = 0) -> None:
        """Let each such call take so long."""
        self._control.delay_us = delay_us

    def set_clock(self, ahead_s: int = 0) -> None:
        """Set the clock on the wall ahead, or back; the monotonic clock does not jump."""
        self._control.ahead_ns = ahead_s * 1_000_000_000

    def mend(self) -> None:
        """Let everything work."""
        self.fail()
        self.slow_down()
        self.set_clock()
        self.die_at_write(0, BEFORE)


def _compile(library: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler (cc) is installed, so no machine can be made to fail")
    command = [compiler, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run([*command, _SOURCE, "-o", library], check=True)

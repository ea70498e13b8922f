"""The product and the example as wheels in a clean environment, the way people get them, and a process of it."""

import os
import shutil
import subprocess
import sys
import venv

from helpers.installed_example import ROOM
from helpers.places import ROOT
from helpers.program import READY_S, Process

__all__ = ["InstalledProcess", "install", "runs", "wheel_of"]

ROOMS = (
    "api",
    "board",
    "controller",
    "hal",
    "requirements",
    "settings",
    "simulator",
    "systemd",
    "testing",
    "wiring",
)
FILES = ("pyproject.toml", "README.md", "LICENSE")
LONGEST_S = 600
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "build", "*.egg-info", "firmware-sdk")


def wheel_of(source, folder):
    """Build a wheel of a copy, so that nothing is written into the checkout; return its path."""
    copy = folder / f"{source.name}-copy"
    if source == ROOT:
        for room in ROOMS:
            shutil.copytree(source / room, copy / room, ignore=_LEFT_OUT)
        for name in FILES:
            shutil.copy(source / name, copy / name)
    else:
        shutil.copytree(source, copy, ignore=_LEFT_OUT)
    made = folder / f"{source.name}-wheel"
    runs(sys.executable, "-m", "build", "--wheel", "--outdir", made, copy)
    return next(made.glob("*.whl"))


def install(folder):
    """Install the wheels of product and example in a clean environment; return its ``hextraction``."""
    wheels = [wheel_of(ROOT, folder), wheel_of(ROOM, folder)]
    venv.create(folder / "venv", with_pip=True)
    bin_ = folder / "venv" / "bin"
    pip = (bin_ / "python", "-m", "pip", "install", "--quiet")
    runs(*pip, "--require-hashes", "--requirement", ROOT / "requirements" / "sim.lock")
    runs(*pip, "--no-deps", *wheels)
    return bin_ / "hextraction"


def runs(*command):
    """Run a program to its end, outside of the checkout's Python; return what it prints."""
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_S,
        env=_clean(),
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def _clean():
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


class InstalledProcess(Process):
    """An installed ``hextraction`` as a child process."""

    def __init__(self, program, *words):
        self.begin([str(program), *map(str, words)], _clean())
        assert self.ready.wait(READY_S), self.words

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        self.stop()
        assert "Traceback" not in self.words, self.words

"""The real program with the ``/sys`` of each Pi mounted over this machine's: it opens the header's chip."""

import os
import shutil
import subprocess
import sys

import pytest
from helpers.pis import PIS, Pi, lay
from helpers.places import TESTS

IN_ITS_OWN = ("unshare", "--user", "--map-root-user", "--mount")
MOUNT = 'mount -t tmpfs sys /sys && cp -a "$1"/sys/. /sys/ && shift && exec "$@"'


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def may_mount() -> None:
    """Not every machine lets a test have mounts of its own."""
    words = (*IN_ITS_OWN, "mount", "-t", "tmpfs", "sys", "/sys")
    if shutil.which("unshare") is None or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("no mounts of one's own here")


LGPIO = """
import sys
from pathlib import Path
from helpers.fakes.lgpio import REVISION_PI_5B, FakeLgpio
import gpiozero.pins.local

class LoudLgpio(FakeLgpio):
    def gpiochip_open(self, number):
        print(f"opened {{number}}", flush=True)
        return super().gpiochip_open(number)

gpiozero.pins.local.get_pi_revision = lambda: REVISION_PI_5B
sys.modules["lgpio"] = LoudLgpio(Path({root!r}))
"""
WIRING = """
board = { profile = "standard-22", instruments = "partial" }
sensor = [{ name = "zone.L", pin = 17 }]
"""


@pytest.mark.parametrize("pi", PIS, ids=lambda pi: pi.title)
def test_run_opens_the_headers_chip(tmp_path, pi: Pi) -> None:
    """Whatever its number; no other chip is opened, and the table opens."""
    root = lay(tmp_path / "pi", pi)
    (tmp_path / "lgpio.py").write_text(LGPIO.format(root=str(root)))
    (tmp_path / "wiring.toml").write_text(WIRING)
    (tmp_path / "board.toml").write_text('table = { wiring = "wiring.toml", journal = "games.db" }\n')
    program = (
        sys.executable,
        "-c",
        "import sys; from hextraction.controller.app import main; sys.exit(main())",
    )
    ran = subprocess.run(
        (*IN_ITS_OWN, "sh", "-c", MOUNT, "sh", root, *program,
         "run", "--config", tmp_path / "board.toml", "--no-page", "--exit-when-ready"),
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{TESTS}"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout.split("\n")[:2]) == (0, [f"opened {pi.header}", "Ready."]), ran.stderr

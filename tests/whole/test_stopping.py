"""SIGTERM, as systemd sends it, to the real process on mock pins: outputs off at once, everything else in peace."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.places import TESTS
from hextraction.controller.app.process import ending_signals

pytestmark = [pytest.mark.slow, pytest.mark.broker]

ASKED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
OTHERS = sorted(ending_signals() - {*ASKED} - {*range(signal.SIGRTMIN + 1, signal.SIGRTMAX)})
TABLE = TESTS / "helpers" / "stopping_table.py"
GATE, ARM = "GPIO23", "GPIO24"
WIRING = """
gpio = { factory = "mock" }
board = { profile = "standard-22", instruments = "partial" }
power = { coil_volts = 12, arm_pin = 24 }
[[solenoid]]
name = "gate.L1"
pin = 23
pulse_ms = 150
max_pulse_ms = 200
duty_percent = 5
pptc_ma = 300
"""


def changes(log: Path) -> list[tuple[str, int, int]]:
    """Every change of an output so far: pin, level, nanoseconds."""
    rows = (line.split() for line in log.read_text().splitlines())
    return [(row[0], int(row[1]), int(row[2])) for row in rows if len(row) == 3]


def told(systemd: socket.socket) -> list[str]:
    """Everything that systemd has heard, oldest first."""
    systemd.setblocking(False)
    words = []
    while True:
        try:
            words.append(systemd.recv(1000).decode())
        except BlockingIOError:
            return words


@pytest.fixture
def systemd(tmp_path: Path):
    """The socket at which systemd listens to a service."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        yield listening


def in_pulse(log: Path) -> bool:
    """Whether the gate is on and the supply is armed."""
    latest = {pin: level for pin, level, _at in changes(log)}
    return latest.get(GATE) == 1 and ARM in latest


def stopped_in_mid_pulse(folder: Path, systemd: socket.socket, how: int) -> float:
    """Let the process stop in the middle of a pulse; return how late the last output went off, in milliseconds."""
    log = folder / "pins.log"
    log.write_text("")
    (folder / "wiring.toml").write_text(WIRING)
    config = folder / "hextraction.toml"
    config.write_text('table = { wiring = "wiring.toml", journal = "games.db" }\npage = { port = 0 }\n')
    child = subprocess.Popen(
        [sys.executable, TABLE, log, "run", "--config", config, "--host", "127.0.0.1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NOTIFY_SOCKET": systemd.getsockname(), "WATCHDOG_USEC": "10000000"},
    )
    try:
        for line in child.stdout:
            if "Everybody may watch" in line:
                break
        while not in_pulse(log):
            assert child.poll() is None, child.stderr.read()
        sent_ns = time.monotonic_ns()
        child.send_signal(how)
        _out, err = child.communicate(timeout=90)
    finally:
        child.kill()

    assert child.returncode == (0 if how in ASKED else 1), err
    assert "Traceback" not in err
    assert {pin: level for pin, level, _at in changes(log)} == {GATE: 0, ARM: 0}
    stages = [words.partition("=1")[0] for words in told(systemd)]
    assert stages[:2] == ["READY", "WATCHDOG"]
    assert stages[-1] == "STOPPING"
    return max(at - sent_ns for _pin, _level, at in changes(log)) / 1e6


@pytest.mark.skipif(shutil.which("mosquitto", path="/usr/sbin:/usr/bin") is None, reason="no mosquitto")
@pytest.mark.parametrize("how", ASKED, ids=lambda how: how.name)
def test_outputs_are_off_within_a_tenth_of_a_second(tmp_path: Path, systemd, how: signal.Signals) -> None:
    """In mid-pulse, with page and broker running: coil and supply go first; systemd hears each stage; status is 0.

    Each of at most six stops must be a good one; that one of them is in time is enough, for a process that has
    to wait for a busy machine's processor stops no sooner.
    """
    late_ms: list[float] = []
    while len(late_ms) < 6 and not (late_ms and min(late_ms) < 100):
        late_ms.append(stopped_in_mid_pulse(tmp_path, systemd, how))
    assert min(late_ms) < 100, late_ms


@pytest.mark.skipif(shutil.which("mosquitto", path="/usr/sbin:/usr/bin") is None, reason="no mosquitto")
@pytest.mark.parametrize("how", OTHERS, ids=str)
def test_whatever_signal_ends_the_table_outputs_go_off_first(tmp_path: Path, systemd, how: int) -> None:
    """One that nobody asks a program to stop with, too; status 1 then, so that the service starts again."""
    stopped_in_mid_pulse(tmp_path, systemd, how)

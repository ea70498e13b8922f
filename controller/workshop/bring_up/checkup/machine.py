"""The machine as the doctor sees it. Everything goes through here, so that a test can fake any machine."""

import http.client
import importlib.metadata
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from hextraction.controller.config import ControllerConfig
from hextraction.controller.phones.broker import ExternalBroker
from hextraction.controller.phones.house import try_login
from hextraction.hal.hub.look import HubLook, look_at_hub
from hextraction.hal.hub.port import find_hubs, open_serial
from hextraction.hal.hub.question import HubQuestion
from hextraction.hal.hub.words import Greeting
from hextraction.hal.i2c import open_bus
from hextraction.hal.ina219 import Ina219, Reading
from hextraction.hal.wiring.wires import CurrentWire, HubWire, Wiring

__all__ = ["Case", "Finding", "Machine", "absent", "ok", "problem"]

_PACKAGE = "/usr/lib/hextraction/pyvenv.cfg"
_PROJECT = Path(__file__).parents[4]
_ANSWER_S = 5.0
_CONNECT_S = 1.0
_GREET_S = 0.5

State = Literal["ok", "problem", "absent"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. ``absent``: not there, which is fine. ``remedy``: what to do."""

    state: State
    says: str
    remedy: str = ""


def ok(says: str) -> Finding:
    """Return the finding that something is fine."""
    return Finding("ok", says)


def absent(says: str) -> Finding:
    """Return the finding that something is not there, which is fine."""
    return Finding("absent", says)


def problem(says: str, remedy: str) -> Finding:
    """Return the finding that something is wrong, and what to do."""
    return Finding("problem", says, remedy)


def _run(command: Sequence[str]) -> tuple[int, str]:
    try:
        done = subprocess.run(  # noqa: S603 - a list, no shell
            command, capture_output=True, text=True, check=False, timeout=_ANSWER_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return 127, ""
    return done.returncode, done.stdout.strip()


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _connects(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), _CONNECT_S):
            return True
    except OSError:
        return False


def _health(host: str, port: int) -> Mapping[str, Any] | None:
    """Return what the table at this address says of itself, or None if no table of ours answers."""
    connection = http.client.HTTPConnection(host, port, timeout=_CONNECT_S)
    try:
        connection.request("GET", "/health")
        said = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    return said if isinstance(said, dict) and "problems" in said else None


def _measure(wire: CurrentWire) -> Reading:
    meter = Ina219(wire, lambda: open_bus(wire.bus))
    try:
        return meter.read()
    finally:
        meter.close()


def _greet(port: str) -> Greeting | None:
    """Ask a hub to identify itself; its port must be free.

    Raises:
        PortBusy: another program is talking to it; it is left undisturbed. OSError: the port cannot be
        opened, or is gone.
    """
    with HubQuestion(open_serial(port), patience_s=_GREET_S) as hub:
        return hub.greet()


def _look(port: str, wire: HubWire) -> HubLook | None:
    """Look at a hub's inputs at rest; its port must be free.

    Raises:
        PortBusy: another program is talking to it; it is left undisturbed. OSError: the port cannot be
        opened, or is gone.
    """
    with HubQuestion(open_serial(port)) as hub:
        return look_at_hub(hub, wire)


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A machine: its files below ``root``, its commands, its packages and its network."""

    root: Path = Path("/")
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    platform: str = sys.platform
    python: tuple[int, int] = field(default_factory=lambda: sys.version_info[:2])
    run: Callable[[Sequence[str]], tuple[int, str]] = _run
    version: Callable[[str], str | None] = _version
    connects: Callable[[str, int], bool] = _connects
    health: Callable[[str, int], Mapping[str, Any] | None] = _health
    log_in: Callable[[ExternalBroker], None] = try_login
    hubs: Callable[[], tuple[str, ...]] = find_hubs
    greet: Callable[[str], Greeting | None] = _greet
    look: Callable[[str, HubWire], HubLook | None] = _look
    measure: Callable[[CurrentWire], Reading] = _measure
    free_bytes: Callable[[Path], int] = _free_bytes
    may_write: Callable[[Path], bool] = field(default=lambda path: os.access(path, os.W_OK))
    is_checkout: bool = field(default_factory=(_PROJECT / "pyproject.toml").is_file)
    """Whether this program runs from its sources, where there is a Makefile."""

    def at(self, path: str) -> Path:
        """Return the real location of one of the machine's paths."""
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str:
        """Return a file's text without a trailing null or line break; empty if there is no such file."""
        try:
            return self.at(path).read_text(encoding="utf-8", errors="replace").strip("\0 \n")
        except OSError:
            return ""

    @property
    def is_packaged(self) -> bool:
        """Whether the program is on the machine as a Debian package."""
        return self.at(_PACKAGE).exists()

    @property
    def installs(self) -> str:
        """The command that makes the program the service, again if it is; it depends on how it came."""
        if self.is_packaged:
            return "sudo hextraction install"
        return "sudo make install" if self.is_checkout else 'sudo "$(command -v hextraction)" install'

    @property
    def reinstalls(self) -> str:
        """The command that brings back a library that came with the program."""
        return "sudo apt install --reinstall ./hextraction_….deb" if self.is_packaged else self.installs

    @property
    def model(self) -> str:
        """The Raspberry Pi's model; empty on anything else."""
        named = self.text("/proc/device-tree/model")
        return named if named.startswith("Raspberry Pi") else ""

    @property
    def is_five(self) -> bool:
        """Whether it is a Raspberry Pi 5, whose pins are on another chip."""
        fives = ("Raspberry Pi 5", "Raspberry Pi Compute Module 5")
        return self.model.startswith(fives)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What is examined: a machine and, as far as they can be read, its settings.

    ``wrong`` are the mistakes in the settings; ``source`` is where the settings were looked for.
    """

    machine: Machine
    source: Path | None = None
    config: ControllerConfig = field(default_factory=ControllerConfig)
    wiring: Wiring | None = None
    wrong: tuple[str, ...] = ()

    @property
    def page(self) -> tuple[str, int]:
        """Where a table of these settings is reached from this machine: its one address, or any."""
        host = self.config.page.host
        return {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), self.config.page.port  # noqa: S104

    def without(self, says: str) -> str:
        """Return ``says``, that the wiring has no such thing, or that the settings cannot be read."""
        return "not known: the settings cannot be read" if self.wrong else says

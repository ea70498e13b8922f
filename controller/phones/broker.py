"""The broker: a Mosquitto of our own as a child process, or somebody else's by its address.

:class:`PrivateBroker` listens on loopback only, on a free port, with random credentials, and keeps nothing on
disk but the plugin's hashed passwords. Rules of this room:

1. It never outlives us: the kernel ends it when we die (``setpriv --pdeathsig``), we end it by its own pid.
2. If it dies, or lives but lets us in no more, it is started again, on the same port with the same
   credentials, after a growing pause.
3. The game never waits for it. Without Mosquitto there is one clear error, and no phones.
"""

import asyncio
import contextlib
import json
import logging
import os
import pwd
import secrets
import shutil
import socket
import sys
from collections import deque
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hextraction.controller.payloads.sizes import MOST_PACKET
from hextraction.controller.phones.mqtt_connect import accepted, connect_as
from hextraction.controller.phones.rights import Badge

__all__ = ["BrokerError", "BrokerMissingError", "ExternalBroker", "PrivateBroker", "find_plugin"]

LOG = logging.getLogger(__name__)

HOST: Final = "127.0.0.1"
LIBRARIES: Final = Path("/usr")
_SBIN: Final = (
    "/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/opt/homebrew/sbin:/opt/homebrew/opt/mosquitto/sbin:"
    "/usr/local/opt/mosquitto/sbin"
)
"""Where Mosquitto is, though not on the path: an administrator's folders, and those of Homebrew on a Mac."""
_PLUGINS: Final = ("mosquitto_dynamic_security.so", "mosquitto_dynamic_security.dylib")
_HOMEBREW: Final = Path("opt/homebrew")
_CONNECTIONS: Final = 256
"""More than the gate ever has open (:class:`GateSettings`), so that it is the gate who says who has to go."""
_MEMORY_BYTES: Final = 128 * 1024 * 1024
"""What the broker may take: many times what a full table needs, and little enough for a Pi."""
_READY_S: Final = 5.0
_STEADY_S: Final = 30.0
_PAUSES_S: Final = (0.1, 0.3, 1.0, 3.0, 10.0)
_KNOCK_EVERY_S: Final = 1.0
PATIENCE_S: Final = 5.0
"""A busy machine, or a broker that stands still for a moment, is no reason to cut everybody off."""
_KNOCKS: Final = 2
"""So many in vain, one after the other, and it is started again."""
_TOLD_FOR_S: Final = 60.0


class BrokerError(RuntimeError):
    """Mosquitto did not start; the message holds its last log lines."""


class BrokerMissingError(BrokerError):
    """Mosquitto, or its dynamic-security plugin, is not installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalBroker:
    """Where a broker is and how to log in; ``tls`` checks its certificate against the system's list."""

    host: str
    port: int = 1883
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False


def find_plugin(libraries: Path = LIBRARIES) -> Path | None:
    """Return the dynamic-security plugin, whatever the machine's architecture calls its library folder.

    On a Mac it is in Homebrew's folder beside ``libraries``, or with an Intel processor in ``local``.
    """
    usual, homebrew = (
        ("lib/*", "lib", "lib64", "local/lib/**", "local/opt/mosquitto/lib"),
        libraries.parent / _HOMEBREW,
    )
    places = [(libraries, folder) for folder in usual] + [(homebrew, "lib"), (homebrew, "opt/mosquitto/lib")]
    for root, folder in places:
        for found in sorted(path for plugin in _PLUGINS for path in root.glob(f"{folder}/{plugin}")):
            return found
    return None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


class PrivateBroker:
    """A Mosquitto for this table only.

    Args:
        directory: an empty folder of its own; it is made readable for this user only.
        libraries: below which folder Mosquitto's plugin is.
        patience_s: how long it may take to let somebody in.
    """

    def __init__(
        self, directory: Path, *, libraries: Path = LIBRARIES, patience_s: float = PATIENCE_S
    ) -> None:
        self.directory = directory
        self.libraries = libraries
        self.admin = Badge(user="controller")
        self.restarts = 0
        self.in_vain = 0
        """How often in a row it has let us in no more, when we asked."""
        self._patience_s = patience_s
        self._port = _free_port()
        self._process: asyncio.subprocess.Process | None = None
        self._watch: asyncio.Task[None] | None = None
        self._said: deque[str] = deque(maxlen=20)
        self._shut_s: float | None = None
        """When it last let nobody in although it lived."""

    @property
    def address(self) -> ExternalBroker:
        """Where it listens, with the controller's own credentials."""
        return ExternalBroker(host=HOST, port=self._port, user=self.admin.user, password=self.admin.token)

    @property
    def pid(self) -> int | None:
        """The process, while it runs."""
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if running and self._process else None

    @property
    def troubles(self) -> tuple[str, ...]:
        """What was wrong with it lately, in words, for ``/health``."""
        if self._shut_s is None or asyncio.get_running_loop().time() - self._shut_s > _TOLD_FOR_S:
            return ()
        return ("the MQTT broker lived but let nobody in, so it was started again",)

    async def start(self, security: Mapping[str, Any]) -> None:
        """Start it and return when it takes connections.

        Args:
            security: the plugin's file, see :func:`~hextraction.controller.phones.rights.security_document`.

        Raises:
            BrokerMissingError: it is not installed.
            BrokerError: it does not start.
        """
        command = _command(find_plugin(self.libraries))
        self._prepare(security)
        await self._first_start(command)
        self._watch = asyncio.create_task(self._keep_alive(command))

    async def close(self) -> None:
        """Stop it and wait until it is gone."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await self._stop()

    # --- the process ----------------------------------------------------------------------------------------

    async def _first_start(self, command: list[str]) -> None:
        """Start it; another program may have taken the port meanwhile, so try a few."""
        for attempts_left in (2, 1, 0):
            try:
                return await self._spawn(command)
            except BrokerError:
                if not attempts_left:
                    raise
                self._port = _free_port()
        return None

    async def _spawn(self, command: list[str]) -> None:
        self._write("mosquitto.conf", self.configuration())
        self._process = await asyncio.create_subprocess_exec(
            *command,
            cwd=self.directory,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in a terminal is for us: phones hear of it first
        )
        running = asyncio.Event()
        listening = asyncio.create_task(self._listen_to(self._process, running))
        try:
            async with asyncio.timeout(_READY_S):
                await _first(running.wait(), self._process.wait())
            if not running.is_set():
                await listening
                raise BrokerError(f"Mosquitto does not start: {self._last_words()}")
        except TimeoutError as error:
            await self._stop()
            raise BrokerError(f"Mosquitto takes no connections: {self._last_words()}") from error

    async def _listen_to(self, process: asyncio.subprocess.Process, running: asyncio.Event) -> None:
        """Keep its last log lines; it logs `running` when its listener is open."""
        assert process.stderr is not None  # noqa: S101  # it is a pipe: we asked for one
        async for line in process.stderr:
            text = line.decode(errors="replace").strip()
            self._said.append(text)
            LOG.debug("mosquitto: %s", text)
            if text.endswith(" running"):
                running.set()

    def _last_words(self, most: int = 3) -> str:
        return " / ".join(list(self._said)[-most:]) or "it said nothing"

    async def _keep_alive(self, command: list[str]) -> None:
        loop = asyncio.get_running_loop()
        falls = 0
        while True:
            born_s = loop.time()
            if self._process is not None:
                await _first(self._process.wait(), self._shut())
            ended = await self._how_it_ended()
            falls = 0 if loop.time() - born_s > _STEADY_S else falls
            pause_s = _PAUSES_S[min(falls, len(_PAUSES_S) - 1)]
            LOG.error("the broker %s (%s); starting it again in %.1f s", ended, self._last_words(1), pause_s)
            falls += 1
            await asyncio.sleep(pause_s)
            self.restarts += 1
            with contextlib.suppress(BrokerError, OSError):
                await self._spawn(command)

    async def _how_it_ended(self) -> str:
        """Return how the process came to its end; if it has not, it is of no use any more, and is killed."""
        process = self._process
        if process is None or process.returncode is not None:
            return "died"
        self._shut_s = asyncio.get_running_loop().time()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        return "lives but lets nobody in"

    async def _shut(self) -> None:
        """Wait until it lets nobody in any more: it is asked over and over, as any other client would."""
        self.in_vain = 0
        while self.in_vain < _KNOCKS:
            await asyncio.sleep(_KNOCK_EVERY_S)
            self.in_vain = 0 if await self._lets_in() else self.in_vain + 1

    async def _lets_in(self) -> bool:
        """Return whether it accepts our login now."""
        packet = connect_as(self.admin.user, self.admin.token, f"knock-{secrets.token_hex(8)}")
        try:
            async with asyncio.timeout(self._patience_s):
                reader, writer = await asyncio.open_connection(HOST, self._port)
                try:
                    writer.write(packet)
                    return accepted(await reader.readexactly(4))
                finally:
                    writer.close()
        except (OSError, EOFError):
            return False

    async def _stop(self) -> None:
        process = self._process
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), 3.0)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    # --- its files ------------------------------------------------------------------------------------------

    def _prepare(self, security: Mapping[str, Any]) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        self.directory.chmod(0o700)
        self._write("dynamic-security.json", json.dumps(security))

    def _write(self, name: str, text: str) -> None:
        path = self.directory / name
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:  # noqa: PTH123
            file.write(text)

    def configuration(self) -> str:
        """Return the configuration file. Paths are relative: it runs in its own folder."""
        lines = [
            f"listener {self._port} {HOST}",
            f"max_connections {_CONNECTIONS}",
            "allow_anonymous false",
            f"plugin {find_plugin(self.libraries)}",
            "plugin_opt_config_file dynamic-security.json",
            "persistence false",
            "set_tcp_nodelay true",
            f"max_packet_size {MOST_PACKET}",
            "max_queued_messages 200",
            "max_queued_bytes 1000000",
            "max_inflight_messages 20",
            "max_keepalive 120",
            "persistent_client_expiration 1h",
            "sys_interval 0",
            "connection_messages false",
            "log_dest stderr",
            *(f"log_type {kind}" for kind in ("error", "warning", "information")),
        ]
        if os.geteuid() == 0:  # it would change to its own user and lose its folder and the death signal
            lines.append(f"user {pwd.getpwuid(0).pw_name}")
        return "\n".join(lines) + "\n"


async def _first(*works: Coroutine[Any, Any, Any]) -> None:
    """Wait for the first of these and cancel the rest."""
    tasks = {asyncio.ensure_future(work) for work in works}
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


def _command(plugin: Path | None) -> list[str]:
    """Return the command that starts Mosquitto so that the kernel kills it when we die."""
    mosquitto = shutil.which("mosquitto") or shutil.which("mosquitto", path=_SBIN)
    if mosquitto is None or plugin is None:
        tool = "brew" if sys.platform == "darwin" else "apt-get"
        raise BrokerMissingError(f"no phones: Mosquitto is not installed ({tool} install mosquitto)")
    command = [mosquitto, "-c", "mosquitto.conf"]
    setpriv, prlimit = shutil.which("setpriv"), shutil.which("prlimit")
    if setpriv is None or prlimit is None:
        if sys.platform != "darwin":  # a Mac has neither, and its user can do nothing about it
            LOG.warning(
                "no setpriv and prlimit (util-linux): the broker may outlive us, and grow without bounds"
            )
        return command
    # Not Mosquitto's own memory_limit: 2.0 counts wrongly where clients are deleted (a seat is left), and
    # then refuses everything, our own connection first. The kernel counts right.
    return [setpriv, "--pdeathsig", "KILL", "--", prlimit, f"--data={_MEMORY_BYTES}", *command]

"""``hextraction setup``: serve the first page until somebody has chosen, and carry that out.

By hand it writes the settings into a folder and says how to go on. As a service (``--service``, root) it
stands in for the table as long as there are no settings: it opens a Wi-Fi where the machine has no network,
keeps the board's own Wi-Fi for later starts if that is wished, walks through the board, and starts the table.
"""

import argparse
import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Final

from hextraction.controller.phones.addresses import own_address, page_address
from hextraction.controller.phones.http import MOST_HEAD, BadRequestError, decline, read_head
from hextraction.controller.workshop.bring_up.hotspot import (
    Hotspot,
    HotspotError,
    Network,
    default_name,
    join_text,
)
from hextraction.controller.workshop.first_page.answers import FirstPage
from hextraction.controller.workshop.first_page.choices import BUILDS, Choices, WrongChoicesError
from hextraction.controller.workshop.first_page.form import Done
from hextraction.controller.workshop.first_page.settings import settings_text

__all__ = ["FIRST_WIFI", "Machine", "run", "serve"]

FIRST_WIFI: Final = Hotspot(ssid="hextraction", password="steelballs")  # noqa: S106 - no secret
"""What a board without any network opens until it is set up; the guide prints both."""
_SETTINGS: Final = "hextraction.toml"
_WIRINGS: Final = Path(__file__).parents[3] / "wiring"
_INSTALLED: Final = Path("/etc/hextraction")
_GAMES: Final = "/var/lib/hextraction"
_USER: Final = "hextraction"
_PATIENCE_S: Final = 10.0
_AT_ONCE: Final = 16
"""Connections at a time: of more, the one that has said nothing for longest goes."""
_NETWORK_WITHIN_S: Final = 45
_NOWHERE: Final = frozenset({"127.0.0.1", "::1"})

Run = Callable[[Sequence[str]], int]


def _call(command: Sequence[str]) -> int:
    return subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode  # noqa: S603 - a list, no shell


@dataclass(kw_only=True)
class Machine:
    """This machine, as far as the first page changes it. ``folder`` holds the settings.

    ``service``: it is set up as a service; else only the settings are written.
    """

    folder: Path
    port: int
    service: bool
    network: Network = field(default_factory=Network)
    call: Run = _call

    @property
    def settings(self) -> Path:
        """The configuration; the board is set up when it is there."""
        return self.folder / _SETTINGS

    def carry_out(self, choices: Choices) -> Done:
        """Write the settings, and keep the Wi-Fi that is wished; return what to tell.

        Raises:
            WrongChoicesError: something cannot be done or written; the board is not set up then.
        """
        wifi = self._wifi(choices)
        try:
            self._write(choices)
        except OSError as error:
            told = f"The settings cannot be written: {error.strerror or error}."
            raise WrongChoicesError({"build": told}) from error
        here = page_address(own_address(), self.port)
        return Done(
            address=f"{here}#j={choices.code}" if choices.code else here,
            ssid=wifi.ssid if wifi else "",
            password=wifi.password if wifi else "",
            check=choices.check,
        )

    def _wifi(self, choices: Choices) -> Hotspot | None:
        if not self.service:
            return None
        try:
            # The first Wi-Fi has a password that everybody knows: it does not stay.
            if not choices.own_wifi and not self.network.is_open():
                return None
            return self.network.keep_for_boot(Hotspot(ssid=default_name(choices.name), password=""))
        except HotspotError as error:
            if not choices.own_wifi:
                return None
            raise WrongChoicesError({"wifi": f"It cannot make a Wi-Fi: {error}."}) from error

    def _write(self, choices: Choices) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if BUILDS[choices.build].wired:
            wiring = (_WIRINGS / f"{choices.build}.toml").read_text(encoding="utf-8")
            self._put(self.folder / "wiring.toml", wiring)
        journal = f"{_GAMES}/games.db" if self.service else "games.db"
        self._put(self.settings, settings_text(choices, journal=journal, port=self.port))

    def _put(self, path: Path, text: str) -> None:
        """Write a file whole or not at all; what people had there is kept beside it."""
        if path.exists() and path.read_bytes() != text.encode():
            path.replace(path.with_name(f"{path.name}.before"))
        made = path.with_name(f"{path.name}.new")
        made.write_text(text, encoding="utf-8")
        if self.service:
            shutil.chown(made, "root", _USER)
            made.chmod(0o640)
        made.replace(path)

    def have_a_network(self, patience_s: float = _NETWORK_WITHIN_S) -> None:
        """Wait for a network; where there is none, open the first Wi-Fi."""
        until_s = time.monotonic() + patience_s
        while own_address() in _NOWHERE:
            if time.monotonic() >= until_s:
                try:
                    print(join_text(self.network.up(FIRST_WIFI), self.port), flush=True)
                except HotspotError as error:
                    print(f"hextraction setup: no network, and {error}", file=sys.stderr, flush=True)
                return
            time.sleep(1)

    def go_on(self, choices: Choices) -> None:
        """Walk through the board if that was wished, then start the table."""
        if choices.check:
            program = str(Path(sys.argv[0]).resolve())
            report = f"{_GAMES}/board-check.json"
            words = [
                "check-board",
                "--config",
                str(self.settings),
                "--report",
                report,
                "--port",
                str(self.port),
            ]
            self.call(["runuser", "-u", _USER, "--", program, *words])
        self.call(["systemctl", "start", "--no-block", "hextraction.service"])


async def serve(page: FirstPage, host: str, port: int, *, opened: Callable[[int], None]) -> Choices:
    """Serve the page until somebody has chosen, and return what; ``opened`` is told the port.

    Raises:
        OSError: nothing can listen there.
    """
    chosen: asyncio.Future[Choices] = asyncio.get_running_loop().create_future()
    visits: dict[asyncio.Task[None], None] = {}

    async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError, EOFError, TimeoutError):
                async with asyncio.timeout(_PATIENCE_S):
                    writer.write(await _answer(page, reader))
                    await writer.drain()
        finally:
            writer.close()
        if page.chosen is not None and not chosen.done():
            chosen.set_result(page.chosen)

    def arrive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        coming = asyncio.create_task(visit(reader, writer))
        visits[coming] = None
        coming.add_done_callback(visits.pop)
        if len(visits) > _AT_ONCE:
            next(iter(visits)).cancel()

    try:
        async with await asyncio.start_server(arrive, host, port, limit=MOST_HEAD) as server:
            opened(server.sockets[0].getsockname()[1])
            return await chosen
    finally:
        for coming in visits:
            coming.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        await asyncio.sleep(0)  # the transports close in the loop's next turn


async def _answer(page: FirstPage, reader: asyncio.StreamReader) -> bytes:
    try:
        request = read_head(await reader.readuntil(b"\r\n\r\n"))
        body = await reader.readexactly(page.length(request))
        return page.answer(request, body)
    except asyncio.LimitOverrunError:
        return decline(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "Too many headers.")
    except BadRequestError as error:
        return decline(error.status, error.reason)


def run(options: argparse.Namespace) -> int:
    """Serve the first page; return the exit status."""
    folder = options.folder or (_INSTALLED if options.service else Path())
    machine = Machine(folder=folder, port=options.port, service=options.service)
    if machine.settings.exists():
        print(
            f"hextraction setup: {machine.settings} is there, so the board is set up. Change it by hand, or "
            "move it away to begin anew",
            file=sys.stderr,
        )
        return 0 if options.service else 2
    if options.service:
        machine.have_a_network()
    page = FirstPage(
        host=socket.gethostname().partition(".")[0], service=options.service, carry_out=machine.carry_out
    )
    choices = asyncio.run(serve(page, "0.0.0.0", machine.port, opened=_told(machine)))  # noqa: S104 - phones come by it
    print(f"The settings are in {machine.settings}.", flush=True)
    if options.service:
        machine.go_on(choices)
    else:
        print(f"Now: hextraction run --config {os.path.relpath(machine.settings)}")
    return 0


def _told(machine: Machine) -> Callable[[int], None]:
    def told(port: int) -> None:
        machine.port = port
        address = page_address(own_address(), port)
        print(f"Open this on your phone, and say what you built:\n\n  {address}\n", flush=True)

    return told

"""``hextraction host``: what whoever hosts the table does from the terminal while the table is open.

The table listens at a socket beside its journal, which only the table's own user and root may open. A request
and its answer are one line of JSON each.
"""

import argparse
import asyncio
import contextlib
import logging
import socket
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final, Literal

import msgspec
from hextraction.controller.config import default_state_folder, read_config
from hextraction.controller.phones.companion import Companion
from hextraction.controller.table.host import Host
from hextraction.controller.table.lobby import Chair
from hextraction.controller.workshop.documents import TableNow, TableSeat
from hextraction.controller.workshop.terminal import tell
from hextraction.settings import SettingsError
from hextraction.settings.plain import UNREADABLE

__all__ = ["Reply", "Request", "listening", "run"]

_INSTALLED: Final = Path("/etc/hextraction/hextraction.toml")
_LONGEST: Final = 4096
_WAIT_S: Final = 5.0
_log = logging.getLogger(__name__)


class Request(msgspec.Struct, frozen=True, tag_field="do"):
    """What the terminal asks for."""


class Players(Request, frozen=True, tag="players"):
    """Who sits where, and how to join."""


class Remove(Request, frozen=True, tag="remove"):
    """Somebody shall leave: a name or a seat."""

    who: str


class NewCode(Request, frozen=True, tag="new-code"):
    """A new code for joining; the old one is void."""


class Reply(msgspec.Struct, frozen=True):
    """The answer: lines for people, or the reason why not; and for programs how the table is now."""

    lines: tuple[str, ...] = ()
    refused: str = ""
    url: str = ""
    code: str = ""
    seats: tuple[TableSeat, ...] = ()


# --- at the table ---


@contextlib.asynccontextmanager
async def listening(
    journal: Path, host: Host, companion: Companion, now_us: Callable[[], int]
) -> AsyncIterator[None]:
    """Answer the terminal while the block runs; where no socket can be made, the table goes on without."""
    table = _Table(host, companion, now_us)
    path = _socket_beside(journal)
    with contextlib.suppress(FileNotFoundError):
        path.unlink()  # of a table that was killed: who has the journal's lock is alone here
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        # Nobody can connect before it listens, and then only its user may. Not by umask: that is one for all
        # threads, and what another one makes meanwhile, such as the history's folder, could not be entered.
        listener.bind(str(path))
        path.chmod(0o600)
        server = await asyncio.start_unix_server(table.hear, sock=listener, limit=_LONGEST)
    except OSError as error:
        _log.warning("`hextraction host` cannot reach this table: %s: %s", path, error)
        listener.close()
        server = None
    try:
        yield
    finally:
        if server is not None:
            server.close()
            with contextlib.suppress(OSError):
                path.unlink()


class _Table:
    """Answers requests."""

    def __init__(self, host: Host, companion: Companion, now_us: Callable[[], int]) -> None:
        self._host = host
        self._companion = companion
        self._now_us = now_us

    async def hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read one request, answer it, and hang up; whatever fails, the game goes on."""
        try:
            async with asyncio.timeout(_WAIT_S):
                line = await reader.readline()
                writer.write(msgspec.json.encode(self.answer(line)) + b"\n")
                await writer.drain()
        except (OSError, ValueError, TimeoutError):
            _log.warning("a request from the terminal could not be answered")
        finally:
            writer.close()

    def answer(self, line: bytes) -> Reply:
        """Do what a request says."""
        try:
            asked = msgspec.json.decode(line, type=Players | Remove | NewCode)
        except UNREADABLE as error:
            return Reply(refused=f"the table does not understand this: {error}")
        if isinstance(asked, Remove):
            return self._remove(asked.who)
        if isinstance(asked, NewCode):
            self._companion.renew_code()
        return self._now(
            (self._address(), *self._players()) if isinstance(asked, Players) else (self._address(),)
        )

    def _now(self, lines: tuple[str, ...]) -> Reply:
        """Return lines for people with how the table is now."""
        return Reply(
            lines=lines, url=self._companion.url, code=self._companion.join_code,
            seats=tuple(
                TableSeat(seat=chair.seat, name=chair.name, presence=self._presence(chair))
                for chair in self._host.lobby.chairs
            ),
        )  # fmt: skip

    def _remove(self, who: str) -> Reply:
        wanted = who.casefold()
        persons = [chair for chair in self._host.lobby.chairs if chair.kind == "person"]
        found = [chair for chair in persons if wanted in {chair.name.casefold(), chair.seat.casefold()}]
        if len(found) != 1:
            there = ", ".join(f"{chair.name} ({chair.seat})" for chair in persons) or "nobody"
            return Reply(refused=f"want one player by name or seat, found {who!r}; there: {there}")
        answer = self._host.remove(found[0].seat, self._now_us())
        if not answer.ok:
            return Reply(refused=answer.reason)
        return self._now((f"{found[0].name} has left the table, and their phone can no longer play.",))

    def _address(self) -> str:
        return f"join at {self._companion.url} with the code {self._companion.join_code}"

    def _players(self) -> list[str]:
        return [
            f"{chair.seat:7} {chair.name or '-':24} {self._presence(chair)}"
            for chair in self._host.lobby.chairs
        ]

    def _presence(self, chair: Chair) -> Literal["here", "away", "bot", "free"]:
        if chair.kind != "person":
            return "bot" if chair.kind == "bot" else "free"
        return "here" if self._companion.here.get(chair.seat) else "away"


def _socket_beside(journal: Path) -> Path:
    return journal.parent / f"{journal.stem}.host"  # whatever is named, also a folder


# --- at the terminal ---


def run(options: argparse.Namespace) -> int:
    """Ask the table, print its answer; status 1 if no table is open or it refuses."""
    path = _socket(options)
    asked = {
        "players": Players(), "remove": Remove(who=" ".join(options.who)), "new-code": NewCode(),
    }[options.what]  # fmt: skip
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(_WAIT_S)
            line.connect(str(path))
            line.sendall(msgspec.json.encode(asked) + b"\n")
            with line.makefile("rb") as reading:
                reply = msgspec.json.decode(reading.readline(), type=Reply)
    except PermissionError:
        told = f"{path}: want the table's own user or root: sudo hextraction host"
    except (OSError, *UNREADABLE):
        told = (
            f"no table is open at {path}; name its configuration with --config, or its journal with --journal"
        )
    else:
        if not options.json:
            print("\n".join(reply.lines), end="\n" if reply.lines else "")
        elif not reply.refused:
            done = reply.lines if options.what == "remove" else ()
            tell(TableNow(url=reply.url, code=reply.code, seats=reply.seats, told=done))
        if not reply.refused:
            return 0
        told = reply.refused
    print(f"hextraction host: {told}", file=sys.stderr)
    return 1


def _socket(options: argparse.Namespace) -> Path:
    """Return where the table listens: the one that is named, the installed one, or the one opened last."""
    if options.journal is not None:
        return _socket_beside(options.journal)
    config = options.config
    if config is None and _INSTALLED.exists():
        config = _INSTALLED
    if config is not None:
        try:
            return _socket_beside(Path(read_config(config).journal))
        except (SettingsError, PermissionError):
            if options.config is not None:
                raise
            return Path("/var/lib/hextraction/games.host")
    found = sorted(default_state_folder().glob("*.host"), key=lambda path: path.stat().st_mtime)
    return found[-1] if found else default_state_folder() / "games.host"

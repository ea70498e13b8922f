"""The gate: one port of ours for the page, for joining, and for the phones' MQTT over a websocket.

It stands between the network and the broker, because Mosquitto serves no usable page, checks no ``Origin``
and cannot bind a client id to a user. Rules of this room:

1. Nothing from the network is believed: names (421), origins (403), sizes (413, 431), rates (429), deadlines.
2. Strangers, watchers and seats have budgets of their own (:mod:`.circles`); none takes another's room.
   Who sends more than a phone has to say is read more slowly, and nobody else notices.
3. A request is answered from a fixed table; there are no paths on disk, and nothing secret is in a URL.
4. A broken connection is counted, never an error of ours.
"""

import asyncio
import contextlib
import errno
import functools
import logging
import os
import socket
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Final, TypeVar

import msgspec
from hextraction.controller.payloads.messages import JoinRequest, Load, SeatKey
from hextraction.controller.phones.addresses import own_address, page_address, place, plain_address
from hextraction.controller.phones.admission import (
    Allowance,
    Crowd,
    Login,
    Names,
    Rate,
    Visitor,
    group,
    name_and_port,
)
from hextraction.controller.phones.doorkeeper import Doorkeeper, GateSettings, Noticeboard, Turned
from hextraction.controller.phones.http import (
    MOST_HEAD,
    BadRequestError,
    Request,
    answer,
    decline,
    kept,
    read_head,
)
from hextraction.controller.phones.metrics import CONTENT_TYPE, Metrics
from hextraction.controller.phones.page_files import Asset, Page
from hextraction.controller.phones.qr import qr_svg
from hextraction.controller.phones.websocket import Proxy, SlowError, drained
from hextraction.settings.plain import UNREADABLE

__all__ = ["Gate"]

LOG = logging.getLogger(__name__)

T = TypeVar("T")
MOST_BODY: Final = 2048
_LATELY_S: Final = 60
_MOST_WAIT_S: Final = 2.0
"""Whoever would have to wait longer is turned away."""
_IDLE_S: Final = 5.0
"""So long a connection whose request was answered waits for the next one: a page's files come in a second."""
_IN_VAIN: Final = frozenset({"connect_refused", "connect_malformed", "packet_refused"})
_ANOTHER_NAME: Final = "This board has another name."
_IT_IS_HERE: Final = "It answers at:"
_ADD_THE_NAME: Final = (
    "To use this name too, put it into the board's configuration file and start the board again:"
)
_A_MOMENT_S: Final = 0.05
_WAITING: Final = 256
"""New connections that the kernel keeps waiting meanwhile."""
_QR: Final = "/qr.svg"
_SQUARES: Final = 16
"""So many QR codes are kept, and drawn at once: one takes as much of the loop as ten files."""
_SCHEME: Final = "code"
_POSTED: Final = frozenset({"/join", "/take-back", "/key"})


def _why_not(host: str, port: int, error: OSError) -> OSError:
    """Return the error with what to change in its message."""
    where = "[page] host and port in the configuration, or --host and --port"
    if error.errno == errno.EADDRINUSE:
        said = f"port {port} is taken; choose another with --port, or [page] port in the configuration"
    elif error.errno == errno.EACCES:
        said = f"port {port} is not for this user; choose 1024 or more with --port, or [page] port"
    elif isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        said = f"this machine has no address {host!r} now ({where}); 0.0.0.0 means all it has"
        return OSError(errno.EADDRNOTAVAIL, said)
    else:
        said = f"cannot listen on {place(host, port)} ({where}): {error.strerror or error}"
    return OSError(error.errno, said)


class _StrangeNameError(Exception):
    """A request is for a host that is not us."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.host)
        self.request = request


class Gate:
    """The server. ``counters`` says what came and what was turned away."""

    def __init__(
        self,
        settings: GateSettings,
        doorkeeper: Doorkeeper,
        notices: Noticeboard,
        page: Page,
        metrics: Metrics | None = None,
    ) -> None:
        host = socket.gethostname().partition(".")[0]
        self.counters: Counter[str] = Counter()
        self._settings = settings
        self._doorkeeper = doorkeeper
        self._notices = notices
        self._page = page
        self._names = Names(host, settings.names)
        self._joins = Rate(10, 1 / 3)
        self._arrivals = Rate(settings.circles.burst_arrivals, settings.circles.arrivals_per_s)
        self._crowd = Crowd(settings.circles)
        self._wrong_logins = Rate(20, 1)
        self._strange_names = Rate(3, 1 / 60)
        self._drawings = Rate(_SQUARES, 1 / 2)
        self._squares: dict[str, bytes] = {}
        """The QR codes drawn last, by what they say."""
        self._floods: deque[float] = deque(maxlen=100)
        self._server: asyncio.Server | None = None
        self._doors: list[asyncio.Task[None]] = []
        self._serving: set[asyncio.Task[None]] = set()
        self._routes: Mapping[tuple[str, str], Callable[[Request], bytes]] = {
            ("GET", "/session"): self._session,
            ("GET", "/health"): self._health,
            ("GET", "/evening"): self._evening,
            ("GET", "/diag"): self._diag,
        }
        if metrics is not None:
            self._routes = {**self._routes, ("GET", "/metrics"): _scraped(metrics)}

    @property
    def port(self) -> int:
        """The port it listens on."""
        if self._server is None or not self._server.sockets:
            return self._settings.port
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def phones(self) -> int:
        """How many connections of seats' phones and of watchers there are."""
        return self._crowd.count(Login.SEAT) + self._crowd.count(Login.WATCHER)

    def load(self) -> Load:
        """Return how many connections each circle has, and how many were slowed in the last minute."""
        since_s = asyncio.get_running_loop().time() - _LATELY_S
        return Load(
            strangers=self._crowd.count(Login.NONE),
            watchers=self._crowd.count(Login.WATCHER),
            seats=self._crowd.count(Login.SEAT),
            slowed=sum(at_s >= since_s for at_s in self._floods),
        )

    async def start(self) -> None:
        """Begin to listen.

        Raises:
            OSError: the port is taken, or the host is no address of this machine (yet); the message says
                what to change.
        """
        host, port = self._settings.host, self._settings.port
        try:
            # It only binds: asyncio would take 256 connections in one turn, and an edge waits for them.
            self._server = await asyncio.start_server(self._arrive, host, port, start_serving=False)
            doors = [socket.socket(fileno=os.dup(bound.fileno())) for bound in self._server.sockets]
            for listening in doors:
                listening.listen(_WAITING)
        except OSError as error:
            raise _why_not(host, port, error) from error
        for listening in doors:
            listening.setblocking(False)  # noqa: FBT003 - the socket's own word
            door = asyncio.create_task(self._open_door(listening))
            door.add_done_callback(lambda _done, listening=listening: listening.close())  # type: ignore[misc]
            self._doors.append(door)

    async def _open_door(self, listening: socket.socket) -> None:
        """Take one connection in a turn; whoever has far too many is turned away before it costs anything."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                line, peer = await loop.sock_accept(listening)
            except OSError:  # it has gone already, or we have no room for more files
                await asyncio.sleep(_A_MOMENT_S)
                continue
            address = group(peer[0])
            wait_s = self._arrivals.wait_s(address, loop.time(), _MOST_WAIT_S)
            if wait_s >= _MOST_WAIT_S:
                line.close()
                self._note_crowd(address, "turned_away")
                continue
            reader = asyncio.StreamReader(limit=MOST_HEAD)
            arrive = functools.partial(self._arrive, wait_s=wait_s)
            protocol = asyncio.StreamReaderProtocol(reader, arrive)
            try:
                await loop.connect_accepted_socket(lambda made=protocol: made, line)  # type: ignore[misc]
            except (OSError, asyncio.CancelledError) as error:
                line.close()
                if not isinstance(error, OSError):
                    raise

    async def close(self) -> None:
        """Stop listening and drop everybody."""
        if self._server is not None:
            self._server.close()
        for task in (*self._doors, *self._serving):
            task.cancel()
        await asyncio.gather(*self._doors, *self._serving, return_exceptions=True)
        await asyncio.sleep(0)  # the transports close in the loop's next turn

    # --- one connection -------------------------------------------------------------------------------------

    async def _arrive(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, wait_s: float = 0.0
    ) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101  # asyncio runs this as a task
        self._serving.add(task)
        peer = writer.get_extra_info("peername") or ("",)
        visitor = Visitor(group(peer[0]), lambda: _cancel(task))
        try:
            self._crowd.enter(visitor)
            if wait_s:
                self._note_crowd(visitor.address, "paced")
                await asyncio.sleep(wait_s)
            await self._serve_visitor(visitor, reader, writer)
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            self._serving.discard(task)
            self._crowd.leave(visitor)
            writer.close()

    async def _serve_visitor(
        self, visitor: Visitor, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            await self._serve(visitor, reader, writer)
        except SlowError:
            self.counters["slow"] += 1
            writer.transport.abort()
        except (OSError, EOFError, asyncio.IncompleteReadError):
            self.counters["broken"] += 1
        except Exception:
            self.counters["failed"] += 1
            LOG.exception("a request could not be served")

    def _note_crowd(self, address: str, counter: str) -> None:
        """Count who opens connection after connection, and say so once a second at most."""
        if self._note(counter):
            LOG.warning("%s opens connection after connection and has to wait", address)

    def _note(self, counter: str) -> bool:
        """Count who does far more than a phone; return whether to say so: once a second at most."""
        now_s = asyncio.get_running_loop().time()
        self.counters[counter] += 1
        if self._floods and now_s - self._floods[-1] <= 1:
            return False
        self._floods.append(now_s)
        return True

    async def _serve(
        self, visitor: Visitor, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve requests one after the other, each counted like a new connection, or a websocket."""
        patience_s, asked = self._settings.head_s, 0
        while await self._serve_one(visitor, reader, writer, patience_s, first=not asked):
            asked += 1
            loop = asyncio.get_running_loop()
            wait_s = self._arrivals.wait_s(visitor.address, loop.time(), _MOST_WAIT_S)
            if wait_s >= _MOST_WAIT_S:
                return self._note_crowd(visitor.address, "turned_away")
            if wait_s:
                self._note_crowd(visitor.address, "paced")
                await asyncio.sleep(wait_s)
            patience_s = min(_IDLE_S, self._settings.head_s)
        return None

    async def _serve_one(
        self,
        visitor: Visitor,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        patience_s: float,
        *,
        first: bool,
    ) -> bool:
        """Answer one request; return whether another one may follow."""
        stays = False
        try:
            request = await self._read(reader, writer, patience_s)
            self._check(request)
            if request.wants_websocket and request.path == "/mqtt":
                await self._proxy(request, visitor, reader, writer)
                return False
            reply = await self._answer(request, visitor.address, reader)
            stays = request.may_stay
        except _StrangeNameError as error:
            reply = self._lead_home(error.request)
        except BadRequestError as error:
            self.counters[f"http_{error.status.value}"] += 1
            reply = decline(error.status, error.reason)
        except (TimeoutError, asyncio.IncompleteReadError) as error:
            if not first:  # who has what it wanted says no more, or goes
                return False
            if not isinstance(error, TimeoutError):
                raise
            self.counters["too_late"] += 1
            reply = decline(HTTPStatus.REQUEST_TIMEOUT, "That took too long.")
        writer.write(kept(reply) if stays else reply)
        await drained(writer, self._settings.slow_s)
        if not stays:
            await _linger(reader, writer)
        return stays

    async def _read(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, patience_s: float
    ) -> Request:
        try:
            async with asyncio.timeout(patience_s):
                request = read_head(await reader.readuntil(b"\r\n\r\n"))
        except asyncio.LimitOverrunError as error:
            raise BadRequestError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "Too many headers.") from error
        local = (writer.get_extra_info("sockname") or ("",))[0]
        return replace(request, page=_dialled(request.host, local, self.port))

    def _check(self, request: Request) -> None:
        if not self._names.answers_to(request.host):
            raise _StrangeNameError(request)
        guarded = request.wants_websocket or request.method not in {"GET", "HEAD"}
        if guarded and not self._names.same_origin(request.headers.get("origin"), request.host):
            raise BadRequestError(HTTPStatus.FORBIDDEN, "Only the board's own page may do that.")

    def _lead_home(self, request: Request) -> bytes:
        """Tell whoever came by a name that is not ours where the board is, and how to make it one."""
        status = HTTPStatus.MISDIRECTED_REQUEST
        self.counters[f"http_{status.value}"] += 1
        name = name_and_port(request.host)[0]
        if self._strange_names.take("", asyncio.get_running_loop().time()):
            LOG.warning("asked for as %r: [page] names in the configuration may add that name", name[:80])
        if request.method != "GET" or request.wants_websocket:
            return decline(status, _ANOTHER_NAME)
        page = request.page or page_address(own_address(self._settings.host), self.port)
        return self._page.signpost(request, (_ANOTHER_NAME, _IT_IS_HERE, _ADD_THE_NAME), page, name)

    async def _answer(self, request: Request, address: str, reader: asyncio.StreamReader) -> bytes:
        self.counters["requests"] += 1
        if request.method == "POST" and request.path in _POSTED:
            return await self._posted(request, address, reader)
        asset = self._page.find(request.path)
        if asset is not None and request.method in {"GET", "HEAD"}:
            return self._file(request, asset)
        if (request.method, request.path) == ("GET", _QR):
            return self._qr(request, address)
        handler = self._routes.get((request.method, request.path))
        if handler is not None:
            return handler(request)
        known = asset is not None or any(path == request.path for _, path in self._routes)
        if known or request.path in {*_POSTED, _QR, "/mqtt"}:
            raise BadRequestError(HTTPStatus.METHOD_NOT_ALLOWED, "Not in this way.")
        raise BadRequestError(HTTPStatus.NOT_FOUND, "There is nothing here.")

    # --- the requests ---------------------------------------------------------------------------------------

    def _file(self, request: Request, asset: Asset) -> bytes:
        """Return a file of the page; the front page with what everybody may see in it."""
        if not self._page.is_front(asset):
            return self._page.serve(request, asset)
        glance = self._doorkeeper.glance()
        hints = self._page.hints(glance.table.kind if glance.table else "")
        return self._page.serve(request, self._page.front(glance), hints=hints)

    def _session(self, _request: Request) -> bytes:
        return _told(self._doorkeeper.session())

    def _health(self, _request: Request) -> bytes:
        """Answer 200 while all is well, 503 with the reasons in words if not: for people and for monitors."""
        health = self._notices.health(self.load())
        status = HTTPStatus.OK if health.ok else HTTPStatus.SERVICE_UNAVAILABLE
        return answer(status, msgspec.json.encode(health))

    def _evening(self, request: Request) -> bytes:
        return _told(self._notices.evening(request.page))

    def _diag(self, _request: Request) -> bytes:
        return _told(self._notices.diag())

    def _qr(self, request: Request, address: str) -> bytes:
        """Return the QR code of the page; who sends the join code gets it with that in it."""
        scheme, _, code = request.headers.get("authorization", "").partition(" ")
        if scheme and not self._joins.take(address, asyncio.get_running_loop().time()):
            return self._too_many()
        shown = self._doorkeeper.invitation(request.page, code if scheme.lower() == _SCHEME else "")
        if shown is None:
            raise BadRequestError(HTTPStatus.FORBIDDEN, "That is not this table's code.")
        square = self._square(shown)
        return self._too_many() if square is None else answer(HTTPStatus.OK, square, kind="image/svg+xml")

    def _square(self, shown: str) -> bytes | None:
        """Return a QR code; None if too many others had to be drawn: each address dialled has its own."""
        found = self._squares.pop(shown, None)
        if found is None and not self._drawings.take("", asyncio.get_running_loop().time()):
            return None
        self._squares[shown] = square = found or qr_svg(shown)
        if len(self._squares) > _SQUARES:
            del self._squares[next(iter(self._squares))]
        return square

    def _too_many(self) -> bytes:
        self.counters["http_429"] += 1
        reason = "Too many tries. Wait a moment."
        return decline(HTTPStatus.TOO_MANY_REQUESTS, reason, headers={"Retry-After": "3"})

    async def _posted(self, request: Request, address: str, reader: asyncio.StreamReader) -> bytes:
        if request.path == "/key":  # no guess is worth trying, and the answer costs nothing: no limit
            return _told(self._doorkeeper.worth(await self._read_body(request, reader, SeatKey)))
        if not self._joins.take(address, asyncio.get_running_loop().time()):
            return self._too_many()
        if request.path == "/join":
            outcome = await self._doorkeeper.join(await self._read_body(request, reader, JoinRequest))
        else:
            outcome = await self._doorkeeper.take_back(await self._read_body(request, reader, SeatKey))
        self.counters["joins_refused" if isinstance(outcome, Turned) else "joins"] += 1
        return _told(outcome)

    async def _read_body(self, request: Request, reader: asyncio.StreamReader, kind: type[T]) -> T:
        if not request.headers.get("content-type", "").lower().startswith("application/json"):
            raise BadRequestError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "JSON, please.")
        async with asyncio.timeout(self._settings.head_s):
            body = await reader.readexactly(request.length(MOST_BODY))
        try:
            return msgspec.json.decode(body, type=kind)
        except UNREADABLE as error:
            raise BadRequestError(HTTPStatus.BAD_REQUEST, f"Not a join: {error}") from error

    async def _proxy(
        self, request: Request, visitor: Visitor, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        upstream = self._doorkeeper.upstream()
        if upstream is None:
            self.counters["broker_away"] += 1
            writer.write(
                decline(
                    HTTPStatus.SERVICE_UNAVAILABLE,
                    "Phones cannot reach this table now: its message broker does not run.",
                )
            )
            return await drained(writer, self._settings.slow_s)

        allowance = Allowance(self._settings.circles.stranger)
        known: list[str] = []

        def know(user: str) -> bool:
            login = self._login(user)
            if not self._crowd.log_in(visitor, login, user):
                if self._note("no_room"):
                    LOG.warning("there is no room for one more phone with a seat: %s", visitor.address)
                return False
            circles = self._settings.circles
            allowance.become(circles.seat if login is Login.SEAT else circles.watcher)
            known.append(user)
            self._doorkeeper.came(user, request.page)
            return True

        def slowed() -> None:
            if self._note("held_back"):
                LOG.warning("%s sends far more than a phone has to say and is read slowly", visitor.address)

        proxy = Proxy(
            reader,
            writer,
            upstream=upstream,
            admits=self._doorkeeper.admits,
            on_known=know,
            allowance=allowance,
            on_slowed=slowed,
            connect_s=self._settings.connect_s,
            slow_s=self._settings.slow_s,
            patience_s=self._settings.patience_s,
        )
        try:
            self._count_end(await proxy.run(request), visitor.address)
        finally:
            for user in known:
                self._doorkeeper.went(user)

    def _count_end(self, ended: str, address: str) -> None:
        self.counters[ended] += 1
        in_vain = ended in _IN_VAIN and not self._wrong_logins.take("", asyncio.get_running_loop().time())
        if in_vain and self._note("logins_in_vain"):
            LOG.warning("%s tries to log in again and again", address)

    def _login(self, user: str) -> Login:
        return Login.WATCHER if self._doorkeeper.is_watcher(user) else Login.SEAT


def _scraped(metrics: Metrics) -> Callable[[Request], bytes]:
    """Return what answers a Prometheus."""
    return lambda _request: answer(HTTPStatus.OK, metrics.text(), kind=CONTENT_TYPE)


def _dialled(host: str, local: str, port: int) -> str:
    """Return the page's address for whoever asked for ``host`` and came in at ``local``; empty if unknown.

    Behind NAT the host's digits are right and the local address is not; a name is not understood by every
    phone, and an address of this machine for itself by none.
    """
    name, asked_port = name_and_port(host)
    for address, at in ((name, int(asked_port or 80)), (local.partition("%")[0], port)):
        found = plain_address(address)
        if found is not None and not (found.is_loopback or found.is_unspecified or found.is_link_local):
            return page_address(str(found), at)
    return ""


def _told(outcome: msgspec.Struct | Turned) -> bytes:
    """Return what the doorkeeper said as an answer."""
    if isinstance(outcome, Turned):
        return decline(outcome.status, outcome.reason)
    return answer(HTTPStatus.OK, msgspec.json.encode(outcome))


def _cancel(task: "asyncio.Task[None]") -> None:
    task.cancel()


async def _linger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Let the other side read the answer before the connection goes, even if it is still sending."""
    if writer.can_write_eof():
        writer.write_eof()
    with contextlib.suppress(TimeoutError, OSError):
        async with asyncio.timeout(2.0):
            while await reader.read(MOST_HEAD):
                pass

"""A fake table for the phone page: it serves the page's files, a real broker and sample payloads.

The HTTP side is the smallest that the page needs (``/session``, ``/join``, the files, and ``/mqtt`` handed through
to the broker's websocket listener); the real one is the gate.
"""

import asyncio
import contextlib
import functools
import getpass
import json
import queue
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Self

import msgspec
import paho.mqtt.client as mqtt
from helpers.page.samples import info, state, table
from helpers.places import ROOT
from helpers.ports import free_port
from hextraction.controller.payloads.messages import Evening, Glance, Reply, Status, View
from hextraction.controller.phones.page_files import BUILT, Page
from hextraction.controller.phones.qr import qr_svg

PAGE = ROOT / "controller" / "page"
PREFIX = "hextraction/fake"
SEATS = ("p1", "p2", "p3")
USERS = {"controller": "secret", "watch": "open", "p1": "key-1", "p2": "key-2", "p3": "key-3"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PAGES = {"tv": "tv.html", "history": "history.html"}
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".txt": "text/plain",
}
_BROKER = """
listener {tcp} 127.0.0.1
set_tcp_nodelay true
listener {ws} 127.0.0.1
protocol websockets
allow_anonymous false
password_file {folder}/users
acl_file {folder}/acl
persistence false
connection_messages false
log_dest stderr
log_type notice
log_type information
user {user}
"""
_ACL = "".join(
    (
        "user controller\ntopic readwrite #\n",
        *(
            f"\nuser {user}\n"
            + "".join(
                f"topic read {PREFIX}/{name}\n" for name in ("status", "info", "table", "state", "event")
            )
            for user in ("watch", *SEATS)
        ),
        f"\nuser watch\ntopic read {PREFIX}/odds\n",
        f"\npattern read {PREFIX}/player/%u/view\npattern read {PREFIX}/player/%u/reply\n",
        f"pattern write {PREFIX}/player/%u/cmd\npattern write {PREFIX}/player/%u/here\n",
    )
)


@functools.cache
def _hashed_users() -> str:
    """Return the broker's password file: the same for every table, so it is made once."""
    with tempfile.TemporaryDirectory() as folder:
        users = Path(folder) / "users"
        users.write_text("".join(f"{user}:{password}\n" for user, password in USERS.items()))
        subprocess.run(["mosquitto_passwd", "-U", str(users)], check=True, capture_output=True)
        return users.read_text()


@functools.cache
def _page(*, bundle: bool) -> Page:
    """Return the page as phones get it; without the bundle where a test brings a game of its own."""
    if bundle:
        return Page.installed()
    files = {path.relative_to(PAGE).as_posix(): path for path in PAGE.rglob("*") if path.is_file()}
    return Page({name: path.read_bytes() for name, path in files.items() if not name.startswith(BUILT)})


class FakeTable:
    """Broker, gate and controller of a table that only shows samples. Use as a context manager.

    ``files`` are served beside those of the page, by their names, as another package's game has them. ``worth``
    says what keys are worth (theirs, if nothing is said), ``closed`` why no phone can come in; while it is
    ``deaf``, it hands nothing on to the broker, and nothing back.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tcp, self.ws, self.http = free_port(), free_port(), free_port()
        self.commands: queue.Queue[tuple[str, dict[str, Any]]] = queue.Queue()
        self.here: queue.Queue[tuple[str, bool]] = queue.Queue()
        self.joins: queue.Queue[dict[str, Any]] = queue.Queue()
        self.lost_joins = 0  # so many of the next joins are heard, but their answers are lost
        self.views: dict[str, View] = {}
        self.files: dict[str, str] = {}
        self.bundle = True  # False: the modules themselves, for who looks into one of them
        self.worth: dict[str, str] = {}
        self.closed = ""
        self.code = "HEXAGONS"
        self.address = ""  # what the square code says, if not where this table really is
        self.evening = Evening(events=(), games=())
        self.glance = Glance()
        self.deaf = False
        self.refuse: Reply | None = None
        self.silent = False
        self._kept: dict[str, msgspec.Struct] = {}
        self._online = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()

    def asked_to_join(self) -> dict[str, Any]:
        """Return what the next phone to join sent, apart from the word that it calls itself."""
        return {name: said for name, said in self.joins.get(timeout=60).items() if name != "phone"}

    @property
    def url(self) -> str:
        """Address of the page."""
        return f"http://127.0.0.1:{self.http}/"

    def __enter__(self) -> Self:
        self._write_broker_files()
        self._start_broker()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        self._client = self._connect()
        if not (self._online.wait(10) and self._ready.wait(10)):
            self.__exit__()
            raise RuntimeError("the fake table did not start")
        self.publish("status", Status(state="online", boot="b1", software="0"))
        self.publish("info", info())
        self.publish("table", table())
        self.publish("state", state())
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)
        self.stop_broker()

    def publish(self, name: str, payload: msgspec.Struct, *, retain: bool = True) -> None:
        """Publish a public payload; a retained one is published again after a restart of the broker."""
        if retain:
            self._kept[name] = payload
        self._client.publish(f"{PREFIX}/{name}", msgspec.json.encode(payload), qos=1, retain=retain)

    def show(self, seat: str, private: View) -> None:
        """Give a seat its private view, now and on each hello."""
        self.views[seat] = private
        self._client.publish(f"{PREFIX}/player/{seat}/view", msgspec.json.encode(private), qos=1)

    def command(self) -> tuple[str, dict[str, Any]]:
        """Return the next command that is no hello, as seat and payload."""
        while True:
            seat, payload = self.commands.get(timeout=60)
            if not payload.get("hello"):
                return seat, payload

    def stop_broker(self) -> None:
        """End the broker."""
        self._online.clear()
        self._broker.terminate()
        self._broker.wait(10)
        if self._broker.stderr is not None:
            self._broker.stderr.close()

    def start_broker_again(self) -> None:
        """Start the broker on the same ports and publish the retained payloads again."""
        self._start_broker()
        assert self._online.wait(20)
        for name, payload in self._kept.items():
            self.publish(name, payload)

    def _write_broker_files(self) -> None:
        users = self.folder / "users"
        users.touch(mode=0o600)
        users.write_text(_hashed_users())
        (self.folder / "acl").write_text(_ACL)
        (self.folder / "acl").chmod(0o600)
        (self.folder / "broker.conf").write_text(
            _BROKER.format(tcp=self.tcp, ws=self.ws, folder=self.folder, user=getpass.getuser())
        )

    def _start_broker(self) -> None:
        self._broker = subprocess.Popen(
            ["mosquitto", "-c", str(self.folder / "broker.conf")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._broker.stderr is not None
        said = iter(self._broker.stderr.readline, "")
        assert any("running" in line for line in said), "the broker did not start"

    def _connect(self) -> mqtt.Client:
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        client.username_pw_set("controller", USERS["controller"])
        client.reconnect_delay_set(1, 1)
        client.on_connect = self._connected
        client.on_message = self._received
        client.connect_async("127.0.0.1", self.tcp)
        client.loop_start()
        return client

    def _connected(self, client: mqtt.Client, *_: object) -> None:
        client.subscribe([(f"{PREFIX}/player/+/cmd", 1), (f"{PREFIX}/player/+/here", 1)])
        self._online.set()

    def _received(self, _client: mqtt.Client, _: object, message: mqtt.MQTTMessage) -> None:
        seat, kind = message.topic.split("/")[-2:]
        payload = json.loads(message.payload)
        if kind == "here":
            self.here.put((seat, payload["here"]))
            return
        self.commands.put((seat, payload))
        if not self.silent:
            self.answer(seat, payload)

    def answer(self, seat: str, payload: dict[str, Any]) -> None:
        """Answer a command: as ``refuse`` says, if there is one, unless it is a hello."""
        reply = Reply(id=payload["id"], ok=True, code="ok")
        if self.refuse and not payload.get("hello"):
            reply = msgspec.structs.replace(self.refuse, id=payload["id"])
        self._client.publish(f"{PREFIX}/player/{seat}/reply", msgspec.json.encode(reply), qos=1)
        if payload.get("hello") and seat in self.views:
            self.show(seat, self.views[seat])

    # --- HTTP ---

    def _serve(self) -> None:
        try:
            self._loop.run_until_complete(self._serving())
        finally:
            self._loop.close()

    async def _serving(self) -> None:
        self._stop = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._lines: set[asyncio.WriteTransport] = set()
        server = await asyncio.start_server(self._begin, "127.0.0.1", self.http)
        self._ready.set()
        await self._stop.wait()
        server.close()
        await _some_turns()  # whoever came last begins
        while tasks := tuple(self._tasks):
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await _some_turns()  # the transports close in the loop's next turns
        for line in self._lines:
            line.abort()  # nobody waits until a visitor has read what is still on its way
        await _some_turns()

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a visitor in a task; the connection is closed even if that is cancelled before its first step."""
        self._lines.add(writer.transport)
        task = asyncio.create_task(self._visit(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _done: writer.close())

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                head = await reader.readuntil(b"\r\n\r\n")
                method, path, _ = head.split(b"\r\n", 1)[0].decode().split(" ")
                if path == "/mqtt":
                    await self._pass_on(head, reader, writer)
                else:
                    writer.write(await self._answer(method, path, head, reader))
                    await writer.drain()
        finally:
            writer.close()

    async def _pass_on(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.ws)
        up_writer.write(head)
        ways = [
            asyncio.ensure_future(self._pump(reader, up_writer)),
            asyncio.ensure_future(self._pump(up_reader, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            up_writer.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Copy bytes until one side ends; while the table is deaf they are lost, as in a dead network."""
        while chunk := await reader.read(65536):
            if not self.deaf:
                writer.write(chunk)
                await writer.drain()

    async def _answer(self, method: str, path: str, head: bytes, reader: asyncio.StreamReader) -> bytes:
        if self.closed and path in {"/session", "/key", "/join"}:
            return response(503, "application/json", encoded({"reason": self.closed}))
        if path == "/session":
            return response(
                200,
                "application/json",
                encoded({"board": "fake", "prefix": PREFIX, "user": "watch", "password": "open"}),
            )
        if path == "/evening":
            return response(200, "application/json", msgspec.json.encode(self.evening))
        if path == "/qr.svg":
            wrong = b"uthorization: Code " in head and f"Code {self.code}".encode() not in head
            return response(403 if wrong else 200, "image/svg+xml", qr_svg(self.address or self.url))
        if method == "POST":
            size = next(
                int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")
            )
            body = json.loads(await reader.readexactly(size))
            if path == "/key":
                return response(
                    200, "application/json", encoded({"state": self.worth.get(body["user"], "yours")})
                )
            return self._join(body) if path == "/join" else self._give_back(body)
        name = path.split("?", maxsplit=1)[0].strip("/") or "index.html"
        name = PAGES.get(name, name)
        if name in self.files:
            return response(200, TYPES[Path(name).suffix], self.files[name].encode())
        page = _page(bundle=self.bundle and not any(one.endswith(".js") for one in self.files))
        asset = page.find(f"/{name}")
        if asset is None:
            return response(404, "text/plain", b"not here")
        if page.is_front(asset):
            asset = page.front(self.glance)
        return response(200, asset.kind, asset.plain)

    def _give_back(self, key: dict[str, Any]) -> bytes:
        self.worth[key["user"]] = "yours"
        return response(200, "application/json", encoded({"seat": key["user"], **key, "prefix": PREFIX}))

    def _join(self, wish: dict[str, Any]) -> bytes:
        self.joins.put(wish)
        if self.lost_joins:
            self.lost_joins -= 1
            return b""
        if wish["code"] != "HEX":
            return response(
                403, "application/json", encoded({"reason": "That is not the code shown at the table."})
            )
        seat = wish.get("seat") or "p1"
        return response(
            200,
            "application/json",
            encoded({"seat": seat, "user": seat, "password": USERS[seat], "prefix": PREFIX}),
        )


async def _some_turns() -> None:
    """Let the loop turn often enough for a connection to be accepted, greeted and begun, or to close."""
    for _turn in range(10):
        await asyncio.sleep(0)


def encoded(body: dict[str, Any]) -> bytes:
    """Return JSON."""
    return json.dumps(body).encode()


def response(status: int, kind: str, body: bytes) -> bytes:
    """Return a whole HTTP answer, with the policy that the gate sets."""
    head = (
        f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
        f"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nContent-Security-Policy: {POLICY}\r\n\r\n"
    )
    return head.encode() + body

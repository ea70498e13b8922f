"""A gate with an echo in the broker's place, and who asks it: requests over plain sockets, and websockets."""

import asyncio
import contextlib
from http import HTTPStatus

from helpers.places import ROOT
from hextraction.controller.payloads.messages import (
    Diag,
    Evening,
    Glance,
    HealthReport,
    Joined,
    KeyState,
    Session,
)
from hextraction.controller.phones.broker import ExternalBroker
from hextraction.controller.phones.doorkeeper import GateSettings, Turned
from hextraction.controller.phones.gate import Gate
from hextraction.controller.phones.page_files import Page
from websockets.asyncio.client import connect

PAGE = Page(
    {
        "index.html": b"<!doctype html>"
        + b"<p>board</p>" * 50
        + b'<ul id="seats"></ul><script type="application/json" id="glance"></script>',
        "app.js": b"export const a = 1;\n" * 50,
        "start.js": b"export {}",
        "style.css": b"p { margin: 0 }",
        "games/ring.js": b"export default {}",
        "icon.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "words/de.json": (ROOT / "controller" / "page" / "words" / "de.json").read_bytes(),
        "secret.py": b"token = 1",
    }
)


def field(data: bytes) -> bytes:
    """Return bytes with their length before them."""
    return len(data).to_bytes(2) + data


def mqtt_connect(
    *, client=b"me", user=b"red.1", password=b"pw", will=True, version=5, clean=True, props=b""
) -> bytes:
    """Return a CONNECT packet; ``props`` are its properties in MQTT 5."""
    props = bytes([len(props)]) + props if version == 5 else b""
    none = b"\x00" if version == 5 else b""
    flags = 0xC0 | (0x2C if will else 0) | (0x02 if clean else 0)
    body = field(b"MQTT") + bytes([version, flags, 0, 30]) + props + field(client)
    body += (none + field(b"a/here") + field(b"{}")) if will else b""
    body += field(user) + field(password)
    assert len(body) < 128
    return bytes([0x10, len(body)]) + body


class Doorkeeper:
    """What stands behind the gate in these tests."""

    def __init__(self):
        self.broker = None
        self.logged_in, self.gone, self.dialled = [], [], []
        self.shows = {}

    def session(self):
        return Session(board="den", prefix="hextraction/den", user="watch", password="w")

    def glance(self):
        return Glance(session=self.session(), **self.shows)

    async def join(self, request):
        if request.code != "GOOD":
            return Turned(status=HTTPStatus.FORBIDDEN, reason="no")
        return Joined(seat="red", user="red.1", password="p", prefix="hextraction/den")

    async def take_back(self, key):
        return Turned(status=HTTPStatus.FORBIDDEN, reason="no")

    def worth(self, key):
        return KeyState(state="yours" if key.user == "red.1" else "forgotten")

    def is_watcher(self, user):
        return user == "watch"

    def health(self, load):
        return HealthReport(ok=not load.slowed, load=load)

    def upstream(self):
        return self.broker

    def admits(self, user, token):
        return (user, token) in {("red.1", b"pw"), ("watch", b"w")}

    def came(self, user, page):
        self.logged_in.append(user)
        self.dialled.append(page)

    def went(self, user):
        self.gone.append(user)

    def invitation(self, page, code=""):
        page = page or "http://10.0.0.5:8080/"
        return {"": page, "GOODCODE": f"{page}#j=GOODCODE"}.get(code)

    def diag(self):
        return Diag(values={"edges": 7})

    def evening(self, page):
        return Evening(events=(), games=(), address=page or "http://10.0.0.5:8080/")


async def echo(reader, writer):
    """Welcome a client and send everything back that comes after its first packet."""
    with contextlib.closing(writer), contextlib.suppress(ConnectionError):
        head = await reader.readexactly(2)
        await reader.readexactly(head[1])
        writer.write(b"\x20\x03\x00\x00\x00")
        while data := await reader.read(4096):
            writer.write(data)
            await writer.drain()


@contextlib.asynccontextmanager
async def gate(**how):
    """Run a gate with an echo in the place of the broker."""
    doorkeeper = Doorkeeper()
    broker = await asyncio.start_server(echo, "127.0.0.1", 0)
    doorkeeper.broker = ExternalBroker(host="127.0.0.1", port=broker.sockets[0].getsockname()[1])
    server = Gate(GateSettings(host="127.0.0.1", port=0, **how), doorkeeper, doorkeeper, PAGE)
    await server.start()
    server.doorkeeper = doorkeeper
    try:
        yield server
    finally:
        await server.close()
        broker.close()
        await settled()


async def settled():
    """Let the loop finish what is closing."""
    for _ in range(20):
        await asyncio.sleep(0)


async def raw(server, data: bytes) -> tuple[int, dict[str, str], bytes]:
    """Send bytes and return the answer: status, headers, body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(data)
    async with asyncio.timeout(5):
        whole = await reader.read()
    writer.close()
    head, _, body = whole.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split()[1]), headers, body


async def get(server, path, *, host=None, method="GET", body=b"", **headers):
    """Send a request and return the answer."""
    fields = {"Host": host or f"127.0.0.1:{server.port}", "Connection": "close", **headers}
    if body:
        fields.setdefault("Content-Length", str(len(body)))
        fields.setdefault("Content-Type", "application/json")
    lines = "".join(
        f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items() if value is not None
    )
    return await raw(server, f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body)


def playing(play, **how):
    """Play against a running gate."""

    async def whole():
        async with gate(**how) as server:
            await play(server)

    asyncio.run(whole())


def socket_to(server, **how):
    """Open a websocket as a page would."""
    return connect(f"ws://127.0.0.1:{server.port}/mqtt", subprotocols=["mqtt"], compression=None, **how)

"""A companion with a broker and a gate of its own, and phones around it: real MQTT clients.

Each table has a folder and free ports of its own, so tests with tables may run side by side.
"""

import asyncio
import contextlib
import json
import os
import threading
from http.client import HTTPConnection
from urllib.parse import urlsplit
from urllib.request import urlopen

from helpers.waiting import happens
from hextraction.controller.games.scene import PrivateView, Scene
from hextraction.controller.payloads.messages import Info, Reply, State, View
from hextraction.controller.phones.broker import PrivateBroker
from hextraction.controller.phones.circles import CIRCLES
from hextraction.controller.phones.companion import Companion
from hextraction.controller.phones.doorkeeper import GateSettings
from hextraction.controller.phones.page_files import Page
from hextraction.controller.table.lobby import Lobby
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

INFO = Info(
    board="std22",
    title="Test",
    pitch_mm=60.0,
    slots=(),
    electronics=False,
    simulated=True,
    game="g",
    software="t",
)
PUBLIC = Scene(kind="g", headline="h", turn=1, active="red", acting="red", seats=(), places=())


def state(seq: int) -> State:
    """Return a snapshot."""
    return State(game="g1", seq=seq, at_us=seq, view=PUBLIC)


def view(seat: str) -> View:
    """Return a private view with a secret in it."""
    return View(
        game="g1",
        seq=1,
        view=PrivateView(seat=seat, hand=(), options=(), prompts=(), owed=(f"secret of {seat}",)),
    )


class OpenBroker(PrivateBroker):
    """A Mosquitto without the plugin: everybody may say everything."""

    def configuration(self):
        root = "user root\n" if os.geteuid() == 0 else ""
        return f"listener {self.address.port} 127.0.0.1\nallow_anonymous true\n{root}"


class Phone:
    """A client with a seat's token, over the gate's websocket as a browser would, or over TCP."""

    def __init__(self, port, login, *, name="phone", will=None, tcp=None, kept_s=0):
        self.messages: list[tuple[str, bytes, bool]] = []
        self.grants: list[str] = []
        self.codes: list[int] = []
        self.remembered = False
        """Whether the broker had kept a session for it."""
        self.up, self.down, self.subscribed = threading.Event(), threading.Event(), threading.Event()
        self.client = Client(
            CallbackAPIVersion.VERSION2,
            name,
            protocol=MQTTProtocolVersion.MQTTv5,
            transport="tcp" if tcp else "websockets",
        )
        if not tcp:
            self.client.ws_set_options(path="/mqtt")
        self.client.username_pw_set(login["user"], login["password"])
        if will:
            self.client.will_set(*will)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = self._connected
        self.client.on_disconnect = lambda *_: self.down.set()
        self.client.on_subscribe = self._granted
        self.client.on_message = lambda _c, _u, m: self.messages.append((m.topic, m.payload, m.retain))
        asked = Properties(PacketTypes.CONNECT)
        asked.SessionExpiryInterval = kept_s
        self.client.connect_async("127.0.0.1", tcp or port, 30, clean_start=not kept_s, properties=asked)
        self.client.loop_start()

    def _connected(self, _client, _user, flags, code, _properties):
        self.codes.append(code.value)
        self.remembered = flags.session_present
        self.up.set()

    def _granted(self, _client, _user, _mid, codes, _properties):
        self.grants += [str(code) for code in codes]
        self.subscribed.set()

    async def subscribe(self, *topics):
        self.subscribed.clear()
        self.client.subscribe([(topic, 1) for topic in topics])
        await happens(self.subscribed.is_set)

    def topics(self):
        return {topic.removeprefix("hextraction/den/") for topic, _, _ in self.messages}

    def replies(self):
        return [json.loads(body) for topic, body, _ in list(self.messages) if topic.endswith("/reply")]

    def vanish(self):
        """Be gone without a word, as when a battery is empty."""
        self.client.loop_stop()
        self.client.socket().close()

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


def ask(port, method, path, body=None, headers=None):
    """Send an HTTP request and return status and JSON."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    data = None if body is None else json.dumps(body)
    connection.request(method, path, data, {"Content-Type": "application/json", **(headers or {})})
    with contextlib.closing(connection):
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def glance_at(port):
    """Return what the front page has in it of the table."""
    with urlopen(f"http://127.0.0.1:{port}/", timeout=60) as answer:
        return json.loads(answer.read().decode().split('id="glance">')[1].split("</script>")[0])


def port_of(companion):
    """Return the port that phones find the companion at."""
    return urlsplit(companion.url).port


def companion_at(
    broker, *, on_command=lambda *_: None, on_table=None, keep=None, circles=CIRCLES, house=None
):
    """Return a companion of the board den, its gate on a free port."""
    return Companion(
        board_id="den",
        info=INFO,
        broker=broker,
        gate=GateSettings(host="127.0.0.1", port=0, circles=circles),
        lobby=Lobby(),
        on_command=on_command,
        on_table=on_table,
        page=Page({"index.html": b'<!doctype html><script type="application/json" id="glance"></script>'}),
        keep=keep,
        house=house,
    )


class Table:
    """A companion with a broker of its own, and the phones around it."""

    def __init__(self, companion, broker, heard):
        self.companion = companion
        self.broker = broker
        self.heard = heard
        self.phones = []

    @property
    def port(self):
        return port_of(self.companion)

    async def join(self, **body):
        body = {"code": self.companion.join_code, "name": "Anna", **body}
        return await asyncio.to_thread(ask, self.port, "POST", "/join", body)

    async def sit(self, *, login=None, **how):
        if login is None:
            status, login = await self.join()
            assert status == 200
        phone = Phone(self.port, login, **how)
        self.phones.append(phone)
        await happens(phone.up.is_set)
        phone.login = login
        phone.at = f"{login['prefix']}/player/{login.get('seat')}"
        return phone

    async def watch(self, **how):
        _, login = await asyncio.to_thread(ask, self.port, "GET", "/session")
        return await self.sit(login=login, **how)


@contextlib.asynccontextmanager
async def table(
    folder, *, on_command=None, on_table=None, broker=None, keep=None, opens=True, circles=CIRCLES, house=None
):
    """Run a companion, with a broker of its own unless another is given; ``opens``: whether phones may join."""
    heard = []

    def hear(seat, command):
        heard.append((seat, command))
        more = {"reason": companion.seat_code(seat)} if command.table == {"do": "phone"} else {}
        companion.reply(seat, Reply(id=command.id, ok=True, code="ok", **more))

    broker = broker or PrivateBroker(folder / "broker")
    companion = companion_at(
        broker, on_command=on_command or hear, on_table=on_table, keep=keep, circles=circles, house=house
    )
    await companion.start()
    here = Table(companion, broker, heard)
    try:
        assert await companion.opened(60 if opens else 0.05) is opens
        yield here
    finally:
        for phone in here.phones:
            await asyncio.to_thread(phone.close)
        await companion.close()


def hello(name="h1"):
    """Return a hello."""
    return {"id": name, "hello": True}

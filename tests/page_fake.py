"""A fake table for the phone page: it serves the page's files, a real broker and sample payloads.

The HTTP side is the smallest that the page needs (``/session``, ``/join``, the files, and ``/mqtt`` handed through
to the broker's websocket listener); the real one is the gate. Payloads are built with the real types.
"""

import asyncio
import contextlib
import functools
import getpass
import json
import queue
import socket
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Self

import msgspec
import paho.mqtt.client as mqtt
from hextraction.board.profile import STANDARD, load_board
from hextraction.controller.games import protocol as shown
from hextraction.controller.messages import (
    EdgeShape,
    Event,
    Info,
    Reply,
    SlotShape,
    State,
    Status,
    Table,
    TableSeat,
    View,
)

PAGE = Path(__file__).parents[1] / "controller" / "page"
PREFIX = "hextraction/fake"
SEATS = ("p1", "p2", "p3")
USERS = {"controller": "secret", "watch": "open", "p1": "key-1", "p2": "key-2", "p3": "key-3"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
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
        f"\npattern read {PREFIX}/player/%u/view\npattern read {PREFIX}/player/%u/reply\n",
        f"pattern write {PREFIX}/player/%u/cmd\npattern write {PREFIX}/player/%u/here\n",
    )
)


# --- samples --------------------------------------------------------------------------------------------------

STRAIGHT = ((1, 4),)
CROSS = ((1, 4), (2, 5), (3, 6))
TILES: dict[str, dict[str, Any]] = {
    "straight": {"title": "Straight", "channels": STRAIGHT},
    "bend": {"title": "Wide Bend", "channels": ((1, 3), (4, 6))},
    "split": {"title": "Splitter", "channels": ((1, 3, 5),)},
    "triple": {"title": "Three Curves", "channels": ((1, 2), (3, 4), (5, 6))},
    "cross": {"title": "Crossing", "channels": CROSS},
    "chime": {
        "title": "Bell",
        "channels": STRAIGHT,
        "trigger": "whole",
        "starred": True,
        "summary": "The board chimes once for each ball.",
    },
    "bomb": {
        "title": "Powder Keg",
        "channels": ((1, 4), (2, 6)),
        "trigger": "area",
        "starred": True,
        "summary": "Destroy all neighbouring tiles at once.",
        "keywords": ("unique",),
    },
    "odd": {"title": "Somebody's Own Contraption", "summary": "Nobody has published its channels."},
}


def tile(number: int, name: str, turns: int = 0, **more: Any) -> shown.TileView:
    """Return one of the sample tiles."""
    return shown.TileView(id=number, name=name, turns=turns, **{**TILES[name], **more})


def info(*, electronics: bool = True) -> Info:
    """Return the standard board."""
    board = load_board(STANDARD)
    slots = tuple(
        SlotShape(
            slot=slot.name,
            x_mm=slot.x_mm,
            y_mm=slot.y_mm,
            edges=tuple(EdgeShape(slot=e.slot, ramp=e.ramp, zone=e.zone) for e in slot.edges),
        )
        for slot in board.slots
    )
    return Info(
        board="fake",
        title=board.title,
        pitch_mm=board.pitch_mm,
        slots=slots,
        electronics=electronics,
        simulated=True,
        game="hextraction",
        software="0",
    )


def table(phase: str = "playing", *, second: str = "Bo", **more: Any) -> Table:
    """Return a table of three."""
    seats = (
        TableSeat(seat="p1", name="Ada", colour="red", kind="person", here=True),
        TableSeat(seat="p2", name=second, colour="blue", kind="person", here=True),
        TableSeat(seat="p3", name="Robin", colour="yellow", kind="bot"),
    )
    return Table(phase=phase, seats=more.pop("seats", seats), game="g1", **more)


LAID = {
    "A1": ("bend", 0),
    "A2": ("straight", 1),
    "A3": ("triple", 0),
    "B1": ("split", 0),
    "B2": ("chime", 0),
    "B3": ("cross", 0),
    "B4": ("bend", 2),
    "C1": ("straight", 5),
    "C2": ("bomb", 0),
    "C3": ("triple", 1),
    "C4": ("bend", 4),
    "D1": ("split", 1),
    "D2": ("odd", 0),
    "D3": ("straight", 0),
    "D4": ("cross", 0),
    "D5": ("straight", 0),
    "E1": ("bend", 5),
    "E3": ("chime", 1),
}
TOUCHES = {"B1": 1, "B2": 2, "B3": 3, "C3": 1, "D4": 5}


def public(**more: Any) -> shown.PublicView:
    """Return a public view in the middle of a roll."""
    board = load_board(STANDARD)
    slots = tuple(
        shown.SlotView(
            slot=name,
            tile=tile(i, LAID[name][0], LAID[name][1], owner="p1") if name in LAID else None,
            touches=TOUCHES.get(name, 0),
            balls={"C3": 1, "D2": 1}.get(name, 0),
            waiting=1 if name == "B2" else 0,
            lift=name == "B3",
            put=name == "A4",
        )
        for i, name in enumerate(board.slot_names)
    )
    view: dict[str, Any] = {
        "phase": "rolling",
        "headline": "Ada rolls on L2.",
        "turn": 7,
        "active": "p1",
        "seats": tuple(
            shown.SeatView(seat=one.seat, name=one.name, colour=one.colour, hand=3) for one in table().seats
        ),
        "slots": slots,
        "ramps": tuple(
            shown.RampView(ramp=r.name, slot=r.slot, banned=r.name == "R3", open=r.name == "L2")
            for r in board.ramps
        ),
        "zones": tuple(shown.ZoneView(zone=z.name, title=z.title, balls=0) for z in board.zones),
        "balls": (
            shown.BallView(ball=1, place="slot.C3", trail=("B1", "B2", "C2", "C3"), moving=True),
            shown.BallView(ball=2, place="slot.D2"),
        ),
        "roller": "p1",
        "pool": 41,
        "virtual_pool": 2,
        "destroyed": 5,
        "rolls_owed": 1,
    }
    return shown.PublicView(**{**view, **more})


def state(seq: int = 40, game: str = "g1", **more: Any) -> State:
    """Return a snapshot."""
    return State(game=game, seq=seq, at_us=1_000_000 * seq, view=public(**more))


HAND = (tile(101, "bomb"), tile(102, "triple"), tile(103, "odd"))
ROLLS = tuple(
    shown.Option(group="roll", label=f"Roll on {ramp}", act={"do": "roll", "ramp": ramp}, ramp=ramp)
    for ramp in ("L1", "L2", "L3", "R1", "R2")
)
PLAYS = tuple(
    shown.Option(group="play", label=f"Play {one.title}", act={"do": "play", "tile": one.id}, tile=one.id)
    for one in HAND
)
RELEASES = tuple(
    shown.Option(
        group="attest",
        label=f"The ball left ramp {ramp}",
        act={"do": "attest", "saw": "released", "place": ramp},
        ramp=ramp,
    )
    for ramp in ("L1", "L2", "L3", "R1", "R2", "R3")
)
TOLD = (
    *(
        shown.Option(
            group="attest",
            label=f"It touched {slot}",
            act={"do": "attest", "saw": "touched", "place": slot},
            slot=slot,
        )
        for slot in ("B1", "B2")
    ),
    shown.Option(
        group="attest",
        label="It is in the left end zone",
        act={"do": "attest", "saw": "zone", "place": "L"},
    ),
    shown.Option(group="attest", label="Everything lies still", act={"do": "attest", "saw": "still"}),
)
NAMES = tuple(
    shown.Option(group="play", label=f"Play {title}", act={"do": "play", "name": name})
    for name, title in (
        ("pinata", "Piñata"),
        ("peace", "Peace"),
        ("dc", "DC"),
        ("dic", "DIC"),
        ("j", "J"),
        ("x", "X"),
        ("z", "Z"),
        ("unknown", "Unknown tile"),
    )
)
BALLOTS = tuple(
    shown.Option(group="ballot", label=label, act={"do": "ballot", "yea": yea, **more})
    for label, yea, more in (
        ("Keep it", True, {}),
        ("Destroy it", False, {}),
        ("Keep it for Bo", True, {"seat": "p2"}),
        ("Destroy it for Bo", False, {"seat": "p2"}),
        ("Enable", True, {}),
        ("Disable", False, {}),
    )
)
PLACES = tuple(
    shown.Option(
        group="place",
        label=f"Put it on {slot}",
        act={"do": "place", "slot": slot},
        slot=slot,
        tile=102,
        turns=(0, 1, 3),
    )
    for slot in ("B5", "E2", "E4")
)
END = shown.Option(group="end", label="End the turn", act={"do": "end"})
VOTES = tuple(
    shown.Option(group="vote", label=f"Vote on {slot}", act={"do": "vote", "slot": slot}, slot=slot)
    for slot in ("C2", "D2")
)
CONCEDE = shown.Option(group="concede", label="Concede", act={"do": "concede"})
KEEP = shown.Prompt(
    id="v1",
    seat="p1",
    kind="vote",
    text="Does Powder Keg on C2 stay?",
    clause="0.5.4",
    slot="C2",
    default=0,
    deadline_us=1_000_000 * 52,
    options=(
        shown.Option(group="answer", label="KEEP", act={"do": "answer", "prompt": "v1", "choice": 0}),
        shown.Option(group="answer", label="DESTROY", act={"do": "answer", "prompt": "v1", "choice": 1}),
    ),
)


def answer(prompt: str, choice: str, label: str, slot: str | None = None) -> shown.Option:
    """Return an answer to a question."""
    return shown.Option(
        group="answer", label=label, act={"do": "answer", "prompt": prompt, "choice": choice}, slot=slot
    )


def missing() -> shown.Prompt:
    """Return the question where a ball went: every slot, ramp and end zone, or over the side."""
    board = load_board(STANDARD)
    options = [answer("q1", "off", "Over the side")]
    options += [answer("q1", f"zone.{zone.name}", f"In the {zone.title}") for zone in board.zones]
    options += [answer("q1", f"slot.{name}", f"It lies on {name}", name) for name in board.slot_names]
    options += [answer("q1", f"ramp.{ramp.name}", f"Still on ramp {ramp.name}") for ramp in board.ramps]
    text = "Where did the ball go? It was last seen on C3."
    return shown.Prompt(
        id="q1", seat="p1", kind="missing", text=text, clause="R-34", slot="C3", options=tuple(options)
    )


MISSING = missing()
ORDER = shown.Prompt(
    id="q3",
    seat="p2",
    kind="order",
    text="Which effect first?",
    clause="2.6.4",
    options=(answer("q3", "B2", "Bell", "B2"), answer("q3", "C2", "Powder Keg", "C2")),
)


def said(group: str, label: str, clause: str, slot: str | None = None, **act: object) -> shown.Option:
    """Return something that may be said to the table."""
    named = {key.rstrip("_"): value for key, value in act.items()}
    return shown.Option(group=group, label=label, act={"do": group, **named}, slot=slot, clause=clause)


TALK = (
    said("rules", "Ask for the card of Bell at B2", "2.5.1", "B2", tile=4),
    said("rules", "Ask for the card of Powder Keg at C2", "2.5.1", "C2", tile=8),
    said("undo", "Take that back", "0.0"),
    said("flick", "The ball was pushed", "2.1.1.1"),
    *(said("contend", f"Ball {ball} left over the side", "R-14", ball=ball, place="off") for ball in (1, 2)),
    *(
        said(
            "flag",
            f"{title} may break something: strike its effects",
            "0.1.4",
            slot,
            slot_=slot,
            item="harms",
        )
        for title, slot in (("Bell", "B2"), ("Powder Keg", "C2"))
    ),
    CONCEDE,
)


def view(
    seat: str = "p1",
    *,
    options: tuple[shown.Option, ...] = (),
    prompts: tuple[shown.Prompt, ...] = (),
    **more: Any,
) -> View:
    """Return a private view."""
    private = shown.PrivateView(
        seat=seat, hand=more.pop("hand", HAND), options=options, prompts=prompts, **more
    )
    return View(game="g1", seq=40, view=private)


def event(seq: int, text: str, **more: Any) -> Event:
    """Return something that happened."""
    return Event(game="g1", seq=seq, at_us=1_000_000 * seq, kind=more.pop("kind", "touch"), text=text, **more)


# --- the table --------------------------------------------------------------------------------------------------


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@functools.cache
def _hashed_users() -> str:
    """Return the broker's password file: the same for every table, so it is made once."""
    with tempfile.TemporaryDirectory() as folder:
        users = Path(folder) / "users"
        users.write_text("".join(f"{user}:{password}\n" for user, password in USERS.items()))
        subprocess.run(["mosquitto_passwd", "-U", str(users)], check=True, capture_output=True)
        return users.read_text()


class FakeTable:
    """Broker, gate and controller of a table that only shows samples. Use as a context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tcp, self.ws, self.http = free_port(), free_port(), free_port()
        self.commands: queue.Queue[tuple[str, dict[str, Any]]] = queue.Queue()
        self.here: queue.Queue[tuple[str, bool]] = queue.Queue()
        self.joins: queue.Queue[dict[str, Any]] = queue.Queue()
        self.views: dict[str, View] = {}
        self.refuse: Reply | None = None
        self.silent = False
        self._kept: dict[str, msgspec.Struct] = {}
        self._online = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()

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
            seat, payload = self.commands.get(timeout=10)
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

    def _received(self, client: mqtt.Client, _: object, message: mqtt.MQTTMessage) -> None:
        seat, kind = message.topic.split("/")[-2:]
        payload = json.loads(message.payload)
        if kind == "here":
            self.here.put((seat, payload["here"]))
            return
        self.commands.put((seat, payload))
        if self.silent:
            return
        reply = Reply(id=payload["id"], ok=True, code="ok")
        if self.refuse and not payload.get("hello"):
            reply = msgspec.structs.replace(self.refuse, id=payload["id"])
        client.publish(f"{PREFIX}/player/{seat}/reply", msgspec.json.encode(reply), qos=1)
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
        server = await asyncio.start_server(self._visit, "127.0.0.1", self.http)
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            head = await reader.readuntil(b"\r\n\r\n")
            method, path, _ = head.split(b"\r\n", 1)[0].decode().split(" ")
            if path == "/mqtt":
                await self._pass_on(head, reader, writer)
            else:
                writer.write(await self._answer(method, path, head, reader))
                await writer.drain()
        writer.close()
        self._tasks.discard(task)

    async def _pass_on(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.ws)
        up_writer.write(head)
        ways = [
            asyncio.ensure_future(pump(reader, up_writer)),
            asyncio.ensure_future(pump(up_reader, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            up_writer.close()

    async def _answer(self, method: str, path: str, head: bytes, reader: asyncio.StreamReader) -> bytes:
        if path == "/session":
            return response(
                200,
                "application/json",
                encoded({"board": "fake", "prefix": PREFIX, "user": "watch", "password": "open"}),
            )
        if (method, path) == ("POST", "/join"):
            size = next(
                int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")
            )
            return self._join(json.loads(await reader.readexactly(size)))
        file = PAGE / (path.split("?", maxsplit=1)[0].strip("/") or "index.html")
        if not file.is_file() or file.parent != PAGE:
            return response(404, "text/plain", b"not here")
        return response(200, TYPES[file.suffix], file.read_bytes())

    def _join(self, wish: dict[str, Any]) -> bytes:
        self.joins.put(wish)
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


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy bytes until one side ends."""
    while chunk := await reader.read(65536):
        writer.write(chunk)
        await writer.drain()

"""Facts about what phones may say, and about the whole way from controller over a real Mosquitto to phones."""

import asyncio
import contextlib
import json
import os
import signal
import threading
from collections import Counter
from http.client import HTTPConnection

import msgspec
import pytest
from hextraction.controller.broker import ExternalBroker, PrivateBroker
from hextraction.controller.companion import Companion
from hextraction.controller.companion_inbox import Accepted, Answered, Dropped, Inbox, Present
from hextraction.controller.companion_pace import Pace
from hextraction.controller.games.protocol import PrivateView, PublicView
from hextraction.controller.gate_desk import GateSettings
from hextraction.controller.gate_page import Page
from hextraction.controller.lobby import Lobby
from hextraction.controller.messages import Diag, Event, Info, Reply, State, Topics, View
from hextraction.controller.mqtt import Incoming
from hypothesis import given
from hypothesis import strategies as st
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

# --- the inbox: pure ----------------------------------------------------------------------------------------


def inbox() -> Inbox:
    """Make an inbox of two seats."""
    return Inbox(Topics("den"), ("red", "blue"))


def said(payload, *, seat="red", leaf="cmd", **how) -> Incoming:
    """Return a message as a phone would send it."""
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Incoming(
        topic=f"hextraction/den/player/{seat}/{leaf}",
        payload=body,
        retained=how.pop("retained", False),
        **how,
    )


def hello(name="h1"):
    """Return a hello."""
    return {"id": name, "hello": True}


def test_a_good_command_is_handed_on_with_the_seat_of_its_topic():
    """The seat is the topic's, whatever the payload holds."""
    outcome = inbox().read(said({"id": "a", "act": {"seat": "blue"}}, seat="red"), 0)

    assert isinstance(outcome, Accepted)
    assert outcome.seat == "red"


def test_a_retained_command_is_dropped():
    """A command that the broker had kept is an old one; it is counted and has no effect."""
    box = inbox()

    assert box.read(said(hello(), retained=True), 0) == Dropped(why="retained")
    assert box.counters["retained"] == 1


@pytest.mark.parametrize(
    "topic",
    [
        "hextraction/den/player/green/cmd",
        "hextraction/den/player/red/view",
        "hextraction/other/player/red/cmd",
        "hextraction/den/player/red/x/cmd",
        "hextraction/den/player//cmd",
        "elsewhere",
        "",
    ],
)
def test_foreign_topics_are_dropped(topic):
    """Other boards, unknown seats and unknown leaves are counted as foreign."""
    message = Incoming(topic=topic, payload=b"{}", retained=False)

    assert inbox().read(message, 0) == Dropped(why="foreign")


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[1]",
        b"null",
        b"1e400",
        b"[" * 4000,
        {"id": "a"},
        {"id": "a", "hello": True, "act": {}},
        {"id": "a", "hello": True, "v": 2},
        {"id": "a", "hello": True, "seat": "blue"},
        {"id": "a b", "hello": True},
        {"id": 7, "hello": True},
        {"id": "a", "hello": "yes"},
        {"hello": True},
        {"id": "a", "act": [1]},
    ],
)
def test_what_is_no_command_is_answered_with_invalid(payload):
    """Broken JSON, wrong types, unknown fields and wrong shapes get a reply with a reason."""
    outcome = inbox().read(said(payload), 0)

    assert isinstance(outcome, Answered)
    assert outcome.reply.code == "invalid"
    assert outcome.reply.reason


def test_a_command_of_more_than_4096_bytes_is_refused_unread():
    """4,096 bytes pass, 4,097 do not."""
    whole = json.dumps({"id": "a", "act": {"x": ""}}).encode()
    fits = whole.replace(b'""', b'"' + b"x" * (4096 - len(whole)) + b'"')
    box = inbox()

    assert isinstance(box.read(said(fits), 0), Accepted)
    outcome = box.read(said(fits + b" "), 0)
    assert isinstance(outcome, Answered)
    assert outcome.reply.code == "invalid"
    assert box.counters["oversize"] == 1


def test_the_eleventh_command_in_a_second_is_busy():
    """Ten go through, the eleventh is told to come again, after a second ten more go through."""
    box = inbox()
    outcomes = [box.read(said(hello(f"h{n}")), 0.0) for n in range(11)]

    assert [isinstance(outcome, Accepted) for outcome in outcomes] == [True] * 10 + [False]
    assert outcomes[-1].reply.code == "busy"
    assert isinstance(box.read(said(hello("h10")), 1.0), Accepted)


def test_a_flood_gets_no_answers():
    """Far above the rate even the answers stop; another seat does not feel it."""
    box = inbox()
    for n in range(200):
        box.read(said(hello(f"h{n}")), 0.0)

    assert box.counters["flood"] == 140
    assert isinstance(box.read(said(hello(), seat="blue"), 0.0), Accepted)


def test_the_same_id_again_gets_the_first_answer_again():
    """A repeated command has no second effect; before the answer exists it is only counted."""
    box = inbox()
    assert isinstance(box.read(said(hello()), 0), Accepted)
    assert box.read(said(hello()), 0) == Dropped(why="repeated")
    reply = Reply(id="h1", ok=True, code="ok")
    box.remember("red", reply)

    assert box.read(said({"id": "h1", "act": {"other": 1}}), 0) == Answered(seat="red", reply=reply)
    assert isinstance(box.read(said(hello(), seat="blue"), 0), Accepted)


def test_256_answers_of_a_seat_are_remembered():
    """The 257th command makes the oldest answer forgotten."""
    box = inbox()
    for n in range(257):
        box.read(said(hello(f"h{n}")), n)
        box.remember("red", Reply(id=f"h{n}", ok=True, code="ok"))

    assert isinstance(box.read(said(hello("h1")), 300), Answered)
    assert isinstance(box.read(said(hello("h0")), 301), Accepted)


def test_a_busy_answer_is_not_remembered():
    """After ``busy`` the same id may be tried again."""
    box = inbox()
    box.read(said(hello()), 0)
    box.remember("red", Reply(id="h1", ok=False, code="busy"))

    assert box.read(said(hello()), 0) == Dropped(why="repeated")


def test_correlation_data_is_returned_for_the_own_reply_topic_only():
    """A response topic of somebody else is ignored and counted: we never publish where a phone tells us to."""
    box = inbox()
    own, foreign = "hextraction/den/player/red/reply", "hextraction/den/player/blue/view"
    box.read(said(hello("a"), response_topic=own, correlation=b"1"), 0)
    box.read(said(hello("b"), response_topic=foreign, correlation=b"2"), 0)

    assert box.remember("red", Reply(id="a", ok=True, code="ok")) == b"1"
    assert box.remember("red", Reply(id="b", ok=True, code="ok")) is None
    assert box.counters["foreign_response"] == 1


def test_presence_is_read_even_when_retained():
    """A phone that came while the controller was away is known afterwards; a cleared topic says nothing."""
    box = inbox()

    assert box.read(said({"here": True, "phone": "p"}, leaf="here", retained=True), 0) == Present(
        seat="red", phone="p", here=True
    )
    assert box.read(said(b"", leaf="here"), 0) == Dropped(why="cleared")
    assert box.read(said(b"{}", leaf="here"), 0) == Dropped(why="invalid")


@given(
    st.binary(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.text(),
        lambda x: st.dictionaries(st.sampled_from(["id", "act", "v", "hello", "table"]), x),
    ).map(lambda value: json.dumps(value).encode())
)
def test_any_bytes_are_survived(payload):
    """Nothing a phone sends raises; an answer's id is never longer than 64."""
    outcome = inbox().read(said(payload), 0)

    assert isinstance(outcome, Accepted | Answered)
    assert len(outcome.command.id if isinstance(outcome, Accepted) else outcome.reply.id) <= 64


# --- pace ---------------------------------------------------------------------------------------------------


class SteppedLoop(asyncio.SelectorEventLoop):
    """A loop whose clock moves only by :meth:`advance`."""

    now_s = 100.0

    def time(self):
        return self.now_s


def test_snapshots_are_at_most_ten_a_second_and_the_last_one_comes():
    """Of many values within 0.1 s the first and the last go out."""
    sent = []
    loop = SteppedLoop()

    async def play():
        pace = Pace(0.1, sent.append)
        for value in range(50):
            pace.offer(value)
        assert sent == [0]
        loop.now_s += 0.11
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert sent == [0, 49]
        pace.offer(50)
        pace.flush()
        assert sent == [0, 49, 50]

    with contextlib.closing(loop):
        loop.run_until_complete(play())


# --- the whole way ------------------------------------------------------------------------------------------

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
PUBLIC = PublicView(
    phase="p", headline="h", turn=1, active="red", seats=(), slots=(), ramps=(), zones=(), balls=()
)


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


class Phone:
    """A client with a seat's token, over the gate's websocket as a browser would, or over TCP."""

    def __init__(self, port, login, *, name="phone", will=None, tcp=None):
        self.messages: list[tuple[str, bytes, bool]] = []
        self.grants: list[str] = []
        self.codes: list[int] = []
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
        self.client.connect_async("127.0.0.1", tcp or port, 30)
        self.client.loop_start()

    def _connected(self, _client, _user, _flags, code, _properties):
        self.codes.append(code.value)
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

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


async def happens(condition, within_s=8.0):
    """Wait for something that another program does."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110  # it happens in another program
            await asyncio.sleep(0.01)


def ask(port, method, path, body=None, headers=None):
    """Send an HTTP request and return status and JSON."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    data = None if body is None else json.dumps(body)
    connection.request(method, path, data, {"Content-Type": "application/json", **(headers or {})})
    with contextlib.closing(connection):
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


class Table:
    """A companion with a broker of its own, and the phones around it."""

    def __init__(self, companion, heard):
        self.companion = companion
        self.heard = heard
        self.phones = []

    @property
    def port(self):
        return self.companion._gate.port

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

    async def watch(self):
        _, login = await asyncio.to_thread(ask, self.port, "GET", "/session")
        return await self.sit(login=login)


@contextlib.asynccontextmanager
async def table(folder, *, on_command=None, broker=None, keep=None):
    """Run a companion with a broker of its own."""
    heard = []

    def hear(seat, command):
        heard.append((seat, command))
        companion.reply(seat, Reply(id=command.id, ok=True, code="ok"))

    companion = Companion(
        board_id="den",
        info=INFO,
        broker=broker or PrivateBroker(folder / "broker"),
        gate=GateSettings(host="127.0.0.1", port=0),
        lobby=Lobby(),
        on_command=on_command or hear,
        page=Page({"index.html": b"<!doctype html>"}),
        keep=keep,
    )
    await companion.start()
    here = Table(companion, heard)
    try:
        await happens(lambda: companion._desk.guarded)
        yield here
    finally:
        for phone in here.phones:
            await asyncio.to_thread(phone.close)
        await companion.close()


@pytest.mark.broker
@pytest.mark.slow
def test_a_phone_joins_says_something_and_is_answered(tmp_path):
    """Join over HTTP, connect with the token, send a command, get the reply and the own view."""

    async def play():
        async with table(tmp_path) as here:
            phone = await here.sit(will=("hextraction/den/player/red/here", b'{"here":false}', 1))
            await phone.subscribe("hextraction/den/status", f"{phone.at}/view", f"{phone.at}/reply")
            phone.client.publish(f"{phone.at}/here", b'{"here":true}', 1)
            phone.client.publish(f"{phone.at}/cmd", json.dumps(hello()), 1)
            await happens(phone.replies)
            here.companion.publish_view("red", view("red"))
            await happens(lambda: "player/red/view" in phone.topics())

            assert phone.replies() == [{"id": "h1", "ok": True, "code": "ok"}]
            assert [(seat, command.hello) for seat, command in here.heard] == [("red", True)]
            assert here.companion.here["red"]
            status = next(json.loads(body) for topic, body, _ in phone.messages if topic.endswith("/status"))
            assert status["state"] == "online"
            assert here.companion._desk.health()["phones"] == 1

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_nobody_sees_another_seats_hand(tmp_path):
    """Subscribing to everything with a seat's token or as a watcher never shows another seat's view."""

    async def play():
        async with table(tmp_path) as here:
            red, blue, watcher = await here.sit(name="r"), await here.sit(name="b"), await here.watch()
            greedy = (
                "#",
                "hextraction/#",
                "hextraction/den/player/+/view",
                "+/+/+/+/+",
                "$SYS/#",
                "$CONTROL/#",
                "hextraction/den/player/red/view",
                "hextraction/den/+",
                "$share/x/hextraction/den/player/red/view",
            )
            await blue.subscribe(*greedy)
            await watcher.subscribe(*greedy)
            await red.subscribe(f"{red.at}/view", "hextraction/den/event")
            here.companion.publish_view("red", view("red"))
            here.companion.publish_state(state(1))
            here.companion.publish_event(Event(game="g1", seq=1, at_us=1, kind="k", text="t"))
            await happens(lambda: {"player/red/view", "event"} <= red.topics())
            await happens(lambda: "event" in blue.topics() and "event" in watcher.topics())

            for other in (blue, watcher):
                assert not any("player" in topic or topic.startswith("$") for topic in other.topics())
                assert not any(b"secret" in body for _, body, _ in other.messages)
                assert other.grants.count("Not authorized") == 8
            assert any(b"secret of red" in body for _, body, _ in red.messages)
            assert not any(retained for topic, _, retained in red.messages if topic.endswith("/view"))

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_nobody_speaks_for_another_seat_or_for_the_controller(tmp_path):
    """The broker refuses what a role does not allow: other seats' commands, public topics, the plugin."""

    async def play():
        async with table(tmp_path) as here:
            red, watcher = await here.sit(name="r"), await here.watch()
            codes = Counter()
            red.client.on_publish = lambda _c, _u, _m, code, _p: codes.update([str(code)])
            watcher.client.on_publish = red.client.on_publish
            for topic in ("player/blue/cmd", "player/red/view", "player/red/reply", "state", "status"):
                red.client.publish(f"hextraction/den/{topic}", json.dumps(hello()), 1)
            red.client.publish("$CONTROL/dynamic-security/v1", b"{}", 1)
            watcher.client.publish("hextraction/den/player/red/cmd", json.dumps(hello()), 1)
            await happens(lambda: codes.total() == 7)

            assert codes == {"Not authorized": 7}
            assert here.heard == []

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_retained_command_is_never_carried_out(tmp_path):
    """A command marked as retained is dropped when it is sent, and again when the broker repeats it later."""

    async def play():
        async with table(tmp_path) as here:
            red = await here.sit()
            red.client.publish(f"{red.at}/cmd", json.dumps(hello("old")), 1, retain=True)
            await happens(lambda: here.companion.counters["retained"] == 1)
            link = here.companion._link
            before = link.counters["connects"]
            link._client._sock_close()  # the link breaks; it comes back and subscribes again
            await happens(lambda: link.counters["connects"] > before)
            await happens(lambda: here.companion.counters["retained"] == 2)

            assert len(here.heard) == 0

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_bad_commands_are_answered_and_counted(tmp_path):
    """Oversize, broken, repeated and too many commands get their codes over a real broker, and no exception."""

    async def play():
        async with table(tmp_path) as here:
            red = await here.sit()
            await red.subscribe(f"{red.at}/reply")
            wanted = Properties(PacketTypes.PUBLISH)
            wanted.ResponseTopic = "hextraction/den/player/blue/view"
            wanted.CorrelationData = b"x"
            red.client.publish(f"{red.at}/cmd", b"x" * 5000, 1)
            red.client.publish(f"{red.at}/cmd", b"{", 1)
            red.client.publish(f"{red.at}/cmd", json.dumps(hello("once")), 1, properties=wanted)
            red.client.publish(f"{red.at}/cmd", json.dumps(hello("once")), 1)
            for n in range(15):
                red.client.publish(f"{red.at}/cmd", json.dumps(hello(f"n{n}")), 1)
            await happens(lambda: len(red.replies()) == 19)
            counters = here.companion.counters

            codes = Counter(reply["code"] for reply in red.replies())
            assert codes["invalid"] == 2
            assert codes["busy"] >= 1
            assert (counters["oversize"], counters["repeated"], counters["foreign_response"]) == (1, 1, 1)
            assert len([command for _, command in here.heard if command.id == "once"]) == 1

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_two_phones_of_one_seat_both_work(tmp_path):
    """The seat's own code admits a second phone; same client id, both stay; a revoked seat loses both at once."""

    async def play():
        async with table(tmp_path) as here:
            first = await here.sit(name="same")
            await first.subscribe(f"{first.at}/reply", f"{first.at}/view")
            first.client.publish(f"{first.at}/cmd", json.dumps({"id": "p", "table": {"do": "phone"}}), 1)
            await happens(first.replies)
            status, login = await here.join(code=first.replies()[0]["reason"])
            assert (status, login["seat"]) == (200, "red")
            second = await here.sit(login=login, name="same")
            await second.subscribe(f"{second.at}/view")
            here.companion.publish_view("red", view("red"))
            await happens(lambda: all("player/red/view" in phone.topics() for phone in (first, second)))
            assert not first.down.is_set()
            assert here.companion.lobby.players[0].name == "Anna"

            here.companion.revoke("red")
            await happens(lambda: first.down.is_set() and second.down.is_set())

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_wrong_code_or_a_taken_seat_is_refused_in_words(tmp_path):
    """403 for a wrong code, 409 for a seat whose phone is there; its old phone loses a seat that is taken again."""

    async def play():
        async with table(tmp_path) as here:
            status, said_ = await here.join(code="WRONG1")
            assert (status, set(said_)) == (403, {"reason"})
            red = await here.sit()
            red.client.publish(f"{red.at}/here", b'{"here":true}', 1)
            await happens(lambda: here.companion.here["red"])
            status, _ = await here.join(seat="red")
            assert status == 409
            red.client.publish(f"{red.at}/here", b'{"here":false}', 1)
            await happens(lambda: not here.companion.here["red"])
            status, login = await here.join(seat="red")
            assert (status, login["seat"]) == (200, "red")
            await happens(red.down.is_set)

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_the_link_recovers_when_the_broker_is_killed(tmp_path):
    """After ``kill -9`` of the broker: same port and tokens, all retained topics again, the newest state."""

    async def play():
        async with table(tmp_path) as here:
            companion = here.companion
            red = await here.sit()
            companion.publish_state(state(1))
            old = companion._broker.pid
            os.kill(old, signal.SIGKILL)
            await happens(lambda: not companion._link.online)
            for seq in range(2, 40):
                companion.publish_state(state(seq))
            await happens(lambda: companion._link.online, 15)
            red.up.clear()
            await happens(red.client.is_connected, 15)
            await red.subscribe("hextraction/den/+")
            await happens(lambda: {"status", "info", "table", "state"} <= red.topics())
            await happens(lambda: any(b'"seq":39' in body for _, body, _ in red.messages))

            assert companion._broker.pid != old
            assert companion._broker.restarts == 1

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_stopped_broker_holds_nothing_up(tmp_path):
    """While Mosquitto is frozen, publishing returns at once; afterwards the newest snapshot arrives, not all."""

    async def play():
        async with table(tmp_path) as here:
            companion = here.companion
            watcher = await here.watch()
            await watcher.subscribe("hextraction/den/state", "hextraction/den/diag")
            os.kill(companion._broker.pid, signal.SIGSTOP)
            try:
                for seq in range(500):
                    companion.publish_diag(Diag(values={"n": seq}))
                    companion.publish_event(Event(game="g", seq=seq, at_us=0, kind="k", text="t"))
                assert companion.counters["dropped"] > 300
            finally:
                os.kill(companion._broker.pid, signal.SIGCONT)
            await happens(lambda: any(b'"n":499' in body for _, body, _ in watcher.messages))

            assert len([1 for topic, _, _ in watcher.messages if topic.endswith("/diag")]) <= 3

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_command_that_fails_in_the_controller_is_answered(tmp_path):
    """An exception in the runtime's handler is ours: the phone hears ``failed``, the companion lives on."""

    def fail(seat, command):
        raise KeyError(seat)

    async def play():
        async with table(tmp_path, on_command=fail) as here:
            red = await here.sit()
            await red.subscribe(f"{red.at}/reply")
            red.client.publish(f"{red.at}/cmd", json.dumps(hello()), 1)
            await happens(red.replies)
            assert red.replies()[0]["code"] == "failed"

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_tokens_survive_a_restart_of_the_controller(tmp_path):
    """With a file to keep badges in, a phone logs in to the next run with its old token."""

    async def play():
        keep = tmp_path / "badges.json"
        async with table(tmp_path / "one", keep=keep) as here:
            _, login = await here.join()
        assert keep.stat().st_mode & 0o077 == 0
        async with table(tmp_path / "two", keep=keep) as here:
            phone = await here.sit(login=login)
            assert phone.codes == [0]

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_broker_without_the_plugin_keeps_phones_out(tmp_path):
    """A configured broker that cannot keep hands apart gets the public topics; joining is 503 with a reason."""

    async def play():
        plain = PrivateBroker(tmp_path / "plain")
        plain.configuration = lambda: (
            f"listener {plain._port} 127.0.0.1\nallow_anonymous true\n"
            + ("user root\n" if os.geteuid() == 0 else "")
        )
        await plain.start({})
        where = ExternalBroker(host="127.0.0.1", port=plain._port)
        companion = Companion(
            board_id="den",
            info=INFO,
            broker=where,
            gate=GateSettings(host="127.0.0.1", port=0),
            lobby=Lobby(),
            on_command=lambda *_: None,
            page=Page({}),
        )
        await companion.start()
        try:
            await happens(lambda: companion._link.online)
            body = {"code": companion.join_code}
            status, answer = await asyncio.to_thread(ask, companion._gate.port, "POST", "/join", body)
            assert status == 503
            assert "broker" in answer["reason"]
            status, _ = await asyncio.to_thread(ask, companion._gate.port, "GET", "/session")
            assert status == 503
        finally:
            await companion.close()
            await plain.close()

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_of_two_controllers_of_one_board_the_later_one_stays(tmp_path):
    """The first leaves for good, the second stays online, and the retained status is the second's."""

    async def play():
        async with table(tmp_path) as here:
            first = here.companion
            second = Companion(
                board_id="den",
                info=INFO,
                broker=first._broker.address,
                gate=GateSettings(host="127.0.0.1", port=0),
                lobby=Lobby(),
                on_command=lambda *_: None,
                page=Page({}),
            )
            watcher = await here.watch()
            await second.start()
            await happens(lambda: first._link.taken_over)
            await happens(lambda: second._link.online)
            await watcher.subscribe("hextraction/den/status")
            await happens(lambda: watcher.messages)
            assert json.loads(watcher.messages[-1][1])["boot"] == second._status.boot
            assert second._link.counters["connects"] == 1
            await second.close()

    asyncio.run(play())


def test_without_a_broker_the_game_goes_on():
    """With no broker everything may be published and nothing is; the page is served, joining is 503."""

    async def play():
        companion = Companion(
            board_id="den",
            info=INFO,
            broker=None,
            gate=GateSettings(host="127.0.0.1", port=0),
            lobby=Lobby(),
            on_command=lambda *_: None,
            page=Page({"index.html": b"<p>"}),
        )
        await companion.start()
        try:
            companion.publish_state(state(1))
            companion.publish_view("red", view("red"))
            companion.publish_event(Event(game="g", seq=1, at_us=1, kind="k", text="t"))
            companion.reply("red", Reply(id="a", ok=True, code="ok"))
            companion.revoke("red")
            status, _ = await asyncio.to_thread(
                ask, companion._gate.port, "POST", "/join", {"code": companion.join_code}
            )
            assert status == 503
            assert companion.url == f"http://127.0.0.1:{companion._gate.port}/"
            assert companion.join_url.endswith(f"#j={companion.join_code}")
        finally:
            await companion.close()

    asyncio.run(play())


def test_a_companion_without_mosquitto_says_how_to_get_it(tmp_path, monkeypatch, caplog):
    """A machine without Mosquitto gets one clear line, and the companion starts all the same."""
    monkeypatch.setattr("hextraction.controller.broker.find_plugin", lambda: None)

    async def play():
        companion = Companion(
            board_id="den",
            info=INFO,
            broker=PrivateBroker(tmp_path),
            gate=GateSettings(host="127.0.0.1", port=0),
            lobby=Lobby(),
            on_command=lambda *_: None,
            page=Page({}),
        )
        await companion.start()
        await companion.close()

    asyncio.run(play())

    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "no phones: Mosquitto is not installed (apt-get install mosquitto)"
    ]


def test_a_board_id_that_makes_a_bad_topic_is_refused():
    """Wildcards, slashes and capitals are no board's id."""
    for bad in ("", "a/b", "#", "+", "Den", "x" * 33):
        with pytest.raises(ValueError, match="board"):
            Topics(bad)


def test_a_view_is_only_private_data_on_a_private_topic():
    """The payload of a view round-trips, and the topic names its seat."""
    assert msgspec.json.decode(msgspec.json.encode(view("red")), type=View).view.seat == "red"
    assert Topics("den").read_seat("hextraction/den/player/red/view") == ("red", "view")

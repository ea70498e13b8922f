"""Facts about the link: newest values, what is dropped, reconnects, and callbacks that fail."""

import asyncio
import contextlib
import itertools
import os
import signal
import subprocess
import threading
from types import SimpleNamespace

import pytest
from helpers.ports import free_port
from helpers.waiting import happens
from hextraction.controller.payloads.messages import Topics
from hextraction.controller.phones.broker import ExternalBroker, PrivateBroker
from hextraction.controller.phones.link import Link
from hextraction.controller.phones.rights import SeatBook, security_document
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

NOWHERE = ExternalBroker(host="127.0.0.1", port=1)
GOOD = ReasonCode(PacketTypes.SUBACK, "Granted QoS 1")
ACK = ReasonCode(PacketTypes.PUBACK, "Success")


class Wire:
    """In the place of paho's client: keeps what is published, acknowledges when told."""

    def __init__(self):
        self.sent = []
        self.rc = 0
        self.stopped = False

    def publish(self, topic, payload, qos, *, retain=False, properties=None):
        if not self.rc:
            self.sent.append((topic, payload, retain))
        return SimpleNamespace(rc=self.rc, mid=len(self.sent))

    def subscribe(self, topics):
        self.subscribed = topics

    def disconnect(self):
        self.stopped = True

    def loop_stop(self):
        self.stopped = True

    def hears(self, payload, topic="t"):
        self.on_message(
            self, None, SimpleNamespace(topic=topic, payload=payload, retain=False, properties=None)
        )

    def payloads(self, topic="t"):
        return [payload for sent_to, payload, _ in self.sent if sent_to == topic]


def link_on(wire, *, online=True, on_message=lambda _: None) -> Link:
    """Make a link whose client is a wire of ours."""
    link = Link(NOWHERE, client_id=lambda: "c", will=("w", b""), filters=("f",), on_message=on_message)
    link.use(wire)
    if online:
        link.subscribed([GOOD])
    return link


def test_a_latest_value_waits_for_its_acknowledgement():
    """One message of a topic is on its way; of those that come meanwhile the newest is sent after it."""
    wire = Wire()
    link = link_on(wire)
    for value in (b"1", b"2", b"3"):
        link.latest("t", value)
    assert wire.payloads() == [b"1"]

    link.acknowledged(1, ACK)

    assert wire.payloads() == [b"1", b"3"]
    link.acknowledged(2, ACK)
    assert wire.payloads() == [b"1", b"3"]


def test_topics_do_not_wait_for_each_other():
    """An unacknowledged state does not hold a view back."""
    wire = Wire()
    link = link_on(wire)
    link.latest("t", b"1")
    link.latest("u", b"1", retain=False)

    assert wire.sent == [("t", b"1", True), ("u", b"1", False)]


def test_offline_only_the_newest_value_is_kept():
    """What is published while the broker is away is sent once, newest only; events are dropped and counted."""
    wire = Wire()
    link = link_on(wire, online=False)
    link.latest("t", b"1")
    link.latest("t", b"2")
    assert not link.send("e", b"x")
    link.subscribed([GOOD])

    assert wire.sent == [("t", b"2", True)]
    assert link.counters["dropped"] == 1


def test_after_a_reconnect_retained_topics_are_sent_again():
    """The broker may have lost them; private values that it had are not repeated."""
    wire = Wire()
    link = link_on(wire)
    link.latest("t", b"1")
    link.latest("hand", b"1", retain=False)
    link.acknowledged(1, ACK)
    link.acknowledged(2, ACK)
    link.disconnected(ReasonCode(PacketTypes.DISCONNECT, "Unspecified error"))
    assert not link.online
    link.subscribed([GOOD])

    assert wire.sent[2:] == [("t", b"1", True)]


def test_a_message_that_paho_refuses_stays_owed():
    """A full queue loses no latest value: the next chance sends it."""
    wire = Wire()
    link = link_on(wire)
    wire.rc = 15
    link.latest("t", b"1")
    wire.rc = 0
    link.subscribed([GOOD])

    assert wire.payloads() == [b"1"]


def test_what_the_broker_does_not_take_is_noted_until_it_does(caplog):
    """The first is logged with the broker's own words; an acknowledgement takes it back."""
    wire = Wire()
    link = link_on(wire)
    link.latest("t", b"1")
    link.send("e", b"1")
    link.acknowledged(1, ReasonCode(PacketTypes.PUBACK, "Not authorized"))
    link.acknowledged(2, ReasonCode(PacketTypes.PUBACK, "Not authorized"))
    assert link.not_taken == {"t": "Not authorized", "e": "Not authorized"}
    assert [line for line in caplog.messages if "does not take" in line] == [
        "the broker does not take t: Not authorized; look at what it allows this table's user"
    ]
    link.latest("t", b"2")
    link.acknowledged(3, ACK)
    assert link.not_taken == {"e": "Not authorized"}


def test_that_the_broker_is_there_again_is_logged(caplog):
    """The last word of a log is not that it is away."""
    caplog.set_level("INFO")
    link = link_on(Wire())
    assert "the broker is there again" not in caplog.messages
    link.disconnected(ReasonCode(PacketTypes.DISCONNECT, "Unspecified error"))
    link.subscribed([GOOD])
    assert caplog.messages[-1] == "the broker is there again"


def test_a_hundred_messages_may_be_on_their_way():
    """The hundred-and-first event is dropped instead of queued."""
    wire = Wire()
    link = link_on(wire)

    assert [link.send("e", b"x") for _ in range(101)] == [True] * 100 + [False]


def test_a_handler_that_fails_does_not_stop_the_next_message():
    """Each message is handled by itself; the failure is counted."""
    seen = []

    def handle(message):
        seen.append(message.payload)
        if message.payload == b"bad":
            raise ZeroDivisionError

    wire = Wire()
    link = link_on(wire, on_message=handle)
    for payload in (b"bad", b"good"):
        wire.hears(payload)
    link.deliver()

    assert seen == [b"bad", b"good"]
    assert link.counters["handler_failed"] == 1


def test_who_floods_is_read_in_turn_with_the_others():
    """Fifty messages of a topic wait at most; what another topic says meanwhile is the second to be read."""
    wire, seen = Wire(), []
    link = link_on(wire, on_message=lambda message: seen.append((message.topic, message.payload)))
    for number in range(60):
        wire.hears(b"%d" % number, "flood")
    wire.hears(b"mine", "honest")
    for _turn in range(3):
        link.deliver()

    assert seen[:2] == [("flood", b"0"), ("honest", b"mine")]
    assert [payload for topic, payload in seen if topic == "flood"] == [
        b"%d" % number for number in range(50)
    ]
    assert link.counters["inbox_full"] == 10


def test_the_loop_gets_its_turn_between_messages():
    """Twenty are read at once; the rest comes by itself, after what else the loop has to do."""

    async def evening():
        wire, seen, turns = Wire(), [], []
        link = link_on(wire, on_message=seen.append)
        link.start()
        link.use(wire)
        for _ in range(50):
            wire.hears(b"")
        while len(seen) < 50:
            await asyncio.sleep(0)
            turns.append(len(seen))
        await link.close()
        return turns

    turns = asyncio.run(evening())
    assert {20, 40, 50} <= set(turns)


def test_who_asks_for_much_lets_the_loop_have_its_turn_after_each():
    """A message that takes long is the last one of its turn, as edges of sensors wait in the loop, too."""

    async def evening():
        wire, seen, turns = Wire(), [], []
        loop = asyncio.get_running_loop()

        def think(message):
            begun_s = loop.time()
            while loop.time() < begun_s + 0.003:
                pass
            seen.append(message)

        link = link_on(wire, on_message=think)
        link.start()
        link.use(wire)
        for _ in range(5):
            wire.hears(b"")
        while len(seen) < 5:
            await asyncio.sleep(0)
            turns.append(len(seen))
        await link.close()
        return turns

    assert {1, 2, 3, 4, 5} <= set(asyncio.run(evening()))


def test_clearing_takes_a_retained_message_off():
    """An empty retained message, and no repetition later."""
    wire = Wire()
    link = link_on(wire)
    link.latest("t", b"1")
    link.clear("t")
    link.subscribed([GOOD])

    assert wire.sent == [("t", b"1", True), ("t", b"", True)]


TOO_LARGE = ReasonCode(PacketTypes.DISCONNECT, "Packet too large")


def test_what_is_larger_than_the_broker_takes_is_never_sent():
    """A latest value and an event beyond the limit that came with the login stay here, counted and told."""
    wire = Wire()
    link = link_on(wire, online=False)
    link.connected(ACK, 1_000)
    link.subscribed([GOOD])
    link.latest("t", b"x" * 1_000)
    assert not link.send("e", b"x" * 1_000)

    assert wire.sent == []
    assert link.counters["too_large"] == 2
    assert {topic: what.cut for topic, what in link.oversize.items()} == {"t": False, "e": False}
    link.latest("t", b"x" * 900)
    assert wire.payloads() == [b"x" * 900]
    assert set(link.oversize) == {"e"}


def test_less_of_it_is_sent_if_there_is_less_of_it():
    """Who publishes may say what to send instead, for the room that there is."""
    wire = Wire()
    link = link_on(wire)
    link.connected(ACK, 1_000)
    link.latest("t", b"x" * 1_000, shorter=lambda most: b"y" * most)
    link.send("e", b"x" * 1_000, correlation=b"c" * 100, shorter=lambda most: b"z" * most)

    (latest,), (event,) = wire.payloads("t"), wire.payloads("e")
    assert 900 < len(latest) < 1_000 - len("t")
    assert len(latest) - len(event) == 100
    assert link.oversize["t"].cut


def test_a_broker_that_hangs_up_on_what_is_too_large_is_not_sent_it_again():
    """Its limit is not known before; the message that it did not take is not repeated for ever."""
    wire, again = Wire(), Wire()
    link = link_on(wire)
    link.latest("t", b"x" * 5_000)
    link.latest("u", b"x" * 50)
    link.disconnected(TOO_LARGE)
    link.use(again)
    link.connected(ACK)
    link.subscribed([GOOD])

    assert again.sent == [("u", b"x" * 50, True)]


@pytest.mark.slow
def test_no_broker_at_all_holds_nothing_up():
    """With nothing at the port, start, publish and close return; no thread is left."""

    async def play():
        link = Link(
            NOWHERE, client_id=lambda: "c", will=("w", b""), filters=("f",), on_message=lambda _: None
        )
        link.start()
        link.latest("t", b"1")
        assert not link.send("e", b"x")
        await link.close(("t", b"bye"))
        assert not link.online

    asyncio.run(play())


@contextlib.contextmanager
def mosquitto(port):
    """A broker that lets in whoever comes from this machine; it is killed at the end."""
    with subprocess.Popen(["mosquitto", "-p", str(port)], stderr=subprocess.DEVNULL) as broker:
        try:
            yield
        finally:
            broker.kill()


@pytest.mark.broker
@pytest.mark.slow
def test_a_link_comes_up_when_its_broker_does():
    """However often nobody listened there before; nothing takes that for a client that has died."""
    port = free_port()

    async def play():
        link = KeepingLink(
            ExternalBroker(host="127.0.0.1", port=port),
            client_id=lambda: "c",
            will=("w", b""),
            filters=("f",),
            on_message=lambda _: None,
            watch_s=0.05,
        )
        link.start()
        await happens(lambda: len(link.clients) == 3)
        with mosquitto(port):
            await happens(lambda: link.online)
        await happens(lambda: not link.online)
        known = len(link.clients)
        await happens(lambda: len(link.clients) >= known + 2)
        with mosquitto(port):
            await happens(lambda: link.online)
            await link.close()
        assert link.counters["thread_died"] == 0

    asyncio.run(play())


@pytest.mark.slow
def test_who_uses_our_client_id_does_not_keep_us_off():
    """``Session taken over``: this client ends, and another connects under an id that nobody knows yet."""
    given = []

    def client_id():
        given.append(f"secret{len(given)}")
        return given[-1]

    async def play():
        wire = Wire()
        link = KeepingLink(
            NOWHERE, client_id=client_id, will=("w", b""), filters=("f",), on_message=lambda _: None
        )
        link.start()
        link.use(wire)
        link.disconnected(ReasonCode(PacketTypes.DISCONNECT, "Session taken over"))

        assert wire.stopped
        assert given == ["secret0", "secret1"]
        assert link.counters["pushed_off"] == 1
        for client in link.clients:
            client.loop_stop()
        await link.close()

    asyncio.run(play())


class KeepingLink(Link):
    """A link that keeps the clients that it has spoken through."""

    def __init__(self, *where, **how):
        super().__init__(*where, **how)
        self.clients = []

    def use(self, client):
        self.clients.append(client)
        super().use(client)

    async def close(self, farewell=None):
        await super().close(farewell)
        self.clients.clear()  # each closes its last sockets when nobody holds it


@contextlib.asynccontextmanager
async def linked(folder, **how):
    """Run a broker and a link to it."""
    private = PrivateBroker(folder)
    await private.start(security_document(SeatBook(Topics("den"), ()), private.admin))
    heard, numbers = [], itertools.count()
    link = KeepingLink(
        private.address,
        will=("den/status", b"gone"),
        filters=("den/#",),
        on_message=heard.append,
        client_id=lambda: f"link{next(numbers)}",
        **how,
    )
    link.start()
    try:
        await happens(lambda: link.online)
        yield private, link, heard
    finally:
        await link.close()
        await private.close()


@pytest.mark.broker
@pytest.mark.slow
def test_a_dead_thread_is_noticed_and_replaced(tmp_path):
    """If paho's thread dies in spite of all, a new client connects and the retained topics are sent again."""

    async def play():
        async with linked(tmp_path, watch_s=0.05) as (_, link, heard):
            link.latest("den/state", b"1")
            await happens(lambda: len(heard) == 1)
            link.clients[0].loop_stop()
            await happens(lambda: link.counters["thread_died"] == 1)
            await happens(lambda: link.online)
            assert len(link.clients) == 2
            await happens(lambda: len(heard) >= 2)

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_link_says_that_its_broker_acknowledges_nothing(tmp_path):
    """So `/health` and the lamps can tell, in the moment before the link connects anew."""

    async def play():
        async with linked(tmp_path, watch_s=600, stall_s=0.3) as (private, link, _heard):
            assert not link.stalled
            os.kill(private.pid, signal.SIGSTOP)
            try:
                link.latest("den/state", b"1")
                await happens(lambda: link.stalled)
            finally:
                os.kill(private.pid, signal.SIGCONT)
            await happens(lambda: not link.stalled)

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_broker_that_acknowledges_nothing_is_noticed_and_left(tmp_path):
    """A broker that stands still keeps its connections open: only what it does not say shows it."""

    async def play():
        async with linked(tmp_path, watch_s=0.05, stall_s=0.3) as (private, link, heard):
            os.kill(private.pid, signal.SIGSTOP)
            try:
                link.latest("den/state", b"1")
                await happens(lambda: link.counters["stalled"] >= 1)
            finally:
                os.kill(private.pid, signal.SIGCONT)
            await happens(lambda: link.online)
            await happens(lambda: any(message.payload == b"1" for message in heard))
            assert not link.stalled

    asyncio.run(play())


def clients_at_work(before):
    """Return how many clients of a link have a thread; those of an earlier test may still be on their way out."""
    started = (each for each in threading.enumerate() if each not in before)
    return sum(each.name.startswith("paho-mqtt-client-link") for each in started)


@pytest.mark.broker
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_news_is_not_said_again_after_the_broker_was_away(tmp_path, number):
    """Whoever stayed, or came back first, hears it once: no client of before comes back and repeats it."""
    before = threading.enumerate()

    async def play():
        async with linked(tmp_path, watch_s=0.05, stall_s=0.3) as (private, link, heard):
            os.kill(private.pid, signal.SIGSTOP)
            link.send("den/event", b"1")
            if number == signal.SIGSTOP:
                await happens(lambda: link.counters["stalled"] >= 1)
                os.kill(private.pid, signal.SIGCONT)
            else:
                os.kill(private.pid, number)
            await happens(
                lambda: link.counters["connects"] >= 2
            )  # more often, where all stand still for a while
            await happens(lambda: clients_at_work(before) == 1 and link.online)
            link.send("den/event", b"2")
            await happens(lambda: heard and heard[-1].payload == b"2")
            said = [message.payload for message in heard if message.topic == "den/event"]
            assert said in ([b"2"], [b"1", b"2"])

    asyncio.run(play())


@pytest.mark.broker
def test_the_farewell_is_said_and_the_will_is_not(tmp_path):
    """A clean end publishes the last word itself, because the broker then drops the will."""

    async def play():
        async with linked(tmp_path) as (private, _, heard):
            other = Link(
                private.address,
                client_id=lambda: "d",
                will=("den/status", b"gone"),
                filters=("den/x",),
                on_message=heard.append,
            )
            other.start()
            await happens(lambda: other.online)
            await other.close(("den/status", b"bye"))
            await happens(lambda: heard)
            assert [message.payload for message in heard] == [b"bye"]

    asyncio.run(play())

"""The link to the broker: paho-mqtt, made so that nothing in it can stop or slow the game.

Rules of this room:

1. Nothing here blocks. paho's thread only stamps and posts; all decisions fall in the asyncio loop's thread.
2. A topic that holds a *latest value* has at most one message on its way; while that is not acknowledged, or
   the broker is away, only the newest value is kept, and it is sent when the way is free. So a slow broker
   gets fewer snapshots, never old ones, and after a reconnect it gets every retained topic again.
3. Messages that matter only now (events, replies) are dropped and counted when they cannot be sent at once,
   and never said again: a connection that was lost has a client of its own, which ends with it.
4. Every message is measured against what the broker takes before it is sent (:mod:`.payloads.sizes`): it
   would hang up on us, again and again. What is larger is sent with less in it, or not at all, and
   :attr:`Link.oversize` says so.
5. Where another controller of the same board is, one of them leaves for good.
"""

import asyncio
import contextlib
import logging
import socket
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from hextraction.controller.payloads.sizes import MOST_PACKET, packet_of
from hextraction.controller.phones.broker import ExternalBroker
from hextraction.controller.phones.mailroom import Mailroom
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

__all__ = ["Callbacks", "Incoming", "Link", "Receiver"]

# --- What paho calls, in its own thread: stamp, post, return ---
#
# Nothing may be raised there: it would end paho's thread, and the client would look connected for ever.


class Receiver(Protocol):
    """Who hears what has happened; see :class:`~hextraction.controller.phones.link.Link`."""

    counters: Counter[str]

    def post(self, client: Client, work: Callable[..., None], *values: Any) -> None:
        """Let the loop's thread do something."""
        ...

    def take_in(self, client: Client, message: MQTTMessage) -> None:
        """Queue a message."""
        ...

    def connected(self, code: ReasonCode, most_packet: int | None = None) -> None:
        """Hear whether the login was accepted, and how large a packet may be, if there is a limit."""
        ...

    def disconnected(self, code: ReasonCode) -> None:
        """Hear that the connection is gone."""
        ...

    def unreached(self) -> None:
        """Hear that nobody listens there."""
        ...

    def subscribed(self, codes: Sequence[ReasonCode]) -> None:
        """Hear which subscriptions were accepted."""
        ...

    def acknowledged(self, message: int, code: ReasonCode) -> None:
        """Hear that the broker has a message."""
        ...


class Callbacks:
    """What paho calls, in its thread. Nothing may be raised there: it would end the thread silently."""

    def __init__(self, link: Receiver) -> None:
        self._link = link

    def hang_on(self, client: Client) -> None:
        """Register paho's callbacks; none holds the client, whose sockets close once nobody does."""
        link = self._link
        post = link.post
        client.on_socket_open = lambda _c, _u, sock: self._guard(_no_delay, sock)
        client.on_connect = lambda c, _u, _f, code, told: self._guard(
            post, c, link.connected, code, getattr(told, "MaximumPacketSize", None)
        )
        client.on_disconnect = lambda c, _u, _f, code, _p: self._guard(post, c, link.disconnected, code)
        client.on_connect_fail = lambda c, _u: self._guard(post, c, link.unreached)
        client.on_subscribe = lambda c, _u, _m, codes, _p: self._guard(post, c, link.subscribed, codes)
        client.on_publish = lambda c, _u, m, code, _p: self._guard(post, c, link.acknowledged, m, code)
        client.on_message = lambda c, _u, message: self._guard(link.take_in, c, message)

    def _guard(self, work: Callable[..., None], *values: Any) -> None:
        try:
            work(*values)
        except Exception:
            self._link.counters["callback_failed"] += 1
            LOG.exception("an MQTT callback failed")


def _no_delay(sock: socket.socket) -> None:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


# --- The link ---

LOG = logging.getLogger(__name__)

KEEPALIVE_S: Final = 10
EXPIRY_S: Final = 10
WATCH_S: Final = 2.0
STALL_S: Final = 6.0
BACK_S: Final = 0.5
"""How soon after a connection was lost the next is tried."""
AGAIN_S: Final = 1.5
"""How soon after one that came to nothing: nobody listens there, or we are not let in."""
_AT_ONCE: Final = 20
"""Messages read in one turn of the loop: edges of sensors wait no longer than these take."""
_TURN_S: Final = 0.002
"""After so long no further message is read in this turn: some cost a whole view."""
_UNDERWAY: Final = 100
_TAKEN_OVER: Final = 0x8E
_TOO_LARGE: Final = 0x95
_REFUSED: Final = 0x80


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A message as it came: nothing in it has been checked."""

    topic: str
    payload: bytes
    retained: bool
    response_topic: str | None = None
    correlation: bytes | None = None


Shorter = Callable[[int], bytes | None]
"""Makes a payload of at most so many bytes, with less in it; None if that is impossible."""


@dataclass(slots=True, kw_only=True)
class _Latest:
    """The newest value of a topic, and whether it still has to be sent."""

    payload: bytes
    retain: bool
    shorter: Shorter | None = None
    owed: bool = True


class _Sent(NamedTuple):
    """A message on its way: its topic, whether it is a latest value, and the bytes of its packet."""

    topic: str
    is_latest: bool
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Oversize:
    """What was last too large for the broker at a topic: its bytes, how many fit, whether some were sent."""

    size: int
    most: int
    cut: bool


class Link:
    """One client of the broker. Every method is for the asyncio loop's thread and returns at once.

    Args:
        broker: where, and with which credentials.
        client_id: makes one that nobody knows, for each client: who knows it and may log in at the broker, as
            watchers of a club may, can push us off by using it.
        will: topic and payload that the broker publishes, retained, when we vanish.
        filters: what to subscribe to.
        on_message: gets each message, in the loop's thread.
        on_up: called when subscribed, each time, before the latest values are sent again.
        watch_s: how often to see whether paho's thread is alive and the broker acknowledges.
        stall_s: after how long without any acknowledgement to connect anew.
    """

    def __init__(
        self,
        broker: ExternalBroker,
        *,
        client_id: Callable[[], str],
        will: tuple[str, bytes],
        filters: Sequence[str],
        on_message: Callable[[Incoming], None],
        on_up: Callable[[], None] = lambda: None,
        watch_s: float = WATCH_S,
        stall_s: float = STALL_S,
    ) -> None:
        self.online = False
        self.left = False
        self.refused = ""
        """Why the broker does not let us in, in its words; empty if it does, or is not there."""
        self.counters: Counter[str] = Counter()
        self._broker = broker
        self._client_id = client_id
        self._will = will
        self._filters = tuple(filters)
        self._on_message = on_message
        self._on_up = on_up
        self._watch_s = watch_s
        self._stall_s = stall_s
        self._latest: dict[str, _Latest] = {}
        self._underway: dict[int, _Sent] = {}
        self._told = self._learned = MOST_PACKET
        """The largest packet: what the broker told, and what it has hung up on."""
        self.oversize: dict[str, Oversize] = {}
        """Topics whose newest message is larger than the broker takes."""
        self.not_taken: dict[str, str] = {}
        """Topics that the broker does not take, and why in its words: it allows our user too little."""
        self._inbox: Mailroom[Incoming] = Mailroom()
        self._reading = False
        self._client: Client | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watch: asyncio.Task[None] | None = None
        self._back: asyncio.TimerHandle | None = None
        self._drained = asyncio.Event()
        self._heard_s = 0.0
        """When the broker last acknowledged something, or nothing was under way."""

    @property
    def stalled(self) -> bool:
        """Whether the broker has acknowledged nothing for some seconds, although it should have."""
        return self.online and bool(self._underway) and self._now_s() - self._heard_s > self._stall_s

    def _now_s(self) -> float:
        return self._loop.time() if self._loop is not None else 0.0

    def room(self, topic: str, correlation: bytes | None = None) -> int:
        """Return how many bytes of payload the broker takes at a topic."""
        return min(self._told, self._learned) - packet_of(topic, b"", correlation)

    def start(self) -> None:
        """Begin to connect, and keep trying until :meth:`close`."""
        self._loop = asyncio.get_running_loop()
        self._connect()
        self._watch = asyncio.create_task(self._watch_thread())

    def latest(
        self, topic: str, payload: bytes, *, retain: bool = True, shorter: Shorter | None = None
    ) -> None:
        """Publish the newest value of a topic, now or as soon as possible; one never sent is replaced.

        ``shorter`` is asked for less if the broker does not take all of it.
        """
        self._latest[topic] = _Latest(payload=payload, retain=retain, shorter=shorter)
        self._send_owed(topic)

    def forget(self, topic: str) -> None:
        """Stop resending a latest value; what the broker holds stays."""
        self._latest.pop(topic, None)

    def leave(self) -> None:
        """Say and hear nothing more, for another controller of this board is there; then :meth:`close`."""
        LOG.error("another controller of this board is on the broker: this one leaves it")
        self.left = True
        self.online = False

    def clear(self, topic: str) -> None:
        """Remove a retained message from the broker, if it is connected."""
        self.forget(topic)
        if self.online:
            self._publish(topic, b"", retain=True)

    def send(
        self,
        topic: str,
        payload: bytes,
        *,
        correlation: bytes | None = None,
        shorter: Shorter | None = None,
    ) -> bool:
        """Publish something that matters only now. Return False if it was dropped."""
        if not self.online or len(self._underway) >= _UNDERWAY:
            self.counters["dropped"] += 1
            return False
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.MessageExpiryInterval = EXPIRY_S
        if correlation is not None:
            properties.CorrelationData = correlation
        return self._publish(topic, payload, shorter, correlation, properties=properties)

    async def drain(self, seconds: float = 1.0) -> None:
        """Wait until everything has been sent, at most this long."""
        self._drained.clear()
        if self.online and self._waiting:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._drained.wait(), seconds)

    @property
    def _waiting(self) -> bool:
        return bool(self._underway) or any(value.owed for value in self._latest.values())

    async def close(self, farewell: tuple[str, bytes] | None = None) -> None:
        """Publish a last message, log off and end paho's thread; takes a few seconds at most.

        It is retained, unless we have left: then what is retained is the other controller's.
        """
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        if self._back is not None:
            self._back.cancel()
        client, self._client = self._client, None
        if client is None:
            return
        if (self.online or self.left) and farewell is not None:
            sent = client.publish(farewell[0], farewell[1], 1, retain=not self.left)
            with contextlib.suppress(RuntimeError, ValueError):
                await asyncio.to_thread(sent.wait_for_publish, 1.0)
        self.online = False
        client.disconnect()
        await asyncio.to_thread(client.loop_stop)

    # --- in the loop's thread -------------------------------------------------------------------------------

    def _connect(self) -> None:
        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=self._client_id(),
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,  # we do that: who is given up just then would come back for ever
        )
        client.username_pw_set(self._broker.user, self._broker.password)
        if self._broker.tls:
            client.tls_set()
        client.will_set(*self._will, qos=1, retain=True)
        client.max_inflight_messages_set(20)
        client.max_queued_messages_set(2 * _UNDERWAY)
        client.connect_timeout = 3.0
        self.use(client)
        client.connect_async(self._broker.host, self._broker.port, KEEPALIVE_S, clean_start=True)
        client.loop_start()

    def use(self, client: Client) -> None:
        """Switch to this client: publish through it and listen to it; the one before is ignored."""
        Callbacks(self).hang_on(client)
        self._client = client
        self._reading = False  # what the one before wanted read is not read on its word

    async def _watch_thread(self) -> None:
        """Make a new client if paho's thread has died or nothing comes back: it looks connected for ever."""
        while True:
            await asyncio.sleep(self._watch_s)
            await asyncio.sleep(0)  # so that whatever a thread said before its end has been heard
            thread = getattr(self._client, "_thread", None)
            if self.left or self._client is None or self._back is not None:
                continue
            if thread is None or not thread.is_alive():
                self._connect_anew("thread_died", "the MQTT thread died")
            elif self.stalled:
                self._connect_anew("stalled", "the broker acknowledges nothing")

    def _connect_anew(self, counter: str, why: str) -> None:
        """Give up a client that is of no use any more, and make a new one."""
        self.counters[counter] += 1
        LOG.error("%s; connecting anew", why)
        self._down(why)
        dead = None if self._client is None else self._client.socket()
        self._give_up()
        if dead is not None:
            dead.close()
        self._connect()

    def _come_back(self) -> None:
        self._back = None
        if not self.left:
            self._connect()

    def _give_up(self) -> None:
        """Let the client end, and forget what it had no answer to."""
        if self._client is not None:
            self._client.disconnect()

    def connected(self, code: ReasonCode, most_packet: int | None = None) -> None:
        """Subscribe, or log why the login was refused; what the broker takes is told with the login."""
        if code.is_failure:
            self.counters["connect_refused"] += 1
            self.refused = str(code)
            if self.counters["connect_refused"] == 1:
                LOG.error("the broker refuses us: %s", code)
            return
        self._told = min(most_packet or MOST_PACKET, MOST_PACKET)
        if self._client is not None:
            # A command sent with the retain flag shall arrive with it, so that it can be dropped and counted.
            self._client.subscribe(
                [
                    (topic, SubscribeOptions(qos=1, retainAsPublished=topic.endswith("/cmd")))
                    for topic in self._filters
                ]
            )

    def subscribed(self, codes: Sequence[ReasonCode]) -> None:
        """Go online; resend all retained topics."""
        for code in codes:
            if code.is_failure:
                LOG.error("the broker refuses a subscription: %s", code)
        self._underway.clear()
        self.online, self.refused = True, ""
        if self.counters["connects"]:
            LOG.info("the broker is there again")
        self.counters["connects"] += 1
        self._on_up()
        for topic, value in self._latest.items():
            value.owed = value.owed or value.retain
            self._send_owed(topic)

    def disconnected(self, code: ReasonCode) -> None:
        """Go offline, and come back as another client: at once if somebody has used our client id."""
        was_online = self.online
        if code.value == _TOO_LARGE and self._underway:  # it never said so: from now on we know
            self._learned = min(self._learned, max(sent.size for sent in self._underway.values()) - 1)
        self._down(str(code))
        if code.value == _TAKEN_OVER:
            self.counters["pushed_off"] += 1
            LOG.error("somebody has used our client id at the broker; connecting under another one")
            self._give_up()
            self._connect()
        else:
            self._end_and_come_back(BACK_S if was_online else AGAIN_S)

    def unreached(self) -> None:
        """Try again in a while: nobody listens there."""
        self._end_and_come_back(AGAIN_S)

    def _end_and_come_back(self, after_s: float) -> None:
        if self._loop is not None and self._back is None:
            self._give_up()
            self._back = self._loop.call_later(after_s, self._come_back)

    def _down(self, why: str) -> None:
        if self.online:
            LOG.warning("the broker is away (%s): phones wait for it", why)
        self.online = False
        self._underway.clear()

    def acknowledged(self, message: int, code: ReasonCode) -> None:
        """Send the topic's newer value, if there is one by now."""
        self._heard_s = self._now_s()
        sent = self._underway.pop(message, None)
        if sent is not None:
            self._note_answer(sent.topic, code)
            if sent.is_latest:
                self._send_owed(sent.topic)
        if not self._waiting:
            self._drained.set()

    def _note_answer(self, topic: str, code: ReasonCode) -> None:
        """Note whether the broker has taken a message, and log the first that it has not."""
        if code.value < _REFUSED:
            self.not_taken.pop(topic, None)
            return
        self.counters["publish_refused"] += 1
        if not self.not_taken:
            LOG.error(
                "the broker does not take %s: %s; look at what it allows this table's user", topic, code
            )
        self.not_taken[topic] = str(code)

    def _send_owed(self, topic: str) -> None:
        value = self._latest.get(topic)
        on_its_way = any(sent.is_latest and sent.topic == topic for sent in self._underway.values())
        if value is None or not value.owed or not self.online or on_its_way:
            return
        sent = self._publish(topic, value.payload, value.shorter, is_latest=True, retain=value.retain)
        hopeless = topic in self.oversize and not self.oversize[topic].cut
        value.owed = not sent and not hopeless

    def _fit(self, topic: str, payload: bytes, shorter: Shorter | None, most: int) -> bytes | None:
        """Return as much of a payload as the broker takes; None if it can take nothing of it."""
        if len(payload) <= most:
            self.oversize.pop(topic, None)
            return payload
        fits = shorter(most) if shorter is not None else None
        self.counters["too_large" if fits is None else "cut"] += 1
        if topic not in self.oversize:
            what = "is not sent" if fits is None else "is sent with less in it"
            LOG.error(
                "%s: %d bytes are more than the %d the broker takes: it %s", topic, len(payload), most, what
            )
        self.oversize[topic] = Oversize(size=len(payload), most=most, cut=fits is not None)
        return fits

    def _publish(
        self,
        topic: str,
        payload: bytes,
        shorter: Shorter | None = None,
        correlation: bytes | None = None,
        *,
        is_latest: bool = False,
        **how: Any,
    ) -> bool:
        """Hand a message to paho, as much of it as the broker takes; return whether it is on its way.

        The one place where anything is published but for the farewell and the will, which are a line each.
        """
        if self._client is None:
            return False
        fits = self._fit(topic, payload, shorter, self.room(topic, correlation))
        if fits is None:
            return False
        sent = self._client.publish(topic, fits, 1, **how)
        if sent.rc:
            self.counters["dropped"] += 1
            return False
        if not self._underway:
            self._heard_s = self._now_s()
        self._underway[sent.mid] = _Sent(topic, is_latest, packet_of(topic, fits, correlation))
        return True

    def deliver(self) -> None:
        """Pass incoming messages on, from each topic in turn, and some at a time."""
        self._reading = False
        until_s = self._now_s() + _TURN_S
        for number in range(_AT_ONCE):
            if self.left:  # the other controller hears what still waits
                return
            if number and self._now_s() > until_s:
                break
            message = self._inbox.take()
            if message is None:
                return
            try:
                self._on_message(message)
            except Exception:
                self.counters["handler_failed"] += 1
                LOG.exception("a message could not be handled")
        if self._inbox and self._loop is not None:
            self._reading = True
            self._loop.call_soon(self.deliver)

    # --- in paho's thread -----------------------------------------------------------------------------------

    def post(self, client: Client, work: Callable[..., None], *values: Any) -> None:
        """Let the loop do it, unless the loop or this client is gone, also by then."""
        self._soon(client, self._do, client, work, *values)

    def _soon(self, client: Client, work: Callable[..., None], *values: Any) -> None:
        if client is self._client and self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(work, *values)

    def _do(self, client: Client, work: Callable[..., None], *values: Any) -> None:
        if client is self._client:  # what one says that was given up meanwhile is not said of its successor
            work(*values)

    def take_in(self, client: Client, message: MQTTMessage) -> None:
        """Queue a message; of a topic that has fifty waiting it is dropped and counted."""
        if self.left:
            return
        properties = message.properties
        incoming = Incoming(
            topic=message.topic,
            payload=bytes(message.payload),
            retained=message.retain,
            response_topic=getattr(properties, "ResponseTopic", None),
            correlation=getattr(properties, "CorrelationData", None),
        )
        if not self._inbox.put(message.topic, incoming):
            self.counters["inbox_full"] += 1
        elif not self._reading:
            self._reading = True
            self._soon(client, self.deliver)  # what has been heard is read, whoever heard it

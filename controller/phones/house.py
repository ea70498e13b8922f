"""The house's copy: a client that tells the house's broker what everybody may know.

Rules of this room:

1. Nothing comes in. It subscribes to nothing, reads nothing but acknowledgements, and hangs up on who sends
   more than those. What is behind it, the broker that has hands, is never told of the house.
   Only with :mod:`.ears` (``discovery = true``) it hears, of four topics, what is short, not retained, and
   exactly one of three orders or a greeting; that goes to the table as a value, never as a message.
2. A house that is lost, slow or hostile costs the table nothing: the client has a thread of its own, and what
   waits for it is bounded: one value for each topic, and a hundred events.
3. What arrives is complete, in order, and once for each change. After a reconnect every retained topic is
   told again, for nobody knows what the house still has; an event never twice, and not after ten seconds.
4. Its last will lies at the house's broker, so whoever dies with us does not have the last word.
"""

import asyncio
import contextlib
import hashlib
import logging
import secrets
import selectors
import socket
import ssl
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hextraction.controller.phones.broker import ExternalBroker
from hextraction.controller.phones.ears import Ears
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MessageType, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

__all__ = ["House", "HouseError", "HouseRefusedError", "own_id", "try_login"]

LOG = logging.getLogger(__name__)

EXPIRY_S: Final = 10
KEEPALIVE_S: Final = 10
PATIENCE_S: Final = 5.0
"""How long the house may take to greet us, or to acknowledge anything that waits for it."""
_EVENTS: Final = 100
_UNDERWAY: Final = 10
_STEADY_S: Final = 10.0
_OFTEN: Final = 3
"""So many times in a minute nobody is thrown out by chance."""
_TOLD_AGAIN_S: Final = 600.0
"""How long the log is spared what it has just been told."""
_PAUSES_S: Final = (1.0, 2.0, 5.0, 10.0, 30.0)
_LAST_WORDS_S: Final = 1.5
_LONGEST: Final = 512
"""Bytes of the longest answer: an acknowledgement has four, and perhaps a sentence."""
_MOST_HEARD: Final = 4096
"""Bytes in a second: a hundred acknowledgements, and a tenth of what would keep this thread busy."""
_FAILED: Final = 0x80
_LOGIN: Final = frozenset({0x86, 0x87})
_TAKEN_OVER: Final = 0x8E
_MACHINE: Final = Path("/etc/machine-id")


class HouseError(Exception):
    """The house's broker is of no use now; the message says why, as the end of a sentence about it."""


class HouseRefusedError(HouseError):
    """It is there and does not let us in."""


def own_id(prefix: str, journal: Path | None, machine: Path = _MACHINE) -> str:
    """Return a client id of this table's own, the same at every start.

    Two boards may have one name, and one machine two tables: the machine's id and the journal's place are
    in it, hashed, as the id itself shall not leave the machine.
    """
    try:
        told = machine.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        told = ""
    seed = f"hextraction house {told or uuid.getnode()} {journal and journal.absolute()}"
    return f"{prefix.replace('/', '-')}-{hashlib.sha256(seed.encode()).hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class _Word:
    """Something to tell, with its place in the order of all; what has an end (``until_s``) is not kept."""

    number: int
    topic: str
    body: bytes
    until_s: float | None = None


class _Waiting:
    """What the house has not been told: the newest value of each topic, and a few events. Thread-safe."""

    def __init__(self) -> None:
        self._latest: dict[str, _Word] = {}
        self._owed: set[str] = set()
        self._events: deque[_Word] = deque(maxlen=_EVENTS)
        self._told = 0
        self._lock = threading.Lock()

    def latest(self, topic: str, body: bytes) -> bool:
        """Keep a topic's newest value; return False if it is what it was."""
        with self._lock:
            before = self._latest.get(topic)
            if before is not None and before.body == body:
                return False
            self._told += 1
            self._latest[topic] = _Word(self._told, topic, body)
            self._owed.add(topic)
            return True

    def again(self, topic: str) -> None:
        """Owe a topic's newest value again, as what came last; nothing if it has none."""
        with self._lock:
            word = self._latest.get(topic)
            if word is not None:
                self._told += 1
                self._latest[topic] = replace(word, number=self._told)
                self._owed.add(topic)

    def event(self, topic: str, body: bytes, until_s: float) -> None:
        """Keep an event until it is too old; of too many the oldest goes."""
        with self._lock:
            self._told += 1
            self._events.append(_Word(self._told, topic, body, until_s))

    def all_again(self) -> None:
        """Owe every value again: the house may have forgotten all."""
        with self._lock:
            self._owed = set(self._latest)

    def take(self, now_s: float) -> _Word | None:
        """Return what is next to be told, in the order in which it became so."""
        with self._lock:
            while self._events and (self._events[0].until_s or 0.0) <= now_s:
                self._events.popleft()
            words = [self._latest[topic] for topic in self._owed]
            if self._events:
                words.append(self._events[0])
            if not words:
                return None
            word = min(words, key=lambda each: each.number)
            if word.until_s is None:
                self._owed.discard(word.topic)
            else:
                self._events.popleft()
            return word


# --- A client that reads nothing but acknowledgements ---


class _Deaf(Client):
    """paho's client without ears: what is no answer to us is skipped unread, what is too long ends it.

    With ``hears`` it reads messages, too, but none that is to be acknowledged.
    """

    _ANSWERS: Final = frozenset(
        {MessageType.CONNACK, MessageType.PUBACK, MessageType.PINGRESP, MessageType.DISCONNECT}
    )

    def __init__(self, client_id: str, *, hears: bool = False) -> None:
        super().__init__(CallbackAPIVersion.VERSION2, client_id, protocol=MQTTProtocolVersion.MQTTv5)
        self._hears = hears
        self.heard = 0
        """Bytes that have come in."""
        self.is_long = False
        """Whether a packet was too long to be an answer."""

    def _sock_recv(self, bufsize: int) -> bytes:
        if bufsize > _LONGEST:  # paho asks for all that is left of a packet
            self.is_long = True
            raise ConnectionError
        data = super()._sock_recv(bufsize)
        self.heard += len(data)
        return data

    def _packet_handle(self) -> MQTTErrorCode:
        command = self._in_packet["command"]
        wanted = command & 0xF0 == MessageType.SUBACK or command & 0xF6 == MessageType.PUBLISH
        if command & 0xF0 in self._ANSWERS or (self._hears and wanted):
            return super()._packet_handle()
        return MQTTErrorCode.MQTT_ERR_SUCCESS


class _Session:
    """One connection, from its login to its end. All of it is for the house's own thread.

    Args:
        where: the house's broker.
        client_id: who we are there.
        keepalive_s: how often to ask whether it is there; half as much again, and it says that we are not.
        hears: gets topic, body and whether it is retained, of each message; None to read none.
    """

    def __init__(
        self,
        where: ExternalBroker,
        client_id: str,
        keepalive_s: int = KEEPALIVE_S,
        hears: Callable[[str, bytes, bool], None] | None = None,
    ) -> None:
        self.welcome = False
        self.taken_over = False
        """Whether the house says that somebody else has logged in under our id."""
        self.thrown_out = False
        """Whether it hung up without a word after it had let us in, as Mosquitto does then."""
        self.refuses = False
        self.heeded = False
        """Whether anything has been acknowledged."""
        self.refused: dict[str, str] = {}
        """Topics that the house does not take, and why."""
        self.underway: dict[int, str] = {}
        self.deaf_to = ""
        """Why the house does not let us hear what it may ask; empty if it does."""
        self._where = where
        self._keepalive_s = keepalive_s
        self._why = ""
        self._client = client = _Deaf(client_id, hears=hears is not None)
        if hears is not None:
            self._hears = hears
            client.on_message = lambda _c, _u, message: self._message(message)
            client.on_subscribe = lambda _c, _u, _mid, codes, _p: self._granted(codes)
        self._born_s = self._heard_s = self._second_s = time.monotonic()
        self._heard = 0
        if where.user or where.password:
            client.username_pw_set(where.user or "", where.password)
        if where.tls:
            client.tls_set()
        client.connect_timeout = 3.0
        client.on_connect = lambda _c, _u, _f, code, _p: self._greeted(code)
        client.on_disconnect = lambda _c, _u, flags, code, _p: self._left(
            code, flags.is_disconnect_packet_from_server
        )
        client.on_publish = lambda _c, _u, mid, code, _p: self._acknowledged(mid, code)

    def leave_a_will(self, topic: str, body: bytes) -> None:
        """Have the house publish this, retained, when we vanish; before :meth:`connect`."""
        self._client.will_set(topic, body, qos=1, retain=True)

    def connect(self) -> None:
        """Open the connection and say hello.

        Raises:
            HouseRefusedError: it is not who its certificate says.
            HouseError: it cannot be reached.
        """
        try:
            self._client.connect(self._where.host, self._where.port, self._keepalive_s, clean_start=True)
        except ssl.SSLCertVerificationError as error:
            raise HouseRefusedError(f"cannot be trusted: {error.verify_message}") from None
        except (OSError, ValueError) as error:  # a name that is none is a ValueError
            raise HouseError(f"cannot be reached: {_reason(error)}") from None

    def listen(self, topics: Sequence[str]) -> None:
        """Ask for these topics: at most once, unacknowledged, and nothing that was said before."""
        how = SubscribeOptions(
            qos=0, retainAsPublished=True, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND
        )
        self._client.subscribe([(topic, how) for topic in topics])

    def tell(self, word: _Word) -> None:
        """Publish one thing."""
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if word.until_s is not None:
            properties.MessageExpiryInterval = EXPIRY_S
        if not self.underway:
            self._heard_s = time.monotonic()
        sent = self._client.publish(word.topic, word.body, 1, word.until_s is None, properties)
        if sent.rc:
            raise HouseError("hung up")
        self.underway[sent.mid] = word.topic

    def turn(self, wake: socket.socket, wait_s: float) -> None:
        """Read and write what can be, waiting at most this long, or until ``wake`` has something to read.

        Raises:
            HouseError: it is of no use any more.
        """
        client, sock = self._client, self._client.socket()
        if sock is None:
            raise HouseError(self._why or "hung up")
        with selectors.DefaultSelector() as ready:
            ready.register(sock, selectors.EVENT_READ | (selectors.EVENT_WRITE if client.want_write() else 0))
            ready.register(wake, selectors.EVENT_READ)
            found = {key.fileobj: events for key, events in ready.select(wait_s)}
        if wake in found:
            wake.recv(4096)
        if found.get(sock, 0) & selectors.EVENT_WRITE:
            client.loop_write()
        if found.get(sock, 0) & selectors.EVENT_READ:
            self._read(sock)
        client.loop_misc()
        self._judge(time.monotonic())

    def end(self, *, politely: bool) -> None:
        """Log off, or only hang up: then the house publishes our will."""
        self._client.on_disconnect = None
        if politely:
            self._client.disconnect()
        sock = self._client.socket()
        if sock is not None:
            sock.close()

    def _read(self, sock: object) -> None:
        self._client.loop_read()
        while isinstance(sock, ssl.SSLSocket) and sock.pending() and self._client.socket() is sock:
            self._client.loop_read()
            self._judge(time.monotonic())

    def _judge(self, now_s: float) -> None:
        if self._why:
            raise HouseRefusedError(self._why) if self.refuses else HouseError(self._why)
        if now_s - self._second_s > 1.0:
            self._second_s, self._heard = now_s, self._client.heard
        if self._client.heard - self._heard > _MOST_HEARD:
            raise HouseError("sends us far more than acknowledgements, and nothing of it is read")
        if not self.welcome and now_s - self._born_s > PATIENCE_S:
            raise HouseError("does not greet us as a broker does")
        if self.underway and now_s - self._heard_s > PATIENCE_S:
            raise HouseError("acknowledges nothing")

    def _greeted(self, code: ReasonCode) -> None:
        if code.is_failure:
            advice = "; look at user and password_file" if code.value in _LOGIN else ""
            self.refuses, self._why = True, f"refuses us: {code}{advice}"
        else:
            self.welcome = True

    def _message(self, message: MQTTMessage) -> None:
        self._hears(message.topic, bytes(message.payload), message.retain)

    def _granted(self, codes: Sequence[ReasonCode]) -> None:
        self.deaf_to = next((str(code) for code in codes if code.is_failure), "")

    def _left(self, code: ReasonCode, said_so: bool) -> None:  # noqa: FBT001 - as paho tells it
        self.taken_over = said_so and code.value == _TAKEN_OVER
        self.thrown_out = self.welcome and not said_so and code.value == _FAILED and not self._client.is_long
        if self._client.is_long:
            self._why = "sends us what nobody asked for"
        self._why = self._why or (f"hung up: {code}" if said_so else "hung up")

    def _acknowledged(self, mid: int, code: ReasonCode) -> None:
        self._heard_s, self.heeded = time.monotonic(), True
        topic = self.underway.pop(mid, None)
        if topic is None:
            return
        if code.value >= _FAILED:
            self.refused[topic] = str(code)
        else:
            self.refused.pop(topic, None)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__


# --- The copy ---


class House:
    """Copies public topics to the house's broker. Every method is for any thread and returns at once.

    Args:
        where: the house's broker.
        client_id: who we are there, see :func:`own_id`.
        will: topic and payload that the house publishes, retained, when we vanish.
        keepalive_s: how often to ask whether it is still there.
        pauses_s: how long to wait after one failure after another.
        ears: what it may say to us; None for nothing at all.
    """

    def __init__(
        self,
        where: ExternalBroker,
        *,
        client_id: str,
        will: tuple[str, bytes],
        keepalive_s: int = KEEPALIVE_S,
        pauses_s: Sequence[float] = _PAUSES_S,
        ears: Ears | None = None,
    ) -> None:
        self.online = False
        self._ears = ears
        self._deaf_to = ""
        self._where = where
        self._client_id = self._first_id = client_id
        self._will = will
        self._keepalive_s = keepalive_s
        self._pauses_s = pauses_s
        self._waiting = _Waiting()
        self._why = ""
        self._refused: dict[str, str] = {}
        self._thrown_out_s: deque[float] = deque(maxlen=_OFTEN)
        self._logged_s: dict[str, float] = {}
        self._bell, self._wake = socket.socketpair()
        self._bell.settimeout(0)
        self._ended_s: float | None = None
        self._thread = threading.Thread(target=self._run, name="house", daemon=True)

    def start(self) -> None:
        """Begin to connect, and keep trying until :meth:`close`."""
        self._thread.start()

    def latest(self, topic: str, body: bytes) -> None:
        """Tell the newest value of a topic, retained, as soon as the house takes it."""
        if self._waiting.latest(topic, body):
            self._ring()

    def again(self, topic: str) -> None:
        """Tell the newest value of a topic once more: somebody else may have told another one."""
        self._waiting.again(topic)
        self._ring()

    def event(self, topic: str, body: bytes) -> None:
        """Tell what matters only now: within ten seconds or not at all."""
        self._waiting.event(topic, body, time.monotonic() + EXPIRY_S)
        self._ring()

    @property
    def problems(self) -> Iterator[str]:
        """What is wrong with the copy, in words for whoever runs the table."""
        if self._why:
            yield f"{self._title} {self._why}"
        elif refused := dict(self._refused):
            topic, why = next(iter(refused.items()))
            more = f" and {len(refused) - 1} more" if len(refused) > 1 else ""
            yield f"{self._title} does not take {topic}{more}: {why}; look at what it allows this user"
        if self._deaf_to:
            why = f"{self._deaf_to}; look at what it allows this user"
            yield f"{self._title} does not let us hear its orders: {why}"
        if self._client_id != self._first_id:
            yield (
                f"{self._title} throws {self._first_id} out as if another board used this id (a copied "
                "card?), so this one has taken another; give each board its own `id` under [table]"
            )

    @property
    def _title(self) -> str:
        return f"the house's broker ({self._where.host}:{self._where.port})"

    async def close(self, farewell: tuple[str, bytes]) -> None:
        """Tell a last value, log off and end the thread; takes two seconds at most."""
        self._waiting.latest(*farewell)
        self._ended_s = time.monotonic()
        self._ring()
        await asyncio.to_thread(self._thread.join, 2.0 if self.online else 0.1)

    def _ring(self) -> None:
        with contextlib.suppress(OSError):  # full: it will look anyway
            self._bell.send(b"\0")

    # --- the house's own thread -----------------------------------------------------------------------------

    def _run(self) -> None:
        falls = 0
        while self._ended_s is None:
            began_s = time.monotonic()
            try:
                self._session()
            except HouseError as error:
                self._tell(
                    str(error), logging.ERROR if isinstance(error, HouseRefusedError) else logging.WARNING
                )
            except Exception as error:  # noqa: BLE001 - whatever comes from there may break a parser, not us
                self._tell(f"says what no broker says ({type(error).__name__})")
            self.online = False
            falls = 0 if time.monotonic() - began_s > _STEADY_S else falls
            self._rest(self._pauses_s[min(falls, len(self._pauses_s) - 1)])
            falls += 1
        self._bell.close()
        self._wake.close()

    def _session(self) -> None:
        hears = self._hear if self._ears is not None else None
        session = _Session(self._where, self._client_id, self._keepalive_s, hears)
        session.refused = dict(self._refused)
        session.leave_a_will(*self._will)
        politely = False
        try:
            session.connect()
            while not session.welcome:
                session.turn(self._wake, 1.0)
            if self._ears is not None:
                session.listen(self._ears.topics)
            self._waiting.all_again()
            self.online = True
            self._copy(session)
            politely = True
        finally:
            session.end(politely=politely)
            self._look_for_another(session)

    def _hear(self, topic: str, body: bytes, retained: bool) -> None:  # noqa: FBT001 - as the session tells it
        """Let the ears judge a message; what is wrong with it is told once, and nothing of what it said."""
        if self._ears is None:
            return
        again, wrong = self._ears.hear(topic, body, retained=retained, now_s=time.monotonic())
        if again:
            self._waiting.all_again()
        if wrong:
            self._log(logging.WARNING, f"{self._title} {wrong}")

    def _look_for_another(self, session: _Session) -> None:
        """Leave the id to whoever else uses it: else each would throw the other out for ever."""
        if session.thrown_out:
            self._thrown_out_s.append(time.monotonic())
        often = len(self._thrown_out_s) == _OFTEN and self._thrown_out_s[-1] - self._thrown_out_s[0] < 60.0
        if (session.taken_over or often) and self._client_id == self._first_id:
            self._client_id = f"{self._first_id}-{secrets.token_hex(4)}"
            self._log(logging.ERROR, list(self.problems)[-1])

    def _copy(self, session: _Session) -> None:
        """Tell what there is to tell until we end."""
        while True:
            while len(session.underway) < _UNDERWAY and (word := self._waiting.take(time.monotonic())):
                session.tell(word)
            late_s = None if self._ended_s is None else time.monotonic() - self._ended_s
            if late_s is not None and (not session.underway or late_s > _LAST_WORDS_S):
                return
            session.turn(self._wake, 0.2 if late_s is not None else 1.0)
            if session.heeded:
                self._heeded(session)

    def _heeded(self, session: _Session) -> None:
        """Note that the house takes something, and what it does not take."""
        self._why, self._refused, self._deaf_to = "", dict(session.refused), session.deaf_to
        for problem in self.problems if self._refused or self._deaf_to else ():
            self._log(logging.WARNING, problem)
        self._log(logging.INFO, f"{self._title} gets a copy")

    def _tell(self, why: str, level: int = logging.WARNING) -> None:
        """Note why there is no copy."""
        self._why = why
        self._log(level, f"{self._title} {why}")

    def _log(self, level: int, line: str) -> None:
        """Log a line, but not what was just logged: a house may come and go all day."""
        now_s = time.monotonic()
        if now_s - self._logged_s.get(line, -_TOLD_AGAIN_S) >= _TOLD_AGAIN_S:
            LOG.log(level, "%s", line)
            self._logged_s = {
                known: at_s for known, at_s in self._logged_s.items() if now_s - at_s < _TOLD_AGAIN_S
            }
            self._logged_s[line] = now_s

    def _rest(self, seconds: float) -> None:
        """Wait, but not for the house when we end."""
        until_s = time.monotonic() + seconds
        while self._ended_s is None and (left_s := until_s - time.monotonic()) > 0:
            self._wake.settimeout(left_s)
            with contextlib.suppress(TimeoutError):
                self._wake.recv(4096)
        self._wake.settimeout(None)


def try_login(where: ExternalBroker) -> None:
    """Log in at a house's broker and off again, under an id that nobody has.

    Raises:
        HouseRefusedError: it is there and does not let us in.
        HouseError: it cannot be asked now.
    """
    session = _Session(where, f"hextraction-check-{secrets.token_hex(8)}")
    bell, wake = socket.socketpair()
    with bell, wake:
        try:
            session.connect()
            while not session.welcome:
                session.turn(wake, 1.0)
        finally:
            session.end(politely=session.welcome)

"""The first MQTT packet of a phone, read and rewritten before the broker sees it. Sans-I/O.

1. The client id gets the user name in front. Mosquitto lets any user throw another one off by using the same
   client id; with ``user|id`` a phone can only ever replace itself.
2. The session starts clean and ends with the connection. Otherwise anybody could connect under ever new
   client ids, subscribe, drop, and have the broker keep every message for them until its memory is full.
3. There is no last will: the gate itself sees that a phone's connection has ended, and Mosquitto 2.0 never
   frees the will of a client that it turns away. What is left of a CONNECT is small.

Everything after the first packet passes the gate as it is, as :mod:`.toll` allows.
"""

from dataclasses import dataclass, field
from typing import Final

__all__ = ["BadConnectError", "Connect", "accepted", "connect_as", "read_connect"]

MOST_CONNECT: Final = 8 * 1024
_MOST_CLIENT: Final = 128
_CONNECT: Final = 0x10
_CONNACK: Final = 0x20
_USER: Final = 0x80
_PASSWORD: Final = 0x40
_WILL: Final = 0x04
_ALL_OF_WILL: Final = 0x3C
_RESERVED: Final = 0x01
_CLEAN_START: Final = 0x02
_MQTT_5: Final = 5
_PROPERTY_BYTES: Final = {0x11: 4, 0x17: 1, 0x19: 1, 0x21: 2, 0x22: 2, 0x27: 4}
"""Lengths of the properties a phone may send: session expiry, problem and response information, maxima."""
_SESSION_EXPIRY: Final = 0x11


class BadConnectError(ValueError):
    """The first packet is not a CONNECT that we accept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connect:
    """Who wants in, the packet to send on, and how many bytes of the input it was."""

    user: str
    password: bytes = field(repr=False)
    packet: bytes = field(repr=False)
    consumed: int
    version: int

    @property
    def refusal(self) -> bytes:
        """The CONNACK that says ``Not authorized``, as the broker would."""
        return b"\x20\x03\x00\x87\x00" if self.version == _MQTT_5 else b"\x20\x02\x00\x05"


class _Reader:
    """Walks over the packet; every read is checked against its end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        chunk = self.data[self.at : self.at + count]
        if len(chunk) != count:
            raise BadConnectError("the packet ends too early")
        self.at += count
        return chunk

    def field(self) -> bytes:
        return self.take(int.from_bytes(self.take(2)))

    def number(self) -> int:
        value = 0
        for shift in (0, 7, 14, 21):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise BadConnectError("a length has more than four bytes")

    def properties(self, version: int) -> None:
        if version == _MQTT_5:
            self.take(self.number())


def _number(value: int) -> bytes:
    out = bytearray()
    while True:
        value, low = divmod(value, 128)
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)


def _field(data: bytes) -> bytes:
    return len(data).to_bytes(2) + data


def read_connect(data: bytes) -> Connect | None:
    """Return the CONNECT at the beginning of ``data``, or None if there is not enough of it yet.

    Raises:
        BadConnectError: it is something else, or has no user and password, or is above 8 KiB, or a name in it
            is too long or no text.
    """
    if data and data[0] != _CONNECT:
        raise BadConnectError("the first packet is no CONNECT")
    size = _size(data)
    if size is None or len(data) < sum(size):
        return None
    start, length = size
    user, password, version, body = _rewritten(_Reader(data[start : start + length]))
    return Connect(
        user=user, password=password, packet=_packet(body), consumed=start + length, version=version
    )


def connect_as(user: str, password: str, client: str) -> bytes:
    """Return a CONNECT of our own, MQTT 3.1.1, in a clean session."""
    head = _field(b"MQTT") + bytes([4, _USER | _PASSWORD | _CLEAN_START, 0, 60])
    return _packet(head + b"".join(_field(each.encode()) for each in (client, user, password)))


def _packet(body: bytes) -> bytes:
    return bytes([_CONNECT]) + _number(len(body)) + body


def _size(data: bytes) -> tuple[int, int] | None:
    """Return where the body begins and how long it is, or None if that cannot be told yet."""
    try:
        reader = _Reader(data[1:5])
        length = reader.number()
    except BadConnectError:
        if len(data) >= 5:
            raise
        return None
    if length > MOST_CONNECT:
        raise BadConnectError("the CONNECT is too long")
    return 1 + reader.at, length


def _rewritten(reader: _Reader) -> tuple[str, bytes, int, bytes]:
    """Return user, password, the protocol's version, and the body as the broker may see it."""
    protocol, version, flags = reader.field(), reader.take(1)[0], reader.take(1)[0]
    if (protocol, version) not in {(b"MQTT", 4), (b"MQTT", _MQTT_5)}:
        raise BadConnectError("the gate speaks MQTT 3.1.1 and 5")
    if not flags & _USER or not flags & _PASSWORD or flags & _RESERVED:
        raise BadConnectError("user and password are needed")
    kept = flags & ~_ALL_OF_WILL | _CLEAN_START
    head = reader.data[: reader.at - 1] + bytes([kept]) + reader.take(2)
    if version == _MQTT_5:
        properties = _without_expiry(_Reader(reader.take(reader.number())))
        head += _number(len(properties)) + properties
    client = reader.field()
    if flags & _WILL:
        reader.properties(version)
        reader.field()
        reader.field()
    user, password = reader.field(), reader.field()
    if reader.at != len(reader.data) or b"|" in user or len(client) > _MOST_CLIENT:
        raise BadConnectError("the packet does not add up")
    named = _text(user), _text(client)
    return (
        named[0],
        password,
        version,
        head + _field("|".join(named).encode()) + _field(user) + _field(password),
    )


def _without_expiry(properties: _Reader) -> bytes:
    """Return the properties of a CONNECT without how long the session outlives it."""
    kept = b""
    while properties.at < len(properties.data):
        begin, kind = properties.at, properties.take(1)[0]
        if kind not in _PROPERTY_BYTES:
            raise BadConnectError("a property that no phone needs")
        properties.take(_PROPERTY_BYTES[kind])
        if kind != _SESSION_EXPIRY:
            kept += properties.data[begin : properties.at]
    return kept


def _text(name: bytes) -> str:
    """Return a name as text: the broker turns away what is none, and that costs it memory."""
    try:
        text = name.decode()
    except UnicodeDecodeError as error:
        raise BadConnectError("a name is not UTF-8") from error
    if not text.isprintable():
        raise BadConnectError("a name holds what cannot be seen")
    return text


def accepted(data: bytes) -> bool:
    """Return whether the broker's first bytes are a CONNACK that lets the client in."""
    if len(data) < 4 or data[0] != _CONNACK:
        return False
    reader = _Reader(data[1:])
    reader.number()
    reader.take(1)
    return reader.take(1) == b"\x00"

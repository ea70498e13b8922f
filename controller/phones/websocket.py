"""A phone's websocket, joined to the broker's TCP port as plain bytes.

The websocket itself is read and written by the sans-I/O protocol of ``websockets``. Its asyncio server parses
the request too, but takes GET only and no body, so it could not share a port with ``POST /join``; with the
protocol alone the gate has one reader of requests, one set of deadlines, and real back-pressure both ways:
a side that does not read stops the other side's reading, and is dropped if that lasts.

What a phone sends is read a little at a time, and its frames are paid for before they are parsed, its packets
before they are sent on. Who sends too much waits, and is dropped if that lasts.
"""

import asyncio
import contextlib
import math
import ssl
from collections.abc import Callable
from typing import Final

from hextraction.controller.phones.admission import Allowance
from hextraction.controller.phones.broker import ExternalBroker
from hextraction.controller.phones.http import Request
from hextraction.controller.phones.mqtt_connect import BadConnectError, Connect, accepted, read_connect
from hextraction.controller.phones.toll import BadPacketError, Toll
from websockets.frames import Frame, Opcode
from websockets.http11 import Request as Handshake
from websockets.protocol import OPEN
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

__all__ = ["MOST_FRAME", "Proxy", "SlowError"]

MOST_FRAME: Final = 64 * 1024
_CHUNK: Final = 16 * 1024
_SIP: Final = 1024
"""So much of a phone is read at once: even frames with nothing in them are parsed in a moment then."""
_CALM_S: Final = 1.0
"""Who has not had to wait for so long has stopped sending too much."""
_POLICY: Final = 1008
_TRY_AGAIN: Final = 1013
_UNSUPPORTED: Final = 1003


class SlowError(Exception):
    """The other side has stopped reading."""


class _TooMuchError(Exception):
    """A phone sends more than it may, and goes on with it."""


async def drained(writer: asyncio.StreamWriter, slow_s: float) -> None:
    """Wait until there is room to send.

    Raises:
        SlowError: there was none for so long.
    """
    try:
        async with asyncio.timeout(slow_s):
            await writer.drain()
    except TimeoutError as error:
        raise SlowError from error


class Proxy:
    """One websocket.

    Args:
        reader, writer: the phone's connection, its request already read.
        upstream: where the broker is.
        admits: whether a user with this password may use the gate.
        on_known: called when the broker has accepted the login, with the user's name; false: no room.
        allowance: how much the phone may send.
        on_slowed: called once, when it first has to wait because it sends more.
        connect_s: how long the phone may take for its CONNECT, and the broker to answer the call.
        slow_s: how long a side may take nothing of what is sent to it.
        patience_s: how long a phone may go on sending more than its allowance before it is dropped.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        upstream: ExternalBroker,
        admits: Callable[[str, bytes], bool],
        on_known: Callable[[str], bool],
        allowance: Allowance,
        on_slowed: Callable[[], None],
        connect_s: float,
        slow_s: float,
        patience_s: float,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._upstream = upstream
        self._admits = admits
        self._on_known = on_known
        self._allowance = allowance
        self._on_slowed = on_slowed
        self._toll = Toll()
        self._was_slowed = False
        self._over_since_s = self._waited_s = -math.inf
        """Since when it has had to wait again and again, and when it last has."""
        self._connect_s = connect_s
        self._slow_s = slow_s
        self._patience_s = patience_s
        self._protocol = ServerProtocol(subprotocols=[Subprotocol("mqtt")], max_size=MOST_FRAME)

    async def run(self, request: Request) -> str:
        """Serve until either side ends; return why it ended, as a word to count.

        Raises:
            SlowError: a side did not read for too long.
            OSError: a connection broke.
        """
        if not await self._shake_hands(request):
            return "handshake_refused"
        try:
            async with asyncio.timeout(self._connect_s):
                first, rest = await self._first_packet()
            if not self._admits(first.user, first.password):
                await self._send(first.refusal)
                return await self._fail(_POLICY, "connect_refused")
            return await self._join_broker(first, rest)
        except TimeoutError:
            return await self._fail(_POLICY, "connect_too_late")
        except BadConnectError:
            return await self._fail(_POLICY, "connect_malformed")
        except BadPacketError:
            return await self._fail(_POLICY, "packet_refused")
        except _TooMuchError:
            return await self._fail(_POLICY, "too_much")
        except EOFError:
            return "closed_early"

    async def _shake_hands(self, request: Request) -> bool:
        self._protocol.receive_data(request.raw)
        handshake = next(iter(self._protocol.events_received()), None)
        if not isinstance(handshake, Handshake):
            await self._flush()
            return False
        response = self._protocol.accept(handshake)
        if response.status_code == 101 and "Sec-WebSocket-Protocol" not in response.headers:
            response = self._protocol.reject(400, "The subprotocol is mqtt.\n")
        self._protocol.send_response(response)
        await self._flush()
        return self._protocol.state is OPEN

    async def _first_packet(self) -> tuple[Connect, bytes]:
        data = b""
        while True:
            data += await self._receive()
            connect = read_connect(data)
            if connect is not None:
                return connect, data[connect.consumed :]

    async def _join_broker(self, first: Connect, rest: bytes) -> str:
        where = self._upstream
        context = ssl.create_default_context() if where.tls else None
        try:
            async with asyncio.timeout(self._connect_s):
                reader, writer = await asyncio.open_connection(where.host, where.port, ssl=context)
        except (OSError, TimeoutError):
            return await self._fail(_TRY_AGAIN, "broker_away")
        try:
            writer.write(first.packet)
            await self._both_ways(reader, writer, first.user, rest)
        finally:
            writer.close()
        return "served"

    async def _both_ways(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, user: str, rest: bytes
    ) -> None:
        pumps = {asyncio.create_task(self._up(writer, rest)), asyncio.create_task(self._down(reader, user))}
        try:
            done, _ = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
        for pump in done:
            pump.result()

    async def _up(self, writer: asyncio.StreamWriter, rest: bytes) -> None:
        """Pass on what the phone sends, as its budget allows; ``rest`` is what came with its CONNECT."""
        data = rest
        with contextlib.suppress(EOFError):
            while True:
                await self._pay(self._toll.packets(data), 0)
                writer.write(data)
                await drained(writer, self._slow_s)
                data = await self._receive()

    async def _pay(self, messages: int, size: int) -> None:
        """Wait until the phone may send so much.

        Raises:
            _TooMuchError: it has had to wait for too long already.
        """
        now_s = asyncio.get_running_loop().time()
        wait_s = self._allowance.spend(messages, size, now_s)
        if not wait_s:
            return await asyncio.sleep(0)
        if not self._was_slowed:
            self._was_slowed = True
            self._on_slowed()
        if now_s - self._waited_s > _CALM_S:
            self._over_since_s = now_s
        left_s = max(0.0, self._over_since_s + self._patience_s - now_s)
        self._waited_s = now_s + wait_s
        await asyncio.sleep(min(wait_s, left_s))
        if wait_s > left_s:
            raise _TooMuchError
        return None

    async def _down(self, reader: asyncio.StreamReader, user: str) -> None:
        first = True
        while data := await reader.read(_CHUNK):
            if first and accepted(data) and not self._on_known(user):
                return
            first = False
            self._toll.told(data)
            if not await self._send(data):
                return
        await self._fail(1000, "served")

    async def _receive(self) -> bytes:
        """Return the next bytes of the phone's websocket frames, in order; frame borders mean nothing.

        Raises:
            EOFError: the websocket is closed.
            _TooMuchError: what has come is far too much.
        """
        while True:
            data = await self._reader.read(_SIP)
            await self._pay(self._toll.frames(data), len(data))
            if data:
                self._protocol.receive_data(data)
            else:
                self._protocol.receive_eof()
            payload = self._payload()
            await self._flush()
            if payload:
                return payload
            if not data or self._protocol.state is not OPEN:
                raise EOFError

    def _payload(self) -> bytes:
        chunks: list[bytes] = []
        for event in self._protocol.events_received():
            if not isinstance(event, Frame):
                continue
            if event.opcode is Opcode.TEXT and self._protocol.state is OPEN:
                self._protocol.fail(_UNSUPPORTED, "binary frames only")
            elif event.opcode in {Opcode.BINARY, Opcode.CONT}:
                chunks.append(bytes(event.data))
        return b"".join(chunks)

    async def _send(self, data: bytes) -> bool:
        """Send MQTT to the phone; return False if it is leaving and hears no more."""
        if self._protocol.state is not OPEN:
            return False
        self._protocol.send_binary(data)
        await self._flush()
        return True

    async def _flush(self) -> None:
        pieces = self._protocol.data_to_send()
        if any(pieces):
            self._writer.write(b"".join(pieces))
        if b"" in pieces and self._writer.can_write_eof():
            self._writer.write_eof()
        await drained(self._writer, self._slow_s)

    async def _fail(self, code: int, why: str) -> str:
        if self._protocol.state is OPEN:
            self._protocol.send_close(code, why)
        await self._flush()
        return why

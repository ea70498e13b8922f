"""Facts about the gate's websocket: how phones reach the broker, and what the gate survives."""

import asyncio
import contextlib
from dataclasses import replace

import pytest
from helpers.gate_at_echo import get, mqtt_connect, playing, raw, settled, socket_to
from helpers.waiting import happens
from hextraction.controller.phones.broker import ExternalBroker
from hextraction.controller.phones.circles import CIRCLES, Circles
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus


def few_messages(per_s):
    """Return budgets of three messages at once and so many a second, for everybody."""
    few = replace(CIRCLES.seat, burst_messages=3, messages_per_s=per_s)
    return Circles(stranger=few, watcher=few, seat=few)


def test_a_websocket_reaches_the_broker_as_bytes():
    """Frames of any size come out as the bytes that went in; the login is noticed."""

    async def play(server):
        async with socket_to(server, origin=f"http://127.0.0.1:{server.port}") as phone:
            packet = mqtt_connect()
            await phone.send(packet[:5])
            await phone.send(packet[5:] + b"first")
            got = b""
            while len(got) < 10:
                got += await phone.recv()
            assert got == b"\x20\x03\x00\x00\x00first"
            await phone.send([b"a" * 1000, b"b" * 1000])
            while len(got) < 2010:
                got += await phone.recv()
            assert got[10:] == b"a" * 1000 + b"b" * 1000
            assert server.doorkeeper.logged_in == ["red.1"]
            assert server.phones == 1

    playing(play)


def test_websockets_of_other_pages_are_refused():
    """Origin and Host are checked before anything of MQTT."""

    async def play(server):
        with pytest.raises(InvalidStatus) as refused:
            async with socket_to(server, origin="http://evil.example"):
                pass
        assert refused.value.response.status_code == 403
        assert (await get(server, "/mqtt", host="evil.example", Upgrade="websocket"))[0] == 421

    playing(play)


def test_a_websocket_without_the_subprotocol_is_refused():
    """Only MQTT is spoken here."""

    async def play(server):
        with pytest.raises(InvalidStatus) as refused:
            async with connect(f"ws://127.0.0.1:{server.port}/mqtt"):
                pass
        assert refused.value.response.status_code == 400

    playing(play)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (1009, b"x" * (64 * 1024 + 1)),
        (1003, "text"),
        (1008, b"\x30\x00"),
        (1008, b"\x10\xff\xff\xff\x7f"),
        (1008, mqtt_connect(user=b"controller")),
    ],
)
def test_bad_frames_end_the_websocket(code, message):
    """Too long, text, no CONNECT, an absurd length, or a user who has no business here."""

    async def play(server):
        async with socket_to(server) as phone:
            with contextlib.suppress(ConnectionClosed):
                await phone.send(message)
                while True:
                    await phone.recv()
            assert phone.close_code == code

    playing(play)


def test_a_stranger_hears_not_authorized_before_the_end():
    """A page with an old token must be able to tell that from a broken line."""

    async def play(server):
        async with socket_to(server) as phone:
            await phone.send(mqtt_connect(user=b"red.0"))
            assert await phone.recv() == b"\x20\x03\x00\x87\x00"

    playing(play)


def test_who_never_speaks_is_let_go():
    """Without a head, or without a CONNECT, a connection ends at its deadline."""

    async def play(server):
        assert (await raw(server, b"GET / HTTP/1.1\r\n"))[0] == 408
        with pytest.raises(ConnectionClosed) as closed:
            async with socket_to(server) as phone:
                await phone.recv()
        assert closed.value.rcvd.code == 1008
        assert server.counters["too_late"] == 1
        assert server.counters["connect_too_late"] == 1

    playing(play, head_s=0.05, connect_s=0.05)


def test_a_phone_that_does_not_read_is_dropped():
    """What is not taken in time ends the connection; nothing piles up."""

    async def flood(reader, writer):
        await reader.read(100)
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            while True:
                writer.write(b"x" * 65536)
                await writer.drain()
        writer.transport.abort()

    async def play(server):
        broker = await asyncio.start_server(flood, "127.0.0.1", 0)
        server.doorkeeper.broker = ExternalBroker(host="127.0.0.1", port=broker.sockets[0].getsockname()[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(
            f"GET /mqtt HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: mqtt\r\n\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        packet = mqtt_connect(will=False)
        writer.write(bytes([0x82, 0x80 | len(packet), 0, 0, 0, 0]) + packet)
        await happens(lambda: server.counters["slow"])
        writer.transport.abort()
        await settled()
        broker.close()

    playing(play, slow_s=0.2)


def test_without_a_broker_the_websocket_is_503():
    """The page hears that there is no broker, and tries again later."""

    async def play(server):
        server.doorkeeper.broker = None
        with pytest.raises(InvalidStatus) as refused:
            async with socket_to(server):
                pass
        assert refused.value.response.status_code == 503

    playing(play)


def test_a_broker_that_went_away_is_try_again_later():
    """A websocket whose broker does not answer is closed with 1013."""

    async def play(server):
        server.doorkeeper.broker = ExternalBroker(host="127.0.0.1", port=1)
        async with socket_to(server) as phone:
            await phone.send(mqtt_connect())
            with pytest.raises(ConnectionClosed):
                await phone.recv()
            assert phone.close_code == 1013

    playing(play)


def dropped(reader):
    """Whether the gate has dropped this connection."""
    return reader.at_eof() or reader.exception() is not None


PUBLISH = b"\x30\x05\x00\x01tab"


def test_a_phone_that_publishes_flat_out_waits_alone():
    """What is over its budget stays in its own connection, is told once, and another phone is served at once."""

    async def play(server):
        async with socket_to(server, close_timeout=0.1) as loud, socket_to(server) as quiet:
            for phone in (loud, quiet):
                await phone.send(mqtt_connect())
                await phone.recv()
            for _ in range(3):
                await loud.send(PUBLISH)
                assert await loud.recv() == PUBLISH
            held = asyncio.create_task(loud.recv())
            for _ in range(50):
                await loud.send(PUBLISH)
            for _ in range(3):
                await quiet.send(PUBLISH)
                assert await quiet.recv() == PUBLISH
            assert not held.done()
            assert server.counters["held_back"] == 1
            held.cancel()

    playing(play, circles=few_messages(0.001))


def test_what_a_phone_sent_too_fast_comes_later_and_whole():
    """Nothing is thrown away: it is read as fast as the budget allows."""

    async def play(server):
        async with socket_to(server) as phone:
            await phone.send(mqtt_connect() + PUBLISH * 20)
            got = b""
            while len(got) < 5 + 20 * len(PUBLISH):
                got += await phone.recv()
            assert got == b"\x20\x03\x00\x00\x00" + PUBLISH * 20

    playing(play, circles=few_messages(200))


def test_three_hundred_idle_connections_do_not_keep_a_player_out():
    """Idle connections are bounded, the oldest go first, a phone that has logged in stays, the page is served."""

    async def play(server):
        async with socket_to(server) as phone:
            await phone.send(mqtt_connect())
            await phone.recv()
            idle = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(300)]
            assert (await get(server, "/"))[0] == 200
            await phone.send(b"still here")
            assert await phone.recv() == b"still here"
            await happens(lambda: sum(dropped(reader) for reader, _ in idle) >= 300 - 48 + 1)
            for _, writer in idle:
                writer.transport.abort()

    playing(play)


@pytest.mark.slow
def test_malformed_openings_leave_the_gate_serving():
    """Two hundred broken requests and frames of many kinds, then the page as before."""
    shake = (
        b"GET /mqtt HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n"
    )
    frames = [
        b"\x82\x80\0\0\0\0",
        b"\x82\x05abcde",
        b"\xff\xff" * 9,
        b"\x88\x80\0\0\0\0",
        b"\x89\xfe\xff\xff",
        b"\x00\x80\0\0\0\0",
        b"\x82\xff" + b"\x7f" * 8,
    ]

    async def play(server):
        for n in range(200):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write([b"\x00" * n, b"\x16\x03\x01" * n, shake[:n], shake + frames[n % 7]][n % 4])
            with contextlib.suppress(ConnectionError):
                await writer.drain()
            writer.close() if n % 2 else writer.transport.abort()
        assert (await get(server, "/"))[0] == 200
        assert server.counters["failed"] == 0

    playing(play)
